"""What is still in the air: shots from far off that strike at the start of the next segment (CS-285).

The fact ``impacts`` has one line of JSON for each: the segment, by how much it hit, and the blow as it was loosed, so
that a late impact is worth what it would have been at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.systems.segments.combat import feats, shots
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state.blows import RANGED, Blow, blow_of, people_of
from fightcall_engine.systems.segments.state.scores import strength_of

_PLAIN = Blow("", "").data()

_MOST = 1_000_000
"""No number of a blow comes near to it."""


@dataclass(frozen=True, slots=True)
class Flying:
    """One shot that has hit and is not there yet.

    Attributes:
        due: the segment in which it strikes.
        margin: by how much it hit.
        blow: as it was loosed: how far, how much higher, and with what STR.
    """

    due: int
    margin: int
    blow: Blow

    @property
    def line(self) -> str:
        """It as a line of the fact."""
        told = {name: value for name, value in self.blow.data().items() if value != _PLAIN[name]}
        return json.dumps({"due": self.due, "margin": self.margin, **told})


def flying(state: FightState) -> tuple[Flying, ...]:
    """All that is in the air; what cannot be read is left out."""
    read = (_read(line) for line in fg.text_fact(state, "impacts").splitlines())
    return tuple(flying for flying in read if flying is not None)


def _read(line: str) -> Flying | None:
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    due, margin = _whole(told, "due"), _whole(told, "margin")
    fit: dict[str, Scalar] = {name: value for name, value in told.items() if name in _PLAIN and _is_like(name, value)}
    blow = blow_of({**_PLAIN, **fit})
    return Flying(due, margin, blow) if due and blow.kind in RANGED and blow.attacker and blow.target else None


def _whole(told: Mapping[str, Json], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _is_like(name: str, value: Json) -> bool:
    """True for a value of the kind that this part of a blow has, as far as anybody has typed it."""
    usual = _PLAIN[name]
    if isinstance(usual, bool) or name == "shield":
        return isinstance(value, bool)
    if isinstance(usual, str):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST


def due(state: FightState) -> bool:
    """True where something lands in this segment."""
    return any(flying.due <= state.round for flying in flying(state))


def schedule_impact(state: FightState, blow: Blow, margin: int) -> sev.ImpactScheduled:
    """The fact that a shot has hit and lands in the next segment."""
    combatant, target = people_of(state, blow)
    feet = shots.distance(state, combatant, target, blow)
    loosed = replace(
        blow,
        feet=blow.feet if feet is None else float(feet),
        rise=float(shots.rise_of(state, blow)),
        power=float(strength_of(state, combatant).total),
    )
    shot = Flying(state.round + 1, margin, loosed)
    return sev.ImpactScheduled(
        before=fg.fact(state, "impacts"),
        value="\n".join(flying.line for flying in (*flying(state), shot)),
        who=blow.attacker,
        target=blow.target,
        due=shot.due,
    )


def land_shots(state: FightState) -> ev.Events:
    """All that is due strikes now, in the order in which it was loosed."""
    course = Decision(state)
    for shot in flying(state):
        if shot.due <= state.round:
            _land(course, shot)
    return course.events


def _land(course: Decision, shot: Flying) -> None:
    state, blow = course.state, shot.blow
    rest = list(flying(state))
    rest.remove(shot)
    fact = sev.ImpactDue(
        before=fg.fact(state, "impacts"),
        value="\n".join(flying.line for flying in rest),
        who=blow.attacker,
        target=blow.target,
    )
    course.emit(fact)
    combatant_id = blow.attacker
    if combatant_id not in state.combatants or blow.target not in state.combatants:
        return
    course.emit(
        sev.Hit(who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon, margin=shot.margin)
    )
    feats.hit(course, blow, None)


def land_blow(course: Decision, blow: Blow, margin: int, dice: Dice) -> None:
    """CS-477: the blow lands, or with a shot from far off in the next segment (CS-285)."""
    if blow.ranged and shots.lands_late(course.state, blow):
        course.emit(schedule_impact(course.state, blow, margin))
        return
    name = blow.attacker
    course.emit(sev.Hit(who=name, attacker=name, target=blow.target, weapon=blow.weapon, margin=margin))
    feats.hit(course, blow, dice)
