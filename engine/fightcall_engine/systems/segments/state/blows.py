"""An attack on its way: who strikes at whom with what. It is kept in the data of the questions it opens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import cast, get_args

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.rules.attacks import COMMON_STRIKE, Attack, AttackType, attack_type
from fightcall_engine.systems.segments.rules.wounds import Striking
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import armoury, items, worn_armour
from fightcall_engine.systems.segments.state.commands import Opportunity, Reprise, Resolve
from fightcall_engine.systems.segments.state.lines import clean_line
from fightcall_engine.systems.segments.state.weapon_uses import HAND, HURL, SHOOT, Item, Way

CONCERT, SEPARATE, MIXED = "concert", "separate", "mixed"

MODES = (CONCERT, SEPARATE, MIXED)
"""How a Combination is used: one roll, two rolls (CS-365), or one weapon attacks and the other defends (CS-369)."""

MELEE, HURLED, MISSILE, OPPORTUNITY, REPRISAL = "melee", "hurled", "missile", "opportunity", "reprisal"

RANGED = (HURLED, MISSILE)

OUT_OF_TURN = (OPPORTUNITY, REPRISAL)


@dataclass(frozen=True, slots=True)
class Blow:
    """One attack.

    Attributes:
        attacker: whose it is.
        target: whom it is meant for.
        kind: ``melee``, ``hurled``, ``missile``, or out of turn ``opportunity`` or ``reprisal``.
        weapon: the item's name.
        second: the other item of a Combination.
        attack: its type (CS-349).
        mode: how a Combination is used; empty for none.
        defence: what the target defends with, as it is said.
        missed: the target's own weapons that have just missed, one a line, where this is the Reprisal (CS-486).
        undodged: the target has thrown in the whole body and cannot Dodge (CS-422).
        harm: wounds by the GM's hand, a number or dice; empty where nothing was said.
        feet: the distance, where the GM has said it; below 0 where not.
        rise: feet by which the target is higher, where the GM has said it (CS-281).
        pot: its POT by the GM's word (CS-530).
        struck: edge, point or blunt, where the weapon is more than one; empty for what it is first.
        barrier: feet to something solid behind the target, where the GM has said it (CS-563).
        shield: whether the target's shield lies in the way; None for the usual reading (A-52).
        drop: feet from which the attacker drops on the target (CS-541).
        charge: speed in mph that a charge adds, where the GM has said it (CS-539).
        people: ids of those who tackle together with the attacker, parted by blanks (CS-469).
        heroic: the roll was a Heroic Effect (CS-635).
        doubled: and the GM has it double the POT (CS-547).
        power: STR that it was loosed with, where it lands later than that (CS-285).
        line: what is said with it: a Presence attack rides on it (CS-510).
        arrow_head: what the arrow is tipped with; empty for the bow's usual one (CS-542).
    """

    attacker: str
    target: str
    kind: str = MELEE
    weapon: str = ""
    second: str = ""
    attack: str = COMMON_STRIKE
    mode: str = ""
    defence: str = ""
    missed: str = ""
    undodged: bool = False
    harm: str = ""
    feet: float = -1.0
    rise: float | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float = 0.0
    charge: float | None = None
    people: str = ""
    heroic: bool = False
    doubled: bool = False
    power: float | None = None
    line: str = ""
    arrow_head: str = ""

    @property
    def ranged(self) -> bool:
        """True for what flies."""
        return self.kind in RANGED

    @property
    def weapons(self) -> tuple[str, ...]:
        """What it is struck with: both items of a Combination in concert (CS-366)."""
        return (self.weapon, self.second) if self.mode == CONCERT else (self.weapon,)

    def has_missed(self, name: str) -> bool:
        """True for an item of the target that has just missed (CS-486)."""
        return name.lower() in self.missed.lower().splitlines()

    @property
    def in_turn(self) -> bool:
        """True for the attack of a declared Action."""
        return self.kind not in OUT_OF_TURN

    @property
    def way(self) -> Way:
        """How the weapon is used, which may be a skill of its own (CS-252)."""
        return {HURLED: HURL, MISSILE: SHOOT}.get(self.kind, HAND)

    @property
    def roll(self) -> Attack:
        """Its kind as the formulas call it."""
        return cast(Attack, self.kind)

    def data(self) -> Mapping[str, Scalar]:
        """It as data of a prompt."""
        return {name: getattr(self, name) for name in _NAMES}


_NAMES = tuple(item.name for item in fields(Blow))


def blow_of(data: Mapping[str, Scalar]) -> Blow:
    """The blow that a prompt keeps."""
    return Blow(**{name: data[name] for name in _NAMES if data.get(name) is not None})  # type: ignore[arg-type]


def with_harm(state: FightState, blow: Blow, command: Resolve | Opportunity | Reprise) -> Blow:
    """The blow with what the GM says of the harm it does, by the names of `commands.Resolve`.

    Raises:
        Refused: a number that can be none, a shield in the way that is not there.
    """
    for name, most in _MOST.items():
        value = getattr(command, name)
        if value is not None and not 0 <= value <= most:
            raise Refused("CS-530", f"{name}: {value} will not do", (f"0 to {most}",), final=True)
    far = getattr(command, "distance", None)
    if far is not None and not 0 <= far <= _FARTHEST:
        raise Refused("CS-251", f"distance: {far:g} will not do", (f"0 to {_FARTHEST} ft",), final=True)
    rise = getattr(command, "rise", None)
    if rise is not None and not abs(rise) <= _HIGHEST:
        raise Refused("CS-281", f"rise: {rise} will not do", (f"-{_HIGHEST} to {_HIGHEST}",), final=True)
    if command.struck not in ("", *STRIKINGS):
        raise Refused("CS-603", f"{command.struck!r} is nothing to strike with", STRIKINGS, final=True)
    worn_armour.check_chosen(state.combatants[blow.target], command.shield)
    return replace(
        blow,
        harm="" if command.harm is None else str(command.harm),
        pot=command.pot,
        struck=command.struck,
        barrier=command.barrier,
        shield=command.shield,
        drop=0.0 if command.drop is None else command.drop,
        charge=command.charge,
        people=getattr(command, "people", ""),
        line=clean_line(command.line),
        rise=getattr(command, "rise", None),
    )


_MOST = {"pot": 9999, "barrier": 9999, "drop": 9999, "charge": 999}

_HIGHEST = 9999

_FARTHEST = 100_000

STRIKINGS: tuple[Striking, ...] = get_args(Striking)
"""With what a blow may strike."""


def flight_of(action_kind: str) -> str:
    """The kind of blow that an attack of this kind of Action is, as far as it flies."""
    return {act.SHOOT: MISSILE, act.HURL: HURLED}.get(action_kind, MELEE)


def item_of(combatant: Combatant, name: str) -> Item:
    """The item of this name; bare hands where there is none of it any more."""
    return items.item(combatant, name) or items.find_item(combatant, items.BARE)


def people_of(state: FightState, blow: Blow) -> tuple[Combatant, Combatant]:
    """Attacker and target."""
    return state.combatants[blow.attacker], state.combatants[blow.target]


def own_types(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """Types of attack that are named on a weapon or have been learned."""
    return (*names_on(thing.get("attack_types")), *names_on(combatant.sheet.get("special_attacks")))


def names_on(listed: object) -> tuple[str, ...]:
    """Names in a list on the sheet."""
    return tuple(str(item) for item in listed) if isinstance(listed, list | tuple) else ()


def type_of(state: FightState, blow: Blow) -> AttackType:
    """The blow's type of attack; one that is known nowhere counts as the GM's own."""
    combatant = state.combatants[blow.attacker]
    found = attack_type(
        blow.attack, own_types(combatant, item_of(combatant, blow.weapon)), armoury.of(state).attack_types
    )
    return found or AttackType(blow.attack, blow.attack.replace("_", " "))
