"""Scenes, free order, and going over to Initiative and back: ST-01, ST-02, ST-09..12, ST-34."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table


@played_once
def free(*who: str, **more: object) -> Play:
    return table(*who, **more).do("open_scene", name="The inn", mode="free")  # type: ignore[arg-type]


def facts(play: Play) -> dict[str, object]:
    return dict(play.fight.system.facts(play.state))


# Opening and closing


def test_a_scene_has_a_name_and_one_is_open_at_a_time():
    """ST-01."""
    play = free("lea", "pip")
    assert facts(play)["scene"] == {"name": "The inn", "mode": "free", "open": True}
    play.refused("ST-01", "open_scene", name="The cellar")
    play.do("open_scene", name="The cellar", mode="free", force=True)
    assert play.names().index("SceneEnded") < play.names().index("SceneBegan")
    assert facts(play)["scene"] == {"name": "The cellar", "mode": "free", "open": True}


def test_nothing_can_be_closed_or_switched_where_no_scene_is_open():
    """ST-01."""
    play = table("lea")
    assert play.refused("ST-01", "close_scene").accepts == ("open_scene",)
    play.refused("ST-01", "set_mode", mode="initiative")
    play.do("full_rest").do("complete_rest")
    play.refused("ST-01", "close_scene")


def test_the_fight_cannot_be_closed_before_a_scene_was_opened():
    """ST-01."""
    play = table("lea", "w2")
    assert play.refused("ST-01", "close").accepts == ("open_scene",)
    assert play.state.status == "setup"


@pytest.mark.parametrize("mode", ["free", "initiative"])
def test_a_fight_that_is_closed_ends_the_scene_that_runs(mode):
    """ST-01, ST-10: without a question about who had no chance to act."""
    play = table("lea", "w2").do("open_scene", name="The inn", mode=mode).do("close", reason="all fled")
    over = play.got("SceneEnded", name="The inn", reason="all fled")
    assert over.elapsed_s is None
    assert play.got("FightClosed").reason == "all fled"
    assert (play.state.status, play.asks()) == ("closed", [])


def test_a_fight_between_scenes_is_closed_without_another_end_of_one():
    """ST-01."""
    play = table("lea", "w2").roll().turns("lea", "w2").do("close_scene").do("close")
    assert play.names() == ["FightClosed"]
    assert play.got("FightClosed").reason == "ended"


@pytest.mark.parametrize(
    ("elapsed", "seconds"),
    [("90", 5400), ("45 s", 45), ("20 min", 1200), ("20m", 1200), ("3 h", 10_800), ("2 days", 172_800),
     ("1 w", 604_800), ("3 months", 7_776_000), ("5 years", 157_680_000),
     ("1.5 hours", 5400), ("0.5 h", 1800), ("1 hour 30 min", 5400), ("1h30m", 5400),
     ("2 days, 3 h and 10 min", 184_200), ("1 hour and 30 seconds", 3630), ("1.5", 90)],
)  # fmt: skip
def test_a_free_scene_lasts_as_long_as_the_gm_says(elapsed, seconds):
    """ST-02; put right 22: minutes, days, months or years, with a fraction or in several parts."""
    play = free("lea").do("act", who="lea").do("close_scene", elapsed=elapsed)
    assert play.got("SceneEnded").elapsed_s == seconds
    assert play.state.clock_s == seconds
    assert (facts(play)["clock_min_s"], facts(play)["clock_max_s"]) == (seconds, seconds)


def test_how_long_a_free_scene_was_is_asked():
    """ST-02: nothing said is nothing counted."""
    play = free("lea").do("act", who="lea").do("close_scene")
    assert (play.asks(), play.prompt("elapsed").rule) == (["elapsed"], "ST-02")
    play.do("answer", choice="2 h")
    assert play.state.clock_s == 7200
    play = free("lea").do("act", who="lea").do("close_scene").do("advance")
    assert play.got("SceneEnded").elapsed_s is None
    assert play.state.clock_s == 0


@pytest.mark.parametrize("said", ["soon", "2 parsecs", "h", "-3 min", "1 hour 30", "1.h", ", 1 h", "1 h 2 parsecs"])
def test_what_is_no_time_is_refused_before_anything_happens(said):
    """ST-02."""
    play = free("lea").do("act", who="lea")
    no = play.refused("ST-02", "close_scene", elapsed=said)
    assert "20 min" in no.accepts
    play.do("close_scene")
    play.refused("ST-02", "answer", choice=said)


def test_a_scene_in_rounds_counts_its_own_time():
    """ST-02, ST-08: nobody is asked how long it was."""
    play = table("lea", "w2").roll().turns("lea", "w2").do("close_scene")
    assert not play.asks()
    assert (facts(play)["clock_min_s"], facts(play)["clock_max_s"]) == (30, 60)
    assert facts(play)["scene"] == {"name": "", "mode": None, "open": False}


# Free order


def test_nobody_acts_or_delays_any_more_when_the_scene_is_over():
    """ST-12, ST-17: the order is that of the Scene, and so is who has put a turn off."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("take", who="pip").do("close_scene")
    assert [play.see(who)["turn_state"] for who in ("lea", "pip", "w2")] == ["waiting"] * 3
    assert play.fight.system.facts(play.state)["delaying"] == []


def test_in_free_order_anybody_goes_at_any_time_and_again():
    """ST-09: there is no order, and no turn that a first one uses up."""
    play = free("lea", "pip", "w2")
    play.do("act", who="w2", what="grumbles").do("take", who="lea").do("act", who="w2")
    assert [one.type for one in play.heard].count("TurnTaken") == 3
    assert play.see("w2")["actions_left"] == 0, "Actions are counted in turns only"
    play.refused("ST-12", "delay", who="lea")
    play.refused("ST-12", "end_turn", who="lea")
    play.refused("ST-12", "react", who="lea")
    play.do("free", who="lea", what="nods")


def test_who_has_had_no_chance_is_shown_until_everybody_has():
    """ST-10."""
    play = free("lea", "pip", "ron")
    assert facts(play)["waiting"] == ["lea", "pip", "ron"]
    play.do("act", who="pip").do("waive", who="ron")
    assert facts(play)["waiting"] == ["lea"]
    assert not play.all("EveryoneHadAChance")
    play.do("act", who="lea")
    assert play.got("EveryoneHadAChance")
    play.do("act", who="lea")
    assert not play.all("EveryoneHadAChance"), "said once"


def test_the_last_to_waive_completes_it_too():
    """ST-10."""
    play = free("lea", "pip").do("act", who="pip").do("waive", who="lea")
    assert facts(play)["waiting"] == []
    assert play.got("EveryoneHadAChance")
    play.refused("ST-10", "waive", who="lea")


def test_who_is_down_or_gone_is_not_left_out():
    """ST-10: an opportunity that nobody could take."""
    play = free("lea", "pip", "ron").do("act", who="lea")
    play.do("damage", who="pip", amount=10).do("leave", who="ron")
    assert facts(play)["waiting"] == []
    play.do("close_scene", elapsed="5 min")
    assert not play.all("ReminderRaised")


def test_who_comes_into_a_free_scene_has_a_chance_to_come():
    """ST-10."""
    play = free("lea").do("act", who="lea").do("join", name="Newt", id="newt")
    assert facts(play)["waiting"] == ["newt"]
    assert not play.asks()


def test_closing_waits_for_who_was_left_out():
    """ST-10: by default the Scene goes on."""
    play = free("lea", "pip", "ron").do("act", who="lea").do("close_scene", elapsed="1 h")
    assert play.got("ReminderRaised").left_out == ("pip", "ron")
    play.do("advance")
    assert facts(play)["mode"] == "free"
    assert facts(play)["waiting"] == ["pip", "ron"]
    play.do("close_scene", elapsed="1 h").do("answer", choice="waive")
    assert play.got("SceneEnded").elapsed_s == 3600


def test_the_gm_may_waive_a_chance_beforehand():
    """ST-10: recorded."""
    play = free("lea", "pip", "ron").do("act", who="lea")
    play.do("rule", what="chance", who="ron")
    assert facts(play)["waiting"] == ["pip"]
    play.do("rule", what="chance")
    assert play.got("RulingRecorded", rule="ST-10", choice="waived")
    play.do("close_scene", elapsed="1 h")
    assert not play.asks()


def test_stepping_on_in_free_order_asks_how_it_goes_on():
    """ST-10, ST-11."""
    play = free("lea", "pip").do("act", who="lea").do("advance")
    assert play.got("ReminderRaised").left_out == ("pip",)
    assert [one.id for one in play.prompt("mode").choices] == ["free", "initiative", "close"]
    play.do("answer", choice="free")
    assert facts(play)["waiting"] == ["pip"], "what was done is not forgotten"
    play.do("advance").do("answer", choice="close")
    assert play.asks() == ["left_out"]


# Going over


def test_going_over_to_initiative_asks_everybody_and_is_a_ruling():
    """ST-11, ST-12: foes one by one too."""
    play = free().do("act", who="lea").do("set_mode", mode="initiative", reason="goblins burst in")
    record = play.got("RulingRecorded", rule="ST-11")
    assert (record.choice, record.note) == ("initiative", "goblins burst in")
    assert {one.who for one in play.all("InitiativeAsked")} == set(play.state.combatants)
    assert facts(play)["waiting"] == list(play.state.order)
    play.refused("ST-11", "set_mode", mode="initiative")
    assert play.refused("ST-11", "set_mode", mode="waltz").accepts == ("free", "initiative")


def test_going_back_in_mid_round_and_over_again():
    """ST-09, ST-11, ST-12: whatever ran is dropped, everybody rolls anew, the round in between never closed."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea")
    play.do("take", who="pip").do("act", who="pip").do("set_mode", mode="free")
    assert not play.state.prompts
    assert facts(play)["delaying"] == []
    assert play.see("pip")["turn_state"] == play.see("lea")["turn_state"] == "waiting"
    play.do("act", who="w2")
    play.do("set_mode", mode="initiative")
    assert [play.see(who)["init_roll"] for who in ("lea", "pip", "w2")] == [None, None, None]
    play.do("initiative", rolls={"lea": [2], "pip": [9], "w2": [20]})
    assert play.state.order == ("w2", "pip", "lea")
    assert play.offered() == "w2"
    assert play.state.clock_s == 0
    assert not [one for one in play.heard if one.type == "RoundEnded"]


def test_reactions_are_full_again_when_initiative_begins():
    """Q-T3."""
    play = table("lea", "w2").roll().do("react", who="w2").do("react", who="w2")
    play.do("set_mode", mode="free").do("set_mode", mode="initiative")
    assert play.see("w2")["reactions_left"] == 3


def test_a_mode_is_not_changed_over_an_open_question():
    """ST-24: first the cost of the ward."""
    play = table("lea", "w2", sheets={"lea": {"mana": 3}}).do("affect", who="lea", name="ward", upkeep=1)
    play.roll().do("take", who="lea")
    play.refused("ST-24", "set_mode", mode="free")
    play.do("set_mode", mode="free", force=True)
    assert not play.state.prompts
    assert [effect.name for effect in play.one("lea").effects] == ["ward"]


def test_a_second_scene_counts_its_rounds_from_one():
    """ST-06."""
    play = table("lea", "w2").roll().turns("lea", "w2", "lea").do("close_scene").roll()
    assert play.got("RoundBegan", number=1)
    assert play.state.round == 1
    assert facts(play)["clock_min_s"] == 30


# Tiredness


@pytest.mark.parametrize(("hours", "told"), [(15, False), (16, True), (20, True)])
def test_long_awake_is_called_to_mind_and_changes_no_number(hours, told):
    """ST-34."""
    play = table("lea", sheets={"lea": {"focus": 4}}).do("rule", what="awake", value=hours)
    pools = play.one("lea").pools
    play.do("open_scene", mode="free")
    assert bool(play.all("ReminderRaised")) is told
    assert play.one("lea").pools == pools


def test_a_full_rest_ends_it_and_a_short_one_does_not():
    """ST-34."""
    play = table("lea").do("rule", what="awake", value=20).do("short_rest").do("complete_rest")
    play.do("open_scene", mode="free")
    assert play.got("ReminderRaised").text == "awake for 20 h: time to rest"
    play.do("act", who="lea").do("close_scene", elapsed="none").do("full_rest").do("complete_rest")
    play.do("open_scene", mode="free")
    assert not play.all("ReminderRaised")


@pytest.mark.parametrize(
    ("people", "more"), [(("lea", "pip", "ron", "a1"), ""), (("lea", "pip", "ron", "a1", "w1"), " and 1 more")]
)
def test_at_most_four_are_named_where_the_sheets_give_no_actions(people, more):
    """Q-T1: the rest are counted."""
    play = table(*people, sheets={who: {"actions": None} for who in people}).do("open_scene", mode="initiative")
    assert play.prompt("actions").question.startswith(f"How many Actions per turn for Lea, Pip, Ron, A1{more}?")


@pytest.mark.parametrize(("who", "named"), [({"who": "ron"}, ["Ron"]), ({}, ["Lea", "Ron"])])
def test_the_log_names_whose_chance_was_waived(who, named):
    """ST-10: one, or all who have had none."""
    play = table("lea", "ron").do("open_scene", mode="free").do("rule", what="chance", **who)
    assert [name for name in ("Lea", "Ron", "nobody") if name in play.got("RulingRecorded").question] == named
    play.do("rule", what="chance").do("rule", what="chance")
    assert "nobody" in play.got("RulingRecorded").question


def goes_on(*who, **settings):
    """Free order with these people, where everybody has had a turn, and the GM goes on."""
    play = table(*who, settings=settings).do("open_scene", mode="free")
    for one in who:
        play.do("act", who=one)
    return play.do("advance").prompt("mode")


def test_going_on_leads_out_of_free_order_where_a_fight_is_near():
    """ST-11, L10; put right 23: if the party faces foes the proposal is Initiative, else free order goes on."""
    assert goes_on("lea", "w2").default == "initiative"
    assert goes_on("lea", "pip").default == "free"
    assert goes_on("lea", "w2", scene_mode="free").default == "free"
    down = table("lea", "w2").do("open_scene", mode="free").do("damage", who="w2", amount=10).do("advance")
    assert down.prompt("mode").default == "free"


def test_going_on_alone_comes_to_the_first_round():
    """ST-06; put right 23: `advance`, and nothing else, opens the Scene, has Initiative rolled and begins Round 1."""
    play = table("lea", "w2")
    for _ in range(6):
        play.do("advance")
    assert play.state.round == 1


def test_the_answers_on_the_mode_have_the_keys_of_the_options():
    """ST-11; put right 23: one key rolls Initiative, another closes the Scene, whether the question is open or left."""
    play = table("lea", "w2").do("open_scene", mode="free").do("advance")
    keys = {option.action: option.key for option in play.fight.options("lea")}
    answers = {choice.id: choice.key for choice in play.prompt("mode").choices}
    assert answers["initiative"] == keys["mode-initiative"]
    assert answers["close"] == keys["close-scene"]


def test_the_question_how_the_scene_goes_on_names_nobody_who_has_left():
    """ST-10, ST-11; put right 4: found by random play on zones."""
    play = free("lea", "pip", "ron").do("act", who="lea").do("advance")
    question = "Continue the Scene?"
    assert [prompt.question for prompt in play.state.prompts] == [f"{question} No chance to act yet: Pip and Ron."]
    play.do("leave", who="ron")
    assert [prompt.question for prompt in play.state.prompts] == [f"{question} No chance to act yet: Pip."]
    play.do("leave", who="pip")
    assert [prompt.question for prompt in play.state.prompts] == [f"{question} Everyone has had a turn."]
