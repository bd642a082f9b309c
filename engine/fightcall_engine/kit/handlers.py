"""Which function decides which command, which follows which answer or event, and which carries out which ruling.

A function is marked where it stands, as a method of the system or in a module that the system lists among its `parts`::

    @handles(Attack)
    def attack(decision: Decision, command: Attack) -> None: ...

    @answers("damage")
    def take_damage(decision: Decision, prompt: Prompt, answer: Answer) -> None: ...

    @reacts_to(Downed)
    def drop_weapon(decision: Decision, event: Downed) -> None: ...

    @rules_on("price", "cost")
    def set_price(decision: Decision, command: Rule) -> None: ...

All of them emit what happens through the `Decision`, and return nothing. A method takes the system before these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, ClassVar, TypeVar

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import concerns, open_kinds
from fightcall_engine.model.commands import Answer, Command, Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import FightState, Prompt

Handler = Callable[..., None]
F = TypeVar("F", bound=Handler)

_HANDLES, _ANSWERS, _REACTS_TO, _RULES_ON = "handles", "answers", "reacts_to", "rules_on"


def handles(*kinds: type[Command]) -> Callable[[F], F]:
    """Mark what decides these commands: ``function(decision, command)``.

    They are the system's own, or shared ones such as `Damage`, which it then decides in place of the core. A subclass
    that overrides a marked method need not mark it again.
    """
    return _mark(_HANDLES, kinds)


def answers(*kinds: str) -> Callable[[F], F]:
    """Mark what follows an answer to prompts of these kinds: ``function(decision, prompt, answer)``.

    The record of the answer has been emitted by then, so that the prompt is closed.
    """
    return _mark(_ANSWERS, kinds)


def reacts_to(*kinds: type[Event]) -> Callable[[F], F]:
    """Mark what follows at once from events of these classes: ``function(decision, event)``.

    The state of the decision holds the event already; nothing is thrown. Of an event's own class and its parents the
    nearest counts that something is marked for, and nothing else: what the kit does itself of damage, healing and
    leaving (`BaseSystem.react_to_damage` and its siblings) a system's own reaction to them takes the place of.
    """
    return _mark(_REACTS_TO, kinds)


def rules_on(*names: str) -> Callable[[F], F]:
    """Mark what carries out a ruling of the GM that nobody asked for: ``function(decision, command)``.

    The first name is the one it is listed under, the others are what a GM may call it, in lower case with underscores.
    """
    return _mark(_RULES_ON, names)


def ruling_name(text: str) -> str:
    """The name of a ruling, as a GM may write it: ``In plain view`` for ``in_plain_view``."""
    return text.strip().lower().replace(" ", "_")


def _mark(mark: str, keys: tuple[object, ...]) -> Callable[[F], F]:
    def put(function: F) -> F:
        vars(function)[mark] = keys
        return function

    return put


class HandlerTable:
    """What a system decides, answers, reacts to and rules on, by the functions that are marked for it.

    Attributes:
        title: the system's name for people.
        parts: the modules whose marked functions it takes, beside its own methods and those of its parents. Where two
            are marked for the same, a method goes before a part, and a subclass before its parent.
        handlers: by the class of a command, what decides it: ``handler(system, decision, command)``.
        answerers: by the kind of a prompt, what follows its answer.
        reactions: by the class of an event, what follows from it.
        rulers: by each of the names of a ruling, what carries it out.
        ruling_names: the rulings there are, each under its first name.
    """

    title: str = ""
    parts: tuple[ModuleType, ...] = ()

    handlers: ClassVar[Mapping[type[Command], Handler]] = {}
    answerers: ClassVar[Mapping[str, Handler]] = {}
    reactions: ClassVar[Mapping[type[Event], Handler]] = {}
    rulers: ClassVar[Mapping[str, Handler]] = {}
    ruling_names: ClassVar[tuple[str, ...]] = ()
    _nearest_reactions: ClassVar[dict[type[Event], Handler | None]] = {}
    """The same by every class that has been looked up, for each event of a fight is."""

    def __init_subclass__(cls) -> None:
        """Collect what is marked, here and in its parents.

        Raises:
            TypeError: two of the same parts are marked for the same.
        """
        super().__init_subclass__()
        cls.handlers = _collect(cls, _HANDLES)
        cls.answerers = _collect(cls, _ANSWERS)
        cls.reactions, cls._nearest_reactions = _collect(cls, _REACTS_TO), {}
        cls.rulers = _collect(cls, _RULES_ON)
        first: dict[Handler, str] = {}
        for name, ruler in cls.rulers.items():
            first.setdefault(ruler, name)
        cls.ruling_names = tuple(first.values())

    def decide(self, decision: Decision, command: Command, /) -> Events:
        """What a command causes, before reactions, by the function that `handles` it.

        Raises:
            Refused: nothing has changed.
            NeedsDice: the table owes a throw.
        """
        handler = self.handlers.get(type(command))
        if handler is None:
            accepts = tuple(sorted({kind.type.lower() for kind in self.handlers}))
            raise Refused("command", f"{command.type} is not available in {self.title}", accepts, final=True)
        handler(self, decision, command)
        return decision.events

    def answer(self, decision: Decision, prompt: Prompt, answer: Answer, /) -> None:
        """What an answer causes, by the function that `answers` its kind of prompt; its record has been emitted.

        A question about somebody who has left causes nothing.
        """
        answerer = self.answerers.get(prompt.kind)
        if answerer is not None and all(person in decision.state.combatants for person in concerns(prompt)):
            answerer(self, decision, prompt, answer)

    def react(self, state: FightState, event: Event, /) -> Events:
        """What follows from one event, by the function that `reacts_to` it; `state` already holds the event."""
        kind = type(event)
        if kind not in self._nearest_reactions:
            nearest = (self.reactions[parent] for parent in kind.__mro__ if parent in self.reactions)
            self._nearest_reactions[kind] = next(nearest, None)
        reaction = self._nearest_reactions[kind]
        if reaction is None:
            return ()
        decision = Decision(state)
        reaction(self, decision, event)
        return decision.events

    @handles(Rule)
    def carry_out_ruling(self, decision: Decision, command: Rule) -> None:
        """What the GM rules unasked, by the function that `rules_on` it."""
        ruler = self.rulers.get(ruling_name(command.what))
        if ruler is None:
            accepts = (*open_kinds(decision.state), *self.ruling_names)
            raise Refused("what", f"no ruling {command.what!r}", accepts, final=True)
        ruler(self, decision, command)


def _collect(system: type[HandlerTable], mark: str) -> dict[Any, Handler]:
    """What is marked in a system, its parents' first, so that its own takes their place."""
    handlers: dict[Any, Handler] = {}
    for parent in reversed(system.__mro__):
        handlers |= _marked_in_parts(vars(parent).get("parts", ()), mark)
        for name, method in vars(parent).items():
            # An override takes the marks of what it overrides.
            newest = next(vars(kind)[name] for kind in system.__mro__ if name in vars(kind))
            handlers |= dict.fromkeys(_keys(method, mark), newest)
    return handlers


def _marked_in_parts(parts: tuple[ModuleType, ...], mark: str) -> dict[Any, Handler]:
    handlers: dict[Any, Handler] = {}
    for part in parts:
        for function in _functions_of(part):
            for key in _keys(function, mark):
                if key in handlers:
                    raise TypeError(f"{part.__name__}.{function.__name__} {mark} {key!r}, and so does another part")
            handler = _without_system(function)
            handlers |= dict.fromkeys(_keys(function, mark), handler)
    return handlers


def _functions_of(part: ModuleType) -> Iterator[FunctionType]:
    """The functions that stand in a module itself, not those that it imports."""
    for value in vars(part).values():
        if isinstance(value, FunctionType) and value.__module__ == part.__name__:
            yield value


def _keys(function: object, mark: str) -> tuple[Any, ...]:
    return vars(function).get(mark, ()) if isinstance(function, FunctionType) else ()


def _without_system(function: Handler) -> Handler:
    def handler(system: object, *args: object) -> None:
        function(*args)

    return handler
