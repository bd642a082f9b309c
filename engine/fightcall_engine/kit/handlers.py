"""Registers the functions that decide commands, take up offers, react to events, and carry out rulings.

A decorator marks a function: a method of the system, or a function in a module that the system lists in its `parts`::

    @handles(Attack)
    def attack(decision: Decision, command: Attack) -> None: ...

    @answers("reprisal")
    def take_reprisal(decision: Decision, prompt: Prompt, answer: Answer) -> None: ...

    @reacts_to(Downed)
    def drop_weapon(decision: Decision, event: Downed) -> None: ...

    @rules_on("price", "cost")
    def set_price(decision: Decision, command: Rule) -> None: ...

All of them emit events through the `Decision`, return nothing, and may roll and ask (`Decision.roll`, `Decision.ask`).
Methods take `self` first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any, ClassVar, TypeVar

from fightcall_engine.kit.decision import Decision, Waiting, concerns, open_kinds
from fightcall_engine.model.commands import Answer, Command, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import CUE, Prompt

Handler = Callable[..., None]
F = TypeVar("F", bound=Handler)

_HANDLES, _ANSWERS, _REACTS_TO, _RULES_ON = "handles", "answers", "reacts_to", "rules_on"


def handles(*kinds: type[Command]) -> Callable[[F], F]:
    """Mark the function that decides these commands: ``function(decision, command)``.

    It can also replace the core's function for a shared command such as `Damage`. A subclass that overrides a marked
    method need not mark it again.
    """
    return _mark(_HANDLES, kinds)


def answers(*kinds: str) -> Callable[[F], F]:
    """Mark the function that takes up offers of these kinds: ``function(decision, prompt, answer)``.

    It is for prompts opened with `Decision.offer`. When it runs, the answer has been emitted and the prompt is closed.
    """
    return _mark(_ANSWERS, kinds)


def reacts_to(*kinds: type[Event]) -> Callable[[F], F]:
    """Mark the function that reacts to events of these classes: ``function(decision, event)``.

    It runs as soon as the event is emitted, before the function that emitted it continues. The state includes the
    event. Only one reaction runs: that of the nearest class among the event's class and its parents. So a system's own
    reaction to damage, healing or leaving replaces the kit's (`BaseSystem.react_to_damage` and its siblings).
    """
    return _mark(_REACTS_TO, kinds)


def rules_on(*names: str) -> Callable[[F], F]:
    """Mark the function that carries out a ruling of the GM that no prompt asked for: ``function(decision, command)``.

    The ruling is listed under the first name; the others are aliases. All are in lower case with underscores.
    """
    return _mark(_RULES_ON, names)


def _mark(mark: str, keys: tuple[object, ...]) -> Callable[[F], F]:
    def put(function: F) -> F:
        vars(function)[mark] = keys
        return function

    return put


class HandlerTable:
    """The marked functions of a system, and the dispatch to them.

    Attributes:
        title: the system's name for people.
        parts: modules whose marked functions it uses, besides its own methods and those of its parents. If two are
            marked for the same thing, a method wins over a part, and a subclass over its parent.
        handlers: the function for each class of commands: ``handler(system, decision, command)``.
        answer_handlers: the function for each kind of offer.
        reactions: the function for each class of events.
        ruling_handlers: the function for each name of a ruling.
    """

    title: str = ""
    parts: tuple[ModuleType, ...] = ()

    handlers: ClassVar[Mapping[type[Command], Handler]] = {}
    answer_handlers: ClassVar[Mapping[str, Handler]] = {}
    reactions: ClassVar[Mapping[type[Event], Handler]] = {}
    ruling_handlers: ClassVar[Mapping[str, Handler]] = {}
    ruling_names: ClassVar[tuple[str, ...]] = ()
    _nearest_reactions: ClassVar[dict[type[Event], Handler | None]] = {}
    """A cache of `reactions` by the classes looked up so far: every event of a fight is looked up."""

    def __init_subclass__(cls) -> None:
        """Collect the marked functions of a system and its parents; TypeError if a part has two for the same."""
        super().__init_subclass__()
        cls.handlers = _collect(cls, _HANDLES)
        cls.answer_handlers = _collect(cls, _ANSWERS)
        cls.reactions, cls._nearest_reactions = _collect(cls, _REACTS_TO), {}
        cls.ruling_handlers = _collect(cls, _RULES_ON)
        first: dict[Handler, str] = {}
        for name, handler in cls.ruling_handlers.items():
            first.setdefault(handler, name)
        cls.ruling_names = tuple(first.values())

    def decide(self, decision: Decision, command: Command, /) -> Events:
        """Return the events of a command, by its function marked with `handles`. Raises Refused or NeedsDice."""
        handler = self.handlers.get(type(command))
        if handler is None:
            accepts = tuple(sorted({kind.type.lower() for kind in self.handlers}))
            raise Refused("command", f"{command.type} is not available in {self.title}", accepts, final=True)
        decision.run(_call, handler, self, command)
        return decision.events

    def answer(self, decision: Decision, prompt: Prompt, answer: Answer, /) -> None:
        """Emit what an answer causes: go on with the function that asked, or take up an offer. Its prompt is closed."""
        handler = self.answer_handlers.get(prompt.kind)
        if not all(person in decision.state.combatants for person in concerns(prompt)):
            return
        if isinstance(prompt.waiting, Waiting):
            prompt.waiting.resume(decision, answer)
        elif handler is not None:
            decision.spawn(_call, handler, self, prompt, answer)

    def can_follow(self, prompt: Prompt) -> bool:
        """Return whether an answer has an effect: a function waits for it or takes up the offer, or a cue asked."""
        return prompt.waiting is not None or prompt.kind in self.answer_handlers or prompt.kind == CUE

    def react(self, decision: Decision, event: Event, /) -> None:
        """Emit what follows from an event, by its function marked with `reacts_to`."""
        kind = type(event)
        if kind not in self._nearest_reactions:
            nearest = (self.reactions[parent] for parent in kind.__mro__ if parent in self.reactions)
            self._nearest_reactions[kind] = next(nearest, None)
        reaction = self._nearest_reactions[kind]
        if reaction is not None:
            reaction(self, decision, event)

    @handles(Rule)
    def carry_out_ruling(self, decision: Decision, command: Rule) -> None:
        """Carry out a ruling of the GM, by the function marked with `rules_on`."""
        # A GM may write it as `In plain view`.
        handler = self.ruling_handlers.get(command.what.strip().lower().replace(" ", "_"))
        if handler is None:
            accepts = (*open_kinds(decision.state), *self.ruling_names)
            raise Refused("what", f"no ruling {command.what!r}", accepts, final=True)
        handler(self, decision, command)


def _call(decision: Decision, handler: Handler, system: HandlerTable, *args: object) -> None:
    handler(system, decision, *args)


def _collect(system: type[HandlerTable], mark: str) -> dict[Any, Handler]:
    handlers: dict[Any, Handler] = {}
    for parent in reversed(system.__mro__):
        handlers |= _marked_in_parts(vars(parent).get("parts", ()), mark)
        for name, method in vars(parent).items():
            if keys := _keys(method, mark):
                # An override keeps the marks of the method it overrides.
                newest = next(vars(kind)[name] for kind in system.__mro__ if name in vars(kind))
                handlers |= dict.fromkeys(keys, newest)
    return handlers


def _marked_in_parts(parts: tuple[ModuleType, ...], mark: str) -> dict[Any, Handler]:
    handlers: dict[Any, Handler] = {}
    for part in parts:
        functions = [each for each in vars(part).values() if isinstance(each, FunctionType)]
        for function in (each for each in functions if each.__module__ == part.__name__):
            keys = _keys(function, mark)
            for key in keys:
                if key in handlers:
                    raise TypeError(f"{part.__name__}.{function.__name__} {mark} {key!r}, and so does another part")
            if keys:
                handlers |= dict.fromkeys(keys, _without_system(function))
    return handlers


def _keys(function: object, mark: str) -> tuple[Any, ...]:
    return vars(function).get(mark, ()) if isinstance(function, FunctionType) else ()


def _without_system(function: Handler) -> Handler:
    def handler(system: object, *args: object) -> None:
        function(*args)

    return handler
