"""Converting events of older versions of this system, in plain JSON, to the next version.

Version 1 stored lists, and the progress of a turn, as words in a string: ``"3 1"``, ``"1:e4 fell"``. Version 2 stored
the duration of a Scene as it was typed. Events that already have the new form are not changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.kit.records import as_int
from fightcall_engine.model.state import Json
from fightcall_engine.systems.turns.scenes import parse_elapsed
from fightcall_engine.systems.turns.terms import STEP_NUMBERS

Data = Mapping[str, Json]

_PHASES: Mapping[str, str] = {str(number): phase for phase, number in STEP_NUMBERS.items()}
_ASKED = re.compile(r"(\d+)first")


def upcast_from_1(event: Data) -> Data:
    """Convert an event of version 1 to version 2."""
    if "trait" in event:
        return _with_values(event, _TRAITS.get(str(event["trait"])))
    if event.get("fact") == "settled":
        return {**_with_values(event, _progress), "fact": "progress"}
    if "fact" in event:
        return _with_values(event, _FACTS.get(str(event["fact"])))
    if isinstance(event.get("combatant"), Mapping):
        return {**event, "combatant": _combatant(cast(Data, event["combatant"]))}
    if isinstance(event.get("prompt"), Mapping):
        return {**event, "prompt": _prompt(cast(Data, event["prompt"]))}
    return event


def upcast_from_2(event: Data) -> Data:
    """Convert an event of version 2 to version 3."""
    prompt = event.get("prompt")
    return {**event, "prompt": _with_seconds(prompt)} if isinstance(prompt, Mapping) else event


def _with_seconds(prompt: Data) -> Data:
    """A question about closing a Scene, with its duration in seconds."""
    resume = prompt.get("resume")
    if not isinstance(resume, Mapping) or "elapsed" not in resume:
        return prompt
    rest = {name: value for name, value in resume.items() if name != "elapsed"}
    return {**prompt, "resume": {**rest, "elapsed_s": parse_elapsed(str(resume["elapsed"]))}}


def _with_values(event: Data, convert: Callable[[Json], Json] | None) -> Data:
    """An event with converted values before and after."""
    if convert is None:
        return event
    return {**event, **{name: convert(event[name]) for name in ("before", "value") if name in event}}


def _words(value: Json) -> Json:
    return value.split() if isinstance(value, str) else value


def _numbers(value: Json) -> Json:
    return [int(word) for word in value.split() if word.isdigit()] if isinstance(value, str) else value


def _amount(value: Json) -> Json:
    """A number or dice; nothing for an empty text."""
    if not isinstance(value, str):
        return value
    return int(value) if value.isdigit() else value or None


def _progress(value: Json) -> Json:
    """The handled effects of a turn: ``1:e4`` for an effect in a step, ``2:3first`` for a question about three."""
    if not isinstance(value, str):
        return value
    handled_effects: list[Json] = []
    questions: list[Json] = []
    words = value.split()
    for number, _, rest in (word.partition(":") for word in words if ":" in word):
        phase, question = _PHASES.get(number, ""), _ASKED.fullmatch(rest)
        if question is None:
            handled_effects.append({"phase": phase, "effect_id": rest})
        else:
            questions.append({"phase": phase, "left": int(question[1])})
    return {"handled": handled_effects, "asked": questions, "fell": "fell" in words, "asked_to_act": "asked5" in words}


_TRAITS: Mapping[str, Callable[[Json], Json]] = {"tie_d6": _numbers, "effect_order": _words, "init_roll": as_int}
_FACTS: Mapping[str, Callable[[Json], Json]] = {"standing": _words, "hp_per_resolve": _amount}


def _combatant(combatant: Data) -> Data:
    """A combatant with its traits converted to a record."""
    traits = combatant.get("traits")
    if combatant.get("record") is not None or not isinstance(traits, Mapping):
        return combatant
    record = {name: _TRAITS[name](value) if name in _TRAITS else value for name, value in traits.items()}
    return {**combatant, "record": record}


def _prompt(prompt: Data) -> Data:
    """A question with its data converted to a resume."""
    data = prompt.get("data")
    if prompt.get("resume") is not None or not isinstance(data, Mapping) or not data:
        return prompt
    make = _RESUMES.get(str(prompt.get("kind")))
    return prompt if make is None else {**prompt, "data": {}, "resume": make(prompt, data)}


def _about_effect(prompt: Data, data: Data) -> Data:
    return {"type": "AboutEffect", "effect_id": data.get("effect", ""), "bearer_id": data.get("about", prompt["who"])}


def _about_people(prompt: Data, data: Data) -> Data:
    return {"type": "AboutPeople", "people": _words(data.get("people", ""))}


def _about_attack(prompt: Data, data: Data) -> Data:
    return {"type": "AboutAttack", "target_id": data.get("about", ""), "damage": data.get("damage")}


def _about_offer(prompt: Data, data: Data) -> Data:
    return {"type": "AboutOffer", "offered_id": data.get("about", "")}


def _about_closing(prompt: Data, data: Data) -> Data:
    return {"type": "AboutClosing", "elapsed": data.get("elapsed", ""), "reason": data.get("reason", "")}


def _about_free_action(prompt: Data, data: Data) -> Data:
    return {"type": "AboutFreeAction", "what": data.get("what", "")}


def _about_resolve(prompt: Data, data: Data) -> Data:
    return {"type": "AboutResolve", "spend": data["spend"]}


_RESUMES: Mapping[str, Callable[[Data, Data], Data]] = {
    **dict.fromkeys(("pulse", "upkeep", "down_payer", "gone_payer"), _about_effect),
    **dict.fromkeys(("actions", "together", "broken"), _about_people),
    **dict.fromkeys(("outcome", "damage"), _about_attack),
    **dict.fromkeys(("left_out", "elapsed"), _about_closing),
    "step_in": _about_offer,
    "free_action": _about_free_action,
    "hp_per_resolve": _about_resolve,
}
