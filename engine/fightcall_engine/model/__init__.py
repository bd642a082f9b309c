"""What a fight is: its state, events and commands, and the fold. No rule, no file."""
