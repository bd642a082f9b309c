"""Upkeep and winding down: pulses, the countdown, All Resolve, Slow Burn (AP-42..53)."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import cast

from fightcall_engine.kit import agenda
from fightcall_engine.kit.decision import Decision, choices, prompt_for, record_answer, record_moot, throw
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import change_pool, sheet_entries
from fightcall_engine.kit.views import Check
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import ContactLeft, EffectBegan, EffectEnded, Event, Placed, RulingRecorded
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt, fields_of_record
from fightcall_engine.model.values import replace
from fightcall_engine.systems.slots import entries, ongoing, records, works
from fightcall_engine.systems.slots.ongoing import ask_at_zero, lose_work

_LASTING_FIELDS = frozenset({"kind", "agility", "awareness", "dead", "acted_round", "last_act"})
_LASTING_FIELDS_OF_FIGHT = frozenset({"threats", "outro", "marks"})

SHOWN_ITEMS = 2
"""How many items of Upkeep its question names."""


# Choosing how to end


def end_threats(decision: Decision) -> None:
    """AP-46: the GM says that no threat is left; ask how to wind down."""
    if not records.are_threats_over(decision.state):
        decision.emit(entries.ThreatsPlayedOut(before="", value=records.OVER))
        decision.spawn(ask_for_end)


def is_end_due(state: FightState) -> bool:
    """Whether a Slow Burn has no problem left to solve."""
    return records.is_slow_burn(state) and not works.open_problems(state)


def ask_for_end(decision: Decision) -> None:
    """AP-46: ask how the encounter ends, and end it so: by a printed way, or another in the GM's words (Q-A19)."""
    answer = decision.ask(end_prompt(decision.state))
    if answer is None:
        return
    choice, note = answer.choice, answer.note
    if choice == "other":
        choice, note = answer.note.strip(), ""
        if not choice:
            question = "How does the encounter wind down?"
            words = decision.ask(prompt_for(None, kind="outro_words", question=question, rule="AP-46", choices=()))
            if words is None:
                return
            choice = words.choice.strip() or "ended"
    choose_end(decision, choice, note)


def end_prompt(state: FightState) -> Prompt:
    """AP-46: the question how the encounter ends, with reasons for Slow Burn."""
    names = []
    for combatant in records.pcs(state):
        if not combatant.able:
            names.append(f"{combatant.name} is {'dead' if records.fighter_of(combatant).dead else 'down'}")
        harm = ", ".join(effect.name for effect in ongoing.pulsing_effects(combatant, records.DAMAGE))
        names += [f"{combatant.name}: {harm}"] if harm else []
        more, healing = remaining_healing(combatant)
        names += [f"{combatant.name} still heals {more}"] if healing and more else []
    hint = f" Slow Burn? {'; '.join(names)}." if names else ""
    is_burning = records.is_slow_burn(state)
    opening = "The problem is solved." if is_burning else "No threats are left."
    question = f"{opening}{hint} How does the encounter wind down?"
    slow_burn = f"{records.SLOW_BURN}:Slow Burn{', another problem' if is_burning else ''}"
    menu = choices(f"{records.ALL_RESOLVE}:All Resolve", slow_burn, "other")
    return prompt_for(None, kind="outro", question=question, rule="AP-46", choices=menu)


@handles(entries.Outro)
def wind_down(decision: Decision, command: entries.Outro) -> None:
    """AP-46, AP-47: wind down, once the threats are over; All Resolve may also end a Slow Burn."""
    choice, is_over = command.choice.strip(), records.are_threats_over(decision.state)
    if not choice:
        raise Refused(
            "AP-46", "say how it winds down", (records.ALL_RESOLVE, records.SLOW_BURN, "any words"), final=True
        )
    decision.require(Check(is_over, "AP-46", "there are still threats", (RulingWanted("threats_over"),)))
    if choice == records.SLOW_BURN and records.is_slow_burn(decision.state):
        raise Refused("AP-48", "Slow Burn is already running", (records.ALL_RESOLVE, "any words"), final=True)
    for prompt in decision.state.prompts:
        if prompt.kind in ("outro", "issue"):
            decision.emit(record_answer(prompt, choice, default=False))
    if not is_over:
        decision.emit(entries.ThreatsPlayedOut(before="", value=records.OVER))
    choose_end(decision, choice, command.note)


def choose_end(decision: Decision, choice: str, note: str) -> None:
    """AP-46: end the encounter, or go on as a Slow Burn."""
    before = records.encounter_of(decision.state).outro
    if choice == records.SLOW_BURN and before == records.SLOW_BURN:
        decision.spawn(works.ask_what_is_needed)
        return
    decision.emit(entries.OutroChosen(before=before, value=choice))
    if choice == records.SLOW_BURN:
        # Problems left from an earlier Slow Burn are taken up again.
        if not works.open_problems(decision.state):
            decision.spawn(works.ask_what_is_needed)
        _close_round_together(decision)
    elif choice == records.ALL_RESOLVE:
        state = decision.state
        for combatant in state.roster:
            for effect in combatant.effects:
                decision.emit(EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason="All Resolve"))
        _leave_cycle(decision)
        for key, mark in records.encounter_of(decision.state).marks.items():
            ongoing.remove_mark(decision, key, mark, "All Resolve")
        decision.emit(*(ContactLeft(who=combatant_id, enemy=enemy) for combatant_id, enemy in state.contacts))
        standing = tuple(combatant for combatant in state.roster if combatant.at is not None)
        decision.emit(*(Placed(who=combatant.id, before=combatant.at, at=None) for combatant in standing))
        decision.emit(entries.BoardCleared(figures=tuple(combatant.id for combatant in standing)))
        decision.emit(entries.EncounterEnded(reason="All Resolve"))
    else:
        _leave_cycle(decision)
        decision.emit(entries.EncounterEnded(reason=note or choice))


def bring_threats_back(decision: Decision) -> None:
    """AP-46, AP-48: a threat is back: the next round is fought in the Cycle."""
    is_burning = records.is_slow_burn(decision.state)
    moot = (prompt for prompt in decision.state.prompts if prompt.kind in ("outro", "outro_words", "issue"))
    decision.emit(*record_moot(moot, "the threats are back"))
    decision.emit(entries.ThreatsReturned(before=records.encounter_of(decision.state).threats))
    if is_burning:
        decision.set_facts(outro="")
        _close_round_together(decision)


def _close_round_together(decision: Decision) -> None:
    """AP-48: close the running round if Slow Burn does not keep the order of the Cycle."""
    together = records.settings_of(decision.state).slow_burn_order == "together"
    if together and decision.state.phase in records.ROUND_PHASES:
        decision.set_facts(until=records.CLOSE)


def _leave_cycle(decision: Decision) -> None:
    """AP-47: end all work, slots and places, and reset the records of combatants and encounter."""
    for combatant in decision.state.roster:
        lose_work(decision, combatant.id, "the Cycle ends")
        for name in (records.SLOTS, records.RESERVED):
            if combatant.pool(name).now:
                decision.emit(change_pool(entries.SlotsCleared, combatant, name, 0))
    decision.emit(entries.CycleLeft(steps=(), cursor=-1, reason="the Cycle ends"))
    fresh = {name: value for name, value in fields_of_record(records.Fighter()).items() if name not in _LASTING_FIELDS}
    for combatant_id in decision.state.combatants:
        decision.set_traits(combatant_id, **fresh)
    of_fight = fields_of_record(records.Encounter()).items()
    decision.set_facts(**{name: value for name, value in of_fight if name not in _LASTING_FIELDS_OF_FIGHT})


# Healing


def remaining_healing(combatant: Combatant) -> tuple[str, tuple[Effect, ...]]:
    """AP-52: what all healing over time still heals, up to the maximum, and its effects; an untimed one heals all.

    The amount is in words, such as ``6`` or ``up to 8`` for dice; empty if nothing is missing.
    """
    points = combatant.pool("hp")
    healing = ongoing.pulsing_effects(combatant, records.HEAL)
    missing = max(0, points.max - points.now)
    each = (missing if effect.left is None else ongoing.most(effect) * effect.left for effect in healing)
    most = min(missing, sum(each))
    return (f"up to {most}" if any(map(ongoing.dice_of, healing)) else str(most)) if most else "", healing


def add_up_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-52: healing over time can be added up in Slow Burn."""
    is_healing, none = ongoing.pulsing_effects(combatant, records.HEAL), f"{combatant.name} has no healing over time"
    early = "you can only add up healing over time in Slow Burn"
    return (
        Check(records.is_slow_burn(state), "AP-52", early, ("slow burn",)),
        Check(bool(is_healing), "AP-52", none, ("an effect that heals",)),
        Check("hp" in combatant.pools, "AP-52", f"{combatant.name}'s hit points aren't tracked", ("HP on the sheet",)),
    )


def add_up_healing(decision: Decision, combatant_id: str) -> None:
    """AP-52: heal all that is left of healing over time at once, up to the maximum, and end these effects."""
    combatant = decision.state.combatants[combatant_id]
    maximum, now = combatant.pool("hp").max, combatant.pool("hp").now
    _, healing = remaining_healing(combatant)
    for effect in healing:
        total, dice = ongoing.strength(effect) * (effect.left or 0), ongoing.dice_of(effect)
        for _ in range((effect.left or 0) if dice else 0):
            rolled, dice_events = throw(decision, dice, "pulse", combatant_id)
            decision.emit(*dice_events)
            total += rolled
        if effect.left is None:
            total = maximum - now
        left = min(maximum, now + total)
        if left > now:
            points = {"before": now, "left": left, "max": maximum, "amount": left - now}
            decision.emit(entries.HealPulsed(who=combatant_id, pool="hp", effect=effect.name, **points))
        decision.emit(entries.EffectExpired(who=combatant_id, effect=effect.id, name=effect.name, reason="added up"))
        now = left


# Upkeep


OUTSIDE, ITEMS, NET, DAMAGE_PULSES, HEAL_PULSES, COUNTDOWN = "outside", "items", "net", "damage", "heal", "countdown"
"""The parts of Upkeep; `Encounter.upkeep` is the last one that is done."""


def parts(settings: records.SlotsSettings) -> tuple[str, ...]:
    """The parts of Upkeep in order, by the table's settings."""
    pulses = (DAMAGE_PULSES, HEAL_PULSES) if settings.hp_net == "damage_first" else (NET,)
    if settings.upkeep_order == "countdown_first":
        return (OUTSIDE, ITEMS, COUNTDOWN, *pulses)
    return (OUTSIDE, ITEMS, *pulses, COUNTDOWN)


def begin(decision: Decision) -> None:
    """AP-28, AP-43: begin Upkeep with the question what else resolves in it."""
    decision.set_facts(upkeep=OUTSIDE, waived=(), seen=())
    encounter = records.encounter_of(decision.state)
    if encounter.until != "upkeep":
        decision.spawn(_ask_outside)
        return
    choice, is_default = encounter.outside or "none", not encounter.outside
    question = "Anything else at Upkeep?"
    decision.emit(RulingRecorded(rule="AP-43", question=question, choice=choice, default_taken=is_default))


def _ask_outside(decision: Decision) -> None:
    """AP-42, AP-43, AP-46: go through Upkeep item by item or all at once, add something else, or end the threats."""
    while (answer := decision.ask(outside_prompt(decision.state), entries.OutsideUpkeepAsked)) is not None:
        if answer.choice == "all":
            resolve_at_once(decision)
        elif answer.choice == "over":
            end_threats(decision)
        if answer.choice != "more":
            return
        # The record of the answer keeps what else resolves.
        if not answer.note.strip():
            decision.ask_about(None, "upkeep_item", "AP-43", "What else does this Upkeep resolve?")


def outside_prompt(state: FightState) -> Prompt:
    """AP-43: the question what else resolves, after what is due; no threat being left is one of its answers (AP-46).

    A single item is not asked about again. If nothing is due, it is an offer: play waits in Upkeep, but for nobody.
    """
    state_in_zones = ongoing.with_zone_effects(state)
    items = [_describe_item(state_in_zones, *item) for item in _due_items(state_in_zones)]
    is_single = len(items) == 1
    ways = ("none:item by item" if items else "none:nothing", "all:all at once")
    ways = ("all:apply it", "none:decide it separately") if is_single else ways
    more = (f"{len(items) - SHOWN_ITEMS} more",) if len(items) > SHOWN_ITEMS else ()
    due = "; ".join((*items[:SHOWN_ITEMS], *more))
    asks = f"{due}. Does anything else resolve?" if items else "does anything resolve?"
    over = () if records.are_threats_over(state) else ("over:no threats left:o",)
    return prompt_for(
        None,
        kind="upkeep",
        question=f"Upkeep of round {state.round}: {asks}",
        rule="AP-43",
        choices=choices(*ways, "more:something else:e", *over),
        default="all" if is_single else "none",
        blocking=bool(items),
    )


def resolve_at_once(decision: Decision) -> None:
    """AP-42: resolve the rest of Upkeep without asking about each effect."""
    decision.set_facts(upkeep=ITEMS)


def _parts_left(state: FightState) -> tuple[str, ...]:
    order, last_part = parts(records.settings_of(state)), records.encounter_of(state).upkeep
    return order[order.index(last_part) + 1 :] if last_part in order else ()


def is_over(state: FightState) -> bool:
    """Whether all parts of Upkeep are done."""
    return not _parts_left(state)


def do_next_part(decision: Decision) -> bool:
    """Do the next part of Upkeep; return whether there was one."""
    parts_left = _parts_left(decision.state)
    if parts_left and not (parts_left[0] == ITEMS and _ask_next_item(decision)):
        if parts_left[0] in _PARTS:
            _PARTS[parts_left[0]](decision, _without_waived_effects(ongoing.with_zone_effects(decision.state)))
        decision.set_facts(upkeep=parts_left[0])
    return bool(parts_left)


# Items


def _ask_next_item(decision: Decision) -> bool:
    """AP-44, AP-45: ask about the next effect that is due, unless all resolve at once; return whether there is one."""
    encounter = records.encounter_of(decision.state)
    if encounter.until == "upkeep":
        return False
    state_in_zones = ongoing.with_zone_effects(decision.state)
    due = _due_items(state_in_zones)
    for at, (combatant, effect) in enumerate(due, 1):
        if effect.id not in encounter.seen:
            decision.set_facts(seen=(*encounter.seen, effect.id))
            question = f"Upkeep {at} of {len(due)}: {_describe_item(state_in_zones, combatant, effect)}?"
            decision.spawn(_ask_about_item, combatant.id, effect, question)
            return True
    return False


def _due_items(state: FightState) -> list[tuple[Combatant, Effect]]:
    """The effects that do something in this Upkeep: not healing without end for someone whom nothing hurts."""
    items = []
    for combatant in state.roster:
        harmful, points = ongoing.pulsing_effects(combatant, records.DAMAGE), combatant.pools.get("hp")
        is_unhurt = points is not None and points.now >= points.max and not harmful
        healing = () if is_unhurt else ongoing.pulsing_effects(combatant, records.HEAL)
        active = (*harmful, *healing, *counting_effects(state, combatant))
        items += [(combatant, effect) for effect in combatant.effects if effect in active]
    return items


def _describe_item(state: FightState, combatant: Combatant, effect: Effect) -> str:
    does = []
    if effect in ongoing.pulsing_effects(combatant, effect.kind) and effect.kind in (records.DAMAGE, records.HEAL):
        does.append(f"{ongoing.strength_words(effect)} {'damage' if effect.kind == records.DAMAGE else 'healing'}")
    if effect in counting_effects(state, combatant):
        rounds_left = (effect.left or 1) - 1
        does.append(f"{rounds_left} left after this" if rounds_left else "then it ends")
    return f"{effect.name} on {combatant.name}: {', '.join(does)}"


def _ask_about_item(decision: Decision, combatant_id: str, effect: Effect, question: str) -> None:
    """AP-44, AP-45: apply an effect, or waive it this time and ask why; the record of the answer keeps the reason."""
    combatant, ways = decision.combatant(combatant_id), ("apply", "waive:skip it this time:n")
    rule = "AP-45" if effect.kind in (records.DAMAGE, records.HEAL) else "AP-44"
    answer = decision.ask_about(combatant, "upkeep_effect", rule, question, *ways, default="apply")
    if answer.choice != "waive":
        return
    decision.set_facts(waived=(*records.encounter_of(decision.state).waived, effect.id))
    if not answer.note:
        combatant = decision.combatant(combatant_id)
        decision.ask_about(combatant, "upkeep_waived", rule, f"Why skip {effect.name} on {combatant.name}?")


def _without_waived_effects(state: FightState) -> FightState:
    waived_ids = records.encounter_of(state).waived
    if not waived_ids:
        return state
    people = {
        name: replace(combatant, effects=tuple(effect for effect in combatant.effects if effect.id not in waived_ids))
        for name, combatant in state.combatants.items()
    }
    return replace(state, combatants=people)


# Pulses


def _pulses(combatant: Combatant, kind: str, rolls: ongoing.Rolls, cancelled: int, now: int) -> tuple[list[Event], int]:
    """The events of pulses of a kind, of which `cancelled` points are offset, and the hit points left."""
    new_events: list[Event] = []
    is_tracked, maximum = "hp" in combatant.pools, combatant.pool("hp").max
    for effect in ongoing.pulsing_effects(combatant, kind) if is_tracked or kind == records.DAMAGE else ():
        amount = ongoing.strength(effect)
        offset = min(cancelled, amount)
        cancelled -= offset
        new_events += rolls.get(effect.id, ())
        left = max(0, now - amount + offset)
        if kind == records.HEAL:
            left = min(max(maximum, now), now + amount - offset)
        who, name = combatant.id, effect.name
        if kind == records.HEAL:
            pulse = partial(entries.HealPulsed, who=who, pool="hp", before=now, left=left, max=maximum)
            new_events.append(pulse(amount=amount, effect=name, offset=offset))
        else:
            harm = partial(entries.DamagePulsed, who=who, pool="hp", before=now, left=left, max=maximum)
            new_events.append(harm(amount=amount, effect=name, offset=offset, tracked=is_tracked))
        now = left
    return new_events, now


def _net_part(decision: Decision, state_in_zones: FightState) -> None:
    """Q-A17: offset damage and healing of one Upkeep against each other."""
    for bearer in state_in_zones.roster:
        is_counted = "hp" in bearer.pools
        kinds = (records.DAMAGE, records.HEAL) if is_counted else (records.DAMAGE,)
        combatant, rolls = ongoing.roll(decision, bearer, *kinds)
        damage = sum(map(ongoing.strength, ongoing.pulsing_effects(combatant, records.DAMAGE)))
        healing = sum(map(ongoing.strength, ongoing.pulsing_effects(combatant, records.HEAL))) if is_counted else 0
        now = combatant.pool("hp").now
        # The lesser of both comes first.
        for kind, cancelled in sorted(((records.HEAL, damage), (records.DAMAGE, healing)), key=lambda each: -each[1]):
            pulse_events, now = _pulses(combatant, kind, rolls, cancelled, now)
            decision.emit(*pulse_events)
        _ask_if_at_zero(decision, combatant, now, damage > healing)


def _pulse_part(kind: str, decision: Decision, state_in_zones: FightState) -> None:
    for bearer in state_in_zones.roster:
        is_due = kind == records.DAMAGE or "hp" in bearer.pools
        combatant, rolls = ongoing.roll(decision, bearer, *((kind,) if is_due else ()))
        pulse_events, now = _pulses(combatant, kind, rolls, 0, combatant.pool("hp").now)
        decision.emit(*pulse_events)
        _ask_if_at_zero(decision, combatant, now, kind == records.DAMAGE and bool(pulse_events))


def _ask_if_at_zero(decision: Decision, combatant: Combatant, now: int, is_harmed: bool) -> None:
    """AP-45, AP-51: ask the GM about a combatant who is harmed and at 0."""
    if is_harmed and now <= 0 and "hp" in combatant.pools:
        decision.spawn(ask_at_zero, combatant.id)


# Countdown


def counting_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """AP-44: the effects that Upkeep counts down."""
    due = [effect for tick in (records.UPKEEP_TICK, agenda.ROUND_END) for effect in agenda.due(state, combatant, tick)]
    due += _stranded_effects(state, combatant)
    return tuple(effect for effect in combatant.effects if effect in due)


def _stranded_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    return agenda.effects_on_stopped_clocks(state, combatant, records.CLOCKS["own"].values(), records.keeps_time)


def _countdown(decision: Decision, state_in_zones: FightState) -> None:
    """AP-05, AP-44: count down NPCs' actions, marks and effects; PCs pay for their actions with slots instead."""
    for combatant in records.npcs(state_in_zones):
        work = records.fighter_of(combatant).work
        if work is not None and combatant.able:
            works.record_progress(decision, combatant.id, work, work.paid + 1)
    ongoing.count_down_marks(decision)
    for combatant in state_in_zones.roster:
        still = _stranded_effects(state_in_zones, combatant)
        for effect in counting_effects(state_in_zones, combatant):
            _count_down(decision, combatant, (effect,), standing_still=effect in still)


def _count_down(
    decision: Decision, combatant: Combatant, due: Iterable[Effect], *, standing_still: bool = False
) -> None:
    count_down = partial(agenda.count_down, tick_type=entries.TickedDown, end_type=entries.EffectExpired)
    decision.emit(*count_down(decision.state, combatant, due, down_to_zero=True, standing_still=standing_still))


def count_at_phase(decision: Decision, combatant_id: str, moment: str) -> None:
    """Count down the effects that count by the beginning or end (`moment`) of a PC's Active Phase."""
    for combatant in decision.state.roster:
        if combatant.effects:
            _count_down(decision, combatant, agenda.due(decision.state, combatant, moment, combatant_id))


_PARTS: Mapping[str, Callable[[Decision, FightState], None]] = {
    NET: _net_part,
    DAMAGE_PULSES: partial(_pulse_part, records.DAMAGE),
    HEAL_PULSES: partial(_pulse_part, records.HEAL),
    COUNTDOWN: _countdown,
}
"""The parts that change the fight. Each takes the state with zone effects and without waived ones."""


# New effects


def make_harmful(bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
    """An effect that does damage or heals at each Upkeep (AP-45); its amount is 1 or more, or dice."""
    ongoing.check_strength(amount)
    kind = records.HEAL if heals else records.DAMAGE
    return replace(ongoing.make_effect(effect.name, kind, amount, effect.left, note=effect.note), id=effect.id)


def begin_sheet_effects(decision: Decision, combatant: Combatant) -> None:
    """Begin the effects on a combatant's sheet, timed changes of slots included (AP-13)."""
    mods = [entry for entry in sheet_entries(combatant, "slot_mods") if entry.get("rounds") is not None]
    timed_effects = [{**entry, "name": entry["source"], "kind": records.SLOT_MOD} for entry in mods]
    for entry in (*timed_effects, *sheet_entries(combatant, "effects")):
        effect = ongoing.make_effect(
            str(entry["name"]),
            str(entry.get("kind") or "other"),
            cast(int | str, entry.get("amount") or 0),
            cast(int | None, entry.get("rounds")),
            entry.get("counts") is not False,
        )
        decision.emit(EffectBegan(who=combatant.id, effect=effect))
