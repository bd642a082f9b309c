"""Short and Full Rest between Scenes: ST-34..42, Q-T11."""

from __future__ import annotations

import pytest

from fightcall_engine.kit import phrases

from ..once import played_once
from .table import Play, table

SPENT = {
    "hp": 20, "hp_now": 8, "resolve": 4, "resolve_now": 3, "focus": 6, "focus_now": 2, "mana": 5, "mana_now": 1,
    "dailies": [{"name": "second wind", "max": 2, "left": 0}],
}  # fmt: skip
POOLS = ("hp", "resolve", "focus", "mana", "second wind")


@played_once
def tired(*who: str, **more: object) -> Play:
    people = who or ("lea",)
    return table(*people, sheets=dict.fromkeys(people, SPENT), **more)  # type: ignore[arg-type]


def held(play: Play, who: str = "lea") -> tuple[object, ...]:
    return tuple(play.see(who)[name] for name in POOLS)


def rest_of(play: Play) -> object:
    return play.fight.system.facts(play.state)["rest"]


def rest(play: Play) -> dict[str, object]:
    found = rest_of(play)
    assert isinstance(found, dict)
    return found


# Beginning


@pytest.mark.parametrize(
    ("kind", "given", "rule"),
    [("short", {"minutes": 14}, "ST-36"), ("short", {"minutes": 0}, "ST-36"), ("full", {"minutes": 359}, "ST-40"),
     ("full", {"hours": 5}, "ST-40"), ("full", {"minutes": 15}, "ST-40")],
)  # fmt: skip
def test_a_rest_that_is_too_short(kind, given, rule):
    """ST-36, ST-40: nothing has changed; the GM may insist."""
    play = tired()
    play.refused(rule, "rest", kind=kind, **given)
    play.do("rest", kind=kind, force=True, **given)
    assert play.got("Overridden").rule == rule


@pytest.mark.parametrize(
    ("kind", "given", "minutes"),
    [("short", {}, 15), ("short", {"minutes": 15}, 15), ("short", {"hours": 1}, 60), ("full", {}, 360),
     ("full", {"hours": 6}, 360), ("full", {"hours": 7, "minutes": 30}, 450)],
)  # fmt: skip
def test_a_rest_that_is_long_enough(kind, given, minutes):
    """ST-35, ST-36, ST-40: time passes as it ends."""
    play = tired().do("rest", kind=kind, **given)
    assert rest(play) == {"kind": kind, "minutes": minutes, "participants": ["lea"], "interrupted": False}
    assert (play.see("lea")["resting"], play.state.clock_s) == (kind, 0)
    play.do("complete_rest")
    assert (play.see("lea")["resting"], play.state.clock_s) == ("none", 60 * minutes)
    assert play.fight.system.facts(play.state)["rest"] is None


def test_hours_have_fractions():
    """ST-36, Q-T11; put right 22: of a rest and of the moment when it is cut short."""
    assert rest(tired().do("rest", kind="short", hours=0.5))["minutes"] == 30
    play = tired().do("rest", kind="full", hours=6.5).do("interrupt", hours=1.25)
    assert play.state.clock_s == 75 * 60
    tired().refused("ST-36", "rest", kind="short", hours=0.1)
    tired().refused("minutes", "rest", kind="short", hours=1e6)


def test_there_are_two_kinds():
    """ST-35."""
    assert tired().refused("ST-35", "rest", kind="nap").accepts == ("short", "full")


@pytest.mark.parametrize(("name", "rule"), [("short_rest", "ST-36"), ("full_rest", "ST-40")])
def test_rests_belong_between_scenes(name, rule):
    """ST-36, ST-40: neither under Initiative nor in free order, nor within another rest."""
    play = tired("lea", "w2").do("open_scene", mode="initiative")
    assert play.refused(rule, name).accepts == ("close_scene",)
    play.do("initiative").refused(rule, name)
    play.do("set_mode", mode="free").refused(rule, name)
    play.do("close_scene", elapsed="1 min").do("answer", choice="waive").do(name)
    assert play.refused(rule, name).accepts == ("complete_rest", "interrupt")
    play.refused("ST-36", "open_scene", mode="free")


def test_a_rest_that_the_gm_insists_on_closes_the_scene_first():
    """ST-01, ST-36: so that it is between Scenes; nobody delays in it."""
    play = table("lea", "w2").roll().do("delay", who="lea").do("short_rest", force=True)
    assert play.names().index("SceneEnded") < play.names().index("RestBegan")
    assert play.fight.system.facts(play.state)["delaying"] == []
    play.do("complete_rest").do("open_scene", mode="initiative")


def test_who_rests():
    """ST-39: all but foes and guards, or those who are named."""
    people = ("lea", "pip", "w2")
    assert rest(tired(*people).do("short_rest"))["participants"] == ["lea", "pip"]
    assert rest(tired(*people).do("short_rest", guards=["pip"]))["participants"] == ["lea"]
    assert rest(tired(*people).do("short_rest", resters=["w2", "pip"]))["participants"] == ["pip", "w2"]
    assert rest(tired("w1", "w2").do("short_rest"))["participants"] == ["w1", "w2"]
    no = tired(*people).refused("ST-36", "short_rest", guards=["lea", "pip"])
    assert no.accepts == ("fewer guards",)
    tired(*people).refused("who", "short_rest", guards=["nobody"])


# A Short Rest


def test_a_short_rest_brings_back_focus_and_nothing_else():
    """ST-39: at its end, all of it."""
    play = tired().do("short_rest")
    assert held(play) == (8, 3, 2, 1, 0)
    play.do("complete_rest")
    assert held(play) == (8, 3, 6, 1, 0)
    assert play.got("FocusRecovered").before == 2


def test_focus_spent_in_the_rest_comes_back_at_its_end():
    """ST-39: all that has been spent so far."""
    play = tired().do("short_rest").do("spend", who="lea", pool="focus", amount=2)
    assert play.see("lea")["focus"] == 0
    assert play.do("complete_rest").see("lea")["focus"] == 6


def test_only_those_who_rested_get_focus_back():
    """ST-39: no guard, no foe, nobody who came while it lasted."""
    play = tired("lea", "pip", "w2").do("short_rest", guards=["pip"])
    play.do("join", name="Newt", id="newt", side="party", sheet={"focus": 3, "focus_now": 0}).do("complete_rest")
    assert [play.see(who)["focus"] for who in ("lea", "pip", "w2", "newt")] == [6, 2, 2, 0]


def test_things_are_done_in_a_rest():
    """ST-37: an open list."""
    play = tired().do("short_rest").do("activity", who="lea", what="loots the bodies")
    assert play.got("RestActivity").what == "loots the bodies"
    play.refused("ST-37", "activity", who="lea")
    play.do("activity", who="lea", what="identifies a ring").do("complete_rest")
    play.refused("ST-37", "activity", who="lea", what="loots")


@pytest.mark.parametrize(("spend", "each", "hp"), [(1, 5, 13), (2, 5, 18), (3, 5, 20), (3, 0, 8), (1, 99, 20)])
def test_resolve_for_hit_points(spend, each, hp):
    """ST-38: what the GM gives for each, up to the maximum."""
    play = tired().do("short_rest").do("activity", who="lea", spend=spend, hp_each=each)
    assert held(play)[:2] == (hp, 3 - spend)


def test_no_more_resolve_than_one_has():
    """ST-38."""
    play = tired().do("short_rest")
    assert play.refused("ST-38", "activity", who="lea", spend=4, hp_each=5).accepts == ("at most 3",)
    play.refused("ST-38", "activity", who="lea", spend=-1, hp_each=5)
    play.do("activity", who="lea", spend=3, hp_each=1)
    play.refused("ST-38", "activity", who="lea", spend=1, hp_each=5)


def test_the_gm_must_say_how_many_hit_points():
    """ST-38: no number is proposed until one has been given; then that."""
    play = tired().do("short_rest").do("activity", who="lea", spend=1)
    assert (play.asks(), play.prompt("hp_per_resolve").default) == (["hp_per_resolve"], "")
    play.refused("ST-38", "advance")
    play.do("answer", amount=4)
    assert held(play)[:2] == (12, 2)
    play.do("activity", who="lea", spend=1)
    assert play.prompt("hp_per_resolve").default == "last"
    play.do("advance")
    assert held(play)[:2] == (16, 1)


def test_hit_points_for_resolve_may_be_thrown():
    """ST-38: once for each."""
    play = tired().do("short_rest").do("activity", who="lea", spend=2)
    play.do("answer", amount="d6+1", rolls={"resolve": [2, 4]})
    assert held(play)[:2] == (16, 1)


def test_by_the_gms_word_hit_points_come_back_though_no_resolve_is_counted():
    """ST-38."""
    play = table("lea", sheets={"lea": {"hp": 20, "hp_now": 8}}).do("short_rest")
    play.do("activity", who="lea", spend=2, hp_each=5, force=True)
    assert play.see("lea")["hp"] == 18


def test_resolve_is_for_those_who_rest_and_only_in_a_short_rest():
    """ST-38."""
    play = tired("lea", "pip").do("short_rest", guards=["pip"])
    play.refused("ST-38", "activity", who="pip", spend=1, hp_each=5)
    play.do("complete_rest").do("full_rest")
    play.refused("ST-38", "activity", who="lea", spend=1, hp_each=5)
    play.do("activity", who="lea", what="keeps watch for an hour")


def test_resolve_may_bring_back_who_is_down():
    """ST-38: hit points again, and able again."""
    play = tired().do("damage", who="lea", amount=8)
    assert play.see("lea")["able"] is False
    play.do("short_rest").do("activity", who="lea", spend=1, hp_each=2)
    assert (play.see("lea")["able"], held(play)[:2]) == (True, (2, 2))


# A Full Rest


def test_a_full_rest_brings_back_everything():
    """ST-41, ST-42: of all who rested, at its end."""
    play = tired("lea", "pip").do("full_rest", guards=["pip"])
    assert held(play) == (8, 3, 2, 1, 0)
    play.do("complete_rest")
    assert held(play) == (20, 4, 6, 5, 2)
    assert [one.pool for one in play.all("PoolsRestored")] == ["hp", "resolve", "focus", "mana"]
    assert [one.pool for one in play.all("DailiesRestored")] == ["daily:second wind"]
    assert held(play, "pip") == (8, 3, 2, 1, 0)


def test_a_full_rest_leaves_actions_to_the_turns():
    """ST-07, ST-41: what is not a reserve is not restored."""
    play = table("lea", "w2").roll().do("react", who="lea").do("take", who="lea").do("act", who="lea", actions=2)
    play.do("close_scene").do("full_rest").do("complete_rest")
    assert (play.see("lea")["actions_left"], play.see("lea")["reactions_left"]) == (1, 3)


def test_who_needs_no_sleep_rests_as_well():
    """ST-40: meditating, and shown so."""
    play = table("lea", "pip", sheets={"lea": {**SPENT, "sleepless": True}, "pip": SPENT})
    before = play.state
    play.do("full_rest")
    told = phrases.phrase(play.fight.system, play.got("RestBegan"), before)
    assert told is not None
    assert told.text == "Full Rest, 6 h: Lea, Pip (Lea: meditating)"
    assert any("Meditating instead of sleeping: Lea" in text for text in play.fight.system.reminders(play.state))
    play.do("complete_rest")
    assert held(play) == held(play, "pip") == (20, 4, 6, 5, 2)
    assert play.see("lea")["sleepless"] is True


@pytest.mark.parametrize(("name", "sleepless"), [("short_rest", True), ("full_rest", False)])
def test_nobody_is_said_to_meditate_who_would_not_have_slept(name, sleepless):
    """ST-40: in a Short Rest, or who sleeps like everybody."""
    play = table("lea", "pip", sheets={"lea": {**SPENT, "sleepless": sleepless}, "pip": SPENT})
    before = play.state
    play.do(name)
    words = phrases.phrase(play.fight.system, play.got("RestBegan"), before)
    assert words is not None
    assert words.text.endswith("Lea, Pip")


def test_a_full_rest_raises_the_fallen():
    """ST-41."""
    play = tired().do("damage", who="lea", amount=8).do("full_rest").do("complete_rest")
    assert (play.see("lea")["able"], play.see("lea")["hp"]) == (True, 20)


def test_effects_last_through_a_rest():
    """ST-26: nothing in the text ends them."""
    play = tired().do("poison", who="lea", amount=2).do("full_rest").do("complete_rest")
    assert play.see("lea")["effects"] == ["poison"]
    assert play.see("lea")["hp"] == 20


def test_what_is_not_there_is_not_restored():
    """ST-41: a sheet without Focus or Mana."""
    play = table("lea").do("damage", who="lea", amount=4).do("full_rest").do("complete_rest")
    assert [one.pool for one in play.all("PoolsRestored")] == ["hp"]


# Cut short


@pytest.mark.parametrize(("minutes", "asked"), [(0, False), (14, False), (15, True), (300, True)])
def test_a_rest_cut_short_brings_nothing_by_itself(minutes, asked):
    """Q-T11: from 15 minutes on the GM may count it as Short."""
    play = tired().do("full_rest").do("interrupt", minutes=minutes, reason="wolves")
    cut = play.got("RestInterrupted")
    assert (cut.minutes, cut.reason, play.state.clock_s) == (minutes, "wolves", 60 * minutes)
    assert (play.asks() == ["broken"]) is asked
    if asked:
        play.do("advance")
    assert held(play) == (8, 3, 2, 1, 0)
    assert play.see("lea")["resting"] == "none"


def test_a_full_rest_cut_short_may_count_as_a_short_one():
    """Q-T11, ST-39: Focus, for those who rested."""
    play = tired("lea", "pip").do("full_rest", guards=["pip"]).do("interrupt", hours=5)
    play.do("answer", choice="short")
    assert (held(play), held(play, "pip")) == ((8, 3, 6, 1, 0), (8, 3, 2, 1, 0))


@pytest.mark.parametrize(("minutes", "proposed"), [(359, "nothing"), (360, "full"), (420, "full")])
def test_a_full_rest_cut_short_after_six_hours_is_proposed_as_full(minutes, proposed):
    """ST-40, L37: six hours without a break are a Full Rest, however long it was to be."""
    play = tired("lea", "pip").do("rest", kind="full", hours=8).do("interrupt", minutes=minutes)
    assert play.prompt("broken").default == proposed
    play.do("advance")
    assert held(play) == held(play, "pip") == ((20, 4, 6, 5, 2) if proposed == "full" else (8, 3, 2, 1, 0))


@pytest.mark.parametrize(("choice", "after"), [("nothing", (8, 3, 2, 1, 0)), ("short", (8, 3, 6, 1, 0))])
def test_the_gm_may_count_six_hours_as_less(choice, after):
    """ST-40, Q-T11."""
    play = tired().do("rest", kind="full", hours=8).do("interrupt", hours=7).do("answer", choice=choice)
    assert held(play) == after


def test_hours_awake_begin_anew_after_a_broken_rest_that_counts_as_full():
    """ST-34, ST-40."""
    play = tired().do("rule", what="awake", value=20).do("rest", kind="full", hours=8).do("interrupt", hours=6)
    play.do("advance").do("open_scene", mode="free")
    assert not play.all("ReminderRaised")


def test_no_hours_awake_are_counted_after_a_full_rest():
    """ST-34: the trail of a rest names them only where somebody has been awake."""
    play = tired().do("rule", what="awake", value=20)
    assert "awake" in {part.label for part in play.fight.explain("lea", "rest").parts}
    play.do("full_rest").do("complete_rest")
    assert "awake" not in {part.label for part in play.fight.explain("lea", "rest").parts}


@pytest.mark.parametrize("setting", ["nothing", "short"])
def test_a_short_rest_cut_short_after_fifteen_minutes_is_proposed_as_short(setting):
    """ST-36, ST-39: that is how long one takes."""
    play = tired(settings={"rest_broken": setting}).do("rest", kind="short", minutes=60).do("interrupt", minutes=20)
    assert play.prompt("broken").default == "short"
    play.do("advance")
    assert held(play) == (8, 3, 6, 1, 0)


# One of several breaks off


def test_one_breaks_off_and_the_others_rest_on():
    """ST-40, Q-T11: nothing for who got up early, everything for who slept; the time passes once."""
    play = tired("lea", "pip").do("full_rest").do("interrupt", who="pip", hours=3, reason="a noise")
    gone = play.got("RestLeft", who="pip")
    assert (gone.minutes, gone.reason, play.see("pip")["resting"]) == (180, "a noise", "none")
    assert (rest(play)["participants"], play.asks(), play.state.clock_s) == (["lea"], ["broken"], 0)
    play.do("answer", choice="nothing").do("complete_rest")
    assert (held(play), held(play, "pip"), play.state.clock_s) == ((20, 4, 6, 5, 2), (8, 3, 2, 1, 0), 6 * 3600)


def test_who_breaks_off_after_six_hours_has_had_a_full_rest():
    """ST-40, L37: proposed, and for that one alone until the others are done."""
    play = tired("lea", "pip").do("rest", kind="full", hours=9).do("interrupt", who="pip", hours=6)
    assert play.prompt("broken").default == "full"
    play.do("advance")
    assert (held(play), held(play, "pip")) == ((8, 3, 2, 1, 0), (20, 4, 6, 5, 2))
    play.do("interrupt", hours=7).do("advance")
    assert held(play) == (20, 4, 6, 5, 2)


def test_who_breaks_off_before_fifteen_minutes_is_not_asked_about():
    """Q-T11."""
    play = tired("lea", "pip").do("short_rest").do("interrupt", who="pip", minutes=10)
    assert not play.asks()
    play.do("complete_rest")
    assert (play.see("lea")["focus"], play.see("pip")["focus"]) == (6, 2)


def test_the_last_who_breaks_off_ends_the_rest():
    """Q-T11."""
    play = tired("lea", "pip").do("short_rest").do("interrupt", who="pip", minutes=5)
    play.refused("ST-35", "interrupt", who="pip", minutes=6)
    play.do("interrupt", who="lea", minutes=10)
    play.got("RestInterrupted")
    assert rest_of(play) is None
    assert play.state.clock_s == 600


def test_breaking_off_is_offered_to_those_who_rest():
    """Q-T11."""
    play = tired("lea", "pip", "w2").do("short_rest", guards=["pip"])
    assert play.option("lea", "break-off").legal
    assert not play.option("pip", "break-off").legal


def test_a_rest_is_not_cut_short_after_its_end():
    """Q-T11."""
    play = tired().do("short_rest")
    play.refused("minutes", "interrupt", minutes=16)
    play.refused("minutes", "interrupt", minutes=-1)
    play.do("interrupt", minutes=15).do("advance")
    for name in ("complete_rest", "interrupt"):
        play.refused("ST-35", name)


def test_what_was_spent_before_the_break_is_spent():
    """ST-38, Q-T11."""
    play = tired().do("short_rest").do("activity", who="lea", spend=1, hp_each=5).do("interrupt", minutes=10)
    assert held(play) == (13, 2, 2, 1, 0)


def test_wolves_in_the_night():
    """ST-11, ST-40: a Scene can open at once when the rest is broken; a new rest begins at nothing."""
    play = tired("lea", "w2").do("full_rest").do("interrupt", hours=3).do("answer", choice="nothing").roll()
    assert play.offered() == "lea"
    play.do("close_scene").do("full_rest").do("complete_rest")
    assert held(play) == (20, 4, 6, 5, 2)
    assert play.state.clock_s == 3 * 3600 + 6 * 3600


def test_the_gm_opens_a_scene_in_the_middle_of_a_rest():
    """ST-36, Q-T11: by a ruling; nothing comes of the rest."""
    play = tired("lea", "w2").do("full_rest").do("open_scene", mode="initiative", force=True)
    assert play.see("lea")["resting"] == "none"
    assert play.fight.system.facts(play.state)["rest"] is None
    assert held(play) == (8, 3, 2, 1, 0)


def test_who_leaves_in_a_rest_and_when_all_do():
    """ST-39."""
    play = tired("lea", "pip").do("short_rest").do("leave", who="lea")
    assert rest(play)["participants"] == ["pip"]
    play.do("complete_rest")
    assert play.see("pip")["focus"] == 6
    play.do("short_rest").do("leave", who="pip").do("complete_rest")
    play.refused("ST-36", "short_rest")


def test_what_a_broken_rest_counts_as_is_not_asked_of_who_has_left():
    """Q-T11: the question goes with the last of those it is about."""
    play = tired("lea", "pip").do("full_rest", hours=8).do("interrupt", hours=7).do("leave", who="lea")
    assert play.asks() == ["broken"]
    play.do("leave", who="pip")
    assert not play.asks()


@pytest.mark.parametrize("count", [{"cur": 3, "max": 9}, {"now": 3, "max": 9}, {"cur": 3, "now": 4, "max": 9}])
def test_hit_points_on_a_sheet_may_say_what_is_left_of_them(count):
    """ST-30: in one entry, by either name."""
    play = table("lea", sheets={"lea": {"hp": count}})
    pool = play.state.combatants["lea"].pools["hp"]
    assert (pool.now, pool.max) == (3, 9)


def test_a_hidden_stranger_does_not_rest_with_the_party():
    """ST-35: who of the party hides rests with it."""
    play = tired("lea")
    play.do("join", name="Pip", id="pip", side="party", hidden=True)
    play.do("join", name="Guide", id="guide", side="other")
    play.do("join", name="Thing", id="thing", side="other", hidden=True)
    play.do("short_rest")
    assert rest(play)["participants"] == ["lea", "pip", "guide"]
