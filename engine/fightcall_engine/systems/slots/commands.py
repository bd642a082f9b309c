"""What a GM can ask for in Active Phase Encounters beside the shared commands, and the other names these go by."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class Awareness(Command):
    """A PC's Awareness check (AP-01): the `result` as typed, or a die (``rolls["awareness"]``) and the sheet's number.

    Until the Cycle is locked it may be made again (Q-A22).
    """

    who: str
    result: int | None = None


@command
class Order(Command):
    """All results are in: list the Cycle from highest to lowest (AP-02)."""


@command
class Stay(Command):
    """Start later than the roll gives (AP-06): directly `after`, or `before`, another PC's band, as an own band.

    `together` is the GM's word that the PC joins that band.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("after", "before")
    who: str
    after: str = ""
    before: str = ""
    together: bool = False


@command
class Init(Command):
    """An effect meant for Initialization is used (AP-08, AP-09)."""

    who: str
    effect: str
    note: str = ""


@command
class Lock(Command):
    """The Cycle is locked and Full Round 1 begins (AP-07)."""


@command
class RoundStart(Command):
    """Go on to the next Full Round: what is left of the preparations, or of Upkeep, takes its defaults (AP-11)."""


@command
class Act(Command):
    """Spend Action Slots in one's own Active Phase (AP-16).

    `ability` is one of the sheet's, or any name with a `cost`, its Active price. `interrupt` says that it is meant to
    stop what the target is doing (AP-29): what it does now, or with `work` its action of several rounds. `hit` and
    `damage` say what came of it; a miss interrupts nothing.
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
    """Act with Reserved Slots while others have their Active Phase (AP-19, AP-20). The fields are those of Act.

    `allowed` is the GM's word on whether an act that is not on the sheet may be paid so.
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
    """A minor act that is usually part of another (AP-31): 1 slot if several must handle the object, else free."""

    who: str
    what: str = ""
    shared: bool | None = None


@command
class Combo(Command):
    """An effect of several PCs (AP-32, AP-33): the active one begins it with Action Slots, the others finish it.

    `partner`, or several `partners`. `cost` and `partner_cost` are the prices where it is not on the sheet; `in_range`
    answers whether all are near enough. `target`, `interrupt`, `work`, `hit` and `damage` are as those of Act.
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

    `needed` is its price where it is not on the sheet, `pay` what is paid now (all there is, where left out). Its roll
    is made now and sealed (AP-37): a `result`, or `dice` (``rolls["sealed"]``). `target` and `damage` say whom it is
    at, and what a hit takes, when it is done (AP-40).
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
    """Pay on for the action in progress, a Full Round later (AP-35); with the last slot it takes effect (AP-40).

    `success` says what came of it, `target` and `damage` whom it is at and what it takes, where that is known only now.
    """

    who: str
    pay: int | None = None
    success: bool | None = None
    target: str = ""
    damage: int | str | None = None


@command
class EndAP(Command):
    """End one's Active Phase: what is left becomes Reserved Slots (AP-17), or is lost in the Final Phase (AP-25)."""

    PASSES: ClassVar[bool] = True

    who: str


@command
class Npc(Command):
    """Somebody who is no PC acts, by the GM's own rules, at any time (AP-05).

    With `rounds` it takes so many Full Rounds: one is over at each Upkeep (AP-44), and with the last it takes effect.
    `interruptible` says whether it can be broken until then (AP-39).
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
    """A lasting effect begins on `who`.

    `kind` is ``damage`` or ``heal`` (`amount` at each Upkeep), ``slots`` (`amount` more, or fewer, gained), ``buff``,
    ``debuff`` or ``other``. `rounds` is how long; left out, until it is ended. `counts` false: Upkeep lets it be.
    """

    who: str
    name: str
    kind: str = "other"
    amount: int = 0
    rounds: int | None = None
    counts: bool = True
    note: str = ""


@command
class MarkZone(Command):
    """Something comes over a zone of the board: it burns, or is flooded.

    `price` is what entering it costs in slots, beside the way. `kind` is ``damage`` or ``heal``: so much (`amount`) at
    each Upkeep for whoever stands there (AP-45); else ``none``. `rounds` is how many Upkeeps it lasts; left out, until
    it is cleared.
    """

    at: Location | None
    name: str
    price: int = 0
    kind: str = ""
    amount: int = 0
    rounds: int | None = None


@command
class ClearZone(Command):
    """What has come over a zone is gone: the mark of this `name`, or all of them."""

    at: Location | None
    name: str = ""


@command
class Upkeep(Command):
    """Go through Upkeep (AP-42), closing the round first. `outside`: what else resolves in it (AP-43)."""

    outside: str = ""


@command
class Outro(Command):
    """Wind down when no threat is left (AP-46): ``all_resolve``, ``slow_burn``, or any other way in words."""

    choice: str
    note: str = ""


@command
class Volunteer(Command):
    """Give slots to a common problem in Slow Burn (AP-49): to `problem`, by its name, or to the oldest that is open."""

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
