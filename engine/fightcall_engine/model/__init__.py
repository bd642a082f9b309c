"""What a fight is: its state, events and commands, and the fold. No rule, no file. Journals name the version."""

__version__ = "0.2.0"
