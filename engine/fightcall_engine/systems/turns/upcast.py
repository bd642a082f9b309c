"""Converting events of version 2 of this system, which 0.2.0 wrote, in plain JSON to version 3.

Version 2 stored the duration of a Scene as it was typed. Events that already have the new form are not changed.
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.model.state import Json
from fightcall_engine.systems.turns.scenes import parse_elapsed

Data = Mapping[str, Json]


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
