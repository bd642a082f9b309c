"""A combatant's weapons, shields and objects, the hands that hold them, and the choice of one for an Action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json, fields_of_record
from fightcall_engine.model.values import remembered_of
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.action import (
    ACT,
    ATTACKS,
    BODY,
    HURL,
    OBJECT,
    SHOOT,
    STRIKE,
    TASK,
    action_of,
)
from fightcall_engine.systems.segments.state.fighter import Pin, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

BARE = "bare hands"
"""The item of a combatant who strikes with nothing in hand (CS-148)."""

Hand = Literal["R", "L"]

HANDS: tuple[Hand, ...] = ("R", "L")

MISSILES = ("bow", "shortbow", "sling", "fustibal", "crossbow-light", "crossbow-heavy")

_FIST: Mapping[str, Json] = {"name": BARE, "kind": "melee", "hand": "R", "av": None, "size": 0, "effects": ["blunt"]}


def items_of(combatant: Combatant) -> tuple[Mapping[str, Json], ...]:
    """The unbroken items that a combatant has: weapons, shields, objects, and what was taken from others."""
    fighter = fighter_of(combatant)
    gone, weapons = (*fighter.broken, *fighter.lost), (*profile_of(combatant).weapons, *fighter.gained)
    return tuple(thing for thing in weapons if name_of(thing).lower() not in gone) if gone else weapons


def lost_item(combatant: Combatant, name: str) -> Mapping[str, Json] | None:
    """The own item with this name that lies on the ground or that another has, or None."""
    plain_name = name.strip().lower()
    weapons = profile_of(combatant).weapons if plain_name in fighter_of(combatant).lost else ()
    return next((thing for thing in weapons if name_of(thing).lower() == plain_name), None)


def lose_events(combatant: Combatant, name: str) -> Events:
    """The events that an item leaves a combatant's hands and is no longer at hand (CS-321, CS-345)."""
    fighter, plain_name = fighter_of(combatant), name.lower()
    gained_left = tuple(thing for thing in fighter.gained if name_of(thing).lower() != plain_name)
    lost = fighter.lost if len(gained_left) < len(fighter.gained) else (*fighter.lost, plain_name)
    hands = _in_hands("", hands_holding(combatant, name))
    return queries.set_traits(combatant, lost=lost, gained=gained_left, pinned=pins_without(combatant, name), **hands)


def gain_events(combatant: Combatant, thing: Mapping[str, Json]) -> Events:
    """The events that a combatant holds an item that was another's; its own skill with it is not known (CS-345)."""
    name = str(thing.get("once") or name_of(thing))
    if lost_item(combatant, name) is not None:
        return regain_events(combatant, name)
    free = empty_hands(combatant)
    new_name = name if item_named(combatant, name) is None else f"the other {name}"
    gained = {**thing, "name": new_name, "once": name, "av": None}
    hands = HANDS if thing.get("two_handed") and len(free) > 1 else free[:1]
    everything = (*fighter_of(combatant).gained, gained)
    return queries.set_traits(combatant, gained=everything, **_in_hands(new_name, hands))


def regain_events(combatant: Combatant, name: str, hand: str = "") -> Events:
    """The events that a combatant has a lost item in hand again."""
    thing, free = lost_item(combatant, name), empty_hands(combatant)
    if thing is None:
        return ()
    hands = HANDS if thing.get("two_handed") and len(free) > 1 else (hand,) if hand else free[:1]
    lost = tuple(each for each in fighter_of(combatant).lost if each != name_of(thing).lower())
    return queries.set_traits(combatant, lost=lost, **_in_hands(name_of(thing), hands))


# Pinned weapons


def pin_of(combatant: Combatant, name: str) -> Pin | None:
    """What pins a combatant's weapon, or None (CS-321)."""
    return next((pin for pin in fighter_of(combatant).pinned if pin.weapon.lower() == name.lower()), None)


def pins_without(combatant: Combatant, name: str) -> tuple[Pin, ...]:
    """A combatant's pinned weapons without one of them."""
    return tuple(pin for pin in fighter_of(combatant).pinned if pin.weapon.lower() != name.lower())


def broken_items(combatant: Combatant) -> tuple[str, ...]:
    """Names of broken items, in lower case (CS-641)."""
    return fighter_of(combatant).broken


def broken_traits(combatant: Combatant, name: str) -> Mapping[str, Json]:
    """The change of the record when one more item breaks (CS-641)."""
    return {"broken": (*broken_items(combatant), name.lower())}


def item_named(combatant: Combatant, name: str) -> Mapping[str, Json] | None:
    """The item with this name, in any case, or None; bare hands are always there."""
    plain_name = name.strip().lower()
    if plain_name in ("", BARE, "fist", "bare"):
        return _FIST if plain_name else None
    return next((item for item in items_of(combatant) if str(item.get("name", "")).lower() == plain_name), None)


def find_item(combatant: Combatant, name: str) -> Mapping[str, Json]:
    """The item with this name, in any case.

    Raises:
        Refused: there is none; lists the items there are.
    """
    match = item_named(combatant, name)
    if match is None and lost_item(combatant, name) is not None:
        message = f"{name} is out of {combatant.name}'s hands: pick it up or seize it first"
        raise Refused("CS-321", message, ("handle: take", BARE), final=True)
    if match is None:
        names = (*(str(thing["name"]) for thing in items_of(combatant)), BARE)
        raise Refused("weapon", f"{combatant.name} has no {name!r}", names, final=True)
    return match


def name_of(thing: Mapping[str, Json]) -> str:
    """The name of an item."""
    return str(thing.get("name", ""))


def is_missile(thing: Mapping[str, Json]) -> bool:
    """Whether an item shoots: bows, slings, crossbows."""
    return thing.get("kind") == "missile" or thing.get("family") in MISSILES


def is_shield(thing: Mapping[str, Json]) -> bool:
    """Whether an item is a shield."""
    return thing.get("kind") == "shield"


_MOST_FIGURES = 1024

_EMPTY = "-"
"""The mark of an empty hand on a sheet."""


@remembered_of(_MOST_FIGURES)
def items_in_hand(combatant: Combatant) -> Mapping[Hand, Mapping[str, Json]]:
    """What each hand holds: by GM ruling, else by the sheet's `hands`, else by the hand of each item."""
    sheet_hands = profile_of(combatant).hands
    in_hands: dict[Hand, Mapping[str, Json]] = {}
    fighter = fighter_of(combatant)
    own_right, own_left = ("", "") if sheet_hands is None else (sheet_hands.right, sheet_hands.left)
    hands: Mapping[Hand, tuple[str | None, str]] = {
        "R": (fighter.right_hand, own_right),
        "L": (fighter.left_hand, own_left),
    }
    for hand, (ruled_name, own_name) in hands.items():
        name = own_name if ruled_name is None else ruled_name
        thing = item_named(combatant, name) if name and name != _EMPTY else None
        if thing is None and ruled_name is None and sheet_hands is None:
            thing = _first_for(combatant, hand)
        if thing is not None:
            in_hands[hand] = thing
            if thing.get("two_handed"):
                return {"R": thing, "L": thing}
    return in_hands


def _first_for(combatant: Combatant, hand: Hand) -> Mapping[str, Json] | None:
    hands = ("R", "2") if hand == "R" else ("L",)
    return next((thing for thing in items_of(combatant) if thing.get("hand", "R") in hands), None)


def hands_holding(combatant: Combatant, name: str) -> tuple[Hand, ...]:
    """The hands that hold the item with this name: both for a two-handed one, none if it is not in hand."""
    plain_name = name.lower()
    return tuple(hand for hand, thing in items_in_hand(combatant).items() if name_of(thing).lower() == plain_name)


def armed_hands(combatant: Combatant) -> tuple[Hand, ...]:
    """The hands that hold something."""
    return tuple(items_in_hand(combatant))


def empty_hands(combatant: Combatant) -> tuple[Hand, ...]:
    """The hands that hold nothing."""
    return tuple(hand for hand in HANDS if hand not in armed_hands(combatant))


def weapon_for(combatant: Combatant, kind: str, name: str) -> str:
    """The name of the item for an Action of this kind: as named, else the one in hand for it.

    Raises:
        Refused: there is no such item.
    """
    if kind not in ATTACKS:
        return name_of(find_item(combatant, name)) if name else ""
    if name:
        return name_of(find_item(combatant, name))
    all_items = [*items_in_hand(combatant).values(), *items_of(combatant)]
    if kind == SHOOT:
        fitting = [thing for thing in all_items if is_missile(thing)]
    elif kind == HURL:
        throwables = [thing for thing in all_items if thing.get("hurlable") or thing.get("kind") == "hurled"]
        fitting = throwables or [thing for thing in all_items if thing.get("kind") == "object"]
    else:
        fitting = weapons_in_hand(combatant)
    return name_of(fitting[0]) if fitting else BARE


def weapons_in_hand(combatant: Combatant) -> list[Mapping[str, Json]]:
    """The melee weapons in hand, no shields, the usual one first."""
    return [thing for thing in items_in_hand(combatant).values() if not is_missile(thing) and not is_shield(thing)]


def item_to_drop(combatant: Combatant) -> str:
    """The item dropped before another is drawn (CS-147): one that shoots, else the first; empty if a hand is free."""
    items_by_hand = items_in_hand(combatant)
    if len(items_by_hand) < len(HANDS):
        return ""
    return name_of(next((thing for thing in items_by_hand.values() if is_missile(thing)), items_by_hand[HANDS[0]]))


def sheathed_weapon(combatant: Combatant) -> str:
    """The first melee weapon not in hand that can be drawn, also after a drop (CS-123), or empty."""
    in_hand = items_in_hand(combatant).values()
    free = len(HANDS) - len(items_in_hand(combatant)) or len(hands_holding(combatant, item_to_drop(combatant)))
    melee_weapons = (thing for thing in items_of(combatant) if thing.get("kind") == "melee" and thing not in in_hand)
    return next((name_of(thing) for thing in melee_weapons if free >= (2 if thing.get("two_handed") else 1)), "")


def usual_attack(combatant: Combatant, name: str) -> str:
    """The usual kind of Action with a weapon: shooting if it shoots, else striking."""
    thing = item_named(combatant, name) if name else next(iter(items_in_hand(combatant).values()), None)
    return SHOOT if thing is not None and is_missile(thing) else STRIKE


def skill_key(thing: Mapping[str, Json]) -> str:
    """The key under which uses of an item are counted: its base skill and hand (CS-238, CS-239)."""
    skill = str(thing.get("base_skill") or name_of(thing))
    return f"{skill}/{thing.get('hand', 'R')}"


# Hands in use


def parts_in_use(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that a declared Action binds (CS-146); handling an object does not bind them for that object."""
    action = action_of(combatant)
    bound = bound_parts(combatant)
    return bound if action.kind == OBJECT else (*action.bound, *bound)


def bound_parts(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that are bound by GM ruling."""
    return tuple(part for part, is_bound in fields_of_record(fighter_of(combatant).bound).items() if is_bound)


def busy_parts(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that neither defend nor strike out of turn: at other work, or bound (CS-146, CS-147, CS-416).

    Work of the whole body binds the hands too; an attack with the whole body leaves them what they hold (CS-422).
    """
    action = action_of(combatant)
    bound = action.bound if action.kind in (TASK, OBJECT, ACT) else ()
    hands = HANDS if BODY in bound else ()
    whole = (BODY,) if BODY in action.bound else ()
    return (*bound, *hands, *whole, *bound_parts(combatant))


def free_hands(combatant: Combatant, name: str) -> tuple[Hand, ...]:
    """The hands that hold an item and are not busy; none if it needs both and one is busy (CS-146)."""
    hands, busy, thing = hands_holding(combatant, name), busy_parts(combatant), item_named(combatant, name)
    free = tuple(hand for hand in hands if hand not in busy)
    needs_both = thing is not None and bool(thing.get("two_handed"))
    return () if needs_both and len(free) < len(hands) else free


# Drawing and dropping


def _in_hands(name: str, hands: Iterable[str]) -> dict[str, str]:
    """The fields that put an item into these hands; none for an empty name."""
    fields = {"R": "right_hand", "L": "left_hand"}
    return {fields[hand]: name for hand in hands if hand in fields}


def pick_up_events(state: FightState, combatant_id: str, name: str, hand: str) -> Events:
    """The events that put an item of the sheet into a free hand."""
    combatant = state.combatants[combatant_id]
    if lost_item(combatant, name) is not None:
        return (*_leave_taken(state, name), *regain_events(combatant, name, hand))
    thing = item_named(combatant, name)
    if thing is None or hands_holding(combatant, name):
        return ()
    empty = empty_hands(combatant)
    free = [side for side in empty if side not in parts_in_use(combatant)]
    if thing.get("two_handed"):
        return queries.set_traits(combatant, **_in_hands(name_of(thing), HANDS)) if len(empty) > 1 else ()
    chosen_hand = hand or next(iter(free), "")
    return queries.set_traits(combatant, **_in_hands(name_of(thing), (chosen_hand,)))


def _leave_taken(state: FightState, name: str) -> Events:
    """The events that nobody else has an item any more that its owner picks up."""
    return tuple(
        event
        for other in state.roster
        for thing in fighter_of(other).gained
        if str(thing.get("once")).lower() == name.lower()
        for event in lose_events(other, name_of(thing))
    )


def draw_events(combatant: Combatant, name: str) -> Events:
    """CS-123, CS-257: draw a ready weapon, or grab a missile that is laid out, as part of the attack with it.

    It goes into the hand it was trained with, else the other; no events if none is free.
    """
    thing = item_named(combatant, name)
    if thing is None or name_of(thing) == BARE or hands_holding(combatant, name):
        return ()
    free = empty_hands(combatant)
    if thing.get("two_handed"):
        return queries.set_traits(combatant, **_in_hands(name_of(thing), HANDS)) if len(free) > 1 else ()
    trained_hands = [hand for hand in free if hand == thing.get("hand", "R")]
    chosen_hand = next(iter((*trained_hands, *free)), "")
    return queries.set_traits(combatant, **_in_hands(name_of(thing), (chosen_hand,)))


def drop_events(combatant: Combatant, name: str) -> Events:
    """CS-147: the events that take a dropped item out of all hands."""
    hands = _in_hands("", hands_holding(combatant, name))
    return queries.set_traits(combatant, pinned=pins_without(combatant, name), **hands)
