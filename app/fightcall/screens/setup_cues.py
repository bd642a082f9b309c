"""Setting a cue for a draft: a template, then one question at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fightcall.flows.cues import CueTemplate, Question, cue_data, cue_templates, usual_text, weapons_of
from fightcall.flows.picker import Choice, Picker
from fightcall_engine.model.commands import SetCue
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall.screens.base import BaseScreen
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


class CueDialog:
    """Asks the questions for a cue.

    Args:
        screen: the screen that asks.
        state: the state in which the fight would begin.
        system: its rules.
        done: called with the cue.
    """

    def __init__(
        self, screen: BaseScreen, state: FightState, system: BaseSystem, done: Callable[[SetCue], None]
    ) -> None:
        self._screen = screen
        self._state = state
        self._system = system
        self._done = done

    def begin(self) -> None:
        """Ask for the template."""
        templates = [
            template for template in cue_templates() if self._state.board is not None or not template.needs_board
        ]
        choices = tuple(Choice(str(index), template.name) for index, template in enumerate(templates))
        self._pick("Set a cue", choices, lambda choice: self._ask(templates[int(choice.id)], []))

    def _pick(self, title: str, choices: tuple[Choice, ...], picked: Callable[[Choice], None]) -> None:
        picker = Picker(title, choices)
        self._screen.host.open_screen("pick", picker=picker, picked=lambda choice, text: picked(choice))

    def _ask(self, template: CueTemplate, answers: list[Json]) -> None:
        if len(answers) == len(template.ask):
            data = cue_data(self._state, self._system, template, answers)
            when, then = data["when"], data["then"]
            assert isinstance(when, dict)
            assert isinstance(then, dict)
            self._done(SetCue(when=when, then=then, each_time=template.each_time))
            return
        question = template.ask[len(answers)]

        def answered(value: Json) -> None:
            self._ask(template, [*answers, value])

        match question.kind:
            case "person":
                people = self._state.combatants.values()
                choices = tuple(Choice(combatant.id, combatant.name, combatant.side) for combatant in people)
                self._pick(question.question, choices, lambda choice: answered(choice.id))
            case "weapon":
                weapons = weapons_of(self._state, template, answers)
                if not weapons:
                    answered(None)
                    return
                choices = tuple(Choice(weapon, weapon) for weapon in weapons)
                self._pick(question.question, choices, lambda choice: answered(choice.id))
            case _:
                self._type(template, question, answers, answered)

    def _type(
        self, template: CueTemplate, question: Question, answers: list[Json], answered: Callable[[Json], None]
    ) -> None:
        board = self._state.board
        texts = {"round": "2", "number": "1", "place": ""}
        text = texts.get(question.kind, usual_text(self._state, self._system, template, answers))

        def done(entry: str) -> str | None:
            entry = entry.strip()
            if question.kind in ("round", "number"):
                if not (entry.isascii() and entry.isdecimal() and 0 < int(entry) < 1000):
                    return "a whole number from 1"
                answered(int(entry))
            elif question.kind == "place" and board is not None:
                try:
                    place = board.parse(entry)
                except ValueError as error:
                    return str(error)
                answered(place if isinstance(place, str) else [*place])
            else:
                answered(entry or text)
            return None

        hint = f"{board.extent()}" if question.kind == "place" and board is not None else ""
        self._screen.enter(question.question, done, text=text, hint=hint)
