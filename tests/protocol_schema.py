"""Whether what the headless protocol says is what its schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from fightcall_engine.kit.plugins import find_system
from fightcall_engine.play.schema import protocol_schema


@cache
def schema_of(system: str) -> dict[str, Any]:
    """The schema for one system, as JSON brings it."""
    return json.loads(json.dumps(protocol_schema((find_system(system),)), allow_nan=False))


@cache
def validator(system: str, part: str) -> Draft202012Validator:
    """What validates one part of it: ``replies``, ``requests``, or a definition such as ``Moved``."""
    schema = schema_of(system)
    return Draft202012Validator({"$defs": schema["$defs"], **schema.get(part, {"$ref": f"#/$defs/{part}"})})


FAILURES = {"refused": "Refused", "needs": "NeedsDice", "error": "Error"}


def check_reply(system: str, reply: Mapping[str, Any]) -> None:
    """Fail where an answer is not JSON as its schema says: by the event that is at fault, if there is one."""
    assert json.loads(json.dumps(reply)) == reply
    if validator(system, "replies").is_valid(reply):
        return
    for event in reply.get("events", []):
        validator(system, event["type"]).validate(event)
    validator(system, _form_of(system, reply)).validate(reply)
    raise AssertionError(reply)


def _form_of(system: str, reply: Mapping[str, Any]) -> str:
    """The definition that an answer most likely follows."""
    known = schema_of(system)["$defs"]
    answers = (name for key in reply for name in (FAILURES.get(key, ""), f"{key}.answer") if name in known)
    return next(answers, "Done")
