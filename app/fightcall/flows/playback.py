"""The position and the speed of a replay, and where each kind of step stops. Pure.

A position is a number of events: 0 is the beginning, ``len(line)`` the present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal

from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import RoundBegan, StepBegan
from fightcall_engine.model.values import frozen
from fightcall_engine.play.history import Mark
from fightcall_engine.play.timeline import Timeline

Stop = Literal["event", "entry", "step", "phase", "round", "actor"]

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
SECONDS_PER_EVENT = 1.0
"""The time per event at speed 1."""


def _is_at_entry(line: Timeline, position: int) -> bool:
    return line.span(line.entry_at(position))[1] == position


def _is_at_step(line: Timeline, position: int) -> bool:
    return isinstance(line.event(position - 1), StepBegan)


def _is_at_round(line: Timeline, position: int) -> bool:
    return isinstance(line.event(position - 1), RoundBegan)


def _is_at_phase(line: Timeline, position: int) -> bool:
    began = line.event(position - 1)
    if not isinstance(began, StepBegan):
        return False
    for index in range(position - 2, -1, -1):
        before = line.event(index)
        if isinstance(before, StepBegan):
            return before.phase != began.phase
        if isinstance(before, RoundBegan):
            return True
    return True


def _actor(line: Timeline, entry: int) -> str:
    """The actor of an entry: its command's `who`; empty for the GM."""
    return str(line.entry(entry).command.get("who") or "")


def _is_at_actor(line: Timeline, position: int) -> bool:
    if not _is_at_entry(line, position):
        return False
    entry = line.entry_at(position)
    actor = _actor(line, entry)
    if not actor:
        return False
    before = next((combatant_id for index in range(entry - 1, -1, -1) if (combatant_id := _actor(line, index))), "")
    return before != actor


_STOPS: Mapping[Stop, Callable[[Timeline, int], bool]] = {
    "event": lambda line, position: True,
    "entry": _is_at_entry,
    "step": _is_at_step,
    "phase": _is_at_phase,
    "round": _is_at_round,
    "actor": _is_at_actor,
}


def is_stop(line: Timeline, position: int, stop: Stop) -> bool:
    """Whether a kind of step stops at a position. All stop at the beginning and at the present."""
    return position in (0, len(line)) or _STOPS[stop](line, position)


def onward(line: Timeline, position: int, stop: Stop) -> int:
    """The next position where a kind of step stops, at the latest the present."""
    return next((at for at in range(position + 1, len(line)) if is_stop(line, at, stop)), len(line))


def backward(line: Timeline, position: int, stop: Stop) -> int:
    """The previous position where a kind of step stops, at the earliest the beginning."""
    return next((at for at in range(position - 1, 0, -1) if is_stop(line, at, stop)), 0)


def end_of_entry(line: Timeline, number: int) -> int | None:
    """The position after the entry with a number; None if it is not on the line. 0 is the beginning."""
    if number == 0:
        return 0
    index = line.index_of(number)
    return None if index is None else line.span(index)[1]


def entry_before(line: Timeline, position: int) -> int:
    """The number of the last complete entry at a position, from which play can go on; 0 at the beginning."""
    index = line.entry_at(position)
    if index >= 0 and line.span(index)[1] != position:
        index -= 1
    return line.entry(index).number if index >= 0 else 0


def mark_positions(line: Timeline, marks: Iterable[Mark]) -> dict[int, str]:
    """The positions of the bookmarks on the line, in order, with their names."""
    positions: dict[int, str] = {}
    for mark in marks:
        position = end_of_entry(line, mark.on)
        if position is not None:
            positions[position] = f"{positions[position]}, {mark.name}" if position in positions else mark.name
    return dict(sorted(positions.items()))


def next_mark(line: Timeline, marks: Iterable[Mark], position: int) -> int | None:
    """The position of the next bookmark, wrapping around; None if there is none."""
    positions = list(mark_positions(line, marks))
    return next((at for at in positions if at > position), positions[0] if positions else None)


def find_position(line: Timeline, entry: str) -> int:
    """Read a typed position: ``120`` an event, ``#12`` an entry, ``r3`` a round, ``50%``, ``end``.

    Raises:
        BadInput: with what would be accepted.
    """
    text = entry.strip().lower()
    if text in ("end", "start"):
        return len(line) if text == "end" else 0
    prefix, digits = (text[0], text[1:]) if text[:1] in ("#", "r") else ("", text)
    percent = digits.endswith("%") and not prefix
    digits = digits.removesuffix("%") if percent else digits
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise _bad(f"{entry!r} is not a moment of the fight", line)
    number = int(digits)
    if percent:
        return len(line) * min(number, 100) // 100
    position = {"#": end_of_entry, "r": _round_began, "": _event_number}[prefix](line, number)
    if position is None:
        raise _bad(f"there is no {'entry' if prefix == '#' else 'round' if prefix else 'event'} {number} here", line)
    return position


def _event_number(line: Timeline, number: int) -> int | None:
    return number if number <= len(line) else None


def _round_began(line: Timeline, number: int) -> int | None:
    for position, event in enumerate(line.events(), start=1):
        if isinstance(event, RoundBegan) and event.number == number:
            return position
    return 0 if number == 0 else None


def _bad(message: str, line: Timeline) -> BadInput:
    rounds = line.head.round
    accepts = f"0 to {len(line)}, #1 to #{line.entry(line.entry_count() - 1).number}" if len(line) else "0"
    return BadInput("go to", (f"{message}; accepted: {accepts}, r1 to r{rounds}, 50%, start, end",))


@frozen
class Playback:
    """The state of a replay.

    Attributes:
        position: the number of events from the beginning.
        speed: one of `SPEEDS`.
        playing: it advances by itself.
    """

    position: int = 0
    speed: float = 1.0
    playing: bool = False

    @property
    def seconds(self) -> float:
        """The seconds until the next event."""
        return SECONDS_PER_EVENT / self.speed

    def go(self, position: int) -> Playback:
        """Go to a position, and stop playing."""
        return replace(self, position=position, playing=False)

    def faster(self) -> Playback:
        """With the next higher speed."""
        return replace(self, speed=next((speed for speed in SPEEDS if speed > self.speed), SPEEDS[-1]))

    def slower(self) -> Playback:
        """With the next lower speed."""
        return replace(self, speed=next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def toggle(self, length: int) -> Playback:
        """Play or pause. At the end, play again from the start."""
        if self.playing:
            return replace(self, playing=False)
        return replace(self, playing=length > 0, position=0 if self.position >= length else self.position)

    def tick(self, length: int) -> Playback:
        """Advance by one event if it is playing; stop at the end."""
        if not self.playing:
            return self
        position = min(self.position + 1, length)
        return replace(self, position=position, playing=position < length)

    def follow(self, before: int, now: int) -> Playback:
        """Adapt to a line whose length changed from `before` to `now`. At its end, stay at the end."""
        position = now if self.position >= before else min(self.position, now)
        return replace(self, position=position, playing=self.playing and position < now)
