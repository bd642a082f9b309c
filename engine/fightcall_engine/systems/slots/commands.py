"""The commands of Active Phase Encounters beside the shared ones, and their aliases."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class Awareness(Command):
    """Make a PC's Awareness check (AP-01): a `result`, or what the `die` shows plus the sheet's number, else a roll.

    It can be rerolled until the Cycle is locked (Q-A22).
    """

    who: str
    result: int | None = None
    die: int | None = None


@command
class Order(Command):
    """List the Cycle from highest to lowest, once everyone has rolled (AP-02)."""


@command
class Stay(Command):
    """Start later than the roll says (AP-06): directly `after` or `before` another PC's band, in a new band.

    `together`: join that band (GM override).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("after", "before")
    who: str
    after: str = ""
    before: str = ""
    together: bool = False


@command
class Init(Command):
    """Use an effect that only works in Initialization (AP-08, AP-09)."""

    who: str
    effect: str
    note: str = ""


@command
class Lock(Command):
    """Lock the Cycle and begin Full Round 1 (AP-07)."""


@command
class RoundStart(Command):
    """Go to the next Full Round. Open questions from the preparation or Upkeep take their defaults (AP-11)."""


@command
class Act(Command):
    """Spend Action Slots in your own Active Phase (AP-16).

    `ability` is on the sheet, or any name with a `cost`, its Active price. `interrupt`: try to stop what the target is
    doing (AP-29): its current act, or with `work` its action of several rounds. `hit` and `damage` give the outcome; a
    miss interrupts nothing.
    """

    who: str
    ability: str = ""
    cost: int | None = None
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""


@command
class React(Command):
    """Act with Reserved Slots in another PC's Active Phase (AP-19, AP-20). The fields are those of Act.

    `allowed`: the GM lets Reserved Slots pay for an act that isn't on the sheet.
    """

    who: str
    ability: str = ""
    cost: int | None = None
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    allowed: bool | None = None
    note: str = ""


@command
class Handle(Command):
    """Do something minor, usually part of another act (AP-31): free, or 1 slot for each handling a `shared` object."""

    who: str
    what: str = ""
    shared: bool | None = None


@command
class Combo(Command):
    """Use an effect of several PCs (AP-32, AP-33). The active one begins it with Action Slots; the others finish it.

    `partner`, or several `partners`. `cost` and `partner_cost` are the prices if it is not on the sheet. `in_range`:
    whether all are near enough. `target`, `interrupt`, `work`, `hit` and `damage` are those of Act.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("partner", "partners")
    who: str
    partner: str = ""
    partners: tuple[str, ...] = ()
    ability: str = ""
    cost: int | None = None
    partner_cost: int | None = None
    in_range: bool | None = None
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""


@command
class Begin(Command):
    """Begin an action that takes several Full Rounds (AP-34).

    `needed` is its price if it is not on the sheet, `pay` what is paid now: by default what it needs, at most what
    there is. Its roll is made now and sealed (AP-37): a `result`, or `dice` (``rolls["sealed"]``). `interruptible` says
    whether it can be interrupted; if neither that nor the sheet says, the GM is asked (AP-39). `target` and `damage`
    say whom it hits, and for how much, when it is done (AP-40).
    """

    who: str
    ability: str = ""
    needed: int | None = None
    pay: int | None = None
    result: int | None = None
    dice: str = ""
    interruptible: bool | None = None
    target: str = ""
    damage: int | str | None = None
    note: str = ""


@command
class Continue(Command):
    """Pay the next instalment of the action in progress, a Full Round later (AP-35); the last completes it (AP-40).

    `success`, `target` and `damage` give its outcome, where that was not known before.
    """

    who: str
    pay: int | None = None
    success: bool | None = None
    target: str = ""
    damage: int | str | None = None


@command
class EndAP(Command):
    """End your Active Phase. Unused slots become Reserved Slots (AP-17), or are lost in the Final Phase (AP-25)."""

    PASSES: ClassVar[bool] = True

    who: str


@command
class Npc(Command):
    """Let an NPC act, at any time, by the GM's own rules (AP-05).

    With `rounds` it takes that many Full Rounds, counted at Upkeep (AP-44), and takes effect with the last.
    `interruptible`: whether it can be interrupted until then (AP-39).
    """

    who: str
    what: str = ""
    target: str = ""
    hit: bool | None = None
    damage: int | str | None = None
    rounds: int | None = None
    interruptible: bool | None = None


@command
class Affect(Command):
    """Begin a lasting effect on `who`.

    `kind` is ``damage`` or ``heal`` (`amount` at each Upkeep, a number or dice), ``slots`` (`amount` more or fewer
    gained), ``buff``, ``debuff`` or ``other``. `rounds` is its duration; left out, it lasts until it is ended. `counts`
    is false if Upkeep does not count it down.
    """

    who: str
    name: str
    kind: str = "other"
    amount: int | str = 0
    rounds: int | None = None
    counts: bool = True
    note: str = ""


@command
class MarkZone(Command):
    """Mark a zone of the board, for instance as burning or flooded.

    `price` is what entering it costs in slots, beside the movement. `kind` is ``damage`` or ``heal``, with `amount` at
    each Upkeep, a number or dice, for a combatant who stands there (AP-45), else ``none``. `rounds` is its duration in
    Upkeeps; left out, it lasts until it is cleared.
    """

    at: Location | None
    name: str
    price: int = 0
    kind: str = ""
    amount: int | str = 0
    rounds: int | None = None


@command
class ClearZone(Command):
    """Remove the mark of this `name` from a zone, or all its marks."""

    at: Location | None
    name: str = ""


@command
class Upkeep(Command):
    """Close the round and go through Upkeep (AP-42). `outside`: what else resolves in it (AP-43)."""

    outside: str = ""


@command
class Outro(Command):
    """Wind down when no threat is left (AP-46): ``all_resolve``, ``slow_burn``, or another way in your own words."""

    choice: str
    note: str = ""


@command
class Volunteer(Command):
    """Volunteer slots for a shared problem in Slow Burn (AP-49): `problem` by name, or the oldest one."""

    who: str
    slots: int
    problem: str = ""


COMMANDS: tuple[type[Command], ...] = (
    Awareness, Order, Stay, Init, Lock, RoundStart, Act, React, Handle, Combo, Begin, Continue, EndAP, Npc, Affect,
    MarkZone, ClearZone, Upkeep, Outro, Volunteer,
)  # fmt: skip

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "begin_encounter": ("Start", {}),
    "end_active_phase": ("EndAP", {}),
    "shared": ("Handle", {"shared": True}),
    "minor": ("Handle", {}),
    "multi_round": ("Begin", {}),
    "pay": ("Continue", {}),
    "condition": ("AddEffect", {}),
    "inflict": ("Affect", {}),
    "threats_over": ("Rule", {"what": "threats_over"}),
    "threats_back": ("Rule", {"what": "threats_back"}),
    "all_resolve": ("Outro", {"choice": "all_resolve"}),
    "slow_burn": ("Outro", {"choice": "slow_burn"}),
}
