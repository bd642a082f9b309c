"""A decision in progress: it collects events, and its state includes those emitted so far."""

from collections.abc import Iterable, Mapping

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import change_pool, combatant_of, harm, healing
from fightcall_engine.kit.prompts import assign_id
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model.dice import Dice, Roll
from fightcall_engine.model.events import (
    Event,
    Events,
    FactChanged,
    Refilled,
    RulingAsked,
    Spent,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt

Fold = tuple[FightState, Event, FightState]

_UNFORCED = Referee("", "", force=False)
"""The referee where no command is judged. It never overrides anything, so everybody can share it."""


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
            RuntimeError: there are none, as in a reaction, which may not roll.
        """
        if self._dice is None:
            raise RuntimeError("a reaction throws no dice: throw them where the command or the agenda causes it")
        return self._dice

    def branch(self) -> "Decision":
        """A new decision from this state, with the same dice and referee, and no events yet."""
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

    A function that takes a `Decision` emits events. They are folded lazily, when `state` is next read, because the
    state after the last of them is often never needed.
    """

    __slots__ = ("_folds", "_waiting")

    def __init__(self, state: FightState, dice: Dice | None = None, referee: Referee | None = None) -> None:
        # One is made for each event, so the call of the parent's initialiser is saved.
        self._state, self._dice, self.referee = state, dice, referee or _UNFORCED
        self._folds: list[Fold] = []
        self._waiting: list[Event] = []

    @property
    def state(self) -> FightState:
        """The state after everything emitted so far."""
        if self._waiting:
            self._fold()
        return self._state

    @property
    def folds(self) -> list[Fold]:
        """The events emitted so far, in order, each with the states before and after it."""
        if self._waiting:
            self._fold()
        return self._folds

    @property
    def events(self) -> Events:
        """The events emitted so far, in order."""
        folded_events = [event for _, event, _ in self._folds] if self._folds else ()
        return (*folded_events, *self._waiting)

    def emit(self, *events: Event) -> None:
        """Add events after those emitted so far."""
        self._waiting += events

    def _fold(self) -> None:
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            before, numbered = self._state, assign_id(self._state, event)
            self._state = evolve(before, numbered)
            self._folds.append((before, numbered, self._state))

    def ask(self, prompt: Prompt) -> None:
        """Open a question, or an offer if it does not block. Its id is assigned when the event is folded."""
        self.emit(RulingAsked(prompt=prompt))

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
