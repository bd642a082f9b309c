"""A Stage fight for drawings: an ambush at a ford, played through the engine to the middle of its second Move."""

import os
from dataclasses import replace
from pathlib import Path

from palettes import unknown_keys

from fightcall.paint.runs import row_text, row_width, width
from fightcall_engine.board.base import Terrain
from fightcall_engine.board.kinds import HexBoard, parse_place
from fightcall_engine.board.maps import read_map
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

MAP = """
. . . . ~ ~ . ^ . . .
 . T . . ~ ^ . . T T .
. . . . . ~ . . . . .
 . . . . ~ . . . . . .
^ . . . . ~ ~ . . . .
 . . . . ^ ~ . . . . .
^ . . . . ~ ~ . . T .
 . . . . ^ ~ . . . . .
. . T . . ~ T . ^ . .
"""
FORD_PLACES = tuple(parse_place(f"{column}{row}") for column in "ABCDEFGHIJK" for row in range(1, 10))
GROUND = {
    "~": Terrain("river", "~", cost=2),
    "T": Terrain("tree", "T", cost=2, cover="partial"),
    "^": Terrain("boulder", "^", blocks=True, blocks_sight=True),
}
BOW = {"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}
SWORD = {"name": "sword", "kind": "melee", "needs": 11, "damage": "d8"}


def join(name, side, at, *, agility=11, hp=8, facing=0, arms=(), **rest):
    sheet = {"agility": agility, "hp": hp, "strikes": list(arms)}
    place = parse_place(at) if at else None
    return Join(name=name, side=side, sheet=sheet, at=place, facing=facing, **rest)


JOINS = (
    join("Ysolde", "party", "C5", agility=14, hp=14, facing=0, arms=(SWORD,)),
    join("Brand", "party", "B4", agility=10, hp=15, facing=1, arms=(SWORD,)),
    join("Paul", "party", "D3", agility=12, hp=10, facing=0, arms=(BOW,)),
    join("Goblin 1", "foe", "G6", hp=7, facing=3, arms=(SWORD,)),
    join("Goblin 2", "foe", "G5", hp=7, facing=3, arms=(SWORD,)),
    join("Goblin 3", "foe", "G4", hp=7, facing=3, arms=(SWORD,), hidden=True),
    join("Archer", "foe", "H3", hp=6, facing=3, arms=(BOW,)),
)


def clock():
    return "2025-01-01T00:00:00+00:00"


def started(joins=JOINS, name="Ambush at the Ford", board=True):
    ground = read_map(HexBoard, MAP, GROUND).board if board else None
    if not board:
        joins = [replace(one, at=None) for one in joins]
    fight = Fight.new("stage", name=name, seed="7", board=ground, joins=joins, clock=clock)
    fight.give("start")
    return fight


def advance_to(fight, phase, side, most=40):
    """Next step after next step until a side's half of a phase runs."""
    for _ in range(most):
        step = fight.state.step
        if step is not None and step.phase == phase and step.side == side:
            return fight
        fight.give("advance")
    raise AssertionError(f"no {phase} of the {side} within {most} steps; at {fight.state.step}")


def ford(board=True):
    """Moment 2, the party's Move: shots fell, Brand is hurt, Ysolde has moved, Paul and Brand have not."""
    fight = advance_to(started(board=board), "missile", "party")
    fight.give("strike", who="paul", target="goblin-1", rolls={"attack": [5], "damage": [4]})
    advance_to(fight, "missile", "foe")
    fight.give("strike", who="archer", target="brand", rolls={"attack": [3], "damage": [6]})
    advance_to(fight, "move", "party")
    fight.give("advance")
    advance_to(fight, "move", "party")
    fight.give("addeffect", who="brand", name="stunned", rounds=3)
    walk = {"to": list(parse_place("E5"))} if board else {"hexes": 2}
    fight.give("move", who="ysolde", **walk)
    return fight


NASTY = (
    "[b]markup[/b]",
    "[/foo",
    "\x1b[31mred\x1b[0m",
    "漢字漢字漢字漢字漢字漢字",
    "e\u0301\u0302\u0303\u0304\u0305\u0306lan",
    "x" * 200,
    "",
    "a\nb\tc",
    "\u202eright to left\u202c",
    "🐉 dragon 12",
    "שלום",
    "\udc80 lone",
)


def nasty(board=True):
    """A fight between names that terminals and markup choke on, half a Moment in."""
    sides = ("party", "foe")
    places = [f"{column}{row}" for row in (3, 5) for column in "BCDEGH"]
    joins = [
        join(name, sides[at % 2], place, arms=(BOW,))
        for at, (name, place) in enumerate(zip(NASTY, places, strict=True))
    ]
    fight = advance_to(started(joins, name=NASTY[0] + NASTY[2], board=board), "missile", "party")
    shooter, target = (next(one.id for one in fight.state.combatants.values() if one.side == side) for side in sides)
    fight.give("strike", who=shooter, target=target, rolls={"attack": [5], "damage": [4]})
    for who, name in zip(fight.state.combatants, NASTY, strict=True):
        fight.give("addeffect", who=who, name=name or "nameless", rounds=2, magnitude=-1)
        fight.give("note", who=who, text=name * 3)
    return fight


GOLDENS = Path(__file__).parents[1] / "goldens"


def golden(rows):
    """Rows as text for a golden file: each row's characters, a line of style letters, and a legend.

    Letters are given in the order in which styles first appear, so a changed colour touches the legend only.
    """
    letters = {}
    lines = []
    for row in rows:
        marks = []
        for run in row:
            letter = letters.setdefault(run.style, _letter(len(letters)))
            marks.append(letter * width(run.text))
        lines += [f"|{row_text(row)}|", f" {''.join(marks)}"]
    legend = [f"{letter} = {style}" for style, letter in letters.items()]
    return "\n".join([*lines, "", *legend, ""])


def _letter(number):
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return alphabet[number] if number < len(alphabet) else chr(0x100 + number - len(alphabet))


def check_golden(name, rows):
    """Compare rows with a golden file; FIGHTCALL_UPDATE_GOLDENS=1 writes it instead."""
    path, drawn = GOLDENS / f"{name}.txt", golden(rows)
    if os.environ.get("FIGHTCALL_UPDATE_GOLDENS"):
        path.write_text(drawn, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == drawn


def texts(rows):
    """The characters of rows."""
    return [row_text(row) for row in rows]


def check_size(rows, width, height):
    """Rows of exactly this size, in styles the palette knows."""
    assert [row_width(row) for row in rows] == [width] * height
    assert unknown_keys(rows) == ()
