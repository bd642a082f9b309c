"""Checks of the rules, and the referee who enforces them unless the GM overrides them."""

from collections.abc import Iterable

from fightcall_engine.model.errors import Accepted, Refused
from fightcall_engine.model.events import Overridden
from fightcall_engine.model.values import frozen

ANOTHER_TARGET = "another target"
"""The alternative of a check that only another target can satisfy; the exchange panel has a key for it."""


class Referee:
    """Judges one command. With `force`, a refusal becomes a recorded override instead.

    Args:
        command: the name of the command.
        combatant_id: the actor.
        force: whether the GM overrides every check.
        out_of_turn: whether the GM overrides the checks on whose turn it is, and no others (`Check.is_turn`).
    """

    def __init__(self, command: str, combatant_id: str, force: bool, *, out_of_turn: bool = False) -> None:
        self._command = command
        self._who = combatant_id
        self._force = force
        self._out_of_turn = out_of_turn
        self._is_forced = False
        self.overrides: list[Overridden] = []

    def renewed(self, answering: "Referee") -> "Referee":
        """The referee of an answer to this one's act: whatever the GM overrides in one, they override in both."""
        is_forced, is_out_of_turn = self._force or answering._force, self._out_of_turn or answering._out_of_turn
        return Referee(answering._command, answering._who or self._who, is_forced, out_of_turn=is_out_of_turn)

    @property
    def forced(self) -> bool:
        """True if the GM has overridden at least one check, apart from those on whose turn it is."""
        return self._is_forced

    def allows_turn(self, is_turn: bool) -> bool:
        """Whether a check need not hold, because it only says whose turn it is and the act is out of turn."""
        return is_turn and self._out_of_turn

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted, is_turn: bool = False) -> None:
        """Check a condition. If it does not hold, refuse, or record an override.

        `is_turn` says that the condition is only about whose turn it is.

        Raises:
            Refused: by `rule`, with what would be accepted.
        """
        if holds:
            return
        is_allowed = self.allows_turn(is_turn)
        if not (self._force or is_allowed):
            raise Refused(rule, message, accepts)
        self._is_forced = self._is_forced or not is_allowed
        overridden = Overridden(command=self._command, rule=rule, reason=message, who=self._who)
        if overridden not in self.overrides:
            self.overrides.append(overridden)


# Conditions of an act, stated once


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
