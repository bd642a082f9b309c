"""What a system says that it may ever offer is what it offers, with the same keys."""

from random import Random

import pytest

from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.testkit.perft import answers, fillings

STEPS = 30


def offered(fight, seed):
    """All that is offered on one line of play, taken at random."""
    chance, found = Random(seed), {}
    for _ in range(STEPS):
        who = chance.choice(sorted(fight.state.combatants))
        options = fight.options(who)
        found |= {(option.action, option.key): option for option in options}
        legal = [option for option in options if option.legal]
        try:
            for prompt in fight.state.prompts[:1]:
                fight.give("answer", **next(answers(prompt), {}))
            # To go on is one of many ways, so it is taken more often.
            if not legal or chance.random() < 0.5:
                fight.give("advance")
            else:
                option = chance.choice(legal)
                fight.give(option.command, **next(fillings(fight, who, option), {}))
        except FightCallError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.parametrize("system", system_names())
def test_every_option_that_is_offered_is_listed_with_its_key(system):
    known = find_system(system).option_keys
    seen = {}
    for number, file in enumerate(one for one in shipped_encounters() if one.system == system):
        seen |= offered(start_fight(load_encounter(file.path), id="x", seed="1"), number)
    of_the_sheet = {action for action, _ in seen if action not in known and action.partition("-")[0] in known}
    of_the_sheet |= {action for action, key in seen if action.startswith("ability-") and not key}
    # Without a key of its own is what a key of the fight screen does, such as to step in.
    assert {action: key for action, key in seen if key and action not in of_the_sheet}.items() <= dict(known).items()
    assert len(seen) > 7


@pytest.mark.parametrize("system", system_names())
def test_what_is_offered_after_a_fight_is_listed_with_its_key(system):
    file = next(one for one in shipped_encounters() if one.system == system)
    fight = start_fight(load_encounter(file.path), id="x", seed="1")
    fight.give("start")
    fight.give("close")
    after = {option.action: option.key for who in fight.state.combatants for option in fight.options(who) if option.key}
    assert after.items() <= dict(find_system(system).option_keys).items()
