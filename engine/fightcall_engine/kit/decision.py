"""Deciding a command: its checks, rolls, questions and events. Who rolls, and how questions are built and matched."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Literal, Protocol, TypedDict, Unpack

from fightcall_engine.kit.records import change_pool, change_side_pool, combatant_of, harm, healing, setting
from fightcall_engine.kit.views import Check, Referee, Setting, enforce
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice, Roll, Term, bounds, counted_dice, parse
from fightcall_engine.model.errors import Refused, RollNeeded, Runaway
from fightcall_engine.model.events import (
    DiceRolled,
    EffectBegan,
    Event,
    Events,
    FactChanged,
    Refilled,
    RulingAsked,
    RulingRecorded,
    SidePoolChanged,
    Spent,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt, Resume, Scalar, changed_fields
from fightcall_engine.model.values import frozen, remembered, replace

_UNFORCED = Referee("", "", force=False)
"""The referee where nothing is judged and nothing reacts. It never overrides anything, so everybody can share it."""

LONGEST_CHAIN = 5000
"""The most events of one decision: more are taken for an endless chain."""
DEEPEST_CHAIN = 40
"""The most reactions to reactions to reactions: more are taken for an endless chain."""


class Reactions(Protocol):
    """Finds the immediate consequences of events; see `kit.cues`."""

    def fold_next(self, state: FightState, upcoming: deque[Event]) -> tuple[Event, FightState] | None:
        """The event that happens next, taken from the upcoming ones, and the state after it; None if nothing does."""

    def react(self, decision: Decision, before: FightState, event: Event) -> None:
        """Emit what follows from an event. The decision's state includes it."""


class Suspended(BaseException):
    """Ends a function whose question has no answer yet. No rule catches it."""

    def __init__(self, prompt: Prompt, event_type: type[RulingAsked]) -> None:
        super().__init__(prompt.question)
        self.prompt, self.event_type = prompt, event_type


@frozen
class Given:
    """An answer, with the state and the dice at that time. The answer is None if nobody is left to give it."""

    answer: Answer | None
    state: FightState
    dice: Dice | None


@frozen
class Waiting:
    """A function that waits for an answer: what it began with, and the answers so far.

    Attributes:
        function: called as ``function(decision, *args)``.
    """

    function: Callable[..., object]
    args: tuple[object, ...]
    state: FightState
    dice: Dice | None
    referee: Referee
    answers: tuple[Given, ...] = ()

    def resume(self, decision: Decision, answer: Answer | None) -> None:
        """Run it again with one more answer, or None if nobody is left to answer, and emit its new events.

        Raises Refused for the answer, or NeedsDice if the table owes a throw.
        """
        given = Given(answer, decision.state, decision.copy_dice())
        decision.run_again(replace(self, answers=(*self.answers, given)))


class Situation:
    """The state, dice and referee that something is decided with.

    A function that takes a `Situation` returns events or a value, and emits nothing.

    Attributes:
        state: the fight as it stands.
        referee: judges the checks, and knows whether the GM overrides them.
    """

    __slots__ = ("_dice", "referee", "state")

    def __init__(self, state: FightState, dice: Dice | None = None, referee: Referee | None = None) -> None:
        self.state = state
        self.referee = referee or _UNFORCED
        self._dice = dice

    @property
    def dice(self) -> Dice:
        """The dice to roll with. RuntimeError if there are none, such as where an offer expires."""
        if self._dice is None:
            raise RuntimeError("there are no dice here: roll where the command or the agenda causes it")
        return self._dice

    def branch(self) -> Decision:
        """A new decision from this state, with the same dice and referee, and no events yet. Nothing reacts in it."""
        return Decision(self.state, self._dice and self.dice, self.referee)

    def require(self, *checks: Check) -> None:
        """Enforce checks: Refused by the first that does not hold, unless the GM overrides it."""
        enforce(checks, self.referee)

    def combatant(self, combatant_id: str) -> Combatant:
        """The combatant with this id, label or name, in its present state; Refused if there is none."""
        return combatant_of(self.state, combatant_id)


class Decision(Situation):
    """One command, answer or step of the agenda while it is being decided.

    A function that takes a `Decision` emits events, which alone change its `state`.

    Attributes:
        start: the state at its beginning.
        states: the states after each of its events.
    """

    __slots__ = ("_answers", "_depth", "_dice_before", "_events", "_reactions", "start", "states")

    def __init__(
        self,
        state: FightState,
        dice: Dice | None = None,
        referee: Referee | None = None,
        reactions: Reactions | None = None,
    ) -> None:
        # Many are made, so the call of the parent's initialiser is saved.
        self.start = self.state = state
        self._dice = dice
        self.referee = referee or (_UNFORCED if reactions is None else Referee("", "", force=False))
        self._events: list[Event] = []
        self.states: list[FightState] = []
        self._reactions = reactions
        # The answers for the running function, and the dice before it, copied when it first uses them.
        self._answers: list[Given] | None = None
        self._dice_before: Dice | None = None
        self._depth = 0

    @property
    def dice(self) -> Dice:
        """The dice to roll with. RuntimeError if there are none, such as where an offer expires."""
        if self._dice_before is None and self._answers is not None:
            self._dice_before = self.copy_dice()
        return super().dice

    @property
    def events(self) -> Events:
        """The events emitted so far and those of their reactions, in order."""
        return tuple(self._events)

    def emit(self, *events: Event) -> None:
        """Let events happen, one after the other: the next one after the reactions to the one before."""
        if not events:
            return
        upcoming, reactions = deque(events), self._reactions
        self._depth += 1
        while upcoming:
            before = self.state
            happens = (fold_first if reactions is None else reactions.fold_next)(before, upcoming)
            if happens is None:
                continue
            event, self.state = happens
            self._events.append(event)
            self.states.append(self.state)
            if reactions is not None:
                if self._depth > DEEPEST_CHAIN or len(self._events) > LONGEST_CHAIN:
                    raise Runaway(tuple(event.type for event in self._events))
                reactions.react(self, before, event)
        self._depth -= 1

    def offer(self, prompt: Prompt) -> None:
        """Open an offer while play continues. A function marked with `handlers.answers` takes it up."""
        self.emit(RulingAsked(prompt=prompt))

    def answer(self, prompt: Prompt, answer: Answer) -> None:
        """Answer an open question by a command, and continue the function that asked; TypeError if none waits."""
        if not isinstance(prompt.waiting, Waiting):
            raise TypeError(f"no function waits for an answer to {prompt.kind!r}")
        self.emit(record_answer(prompt, answer.choice, default=False))
        prompt.waiting.resume(self, answer)

    def withdraw(self, prompts: Iterable[Prompt], note: str) -> None:
        """Close questions that nobody is left to answer; `note` is the reason. Their functions continue with None."""
        for prompt in prompts:
            # What followed from another one may have closed it.
            if self.state.prompt(prompt.id) is not None:
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
        """Return the answer to a question, or None if someone it is about has left, perhaps before it was asked.

        While there is no answer, the function ends here; see the module. Read `state` again afterwards. Raises
        RuntimeError: the function was not begun by a command, a step or `spawn`.
        """
        if self._answers is None:
            raise RuntimeError("only a function that was begun by a command, a step or `spawn` can ask")
        if not self.state.combatants.keys() >= set(concerns(prompt)):
            return None
        if not self._answers:
            raise Suspended(prompt, event_type)
        given = self._answers.pop(0)
        self._events, self.states, self.state = [], [], given.state
        self.referee.overrides.clear()
        if given.dice is not None and self._dice is not None:
            given.dice.take_rest_of(self._dice)
        self._dice = given.dice
        return given.answer

    def ask_about(
        self,
        combatant: Combatant | None,
        kind: str,
        rule: str,
        question: str,
        *answers: str | Choice,
        event_type: type[RulingAsked] = RulingAsked,
        **details: Unpack[PromptDetails],
    ) -> Answer:
        """The answer to a question, as of `prompt_for` and `choices`; its choice is empty if someone has left."""
        prompt = prompt_for(combatant, kind=kind, question=question, rule=rule, choices=choices(*answers), **details)
        return self.ask(prompt, event_type) or Answer()

    def spawn(self, function: Callable[..., object], *args: object) -> None:
        """Run ``function(decision, *args)``, and continue even if it asks. Several questions can be open that way."""
        self._run(None, [], function, args)

    def run(self, function: Callable[..., None], *args: object) -> None:
        """Run ``function(decision, *args)`` as part of the function that is running, or by itself if none is."""
        if self._answers is None:
            self.spawn(function, *args)
        else:
            function(self, *args)

    def run_again(self, run: Waiting) -> None:
        """Run a function from its beginning, with its answers so far, and emit what comes after the last answer.

        RuntimeError if it asked less often than it was answered: it decides by more than its state and dice.
        """
        *earlier, last = run.answers
        copies = (replace(given, dice=given.dice and given.dice.copy()) for given in earlier)
        # The last answer is being given now, so the function continues with the live dice.
        answers = [*copies, replace(last, dice=self._dice and self.dice)]
        again = Decision(run.state, run.dice and run.dice.copy(), run.referee.renewed(self.referee), self._reactions)
        again._depth = self._depth
        again._run(run, answers, run.function, run.args)
        if answers:
            raise RuntimeError(f"{run.function.__qualname__}{run.args} asks less when run again: by clock or counter?")
        # The last answer was given in this very state, so what followed from it need not be folded again.
        self._events += again.events
        self.states += again.states
        self.state = again.state
        self.referee.overrides += again.referee.overrides

    def _run(
        self, run: Waiting | None, answers: list[Given], function: Callable[..., object], args: tuple[object, ...]
    ) -> None:
        """Run a function, perhaps again; it takes its answers out of the list."""
        state, depth, outer, dice_before = self.state, self._depth, self._answers, self._dice_before
        self._answers, self._dice_before = answers, None if run is None else run.dice
        question: RulingAsked | None = None
        try:
            function(self, *args)
        except Suspended as stop:
            self._depth = depth
            waits = run or Waiting(function, args, state, self._dice_before or self.copy_dice(), self.referee)
            if self._dice is not None:
                self._dice.spare_rest()
            question = stop.event_type(prompt=replace(stop.prompt, waiting=waits))
        # If the outer function had not rolled yet, the dice before it are those before this one's first roll.
        self._answers, self._dice_before = outer, dice_before or self._dice_before
        if question is not None:
            # What follows from a question may ask, too.
            self._depth += 1
            self.spawn(Decision.emit, question)
            self._depth -= 1

    def copy_dice(self) -> Dice | None:
        """A copy of the dice at this point, if there are any."""
        return self._dice.copy() if self._dice is not None else None

    def set_facts(self, **values: Json) -> None:
        """Change fields of the fight's record. Fields that have the value already emit nothing."""
        record = self.state.record
        for name, value in changed_fields(record, values).items():
            self.emit(FactChanged(fact=name, before=attrgetter(name)(record), value=value))

    def set_traits(self, combatant_id: str, **values: Json) -> None:
        """Change fields of a combatant's record. Fields that have the value already emit nothing.

        The log does not mention these events. What people should read needs an event of its own, with a `TEXT`.
        """
        record = self.state.combatants[combatant_id].record
        changes = changed_fields(record, values)
        if len(changes) > 1:
            self.emit(TraitsChanged(who=combatant_id, traits=changes))
            return
        for name, value in changes.items():
            self.emit(TraitChanged(who=combatant_id, trait=name, before=attrgetter(name)(record), value=value))

    def reset_trait(self, combatants: Iterable[Combatant], name: str, value: Json) -> None:
        """Set one field of several combatants' records, for those who do not have the value already."""
        stale = tuple(combatant.id for combatant in combatants if changed_fields(combatant.record, {name: value}))
        if stale:
            self.emit(TraitsReset(figures=stale, trait=name, value=value))

    def roll(self, expression: str, purpose: str, combatant_id: str = "", face: int | None = None) -> Roll:
        """Roll dice and emit the result. `face` is the result if it was typed as an answer.

        The log shows a roll beside the next event that has words, so a roll without effect needs such an event, too.
        Raises NeedsDice if it must be typed and was not, Refused for a face that these dice do not have.
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

    def gain_for_side(self, side: str, amount: int, pool: str, who: str = "", purpose: str = "") -> None:
        """Add an amount to a pool of a side that has it, up to its maximum. `who` gains it, if anybody."""
        state = self.state
        points = state.side_pool(side, pool)
        left = max(0, min(points.max, points.now + amount))
        is_known = any(pool in pools for pools in state.side_pools.values())
        if left != points.now or not is_known:
            self.emit(change_side_pool(SidePoolChanged, state, side, pool, left, who, purpose))

    def spend_for_side(self, side: str, amount: int, pool: str, who: str = "", purpose: str = "") -> None:
        """Spend an amount of a pool of a side, or what is left of it. The caller checks that there is enough."""
        self.gain_for_side(side, -amount, pool, who, purpose)

    def refill(self, combatant_id: str, pool: str) -> None:
        """Fill a pool to its maximum, such as the action points of a turn. A full pool emits nothing."""
        combatant = self.state.combatants[combatant_id]
        points = combatant.pool(pool)
        if points.now != points.max:
            self.emit(change_pool(Refilled, combatant, pool, points.max))


DICE = "dice"
"""The name of the setting that says who rolls."""
ENGINE, TABLE, PLAYERS = "engine", "table", "players"
"""Who rolls: the program everything, the table everything, or the players their own and the program the rest."""
DICE_WORDS: Mapping[Json, str] = {
    ENGINE: "the program rolls all dice",
    TABLE: "you roll at the table and type the results",
    PLAYERS: "players roll their own and you type them; the program rolls the rest",
}
"""What each choice means, as a phrase after ``Dice:``."""
_DICE_CHOICES = ("by the program", "at the table", "players their own")


DiceMode = Literal["engine", "table", "players"]
"""The values of the setting `dice`, in the order in which they are offered."""
_WHO_ROLLS = "Who rolls: the program, the table (you type the results), or players (the program rolls for the rest)"


def dice_setting(rule: str = "") -> Setting:
    """The setting `dice`: who rolls."""
    return Setting(DICE, ENGINE, _WHO_ROLLS, rule, (ENGINE, TABLE, PLAYERS), words=_DICE_CHOICES)


def dice_field(rule: str = "") -> DiceMode:
    """The setting `dice` as a field of a dataclass of settings."""
    return setting("engine", _WHO_ROLLS, rule, words=_DICE_CHOICES)


def is_typed(state: FightState, sides: Sequence[str], roll: RollNeeded) -> bool:
    """Whether a roll is to be typed by the table, by the setting `dice`; nobody's is the program's for players."""
    return throws_at_table(state, sides, roll.who or "")


def throws_at_table(state: FightState, sides: Sequence[str], combatant_id: str) -> bool:
    """Whether a combatant's rolls are typed by the table, by the setting `dice`. An empty id stands for nobody's."""
    mode = state.settings.get(DICE, ENGINE)
    combatant = state.combatants.get(combatant_id)
    return mode == TABLE or (mode == PLAYERS and combatant is not None and combatant.side in sides[:1])


def record_roll(roll: Roll, combatant_id: str = "") -> DiceRolled:
    """The event of a roll."""
    return DiceRolled(
        dice=roll.dice, purpose=roll.purpose, faces=roll.faces, total=roll.total, source=roll.source, who=combatant_id
    )


def sum_words(roll: DiceRolled) -> str:
    """A roll as a sum: ``12 +5 = 17``, ``5 +3 = 8 without 1``, or a single die by itself.

    Faces that do not add up to the total are listed before it: ``4 4, total 1``. Counted dice are told as successes:
    ``9 3 7: 2 successes``.
    """
    if counted_dice(roll.dice):
        shown = f"{' '.join(map(str, roll.faces))}: " if roll.faces else ""
        return f"{shown}{roll.total} {'success' if roll.total == 1 else 'successes'}"
    left = list(roll.faces)
    counted: list[int] = []
    dropped: list[int] = []
    for term in _terms_of(roll.dice):
        faces, left = (left[: term.count], left[term.count :]) if term.faces else ([term.count], left)
        keeps_all = not term.faces or term.keep == term.count
        kept_faces = faces if keeps_all else term.kept_of(faces)
        counted += [term.sign * face for face in kept_faces]
        dropped += list((Counter(faces) - Counter(kept_faces)).elements())
    if not counted or sum(counted) != roll.total:
        return f"{' '.join(map(str, roll.faces))}, total {roll.total}"
    first, *others = counted
    added = "".join(f" {number:+d}" for number in others)
    without = f" without {' '.join(map(str, dropped))}" if dropped else ""
    return f"{first}{added} = {roll.total}{without}" if others or without else str(first)


def _terms_of(dice: str) -> tuple[Term, ...]:
    try:
        return parse(dice)
    except ValueError:
        return ()


def total_check(total: int | str | None, dice: int | str | None, rule: str) -> Check:
    """Check that a typed total is one that these dice can give; any will do for a plain number or None."""
    if not isinstance(total, int) or not isinstance(dice, str) or not _terms_of(dice):
        return Check(True, rule, "")
    least, most = bounds(dice)
    is_possible = least <= total <= most or not any(term.faces for term in _terms_of(dice))
    return Check(is_possible, rule, f"{dice} can't give {total}", (f"{least} to {most}",))


def throw(situation: Situation, amount: int | str, purpose: str, combatant_id: str) -> tuple[int, Events]:
    """A number as it is, or the total of the dice, rolled with those of the situation; at least 0."""
    # The roll says what is wrong with dice that can't be read.
    most = amount if isinstance(amount, int) else bounds(amount)[1] if _terms_of(amount) else 0
    if most < 0:
        raise Refused("amount", f"{str(amount).strip()} is below zero", ("0 or more",), final=True)
    if isinstance(amount, int):
        return amount, ()
    roll = situation.dice.roll(amount, purpose, combatant_id)
    return max(0, roll.total), (record_roll(roll, combatant_id),) if roll.is_rolled else ()


YES_NO = (Choice("yes", "yes", "y"), Choice("no", "no", "n"))

_ALWAYS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "made", "passed", "success", "holds", "granted", "foiled", "apply", "pay"), "y"),
    **dict.fromkeys(("no", "failed", "fails", "failure", "denied", "decline"), "n"),
    **dict.fromkeys(("none", "nobody", "nothing", "skip", "plain"), "-"),
    "hit": "h",
    "miss": "m",
}
"""Keys that mean the same at every question: yes and no, hit and miss, and none."""
_KEPT_FREE = frozenset("ynhmu")
"""Letters that no other answer may use: those above, and the key of undo."""


@lru_cache(maxsize=1024)
def choices(*answers: str | Choice) -> tuple[Choice, ...]:
    """Return choices from ``"id:label:key"``, ``"id:label"`` or plain ``"id"`` strings.

    Pass a `Choice` if the label is free text, such as a name, because it may contain a colon.

    A choice without a key gets its fixed key (`_ALWAYS`), by its id or by a label that begins with yes or no; otherwise
    the first free letter of its id.
    """
    used_keys: set[str] = set()
    menu = []
    for answer in answers:
        if isinstance(answer, Choice):
            name, label, key = answer.id, answer.label, answer.key
        else:
            name, _, label = answer.partition(":")
            label, key = (label[:-2], label[-1]) if label[-2:-1] == ":" else (label, "")
            label = label or name.replace("_", " ")
        first = label.replace(",", " ").split(" ")[0]
        fixed_key = key or _ALWAYS.get(first if first in ("yes", "no") else name, "")
        letters = (letter for letter in name.lower() if letter.isalpha() and letter not in used_keys | _KEPT_FREE)
        key = fixed_key if fixed_key and fixed_key not in used_keys else next(letters, "")
        used_keys.add(key)
        menu.append(replace(answer, key=key) if isinstance(answer, Choice) else Choice(name, label, key))
    return tuple(menu)


class PromptDetails(TypedDict, total=False):
    """What a question can have besides its words and answers; see `Prompt`."""

    default: str
    side: str
    dice: str
    purpose: str
    amount: str
    about: tuple[str, ...]
    blocking: bool
    resume: Resume | None


def prompt_for(
    combatant: Combatant | None,
    *,
    kind: str,
    question: str,
    rule: str,
    choices: tuple[Choice, ...],
    **details: Unpack[PromptDetails],
) -> Prompt:
    """Return a question about a combatant; with None, one to the GM or about all of a `side`.

    Its id is assigned when it opens. A function that asks needs no `resume`: it still has its arguments and variables.
    """
    if combatant is not None:
        details["side"] = combatant.side
    who = combatant.id if combatant is not None else ""
    return Prompt(id="", kind=kind, question=question, rule=rule, choices=choices, who=who, **details)


def damage_prompt(attacker: Combatant, target: Combatant, rule: str, dice: str = "") -> Prompt:
    """Return the question how much damage a hit does; `dice`, if known, can be rolled as an answer."""
    question = f"{attacker.name} hits {target.name}. How much damage?"
    menu = choices(*([f"roll:roll {dice}"] if dice else []), "none:no damage")
    return prompt_for(
        attacker, kind="damage", question=question, rule=rule, choices=menu, default=menu[0].id, amount="damage",
        purpose="damage", about=(target.id,),
    )  # fmt: skip


def fold_first(state: FightState, upcoming: deque[Event]) -> tuple[Event, FightState]:
    """The first of upcoming events, taken from them, and the state after it."""
    event = _assign_id(state, upcoming.popleft())
    return event, evolve(state, event)


def _assign_id(state: FightState, event: Event) -> Event:
    """Give the prompt or effect that begins with an event the state's next number as its id, as it is applied."""
    if isinstance(event, RulingAsked):
        name = f"p{state.serial + 1}"
        return event if name == event.prompt.id else replace(event, prompt=replace(event.prompt, id=name))
    if isinstance(event, EffectBegan):
        name = f"e{state.serial + 1}"
        return event if name == event.effect.id else replace(event, effect=replace(event.effect, id=name))
    return event


def open_kinds(state: FightState) -> tuple[str, ...]:
    """The kinds of the open questions, oldest first."""
    return tuple(prompt.kind for prompt in state.prompts)


@remembered
def prompts_by_kind(prompts: tuple[Prompt, ...]) -> Mapping[str, Sequence[Prompt]]:
    """Open prompts by their kinds, oldest first; sorted once, as every command asks."""
    sorted_prompts: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        sorted_prompts.setdefault(prompt.kind, []).append(prompt)
    return sorted_prompts


def concerns(prompt: Prompt) -> tuple[str, ...]:
    """Return the ids of the combatants a question is about. If one of them leaves, the question closes."""
    subjects = prompt.resume.subjects if isinstance(prompt.resume, Resume) else ()
    return (*((prompt.who,) if prompt.who else ()), *prompt.about, *subjects)


def record_default(prompt: Prompt) -> RulingRecorded:
    """Return the event that answers a question with its default; Refused if it has none."""
    if not prompt.default:
        raise Refused(prompt.rule, f"answer first: {prompt.question}", answers_to(prompt), final=True)
    return record_answer(prompt, prompt.default, default=True)


def record_answer(prompt: Prompt, choice: str, *, default: bool, note: str = "") -> RulingRecorded:
    """Return the event that answers a prompt."""
    return RulingRecorded(
        prompt=prompt.id, rule=prompt.rule, question=prompt.question, choice=choice, default_taken=default, note=note
    )


def record_moot(prompts: Iterable[Prompt], note: str = "") -> tuple[RulingRecorded, ...]:
    """Return the events that close prompts. The functions that asked continue only by `Decision.withdraw`."""
    return tuple(record_answer(prompt, "moot", default=True, note=note) for prompt in prompts)


def lapse_offers(state: FightState) -> tuple[RulingRecorded, ...]:
    """Return the events that close the open offers with their defaults."""
    return tuple(record_answer(prompt, prompt.default, default=True) for prompt in state.prompts if not prompt.blocking)


def renew_questions(
    state: FightState, note: str, builders: Mapping[str, Callable[[FightState, Prompt], Prompt | None]]
) -> tuple[Event, ...]:
    """Return the events that replace questions which name the wrong combatant, such as one who has left.

    The state is that after `Decision.withdraw_about`. A builder makes the new question of a kind from the open one, or
    gives None to close it. The note says why the combatant no longer belongs there.
    """
    new_events: list[Event] = []
    for prompt in state.prompts:
        if prompt.kind not in builders:
            continue
        fresh = builders[prompt.kind](state, prompt)
        same = prompt.question, prompt.choices, prompt.default
        if fresh is None or (fresh.question, fresh.choices, fresh.default) != same:
            new_events += record_moot((prompt,), note)
            new_events += [] if fresh is None else [RulingAsked(prompt=replace(fresh, waiting=prompt.waiting))]
    return tuple(new_events)


def answers_to(prompt: Prompt) -> tuple[str, ...]:
    """Return what answers a question, in words: its choices, and a number if it asks for one."""
    number = (f"a number ({prompt.amount})",) if prompt.amount else ()
    return (*(choice.label if choice.who else choice.id for choice in prompt.choices), *number) or ("any words",)


def question_check(state: FightState, *besides: str) -> Check:
    """Check that no question blocks play, except of the kinds `besides`, which the act itself answers."""
    question = next((prompt for prompt in state.prompts if prompt.blocking and prompt.kind not in besides), None)
    if question is None:
        return Check(True, "", "")
    return Check(False, question.rule, f"answer first: {question.question}", answers_to(question), is_turn=True)


# The event of a ruling, and reading the values that rulings take


_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def record_ruling(rule: str, question: str, choice: object, note: str = "") -> RulingRecorded:
    """The event of a ruling that no prompt asked for. The question is a noun, a question, or true or false."""
    words = ("no", "yes")[choice] if isinstance(choice, bool) else str(choice)
    return RulingRecorded(rule=rule, question=question, choice=words, note=note)


def read_flag(rule: str, value: Scalar) -> bool:
    """A value as yes or no; yes if it is left out, Refused if it is neither."""
    if value is None or value is True or (isinstance(value, str) and value in _YES):
        return True
    if value is False or (isinstance(value, str) and value in _NO):
        return False
    raise Refused(rule, f"{value!r} isn't yes or no", ("true", "false"), final=True)


def whole(
    rule: str, value: Scalar, least: int, what: str, *, most: int | None = None, besides: tuple[str, ...] = ()
) -> int:
    """A value as a whole number from `least` to `most`; else Refused, listing these and the answers `besides`."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= (value if most is None else most):
        return value
    numbers = f"a whole number, {least} or more" if most is None else f"{least} to {most}"
    raise Refused(rule, f"{value!r} isn't a {what}", (numbers, *besides), final=True)
