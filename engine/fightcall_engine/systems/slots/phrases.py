"""Events in words, and numbers explained by their parts."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import answer_words, countdown_words, duration_words, list_names
from fightcall_engine.kit.views import Phrase, Tally, Trail, TrailPart, Trails
from fightcall_engine.model.events import (
    AgendaChanged,
    EffectBegan,
    EntryChanged,
    Event,
    FactChanged,
    RulingRecorded,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import events, ongoing, queries, rounds, upkeep
from fightcall_engine.systems.slots.queries import FINAL_MULTIPLIER, RESERVED, SLOTS, abilities, describe_act
from fightcall_engine.systems.slots.records import (
    CLOSE,
    SPEND,
    WAITING,
    Work,
    ZoneMark,
    encounter_of,
    fighter_of,
    settings_of,
)

NOTHING = Phrase("")
"""The phrase of an event without a log line."""

_TIMES = {"active": "", "reserved": " from reserve", "final": " in the Final Phase"}


def _roll_text(roll: int | None) -> str:
    return f"rolled {roll}" if roll is not None else ""


def _slots(count: int) -> str:
    return "slot" if count == 1 else "slots"


def _names(state: FightState, people: tuple[str, ...]) -> str:
    return " + ".join(name_of(state, combatant_id) for combatant_id in people)


def _describe_awareness(event: events.AwarenessRolled, state: FightState) -> Phrase:
    how = f"{event.die} {event.modifier:+d}" if event.die is not None else ""
    return Tally("Awareness", name_of(state, event.who), event.value).phrase("AP-01", how)


def _describe_cycle(event: events.CycleOrdered, state: FightState) -> Phrase:
    return Phrase("Cycle: " + " > ".join(_names(state, band) for band in event.bands), "plain", "AP-02")


def _describe_stay(event: events.StayDeclared, state: FightState) -> Phrase:
    where = "with" if event.together else "after"
    tail = f" {where} {name_of(state, str(event.value))}" if event.value else ""
    return Phrase(f"{name_of(state, event.who)} stays{tail}", "plain", "AP-06")


def _band(event: events.ActivePhaseBegan, state: FightState) -> Phrase:
    label = {"final": "Final Phase", "slow_burn": "Slow Burn"}.get(event.phase, "Active Phase")
    combatant_id = "" if event.phase == "slow_burn" else f" · {_names(state, event.band)}"
    return Phrase(f"R{state.round} · {label}{combatant_id}", "heading")


def _describe_gain(event: events.SlotsGained, state: FightState) -> Phrase:
    mods = "".join(f" {amount:+d} {name}" for name, amount in event.modifiers.items())
    agility = f" {event.agility:+d} Agility" if event.agility else ""
    sum_text = f" = {event.base}{agility}{mods}" if agility or mods else ""
    return Phrase(f"{name_of(state, event.who)} gains {event.total} {_slots(event.total)}{sum_text}", "aside", "AP-12")


def _describe_hesitation(event: events.HesitationLost, state: FightState) -> Phrase:
    what = "reserved" if event.pool == queries.RESERVED else _slots(event.amount)
    rule = "AP-27" if event.pool == queries.RESERVED else "AP-25"
    name = name_of(state, event.who)
    tally = Tally("Slots lost to Hesitation", name, event.amount, "by")
    return Phrase(f"{name} loses {event.amount} {what} to Hesitation", "warn", rule, tally=tally, follows=True)


def _describe_reserve(event: events.SlotsReserved, state: FightState) -> Phrase:
    name = name_of(state, event.who)
    return Phrase(
        f"{name} keeps {event.amount} in reserve",
        "plain",
        "AP-17",
        tally=Tally("Slots kept in reserve", name, event.amount, "by"),
    )


def _describe_phase_end(event: events.ActivePhaseEnded, state: FightState) -> Phrase:
    """Only an end that nobody wanted has a line; others are told by the slots kept or lost."""
    why = {"down": ("can't act", "Q-A7"), "npc": ("no longer a PC", "AP-04")}.get(event.cause)
    return Phrase(f"{name_of(state, event.who)}'s Active Phase ends: {why[0]}", "dim", why[1]) if why else NOTHING


def _act_at(state: FightState, combatant_id: str, act: str, target_id: str) -> str:
    return describe_act(state.combatants.get(combatant_id), act, name_of(state, target_id) if target_id else "")


def _describe_action(event: events.ActionActivated, state: FightState) -> Phrase:
    act = _act_at(state, event.who, event.ability, event.target)
    note = f" ({event.note})" if event.note else ""
    free = ", free" if event.price == 0 else ""
    text = f"{name_of(state, event.who)}: {act}{_TIMES.get(event.time, '')}{free}{note}"
    return Phrase(text, "plain", "AP-20" if event.time == "reserved" else "AP-16", _roll_text(event.roll))


def _describe_final_price(event: events.FinalActionTaken, state: FightState) -> Phrase:
    if event.price == event.base:
        return NOTHING
    is_multiple = event.price == FINAL_MULTIPLIER * event.base
    sum_text = (
        f"{event.base} x{FINAL_MULTIPLIER} = {event.price}" if is_multiple else f"its Final price is {event.price}"
    )
    return Phrase(sum_text, "dim", "AP-23", follows=True)


def _describe_spending(event: events.SlotsSpent, state: FightState) -> Phrase:
    left_words = "in reserve" if event.pool == queries.RESERVED else "left"
    return Phrase(f"{event.amount} {_slots(event.amount)}, {event.left} {left_words}", "dim", "AP-16", follows=True)


def _describe_act(event: events.ActResolved, state: FightState) -> Phrase:
    return Phrase("", edge="hit" if event.hit else "miss")


def _describe_check(event: events.CheckResolved, state: FightState) -> Phrase:
    return Phrase("success" if event.passed else "failure", "good" if event.passed else "bad", "AP-41", follows=True)


def _describe_interruption(event: events.ActionInterrupted, state: FightState) -> Phrase:
    loss = f", {event.slots_lost} {_slots(event.slots_lost)} lost" if event.slots_lost else ""
    return Phrase(
        f"{name_of(state, event.who)}: {event.what or 'the action'} is interrupted{loss}", "bad", "AP-29", follows=True
    )


def _minor(event: events.MinorActDone, state: FightState) -> Phrase:
    price_note = "" if event.shared else ", free"
    return Phrase(f"{name_of(state, event.who)}: {event.what}{price_note}", "plain", "AP-31")


def _combo(event: events.ComboStarted, state: FightState) -> Phrase:
    payers = " + ".join(f"{name_of(state, combatant_id)} {amount}" for combatant_id, amount in event.slots.items())
    act = _act_at(state, event.who, event.ability, event.target)
    note = f" ({event.note})" if event.note else ""
    return Phrase(f"{payers}: {act}{note}", "plain", "AP-33", _roll_text(event.roll))


def _unit(combatant_id: str, count: int, state: FightState) -> str:
    """The unit of an action of several rounds: slots, or Full Rounds for NPCs (AP-05)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None or queries.is_pc(combatant):
        return _slots(count)
    return "round" if count == 1 else "rounds"


def _describe_beginning(event: events.MultiRoundBegan, state: FightState) -> Phrase:
    roll_text = ", the roll is sealed" if event.roll is not None else ""
    act = _act_at(state, event.who, event.value.name if isinstance(event.value, Work) else "", event.target)
    takes = f"{event.needed} {_unit(event.who, event.needed, state)}"
    return Phrase(f"{name_of(state, event.who)} begins {act} ({takes}{roll_text})", "plain", "AP-34")


def _instalment(event: events.MultiRoundPaid, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)}: {event.action} {event.paid}/{event.needed}", "plain", "AP-35")


def _describe_completion(event: events.MultiRoundCompleted, state: FightState) -> Phrase:
    roll = f": the sealed roll is {event.roll}" if event.roll is not None else ""
    return Phrase(f"{name_of(state, event.who)}: {event.name} takes effect{roll}", "good", "AP-40")


def _describe_loss(event: events.MultiRoundLost, state: FightState) -> Phrase:
    loss = f"{event.lost} {_unit(event.who, event.lost, state)} {'is' if event.lost == 1 else 'are'} gone"
    text = f"{name_of(state, event.who)} loses {event.name}, {loss}: {event.reason}"
    return Phrase(text, "bad", "AP-36")


def _npc(event: events.NpcActed, state: FightState) -> Phrase:
    act = _act_at(state, event.who, event.what, event.target)
    return Phrase(f"{name_of(state, event.who)}: {act}", "plain", "AP-05")


def _offset(offset: int, word: str) -> str:
    return f" ({offset} canceled by {word})" if offset else ""


def _harm(event: events.DamagePulsed, state: FightState) -> Phrase:
    tail = f" ({event.left}/{event.max} HP)" if event.tracked else ""
    offset = _offset(event.offset, "healing")
    return Phrase(
        f"{name_of(state, event.who)} takes {event.amount} damage from {event.effect}{offset}{tail}", "bad", "AP-45"
    )


def _heal(event: events.HealPulsed, state: FightState) -> Phrase:
    offset = _offset(event.offset, "harm")
    name = name_of(state, event.who)
    text = f"{name} heals {event.amount} from {event.effect}{offset} ({event.left}/{event.max} HP)"
    return Phrase(text, "good", "AP-45")


def _progress(event: events.IssueProgressed, state: FightState) -> Phrase:
    return Phrase(
        f"{event.name}: {event.done}{'' if event.needed is None else f'/{event.needed}'}", "dim", "AP-49", follows=True
    )


def _issue(event: events.IssueSet, state: FightState) -> Phrase:
    needs = "until the GM says it is solved" if event.needed is None else f"{event.needed} slots"
    return Phrase(f"{event.name}: {needs}", "ruling", "AP-50")


def _marked(event: events.ZoneMarked, state: FightState) -> Phrase:
    summary = event.value.summary if isinstance(event.value, ZoneMark) else ""
    return Phrase(f"{event.zone}: {summary}", "ruling", "AP-43")


def _effect(event: EffectBegan, state: FightState) -> Phrase | None:
    size = ongoing.strength_words(event.effect)
    what = {
        queries.DAMAGE: f", {size} damage each round",
        queries.HEAL: f", {size} healing each round",
        queries.SLOT_MOD: f", {event.effect.magnitude:+d} slots",
    }.get(event.effect.kind)
    if what is None:
        return None
    name = f"{name_of(state, event.who)}: {event.effect.name}"
    return Phrase(f"{name}{what}{duration_words(event, state)}", "plain", "AP-44")


_SHOWN_BY_WHAT_FOLLOWS = frozenset(
    {
        "npc",
        "awareness",
        "outcome",
        "finished",
        "sealed",
        "stay",
        "stay_place",
        "init",
        "issue",
        "outro",
        "outro_words",
        "shared",
        "last_call",
        "upkeep",
    }
)
_REMINDERS = frozenset({"dropout", "late"})
_ANSWER_WORDS = {
    ("npc", "none"): "No NPC acts",
    ("upkeep", "none"): "Upkeep goes item by item",
    ("last_call", CLOSE): "The Full Round ends",
    ("last_call", SPEND): "Reserves are spent before the Full Round ends",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    """A line only for answers that no following event tells, and not for reminders that nobody took up."""
    prompt = state.prompt(event.prompt) if event.prompt else None
    kind = prompt.kind if prompt else ""
    if kind == "npc" and event.note == queries.UNASKED:
        idle = [combatant.name for combatant in queries.idle_npcs(state)]
        return Phrase(f"{list_names(idle)} {'has' if len(idle) == 1 else 'have'} not acted yet", "dim", event.rule)
    if words := answer_words(event, state, _ANSWER_WORDS):
        return Phrase(words, "aside", event.rule)
    quiet = kind in _SHOWN_BY_WHAT_FOLLOWS or (event.default_taken and kind in _REMINDERS)
    if prompt is not None and kind == "upkeep_effect" and (name := _asked_effect(prompt, state)):
        tone, does = ("dim", "takes effect") if event.choice == "apply" else ("ruling", "is skipped this time")
        return Phrase(f"{name_of(state, prompt.who)}: {name} {does}", tone, event.rule, follows=True)
    return NOTHING if quiet or (event.default_taken and event.choice == "moot") else None


def _asked_effect(prompt: Prompt, state: FightState) -> str:
    """The name of the effect that Upkeep asks about; empty if it has ended since."""
    seen = encounter_of(state).seen[-1:]
    bearer = ongoing.with_zone_effects(state).combatants[prompt.who]
    return next((effect.name for effect in bearer.effects if effect.id in seen), "")


def _quiet(event: Event, state: FightState) -> Phrase:
    return NOTHING


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    events.PreparationBegan: _quiet,
    events.AwarenessBegan: lambda item, state: Phrase("Awareness", "heading"),
    events.CheckAsked: _quiet,
    events.AwarenessRolled: _describe_awareness,
    events.OrderingBegan: _quiet,
    events.BandFormed: _quiet,
    events.CycleOrdered: _describe_cycle,
    events.StayDeclared: _describe_stay,
    events.InitializationBegan: lambda item, state: Phrase("Initialization", "heading"),
    events.InitEffectResolved: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.effect}{f' ({item.note})' if item.note else ''}", "plain", "AP-09"
    ),
    events.InitializationEnded: _quiet,
    events.CycleLocked: lambda item, state: Phrase("The Cycle is locked", "aside", "AP-07"),
    events.FullRoundBegan: lambda item, state: Phrase(f"Full Round {item.number}", "heading"),
    events.SlowBurnRoundBegan: lambda item, state: Phrase(f"Full Round {item.number} · Slow Burn", "heading"),
    events.FullRoundEnded: _quiet,
    events.ActivePhaseBegan: _band,
    events.FinalPhaseBegan: lambda item, state: Phrase("Every action costs four times as much", "warn", "AP-23"),
    events.SlotsGained: _describe_gain,
    events.SlotsSpent: _describe_spending,
    events.SlotsConverted: _quiet,
    events.SlotsReserved: _describe_reserve,
    events.SlotsDiscarded: _quiet,
    events.HesitationLost: _describe_hesitation,
    events.ActivePhaseEnded: _describe_phase_end,
    events.BandEnded: _quiet,
    events.FinalPhaseEnded: _quiet,
    events.BandSkipped: lambda item, state: Phrase(f"Skipped: {item.reason}", "dim", "Q-A7"),
    events.HesitationBegan: _quiet,
    events.ActionActivated: _describe_action,
    events.FinalActionTaken: _describe_final_price,
    events.ActResolved: _describe_act,
    events.CheckResolved: _describe_check,
    events.Interrupted: lambda item, state: Phrase(
        f"{name_of(state, item.by)} interrupts {name_of(state, item.target)}", "warn", item.rule, follows=True
    ),
    events.ActionInterrupted: _describe_interruption,
    events.MinorActDone: _minor,
    events.ComboStarted: _combo,
    events.ComboFinished: _quiet,
    events.MultiRoundBegan: _describe_beginning,
    events.MultiRoundPaid: _instalment,
    events.MultiRoundCompleted: _describe_completion,
    events.MultiRoundLost: _describe_loss,
    events.NpcActed: _npc,
    events.UpkeepBegan: lambda item, state: Phrase(f"R{state.round} · Upkeep", "heading"),
    events.DamagePulsed: _harm,
    events.HealPulsed: _heal,
    events.TickedDown: lambda item, state: (
        Phrase(countdown_words(item, state), "dim", "AP-44") if item.left else NOTHING
    ),
    events.EffectExpired: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.name} ends ({item.reason})", "plain", "AP-44"
    ),
    events.ZoneMarked: _marked,
    events.ZoneCleared: lambda item, state: Phrase(
        f"{item.zone}: no longer {item.name}{f' ({item.reason})' if item.reason else ''}", "plain", "AP-43"
    ),
    events.UpkeepEnded: _quiet,
    events.ThreatsPlayedOut: lambda item, state: Phrase("No threats are left"),
    events.ThreatsReturned: lambda item, state: Phrase("There is a threat again"),
    events.OutroChosen: lambda item, state: Phrase(
        f"Outro: {str(item.value).replace('_', ' ').title()}", "ruling", "AP-46"
    ),
    events.CycleLeft: _quiet,
    events.BoardCleared: _quiet,
    events.IssueSet: _issue,
    events.SlotsVolunteered: lambda item, state: Phrase(
        f"{name_of(state, item.who)} volunteers {item.amount}", "plain", "AP-49"
    ),
    events.IssueProgressed: _progress,
    events.IssueResolved: lambda item, state: Phrase(f"Solved: {item.name or 'the problem'}", "good", "AP-50"),
    TraitsReset: _quiet,
    events.SlotsCleared: _quiet,
    TraitsChanged: _quiet,
    FactChanged: _quiet,
    EntryChanged: _quiet,
    AgendaChanged: _quiet,
    RulingRecorded: _describe_ruling,
    EffectBegan: _effect,
}
"""Log lines by class of event; `NOTHING` for events without one."""


# Explanations of a PC's numbers


def _no_slots(combatant: Combatant, subject: str) -> Trail:
    return Trail(subject, "none", (TrailPart("not a PC: outside the Cycle, no slots", "", "AP-04"),))


def _explain_slots(state: FightState, combatant: Combatant) -> Trail:
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
        TrailPart(f"can pay for {entry.name}", str(queries.price_of(state, entry, RESERVED).total), "AP-20")
        for entry in usable
    ]
    parts.append(TrailPart("lost to Hesitation at the end of the round", str(reserve), "AP-27"))
    return Trail("reserved", str(reserve), tuple(parts))


def _price(state: FightState, combatant: Combatant) -> Trail:
    if not queries.is_pc(combatant):
        return _no_slots(combatant, "price")
    pool = queries.next_pool(combatant)
    is_quadruple = queries.is_quadrupled(state, pool)
    parts = []
    for entry in (entry for entry in abilities(combatant) if not entry.init_only):
        price = queries.price_of(state, entry, pool)
        if price.stated:
            how, rule = f"{price.total}, its own Final price", "Q-A11"
        elif is_quadruple:
            how, rule = f"{queries.FINAL_MULTIPLIER} x {price.base} = {price.total}", "AP-23"
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
    bands = rounds.bands(state)
    index = rounds.band_of(bands, combatant.id)
    parts = [TrailPart("Awareness", "not rolled" if result is None else str(result), "AP-01")]
    if index < 0:
        return Trail("place", "none yet", tuple(parts))
    mates = tuple(combatant_id for combatant_id in bands[index] if combatant_id != combatant.id)
    if mates:
        parts.append(TrailPart("shares a place with", rounds.band_names(state, mates), "AP-03"))
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
        TrailPart("the last band that can act", rounds.band_names(state, rounds.members(state, step)), "AP-22"),
        TrailPart("every price", f"x{queries.FINAL_MULTIPLIER}", "AP-23"),
        TrailPart("applies to", scope.replace("_", " "), "Q-A2"),
        TrailPart("unused slots", "lost", "AP-25"),
    ]
    hit = queries.is_quadrupled(state, queries.pool_of(combatant)) if queries.is_pc(combatant) else False
    return Trail("final", f"x{queries.FINAL_MULTIPLIER} now" if hit else "not now", tuple(parts))


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
            amount = f"{ongoing.strength_words(effect)} a round ({effect.kind})"
            parts.append(TrailPart(f"{effect.name}, {duration}", amount, "AP-45"))
        elif effect.kind == queries.SLOT_MOD:
            parts.append(TrailPart(f"{effect.name}, {duration}", f"{effect.magnitude:+d} slots", "AP-13"))
        else:
            parts.append(TrailPart(effect.name, duration, "AP-44"))
    more, healing = upkeep.remaining_healing(combatant)
    if healing:
        parts.append(TrailPart("total still to heal", more or "nothing", "AP-52"))
    return Trail("effects", str(len(combatant.effects)), tuple(parts) or (TrailPart("no effects", "", "AP-44"),))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", "", "AP-45"),))
    damage = ongoing.pulsing_effects(combatant, queries.DAMAGE)
    healing = ongoing.pulsing_effects(combatant, queries.HEAL)
    parts = [TrailPart("sheet", str(pool.max)), TrailPart("harm", str(pool.now - pool.max))]
    if damage or healing:
        order = "damage first" if settings_of(state).hp_net == "damage_first" else "damage and healing combined"
        sums = f"-{ongoing.strength_words(*damage)} +{ongoing.strength_words(*healing)}"
        parts.append(TrailPart(f"next Upkeep, {order}", sums, "AP-45"))
    return Trail("hp", f"{pool.now}/{pool.max}", tuple(parts))


TRAILS: Trails = {
    SLOTS: _explain_slots,
    RESERVED: _explain_reserve,
    "price": _price,
    "place": _place,
    "final": _final,
    "action": _action,
    "effects": _effects,
    "hp": _hp,
}
"""The explanations, by the name of the number."""
