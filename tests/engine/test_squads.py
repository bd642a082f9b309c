"""Squads: who joined together, and who of them is still like the others."""

import pytest

from fightcall_engine import Fight
from fightcall_engine.archive.encounters import encounter_of, encounter_to_toml, read_encounter, start_fight
from fightcall_engine.errors import Refused
from fightcall_engine.squads import alike

GOBLINS = ("goblin-1", "goblin-2", "goblin-3")


def band(system: str = "stage", count: int = 3, **more: object) -> Fight:
    fight = Fight.new(system, seed="7")
    fight.give("join", name="Ash", side="party", sheet={"hp": 9})
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=count, **more)
    return fight


def test_several_who_join_together_are_a_squad_and_nobody_alone_is() -> None:
    fight = band()
    assert {one.squad for one in fight.state.combatants.values()} == {"", "goblin"}
    assert all(alike(fight.state, who) == GOBLINS for who in GOBLINS)
    assert alike(fight.state, "ash") == ("ash",)
    assert alike(fight.state, "nobody") == ("nobody",)


def test_another_squad_of_the_same_name_is_another_unless_it_is_named() -> None:
    fight = band()
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=2)
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, squad="goblin")
    squads = [one.squad for one in fight.state.combatants.values()]
    assert squads == ["", "goblin", "goblin", "goblin", "goblin-2", "goblin-2", "goblin"]
    assert len(alike(fight.state, "goblin-1")) == 4


def test_a_squad_that_can_be_no_word_is_refused() -> None:
    with pytest.raises(Refused, match="two words") as no:
        band(squad="two words")
    assert no.value.accepts[0] == "two-words"


@pytest.mark.parametrize(
    ("apart", "back"),
    [
        (("damage", {"amount": 2}), ("heal", {"amount": 2})),
        (("addeffect", {"name": "stunned", "rounds": 2}), ("endeffect", {"effect": "stunned"})),
        (("adjust", {"what": "hidden", "value": True}), ("adjust", {"what": "hidden", "value": False})),
        (("adjust", {"what": "able", "value": False}), ("adjust", {"what": "able", "value": True})),
        (("adjust", {"what": "side", "value": "party"}), ("adjust", {"what": "side", "value": "foe"})),
    ],
)
def test_who_differs_has_split_off_and_who_is_alike_again_is_back(
    apart: tuple[str, dict[str, object]], back: tuple[str, dict[str, object]]
) -> None:
    fight = band()
    fight.give(apart[0], who="goblin-2", **apart[1])
    assert alike(fight.state, "goblin-1") == ("goblin-1", "goblin-3")
    assert alike(fight.state, "goblin-2") == ("goblin-2",)
    fight.give(back[0], who="goblin-2", **back[1])
    assert alike(fight.state, "goblin-2") == GOBLINS


def test_names_labels_and_like_effects_do_not_set_apart() -> None:
    fight = band()
    fight.give("adjust", who="goblin-2", what="name", value="The big one")
    for who in GOBLINS:
        fight.give("addeffect", who=who, name="slow", rounds=2)
    assert alike(fight.state, "goblin-1") == GOBLINS


@pytest.mark.parametrize("system", ["slots", "turns"])
def test_a_place_in_the_order_is_each_ones_own(system: str) -> None:
    fight = band(system)
    fight.give("start")
    numbers = [trait for trait in ("init_roll", "awareness") if trait in fight.state.combatants["goblin-1"].traits]
    for at, who in enumerate(GOBLINS):
        fight.give("adjust", who=who, what=numbers[0], value=at + 3)
    assert alike(fight.state, "goblin-3") == GOBLINS


def test_an_encounter_keeps_its_squads() -> None:
    text = """
name = "X"
system = "stage"
[[combatant]]
name = "Goblin x2"
[[combatant]]
name = "Goblin"
count = 2
[[combatant]]
name = "Chief"
squad = "goblin"
[[combatant]]
name = "Wolf x2"
squad = ""
"""
    encounter = read_encounter(text, "x")
    squads = ["goblin", "goblin", "goblin-2", "goblin-2", "goblin", "", ""]
    assert [join.squad for join in encounter.joins] == squads
    assert read_encounter(encounter_to_toml(encounter), "x") == encounter
    state = start_fight(encounter, id="f", seed="1").state
    assert [one.squad for one in state.combatants.values()] == squads
    assert [join.squad for join in encounter_of(state).joins] == squads
