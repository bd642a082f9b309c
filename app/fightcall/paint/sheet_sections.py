"""Sections for a combatant's sheet: numbers, weapons, abilities and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import Json

NAMELESS = ("name", "note", "secret")
"""Fields that are left out of an entry's text."""
FEET = "_ft"
"""The suffix of fields with a length in feet."""
TITLES = {"strikes": "Weapons", "dar": "DAR"}


Needed = Callable[[int], str]
"""The roll that a weapon's number asks for, in words."""


def sheet_sections(
    sheet: Mapping[str, Json], own_sections: Sequence[Section] = (), needed_words: Needed = str
) -> tuple[Section, ...]:
    """A sheet as sections, without empty values.

    Args:
        sheet: the sheet, as read by its system.
        own_sections: the system's sections; lists that these already show are left out.
        needed_words: the roll that a weapon's number asks for, in words.
    """
    detail_names = {detail.name for section in own_sections for detail in section.details}
    sections = [Section("Note", (Detail("GM", str(sheet["note"])),))] if sheet.get("note") else []
    scalars = ", ".join(_fields({key: value for key, value in sheet.items() if _is_plain(value)}, needed_words))
    fields = {
        key: ", ".join(_fields(value, needed_words)) for key, value in sheet.items() if isinstance(value, Mapping)
    }
    maps = tuple(Detail(_words(key), text) for key, text in fields.items() if text)
    for key, value in sheet.items():
        things = _things(value, needed_words) if isinstance(value, list | tuple) else ()
        if things and not {thing.name for thing in things} <= detail_names:
            sections.append(Section(_title(key), things))
    numbers = (*((Detail("numbers", scalars),) if scalars else ()), *maps)
    return (*sections, Section("Sheet", numbers)) if numbers else tuple(sections)


def _things(things: Sequence[Json], needed_words: Needed) -> tuple[Detail, ...]:
    details = []
    for thing in things:
        if isinstance(thing, Mapping):
            name = str(thing.get("name") or "")
            if not name and "type" in thing:
                name = _value_text(thing["type"])
                thing = {key: value for key, value in thing.items() if key != "type"}
            more = [*_fields(thing, needed_words), *([str(thing["note"])] if thing.get("note") else [])]
            is_secret = thing.get("secret") is True
            text = ", ".join([*(["SECRET"] if is_secret else []), *more]) or "as usual"
            details.append(Detail(name, text, tone="warn" if is_secret else "plain"))
    if words := ", ".join(_value_text(thing) for thing in things if isinstance(thing, str) and thing):
        details.append(Detail("", words))
    return tuple(details)


def _fields(thing: Mapping[str, Json], needed_words: Needed) -> Iterator[str]:
    """The non-empty fields in words: ``needs 12 or less on d20``, ``damage d6``; a true boolean as its name."""
    for key, value in thing.items():
        if key in NAMELESS or not _is_plain(value):
            if isinstance(value, list | tuple) and value:
                yield f"{_words(key)} {' '.join(map(_value_text, value))}"
        elif key == "needs" and isinstance(value, int):
            dice = f" on {thing['dice']}" if thing.get("dice") else ""
            yield f"needs {needed_words(value)}{dice}"
        elif key == "dice" and "needs" in thing:
            continue
        elif key.endswith(FEET):
            yield f"{_words(key.removesuffix(FEET))} {_value_text(value)} ft"
        else:
            yield (
                _words(key)
                if value is True
                else _value_text(value)
                if key == "kind"
                else f"{_words(key)} {_value_text(value)}"
            )


def _is_plain(value: Json) -> bool:
    """Whether a value is not empty and not nested."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is True or (is_number and value != 0) or (isinstance(value, str) and value != "")


def _value_text(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def _words(key: str) -> str:
    return TITLES.get(key, key.upper() if len(key) == 3 and key.isalpha() else key.replace("_", " "))


def _title(key: str) -> str:
    return TITLES.get(key, key.replace("_", " ").capitalize())
