"""Fights for those who look on: the players' screen in a terminal and in a browser, replays and pictures."""
