"""Conditions with what they do by themselves, as the short way of the screen gives them."""

import pytest

from fightcall_engine.model.errors import Refused

from .table import table


def test_a_poison_takes_hit_points_at_the_start_of_each_turn_of_its_bearer():
    """ST-23: the same as by Affect, counted by the bearer's own turns."""
    fight = table("lea").fight
    fight.give("condition", who="lea", name="poison", rounds=3, amount="d4")
    (poison,) = fight.state.combatants["lea"].effects
    fight.undo()
    fight.give("poison", who="lea", rounds=3, amount="d4")
    (same,) = fight.state.combatants["lea"].effects
    assert (poison.kind, poison.data, poison.left, poison.ticks, poison.clock) == (
        same.kind, same.data, same.left, same.ticks, same.clock
    )  # fmt: skip


def test_what_heals_by_itself_needs_something_to_heal():
    """ST-27: without hit points there is nothing to give back."""
    fight = table("lea").fight
    with pytest.raises(Refused, match="dice"):
        fight.give("condition", who="lea", name="poison", amount="lots")
    fight.give("adjust", who="lea", what="sheet.hp", value=9)
    fight.give("condition", who="lea", name="balm", amount=2, heals=True)
    assert [(effect.kind, effect.magnitude) for effect in fight.state.combatants["lea"].effects] == [("positive", 2)]
