"""Counts the lines of play of a fight, which change with the rules (after the chess programs' perft).

From a fixed fight it takes every command that is offered as legal, every answer to an open prompt, and the next step; a
line is as many of them in a row as the depth says. Offers that are refused are collected, so that a test can show
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from random import Random

from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import parse
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.model.values import required_fields
from fightcall_engine.play.fight import Fight

Data = Mapping[str, object]


@dataclass
class Count:
    """The number of lines by length (index 1 is one command), and the refused offers."""

    lines: list[int]
    refused: list[str] = field(default_factory=list)


def perft(fight: Fight, depth: int) -> Count:
    """Count the lines of play of up to `depth` commands; the fight does not change."""
    count = Count([0] * (depth + 1))
    _walk(fight, depth, 1, count)
    return count


def _walk(fight: Fight, depth: int, length: int, count: Count) -> None:
    for name, data in moves(fight):
        command = fight.codec.command(name, data)
        try:
            fight.do(command)
        except Refused as no:
            count.refused.append(f"{name} {dict(data)}: {no}")
            continue
        count.lines[length] += 1
        if length < depth:
            _walk(fight, depth, length + 1, count)
        fight.undo()


def count_by_replay(begin: Callable[[], Fight], depth: int) -> list[int]:
    """Count the same lines independently, by length from 1.

    Each line is played from its beginning in a new fight, and each time all that is listed is tried, even if
    disabled: what is not refused counts. This depends neither on undo nor on options being marked as legal.
    """
    return _count_lines(begin, depth, ())


def _count_lines(begin: Callable[[], Fight], depth: int, line: tuple[tuple[str, Data], ...]) -> list[int]:
    fight = begin()
    for name, data in line:
        fight.do(fight.codec.command(name, data))
    moves = [(name, data) for name, data in _unique(_list_moves(fight)) if _accepts(fight, name, data)]
    lines = [len(moves)] + [0] * (depth - 1)
    for move in moves if depth > 1 else ():
        for place, count in enumerate(_count_lines(begin, depth - 1, (*line, move)), 1):
            lines[place] += count
    return lines


def _list_moves(fight: Fight) -> Iterator[tuple[str, Data]]:
    for combatant_id in fight.state.combatants:
        for option in fight.options(combatant_id):
            yield from ((option.command, data) for data in fillings(fight, combatant_id, option))
    for prompt in fight.state.prompts:
        yield from (("answer", data) for data in answers(prompt))
    if _may_step(fight.state):
        yield "advance", {}


def _accepts(fight: Fight, name: str, data: Data) -> bool:
    try:
        fight.decide(fight.codec.command(name, data))
    except Refused:
        return False
    return True


def moves(fight: Fight) -> list[tuple[str, Data]]:
    """The commands that can be given from the lists now, without duplicates, in a fixed order."""
    state = fight.state
    offers: list[tuple[str, Data]] = []
    for combatant_id in state.combatants:
        for option in fight.options(combatant_id):
            if option.legal:
                offers += [(option.command, data) for data in fillings(fight, combatant_id, option)]
    for prompt in state.prompts:
        offers += [("answer", data) for data in answers(prompt)]
    if _may_step(state):
        offers.append(("advance", {}))
    return _unique(offers)


def _may_step(state: FightState) -> bool:
    """Whether the next step needs no answer: every blocking question has a default."""
    return state.status != "closed" and all(prompt.default for prompt in state.prompts if prompt.blocking)


def _unique(offers: Iterable[tuple[str, Data]]) -> list[tuple[str, Data]]:
    return list({(name, repr(sorted(data.items()))): (name, data) for name, data in offers}.values())


def fillings(fight: Fight, combatant_id: str, option: Option) -> Iterator[Data]:
    """The option's command with all combinations of values for its inputs; none without a required value."""
    kind = fight.codec.command_kinds[option.command.lower()]
    own = {"who": combatant_id} if any(field.name == "who" for field in fields(kind)) else {}
    for filling in _fill_in(fight, combatant_id, option, {}, option.inputs):
        data = {**own, **filling, **option.fixed}
        if data.keys() >= set(required_fields(kind)):
            yield data


def _fill_in(
    fight: Fight, combatant_id: str, option: Option, data: Data, inputs_left: tuple[Input, ...]
) -> Iterator[Data]:
    """The given values with all combinations for the inputs left; none if they are refused already."""
    if not inputs_left:
        yield data
        return
    try:
        inputs = fight.system.inputs(fight.state, combatant_id, option, data) if data else option.inputs
    except Refused:
        return
    item = next((item for item in inputs if item.name == inputs_left[0].name), None)
    for value in [{}] if item is None else values(fight.state, combatant_id, item):
        yield from _fill_in(fight, combatant_id, option, {**data, **value}, inputs_left[1:])


def values(state: FightState, combatant_id: str, item: Input) -> Iterator[Data]:
    """A few values for an input: each choice, one number, one word, one step."""
    if item.optional:
        yield {}
    here = state.combatants[combatant_id].at
    on_board = state.board is not None and here is not None
    match item.kind:
        case "target" | "choice":
            yield from ({item.name: choice} for choice in item.choices)
        case "path" | "place" if on_board:
            assert state.board is not None
            assert here is not None
            near = [place for place in state.board.neighbours(here) if state.board.cost_of(place) is not None]
            free = [to_json(place) for place in near if state.standing_at(place) is None]
            yield from ({item.name: [place] if item.kind == "path" else place} for place in free)
        case "path":
            yield {"hexes": 1}
        case "place":
            yield {}
        case "outcome":
            yield from ({"hit": True}, {"hit": False})
        case "number" if not item.optional:
            yield {item.name: int(item.default or "1")}
        case "amount" if not item.optional:
            yield {item.name: 1}
        case "text" | "people" if not item.optional:
            yield {item.name: item.default or next(iter(item.choices), "something")}
        case _:
            return


def answers(prompt: Prompt) -> Iterator[Data]:
    """The answers to a prompt: each choice, a number if allowed, the default or a word if anything is allowed.

    Choices that select who acts are left out: the act itself is a line of play.
    """
    yield from ({"prompt": prompt.id, "choice": choice.id} for choice in prompt.choices if not choice.who)
    if prompt.amount:
        yield {"prompt": prompt.id, "amount": 1}
    elif not prompt.choices:
        yield {"prompt": prompt.id, "choice": prompt.default or "something"}


def proposes(item: Input) -> bool:
    """Whether an input has a usable default; paths and the GM's own words do not."""
    if item.kind in ("text", "people"):
        return item.optional or bool(item.default or item.choices)
    return item.kind not in ("path", "place")


def typed_faces(need: NeedsDice, command: Command) -> dict[str, tuple[int, ...]]:
    """Faces for owed dice, with more for rerolls."""
    rolls: dict[str, tuple[int, ...]] = {}
    for roll in need.rolls:
        before = rolls.get(roll.purpose, command.rolls.get(roll.purpose, ()))
        dice = Random(f"{roll.purpose} {len(before)}")
        faces = [term.faces for term in parse(roll.dice) for _ in range(term.count) if term.faces]
        rolls[roll.purpose] = (*before, *(dice.randint(1, min(most, dice.choice((4, most)))) for most in faces))
    return rolls
