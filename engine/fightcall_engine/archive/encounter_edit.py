"""Editing an encounter's file in place, preserving comments, order and spacing.

Values that differ are changed in place with tomlkit; blocks of combatants are inserted and removed as lines. The result
is read back; if it is not equal to the encounter, the file is rewritten instead.
"""

from __future__ import annotations

import pathlib
from collections.abc import MutableMapping
from dataclasses import replace

import tomlkit
from tomlkit.exceptions import TOMLKitError

from fightcall_engine.archive.encounter_blocks import block_at, cut_block, insert_block, splice_blocks
from fightcall_engine.archive.encounter_board import edit_board, with_board, without_board
from fightcall_engine.archive.encounter_combatants import edit_combatants
from fightcall_engine.archive.encounter_file import Encounter, read_encounter
from fightcall_engine.archive.encounter_tables import Table, Unwritable, drop, put
from fightcall_engine.archive.encounter_text import board_block, cue_block, encounter_to_toml, long_text, value_text
from fightcall_engine.files.toml_lines import Lines
from fightcall_engine.model.errors import BadInput

LARGEST_EDITED = 200_000
"""The largest file in characters that is edited in place; larger ones are rewritten, as tomlkit would take too long."""


def edit_encounter(
    text: str, after: Encounter, folder: pathlib.Path | None = None, setting_folder: pathlib.Path | None = None
) -> str:
    """The text of an encounter's file after changes, with as few changed lines as possible.

    Args:
        text: the present text.
        after: the changed encounter.
        folder: the folder of files that it refers to.
        setting_folder: the user's folder of setting files.

    Raises:
        BadInput: the file cannot be read, or TOML cannot hold a value.
    """
    before = read_encounter(text, "encounter", folder, setting_folder)
    if _is_same(before, after):
        return text
    try:
        new_text = edit_in_place(text, before, after)
        if _is_same(read_encounter(new_text, "encounter", folder, setting_folder), after):
            return new_text
    except (Unwritable, TOMLKitError, BadInput, ValueError, TypeError, RecursionError):
        # An unexpected form, such as tables within lists: rewrite the file, so that nothing is lost.
        pass
    return encounter_to_toml(after)


def _is_same(first: Encounter, other: Encounter) -> bool:
    return replace(first, user_settings={}) == replace(other, user_settings={})


def edit_in_place(text: str, before: Encounter, after: Encounter) -> str:
    """The text with the differences between two encounters applied, not yet read back.

    Raises:
        Unwritable: the file is too large, or in a form that cannot be edited.
        TOMLKitError, BadInput: likewise.
    """
    if len(text) > LARGEST_EDITED:
        raise Unwritable("too large")
    document = tomlkit.parse(text)
    _edit_head(document, before, after)
    is_other_board = not edit_board(document, before.board, after.board)
    blocks = edit_combatants(document, before, after)
    new_text = _edit_cues(splice_blocks(tomlkit.dumps(document), blocks), before, after)
    if is_other_board:
        new_text = without_board(new_text)
        new_text = new_text if after.board is None else with_board(new_text, "\n".join(board_block(after.board)))
    if after.settings and not before.settings and "settings" not in document:
        lines = encounter_to_toml(replace(after, name="x", story="", seed=None, board=None, joins=())).split("\n")
        new_text = new_text.rstrip("\n") + "\n\n" + "\n".join(lines[lines.index("[settings]") :])
    return new_text


# Name, seed, minutes, story, settings


def _edit_head(document: Table, before: Encounter, after: Encounter) -> None:
    if after.name != before.name:
        put(document, "name", value_text(after.name, "name"))
    if after.system != before.system:
        put(document, "system", value_text(after.system, "system"))
    if after.seed is None:
        drop(document, "seed")
    elif after.seed != before.seed:
        put(document, "seed", value_text(after.seed, "seed"))
    if after.minutes is None:
        drop(document, "minutes")
    elif after.minutes != before.minutes:
        put(document, "minutes", value_text(after.minutes, "minutes"))
    if not after.story:
        drop(document, "story")
    elif after.story != before.story:
        put(document, "story", long_text(after.story))
    settings = document.get("settings")
    if isinstance(settings, MutableMapping):
        for key in set(before.settings) - set(after.settings):
            drop(settings, key)
        for key, value in after.settings.items():
            if key not in before.settings or _differs(before.settings[key], value):
                put(settings, key, long_text(value) if isinstance(value, str) else value_text(value, "settings"))


def _differs(first: object, other: object) -> bool:
    return first != other or type(first) is not type(other)


def _edit_cues(text: str, before: Encounter, after: Encounter) -> str:
    """Remove the blocks of dropped cues, and append those of new ones."""
    removed = [number for number, cue in enumerate(before.cues) if cue not in after.cues]
    new = [cue for cue in after.cues if cue not in before.cues]
    if removed:
        lines, where = text.split("\n"), Lines(text)
        for block in reversed([block_at(where, lines, ("cue", number)) for number in removed]):
            lines = cut_block(lines, block)
        text = "\n".join(lines)
    for cue in new:
        text = "\n".join(insert_block(text.split("\n"), None, tuple(cue_block(cue))))
    return text
