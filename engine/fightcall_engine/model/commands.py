"""What the GM asks for: the commands that make sense in every system. A system adds its own beside them.

Every command may carry `rolls`, the faces thrown at the table by purpose, `force`, the GM's word that sets a
refusal aside and is recorded as such, and `alike`: all of the squad who are like the one in `who` do it too, or none.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fightcall_engine.board.base import Facing, Location
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import Value
from fightcall_engine.model.values import value as command


@command
class Command(Value):
    """The root of all commands.

    Attributes:
        AFTER_CLOSE: it may be given when the fight is over.
        ONCE: it makes no sense a second time: the key that repeats the last command leaves it out.
        PASSES: the command lets time go by, so it is proposed only if nothing else is possible.
        PEOPLE: the fields that name combatants, beside those that do so in all commands; such a field may hold other
            words, too. They may be given by name or label, and are ids when the command is decided.
    """

    AFTER_CLOSE: ClassVar[bool] = False
    ONCE: ClassVar[bool] = False
    PASSES: ClassVar[bool] = False
    PEOPLE: ClassVar[tuple[str, ...]] = ()
    rolls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    force: bool = False
    alike: bool = False


NAMING_PEOPLE = ("who", "target", "enemy", "foe", "meets", "by")
"""The fields that name a combatant in whatever command; ``by`` may also name a side."""


@command
class Join(Command):
    """A combatant, or `count` like ones, join the fight. `id` is made from the name where it is left out.

    Several are a squad, which is named after them unless `squad` says how, or whom they join. `places` says where each
    of them stands, in their order.
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


@command
class Leave(Command):
    """A combatant is taken out of the fight altogether."""

    ONCE: ClassVar[bool] = True

    who: str
    reason: str = ""


@command
class Place(Command):
    """Put a combatant somewhere by the GM's hand; no cost, no rule."""

    who: str
    at: Location | None
    facing: Facing | None = None


@command
class Face(Command):
    """Turn a combatant to a direction of the board: by its name, or by number from 0 = east, counter-clockwise."""

    who: str
    facing: Facing


@command
class Start(Command):
    """Begin the next round; the first one opens the fight."""

    ONCE: ClassVar[bool] = True

    name: str = ""


@command
class Advance(Command):
    """The next step: open prompts take their defaults, the running step is closed, or the next round begins."""

    ONCE: ClassVar[bool] = True


@command
class Waive(Command):
    """A combatant, or all of a side, let the running step go by."""

    PASSES: ClassVar[bool] = True

    who: str = ""
    side: str = ""


@command
class Move(Command):
    """Walk.

    Give `path` (the places to enter, in order) or `to` (the cheapest way is found) on a board; `hexes` without one,
    with `meets` naming the enemy whose zone is entered after `meets_after` hexes (default: with the last). On a board
    that cannot tell who is in contact, `meets` does so too. `ground` is what the way asks by the GM's word, in steps of
    open ground, or in actions where the system prices a move as such; left out, board and system say. `cover` is the
    cover taken at the end of it, if it is walked so far. Where a system measures ways, `feet` says how far without a
    board, and `speed` how fast, as a number in its unit or in its words.
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


@command
class Strike(Command):
    """Attack.

    Either `hit` says what came of it, or `needs` is the number to reach with `dice` (and `modifier`), thrown as
    ``rolls["attack"]`` or by the engine. `damage` is a number or dice (``rolls["damage"]``). `kind` may be left out
    where the phase says it. `weapon` takes all of these from a strike on the attacker's sheet.
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


@command
class Damage(Command):
    """Harm lands outside a strike, or by the GM's hand. `amount` is a number or dice (``rolls["damage"]``).

    It is taken from `pool`, or from the one that the system counts health in.
    """

    who: str
    amount: int | str
    by: str = ""
    pool: str = ""


@command
class Heal(Command):
    """Harm is undone, up to the maximum. `amount` is a number or dice (``rolls["heal"]``); `pool` as in `Damage`."""

    who: str
    amount: int | str
    pool: str = ""


@command
class AddEffect(Command):
    """Something lasting begins: `rounds` until it ends, or until it is ended by hand where left out.

    It counts down by a `clock`: ``round``, ``bearer`` or ``maker``, who is named in `by`, at the ``start`` or ``end``
    (`ticks`) of that clock's time. What is left out is as usual in the system. Where effects harm by themselves, at
    each turn say, `amount` is how much, a number or dice; with `heals` it is healing.
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


@command
class EndEffect(Command):
    """End an effect, by its id or its name."""

    ONCE: ClassVar[bool] = True

    who: str
    effect: str
    reason: str = ""


@command
class Contact(Command):
    """Declare that two enemies are, or are no longer, in contact; for fights without a board."""

    who: str
    enemy: str
    on: bool = True


@command
class Adjust(Command):
    """Change anything on the screen by the GM's word.

    `what` is a pool, a trait of the system, or one of ``name``, ``side``, ``able``, ``hidden``, ``max:<pool>``, or with
    ``sheet.`` before it a value of the sheet; without `who` it is the fight's: ``clock_s``, or a fact of the system.
    """

    what: str
    value: Scalar
    who: str = ""
    reason: str = ""


@command
class Configure(Command):
    """Change a setting in mid-fight, or of what comes after it."""

    ONCE: ClassVar[bool] = True
    AFTER_CLOSE: ClassVar[bool] = True

    setting: str
    value: Scalar


@command
class Answer(Command):
    """Answer an open prompt.

    An empty `prompt` means the oldest that play waits for, or else the oldest offer; an empty `choice` its default.
    """

    ONCE: ClassVar[bool] = True

    prompt: str = ""
    choice: str = ""
    amount: int | str | None = None
    modifier: int = 0
    value: Scalar = None
    note: str = ""


@command
class Rule(Command):
    """Rule on something unasked: `what` is one of the system's rulings, or the kind of an open prompt."""

    what: str
    value: Scalar = None
    who: str = ""
    note: str = ""


@command
class SetCue(Command):
    """Have the fight watch for something and say so when it happens: a cue, in the form of `model.cues`.

    `when` is what to watch for, such as ``{"round": 3}`` or ``{"down": "goblins", "count": 2}``; `then` what comes of
    it: ``{"say": TEXT}``, ``{"ask": TEXT, "answers": [...]}``, ``{"propose": {"do": COMMAND, ...}}`` or
    ``{"hold": {...}}``. Once, or `each_time`. A cue with the `id` of another takes its place.
    """

    when: Mapping[str, Json] = field(default_factory=dict)
    then: Mapping[str, Json] = field(default_factory=dict)
    name: str = ""
    each_time: bool = False
    id: str = ""


@command
class DropCue(Command):
    """Watch no longer for a cue, by its id or its name."""

    cue: str


@command
class Note(Command):
    """Write something down."""

    AFTER_CLOSE: ClassVar[bool] = True
    text: str
    who: str = ""


@command
class Close(Command):
    """End the fight."""

    ONCE: ClassVar[bool] = True

    reason: str = ""


CORE_COMMANDS: tuple[type[Command], ...] = (
    Join, Leave, Place, Face, Start, Advance, Waive, Move, Strike, Damage, Heal, AddEffect, EndEffect, Contact, Adjust,
    Configure, Answer, Rule, SetCue, DropCue, Note, Close,
)  # fmt: skip
"""The commands that every fight takes, whatever its system."""

SHARED_ALIASES: Mapping[str, str] = {
    "add": "Join",
    "remove": "Leave",
    "hold": "Waive",
    "effect": "AddEffect",
    "set": "Adjust",
    "setting": "Configure",
    "ruling": "Rule",
    "cue": "SetCue",
    "uncue": "DropCue",
    "next": "Advance",
    "end": "Close",
}
"""Other names that the shared commands go by, in squeezed form."""


def squeeze(name: str) -> str:
    """A command's name as people may write it (``drop_prone``, ``DropProne``, ``drop prone``) in one form."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
