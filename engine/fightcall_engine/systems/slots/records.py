"""What is kept of combatants and encounter, and the settings that a table chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from fightcall_engine.kit.records import describe_settings, fight_record_of, read_settings, record_of, setting
from fightcall_engine.kit.rolls import DiceMode, dice_field
from fightcall_engine.kit.views import Words
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.model.values import frozen

UPKEEP = "upkeep"
"""The value of `Encounter.until` with which Upkeep asks no questions (AP-42)."""
OVER = "over"
"""The value of `Encounter.threats` once no threat is left (AP-46)."""


@frozen
class SlotsSettings:
    """The settings that a table chooses."""

    final_scope: Literal["everyone", "reserved_only"] = setting(
        "everyone",
        "What costs four times as much in the Final Phase: every action, or only those paid with Reserved Slots",
        "Q-A2",
    )
    final_single_band: Literal["off", "on"] = setting(
        "off", "There is a Final Phase even if only one band can act", "Q-A2"
    )
    final_base: Literal["price_it_would_have", "active_price"] = setting(
        "price_it_would_have",
        "What is multiplied by four: the current price, or the Active price",
        "Q-A10",
    )
    stay_mode: Literal["before_lock", "per_round"] = setting(
        "before_lock", "When PCs can Stay: once before the Cycle is locked, or every round for that round", "Q-A3"
    )
    upkeep_order: Literal["pulses_then_countdown", "countdown_first"] = setting(
        "pulses_then_countdown",
        "Upkeep order: damage and healing before the countdown, or the countdown first",
        "Q-A5",
    )
    hp_net: Literal["net", "damage_first"] = setting(
        "net",
        "In Upkeep, damage and healing cancel out, or damage comes first",
        "Q-A17",
        title="damage and healing",
        words=("cancel out", "damage first"),
    )
    slow_burn_order: Literal["together", "as_in_combat"] = setting(
        "together", "In Slow Burn, all PCs gain slots together, or in Cycle order as in combat", "Q-A18"
    )
    slot_floor: Literal[0, 1] = setting(0, "Minimum number of slots a PC gains", "Q-A6")
    awareness_die: str = setting("d20", "Die for the Awareness check (the sheet's number is added)", "Q-A1")
    places_per_slot: int = setting(2, "Places you can move per slot (the text gives no price)", "Q-A21", least=1)
    reserved_moves: Literal["yes", "no"] = setting("yes", "Reserved Slots can pay for moving", "Q-A21")
    dice: DiceMode = dice_field("Q-A1")


SETTINGS = describe_settings(SlotsSettings)


def settings_of(state: FightState) -> SlotsSettings:
    """The settings of a fight."""
    return read_settings(SlotsSettings, state.settings)


_PHASES: Mapping[str, str] = {
    "awareness": "Awareness",
    "ordering": "Order",
    "initialization": "Initialization",
    "active": "Active Phase",
    "final": "Final Phase",
    "close": "Hesitation",
    "upkeep": "Upkeep",
    "slow_burn": "Slow Burn",
}


_WORDS = Words(
    title="Active Phase Encounters",
    round="Full Round",
    phases=_PHASES,
    sides={"party": "Party", "foe": "Foes"},
    pools={"slots": "slots", "reserved": "reserve", "hp": "HP"},
    ticks={
        "upkeep": "Upkeep",
        "round_end": "Upkeep",
        "active_start": "start of {who}'s Active Phase",
        "active_end": "end of {who}'s Active Phase",
        "never": "until ended",
    },
)


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Active Phase Encounters."""
    return _WORDS


# Records of combatants, of the encounter and of open questions, beside pools and effects


PC, NPC = "pc", "npc"
WAITING, ACTIVE, DONE = "waiting", "active", "done"
"""The Active Phase of a PC in this round: to come, running, or over."""
CLOSE, SPEND = "close", "spend"
"""The GM's answers to the last call for reserves: close the round, or spend some first (AP-26)."""
ALL_RESOLVE, SLOW_BURN = "all_resolve", "slow_burn"
"""The printed ways to wind down (AP-47, AP-48)."""


@frozen
class Work:
    """An action of several rounds in progress (AP-34).

    Attributes:
        needed: its price in slots, or in Full Rounds for an NPC (AP-05).
        begun_in: the Full Round in which it was begun.
        paid_in: the Full Round of the last instalment, or 0.
        roll: its sealed roll (AP-37), or None.
        breakable: whether it can be interrupted (AP-39); None if the GM decides.
        target: the target of its effect, or empty.
        damage: the damage of a hit, a number or dice; None for its ability's.
    """

    name: str
    needed: int
    paid: int = 0
    begun_in: int = 0
    paid_in: int = 0
    roll: int | None = None
    breakable: bool | None = None
    target: str = ""
    damage: int | str | None = None


@frozen
class Harm:
    """What a combatant's last act has done, to be taken back if the act is interrupted (AP-29).

    Attributes:
        felled: whether it put the target down.
        work: the target's action of several rounds before the act.
    """

    target: str
    act: str
    amount: int = 0
    felled: bool = False
    work: Work | None = None


@frozen
class Fighter:
    """The record of a combatant.

    Attributes:
        kind: ``pc`` or ``npc`` (AP-04).
        agility: the present modifier (AP-12).
        awareness: the result of the check (AP-01), or None.
        place: the place in the Cycle, from 1; 0 without one (AP-02).
        home: the place as it was locked, to which a Stay for one round returns (Q-A3).
        from_round: the first Full Round of a newcomer (Q-A26).
        stay: the combatant after whose band the PC starts (AP-06), or empty.
        stay_number: Stays are applied in the order of their numbers.
        stay_together: whether the PC starts with that band, by the GM's word.
        ap: the Active Phase of this round: ``waiting``, ``active`` or ``done``.
        keep_place: whether the place is kept although the PC cannot act (Q-A7).
        doing: the current or last act, while it can be interrupted; else empty.
        spent: slots spent on that act, which an interruption loses (AP-29).
        undecided: whether the GM decides if it can be interrupted, as it completed an action of several rounds (AP-39).
        interjects: whether that was paid with Reserved Slots.
        done_in: the phase in which it was done, if that is over; else empty.
        combo_of: the PC whose Combo it finishes, or empty.
        last_harm: what it has done to its target, or None.
        interrupted: whether an NPC's act has been interrupted.
        acted_round: the Full Round of an NPC's last act (AP-05).
        last_act: the name of that act.
        work: the action of several rounds in progress, or None.
        lost: slots of this round that went unused (AP-25, AP-27).
    """

    kind: Literal["pc", "npc"] = "pc"
    agility: int = 0
    awareness: int | None = None
    place: int = 0
    home: int = 0
    from_round: int = 0
    stay: str = ""
    stay_number: int = 0
    stay_together: bool = False
    ap: Literal["waiting", "active", "done"] = "waiting"
    keep_place: bool = False
    vulnerable: bool = False
    dead: bool = False
    doing: str = ""
    spent: int = 0
    undecided: bool = False
    interjects: bool = False
    done_in: str = ""
    combo_of: str = ""
    last_harm: Harm | None = None
    interrupted: bool = False
    acted_round: int = 0
    last_act: str = ""
    work: Work | None = None
    lost: int = 0


@frozen
class Blow:
    """What an act does to its target if it hits.

    Attributes:
        damage: a number or dice, or None.
        finisher: ``execution`` or ``knockout`` of a Vulnerable target (AP-30), or empty.
        stops: the target's act that it interrupts, by `rule`, or empty.
        stops_work: whether that is an action of several rounds.
    """

    by: str
    target: str
    act: str
    damage: int | str | None = None
    finisher: str = ""
    stops: str = ""
    stops_work: bool = False
    rule: str = "AP-29"


@frozen
class PulseDice:
    """The dice of damage or healing over time, rolled at each Upkeep (AP-45); empty if the magnitude is the amount."""

    dice: str = ""


@frozen
class Problem:
    """A problem that the PCs work on together in Slow Burn (AP-49, AP-50).

    Attributes:
        needed: slots it takes; None if only the GM knows.
    """

    name: str
    needed: int | None = None
    done: int = 0

    @property
    def still_needed(self) -> int | None:
        """AP-50: slots it still needs; None if only the GM knows."""
        return None if self.needed is None else max(0, self.needed - self.done)

    @property
    def progress(self) -> str:
        """The progress in words: ``the dam 3/20``."""
        return f"{self.name} {self.done}/{self.needed}" if self.needed is not None else self.name


@frozen
class ZoneMark:
    """A mark on one place of the board, such as fire; a place has one mark of each name.

    Attributes:
        zone: the name of the place on the board.
        price: slots to enter it, beside those for the movement.
        kind: ``damage`` or ``heal`` at Upkeep on a combatant who stands there, or empty.
        amount: points at each Upkeep, a number or dice.
        left: Upkeeps left; None without a limit.
    """

    name: str
    zone: str
    price: int
    kind: str
    amount: int | str
    left: int | None

    @property
    def summary(self) -> str:
        """The mark in words: ``burning: 2 slots to enter, 3 harm at Upkeep``."""
        parts = [f"{self.price} {'slot' if self.price == 1 else 'slots'} to enter"] if self.price else []
        if self.kind:
            parts.append(f"{self.amount} {'damage' if self.kind == 'damage' else 'healing'} at Upkeep")
        parts += [f"{self.left} left"] if self.left is not None else []
        return f"{self.name}: {', '.join(parts)}" if parts else self.name


@frozen
class Encounter:
    """The record of the encounter.

    Attributes:
        locked: whether the Cycle is locked (AP-07).
        last_call: the GM's answer before the round closes: ``close``, or ``spend`` for reserves first; else empty.
        closer: the PC whose Active Phase was the last to end in this round, which closes it (AP-26); else empty.
        until: how far the GM goes on without further questions: to the end of the round (``close``), or through its
            Upkeep (``upkeep``); else empty.
        upkeep: the part of Upkeep that was done last (`upkeep.parts`); empty outside it.
        outside: what else this Upkeep resolves (AP-43), if the GM has said so beforehand.
        seen: the ids of the effects that this Upkeep has asked about.
        waived: the ids of those that the GM has waived.
        threats: ``over`` once no threat is left (AP-46).
        outro: how the encounter ends: ``all_resolve``, ``slow_burn`` or the GM's words; else empty.
        problems: the unsolved problems of Slow Burn by key, a number, in the order in which they came up.
        marks: the marks of zones by key, a number, in the order in which they came.
    """

    locked: bool = False
    last_call: Literal["", "close", "spend"] = ""
    closer: str = ""
    until: Literal["", "close", "upkeep"] = ""
    upkeep: Literal["", "outside", "items", "net", "damage", "heal", "countdown"] = ""
    outside: str = ""
    seen: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    threats: Literal["", "over"] = ""
    outro: str = ""
    problems: Mapping[str, Problem] = field(default_factory=dict)
    marks: Mapping[str, ZoneMark] = field(default_factory=dict)


def fighter_of(combatant: Combatant) -> Fighter:
    """The record of a combatant."""
    return record_of(combatant, Fighter)


def encounter_of(state: FightState) -> Encounter:
    """The record of the encounter."""
    return fight_record_of(state, Encounter)
