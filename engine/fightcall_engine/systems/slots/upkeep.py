"""Upkeep: questions, damage and healing over time, the countdown (AP-42..45, AP-51, Q-A5, Q-A17)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import cast

from fightcall_engine.kit import effects
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import EffectBegan, Event, RulingRecorded
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Prompt
from fightcall_engine.systems.slots import events, outro, pulses, queries, works, zone_marks
from fightcall_engine.systems.slots.fates import ask_at_zero
from fightcall_engine.systems.slots.records import encounter_of, fighter_of
from fightcall_engine.systems.slots.settings import SlotsSettings, settings_of

OUTSIDE, ITEMS, NET, DAMAGE_PULSES, HEAL_PULSES, COUNTDOWN = "outside", "items", "net", "damage", "heal", "countdown"
"""The parts of Upkeep; `Encounter.upkeep` is the last one that is done."""

SHOWN_ITEMS = 2
"""How many items of Upkeep its question names."""


def parts(settings: SlotsSettings) -> tuple[str, ...]:
    """The parts of Upkeep in order, by the table's settings."""
    pulses = (DAMAGE_PULSES, HEAL_PULSES) if settings.hp_net == "damage_first" else (NET,)
    if settings.upkeep_order == "countdown_first":
        return (OUTSIDE, ITEMS, COUNTDOWN, *pulses)
    return (OUTSIDE, ITEMS, *pulses, COUNTDOWN)


def begin(decision: Decision) -> None:
    """AP-28, AP-43: begin Upkeep with the question what else resolves in it."""
    decision.set_facts(upkeep=OUTSIDE, waived=(), seen=())
    encounter = encounter_of(decision.state)
    if encounter.until != "upkeep":
        decision.spawn(_ask_outside)
        return
    choice, is_default = encounter.outside or "none", not encounter.outside
    question = "Anything else at Upkeep?"
    decision.emit(RulingRecorded(rule="AP-43", question=question, choice=choice, default_taken=is_default))


def _ask_outside(decision: Decision) -> None:
    """AP-42, AP-43, AP-46: go through Upkeep item by item or all at once, add something else, or end the threats."""
    while (answer := decision.ask(outside_prompt(decision.state), events.OutsideUpkeepAsked)) is not None:
        if answer.choice == "all":
            resolve_at_once(decision)
        elif answer.choice == "over":
            outro.end_threats(decision)
        if answer.choice != "more":
            return
        # The record of the answer keeps what else resolves.
        if not answer.note.strip():
            question = "What else does this Upkeep resolve?"
            decision.ask(prompt_for(None, kind="upkeep_item", question=question, rule="AP-43", choices=()))


def outside_prompt(state: FightState) -> Prompt:
    """AP-43: the question what else resolves, after what is due; no threat being left is one of its answers (AP-46).

    A single item is not asked about again.
    """
    state_in_zones = zone_marks.with_zone_effects(state)
    items = [_describe_item(state_in_zones, *item) for item in _due_items(state_in_zones)]
    is_single = len(items) == 1
    ways = ("none:item by item" if items else "none:nothing", "all:all at once")
    ways = ("all:apply it", "none:decide it separately") if is_single else ways
    more = (f"{len(items) - SHOWN_ITEMS} more",) if len(items) > SHOWN_ITEMS else ()
    due = "; ".join((*items[:SHOWN_ITEMS], *more))
    asks = f"{due}. Does anything else resolve?" if items else "does anything resolve?"
    over = () if queries.are_threats_over(state) else ("over:no threats left:o",)
    return prompt_for(
        None,
        kind="upkeep",
        question=f"Upkeep of round {state.round}: {asks}",
        rule="AP-43",
        choices=choices(*ways, "more:something else:e", *over),
        default="all" if is_single else "none",
    )


def resolve_at_once(decision: Decision) -> None:
    """AP-42: resolve the rest of Upkeep without asking about each effect."""
    decision.set_facts(upkeep=ITEMS)


def _parts_left(state: FightState) -> tuple[str, ...]:
    order, last_part = parts(settings_of(state)), encounter_of(state).upkeep
    return order[order.index(last_part) + 1 :] if last_part in order else ()


def is_over(state: FightState) -> bool:
    """Whether all parts of Upkeep are done."""
    return not _parts_left(state)


def do_next_part(decision: Decision) -> bool:
    """Do the next part of Upkeep; return whether there was one."""
    parts_left = _parts_left(decision.state)
    if parts_left and not (parts_left[0] == ITEMS and _ask_next_item(decision)):
        if parts_left[0] in _PARTS:
            _PARTS[parts_left[0]](decision, _without_waived_effects(zone_marks.with_zone_effects(decision.state)))
        decision.set_facts(upkeep=parts_left[0])
    return bool(parts_left)


# Items


def _ask_next_item(decision: Decision) -> bool:
    """AP-44, AP-45: ask about the next effect that is due, unless all resolve at once; return whether there is one."""
    encounter = encounter_of(decision.state)
    if encounter.until == "upkeep":
        return False
    state_in_zones = zone_marks.with_zone_effects(decision.state)
    due = _due_items(state_in_zones)
    for at, (combatant, effect) in enumerate(due, 1):
        if effect.id not in encounter.seen:
            decision.set_facts(seen=(*encounter.seen, effect.id))
            decision.spawn(
                _ask_about_item,
                combatant.id,
                effect,
                _item_prompt(state_in_zones, combatant, effect, f"{at} of {len(due)}"),
            )
            return True
    return False


def _due_items(state: FightState) -> tuple[tuple[Combatant, Effect], ...]:
    """All effects that are due in Upkeep, each with its combatant."""
    return tuple((combatant, effect) for combatant in state.roster for effect in _due_effects(state, combatant))


def _due_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects on a combatant that are due in Upkeep."""
    active = (
        *pulses.pulsing_effects(combatant, queries.DAMAGE),
        *pulses.pulsing_effects(combatant, queries.HEAL),
        *counting_effects(state, combatant),
    )
    return tuple(effect for effect in combatant.effects if effect in active)


def _describe_item(state: FightState, combatant: Combatant, effect: Effect) -> str:
    does = []
    if effect in (*pulses.pulsing_effects(combatant, queries.DAMAGE), *pulses.pulsing_effects(combatant, queries.HEAL)):
        does.append(f"{pulses.strength_words(effect)} {'damage' if effect.kind == queries.DAMAGE else 'healing'}")
    if effect in counting_effects(state, combatant):
        rounds_left = (effect.left or 1) - 1
        does.append(f"{rounds_left} left after this" if rounds_left else "then it ends")
    return f"{effect.name} on {combatant.name}: {', '.join(does)}"


def _item_prompt(state: FightState, combatant: Combatant, effect: Effect, place: str) -> Prompt:
    return prompt_for(
        combatant,
        kind="upkeep_effect",
        question=f"Upkeep {place}: {_describe_item(state, combatant, effect)}?",
        rule="AP-45" if effect.kind in (queries.DAMAGE, queries.HEAL) else "AP-44",
        choices=choices("apply", "waive:skip it this time:n"),
        default="apply",
    )


def _ask_about_item(decision: Decision, combatant_id: str, effect: Effect, prompt: Prompt) -> None:
    """AP-44, AP-45: apply an effect, or waive it this time and ask why; the record of the answer keeps the reason."""
    answer = decision.ask(prompt)
    if answer is None or answer.choice != "waive":
        return
    decision.set_facts(waived=(*encounter_of(decision.state).waived, effect.id))
    if not answer.note:
        combatant = decision.combatant(combatant_id)
        question = f"Why skip {effect.name} on {combatant.name}?"
        decision.ask(prompt_for(combatant, kind="upkeep_waived", question=question, rule=prompt.rule, choices=()))


def _without_waived_effects(state: FightState) -> FightState:
    """The state without the effects that the GM has waived in this Upkeep."""
    waived_ids = encounter_of(state).waived
    if not waived_ids:
        return state
    people = {
        name: replace(combatant, effects=tuple(effect for effect in combatant.effects if effect.id not in waived_ids))
        for name, combatant in state.combatants.items()
    }
    return replace(state, combatants=people)


# Pulses


def _damage_event(combatant: Combatant, effect: Effect, points: Pool, left: int, offset: int) -> events.DamagePulsed:
    return events.DamagePulsed(
        who=combatant.id,
        pool="hp",
        before=points.now,
        left=left,
        max=points.max,
        amount=pulses.strength(effect),
        by="",
        tracked="hp" in combatant.pools,
        effect=effect.name,
        offset=offset,
    )


def _heal_event(combatant: Combatant, effect: Effect, points: Pool, left: int, offset: int) -> events.HealPulsed:
    return events.HealPulsed(
        who=combatant.id,
        pool="hp",
        before=points.now,
        left=left,
        max=points.max,
        amount=pulses.strength(effect),
        effect=effect.name,
        offset=offset,
    )


def _damage_events(combatant: Combatant, rolls: pulses.Rolls, cancelled: int, now: int) -> tuple[list[Event], int]:
    """The events of damage pulses, of which healing cancels `cancelled` points, and the hit points left."""
    new_events: list[Event] = []
    maximum = combatant.pool("hp").max
    for effect in pulses.pulsing_effects(combatant, queries.DAMAGE):
        offset = min(cancelled, pulses.strength(effect))
        cancelled -= offset
        left = max(0, now - (pulses.strength(effect) - offset))
        new_events += rolls.get(effect.id, ())
        new_events.append(_damage_event(combatant, effect, Pool(now, maximum), left, offset))
        now = left
    return new_events, now


def _heal_events(combatant: Combatant, rolls: pulses.Rolls, cancelled: int, now: int) -> tuple[list[Event], int]:
    new_events: list[Event] = []
    maximum = combatant.pool("hp").max
    if "hp" not in combatant.pools:
        return new_events, now
    for effect in pulses.pulsing_effects(combatant, queries.HEAL):
        offset = min(cancelled, pulses.strength(effect))
        cancelled -= offset
        left = min(max(maximum, now), now + pulses.strength(effect) - offset)
        new_events += rolls.get(effect.id, ())
        new_events.append(_heal_event(combatant, effect, Pool(now, maximum), left, offset))
        now = left
    return new_events, now


def _net_part(decision: Decision, state_in_zones: FightState) -> None:
    """Q-A17: offset damage and healing of one Upkeep against each other."""
    for bearer in state_in_zones.roster:
        is_counted = "hp" in bearer.pools
        kinds = (queries.DAMAGE, queries.HEAL) if is_counted else (queries.DAMAGE,)
        combatant, rolls = pulses.roll(decision, bearer, *kinds)
        damage = sum(map(pulses.strength, pulses.pulsing_effects(combatant, queries.DAMAGE)))
        healing = sum(map(pulses.strength, pulses.pulsing_effects(combatant, queries.HEAL))) if is_counted else 0
        now = combatant.pool("hp").now
        if healing <= damage:
            heal_events, now = _heal_events(combatant, rolls, damage, now)
            damage_events, now = _damage_events(combatant, rolls, healing, now)
            decision.emit(*heal_events, *damage_events)
        else:
            damage_events, now = _damage_events(combatant, rolls, healing, now)
            heal_events, now = _heal_events(combatant, rolls, damage, now)
            decision.emit(*damage_events, *heal_events)
        _ask_if_at_zero(decision, combatant, now, damage > healing)


def _damage_part(decision: Decision, state_in_zones: FightState) -> None:
    for bearer in state_in_zones.roster:
        combatant, rolls = pulses.roll(decision, bearer, queries.DAMAGE)
        damage_events, now = _damage_events(combatant, rolls, 0, combatant.pool("hp").now)
        decision.emit(*damage_events)
        _ask_if_at_zero(decision, combatant, now, bool(damage_events))


def _heal_part(decision: Decision, state_in_zones: FightState) -> None:
    for bearer in state_in_zones.roster:
        combatant, rolls = pulses.roll(decision, bearer, *((queries.HEAL,) if "hp" in bearer.pools else ()))
        decision.emit(*_heal_events(combatant, rolls, 0, combatant.pool("hp").now)[0])


def _ask_if_at_zero(decision: Decision, combatant: Combatant, now: int, is_harmed: bool) -> None:
    """AP-45, AP-51: ask the GM about a combatant who is harmed and at 0."""
    if is_harmed and now <= 0 and "hp" in combatant.pools:
        decision.spawn(ask_at_zero, combatant.id)


# Countdown


def counting_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """AP-44: the effects that Upkeep counts down."""
    return tuple(
        effect
        for effect in combatant.effects
        if effect in (*_timed_effects(state, combatant), *_stranded_effects(state, combatant))
    )


def _timed_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    return (*effects.due(state, combatant, queries.UPKEEP_TICK), *effects.due(state, combatant, effects.ROUND_END))


def _stranded_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    return effects.effects_on_stopped_clocks(state, combatant, queries.CLOCKS["own"].values(), queries.keeps_time)


def _countdown(decision: Decision, state_in_zones: FightState) -> None:
    """AP-05, AP-44: count down NPCs' actions, marks and effects; PCs pay for their actions with slots instead."""
    for combatant in queries.npcs(state_in_zones):
        work = fighter_of(combatant).work
        if work is not None and combatant.able:
            works.record_progress(decision, combatant.id, work, work.paid + 1)
    zone_marks.count_down_marks(decision)
    for combatant in state_in_zones.roster:
        still = _stranded_effects(state_in_zones, combatant)
        for effect in counting_effects(state_in_zones, combatant):
            _count_down(decision, combatant, (effect,), standing_still=effect in still)


def _count_down(
    decision: Decision, combatant: Combatant, due: Iterable[Effect], *, standing_still: bool = False
) -> None:
    """Count down effects, with the events of this system."""
    countdown = effects.count_down(
        decision.state,
        combatant,
        due,
        tick_type=events.TickedDown,
        end_type=events.EffectExpired,
        down_to_zero=True,
        standing_still=standing_still,
    )
    decision.emit(*countdown)


def count_at_phase(decision: Decision, combatant_id: str, moment: str) -> None:
    """Count down the effects that count by the beginning or end (`moment`) of a PC's Active Phase."""
    for combatant in decision.state.roster:
        _count_down(decision, combatant, effects.due(decision.state, combatant, moment, combatant_id))


_PARTS: Mapping[str, Callable[[Decision, FightState], None]] = {
    NET: _net_part,
    DAMAGE_PULSES: _damage_part,
    HEAL_PULSES: _heal_part,
    COUNTDOWN: _countdown,
}
"""The parts that change the fight. Each takes the state with zone effects and without waived ones."""


# New effects


def make_harmful(bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
    """An effect that does damage or heals at each Upkeep (AP-45).

    Raises:
        Refused: the amount is neither a number above 0 nor dice.
    """
    pulses.check_strength(amount)
    kind = queries.HEAL if heals else queries.DAMAGE
    return replace(pulses.make_effect(effect.name, kind, amount, effect.left, note=effect.note), id=effect.id)


def begin_sheet_effects(decision: Decision, combatant: Combatant) -> None:
    """Begin the effects on a combatant's sheet, timed changes of slots included (AP-13)."""
    mods = cast(list[Mapping[str, Json]], combatant.sheet.get("slot_mods") or [])
    timed_effects = [
        {**entry, "name": entry["source"], "kind": queries.SLOT_MOD}
        for entry in mods
        if entry.get("rounds") is not None
    ]
    for entry in [*timed_effects, *cast(list[Mapping[str, Json]], combatant.sheet.get("effects") or [])]:
        effect = pulses.make_effect(
            str(entry["name"]),
            str(entry.get("kind") or "other"),
            cast(int | str, entry.get("amount") or 0),
            cast(int | None, entry.get("rounds")),
            entry.get("counts") is not False,
        )
        decision.emit(EffectBegan(who=combatant.id, effect=effect))
