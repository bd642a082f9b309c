"""The values that systems give to the screen: options and inputs, cards, phrases, declarations and words.

Neither the core nor the screen ever asks which system it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Literal

from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar
from fightcall_engine.model.values import frozen


@frozen
class Setting:
    """A choice of reading. `choices` is empty where any value of the default's type will do.

    Attributes:
        least: the lowest number accepted, None where any will do.
        rule: the id of the rule or the doubtful reading it settles.
        file: the ending of a file, such as ``.csv``, whose text may be the value: a path may be given instead of it.
        check: what else must hold of a value; raises ValueError, saying what would be accepted, or BadInput with a line
            for each thing that is wrong.
        schema: the JSON Schema of the file, where it is one that a schema can tell of.
        title: what a GM calls it, where that is not its key with blanks.
        words: each of the choices as a GM says it, where that is not the choice itself.
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
    title: str = ""
    words: tuple[str, ...] = ()


InputKind = Literal["target", "people", "path", "place", "number", "text", "choice", "outcome", "amount"]


@frozen
class Input:
    """Something an action still needs from the GM.

    Attributes:
        name: the command's field it fills. An act against somebody has a panel of its own on the screen, which goes by
            these names: whom it is aimed at in `target`, whether it hits in `hit`, how much it does in `damage`.
        kind: ``target`` (a combatant), ``people`` (several, their ids parted by blanks, for a field that is
            a tuple), ``path`` (places to walk), ``place``, ``number``, ``text``, ``choice``,
            ``outcome`` (hit, miss, or a typed die for ``rolls[purpose]``), ``amount`` (a number or dice).
        choices: combatants' ids for a target, answers for a choice.
        shown: how each of the choices is called; empty where they are called what they are.
        needs: of an outcome, what its die must show, such as ``12 or less``; empty where that is not known.
        default: what Enter gives.
        mode: for a path: which price list it follows; ``follow`` where it may lead to somebody as they move.
            For a place: ``anywhere`` where it may be farther than a step.
    """

    name: str
    kind: InputKind
    label: str
    choices: tuple[str, ...] = ()
    default: str = ""
    dice: str = ""
    purpose: str = ""
    mode: str = ""
    optional: bool = False
    shown: tuple[str, ...] = ()
    needs: str = ""


@frozen
class Option:
    """Something a combatant can, or cannot, do now.

    Attributes:
        action: its id, the same as in the key map.
        key: the letter that starts it on the fight screen.
        cost: the price as shown, such as ``4`` or ``1/hex``.
        legal: false where `why` and `rule` say what stands against it.
        command: the command it becomes, with `fixed` fields set and `inputs` to be asked for.
        details: what may be said besides, and mostly is not: it is asked for only where the GM wants to say it.
        loses: what would be lost by it that the table cares about, such as what was declared before; empty for nothing.
        is_due: what was declared, and is to be settled now: it is shown without being asked for.
        is_unlikely: what is possible and rarely meant: nothing proposes it.
        is_closing: what ends what was begun, such as a declaration or Pulses: proposed also where no act is waited for.
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
    loses: str = ""
    is_due: bool = False
    is_unlikely: bool = False
    is_closing: bool = False


@frozen
class Trail:
    """Where a number comes from: its parts in order, each with its rule."""

    subject: str
    total: str
    parts: tuple[TrailPart, ...]


@frozen
class TrailPart:
    """One part of a number: what it is, how much, and the rule that says so."""

    label: str
    value: str
    rule: str = ""


Trails = Mapping[str, Callable[[FightState, Combatant], Trail]]
"""Where the numbers of a system come from, by the name that is asked for."""


@frozen
class Badge:
    """A short word beside a combatant. `tone` is good, bad, warn, info or plain.

    `seen` is what players may see of it, who see nothing of it where that is empty.
    """

    text: str
    tone: str = "plain"
    seen: str = ""


@frozen
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


@frozen
class Progress:
    """Something that takes several goes: how much of it is done, of how much."""

    name: str
    done: int
    needed: int


@frozen
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


@frozen
class Card:
    """How the roster shows a combatant: pools as bars, counted things as pips, works in progress, marks and badges.

    Attributes:
        pools: the pools that matter now, the first of them beside the name.
        note: what they are doing, or what to know of them.
        acted: whether they have acted in this round; None where the agenda's running step knows.
        track: boxes of harm, drawn in place of the first of the pools; None where that is drawn as a bar.
        lasting: for each effect in turn what the system has to say of it, None to leave it to the core's own words;
            it may be shorter than the effects.
        mark_name: what `mark` is where it is a number, such as ``initiative``: said wherever there is room for words.
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
    mark_name: str = ""

    @property
    def mark_words(self) -> str:
        """The mark, preceded by its name."""
        return f"{self.mark_name} {self.mark}".strip() if self.mark else ""


@frozen
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


@frozen
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


@frozen
class Mark:
    """Something drawn on a place of the board, beneath whoever stands there.

    Attributes:
        at: the place.
        text: one or two characters, such as the field of approach ``RF`` or the pulse in which it is entered.
        tone: good, bad, warn, info or plain.
        label: what it means, for whoever looks closer.
        aloud: whether that is said beside the board, too.
        who: whose it is, by id; empty for nobody's.
        kind: ``moment`` for a time at which `who` will be there, drawn apart from labels and in the colour of whose it
            is; ``side`` for a place beside `who` whose letters would be taken for a label: the one ahead is an arrow.
    """

    at: Location
    text: str
    tone: str = "plain"
    label: str = ""
    aloud: bool = False
    who: str = ""
    kind: Literal["", "moment", "side"] = ""


DECLARED = ("", "draft", "declared", "waits", "busy", "done", "failed", "aborted", "lost", "cannot")
"""The possible statuses of a `Declaration`."""


@frozen
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


@frozen
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


@frozen
class Tally:
    """One of several numbers alike, which are told in one sentence where they come together.

    Attributes:
        subject: what is counted: ``Initiative``.
        name: whose it is.
        number: how much.
    """

    subject: str
    name: str
    number: int

    def is_like(self, other: Tally) -> bool:
        """Whether both count the same thing."""
        return self.subject == other.subject

    def phrase(self, rule: str, edge: str = "") -> Phrase:
        """The number as a sentence of its own: ``Ash: Initiative 14``."""
        return Phrase(f"{self.name}: {self.subject} {self.number}", "plain", rule, edge, self)


@frozen
class Interaction:
    """Something one combatant does to another; views can join several into one sentence.

    Attributes:
        name: the name of the subject.
        does: the verb in the singular and the plural: ``("comes upon", "come upon")``.
        whom: the name of the object.
        is_meeting: it says that the two are now near each other, which views say once per act.
    """

    name: str
    does: tuple[str, str]
    whom: str
    is_meeting: bool = False

    def repeats(self, earlier: Iterable[Interaction]) -> bool:
        """Whether an earlier interaction says already that these two have met."""
        pairs = [{each.name, each.whom} for each in earlier if each.is_meeting and each != self]
        return self.is_meeting and {self.name, self.whom} in pairs

    def phrase(self, tone: str, rule: str = "") -> Phrase:
        """The interaction as a sentence of its own, to stand under the act that caused it."""
        return Phrase(f"{self.name} {self.does[0]} {self.whom}", tone, rule, follows=True, interaction=self)


@frozen
class Phrase:
    """An event in words.

    Attributes:
        text: one sentence, or less.
        tone: plain, good, bad, warn, dim, heading, dice, ruling, fallen, or aside for what no story needs.
        rule: the rule behind it.
        edge: a roll and what it had to be, to stand beside the sentence of its act: ``8 ≤ 11 hit``. Dice that fell for
            it need no words of their own.
        tally: its number, where several like it are told together.
        interaction: the two of whom it tells, where several like it are told together.
        follows: it came of an act that has been told before, and stands under it.
        sum: what the number in it is made of; in brackets behind it, where there is room.
    """

    text: str
    tone: str = "plain"
    rule: str = ""
    edge: str = ""
    tally: Tally | None = None
    interaction: Interaction | None = None
    follows: bool = False
    sum: str = ""

    @property
    def words(self) -> str:
        """Text and edge on one line: ``Ash: AGL succeeds (11 ≤ 60 %)``."""
        text = f"{self.text} ({self.sum})" if self.sum else self.text
        return f"{text} ({self.edge})" if text and self.edge else text or self.edge


@frozen
class Words:
    """What a system calls things.

    Attributes:
        ticks: what an effect counts, by its `ticks`: ``{who}`` stands for the one whose clock it follows.
        unit: what distances are counted in; `units` several of them.
        between: what is said while the fight goes on and no round runs.
        waits: what those are to do whom a step waits for, by its kind, where it is not to act: ``roll``.
    """

    title: str
    round: str
    phases: Mapping[str, str]
    sides: Mapping[str, str]
    pools: Mapping[str, str]
    unit: str = "hex"
    units: str = "hexes"
    ticks: Mapping[str, str] = field(default_factory=dict)
    between: str = "Between rounds"
    waits: Mapping[str, str] = field(default_factory=dict)

    def pool(self, name: str) -> str:
        """The name of a pool; for one without a word of its own, such as ``daily:second_wind``, made from its id."""
        return self.pools.get(name) or name.rpartition(":")[2].replace("_", " ")
