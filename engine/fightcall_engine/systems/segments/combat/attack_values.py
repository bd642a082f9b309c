"""Attacks before the dice: types, AV, ranges, the DV of shots, and all checks (CS-250..285, CS-340..403)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from fightcall_engine.kit.views import ANOTHER_TARGET, Check, Referee, enforce
from fightcall_engine.model.errors import Accepted, FieldValue, Refused
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.model.values import remembered_of, replace
from fightcall_engine.systems.segments.rules import attacks, ranges
from fightcall_engine.systems.segments.rules.formulas import Number, Part, Sum, exact
from fightcall_engine.systems.segments.rules.ranges import Awareness, Flight, Limits, target_dv
from fightcall_engine.systems.segments.state import condition, items, places, queries, records, settings, weapon_uses
from fightcall_engine.systems.segments.state.condition import strength_of
from fightcall_engine.systems.segments.state.paths import are_pulses_over, feet_left
from fightcall_engine.systems.segments.state.records import CONCERT, MIXED, Action, Blow, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import turn_octants

TRAINED = ("warrior", "assassin", "huntsman")
"""Trades that know Combinations and special attacks from the start (CS-362)."""

KICK = "foot"
"""The entry of `Action.struck` for a Brawler's extra kick, stomp or knee (CS-370)."""


def _has_learned(combatant: Combatant, thing: weapon_uses.Item, kind: attacks.AttackType) -> bool:
    """CS-362: whether a type of attack is usual, learned, or taught by a trade; all are if the sheet lists none."""
    if not kind.special or kind.key in {attacks.key_of(name) for name in weapon_uses.own_types(combatant, thing)}:
        return True
    is_unknown = not profile_of(combatant).trades and not weapon_uses.own_types(combatant, {})
    return is_unknown or profile_of(combatant).has_trade(*TRAINED)


def _fits_field(thing: weapon_uses.Item, kind: attacks.AttackType) -> bool:
    """CS-574, CS-590, CS-593: whether an item has the edge or point that a type needs, or lists the type itself."""
    if not kind.sharp:
        return True
    blunt = set(records.names_in(thing.get("effects"))) == {"blunt"} or items.name_of(thing) == items.BARE
    return not blunt or kind.key in _listed_keys(thing)


def open_types(
    state: FightState, combatant: Combatant, kind: str, thing: weapon_uses.Item
) -> tuple[attacks.AttackType, ...]:
    """The types of attack that a combatant can make with an item now (CS-350, CS-362)."""
    return _open_types(settings.armoury_of_fight(state).attack_types, state.settings, combatant, kind, thing)


@remembered_of(256)
def _open_types(
    table: Mapping[str, attacks.AttackType],
    options: Mapping[str, Scalar],
    combatant: Combatant,
    kind: str,
    thing: weapon_uses.Item,
) -> tuple[attacks.AttackType, ...]:
    own_keys = dict.fromkeys(attacks.key_of(name) for name in weapon_uses.own_types(combatant, thing))
    own_types = (attacks.AttackType(key, key) for key in own_keys if key not in table)
    in_use = (each for each in table.values() if kind in each.kinds and not attacks.missing_options(each, options))
    attack_types = (*in_use, *(each for each in own_types if kind in each.kinds))
    return tuple(each for each in attack_types if _has_learned(combatant, thing, each) and _fits_field(thing, each))


def default_type(state: FightState, combatant: Combatant, kind: str, thing: weapon_uses.Item) -> str:
    """The type of attack if none is named; empty if the weapon allows several (CS-349)."""
    if items.name_of(thing) == items.BARE and kind in (queries.STRIKE, "opportunity", "reprisal"):
        return "brawl"
    open_keys = {each.key for each in open_types(state, combatant, kind, thing)}
    listed = records.names_in(thing.get("attack_types"))
    keys = [key for key in map(attacks.key_of, listed) if key in open_keys]
    if kind not in ("strike", "combination") or not keys:
        return attacks.USUAL.get(kind, attacks.COMMON_STRIKE)
    return "" if len(keys) > 1 else keys[0]


def _listed_keys(thing: weapon_uses.Item) -> set[str]:
    """The types that a weapon is made for (CS-349)."""
    return {attacks.key_of(name) for name in records.names_in(thing.get("attack_types"))}


def _type_checks(
    state: FightState, combatant: Combatant, kind: str, thing: weapon_uses.Item, name: str
) -> tuple[Check, ...]:
    open_now = tuple(each.key for each in open_types(state, combatant, kind, thing))
    made_for = _listed_keys(thing)
    choices = tuple(key for key in open_now if not made_for or key in made_for) or open_now
    if not name:
        weapon = items.name_of(thing)
        return (Check(False, "CS-349", f"choose the type of attack with {weapon}", choices),)
    chosen_type = attacks.attack_type(
        name, weapon_uses.own_types(combatant, thing), settings.armoury_of_fight(state).attack_types
    )
    if chosen_type is None:
        return (Check(False, "CS-350", f"unknown type of attack: {name!r}", open_now),)
    lacking, label, rule = attacks.missing_options(chosen_type, state.settings), chosen_type.label, chosen_type.rule
    is_learned, blunt = _has_learned(combatant, thing, chosen_type), f"{items.name_of(thing)} is blunt"
    owned_types = frozenset({chosen_type.key}) if is_learned else frozenset()
    reprisal = kind != "reprisal" or attacks.may_reprise_with(chosen_type.key, owned_types)
    fits, purpose = _fits_field(thing, chosen_type), kind.replace("_", " ")
    return (
        Check(reprisal, "CS-483", f"{label} can't be used as a Reprisal", open_now),
        Check(not lacking, "CS-350", f"{label} needs the setting {', '.join(lacking)}", open_now),
        Check(is_learned, "CS-362", f"{combatant.name} has not learned {label}", open_now),
        Check(fits, rule, f"{blunt} and can't be used for {label}", choices),
        Check(kind in chosen_type.kinds, rule, f"{label} can't be used to {purpose}", open_now),
    )


def av_of(state: FightState, blow: Blow) -> Sum | None:
    """The AV of an attack with all its parts; None if a skill is unknown (CS-259, CS-366 to CS-369, CS-475)."""
    combatant = state.combatants[blow.attacker]
    kind = weapon_uses.type_of(state, blow)
    if kind.whole_body:
        return None
    thing, way = weapon_uses.item_of(combatant, blow.weapon), weapon_uses.way_of(blow)
    weapon_sum = weapon_uses.worth_of(state, combatant, thing, "attack", way=way, skills=kind.skills)
    total = weapon_sum
    if blow.mode:
        # With the level of the Combination, at most both weapons together.
        second = weapon_uses.item_of(combatant, blow.second)
        has_struck = hand_of(combatant, second) in queries.action_of(combatant).struck
        role: attacks.Role = "defence" if blow.mode == MIXED else "attack"
        other = weapon_uses.worth_of(state, combatant, second, role, before=int(has_struck))
        if weapon_sum is None or other is None:
            return None
        level = combination_sl(combatant, blow.weapon, blow.second, blow.mode) or 0
        leads, follows = weapon_sum, other
        if blow.mode == CONCERT and attacks.lead(weapon_sum.total, other.total)[0] != weapon_sum.total:
            leads, follows = other, weapon_sum
        total = add_combination(leads, follows, level, _COMBINATION_RULES.get(blow.mode, "mixed"))
    return None if total is None else condition.add_deed(combatant, condition.AV, total, blow.target)


_COMBINATION_RULES: Mapping[str, attacks.CombinationRule] = {CONCERT: "in_concert", records.SEPARATE: "separate"}


def add_combination(own: Sum, other: Sum, level: int, kind: attacks.CombinationRule) -> Sum:
    """A weapon's AV with what the Combination adds to it."""
    return Sum((*own.parts, *attacks.combination_value(own.total, other.total, level, kind).parts[1:]))


def combination_sl(combatant: Combatant, first: str, second: str, mode: str) -> int | None:
    """The level of a learned Combination of two items in this mode, or None (CS-362)."""
    combo_kind = "att+def" if mode == MIXED else "def+def" if mode == "defence" else "att+att"
    pair = {first.lower(), second.lower()}
    levels = [combo.sl for combo in profile_of(combatant).combos if combo.kind == combo_kind and combo.items <= pair]
    return max(levels, default=None)


# Items to attack with


def attack_names(combatant: Combatant) -> tuple[str, ...]:
    """Names of the items that a combatant can attack with: those in hand, and bare hands (CS-148)."""
    return (*dict.fromkeys(items.name_of(thing) for thing in items.items_in_hand(combatant).values()), items.BARE)


def hand_of(combatant: Combatant, thing: weapon_uses.Item) -> str:
    """The hand for which an attack with an item is recorded in `Action.struck`; bare hands use a free one."""
    hands = items.hands_holding(combatant, items.name_of(thing))
    if hands:
        return hands[0]
    free = [hand for hand in items.HANDS if hand not in items.items_in_hand(combatant)]
    return free[0] if free else KICK


def standing_check(target: Combatant, *, knowingly: bool = False) -> Check:
    """CS-111, A-15: the target must be up, or down and alive if it was chosen so (`knowingly`)."""
    if not queries.is_fallen(target):
        return Check(target.able, "CS-111", f"{target.name} is dead", (ANOTHER_TARGET,))
    accepts = (ANOTHER_TARGET, FieldValue("target", target.id))
    return Check(knowingly, "CS-111", f"{target.name} is already down", accepts)


def held_checks(combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-340: the item must be in hand, or be drawn in the same Action (CS-123)."""
    drawing = FieldValue("components", "drop_or_grab draw" if items.item_to_drop(combatant) else "draw")
    accepts: tuple[Accepted, ...] = (drawing, *attack_names(combatant))
    in_hand = {
        name: items.name_of(weapon_uses.item_of(combatant, name)) == items.BARE
        or bool(items.hands_holding(combatant, name))
        for name in blow.weapons
    }
    return tuple(
        Check(holds, "CS-340", f"{combatant.name} does not hold {name}", accepts) for name, holds in in_hand.items()
    )


def _pinned_checks(state: FightState, combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    others = (name for name in attack_names(combatant) if items.pin_of(combatant, name) is None)
    accepts = tuple(FieldValue("weapon", other) for other in others)
    pins = ((name, pin) for name in blow.weapons if (pin := items.pin_of(combatant, name)) is not None)
    pinned = (f"{state.combatants[pin.by].name} has pinned {combatant.name}'s {name}" for name, pin in pins)
    return tuple(Check(False, "CS-321", problem, accepts) for problem in pinned)


def aim_checks(state: FightState, target: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-321, CS-345: an attack at a weapon needs one in the target's hand."""
    kind = weapon_uses.type_of(state, blow)
    if not (kind.at_weapon and kind.does):
        return ()
    held = tuple(thing for thing in items.items_in_hand(target).values() if not items.is_missile(thing))
    return (Check(bool(held), kind.rule, f"{target.name} has no weapon in hand", (ANOTHER_TARGET, COMMON)),)


COMMON = FieldValue("attack", attacks.COMMON_STRIKE)


def hand_checks(state: FightState, combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-315, CS-345: a grip takes a free hand, or one off a two-handed weapon that is held to the side (L2303)."""
    kind = weapon_uses.type_of(state, blow)
    if not kind.hand:
        return ()
    things = items.items_in_hand(combatant).values()
    is_free = len(things) < len(items.HANDS) or any(thing.get("two_handed") for thing in things)
    grab, drop = FieldValue("components", "drop_or_grab"), (f"drop {items.name_of(thing)} first" for thing in things)
    return (Check(is_free, kind.rule, f"{combatant.name} has no free hand for {kind.label}", (grab, *drop)),)


def idle_checks(combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-146: nobody strikes out of turn with a hand that a declared Action uses."""
    if blow.in_turn:
        return ()
    idle = [name for name in attack_names(combatant) if name == items.BARE or items.free_hands(combatant, name)]
    accepts: tuple[Accepted, ...] = (*(FieldValue("weapon", other) for other in idle), "abort")
    is_idle = {name: name in idle or not items.hands_holding(combatant, name) for name in blow.weapons}
    return tuple(
        Check(is_idle[name], "CS-146", f"{combatant.name}'s hand with {name} is busy", accepts) for name in blow.weapons
    )


def _unused_checks(combatant: Combatant, blow: Blow, used_hands: tuple[str, ...]) -> tuple[Check, ...]:
    hands = ((name, hand_of(combatant, weapon_uses.item_of(combatant, name))) for name in blow.weapons)
    has_attacked, accepts = f"{combatant.name} has already attacked with", _other_weapons(combatant, used_hands)
    used = (name for name, hand in hands if hand in used_hands)
    return tuple(Check(False, "CS-340", f"{has_attacked} {name} in this Action", accepts) for name in used)


def _other_weapons(combatant: Combatant, used_hands: tuple[str, ...]) -> tuple[str, ...]:
    items_by_hand = items.items_in_hand(combatant)
    hands_left = attacks.attacks_left(tuple(items_by_hand), [hand for hand in items.HANDS if hand in used_hands])
    free = tuple(items.name_of(items_by_hand[hand]) for hand in hands_left)
    return free or ("the next Action",)


# Field, reach and mode


def field_checks(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-301, CS-302, CS-306, CS-342: the hand reaches the foe's field, or a Turn brings the foe into view."""
    field = places.field_of(state, combatant, target)
    if field is None or blow.ranged or blow.kind == "opportunity":
        return ()
    # The remedies: an item in another hand, or a Turn before the attack, which must be declared.
    held = items.items_in_hand(combatant).items()
    fit = (thing for hand, thing in held if attacks.may_attack(field, hand) and not items.is_missile(thing))
    names = dict.fromkeys(items.name_of(thing) for thing in fit)
    others = tuple(FieldValue("weapon", name) for name in names if name not in blow.weapons)
    ways: tuple[Accepted, ...] = (*others, "trade", "decline")
    if blow.in_turn:
        ways = (FieldValue("components", "turn_half"), *others)
        ways = (ANOTHER_TARGET,) if queries.kind_of(state) == queries.RESOLVE else ways
    turns, rule = turn_octants(queries.action_of(combatant)) > 0, "CS-302" if field in ("RS", "LS") else "CS-306"
    where = f"{target.name} is in {combatant.name}'s field {field}"
    checks = []
    for name in blow.weapons:
        hands = items.hands_holding(combatant, name) or items.HANDS
        reaches = any(attacks.may_attack(field, hand, turns=turns) for hand in hands)
        checks.append(Check(reaches, rule, f"{where}: {name} does not reach there", ways))
    return tuple(checks)


def reach_checks(
    state: FightState,
    combatant: Combatant,
    target: Combatant,
    blow: Blow,
    *,
    gap: Fraction | None = None,
    inside: bool = False,
) -> Iterator[Check]:
    """CS-250, CS-251, CS-318, CS-364: the target is in range, or within reach of the weapon.

    `gap` is the feet between their Zones at the time of the blow; `inside`: the attacker gets inside the foe's weapon
    first (CS-320).
    """
    if blow.ranged:
        yield from line_checks(state, combatant, target, blow)
        return
    if blow.kind == "opportunity":
        yield from places.field_checks(state, combatant, target)
        return
    kind, long = weapon_uses.type_of(state, blow), weapon_length(combatant, blow)
    zone_gap = places.zone_gap(state, combatant, target) if gap is None else gap
    near = zone_gap is None or zone_gap < places.RANGED_GAP or zone_gap <= long
    yield _near_check(state, combatant, target, near)
    if not (kind.at_weapon or kind.inside):
        yield from places.reach_checks(state, combatant, target, long, inside=inside)
    close = not kind.close or inside or places.melee_mode(state, combatant, target) == places.CLOSE
    yield Check(close, "CS-315", f"{kind.label} needs close melee", ("get inside",))


def _near_check(state: FightState, combatant: Combatant, target: Combatant, near: bool) -> Check:
    """CS-250: the target is near enough for melee; the message has the distance and what else can be done."""
    if near:
        return Check(True, "CS-250", "")
    gap, resolving = places.zone_gap(state, combatant, target), queries.kind_of(state) == queries.RESOLVE
    gap_text = "" if gap is None else f": {round(float(gap), 1):g} ft between their Zones"
    can_walk = not resolving and not are_pulses_over(state)
    if gap_text and can_walk:
        gap_text += f", {feet_left(state, combatant):g} ft left to move"
    things = items.items_of(combatant)
    others = (
        *(("shoot",) if any(items.is_missile(thing) for thing in things) else ()),
        *(("hurl",) if any(thing.get("hurlable") for thing in things) else ()),
    )
    accepts = (ANOTHER_TARGET, "abort") if resolving else (*(("move", "wait") if can_walk else ()), *others)
    return Check(False, "CS-250", f"{combatant.name} is too far from {target.name} for melee{gap_text}", accepts)


def weapon_length(combatant: Combatant, blow: Blow) -> Fraction:
    """The Size of the weapon, for a Combination Attack of the longer one (CS-364); for a tackle the Leap (CS-467)."""
    if blow.attack == "tackle":
        return profile_of(combatant).leap_feet
    names = (blow.weapon, blow.second) if blow.mode in (CONCERT, records.SEPARATE) else (blow.weapon,)
    sizes = [weapon_uses.item_of(combatant, name).get("size") for name in names]
    return max((exact(size) for size in sizes if isinstance(size, int | float)), default=Fraction(0))


def weapon_checks(combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-251, CS-252, CS-261, CS-380, CS-381: the item is fit for this kind of attack."""
    thing = weapon_uses.item_of(combatant, blow.weapon)
    missile, hurlable = items.is_missile(thing), bool(thing.get("hurlable")) or thing.get("kind") == "hurled"
    can_be_hurled = blow.kind != "hurled" or hurlable or weapon_uses.is_improvised(thing)
    checks = [
        Check(blow.kind != "missile" or missile, "CS-251", f"{blow.weapon} does not shoot", ("hurl", "strike")),
        Check(can_be_hurled, "CS-252", f"{blow.weapon} is not made to be hurled", ("strike",)),
    ]
    size = thing.get("size")
    if weapon_uses.is_improvised(thing) and isinstance(size, int | float) and not blow.ranged and size:
        possible_hands = attacks.improvised_hands(exact(size), profile_of(combatant).height)
        hands = 2 if thing.get("two_handed") else 1
        long = f"{blow.weapon} ({size:g} ft) takes {' or '.join(map(str, possible_hands))} hands"
        checks.append(Check(hands in possible_hands, "CS-381" if hands == 1 else "CS-380", long, ("the other grip",)))
    return tuple(checks)


def mode_checks(combatant: Combatant, blow: Blow) -> tuple[Check, ...]:
    """CS-362 to CS-365: a Combination is a learned one of two items, in a mode chosen before the roll."""
    has_mode = blow.mode in records.MODES
    level = combination_sl(combatant, blow.weapon, blow.second, blow.mode) if has_mode else 0
    is_trained = profile_of(combatant).has_trade(*TRAINED)
    problem = f"{combatant.name} hasn't learned this Combination of {blow.weapon} and {blow.second}"
    why = problem if is_trained else f"{problem}; other trades need a master to teach it"
    return (
        Check(bool(blow.second), "CS-364", "a Combination needs something in each hand", ("second",)),
        Check(has_mode, "CS-365", "choose concert or separate before the dice", (CONCERT, records.SEPARATE)),
        Check(level is not None, "CS-362", why, ("one attack with each hand (CS-363)",)),
    )


def blow_checks(
    state: FightState,
    blow: Blow,
    *,
    used_hands: tuple[str, ...] = (),
    combination: bool = False,
    knowingly: bool = False,
) -> tuple[Check, ...]:
    """All checks of an attack, in turn or out of turn; `knowingly` if its target was chosen as it is now."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    thing = weapon_uses.item_of(combatant, blow.weapon)
    kind = kind_for_types(blow, combination)
    return (
        queries.able_check(combatant, "CS-111"),
        condition.attack_check(combatant),
        _other_check(combatant, (target.id,)),
        standing_check(target, knowingly=knowingly),
        places.aware_check(state, combatant, target),
        *held_checks(combatant, blow),
        *_pinned_checks(state, combatant, blow),
        *aim_checks(state, target, blow),
        *hand_checks(state, combatant, blow),
        *idle_checks(combatant, blow),
        *_unused_checks(combatant, blow, used_hands),
        *(mode_checks(combatant, blow) if combination else ()),
        *weapon_checks(combatant, blow),
        *_type_checks(state, combatant, kind, thing, blow.attack),
        *weapon_uses.arrow_checks(state, combatant, thing, blow.arrow_head),
        *field_checks(state, combatant, target, blow),
        *reach_checks(state, combatant, target, blow),
    )


def kind_for_types(blow: Blow, combination: bool) -> str:
    """The kind of Action for which the blow's type of attack is looked up."""
    if combination:
        return queries.COMBINATION
    return {"melee": queries.STRIKE, "hurled": queries.HURL, "missile": queries.SHOOT}.get(blow.kind, blow.kind)


# At the declaration


def with_attack_type(state: FightState, combatant: Combatant, action: Action, referee: Referee) -> Action:
    """A declared attack with its type; checks what must hold when it is declared (CS-340, CS-349, CS-362)."""
    if action.kind not in queries.ATTACKS:
        return action
    enforce((condition.attack_check(combatant),), referee)
    thing = weapon_uses.item_of(combatant, action.weapon)
    own_blow = Blow(combatant.id, "", kind=weapon_uses.flight_of(action.kind), weapon=action.weapon)
    uses_item = own_blow.ranged and action.weapon != items.BARE
    fit_checks = weapon_checks(combatant, own_blow) if uses_item else ()
    enforce((_other_check(combatant, action.targets), *fit_checks), referee)
    if action.second:
        second = items.find_item(combatant, action.second)
        action = replace(action, second=items.name_of(second))
        is_other_item = items.name_of(second) != items.name_of(thing)
        problem, accepts = f"{action.weapon} attacks once in an Action", _other_weapons(combatant, ())
        referee.require(is_other_item, "CS-340", problem, *accepts)
    name = settings.attack_key(state, action.attack) or default_type(state, combatant, action.kind, thing)
    if action.mode and action.mode not in records.MODES:
        raise Refused("CS-365", f"unknown mode: {action.mode!r}", records.MODES, final=True)
    mode = action.mode
    if action.kind == queries.COMBINATION and not mode and action.second:
        # For two attacks the player must choose; an Attack/Defence Combination has only one (CS-365, CS-369).
        sl_of_mode = {each: combination_sl(combatant, action.weapon, action.second, each) for each in (CONCERT, MIXED)}
        mode = MIXED if sl_of_mode[CONCERT] is None and sl_of_mode[MIXED] is not None else ""
    action = replace(action, attack=name, mode=mode)
    enforce(_type_checks(state, combatant, action.kind, thing, name), referee)
    enforce(weapon_uses.arrow_checks(state, combatant, thing, action.arrow_head), referee)
    if action.kind == queries.COMBINATION and action.mode:
        blow = Blow(combatant.id, "", weapon=action.weapon, second=action.second, mode=action.mode)
        enforce((*mode_checks(combatant, blow), concert_check(action, action.mode)), referee)
    return action


def concert_check(action: Action, mode: str) -> Check:
    """CS-366: one roll is for one foe; two foes take two blows."""
    one_foe = mode != CONCERT or len(set(action.targets)) < 2
    return Check(one_foe, "CS-366", "in concert, both weapons attack the same foe", (records.SEPARATE, "one target"))


def _other_check(combatant: Combatant, aims: tuple[str, ...]) -> Check:
    problem = "choose someone else: no one attacks themselves"
    return Check(combatant.id not in aims, "CS-340", problem, ("someone else",))


AWARE: Awareness = "aware"
ACTIVE: Awareness = "active"
STILL: Awareness = "still"
CASES: tuple[Awareness, ...] = (AWARE, ACTIVE, STILL)
"""The awareness of a shot's target (CS-501 to CS-503), in place of a defence."""

_ROWS = {
    "bow": "bow",
    "shortbow": "short_bow",
    "sling": "sling",
    "fustibal": "fustibal",
    "crossbow-light": "crossbow_light",
    "crossbow-heavy": "crossbow_heavy",
}


def distance_of(state: FightState, blow: Blow) -> Fraction | None:
    """Feet to the target: by GM ruling, else by the board, or None."""
    return exact(blow.feet) if blow.feet >= 0 else places.distance_ft(state, *weapon_uses.people_of(state, blow))


def _distance_in_reach(state: FightState, blow: Blow) -> tuple[Number, Limits] | None:
    feet, reach = distance_of(state, blow), reach_of(state, blow)
    return None if feet is None or reach is None else (ranges.in_unit(feet, reach.unit), reach)


def reach_of(state: FightState, blow: Blow) -> Limits | None:
    """The range limits of a shot, with STR and height, or None if the GM must give them (CS-268 to CS-281)."""
    combatant = state.combatants[blow.attacker]
    thing, profile = weapon_uses.item_of(combatant, blow.weapon), profile_of(combatant)
    key, factor = _ROWS.get(str(thing.get("family") or ""), ""), Fraction(1)
    if blow.kind == records.HURLED:
        is_improvised, to_wound = weapon_uses.is_improvised(thing), weapon_uses.type_of(state, blow).pot != "none"
        key = ranges.hurled_row(thing.get("family") == "hafted" or is_improvised, to_wound=to_wound)
        if is_improvised:
            # The factor of an object that is not a weapon (CS-279).
            pounds, size = thing.get("weight_lb"), thing.get("size")
            if not isinstance(pounds, int | float) or not isinstance(size, int | float):
                return None
            throw_factor = ranges.throw_factor(
                size=exact(size), height=profile.height, pounds=exact(pounds), light_enc=profile.light_enc
            )
            if throw_factor is None:
                return None
            factor = throw_factor
    row = ranges.weapons().get(key)
    if row is None:
        return None
    rise = int(ranges.in_unit(max(Fraction(0), rise_of(state, blow)), row.unit))
    return ranges.limits(row, power_of(state, blow), rise=rise, factor=factor)


def power_of(state: FightState, blow: Blow) -> Number:
    """STR behind a blow: now, or at the time of the shot (CS-285, CS-537)."""
    return strength_of(state, state.combatants[blow.attacker]).total if blow.power is None else exact(blow.power)


def rise_of(state: FightState, blow: Blow) -> Fraction:
    """Feet by which the target is higher: by GM ruling, else by board and sheets (CS-281)."""
    if blow.rise is not None:
        return exact(blow.rise)
    return elevation(state, state.combatants[blow.target]) - elevation(state, state.combatants[blow.attacker])


def elevation(state: FightState, combatant: Combatant) -> Fraction:
    """A combatant's height above the board's base in feet: by GM ruling plus that of the ground (CS-281)."""
    board, at = state.board, combatant.at
    ground = 0 if board is None or at is None else board.terrain_at(at).height_ft or 0
    return exact(fighter_of(combatant).elev + ground)


def range_sum(state: FightState, blow: Blow) -> Sum | None:
    """The DV of the distance, band by band (CS-282); None if unknown or out of range."""
    distance_in_reach, weather = _distance_in_reach(state, blow), records.battle_of(state).weather
    if distance_in_reach is None:
        return None
    range_dv = ranges.range_dv(*distance_in_reach, settings_of(state).hurled_dv_unit)
    return None if range_dv is None else range_dv.add("wind and rain", weather, "CS-214")


def band_of(state: FightState, blow: Blow) -> str:
    """The range band in words, such as ``medium range, 85 yd`` (CS-267); empty if unknown."""
    distance_in_reach = _distance_in_reach(state, blow)
    if distance_in_reach is None:
        return ""
    distance, reach = distance_in_reach
    band = ranges.band(distance, reach)
    return f"{(band or 'out of').replace('_', '-')} range, {round(float(distance), 1):g} {reach.unit}"


def describe_flight(state: FightState, blow: Blow) -> str:
    """Range and flight in words, such as ``medium range, 85 yd, 1.3 s`` (CS-267, CS-284), or that they are unknown."""
    band, feet = band_of(state, blow), distance_of(state, blow)
    if feet is None:
        return "distance not known"
    return f"{band or 'range not known'}, {float(ranges.flight_seconds(feet, shot_flight(blow))):.1f} s"


def is_short(state: FightState, blow: Blow) -> bool:
    """CS-577: whether the target is at point-blank or short range; false if the distance is unknown."""
    distance_in_reach = _distance_in_reach(state, blow)
    return distance_in_reach is not None and ranges.band(*distance_in_reach) in ("point_blank", "short")


def line_checks(
    state: FightState, combatant: Combatant, target: Combatant, blow: Blow, *, walk: Fraction = Fraction(0)
) -> tuple[Check, ...]:
    """CS-251, CS-266, CS-273: room, a clear line, and a crossbow's range, after `walk` more feet towards the target."""
    gap = places.zone_gap(state, combatant, target)
    if blow.feet >= 0:
        gap = ranges.zone_gap(exact(blow.feet), profile_of(combatant).height, profile_of(target).height)
    is_due = queries.kind_of(state) == queries.RESOLVE
    remedies = (ANOTHER_TARGET, "abort") if is_due else ("move", ANOTHER_TARGET)
    feet_text = "" if gap is None else f"{float(max(Fraction(0), gap)):g}"
    feet, reach = distance_of(state, blow), reach_of(state, blow)
    nearest = None if feet is None else max(Fraction(0), feet - walk)
    within = nearest is None or reach is None or ranges.band(ranges.in_unit(nearest, reach.unit), reach) is not None
    has_room, is_clear = gap is None or ranges.may_shoot(gap), has_clear_line(state, combatant, target, blow.weapon)
    room = f"only {feet_text} ft between {combatant.name}'s and {target.name}'s Zones"
    others = remedies if is_due else (f"{ranges.LEAST_GAP_FT} ft or more", "strike")
    return (
        Check(has_room, "CS-251", room, others),
        Check(is_clear, "CS-251", f"no clear line to {target.name}", remedies),
        Check(within, "CS-273", f"{target.name} is beyond the maximum range of {blow.weapon}", (ANOTHER_TARGET,)),
    )


def has_clear_line(state: FightState, combatant: Combatant, target: Combatant, weapon: str) -> bool:
    """CS-251, CS-266: whether the line to a target is clear or the weapon lobs; true without places."""
    board, here, there = state.board, combatant.at, target.at
    lobs = weapon_uses.item_of(combatant, weapon).get("lob") is True
    if lobs or board is None or here is None or there is None or not places.can_measure(state, combatant, target):
        return True
    return board.sees(here, there)


def case_of(state: FightState, blow: Blow) -> Awareness:
    """The awareness of this shot's target: as named, else as usual of a foe it sees, busy or still (CS-501..503)."""
    named: dict[str, Awareness] = {records.DODGE: AWARE, records.NONE: STILL, **{case: case for case in CASES}}
    if blow.guard is not None and blow.guard.way in named:
        return named[blow.guard.way]
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if not target.able:
        return STILL
    if places.has_noticed(target, combatant) and places.defence_of(state, target, combatant).dodge:
        return AWARE
    acts = queries.action_of(target).state in (queries.COMMITTED, queries.DONE, queries.FAILED)
    return ACTIVE if acts or fighter_of(target).moved > 0 else STILL


def shot_dv(state: FightState, blow: Blow, case: Awareness, dodge: Sum | None) -> Sum | None:
    """The DV of a shot with all its parts, and a Dodge of the aware (CS-500 to CS-506); None if unknown."""
    target = state.combatants[blow.target]
    profile, distance_sum = profile_of(target), range_sum(state, blow)
    if distance_sum is None or (case == AWARE and dodge is None):
        return None
    # What shields in hand add, as entered for each (CS-260, M-06).
    shields = [thing.get("coverage_mod") for thing in items.items_in_hand(target).values() if items.is_shield(thing)]
    total = target_dv(
        case, distance_sum, dodge=dodge.total if dodge is not None else 0, acting=profile.skill("acting in dodge") or 0,
        agl=profile.mods.agl, mph=exact(fighter_of(target).speed) if fighter_of(target).moved > 0 else 0,
        shield=max((value for value in shields if isinstance(value, int)), default=0),
    )  # fmt: skip
    if case == AWARE and dodge is not None:
        total = Sum((*dodge.parts, *total.parts[1:]))
    if case == STILL or not shields or any(value is not None for value in shields):
        return total
    return Sum((*total.parts, Part("no cover value for the shield on the sheet: 0 is used", 0, "CS-260")))


def shot_flight(blow: Blow) -> Flight:
    """The type of a shot's flight (CS-284)."""
    return "hurled" if blow.kind == records.HURLED else "arrow"


def lands_late(state: FightState, blow: Blow) -> bool:
    """CS-285: whether a shot lands in the next segment."""
    feet = distance_of(state, blow)
    return feet is not None and ranges.lands_late(feet, shot_flight(blow))
