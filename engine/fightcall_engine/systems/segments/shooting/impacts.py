"""What is still in the air: shots from far off that strike at the start of the next segment (CS-285).

The fact ``impacts`` has one line for each: segment, shooter, target, kind (with the arrow head that was named, as in
``missile/bodkin``), harm or ``-``, weapon, and behind a tab what else is known of the blow, such as
``heroic=1 pot=7 line=Duck!``; what is said comes last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fightcall_engine import events as ev
from fightcall_engine.course import Course
from fightcall_engine.state import FightState
from fightcall_engine.systems.segments import armoury
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import feats
from fightcall_engine.systems.segments.formulas.attack_types import USUAL
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
    more: str = ""

    @property
    def line(self) -> str:
        """It as a line of the fact."""
        kind = f"{self.kind}/{self.arrow_head}" if self.arrow_head else self.kind
        harm, more = "".join(self.harm.split()) or "-", f"\t{self.more}" if self.more else ""
        weapon = " ".join(self.weapon.split()) or "-"
        return f"{self.due} {self.who} {self.target} {kind} {harm} {weapon}{more}"


def _more_of(blow: Blow) -> str:
    """What else of a blow tells when it lands."""
    kept = {
        "heroic": "1" if blow.heroic else None, "pot": blow.pot, "struck": blow.struck or None,
        "barrier": blow.barrier, "line": blow.line or None,
    }  # fmt: skip
    return " ".join(f"{name}={value}" for name, value in kept.items() if value is not None)


def _with_more(blow: Blow, more: str) -> Blow:
    """The blow with what was kept of it; what cannot be read is passed over."""
    words, _, line = f" {more}".partition(" line=")
    kept = dict(word.split("=", 1) for word in words.split() if "=" in word)
    numbers = {name: int(kept[name]) for name in ("pot", "barrier") if kept.get(name, "").isdecimal()}
    return replace(
        blow,
        heroic=kept.get("heroic") == "1",
        pot=numbers.get("pot"),
        barrier=numbers.get("barrier"),
        struck=kept.get("struck", ""),
        line=line,
    )


def flying(state: FightState) -> tuple[Flying, ...]:
    """All that is in the air; what cannot be read is left out."""
    found = []
    for line in fg.text_fact(state, "impacts").splitlines():
        told, _, more = line.partition("\t")
        due, who, target, kind, harm, weapon, *_ = (*told.split(" ", 5), *[""] * 6)
        if due.isdecimal() and weapon:
            kind, _, head = kind.partition("/")
            kind = kind if kind in RANGED else MISSILE
            harm = "" if harm == "-" else harm
            found.append(Flying(int(due), who, target, kind, harm, weapon, head, more))
    return tuple(found)


def due(state: FightState) -> bool:
    """True where something lands in this segment."""
    return any(one.due <= state.round for one in flying(state))


def scheduled(state: FightState, blow: Blow) -> sev.ImpactScheduled:
    """The fact that a shot has hit and lands in the next segment."""
    shot = Flying(
        state.round + 1, blow.attacker, blow.target, blow.kind, blow.harm, blow.weapon, _key_of(state, blow),
        _more_of(blow),
    )  # fmt: skip
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
    feats.hit(course, _with_more(blow, shot.more), None)
