"""The story pane: the selected combatant's note, the encounter's story, and the kinds of ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fightcall.paint.board_view import ground_role
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import label_box, pad, side_role, wrap
from fightcall.paint.looks import PLAIN
from fightcall.paint.palette import GROUNDS
from fightcall.paint.runs import Row, Run, clean
from fightcall.paint.sections import Sections
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.board.terrain import OPEN, Terrain

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

NO_STORY = "This encounter has no story."
SAMPLE = 3
"""The width of a ground's sample before its name."""


def story_sections(
    state: FightState, system: BaseSystem, story: str, selected: str, cells: int, glyphs: Glyphs
) -> Sections:
    """The selected combatant's note, the story, and the kinds of ground.

    Args:
        state: the fight.
        system: its rules, for the sides.
        story: the encounter's story; each line is a paragraph.
        selected: the combatant whose note comes first.
        cells: the width of the rows.
        glyphs: marks to draw with.
    """
    rows: list[Row] = [*_note(state, system, selected, cells, glyphs)]
    rows += [(Run(f" {clean(state.name)}", "heading"),)]
    for line in (story.strip() or NO_STORY).split("\n"):
        rows += _paragraph(line, cells)
    ground = [*_ground(state, cells, glyphs)]
    rows += [(), (Run(" Terrain", "heading"),), *ground] if ground else []
    return Sections(tuple(pad(row, cells, "text") for row in rows), {})


def _paragraph(text: str, cells: int) -> list[Row]:
    return [(Run(f" {line}", "text"),) for line in wrap(text, cells - 2)]


def _note(state: FightState, system: BaseSystem, selected: str, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    combatant = state.combatants.get(selected)
    note = combatant.sheet.get("note") if combatant is not None else None
    if combatant is None or not note:
        return
    box = label_box(combatant.label, side_role(system, combatant.side), glyphs)
    yield (Run(" ", "text"), box, Run(f" {clean(combatant.name)}", "heading"))
    yield from _paragraph(str(note), cells)
    yield ()


def _ground(state: FightState, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    """Each kind of ground on the map with a sample and its effects."""
    board = grid_board(state.board) if state.board is not None else None
    if board is None:
        return
    used_names = set(board.terrain.values())
    for terrain in (OPEN, *(board.legend[name] for name in board.legend if name in used_names)):
        role = ground_role(terrain)
        kind = role if role in GROUNDS else "floor"
        fill = PLAIN if glyphs.shape == PLAIN else f"{kind}.0"
        mark = glyphs.ground.get(kind, "") or (glyphs.centre if glyphs.shape == PLAIN else "")
        sample = Run(mark.center(SAMPLE), f"ink.{kind}/{fill}")
        lines = wrap(f"{terrain.name}: {_effects(terrain)}", max(cells - SAMPLE - 3, 1))
        for number, line in enumerate(lines):
            lead = sample if number == 0 else Run(" " * SAMPLE, "text")
            yield (Run(" ", "text"), lead, Run(f" {line}", "text"))


def _effects(terrain: Terrain) -> str:
    """The effects of a kind of ground on movement, sight and cover."""
    words = ["no one can enter" if terrain.blocks else f"{terrain.cost} to enter"]
    words += ["blocks sight"] if terrain.blocks_sight else []
    words += [f"{terrain.cover} cover"] if terrain.cover else []
    words += [f"{terrain.height_ft:g} ft high"] if terrain.height_ft else []
    return ", ".join(words)
