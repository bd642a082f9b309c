"""Deciding in steps: each event is folded at once, and the next is decided from what it left."""

from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import FightState


class Course:
    """Events as they are decided, each folded at once, so that the next is decided from where they leave things."""

    def __init__(self, state: FightState) -> None:
        self.state = state
        self._told: list[ev.Event] = []

    def tell(self, *happened: ev.Event) -> None:
        """These happen next."""
        self._told += happened
        self.state = fold_all(self.state, happened)

    @property
    def events(self) -> ev.Events:
        """All that has happened."""
        return tuple(self._told)
