"""Tries what refusals offer instead, which must be accepted if it can be made a request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fightcall_engine.model.commands import Answer, Command, squeeze
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import field_names
from fightcall_engine.play.fight import Fight


def find_refused_remedies(fight: Fight, command: Command, no: Refused) -> list[str]:
    """The entries of a refusal's `accepts` that would be refused as well.

    An entry is the name of a command, a choice, a value for a field of the command, or somebody who could do it.
    """
    if no.rule == "command":
        return []
    return [entry for entry in no.accepts if not _is_possible(fight, command, no, entry)]


def _is_possible(fight: Fight, command: Command, no: Refused, entry: str) -> bool:
    choices = [prompt.id for prompt in fight.state.prompts for choice in prompt.choices if choice.id == entry]
    is_command = squeeze(entry) in fight.codec.command_kinds
    is_somebody = entry in fight.state.combatants
    own_fields = field_names(type(command))
    wrong = [field for field in own_fields if field == no.rule or _is_quoted(getattr(command, field), no.message)]
    if " " in entry or entry in own_fields or not (choices or is_command or is_somebody or wrong):
        return True
    if is_somebody and not wrong:
        wrong = [field for field in ("who", "target", "targets") if field in own_fields]
        if not wrong:
            # An answer has no target; its effects are corrected by another command.
            return True
    faults = [_fault(fight, Answer(prompt=prompt, choice=entry)) for prompt in choices]
    if is_command:
        doers = ({"who": combatant_id} for combatant_id in fight.state.combatants)
        faults += [_fault(fight, _read(fight, entry, data)) for data in ({}, *doers)]
    faults += [_fault(fight, _with_value(fight, command, field, entry)) for field in own_fields if field not in wrong]
    repaired_faults = [_fault(fight, _with_value(fight, command, field, entry)) for field in wrong]
    # The same wrong word may be in several fields.
    repaired_faults.append(_fault(fight, _with_all(fight, command, wrong, entry)))
    return "" in faults or any(fault != _without_names(fight, no) for fault in repaired_faults)


def _is_quoted(value: object, message: str) -> bool:
    """Whether a message quotes a field's value; an empty word only counts in a list."""
    if isinstance(value, tuple):
        return any(isinstance(part, str) and repr(part) in message for part in value)
    return isinstance(value, str) and bool(value) and repr(value) in message


def _with_value(fight: Fight, command: Command, field: str, entry: str) -> Command | None:
    """The command with an entry in a field, as a number if it is one."""
    return _with_all(fight, command, (field,), entry)


def _with_all(fight: Fight, command: Command, fields: Sequence[str], entry: str) -> Command | None:
    """The command with an entry in several fields; as the only item of a list."""
    plain = to_json(command)
    assert isinstance(plain, dict)
    value = int(entry) if entry.isdecimal() else entry
    values = {field: [value] if isinstance(getattr(command, field), tuple) else value for field in fields}
    return _read(fight, str(plain.pop("type")), {**plain, **values})


def _read(fight: Fight, name: str, data: Mapping[str, Json]) -> Command | None:
    try:
        return fight.codec.command(name, data)
    except BadInput:
        return None


def _fault(fight: Fight, request: Command | None) -> str:
    """The reason why a request is refused; else empty."""
    if request is None:
        return "unreadable"
    try:
        fight.decide(request)
    except NeedsDice:
        return ""
    except (Refused, BadInput) as no:
        return _without_names(fight, no)
    return ""


def _without_names(fight: Fight, no: Refused | BadInput) -> str:
    """A refusal without names and typed words."""
    text = str(no)
    for combatant in fight.state.combatants.values():
        text = text.replace(combatant.name, "")
    return re.sub(r"'[^']*'", "", text)
