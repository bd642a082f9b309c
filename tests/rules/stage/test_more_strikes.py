"""More worked examples of Stage Moments: contact, strikes, cover, sneaking, business and statuses, in every reading."""

from __future__ import annotations

import pytest

from .talking import beats, begun, hidden, next_moment, on_to, table

# Contact


def test_contact_stops_hexes_of_every_kind() -> None:
    """SB-47, Q-S8a: walking, sneaking, vaulting; dropping prone is none."""
    talk = begun(table(), "move").do("move", who="ash", hexes=5, meets="orc", meets_after=2)
    talk.expect("Moved", who="ash", hexes=2).expect("MovementHalted", who="ash", enemy="orc")
    talk.expect_combatant("ash", halted=True, halted_by="orc", beats=12)
    for what in ("vault", "clamber"):
        talk.refused("SB-47", what, who="ash")
    talk.do("drop_prone", who="ash")
    assert beats(talk, "ash") == 5


def test_contact_may_stop_everything() -> None:
    """Q-S8, `contact_stop = everything`."""
    talk = begun(table(settings={"contact_stop": "everything"}), "move")
    talk.do("move", who="ash", hexes=1, meets="orc").refused("SB-47", "drop_prone", who="ash")


def test_a_stop_ends_with_the_moment_and_leaving_is_free() -> None:
    """SB-47, SB-48: no strike at who walks off."""
    talk = begun(table(), "move").do("move", who="ash", hexes=1, meets="orc")
    next_moment(talk).expect_combatant("ash", halted=False, contacts=["orc"])
    begun(talk, "move").do("move", who="ash", hexes=4).expect("ContactLeft", who="ash", enemy="orc")
    talk.expect_none("StrikeDeclared").expect_combatant("ash", beats=10, contacts=[])


def test_a_stop_ends_with_whoever_made_it() -> None:
    """SB-47: the enemy is gone, and the rest of the beats can be walked (found by random play)."""
    talk = begun(table(), "move").do("move", who="ash", hexes=1, meets="orc").do("leave", who="orc")
    talk.expect_combatant("ash", halted=False, halted_by=None)


def test_on_a_map_the_first_hex_beside_an_enemy_is_the_last() -> None:
    """SB-47: of a path of six, the third hex touches the orc; Q-S8e for foes too."""
    talk = begun(table("ash", "orc", at={"ash": [2, 5], "orc": [6, 5]}), "move")
    talk.do("move", who="ash", path=[[3, 5], [4, 5], [5, 5]])
    talk.expect_combatant("ash", at=[5, 5], beats=11, halted_by="orc")
    on_to(talk, "move", "foe").do("move", who="orc", path=[[6, 4], [7, 4]])
    talk.expect_combatant("orc", at=[6, 4], beats=13)


def test_an_ally_stops_nobody_and_neither_does_the_fallen() -> None:
    """SB-47, Q-S8d."""
    talk = table("ash", "bram", "orc", at={"ash": [2, 5], "bram": [4, 4], "orc": [5, 5]})
    begun(talk, "move").do("adjust", who="orc", what="able", value=False)
    talk.do("move", who="ash", to=[4, 6]).expect_combatant("ash", halted=False, contacts=[])


def test_undo_puts_a_walker_back() -> None:
    """Law 6: place, beats, contact."""
    talk = begun(table("ash", "orc", at={"ash": [2, 5], "orc": [5, 5]}), "move")
    before = talk.state
    talk.do("move", who="ash", path=[[3, 5], [4, 5]]).do("undo")
    assert talk.state == before


# Strikes


def test_a_miss_is_the_strike_of_the_moment() -> None:
    """SB-34, SB-35, SB-36; taken back, it is not."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="orc", needs=12, rolls={"attack": [13]})
    talk.expect("StrikeResolved", hit=False).expect_combatant("ash", strike="missile")
    talk.refused("SB-34", "shoot", who="ash", target="orc", hit=True)
    on_to(talk, "management").refused("SB-36", "business", who="ash", name="search")
    next_moment(talk).expect_combatant("ash", strike="none")


def test_a_strike_in_the_wrong_phase() -> None:
    """SB-45, SB-49, SB-51."""
    talk = begun(table(), "missile").do("contact", who="ash", enemy="orc")
    for rule, what in (("SB-49", "melee"), ("SB-51", "cast")):
        talk.refused(rule, what, who="ash", target="orc", hit=True)
    on_to(talk, "melee").refused("SB-45", "shoot", who="ash", target="orc", hit=True)


def test_nobody_strikes_in_the_others_half() -> None:
    """SB-06."""
    begun(table(), "missile").refused("SB-06", "shoot", who="orc", target="ash", hit=True)


def test_a_fallen_foe_does_not_answer() -> None:
    """SB-37."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="gob", hit=True, damage=4)
    talk.expect("Downed", who="gob").do("next_half")
    assert talk.say(do="shoot", who="gob", target="ash", hit=True)["ok"] is False
    talk.do("shoot", who="orc", target="ash", hit=True, damage=1)


def test_melee_needs_contact_as_the_half_opens() -> None:
    """SB-50: contact that comes later is for the next Moment, or the GM's word."""
    talk = begun(table(), "move").do("move", who="bram", hexes=1, meets="gob")
    on_to(talk, "melee").do("contact", who="ash", enemy="orc")
    talk.refused("SB-50", "strike", who="ash", target="orc", hit=True)
    talk.do("strike", who="ash", target="orc", hit=True, damage=1, force=True).expect("Overridden", rule="SB-50")
    talk.do("strike", who="bram", target="gob", hit=True, damage=1)


def test_contact_made_by_the_foe_serves_both() -> None:
    """SB-50."""
    talk = begun(table(), "move", "foe").do("move", who="orc", hexes=1, meets="ash")
    on_to(talk, "melee").do("strike", who="ash", target="orc", hit=False)
    on_to(talk, "melee", "foe").do("strike", who="orc", target="ash", hit=True, damage=2)


def test_who_has_shot_does_not_strike_in_melee() -> None:
    """SB-49, Q-S19: the attacker is meant, not the target."""
    talk = begun(table(), "missile").do("contact", who="ash", enemy="orc")
    talk.do("shoot", who="ash", target="gob", hit=False)
    assert on_to(talk, "melee", "foe").state["side"] == "foe"
    talk.do("strike", who="orc", target="ash", hit=True, damage=1)


def test_a_strike_may_have_a_price() -> None:
    """SB-23, Q-S10: 2 beats; too few, and there is no check."""
    talk = begun(table(settings={"strike_beat_cost": 2}), "missile").do("shoot", who="ash", target="orc", hit=False)
    assert beats(talk, "ash") == 12
    begun(talk, "move").do("move", who="bram", hexes=10, meets="gob")
    on_to(talk, "melee").refused("SB-23", "strike", who="bram", target="gob", hit=True)


def test_a_healing_spell_is_the_strike() -> None:
    """SB-52, Q-S12."""
    talk = begun(table(), "magic").do("cast", who="ash", note="light").expect_combatant("ash", strike="magic")
    on_to(talk, "management").refused("SB-36", "business", who="ash", name="drink")


def test_who_lies_may_strike() -> None:
    """Q-S26, Q-S29."""
    talk = begun(table(sheets={"ash": {"posture": "prone"}}), "missile")
    talk.do("shoot", who="ash", target="orc", hit=True, damage=1)


# Cover


@pytest.mark.parametrize(
    ("roll", "modifier", "die", "hit"),
    [
        ("low", 1, 11, True),
        ("low", 2, 11, False),
        ("low", 2, 10, True),
        ("low", 0, 12, True),
        ("high", 1, 12, False),
        ("high", 1, 13, True),
    ],
)
def test_partial_cover_is_against_the_shooter(roll: str, modifier: int, die: int, hit: bool) -> None:
    """SB-69, Q-S9: a 12 is needed; low or high, cover protects."""
    settings = {"strike_roll": roll, "partial_cover_mod": modifier}
    talk = begun(table(settings=settings, sheets={"orc": {"cover": "partial"}}), "missile")
    talk.do("shoot", who="ash", target="orc", needs=12, rolls={"attack": [die]}).expect("StrikeResolved", hit=hit)


def test_cover_does_nothing_to_ones_own_shot_nor_to_melee_and_magic() -> None:
    """SB-68, SB-69."""
    talk = begun(table(sheets={"ash": {"cover": "partial"}, "orc": {"cover": "partial"}}), "missile")
    talk.do("shoot", who="ash", target="gob", needs=12, rolls={"attack": [12]}).expect("StrikeResolved", hit=True)
    on_to(talk, "magic").do("cast", who="bram", target="orc", needs=12, rolls={"attack": [12]})
    talk.expect("StrikeResolved", hit=True)


def test_the_gm_sets_the_cover_of_one_shot() -> None:
    """SB-70."""
    talk = begun(table(sheets={"orc": {"cover": "partial"}}), "missile")
    talk.do("shoot", who="ash", target="orc", needs=12, cover=4, rolls={"attack": [9]})
    talk.expect("StrikeResolved", hit=False, total=13)


def test_full_cover_shuts_both_ways() -> None:
    """SB-65, SB-66, GM override; a spell is another matter (Q-S29)."""
    talk = begun(table(sheets={"ash": {"cover": "full"}, "orc": {"cover": "full"}}), "missile")
    talk.refused("SB-67", "shoot", who="ash", target="gob", hit=True)
    talk.refused("SB-65", "shoot", who="bram", target="orc", hit=True)
    talk.do("shoot", who="bram", target="orc", hit=True, damage=1, force=True).expect("Overridden", rule="SB-65")
    on_to(talk, "magic").do("cast", who="ash", target="orc", hit=True, damage=1)


def test_stepping_out_serves_the_next_moment_only() -> None:
    """SB-66, SB-67: the snapshot is of the Moment's start."""
    talk = begun(table(sheets={"ash": {"cover": "full"}}), "move").do("move", who="ash", hexes=1, cover="open")
    talk.expect_combatant("ash", cover="open", cover_at_start="full")
    next_moment(talk).expect_combatant("ash", cover_at_start="open")
    begun(talk, "missile").do("shoot", who="ash", target="orc", hit=True, damage=1)


# Sneaking


def test_nobody_sneaks_in_plain_view() -> None:
    """SB-57: until the GM says that nobody looks."""
    talk = begun(table(), "move")
    talk.refused("SB-57", "sneak", who="bram", hexes=1)
    talk.do("rule", what="plain_view", who="bram", value=False).do("sneak", who="bram", hexes=1)
    assert beats(talk, "bram") == 9


def test_only_those_who_sneaked_are_rolled_for() -> None:
    """SB-58, Q-S25."""
    talk = hidden(hidden(begun(table(), "move"), "ash"), "bram").do("sneak", who="ash", hexes=1)
    talk.do("move", who="bram", hexes=1).do("next_half").do("next_half")
    assert [one["who"] for one in talk.ask("prompts") if one["kind"] == "sneak"] == ["ash"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("mode", "passed"), [("replace", False), ("best", True)])
def test_a_poor_skullduggery(mode: str, passed: bool) -> None:
    """SB-63, Q-S15: 8 against Agility 12; 9 + 2 is 11."""
    talk = table(settings={"skullduggery_mode": mode}, sheets={"col": {"skullduggery": 8}})
    hidden(begun(talk, "move"), "col").do("sneak", who="col", hexes=1).do("next_half").do("next_half")
    talk.do("answer", prompt="sneak", choice="yes", rolls={"sneak": [9]})
    talk.expect("SneakChecked", passed=passed, target=12 if passed else 8)


@pytest.mark.parametrize(
    ("choice", "die", "passed"),
    [
        ("yes", 13, True),
        ("yes", 14, False),
        ("half", 14, True),
        ("half", 15, False),
        ("bare", 15, True),
        ("bare", 16, False),
    ],
)
def test_relief_from_armour(choice: str, die: int, passed: bool) -> None:
    """SB-64: DAR 2, 1 or 0 against Skullduggery 15."""
    talk = hidden(begun(table(), "move"), "col").do("sneak", who="col", hexes=1).do("next_half").do("next_half")
    talk.do("answer", prompt="sneak", choice=choice, rolls={"sneak": [die]}).expect("SneakChecked", passed=passed)


@pytest.mark.parametrize("how", ["noise", "scent", "instinct", "other"])
def test_how_a_sneaker_is_noticed(how: str) -> None:
    """SB-61."""
    talk = hidden(begun(table(), "move"), "bram").do("sneak", who="bram", hexes=1).do("next_half").do("next_half")
    talk.do("answer", prompt="sneak", choice="yes", rolls={"sneak": [8]}).expect("Detected", who="bram")
    talk.do("answer", prompt="noticed", choice=how, note="the orc").expect("RulingRecorded", choice=how)
    talk.expect_combatant("bram", detected=True)


def test_a_bonus_is_refused_but_for_the_gm() -> None:
    """SB-62."""
    talk = hidden(begun(table(), "move"), "ash")
    talk.refused("SB-62", "sneak", who="ash", hexes=1, modifier=2)
    talk.do("sneak", who="ash", hexes=1, modifier=2, force=True).expect("Overridden", rule="SB-62")


# Management, statuses, the end of a Moment


@pytest.mark.parametrize(("mode", "moments"), [("keep_progress", 4), ("reset", 5)])
def test_a_drawbridge_and_a_moment_of_striking(mode: str, moments: int) -> None:
    """SB-25, Q-S13: three phases of work, the second Moment spent on a strike."""
    talk = begun(table(settings={"business_break": mode}), "management")
    talk.do("business", who="ash", name="drawbridge", needed=3)
    begun(next_moment(talk), "missile").do("shoot", who="ash", target="orc", hit=False)
    next_moment(talk)
    while not talk.events("BusinessCompleted"):
        begun(talk, "management").do("business", who="ash", name="drawbridge", needed=3)
        if not talk.events("BusinessCompleted"):
            next_moment(talk)
    assert talk.state["moment"] == moments


def test_one_business_in_a_management_unless_it_is_quick() -> None:
    """SB-26, SB-53."""
    talk = begun(table(), "management").do("business", who="ash", name="cork")
    talk.refused("SB-26", "business", who="ash", name="drink")
    talk.do("business", who="ash", name="drink", quick=True).expect("BusinessCompleted", name="drink")


def test_a_failed_check_refunds_nothing() -> None:
    """SB-23, SB-27: beats first, then the check."""
    talk = begun(table(), "management")
    talk.do("business", who="ash", name="lock", beats=5, capability="picks", passed=False)
    talk.expect("CheckResolved", who="ash", passed=False)
    assert beats(talk, "ash") == 9
    talk.refused("SB-23", "business", who="bram", name="lift", beats=12)


def test_business_belongs_to_management() -> None:
    """SB-53, SB-54."""
    begun(table(), "magic").refused("SB-53", "business", who="ash", name="drink")


def test_statuses_count_moments() -> None:
    """SB-55, Q-S14: 1 ends now, 2 has 1 left, untimed stays."""
    talk = begun(table())
    for name, rounds in (("dazed", 1), ("blind", 2), ("cursed", None)):
        talk.do("status", who="ash", name=name, rounds=rounds)
    next_moment(talk)
    assert talk.effects("ash") == {"blind": 1, "cursed": None}
    next_moment(talk)
    assert talk.effects("ash") == {"cursed": None}


@pytest.mark.parametrize(("choice", "checked"), [("skip", 0), ("holds", 1), ("fails", 1), ("", 0)])
def test_morale_is_offered_never_forced(choice: str, checked: int) -> None:
    """SB-38."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="gob", hit=True, damage=4).do("next_half")
    talk.do("answer", prompt="morale", choice=choice)
    assert len(talk.events("MoraleChecked")) == checked


def test_the_gm_brings_the_lights_down() -> None:
    """SB-09: only the GM ends a scene; undone, it goes on."""
    talk = begun(table(), "management", "foe").do("next_half")
    before = talk.state
    talk.do("answer", prompt="continue", choice="close").expect("SceneEnded")
    assert talk.state["status"] == "closed"
    talk.do("undo")
    assert talk.state == before


def test_the_search_after_the_fight_takes_moments() -> None:
    """SB-09: the foes' halves are skipped, time goes on."""
    talk = begun(table())
    for who in ("orc", "gob"):
        talk.do("adjust", who=who, what="able", value=False)
    next_moment(next_moment(talk))
    assert (talk.state["clock_s"], talk.state["status"]) == (120, "running")


def test_undo_over_the_end_of_a_moment() -> None:
    """Law 6: beats, strikes, statuses, clock."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="orc", hit=True, damage=2)
    on_to(talk, "move").do("move", who="bram", hexes=4).do("status", who="orc", name="bleeding", rounds=1)
    on_to(talk, "management", "foe")
    before = talk.state
    talk.do("next_half").do("answer", prompt="continue")
    assert (beats(talk, "bram"), talk.effects("orc")) == (11, {})
    talk.do("undo", steps=2)
    assert talk.state == before
    assert (beats(talk, "bram"), talk.effects("orc")) == (7, {"bleeding": 1})


def test_a_strike_may_be_made_with_another_weapon_of_its_kind_only() -> None:
    """SB-34: who has two bows and one sword is asked which bow, and never which sword."""
    kinds = {"sword": "melee", "bow": "missile", "sling": "missile"}
    strikes = [{"name": name, "kind": kind} for name, kind in kinds.items()]
    talk = begun(table("ash", "orc", sheets={"ash": {"strikes": strikes}}), "missile")
    asked = {option["action"]: option["details"] for option in talk.ask("options", who="ash")}  # type: ignore
    assert [wanted["choices"] for wanted in asked["shoot"] if wanted["name"] == "weapon"] == [["bow", "sling"]]
    on_to(talk, "melee")
    asked = {option["action"]: option["details"] for option in talk.ask("options", who="ash")}  # type: ignore
    assert [wanted["name"] for wanted in asked["strike"]] == ["modifier"]
