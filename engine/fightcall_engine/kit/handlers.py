"""Marks on a system's methods: which of them decides which command, and which follows which answer."""

from collections.abc import Callable
from typing import Any, TypeVar

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.state import Prompt

CommandHandler = Callable[[Any, Decision, Any], None]
AnswerHandler = Callable[[Any, Decision, Prompt, Answer], None]
C = TypeVar("C", bound=CommandHandler)
A = TypeVar("A", bound=AnswerHandler)

_COMMANDS, _PROMPTS = "handles_commands", "answers_prompts"


def handles(*kinds: type[Command]) -> Callable[[C], C]:
    """Mark a method as the one that decides these commands: ``method(self, decision, command)``.

    A subclass that overrides the method need not mark it again.
    """

    def mark(method: C) -> C:
        method.__dict__[_COMMANDS] = kinds
        return method

    return mark


def answers(*kinds: str) -> Callable[[A], A]:
    """Mark a method as what follows an answer to prompts of these kinds: ``method(self, decision, prompt, answer)``.

    The prompt is closed by then, and the record of the answer is made by the core.
    """

    def mark(method: A) -> A:
        method.__dict__[_PROMPTS] = kinds
        return method

    return mark


def commands_of(method: object) -> tuple[type[Command], ...]:
    """The commands a method is marked for."""
    found: tuple[type[Command], ...] = getattr(method, "__dict__", {}).get(_COMMANDS, ())
    return found


def prompts_of(method: object) -> tuple[str, ...]:
    """The kinds of prompts a method is marked for."""
    found: tuple[str, ...] = getattr(method, "__dict__", {}).get(_PROMPTS, ())
    return found
