"""Every optional rule and reading of Combat Segments as a setting, and what the system calls things."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.segments.state.settings import SETTINGS, words_of
from fightcall_engine.systems.segments.system import Segments

BY_KEY = {one.key: one for one in SETTINGS}

OPTIONAL_RULES = (
    "pulse_movement", "body_points", "damage_multipliers", "armour_wear", "armour_grades", "special_attacks", "thrust",
    "slash", "aimed_strike", "heroic_effects", "bumbles", "fate_tokens", "end", "cnd_allowance", "grid",
    "formal_scales",
)  # fmt: skip
PARAMETERS = {
    "heroic_scope": ("pivotal", "always"),
    "heroic_for": ("pc_only", "all"),
    "token_mode": ("effect", "token", "both"),
}
READINGS = {
    "dice": ("engine", "table", "players"),
    "resolution": ("gm_percent", "linear", "table"),
    "progressive": ("triangular", "linear", "custom table"),
    "contested_tie": ("defender", "attacker", "reroll"),
    "multi_action_order": ("tiered_passes", "plain_passes", "countdown"),
    "initiative_tie": ("coin", "ask", "alphabetical", "simultaneous"),
    "trap_surprise": ("assumed", "simple_roll"),
    "partial_moves_cost": ("free", "table_fraction"),
    "pulse_scope": ("first_pass", "gm_split"),
    "pulse_distance": ("printed", "exact"),
    "weapon_reuse": ("per_role", "pooled"),
    "reuse_window": ("action", "cs"),
    "melee_roll": ("attacker", "contested"),
    "hurled_roll": ("simple", "contested"),
    "hurled_dv_unit": ("yards", "feet"),
    "reprisal_chain": ("off", "on"),
    "weight_class_columns": ("lt_first", "lt_second"),
    "wt_rounding": ("rhu", "exact"),
    "adrenaline": ("str_loss_applies", "masks_all"),
    "season": ("summer", "winter"),
    "after_loss": ("linear", "compound"),
    "healing_pace": ("weeks", "day_less"),
    "multi_stun": ("sum", "highest"),
    "fallen_modifier_floor": ("none", "zero"),
}
NUMBERS = {"fate_pass_limit": 1, "linear_base": 50, "linear_step": 1, "linear_least": 1, "linear_most": 99}
TEXTS = {"armoury", "chance_table", "progressive_values"}


def test_there_is_a_setting_for_each_optional_rule_and_reading_and_no_other() -> None:
    assert set(BY_KEY) == {*OPTIONAL_RULES, *PARAMETERS, *READINGS, *NUMBERS, *TEXTS}
    assert len(BY_KEY) == len(SETTINGS)


def test_an_optional_rule_is_off() -> None:
    for key in OPTIONAL_RULES:
        assert (BY_KEY[key].default, BY_KEY[key].choices) == (False, (False, True)), key


def test_a_reading_has_its_choices_and_the_usual_one_first() -> None:
    for key, choices in (PARAMETERS | READINGS).items():
        assert (BY_KEY[key].default, BY_KEY[key].choices) == (choices[0], choices), key


@pytest.mark.parametrize(("key", "default"), NUMBERS.items())
def test_a_number_is_never_below_nothing(key: str, default: int) -> None:
    assert (BY_KEY[key].default, BY_KEY[key].choices, BY_KEY[key].least) == (default, (), 0)


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_a_table_of_ones_own_is_empty_at_first(key: str) -> None:
    assert (BY_KEY[key].default, BY_KEY[key].choices) == ("", ())


def test_optional_rules_and_their_parameters_come_before_the_readings() -> None:
    options = {*OPTIONAL_RULES, *PARAMETERS, "fate_pass_limit"}
    assert {one.key for one in SETTINGS[: len(options)]} == options


def test_a_setting_says_in_a_line_what_it_does_and_names_its_rule() -> None:
    assert BY_KEY
    for setting in BY_KEY.values():
        assert 10 <= len(setting.text) <= 110, setting
        assert setting.rule in Segments().rules(), setting


# Words


@pytest.mark.parametrize(("body_points", "called"), [(False, "wounds"), (True, "body points")])
def test_cs_550_what_a_blow_takes_is_called_by_the_rules_in_force(*, body_points: bool, called: str) -> None:
    assert words_of({"body_points": body_points}).pools["hp"] == called


def test_a_contest_is_told_in_its_own_words() -> None:
    found = words_of({})
    assert (found.title, found.round, found.unit) == ("Combat Segments", "Segment", "ft")
    assert found.between == "Before the contest"
    assert found.phases["declare"] == "Declaration"
    assert found.ticks["cs_end"] == "end of the Segment"
    assert found.sides["foe"] == "Foes"
