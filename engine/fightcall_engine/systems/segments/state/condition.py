"""The condition of a combatant: Surprise, pain, wounds, morale, deeds, present scores; and the events of harm."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

from fightcall_engine.kit.records import as_int, effect_data_of, name_of, read_settings
from fightcall_engine.kit.views import Check, Input
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    DamageApplied,
    Downed,
    Event,
    Events,
    FactChanged,
    Healed,
    Placed,
    Recorded,
    Restored,
    TraitsChanged,
)
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Scalar
from fightcall_engine.model.values import classes_in
from fightcall_engine.systems.segments.rules import wounds as wound_rules
from fightcall_engine.systems.segments.rules.formulas import Part, Progressive, Sum, rhu, under_penalties
from fightcall_engine.systems.segments.rules.wounds import Level, level_of, level_of_points
from fightcall_engine.systems.segments.state import events, queries, rolls
from fightcall_engine.systems.segments.state.queries import ACT, DEFEND, MOVE
from fightcall_engine.systems.segments.state.records import Action, Bonus, Doubt, StunData, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import SegmentsSettings, settings_of

Parts = tuple[tuple[str, str, str], ...]
"""The parts of a number: label, value, rule."""


class BlowLanded(Recorded):
    """A blow lands with this POT, before clothing and armour (CS-530).

    `struck` is edge, point or blunt; `passage` is how it meets armour; `bonus` is the part that wears armour (CS-580).
    """

    PUBLIC = ("attacker", "who")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("attacker", "who")
    who: str
    attacker: str
    pot: int
    struck: str
    passage: str = "common"
    bonus: int = 0
    parts: Parts = ()


class KnockedBack(Placed):
    """A blow drives a combatant back (CS-560): by how many feet, how far it went, and what stopped it.

    `barrier` are the feet cut short by something solid, which add to the POT (CS-563).
    """

    PUBLIC: ClassVar[tuple[str, ...]] = ("who", "at", "feet")
    SEEN = "  {who} is driven back"
    feet: int
    moved: int
    barrier: int = 0
    stopped_at: str = ""
    by: str = ""
    parts: Parts = ()


class Fell(events.PostureChanged):
    """A combatant falls down (CS-562)."""

    SEEN = "  {who} falls and is {posture}"


class ArmourApplied(TraitsChanged):
    """Clothing and armour reduce a blow: POT before and after, and what each layer took (CS-566, CS-570)."""

    pot_in: int
    dr: int
    out: int
    parts: Parts = ()


class ArmourWorn(TraitsChanged):
    """A layer of armour, or a shield, has lost some of its protection (CS-580)."""

    layer: str
    lost: int
    left: int


class ArmourDestroyed(ArmourWorn):
    """A layer protects no more until it is repaired (CS-584)."""

    PUBLIC = ("who", "layer")
    SEEN = "  {who}: {layer} is destroyed"


class WoundsReckoned(Recorded):
    """The POT that got through, the Wound Threshold, and the wounds they make, perhaps 0 (CS-600 to CS-603).

    `counts` is false for an edge or a point that met flesh: the threshold only decides about further wounds then.
    """

    PUBLIC = ("who", "wounds")
    who: str
    through: int
    threshold: float
    counts: bool
    wounds: int
    parts: Parts = ()


class BodyPointsLost(DamageApplied):
    """A blow costs Body Points (CS-550); `level` is the level of wounding now (CS-632)."""

    PUBLIC = ("who", "level")
    SEEN = "  {who} is hurt: {level}"
    level: str


class FellUnconscious(events.LifeChanged):
    """A combatant faints (CS-611, CS-625)."""

    SEEN = "  {who} faints"


class Collapsed(events.LifeChanged):
    """A combatant collapses at the tenth wound (CS-624)."""

    SEEN = "  {who} collapses"


class Died(events.LifeChanged):
    """A combatant dies (CS-624)."""

    SEEN = "  {who} dies"


class LivesOn(TraitsChanged):
    """A combatant survives the tenth wound, for so many segments (CS-625)."""

    segments: int


class Rallied(TraitsChanged):
    """A combatant tries to act with full STR in spite of Grievous wounds (CS-622)."""

    ok: bool


class AftermathApplied(Recorded):
    """The effect of wounds after the contest: STR left, and how much longer END takes to return (CS-627, CS-660)."""

    who: str
    level: str
    strength: int
    end_factor: int = 1
    parts: Parts = ()


class BodiesMet(Recorded):
    """The end of a Body Check (CS-457 to CS-461): ``thrown``, ``rebound``, ``dodged`` or ``halted``, and the margin."""

    PUBLIC = ("who", "target", "outcome", "feet")
    SEEN = "{who} {outcome:thrown=throws back|rebound=bounces off|dodged=runs past|runs into} {target}"
    who: str
    target: str
    outcome: str
    feet: int = 0
    parts: Parts = ()


class Demoralised(TraitsChanged):
    """The effect of a Presence attack (CS-516 to CS-520); `loss` is what DVs lose in the next segment (CS-519)."""

    PUBLIC = ("who", "by", "outcome")
    SEEN = "{who} {outcome:shaken=backs off|broken=surrenders|unmoved=is unmoved|doubt=has doubts|fights on}"
    by: str
    outcome: str
    loss: int = 0


class PresenceLost(Recorded):
    """The Presence attack of a blow is lost: it missed, did nothing, or was not worth noticing (CS-511, CS-512)."""

    PUBLIC = ("who", "target", "line")
    who: str
    target: str
    line: str
    reason: str
    rule: str = "CS-512"


# Heroic Effects, tokens and the aftermath


class HeroicEffect(Recorded):
    """A roll within a tenth of its chance (CS-635), with its check, chance and die."""

    who: str
    kind: str
    chance: int | None
    roll: int | None


class Bumble(HeroicEffect):
    """A failure in the top tenth of the failing rolls (CS-637)."""


class HeroicsDeclared(TraitsChanged):
    """A heroic deed: a bonus to a score or to POT, as long as the GM says (CS-645, CS-646)."""

    score: str
    bonus: int
    told: str = ""
    note: str = ""


class HeroicsEnded(TraitsChanged):
    """A heroic deed ends, in whole or in part (CS-647)."""

    reason: str


class FeatChosen(TraitsChanged):
    """The GM has chosen the effect of a Heroic Effect or a Bumble (CS-639 to CS-641).

    `before` and `after` are a number that it has changed, in `unit`; `due`: the GM describes the rest.
    """

    choice: str
    label: str
    rule: str
    target: str = ""
    before: str = ""
    after: str = ""
    unit: str = ""
    due: bool = False


class ToolBroken(TraitsChanged):
    """A Bumble breaks what a combatant holds (CS-641)."""

    PUBLIC = ("who", "tool")
    SEEN = "{tool} breaks"
    tool: str


class HealingScheduled(TraitsChanged):
    """The plan by which wounds heal one after the other (CS-661 to CS-666).

    `care` is the care needed; nothing heals unless it is `met`. `days` are how long each wound takes, `on_days` when
    each is healed, counted from the fight; `dates` are the same as dates, if that of the fight is known.
    """

    level: str
    care: str
    met: bool
    healer_sl: int
    days: tuple[int, ...]
    on_days: tuple[int, ...]
    dates: tuple[str, ...] = ()


class DaysPassed(FactChanged):
    """Days pass after the fight; `before` and `value` count from it."""


class WoundHealed(Healed):
    """The next wound or Body Point is healed (CS-664): on which day, and how many are left."""

    PUBLIC = ("who", "total")
    SEEN = "{who} recovers"
    day: int
    total: int
    date: str = ""


class HealingClockReset(TraitsChanged):
    """A strenuous act restarts the time of the next wound (CS-667)."""

    day: int


HARM_EVENTS = classes_in(__name__, Event)
"""The events of harm and of the aftermath that a journal may hold."""

_FORMS: dict[str, tuple[str, ...]] = {
    "flee": ("flees", "fled", "fleeing"),
    "withdraw": ("withdraws", "withdrew", "withdrawing"),
    "seek": ("seeks", "sought", "seeking"),
    "get": ("gets", "got", "getting"),
    "run": ("runs", "ran", "running"),
    "defence": ("defense",),
}

_LEADING = frozenset(
    {
        "i", "he", "she", "it", "they", "we", "to", "just", "only", "quickly", "slowly", "tries", "try", "trying",
        "will", "would", "wants", "want", "begins", "begin", "starts", "start", "means", "a", "an", "the", "full", "is",
    }
)  # fmt: skip

RESTRICTED_DEGREES = {queries.READY: "CS-057", queries.CHECKED: "CS-058", queries.OVERWHELMED: "CS-065"}
"""The degrees in which one cannot begin anything, with their rules."""

DEFENCE_VERBS = ("block", "defend", "dodge", "full defence", "parry")

RETREATS = (
    "back away", "back off", "escape", "flee", "get away", "retreat", "run away", "run off", "seek escape", "withdraw",
)  # fmt: skip
"""Words of free text for what the surprised may do (CS-058, CS-065)."""


def begins_with(text: str, phrases: Iterable[str], name: str = "") -> bool:
    """Whether a text begins with one of these phrases, after its subject: `name`, or a word such as ``he``.

    ``backs away slowly`` begins with ``back away``; ``fleece the fallen`` does not begin with ``flee``.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    subject_words = set(re.findall(r"[^\W\d_]+", name.lower()))
    for place, word in enumerate(words):
        if any(_begins_with_phrase(words[place:], phrase.split()) for phrase in phrases):
            return True
        if word not in _LEADING and word not in subject_words:
            return False
    return False


def _begins_with_phrase(words: list[str], phrase: list[str]) -> bool:
    words_left = list(phrase)
    for word in words:
        if words_left and word in _forms(words_left[0]):
            words_left.pop(0)
        elif word not in _LEADING or len(words_left) == len(phrase):
            break
    return not words_left


def _forms(verb: str) -> tuple[str, ...]:
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        regular_forms = (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    elif verb.endswith("e"):
        regular_forms = (f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    else:
        regular_forms = (f"{verb}s", f"{verb}ed", f"{verb}ing")
    return (verb, *regular_forms, *_FORMS.get(verb, ()))


# Present limits


def is_waning(combatant: Combatant) -> bool:
    """Whether a second stage of Surprise continues under a lesser one (CS-068)."""
    return fighter_of(combatant).surprise == queries.WANING or fighter_of(combatant).surprise_wanes > 0


def surprise_penalty(combatant: Combatant, *, defensive: bool) -> int:
    """The penalty of Surprise on a value, 0 or more.

    The overwhelmed lose it on every defence, retreat and on noticing (CS-061, CS-062); in the second stage on every AV
    (CS-068).
    """
    fighter = fighter_of(combatant)
    if fighter.surprise_sum > 0 and (is_waning(combatant) or (fighter.surprise == queries.OVERWHELMED and defensive)):
        return fighter.surprise_sum
    return 0


def why_restricted(state: FightState, combatant: Combatant) -> str:
    """The reason why a combatant may not begin anything now, or empty (CS-057, CS-058, CS-059)."""
    degree = fighter_of(combatant).surprise
    if degree not in RESTRICTED_DEGREES:
        return ""
    last = max(state.round, fighter_of(combatant).surprise_until)
    return f"surprised ({degree}) to the end of Segment {last}"


def surprise_rule(combatant: Combatant) -> str:
    """The rule that limits the combatant's degree of Surprise."""
    return RESTRICTED_DEGREES.get(fighter_of(combatant).surprise, "CS-065")


def surprise_allows(combatant: Combatant, action: Action) -> bool:
    """Whether Surprise allows an Action: the ready defend; others also move away (CS-057, CS-058, CS-065)."""
    degree = fighter_of(combatant).surprise
    if degree not in RESTRICTED_DEGREES or action.kind == DEFEND:
        return True
    allowed_verbs = DEFENCE_VERBS if degree == queries.READY else (*DEFENCE_VERBS, *RETREATS)
    is_stated = action.kind == ACT and begins_with(action.text, allowed_verbs, combatant.name)
    return is_stated or (action.kind == MOVE and degree != queries.READY)


_STEP = Action(kind=MOVE)


def surprise_checks(combatant: Combatant, action: Action = _STEP) -> tuple[Check, ...]:
    """CS-057, CS-058, CS-065: what the surprised may declare; by default, moving."""
    degree = fighter_of(combatant).surprise
    if degree not in RESTRICTED_DEGREES:
        return ()
    accepts = ("defend",) if degree == queries.READY else ("defend", "move", "back away", "seek escape")
    why = f"{combatant.name} is surprised ({degree}) and can't start anything new"
    return (Check(surprise_allows(combatant, action), RESTRICTED_DEGREES[degree], why, accepts),)


SENSES = ("savvy", "sentry", "perception")
"""The Perception skills; AWA is used without them (CS-047)."""


# Stun, condition


def stun_of(state: FightState, effect: Effect) -> wound_rules.Stun:
    """The stun of an effect: its exact penalty, and the segment of the blow."""
    data = effect_data_of(effect, StunData)
    return wound_rules.Stun(Fraction(data.half_points, 2), state.round if data.since is None else data.since)


def stun_sum(state: FightState, combatant: Combatant) -> Sum:
    """The present stun penalty on every AV and Initiative, with a part for each blow (CS-613, CS-618)."""
    stuns = (stun_of(state, effect) for effect in queries.stuns_of(combatant))
    return wound_rules.stun_penalty(stuns, state.round, settings_of(state).multi_stun)


def stun_penalty(state: FightState, combatant: Combatant) -> int:
    """The present stun penalty on every AV and Initiative (CS-613, CS-618)."""
    return rhu(stun_sum(state, combatant).total) if combatant.effects else 0


def apply_stun(
    state: FightState, combatant: Combatant, penalty: Fraction | int, *, since: int | None = None, managed: bool = False
) -> events.StunApplied:
    """The event that pain stuns a combatant (CS-613), or is managed (CS-614); the penalty is kept exact."""
    amount = rhu(penalty)
    data = StunData(int(2 * penalty), state.round if since is None else since, managed)
    effect = Effect(id="", name="pain", kind="stun", ticks=queries.CS_END, data=data)
    return events.StunApplied(who=combatant.id, effect=effect, penalty=amount)


_FALLS: Mapping[str, type[events.LifeChanged]] = {
    queries.UNCONSCIOUS: FellUnconscious,
    queries.COLLAPSED: Collapsed,
    queries.DEAD: Died,
}


def life_events(combatant: Combatant, life: str, *, until: int = 0) -> Events:
    """The events that change a combatant's condition, and with it whether it can act."""
    if life not in queries.LIVES:
        raise Refused("CS-625", f"{life!r} is not a state of life", queries.LIVES, final=True)
    kind = _FALLS.get(life, events.LifeChanged)
    change = kind(who=combatant.id, traits={**life_traits(combatant, life), "life_until": until}, life=life)
    if life == queries.UP:
        return (change,) if combatant.able else (change, Restored(who=combatant.id))
    return (change, Downed(who=combatant.id, how=life)) if combatant.able else (change,)


def life_traits(combatant: Combatant, life: str) -> Mapping[str, Scalar]:
    """The record of a condition: those knocked out and roused feel their wounds (CS-627)."""
    knocked_out = fighter_of(combatant).life == queries.UNCONSCIOUS
    return {"life": life, **({"roused": True} if knocked_out and life == queries.UP else {})}


# Wounds and Body Points


def body_points(state: FightState, combatant: Combatant) -> int | None:
    """The maximum of Body Points; None if wounds are counted, without the option or without a number (M-12)."""
    most = profile_of(combatant).body_points
    return most if settings_of(state).body_points else None


def health_from_sheet(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Pool:
    """The pool of wounds left until the tenth, or of Body Points (CS-550, CS-624)."""
    points = sheet.get("bp")
    if read_settings(SegmentsSettings, settings).body_points and isinstance(points, Mapping):
        most = as_int(points.get("max")) or 0
        damage = as_int(points.get("damage"))
        now = as_int(points.get("cur")) if damage is None else most - damage
        return Pool(most if now is None else max(0, min(most, now)), most)
    return Pool(max(0, wound_rules.COLLAPSE_WOUNDS - (as_int(sheet.get("wounds")) or 0)), wound_rules.COLLAPSE_WOUNDS)


def damage_of(combatant: Combatant) -> int:
    """Body Points lost (CS-550)."""
    pool = combatant.pool(queries.BP)
    return max(0, pool.max - pool.now)


def damage_level(state: FightState, combatant: Combatant) -> Level:
    """The level of wounding, by wounds or by Body Points: none, light, serious, grievous, mortal (CS-620, CS-632)."""
    most = body_points(state, combatant)
    return level_of(fighter_of(combatant).wounds) if most is None else level_of_points(damage_of(combatant), most)


def add_wounds(combatant: Combatant, count: int) -> Events:
    """The event that adds wounds; below 0, removes them."""
    total = fighter_of(combatant).wounds + count
    return (
        events.WoundsInflicted(who=combatant.id, traits={"wounds": total}, n=count, total=total, level=level_of(total)),
    )


# Morale and doubt


STEADY, SHAKEN, BROKEN, IN_TEARS = "steady", "shaken", "broken", "broken down"
MORALES = ("", SHAKEN, BROKEN, IN_TEARS)
USUAL_ACTS: Mapping[str, str] = {SHAKEN: "back away", BROKEN: "surrender", IN_TEARS: "surrender"}
"""The usual declarations of combatants whose morale leaves little choice."""

SURRENDERED = (BROKEN, IN_TEARS)
"""The states of those who have surrendered (CS-517)."""


def doubts_against(state: FightState, combatant: Combatant, by: str, loss: int) -> tuple[Doubt, ...]:
    """A combatant's doubts with a new one against this foe in the next segment, without past ones (CS-519)."""
    doubt = Doubt(by, loss, state.round + 1)
    lasting = [each for each in fighter_of(combatant).doubts if each.segment >= state.round]
    return (*(each for each in lasting if (each.by, each.segment) != (by, doubt.segment)), doubt)


def doubt_of(state: FightState, combatant: Combatant, by: str) -> int:
    """What a combatant's DVs, of body and mind, lose against one foe in this segment (CS-519)."""
    doubts = fighter_of(combatant).doubts
    return max([each.loss for each in doubts if each.by == by and each.segment == state.round], default=0)


def subtract_doubt(state: FightState, combatant: Combatant, by: str, total: Sum) -> Sum:
    """A DV that a combatant provides against one foe, less the doubt, at least 0."""
    return total.add("doubt", -min(doubt_of(state, combatant, by), max(0, rhu(total.total))), "CS-519")


def attack_check(combatant: Combatant) -> Check:
    """CS-517: those who have surrendered attack nobody."""
    is_willing = fighter_of(combatant).morale not in SURRENDERED
    return Check(is_willing, "CS-517", f"{combatant.name} has surrendered", ("the ruling nerve: steady",))


# Words of a Presence attack (CS-510)


PRESENCE_SKILLS = ("intimidate", "intimidation", "presence")
"""The Presence skills, to attack and to resist."""

LONGEST_LINE = 200


LINE_INPUT = Input("line", "text", "the words spoken")


def clean_line(line: str) -> str:
    """The words in one line of limited length."""
    return " ".join(line.split())[:LONGEST_LINE]


def presence_level(combatant: Combatant) -> int | None:
    """The best level in a Presence skill, or None."""
    return profile_of(combatant).skill(*PRESENCE_SKILLS)


def line_checks(combatant: Combatant, line: str) -> tuple[Check, ...]:
    """CS-510: words to daunt a foe need a Presence skill."""
    if not line:
        return ()
    has_skill = presence_level(combatant) is not None
    return (Check(has_skill, "CS-510", f"{combatant.name} has no Presence skill", ("the blow alone",)),)


# Present scores


AV, POT, PRES = "av", "pot", "p-res"
SCORES = (POT, AV, PRES, "str", "agl", "crd", "hrt", "awa", "cnd", "chm")
"""The scores that a deed can raise."""

UNTIL_ACT, UNTIL_SCENE, UNTIL_FOE = "act", "scene", "foe"
"""The durations of a deed: one Action, as long as the GM says, until a foe is down."""


def amount_of(combatant: Combatant, score: str, foe: str = "") -> int:
    """The bonus of a deed to a score; one that lasts until a foe is down adds to AV and POT against that foe only."""
    return sum(
        each.amount
        for each in fighter_of(combatant).deed
        if each.score == score and (score not in (AV, POT) or each.until != UNTIL_FOE or each.foe == foe)
    )


def add_deed(combatant: Combatant, score: str, total: Sum, foe: str = "") -> Sum:
    """A value with the bonus of a heroic deed (CS-646)."""
    return total.add("heroic deed", amount_of(combatant, score, foe), "CS-646")


def describe_bonus(state: FightState, bonus: Bonus) -> str:
    """A bonus in words."""
    end = {UNTIL_ACT: " for one Action", UNTIL_FOE: f" until {name_of(state, bonus.foe)} is down"}.get(bonus.until, "")
    return f"{bonus.score.upper()} +{bonus.amount}{end}"


def subtract_penalties(state: FightState, combatant: Combatant, plain: Sum, *, defensive: bool) -> Sum:
    """A value less Surprise and pain, at least 0 (CS-061, CS-068, CS-613)."""
    penalty = surprise_penalty(combatant, defensive=defensive)
    surprised = Part("Surprise", penalty, "CS-061" if defensive else "CS-068")
    return under_penalties(plain, surprised, Part("stunned", stun_penalty(state, combatant), "CS-613"))


def noticing_sum(state: FightState, combatant: Combatant, *bonuses: Part) -> Sum:
    """The value for noticing a threat: Savvy, Sentry or AWA, less Surprise and pain (CS-047, CS-062, CS-613)."""
    skill = max(SENSES, key=lambda name: profile_of(combatant).skill(name) or 0)
    skill_level = profile_of(combatant).skill(skill)
    if skill_level is None:
        plain = add_deed(combatant, "awa", Sum((Part("AWA", profile_of(combatant).scores.awa, "CS-047"),)))
    else:
        plain = add_deed(combatant, AV, Sum((Part(skill.title(), skill_level, "CS-047"),)))
    surprised = Part("surprised", surprise_penalty(combatant, defensive=True), "CS-062")
    stunned = Part("stunned by pain", stun_penalty(state, combatant), "CS-613")
    return under_penalties(Sum((*plain.parts, *bonuses)), surprised, stunned)


RALLIED = "rallied"
"""The value of `Fighter.rally` with full STR in the running Action (CS-622)."""


def strength_of(state: FightState, combatant: Combatant) -> Sum:
    """Effective STR, exact: less wounds (CS-537, after the contest CS-627), with a heroic deed (CS-646)."""
    if state.status == "closed" or fighter_of(combatant).roused:
        return add_deed(combatant, "str", strength_after_contest(state, combatant))
    reading, has_rallied = settings_of(state).adrenaline, fighter_of(combatant).rally == RALLIED
    strength, level = profile_of(combatant).scores.str, damage_level(state, combatant)
    left = wound_rules.strength_in_fight(strength, level, rallied=has_rallied, reading=reading)
    return add_deed(combatant, "str", _less_collapse(state, combatant, left))


def strength_after_contest(state: FightState, combatant: Combatant) -> Sum:
    """Exact STR when the contest is over (CS-627)."""
    strength, level = profile_of(combatant).scores.str, damage_level(state, combatant)
    left = wound_rules.strength_after(strength, level, settings_of(state).after_loss)
    return _less_collapse(state, combatant, left)


def _less_collapse(state: FightState, combatant: Combatant, total: Sum) -> Sum:
    """The tenth wound, or no Body Points left, leaves between 1 and 0 (CS-624, A-15)."""
    points = body_points(state, combatant)
    by_wounds = fighter_of(combatant).wounds >= wound_rules.COLLAPSE_WOUNDS
    has_last_wound = by_wounds if points is None else damage_of(combatant) >= points
    excess = max(Fraction(0), total.total - Fraction(1, 2)) if has_last_wound else 0
    return total.add("collapsed", -excess, "CS-624")


def score_sum(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute's score; for STR, less wounds (CS-626)."""
    plain = profile_of(combatant).scores.by_name[name]
    if name != "str":
        return add_deed(combatant, name, Sum((Part(name.upper(), plain, rule),)))
    return Sum((Part("STR", plain, rule), *strength_of(state, combatant).parts[1:]))


def value_of(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute such as ``HRT`` as an AV: with a heroic deed, less Surprise and pain (CS-068, CS-613, CS-646)."""
    return attack_value(state, combatant, name, profile_of(combatant).scores.by_name[name.lower()], rule)


def attack_value(state: FightState, combatant: Combatant, label: str, score: int, rule: str) -> Sum:
    """A score as an AV: less Surprise and pain."""
    with_deed = add_deed(combatant, label.lower(), Sum((Part(label, score, rule),)))
    return subtract_penalties(state, combatant, with_deed, defensive=False)


def dv_of(state: FightState, reckon: Callable[[Progressive], Sum]) -> Sum | None:
    """A difficulty on this fight's scale; None if the GM's scale does not reach it (M-03)."""
    try:
        return reckon(rolls.scale_of(state))
    except (ValueError, Refused):
        return None


def rounded_or_none(total: Sum | None) -> int | None:
    """A value or difficulty as it is rolled, or None."""
    return None if total is None else rolls.rounded(total)


def describe_difficulty(dv: int | None) -> str:
    """A difficulty in words, for a question."""
    return f" against DV {dv}" if dv is not None else ""
