"""Beginning an option: its panel, the questions for its inputs, or its command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall.flows.base import Become, Reply, Say, with_rule
from fightcall.flows.command_words import as_data
from fightcall.flows.dice_fields import OutcomeField
from fightcall.flows.exchange_draft import is_exchange
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.fields import ChoiceField, Field
from fightcall.flows.option_flow import OptionFlow, filled_in
from fightcall.flows.path_field import PathField
from fightcall.flows.people_fields import PeopleField, TargetField
from fightcall.flows.place_fields import HexesField, first_place, place_field
from fightcall.flows.text_fields import AmountField, NumberField, TextField
from fightcall.flows.zone_fields import ZonePathField
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.preview import BROKEN
from fightcall_engine.kit.rolls import throws_at_table
from fightcall_engine.kit.views import Option
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import required_fields

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.kit.preview import Preview
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Input
    from fightcall_engine.model.commands import Command


def option_turn(table: Table, option: Option, combatant_id: str, target: str = "") -> Reply:
    """Begin an option of a combatant, or give its command at once if it has no inputs.

    Every input is asked for, even if there is only one answer, so that the same act always takes the same keys, and a
    label typed from habit never becomes the face of a die.

    Args:
        table: the fight.
        option: the option.
        combatant_id: who does it.
        target: the target if it is known; by default the most likely one.
    """
    state, system = table.state, table.system
    data: dict[str, Json] = dict(option.fixed)
    if needs_who(table.fight.codec.command_kinds[option.command.lower()]):
        data["who"] = combatant_id
    open_fields = [field for field in option.inputs if field.kind != "place" or _is_placed(state, combatant_id)]
    if not open_fields:
        return Give(option.command, data)
    if not option.legal and any(field.kind == "choice" and not field.choices for field in open_fields):
        return Say(with_rule(option.why, system.rule_words(option.rule)))
    likely = target or (
        table.hurt_friend(combatant_id) if option.is_harmless else table.likely_among(combatant_id, ())
    )
    if is_exchange(option):
        return Become(_panel(table, option, combatant_id, data, likely))

    def ask(field: Input, answers: Sequence[Json]) -> Field:
        title = _title(state, option, combatant_id, open_fields, answers)
        if field.kind != "place" or field is not open_fields[-1]:
            return field_for(state, system, combatant_id, field, title, likely)

        def judge(place: Location) -> str:
            """The obstacle to a place, if it is the only open input."""
            given_answers = filled_in(data, open_fields, [*answers, as_data(place)])
            return against_words(system, table.preview(Give(option.command, given_answers)))

        return field_for(state, system, combatant_id, field, title, likely, judge)

    def known(given_answers: Mapping[str, Json]) -> tuple[Input, ...]:
        return system.inputs(state, combatant_id, option, given_answers) if given_answers else option.inputs

    def done(given_answers: Mapping[str, Json]) -> Reply:
        return Give(option.command, {**data, **given_answers})

    whose, rule = combatant_id if "who" in data else None, system.rules().get(option.rule, "")
    why = f"{option.rule}: {rule}" if rule else ""
    return Become(OptionFlow(open_fields, option.details, known, ask, done, whose, why))


def dice_panel(table: Table, request: Give, preview: Preview) -> ExchangeFlow:
    """The panel of a command against another combatant that waits for rolls of the table; None for other commands."""
    option = Option(action="", label=preview.title, command=request.command, key="")
    return _panel(table, option, preview.actor_id, request.data)


def open_panel(table: Table, reply: Reply) -> Reply:
    """The panel for a reply that is an attack with a roll, such as a Reprisal; else the reply."""
    if not isinstance(reply, Give):
        return reply
    preview = table.preview(reply)
    needs_die = bool(preview.target_id) and any(row.dice for row in preview.rows)
    return Become(dice_panel(table, reply, preview)) if needs_die else reply


def _panel(table: Table, option: Option, combatant_id: str, data: Mapping[str, Json], likely: str = "") -> ExchangeFlow:
    """The panel of an act of one combatant against another."""
    state, system = table.state, table.system

    def field_of(field: Input) -> Field:
        return field_for(state, system, combatant_id, field, _title(state, option, combatant_id, (), ()), likely)

    def begin(other: Option, target: str) -> Reply:
        return option_turn(table, other, combatant_id, target)

    return ExchangeFlow(table, option, combatant_id, data, field_of, begin)


def against_words(system: BaseSystem, preview: Preview) -> str:
    """The obstacle to a command, with the rule; empty for none."""
    row = next((row for row in preview.rows if row.status == BROKEN), None)
    return "" if row is None else with_rule(row.detail or row.text, system.rule_words(row.rule))


def needs_who(kind: type[Command]) -> bool:
    """Whether a command needs an actor."""
    return "who" in required_fields(kind)


def _is_placed(state: FightState, combatant_id: str) -> bool:
    return (
        state.board is not None and combatant_id in state.combatants and state.combatants[combatant_id].at is not None
    )


def _path_field(
    state: FightState, system: BaseSystem, combatant_id: str, mode: str, question: str, likely: str
) -> PathField | ZonePathField | HexesField:
    """The field for a path on this board, or without one."""
    if not _is_placed(state, combatant_id):
        return HexesField(state, system, combatant_id, mode, question)
    kind = PathField if grid_board(state.board) is not None else ZonePathField
    return kind(state, system, combatant_id, mode, question, likely)


def _place_of(state: FightState, combatant_id: str) -> Location:
    at, board = state.combatants[combatant_id].at, state.board
    if at is None:
        return Hex(0, 0) if board is None else first_place(board)
    return at


def _title(
    state: FightState, option: Option, combatant_id: str, open_fields: Sequence[Input], answers: Sequence[Json]
) -> str:
    """Who does what, and to whom if that is known."""
    about_one = combatant_id in state.combatants and option.command != "Rule"
    name = state.combatants[combatant_id].name if about_one else ""
    title = f"{name}: {option.label}" if name and name not in option.label else option.label
    for field, answer in zip(open_fields, answers, strict=False):
        if field.kind == "target" and isinstance(answer, str):
            title += f", {state.combatants[answer].name}"
    return title


_FLAGS: Mapping[str, tuple[Json, str]] = {"true": (True, "yes"), "false": (False, "no"), "": ("", "as usual")}
"""Words for booleans and for no answer, and how the question shows them."""


def field_for(
    state: FightState,
    system: BaseSystem,
    combatant_id: str,
    field: Input,
    title: str,
    likely: str = "",
    judge: Callable[[Location], str] | None = None,
) -> Field:
    """The field for an input.

    Args:
        state: the fight.
        system: its rules.
        combatant_id: who acts.
        field: the input.
        title: who does what.
        likely: the most likely target.
        judge: as for `PlaceField`, for an act aimed at a place.
    """
    question = f"{title}: {field.label}" if field.label else title
    match field.kind:
        case "target":
            start = field.default or likely
            return TargetField(
                state,
                question,
                field.choices,
                start=start,
                optional=field.optional,
                shooter=combatant_id,
                may_be_open=True,
            )
        case "people":
            proposed_ids = field.default.split()
            return PeopleField(state, question, field.choices, proposed=proposed_ids, optional=field.optional)
        case "path":
            return _path_field(state, system, combatant_id, field.mode, question, likely)
        case "place":
            near = field.mode != "anywhere"
            here = _place_of(state, combatant_id)
            judged = None if near else judge
            return place_field(state, here, question, near=near, optional=field.optional, judge=judged)
        case "number":
            if field.dice and throws_at_table(state, system.sides, combatant_id):
                expects = f"the {field.dice} rolled at the table"
                return NumberField(question, default=field.default, expects=expects, die=field.dice)
            open_words = f"roll {field.dice}" if field.dice else "leave it open"
            return NumberField(
                question,
                default=field.default,
                optional=field.optional,
                decimals=not field.dice,
                left_open=open_words,
                die=field.dice,
            )
        case "choice":
            labels = field.shown or tuple(name.replace("_", " ") for name in field.choices)
            words = [_FLAGS.get(name, (name, word)) for name, word in zip(field.choices, labels, strict=True)]
            return ChoiceField(question, words, default=field.default)
        case "outcome":
            return OutcomeField(question, dice=field.dice, purpose=field.purpose)
        case "amount":
            return AmountField(question, default=field.default, optional=field.optional)
        case _:
            suggestions = field.shown or field.choices
            return TextField(question, default=field.default, optional=field.optional, suggestions=suggestions)
