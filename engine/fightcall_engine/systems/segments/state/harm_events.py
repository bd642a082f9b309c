"""The events of a blow, step by step (section 4.1, the hit chain), and of the aftermath."""

from typing import ClassVar

from fightcall_engine.model.events import DamageApplied, Event, FactChanged, Healed, Placed, Recorded, TraitsChanged
from fightcall_engine.model.values import value as event
from fightcall_engine.systems.segments.state import events

Parts = tuple[tuple[str, str, str], ...]
"""The parts of a number: label, value, rule."""


@event
class BlowLanded(Recorded):
    """A blow lands with this POT, before clothing and armour (CS-530).

    `struck` is edge, point or blunt; `passage` is how it meets armour; `bonus` is the part that wears armour (CS-580).
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
    """A blow drives a combatant back (CS-560): by how many feet, how far it went, and what stopped it.

    `barrier` are the feet cut short by something solid, which add to the POT (CS-563).
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
    """A combatant falls down (CS-562)."""

    SEEN = "  {who} falls and is {posture}"


@event
class ArmourApplied(TraitsChanged):
    """Clothing and armour reduce a blow: POT before and after, and what each layer took (CS-566, CS-570)."""

    pot_in: int
    dr: int
    out: int
    parts: Parts = ()


@event
class ArmourWorn(TraitsChanged):
    """A layer of armour, or a shield, has lost some of its protection (CS-580)."""

    layer: str
    lost: int
    left: int


@event
class ArmourDestroyed(ArmourWorn):
    """A layer protects no more until it is repaired (CS-584)."""

    PUBLIC = ("who", "layer")
    SEEN = "  {who}: {layer} is destroyed"


@event
class WoundsReckoned(Recorded):
    """The POT that got through, the Wound Threshold, and the wounds they make, perhaps 0 (CS-600 to CS-603).

    `counts` is false for an edge or a point that met flesh: the threshold only decides about further wounds then.
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
    """A blow costs Body Points (CS-550); `level` is the level of wounding now (CS-632)."""

    PUBLIC = ("who", "level")
    SEEN = "  {who} is hurt: {level}"
    level: str


@event
class FellUnconscious(events.LifeChanged):
    """A combatant faints (CS-611, CS-625)."""

    SEEN = "  {who} faints"


@event
class Collapsed(events.LifeChanged):
    """A combatant collapses at the tenth wound (CS-624)."""

    SEEN = "  {who} collapses"


@event
class Died(events.LifeChanged):
    """A combatant dies (CS-624)."""

    SEEN = "  {who} dies"


@event
class LivesOn(TraitsChanged):
    """A combatant survives the tenth wound, for so many segments (CS-625)."""

    segments: int


@event
class Rallied(TraitsChanged):
    """A combatant tries to act with full STR in spite of Grievous wounds (CS-622)."""

    ok: bool


@event
class AftermathApplied(Recorded):
    """The effect of wounds after the contest: STR left, and how much longer END takes to return (CS-627, CS-660)."""

    who: str
    level: str
    strength: int
    end_factor: int = 1
    parts: Parts = ()


@event
class BodiesMet(Recorded):
    """The end of a Body Check (CS-457 to CS-461): ``thrown``, ``rebound``, ``dodged`` or ``halted``, and the margin."""

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
    """The effect of a Presence attack (CS-516 to CS-520); `loss` is what DVs lose in the next segment (CS-519)."""

    PUBLIC = ("who", "by", "outcome")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "by")
    SEEN = "{who} {outcome:shaken=backs off|broken=surrenders|unmoved=is unmoved|doubt=has doubts|fights on}"
    by: str
    outcome: str
    loss: int = 0


@event
class PresenceLost(Recorded):
    """The Presence attack of a blow is lost: it missed, did nothing, or was not worth noticing (CS-511, CS-512)."""

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
"""The events of harm that a journal may hold."""


# Heroic Effects, tokens and the aftermath


@event
class HeroicEffect(Recorded):
    """A roll within a tenth of its chance (CS-635), with its check, chance and die."""

    who: str
    kind: str
    chance: int | None
    roll: int | None


@event
class Bumble(HeroicEffect):
    """A failure in the top tenth of the failing rolls (CS-637)."""


@event
class HeroicsDeclared(TraitsChanged):
    """A heroic deed: a bonus to a score or to POT, as long as the GM says (CS-645, CS-646)."""

    score: str
    bonus: int
    told: str = ""
    note: str = ""


@event
class HeroicsEnded(TraitsChanged):
    """A heroic deed ends, in whole or in part (CS-647)."""

    reason: str


@event
class FeatChosen(TraitsChanged):
    """The GM has chosen the effect of a Heroic Effect or a Bumble (CS-639 to CS-641).

    `before` and `after` are a number that it has changed, in `unit`; `due`: the GM describes the rest.
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
    """A Bumble breaks what a combatant holds (CS-641)."""

    PUBLIC = ("who", "tool")
    SEEN = "{tool} breaks"
    tool: str


@event
class TokenGiven(TraitsChanged):
    """A combatant gets a token (CS-651)."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} gets a {colour} token"
    colour: str


@event
class TokenSpent(TraitsChanged):
    """A token alters a roll or a result (CS-653), which `on` names."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} spends a {colour} token"
    colour: str
    on: str = ""


@event
class TokenPassed(TraitsChanged):
    """A token leaves its owner for another combatant (CS-654); the event after this one gives it."""

    PUBLIC = ("who", "colour", "to")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "to")
    colour: str
    to: str
    passes: int


@event
class HealingScheduled(TraitsChanged):
    """The plan by which wounds heal one after the other (CS-661 to CS-666).

    `care` is the care needed; nothing heals unless it is `met`. `days` are how long each wound takes, `on_days` when
    each is healed, counted from the fight; `dates` are the same as dates, if that of the fight is known.
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
    """Days pass after the fight; `before` and `value` count from it."""


@event
class WoundHealed(Healed):
    """The next wound or Body Point is healed (CS-664): on which day, and how many are left."""

    PUBLIC = ("who", "total")
    SEEN = "{who} recovers"
    day: int
    total: int
    date: str = ""


@event
class HealingClockReset(TraitsChanged):
    """A strenuous act restarts the time of the next wound (CS-667)."""

    day: int


AFTERMATH_EVENTS: tuple[type[Event], ...] = (
    HeroicEffect, Bumble, HeroicsDeclared, HeroicsEnded, FeatChosen, ToolBroken, TokenGiven, TokenSpent, TokenPassed,
    HealingScheduled, DaysPassed, WoundHealed, HealingClockReset,
)  # fmt: skip
"""The events of the aftermath that a journal may hold."""
