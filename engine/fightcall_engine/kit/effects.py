"""The durations of effects: whose clock an effect follows, when it counts down, and what happens if that clock stops.

A clock is the round's, or that of a combatant: the bearer of the effect or its maker. A system says which clocks it
has, at which moments they tick (`BaseSystem.clocks`), and whose clock runs (`BaseSystem.keeps_time`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.views import Referee, Words
from fightcall_engine.model.commands import Command, Leave
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ClockChanged, EffectEnded, EffectTicked, Event, Events, LeftFight, Renamed
from fightcall_engine.model.state import Combatant, Effect, Ending, FightState, Scalar
from fightcall_engine.model.values import copy_with

ROUND, OWN = "round", "own"
TIME_IS_UP = "time is up"
BEARER, MAKER = "bearer", "maker"
ROUND_END = "round_end"
KeepsTime = Callable[[FightState, str], bool]


class HasClocks(Protocol):
    """What this module needs of a system; see `BaseSystem`."""

    title: str
    clocks: Mapping[str, Mapping[str, str]]

    def keeps_time(self, state: FightState, combatant_id: str) -> bool:
        """Whether a combatant's clock runs."""
        ...

    def has_passed(self, state: FightState, combatant: Combatant, moment: str) -> bool:
        """Whether a moment of a combatant's clock has been in this round."""
        ...

    def decide(self, decision: Decision, command: Command, /) -> Events:
        """The events of a command."""
        ...

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's words, with those for the ticks of its clocks."""
        ...


def owner_of(state: FightState, bearer: Combatant, effect: Effect) -> str:
    """The combatant whose clock an effect follows: its owner, or the bearer if the owner has left."""
    return effect.clock if effect.clock in state.combatants else bearer.id


def due(state: FightState, bearer: Combatant, moment: str, owner: str = "") -> tuple[Effect, ...]:
    """The effects on a combatant that count down at a moment: of any clock, or only of `owner`'s."""
    return tuple(
        effect
        for effect in bearer.effects
        if effect.left is not None
        and effect.ticks == moment
        and (not owner or owner_of(state, bearer, effect) == owner)
    )


def effects_on_stopped_clocks(
    state: FightState, bearer: Combatant, moments: Iterable[str], keeps_time: KeepsTime
) -> tuple[Effect, ...]:
    """The effects whose clock has stopped because its owner is down: they count at the round's end instead.

    `moments` are the ticks of combatants' clocks; `keeps_time` tells whether a combatant's clock runs.
    """
    combatant_moments = frozenset(moments)
    return tuple(
        effect
        for effect in bearer.effects
        if effect.left is not None
        and effect.ticks in combatant_moments
        and not keeps_time(state, owner_of(state, bearer, effect))
    )


def count_down(
    state: FightState,
    bearer: Combatant,
    effects: Iterable[Effect],
    *,
    tick_type: type[EffectTicked] = EffectTicked,
    end_type: type[EffectEnded] = EffectEnded,
    down_to_zero: bool = False,
    standing_still: bool = False,
    by: int = 1,
) -> Events:
    """The events by which durations drop, and those that reach zero end, with what their end does to the bearer.

    Whoever plans on from there, such as the next round, must know already who has left and who is on which side.
    With `down_to_zero`, an end is told as a drop, too. `standing_still` says that they count although their clock has
    stopped.
    """
    new_events: list[Event] = []
    for effect in effects:
        left = max(0, (effect.left or by) - by)
        why = _why_still(state, bearer, effect) if standing_still else ""
        if left > 0 or down_to_zero:
            new_events.append(tick_type(who=bearer.id, effect=effect.id, name=effect.name, left=left, reason=why))
        if left <= 0:
            reason = f"{TIME_IS_UP}; {why}" if why else TIME_IS_UP
            ending = effect.ending or Ending()
            if ending.side not in ("", bearer.side):
                new_events.append(Renamed(who=bearer.id, name=bearer.name, side=ending.side))
            new_events.append(end_type(who=bearer.id, effect=effect.id, name=effect.name, reason=reason))
            if ending.leaves:
                # The reaction to the end lets the bearer leave by the system's own rules; this one then says nothing.
                new_events.append(LeftFight(who=bearer.id, reason=TIME_IS_UP))
                break
    return tuple(new_events)


def _why_still(state: FightState, bearer: Combatant, effect: Effect) -> str:
    owner = state.combatants[owner_of(state, bearer, effect)]
    return f"{owner.name or owner.id} {'has no turn of their own' if owner.able else 'is down'}"


# As they begin


def clock_for(
    system: HasClocks, state: FightState, bearer: Combatant, clock: str, ticks: str, by: str, referee: Referee
) -> tuple[str, str]:
    """The `Effect.ticks` and `Effect.clock` for a new effect.

    The clock is ``round``, ``bearer`` or ``maker``, the moment ``start`` or ``end``; empty for the usual one. `by` is
    the maker's id. The referee judges a clock that has stopped.

    Raises:
        Refused: the system has no such clock or moment, or nobody is named as the maker.
    """
    kind = OWN if clock in (BEARER, MAKER) else clock or ROUND
    moments = system.clocks.get(kind)
    if moments is None or kind not in (ROUND, OWN) or clock == OWN:
        raise Refused("clock", f"{system.title} has no clock {clock!r}", known_clocks(system), final=True)
    if ticks and ticks not in moments:
        message = f"{system.title} counts no effects at the {ticks!r} of the {clock or ROUND}'s clock"
        raise Refused("ticks", message, known_clocks(system), final=True)
    if clock == MAKER and not by:
        raise Refused(
            "by", "whose clock? Name the combatant who caused the effect", tuple(state.combatants), final=True
        )
    moment = moments[ticks] if ticks else next(iter(moments.values()))
    if kind == ROUND:
        return moment, ROUND
    owner = by if clock == MAKER else bearer.id
    name = state.combatants[owner].name or owner
    referee.require(system.keeps_time(state, owner), "clock", f"{name} has no clock of their own now", ROUND)
    return moment, owner


def known_clocks(system: HasClocks) -> tuple[str, ...]:
    """The clocks of a system with their ticks: ``round (end)``, ``bearer (start, end)``."""
    names = {ROUND: (ROUND,), OWN: (BEARER, MAKER)}
    return tuple(f"{name} ({', '.join(moments)})" for kind, moments in system.clocks.items() for name in names[kind])


# As they end


def end_bearing(system: HasClocks, before: FightState, event: Event, state: FightState) -> Events:
    """What the end of an effect does to its bearer, by `Effect.ending`. `state` includes the event."""
    if not isinstance(event, EffectEnded) or event.who not in state.combatants:
        return ()
    bearer = state.combatants[event.who]
    ended = next((each for each in before.combatants[event.who].effects if each.id == event.effect), None)
    if ended is None or ended.ending is None:
        return ()
    if ended.ending.leaves:
        return system.decide(Decision(state), Leave(who=bearer.id, reason=TIME_IS_UP))
    if ended.ending.side in ("", bearer.side):
        return ()
    return (Renamed(who=bearer.id, name=bearer.name, side=ended.ending.side),)


# When an owner leaves


def react(system: HasClocks, before: FightState, state: FightState, event: Event) -> Events:
    """Move effects on a leaver's clock to the round's, by which they last as long as they would have."""
    leaver = before.combatants.get(event.who) if isinstance(event, LeftFight) else None
    if leaver is None:
        return ()
    combatant_moments = frozenset(system.clocks.get(OWN, {}).values())
    return tuple(
        _handed_over(bearer, effect, more=int(system.has_passed(before, leaver, effect.ticks)))
        for bearer in state.combatants.values()
        for effect in bearer.effects
        if effect.left is not None and effect.clock == leaver.id and effect.ticks in combatant_moments
    )


def _handed_over(bearer: Combatant, effect: Effect, more: int) -> ClockChanged:
    """The event of an effect moving to the round's clock. `more` is 1 if the end of this round is not to count."""
    return ClockChanged(
        who=bearer.id,
        effect=effect.id,
        name=effect.name,
        ticks=ROUND_END,
        clock=ROUND,
        left=(effect.left or 0) + more,
        reason="the combatant who caused it has left",
    )


def on_running_clocks(state: FightState, bearer: Combatant) -> tuple[Effect, ...]:
    """The effects of a combatant who comes back, except that it would leave after some rounds.

    Those of makers who have left meanwhile count by the round's clock.
    """
    known_clocks = {ROUND, bearer.id, *state.combatants}
    return tuple(
        effect if effect.clock in known_clocks else copy_with(effect, ticks=ROUND_END, clock=ROUND)
        for effect in bearer.effects
        if effect.ending is None or not effect.ending.leaves
    )


def clock_words(system: HasClocks, state: FightState, bearer: Combatant, ticks: str, clock: str) -> str:
    """A tick in words: ``end of the Round``, ``start of Milli's turn``."""
    owner = state.combatants.get(clock, bearer)
    text = system.words(state.settings).ticks.get(ticks, ticks.replace("_", " "))
    return text.replace("{who}", owner.name or owner.label)
