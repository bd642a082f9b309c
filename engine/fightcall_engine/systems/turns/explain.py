"""Where a participant's numbers come from, part by part, each with its rule."""

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.effects import owner_of
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.views import Trail, TrailPart, Trails
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import actions, cards, effects, offers, records
from fightcall_engine.systems.turns.records import WORDS, participant_of, scene_of, settings_of, turn_state


def _initiative(state: FightState, combatant: Combatant) -> Trail:
    roll, total = participant_of(combatant).init_roll, records.initiative_of(combatant)
    parts = [
        TrailPart("d20", "not rolled" if roll is None else str(roll), "ST-12"),
        TrailPart("Speed", f"{records.speed_of(combatant):+d}", "ST-12"),
    ]
    same = [other for other in state.roster if total is not None and records.initiative_of(other) == total]
    if len(same) > 1:
        speeds = ", ".join(f"{other.name} {records.speed_of(other):+d}" for other in same)
        parts.append(TrailPart("tie broken by higher Speed", speeds, "ST-14"))
    if participant_of(combatant).tie_d6:
        parts.append(TrailPart("tie broken by d6", " ".join(map(str, participant_of(combatant).tie_d6)), "ST-15"))
    return Trail("initiative", "not rolled" if total is None else str(total), tuple(parts))


def _order(state: FightState, combatant: Combatant) -> Trail:
    place = state.order.index(combatant.id) + 1
    by_roll = sorted(state.roster, key=records.rank_key, reverse=True)
    place_by_roll = [other.id for other in by_roll].index(combatant.id) + 1
    parts = [TrailPart("by the roll", str(place_by_roll), "ST-13")]
    if place_by_roll != place:
        is_persistent = settings_of(state).delay_persists
        parts.append(TrailPart("after delays and rulings", str(place), "ST-20" if is_persistent else "Q-T4"))
    parts.append(TrailPart("in this round", cards.turn_word(state, combatant), "ST-06"))
    return Trail("order", f"{place} of {len(state.order)}", tuple(parts))


def _actions(state: FightState, combatant: Combatant) -> Trail:
    pool = records.actions_of(combatant)
    sheet_actions = sheet_int(combatant, "actions")
    base = records.actions_per_turn(combatant.sheet, settings_of(state))
    parts = [
        TrailPart(
            "sheet" if sheet_actions is not None else "default",
            str(base),
            "ST-07" if sheet_actions is not None else "Q-T1",
        )
    ]
    if pool.max != base:
        parts.append(TrailPart("GM override", f"{pool.max - base:+d}"))
    has_begun = turn_state(combatant) in (records.BEGUN, records.DONE)
    gone = (
        ("spent or lost since your turn started", "ST-28")
        if has_begun
        else ("returns at the start of your turn", "ST-07")
    )
    parts.append(TrailPart(gone[0], str(pool.now - pool.max), gone[1]))
    return Trail("actions", f"{pool.now}/{pool.max}", tuple(parts))


def _reactions(state: FightState, combatant: Combatant) -> Trail:
    pool = records.reactions_of(state, combatant)
    is_shared = records.reaction_pool(state) == records.ACTIONS
    parts = (
        TrailPart("as many as Actions", str(pool.max), "ST-31"),
        TrailPart("unused Actions" if is_shared else "a separate pool", str(pool.now), "Q-T2"),
        TrailPart("come back", "at the start of your turn", "Q-T3"),
    )
    return Trail("reactions", f"{pool.now}/{pool.max}", parts)


def _turn(state: FightState, combatant: Combatant) -> Trail:
    conditions = (
        ("take", offers.take_checks(state, combatant), "ST-13"),
        ("delay", offers.delay_checks(state, combatant), "ST-17"),
        ("step in", offers.step_in_checks(state, combatant), "ST-18"),
        ("act", actions.act_checks(state, combatant), "ST-28"),
        ("react", actions.react_checks(state, combatant), "ST-30"),
        ("Free Action", actions.free_checks(state, combatant), "ST-32"),
    )
    parts = []
    for label, checks, rule in conditions:
        broken = first_broken(checks)
        if broken is None:
            parts.append(TrailPart(label, "yes", rule))
        else:
            parts.append(TrailPart(f"{label}: {broken.message}", "no", broken.rule))
    return Trail("turn", cards.turn_word(state, combatant), tuple(parts))


def _effects(state: FightState, combatant: Combatant) -> Trail:
    parts: list[TrailPart] = []
    for effect in effects.arrange_effects(combatant, combatant.effects):
        price, resource = effects.upkeep_of(effect)
        pool = effects.pool_of(effect)
        strength = (effects.dice_of(effect) or str(effect.magnitude)) + ("" if pool == "hp" else f" {WORDS.pool(pool)}")
        if effect.kind == "negative":
            parts.append(TrailPart(f"{effect.name}, step 1", strength, "ST-23"))
        elif effect.kind == "positive":
            parts.append(TrailPart(f"{effect.name}, step 4", strength, "ST-27"))
        if price:
            payer = state.combatants[effects.payer_of(state, combatant, effect)].name
            parts.append(TrailPart(f"{effect.name}, step 2: {payer} pays", f"{price} {WORDS.pool(resource)}", "ST-24"))
        if effect.left is not None:
            owner = state.combatants[owner_of(state, combatant, effect)].name
            when = {records.TURN_START: f"turns of {owner}", records.TURN_END: f"turn ends of {owner}"}.get(
                effect.ticks, "rounds"
            )
            parts.append(TrailPart(f"{effect.name}, left", f"{effect.left} {when}", "ST-26"))
        if not effect.kind and not price and effect.left is None:
            parts.append(TrailPart(effect.name, "until ended"))
    return Trail("effects", str(len(combatant.effects)), tuple(parts) or (TrailPart("no effects", ""),))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", ""),))
    parts = (TrailPart("maximum", str(pool.max)), TrailPart("harm", str(pool.now - pool.max)))
    return Trail("hp", f"{pool.now}/{pool.max}", parts)


def _rest(state: FightState, combatant: Combatant) -> Trail:
    parts: list[TrailPart] = []
    for name in records.RESTED:
        pool = combatant.pools.get(name)
        if pool is not None:
            when = "Short or Full Rest" if name == "focus" else "Full Rest"
            parts.append(TrailPart(f"{name} {pool.now}/{pool.max}", when, "ST-39" if name == "focus" else "ST-41"))
    for name, pool in records.dailies_of(combatant).items():
        parts.append(TrailPart(f"{name} {pool.now}/{pool.max}", "Full Rest", "ST-42"))
    awake = scene_of(state).awake_h
    parts += [TrailPart("awake", f"{awake} h", "ST-34")] if awake else []
    return Trail("rest", participant_of(combatant).resting, tuple(parts) or (TrailPart("nothing to restore", ""),))


TRAILS: Trails = {
    "initiative": _initiative,
    "order": _order,
    "actions": _actions,
    "reactions": _reactions,
    "turn": _turn,
    "effects": _effects,
    "hp": _hp,
    "rest": _rest,
}
