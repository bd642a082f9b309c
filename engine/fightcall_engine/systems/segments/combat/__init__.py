"""Attacks: strikes, shots, contests, defences, Reprisals; and harm: armour, wounds, pain, falling, healing."""
