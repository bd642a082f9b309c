"""What the GM calls for and rules: checks, surroundings, another armoury, Actions owed, order, values in records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import cast

from fightcall_engine.kit.decision import Decision, question_check, read_flag, record_ruling, whole
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.records import combatant_of, resume_of
from fightcall_engine.kit.views import Check, enforce
from fightcall_engine.model.commands import Answer, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, EffectEnded, Event, Events, SettingChanged, SheetChanged
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Prompt
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.round import order
from fightcall_engine.systems.segments.rules import formulas, ranges
from fightcall_engine.systems.segments.rules.attacks import catches_fire_in
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, quarters
from fightcall_engine.systems.segments.rules.wounds import Layer
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    items,
    queries,
    rolls,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.records import battle_of, describe_contest, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import Armoury, settings_of

ATTRIBUTES = ("agl", "crd", "str", "hrt", "awa", "cnd", "chm")
DEFENSIVE = ("dodge", "awa", *condition.SENSES)
"""What Surprise penalises in the overwhelmed (CS-061, CS-062)."""

RESISTANCE = ("p-res", "pres")
FLAMES = ("near", "contact", "out")
HARMS: Mapping[str, str] = {"burns": "burning on", "eyes": "blinded"}
Sheet = Mapping[str, Json]


def _find_owed_check(state: FightState, combatant: Combatant, kind: str) -> Prompt | None:
    plain_name = kind.strip().lower()
    owed_checks = ((prompt, check) for prompt, check in rolls.owed_checks(state) if prompt.who == combatant.id)
    return next((prompt for prompt, check in owed_checks if check.what.lower() == plain_name), None)


def roll_checks(state: FightState, combatant: Combatant, kind: str = "") -> tuple[Check, ...]:
    """CS-094: a check can be called for at any time, but does not answer another question."""
    open_first = Check(True, "", "") if _find_owed_check(state, combatant, kind) is not None else question_check(state)
    return (queries.able_check(combatant, "CS-111"), open_first)


@handles(commands.Roll)
def decide_roll(decision: Decision, command: commands.Roll) -> None:
    """Make a check of AV against DV, or the open one of this kind."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if not command.kind.strip():
        raise Refused("CS-145", "which check?", (*ATTRIBUTES, "p-res", "a skill"), final=True)
    enforce(roll_checks(state, combatant, command.kind), referee)
    prompt = _find_owed_check(state, combatant, command.kind)
    if prompt is None:
        kind = command.kind.strip()
        label = kind.upper() if kind.lower() in (*ATTRIBUTES, *RESISTANCE) else kind
        rolls.make_check(
            decision, combatant.id, label, value_of(state, combatant, command), command.dv, "CS-145", "",
            chance=command.chance, hit=command.hit,
        )  # fmt: skip
        return
    if command.hit is None and command.chance is None and resume_of(prompt, rolls.AskedCheck).chance is None:
        raise Refused("R-5", prompt.question, ("chance", "hit"), final=True)
    choice = "roll" if command.hit is None else "made" if command.hit else "failed"
    decision.answer(prompt, Answer(prompt=prompt.id, choice=choice, amount=command.chance))


def value_of(state: FightState, combatant: Combatant, command: commands.Roll) -> Sum | None:
    """The value rolled, or None; being overwhelmed takes from Dodge and from noticing only (CS-061, CS-062)."""
    plain = _attribute_sum(state, combatant, command)
    if plain is None:
        return None
    less = condition.subtract_penalties(state, combatant, plain, defensive=command.kind.strip().lower() in DEFENSIVE)
    return Sum((*less.parts, Part("modifier", command.modifier, "M-07"))) if command.modifier else less


def _attribute_sum(state: FightState, combatant: Combatant, command: commands.Roll) -> Sum | None:
    kind = command.kind.strip().lower()
    if command.av is not None:
        return Sum((Part("set by the GM", command.av, "CS-145"),))
    if kind in ATTRIBUTES:
        return condition.score_sum(state, combatant, kind, "CS-145")
    profile = profile_of(combatant)
    total = profile.pres if kind in RESISTANCE else profile.dodge if kind == "dodge" else None
    value = profile.skill(kind) if total is None else total
    if value is None:
        return None
    score = condition.PRES if kind in RESISTANCE else condition.AV
    return condition.add_deed(combatant, score, Sum((Part(command.kind.strip(), value, "CS-145"),)))


# Rules within the advice on using one's surroundings (CS-700 to CS-707)


NEAR_FLAME, BURNING = "close to a flame", "burning"


@rules_on("fire")
def rule_fire(decision: Decision, rule: Rule) -> None:
    """CS-700: cloth close to a flame catches fire in a segment, at once inside it; ``out`` ends it."""
    combatant = decision.combatant(rule.who)
    flame = str(rule.value or "near")
    if flame not in FLAMES:
        raise Refused("CS-700", f"unknown flame: {flame!r}", FLAMES, final=True)
    end_events = tuple(
        EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason="the GM's ruling")
        for effect in combatant.effects
        if effect.kind == "fire"
    )
    record = record_ruling("CS-700", f"Fire at {combatant.name}'s clothes", flame, rule.note)
    if flame == "out":
        decision.emit(record, *end_events)
        return
    segments_left = catches_fire_in("near" if flame == "near" else "contact")
    effect = _ground_effect(NEAR_FLAME if segments_left else BURNING, segments_left or None)
    decision.emit(record, *end_events, EffectBegan(who=combatant.id, effect=effect))


def _ground_effect(name: str, segments_left: int | None) -> Effect:
    return Effect(id="", name=name, left=segments_left, ticks=queries.CS_END, kind="fire", note="CS-700")


def catch_fire(time_events: Events) -> Events:
    """CS-700: the time is up with the flame still near: the cloth burns until it is put out."""
    return tuple(
        EffectBegan(who=event.who, effect=_ground_effect(BURNING, None))
        for event in time_events
        if isinstance(event, EffectEnded) and event.name == NEAR_FLAME
    )


@rules_on("splash")
def rule_improvised(decision: Decision, rule: Rule) -> None:
    """CS-701: boiling liquid, sand or lye: soaked cloth keeps burning, eyes are blinded."""
    combatant = decision.combatant(rule.who)
    harm = str(rule.value or "burns")
    if harm not in HARMS:
        raise Refused("CS-701", f"unknown harm: {harm!r}", tuple(HARMS), final=True)
    effect = Effect(id="", name=HARMS[harm], ticks=queries.CS_END, kind="hazard", note="CS-701")
    record = record_ruling("CS-701", f"Splash on {combatant.name}", HARMS[harm], rule.note)
    decision.emit(record, EffectBegan(who=combatant.id, effect=effect))


@rules_on("height")
def rule_height(decision: Decision, rule: Rule) -> None:
    """CS-702: height, on a table, a ledge or a wall, is an advantage in melee, and replaces a tackle's run.

    The value is feet above the ground, 0 to be down again; shots and tackles use it (CS-467). Without one only the GM's
    word is recorded.
    """
    combatant = decision.combatant(rule.who)
    feet = rule.value
    if feet is None:
        decision.emit(record_ruling("CS-702", f"{combatant.name} stands higher", "yes", rule.note))
        return
    if isinstance(feet, bool) or not isinstance(feet, int | float) or not 0 <= feet <= MOST_FEET:
        raise Refused("CS-702", f"{feet!r} is not a height", (f"0 to {MOST_FEET} ft above the ground",), final=True)
    _set_traits(decision, rule, "CS-702", "How high {} stands", f"{feet:g} ft", elev=float(feet))


MOST_FEET = 1000


@frozen
class Word:
    """A ruling that is only recorded: its label in the menu, and the text."""

    rule: str
    label: str
    about: str


WORDS: Mapping[str, Word] = {
    "steer": Word("CS-703", "drives a foe back", "Stepping into smaller foes drives them back, turn by turn"),
    "somersault": Word("CS-704", "leaps over a foe", "With headroom, an Acrobat lands in the field behind"),
    "ranks": Word("CS-705", "reaches from behind", "Polearms reach from the second and third rank"),
    "morale": Word("CS-706", "holds or runs", "Foes with leaders and experience hold until losses are heavy or sudden"),
    "theft": Word("CS-707", "steals in battle", "A ruse, then hide it: Contested; easier against late arrivals"),
}


def _word_ruling(name: str) -> Callable[[Decision, Rule], None]:
    @rules_on(name)
    def record_word(decision: Decision, rule: Rule) -> None:
        word = WORDS[name]
        about = f"{combatant_of(decision.state, rule.who).name}: {word.about}" if rule.who else word.about
        decision.emit(record_ruling(word.rule, about, "yes" if rule.value is None else rule.value, rule.note))

    return record_word


rule_steer, rule_somersault, rule_ranks, rule_morale, rule_theft = map(_word_ruling, WORDS)


# Changing the armoury during a fight


def refit_everybody(state: FightState, event: SettingChanged) -> Events:
    """The events that update the items of all combatants; `state` already has the new armoury."""
    if event.setting != settings.SETTING:
        return ()
    before, now = settings.armoury_from_settings({settings.SETTING: event.before}), settings.armoury_of_fight(state)
    events: list[Event] = []
    for combatant in state.combatants.values():
        weapons = [_weapon(each, before, now) for each in profile_of(combatant).weapons]
        if weapons != list(profile_of(combatant).weapons):
            sheet = {**combatant.sheet, "weapons": [cast(Json, weapon) for weapon in weapons]}
            events.append(SheetChanged(who=combatant.id, sheet=sheet))
        # A layer put on later has no entry on the sheet.
        armour = reversed(profile_of(combatant).armour)
        entries = {settings.normalise_name(str(each.get("type"))): each for each in armour}
        layers = tuple(
            _layer(layer, entries.get(settings.normalise_name(layer.name), {}), before, now)
            for layer in fighter_of(combatant).armour
        )
        events += queries.set_traits(combatant, armour=layers)
    return tuple(events)


def _weapon(thing: Sheet, before: Armoury, now: Armoury) -> Sheet:
    """A weapon rebuilt from the sheet's own values; unchanged if its row is the same or is gone."""
    like, shield = str(thing.get("like") or ""), thing.get("kind") == "shield"
    old, new = (table.weapon(like, shield_first=shield) if like else None for table in (before, now))
    if old is None or new is None or old == new:
        return thing
    plain = _validate_weapon({**settings.cells_of(old), "name": thing["name"], "like": old["key"]})
    own_values = {name: value for name, value in thing.items() if value is not None and value != plain.get(name)}
    own_values.pop("sample", None)
    kind: Sheet = {"kind": "shield"} if shield else {}  # A weapon may have the same name.
    entry = {**own_values, **kind, "name": thing["name"], "like": new["key"]}
    outfit, _ = settings.outfit_sheet({"weapons": [entry]}, now)
    return _validate_weapon(cast("list[Sheet]", outfit["weapons"])[0])


def _validate_weapon(weapon: Sheet) -> Sheet:
    from fightcall_engine.systems.segments.state.sheet import Weapon

    return Weapon.model_validate(weapon).model_dump(mode="json")


def _layer(layer: Layer, entry: Sheet, before: Armoury, now: Armoury) -> Layer:
    """A layer with the new armoury's figures, less its wear; unchanged if the sheet has its own figures."""
    old, new = before.layer(layer.name), now.layer(layer.name)
    has_own_figures = entry.get("dr") is not None and old is not None and entry.get("dr") != old.dr
    if old is None or new is None or old == new or has_own_figures:
        return layer
    dr = max(0, new.dr - max(0, old.dr - layer.dr))
    lost_wear = max(0, (old.wear or 0) - (layer.wear or 0))
    wear = None if new.wear is None else max(0, new.wear - lost_wear)
    return replace(layer, dr=dr, wear=wear, family=new.family, slash=new.slash)


def _set_traits(decision: Decision, rule: Rule, rule_id: str, label: str, shown: object, **traits: Json) -> None:
    """Record a ruling on a combatant, whose name stands for ``{}`` in the label, and set fields of its record."""
    combatant = decision.combatant(rule.who)
    decision.emit(record_ruling(rule_id, label.format(combatant.name), shown, rule.note))
    decision.emit(*queries.set_traits(combatant, **traits))


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
    try:
        rate = Fraction(str(rule.value).strip())
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not 0 < rate <= 20:
        raise Refused("CS-007", f"{rule.value!r} is not a Rate of Action", ("such as 1, 2 or 3/2",), final=True)
    _set_traits(decision, rule, "CS-110", "Rate of Action of {}", rate, roa_ruled=rate)


@rules_on("contest")
def rule_contest(decision: Decision, rule: Rule) -> None:
    """CS-001: set a tactical contest, or combat."""
    value = str(rule.value or "combat")
    if value not in ("tactical", "combat"):
        raise Refused("CS-001", f"unknown kind of contest: {value!r}", ("tactical", "combat"), final=True)
    record = record_ruling("CS-001", describe_contest(value).capitalize(), True, rule.note)
    decision.emit(record, events.ContestChanged(before=battle_of(decision.state).contest, value=value))


@rules_on("warned")
def rule_warning(decision: Decision, rule: Rule) -> None:
    """CS-303, CS-304: set whether a combatant is warned of a threat behind."""
    value = read_flag("CS-304", rule.value)
    _set_traits(decision, rule, "CS-304", "{} is warned", value, warned=value)


@rules_on("pair")
def rule_pair(decision: Decision, rule: Rule) -> None:
    """CS-392: allow an unlisted pair in this fight: ``strike/move``."""
    first, slash, second = str(rule.value or "").strip().lower().partition("/")
    if not (first and slash and second):
        accepts = ("first/second, such as strike/move",)
        raise Refused("CS-392", f"{rule.value!r} is not a pair of acts", accepts, final=True)
    unknown = [name for name in (first.strip(), second.strip()) if name not in small_acts.ACTS]
    if unknown:
        raise Refused("CS-392", f"unknown act: {unknown[0]!r}", tuple(sorted(small_acts.ACTS)), final=True)
    record = record_ruling("CS-392", "Allowed as one Action", f"{first.strip()}/{second.strip()}", rule.note)
    decision.emit(record, *small_acts.save_pair(decision.state, first.strip(), second.strip()))


@rules_on("weather")
def rule_weather(decision: Decision, rule: Rule) -> None:
    """CS-214, M-20: set what wind and rain add to throwing, catching and shooting."""
    if isinstance(rule.value, bool) or not isinstance(rule.value, int) or abs(rule.value) > 1000:
        raise Refused("CS-214", f"{rule.value!r} is not a modifier", ("a whole number; 0 ends it",), final=True)
    record = record_ruling("CS-214", "Wind and rain", f"{rule.value:+d}", rule.note)
    decision.emit(record, *queries.set_fact(decision.state, "weather", rule.value))


@rules_on("task")
def rule_task(decision: Decision, rule: Rule) -> None:
    """CS-131: add a task to table 4-1 for this fight: ``climb_wall=6``; 0 removes it."""
    name, equals, qa = str(rule.value or "").strip().partition("=")
    name = "_".join(name.lower().split())
    is_typed = name and equals and qa.strip().isdigit()
    if not is_typed or int(qa) > small_acts.LONGEST_QA or name in formulas.components():
        accepts = ("climb_wall=6: a new name and its quarter-actions",)
        raise Refused("CS-131", f"{rule.value!r} is not an act with its length", accepts, final=True)
    record = record_ruling("CS-131", f"How long {name} takes", quarters(int(qa)), rule.note)
    tasks = {**battle_of(decision.state).tasks, name: int(qa)}
    left = {task: length for task, length in tasks.items() if length}
    decision.emit(record, *queries.set_fact(decision.state, "tasks", left))


@rules_on("sleeves")
def rule_sleeves(decision: Decision, rule: Rule) -> None:
    """CS-135: set whether sleeves are tied to their jerkin, and so donned with it."""
    shown, sleeves = ("tied on", "tied") if read_flag("CS-135", rule.value) else ("loose", "loose")
    _set_traits(decision, rule, "CS-135", "Sleeves of {}", shown, sleeves=sleeves)


@rules_on("pres")
def rule_pres(decision: Decision, rule: Rule) -> None:
    """CS-610: set P-RES."""
    value = whole("CS-610", rule.value, 0, "P-RES")
    _set_traits(decision, rule, "CS-610", "P-RES of {}", value, pres=value)


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
    value = read_flag("CS-638", rule.value)
    record = record_ruling("CS-638", "A pivotal scene", value, rule.note)
    decision.emit(record, *queries.set_fact(decision.state, "pivotal", value))


@rules_on("split")
def rule_split(decision: Decision, rule: Rule) -> None:
    """CS-241: set how many of the ten Pulses run in each pass: ``6 4``."""
    state, referee = decision.state, decision.referee
    words = str(rule.value or "").replace("/", " ").replace("+", " ").replace(",", " ").split()
    counts = tuple(int(word) for word in words if word.isdecimal())
    is_split = settings_of(state).pulse_scope == "gm_split"
    referee.require(is_split, "CS-241", "all Pulses run in the first pass", "the setting pulse_scope")
    if not counts or len(counts) < len(words) or sum(counts) > formulas.PULSES_A_SEGMENT:
        accepts = ("numbers for pass 1, 2..., ten in all, such as 6 4",)
        raise Refused("CS-241", f"{rule.value!r} doesn't split the Pulses", accepts, final=True)
    decision.emit(record_ruling("CS-241", "Pulses of each pass", " ".join(map(str, counts)), rule.note))
    decision.emit(*queries.set_fact(state, "split", counts))
    order.rearrange_segment(decision, "the GM's ruling")


@rules_on("crossbow")
def rule_crossbow(decision: Decision, rule: Rule) -> None:
    """CS-256: set whether a crossbow is cocked or loaded, and for how many full days: ``loaded 3``."""
    word, _, days = str(rule.value or "").strip().partition(" ")
    days_text = days.strip() or "0"
    if word not in weapon_uses.STATES or not (days_text.isascii() and days_text.isdigit() and len(days_text) < 5):
        accepts = (*weapon_uses.STATES, "loaded 3: loaded for 3 days")
        raise Refused("CS-256", f"{rule.value!r} is not a state of a crossbow", accepts, final=True)
    _set_traits(
        decision, rule, "CS-256", "The crossbow of {}", f"{word} {days}".strip(),
        crossbow=word, crossbow_days=int(days_text), crossbow_tool=False,
    )  # fmt: skip


@rules_on("strung")
def rule_strung(decision: Decision, rule: Rule) -> None:
    """CS-256: set whether a bow is strung."""
    value = read_flag("CS-256", rule.value)
    _set_traits(decision, rule, "CS-256", "The bow of {}", "strung" if value else "not strung", unstrung=not value)


@rules_on("armour")
def rule_armour(decision: Decision, rule: Rule) -> None:
    """CS-584: set what a combatant wears: dropped, repaired, put on."""
    text = str(rule.value or "").strip()
    entries = [entry for entry in text.split(";") if entry.strip()] if text not in ("", "none", "-") else []
    layers = tuple(items.parse_layer(entry, settings.armoury_of_fight(decision.state)) for entry in entries)
    _set_traits(decision, rule, "CS-584", "Armour of {}", items.format_layers(layers) or "no armour", armour=layers)


@rules_on("nerve")
def rule_nerve(decision: Decision, rule: Rule) -> None:
    """CS-516, CS-517: set a combatant's morale."""
    state_word = str(rule.value or condition.STEADY).strip().lower()
    if state_word not in (condition.STEADY, *condition.MORALES[1:]):
        accepts = (condition.STEADY, *condition.MORALES[1:])
        raise Refused("CS-516", f"unknown morale: {state_word!r}", accepts, final=True)
    morale = "" if state_word == condition.STEADY else state_word
    _set_traits(decision, rule, "CS-516", "Nerve of {}", state_word, morale=morale)


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
    feet = float(ranges.square_feet(new_scale))
    decision.emit(events.ScaleChanged(before=battle_of(state).scale, value=new_scale, square_feet=feet))
