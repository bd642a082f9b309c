"""Reading journals of older versions.

The header of a journal names the version of its rule system (``system_version``). Events of an older version pass
through the system's `upcasts`, which end at the present version; a version before the first of them is refused. An old
journal that is continued gets new events under its old header, so these functions must leave events in the new form as
they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from fightcall_engine.model.errors import TooOld
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem, Upcast


def upcasts_from(system: BaseSystem, version: str) -> tuple[Upcast, ...]:
    """Return the functions that bring an event of this version of a system up to date.

    Raises:
        TooOld: the system has no function for this version any more.
    """
    if not (version.isdecimal() and system.version.isdecimal()):
        return ()
    behind = max(int(system.version) - int(version), 0)
    if behind > len(system.upcasts):
        raise TooOld(*(f"version {each} of {system.title}" for each in (version, system.version)))
    return system.upcasts[len(system.upcasts) - behind :]


def upcast_event(upcasts: tuple[Upcast, ...], event: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return an event in the form of the present version.

    0.2.0 named changes of nested records by path, such as ``work.paid``. Its combatants had ``traits`` beside their
    record, and its questions ``data`` beside their `Resume`; both are dropped.
    """
    for upcast in upcasts:
        event = upcast(event)
    prompt = event.get("prompt")
    if isinstance(prompt, Mapping) and "data" in prompt:
        return {**event, "prompt": _without_data(prompt)}
    traits = event.get("traits")
    if isinstance(traits, Mapping) and any("." in name for name in traits):
        return {**event, **_with_fields_within(traits)}
    if "." in str(event.get("trait", "")):
        name, _, part = str(event["trait"]).partition(".")
        return {"type": "TraitsChanged", "who": event["who"], "within": {name: {part: event.get("value")}}}
    combatant = event.get("combatant")
    if not isinstance(combatant, Mapping) or "traits" not in combatant:
        return event
    return {**event, "combatant": {name: value for name, value in combatant.items() if name != "traits"}}


def _without_data(prompt: Mapping[str, Json]) -> Mapping[str, Json]:
    """A question, with any nested in its resume, without the old ``data``."""
    fields = {name: value for name, value in prompt.items() if name != "data"}
    resume = fields.get("resume")
    inner = resume.get("prompt") if isinstance(resume, Mapping) else None
    if isinstance(resume, Mapping) and isinstance(inner, Mapping):
        fields["resume"] = {**resume, "prompt": _without_data(inner)}
    return fields


def _with_fields_within(traits: Mapping[str, Json]) -> Mapping[str, Json]:
    """Changes named by path, as changes of fields and of fields within them."""
    within: dict[str, dict[str, Json]] = {}
    for path, value in traits.items():
        name, _, part = path.partition(".")
        if part:
            within.setdefault(name, {})[part] = value
    return {"traits": {name: value for name, value in traits.items() if "." not in name}, "within": within}


def upcast_header(upcasts: tuple[Upcast, ...], header: Mapping[str, Json]) -> Mapping[str, Json]:
    """A journal's header, with combatants and cues brought up to date as those in events are."""
    combatants, cues = header.get("combatants", []), header.get("cues", [])
    joined: Mapping[str, Json] = {"type": "Joined", "who": ""}
    return {
        **header,
        "combatants": _upcast_each(upcasts, combatants, joined, "combatant"),
        "cues": _upcast_each(upcasts, cues, {"type": "CueSet"}, "cue"),
    }


def _upcast_each(upcasts: tuple[Upcast, ...], values: Json, event: Mapping[str, Json], part: str) -> Json:
    """The items of a list, each brought up to date as part of an event. Anything but a list is left to the reader."""
    if not isinstance(values, list):
        return values
    return [upcast_event(upcasts, {**event, part: value})[part] for value in cast(list[Json], values)]
