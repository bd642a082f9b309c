"""Initiative (ST-12..16): results, ties, the order that follows, and where a newcomer goes into it (Q-T12)."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg


def roll_for(state: FightState, combatant: Combatant, dice: Dice) -> ev.Events:
    """ST-12: d20 + Speed."""
    roll = dice.roll("d20", f"initiative.{combatant.id}", combatant.id)
    result = tev.InitiativeRolled(
        who=combatant.id,
        before=fg.trait(combatant, "init_roll"),
        value=roll.total,
        die=roll.total,
        speed=fg.speed(combatant),
        total=roll.total + fg.speed(combatant),
    )
    return (record_roll(roll, combatant.id), result)


def _tie_die(combatant: Combatant, dice: Dice) -> ev.Events:
    roll = dice.roll("d6", f"tie.{combatant.id}", combatant.id)
    before = fg.text_trait(combatant, "tie_d6")
    value = f"{before} {roll.total}".strip()
    return (
        record_roll(roll, combatant.id),
        tev.TieDieRolled(who=combatant.id, before=before, value=value, die=roll.total),
    )


def rank_combatants(state: FightState, dice: Dice) -> tuple[tuple[str, ...], ev.Events]:
    """The order by total, Speed and d6, and how ties were broken; who is down and has no result comes last."""
    course = Decision(state)
    order: list[str] = []
    everybody = fg.in_order(state)
    ready = [combatant for combatant in everybody if fg.init_roll(combatant) is not None]
    people = sorted(ready, key=lambda combatant: fg.standing(combatant)[:2], reverse=True)
    for _, same in groupby(people, key=fg.initiative):
        tied = list(same)
        speeds = tuple(fg.speed(combatant) for combatant in tied)
        if len(set(speeds)) > 1:
            course.emit(tev.TieBrokenBySpeed(figures=tuple(combatant.id for combatant in tied), speeds=speeds))
        for _, equals in groupby(tied, key=fg.speed):
            order += _by_die(course, [combatant.id for combatant in equals], dice)
    without = (combatant.id for combatant in everybody if fg.init_roll(combatant) is None)
    return (*order, *without), course.events


def _by_die(course: Decision, tied: list[str], dice: Dice) -> list[str]:
    """ST-15, ST-16: the highest d6 goes first; those still tied throw again (Q-T7)."""
    if len(tied) < 2:
        return tied
    for combatant_id in tied:
        course.emit(*_tie_die(course.state.combatants[combatant_id], dice))
    shown = {combatant_id: fg.tie_dice(course.state.combatants[combatant_id])[-1] for combatant_id in tied}
    tied = sorted(tied, key=lambda combatant_id: shown[combatant_id], reverse=True)
    if len(set(shown.values())) > 1:
        course.emit(tev.TieBrokenByDie(figures=tuple(tied), dice=tuple(shown[combatant_id] for combatant_id in tied)))
    if course.state.settings.get("d6_tie") == "speed":
        return tied
    found: list[str] = []
    for _, equals in groupby(tied, key=lambda combatant_id: shown[combatant_id]):
        found += _by_die(course, list(equals), dice)
    return found


# Newcomers


def place_for(state: FightState, combatant_id: str, dice: Dice) -> tuple[tuple[str, ...], ev.Events]:
    """Q-T12: the order with a newcomer in it, ahead of the first whose own result is lower, and d6 thrown for it."""
    course = Decision(state)
    others = [other.id for other in fg.in_order(state) if other.id != combatant_id]
    mine = fg.standing(state.combatants[combatant_id])[:2]
    tied = [other for other in others if fg.standing(state.combatants[other])[:2] == mine]
    for other in tied:
        _part(course, combatant_id, other, dice)
    people = course.state.combatants
    result = fg.standing(people[combatant_id])
    place = next((at for at, other in enumerate(others) if fg.standing(people[other]) < result), len(others))
    return (*others[:place], combatant_id, *others[place:]), course.events


def _part(course: Decision, newcomer: str, other: str, dice: Dice) -> None:
    """Throw d6 until the two differ; who has thrown before keeps what was shown."""
    people = course.state.combatants
    while _same_so_far(fg.tie_dice(people[newcomer]), fg.tie_dice(people[other])):
        counts = {combatant_id: len(fg.tie_dice(people[combatant_id])) for combatant_id in (newcomer, other)}
        if min(counts.values()) > 0 and course.state.settings.get("d6_tie") == "speed":
            return
        fewest = min(counts.values())
        for combatant_id in (newcomer, other):
            if counts[combatant_id] == fewest:
                course.emit(*_tie_die(course.state.combatants[combatant_id], dice))
        people = course.state.combatants


def _same_so_far(item: Sequence[int], other: Sequence[int]) -> bool:
    shared = min(len(item), len(other))
    return tuple(item[:shared]) == tuple(other[:shared])


# Changes


def change_order(state: FightState, order: Iterable[str], reason: str) -> ev.Events:
    """ST-19..21: the new order, where it is another. It holds from then on, unless delays are for one round (Q-T4)."""
    after = tuple(order)
    if after == state.order:
        return ()
    kept: ev.Events = ()
    if state.settings.get("delay_persists", True) is False and not fg.text_fact(state, "standing"):
        kept = fg.set_fact(state, "standing", " ".join(state.order))
    return (*kept, tev.OrderChanged(order=after, before=state.order, reason=reason))


def put_before(state: FightState, movers: Sequence[str], offered: str) -> tuple[str, ...]:
    """ST-19: the order with some directly ahead of the one who was offered."""
    rest = [combatant_id for combatant_id in state.order if combatant_id not in movers]
    place = rest.index(offered) if offered in rest else len(rest)
    return (*rest[:place], *movers, *rest[place:])


def put_last(state: FightState, combatant_id: str) -> tuple[str, ...]:
    """ST-21: the order with somebody in the last place."""
    return (*(other for other in state.order if other != combatant_id), combatant_id)


def restore_order(state: FightState) -> ev.Events:
    """Q-T4: where a delay is for one round only, the order goes back; newcomers keep their neighbours."""
    before = fg.ids_in(fg.text_fact(state, "standing"))
    if not before:
        return ()
    order = [combatant_id for combatant_id in before if combatant_id in state.combatants]
    for place, combatant_id in enumerate(state.order):
        if combatant_id not in order:
            after = next((other for other in state.order[place + 1 :] if other in order), None)
            order.insert(order.index(after) if after else len(order), combatant_id)
    back: ev.Events = ()
    if tuple(order) != state.order:
        reason = "a delay is for one round"
        back = (tev.OrderChanged(order=tuple(order), before=state.order, reason=reason),)
    return (*fg.set_fact(state, "standing", ""), *back)
