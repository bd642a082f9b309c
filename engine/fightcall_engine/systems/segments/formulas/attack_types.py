"""Types of attack: which there are, who may use which, and what a hit with one comes to (CS-349, CS-350, M-08)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.strikes import AIMED_STRIKE, COMMON_STRIKE

Pot: TypeAlias = Literal["weapon", "base", "brawl", "none"]
"""What a hit comes to: the weapon's POT, POT without the Damage Bonus, a tenth of the base, or no blow at all."""

SPECIAL = "special_attacks"
"""The setting that all special attacks depend on."""

USUAL: Mapping[str, str] = {
    "strike": COMMON_STRIKE,
    "charge": "charge",
    "hurl": "hurl",
    "shoot": "fire",
    "combination": COMMON_STRIKE,
    "opportunity": COMMON_STRIKE,
    "reprisal": COMMON_STRIKE,
}
"""The type of a kind of Action that names none."""


@dataclass(frozen=True, slots=True)
class AttackType:
    """A row of the list.

    Attributes:
        key: its id.
        label: its name.
        options: settings that must all be on for it.
        kinds: kinds of Action that may use it; ``opportunity`` and ``reprisal`` among them.
        pot: what a hit comes to.
        at_weapon: it is aimed at a weapon or the hand that holds it, so that no longer weapon keeps it off (CS-321).
        inside: it is done with a long weapon to a foe inside one's guard (CS-347).
        whole_body: the answer to it cannot be dodged (CS-422).
        close: it needs close melee (CS-315).
        fells: a hit may bring the target down (CS-447).
        sharp: it needs an edge or a point (CS-574, CS-590).
        skills: with bare hands, the skills that serve for it, the best of them; Brawling where none is named (CS-447).
        rule: the rule that tells of it.
    """

    key: str
    label: str
    options: tuple[str, ...] = (SPECIAL,)
    kinds: tuple[str, ...] = ("strike", "combination", "opportunity", "reprisal")
    pot: Pot = "weapon"
    at_weapon: bool = False
    inside: bool = False
    whole_body: bool = False
    close: bool = False
    fells: bool = False
    sharp: bool = False
    skills: tuple[str, ...] = ()
    rule: str = "CS-350"

    @property
    def special(self) -> bool:
        """True for one that must have been learned (CS-362)."""
        return SPECIAL in self.options


@cache
def attack_types() -> Mapping[str, AttackType]:
    """Return the list by key (CS-350)."""
    read = tuple(type_from(row) for row in tabled.rows("attacks"))
    return {attack_type.key: attack_type for attack_type in read}


def type_from(row: Mapping[str, object]) -> AttackType:
    """Return a type of attack from its row.

    Raises:
        ValueError: a cell that will not do.
    """
    pot, at = tabled.text_of(row, "pot"), tabled.text_of(row, "at")
    if pot not in get_args(Pot) or at not in ("", "body", "weapon"):
        raise ValueError(f"a type of attack with no POT {pot!r} and no aim {at!r}")
    return AttackType(
        key=tabled.text_of(row, "key"),
        label=tabled.text_of(row, "label"),
        options=tabled.texts_of(row, "option"),
        kinds=tabled.texts_of(row, "with"),
        pot=cast(Pot, pot),
        at_weapon=at == "weapon",
        inside=tabled.flag_of(row, "inside"),
        whole_body=tabled.flag_of(row, "body"),
        close=tabled.flag_of(row, "close"),
        fells=tabled.flag_of(row, "fells"),
        sharp=tabled.flag_of(row, "sharp"),
        skills=tuple(name.lower() for name in tabled.texts_of(row, "skills")),
        rule=tabled.text_of(row, "rule") or "CS-350",
    )


def key_of(name: str) -> str:
    """Return a type's id as it may be typed: ``Common Strike`` is ``common_strike``."""
    return "_".join(name.replace("-", " ").split()).lower()


def attack_type(
    name: str, own: Collection[str] = (), listed_types: Mapping[str, AttackType] | None = None
) -> AttackType | None:
    """Return a type by its name: one of the list, or one of the GM's own, which is a special attack (CS-350).

    Args:
        name: its id or name.
        own: names on the weapon or the sheet; what is not on the list counts as the GM's own.
        listed_types: the list by key; that of the text where it is left out.

    Returns:
        The type; None for a name that is nowhere.
    """
    key = key_of(name)
    listed = (attack_types() if listed_types is None else listed_types).get(key)
    if listed is not None:
        return listed
    return AttackType(key, name) if key in {key_of(name) for name in own} else None


def usual_type(kind: str, weapon_types: Collection[str]) -> str:
    """Return the type that is meant where none is named; empty where the weapon allows several (CS-349).

    Args:
        kind: the kind of Action. A charge, a throw and a shot say by themselves what they are.
        weapon_types: the types that the weapon is made for, as far as they are open; none where nothing is said of it.
    """
    if kind not in ("strike", "combination") or not weapon_types:
        return USUAL.get(kind, COMMON_STRIKE)
    return "" if len(weapon_types) > 1 else key_of(next(iter(weapon_types)))


def missing_options(found: AttackType, settings: Mapping[str, object]) -> tuple[str, ...]:
    """Return the settings that must be on for a type, and are not (CS-350)."""
    return tuple(option for option in found.options if settings.get(option) is not True)


__all__ = [
    "AIMED_STRIKE",
    "COMMON_STRIKE",
    "SPECIAL",
    "USUAL",
    "AttackType",
    "Pot",
    "attack_type",
    "attack_types",
    "key_of",
    "missing_options",
    "type_from",
    "usual_type",
]
