"""A blow from its offer to hit or miss, with the defences against it."""
