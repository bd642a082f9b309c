"""How somebody bears up: shaken, broken, or in doubt before one foe, and what follows from it (CS-516 to CS-519)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.views import Input
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, rhu
from fightcall_engine.systems.segments.state.fighter import Doubt, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

STEADY, SHAKEN, BROKEN, IN_TEARS = "steady", "shaken", "broken", "broken down"

STATES = ("", SHAKEN, BROKEN, IN_TEARS)

SURRENDERED = (BROKEN, IN_TEARS)
"""Who has surrendered (CS-517)."""

# Doubt


def doubts_against(state: FightState, combatant: Combatant, by: str, loss: int) -> tuple[Doubt, ...]:
    """The doubts of somebody who doubts himself before this foe in the next segment; what is over is forgotten.

    One that holds in this segment lasts to its end (CS-519).
    """
    doubt = Doubt(by, loss, state.round + 1)
    lasting = [each for each in fighter_of(combatant).doubts if each.segment >= state.round]
    return (*(each for each in lasting if (each.by, each.segment) != (by, doubt.segment)), doubt)


def doubt_of(state: FightState, combatant: Combatant, by: str) -> int:
    """What somebody's DVs, of body and mind, lose in this segment against one foe (CS-519)."""
    return max(
        (each.loss for each in fighter_of(combatant).doubts if each.by == by and each.segment == state.round), default=0
    )


def subtract_doubt(state: FightState, combatant: Combatant, by: str, total: Sum) -> Sum:
    """A DV that somebody provides against one foe, less his doubt; it does not fall below 0."""
    loss = min(doubt_of(state, combatant, by), max(0, rhu(total.total)))
    return Sum((*total.parts, Part("doubt", -loss, "CS-519"))) if loss else total


# What it keeps from


def state_of(combatant: Combatant) -> str:
    """One of `STATES`."""
    return fighter_of(combatant).morale


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


# Words that ride on a blow (CS-510)


SKILLS = ("intimidate", "intimidation", "presence")
"""The Presence skills that serve for it, and to resist it."""

LONGEST = 200


WANTED = Input("line", "text", "the words spoken")


def clean_line(line: str) -> str:
    """What is said, as it is kept: one line, of a bearable length."""
    return " ".join(line.split())[:LONGEST]


def level_of(combatant: Combatant) -> int | None:
    """The best level in a Presence skill; None for who has none."""
    return profile_of(combatant).skill(*SKILLS)


def line_checks(combatant: Combatant, line: str) -> tuple[Check, ...]:
    """CS-510: whoever says something to daunt a foe has a Presence skill; nothing where nothing is said."""
    if not line:
        return ()
    return (
        Check(
            level_of(combatant) is not None, "CS-510", f"{combatant.name} has no Presence skill", ("the blow alone",)
        ),
    )


def quote_line(line: str) -> str:
    """What is said, as it is added to what is done."""
    return f', saying "{line}"' if line else ""
