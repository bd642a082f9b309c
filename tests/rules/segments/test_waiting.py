"""Waiting, and acting late (CS-160 to CS-164, CS-170)."""

from __future__ import annotations

import json

import pytest

from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import state_from_json

from ..once import played_once
from .table import Play, table


@played_once
def play(**settings: object) -> Play:
    return table(settings=settings, ash={"move": {"full": 12}}, bo={}, orc={"side": "foe"}).begin()


@pytest.mark.parametrize("word", ["wait", "pass"])
def test_cs_160_to_pass_is_to_wait(word: str) -> None:
    """CS-160."""
    at = play().do(word, who="ash")
    assert at.got("Waited", who="ash")
    assert at.see("ash")["waiting"] is True
    assert at.state.step is not None
    assert at.state.step.actor == "bo"


def test_cs_161_a_waiter_inserts_between_the_declarations_of_others() -> None:
    """CS-161."""
    at = play().do("wait", who="ash")
    at.do("insert", who="ash", text="shout")
    assert at.got("DeclarationInserted", who="ash")
    assert at.see("ash")["declared"]["state"] == "committed"  # type: ignore[index]
    assert at.state.step is not None
    assert at.state.step.actor == "bo", "the turn stays where it was"


def test_cs_160_who_waits_is_told_while_others_declare() -> None:
    """CS-160, CS-161: for they may still declare; nothing where nobody waits."""
    at = play()
    assert not any(line.startswith("Waiting") for line in at.fight.system.reminders(at.state))
    at.do("wait", who="ash")
    assert "Waiting: Ash" in at.fight.system.reminders(at.state)


def test_cs_161_who_declares_late_moves_upon_it() -> None:
    """CS-090, CS-161: at once; when the turn has gone on to the next it is too late."""
    at = play().do("wait", who="ash").do("insert", who="ash", text="run").do("move", who="ash", feet=100)
    at.do("advance").refused("CS-091", "move", who="ash", feet=10)
    assert at.see("ash")["move_used"] == 100


def test_cs_161_a_waiter_has_a_last_chance_after_the_last_declaration() -> None:
    """CS-161."""
    at = play().do("wait", who="ash")
    for who in ("bo", "orc"):
        at.do("declare", who=who, text="shout").do("advance")
    assert at.state.step is not None
    assert at.state.step.kind == "waits"
    at.do("declare", who="ash", target="orc")
    assert at.got("DeclarationInserted", who="ash")
    assert at.to("resolve", "ash").state.step is not None


def test_cs_161_in_resolution_it_is_too_late() -> None:
    """CS-161."""
    at = play().do("wait", who="ash")
    at.do("declare", who="bo", target="orc").do("advance").do("advance")
    at.to("resolve", "bo")
    at.refused("CS-161", "declare", who="ash", text="shout")


def test_cs_161_with_pulses_a_waiter_may_declare_at_any_time_until_resolution() -> None:
    """CS-161."""
    at = play(pulse_movement=True).do("wait", who="ash")
    at.to("pulse")
    at.do("declare", who="ash", target="orc")
    assert at.got("DeclarationInserted", who="ash")


def test_cs_161_who_does_not_wait_inserts_nothing() -> None:
    """CS-161, CS-010."""
    at = play()
    at.refused("CS-010", "declare", who="bo", text="shout")
    at.do("declare", who="ash", text="shout").do("confirm", who="ash").do("advance")
    at.refused("CS-010", "declare", who="orc", text="shout")


def test_cs_162_a_waiter_may_move_and_do_nothing_else() -> None:
    """CS-162, CS-182."""
    at = play().do("wait", who="ash").do("move", who="ash", feet=60)
    assert at.see("ash")["feet_left"] == 116
    assert at.see("ash")["waiting"] is True
    assert at.see("ash")["declared"] is None


def test_cs_163_a_waiter_in_position_declares_as_always() -> None:
    """CS-163."""
    at = play().do("wait", who="ash").do("move", who="ash", feet=60)
    at.do("declare", who="ash", target="orc").to("resolve", "ash")
    declared = at.see("ash")["declared"]
    assert isinstance(declared, dict)
    assert (declared["action"], declared["targets"]) == ("strike", ["orc"])


def test_cs_164_a_waiter_in_the_way_of_a_foe_is_offered_an_opportunity() -> None:
    """CS-164."""
    at = play(pulse_movement=True).do("wait", who="ash").do("wait", who="bo")
    at.do("move", who="orc", feet=60).to("pulse")
    at.do("move", who="orc", feet=9, meets="ash")
    assert any(prompt.who == "ash" and prompt.kind == "opportunity" for prompt in at.state.prompts)


def test_cs_170_a_wait_goes_on_from_pulse_to_pulse_and_lapses_with_the_segment() -> None:
    """CS-170."""
    at = play(pulse_movement=True).do("wait", who="ash")
    at.to("pulse")
    for _ in range(4):
        at.do("advance")
        assert at.see("ash")["waiting"] is True
    while at.state.round == 1:
        at.do("advance")
    at.begin().do("wait", who="ash")
    assert at.see("ash")["waiting"] is True


def test_cs_160_who_waits_does_not_wait_once_more() -> None:
    """CS-160."""
    at = play().do("wait", who="ash")
    at.refused("CS-160", "wait", who="ash")
    assert not at.option("ash", "wait").legal


def test_cs_160_one_who_waits_still_waits_when_the_fight_is_opened_again() -> None:
    """CS-160: in the JSON of a state."""
    at = play().do("wait", who="ash")
    again = state_from_json(json.loads(json.dumps(to_json(at.state))))
    assert again == at.state
    assert again.combatants["ash"].remembered["waiting"] is True
