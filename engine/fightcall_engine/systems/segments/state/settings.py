"""Settings of Combat Segments: optional rules, readings of the text, and the armoury (M-08, M-09).

The engine's tables come first. A GM adds or replaces rows with the setting ``armoury``, the text of a TOML file; it
is kept in the fight like every setting, so that the fight needs no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal, TypeVar, cast

from fightcall_engine.kit.decision import DiceMode, dice_field
from fightcall_engine.kit.records import describe_settings, read_settings, setting
from fightcall_engine.kit.views import Words
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.attacks import (
    ArrowHead,
    AttackType,
    arrow_heads,
    attack_types,
    key_of,
    type_from,
)
from fightcall_engine.systems.segments.rules.formulas import read_chances, read_scale
from fightcall_engine.systems.segments.rules.wounds import Layer, armour_types, layer_from

T = TypeVar("T")
SETTING = "armoury"
SAMPLE = "a sample's numbers"
"""The remark on numbers that are not in the text."""

Row = Mapping[str, Json]
Sheet = Mapping[str, Json]


@frozen
class OptionalRules:
    """The optional rules, and the choices that some of them leave."""

    pulse_movement: bool = setting(
        False, "All movement happens in ten one-second Pulses before any Action resolves", "CS-008"
    )
    body_points: bool = setting(False, "Hits cost Body Points; each quarter lost is a level of wounding", "CS-550")
    damage_multipliers: bool = setting(
        False, "A weapon's multiplier replaces the Damage Bonus (needs body points)", "CS-551"
    )
    armour_wear: bool = setting(False, "Armour loses DR with each hit on it", "CS-580")
    armour_grades: bool = setting(False, "Layers can be Strong or Proof against bodkins and heavy bolts", "CS-577")
    special_attacks: bool = setting(
        False, "Allow attack types other than Common Strike, Hurl, Fire, Charge and Brawl", "CS-350"
    )
    thrust: bool = setting(False, "Thrust: narrow points go through padded and mail (needs special attacks)", "CS-574")
    slash: bool = setting(
        False, "Slash: the attack damages armour first (needs special attacks and armour wear)", "CS-590"
    )
    aimed_strike: bool = setting(
        False, "Aimed Strike: the GM decides the result; never a Reprisal (needs special attacks)", "CS-483"
    )
    heroic_effects: bool = setting(False, "A roll within a tenth of the chance is a Heroic Effect", "CS-635")
    heroic_scope: Literal["pivotal", "always"] = setting(
        "pivotal", "Heroic Effects and Bumbles count in pivotal scenes only, or always", "CS-638"
    )
    heroic_for: Literal["pc_only", "all"] = setting(
        "pc_only",
        "Who can get Heroic Effects: PCs and NPCs marked as equals, or everyone",
        "CS-636",
        words=("PCs", "everyone"),
    )
    bumbles: bool = setting(False, "A failure in the top tenth of the failing rolls is a Bumble", "CS-637")
    fate_tokens: bool = setting(False, "Heroic Effects and Bumbles can give tokens that change a later roll", "CS-651")
    token_mode: Literal["effect", "token", "both"] = setting(
        "effect", "A Heroic Effect or Bumble gives its effect, a token, or a small effect and a token", "CS-652"
    )
    fate_pass_limit: int = setting(1, "How often a token can be passed on", "CS-654", least=0)
    end: bool = setting(False, "Attacks and defences cost 1 point of Endurance each", "CS-479", title="Endurance")
    cnd_allowance: bool = setting(
        False,
        "A Segment with any attack or defence costs 1 point of the CND allowance",
        "CS-343",
        title="CND allowance",
    )
    grid: bool = setting(False, "The display is a grid of inch squares, 5 ft each", "CS-681")
    formal_scales: bool = setting(False, "The display can change to 10 ft or 25 ft per 25 mm", "CS-680")


# The armoury of a fight


@frozen
class Armoury:
    """All rows, by key: weapons and shields as on a sheet, with ``label``, ``rule`` and ``sample``; other types."""

    weapons: Mapping[str, Row]
    shields: Mapping[str, Row]
    armour: Mapping[str, Layer]
    arrow_heads: Mapping[str, ArrowHead]
    attack_types: Mapping[str, AttackType]

    def weapon(self, name: str, *, shield_first: bool = False) -> Row | None:
        """The row of a weapon or shield, by key or name; None if there is none."""
        weapons, shields = (
            _find(name, rows, lambda row: str(row.get("label", ""))) for rows in (self.weapons, self.shields)
        )
        return shields or weapons if shield_first else weapons or shields

    def layer(self, name: str) -> Layer | None:
        """A type of armour, by key or name; None if there is none."""
        return find_armour(name, self.armour)

    def arrow_head(self, name: str) -> ArrowHead | None:
        """An arrow head, by key or name; None if there is none."""
        return _find(name, self.arrow_heads, lambda head: head.label)

    @property
    def titles(self) -> Mapping[str, str]:
        """Names of weapons and shields by key, with a remark on sample numbers, for a GM to pick from."""
        rows = {**self.weapons, **self.shields}
        samples = {key: ", a sample" if row.get("sample") is True else "" for key, row in rows.items()}
        return {key: f"{str(row['label']).lower()}{samples[key]}" for key, row in rows.items()}

    @property
    def weapon_names(self) -> tuple[str, ...]:
        """The keys of weapons and shields."""
        return (*self.weapons, *self.shields)


@lru_cache(maxsize=1024)
def normalise_name(name: str) -> str:
    """A name for comparison, without case, hyphens, underscores and commas."""
    return " ".join(name.lower().replace("_", " ").replace(",", " ").replace("-", " ").split())


def find_armour(name: str, types: Mapping[str, Layer]) -> Layer | None:
    """The type of armour with this key or name; None if there is none."""
    return _find(name, types, lambda layer: layer.name)


def _find(name: str, entries: Mapping[str, T], label_of: Callable[[T], str]) -> T | None:
    plain_name = normalise_name(name)
    names = ((entry, (normalise_name(key), normalise_name(label_of(entry)))) for key, entry in entries.items())
    return next((entry for entry, own_names in names if plain_name in own_names), None)


@cache
def default_armoury() -> Armoury:
    """The armoury that comes with the engine."""
    weapons = _by_key(formulas.rows("weapons"))
    shields = _by_key({"kind": "shield", "hand": "L", **row} for row in formulas.rows("shields"))
    return Armoury(weapons, shields, armour_types(), arrow_heads(), attack_types())


def _by_key(rows: Iterable[Mapping[str, object]]) -> Mapping[str, Row]:
    return {str(row["key"]): _as_sheet(row) for row in rows}


def armoury_from_settings(settings: Mapping[str, Scalar]) -> Armoury:
    """The armoury under these settings. A text that cannot be read adds nothing: setting it was refused."""
    text = settings.get(SETTING)
    return _parse_armoury(text) if isinstance(text, str) and text.strip() else default_armoury()


def armoury_of_fight(state: FightState) -> Armoury:
    """The present armoury of a fight."""
    return armoury_from_settings(state.settings)


def attack_key(state: FightState, name: str) -> str:
    """The key of the type of attack with this key or name; for an unknown name, the name as a key."""
    key, types = key_of(name), armoury_of_fight(state).attack_types
    if not key or key in types:
        return key
    return next((attack_type.key for attack_type in types.values() if key_of(attack_type.label) == key), key)


@lru_cache
def _parse_armoury(text: str) -> Armoury:
    try:
        return read_armoury(text)
    except BadInput:
        return default_armoury()


def read_armoury(text: str) -> Armoury:
    """The engine's armoury with the rows of a GM's file; BadInput has a line for each fault, with its number."""
    from fightcall_engine.systems.segments.state.sheet import rows_of

    options = tuple(rule.key for rule in describe_settings(OptionalRules) if isinstance(rule.default, bool))
    own_rows, base = rows_of(text, options), default_armoury()
    shields = {key: _as_sheet({"kind": "shield", "hand": "L", **row}) for key, row in own_rows["shield"].items()}
    heads = {key: formulas.record_of(ArrowHead, row) for key, row in own_rows["arrow_head"].items()}
    return Armoury(
        {**base.weapons, **{key: _as_sheet(row) for key, row in own_rows["weapon"].items()}},
        {**base.shields, **shields},
        {**base.armour, **{key: layer_from(row) for key, row in own_rows["armour"].items()}},
        {**base.arrow_heads, **heads},
        {**base.attack_types, **{key: type_from(row) for key, row in own_rows["attack_type"].items()}},
    )


def _as_sheet(row: Mapping[str, object]) -> Row:
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in row.items()}


def armoury_schema() -> Mapping[str, Json]:
    """The JSON Schema of a GM's file."""
    from fightcall_engine.systems.segments.state import sheet

    return sheet.armoury_schema()


# Sheets completed from the armoury


_OF_THE_ROW = ("key", "label", "rule", "sample")
_OWN_NUMBERS = ("kind", "size", "weight_class", "grip", "family", "effects", "fixed_pot", "dr", "db_extra")
"""Fields that define a weapon: with any of them on the sheet, the armoury's row of its name does not count."""

_SAMPLE_FIELDS = ("size", "weight_class", "fixed_pot", "dr", "wear", "coverage_mod", "db_extra")


def outfit_sheet(sheet: Sheet, armoury: Armoury) -> tuple[Sheet, list[str]]:
    """The sheet completed from the armoury, and the names that the armoury does not know.

    Whatever does not have the shape of a sheet is kept, for its model to refuse.
    """
    problems: list[str] = []
    fields = dict(sheet)
    _replace(fields, "weapons", lambda place, item: _weapon(item, f"weapons.{place}", armoury, problems))
    _replace(fields, "armour", lambda place, item: _layer(item, f"armour.{place}", armoury, problems))
    return fields, problems


def cells_of(row: Row) -> Sheet:
    """The fields of a row that belong to a weapon."""
    return {name: value for name, value in row.items() if name not in _OF_THE_ROW}


def _replace(sheet: dict[str, Json], key: str, convert: Callable[[int, Sheet], Sheet]) -> None:
    entries = sheet.get(key)
    if isinstance(entries, list | tuple):
        sheet[key] = [
            cast(Json, convert(place, item)) if isinstance(item, Mapping) else item
            for place, item in enumerate(entries)
        ]


def _weapon(item: Sheet, where: str, armoury: Armoury, problems: list[str]) -> Sheet:
    row = _row_of(item, where, armoury, problems)
    if row is None:
        return item
    left_out = {name: value for name, value in cells_of(row).items() if item.get(name) is None}
    sample = row.get("sample") is True and any(name in left_out for name in _SAMPLE_FIELDS)
    return {**item, **left_out, "like": row["key"], **({"sample": True} if sample else {})}


def _row_of(item: Sheet, where: str, armoury: Armoury, problems: list[str]) -> Row | None:
    like, name, shield = item.get("like"), item.get("name"), item.get("kind") == "shield"
    if isinstance(like, str) and like:
        row = armoury.weapon(like, shield_first=shield)
        if row is None:
            problems.append(f"{where}.like: {_unknown(like, armoury.weapon_names)}")
        return row
    if not isinstance(name, str) or any(item.get(number) is not None for number in _OWN_NUMBERS):
        return None
    return armoury.weapon(name)


def _layer(item: Sheet, where: str, armoury: Armoury, problems: list[str]) -> Sheet:
    name, dr = item.get("type"), item.get("dr")
    if not isinstance(name, str) or dr is not None:
        return item
    layer = armoury.layer(name)
    if layer is None or layer.family == "shield":
        kinds = tuple(key for key, each in armoury.armour.items() if each.family != "shield")
        problems.append(f"{where}.type: {_unknown(name, kinds)}; or give its dr")
        return {**item, "dr": 0}
    if layer == default_armoury().layer(name):
        return item
    wear = {} if layer.wear is None else {"wear_total": layer.wear}
    return {"family": layer.family, "slash": str(layer.slash), **wear, **item, "dr": layer.dr}


def _unknown(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.lower().replace(" ", "_"), names, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name[:60]!r} is not in the armoury; {hint}accepted: {', '.join(names)}"


# Settings of Combat Segments


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
        "defender", "Equal margins in a Contested Roll: the defender wins, the attacker wins, or both reroll", "A-17"
    )
    armoury: str = setting(
        "",
        "Your own weapons, shields, armour, arrow heads and attack types, or a .toml file with them",
        "M-09",
        file=".toml",
        check=read_armoury,
        schema=armoury_schema,
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


_WORDS = Words(
    title="Combat Segments",
    round="Segment",
    phases={
        "initiative": "Initiative",
        "surprise": "Surprise",
        "impacts": "Impacts",
        "declare": "Declaration",
        "movement": "Movement",
        "resolve": "Resolution",
        "close": "Segment end",
    },
    sides={"party": "Party", "foe": "Foes", "other": "Others"},
    pools={"hp": "wounds", "end": "END", "cnd": "CND", "slots": "actions"},
    unit="ft",
    units="ft",
    ticks={"cs_start": "start of the Segment", "cs_end": "end of the Segment"},
    between="Before the contest",
    waits={"initiative": "roll"},
)
_WORDS_OF_POINTS = replace(_WORDS, pools=dict(_WORDS.pools) | {"hp": "body points"})


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Combat Segments; those for harm depend on the rules of harm in force (CS-550)."""
    return _WORDS_OF_POINTS if read_settings(SegmentsSettings, settings).body_points else _WORDS
