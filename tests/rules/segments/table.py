"""A table to play Combat Segments at: the public door, a cast made as it is named, a few short ways of saying things.

Every command goes by name and plain data through the codec. After each one the live state is the fold of what happened,
and a refusal has changed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once
from ..played import PlayedFight

SWORD: Mapping[str, object] = {"name": "sword", "size": 4, "av": 40, "effects": ["edge", "point"]}
POLEARM: Mapping[str, object] = {"name": "polearm", "size": 7, "av": 35, "grip": "2", "hand": "2"}
DAGGER: Mapping[str, object] = {"name": "dagger", "size": 1, "av": 30, "hand": "R"}

_OWN = ("side", "at", "facing", "hidden", "count")


class Play(PlayedFight):
    """A fight being played, in words of this system."""

    MOST_STEPS = 200

    # Getting somewhere

    def begin(self, **init: int) -> Play:
        """Start a segment and give everybody an Initiative: as said, else the first one highest."""
        if self.state.step is None:
            self.do("start")
        for place, who in enumerate(self.state.combatants):
            if self.one(who).able and self.state.phase == "initiative":
                self.do("initiative", who=who, total=init.get(who, 30 - place))
        return self

    def to(self, kind: str, actor: str = "") -> Play:
        """Step on, taking every default, until such a step runs."""
        for _ in range(self.MOST_STEPS):
            step = self.state.step
            if step is not None and step.kind == kind and actor in ("", step.actor):
                return self
            self.do("advance")
        raise AssertionError(f"no step {kind} {actor}; now {self.state.step} {self.asks()}")

    def to_object(self, who: str) -> Play:
        """Have somebody declare to do something with an object, and step on to where it is settled (CS-094)."""
        return self.to("declare", who).do("declare", who=who, action="object").to("resolve", who)

    # Looking

    def see(self, who: str) -> Mapping[str, object]:
        """The combatant's fields as the protocol shows them."""
        return showing.fields(self.state, who)


@played_once
def table(
    board: AnyBoard | None = None,
    settings: Mapping[str, object] | None = None,
    seed: str = "1",
    **cast: Mapping[str, object],
) -> Play:
    """A fight in set-up. Each of the cast by id: ``side``, ``at``, ``facing``..., and all else is of the sheet."""
    play = Play(Fight.new("segments", settings=settings, board=board, seed=seed))  # type: ignore[arg-type]
    for who, given in cast.items():
        own = {key: value for key, value in given.items() if key in _OWN}
        sheet = {key: value for key, value in given.items() if key not in _OWN}
        play.do("join", **{"name": who.title(), "id": who, "side": "party", **own, "sheet": sheet})
    return play


def uses_of(play: Play, who: str) -> dict[str, tuple[int, int]]:
    """How often somebody has attacked and defended with each skill."""
    return {skill: (used["attacks"], used["defences"]) for skill, used in play.see(who)["uses"].items()}
