"""Relative positions: distance, Zones, Fields of Approach, kinds of melee, noticed foes (CS-250, CS-300..326).

They come from the board, or from a GM ruling (`Pair`) without a board or without a facing. Unknown ones forbid
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import HexBoard, hex_board
from fightcall_engine.kit.views import ANOTHER_TARGET, Check
from fightcall_engine.model.errors import Accepted, FieldValue
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import Combatant, FightState, fields_of_record
from fightcall_engine.model.values import remembered, remembered_of
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import Number, exact
from fightcall_engine.systems.segments.rules.ranges import FIELDS, Defence, Field, Hand, MeleeMode
from fightcall_engine.systems.segments.state import items, queries
from fightcall_engine.systems.segments.state.records import Pair, battle_of, fighter_of, profile_of

# The GM's word on a pair


UNTOLD = Pair()
RANGED_GAP = 5
"""Feet between two Zones from which on a fight is ranged (CS-251)."""

LONGEST_STEP = 1.415
"""More places than a step is long, even across a square's corner."""

_MOST_FIGURES = 1024
_FEET: Mapping[str, Fraction] = {"yd": Fraction(3), "m": Fraction(10_000, 3048), "in": Fraction(1, 12)}


CLOSE, COMMON = "close", "common"
MODES = (CLOSE, COMMON)


def set_pair(combatant: Combatant, foe: str, pair: Pair) -> Events:
    """The event that sets where a foe stands relative to a combatant; none without a change."""
    return set_pairs(combatant, {**fighter_of(combatant).adjacent, foe: pair})


def set_pairs(combatant: Combatant, adjacent: Mapping[str, Pair]) -> Events:
    """The event that sets where all foes stand relative to a combatant."""
    return queries.set_traits(combatant, adjacent={foe: pair for foe, pair in adjacent.items() if pair != UNTOLD})


def close_quarters_events(state: FightState, combatant_id: str, other_id: str) -> Events:
    """The events that put two at close quarters, each within the other's guard (CS-460, CS-468)."""
    pair = state.combatants[combatant_id], state.combatants[other_id]
    return tuple(
        event
        for first, second in (pair, pair[::-1])
        for event in set_pair(first, second.id, Pair(pair_of(first, second).field, "close"))
    )


def pair_of(combatant: Combatant, foe: Combatant) -> Pair:
    """Where a foe stands relative to a combatant, by GM ruling."""
    return fighter_of(combatant).adjacent.get(foe.id, UNTOLD)


def restore_distance(combatant: Combatant) -> Events:
    """The events of a combatant stepping back from foes who had got inside its guard (CS-322)."""
    pairs = fighter_of(combatant).adjacent.items()
    return set_pairs(combatant, {foe: Pair(pair.field) if pair.mode == CLOSE else pair for foe, pair in pairs})


@remembered_of(_MOST_FIGURES)
def shut_fields(combatant: Combatant) -> frozenset[Field]:
    """The fields that comrades at the combatant's side or back close (CS-308)."""
    shut = fields_of_record(fighter_of(combatant).shut_fields)
    return frozenset(field for field in FIELDS if shut[field])


# Foes who have met and not parted since, and hidden ones who have been noticed (CS-236, CS-265)


def foes_met(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The ids of the foes whom a combatant has met and not parted from."""
    pairs = (pair for pair in battle_of(state).met if combatant.id in pair)
    return frozenset(second if first == combatant.id else first for first, second in pairs)


def make_aware(combatant: Combatant, foe: Combatant) -> Events:
    """The event that a combatant knows where a foe hides."""
    aware_of = fighter_of(combatant).aware_of
    return () if foe.id in aware_of else queries.set_traits(combatant, aware_of=(*aware_of, foe.id))


def noticed_without(combatant: Combatant, combatant_id: str) -> tuple[str, ...]:
    """The hidden foes that a combatant has noticed, without one of them."""
    return tuple(aware_id for aware_id in fighter_of(combatant).aware_of if aware_id != combatant_id)


def has_noticed(combatant: Combatant, foe: Combatant) -> bool:
    """CS-265: whether a foe is in the open, or has been noticed in hiding by this combatant."""
    return not foe.hidden or foe.id in fighter_of(combatant).aware_of


def aware_check(state: FightState, combatant: Combatant, target: Combatant) -> Check:
    """CS-265: check that a combatant knows where a hidden target is; friends do."""
    problem = f"{combatant.name} doesn't know where {target.name} is"
    accepts = (ANOTHER_TARGET, "an Awareness check after a shot")
    return Check(_knows_place(state, combatant, target), "CS-265", problem, accepts)


@remembered
def others_known(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """CS-265: all others who are up, without the hidden foes whom a combatant has not found."""
    others = (other for other in queries.all_able(state) if other.id != combatant.id)
    return tuple(other for other in others if _knows_place(state, combatant, other))


def _knows_place(state: FightState, combatant: Combatant, other: Combatant) -> bool:
    return has_noticed(combatant, other) or not state.are_foes(combatant.id, other.id)


# Relative positions


def drop_lost_pairs(state: FightState) -> Events:
    """Forget what holds only near: a GM ruling, who is inside a guard, and pins (CS-321 to CS-323)."""
    drop_events: list[Event] = []
    for combatant in state.combatants.values():
        adjacent = fighter_of(combatant).adjacent
        near = {
            combatant_id: pair
            for combatant_id, pair in adjacent.items()
            if combatant_id in state.combatants and _are_together(state, combatant, combatant_id)
        }
        pins = tuple(pin for pin in fighter_of(combatant).pinned if _are_together(state, combatant, pin.by))
        drop_events += (*set_pairs(combatant, near), *queries.set_traits(combatant, pinned=pins))
    return tuple(drop_events)


def _are_together(state: FightState, combatant: Combatant, combatant_id: str) -> bool:
    other = state.combatants[combatant_id]
    gap = zone_gap(state, combatant, other)
    return gap is None or is_touching(state, combatant, other) or gap <= 0


# Distance


def can_measure(state: FightState, *people: Combatant) -> bool:
    """Whether all stand on a board with distances: of hexes or squares, not of zones."""
    board = state.board
    if board is None or not people:
        return False
    return all(
        combatant.at is not None and board.contact(combatant.at, combatant.at) is not None for combatant in people
    )


def feet_per_place(board: AnyBoard | None) -> Fraction:
    """Feet for one place of the board; 5 without one (CS-681)."""
    return Fraction(5) if board is None else _in_feet(board.scale, board.unit)


@lru_cache
def _in_feet(scale: float, unit: str) -> Fraction:
    return exact(scale) * _FEET.get(unit, Fraction(1))


def distance_ft(state: FightState, combatant: Combatant, other: Combatant) -> Fraction | None:
    """Feet between the middles of two figures, or None (CS-251)."""
    if state.board is None or combatant.at is None or other.at is None or not can_measure(state, combatant, other):
        return None
    return feet_of(state.board, state.board.length(combatant.at, other.at) / state.board.scale)


def feet_of(board: AnyBoard, places: float) -> Fraction:
    """Feet of so many places of a board."""
    return _feet_between(places, board.scale, board.unit)


@lru_cache(4096)
def _feet_between(places: float, scale: float, unit: str) -> Fraction:
    return exact(places) * _in_feet(scale, unit)


def is_touching(state: FightState, combatant: Combatant, other: Combatant) -> bool:
    """Whether two figures are on neighbouring places, or in contact by GM ruling."""
    if state.board is not None and combatant.at is not None and other.at is not None:
        touching = state.board.contact(combatant.at, other.at)
        if touching is not None:
            return touching or combatant.at == other.at
    return (combatant.id, other.id) in state.contacts or (other.id, combatant.id) in state.contacts


def zone_gap(state: FightState, combatant: Combatant, other: Combatant) -> Fraction | None:
    """Feet between the edges of two Zones, below 0 if they overlap, 0 in contact, or None (CS-251, CS-682)."""
    feet = distance_ft(state, combatant, other)
    if feet is None:
        return Fraction(0) if is_touching(state, combatant, other) else None
    return gap_at(feet, combatant, other)


def gap_at(feet: Fraction, combatant: Combatant, other: Combatant) -> Fraction:
    """Feet between the edges of two Zones whose middles are so far apart."""
    return _gap_between(feet, profile_of(combatant).height, profile_of(other).height)


_gap_between = remembered_of(4096)(ranges.zone_gap)


def is_engaged(state: FightState, combatant: Combatant, other: Combatant) -> bool:
    """Whether two figures are near enough for melee: they touch, or their Zones meet (CS-250)."""
    if is_touching(state, combatant, other):
        return True
    gap = zone_gap(state, combatant, other)
    return gap is not None and gap <= 0


@remembered
def ids_engaged(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The ids of all who are near enough to a combatant for melee, itself among them (CS-250)."""
    return frozenset(other.id for other in people_near(state, combatant) if is_engaged(state, combatant, other))


def people_near(state: FightState, combatant: Combatant, feet: Number = 0) -> tuple[Combatant, ...]:
    """All but those who are surely farther from a combatant than melee and so many feet, in roster order."""
    people, board, here = state.roster, state.board, combatant.at
    if board is None or here is None or not can_measure(state, combatant):
        return people
    melee = (_height_of(combatant) + max(map(_height_of, state.combatants.values()))) / 2
    # Distances are rounded to a thousandth.
    far = max(LONGEST_STEP, max(feet, melee) / float(feet_per_place(board)) + 0.001) * board.scale
    return tuple(other for other in people if other.at is None or board.length(here, other.at) <= far)


@remembered_of(_MOST_FIGURES)
def _height_of(combatant: Combatant) -> float:
    return float(profile_of(combatant).height)


# Fields of Approach


def field_of(state: FightState, combatant: Combatant, foe: Combatant) -> Field | None:
    """The Field of Approach of a combatant in which a foe is, or None (CS-300)."""
    field = None if foe.at is None else field_at(state, combatant, foe.at)
    return pair_of(combatant, foe).field if field is None else field


def field_at(state: FightState, combatant: Combatant, place: Location) -> Field | None:
    """The Field of Approach of a combatant in which a place is; None for its own, or without a facing (CS-300)."""
    board = state.board
    if board is None or combatant.at is None or combatant.facing is None:
        return None
    if hex_board(board) is None:
        bearing = board.bearing(combatant.at, place)
        return None if bearing is None else ranges.field_by_octant(combatant.facing, bearing)
    (here_q, here_r), (there_q, there_r) = _coordinates(combatant.at), _coordinates(place)
    degrees = ranges.degrees_on_hexes(there_q - here_q, there_r - here_r)
    return (
        None if degrees is None else ranges.field_by_degrees(combatant.facing * 360 / len(HexBoard.directions), degrees)
    )


def _coordinates(place: Location) -> tuple[int, int]:
    return (0, 0) if isinstance(place, str) else (place[0], place[1])


def field_checks(state: FightState, attacker: Combatant, target: Combatant) -> tuple[Check, ...]:
    """CS-308: nobody attacks through a field that a formation closes."""
    field, shut = field_of(state, target, attacker), shut_fields(target)
    problem = f"{target.name}'s {ranges.uses()[field].label if field else 'field'} is closed by the formation"
    is_open = field is None or field not in shut
    return (Check(is_open, "CS-308", problem, tuple(item for item in FIELDS if item not in shut)),)


def attack_hands(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Hand, ...]:
    """The hands that can attack a foe where it stands without a Turn; both if its field is unknown (CS-301, 302)."""
    field = field_of(state, combatant, foe)
    return ("R", "L") if field is None else ranges.attack_hands(field)


def defence_of(state: FightState, combatant: Combatant, foe: Combatant) -> Defence:
    """The hands that can defend against a foe where it stands, and whether a Dodge is possible (CS-301 to CS-305).

    A combatant is aware of a hidden foe if it has found it, and of one at the rear if `Fighter.warned`, or if it has
    found it or dodged its shot (`Fighter.aware_of`).
    """
    field = field_of(state, combatant, foe)
    if field is None:
        return Defence(("R", "L"), dodge=True)
    warned = fighter_of(combatant).warned or foe.id in fighter_of(combatant).aware_of
    return ranges.defence(field, aware=has_noticed(combatant, foe), warned=warned)


# Close and common melee

Sizes: TypeAlias = Mapping[Hand, Fraction]


@remembered_of(_MOST_FIGURES)
def ready_sizes(combatant: Combatant) -> Sizes:
    """Sizes in feet of the weapon in each hand that can keep a foe away (CS-315); not shields, bows and pinned ones."""
    return {
        hand: exact(size) if isinstance(size := thing.get("size"), int | float) else Fraction(0)
        for hand, thing in items.items_in_hand(combatant).items()
        if not (items.is_shield(thing) or items.is_missile(thing) or items.pin_of(combatant, items.name_of(thing)))
    }


@remembered_of(_MOST_FIGURES)
def longest_ready(combatant: Combatant) -> Fraction:
    """Size in feet of the longest weapon in hand; 0 with bare hands (CS-315, CS-442)."""
    return max(ready_sizes(combatant).values(), default=Fraction(0))


def guard_distance(state: FightState, combatant: Combatant, foe: Combatant) -> Fraction:
    """Size of the weapon between a combatant and a foe; 0 if none covers the foe's field, or who is down (CS-324)."""
    if not combatant.able:
        return Fraction(0)
    field, sizes, in_hands = field_of(state, combatant, foe), ready_sizes(combatant), items.items_in_hand(combatant)
    # What pins a foe's weapon is locked with it (L2348).
    locked = {pin.tool for pin in fighter_of(foe).pinned if pin.by == combatant.id}
    covering = (
        size
        for hand, size in sizes.items()
        if (field is None or ranges.reach_counts(field, (hand,))) and items.name_of(in_hands[hand]) not in locked
    )
    return max(covering, default=Fraction(0))


def keep_off_feet(state: FightState, combatant: Combatant, foe: Combatant) -> Fraction:
    """Feet at which a combatant's weapon keeps a foe away (CS-317, CS-324)."""
    return ranges.kept_off(guard_distance(state, combatant, foe), profile_of(combatant).height)


def melee_mode(state: FightState, attacker: Combatant, defender: Combatant) -> MeleeMode:
    """The mode of melee, close or common, in which an attacker meets a defender (CS-315, CS-317, CS-323, CS-324)."""
    mode_by_gm = pair_of(defender, attacker).mode
    return mode_by_gm or ranges.melee_mode(guard_distance(state, defender, attacker), profile_of(defender).height)


def is_too_long(combatant: Combatant, foe: Combatant, size: Number) -> bool:
    """Whether a foe is inside the guard of a weapon of this Size (CS-322)."""
    return pair_of(combatant, foe).mode == CLOSE and ranges.kept_off(size, profile_of(combatant).height) > 0


def is_outreached(state: FightState, attacker: Combatant, foe: Combatant, size: Number) -> bool:
    """Whether a foe's longer weapon keeps this Size off its body, except in close melee (CS-315, CS-318, CS-324)."""
    return ranges.is_outreached(size, guard_distance(state, foe, attacker)) and not _is_close(state, attacker, foe)


def _is_close(state: FightState, attacker: Combatant, foe: Combatant) -> bool:
    return CLOSE in (melee_mode(state, attacker, foe), pair_of(attacker, foe).mode)


def reach_checks(
    state: FightState, attacker: Combatant, target: Combatant, size: Number, *, inside: bool = False
) -> tuple[Check, ...]:
    """The checks of a blow at a foe's body (CS-308, CS-318, CS-322), perhaps after getting `inside` (CS-320)."""
    guard = guard_distance(state, target, attacker)
    # CS-319 to CS-321
    get_inside: Accepted = "get_inside" if queries.kind_of(state) == queries.RESOLVE else FieldValue("inside", True)
    reaches = inside or not ranges.is_outreached(size, guard) or _is_close(state, attacker, target)
    away = f"{target.name}'s weapon (Size {float(guard):g}) keeps a weapon of Size {float(size):g} away from the body"
    too_long = f"{target.name} is inside {attacker.name}'s guard: the weapon is too long"
    shorter = ("a short weapon", "a step back", "a pommel or a punch (CS-347)")
    longer: tuple[Accepted, ...] = (get_inside, "the weapon or the weapon hand as target", "a longer weapon")
    return (
        *field_checks(state, attacker, target),
        Check(reaches, "CS-318", away, longer),
        Check(not is_too_long(attacker, target, size), "CS-322", too_long, shorter),
    )
