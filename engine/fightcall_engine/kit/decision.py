"""What is being decided: the next event is decided from what the ones before it left."""

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
"""The referee of what happens by itself: nobody insists, so that it keeps nothing."""


class Situation:
    """What something is decided from. A function that takes one returns events, or a value; it makes nothing happen.

    Attributes:
        referee: who judges what must hold, and knows whether the GM insists.
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
        """What to throw with.

        Raises:
            RuntimeError: this was made without dice, as for a reaction, which follows from what has fallen already.
        """
        if self._dice is None:
            raise RuntimeError("a reaction throws no dice: throw them where the command or the agenda causes it")
        return self._dice

    def branch(self) -> "Decision":
        """Another decision from here, with the same dice and referee, and nothing emitted yet."""
        return Decision(self.state, self._dice, self.referee)

    def require(self, *checks: Check) -> None:
        """Go on where all of these hold, or the GM insists.

        Raises:
            Refused: by the rule of the first that does not hold.
        """
        enforce(checks, self.referee)

    def combatant(self, combatant_id: str) -> Combatant:
        """Who has this id or label, as they are now.

        Raises:
            Refused: nobody; lists those who fight.
        """
        return combatant_of(self.state, combatant_id)


class Decision(Situation):
    """One command, answer or step of the agenda while it is decided. A function that takes one emits what happens.

    Events are folded when somebody asks what they left: of the last ones often nobody does.
    """

    __slots__ = ("_folds", "_waiting")

    def __init__(self, state: FightState, dice: Dice | None = None, referee: Referee | None = None) -> None:
        # Each event makes one of these: without a call of the parent's.
        self._state, self._dice, self.referee = state, dice, referee or _UNFORCED
        self._folds: list[Fold] = []
        self._waiting: list[Event] = []

    @property
    def state(self) -> FightState:
        """The fight, with everything emitted so far."""
        if self._waiting:
            self._fold()
        return self._state

    @property
    def folds(self) -> list[Fold]:
        """What has been emitted, in order: the state before each event, the event, and the state after it."""
        if self._waiting:
            self._fold()
        return self._folds

    @property
    def events(self) -> Events:
        """What has been emitted, in order."""
        folded_events = [event for _, event, _ in self._folds] if self._folds else ()
        return (*folded_events, *self._waiting)

    def emit(self, *events: Event) -> None:
        """These happen next."""
        self._waiting += events

    def _fold(self) -> None:
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            before, numbered = self._state, assign_id(self._state, event)
            self._state = evolve(before, numbered)
            self._folds.append((before, numbered, self._state))

    def ask(self, prompt: Prompt) -> None:
        """A question opens, or an offer where it does not block; its id is given here."""
        self.emit(RulingAsked(prompt=prompt))

    def set_facts(self, **values: Json) -> None:
        """Fields of what the system remembers of the fight change, where they are not so already."""
        before = self.state.remembered
        changes = _changes(before, values)
        self.emit(*(FactChanged(fact=name, before=before[name], value=value) for name, value in changes.items()))

    def set_traits(self, combatant_id: str, **values: Json) -> None:
        """Fields of what the system remembers of a combatant change, where they are not so already.

        That is told nowhere: what the table talks about is an event of its own, with a `TEXT`.
        """
        before = self.state.combatants[combatant_id].remembered
        changes = _changes(before, values)
        if len(changes) > 1:
            self.emit(TraitsChanged(who=combatant_id, traits=changes))
            return
        for name, value in changes.items():
            self.emit(TraitChanged(who=combatant_id, trait=name, before=before[name], value=value))

    def reset_trait(self, combatants: Iterable[Combatant], name: str, value: Json) -> None:
        """A field of what is remembered of several is set alike, for those who have it otherwise."""
        stale = tuple(combatant.id for combatant in combatants if _changes(combatant.remembered, {name: value}))
        if stale:
            self.emit(TraitsReset(figures=stale, trait=name, value=value))

    def roll(self, expression: str, purpose: str, combatant_id: str = "", face: int | None = None) -> Roll:
        """Throw dice and emit what fell; `face` is what the die shows where it was typed as an answer.

        The log puts what fell beside the next event that has words: a throw that comes to nothing needs one, too.

        Raises:
            NeedsDice: the table throws, and has not yet.
            Refused: faces that these dice do not have.
        """
        dice = self.dice if face is None else self.dice.fallen({purpose: (face,)})
        roll = dice.roll(expression, purpose, combatant_id or None)
        if roll.faces:
            self.emit(record_roll(roll, combatant_id))
        return roll

    def hurt(self, combatant_id: str, amount: int, pool: str, by: str = "") -> None:
        """Harm lands on somebody's pool, down to 0; it is recorded even where there is no such pool."""
        self.emit(harm(self.state, combatant_id, amount, pool, by))

    def heal(self, combatant_id: str, amount: int, pool: str) -> None:
        """Somebody gets back so much of a pool, up to its most; nothing is said where it is full."""
        healed = healing(self.state, combatant_id, amount, pool)
        if healed.amount:
            self.emit(healed)

    def spend(self, combatant_id: str, amount: int, pool: str, purpose: str = "") -> None:
        """Somebody spends so much of a pool, or all that is left of it: what it must have is the caller's to check."""
        combatant = self.state.combatants[combatant_id]
        spent = min(amount, combatant.pool(pool).now)
        if amount:
            left = combatant.pool(pool).now - spent
            self.emit(change_pool(Spent, combatant, pool, left, amount=spent, purpose=purpose))

    def refill(self, combatant_id: str, pool: str) -> None:
        """Somebody has all of a pool again, such as the action points of a turn; nothing is said where it is full."""
        combatant = self.state.combatants[combatant_id]
        points = combatant.pool(pool)
        if points.now != points.max:
            self.emit(change_pool(Refilled, combatant, pool, points.max))


def _changes(before: Mapping[str, Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """Those of some fields of a record that are not so already.

    Raises:
        AttributeError: the record has no such field; says which it has.
    """
    unknown = values.keys() - before.keys()
    if unknown:
        raise AttributeError(f"the record has no field {min(unknown)!r}; accepted: {', '.join(before)}")
    return {name: value for name, value in values.items() if before[name] != value}
