"""Boards of hexes, squares and zones: distance, paths, sight, and maps drawn as text."""
