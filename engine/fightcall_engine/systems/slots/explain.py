"""Explanations of a PC's numbers: their parts, each with its rule."""

from fightcall_engine.kit.views import Trail, TrailPart, Trails
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import cycle, outro, prices, pulses, queries
from fightcall_engine.systems.slots.abilities import abilities
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import WAITING, fighter_of
from fightcall_engine.systems.slots.settings import settings_of


def _no_slots(combatant: Combatant, subject: str) -> Trail:
    return Trail(subject, "none", (TrailPart("not a PC: outside the Cycle, no slots", "", "AP-04"),))


def _slots(state: FightState, combatant: Combatant) -> Trail:
    if not queries.is_pc(combatant):
        return _no_slots(combatant, "slots")
    pool = queries.slots(combatant)
    total = queries.slots_per_round(combatant, settings_of(state))
    mods = queries.modifiers(combatant)
    parts = [
        TrailPart("base", str(queries.BASE_SLOTS), "AP-12"),
        TrailPart("Agility", f"{fighter_of(combatant).agility:+d}", "AP-12"),
    ]
    parts += [TrailPart(name, f"{amount:+d}", "AP-13") for name, amount in mods.items()]
    plain = queries.BASE_SLOTS + fighter_of(combatant).agility + sum(mods.values())
    if plain != total:
        parts.append(TrailPart("minimum", str(total), "Q-A6"))
    if fighter_of(combatant).ap == WAITING:
        parts.append(TrailPart("gained at the start of its own Active Phase", str(total), "AP-14"))
    else:
        parts.append(TrailPart("left from this round", f"{pool.now}/{pool.max}", "AP-15"))
    return Trail("slots", f"{pool.now} now, {total} a round", tuple(parts))


def _explain_reserve(state: FightState, combatant: Combatant) -> Trail:
    if not queries.is_pc(combatant):
        return _no_slots(combatant, "reserved")
    reserve = queries.reserve(combatant).now
    usable = [entry for entry in abilities(combatant) if entry.is_usable_from_reserve]
    parts = [TrailPart("kept at the end of the Active Phase", str(reserve), "AP-17")]
    parts += [
        TrailPart(f"can pay for {entry.name}", str(prices.price_of(state, entry, RESERVED).total), "AP-20")
        for entry in usable
    ]
    parts.append(TrailPart("lost to Hesitation at the end of the round", str(reserve), "AP-27"))
    return Trail("reserved", str(reserve), tuple(parts))


def _price(state: FightState, combatant: Combatant) -> Trail:
    if not queries.is_pc(combatant):
        return _no_slots(combatant, "price")
    pool = prices.next_pool(combatant)
    is_quadruple = prices.is_quadrupled(state, pool)
    parts = []
    for entry in (entry for entry in abilities(combatant) if not entry.init_only):
        price = prices.price_of(state, entry, pool)
        if price.stated:
            how, rule = f"{price.total}, its own Final price", "Q-A11"
        elif is_quadruple:
            how, rule = f"{prices.FINAL_MULTIPLIER} x {price.base} = {price.total}", "AP-23"
        else:
            how, rule = str(price.total), "AP-21"
        parts.append(TrailPart(entry.name, how, rule))
    parts = parts or [TrailPart("no abilities on the sheet", "set by the GM", "AP-21")]
    return Trail(
        "price", f"{'reserved' if pool == RESERVED else 'active'} prices{' x4' if is_quadruple else ''}", tuple(parts)
    )


def _place(state: FightState, combatant: Combatant) -> Trail:
    if not queries.is_pc(combatant):
        return _no_slots(combatant, "place")
    result = fighter_of(combatant).awareness
    bands = cycle.bands(state)
    index = cycle.band_of(bands, combatant.id)
    parts = [TrailPart("Awareness", "not rolled" if result is None else str(result), "AP-01")]
    if index < 0:
        return Trail("place", "none yet", tuple(parts))
    mates = tuple(combatant_id for combatant_id in bands[index] if combatant_id != combatant.id)
    if mates:
        parts.append(TrailPart("shares a place with", cycle.band_names(state, mates), "AP-03"))
    anchor = fighter_of(combatant).stay
    if anchor in state.combatants:
        parts.append(TrailPart("stayed, after", state.combatants[anchor].name, "AP-06"))
    if fighter_of(combatant).from_round > max(1, state.round):
        parts.append(TrailPart("first slots in round", str(fighter_of(combatant).from_round), "Q-A26"))
    parts.append(
        TrailPart(
            "the Cycle is locked" if queries.is_locked(state) else "can change until the Cycle is locked", "", "AP-07"
        )
    )
    return Trail("place", f"{index + 1} of {len(bands)}", tuple(parts))


def _final(state: FightState, combatant: Combatant) -> Trail:
    step = next((step for step in reversed(state.agenda.steps) if step.phase == "final"), None)
    scope = settings_of(state).final_scope
    if step is None:
        why = "none this round: fewer than two bands can act, or the last one dropped out too late"
        return Trail("final", "no Final Phase", (TrailPart(why, "", "Q-A2"),))
    parts = [
        TrailPart("the last band that can act", cycle.band_names(state, cycle.members(state, step)), "AP-22"),
        TrailPart("every price", f"x{prices.FINAL_MULTIPLIER}", "AP-23"),
        TrailPart("applies to", scope.replace("_", " "), "Q-A2"),
        TrailPart("unused slots", "lost", "AP-25"),
    ]
    hit = prices.is_quadrupled(state, prices.pool_of(combatant)) if queries.is_pc(combatant) else False
    return Trail("final", f"x{prices.FINAL_MULTIPLIER} now" if hit else "not now", tuple(parts))


def _action(state: FightState, combatant: Combatant) -> Trail:
    work = fighter_of(combatant).work
    if work is None:
        return Trail(
            "action",
            "nothing in progress",
            (TrailPart("only Action Slots can start an action of several rounds", "", "AP-34"),),
        )
    word = "set by the GM" if work.breakable is None else "yes" if work.breakable else "no"
    roll_text = "sealed until the last slot is paid" if work.roll is not None else "none"
    parts = (
        TrailPart("price fixed at the start", str(work.needed), "Q-A14"),
        TrailPart("paid", str(work.paid), "AP-35"),
        TrailPart("roll", roll_text, "AP-37"),
        TrailPart("can be interrupted", word, "AP-39"),
        TrailPart("if nothing is paid in the next Active Phase", "lost", "Q-A15"),
    )
    return Trail("action", f"{work.name} {work.paid}/{work.needed}", parts)


def _effects(state: FightState, combatant: Combatant) -> Trail:
    parts = []
    for effect in combatant.effects:
        duration = "untimed" if effect.left is None else f"{effect.left} left"
        if effect.kind in (queries.DAMAGE, queries.HEAL):
            amount = f"{pulses.strength_words(effect)} a round ({effect.kind})"
            parts.append(TrailPart(f"{effect.name}, {duration}", amount, "AP-45"))
        elif effect.kind == queries.SLOT_MOD:
            parts.append(TrailPart(f"{effect.name}, {duration}", f"{effect.magnitude:+d} slots", "AP-13"))
        else:
            parts.append(TrailPart(effect.name, duration, "AP-44"))
    more, healing = outro.remaining_healing(combatant)
    if healing:
        parts.append(TrailPart("total still to heal", more or "nothing", "AP-52"))
    return Trail("effects", str(len(combatant.effects)), tuple(parts) or (TrailPart("no effects", "", "AP-44"),))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", "", "AP-45"),))
    damage = pulses.pulsing_effects(combatant, queries.DAMAGE)
    healing = pulses.pulsing_effects(combatant, queries.HEAL)
    parts = [TrailPart("sheet", str(pool.max)), TrailPart("harm", str(pool.now - pool.max))]
    if damage or healing:
        order = "damage first" if settings_of(state).hp_net == "damage_first" else "damage and healing combined"
        sums = f"-{pulses.strength_words(*damage)} +{pulses.strength_words(*healing)}"
        parts.append(TrailPart(f"next Upkeep, {order}", sums, "AP-45"))
    return Trail("hp", f"{pool.now}/{pool.max}", tuple(parts))


TRAILS: Trails = {
    SLOTS: _slots,
    RESERVED: _explain_reserve,
    "price": _price,
    "place": _place,
    "final": _final,
    "action": _action,
    "effects": _effects,
    "hp": _hp,
}
"""The explanations, by the name of the number."""
