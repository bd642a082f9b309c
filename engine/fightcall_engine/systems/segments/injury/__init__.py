"""Injury: armour, wounds, pain, falling, healing."""
