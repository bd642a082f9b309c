"""Things in play, in hand and in the air, and where they fall."""
