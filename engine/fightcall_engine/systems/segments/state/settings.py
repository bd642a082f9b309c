"""Settings of Combat Segments: its optional rules, and readings and numbers that the text leaves open."""

from collections.abc import Mapping
from typing import Literal

from fightcall_engine.kit.rolls import DiceMode, dice_field
from fightcall_engine.kit.settings import describe_settings, read_settings, setting
from fightcall_engine.kit.views import Words
from fightcall_engine.model.state import FightState, Scalar
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.systems.segments.rules.numbers import read_chances, read_scale
from fightcall_engine.systems.segments.state import armoury
from fightcall_engine.systems.segments.state.optional_rules import OptionalRules


@frozen
class SegmentsSettings(OptionalRules):
    """The settings that a table chooses: optional rules, then readings of the text."""

    dice: DiceMode = dice_field("CS-020")
    resolution: Literal["gm_percent", "linear", "table"] = setting(
        "gm_percent",
        "Chance of success of AV against DV: you type it, a linear formula, or your own table",
        "M-01",
        words=("typed by the GM", "linear formula", "own table"),
    )
    linear_base: int = setting(50, "Linear formula: chance if AV and DV are equal, in percent", "M-01", least=0)
    linear_step: int = setting(1, "Linear formula: percent per point between AV and DV", "M-01", least=0)
    linear_least: int = setting(1, "Linear formula: minimum chance in percent", "M-01", least=0)
    linear_most: int = setting(99, "Linear formula: maximum chance in percent", "M-01", least=0)
    chance_table: str = setting(
        "",
        "Your own table, or a .csv file whose first line is AV,DV,chance or difference,chance",
        "M-01",
        file=".csv",
        check=read_chances,
    )
    progressive: Literal["triangular", "linear", "custom table"] = setting(
        "triangular", "Progressive scale: 1, 3, 6, 10...; 1, 2, 3, 4...; or your own numbers", "M-03"
    )
    progressive_values: str = setting(
        "", "Your own Progressive scale: the numbers for 1, 2, 3... in a row", "M-03", check=read_scale
    )
    contested_tie: Literal["defender", "attacker", "reroll"] = setting(
        "defender",
        "Equal margins in a Contested Roll: the defender wins, the attacker wins, or both reroll",
        "A-17",
    )
    armoury: str = setting(
        "",
        "Your own weapons, shields, armour, arrow heads and attack types, or a .toml file with them",
        "M-09",
        file=".toml",
        check=armoury.read_armoury,
        schema=armoury.schema,
    )
    multi_action_order: Literal["tiered_passes", "plain_passes", "countdown"] = setting(
        "tiered_passes",
        "Several Actions: in each pass, those with more go first; or only Initiative counts; or tiers count down",
        "A-01",
    )
    initiative_tie: Literal["coin", "ask", "alphabetical", "simultaneous"] = setting(
        "coin",
        "Tie of Initiative, Agility and Heart: flip a coin, ask the GM, by name, or act at the same time",
        "CS-026",
    )
    trap_surprise: Literal["assumed", "simple_roll"] = setting(
        "assumed", "A mechanical trap surprises without a roll, or a simple roll can prevent it", "A-18"
    )
    partial_moves_cost: Literal["free", "table_fraction"] = setting(
        "free", "Turning, drawing and the like cost no distance, or a share of it for their quarters", "A-22"
    )
    pulse_scope: Literal["first_pass", "gm_split"] = setting(
        "first_pass",
        "All ten Pulses come before the first Resolution, or the GM divides them among the passes",
        "A-25",
        words=("first pass", "split by the GM"),
    )
    pulse_distance: Literal["printed", "exact"] = setting(
        "printed", "Feet per Pulse: as printed in the table, or calculated from mph", "A-42"
    )
    weapon_reuse: Literal["per_role", "pooled"] = setting(
        "per_role", "Repeated uses of a weapon skill: attacks and defences count separately, or together", "A-02"
    )
    reuse_window: Literal["action", "cs"] = setting(
        "action",
        "The count of uses restarts with each of your Actions, or with each Segment",
        "A-03",
        words=("own Action", "Segment"),
    )
    melee_roll: Literal["attacker", "contested"] = setting(
        "attacker", "Who rolls in melee: only the attacker, or both in a Contested Roll", "A-04"
    )
    hurled_roll: Literal["simple", "contested"] = setting(
        "simple", "Who rolls for a hurled weapon: only the thrower, or both in a Contested Roll", "A-05"
    )
    hurled_dv_unit: Literal["yards", "feet"] = setting(
        "yards", "The Range DV of hurled weapons counts yards, or feet", "A-07", title="hurled range in"
    )
    reprisal_chain: Literal["off", "on"] = setting(
        "off", "A missed Reprisal or Opportunity Action allows another Reprisal", "A-32"
    )
    weight_class_columns: Literal["lt_first", "lt_second"] = setting(
        "lt_first",
        "In damage tables, Light is the first of the six columns, or the second",
        "A-11",
        words=("Light first", "Light second"),
    )
    season: Literal["summer", "winter"] = setting(
        "summer", "Street clothes by standing: one more layer in winter", "CS-567"
    )
    wt_rounding: Literal["rhu", "exact"] = setting(
        "rhu",
        "Round the Wound Threshold, or keep it exact",
        "A-12",
        title="Wound Threshold",
        words=("rounded", "exact"),
    )
    adrenaline: Literal["str_loss_applies", "masks_all"] = setting(
        "str_loss_applies",
        "During the fight, Grievous and Mortal wounds cost STR, or no wound does",
        "A-14",
        words=("costs STR", "costs nothing"),
    )
    after_loss: Literal["linear", "compound"] = setting(
        "linear", "After the fight, each wound level costs a quarter of STR, or of the STR that is left", "A-14"
    )
    healing_pace: Literal["weeks", "day_less"] = setting(
        "weeks", "Healing time of the next wound: count the weeks again, or a day less than the wound before", "A-41"
    )
    multi_stun: Literal["sum", "highest"] = setting(
        "sum",
        "Several stuns add up, or only the highest counts",
        "A-50",
        title="several stuns",
        words=("add up", "the highest"),
    )
    fallen_modifier_floor: Literal["none", "zero"] = setting(
        "none",
        "Standing minus fallen in the DV against Presence can be negative, or is at least 0",
        "A-35",
        title="fallen modifier",
        words=("below 0, too", "at least 0"),
    )


SETTINGS = describe_settings(SegmentsSettings)


def settings_of(state: FightState) -> SegmentsSettings:
    """The settings of a fight."""
    return read_settings(SegmentsSettings, state.settings)


_PHASES: Mapping[str, str] = {
    "initiative": "Initiative",
    "surprise": "Surprise",
    "impacts": "Impacts",
    "declare": "Declaration",
    "movement": "Movement",
    "resolve": "Resolution",
    "close": "Segment end",
}


_WORDS = Words(
    title="Combat Segments",
    round="Segment",
    phases=_PHASES,
    sides={"party": "Party", "foe": "Foes", "other": "Others"},
    pools={
        "hp": "wounds",
        "end": "END",
        "cnd": "CND",
        "slots": "actions",
    },
    unit="ft",
    units="ft",
    ticks={"cs_start": "start of the Segment", "cs_end": "end of the Segment"},
    between="Before the contest",
    waits={"initiative": "roll"},
)
_WORDS_OF_POINTS = copy_with(_WORDS, pools=dict(_WORDS.pools) | {"hp": "body points"})


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Combat Segments; those for harm depend on the rules of harm in force (CS-550)."""
    return _WORDS_OF_POINTS if read_settings(SegmentsSettings, settings).body_points else _WORDS
