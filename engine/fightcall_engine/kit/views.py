"""What a rule system is to the engine and the screen, and where systems are found.

A system brings its words, its rules as pure functions, and what the screen needs to speak its language. Neither the
core nor the screen ever asks which system it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from fightcall_engine.board.base import Location
from fightcall_engine.kit.guest import load_guest
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.commands import Answer, Command, Join
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import FightState, Json, Pool, Prompt, Scalar

GROUP = "fightcall.systems"


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice of reading. `choices` is empty where any value of the default's type will do.

    Attributes:
        least: the lowest number accepted, None where any will do.
        rule: the id of the rule or the doubtful reading it settles.
        file: the ending of a file, such as ``.csv``, whose text may be the value: a path may be given instead of it.
        check: what else must hold of a value; raises ValueError, saying what would be accepted, or BadInput with a line
            for each thing that is wrong.
        schema: the JSON Schema of the file, where it is one that a schema can tell of.
    """

    key: str
    default: Scalar
    text: str
    rule: str = ""
    choices: tuple[Scalar, ...] = ()
    least: float | None = None
    file: str = ""
    check: Callable[[str], object] | None = None
    schema: Callable[[], Mapping[str, Json]] | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """Something an action still needs from the GM.

    Attributes:
        name: the command's field it fills.
        kind: ``target`` (a combatant), ``path`` (places to walk), ``place``, ``number``, ``text``, ``choice``,
            ``outcome`` (hit, miss, or a typed die for ``rolls[purpose]``), ``amount`` (a number or dice).
        choices: combatants' ids for a target, answers for a choice.
        shown: of a choice, how each answer is called; empty where they are called what they are.
        default: what Enter gives.
        mode: for a path: which price list it follows; for a place: ``anywhere`` where it may be farther than a step.
    """

    name: str
    kind: str
    label: str
    choices: tuple[str, ...] = ()
    default: str = ""
    dice: str = ""
    purpose: str = ""
    mode: str = ""
    optional: bool = False
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """Something a combatant can, or cannot, do now.

    Attributes:
        action: its id, the same as in the key map.
        key: the letter that starts it on the fight screen.
        cost: the price as shown, such as ``4`` or ``1/hex``.
        legal: false where `why` and `rule` say what stands against it.
        command: the command it becomes, with `fixed` fields set and `inputs` to be asked for.
        details: what may be said besides, and mostly is not: it is asked for only where the GM wants to say it.
    """

    action: str
    label: str
    command: str
    key: str = ""
    cost: str = ""
    legal: bool = True
    why: str = ""
    rule: str = ""
    fixed: Mapping[str, Scalar] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    details: tuple[Input, ...] = ()


@dataclass(frozen=True, slots=True)
class Trail:
    """Where a number comes from: its parts in order, each with its rule."""

    subject: str
    total: str
    parts: tuple[TrailPart, ...]


@dataclass(frozen=True, slots=True)
class TrailPart:
    """One part of a number: what it is, how much, and the rule that says so."""

    label: str
    value: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A short word beside a combatant. `tone` is good, bad, warn, info or plain.

    `seen` is what players may see of it, who see nothing of it where that is empty.
    """

    text: str
    tone: str = "plain"
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Pips:
    """A few things that are counted one by one, such as slots or Actions, each of them drawn as a mark of its own.

    Attributes:
        pool: what they are, by the name that `Words.pools` has a word for.
        ready: can be spent now.
        kept: can be spent, but were put by for later.
        spent: were used in this round.
        lost: went unused.
        coming: are not there yet.
    """

    pool: str
    ready: int = 0
    kept: int = 0
    spent: int = 0
    lost: int = 0
    coming: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Something that takes several goes: how much of it is done, of how much."""

    name: str
    done: int
    needed: int


@dataclass(frozen=True, slots=True)
class Track:
    """Harm that fills boxes one by one, and is of a worse level the more of them are filled.

    Attributes:
        taken: boxes that are filled; there may be more of them than boxes.
        levels: each level in turn: its name, and how many boxes it has.
        name: what fills the boxes.
    """

    taken: int
    levels: tuple[tuple[str, int], ...]
    name: str = "wounds"


@dataclass(frozen=True, slots=True)
class Card:
    """How the roster shows a combatant: pools as bars, counted things as pips, works in progress, marks and badges.

    Attributes:
        pools: the pools that matter now, the first of them beside the name.
        note: what they are doing, or what to know of them.
        acted: whether they have acted in this round; None where the agenda's running step knows.
        track: boxes of harm, drawn in place of the first of the pools; None where that is drawn as a bar.
        lasting: for each effect in turn what the system has to say of it, None to leave it to the core's own words;
            it may be shorter than the effects.
        level: how badly they are hurt in a word, beside the first pool or its boxes; empty for the unhurt.
    """

    pools: tuple[str, ...]
    badges: tuple[Badge, ...] = ()
    mark: str = ""
    note: str = ""
    pips: tuple[Pips, ...] = ()
    progress: tuple[Progress, ...] = ()
    acted: bool | None = None
    track: Track | None = None
    lasting: tuple[Badge | None, ...] = ()
    level: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """One line of a `Section`.

    Attributes:
        name: what it is about, such as a layer of armour.
        text: what is to be said of it.
        gauge: how much of it is left, drawn as a bar; None for no bar.
        tone: good, bad, warn, info or plain.
        rule: the rule behind it.
    """

    name: str
    text: str
    gauge: Pool | None = None
    tone: str = "plain"
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """What is told at length about somebody: armour layer by layer, the days on which wounds heal.

    Attributes:
        who: whose it is, by id; empty where it is everybody's.
        note: what there is in short, beside the title.
    """

    title: str
    details: tuple[Detail, ...]
    who: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something drawn on a place of the board, beneath whoever stands there.

    Attributes:
        at: the place.
        text: one or two characters, such as the field of approach ``RF`` or the pulse in which it is entered.
        tone: good, bad, warn, info or plain.
        label: what it means, for whoever looks closer.
        aloud: whether that is said beside the board, too.
    """

    at: Location
    text: str
    tone: str = "plain"
    label: str = ""
    aloud: bool = False


DECLARED = ("", "draft", "declared", "waits", "busy", "done", "failed", "aborted", "lost", "cannot")
"""The statuses of a `Declaration`."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What somebody said they would do, and what came of it.

    Attributes:
        who: the combatant's id; it may have several declarations, such as one for each pass.
        words: what they said; empty for nothing yet.
        public: what players see instead where it is secret, such as ``appears to do nothing``; empty where it is not.
        parts: the hands and limbs that it binds, such as ``R legs``.
        cost: what it takes, such as ``4 qa``.
        due: when it is settled, such as ``now`` or ``CS 3 pass 1``.
        status: one of `DECLARED`; empty for nothing yet.
        done: what came of it, to be held against what was declared.
        progress: how far it is, where it takes several goes.
    """

    who: str
    words: str
    public: str = ""
    parts: str = ""
    cost: str = ""
    due: str = ""
    status: str = ""
    done: str = ""
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Combatants that the system shows together, with a note such as ``acting``.

    Attributes:
        flag: what must not be overlooked about all of them.
        action: what any of them can do at once from where they are, as its option is called; empty for nothing.
    """

    title: str
    side: str
    note: str
    members: tuple[str, ...]
    flag: Badge | None = None
    action: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """An event in words. `tone` is plain, good, bad, dim, heading, dice, ruling; `rule` the rule behind it."""

    text: str
    tone: str = "plain"
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What a system calls things.

    Attributes:
        ticks: what an effect counts, by its `ticks`: ``{who}`` stands for the one whose clock it follows.
        between: what is said while the fight goes on and no round runs.
    """

    title: str
    round: str
    phases: Mapping[str, str]
    sides: Mapping[str, str]
    pools: Mapping[str, str]
    unit: str = "hex"
    ticks: Mapping[str, str] = field(default_factory=dict)
    between: str = "Between rounds"


class System(Protocol):
    """A rule system. Everything here is pure.

    Attributes:
        accepted: the words that a trait or a fact of the fight may be, where it is always one of a few.
        clocks: the moments at which effects can count down, in the system's words (`Effect.ticks`): under ``round`` the
            round's and under ``own`` those of each combatant, by ``start`` and ``end``, the usual one first.
        option_keys: what it may ever offer in a fight, by the option's action, with the usual key; what hangs on a
            sheet, such as a second weapon, is left out.
        own_traits: the traits in which even like combatants differ, such as the number thrown for their initiative.
    """

    id: str
    version: str
    title: str
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]]
    settings: tuple[Setting, ...]
    sides: tuple[str, ...]
    own_traits: frozenset[str]
    clocks: Mapping[str, Mapping[str, str]]
    accepted: Mapping[str, tuple[str, ...]]
    option_keys: Mapping[str, str]
    record: type[object] | None
    fight_record: type[object] | None

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults filled in, under these settings; BadInput names what is wrong."""

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet; with settings, also what they offer to choose from."""

    def enlist(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> tuple[Mapping[str, Pool], Mapping[str, Scalar]]:
        """The pools and traits a combatant starts with."""

    @property
    def folder(self) -> Path:
        """The package of the system."""

    def record_of(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> object:
        """What is remembered of a combatant as it joins, a `record`; None where the system has none."""

    def decide(self, state: FightState, command: Command, dice: Dice, referee: Referee) -> Events:
        """What a command of this system causes; Refused or NeedsDice where it may not or cannot yet."""

    def answer(self, state: FightState, prompt: Prompt, answer: Answer, dice: Dice, referee: Referee, /) -> Events:
        """What an answer causes, beside the record that the prompt is answered."""

    def react(self, state: FightState, happened: Event, /) -> Events:
        """What follows from one event; `state` already holds it."""

    def settle(self, state: FightState) -> Events:
        """What happens by itself when all is quiet: the agenda's next automatic step, or nothing."""

    def keeps_time(self, state: FightState, who: str) -> bool:
        """True where a combatant's own clock runs: it has a turn or a phase of its own in this round."""

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """Who may act in the running step and has neither acted nor waived."""

    def acting_side(self, state: FightState) -> str:
        """Whose step it is, empty where it is nobody's."""

    def options(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What a combatant can do now, and what not and why."""

    def inputs(self, state: FightState, who: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
        """An option's inputs once some of them are given: what is known of one may hang on those before it.

        One that is left out needs no answer any more. Refused where what is given cannot come to anything, better
        said now than after all the questions; not where `force` is among it, by the GM's word.
        """

    def rulings(self, state: FightState, who: str) -> tuple[Option, ...]:
        """What the GM may rule on now, unasked."""

    def explain(self, state: FightState, who: str, what: str) -> Trail:
        """Where a number comes from; Refused lists what can be explained."""

    def step_price(self, state: FightState, who: str, mode: str) -> int:
        """Beats, feet or slots for one hex of open ground in a mode of movement."""

    def travel(self, state: FightState, who: str, mode: str) -> tuple[int, frozenset[object]]:
        """How much a combatant can spend on moving in a mode, and the places where moving must stop."""

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things under these settings."""

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The roster in the system's order."""

    def card(self, state: FightState, who: str) -> Card:
        """How the roster shows a combatant now."""

    def details(self, state: FightState, who: str) -> tuple[Section, ...]:
        """What the system knows of a combatant beside pools, badges and effects; empty where that is all."""

    def aftermath(self, state: FightState) -> tuple[Section, ...]:
        """What is to be seen to when the fight is over, such as wounds that heal; empty before it is."""

    def marks(self, state: FightState, who: str) -> tuple[Mark, ...]:
        """What is to be drawn on the board for a combatant, ``who`` empty for nobody; of two on a place, the later."""

    def declarations(self, state: FightState) -> tuple[Declaration, ...]:
        """What everybody declared and what came of it, in the system's order; empty where nothing is declared."""

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""

    def banner(self, state: FightState) -> Badge | None:
        """What holds for everybody now and must not be overlooked, such as another price for everything."""

    def phrase(self, happened: Event, state: FightState, /) -> Phrase | None:
        """An event of this system in words, or None to leave it to the core."""

    def fields(self, state: FightState, who: str) -> Mapping[str, Json]:
        """The system's own fields of a combatant, for the protocol; under ``effects`` those of its effects, by id."""

    def facts(self, state: FightState) -> Mapping[str, Json]:
        """The system's own fields of the fight, for the protocol."""

    def rules(self) -> Mapping[str, str]:
        """Every rule's id with one line of what it says."""

    def phase_rules(self, phase: str) -> tuple[str, ...]:
        """The ids of the rules that matter in a phase."""

    def encounters(self) -> Path:
        """The folder of the encounters it ships."""


@cache
def _shipped() -> tuple[str, ...]:
    """The ids of the systems that come with the engine: the packages in its folder of systems."""
    folder = Path(__file__).parent / "systems"
    return tuple(sorted(one.parent.name for one in folder.glob("*/__init__.py")))


@cache
def system_names() -> tuple[str, ...]:
    """The ids of all installed systems."""
    from importlib.metadata import entry_points

    return tuple(sorted({*_shipped(), *(point.name for point in entry_points(group=GROUP))}))


def is_installed(name: str) -> bool:
    """True where a system of this id is installed."""
    return name in _shipped() or name in system_names()


@cache
def find_system(name: str) -> System:
    """The installed system of this id: one of those that come with the engine, or an entry point of another package.

    Those that come with it are looked for first, because reading what is installed takes longer than all else that a
    small command does.

    Raises:
        BadInput: listing the installed ones.
        SystemFault: it is another package's, and will not do.
    """
    if name in _shipped():
        found: System = import_module(f"fightcall_engine.systems.{name}").SYSTEM
        return found
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        return load_guest(point)
    known = ", ".join(system_names()) or "none is installed"
    raise BadInput("system", (f"unknown system {name!r}; accepted: {known}",))
