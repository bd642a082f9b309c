"""The timeline: a lane for each combatant along the agenda, the same for all systems, recounted from the raw events."""

import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.events import DamageApplied, Downed, EffectBegan, Healed, Moved, Returned, StepSkipped
from fightcall_engine.model.fold import evolve
from fightcall_engine.play.chart import end_words
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes
from fightcall_engine.testkit.random_player import RandomPlayer
from rules.shipped import FEW, FILES

JOURNALS = sorted((Path(__file__).parent / "data" / "journals-0.2").glob("*.jsonl"))
ENCOUNTERS = (*FEW, *FILES)


def go_on(fight, most=200):
    """The next step, questions answered as proposed; false where there is none."""
    asked = next((prompt for prompt in fight.state.prompts if prompt.blocking), None)
    try:
        if asked is not None:
            fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
        else:
            fight.give("advance")
    except FightCallError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_what_was_done_and_suffered_is_what_the_events_say(encounter):
    player = RandomPlayer(encounter, 3)
    player.play(80, is_checked=False)
    chart = Lanes(player.fight, for_gm=True).chart()
    events = [event for entry in player.fight.line.entries for event in entry.events]
    acts = [act for column in chart.columns for act in column.acts]
    told = Counter((act.who, act.kind, act.amount) for act in acts if act.kind in ("hurt", "heals", "moves", "down"))
    raw = Counter()
    for event in events:
        for kind, found, amount in (
            ("hurt", DamageApplied, "amount"),
            ("heals", Healed, "amount"),
            ("moves", Moved, "hexes"),
            ("down", Downed, ""),
        ):
            if isinstance(event, found):
                raw[event.who, kind, getattr(event, amount, 0)] += 1
    assert told == raw
    begun = sum(isinstance(event, EffectBegan) for event in events)
    begun += sum(len(event.combatant.effects) for event in events if isinstance(event, Returned))
    assert len(chart.spans) == begun + sum(len(one.effects) for one in player.fight.line.seek(0).combatants.values())
    lasting = {(one.id, effect.name) for one in player.state.combatants.values() for effect in one.effects}
    assert {(span.who, span.name) for span in chart.spans if span.last is None} == lasting
    assert {lane.figure.id for lane in chart.lanes if lane.here} == set(player.state.order)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_each_column_is_a_stretch_of_the_agenda_in_its_order(path):
    fight = Fight.watch(path)
    chart = Lanes(fight, for_gm=True).chart()
    assert [column.round for column in chart.columns] == sorted(column.round for column in chart.columns)
    entries = [column.entry for column in chart.columns]
    assert entries == sorted(entries)
    state, steps = fight.line.seek(0), []
    for event in fight.line.events():
        before, state = state, evolve(state, event)
        if state.step is not None and state.step != before.step and not isinstance(event, StepSkipped):
            steps.append((state.round, state.step.actor or state.step.id))
    merged = [step for place, step in enumerate(steps) if not place or step != steps[place - 1]]
    known = [(column.round, column.actor) for column in chart.columns if column.actor]
    assert known == [step for step in merged if step[1] in state.combatants]


@pytest.mark.slow
@pytest.mark.parametrize("for_gm", [True, False])
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_timeline_kept_up_to_date_is_the_one_that_is_made_anew(path, tmp_path, for_gm):
    fight = Fight.open(Path(shutil.copy(path, tmp_path)))
    lanes = Lanes(fight, for_gm=for_gm)
    lanes.chart()
    for steps in (1, 5, 20):
        fight.undo(steps)
        assert lanes.chart() == Lanes(fight, for_gm=for_gm).chart()
    fight.redo()
    fight.give("damage", who=fight.state.order[0], amount=1)
    assert lanes.chart() == Lanes(fight, for_gm=for_gm).chart()


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_an_effect_ends_in_the_column_that_was_foretold(encounter, rounds):
    """Whoever's clock it follows, and wherever in the round it began."""
    fight = start_fight(load_encounter(encounter), id="fight", seed="2")
    fight.give("start")
    for _ in range(Random(rounds).randint(3, 12)):
        go_on(fight)
    while not fight.state.round or fight.state.step is None:
        assert go_on(fight)
    who = next(one.id for one in fight.state.combatants.values() if one.able)
    fight.give("add_effect", who=who, name="dazed", rounds=rounds)
    due = next(due for due in Lanes(fight, for_gm=True).chart().dues if due.words == "dazed")
    assert (due.who, due.left) == (who, rounds)
    for _ in range(300):
        before = fight.state.round
        assert go_on(fight)
        if not any(effect.name == "dazed" for effect in fight.state.combatants[who].effects):
            assert before == due.round
            return
    raise AssertionError("it never ended")


def test_the_rest_of_the_round_is_ahead_and_then_the_rounds_in_which_something_is_due():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("add_effect", who="brand", name="dazed", rounds=3)
    chart = Lanes(fight, for_gm=True).chart()
    ahead = [(column.title, column.phase, column.side) for column in chart.ahead]
    assert ahead[0] == ("Moment 1", "Meeting", "foe")
    assert ahead[-2:] == [("Moment 1", "Management", ""), ("Moment 3", "", "")]


def test_players_are_told_when_what_they_see_ends_and_nothing_else():
    """Not of somebody hidden, nor by whose turn, if that is hidden; of a cue nothing at all."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="2")
    fight.give("start")
    while not fight.state.round:
        assert go_on(fight)
    first, second, *_ = (one.id for one in fight.state.combatants.values())
    fight.give("add_effect", who=first, name="dazed", rounds=3)
    fight.give("add_effect", who=second, name="cursed", rounds=2)
    fight.give("set_cue", name="the bridge burns", when={"round": 3}, then={"say": "It burns"})
    chart = Lanes(fight).chart()
    ends = {due.words: due for due in chart.dues}
    assert set(ends) == {"dazed", "cursed"}
    assert end_words(ends["dazed"], chart).startswith("ends in Round ")
    assert chart.ahead[-1].round == max(due.round for due in chart.dues)
    fight.give("adjust", who=second, what="hidden", value=True)
    assert {due.words for due in Lanes(fight).chart().dues} == {"dazed"}
    assert "cursed" in {due.words for due in Lanes(fight, for_gm=True).chart().dues}


@pytest.mark.parametrize(
    ("when", "round", "phase"),
    [
        ({"round": 3}, 3, ""),
        ({"phase": "melee"}, 1, "Melee"),
        ({"all": [{"round": 2}, {"phase": "melee"}]}, 2, "Melee"),
        ({"clock_s": 150}, 3, ""),
        ({"down": "brand"}, None, ""),
        ({"any": [{"round": 2}, {"down": "brand"}]}, None, ""),
    ],
)
def test_a_cue_that_waits_for_a_time_is_due_then_and_the_gms_alone(when, round, phase):
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("set_cue", name="the bridge burns", when=when, then={"say": "It burns"})
    dues = [due for due in Lanes(fight, for_gm=True).chart().dues if due.words == "the bridge burns"]
    assert [(due.round, due.phase) for due in dues] == ([(round, phase)] if round else [])
    assert "bridge" not in repr(Lanes(fight).chart())


def test_nothing_is_due_once_the_fight_is_over():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("add_effect", who="brand", name="dazed", rounds=3)
    fight.give("close")
    assert Lanes(fight, for_gm=True).chart().dues == ()


def test_ten_pulses_are_ten_columns():
    fight = start_fight(load_encounter("the-tiltyard"), id="fight", seed="2")
    fight.give("start")
    while fight.state.step is None or fight.state.step.kind != "pulse":
        assert go_on(fight)
    chart = Lanes(fight).chart()
    movement = chart.columns[-1].phase
    while fight.state.step.number < 4:
        assert go_on(fight)
        chart = Lanes(fight).chart()
        numbers = [column.number for column in (*chart.columns, *chart.ahead) if column.phase == movement]
        assert numbers == list(range(1, 11))


def test_a_step_that_is_skipped_counts_among_those_like_it():
    """CS-160: everybody declares in the first pass, so that only the second has late declarations."""
    fight = start_fight(load_encounter("the-sunken-lane"), id="fight", seed="2")
    fight.give("start")
    while fight.state.round < 2 or fight.state.step.kind != "declare":
        assert go_on(fight)
    while fight.state.step.number == 1:
        fight.give("declare", who=fight.state.step.actor, text="looks round", qa=1)
        fight.give("advance")
    fight.give("wait", who="crow")
    columns = Lanes(fight, for_gm=True).chart().columns
    assert [(column.actor, column.number) for column in columns[-2:]] == [("crow", 2), ("", 2)]
    assert fight.state.step.id == "waits.2"


def test_somebody_hidden_has_no_lane_for_players_and_a_secret_one_for_the_gm():
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="2")
    fight.give("join", name="Lurker", side="foe", sheet={"hp": 5}, hidden=True)
    fight.give("start")
    fight.give("damage", who="lurker", amount=2)
    for _ in range(30):
        go_on(fight)
    gm, players = Lanes(fight, for_gm=True).chart(), Lanes(fight).chart()
    assert "lurker" not in repr(players).lower()
    assert all(act.secret for column in gm.columns for act in column.acts if act.who == "lurker")
    assert any(act.who == "lurker" for column in gm.columns for act in column.acts)
    assert not any(column.secret for column in players.columns)


def test_the_lane_of_somebody_who_is_no_longer_seen_stays_for_players():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("damage", who="goblin-1", amount=2)
    fight.give("adjust", who="goblin-1", what="hidden", value=True)
    fight.give("damage", who="goblin-1", amount=3)
    chart = Lanes(fight).chart()
    lane = next(lane for lane in chart.lanes if lane.figure.name == "Goblin 1")
    assert not lane.here
    known = lane.figure.id
    assert [act.amount for column in chart.columns for act in column.acts if act.who == known] == [2]


def test_the_lane_of_somebody_who_has_left_stays():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("damage", who="brand", amount=2)
    fight.give("leave", who="brand", reason="gone home")
    for chart in (Lanes(fight).chart(), Lanes(fight, for_gm=True).chart()):
        lane = next(lane for lane in chart.lanes if lane.figure.id == "brand")
        assert not lane.here
        assert lane.figure.name == "Brand"
        assert [act.kind for column in chart.columns for act in column.acts if act.who == "brand"] == ["hurt", "leaves"]
