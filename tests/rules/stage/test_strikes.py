"""Strikes: one a Moment, when, at whom, and what comes of them (SB-34..38, SB-45, SB-49..52)."""

from __future__ import annotations

from typing import Unpack

import pytest

from fightcall_engine.model.errors import BadInput

from ..once import played_once
from .table import Play, Sitting, big_board, home, table

KINDS = {"missile": "shoot", "melee": "melee", "magic": "cast"}
HIT = {"hit": True, "damage": 1}


@played_once
def fighting(*who: str, **more: Unpack[Sitting]) -> Play:
    """Ash in contact with Orc, Bram with Gob, where they are there."""
    play = table(*who, **more)
    for one, other in (("ash", "orc"), ("bram", "gob")):
        if one in play.state.combatants and other in play.state.combatants:
            play.do("contact", who=one, enemy=other)
    return play


PAIRS = [
    (first, second) for first in KINDS for second in KINDS if list(KINDS).index(first) <= list(KINDS).index(second)
]


@pytest.mark.parametrize("hit", [True, False])
@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize(("who", "side", "target"), [("ash", "party", "orc"), ("orc", "foe", "ash")])
def test_one_strike_a_moment(first: str, second: str, hit: bool, who: str, side: str, target: str) -> None:
    """SB-34, SB-35, SB-49, SB-51: over all three kinds, for both sides, a miss like a hit."""
    play = fighting().start().to(first, side)
    outcome = {"hit": True, "damage": 0} if hit else {"hit": False}
    play.do(KINDS[first], who=who, target=target, **outcome).got("StrikeResolved", hit=hit)
    assert play.see(who)["strike"] == first
    if second != "melee" or first == "melee":
        play.refused("SB-34", KINDS[second], who=who, target=target, **HIT)
    if play.half() != f"{second}.{side}" and second != first:
        play.do("next_half", until=second) if second != play.state.phase else play
    play.refused("SB-34", KINDS[second], who=who, target=target, **HIT)
    play.do(KINDS[second], who=who, target=target, force=True, **HIT)
    assert "SB-34" in {one.rule for one in play.all("Overridden")}


def test_the_next_moment_brings_a_new_strike() -> None:
    """SB-34: cleared at Moment start, for everybody."""
    play = fighting().start().to("missile").do("shoot", who="ash", target="orc", hit=False)
    play.end_moment().do("advance").got("StrikeQuotaReset", figures=("ash", "bram", "col", "orc", "gob"))
    assert {play.see(who)["strike"] for who in play.state.combatants} == {"none"}
    play.to("missile").do("shoot", who="ash", target="orc", **HIT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("phase", ["meeting", "missile", "move", "melee", "magic", "management"])
def test_each_kind_of_strike_belongs_to_its_phase(kind: str, phase: str) -> None:
    """SB-45, SB-49, SB-51: Shoot in Missile, Strike in Melee, Cast in Magic, and nowhere else."""
    play = fighting().start().to(phase)
    if kind == phase:
        play.do(KINDS[kind], who="ash", target="orc", **HIT).got("StrikeDeclared", kind=kind)
    else:
        rule = {"missile": "SB-45", "melee": "SB-49", "magic": "SB-51"}[kind]
        play.refused(rule, KINDS[kind], who="ash", target="orc", **HIT)


def test_no_strikes_between_moments() -> None:
    """SB-45, SB-49, SB-51"""
    play = fighting()
    for kind, rule in (("shoot", "SB-45"), ("strike", "SB-49"), ("cast", "SB-51")):
        play.refused(rule, kind, who="ash", target="orc", **HIT)


@pytest.mark.parametrize(("phase", "kind"), [("missile", "missile"), ("melee", "melee"), ("magic", "magic")])
def test_a_strike_that_says_no_more_is_the_phases_own(phase: str, kind: str) -> None:
    """SB-45, SB-49, SB-52: and outside the three phases it is a blow, for the GM to allow."""
    play = fighting().start()
    play.refused("SB-49", "strike", who="ash", target="orc", **HIT)
    play.to(phase).do("strike", who="ash", target="orc", **HIT).got("StrikeDeclared", kind=kind)


def test_both_sides_shoot_the_lead_side_first() -> None:
    """SB-45: ranged attacks by the lead side, then the other."""
    play = fighting().start().to("missile")
    play.refused("SB-06", "shoot", who="orc", target="ash", **HIT)
    play.do("shoot", who="ash", target="orc", **HIT).to("missile", "foe")
    play.refused("SB-06", "shoot", who="bram", target="orc", **HIT)
    play.do("shoot", who="orc", target="ash", **HIT)


def test_damage_lands_before_the_next_strike() -> None:
    """SB-37: while a strike waits for its damage nobody else strikes and no half closes."""
    play = fighting(sheets={"orc": {"hp": 5}}).start().to("melee")
    play.do("strike", who="ash", target="orc", hit=True)
    prompt = play.prompt("damage")
    assert (prompt.rule, prompt.blocking, prompt.who) == ("SB-37", True, "ash")
    play.refused("SB-37", "strike", who="bram", target="gob", **HIT)
    assert play.half() == "melee.party"
    play.do("answer", prompt="damage", amount=3).got("DamageApplied", who="orc", amount=3, left=2, by="ash")
    play.do("strike", who="bram", target="gob", **HIT)


def test_an_unresolved_strike_waits_too() -> None:
    """SB-35, SB-37: hit or miss is asked, with no default; the answer may bring the damage."""
    play = fighting(sheets={"orc": {"hp": 5}}).start().to("melee").do("strike", who="ash", target="orc")
    prompt = play.prompt("outcome")
    assert (prompt.rule, prompt.default, prompt.blocking) == ("SB-35", "", True)
    assert play.see("ash")["strike"] == "melee"
    play.refused("SB-37", "strike", who="bram", target="gob", **HIT)
    for empty in ({}, {"choice": ""}, {"choice": "maybe"}, {"amount": 4}):
        play.refused("SB-35", "answer", prompt="outcome", **empty)
    play.refused("SB-35", "advance")
    play.do("answer", prompt="outcome", choice="hit", amount=4).got("DamageApplied", amount=4, left=1)
    play.undo().do("answer", prompt="outcome", choice="hit")
    assert play.asks() == ["damage"]
    play.undo().do("answer", prompt="outcome", choice="miss").got("StrikeResolved", hit=False)
    play.never("DamageApplied")


def test_a_dropped_figure_does_not_answer() -> None:
    """SB-37: felled in the lead half, it has no action in the trailing one, nor in any later phase."""
    play = fighting(sheets={"orc": {"hp": 2}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", hit=True, damage=2)
    order = [one.type for one in play.last]
    assert order.index("StrikeResolved") < order.index("DamageApplied") < order.index("Downed")
    play.refused("SB-37", "shoot", who="bram", target="orc", **HIT)
    play.to("missile", "foe").refused("SB-37", "shoot", who="orc", target="ash", **HIT)
    play.do("shoot", who="gob", target="ash", **HIT)
    play.to("move", "foe").refused("SB-37", "move", who="orc", hexes=1)
    play.to("magic", "foe").refused("SB-37", "cast", who="orc", note="hex")
    play.do("cast", who="orc", note="dying curse", force=True).got("Overridden", rule="SB-37")


@pytest.mark.parametrize(("amount", "left", "down"), [(0, 5, False), (4, 1, False), (5, 0, True), (99, 0, True)])
def test_harm_stops_at_nothing_left(amount: int, left: int, down: bool) -> None:
    """SB-37"""
    play = fighting(sheets={"orc": {"hp": 5}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", hit=True, damage=amount)
    assert play.one("orc").pools["hp"].now == left
    assert play.one("orc").able is not down
    assert bool(play.all("Downed")) is down


def test_without_hit_points_the_gm_says_who_is_down() -> None:
    """SB-37: harm is on record, and down is a ruling."""
    play = fighting().start().to("missile").do("shoot", who="ash", target="orc", hit=True, damage=7)
    assert play.got("DamageApplied", who="orc").tracked is False
    assert play.one("orc").able
    play.do("adjust", who="orc", what="able", value=False).got("Downed", who="orc")


def test_who_is_healed_is_back() -> None:
    """SB-37: healed from nothing a figure can act again."""
    play = fighting(sheets={"bram": {"hp": 3}}).start().to("missile", "foe")
    play.do("shoot", who="orc", target="bram", hit=True, damage=3)
    assert not play.one("bram").able
    play.do("heal", who="bram", amount=2).got("Restored", who="bram")
    play.to("move").do("move", who="bram", hexes=1)


def test_dice_are_the_tables_or_the_engines() -> None:
    """SB-35, SB-37: typed faces are used as they fell; without them the seed throws, the same again after undo."""
    play = fighting(sheets={"orc": {"hp": 20}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage="2d6+1", rolls={"attack": [12], "damage": [6, 5]})
    play.got("StrikeResolved", die=12, total=12, needs=12, hit=True)
    play.got("DamageApplied", amount=12, left=8)
    play.refused("dice", "shoot", who="bram", target="orc", needs=12, damage=1, rolls={"attack": [21]})
    play.do("shoot", who="bram", target="orc", needs=12, damage="d6")
    thrown = play.last
    play.undo().do("shoot", who="bram", target="orc", needs=12, damage="d6")
    assert play.last == thrown


@pytest.mark.parametrize(
    ("phase", "felled", "asked"), [("missile", 1, 1), ("missile", 2, 2), ("melee", 1, 1), ("magic", 1, 1)]
)
def test_morale_is_offered_after_losses(phase: str, felled: int, asked: int) -> None:
    """SB-38: at the end of the half, once, with how many are down; skipping is the default and nothing is forced."""
    play = fighting("ash", "bram", "orc", "gob", "gib", sheets={"orc": {"hp": 1}, "gob": {"hp": 1}}).start().to(phase)
    play.do(KINDS[phase], who="ash", target="orc", **HIT)
    assert "morale" not in play.asks()
    if felled == 2:
        play.do(KINDS[phase], who="bram", target="gob", **HIT)
    else:
        play.do("waive", who="bram")
    prompt = play.prompt("morale")
    assert (prompt.rule, prompt.side, prompt.default, prompt.blocking) == ("SB-38", "foe", "skip", False)
    assert prompt.question == f"Does the foe's morale hold with {asked} of 3 down?"
    play.do("advance").got("RulingRecorded", rule="SB-38", choice="skip", default_taken=True)
    play.never("MoraleChecked")
    play.next_moment("missile", "foe")
    assert "MoraleAsked" not in [one.type for one in play.last]


@pytest.mark.parametrize("choice", ["holds", "fails"])
def test_morale_is_recorded(choice: str) -> None:
    """SB-38"""
    play = fighting("ash", "orc", "gob", sheets={"orc": {"hp": 1}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", **HIT).do("answer", prompt="morale", choice=choice, note="run!")
    play.got("MoraleChecked", side="foe", passed=choice == "holds", note="run!")


def test_morale_is_offered_for_each_side_with_losses() -> None:
    """SB-38: both sides lost somebody in the same half; sides with nobody left are not asked."""
    play = fighting("ash", "bram", "orc", "gob", sheets={"orc": {"hp": 1}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", **HIT).do("adjust", who="ash", what="able", value=False)
    play.do("waive", who="bram")
    assert [prompt.side for prompt in play.state.prompts if prompt.kind == "morale"] == ["foe", "party"]
    last = fighting("ash", "orc", sheets={"orc": {"hp": 1}}).start().to("missile")
    last.do("shoot", who="ash", target="orc", **HIT)
    assert "morale" not in last.asks()


def test_morale_at_the_gms_wish() -> None:
    """SB-38: also with no losses at all, with its result or as a question."""
    play = fighting().start().to("missile")
    play.do("rule", what="morale", value="fails", note="thunder").got("MoraleChecked", side="foe", passed=False)
    play.do("rule", what="morale", who="ash").got("MoraleAsked", side="party")
    assert play.asks() == ["morale"]
    play.do("rule", what="morale", value="holds").got("MoraleChecked", side="party", passed=True)


def test_losses_outside_the_strike_phases_raise_no_question() -> None:
    """SB-38: morale belongs to Missile, Melee and Magic."""
    play = fighting("ash", "orc", "gob", sheets={"orc": {"hp": 1}}).start().to("move")
    play.do("damage", who="orc", amount=1).to("management")
    assert "MoraleAsked" not in [one.type for one in play.heard]


def test_morale_and_the_end_of_the_moment_are_two_questions() -> None:
    """SB-38, SB-09: a last strike in Magic that fells somebody and ends the Moment; each has its own answer."""
    play = fighting("ash", "orc", "gob", sheets={"orc": {"hp": 1}}).start()
    play.to("missile", "foe")
    for foe in ("orc", "gob"):
        play.do("shoot", who=foe, target="ash", hit=False)
    play.to("magic").do("cast", who="ash", target="orc", **HIT)
    assert play.asks() == ["morale", "continue"]
    play.do("answer", prompt="morale", choice="fails")
    assert play.asks() == ["continue"]


# Melee


def test_melee_needs_contact_with_the_target() -> None:
    """SB-49: with this target, not with another; the GM may allow it."""
    play = fighting().start().to("melee")
    said = play.refused("SB-49", "strike", who="ash", target="gob", **HIT)
    assert said.accepts == ("orc",)
    play.refused("SB-49", "strike", who="col", target="orc", **HIT)
    play.refused("SB-49", "strike", who="ash", target="bram", **HIT)
    play.do("strike", who="ash", target="gob", force=True, **HIT).got("Overridden", rule="SB-49")


def test_who_has_shot_does_not_melee() -> None:
    """SB-49: asked of the attacker (Q-S19): a target that has shot may be struck."""
    play = fighting().start().to("missile", "foe").do("shoot", who="orc", target="bram", hit=False)
    play.to("melee").do("strike", who="ash", target="orc", **HIT)
    assert play.half() == "melee.party"
    play.to("melee", "foe").refused("SB-34", "strike", who="orc", target="ash", **HIT)


@pytest.mark.parametrize("hexes", [False, True])
def test_melee_arises_only_between_those_who_begin_it_in_contact(hexes: bool) -> None:
    """SB-50: contact made while the half runs is too late for it; the GM may allow it."""
    play = table(board=big_board() if hexes else None)

    def touch(one: str, other: str) -> None:
        at = play.one(one).at
        if at is None:
            play.do("contact", who=one, enemy=other)
        else:
            play.do("place", who=other, at=[at.q + 1, at.r])

    touch("ash", "orc")
    play.start().to("melee")
    touch("bram", "gob")
    assert play.see("bram")["contacts"] == ["gob"]
    play.refused("SB-50", "strike", who="bram", target="gob", **HIT)
    play.do("strike", who="bram", target="gob", force=True, **HIT).got("Overridden", rule="SB-50")
    play.do("strike", who="ash", target="orc", **HIT)


@pytest.mark.parametrize("hexes", [False, True])
def test_contact_is_asked_anew_for_each_sides_half(hexes: bool) -> None:
    """SB-50, Q-S20: who is shoved away in the first half does not qualify in the second, who is shoved close does."""
    play = table("ash", "bram", "orc", "gob", board=big_board() if hexes else None)
    spot = home("ash")
    if hexes:
        play.do("place", who="orc", at=[spot.q + 1, spot.r])
    else:
        play.do("contact", who="ash", enemy="orc")
    play.start().to("melee")
    if hexes:
        play.do("place", who="gob", at=[spot.q - 1, spot.r])
        play.do("place", who="orc", at=[spot.q + 9, spot.r])
    else:
        play.do("contact", who="ash", enemy="gob").do("contact", who="ash", enemy="orc", on=False)
    assert play.half() == "melee.foe"
    play.refused("SB-49", "strike", who="orc", target="ash", kind="melee", **HIT)
    play.do("strike", who="gob", target="ash", **HIT)


def test_a_half_of_melee_with_nobody_in_contact_passes_where_a_board_tells() -> None:
    """SB-08, SB-49, SB-50: and one whose fighters have all shot."""
    play = table("ash", "orc", board=big_board()).start().to("magic")
    passed = [one.reason for one in play.heard if one.type == "HalfSkipped" and one.phase == "melee"]
    assert passed == ["no one can use it", "no one can use it"]
    other = fighting("ash", "orc").start().to("missile").do("shoot", who="ash", target="orc", hit=False)
    assert other.to("melee", "foe").half() == "melee.foe"


def test_without_a_board_melee_waits_for_who_may_be_in_contact() -> None:
    """SB-03, SB-08, SB-50: where nobody was said to be, the GM may still say so, and it was so as the half opened."""
    play = table("ash", "bram", "orc", "gob").start().to("melee")
    play.refused("SB-49", "strike", who="ash", target="orc", **HIT)
    play.do("contact", who="ash", enemy="orc").do("contact", who="bram", enemy="gob")
    play.do("strike", who="ash", target="orc", **HIT)
    assert play.half() == "melee.party"
    play.do("strike", who="bram", target="gob", **HIT).do("strike", who="orc", target="ash", **HIT)
    assert play.half() == "melee.foe"


def test_without_a_board_a_half_of_melee_that_would_close_at_once_does_not_open() -> None:
    """SB-50: who fights is settled as it opens; the one in contact has struck already, the other is in none."""
    play = table("ash", "orc", "gob").start().to("missile", "foe").do("contact", who="ash", enemy="orc")
    play.do("shoot", who="orc", target="ash", hit=False).to("melee").do("advance")
    passed = [(one.phase, one.side) for one in play.all("HalfSkipped")]
    assert ("melee", "foe") in passed
    assert play.half() == "magic.party"


def test_without_a_board_melee_passes_where_the_gm_has_set_it_or_nobody_can_be_struck() -> None:
    """SB-08: by the setting, and where no enemy stands."""
    skipping = table("ash", "orc", settings={"skip_unlisted": True}).start().to("move", "foe").do("advance")
    assert skipping.half() == "management.party", "nobody lists magic either"
    alone = table("ash", "orc").do("adjust", who="orc", what="able", value=False).start().to("move").do("advance")
    assert alone.half() == "magic.party"


def test_a_half_of_melee_ends_when_contact_does() -> None:
    """SB-49: contact lost while the half runs; on a board the other half has none either."""
    play = fighting("ash", "orc").start().to("melee").do("contact", who="ash", enemy="orc", on=False)
    assert play.half() == "melee.foe"
    spot = home("ash")
    board = table("ash", "orc", board=big_board()).do("place", who="orc", at=[spot.q + 1, spot.r]).start().to("melee")
    assert board.do("place", who="orc", at=[spot.q + 9, spot.r]).half() == "magic.party"


# Magic


@pytest.mark.parametrize("note", ["spell", "wand", "staff", "scroll", "breath of the dragon", "heal Bram"])
def test_everything_magical_is_the_magic_strike(note: str) -> None:
    """SB-52, Q-S12: harmless ones too; with a target or none."""
    play = table().start().to("magic").do("cast", who="col", note=note)
    play.got("StrikeDeclared", kind="magic", note=note)
    assert play.see("col")["strike"] == "magic"
    play.refused("SB-34", "cast", who="col", note="another")


def test_both_sides_cast() -> None:
    """SB-51, Q-S21: foes included; on a friend as well as on an enemy."""
    play = table(sheets={"gob": {"hp": 9}}).start().to("magic", "foe")
    play.do("cast", who="orc", target="gob", hit=False).do("cast", who="gob", target="ash", **HIT)


def test_a_strike_at_nobody() -> None:
    """SB-45: only magic needs no target; nobody strikes themselves or somebody who is not there."""
    play = fighting().start().to("missile")
    play.refused("target", "shoot", who="ash", hit=True, damage=1)
    play.refused("who", "shoot", who="ash", target="zed", **HIT)
    play.refused("SB-34", "shoot", who="ash", target="ash", **HIT)


def test_what_is_not_limited() -> None:
    """SB-45, Q-S26, Q-S29: shooting in contact or prone, casting from full cover, striking while prone."""
    sheets = {"ash": {"posture": "prone"}, "col": {"cover": "full"}, "bram": {"posture": "prone"}}
    play = fighting(sheets=sheets).start().to("missile").do("shoot", who="ash", target="orc", **HIT)
    play.to("melee").do("strike", who="bram", target="gob", **HIT)
    play.to("magic").do("cast", who="col", target="orc", **HIT)


def test_strikes_cost_no_beats_unless_priced() -> None:
    """SB-23, Q-S10: none by default; the GM's price must be there and is spent."""
    play = fighting().start().to("missile").do("shoot", who="ash", target="orc", **HIT)
    play.never("BeatsSpent")
    priced = fighting(settings={"strike_beat_cost": 5}, sheets={"bram": {"armor_beat_loss": 10}}).start().to("missile")
    priced.do("shoot", who="ash", target="orc", **HIT).got("BeatsSpent", amount=5, left=9)
    priced.refused("SB-23", "shoot", who="bram", target="orc", **HIT)


def test_no_price_gives_beats_back() -> None:
    """SB-23: a price below nothing is refused."""
    with pytest.raises(BadInput, match="strike_beat_cost"):
        fighting(settings={"strike_beat_cost": -5})


@pytest.mark.parametrize(
    ("reading", "die", "hit"), [("low", 12, True), ("low", 13, False), ("high", 12, True), ("high", 11, False)]
)
def test_low_or_high_hits(reading: str, die: int, hit: bool) -> None:
    """SB-69, Q-S9: at or under the number, or at or over it."""
    play = fighting(settings={"strike_roll": reading}).start().to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [die]})
    play.got("StrikeResolved", hit=hit)


def test_a_sheets_weapons_bring_their_numbers() -> None:
    """SB-45, SB-49: by name or by kind; what is not listed needs its numbers, or the outcome, said."""
    bow = {"name": "longbow", "kind": "missile", "needs": 11, "damage": "d8"}
    axe = {"name": "axe", "kind": "melee", "needs": 12, "damage": 4}
    sheets: dict[str, dict[str, object]] = {
        "ash": {"strikes": [bow, axe]},
        "bram": {"strikes": [axe]},
        "orc": {"hp": 30},
    }
    play = fighting("ash", "bram", "orc", sheets=sheets).start().to("missile")
    play.do("shoot", who="ash", target="orc", rolls={"attack": [11], "damage": [5]})
    play.got("StrikeDeclared", note="longbow")
    play.got("DamageApplied", amount=5)
    assert play.half() == "missile.party"
    play.undo().do("waive", who="ash").to("melee")
    play.refused("weapon", "strike", who="ash", target="orc", weapon="club")
    play.do("strike", who="ash", target="orc", weapon="club", needs=9, damage=1, rolls={"attack": [9]})
    play.got("StrikeDeclared", note="club")
    play.got("StrikeResolved", needs=9, hit=True)
    play.undo()
    play.do("strike", who="ash", target="orc", weapon="Axe", rolls={"attack": [3]}).got("DamageApplied", amount=4)


@pytest.mark.parametrize(("needs", "dice"), [({}, ""), ({"needs": 9}, "2d6")])
def test_a_die_is_offered_where_it_is_known_what_it_needs(needs: dict[str, int], dice: str) -> None:
    """SB-69: else whether it hits is the table's to say."""
    bow = {"name": "longbow", "kind": "missile", "dice": "2d6", **needs}
    play = fighting(sheets={"ash": {"strikes": [bow]}, "orc": {"hp": 30}}).start().to("missile")
    inputs = next(each.inputs for each in play.fight.options("ash") if each.command == "Strike" and each.legal)
    assert [wanted.dice for wanted in inputs if wanted.name == "hit"] == [dice]


def test_who_leaves_takes_their_questions_along() -> None:
    """SB-37: the striker gone, or the target: nothing waits for them any more."""
    play = fighting().start().to("melee").do("strike", who="ash", target="orc", hit=True)
    play.do("leave", who="orc", reason="through the trapdoor")
    assert play.asks() == []
    play.got("RulingRecorded", rule="SB-37")
    play.do("strike", who="bram", target="gob").do("leave", who="bram")
    assert play.asks() == []
    assert play.half() == "melee.party"


def test_undo_in_the_midst_of_a_strike() -> None:
    """SB-37: back before the damage, before the outcome, before the strike; redo brings it again."""
    play = fighting(sheets={"orc": {"hp": 4}}).start().to("melee")
    start = play.state
    play.do("strike", who="ash", target="orc").do("answer", choice="hit").do("answer", amount=4)
    end = play.state
    assert not play.one("orc").able
    play.undo()
    assert play.asks() == ["damage"]
    play.undo()
    assert play.asks() == ["outcome"]
    play.undo()
    assert play.state == start
    for _ in range(3):
        play.fight.redo()
    assert play.state == end


BOW = {"name": "longbow", "kind": "missile", "needs": 11, "damage": "d8"}
SWORD = {"name": "sword", "kind": "melee", "needs": 12, "damage": 4}


@pytest.mark.parametrize(
    ("listed", "phase", "command"),
    [(BOW, "melee", "melee"), (BOW, "magic", "cast"), (SWORD, "missile", "shoot"), (SWORD, "magic", "cast")],
)
@pytest.mark.parametrize(("who", "side", "target"), [("ash", "party", "orc"), ("orc", "foe", "ash")])
def test_a_listed_weapon_closes_no_other_phase(
    listed: dict[str, object], phase: str, command: str, who: str, side: str, target: str
) -> None:
    """SB-08, SB-45, SB-49, SB-51: bare hands, a stone, another's wand; what is listed is a proposal, no permission."""
    play = fighting("ash", "orc", sheets={one: {"strikes": [listed]} for one in ("ash", "orc")}).start()
    play.to(phase, side)
    option = next(one for one in play.fight.options(who) if one.command == "Strike")
    assert (option.legal, "weapon" in option.fixed) == (True, False)
    play.do(command, who=who, target=target).do("answer", prompt="outcome", choice="hit", amount=1)
    play.got("DamageApplied", who=target, amount=1)


def test_each_weapon_of_a_kind_is_proposed() -> None:
    """SB-45: in the order of the sheet, with keys for three."""
    arms = [{"name": name, "kind": "melee"} for name in ("axe", "club", "dirk", "fork")]
    play = fighting("ash", "orc", sheets={"ash": {"strikes": [*arms, BOW]}}).start().to("melee")
    strikes = [one for one in play.fight.options("ash") if one.command == "Strike"]
    assert [one.fixed["weapon"] for one in strikes] == ["axe", "club", "dirk", "fork"]
    assert [one.key for one in strikes][1:] == ["2", "3", ""]


def test_a_bow_swung_and_a_sword_thrown_bring_no_numbers_of_their_own_kind() -> None:
    """SB-45, SB-49: the numbers on the sheet are for shooting with the bow, not for a blow with its stave."""
    play = fighting("ash", "orc", sheets={"ash": {"strikes": [BOW, SWORD]}}).start().to("missile")
    play.do("shoot", who="ash", target="orc", weapon="sword").got("StrikeDeclared", kind="missile", note="sword")
    assert play.asks() == ["outcome"]
    play.undo().to("melee").do("melee", who="ash", target="orc", weapon="longbow", needs=8, rolls={"attack": [9]})
    play.got("StrikeDeclared", kind="melee", note="longbow")
    assert play.got("StrikeResolved").needs == 8
    play.undo().do("strike", who="ash", target="orc", weapon="longbow").got("StrikeDeclared", kind="melee")
    assert play.asks() == ["outcome"]


def test_the_gm_may_have_unlisted_strikes_passed_by() -> None:
    """SB-08: by a setting alone, which can be taken back in mid-fight."""
    sheets = {one: {"strikes": [SWORD]} for one in ("ash", "orc")}
    play = fighting("ash", "orc", sheets=sheets, settings={"skip_unlisted": True}).start().to("move")
    assert [one.phase for one in play.heard if one.type == "HalfSkipped"] == ["missile", "missile"]
    play.do("configure", setting="skip_unlisted", value=False).to("magic")
    assert play.half() == "magic.party"


def test_who_lists_no_magic_is_not_proposed_to_cast() -> None:
    """SB-52: casting stays possible, but has no key; by the setting Magic passes by whoever lists none at all."""
    play = table("ash", "orc", sheets={"ash": {"strikes": [{"name": "spark", "kind": "magic"}]}}).start().to("magic")
    casts = {who: next(one for one in play.fight.options(who) if one.action == "cast") for who in ("ash", "orc")}
    assert [(one.key, one.is_unlikely) for one in casts.values()] == [("s", False), ("", True)]
    play.to("magic", "foe").do("cast", who="orc", hit=False).got("StrikeDeclared", kind="magic")
    passing = table("ash", "orc", settings={"skip_unlisted": True}).start().to("move", "foe").do("advance")
    assert "magic" in [one.phase for one in passing.heard if one.type == "HalfSkipped"]


def test_who_lists_other_strikes_is_not_proposed_to_shoot() -> None:
    """SB-45; put right 13: with only an axe one may throw a stone, but no key proposes it."""
    axe, bow = {"name": "axe", "kind": "melee"}, {"name": "bow", "kind": "missile"}
    sheets = {"ash": {"strikes": [axe]}, "bram": {"strikes": [axe, bow]}, "col": {}}
    play = table("ash", "bram", "col", "orc", sheets=sheets).start().to("missile")
    shots = {who: next(one for one in play.fight.options(who) if one.action == "shoot") for who in sheets}
    proposed = [(one.legal, one.key, one.is_unlikely) for one in shots.values()]
    assert proposed == [(True, "", True), (True, "s", False), (True, "s", False)]


def test_what_a_refused_blow_accepts_is_accepted() -> None:
    """SB-49, SB-50: whom one was not in contact with as the half opened is not offered, and nobody by another name."""
    play = fighting("ash", "bram", "orc", "gob").start().to("melee").do("contact", who="ash", enemy="gob")
    assert play.refused("SB-50", "strike", who="ash", target="gob", hit=True).accepts == ("orc",)
    assert play.refused("target", "strike", who="ash").accepts == ("orc",)
    play.do("leave", who="orc")
    assert play.refused("SB-50", "strike", who="ash", target="gob", hit=True).accepts == ()
    play.do("strike", who="ash", target="gob", hit=True, force=True).got("StrikeDeclared", target="gob")
