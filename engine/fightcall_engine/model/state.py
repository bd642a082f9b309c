"""The state of a fight: immutable values, all of them plain data that JSON can hold.

Nothing here knows a rule or a system. A system keeps what only it understands in frozen dataclasses of its own:
`Combatant.record` (one figure) and `FightState.record` (the whole fight).
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, is_dataclass
from types import MappingProxyType
from typing import Protocol, TypeAlias, cast, runtime_checkable

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.model.cues import Cue
from fightcall_engine.model.memory import asked_once
from fightcall_engine.model.values import Value, field_values, frozen

Scalar: TypeAlias = str | int | float | bool | None
Json: TypeAlias = object
"""Any JSON value. (Pydantic cannot read a recursive alias on every Python we support.)"""

NOTHING: Mapping[str, Scalar] = MappingProxyType({})


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
class Effect:
    """Something that lasts on a combatant.

    Attributes:
        left: ticks until it ends by itself; None if it never does.
        ticks: the moment it counts down, in words of its system, such as ``round_end``.
        clock: whose clock it follows: ``round``, or a combatant's id.
        kind: what it does, in words of its system, such as ``damage`` or ``buff``; empty where it only lasts.
        data: what only its system understands, such as the price of keeping it up: a frozen dataclass
            (`BaseSystem.effect_data`); None where there is nothing of the kind.
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


@frozen
class Combatant:
    """Who fights.

    Attributes:
        label: what the GM types to name them; it never changes during a fight.
        squad: the name that combatants who joined together share, such as ``goblin``; empty for a single combatant.
        record: what its system remembers of it, a frozen dataclass (`BaseSystem.record`); None where it has none.
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


def fields_of_record(record: object) -> Mapping[str, Json]:
    """The fields of a record by name; empty for None."""
    if record is None:
        return NOTHING
    return cast("Mapping[str, Json]", field_values(record))


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
        kind: what sort of step, in its system's words: ``half``, ``turn``, ``pulse``, ``upkeep``.
        phase: the part of the round it belongs to.
        side: whose step it is, if it is a side's.
        actor: whose step it is, if it is one combatant's.
        number: which of several in the round it belongs to, such as a pass; 0 where they are not counted.
        members: whose step it is, if it is that of several who act together.
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
    """What is still to happen in this round: the steps in order, and where we are.

    `cursor` is the index of the step that is running, -1 before the first, ``len(steps)`` after the last.
    `acted` and `waived` name who has done so in the running step.
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
    """One answer a prompt accepts.

    Attributes:
        key: the letter that picks it on the screen.
        who: the combatant that acts then, where only its own act says what is done; the prompt stays open until it has.
    """

    id: str
    label: str
    key: str = ""
    who: str = ""


class Resume(Value):
    """The root of what a system keeps in its open questions: what was decided so far, and what is still to come."""

    __slots__ = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """The ids of the combatants it is about, beside `Prompt.who`: without one of them it needs no answer."""
        return ()


@frozen
class Prompt:
    """A question the fight is waiting on, or an offer a combatant may take.

    Attributes:
        kind: what is asked, a word that a `Rule` command may use instead of the prompt's id.
        default: the choice that Enter takes; empty where the GM must say.
        dice: an expression whose faces may be typed as the answer.
        purpose: the name of that throw in ``rolls``.
        amount: what a typed number means (``damage``); empty where digits are no answer.
        blocking: the agenda rests until it is answered; an offer (false) lapses to its default when play moves on.
        resume: how to go on when it is answered, a `Resume` of its system; None where that needs nothing.
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
    blocking: bool = True
    resume: object = None

    @property
    def is_remark(self) -> bool:
        """True for what is only said: there is one answer to it and no number, and play goes on without that."""
        is_answered_alike = [choice.id for choice in self.choices] == [self.default] and not (self.amount or self.dice)
        return not self.blocking and is_answered_alike


@frozen
class Known:
    """What players call a combatant: as the GM does, but for numbers that would tell of the hidden."""

    id: str
    label: str
    name: str


@frozen
class Row:
    """Several who are numbered: of one squad, with one name before the number."""

    squad: str
    name: str


@frozen
class Sight:
    """What players know of the course of the fight.

    Attributes:
        step: the step they believe to run: the newest in which a combatant in sight could act.
        unseen: whether the step that begins next is none of theirs.
        hidden_s: seconds of game time that they know nothing of.
        names: what they call a combatant, for all who have been in sight.
        rows: the row of each who joined under a number; who is renamed by hand is in none any more.
    """

    step: Step | None = None
    unseen: bool = False
    hidden_s: int = 0
    names: Mapping[str, Known] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)


@frozen
class FightState:
    """Everything about a fight at one instant.

    Attributes:
        status: ``setup``, ``running`` or ``closed``.
        round: the number of the current round, 0 before the first.
        clock_s: seconds of game time in the rounds that have closed.
        contacts: pairs of opposed combatants the GM has declared to be in contact, for fights without a board.
        serial: the last number given to an effect or a prompt.
        gone: ids of those who have left since the fight began: in its history they stay who they were.
        record: what the system remembers of the whole fight, a frozen dataclass; None where it has none.
        sight: what players know of its course.
        cues: what the GM is to be reminded of, in the order in which it was set.
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
    record: object = None
    sight: Sight = Sight()
    cues: tuple[Cue, ...] = ()

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
        return tuple(self.combatants[combatant_id] for combatant_id in self.order if combatant_id in self.combatants)

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
    def asked_first(self) -> Prompt | None:
        """The prompt to answer first: the oldest blocking one, else the oldest offer, else the newest remark."""
        questions = [prompt for prompt in self.prompts if not prompt.is_remark]
        first = next((prompt for prompt in questions if prompt.blocking), next(iter(questions), None))
        return first if first is not None or not self.prompts else self.prompts[-1]

    def is_blocked(self) -> bool:
        """True while a prompt blocks the agenda."""
        return bool(self.prompts) and any(prompt.blocking for prompt in self.prompts)

    def are_foes(self, combatant_id: str, other_id: str) -> bool:
        """Whether two combatants are on different sides."""
        return self.combatants[combatant_id].side != self.combatants[other_id].side

    def in_contact(self, combatant_id: str, other_id: str) -> bool:
        """Whether two able enemies are in contact.

        The board decides if both are on it and it can tell; otherwise the GM's declared contacts do.
        """
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
        if board is not None and combatant.at is not None and not board.holds_several:
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


@asked_once
def _numbers_by_place(combatants: Mapping[str, Combatant]) -> Mapping[Location | None, list[int]]:
    """The roster indexes of combatants by place, with those off the board under None."""
    numbers: dict[Location | None, list[int]] = {}
    for number, combatant in enumerate(combatants.values()):
        numbers.setdefault(combatant.at, []).append(number)
    return numbers
