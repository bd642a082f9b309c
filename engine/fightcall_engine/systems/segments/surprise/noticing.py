"""Noticing who comes from behind: a warning, the check of the overwhelmed, the turn it forces (CS-063, CS-064)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.checking import Verdict
from fightcall_engine.systems.segments.formulas.fields import Field
from fightcall_engine.systems.segments.movement import placing
from fightcall_engine.systems.segments.surprise import surprise

SEEN: tuple[Field, ...] = ("F", "RF", "LF", "RS", "LS")
"""From one Side to the other: what lies there is in sight (CS-064)."""

NOTICED = "noticed"
"""Why somebody is hidden no more: he was noticed, and did not leap from cover."""


def warn_checks(state: FightState, one: Combatant, foe: Combatant | None) -> tuple[Check, ...]:
    """CS-063, CS-304: somebody who stands is warned of a foe."""
    return (
        fg.able_check(one, "CS-111"),
        Check(foe is None or foe.id != one.id, "CS-063", f"{one.name} is no threat to himself", ("a foe",)),
        fg.open_question(state),
    )


def decide_warn(decision: Decision, command: scm.Warn) -> ev.Events:
    """CS-304: a warning is enough for who has his wits; CS-063: the overwhelmed must still notice, under the penalty.

    Raises:
        Refused: nobody, or he himself, is named.
    """
    state, dice, referee = decision.state, decision.dice, decision.referee
    one = combatant_of(state, command.who)
    foe = combatant_of(state, command.foe) if command.foe else None
    enforce(warn_checks(state, one, foe), referee)
    if surprise.degree_of(one) != fg.OVERWHELMED:
        return fg.set_traits(one, warned=True)
    if foe is None:
        raise Refused("CS-063", f"of whom is {one.name} warned?", threats(state, one), final=True)
    total = surprise.noticing_sum(state, one)
    av = checking.worth(total)
    course = Decision(state)
    course.emit(checking.requested(one.id, "Perception", av, command.dv, checking.parts_of(total), foe.id))
    verdict = checking.settled(
        state, one.id, "Perception", av=av, dv=command.dv, chance=command.chance, hit=command.hit, dice=dice,
        target=foe.id,
    )  # fmt: skip
    if verdict is None:
        said = f"{one.name}, warned of {foe.name}, to notice him: {total.parts[0].label} {av}"
        data = {"target": foe.id}
        asked = checking.question(
            state, one, "Perception", "CS-063", "noticed", av=av, dv=command.dv, said=said, data=data
        )
        course.emit(ev.RulingAsked(prompt=asked))
    else:
        course.emit(*verdict.events, *_noticed(course.state, one, foe.id, verdict.ok))
    return course.events


def threats(state: FightState, one: Combatant) -> tuple[str, ...]:
    """Foes who stand."""
    return tuple(foe.id for foe in fg.able(state) if state.opposed(one.id, foe.id))


@checking.leads_to("noticed")
def _after(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    state = decision.state
    one = state.combatants[prompt.who]
    return _noticed(state, one, str(prompt.data.get("target") or ""), verdict.ok)


def _noticed(state: FightState, one: Combatant, foe: str, ok: bool) -> ev.Events:
    """CS-064: who notices him turns until both threats are in sight."""
    if not ok:
        return ()
    turned = facing_for(state, one, foe)
    other = state.combatants.get(foe)
    return (
        *fg.set_traits(one, warned=True),
        *((ev.Detected(who=foe, cause=NOTICED),) if other is not None and other.hidden else ()),
        *(() if turned in (None, one.facing) else (ev.Turned(who=one.id, facing=turned or 0),)),
    )


def facing_for(state: FightState, one: Combatant, foe: str) -> int | None:
    """The facing, by the shortest turn, that keeps a foe and the threat that is in sight now from Side to Side.

    Where no facing does, on hexes with one before and one straight behind, the new threat is what is turned to. None
    where the board does not tell.
    """
    other = state.combatants.get(foe)
    if state.board is None or other is None or other.at is None or one.facing is None or one.at is None:
        return None
    both = [each for each in (other, _known(state, one, foe)) if each is not None]
    count = len(state.board.directions)
    turns = sorted(range(count), key=lambda facing: _apart(facing, one.facing or 0, count))
    for wanted in (both, both[:1]):
        for facing in turns:
            if all(placing.field_of(state, replace(one, facing=facing), each) in SEEN for each in wanted):
                return facing
    return None


def _apart(facing: int, other: int, count: int) -> tuple[int, int]:
    around = (facing - other) % count
    return min(around, count - around), facing


def _known(state: FightState, one: Combatant, but: str) -> Combatant | None:
    """The nearest of the foes that are in sight now."""
    found = [
        (placing.distance_ft(state, one, foe) or 0, foe.id)
        for foe in fg.able(state)
        if foe.id != but and state.opposed(one.id, foe.id) and not foe.hidden
        and placing.field_of(state, one, foe) in SEEN
    ]  # fmt: skip
    return state.combatants[min(found)[1]] if found else None


def warn_option(state: FightState, one: Combatant) -> Option:
    """CS-063, CS-304: a comrade calls out."""
    whom = Input("foe", "target", "of whom", choices=threats(state, one))
    checks = (
        *warn_checks(state, one, None),
        Check(bool(whom.choices), "CS-063", "no foe is about", ("a foe who stands",)),
        Check(fg.trait(one, "warned") is not True, "CS-304", f"{one.name} is warned already", ("turn",)),
    )
    return offer("warn", "is warned of a foe behind", "Warn", "", checks, rule="CS-304", inputs=(whom,))
