"""The state of a fight: immutable plain data that JSON can hold; its cues among them.

Nothing here depends on a rule or a system. Systems keep their own data in frozen dataclasses: `Combatant.record` for
a combatant, `FightState.record` for the fight.

A cue is what the GM or the author of an encounter wants to be reminded of, and when. It is written in one form
everywhere: in the journal, in the protocol and in an encounter file. Its condition and its outcome are each an object
whose first key says what it is::

    {"when": {"down": "goblins", "count": 2}, "then": {"ask": "Do they run?", "answers": ["yes", "no"]}}

People (`who` and the like) are named by a combatant's id, a squad, a side, or `ANYBODY`. What a condition means is in
`fightcall_engine.kit.cues`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, is_dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol, TypeAlias, cast, get_args, runtime_checkable

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.model.values import Value, field_values, frozen, remembered

CUE = "cue"
"""The kind of the prompts that cues open, and the rule named when a cue is refused."""
ANYBODY = "anybody"
WHOEVER = "whoever"
"""In a proposed command: the combatant through whom the condition came true."""

Scalar: TypeAlias = str | int | float | bool | None
Json: TypeAlias = object
"""Any JSON value. (Pydantic cannot read a recursive alias on every Python we support.)"""

NOTHING: Mapping[str, Scalar] = MappingProxyType({})
_is_blocking = attrgetter("blocking")


class CuePart(Value):
    """The root of what a cue is made of. It is told apart by the names of its fields and needs no other type."""

    TAGGED: ClassVar[bool] = False


# Cues: when


class RoundReached(CuePart):
    """The round of this number has begun."""

    round: int


class PhaseReached(CuePart):
    """A step of this phase, by id or name, or of this name, such as ``Pulse 3``, runs; `who` is whose it has to be."""

    phase: str
    who: str = ANYBODY


class ClockReached(CuePart):
    """So many seconds of game time have passed."""

    clock_s: int


class Enters(CuePart):
    """A combatant stands on a place: any of several, a zone, or ground of a name."""

    enters: str | tuple[Location, ...]
    who: str = ANYBODY


class Leaves(CuePart):
    """A combatant has left a place, by moving or by leaving the fight."""

    leaves: str | tuple[Location, ...]
    who: str = ANYBODY


class ComesWithin(CuePart):
    """A combatant is within a distance of another combatant, in the unit of the board."""

    within: float
    of: str
    who: str = ANYBODY


class Sees(CuePart):
    """Nothing stands in the line from `who` to another combatant who is not hidden."""

    sees: str
    who: str = ANYBODY


class PoolAtMost(CuePart):
    """A combatant has at most this much left of a pool, by default that of health."""

    at_most: int
    who: str = ANYBODY
    pool: str = ""


class ShareAtMost(CuePart):
    """A combatant has at most this share of a pool left: 0.5 is a half."""

    share: float
    who: str = ANYBODY
    pool: str = ""


class Down(CuePart):
    """So many of these are down; all of them without a `count`."""

    down: str
    count: int | None = None


class Acts(CuePart):
    """A combatant acts."""

    acts: str


class EffectEnds(CuePart):
    """An effect of this name ends on a combatant."""

    effect_ends: str
    who: str = ANYBODY


class After(CuePart):
    """Another cue, by its id, waits no longer: it has come true, or was dropped."""

    after: str


class AllOf(CuePart):
    """All of these hold."""

    all: "tuple[Condition, ...]"


class AnyOf(CuePart):
    """At least one of these holds."""

    any: "tuple[Condition, ...]"


class NoneOf(CuePart):
    """None of these holds."""

    none: "tuple[Condition, ...]"


Condition: TypeAlias = (
    RoundReached | PhaseReached | ClockReached | Enters | Leaves | ComesWithin | Sees | PoolAtMost | ShareAtMost | Down
    | Acts | EffectEnds | After | AllOf | AnyOf | NoneOf
)  # fmt: skip
CONDITIONS: tuple[type[CuePart], ...] = get_args(Condition)


# Cues: then


class Say(CuePart):
    """A line for the GM, which stands until it is noted or play goes on."""

    say: str


class Ask(CuePart):
    """A question to the GM; the first answer is the one that Enter takes."""

    ask: str
    answers: tuple[str, ...] = ("yes", "no")


class Propose(CuePart):
    """A command that the GM may let happen, as the protocol has it: ``{"do": "join", "name": "Goblin"}``."""

    propose: Mapping[str, object]
    text: str = ""


class Interruption(CuePart):
    """The same, in the middle of a walk: the walker stops at that place until the question is answered.

    The command is done out of turn. Every other rule applies to it, and it is not asked about if it is impossible.
    """

    hold: Mapping[str, object]
    text: str = ""


Outcome: TypeAlias = Say | Ask | Propose | Interruption

OUTCOMES: tuple[type[CuePart], ...] = get_args(Outcome)


class Cue(CuePart):
    """What is to be said or done when a condition comes true: once, or each time that it does."""

    id: str
    name: str
    when: Condition
    then: Outcome
    each_time: bool = False


# The fight


@runtime_checkable
class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """Its name."""


@frozen
class Pool:
    """A counted resource: beats, hp, slots."""

    now: int
    max: int


@frozen
class Ending:
    """What happens to the bearer when an effect ends, whatever the system.

    Attributes:
        side: the side it returns to; empty for none.
    """

    side: str = ""
    leaves: bool = False


@frozen
class Effect:
    """A lasting effect on a combatant.

    Attributes:
        left: ticks until it ends by itself; None if it never does.
        ticks: the moment at which it counts down, as a word of its system, such as ``round_end``.
        clock: whose clock it follows: ``round``, or a combatant's id.
        kind: what it does, as a word of its system, such as ``damage`` or ``buff``; empty for nothing by itself.
        data: its system's own data, such as the cost of its upkeep: a frozen dataclass (`BaseSystem.effect_data`), or
            None.
        ending: what happens to the bearer when it ends; None for nothing.
    """

    id: str
    name: str
    left: int | None = None
    ticks: str = "round_end"
    clock: str = "round"
    magnitude: int = 0
    note: str = ""
    kind: str = ""
    data: object = None
    ending: Ending | None = None


StyleWord: TypeAlias = Literal["bold", "careful", "pack", "protects", "coward", "stupid", "still"]
STYLE_WORDS: tuple[StyleWord, ...] = get_args(StyleWord)


@frozen
class Style:
    """How a combatant fights, for the program's suggestions.

    Attributes:
        word: ``bold`` attacks whom it can reach, the hurt first; ``careful`` stays out of reach and in cover; ``pack``
            attacks whom its friends attack; ``protects`` attacks those who are near its ward; ``coward`` flees at half
            its health; ``stupid`` attacks the last one who hit it; ``still`` never moves.
        whom: the id of the ward of one who protects; else empty.
    """

    word: StyleWord = "bold"
    whom: str = ""

    @property
    def text(self) -> str:
        """It in words, as files have it: ``pack``, ``protects brand``."""
        return f"{self.word} {self.whom}".strip()


BOLD = Style()
PROTECTS: StyleWord = "protects"


@frozen
class Combatant:
    """A combatant.

    Attributes:
        label: the short name that the GM types; it never changes during a fight.
        squad: the name that combatants who joined together share, such as ``goblin``; empty for a single combatant.
        record: its system's own data on it, a frozen dataclass (`BaseSystem.record`), or None.
        fights: how it fights if the GM lets the program suggest its acts.
        hit_by: the id of the last one who harmed it; empty for nobody.
    """

    id: str
    label: str
    name: str
    side: str
    sheet: Mapping[str, Json]
    pools: Mapping[str, Pool] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    at: Location | None = None
    facing: int | None = None
    hidden: bool = False
    able: bool = True
    squad: str = ""
    record: object = None
    fights: Style = BOLD
    hit_by: str = ""

    @property
    def remembered(self) -> Mapping[str, Json]:
        """The fields of its record, by name."""
        return fields_of_record(self.record)

    @property
    def values(self) -> Mapping[str, Json]:
        """The values of its record by path; see `values_of_record`."""
        return values_of_record(self.record)

    def pool(self, name: str) -> Pool:
        """The named pool, or an empty one."""
        return self.pools.get(name, _EMPTY_POOL)


_EMPTY_POOL = Pool(0, 0)
_NO_POOLS: Mapping[str, Pool] = MappingProxyType({})


def fields_of_record(record: object) -> Mapping[str, Json]:
    """The fields of a record by name; empty for None."""
    if record is None:
        return NOTHING
    return cast("Mapping[str, Json]", field_values(record))


def changed_fields(record: object, values: Mapping[str, Json]) -> dict[str, Json]:
    """Those of the values that a record's fields don't have yet. AttributeError names the fields there are."""
    try:
        return {name: value for name, value in values.items() if attrgetter(name)(record) != value}
    except AttributeError as no:
        accepts = ", ".join(fields_of_record(record))
        raise AttributeError(f"the record has no field {no.name!r}; accepted: {accepts}") from no


def values_of_record(record: object) -> Mapping[str, Json]:
    """The values of a record by name, and of nested records by path: ``work.paid``, ``problems.1.done``."""
    values: dict[str, Json] = {}
    for name, value in fields_of_record(record).items():
        entries = value if isinstance(value, Mapping) and value else {"": value}
        for key, entry in entries.items():
            path = f"{name}.{key}" if key else name
            if is_dataclass(entry):
                values |= {f"{path}.{part}": inner for part, inner in fields_of_record(entry).items()}
            else:
                values[name] = value
    return values


@frozen
class Step:
    """One entry of the agenda.

    Attributes:
        id: unique in its round, such as ``missile.party``.
        kind: the kind of step, as a word of its system: ``half``, ``turn``, ``pulse``, ``upkeep``.
        phase: the part of the round it belongs to.
        side: the side that acts, if it is the step of one.
        actor: the combatant who acts, if it is the step of one.
        number: the number of the part of the round, such as of a pass; 0 if parts are not numbered.
        members: the combatants who act, if it is the step of several together.
    """

    id: str
    kind: str
    phase: str
    title: str
    side: str = ""
    actor: str = ""
    members: tuple[str, ...] = ()
    number: int = 0


@frozen
class Agenda:
    """The steps of the round in order, and the position in them.

    `cursor` is the index of the step that is running, -1 before the first, ``len(steps)`` after the last.
    `acted` and `waived` are the combatants who have done so in the running step.
    """

    steps: tuple[Step, ...] = ()
    cursor: int = -1
    acted: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()

    @property
    def current(self) -> Step | None:
        """The step that is running."""
        return self.steps[self.cursor] if 0 <= self.cursor < len(self.steps) else None

    def phases(self) -> Iterator[str]:
        """The phases of the round in order, each once."""
        last_phase = ""
        for step in self.steps:
            if step.phase != last_phase:
                last_phase = step.phase
                yield last_phase


@frozen
class Choice:
    """An answer that a prompt accepts.

    Attributes:
        key: the letter that picks it on the screen.
        who: the combatant who must act to give this answer; the prompt stays open until then.
    """

    id: str
    label: str
    key: str = ""
    who: str = ""


class Resume(Value):
    """The base class of the data that systems keep in prompts, for the views and for those who take up an offer."""

    __slots__ = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """The ids of the combatants it is about besides `Prompt.who`: if one of them leaves, it needs no answer."""
        return ()


class Proposed(Resume):
    """A command that is carried out if the GM accepts a cue's proposal.

    Attributes:
        command: its name.
        fields: its fields, as plain JSON.
        walker: whose walk it resumes; it is dropped if they are no longer at `here`, or cannot act.
        held: whether it was held back for this, so that it is done out of turn. Every other rule applies to it.
    """

    command: str
    fields: Mapping[str, Json]
    walker: str = ""
    here: Location | None = None
    held: bool = False

    @property
    def subjects(self) -> tuple[str, ...]:
        """The walker, if there is one."""
        return (self.walker,) if self.walker else ()


@frozen
class Prompt:
    """An open question, or an offer that can be taken.

    Attributes:
        kind: the kind of question, which a `Rule` command can use instead of the prompt's id.
        default: the choice that Enter takes; empty if there is none.
        dice: a dice expression whose faces can be typed as the answer.
        purpose: the key of that roll in ``rolls``.
        amount: the meaning of a typed number (``damage``); empty if a number is no answer.
        about: the ids of the combatants it is about besides `who`: if one of them leaves, it needs no answer.
        blocking: the agenda waits until it is answered; an offer (false) takes its default when play moves on.
        resume: the system's data of it, a `Resume`; None if none is needed.
        waiting: the function that asked and waits for the answer (`kit.decision.Waiting`). It is neither saved nor
            compared: a fight that is opened again finds it by deciding the entry that asked once more.
    """

    id: str
    kind: str
    question: str
    rule: str
    choices: tuple[Choice, ...]
    default: str = ""
    who: str = ""
    side: str = ""
    dice: str = ""
    purpose: str = ""
    amount: str = ""
    about: tuple[str, ...] = ()
    blocking: bool = True
    resume: object = None
    waiting: object = field(default=None, compare=False, repr=False)

    @property
    def is_remark(self) -> bool:
        """True for a remark: it has a single answer and no number, and does not block."""
        is_answered_alike = [choice.id for choice in self.choices] == [self.default] and not (self.amount or self.dice)
        return not self.blocking and is_answered_alike


@frozen
class Departed:
    """A combatant who has left, as it was then, and the number of the round in which it left."""

    combatant: Combatant
    round: int


@frozen
class Known:
    """Players' names for a combatant: the GM's, except for numbers that would reveal hidden combatants."""

    id: str
    label: str
    name: str


@frozen
class Row:
    """Numbered combatants of one squad, with the same name before the number."""

    squad: str
    name: str


@frozen
class Sight:
    """What players know about the progress of the fight.

    Attributes:
        step: the step they believe to run: the newest in which a combatant in sight could act.
        unseen: whether the step that begins next is hidden from them.
        hidden_s: seconds of game time that are hidden from them.
        names: their names for all combatants who have been in sight.
        rows: the row of each combatant who joined with a number; renaming by hand removes it.
    """

    step: Step | None = None
    unseen: bool = False
    hidden_s: int = 0
    names: Mapping[str, Known] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)


@remembered
def _in_order(order: tuple[str, ...], combatants: Mapping[str, Combatant]) -> tuple[Combatant, ...]:
    return tuple(filter(None, map(combatants.get, order)))


@frozen
class FightState:
    """The complete state of a fight at one moment.

    Attributes:
        status: ``setup``, ``running`` or ``closed``.
        round: the number of the current round, 0 before the first.
        clock_s: seconds of game time in the rounds that have closed.
        contacts: pairs of enemies that the GM has declared to be in contact, for fights without a board.
        serial: the last number given to an effect or a prompt.
        gone: the ids of combatants who have left; nobody else gets them, because the history refers to them.
        departed: those of them who can come back, by id, in the order in which they left.
        record: the system's own data on the fight, a frozen dataclass, or None.
        sight: what players know about its progress.
        cues: the waiting cues, in the order in which they were set.
        plan: the board as it was laid out, if the GM has painted on it since; None otherwise.
        rules_text: the text of the file that the rules come from; empty if `system` is written in Python.
        side_pools: the pools that all of a side share, by side and id (`BaseSystem.side_pools`).
    """

    id: str
    name: str
    system: str
    seed: str
    status: str = "setup"
    round: int = 0
    clock_s: int = 0
    agenda: Agenda = Agenda()
    combatants: Mapping[str, Combatant] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    contacts: tuple[tuple[str, str], ...] = ()
    prompts: tuple[Prompt, ...] = ()
    board: AnyBoard | None = None
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    serial: int = 0
    gone: tuple[str, ...] = ()
    departed: Mapping[str, Departed] = field(default_factory=dict)
    record: object = None
    sight: Sight = Sight()
    cues: tuple[Cue, ...] = ()
    plan: AnyBoard | None = None
    rules_text: str = ""
    side_pools: Mapping[str, Mapping[str, Pool]] = field(default_factory=dict)

    def side_pool(self, side: str, name: str) -> Pool:
        """The pool of this name that a side shares, or an empty one."""
        return self.side_pools.get(side, _NO_POOLS).get(name, _EMPTY_POOL)

    @property
    def side_pool_paths(self) -> Mapping[str, Pool]:
        """The pools that sides share, by side and id: ``party.momentum``; one of the whole fight by its id alone."""
        return {
            f"{side}.{name}" if side else name: pool
            for side, pools in self.side_pools.items()
            for name, pool in pools.items()
        }

    @property
    def drawn_board(self) -> AnyBoard | None:
        """The board without what the GM has painted on it."""
        return self.board if self.plan is None else self.plan

    @property
    def remembered(self) -> Mapping[str, Json]:
        """The fields of the fight's record, by name."""
        return fields_of_record(self.record)

    @property
    def values(self) -> Mapping[str, Json]:
        """The values of the fight's record by path; see `values_of_record`."""
        return values_of_record(self.record)

    @property
    def roster(self) -> tuple[Combatant, ...]:
        """All combatants, in the order of play."""
        return _in_order(self.order, self.combatants)

    @property
    def step(self) -> Step | None:
        """The step of the agenda that is running."""
        return self.agenda.current

    @property
    def phase(self) -> str:
        """The running phase; empty between rounds."""
        return self.agenda.current.phase if self.agenda.current else ""

    def prompt(self, key: str) -> Prompt | None:
        """The open prompt with this id, else the oldest of this kind; None if there is none."""
        for prompt in self.prompts:
            if prompt.id == key:
                return prompt
        return next((prompt for prompt in self.prompts if prompt.kind == key), None)

    @property
    def questions(self) -> tuple[Prompt, ...]:
        """The open prompts that need an answer: all but remarks."""
        return tuple(prompt for prompt in self.prompts if not prompt.is_remark)

    @property
    def asked_first(self) -> Prompt | None:
        """The prompt to answer first: the oldest blocking one, else the oldest offer, else the newest remark."""
        if not self.prompts:
            return None
        questions = self.questions
        return next((prompt for prompt in questions if prompt.blocking), (*questions, self.prompts[-1])[0])

    def is_blocked(self) -> bool:
        """True while a prompt blocks the agenda."""
        return any(map(_is_blocking, self.prompts))

    def are_foes(self, combatant_id: str, other_id: str) -> bool:
        """Whether two combatants are on different sides."""
        return self.combatants[combatant_id].side != self.combatants[other_id].side

    def in_contact(self, combatant_id: str, other_id: str) -> bool:
        """Whether two able enemies are in contact: by the board if it can tell, else as the GM has declared."""
        first, second = self.combatants[combatant_id], self.combatants[other_id]
        if combatant_id == other_id or first.side == second.side or not (first.able and second.able):
            return False
        if self.board is not None and first.at is not None and second.at is not None:
            touching = self.board.contact(first.at, second.at)
            if touching is not None:
                return touching
        return (combatant_id, other_id) in self.contacts or (other_id, combatant_id) in self.contacts

    def contacts_of(self, combatant_id: str) -> tuple[str, ...]:
        """The able enemies in contact with a combatant, in roster order."""
        combatant, board = self.combatants[combatant_id], self.board
        others = tuple(self.combatants)
        if board is None or combatant.at is None:
            declared = frozenset(each for pair in self.contacts if combatant_id in pair for each in pair)
            others = tuple(filter(declared.__contains__, others))
        elif not board.holds_several:
            # Only neighbours can be in contact: asking the board about everybody is slow in a fight of a hundred.
            people, around = _numbers_by_place(self.combatants), (None, *board.neighbours(combatant.at))
            others = tuple(others[number] for number in sorted(each for at in around for each in people.get(at, ())))
        return tuple(other for other in others if self.in_contact(combatant_id, other))

    @property
    def shares_places(self) -> bool:
        """True if there is a board whose places hold several combatants."""
        return self.board is not None and self.board.holds_several

    def standing_at(self, place: Location) -> str | None:
        """The id of the able combatant on a place; None if it is free, or holds several."""
        if self.shares_places:
            return None
        for combatant in self.combatants.values():
            if combatant.at == place and combatant.able:
                return combatant.id
        return None

    def standing_in(self, place: Location) -> tuple[str, ...]:
        """The ids of all combatants on a place, with those who are down, in roster order."""
        return tuple(combatant.id for combatant in self.combatants.values() if combatant.at == place)


@remembered
def _numbers_by_place(combatants: Mapping[str, Combatant]) -> Mapping[Location | None, list[int]]:
    """The roster indexes of combatants by place, with those off the board under None."""
    numbers: dict[Location | None, list[int]] = {}
    for number, combatant in enumerate(combatants.values()):
        numbers.setdefault(combatant.at, []).append(number)
    return numbers
