"""Frames as JSON for the page, and the differences between two of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import cast

from fightcall.paint.layout import SIDE_ROLES, side_role
from fightcall.show.drawing import centre_of, draw_board, facing_angle, place_figures
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Section
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.play.chart import Chart, Column, Span, due_of, end_of, end_words
from fightcall_engine.play.frames import Figure, Frame

Sheet = Mapping[str, Json]
"""A frame as plain values: ``head``, ``order``, ``board``, ``figures`` by id, and ``ways``."""


def describe_stage(state: FightState, system: BaseSystem) -> dict[str, Json]:
    """What stays the same for a whole fight: its title and the system's words."""
    words = system.words(state.settings)
    return {
        "title": state.name,
        "system": words.title,
        "sides": dict(words.sides),
        "roles": {side: side_role(system, side) for side in (*system.sides, *words.sides, *SIDE_ROLES)},
        "players": system.sides[0],
        "phases": [[name, title] for name, title in words.phases.items()],
        "pools": dict(words.pools),
    }


def write_frame(frame: Frame) -> Sheet:
    """A frame as plain values."""
    board = frame.board
    drawing = draw_board(board) if board is not None else None
    points = place_figures(board, frame.figures) if board is not None else {}
    ways: list[Json] = []
    if board is not None:
        for name, places in frame.ways:
            ways.append([name, [list(centre_of(board, place)) for place in places]])
    return {
        "head": {
            "status": frame.status,
            "round": frame.round,
            "title": frame.title,
            "phase": frame.phase,
            "now": frame.now,
            "side": frame.side,
            "clock": frame.clock_s,
        },
        "order": [figure.id for figure in frame.figures],
        "board": {"width": drawing.width, "height": drawing.height, "ground": drawing.ground} if drawing else None,
        "figures": {figure.id: _write_figure(figure, board, points.get(figure.id)) for figure in frame.figures},
        "ways": ways,
    }


def _write_figure(figure: Figure, board: AnyBoard | None, point: tuple[float, float] | None) -> Mapping[str, Json]:
    return {
        "label": figure.label,
        "name": figure.name,
        "side": figure.side,
        "at": list(point) if point is not None else None,
        "place": board.name_of(figure.at) if board is not None and figure.at is not None else "",
        "facing": facing_angle(board, figure.facing) if board is not None else None,
        "able": figure.able,
        "hidden": figure.hidden,
        "health": figure.health,
        "pools": {name: list(pool) for name, pool in figure.pools.items()},
        "effects": list(figure.effects),
        "turn": figure.turn,
        "declared": figure.declared,
    }


def write_lanes(chart: Chart, entries: Sequence[int]) -> Sheet:
    """A timeline as plain values: its lanes, its columns with their acts, effects, and what is due.

    Args:
        chart: the timeline.
        entries: the numbers of the entries with frames; an act refers to the index of its own among them.
    """

    def place(entry: int) -> int:
        return max(0, bisect_right(entries, entry) - 1)

    def head(column: Column) -> list[Json]:
        return [column.title, column.phase, column.side, column.actor, column.number, column.secret]

    def bar(span: Span) -> list[Json]:
        due = due_of(span, chart)
        end = None if due is None else end_of(due, chart)
        return [span.who, span.name, span.first, span.last, span.secret, end, end_words(due, chart) if due else ""]

    return {
        "lanes": [[lane.figure.id, lane.figure.label, lane.figure.name, lane.figure.side] for lane in chart.lanes],
        "columns": [
            [
                *head(column),
                place(column.entry),
                [[act.who, act.kind, act.amount, place(act.entry), act.secret] for act in column.acts],
            ]
            for column in chart.columns
        ],
        "spans": [bar(span) for span in chart.spans],
        "ahead": [head(column) for column in chart.ahead],
    }


def find_new_columns(before: Sheet | None, after: Sheet) -> dict[str, Json]:
    """The changes of a timeline from an earlier one: how many of its columns stay, and everything else."""
    old = cast("Sequence[Json]", before["columns"]) if before is not None else ()
    kept_count, columns = find_new_lines(old, cast("Sequence[Json]", after["columns"]))
    return {**after, "kept": kept_count, "columns": columns}


def write_sections(sections: Sequence[Section]) -> list[Json]:
    """Sections as plain values: title, note, and the name and text of each line."""
    return [[each.title, each.note, [[detail.name, detail.text] for detail in each.details]] for each in sections]


def find_changes(before: Sheet | None, after: Sheet) -> dict[str, Json]:
    """What the page must change to show `after` instead of `before`; everything if there was nothing before."""
    if before is None:
        return dict(after)
    changes: dict[str, Json] = {}
    head = _find_changes(_table(before["head"]), _table(after["head"]))
    if head:
        changes["head"] = head
    changes |= {name: after[name] for name in ("order", "board", "ways") if before[name] != after[name]}
    old, new = _table(before["figures"]), _table(after["figures"])
    figures = {
        name: _find_changes(_table(old.get(name, {})), _table(figure))
        for name, figure in new.items()
        if old.get(name) != figure
    }
    if figures:
        changes["figures"] = figures
    return changes


def find_new_lines(before: Sequence[Json], after: Sequence[Json]) -> tuple[int, list[Json]]:
    """How many lines of a log stay, and the new ones after them."""
    pairs = zip(before, after, strict=False)
    same = next((place for place, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))
    return same, list(after[same:])


def _find_changes(before: Mapping[str, Json], after: Mapping[str, Json]) -> Mapping[str, Json]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
