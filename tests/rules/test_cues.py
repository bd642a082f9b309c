"""Cues in random play of every shipped encounter: the watcher says what a plain look at each event says, and no more.

``FIGHTCALL_CUE_PLAY=300 pytest tests/rules/test_cues.py`` plays so many commands of each.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import CueDropped, CueFired, CueSet, EffectEnded, Event, Moved, RulingAsked
from fightcall_engine.model.fold import evolve, with_combatant
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import replace
from fightcall_engine.play.fight import Fight

from .shipped import FEW
from .test_random_play import Player

COMMANDS = int(os.environ.get("FIGHTCALL_CUE_PLAY", "120"))
SAY = {"say": "it happens"}
Told = Counter[tuple[str, object]]
"""How often each cue fires, and with whom on what place of a way."""


def conditions_for(state: FightState, fight: Fight) -> Iterator[Mapping[str, object]]:
    """Conditions of every kind that may come true in a fight."""
    party, foe = fight.system.sides[:2]
    first = next(combatant.id for combatant in state.combatants.values() if combatant.side == foe)
    yield {"round": 2}
    yield from ({"phase": phase} for phase in fight.system.words(state.settings).phases)
    yield {"phase": "movement", "who": first}
    yield {"clock_s": 30}
    yield {"within": 20, "who": party, "of": foe}
    yield {"sees": first}
    yield {"at_most": 4, "pool": fight.system.health}
    yield {"share": 0.5, "who": foe, "pool": fight.system.health}
    yield {"down": foe, "count": 1}
    yield {"down": party}
    yield {"acts": first}
    yield {"effect_ends": "marked"}
    board = state.board
    if board is not None:
        grounds = sorted({board.terrain_at(place).name for place in board.places()} | {"open"})
        yield from ({"enters": ground} for ground in grounds)
        places = [place for place in board.places() if board.cost_of(place) is not None]
        yield {"enters": to_json(tuple(places[::2])), "who": party}
        yield {"leaves": to_json(tuple(places[::3]))}
        yield {"leaves": grounds[0], "who": foe}


def plain_look(when: Mapping[str, object], before: FightState, now: FightState, event: Event | None) -> set[object]:
    """For whom a condition holds, said as plainly as it can be; {None} where it is nobody's."""
    key = next(iter(when))
    value = when[key]

    def people(state: FightState, field: str = "who") -> list[str]:
        name = value if field == key else when.get(field, "anybody")
        everybody = state.combatants.values()
        return [each.id for each in everybody if name in ("anybody", each.id, each.squad, each.side)]

    def stands(state: FightState, combatant_id: str) -> bool:
        combatant, board = state.combatants.get(combatant_id), state.board
        if combatant is None or combatant.at is None or board is None:
            return False
        if isinstance(value, str):
            return value.lower() in (board.terrain_at(combatant.at).name.lower(), board.name_of(combatant.at).lower())
        return to_json(combatant.at) in value

    match key:
        case "round":
            return {None} if now.round >= value else set()
        case "clock_s":
            return {None} if now.clock_s >= value else set()
        case "phase":
            step = now.step
            is_theirs = step is not None and (
                "who" not in when or step.side == when["who"] or step.actor in people(now)
            )
            return {None} if step is not None and step.phase == value and is_theirs else set()
        case "enters":
            return {who for who in people(now) if stands(now, who)}
        case "leaves":
            return {who for who in people(before) if stands(before, who) and not stands(now, who)}
        case "within" | "sees":
            pairs = ((a, b) for a in people(now) for b in people(now, "of" if key == "within" else "sees") if a != b)
            return {pair for pair in pairs if now.combatants[pair[0]].able and met(key, value, now, *pair)}
        case "at_most":
            return {who for who in people(now) if now.combatants[who].pools.get(when["pool"], NO_POOL).now <= value}
        case "share":
            return {who for who in people(now) if is_low(now, who, str(when["pool"]), float(str(value)))}
        case "down":
            down = [who for who in people(now, "down") if not now.combatants[who].able]
            wanted = when.get("count", len(people(now, "down")))
            return {None} if down and len(down) >= int(str(wanted)) else set()
        case "acts":
            return {event.who} if event is not None and event.is_deed() and event.who in people(now, "acts") else set()
        case "effect_ends":
            ended = isinstance(event, EffectEnded) and event.name == value
            return {event.who} if ended and event.who in people(now) else set()
    raise AssertionError(key)


class NO_POOL:
    now = 10**9


def is_low(state: FightState, who: str, pool: str, share: float) -> bool:
    held = state.combatants[who].pools.get(pool)
    return held is not None and held.max > 0 and held.now <= share * held.max


def met(key: str, value: object, state: FightState, who: str, of: str) -> bool:
    here, there, board = state.combatants[who].at, state.combatants[of].at, state.board
    known = board is not None and here is not None and there is not None
    if key == "sees":
        return known and not state.combatants[of].hidden and board.sight(here, there).clear
    return board.length(here, there) <= value if known else state.in_contact(who, of)


def expected(cues: Mapping[str, Mapping[str, object]], before: FightState, event: Event, after: FightState) -> Told:
    """What has to be said after an event, looked at place by place where somebody walks."""
    found: Told = Counter()
    if after.status != "running" or type(event) in (CueSet, CueDropped, CueFired):
        return found
    here = before
    looks: list[tuple[FightState, FightState, Event | None, object]] = []
    if isinstance(event, Moved) and event.who in before.combatants:
        for place in event.path[:-1]:
            there = with_combatant(before, replace(before.combatants[event.who], at=place))
            looks.append((here, there, None, place))
            here = there
    looks.append((here, after, event, None))
    for old, new, what, place in looks:
        # Two cues have the same condition, each time and once.
        holds_now: dict[int, set[object]] = {}
        for cue in after.cues:
            if cue.id in cues:
                when = cues[cue.id]
                if id(when) not in holds_now:
                    holds_now[id(when)] = plain_look(when, old, new, what) - plain_look(when, old, old, None)
                is_new = holds_now[id(when)]
                if is_new and (cue.each_time or not any(said == cue.id for said, _ in found)):
                    found[cue.id, place] += 1
    return found


def walk_about(fight: Fight) -> None:
    """Everybody goes some places across the board, by the GM's word, so that there are ways to be looked at."""
    board = fight.state.board
    for combatant in fight.state.combatants.values() if board is not None else ():
        here = combatant.at
        for goal in sorted(board.places(), key=board.name_of) if here is not None else ():
            if 3 <= board.distance(here, goal) <= 5 and fight.state.standing_at(goal) is None:
                try:
                    fight.give("move", who=combatant.id, to=to_json(goal), force=True)
                    break
                except (Refused, BadInput, NeedsDice):
                    continue


def check_line(fight: Fight, cues: Mapping[str, Mapping[str, object]]) -> Told:
    """Every event of the line is followed by what the plain look says, and by nothing else. Returns all of it."""
    state, total = fight.line.seek(0), Counter[tuple[str, object]]()
    for entry in fight.line.entries:
        fired: list[Told] = []
        wanted: list[Told] = []
        for event in entry.events:
            after = evolve(state, event)
            if isinstance(event, CueFired):
                fired[-1][event.cue, event.at] += event.cue in cues
            elif not (isinstance(event, RulingAsked) and event.prompt.kind == "cue"):
                wanted.append(expected(cues, state, event, after))
                fired.append(Counter())
            state = after
        for event_fired, event_wanted in zip(fired, wanted, strict=True):
            assert +event_fired == event_wanted, (entry.number, entry.command)
            total += event_wanted
    return total


@pytest.mark.slow
@pytest.mark.parametrize("encounter", FEW)
def test_the_watcher_says_what_a_plain_look_at_every_event_says(encounter: str) -> None:
    """Nothing twice, nothing missed: whatever is played, undone and done another way, by the rules or by hand."""
    player = Player(encounter, 1)
    cues: dict[str, Mapping[str, object]] = {}
    for number, when in enumerate(conditions_for(player.state, player.fight)):
        for each_time in (False, True):
            name = f"c{number}{'e' if each_time else ''}"
            then = {"ask": "What now?"} if number % 7 == 3 and not each_time else SAY
            try:
                player.fight.give("cue", id=name, when=when, then=then, each_time=each_time)
            except Refused:
                continue  # There is nobody on that side, or no such phase.
            cues[name] = when
    player.play(COMMANDS // 2, is_checked=False)
    walk_about(player.fight)
    player.play(COMMANDS // 2, is_checked=False)
    told = check_line(player.fight, cues)
    assert len({cue for cue, _ in told}) > 3, told
