"""Fights of many on a board, and the keys of a GM who plays them: what `screen.py` measures in each system."""

from fightcall_engine.board.base import Hex, Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

MUD = Terrain("mud", '"', cost=2)
BOW = {"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}
CLEAVER = {"name": "cleaver", "needs": 12, "damage": "d8", "reach": 1}
CROWBAR = {"name": "crowbar", "cost": 2, "roll": "d20+4", "damage": "d6+1"}
SWORD = {"name": "sword", "av": 40, "size": 4, "effects": ["edge", "point"]}
TARGE = {"name": "targe", "kind": "shield", "hand": "L", "av": 30, "dr": 4}
MAIL = [{"type": "mail", "family": "mail", "dr": 6}, {"type": "aketon", "family": "padded", "dr": 3}]
SHEETS = {
    "stage": {"hp": 20, "agility": 12, "strikes": [BOW]},
    "turns": {"hp": 20, "actions": 3, "strikes": [CLEAVER]},
    "slots": {"hp": 20, "abilities": [CROWBAR]},
    "segments": {"dodge": 20, "msta": 16, "weapons": [SWORD, TARGE], "armour": MAIL},
}
PHASES = {"stage": "move", "turns": "acting", "slots": "active", "segments": "declare"}
"""Where play begins, by system."""

HARM = ("d", "enter", "2", "enter", ".", "u", "u")
CONDITION = ("c", "enter", "s", "t", "3", "enter", "u")
ON = ("space", "u", ">", "u")
CARD = ("I", "tab", "shift+tab", "I")
KEYS = {
    "stage": (
        *("tab", "m", "l", "l", "backspace", "l", "enter", "u", "U", "u", "w", "u"),
        *HARM,
        *CONDITION,
        *ON,
        *CARD,
    ),
    "turns": (
        *("tab", "tab", "m", "l", "enter", "u", "U", "u", "s", "enter", "enter", "u"),
        *HARM,
        *CONDITION,
        *ON,
        *CARD,
    ),
    "slots": (*("tab", "1", "enter", "u", "m", "l", "enter", "u", "U", "u"), *HARM, *CONDITION, *ON, *CARD),
    "segments": (
        *("tab", "tab", "s", "tab", "enter", "y", "u", "u", "m", "l", "enter", "u", "U", "u", "w", "u"),
        *("space", "space", "space", "u", "u", "u", *HARM, *CONDITION, *ON, *CARD),
    ),
}
"""A GM's minute, by system: somebody moves, attacks, waits and is hurt, each taken back; the fight goes on; a card."""


def crowd(system, count, path=None):
    """A fight of so many, in lines that touch here and there, at the first moment of its `PHASES`."""
    joins = [
        Join(name=f"{side.title()} {number}", side=side, at=place, sheet=SHEETS[system])
        for number, (side, place) in enumerate(_places(system, count))
    ]
    fight = Fight.new(system, id=system, name="Bench", seed="7", board=_ground(system), joins=joins, path=path)
    fight.give("start")
    while fight.state.phase != PHASES[system]:
        asked = next((one for one in fight.state.prompts if one.blocking), None)
        if asked is None:
            fight.give("advance")
        else:
            choice = asked.default or (asked.choices[0].id if asked.choices else "")
            fight.give("answer", prompt=asked.id, choice=choice, amount=None if choice else 10)
    return fight


def _ground(system):
    places = {
        _place(system, col, row): "mud" for col in range(40) for row in range(30) if (col * 7 + row * 3) % 11 == 0
    }
    board = HexBoard if system == "stage" else SquareBoard
    return board(cols=40, rows=30, scale=5, terrain=places, legend={"mud": MUD})


def _places(system, count):
    """Sides and places: foes stand beside every other figure of the party's first line, five places from the rest."""
    for number in range(count):
        row, line = number // 2 % 30, number // 60
        col = 18 - 2 * line if number % 2 == 0 else 19 + 2 * line + 5 * (row % 2)
        yield "foe" if number % 2 else "party", _place(system, col, row)


def _place(system, col, row):
    return Hex(col - row // 2, row) if system == "stage" else Square(col, row)
