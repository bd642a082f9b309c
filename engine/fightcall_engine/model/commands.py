"""The commands that every system has. Systems add their own.

Every command has `rolls`, faces rolled at the table by purpose; `force`, by which the GM overrides a refusal, which is
recorded; and `alike`, by which all squad members identical to `who` do it too, all of them or none, except that those
after one that fells the common target keep their act.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Literal

from fightcall_engine.board.base import Facing, Location
from fightcall_engine.model.state import Json, Scalar, StyleWord
from fightcall_engine.model.values import Value


class Command(Value):
    """The base class of all commands.

    Attributes:
        AFTER_CLOSE: it is allowed after the end of the fight.
        ONCE: the key that repeats the last command ignores it, because a repetition makes no sense.
        PASSES: the command lets time go by, so it is proposed only if nothing else is possible.
        PEOPLE: further fields besides `NAMING_PEOPLE` that name combatants, or hold other words. Names and labels in
            them are replaced by ids before the command is decided.
    """

    AFTER_CLOSE: ClassVar[bool] = False
    ONCE: ClassVar[bool] = False
    PASSES: ClassVar[bool] = False
    PEOPLE: ClassVar[tuple[str, ...]] = ()
    rolls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    force: bool = False
    alike: bool = False


NAMING_PEOPLE = ("who", "target", "enemy", "foe", "meets", "by")
"""The fields that name a combatant in every command; ``by`` can also name a side."""


class Join(Command):
    """Add a combatant, or `count` identical ones, to the fight. The default `id` is made from the name.

    Several form a squad of their name, or the one named by `squad`, which may exist. `places` has the place of each, in
    order. A combatant who has left comes back as they were if `id` or `name`, and what is given of `side` and `sheet`,
    are theirs. `anew`: it is another one, even so. With `rounds` they leave by themselves after so many rounds, like a
    summoned wolf. `fights` is how they fight, such as ``pack`` or
    ``protects brand``.
    """

    name: str
    id: str = ""
    side: str = ""
    sheet: Mapping[str, Json] = field(default_factory=dict)
    at: Location | None = None
    facing: Facing | None = None
    hidden: bool = False
    label: str = ""
    count: int = 1
    squad: str = ""
    places: tuple[Location, ...] = ()
    rounds: int | None = None
    anew: bool = False
    fights: str = ""


class Leave(Command):
    """Remove a combatant from the fight."""

    ONCE: ClassVar[bool] = True

    who: str
    reason: str = ""


class Place(Command):
    """Put a combatant on a place, without cost and rules."""

    who: str
    at: Location | None
    facing: Facing | None = None


class Face(Command):
    """Turn a combatant to a direction of the board: by its name, or by number from 0 = east, counter-clockwise."""

    who: str
    facing: Facing


class Start(Command):
    """Begin the next round; the first one opens the fight."""

    ONCE: ClassVar[bool] = True

    name: str = ""


class Advance(Command):
    """Go on: open prompts take their defaults, else the running step closes, or the next round begins."""

    ONCE: ClassVar[bool] = True


class Waive(Command):
    """Let the running step go by, for a combatant or all of a side."""

    PASSES: ClassVar[bool] = True

    who: str = ""
    side: str = ""


class Move(Command):
    """Walk.

    On a board, give `path` (the places to enter, in order) or `to` (the goal of the cheapest path). Without one, give
    `hexes`, and in `meets` the enemy whose zone is entered after `meets_after` hexes (by default the last). `meets` is
    also for boards that cannot tell who is in contact. `ground` is the cost set by the GM, in steps of open ground, or
    in actions if the system prices moves so; by default board and system determine it. `cover` is the cover taken at
    the end, if that is reached. If a system measures distances, `feet` is the distance without a board, and `speed`
    the speed, as a number in its unit or a word of its own.
    """

    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    hexes: int = 0
    meets: str = ""
    meets_after: int = 0
    ground: int | None = None
    cover: str = ""
    feet: float | None = None
    speed: float | str | None = None


class Strike(Command):
    """Attack.

    `hit` is the outcome; or `needs` is the number to reach with `dice` (and `modifier`), rolled as ``rolls["attack"]``
    or by the engine. `damage` is a number or dice (``rolls["damage"]``). `kind` can be left out if the phase implies
    it. `weapon` takes all of these from a strike on the attacker's sheet.
    """

    who: str
    target: str = ""
    kind: str = ""
    weapon: str = ""
    hit: bool | None = None
    needs: int | None = None
    dice: str = "d20"
    modifier: int = 0
    cover: int | None = None
    damage: int | str | None = None
    note: str = ""


class Damage(Command):
    """Apply damage that is not from a strike. `amount` is a number or dice (``rolls["damage"]``).

    `pool` is by default the system's pool of health.
    """

    who: str
    amount: int | str
    by: str = ""
    pool: str = ""


class Heal(Command):
    """Heal a combatant, up to the maximum. `amount` is a number or dice (``rolls["heal"]``); `pool` as in `Damage`."""

    who: str
    amount: int | str
    pool: str = ""


class AddEffect(Command):
    """Begin an effect that lasts for `rounds`; by default until it is ended by hand.

    It counts down by a `clock`, ``round``, ``bearer`` or ``maker`` (who is named in `by`), at the ``start`` or ``end``
    (`ticks`) of that clock's time. The system has defaults for both. If effects can harm by themselves, such as each
    turn, `amount` is the harm as a number or dice; with `heals` it is healing.
    """

    who: str
    name: str
    rounds: int | None = None
    magnitude: int = 0
    note: str = ""
    clock: str = ""
    by: str = ""
    ticks: str = ""
    amount: int | str = 0
    heals: bool = False


class EndEffect(Command):
    """End an effect, by its id or its name."""

    ONCE: ClassVar[bool] = True

    who: str
    effect: str
    reason: str = ""


class Contact(Command):
    """Declare that two enemies are, or are no longer, in contact; for fights without a board."""

    who: str
    enemy: str
    on: bool = True


class Adjust(Command):
    """Set any visible value to what the GM says.

    `what` is a pool, a field of the system's record, ``name``, ``side``, ``able``, ``hidden``, ``max:<pool>``, or
    ``sheet.<field>`` for a value of the sheet, in a list with the number or the name of its entry, such as
    ``sheet.slot_mods.boots.amount``. Without `who` it is a value of the fight: ``clock_s``, a pool that a side shares
    (``party.momentum``), or a field of the system's record of it.
    """

    what: str
    value: Scalar
    who: str = ""
    reason: str = ""


class Configure(Command):
    """Change a setting during or after the fight."""

    ONCE: ClassVar[bool] = True
    AFTER_CLOSE: ClassVar[bool] = True

    setting: str
    value: Scalar


class ChangeRules(Command):
    """Go on under other rules of the same game: the text of its file, or the file as it is now if left empty.

    To change them from the beginning of the fight, amend its first entry and insert this before it.
    """

    ONCE: ClassVar[bool] = True

    text: str = ""


class Answer(Command):
    """Answer an open prompt.

    An empty `prompt` means the oldest blocking one, else the oldest offer; an empty `choice` means its default.
    """

    ONCE: ClassVar[bool] = True

    prompt: str = ""
    choice: str = ""
    amount: int | str | None = None
    modifier: int = 0
    value: Scalar = None
    note: str = ""


class Rule(Command):
    """Make a ruling that no prompt asked for: `what` is a ruling of the system, or the kind of an open prompt."""

    what: str
    value: Scalar = None
    who: str = ""
    note: str = ""


class SetCue(Command):
    """Set a cue, in the form of `model.cues`.

    `when` is its condition, such as ``{"round": 3}`` or ``{"down": "goblins", "count": 2}``; `then` its outcome:
    ``{"say": TEXT}``, ``{"ask": TEXT, "answers": [...]}``, ``{"propose": {"do": COMMAND, ...}}`` or
    ``{"hold": {...}}``. It fires once, or `each_time`. It replaces a cue with the same `id`.
    """

    when: Mapping[str, Json] = field(default_factory=dict)
    then: Mapping[str, Json] = field(default_factory=dict)
    name: str = ""
    each_time: bool = False
    id: str = ""


class DropCue(Command):
    """Remove a cue, by its id or its name."""

    cue: str


class Note(Command):
    """Add a note."""

    AFTER_CLOSE: ClassVar[bool] = True
    text: str
    who: str = ""


class Close(Command):
    """End the fight."""

    ONCE: ClassVar[bool] = True

    reason: str = ""


# The GM's toolbox: what no rule covers


class Swap(Command):
    """Let two combatants trade places."""

    who: str
    target: str


class ChangeSide(Command):
    """Move a combatant to a side of any name. With `rounds` it returns to its old side after so many rounds."""

    who: str
    side: str
    rounds: int | None = None


class SetStyle(Command):
    """Say how combatants fight when the program suggests their acts: see `Style`. `whom` is whom they protect."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("targets", "whom")

    targets: tuple[str, ...] = ()
    word: StyleWord = "bold"
    whom: str = ""


class Copy(Command):
    """Add copies of a combatant, with its sheet, effects and pools as they are now.

    `pools` sets pools of each copy; with `split` the original loses what the copies get. `places` has the place of each
    copy. With `rounds` the copies vanish after so many rounds.
    """

    who: str
    name: str = ""
    count: int = 1
    pools: Mapping[str, int] = field(default_factory=dict)
    split: bool = False
    places: tuple[Location, ...] = ()
    rounds: int | None = None


class AreaDamage(Command):
    """Apply damage to several by one roll. `amount` is a number or dice (``rolls["damage"]``).

    The targets are all `targets`, and everyone who stands on a place of `area` or on `terrain` of this name. Those in
    `halved` take half, rounded down.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("targets", "halved")

    amount: int | str
    targets: tuple[str, ...] = ()
    halved: tuple[str, ...] = ()
    area: tuple[Location, ...] = ()
    terrain: str = ""
    by: str = ""
    pool: str = ""


class Paint(Command):
    """Change the ground of `places`: to a `terrain` of this board, or to a new one of this name.

    Without `terrain` the places become what they were when the map was laid out. `cost` is the price of entering, in
    steps of open ground. `harm` is damage, a number or dice, for anyone who enters (`harm_at` is ``enter``) or for
    everyone who stands there at the end of a round (``round``). Giving a known terrain other numbers changes
    it everywhere.
    """

    places: tuple[Location, ...] = ()
    terrain: str = ""
    glyph: str = ""
    cost: int | None = None
    blocks: bool | None = None
    blocks_sight: bool | None = None
    cover: str | None = None
    harm: int | str | None = None
    harm_at: Literal["enter", "round"] | None = None


class SetPassage(Command):
    """Open, shut or close off the way between a `zone` and an `other`.

    `kind` is ``open``, ``door`` (passable, but nobody sees through) or ``none`` (no way).
    """

    ONCE: ClassVar[bool] = True

    zone: str
    other: str
    kind: Literal["open", "door", "none"] = "open"


class SkipTime(Command):
    """Let game time pass between two acts: durations run down, and effects that are over end."""

    seconds: int


class ChangeMap(Command):
    """Go on with the same fight on another map.

    Those listed in `along` come with all they have; the others leave, and can return. `board` is a board in numbers as
    in the protocol, empty for none. `places` has the places on it by combatant, `joins` those who wait there, and
    `cues` the cues of the new map, both with the fields of those commands. Cues that name places of the old map are
    dropped.
    """

    ONCE: ClassVar[bool] = True
    PEOPLE: ClassVar[tuple[str, ...]] = ("along",)

    board: Mapping[str, Json] = field(default_factory=dict)
    name: str = ""
    along: tuple[str, ...] = ()
    places: Mapping[str, Location] = field(default_factory=dict)
    joins: tuple[Mapping[str, Json], ...] = ()
    cues: tuple[Mapping[str, Json], ...] = ()


CORE_COMMANDS: tuple[type[Command], ...] = (
    Join, Leave, Place, Face, Start, Advance, Waive, Move, Strike, Damage, Heal, AddEffect, EndEffect, Contact, Adjust,
    Configure, ChangeRules, Answer, Rule, SetCue, DropCue, Note, Close,
    Swap, ChangeSide, SetStyle, Copy, AreaDamage, Paint, SetPassage, SkipTime, ChangeMap,
)  # fmt: skip
"""The commands that every fight accepts, whatever its system."""

SHARED_ALIASES: Mapping[str, str] = {
    "add": "Join", "remove": "Leave", "hold": "Waive", "effect": "AddEffect", "set": "Adjust", "setting": "Configure",
    "ruling": "Rule", "cue": "SetCue", "uncue": "DropCue", "next": "Advance", "end": "Close", "side": "ChangeSide",
    "style": "SetStyle", "passage": "SetPassage", "skip": "SkipTime", "map": "ChangeMap",
}  # fmt: skip
"""Other names of the shared commands, in squeezed form."""


MOVES = ("undo", "redo", "jump", "present", "mark")
BRANCH_REQUESTS = ("fork", "takebranch", "dropbranch", "restorebranch", "namebranch", "amend")
SCRIPT_WORDS = frozenset(("open", *MOVES, *BRANCH_REQUESTS))
"""What scripts do beside commands, so that no command can have these names, in squeezed form."""


def squeeze(name: str) -> str:
    """The normal form of a command's name: ``drop_prone``, ``DropProne`` and ``drop prone`` are equal in it."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
