"""Adding combatants: from a template with its sheet, or by a name and health."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, cast

from fightcall.flows.ask_flow import Answers, AskFlow
from fightcall.flows.base import Reply
from fightcall.flows.command_words import as_data, name_and_count, next_name, with_rounds
from fightcall.flows.fields import ChoiceField, Field, Filled
from fightcall.flows.place_fields import PlaceField, first_place, place_field
from fightcall.flows.quick_add import Newcomer, misread_words, read_newcomer
from fightcall.flows.templates import Template
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.board.paths import places_around
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall_engine.board.base import Location
    from fightcall_engine.board.kinds import AnyGrid
    from fightcall_engine.model.state import FightState

MOST = 100
"""The most combatants that can join at once."""
More = Callable[[], Sequence[Template]]
"""Loads further templates, which takes time."""
ARMS = ("strikes", "weapons", "abilities")
"""Lists of a sheet whose entries describe a combatant by their names."""


class NewcomerField(TextField):
    """The name of a newcomer or of a template, which Tab completes; ``x3`` after it for three of them.

    Args:
        question: the question.
        templates: templates to list at once.
        more: loads further templates, called only if the typed text begins none of these.
        health: the field of the sheet that is shown beside a template; empty for none.
    """

    def __init__(
        self, question: str, templates: Sequence[Template], more: More | None = None, health: str = ""
    ) -> None:
        super().__init__(question, suggestions=tuple(template.name for template in templates))
        self._health = health
        self._templates = {template.name: template for template in templates}
        self._more = more

    def template_called(self, name: str) -> Template | None:
        """The template with a name, in any case; None if there is none."""
        folded_name = name.casefold()
        return next(
            (template for template in self._templates.values() if template.name.casefold() == folded_name), None
        )

    def _matches(self) -> tuple[str, ...]:
        matches = super()._matches()
        if matches or self._more is None or not self._line.text.strip():
            return matches
        more, self._more = self._more, None
        for template in more():
            if self.template_called(template.name) is None:
                self._templates[template.name] = template
        self._suggestions = tuple(self._templates)
        return super()._matches()

    def _health_of(self, template: Template) -> str:
        amount = template.sheet.get(self._health)
        return f"{self._health} {amount}" if isinstance(amount, int) and amount else ""

    def view(self) -> PromptView:
        """The question, with the templates, their health and their weapons as a list."""
        view = super().view()
        if not self._templates:
            return view
        matches = [self._templates[name] for name in self._matches() if name in self._templates]
        return replace(
            view,
            choices=tuple(("", _summary(template)) for template in matches),
            remarks=tuple(self._health_of(template) for template in matches),
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
    """The place for the next of several newcomers. Enter on the proposed place takes the proposals for all the rest.

    Args:
        places: the proposed places for this one and those after it.
    """

    def __init__(self, state: FightState, places: Sequence[Location], question: str) -> None:
        super().__init__(state, places[0], question)
        self._places = tuple(places)

    def view(self) -> PromptView:
        """The question. While the cursor is on the first proposed place, Enter takes all of them."""
        view, board = super().view(), self._state.board
        if self._at != self._start or board is None:
            return view
        return replace(view, default=", ".join(board.name_of(place) for place in self._places))

    def press(self, key: str) -> Filled | bool:
        """Handle a key: move the cursor, take its place, or take all proposed places."""
        if key == "enter" and self._at == self._start:
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
        sides: the sides of the system, the players' first.
        state: the fight, with the board for placing them; None to place nobody.
        side: the default side; by default the second one.
        templates: the templates to list at once.
        more: loads further templates, called only if none of these is meant.
        health: the field of the sheet that a number fills; empty if sheets have none.
    """
    who = NewcomerField("Who joins (x3 for three, 'for 3' for three rounds)", templates, more, health)
    return _Joining(sides, state, side, who, health).flow()


class _Joining:
    """The questions about newcomers in order, and the command made from the answers.

    Args: as for `newcomer`; `who` is the first field.
    """

    def __init__(
        self, sides: Sequence[str], state: FightState | None, side: str, who: NewcomerField, health: str
    ) -> None:
        self._sides = tuple(sides)
        self._state = state
        self._side = side if side in sides else sides[min(1, len(sides) - 1)]
        self._who = who
        self._health = health

    def flow(self) -> AskFlow:
        """The flow: who, which side, how much health, and the place of each."""
        places = (partial(self._ask_place, number) for number in range(1, MOST + 1))
        return AskFlow([self._who, self._ask_side, self._ask_health, *places], self._join)

    def _typed(self, answers: Answers) -> Newcomer:
        """The typed newcomer. A number counts as health only after a side, as names may end in numbers."""
        text, _ = with_rounds(str(answers[0]))
        newcomer = read_newcomer(text, self._sides, (self._health,) if self._health else ())
        return newcomer if newcomer is not None and newcomer.side else Newcomer(*name_and_count(text))

    def _template(self, answers: Answers) -> Template | None:
        return self._who.template_called(self._typed(answers).name)

    def _ask_side(self, answers: Answers) -> Field | None:
        misread = misread_words(with_rounds(str(answers[0]))[0], self._sides, (self._health,) if self._health else ())
        if misread:
            raise Refused("name", misread, final=True)
        template = self._template(answers)
        if self._typed(answers).side or (template is not None and template.side in self._sides):
            return None
        return ChoiceField("Which side", self._sides, default=self._side)

    def _ask_health(self, answers: Answers) -> Field | None:
        is_known = self._template(answers) is not None or bool(self._typed(answers).sheet)
        if is_known or not self._health:
            return None
        return NumberField(f"How many {self._health.replace('_', ' ')}", optional=True, least=0)

    def _ask_place(self, number: int, answers: Answers) -> Field | None:
        state = self._state
        if state is None or state.board is None:
            return None
        if number == 1:
            return place_field(state, first_place(state.board), "Where", optional=True)
        newcomer, board = self._typed(answers), grid_board(state.board)
        places = [answer for answer in answers[3:] if answer is not None]
        if board is None or number > newcomer.count or not places:
            return None
        stand = [board.cell(*map(int, cast("Sequence[int]", place))) for place in places]
        free = _free_places(state, board, stand, newcomer.count - len(stand))
        return BesideField(state, free, f"Where does the next {newcomer.name} go") if free else None

    def _join(self, answers: Answers) -> Reply:
        template, newcomer = self._template(answers), self._typed(answers)
        # Fewer answers mean that the remaining questions were skipped.
        _, side, health, *places = (*answers, None, None)
        side = side or newcomer.side
        sheet: dict[str, Json] = dict(newcomer.sheet) if health is None else {self._health: health}
        data: dict[str, Json] = {"name": newcomer.name, "side": side}
        text, rounds = with_rounds(str(answers[0]))
        if newcomer.count > 1 or name_and_count(text)[0] != text:
            data["count"] = newcomer.count
        if rounds is not None:
            data["rounds"] = rounds
        if template is not None:
            data |= {"name": self._next_name(template, newcomer.count), "side": side or template.side}
            data |= {"squad": template.squad} if template.squad else {}
            sheet = {**template.sheet, **sheet}
        if sheet:
            data["sheet"] = sheet
        return Give("Join", data | _where(self._state, newcomer.count, places))

    def _next_name(self, template: Template, count: int) -> str:
        """The template's name, with the next number if it is a squad's or taken."""
        names = {combatant.name for combatant in self._state.combatants.values()} if self._state is not None else set()
        is_numbered = count == 1 and (template.squad or template.name in names)
        return next_name(names, template.name) if is_numbered else template.name


def _where(state: FightState | None, count: int, answers: Sequence[Json]) -> dict[str, Json]:
    """The place of the newcomer, or of each of them; empty if it was left open."""
    places = [answer for answer in answers if answer is not None]
    if places and isinstance(places[-1], list) and places[-1] and isinstance(places[-1][0], list):
        places = [*places[:-1], *places[-1]]
    board = grid_board(state.board) if state is not None and state.board is not None else None
    if not places:
        return {}
    if board is None or count == 1:
        return {"at": places[0]}
    return {"places": [board.name_of(board.cell(*map(int, cast("Sequence[int]", place)))) for place in places]}


def _free_places(state: FightState, board: AnyGrid, row: Sequence[Location], count: int) -> list[Location]:
    """Free places around the last one of a row, nearest first."""
    around = places_around(board, row[-1])
    return list(islice((place for place in around if state.standing_at(place) is None and place not in row), count))
