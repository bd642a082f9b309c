"""What can go wrong, said so that a GM or a script can act on it. Nothing has changed when one is raised."""

from dataclasses import dataclass


class FightCallError(Exception):
    """The root of every error that Fight Call raises on purpose."""


class Refused(FightCallError):
    """A command that the rules, or plain sense, do not allow.

    Attributes:
        rule: the id of the rule that refuses (``SB-46``), or the name of a check such as ``who``.
        message: what is wrong, for a person.
        accepts: what would have been accepted instead.
        final: true where even the GM's ruling cannot help, as for an unknown combatant.
    """

    def __init__(self, rule: str, message: str, accepts: tuple[str, ...] = (), *, final: bool = False) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.message = message
        self.accepts = accepts
        self.final = final


@dataclass(frozen=True, slots=True)
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
    """Something from outside that cannot be read: a file, a line, a field.

    Attributes:
        where: the file with its line, or the field, that is wrong.
        problems: one line each: what is wrong and what was expected.
    """

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(f"{where}: " + "; ".join(problems))
        self.where = where
        self.problems = problems


class SystemFault(FightCallError):
    """A rule system that another package brings lacks something, or failed.

    Attributes:
        package: the package as it was installed.
    """

    def __init__(self, package: str, system: str, problem: str) -> None:
        super().__init__(f"the rule system {system!r} of the package {package} {problem}")
        self.package = package


class Runaway(FightCallError):
    """A chain of reactions that does not come to rest. It is a fault of a system, and names the chain."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        super().__init__("reactions do not come to rest: ... " + " -> ".join(chain[-12:]))
        self.chain = chain
