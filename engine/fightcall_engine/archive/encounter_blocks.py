"""Removing and inserting blocks of an encounter's file: tables with the comments above them."""

from __future__ import annotations

from collections.abc import Sequence

from fightcall_engine.archive.encounter_tables import Unwritable
from fightcall_engine.files.toml_lines import Lines, Path
from fightcall_engine.model.values import frozen


@frozen
class Splice:
    """The change of a combatant's block.

    Attributes:
        number: the index of the table in the file; -1 for the position before all of them.
        gone: remove its lines.
        after: blocks to insert after it.
    """

    number: int
    gone: bool = False
    after: tuple[tuple[str, ...], ...] = ()


def splice_blocks(text: str, splices: Sequence[Splice]) -> str:
    """Remove and insert blocks, from the end on, so that line numbers stay valid."""
    lines = text.split("\n")
    if not any(splice.gone or splice.after for splice in splices):
        return text
    ranges = blocks_of_combatants(text, len(splices) - 1)
    for splice in reversed(splices):
        if splice.number < 0:
            start = with_comments(lines, ranges[0].start) if ranges and not splices[-1].number < 0 else None
            for block in reversed(splice.after):
                lines = insert_block(lines, start, block)
            continue
        line_range = ranges[splice.number]
        for new_block in reversed(splice.after):
            lines = insert_block(lines, line_range.stop, new_block)
        if splice.gone:
            lines = cut_block(lines, line_range)
    return "\n".join(lines)


def cut_block(lines: list[str], block: range) -> list[str]:
    """Remove a block with the comment above it and the blank lines after it (at the end of the file, before it)."""
    start, stop = with_comments(lines, block.start), block.stop
    while stop < len(lines) - 1 and not lines[stop].strip():
        stop += 1
    if stop >= len(lines) - 1:
        while start > 0 and not lines[start - 1].strip():
            start -= 1
        stop = min(stop, len(lines) - 1)
    return [*lines[:start], *lines[stop:]]


def insert_block(lines: list[str], at: int | None, block: Sequence[str]) -> list[str]:
    """Insert a block before a line, or at the end, separated by blank lines."""
    if at is None:
        while lines and not lines[-1].strip():
            lines.pop()
        return [*lines, "", *block, ""]
    if at < len(lines) and lines[at - 1].strip():
        return [*lines[:at], "", *block, *lines[at:]]
    return [*lines[:at], *block, "", *lines[at:]]


def blocks_of_combatants(text: str, count: int) -> list[range]:
    """The lines of each combatant's table."""
    lines, where = text.split("\n"), Lines(text)
    blocks = [block_at(where, lines, ("combatant", number)) for number in range(count)]
    if not all(lines[block.start].lstrip().startswith("[[") for block in blocks):
        raise Unwritable("combatants are no tables of their own")
    return blocks


def block_at(where: Lines, lines: Sequence[str], path: Path) -> range:
    """The lines of a table, from its header to the last line that is neither blank nor a comment."""
    start = where.find(path) - 1
    stop = where.next_after(path, len(lines) + 1) - 1
    while not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    return range(start, stop)


def with_comments(lines: Sequence[str], start: int) -> int:
    """The first of the comment lines directly above a line."""
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start
