"""A table to play Stage Moments at: the product's public door, with the digest's cast and short ways of saying things.

Every command goes by name and plain data through the codec. After each one the laws that hold always are checked:
the live state is the fold of the journal, pools stay in bounds, a refusal changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import TypedDict, Unpack

from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard, from_offset
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import FightState, Pool, Scalar
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.stage import views

from ..once import played_once
from ..played import PlayedFight

PHASES = ("meeting", "missile", "move", "melee", "magic", "management")
CAST: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "ash": ("party", {"agility": 13}),
    "bram": ("party", {"agility": 10, "dar": 3, "armor_beat_loss": 3}),
    "col": ("party", {"agility": 12, "dar": 2, "armor_beat_loss": 1, "skullduggery": 15}),
    "orc": ("foe", {"agility": 10}),
    "gob": ("foe", {"agility": 10}),
}
"""The cast of the digest's section 7: side and sheet by id."""

COLS, ROWS = 60, 24


def home(who: str) -> Hex:
    """Where a figure stands at first on the board: each on a row of its own, far from everybody."""
    row = 2 + 4 * list(CAST).index(who) if who in CAST else 22
    return from_offset(6, row)


def told(happened: Event) -> SimpleNamespace:
    """An event as a test reads it: its type and all its fields."""
    return SimpleNamespace(type=happened.type, **{one.name: getattr(happened, one.name) for one in fields(happened)})


class Play(PlayedFight):
    """A fight being played, in words of this system."""

    MOST_STEPS = 40

    def check_laws(self) -> None:
        check_laws(self.state)

    # Getting somewhere

    def start(self) -> Play:
        return self.do("start")

    def to(self, phase: str, side: str = "party") -> Play:
        """Step on until this half runs, taking every default on the way."""
        for _ in range(self.MOST_STEPS):
            step = self.state.step
            if step is not None and step.kind == "half" and (step.phase, step.side) == (phase, side):
                return self
            self.do("advance")
        raise AssertionError(f"no half {phase}.{side} comes; now {self.state.step}")

    def end_moment(self) -> Play:
        """Step on until the Moment has ended and the GM is asked whether to go on."""
        for _ in range(self.MOST_STEPS):
            if self.state.step is None:
                return self
            self.do("advance")
        raise AssertionError("the Moment does not end")

    def next_moment(self, phase: str = "meeting", side: str = "party") -> Play:
        """Into a half of the next Moment."""
        self.end_moment()
        self.do("advance")
        return self.to(phase, side)

    # Looking

    def beats(self, who: str) -> int:
        return self.one(who).pools["beats"].now

    def see(self, who: str) -> Mapping[str, object]:
        """The figure as the protocol shows it."""
        return views.fields(self.state, who)

    def half(self) -> str:
        """The running half, such as ``move.party``; empty between Moments."""
        step = self.state.step
        return f"{step.phase}.{step.side}" if step else ""

    def asks(self) -> list[str]:
        return [prompt.kind for prompt in self.state.prompts]

    def all(self, kind: str) -> list[SimpleNamespace]:
        """The last command's events of a type."""
        return [told(one) for one in self.last if one.type == kind]

    def got(self, kind: str, /, **wanted: object) -> SimpleNamespace:
        """The one event of this type with these fields in the last command."""
        found = [one for one in self.all(kind) if all(getattr(one, key) == value for key, value in wanted.items())]
        assert len(found) == 1, f"{kind} {wanted}: {len(found)} of {self.last}"
        return found[0]

    def never(self, kind: str) -> None:
        assert not self.all(kind), self.last


class Sitting(TypedDict, total=False):
    """How a table is set: who is hidden or out of sight, what is on the sheets, where they stand."""

    settings: Mapping[str, Scalar] | None
    board: HexBoard | None
    sheets: Mapping[str, Mapping[str, object]] | None
    hidden: Sequence[str]
    out_of_sight: Sequence[str]
    at: Mapping[str, Hex]


@played_once
def table(*who: str, **how: Unpack[Sitting]) -> Play:
    """Members of the cast in set-up. `sheets` adds to their sheets; on a board they stand at `at`, or at home."""
    board, sheets = how.get("board"), how.get("sheets") or {}
    play = Play(Fight.new("stage", settings=how.get("settings"), board=board))
    for name in who or tuple(CAST):
        side, sheet = CAST.get(name, ("foe", {}))
        own = {**sheet, **sheets.get(name, {})}
        if name in how.get("out_of_sight", ()):
            own["plain_view"] = False
        data: dict[str, object] = {
            "name": name.title(),
            "id": name,
            "side": side,
            "sheet": own,
            "hidden": name in how.get("hidden", ()),
        }
        if board is not None:
            data["at"] = list(how.get("at", {}).get(name, home(name)))
        play.do("join", **data)
    return play


def big_board() -> HexBoard:
    """Open ground with room for everybody."""
    return HexBoard(cols=COLS, rows=ROWS)


def east(start: Hex, hexes: int) -> list[list[int]]:
    """The straight way east from a hex."""
    return [[start.q + step, start.r] for step in range(1, hexes + 1)]


def beside(place: Hex) -> Hex:
    """The hex north-east of a place: it touches the place and the one east of it, not the one west of it."""
    return Hex(place.q + 1, place.r - 1)


def is_subsequence(wanted: Sequence[Mapping[str, object]], happened: Sequence[SimpleNamespace]) -> str:
    """Empty where the wanted events happened in this order, others between them allowed; else the first one missing."""
    place = 0
    for want in wanted:
        expected = {key: value for key, value in want.items() if key != "type"}
        for index in range(place, len(happened)):
            one = happened[index]
            if one.type == want["type"] and all(getattr(one, key, None) == value for key, value in expected.items()):
                place = index + 1
                break
        else:
            return f"{dict(want)} is missing after {[one.type for one in happened[:place]]} in {happened[place:]}"
    return ""


def check_laws(state: FightState) -> None:
    """What holds in every state (digest, section 3.2)."""
    for one in state.combatants.values():
        for name, pool in one.pools.items():
            assert isinstance(pool, Pool)
            assert 0 <= pool.now <= pool.max, (one.id, name, pool)
    ids = [prompt.id for prompt in state.prompts]
    assert len(ids) == len(set(ids)), ids
    labels = [one.label for one in state.combatants.values()]
    assert len(labels) == len(set(labels))
    assert sorted(state.order) == sorted(state.combatants)
