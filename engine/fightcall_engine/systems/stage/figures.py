"""Reading a figure: its traits, its numbers, and what stands in its way. Pure questions about a state."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.kit.remembered import Remembered
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar, Step

PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
PHASES = ("meeting", "missile", "move", "melee", "magic", "management")
STRIKE_PHASES = ("missile", "melee", "magic")
COVERS = ("open", "partial", "full")

TRAITS: Mapping[str, Scalar] = {
    "posture": "standing",
    "cover": "open",
    "cover_at_start": "open",
    "plain_view": True,
    "sneaking": False,
    "strike": "none",
    "halted": "",
    "business": "",
    "quick": False,
    "dar_relief": None,
    "sneak_bonus": 0,
    "cover_mod": None,
}

ACCEPTED: Mapping[str, tuple[str, ...]] = {
    "posture": ("standing", "prone"),
    "cover": COVERS,
    "cover_at_start": COVERS,
    "strike": ("none", "missile", "melee", "magic"),
    "lead_side": SIDES,
    "ambush": ("none", "laid", "sprung", "foiled"),
    "talk": ("none", "attempted", "granted", "denied"),
}
"""What is always one of a few words."""

FACTS: Mapping[str, Scalar] = {
    "lead_side": PARTY,
    "ambush": "none",
    "ambush_by": "",
    "free_moment": 0,
    "talk": "none",
    "talked": "",
    "losses": "",
    "party_order": "free",
    "melee_pairs": "",
    "cover_mod": None,
    "until": "",
    "managed": "",
    "hex_ft": None,
}

_REMEMBERED = Remembered(FACTS, TRAITS)
fact = _REMEMBERED.fact
text_fact = _REMEMBERED.text_fact
trait = _REMEMBERED.trait
text_trait = _REMEMBERED.text_trait


def free_moment(state: FightState) -> int:
    """The number of the Moment in which ambushed figures cannot answer, 0 for none (SB-18)."""
    if fact(state, "ambush") != "sprung":
        return 0
    return int(cast(int, fact(state, "free_moment")))


def number(combatant: Combatant, name: str) -> int | None:
    """A whole number from the sheet, None where the sheet has none."""
    value = combatant.sheet.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def feet(combatant: Combatant, name: str) -> float | None:
    """A length from the sheet."""
    value = combatant.sheet.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def beats(combatant: Combatant) -> Pool:
    """The figure's beats: left and total."""
    return combatant.pool("beats")


def total_beats(sheet: Mapping[str, Json], settings: Mapping[str, Scalar]) -> int:
    """SB-28, SB-29: base less what the armour takes, never below 0 (Q-S3: a number of its own, or the DAR)."""
    loss = sheet.get("dar" if settings.get("armor_beats") == "dar" else "armor_beat_loss")
    base = sheet.get("base_beats")
    return max(0, int(cast(int, base if base is not None else 14)) - int(cast(int, loss or 0)))


def weapons(combatant: Combatant) -> tuple[Mapping[str, Json], ...]:
    """The strikes the sheet lists."""
    listed = combatant.sheet.get("strikes")
    return tuple(cast(list[Mapping[str, Json]], listed)) if isinstance(listed, list | tuple) else ()


def weapon(combatant: Combatant, kind: str) -> Mapping[str, Json] | None:
    """The first strike of this kind that the sheet lists; None where it lists none."""
    return next((entry for entry in weapons(combatant) if entry["kind"] == kind), None)


def weapon_called(combatant: Combatant, name: str) -> Mapping[str, Json] | None:
    """The strike that the sheet lists under this name; None where it lists none so called."""
    return next((entry for entry in weapons(combatant) if str(entry["name"]).lower() == name.lower()), None)


def sneak_target(combatant: Combatant, settings: Mapping[str, Scalar]) -> int:
    """SB-59, SB-63: Agility, or Skullduggery in its place (or the better of the two, Q-S15)."""
    agility = number(combatant, "agility") or 10
    skill = number(combatant, "skullduggery")
    if skill is None:
        return agility
    return max(agility, skill) if settings.get("skullduggery_mode") == "best" else skill


def sneak_dar(combatant: Combatant) -> int:
    """The DAR added to the sneak die (SB-59), less the GM's relief (SB-64)."""
    relief = trait(combatant, "dar_relief")
    return int(relief) if isinstance(relief, int) else (number(combatant, "dar") or 0)


def sneak_bonus(combatant: Combatant) -> int:
    """What the GM, against SB-62, takes off the sneak die in this Moment."""
    bonus = trait(combatant, "sneak_bonus")
    return bonus if isinstance(bonus, int) else 0


def prone_price(combatant: Combatant, settings: Mapping[str, Scalar]) -> int:
    """SB-75: half of all beats; an odd half goes up, or down by the setting (Q-S16)."""
    total = beats(combatant).max
    return total // 2 if settings.get("prone_round") == "down" else (total + 1) // 2


def rise_price(combatant: Combatant, settings: Mapping[str, Scalar]) -> int:
    """SB-76: all of the total; or all that is left, by the setting (Q-S17)."""
    pool = beats(combatant)
    return pool.max if settings.get("rise_needs_full", True) else pool.now


def is_ambushed(state: FightState, combatant: Combatant) -> bool:
    """True where the figure's side cannot answer in this Moment (SB-18)."""
    return is_side_ambushed(state, combatant.side)


def is_side_ambushed(state: FightState, side: str) -> bool:
    """True where this Moment is free for the other side (SB-18, unless the setting drops the free Moment: Q-S6)."""
    free = state.round > 0 and free_moment(state) == state.round and side != text_fact(state, "ambush_by")
    return free and state.settings.get("ambush_free_moment", True) is True


def has_managed(state: FightState, combatant: Combatant) -> bool:
    """True where a figure has done its business of this Management, also before a slow penalty (SB-13, SB-26)."""
    if state.phase != "management":
        return False
    return combatant.id in state.agenda.acted or combatant.id in text_fact(state, "managed").split()


def other_side(side: str) -> str:
    """The opposing side."""
    return FOE if side == PARTY else PARTY


def side_able(state: FightState, side: str) -> tuple[Combatant, ...]:
    """The able figures of a side, in order."""
    found = (state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)
    return tuple(combatant for combatant in found if combatant.side == side and combatant.able)


def able_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """What every act needs first: an able figure, and no ambush that it cannot answer."""
    return (
        Check(combatant.able, "SB-37", f"{combatant.name} cannot act", ("an able figure",)),
        Check(
            not is_ambushed(state, combatant),
            "SB-18",
            f"{combatant.name} is ambushed and cannot answer in this Moment",
            ("the next Moment",),
        ),
    )


def perception_check(state: FightState) -> Check:
    """SB-15: nobody goes on in Meeting before it is known whether the ambush that is laid is noticed."""
    prompt = state.prompt("perception")
    accepts = answers_to(prompt) if prompt is not None else ()
    return Check(prompt is None, "SB-15", "the ambush waits for a Perception check", accepts)


def phase_check(state: FightState, phases: tuple[str, ...], rule: str, what: str) -> Check:
    """What is done belongs to these phases."""
    step: Step | None = state.step
    titles = " or ".join(phase.title() for phase in phases)
    now = f"this is {step.phase.title()}" if step else "no Moment is running"
    holds = step is not None and step.phase in phases and step.kind == "half"
    accepts = tuple(f"the {phase.title()} phase" for phase in phases)
    return Check(holds, rule, f"{what} belongs to {titles}; {now}", accepts)


def half_check(state: FightState, combatant: Combatant) -> Check:
    """SB-06: a figure acts in its own side's half."""
    step: Step | None = state.step
    whose = f"it is the {step.side}'s half" if step and step.side else "no half is running"
    mine = step is not None and step.kind == "half" and step.side == combatant.side
    return Check(mine, "SB-06", whose, (f"the {combatant.side}'s half",))


def turn_checks(
    state: FightState, combatant: Combatant, phases: tuple[str, ...], rule: str, what: str, *own: Check
) -> tuple[Check, ...]:
    """What every act needs: an able figure, no ambush against it, the right phase and its side's half.

    `own` is what the figure itself lacks for the act. It goes before the question whose half it is, because it still
    stands when that is answered.
    """
    return (*able_checks(state, combatant), phase_check(state, phases, rule, what), *own, half_check(state, combatant))
