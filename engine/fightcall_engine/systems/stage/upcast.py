"""Upcasts events of version 2 of Stage Moments, which 0.2.0 wrote; see `fightcall_engine.play.codec`."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.model.state import Json
from fightcall_engine.systems.stage.records import REST_OF_HALF


def from_version_2(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """From version 2: the rest of a half that was put back was marked by its step's id (SB-13)."""
    steps = event.get("steps")
    if not isinstance(steps, list):
        return event
    return {**event, "steps": [_step(cast("Mapping[str, Json]", step)) for step in steps]}


def _step(step: Mapping[str, Json]) -> Mapping[str, Json]:
    return {**step, "number": REST_OF_HALF} if str(step["id"]).endswith(".resumed") else step
