"""The questions of the headless protocol, and the JSON of states and events.

A question is a function of the fight and the request, listed in `QUESTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Setting
from fightcall_engine.model.commands import squeeze
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import json_object, to_json
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import field_names
from fightcall_engine.play.amendments import compare_states
from fightcall_engine.play.schema import protocol_schema

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight

Reply = dict[str, Json]
"""The answer to a line."""
Request = Mapping[str, Json]
"""A parsed line."""
Question = Callable[["Fight", Request], Json]
"""A function that answers a question."""


def whole_number(data: Request, key: str, default: int) -> int:
    """The whole number in a field of a request.

    Raises:
        BadInput: it is not one.
    """
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("request", (f"{key}: expected a whole number (got {value!r})",))
    return value


# Forms


def state_json(state: FightState, system: BaseSystem) -> Reply:
    """A state in the protocol: shared fields, then the system's own."""
    step = state.step
    combatants: dict[str, Json] = {}
    for combatant_id, combatant in state.combatants.items():
        flags = [name for name, value in combatant.remembered.items() if value is True]
        flags += ["hidden"] if combatant.hidden else []
        flags += [] if combatant.able else ["down"]
        system_fields = system.fields(state, combatant_id)
        combatants[combatant_id] = {
            **system_fields,
            "id": combatant_id,
            "label": combatant.label,
            "name": combatant.name,
            "side": combatant.side,
            "squad": combatant.squad,
            "able": combatant.able,
            "hidden": combatant.hidden,
            "pools": to_json(combatant.pools),
            "at": to_json(combatant.at),
            "facing": combatant.facing,
            "effects": _effects_json(combatant, system_fields.get("effects")),
            "flags": flags,
        }
    pulse = step.id if step is not None and step.kind == system.substep else None
    return {
        **system.facts(state),
        "name": state.name,
        "system": state.system,
        "status": state.status,
        "round": state.round,
        "phase": state.phase or None,
        "pulse": pulse,
        "step": step.id if step else None,
        "side": step.side or None if step else None,
        "clock_s": state.clock_s,
        "order": list(state.order),
        "prompts": to_json(state.prompts),
        "declarations": to_json(system.declarations(state)),
        "agenda": to_json(state.agenda),
        "settings": to_json(state.settings),
        "combatants": combatants,
        **({"side_pools": to_json(state.side_pools)} if state.side_pools else {}),
    }


def _effects_json(combatant: Combatant, own_fields: Json) -> list[Json]:
    """The effects of a combatant: shared fields, then the system's own."""
    more = own_fields if isinstance(own_fields, dict) else {}
    effects: list[Json] = []
    for effect in combatant.effects:
        its = more.get(effect.id)
        effects.append({**cast(dict[str, Json], to_json(effect)), **(its if isinstance(its, dict) else {})})
    return effects


def events_json(before: FightState, events: Events, first: int) -> list[Json]:
    """Events, each with a ``stamp``: its number from the start of the fight, and its time in it."""
    values: list[Json] = []
    state = before
    for number, event in enumerate(events, first):
        state = evolve(state, event)
        step = state.step
        stamp = {
            "seq": number,
            "round": state.round,
            "phase": state.phase or None,
            "side": step.side or None if step else None,
            "clock_s": state.clock_s,
        }
        values.append({**json_object(event), "stamp": stamp})
    return values


# Questions


def _state_at(fight: Fight, request: Request) -> FightState:
    if "at" not in request:
        return fight.state
    try:
        return fight.seek(whole_number(request, "at", 0))
    except IndexError as error:
        raise Refused("at", str(error), (f"0 to {len(fight.line)}",), final=True) from error


def _state(fight: Fight, request: Request) -> Json:
    state = _state_at(fight, request)
    return state_json(state, system_of(state))


def _options(fight: Fight, request: Request) -> Json:
    """The options of a combatant, or of all who have any, by id."""
    if request.get("who"):
        return to_json(_as_proposed(fight, str(request["who"])))
    options_by_id = {combatant_id: _as_proposed(fight, combatant_id) for combatant_id in fight.state.combatants}
    return to_json(
        {
            combatant_id: options
            for combatant_id, options in options_by_id.items()
            if any(option.legal for option in options)
        }
    )


def _rulings(fight: Fight, request: Request) -> Json:
    combatant_id = str(request.get("who", ""))
    return to_json(
        fight.system.rulings(fight.state, combatant_of(fight.state, combatant_id).id if combatant_id else "")
    )


def _explain(fight: Fight, request: Request) -> Json:
    return to_json(fight.explain(str(request.get("who", "")), str(request.get("what", ""))))


def _compare(fight: Fight, request: Request) -> Json:
    """The differences between the present (`then`) and the end of a branch (`now`)."""
    branch = fight.find_branch(whole_number(request, "branch", fight.branch.id))
    return to_json(compare_states(fight.state, fight.state_of(branch)))


def _history(fight: Fight, request: Request) -> Json:
    return [
        {"n": entry.number, "on": entry.on, "at": entry.at, "command": to_json(entry.command)}
        for entry in fight.line.entries
    ]


def _events(fight: Fight, request: Request) -> Json:
    return events_json(fight.seek(0), tuple(fight.line.events()), 1)


def _view(fight: Fight, request: Request) -> Json:
    from fightcall_engine.play.player_view import player_view

    state = _state_at(fight.for_players(), request)
    return to_json(player_view(state, system_of(state)))


def _rules(fight: Fight, request: Request) -> Json:
    rules = fight.system.rules()
    rule_ids = fight.system.phase_rules(str(request["phase"])) if "phase" in request else tuple(rules)
    return {rule: rules[rule] for rule in rule_ids if rule in rules}


def _help(fight: Fight, request: Request) -> Json:
    """The help of all commands, or of the one `about`: its aliases, fields, and description."""
    kinds = fight.codec.command_kinds
    about = squeeze(str(request.get("about", "")))
    if about and about not in kinds:
        raise Refused("about", f"there is no command {request['about']!r}", fight.codec.command_names, final=True)
    command_types = (kinds[about],) if about else dict.fromkeys(kinds.values())
    return {
        kind.__name__: {
            "names": [name for name, other in kinds.items() if other is kind],
            "fields": list(field_names(kind)),
            "text": " ".join((kind.__doc__ or "").split()),
        }
        for kind in command_types
    }


def _contacts(fight: Fight, request: Request) -> Json:
    combatant_id = str(request.get("who", ""))
    combatant_ids = (combatant_of(fight.state, combatant_id).id,) if combatant_id else tuple(fight.state.combatants)
    return {name: list(fight.state.contacts_of(name)) for name in combatant_ids}


def _setting_json(setting: Setting) -> Json:
    """A setting without its functions that check and describe values."""
    return {key: value for key, value in json_object(setting).items() if key not in ("check", "schema")}


def _as_proposed(fight: Fight, own_id: str) -> tuple[Option, ...]:
    """The options of a combatant, whose defaults can be given together."""
    combatant_id = combatant_of(fight.state, own_id).id
    return tuple(_without_moot_defaults(fight, combatant_id, option) for option in fight.options(combatant_id))


def _without_moot_defaults(fight: Fight, combatant_id: str, option: Option) -> Option:
    """An option without defaults for inputs that the other defaults make unnecessary."""
    answers: Reply = {**option.fixed, **{field.name: field.default for field in option.inputs if field.default}}
    try:
        names = {field.name for field in fight.system.inputs(fight.state, combatant_id, option, answers)}
    except Refused:
        return option
    if all(field.name in names for field in option.inputs):
        return option
    fitting = (field if field.name in names else replace(field, default="", optional=True) for field in option.inputs)
    return replace(option, inputs=tuple(fitting))


QUESTIONS: Mapping[str, Question] = {
    "state": _state,
    "options": _options,
    "rulings": _rulings,
    "explain": _explain,
    "prompts": lambda fight, request: to_json(fight.state.prompts),
    "cues": lambda fight, request: to_json(fight.state.cues),
    "history": _history,
    "events": _events,
    "marks": lambda fight, request: to_json(fight.marks),
    "branches": lambda fight, request: to_json(fight.branches()),
    "branch": lambda fight, request: to_json(fight.branch),
    "compare": _compare,
    "view": _view,
    "rules": _rules,
    "contacts": _contacts,
    "settings": lambda fight, request: [_setting_json(setting) for setting in fight.system.settings],
    "schema": lambda fight, request: protocol_schema((fight.system,)),
    "help": _help,
}
"""The questions, by their word after ``ask``; `Session` adds ``preview`` and ``amend``."""
