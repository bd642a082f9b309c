"""What came through becomes wounds or Body Points; the tenth wound, and those after it (CS-600 to CS-632)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.segments import checking, enlisting
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.checking import Parts, Verdict
from fightcall_engine.systems.segments.formulas import wounds as formulas
from fightcall_engine.systems.segments.formulas.hits import Harm
from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.wounds import COLLAPSE_DV, COLLAPSE_WOUNDS, WtRounding
from fightcall_engine.systems.segments.harm import difficulty, downing, heroism, hurting, readings
from fightcall_engine.systems.segments.harm import harm_events as hev
from fightcall_engine.systems.segments.harm.downing import DEATH, SENSES

# The threshold


def rounding_of(state: FightState) -> WtRounding:
    """Whether the Wound Threshold is rounded (A-12)."""
    return "exact" if state.settings.get("wt_rounding") == "exact" else "rhu"


def threshold(state: FightState, one: Combatant) -> Number:
    """The POT that somebody takes without a wound (CS-600)."""
    return formulas.wound_threshold(fg.msta(one), fg.number(one, "cnd", 13), rounding_of(state))


def exact_threshold(one: Combatant) -> Fraction:
    """It before it is rounded and kept from falling below 1."""
    return Fraction(fg.msta(one) + fg.number(one, "cnd", 13), 8)


def reckoned(state: FightState, one: Combatant, done: Harm) -> Parts:
    """How the wounds of a blow are reckoned: what came through, the threshold, how often it is exceeded (CS-602)."""
    mark = f"{float(done.threshold):g}"
    size = f"Wound Threshold, (modified STA {fg.msta(one)} + CND {fg.number(one, 'cnd', 13)}) ÷ 8"
    times = formulas.wounds(done.met.through, done.threshold, counts=True)
    parts = (("POT through", str(done.met.through), "CS-601"), (size, mark, "CS-600"),
             ("times exceeded", str(times), "CS-602"))  # fmt: skip
    if done.threshold_counts:
        return parts
    return (*parts, ("an edge or point in flesh: a wound at least", str(max(1, times)), "CS-603"))


def wound_track(state: FightState, one: Combatant) -> tuple[int, int, str]:
    """Wounds taken, boxes until he collapses, and the level (CS-620, CS-624); Body Points likewise (CS-632)."""
    most = hurting.body_points(state, one)
    level = hurting.level(state, one)
    return (hurting.wounds(one), COLLAPSE_WOUNDS, level) if most is None else (hurting.damage(one), most, level)


def pres_of(one: Combatant) -> int | None:
    """P-RES: as the sheet says, or as the GM has said since; None where nobody knows it."""
    ruled = fg.trait(one, "pres")
    if isinstance(ruled, int) and not isinstance(ruled, bool):
        return ruled
    return fg.unknown(one, "pres")


def borne(one: Combatant) -> int | None:
    """The POT that somebody bears without a check: P-RES, and a heroic deed (CS-610, CS-646)."""
    known = pres_of(one)
    return None if known is None else known + heroism.amount_of(one, heroism.PRES)


# Harm lands


def harm_told(course: Decision, who: str, wounds: int, points: int, by: str) -> None:
    """CS-601, CS-550: the wounds, or Body Points, of a blow. What the count comes to follows from the fact of it."""
    one = course.state.combatants[who]
    most = hurting.body_points(course.state, one)
    if most is None:
        course.emit(*((harm(course.state, who, wounds, by),) if wounds else ()))
    elif points:
        lost = harm(course.state, who, points, by, fg.BP)
        level = formulas.level_of_points(hurting.damage(one) + points, most, readings.boundary(course.state))
        course.emit(
            hev.BodyPointsLost(
                who=who, pool=fg.BP, before=lost.before, left=lost.left, max=lost.max, amount=points, by=by,
                tracked=lost.tracked, level=level,
            )
        )  # fmt: skip


def harmed(state: FightState, happened: ev.Event) -> ev.Events:
    """Harm and healing, by a blow or by hand, change the count of wounds; with the tenth somebody collapses."""
    if isinstance(happened, ev.DamageApplied) and happened.pool == fg.HP and happened.who in state.combatants:
        one = state.combatants[happened.who]
        most = hurting.body_points(state, one)
        if most is not None:
            lost = happened.max - happened.before
            now, reading = lost + happened.amount, readings.beyond_tenth(state)
            return _collapsing(state, one, formulas.collapse_checks_by_points(lost, now, most, reading))
        return hurting.wounded(one, happened.amount)
    if isinstance(happened, ev.Healed) and happened.pool == fg.HP and happened.who in state.combatants:
        one = state.combatants[happened.who]
        if hurting.body_points(state, one) is None:
            return _healed(one, happened.amount)
    return ()


def _healed(one: Combatant, amount: int) -> ev.Events:
    """Fewer wounds; boxes come free only where there are fewer than ten left."""
    told = hurting.wounded(one, -min(amount, max(0, hurting.wounds(one))))
    held, left = one.pool(fg.HP), max(0, COLLAPSE_WOUNDS - max(0, hurting.wounds(one) - amount))
    if hurting.wounds(one) <= COLLAPSE_WOUNDS or held.now == left:
        return told
    return (
        *told,
        ev.PoolAdjusted(who=one.id, pool=fg.HP, before=held.now, left=left, max=held.max, reason="CS-628"),
    )


def collapses(state: FightState, happened: sev.WoundsInflicted) -> ev.Events:
    """CS-624, CS-628: what reaching the tenth wound, or passing it, asks."""
    one = state.combatants.get(happened.who)
    if one is None or happened.n <= 0:
        return ()
    before, reading = happened.total - happened.n, readings.beyond_tenth(state)
    return _collapsing(state, one, formulas.collapse_checks(before, happened.total, reading))


def remeasured(state: FightState, happened: ev.SettingChanged) -> ev.Events:
    """Wounds or Body Points: the pool counts from now on what the option says (CS-550, CS-604)."""
    if happened.setting != "body_points":
        return ()
    found: list[ev.Event] = []
    for one in state.combatants.values():
        sheet = {**one.sheet, "wounds": hurting.wounds(one)}
        now, held = enlisting.pools(state.settings, sheet)[fg.HP], one.pool(fg.HP)
        if now != held:
            found.append(
                ev.PoolAdjusted(who=one.id, pool=fg.HP, before=held.now, left=now.now, max=now.max, reason="CS-550")
            )
    return tuple(found)


# Collapse and death


def _collapsing(state: FightState, one: Combatant, checks: int) -> ev.Events:
    """CS-624: down, and a P-RES check for life; for each wound beyond the tenth another (A-15)."""
    if not checks or fg.text_trait(one, "life") == fg.DEAD:
        return ()
    course = Decision(state)
    if fg.text_trait(one, "life") in (fg.UP, ""):
        course.emit(*hurting.life_events(state, one, fg.COLLAPSED))
    course.emit(*_asked(course.state, course.state.combatants[one.id], DEATH, checks))
    return course.events


def _asked(state: FightState, one: Combatant, then: str, checks: int = 1) -> ev.Events:
    """CS-624, CS-625: a P-RES check against 55; where P-RES is not known the outcome or the chance is asked."""
    rule = "CS-624" if then == DEATH else "CS-625"
    pres = pres_of(one)
    total = None if pres is None else difficulty.lowered(state, one, "P-RES", pres, rule)
    av = difficulty.known(total)
    goal = "to live" if then == DEATH else "to stay conscious"
    more = f", {checks} such checks" if checks > 1 else ""
    value = "is not known" if av is None else str(av)
    said = f"{one.name}, {goal}: P-RES {value} against DV {COLLAPSE_DV}{more}"
    parts = checking.parts_of(*((total,) if total is not None else ()))
    data: dict[str, Scalar] = {"left": checks, "about": one.id}
    asked = checking.question(state, one, "P-RES", rule, then, av=av, dv=COLLAPSE_DV, said=said, data=data)
    return (
        checking.requested(one.id, "P-RES", av, COLLAPSE_DV, (*parts, ("tenth wound", str(COLLAPSE_DV), rule))),
        ev.RulingAsked(prompt=asked),
    )


@checking.leads_to(DEATH)
def _lives(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    """CS-624, CS-625, CS-628: dead on the spot, or alive for CND minutes."""
    state = decision.state
    one = state.combatants[prompt.who]
    if fg.text_trait(one, "life") == fg.DEAD:
        return ()
    if not verdict.ok:
        return downing.down(state, one, fg.DEAD)
    left = prompt.data.get("left")
    if isinstance(left, int) and left > 1:
        return _asked(state, one, DEATH, left - 1)
    course = Decision(state)
    segments = formulas.segments_to_live(fg.number(one, "cnd", 13))
    if not fg.number_trait(one, "life_until"):
        course.emit(hev.LivesOn(who=one.id, traits={"life_until": state.round + segments}, segments=segments))
    if fg.text_trait(one, "life") != fg.UNCONSCIOUS:
        course.emit(*_asked(course.state, course.state.combatants[one.id], SENSES))
    return course.events


@checking.leads_to(SENSES)
def _conscious(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    """CS-625: conscious or not for what is left of life."""
    state = decision.state
    one = state.combatants[prompt.who]
    if verdict.ok or fg.text_trait(one, "life") in (fg.DEAD, fg.UNCONSCIOUS):
        return ()
    return downing.down(state, one, fg.UNCONSCIOUS)


def threshold_marks(state: FightState, one: Combatant) -> str:
    """The threshold with its multiples, as a GM reads it: ``4, 8, 12``."""
    return ", ".join(f"{float(mark):g}" for mark in formulas.wound_marks(threshold(state, one), 3))


def no_points(state: FightState) -> tuple[str, ...]:
    """M-12: for whom Body Points are counted, and nobody has entered any."""
    if state.settings.get("body_points") is not True:
        return ()
    names = [one.name for one in fg.in_order(state) if hurting.body_points(state, one) is None]
    return (f"No Body Points entered, so wounds are counted: {', '.join(names[:5])}",) if names else ()
