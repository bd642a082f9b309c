"""A Surprise that is being settled: its kind, who plots and who is to be surprised, and the values they roll with.

What is known of it travels in the data of its questions (CS-041 to CS-051, CS-054).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.segments.rules import surprise as surprise_rules
from fightcall_engine.systems.segments.rules.checks import Check
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import rolls, surprise_limits
from fightcall_engine.systems.segments.state.rolls import Parts, Verdict

AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL = "ambush", "ruse", "trap", "pit", "illusion", "mutual"

KINDS = (AMBUSH, RUSE, TRAP, PIT, ILLUSION, MUTUAL)

TRAPS = (TRAP, PIT, ILLUSION)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a check came out; chance and roll are None where only the outcome is known."""

    ok: bool
    chance: int | None = None
    roll: int | None = None

    @classmethod
    def of(cls, verdict: Verdict) -> Outcome:
        """A verdict as it is kept."""
        return cls(verdict.ok, verdict.chance, verdict.roll)

    @property
    def numbers(self) -> Check | None:
        """The check with its margins, where they are known."""
        return Check(self.chance, self.roll) if self.chance is not None and self.roll is not None else None


@dataclass(frozen=True, slots=True)
class Plot:
    """A Surprise that is being settled.

    Attributes:
        kind: one of `KINDS`.
        plotters: their ids, the one who rolls for them first; a trap may have none.
        victims: ids of those whom a question of the plotters is about.
        fooled: of a ruse, those who have fallen for it so far.
        dv: what the victims check against; None where it is not known.
        craft: the trap maker's AV (CS-051).
        wary: ids of those who voiced suspicion (CS-054).
        check: how the plotters' check came out; None before it.
        line: ``trip`` or ``clothesline`` where it is a line that two hold (CS-446); empty otherwise.
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


def data_of(plot: Plot) -> Mapping[str, Scalar]:
    """A plot as a question keeps it."""
    check = plot.check
    return {
        "plot": plot.kind,
        "plotters": " ".join(plot.plotters),
        "victims": " ".join(plot.victims),
        "fooled": " ".join(plot.fooled),
        "plot_dv": plot.dv,
        "craft": plot.craft,
        "wary": " ".join(plot.wary),
        **({"line": plot.line} if plot.line else {}),
        "plot_ok": None if check is None else check.ok,
        "plot_chance": None if check is None else check.chance,
        "plot_roll": None if check is None else check.roll,
    }


def plot_of(prompt: Prompt) -> Plot:
    """The plot that a question is about."""
    data = prompt.data
    ok = data.get("plot_ok")
    return Plot(
        kind=str(data.get("plot") or AMBUSH),
        plotters=_ids(data, "plotters"),
        victims=_ids(data, "victims"),
        fooled=_ids(data, "fooled"),
        dv=whole(data, "plot_dv"),
        craft=whole(data, "craft"),
        wary=_ids(data, "wary"),
        line=str(data.get("line") or ""),
        check=Outcome(ok, whole(data, "plot_chance"), whole(data, "plot_roll")) if isinstance(ok, bool) else None,
    )


def _ids(data: Mapping[str, Scalar], name: str) -> tuple[str, ...]:
    return tuple(str(data.get(name) or "").split())


def whole(data: Mapping[str, Scalar], name: str) -> int | None:
    """A whole number that a question keeps; None where it keeps none."""
    value = data.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


# The values


def victim_sum(state: FightState, combatant: Combatant, plot: Plot) -> Sum:
    """The value of a victim's check: Perception or AWA, Spirit Skill, stated suspicion (CS-041, CS-049, CS-054)."""
    seen = surprise_limits.noticing_sum(state, combatant)
    wary = fg.best_trade_sl(combatant) if combatant.id in plot.wary else 0
    bonuses = surprise_rules.surprise_av(0, spirit_sl=_spirit(combatant), wary_trade_sl=wary).parts[1:]
    return Sum((*seen.parts, *bonuses))


def _spirit(combatant: Combatant) -> int:
    """CS-049: the best Spirit Skill, of those who practise magick."""
    if not fg.has_trade(combatant, "practitioner", "magick", "wizard", "witch", "druid"):
        return 0
    levels = [
        level
        for name, level in fg.part(combatant, "skills").items()
        if "spirit" in name.lower() and isinstance(level, int)
    ]
    return max(levels, default=0)


def plotting(combatant: Combatant, plot: Plot) -> tuple[str, int | None]:
    """What the plotters roll, and how good they are at it: Stealth, or the maker's craft of an illusion (CS-047)."""
    if plot.kind == ILLUSION:
        return "illusion", plot.craft
    return "Stealth", fg.skill(combatant, "stealth", "padfoot", "skulker", "padfoot/skulker")


def deceiving(combatant: Combatant) -> tuple[str, int]:
    """What a ruse is played with: Player or Silver Tongue, else CHM (CS-044, CS-047)."""
    names = ("player", "silver tongue", "silver_tongue")
    skill = max(names, key=lambda name: fg.skill(combatant, name) or 0)
    known = fg.skill(combatant, skill)
    return ("CHM", fg.number(combatant, "chm", 13)) if known is None else (skill.replace("_", " ").title(), known)


def difficulty(state: FightState, plot: Plot, base: int | None, ruled: int | None) -> tuple[int | None, Parts]:
    """What the victims check against, and what it is made of; None where a part of it is not known.

    The plotters' manner, number and sizes on top of the awareness check before (CS-050), or the trap maker's craft
    (CS-051). In a chance meeting nobody made it more difficult (CS-048).

    Args:
        state: the fight.
        plot: who springs what.
        base: DV of the awareness check before (M-21).
        ruled: the whole of it by the GM's word.
    """
    if ruled is not None:
        return ruled, rolls.parts_of(Sum((Part("the GM's word", ruled, "CS-050"),)))
    if plot.kind in TRAPS:
        known = () if plot.craft is None else (Part("trap maker's craft", plot.craft, "CS-051"),)
        return plot.craft, rolls.parts_of(Sum(known))
    people = [state.combatants[combatant_id] for combatant_id in plot.plotters]
    if plot.kind == MUTUAL or not people:
        known = () if base is None else (Part("awareness check before", base, "CS-050"),)
        return base, rolls.parts_of(Sum(known))
    total = plotters_sum(people, base or 0)
    if base is None:
        return None, rolls.parts_of(Sum(total.parts[1:]))
    return rolls.worth(total), rolls.parts_of(total)


def plotters_sum(people: Sequence[Combatant], base: int) -> Sum:
    """CS-050: how hard it is to see these people coming."""
    return surprise_rules.surprise_dv(
        base,
        [fg.mod(combatant, "chm") for combatant in people],
        [fg.mod(combatant, "hrt") for combatant in people],
        [fg.msta(combatant) for combatant in people],
    )
