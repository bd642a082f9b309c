"""Writing an encounter as a readable file that reads back the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from string import ascii_uppercase

from fightcall_engine.archive.encounter_file import COUNT_SUFFIX, Encounter
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.kinds import AnyGrid, direction_of, grid_board, zone_board
from fightcall_engine.board.maps import draw_map
from fightcall_engine.board.plain import is_symbol
from fightcall_engine.board.plans import Passage, draw_plan
from fightcall_engine.board.terrain import OPEN, Terrain
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import BadInput

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SYMBOLS = "#~^*%&+=:!?$<>/\\|" + ascii_uppercase + ascii_uppercase.lower() + "0123456789"


_NOTES = {
    "hex": "The ground: one character a hex, every other row half a hex to the right. A dot is open ground.",
    "square": "The ground: one character a square. A dot is open ground.",
    "zone": "The floor plan: each zone is a filled rectangle of its character.",
    "combatants": 'Who fights. Several like ones: name = "Goblin x3", or count = 3.',
    "settings": "How the rules are read in this fight; what is left out is as usual.",
}
"""Comments of a file, for readers in a text editor."""


def encounter_to_toml(encounter: Encounter, stem: str = "") -> str:
    """The text of an encounter file, from which `read_encounter` reads an equal encounter.

    None values of sheets and settings are left out, because TOML has none; a `Join.count` is written out.

    Args:
        encounter: the encounter to write.
        stem: the file's name without suffix, to write explanatory comments; empty for none.

    Raises:
        BadInput: a value has no TOML form, or the board has more kinds of ground than there are symbols.
    """

    def note(part: str) -> list[str]:
        return [f"# {_NOTES[part]}"] if stem and part in _NOTES else []

    head = [f"# An encounter for Fight Call. Play it with: fightcall play {stem}", ""] if stem else []
    lines = [*head, f"name = {text(encounter.name)}", f"system = {text(encounter.system)}"]
    if encounter.seed is not None:
        lines.append(f"seed = {text(encounter.seed)}")
    if encounter.minutes is not None:
        lines.append(f"minutes = {encounter.minutes}")
    if encounter.story:
        lines.append(f"story = {long_text(encounter.story)}")
    if encounter.settings:
        lines += ["", *note("settings"), "[settings]", *_settings(encounter)]
    if encounter.board is not None:
        lines += ["", *note(encounter.board.kind), *board_block(encounter.board)]
    written: list[Join] = []
    for joins in like_runs(encounter.joins):
        lines += ["", *(note("combatants") if not written else ()), *block_of(joins, encounter.board, written)]
        written += joins
    for cue in encounter.cues:
        lines += ["", *cue_block(cue)]
    return "\n".join(lines) + "\n"


# TOML values


def text(value: str) -> str:
    """A TOML string on one line."""
    return '"' + "".join(_escape_letter(letter, "") for letter in value) + '"'


def long_text(value: str) -> str:
    """A TOML string, in the multi-line form if the value has several lines."""
    if "\n" not in value:
        return text(value)
    plain = "".join(_escape_letter(letter, '\n"\t') for letter in value)
    return '"""\n' + re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes.group()), plain) + '"""'


def _escape_letter(letter: str, plain: str) -> str:
    if letter in plain:
        return letter
    if letter in '"\\':
        return "\\" + letter
    if ord(letter) < 0x20 or ord(letter) == 0x7F:
        return f"\\u{ord(letter):04X}"
    return letter


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else text(key)


def value_text(value: object, where: str) -> str:
    """A value as TOML writes it.

    Raises:
        BadInput: the value has no TOML form; `where` names it in the message.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inside = ", ".join(_pairs(value, where))
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(item, where) for item in value) + "]"
    raise BadInput(where, (f"{value!r} cannot be written; accepted: text, numbers, true, false, lists and tables",))


def _pairs(values: Mapping[str, object], where: str) -> Iterator[str]:
    for key, value in values.items():
        if value is not None:
            yield f"{_key(str(key))} = {value_text(value, f'{where}.{key}')}"


def _settings(encounter: Encounter) -> Iterator[str]:
    """The lines of settings, with long texts over several lines."""
    for key, value in encounter.settings.items():
        if isinstance(value, str) and "\n" in value:
            yield f"{_key(key)} = {long_text(value)}"
        else:
            yield from _pairs({key: value}, "settings")


# The board


def board_block(board: AnyBoard) -> Iterator[str]:
    """The lines of a board."""
    yield "[board]"
    if board.kind != HexBoard.kind:
        yield f"kind = {text(board.kind)}"
    scale = float(board.scale)
    yield f"scale = {int(scale) if scale.is_integer() else repr(scale)}"
    yield f"unit = {text(board.unit)}"
    grid, zones = grid_board(board), zone_board(board)
    if grid is not None:
        yield from _grid(grid)
    if zones is not None:
        yield from _zones(zones)


def _drawing(drawing: str) -> Iterator[str]:
    """A map as a literal string, in which backslashes are kept."""
    quotes = "'''" if "'''" not in drawing else '"""'
    yield f"map = {quotes}"
    yield drawing if quotes == "'''" else drawing.replace("\\", "\\\\").replace('"', '\\"')
    yield quotes


def _zones(board: ZoneBoard) -> Iterator[str]:
    drawing, symbols, passages = draw_plan(board)
    yield from _drawing(drawing)
    yield ""
    yield "[board.zones]"
    yield from (f"{_key(symbol)} = {zone_text(zone)}" for symbol, zone in symbols.items())
    yield from border_blocks(passages)


def zone_text(zone: Zone) -> str:
    """A zone as an entry of the legend."""
    ground = {key: value for key, value in zone.ground.to_json().items() if key != "glyph"}
    return value_text({"name": zone.name, **ground}, "board.zones")


def border_blocks(passages: Iterable[Passage]) -> Iterator[str]:
    """The blocks of borders that a floor plan cannot show: doors, walls, and passages between distant zones."""
    for passage in passages:
        yield ""
        yield "[[board.border]]"
        yield f"between = {value_text([passage.a, passage.b], 'board.border')}"
        if not passage.joined:
            yield "joined = false"
        if passage.blocks_sight:
            yield "blocks_sight = true"


def _grid(board: AnyGrid) -> Iterator[str]:
    symbols = _symbols(board)
    yield from _drawing(draw_map(board, symbols))
    if symbols:
        yield ""
        yield "[board.legend]"
        yield from (f"{_key(symbol)} = {ground_text(symbol, ground)}" for symbol, ground in symbols.items())


def _symbols(board: AnyGrid) -> dict[str, Terrain]:
    """A symbol for each kind of ground: its glyph if that is free, else another one."""
    symbols: dict[str, Terrain] = {}
    glyphs = {ground.glyph for ground in board.legend.values()}
    for ground in board.legend.values():
        symbols[free_symbol(ground.glyph, symbols, glyphs)] = ground
    return symbols


def free_symbol(glyph: str, used_symbols: Collection[str], glyphs: Collection[str] = ()) -> str:
    """A free symbol for a kind of ground: its glyph, else one that is not another ground's glyph.

    Raises:
        BadInput: all symbols are taken.
    """
    if glyph not in used_symbols and glyph != OPEN.glyph and is_symbol(glyph):
        return glyph
    spare = next((symbol for symbol in _SYMBOLS if symbol not in used_symbols and symbol not in glyphs), None)
    if spare is None:
        raise BadInput("board", ("more kinds of ground than symbols to draw them with",))
    return spare


def ground_text(symbol: str, ground: Terrain) -> str:
    """A kind of ground as an entry of the legend."""
    values: dict[str, object] = {"name": ground.name, **ground.to_json()}
    values.pop("glyph", None)
    if ground.glyph != symbol:
        values["glyph"] = ground.glyph
    return value_text(values, "board.legend")


# Combatants


def block_of(joins: tuple[Join, ...], board: AnyBoard | None, before: Iterable[Join]) -> Iterator[str]:
    """The lines of the table of one combatant, or of several that `like_runs` put together.

    Args:
        joins: the combatants.
        board: the board of their places; None for none.
        before: the combatants earlier in the file.
    """
    first = joins[0]
    several = len(joins) > 1
    name = _stem(first.name) if several else first.name
    yield "[[combatant]]"
    yield f"name = {text(name)}"
    if several or COUNT_SUFFIX.fullmatch(name):
        yield f"count = {len(joins)}"
    for key, value in (("id", first.id), ("side", first.side), ("label", first.label)):
        if value:
            yield f"{key} = {text(value)}"
    if first.squad != squad_of(first.id or name, len(joins), before):
        yield f"squad = {text(first.squad)}"
    places = [text(board.name_of(join.at)) for join in joins if board is not None and join.at is not None]
    if places:
        yield f"at = [{', '.join(places)}]" if several else f"at = {places[0]}"
    if facing := direction_of(board, first.facing):
        yield f"facing = {text(facing)}"
    if first.hidden:
        yield "hidden = true"
    if any(value is not None for value in first.sheet.values()):
        yield from _sheet(first.sheet)


def _sheet(sheet: Mapping[str, object]) -> Iterator[str]:
    yield "[combatant.sheet]"
    for key, value in sheet.items():
        if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) for item in value):
            yield f"{_key(key)} = ["
            yield from (f"  {value_text(item, key)}," for item in value)
            yield "]"
        else:
            yield from _pairs({key: value}, "sheet")


def cue_block(cue: SetCue) -> Iterator[str]:
    """The lines of a cue."""
    yield "[[cue]]"
    for key, value in (("id", cue.id), ("name", cue.name)):
        if value:
            yield f"{key} = {text(value)}"
    yield f"when = {value_text(cue.when, 'cue.when')}"
    yield f"then = {value_text(cue.then, 'cue.then')}"
    if cue.each_time:
        yield "each_time = true"


def like_runs(joins: tuple[Join, ...]) -> Iterator[tuple[Join, ...]]:
    """Runs of numbered combatants that only differ in number and place, to be written as one table."""
    single: list[Join] = []
    for join in joins:
        single += _one_by_one(join, single)
    while single:
        run = 1
        stem = _stem(single[0].name) if single[0].name.endswith(" 1") else ""
        while stem.strip() and run < len(single) and _continues(single[0], single[run], f"{stem} {run + 1}"):
            run += 1
        yield tuple(single[:run])
        single = single[run:]


def _stem(name: str) -> str:
    return name.rpartition(" ")[0]


def _continues(first: Join, next_one: Join, name: str) -> bool:
    same = replace(first, name=name, at=next_one.at)
    return next_one == same and (first.at is None) == (next_one.at is None) and not first.id and not first.label


def _one_by_one(join: Join, before: Iterable[Join]) -> Iterator[Join]:
    if join.count == 1:
        yield join
        return
    squad = join.squad or squad_of(join.id or join.name, join.count, before)
    for number in range(1, join.count + 1):
        yield replace(
            join,
            name=f"{join.name} {number}",
            id=f"{join.id}-{number}" if join.id else "",
            at=join.at if number == 1 else None,
            label="",
            count=1,
            squad=squad,
        )
