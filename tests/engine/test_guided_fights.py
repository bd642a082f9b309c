"""The fights that cues lead through: what they say comes in order, whatever the dice and whoever acts first."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.testkit.random_player import RandomPlayer

GUIDED = ("a-first-fight", "first-round", "first-cycle", "first-segment")


class Player(RandomPlayer):
    """A player who does anything; what a cue says may name somebody who has left."""

    quoting_questions = ("cue",)
    doer_values = ("by", "last_harm")


def fired(fight):
    return [event.cue for event in fight.line.events() if event.type == "CueFired"]


def check_order(encounter, said):
    ids = [cue.id for cue in load_encounter(encounter).cues]
    places = [ids.index(cue) for cue in said]
    assert places == sorted(places), said


@pytest.mark.slow
@pytest.mark.parametrize("encounter", GUIDED)
def test_the_lines_of_a_guided_fight_come_in_their_order(encounter):
    """At the table 4: a line waits for the one before it, and none comes after the last one."""
    for seed in range(8):
        player = Player(encounter, seed)
        player.play(60)
        check_order(encounter, fired(player.fight))


@pytest.mark.parametrize("encounter", GUIDED)
def test_whoever_goes_first_the_lines_come_in_their_order_and_to_the_last_one(encounter):
    """At the table 4: with other dice other combatants go first."""
    ends = set()
    for seed in range(12):
        fight = start_fight(load_encounter(encounter), id="guided", seed=str(seed))
        fight.give("start")
        while fight.state.round < 2:
            asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
            if asked:
                fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
            else:
                fight.give("advance")
        said = fired(fight)
        check_order(encounter, said)
        assert said[-1] == "free"
        assert len(said) >= 3
        ends.add(tuple(said))
    assert encounter != "first-segment" or len(ends) > 1, "either of the two declares first"


def test_in_a_guided_round_of_turns_a_goblin_who_goes_first_is_no_line_ahead():
    """At the table 4: the line on the goblins waits for the one on a turn, and comes with the next goblin."""
    found = []
    for seed in range(12):
        fight = start_fight(load_encounter("first-round"), id="guided", seed=str(seed))
        fight.give("start")
        while fight.state.phase != "offer":
            fight.give("advance")
        if fight.state.combatants[fight.state.step.actor].side == "foe":
            assert fired(fight) == ["roll", "offer"]
            found.append(seed)
    assert found, "no goblin goes first"
