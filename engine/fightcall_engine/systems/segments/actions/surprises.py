"""Surprises: plots, what is rolled for them, their effects on victims, and recovery (CS-040 to CS-070).

A plot travels with its questions. The failed DV is kept for the recovery; 0 is an unknown one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for, whole
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import Combatant, FightState, Prompt, Resume, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.positions import paths
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.clock import Surprise, recovery_dv, waning_segments
from fightcall_engine.systems.segments.rules.numbers import D100, Part, Sum
from fightcall_engine.systems.segments.state import condition, events, queries, rolls, small_acts
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.queries import DRAFT, action_of
from fightcall_engine.systems.segments.state.records import fighter_of
from fightcall_engine.systems.segments.state.rolls import AskedCheck, Parts, Question, Verdict

AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL = "ambush", "ruse", "trap", "pit", "illusion", "mutual"

KINDS = (AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL)

TRAPS = (TRAP, PIT, ILLUSION)

# Plots


@frozen
class Outcome:
    """The result of a check; chance and roll are None if only the outcome is known."""

    ok: bool
    chance: int | None = None
    roll: int | None = None

    @classmethod
    def of(cls, verdict: Verdict) -> Outcome:
        """The outcome of a verdict."""
        return cls(verdict.ok, verdict.chance, verdict.roll)

    @property
    def numbers(self) -> D100 | None:
        """The check with its margins, if they are known."""
        return D100(self.chance, self.roll) if self.chance is not None and self.roll is not None else None


@frozen
class Plot:
    """A Surprise being resolved.

    Attributes:
        kind: one of `KINDS`.
        plotters: their ids, the one who rolls for them first; a trap may have none.
        victims: the ids of those whom the plotters' question is about.
        fooled: for a ruse, those who have fallen for it so far.
        dv: what the victims check against, or None.
        craft: the trap maker's AV (CS-051).
        wary: the ids of those who voiced suspicion (CS-054).
        check: the outcome of the plotters' check, or None.
        line: ``trip`` or ``clothesline`` for a line held by two (CS-446); else empty.
    """

    kind: str
    plotters: tuple[str, ...]
    victims: tuple[str, ...]
    fooled: tuple[str, ...] = ()
    dv: int | None = None
    craft: int | None = None
    wary: tuple[str, ...] = ()
    check: Outcome | None = None
    line: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of all in it."""
        return (*self.plotters, *self.victims, *self.fooled, *self.wary)

    def here(self, state: FightState) -> Plot:
        """The Surprise without those who have left."""
        groups = (self.plotters, self.victims, self.fooled, self.wary)
        plotters, victims, fooled, wary = (tuple(each for each in ids if each in state.combatants) for ids in groups)
        return replace(self, plotters=plotters, victims=victims, fooled=fooled, wary=wary)

    def still_on(self, state: FightState) -> Plot | None:
        """The Surprise without those who have left; None if no plotter or no victim is left."""
        left = self.here(state)
        return left if left.victims and (left.plotters or not self.plotters) else None


@resume
class PlotCheck(AskedCheck):
    """The check of a plotter or a victim."""

    plot: Plot

    @property
    def subjects(self) -> tuple[str, ...]:
        """All in the plot."""
        return self.plot.people


@resume
class AskedPlot(Question):
    """Another question about a Surprise, with the chances of a ruse as far as known.

    Attributes:
        own: the liar's chance, in percent.
        other: the chance of seeing through it.
    """

    plot: Plot
    own: int | None = None
    other: int | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """All in the plot."""
        return self.plot.people


RESUMES: tuple[type[Resume], ...] = (PlotCheck, AskedPlot)


def plot_of(prompt: Prompt) -> Plot | None:
    """The Surprise that a question is about, if it is about one."""
    return prompt.resume.plot if isinstance(prompt.resume, PlotCheck | AskedPlot) else None


def is_being_settled(state: FightState) -> bool:
    """Whether a question about a Surprise is open."""
    return any(plot_of(prompt) is not None for prompt in state.prompts)


def victim_sum(state: FightState, combatant: Combatant, plot: Plot) -> Sum:
    """The value of a victim's check: Perception or AWA, Spirit Skill, stated suspicion (CS-041, CS-049, CS-054)."""
    wary = profile_of(combatant).best_trade_sl if combatant.id in plot.wary else 0
    bonuses = clock.surprise_av(0, spirit_sl=_spirit_level(combatant), wary_trade_sl=wary).parts[1:]
    return condition.noticing_sum(state, combatant, *bonuses)


def _spirit_level(combatant: Combatant) -> int:
    """CS-049: the best Spirit Skill of a practitioner of magick."""
    if not profile_of(combatant).has_trade("practitioner", "magick", "wizard", "witch", "druid"):
        return 0
    skills = profile_of(combatant).skills
    return max((level for name, level in skills.items() if "spirit" in name.lower()), default=0)


def plotter_skill(state: FightState, combatant: Combatant, plot: Plot) -> tuple[str, Sum | None]:
    """The plotters' skill and its present value (CS-047, CS-613); None if not entered.

    It is Stealth, or the maker's craft for an illusion.
    """
    if plot.kind == ILLUSION:
        return "illusion", None if plot.craft is None else Sum((Part("illusion", plot.craft, "CS-047"),))
    level = profile_of(combatant).skill("stealth", "padfoot", "skulker", "padfoot/skulker")
    return "Stealth", None if level is None else _skill_now(state, combatant, Part("Stealth", level, "CS-047"))


def _skill_now(state: FightState, combatant: Combatant, skill: Part) -> Sum:
    """A plotter's skill less the pain and Surprise on every AV (CS-068, CS-613)."""
    return condition.subtract_penalties(state, combatant, Sum((skill,)), defensive=False)


def deceiver_skill(state: FightState, combatant: Combatant) -> tuple[str, int]:
    """The skill of a ruse and its present value: Player or Silver Tongue, else CHM (CS-044, CS-047, CS-613)."""
    names = ("player", "silver tongue", "silver_tongue")
    skill = max(names, key=lambda name: profile_of(combatant).skill(name) or 0)
    skill_level = profile_of(combatant).skill(skill)
    label = "CHM" if skill_level is None else skill.replace("_", " ").title()
    level = profile_of(combatant).scores.chm if skill_level is None else skill_level
    return label, rolls.rounded(_skill_now(state, combatant, Part(label, level, "CS-044")))


def plot_difficulty(state: FightState, plot: Plot, base: int | None, dv_by_gm: int | None) -> tuple[int | None, Parts]:
    """The DV of the victims and its parts; None if a part is unknown.

    It adds the plotters' manner, number and sizes to the awareness check before (CS-050, M-21), or is the trap maker's
    craft (CS-051). A chance meeting adds nothing (CS-048).
    """
    if dv_by_gm is not None:
        return dv_by_gm, rolls.parts_of(Sum((Part("the GM's ruling", dv_by_gm, "CS-050"),)))
    if plot.kind in TRAPS:
        parts = () if plot.craft is None else (Part("trap maker's craft", plot.craft, "CS-051"),)
        return plot.craft, rolls.parts_of(Sum(parts))
    people = [state.combatants[combatant_id] for combatant_id in plot.plotters]
    if plot.kind == MUTUAL or not people:
        parts = () if base is None else (Part("awareness check before", base, "CS-050"),)
        return base, rolls.parts_of(Sum(parts))
    total = plotters_sum(people, base or 0)
    if base is None:
        return None, rolls.parts_of(Sum(total.parts[1:]))
    return rolls.rounded(total), rolls.parts_of(total)


def plotters_sum(people: Sequence[Combatant], base: int) -> Sum:
    """CS-050: the difficulty of noticing these people."""
    return clock.surprise_dv(
        base,
        [profile_of(combatant).mods.chm for combatant in people],
        [profile_of(combatant).mods.hrt for combatant in people],
        [profile_of(combatant).msta for combatant in people],
    )


# Being surprised


def apply_surprise(decision: Decision, combatant: Combatant, result: Surprise, dv: int | None) -> None:
    """Apply a Surprise to a victim (CS-055 to CS-060)."""
    event = events.SurpriseApplied(
        who=combatant.id,
        traits=_surprise_traits(decision.state, combatant, result, dv or 0),
        degree=result.degree,
        cs=result.segments,
        penalty=result.penalty,
    )
    decision.emit(event)
    decision.spawn(_interrupt_action, combatant.id)
    _interrupt_way(decision, decision.state.combatants[combatant.id])


_BY_SEVERITY = (queries.NONE, queries.WANING, queries.READY, queries.CHECKED, queries.OVERWHELMED)


def _surprise_traits(state: FightState, combatant: Combatant, result: Surprise, dv: int) -> Mapping[str, Scalar]:
    """The record of a Surprise; of an earlier one, whatever is longer or worse stays.

    The second stage of an earlier one continues under a lesser one (CS-068).
    """
    fighter, earlier = fighter_of(combatant), condition.surprise_degree(combatant)
    if result.degree == queries.NONE:
        return {}
    until, penalty, wanes = state.round + result.segments, result.penalty, fighter.surprise_wanes
    if earlier == queries.WANING:
        wanes = fighter.surprise_until
    elif earlier != queries.NONE:
        until = max(until, fighter.surprise_until)
    degree = max(result.degree, earlier, key=_BY_SEVERITY.index)
    if earlier != queries.NONE and fighter.surprise_sum > penalty:
        penalty, dv = fighter.surprise_sum, fighter.surprise_dv
    return {
        "surprise": degree,
        "surprise_launch": state.round,
        "surprise_until": until,
        "surprise_sum": penalty,
        "surprise_dv": dv,
        "surprise_wanes": 0 if degree == queries.OVERWHELMED else wanes,
    }


def _interrupt_way(decision: Decision, combatant: Combatant) -> None:
    """CS-065: stop planned movement unless it leads away from the threat."""
    state = decision.state
    way = tuple(paths.places_of_way(state, fighter_of(combatant).plan))
    if first_broken(paths.retreat_checks(state, combatant, way)) is not None:
        paths.stop_movement(decision, combatant)


def _interrupt_action(decision: Decision, combatant_id: str) -> None:
    """CS-059: drop a declaration that has not begun; ask the GM about work that has."""
    combatant = decision.state.combatants[combatant_id]
    action = action_of(combatant)
    if not action.is_open or condition.surprise_allows(combatant, action):
        return
    if action.state == DRAFT:
        decision.emit(*small_acts.abort_action(combatant, "surprised"))
        return
    activity = small_acts.describe_activity(combatant)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="startled",
            question=f"{combatant.name} is surprised while busy ({activity}). Continue?",
            rule="CS-059",
            choices=choices("keep:continue it", "abort:abort it:x"),
            default="keep",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == "abort":
        decision.emit(*small_acts.abort_action(decision.state.combatants[combatant_id], "surprised"))


# Recovery


def at_start(decision: Decision) -> None:
    """Begin a segment: end Surprises whose time is over; the overwhelmed check (CS-057, CS-058, CS-066)."""
    state = decision.state
    for combatant in state.roster:
        degree, last = condition.surprise_degree(combatant), fighter_of(combatant).surprise_until
        if degree == queries.NONE or state.round <= last:
            continue
        if degree == queries.OVERWHELMED and combatant.able:
            decision.spawn(_recover, combatant.id)
        elif fighter_of(combatant).surprise_wanes >= state.round:
            decision.emit(_second_stage_event(state, combatant, fighter_of(combatant).surprise_wanes))
        else:
            decision.emit(*end_surprise(combatant))


def end_surprise(combatant: Combatant) -> Events:
    """The event that ends a combatant's Surprise (CS-067, CS-069)."""
    traits = {"surprise": queries.NONE, "surprise_until": 0, "surprise_sum": 0, "surprise_wanes": 0}
    return (events.SurpriseEnded(who=combatant.id, traits=traits),)


def _recover(decision: Decision, combatant_id: str) -> None:
    """CS-066 to CS-068: check HRT against half the failed DV: the Surprise ends, or its second stage begins."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    half = recovery_dv(failed_dv) if failed_dv > 0 else None
    dv = None if half is None else Sum((Part(f"half of DV {failed_dv} that was failed", half, "CS-066"),))
    total = condition.value_of(state, combatant, "HRT", "CS-066")
    against = "" if half is None else f" against DV {half}"
    question = f"{combatant.name}, to recover from Surprise: HRT {rolls.rounded(total)}{against}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-066", question, owed=True)
    if verdict is None:
        return
    combatant = decision.state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    decision.emit(events.SurpriseRecoveryChecked(who=combatant_id, dv=recovery_dv(failed_dv), ok=verdict.ok))
    if verdict.ok:
        decision.emit(*end_surprise(combatant))
        return
    if failed_dv <= 0:
        answer = decision.ask(
            prompt_for(
                combatant,
                kind="failed_dv",
                question=f"{combatant.name} hasn't recovered. What was the DV of the failed Surprise check?",
                rule="CS-068",
                choices=choices("over:end the Surprise anyway"),
                amount="dv",
            )
        )
        if answer is None:
            return
        combatant = decision.state.combatants[combatant_id]
        if answer.choice == "over":
            decision.emit(*end_surprise(combatant))
            return
        failed_dv = whole("CS-068", answer.amount, 0, "DV", most=1000, besides=("over",))
    decision.emit(*_second_stage(decision.state, combatant, failed_dv))


def _second_stage(state: FightState, combatant: Combatant, failed_dv: int) -> Events:
    """CS-068: the second stage frees Actions, with a waning penalty, for a tenth of the DV in segments."""
    length = waning_segments(failed_dv)
    if not length:
        return end_surprise(combatant)
    return (_second_stage_event(state, combatant, state.round + length - 1, surprise_dv=failed_dv),)


def _second_stage_event(state: FightState, combatant: Combatant, last: int, **more: int) -> Event:
    """The event that the second stage begins, or lasts to the end of a segment (CS-068)."""
    traits = {"surprise": queries.WANING, "surprise_until": last, "surprise_wanes": 0, **more}
    length, penalty = last - state.round + 1, max(0, fighter_of(combatant).surprise_sum)
    return events.SurpriseApplied(who=combatant.id, traits=traits, degree=queries.WANING, cs=length, penalty=penalty)


def at_end(decision: Decision) -> None:
    """End a segment: the second stage's penalty drops by 1; after its last one it ends (CS-068, CS-069)."""
    state = decision.state
    for combatant in state.roster:
        fighter = fighter_of(combatant)
        if not condition.is_waning(combatant):
            continue
        if state.round >= (fighter.surprise_wanes or fighter.surprise_until):
            end_events = queries.set_traits(combatant, surprise_wanes=0, surprise_sum=0)
            decision.emit(*(end_events if fighter.surprise_wanes else end_surprise(combatant)))
            continue
        left = max(0, fighter_of(combatant).surprise_sum - 1)
        decision.emit(events.SurprisePenaltyWaned(who=combatant.id, traits={"surprise_sum": left}, penalty=left))
