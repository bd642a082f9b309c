"""Adding combatants: from templates with their sheets, by a name and health, or several by one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, cast

from fightcall.flows.base import ChoiceField, Field, Filled, Reply
from fightcall.flows.command_line import as_data, name_and_count, next_name, with_rounds
from fightcall.flows.lists import Choice
from fightcall.flows.people_fields import PlaceField, place_field, start_of
from fightcall.flows.questions import Answers, AskFlow
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.board.base import Location, places_around
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import BOLD, Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import frozen, replace

if TYPE_CHECKING:
    from fightcall_engine.archive.library import CombatantTemplate

MOST = 100
"""The most combatants that can join at once."""
ARMS = ("strikes", "weapons", "abilities")
"""Lists of a sheet whose entries describe a combatant by their names."""

_NUMBER_AT_END = re.compile(r"\s+\d+$")

MOST_NUMBERS = 3
_AFTER_COUNT = re.compile(r".*\S\s+[xX*×][0-9]{1,3}\s+(\S.*)")
_NUMBER = re.compile(r"-?\d{1,4}", re.ASCII)


@frozen
class Template:
    """A template for combatants: ``Goblin`` for Goblin 1 to 3. The GM chooses its side if that is empty."""

    name: str
    side: str
    sheet: Mapping[str, Json]
    squad: str = ""
    notes: str = ""
    is_kept: bool = False
    fights: str = ""


def templates_of(
    combatants: Iterable[Combatant] = (),
    library: Iterable[CombatantTemplate] = (),
    encounters: Iterable[Encounter] = (),
) -> tuple[Template, ...]:
    """All templates; of several with the same name, the first."""
    templates: dict[str, Template] = {}
    for combatant in combatants:
        name = _NUMBER_AT_END.sub("", combatant.name) if combatant.squad else combatant.name
        fights = "" if combatant.fights == BOLD else combatant.fights.text
        template = Template(name, combatant.side, combatant.sheet, combatant.squad, fights=fights)
        templates.setdefault(name.casefold(), template)
    for card in library:
        sheet = cast("Mapping[str, Json]", card.sheet)
        template = Template(card.name, card.side, sheet, notes=card.notes, is_kept=True, fights=card.fights)
        templates.setdefault(card.name.casefold(), template)
    for encounter in encounters:
        for join in encounter.joins:
            name = _NUMBER_AT_END.sub("", join.name)
            templates.setdefault(name.casefold(), Template(name, join.side, join.sheet, notes=encounter.name))
    return tuple(templates.values())


# Adding combatants


More = Callable[[], Sequence[Template]]
"""Loads further templates, which takes time."""


class NewcomerField(TextField):
    """A name, which Tab completes; `more` templates are loaded if it begins none. `health` is shown beside it."""

    def __init__(
        self, question: str, templates: Sequence[Template], more: More | None = None, health: str = ""
    ) -> None:
        super().__init__(question, suggestions=tuple(template.name for template in templates))
        self._health = health
        self._templates = {template.name: template for template in templates}
        self._more = more

    def template_called(self, name: str) -> Template | None:
        """The template with a name, in any case; None if there is none."""
        return next((each for each in self._templates.values() if each.name.casefold() == name.casefold()), None)

    def _matches(self) -> tuple[str, ...]:
        matches = super()._matches()
        if matches or self._more is None or not self._line.text.strip():
            return matches
        more, self._more = self._more, None
        for template in more():
            if self.template_called(template.name) is None:
                self._templates[template.name] = template
        self.suggestions = tuple(self._templates)
        return super()._matches()

    def view(self) -> PromptView:
        view = super().view()
        if not self._templates:
            return view
        matches = [self._templates[name] for name in self._matches() if name in self._templates]
        healths = [template.sheet.get(self._health) for template in matches]
        return replace(
            view,
            choices=tuple(("", _summary(template)) for template in matches),
            remarks=tuple(
                f"{self._health} {amount}" if amount and isinstance(amount, int) else "" for amount in healths
            ),
            default=next((_summary(template) for template in matches if template.name == view.typed), ""),
            hint="Tab completes a name from the list; any other name is new",
            stands_upright=True,
        )


def _summary(template: Template) -> str:
    arms = [thing for key in ARMS for thing in _things(template.sheet.get(key))]
    return f"{template.name}: {', '.join(arms)}" if arms else template.name


def _things(data: Json) -> Iterator[str]:
    for thing in data if isinstance(data, list | tuple) else ():
        if isinstance(thing, Mapping) and (name := thing.get("name") or thing.get("type")):
            yield str(name)


class BesideField(PlaceField):
    """The place for the next of several newcomers, and proposals for all the rest, which Enter takes at once."""

    def __init__(self, state: FightState, places: Sequence[Location], question: str) -> None:
        super().__init__(state, places[0], question)
        self._places = tuple(places)

    def view(self) -> PromptView:
        view, board = super().view(), self.state.board
        if self._at != self.start or board is None:
            return view
        return replace(view, default=", ".join(board.name_of(place) for place in self._places))

    def press(self, key: str) -> Filled | bool:
        if key == "enter" and self._at == self.start:
            return Filled([as_data(place) for place in self._places], skip_rest=True)
        return super().press(key)


def newcomer(
    sides: Sequence[str],
    state: FightState | None = None,
    side: str = "",
    templates: Sequence[Template] = (),
    more: More | None = None,
    health: str = "",
) -> AskFlow:
    """The flow for adding combatants: who, ``x3`` for three of them, and the place of each.

    The name of a template brings its sheet and side. For any other name, side and health are asked for, unless they are
    typed after it: ``Wolf x2 foe 5``.

    Args:
        state: the fight, with the board for placing them; None to place nobody.
        side: the default side; by default the second one.
        more: loads further templates, called only if none of these is meant.
        health: the field of the sheet that a number fills; empty if sheets have none.
    """
    who = NewcomerField("Who joins (x3 for three, 'for 3' for three rounds)", templates, more, health)
    joining = _Joining(sides, state, side if side in sides else sides[min(1, len(sides) - 1)], who, health)
    places = (partial(joining.ask_place, number) for number in range(1, MOST + 1))
    return AskFlow([who, joining.ask_side, joining.ask_health, *places], joining.join)


@frozen
class _Joining:
    """The questions about newcomers after the first one, and the command made from the answers."""

    sides: Sequence[str]
    state: FightState | None
    side: str
    who: NewcomerField
    health: str

    @property
    def _numbers(self) -> tuple[str, ...]:
        return (self.health,) if self.health else ()

    def _typed(self, answers: Answers) -> Newcomer:
        """The typed newcomer. A number counts as health only after a side, as names may end in numbers."""
        text, _ = with_rounds(str(answers[0]))
        newcomer = read_newcomer(text, self.sides, self._numbers)
        return newcomer if newcomer is not None and newcomer.side else Newcomer(*name_and_count(text))

    def _template(self, answers: Answers) -> Template | None:
        return self.who.template_called(self._typed(answers).name)

    def ask_side(self, answers: Answers) -> Field | None:
        misread = misread_words(with_rounds(str(answers[0]))[0], self.sides, self._numbers)
        if misread:
            raise Refused("name", misread, final=True)
        template = self._template(answers)
        if self._typed(answers).side or (template is not None and template.side in self.sides):
            return None
        return ChoiceField("Which side", self.sides, default=self.side)

    def ask_health(self, answers: Answers) -> Field | None:
        is_known = self._template(answers) is not None or bool(self._typed(answers).sheet)
        if is_known or not self.health:
            return None
        return NumberField(f"How many {self.health.replace('_', ' ')}", optional=True, least=0)

    def ask_place(self, number: int, answers: Answers) -> Field | None:
        state = self.state
        if state is None or state.board is None:
            return None
        if number == 1:
            return place_field(state, start_of(state, None), "Where", optional=True)
        newcomer, board = self._typed(answers), grid_board(state.board)
        places = [answer for answer in answers[3:] if answer is not None]
        if board is None or number > newcomer.count or not places:
            return None
        stand = [board.cell(*map(int, cast("Sequence[int]", place))) for place in places]
        around = (at for at in places_around(board, stand[-1]) if state.standing_at(at) is None and at not in stand)
        free = list(islice(around, newcomer.count - len(stand)))
        return BesideField(state, free, f"Where does the next {newcomer.name} go") if free else None

    def join(self, answers: Answers) -> Reply:
        template, newcomer = self._template(answers), self._typed(answers)
        # Fewer answers mean that the remaining questions were skipped.
        _, side, health, *places = (*answers, None, None)
        side = side or newcomer.side
        sheet: dict[str, Json] = dict(newcomer.sheet) if health is None else {self.health: health}
        data: dict[str, Json] = {"name": newcomer.name, "side": side}
        text, rounds = with_rounds(str(answers[0]))
        if newcomer.count > 1 or name_and_count(text)[0] != text:
            data["count"] = newcomer.count
        if rounds is not None:
            data["rounds"] = rounds
        if template is not None:
            data |= {"name": self._next_name(template, newcomer.count), "side": side or template.side}
            data |= {"squad": template.squad} if template.squad else {}
            data |= {"fights": template.fights} if template.fights else {}
            sheet = {**template.sheet, **sheet}
        if sheet:
            data["sheet"] = sheet
        return Give("Join", data | _where(self.state, newcomer.count, places))

    def _next_name(self, template: Template, count: int) -> str:
        names = {combatant.name for combatant in self.state.combatants.values()} if self.state is not None else set()
        is_numbered = count == 1 and (template.squad or template.name in names)
        return next_name(names, template.name) if is_numbered else template.name


def _where(state: FightState | None, count: int, answers: Sequence[Json]) -> dict[str, Json]:
    places = [answer for answer in answers if answer is not None]
    if places and isinstance(places[-1], list) and places[-1] and isinstance(places[-1][0], list):
        places = [*places[:-1], *places[-1]]
    board = grid_board(state.board) if state is not None and state.board is not None else None
    if not places:
        return {}
    if board is None or count == 1:
        return {"at": places[0]}
    return {"places": [board.name_of(board.cell(*map(int, cast("Sequence[int]", place)))) for place in places]}


# Adding combatants by one line


@frozen
class Newcomer:
    """A typed newcomer; `form` is whether to fill in the whole form first."""

    name: str = ""
    count: int = 1
    side: str = ""
    sheet: Mapping[str, Json] = field(default_factory=dict)
    form: bool = False
    fights: str = ""

    def data(self) -> dict[str, Json]:
        """The newcomer as data for the form."""
        count, side = self.count if self.count > 1 else None, self.side or None
        data: dict[str, Json] = {"name": self.name, "count": count, "side": side, "sheet": dict(self.sheet)}
        return data | ({"fights": self.fights} if self.fights else {})


def quick_numbers(system: BaseSystem, settings: Mapping[str, Scalar] | None = None) -> tuple[str, ...]:
    """The fields of a sheet whose numbers can be typed after a name: health first, then in the sheet's order."""
    properties = cast("Mapping[str, Mapping[str, Json]]", system.sheet_schema(settings).get("properties", {}))
    variants = {
        key: cast("Sequence[Mapping[str, Json]]", each.get("anyOf", (each,))) for key, each in properties.items()
    }
    whole = [key for key, kinds in variants.items() if any(kind.get("type") == "integer" for kind in kinds)]
    return tuple(sorted(whole, key=lambda key: key != system.health))[:MOST_NUMBERS]


def health_field(system: BaseSystem, settings: Mapping[str, Scalar] | None = None) -> str:
    """The field of a sheet that gives the health; empty if there is none."""
    return system.health if system.health in quick_numbers(system, settings)[:1] else ""


def read_newcomer(text: str, sides: Sequence[str], numbers: Sequence[str]) -> Newcomer | None:
    """Read ``Goblin x3 foe 7 12``: a side by its word, `numbers` in their order; None without a name."""
    words = text.split()
    values: list[int] = []
    side = ""
    while len(words) > 1:
        last = words[-1]
        if _NUMBER.fullmatch(last) and len(values) < len(numbers):
            values.insert(0, int(last))
        elif last.casefold() in sides and not side:
            side = last.casefold()
        else:
            break
        words.pop()
    if not words:
        return None
    name, count = name_and_count(" ".join(words))
    return Newcomer(name, count, side, dict(zip(numbers, values, strict=False)))


def misread_words(text: str, sides: Sequence[str], numbers: Sequence[str]) -> str:
    """What cannot be understood of the words after ``x3``, and what is accepted there; empty if all can be."""
    newcomer = read_newcomer(text, sides, numbers)
    late = _AFTER_COUNT.fullmatch(newcomer.name) if newcomer is not None else None
    if late is None:
        return ""
    words = [word for word in late[1].split() if word.casefold() not in sides and not _NUMBER.fullmatch(word)]
    accepts = f"a side ({', '.join(sides)})" + (", numbers" if numbers else "")
    return f"not understood: {', '.join(words) or late[1]}; accepted after the count: {accepts}"


def newcomers(
    text: str, templates: Sequence[Template], system: BaseSystem, numbers: Sequence[str]
) -> tuple[Choice, ...]:
    """The choices for a typed text: matching templates, the newcomer as typed, the whole form."""
    newcomer = read_newcomer(text, system.sides, numbers)
    form = Choice("form", "a new combatant", "the whole form")
    if newcomer is None:
        return (form, *(_choice(template, Newcomer()) for template in templates))
    folded_name = newcomer.name.casefold()
    matches = [each for each in templates if folded_name in each.name.casefold()]
    first = [each for each in matches if each.is_kept and each.name.casefold().startswith(folded_name)]
    others = [each for each in matches if each not in first]
    new = (Choice("typed", newcomer.name, _remark(newcomer)), Choice("form", newcomer.name, "the whole form"))
    return (*(_choice(each, newcomer) for each in first), *new, *(_choice(each, newcomer) for each in others))


def _choice(template: Template, newcomer: Newcomer) -> Choice:
    remark = f"x{newcomer.count}  " if newcomer.count > 1 else ""
    side = newcomer.side or template.side
    return Choice(f"template {template.name}", template.name, f"{remark}{side}  {template.notes}".strip())


def _remark(newcomer: Newcomer) -> str:
    numbers = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in newcomer.sheet.items())
    parts = (f"x{newcomer.count}" if newcomer.count > 1 else "", newcomer.side, numbers)
    return "  ".join(part for part in parts if part) or "with the usual numbers"


def newcomer_of(
    choice: Choice, text: str, templates: Sequence[Template], sides: Sequence[str], numbers: Sequence[str]
) -> Newcomer:
    """The newcomer for a choice and the typed text."""
    newcomer = read_newcomer(text, sides, numbers) or Newcomer()
    if choice.id == "form":
        return replace(newcomer, form=True)
    template = next((template for template in templates if choice.id == f"template {template.name}"), None)
    if template is None:
        return newcomer
    sheet = {**template.sheet, **newcomer.sheet}
    return Newcomer(template.name, newcomer.count, newcomer.side or template.side, sheet, fights=template.fights)
