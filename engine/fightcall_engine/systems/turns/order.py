"""Initiative (ST-12..16): results, ties, the order, and inserting newcomers (Q-T12)."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.turns import events, records
from fightcall_engine.systems.turns.records import participant_of, scene_of, settings_of


def roll_initiative(decision: Decision, combatant_id: str, face: int | None = None) -> None:
    """ST-12: d20 + Speed; `face` is the result of the d20 if it was typed."""
    combatant = decision.state.combatants[combatant_id]
    roll = decision.roll("d20", f"initiative.{combatant_id}", combatant_id, face)
    speed = records.speed_of(combatant)
    decision.emit(
        events.InitiativeRolled(
            who=combatant_id,
            before=participant_of(combatant).init_roll,
            value=roll.total,
            die=roll.total,
            speed=speed,
            total=roll.total + speed,
        )
    )


def _roll_tie_die(decision: Decision, combatant_id: str) -> None:
    """ST-15: roll a d6 to break a tie."""
    roll = decision.roll("d6", f"tie.{combatant_id}", combatant_id)
    before = _tie_dice(decision, combatant_id)
    decision.emit(events.TieDieRolled(who=combatant_id, before=before, value=(*before, roll.total), die=roll.total))


def _tie_dice(decision: Decision, combatant_id: str) -> tuple[int, ...]:
    return participant_of(decision.state.combatants[combatant_id]).tie_d6


def rank_combatants(decision: Decision) -> tuple[str, ...]:
    """The order by total, Speed and d6, which is rolled if needed. Those who are down without a result come last."""
    order: list[str] = []
    roster = decision.state.roster
    ranked_people = [combatant for combatant in roster if records.initiative_of(combatant) is not None]
    ranked_combatants = sorted(ranked_people, key=lambda combatant: records.rank_key(combatant)[:2], reverse=True)
    for _, same_total in groupby(ranked_combatants, key=records.initiative_of):
        tied_combatants = list(same_total)
        speeds = tuple(records.speed_of(combatant) for combatant in tied_combatants)
        if len(set(speeds)) > 1:
            decision.emit(
                events.TieBrokenBySpeed(figures=tuple(combatant.id for combatant in tied_combatants), speeds=speeds)
            )
        for _, same_speed in groupby(tied_combatants, key=records.speed_of):
            order += _rank_by_die(decision, [combatant.id for combatant in same_speed])
    return (*order, *(combatant.id for combatant in roster if combatant not in ranked_people))


def _rank_by_die(decision: Decision, tied_ids: list[str]) -> list[str]:
    """ST-15, ST-16: the highest d6 goes first; ties roll again (Q-T7)."""
    if len(tied_ids) < 2:
        return tied_ids
    for combatant_id in tied_ids:
        _roll_tie_die(decision, combatant_id)
    dice = {combatant_id: _tie_dice(decision, combatant_id)[-1] for combatant_id in tied_ids}
    tied_ids = sorted(tied_ids, key=lambda combatant_id: dice[combatant_id], reverse=True)
    if len(set(dice.values())) > 1:
        decision.emit(
            events.TieBrokenByDie(figures=tuple(tied_ids), dice=tuple(dice[combatant_id] for combatant_id in tied_ids))
        )
    if settings_of(decision.state).d6_tie == "speed":
        return tied_ids
    ranked_ids: list[str] = []
    for _, same_die in groupby(tied_ids, key=lambda combatant_id: dice[combatant_id]):
        ranked_ids += _rank_by_die(decision, list(same_die))
    return ranked_ids


# Newcomers


def place_newcomer(decision: Decision, newcomer: str) -> tuple[str, ...]:
    """Q-T12: the order with a newcomer inserted before the first lower result; ties roll a d6."""
    combatants = decision.state.combatants
    others = [other.id for other in decision.state.roster if other.id != newcomer]
    total_and_speed = records.rank_key(combatants[newcomer])[:2]
    for other in others:
        if records.rank_key(combatants[other])[:2] == total_and_speed:
            _break_tie(decision, newcomer, other)
    combatants = decision.state.combatants
    result = records.rank_key(combatants[newcomer])
    later = (at for at, other in enumerate(others) if records.rank_key(combatants[other]) < result)
    place = next(later, len(others))
    return (*others[:place], newcomer, *others[place:])


def _break_tie(decision: Decision, newcomer: str, other: str) -> None:
    """Roll d6 until the two differ; earlier results are kept."""
    while True:
        dice = {combatant_id: _tie_dice(decision, combatant_id) for combatant_id in (newcomer, other)}
        fewest = min(len(faces) for faces in dice.values())
        if dice[newcomer][:fewest] != dice[other][:fewest]:
            return
        if fewest > 0 and settings_of(decision.state).d6_tie == "speed":
            return
        for combatant_id, faces in dice.items():
            if len(faces) == fewest:
                _roll_tie_die(decision, combatant_id)


# Changes


def change_order(decision: Decision, order: Iterable[str], reason: str) -> None:
    """ST-19..21: set a new order, if it differs. It is permanent unless delays last for one round (Q-T4)."""
    state, after = decision.state, tuple(order)
    if after == state.order:
        return
    if not settings_of(state).delay_persists and not scene_of(state).standing:
        decision.set_facts(standing=state.order)
    decision.emit(events.OrderChanged(order=after, before=state.order, reason=reason))


def put_before(state: FightState, movers: Sequence[str], offered_id: str) -> tuple[str, ...]:
    """ST-19: the order with some moved directly before the combatant who was offered the turn."""
    rest = [combatant_id for combatant_id in state.order if combatant_id not in movers]
    place = rest.index(offered_id) if offered_id in rest else len(rest)
    return (*rest[:place], *movers, *rest[place:])


def put_last(state: FightState, *movers: str) -> tuple[str, ...]:
    """ST-21: the order with some in the last places."""
    return (*(other for other in state.order if other not in movers), *movers)


def restore_order(decision: Decision) -> None:
    """Q-T4: restore the order if delays last for one round; newcomers keep their neighbours."""
    state = decision.state
    before = scene_of(state).standing
    if not before:
        return
    order = [combatant_id for combatant_id in before if combatant_id in state.combatants]
    for place, combatant_id in enumerate(state.order):
        if combatant_id not in order:
            after = next((other for other in state.order[place + 1 :] if other in order), None)
            order.insert(order.index(after) if after else len(order), combatant_id)
    decision.set_facts(standing=())
    if tuple(order) != state.order:
        reason = "a delay is for one round"
        decision.emit(events.OrderChanged(order=tuple(order), before=state.order, reason=reason))
