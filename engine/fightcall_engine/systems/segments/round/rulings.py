"""The GM's rulings: Actions owed, order, kind of contest, warnings, and other values kept in records."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.prompts import read_flag, record_ruling, whole
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.systems.segments.round import order
from fightcall_engine.systems.segments.rules import clock, movement
from fightcall_engine.systems.segments.rules.clock import quarters
from fightcall_engine.systems.segments.state import (
    archery,
    armoury,
    commands,
    events,
    morale,
    pieces,
    queries,
    roster,
    small_acts,
    worn_armour,
)
from fightcall_engine.systems.segments.state.battle import battle_of, describe_contest
from fightcall_engine.systems.segments.state.settings import settings_of


@rules_on("slots")
def rule_slots(decision: Decision, rule: Rule) -> None:
    """CS-007: set the Actions owed in this segment."""
    combatant = decision.combatant(rule.who)
    count = whole("CS-007", rule.value, 0, "number of Actions")
    if count > 20:
        raise Refused("CS-007", f"{combatant.name} can't have {count} Actions", ("0 to 20",), final=True)
    actions_used = queries.actions_owed(combatant) - queries.slots_left(combatant)
    decision.emit(record_ruling("CS-007", f"Actions of {combatant.name} in this segment", count, rule.note))
    decision.emit(*queries.set_traits(combatant, slots_ruled=count))
    slots = combatant.pool(queries.SLOTS)
    decision.emit(events.SlotsOwed(who=combatant.id, before=slots.now, left=max(0, count - actions_used), max=count))
    order.rearrange_segment(decision, "the GM's ruling")


@rules_on("roa")
def rule_rate(decision: Decision, rule: Rule) -> None:
    """CS-110: set the Rate of Action from the next segment on."""
    combatant = decision.combatant(rule.who)
    try:
        rate = Fraction(str(rule.value).strip())
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not 0 < rate <= 20:
        raise Refused("CS-007", f"{rule.value!r} is not a Rate of Action", ("such as 1, 2 or 3/2",), final=True)
    decision.emit(
        record_ruling("CS-110", f"Rate of Action of {combatant.name}", rate, rule.note),
        *queries.set_traits(combatant, roa_ruled=rate),
    )


@rules_on("contest")
def rule_contest(decision: Decision, rule: Rule) -> None:
    """CS-001: set a tactical contest, or combat."""
    state = decision.state
    value = str(rule.value or "combat")
    if value not in ("tactical", "combat"):
        raise Refused("CS-001", f"unknown kind of contest: {value!r}", ("tactical", "combat"), final=True)
    record = record_ruling("CS-001", describe_contest(value).capitalize(), True, rule.note)
    decision.emit(record, events.ContestChanged(before=battle_of(state).contest, value=value))


@rules_on("warned")
def rule_warning(decision: Decision, rule: Rule) -> None:
    """CS-303, CS-304: set whether a combatant is warned of a threat behind."""
    combatant = decision.combatant(rule.who)
    value = read_flag("CS-304", rule.value)
    decision.emit(
        record_ruling("CS-304", f"{combatant.name} is warned", value, rule.note),
        *queries.set_traits(combatant, warned=value),
    )


@rules_on("pair")
def rule_pair(decision: Decision, rule: Rule) -> None:
    """CS-392: allow an unlisted pair in this fight: ``strike/move``."""
    state = decision.state
    first, slash, second = str(rule.value or "").strip().lower().partition("/")
    if not (first and slash and second):
        raise Refused(
            "CS-392", f"{rule.value!r} is not a pair of acts", ("first/second, such as strike/move",), final=True
        )
    unknown = [name for name in (first.strip(), second.strip()) if name not in small_acts.ACTS]
    if unknown:
        raise Refused("CS-392", f"unknown act: {unknown[0]!r}", tuple(sorted(small_acts.ACTS)), final=True)
    record = record_ruling("CS-392", "Allowed as one Action", f"{first.strip()}/{second.strip()}", rule.note)
    decision.emit(record, *small_acts.save_pair(state, first.strip(), second.strip()))


@rules_on("weather")
def rule_weather(decision: Decision, rule: Rule) -> None:
    """CS-214, M-20: set what wind and rain add to throwing, catching and shooting."""
    state = decision.state
    if isinstance(rule.value, bool) or not isinstance(rule.value, int) or abs(rule.value) > 1000:
        raise Refused("CS-214", f"{rule.value!r} is not a modifier", ("a whole number; 0 ends it",), final=True)
    record = record_ruling("CS-214", "Wind and rain", f"{rule.value:+d}", rule.note)
    decision.emit(record, *queries.set_fact(state, "weather", rule.value))


@rules_on("task")
def rule_task(decision: Decision, rule: Rule) -> None:
    """CS-131: add a task to table 4-1 for this fight: ``climb_wall=6``; 0 removes it."""
    state = decision.state
    name, equals, qa = str(rule.value or "").strip().partition("=")
    name = "_".join(name.lower().split())
    if not (name and equals and qa.strip().isdigit()) or int(qa) > pieces.LONGEST_QA or name in clock.components():
        accepts = ("climb_wall=6: a new name and its quarter-actions",)
        raise Refused("CS-131", f"{rule.value!r} is not an act with its length", accepts, final=True)
    record = record_ruling("CS-131", f"How long {name} takes", quarters(int(qa)), rule.note)
    decision.emit(record, *pieces.save_task(state, name, int(qa)))


@rules_on("sleeves")
def rule_sleeves(decision: Decision, rule: Rule) -> None:
    """CS-135: set whether sleeves are tied to their jerkin, and so donned with it."""
    combatant = decision.combatant(rule.who)
    is_tied = read_flag("CS-135", rule.value)
    record = record_ruling("CS-135", f"Sleeves of {combatant.name}", "tied on" if is_tied else "loose", rule.note)
    decision.emit(record, *queries.set_traits(combatant, sleeves="tied" if is_tied else "loose"))


@rules_on("pres")
def rule_pres(decision: Decision, rule: Rule) -> None:
    """CS-610: set P-RES."""
    combatant = decision.combatant(rule.who)
    value = whole("CS-610", rule.value, 0, "P-RES")
    decision.emit(
        record_ruling("CS-610", f"P-RES of {combatant.name}", value, rule.note),
        *queries.set_traits(combatant, pres=value),
    )


@rules_on("first")
def rule_first(decision: Decision, rule: Rule) -> None:
    """CS-072: set who declares first in this segment, as their act opens the contest."""
    state = decision.state
    combatant = combatant_of(state, rule.who or str(rule.value or ""))
    decision.emit(record_ruling("CS-072", "Who declares first", combatant.name, rule.note))
    decision.emit(*queries.set_fact(state, "first", combatant.id))
    order.rearrange_segment(decision, "the GM's ruling")


@rules_on("pivotal")
def rule_pivotal(decision: Decision, rule: Rule) -> None:
    """CS-638: set whether Heroic Effects and Bumbles count in this scene."""
    state = decision.state
    value = read_flag("CS-638", rule.value)
    decision.emit(
        record_ruling("CS-638", "A pivotal scene", value, rule.note), *queries.set_fact(state, "pivotal", value)
    )


@rules_on("split")
def rule_split(decision: Decision, rule: Rule) -> None:
    """CS-241: set how many of the ten Pulses run in each pass: ``6 4``."""
    state, referee = decision.state, decision.referee
    counts = roster.parse_split(str(rule.value or ""))
    referee.require(
        settings_of(state).pulse_scope == "gm_split",
        "CS-241",
        "all Pulses run in the first pass",
        "the setting pulse_scope",
    )
    if not counts:
        accepts = ("numbers for pass 1, 2..., ten in all, such as 6 4",)
        raise Refused("CS-241", f"{rule.value!r} doesn't split the Pulses", accepts, final=True)
    decision.emit(record_ruling("CS-241", "Pulses of each pass", " ".join(map(str, counts)), rule.note))
    decision.emit(*roster.split_pulses(state, counts))
    order.rearrange_segment(decision, "the GM's ruling")


@rules_on("crossbow")
def rule_crossbow(decision: Decision, rule: Rule) -> None:
    """CS-256: set whether a crossbow is cocked or loaded, and for how many full days: ``loaded 3``."""
    combatant = decision.combatant(rule.who)
    word, _, days = str(rule.value or "").strip().partition(" ")
    days_text = days.strip() or "0"
    if word not in archery.STATES or not (days_text.isascii() and days_text.isdigit() and len(days_text) < 5):
        accepts = (*archery.STATES, "loaded 3: loaded for 3 days")
        raise Refused("CS-256", f"{rule.value!r} is not a state of a crossbow", accepts, final=True)
    record = record_ruling("CS-256", f"The crossbow of {combatant.name}", f"{word} {days}".strip(), rule.note)
    decision.emit(
        record, *queries.set_traits(combatant, crossbow=word, crossbow_days=int(days_text), crossbow_tool=False)
    )


@rules_on("strung")
def rule_strung(decision: Decision, rule: Rule) -> None:
    """CS-256: set whether a bow is strung."""
    combatant = decision.combatant(rule.who)
    value = read_flag("CS-256", rule.value)
    record = record_ruling("CS-256", f"The bow of {combatant.name}", "strung" if value else "not strung", rule.note)
    decision.emit(record, *queries.set_traits(combatant, unstrung=not value))


@rules_on("armour")
def rule_armour(decision: Decision, rule: Rule) -> None:
    """CS-584: set what a combatant wears: dropped, repaired, put on.

    Raises:
        Refused: a layer is in no table and has no figure.
    """
    state = decision.state
    combatant = decision.combatant(rule.who)
    text = str(rule.value or "").strip()
    entries = [entry for entry in text.split(";") if entry.strip()] if text not in ("", "none", "-") else []
    layers = tuple(worn_armour.parse_layer(entry, armoury.armoury_of_fight(state)) for entry in entries)
    armour_text = worn_armour.format_layers(layers) or "no armour"
    decision.emit(record_ruling("CS-584", f"Armour of {combatant.name}", armour_text, rule.note))
    decision.emit(*queries.set_traits(combatant, armour=layers))


@rules_on("nerve")
def rule_nerve(decision: Decision, rule: Rule) -> None:
    """CS-516, CS-517: set a combatant's morale.

    Raises:
        Refused: it is not one of the states.
    """
    combatant = decision.combatant(rule.who)
    state_word = str(rule.value or morale.STEADY).strip().lower()
    if state_word not in (morale.STEADY, *morale.STATES[1:]):
        raise Refused("CS-516", f"unknown morale: {state_word!r}", (morale.STEADY, *morale.STATES[1:]), final=True)
    record = record_ruling("CS-516", f"Nerve of {combatant.name}", state_word, rule.note)
    decision.emit(record, *queries.set_traits(combatant, morale="" if state_word == morale.STEADY else state_word))


@handles(commands.SetScale)
def decide_scale(decision: Decision, command: commands.SetScale) -> None:
    """CS-685: change the scale of the display, with the option `formal_scales`."""
    state, referee = decision.state, decision.referee
    new_scale = next((scale for scale in queries.SCALES if scale == command.scale), None)
    if new_scale is None:
        raise Refused("CS-680", f"unknown scale of the display: {command.scale!r}", queries.SCALES, final=True)
    formal = settings_of(state).formal_scales or new_scale == "skirmishing"
    referee.require(formal, "CS-680", "without that option, 25 mm is always 5 ft", "configure formal_scales")
    if new_scale == battle_of(state).scale:
        return
    feet = float(movement.square_feet(new_scale))
    decision.emit(events.ScaleChanged(before=battle_of(state).scale, value=new_scale, square_feet=feet))
