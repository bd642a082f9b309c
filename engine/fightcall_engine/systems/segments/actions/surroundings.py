"""Rules within the advice on using one's surroundings (CS-700 to CS-707): fire, height, and the GM's ruling."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.rulings import record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, EffectEnded, Events
from fightcall_engine.model.state import Effect
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.objects import catches_fire_in
from fightcall_engine.systems.segments.state import queries

NEAR_FLAME, BURNING = "close to a flame", "burning"

FLAMES = ("near", "contact", "out")

HARMS: Mapping[str, str] = {"burns": "burning on", "eyes": "blinded"}


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
    name = NEAR_FLAME if segments_left else BURNING
    decision.emit(
        record, *end_events, EffectBegan(who=combatant.id, effect=_ground_effect(name, segments_left or None))
    )


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
    record = record_ruling("CS-702", f"How high {combatant.name} stands", f"{feet:g} ft", rule.note)
    decision.emit(record, *queries.set_traits(combatant, elev=float(feet)))


MOST_FEET = 1000


@frozen
class Word:
    """A ruling that is only recorded.

    Attributes:
        rule: its rule.
        label: its label in the menu.
        about: the text that is recorded.
    """

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


@rules_on("steer")
def rule_steer(decision: Decision, rule: Rule) -> None:
    """CS-703: record that a foe is driven back."""
    _record_word(decision, rule, WORDS["steer"])


@rules_on("somersault")
def rule_somersault(decision: Decision, rule: Rule) -> None:
    """CS-704: record that a foe is leapt over."""
    _record_word(decision, rule, WORDS["somersault"])


@rules_on("ranks")
def rule_ranks(decision: Decision, rule: Rule) -> None:
    """CS-705: record that a combatant reaches from behind."""
    _record_word(decision, rule, WORDS["ranks"])


@rules_on("morale")
def rule_morale(decision: Decision, rule: Rule) -> None:
    """CS-706: record that foes hold or run."""
    _record_word(decision, rule, WORDS["morale"])


@rules_on("theft")
def rule_theft(decision: Decision, rule: Rule) -> None:
    """CS-707: record that something is stolen in battle."""
    _record_word(decision, rule, WORDS["theft"])


def _record_word(decision: Decision, rule: Rule, word: Word) -> None:
    name = f"{combatant_of(decision.state, rule.who).name}: " if rule.who else ""
    decision.emit(record_ruling(word.rule, name + word.about, "yes" if rule.value is None else rule.value, rule.note))
