"""The running segment: order, passes, Pulses, Resolution, and reactions to events."""
