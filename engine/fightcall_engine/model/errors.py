"""The errors that Fight Call raises, worded so that a GM or a script can act on them. An error changes nothing."""

import re
from typing import TypeAlias

from fightcall_engine.model.values import frozen

_LONGEST_ECHO = 80
_LONGEST_MESSAGE = 1200
_ECHOES = re.compile(
    r"""
      (?<!\w)'(?:\\.|[^'\\\n]){80,}'(?!\w)
    | (?<!\w)"(?:\\.|[^"\\\n]){80,}"(?!\w)
    | \S{256,}
    """,
    re.VERBOSE,
)
"""The parts of a message that repeat too much input: a long quotation, or a word longer than any path."""


def shorten(message: str) -> str:
    """The message with long quotations of input cut to about a line."""
    message = _ECHOES.sub(lambda match: f"{match[0][:_LONGEST_ECHO]}…", message)
    if len(message) <= _LONGEST_MESSAGE:
        return message
    # Keep the end, which says what would be accepted.
    third = _LONGEST_MESSAGE // 3
    return f"{message[: 2 * third]} … {message[-third:]}"


class FightCallError(Exception):
    """The base class of errors that Fight Call raises deliberately."""


@frozen
class FieldValue:
    """An alternative: another value in a field of the same command."""

    field: str
    value: str | bool

    def __str__(self) -> str:
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.field}: {value}"


@frozen
class RulingWanted:
    """An alternative: the same command, after a ruling of this name."""

    name: str

    def __str__(self) -> str:
        return f"a ruling: {self.name}"


Accepted: TypeAlias = str | FieldValue | RulingWanted
"""An alternative that a refusal names. A string is a combatant's id, a command, an answer, a value, or just words."""


class Refused(FightCallError):
    """A command that the rules do not allow, or that is impossible.

    Attributes:
        rule: the id of the rule that refuses, or the name of a check such as ``who``.
        message: the reason, for people.
        alternatives: what would be accepted instead.
        final: whether not even the GM can override it, as for an unknown combatant.
    """

    def __init__(self, rule: str, message: str, accepts: tuple[Accepted, ...] = (), *, final: bool = False) -> None:
        self.rule = rule
        self.message = shorten(message)
        self.alternatives = tuple(shorten(each) if isinstance(each, str) else each for each in accepts)
        super().__init__(f"{rule}: {self.message}")
        self.final = final

    @property
    def accepts(self) -> tuple[str, ...]:
        """The alternatives in words."""
        return tuple(map(str, self.alternatives))


@frozen
class RollNeeded:
    """A roll that must still be typed: its purpose and its dice expression."""

    purpose: str
    dice: str
    who: str | None = None


class NeedsDice(FightCallError):
    """A command needs dice that are rolled at the table, and they were not given with it."""

    def __init__(self, rolls: tuple[RollNeeded, ...]) -> None:
        super().__init__("needs dice: " + ", ".join(f"{roll.purpose} ({roll.dice})" for roll in rolls))
        self.rolls = rolls


class BadInput(FightCallError):
    """Input that cannot be read: a file, a line, a field.

    Attributes:
        where: the file and line, or the field.
        problems: a line for each error: what is wrong and what was expected.
    """

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        self.where = shorten(where)
        self.problems = tuple(map(shorten, problems))
        super().__init__(f"{self.where}: " + "; ".join(self.problems))


class TooOld(FightCallError):
    """A fight from a version that this one cannot read. Its journal is unchanged.

    `writer` and `reader` are the program, or the rule system, that wrote it and the same now, with versions.
    """

    def __init__(self, writer: str, reader: str) -> None:
        super().__init__(
            f"{writer} saved this fight and {reader} can't read it; to keep it, run fightcall export with {writer}"
        )


class SystemFault(FightCallError):
    """A rule system of another package is incomplete, or raised an error."""

    def __init__(self, package: str, system: str, problem: str) -> None:
        super().__init__(f"the rule system {system!r} of the package {package} {problem}")
        self.package = package


class Runaway(FightCallError):
    """An endless chain of reactions, which is a fault of a system. The message names the chain."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        super().__init__("reactions do not come to rest: ... " + " -> ".join(chain[-12:]))
        self.chain = chain
