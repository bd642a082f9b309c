"""Knock-back: the way back from a blow, what stops it, and staying upright (CS-560 to CS-564)."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.rules import hits
from fightcall_engine.systems.segments.rules.hits import KnockBack
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact, rhu
from fightcall_engine.systems.segments.state import events, harm_events, queries, rolls, scores
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import FeetCheck

CHECK, FALL, NOTHING = "check", "fall", "nothing"


@frozen
class Way:
    """The straight way back from a blow, on the board.

    Attributes:
        places: free places in a row, nearest first, as far as the blow can drive the victim.
        feet: the feet to each of them, and to the place that ends the way; farther across a square's corner (L357).
        barrier: feet to something solid, or None.
        against: the name of what ends the way, or empty.
        room: feet to a combatant in the way, or None.
        person: the id of that combatant, or empty.
    """

    places: tuple[Location, ...] = ()
    feet: tuple[float, ...] = ()
    barrier: int | None = None
    against: str = ""
    room: int | None = None
    person: str = ""

    def places_within(self, feet: int) -> int:
        """Return how many places so many feet lead, to the nearest whole one (CS-564)."""
        return sum(near + far <= 2 * feet for near, far in pairwise((0.0, *self.feet)))


def way_back(state: FightState, combatant: Combatant, by: str, feet: int) -> Way:
    """What lies straight behind a combatant, seen from the attacker (CS-563, CS-564).

    Ground that cannot be entered is a barrier. A combatant in the way is none, but ends the way, as does the edge of
    the map.

    Args:
        state: the fight.
        combatant: the victim.
        by: the id of the attacker; without one, or without a board, nothing is known.
        feet: how far the blow drives the victim.
    """
    board, other = state.board, state.combatants.get(by)
    here, there = combatant.at, None if other is None else other.at
    if board is None or board.cell is None or isinstance(here, str | None) or isinstance(there, str | None):
        return Way()
    step = places.feet_per_place(state)
    count = ceil(feet / step)
    times = ceil((count + 1) / max(1, board.distance(there, here)))
    aim = board.cell(here[0] + times * (here[0] - there[0]), here[1] + times * (here[1] - there[1]))
    free: list[Location] = []
    feet_to: list[float] = []
    for before, place in pairwise(board.line(here, aim)[: count + 1]):
        walked = feet_to[-1] if feet_to else 0.0
        if walked >= feet:
            break
        feet_to.append(walked + round(float(step) * board.length(before, place) / board.scale, 3))
        if not board.contains(place):
            return Way(tuple(free), tuple(feet_to), None, "the edge of the map")
        if board.cost_of(place) is None:
            return Way(tuple(free), tuple(feet_to), rhu(exact(walked)), board.terrain_at(place).name)
        stander = state.standing_at(place)
        if stander is not None and stander != combatant.id:
            name = state.combatants[stander].name
            return Way(tuple(free), tuple(feet_to), None, name, rhu(exact(walked)), stander)
        free.append(place)
    return Way(tuple(free), tuple(feet_to))


# Effects


def parts_of(force: int, target: Combatant, feet_by_gm: int | None = None) -> rolls.Parts:
    """The parts of knock-back: POT beyond modified STA; none if another rule gives the feet (CS-560)."""
    if feet_by_gm is not None:
        return ()
    return rolls.parts_of(Sum((Part("POT", force, "CS-561"), Part("modified STA", -profile_of(target).msta, "CS-560"))))


def knock_back(
    decision: Decision, combatant_id: str, by: str, driven: KnockBack, way: Way, parts: rolls.Parts = ()
) -> None:
    """CS-560: drive a combatant back, on the board as far as the way is free."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    count = min(len(way.places), way.places_within(driven.moved))
    at = way.places[count - 1] if count else combatant.at
    stopped_by = way.against if driven.stopped or count < way.places_within(driven.feet) else ""
    contacts = contact_events(state, combatant_id, at) if at != combatant.at else ()
    decision.emit(
        harm_events.KnockedBack(
            who=combatant_id,
            before=combatant.at,
            at=at,
            feet=driven.feet,
            moved=driven.moved,
            barrier=driven.stopped,
            stopped_at=stopped_by or ("a barrier" if driven.stopped else ""),
            by=by,
            parts=parts,
        ),
        *contacts,
    )
    if at != combatant.at:
        _drop_plans(decision, combatant_id)
    feet_left = driven.feet - driven.moved - driven.stopped
    if way.person and feet_left > 0:
        decision.spawn(_run_into, combatant_id, way.person, feet_left, driven.moved > 0)


def _run_into(decision: Decision, combatant_id: str, other_id: str, feet_left: int, has_moved: bool) -> None:
    """Ask what comes of it if a combatant is driven into another, which the text does not say (L2821-2833).

    A victim that has been driven some way keeps its feet or not for that (CS-562).
    """
    state = decision.state
    combatant, other = state.combatants[combatant_id], state.combatants[other_id]
    checks = other.name if has_moved else f"{combatant.name} and {other.name}"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="run_into",
            question=f"{combatant.name} is driven into {other.name} with {feet_left} ft left. What happens?",
            rule="CS-562",
            choices=choices(
                f"{CHECK}:{checks} must keep their feet against {feet_left} ft", f"{FALL}:both fall",
                f"{NOTHING}:nothing",
            ),
            default=CHECK,
            about=(other_id,),
        )
    )  # fmt: skip
    if answer is None or answer.choice == NOTHING:
        return
    for each in (other_id,) if answer.choice == CHECK and has_moved else (combatant_id, other_id):
        combatant = decision.state.combatants[each]
        if answer.choice == CHECK:
            decision.spawn(keep_feet_after, each, feet_left, "run into")
        elif combatant.able and fighter_of(combatant).posture != queries.PRONE:
            decision.emit(harm_events.Fell(who=each, traits={"posture": queries.PRONE}, posture=queries.PRONE))


def _drop_plans(decision: Decision, combatant_id: str) -> None:
    """Drop movement planned from another place, and relations with foes that are no longer near."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    if fighter_of(combatant).plan:
        decision.emit(events.WayPlanned(who=combatant_id, traits=ways.NO_WAY, feet=0.0, mph=0.0))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], carry=0.0, rest=0.0))
    decision.emit(*places.drop_lost_pairs(decision.state))


def keep_feet_after(
    decision: Decision, combatant_id: str, feet: int, how: str = "back", start: Location | None = None
) -> None:
    """CS-562: make the AGL check to stay upright after being driven so many feet.

    Args:
        decision: the decision.
        combatant_id: the one driven back.
        feet: how far.
        how: what happened to it, in words.
        start: the place before; the way from there is drawn while the question is open.
    """
    state = decision.state
    combatant, board = state.combatants[combatant_id], state.board
    total = scores.value_of(state, combatant, "AGL", "CS-562")
    dv = scores.dv_of(state, lambda scale: hits.keep_feet_dv(feet, scale))
    is_elsewhere = board is not None and start is not None and start != combatant.at
    start_name = board.name_of(start) if board is not None and start is not None and is_elsewhere else ""
    keep_feet(decision, combatant_id, total, dv, "CS-562", f"stays up, {feet} ft {how}", start_name)


def keep_feet(
    decision: Decision, combatant_id: str, total: Sum, dv: Sum | None, rule: str, words: str, start: str = ""
) -> None:
    """Make the AGL check to stay upright, unless the combatant is down or lying (CS-461, CS-463, CS-562)."""
    combatant = decision.state.combatants[combatant_id]
    if not combatant.able or fighter_of(combatant).posture == queries.PRONE:
        return
    difficulty = scores.describe_difficulty(scores.rounded_or_none(dv))
    question = f"{combatant.name} {words}: AGL {rolls.rounded(total)}{difficulty}"
    check = FeetCheck(start=start)
    verdict = rolls.make_check(decision, combatant_id, "AGL", total, dv, rule, question, owed=True, asked=check)
    if verdict is None or verdict.ok or fighter_of(decision.state.combatants[combatant_id]).posture == queries.PRONE:
        return
    decision.emit(harm_events.Fell(who=combatant_id, traits={"posture": queries.PRONE}, posture=queries.PRONE))


def knocked_back_paths(state: FightState) -> tuple[tuple[Combatant, tuple[Location, ...]], ...]:
    """Combatants who have just been driven back, and the places from their old to their new one."""
    board = state.board
    crossings = []
    for prompt in state.prompts if board is not None else ():
        combatant, check = state.combatants.get(prompt.who), prompt.resume
        if board is None or combatant is None or combatant.at is None or not isinstance(check, FeetCheck):
            continue
        if check.start:
            crossings.append((combatant, board.line(board.parse(check.start), combatant.at)[:-1]))
    return tuple(crossings)
