"""The line of entries and events that leads to the present, and the state before its first entry.

States are immutable, so a keyframe is only a reference. Finding a state takes at most `EVERY` folds, however long the
fight is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from fightcall_engine.kit.plugins import system_with_rules
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model import __version__
from fightcall_engine.model.dice import UnusedDice
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.fold import begin, evolve, fold_all, with_combatant
from fightcall_engine.model.json_data import place_on_board, read, to_json
from fightcall_engine.model.state import Combatant, Cue, FightState, Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.codec import codec_of, upcast_header, upcasts_from

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard

EVERY = 32
RECENT = 64
"""How many states after the newest entries are kept, for undo."""


@frozen
class Entry:
    """A command with all its events: one line of the journal, and the unit of undo.

    Attributes:
        on: the number of the entry it follows; 0 for the start of the fight.
        at: when it was given, in ISO 8601.
        command: the command as JSON, with its ``type``.
        unused: typed dice that it did not need; reported, but not saved.
        place: the place in history that seeds its dice, if that is not its index on the line; amendments keep it.
        dice: the number of its dice, 0 for those of the fight; see `Branch.dice`.
        is_read: whether it was read from a journal, so that its questions have lost the functions that wait in them.
    """

    number: int
    on: int
    at: str
    by: str
    command: Mapping[str, Json]
    events: Events
    unused: tuple[UnusedDice, ...] = field(default=(), compare=False)
    place: int | None = None
    dice: int = 0
    is_read: bool = field(default=False, compare=False)


class Timeline:
    """The entries and events from the start of a fight to its head."""

    def __init__(self, start: FightState) -> None:
        self._frames = [start]
        self._events: list[Event] = []
        self._entries: list[Entry] = []
        self._ends: list[int] = []
        self._highest: list[int] = []
        self._places: dict[int, int] = {}
        self._recent: deque[FightState] = deque(maxlen=RECENT)
        self.head = start

    def __len__(self) -> int:
        return len(self._events)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries on the line, oldest first."""
        return tuple(self._entries)

    def entry_count(self) -> int:
        """How many entries the line holds."""
        return len(self._entries)

    def entry(self, index: int) -> Entry:
        """The entry at an index of the line."""
        return self._entries[index]

    @property
    def newest(self) -> Entry | None:
        """The last entry; None at the start."""
        return self._entries[-1] if self._entries else None

    def index_of(self, number: int) -> int | None:
        """The index of the entry with this number; None if it is not on the line."""
        return self._places.get(number)

    def span(self, index: int) -> tuple[int, int]:
        """The positions before and after the entry at an index of the line."""
        return (self._ends[index - 1] if index else 0), self._ends[index]

    def place_of(self, index: int) -> int:
        """The place in history that seeds the dice of the entry at an index."""
        place = self._entries[index].place
        return index if place is None else place

    @property
    def next_place(self) -> int:
        """The place in history of the next command, which no entry of the line has."""
        return self._highest[-1] + 1 if self._highest else 0

    @property
    def own_place(self) -> int | None:
        """The place of the next command if it differs from its index on the line, else None."""
        place = self.next_place
        return None if place == len(self._entries) else place

    def entry_at(self, position: int) -> int:
        """The index of the entry whose events include the one that leads to `position`; -1 at the start."""
        return min(bisect_right(self._ends, position - 1), len(self._ends) - 1) if position > 0 else -1

    def event(self, position: int) -> Event:
        """The event after a position."""
        return self._events[position]

    def events(self) -> Iterator[Event]:
        """All events, oldest first."""
        return iter(self._events)

    def append(self, entry: Entry, states: Iterable[FightState] | None = None) -> None:
        """Append an entry. `states` are those after each of its events, if the caller has them."""
        folded = states or islice(accumulate(entry.events, evolve, initial=self.head), 1, None)
        for event, after in zip(entry.events, folded, strict=True):
            self._events.append(event)
            self.head = after
            if len(self._events) % EVERY == 0:
                self._frames.append(after)
        self._recent.append(self.head)
        index = self._places[entry.number] = len(self._entries)
        place = index if entry.place is None else entry.place
        self._entries.append(entry)
        self._ends.append(len(self._events))
        self._highest.append(max(self._highest[-1], place) if self._highest else place)

    def truncate(self, entries: int) -> None:
        """Keep only the first `entries` entries."""
        position = self._ends[entries - 1] if entries else 0
        state = self.seek(position)
        for _ in range(min(len(self._entries) - entries, len(self._recent))):
            self._recent.pop()
        for entry in self._entries[entries:]:
            del self._places[entry.number]
        del self._entries[entries:], self._ends[entries:], self._highest[entries:], self._events[position:]
        del self._frames[position // EVERY + 1 :]
        self.head = state

    def seek(self, position: int) -> FightState:
        """The state after the first `position` events. Raises IndexError: a position outside 0..len."""
        if not 0 <= position <= len(self._events):
            raise IndexError(f"position {position} of a line of {len(self._events)} events")
        index = bisect_left(self._ends, position)
        later = len(self._ends) - 1 - index
        if 0 <= later < len(self._recent) and self._ends[index] == position:
            return self._recent[-1 - later]
        frame = min(position // EVERY, len(self._frames) - 1)
        return fold_all(self._frames[frame], self._events[frame * EVERY : position])


# The start of a fight


@frozen
class Start:
    """Everything that a fight starts with: the content of its journal's header.

    Attributes:
        story: text for the GM, which players never see.
        rules_text: the text of the file that the rules come from; empty if `system` is written in Python.
        version: the version of the rule system that wrote the journal; empty for a new fight.
    """

    id: str
    name: str
    system: str
    seed: str
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    combatants: tuple[Combatant, ...] = ()
    story: str = ""
    cues: tuple[Cue, ...] = ()
    rules_text: str = ""
    version: str = field(default="", compare=False)

    @property
    def rules(self) -> BaseSystem:
        """The rule system that the fight begins with."""
        return system_with_rules(self.system, self.rules_text)

    def state(self) -> FightState:
        """The state before the first entry."""
        system = self.rules
        record_type = system.fight_record
        state = FightState(
            id=self.id,
            name=self.name,
            system=self.system,
            seed=self.seed,
            board=self.board,
            settings=dict(self.settings),
            order=tuple(combatant.id for combatant in self.combatants),
            record=record_type() if record_type is not None else None,
            cues=self.cues,
            rules_text=self.rules_text,
            side_pools=system.starting_side_pools(self.settings),
        )
        for combatant in self.combatants:
            state = with_combatant(state, combatant)
        return begin(state)

    def header(self, now: str) -> dict[str, object]:
        """The start as the journal's first line."""
        return {
            "id": self.id,
            "name": self.name,
            "system": self.system,
            "system_version": self.rules.version,
            "engine": __version__,
            "seed": self.seed,
            "settings": dict(self.settings),
            "board": to_json(self.board),
            "combatants": to_json(self.combatants),
            **({"story": self.story} if self.story else {}),
            **({"cues": to_json(self.cues)} if self.cues else {}),
            **({"rules": self.rules_text} if self.rules_text else {}),
            "at": now,
        }

    @classmethod
    def from_header(cls, header: Mapping[str, Json]) -> Start:
        """Read a start from a journal's first line. Raises BadInput: naming what is wrong in it."""
        from fightcall_engine.board.kinds import board_from_json

        missing = [key for key in ("id", "name", "system", "seed") if key not in header]
        if missing:
            raise BadInput("header", tuple(f"{key}: missing" for key in missing))
        board = header.get("board")
        try:
            board_read = board_from_json(board) if board else None
        except ValueError as error:
            raise BadInput("header board", (str(error),)) from error
        rules_text, version = str(header.get("rules", "")), str(header.get("system_version", ""))
        system = system_with_rules(str(header["system"]), rules_text)
        header = upcast_header(upcasts_from(system, version), header)
        combatants = read(tuple[Combatant, ...], header["combatants"], "header combatants")
        codec = codec_of(system)
        return cls(
            id=str(header["id"]),
            name=str(header["name"]),
            system=str(header["system"]),
            seed=str(header["seed"]),
            settings=read(dict[str, Scalar], header.get("settings", {}), "header settings"),
            board=board_read,
            story=str(header.get("story", "")),
            rules_text=rules_text,
            version=version,
            combatants=place_on_board(tuple(codec.combatant(combatant) for combatant in combatants), board_read),
            cues=place_on_board(read(tuple[Cue, ...], header["cues"], "header cues"), board_read),
        )
