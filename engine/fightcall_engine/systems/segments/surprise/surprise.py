"""Being surprised: what one may do, what it costs, how it wears off (CS-056 to CS-070).

The limits and the penalty hold from the moment of the Surprise; their segments are counted from the one after it
(A-54). The DV that was failed is kept for the recovery; 0 stands for one that nobody has named.
"""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.views import TrailPart
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Scalar
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.action import Action
from fightcall_engine.systems.segments.checking import Verdict
from fightcall_engine.systems.segments.formulas import surprise as formulas
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.harm import hurting
from fightcall_engine.systems.segments.surprise import words

HELD = (fg.READY, fg.CHECKED, fg.OVERWHELMED)
"""Degrees that keep somebody from beginning anything."""

DEFENCES = ("block", "defend", "dodge", "full defence", "parry")
RETREATS = (
    "back away", "back off", "escape", "flee", "get away", "retreat", "run away", "run off", "seek escape", "withdraw",
)  # fmt: skip
"""How what the surprised may do is said in free words (CS-058, CS-065)."""

_DEGREES = {fg.READY: "CS-057", fg.CHECKED: "CS-058", fg.OVERWHELMED: "CS-059", fg.WANING: "CS-068"}
_RULES = {fg.READY: "CS-057", fg.CHECKED: "CS-058", fg.OVERWHELMED: "CS-065"}

# What it means now


def degree_of(combatant: Combatant) -> str:
    """How far somebody is surprised now."""
    return fg.text_trait(combatant, "surprise") or fg.NONE


def penalty_of(state: FightState, combatant: Combatant, *, defensive: bool) -> int:
    """What Surprise takes off a value, 0 or more.

    Overwhelmed, off every defence and off noticing (CS-061, CS-062); in the second stage off every AV (CS-068).

    Args:
        state: the fight.
        combatant: whose value it is.
        defensive: a defence, a retreat, or Perception.
    """
    degree = degree_of(combatant)
    if degree == fg.WANING or (degree == fg.OVERWHELMED and defensive):
        return max(0, fg.number_trait(combatant, "surprise_sum"))
    return 0


def is_held(state: FightState, combatant: Combatant) -> str:
    """Why somebody may not begin anything now; empty where he may (CS-057, CS-058, CS-059)."""
    degree = degree_of(combatant)
    if degree not in HELD:
        return ""
    last = max(state.round, fg.number_trait(combatant, "surprise_until"))
    return f"surprised ({degree}) to the end of CS {last}"


def rule_of(combatant: Combatant) -> str:
    """The rule that keeps somebody of his degree from beginning anything."""
    return _RULES.get(degree_of(combatant), "CS-065")


def is_allowed(combatant: Combatant, action: Action) -> bool:
    """Whether Surprise lets somebody do this: the ready defend; others also move away (CS-057, CS-058, CS-065)."""
    degree = degree_of(combatant)
    if degree not in HELD or action.kind == act.DEFEND:
        return True
    allowed = DEFENCES if degree == fg.READY else (*DEFENCES, *RETREATS)
    said = action.kind == act.ACT and words.begins_with(action.text, allowed, combatant.name)
    return said or (action.kind == act.MOVE and degree != fg.READY)


def allowed_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-057, CS-058, CS-065: what somebody surprised may declare."""
    degree = degree_of(combatant)
    if degree not in HELD:
        return ()
    accepts = ("defend",) if degree == fg.READY else ("defend", "move", "back away", "seek escape")
    why = f"{combatant.name} is surprised ({degree}) and begins nothing of his own"
    return (Check(is_allowed(combatant, action), _RULES[degree], why, accepts),)


def step_checks(combatant: Combatant) -> tuple[Check, ...]:
    """CS-057: the ready only defend in the segment of the launch; all others may move away."""
    return allowed_checks(combatant, Action(kind=act.MOVE))


def check_allowed(combatant: Combatant, action: Action, referee: Referee) -> None:
    """CS-057, CS-058, CS-065: what somebody surprised may declare.

    Raises:
        Refused: by the rule of his degree; says what he may do.
    """
    enforce(allowed_checks(combatant, action), referee)


# What one notices


def noticing_sum(state: FightState, combatant: Combatant) -> Sum:
    """The value of noticing a threat: Savvy, Sentry or AWA, less Surprise and pain (CS-047, CS-062, CS-613)."""
    skill = max(("savvy", "sentry", "perception"), key=lambda name: fg.skill(combatant, name) or 0)
    known = fg.skill(combatant, skill)
    av = fg.number(combatant, "awa", 13) if known is None else known
    parts = [Part("AWA" if known is None else skill.title(), av, "CS-047")]
    return _subtract_penalties(state, combatant, parts, penalty_of(state, combatant, defensive=True), "CS-062")


def _subtract_penalties(state: FightState, combatant: Combatant, parts: list[Part], penalty: int, rule: str) -> Sum:
    """A value less what Surprise and pain take; Surprise alone never takes it below 0 (A-56)."""
    before = sum(part.value for part in parts)
    taken = before - formulas.under_penalty(before, penalty)
    if taken:
        parts.append(Part("surprised", -taken, rule))
    stun = hurting.stun_penalty(state, combatant)
    if stun:
        parts.append(Part("stunned by pain", -stun, "CS-613"))
    return Sum(tuple(parts))


# Becoming surprised


def apply_surprise(state: FightState, combatant: Combatant, found: formulas.Surprise, dv: int | None) -> ev.Events:
    """What a Surprise does to one victim; what already holds him longer or harder stays (CS-055 to CS-060)."""
    course = Decision(state)
    until = state.round + found.segments
    weaker = (found.degree == fg.NONE) or (
        degree_of(combatant) in (fg.CHECKED, fg.OVERWHELMED)
        and (until, found.penalty)
        < (fg.number_trait(combatant, "surprise_until"), penalty_of(state, combatant, defensive=True))
    )
    traits = {
        "surprise": found.degree,
        "surprise_launch": state.round,
        "surprise_until": until,
        "surprise_sum": found.penalty,
        "surprise_dv": dv or 0,
    }
    event = sev.SurpriseApplied(
        who=combatant.id, traits={} if weaker else traits, degree=found.degree, cs=found.segments, penalty=found.penalty
    )
    course.emit(event)
    course.emit(*_interrupt_action(course.state, course.state.combatants[combatant.id]))
    return course.events


def _interrupt_action(state: FightState, combatant: Combatant) -> ev.Events:
    """What was only said is not begun any more; what was begun the GM may call off."""
    from fightcall_engine.systems.segments.declaration import declaring

    action = act.action_of(combatant)
    if not action.is_open or is_allowed(combatant, action):
        return ()
    if action.state == act.DRAFT:
        return declaring.abort_action(combatant, "surprised")
    question = f"{combatant.name} is surprised while at work on {declaring.busy_with(combatant)}. Does it go on?"
    prompt = Prompt(
        id="",
        kind="startled",
        question=question,
        rule="CS-059",
        choices=choices("keep:it goes on", "abort:it is given up"),
        default="keep",
        who=combatant.id,
        side=combatant.side,
        blocking=False,
    )
    return (ev.RulingAsked(prompt=prompt),)


def answer_startled(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """Whether work that was begun before the Surprise goes on."""
    state = decision.state
    from fightcall_engine.systems.segments.declaration import declaring

    combatant = state.combatants.get(prompt.who)
    return declaring.abort_action(combatant, "surprised") if combatant is not None and given.choice == "abort" else ()


# Wearing off


def at_start(state: FightState) -> ev.Events:
    """As a segment begins: who was held for a while is free, who was overwhelmed checks (CS-057, CS-058, CS-066)."""
    course = Decision(state)
    for combatant in fg.in_order(state):
        degree, last = degree_of(combatant), fg.number_trait(combatant, "surprise_until")
        if degree == fg.NONE or state.round <= last:
            continue
        if degree == fg.OVERWHELMED and combatant.able:
            course.emit(*_recovering(course.state, combatant))
        else:
            course.emit(*end_surprise(combatant))
    return course.events


def end_surprise(combatant: Combatant) -> ev.Events:
    """The fact that somebody is himself again (CS-067, CS-069)."""
    traits: dict[str, Scalar] = {"surprise": fg.NONE, "surprise_until": 0, "surprise_sum": 0}
    return (sev.SurpriseEnded(who=combatant.id, traits=traits),)


def _recovering(state: FightState, combatant: Combatant) -> ev.Events:
    """CS-066: HRT against half the DV that was failed."""
    failed = fg.number_trait(combatant, "surprise_dv")
    dv = formulas.recovery_dv(failed) if failed > 0 else None
    total = _subtract_penalties(state, combatant, [Part("HRT", fg.number(combatant, "hrt", 13), "CS-066")], 0, "CS-066")
    av = checking.worth(total)
    halved = Sum((Part(f"half of DV {failed} that was failed", dv or 0, "CS-066"),))
    parts = checking.parts_of(total, *((halved,) if dv is not None else ()))
    said = f"{combatant.name}, to recover from Surprise: HRT {av}" + (f" against DV {dv}" if dv is not None else "")
    asked = checking.question(state, combatant, "HRT", "CS-066", "recovery", av=av, dv=dv, said=said)
    return (checking.request_check(combatant.id, "HRT", av, dv, parts), ev.RulingAsked(prompt=asked))


@checking.leads_to("recovery")
def _on_recovery_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    """CS-067, CS-068: free, or the second stage."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    failed = fg.number_trait(combatant, "surprise_dv")
    event = sev.SurpriseRecoveryChecked(who=combatant.id, dv=formulas.recovery_dv(failed), ok=verdict.ok)
    if verdict.ok:
        return (event, *end_surprise(combatant))
    if failed <= 0:
        return (event, ev.RulingAsked(prompt=_which_dv(combatant)))
    return (event, *_second_stage(state, combatant, failed))


def _which_dv(combatant: Combatant) -> Prompt:
    return Prompt(
        id="",
        kind="failed_dv",
        question=f"{combatant.name} has not recovered. Against what DV was the Surprise check failed?",
        rule="CS-068",
        choices=choices("over:the Surprise is over all the same"),
        who=combatant.id,
        side=combatant.side,
        amount="dv",
    )


def answer_failed_dv(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """CS-068: the DV that was failed, where nobody had named it."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    if given.choice == "over":
        return end_surprise(combatant)
    if not isinstance(given.amount, int) or not 0 <= given.amount <= 1000:
        raise Refused("CS-068", f"{given.amount!r} is no DV", ("0 to 1000", "over"), final=True)
    return _second_stage(state, combatant, given.amount)


def _second_stage(state: FightState, combatant: Combatant, failed: int) -> ev.Events:
    """CS-068: original Actions again, under the whole penalty, which then wanes; for a tenth of the DV in segments."""
    penalty = max(0, fg.number_trait(combatant, "surprise_sum"))
    length = formulas.waning_segments(failed)
    if not length:
        return end_surprise(combatant)
    last = state.round + length - 1
    traits: dict[str, Scalar] = {"surprise": fg.WANING, "surprise_until": last, "surprise_dv": failed}
    return (sev.SurpriseApplied(who=combatant.id, traits=traits, degree=fg.WANING, cs=length, penalty=penalty),)


def at_end(state: FightState) -> ev.Events:
    """As a segment ends, the penalty of the second stage drops by 1; after the last one it is over (CS-068, CS-069)."""
    course = Decision(state)
    for combatant in fg.in_order(state):
        if degree_of(combatant) != fg.WANING:
            continue
        if state.round >= fg.number_trait(combatant, "surprise_until"):
            course.emit(*end_surprise(combatant))
            continue
        left = max(0, fg.number_trait(combatant, "surprise_sum") - 1)
        course.emit(sev.SurprisePenaltyWaned(who=combatant.id, traits={"surprise_sum": left}, penalty=left))
    return course.events


# How it is shown


def surprise_trail(state: FightState, combatant: Combatant) -> tuple[TrailPart, ...]:
    """Where somebody's Surprise comes from, and until when it holds."""
    degree = degree_of(combatant)
    if degree == fg.NONE:
        return ()
    parts = [
        TrailPart(degree, f"since CS {fg.number_trait(combatant, 'surprise_launch')}", _DEGREES.get(degree, "CS-059")),
        TrailPart("to the end of", f"CS {fg.number_trait(combatant, 'surprise_until')}", "CS-060"),
    ]
    penalty = penalty_of(state, combatant, defensive=True)
    if penalty:
        whose = "off every AV" if degree == fg.WANING else "off defences and noticing"
        parts.append(TrailPart(whose, f"-{penalty}", "CS-068" if degree == fg.WANING else "CS-061"))
    return tuple(parts)


def surprise_json(state: FightState, combatant: Combatant) -> Json:
    """Somebody's Surprise in the protocol (rules digest, section 2.1)."""
    degree, until = degree_of(combatant), fg.number_trait(combatant, "surprise_until")
    return {
        "degree": degree,
        "stage": {fg.OVERWHELMED: 1, fg.WANING: 2}.get(degree, 0),
        "until_cs": until,
        "cs_left": max(0, until - state.round) if degree != fg.NONE else 0,
        "penalty": max(0, fg.number_trait(combatant, "surprise_sum")),
        "failed_dv": fg.number_trait(combatant, "surprise_dv"),
    }
