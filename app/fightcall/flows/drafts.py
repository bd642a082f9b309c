"""The encounter that is being set up: the changes of its draft, and its editor with cursor and undo history. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal, cast

from fightcall.flows.command_line import name_and_count, next_name
from fightcall.flows.text_fields import Form, error_places
from fightcall_engine.archive.encounter import Encounter, value_from
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import AnyBoard, Location, places_around
from fightcall_engine.board.kinds import GRIDS, AnyGrid, any_board, direction_of, directions_of, grid_board, zone_board
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit.cues import condition_words, outcome_words
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import check_setting, first_line
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.state import STYLE_WORDS, FightState, Json, Scalar
from fightcall_engine.model.values import frozen, remembered, replace
from fightcall_engine.play.newcomers import squad_of, style_called

MOST = 200
"""The most combatants at the start of a fight."""
ZONE_COLS, ZONE_ROWS = 6, 4
"""The size of a zone on the floor plan if only its name is given."""
SIZES = ((12, 9), (16, 12), (24, 16), (40, 30))
"""The map sizes to choose from; any other size can be typed."""
_CELLS = {words[1]: kind for kind, words in ((kind, grid.words) for kind, grid in GRIDS.items())}
_BOARD = re.compile(
    r"\s*(\d{1,4})\s*[x×*, ]\s*(\d{1,4})\s*"
    rf"({'|'.join(_CELLS)})?\s*(?:[,;]?\s*(\d+(?:\.\d+)?)\s*([^\W\d]{{1,20}})\s*)?",
    re.ASCII,
)
_HEX = "hex"


@frozen
class Desk:
    """A draft with its undo history."""

    draft: Encounter
    before: tuple[Encounter, ...] = ()
    after: tuple[Encounter, ...] = field(default=())

    def change(self, draft: Encounter) -> Desk:
        return self if draft == self.draft else Desk(draft, (*self.before, self.draft)[-200:])

    def undo(self) -> Desk:
        return Desk(self.before[-1], self.before[:-1], (self.draft, *self.after)) if self.before else self

    def redo(self) -> Desk:
        return Desk(self.after[0], (*self.before, self.draft), self.after[1:]) if self.after else self


# Those who fight


def add(draft: Encounter, join: Join, count: int = 1) -> Encounter:
    """With one more combatant, or several numbered ones; a BadInput if they are too many."""
    if not 1 <= count <= MOST - len(draft.joins):
        raise BadInput("count", (f"count: {count} is too many; there is room for {MOST - len(draft.joins)} more",))
    joins = draft.joins
    squad = join.squad or squad_of(join.id or join.name, count, joins)
    for _ in range(count):
        name = join.name if count == 1 else next_name({each.name for each in joins}, join.name)
        joins = (*joins, replace(join, name=name, label=join.label if count == 1 else "", squad=squad))
    return replace(draft, joins=joins)


def replace_join(draft: Encounter, index: int, join: Join) -> Encounter:
    """With the combatant at an index replaced."""
    return replace(draft, joins=(*draft.joins[:index], join, *draft.joins[index + 1 :]))


def remove(draft: Encounter, index: int) -> Encounter:
    """Without a combatant."""
    return replace(draft, joins=draft.joins[:index] + draft.joins[index + 1 :])


def copy(draft: Encounter, index: int) -> Encounter:
    """With a copy of a combatant after it, with the next number and without a place: both form a squad."""
    command = draft.joins[index]
    if len(draft.joins) >= MOST:
        raise BadInput("count", (f"a fight can begin with at most {MOST} combatants",))
    command = replace(command, squad=command.squad or squad_of(command.id or _stem(command.name), 2, draft.joins))
    name = next_name({each.name for each in draft.joins}, _stem(command.name))
    new_join = replace(command, name=name, id="", label="", at=None)
    return replace(draft, joins=(*draft.joins[:index], command, new_join, *draft.joins[index + 1 :]))


def _stem(name: str) -> str:
    return re.sub(r"\s+\d+$", "", name) or name


def toggle_hidden(draft: Encounter, index: int) -> Encounter:
    """With a combatant's hidden state toggled."""
    join = draft.joins[index]
    return replace_join(draft, index, replace(join, hidden=not join.hidden))


def next_side(draft: Encounter, index: int, sides: tuple[str, ...]) -> Encounter:
    """With a combatant moved to the next side."""
    join = draft.joins[index]
    at = sides.index(join.side) if join.side in sides else 0
    return replace_join(draft, index, replace(join, side=sides[(at + 1) % len(sides)]))


def join_schema(
    system: BaseSystem, board: AnyBoard | None = None, settings: Mapping[str, Scalar] | None = None
) -> dict[str, Json]:
    """The JSON Schema of a combatant's form: its own fields, and its sheet under these settings."""
    return {
        "properties": {
            "name": {"type": "string"},
            "count": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1},
            "side": {"enum": list(system.sides), "type": "string", "default": system.sides[0]},
            "label": {"type": "string"},
            "hidden": {"type": "boolean", "default": False},
            "fights": {"type": "string", "description": f"{', '.join(STYLE_WORDS)}; protects needs a name"},
            "facing": {"enum": ["", *directions_of(board)], "type": "string"},
            "sheet": {"type": "object", **system.sheet_schema(settings)},
        },
        "required": ["name"],
    }


def join_data(join: Join, board: AnyBoard | None = None) -> dict[str, Json]:
    """A combatant as data for the form."""
    return {
        "name": join.name,
        "side": join.side,
        "label": join.label,
        "hidden": join.hidden or None,
        "fights": join.fights,
        "facing": direction_of(board, join.facing),
        "sheet": dict(join.sheet),
    }


def join_of(
    data: Mapping[str, Json],
    system: BaseSystem,
    base: Join | None = None,
    board: AnyBoard | None = None,
    settings: Mapping[str, Scalar] | None = None,
) -> tuple[Join, int]:
    """The combatant that a form describes, at the place of `base`, and how many; a BadInput names each wrong field."""
    problems: list[str] = []
    name = str(data.get("name") or "").strip()
    if not 1 <= len(name) <= 200:
        problems.append("name: 1 to 200 letters")
    label = str(data.get("label") or "").strip().upper()
    if label and not (len(label) <= 3 and label.isascii() and label.isalnum()):
        problems.append("label: 1 to 3 letters or digits")
    name_alone, several = name_and_count(name)
    count = data.get("count") or 1
    if count == 1 and base is None and several > 1:
        name, count = name_alone, several
    if not isinstance(count, int) or not 1 <= count <= 100:
        problems.append("count: 1 to 100")
        count = 1
    fights = str(data.get("fights") or "").strip()
    try:
        style_called(fights)
    except ValueError as error:
        problems.append(f"fights: {error}")
    sheet_data = cast("Mapping[str, Json]", data.get("sheet") or {})
    # Empty lists are the default, so they are left out.
    sheet = {key: value for key, value in sheet_data.items() if value != []}
    try:
        system.check_sheet(sheet, name or "the combatant", settings)
    except BadInput as bad:
        problems += [f"sheet.{problem}" for problem in bad.problems]
    if problems:
        raise BadInput(name or "combatant", tuple(problems))
    facing, directions = str(data.get("facing") or ""), directions_of(board)
    join = Join(
        name=name,
        id=base.id if base else "",
        side=str(data.get("side") or system.sides[0]),
        sheet=sheet,
        at=base.at if base else None,
        facing=directions.index(facing) if facing in directions else None,
        hidden=bool(data.get("hidden")),
        label=label,
        squad=base.squad if base else "",
        fights=fights,
    )
    return join, count


# The board


def board_text(board: AnyBoard | None) -> str:
    """A board as text to edit."""
    grid, zones = grid_board(board), zone_board(board)
    if grid is not None:
        cells = "" if grid.kind == _HEX else f" {grid.words[1]}"
        return f"{grid.cols} x {grid.rows}{cells}, {grid.scale:g} {grid.unit}"
    return ", ".join(zone.name for zone in zones.zones) if zones is not None else "none"


def with_board(draft: Encounter, board: AnyBoard | None) -> Encounter:
    """With another board. Places and facings that do not exist on it are removed."""
    joins = tuple(_moved_over(join, draft.board, board) for join in draft.joins)
    return replace(draft, board=board, joins=joins)


def _moved_over(join: Join, old: AnyBoard | None, new: AnyBoard | None) -> Join:
    before, after = grid_board(old), grid_board(new)
    at = join.at
    if at is not None and before is not None and after is not None:
        at = after.at(*before.offset_of(at))
    elif (before is None) != (after is None):
        at = None
    at = at if at is not None and new is not None and new.contains(at) else None
    facing, directions = direction_of(old, join.facing), directions_of(new)
    return replace(join, at=at, facing=directions.index(facing) if facing in directions else None)


def resize_board(
    board: AnyGrid | None, cols: int, rows: int, scale: float | None = None, unit: str = "", kind: str = ""
) -> AnyGrid:
    """A map of a size and kind, with the ground of another one as far as possible; a ValueError if out of range."""
    kind = kind or (board.kind if board is not None else _HEX)
    if board is None:
        return GRIDS[kind](cols, rows, 5.0 if scale is None else scale, unit or "ft")
    new_board = GRIDS[kind](cols, rows, board.scale if scale is None else scale, unit or board.unit)
    terrain = {new_board.at(*board.offset_of(place)): name for place, name in board.terrain.items()}
    terrain = {place: name for place, name in terrain.items() if new_board.contains(place)}
    return replace(new_board, terrain=terrain, legend=board.legend)


def read_board(text: str, board: AnyBoard | None) -> AnyBoard | None:
    """Read ``none``, ``16 x 12 squares, 2 m``, or names of zones, the rest as on the present board; else a BadInput."""
    if text.strip().lower() in ("", "none", "no"):
        return None
    match = _BOARD.fullmatch(text)
    try:
        if match is None:
            return board if text.strip() == board_text(board) else _zones_in_a_row(text)
        cols, rows, cells, scale, unit = match.groups()
        size = int(cols), int(rows), float(scale) if scale else None
        return any_board(resize_board(grid_board(board), *size, unit or "", _CELLS.get(cells, "")))
    except ValueError as error:
        raise BadInput("board", (f"{error}; accepted: none, 16 x 12, with 5 ft after it, or Hall, Yard",)) from None


def _zones_in_a_row(text: str) -> AnyBoard:
    names = [name.strip() for name in text.split(",")]
    if len(names) < 2 or not all(name[:1].isalpha() for name in names):
        raise ValueError(f"{text.strip()!r} is not a board")
    zones = tuple(Zone(name, at * ZONE_COLS, 0, ZONE_COLS, ZONE_ROWS) for at, name in enumerate(names))
    return any_board(ZoneBoard(zones, touching(zones)))


def cycled_board(board: AnyBoard | None, by: int) -> AnyBoard | None:
    """The next or previous board size; no board is one of them."""
    grid = grid_board(board)
    now = (grid.cols, grid.rows) if grid else None
    # From any other size, go to the smallest one, or to none.
    ring = (None, *SIZES) if now in (None, *SIZES) else (None, now, *SIZES)
    size = ring[(ring.index(now) + by) % len(ring)]
    return any_board(resize_board(grid, *size)) if size else None


def given_up(old: AnyBoard | None, new: AnyBoard | None) -> str:
    """What is drawn on a board and missing on another one, in words; empty for nothing."""
    if zone_board(old) is not None and zone_board(new) is None:
        return "the floor plan"
    before, after = grid_board(old), grid_board(new)
    if before is None:
        return ""
    lost_places = len(before.terrain) - (len(after.terrain) if after is not None else 0)
    name, several = before.words
    return f"the ground drawn on {lost_places} {name if lost_places == 1 else several}" if lost_places > 0 else ""


def cells_text(board: AnyBoard | None) -> str:
    """The word for the cells of a map; empty for other boards."""
    grid = grid_board(board)
    return grid.words[1] if grid is not None else ""


def cycled_cells(board: AnyBoard | None, by: int) -> AnyBoard | None:
    """The map with the next or previous kind of cells."""
    grid = grid_board(board)
    if grid is None:
        return board
    kinds = tuple(GRIDS)
    kind = kinds[(kinds.index(grid.kind) + by) % len(kinds)]
    return any_board(resize_board(grid, grid.cols, grid.rows, kind=kind))


def place(draft: Encounter, index: int, at: Location | None) -> Encounter:
    """With a combatant placed on the board, or off it; a BadInput if the place cannot be had."""
    if at is not None:
        board = draft.board
        if board is None or not board.contains(at):
            raise BadInput("place", ("that place is off the board",))
        name = board.name_of(at)
        if board.terrain_at(at).blocks:
            raise BadInput("place", (f"{name} is {board.terrain_at(at).name}; no one can stand there",))
        other = next((join for number, join in enumerate(draft.joins) if join.at == at and number != index), None)
        if other is not None and not board.holds_several:
            raise BadInput("place", (f"{name} is taken by {other.name}",))
    return replace_join(draft, index, replace(draft.joins[index], at=at))


def free_beside(draft: Encounter, at: Location) -> Location:
    """The nearest free place to one; the place itself if it holds several, or if none is free."""
    board = grid_board(draft.board)
    if board is None or not isinstance(at, board.cell):
        return at
    used_places = {join.at for join in draft.joins}
    if at not in used_places and board.cost_of(at) is not None:
        return at
    return next((place for place in places_around(board, at) if place not in used_places), at)


def list_unplaced(draft: Encounter) -> tuple[int, ...]:
    """The indexes of combatants without a place."""
    return tuple(index for index, join in enumerate(draft.joins) if join.at is None) if draft.board else ()


def auto_place(draft: Encounter, sides: tuple[str, ...]) -> Encounter:
    """With all combatants placed: the first side in the west facing east, the others in the east facing west."""
    board = grid_board(draft.board)
    if board is None:
        return _auto_zoned(draft, sides)
    used_places = {join.at for join in draft.joins}
    free = [at for at in board.places() if at not in used_places and not board.terrain_at(at).blocks]
    middle = board.rows // 2
    homes = {True: board.at(board.cols // 5, middle), False: board.at(board.cols - 1 - board.cols // 5, middle)}
    ways = {first: board.directions.index(name) for first, name in ((True, "E"), (False, "W"))}
    for index in list_unplaced(draft):
        command = draft.joins[index]
        first = (command.side or sides[0]) == sides[0]
        if not free:
            break
        home = homes[first]
        at = min(free, key=lambda here: (board.distance(here, home), board.offset_of(here)))
        free.remove(at)
        facing = command.facing if command.facing is not None else ways[first]
        draft = replace_join(draft, index, replace(command, at=at, facing=facing))
    return draft


def _auto_zoned(draft: Encounter, sides: tuple[str, ...]) -> Encounter:
    """With all combatants in zones: the first side in the first zone that can be entered, the others in the last."""
    board = zone_board(draft.board)
    free = [at for at in board.places() if not board.terrain_at(at).blocks] if board is not None else []
    for index in list_unplaced(draft) if free else ():
        command = draft.joins[index]
        first = (command.side or sides[0]) == sides[0]
        draft = replace_join(draft, index, replace(command, at=free[0] if first else free[-1]))
    return draft


# Settings


def setting_value(draft: Encounter, setting: Setting) -> Scalar:
    """The value of a setting: from the draft, from the user's own file, or its default."""
    return draft.settings.get(setting.key, draft.user_settings.get(setting.key, setting.default))


def with_setting(draft: Encounter, system: BaseSystem, key: str, value: Scalar) -> Encounter:
    """With a setting changed, and not kept if it is the default; a BadInput if the value will not do."""
    check_setting(system, key, value)
    default = draft.user_settings.get(key, next(setting.default for setting in system.settings if setting.key == key))
    settings = {name: other for name, other in draft.settings.items() if name != key}
    if value != default or type(value) is not type(default):
        settings[key] = value
    return replace(draft, settings=settings)


def next_value(setting: Setting, value: Scalar, by: int) -> Scalar:
    """The next or previous value of a setting: of its choices, or a number of at least 0."""
    choices = setting.choices or ((False, True) if isinstance(setting.default, bool) else ())
    if choices:
        at = choices.index(value) if value in choices else 0
        return choices[(at + by) % len(choices)]
    if isinstance(value, int | float):
        return max(0, value + by) if isinstance(value, int) else max(0.0, value + by)
    return value


def parse_value(setting: Setting, text: str) -> Scalar:
    """Read a typed value of a setting by its type; a BadInput says what would be accepted."""
    text = text.strip()
    if setting.choices:
        by_text = {str(choice).lower(): choice for choice in setting.choices}
        if text.lower() not in by_text:
            raise BadInput(setting.key, (f"accepted: {', '.join(by_text)}",))
        return by_text[text.lower()]
    kind = type(setting.default)
    if kind is str:
        return text
    try:
        return int(text) if kind is int else float(text)
    except ValueError:
        raise BadInput(setting.key, (f"{text[:40]!r} isn't a {'whole ' if kind is int else ''}number",)) from None


Part = Literal["fight", "combatants", "cues", "settings"]
PARTS: tuple[Part, ...] = ("fight", "combatants", "cues", "settings")
LONGEST_NAME = 200
PARAGRAPH = " // "
"""The sign for a new paragraph in a single line."""


@frozen
class SetupLine:
    """A line of the list; the key is a property of the fight, an index or ``add``, or the key of a setting."""

    part: Part
    key: str


@remembered
def setup_lines(draft: Encounter, system: BaseSystem) -> tuple[SetupLine, ...]:
    """The lines of everything that can be changed."""
    board = ("board", "cells") if cells_text(draft.board) else ("board",)
    fight = tuple(SetupLine("fight", key) for key in ("encounter", "system", "name", "seed", *board, "story"))
    combatants = tuple(SetupLine("combatants", str(index)) for index in range(len(draft.joins)))
    settings = tuple(SetupLine("settings", setting.key) for setting in system.settings)
    cues = tuple(SetupLine("cues", str(index)) for index in range(len(draft.cues)))
    return (*fight, *combatants, SetupLine("combatants", "add"), *cues, SetupLine("cues", "add"), *settings)


def check_name(text: str) -> str:
    """A name without the spaces around it; a BadInput if it is empty or too long."""
    if not 1 <= len(text.strip()) <= LONGEST_NAME:
        raise BadInput("name", (f"a name needs 1 to {LONGEST_NAME} letters",))
    return text.strip()


class SetupEditor:
    """Changes a draft, and takes changes back. `is_saved`: it is saved as it is, or contains nothing to save."""

    def __init__(self, draft: Encounter, source: str = "", is_saved: bool = True) -> None:
        self.desk = Desk(draft)
        self.cursor = 0
        self.source = source
        self._kept = draft if is_saved else None
        self._warned: tuple[int, Encounter] | None = None
        """A change of board that was warned of because it would lose something drawn."""
        self._preview: tuple[Encounter, FightState] | None = None

    @property
    def draft(self) -> Encounter:
        return self.desk.draft

    @property
    def system(self) -> BaseSystem:
        return find_system(self.draft.system)

    @property
    def is_kept(self) -> bool:
        """True if leaving loses nothing: the draft is as at first, or as saved last."""
        return self.draft == self._kept

    def preview(self) -> FightState:
        """The state in which the fight would begin; a BadInput or Refused if it could not."""
        if self._preview is None or self._preview[0] is not self.draft:
            self._preview = self.draft, start_fight(self.draft, id="preview", seed="1").state
        return self._preview[1]

    # The list

    @property
    def lines(self) -> tuple[SetupLine, ...]:
        return setup_lines(self.draft, self.system)

    @property
    def line(self) -> SetupLine:
        lines = self.lines
        return lines[min(self.cursor, len(lines) - 1)]

    @property
    def index(self) -> int | None:
        """The index of the current combatant; None on other lines."""
        return self._index_in("combatants")

    @property
    def cue_index(self) -> int | None:
        """The index of the current cue; None on other lines."""
        return self._index_in("cues")

    def _index_in(self, part: Part) -> int | None:
        return int(self.line.key) if self.line.part == part and self.line.key != "add" else None

    def cue_words(self) -> tuple[str, ...]:
        """Each cue's condition and outcome in words; just its name if they cannot be resolved yet."""
        try:
            state = self.preview()
        except (BadInput, Refused):
            return tuple(cue.name or "a cue" for cue in self.draft.cues)
        pairs = ((condition_words(self.system, state, cue.when), outcome_words(state, cue.then)) for cue in state.cues)
        return tuple(map(": ".join, pairs))

    @property
    def setting(self) -> Setting:
        """The current setting; None on other lines."""
        return next(setting for setting in self.system.settings if setting.key == self.line.key)

    def go(self, cursor: int) -> None:
        self.cursor = max(0, min(cursor, len(self.lines) - 1))

    def go_to_part(self, by: int) -> None:
        """Move the cursor to the first line of another section."""
        part = PARTS[(PARTS.index(self.line.part) + by) % len(PARTS)]
        self.go(next(index for index, line in enumerate(self.lines) if line.part == part))

    def go_to_combatant(self, index: int) -> None:
        self.go(self.lines.index(SetupLine("combatants", str(index))))

    # Changes; each returns what is wrong with it, or ""

    def change(self, work: Callable[[], Encounter]) -> str:
        try:
            self.desk = self.desk.change(work())
        except BadInput as bad:
            return "; ".join(bad.problems)
        except Refused as refused:
            return refused.message
        self.go(self.cursor)
        return ""

    def begin_with(self, work: Callable[[], Encounter]) -> str:
        """Begin with another draft. It counts as saved if nothing had been changed before."""
        was_kept = self.is_kept
        complaint = self.change(work)
        if was_kept and not complaint:
            self._kept = self.draft
        return complaint

    def keep(self, draft: Encounter) -> None:
        """Note that a draft has been saved."""
        self.desk = self.desk.change(draft)
        self._kept = draft

    def undo(self) -> None:
        self.desk = self.desk.undo()
        self.go(self.cursor)

    def redo(self) -> None:
        self.desk = self.desk.redo()
        self.go(self.cursor)

    def change_combatant(self, change: Callable[[Encounter, int], Encounter]) -> str:
        index = self.index
        return self.change(lambda: change(self.draft, index)) if index is not None else ""

    def add_cue(self, cue: SetCue) -> str:
        def with_cue() -> Encounter:
            draft = replace(self.draft, cues=(*self.draft.cues, cue))
            start_fight(draft, id="preview", seed="1")
            return draft

        return self.change(with_cue)

    def remove_cue(self) -> str:
        cues = tuple(cue for index, cue in enumerate(self.draft.cues) if index != self.cue_index)
        return self.change(lambda: replace(self.draft, cues=cues))

    def board_warning(self, by: int) -> str:
        """The warning of what another board would lose; empty if nothing, or the second time."""
        loss, last_warning = given_up(self.draft.board, self._next_board(by)), self._warned
        self._warned = None
        if not loss or last_warning == (by, self.draft):
            return ""
        self._warned = by, self.draft
        return f"{loss.capitalize()} would be lost; press again to confirm"

    def change_board(self, by: int) -> str:
        """Switch to the next size of the board, or the next kind of its cells."""
        return self.change(lambda: with_board(self.draft, self._next_board(by)))

    def _next_board(self, by: int) -> AnyBoard | None:
        cycle = cycled_board if self.line.key == "board" else cycled_cells
        return cycle(self.draft.board, by)

    def cycle_setting(self, by: int) -> str:
        setting = self.setting
        value = next_value(setting, setting_value(self.draft, setting), by)
        return self.change(lambda: with_setting(self.draft, self.system, setting.key, value))

    def type_setting(self, text: str) -> str:
        setting = self.setting
        if text == first_line(str(setting_value(self.draft, setting))):
            return ""

        def with_value() -> Encounter:
            value = value_from(setting, parse_value(setting, text), Path())
            return with_setting(self.draft, self.system, setting.key, value)

        return self.change(with_value)

    def type_fight(self, key: str, text: str) -> str:
        """Set a property of the fight from typed text: ``name``, ``seed``, ``board`` or ``story``."""

        def with_text() -> Encounter:
            if key == "name":
                return replace(self.draft, name=check_name(text))
            if key == "seed":
                if len(text.strip()) > LONGEST_NAME:
                    raise BadInput("seed", (f"a seed has at most {LONGEST_NAME} letters",))
                return replace(self.draft, seed=text.strip() or None)
            if key == "board":
                return with_board(self.draft, read_board(text, self.draft.board))
            return replace(self.draft, story=text.strip().replace(PARAGRAPH, "\n\n"))

        return self.change(with_text)

    def take_form(self, index: int | None, form: Form) -> Form | None:
        """Apply the form of a combatant, or with None a new one. Returns the form with its errors; None if applied."""
        data, errors = form.data()
        draft = self.draft
        base = draft.joins[index] if index is not None else None
        try:
            settings = {**draft.user_settings, **draft.settings}
            join, count = join_of(data, self.system, base, draft.board, settings)
            draft = add(draft, join, count) if index is None else replace_join(draft, index, join)
            start_fight(draft, id="preview", seed="1")
        except BadInput as bad:
            errors = error_places(bad.problems) | errors
        except Refused as refused:
            errors = {(refused.rule,): refused.message} | errors
        if errors:
            return form.with_errors(errors)
        first_new = len(self.draft.joins)
        self.desk = self.desk.change(draft)
        self.go_to_combatant(first_new if index is None else index)
        return None
