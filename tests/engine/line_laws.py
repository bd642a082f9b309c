"""What holds on every line of play of Stage Moments, whatever was commanded (rules digest, section 3.2)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TypeGuard

from fightcall_engine.model.events import ClockAdvanced, Event, Joined, LeftFight, Overridden, TraitChanged
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.play.history import Entry, Timeline
from fightcall_engine.systems.stage import entries as sev
from fightcall_engine.systems.stage.records import PHASES, SIDES

WORK = (sev.BusinessStarted, sev.BusinessProgressed, sev.BusinessCompleted)


def check_state(state: FightState) -> None:
    """Pools in bounds, names that name one thing each."""
    for one in state.combatants.values():
        for name, pool in one.pools.items():
            assert 0 <= pool.now <= pool.max, f"{one.id}: {name} {pool}"
        assert len({effect.id for effect in one.effects}) == len(one.effects)
    prompts = [prompt.id for prompt in state.prompts]
    assert len(set(prompts)) == len(prompts), f"two prompts of one name: {state.prompts}"
    labels = sorted(one.label for one in state.combatants.values())
    assert all(not later.startswith(label) for label, later in pairwise(labels)), labels
    assert sorted(state.order) == sorted(state.combatants)
    assert -1 <= state.agenda.cursor <= len(state.agenda.steps)
    if state.board is not None:
        assert all(one.at is None or state.board.contains(one.at) for one in state.combatants.values())


def check_line(line: Timeline) -> None:
    """Phases in order, twelve halves a Moment, one strike a figure, the clock, and no business after a strike."""
    state = line.seek(0)
    moment = Moment()
    closed = 0
    for entry in line.entries:
        for happened in entry.events:
            if isinstance(happened, sev.MomentBegan):
                moment = Moment()
                assert happened.number == state.round + 1
            moment.take(state, entry, happened)
            if isinstance(happened, sev.MomentEnded):
                moment.check_whole()
                closed += 1
            if isinstance(happened, ClockAdvanced):
                assert happened.total == state.clock_s + happened.seconds
                if entry.command["type"] not in ("Adjust", "SkipTime"):
                    assert happened.seconds == state.settings["moment_seconds"]
            state = evolve(state, happened)
    changed = any(entry.command["type"] in ("Adjust", "Configure", "SkipTime") for entry in line.entries)
    if not changed:
        assert state.clock_s == closed * int(str(state.settings["moment_seconds"]))


def _strike_given_back(happened: Event) -> TypeGuard[TraitChanged]:
    """True for the GM's adjustment, which is no event of the system's own."""
    return type(happened) is TraitChanged and happened.trait == "strike"


class Moment:
    """What has been seen of one Moment."""

    def __init__(self) -> None:
        self.phases: list[str] = []
        self.ended: list[str] = []
        self.halves: Counter[str] = Counter()
        self.strikes: set[str] = set()

    def take(self, state: FightState, entry: Entry, happened: Event) -> None:
        """Look at one event, and the state before it."""
        forced = any(isinstance(one, Overridden) for one in entry.events)
        if isinstance(happened, sev.PhaseBegan):
            assert happened.phase == PHASES[len(self.phases)]
            assert self.ended == self.phases
            self.phases.append(happened.phase)
        elif isinstance(happened, sev.PhaseEnded):
            self.ended.append(happened.phase)
            assert self.ended == self.phases
        elif isinstance(happened, sev.HalfBegan | sev.HalfSkipped):
            assert self.phases[-1] == happened.phase
            self.halves[f"{happened.phase}.{happened.side}"] += 1
        elif isinstance(happened, sev.StrikeDeclared):
            assert forced or happened.who not in self.strikes, f"{happened.who} strikes twice"
            self.strikes.add(happened.who)
        elif isinstance(happened, Joined | LeftFight) or _strike_given_back(happened):
            self.strikes.discard(happened.who)
        elif isinstance(happened, WORK) and entry.command["type"] == "Business" and state.phase == "management":
            assert forced or state.combatants[happened.who].remembered["strike"] == "none"

    def check_whole(self) -> None:
        """A finished Moment has had its six phases, and each side its half of each, begun or skipped."""
        assert tuple(self.phases) == PHASES
        assert self.ended == self.phases
        assert {f"{phase}.{side}" for phase in PHASES for side in SIDES} <= set(self.halves), self.halves
        # The GM can put somebody on a third side.
        assert set(self.halves.values()) == {1}, self.halves
