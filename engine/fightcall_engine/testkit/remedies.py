"""What refusals offer instead is tried: it must be accepted wherever the words can be made a request."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fightcall_engine.model import commands as cm
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import field_names
from fightcall_engine.play.codec import squeeze
from fightcall_engine.play.fight import Fight


def refused_in_turn(fight: Fight, command: cm.Command, no: Refused) -> list[str]:
    """The entries of a refusal's `accepts` that would be refused as well.

    One word is the name of a command, a choice, or a value for a field of the command; or somebody who could do it.
    """
    if no.rule == "command":
        return []
    return [entry for entry in no.accepts if not _is_accepted(fight, command, no, entry)]


def _is_accepted(fight: Fight, command: cm.Command, no: Refused, entry: str) -> bool:
    choices = [prompt.id for prompt in fight.state.prompts for choice in prompt.choices if choice.id == entry]
    is_command = squeeze(entry) in fight.codec.command_kinds
    is_somebody = entry in fight.state.combatants
    known = field_names(type(command))
    wrong = [field for field in known if field == no.rule or _is_quoted(getattr(command, field), no.message)]
    if " " in entry or entry in known or not (choices or is_command or is_somebody or wrong):
        return True
    if is_somebody and not wrong:
        wrong = [field for field in ("who", "target") if field in known]
    faults = [_fault(fight, cm.Answer(prompt=prompt, choice=entry)) for prompt in choices]
    if is_command:
        doers = ({"who": combatant_id} for combatant_id in fight.state.combatants)
        faults += [_fault(fight, _read(fight, entry, data)) for data in ({}, *doers)]
    faults += [_fault(fight, _with(fight, command, field, entry)) for field in known if field not in wrong]
    mended = [_fault(fight, _with(fight, command, field, entry)) for field in wrong]
    return "" in faults or any(fault != _worded(fight, no) for fault in mended)


def _is_quoted(value: object, message: str) -> bool:
    values = value if isinstance(value, tuple) else (value,)
    return any(isinstance(part, str) and bool(part) and repr(part) in message for part in values)


def _with(fight: Fight, command: cm.Command, field: str, entry: str) -> cm.Command | None:
    """The command with an entry in a field, a number where it is one."""
    plain = to_json(command)
    assert isinstance(plain, dict)
    value = int(entry) if entry.isdecimal() else entry
    return _read(fight, str(plain.pop("type")), {**plain, field: value})


def _read(fight: Fight, name: str, data: Mapping[str, Json]) -> cm.Command | None:
    try:
        return fight.codec.command(name, data)
    except BadInput:
        return None


def _fault(fight: Fight, request: cm.Command | None) -> str:
    """Why a request is refused; empty where it is not."""
    if request is None:
        return "unreadable"
    try:
        fight.decide(request)
    except NeedsDice:
        return ""
    except (Refused, BadInput) as no:
        return _worded(fight, no)
    return ""


def _worded(fight: Fight, no: Refused | BadInput) -> str:
    """A refusal without anybody's name, and without what was written."""
    text = str(no)
    for combatant in fight.state.combatants.values():
        text = text.replace(combatant.name, "")
    return re.sub(r"'[^']*'", "", text)
