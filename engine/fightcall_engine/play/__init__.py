"""Playing a fight: commands in, events out, on disk before anybody is told."""
