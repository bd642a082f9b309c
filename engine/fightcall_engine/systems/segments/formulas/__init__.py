"""The arithmetic of Combat Segments: pure functions over plain numbers, one module a subject."""
