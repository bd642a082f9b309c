"""What systems show, the same for all of them: options, cards and words; and the checks of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Literal

from fightcall_engine.board.base import Location
from fightcall_engine.model.errors import Accepted, Refused
from fightcall_engine.model.events import Overridden
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar
from fightcall_engine.model.values import frozen


@frozen
class Setting:
    """A setting of a fight. `choices` is empty if any value of the default's type is accepted.

    Attributes:
        least: the lowest number accepted; None for no limit.
        rule: the id of the rule, or of the open question about the rules, that it decides.
        file: the suffix of a file, such as ``.csv``, whose text can be the value: then a path is accepted, too.
        check: checks a value; raises ValueError with what would be accepted, or BadInput with a message for each error.
        schema: the JSON Schema of the file; None if its format has none.
        title: its name for people, if that is not the key with spaces.
        words: the names of the choices for people, if these are not the choices themselves.
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
    """A value that an option still needs from the GM.

    Attributes:
        name: the field of the command that it fills. The screen has a panel for attacks, which relies on these names:
            `target`, `hit` for whether it hits, and `damage`.
        kind: ``target`` (a combatant), ``people`` (several ids separated by spaces, for a field that is a tuple),
            ``path`` (places to walk), ``place``, ``number``, ``text``, ``choice``, ``outcome`` (hit, miss, or a typed
            die for ``rolls[purpose]``), ``amount`` (a number or dice).
        choices: the ids of possible targets, the values of a choice, or the names of likely places.
        shown: the displayed names of the choices; empty to show the choices themselves.
        needs: for an outcome, what the die must show, such as ``12 or less``; empty if unknown.
        chance: for an outcome, the chance of that from 0 to 1; None if unknown.
        default: the value that Enter gives.
        mode: for a path: the mode of movement; ``follow`` if it may lead to a combatant who moves. For a place:
            ``anywhere`` if it may be farther than a step.
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
    chance: float | None = None


@frozen
class Option:
    """An act that a combatant can do now, or cannot and why.

    Attributes:
        action: its id, as in the key map.
        key: the letter that starts it on the fight screen.
        cost: the price as shown, such as ``4`` or ``1/hex``.
        legal: false if it is not possible; `why` and `rule` give the reason.
        command: its command, with the fields in `fixed`; `inputs` are asked for.
        details: optional inputs that are asked for only at the GM's request.
        loses: what it would lose that matters to the players, such as an earlier declaration; empty for nothing.
        is_due: it resolves what was declared, and is shown without being chosen.
        is_unlikely: it is rarely wanted, so it is never proposed.
        is_closing: it ends something begun, such as a declaration or Pulses: proposed even if no act is awaited.
        is_harmless: it harms nobody, so its proposed target is a friend, the most hurt one.
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
    is_harmless: bool = False


@frozen
class Trail:
    """The explanation of a number: its parts in order, each with its rule."""

    subject: str
    total: str
    parts: tuple[TrailPart, ...]


@frozen
class TrailPart:
    """A part of a number: its name, its value, and its rule."""

    label: str
    value: str
    rule: str = ""


Trails = Mapping[str, Callable[[FightState, Combatant], Trail]]
"""The functions that explain numbers, by the name of the number."""


def explain_hit_points(
    combatant: Combatant, *more: TrailPart, rule: str = "", harm_rule: str = "", source: str = "sheet"
) -> Trail:
    """Hit points as the maximum, by its `source`, less the harm, then `more`; `rule` leaves them out of sheets."""
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", "", rule),))
    parts = (TrailPart(source, str(pool.max)), TrailPart("harm", str(pool.now - pool.max), harm_rule), *more)
    return Trail("hp", f"{pool.now}/{pool.max}", parts)


@frozen
class Badge:
    """A short word beside a combatant. `tone` is good, bad, warn, info or plain; `seen` is the text for players."""

    text: str
    tone: str = "plain"
    seen: str = ""


@frozen
class Pips:
    """A small number of countable units, such as slots or Actions, each drawn as a mark.

    Attributes:
        pool: their kind, as a key of `Words.pools`.
        ready: the number that can be spent now.
        kept: the number reserved for later.
        spent: the number used in this round.
        lost: the number that expired unused.
        coming: the number not yet available.
    """

    pool: str
    ready: int = 0
    kept: int = 0
    spent: int = 0
    lost: int = 0
    coming: int = 0


@frozen
class Progress:
    """The progress of a work that takes several acts."""

    name: str
    done: int
    needed: int


@frozen
class Track:
    """Harm as boxes that are filled one by one, with levels that get worse as they fill.

    Attributes:
        taken: the number of filled boxes; it may exceed the number of boxes.
        levels: the levels in order, each with its name and its number of boxes.
        name: the word for what fills the boxes, such as ``wounds``.
    """

    taken: int
    levels: tuple[tuple[str, int], ...]
    name: str = "wounds"


@frozen
class Card:
    """How the roster shows a combatant: pools as bars, pips, works in progress, marks and badges.

    Attributes:
        pools: the relevant pools; the first is shown beside the name.
        note: what the combatant is doing, or another remark.
        acted: whether the combatant has acted in this round; None to derive it from the running step.
        track: boxes of harm, drawn in place of the first pool; None to draw that as a bar.
        lasting: the system's badge for each effect in order, None for the core's words; it may be shorter.
        mark_name: the meaning of `mark` if it is a number, such as ``initiative``; shown if there is room.
        level: how badly the combatant is hurt, in a word shown beside the first pool or track; empty for unhurt.
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


@frozen
class Detail:
    """One line of a `Section`.

    Attributes:
        name: the subject, such as a layer of armour.
        gauge: the remaining amount, drawn as a bar; None for no bar.
    """

    name: str
    text: str
    gauge: Pool | None = None
    tone: str = "plain"
    rule: str = ""


@frozen
class Section:
    """Details of a combatant under a heading, such as the layers of armour, or the days on which wounds heal.

    Attributes:
        who: the combatant's id; empty if it is about all.
        note: a short summary beside the title.
    """

    title: str
    details: tuple[Detail, ...]
    who: str = ""
    note: str = ""


@frozen
class Mark:
    """A mark on a place of the board, drawn below any combatant there.

    Attributes:
        text: one or two characters, such as the field of approach ``RF`` or the pulse in which it is entered.
        label: its meaning, shown on request.
        aloud: whether the label is also shown beside the board.
        who: the id of its combatant; empty for none.
        kind: ``moment`` for the time at which `who` will be there, drawn differently from labels and in the side's
            colour; ``side`` for a place beside `who`, where letters could be mistaken for labels, so the one ahead is
            an arrow.
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
    """A declared act of a combatant, and its outcome.

    Attributes:
        who: the combatant's id; it may have several declarations, such as one for each pass.
        words: the declared act; empty for none yet.
        public: the words for players if it is secret, such as ``appears to do nothing``; else empty.
        parts: the hands and limbs that it binds, such as ``R legs``.
        cost: its cost, such as ``4 qa``.
        due: when it is resolved, such as ``now`` or ``CS 3 pass 1``.
        status: one of `DECLARED`; empty for nothing yet.
        done: its outcome, to compare with the declaration.
        progress: its progress, if it takes several acts.
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
class SidePool:
    """A pool that all of a side share, such as momentum.

    Attributes:
        id: its id, unique among the pools of its side.
        side: the side; empty for a pool of the whole fight, such as a countdown.
        max: the most it can hold.
        start: what it holds as the fight begins.
        name: its name for people; empty for its id.
    """

    id: str
    side: str
    max: int
    start: int = 0
    name: str = ""
    is_secret: bool = False


@frozen
class Group:
    """Combatants that the roster shows together, with a note such as ``acting``.

    Attributes:
        flag: an important remark about all of them.
        action: the `Option.action` that any of them can do right now; empty for none.
    """

    title: str
    side: str
    note: str
    members: tuple[str, ...]
    flag: Badge | None = None
    action: str = ""


def group_by_side(
    roster: Iterable[Combatant], titles: Mapping[str, str], note: Callable[[str, tuple[str, ...]], str]
) -> tuple[Group, ...]:
    """A group for each side that somebody is on: the titled ones first, then those that the GM has named."""
    members: dict[str, list[str]] = {side: [] for side in titles}
    for combatant in roster:
        members.setdefault(combatant.side, []).append(combatant.id)
    return tuple(
        Group(titles.get(side, side.title()), side, note(side, tuple(ids)), tuple(ids))
        for side, ids in members.items()
        if ids
    )


@frozen
class Tally:
    """A number of one combatant; views can join several into one sentence.

    Attributes:
        subject: what is counted: ``Initiative``.
        by: the word before the name, where the number is what they did or lost.
    """

    subject: str
    name: str
    number: int
    by: str = ""

    def phrase(self, rule: str, edge: str = "") -> Phrase:
        """The number as a sentence: ``Ash: Initiative 14``."""
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
        """The interaction as a sentence, to be shown under the act that caused it."""
        return Phrase(f"{self.name} {self.does[0]} {self.whom}", tone, rule, follows=True, interaction=self)


@frozen
class Phrase:
    """An event in words.

    Attributes:
        text: a sentence, or a part of one.
        tone: plain, good, bad, warn, dim, heading, dice, ruling, fallen, or aside for what is left out of stories.
        edge: a roll and its target number, shown beside the sentence of its act: ``8 ≤ 11 hit``. The events of its dice
            are then not shown.
        tally: its number, if several such phrases can be joined.
        interaction: its interaction, if several such phrases can be joined.
        follows: it is a consequence of an earlier act, and is shown under it.
        sum: how its number is calculated; shown in brackets if there is room.
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
    """The words of a system.

    Attributes:
        ticks: what an effect counts, by `Effect.ticks`; ``{who}`` is the combatant whose clock it follows.
        unit: the unit of distance in the singular; `units` in the plural.
        between: the title between rounds.
        waits: what a step waits for combatants to do, by the kind of step, if it is not to act: ``roll``.
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

    def side(self, side: str) -> str:
        """The name of a side; for one that the GM has named, made from its id."""
        return self.sides.get(side, side.title())

    def side_pool(self, side: str, name: str) -> str:
        """The name of a pool of a side, preceded by the side's: ``Party momentum``."""
        pool = self.pool(name)
        return f"{self.side(side)} {pool}" if side else pool[:1].upper() + pool[1:]

    def pool(self, name: str) -> str:
        """The name of a pool; for one without a word of its own, such as ``daily:second_wind``, made from its id."""
        return self.pools.get(name) or name.rpartition(":")[2].replace("_", " ")


# Making options from the checks of their command


def offer(
    action: str,
    label: str,
    command: str,
    key: str,
    checks: Iterable[Check],
    *,
    cost: str = "",
    rule: str = "",
    fixed: Mapping[str, Scalar] | None = None,
    inputs: tuple[Input, ...] = (),
    details: tuple[Input, ...] = (),
) -> Option:
    """An option that is legal if all checks hold. Otherwise the first broken one says why not, and by which rule."""
    broken = first_broken(checks)
    why, rule = (broken.message, broken.rule) if broken is not None else ("", rule)
    return Option(action, label, command, key, cost, broken is None, why, rule, fixed or {}, inputs, details)


def offer_ruling(
    what: str, label: str, rule: str, *inputs: Input, checks: Iterable[Check] = (), who: str = ""
) -> Option:
    """The option of a ruling, on a combatant or on the fight."""
    fixed = {"what": what, "who": who} if who else {"what": what}
    return offer(f"rule-{what}", label, "Rule", "", checks, rule=rule, fixed=fixed, inputs=inputs)


ANOTHER_TARGET = "another target"
"""The alternative of a check that only another target can satisfy; the exchange panel has a key for it."""


class Referee:
    """Judges one command. With `force`, a refusal becomes a recorded override instead.

    `out_of_turn` overrides the checks on whose turn it is, and no others (`Check.is_turn`). `forced` says whether the
    GM has overridden any of the others.
    """

    def __init__(self, command: str, combatant_id: str, force: bool, *, out_of_turn: bool = False) -> None:
        self._command = command
        self._who = combatant_id
        self._force = force
        self._out_of_turn = out_of_turn
        self.forced = False
        self.overrides: list[Overridden] = []

    def renewed(self, answering: Referee) -> Referee:
        """The referee of an answer to this one's act: whatever the GM overrides in one, they override in both."""
        is_forced, is_out_of_turn = self._force or answering._force, self._out_of_turn or answering._out_of_turn
        return Referee(answering._command, answering._who or self._who, is_forced, out_of_turn=is_out_of_turn)

    def allows_turn(self, is_turn: bool) -> bool:
        """Whether a check need not hold, because it only says whose turn it is and the act is out of turn."""
        return is_turn and self._out_of_turn

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted, is_turn: bool = False) -> None:
        """Check a condition. If it does not hold, refuse, or record an override.

        `is_turn` says that the condition is only about whose turn it is.
        """
        if holds:
            return
        is_allowed = self.allows_turn(is_turn)
        if not (self._force or is_allowed):
            raise Refused(rule, message, accepts)
        self.forced = self.forced or not is_allowed
        overridden = Overridden(command=self._command, rule=rule, reason=message, who=self._who)
        if overridden not in self.overrides:
            self.overrides.append(overridden)


# Conditions of an act, stated once


@frozen
class Check:
    """A condition of an act. If it does not hold: the rule that refuses, why, and what would be accepted instead.

    `is_turn` marks a condition that only says whose turn it is, or that a question must be answered first. The act of
    a held cue need not meet it.
    """

    holds: bool
    rule: str
    message: str
    accepts: tuple[Accepted, ...] = ()
    is_turn: bool = False


def enforce(checks: Iterable[Check], referee: Referee) -> None:
    """Enforce each check in turn; the GM may override those that do not hold."""
    for check in checks:
        if not check.holds:
            referee.require(False, check.rule, check.message, *check.accepts, is_turn=check.is_turn)


def require_always(*checks: Check) -> None:
    """Enforce checks that even the GM cannot override, because the act would be impossible."""
    broken = first_broken(checks)
    if broken is not None:
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)


def first_broken(checks: Iterable[Check]) -> Check | None:
    """The first check that does not hold."""
    return next((check for check in checks if not check.holds), None)
