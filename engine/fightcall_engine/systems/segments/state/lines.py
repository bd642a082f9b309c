"""Words that ride on a blow: a Presence attack is declared with a physical one, and words are said (CS-510)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.views import Input
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import figures

SKILLS = ("intimidate", "intimidation", "presence")
"""The Presence skills that serve for it, and to resist it."""

LONGEST = 200


WANTED = Input("line", "text", "the words spoken")


def clean_line(line: str) -> str:
    """What is said, as it is kept: one line, of a bearable length."""
    return " ".join(line.split())[:LONGEST]


def level_of(combatant: Combatant) -> int | None:
    """The best level in a Presence skill; None for who has none."""
    return figures.skill(combatant, *SKILLS)


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
