"""Files that people write: read within bounds, and what is wrong in them said with its line."""
