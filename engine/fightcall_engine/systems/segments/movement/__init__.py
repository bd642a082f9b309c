"""Moving in the segment and in its Pulses, and who is met on the way."""
