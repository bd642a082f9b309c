"""Whoever leaves is named in no question any more, in all four systems: those who are left are asked about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.state import Prompt
from fightcall_engine.play.fight import Fight

Given = tuple[str, Mapping[str, object]]


def fight_with(encounter: str, *commands: Given) -> Fight:
    """A shipped encounter after some commands."""
    fight = start_fight(load_encounter(encounter), id="fight", seed="7")
    for name, data in commands:
        fight.give(name, **data)
    return fight


def asked(fight: Fight, kind: str) -> Prompt:
    """The open question of a kind."""
    found = fight.state.prompt(kind)
    assert found is not None
    return found


def texts(prompt: Prompt) -> str:
    """All that a question says."""
    return " / ".join((prompt.question, *(choice.label for choice in prompt.choices)))


@pytest.mark.parametrize(
    ("encounter", "commands", "kind", "gone"),
    [
        # SB-15: the Perception of each of the party is shown.
        ("the-watchtower", [("ambush", {"by": "foe"})], "perception", "tesni"),
        # ST-10: who has had no chance to act, of whom the first few are named.
        ("surrounded-by-goblins", [("open_scene", {"mode": "free"}), ("close_scene", {})], "left_out", "milli"),
        # CS-041: the victims of a Surprise.
        (
            "the-tiltyard",
            [("start", {}), ("spring", {"aggressors": ["aldous-bray"], "targets": ["pell", "oskar-the-axe"]})],
            "check",
            "pell",
        ),
        # AP-06: in whose Phase it would be too late to Stay; AP-08: what may be used now; AP-05: who hasn't acted.
        ("the-bell-tower", [("start", {}), ("advance", {})], "stay", "sabet"),
        ("the-bell-tower", [("start", {}), *[("advance", {})] * 2], "init", "ilvane"),
        ("the-bell-tower", [("start", {}), *[("advance", {})] * 4], "npc", "wrecker-1"),
    ],
)
def test_who_leaves_is_named_in_no_question(encounter: str, commands: list[Given], kind: str, gone: str) -> None:
    """SB-15, ST-10, CS-041, AP-05, AP-06, AP-08: the question stays, about the others."""
    fight = fight_with(encounter, *commands)
    name = fight.state.combatants[gone].name
    assert name in texts(asked(fight, kind))
    before = asked(fight, kind)
    fight.give("leave", who=gone)
    after = asked(fight, kind)
    assert name not in texts(after)
    assert (after.kind, after.rule, after.default) == (before.kind, before.rule, before.default)
    again = fight.state
    fight.undo()
    assert asked(fight, kind) == before
    fight.redo()
    assert fight.state == again


def test_sb_41_what_a_leaver_has_said_is_still_answered() -> None:
    """SB-41: without a name."""
    fight = fight_with("tavern-parley", ("start", {}))
    speaker = next(one for one in fight.state.combatants.values() if one.side == "party")
    fight.give("talk", who=speaker.id)
    assert speaker.name in asked(fight, "talks").question
    fight.give("leave", who=speaker.id)
    assert asked(fight, "talks").question == "Does the other side agree to talk?"
    fight.give("answer", prompt="talks", choice="granted")
    assert fight.state.prompt("talks") is None


def test_st_10_when_the_only_one_left_out_leaves_nothing_is_asked() -> None:
    """ST-10: there is nobody to wait for."""
    fight = fight_with("surrounded-by-goblins", ("open_scene", {"mode": "free"}))
    last = list(fight.state.combatants)[-1]
    for each in fight.state.combatants:
        if each != last:
            fight.give("waive", who=each)
    fight.give("close_scene")
    assert asked(fight, "left_out")
    fight.give("leave", who=last)
    assert fight.state.prompt("left_out") is None


DOWN: Given = ("adjust", {"what": "able", "value": False})


def of_slots(*commands: Given) -> Fight:
    """Ash and Bo against a helpless orc, in Ash's Active Phase of the first round."""
    fight = Fight.new("slots", seed="7")
    abilities = [
        {"name": "knockout", "cost_active": 1, "finisher": "knockout"},
        {"name": "hammer", "cost_active": 8, "multi_round": True, "damage": 1},
    ]
    for name in ("Ash", "Bo"):
        fight.give("join", name=name, sheet={"hp": 9, "agility": 9, "abilities": abilities})
    fight.give("join", name="Orc", side="foe", sheet={"hp": 9, "vulnerable": True})
    fight.give("beginencounter")
    for who, result in (("ash", 18), ("bo", 9)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    while not fight.state.round:
        fight.give("advance")
    for name, data in commands:
        fight.give(name, **data)
    return fight


@pytest.mark.parametrize("parting", [("leave", {}), DOWN], ids=["leaves", "falls"])
def test_sb_58_who_leaves_or_falls_rolls_for_no_sneaking(parting: Given) -> None:
    """SB-58; put right 6: the sneak roll that was asked for isn't made."""
    fight = Fight.new("stage", seed="7")
    for name, side in (("Ash", "party"), ("Bo", "party"), ("Orc", "foe")):
        fight.give("join", name=name, side=side, sheet={"hp": 9, "agility": 13, "plain_view": False})
    fight.give("start")
    while fight.state.phase != "move":
        fight.give("advance")
    fight.give("sneak", who="ash", hexes=1)
    while fight.state.prompt("sneak") is None:
        fight.give("advance")
    fight.give(parting[0], who="ash", **parting[1])
    before = len(fight.line)
    fight.give("advance")
    assert fight.state.prompt("sneak") is None
    assert "SneakChecked" not in [event.type for event in list(fight.line.events())[before:]]
    assert not any(each.hidden for each in fight.state.combatants.values())


@pytest.mark.parametrize("parting", [("leave", {}), DOWN], ids=["leaves", "falls"])
def test_ap_30_and_ap_36_what_is_asked_about_who_leaves_or_falls_blocks_nobody(parting: Given) -> None:
    """AP-30, AP-36; put right 6: neither the fate of the target of a finisher, nor whether work can be finished."""
    fight = of_slots(("act", {"who": "ash", "ability": "knockout", "target": "orc"}))
    assert asked(fight, "finished").who == "orc"
    fight.give(parting[0], who="orc", **parting[1])
    assert not fight.state.is_blocked()
    fight = of_slots(
        ("begin", {"who": "ash", "ability": "hammer", "target": "orc", "pay": 2}),
        ("effect", {"who": "ash", "name": "dazed"}),
    )
    assert asked(fight, "finish").who == "ash"
    fight.give(parting[0], who="ash", **parting[1])
    assert fight.state.prompt("finish") is None
