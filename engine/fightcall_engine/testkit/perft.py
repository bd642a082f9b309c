"""What play is possible: the lines of play of a fight, counted, and random commands.

`perft`, after the chess programs', takes from a fixed fight every command that is offered as legal, every answer to an
open prompt, and the next step; a line is as many of them in a row as the depth says. Offers that are refused are
collected, so that a test can show them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import Protocol, TypeVar

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board, zone_board
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.commands import Answer, Command, squeeze
from fightcall_engine.model.dice import parse
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import PROTECTS, STYLE_WORDS, FightState, Json, Prompt
from fightcall_engine.model.values import field_names, required_fields
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view

Data = Mapping[str, object]

_SIZE = 6
_ZONES = tuple(
    Zone(name, number % 3, number // 3) for number, name in enumerate(("Hall", "Yard", "Loft", "Pit", "Well"))
)

GROUNDS: Mapping[str, AnyBoard] = {
    "hex": any_board(HexBoard(_SIZE, _SIZE)),
    "square": any_board(SquareBoard(_SIZE, _SIZE)),
    "zone": any_board(ZoneBoard(_ZONES, touching(_ZONES))),
}
"""The boards by their kinds."""

T = TypeVar("T")
Tool = tuple[str, Mapping[str, object]]
"""A command of the toolbox by its name, with its fields."""


@dataclass
class Count:
    """The number of lines by length (index 1 is one command), and the refused offers."""

    lines: list[int]
    refused: list[str] = field(default_factory=list)


def perft(fight: Fight, depth: int, length: int = 1, count: Count | None = None) -> Count:
    """Count the lines of play of up to `depth` commands; the fight does not change."""
    count = count or Count([0] * (depth + 1))
    for name, data in moves(fight):
        command = fight.codec.command(name, data)
        try:
            if length == depth:
                fight.try_out(command)
            else:
                fight.do(command)
        except Refused as no:
            count.refused.append(f"{name} {dict(data)}: {no}")
            continue
        count.lines[length] += 1
        if length < depth:
            perft(fight, depth, length + 1, count)
            fight.undo()
    return count


def moves(fight: Fight, *, is_legal: bool = True) -> list[tuple[str, Data]]:
    """The commands that can be given from the lists now, without duplicates, in a fixed order."""
    state = fight.state
    offers: list[tuple[str, Data]] = []
    for combatant_id in state.combatants:
        for option in fight.options(combatant_id):
            if option.legal or not is_legal:
                offers += [(option.command, data) for data in fillings(fight, combatant_id, option)]
    for prompt in state.prompts:
        offers += [("answer", data) for data in answers(prompt)]
    # A blocking question without a default needs an answer before the next step.
    if state.status != "closed" and all(prompt.default for prompt in state.prompts if prompt.blocking):
        offers.append(("advance", {}))
    return list({(name, repr(sorted(data.items()))): (name, data) for name, data in offers}.values())


def look_at_all(fight: Fight) -> None:
    """Ask for every view of a fight: each must work, and what the protocol sends must be JSON."""
    state, system = fight.state, fight.system
    player_view(state, system)
    json.dumps(to_json(system.facts(state)))
    of_all = (system.groups, system.reminders, system.banner, system.declarations, system.acting_side)
    for view in (*of_all, system.aftermath):
        view(state)
    for combatant_id in ("", *state.combatants):
        system.marks(state, combatant_id)
    for combatant_id in state.combatants:
        system.card(state, combatant_id)
        system.details(state, combatant_id)
        json.dumps(to_json(system.fields(state, combatant_id)))
        system.rulings(state, combatant_id)


def why_refused(fight: Fight, command: Command) -> str:
    """Why a command would be refused; empty if it would be done, or waits for dice."""
    try:
        fight.try_out(command)
    except (Refused, BadInput) as no:
        return str(no) or "refused"
    return ""


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
            words = item.default or next(iter(item.choices), "something" if item.kind == "text" else "")
            if words:
                yield {item.name: words}
        case _:
            return


def answers(prompt: Prompt) -> Iterator[Data]:
    """The answers to a prompt. Choices that select who acts are left out: the act itself is a line of play."""
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


MOST_THROWS = 1_000  # A card that is out is drawn again, at worst until the last one left comes.


def typed_faces(need: NeedsDice, command: Command) -> dict[str, tuple[int, ...]]:
    """Faces for owed dice, with more for rerolls."""
    rolls: dict[str, tuple[int, ...]] = {}
    for roll in need.rolls:
        before = rolls.get(roll.purpose, command.rolls.get(roll.purpose, ()))
        dice = Random(f"{roll.purpose} {len(before)}")
        faces = [term.faces for term in parse(roll.dice) for _ in range(term.count) if term.faces]
        rolls[roll.purpose] = (*before, *(dice.randint(1, min(most, dice.choice((4, most)))) for most in faces))
    return rolls


# What refusals offer instead, which must be accepted if it can be made a request


def find_refused_remedies(fight: Fight, command: Command, no: Refused) -> list[str]:
    """The entries of a refusal's `accepts` that would be refused as well."""
    return [each for each in no.accepts if no.rule != "command" and not _is_possible(fight, command, no, each)]


def _is_possible(fight: Fight, command: Command, no: Refused, entry: str) -> bool:
    choices = [prompt.id for prompt in fight.state.prompts for choice in prompt.choices if choice.id == entry]
    is_command = squeeze(entry) in fight.codec.command_kinds
    is_somebody = entry in fight.state.combatants
    own_fields = field_names(type(command))
    wrong = [field for field in own_fields if field == no.rule or _is_quoted(getattr(command, field), no.message)]
    if " " in entry or entry in own_fields or not (choices or is_command or is_somebody or wrong):
        return True
    if is_somebody and not wrong:
        wrong = [field for field in ("who", "target", "targets") if field in own_fields]
        if not wrong:
            # An answer has no target; its effects are corrected by another command.
            return True
    faults = [_fault(fight, Answer(prompt=prompt, choice=entry)) for prompt in choices]
    if is_command:
        doers = ({"who": combatant_id} for combatant_id in fight.state.combatants)
        faults += [_fault(fight, _read(fight, entry, data)) for data in ({}, *doers)]
    faults += [_fault(fight, _with(fight, command, (field,), entry)) for field in own_fields if field not in wrong]
    repaired_faults = [_fault(fight, _with(fight, command, (field,), entry)) for field in wrong]
    # The same wrong word may be in several fields.
    repaired_faults.append(_fault(fight, _with(fight, command, wrong, entry)))
    return "" in faults or any(fault != without_names(fight.state, str(no)) for fault in repaired_faults)


def _is_quoted(value: object, message: str) -> bool:
    """Whether a message quotes a field's value; an empty word only counts in a list."""
    if isinstance(value, tuple):
        return any(isinstance(part, str) and repr(part) in message for part in value)
    return isinstance(value, str) and bool(value) and repr(value) in message


def _with(fight: Fight, command: Command, fields: Sequence[str], entry: str) -> Command | None:
    plain = to_json(command)
    assert isinstance(plain, dict)
    value = int(entry) if entry.isdecimal() else entry
    values = {field: [value] if isinstance(getattr(command, field), tuple) else value for field in fields}
    return _read(fight, str(plain.pop("type")), {**plain, **values})


def _read(fight: Fight, name: str, data: Mapping[str, Json]) -> Command | None:
    try:
        return fight.codec.command(name, data)
    except BadInput:
        return None


def _fault(fight: Fight, request: Command | None) -> str:
    return "unreadable" if request is None else without_names(fight.state, why_refused(fight, request))


def without_names(state: FightState, text: str) -> str:
    """A message without the names of combatants, and without what it quotes."""
    for combatant in state.combatants.values():
        text = text.replace(combatant.name, "")
    return re.sub(r"'[^']*'", "", text)


# Random commands of the GM's toolbox


class Pick(Protocol):
    """Picks one of several values at random."""

    def __call__(self, values: Sequence[T], /) -> T:
        """Return one of the values; there is at least one."""


def random_tool(fight: Fight, pick: Pick, most: int) -> Tool | None:
    """Pick a command of the toolbox that makes sense now; it leaves at most `most` combatants."""
    return pick(list(_tools(fight, pick, most))) if fight.state.combatants else None


def _tools(fight: Fight, pick: Pick, most: int) -> Iterator[Tool]:
    state, board = fight.state, fight.state.board
    people = list(state.combatants)
    rounds = {"rounds": pick((1, 2))} if pick((True, False)) else {}
    who = pick(people)
    health = fight.system.health
    sides = [side for side in (*fight.system.sides, "watch") if side != state.combatants[who].side]
    yield "change_side", {"who": who, "side": pick(sides), **rounds}
    yield "set_style", {"targets": [who], "word": pick([word for word in STYLE_WORDS if word != PROTECTS])}
    yield "skip_time", {"seconds": pick((5, 60, 600, 86400))}
    yield "area_damage", {"targets": [who], "amount": pick((1, 4)), "by": pick(people), "halved": pick(([], [who]))}
    if len(people) < most:
        pools = {health: 2} if health in state.combatants[who].pools and pick((True, False)) else {}
        yield "copy", {"who": who, "pools": pools, "split": pick((True, False)), **rounds}
        for departed in state.departed.values():
            back = departed.combatant
            yield "join", {"id": back.id, "name": back.name, "at": to_json(back.at), **rounds}
    if len(people) > 1:
        along = [each for each in people if pick((True, True, False))]
        yield "change_map", _next_map(pick(list(GROUNDS.values())), along or [who], pick)
    if board is None:
        return
    if len(people) > 1:
        yield "swap", {"who": who, "target": pick([each for each in people if each != who])}
    places = list(board.places())
    here = [board.name_of(place) for place in (pick(places), pick(places))]
    yield "paint", {"places": here, **pick(_PAINTS)}
    yield "area_damage", {"area": here, "amount": pick((1, "d4"))}
    if zone_board(board) is not None:
        yield "set_passage", {"zone": here[0], "other": here[1], "kind": pick(("open", "door", "none"))}


_PAINTS: Sequence[Mapping[str, object]] = (
    {},
    {"terrain": "mud", "cost": 2},
    {"terrain": "wall", "blocks": True, "blocks_sight": True},
    {"terrain": "fire", "harm": "d4", "harm_at": "enter"},
    {"terrain": "acid", "harm": 1, "harm_at": "round"},
)


def _next_map(board: AnyBoard, along: Sequence[str], pick: Pick) -> Mapping[str, object]:
    free = list(board.places())
    places: dict[str, object] = {}
    for each in along[: len(free) - 1]:
        place = pick(free)
        places[each] = to_json(place)
        if not board.holds_several:
            free.remove(place)
    return {"board": board.to_json(), "along": list(along), "places": places}
