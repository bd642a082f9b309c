"""A hit: its POT against armour, wounds, falling, what becomes of weapons (CS-321, CS-345, CS-447, CS-530..555)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import cast, get_args

from fightcall_engine.kit.decision import Decision, record_ruling
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, wound_effects
from fightcall_engine.systems.segments.combat.blow_effects import Force
from fightcall_engine.systems.segments.rules import attacks, wounds
from fightcall_engine.systems.segments.rules.attacks import Does, WeightClass, WeightClassColumns
from fightcall_engine.systems.segments.rules.formulas import Number, Part, Sum, exact, rhu
from fightcall_engine.systems.segments.rules.wounds import Grip, Layer, Passage, Power, Striking, shield_layer
from fightcall_engine.systems.segments.state import condition, events, items, paths, places, records, weapon_uses
from fightcall_engine.systems.segments.state.queries import HP
from fightcall_engine.systems.segments.state.records import Blow, Pair, Pin, battle_of, fighter_of, names_in, profile_of
from fightcall_engine.systems.segments.state.settings import SAMPLE, settings_of
from fightcall_engine.systems.segments.state.weapon_uses import STRIKINGS, item_of, people_of, type_of

SHARPEST: tuple[Striking, ...] = ("edge", "point", "blunt")
"""Priority of edge, point and blunt for two weapons that land in concert (CS-546)."""

STRIKING_OF_TYPE: Mapping[str, Striking] = {"thrust": "point", "slash": "edge"}
"""What a type of attack strikes with, if the weapon has it (CS-574, CS-590)."""

_CLASSES: Mapping[str, WeightClass] = {
    "Lt": "light",
    "M-Lt": "medium_light",
    "Med": "medium",
    "M-H": "medium_heavy",
    "Hvy": "heavy",
}


def force_of(state: FightState, blow: Blow) -> Force | None:
    """The force of a blow; None if the GM must give the POT (CS-545). Heroism is added last (CS-547, CS-646)."""
    force = _of_weapon(state, blow, blow.weapon)
    if blow.pot is not None:
        by_gm = Sum((Part("POT set by the GM", max(0, blow.pot), "CS-530"),))
        thing = item_of(state.combatants[blow.attacker], blow.weapon)
        force = replace(force, total=by_gm) if force is not None else _force_with(state, blow, thing, by_gm, 0)
    elif force is not None and blow.mode == records.CONCERT and blow.second:
        second = _of_weapon(state, blow, blow.second)
        force = None if second is None else _combined_force(blow, force, second)
    if force is None:
        return None
    total = condition.add_deed(state.combatants[blow.attacker], condition.POT, force.total, blow.target)
    return replace(force, total=wounds.double_blow(_rounded(total)) if blow.doubled else total)


def _combined_force(blow: Blow, first: Force, second: Force) -> Force:
    """CS-546: both weapons of a Combination in concert as one blow; each part names its weapon."""
    sharpest = next(item for item in SHARPEST if item in (first.struck, second.struck))
    passage = first.passage if first.passage == second.passage else "common"
    parts = (
        replace(part, label=f"{name}: {part.label}")
        for name, force in ((blow.weapon, first), (blow.second, second))
        for part in _rounded(force.total).parts
        if part.value or force is first
    )
    return Force(Sum(tuple(parts)), sharpest, passage, first.bonus + second.bonus, first.in_short and second.in_short)


def _rounded(total: Sum) -> Sum:
    return total.add("rounded", rhu(total.total) - total.total, "CS-530")


def _of_weapon(state: FightState, blow: Blow, name: str) -> Force | None:
    combatant = state.combatants[blow.attacker]
    thing = item_of(combatant, name)
    reckon = _missile if _is_shooting(blow, thing) else _melee_or_hurled
    force = reckon(state, blow, combatant, thing)
    return None if force is None else _force_with(state, blow, thing, *force)


def _force_with(state: FightState, blow: Blow, thing: Mapping[str, Json], total: Sum, bonus: int) -> Force:
    # It meets armour as a Thrust, a Slash, a bodkin or heavy bolt, else in the common way (CS-574 to CS-578, CS-590).
    passage: Passage = "common"
    if _is_shooting(blow, thing):
        head = weapon_uses.head_of(state, thing, blow.arrow_head)
        bodkin = thing.get("bodkin") is True if head is None else head.pierces
        passage = "piercing_missile" if bodkin or thing.get("family") == "crossbow-heavy" else "common"
    elif blow.attack == "thrust":
        passage = "thrust"
    elif blow.attack == "slash" and settings_of(state).armour_wear:
        passage = "slash"
    return Force(total, struck_with(state, blow, thing), passage, bonus, attack_values.is_short(state, blow))


def _is_shooting(blow: Blow, thing: Mapping[str, Json]) -> bool:
    """Whether a blow is a shot; a bow or crossbow in melee, as out of turn, is a club (CS-442, CS-544)."""
    return items.is_missile(thing) and blow.kind == records.MISSILE


def struck_with(state: FightState, blow: Blow, thing: Mapping[str, Json]) -> Striking:
    """Edge, point or blunt: by GM ruling, as the type of attack needs, else the weapon's first."""
    if blow.struck in STRIKINGS:
        return blow.struck
    strikings = [name for name in names_in(thing.get("effects")) if name in STRIKINGS]
    club = items.is_shield(thing) or (items.is_missile(thing) and not _is_shooting(blow, thing))
    if type_of(state, blow).pot in ("base", "brawl") or club or items.name_of(thing) == items.BARE:
        return "blunt"
    striking = STRIKING_OF_TYPE.get(blow.attack, strikings[0] if strikings else "edge")
    return striking if striking in strikings or not strikings else strikings[0]


# Striking and hurling


def _melee_or_hurled(state: FightState, blow: Blow, combatant: Combatant, thing: Mapping[str, Json]) -> tuple[Sum, int]:
    """POT of a blow struck or hurled, and the part that wears armour (CS-531 to CS-541, CS-551)."""
    msta, power, kind = profile_of(combatant).msta, attack_values.power_of(state, blow), type_of(state, blow)
    speeds = {
        "charge_mph": 0 if blow.ranged else _charge_mph(state, blow, combatant),
        "target_mph": 0 if blow.ranged else _target_mph(state, blow),
        "drop_ft": exact(blow.drop),
    }
    is_club = items.is_missile(thing) and not _is_shooting(blow, thing)
    if kind.pot == "brawl" or is_club or items.name_of(thing) == items.BARE:
        plain = wounds.brawling_pot(msta, power)
        return _add_notes(state, blow, Sum((*plain.parts, *wounds.speed_parts(**speeds)))), 0
    using: Power = "CRD" if kind.key == "slash" else "STR"
    if using == "CRD":
        power = profile_of(combatant).scores.crd + condition.amount_of(combatant, "crd")
    # Hurled weapons count as one-handed (CS-531 to CS-534).
    grip: Grip = "one_handed"
    if blow.kind != records.HURLED and thing.get("grip") == "1.5":
        grip = "hand_and_a_half"
    elif blow.kind != records.HURLED and (thing.get("grip") == "2" or thing.get("two_handed") is True):
        grip = "two_handed"
    base = wounds.base_part(msta, power, grip, using)
    if kind.pot == "base":
        return _add_notes(state, blow, wounds.pot(base, 0, **speeds), using), 0
    if _multiplies_strength(state):
        # An object of unknown Size multiplies nothing (CS-552, CS-553).
        is_unknown = thing.get("kind") == "object" and not thing.get("size")
        times = Fraction(0 if is_unknown else _look_up_damage(state, thing).value)
        total = wounds.multiplied_damage(msta, power, times, grip, using, **speeds)
        return _add_notes(state, blow, total, using, thing), wounds.strike_wear(msta, power, times, grip)
    bonus = bonus_of(state, thing)
    return _add_notes(state, blow, wounds.pot(base, bonus, **speeds), using, thing), bonus


def with_strength(state: FightState, blow: Blow) -> Blow:
    """A blow with the STR that it was struck or loosed with, for when its Action is over (CS-285, CS-622)."""
    if blow.power is not None:
        return blow
    return replace(blow, power=float(condition.strength_of(state, state.combatants[blow.attacker]).total))


def _add_notes(
    state: FightState, blow: Blow, total: Sum, using: Power = "STR", thing: Mapping[str, Json] | None = None
) -> Sum:
    """The sum with notes on its numbers: a neutral body (M-22), changed STR, a table's end, a sample."""
    combatant = state.combatants[blow.attacker]
    notes = [] if using == "CRD" else list(_strength_notes(state, blow))
    if profile_of(combatant).entered_msta is None and profile_of(combatant).msta == records.NEUTRAL_STA:
        notes.append(Part(f"no modified STA on the sheet: {records.NEUTRAL_STA} is used", 0, "M-22"))
    if thing is not None and not _look_up_damage(state, thing).printed:
        rule = "CS-552" if _multiplies_strength(state) else "CS-535"
        notes.append(Part("Size beyond the printed table: computed by formula", 0, rule))
    notes += _sample_notes(thing) if thing is not None else ()
    return Sum((*total.parts, *notes))


def _strength_notes(state: FightState, blow: Blow) -> tuple[Part, ...]:
    """Why effective STR differs from the sheet's: wounds, a rally, a deed (CS-537); the time of a shot (CS-285)."""
    combatant = state.combatants[blow.attacker]
    strength, score = condition.strength_of(state, combatant), profile_of(combatant).scores.str
    if blow.power is not None:
        when, rule = ("loosed", "CS-285") if blow.ranged else ("struck", "CS-537")
        note = Part(f"as it was {when}: STR {blow.power:g} of {score}", 0, rule)
        return (note,) if blow.power != score else ()
    text = f"STR {float(strength.total):g} of {score}"
    return tuple(Part(f"{part.label}: {text}", 0, part.rule) for part in strength.parts[1:])


def _class_of(thing: Mapping[str, Json], reading: WeightClassColumns) -> WeightClass:
    """A weapon's weight class, by its printed name or the number of the column (A-11)."""
    stated_class = thing.get("weight_class")
    if not isinstance(stated_class, int) or isinstance(stated_class, bool):
        return _CLASSES.get(str(stated_class), "medium")
    columns: dict[int, WeightClass] = {}
    for name in cast("tuple[WeightClass, ...]", get_args(WeightClass)):
        with suppress(ValueError):
            columns[attacks.column(name, reading)] = name
    return columns.get(stated_class, "medium")


def _size(thing: Mapping[str, Json]) -> Fraction:
    size = thing.get("size")
    return max(Fraction(0), exact(size)) if isinstance(size, int | float) else Fraction(0)


def bonus_of(state: FightState, thing: Mapping[str, Json]) -> int:
    """The Damage Bonus of a weapon (CS-535, table 6-5)."""
    reading = settings_of(state).weight_class_columns
    return rhu(attacks.damage_bonus(_size(thing), _class_of(thing, reading), reading).value)


def _look_up_damage(state: FightState, thing: Mapping[str, Json]) -> attacks.Looked:
    reading = settings_of(state).weight_class_columns
    look_up = attacks.damage_multiplier if _multiplies_strength(state) else attacks.damage_bonus
    return look_up(_size(thing), _class_of(thing, reading), reading)


def _multiplies_strength(state: FightState) -> bool:
    """Whether damage is multiplied, an option that goes with Body Points (CS-551)."""
    return settings_of(state).damage_multipliers and settings_of(state).body_points


def _charge_mph(state: FightState, blow: Blow, combatant: Combatant) -> Number:
    """CS-539: the speed in mph of a declared attack after a run at full speed, or by GM ruling."""
    if blow.charge is not None:
        return exact(blow.charge)
    if not blow.in_turn:
        return 0
    full = fighter_of(combatant).sprint if settings_of(state).pulse_movement else None
    least = places.feet_per_place(state.board) if places.can_measure(state, combatant) else Fraction(1)
    through = fighter_of(combatant).rate == "full" and paths.feet_left(state, combatant) < least
    return profile_of(combatant).full_speed if wounds.charges(full, through) else 0


def _target_mph(state: FightState, blow: Blow) -> Number:
    """CS-444, CS-540: the speed of a mover who runs into an Opportunity Action."""
    target = state.combatants[blow.target]
    if blow.kind != records.OPPORTUNITY:
        return 0
    under_way = paths.is_moving(target) or battle_of(state).interrupted == target.id
    has_moved = not settings_of(state).pulse_movement and fighter_of(target).moved > 0
    return paths.speed_now(state, target) if under_way or has_moved else 0


def _missile(state: FightState, blow: Blow, combatant: Combatant, thing: Mapping[str, Json]) -> tuple[Sum, int] | None:
    """POT of a shot (CS-542 to CS-545): STR and the bow; a crossbow's is fixed, and must be entered."""
    if str(thing.get("family") or "").startswith("crossbow"):
        stated_pot = thing.get("fixed_pot")
        if not isinstance(stated_pot, int):
            return None
        return wounds.crossbow_pot(stated_pot, fighter_of(combatant).crossbow_days), 0
    reading = settings_of(state).weight_class_columns
    bonus = rhu(attacks.damage_bonus(_size(thing), "light", reading).value)
    head, extra_entry = weapon_uses.head_of(state, thing, blow.arrow_head), thing.get("db_extra")
    extra = head.db if head is not None else extra_entry if isinstance(extra_entry, int) else 0
    total = wounds.missile_pot(
        attack_values.power_of(state, blow), bonus, extra,
        sling=thing.get("family") in ("sling", "fustibal"), head_name=head.label if head is not None else "",
    )  # fmt: skip
    of_head = (_sample_note(head.label),) if head is not None and head.sample else ()
    return Sum((*total.parts, *_strength_notes(state, blow), *of_head, *_sample_notes(thing))), max(0, bonus + extra)


def _sample_notes(thing: Mapping[str, Json]) -> tuple[Part, ...]:
    return (_sample_note(items.name_of(thing)),) if thing.get("sample") is True else ()


def _sample_note(name: str) -> Part:
    return Part(f"{name}: {SAMPLE}", 0, "M-09")


DROP, PIN, TAKE, GOES_DOWN, NOTHING = "drop", "pin", "take", "fall", "nothing"

_VERBS: dict[Does, tuple[str, ...]] = {
    "drop": (DROP,),
    "pin": (PIN,),
    "seize": (TAKE, PIN, NOTHING),
    "ask": (NOTHING, DROP, GOES_DOWN),
    "grip": (NOTHING, PIN, TAKE, GOES_DOWN),
}

_WORDS = {DROP: "drops the {}", PIN: "the {} is pinned", TAKE: "the {} is taken"}


def _apply_to_weapon(decision: Decision, blow: Blow) -> None:
    """Apply a hit at a weapon or its hand; ask if several things can come of it."""
    combatant, target = people_of(decision.state, blow)
    kind = type_of(decision.state, blow)
    # What can come of it, in words: for each verb and weapon in hand, the longest first.
    offers: dict[str, str] = {}
    for verb in _VERBS.get(kind.does, ()):
        if verb in _WORDS:
            offers |= {f"{verb}_{hand}": _WORDS[verb].format(name) for hand, name in _weapons_of(target).items()}
        else:
            offers[verb] = f"{target.name} goes down" if verb == GOES_DOWN else "nothing more"
    if not offers or not target.able:
        return
    if len(offers) == 1:
        _apply(decision, blow, next(iter(offers)))
        return
    question = f"{combatant.name}'s {kind.label} hits {target.name}. What happens?"
    if kind.does == "seize":
        question += " A blade is seized only in a mail or plate gauntlet."
    answers = (f"{choice}:{words}" for choice, words in offers.items())
    answer = decision.ask_about(
        combatant, "weapon_hit", kind.rule, question, *answers, default=next(iter(offers)), about=(target.id,)
    )
    if answer.choice:
        _apply(decision, blow, answer.choice)


def _weapons_of(target: Combatant) -> dict[str, str]:
    sizes = places.ready_sizes(target)
    things = items.items_in_hand(target).items()
    held = {hand: items.name_of(thing) for hand, thing in things if not items.is_missile(thing)}
    hands = sorted(held, key=lambda hand: -sizes.get(hand, 0))
    names = dict.fromkeys(held[hand] for hand in hands)
    return {items.hands_holding(target, name)[0]: name for name in names}


def _apply(decision: Decision, blow: Blow, choice: str) -> None:
    combatant, target = people_of(decision.state, blow)
    verb, _, hand = choice.partition("_")
    name = _weapons_of(target).get(hand, "")
    if verb == GOES_DOWN:
        decision.emit(blow_effects.fall(target.id))
    elif name and verb == PIN:
        _pin(decision, combatant, target, name, blow.weapon)
    elif name and verb in (DROP, TAKE):
        thing, taker = items.find_item(target, name), combatant.id if verb == TAKE else ""
        how = "is wrested away" if verb == TAKE else "is dropped"
        decision.emit(
            *items.lose_events(target, name),
            items.move_object(decision.state, target.id, name, how, taker, other=taker),
        )
        decision.emit(*(items.gain_events(combatant, thing) if verb == TAKE else ()))


# Pinned weapons


def _pin(decision: Decision, combatant: Combatant, target: Combatant, name: str, tool: str) -> None:
    """CS-321: pin a weapon, and offer the step inside if it kept the attacker off."""
    state = decision.state
    kept_off = places.keep_off_feet(state, target, combatant) > 0 or places.is_outreached(
        state, combatant, target, places.longest_ready(combatant)
    )
    pins = (*items.pins_without(target, name), Pin(name, combatant.id, tool))
    decision.emit(events.WeaponPinned(who=target.id, traits={"pinned": pins}, weapon=name, by=combatant.id))
    if not kept_off:
        return
    answer = decision.ask_about(
        combatant, "bound", "CS-321", f"{target.name}'s {name} is pinned. Does {combatant.name} step inside?",
        "inside:steps inside:y", "stay:stays:n", default="stay", blocking=False, about=(target.id,),
    )  # fmt: skip
    if answer.choice == "inside":
        target = decision.state.combatants[target.id]
        field = places.pair_of(target, decision.state.combatants[combatant.id]).field
        decision.emit(*places.set_pair(target, combatant.id, Pair(field, "close")))


def _free(decision: Decision, combatant: Combatant, pins: Iterable[Pin]) -> None:
    for pin in pins:
        left = items.pins_without(decision.state.combatants[combatant.id], pin.weapon)
        decision.emit(events.WeaponFreed(who=combatant.id, traits={"pinned": left}, weapon=pin.weapon))


def release_used(decision: Decision, *used: tuple[str, Iterable[str]]) -> None:
    """Free what combatants pin with items that each of them has just used for something else."""
    pinned = [combatant for combatant in decision.state.roster if fighter_of(combatant).pinned]
    for combatant_id, names in used if pinned else ():
        tools = {name.lower() for name in names} - {items.BARE}
        for other in pinned:
            _free(decision, other, [pin for pin in _pins_by(other, combatant_id) if pin.tool.lower() in tools])


def release_of_fallen(decision: Decision, combatant_id: str) -> None:
    """Free what somebody who is down has pinned, and its own pinned weapons."""
    for other in decision.state.roster:
        pins = fighter_of(other).pinned if other.id == combatant_id else _pins_by(other, combatant_id)
        _free(decision, other, pins)


def _pins_by(combatant: Combatant, foe_id: str) -> tuple[Pin, ...]:
    return tuple(pin for pin in fighter_of(combatant).pinned if pin.by == foe_id)


def ask_if_pinned(decision: Decision) -> None:
    """Ask at the end of a segment whether a weapon is still pinned: the text does not say how long (CS-321)."""
    for combatant in decision.state.roster:
        for foe_id in dict.fromkeys(pin.by for pin in fighter_of(combatant).pinned):
            decision.spawn(_ask_if_pinned, combatant.id, foe_id)


def _ask_if_pinned(decision: Decision, combatant_id: str, foe_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    weapon = _pins_by(combatant, foe_id)[0].weapon
    answer = decision.ask_about(
        combatant, "still_pinned", "CS-321",
        f"Does {decision.state.combatants[foe_id].name} still pin {combatant.name}'s {weapon}?",
        "holds:still pinned:y", "free:free again:n", default="holds", blocking=False, about=(foe_id,),
    )  # fmt: skip
    if answer.choice == "free":
        combatant = decision.state.combatants[combatant_id]
        _free(decision, combatant, _pins_by(combatant, foe_id))


@rules_on("pinned")
def rule_pinned(decision: Decision, rule: Rule) -> None:
    """CS-321: free a combatant's pinned weapons by a ruling."""
    combatant = decision.combatant(rule.who)
    pins = fighter_of(combatant).pinned
    if not pins or str(rule.value or "none").lower() != "none":
        message = f"{combatant.name} has no pinned weapon" if not pins else "use none to free the weapon"
        raise Refused("CS-321", message, ("none",) if pins else ("bind", "seize"), final=True)
    decision.emit(record_ruling("CS-321", f"Pinned weapons of {combatant.name}", "free", rule.note))
    _free(decision, combatant, pins)


def apply_hit(decision: Decision, blow: Blow, late: bool = False) -> None:
    """Apply a hit: POT, asked for if unknown (CS-545), or wounds by GM ruling; if `late`, their dice are asked for."""
    kind = type_of(decision.state, blow)
    if blow.harm:
        _apply_harm_by_hand(decision, blow, late)
    elif kind.pot == "none" and blow.pot is None:
        blow_effects.judge_words(decision, blow, 0)
    else:
        force = force_of(decision.state, blow)
        if force is None:
            combatant, target = people_of(decision.state, blow)
            answer = decision.ask_about(
                combatant, "pot", "CS-545", f"{combatant.name} hits {target.name} with {blow.weapon}: what is"
                " its POT?", "none:it does nothing", amount="POT", about=(target.id,),
            )  # fmt: skip
            if answer.choice not in ("", "none"):
                pot = blow_effects.parse_pot(answer.amount)
                force = force_of(decision.state, replace(blow, pot=pot))
        if force is not None:
            shields = shield_in_way(decision.state, blow)
            through = blow_effects.apply_blow(
                decision, force, blow.target, blow.attacker, barrier=blow.barrier, shields=shields
            )
            blow_effects.judge_words(decision, blow, through)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    if kind.fells:
        decision.spawn(ask_fall, blow)
    if kind.does:
        _apply_to_weapon(decision, blow)


def shield_in_way(state: FightState, blow: Blow) -> tuple[Layer, ...]:
    """CS-597, A-52: the shield in the way: one that failed to Block, or as the GM says."""
    target = state.combatants[blow.target]
    met_with = blow.guard.items if blow.guard is not None and not blow.guard.by else ()
    shields = [name for name in met_with if (thing := items.item_named(target, name)) and items.is_shield(thing)]
    return shield_layer(
        items.shield_of(target, shields[0] if shields else ""),
        failed_block=bool(shields) and not blow.ranged,
        in_way_by_gm=blow.shield,
    )


def _apply_harm_by_hand(decision: Decision, blow: Blow, late: bool) -> None:
    combatant, target = people_of(decision.state, blow)
    amount: int | str | None = blow.harm
    if blow.harm.strip().isdecimal():
        if wound_count := int(blow.harm):
            decision.hurt(target.id, wound_count, HP, combatant.id)
    else:
        if late:
            answer = decision.ask_about(
                combatant, "harm", "CS-601", f"{combatant.name} hits {target.name}: how many wounds?",
                f"roll:roll {blow.harm}", "none:none", default="roll", dice=blow.harm, purpose="harm", amount="wounds",
                about=(target.id,), blocking=False,
            )  # fmt: skip
            if answer.choice in ("", "none"):
                return
            amount = blow.harm if answer.choice == "roll" else answer.amount
        wound_effects.harm_by_gm(decision, decision.state.combatants[blow.target], amount or 0, combatant.id)
    # Body Points lost, perhaps 0; None for wounds, which do not measure POT.
    losses = (event.amount for event in reversed(decision.events) if isinstance(event, DamageApplied))
    points = next(losses, 0)
    is_known = not points or condition.body_points(decision.state, target) is not None
    blow_effects.judge_words(decision, blow, points if is_known else None)


# Bringing a combatant down by hand or foot: a trip, a shove, a clothesline


def _format_weights(state: FightState, *people: Combatant) -> str:
    weights = (float(condition.strength_of(state, each).total + profile_of(each).msta) for each in people)
    return f"STR and STA {' against '.join(f'{weight:g}' for weight in weights)}"


def bounces_off(decision: Decision, blow: Blow, rule: str) -> bool | None:
    """CS-447, CS-466: ask whether an attack on a much larger foe is hopeless; None if either has left."""
    state = decision.state
    combatant, target = people_of(state, blow)
    sizes = _format_weights(state, combatant, target)
    answer = decision.ask_about(
        combatant, "mismatch", rule,
        f"{combatant.name} runs into {target.name} like a wall ({sizes}). Roll anyway?",
        "roll:roll anyway", "bounces:bounces off", default="roll", about=(target.id,),
    )  # fmt: skip
    return answer.choice == "bounces" if answer.choice else None


def ask_fall(decision: Decision, blow: Blow) -> None:
    """CS-447: ask whether the target falls, unless it goes down anyway with its last wound (CS-624)."""
    state = decision.state
    combatant, target = people_of(state, blow)
    if not target.pool(HP).now or not blow_effects.fall_events(target):
        return
    answer = decision.ask_about(
        target, "fall", "CS-447",
        f"{target.name} is hit by {combatant.name}'s {blow.attack.replace('_', ' ')}:"
        f" {_format_weights(state, combatant, target)}. Does {target.name} go down?",
        "falls", "stays:keeps standing", default="falls", about=(combatant.id,),
    )  # fmt: skip
    if answer.choice == "falls":
        decision.emit(*blow_effects.fall_events(decision.state.combatants[blow.target]))
