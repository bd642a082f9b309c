"""Beginning an option: its panel, the questions for its inputs, the rolls that the table types, or its command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fightcall.flows.answers import AnswerFlow
from fightcall.flows.base import (
    CANCELLED,
    Become,
    ChoiceField,
    FacesField,
    Field,
    Flow,
    OutcomeField,
    Overlay,
    Reply,
    Say,
    with_rule,
)
from fightcall.flows.command_line import as_data
from fightcall.flows.exchange_draft import is_exchange
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.path_fields import PathField, ZonePathField
from fightcall.flows.people_fields import HexesField, PeopleField, TargetField, first_place, place_field
from fightcall.flows.questions import Answers, AskFlow, OptionFlow, filled_in
from fightcall.flows.text_fields import AmountField, NumberField, TextField
from fightcall.paint.feed import PanelView
from fightcall.table import Give, Outcome, Table
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.decision import throws_at_table
from fightcall_engine.kit.movement import BROKEN, HITS, Preview, Row
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.errors import RollNeeded
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import required_fields


def option_turn(table: Table, option: Option, combatant_id: str, target: str = "") -> Reply:
    """Begin an option of a combatant, or give its command at once if it has no inputs.

    Every input is asked for, even if there is only one answer, so that the same act always takes the same keys, and a
    label typed from habit never becomes the face of a die.

    Args:
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
    likely = target or (table.hurt_friend(combatant_id) if option.is_harmless else table.likely_among(combatant_id, ()))
    if is_exchange(option):
        return Become(_panel(table, option, combatant_id, data, likely, target))

    def ask(field: Input, answers: Sequence[Json]) -> Field:
        title = _title(state, option, combatant_id, open_fields, answers)
        if field.kind != "place" or field is not open_fields[-1]:
            return field_for(state, system, combatant_id, field, title, likely)

        def judge(place: Location) -> str:
            """The obstacle to a place if it is the only open input, or whom the act concerns there."""
            given_answers = filled_in(data, open_fields, [*answers, as_data(place)])
            preview = table.preview(Give(option.command, given_answers))
            concerned = next((f"{row.name} {row.text}" for row in preview.rows if row.name == HITS), "")
            return against_words(system, preview) or concerned

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


def _panel(
    table: Table, option: Option, combatant_id: str, data: Mapping[str, Json], likely: str = "", target: str = ""
) -> ExchangeFlow:
    state, system = table.state, table.system

    def field_of(field: Input) -> Field:
        return field_for(state, system, combatant_id, field, _title(state, option, combatant_id, (), ()), likely)

    def begin(other: Option, target: str) -> Reply:
        return option_turn(table, other, combatant_id, target)

    return ExchangeFlow(table, option, combatant_id, data, field_of, begin, target)


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
            places = () if state.board is None else tuple(map(state.board.parse, field.choices))
            return place_field(state, here, question, near=near, optional=field.optional, judge=judged, likely=places)
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


# Rolls that the table types


class ThrowFlow(AskFlow):
    """Asks for faces, then gives the command again with them. Escape returns to the flow that gave it.

    Args:
        panel: the panel of the act; None to ask in the call bar.
        origin: the flow that gave the command; None for none.
    """

    def __init__(
        self,
        table: Table,
        request: Give,
        owed_rolls: Sequence[RollNeeded],
        panel: PanelView | None = None,
        origin: Flow | None = None,
    ) -> None:
        self._owed, self._panel, self._origin = tuple(owed_rolls), panel, origin
        self._throwers = [_thrower_id(table, request, roll) for roll in self._owed]
        names = [_throw_words(table, request, roll) for roll in self._owed]
        named_rolls = list(zip(names, self._owed, strict=True))
        self._rows = tuple(
            Row(subject_of(roll.purpose), "" if panel is not None else name, dice=roll.dice)
            for name, roll in named_rolls
        )
        fields = [FacesField(roll.purpose, roll.dice, f"{name}: your {roll.dice}") for name, roll in named_rolls]
        super().__init__(fields, lambda answers: _with_rolls(request, self._owed, answers))

    @property
    def has_panel(self) -> bool:
        """Whether the rolls are asked for in a panel."""
        return self._panel is not None

    @property
    def thrower_id(self) -> str:
        """Whose roll is asked for; empty for nobody's."""
        return self._throwers[len(self._answers)]

    @property
    def waits_for_die(self) -> bool:
        """True while nothing is typed, so that no key can do it yet."""
        return not self._field.view().typed

    @property
    def call_words(self) -> str:
        dice = self._owed[len(self._answers)].dice
        return f"nothing: type the {dice}" if self.waits_for_die else super().call_words

    def panel(self) -> PanelView | None:
        """The panel of the act, with a row for each roll."""
        if self._panel is None:
            return None
        (rows, places), view = _place_dice(self._panel, self._rows), self._field.view()
        texts = {places[at]: " ".join(map(str, _as_list(faces))) for at, faces in enumerate(self._answers)}
        marked_row = places[len(self._answers)]
        keys = () if self.waits_for_die else (("enter", "accept"),)
        return replace(
            self._panel,
            rows=rows,
            marked=marked_row,
            typed={**self._panel.typed, **texts, marked_row: view.typed or ""},
            hints={},
            keys=(*keys, ("digits", "the die"), ("esc", "back")),
            complaint=view.error,
            reason=super().view().reason,
        )

    def overlay(self) -> Overlay:
        return self._origin.overlay() if self._origin is not None else super().overlay()

    def press(self, key: str) -> Reply:
        """Handle a key as `AskFlow`, except that Escape returns to the origin."""
        reply = super().press(key)
        return Become(self._origin) if reply is CANCELLED and self._origin is not None else reply


def ask_for_throws(
    table: Table, outcome: Outcome, panel: PanelView | None = None, origin: Flow | None = None
) -> ThrowFlow | ExchangeFlow | None:
    """The flow that asks for the rolls a command needs; None if it needs none."""
    request = table.refused
    if request is None or not outcome.owed:
        return None
    if not isinstance(origin, ExchangeFlow) and "rolls" not in request.data:
        preview = table.preview(request)
        if preview.target_id:
            return dice_panel(table, request, preview)
    if panel is not None:
        rows = (_settle(row, at, panel, request, origin) for at, row in enumerate(panel.rows))
        panel = replace(panel, rows=tuple(rows))
    return ThrowFlow(table, request, outcome.owed, panel, None if request.alike else origin)


def _place_dice(panel: PanelView, die_rows: Sequence[Row]) -> tuple[tuple[Row, ...], list[int]]:
    """The panel's rows with each roll in its place: in the row for its purpose, else at the end."""
    rows, places = list(panel.rows), list[int]()
    for die_row in die_rows:
        at = next((at for at, row in enumerate(rows) if row.field == die_row.name and not row.dice), len(rows))
        rows[at : at + 1] = [replace(rows[at], dice=die_row.dice) if at < len(rows) else die_row]
        places.append(at)
    return tuple(rows), places


def _settle(row: Row, at: int, panel: PanelView, request: Give, origin: Flow | None) -> Row:
    if isinstance(origin, AnswerFlow) and row.prompt == origin.prompt.id:
        choice_id = request.data.get("choice", origin.prompt.default)
        text = next((choice.label for choice in origin.prompt.choices if choice.id == choice_id), row.text)
        return replace(row, text=text, detail="", dice="", number="")
    return row if panel.typed.get(at) else replace(row, dice="", number="")


def _with_rolls(request: Give, owed_rolls: Sequence[RollNeeded], answers: Answers) -> Give:
    before = request.data.get("rolls")
    rolls: dict[str, Json] = dict(before) if isinstance(before, Mapping) else {}
    for roll, faces in zip(owed_rolls, answers, strict=True):
        # Several rolls for one purpose follow one another.
        rolls[roll.purpose] = [*_as_list(rolls.get(roll.purpose, [])), *_as_list(faces)]
    return Give(request.command, {**request.data, "rolls": rolls})


def _thrower_id(table: Table, request: Give, roll: RollNeeded) -> str:
    """Whose roll it is: as the roll says, else whose command or question it is for; empty for nobody's."""
    prompt = table.state.prompt(str(request.data.get("prompt", "")))
    known_ids = (roll.who, request.data.get("who"), prompt.who if prompt is not None else "")
    return next((str(each) for each in known_ids if each in table.state.combatants), "")


def _throw_words(table: Table, request: Give, roll: RollNeeded) -> str:
    thrower_id = _thrower_id(table, request, roll)
    is_theirs = roll.purpose == f"{subject_of(roll.purpose)}.{thrower_id}"
    words = subject_of(roll.purpose) if is_theirs else roll.purpose.replace("_", " ").replace(".", " ")
    return f"{table.state.combatants[thrower_id].name}, {words}" if thrower_id else words


def _as_list(faces: Json) -> list[Json]:
    return list(faces) if isinstance(faces, list | tuple) else [faces]
