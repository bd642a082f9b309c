"""Who has hands on an object that several struggle for: the fact ``struggles``, a line for each (CS-203 to CS-208)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.rules import objects as object_rules
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import things

FACT = "struggles"

_PARTS = 8


@dataclass(frozen=True, slots=True)
class Struggle:
    """An object that several have their hands on.

    Attributes:
        thing: the object.
        due: the segment whose contest is the next (CS-203).
        hands: ids of those who take part in it.
        late: ids of those who joined in that segment: they take part in the one after it (CS-204).
        made: ids of those who have kept their hold in this contest; `lost` those who have not.
        stp: the object's structure; None where nobody has said.
        strained: whether its breaking has been asked about (CS-208).
    """

    thing: str
    due: int
    hands: tuple[str, ...]
    late: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    stp: int | None = None
    strained: bool = False

    @property
    def all_hands(self) -> tuple[str, ...]:
        """Everybody with hands on it."""
        return (*self.hands, *self.late)

    @property
    def line(self) -> str:
        """How it is kept."""
        people = ("+".join(group) for group in (self.hands, self.late, self.made, self.lost))
        stp = "" if self.stp is None else str(self.stp)
        return "|".join((self.thing, str(self.due), *people, stp, "strained" if self.strained else ""))


def struggles(state: FightState) -> tuple[Struggle, ...]:
    """Every struggle that goes on, without those who have left or gone down; a line that cannot be read is nothing."""
    found = []
    for line in fg.text_fact(state, FACT).splitlines():
        parts = line.split("|")
        if len(parts) != _PARTS or not parts[0].strip():
            continue
        thing, due, *people, stp, strained = parts
        hands_on, late, made, lost = (
            tuple(combatant_id for combatant_id in text.split("+") if _able(state, combatant_id)) for text in people
        )
        found.append(
            Struggle(things.clean(thing), _whole(due) or 0, hands_on, late, made, lost, _whole(stp), bool(strained))
        )
    return tuple(found)


def _able(state: FightState, combatant_id: str) -> bool:
    return combatant_id in state.combatants and state.combatants[combatant_id].able


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def struggle_for(state: FightState, thing: str) -> Struggle | None:
    """The struggle for an object, whatever the case of its name."""
    wanted = things.clean(thing).lower()
    return next((struggle for struggle in struggles(state) if struggle.thing.lower() == wanted), None)


def change_struggle(state: FightState, struggle: Struggle, *, over: bool = False) -> sev.StruggleChanged:
    """The fact that a struggle goes on so, or is over."""
    kept = [other for other in struggles(state) if other.thing.lower() != struggle.thing.lower()]
    lines = [other.line for other in (kept if over else [*kept, struggle])]
    return sev.StruggleChanged(
        before=fg.fact(state, FACT),
        value="\n".join(lines),
        thing=struggle.thing,
        holding=struggle.all_hands,
        until=0 if over else object_rules.struggle_ends(struggle.due, bool(struggle.late)),
    )


def without(state: FightState, combatant_id: str) -> ev.Events:
    """The facts that somebody has his hands on nothing any more; one alone holds what is left to him."""
    course = Decision(state)
    held = combatant_id in fg.text_fact(state, FACT).replace("|", "+").split("+")
    for going_on in struggles(state) if held else ():
        groups = (going_on.hands, going_on.late, going_on.made, going_on.lost)
        hands_on, late, made, lost = (tuple(each for each in group if each != combatant_id) for group in groups)
        left = replace(going_on, hands=hands_on, late=late, made=made, lost=lost)
        course.emit(change_struggle(course.state, left, over=not left.all_hands))
    return course.events
