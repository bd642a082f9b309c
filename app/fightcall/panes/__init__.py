"""Widgets: thin shells around the painters that repaint only the cells that changed."""
