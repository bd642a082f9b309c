"""Body against body, and nerve against nerve."""
