"""What a combatant brought to the fight, read off the sheet: numbers, weapons, abilities, and what the GM noted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import Json

NAMELESS = ("name", "note", "secret")
"""Fields that are not said among the others of a thing."""
TITLES = {"strikes": "Weapons", "dar": "DAR"}


def sheet_sections(sheet: Mapping[str, Json], told: Sequence[Section] = ()) -> tuple[Section, ...]:
    """The sheet in headings and lines, what is unsaid or empty left out.

    Args:
        sheet: as its system has read it.
        told: sections that already tell of some of it; a list is not told again under the things it names.
    """
    named = {detail.name for section in told for detail in section.details}
    found = [Section("Note", (Detail("GM", str(sheet["note"])),))] if sheet.get("note") else []
    scalars = ", ".join(_fields({key: value for key, value in sheet.items() if _is_plain(value)}))
    maps = tuple(
        Detail(_words(key), ", ".join(_fields(value)))
        for key, value in sheet.items()
        if isinstance(value, Mapping) and any(True for _ in _fields(value))
    )
    for key, value in sheet.items():
        things = _things(value) if isinstance(value, list | tuple) else ()
        if things and not {thing.name for thing in things} <= named:
            found.append(Section(_title(key), things))
    numbers = (*((Detail("numbers", scalars),) if scalars else ()), *maps)
    return (*found, Section("Sheet", numbers)) if numbers else tuple(found)


def _things(things: Sequence[Json]) -> tuple[Detail, ...]:
    found = []
    for thing in things:
        if isinstance(thing, Mapping):
            name = str(thing.get("name") or thing.get("type") or "")
            more = [*_fields(thing), *([str(thing["note"])] if thing.get("note") else [])]
            is_secret = thing.get("secret") is True
            text = ", ".join([*(["SECRET"] if is_secret else []), *more]) or "as usual"
            found.append(Detail(name, text, tone="warn" if is_secret else "plain"))
        elif thing not in (None, ""):
            found.append(Detail("", str(thing)))
    return tuple(found)


def _fields(thing: Mapping[str, Json]) -> Iterator[str]:
    """``needs 12``, ``damage d6``: each field that says anything; a truth is said by its name alone."""
    for key, value in thing.items():
        if key in NAMELESS or not _is_plain(value):
            if isinstance(value, list | tuple) and value:
                yield f"{_words(key)} {' '.join(map(str, value))}"
            continue
        yield _words(key) if value is True else _said(value) if key == "kind" else f"{_words(key)} {_said(value)}"


def _is_plain(value: Json) -> bool:
    """Whether a value is one that says something by itself."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is True or (is_number and value != 0) or (isinstance(value, str) and value != "")


def _said(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _words(key: str) -> str:
    return TITLES.get(key, key.upper() if len(key) == 3 and key.isalpha() else key.replace("_", " "))


def _title(key: str) -> str:
    return TITLES.get(key, key.replace("_", " ").capitalize())
