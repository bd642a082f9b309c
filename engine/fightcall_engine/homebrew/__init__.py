"""Rule systems that people write in one TOML file: a game of one's own without Python."""
