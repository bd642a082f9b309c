"""The errors that Fight Call raises, worded so that a GM or a script can act on them. None leaves a change behind."""

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
    """The message with each long piece of quoted input cut to about a line."""
    message = _ECHOES.sub(lambda match: f"{match[0][:_LONGEST_ECHO]}…", message)
    if len(message) <= _LONGEST_MESSAGE:
        return message
    # The end is kept: it tells what would be accepted.
    third = _LONGEST_MESSAGE // 3
    return f"{message[: 2 * third]} … {message[-third:]}"


class FightCallError(Exception):
    """The root of every error that Fight Call raises on purpose."""


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
    """A command that the rules, or plain sense, do not allow.

    Attributes:
        rule: the id of the rule that refuses, or the name of a check such as ``who``.
        message: what is wrong, for a person.
        alternatives: what would have been accepted instead.
        final: true where even the GM's ruling cannot help, as for an unknown combatant.
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
    """One throw that the table still owes: its purpose and its dice expression."""

    purpose: str
    dice: str
    who: str | None = None


class NeedsDice(FightCallError):
    """The fight is set to dice thrown at the table, and these were not given with the command."""

    def __init__(self, rolls: tuple[RollNeeded, ...]) -> None:
        super().__init__("needs dice: " + ", ".join(f"{roll.purpose} ({roll.dice})" for roll in rolls))
        self.rolls = rolls


class BadInput(FightCallError):
    """Input that cannot be read: a file, a line, a field.

    Attributes:
        where: the file with its line, or the field, that is wrong.
        problems: one line each: what is wrong and what was expected.
    """

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        self.where = shorten(where)
        self.problems = tuple(map(shorten, problems))
        super().__init__(f"{self.where}: " + "; ".join(self.problems))


class SystemFault(FightCallError):
    """A rule system of another package is incomplete, or raised an error.

    Attributes:
        package: the package as it was installed.
    """

    def __init__(self, package: str, system: str, problem: str) -> None:
        super().__init__(f"the rule system {system!r} of the package {package} {problem}")
        self.package = package


class Runaway(FightCallError):
    """A chain of reactions that does not end: a fault of a system. The message names the chain."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        super().__init__("reactions do not come to rest: ... " + " -> ".join(chain[-12:]))
        self.chain = chain
