"""A strike from its declaration to hit or miss: dice, defences, uses, Endurance (CS-238, CS-340, CS-410, CS-475)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.systems.segments.rules import attacks as attack_types

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table, uses_of

SHIELD: Mapping[str, object] = {"name": "shield", "kind": "shield", "av": 25, "hand": "L", "size": 3}
OFF_DAGGER: Mapping[str, object] = {**DAGGER, "hand": "L", "av": 22, "size": 3}
UNARMED: Mapping[str, object] = {"weapons": [], "dodge": 35}


@played_once
def duel(
    settings: Mapping[str, object] | None = None,
    *,
    ash: Mapping[str, object] | None = None,
    orc: Mapping[str, object] | None = None,
    **others: Mapping[str, object],
) -> Play:
    """Ash with a sword of 40 goes before an orc with one of 35."""
    return table(
        None,
        settings,
        ash={"weapons": [SWORD], **(ash or {})},
        orc={"side": "foe", "weapons": [{**SWORD, "av": 35}], **(orc or {})},
        **others,
    ).begin()


def due(play: Play, who: str = "ash", target: str = "orc", **declared: object) -> Play:
    """Somebody declares an attack, nobody else anything, and it is time to settle it."""
    play.to("declare", who).do("declare", who=who, **{"action": "strike", "target": target, **declared})
    return play.to("resolve", who)


def struck(play: Play, roll: int = 99, **given: object) -> Play:
    """The due attack of whoever acts, with a chance of 50."""
    who = play.state.step.actor  # type: ignore[union-attr]
    return play.do("resolve", **{"who": who, "chance": 50, "rolls": {"check": [roll]}, **given})


def numbers(play: Play) -> tuple[object, object]:
    """AV and DV of the last check, but for those that a blow asks of whom it hits."""
    check = [one for one in play.all("CheckRequested") if one.kind not in ("AGL", "P-RES", "HRT")][-1]  # type: ignore[attr-defined]
    return check.av, check.dv  # type: ignore[attr-defined]


def rules_of(play: Play) -> list[str]:
    """The rules behind the parts of the last check."""
    return [rule for _, _, rule in play.all("CheckRequested")[-1].parts]  # type: ignore[attr-defined]


def outcome(play: Play) -> tuple[object, object]:
    """How the Action that was settled last came out, and what is told of it."""
    settled = [one for one in play.heard if one.type == "Resolved"][-1]
    return settled.within["action"]["state"], settled.outcome  # type: ignore[attr-defined]


# When


def test_g_25_dice_wait_for_resolution():
    """G-25, CS-094, CS-127."""
    play = duel().do("declare", who="ash", action="strike", target="orc")
    assert play.refused("CS-094", "resolve", who="ash", chance=60, rolls={"check": [20]}).message == (
        "wait for Resolution"
    )


def test_only_the_one_whose_action_is_due_rolls():
    """CS-010, CS-092, CS-093, CS-413; put right 36: what the order itself lacks is named before whose turn it is."""
    due(duel()).refused("CS-093", "resolve", who="orc", chance=50)
    play = duel().do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    assert play.refused("CS-092", "resolve", who="orc", chance=50).accepts == ("Ash",)
    play.refused("CS-340", "resolve", who="orc", chance=50, target="orc")


def test_only_what_is_due():
    """CS-093: with a longer one its first segment brings no dice."""
    play = duel().do("declare", who="ash", action="strike", target="orc", qa=8)
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "orc")
    assert "Resolved" not in [one.type for one in play.heard]
    assert play.see("ash")["declared"]["qa_done"] == 4  # type: ignore[index]


# Hit and miss


@pytest.mark.parametrize(("roll", "result"), [(55, "Hit"), (56, "Missed"), (1, "Hit"), (100, "Missed")])
def test_g_73_a_hit_is_a_roll_of_the_chance_at_most(roll: int, result: str):
    """G-73, CS-475 to CS-478, CS-481."""
    play = struck(due(duel()), roll, chance=55)
    assert result in play.names()
    assert ("reprisal" in play.offers()) is (result == "Missed")


def test_the_chance_is_asked_for_where_nothing_gives_one():
    """CS-475, CS-476, M-01: the sum is shown with the question, and the answer is rolled."""
    play = due(duel()).do("resolve", who="ash")
    assert play.got("CheckRequested", av=40, dv=35, target="orc")
    prompt = play.prompt("check")
    assert "AV 40 against DV 35" in prompt.question
    assert prompt.blocking
    assert play.refused("CS-475", "advance").accepts == ("made", "failed", "line", "a number (chance)")
    play.do("answer", prompt=prompt.id, amount=55, rolls={"check": [55]})
    assert play.got("Hit", attacker="ash", target="orc", margin=0)
    assert uses_of(play, "ash") == {"sword/R": (1, 0)}


def test_a_die_that_was_thrown_before_the_chance_was_known_counts():
    """CS-476, R-3: what the table has thrown is not lost."""
    play = due(duel()).do("resolve", who="ash", rolls={"check": [55]})
    play.do("answer", prompt="check", amount=54)
    assert play.got("CheckResolved", roll=55, ok=False)
    assert play.got("DiceRolled", faces=(55,))
    play = duel().do("declare", who="ash", action="task", text="picks the lock", dv=27, skill=30).to("resolve", "ash")
    play.do("resolve", who="ash", rolls={"check": [12]}).do("answer", prompt="check", amount=12)
    assert play.got("CheckResolved", roll=12, ok=True)


def test_the_outcome_can_be_stated():
    """CS-477: where the dice need not be known; CS-488: each exchange for itself."""
    play = due(duel()).do("resolve", who="ash", hit=True, harm=2)
    assert play.got("CheckResolved", chance=None, roll=None, ok=True)
    assert play.see("orc")["wounds"] == 2
    assert outcome(play) == ("done", "hit Orc")


def test_the_straight_line_gives_a_chance():
    """M-01: 50 + AV - DV."""
    play = struck(due(duel({"resolution": "linear"})), 55, chance=None)
    assert play.got("Hit", margin=0)


@pytest.mark.parametrize("chances", ["AV,DV,chance\n40,35,61", "difference,chance\n5,61"])
def test_the_gms_own_table_gives_a_chance(chances: str):
    """M-01: AV 40 against DV 35."""
    play = struck(due(duel({"resolution": "table", "chance_table": chances})), 61, chance=None)
    assert play.got("CheckResolved", chance=61, roll=61, ok=True)


def test_a_table_that_is_not_there_leaves_the_chance_to_the_gm():
    """M-01: what can be done is offered all the same."""
    play = due(duel({"resolution": "table"}))
    assert play.option("ash", "strike").legal
    assert play.do("resolve", who="ash").asks() == ["check"]


def test_the_gm_may_set_or_add_to_any_number():
    """CS-276: a labelled modifier; AV and DV by the GM's word."""
    play = struck(due(duel()), modifier=-7, reason="mud")
    assert numbers(play) == (33, 35)
    assert ("mud", "-7", "CS-276") in play.got("CheckRequested").parts  # type: ignore[attr-defined]
    play = struck(due(duel()), av=12, dv=90)
    assert numbers(play) == (12, 90)


def test_what_a_hit_does_may_be_said_by_hand():
    """CS-477: nothing else of it is reckoned then; dice are thrown."""
    play = struck(due(duel()), 5, harm=3)
    assert play.see("orc")["wounds"] == 3
    assert "BlowLanded" not in play.names()
    play = struck(due(duel()), 5, harm="1d4", rolls={"check": [5], "harm": [4]})
    assert play.see("orc")["wounds"] == 4


def test_bumbles_and_heroic_effects_are_marked():
    """CS-635, CS-637: within a tenth of either end, where the options are on."""
    on = {"heroic_effects": True, "bumbles": True, "heroic_scope": "always", "heroic_for": "all"}
    for roll, field in ((5, "heroic"), (95, "bumble")):
        assert getattr(struck(due(duel(on)), roll).got("CheckResolved"), field) is True
        assert getattr(struck(due(duel()), roll).got("CheckResolved"), field) is False


def test_heroic_effects_favour_pcs_in_pivotal_scenes():
    """CS-636, CS-638: by default, and the GM says which scene is pivotal."""
    play = duel({"heroic_effects": True}, ash={"kind": "pc"})
    assert struck(due(play), 5).got("CheckResolved").heroic is False  # type: ignore[attr-defined]
    for who, heroic in (("ash", True), ("orc", False)):
        play = duel({"heroic_effects": True}, ash={"kind": "pc"}).do("rule", what="pivotal", value=True)
        play = struck(due(play, who, {"ash": "orc", "orc": "ash"}[who]), 5)
        assert play.got("CheckResolved").heroic is heroic  # type: ignore[attr-defined]


# Defences


def test_defences_come_with_their_numbers_the_best_first():
    """CS-165, CS-410, CS-411, CS-417: each by itself, then with a Dodge; the best is what is taken."""
    play = due(duel(orc={"weapons": [{**SWORD, "av": 35}, SHIELD], "dodge": 13}))
    inputs = {one.name: one for one in play.option("ash", "strike").inputs}
    assert inputs["defence"].choices == (
        "parry sword 35", "parry shield 25", "block shield 25", "dodge 13",
        "parry sword+dodge 48", "parry shield+dodge 38", "block shield+dodge 38", "none",
    )  # fmt: skip
    assert inputs["defence"].default == "parry sword 35"
    assert "AV 40 \N{MINUS SIGN} DV 35" in inputs["chance"].label
    assert inputs["target"].default == "orc"
    assert numbers(struck(play)) == (40, 35)


@pytest.mark.parametrize(
    ("said", "dv", "uses", "dodges"),
    [
        ("parry sword", 35, {"sword/R": (0, 1)}, 0),
        ("block shield", 25, {"shield/L": (0, 1)}, 0),
        ("parry shield 25", 25, {"shield/L": (0, 1)}, 0),
        ("parry", 35, {"sword/R": (0, 1)}, 0),
        ("dodge", 13, {}, 1),
        ("Parry Sword+Dodge", 48, {"sword/R": (0, 1)}, 1),
        ("block sword + dodge", 48, {"sword/R": (0, 1)}, 1),
        ("none", 0, {}, 0),
    ],
)
def test_any_of_them_can_be_chosen(said: str, dv: int, uses: dict[str, tuple[int, int]], dodges: int):
    """CS-410, CS-411, CS-412, CS-417: settled at once, in the attacker's turn."""
    play = due(duel(orc={"weapons": [{**SWORD, "av": 35}, SHIELD], "dodge": 13}))
    struck(play, defence=said)
    assert numbers(play) == (40, dv)
    assert (uses_of(play, "orc"), play.see("orc")["dodges"]) == (uses, dodges)


@pytest.mark.parametrize("said", ["duck", "parry axe", "parry sword+shield+", "with luck"])
def test_what_is_no_defence_is_refused(said: str):
    """CS-410: with what there is."""
    play = due(duel())
    no = play.refused("CS-410", "resolve", who="ash", chance=50, defence=said)
    assert "parry sword" in no.accepts


def test_what_is_not_in_hand_does_not_defend():
    """CS-415, CS-147."""
    play = due(duel(orc={"weapons": [SWORD, DAGGER], "hands": {"R": "sword"}}))
    play.refused("CS-415", "resolve", who="ash", chance=50, defence="parry dagger")


def test_a_hand_at_work_does_not_defend():
    """CS-147, CS-146: a task binds both hands; CS-416: an attack binds none for this."""
    play = duel(orc={"dodge": 10})
    play.do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "orc").do("declare", who="orc", action="task", text="picks a lock", qa=8)
    play.to("resolve", "ash")
    play.refused("CS-147", "resolve", who="ash", chance=50, defence="parry sword")
    assert struck(play).got("CheckRequested").dv == 10  # type: ignore[attr-defined]
    play = duel()
    play.do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    assert numbers(struck(play)) == (40, 35)
    play.to("resolve", "orc")
    assert numbers(struck(play)) == (35, 40)


def test_who_is_bound_with_the_whole_body_cannot_dodge():
    """CS-417: restrained, or the whole body busy."""
    play = duel(orc={"dodge": 10}).do("adjust", who="orc", what="bound.body", value=True)
    due(play)
    play.refused("CS-417", "resolve", who="ash", chance=50, defence="dodge")
    assert numbers(struck(play, defence="")) == (40, 35)


def test_who_is_down_has_no_defence():
    """CS-111, A-15; put right 34: whoever fell since the declaration is struck only if named again, without `force`."""
    play = due(duel(orc={"dodge": 10}, imp={"side": "foe"}))
    play.do("set_life", who="orc", life="unconscious")
    assert "target: orc" in play.refused("CS-111", "resolve", who="ash", chance=50).accepts
    assert numbers(struck(play, target="orc")) == (40, 0)


@pytest.mark.parametrize("life", ["unconscious", "collapsed"])
def test_a_15_a_coup_de_grace_is_declared_and_struck(life: str):
    """A-15, CS-628; put right 34: offered with its DV in both phases, never proposed; a wound asks for life again."""
    play = duel(orc={"weapons": [POLEARM], "dodge": 10}).do("set_life", who="orc", life=life).to("declare", "ash")
    offered = play.option("ash", "declare-strike")
    assert (offered.legal, offered.is_unlikely, offered.inputs[0].choices) == (True, True, ("orc",))
    due(play)
    chosen = play.option("ash", "strike")
    assert (chosen.legal, chosen.inputs[0].default) == (True, "orc")
    assert [field.default for field in chosen.inputs if field.name == "defence"] == ["none"]
    assert numbers(struck(play, defence="")) == (40, 0)
    hit = due(duel(orc={"dodge": 10}).do("set_life", who="orc", life=life).do("adjust", who="orc", what="wounds",
              value=10).to("declare", "ash"))  # fmt: skip
    hit.do("resolve", who="ash", hit=True, harm=1)
    assert hit.prompt("check").rule == "CS-624"


def test_a_15_the_dead_are_left_in_peace():
    """CS-111; put right 34: nothing comes of it, and the GM may insist."""
    play = duel().do("set_life", who="orc", life="dead").to("declare", "ash")
    play.refused("CS-111", "declare", who="ash", action="strike", target="orc")
    assert not play.option("ash", "declare-strike").legal


def test_a_15_who_stands_comes_before_who_is_down():
    """A-15, CS-342; put right 34: the first of those offered is up, and the option is a likely one."""
    play = duel(imp={"side": "foe"}).do("set_life", who="orc", life="unconscious").to("declare", "ash")
    offered = play.option("ash", "declare-strike")
    assert (offered.is_unlikely, offered.inputs[0].choices) == (False, ("imp", "orc"))


# Repeated use


def worn(play: Play, defences: int, defence: str = "parry sword") -> list[object]:
    """DVs of so many strikes one after the other, each of another attacker."""
    found: list[object] = []
    for number in range(defences):
        play.to("resolve", f"a{number}")
        struck(play, defence=defence)
        found.append(numbers(play)[1])
    return found


@played_once
def mob(count: int, orc: Mapping[str, object], settings: Mapping[str, object] | None = None) -> Play:
    """So many attackers who have all declared on one orc, who comes last."""
    attackers = {f"a{number}": {"weapons": [SWORD]} for number in range(count)}
    play = table(None, settings, **attackers, orc={"side": "foe", **orc}).begin()
    for number in range(count):
        play.to("declare", f"a{number}").do("declare", who=f"a{number}", action="strike", target="orc")
    return play


def test_g_62_parries_halve_and_attacks_are_counted_apart():
    """G-62, CS-238, CS-415, A-02: 40, 20, 10, 5; the own attack still 40."""
    play = mob(4, {"weapons": [SWORD]})
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="a0")
    assert worn(play, 4) == [40, 20, 10, 5]
    play.to("resolve", "orc")
    assert numbers(struck(play, defence="none")) == (40, 0)
    assert play.got("UseCounted", skill="sword/R", role="attack", n=1, worth=40)


def test_g_62_pooled_uses_are_counted_together():
    """G-62, A-02: two Parries, then the attack at 10."""
    play = mob(2, {"weapons": [SWORD]}, {"weapon_reuse": "pooled"})
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="a0")
    assert worn(play, 2) == [40, 20]
    play.to("resolve", "orc")
    assert numbers(struck(play, defence="none")) == (10, 0)


def test_two_weapons_are_counted_each_for_itself():
    """CS-239: other skills and other hands."""
    play = mob(2, {"weapons": [SWORD, OFF_DAGGER]})
    assert worn(play, 1, "parry sword") == [40]
    play.to("resolve", "a1")
    assert numbers(struck(play, defence="parry dagger"))[1] == 22
    assert uses_of(play, "orc") == {"sword/R": (0, 1), "dagger/L": (0, 1)}


def test_g_64_dodges_halve_down_to_nothing():
    """G-64, CS-419, R-2: 13, 7, 3, 2, 1, and no sixth."""
    play = mob(6, {"dodge": 13})
    assert worn(play, 5, "dodge") == [13, 7, 3, 2, 1]
    play.to("resolve", "a5")
    play.refused("CS-419", "resolve", who="a5", chance=50, defence="dodge")
    assert numbers(struck(play)) == (40, 0)


@pytest.mark.parametrize(
    ("level", "worth"), [(27, [13, 13, 7, 3]), (8, [13, 7, 3, 2]), (30, [13, 13, 13, 7]), (0, [13, 7, 3, 2])]
)
def test_g_65_trained_dodgers(level: int, worth: list[int]):
    """G-65, CS-420, A-38: one free Dodge for each 10 levels, and the first anyway."""
    play = mob(4, {"dodge": 13, "trades": [{"name": "Warrior", "sl": level}]})
    assert worn(play, 4, "dodge") == worth


@pytest.mark.parametrize("skill", ["acrobat", "dancer"])
def test_acrobats_and_dancers_are_trained_dodgers(skill: str):
    """CS-420: by skill too."""
    play = mob(3, {"dodge": 13, "skills": {skill: 25}})
    assert worn(play, 3, "dodge") == [13, 13, 7]


def test_g_66_a_second_action_starts_again():
    """G-66, CS-419, A-03: with the window `action`; with `cs` it goes on."""
    for window, third in (("action", 13), ("cs", 3)):
        play = table(
            None, {"reuse_window": window}, a0={"weapons": [SWORD], "roa": 2}, a1={"weapons": [SWORD]},
            orc={"side": "foe", "dodge": 13, "roa": 2},
        ).begin()  # fmt: skip
        for who in ("a0", "a1"):
            play.to("declare", who).do("declare", who=who, action="strike", target="orc")
        assert worn(play, 2, "dodge") == [13, 7]
        play.to("declare", "a0").do("declare", who="a0", action="strike", target="orc").to("resolve", "a0")
        assert numbers(struck(play, defence="dodge"))[1] == third


def test_counters_start_again_with_the_segment():
    """CS-238, A-03."""
    play = mob(2, {"weapons": [SWORD]})
    assert worn(play, 2) == [40, 20]
    play.to("initiative").begin()
    assert uses_of(play, "orc") == {}


def test_the_remaining_defences_are_told():
    """CS-169: usually none by the fourth or fifth."""
    play = mob(5, {"weapons": [{**SWORD, "av": 4}], "dodge": 3})
    assert play.see("orc")["defences_left"] == [
        "parry sword 4", "dodge 3", "parry sword 2", "dodge 2", "parry sword 1", "parry sword 1", "dodge 1",
    ]  # fmt: skip
    play.to("resolve", "a0")
    reminders = play.fight.system.reminders(play.state)
    assert "Orc can still: parry sword 4, then 2; dodge 3, then 2" in reminders
    play.do("resolve", who="a0", hit=False)
    assert not any("A0: " in line or "can still" in line for line in play.fight.system.reminders(play.state))


def test_the_roster_shows_what_is_left_to_who_has_defended():
    """CS-169."""
    play = mob(2, {"weapons": [{**SWORD, "av": 2}]})
    assert play.fight.system.card(play.state, "orc").badges == ()
    struck(play.to("resolve", "a0"))
    assert [one.text for one in play.fight.system.card(play.state, "orc").badges] == ["can parry sword 1"]
    play.do("adjust", who="orc", what="uses.sword/R.defences", value=9)
    assert [one.text for one in play.fight.system.card(play.state, "orc").badges] == ["no defence left"]


# Full defence


def test_a_full_defence_is_always_fresh_against_the_foe_it_is_for():
    """CS-166, CS-167, A-53: no other Action, and no penalty for repeated use against that foe alone."""
    play = table(
        None, None, orc={"side": "foe", "weapons": [SWORD]}, a0={"weapons": [SWORD]}, a1={"weapons": [SWORD]}
    ).begin()  # fmt: skip
    play.do("declare", who="orc", action="defend", against="a1")
    for who in ("a0", "a1"):
        play.to("declare", who).do("declare", who=who, action="strike", target="orc")
    play.to("resolve", "a0")
    assert numbers(struck(play, defence="parry sword"))[1] == 40
    play.to("resolve", "a1")
    struck(play, defence="parry sword")
    assert numbers(play)[1] == 40
    assert "CS-167" in rules_of(play)
    assert uses_of(play, "orc") == {"sword/R": (0, 2)}
    assert play.got("UseCounted", who="orc").worth == 40  # type: ignore[attr-defined]
    assert not [one for one in play.heard if one.type == "CheckRequested" and one.who == "orc"]  # type: ignore[attr-defined]


def test_against_others_a_full_defence_wears_off_like_any():
    """CS-167: it is for one foe."""
    play = table(
        None, None, orc={"side": "foe", "weapons": [SWORD]}, a0={"weapons": [SWORD]}, a1={"weapons": [SWORD]}
    ).begin()
    play.do("declare", who="orc", action="defend", against="a0")
    for who in ("a0", "a1"):
        play.to("declare", who).do("declare", who=who, action="strike", target="orc")
    assert worn(play, 2) == [40, 20]


@pytest.mark.parametrize(("aborted", "dvs"), [(False, [40, 40]), (True, [40, 20])])
def test_a_full_defence_lasts_as_long_as_it_is_what_one_does(aborted: bool, dvs: list[int]):
    """CS-102, CS-143, CS-167, L206: the slow are at it until it is due in the next segment; given up, it is over."""
    play = table(
        None, None, orc={"side": "foe", "roa": "1/2", "weapons": [SWORD]}, a0={"weapons": [SWORD]},
        a1={"weapons": [SWORD]},
    ).begin()  # fmt: skip
    play.to("declare", "orc").do("declare", who="orc", action="defend", against="a1")
    play.until(lambda: play.state.round == 2).begin()
    if aborted:
        play.do("abort", who="orc")
    for who in ("a0", "a1"):
        play.to("declare", who).do("declare", who=who, action="strike", target="orc")
    assert worn(play, 2) == dvs
    play.until(lambda: play.state.round == 3)
    assert play.see("orc")["full_defence"] == ""


# What it costs


@pytest.mark.parametrize(
    ("defence", "roll", "left"),
    [
        ("parry sword", 99, (9, 9)),
        ("parry sword", 1, (9, 9)),
        ("parry sword+dodge", 99, (9, 8)),
        ("none", 99, (9, 10)),
        ("dodge", 1, (9, 9)),
    ],
)
def test_g_74_endurance_is_spent_hit_or_miss(defence: str, roll: int, left: tuple[int, int]):
    """G-74, CS-168, CS-479, A-36."""
    end = {"end": {"max": 10}}
    play = due(duel({"end": True}, ash=end, orc={**end, "dodge": 12}))
    struck(play, roll, defence=defence)
    assert (play.one("ash").pool("end").now, play.one("orc").pool("end").now) == left


def test_without_the_option_endurance_stays():
    """CS-168: and with none left nothing is forbidden (M-13)."""
    end = {"end": {"max": 10}}
    play = struck(due(duel(ash=end, orc=end)))
    assert play.one("ash").pool("end").now == 10
    none = {"end": {"max": 10, "cur": 0}}
    play = struck(due(duel({"end": True}, ash=none, orc=none)), 1)
    assert "Hit" in play.names()
    assert not play.all("EndSpent")


def test_the_cnd_allowance_is_spent_once_a_segment():
    """CS-343, A-37: with any attack or defence, and again in the next."""
    allowed = {"cnd_allow": {"max": 6}}
    play = duel({"cnd_allowance": True}, ash=allowed, orc=allowed)
    play.do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    struck(play)
    play.to("resolve", "orc")
    struck(play)
    assert [play.one(who).pool("cnd").now for who in ("ash", "orc")] == [5, 5]
    play.to("initiative").begin()
    struck(due(play), defence="none")
    assert [play.one(who).pool("cnd").now for who in ("ash", "orc")] == [4, 5]


def test_the_last_of_the_cnd_allowance_is_spent() -> None:
    """CS-343, A-37."""
    play = struck(due(duel({"cnd_allowance": True}, ash={"cnd_allow": {"max": 6, "cur": 1}})), defence="none")
    assert play.got("AllowanceSpent", who="ash").left == 0  # type: ignore[attr-defined]


# What comes off


def test_pain_comes_off_every_av_before_uses_halve_it():
    """CS-613, A-56: attack and defence alike."""
    play = duel(orc={"dodge": 20}).do("set_stun", who="ash", penalty=6).do("set_stun", who="orc", penalty=5)
    play = struck(due(play), defence="parry sword+dodge")
    assert numbers(play) == (34, 30 + 15)
    play = mob(2, {"weapons": [SWORD]}).do("set_stun", who="orc", penalty=15)
    assert worn(play, 2) == [25, 13]


def test_the_off_hand_without_a_skill_is_marked():
    """CS-344, M-19: the GM's modifier; no amount is given."""
    play = due(duel(ash={"weapons": [SWORD], "hands": {"L": "sword"}}))
    struck(play)
    assert "CS-344" in rules_of(play)
    assert numbers(play) == (40, 35)


def test_improvised_weapons_cost_what_they_weigh_too_much():
    """CS-380 to CS-383, CS-148, CS-340: prog of the pounds over STR / 4."""
    stool = {"name": "stool", "kind": "object", "av": 30, "size": 2, "weight_lb": 5.5}
    play = struck(due(duel(ash={"weapons": [stool], "str": 13}, orc=UNARMED), weapon="stool"))
    assert numbers(play) == (30 - 6, 35), "3 lb over 3.25"
    assert "CS-382" in rules_of(play)
    plank = {**stool, "name": "plank", "size": 5}
    play = duel(ash={"weapons": [plank]}, orc=UNARMED).to("declare", "ash")
    play.refused("CS-381", "declare", who="ash", weapon="plank", target="orc")
    pole = {**stool, "name": "pole", "size": 3, "hand": "2", "grip": "2"}
    play = duel(ash={"weapons": [pole]}, orc=UNARMED).to("declare", "ash")
    play.refused("CS-380", "declare", who="ash", weapon="pole", target="orc")


def test_bare_hands_strike_with_brawling():
    """CS-148, CS-348: and defend nothing by themselves."""
    play = struck(due(duel(ash={"weapons": [], "skills": {"brawling": 21}}, orc=UNARMED)))
    assert numbers(play) == (21, 35)
    assert play.got("UseCounted", skill="bare hands/R")


# Attacks in one Action


def test_each_item_attacks_once_in_an_action():
    """CS-340, CS-341: a second attack with the same item is refused, with another one it is not."""
    play = duel(ash={"weapons": [SWORD, OFF_DAGGER]})
    play.to("declare", "ash")
    play.refused("CS-340", "declare", who="ash", action="strike", weapon="sword", second="sword", target="orc")
    due(play, weapon="sword", second="dagger")
    struck(play)
    play.refused("CS-340", "resolve", who="ash", weapon="sword", chance=50)
    assert [one.action for one in play.fight.options("ash") if one.command == "Resolve"] == ["strike"]
    struck(play)
    assert numbers(play) == (22, 18)
    assert outcome(play) == ("failed", "missed Orc; missed Orc")


def test_an_attack_that_was_not_declared_waits_for_the_next_action():
    """CS-341."""
    play = due(duel(ash={"weapons": [SWORD, OFF_DAGGER]}), weapon="sword")
    struck(play, weapon="dagger")
    assert outcome(play) == ("failed", "missed Orc")


def test_the_second_weapon_may_be_for_another_foe():
    """CS-342: with a target of its own."""
    play = duel(ash={"weapons": [SWORD, OFF_DAGGER]}, imp={"side": "foe"})
    due(play, weapon="sword", second="dagger", other="imp")
    assert struck(play).got("Missed").target == "orc"  # type: ignore[attr-defined]
    assert struck(play).got("Missed").target == "imp"  # type: ignore[attr-defined]


def test_one_of_two_weapons_may_be_kept():
    """CS-341: play goes on after the first, once it has been asked about the second."""
    play = due(duel(ash={"weapons": [SWORD, OFF_DAGGER]}), weapon="sword", second="dagger")
    struck(play, 5, harm=0).do("advance")
    assert play.offers() == ["unsettled"]
    play.do("advance")
    assert outcome(play) == ("done", "hit Orc")


def test_an_attack_needs_a_target_and_what_it_is_made_with():
    """CS-340, CS-342."""
    play = due(duel(), target="")
    assert play.refused("CS-342", "resolve", who="ash", chance=50).accepts == ("orc",)
    play.refused("CS-340", "resolve", who="ash", chance=50, target="ash")
    play = duel(ash={"weapons": [SWORD, DAGGER], "hands": {"R": "sword"}}).to("declare", "ash")
    play.refused("CS-340", "declare", who="ash", weapon="dagger", target="orc")


# Types of attack


def test_every_type_is_read_and_only_the_usual_ones_are_open_to_all():
    """CS-350: Common Strike, Hurl, Fire, Charge, Brawl and the Opportunity kinds; the rest is an option."""
    free = {key for key, one in attack_types.attack_types().items() if not one.special}
    assert {"common_strike", "hurl", "fire", "charge", "brawl", "trip", "clothesline", "body_check"} <= free
    special = {"thrust", "slash", "aimed_strike", "hearty_blow", "shield_bash", "rim_strike", "entangle", "bind"}
    assert not special & free


def test_a_special_attack_needs_its_options():
    """CS-350: the group's and its own."""
    play = duel().to("declare", "ash")
    no = play.refused("CS-350", "declare", who="ash", action="strike", target="orc", attack="thrust")
    assert "special_attacks, thrust" in no.message
    play = duel({"special_attacks": True}).to("declare", "ash")
    play.refused("CS-350", "declare", who="ash", action="strike", target="orc", attack="thrust")
    play = duel({"special_attacks": True, "thrust": True}).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc", attack="Thrust")
    assert play.one("ash").record.action.attack == "thrust"


def test_special_attacks_are_learned():
    """CS-362: one by one by those whose trade does not teach them."""
    settings = {"special_attacks": True}
    for sheet, may in (
        ({"trades": [{"name": "Miller", "sl": 9}]}, False),
        ({"trades": [{"name": "Miller", "sl": 9}], "special_attacks": ["Hearty Blow"]}, True),
        ({"trades": [{"name": "Warrior", "sl": 9}]}, True),
        ({"special_attacks": ["entangle"]}, False),
    ):
        play = duel(settings, ash=sheet).to("declare", "ash")
        given = {"who": "ash", "action": "strike", "target": "orc", "attack": "hearty blow"}
        if may:
            play.do("declare", **given)
        else:
            play.refused("CS-362", "declare", **given)
            play.do("declare", **given, force=True)


def test_a_weapon_of_several_types_must_be_told_which():
    """CS-349: a single type, or one alone that is open, goes without saying."""
    several = {**SWORD, "attack_types": ["common_strike", "thrust"]}
    play = duel({"special_attacks": True, "thrust": True}, ash={"weapons": [several]}).to("declare", "ash")
    no = play.refused("CS-349", "declare", who="ash", action="strike", target="orc")
    assert no.accepts == ("common_strike", "thrust")
    play.do("declare", who="ash", action="strike", target="orc", attack="thrust")
    play = duel(ash={"weapons": [several]}).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc")
    assert play.one("ash").record.action.attack == "common_strike"
    play = duel(ash={"weapons": [{**SWORD, "attack_types": ["brawl"]}]}).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc")
    assert play.one("ash").record.action.attack == "brawl"


def test_the_gm_may_add_types_of_attack():
    """CS-350: named on a weapon or a sheet; they are special attacks."""
    whip = {**SWORD, "name": "whip", "attack_types": ["Lash"]}
    play = duel({"special_attacks": True}, ash={"weapons": [whip]}).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc")
    assert play.one("ash").record.action.attack == "lash"
    play.to("resolve", "ash")
    assert "Hit" in struck(play, 5).names()
    play = duel().to("declare", "ash")
    play.refused("CS-350", "declare", who="ash", action="strike", target="orc", attack="lash")


def test_what_is_no_blow_asks_for_no_wounds():
    """CS-345, CS-346, M-08: seizing a weapon and the like are contests that the GM sets."""
    play = duel().to("declare", "ash").do("declare", who="ash", action="strike", target="orc", attack="seize")
    play.to("resolve", "ash")
    struck(play, 5)
    assert "Hit" in play.names()
    assert play.offers() == []


def test_a_feint_is_part_of_the_action():
    """CS-351: never rolled apart: one Action, one check."""
    play = due(duel(), text="feints high, strikes low")
    struck(play)
    assert len(play.all("CheckRequested")) == 1


@pytest.mark.parametrize("verb", ["parry", "block"])
def test_with_empty_hands_nothing_parries_whoever_insists(verb: str):
    """CS-415: there is nothing for the GM to overrule, and so the refusal is for good."""
    play = due(duel(orc=UNARMED))
    no = play.refused("CS-415", "resolve", who="ash", defence=verb, chance=50)
    assert (no.final, no.accepts) == (True, ("dodge", "none"))
    play.refused("CS-415", "resolve", who="ash", defence=verb, chance=50, force=True)


# Contested rolls


@pytest.mark.parametrize(
    ("attack", "defence", "hit"),
    [(20, 99, True), (99, 20, False), (20, 30, True), (30, 20, False), (99, 99, False), (25, 25, False)],
)
def test_in_a_contested_roll_both_sides_roll(attack: int, defence: int, hit: bool):
    """CS-480, A-04, M-02: only one succeeds, or the larger margin; both fail: nobody; a tie is the defender's."""
    play = due(duel({"melee_roll": "contested"}))
    struck(play, attack, dv_chance=50, rolls={"check": [attack], "defence": [defence]})
    assert ("Hit" in play.names()) is hit
    assert [one.who for one in play.all("CheckResolved")] == ["ash", "orc"]  # type: ignore[attr-defined]


def test_ties_are_settled_as_the_fight_reads_them():
    """A-17: for the attacker, or rolled again."""
    play = due(duel({"melee_roll": "contested", "contested_tie": "attacker"}))
    struck(play, dv_chance=50, rolls={"check": [25], "defence": [25]})
    assert "Hit" in play.names()
    play = due(duel({"melee_roll": "contested", "contested_tie": "reroll"}))
    struck(play, dv_chance=50, rolls={"check": [25, 10], "defence": [25, 90]})
    assert "Hit" in play.names()
    assert len(play.all("CheckResolved")) == 4


def test_the_defenders_chance_is_asked_for():
    """M-01, M-02: after the attacker's roll."""
    play = due(duel({"melee_roll": "contested"}))
    struck(play, 20)
    assert play.prompt("check").who == "orc"
    play.do("answer", prompt="check", amount=60, rolls={"defence": [10]})
    assert "Missed" in play.names()
    assert uses_of(play, "orc") == {"sword/R": (0, 1)}
    play = due(duel({"melee_roll": "contested"}))
    struck(play, 20).do("answer", prompt="check", choice="failed")
    assert "Hit" in play.names()


def test_nobody_contests_without_a_defence():
    """CS-480: the attacker's roll alone."""
    play = struck(due(duel({"melee_roll": "contested"})), 20, defence="none")
    assert "Hit" in play.names()
    assert len(play.all("CheckResolved")) == 1


def test_what_an_attack_asks_belongs_to_it_and_what_a_task_asks_does_not():
    """CS-480, CS-127: the defender's chance is asked for in the panel of the blow."""
    fight = struck(due(duel({"melee_roll": "contested"})), 20).fight
    assert [fight.system.follows_attack(prompt) for prompt in fight.state.prompts] == [True]
    task = duel().do("declare", who="ash", action="task", text="picks the lock", dv=27, skill=30).to("resolve", "ash")
    prompt = task.do("resolve", who="ash").prompt("check")
    assert not task.fight.system.follows_attack(prompt)


# Acts that are no attack


@pytest.mark.parametrize(("roll", "state"), [(40, "done"), (41, "failed")])
def test_a_task_is_a_check_against_its_dv(roll: int, state: str):
    """CS-127: in the Resolution of the segment in which it is finished."""
    play = duel().do("declare", who="ash", action="task", text="picks the lock", dv=27, skill=30).to("resolve", "ash")
    play.do("resolve", who="ash", chance=40, rolls={"check": [roll]})
    assert play.got("CheckRequested", av=30, dv=27)
    assert outcome(play) == (state, state)


def test_a_tasks_chance_is_asked_for():
    """CS-127, M-01."""
    play = duel().do("declare", who="ash", action="task", text="picks the lock", dv=27, skill=30).to("resolve", "ash")
    play.do("resolve", who="ash", outcome="the door is open")
    play.do("answer", prompt="check", amount=40, rolls={"check": [7]})
    assert play.got("Resolved").outcome == "the door is open"  # type: ignore[attr-defined]


def test_other_acts_are_done_by_the_gms_word():
    """CS-092: with what came of it."""
    play = duel().do("declare", who="ash", action="act", text="overturns the table").to("resolve", "ash")
    play.do("resolve", who="ash", outcome="it blocks the door")
    assert play.got("Resolved").outcome == "it blocks the door"  # type: ignore[attr-defined]


def test_numbers_are_explained():
    """CS-238, CS-169: what AV and defences come from."""
    play = due(duel(orc={"dodge": 13}))
    assert play.fight.explain("ash", "attack").total == "40"
    found = play.fight.explain("orc", "defence")
    assert found.total == "parry sword 35"
    assert "used or lost" not in [part.label for part in play.fight.explain("ash", "slots").parts]
    assert ("dodge", "13, then 7, then 3", "CS-415") in [(part.label, part.value, part.rule) for part in found.parts]


def test_an_odd_count_never_hinders_reading_it():
    """CS-238: whatever the GM types by hand."""
    play = duel().do("adjust", who="orc", what="dodges", value=-3)
    assert struck(due(play)).got("UseCounted", who="orc")


# All of it


def test_g_125_until_the_blow_lands():
    """G-125, steps 1 to 10: Pulses, an Opportunity, two strikes, two Reprisals; AVs, DVs, uses and END as printed."""
    blade = {"name": "sword", "size": 4}
    play = table(
        None, {"pulse_movement": True, "end": True},
        a={"weapons": [{**blade, "av": 40}], "end": {"max": 10}, "move": {"full": 12}},
        b={"side": "foe", "weapons": [{**blade, "av": 35}], "end": {"max": 10}, "move": {"full": 16}},
    ).begin(a=12, b=9)  # fmt: skip
    play.do("declare", who="a", text="close and strike B", action="strike", target="b").do("confirm", who="a")
    play.do("advance").do("wait", who="b")
    for pulse, (far_a, far_b) in enumerate(((9, 12), (18, 24), (18, 24)), start=1):
        play.to("pulse")
        play.do("move", who="a", feet=far_a, speed=12).do("move", who="b", feet=far_b, speed=16)
        while play.state.remembered["pulse"] == pulse:
            play.do("advance")
    play.do("move", who="a", feet=15, speed=12, meets="b")
    assert {"PathsCrossed", "OpportunityOffered"} <= set(play.names())

    def stands(*wanted: object) -> bool:
        """AV, DV, both counts of uses, both END."""
        uses, left = [uses_of(play, who) for who in "ab"], [play.one(who).pool("end").now for who in "ab"]
        assert (*numbers(play), *uses, *left) == wanted
        return True

    play.do("opportunity", who="b", target="a", kind="common_strike", chance=40, rolls={"check": [61]})
    assert stands(35, 40, {"sword/R": (0, 1)}, {"sword/R": (1, 0)}, 9, 9)
    names = play.names()
    assert names.index("OpportunityTaken") < names.index("MovementInterrupted") < names.index("Missed")
    assert "MovementResumed" in names
    assert "ReprisalOffered" not in names
    play.do("declare", who="b", text="strike A", action="strike", target="a")
    assert play.got("DeclarationInserted")
    play.to("resolve", "a").do("resolve", who="a", chance=55, rolls={"check": [58]})
    assert stands(40, 35, {"sword/R": (1, 1)}, {"sword/R": (1, 1)}, 8, 8)
    play.do("reprise", who="b", chance=50, rolls={"check": [77]})
    assert stands(18, 10, {"sword/R": (1, 1)}, {"sword/R": (2, 1)}, 7, 7)
    assert play.offers() == []
    play.to("resolve", "b").do("resolve", who="b", chance=30, rolls={"check": [95]})
    assert stands(9, 20, {"sword/R": (1, 2)}, {"sword/R": (3, 1)}, 6, 6)
    play.do("reprise", who="a", chance=60, rolls={"check": [44]})
    assert stands(20, 9, {"sword/R": (2, 2)}, {"sword/R": (3, 1)}, 5, 5)
    assert play.got("Hit", attacker="a", target="b")


def asked(play: Play, who: str, action: str, **given: str) -> dict[str, tuple[str, str]]:
    """Labels and defaults of what an option still asks for once some of it is given."""
    option = play.option(who, action)
    found = play.fight.system.inputs(play.state, who, option, given)
    return {one.name: (one.label, one.default) for one in found}


def test_r_5_the_chance_that_is_asked_for_is_against_the_defence_and_the_target_that_were_picked() -> None:
    """CS-475, R-5: never the number of another defence."""
    ann = {"side": "foe", "weapons": [{**SWORD, "av": 20}]}
    play = due(duel({"resolution": "linear"}, orc={"dodge": 13}, ann=ann))
    assert asked(play, "ash", "strike")["chance"] == ("chance in % (AV 40 \N{MINUS SIGN} DV 35)", "55")
    dodged = asked(play, "ash", "strike", target="orc", defence="dodge 13")
    assert dodged["chance"] == ("chance in % (AV 40 \N{MINUS SIGN} DV 13)", "77")
    other = asked(play, "ash", "strike", target="ann")
    assert other["defence"][1] == "parry sword 20"
    assert other["chance"][1] == "70"


def test_r_5_a_reprisal_is_asked_for_with_the_defence_that_was_picked() -> None:
    """CS-482, R-5."""
    play = struck(due(duel({"resolution": "linear"}, ash={"dodge": 13})))
    assert asked(play, "orc", "reprise", defence="none")["chance"][1] == str(50 + 35 - 0)


@pytest.mark.parametrize(("said", "dv"), [("parry", 35), ("block", 35)])
def test_cs_415_a_parry_is_made_with_what_is_in_hand(said: str, dv: int) -> None:
    """CS-415: nobody need say with what, where that is one thing."""
    play = due(duel()).do("resolve", who="ash", defence=said, chance=50, rolls={"check": [99]})
    assert play.got("CheckRequested").dv == dv  # type: ignore[attr-defined]


def test_cs_415_nobody_parries_with_empty_hands() -> None:
    """CS-415: a dodge is no weapon."""
    refusal = due(duel(orc=UNARMED)).refused("CS-415", "resolve", who="ash", defence="parry")
    assert refusal.accepts == ("dodge", "none")
