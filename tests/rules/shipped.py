"""The encounters that laws are tried on: those that ship, without the small ones that lead through a first round."""

from fightcall_engine.archive.encounters import shipped_encounters

ENCOUNTERS = [
    found.path.stem for found in shipped_encounters() if not found.path.stem.startswith(("a-first-", "first-"))
]
FEW = (
    "ambush-at-the-ford",
    "tavern-parley",
    "surrounded-by-goblins",
    "fire-at-the-playhouse",
    "the-last-touch",
    "the-withy-ford",
)
"""Of each system one or two, and of each kind of board, for laws of the core that cost much in every fight."""
FILES = ("the-toll-bridge", "the-rooftops", "the-loading-dock", "high-noon")
"""One of each game in a file that ships."""
