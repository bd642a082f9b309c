"""Saying what one will do: Actions, pairs of them, help, and what the GM asks before."""
