"""Put right 1: a held act is out of turn, and every other rule applies to it, in every system."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from fightcall_engine.play.story import Paragraph, tell

from .talk import Talk

BOW = {"name": "bow", "kind": "missile", "needs": 12, "damage": 3}
SPEAR = {"name": "spear", "needs": 10, "damage": 3}
SHOT = {"do": "strike", "who": "orc", "target": "bo", "weapon": "bow"}
REACTION = {"do": "strike", "who": "orc", "target": "bo"}
HURT = {"at_most": 5, "who": "ash"}

Prepare = Callable[[Talk], object]


def waiting(system: str, hold: dict[str, object], **sheets: dict[str, object]) -> Talk:
    """Ash, Bo and an orc. The orc holds an act until Ash has 5 hit points or fewer."""
    talk = Talk(system, seed="7")
    for who, side in (("ash", "party"), ("bo", "party"), ("orc", "foe")):
        talk.do("join", id=who, name=who.title(), side=side, sheet=sheets.get(who, {}))
    talk.do("cue", id="held", when=HURT, then={"hold": hold, "text": "Orc acts"}, each_time=True)
    return talk


def stage(**orc: object) -> Talk:
    sheets = {"ash": {"agility": 13, "hp": 10}, "bo": {"agility": 9, "hp": 10}}
    return waiting("stage", SHOT, **sheets, orc={"hp": 6, "strikes": [BOW], **orc})


def turns(**orc: object) -> Talk:
    sheet = {"hp": 10, "actions": 2}
    orc_sheet = {**sheet, "speed": 0, "strikes": [SPEAR], **orc}
    talk = waiting("turns", REACTION, ash={**sheet, "speed": 9}, bo={**sheet, "speed": 5}, orc=orc_sheet)
    talk.do("open_scene", mode="initiative")
    talk.do("initiative", rolls={"ash": [18], "bo": [12], "orc": [3]})
    return talk.do("take", who="ash")


def trigger(talk: Talk) -> Talk:
    return talk.do("damage", who="ash", amount=5)


def why_not(talk: Talk) -> str:
    """Trigger the hold, see that it is not asked, and return the reason that is logged."""
    trigger(talk).expect("CueFired", cue="held")
    assert "cue" not in talk.question_kinds()
    (ruling,) = talk.events("RulingRecorded", choice="not_possible")
    assert f"Orc acts: not possible ({ruling['note']})" in told(talk)
    return str(ruling["note"])


def told(talk: Talk) -> list[str]:
    """The last command in the words of the log."""
    fight = talk.session.fight
    assert fight is not None
    (start, _), entry = fight.line.span(fight.line.entry_count() - 1), fight.head
    return [remark.text for remark in tell(fight.system, fight.line.seek(start), entry.events, Paragraph()).remarks]


# Out of turn


@pytest.mark.parametrize("make", [lambda: stage().do("start"), turns], ids=["stage", "turns"])
def test_a_held_act_is_done_out_of_turn_with_the_die_of_the_table(make: Callable[[], Talk]) -> None:
    """SB-45, ST-30; put right 1: only whose turn it is does not matter. Its die can be typed with the answer."""
    talk = trigger(make())
    preview = cast("dict[str, object]", talk.ask("preview", do="answer", choice="do"))
    assert preview["can_run"]
    assert preview["target_id"] == "bo"
    assert [row["dice"] for row in cast("list[dict[str, object]]", preview["rows"]) if row["dice"]] == ["d20"]
    talk.do("answer", choice="do", rolls={"attack": [11]}).expect("DiceRolled", faces=[11], source="table")
    talk.expect("DamageApplied", who="bo", amount=3)


def test_a_held_act_can_still_be_overruled() -> None:
    """SB-34; put right 1: `force` in the hold is the GM's ruling, as it is in every command."""
    talk = waiting("stage", {**SHOT, "force": True}, ash={"hp": 10}, bo={"hp": 10}, orc={"hp": 6, "strikes": [BOW]})
    talk.do("start").do("damage", who="orc", amount=6)
    trigger(talk).do("answer", rolls={"attack": [9]}).expect("DamageApplied", who="bo")


# stage


def dead(talk: Talk) -> None:
    talk.do("damage", who="orc", amount=20)


def struck(talk: Talk) -> None:
    for _ in range(20):
        if (talk.state["phase"], talk.state["side"]) == ("missile", "foe"):
            break
        talk.do("advance")
    talk.do("strike", who="orc", target="bo", weapon="bow", hit=False)


def target_in_cover(talk: Talk) -> None:
    talk.do("set_cover", who="bo", cover="full")


def target_down(talk: Talk) -> None:
    talk.do("damage", who="bo", amount=20)


def gone(talk: Talk) -> None:
    talk.do("leave", who="orc")


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (dead, "Orc can't act"),
        (struck, "Orc has already attacked this Moment (missile)"),
        (target_in_cover, "Bo is in full cover"),
        (target_down, "Bo is already down"),
        (gone, "no one here is named 'orc'"),
    ],
)
def test_stage_does_not_ask_about_an_impossible_shot(prepare: Prepare, reason: str) -> None:
    """SB-34, SB-37, SB-65; put right 1: the dead and those who have struck do not shoot, nor at full cover."""
    talk = stage().do("start")
    prepare(talk)
    assert why_not(talk) == reason


def test_stage_holds_no_shot_in_full_cover() -> None:
    """SB-66, SB-67; put right 1: a figure in full cover does not shoot out of turn either."""
    assert why_not(stage(cover="full").do("start")) == "Orc began this Moment in full cover"


def test_stage_ambushed_figures_have_no_held_acts() -> None:
    """SB-18; put right 1: the victims of an ambush cannot answer in its free Moment."""
    talk = stage().do("ambush", by="party").do("perception", passed=False).do("start")
    assert why_not(talk) == "Orc is ambushed and can't act this Moment"


def test_a_question_that_has_become_impossible_is_closed() -> None:
    """SB-34; put right 1: the act was possible when the cue fired, and is not once the archer is dead."""
    talk = trigger(stage().do("start"))
    assert talk.question_kinds() == ["cue"]
    talk.do("damage", who="orc", amount=20).expect("RulingRecorded", choice="not_possible", note="Orc can't act")
    assert talk.question_kinds() == []


def test_two_holds_of_one_archer_are_one_strike() -> None:
    """SB-34; put right 1: `advance` takes both proposals, and the second one has no strike left."""
    talk = stage().do("start")
    talk.do("cue", id="again", when=HURT, then={"hold": {**SHOT, "hit": False}, "text": "Again"})
    trigger(talk).do("advance")
    assert len(talk.events("StrikeDeclared", who="orc")) == 1
    (ruling,) = talk.events("RulingRecorded", choice="not_possible")
    assert ruling["note"] == "Orc has already attacked this Moment (missile)"


# turns


def test_a_held_strike_in_turns_is_a_reaction() -> None:
    """ST-30, L27; put right 1: out of turn there are Reactions and no Actions."""
    talk = turns()
    before = talk.pool("orc", "reactions")
    trigger(talk).do("answer", rolls={"attack": [15]}).expect("ReactionTaken", who="orc")
    assert talk.pool("orc", "reactions") == before - 1


def no_reactions(talk: Talk) -> None:
    talk.do("adjust", who="orc", what="reactions", value=0)


@pytest.mark.parametrize(("prepare", "reason"), [(dead, "Orc can't act"), (no_reactions, "Orc has no Reactions left")])
def test_turns_does_not_ask_about_an_impossible_strike(prepare: Prepare, reason: str) -> None:
    """ST-30, L27-28; put right 1: the fallen and those without Reactions do not strike."""
    talk = turns()
    prepare(talk)
    assert why_not(talk) == reason


def test_a_held_strike_in_ones_own_turn_costs_an_action() -> None:
    """ST-28; put right 1: in its own turn the orc pays an Action and no Reaction."""
    talk = turns().do("end_turn").do("take", who="bo").do("end_turn").do("take", who="orc")
    trigger(talk).do("answer", rolls={"attack": [15]})
    assert (talk.pool("orc", "actions"), talk.pool("orc", "reactions")) == (1, 2)


# slots


def slots() -> Talk:
    """Bo has ended an Active Phase with slots in reserve; it is Ash's."""
    pc = {"kind": "pc", "hp": 10, "agility": 0}
    hold = {"do": "act", "who": "bo", "ability": "throw", "target": "orc", "damage": 2, "hit": True}
    throw = {"name": "throw", "cost_active": 1, "reserved_ok": True, "roll": "d20"}
    talk = waiting("slots", hold, ash=pc, bo={**pc, "abilities": [throw]}, orc={"kind": "npc", "hp": 6})
    talk.do("start").do("awareness", who="ash", result=9).do("awareness", who="bo", result=18).do("lock")
    return talk


def test_a_held_act_in_slots_is_paid_from_reserve() -> None:
    """AP-19, AP-20; put right 1: outside the Active Phase there are Reserved Slots and no Action Slots."""
    talk = slots().do("end_ap", who="bo")
    before = talk.pool("bo", "reserved")
    trigger(talk).do("answer", rolls={"roll": [13]}).expect("SlotsSpent", who="bo", pool="reserved")
    assert talk.pool("bo", "reserved") < before
    talk.expect("DamageApplied", who="orc", amount=2)


def bo_down(talk: Talk) -> None:
    talk.do("end_ap", who="bo").do("damage", who="bo", amount=20)


def nothing_in_reserve(talk: Talk) -> None:
    talk.do("end_ap", who="bo").do("adjust", who="bo", what="reserved", value=0)


@pytest.mark.parametrize(
    ("prepare", "reason"), [(bo_down, "Bo can't act"), (nothing_in_reserve, "Bo has no Reserved Slots")]
)
def test_slots_does_not_ask_about_an_impossible_act(prepare: Prepare, reason: str) -> None:
    """AP-16, AP-19; put right 1: the fallen and those without Reserved Slots do nothing out of turn."""
    talk = slots()
    prepare(talk)
    assert why_not(talk) == reason


# segments


def segments(**settings: object) -> Talk:
    """Ash, Bo and the orc declare in this order; the orc holds a declaration until Bo declares."""
    talk = Talk("segments", settings, seed="7")
    sword = {"name": "sword", "size": 4, "av": 40, "effects": ["edge"]}
    for who, side in (("ash", "party"), ("bo", "party"), ("orc", "foe")):
        talk.do("join", id=who, name=who.title(), side=side, sheet={"weapons": [sword]} if who == "orc" else {})
    hold = {"do": "declare", "who": "orc", "action": "defend"}
    talk.do("cue", id="held", when={"phase": "declare", "who": "bo"}, then={"hold": hold, "text": "Orc acts"})
    talk.do("start")
    for place, who in enumerate(("ash", "bo", "orc")):
        talk.do("initiative", who=who, total=30 - place)
    return talk


def test_a_held_declaration_is_made_before_its_turn() -> None:
    """CS-010; put right 1: only whose turn it is to declare does not matter."""
    talk = segments()
    talk.refused("CS-010", "declare", who="orc", action="defend")
    talk.do("wait", who="ash").do("answer", choice="do").expect("Declared", who="orc")


def declared_already(talk: Talk) -> None:
    talk.do("declare", who="orc", action="defend", force=True).do("confirm", who="orc", force=True)


def fallen(talk: Talk) -> None:
    talk.do("adjust", who="orc", what="able", value=False)


@pytest.mark.parametrize(
    ("prepare", "reason"), [(declared_already, "Orc has committed to full defence"), (fallen, "Orc is down")]
)
def test_segments_does_not_ask_about_an_impossible_declaration(prepare: Prepare, reason: str) -> None:
    """CS-084, CS-111; put right 1: the fallen and those who have committed to an Action declare nothing."""
    talk = segments()
    prepare(talk)
    talk.do("wait", who="ash").expect("RulingRecorded", choice="not_possible", note=reason)
    assert talk.question_kinds() == []
