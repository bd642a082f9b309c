"""Reading commands, events and states of a system from JSON, also those of older versions.

Writing is `model.json_data.to_json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from functools import cache, cached_property, lru_cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Generic, Literal, Union, cast, get_args, get_origin, get_type_hints

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import board_from_json
from fightcall_engine.kit.plugins import MOST_READ, is_installed, system_of
from fightcall_engine.model.commands import CORE_COMMANDS, SHARED_ALIASES, Command, Rule, squeeze
from fightcall_engine.model.errors import BadInput, Refused, SystemFault, TooOld
from fightcall_engine.model.events import (
    CORE_EVENTS,
    BoardChanged,
    EffectBegan,
    EntryChanged,
    Event,
    FactChanged,
    Joined,
    RulingAsked,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.json_data import T, place_on_board, read
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Prompt, Proposed, Resume
from fightcall_engine.model.values import Value, replace

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem, Upcast


def state_from_json(data: Mapping[str, Json]) -> FightState:
    """A state from JSON, the inverse of ``to_json(state)``."""
    plain = dict(data)
    board, plan = plain.pop("board", None), plain.pop("plan", None)
    state = read(FightState, plain, "state")
    if state.rules_text or is_installed(state.system):
        state = codec_of(system_of(state)).state(state)
    plan_read = board_from_json(plan) if plan else None
    if not board:
        return replace(state, plan=plan_read)
    ground = board_from_json(board)
    return replace(place_on_board(state, ground), board=ground, plan=plan_read)


class _Reader(Generic[T]):
    """Reads values of several classes, told apart by their `type`."""

    def __init__(self, kinds: Iterable[type[T]], what: str) -> None:
        self.kinds: dict[str, type[T]] = {kind.__name__: kind for kind in kinds}
        self._what = what

    def read(self, data: Mapping[str, Json]) -> T:
        name = data.get("type")
        kind = self.kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise BadInput(self._what, (f"type: unknown {name!r}; accepted: {', '.join(sorted(self.kinds))}",))
        rest = dict(data)
        del rest["type"]
        return read(kind, rest, f"{self._what} {name}")


_HOLDING = (
    BoardChanged, Joined, EffectBegan, RulingAsked, TraitChanged, TraitsReset, TraitsChanged, FactChanged, EntryChanged
)  # fmt: skip
"""The events that hold what `Codec` has to look into."""


def _find_changeable(name: str, value: Json) -> str:
    """What is wrong with a mutable value in a record, which would be read again as another type; empty for others."""
    return f"sets {name} to a {type(value).__name__}, not a tuple" if isinstance(value, list | set) else ""


def _entry_kind(kind: type | None, key: str) -> type | None:
    """The type of a mapping's entries; without a `key`, of the record that a field holds."""
    parts = get_args(kind)
    if key:
        return parts[1] if get_origin(kind) is Mapping else None
    return next((part for part in parts if isinstance(part, type) and is_dataclass(part)), kind)


_PLAIN = (str, int, float, bool, NoneType)


def _is_plain(kind: object) -> bool:
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return all(get_origin(part) is Literal or part in _PLAIN for part in parts)


class Codec:
    """Reads the commands, events and states of one system, including the shared ones."""

    def __init__(self, system: BaseSystem) -> None:
        self._system = system
        self._combatant, self._fight, self._effect = system.record, system.fight_record, system.effect_data
        self._resumes = _Reader[Resume]((Proposed, *system.resumes), "resume")
        self._hints: dict[type, Mapping[str, type]] = {}
        self._events = _Reader[Event]((*CORE_EVENTS, *system.events), "event")
        self._commands = _Reader[Command]((*CORE_COMMANDS, *system.commands), "command")
        # Most events hold nothing that has to be checked or restored.
        self._whole = frozenset(kind for kind in self._events.kinds.values() if not issubclass(kind, _HOLDING))
        # A system's own names take precedence over the aliases of shared commands.
        self._names: dict[str, tuple[str, dict[str, Json]]] = {
            alias: (name, {}) for alias, name in SHARED_ALIASES.items()
        }
        self._names |= {squeeze(name): (name, {}) for name in self._commands.kinds}
        self._names |= {
            squeeze(alias): (name, dict(fixed_fields)) for alias, (name, fixed_fields) in system.aliases.items()
        }
        self._spellings: dict[str, list[str]] = {}
        snakes = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() for name in self._commands.kinds]
        for name in (*self._commands.kinds, *snakes, *system.aliases, *self._names):
            self._spellings.setdefault(squeeze(name), []).append(name)

    @property
    def command_names(self) -> tuple[str, ...]:
        """Every name of a command, in squeezed form."""
        return tuple(sorted(self._names))

    @cached_property
    def command_kinds(self) -> dict[str, type[Command]]:
        """The class for every name of a command."""
        return {name: self._commands.kinds[kind] for name, (kind, _) in sorted(self._names.items())}

    @property
    def event_kinds(self) -> tuple[type[Event], ...]:
        """The class of every event of this system's fights."""
        return tuple(self._events.kinds.values())

    def spellings(self, name: str) -> tuple[str, ...]:
        """The spellings of a command's name: ``DropProne``, ``drop_prone`` and ``dropprone``."""
        return tuple(dict.fromkeys(self._spellings[squeeze(name)]))

    def fixed_fields(self, name: str) -> Mapping[str, Json]:
        """The fields that an alias sets, as ``shoot`` sets the kind of a strike."""
        return self._names[squeeze(name)][1]

    def implies_who(self, kind: type[Command]) -> bool:
        """Whether a command of this class needs no `who` where only one can be meant."""
        return kind in self._system.implies_who

    def event(self, data: Mapping[str, Json], board: AnyBoard | None = None) -> Event:
        """Read an event of a fight on this board. Raises BadInput: naming the field and what was expected."""
        return place_on_board(self._restore(self._events.read(data)), board)

    def check_listed(self, event: Event) -> None:
        """Check that an event can be read again. Raises SystemFault: it holds what the system does not list."""
        kind = type(event)
        if kind in self._whole:
            return
        is_listed = self._events.kinds.get(kind.__name__) is kind
        fault = self._find_unlisted(event) if is_listed else f"emits {kind.__name__}, which is not among its events"
        if fault:
            raise SystemFault(self._system.package, self._system.id, fault)

    def command(self, name: str, data: Mapping[str, Json], state: FightState | None = None) -> Command:
        """Read a command from its name, or an alias, and its fields.

        If it is given in a `state`, it needs no `who` where only one can be meant there.

        A list of words, such as ids, may also be one string with commas or spaces. The value of a ruling, such as an
        order, may be a list.

        Raises:
            Refused: an unknown command.
            BadInput: naming the field and what was expected.
        """
        entry = self._names.get(squeeze(name))
        if entry is None:
            raise Refused("command", f"no command {name!r}", self.command_names, final=True)
        kind, fixed_fields = entry
        if "type" in data:
            raise BadInput(f"command {kind}", ("type: not a field; the command is called by its name",))
        fields = _without_short_forms(self._commands.kinds[kind], data)
        if state is not None and "who" not in fields and self.implies_who(self._commands.kinds[kind]):
            doer = self._system.sole_doer(state, self._commands.kinds[kind])
            fields |= {"who": doer} if doer else {}
        return self._commands.read({"type": kind, **fixed_fields, **fields})

    # Restoring the types of records, which plain JSON has lost

    def _find_unlisted(self, event: Event) -> str:
        """Why an event could be written to a journal but not read again, a fault of the system; empty if it could."""
        match event:
            case RulingAsked():
                prompt = event.prompt
                if prompt.resume is not None and type(prompt.resume) not in self._resumes.kinds.values():
                    return f"asks with {type(prompt.resume).__name__}, which is not among its resumes"
                unanswered = f"asks a question of the kind {prompt.kind!r}, which nothing of it answers"
                return "" if self._system.can_follow(prompt) else unanswered
            case EffectBegan():
                data = event.effect.data
                is_listed = data is None or type(data) is self._effect
                return "" if is_listed else f"gives an effect {type(data).__name__}, which is not its effect_data"
            case Joined():
                record = event.combatant.record
                is_listed = record is None or type(record) is self._combatant
                return "" if is_listed else f"keeps a {type(record).__name__} as a record, which is not its own"
            case TraitChanged() | TraitsReset():
                return _find_changeable(event.trait, event.value)
            case FactChanged():
                return _find_changeable(event.fact, event.value)
            case TraitsChanged():
                return next(filter(None, (_find_changeable(name, value) for name, value in event.traits.items())), "")
            case _:
                return ""

    def combatant(self, combatant: Combatant) -> Combatant:
        """A combatant from JSON, with its record restored."""
        combatant = replace(combatant, effects=tuple(map(self._with_data, combatant.effects)))
        if self._combatant is None or combatant.record is None or isinstance(combatant.record, self._combatant):
            return combatant
        record = self._read_as(self._combatant, f"record of {combatant.id}", combatant.record)[0]
        return replace(combatant, record=record)

    def _with_data(self, effect: Effect) -> Effect:
        """An effect from JSON, with its data restored. Older journals have an empty mapping for None."""
        if not isinstance(effect.data, Mapping):
            return effect
        has_data = self._effect is not None and effect.data
        data = self._read_as(self._effect, f"data of {effect.name}", effect.data)[0] if has_data else None
        return replace(effect, data=data)

    def state(self, state: FightState) -> FightState:
        """A state from JSON, with all its records restored."""
        people = {combatant_id: self.combatant(combatant) for combatant_id, combatant in state.combatants.items()}
        departed = {
            key: replace(left, combatant=self.combatant(left.combatant)) for key, left in state.departed.items()
        }
        has_record = self._fight is not None and state.record is not None
        record = self._read_as(self._fight, "record of the fight", state.record)[0] if has_record else None
        prompts = tuple(map(self._prompt, state.prompts))
        return replace(state, combatants=people, departed=departed, record=record, prompts=prompts)

    def _restore(self, event: Event) -> Event:
        if type(event) in self._whole:
            return event
        match event:
            case BoardChanged():
                return replace(event, board=board_from_json(event.board) if event.board else None)
            case Joined():
                return replace(event, combatant=self.combatant(event.combatant))
            case EffectBegan():
                return replace(event, effect=self._with_data(event.effect))
            case RulingAsked():
                return replace(event, prompt=self._prompt(event.prompt))
            case TraitChanged() if self._hint(self._combatant, event.trait) is not None:
                before, value = self._read_typed(self._combatant, event.trait, event.before, event.value)
                return replace(event, before=before, value=value)
            case TraitsReset() if self._hint(self._combatant, event.trait) is not None:
                return replace(event, value=self._read_typed(self._combatant, event.trait, event.value)[0])
            case TraitsChanged():
                traits = {
                    name: self._read_typed(self._combatant, name, value)[0] for name, value in event.traits.items()
                }
                within = {name: self._read_parts(name, values) for name, values in event.within.items()}
                return replace(event, traits=traits, within=within)
            case FactChanged() if self._hint(self._fight, event.fact) is not None:
                before, value = self._read_typed(self._fight, event.fact, event.before, event.value)
                return replace(event, before=before, value=value)
            case EntryChanged():
                record = self._combatant if event.who else self._fight
                kind = _entry_kind(self._hint(record, event.field), event.key)
                kind = self._hint(kind, event.part) if event.part else kind
                before, value = self._read_as(kind, f"field {event.field}", event.before, event.value)
                return replace(event, before=before, value=value)
        return event

    def _prompt(self, prompt: Prompt) -> Prompt:
        if not isinstance(prompt.resume, Mapping):
            return prompt
        return replace(prompt, resume=self._resume(prompt.resume))

    def _resume(self, data: Mapping[str, Json]) -> Resume | None:
        """A question's resume from JSON; None if its class is gone or has changed since."""
        kind = self._resumes.kinds.get(str(data.get("type")))
        parts = {name: self._read_part(self._hint(kind, name), item) for name, item in data.items()} if kind else {}
        try:
            return self._resumes.read(parts) if kind is not None else None
        except BadInput:
            return None

    def _read_part(self, hint: object, value: Json) -> Json:
        """A part of a record from JSON, for `read`: what carries its `type` within it is read by that class first."""
        if not isinstance(value, list | Mapping):
            return value
        for part in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
            inner = get_args(part)
            if isinstance(value, list) and inner:
                hints = [inner[0]] * len(value) if len(inner) < 2 or inner[1] is Ellipsis else inner
                return [self._read_part(each, item) for each, item in zip(hints, value, strict=False)]
            if isinstance(value, Mapping) and len(inner) > 1:
                return {key: self._read_part(inner[1], item) for key, item in value.items()}
            if isinstance(value, Mapping) and isinstance(part, type) and is_dataclass(part):
                return self._read_inner(part, value)
        return value

    def _read_inner(self, kind: type, data: Mapping[str, Json]) -> Json:
        if kind is Prompt:
            return cast(Json, self._prompt(read(Prompt, data, "prompt")))
        if not (issubclass(kind, Value) and kind.TAGGED):
            return {name: self._read_part(self._hint(kind, name), item) for name, item in data.items()}
        name = str(data.get("type"))
        known: Mapping[str, type] = {**self._commands.kinds, **self._resumes.kinds}
        inner = known.get(name, kind) if issubclass(known.get(name, kind), kind) else kind
        rest = {key: self._read_part(self._hint(inner, key), item) for key, item in data.items() if key != "type"}
        return cast(Json, read(inner, rest, name))

    def _read_typed(self, record: type | None, name: str, *values: Json) -> tuple[Json, ...]:
        return self._read_as(self._hint(record, name), f"field {name}", *values)

    def _read_as(self, kind: type | None, where: str, *values: Json) -> tuple[Json, ...]:
        if kind is None:
            return values
        return tuple(None if value is None else read(kind, self._read_part(kind, value), where) for value in values)

    def _read_parts(self, name: str, values: Mapping[str, Json]) -> Mapping[str, Json]:
        kind = _entry_kind(self._hint(self._combatant, name), "")
        return {part: self._read_typed(kind, part, value)[0] for part, value in values.items()}

    def _hint(self, record: type | None, name: str) -> type | None:
        """The type of a field; None if JSON has its values as they are."""
        if record is None or not is_dataclass(record):
            return None
        if record not in self._hints:
            hints = get_type_hints(record).items()
            self._hints[record] = {name: hint for name, hint in hints if not _is_plain(hint)}
        return self._hints[record].get(name)


@lru_cache(MOST_READ)
def codec_of(system: BaseSystem) -> Codec:
    """The codec of a system, made once."""
    return Codec(system)


OUTCOMES: Mapping[str, Json] = {"hit": True, "miss": False, "roll": None}
"""The words for an outcome, as the options use them; ``roll`` leaves it to the dice."""


def _without_short_forms(kind: type[Command], data: Mapping[str, Json]) -> dict[str, Json]:
    fields = dict(data)
    if isinstance(rolls := fields.get("rolls"), Mapping):
        fields["rolls"] = {key: [faces] if isinstance(faces, int) else faces for key, faces in rolls.items()}
    if isinstance(hit := fields.get("hit"), str):
        fields["hit"] = OUTCOMES.get(hit, hit)
    for name in word_lists(kind):
        text = fields.get(name)
        if isinstance(text, str):
            fields[name] = text.replace(",", " ").split()
    listed = fields.get("value")
    if kind is Rule and isinstance(listed, list) and all(isinstance(word, str) for word in listed):
        fields["value"] = ", ".join(listed)
    return fields


@cache
def word_lists(kind: type[Command]) -> tuple[str, ...]:
    """The fields of a command that hold a list of words, such as ids."""
    return tuple(name for name, hint in get_type_hints(kind).items() if hint == tuple[str, ...])


# Journals of older versions
#
# The header of a journal names the version of its rule system (``system_version``). Events of an older version pass
# through the system's `upcasts`, which end at the present version; a version before the first of them is refused. An
# old journal that is continued gets new events under its old header, so these functions must leave events in the new
# form as they are.


def upcasts_from(system: BaseSystem, version: str) -> tuple[Upcast, ...]:
    """The functions that bring an event of this version up to date. Raises TooOld: there are none for it any more."""
    if not (version.isdecimal() and system.version.isdecimal()):
        return ()
    behind = max(int(system.version) - int(version), 0)
    if behind > len(system.upcasts):
        raise TooOld(*(f"version {each} of {system.title}" for each in (version, system.version)))
    return system.upcasts[len(system.upcasts) - behind :]


def upcast_event(upcasts: tuple[Upcast, ...], event: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return an event in the form of the present version.

    0.2.0 named changes of nested records by path, such as ``work.paid``. Its combatants had ``traits`` beside their
    record, and its questions ``data`` beside their `Resume`; both are dropped.
    """
    for upcast in upcasts:
        event = upcast(event)
    prompt = event.get("prompt")
    if isinstance(prompt, Mapping) and "data" in prompt:
        return {**event, "prompt": _without_data(prompt)}
    traits = event.get("traits")
    if isinstance(traits, Mapping) and any("." in name for name in traits):
        return {**event, **_with_fields_within(traits)}
    if "." in str(event.get("trait", "")):
        name, _, part = str(event["trait"]).partition(".")
        return {"type": "TraitsChanged", "who": event["who"], "within": {name: {part: event.get("value")}}}
    combatant = event.get("combatant")
    if not isinstance(combatant, Mapping) or "traits" not in combatant:
        return event
    return {**event, "combatant": {name: value for name, value in combatant.items() if name != "traits"}}


def _without_data(prompt: Mapping[str, Json]) -> Mapping[str, Json]:
    fields = {name: value for name, value in prompt.items() if name != "data"}
    resume = fields.get("resume")
    inner = resume.get("prompt") if isinstance(resume, Mapping) else None
    if isinstance(resume, Mapping) and isinstance(inner, Mapping):
        fields["resume"] = {**resume, "prompt": _without_data(inner)}
    return fields


def _with_fields_within(traits: Mapping[str, Json]) -> Mapping[str, Json]:
    within: dict[str, dict[str, Json]] = {}
    for path, value in traits.items():
        name, _, part = path.partition(".")
        if part:
            within.setdefault(name, {})[part] = value
    return {"traits": {name: value for name, value in traits.items() if "." not in name}, "within": within}


def upcast_header(upcasts: tuple[Upcast, ...], header: Mapping[str, Json]) -> Mapping[str, Json]:
    """A journal's header, with combatants and cues brought up to date as those in events are."""
    combatants, cues = header.get("combatants", []), header.get("cues", [])
    joined: Mapping[str, Json] = {"type": "Joined", "who": ""}
    return {
        **header,
        "combatants": _upcast_each(upcasts, combatants, joined, "combatant"),
        "cues": _upcast_each(upcasts, cues, {"type": "CueSet"}, "cue"),
    }


def _upcast_each(upcasts: tuple[Upcast, ...], values: Json, event: Mapping[str, Json], part: str) -> Json:
    """The items of a list, each brought up to date as part of an event. Anything but a list is left to the reader."""
    if not isinstance(values, list):
        return values
    return [upcast_event(upcasts, {**event, part: value})[part] for value in cast(list[Json], values)]
