"""Slips and odd words of the GM that the system must take in its stride."""

import pytest

from fightcall_engine import Fight
from fightcall_engine.model.errors import BadInput, Refused


def two() -> Fight:
    """One on each side, in the first Meeting."""
    fight = Fight.new("stage", seed="7")
    fight.give("join", id="ash", name="Ash", sheet={"hp": 9})
    fight.give("join", id="orc", name="Orc", side="foe", sheet={"hp": 9})
    fight.give("start")
    return fight


def test_only_hit_points_fell_a_figure() -> None:
    """SB-37: beats that a GM takes away as damage tire a figure, and do not down it."""
    fight = two()
    fight.give("damage", who="ash", amount=99, pool="beats")
    assert fight.state.combatants["ash"].able
    fight.give("damage", who="ash", amount=9)
    assert not fight.state.combatants["ash"].able
    fight.give("heal", who="ash", amount=3, pool="beats")
    assert not fight.state.combatants["ash"].able
    fight.give("heal", who="ash", amount=3)
    assert fight.state.combatants["ash"].able


def test_business_is_ruled_on_and_not_put_into_words() -> None:
    """SB-25: its counters stay what they are, whatever is typed."""
    fight = two()
    fight.give("next_half", until="management")
    fight.give("business", who="ash", name="winch", needed=3)
    with pytest.raises(Refused) as refused:
        fight.give("adjust", who="ash", what="works", value="a/b")
    assert refused.value.accepts == ("its own ruling",)
    assert fight.system.fields(fight.state, "ash")["business"] == {"name": "winch", "done": 1, "needed": 3}


@pytest.mark.parametrize("no", [False, "false", "no"])
def test_a_ruling_is_denied_in_any_words(no: object) -> None:
    """SB-57, SB-60: out of plain view, and noticed."""
    fight = two()
    fight.give("rule", what="plain_view", who="ash", value=no)
    assert fight.state.combatants["ash"].remembered["plain_view"] is False
    fight.give("rule", what="hidden", who="ash", value=True)
    fight.give("rule", what="hidden", who="ash", value=no)
    assert not fight.state.combatants["ash"].hidden


@pytest.mark.parametrize(("setting", "value"), [("moment_seconds", -60), ("strike_beat_cost", -1), ("hex_ft", 0.0)])
def test_settings_have_a_lowest_value(setting: str, value: float) -> None:
    """SB-04, SB-02, Q-S10: time, prices and distances do not run backwards."""
    with pytest.raises(BadInput, match=setting):
        two().give("configure", setting=setting, value=value)
