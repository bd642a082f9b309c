"""Weapons, shields, armour, objects: who holds or wears them, their wear, struggles for them (CS-200..227).

Layers are typed outermost first: ``doublemail:20/40; padded_simple:10``. The name is followed by the figures as
printed in the table (CS-572, CS-582), then by what is not in the table: a family, the share of a Slash that it takes,
a grade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, cast, get_args

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import as_int
from fightcall_engine.kit.views import Check
from fightcall_engine.model.errors import FieldValue, Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json, fields_of_record
from fightcall_engine.model.values import remembered_of, replace
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.wounds import (
    Family,
    Grade,
    Layer,
    Season,
    Standing,
    Worn,
    armour_types,
    clothing_layers,
)
from fightcall_engine.systems.segments.state import condition, events, queries, settings
from fightcall_engine.systems.segments.state.records import Pin, Struggle, Thing, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

BARE = "bare hands"
"""The item of a combatant who strikes with nothing in hand (CS-148)."""

Hand = Literal["R", "L"]
HANDS: tuple[Hand, ...] = ("R", "L")
MISSILES = ("bow", "shortbow", "sling", "fustibal", "crossbow-light", "crossbow-heavy")
_FIST: Mapping[str, Json] = {"name": BARE, "kind": "melee", "hand": "R", "av": None, "size": 0, "effects": ["blunt"]}
_MOST_FIGURES = 1024
_SHARES: Mapping[str, Fraction] = {"plate": Fraction(0), "cuerbully": Fraction(1, 2)}
"""The share of a Slash that a layer takes, by family (CS-591)."""


@remembered_of(_MOST_FIGURES)
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
        return _regain_events(combatant, name)
    free = empty_hands(combatant)
    new_name = name if item_named(combatant, name) is None else f"the other {name}"
    gained = {**thing, "name": new_name, "once": name, "av": None}
    hands = HANDS if thing.get("two_handed") and len(free) > 1 else free[:1]
    everything = (*fighter_of(combatant).gained, gained)
    return queries.set_traits(combatant, gained=everything, **_in_hands(new_name, hands))


def _regain_events(combatant: Combatant, name: str, hand: str = "") -> Events:
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


def item_named(combatant: Combatant, name: str) -> Mapping[str, Json] | None:
    """The item with this name, in any case, or None; bare hands are always there."""
    plain_name = name.strip().lower()
    if plain_name in ("", BARE, "fist", "bare"):
        return _FIST if plain_name else None
    return next((item for item in items_of(combatant) if str(item.get("name", "")).lower() == plain_name), None)


def find_item(combatant: Combatant, name: str) -> Mapping[str, Json]:
    """The item with this name, in any case; a refusal lists the items there are."""
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


_EMPTY = "-"


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
            trained = ("R", "2") if hand == "R" else ("L",)
            thing = next((each for each in items_of(combatant) if each.get("hand", "R") in trained), None)
        if thing is not None:
            in_hands[hand] = thing
            if thing.get("two_handed"):
                return {"R": thing, "L": thing}
    return in_hands


def hands_holding(combatant: Combatant, name: str) -> tuple[Hand, ...]:
    """The hands that hold the item with this name: both for a two-handed one, none if it is not in hand."""
    plain_name = name.lower()
    return tuple(hand for hand, thing in items_in_hand(combatant).items() if name_of(thing).lower() == plain_name)


def empty_hands(combatant: Combatant) -> tuple[Hand, ...]:
    """The hands that hold nothing."""
    return tuple(hand for hand in HANDS if hand not in items_in_hand(combatant))


def weapon_for(combatant: Combatant, kind: str, name: str) -> str:
    """The name of the item for an Action of this kind: as named, else the one in hand for it."""
    if name or kind not in queries.ATTACKS:
        return name_of(find_item(combatant, name)) if name else ""
    all_items = [*items_in_hand(combatant).values(), *items_of(combatant)]
    if kind == queries.SHOOT:
        fitting = [thing for thing in all_items if is_missile(thing)]
    elif kind == queries.HURL:
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
    return queries.SHOOT if thing is not None and is_missile(thing) else queries.STRIKE


# Hands in use


def parts_in_use(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that a declared Action binds (CS-146); handling an object does not bind them for that object."""
    action = queries.action_of(combatant)
    bound = bound_parts(combatant)
    return bound if action.kind == queries.OBJECT else (*action.bound, *bound)


def bound_parts(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that are bound by GM ruling."""
    return tuple(part for part, is_bound in fields_of_record(fighter_of(combatant).bound).items() if is_bound)


@remembered_of(_MOST_FIGURES)
def busy_parts(combatant: Combatant) -> tuple[str, ...]:
    """Body parts that neither defend nor strike out of turn: at other work, or bound (CS-146, CS-147, CS-416).

    Work of the whole body binds the hands too; an attack with the whole body leaves them what they hold (CS-422).
    """
    action = queries.action_of(combatant)
    bound = action.bound if action.kind in (queries.TASK, queries.OBJECT, queries.ACT) else ()
    hands = HANDS if queries.BODY in bound else ()
    whole = (queries.BODY,) if queries.BODY in action.bound else ()
    return (*bound, *hands, *whole, *bound_parts(combatant))


def free_hands(combatant: Combatant, name: str) -> tuple[Hand, ...]:
    """The hands that hold an item and are not busy; none if it needs both and one is busy (CS-146)."""
    hands, busy = hands_holding(combatant, name), busy_parts(combatant)
    free = tuple(hand for hand in hands if hand not in busy)
    return () if len(free) < len(hands) and items_in_hand(combatant)[hands[0]].get("two_handed") else free


# Drawing and dropping


def _in_hands(name: str, hands: Iterable[str]) -> dict[str, str]:
    fields = {"R": "right_hand", "L": "left_hand"}
    return {fields[hand]: name for hand in hands if hand in fields}


def pick_up_events(state: FightState, combatant_id: str, name: str, hand: str) -> Events:
    """The events that put an item of the sheet into a free hand."""
    combatant = state.combatants[combatant_id]
    if lost_item(combatant, name) is not None:
        taken = (
            event
            for other in state.roster
            for thing in fighter_of(other).gained
            if str(thing.get("once")).lower() == name.lower()
            for event in lose_events(other, name_of(thing))
        )
        return (*taken, *_regain_events(combatant, name, hand))
    thing = item_named(combatant, name)
    if thing is None or hands_holding(combatant, name):
        return ()
    empty = empty_hands(combatant)
    free = [side for side in empty if side not in parts_in_use(combatant)]
    if thing.get("two_handed"):
        return queries.set_traits(combatant, **_in_hands(name_of(thing), HANDS)) if len(empty) > 1 else ()
    chosen_hand = hand or next(iter(free), "")
    return queries.set_traits(combatant, **_in_hands(name_of(thing), (chosen_hand,)))


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


# Objects in play


def clean_name(name: str) -> str:
    """A name in one line, without characters that would end it where it is typed."""
    return _in_one_line(name, "=@|")[:60]


def _in_one_line(name: str, marks: str) -> str:
    """A name without the marks that stand between the parts of what is typed."""
    return " ".join(name.translate(dict.fromkeys(map(ord, marks), " ")).split())


def _find_thing(state: FightState, name: str) -> Thing | None:
    plain_name = clean_name(name).lower()
    return next((thing for thing in battle_of(state).things if thing.name.lower() == plain_name), None)


def holder_of(state: FightState, name: str) -> str:
    """The id of an object's holder; empty without one who is here and up (CS-111)."""
    match = _find_thing(state, name)
    return match.holder if match is not None and _is_able(state, match.holder) else ""


def in_the_air_check(state: FightState, name: str, rule: str) -> Check:
    """CS-213, CS-216: only an object that nobody holds can be caught."""
    holder = holder_of(state, name)
    name_of_holder = state.combatants[holder].name if holder else ""
    return Check(
        not holder, rule, f"{name_of_holder} has {clean_name(name)} in hand", (f"{name_of_holder} throws or drops it",)
    )


def has_changed_hands_now(state: FightState, name: str) -> bool:
    """Whether an object came into its holder's hand in the running segment (CS-203)."""
    match = _find_thing(state, name)
    return match is not None and bool(holder_of(state, name)) and match.since == state.round


def things_held_by(state: FightState, combatant_id: str) -> tuple[str, ...]:
    """Names of the objects that a combatant holds."""
    return tuple(thing.name for thing in battle_of(state).things if thing.holder == combatant_id)


def move_object(
    state: FightState,
    combatant_id: str,
    name: str,
    how: str,
    holder: str = "",
    *,
    other: str = "",
    octant: int | None = None,
) -> events.ObjectMoved:
    """The event that an object is moved: by whom, how, and its holder now."""
    thing_name = clean_name(name)
    others = [thing for thing in battle_of(state).things if thing.name.lower() != thing_name.lower()]
    before, now = battle_of(state).things, (*others, Thing(thing_name, holder, state.round))
    fields = {"who": combatant_id, "thing": thing_name, "how": how, "holder": holder, "other": other}
    return events.ObjectMoved(before=before, value=now, octant=octant, **fields)


def break_object(state: FightState, combatant_id: str, name: str, how: str = "breaks") -> Events:
    """The event that an object breaks."""
    return (move_object(state, combatant_id, name, how, holder_of(state, name)),)


# Struggles for an object (CS-203 to CS-208)


def struggles_of(state: FightState) -> tuple[Struggle, ...]:
    """The running struggles, without those who have left or gone down."""
    return tuple(
        _with_people(struggle, lambda combatant_id: _is_able(state, combatant_id))
        for struggle in battle_of(state).struggles
    )


def _with_people(struggle: Struggle, stays: Callable[[str], bool]) -> Struggle:
    groups = (struggle.hands, struggle.late, struggle.made, struggle.lost)
    hands, late, made, lost = (tuple(filter(stays, group)) for group in groups)
    return replace(struggle, hands=hands, late=late, made=made, lost=lost)


def _is_able(state: FightState, combatant_id: str) -> bool:
    return combatant_id in state.combatants and state.combatants[combatant_id].able


def struggle_for(state: FightState, thing: str) -> Struggle | None:
    """The struggle for an object, in any case of its name, or None."""
    plain_name = clean_name(thing).lower()
    return next((struggle for struggle in struggles_of(state) if struggle.thing.lower() == plain_name), None)


def change_struggle(state: FightState, struggle: Struggle, *, over: bool = False) -> events.StruggleChanged:
    """The event that changes or (`over`) ends a struggle."""
    others = [other for other in struggles_of(state) if other.thing.lower() != struggle.thing.lower()]
    return events.StruggleChanged(
        before=battle_of(state).struggles,
        value=tuple(others if over else [*others, struggle]),
        thing=struggle.thing,
        holding=struggle.all_hands,
        until=0 if over else attacks.struggle_ends(struggle.due, bool(struggle.late)),
    )


def leave_struggles(decision: Decision, combatant_id: str) -> None:
    """Remove a combatant from all struggles; a last one left holds the object."""
    state = decision.state
    is_involved = any(
        combatant_id in (*other.all_hands, *other.made, *other.lost) for other in battle_of(state).struggles
    )
    for going_on in struggles_of(state) if is_involved else ():
        struggle_left = _with_people(going_on, lambda other_id: other_id != combatant_id)
        decision.emit(change_struggle(decision.state, struggle_left, over=not struggle_left.all_hands))


# Reading and writing a layer


@lru_cache
def find_layer(name: str) -> Layer | None:
    """The type of the text's table with this key or name, or None."""
    return settings.find_armour(name, armour_types())


def _layer_of(text: str) -> Layer | None:
    name, _, rest = text.strip().partition(":")
    figures, *words = (word.strip() for word in rest.split(":"))
    if not name.strip():
        return None
    layer = _new_layer(name.strip(), words)
    first, _, second = figures.partition("/")
    if _is_figure(first):
        layer = replace(layer, dr=int(first), wear=int(second) if _is_figure(second) else None)
    grade = next((cast(Grade, word) for word in words if word in get_args(Grade)), None)
    return replace(layer, grade=grade)


def _new_layer(name: str, words: list[str]) -> Layer:
    """An unworn layer of this name: as in the table, changed by the other words of its entry."""
    listed_layer = find_layer(name) or Layer(name, "other", 0)
    family = next((cast(Family, word) for word in words if word in get_args(Family)), listed_layer.family)
    text = next((word.removeprefix(_SLASHED) for word in words if word.startswith(_SLASHED)), "")
    if _SHARE.fullmatch(text):
        share = min(Fraction(1), Fraction(text))
    else:
        share = listed_layer.slash if family == listed_layer.family else _SHARES.get(family, Fraction(1))
    return replace(listed_layer, family=family, slash=share)


def _is_figure(text: str) -> bool:
    return text.strip().isdecimal() and len(text.strip()) < _MOST_DIGITS


_MOST_DIGITS = 7
_SLASHED = "slash "
_SHARE = re.compile(r"\d{1,3}(/[1-9]\d{0,2})?")


def entry_of(layer: Layer) -> str:
    """The entry of a layer."""
    name = _in_one_line(layer.name, ";:")
    family = () if layer.family == _new_layer(name, []).family else (layer.family,)
    slash = () if layer.slash == _new_layer(name, [*family]).slash else (f"{_SLASHED}{layer.slash}",)
    return ":".join((name, layer.figures, *family, *slash, *((layer.grade,) if layer.grade else ())))


def format_layers(layers: tuple[Layer, ...]) -> str:
    """Layers as the GM types them."""
    return "; ".join(entry_of(layer) for layer in layers)


def from_sheet(data: object) -> tuple[Layer, ...]:
    """The layers of a sheet (CS-572)."""
    entries = data if isinstance(data, list | tuple) else ()
    return tuple(_on_sheet(item) for item in entries if isinstance(item, Mapping))


def _on_sheet(item: Mapping[str, Json]) -> Layer:
    name = str(item.get("type") or "armour")
    slash = str(item.get("slash") or "")
    layer = _new_layer(name, [str(item.get("family") or ""), f"{_SLASHED}{slash}" if slash else ""])
    dr, wear, grade = as_int(item.get("dr")), as_int(item.get("wear_total")), item.get("grade")
    return replace(
        layer,
        dr=layer.dr if dr is None else dr,
        # A type of the GM's own is complete, even without a second figure.
        wear=layer.wear if wear is None and not slash else wear,
        grade=cast(Grade, grade) if grade in get_args(Grade) else None,
    )


# Worn layers


def layers_of(state: FightState, combatant: Combatant) -> tuple[tuple[str, int, int], ...]:
    """Each layer with what is left of how much: of its second figure, if armour wears (CS-582)."""
    wearing = settings_of(state).armour_wear
    new = _new_layers(profile_of(combatant).armour)
    layers = []
    for place, layer in enumerate(fighter_of(combatant).armour):
        first = new[place] if place < len(new) and new[place].name == layer.name else find_layer(layer.name) or layer
        layers.append((layer.name, *remaining_figure(layer, first, wearing)))
    return tuple(layers)


_new_layers = remembered_of(1024)(from_sheet)


def remaining_figure(now: Layer, new: Layer, wearing: bool) -> tuple[int, int]:
    """What is left of a layer, of how much: of its second figure, if armour wears (CS-582)."""
    left, of = (layer.wear if wearing and layer.wear is not None else layer.dr for layer in (now, new))
    return left, max(left, of)


def shield_of(combatant: Combatant, name: str = "") -> Layer | None:
    """The shield in hand with this name, or the first, as a layer; None if none still protects."""
    matches = (now for now, _ in shields_of(combatant) if not name or now.name.lower() == name.lower())
    return next(matches, None)


def shields_of(combatant: Combatant) -> tuple[tuple[Layer, Layer], ...]:
    """The shields in hand as layers, each as it is now and as it was new."""
    wear_of = {layer.name.lower(): layer for layer in fighter_of(combatant).shields}
    by_name: dict[str, tuple[Layer, Layer]] = {}
    for thing in items_in_hand(combatant).values():
        if is_shield(thing):
            label = name_of(thing)
            listed_layer = find_layer(label) or find_layer(f"shield {label}")
            listed_dr = listed_layer.dr if listed_layer is not None else 0
            new = Layer(label, "shield", as_int(thing.get("dr")) or listed_dr, as_int(thing.get("wear")))
            layer_now = wear_of.get(new.name.lower(), new)
            by_name.setdefault(new.name.lower(), (replace(new, dr=layer_now.dr, wear=layer_now.wear), new))
    return tuple(by_name.values())


def check_chosen(combatant: Combatant, in_way_by_gm: bool | None) -> None:
    """CS-597: check that a shield is there, with a known DR, if the GM says it is in the way."""
    worn_shield = shield_of(combatant) if in_way_by_gm else None
    if in_way_by_gm and worn_shield is None:
        accepts = (FieldValue("shield", False), "a shield in hand")
        raise Refused("CS-597", f"{combatant.name} holds no shield", accepts, final=True)
    if (
        worn_shield is not None
        and not worn_shield.dr
        and worn_shield.name.lower() not in (layer.name.lower() for layer in fighter_of(combatant).shields)
    ):
        types = tuple(f"dr {layer.dr} as {layer.name}" for layer in armour_types().values() if layer.family == "shield")
        raise Refused("CS-597", f"{combatant.name}'s {worn_shield.name} has no DR entered", types, final=True)


def clothing_of(state: FightState, combatant: Combatant) -> int:
    """Layers of street clothes: as on the sheet, else usual for the combatant's standing (CS-567)."""
    layers, standing = profile_of(combatant).clothing_layers, profile_of(combatant).standing
    if layers is not None:
        return layers
    if standing not in get_args(Standing):
        return 0
    season: Season = settings_of(state).season
    return clothing_layers(cast(Standing, standing), season)


# Wear


def emit_wear(
    decision: Decision, combatant_id: str, wear: tuple[Worn, ...], after: tuple[Layer, ...], with_shield: bool
) -> None:
    """CS-580, CS-584: emit what each layer has lost, and which are ruined."""
    for change in wear:
        fighter, now = fighter_of(decision.state.combatants[combatant_id]), after[change.place]
        traits: Mapping[str, tuple[Layer, ...]]
        if with_shield and change.place == 0:
            others = [layer for layer in fighter.shields if layer.name.lower() != now.name.lower()]
            traits = {"shields": (*others, replace(now, family="other"))}
        else:
            place = change.place - with_shield
            traits = {"armour": (*fighter.armour[:place], now, *fighter.armour[place + 1 :])}
        kind = condition.ArmourWorn if change.left else condition.ArmourDestroyed
        decision.emit(kind(who=combatant_id, traits=traits, layer=change.name, lost=change.lost, left=change.left))


def parse_layer(entry: str, table: settings.Armoury) -> Layer:
    """The layer of an entry that the GM typed: with its own figures, else as in the fight's armoury."""
    name, _, rest = entry.strip().partition(":")
    layer, listed_layer = _layer_of(entry), table.layer(name)
    has_figures = _is_figure(rest.partition(":")[0].partition("/")[0])
    if layer is None or (listed_layer is None and not has_figures):
        accepts = (*table.armour, "name:DR, such as coat:12 or coat:10/40")
        raise Refused("CS-572", f"{name!r} is not armour from the table", accepts, final=True)
    if listed_layer is None or listed_layer == find_layer(name):
        return layer
    figures = layer if has_figures else listed_layer
    standard = find_layer(listed_layer.name) or listed_layer
    return replace(listed_layer, name=standard.name, dr=figures.dr, wear=figures.wear, grade=layer.grade)
