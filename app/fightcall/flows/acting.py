"""Doing what an option offers: ask for each input it needs, then give its command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial
from typing import TYPE_CHECKING

from fightcall.flows.asking import AskFlow
from fightcall.flows.base import Become, Give, Turn
from fightcall.flows.fields import ChoiceField, Field, OutcomeField, TargetField
from fightcall.flows.placing import HexesField, first_place, place_field
from fightcall.flows.walking import PathField
from fightcall.flows.writing import AmountField, NumberField, TextField
from fightcall.flows.zoning import ZonePathField
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.state import FightState, Json

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.commands import Command
    from fightcall_engine.system import Input, Option, System


def option_turn(table: Table, option: Option, who: str) -> Turn:
    """Begin what an option offers one combatant, or give its command at once where it needs nothing.

    Every input is asked for, even where there is but one answer: the same act is the same keys whatever the moment,
    and a label typed from habit never becomes the face of a die.
    """
    state, system = table.state, table.system
    data: dict[str, Json] = dict(option.fixed)
    if needs_who(table.fight.codec.command_kinds[option.command.lower()]):
        data["who"] = who
    wanted = [one for one in option.inputs if one.kind != "place" or _placed(state, who)]
    if not wanted:
        return Give(option.command, data)
    likely = table.likely_target(who)

    def ask(one: Input, answers: Sequence[Json]) -> Field:
        title = _title(state, option, who, wanted, answers)
        known = system.inputs(state, who, option, filled_in({}, wanted, answers)) if answers else option.inputs
        here = next((other for other in known if other.name == one.name), one)
        return field_for(state, system, who, here, title, likely)

    def done(answers: Sequence[Json]) -> Turn:
        return Give(option.command, filled_in(data, wanted, answers))

    return Become(AskFlow([partial(ask, one) for one in wanted], done, whose=who if "who" in data else None))


def needs_who(kind: type[Command]) -> bool:
    """True for a command that must be told who does it."""
    return any(one.name == "who" and one.default is MISSING for one in fields(kind))


def _placed(state: FightState, who: str) -> bool:
    return state.board is not None and who in state.combatants and state.combatants[who].at is not None


def _path_field(state: FightState, who: str) -> type[PathField] | type[ZonePathField] | type[HexesField]:
    """What reads a way on this board, or without one."""
    if not _placed(state, who):
        return HexesField
    return PathField if grid_board(state.board) is not None else ZonePathField


def _place_of(state: FightState, who: str) -> Location:
    at, board = state.combatants[who].at, state.board
    if at is None:
        return Hex(0, 0) if board is None else first_place(board)
    return at


def _title(state: FightState, option: Option, who: str, wanted: Sequence[Input], answers: Sequence[Json]) -> str:
    """Who does what, to whom as far as that is known."""
    about_one = who in state.combatants and option.command != "Rule"
    title = f"{state.combatants[who].name}: {option.label}" if about_one else option.label
    for one, answer in zip(wanted, answers, strict=False):
        if one.kind == "target" and isinstance(answer, str):
            title += f", {state.combatants[answer].name}"
    return title


def field_for(state: FightState, system: System, who: str, wanted: Input, title: str, likely: str = "") -> Field:
    """The field that reads an input; `likely` is whom an act of this combatant most likely aims at."""
    question = f"{title}: {wanted.label}" if wanted.label else title
    match wanted.kind:
        case "target":
            start = wanted.default or likely
            return TargetField(state, question, wanted.choices, start=start, optional=wanted.optional, shooter=who)
        case "path":
            return _path_field(state, who)(state, system, who, wanted.mode, question)
        case "place":
            return place_field(state, _place_of(state, who), question, near=True)
        case "number":
            return NumberField(question, default=wanted.default, optional=wanted.optional, decimals=True)
        case "choice":
            words = [(one, one.replace("_", " ")) if "_" in one else one for one in wanted.choices]
            return ChoiceField(question, words, default=wanted.default)
        case "outcome":
            return OutcomeField(question, dice=wanted.dice, purpose=wanted.purpose)
        case "amount":
            return AmountField(question, default=wanted.default, optional=wanted.optional)
        case _:
            return TextField(question, default=wanted.default, optional=wanted.optional, known=wanted.choices)


def filled_in(data: Mapping[str, Json], wanted: Sequence[Input], answers: Sequence[Json]) -> dict[str, Json]:
    """A command's data with the answers to its inputs; those that were skipped stay out."""
    full = dict(data)
    for one, answer in zip(wanted, answers, strict=False):
        if isinstance(answer, Mapping):
            full |= {name: value for name, value in answer.items() if value not in ("", None)}
        elif answer is not None:
            full[one.name] = answer
    return full
