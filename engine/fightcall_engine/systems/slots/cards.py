"""Cards of Active Phase Encounters: groups, cards, declarations, reminders, and the protocol's fields."""

from collections.abc import Mapping

from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.views import Badge, Card, Declaration, Group, Mark, Pips, Progress
from fightcall_engine.model.state import Combatant, Effect, FightState, Json
from fightcall_engine.systems.slots import ongoing, preparation, queries, rounds, upkeep, works
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS, abilities
from fightcall_engine.systems.slots.records import WAITING, Work, encounter_of, fighter_of, settings_of

# The roster


def groups(state: FightState) -> tuple[Group, ...]:
    """The bands of the Cycle in order, then everybody outside it; the sides once the encounter is over."""
    groups: list[Group] = []
    is_over = state.status == "closed"
    bands = () if is_over else rounds.bands(state)
    for place, band in enumerate(bands, 1):
        best = fighter_of(state.combatants[band[0]]).awareness
        title = f"Band {place} · {best}" if best is not None else f"Band {place}"
        side = state.combatants[band[0]].side
        running = _is_final_band(state, band) and any(
            queries.is_active(state.combatants[combatant_id]) for combatant_id in band
        )
        flag = banner(state) if running else None
        groups.append(Group(title, side, "" if flag else _band_note(state, band), band, flag))
    rest = tuple(combatant.id for combatant in queries.pcs(state) if not any(combatant.id in band for band in bands))
    if rest:
        title = "Party" if is_over else "Awareness"
        groups.append(Group(title, queries.PARTY, "" if state.round or is_over else "no Awareness yet", rest))
    outside = queries.npcs(state)
    titles = {queries.FOE: "NPCs", queries.PARTY: "Companions"}
    for side in dict.fromkeys((*titles, *(combatant.side for combatant in outside))):
        members = tuple(combatant.id for combatant in outside if combatant.side == side)
        if members:
            title = titles.get(side, side.title())
            groups.append(Group(title, side, "" if is_over else _npc_note(state, members), members))
    return tuple(groups)


def _npc_note(state: FightState, members: tuple[str, ...]) -> str:
    """AP-05: how many NPCs have not acted in this round."""
    if state.phase not in queries.ROUND_PHASES:
        return "outside the Cycle"
    idle = [
        combatant
        for combatant in map(state.combatants.__getitem__, members)
        if combatant.able and not _has_acted(state, combatant)
    ]
    return f"{len(idle)} not yet acted" if idle else "everyone has acted"


def _has_acted(state: FightState, combatant: Combatant) -> bool:
    return fighter_of(combatant).acted_round == state.round > 0


def _is_final_band(state: FightState, band: tuple[str, ...]) -> bool:
    """AP-22: whether a band's Active Phase is the Final Phase."""
    return any(step.phase == "final" and set(band) & set(rounds.step_band(state, step)) for step in state.agenda.steps)


def _band_note(state: FightState, band: tuple[str, ...]) -> str:
    people = [state.combatants[combatant_id] for combatant_id in band]
    word = "Final" if _is_final_band(state, band) else ""
    if any(queries.is_active(combatant) for combatant in people):
        return "acting"
    if people and all(rounds.is_done(combatant) for combatant in people):
        return "done"
    if state.round and not any(queries.is_in_round(state, combatant) for combatant in people):
        is_late = any(fighter_of(combatant).from_round > state.round for combatant in people)
        return "next round" if is_late else "out"
    return word


def card(state: FightState, combatant_id: str) -> Card:
    """A combatant's pools, slots, action in progress and conditions."""
    combatant = state.combatants[combatant_id]
    badges: list[Badge] = []
    if fighter_of(combatant).dead:
        badges.append(Badge("dead", "bad"))
    elif not combatant.able:
        badges.append(Badge("down", "bad"))
    if fighter_of(combatant).vulnerable:
        badges.append(Badge("Vulnerable", "warn"))
    for mark in ongoing.marks_at(state, combatant.at):
        badges.append(Badge(mark.name, "good" if mark.kind == queries.HEAL else "warn"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    pools = ("hp",) if "hp" in combatant.pools else ()
    if not queries.is_pc(combatant):
        if fighter_of(combatant).interrupted:
            badges.append(Badge("interrupted", "warn"))
        last, acted_round = fighter_of(combatant).last_act, fighter_of(combatant).acted_round
        works = _progress(combatant)
        if not state.round or not combatant.able or state.status == "closed":
            return Card(pools, tuple(badges), note=str(combatant.sheet.get("note") or ""), progress=works)
        has_acted = _has_acted(state, combatant)
        note = last if has_acted else f"to act; R{acted_round}: {last}" if last else "hasn't acted"
        return Card(pools, tuple(badges), note=note, acted=has_acted, progress=works)
    works = _progress(combatant)
    acted = True if rounds.is_done(combatant) else None
    pips = () if state.status == "closed" else (_slot_pips(state, combatant),)
    return Card(pools, tuple(badges), pips=pips, progress=works, acted=acted)


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """AP-37: the actions of several rounds in progress, in the order of the Cycle."""
    declarations: list[Declaration] = []
    for combatant in state.roster if state.status != "closed" else ():
        for progress in _progress(combatant):
            price = f"{progress.needed} {'slots' if queries.is_pc(combatant) else 'rounds'}"
            declarations.append(Declaration(combatant.id, progress.name, cost=price, status="busy", progress=progress))
    return tuple(declarations)


def _progress(combatant: Combatant) -> tuple[Progress, ...]:
    work = fighter_of(combatant).work
    return () if work is None else (Progress(work.name, work.paid, work.needed),)


def _slot_pips(state: FightState, combatant: Combatant) -> Pips:
    """AP-14..17, AP-27: a PC's slots: to come, ready, reserved, spent, and lost to Hesitation."""
    if fighter_of(combatant).ap == WAITING:
        return Pips(SLOTS, coming=queries.slots_per_round(combatant, settings_of(state)))
    ready, reserved, lost = (
        queries.slots(combatant).now,
        queries.reserve(combatant).now,
        fighter_of(combatant).lost,
    )
    return Pips(SLOTS, ready, reserved, max(0, queries.slots(combatant).max - ready - reserved - lost), lost)


def marks(state: FightState) -> tuple[Mark, ...]:
    """AP-43: the marked zones of the board."""
    marks = []
    for mark in ongoing.zone_marks(state):
        at = ongoing.place_of(state, mark)
        if at is not None:
            tone = "good" if mark.kind == queries.HEAL else "bad" if mark.kind else "warn"
            marks.append(Mark(at, mark.name[:2], tone, f"{mark.zone}: {mark.summary}", aloud=True))
    return tuple(marks)


def banner(state: FightState) -> Badge | None:
    """AP-23: the Final Phase; AP-48: the problems of Slow Burn."""
    if queries.is_final(state):
        everyone = settings_of(state).final_scope == "everyone"
        return Badge("FINAL x4" if everyone else "FINAL x4 from reserve", "warn")
    if queries.is_slow_burn(state):
        summary = " · ".join(problem.progress for problem in works.open_problems(state))
        return Badge(f"SLOW BURN {summary}".rstrip(), "warn")
    return None


# Reminders


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    phase = state.phase
    if phase in queries.ROUND_PHASES:
        return _round_reminders(state)
    if phase == queries.AWARENESS:
        names = list_names([combatant.name for combatant in preparation.missing_results(state)], 4)
        return (f"Still to roll: {names}" if names else "Everyone has rolled",)
    if phase == queries.ORDERING:
        bands = rounds.bands(state)
        ties = "; ".join(rounds.band_names(state, band) for band in bands if len(band) > 1)
        last = rounds.band_names(state, bands[-1]) if bands else ""
        lines = ["Last chance to Stay: places can't change after the lock"]
        lines += [f"Share a place: {ties}"] if ties else []
        return (*lines, f"Last, so in the Final Phase: {last}") if len(bands) > 1 else tuple(lines)
    if phase == queries.INITIALIZATION:
        init_effects = "; ".join(
            f"{state.combatants[combatant_id].name}: {name}" for combatant_id, name in preparation.init_effects(state)
        )
        return ("Last chance for effects that only work now", *((init_effects,) if init_effects else ()))
    if phase == "upkeep":
        return _upkeep_reminders(state)
    return ("Does anyone have an effect that only works in Initialization?",) if not state.round else ()


def _round_reminders(state: FightState) -> tuple[str, ...]:
    lines: list[str] = []
    for combatant in queries.actives(state):
        work = fighter_of(combatant).work
        if work is not None and work.paid_in < state.round:
            lines.append(f"{combatant.name} must pay for {work.name} now or lose it")
    for combatant in queries.holders(state):
        lines.append(f"{combatant.name} has {queries.reserve(combatant).now}{_usable(state, combatant)}")
    idle = [combatant.name for combatant in queries.idle_npcs(state)]
    if idle:
        lines.append(f"Not yet acted: {list_names(idle, 4)}")
    return tuple(lines)


def _usable(state: FightState, combatant: Combatant) -> str:
    """What the reserve could still pay for, in words; empty for a combatant who is down (AP-16)."""
    slots_in_reserve = queries.reserve(combatant).now
    can = [
        f"{entry.name} {price}"
        for entry in (abilities(combatant) if combatant.able else ())
        if entry.is_usable_from_reserve
        and (price := queries.price_of(state, entry, RESERVED).total) <= slots_in_reserve
    ]
    return f": {', '.join(can)}" if can else ""


def _upkeep_reminders(state: FightState) -> tuple[str, ...]:
    lines: list[str] = []
    for combatant in ongoing.with_zone_effects(state).roster:
        harm = ongoing.pulsing_effects(combatant, queries.DAMAGE)
        healing = ongoing.pulsing_effects(combatant, queries.HEAL)
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
    if phase in (queries.AWARENESS, queries.ORDERING, queries.INITIALIZATION, "upkeep"):
        return phase
    if not phase:
        return "setup"
    return "slow_burn" if queries.is_slow_burn(state) else "final" if queries.is_final(state) else "round"


def fields(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a combatant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    fighter = fighter_of(combatant)
    busy = ongoing.current_activity(combatant)
    return {
        "kind": fighter.kind,
        "agility": fighter.agility,
        "slot_mods": slot_mods(combatant),
        "hp": combatant.pools["hp"].now if "hp" in combatant.pools else None,
        "hp_max": combatant.pools["hp"].max if "hp" in combatant.pools else None,
        "slots_per_round": queries.slots_per_round(combatant, settings_of(state)) if queries.is_pc(combatant) else 0,
        "awareness": fighter.awareness,
        "place": fighter.place,
        "stay": fighter.stay or None,
        "active_slots": queries.slots(combatant).now,
        "reserved_slots": queries.reserve(combatant).now,
        "ap_state": fighter.ap if queries.is_pc(combatant) else None,
        "action_in_progress": _work_fields(fighter.work) if fighter.work is not None else None,
        "doing": {"what": busy.what, "sort": busy.sort} if busy else None,
        "vulnerable": fighter.vulnerable,
        "dead": fighter.dead,
        "interrupted": fighter.interrupted,
        "last_act": fighter.last_act or None,
        "acted_round": fighter.acted_round,
        "effects": {effect.id: _lasting(effect) for effect in combatant.effects},
    }


def _work_fields(work: Work) -> Json:
    target = {"target": work.target} if work.target else {}
    return {
        "name": work.name,
        "needed": work.needed,
        "paid": work.paid,
        "roll": work.roll,
        "interruptible": work.breakable,
        **target,
    }


def slot_mods(combatant: Combatant) -> list[Json]:
    """AP-13: the changes of slots gained, gear first, with the rounds left."""
    of_gear = queries.slot_mods(combatant.sheet).items()
    gear: list[Json] = [{"source": source, "amount": amount, "rounds_left": None} for source, amount in of_gear]
    timed_effects = (effect for effect in combatant.effects if effect.kind == queries.SLOT_MOD)
    return gear + [
        {"source": effect.name, "amount": effect.magnitude, "rounds_left": effect.left} for effect in timed_effects
    ]


def _lasting(effect: Effect) -> Json:
    is_pulse = effect.kind in (queries.DAMAGE, queries.HEAL)
    return {
        "per_round": (ongoing.dice_of(effect) or ongoing.strength(effect)) if is_pulse else None,
        "rounds_left": effect.left,
        "ticks_at_upkeep": effect.ticks != queries.NEVER,
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.3)."""
    step = state.step
    bands = rounds.bands(state)
    running = rounds.step_band(state, step) if step is not None and step.kind == rounds.BAND else ()
    marks: list[Json] = [
        {
            "zone": mark.zone,
            "name": mark.name,
            "price": mark.price,
            "kind": mark.kind or None,
            "amount": mark.amount,
            "rounds_left": mark.left,
        }
        for mark in ongoing.zone_marks(state)
    ]
    issues: list[Json] = [
        {"name": problem.name, "needed": problem.needed, "done": problem.done} for problem in works.open_problems(state)
    ]
    return {
        "stage": stage_of(state),
        "cycle": [list(band) for band in bands],
        "locked": queries.is_locked(state),
        "full_round": state.round,
        "band_index": bands.index(running) if running in bands else None,
        "final": queries.is_final(state),
        "threats": encounter_of(state).threats or None,
        "outro": encounter_of(state).outro or None,
        "issue": next(iter(issues), None),
        "issues": issues,
        "marks": marks,
        "waiting": [combatant.id for combatant in queries.actives(state)],
    }
