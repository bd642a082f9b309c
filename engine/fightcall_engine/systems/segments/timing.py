"""How long a declared Action takes and what it binds: table 4-1, counts, listed pairs, hands, limbs (CS-120..149)."""

from __future__ import annotations

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments import holding
from fightcall_engine.systems.segments.action import Action
from fightcall_engine.systems.segments.formulas import clock, tasks
from fightcall_engine.systems.segments.formulas.action_pairs import find_pair, listed_pairs
from fightcall_engine.systems.segments.formulas.rounding import rhu

Steps = tuple[tuple[str, int], ...]
"""What is done one after the other, each with its quarter-actions."""

_PAIRED = {name.lower() for pair in listed_pairs() for name in (pair.first, pair.second)}


def components(given: tuple[str, ...], one: Combatant) -> Steps:
    """The steps that a command names: ``don_boot:2`` twice from the table, ``climb=6`` in the GM's own words.

    Raises:
        Refused: a step that is neither in the table nor given a length.
    """
    words = [word.lower() for word in given]
    if len(words) == 2 and all(word in _PAIRED for word in words):
        return tuple((word, clock.QA_AN_ACTION // 2) for word in words)
    return tuple(_step(text) for text in given)


def _step(text: str) -> tuple[str, int]:
    name, equals, length = text.partition("=")
    if equals:
        if not length.strip().isdigit() or not 0 < int(length) <= 10_000:
            raise Refused("CS-131", f"{text!r}: how many quarter-actions?", ("climb=6", "a number above 0"), final=True)
        return "_".join(name.split()), int(length)
    key, _, times = name.partition(":")
    found = tasks.components().get(key)
    if found is None or (times and not times.isdigit()):
        raise Refused("CS-130", f"{text!r} is not in table 4-1", tuple(tasks.components()), final=True)
    count = int(times or 1)
    if key == "rummage":
        return key, tasks.rummage(count if times else 0)
    if found.qa is None:
        raise Refused(found.rule, f"{key} has no fixed length", (f"{key}=<quarter-actions>",), final=True)
    return key, found.qa * max(1, count)


def label(name: str) -> str:
    """A step in words."""
    found = tasks.components().get(name)
    return found.label if found is not None else name.replace("_", " ")


def length(state: FightState, one: Combatant, command: scm.Declare, steps: Steps) -> int:
    """How many quarter-actions it takes in all: by the GM's word, by the clock, by its steps, else one Action (CS-128).

    Raises:
        Refused: a length that is none.
    """
    for name in ("qa", "seconds"):
        value = getattr(command, name)
        if value is not None and not 0 < value <= 100_000:
            raise Refused("CS-132", f"{name}: {value} is no length", ("above 0",), final=True)
    if command.qa is not None:
        return command.qa
    if command.seconds is not None:
        return max(1, rhu(clock.segments_of(command.seconds) * clock.QA_AN_ACTION * fg.rate_of_action(one)))
    if len(steps) == 2 and all(name in _PAIRED for name, _ in steps):
        return clock.QA_AN_ACTION
    whole = int(tasks.whole_task(steps).total) if steps else 0
    return whole or clock.QA_AN_ACTION


def check_pair(state: FightState, one: Combatant, steps: Steps, referee: Referee) -> None:
    """CS-390 to CS-392: two acts are one Action where they are listed in this order, else the GM rules.

    Raises:
        Refused: they are not, and the GM has not insisted.
    """
    if len(steps) != 2 or not all(name in _PAIRED for name, _ in steps):
        return
    first, second = steps[0][0], steps[1][0]
    found = find_pair(first.title(), second.title())
    ruled = f"{first}/{second}" in fg.text_fact(state, "pairs").split()
    referee.require(
        found is not None or ruled,
        "CS-392",
        f"{first} and then {second} is no listed pair",
        "a ruling: pair",
        "one of them",
    )


# Hands and limbs


def bound_parts(one: Combatant, kind: str, weapon: str, command: scm.Declare) -> tuple[str, ...]:
    """What an Action binds: as said, else what its kind uses (CS-120, CS-146).

    Raises:
        Refused: there is no such part.
    """
    wrong = [part for part in command.parts if part not in act.PARTS]
    if wrong:
        raise Refused("CS-120", f"{wrong[0]!r} is no part of the body here", act.PARTS, final=True)
    if command.parts:
        return command.parts
    if kind in act.ATTACKS:
        hands = holding.in_hand(one, weapon) or (act.RIGHT,)
        more = holding.in_hand(one, command.second) if command.second else ()
        legs = (act.LEGS,) if kind == act.CHARGE else ()
        return tuple(dict.fromkeys((*hands, *more, *legs)))
    return {act.MOVE: (act.LEGS,), act.TASK: (act.RIGHT, act.LEFT)}.get(kind, ())


def check_helper(state: FightState, one: Combatant, command: scm.Declare, action: Action, referee: Referee) -> None:
    """CS-136, CS-137: some things another person does.

    Raises:
        Refused: nobody helps, or the helper has no hands free.
    """
    asked = [name for name, _ in components(command.components, one) if _needs_helper(name)]
    if not asked:
        return
    rule = tasks.components()[asked[0]].rule
    referee.require(bool(command.helper), rule, f"{label(asked[0])}: another person must do it", "helper")
    if command.helper:
        other = combatant_of(state, command.helper)
        referee.require(other.id != one.id, rule, "nobody does this alone", "somebody else")
        free = not act.action_of(other).bound
        referee.require(free, "CS-146", f"{other.name} is at work already", "abort")


def _needs_helper(name: str) -> bool:
    found = tasks.components().get(name)
    return found is not None and found.helper


def helper_bound(state: FightState, one: Combatant, action: Action) -> ev.Events:
    """CS-136: whoever helps is bound as long as it lasts."""
    return ()
