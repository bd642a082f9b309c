"""What the GM is in the middle of: small state machines without widgets. Keys go in; prompts and commands come out."""
