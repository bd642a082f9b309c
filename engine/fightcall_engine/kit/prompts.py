"""Makes, answers and closes prompts, and records rulings.

A prompt is a question that a function waits for (`Decision.ask`), or an offer (`Decision.offer`). Prompts and effects
get numbers as ids when they begin, so that the same history always gives them the same ids.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, Event, RulingAsked, RulingRecorded
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Resume, Scalar

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


def prompt_for(
    combatant: Combatant | None,
    *,
    kind: str,
    question: str,
    rule: str,
    choices: tuple[Choice, ...],
    default: str = "",
    dice: str = "",
    purpose: str = "",
    amount: str = "",
    about: tuple[str, ...] = (),
    blocking: bool = True,
    resume: Resume | None = None,
    side: str = "",
) -> Prompt:
    """Return a question about a combatant; with None, one to the GM or about all of a `side`.

    Its id is assigned when it opens. The other arguments are those of `Prompt`. A function that asks needs no `resume`:
    it still has its arguments and variables.
    """
    return Prompt(
        id="",
        kind=kind,
        question=question,
        rule=rule,
        choices=choices,
        default=default,
        who="" if combatant is None else combatant.id,
        side=side if combatant is None else combatant.side,
        dice=dice,
        purpose=purpose,
        amount=amount,
        about=about,
        blocking=blocking,
        resume=resume,
    )


def assign_id(state: FightState, event: Event) -> Event:
    """Give the prompt or effect that begins with an event the state's next number as its id.

    This happens when the event is applied, because other prompts and effects may have begun since it was decided.
    """
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


def concerns(prompt: Prompt) -> tuple[str, ...]:
    """Return the ids of the combatants a question is about. If one of them leaves, the question closes."""
    subjects = prompt.resume.subjects if isinstance(prompt.resume, Resume) else ()
    return (*((prompt.who,) if prompt.who else ()), *prompt.about, *subjects)


def record_default(prompt: Prompt) -> RulingRecorded:
    """Return the event that answers a question with its default.

    Raises:
        Refused: it has none.
    """
    if not prompt.default:
        raise Refused(prompt.rule, f"answer first: {prompt.question}", answers_to(prompt), final=True)
    return record_answer(prompt, prompt.default, default=True)


def record_answer(prompt: Prompt, choice: str, *, default: bool, note: str = "") -> RulingRecorded:
    """Return the event that answers a prompt."""
    return RulingRecorded(
        prompt=prompt.id,
        rule=prompt.rule,
        question=prompt.question,
        choice=choice,
        default_taken=default,
        note=note,
    )


def record_moot(prompts: Iterable[Prompt], note: str = "") -> tuple[RulingRecorded, ...]:
    """Return the events that close prompts without an answer; `note` is the reason.

    The functions that asked do not continue. Use `Decision.withdraw` if they should.
    """
    return tuple(record_answer(prompt, "moot", default=True, note=note) for prompt in prompts)


def lapse_offers(state: FightState) -> tuple[RulingRecorded, ...]:
    """Return the events that close the open offers with their defaults."""
    return tuple(record_answer(prompt, prompt.default, default=True) for prompt in state.prompts if not prompt.blocking)


def renew_questions(
    state: FightState, note: str, builders: Mapping[str, Callable[[FightState, Prompt], Prompt | None]]
) -> tuple[Event, ...]:
    """Return the events that replace questions which name the wrong combatant, such as one who has left.

    Args:
        state: the fight without the leaver, after `Decision.withdraw_about`.
        note: why the combatant no longer belongs there.
        builders: by kind of question, a function that makes the new question from the open one, or None to close it.
    """
    new_events: list[Event] = []
    for prompt in state.prompts:
        if prompt.kind not in builders:
            continue
        fresh = builders[prompt.kind](state, prompt)
        if fresh is None or (fresh.question, fresh.choices) != (prompt.question, prompt.choices):
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
    """The event of a ruling that no prompt asked for.

    Args:
        rule: its id.
        question: what was ruled on: a noun, a question with its mark, or a statement that is true or not.
        choice: what was ruled; of a statement, whether it is true.
        note: what the GM said about it.
    """
    words = ("no", "yes")[choice] if isinstance(choice, bool) else str(choice)
    return RulingRecorded(rule=rule, question=question, choice=words, note=note)


def read_flag(rule: str, value: Scalar) -> bool:
    """A value as yes or no; yes if it is left out.

    Raises:
        Refused: it is neither.
    """
    if value is None or value is True or (isinstance(value, str) and value in _YES):
        return True
    if value is False or (isinstance(value, str) and value in _NO):
        return False
    raise Refused(rule, f"{value!r} isn't yes or no", ("true", "false"), final=True)


def whole(
    rule: str, value: Scalar, least: int, what: str, *, most: int | None = None, besides: tuple[str, ...] = ()
) -> int:
    """A value as a whole number from `least` to `most`; `besides` are other answers that a refusal lists.

    Raises:
        Refused: it is not one; says what would be accepted.
    """
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= (value if most is None else most):
        return value
    numbers = f"a whole number, {least} or more" if most is None else f"{least} to {most}"
    raise Refused(rule, f"{value!r} isn't a {what}", (numbers, *besides), final=True)
