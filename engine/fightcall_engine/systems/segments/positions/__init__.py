"""Positions: places, fields, distances, paths, and who meets whom."""
