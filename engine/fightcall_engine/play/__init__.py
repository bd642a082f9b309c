"""A fight being played: commands in, events out, on disk before anybody is told."""
