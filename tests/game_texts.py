"""A game in a file for tests, and the folder that its file lies in."""

from pathlib import Path

BRAWL = """\
id = "brawl"
title = "Brawl"

[sheet]
hp = 5
speed = 2

[pools]
hp = { health = true }

[round]
order = { by = "initiative", roll = "speed" }

[turn]
action = 1

[[act]]
name = "hit"
title = "hits"
key = "s"
target = "enemy"
cost = { action = 1 }
damage = 2
"""
HARD = BRAWL.replace("damage = 2", "damage = 4").replace('"Brawl"', '"Hard Brawl"')
"""The same with harder fists."""
BROKEN = BRAWL.replace("damage = 2", "damage = [2")
PUB = """\
name = "The Pub"
system = "brawl"
[[combatant]]
name = "Ash"
side = "party"
[[combatant]]
name = "Orc"
side = "foe"
sheet = { hp = 7 }
"""


def write_game(folder: Path, text: str, name: str = "brawl") -> Path:
    """Write the file of a game."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path
