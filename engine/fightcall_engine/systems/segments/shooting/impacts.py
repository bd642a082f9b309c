"""What is still in the air: shots from far off that strike at the start of the next segment (CS-285).

The fact ``impacts`` has one line for each: segment, shooter, target, kind (with the arrow head that was named, as in
``missile/bodkin``), harm or ``-``, weapon.
"""

from __future__ import annotations

from dataclasses import dataclass

from fightcall_engine import events as ev
from fightcall_engine.course import Course
from fightcall_engine.state import FightState
from fightcall_engine.systems.segments import armoury
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.formulas.attack_types import USUAL
from fightcall_engine.systems.segments.harm import harming
from fightcall_engine.systems.segments.strikes.blows import MISSILE, RANGED, Blow


@dataclass(frozen=True, slots=True)
class Flying:
    """One shot that has hit and is not there yet."""

    due: int
    who: str
    target: str
    kind: str
    harm: str
    weapon: str
    arrow_head: str = ""

    @property
    def line(self) -> str:
        """It as a line of the fact."""
        harm = "".join(self.harm.split()) or "-"
        kind = f"{self.kind}/{self.arrow_head}" if self.arrow_head else self.kind
        return f"{self.due} {self.who} {self.target} {kind} {harm} {' '.join(self.weapon.split()) or '-'}"


def flying(state: FightState) -> tuple[Flying, ...]:
    """All that is in the air; what cannot be read is left out."""
    found = []
    for line in fg.text_fact(state, "impacts").splitlines():
        due, who, target, kind, harm, weapon, *_ = (*line.split(" ", 5), *[""] * 6)
        if due.isdecimal() and weapon:
            kind, _, head = kind.partition("/")
            kind = kind if kind in RANGED else MISSILE
            found.append(Flying(int(due), who, target, kind, "" if harm == "-" else harm, weapon, head))
    return tuple(found)


def due(state: FightState) -> bool:
    """True where something lands in this segment."""
    return any(one.due <= state.round for one in flying(state))


def scheduled(state: FightState, blow: Blow) -> sev.ImpactScheduled:
    """The fact that a shot has hit and lands in the next segment."""
    shot = Flying(state.round + 1, blow.attacker, blow.target, blow.kind, blow.harm, blow.weapon, _key_of(state, blow))
    return sev.ImpactScheduled(
        before=fg.fact(state, "impacts"),
        value="\n".join(one.line for one in (*flying(state), shot)),
        who=blow.attacker,
        target=blow.target,
        due=shot.due,
    )


def _key_of(state: FightState, blow: Blow) -> str:
    """The key of the head that is named, which has no blanks."""
    head = armoury.of(state).arrow_head(blow.arrow_head) if blow.arrow_head else None
    return head.key if head is not None else ""


def landed(state: FightState) -> ev.Events:
    """All that is due strikes now, in the order in which it was loosed."""
    course = Course(state)
    for shot in flying(state):
        if shot.due <= state.round:
            _land(course, shot)
    return course.events


def _land(course: Course, shot: Flying) -> None:
    state = course.state
    rest = list(flying(state))
    rest.remove(shot)
    fact = sev.ImpactDue(
        before=fg.fact(state, "impacts"),
        value="\n".join(one.line for one in rest),
        who=shot.who,
        target=shot.target,
    )
    course.tell(fact)
    if shot.who not in state.combatants or shot.target not in state.combatants:
        return
    attack = USUAL["hurl" if shot.kind != MISSILE else "shoot"]
    blow = Blow(
        shot.who, shot.target, shot.kind, shot.weapon, attack=attack, harm=shot.harm, arrow_head=shot.arrow_head
    )
    course.tell(sev.Hit(who=shot.who, attacker=shot.who, target=shot.target, weapon=shot.weapon))
    harming.after_hit(course, blow, None)
