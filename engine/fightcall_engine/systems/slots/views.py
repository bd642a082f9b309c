"""What is shown of an Active Phase Encounter: groups, cards and reminders; events in words, and numbers explained."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import (
    NOTHING,
    answer_words,
    countdown_words,
    duration_words,
    list_names,
    tell_nothing,
)
from fightcall_engine.kit.records import name_of
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Declaration,
    Group,
    Mark,
    Phrase,
    Pips,
    Progress,
    Tally,
    Trail,
    TrailPart,
    Trails,
    explain_hit_points,
    group_by_side,
)
from fightcall_engine.model.events import AgendaChanged, EffectBegan, Event, RulingRecorded
from fightcall_engine.model.state import Combatant, Effect, FightState, Json
from fightcall_engine.model.values import remembered
from fightcall_engine.systems.slots import entries, ongoing, preparation, records, rounds, upkeep, works

# The roster


def groups(state: FightState) -> tuple[Group, ...]:
    """The bands of the Cycle in order, then everybody outside it; the sides once the encounter is over."""
    groups: list[Group] = []
    is_over = state.status == "closed"
    bands = () if is_over else rounds.bands(state)
    for place, band in enumerate(bands, 1):
        best = records.fighter_of(state.combatants[band[0]]).awareness
        title = f"Band {place} · {best}" if best is not None else f"Band {place}"
        side = state.combatants[band[0]].side
        is_acting = any(records.is_active(state.combatants[combatant_id]) for combatant_id in band)
        flag = banner(state) if is_acting and not _final_ids(state).isdisjoint(band) else None
        groups.append(Group(title, side, "" if flag else _band_note(state, band), band, flag))
    rest = tuple(combatant.id for combatant in records.pcs(state) if not any(combatant.id in band for band in bands))
    if rest:
        title = "Party" if is_over else "Awareness"
        groups.append(Group(title, records.PARTY, "" if state.round or is_over else "no Awareness yet", rest))
    outside = records.npcs(state)
    titles = {records.FOE: "NPCs", records.PARTY: "Companions"}
    return (*groups, *group_by_side(outside, titles, lambda _, ids: "" if is_over else _npc_note(state, ids)))


def _npc_note(state: FightState, members: tuple[str, ...]) -> str:
    """AP-05: how many NPCs have not acted in this round."""
    if state.phase not in records.ROUND_PHASES:
        return "outside the Cycle"
    able = [state.combatants[combatant_id] for combatant_id in members if state.combatants[combatant_id].able]
    idle = sum(not _has_acted(state, combatant) for combatant in able)
    return f"{idle} not yet acted" if idle else "everyone has acted"


def _has_acted(state: FightState, combatant: Combatant) -> bool:
    return records.fighter_of(combatant).acted_round == state.round > 0


@remembered
def _final_ids(state: FightState) -> frozenset[str]:
    """AP-22: the ids of those whose Active Phase is the Final Phase."""
    return frozenset().union(*(rounds.step_band(state, step) for step in state.agenda.steps if step.phase == "final"))


def _band_note(state: FightState, band: tuple[str, ...]) -> str:
    people = [state.combatants[combatant_id] for combatant_id in band]
    word = "" if _final_ids(state).isdisjoint(band) else "Final"
    if any(records.is_active(combatant) for combatant in people):
        return "acting"
    if people and all(records.fighter_of(combatant).ap == records.DONE for combatant in people):
        return "done"
    if state.round and not any(records.is_in_round(state, combatant) for combatant in people):
        is_late = any(records.fighter_of(combatant).from_round > state.round for combatant in people)
        return "next round" if is_late else "out"
    return word


def card(state: FightState, combatant_id: str) -> Card:
    """A combatant's pools, slots, action in progress and conditions."""
    combatant = state.combatants[combatant_id]
    badges: list[Badge] = []
    if records.fighter_of(combatant).dead or not combatant.able:
        badges.append(Badge("dead" if records.fighter_of(combatant).dead else "down", "bad"))
    if records.fighter_of(combatant).vulnerable:
        badges.append(Badge("Vulnerable", "warn"))
    for mark in ongoing.marks_at(state, combatant.at):
        badges.append(Badge(mark.name, "good" if mark.kind == records.HEAL else "warn"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    pools, works = ("hp",) if "hp" in combatant.pools else (), _progress(combatant)
    if not records.is_pc(combatant):
        if records.fighter_of(combatant).interrupted:
            badges.append(Badge("interrupted", "warn"))
        last, acted_round = records.fighter_of(combatant).last_act, records.fighter_of(combatant).acted_round
        if not state.round or not combatant.able or state.status == "closed":
            return Card(pools, tuple(badges), note=str(combatant.sheet.get("note") or ""), progress=works)
        has_acted = _has_acted(state, combatant)
        note = last if has_acted else f"to act; R{acted_round}: {last}" if last else "hasn't acted"
        return Card(pools, tuple(badges), note=note, acted=has_acted, progress=works)
    acted = True if records.fighter_of(combatant).ap == records.DONE else None
    pips = () if state.status == "closed" else (_slot_pips(state, combatant),)
    return Card(pools, tuple(badges), pips=pips, progress=works, acted=acted)


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """AP-37: the actions of several rounds in progress, in the order of the Cycle."""
    declarations: list[Declaration] = []
    for combatant in state.roster if state.status != "closed" else ():
        for progress in _progress(combatant):
            price = f"{progress.needed} {'slots' if records.is_pc(combatant) else 'rounds'}"
            declarations.append(Declaration(combatant.id, progress.name, cost=price, status="busy", progress=progress))
    return tuple(declarations)


def _progress(combatant: Combatant) -> tuple[Progress, ...]:
    work = records.fighter_of(combatant).work
    return () if work is None else (Progress(work.name, work.paid, work.needed),)


def _slot_pips(state: FightState, combatant: Combatant) -> Pips:
    """AP-14..17, AP-27: a PC's slots: to come, ready, reserved, spent, and lost to Hesitation."""
    if records.fighter_of(combatant).ap == records.WAITING:
        return Pips(records.SLOTS, coming=records.slots_per_round(combatant, records.settings_of(state)))
    ready, reserved, lost = (
        combatant.pool(records.SLOTS).now,
        combatant.pool(records.RESERVED).now,
        records.fighter_of(combatant).lost,
    )
    return Pips(
        records.SLOTS, ready, reserved, max(0, combatant.pool(records.SLOTS).max - ready - reserved - lost), lost
    )


def marks(state: FightState) -> tuple[Mark, ...]:
    """AP-43: the marked zones of the board."""
    marks = []
    for mark in ongoing.zone_marks(state):
        at = ongoing.place_of(state, mark)
        if at is not None:
            tone = "good" if mark.kind == records.HEAL else "bad" if mark.kind else "warn"
            marks.append(Mark(at, mark.name[:2], tone, f"{mark.zone}: {mark.summary}", aloud=True))
    return tuple(marks)


def banner(state: FightState) -> Badge | None:
    """AP-23: the Final Phase; AP-48: the problems of Slow Burn."""
    if records.is_final(state):
        everyone = records.settings_of(state).final_scope == "everyone"
        return Badge("FINAL x4" if everyone else "FINAL x4 from reserve", "warn")
    if records.is_slow_burn(state):
        summary = " · ".join(problem.progress for problem in works.open_problems(state))
        return Badge(f"SLOW BURN {summary}".rstrip(), "warn")
    return None


# Reminders


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    phase = state.phase
    if phase in records.ROUND_PHASES:
        return _round_reminders(state)
    if phase == records.AWARENESS:
        names = list_names([combatant.name for combatant in preparation.missing_results(state)], 4)
        return (f"Still to roll: {names}" if names else "Everyone has rolled",)
    if phase == records.ORDERING:
        bands = rounds.bands(state)
        ties = "; ".join(rounds.band_names(state, band) for band in bands if len(band) > 1)
        last = rounds.band_names(state, bands[-1]) if bands else ""
        lines = ["Last chance to Stay: places can't change after the lock"]
        lines += [f"Share a place: {ties}"] if ties else []
        return (*lines, f"Last, so in the Final Phase: {last}") if len(bands) > 1 else tuple(lines)
    if phase == records.INITIALIZATION:
        effects = [f"{state.combatants[who].name}: {name}" for who, name in preparation.init_effects(state)]
        return ("Last chance for effects that only work now", *(["; ".join(effects)] if effects else ()))
    if phase == "upkeep":
        return _upkeep_reminders(state)
    return ("Does anyone have an effect that only works in Initialization?",) if not state.round else ()


def _round_reminders(state: FightState) -> tuple[str, ...]:
    lines: list[str] = []
    for combatant in records.actives(state):
        work = records.fighter_of(combatant).work
        if work is not None and work.paid_in < state.round:
            lines.append(f"{combatant.name} must pay for {work.name} now or lose it")
    for combatant in records.holders(state):
        lines.append(f"{combatant.name} has {_reserve_words(state, combatant)}")
    idle = [combatant.name for combatant in records.idle_npcs(state)]
    lines += [f"Not yet acted: {list_names(idle, 4)}"] if idle else []
    return tuple(lines)


def _reserve_words(state: FightState, combatant: Combatant) -> str:
    """The reserve and what it could still pay for, in words; nothing for a combatant who is down (AP-16)."""
    reserve = combatant.pool(records.RESERVED).now
    usable = [entry for entry in records.abilities(combatant) if combatant.able and entry.is_usable_from_reserve]
    prices = [(entry.name, records.price_of(state, entry, records.RESERVED).total) for entry in usable]
    can = [f"{name} {price}" for name, price in prices if price <= reserve]
    return f"{reserve} reserved {_slots(reserve)}{': ' if can else ''}{', '.join(can)}"


def _upkeep_reminders(state: FightState) -> tuple[str, ...]:
    lines: list[str] = []
    for combatant in ongoing.with_zone_effects(state).roster:
        harm = ongoing.pulsing_effects(combatant, records.DAMAGE)
        healing = ongoing.pulsing_effects(combatant, records.HEAL)
        due = [f"{effect.name} -{ongoing.strength_words(effect)}" for effect in harm]
        due += [f"{effect.name} +{ongoing.strength_words(effect)}" for effect in healing]
        if due:
            lines.append(f"{combatant.name}: {', '.join(due)}")
        ending = [effect.name for effect in upkeep.counting_effects(state, combatant) if effect.left == 1]
        if ending:
            lines.append(f"{combatant.name}, ending now: {', '.join(ending)}")
        hp = combatant.pools.get("hp")
        if hp is not None and combatant.able and 0 < hp.now <= 3 and due:
            lines.append(f"{combatant.name} is near 0 ({hp.now})")
    return tuple(lines) or ("No effects are due",)


# The protocol


def stage_of(state: FightState) -> str:
    """The stage of the encounter, in the terms of the rules digest, section 2.3."""
    if state.status == "closed":
        return "ended"
    if any(prompt.kind == "outro" for prompt in state.prompts):
        return "outro_choice"
    phase = state.phase
    if phase in (records.AWARENESS, records.ORDERING, records.INITIALIZATION, "upkeep"):
        return phase
    if not phase:
        return "setup"
    return "slow_burn" if records.is_slow_burn(state) else "final" if records.is_final(state) else "round"


def fields(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a combatant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    fighter = records.fighter_of(combatant)
    busy = ongoing.current_activity(combatant)
    return {
        "kind": fighter.kind,
        "agility": fighter.agility,
        "slot_mods": slot_mods(combatant),
        "hp": combatant.pools["hp"].now if "hp" in combatant.pools else None,
        "hp_max": combatant.pools["hp"].max if "hp" in combatant.pools else None,
        "slots_per_round": records.slots_per_round(combatant, records.settings_of(state))
        if records.is_pc(combatant)
        else 0,
        "awareness": fighter.awareness,
        "place": fighter.place,
        "stay": fighter.stay or None,
        "active_slots": combatant.pool(records.SLOTS).now,
        "reserved_slots": combatant.pool(records.RESERVED).now,
        "ap_state": fighter.ap if records.is_pc(combatant) else None,
        "action_in_progress": _work_fields(fighter.work) if fighter.work is not None else None,
        "doing": {"what": busy.what, "sort": busy.sort} if busy else None,
        "vulnerable": fighter.vulnerable,
        "dead": fighter.dead,
        "interrupted": fighter.interrupted,
        "last_act": fighter.last_act or None,
        "acted_round": fighter.acted_round,
        "effects": {effect.id: _lasting(effect) for effect in combatant.effects},
    }


def _work_fields(work: records.Work) -> Json:
    price: dict[str, Json] = {"name": work.name, "needed": work.needed, "paid": work.paid}
    target: dict[str, Json] = {"target": work.target} if work.target else {}
    return {**price, "roll": work.roll, "interruptible": work.breakable, **target}


def slot_mods(combatant: Combatant) -> list[Json]:
    """AP-13: the changes of slots gained, gear first, with the rounds left."""
    of_gear = records.slot_mods(combatant.sheet).items()
    gear: list[Json] = [{"source": source, "amount": amount, "rounds_left": None} for source, amount in of_gear]
    timed_effects = (effect for effect in combatant.effects if effect.kind == records.SLOT_MOD)
    return gear + [
        {"source": effect.name, "amount": effect.magnitude, "rounds_left": effect.left} for effect in timed_effects
    ]


def _lasting(effect: Effect) -> Json:
    is_pulse = effect.kind in (records.DAMAGE, records.HEAL)
    return {
        "per_round": (ongoing.dice_of(effect) or ongoing.strength(effect)) if is_pulse else None,
        "rounds_left": effect.left,
        "ticks_at_upkeep": effect.ticks != records.NEVER,
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.3)."""
    step = state.step
    bands = rounds.bands(state)
    running = rounds.step_band(state, step) if step is not None and step.kind == rounds.BAND else ()
    marks: list[Json] = []
    for mark in ongoing.zone_marks(state):
        does: dict[str, Json] = {"kind": mark.kind or None, "amount": mark.amount, "rounds_left": mark.left}
        marks.append({"zone": mark.zone, "name": mark.name, "price": mark.price, **does})
    issues: list[Json] = [
        {"name": problem.name, "needed": problem.needed, "done": problem.done} for problem in works.open_problems(state)
    ]
    return {
        "stage": stage_of(state),
        "cycle": [list(band) for band in bands],
        "locked": records.encounter_of(state).locked,
        "full_round": state.round,
        "band_index": bands.index(running) if running in bands else None,
        "final": records.is_final(state),
        "threats": records.encounter_of(state).threats or None,
        "outro": records.encounter_of(state).outro or None,
        "issue": next(iter(issues), None),
        "issues": issues,
        "marks": marks,
        "waiting": [combatant.id for combatant in records.actives(state)],
    }


_TIMES = {"active": "", "reserved": " from reserve", "final": " in the Final Phase"}


def _roll_text(roll: int | None) -> str:
    return f"rolled {roll}" if roll is not None else ""


def _slots(count: int) -> str:
    return "slot" if count == 1 else "slots"


def _names(state: FightState, people: tuple[str, ...]) -> str:
    return " + ".join(name_of(state, combatant_id) for combatant_id in people)


def _describe_stay(event: entries.StayDeclared, state: FightState) -> Phrase:
    where = "with" if event.together else "after"
    tail = f" {where} {name_of(state, str(event.value))}" if event.value else ""
    return Phrase(f"{name_of(state, event.who)} stays{tail}", "plain", "AP-06")


def _band(event: entries.ActivePhaseBegan, state: FightState) -> Phrase:
    label = {"final": "Final Phase", "slow_burn": "Slow Burn"}.get(event.phase, "Active Phase")
    combatant_id = "" if event.phase == "slow_burn" else f" · {_names(state, event.band)}"
    return Phrase(f"R{state.round} · {label}{combatant_id}", "heading")


def _describe_gain(event: entries.SlotsGained, state: FightState) -> Phrase:
    mods = "".join(f" {amount:+d} {name}" for name, amount in event.modifiers.items())
    agility = f" {event.agility:+d} Agility" if event.agility else ""
    sum_text = f" = {event.base}{agility}{mods}" if agility or mods else ""
    return Phrase(f"{name_of(state, event.who)} gains {event.total} {_slots(event.total)}{sum_text}", "aside", "AP-12")


def _describe_hesitation(event: entries.HesitationLost, state: FightState) -> Phrase:
    kind, rule = ("reserved ", "AP-27") if event.pool == records.RESERVED else ("", "AP-25")
    name = name_of(state, event.who)
    tally = Tally("Slots lost", name, event.amount, "by")
    text = f"{name} loses {event.amount} {kind}{_slots(event.amount)} to Hesitation"
    return Phrase(text, "warn", rule, tally=tally, follows=True)


def _describe_reserve(event: entries.SlotsReserved, state: FightState) -> Phrase:
    name = name_of(state, event.who)
    tally = Tally("Slots kept in reserve", name, event.amount, "by")
    return Phrase(f"{name} keeps {event.amount} in reserve", "plain", "AP-17", tally=tally)


def _describe_phase_end(event: entries.ActivePhaseEnded, state: FightState) -> Phrase:
    """Only an end that nobody wanted has a line; others are told by the slots kept or lost."""
    why = {"down": ("can't act", "Q-A7"), "npc": ("no longer a PC", "AP-04")}.get(event.cause)
    return Phrase(f"{name_of(state, event.who)}'s Active Phase ends: {why[0]}", "dim", why[1]) if why else NOTHING


def _act_at(state: FightState, combatant_id: str, act: str, target_id: str) -> str:
    return records.describe_act(state.combatants.get(combatant_id), act, name_of(state, target_id) if target_id else "")


def _describe_action(event: entries.ActionActivated, state: FightState) -> Phrase:
    act = _act_at(state, event.who, event.ability, event.target)
    note = f" ({event.note})" if event.note else ""
    free = ", free" if event.price == 0 else ""
    text = f"{name_of(state, event.who)}: {act}{_TIMES.get(event.time, '')}{free}{note}"
    return Phrase(text, "plain", "AP-20" if event.time == "reserved" else "AP-16", _roll_text(event.roll))


def _describe_final_price(event: entries.FinalActionTaken, state: FightState) -> Phrase:
    if event.price == event.base:
        return NOTHING
    text = f"its Final price is {event.price}"
    if event.price == records.FINAL_MULTIPLIER * event.base:
        text = f"{event.base} x{records.FINAL_MULTIPLIER} = {event.price}"
    return Phrase(text, "dim", "AP-23", follows=True)


def _describe_interruption(event: entries.ActionInterrupted, state: FightState) -> Phrase:
    loss = f", {event.slots_lost} {_slots(event.slots_lost)} lost" if event.slots_lost else ""
    text = f"{name_of(state, event.who)}: {event.what or 'the action'} is interrupted{loss}"
    return Phrase(text, "bad", "AP-29", follows=True)


def _combo(event: entries.ComboStarted, state: FightState) -> Phrase:
    payers = " + ".join(f"{name_of(state, combatant_id)} {amount}" for combatant_id, amount in event.slots.items())
    act = _act_at(state, event.who, event.ability, event.target)
    note = f" ({event.note})" if event.note else ""
    return Phrase(f"{payers}: {act}{note}", "plain", "AP-33", _roll_text(event.roll))


def _unit(combatant_id: str, count: int, state: FightState) -> str:
    """The unit of an action of several rounds: slots, or Full Rounds for NPCs (AP-05)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None or records.is_pc(combatant):
        return _slots(count)
    return "round" if count == 1 else "rounds"


def _describe_beginning(event: entries.MultiRoundBegan, state: FightState) -> Phrase:
    roll_text = ", the roll is sealed" if event.roll is not None else ""
    act = _act_at(state, event.who, event.value.name if isinstance(event.value, records.Work) else "", event.target)
    takes = f"{event.needed} {_unit(event.who, event.needed, state)}"
    return Phrase(f"{name_of(state, event.who)} begins {act} ({takes}{roll_text})", "plain", "AP-34")


def _describe_loss(event: entries.MultiRoundLost, state: FightState) -> Phrase:
    loss = f"{event.lost} {_unit(event.who, event.lost, state)} {'is' if event.lost == 1 else 'are'} gone"
    text = f"{name_of(state, event.who)} loses {event.name}, {loss}: {event.reason}"
    return Phrase(text, "bad", "AP-36")


def _pulse(event: entries.DamagePulsed | entries.HealPulsed, state: FightState) -> Phrase:
    is_harm = isinstance(event, entries.DamagePulsed)
    does, tone, other = ("takes", "bad", "healing") if is_harm else ("heals", "good", "harm")
    offset = f" ({event.offset} canceled by {other})" if event.offset else ""
    tail = f" ({event.left}/{event.max} HP)" if not isinstance(event, entries.DamagePulsed) or event.tracked else ""
    size = f"{event.amount}{' damage' if is_harm else ''}"
    return Phrase(f"{name_of(state, event.who)} {does} {size} from {event.effect}{offset}{tail}", tone, "AP-45")


def _effect(event: EffectBegan, state: FightState) -> Phrase | None:
    size = ongoing.strength_words(event.effect)
    what = {
        records.DAMAGE: f", {size} damage each round",
        records.HEAL: f", {size} healing each round",
        records.SLOT_MOD: f", {event.effect.magnitude:+d} slots",
    }.get(event.effect.kind)
    if what is None:
        return None
    name = f"{name_of(state, event.who)}: {event.effect.name}"
    return Phrase(f"{name}{what}{duration_words(event, state)}", "plain", "AP-44")


_SHOWN_BY_WHAT_FOLLOWS = (
    "npc", "awareness", "outcome", "finished", "sealed", "stay", "stay_place", "init", "issue", "outro", "outro_words",
    "shared", "last_call", "upkeep",
)  # fmt: skip
_REMINDERS = frozenset({"dropout", "late"})
_ANSWER_WORDS = {
    ("npc", "none"): "No NPC acts",
    ("upkeep", "none"): "Upkeep goes item by item",
    ("last_call", records.CLOSE): "The Full Round ends",
    ("last_call", records.SPEND): "Reserves are spent before the Full Round ends",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    """A line only for answers that no following event tells, and not for reminders that nobody took up."""
    prompt = state.prompt(event.prompt) if event.prompt else None
    kind = prompt.kind if prompt else ""
    if kind == "npc" and event.note == records.UNASKED:
        idle = [combatant.name for combatant in records.idle_npcs(state)]
        return Phrase(f"{list_names(idle)} {'has' if len(idle) == 1 else 'have'} not acted yet", "dim", event.rule)
    words = answer_words(event, state, _ANSWER_WORDS)
    # Without effects, Upkeep has no items to go through.
    if words and prompt is not None and (kind != "upkeep" or prompt.blocking):
        return Phrase(words, "aside", event.rule)
    quiet = kind in _SHOWN_BY_WHAT_FOLLOWS or (event.default_taken and kind in _REMINDERS)
    if prompt is not None and kind == "upkeep_effect":
        effects = ongoing.with_zone_effects(state).combatants[prompt.who].effects
        names = [effect.name for effect in effects if effect.id in records.encounter_of(state).seen[-1:]]
        tone, does = ("dim", "takes effect") if event.choice == "apply" else ("ruling", "is skipped this time")
        if names:
            return Phrase(f"{name_of(state, prompt.who)}: {names[0]} {does}", tone, event.rule, follows=True)
    return NOTHING if quiet or (event.default_taken and event.choice == "moot") else None


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    entries.PreparationBegan: tell_nothing,
    entries.AwarenessBegan: lambda item, state: Phrase("Awareness", "heading"),
    entries.AwarenessRolled: lambda item, state: Tally("Awareness", name_of(state, item.who), item.value).phrase(
        "AP-01", f"{item.die} {item.modifier:+d}" if item.die is not None else ""
    ),
    entries.CycleOrdered: lambda item, state: Phrase(
        "Cycle: " + " > ".join(_names(state, band) for band in item.bands), "plain", "AP-02"
    ),
    entries.StayDeclared: _describe_stay,
    entries.InitializationBegan: lambda item, state: Phrase("Initialization", "heading"),
    entries.CycleLocked: lambda item, state: Phrase("The Cycle is locked", "aside", "AP-07"),
    entries.FullRoundBegan: lambda item, state: Phrase(f"Full Round {item.number}", "heading"),
    entries.SlowBurnRoundBegan: lambda item, state: Phrase(f"Full Round {item.number} · Slow Burn", "heading"),
    entries.ActivePhaseBegan: _band,
    entries.FinalPhaseBegan: lambda item, state: Phrase("Every action costs four times as much", "warn", "AP-23"),
    entries.SlotsGained: _describe_gain,
    entries.SlotsReserved: _describe_reserve,
    entries.HesitationLost: _describe_hesitation,
    entries.ActivePhaseEnded: _describe_phase_end,
    entries.BandSkipped: lambda item, state: Phrase(f"Skipped: {item.reason}", "dim", "Q-A7"),
    entries.ActionActivated: _describe_action,
    entries.FinalActionTaken: _describe_final_price,
    entries.ActResolved: lambda item, state: Phrase("", edge="hit" if item.hit else "miss"),
    entries.CheckResolved: lambda item, state: Phrase(
        "success" if item.passed else "failure", "good" if item.passed else "bad", "AP-41", follows=True
    ),
    entries.Interrupted: lambda item, state: Phrase(
        f"{name_of(state, item.by)} interrupts {name_of(state, item.target)}", "warn", item.rule, follows=True
    ),
    entries.ActionInterrupted: _describe_interruption,
    entries.ComboStarted: _combo,
    entries.MultiRoundBegan: _describe_beginning,
    entries.MultiRoundLost: _describe_loss,
    entries.NpcActed: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {_act_at(state, item.who, item.what, item.target)}", "plain", "AP-05"
    ),
    entries.UpkeepBegan: lambda item, state: Phrase(f"R{state.round} · Upkeep", "heading"),
    entries.DamagePulsed: _pulse,
    entries.HealPulsed: _pulse,
    entries.TickedDown: lambda item, state: (
        Phrase(countdown_words(item, state), "dim", "AP-44") if item.left else NOTHING
    ),
    entries.ZoneMarked: lambda item, state: Phrase(
        f"{item.zone}: {item.value.summary if isinstance(item.value, records.ZoneMark) else ''}", "ruling", "AP-43"
    ),
    entries.ThreatsPlayedOut: lambda item, state: Phrase("No threats are left"),
    entries.ThreatsReturned: lambda item, state: Phrase("There is a threat again"),
    entries.OutroChosen: lambda item, state: Phrase(
        f"Outro: {str(item.value).replace('_', ' ').title()}", "ruling", "AP-46"
    ),
    entries.CycleLeft: tell_nothing,
    entries.IssueResolved: lambda item, state: Phrase(f"Solved: {item.name or 'the problem'}", "good", "AP-50"),
    AgendaChanged: tell_nothing,
    RulingRecorded: _describe_ruling,
    EffectBegan: _effect,
}
"""Log lines by class of event; `NOTHING` for events without one."""


# Explanations of a PC's numbers


def _for_pcs(
    subject: str, explain: Callable[[FightState, Combatant], Trail]
) -> Callable[[FightState, Combatant], Trail]:
    none = Trail(subject, "none", (TrailPart("not a PC: outside the Cycle, no slots", "", "AP-04"),))
    return lambda state, combatant: explain(state, combatant) if records.is_pc(combatant) else none


def _explain_slots(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pool(records.SLOTS)
    total = records.slots_per_round(combatant, records.settings_of(state))
    mods = records.modifiers(combatant)
    agility = records.fighter_of(combatant).agility
    parts = [TrailPart("base", str(records.BASE_SLOTS), "AP-12"), TrailPart("Agility", f"{agility:+d}", "AP-12")]
    parts += [TrailPart(name, f"{amount:+d}", "AP-13") for name, amount in mods.items()]
    plain = records.BASE_SLOTS + agility + sum(mods.values())
    if plain != total:
        parts.append(TrailPart("minimum", str(total), "Q-A6"))
    if records.fighter_of(combatant).ap == records.WAITING:
        parts.append(TrailPart("gained at the start of its own Active Phase", str(total), "AP-14"))
    else:
        parts.append(TrailPart("left from this round", f"{pool.now}/{pool.max}", "AP-15"))
    return Trail("slots", f"{pool.now} now, {total} a round", tuple(parts))


def _explain_reserve(state: FightState, combatant: Combatant) -> Trail:
    reserve = combatant.pool(records.RESERVED).now
    parts = [TrailPart("kept at the end of the Active Phase", str(reserve), "AP-17")]
    for entry in (entry for entry in records.abilities(combatant) if entry.is_usable_from_reserve):
        price = records.price_of(state, entry, records.RESERVED).total
        parts.append(TrailPart(f"can pay for {entry.name}", str(price), "AP-20"))
    parts.append(TrailPart("lost to Hesitation at the end of the round", str(reserve), "AP-27"))
    return Trail("reserved", str(reserve), tuple(parts))


def _price(state: FightState, combatant: Combatant) -> Trail:
    pool = records.next_pool(combatant)
    is_quadruple = records.is_quadrupled(state, pool)
    parts = []
    for entry in (entry for entry in records.abilities(combatant) if not entry.init_only):
        price = records.price_of(state, entry, pool)
        if price.stated:
            how, rule = f"{price.total}, its own Final price", "Q-A11"
        elif is_quadruple:
            how, rule = f"{records.FINAL_MULTIPLIER} x {price.base} = {price.total}", "AP-23"
        else:
            how, rule = str(price.total), "AP-21"
        parts.append(TrailPart(entry.name, how, rule))
    parts = parts or [TrailPart("no abilities on the sheet", "set by the GM", "AP-21")]
    kind = "reserved" if pool == records.RESERVED else "active"
    return Trail("price", f"{kind} prices{' x4' if is_quadruple else ''}", tuple(parts))


def _place(state: FightState, combatant: Combatant) -> Trail:
    result = records.fighter_of(combatant).awareness
    bands = rounds.bands(state)
    index = rounds.band_of(bands, combatant.id)
    parts = [TrailPart("Awareness", "not rolled" if result is None else str(result), "AP-01")]
    if index < 0:
        return Trail("place", "none yet", tuple(parts))
    mates = tuple(combatant_id for combatant_id in bands[index] if combatant_id != combatant.id)
    if mates:
        parts.append(TrailPart("shares a place with", rounds.band_names(state, mates), "AP-03"))
    anchor = records.fighter_of(combatant).stay
    if anchor in state.combatants:
        parts.append(TrailPart("stayed, after", state.combatants[anchor].name, "AP-06"))
    if records.fighter_of(combatant).from_round > max(1, state.round):
        parts.append(TrailPart("first slots in round", str(records.fighter_of(combatant).from_round), "Q-A26"))
    locked = "the Cycle is locked" if records.encounter_of(state).locked else "can change until the Cycle is locked"
    parts.append(TrailPart(locked, "", "AP-07"))
    return Trail("place", f"{index + 1} of {len(bands)}", tuple(parts))


def _final(state: FightState, combatant: Combatant) -> Trail:
    step = next((step for step in reversed(state.agenda.steps) if step.phase == "final"), None)
    scope = records.settings_of(state).final_scope
    if step is None:
        why = "none this round: fewer than two bands can act, or the last one dropped out too late"
        return Trail("final", "no Final Phase", (TrailPart(why, "", "Q-A2"),))
    parts = [
        TrailPart("the last band that can act", rounds.band_names(state, rounds.members(state, step)), "AP-22"),
        TrailPart("every price", f"x{records.FINAL_MULTIPLIER}", "AP-23"),
        TrailPart("applies to", scope.replace("_", " "), "Q-A2"),
        TrailPart("unused slots", "lost", "AP-25"),
    ]
    hit = records.is_quadrupled(state, records.pool_of(combatant)) if records.is_pc(combatant) else False
    return Trail("final", f"x{records.FINAL_MULTIPLIER} now" if hit else "not now", tuple(parts))


def _action(state: FightState, combatant: Combatant) -> Trail:
    work = records.fighter_of(combatant).work
    if work is None:
        how = TrailPart("only Action Slots can start an action of several rounds", "", "AP-34")
        return Trail("action", "nothing in progress", (how,))
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
        if effect.kind in (records.DAMAGE, records.HEAL):
            amount = f"{ongoing.strength_words(effect)} a round ({effect.kind})"
            parts.append(TrailPart(f"{effect.name}, {duration}", amount, "AP-45"))
        elif effect.kind == records.SLOT_MOD:
            parts.append(TrailPart(f"{effect.name}, {duration}", f"{effect.magnitude:+d} slots", "AP-13"))
        else:
            parts.append(TrailPart(effect.name, duration, "AP-44"))
    more, healing = upkeep.remaining_healing(combatant)
    if healing:
        parts.append(TrailPart("total still to heal", more or "nothing", "AP-52"))
    return Trail("effects", str(len(combatant.effects)), tuple(parts) or (TrailPart("no effects", "", "AP-44"),))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    damage = ongoing.pulsing_effects(combatant, records.DAMAGE)
    healing = ongoing.pulsing_effects(combatant, records.HEAL)
    order = "damage first" if records.settings_of(state).hp_net == "damage_first" else "damage and healing combined"
    sums = f"-{ongoing.strength_words(*damage)} +{ongoing.strength_words(*healing)}"
    upkeep_parts = (TrailPart(f"next Upkeep, {order}", sums, "AP-45"),) if damage or healing else ()
    return explain_hit_points(combatant, *upkeep_parts, rule="AP-45")


TRAILS: Trails = {
    records.SLOTS: _for_pcs(records.SLOTS, _explain_slots),
    records.RESERVED: _for_pcs(records.RESERVED, _explain_reserve),
    "price": _for_pcs("price", _price),
    "place": _for_pcs("place", _place),
    "final": _final,
    "action": _action,
    "effects": _effects,
    "hp": _hp,
}
"""The explanations, by the name of the number."""
