"""Initiative, the roster of a segment, passes, and late arrivals (CS-001 to CS-034)."""

from __future__ import annotations

import pytest

from fightcall_engine.kit.phrases import phrase

from .table import SWORD, table

CAST = {"a": {}, "b": {"side": "foe"}}


def declarers(play, number=1):
    """Who declares in a pass, in the order of the agenda."""
    return [step.actor for step in play.state.agenda.steps if step.id.startswith(f"declare.{number}.")]


def resolvers(play, number):
    return [step.actor for step in play.state.agenda.steps if step.id.startswith(f"resolve.{number}.")]


def rosters(play):
    """The parts of the roster: their titles and notes, and who is in them."""
    return [(group.title, group.note, group.members) for group in play.fight.system.groups(play.state)]


# The clock


def test_cs_004_cs_005_cs_031_g_06_a_segment_is_ten_seconds_and_the_next_has_a_fresh_roster():
    """CS-004, CS-005, CS-031, G-06."""
    play = table(**CAST).begin(a=9, b=12)
    assert play.state.round == 1
    assert [step.actor for step in play.state.agenda.steps if step.kind == "declare"] == ["b", "a"]
    for segment in (1, 2, 3):
        assert play.state.clock_s == (segment - 1) * 10
        while play.state.round == segment:
            play.do("advance")
    assert play.fight.system.facts(play.state)["clock"] == "00:30"
    assert (play.state.round, play.state.clock_s, play.state.phase) == (4, 30, "initiative")
    assert [play.see(who)["init"] for who in "ab"] == [None, None]
    play.got("SegmentEnded", number=3)
    assert play.got("SegmentBegan").number == 4


def test_cs_022_the_roster_stands_by_sides_until_everybody_has_an_initiative_and_after_the_end():
    """CS-022."""
    play = table(**CAST)
    assert rosters(play) == [("Party", "", ("a",)), ("Foes", "", ("b",))]
    play.do("start")
    assert rosters(play) == [("Party", "1 to roll", ("a",)), ("Foes", "1 to roll", ("b",))]
    play.do("initiative", who="b", total=12)
    assert rosters(play) == [("Party", "1 to roll", ("a",)), ("Foes", "rolled", ("b",))]
    play.begin(a=9)
    assert rosters(play) == [("Initiative", "", ("b", "a"))]
    play.do("close", reason="supper")
    assert [title for title, *_ in rosters(play)] == ["Party", "Foes"]


def test_cs_005_six_segments_are_a_minute():
    """CS-005."""
    play = table(**CAST).begin()
    while play.state.round < 7:
        play.do("advance")
    assert play.state.clock_s == 60


def test_cs_006_everybody_is_owed_one_action():
    """CS-006."""
    play = table(**CAST).begin()
    assert [play.see(who)["slots"] for who in "ab"] == [1, 1]


@pytest.mark.parametrize(
    ("rate", "owed"),
    [("1", [1, 1, 1, 1]), ("3/2", [1, 2, 1, 2]), ("1/2", [0, 1, 0, 1]), ("2/3", [0, 1, 1, 0]), ("5/4", [1, 1, 1, 2])],
)
def test_cs_007_m_05_actions_by_the_rate_of_action(rate, owed):
    """CS-007, M-05."""
    play = table(a={"roa": rate}, b={"side": "foe"})
    found = []
    for segment in range(1, 5):
        play.begin()
        assert play.state.round == segment
        found.append(play.see("a")["slots"])
        while play.state.round == segment and play.state.step is not None:
            play.do("advance")
    assert found == owed


def test_cs_007_segments_are_counted_from_ones_own_first():
    """CS-007."""
    play = table(**CAST).begin()
    while play.state.round == 1:
        play.do("advance")
    play.do("join", name="Late", id="late", sheet={"roa": "1/2"})
    assert play.see("late")["slots"] == 0, "his own first segment"
    while play.state.round == 2:
        play.do("advance")
    assert play.see("late")["slots"] == 1


def test_cs_007_the_gm_may_overwrite_the_number():
    """CS-007."""
    play = table(**CAST).begin()
    play.do("rule", what="slots", who="a", value=3)
    assert play.see("a")["slots"] == 3
    assert resolvers(play, 3) == ["a"]
    while play.state.round == 1:
        play.do("advance")
    assert play.see("a")["slots"] == 1, "for this segment only"
    play.refused("CS-007", "rule", what="slots", who="a", value=-1)


def test_cs_010_nothing_happens_out_of_order():
    """CS-010."""
    play = table(**CAST).begin(a=9, b=12)
    no = play.refused("CS-010", "declare", who="a", text="shout")
    assert "B's turn to declare" in no.message
    play.refused("CS-091", "move", who="a", feet=5)
    play.do("declare", who="b", text="shout").do("advance")
    play.do("declare", who="a", text="shout back")


def test_cs_001_an_attack_makes_it_combat_and_the_gm_may_say_otherwise():
    """CS-001."""
    play = table(**CAST).begin(a=12, b=9)
    assert play.fight.system.facts(play.state)["contest"] == "tactical"
    play.do("declare", who="a", target="b")
    assert play.fight.system.facts(play.state)["contest"] == "combat"
    play.do("rule", what="contest", value="tactical")
    assert play.fight.system.facts(play.state)["contest"] == "tactical"
    play.refused("CS-001", "rule", what="contest", value="a brawl")


# Initiative


def test_cs_020_cs_021_g_01_d10_and_the_modifiers():
    """CS-020, CS-021, G-01."""
    play = table(a={"mod": {"awa": 2, "hrt": 1}}, b={"side": "foe"}).do("start")
    rolled = play.do("initiative", who="a", d10=7).got("InitiativeRolled")
    assert (rolled.d10, rolled.mod, rolled.penalty, rolled.total) == (7, 3, 0, 10)
    play.refused("CS-023", "initiative", who="a", d10=3)
    play.refused("dice", "initiative", who="b", d10=11)
    trail = play.fight.explain("a", "initiative")
    assert (trail.total, [part.value for part in trail.parts]) == ("10", ["+7", "+2", "+1"])


def test_cs_020_every_segment_everybody_throws_and_the_engine_throws_for_who_has_not():
    """CS-020."""
    play = table(**CAST).do("start").do("initiative", who="a", d10=4)
    assert play.state.phase == "initiative"
    play.do("advance")
    assert play.got("InitiativeRolled", who="b").d10 == play.got("DiceRolled", dice="d10").faces[0]
    assert play.state.phase == "declare"


def test_cs_021_an_initiative_modifier_of_its_own_takes_the_place_of_the_two():
    """CS-021."""
    play = table(a={"mod": {"awa": 2, "hrt": 1}, "init_mod": -1}, b={}).do("start")
    assert play.do("initiative", who="a", d10=5).got("InitiativeRolled").total == 4


def test_cs_022_cs_027_one_roster_for_friend_and_foe():
    """CS-022, CS-027."""
    play = table(a={}, b={"side": "foe"}, c={}, d={"side": "foe"}).begin(a=5, b=9, c=11, d=10)
    assert play.state.order == ("c", "d", "b", "a")
    assert declarers(play) == ["c", "d", "b", "a"]


def test_cs_023_the_order_stands_for_every_pass():
    """CS-023."""
    play = table(a={"roa": "2"}, b={"roa": "2"}, c={"roa": "2"}).begin(a=5, b=9, c=7)
    assert declarers(play) == declarers(play, 2) == resolvers(play, 1) == resolvers(play, 2) == ["b", "c", "a"]


def test_cs_024_cs_025_g_02_ties_by_agl_and_then_hrt():
    """CS-024, CS-025, G-02."""
    cast = {"a": {"agl": 14}, "b": {"agl": 16, "hrt": 15}, "c": {}, "d": {"agl": 16, "hrt": 12}}
    play = table(**cast).do("start")
    for who, total in (("a", 10), ("b", 10), ("c", 12)):
        play.do("initiative", who=who, total=total)
    play.do("initiative", who="d", total=10)
    assert play.state.order == ("c", "b", "d", "a")
    told = [(tuple(one.ids), one.by) for one in play.all("TieResolved")]
    assert told == [(("b", "d", "a"), "AGL"), (("b", "d"), "HRT")]


def test_cs_024_an_agl_that_nobody_has_said_is_as_high_as_13():
    """CS-024: so a tie with 13 goes on to HRT, and 14 is ahead of it."""
    play = table(plain={"hrt": 12}, even={"agl": 13, "hrt": 15}, quick={"agl": 14}).do("start")
    for who in ("plain", "even", "quick"):
        play.do("initiative", who=who, total=10)
    assert play.state.order == ("quick", "even", "plain")


@pytest.mark.parametrize("d10", [1, 10])
def test_cs_021_the_lowest_and_the_highest_die_are_shown_in_the_sum(d10):
    """CS-021."""
    play = table(a={"mod": {"awa": 2}}, b={"side": "foe"}).do("start").do("initiative", who="a", d10=d10)
    trail = play.fight.explain("a", "initiative")
    assert (trail.total, [part.value for part in trail.parts]) == (str(d10 + 2), [f"+{d10}", "+2", "+0"])


@pytest.mark.parametrize(
    ("reading", "choice", "order", "words"),
    [
        ("ask", "alphabetical", ("b", "a"), "Tie broken by the alphabet: B, then Zed"),
        ("alphabetical", "", ("b", "a"), "Tie broken by the alphabet: B, then Zed"),
        ("ask", "a", ("a", "b"), "Tie broken by the GM: Zed, then B"),
        ("ask", "simultaneous", ("a", "b"), "Tie, all act at once: Zed, B"),
    ],
)
def test_cs_026_the_last_tie_is_the_gms(reading, choice, order, words):
    """CS-026."""
    play = table(settings={"initiative_tie": reading}, a={}, b={}).do("start")
    play.do("adjust", who="a", what="name", value="Zed")
    play.do("initiative", who="a", total=7).do("initiative", who="b", total=7)
    if reading == "ask":
        assert play.asks() == ["tie"]
        assert play.state.phase == "initiative"
        play.do("answer", choice=choice)
    assert play.state.order == order
    assert play.state.phase == "declare"
    assert phrase(play.fight.system, play.got("TieResolved"), play.state).words == words


@pytest.mark.parametrize(
    "again", [{"total": 3}, {"d10": 3, "force": True}], ids=["put right 3 the GM's number", "put right 3 rolled again"]
)
def test_cs_026_a_new_initiative_closes_the_question_about_a_tie_that_it_breaks(again):
    """CS-026: nobody answers who goes first of those who are not tied any more; the tie of others stays open."""
    play = table(settings={"initiative_tie": "ask"}, a={}, b={}, c={}, d={}).do("start")
    for who, total in (("a", 7), ("b", 7), ("c", 5), ("d", 5)):
        play.do("initiative", who=who, total=total)
    assert play.asks() == ["tie", "tie"]
    play.do("initiative", who="b", **again)
    assert play.asks() == ["tie"]
    play.do("answer", choice="d")
    assert play.state.order == ("a", "d", "c", "b")


def test_cs_026_a_coin_falls_the_same_in_the_same_history():
    """CS-026."""

    def drawn():
        play = table(a={}, b={}, c={}).do("start")
        for who in "abc":
            play.do("initiative", who=who, total=7)
        return play

    play = drawn()
    assert play.got("TieResolved").by == "coin"
    assert len(play.all("DiceRolled")) == 3
    assert play.state.order == drawn().state.order
    back = play.state.order
    play.undo()
    play.do("initiative", who="c", total=7)
    assert play.state.order == back


@pytest.mark.parametrize(("dice", "is_asked"), [("engine", False), ("players", True), ("table", True)])
def test_cs_026_a_table_that_throws_its_own_dice_is_asked_for_no_die_but_who_goes_first(dice, is_asked):
    """CS-026: it may flip a coin of its own; the one that is proposed is the program's."""
    play = table(settings={"dice": dice}, a={}, b={"side": "foe"}).do("start")
    play.do("initiative", who="a", total=7).do("initiative", who="b", total=7)
    assert play.asks() == (["tie"] if is_asked else [])
    if is_asked:
        answers = [choice.label for choice in play.state.prompts[0].choices]
        assert answers == ["A", "B", "flip a coin", "alphabetical", "simultaneous"]
        play.do("answer")
    assert play.got("TieResolved").by == "coin"
    assert sorted(play.state.order) == ["a", "b"]


def test_cs_026_a_tie_of_those_whose_dice_the_program_throws_is_not_asked_about():
    """CS-026: where the players throw their own."""
    play = table(settings={"dice": "players"}, a={"side": "foe"}, b={"side": "foe"}, c={}).do("start")
    for who in "abc":
        play.do("initiative", who=who, total=7 if who != "c" else 9)
    assert play.asks() == []
    assert play.state.phase == "declare"


def test_cs_026_a_coin_that_was_typed_is_not_asked_for_again():
    """CS-026: with the command that brings the tie."""
    play = table(settings={"dice": "table"}, a={}, b={}).do("start").do("initiative", who="a", total=7)
    play.do("initiative", who="b", total=7, rolls={"tie.a": [3], "tie.b": [80]})
    assert play.state.order == ("b", "a")


def test_cs_026_the_gm_may_settle_a_tie_in_mid_segment():
    """CS-026."""
    play = table(a={}, b={}, c={}).begin(a=7, b=7, c=9)
    first, second = play.state.order[1:]
    play.do("settle_tie", ids=[second, first])
    assert play.state.order == ("c", second, first)
    assert declarers(play) == ["c", second, first]


G_05 = {"a": ("1", 14), "d": ("2", 11), "c": ("2", 9), "b": ("3", 6)}


@pytest.mark.parametrize(
    ("reading", "passes"),
    [
        ("tiered_passes", {1: "bdca", 2: "bdc", 3: "b"}),
        ("plain_passes", {1: "adcb", 2: "dcb", 3: "b"}),
        ("countdown", {3: "b", 2: "dcb", 1: "adcb"}),
    ],
)
def test_cs_028_cs_029_g_05_a_01_three_readings_of_who_goes_first(reading, passes):
    """CS-028, CS-029, G-05, A-01."""
    play = table(settings={"multi_action_order": reading}, **{who: {"roa": rate} for who, (rate, _) in G_05.items()})
    play.begin(**{who: total for who, (_, total) in G_05.items()})
    for number, order in passes.items():
        assert "".join(resolvers(play, number)) == order
        assert "".join(declarers(play, number)) == order
    kinds = [step.id.split(".")[1] for step in play.state.agenda.steps if step.kind == "resolve"]
    assert list(dict.fromkeys(kinds)) == [str(number) for number in passes]


@pytest.mark.parametrize(("reading", "order"), [("plain_passes", "ab"), ("tiered_passes", "ba")])
def test_a_01_cs_102_the_slow_declare_and_move_on_their_initiative_where_it_alone_counts(reading, order):
    """CS-091, CS-102, CS-232: by the other reading those who are owed an Action come before those who are not."""
    settings = {"multi_action_order": reading, "pulse_movement": True}
    play = table(settings=settings, a={"roa": "1/2"}, b={"side": "foe"}).begin(a=12, b=9)
    assert "".join(declarers(play)) == order
    play.do("plan", who=order[0], feet=30).to("declare", order[1]).do("plan", who=order[1], feet=30).to("pulse")
    moved = [event.who for event in play.do("run_pulses", pulses=1).all("PulseMoved")]
    assert "".join(moved) == order


def test_cs_028_countdown_with_pulses_declares_all_first_and_the_rest_at_their_tier():
    """CS-028."""
    settings = {"multi_action_order": "countdown", "pulse_movement": True}
    play = table(settings=settings, **{who: {"roa": rate} for who, (rate, _) in G_05.items()})
    play.begin(**{who: total for who, (_, total) in G_05.items()})
    ids = [step.id for step in play.state.agenda.steps]
    assert "".join(declarers(play, 3)) == "adcb", "everybody's first Action before Pulse 1"
    assert ids.index("declare.3.b") < ids.index("pulse.1") < ids.index("resolve.3.b")
    assert "".join(declarers(play, 2)) == "b"
    assert "".join(declarers(play, 1)) == "dcb"
    assert sum(step.kind == "pulse" for step in play.state.agenda.steps) == 10


def test_cs_030_the_segment_is_over_when_all_actions_are_taken():
    """CS-030."""
    play = table(a={"roa": "2"}, b={}).begin()
    while play.state.round == 1:
        play.do("advance")
    assert play.heard[-1].type == "StepBegan"
    ended = [one.type for one in play.heard if one.type in ("PassEnded", "SegmentEnded", "SegmentBegan")]
    assert ended == ["SegmentBegan", "PassEnded", "PassEnded", "SegmentEnded", "SegmentBegan"]


def test_cs_032_g_04_pain_lowers_initiative():
    """CS-032, G-04."""
    play = table(a={"mod": {"awa": 2, "hrt": 1}}, b={"side": "foe"}).do("start").do("stun", who="a", penalty=6)
    rolled = play.do("initiative", who="a", d10=8).got("InitiativeRolled")
    assert (rolled.mod, rolled.penalty, rolled.total) == (3, 6, 5)
    assert play.fight.explain("a", "initiative").parts[-1].rule == "CS-032"


# Late arrivals


@pytest.mark.parametrize(("total", "next_up"), [(25, "new"), (29, "new"), (5, "c")])
def test_cs_034_a_57_who_comes_late_rolls_at_once_and_comes_no_earlier_than_next(total, next_up):
    """CS-034, A-57."""
    play = table(a={}, b={}, c={}).begin(a=30, b=20, c=10)
    play.do("advance")
    assert play.state.step.actor == "b"
    play.do("join", name="New", id="new")
    assert play.asks() == ["arrival"]
    play.do("initiative", who="new", total=total)
    play.do("answer", choice="roll") if play.asks() else None
    play.do("advance")
    assert play.state.step.actor == next_up
    assert set(resolvers(play, 1)) == {"a", "b", "c", "new"}


def test_cs_034_the_roll_is_asked_for_and_taken_by_going_on():
    """CS-034."""
    play = table(a={}, b={}).begin(a=30, b=20)
    play.do("join", name="New", id="new", sheet={"mod": {"awa": 3}})
    play.do("answer", rolls={"initiative": [4]})
    assert play.see("new")["init"] == 7
    assert play.asks() == []
    assert play.state.order == ("a", "b", "new")


def test_cs_034_who_has_yet_to_roll_has_no_steps_when_the_others_change_places():
    """CS-034."""
    play = table(a={}, b={}).begin(a=30, b=20)
    play.do("join", name="New", id="new").do("initiative", who="b", total=10)
    assert play.asks() == ["arrival"]
    assert {step.actor for step in play.state.agenda.steps if step.actor} == {"a", "b"}


def test_cs_110_another_rate_counts_from_the_next_segment_on():
    """CS-110."""
    play = table(a={}, b={}).begin()
    play.do("rule", what="roa", who="a", value="2")
    assert play.see("a")["slots"] == 1
    while play.state.round == 1:
        play.do("advance")
    assert play.see("a")["slots"] == 2
    play.refused("CS-007", "rule", what="roa", who="a", value="none")


@pytest.mark.parametrize("odd", ["0", "-1/2", "often", "1/0", "1000000"])
def test_cs_007_no_odd_rate_is_put_there(odd):
    """CS-007."""
    play = table(a={}, b={}).begin()
    play.refused("value", "adjust", who="a", what="roa_ruled", value=odd)
    play.refused("CS-007", "rule", what="roa", who="a", value=odd)
    play.do("declare", who="a", text="climb", qa=8)
    assert play.see("a")["declared"]["due"] == "CS 2"


@pytest.mark.parametrize(("given", "order"), [({"total": 25}, "a new b"), ({"d10": 4}, "a b new")])
def test_cs_034_nothing_is_asked_once_the_number_is_known(given, order):
    """CS-034: the GM's word, or a die from the table, answers the question."""
    play = table(a={}, b={}).begin(a=30, b=20).do("join", name="New", id="new")
    play.do("initiative", who="new", **given)
    assert play.asks() == []
    assert " ".join(play.state.order) == order


def deadly_blow(reading):
    """Two who are alike in all strike at each other, and the first blow is deadly."""
    play = table(
        None, {"initiative_tie": reading}, a={"weapons": [SWORD]}, b={"side": "foe", "weapons": [SWORD], "pres": 9}
    )
    play.do("start").do("initiative", who="a", total=9).do("initiative", who="b", total=9)
    play.do("declare", who="a", target="b").to("declare", "b").do("declare", who="b", target="a").to("resolve", "a")
    return play.do("resolve", who="a", defence="none", hit=True, harm=12).do("answer", choice="failed")


def test_cs_026_who_acts_at_the_same_instant_is_not_stopped_by_it():
    """CS-026: both blows fall; then he is as dead as anybody."""
    play = deadly_blow("simultaneous")
    assert (play.see("b")["life"], play.asks(), play.offers()) == ("dead", [], [])
    assert (play.state.step.kind, play.state.step.actor) == ("resolve", "b")
    play.do("resolve", who="b", defence="none", hit=True, harm=1)
    play.got("Hit", attacker="b", target="a")
    assert play.got("Resolved", who="b").outcome == "hit A"
    while play.state.round == 1:
        play.do("advance")
    assert "declare.1.b" not in [step.id for step in play.to("declare", "a").state.agenda.steps]


def test_cs_111_otherwise_who_is_down_has_nothing_left_to_do():
    """CS-026, CS-111, A-61."""
    play = deadly_blow("alphabetical")
    assert [one.reason for one in play.heard if one.type == "ActionAborted" and one.who == "b"] == ["down"]
    assert play.state.round == 2


def test_cs_026_the_gm_may_say_so_of_two_who_were_told_apart():
    """CS-026: by a ruling in mid-segment."""
    play = table(None, None, a={"weapons": [SWORD]}, b={"side": "foe", "weapons": [SWORD]})
    play.do("start").do("initiative", who="a", total=9).do("initiative", who="b", total=9)
    play.do("tie", ids=["a", "b"], by="simultaneous")
    assert play.state.remembered["at_once"] == (("a", "b"),)
    play.do("tie", ids=["b", "a"])
    assert play.state.remembered["at_once"] == ()


def test_cs_026_who_leaves_leaves_the_others_acting_at_once():
    """CS-026: of three, two are left; of two, nobody."""
    play = table(None, None, a={}, b={"side": "foe"}, c={}).do("start")
    for who in ("a", "b", "c"):
        play.do("initiative", who=who, total=9)
    play.do("tie", ids=["a", "b", "c"], by="simultaneous").do("leave", who="b")
    assert play.state.remembered["at_once"] == (("a", "c"),)
    assert play.do("leave", who="c").state.remembered["at_once"] == ()


def test_cs_111_nobody_is_asked_for_another_target_of_the_blow_that_felled_the_first():
    """CS-111: another attacker of the same foe is."""
    play = table(
        None, None, a={"weapons": [SWORD]}, c={"weapons": [SWORD]}, b={"side": "foe", "weapons": [SWORD], "pres": 9}
    ).begin(a=30, c=20, b=10)
    play.do("declare", who="a", target="b").to("declare", "c").do("declare", who="c", target="b").to("resolve", "a")
    play.do("resolve", who="a", defence="none", hit=True, harm=12)
    assert [prompt.who for prompt in play.state.prompts if prompt.kind == "lost_target"] == ["c"]
    play.do("answer", prompt="check", choice="failed").do("abort", who="c")
    assert "lost_target" not in play.offers()


def several(**settings):
    return table(None, settings, a={}, b={"roa": "3"}, c={"side": "foe", "roa": "2"}).begin(a=15, b=3, c=9)


@pytest.mark.parametrize(
    ("before", "after", "first", "rest"),
    [
        ("tiered_passes", "plain_passes", "b", "a c"),
        ("plain_passes", "tiered_passes", "a", "b c"),
        ("tiered_passes", "countdown", "b", "c a"),  # from the next segment on
        ("countdown", "plain_passes", "b", ""),
    ],
)
def test_a_01_another_reading_orders_what_is_still_to_come(before, after, first, rest):
    """A-01: as a ruling in mid-segment; tiers are counted down, or no longer, from the next one on."""
    play = several(multi_action_order=before)
    assert play.state.step.actor == first
    play.do("configure", setting="multi_action_order", value=after)
    number = int(play.state.step.id.split(".")[1])
    left = [who for who in declarers(play, number) if who != first]
    assert " ".join(left) == rest
    for _ in range(60):
        play.do("advance") if play.state.round == 1 else None
    taken = [one for one in play.heard if one.type == "SlotUsed"]
    assert sorted(one.who for one in taken) == ["a", "b", "b", "b", "c", "c"], "nobody loses more than one at a time"
    play.begin(a=15, b=3, c=9)
    new = {"plain_passes": "a", "tiered_passes": "b", "countdown": "b"}
    assert play.to("declare").state.step.actor == new[after]
    assert play.state.remembered["order_reading"] == ""


@pytest.mark.parametrize(
    ("before", "where", "pulses"), [(False, "declare", 10), (True, "declare", 0), (True, "pulse", 1)]
)
def test_cs_008_pulses_come_or_go_in_mid_segment(before, where, pulses):
    """CS-008: from where the ruling is made."""
    play = several(pulse_movement=before).to(where)
    play.do("configure", setting="pulse_movement", value=not before)
    while "waits.1" not in play.state.step.id:
        play.do("advance")
    assert len([one for one in play.heard if one.type == "PulseTicked"]) == pulses


def test_cs_241_pulses_are_split_in_mid_segment():
    """CS-241, A-25: the reading and the split by rulings."""
    play = several(pulse_movement=True)
    play.do("configure", setting="pulse_scope", value="gm_split").do("rule", what="split", value="5 3 2")
    ids = [step.id for step in play.state.agenda.steps]
    assert ids.index("pulse.6") > ids.index("declare.2.b")
    assert ids.index("pulse.9") > ids.index("declare.3.b")
