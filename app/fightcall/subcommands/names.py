"""Finding the fight or encounter that a user names: by id, part of a name, ``last``, or path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from fightcall.paths import Paths
from fightcall.subcommands.output import Unusable

LAST = "last"
"""The name of the fight that was played last."""

JOURNAL, ENCOUNTER = ".jsonl", ".toml"
_MOST_LISTED = 8


def journals(paths: Paths) -> dict[str, Path]:
    """The journals of all fights in use by id, the latest first."""
    files = (paths.library / "fights").glob(f"[!.]*{JOURNAL}")
    return {path.stem: path for path in sorted(files, key=_when_written, reverse=True)}


def find_fight(name: str, paths: Paths) -> Path:
    """The journal of the fight with a name.

    The library is only opened if `name` is no path, no id and not `LAST`, so that these work even if it is damaged.

    Raises:
        Unusable: there is none, or several; lists the candidates.
        LibraryDamaged, LibraryTooNew: the name cannot be looked up.
    """
    if is_journal_path(name):
        if not Path(name).is_file():
            raise Unusable(f"{name}: file not found")
        return Path(name)
    found_paths = journals(paths)
    if name in found_paths:
        return found_paths[name]
    if not found_paths:
        raise Unusable(f"no fight {name!r}: there are no fights yet. Start one with: fightcall play a-first-fight")
    if name == LAST:
        return next(iter(found_paths.values()))
    from fightcall.shelf import Shelf

    names = {card.id: card.name for card in Shelf(paths).library.fights() if card.id in found_paths}
    matches = match_names(name, names)
    if len(matches) == 1:
        return found_paths[matches[0]]
    if matches:
        list_text = _format_list(f"{name}  ({names[name]})" for name in matches)
        raise Unusable(f"{name!r} matches {len(matches)} fights; use an id:\n{list_text}")
    near = nearest(name, names)
    if near:
        list_text = _format_list(f"{name}  ({names.get(name, name)})" for name in near)
        raise Unusable(f"no fight {name!r}; did you mean:\n{list_text}")
    raise Unusable(f"no fight {name!r}; to list all fights: fightcall list")


def match_names(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights with this name; else of those whose name or id contains the words."""
    folded_query = query.casefold().strip()
    same = [text for text, name in names.items() if name.casefold().strip() == folded_query]
    if same or not folded_query:
        return same
    return [text for text, name in names.items() if folded_query in name.casefold() or folded_query in text]


def nearest(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights whose name or id is similar."""
    text_by_name: dict[str, str] = {}
    for text, name in names.items():
        text_by_name.setdefault(text, text)
        text_by_name.setdefault(name.casefold(), text)
    near = get_close_matches(query.casefold(), text_by_name, n=3, cutoff=0.5)
    return list(dict.fromkeys(text_by_name[word] for word in near))


def is_encounter(name: str, paths: Paths) -> bool:
    """Whether `name` is an encounter's path, its exact name, or its file name."""
    if Path(name).suffix == ENCOUNTER or os.sep in name:
        return True
    from fightcall_engine.archive.encounters import normalize_name

    plain_name, names = normalize_name(name), encounter_names(paths)
    return any(plain_name in (normalize_name(stem), normalize_name(title)) for stem, title in names.items())


def encounter_names(paths: Paths) -> dict[str, str]:
    """All encounters, the user's own first: the file name without its ending, and the name in it."""
    from fightcall_engine.archive.encounters import find_encounters, shipped_encounters

    names: dict[str, str] = {}
    for file in (*find_encounters([paths.encounters]), *shipped_encounters()):
        names.setdefault(file.path.stem, file.name)
    return names


def is_journal_path(name: str) -> bool:
    """Whether `name` is the path of a journal, or of one set aside by a repair."""
    return JOURNAL in Path(name).name


def _format_list(lines: Iterable[str]) -> str:
    every = [f"  {line}" for line in lines]
    more = [f"  ... and {len(every) - _MOST_LISTED} more"] if len(every) > _MOST_LISTED else []
    return "\n".join(every[:_MOST_LISTED] + more)


def _when_written(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name
