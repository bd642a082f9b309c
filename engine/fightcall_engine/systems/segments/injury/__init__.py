"""What a blow does to a body: armour, wounds, pain, falling, healing."""
