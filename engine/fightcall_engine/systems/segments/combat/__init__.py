"""Attacks: strikes, shots, contests, defences, Reprisals, and what follows from them."""
