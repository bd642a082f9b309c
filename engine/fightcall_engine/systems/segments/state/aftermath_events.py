"""What comes of great successes and failures, tokens, and the time after the fight (CS-635 to CS-672, CS-700).

Each event folds as the shared one it descends from.
"""

from typing import ClassVar

from fightcall_engine.model.events import Event, FactChanged, Healed, Recorded, TraitsChanged
from fightcall_engine.model.values import value as event


@event
class HeroicEffect(Recorded):
    """A roll within a tenth of its chance (CS-635): of what check, with what chance and die."""

    who: str
    kind: str
    chance: int | None
    roll: int | None


@event
class Bumble(HeroicEffect):
    """A failure in the top tenth of the failing rolls (CS-637)."""


@event
class HeroicsDeclared(TraitsChanged):
    """A deed that matters more than life: a bonus to a score or to POT, as long as the GM says (CS-645, CS-646)."""

    score: str
    bonus: int
    told: str = ""
    note: str = ""


@event
class HeroicsEnded(TraitsChanged):
    """A deed is over, or a part of it (CS-647)."""

    reason: str


@event
class FeatChosen(TraitsChanged):
    """What the GM has made of a Heroic Effect or a Bumble (CS-639 to CS-641).

    `before` and `after` are a number that it changed, in `unit`, where there is one; `due`: the GM tells the rest.
    """

    choice: str
    label: str
    rule: str
    target: str = ""
    before: str = ""
    after: str = ""
    unit: str = ""
    due: bool = False


@event
class ToolBroken(TraitsChanged):
    """A Bumble breaks what somebody holds (CS-641)."""

    PUBLIC = ("who", "tool")
    SEEN = "{tool} breaks"
    tool: str


@event
class TokenGiven(TraitsChanged):
    """Somebody gets a token (CS-651)."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} gets a {colour} token"
    colour: str


@event
class TokenSpent(TraitsChanged):
    """A token alters a roll or the result of an act (CS-653); `on` says which."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} spends a {colour} token"
    colour: str
    on: str = ""


@event
class TokenPassed(TraitsChanged):
    """A token goes to somebody else (CS-654). This takes it from its owner; the next one gives it to the other."""

    PUBLIC = ("who", "colour", "to")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "to")
    colour: str
    to: str
    passes: int


@event
class HealingScheduled(TraitsChanged):
    """How wounds heal one after the other (CS-661 to CS-666).

    `care` is what he needs; with `met` false he does not heal until he has it. `days` are how long each wound takes,
    `on_days` when each is healed counted from the fight, `dates` likewise where the day of the fight is known.
    """

    level: str
    care: str
    met: bool
    healer_sl: int
    days: tuple[int, ...]
    on_days: tuple[int, ...]
    dates: tuple[str, ...] = ()


@event
class DaysPassed(FactChanged):
    """Days go by after the fight: `before` and `value` count from it."""


@event
class WoundHealed(Healed):
    """The next wound, or Body Point, is healed (CS-664): on which day, and how many are left."""

    PUBLIC = ("who", "total")
    day: int
    total: int
    date: str = ""


@event
class HealingClockReset(TraitsChanged):
    """A strenuous act: the time of the next wound begins anew (CS-667)."""

    day: int


EVENTS: tuple[type[Event], ...] = (
    HeroicEffect, Bumble, HeroicsDeclared, HeroicsEnded, FeatChosen, ToolBroken, TokenGiven, TokenSpent, TokenPassed,
    HealingScheduled, DaysPassed, WoundHealed, HealingClockReset,
)  # fmt: skip
"""The events of what comes after."""
