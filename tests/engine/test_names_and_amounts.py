"""Put right 10: names that say nobody, or two people, and amounts below zero."""

from __future__ import annotations

import pytest

from fightcall_engine.testkit.plays import Conversation

SYSTEMS = ("stage", "slots", "turns", "segments")


def goblins(system: str) -> Conversation:
    talk = Conversation(system, seed="1").do("join", name="Goblin", count=2, side="foe")
    return talk.do("join", name="Ash", side="party", sheet={"kind": "pc"} if system == "slots" else {})


def names(talk: Conversation) -> list[str]:
    fight = talk.session.fight
    assert fight is not None
    return [combatant.name for combatant in fight.state.combatants.values()]


# Names


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ["Goblin 2", "goblin 2"])
def test_a_second_combatant_of_a_name_is_refused_with_a_free_name(system: str, name: str) -> None:
    """Put right 10: nobody could say which Goblin 2 is meant. The GM may insist."""
    talk = goblins(system)
    assert "is already in the fight" in talk.refused("name", "join", name=name, side="foe")
    assert talk.reply["refused"]["accepts"] == ["name: Goblin 3" if name[0] == "G" else "name: goblin 3"]  # type: ignore[index]
    talk.do("join", name=name, side="foe", force=True).expect("Overridden", rule="name").expect("Joined")


def test_renaming_takes_no_name_of_another() -> None:
    """Put right 10: what holds for a newcomer holds for a new name. One's own name in other letters is free."""
    talk = goblins("stage")
    talk.refused("name", "adjust", who="ash", what="name", value="Goblin 1")
    talk.refused("name", "adjust", who="ash", what="name", value=" ")
    assert names(talk.do("adjust", who="ash", what="name", value="ASH")) == ["Goblin 1", "Goblin 2", "ASH"]


@pytest.mark.parametrize("name", ["", " ", "\t"])
def test_a_combatant_needs_a_name(name: str) -> None:
    """Put right 10: not even the GM's override makes somebody without a name."""
    assert goblins("stage").refused("name", "join", name=name, side="foe") == "a combatant needs a name"
    goblins("stage").refused("name", "join", name=name, side="foe", force=True)


def test_a_squad_takes_the_numbers_that_are_free() -> None:
    """Put right 10: also beside names in other letters."""
    talk = goblins("stage").do("join", name="goblin", count=2, side="foe")
    assert names(talk) == ["Goblin 1", "Goblin 2", "Ash", "goblin 3", "goblin 4"]


def test_reinforcements_of_a_cue_take_a_free_name() -> None:
    """Put right 10: a cue for each time brings Late Orc and then Late Orc 2, and play is not held up."""
    talk = Conversation("stage", seed="1").do("join", name="Orc", side="foe", sheet={"hp": 9})
    talk.do("join", name="Ash", side="party", sheet={"hp": 9})
    late = {"propose": {"do": "join", "like": "orc"}}
    talk.do("cue", when={"at_most": 5, "who": "ash"}, then=late, each_time=True).do("start")
    for _ in range(2):
        talk.do("damage", who="ash", amount=4).do("answer", choice="do").do("heal", who="ash", amount=9)
    assert names(talk) == ["Orc", "Ash", "Late Orc", "Late Orc 2"]


# Amounts


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("command", ["damage", "heal"])
@pytest.mark.parametrize("amount", [-3, "-3", " -3 ", "2-5", "-d6", "d6-9"])
def test_harm_below_zero_is_refused_in_every_form(system: str, command: str, amount: object) -> None:
    """Put right 10: a number as a string, and dice that never show more, are refused as a number is."""
    talk = goblins(system)
    if system in ("slots", "turns", "stage"):
        talk.do("join", name="Orc", side="foe", sheet={"hp": 9})
    who = "goblin-1" if system == "segments" else "orc"
    assert talk.refused("amount", command, who=who, amount=amount) == f"{str(amount).strip()} is below zero"


def test_dice_that_can_show_more_are_at_least_zero() -> None:
    """Put right 10: d6-5 can do 1 and is no mistake; a low roll does nothing."""
    talk = Conversation("stage", seed="1").do("join", name="Orc", side="foe", sheet={"hp": 9})
    talk.do("damage", who="orc", amount="d6-5", rolls={"damage": [2]}).expect("DamageApplied", amount=0)
    talk.do("damage", who="orc", amount="d6-5", rolls={"damage": [6]}).expect("DamageApplied", amount=1)


def test_the_damage_of_a_strike_is_not_below_zero() -> None:
    """SB-37, ST-28; put right 10: a strike takes no such amount either."""
    for system in ("stage", "turns"):
        talk = Conversation(system, seed="1").do("join", name="Orc", side="foe", sheet={"hp": 9})
        talk.do("join", name="Ash", side="party", sheet={"hp": 9}).do("start")
        strike = {"who": "ash", "target": "orc", "hit": True, "damage": "-3", "kind": "melee", "force": True}
        talk.refused("amount", "strike", **strike)


def test_a_lasting_effect_is_not_below_zero() -> None:
    """ST-23; put right 10: such an effect would hold up every turn of its bearer."""
    talk = Conversation("turns", seed="1").do("join", name="Orc", side="foe", sheet={"hp": 9})
    talk.refused("amount", "affect", who="orc", name="venom", polarity="negative", amount="-3")
    talk.refused("amount", "effect", who="orc", name="venom", rounds=2, amount="2-5")
    sheet = {"hp": 9, "effects": [{"name": "venom", "polarity": "negative", "amount": "-3"}]}
    assert "below zero" in talk.unreadable("join", name="Cur", side="foe", sheet=sheet)
