"""The referee keeps the difference between the rules and the GM's word: law 1 in one small class."""

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
        """True where the GM has set at least one refusal aside."""
        return bool(self.overrides)

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted) -> None:
        """Go on if it holds, or if the GM insists.

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
