"""Widgets: thin wrappers around `paint` that repaint only the cells that changed."""
