"""Playing a fight: commands in, events out, which are on disk before they are reported."""
