"""Fate: whoever holds a token is asked before a roll that goes against him takes effect (CS-653).

The command, or the answer, that rolled is held back with its dice until the question is answered; then it is carried
out as the dice fell, or as the token has changed them. With the token it is one entry, and undone as one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.rulings import record_ruling, truth
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import FightState, Prompt, Scalar
from fightcall_engine.systems.segments.rules import heroics as heroic_rules
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import packed_commands, tokens
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of

FATE = "fate"
"""The kind of the prompt that asks for a token."""

STANDS, SPEND = "stands", "spend"

GOOD, BAD = ("white", "fate"), ("black",)
"""Tokens that turn a roll to their holder's good, and to his harm."""

_ASKED, _DATA, _ANSWER = "asked_", "data_", "answer"


@dataclass(frozen=True, slots=True)
class Handlers:
    """What carries out a command or an answer that was held back, whatever tokens might turn in it.

    Attributes:
        kinds: the commands there are.
        decide: carries a command out.
        answer: brings what follows an answer.
    """

    kinds: Iterable[type[cm.Command]]
    decide: Callable[[Decision, cm.Command], ev.Events]
    answer: Callable[[Decision, Prompt, cm.Answer], None]


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll that a token can turn.

    Attributes:
        nth: which check of the command it is, from 0.
        check: the roll.
        place: where its throw stands among the events.
        by: who may spend a token on it: ids and colours.
    """

    nth: int
    check: sev.CheckResolved
    place: int
    by: tuple[tuple[str, str], ...]


def is_asked(state: FightState) -> bool:
    """True where somebody holds a token that he may be asked about."""
    on = state.settings.get("fate_tokens") is True and not battle_of(state).fate_quiet
    return on and any(fighter_of(combatant).tokens for combatant in state.combatants.values())


@rules_on("fate")
def rule_fate(decision: Decision, rule: cm.Rule) -> None:
    """CS-653: whether rolls are held up for tokens; if not, they are spent by the GM's word alone."""
    state = decision.state
    asks = truth("CS-653", rule.value)
    record = record_ruling("CS-653", "Whoever holds a token is asked about rolls", asks, rule.note)
    decision.emit(record, *fg.set_fact(state, "fate_quiet", not asks))


# Which roll it is


def turn_in(state: FightState, caused: Sequence[ev.Event], first: int = 0) -> Turn | None:
    """The first roll of so many that went against the holder of a token, from the check `first` on."""
    nth = -1
    for place, event in enumerate(caused):
        if not isinstance(event, sev.CheckResolved):
            continue
        nth += 1
        thrown = place and isinstance(caused[place - 1], ev.DiceRolled)
        if nth < first or not thrown or event.chance is None or event.roll is None:
            continue
        by = _token_holders(state, event)
        if by and turn_roll(event.chance, succeeds=not event.ok) is not None:
            return Turn(nth, event, place - 1, by)
    return None


def _token_holders(state: FightState, check: sev.CheckResolved) -> tuple[tuple[str, str], ...]:
    """Who has a token that would turn it: his own failure or a foe's success, and with a black one the reverse."""
    found = []
    for combatant_id, own in ((check.who, True), (check.target, False)):
        combatant = state.combatants.get(combatant_id)
        wanted = BAD if check.ok is own else GOOD
        held = () if combatant is None else tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens))
        found += [(combatant_id, colour) for colour in held if colour in wanted]
    return tuple(found)


def turn_roll(chance: int, *, succeeds: bool) -> int | None:
    """The roll that a token makes of it: a clear success or failure, but no Heroic Effect and no Bumble.

    None where no roll can be one.
    """
    marks = heroic_rules.thresholds(chance)
    if succeeds:
        return min(chance, marks.heroic_most + 1) if chance > 0 else None
    return max(chance + 1, min(100, marks.bumble_least - 1)) if chance < 100 else None


# Holding back


def after_command(state: FightState, command: cm.Command, caused: ev.Events) -> ev.Events:
    """What a command causes; where a token may turn a roll of it, only the question for now."""
    turn = turn_in(state, caused) if is_asked(state) else None
    if turn is None:
        return caused
    return (ev.RulingAsked(prompt=_question(state, turn, caused, command.type, packed_commands.pack_command(command))),)


def after_answer(state: FightState, prompt: Prompt, given: cm.Answer, caused: ev.Events) -> ev.Events:
    """What an answer causes, likewise."""
    turn = turn_in(state, caused) if is_asked(state) else None
    if turn is None:
        return caused
    kept = {**packed_commands.pack_command(given), **_pack_prompt(prompt)}
    return (ev.RulingAsked(prompt=_question(state, turn, caused, _ANSWER, kept)),)


def _pack_prompt(prompt: Prompt) -> Mapping[str, Scalar]:
    fields: dict[str, Scalar] = {
        "id": prompt.id, "kind": prompt.kind, "question": prompt.question, "rule": prompt.rule, "who": prompt.who,
        "side": prompt.side, "amount": prompt.amount, "default": prompt.default,
    }  # fmt: skip
    own = {_ASKED + name: value for name, value in fields.items()}
    return {**own, **{_ASKED + _DATA + name: value for name, value in prompt.data.items()}}


def _question(state: FightState, turn: Turn, caused: ev.Events, held: str, kept: Mapping[str, Scalar]) -> Prompt:
    check = turn.check
    combatant = state.combatants[turn.by[0][0]]
    how, other = ("succeeds", "fails") if check.ok else ("fails", "succeeds")
    spending = tuple(
        f"{SPEND}{place + 1 if place else ''}:{state.combatants[combatant_id].name}'s {colour} token: it {other}"
        for place, (combatant_id, colour) in enumerate(turn.by)
    )
    roller = state.combatants[check.who].name
    return prompt_for(
        combatant, kind=FATE, rule="CS-653",
        question=f"{roller}, {check.kind}: {check.roll} against {check.chance} % {how}. Does a token change it?",
        choices=choices(f"{STANDS}:it stands", *spending), default=STANDS, amount="the number it becomes",
        data={
            **kept, "held": held, "nth": turn.nth, "rolls": json.dumps(_rolls(caused)), "about": check.target,
            "seeded": " ".join(sorted(_seed_purposes(caused))),
            "by": " ".join(f"{combatant_id}={colour}" for combatant_id, colour in turn.by),
        },
    )  # fmt: skip


def _rolls(caused: ev.Events) -> dict[str, list[int]]:
    """All that was thrown, by its purpose."""
    found: dict[str, list[int]] = {}
    for event in caused:
        if isinstance(event, ev.DiceRolled):
            found.setdefault(event.purpose, []).extend(event.faces)
    return found


def _seed_purposes(caused: ev.Events) -> set[str]:
    """For what the engine has thrown the dice itself."""
    return {event.purpose for event in caused if isinstance(event, ev.DiceRolled) and event.source == "seed"}


# Going on


def answer(decision: Decision, prompt: Prompt, given: cm.Answer, handlers: Handlers) -> ev.Events:
    """The roll stands, or a token changes it; then all that hangs on it follows.

    Args:
        decision: the fight, and the dice.
        prompt: the question, with what it holds back.
        given: the answer.
        handlers: what carries out that which was held back.

    Raises:
        Refused: what was typed is no number of a d100.
    """
    state, dice = decision.state, decision.dice
    rolls = {name: tuple(faces) for name, faces in json.loads(str(prompt.data.get("rolls") or "{}")).items()}
    try:
        before = _as_thrown(prompt, _again(state, prompt, Dice("", 0, rolls), handlers))
    except Refused:
        # Since it was asked, whoever was to do this has fallen or left, or the like: nothing comes of the roll.
        return ()
    nth = prompt.data.get("nth")
    turn = turn_in(state, before, nth if isinstance(nth, int) else 0)
    if given.choice == STANDS or turn is None:
        return _next(state, prompt, before, turn)
    number = _number(given, turn.check)
    holder, colour = _spender(given.choice, turn)
    course = Decision(state)
    combatant = state.combatants[holder]
    on = f"{turn.check.kind}, {turn.check.roll} becomes {number}"
    course.emit(*tokens.spend_token(combatant, colour, on))
    changed, data = _change_rolls(prompt, before, turn, rolls, number)
    held = replace(prompt, data=data)
    course.emit(*_as_thrown(held, _again(course.state, held, dice.fallen(changed), handlers), besides=turn))
    return course.events


def _as_thrown(prompt: Prompt, caused: ev.Events, besides: Turn | None = None) -> ev.Events:
    """The same with dice of the engine told as such, but for the one that a token has changed."""
    seeded = str(prompt.data.get("seeded") or "").split()
    return tuple(
        replace(event, source="seed")
        if isinstance(event, ev.DiceRolled) and event.purpose in seeded and (besides is None or place != besides.place)
        else event
        for place, event in enumerate(caused)
    )


def _number(given: cm.Answer, check: sev.CheckResolved) -> int:
    """The roll as it becomes: as typed, else clearly the other way."""
    if given.choice.startswith(SPEND):
        return turn_roll(check.chance or 0, succeeds=not check.ok) or 1
    number = given.amount
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 100:
        raise Refused("CS-653", f"{number!r} is no roll", ("1 to 100", STANDS, SPEND), final=True)
    return number


def _spender(choice: str, turn: Turn) -> tuple[str, str]:
    place = choice.removeprefix(SPEND)
    wanted = int(place) - 1 if choice.startswith(SPEND) and place.isdecimal() else 0
    return turn.by[wanted if 0 <= wanted < len(turn.by) else 0]


def _next(state: FightState, prompt: Prompt, caused: ev.Events, turn: Turn | None) -> ev.Events:
    """It stands: carried out, unless another roll of it may be turned."""
    later = None if turn is None else turn_in(state, caused, turn.nth + 1)
    if later is None:
        return caused
    held = str(prompt.data.get("held") or "")
    kept = {name: value for name, value in prompt.data.items() if name not in _OWN}
    return (ev.RulingAsked(prompt=_question(state, later, caused, held, kept)),)


_OWN = ("held", "nth", "rolls", "about", "by", "seeded")
"""What such a question keeps beside what it holds back."""


def _change_rolls(
    prompt: Prompt, caused: ev.Events, turn: Turn, rolls: Mapping[str, tuple[int, ...]], number: int
) -> tuple[dict[str, tuple[int, ...]], Mapping[str, Scalar]]:
    """The throws with the one that the token has changed; one thrown before is kept in the question itself."""
    thrown = caused[turn.place]
    purpose = thrown.purpose if isinstance(thrown, ev.DiceRolled) else ""
    earlier = [event for event in caused[: turn.place] if isinstance(event, ev.DiceRolled) and event.purpose == purpose]
    place = sum(len(event.faces) for event in earlier)
    faces = rolls[purpose]
    changed = {**rolls, purpose: (*faces[:place], number, *faces[place + 1 :])}
    die = f"{_ASKED}{_DATA}die"
    data = {**prompt.data, die: number} if prompt.data.get(die) is not None and turn.nth == 0 else prompt.data
    return changed, data


def _again(state: FightState, prompt: Prompt, dice: Dice, handlers: Handlers) -> ev.Events:
    """What was held back, carried out with these dice."""
    held = str(prompt.data.get("held") or "")
    if held == _ANSWER:
        given = packed_commands.unpack_command(cm.Answer, prompt)
        asked = _unpack_prompt(prompt)
        again = Decision(state, dice, Referee(given.type, asked.who, given.force))
        handlers.answer(again, asked, given)
        return again.events
    kind = next(kind for kind in handlers.kinds if kind.type == held)
    command = packed_commands.unpack_command(kind, prompt)
    judge = Referee(held, str(getattr(command, "who", "")), command.force)
    # What has come up since does not stand in its way: it was given before.
    free = replace(state, prompts=tuple(prompt for prompt in state.prompts if not prompt.blocking))
    return handlers.decide(Decision(free, dice, judge), command)


def _unpack_prompt(prompt: Prompt) -> Prompt:
    """The question whose answer was held back."""
    own = {name.removeprefix(_ASKED): value for name, value in prompt.data.items() if name.startswith(_ASKED)}
    data = {name.removeprefix(_DATA): value for name, value in own.items() if name.startswith(_DATA)}
    texts = {name: str(value or "") for name, value in own.items() if not name.startswith(_DATA)}
    return Prompt(choices=(), data=data, **texts)  # type: ignore[arg-type]
