"""What the GM changes by hand: anything on the screen, as long as it stays what it is."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine import Fight, Refused
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import check_setting, describe_settings, read_settings, setting
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Pool
from fightcall_engine.model.values import frozen

SCALARS = st.none() | st.booleans() | st.integers(-20, 40) | st.floats(-5, 5) | st.text(max_size=4)


def fresh() -> Fight:
    fight = Fight.new("stage", joins=[Join(name="Ash", sheet={"hp": 9}), Join(name="Orc", side="foe")])
    fight.give("start")
    return fight


def ash(fight):
    return fight.state.combatants["ash"]


def test_a_setting_that_changes_is_told_in_plain_words():
    """No raw name and no truth value of a program (how it is said in found-in-play)."""
    fight = Fight.new("segments", joins=[Join(name="Ash")])
    told = []
    for key, value in (("pulse_movement", True), ("resolution", "linear"), ("linear_base", 60)):
        fight.give("configure", setting=key, value=value)
        told += [phrase(fight.system, event, fight.state).words for event in fight.head.events]
    assert "Pulse movement: yes instead of no" in told
    assert "Resolution: linear formula instead of typed by the GM" in told
    assert "Linear base: 60 instead of 50" in told


def kind(value):
    return "flag" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"


OPTIONAL_NUMBERS = ("cover_mod", "dar_relief")


@given(st.sampled_from(sorted(set(ash(fresh()).remembered) - {*fresh().system.accepted, "works"})), SCALARS)
def test_a_trait_keeps_its_kind(trait, value):
    fight = fresh()
    before = ash(fight).remembered[trait]
    known = fight.system.accepted.get(trait, ())
    like = kind(value) == kind(before) or (value is None and isinstance(before, str))
    if trait in OPTIONAL_NUMBERS:
        like = value is None or type(value) is int
    elif type(before) is int:
        like = type(value) is int
    said = "" if value is None and isinstance(before, str) else value
    fits = said in known if known else like
    if fits:
        fight.give("adjust", who="ash", what=trait, value=value)
        assert ash(fight).remembered[trait] == said
        fight.undo()
        assert ash(fight).remembered[trait] == before
        return
    with pytest.raises(Refused, match="allowed") as no:
        fight.give("adjust", who="ash", what=trait, value=value)
    assert no.value.final
    assert no.value.accepts


@given(st.sampled_from(("hp", "beats")), SCALARS)
def test_a_pool_stays_within_its_maximum(pool, value):
    fight = fresh()
    most = ash(fight).pools[pool].max
    if type(value) is int and 0 <= value <= most:
        fight.give("adjust", who="ash", what=pool, value=value)
        assert ash(fight).pools[pool] == Pool(value, most)
    else:
        with pytest.raises(Refused):
            fight.give("adjust", who="ash", what=pool, value=value)


@given(st.integers(0, 9), st.integers(-3, 30))
def test_a_maximum_takes_what_is_left_down_with_it(now, most):
    fight = fresh()
    fight.give("adjust", who="ash", what="hp", value=now)
    if most < 0:
        with pytest.raises(Refused):
            fight.give("adjust", who="ash", what="max:hp", value=most)
    else:
        fight.give("adjust", who="ash", what="max:hp", value=most)
        assert ash(fight).pools["hp"] == Pool(min(now, most), most)


@pytest.mark.parametrize("what", ["able", "hidden"])
@pytest.mark.parametrize("value", ["false", "", 0, 1, None])
def test_yes_and_no_are_no_words(what, value):
    with pytest.raises(Refused) as no:
        fresh().give("adjust", who="ash", what=what, value=value)
    assert no.value.accepts == ("true or false",)


@pytest.mark.parametrize(
    ("system", "what", "word", "accepted"),
    [
        ("stage", "cover", "full", ("open", "partial", "full")),
        ("stage", "posture", "prone", ("standing", "prone")),
        ("slots", "ap", "done", ("waiting", "active", "done")),
        ("slots", "kind", "npc", ("pc", "npc")),
        ("turns", "resting", "short", ("none", "short", "full")),
    ],
)
def test_a_trait_of_a_few_words_takes_only_those(system, what, word, accepted):
    fight = Fight.new(system, seed="7")
    fight.give("join", name="Ash")
    nothing = () if "none" in accepted else (None,)
    for wrong in ("banana", "", *nothing, 3, word.upper()):
        with pytest.raises(Refused) as no:
            fight.give("adjust", who="ash", what=what, value=wrong)
        assert no.value.accepts == accepted
    fight.give("adjust", who="ash", what=what, value=word)
    assert fight.state.combatants["ash"].remembered[what] == word


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_the_few_words_are_those_that_things_begin_with(system):
    fight = Fight.new(system, seed="7")
    fight.give("join", name="Ash")
    accepted = fight.system.accepted
    traits = fight.state.combatants["ash"].remembered
    assert {what: traits[what] for what in accepted if what in traits and traits[what] not in accepted[what]} == {}


def test_facts_take_only_their_words_too():
    fight = fresh()
    fight.give("ambush", by="party")
    with pytest.raises(Refused) as no:
        fight.give("adjust", what="ambush", value="banana")
    assert no.value.accepts == ("none", "laid", "sprung", "foiled")


def test_facts_keep_their_kind_too():
    fight = fresh()
    fight.give("ambush", by="party")
    with pytest.raises(Refused):
        fight.give("adjust", what="free_moment", value="soon")
    fight.give("adjust", what="free_moment", value=3)
    assert fight.state.remembered["free_moment"] == 3
    with pytest.raises(Refused) as no:
        fight.give("adjust", what="weather", value=1)
    assert {"clock_s", "free_moment"} <= set(no.value.accepts)


@pytest.mark.parametrize("value", [True, -1, "late", None, 1.5])
def test_the_clock_takes_whole_seconds(value):
    fight = fresh()
    with pytest.raises(Refused) as no:
        fight.give("adjust", what="clock_s", value=value)
    assert no.value.accepts == ("whole seconds, 0 or more",)
    fight.give("adjust", what="clock_s", value=90)
    assert fight.state.clock_s == 90


SETTINGS = (
    Setting("colour", "red", "", choices=("red", "blue")),
    Setting("loud", True, "", choices=(True, False)),
    Setting("seconds", 60, "", least=1),
    Setting("feet", 5.0, "", least=0.5),
    Setting("modifier", 1, ""),
)


class Readings:
    """As much of a system as a setting needs."""

    settings = SETTINGS


@frozen
class Chosen:
    """The same as a record."""

    colour: Literal["red", "blue"] = setting("red", "")
    loud: bool = setting(True, "")
    seconds: int = setting(60, "", least=1)
    feet: float = setting(5.0, "", least=0.5)
    modifier: int = setting(1, "")


def test_settings_are_listed_and_read_as_a_record():
    """A fight from before there was a setting has its default; the values that it has are read once."""
    assert describe_settings(Chosen) == SETTINGS
    values = {"colour": "blue", "seconds": 5}
    assert read_settings(Chosen, values) == Chosen(colour="blue", seconds=5)
    assert read_settings(Chosen, values) is read_settings(Chosen, values)
    assert read_settings(Chosen, {}) == Chosen()


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("colour", ["red", "blue"], ["green", None, 1]),
        ("loud", [True, False], [1, 0, "true"]),
        ("seconds", [1, 99], [0, -5, 2.5, True, "60", float("inf")]),
        ("feet", [5, 0.5, 7.25], [0.4, -1, True, float("nan"), float("inf"), "5"]),
        ("modifier", [-3, 0, 3], [0.5, False, None]),
        ("weather", [], ["fine"]),
    ],
)
def test_a_setting_takes_what_it_can_mean(key, good, bad):
    for value in good:
        check_setting(Readings, key, value)
    for value in bad:
        with pytest.raises(BadInput, match=key):
            check_setting(Readings, key, value)


def test_every_setting_of_the_system_takes_its_default_and_its_choices():
    stage = find_system("stage")
    for each in stage.settings:
        for value in (each.default, *each.choices):
            check_setting(stage, each.key, value)


@pytest.mark.parametrize(
    ("what", "wrong", "right", "accepted"),
    [
        ("init_roll", ("abc", True, 3.5), 12, ("a whole number", "no value")),
        ("awake_h", ("late", None, 2.5), 20, ("a whole number",)),
        ("hp_per_resolve", (True, 1.5), "d6", ("a whole number", "a text", "no value")),
    ],
)
def test_what_is_remembered_keeps_the_type_that_its_record_has(what, wrong, right, accepted):
    """Also where there is nothing yet: what is not of its type would not be read again."""
    fight = Fight.new("turns", seed="7")
    fight.give("join", name="Ash")
    who = "ash" if what == "init_roll" else ""
    for value in wrong:
        with pytest.raises(Refused, match="allowed") as no:
            fight.give("adjust", who=who, what=what, value=value)
        assert no.value.accepts == accepted
    fight.give("adjust", who=who, what=what, value=right)
    remembered = ash(fight).remembered if who else fight.state.remembered
    assert remembered[what] == right


def test_nothing_empties_a_text_of_a_record():
    fight = Fight.new("turns", seed="7")
    fight.give("join", name="Ash")
    fight.give("open_scene", name="The inn", mode="free")
    fight.give("adjust", what="scene", value=None)
    assert fight.state.remembered["scene"] == ""


def test_what_is_remembered_in_parts_is_changed_part_by_part():
    fight = Fight.new("slots", seed="7")
    fight.give("join", name="Ash")
    fight.give("start")
    fight.give("answer", choice="roll")
    with pytest.raises(Refused) as no:
        fight.give("adjust", who="ash", what="work", value=3)
    assert no.value.accepts == ("its own ruling",)
    fight.give("advance")
    fight.give("begin", who="ash", ability="a ritual", needed=9, pay=2)
    fight.give("adjust", who="ash", what="work.paid", value=4)
    assert fight.system.fields(fight.state, "ash")["action_in_progress"]["paid"] == 4
    with pytest.raises(Refused) as no:
        fight.give("adjust", who="ash", what="work.paid", value="much")
    assert no.value.accepts == ("a whole number",)
