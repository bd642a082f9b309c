"""What a preview promises holds: it names the rule by which `decide` refuses, and changes nothing."""

from random import Random

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.movement import BROKEN
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.testkit.perft import answers, fillings, moves

from .shipped import FEW

STEPS = 9
MOST = 25
"""Commands that are looked at in one moment, drawn by a fixed seed where there are more."""


def listed(fight):
    """All that is listed for anybody, legal or not, and every answer."""
    found = []
    for who in fight.state.combatants:
        for option in fight.options(who):
            found += [(option.command, data) for data in fillings(fight, who, option)]
    for name, data in tuple(found):
        if "target" in data:
            found += [(name, {**data, "target": other}) for other in fight.state.combatants]
    for prompt in fight.state.prompts:
        found += [("answer", data) for data in answers(prompt)]
    return found


def refusal(fight, command):
    """The rule that refuses a command, None where it would be done."""
    try:
        fight.try_out(command)
    except Refused as no:
        return no.rule
    return None


def broken(preview):
    """The rules that a preview says are broken, in order."""
    return [row.rule for row in preview.rows if row.status == BROKEN]


@pytest.mark.slow
@pytest.mark.parametrize("encounter", FEW)
def test_a_preview_names_the_rule_that_refuses(encounter):
    looked, refused = walk(start_fight(load_encounter(encounter), id="walk", seed="5"), Random(encounter))
    assert looked > STEPS
    assert refused


def test_a_preview_of_a_plugin_system_names_the_rule_that_refuses(duel):
    looked, refused = walk(start_fight(load_encounter("at-dawn"), id="walk", seed="5"), Random("duel"))
    assert looked > STEPS
    assert refused


def walk(fight, chance):
    """Preview and decide what is listed in moment after moment; how many were looked at, and how many refused."""
    looked = refused = 0
    for _ in range(STEPS):
        found = listed(fight)
        for name, data in chance.sample(found, min(len(found), MOST)):
            try:
                command = fight.codec.command(name, data)
            except BadInput:
                continue
            before, rule, preview = fight.state, refusal(fight, command), fight.preview(command)
            assert fight.state is before
            assert preview.can_run == (rule is None), (name, data, rule, preview)
            if rule is not None:
                assert rule in broken(preview), (name, data, rule, preview)
            looked, refused = looked + 1, refused + (rule is not None)
        step(fight, chance)
    return looked, refused


def step(fight, chance):
    """One of the things that can be done now, mostly what moves the fight on."""
    possible = moves(fight)
    onward = [move for move in possible if move[0] in ("advance", "answer")]
    name, data = chance.choice(onward if onward and chance.random() < 0.6 else possible)
    try:
        fight.give(name, **data)
    except Refused:
        # An attack out of reach is offered, too: its panel leads up to the target (ST-28).
        name, data = chance.choice(onward)
        fight.give(name, **data)


def test_the_dice_fall_the_same_with_and_without_a_preview(duel):
    """A preview neither shows nor uses up a die: not even of a fight whose table owes none."""
    looked_at, played = (start_fight(load_encounter("at-dawn"), id="dawn", seed="3") for _ in range(2))
    for fight in (looked_at, played):
        while fight.state.phase != "blades":
            fight.give("advance")
    who = looked_at.state.step.actor
    target = next(other for other in looked_at.state.combatants if other != who)
    preview = looked_at.preview(looked_at.codec.command("attack", {"who": who, "target": target}))
    (die,) = (row for row in preview.rows if row.dice)
    assert (die.dice, die.purpose, die.who) == ("d6", "attack", who)
    assert preview.actor_id == who
    assert preview.target_id == target
    entries = [fight.give("attack", who=who, target=target) for fight in (looked_at, played)]
    assert entries[0].events == entries[1].events
