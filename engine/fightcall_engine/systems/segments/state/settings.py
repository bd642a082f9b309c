"""The settings of Combat Segments: its optional rules, and where the text leaves a reading or a number open."""

from collections.abc import Mapping

from fightcall_engine.kit.rolls import dice_setting
from fightcall_engine.kit.views import Setting, Words
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.segments.rules.checks import read_chances, read_scale
from fightcall_engine.systems.segments.state import armoury, optional_rules

_CHANCES: tuple[Setting, ...] = (
    dice_setting("CS-020"),
    Setting(
        "resolution",
        "gm_percent",
        "Where the chance of AV against DV comes from: the GM types it, a straight line, or the GM's own table",
        "M-01",
        ("gm_percent", "linear", "table"),
    ),
    Setting("linear_base", 50, "Straight line: the chance where AV and DV are equal, in percent", "M-01", least=0),
    Setting("linear_step", 1, "Straight line: percent for each point between AV and DV", "M-01", least=0),
    Setting("linear_least", 1, "Straight line: the least chance there is, in percent", "M-01", least=0),
    Setting("linear_most", 99, "Straight line: the greatest chance there is, in percent", "M-01", least=0),
    Setting(
        "chance_table",
        "",
        "The GM's own table, or a .csv file: lines of AV,DV,chance or of difference,chance under that heading",
        "M-01",
        file=".csv",
        check=read_chances,
    ),
    Setting(
        "progressive",
        "triangular",
        "The Progressive scale: 1, 3, 6, 10...; 1, 2, 3, 4...; or the GM's own numbers",
        "M-03",
        ("triangular", "linear", "custom table"),
    ),
    Setting(
        "progressive_values",
        "",
        "The GM's own Progressive scale: its numbers for 1, 2, 3... in a row",
        "M-03",
        check=read_scale,
    ),
    Setting(
        "contested_tie",
        "defender",
        "Equal margins in a Contested Roll: the defender wins, the attacker wins, or both roll again",
        "A-17",
        ("defender", "attacker", "reroll"),
    ),
)

_ARMOURY = Setting(
    armoury.SETTING,
    "",
    "The GM's own weapons, shields, armour, arrow heads and types of attack, or a .toml file with them",
    "M-09",
    file=".toml",
    check=armoury.read_armoury,
    schema=armoury.schema,
)

_ORDER: tuple[Setting, ...] = (
    Setting(
        "multi_action_order",
        "tiered_passes",
        "Several Actions: in each pass those with more go first, or Initiative alone counts, or tiers count down",
        "A-01",
        ("tiered_passes", "plain_passes", "countdown"),
    ),
    Setting(
        "initiative_tie",
        "coin",
        "Initiative, Agility and Heart all equal: a coin, the GM is asked, the alphabet, or truly at once",
        "CS-026",
        ("coin", "ask", "alphabetical", "simultaneous"),
    ),
    Setting(
        "trap_surprise",
        "assumed",
        "A mechanical trap that springs surprises without a roll, or a simple roll may save",
        "A-18",
        ("assumed", "simple_roll"),
    ),
)

_MOVEMENT: tuple[Setting, ...] = (
    Setting(
        "partial_moves_cost",
        "free",
        "Turning, drawing and the like cost no distance, or a share of it by their quarters",
        "A-22",
        ("free", "table_fraction"),
    ),
    Setting(
        "pulse_scope",
        "first_pass",
        "All ten Pulses run before the first Resolution, or the GM splits them among the passes",
        "A-25",
        ("first_pass", "gm_split"),
    ),
    Setting(
        "pulse_distance",
        "printed",
        "Feet in a Pulse: as the table prints them, or exactly from mph",
        "A-42",
        ("printed", "exact"),
    ),
)

_STRIKES: tuple[Setting, ...] = (
    Setting(
        "weapon_reuse",
        "per_role",
        "Repeated uses of a weapon skill: attacks and defences are counted apart, or together",
        "A-02",
        ("per_role", "pooled"),
    ),
    Setting(
        "reuse_window",
        "action",
        "The count of uses starts anew with each own Action, or with each Segment",
        "A-03",
        ("action", "cs"),
    ),
    Setting(
        "melee_roll",
        "attacker",
        "Who rolls in melee: the attacker alone, or both in a Contested Roll",
        "A-04",
        ("attacker", "contested"),
    ),
    Setting(
        "hurled_roll",
        "simple",
        "Who rolls for a hurled weapon: the thrower alone, or both in a Contested Roll",
        "A-05",
        ("simple", "contested"),
    ),
    Setting(
        "hurled_dv_unit",
        "yards",
        "Range DV of hurled weapons is counted in yards, or in feet",
        "A-07",
        ("yards", "feet"),
    ),
    Setting(
        "reprisal_chain", "off", "A missed Reprisal or Opportunity Action gives a Reprisal too", "A-32", ("off", "on")
    ),
)

_HARM: tuple[Setting, ...] = (
    Setting(
        "weight_class_columns",
        "lt_first",
        "Damage tables: the class Light is the first of the six columns, or the second",
        "A-11",
        ("lt_first", "lt_second"),
    ),
    Setting("season", "summer", "Street clothes by standing: one layer more in winter", "CS-567", ("summer", "winter")),
    Setting("wt_rounding", "rhu", "The Wound Threshold is rounded, or stays exact", "A-12", ("rhu", "exact")),
    Setting(
        "adrenaline",
        "str_loss_applies",
        "While the fight lasts, Grievous and Mortal wounds cost STR, or no wound does",
        "A-14",
        ("str_loss_applies", "masks_all"),
    ),
    Setting(
        "after_loss",
        "linear",
        "After the contest each level of wounds costs a quarter of STR, or of what is left of it",
        "A-14",
        ("linear", "compound"),
    ),
    Setting(
        "healing_pace",
        "weeks",
        "The time of the next wound is reckoned in weeks anew, or is a day less than of the one before",
        "A-41",
        ("weeks", "day_less"),
    ),
    Setting("multi_stun", "sum", "Several stuns add up, or only the highest counts", "A-50", ("sum", "highest")),
    Setting(
        "fallen_modifier_floor",
        "none",
        "Standing less fallen in the DV against Presence: may be below 0, or is 0 at the least",
        "A-35",
        ("none", "zero"),
    ),
)

SETTINGS: tuple[Setting, ...] = (
    *optional_rules.OPTIONAL_RULES,
    *_CHANCES,
    _ARMOURY,
    *_ORDER,
    *_MOVEMENT,
    *_STRIKES,
    *_HARM,
)

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
    """What Combat Segments calls things: what a blow takes is called by the rules of harm in force (CS-550)."""
    return _WORDS_OF_POINTS if settings.get("body_points") else _WORDS
