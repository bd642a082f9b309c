"""Events: what happened, with all data that the fold needs.

The classes here are all possible changes of a fight, in any system. Systems subclass them to have events with their own
names and words (``class BeatsSpent(Spent)``): the fold uses the nearest class it knows, so that these need no code in
the core. Events that change nothing are `Recorded`.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fightcall_engine.board.base import AnyBoard, Hex, Location, Square
from fightcall_engine.model.state import Combatant, Cue, Effect, FightState, Json, Pool, Prompt, Scalar, Step, StyleWord
from fightcall_engine.model.values import Value, field_values


class Event(Value):
    """The base class of all events, with properties of each class.

    Some fields have the same meaning in all events. `who` is the combatant concerned. An event with `hit` is an attack
    by `who` in timeline and chronicle, unless it is `OF_ATTACK`. If it also has `chance` in percent, the closing
    summary compares both; likewise for a roll with `target`, `chance` and `ok` before an attack.

    Attributes:
        ACTS: by it, `who` has acted in the running step.
        DEED: by it, `who` has done something, even if not in the running step; None for the same as `ACTS`.
        DECLARES: by it, `who` declares a later act.
        PUBLIC: the fields that players may see; an event without any is for the GM only.
        SUBJECTS: the fields that hold a combatant's id; events about a hidden combatant are hidden from players.
        LISTED: the fields that hold several ids; players do not see those of hidden combatants.
        OF_ATTACK: it continues an earlier attack, such as a shot that flies on, and does not count as another one.
        OF_DECLARED: it is about the declaration of `who`; if that is secret, it is hidden from players.
        UNSEEN: the beginning of a step that is always hidden from players.
        SEEN: its text for players, a template with its public fields (`fightcall_engine.kit.records`); empty for
            none.
        TEXT: its text for the GM, a template with all its fields; if empty, the system or the core has the words.
            Leading spaces here and in `SEEN` mean that it is a consequence of the act before.
        TONE: the tone of the text, as in `kit.views.Phrase`.
        RULE: the id of its rule.
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


# The fight and its combatants


class FightOpened(Event):
    """Play begins."""

    PUBLIC = ("name",)
    SEEN = "The fight begins"
    name: str = ""


class FightClosed(Event):
    """The fight is over."""

    PUBLIC = ("reason",)
    SEEN = "The fight is over"
    reason: str = ""


class Joined(Event):
    """A combatant joins. The event has all its data, so that a fight never depends on a catalogue.

    `copies` is the id of the combatant it is a copy of, whose effects it gets; those of its sheet do not begin.
    """

    PUBLIC = ("who",)
    SEEN = "{who} joins"
    who: str
    combatant: Combatant
    copies: str = ""


class Returned(Joined):
    """A combatant who has left comes back. `left_in` is the round in which it left."""

    SEEN = "{who} comes back"
    left_in: int = 0


class LeftFight(Event):
    """A combatant is removed from the fight."""

    PUBLIC = ("who", "reason")
    SEEN = "{who} leaves[: {reason}]"
    who: str
    reason: str = ""


class Renamed(Event):
    """A combatant's name or side changes."""

    PUBLIC = ("who", "name", "side")
    who: str
    name: str
    side: str


class SheetChanged(Event):
    """Values of a combatant's sheet change. Hidden from players."""

    who: str
    sheet: Mapping[str, Json]


class StyleChanged(Event):
    """How a combatant fights by the program's suggestions changes. Hidden from players."""

    SUBJECTS = ("who", "whom")
    TEXT = "{who} now fights: {word}[ {whom}]"
    TONE = "ruling"
    who: str
    word: StyleWord
    whom: str = ""


class OrderSet(Event):
    """The order of the combatants is set. The reason is for the GM only: it may have numbers of hidden combatants."""

    PUBLIC = ("order",)
    LISTED = ("order",)
    order: tuple[str, ...]
    reason: str = ""


class SettingChanged(Event):
    """A setting of the fight is changed by a ruling."""

    PUBLIC = ("setting", "value")
    setting: str
    before: Scalar
    value: Scalar


class RulesChanged(Event):
    """The GM changes the rules of a game in a file. Players only see what comes of it.

    `sheets` and `pools` have everybody, also those who have left, by id; `side_pools` are by side.
    """

    TEXT = "{text}"
    TONE = "ruling"
    rules_text: str
    text: str
    sheets: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    pools: Mapping[str, Mapping[str, Pool]] = field(default_factory=dict)
    side_pools: Mapping[str, Mapping[str, Pool]] = field(default_factory=dict)


# Places


class BoardChanged(Event):
    """The map changes: the GM paints on it (`text` says what), or the fight goes on elsewhere (`is_new`).

    Nobody stands on a new map before they are placed there.
    """

    PUBLIC = ("text",)
    SEEN = TEXT = "{text}"
    TONE = "ruling"
    board: AnyBoard | None
    text: str
    is_new: bool = False


class Placed(Event):
    """A combatant is put on another place, without walking. `reason` explains it if it was not requested.

    `swaps` is the id of the combatant it trades places with.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = ("who", "at")
    SEEN = "{who} is put elsewhere"
    who: str
    before: Location | None
    at: Location | None
    facing: int | None = None
    reason: str = ""
    swaps: str = ""


class Moved(Event):
    """A combatant has moved.

    `path` holds the places entered, in order; it is empty without a board. `hexes` is their number.
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


class Turned(Event):
    """A combatant faces another way."""

    PUBLIC = ("who", "facing")
    who: str
    facing: int


class ContactMade(Event):
    """Two enemies come into contact."""

    PUBLIC = ("who", "enemy")
    SEEN = "  {who} in contact with {enemy}"
    who: str
    enemy: str


class ContactLeft(Event):
    """Two enemies are no longer in contact."""

    PUBLIC = ("who", "enemy")
    SEEN = "  {who} leaves contact with {enemy}"
    who: str
    enemy: str


# Pools, traits and facts


class PoolChanged(Event):
    """A pool changes: the base of spending, refilling, harm and healing. `EXPIRES`: what it held is lost unused."""

    EXPIRES: ClassVar[bool] = False
    who: str
    pool: str
    before: int
    left: int
    max: int

    @property
    def unused(self) -> int:
        """The amount of the pool that expires unused by it."""
        return self.before if self.EXPIRES else 0


class Spent(PoolChanged):
    """Part of a pool is spent for something."""

    PUBLIC = ("who", "amount", "left")
    amount: int
    purpose: str = ""


class Refilled(PoolChanged):
    """A pool is filled to its maximum."""

    PUBLIC = ("who", "left")


class PoolAdjusted(PoolChanged):
    """A pool is set by the GM."""

    reason: str = ""


class DamageApplied(PoolChanged):
    """A combatant is harmed. `tracked` is false if it has no such pool; the amount is still recorded.

    `half`: it took half of what others took.
    """

    PUBLIC = ("who", "amount")
    SUBJECTS = ("who",)
    SEEN = "  {who} takes {amount} damage"
    amount: int
    by: str = ""
    tracked: bool = True
    half: bool = False


class Healed(PoolChanged):
    """A combatant is healed."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} heals {amount}"
    amount: int


class SidePoolChanged(Event):
    """A pool that a side shares changes. `who` gains or spends for it; empty for nobody."""

    PUBLIC = ("who", "side", "pool", "left", "max")
    SEEN = "  [{side} ]{pool} {left}/{max}"
    side: str
    pool: str
    before: int
    left: int
    max: int
    who: str = ""
    purpose: str = ""


class SidePoolAdjusted(SidePoolChanged):
    """A pool that a side shares is set by the GM, for the reason in `purpose`."""


class TraitChanged(Event):
    """A field of a combatant's record (`Combatant.record`) changes."""

    who: str
    trait: str
    before: Json = None
    value: Json = None


class TraitAdjusted(TraitChanged):
    """A field of a combatant's record is set by the GM."""


class TraitsChanged(Event):
    """Several fields of a combatant's record change together.

    Attributes:
        traits: the new values by name.
        within: for fields that are records themselves, the new values of some of their fields.
    """

    who: str
    traits: Mapping[str, Json] = field(default_factory=dict)
    within: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


class TraitsReset(Event):
    """A field of several combatants' records is set to the same value."""

    figures: tuple[str, ...]
    trait: str
    value: Json = None


class EntryChanged(Event):
    """An entry of a mapping in a record changes; the value None removes it.

    Attributes:
        who: the combatant with the record; empty for the record of the fight.
        field: the field that holds the mapping.
        key: the key of the entry, such as the name of a work; empty if the field itself is a record, whose `part`
            changes.
        part: the field that changes, if the entry is a record; empty if the whole entry changes.
    """

    who: str = ""
    field: str
    key: str = ""
    part: str = ""
    before: Json = None
    value: Json = None


class FactChanged(Event):
    """A field of the fight's record (`FightState.record`) changes."""

    fact: str
    before: Json = None
    value: Json = None


class Hid(Event):
    """A combatant is now hidden from the other side."""

    who: str
    reason: str = ""


class Detected(Event):
    """A hidden combatant is noticed: how, and by whom."""

    PUBLIC = ("who", "cause")
    SEEN = "{who} comes into sight"
    who: str
    cause: str = ""
    noticed_by: str = ""


class Downed(Event):
    """A combatant can no longer act: `how` follows "is" in sentences, such as down, dead, in flight, off stage."""

    PUBLIC = ("who", "how")
    SEEN = "  {who} is {how}"
    who: str
    how: str = "down"


class Restored(Event):
    """A combatant can act again."""

    PUBLIC = ("who",)
    SEEN = "{who} can act again"
    who: str


# Effects


class EffectBegan(Event):
    """An effect begins on a combatant."""

    PUBLIC = ("who", "effect")
    SEEN = "{who}: {effect}"
    who: str
    effect: Effect


class EffectTicked(Event):
    """An effect counts down. `reason` says why, if the clock it follows has stopped."""

    who: str
    effect: str
    name: str
    left: int
    reason: str = ""


class ClockChanged(Event):
    """An effect changes to another clock; see `Effect` for `ticks` and `clock`. `left` is None if it stays the same."""

    who: str
    effect: str
    name: str
    ticks: str
    clock: str
    reason: str = ""
    left: int | None = None


class EffectEnded(Event):
    """An effect ends."""

    PUBLIC = ("who", "name")
    SEEN = "{who}: {name} is over"
    who: str
    effect: str
    name: str
    reason: str = ""


# The round


class RoundBegan(Event):
    """A round begins; the event has its agenda."""

    PUBLIC = ("number",)
    number: int
    steps: tuple[Step, ...]


class StepBegan(Event):
    """The cursor moves to a step, which begins. Players see it as `Sight` says."""

    PUBLIC = ("phase", "side")
    index: int
    phase: str
    side: str = ""


class StepUnseen(Event):
    """The step that begins next is hidden from players, because all who can act in it are hidden."""


class StepEnded(Event):
    """The running step ends. Players only see that the next one begins."""

    index: int
    phase: str
    side: str = ""
    reason: str = ""


class StepSkipped(Event):
    """A step is skipped, with the reason."""

    index: int
    phase: str
    side: str = ""
    reason: str = ""


class AgendaChanged(Event):
    """The steps of this round are rearranged; `cursor` is the new position. It has no text without a reason."""

    steps: tuple[Step, ...]
    cursor: int
    reason: str = ""


class Waived(Event):
    """A combatant lets the running step go by."""

    PUBLIC = ("who",)
    who: str


class RoundEnded(Event):
    """A round ends."""

    PUBLIC = ("number",)
    number: int


class ClockAdvanced(Event):
    """Game time passes."""

    PUBLIC: ClassVar[tuple[str, ...]] = ("seconds", "total")
    seconds: int
    total: int


class TimeSkipped(ClockAdvanced):
    """The GM lets game time pass; `text` says how much."""

    PUBLIC = ("seconds", "total", "text")
    SEEN = "{text}"
    text: str = ""


# Cues, which are hidden from players


class CueSet(Event):
    """A cue is set; it replaces one with the same id."""

    cue: Cue


class CueDropped(Event):
    """A cue is removed."""

    cue: str
    name: str


class CueFired(Event):
    """The condition of a cue has come true; the cue is removed, unless it is for each time.

    Attributes:
        by: the combatant through whom it came true, if any.
        at: the place that this combatant had reached on its way, if not the present one.
    """

    cue: str
    name: str
    text: str
    by: str = ""
    at: Location | None = None


# Rulings, and events that change nothing


class RulingAsked(Event):
    """A prompt opens."""

    prompt: Prompt


class RulingRecorded(Event):
    """The GM has made a ruling: the answer to an open `prompt`, or without being asked (`prompt` empty)."""

    rule: str
    question: str
    choice: str
    prompt: str = ""
    default_taken: bool = False
    note: str = ""


class Recorded(Event):
    """The base class of events that change nothing by themselves."""


class Overridden(Recorded):
    """The GM overrides a refusal: the command, the rule, and the reason of the refusal."""

    command: str
    rule: str
    reason: str
    who: str = ""


class DiceRolled(Recorded):
    """Dice are rolled."""

    dice: str
    purpose: str
    faces: tuple[int, ...]
    total: int
    source: str
    who: str = ""


class GroundHurt(Recorded):
    """The ground is about to harm a combatant who has entered it, or stands in it at the end of a round."""

    PUBLIC = ("who", "ground")
    SEEN = TEXT = "{who}: {ground}"
    who: str
    ground: str


class ActsSkipped(Recorded):
    """Some of those who act together have not acted, because one before them has felled their target."""

    LISTED = ("figures",)
    TEXT = "Still to act: {figures} ({reason})"
    figures: tuple[str, ...]
    reason: str


class NoteAdded(Recorded):
    """The GM adds a note."""

    text: str
    who: str = ""


CORE_EVENTS: tuple[type[Event], ...] = (
    FightOpened, FightClosed, Joined, Returned, LeftFight, Renamed, SheetChanged, StyleChanged, OrderSet,
    SettingChanged, RulesChanged,
    BoardChanged, Placed, Moved, Turned, ContactMade, ContactLeft,
    Spent, Refilled, PoolAdjusted, DamageApplied, Healed, SidePoolChanged, SidePoolAdjusted,
    TraitChanged, TraitAdjusted, TraitsChanged, TraitsReset, EntryChanged, FactChanged,
    Hid, Detected, Downed, Restored, EffectBegan, EffectTicked, ClockChanged, EffectEnded,
    RoundBegan, StepUnseen, StepBegan, StepEnded, StepSkipped, AgendaChanged, Waived, RoundEnded, ClockAdvanced,
    TimeSkipped, CueSet, CueDropped, CueFired,
    RulingAsked, RulingRecorded, Overridden, DiceRolled, GroundHurt, ActsSkipped, NoteAdded,
)  # fmt: skip
"""The events of every fight, whatever its system."""


def subjects(cause: Event) -> tuple[str, ...]:
    """The ids of the combatants an event is about."""
    ids = []
    for name in cause.SUBJECTS:
        value = getattr(cause, name, "")
        if isinstance(value, str) and value:
            ids.append(value)
    return tuple(ids)


def named_people(cause: Event, state: FightState) -> Mapping[str, object]:
    """The fields of an event, with names in place of combatants' ids."""

    def name_of(value: str) -> str:
        combatant = state.combatants.get(value)
        return value if combatant is None else combatant.name or value

    values = field_values(cause)
    for field_name in (*cause.SUBJECTS, *cause.LISTED):
        value = values.get(field_name)
        if isinstance(value, str):
            values[field_name] = name_of(value)
        elif isinstance(value, tuple):
            values[field_name] = tuple(map(name_of, value))
    return values


def named_places(cause: Event, board: AnyBoard | None) -> Mapping[str, str]:
    """The fields of an event that hold a place of a board of hexes or squares, each with the name of the place."""
    if board is None:
        return {}
    fields = ((name, value) for name, value in field_values(cause).items() if isinstance(value, Hex | Square))
    return {name: board.name_of(value) for name, value in fields}
