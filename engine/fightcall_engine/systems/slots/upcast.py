"""Upcasts journals of version 1, in which the state was flat names, to version 2.

Names that are gone: those of an action of several rounds (``action_...``), of an act's harm (``struck_...``), of the
problems of Slow Burn (``issue_...``) and of the marks of zones (``mark_...``); a second problem and each mark had its
number behind the name. A band's members were in the id of its step, and the record of an open question in its
``data``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fightcall_engine.model.state import Json

Event = Mapping[str, Json]

_WORK = {
    "action": "name",
    "action_needed": "needed",
    "action_paid": "paid",
    "action_round": "paid_in",
    "action_begun": "begun_in",
    "action_roll": "roll",
    "action_breakable": "breakable",
    "action_target": "target",
    "action_damage": "damage",
}
_HARM = {"struck": "target", "struck_with": "act", "struck_for": "amount", "struck_down": "felled"}
_RECORDS = {"work": _WORK, "last_harm": _HARM}
"""By field of a combatant: the names of version 1, each with the name of its part in the record now."""
_PROBLEM = {"issue": "name", "issue_needed": "needed", "issue_done": "done"}
_MARK = {
    "mark": "name",
    "mark_zone": "zone",
    "mark_price": "price",
    "mark_kind": "kind",
    "mark_amount": "amount",
    "mark_left": "left",
}
_ENTRIES = {"problems": _PROBLEM, "marks": _MARK}
"""By field of the encounter: the names of version 1 without numbers, each with the name of its part in an entry now."""
_LISTS = ("seen", "waived")


def from_version_1(event: Event) -> Event:
    """An event of version 1 in the form of version 2; any other event unchanged."""
    upcast = _UPCASTS.get(str(event["type"]))
    return event if upcast is None else upcast(event)


def _without(event: Event, *names: str) -> dict[str, Json]:
    return {name: value for name, value in event.items() if name not in names}


# Combatants


def _joined(event: Event) -> Event:
    combatant = cast("Mapping[str, Json]", event["combatant"])
    traits = cast("Mapping[str, Json]", combatant.get("traits") or {})
    if not traits:
        return event
    return {**event, "combatant": {**combatant, "record": _fighter(traits)}}


def _fighter(traits: Mapping[str, Json]) -> dict[str, Json]:
    """The fields of a combatant's record."""
    others = {name: value for name, value in traits.items() if _field_of(name) is None}
    return {**others, "agility": others.get("agility") or 0, "work": _work(traits), "last_harm": _harm(traits)}


def _work(traits: Mapping[str, Json]) -> dict[str, Json] | None:
    return {new: traits[old] for old, new in _WORK.items() if old in traits} if traits.get("action") else None


def _harm(traits: Mapping[str, Json]) -> dict[str, Json] | None:
    return {new: traits[old] for old, new in _HARM.items() if old in traits} if traits.get("struck") else None


def _field_of(name: Json) -> tuple[str, str] | None:
    """The field and the part of its record for a name of version 1; None for a name that has not changed."""
    return next(((field, names[str(name)]) for field, names in _RECORDS.items() if name in names), None)


def _trait_changed(event: Event) -> Event:
    place = _field_of(event.get("trait"))
    if place is None:
        return event
    field, part = place
    if event["trait"] in ("action", "struck") and not event.get("value"):
        return {"type": "TraitChanged", "who": event["who"], "trait": field, "value": None}
    change = {"who": event["who"], "field": field, "part": part, "before": event.get("before")}
    return {"type": "EntryChanged", **change, "value": event.get("value")}


def _traits_changed(event: Event) -> Event:
    traits = cast("Mapping[str, Json]", event["traits"])
    if "struck" not in traits:
        return event
    others = {name: value for name, value in traits.items() if name not in _HARM}
    return {**event, "traits": {**others, "last_harm": _harm(traits)}}


def _traits_reset(event: Event) -> Event:
    """Resetting a part resets its whole record: version 1 reset all parts together, as the Cycle was left."""
    field = _field_of(event.get("trait"))
    return event if field is None else {**event, "trait": field[0], "value": None}


def _begun(event: Event) -> Event:
    if event.get("trait") != "action":
        return event
    work = {"name": event["value"], "needed": event["needed"], "roll": event.get("roll")}
    work["target"] = event.get("target", "")
    return {**_without(event, "trait", "before"), "value": work}


def _paid(event: Event) -> Event:
    return _without(event, "trait") if "trait" in event else event


def _work_gone(event: Event) -> Event:
    return {**_without(event, "trait", "before"), "value": None} if event.get("trait") == "action" else event


# The encounter


def _entry_of(fact: str) -> tuple[str, str, str]:
    """The field, key and part for a fact of version 1; all empty for one that has not changed."""
    base, _, number = fact.rpartition("_")
    name, key = (base, number) if number.isdecimal() else (fact, "1")
    for field, names in _ENTRIES.items():
        if name in names:
            return field, key, names[name]
    return "", "", ""


def _fact_changed(event: Event) -> Event:
    name = str(event["fact"])
    if name in _LISTS and isinstance(event.get("value"), str):
        before, value = (str(event.get(key) or "").split() for key in ("before", "value"))
        return {**event, "before": before, "value": value}
    field, key, part = _entry_of(name)
    if not field:
        return event
    change = {"type": "EntryChanged", "field": field, "key": key}
    if part != "name":
        return {**change, "part": part, "before": event.get("before"), "value": event.get("value")}
    if event.get("value") and event.get("before"):
        return {**change, "part": part, "before": event["before"], "value": event["value"]}
    return {**change, "value": {"name": event["value"]} if event.get("value") else None}


def _issue(event: Event) -> Event:
    if "fact" not in event:
        return event
    _, key, part = _entry_of(str(event["fact"]))
    value = None if part == "name" else event.get("value")
    before = None if part == "name" else event.get("before")
    return {**_without(event, "fact"), "key": key, "before": before, "value": value}


def _marked(event: Event) -> Event:
    if "fact" not in event:
        return event
    _, key, _ = _entry_of(str(event["fact"]))
    mark = {name: event[name] for name in ("zone", "price", "kind", "amount") if name in event}
    value = {"name": event["value"], **mark, "left": event.get("rounds")}
    return {**_without(event, "fact"), "key": key, "before": None, "value": value}


def _cleared(event: Event) -> Event:
    if "fact" not in event:
        return event
    _, key, _ = _entry_of(str(event["fact"]))
    return {**_without(event, "fact"), "key": key, "name": event["before"], "before": None, "value": None}


# Steps and questions


def _with_members(event: Event) -> Event:
    steps = cast("list[Mapping[str, Json]]", event["steps"])
    return {**event, "steps": [_step(step) for step in steps]}


def _step(step: Mapping[str, Json]) -> Mapping[str, Json]:
    if step.get("kind") != "band" or step.get("members"):
        return step
    return {**step, "members": str(step["id"]).removeprefix("band.").split("+")}


_DEED = ("ability", "cost", "pool", "target", "interrupt", "work", "hit", "damage", "note")


def _blow(prompt: Mapping[str, Json], data: Mapping[str, Json]) -> dict[str, Json]:
    names = {"by": "by", "target": "target", "what": "act", "damage": "damage", "finisher": "finisher"}
    names |= {"stops": "stops", "stops_work": "stops_work", "stops_rule": "rule"}
    fields = {new: data[old] for old, new in names.items() if old in data}
    return {"by": prompt.get("who", ""), "target": "", "act": "", **fields}


def _finished(prompt: Mapping[str, Json], data: Mapping[str, Json]) -> dict[str, Json]:
    return {"type": "AskedBlow", "blow": {**_blow(prompt, data), "target": prompt["who"]}}


def _sealed(prompt: Mapping[str, Json], data: Mapping[str, Json]) -> dict[str, Json]:
    blow = _blow(prompt, data) if data.get("target") else None
    return {"type": "SealedRoll", "action": data.get("action", ""), "roll": data.get("roll", 0), "blow": blow}


def _deed(prompt: Mapping[str, Json], data: Mapping[str, Json]) -> dict[str, Json]:
    deed = {"type": "AskedDeed", **{name: data[name] for name in _DEED if name in data}}
    if "partners" not in data:
        return deed
    cost = data.get("partner_cost")
    return {**deed, "partners": str(data["partners"]).split("\n"), "partner_cost": cost if isinstance(cost, int) else 1}


def _used(prompt: Mapping[str, Json], data: Mapping[str, Json]) -> dict[str, Json]:
    lines = str(data.get("used") or "").split("\n")
    return {"type": "UsedEffects", "used": [line.split(":", 1) for line in lines if ":" in line]}


_QUESTIONS: Mapping[str, Callable[[Mapping[str, Json], Mapping[str, Json]], dict[str, Json]]] = {
    "reserved": _deed,
    "interrupt": _deed,
    "range": _deed,
    "shared": lambda prompt, data: {"type": "AskedHandling", "what": data.get("what", "")},
    "outcome": lambda prompt, data: {"type": "AskedBlow", "blow": _blow(prompt, data)},
    "finished": _finished,
    "sealed": _sealed,
    "init": _used,
    "upkeep_effect": lambda prompt, data: {"type": "DueEffect", **data},
}


def _asked(event: Event) -> Event:
    prompt = cast("Mapping[str, Json]", event["prompt"])
    goes_on = _QUESTIONS.get(str(prompt.get("kind")))
    if prompt.get("resume") is not None or goes_on is None:
        return event
    data = cast("Mapping[str, Json]", prompt.get("data") or {})
    return {**event, "prompt": {**prompt, "data": {}, "resume": goes_on(prompt, data)}}


_UPCASTS: Mapping[str, Callable[[Event], Event]] = {
    "Joined": _joined,
    "TraitChanged": _trait_changed,
    "TraitsChanged": _traits_changed,
    "TraitsReset": _traits_reset,
    "MultiRoundBegan": _begun,
    "MultiRoundPaid": _paid,
    "MultiRoundCompleted": _work_gone,
    "MultiRoundLost": _work_gone,
    "FactChanged": _fact_changed,
    "IssueSet": _issue,
    "IssueProgressed": _issue,
    "IssueResolved": _issue,
    "ZoneMarked": _marked,
    "ZoneCleared": _cleared,
    "FullRoundBegan": _with_members,
    "SlowBurnRoundBegan": _with_members,
    "AgendaChanged": _with_members,
    "RulingAsked": _asked,
}
