"""A combatant's details: wounds, armour layer by layer, pain, tokens, arms (M-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.systems.segments.combat import hit_effects
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.rules.gear import Layer
from fightcall_engine.systems.segments.state import archery, armoury, health, items, queries, rolls
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import RALLIED, strength_of
from fightcall_engine.systems.segments.state.settings import settings_of

MOST_SEGMENTS = 6
"""The number of segments of a stun that are listed."""


def details(state: FightState, combatant: Combatant) -> tuple[Section, ...]:
    """The sections on a combatant's harm, protection and arms."""
    sections = (
        _wounds(state, combatant), _armour(state, combatant), _pain(state, combatant), _tokens(combatant),
        _arms(state, combatant),
    )  # fmt: skip
    return tuple(section for section in sections if section.details)


# Wounds


def _wounds(state: FightState, combatant: Combatant) -> Section:
    level = health.damage_level(state, combatant)
    points = health.body_points(state, combatant) is not None
    marks = wound_effects.threshold_multiples(state, combatant)
    details = [] if points else [Detail("wounds above", f"{marks} POT for 1, 2, 3 of them", rule="CS-602")]
    full, now = profile_of(combatant).scores.str, rolls.rounded(strength_of(state, combatant))
    rally_text = ", rallied" if fighter_of(combatant).rally == RALLIED else ""
    if now != full or rally_text:
        details.append(
            Detail("STR", f"{now} of {full}{rally_text}", tone="bad" if now < full else "good", rule="CS-621")
        )
    pres = wound_effects.pres_of(combatant)
    details.append(Detail("P-RES", str(pres) if pres is not None else "not entered, asked when needed", rule="CS-610"))
    return Section(
        "Body points" if points else "Wounds",
        (*details, *_life(combatant)),
        combatant.id,
        _level(state, combatant, level),
    )


def _level(state: FightState, combatant: Combatant, level: str) -> str:
    if level == "none":
        return "unhurt"
    wounds, most, _ = wound_effects.wound_track(state, combatant)
    return f"{level}, {wounds} of {most}"


def _life(combatant: Combatant) -> Iterator[Detail]:
    life, until = fighter_of(combatant).life, fighter_of(combatant).life_until
    if life not in ("", queries.UP):
        yield Detail("is", life, tone="bad", rule="CS-625")
    if until > 0 and life != queries.DEAD:
        yield Detail("lives", f"to Segment {until}", tone="bad", rule="CS-625")


# Armour


def _armour(state: FightState, combatant: Combatant) -> Section:
    """CS-571, CS-582: armour, outermost first; a shield is only in the way of some blows."""
    wearing = settings_of(state).armour_wear
    lines = [
        _layer(f"{now.name}, in hand", now, items.remaining_figure(now, new, wearing), wearing, "CS-597")
        for now, new in items.shields_of(combatant)
    ]
    layers_worn = items.worn_by(combatant)
    lines += [
        _layer(layer.name, layer, (left, maximum), wearing, "CS-582" if wearing else "CS-570")
        for layer, (_, left, maximum) in zip(layers_worn, items.layers_of(state, combatant), strict=True)
    ]
    clothes = items.clothing_of(state, combatant)
    if clothes:
        lines.append(Detail("street clothes", _several(clothes, "layer"), rule="CS-566"))
    total = sum(layer.worth(wearing) for layer in layers_worn)
    return Section(
        "Armour, outermost first", tuple(lines), combatant.id, f"takes {total} in all" if len(layers_worn) > 1 else ""
    )


def _layer(name: str, layer: Layer, left_of: tuple[int, int], wearing: bool, rule: str) -> Detail:
    left, total = left_of
    grade = f", {layer.grade}" if layer.grade else ""
    if left <= 0 < total:
        return Detail(name, "ruined", Pool(0, total), "bad", "CS-584")
    worth_text = f"takes {layer.worth(wearing)}{grade}"
    if not wearing and left == total:
        return Detail(name, worth_text, rule=rule)
    return Detail(
        name, f"{left} of {total}, {worth_text}", Pool(left, total), "warn" if left < total else "plain", rule
    )


def _several(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count != 1 else ''}"


# Pain


def _pain(state: FightState, combatant: Combatant) -> Section:
    stuns = queries.stuns_of(combatant)
    penalty = health.stun_penalty(state, combatant)
    lines = tuple(_stun(state, effect) for effect in stuns)
    return Section("Stunned by pain", lines, combatant.id, f"-{penalty} on every AV and on Initiative")


def _stun(state: FightState, effect: Effect) -> Detail:
    """CS-616: the penalty of a stun in each segment until it ends."""
    stun = health.stun_of(state, effect)
    first, last = max(state.round, stun.segment), stun.last_segment
    shown = range(first, min(last + 1, first + MOST_SEGMENTS))
    penalties = [f"{number} -{stun.penalty(number)}" for number in shown]
    more = "" if last < first + MOST_SEGMENTS else ", ..."
    how = "fought through" if health.is_managed(effect) else "dazed"
    text = f"{how} since Segment {stun.segment}: {', '.join(penalties)}{more}, gone after {last}"
    return Detail("blow", text, tone="warn", rule="CS-616")


# Tokens


def _tokens(combatant: Combatant) -> Section:
    details = []
    for colour in rolls.COLOURS:
        passes = [is_handed_on for token_colour, is_handed_on in fighter_of(combatant).tokens if token_colour == colour]
        if passes:
            fresh = sum(not is_handed_on for is_handed_on in passes)
            pass_text = "" if fresh == len(passes) else f", {len(passes) - fresh} already passed on"
            details.append(Detail(colour, f"{len(passes)}{pass_text}", rule="CS-651" if not pass_text else "CS-654"))
    return Section("Tokens", tuple(details), combatant.id)


# Arms

_HANDS = {"R": "right hand", "L": "left hand"}


def _arms(state: FightState, combatant: Combatant) -> Section:
    """All items on the sheet, those in hand first."""
    hand_by_name = {items.name_of(thing): hand for hand, thing in items.items_in_hand(combatant).items()}
    things = sorted(items.items_of(combatant), key=lambda thing: items.name_of(thing) not in hand_by_name)
    lines = tuple(_line(state, thing, hand_by_name.get(items.name_of(thing), "")) for thing in things)
    return Section("Arms", lines, combatant.id)


def _line(state: FightState, thing: Mapping[str, Json], hand: str) -> Detail:
    sample = thing.get("sample") is True
    where = "both hands" if hand and thing.get("two_handed") else _HANDS.get(hand, "")
    heads = ", ".join(head.called for head in archery.heads_of_bow(state, thing))
    parts = (where, *_numbers(state, thing), armoury.SAMPLE if sample else "", f"arrows: {heads}" if heads else "")
    return Detail(items.name_of(thing), ", ".join(filter(None, parts)), rule="M-09" if sample else "CS-535")


def _numbers(state: FightState, thing: Mapping[str, Json]) -> Iterator[str]:
    av, size, dr = thing.get("av"), thing.get("size"), thing.get("dr")
    yield f"AV {av}" if isinstance(av, int) else "AV not known"
    if isinstance(size, int | float) and size:
        yield f"{size:g} ft, {thing.get('weight_class')}, DB {hit_effects.bonus_of(state, thing):+d}"
    if isinstance(dr, int) and dr:
        yield f"takes {dr}"
