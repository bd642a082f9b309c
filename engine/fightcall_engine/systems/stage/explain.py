"""Explanations of a figure's numbers: their parts, each with its rule."""

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.views import Trail, TrailPart, Trails
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import records, strikes
from fightcall_engine.systems.stage.records import figure_of, scene_of, settings_of


def _beats(state: FightState, combatant: Combatant) -> Trail:
    pool = records.beats(combatant)
    base = sheet_int(combatant, "base_beats")
    base = 14 if base is None else base
    total = records.total_beats(combatant.sheet, settings_of(state))
    loss = base - total
    parts = [
        TrailPart("base", str(base), "SB-28" if combatant.side == records.PARTY else "SB-32"),
        TrailPart("armour", str(-loss), "SB-29"),
    ]
    if pool.max != total:
        parts.append(TrailPart("GM override", f"{pool.max - total:+d}"))
    parts.append(TrailPart("spent this Moment", str(pool.now - pool.max), "SB-31"))
    return Trail("beats", f"{pool.now}/{pool.max}", tuple(parts))


def _sneak(state: FightState, combatant: Combatant) -> Trail:
    skill = sheet_int(combatant, "skullduggery")
    agility = sheet_int(combatant, "agility") or 10
    target, dar = records.sneak_target(combatant, settings_of(state)), records.sneak_dar(combatant)
    bonus = figure_of(combatant).sneak_bonus
    by_skill = records.sneaks_by_skill(combatant, settings_of(state))
    parts = [
        TrailPart("Skullduggery" if by_skill else "Agility", str(target), "SB-63" if by_skill else "SB-59"),
        TrailPart("DAR added to the die", str(dar), "SB-59" if figure_of(combatant).dar_relief is None else "SB-64"),
        TrailPart("highest d20 roll that succeeds", str(target - dar + bonus), "SB-59"),
    ]
    if bonus:
        parts.insert(2, TrailPart("subtracted by the GM", str(bonus), "SB-62"))
    if skill is not None and not by_skill:
        parts.insert(1, TrailPart("Skullduggery, not used", str(skill), "Q-S15"))
    if by_skill:
        parts.insert(1, TrailPart("Agility, not used", str(agility), "SB-63"))
    total = f"d20{f' {dar:+d}' if dar else ''}{f' {-bonus:+d}' if bonus else ''} ≤ {target}"
    return Trail("sneak", total, tuple(parts))


def _cover(state: FightState, combatant: Combatant) -> Trail:
    value, source = strikes.cover_modifier(state, combatant, None)
    rule = "SB-69" if source == "partial cover" else "SB-70"
    parts = (
        TrailPart("cover now", figure_of(combatant).cover, "SB-68"),
        TrailPart("cover at the start of the Moment", figure_of(combatant).cover_at_start, "SB-67"),
        TrailPart(f"added to a shooter's die: {source}" if value else "added to a shooter's die", str(value), rule),
    )
    return Trail("cover", figure_of(combatant).cover, parts)


def _order(state: FightState, combatant: Combatant) -> Trail:
    place = [
        combatant_id for combatant_id in state.order if state.combatants[combatant_id].side == combatant.side
    ].index(combatant.id) + 1
    lead = records.leading_side(state)
    rule = "SB-06" if lead == records.PARTY else "SB-14"
    parts = (
        TrailPart("lead side", lead, rule if lead == scene_of(state).lead_side else "SB-13"),
        TrailPart("own side", combatant.side, "SB-06"),
        TrailPart(f"order of the party: {scene_of(state).party_order}", str(place), "SB-11"),
    )
    return Trail("order", f"{place} of the {combatant.side}", parts)


def _prone(state: FightState, combatant: Combatant) -> Trail:
    chosen = settings_of(state)
    half = f"drop prone: half of all beats, rounded {chosen.prone_round}"
    all_of_them = "stand up: all beats" if chosen.rise_needs_full else "stand up: all remaining beats"
    parts = (
        TrailPart(half, str(records.prone_price(combatant, chosen)), "SB-75"),
        TrailPart(all_of_them, str(records.rise_price(combatant, chosen)), "SB-76"),
    )
    return Trail("prone", figure_of(combatant).posture, parts)


def _strike(state: FightState, combatant: Combatant) -> Trail:
    last_strike = figure_of(combatant).strike
    parts = []
    for kind in records.STRIKE_PHASES:
        check = first_broken(strikes.attacker_checks(state, combatant, kind))
        if check is not None:
            parts.append(TrailPart(f"{kind}: {check.message}", "no", check.rule))
        else:
            parts.append(TrailPart(kind, "yes", strikes.PHASE_RULES[kind]))
    return Trail("strike", "unused" if last_strike == "none" else f"used ({last_strike})", tuple(parts))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", "", "SB-37"),))
    return Trail(
        "hp",
        f"{pool.now}/{pool.max}",
        (TrailPart("sheet", str(pool.max)), TrailPart("harm", str(pool.now - pool.max), "SB-37")),
    )


TRAILS: Trails = {
    "beats": _beats,
    "sneak": _sneak,
    "cover": _cover,
    "order": _order,
    "prone": _prone,
    "strike": _strike,
    "hp": _hp,
}
"""The explanations, by the name of the number."""
