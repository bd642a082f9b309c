"""The referee: it refuses what the rules forbid, unless the GM overrides them."""

from fightcall_engine.model.errors import Accepted, Refused
from fightcall_engine.model.events import Overridden


class Referee:
    """Judges one command. With `force`, a refusal becomes a recorded override instead."""

    def __init__(self, command: str, combatant_id: str, force: bool) -> None:
        self._command = command
        self._who = combatant_id
        self._force = force
        self.overrides: list[Overridden] = []

    @property
    def forced(self) -> bool:
        """True if the GM has overridden at least one refusal."""
        return bool(self.overrides)

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted) -> None:
        """Check a condition. If it does not hold, refuse, or record an override with `force`.

        Raises:
            Refused: by `rule`, with what would be accepted.
        """
        if holds:
            return
        if not self._force:
            raise Refused(rule, message, accepts)
        overridden = Overridden(command=self._command, rule=rule, reason=message, who=self._who)
        if overridden not in self.overrides:
            self.overrides.append(overridden)
