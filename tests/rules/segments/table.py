"""A table to play Combat Segments at: the public door, a cast made as it is named, a few short ways of saying things.

Every command goes by name and plain data through the codec. After each one the live state is the fold of what happened,
and a refusal has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.kit.views import Option
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once

SWORD: Mapping[str, object] = {"name": "sword", "size": 4, "av": 40, "effects": ["edge", "point"]}
POLEARM: Mapping[str, object] = {"name": "polearm", "size": 7, "av": 35, "grip": "2", "hand": "2"}
DAGGER: Mapping[str, object] = {"name": "dagger", "size": 1, "av": 30, "hand": "R"}

_MOST_STEPS = 200
_OWN = ("side", "at", "facing", "hidden", "count")


@dataclass
class Play:
    """A fight being played, with what the last command brought, and all that was heard so far."""

    fight: Fight
    last: tuple[Event, ...] = ()
    heard: list[Event] = field(default_factory=list)

    @property
    def state(self) -> FightState:
        return self.fight.state

    # Doing

    def do(self, name: str, /, **data: object) -> Play:
        """Give a command, and see that the live state is the fold of what happened."""
        before = self.state
        entry = self.fight.do(self.fight.codec.command(name, data))
        self.last = entry.events
        self.heard.extend(entry.events)
        assert fold_all(before, entry.events) == self.state
        return self

    def refused(self, rule: str, name: str, /, **data: object) -> Refused:
        """Give a command that a rule must refuse; a refusal changes nothing."""
        before = self.state
        with pytest.raises(Refused) as caught:
            self.fight.do(self.fight.codec.command(name, data))
        assert self.state is before
        assert caught.value.rule == rule, f"{caught.value} where {rule} was expected"
        assert caught.value.message
        return caught.value

    def undo(self) -> Play:
        self.fight.undo()
        return self

    def copy(self) -> Play:
        """The same fight, which goes on by itself."""
        return Play(self.fight.copy(), self.last, list(self.heard))

    # Getting somewhere

    def begin(self, **init: int) -> Play:
        """Start a segment and give everybody an Initiative: as said, else the first one highest."""
        if self.state.step is None:
            self.do("start")
        for place, who in enumerate(self.state.combatants):
            if self.one(who).able and self.state.phase == "initiative":
                self.do("initiative", who=who, total=init.get(who, 30 - place))
        return self

    def to(self, kind: str, actor: str = "") -> Play:
        """Step on, taking every default, until such a step runs."""
        for _ in range(_MOST_STEPS):
            step = self.state.step
            if step is not None and step.kind == kind and actor in ("", step.actor):
                return self
            self.do("advance")
        raise AssertionError(f"no step {kind} {actor}; now {self.state.step} {self.asks()}")

    def to_object(self, who: str) -> Play:
        """Have somebody declare to do something with an object, and step on to where it is settled (CS-094)."""
        return self.to("declare", who).do("declare", who=who, action="object").to("resolve", who)

    # Looking

    def one(self, who: str) -> Combatant:
        return self.state.combatants[who]

    def see(self, who: str) -> Mapping[str, object]:
        """The combatant's fields as the protocol shows them."""
        return showing.fields(self.state, who)

    def names(self) -> list[str]:
        """The types of the last command's events."""
        return [one.type for one in self.last]

    def all(self, kind: str) -> list[Event]:
        return [one for one in self.last if one.type == kind]

    def got(self, kind: str, /, **fields: object) -> Event:
        """The one event of this type with these fields in the last command."""
        found = [one for one in self.all(kind) if all(getattr(one, key) == value for key, value in fields.items())]
        assert len(found) == 1, f"{kind} {fields}: {len(found)} of {self.last}"
        return found[0]

    def prompt(self, kind: str) -> Prompt:
        found = self.state.prompt(kind)
        assert found is not None, f"no prompt {kind}; open: {[one.kind for one in self.state.prompts]}"
        return found

    def asks(self) -> list[str]:
        """The kinds of the open questions that play waits for."""
        return [prompt.kind for prompt in self.state.prompts if prompt.blocking]

    def offers(self) -> list[str]:
        """The kinds of the open offers."""
        return [prompt.kind for prompt in self.state.prompts if not prompt.blocking]

    def option(self, who: str, action: str) -> Option:
        return next(one for one in self.fight.options(who) if one.action == action)


@played_once
def table(
    board: AnyBoard | None = None,
    settings: Mapping[str, object] | None = None,
    seed: str = "1",
    **cast: Mapping[str, object],
) -> Play:
    """A fight in set-up. Each of the cast by id: ``side``, ``at``, ``facing``..., and all else is of the sheet."""
    play = Play(Fight.new("segments", settings=settings, board=board, seed=seed))  # type: ignore[arg-type]
    for who, given in cast.items():
        own = {key: value for key, value in given.items() if key in _OWN}
        sheet = {key: value for key, value in given.items() if key not in _OWN}
        play.do("join", **{"name": who.title(), "id": who, "side": "party", **own, "sheet": sheet})
    return play


def uses_of(play: Play, who: str) -> dict[str, tuple[int, int]]:
    """How often somebody has attacked and defended with each skill."""
    return {skill: (used["attacks"], used["defences"]) for skill, used in play.see(who)["uses"].items()}
