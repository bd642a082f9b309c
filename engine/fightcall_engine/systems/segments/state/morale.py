"""How somebody bears up: shaken, broken, or in doubt before one foe, and what follows from it (CS-516 to CS-519).

The trait ``morale`` is one of `STATES`; ``doubts`` has a word for each foe he doubts himself before: ``ash=17@3`` is a
loss of 17 in segment 3.
"""

from __future__ import annotations

from dataclasses import dataclass

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, rhu
from fightcall_engine.systems.segments.state.fighter import fighter_of

STEADY, SHAKEN, BROKEN, IN_TEARS = "steady", "shaken", "broken", "broken down"

STATES = ("", SHAKEN, BROKEN, IN_TEARS)

SURRENDERED = (BROKEN, IN_TEARS)
"""Who has surrendered (CS-517)."""

# Doubt


@dataclass(frozen=True, slots=True)
class Doubt:
    """What his DVs lose against one foe in one segment (CS-519)."""

    by: str
    loss: int
    segment: int

    @property
    def word(self) -> str:
        """It as the trait keeps it."""
        return f"{self.by}={self.loss}@{self.segment}"


def doubts(combatant: Combatant) -> tuple[Doubt, ...]:
    """Whom somebody doubts himself before; what cannot be read is left out."""
    found = []
    for word in fighter_of(combatant).doubts.split():
        by, _, rest = word.rpartition("=")
        loss, _, segment = rest.partition("@")
        if by and _is_count(loss) and _is_count(segment):
            found.append(Doubt(by, int(loss), int(segment)))
    return tuple(found)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6


def doubting(state: FightState, combatant: Combatant, by: str, loss: int) -> str:
    """The trait once somebody doubts himself before this foe in the next segment; what is over is forgotten."""
    kept = [each for each in doubts(combatant) if each.segment >= state.round and each.by != by]
    return " ".join(each.word for each in (*kept, Doubt(by, loss, state.round + 1)))


def doubts_without(combatant: Combatant, combatant_id: str) -> str:
    """The trait once a foe has left."""
    return " ".join(doubt.word for doubt in doubts(combatant) if doubt.by != combatant_id)


def doubt_of(state: FightState, combatant: Combatant, by: str) -> int:
    """What somebody's DVs, of body and mind, lose in this segment against one foe (CS-519)."""
    return max((each.loss for each in doubts(combatant) if each.by == by and each.segment == state.round), default=0)


def subtract_doubt(state: FightState, combatant: Combatant, by: str, total: Sum) -> Sum:
    """A DV that somebody provides against one foe, less his doubt; it does not fall below 0."""
    loss = min(doubt_of(state, combatant, by), max(0, rhu(total.total)))
    return Sum((*total.parts, Part("doubt", -loss, "CS-519"))) if loss else total


# What it keeps from


def state_of(combatant: Combatant) -> str:
    """One of `STATES`."""
    held = fighter_of(combatant).morale
    return held if held in STATES else ""


def has_surrendered(combatant: Combatant) -> bool:
    """True for whom a Presence attack has broken (CS-517)."""
    return state_of(combatant) in SURRENDERED


def attack_check(combatant: Combatant) -> Check:
    """CS-517: who has surrendered attacks nobody."""
    return Check(
        not has_surrendered(combatant), "CS-517", f"{combatant.name} has surrendered", ("the ruling nerve: steady",)
    )


def usual_words(combatant: Combatant) -> str:
    """What somebody is about to declare whose morale leaves little else; empty where it leaves all."""
    return {SHAKEN: "back away", BROKEN: "surrender", IN_TEARS: "surrender"}.get(state_of(combatant), "")
