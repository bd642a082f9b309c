"""Attacks from their value to what follows from them: strikes, shots, contests, defences, reprisals, feats."""
