"""Cues on the fight screen: templates to fill in, and waiting cues to drop."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fightcall.flows.ask_flow import Answers, Ask, AskFlow
from fightcall.flows.base import Become, Reply
from fightcall.flows.fields import ChoiceField, Field
from fightcall.flows.list_flow import Item, ListFlow
from fightcall.flows.newcomers import ARMS
from fightcall.flows.people_fields import TargetField
from fightcall.flows.place_fields import first_place, place_field
from fightcall.flows.quick_flows import everybody
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.table import Give
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.cues import condition_words, outcome_words
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import Cue

_FILE = Path(__file__).parents[1] / "cue_templates.toml"
_BLANK = re.compile(r"<(\w+)>")


@frozen
class Question:
    """A question of a template. `kind` says how it is answered; see the template file."""

    id: str
    kind: str
    question: str


@frozen
class CueTemplate:
    """A cue with placeholders.

    Attributes:
        key: its letter in the list.
        text: the default text, with placeholders for names.
        needs: ``place`` if it needs a board although it asks for no place.
    """

    key: str
    name: str
    ask: tuple[Question, ...]
    when: Mapping[str, Json]
    then: Mapping[str, Json]
    text: str = ""
    each_time: bool = False
    needs: str = ""

    @property
    def needs_board(self) -> bool:
        """True if it needs a board."""
        return "place" in (self.needs, *(question.kind for question in self.ask))


@cache
def cue_templates() -> tuple[CueTemplate, ...]:
    """The templates, in the order of their file."""
    templates = tomllib.loads(_FILE.read_text(encoding="utf-8"))["template"]
    return tuple(CueTemplate(**{**item, "ask": tuple(Question(**each) for each in item["ask"])}) for item in templates)


def cue_list(table: Table) -> ListFlow:
    """The list of templates and waiting cues. A letter takes a template, or asks whether to drop a cue."""
    state = table.state
    items = [
        Item(_say_words(template.name), partial(_fill, table, template), key=template.key, group="Set a cue")
        for template in cue_templates()
        if state.board is not None or not template.needs_board
    ]
    waiting = [
        Item(
            _say_words(f"{condition_words(table.system, state, cue.when)}: {outcome_words(state, cue.then)}"),
            partial(_ask_to_drop, cue),
            number="each time" if cue.each_time else "",
            group="Waiting",
            explain=cue.name,
        )
        for cue in state.cues
    ]
    return ListFlow("Cues", [*items, *waiting])


def _say_words(words: str) -> Callable[[], str]:
    return lambda: words


def _ask_to_drop(cue: Cue) -> Reply:
    field = ChoiceField(f"Cue: {cue.name}", ((True, "drop it"), (False, "keep it")), default=False)

    def done(answers: Answers) -> Reply:
        return Give("DropCue", {"cue": cue.id}) if answers[0] else Become(AskFlow([field], done))

    return Become(AskFlow([field], done))


# Filling in


def _fill(table: Table, template: CueTemplate) -> Reply:
    """Ask the questions of a template, and set the cue."""

    def asked(number: int) -> Ask:
        question = template.ask[number]
        return lambda answers: _field(table, template, question, answers)

    def done(answers: Answers) -> Reply:
        data = cue_data(table.state, table.system, template, answers)
        return Give("SetCue", {**data, "each_time": template.each_time} if template.each_time else data)

    return Become(AskFlow([asked(number) for number in range(len(template.ask))], done))


def cue_data(state: FightState, system: BaseSystem, template: CueTemplate, answers: Answers) -> dict[str, Json]:
    """A template's condition and outcome, with the answers filled in."""
    values = _values(state, template, answers)
    values.setdefault("text", _usual_text(state, system, template, values))
    values["enemy"] = _enemy_of(state, str(values.get("who", "")))
    return {"when": _fill_in(template.when, values), "then": _fill_in(template.then, values)}


def usual_text(state: FightState, system: BaseSystem, template: CueTemplate, answers: Answers) -> str:
    """The default text after these answers."""
    return _usual_text(state, system, template, _values(state, template, answers))


def weapons_of(state: FightState, template: CueTemplate, answers: Answers) -> Sequence[str]:
    """The names of the weapons of the combatant in the answers."""
    return _weapons(state, str(_values(state, template, answers).get("who", "")))


def _values(state: FightState, template: CueTemplate, answers: Answers) -> dict[str, Json]:
    """The answers by their placeholders, without questions that were not asked."""
    values: dict[str, Json] = {}
    for question, answer in zip(template.ask, answers, strict=False):
        if answer is not None:
            values[question.id] = _place_name(state, answer) if question.kind == "place" else answer
    return values


def _place_name(state: FightState, answer: Json) -> str:
    """The name of a place that was answered as numbers."""
    board = grid_board(state.board) if state.board is not None else None
    return str(answer) if board is None else board.name_of(board.cell(*map(int, cast("Sequence[int]", answer))))


def _usual_text(state: FightState, system: BaseSystem, template: CueTemplate, values: Mapping[str, Json]) -> str:
    """The default text: the template's text with names filled in."""
    people = state.combatants
    words = {key: people[str(value)].name if str(value) in people else str(value) for key, value in values.items()}
    words["round_name"] = system.words(state.settings).round
    return _BLANK.sub(lambda blank: words.get(blank[1], ""), template.text)


def _fill_in(value: Json, values: Mapping[str, Json]) -> Json:
    """A value of a template with its placeholders filled in. Fields without an answer are left out."""
    if isinstance(value, str):
        blank = _BLANK.fullmatch(value)
        return values.get(blank[1]) if blank else value
    if isinstance(value, Mapping):
        parts = {key: _fill_in(item, values) for key, item in value.items()}
        return {key: item for key, item in parts.items() if item is not None}
    return [_fill_in(item, values) for item in value] if isinstance(value, list) else value


def _enemy_of(state: FightState, combatant_id: str) -> str:
    """The side of a combatant's enemies."""
    own = state.combatants[combatant_id].side if combatant_id in state.combatants else ""
    return next((each.side for each in state.combatants.values() if each.side != own), "")


def _field(table: Table, template: CueTemplate, question: Question, answers: Answers) -> Field | None:
    state, words = table.state, question.question
    match question.kind:
        case "round":
            return NumberField(words, default=str(state.round + 1), least=state.round + 1)
        case "number":
            return NumberField(words, default="1", least=1)
        case "person":
            return TargetField(state, words, everybody(state), start=table.selected)
        case "place":
            assert state.board is not None
            combatant = state.combatants.get(table.selected)
            here = combatant.at if combatant is not None else None
            return place_field(state, here if here is not None else first_place(state.board), words)
        case "weapon":
            weapons = weapons_of(state, template, answers)
            return ChoiceField(words, weapons) if weapons else None
        case _:
            return TextField(words, default=usual_text(state, table.system, template, answers))


def _weapons(state: FightState, combatant_id: str) -> Sequence[str]:
    """The names of the weapons on a combatant's sheet, missiles first."""
    combatant = state.combatants.get(combatant_id)
    entry = next((combatant.sheet[key] for key in ARMS if combatant.sheet.get(key)), ()) if combatant else ()
    things = [thing for thing in entry if isinstance(thing, Mapping)] if isinstance(entry, list | tuple) else []
    things.sort(key=lambda thing: thing.get("kind") == "melee")
    return tuple(str(thing["name"]) for thing in things if thing.get("name"))
