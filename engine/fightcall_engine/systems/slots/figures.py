"""Reading a combatant and the fight: kinds, slots, abilities, actions in progress. Pure questions about a state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.kit.remembered import Remembered
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar

PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
PC, NPC = "pc", "npc"
WAITING, ACTIVE, DONE = "waiting", "active", "done"
SLOTS, RESERVED = "slots", "reserved"
BASE_SLOTS = 5
ROUND_SECONDS = 5
ROUND_PHASES = ("active", "final", "slow_burn")
DAMAGE, HEAL, SLOT_MOD = "damage", "heal", "slots"
EFFECT_KINDS = (DAMAGE, HEAL, SLOT_MOD, "buff", "debuff", "other")
OF_AN_ACT = ("reserved", "interrupt", "shared", "range")
"""The questions on which an act waits that is not paid yet."""
UPKEEP_TICK, NEVER = "upkeep", "never"
PHASE_START, PHASE_END = "active_start", "active_end"
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": "round_end"},
    "own": {"start": PHASE_START, "end": PHASE_END},
}
"""AP-44 counts at Upkeep; an Effect's own wording may count by the Active Phases of a PC."""

TRAITS: Mapping[str, Scalar] = {
    "kind": PC,
    "agility": None,
    "awareness": None,
    "place": 0,
    "home": 0,
    "from_round": 0,
    "stay": "",
    "stay_number": 0,
    "stay_together": False,
    "ap": WAITING,
    "keep_place": False,
    "vulnerable": False,
    "dead": False,
    "doing": "",
    "interjects": False,
    "done_in": "",
    "combo_of": "",
    "struck": "",
    "struck_with": "",
    "struck_for": 0,
    "struck_down": False,
    "interrupted": False,
    "acted_round": 0,
    "last_act": "",
    "action": "",
    "action_needed": 0,
    "action_paid": 0,
    "action_round": 0,
    "action_begun": 0,
    "action_roll": None,
    "action_breakable": None,
    "action_target": "",
    "action_damage": None,
    "lost": 0,
}

LASTING_TRAITS = ("kind", "agility", "awareness", "dead", "acted_round", "last_act")
"""What is still true of somebody when the Cycle is left: who they are, whether they live, what they rolled and did."""

ACCEPTED: Mapping[str, tuple[str, ...]] = {"kind": (PC, NPC), "ap": (WAITING, ACTIVE, DONE)}
"""What is always one of a few words."""

FACTS: Mapping[str, Scalar] = {
    "locked": False,
    "last_call": "",
    "until": "",
    "upkeep": "",
    "outside": "",
    "waived": "",
    "seen": "",
    "threats": "",
    "outro": "",
    "issue": "",
    "issue_needed": None,
    "issue_done": 0,
}

LASTING_FACTS = ("threats", "outro")
"""What is still true of the fight when the Cycle is left: that the threats are over, and how it wound down."""

_REMEMBERED = Remembered(FACTS, TRAITS)
fact = _REMEMBERED.fact
text_fact = _REMEMBERED.text_fact
number_fact = _REMEMBERED.number_fact
trait = _REMEMBERED.trait
text_trait = _REMEMBERED.text_trait
number_trait = _REMEMBERED.number_trait


@dataclass(frozen=True, slots=True)
class Ability:
    """What slots buy: one of the sheet's abilities, or an act with a price that the GM has typed in.

    Attributes:
        listed: it stands on the sheet; otherwise the GM is asked what its text would say.
        typed: the GM has typed its price, which counts at any time; the Final Phase takes it four times.
    """

    name: str
    cost: int
    cost_reserved: int | None = None
    cost_final: int | None = None
    reserved_ok: bool = False
    init_only: bool = False
    interrupts: tuple[str, ...] = ()
    multi_round: bool = False
    interruptible: bool | None = None
    roll: str = ""
    partners: int = 0
    partner_cost: int = 1
    range: int | None = None
    finisher: str = ""
    damage: int | str | None = None
    listed: bool = False
    typed: bool = False

    @property
    def from_reserve(self) -> bool:
        """AP-20: its text clearly allows Reserved Slots, by saying so or by stating their price."""
        return self.reserved_ok or self.cost_reserved is not None

    @property
    def can_harm(self) -> bool:
        """AP-30: its text says what it does to somebody."""
        return self.damage is not None or bool(self.finisher)

    @property
    def is_usable_from_reserve(self) -> bool:
        """AP-08, AP-20, AP-33: it may be paid from reserve by one who does it alone, in a Full Round."""
        return self.from_reserve and not self.init_only and not self.partners


# Facts and traits


def set_fact(state: FightState, name: str, value: Scalar) -> ev.FactChanged:
    """The event that changes a fact."""
    return ev.FactChanged(fact=name, before=fact(state, name), value=value)


def set_trait(combatant: Combatant, name: str, value: Scalar) -> ev.TraitChanged:
    """The event that changes a trait."""
    return ev.TraitChanged(who=combatant.id, trait=name, before=trait(combatant, name), value=value)


def reset(people: Iterable[Combatant], name: str, value: Scalar) -> tuple[ev.Event, ...]:
    """The event that sets one trait alike, for those who have it otherwise."""
    stale = tuple(combatant.id for combatant in people if trait(combatant, name) != value)
    return (ev.TraitsReset(figures=stale, trait=name, value=value),) if stale else ()


# Who


def in_order(state: FightState) -> tuple[Combatant, ...]:
    """Everybody, in the order of the roster."""
    return tuple(state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)


def is_pc(combatant: Combatant) -> bool:
    """AP-04: only PCs stand in the Cycle and have slots."""
    return text_trait(combatant, "kind") == PC


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """True for a PC who can act, and in this round for one who has: it has Active Phases."""
    combatant = state.combatants[combatant_id]
    return is_pc(combatant) and (combatant.able or text_trait(combatant, "ap") != WAITING)


def pcs(state: FightState) -> tuple[Combatant, ...]:
    """The PCs, in the order of the roster."""
    return tuple(combatant for combatant in in_order(state) if is_pc(combatant))


def npcs(state: FightState) -> tuple[Combatant, ...]:
    """Everybody else."""
    return tuple(combatant for combatant in in_order(state) if not is_pc(combatant))


def is_active(combatant: Combatant) -> bool:
    """True in one's own Active Phase."""
    return is_pc(combatant) and text_trait(combatant, "ap") == ACTIVE


def in_round(state: FightState, combatant: Combatant) -> bool:
    """True where a PC has an Active Phase in this round: able, or its place is kept (Q-A7); newcomers later (Q-A26)."""
    here = combatant.able or trait(combatant, "keep_place") is True
    return (
        is_pc(combatant)
        and here
        and number_trait(combatant, "place") > 0
        and number_trait(combatant, "from_round") <= state.round
    )


def awaits_phase(state: FightState, combatant: Combatant) -> bool:
    """True for a PC whose Active Phase of this round is still to come."""
    return in_round(state, combatant) and text_trait(combatant, "ap") == WAITING


def actives(state: FightState) -> tuple[Combatant, ...]:
    """The PCs whose Active Phase it is."""
    return tuple(combatant for combatant in pcs(state) if is_active(combatant))


def holders(state: FightState) -> tuple[Combatant, ...]:
    """The PCs with Reserved Slots."""
    return tuple(combatant for combatant in pcs(state) if combatant.pool(RESERVED).now > 0)


# Slots


def number(combatant: Combatant, name: str) -> int | None:
    """A whole number from the sheet, None where the sheet has none."""
    value = combatant.sheet.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def agility(combatant: Combatant) -> int:
    """AP-12: the signed modifier as it is now, which is the sheet's until it changes."""
    now = trait(combatant, "agility")
    return int(now) if isinstance(now, int | float) else number(combatant, "agility") or 0


def slot_mods(sheet: Mapping[str, Json]) -> dict[str, int]:
    """AP-13: what the sheet adds to the slots for good, by source; what has its time is an effect."""
    found: dict[str, int] = {}
    for entry in cast(list[Mapping[str, Json]], sheet.get("slot_mods") or []):
        if entry.get("rounds") is not None:
            continue
        found[str(entry["source"])] = found.get(str(entry["source"]), 0) + int(cast(int, entry["amount"]))
    return found


def modifiers(combatant: Combatant) -> dict[str, int]:
    """AP-13: everything that changes the slots a PC gains, gear and effects, by source."""
    found = slot_mods(combatant.sheet)
    for effect in combatant.effects:
        if effect.kind == SLOT_MOD:
            found[effect.name] = found.get(effect.name, 0) + effect.magnitude
    return found


def slots_per_round(combatant: Combatant, settings: Mapping[str, Scalar]) -> int:
    """AP-12, AP-13: 5 and Agility and every modifier, never below the floor (Q-A6)."""
    floor = settings.get("slot_floor", 0)
    least = floor if isinstance(floor, int) else 0
    return max(least, 0, BASE_SLOTS + agility(combatant) + sum(modifiers(combatant).values()))


def slots(combatant: Combatant) -> Pool:
    """Action Slots."""
    return combatant.pool(SLOTS)


def reserve(combatant: Combatant) -> Pool:
    """Reserved Slots."""
    return combatant.pool(RESERVED)


# Phases


def phase_is(state: FightState, *phases: str) -> bool:
    """True while one of these phases runs."""
    return state.phase in phases


def is_final(state: FightState) -> bool:
    """True during the Final Phase (AP-22)."""
    return state.phase == "final"


def is_vulnerable(combatant: Combatant) -> bool:
    """AP-30: True for whom Executions and Knockouts are meant; the GM says who that is."""
    return trait(combatant, "vulnerable") is True


def slow_burning(state: FightState) -> bool:
    """True once Slow Burn has been chosen (AP-48)."""
    return text_fact(state, "outro") == "slow_burn"


def is_locked(state: FightState) -> bool:
    """True once the Cycle is locked (AP-07)."""
    return fact(state, "locked") is True


# Abilities


def abilities(combatant: Combatant) -> tuple[Ability, ...]:
    """What the sheet lists."""
    listed = combatant.sheet.get("abilities")
    entries = cast(list[Mapping[str, Json]], listed) if isinstance(listed, list | tuple) else []
    return tuple(_ability(entry) for entry in entries)


def _ability(entry: Mapping[str, Json]) -> Ability:
    combo = cast(Mapping[str, Json], entry.get("combo") or {})
    return Ability(
        name=str(entry["name"]),
        cost=cast(int, entry["cost"]),
        cost_reserved=cast(int | None, entry.get("cost_reserved")),
        cost_final=cast(int | None, entry.get("cost_final")),
        reserved_ok=entry.get("reserved_ok") is True,
        init_only=entry.get("init_only") is True,
        interrupts=tuple(cast(list[str], entry.get("interrupts") or [])),
        multi_round=entry.get("multi_round") is True,
        interruptible=cast(bool | None, entry.get("interruptible")),
        roll=str(entry.get("roll") or ""),
        partners=cast(int, combo.get("partners", 0)),
        partner_cost=cast(int, combo.get("partner_cost", 1)),
        range=cast(int | None, combo.get("range")),
        finisher=str(entry.get("finisher") or ""),
        damage=cast(int | str | None, entry.get("damage")),
        listed=True,
    )


def find_ability(combatant: Combatant, name: str) -> Ability | None:
    """The ability of this name on the sheet."""
    return next((entry for entry in abilities(combatant) if entry.name.lower() == name.strip().lower()), None)


def ability_for(combatant: Combatant, name: str, cost: int | None) -> Ability:
    """The sheet's ability, or an act that is not on it, with the price the GM has typed in.

    A typed price takes the place of the sheet's; that its text allows Reserved Slots (AP-20) stays as it is.

    Raises:
        Refused: neither a known ability nor a price.
    """
    if cost is not None and cost < 0:
        raise Refused("AP-21", f"{cost} slots", ("0 or more",), final=True)
    found = find_ability(combatant, name)
    if found is not None and cost is None:
        return found
    if cost is None:
        names = tuple(entry.name for entry in abilities(combatant))
        what = f"{combatant.name} has no ability {name!r}" if name else "which ability?"
        raise Refused("AP-21", what, (*names, "any name with its cost"), final=True)
    if found is not None:
        allowed = found.from_reserve
        return replace(found, cost=cost, cost_reserved=None, cost_final=None, reserved_ok=allowed, typed=True)
    return Ability(name.strip() or "an action", cost, typed=True)


# What stands in the way of acting at all


def pc_check(combatant: Combatant) -> Check:
    """AP-04: only PCs have Active Phases."""
    return Check(is_pc(combatant), "AP-04", f"{combatant.name} is no PC and has no slots", ("npc",))


def pc_checks(combatant: Combatant) -> tuple[Check, ...]:
    """Only an able PC spends slots."""
    return (pc_check(combatant), Check(combatant.able, "AP-16", f"{combatant.name} cannot act", ("an able PC",)))


def settled_check(state: FightState) -> Check:
    """One act after the other: what the GM has still to say of the last one comes first."""
    pending = next((prompt for prompt in state.prompts if prompt.kind in OF_AN_ACT), None)
    if pending is None:
        return Check(True, "", "")
    answers = answers_to(pending)
    return Check(False, pending.rule, f"answer first: {pending.question}", answers)


def phase_check(combatant: Combatant, rule: str) -> Check:
    """AP-14: a PC's own Active Phase runs."""
    kept = reserve(combatant).now
    if text_trait(combatant, "ap") == DONE:
        why = f"{combatant.name}'s Active Phase is over" + (f"; {kept} in reserve" if kept else "")
        accepts = ("react",) if kept else ("the next Full Round",)
    else:
        why = f"{combatant.name}'s Active Phase has not begun"
        accepts = ("its own Active Phase",)
    return Check(is_active(combatant), rule, why, accepts)


def active_checks(state: FightState, combatant: Combatant, rule: str = "AP-14") -> tuple[Check, ...]:
    """An able PC in its own Active Phase."""
    return (*pc_checks(combatant), phase_check(combatant, rule), settled_check(state))
