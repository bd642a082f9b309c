"""The command line: a verb, whom, and the rest, with completion of all three."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from fightcall_engine.board.hexes import Hex
from fightcall_engine.commands import Command
from fightcall_engine.state import FightState, Json

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Give, Overlay, Turn
from fightcall.flows.quick import value_of
from fightcall.paint.promptbar import PromptView

if TYPE_CHECKING:
    from fightcall_engine.codec import Codec

_PEOPLE = ("who", "target", "enemy", "by")
_LAST = ("rolls", "force")


class CommandLineFlow:
    """``:damage 2 7``, ``:set ash hp 5``, ``:move ash to=F5``, ``:strike ash orc hit=yes damage=d6``.

    Words fill the command's fields in order; ``field=value`` fills one by name; ``!`` at the end is the GM's word.
    Combatants go by label, id or the beginning of a name.
    """

    def __init__(self, state: FightState, codec: Codec, history: tuple[str, ...] = ()) -> None:
        self._state = state
        self._codec = codec
        self._kinds: dict[str, type[Command]] = codec.command_kinds
        self._typed = ""
        self._error = ""
        self._past = history
        self._back = len(history)

    @property
    def text(self) -> str:
        """What has been typed."""
        return self._typed

    def view(self) -> PromptView:
        """What is typed, what would complete it, and which fields the command has."""
        matches = self._completions()
        hint = "  ".join(matches[:8]) or self._usage()
        return PromptView(question=":", typed=self._typed, hint=hint, error=self._error)

    def overlay(self) -> Overlay:
        """Nothing on the board."""
        return Overlay()

    def _usage(self) -> str:
        kind = self._kind()
        if kind is None:
            return ""
        names = [one.name for one in fields(kind) if one.name not in _LAST]
        return f"{kind.__name__}: {' '.join(names)}"

    def _kind(self) -> type[Command] | None:
        words = self._typed.split()
        return self._kinds.get(words[0].lower().replace("_", "")) if words else None

    def _completions(self) -> list[str]:
        words = self._typed.split(" ")
        last = words[-1].lower()
        if len(words) == 1:
            return [name for name in self._kinds if name.startswith(last)]
        kind = self._kind()
        names = [f"{one.name}=" for one in fields(kind) if one.name not in _LAST] if kind else []
        people = [one.id for one in self._state.combatants.values()]
        return [one for one in (*people, *names) if last and one.startswith(last) and one != last]

    def press(self, key: str) -> Turn:
        """Type; tab completes; up and down recall; Enter gives the command."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "enter":
            return self._enter()
        if key == "tab":
            matches = self._completions()
            if matches:
                self._typed = " ".join([*self._typed.split(" ")[:-1], matches[0]])
                self._typed += "" if self._typed.endswith("=") else " "
        elif key in ("up", "down") and self._past:
            self._back = max(0, min(len(self._past), self._back + (1 if key == "down" else -1)))
            self._typed = self._past[self._back] if self._back < len(self._past) else ""
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif key == "space" or (len(key) == 1 and key.isprintable()):
            self._typed += " " if key == "space" else key
        else:
            return IGNORED
        return STAY

    def _enter(self) -> Turn:
        if not self._typed.strip(" !"):
            return CANCELLED
        try:
            return self._read(self._typed)
        except ValueError as error:
            self._error = str(error)
            return STAY

    def _read(self, text: str) -> Give:
        force = text.rstrip().endswith("!")
        words = shlex.split(text.rstrip().rstrip("!"))
        name = words[0].lower().replace("_", "")
        kind = self._kinds.get(name)
        if kind is None:
            raise ValueError(f"no command {words[0]!r}; Tab completes")
        order = [one.name for one in fields(kind) if one.name not in _LAST]
        fixed = self._codec.fixed_fields(name)
        free = [one for one in order if one not in fixed]
        data: dict[str, Json] = {}
        for word in words[1:]:
            field, equals, value = word.partition("=")
            if equals and field in (*order, "rolls"):
                data[field] = self._value(field, value)
            else:
                left = [one for one in free if one not in data]
                if not left:
                    raise ValueError(f"{word!r} is one too many; {kind.__name__} takes {', '.join(order)}")
                data[left[0]] = self._value(left[0], word)
        if force:
            data["force"] = True
        return Give(name, data)

    def _value(self, field: str, text: str) -> Json:
        if text[:1] in "[{":
            try:
                loaded: Json = json.loads(text)
            except ValueError as error:
                raise ValueError(f"{text!r} is not JSON: {error}") from error
            return loaded
        if field in _PEOPLE:
            return self._person(text)
        return text if field in ("name", "note", "text", "at", "to") else value_of(text)

    def _person(self, text: str) -> str:
        people: Mapping[str, str] = {one.label.lower(): one.id for one in self._state.combatants.values()}
        low = text.lower()
        if low in people:
            return people[low]
        for one in self._state.combatants.values():
            if one.id == text or one.name.lower().startswith(low):
                return one.id
        return text

    def point(self, place: Hex) -> Turn:
        """A click on the board writes the place."""
        if self._state.board is not None:
            self._typed += self._state.board.name_of(place) + " "
        return STAY

    def pick(self, who: str) -> Turn:
        """A click on a combatant writes the id."""
        self._typed += who + " "
        return STAY
