"""The events of Active Phase Encounters in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import counted_down, name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.zone_marks import ZoneMark

NOTHING = Phrase("")
"""An event that is not worth a line."""

_TIMES = {"active": "", "reserved": " from reserve", "final": " in the Final Phase"}


def _slots(count: int) -> str:
    return "slot" if count == 1 else "slots"


def _names(state: FightState, people: tuple[str, ...]) -> str:
    return " + ".join(name_of(state, who) for who in people)


def _rolled(one: sev.AwarenessRolled, state: FightState) -> Phrase:
    how = f" ({one.die}{one.modifier:+d})" if one.die is not None else ""
    return Phrase(f"{name_of(state, one.who)}: Awareness {one.value}{how}", "plain", "AP-01")


def _ordered(one: sev.CycleOrdered, state: FightState) -> Phrase:
    return Phrase("Cycle: " + " > ".join(_names(state, band) for band in one.bands), "plain", "AP-02")


def _stayed(one: sev.StayDeclared, state: FightState) -> Phrase:
    where = "with" if one.together else "after"
    tail = f" {where} {name_of(state, str(one.value))}" if one.value else ""
    return Phrase(f"{name_of(state, one.who)} stays{tail}", "plain", "AP-06")


def _band(one: sev.ActivePhaseBegan, state: FightState) -> Phrase:
    label = {"final": "Final Phase", "slow_burn": "Slow Burn"}.get(one.phase, "Active Phase")
    who = "" if one.phase == "slow_burn" else f" · {_names(state, one.band)}"
    return Phrase(f"R{state.round} · {label}{who}", "heading")


def _gained(one: sev.SlotsGained, state: FightState) -> Phrase:
    mods = "".join(f" {amount:+d} {name}" for name, amount in one.modifiers.items())
    agility = f" {one.agility:+d} Agility" if one.agility else ""
    shown = f" = {one.base}{agility}{mods}" if agility or mods else ""
    return Phrase(f"{name_of(state, one.who)} gains {one.total} {_slots(one.total)}{shown}", "plain", "AP-12")


def _lost(one: sev.HesitationLost, state: FightState) -> Phrase:
    what = "reserved" if one.pool == fg.RESERVED else _slots(one.amount)
    rule = "AP-27" if one.pool == fg.RESERVED else "AP-25"
    return Phrase(f"  {name_of(state, one.who)} loses {one.amount} {what} to Hesitation", "warn", rule)


def _ended(one: sev.ActivePhaseEnded, state: FightState) -> Phrase:
    """What is kept or lost has been said; only an end that nobody wanted is worth a line of its own."""
    why = {"down": ("it cannot act", "Q-A7"), "npc": ("it is no PC now", "AP-04")}.get(one.cause)
    return Phrase(f"{name_of(state, one.who)}'s Active Phase ends: {why[0]}", "dim", why[1]) if why else NOTHING


def _activated(one: sev.ActionActivated, state: FightState) -> Phrase:
    at = f" at {name_of(state, one.target)}" if one.target else ""
    roll = f", rolled {one.roll}" if one.roll is not None else ""
    note = f" ({one.note})" if one.note else ""
    free = ", free" if one.price == 0 else ""
    text = f"{name_of(state, one.who)}: {one.ability}{at}{_TIMES.get(one.time, '')}{roll}{free}{note}"
    return Phrase(text, "plain", "AP-20" if one.time == "reserved" else "AP-16")


def _spent(one: sev.SlotsSpent, state: FightState) -> Phrase:
    where = "in reserve" if one.pool == fg.RESERVED else "left"
    return Phrase(f"  {one.amount} {_slots(one.amount)}, {one.left} {where}", "dim", "AP-16")


def _resolved(one: sev.ActResolved, state: FightState) -> Phrase:
    return Phrase("  hit" if one.hit else "  miss", "good" if one.hit else "dim")


def _checked(one: sev.CheckResolved, state: FightState) -> Phrase:
    return Phrase("  success" if one.passed else "  failure", "good" if one.passed else "bad", "AP-41")


def _stopped(one: sev.ActionInterrupted, state: FightState) -> Phrase:
    lost = f", {one.slots_lost} slots lost" if one.slots_lost else ""
    return Phrase(f"  {name_of(state, one.who)}: {one.what or 'the action'} is stopped{lost}", "bad", "AP-29")


def _minor(one: sev.MinorActDone, state: FightState) -> Phrase:
    shared = "" if one.shared else ", free"
    return Phrase(f"{name_of(state, one.who)}: {one.what}{shared}", "plain", "AP-31")


def _combo(one: sev.ComboStarted, state: FightState) -> Phrase:
    paid = ", ".join(f"{name_of(state, who)} {amount}" for who, amount in one.slots.items())
    at = f" at {name_of(state, one.target)}" if one.target else ""
    roll = f", rolled {one.roll}" if one.roll is not None else ""
    note = f" ({one.note})" if one.note else ""
    return Phrase(f"{one.ability}{at}: {paid}{roll}{note}", "plain", "AP-33")


def _unit(who: str, count: int, state: FightState) -> str:
    """What an action of several rounds is counted in: slots, or Full Rounds for who has none (AP-05)."""
    combatant = state.combatants.get(who)
    if combatant is None or fg.is_pc(combatant):
        return _slots(count)
    return "round" if count == 1 else "rounds"


def _begun(one: sev.MultiRoundBegan, state: FightState) -> Phrase:
    sealed = ", the roll is sealed" if one.roll is not None else ""
    at = f" at {name_of(state, one.target)}" if one.target else ""
    takes = f"{one.needed} {_unit(one.who, one.needed, state)}"
    return Phrase(f"{name_of(state, one.who)} begins {one.value}{at} ({takes}{sealed})", "plain", "AP-34")


def _instalment(one: sev.MultiRoundPaid, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, one.who)}: {one.action} {one.paid}/{one.needed}", "plain", "AP-35")


def _completed(one: sev.MultiRoundCompleted, state: FightState) -> Phrase:
    roll = f": the sealed roll is {one.roll}" if one.roll is not None else ""
    return Phrase(f"{name_of(state, one.who)}: {one.name} takes effect{roll}", "good", "AP-40")


def _dropped(one: sev.MultiRoundLost, state: FightState) -> Phrase:
    text = f"{name_of(state, one.who)} loses {one.name}, {one.lost} {_unit(one.who, 2, state)} are gone: {one.reason}"
    return Phrase(text, "bad", "AP-36")


def _npc(one: sev.NpcActed, state: FightState) -> Phrase:
    at = f" · {name_of(state, one.target)}" if one.target else ""
    return Phrase(f"{name_of(state, one.who)}: {one.what}{at}", "plain", "AP-05")


def _offset(offset: int, word: str) -> str:
    return f" ({offset} met by {word})" if offset else ""


def _harm(one: sev.DamagePulsed, state: FightState) -> Phrase:
    tail = f"  {one.before} → {one.left}" if one.tracked else ""
    met = _offset(one.offset, "healing")
    return Phrase(f"{name_of(state, one.who)}: {one.effect} {one.amount}{met}{tail}", "bad", "AP-45")


def _heal(one: sev.HealPulsed, state: FightState) -> Phrase:
    met = _offset(one.offset, "harm")
    text = f"{name_of(state, one.who)}: {one.effect} {one.amount}{met}  {one.before} → {one.left}"
    return Phrase(text, "good", "AP-45")


def _progress(one: sev.IssueProgressed, state: FightState) -> Phrase:
    return Phrase(f"  {one.name}: {one.done}{'' if one.needed is None else f'/{one.needed}'}", "dim", "AP-49")


def _issue(one: sev.IssueSet, state: FightState) -> Phrase:
    needs = "as long as the GM says" if one.needed is None else f"{one.needed} slots"
    return Phrase(f"{one.name}: {needs}", "ruling", "AP-50")


def _marked(one: sev.ZoneMarked, state: FightState) -> Phrase:
    mark = ZoneMark(0, str(one.value), one.zone, one.price, one.kind, one.amount, one.rounds)
    return Phrase(f"{one.zone}: {mark.told}", "ruling", "AP-43")


def _effect(one: ev.EffectBegan, state: FightState) -> Phrase | None:
    size = abs(one.effect.magnitude)
    what = {
        fg.DAMAGE: f", {size} harm a round",
        fg.HEAL: f", {size} healing a round",
        fg.SLOT_MOD: f", {one.effect.magnitude:+d} slots",
    }.get(one.effect.kind)
    if what is None:
        return None
    left = f" for {one.effect.left}" if one.effect.left is not None else ""
    return Phrase(f"{name_of(state, one.who)}: {one.effect.name}{what}{left}", "plain", "AP-44")


_TOLD_BY_WHAT_FOLLOWS = frozenset(
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
    }
)
_REMINDERS = frozenset({"last_call", "dropout", "upkeep", "late"})


def _ruled(one: ev.RulingRecorded, state: FightState) -> Phrase | None:
    """Answers that what follows tells, and reminders that nobody took up, are not worth a line of their own."""
    prompt = state.prompt(one.prompt) if one.prompt else None
    kind = prompt.kind if prompt else ""
    quiet = kind in _TOLD_BY_WHAT_FOLLOWS or (one.default_taken and kind in _REMINDERS)
    if kind == "upkeep_effect":
        tone = "dim" if one.choice == "apply" else "ruling"
        return Phrase(f"  {one.choice}: {one.question.rstrip('?')}", tone, one.rule)
    return NOTHING if quiet or (one.default_taken and one.choice == "moot") else None


def _quiet(one: ev.Event, state: FightState) -> Phrase:
    return NOTHING


_QUIET_TRAITS = frozenset(
    {"ap", "doing", "interjects", "done_in", "combo_of", "interrupted", "acted_round", "last_act", "from_round", "stay",
     "stay_number", "stay_together", "home", "place", "dead", "lost", "vulnerable"}
)


def _trait(one: ev.TraitChanged, state: FightState) -> Phrase:
    if one.trait in _QUIET_TRAITS or one.trait.startswith("action"):
        return NOTHING
    return Phrase(f"{name_of(state, one.who)}: {one.trait.replace('_', ' ')} {one.value}", "dim")


_TOLD: Mapping[type[ev.Event], Callable[..., Phrase | None]] = {
    sev.PreparationBegan: _quiet,
    sev.AwarenessBegan: lambda one, state: Phrase("Awareness", "heading"),
    sev.CheckAsked: _quiet,
    sev.AwarenessRolled: _rolled,
    sev.OrderingBegan: _quiet,
    sev.BandFormed: _quiet,
    sev.CycleOrdered: _ordered,
    sev.StayDeclared: _stayed,
    sev.InitializationBegan: lambda one, state: Phrase("Initialization", "heading"),
    sev.InitEffectResolved: lambda one, state: Phrase(
        f"{name_of(state, one.who)}: {one.effect}{f' ({one.note})' if one.note else ''}", "plain", "AP-09"
    ),
    sev.InitializationEnded: _quiet,
    sev.CycleLocked: lambda one, state: Phrase("The Cycle is locked", "dim", "AP-07"),
    sev.FullRoundBegan: lambda one, state: Phrase(f"Full Round {one.number}", "heading"),
    sev.SlowBurnRoundBegan: lambda one, state: Phrase(f"Full Round {one.number} · Slow Burn", "heading"),
    sev.FullRoundEnded: _quiet,
    sev.ActivePhaseBegan: _band,
    sev.FinalPhaseBegan: lambda one, state: Phrase("Every action costs four times as much", "warn", "AP-23"),
    sev.SlotsGained: _gained,
    sev.SlotsSpent: _spent,
    sev.SlotsConverted: _quiet,
    sev.SlotsReserved: lambda one, state: Phrase(
        f"{name_of(state, one.who)} keeps {one.amount}", "plain", "AP-17"
    ),
    sev.SlotsDiscarded: _quiet,
    sev.HesitationLost: _lost,
    sev.ActivePhaseEnded: _ended,
    sev.BandEnded: _quiet,
    sev.FinalPhaseEnded: _quiet,
    sev.BandSkipped: lambda one, state: Phrase(f"Passed: {one.reason}", "dim", "Q-A7"),
    sev.HesitationBegan: _quiet,
    sev.ActionActivated: _activated,
    sev.FinalActionTaken: lambda one, state: (
        Phrase(f"  {one.base} x4 = {one.price}", "dim", "AP-23")
        if one.price == 4 * one.base and one.base
        else NOTHING
    ),
    sev.ActResolved: _resolved,
    sev.CheckResolved: _checked,
    sev.Interrupted: lambda one, state: Phrase(
        f"  {name_of(state, one.by)} interrupts {name_of(state, one.target)}", "warn", one.rule
    ),
    sev.ActionInterrupted: _stopped,
    sev.MinorActDone: _minor,
    sev.ComboStarted: _combo,
    sev.ComboFinished: _quiet,
    sev.MultiRoundBegan: _begun,
    sev.MultiRoundPaid: _instalment,
    sev.MultiRoundCompleted: _completed,
    sev.MultiRoundLost: _dropped,
    sev.NpcActed: _npc,
    sev.UpkeepBegan: lambda one, state: Phrase(f"R{state.round} · Upkeep", "heading"),
    sev.DamagePulsed: _harm,
    sev.HealPulsed: _heal,
    sev.TickedDown: lambda one, state: (
        Phrase(counted_down(one, state), "dim", "AP-44")
        if one.left
        else NOTHING
    ),
    sev.EffectExpired: lambda one, state: Phrase(
        f"{name_of(state, one.who)}: {one.name} ends ({one.reason})", "plain", "AP-44"
    ),
    sev.ZoneMarked: _marked,
    sev.ZoneCleared: lambda one, state: Phrase(
        f"{one.zone}: no longer {one.before}{f' ({one.reason})' if one.reason else ''}", "plain", "AP-43"
    ),
    sev.UpkeepEnded: _quiet,
    sev.ThreatsPlayedOut: lambda one, state: Phrase("The threats are played out", "heading"),
    sev.ThreatsReturned: lambda one, state: Phrase("There is a threat again", "heading"),
    sev.OutroChosen: lambda one, state: Phrase(
        f"Outro: {str(one.value).replace('_', ' ').title()}", "ruling", "AP-46"
    ),
    sev.CycleLeft: _quiet,
    sev.BoardCleared: _quiet,
    sev.IssueSet: _issue,
    sev.SlotsVolunteered: lambda one, state: Phrase(
        f"{name_of(state, one.who)} volunteers {one.amount}", "plain", "AP-49"
    ),
    sev.IssueProgressed: _progress,
    sev.IssueResolved: lambda one, state: Phrase(f"Solved: {one.name or 'the problem'}", "good", "AP-50"),
    ev.TraitsReset: _quiet,
    sev.SlotsCleared: _quiet,
    ev.TraitsChanged: _quiet,
    ev.FactChanged: _quiet,
    ev.AgendaChanged: _quiet,
    ev.TraitChanged: _trait,
    ev.RulingRecorded: _ruled,
    ev.EffectBegan: _effect,
}


def phrase(happened: ev.Event, state: FightState) -> Phrase | None:
    """An event of this system in words; None leaves it to the core, an empty text says it is not worth a line."""
    told = _TOLD.get(type(happened))
    return told(happened, state) if told else None
