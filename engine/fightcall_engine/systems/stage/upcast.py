"""Upcasts events of older versions of Stage Moments; see `fightcall_engine.play.upcast`."""

from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.model.state import Json
from fightcall_engine.systems.stage.queries import REST_OF_HALF

_BUSINESS, _PRICE = "business:", "price:"
_WORDS = ("talked", "losses", "managed")
"""Facts that version 1 kept as several words in one text."""


def from_version_1(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """From version 1: lists as texts of words, works and prices under prefixed names, and scalars in prompts."""
    if event["type"] == "Joined":
        return {**event, "combatant": _combatant(cast("Mapping[str, Json]", event["combatant"]))}
    if event["type"] == "RulingAsked":
        return {**event, "prompt": _prompt(cast("Mapping[str, Json]", event["prompt"]))}
    trait, fact = str(event.get("trait", "")), str(event.get("fact", ""))
    if trait.startswith(_BUSINESS):
        return _entry(event, "trait", "works", trait.removeprefix(_BUSINESS), _work)
    if fact.startswith(_PRICE):
        return _entry(event, "fact", "prices", fact.removeprefix(_PRICE), lambda price: price)
    if fact in _WORDS or fact == "melee_pairs":
        reader = _pairs if fact == "melee_pairs" else _word_list
        return {**event, "before": reader(event.get("before")), "value": reader(event.get("value"))}
    return event


def from_version_2(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """From version 2: the rest of a half that was put back was marked by its step's id (SB-13)."""
    steps = event.get("steps")
    if not isinstance(steps, list):
        return event
    return {**event, "steps": [_step(cast("Mapping[str, Json]", step)) for step in steps]}


def _step(step: Mapping[str, Json]) -> Mapping[str, Json]:
    return {**step, "number": REST_OF_HALF} if str(step["id"]).endswith(".resumed") else step


def _entry(
    event: Mapping[str, Json], old: str, field: str, key: str, reader: Callable[[Json], Json]
) -> Mapping[str, Json]:
    """The change of an entry, for version 1's change of a prefixed name."""
    kind = event["type"] if str(event["type"]).startswith("Business") else "EntryChanged"
    rest = {name: value for name, value in event.items() if name != old}
    values = {name: reader(event.get(name)) for name in ("before", "value")}
    return {**rest, **values, "type": kind, "field": field, "key": key}


def _work(counts: Json) -> Json:
    """A work from its text: ``1/3`` for one phase done of three, or any other words if just begun."""
    if not isinstance(counts, str) or not counts:
        return None
    done, _, needed = counts.partition("/")
    is_count = done.isdecimal() and needed.isdecimal()
    return {"done": int(done), "needed": int(needed)} if is_count else {"done": 0, "needed": 1}


def _word_list(text: Json) -> Json:
    return text.split() if isinstance(text, str) else text


def _pairs(text: Json) -> Json:
    return [pair.split(":") for pair in text.split()] if isinstance(text, str) else text


def _combatant(combatant: Mapping[str, Json]) -> Mapping[str, Json]:
    """A combatant with its traits as its record."""
    traits = cast("Mapping[str, Json]", combatant.get("traits", {}))
    if not traits:
        return combatant
    record: dict[str, Json] = {name: value for name, value in traits.items() if not name.startswith(_BUSINESS)}
    works = {name.removeprefix(_BUSINESS): _work(value) for name, value in traits.items() if name.startswith(_BUSINESS)}
    record["works"] = {name: work for name, work in works.items() if work is not None}
    return {**combatant, "record": record}


_RESUMES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "outcome": ("StrikeOutcome", ("target", "kind", "damage", "die", "modifier")),
    "damage": ("StrikeDamage", ("target", "dice")),
    "price": ("StuntPrice", ("name", "hexes", "meets", "to")),
    "passed_hidden": ("Passage", ("mover",)),
}
"""By kind of prompt: its `Resume` now, and the names under which version 1 kept its fields."""


def _prompt(prompt: Mapping[str, Json]) -> Mapping[str, Json]:
    """A prompt with its `Resume`."""
    data = cast("Mapping[str, Json]", prompt.get("data", {}))
    kind, names = _RESUMES.get(str(prompt["kind"]), ("", ()))
    if not data or prompt.get("resume"):
        return prompt
    resume = {"type": kind, **{name: data[name] for name in names if data.get(name) is not None}} if kind else None
    return {**prompt, "data": {}, "resume": resume}
