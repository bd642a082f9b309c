"""Beginning an option: its panel, the questions for its inputs, the rolls that the table types, or its command.

And answering an open prompt, also in the panel of an exchange: Enter takes the default, a letter picks, digits type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from fightcall.flows.base import (
    BACKWARD,
    CANCELLED,
    IGNORED,
    MEANINGS,
    ONWARD,
    STAY,
    TYPES_A_SPACE,
    UNANSWERED,
    Become,
    ChoiceField,
    FacesField,
    Field,
    Flow,
    OutcomeField,
    Overlay,
    Reply,
    Say,
    Select,
    cycle_index,
    dice_of,
    face_error,
    is_digit,
    read_faces,
    table_die_words,
    total_error,
    with_digit,
    with_rule,
)
from fightcall.flows.command_line import as_data
from fightcall.flows.exchange_draft import DAMAGE, is_exchange
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.path_fields import HexesField, PathField, ZonePathField
from fightcall.flows.people_fields import PeopleField, TargetField, place_field, start_of
from fightcall.flows.questions import Answers, AskFlow, OptionFlow, filled_in
from fightcall.flows.text_fields import (
    AmountField,
    NumberField,
    TextField,
    is_amount_key,
    line_text,
    read_amount,
    typed_into,
)
from fightcall.paint.feed import Keys, PanelView
from fightcall.paint.prompt_bar import DIGITS, PromptView, TextLine, number_words, takes_dice
from fightcall.table import Give, Outcome, Table
from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.decision import throws_at_table
from fightcall_engine.kit.movement import BROKEN, HITS, Preview, Row, question_row
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.dice import bare_dice, subject_of
from fightcall_engine.model.errors import RollNeeded
from fightcall_engine.model.events import CueFired, DiceRolled, RulingAsked, RulingRecorded
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import CUE, Choice, FightState, Json, Prompt
from fightcall_engine.model.values import frozen, replace, required_fields
from fightcall_engine.play.decide import preview_command
from fightcall_engine.play.history import Entry

GOING_ON = ("Answer", "Advance")
"""Commands that only go on: the act and its actor are found in their events."""
NUMBERS = re.compile(r"\d+")
MOST_ANSWERS = 40
"""The most questions that one key answers."""


class AnswerFlow(Flow):
    """Answers a prompt, with `owed_die` for the table to type. A choice's ``d`` comes before dice: type ``1d6``."""

    def __init__(self, prompt: Prompt, at: Location | None = None, queue: int = 0, *, owed_die: str = "") -> None:
        self.prompt, self._at, self._queue, self._owed_die = prompt, at, queue, owed_die
        self._keys = answer_keys(prompt.choices, digits=not (prompt.dice or prompt.amount))
        ids = [choice.id for choice in prompt.choices]
        self._chosen = ids.index(prompt.default) if prompt.default in ids else -1
        self._typed, self._line = "", TextLine()

    @property
    def is_typing(self) -> bool:
        """True if the answer is free text: there are no choices, and no number is asked for."""
        return not self.prompt.choices and not self.prompt.amount

    @property
    def is_as_proposed(self) -> bool:
        """True while nothing was typed, and the default is marked."""
        choice_id = self.prompt.choices[self._chosen].id if self._chosen >= 0 else self.prompt.default
        return not self._typed and not self._line.text and choice_id == self.prompt.default

    @property
    def waits_for_die(self) -> bool:
        """True while the default needs a roll of the table that was not typed."""
        return bool(self._owed_die) and self.is_as_proposed

    @property
    def call_words(self) -> str:
        if self.is_typing:
            return TYPES_A_SPACE
        # Spaces separate the typed faces of several dice.
        return "a space, before the next die" if self._types("space") else self.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        prompt = self.prompt
        digits = number_words(prompt)
        if prompt.dice:
            digits = f"the {digits} rolled at the table"
        elif takes_dice(prompt):
            digits = f"{digits}, or dice"
        words = ("any words" if self.is_typing else "", f"{DIGITS}: {digits}" if digits else "")
        default = prompt.choices[self._chosen].label if self._chosen >= 0 else prompt.default
        # The answer that Enter gives is shown separately.
        pairs = tuple(zip(self._keys, (choice.label for choice in prompt.choices), strict=True))
        return PromptView(
            question=prompt.question,
            choices=pairs if self._typed else tuple(pair for at, pair in enumerate(pairs) if at != self._chosen),
            typed=line_text(self._line) if self.is_typing else self._typed,
            hint=", or ".join(filter(None, words)),
            rule=prompt.rule,
            error=self._error or face_error(self._typed, prompt.dice),
            is_impossible=bool(face_error(self._typed, prompt.dice)),
            default="" if self._typed or self.waits_for_die else default,
            queue=self._queue,
        )

    def overlay(self) -> Overlay:
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Reply:
        """Answer, type, or leave the key to the screen; see `Flow.press`."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "enter":
            return self._enter()
        return self._write(key) if self.is_typing else self._choose(key)

    def _write(self, key: str) -> Reply:
        if key == "backspace" and not self._line.text:
            return STAY
        line = typed_into(self._line, key)
        if line is None:
            return IGNORED
        self._line = line
        return STAY

    def _choose(self, key: str) -> Reply:
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return STAY
        if key in self._keys and key and not self._typed:
            return self._take(self.prompt.choices[self._keys.index(key)])
        if self._types(key):
            self._typed = with_digit(self._typed, " " if key == "space" else key.lower(), self.prompt.dice)
            return STAY
        if key in (*ONWARD, *BACKWARD) and self.prompt.choices:
            first = self._chosen if self._chosen >= 0 or key in ONWARD else 0
            self._chosen = cycle_index(first, key, len(self.prompt.choices))
            return STAY
        if self._typed and key == "space":
            return self._enter()
        if self._typed and len(key) == 1:
            return self.complain(f"{key} does nothing here; Enter accepts {self._typed}")
        # Elsewhere this letter may begin an act, which a key pressed too late must not do.
        return self.complain(f"{MEANINGS[key]} isn't an answer here") if key in MEANINGS else IGNORED

    def _types(self, key: str) -> bool:
        if takes_dice(self.prompt):
            return is_amount_key(key, self._typed)
        if not self.prompt.dice:
            return bool(self.prompt.amount) and is_digit(key)
        return is_digit(key) or (key == "space" and bool(self._typed) and len(dice_of(self.prompt.dice)) > 1)

    def _enter(self) -> Reply:
        try:
            if self.is_typing:
                return self._enter_words()
            return self._enter_typed() if self._typed else self._enter_chosen()
        except ValueError as error:
            return self.complain(str(error))

    def _enter_chosen(self) -> Reply:
        if self.waits_for_die:
            raise ValueError(table_die_words(self._owed_die))
        if self._chosen >= 0:
            return self._take(self.prompt.choices[self._chosen])
        if not self.prompt.default:
            raise ValueError("this question needs an answer")
        return self._give(choice=self.prompt.default)

    def _take(self, choice: Choice) -> Reply:
        return Select(choice.who, to_act=True) if choice.who else self._give(choice=choice.id)

    def _enter_typed(self) -> Reply:
        if not self.prompt.dice:
            return self._give(amount=read_amount(self._typed))
        faces = read_faces(self._typed, self.prompt.dice)
        if self._chosen < 0 and len(self.prompt.choices) != 1:
            raise ValueError("choose an answer with Tab, besides the die")
        choice_id = self.prompt.choices[max(self._chosen, 0)].id
        return self._give(choice=choice_id, rolls={self.prompt.purpose: list(faces)})

    def _enter_words(self) -> Reply:
        text = self._line.text.strip() or self.prompt.default
        if not text:
            raise ValueError("this question needs an answer")
        return self._give(choice=text)

    def _give(self, **data: Json) -> Give:
        return Give("Answer", {"prompt": self.prompt.id, **data})


def answer_keys(choices: Sequence[Choice], *, digits: bool) -> tuple[str, ...]:
    """The key of each choice: its own, else a digit if digits are not an answer themselves."""
    spare = (str(number) for number in range(1, 10))
    return tuple(choice.key or (next(spare, "") if digits else "") for choice in choices)


# Following up an exchange


@frozen
class Exchange:
    """An act against another, not over while questions of it are open; `start` is the number of entries before it."""

    title: str
    start: int


def find_exchange(table: Table) -> Exchange | None:
    """The exchange that the open questions belong to; None for none. What a cue holds is an exchange of its own."""
    if all(prompt.kind in table.system.apart for prompt in table.state.prompts if prompt.blocking):
        return None
    line = table.fight.line
    for index in range(line.entry_count() - 1, -1, -1):
        before = line.seek(line.span(index)[0])
        if not any(prompt.blocking and prompt.kind != CUE for prompt in before.prompts):
            title = _title_of(table, before, line.entry(index))
            return Exchange(title, index) if title else None
    return None


def _title_of(table: Table, before: FightState, entry: Entry) -> str:
    system, name = table.system, str(entry.command["type"])
    is_attack = any(system.follows_attack(prompt) for prompt in table.state.prompts if prompt.blocking)
    answered = before.prompt(str(entry.command.get("prompt", "")))
    if name not in GOING_ON or (answered is not None and answered.kind == CUE):
        data = {key: value for key, value in entry.command.items() if key != "type"}
        preview = preview_command(system, before, table.fight.codec.command(name, data))
        if preview.target_id:
            return preview.title
    if not is_attack:
        return ""
    state = before
    for event in entry.events:
        words = phrase(system, event, state)
        if words is not None and words.tone not in ("heading", "aside", "dim"):
            return words.words
        state = evolve(state, event)
    return ""


def open_questions(table: Table) -> tuple[Prompt, ...]:
    """The blocking questions; those of the exchange if there is one."""
    return tuple(prompt for prompt in table.state.prompts if prompt.blocking)


def answer_rest(table: Table) -> Outcome:
    """Answer the rest of an exchange by defaults, each in an entry; not without one, a typed roll, or a cue."""
    outcome = Outcome(True)
    for _ in range(MOST_ANSWERS):
        prompt = next(iter(open_questions(table)), None)
        if prompt is None or prompt.kind == CUE or not prompt.default or not outcome.done or table.owed_die(prompt):
            break
        outcome = table.give(Give("Answer", {"prompt": prompt.id}))
    return outcome


def follow_up_panel(table: Table, exchange: Exchange, flow: AnswerFlow) -> PanelView:
    """The panel of an exchange whose questions are being answered, with the first one marked."""
    story_rows = tuple(_rows_so_far(table, exchange))
    prompts = open_questions(table)
    rows = [*story_rows, *(_untitled(question_row(prompt), exchange.title) for prompt in prompts)]
    marked_row = next((at for at, row in enumerate(rows) if row.prompt == flow.prompt.id), -1)
    view = flow.view()
    typed_by_row = {marked_row: view.typed} if view.typed and marked_row >= 0 else {}
    hints: dict[int, Keys] = {marked_row: view.choices} if marked_row >= 0 else {}
    if marked_row >= 0:
        rows[marked_row] = replace(rows[marked_row], detail=f"⏎ {view.default}" if view.default else "")
    # A question without a default says so when Enter is pressed.
    enter = "" if flow.waits_for_die else view.default or ("accept" if view.enter_words else "")
    rest = " and everything left" if len(prompts) > 1 and not view.typed else ""
    number = number_words(flow.prompt)
    # Other totals, such as those of lasting harm, are the GM's.
    dice = table.die_of(flow.prompt) if flow.prompt.kind == DAMAGE else ""
    keys: list[tuple[str, str]] = [("enter", f"{enter}{rest}")] if enter else []
    keys += [("digits", number)] if number else []
    return PanelView(
        exchange.title,
        rows=tuple(rows),
        marked=marked_row,
        typed=typed_by_row,
        hints=hints,
        keys=(*keys, ("!", "GM override"), ("esc", "later")),
        complaint=view.error or total_error(view.typed or "", dice),
    )


def _rows_so_far(table: Table, exchange: Exchange) -> Iterator[Row]:
    line, fallen = table.fight.line, set[str]()
    for index in range(exchange.start, line.entry_count()):
        state = line.seek(line.span(index)[0])
        for event in line.entry(index).events:
            is_asked = isinstance(event, CueFired | RulingAsked | RulingRecorded)
            words = None if is_asked else phrase(system_of(state), event, state)
            sentence = words.words if words is not None and words.tone not in ("heading", "aside") else ""
            row = _untitled(Row("", sentence, rule=words.rule if words is not None else ""), exchange.title)
            numbers = set(NUMBERS.findall(row.text))
            if isinstance(event, DiceRolled):
                fallen |= numbers
            # A total alone says no more than its dice.
            elif words is not None and row.text == f"({words.edge})" and numbers and numbers <= fallen:
                continue
            if row.text:
                yield row
            state = evolve(state, event)


def _untitled(row: Row, title: str) -> Row:
    return replace(row, text=row.text.removeprefix(title).lstrip(" :."))


def option_turn(table: Table, option: Option, combatant_id: str, target: str = "") -> Reply:
    """Begin an option of a combatant, or give its command at once if it has no inputs.

    Every input is asked for, even if there is only one answer, so that the same act always takes the same keys, and a
    label typed from habit never becomes the face of a die.

    Args:
        target: the target if it is known; by default the most likely one.
    """
    state, system = table.state, table.system
    data: dict[str, Json] = dict(option.fixed)
    if "who" in required_fields(table.fight.codec.command_kinds[option.command.lower()]):
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
            broken = next((row for row in preview.rows if row.status == BROKEN), None)
            return (
                concerned if broken is None else with_rule(broken.detail or broken.text, system.rule_words(broken.rule))
            )

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


def _is_placed(state: FightState, combatant_id: str) -> bool:
    combatant = state.combatants.get(combatant_id)
    return state.board is not None and combatant is not None and combatant.at is not None


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
    """The field for an input; `judge` is that of `CursorField`, for an act aimed at a place."""
    question = f"{title}: {field.label}" if field.label else title
    match field.kind:
        case "target":
            start, choices, is_optional = field.default or likely, field.choices, field.optional
            return TargetField(
                state, question, choices, start=start, optional=is_optional, shooter=combatant_id, may_be_open=True
            )
        case "people":
            proposed_ids = field.default.split()
            return PeopleField(state, question, field.choices, proposed=proposed_ids, optional=field.optional)
        case "path" if not _is_placed(state, combatant_id):
            return HexesField(state, system, combatant_id, field.mode, question)
        case "path":
            kind = PathField if grid_board(state.board) is not None else ZonePathField
            return kind(state, system, combatant_id, field.mode, question, likely)
        case "place":
            near, here = field.mode != "anywhere", start_of(state, state.combatants[combatant_id])
            judged = None if near else judge
            places = () if state.board is None else tuple(map(state.board.parse, field.choices))
            return place_field(state, here, question, near=near, optional=field.optional, judge=judged, likely=places)
        case "number":
            is_typed = bool(field.dice) and throws_at_table(state, system.sides, combatant_id)
            return NumberField(
                question,
                dice=field.dice,
                default=field.default,
                optional=field.optional and not is_typed,
                decimals=not field.dice,
                left_open=f"roll {field.dice}" if field.dice else "leave it open",
                expects=f"the {bare_dice(field.dice)} rolled at the table" if is_typed else "a number",
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
    """Asks for faces, in the act's panel if any, and gives the command again. Escape returns to its `origin`."""

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
        self._rows = [Row(subject_of(roll.purpose), f"with {roll.dice}", dice=roll.dice) for roll in self._owed]
        words = (f"{_throw_words(table, request, roll)}: your {bare_dice(roll.dice)}" for roll in self._owed)
        fields = [FacesField(roll.purpose, roll.dice, each) for roll, each in zip(self._owed, words, strict=True)]
        super().__init__(fields, lambda answers: _with_rolls(request, self._owed, answers))

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
        dice = bare_dice(self._owed[len(self._answers)].dice)
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
