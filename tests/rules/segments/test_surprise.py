"""Surprise: who is caught, how far, what is left to do, and how it wears off (CS-040 to CS-074, G-09..G-22, G-126)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.systems.segments.state import condition as hurting

from ..once import played_once
from .table import SWORD, Play, table

FOE: Mapping[str, object] = {"side": "foe"}


@played_once
def ambush(*victims: str, settings: Mapping[str, object] | None = None, dv: int | None = 29, **cast: object) -> Play:
    """E springs an ambush on these victims at the start of the contest; the plotters' roll is asked for."""
    people = {"e": FOE, **{who: {} for who in victims or ("v",)}, **cast}
    play = table(settings=settings, **people)  # type: ignore[arg-type]
    play.do("start")
    return play.do("spring", aggressors=["e"], targets=list(victims or ("v",)), dv=dv)


def rolled(play: Play, who: str, plotters: tuple[int, int] | None, own: tuple[int, int]) -> Play:
    """Settle a victim by chance and roll of the plotters, if they have not rolled, and his own."""
    given = {} if plotters is None else {"aggressor_chance": plotters[0], "aggressor_roll": plotters[1]}
    return play.do("surprise_roll", target=who, chance=own[0], roll=own[1], **given)


@played_once
def overwhelmed(penalty: int = 15, dv: int | None = 29, **cast: object) -> Play:
    """V is overwhelmed in the first segment."""
    play = ambush(dv=dv, **cast)
    return rolled(play, "v", (50, 50), (0, penalty))


def next_segment(play: Play, number: int, recover: str = "") -> Play:
    """On to the Initiative of a segment; whoever must recover on the way does as said."""
    for _ in range(200):
        if play.state.round == number and play.state.phase == "initiative":
            return play
        prompt = play.state.asked_first
        if prompt is not None and prompt.blocking:
            play.do("answer", choice=recover)
        else:
            play.do("advance")
    raise AssertionError(f"no segment {number}; now {play.state.step}")


# How far


@pytest.mark.parametrize(
    ("rule", "plotters", "own", "degree", "cs", "penalty"),
    [
        ("G-09, CS-060", (50, 40), (40, 45), "overwhelmed", 2, 15),
        ("G-10, CS-060", (50, 48), (40, 41), "overwhelmed", 1, 3),
        ("G-12, CS-058", (50, 30), (50, 38), "checked", 1, 0),
        ("G-13, CS-056", (50, 52), (40, 70), "none", 0, 0),
        ("G-14, CS-056", (50, 52), (40, 30), "none", 0, 0),
        ("CS-057", (50, 40), (50, 39), "ready", 0, 0),
        ("CS-071: equal margins favour the victim", (50, 40), (60, 50), "ready", 0, 0),
        ("CS-059, the least there is", (50, 50), (40, 41), "overwhelmed", 1, 1),
    ],
)
def test_what_both_rolls_come_to(rule, plotters, own, degree, cs, penalty):
    play = rolled(ambush(), "v", plotters, own)
    play.got("SurpriseApplied", who="v", degree=degree, cs=cs, penalty=penalty)
    assert play.see("v")["surprise"]["degree"] == degree, rule
    assert play.asks() == []


@pytest.mark.parametrize(("reading", "degree"), [("defender", "ready"), ("attacker", "checked")])
def test_cs_071_equal_margins_by_the_reading(reading, degree):
    """CS-071."""
    play = rolled(ambush(settings={"contested_tie": reading}), "v", (50, 40), (60, 50))
    play.got("SurpriseApplied", who="v", degree=degree)


@pytest.mark.parametrize(("kind", "av"), [("awa", 3), ("sentry", 5), ("dodge", 7), ("agl", 13), ("hrt", 13)])
def test_cs_061_cs_062_checks_that_the_gm_calls_know_who_is_overwhelmed(kind: str, av: int):
    """CS-061, CS-062, G-20: a Dodge and noticing lose the sum of 15, other checks nothing."""
    play = overwhelmed(15, v={"awa": 18, "dodge": 22, "skills": {"sentry": 20}})
    play.do("check", who="v", kind=kind, dv=5, chance=50, rolls={"check": [50]})
    assert play.got("CheckRequested").av == av


def test_cs_613_plotters_in_pain_are_easier_to_notice():
    """CS-613, CS-041, CS-044: pain takes from Stealth and from a lie as from every AV."""
    plotter = {**FOE, "skills": {"stealth": 30, "player": 24}}
    play = table(e=plotter, v={}).begin().do("stun", who="e", penalty=10)
    ambushed = play.copy().do("spring", aggressors=["e"], targets=["v"], dv=20)
    assert ambushed.got("CheckRequested").av == 20
    play.do("spring", aggressors=["e"], targets=["v"], dv=20, kind="ruse")
    assert "Player 14 of E" in play.prompt("ruse").question


def test_cs_071_equal_margins_may_be_rolled_again_by_both():
    """CS-071."""
    play = ambush(settings={"contested_tie": "reroll"})
    rolled(play, "v", (50, 40), (60, 50))
    assert play.all("SurpriseApplied") == []
    assert [prompt.who for prompt in play.state.prompts] == ["e"]
    rolled(play, "v", (50, 40), (60, 49)).got("SurpriseApplied", degree="ready")


def test_cs_055_every_victim_rolls_alone_against_one_roll_of_the_plotters():
    """CS-055."""
    play = ambush("p1", "p2", "p3")
    rolled(play, "p1", (50, 28), (40, 53))
    assert [prompt.who for prompt in play.state.prompts] == ["p2", "p3"]
    rolled(play, "p3", None, (50, 10))
    rolled(play, "p2", None, (50, 45))
    found = {who: play.see(who)["surprise"]["degree"] for who in ("p1", "p2", "p3")}
    assert found == {"p1": "overwhelmed", "p2": "checked", "p3": "ready"}


def test_cs_055_the_dice_may_come_with_the_command():
    """CS-055."""
    play = ambush()
    play.do("surprise_roll", target="v", chance=40, aggressor_chance=50, rolls={"aggressor": [40], "victim": [45]})
    play.got("SurpriseApplied", penalty=15)


def test_cs_055_nobody_is_settled_who_was_not_surprised():
    """CS-055."""
    play = ambush("p1", p2={})
    play.refused("CS-055", "surprise_roll", target="p2", chance=40, aggressor_chance=50)
    play.refused("R-5", "surprise_roll", target="p1", chance=40)
    play.refused("R-5", "surprise_roll", target="p1", chance=140, aggressor_chance=50)
    play.refused("CS-060", "surprise_roll", target="p1", margin=3)


def test_cs_041_the_questions_ask_for_what_is_missing_one_after_the_other():
    """CS-041."""
    play = ambush("p1", "p2", e={"side": "foe", "skills": {"stealth": 44}}, p1={"skills": {"savvy": 31, "sentry": 25}})
    asked = play.prompt("check")
    assert (asked.who, asked.amount, asked.default, asked.resume.av, asked.resume.dv) == ("e", "chance", "", 44, 31)
    play.do("answer", amount=60, rolls={"check": [20]})
    first, second = play.state.prompts
    assert (first.who, first.resume.av, first.resume.dv) == ("p1", 31, 29)
    assert (second.who, second.resume.av) == ("p2", 13)
    play.do("answer", amount=50, rolls={"check": [55]})
    play.got("SurpriseApplied", who="p1", degree="overwhelmed", cs=5, penalty=45)


def test_cs_041_with_a_straight_line_everything_is_rolled_by_going_on():
    """CS-041."""
    play = ambush("p1", "p2", settings={"resolution": "linear"}, e={"side": "foe", "skills": {"stealth": 44}})
    assert play.prompt("check").default == "roll"
    play.do("advance").do("advance")
    assert play.asks() == []
    assert len([one for one in play.heard if one.type == "SurpriseApplied"]) == 2


def test_outcomes_without_numbers_leave_the_margins_to_the_gm():
    play = ambush("p1", "p2")
    play.do("answer", choice="made")
    play.do("answer", choice="failed")
    asked = play.prompt("how_far")
    assert (asked.who, asked.rule, asked.default, asked.amount) == ("p1", "CS-060", "least", "margin")
    play.do("answer", prompt=asked.id, amount=22).got("SurpriseApplied", who="p1", degree="overwhelmed", cs=2)
    play.do("answer", choice="made")
    assert play.prompt("how_far").default == "ready"
    play.do("answer", choice="checked").got("SurpriseApplied", who="p2", degree="checked", cs=1)


def test_cs_056_where_the_plotters_fail_nobody_is_asked_any_more():
    """CS-056: both fail, or the victim succeeds: it comes to the same."""
    play = ambush("p1", "p2").do("answer", amount=40, rolls={"check": [41]})
    assert play.asks() == []
    assert [(one.who, one.degree) for one in play.all("SurpriseApplied")] == [("p1", "none"), ("p2", "none")]


def test_outcomes_that_settle_it_need_no_numbers():
    ambush().do("answer", choice="failed").got("SurpriseApplied", degree="none")


# Against what


def plotters() -> dict[str, Mapping[str, object]]:
    def one(chm: int, hrt: int, msta: int) -> Mapping[str, object]:
        return {"side": "foe", "mod": {"chm": chm, "hrt": hrt}, "msta": msta}

    return {"a": one(2, 0, 25), "b": one(0, 3, 17), "c": one(-1, 0, 20), "d": one(0, 0, 22)}


@pytest.mark.parametrize(("example", "large", "small", "dv"), [("G-16", 25, 17, 29), ("G-17", 19, 14, 21)])
def test_cs_050_the_difficulty_is_shown_with_its_parts(example, large, small, dv):
    """CS-050."""
    people = plotters()
    people["a"] = {**people["a"], "msta": large}
    people["b"] = {**people["b"], "msta": small}
    people["c"] = {**people["c"], "msta": 19}
    people["d"] = {**people["d"], "msta": 19}
    play = table(**people, v={}).do("start").do("spring", aggressors="a b c d", targets="v", base=18)
    told = play.got("SurpriseTriggered", dv=dv, kind="ambush")
    values = [int(value) for _, value, rule in told.parts if rule == "CS-050"]
    assert (sum(values), values[:4]) == (dv, [18, 2, 3, 4])
    rolled(play, "v", (50, 40), (40, 45))
    assert play.see("v")["surprise"]["failed_dv"] == dv


def test_cs_050_without_the_awareness_check_before_the_difficulty_stays_open():
    """CS-050."""
    play = table(**plotters(), v={}).do("start").do("spring", aggressors=["a"])
    told = play.got("SurpriseTriggered", dv=None)
    assert next(label for label, _, _ in told.parts) == "best CHM modifier among the plotters"


def test_g_22_cs_049_practitioners_listen_to_their_spirits_and_cs_054_the_wary_are_helped():
    """G-22, CS-049, CS-054."""
    mage = {
        "skills": {"savvy": 30, "spirit sight": 12, "spirit touch": 7},
        "trades": [{"name": "Weaver", "sl": 9, "flags": ["practitioner"]}],
    }
    plain = {"skills": {"savvy": 30, "spirit sight": 12}, "trades": [{"name": "Warrior", "sl": 9}]}
    for wary, av in ((), 42), (("mage",), 51):
        play = table(e=FOE, mage=mage, plain=plain).do("start")
        play.do("spring", aggressors=["e"], dv=20, wary=list(wary)).do("answer", choice="made")
        asked = {prompt.who: prompt.resume.av for prompt in play.state.prompts}
        assert asked == {"mage": av, "plain": 30}
    parts = play.got("CheckRequested", who="mage").parts
    assert [part for part in parts if part[2] in ("CS-049", "CS-054")] == [
        ("best Spirit skill", "+12", "CS-049"),
        ("stated suspicion: trade level", "+9", "CS-054"),
    ]


def test_cs_054_a_trade_without_a_level_helps_nobody_who_is_wary():
    """CS-054: the level is what counts, and a sheet that names a trade alone has none."""
    novice = {"skills": {"savvy": 30}, "trades": [{"name": "Warrior"}]}
    play = table(e=FOE, novice=novice).do("start")
    play.do("spring", aggressors=["e"], dv=20, wary=["novice"]).do("answer", choice="made")
    assert {prompt.who: prompt.resume.av for prompt in play.state.prompts} == {"novice": 30}


def test_cs_047_the_best_of_savvy_and_sentry_else_awa():
    """CS-047."""
    keen = {"skills": {"savvy": 18, "sentry": 22}}
    play = ambush("keen", "dull", keen=keen, dull={"awa": 9}).do("answer", choice="made")
    assert {prompt.who: prompt.resume.av for prompt in play.state.prompts} == {"keen": 22, "dull": 9}


# Traps, ruses, chance


@played_once
def trap(kind: str = "trap", settings: Mapping[str, object] | None = None, **more: object) -> Play:
    play = table(settings=settings, v={}, w={}).do("start")
    return play.do("spring", kind=kind, targets=["v"], craft=35, **more)


def test_cs_043_a_mechanical_trap_surprises_without_a_roll():
    """CS-043."""
    play = trap()
    play.got("SurpriseTriggered", kind="trap", dv=35, aggressors=())
    assert play.prompt("how_far").default == "caught"
    play.do("advance").got("SurpriseApplied", who="v", degree="overwhelmed", cs=1, penalty=0)


@pytest.mark.parametrize(
    ("answer", "degree", "penalty"),
    [({"choice": "spared"}, "none", 0), ({"amount": 24}, "overwhelmed", 24), ({"choice": "caught"}, "overwhelmed", 0)],
)
def test_cs_043_the_gm_says_how_badly_it_takes_him_or_spares_who_knew_it(answer, degree, penalty):
    """CS-043."""
    trap().do("answer", **answer).got("SurpriseApplied", degree=degree, penalty=penalty)


def test_cs_043_the_margin_may_come_with_the_roll():
    """CS-043."""
    trap().do("surprise_roll", target="v", margin=24).got("SurpriseApplied", cs=2, penalty=24)
    trap().do("surprise_roll", target="v").got("SurpriseApplied", cs=1, penalty=0)
    trap().refused("CS-060", "surprise_roll", target="v", margin=-1)
    trap().refused("CS-060", "answer", amount="2d6")


@pytest.mark.parametrize(
    ("own", "degree", "cs", "penalty"), [((40, 40), "none", 0, 0), ((40, 66), "overwhelmed", 3, 26)]
)
@pytest.mark.parametrize("kind", ["pit", "trap"])
def test_cs_045_cs_051_a_concealed_trap_is_a_simple_roll_against_its_makers_craft(kind, own, degree, cs, penalty):
    """CS-045, CS-051."""
    play = trap(kind, {"trap_surprise": "simple_roll"})
    asked = play.prompt("check")
    assert (asked.who, asked.resume.dv) == ("v", 35)
    rolled(play, "v", None, own).got("SurpriseApplied", degree=degree, cs=cs, penalty=penalty)


@pytest.mark.parametrize(
    ("maker", "own", "degree", "penalty"),
    [
        ((50, 40), (40, 45), "overwhelmed", 15),
        ((50, 60), (40, 45), "overwhelmed", 5),
        ((50, 60), (40, 30), "none", 0),
        ((50, 40), (40, 20), "none", 0),
        ((50, 20), (40, 30), "checked", 0),
    ],
)
def test_cs_046_who_fails_against_an_illusion_is_surprised_for_certain(maker, own, degree, penalty):
    """CS-046."""
    play = table(e=FOE, v={}).do("start").do("spring", kind="illusion", aggressors=["e"], targets=["v"], craft=30)
    assert play.prompt("check").resume.what == "illusion"
    rolled(play, "v", maker, own).got("SurpriseApplied", degree=degree, penalty=penalty)


def test_cs_046_an_illusion_whose_maker_is_elsewhere_is_met_by_a_simple_roll():
    """CS-046."""
    rolled(trap("illusion"), "v", None, (40, 52)).got("SurpriseApplied", degree="overwhelmed", penalty=12)


def test_cs_044_only_the_fooled_can_be_surprised():
    """CS-044."""
    play = table(e={"side": "foe", "skills": {"player": 38}}, p1={}, p2={}).do("start")
    play.do("spring", kind="ruse", aggressors=["e"], targets=["p1", "p2"], dv=20)
    assert "Player 38" in play.prompt("ruse").question
    play.refused("CS-044", "surprise_roll", target="p2", chance=40, aggressor_chance=50)
    play.do("answer", choice="sees").got("SurpriseApplied", who="p1", degree="none")
    play.do("answer", choice="fooled")
    rolled(play, "p2", (50, 40), (40, 45)).got("SurpriseApplied", who="p2", degree="overwhelmed")
    assert play.asks() == []


def test_cs_044_a_ruse_that_fools_nobody_surprises_nobody():
    """CS-044."""
    play = table(e=FOE, v={}).do("start").do("spring", kind="ruse", aggressors=["e"], targets=["v"])
    assert "CHM 13" in play.prompt("ruse").question
    play.do("answer", choice="sees")
    assert play.asks() == []


def test_cs_044_who_leaves_is_in_no_question_about_a_ruse():
    """CS-044: it is put anew without him, and not at all where nobody is left to fool or to be fooled."""
    people = {"e": FOE, "f": FOE, "v": {}, "w": {}}
    play = table(**people).do("start").do("spring", kind="ruse", aggressors=["e", "f"], targets=["v", "w"])
    play.do("leave", who="f")
    assert [prompt.resume.plot.plotters for prompt in play.state.prompts if prompt.kind == "ruse"] == [("e",)]
    play.do("answer", choice="fooled")
    play.do("leave", who="e")
    assert play.asks() == []


@pytest.mark.parametrize(("lie", "sight", "asks"), [(10, 60, ["check"]), (60, 10, []), (30, 30, [])])
def test_cs_044_a_ruse_is_a_contested_roll_where_the_chances_are_known(lie, sight, asks):
    """CS-044."""
    people = {"e": {"side": "foe", "skills": {"player": 30}}, "v": {"awa": 30}}
    play = table(settings={"resolution": "linear"}, **people).do("start")
    play.do("spring", kind="ruse", aggressors=["e"], targets=["v"])
    play.do("answer", choice="roll", rolls={"aggressor": [lie], "victim": [sight]})
    assert play.asks() == asks


@pytest.mark.parametrize(
    ("lie", "sight", "fooled"),
    [
        ((60, 60), (40, 41), True),
        ((60, 61), (40, 40), False),
        ((60, 61), (40, 41), False),  # both fail: nobody is taken in
        ((60, 40), (50, 40), True),  # 20 against 10
        ((60, 50), (50, 40), False),  # 10 each: the victim's
    ],
)
def test_cs_044_the_contest_of_a_ruse_is_rolled_by_typed_chances(lie, sight, fooled):
    """CS-044, L92: Player or CHM against Perception or AWA, each by its percentage; by answers or by one command."""
    people = {"e": {"side": "foe", "skills": {"player": 30}}, "v": {}}
    play = table(**people).do("start").do("spring", kind="ruse", aggressors=["e"], targets=["v"], dv=20)
    asked = play.prompt("ruse")
    assert (asked.amount, "E's chance of Player" in asked.question) == ("chance", True)
    play.refused("R-5", "answer", amount=101)
    play.do("answer", amount=lie[0])
    assert "V's chance of seeing through it" in play.prompt("ruse").question
    play.do("answer", amount=sight[0], rolls={"aggressor": [lie[1]], "victim": [sight[1]]})
    assert (play.asks() == ["check"]) is fooled
    play.undo().undo()
    play.refused("R-5", "surprise_roll", target="v", chance=sight[0])
    numbers = {"chance": sight[0], "roll": sight[1], "aggressor_chance": lie[0], "aggressor_roll": lie[1]}
    play.do("surprise_roll", target="v", **numbers)
    assert (play.asks() == ["check"]) is fooled
    if not fooled:
        assert play.got("SurpriseApplied", who="v", degree="none")


@pytest.mark.parametrize(
    ("to", "refused"),
    [
        ("C4", "towards Imp"),  # from the orc, but on to the imp
        ("F4", "away from Orc"),
        ("D2", ""),  # from both
        ("D7", ""),
        ("B1", ""),  # farther from the imp too
    ],
)
def test_cs_065_who_retreats_looks_at_every_foe(to, refused):
    """CS-065, L131: away from the nearest, and nearer to no other whom he knows; one in hiding keeps nobody."""
    people = {"v": {"at": "D4"}, "orc": {"side": "foe", "at": "E4"}, "imp": {"side": "foe", "at": "A4"}}
    play = table(SquareBoard(12, 9), **people).begin().do("adjust", who="v", what="surprise", value="overwhelmed")
    if refused:
        assert refused in play.refused("CS-065", "move", who="v", to=to).message
        play.do("adjust", who="imp", what="hidden", value=True)
    if to != "F4":
        play.do("move", who="v", to=to)


def test_cs_048_those_who_stumble_on_each_other_roll_each_for_himself():
    """CS-048."""
    play = table(e=FOE, v={}).do("start").do("spring", kind="mutual", aggressors=["e"], targets=["v"])
    assert [prompt.who for prompt in play.state.prompts] == ["e", "v"]
    rolled(play, "e", None, (40, 65)).got("SurpriseApplied", who="e", cs=3, penalty=25)
    rolled(play, "v", None, (40, 41)).got("SurpriseApplied", who="v", cs=1, penalty=1)
    assert [play.see(who)["slots_left"] for who in ("e", "v")] == [1, 1]


def test_cs_048_what_the_gm_says_of_a_chance_meeting_is_what_they_roll_against():
    """CS-048, CS-066: and half of it is what they recover against, without a question (found in play 19)."""
    play = table(e=FOE, v={}).do("start").do("spring", kind="mutual", aggressors=["e"], targets=["v"], base=24)
    assert play.got("SurpriseTriggered").dv == 24
    rolled(play, "v", None, (40, 41)).got("SurpriseApplied", who="v", cs=1, penalty=1)
    assert play.see("v")["surprise"]["failed_dv"] == 24


def test_cs_050_the_shipped_ambush_is_as_hard_to_see_as_its_story_says():
    """CS-050."""
    play = Play(start_fight(load_encounter("the-sunken-lane"), id="lane"))
    play.do("start").do("spring", aggressors="crow wat gil sim ned", base=12, wary=["tib"])
    play.got("SurpriseTriggered", dv=24, targets=("hobb", "maud", "brother-osric", "tib"))
    play.do("answer", choice="made")
    asked = {prompt.who: prompt.resume.av for prompt in play.state.prompts}
    assert asked == {"hobb": 26, "maud": 31, "brother-osric": 24 + 9, "tib": 28 + 5}


# When, by whom, and at what price


def test_cs_040_a_surprise_is_sprung_while_a_segment_runs_and_before_resolution():
    """CS-040."""
    play = table(e=FOE, v={})
    play.refused("CS-040", "spring", aggressors=["e"])
    play.begin()
    play.do("declare", who="e", text="whistle").do("advance").do("declare", who="v", text="sing").do("advance")
    assert play.state.phase == "resolve"
    play.refused("CS-040", "spring", aggressors=["e"])
    play.do("spring", aggressors=["e"], force=True).got("Overridden", rule="CS-040")


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "flood", "aggressors": ["e"]},
        {"targets": ["v"]},
        {"aggressors": ["e"], "targets": ["e", "v"]},
        {"kind": "trap"},
    ],
)
def test_cs_040_what_is_no_surprise_is_refused(wrong):
    """CS-040."""
    table(e=FOE, v={}).do("start").refused("CS-040", "spring", **wrong)


def test_cs_040_a_threat_that_shows_itself_is_hidden_no_more():
    """CS-040."""
    play = table(e={**FOE, "hidden": True}, v={}).do("start").do("spring", aggressors=["e"])
    assert play.got("Detected", who="e")
    assert not play.one("e").hidden
    assert play.offers() == []


def test_cs_052_it_completes_the_action_of_who_springs_it():
    """CS-052."""
    play = rolled(ambush(), "v", (50, 40), (40, 45))
    assert play.see("e")["slots_left"] == 0
    play.begin(v=5, e=20)
    assert (play.state.step.kind, play.state.step.actor) == ("declare", "e")
    play.refused("CS-006", "declare", who="e", target="v")
    play.do("move", who="e", feet=30).do("advance")
    assert play.state.step.actor == "v"
    play.do("advance")
    assert play.state.round == 2


def test_g_21_cs_053_the_fast_keep_their_other_actions():
    """G-21, CS-053."""
    play = table(e={**FOE, "roa": "2"}, v={}).do("start").do("spring", aggressors=["e"], dv=20)
    assert (play.see("e")["slots"], play.see("e")["slots_left"]) == (2, 1)
    rolled(play, "v", (50, 60), (40, 45)).begin()
    while play.state.remembered["pass_number"] == 1:
        play.do("advance")
    assert (play.state.step.kind, play.state.step.actor) == ("declare", "e")
    play.do("declare", who="e", text="shout").to("resolve", "e")
    assert play.state.remembered["pass_number"] == 2


def test_cs_052_nobody_springs_two_with_one_action():
    """CS-052."""
    play = rolled(ambush(w={}), "v", (50, 40), (40, 45))
    play.refused("CS-052", "spring", aggressors=["e"], targets=["w"])


def test_cs_052_a_blow_declared_is_what_the_surprise_completes():
    """CS-052."""
    play = table(e={**FOE, "weapons": [SWORD]}, v={}).begin()
    play.do("declare", who="e", target="v").do("spring", aggressors=["e"], dv=20)
    rolled(play, "v", (50, 40), (40, 45))
    assert (play.see("e")["slots_left"], play.see("e")["declared"]["state"]) == (1, "committed")
    play.to("resolve", "e")


def test_cs_052_another_act_declared_is_over_with_it():
    """CS-052."""
    play = table(e=FOE, v={}).begin().do("declare", who="e", text="drop from the tree")
    play.do("spring", aggressors=["e"], dv=20)
    assert (play.see("e")["slots_left"], play.see("e")["declared"]["state"]) == (0, "done")


@pytest.mark.parametrize(
    "work", [{"components": ["reload"]}, {"text": "pick the lock", "dv": 20, "skill": 30}, {"action": "defend"}]
)
def test_cs_052_other_work_that_was_declared_is_given_up_for_it_and_not_done_by_it(work):
    """CS-052: no crossbow is cocked, and no lock picked, by springing from the bushes."""
    bow = {"name": "crossbow", "kind": "missile", "family": "crossbow-light", "av": 40, "hand": "2"}
    play = table(e={**FOE, "weapons": [bow]}, v={}).begin().to("declare", "e").do("declare", who="e", **work)
    play.do("spring", aggressors=["e"], dv=20).got("ActionAborted", who="e", reason="springs a Surprise")
    assert (play.see("e")["slots_left"], play.see("e")["declared"]["outcome"]) == (0, "sprung")
    assert (play.see("e")["crossbow"], play.see("e")["full_defence"]) == (None, "")


def test_cs_052_nobody_is_proposed_who_has_no_action_left_for_it():
    """CS-052: one of two who hide together has sprung his own already."""
    hidden = {"side": "foe", "hidden": True}
    play = table(e=hidden, f=hidden, v={}).do("start").do("spring", aggressors=["e"], dv=20)
    play.do("adjust", who="e", what="hidden", value=True)
    aggressors = next(one for one in play.option("f", "spring").inputs if one.name == "aggressors")
    assert (aggressors.choices, aggressors.default) == (("f",), "f")


def test_cs_072_whoever_springs_it_declares_first_instead_of_the_rosters_top():
    """CS-072."""
    play = table(v={}, w={}, e=FOE).do("start").do("spring", aggressors=["e"], dv=20)
    for who in ("v", "w"):
        rolled(play, who, (50, 60), (40, 45))
    play.begin()
    assert play.state.order == ("v", "w", "e")
    assert play.state.step.actor == "e"
    whys = {who: [part.rule for part in play.fight.explain(who, "initiative").parts] for who in ("v", "e")}
    assert [who for who, rules in whys.items() if "CS-072" in rules] == ["e"]
    next_segment(play, 2).begin()
    assert play.state.step.actor == "v"


def test_cs_072_also_after_initiative_as_long_as_nobody_has_declared():
    """CS-072."""
    play = table(v={}, e=FOE).begin().do("spring", aggressors=["e"], dv=20)
    assert (play.state.step.kind, play.state.step.actor) == ("declare", "e")
    late = table(v={}, w={}, e=FOE).begin().do("declare", who="v", text="sing")
    assert late.do("spring", aggressors=["e"], dv=20).state.step.actor == "v"


# What is left to do


@pytest.mark.parametrize(
    ("plotters", "own", "rule"),
    [((50, 40), (60, 40), "CS-057"), ((50, 40), (50, 45), "CS-058"), ((50, 40), (40, 45), "CS-065")],
)
def test_who_is_surprised_defends_and_begins_nothing(plotters, own, rule):
    play = rolled(ambush(v={"weapons": [SWORD]}), "v", plotters, own).begin().to("declare", "v")
    for original in ({"target": "e"}, {"text": "sing"}, {"components": ["draw_missile"]}):
        no = play.refused(rule, "declare", who="v", **original)
        assert "defend" in no.accepts
    assert play.refused(rule, "opportunity", who="v", target="e").accepts == ("a defence",)
    play.do("declare", who="v", action="defend", against="e")


def test_cs_057_the_ready_may_only_defend_in_the_launch_and_are_free_in_the_next():
    """CS-057."""
    play = rolled(ambush(), "v", (50, 40), (60, 40)).begin().to("declare", "v")
    play.refused("CS-057", "declare", who="v", action="move")
    play.refused("CS-057", "move", who="v", feet=5)
    assert not play.option("v", "declare-move").legal
    assert play.option("v", "declare-defend").legal
    assert hurting.why_restricted(play.state, play.one("v"))
    next_segment(play, 2)
    assert not hurting.why_restricted(play.state, play.one("v"))
    play.begin().to("declare", "v").do("declare", who="v", text="sing")


def test_cs_058_the_checked_are_free_at_the_start_of_the_second_segment_after():
    """CS-058."""
    play = rolled(ambush(), "v", (50, 30), (50, 38))
    next_segment(play, 2).begin().to("declare", "v").refused("CS-058", "declare", who="v", text="sing")
    play.do("declare", who="v", action="move")
    assert hurting.surprise_penalty(play.one("v"), defensive=True) == 0
    next_segment(play, 3)
    assert play.see("v")["surprise"]["degree"] == "none"
    play.begin().to("declare", "v").do("declare", who="v", text="sing")


@pytest.mark.parametrize("words", ["back away from E", "Escape through the gap", "retreat", "full defence"])
def test_cs_065_the_overwhelmed_back_away_in_any_words(words):
    """CS-065."""
    overwhelmed().begin().to("declare", "v").do("declare", who="v", text=words).got("Declared", who="v")


def test_cs_065_the_gm_may_let_him_act_all_the_same():
    """CS-065."""
    play = overwhelmed().begin().to("declare", "v")
    play.do("declare", who="v", text="sing", force=True).got("Overridden", rule="CS-065")


@pytest.mark.parametrize("pulses", [False, True])
def test_cs_065_the_surprised_only_go_away_from_what_threatens_them(pulses):
    """CS-065: the nearest foe they know of; the GM may let them run elsewhere."""
    play = table(
        any_board(SquareBoard(20, 5)), {"pulse_movement": pulses}, e={**FOE, "at": "F3"}, v={"at": "H3"}
    ).do("start")  # fmt: skip
    play.do("spring", aggressors=["e"], targets=["v"], dv=29)
    rolled(play, "v", (50, 50), (0, 15)).begin().to("declare", "v").do("declare", who="v", text="back away")
    command, data = "plan" if pulses else "move", {"who": "v"}
    assert "away from E" in play.refused("CS-065", command, path=["G3"], **data).message
    play.refused("CS-065", command, path=["H4", "G4"], **data)
    play.do(command, path=["G3"], force=True, **data).got("Overridden", rule="CS-065")
    play.undo().do(command, path=["I3", "J3"], **data)


@pytest.mark.parametrize(("to", "stops"), [("T3", True), ("B3", False)])
def test_cs_065_a_way_that_was_planned_goes_on_only_away_from_the_threat(to, stops):
    """CS-065, CS-230: whoever is overwhelmed between two Pulses runs at his foe no longer."""
    cast = {"v": {"at": "G3"}, "e": {**FOE, "at": "T3"}, "f": {**FOE, "at": "T5", "hidden": True}}
    play = table(any_board(SquareBoard(20, 5)), {"pulse_movement": True}, **cast).begin(v=20, e=10, f=5)
    play.do("plan", who="v", to=to).to("pulse").do("run_pulses", pulses=1).do("spring", aggressors=["f"], dv=29)
    before = rolled(play, "v", (50, 50), (0, 15)).one("v").at
    play.do("run_pulses", pulses=2)
    assert (play.one("v").at == before) is stops


def test_initiative_waits_for_the_question_that_is_open():
    """CS-040, CS-020: nobody rolls while a Surprise is being settled."""
    play = ambush()
    assert "answer first" in play.refused(play.state.asked_first.rule, "initiative", who="v").message
    play.refused(play.state.asked_first.rule, "initiative", who="v", total=12)
    assert not play.option("v", "initiative").legal


def test_the_surprised_do_not_wait_by_saying_nothing():
    play = overwhelmed().begin().to("declare", "v").do("advance")
    assert "Waited" not in play.names()
    assert play.see("v")["waiting"] is False


def test_what_was_only_said_is_off_and_what_was_begun_is_for_the_gm():
    play = table(v={}, w={}, e=FOE).begin()
    play.do("declare", who="v", text="pick the lock", qa=12, action="task").do("advance")
    play.do("declare", who="w", text="sing").do("spring", aggressors=["e"], dv=20)
    rolled(play, "w", (50, 40), (40, 45)).got("ActionAborted", who="w")
    rolled(play, "v", None, (40, 45))
    assert play.prompt("startled").default == "keep"
    play.do("answer", prompt="startled", choice="abort").got("ActionAborted", who="v", reason="surprised")


# Penalties


def test_g_20_cs_061_cs_062_overwhelmed_defences_and_noticing_lose_the_sum():
    """G-20, CS-061, CS-062."""
    play = overwhelmed(penalty=15, v={"awa": 18})
    one = play.one("v")
    assert hurting.surprise_penalty(one, defensive=True) == 15
    assert hurting.surprise_penalty(one, defensive=False) == 0
    trail = play.fight.explain("v", "noticing")
    assert trail.total == "3"
    assert [(part.value, part.rule) for part in trail.parts] == [("+18", "CS-047"), ("-15", "CS-062")]


def test_cs_062_noticing_never_drops_below_nothing():
    """CS-062."""
    assert overwhelmed(penalty=15, v={"awa": 9}).fight.explain("v", "noticing").total == "0"


def test_cs_062_cs_613_noticing_never_drops_below_nothing_by_pain_either():
    """CS-062, CS-613: by both together, as any other value."""
    play = overwhelmed(penalty=5, v={"awa": 9}).do("stun", who="v", penalty=20)
    trail = play.fight.explain("v", "noticing")
    assert (trail.total, [part.value for part in trail.parts]) == ("0", ["+9", "-5", "-4"])


def test_cs_049_cs_062_the_penalty_is_off_the_whole_value_with_the_spirit_skill_in_it():
    """CS-049, CS-062, L100, L141: AWA 13 and Spirit 12, less 15, are 10, not 12."""
    trades = [{"name": "Weaver", "flags": ["practitioner"]}]
    play = next_segment(overwhelmed(15, v={"skills": {"spirit sight": 12}, "trades": trades}, f=FOE), 2)
    play.do("spring", aggressors=["f"], targets=["v"], dv=20).do("answer", choice="made")
    assert play.prompt("check").resume.av == 10


def test_cs_070_the_others_have_no_more_than_that():
    """CS-070."""
    play = overwhelmed()
    assert hurting.surprise_penalty(play.one("e"), defensive=True) == 0
    assert hurting.stun_penalty(play.state, play.one("v")) == 0
    assert not hurting.why_restricted(play.state, play.one("e"))


def test_a_worse_surprise_is_not_mended_by_a_lesser_one():
    play = rolled(ambush(f=FOE), "v", (50, 30), (10, 30))
    play.do("spring", aggressors=["f"], targets=["v"], dv=12)
    rolled(play, "v", (50, 30), (50, 38)).got("SurpriseApplied", degree="checked")
    assert play.see("v")["surprise"]["penalty"] == 40
    assert (play.see("v")["surprise"]["until_cs"], play.see("v")["surprise"]["failed_dv"]) == (5, 29)


def test_cs_060_a_lesser_surprise_frees_nobody_from_the_stun_of_an_earlier_one():
    """CS-058, CS-060, CS-066: checked once more in the last segment of it, he is held longer, and recovers as ever."""
    play = next_segment(overwhelmed(15, f=FOE), 3)
    play.do("spring", aggressors=["f"], targets=["v"], dv=12)
    rolled(play, "v", (50, 30), (50, 38)).got("SurpriseApplied", degree="checked")
    seen = play.see("v")["surprise"]
    assert (seen["degree"], seen["until_cs"], seen["penalty"], seen["failed_dv"]) == ("overwhelmed", 4, 15, 29)
    next_segment_asks(play, 5)
    assert play.prompt("check").resume.dv == 15


@pytest.mark.parametrize(
    ("own", "degree", "held", "penalties"),
    [((60, 40), "ready", [4], [15, 14, 13, 0]), ((50, 45), "checked", [4, 5], [15, 14, 13, 0])],
)
def test_cs_068_the_second_stage_goes_on_under_a_lesser_surprise(own, degree, held, penalties):
    """CS-057, CS-058, CS-068: it wanes as it would have, and whoever stands the new one best is not freed by that."""
    play = overwhelmed(15, f=FOE)
    next_segment_asks(play, 4)
    play.do("answer", choice="failed").do("spring", aggressors=["f"], targets=["v"], dv=12)
    rolled(play, "v", (50, 40), own).got("SurpriseApplied", degree=degree)
    found = {}
    for number in (4, 5, 6, 7):
        one = next_segment(play, number).one("v")
        found[number] = hurting.surprise_penalty(one, defensive=False)
        assert bool(hurting.why_restricted(play.state, one)) is (number in held)
    assert list(found.values()) == penalties
    assert play.see("v")["surprise"]["degree"] == "none"


# Recovery


def test_g_18_cs_066_cs_067_hrt_against_half_the_dv_that_was_failed():
    """G-18, CS-066, CS-067."""
    play = overwhelmed(penalty=15, v={"hrt": 14})
    next_segment_asks(play, 4)
    asked = play.prompt("check")
    assert (asked.who, asked.resume.what, asked.resume.av, asked.resume.dv) == ("v", "HRT", 14, 15)
    play.do("answer", choice="made")
    play.got("SurpriseRecoveryChecked", who="v", dv=15, ok=True)
    play.got("SurpriseEnded", who="v")
    assert play.see("v")["surprise"]["degree"] == "none"
    assert play.one("v").record.surprise_until == 0


def next_segment_asks(play: Play, number: int) -> None:
    """On to the question at the start of a segment."""
    while play.state.round < number:
        play.do("advance")
    assert play.state.phase == "initiative"


def test_g_18_cs_068_cs_069_else_the_penalty_holds_for_everything_and_wanes():
    """G-18, CS-068, CS-069."""
    play = overwhelmed(penalty=15)
    next_segment_asks(play, 4)
    play.do("answer", choice="failed").got("SurpriseApplied", degree="waning", cs=3, penalty=15)
    found = []
    for number in (4, 5, 6):
        next_segment(play, number)
        found.append(hurting.surprise_penalty(play.one("v"), defensive=False))
        assert not hurting.why_restricted(play.state, play.one("v"))
    assert found == [15, 14, 13]
    next_segment(play, 7)
    assert play.see("v")["surprise"]["degree"] == "none"


def test_cs_066_the_typed_chance_and_die_decide():
    """CS-066."""
    play = overwhelmed()
    next_segment_asks(play, 4)
    play.do("answer", amount=40, rolls={"check": [41]}).got("SurpriseRecoveryChecked", ok=False)


@pytest.mark.parametrize(("failed", "dv"), [(1, 1), (2, 1), (3, 2)])
def test_cs_066_half_of_the_least_dv_is_rounded_up(failed: int, dv: int) -> None:
    """CS-066, M-04: and what has been failed is a number, however low."""
    play = overwhelmed(dv=failed)
    next_segment_asks(play, 4)
    assert play.prompt("check").resume.dv == dv


@played_once
def unnumbered() -> Play:
    """V is overwhelmed, and only the outcomes are said: no DV, no chance."""
    play = ambush(dv=None).do("answer", choice="made").do("answer", choice="failed")
    return play.do("answer", amount=15)


@pytest.mark.parametrize(("settings", "dv"), [({}, 13), ({"resolution": "linear", "linear_base": 60}, 23)])
def test_cs_068_a_typed_chance_says_against_what_dv_it_was(settings, dv):
    """CS-066, CS-068: AV 13 at 50 % is the DV on the straight line; what is typed is not asked again."""
    play = rolled(ambush(dv=None, settings=settings), "v", (50, 50), (50, 65))
    assert play.see("v")["surprise"]["failed_dv"] == dv
    next_segment_asks(play, 4)
    play.do("answer", choice="failed").got("SurpriseApplied", degree="waning")


def test_cs_068_a_dv_that_nobody_named_is_asked_for_when_it_matters():
    """CS-068."""
    play = unnumbered()
    next_segment_asks(play, 4)
    assert play.prompt("check").resume.dv is None
    play.do("answer", choice="failed")
    play.refused("CS-068", "answer", amount=-4)
    play.do("answer", amount=24).got("SurpriseApplied", degree="waning", cs=2)


@pytest.mark.parametrize("answer", [{"choice": "over"}, {"amount": 3}])
def test_cs_068_without_a_length_there_is_no_second_stage(answer):
    """CS-068."""
    play = unnumbered()
    next_segment_asks(play, 4)
    play.do("answer", choice="failed").do("answer", **answer).got("SurpriseEnded", who="v")


def test_who_is_down_needs_no_recovery():
    play = overwhelmed(w={})
    play.do("adjust", who="v", what="able", value=False)
    next_segment_asks(play, 4)
    assert play.asks() == []
    play.got("SurpriseEnded", who="v")


def test_g_126_the_timeline_of_an_ambush():
    """G-126."""
    play = ambush("p1", "p2")
    rolled(play, "p1", (50, 28), (40, 53)).got("SurpriseApplied", who="p1", degree="overwhelmed", cs=4, penalty=35)
    rolled(play, "p2", None, (50, 45)).got("SurpriseApplied", who="p2", degree="checked", cs=1)
    held = {number: _held(next_segment(play, number)) for number in range(2, 6)}
    assert held == {2: ["p1", "p2"], 3: ["p1"], 4: ["p1"], 5: ["p1"]}
    next_segment_asks(play, 6)
    assert play.prompt("check").resume.dv == 15
    play.do("answer", choice="failed").got("SurpriseApplied", who="p1", degree="waning", cs=3, penalty=35)
    waned: dict[int, list[object]] = {}
    for number in (7, 8, 9):
        play.heard.clear()
        next_segment(play, number)
        waned[number - 1] = [
            (one.type, getattr(one, "penalty", None)) for one in play.heard if one.type.startswith("Surprise")
        ]
    assert waned == {6: [("SurprisePenaltyWaned", 34)], 7: [("SurprisePenaltyWaned", 33)], 8: [("SurpriseEnded", None)]}
    assert play.see("p1")["surprise"]["degree"] == "none"


def _held(play: Play) -> list[str]:
    return [who for who in ("p1", "p2") if hurting.why_restricted(play.state, play.one(who))]


# Offers and reminders


def test_cs_074_who_leaves_cover_is_offered_a_surprise():
    """CS-074."""
    play = table(e={**FOE, "hidden": True}, v={}).begin().do("adjust", who="e", what="hidden", value=False)
    assert play.prompt("leap").default == "no"
    play.do("answer", prompt="leap", choice="spring").got("SurpriseTriggered", aggressors=("e",), targets=("v",))
    moved = table(e={**FOE, "hidden": True}, v={}).begin().do("move", who="e", feet=20)
    assert moved.offers() == ["leap"]
    moved.do("advance")
    assert moved.offers() == []


def test_cs_074_who_leaves_cover_is_asked_about_once_and_whatever_else_is_asked_of_them():
    """CS-074: going on asks no second time; an open question of another kind, or of another, is no reason not to."""
    play = table(e={**FOE, "hidden": True}, f={**FOE, "hidden": True}, v={}).begin(e=30, f=20, v=10)
    play.do("move", who="e", feet=5).do("move", who="e", feet=5)
    assert play.offers() == ["leap"]
    play.do("adjust", who="f", what="hidden", value=False)
    assert [prompt.who for prompt in play.state.prompts] == ["e", "f"]
    lurker = {**FOE, "hidden": True, "at": "F3", "weapons": [SWORD]}
    play = table(any_board(SquareBoard(20, 5)), e=lurker, v={"at": "B4"}).begin().to("declare", "v")
    play.do("move", who="v", path=["C4", "D4", "E4", "F4", "G4"]).do("adjust", who="e", what="hidden", value=False)
    assert sorted(play.offers()) == ["leap", "opportunity"]


def test_cs_040_it_can_be_picked_from_what_there_is_to_do():
    """CS-040."""
    play = table(e=FOE, v={}).do("start")
    option = play.option("e", "spring")
    assert (option.legal, option.rule, option.command) == (True, "CS-040", "Spring")
    play.do(option.command, **{one.name: one.default for one in option.inputs if one.default})
    play.got("SurpriseTriggered", aggressors=("e",), targets=("v",))
    assert not play.option("e", "spring").legal


@pytest.mark.parametrize(
    ("rule", "word"), [("CS-042", "carries the light"), ("CS-047", "Sentry"), ("CS-073", "armour")]
)
def test_what_to_think_of_is_said_while_a_surprise_is_settled(rule, word):
    assert any(word in line for line in showing_of(ambush())), rule
    assert not any(word in line for line in showing_of(table(e=FOE, v={}).begin())), rule


def test_at_first_contact_the_gm_is_asked_who_knows_of_whom():
    """CS-009, CS-033."""
    said = " ".join(showing_of(table(e=FOE, v={}).do("start")))
    assert "Who is aware of whom?" in said
    assert "Is one side unaware?" in said


def showing_of(play: Play) -> tuple[str, ...]:
    return play.fight.system.reminders(play.state)


# In a fight


@pytest.mark.parametrize(
    ("defence", "dv"), [("parry sword", 25), ("dodge", 7), ("parry sword+dodge", 32)], ids=["parry", "dodge", "both"]
)
def test_g_20_a_blow_at_the_overwhelmed_meets_what_is_left_of_their_defence(defence, dv):
    """G-20, CS-061: Parry 40 and Dodge 22 with a penalty of 15."""
    play = overwhelmed(v={"weapons": [SWORD], "dodge": 22}, e={**FOE, "weapons": [SWORD]})
    next_segment(play, 2).begin().to("declare", "e").do("declare", who="e", target="v").to("resolve", "e")
    play.do("resolve", who="e", defence=defence, chance=50, rolls={"check": [60]})
    asked = play.got("CheckRequested", who="e")
    assert (asked.av, asked.dv) == (40, dv)
    play.refused("CS-065", "reprise", who="v")
    play.do("reprise", who="v", choice="trade", feet=5)


def test_cs_068_in_the_second_stage_their_own_blows_suffer_too():
    """CS-068."""
    play = overwhelmed(penalty=15, v={"weapons": [SWORD]}, e={**FOE, "weapons": [SWORD]})
    next_segment_asks(play, 4)
    play.do("answer", choice="failed").begin().to("declare", "v").do("declare", who="v", target="e").to("resolve", "v")
    play.do("resolve", who="v", chance=50, rolls={"check": [60]})
    assert play.got("CheckRequested", who="v").av == 25


@pytest.mark.parametrize(("is_full", "defence", "dvs"), [(False, "dodge", [15, 8]), (True, "parry sword", [25, 25])])
def test_cs_061_surprise_comes_off_before_the_halving_and_off_a_full_defence_too(is_full, defence, dvs):
    """CS-061, CS-167, A-56: Dodge 30 or Parry 40, less 15; the second Dodge is half of that, and of 7.5 it is 8."""
    cast = {who: {**FOE, "weapons": [SWORD]} for who in "efg"}
    play = overwhelmed(v={"weapons": [SWORD], "dodge": 30}, **cast).begin(v=30, f=20, g=10, e=1).to("declare", "v")
    if is_full:
        play.do("declare", who="v", action="defend", against="g")
    for who in "fg":
        play.to("declare", who).do("declare", who=who, target="v")
    found = []
    for who in "fg":
        play.to("resolve", who).do("resolve", who=who, defence=defence, chance=50, rolls={"check": [60]})
        found.append(play.got("CheckRequested", who=who).dv)
    assert found == dvs


def test_cs_060_a_question_names_what_is_known_already() -> None:
    """CS-041, CS-060: the sense the plotters roll against, and of two margins the one that was rolled."""
    play = ambush("p1")
    assert "against Perception" in play.prompt("check").question
    play.do("answer", amount=60, rolls={"check": [38]}).do("answer", choice="failed")
    assert play.prompt("how_far").question.endswith("both margins together? The plotters' is 22.")


def test_cs_040_those_who_hide_are_proposed_to_spring_a_surprise() -> None:
    """CS-040: whoever is selected; oneself where nobody hides."""
    play = table(ash={}, orc={"side": "foe"}, gob={"side": "foe"}).do("start")
    springs = {field.name: field for field in play.option("ash", "spring").inputs}
    assert (springs["aggressors"].default, springs["targets"].default) == ("ash", "orc gob")
    play = table(ash={}, orc={"side": "foe", "hidden": True}, gob={"side": "foe", "hidden": True}).do("start")
    for selected in ("ash", "gob"):
        springs = {field.name: field for field in play.option(selected, "spring").inputs}
        assert set(springs["aggressors"].default.split()) == {"orc", "gob"}
        assert springs["targets"].default == "ash"


def test_cs_057_who_is_surprised_is_said_on_his_turn_and_his_defence_proposed() -> None:
    """CS-057: why nothing else is offered stands in the bar; what may be said in words is not proposed."""
    play = ambush("p1").do("answer", choice="made").do("answer", choice="made").do("answer", choice="ready")
    while play.state.step is None or play.state.step.kind != "declare" or play.state.step.actor != "p1":
        play.do("advance")
    reminders = play.fight.system.reminders(play.state)
    assert "P1 is surprised (ready) to the end of Segment 1: only defends (CS-057)" in reminders
    legal = [option.action for option in play.fight.options("p1") if option.legal and not option.is_unlikely]
    assert legal[0] == "declare-defend"
