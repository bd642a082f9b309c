"""What the GM is in the middle of: small state machines without widgets. A key goes in; a prompt, or a command, comes out."""
