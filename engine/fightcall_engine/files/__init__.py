"""Reading files that people write: within limits, with faults reported by line."""
