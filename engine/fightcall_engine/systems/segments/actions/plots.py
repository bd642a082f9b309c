"""Surprises being resolved: their kind, plotters and victims, and the values that are rolled.

They travel with their questions (CS-041 to CS-051, CS-054).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.state import Combatant, FightState, Prompt, Resume
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.rules import surprise
from fightcall_engine.systems.segments.rules.checks import Check
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import rolls, scores
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedCheck, Question, without_person
from fightcall_engine.systems.segments.state.rolls import Parts, Verdict

AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL = "ambush", "ruse", "trap", "pit", "illusion", "mutual"

KINDS = (AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL)

TRAPS = (TRAP, PIT, ILLUSION)


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
    def numbers(self) -> Check | None:
        """The check with its margins, if they are known."""
        return Check(self.chance, self.roll) if self.chance is not None and self.roll is not None else None


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

    def without(self, combatant_id: str) -> Plot | None:
        """The Surprise after a combatant has left; None if no plotter or no victim is left."""
        plotters, victims = (without_person(ids, combatant_id) for ids in (self.plotters, self.victims))
        if (self.plotters and not plotters) or (self.victims and not victims):
            return None
        fooled, wary = (without_person(ids, combatant_id) for ids in (self.fooled, self.wary))
        return replace(self, plotters=plotters, victims=victims, fooled=fooled, wary=wary)


@resume
class PlotCheck(AskedCheck):
    """The check of a plotter or a victim."""

    plot: Plot

    def without(self, combatant_id: str) -> Question | None:
        """See `Plot.without`."""
        plot = self.plot.without(combatant_id)
        return None if plot is None else self if plot == self.plot else copy_with(self, plot=plot)


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

    def without(self, combatant_id: str) -> Question | None:
        """See `Plot.without`."""
        plot = self.plot.without(combatant_id)
        return None if plot is None else self if plot == self.plot else copy_with(self, plot=plot)


RESUMES: tuple[type[Resume], ...] = (PlotCheck, AskedPlot)


def plot_of(prompt: Prompt) -> Plot:
    """The Surprise that a question is about."""
    resume = prompt.resume
    return resume.plot if isinstance(resume, PlotCheck) else resume_of(prompt, AskedPlot).plot


# Values


def victim_sum(state: FightState, combatant: Combatant, plot: Plot) -> Sum:
    """The value of a victim's check: Perception or AWA, Spirit Skill, stated suspicion (CS-041, CS-049, CS-054)."""
    wary = profile_of(combatant).best_trade_sl if combatant.id in plot.wary else 0
    bonuses = surprise.surprise_av(0, spirit_sl=_spirit_level(combatant), wary_trade_sl=wary).parts[1:]
    return scores.noticing_sum(state, combatant, *bonuses)


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
    return scores.subtract_penalties(state, combatant, Sum((skill,)), defensive=False)


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

    It adds the plotters' manner, number and sizes to the awareness check before (CS-050), or is the trap maker's craft
    (CS-051). A chance meeting adds nothing (CS-048).

    Args:
        state: the fight.
        plot: the Surprise.
        base: DV of the awareness check before (M-21).
        dv_by_gm: the whole DV by the GM's ruling.
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
    return surprise.surprise_dv(
        base,
        [profile_of(combatant).mods.chm for combatant in people],
        [profile_of(combatant).mods.hrt for combatant in people],
        [profile_of(combatant).msta for combatant in people],
    )
