"""Initiative (ST-12..16): results, ties, the order that follows, and where a newcomer goes into it (Q-T12)."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.rolls import rolled
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg


def roll_for(state: FightState, one: Combatant, dice: Dice) -> ev.Events:
    """ST-12: d20 + Speed."""
    roll = dice.roll("d20", f"initiative.{one.id}", one.id)
    result = tev.InitiativeRolled(
        who=one.id,
        before=fg.trait(one, "init_roll"),
        value=roll.total,
        die=roll.total,
        speed=fg.speed(one),
        total=roll.total + fg.speed(one),
    )
    return (rolled(roll, one.id), result)


def _tie_die(one: Combatant, dice: Dice) -> ev.Events:
    roll = dice.roll("d6", f"tie.{one.id}", one.id)
    before = fg.text_trait(one, "tie_d6")
    value = f"{before} {roll.total}".strip()
    return (rolled(roll, one.id), tev.TieDieRolled(who=one.id, before=before, value=value, die=roll.total))


def ranked(state: FightState, dice: Dice) -> tuple[tuple[str, ...], ev.Events]:
    """The order by total, Speed and d6, and how ties were broken; who is down and has no result comes last."""
    course = Decision(state)
    order: list[str] = []
    everybody = fg.in_order(state)
    ready = [combatant for combatant in everybody if fg.init_roll(combatant) is not None]
    people = sorted(ready, key=lambda one: fg.standing(one)[:2], reverse=True)
    for _, same in groupby(people, key=fg.initiative):
        tied = list(same)
        speeds = tuple(fg.speed(one) for one in tied)
        if len(set(speeds)) > 1:
            course.emit(tev.TieBrokenBySpeed(figures=tuple(one.id for one in tied), speeds=speeds))
        for _, equals in groupby(tied, key=fg.speed):
            order += _by_die(course, [one.id for one in equals], dice)
    without = (combatant.id for combatant in everybody if fg.init_roll(combatant) is None)
    return (*order, *without), course.events


def _by_die(course: Decision, tied: list[str], dice: Dice) -> list[str]:
    """ST-15, ST-16: the highest d6 goes first; those still tied throw again (Q-T7)."""
    if len(tied) < 2:
        return tied
    for who in tied:
        course.emit(*_tie_die(course.state.combatants[who], dice))
    shown = {who: fg.tie_dice(course.state.combatants[who])[-1] for who in tied}
    tied = sorted(tied, key=lambda who: shown[who], reverse=True)
    if len(set(shown.values())) > 1:
        course.emit(tev.TieBrokenByDie(figures=tuple(tied), dice=tuple(shown[who] for who in tied)))
    if course.state.settings.get("d6_tie") == "speed":
        return tied
    found: list[str] = []
    for _, equals in groupby(tied, key=lambda who: shown[who]):
        found += _by_die(course, list(equals), dice)
    return found


# Newcomers


def place_for(state: FightState, who: str, dice: Dice) -> tuple[tuple[str, ...], ev.Events]:
    """Q-T12: the order with a newcomer in it, ahead of the first whose own result is lower, and d6 thrown for it."""
    course = Decision(state)
    others = [other.id for other in fg.in_order(state) if other.id != who]
    mine = fg.standing(state.combatants[who])[:2]
    tied = [other for other in others if fg.standing(state.combatants[other])[:2] == mine]
    for other in tied:
        _part(course, who, other, dice)
    people = course.state.combatants
    result = fg.standing(people[who])
    place = next((at for at, other in enumerate(others) if fg.standing(people[other]) < result), len(others))
    return (*others[:place], who, *others[place:]), course.events


def _part(course: Decision, newcomer: str, other: str, dice: Dice) -> None:
    """Throw d6 until the two differ; who has thrown before keeps what was shown."""
    people = course.state.combatants
    while _same_so_far(fg.tie_dice(people[newcomer]), fg.tie_dice(people[other])):
        counts = {who: len(fg.tie_dice(people[who])) for who in (newcomer, other)}
        if min(counts.values()) > 0 and course.state.settings.get("d6_tie") == "speed":
            return
        fewest = min(counts.values())
        for who in (newcomer, other):
            if counts[who] == fewest:
                course.emit(*_tie_die(course.state.combatants[who], dice))
        people = course.state.combatants


def _same_so_far(one: Sequence[int], other: Sequence[int]) -> bool:
    shared = min(len(one), len(other))
    return tuple(one[:shared]) == tuple(other[:shared])


# Changes


def changed(state: FightState, order: Iterable[str], reason: str) -> ev.Events:
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
    rest = [who for who in state.order if who not in movers]
    place = rest.index(offered) if offered in rest else len(rest)
    return (*rest[:place], *movers, *rest[place:])


def put_last(state: FightState, who: str) -> tuple[str, ...]:
    """ST-21: the order with somebody in the last place."""
    return (*(other for other in state.order if other != who), who)


def restored(state: FightState) -> ev.Events:
    """Q-T4: where a delay is for one round only, the order goes back; newcomers keep their neighbours."""
    before = fg.ids_in(fg.text_fact(state, "standing"))
    if not before:
        return ()
    order = [who for who in before if who in state.combatants]
    for place, who in enumerate(state.order):
        if who not in order:
            after = next((other for other in state.order[place + 1 :] if other in order), None)
            order.insert(order.index(after) if after else len(order), who)
    back: ev.Events = ()
    if tuple(order) != state.order:
        reason = "a delay is for one round"
        back = (tev.OrderChanged(order=tuple(order), before=state.order, reason=reason),)
    return (*fg.set_fact(state, "standing", ""), *back)
