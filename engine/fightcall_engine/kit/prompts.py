"""Making prompts. Prompts and effects are numbered as they begin, so that the same history names them alike."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, Event, RulingAsked, RulingRecorded
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Resume

YES_NO = (Choice("yes", "yes", "y"), Choice("no", "no", "n"))


_ALWAYS: Mapping[str, str] = {
    **dict.fromkeys(("yes", "made", "passed", "success", "holds", "granted", "foiled", "apply", "pay"), "y"),
    **dict.fromkeys(("no", "failed", "fails", "failure", "denied", "decline"), "n"),
    **dict.fromkeys(("none", "nobody", "nothing", "skip", "plain"), "-"),
    "hit": "h",
    "miss": "m",
}
"""Keys that mean the same at every question: yes and no, hit and miss, and nothing of the kind."""
_KEPT_FREE = frozenset("ynhmu")
"""Letters that no other answer gets: those above, and the key that takes back."""


def choices(*answers: str | Choice) -> tuple[Choice, ...]:
    """Choices from ``"id:label:key"``, ``"id:label"`` or plain ``"id"`` strings.

    An answer whose label somebody has typed, such as a name, is given as a `Choice`: a colon may stand in it.

    A choice without a key gets the one that always means what it says (`_ALWAYS`), by its id or by a label that begins
    with yes or no; else the first letter of its id that is free.
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
        usual = key or _ALWAYS.get(first if first in ("yes", "no") else name, "")
        letters = (letter for letter in name.lower() if letter.isalpha() and letter not in used_keys | _KEPT_FREE)
        key = usual if usual and usual not in used_keys else next(letters, "")
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
    blocking: bool = True,
    resume: Resume | None = None,
    side: str = "",
) -> Prompt:
    """A question to a combatant, or with None to the GM or to all of a `side`; its id is given as it opens.

    All else is as in `Prompt`.
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
        blocking=blocking,
        resume=resume,
    )


def assign_id(state: FightState, event: Event) -> Event:
    """An event as it is applied: what begins with it, a prompt or an effect, gets the state's next number as its id.

    Only here is it known what else has begun since the command was decided: reactions to its first events, or the
    questions of another answer in the same step.
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
    """The ids of those a question is about: without any of them it needs no answer."""
    own = prompt.resume.subjects if isinstance(prompt.resume, Resume) else ()
    return (prompt.who, *own) if prompt.who else own


def record_default(prompt: Prompt) -> RulingRecorded:
    """The record that a question takes its default.

    Raises:
        Refused: it has none.
    """
    if not prompt.default:
        raise Refused(prompt.rule, f"answer first: {prompt.question}", answers_to(prompt), final=True)
    return record_answer(prompt, prompt.default, default=True)


def record_answer(prompt: Prompt, choice: str, *, default: bool, note: str = "") -> RulingRecorded:
    """The record that a prompt is answered."""
    return RulingRecorded(
        prompt=prompt.id,
        rule=prompt.rule,
        question=prompt.question,
        choice=choice,
        default_taken=default,
        note=note,
    )


def record_moot(prompts: Iterable[Prompt], note: str = "") -> tuple[RulingRecorded, ...]:
    """The records that these questions need no answer any more; `note` says why."""
    return tuple(record_answer(prompt, "moot", default=True, note=note) for prompt in prompts)


def close_moot(state: FightState, leaver_id: str) -> tuple[RulingRecorded, ...]:
    """The records that questions about somebody who has left need no answer any more; see `concerns`."""
    return record_moot((each for each in state.prompts if leaver_id in concerns(each)), f"{leaver_id} has left")


def lapse_offers(state: FightState) -> tuple[RulingRecorded, ...]:
    """The records that nobody took up what was offered, of offers that do nothing by default."""
    return tuple(record_answer(prompt, prompt.default, default=True) for prompt in state.prompts if not prompt.blocking)


def renew_questions(
    state: FightState, note: str, builders: Mapping[str, Callable[[FightState, Prompt], Prompt | None]]
) -> tuple[Event, ...]:
    """Questions that name somebody who is no longer meant, such as a leaver, asked anew without that name.

    Args:
        state: the fight without the leaver, in which questions about nobody else are closed; see `close_moot`.
        note: why they are no longer meant.
        builders: how a question of a kind is made for a state, from the one that is open; None where it is moot.
    """
    new_events: list[Event] = []
    for prompt in state.prompts:
        if prompt.kind not in builders:
            continue
        fresh = builders[prompt.kind](state, prompt)
        if fresh is None or (fresh.question, fresh.choices) != (prompt.question, prompt.choices):
            new_events += record_moot((prompt,), note)
            new_events += [] if fresh is None else [RulingAsked(prompt=fresh)]
    return tuple(new_events)


def answers_to(prompt: Prompt) -> tuple[str, ...]:
    """What answers a question: its choices, where somebody's act is one that act in words, and a number if it asks."""
    number = (f"a number ({prompt.amount})",) if prompt.amount else ()
    return (*(choice.label if choice.who else choice.id for choice in prompt.choices), *number) or ("any words",)


def question_check(state: FightState, *besides: str) -> Check:
    """Play waits while something must be answered first; this itself answers questions of the kinds `besides`."""
    question = next((prompt for prompt in state.prompts if prompt.blocking and prompt.kind not in besides), None)
    if question is None:
        return Check(True, "", "")
    return Check(False, question.rule, f"answer first: {question.question}", answers_to(question))
