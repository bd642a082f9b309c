"""Showing fights to spectators: the players' screen in a browser, replays and pictures."""
