"""What the tests of every system say of a fight being played: commands in, events out, what is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import pytest

from fightcall_engine.kit.views import Option
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.play.fight import Fight


@dataclass
class PlayedFight:
    """A fight being played, with what the last command brought, and all that was heard so far.

    Every command goes by name and plain data through the codec. After each one the live state is the fold of what
    happened, and a refusal has changed nothing.
    """

    MOST_STEPS: ClassVar[int] = 200

    fight: Fight
    last: tuple[Event, ...] = ()
    heard: list[Event] = field(default_factory=list)

    @property
    def state(self) -> FightState:
        return self.fight.state

    # Doing

    def check_laws(self) -> None:
        """What of the system's own holds in every state."""

    def do(self, name: str, /, **data: object) -> Self:
        """Give a command, and see that the laws still hold."""
        before = self.state
        entry = self.fight.do(self.fight.codec.command(name, data))
        self.last = entry.events
        self.heard.extend(entry.events)
        assert fold_all(before, entry.events) == self.state
        self.check_laws()
        return self

    def refused(self, rule: str, name: str, /, **data: object) -> Refused:
        """Give a command that a rule must refuse; a refusal changes nothing."""
        before, entries = self.state, self.fight.line.entry_count()
        with pytest.raises(Refused) as caught:
            self.fight.do(self.fight.codec.command(name, data))
        assert self.state is before
        assert self.fight.line.entry_count() == entries
        assert caught.value.rule == rule, f"{caught.value} where {rule} was expected"
        assert caught.value.message
        return caught.value

    def undo(self, steps: int = 1) -> Self:
        self.fight.undo(steps)
        return self

    def copy(self) -> Self:
        """The same fight, which goes on by itself."""
        return replace(self, fight=self.fight.copy(), heard=list(self.heard))

    def until(self, done: Callable[[], bool]) -> Self:
        """Step on, taking every default, until something holds."""
        for _ in range(self.MOST_STEPS):
            if done():
                return self
            self.do("advance")
        raise AssertionError(f"it never comes; now {self.state.step} {self.asks()}")

    # Looking

    def one(self, who: str) -> Combatant:
        return self.state.combatants[who]

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

    def names(self) -> list[str]:
        """The types of the last command's events."""
        return [one.type for one in self.last]

    def all(self, kind: str) -> list[Event]:
        """The last command's events of a type."""
        return [one for one in self.last if one.type == kind]

    def got(self, kind: str, /, **fields: object) -> Event:
        """The one event of this type with these fields in the last command."""
        found = [one for one in self.all(kind) if all(getattr(one, key) == value for key, value in fields.items())]
        assert len(found) == 1, f"{kind} {fields}: {len(found)} of {self.last}"
        return found[0]

    def option(self, who: str, action: str) -> Option:
        return next(one for one in self.fight.options(who) if one.action == action)
