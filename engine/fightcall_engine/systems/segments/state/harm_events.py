"""What a blow does, step by step (section 4.1, the hit chain). Each event folds as the shared one it descends from."""

from typing import ClassVar

from fightcall_engine.model.events import DamageApplied, Event, FactChanged, Healed, Placed, Recorded, TraitsChanged
from fightcall_engine.model.values import value as event
from fightcall_engine.systems.segments.state import events

Parts = tuple[tuple[str, str, str], ...]
"""What a number is made of: label, value, rule."""


@event
class BlowLanded(Recorded):
    """A blow lands with so much POT, before clothing and armour (CS-530).

    `struck` is edge, point or blunt; `passage` how it goes at armour; `bonus` what of it wears armour (CS-580).
    """

    PUBLIC = ("attacker", "who")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("attacker", "who")
    who: str
    attacker: str
    pot: int
    struck: str
    passage: str = "common"
    bonus: int = 0
    parts: Parts = ()


@event
class KnockedBack(Placed):
    """A blow drives somebody back (CS-560): what it was worth in feet, how far he went, and what stopped him.

    `barrier` are the feet that something solid kept him from, which add to the POT (CS-563).
    """

    PUBLIC: ClassVar[tuple[str, ...]] = ("who", "at", "feet")
    SEEN = "  {who} is driven back"
    feet: int
    moved: int
    barrier: int = 0
    stopped_at: str = ""
    by: str = ""
    parts: Parts = ()


@event
class Fell(events.PostureChanged):
    """Somebody does not keep his feet (CS-562)."""

    SEEN = "  {who} falls and is {posture}"


@event
class ArmourApplied(TraitsChanged):
    """What clothing and armour took from a blow: POT before and after, and what each layer did (CS-566, CS-570)."""

    pot_in: int
    dr: int
    out: int
    parts: Parts = ()


@event
class ArmourWorn(TraitsChanged):
    """A layer of armour, or a shield, lost some of what it is worth (CS-580)."""

    layer: str
    lost: int
    left: int


@event
class ArmourDestroyed(ArmourWorn):
    """A layer is worth nothing any more until it is repaired (CS-584)."""

    PUBLIC = ("who", "layer")
    SEEN = "  {who}: {layer} is destroyed"


@event
class WoundsReckoned(Recorded):
    """What came through against the Wound Threshold, and the wounds it makes, 0 also (CS-600 to CS-603).

    `counts` is false for an edge or a point that met flesh: then the threshold tells of further wounds alone.
    """

    PUBLIC = ("who", "wounds")
    who: str
    through: int
    threshold: float
    counts: bool
    wounds: int
    parts: Parts = ()


@event
class BodyPointsLost(DamageApplied):
    """A blow costs Body Points (CS-550), and the level that comes to (CS-632)."""

    PUBLIC = ("who", "level")
    SEEN = "  {who} is hurt: {level}"
    level: str


@event
class FellUnconscious(events.LifeChanged):
    """Somebody faints (CS-611, CS-625)."""

    SEEN = "  {who} faints"


@event
class Collapsed(events.LifeChanged):
    """The tenth wound: somebody collapses (CS-624)."""

    SEEN = "  {who} collapses"


@event
class Died(events.LifeChanged):
    """Somebody dies (CS-624)."""

    SEEN = "  {who} dies"


@event
class LivesOn(TraitsChanged):
    """Somebody survives the tenth wound, for so many segments (CS-625)."""

    segments: int


@event
class Rallied(TraitsChanged):
    """Somebody tries to find full STR for one Action in spite of Grievous wounds (CS-622)."""

    ok: bool


@event
class AftermathApplied(Recorded):
    """The contest is over and wounds tell: the STR left, how many times longer END takes to return (CS-627, CS-660)."""

    who: str
    level: str
    strength: int
    end_factor: int = 1
    parts: Parts = ()


@event
class BodiesMet(Recorded):
    """How a Body Check ended (CS-457 to CS-461): ``thrown``, ``rebound``, ``dodged`` or ``halted``, and by how far."""

    PUBLIC = ("who", "target", "outcome", "feet")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "target")
    SEEN = "{who} {outcome:thrown=throws back|rebound=bounces off|dodged=runs past|runs into} {target}"
    who: str
    target: str
    outcome: str
    feet: int = 0
    parts: Parts = ()


@event
class Demoralised(TraitsChanged):
    """What a Presence attack did (CS-516 to CS-520); `loss` is what DVs lose in the next segment (CS-519)."""

    PUBLIC = ("who", "by", "outcome")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "by")
    SEEN = "{who} {outcome:shaken=backs off|broken=surrenders|unmoved=is unmoved|doubt=is in doubt|fights on}"
    by: str
    outcome: str
    loss: int = 0


@event
class PresenceLost(Recorded):
    """What was said with a blow is lost: it missed, did nothing, or was not worth noticing (CS-511, CS-512)."""

    PUBLIC = ("who", "target", "line")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "target")
    who: str
    target: str
    line: str
    reason: str
    rule: str = "CS-512"


EVENTS: tuple[type[Event], ...] = (
    BlowLanded, KnockedBack, Fell, ArmourApplied, ArmourWorn, ArmourDestroyed, WoundsReckoned, BodyPointsLost,
    FellUnconscious, Collapsed, Died, LivesOn, Rallied, AftermathApplied, BodiesMet, Demoralised,
    PresenceLost,
)  # fmt: skip
"""The events of harm, beside those of `events`."""


# Great successes and failures, tokens, and the time after the fight


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
    SEEN = "{who} recovers"
    day: int
    total: int
    date: str = ""


@event
class HealingClockReset(TraitsChanged):
    """A strenuous act: the time of the next wound begins anew (CS-667)."""

    day: int


AFTERMATH_EVENTS: tuple[type[Event], ...] = (
    HeroicEffect, Bumble, HeroicsDeclared, HeroicsEnded, FeatChosen, ToolBroken, TokenGiven, TokenSpent, TokenPassed,
    HealingScheduled, DaysPassed, WoundHealed, HealingClockReset,
)  # fmt: skip
"""The events of what comes after."""
