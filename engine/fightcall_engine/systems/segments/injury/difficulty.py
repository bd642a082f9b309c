"""What a blow's checks are made of: the value of an attribute now, and difficulties on the Progressive scale."""

from __future__ import annotations

from collections.abc import Callable

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.checks import Progressive
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import deeds, figures, rolls, scores


def value_of(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute such as ``HRT`` as an AV: with a heroic deed, less Surprise and pain (CS-068, CS-613, CS-646)."""
    return attack_value(state, combatant, name, figures.number(combatant, name.lower(), 13), rule)


def attack_value(state: FightState, combatant: Combatant, label: str, score: int, rule: str) -> Sum:
    """A score as an AV, likewise."""
    with_deed = deeds.add_deed(combatant, label.lower(), Sum((Part(label, score, rule),)))
    return scores.less_penalties(state, combatant, with_deed, defensive=False)


def dv_of(state: FightState, reckon: Callable[[Progressive], Sum]) -> Sum | None:
    """A difficulty on the scale of this fight; None where the GM's own scale does not reach so far (M-03)."""
    try:
        return reckon(rolls.scale_of(state))
    except (ValueError, Refused):
        return None


def rounded_difficulty(total: Sum | None) -> int | None:
    """A difficulty as it is rolled against; None for one that is not known."""
    return None if total is None else rolls.rounded(total)


def describe_difficulty(dv: int | None) -> str:
    """A difficulty as a question puts it."""
    return f" against DV {dv}" if dv is not None else ""
