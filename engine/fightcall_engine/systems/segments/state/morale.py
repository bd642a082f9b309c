"""Morale: shaken, broken, or in doubt against one foe, and the consequences (CS-516 to CS-519)."""

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
"""The states of those who have surrendered (CS-517)."""

# Doubt


def doubts_against(state: FightState, combatant: Combatant, by: str, loss: int) -> tuple[Doubt, ...]:
    """The doubts of a combatant with a new one against this foe in the next segment; past ones are dropped.

    A doubt of this segment lasts to its end (CS-519).
    """
    doubt = Doubt(by, loss, state.round + 1)
    lasting = [each for each in fighter_of(combatant).doubts if each.segment >= state.round]
    return (*(each for each in lasting if (each.by, each.segment) != (by, doubt.segment)), doubt)


def doubt_of(state: FightState, combatant: Combatant, by: str) -> int:
    """What a combatant's DVs, of body and mind, lose against one foe in this segment (CS-519)."""
    return max(
        (each.loss for each in fighter_of(combatant).doubts if each.by == by and each.segment == state.round), default=0
    )


def subtract_doubt(state: FightState, combatant: Combatant, by: str, total: Sum) -> Sum:
    """A DV that a combatant provides against one foe, less the doubt, at least 0."""
    loss = min(doubt_of(state, combatant, by), max(0, rhu(total.total)))
    return Sum((*total.parts, Part("doubt", -loss, "CS-519"))) if loss else total


# Limits


def state_of(combatant: Combatant) -> str:
    """A combatant's morale, one of `STATES`."""
    return fighter_of(combatant).morale


def has_surrendered(combatant: Combatant) -> bool:
    """Whether a Presence attack has broken the combatant (CS-517)."""
    return state_of(combatant) in SURRENDERED


def attack_check(combatant: Combatant) -> Check:
    """CS-517: those who have surrendered attack nobody."""
    return Check(
        not has_surrendered(combatant), "CS-517", f"{combatant.name} has surrendered", ("the ruling nerve: steady",)
    )


def default_declaration(combatant: Combatant) -> str:
    """The usual declaration of a combatant whose morale leaves little choice; empty otherwise."""
    return {SHAKEN: "back away", BROKEN: "surrender", IN_TEARS: "surrender"}.get(state_of(combatant), "")


# Words of a Presence attack (CS-510)


SKILLS = ("intimidate", "intimidation", "presence")
"""The Presence skills, to attack and to resist."""

LONGEST = 200


WANTED = Input("line", "text", "the words spoken")


def clean_line(line: str) -> str:
    """The words in one line of limited length."""
    return " ".join(line.split())[:LONGEST]


def level_of(combatant: Combatant) -> int | None:
    """The best level in a Presence skill, or None."""
    return profile_of(combatant).skill(*SKILLS)


def line_checks(combatant: Combatant, line: str) -> tuple[Check, ...]:
    """CS-510: words to daunt a foe need a Presence skill."""
    if not line:
        return ()
    return (
        Check(
            level_of(combatant) is not None, "CS-510", f"{combatant.name} has no Presence skill", ("the blow alone",)
        ),
    )


def quote_line(line: str) -> str:
    """The words as a quotation, to be appended to a description."""
    return f', saying "{line}"' if line else ""
