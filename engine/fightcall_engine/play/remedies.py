"""Trying the alternatives of a refusal, to leave out those that would be refused as well."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from operator import itemgetter
from typing import NamedTuple

from fightcall_engine.model.commands import Answer, Command, squeeze
from fightcall_engine.model.errors import Accepted, BadInput, FieldValue, NeedsDice, Refused, RulingWanted
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import field_names, required_fields
from fightcall_engine.play.codec import Codec

Attempt = Callable[[Command], object]
"""Decides a command without doing it; raises as `Fight.decide` does."""
IsOffered = Callable[[type[Command]], bool]
"""Whether a class of commands is among a combatant's legal options."""


class _Outcome(IntEnum):
    """The result of trying an alternative, the best of all its readings."""

    REFUSED = 0
    INCOMPLETE = 1
    OTHER_FAULT = 2
    DONE = 3


class _Reading(NamedTuple):
    """A command that an alternative may stand for, or what is missing for one.

    Attributes:
        request: the command; None if fields are missing.
        kind: its class.
        mends: it is the refused command with the alternative in it.
        is_guess: the alternative may also mean something else, so that a refusal of the request proves nothing.
        missing: the fields that are missing.
    """

    request: Command | None
    kind: type[Command]
    mends: bool = False
    is_guess: bool = False
    missing: str = ""


class Remedies:
    """Tries the alternatives of refusals in one state."""

    def __init__(self, state: FightState, codec: Codec, attempt: Attempt, is_offered: IsOffered) -> None:
        self._state, self._codec = state, codec
        self._attempt, self._is_offered = attempt, is_offered

    def keep_possible(self, no: Refused, command: Command) -> Refused:
        """The refusal without those alternatives that would be refused in turn.

        An alternative is tried if it can be read as a request: the name of a command, alone or with its first field
        (``set_mode free``); a choice of an open question; a value for the field that the refusal names or quotes, or
        for one that it begins with (``modifier 0``); another actor. Other words are kept, and so is what mends this
        fault if the command has another one, except that of people only those remain who can do it, if there are any.
        Missing fields of a possible command are added: ``rest with kind``.
        """
        if no.rule == "command":
            return no
        people = self._state.combatants
        fates = {entry: self._fares(entry, no, command) for entry in no.alternatives}
        can_somebody = any(fate and fate[0] is _Outcome.DONE for entry, fate in fates.items() if entry in people)
        possible: list[Accepted] = []
        for entry, fate in fates.items():
            outcome, text = fate or (_Outcome.DONE, entry)
            least = _Outcome.DONE if entry in people and can_somebody else _Outcome.INCOMPLETE
            if outcome >= least:
                possible.append(text)
        return Refused(no.rule, no.message, tuple(possible), final=no.final)

    def _fares(self, entry: Accepted, no: Refused, command: Command) -> tuple[_Outcome, Accepted] | None:
        """The result of an alternative, and how to word it; None if it cannot be read as a request."""
        if isinstance(entry, RulingWanted):
            return None
        if isinstance(entry, FieldValue):
            mended = self._mend(command, entry.field, entry.value)
            return max((self._outcome(reading, entry, no) for reading in mended), key=itemgetter(0), default=None)
        return self._fares_as_words(entry, no, command)

    def _fares_as_words(self, entry: str, no: Refused, command: Command) -> tuple[_Outcome, Accepted] | None:
        if entry in field_names(type(command)):
            return None
        best: tuple[_Outcome, Accepted] | None = None
        for reading in self._readings(entry, no, command):
            outcome = self._outcome(reading, entry, no)
            if outcome[0] is _Outcome.DONE:
                return outcome
            if not reading.is_guess:
                best = outcome if best is None else max(best, outcome, key=itemgetter(0))
        # Several words that are refused as a value were probably none.
        return None if best is not None and best[0] is _Outcome.REFUSED and " " in entry else best

    def _outcome(self, reading: _Reading, entry: Accepted, no: Refused) -> tuple[_Outcome, Accepted]:
        missing = reading.missing
        if reading.request is not None:
            try:
                self._attempt(reading.request)
            except NeedsDice:
                pass
            except Refused as again:
                if reading.mends and self._without_names(again) != self._without_names(no):
                    return _Outcome.OTHER_FAULT, entry
                missing = "" if reading.mends or again.rule not in field_names(reading.kind) else again.rule
            except BadInput:
                return _Outcome.REFUSED, entry
            else:
                return _Outcome.DONE, entry
        if missing and missing != "who" and self._is_offered(reading.kind):
            return _Outcome.INCOMPLETE, f"{entry} with {missing}"
        return _Outcome.REFUSED, entry

    def _without_names(self, no: Refused) -> tuple[str, str]:
        """A refusal's rule and message without names, to recognise the same fault of another combatant."""
        message = no.message
        for combatant in self._state.combatants.values():
            message = message.replace(combatant.name, "")
        return no.rule, re.sub(r"'[^']*'", "", message)

    def _readings(self, entry: str, no: Refused, command: Command) -> Iterator[_Reading]:
        for prompt in self._state.prompts:
            if any(choice.id == entry for choice in prompt.choices):
                yield _Reading(Answer(prompt=prompt.id, choice=entry), Answer)
        first, _, rest = entry.partition(" ")
        if " " not in rest:
            yield from self._read_name(first, rest, command)
        names = field_names(type(command))
        texts = [field for field in names if isinstance(getattr(command, field), str) and getattr(command, field)]
        refused_fields = [field for field in names if field == no.rule]
        refused_fields += [field for field in texts if repr(getattr(command, field)) in no.message and field != no.rule]
        if rest and first.removesuffix(":") in names:
            refused_fields, entry = [first.removesuffix(":")], rest
        for field in refused_fields:
            yield from self._mend(command, field, _as_json(entry))
        if not refused_fields and entry in self._state.combatants:
            for field in ("who", "target"):
                if field in names:
                    yield from self._mend(command, field, _as_json(entry))
        elif not refused_fields:
            for field in texts:
                yield from (reading._replace(is_guess=True) for reading in self._mend(command, field, _as_json(entry)))

    def _read_name(self, name: str, value: str, command: Command) -> Iterator[_Reading]:
        """The commands of this name, by each possible actor. A value fills the first missing field."""
        kind = self._codec.command_kinds.get(squeeze(name))
        if kind is None:
            return
        names = field_names(kind)
        fixed_fields = self._codec.fixed_fields(name)
        required_names = [name for name in required_fields(kind) if name not in fixed_fields]
        values: dict[str, Json] = {}
        if value:
            field_name = next(
                (field for field in (*required_names, *names) if field not in ("who", *field_names(Command))), ""
            )
            if not field_name:
                return
            values[field_name] = _as_json(value)
        missing = [field for field in required_names if field not in ("who", *values)]
        if missing:
            yield _Reading(None, kind, missing=", ".join(missing))
            return
        step = self._state.step
        people = (command.subject_id, step.actor if step is not None else "", *self._state.order)
        doers: list[dict[str, Json]] = [] if "who" in required_names else [{}]
        doers += [{"who": doer} for doer in dict.fromkeys(people) if doer and "who" in names]
        if not doers:
            yield _Reading(None, kind, missing="who")
        for doer in doers:
            yield from (_Reading(request, kind) for request in _read(self._codec, name, {**doer, **values}))

    def _mend(self, command: Command, field: str, value: Json) -> Iterator[_Reading]:
        """The command with another value in a field, if the field accepts it."""
        plain = dict(command_json(command))
        name = str(plain.pop("type"))
        for request in _read(self._codec, name, {**plain, field: value}):
            yield _Reading(request, type(command), mends=True)


def _read(codec: Codec, name: str, data: Mapping[str, Json]) -> Iterator[Command]:
    """A command read as from a line of `fightcall run`; None if it cannot be read."""
    with contextlib.suppress(BadInput):
        yield codec.command(name, data)


def _as_json(text: str) -> Json:
    """A word as a JSON value: a number, true, false, or the word itself."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | float) else text
