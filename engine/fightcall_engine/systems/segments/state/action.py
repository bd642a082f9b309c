"""A declared Action: what somebody said they would do, what it binds, how long it takes and what came of it.

It is kept in the traits of its combatant, all of them beginning with ``act_``; one Action at a time. What was settled
earlier in the segment is told by the trait ``past``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.state import figures as fg

DRAFT, COMMITTED = "draft", "committed"

DONE, FAILED, ABORTED, LOST = "done", "failed", "aborted", "lost"

OPEN = (DRAFT, COMMITTED)

SETTLED = (DONE, FAILED, ABORTED, LOST)

MOVE, ACT, TASK, STRIKE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT, CHARGE = (
    "move",
    "act",
    "task",
    "strike",
    "shoot",
    "hurl",
    "combination",
    "defend",
    "object",
    "charge",
)
"""What kind of Action it is: `MOVE` and `DEFEND` ask for no dice, `TASK` takes its time, `ACT` is anything else."""

KINDS = (MOVE, ACT, TASK, STRIKE, CHARGE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT)

SPRING = "spring"
"""The kind of an Action that springing a Surprise completed; nobody declares it (CS-052)."""

ATTACKS = (STRIKE, CHARGE, SHOOT, HURL, COMBINATION)

RANGED = (SHOOT, HURL)

MELEE = tuple(kind for kind in ATTACKS if kind not in RANGED)

RIGHT, LEFT, LEGS, BODY = "R", "L", "legs", "body"

PARTS = (RIGHT, LEFT, LEGS, BODY)
"""What an Action can bind (CS-120, CS-146)."""

PUBLIC_NOTHING = "appears to do nothing"
"""What others see of a secret Action without a tell-tale (CS-088)."""

_PREFIX = "act_"


@dataclass(frozen=True, slots=True)
class Action:
    """One declared Action.

    Attributes:
        state: ``draft`` until it is confirmed, ``committed`` until it is settled, then what came of it; empty for none.
        kind: one of `KINDS`.
        text: what was said.
        public: what others see and hear where it differs; of a secret Action (CS-087, CS-089).
        secret: only the GM sees what it is.
        components: keys of table 4-1 or own words, each with its quarter-actions: ``draw=1 strike=4``.
        weapon: the weapon's name, or the one that leads a Combination.
        second: the other weapon of a Combination, or of a second attack.
        attack: the type of attack (CS-349).
        targets: ids of those it is meant for, parted by blanks.
        mode: ``concert`` or ``separate`` (CS-365).
        against: the foe or attack that a full defence is for (CS-166, A-53).
        parts: what it binds, parted by blanks.
        need: its length in quarter-actions.
        done: quarter-actions done.
        cs: the segment it was declared in.
        in_pass: the pass.
        dv: the difficulty of its check where there is one.
        skill: what it is rolled with, as a value (AV); None where none is named.
        rolled: it needs dice, or the GM's word, in its Resolution.
        outcome: what came of it, in words.
        helper: the id of another who does it (CS-136).
        arrow_head: what the arrow is tipped with (CS-542).
        inside: its author steps past the foe's longer weapon before the blow (CS-320).
        overruled: rules that the GM set aside when it was ordered, parted by blanks: they ask nothing more of it.
        struck: attacks of it that are settled, as hands, parted by blanks (CS-340).
        line: what is said with its first attack to daunt the target (CS-510).
    """

    state: str = ""
    kind: str = ""
    text: str = ""
    public: str = ""
    secret: bool = False
    components: str = ""
    weapon: str = ""
    second: str = ""
    attack: str = ""
    targets: str = ""
    mode: str = ""
    against: str = ""
    parts: str = ""
    need: int = QA_AN_ACTION
    done: int = 0
    cs: int = 0
    in_pass: int = 0
    dv: int | None = None
    skill: int | None = None
    rolled: bool = True
    outcome: str = ""
    struck: str = ""
    helper: str = ""
    line: str = ""
    arrow_head: str = ""
    inside: bool = False
    overruled: str = ""

    @property
    def is_open(self) -> bool:
        """True while it is declared and not settled."""
        return self.state in OPEN

    @property
    def left(self) -> int:
        """Quarter-actions that are still to do."""
        return max(0, self.need - self.done)

    @property
    def bound(self) -> tuple[str, ...]:
        """What it binds while it is open."""
        return tuple(self.parts.split()) if self.is_open else ()

    @property
    def hands_used(self) -> tuple[str, ...]:
        """Hands whose attacks are settled (CS-340)."""
        return tuple(self.struck.split())

    @property
    def pieces(self) -> tuple[str, ...]:
        """What it is made of, each with its quarter-actions; read by `pieces.pieces_in`."""
        return tuple(self.components.split())

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Rules that ask nothing more of it, by the GM's word when it was ordered."""
        return tuple(self.overruled.split())

    @property
    def aims(self) -> tuple[str, ...]:
        """Whom it is meant for."""
        return tuple(self.targets.split())


NO_ACTION = Action()

_NAMES = tuple(item.name for item in fields(Action))

TRAITS: Mapping[str, Scalar] = {_PREFIX + name: getattr(NO_ACTION, name) for name in _NAMES}
"""The traits of somebody who has declared nothing."""


def action_of(combatant: Combatant) -> Action:
    """What somebody has declared last, settled or not."""
    held = combatant.traits
    if not held.get("act_state"):
        return NO_ACTION
    return _build_action(*map(held.get, TRAITS))


@lru_cache(maxsize=1024, typed=True)
def _build_action(*held: Scalar) -> Action:
    """The Action of these traits, in the order of `TRAITS`; the same one is read many times over."""
    return Action(*map(_as, held, TRAITS.values()))  # type: ignore[arg-type]


def _as(value: Scalar, like: Scalar) -> Scalar:
    """A trait as what it should be: what the GM has emptied, or made of another kind, is what it was at first."""
    if like is None or (isinstance(like, int) and not isinstance(like, bool)):
        return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else like
    return like if value is None else value


def traits_of(action: Action) -> Mapping[str, Scalar]:
    """The traits that hold an Action."""
    return {_PREFIX + name: getattr(action, name) for name in _NAMES}


def changed_traits(combatant: Combatant, **new: object) -> Mapping[str, Scalar]:
    """The traits that differ when parts of somebody's Action change."""
    before, after = action_of(combatant), replace(action_of(combatant), **new)  # type: ignore[arg-type]
    return {_PREFIX + name: getattr(after, name) for name in _NAMES if getattr(after, name) != getattr(before, name)}


def without(combatant: Combatant, combatant_id: str) -> Mapping[str, Scalar]:
    """The traits that change where an Action is meant for, or helped by, somebody who has left."""
    found: dict[str, Scalar] = {}
    for name in ("act_targets", "act_against", "act_helper"):
        words = str(combatant.traits.get(name) or "").split()
        if combatant_id in words:
            found[name] = " ".join(word for word in words if word != combatant_id)
    return found


def targets_of(state: FightState, action: Action) -> tuple[Combatant, ...]:
    """Those it is meant for who are still here."""
    return tuple(state.combatants[combatant_id] for combatant_id in action.aims if combatant_id in state.combatants)


def is_due(combatant: Combatant) -> bool:
    """True where the Action of the running slot brings what is left of it to an end (CS-093, CS-133)."""
    action = action_of(combatant)
    return action.state == COMMITTED and action.left <= QA_AN_ACTION


def is_busy(state: FightState, combatant: Combatant) -> bool:
    """True for somebody at work on something declared in an earlier pass or segment (CS-102)."""
    action = action_of(combatant)
    number = fg.pass_number(state)
    return action.state == COMMITTED and (action.cs, action.in_pass) != (state.round, number)


def past_actions(combatant: Combatant, action: Action) -> str:
    """What this segment's earlier Actions came to, one a line, with this one added."""
    face = f"{action.public or PUBLIC_NOTHING}{_FACE}" if action.secret else ""
    line = " ".join(f"{action.text or action.kind}: {action.outcome or action.state}".split())
    before = fg.text_trait(combatant, "past")
    return f"{before}\n{face}{line}" if before else face + line


_FACE = "\t"
"""What parts the public face of a secret Action from the rest of its line."""


@dataclass(frozen=True, slots=True)
class Past:
    """What an earlier Action of this segment came to; `public` is what others saw where it was secret."""

    text: str
    outcome: str
    public: str = ""


def past_of(combatant: Combatant) -> tuple[Past, ...]:
    """Somebody's earlier Actions of this segment, oldest first."""
    found = []
    for line in fg.text_trait(combatant, "past").splitlines():
        face, _, word = line.rpartition(_FACE)
        text, _, outcome = word.rpartition(": ")
        found.append(Past(text or word, outcome, face))
    return tuple(found)
