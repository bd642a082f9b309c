"""The segment as it runs: order, passes, pulses, resolution, and what follows from each event."""
