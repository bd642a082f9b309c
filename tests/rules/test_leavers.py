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
        (
            "surrounded-by-goblins",
            [("open_scene", {"mode": "free"}), ("close_scene", {})],
            "left_out",
            "milli",
        ),
        # CS-041: the victims of a Surprise.
        (
            "the-tiltyard",
            [("start", {}), ("spring", {"aggressors": ["aldous-bray"], "targets": ["pell", "oskar-the-axe"]})],
            "check",
            "pell",
        ),
        # AP-06: in whose Phase it would be too late to Stay; AP-08: what may be used now; AP-05: who has not acted.
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
    assert asked(fight, "talks").question == "Will there be talks?"
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
