"""The armoury of a fight: weapons, shields, armour, arrow heads and types of attack (M-08, M-09).

The engine's tables come first. A GM adds or replaces rows with the setting ``armoury``, the text of a TOML file; it is
kept in the fight like every setting, so that the fight needs no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache

from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.attacks import AttackType, attack_types, key_of, type_from
from fightcall_engine.systems.segments.rules.gear import (
    ArrowHead,
    Layer,
    armour_types,
    arrow_heads,
    head_from,
    layer_from,
)

SETTING = "armoury"

SAMPLE = "a sample's numbers"
"""The remark on numbers that are not in the text."""

Row = Mapping[str, Json]


@frozen
class Armoury:
    """All rows, by key.

    Attributes:
        weapons: rows with the fields of a weapon on a sheet, and ``label``, ``rule`` and ``sample``.
        shields: the same for shields.
        armour: types of armour, and those shields for which the text has numbers.
        arrow_heads: arrow heads.
        attack_types: types of attack.
    """

    weapons: Mapping[str, Row]
    shields: Mapping[str, Row]
    armour: Mapping[str, Layer]
    arrow_heads: Mapping[str, ArrowHead]
    attack_types: Mapping[str, AttackType]

    def weapon(self, name: str, *, shield_first: bool = False) -> Row | None:
        """The row of a weapon or shield, by key or name; None if there is none."""
        weapons, shields = _find_row(name, self.weapons), _find_row(name, self.shields)
        return shields or weapons if shield_first else weapons or shields

    def layer(self, name: str) -> Layer | None:
        """A type of armour, by key or name; None if there is none."""
        return find_armour(name, self.armour)

    def arrow_head(self, name: str) -> ArrowHead | None:
        """An arrow head, by key or name; None if there is none."""
        plain_name = normalise_name(name)
        heads = self.arrow_heads.values()
        return next(
            (
                arrow_head
                for arrow_head in heads
                if plain_name in (normalise_name(arrow_head.key), normalise_name(arrow_head.label))
            ),
            None,
        )

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


def normalise_name(name: str) -> str:
    """A name for comparison, without case, hyphens, underscores and commas."""
    return " ".join(name.lower().replace("_", " ").replace(",", " ").replace("-", " ").split())


def find_armour(name: str, types: Mapping[str, Layer]) -> Layer | None:
    """The type of armour with this key or name; None if there is none."""
    plain_name = normalise_name(name)
    return next(
        (layer for key, layer in types.items() if plain_name in (normalise_name(key), normalise_name(layer.name))), None
    )


def _find_row(name: str, rows: Mapping[str, Row]) -> Row | None:
    plain_name = normalise_name(name)
    return next(
        (
            row
            for key, row in rows.items()
            if plain_name in (normalise_name(key), normalise_name(str(row.get("label", ""))))
        ),
        None,
    )


@cache
def default_armoury() -> Armoury:
    """The armoury that comes with the engine."""
    return Armoury(
        _by_key(numbers.rows("weapons")),
        _by_key({"kind": "shield", "hand": "L", **row} for row in numbers.rows("shields")),
        armour_types(),
        arrow_heads(),
        attack_types(),
    )


def _by_key(rows: Iterable[Mapping[str, object]]) -> Mapping[str, Row]:
    return {str(row["key"]): {name: _as_json(value) for name, value in row.items()} for row in rows}


def _as_json(value: object) -> Json:
    """A cell as a value of a sheet, where exact decimals are plain numbers."""
    return float(value) if isinstance(value, Fraction) else value


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
    """The engine's armoury with the rows of a GM's file, which replace those of the same key.

    Raises:
        BadInput: one line for each fault of the file, with its line number.
    """
    from fightcall_engine.systems.segments.state.armoury_file import rows_of

    own_rows, base = rows_of(text), default_armoury()
    types = {key: type_from(row) for key, row in own_rows["attack_type"].items()}
    shields = {key: _as_sheet({"kind": "shield", "hand": "L", **row}) for key, row in own_rows["shield"].items()}
    return Armoury(
        {**base.weapons, **{key: _as_sheet(row) for key, row in own_rows["weapon"].items()}},
        {**base.shields, **shields},
        {**base.armour, **{key: layer_from(row) for key, row in own_rows["armour"].items()}},
        {**base.arrow_heads, **{key: head_from(row) for key, row in own_rows["arrow_head"].items()}},
        {**base.attack_types, **{key: replace(attack_type, key=key) for key, attack_type in types.items()}},
    )


def _as_sheet(row: Mapping[str, object]) -> Row:
    return {name: _as_json(value) for name, value in row.items()}


def schema() -> Mapping[str, Json]:
    """The JSON Schema of a GM's file."""
    from fightcall_engine.systems.segments.state import armoury_file

    return armoury_file.schema()
