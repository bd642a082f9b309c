"""Forecasts: fights played to their end by the program, counted, the same by whoever plays them, and never on disk."""

import json
import os
import subprocess
import sys
from functools import cache
from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.model.commands import Advance, Join
from fightcall_engine.model.json_data import json_object, read
from fightcall_engine.model.values import replace
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import acting_ids, answer_for, suggest
from fightcall_engine.play.forecast import (
    Fate,
    Outcome,
    count_outcomes,
    forecast_sections,
    forecast_words,
    job_from_here,
    job_of_new,
    play_job,
    play_out,
)
from fightcall_engine.play.story import player_view

ENOUGH = 6
"""Rounds in which whatever ends before long has ended; to what goes on, nothing else happens in later ones."""
FIRST = 21 / 36
"""How often the first of the roster begins a round of a duel: by the higher d6, and on a tie."""


def play(fight, fights, **kwargs):
    """So many fights from where a fight stands."""
    return [play_out(fight.system, fight.state, number, **kwargs) for number in range(fights)]


def share(outcomes, side="party"):
    """How often a side wins, from 0 to 1."""
    return sum(outcome.winner == side for outcome in outcomes) / len(outcomes)


def is_within_errors(share, chance, count, errors=3):
    """Whether a share of so many is within three standard errors of a chance."""
    return abs(share - chance) <= errors * sqrt(chance * (1 - chance) / count)


def start_duel(*people):
    """A duel of (name, side, lives)."""
    joins = [Join(name=name, side=side, sheet={"lives": lives}) for name, side, lives in people]
    return Fight.new("duel", joins=joins, seed="1")


def chance_to_hit(fight):
    """The chance of each attack in a duel: 3 of 6 faces, or 2 if everyone raises the guard first, as suggested."""
    fight = fight.copy()
    fight.give("start")
    suggestion = suggest(fight.system, fight.state, fight.state.step.actor)
    return 2 / 6 if suggestion is not None and suggestion.action == "guard" else 3 / 6


def exact_chance(lives, other_lives, hit):
    """The chance of the first of two duellists, by DU-01 to DU-04: a hit takes a life, the fallen don't strike back."""

    @cache
    def wins(mine, theirs):
        if not mine or not theirs:
            return float(mine > 0)
        total = again = 0.0
        for begins, first, second in product((True, False), (1, 0), (1, 0)):
            chance = FIRST if begins else 1 - FIRST
            chance *= (hit if first else 1 - hit) * (hit if second else 1 - hit)
            answer = 0 if first == (theirs if begins else mine) else second
            left = (mine - answer, theirs - first) if begins else (mine - first, theirs - answer)
            if left == (mine, theirs):
                again += chance
            else:
                total += chance * wins(*left)
        return total / (1 - again)

    return wins(lives, other_lives)


def test_the_exact_chance_is_that_of_a_case_done_by_hand():
    assert exact_chance(1, 1, 1.0) == pytest.approx(FIRST)
    assert exact_chance(2, 1, 1.0) == pytest.approx(1.0)
    assert exact_chance(1, 1, 0.5) == pytest.approx((FIRST * 0.5 + (1 - FIRST) * 0.25) / 0.75)


@pytest.mark.parametrize(("lives", "other_lives"), [(1, 1), (1, 2), (2, 1)])
def test_a_duel_goes_as_often_as_can_be_computed(duel, lives, other_lives):
    """Foes, section 3: a duel whose chances can be computed agrees within three standard errors."""
    fight = start_duel(("Alma", "party", lives), ("Baron", "foe", other_lives))
    outcomes = play(fight, 80, rounds=200)
    assert {outcome.winner for outcome in outcomes} <= {"party", "foe"}
    chance = exact_chance(lives, other_lives, chance_to_hit(fight))
    assert is_within_errors(share(outcomes), chance, len(outcomes))


def test_two_equal_sides_win_half_each(duel):
    """The roster favours the first, so each begins it once."""
    people = (("Alma", "party", 1), ("Berit", "party", 1), ("Cade", "foe", 1), ("Dorn", "foe", 1))
    outcomes = [*play(start_duel(*people), 30, rounds=200), *play(start_duel(*people[::-1]), 30, rounds=200)]
    assert is_within_errors(share(outcomes), 0.5, len(outcomes))
    assert is_within_errors(share(outcomes, "foe"), 0.5, len(outcomes))


@pytest.mark.parametrize("encounter", ["first-squads", "first-round"])
def test_one_more_fighter_never_lowers_the_chance_of_its_side(encounter):
    """Foes, section 3: no lower than by the error."""
    few = load_encounter(encounter)
    ours = [join for join in few.joins if join.side == "party"]
    free = (
        next(place for place in few.board.places() if place not in {join.at for join in few.joins})
        if few.board
        else None
    )
    more = replace(few, joins=(*few.joins, replace(ours[0], name="Another", label="", id="", at=free)))
    results = [count_outcomes(play(start_fight(each, id="f", seed="1"), 10)) for each in (few, more)]
    before, after = (next(each for each in result.sides if each.side == "party") for result in results)
    assert after.wins >= before.wins - results[0].fights * results[0].error(before.wins)


def test_a_fight_is_determined_by_seed_and_number():
    fight = start_fight(load_encounter("first-round"), id="f", seed="1")
    outcomes = play(fight, 4)
    assert outcomes == play(start_fight(load_encounter("first-round"), id="g", seed="other"), 4)
    assert outcomes[3] == play_out(fight.system, fight.state, 3)
    assert outcomes != play(fight, 4, seed="2")
    assert len({outcome.fates for outcome in outcomes}) > 1


def test_two_processes_play_the_same_fights_as_one():
    job = job_of_new(start_fight(load_encounter("first-round"), id="f", seed="1"), fights=5)
    outcomes = list(play_job(job))
    shares = [list(play_job(replace(job, first=first, step=2))) for first in (0, 1)]
    assert [each.number for each in shares[1]] == [1, 3]
    assert sorted((*shares[0], *shares[1]), key=lambda each: each.number) == outcomes
    assert count_outcomes([*shares[1], *shares[0]]) == count_outcomes(outcomes)


def test_the_process_reads_a_job_and_prints_a_line_for_each_fight(tmp_path):
    job = job_of_new(start_fight(load_encounter("first-round"), id="f", seed="1"), fights=3)
    done = subprocess.run(
        [sys.executable, "-m", "fightcall_engine.play.forecast"],
        input=json.dumps(json_object(job)), capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), "HOME": str(tmp_path)},
    )  # fmt: skip
    assert [read(Outcome, json.loads(line), "outcome") for line in done.stdout.splitlines()] == list(play_job(job))
    assert done.stderr == ""
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize("file", shipped_encounters(), ids=lambda file: file.path.stem)
def test_every_shipped_encounter_is_played_to_an_end(file):
    """Foes, section 3: nothing is stuck, refused or asked in vain; a fight ends, or says why not.

    FIGHTCALL_EXAMPLES=1000 plays so many of each.
    """
    fight = start_fight(load_encounter(file.path), id="f", seed="1")
    sides = set(fight.system.sides_of(fight.state))
    for outcome in play(fight, int(os.environ.get("FIGHTCALL_EXAMPLES", "1")), rounds=ENOUGH):
        assert outcome.faults == ()
        assert bool(outcome.winner) != bool(outcome.why)
        assert outcome.winner in {*sides, ""}
        round_name = fight.system.words(fight.state.settings).round
        too_long = f"{ENOUGH} {round_name}s were not enough"
        assert outcome.why in ("", too_long, "no one is left standing", "the fight was closed")
        assert 1 <= outcome.rounds <= ENOUGH
        assert {fate.id for fate in outcome.fates} >= set(fight.state.combatants)


def test_a_fight_goes_on_from_where_it_stands(duel):
    """The dead stay dead, what was declared is done, and the dice are new."""
    fight = start_duel(("Alma", "party", 3), ("Baron", "foe", 3))
    fight.give("start")
    fight.give("damage", who="baron", amount=2)
    before = fight.state
    hit = chance_to_hit(start_duel(("Alma", "party", 3), ("Baron", "foe", 3)))
    outcomes = play(fight, 40, rounds=200)
    assert fight.state is before
    assert share(outcomes) > exact_chance(3, 2, hit), "the Baron has one life left of three"
    fight.give("damage", who="baron", amount=1)
    assert [(each.winner, each.rounds) for each in play(fight, 2)] == [("party", 1)] * 2


def test_rounds_are_counted_from_here(duel):
    fight = start_duel(("Alma", "party", 50), ("Baron", "foe", 50))
    fight.give("start")
    while fight.state.round < 3:
        fight.give("advance")
    outcome = play_out(fight.system, fight.state, 0, rounds=4)
    assert (outcome.winner, outcome.rounds, outcome.why) == ("", 4, "4 Rounds were not enough")


def test_an_open_question_is_answered_first(footpads):
    fight = start_fight(load_encounter("the-alley"), id="f", seed="1")
    fight.give("start")
    assert {outcome.faults for outcome in play(fight, 5)} == {()}


def test_what_only_the_gm_can_say_is_left_to_chance():
    """AP-16: whether the last attack of a round hits; it would fell the last foe."""
    fight = start_fight(load_encounter("first-cycle"), id="f", seed="1")
    fight.give("start")
    for each in [each for each in fight.state.combatants.values() if each.side == "foe"][1:]:
        fight.give("leave", who=each.id)
    while fight.state.prompt("outcome") is None:
        prompt, acting = fight.state.asked_first, acting_ids(fight.system, fight.state)
        idea = next(filter(None, (suggest(fight.system, fight.state, who) for who in acting)), None)
        answer = prompt and answer_for(fight.system, fight.state, prompt)
        fight.do(answer or (idea.command if idea else Advance()))
    (foe,) = [each.id for each in fight.state.combatants.values() if each.side == "foe"]
    fight.give("adjust", who=foe, what="hp", value=1)
    assert {outcome.winner for outcome in play(fight, 20, rounds=1)} == {"party", ""}


def test_a_saved_fight_is_forecast_from_any_entry_and_its_file_stays_as_it_is(tmp_path, duel):
    fight = Fight.new("duel", seed="1", path=tmp_path / "duel.jsonl")
    fight.give("join", name="Alma", side="party", sheet={"lives": 1})
    fight.give("join", name="Baron", side="foe", sheet={"lives": 9})
    fight.give("start")
    here = job_from_here(fight, fights=20)
    fight.fork("if he falls")
    fight.give("damage", who="baron", amount=9)
    there = job_from_here(fight, fights=20)
    content, view = fight.path.read_bytes(), player_view(fight.for_players().state, fight.system)
    assert share(list(play_job(there))) == 1.0
    assert share(list(play_job(here))) < 0.5
    assert fight.path.read_bytes() == content
    assert list(tmp_path.glob("*.jsonl")) == [fight.path]
    assert player_view(fight.for_players().state, fight.system) == view
    assert len(fight.branches()) == 1
    fight.close()


# Counting


def outcome_of(number, winner, rounds=3, falls=False):
    fates = (Fate("a", "Alma", "party", falls=falls, health=0 if falls else 4, most=8), Fate("b", "Baron", "foe"))
    return Outcome(number, winner, rounds, fates, why="" if winner else "3 rounds were not enough")


def test_fights_are_counted():
    outcomes = [outcome_of(0, "party"), outcome_of(1, "party", 5), outcome_of(2, "foe", falls=True), outcome_of(3, "")]
    result = count_outcomes(outcomes)
    assert [(each.side, each.wins, each.standing, each.health) for each in result.sides] == [
        ("party", 2, 0.75, 12 / 32),
        ("foe", 1, 1.0, None),
    ]
    assert [(each.name, each.falls) for each in result.people] == [("Alma", 1), ("Baron", 0)]
    assert (result.rounds, result.undecided) == ({3: 3, 5: 1}, {"3 rounds were not enough": 1})
    assert [result.rounds_at(each) for each in (0.5, 0.95)] == [3, 5]
    assert result.odds(2) == "50 % ±35"
    many = count_outcomes([outcome_of(number, "party" if number else "foe") for number in range(400)])
    shares = [many.percent(count) for count in (0, 1, 2, 200, 399, 400)]
    assert shares == ["0 %", "<1 %", "<1 %", "50 %", ">99 %", "100 %"]


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_error_is_of_wilson_and_shrinks(counts):
    wins, fights = counts
    result = count_outcomes([outcome_of(number, "party" if number < wins else "foe") for number in range(fights)])
    twice = count_outcomes([outcome_of(n, "party" if n < 2 * wins else "foe") for n in range(2 * fights)])
    error = result.error(wins)
    assert 0 < twice.error(2 * wins) < error < 0.5
    if fights >= 100 and 0.2 < wins / fights < 0.8:
        assert error == pytest.approx(1.96 * sqrt(wins / fights * (1 - wins / fights) / fights), rel=0.03)


@given(st.permutations(range(8)))
def test_the_order_of_outcomes_does_not_matter(order):
    outcomes = [outcome_of(n, ("party", "foe", "")[n % 3], 1 + n % 4, falls=n % 2 == 0) for n in range(8)]
    assert count_outcomes([outcomes[n] for n in order]) == count_outcomes(outcomes)


def test_a_forecast_in_words(duel):
    fight = start_duel(("Alma", "party", 3), ("Baron", "foe", 3))
    words = fight.system.words(fight.state.settings)
    result = count_outcomes([outcome_of(0, "party"), outcome_of(1, "foe", falls=True), outcome_of(2, "party", 4)])
    assert forecast_words(result, words) == "Party wins 67 % ±37; 3 Rounds; Alma falls in 33 %"
    sections = forecast_sections(result, words, "lives", 200)
    assert sections[0].note == "3 of 200 fights"
    assert [(each.name, each.text) for each in sections[0].details] == [
        ("Party wins", "67 % ±37"),
        ("Foe wins", "33 % ±37"),
        ("Rounds", "3, mostly 3 to 4"),
        ("falls most", "Alma, 33 %"),
    ]
    assert "without clever players" in sections[-1].details[0].text
    assert forecast_words(count_outcomes([]), words) == "no fight has ended yet"
    many = replace(words, sides={"party": "Heroes"})
    assert forecast_words(result, many).startswith("Heroes win 67 %")
