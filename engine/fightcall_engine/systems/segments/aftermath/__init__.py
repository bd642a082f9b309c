"""Heroics, tokens, and healing when the fight is over."""
