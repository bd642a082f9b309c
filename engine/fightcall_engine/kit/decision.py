"""A decision in progress: it collects events, and its state includes those emitted so far.

A function can ask in the middle, as it can roll in the middle: `Decision.ask` returns the answer. While there is no
answer, `ask` ends the function. The answer runs it again, from the state and the dice it began with. Events emitted
before a known answer have happened already and are dropped. Nothing stays alive between a question and its answer, so
the function must decide by the state, the dice and its arguments only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from fightcall_engine.kit.checks import Check, Referee, enforce
from fightcall_engine.kit.combatants import change_pool, change_side_pool, combatant_of, harm, healing
from fightcall_engine.kit.prompts import assign_id, concerns, record_answer, record_moot
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice, Roll
from fightcall_engine.model.errors import Runaway
from fightcall_engine.model.events import (
    Event,
    Events,
    FactChanged,
    Refilled,
    RulingAsked,
    SidePoolChanged,
    Spent,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import copy_with

Fold = tuple[FightState, Event, FightState]

_UNFORCED = Referee("", "", force=False)
"""The referee where no command is judged. It never overrides anything, so everybody can share it."""


LONGEST_CHAIN = 5000
"""The most events of one decision: more are taken for an endless chain."""
DEEPEST_CHAIN = 60
"""The most reactions to reactions to reactions: more are taken for an endless chain."""


class Reactions(Protocol):
    """Finds the immediate consequences of events; see `kit.reactions`."""

    def next_event(self, state: FightState, upcoming: deque[Event]) -> Event | None:
        """The event that happens next, taken from the upcoming ones; None if it causes nothing any more."""

    def react(self, decision: Decision, before: FightState, event: Event) -> None:
        """Emit what follows from an event. The decision's state includes it."""


class Suspended(BaseException):
    """Ends a function whose question has no answer yet. No rule catches it."""

    def __init__(self, prompt: Prompt, event_type: type[RulingAsked]) -> None:
        super().__init__(prompt.question)
        self.prompt, self.event_type = prompt, event_type


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, with the state and the dice at that time. The answer is None if nobody is left to give it."""

    answer: Answer | None
    state: FightState
    dice: Dice | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A function that waits for an answer: what it began with, and the answers so far.

    Attributes:
        function: called as ``function(decision, *args)``.
    """

    function: Callable[..., None]
    args: tuple[object, ...]
    state: FightState
    dice: Dice | None
    referee: Referee
    answers: tuple[Given, ...] = ()

    def resume(self, decision: Decision, answer: Answer | None) -> None:
        """Run it again with one more answer, or None if nobody is left to answer, and emit its new events.

        Raises:
            Refused: it does not accept the answer.
            NeedsDice: the table owes a throw.
        """
        given = Given(answer, decision.state, decision.copy_dice())
        decision.run_again(replace(self, answers=(*self.answers, given)))


class Situation:
    """The state, dice and referee that something is decided with.

    A function that takes a `Situation` returns events or a value, and emits nothing.

    Attributes:
        referee: judges the checks, and knows whether the GM overrides them.
    """

    __slots__ = ("_dice", "_state", "referee")

    def __init__(self, state: FightState, dice: Dice | None = None, referee: Referee | None = None) -> None:
        self._state = state
        self.referee = referee or _UNFORCED
        self._dice = dice

    @property
    def state(self) -> FightState:
        """The fight as it stands."""
        return self._state

    @property
    def dice(self) -> Dice:
        """The dice to roll with.

        Raises:
            RuntimeError: there are none, such as where an offer expires.
        """
        if self._dice is None:
            raise RuntimeError("there are no dice here: roll where the command or the agenda causes it")
        return self._dice

    def branch(self) -> Decision:
        """A new decision from this state, with the same dice and referee, and no events yet. Nothing reacts in it."""
        return Decision(self.state, self._dice, self.referee)

    def require(self, *checks: Check) -> None:
        """Enforce checks; the GM may override those that do not hold.

        Raises:
            Refused: by the rule of the first check that does not hold.
        """
        enforce(checks, self.referee)

    def combatant(self, combatant_id: str) -> Combatant:
        """The combatant with this id, label or name, in its present state.

        Raises:
            Refused: there is none; lists the combatants.
        """
        return combatant_of(self.state, combatant_id)


class Decision(Situation):
    """One command, answer or step of the agenda while it is being decided.

    A function that takes a `Decision` emits events. They are folded when `state` is next read, because the state after
    the last of them is often not needed. Reactions to an event run then, before the next event.

    Attributes:
        start: the state before it.
    """

    __slots__ = ("_answered", "_depth", "_folds", "_live", "_reactions", "_run", "_unfolded", "start")

    def __init__(
        self,
        state: FightState,
        dice: Dice | None = None,
        referee: Referee | None = None,
        reactions: Reactions | None = None,
    ) -> None:
        # Many are made, so the call of the parent's initialiser is saved.
        self.start = state
        self._state, self._dice = state, dice
        self.referee = referee or (_UNFORCED if reactions is None else Referee("", "", force=False))
        self._folds: list[Fold] = []
        self._unfolded: list[Event] = []
        self._reactions = reactions
        self._run: Waiting | None = None
        self._live: Decision | None = None
        self._answered = self._depth = 0

    @property
    def state(self) -> FightState:
        """The state after everything emitted so far."""
        if self._unfolded:
            self._fold()
        return self._state

    @property
    def folds(self) -> list[Fold]:
        """The events emitted so far, in order, each with the states before and after it."""
        if self._unfolded:
            self._fold()
        return self._folds

    @property
    def events(self) -> Events:
        """The events emitted so far and those of their reactions, in order."""
        if self._reactions is not None:
            return tuple(event for _, event, _ in self.folds)
        folded_events = [event for _, event, _ in self._folds] if self._folds else ()
        return (*folded_events, *self._unfolded)

    def emit(self, *events: Event) -> None:
        """Add events after those emitted so far."""
        self._unfolded += events

    def _fold(self) -> None:
        upcoming, self._unfolded = deque(self._unfolded), []
        self._depth += 1
        while upcoming:
            before = self._state
            if self._reactions is None:
                event: Event | None = upcoming.popleft()
            else:
                event = self._reactions.next_event(before, upcoming)
            if event is None:
                continue
            event = assign_id(before, event)
            self._state = evolve(before, event)
            self._folds.append((before, event, self._state))
            if self._reactions is not None:
                if self._depth > DEEPEST_CHAIN or len(self._folds) > LONGEST_CHAIN:
                    raise Runaway(tuple(event.type for _, event, _ in self._folds))
                self._reactions.react(self, before, event)
                if self._unfolded:
                    self._fold()
        self._depth -= 1

    def offer(self, prompt: Prompt) -> None:
        """Open an offer while play continues. A function marked with `handlers.answers` takes it up.

        Its id is assigned when the event is folded.
        """
        self.emit(RulingAsked(prompt=prompt))

    def answer(self, prompt: Prompt, answer: Answer) -> None:
        """Answer an open question by a command, and continue the function that asked.

        Raises:
            TypeError: no function waits for the answer.
        """
        if not isinstance(prompt.waiting, Waiting):
            raise TypeError(f"no function waits for an answer to {prompt.kind!r}")
        self.emit(record_answer(prompt, answer.choice, default=False))
        prompt.waiting.resume(self, answer)

    def withdraw(self, prompts: Iterable[Prompt], note: str) -> None:
        """Close questions that nobody is left to answer; `note` is the reason. Their functions continue with None."""
        for prompt in prompts:
            self.emit(*record_moot((prompt,), note))
            self.go_on_without(prompt)

    def go_on_without(self, prompt: Prompt) -> None:
        """Continue the function that asked a question, which is closed, with None."""
        if isinstance(prompt.waiting, Waiting):
            prompt.waiting.resume(self, None)

    def withdraw_about(self, leaver_id: str) -> None:
        """Withdraw the questions about a combatant who has left; see `concerns`."""
        self.withdraw((each for each in self.state.prompts if leaver_id in concerns(each)), f"{leaver_id} has left")

    def ask(self, prompt: Prompt, event_type: type[RulingAsked] = RulingAsked) -> Answer | None:
        """Return the answer to a question, or None if someone it is about has left.

        While there is no answer, the function ends here; see the module. Read `state` again afterwards.

        Args:
            prompt: the question.
            event_type: the event that opens it.

        Raises:
            RuntimeError: the function was not begun by a command, a step or `spawn`.
        """
        run = self._run
        if run is None:
            raise RuntimeError("only a function that was begun by a command, a step or `spawn` can ask")
        if self._answered == len(run.answers):
            self._state = self.state
            raise Suspended(prompt, event_type)
        given = run.answers[self._answered]
        self._answered += 1
        self._folds, self._unfolded, self._state = [], [], given.state
        self.referee.overrides.clear()
        live = self._live if self._answered == len(run.answers) else None
        dice = live._dice if live is not None else given.dice.copy() if given.dice is not None else None
        if dice is not None and self._dice is not None:
            dice.take_rest_of(self._dice)
        self._dice = dice
        return given.answer

    def spawn(self, function: Callable[..., None], *args: object) -> None:
        """Run ``function(decision, *args)``, and continue even if it asks. Several questions can be open that way."""
        self._run_as(Waiting(function, args, self.state, self.copy_dice(), self.referee))

    def run(self, function: Callable[..., None], *args: object) -> None:
        """Run ``function(decision, *args)`` as part of the function that is running, or by itself if none is."""
        if self._run is None:
            self.spawn(function, *args)
        else:
            function(self, *args)

    def run_again(self, run: Waiting) -> None:
        """Run a function from its beginning, with its answers so far, and emit what comes after the last answer.

        Raises:
            RuntimeError: it asked less often than it was answered, so it decides by more than its state and dice.
        """
        dice = run.dice.copy() if run.dice is not None else None
        again = Decision(run.state, dice, run.referee.renewed(self.referee), self._reactions)
        again._live = self
        if again._run_as(run) < len(run.answers):
            raise RuntimeError(f"{run.function.__qualname__} went another way than when it asked")
        # The last answer was given in this very state, so what followed from it need not be folded again.
        self._folds += again.folds
        self._state = again._state
        self.referee.overrides += again.referee.overrides

    def _run_as(self, run: Waiting) -> int:
        """Run a function until it ends or asks. Returns how many of its questions were answered."""
        outer, self._run, self._answered = (self._run, self._answered), run, 0
        depth = self._depth
        try:
            run.function(self, *run.args)
            if self._reactions is not None and self._unfolded:
                # What follows from its last events may ask, too.
                self._fold()
        except Suspended as stop:
            self._depth = depth
            if self._dice is not None:
                self._dice.spare_rest()
            self.emit(stop.event_type(prompt=copy_with(stop.prompt, waiting=run)))
        answered = self._answered
        self._run, self._answered = outer
        return answered

    def copy_dice(self) -> Dice | None:
        """A copy of the dice at this point, if there are any."""
        return self._dice.copy() if self._dice is not None else None

    @contextmanager
    def judged_by(self, referee: Referee) -> Iterator[None]:
        """Let another referee judge inside a ``with`` block."""
        own, self.referee = self.referee, referee
        try:
            yield
        finally:
            self.referee = own

    def set_facts(self, **values: Json) -> None:
        """Change fields of the fight's record. Fields that have the value already emit nothing."""
        before = self.state.remembered
        changes = _changes(before, values)
        self.emit(*(FactChanged(fact=name, before=before[name], value=value) for name, value in changes.items()))

    def set_traits(self, combatant_id: str, **values: Json) -> None:
        """Change fields of a combatant's record. Fields that have the value already emit nothing.

        The log does not mention these events. What people should read needs an event of its own, with a `TEXT`.
        """
        before = self.state.combatants[combatant_id].remembered
        changes = _changes(before, values)
        if len(changes) > 1:
            self.emit(TraitsChanged(who=combatant_id, traits=changes))
            return
        for name, value in changes.items():
            self.emit(TraitChanged(who=combatant_id, trait=name, before=before[name], value=value))

    def reset_trait(self, combatants: Iterable[Combatant], name: str, value: Json) -> None:
        """Set one field of several combatants' records, for those who do not have the value already."""
        stale = tuple(combatant.id for combatant in combatants if _changes(combatant.remembered, {name: value}))
        if stale:
            self.emit(TraitsReset(figures=stale, trait=name, value=value))

    def roll(self, expression: str, purpose: str, combatant_id: str = "", face: int | None = None) -> Roll:
        """Roll dice and emit the result. `face` is the result if it was typed as an answer.

        The log shows a roll beside the next event that has words, so a roll without effect needs such an event, too.

        Raises:
            NeedsDice: the roll must be typed and was not.
            Refused: a typed face that these dice do not have.
        """
        if self._unfolded:
            self._fold()
        dice = self.dice if face is None else self.dice.with_faces({purpose: (face,)})
        roll = dice.roll(expression, purpose, combatant_id or None)
        if roll.is_rolled:
            self.emit(record_roll(roll, combatant_id))
        return roll

    def hurt(self, combatant_id: str, amount: int, pool: str, by: str = "") -> None:
        """Take an amount from a combatant's pool, down to 0. Without such a pool the harm is only recorded."""
        self.emit(harm(self.state, combatant_id, amount, pool, by))

    def heal(self, combatant_id: str, amount: int, pool: str) -> None:
        """Give a combatant back an amount of a pool, up to its maximum. A full pool emits nothing."""
        healed = healing(self.state, combatant_id, amount, pool)
        if healed.amount:
            self.emit(healed)

    def spend(self, combatant_id: str, amount: int, pool: str, purpose: str = "") -> None:
        """Spend an amount of a pool, or what is left of it. The caller checks that there is enough."""
        combatant = self.state.combatants[combatant_id]
        spent = min(amount, combatant.pool(pool).now)
        if amount:
            left = combatant.pool(pool).now - spent
            self.emit(change_pool(Spent, combatant, pool, left, amount=spent, purpose=purpose))

    def gain_for_side(self, side: str, amount: int, pool: str, who: str = "", purpose: str = "") -> None:
        """Add an amount to a pool of a side, up to its maximum. `who` is the combatant who gains it, if any.

        A side without the pool, such as one that the GM has named, gains nothing.
        """
        self._change_side_pool(side, amount, pool, who, purpose)

    def spend_for_side(self, side: str, amount: int, pool: str, who: str = "", purpose: str = "") -> None:
        """Spend an amount of a pool of a side, or what is left of it. The caller checks that there is enough."""
        self._change_side_pool(side, -amount, pool, who, purpose)

    def _change_side_pool(self, side: str, change: int, pool: str, who: str, purpose: str) -> None:
        state = self.state
        points = state.side_pool(side, pool)
        left = max(0, min(points.max, points.now + change))
        is_known = any(pool in pools for pools in state.side_pools.values())
        if left != points.now or not is_known:
            self.emit(change_side_pool(SidePoolChanged, state, side, pool, left, who, purpose))

    def refill(self, combatant_id: str, pool: str) -> None:
        """Fill a pool to its maximum, such as the action points of a turn. A full pool emits nothing."""
        combatant = self.state.combatants[combatant_id]
        points = combatant.pool(pool)
        if points.now != points.max:
            self.emit(change_pool(Refilled, combatant, pool, points.max))


def _changes(before: Mapping[str, Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """The values that differ from those that a record has.

    Raises:
        AttributeError: the record has no field of a name; lists those it has.
    """
    unknown = values.keys() - before.keys()
    if unknown:
        raise AttributeError(f"the record has no field {min(unknown)!r}; accepted: {', '.join(before)}")
    return {name: value for name, value in values.items() if before[name] != value}
