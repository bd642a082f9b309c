"""Shots: their bands, awareness, what goes astray, and weapons that are slow to make ready."""
