"""What happened: facts, in the past tense, that carry all that folding needs.

The classes here are the changes a fight can undergo, whatever its system. A system speaks its own language by
subclassing them (``class BeatsSpent(Spent)``): the fold goes by the nearest class it knows, so a system's own words
never need code in the core. A fact that changes nothing is a `Recorded`.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.squares import Square
from fightcall_engine.model.cues import Cue
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Prompt, Scalar, Step
from fightcall_engine.model.values import Value, field_values
from fightcall_engine.model.values import value as event


@event
class Event(Value):
    """The root of all events, with what a class says of every event of its kind.

    Some fields mean the same in every event. `who` is the combatant it is about; with `hit` it is an attack of theirs,
    on the timeline and in the tables of the chronicle, unless it is `OF_ATTACK`; with `chance` beside it, in percent,
    the closing summary says how lucky they were. So it does of a roll with `target`, `chance` and `ok` that an attack
    follows.

    Attributes:
        ACTS: the combatant in `who` has acted in the running step by it.
        DEED: they have done something, whatever becomes of the step; None for the same as `ACTS`.
        DECLARES: `who` says by it what they will do later.
        PUBLIC: the fields that players may see; an event without any never leaves the GM's screen.
        SUBJECTS: the fields that hold a combatant's id; events about a hidden combatant are hidden from players.
        LISTED: the fields that hold several ids, of which those of the hidden are left out.
        OF_ATTACK: it says how an attack goes on that has been told already, such as a shot that flies on: it is none
            of its own.
        OF_DECLARED: it says how it goes with what `who` declared: where that is secret, players hear nothing of it.
        UNSEEN: a step begins that is never for players.
        SEEN: what players read of it, a template of its public fields (`fightcall_engine.kit.templates`); empty where
            they read nothing.
        TEXT: what the GM reads of it, a template of all its fields with names in place of ids; where it is empty, its
            system or the core has the words. Of this and of `SEEN` spaces in front mean that it came of the act before.
        TONE: how that is meant; a tone of `kit.views.Phrase`.
        RULE: the id of the rule that it follows.
    """

    ACTS: ClassVar[bool] = False
    DEED: ClassVar[bool | None] = None
    DECLARES: ClassVar[bool] = False
    PUBLIC: ClassVar[tuple[str, ...]] = ()
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "target", "enemy", "by")
    LISTED: ClassVar[tuple[str, ...]] = ()
    OF_ATTACK: ClassVar[bool] = False
    OF_DECLARED: ClassVar[bool] = False
    UNSEEN: ClassVar[bool] = False
    SEEN: ClassVar[str] = ""
    TEXT: ClassVar[str] = ""
    TONE: ClassVar[str] = "plain"
    RULE: ClassVar[str] = ""

    @classmethod
    def is_deed(cls) -> bool:
        """Whether a combatant does something in it; see `DEED`."""
        return cls.ACTS if cls.DEED is None else cls.DEED


Events = tuple[Event, ...]


# The fight and those in it


@event
class FightOpened(Event):
    """Play begins."""

    PUBLIC = ("name",)
    SEEN = "The fight begins"
    name: str = ""


@event
class FightClosed(Event):
    """The fight is over."""

    PUBLIC = ("reason",)
    SEEN = "The fight is over"
    reason: str = ""


@event
class Joined(Event):
    """A combatant joins, whole: a fight depends on no catalogue."""

    PUBLIC = ("who",)
    SEEN = "{who} joins"
    who: str
    combatant: Combatant


@event
class LeftFight(Event):
    """A combatant is taken out of the fight altogether."""

    PUBLIC = ("who", "reason")
    SEEN = "{who} leaves[: {reason}]"
    who: str
    reason: str = ""


@event
class Renamed(Event):
    """A combatant's name or side is put right."""

    PUBLIC = ("who", "name", "side")
    who: str
    name: str
    side: str


@event
class SheetChanged(Event):
    """A combatant's sheet has other numbers from now on. It is the GM's: players hear nothing of it."""

    who: str
    sheet: Mapping[str, Json]


@event
class OrderSet(Event):
    """The order of the combatants is settled. The reason is the GM's: numbers of the hidden may be part of it."""

    PUBLIC = ("order",)
    LISTED = ("order",)
    order: tuple[str, ...]
    reason: str = ""


@event
class SettingChanged(Event):
    """A setting of the fight is changed by a ruling."""

    PUBLIC = ("setting", "value")
    setting: str
    before: Scalar
    value: Scalar


# Places


@event
class Placed(Event):
    """A combatant stands somewhere else, without having walked. `reason` is said where nobody asked for it."""

    PUBLIC: ClassVar[tuple[str, ...]] = ("who", "at")
    SEEN = "{who} is put elsewhere"
    who: str
    before: Location | None
    at: Location | None
    facing: int | None = None
    reason: str = ""


@event
class Moved(Event):
    """A combatant has moved.

    `path` holds the places entered, in order; it is empty where there is no board. `hexes` counts them.
    """

    ACTS = True
    PUBLIC = ("who", "hexes", "path", "feet")
    SEEN = "{who} moves"
    who: str
    hexes: int
    feet: float
    path: tuple[Location, ...] = ()
    facing: int | None = None
    quiet: bool = False


@event
class Turned(Event):
    """A combatant faces another way."""

    PUBLIC = ("who", "facing")
    who: str
    facing: int


@event
class ContactMade(Event):
    """Two enemies stand in each other's zone."""

    PUBLIC = ("who", "enemy")
    SEEN = "  {who} in contact with {enemy}"
    who: str
    enemy: str


@event
class ContactLeft(Event):
    """Two enemies no longer stand in each other's zone."""

    PUBLIC = ("who", "enemy")
    SEEN = "  {who} leaves contact with {enemy}"
    who: str
    enemy: str


# Pools, traits and facts


@event
class PoolChanged(Event):
    """A pool goes from one value to another. The root of everything that is spent, refilled, hurt or healed."""

    who: str
    pool: str
    before: int
    left: int
    max: int

    @property
    def unused(self) -> int:
        """How much of the pool was never used and is gone with it."""
        return 0


@event
class Spent(PoolChanged):
    """Part of a pool is spent for something."""

    PUBLIC = ("who", "amount", "left")
    amount: int
    purpose: str = ""


@event
class Refilled(PoolChanged):
    """A pool is filled to its maximum."""

    PUBLIC = ("who", "left")


@event
class PoolAdjusted(PoolChanged):
    """A pool is set by the GM's word."""

    reason: str = ""


@event
class DamageApplied(PoolChanged):
    """Harm lands. `tracked` is false where the figure has no pool to take it from; the amount is still recorded."""

    PUBLIC = ("who", "amount")
    SUBJECTS = ("who",)
    SEEN = "  {who} takes {amount}"
    amount: int
    by: str = ""
    tracked: bool = True


@event
class Healed(PoolChanged):
    """Harm is undone."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} recovers {amount}"
    amount: int


@event
class TraitChanged(Event):
    """A field of what a system remembers of one combatant (`Combatant.record`) changes."""

    who: str
    trait: str
    before: Json = None
    value: Json = None


@event
class TraitAdjusted(TraitChanged):
    """A field of what a system remembers of one combatant is set by the GM's word."""


@event
class TraitsChanged(Event):
    """Several fields of what a system remembers of one combatant change together.

    Attributes:
        traits: by name.
        within: of fields that are records themselves, which of their fields change.
    """

    who: str
    traits: Mapping[str, Json] = field(default_factory=dict)
    within: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


@event
class TraitsReset(Event):
    """One field of what a system remembers is set alike on several combatants."""

    figures: tuple[str, ...]
    trait: str
    value: Json = None


@event
class EntryChanged(Event):
    """An entry of a mapping among what a system remembers changes; a value of None takes it out.

    Attributes:
        who: whose record the mapping is a field of; empty for the record of the fight.
        field: the field.
        key: the entry, such as the name of some work; empty where the field itself is a record, whose `part` changes.
        part: of an entry that is a record, the field of it that changes; empty where the whole entry does.
    """

    who: str = ""
    field: str
    key: str = ""
    part: str = ""
    before: Json = None
    value: Json = None


@event
class FactChanged(Event):
    """A field of what a system remembers of the whole fight (`FightState.record`) changes."""

    fact: str
    before: Json = None
    value: Json = None


@event
class Hid(Event):
    """A combatant is no longer noticed by the other side."""

    who: str
    reason: str = ""


@event
class Detected(Event):
    """A hidden combatant is noticed: how, and by whom."""

    PUBLIC = ("who", "cause")
    SEEN = "{who} comes into sight"
    who: str
    cause: str = ""
    noticed_by: str = ""


@event
class Downed(Event):
    """A combatant can act no longer: `how` stands behind "is", such as down, dead, in flight, off stage."""

    PUBLIC = ("who", "how")
    SEEN = "  {who} is {how}"
    who: str
    how: str = "down"


@event
class Restored(Event):
    """A combatant can act again."""

    PUBLIC = ("who",)
    SEEN = "{who} can act again"
    who: str


# Effects


@event
class EffectBegan(Event):
    """Something lasting begins on a combatant."""

    PUBLIC = ("who", "effect")
    SEEN = "{who}: {effect}"
    who: str
    effect: Effect


@event
class EffectTicked(Event):
    """An effect counts down. `reason` says why it does although the clock it follows stands still."""

    who: str
    effect: str
    name: str
    left: int
    reason: str = ""


@event
class ClockChanged(Event):
    """An effect counts by another clock from now on; see `Effect` for `ticks` and `clock`."""

    who: str
    effect: str
    name: str
    ticks: str
    clock: str
    reason: str = ""


@event
class EffectEnded(Event):
    """An effect is over."""

    PUBLIC = ("who", "name")
    SEEN = "{who}: {name} is over"
    who: str
    effect: str
    name: str
    reason: str = ""


# The round


@event
class RoundBegan(Event):
    """A round begins with its agenda."""

    PUBLIC = ("number",)
    number: int
    steps: tuple[Step, ...]


@event
class StepBegan(Event):
    """The cursor stands on a step, and the step runs. Players hear of it where it is theirs to know (`Sight`)."""

    PUBLIC = ("phase", "side")
    index: int
    phase: str
    side: str = ""


@event
class StepUnseen(Event):
    """Players will know nothing of the step that begins next: all who can act in it are hidden."""


@event
class StepEnded(Event):
    """The running step is over. Players hear of the next one."""

    index: int
    phase: str
    side: str = ""
    reason: str = ""


@event
class StepSkipped(Event):
    """A step is passed over, with the reason."""

    index: int
    phase: str
    side: str = ""
    reason: str = ""


@event
class AgendaChanged(Event):
    """The steps of this round are rearranged; `cursor` says where play now stands. Without a reason it is not told."""

    steps: tuple[Step, ...]
    cursor: int
    reason: str = ""


@event
class Waived(Event):
    """A combatant lets this step go by."""

    PUBLIC = ("who",)
    who: str


@event
class RoundEnded(Event):
    """A round is over."""

    PUBLIC = ("number",)
    number: int


@event
class ClockAdvanced(Event):
    """Game time passes."""

    PUBLIC = ("seconds", "total")
    seconds: int
    total: int


# What the GM is to be reminded of: players hear nothing of it


@event
class CueSet(Event):
    """A cue waits from now on; one of the same id is replaced."""

    cue: Cue


@event
class CueDropped(Event):
    """A cue waits no longer."""

    cue: str
    name: str


@event
class CueFired(Event):
    """The condition of a cue has come true; one that is not for each time waits no longer.

    Attributes:
        cue: its id.
        text: what is said.
        by: the combatant through whom it came true, if it was one.
        at: the place on the way that they had reached, where that is not where they stand now.
    """

    cue: str
    name: str
    text: str
    by: str = ""
    at: Location | None = None


# The GM's word, and what is merely recorded


@event
class RulingAsked(Event):
    """A prompt opens."""

    prompt: Prompt


@event
class RulingRecorded(Event):
    """The GM has ruled: an open prompt is answered (`prompt`), or something is settled unasked (`prompt` empty)."""

    rule: str
    question: str
    choice: str
    prompt: str = ""
    default_taken: bool = False
    note: str = ""


@event
class Recorded(Event):
    """The root of facts that change nothing by themselves."""


@event
class Overridden(Recorded):
    """A refusal is set aside by the GM: which command, which rule, and why it had refused."""

    command: str
    rule: str
    reason: str
    who: str = ""


@event
class DiceRolled(Recorded):
    """A throw, as it fell."""

    dice: str
    purpose: str
    faces: tuple[int, ...]
    total: int
    source: str
    who: str = ""


@event
class NoteAdded(Recorded):
    """The GM writes something down."""

    text: str
    who: str = ""


CORE_EVENTS: tuple[type[Event], ...] = (
    FightOpened, FightClosed, Joined, LeftFight, Renamed, SheetChanged, OrderSet, SettingChanged,
    Placed, Moved, Turned, ContactMade, ContactLeft,
    Spent, Refilled, PoolAdjusted, DamageApplied, Healed,
    TraitChanged, TraitAdjusted, TraitsChanged, TraitsReset, EntryChanged, FactChanged,
    Hid, Detected, Downed, Restored, EffectBegan, EffectTicked, ClockChanged, EffectEnded,
    RoundBegan, StepUnseen, StepBegan, StepEnded, StepSkipped, AgendaChanged, Waived, RoundEnded, ClockAdvanced,
    CueSet, CueDropped, CueFired,
    RulingAsked, RulingRecorded, Overridden, DiceRolled, NoteAdded,
)  # fmt: skip
"""The events that every fight may hold, whatever its system."""


def subjects(cause: Event) -> tuple[str, ...]:
    """The ids of the combatants an event is about."""
    ids = []
    for name in cause.SUBJECTS:
        value = getattr(cause, name, "")
        if isinstance(value, str) and value:
            ids.append(value)
    return tuple(ids)


def public_fields(cause: Event) -> Mapping[str, object]:
    """The fields of an event that its allow-list opens to players."""
    return {name: getattr(cause, name) for name in cause.PUBLIC}


def named_people(cause: Event, state: FightState) -> Mapping[str, object]:
    """The fields of an event, those that hold ids of combatants with their names instead."""
    names = {combatant_id: combatant.name or combatant_id for combatant_id, combatant in state.combatants.items()}
    values = field_values(cause)
    for field_name in (*cause.SUBJECTS, *cause.LISTED):
        value = values.get(field_name)
        if isinstance(value, str):
            values[field_name] = names.get(value, value)
        elif isinstance(value, tuple):
            values[field_name] = tuple(names.get(each, each) for each in value)
    return values


def named_places(cause: Event, board: AnyBoard | None) -> Mapping[str, str]:
    """The fields of an event that hold a place of a board of hexes or squares, each with the name of the place."""
    if board is None:
        return {}
    fields = ((name, value) for name, value in field_values(cause).items() if isinstance(value, Hex | Square))
    return {name: board.name_of(value) for name, value in fields}
