"""Where they stand: boards of hexes, squares and zones, paths over them, what can be seen, and maps drawn as text."""
