"""Conditions of an act, stated once: `decide` has the referee judge them, `options` shows the first that is broken."""

from collections.abc import Iterable

from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.errors import Accepted, Refused
from fightcall_engine.model.values import frozen

ANOTHER_TARGET = "another target"
"""What would do where nothing stands against the act but at whom it is aimed; the exchange panel has a key for it."""


@frozen
class Check:
    """Something that must hold for an act: otherwise `rule` refuses it, `message` says why, `accepts` what would do."""

    holds: bool
    rule: str
    message: str
    accepts: tuple[Accepted, ...] = ()


def enforce(checks: Iterable[Check], referee: Referee) -> None:
    """Have the referee judge each check in turn."""
    for check in checks:
        referee.require(check.holds, check.rule, check.message, *check.accepts)


def require_always(*checks: Check) -> None:
    """Go on where all of these hold: what not even the GM's word sets aside, for there is nothing it could do.

    Raises:
        Refused: by the rule of the first that does not hold.
    """
    broken = first_broken(checks)
    if broken is not None:
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)


def first_broken(checks: Iterable[Check]) -> Check | None:
    """The first check that does not hold."""
    return next((check for check in checks if not check.holds), None)
