"""Reprisals put off to one's own attack: the trait ``reprisal_due``, such as ``ash=long_sword|axe orc=!`` (CS-371)."""

from dataclasses import dataclass

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state.fighter import fighter_of

_WHOLE_BODY = "!"


@dataclass(frozen=True, slots=True)
class Postponed:
    """A miss that is still to be answered.

    Attributes:
        attacker: the id of whoever has missed.
        weapons: with what, without blanks in their names.
        whole_body: it was an attack with the whole body: its author cannot Dodge the answer (CS-422).
    """

    attacker: str
    weapons: tuple[str, ...] = ()
    whole_body: bool = False

    @property
    def word(self) -> str:
        """It as the trait keeps it."""
        return f"{self.attacker}={_WHOLE_BODY if self.whole_body else '|'.join(self.weapons)}"


def postponed_of(combatant: Combatant) -> tuple[Postponed, ...]:
    """What somebody is still to be offered, oldest first."""
    found = []
    for word in fighter_of(combatant).reprisal_due.split():
        attacker, _, told = word.partition("=")
        whole_body = told == _WHOLE_BODY
        found.append(Postponed(attacker, () if whole_body else tuple(told.split("|")), whole_body))
    return tuple(found)


def postpone(combatant: Combatant, miss: Postponed) -> ev.Events:
    """One more Reprisal is put off."""
    return fg.set_traits(combatant, reprisal_due=" ".join(each.word for each in (*postponed_of(combatant), miss)))


def clear_postponed(combatant: Combatant) -> ev.Events:
    """None is put off any more."""
    return fg.set_traits(combatant, reprisal_due="")


def words_without(combatant: Combatant, combatant_id: str) -> str:
    """The trait once somebody has left."""
    return " ".join(each.word for each in postponed_of(combatant) if each.attacker != combatant_id)


def joined_name(name: str) -> str:
    """A weapon's name without blanks."""
    return "_".join(name.split())
