"""The defender's side: possible defences, their values and costs (CS-410..422).

Defences are not declared (CS-165), and are resolved with the attack (CS-412). `defence_choice` picks one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import attack_values, shots
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules import melee
from fightcall_engine.systems.segments.rules.attacks import combined_defence
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact
from fightcall_engine.systems.segments.state import items, progress, queries, rolls, weapon_uses
from fightcall_engine.systems.segments.state.action import (
    ABORTED,
    ATTACKS,
    BODY,
    COMBINATION,
    RANGED,
    action_of,
    targets_of,
)
from fightcall_engine.systems.segments.state.battle import (
    BLOCK,
    CONCERT,
    DODGE,
    MIXED,
    NONE,
    PARRY,
    STAND,
    Blow,
    Guard,
)
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.weapon_uses import Item


@frozen
class Defence:
    """A defence against an attack.

    Attributes:
        label: its name.
        total: the DV it provides with all its parts, or None.
        guard: what it consists of.
    """

    label: str
    total: Sum | None
    guard: Guard

    @property
    def items(self) -> tuple[str, ...]:
        """Names of the items used."""
        return self.guard.items

    @property
    def dodges(self) -> bool:
        """Whether it includes a Dodge."""
        return self.guard.dodges

    @property
    def by(self) -> str:
        """The id of a friend who defends instead (CS-414), or empty."""
        return self.guard.by

    @property
    def worth(self) -> int | None:
        """The DV, rounded once, or None."""
        return None if self.total is None else rolls.rounded(self.total)

    @property
    def count(self) -> int:
        """The number of defences it counts as, for its costs (CS-168, A-36)."""
        return len(self.items) + self.dodges + (self.guard.way == STAND)

    @property
    def label_with_value(self) -> str:
        """Its label with the DV, as it is offered."""
        return f"{self.label} {'?' if self.worth is None else self.worth}" if self.label != NONE else NONE


NO_DEFENCE = Defence(NONE, Sum((Part("no defence", 0, "CS-410"),)), Guard(NONE))


DODGING = Guard(DODGE, dodges=True)


# Checks


def item_checks(state: FightState, blow: Blow, thing: Item) -> tuple[Check, ...]:
    """CS-147, CS-302 to CS-305, CS-415, CS-506: the item is held in a free hand that reaches the foe."""
    foe, combatant = people_of(state, blow)
    name = items.name_of(thing)
    hands = items.hands_holding(combatant, name)
    bare = name == items.BARE
    free = items.free_hands(combatant, name)
    field = places.field_of(state, combatant, foe)
    reach = places.defence_of(state, combatant, foe).hands
    rule = melee.uses()[field].rule if field else "CS-301"
    return (
        able_check(combatant),
        Check(not blow.ranged, "CS-506", "weapons can't parry missiles", (*shots.CASES,)),
        Check(bool(hands) or bare, "CS-415", f"{combatant.name} does not hold {name}", ("what is in hand", DODGE)),
        Check(
            items.pin_of(combatant, name) is None,
            "CS-321",
            f"{combatant.name}'s {name} is pinned",
            ("what is in the other hand", DODGE),
        ),
        Check(
            not _is_inside(combatant, foe, thing),
            "CS-322",
            f"{foe.name} is inside {combatant.name}'s guard: {name} is too long",
            ("a short weapon", DODGE, "a step back"),
        ),
        Check(bool(free) or bare, "CS-147", f"{combatant.name}'s hand with {name} is busy", (DODGE, "abort")),
        Check(
            bool(set(free) & set(reach)) or (bare and bool(reach)),
            rule,
            f"{name} does not reach {combatant.name}'s field {field} to defend",
            (DODGE, NONE),
        ),
    )


def _is_inside(combatant: Combatant, foe: Combatant, thing: Item) -> bool:
    """CS-322: whether a foe is inside this weapon's guard, and its bearer has not yet stepped back."""
    size = thing.get("size")
    has_length = isinstance(size, int | float) and not items.is_shield(thing)
    return has_length and places.is_too_long(combatant, foe, exact(size))


def dodge_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-305, CS-417, CS-419, CS-422: one dodges if one is free to move, aware, and not worn out."""
    foe, combatant = people_of(state, blow)
    worth = weapon_uses.dodge_worth(state, combatant)
    field = places.field_of(state, combatant, foe)
    needs = melee.uses()[field].needs if field else ""
    rule = "CS-303" if needs == "aware" else "CS-305"
    return (
        able_check(combatant),
        Check(
            places.defence_of(state, combatant, foe).dodge,
            rule,
            f"{combatant.name} isn't aware of {foe.name}",
            (NONE,),
        ),
        Check(
            BODY not in items.busy_parts(combatant),
            "CS-417",
            f"{combatant.name} needs the whole body for the declared Action",
            (PARRY, NONE),
        ),
        Check(
            not blow.undodged,
            "CS-422",
            f"{combatant.name} committed the whole body to the attack",
            (PARRY, BLOCK, NONE),
        ),
        Check(
            worth is None or rolls.rounded(worth) > 0, "CS-419", f"{combatant.name} has no Dodge left", (PARRY, NONE)
        ),
    )


def able_check(combatant: Combatant) -> Check:
    """The defender must be up."""
    return Check(combatant.able, "CS-111", f"{combatant.name} is down", (NONE,))


# Values


def is_on_full_defence(combatant: Combatant, foe: Combatant) -> bool:
    """CS-167: whether the combatant's whole Action is defence against this foe."""
    full = fighter_of(combatant).full_defence
    return full is not None and full.against == foe.id


def item_defence(state: FightState, blow: Blow, thing: Item, verb: Literal["parry", "block"] = PARRY) -> Defence:
    """Parry or Block with one item (CS-411); both have the same value."""
    name = items.name_of(thing)
    label = f"{verb} {name}"
    total = _half_of_combination(state, blow, thing, _worth_against(state, blow, thing))
    return Defence(label, _label_sum(total, label), Guard(verb, (name,)))


def _worth_against(state: FightState, blow: Blow, thing: Item) -> Sum | None:
    """CS-167, CS-486: an item's DV: undiminished on full defence, halved if it has just missed.

    This holds alone and as half of a Combination.
    """
    foe, combatant = people_of(state, blow)
    missed = blow.has_missed(items.name_of(thing))
    return weapon_uses.worth_of(
        state, combatant, thing, "defence", fresh=is_on_full_defence(combatant, foe), missed=missed
    )


def _label_sum(total: Sum | None, label: str) -> Sum | None:
    """The DV with the defence as its first part, to be told from the AV."""
    if total is None:
        return None
    return Sum((Part(label, total.parts[0].value, "CS-410"), *total.parts[1:]))


def dodge_defence(state: FightState, blow: Blow) -> Defence:
    """A Dodge (CS-418)."""
    foe, combatant = people_of(state, blow)
    return Defence(DODGE, weapon_uses.dodge_worth(state, combatant, fresh=is_on_full_defence(combatant, foe)), DODGING)


def add_dodge(weapon: Defence, dodge: Defence) -> Defence:
    """CS-417: a Dodge beside a Block or Parry: both values together."""
    total = None
    if weapon.total is not None and dodge.total is not None:
        dodge_part = combined_defence(weapon.total.total, dodge.total.total).parts[-1]
        first = dodge.total.parts[0]
        total = Sum((*weapon.total.parts, Part(dodge_part.label, first.value, dodge_part.rule), *dodge.total.parts[1:]))
    return Defence(f"{weapon.label}+{DODGE}", total, replace(weapon.guard, dodges=True))


def _half_of_combination(state: FightState, blow: Blow, thing: Item, own: Sum | None) -> Sum | None:
    """CS-369: half of a Combination defends with its own value and the level, if there are two attacks.

    A declared Attack/Defence Combination does so anyway.
    """
    _, combatant = people_of(state, blow)
    name = items.name_of(thing)
    attacking = _attacking_half(state, combatant, name)
    other = attacking or _other_held(combatant, name)
    if own is None or other is None or not (attacking or attacks_faced(state, blow) > 1):
        return own
    level = attack_values.combination_sl(combatant, name, items.name_of(other), MIXED if attacking else "defence")
    if attacking:
        has_struck = attack_values.hand_of(combatant, other) in action_of(combatant).struck
        other_sum = weapon_uses.worth_of(state, combatant, other, "attack", before=int(has_struck))
    else:
        other_sum = _worth_against(state, blow, other)
    if level is None or other_sum is None:
        return own
    return attack_values.add_combination(own, other_sum, level, "mixed")


def _attacking_half(state: FightState, combatant: Combatant, name: str) -> Item | None:
    """CS-369: the attacking item of the Attack/Defence Combination in which this one defends, or None.

    It ends with its Action: when that is aborted, or resolved and followed by the next one (A-03).
    """
    action = action_of(combatant)
    next_begun = not action.is_open and queries.has_slot(state, combatant, queries.pass_number(state))
    if action.kind != COMBINATION or action.mode != MIXED or action.state == ABORTED or next_begun:
        return None
    return items.item_named(combatant, action.weapon) if name.lower() == action.second.lower() else None


def combination_defence(state: FightState, blow: Blow, first: Item, second: Item) -> Defence | None:
    """CS-367: two items as one defence against one attack; None without the Combination for it."""
    _, combatant = people_of(state, blow)
    names = (items.name_of(first), items.name_of(second))
    level = attack_values.combination_sl(combatant, *names, "defence")
    if level is None:
        return None
    halves = [_worth_against(state, blow, thing) for thing in (first, second)]
    guard = Guard(PARRY, names)
    label = str(guard)
    if halves[0] is None or halves[1] is None:
        return Defence(label, None, guard)
    leads, follows = (halves[0], halves[1]) if halves[0].total >= halves[1].total else (halves[1], halves[0])
    return Defence(label, _label_sum(attack_values.add_combination(leads, follows, level, "defence"), label), guard)


def _other_held(combatant: Combatant, name: str) -> Item | None:
    others = [
        thing for thing in items.items_in_hand(combatant).values() if items.name_of(thing).lower() != name.lower()
    ]
    return others[0] if others else None


def attacks_faced(state: FightState, blow: Blow) -> int:
    """The number of attacks on the target in this pass: by several foes, or by a pair used separately (CS-369)."""
    count = 0
    for other in queries.all_able(state):
        action = action_of(other)
        if action.kind not in ATTACKS or action.kind in RANGED:
            continue
        # Whose target is down turns to another foe as the blow is struck (CS-111).
        is_turned = other.id == blow.attacker and not any(target.able for target in targets_of(state, action))
        aims = blow.target in action.targets or (is_turned and blow.in_turn)
        if aims and progress.is_of_this_pass(state, other):
            mode = (other.id == blow.attacker and blow.mode) or action.mode
            pair = action.second and mode not in (CONCERT, MIXED) and set(action.targets) == {blow.target}
            count += 2 if pair else 1
    return count


# Defences left


class DefenceLeft(NamedTuple):
    """A defence left in this Action: its means, such as ``parry sword``, and its AV."""

    means: str
    av: int

    def __str__(self) -> str:
        return f"{self.means} {self.av}"


def list_defences_left(state: FightState, combatant: Combatant) -> tuple[DefenceLeft, ...]:
    """CS-169: the defences left in this Action one by one, the best first."""
    if not combatant.able:
        return ()
    ready = {
        items.name_of(thing): thing for thing in items.items_in_hand(combatant).values() if not items.is_missile(thing)
    }
    defences_left = [
        DefenceLeft(f"{PARRY} {name}", av)
        for name, thing in ready.items()
        if items.free_hands(combatant, name)
        for av in weapon_uses.remaining_values(state, combatant, thing)
    ]
    if BODY not in items.busy_parts(combatant):
        defences_left += [DefenceLeft(DODGE, av) for av in weapon_uses.remaining_dodge_values(state, combatant)]
    return tuple(sorted(defences_left, key=lambda defence: -defence.av))
