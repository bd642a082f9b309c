"""Events of version 2 of Stage Moments, which 0.2.0 wrote, are read; events of the present version are unchanged."""

from __future__ import annotations

import json

from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import Codec, upcast_event
from fightcall_engine.systems.stage import SYSTEM
from fightcall_engine.systems.stage import entries as sev

CODEC = Codec(SYSTEM)


def test_what_was_left_of_a_half_was_known_by_the_id_of_its_step() -> None:
    """SB-13: version 2."""
    half = {"kind": "half", "phase": "move", "title": "Move"}
    steps = [{"id": "move.foe", **half, "side": "foe"}, {"id": "move.party.resumed", **half, "side": "party"}]
    old = {"type": "LeadFlipped", "steps": steps, "cursor": 0, "reason": "too slow", "side": "foe", "scope": "move"}
    flipped = CODEC.event(upcast_event(SYSTEM.upcasts, old))
    assert isinstance(flipped, sev.LeadFlipped)
    assert [SYSTEM.step_events(step).began for step in flipped.steps] == [sev.HalfBegan, sev.HalfResumed]
    assert CODEC.event(upcast_event(SYSTEM.upcasts, json.loads(json.dumps(to_json(flipped))))) == flipped
