"""Conditions of an act, stated once: `decide` enforces them, and `options` shows the first that does not hold."""

from collections.abc import Iterable

from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.errors import Accepted, Refused
from fightcall_engine.model.values import frozen

ANOTHER_TARGET = "another target"
"""The alternative of a check that only another target can satisfy; the exchange panel has a key for it."""


@frozen
class Check:
    """A condition of an act. If it does not hold: the rule that refuses, why, and what would be accepted instead.

    `is_turn` marks a condition that only says whose turn it is, or that a question must be answered first. The act of
    a held cue need not meet it.
    """

    holds: bool
    rule: str
    message: str
    accepts: tuple[Accepted, ...] = ()
    is_turn: bool = False


def enforce(checks: Iterable[Check], referee: Referee) -> None:
    """Enforce each check in turn; the GM may override those that do not hold."""
    for check in checks:
        referee.require(check.holds, check.rule, check.message, *check.accepts, is_turn=check.is_turn)


def require_always(*checks: Check) -> None:
    """Enforce checks that even the GM cannot override, because the act would be impossible.

    Raises:
        Refused: by the rule of the first that does not hold.
    """
    broken = first_broken(checks)
    if broken is not None:
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)


def first_broken(checks: Iterable[Check]) -> Check | None:
    """The first check that does not hold."""
    return next((check for check in checks if not check.holds), None)
