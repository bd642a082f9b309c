"""Reading the state: the numbers of figures, sides and phases, and the checks that all acts share."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Step
from fightcall_engine.systems.stage.records import figure_of, scene_of
from fightcall_engine.systems.stage.settings import StageSettings, settings_of

PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
PHASES = ("meeting", "missile", "move", "melee", "magic", "management")
STRIKE_PHASES = ("missile", "melee", "magic")
COVERS = ("open", "partial", "full")
HALF, CHECK, STATUS = "half", "check", "status"
"""The kinds of steps: one side's half of a phase; sneak rolls after Move; the status update after Management."""
REST_OF_HALF = 2
"""The `Step.number` of the rest of a half that the slow penalty has put back (SB-13)."""

END = "end"
"""The value of `Scene.until` for the end of the Moment."""


def free_moment(state: FightState) -> int:
    """The number of the Moment in which ambushed figures can't act; 0 for none (SB-18)."""
    remembered = scene_of(state)
    return remembered.free_moment if remembered.ambush == "sprung" else 0


def feet(combatant: Combatant, name: str) -> float | None:
    """A length in feet from the sheet."""
    value = combatant.sheet.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def beats(combatant: Combatant) -> Pool:
    """The figure's beats: left and total."""
    return combatant.pool("beats")


def total_beats(sheet: Mapping[str, Json], settings: StageSettings) -> int:
    """SB-28, SB-29: total beats: the base less armour's loss (Q-S3: a number of its own, or the DAR), at least 0."""
    loss = sheet.get("dar" if settings.armor_beats == "dar" else "armor_beat_loss")
    base = sheet.get("base_beats")
    return max(0, int(cast(int, base if base is not None else 14)) - int(cast(int, loss or 0)))


def weapons(combatant: Combatant) -> tuple[Mapping[str, Json], ...]:
    """The strikes on the sheet."""
    entries = combatant.sheet.get("strikes")
    return tuple(cast(list[Mapping[str, Json]], entries)) if isinstance(entries, list | tuple) else ()


def weapon(combatant: Combatant, kind: str) -> Mapping[str, Json] | None:
    """The first strike of this kind on the sheet, or None."""
    return next((entry for entry in weapons(combatant) if entry["kind"] == kind), None)


def weapon_called(combatant: Combatant, name: str) -> Mapping[str, Json] | None:
    """The strike with this name on the sheet, or None."""
    return next((entry for entry in weapons(combatant) if str(entry["name"]).lower() == name.lower()), None)


def is_barred_by_cover(combatant: Combatant) -> bool:
    """Whether full cover, now or as the Moment began, keeps the figure from shooting (SB-66, SB-67)."""
    record = figure_of(combatant)
    return "full" in (record.cover_at_start, record.cover)


def sneak_target(combatant: Combatant, settings: StageSettings) -> int:
    """SB-59, SB-63: the number to sneak at or under: Agility or Skullduggery, or the better of both (Q-S15)."""
    agility = sheet_int(combatant, "agility") or 10
    skill = sheet_int(combatant, "skullduggery")
    if skill is None:
        return agility
    return max(agility, skill) if settings.skullduggery_mode == "best" else skill


def sneaks_by_skill(combatant: Combatant, settings: StageSettings) -> bool:
    """SB-63, Q-S15: whether a figure sneaks by Skullduggery."""
    return sheet_int(combatant, "skullduggery") == sneak_target(combatant, settings)


def sneak_dar(combatant: Combatant) -> int:
    """The DAR added to the sneak die (SB-59), less the GM's relief (SB-64)."""
    relief = figure_of(combatant).dar_relief
    return relief if relief is not None else (sheet_int(combatant, "dar") or 0)


def prone_price(combatant: Combatant, settings: StageSettings) -> int:
    """SB-75: beats to drop prone: half of the total, rounded up, or down by the setting (Q-S16)."""
    total = beats(combatant).max
    return total // 2 if settings.prone_round == "down" else (total + 1) // 2


def rise_price(combatant: Combatant, settings: StageSettings) -> int:
    """SB-76: beats to rise: the total, or all that is left, by the setting (Q-S17)."""
    pool = beats(combatant)
    return pool.max if settings.rise_needs_full else pool.now


def is_ambushed(state: FightState, combatant: Combatant) -> bool:
    """Whether the figure's side can't act in this Moment because of an ambush (SB-18)."""
    return is_side_ambushed(state, combatant.side)


def is_side_ambushed(state: FightState, side: str) -> bool:
    """Whether only the other side acts in this Moment (SB-18), unless the setting drops free Moments (Q-S6)."""
    is_free = 0 < state.round == free_moment(state) and side != scene_of(state).ambush_by
    return is_free and settings_of(state).ambush_free_moment


def has_managed(state: FightState, combatant: Combatant) -> bool:
    """Whether a figure has done its business in this Management, even before a slow penalty (SB-13, SB-26)."""
    if state.phase != "management":
        return False
    return combatant.id in state.agenda.acted or combatant.id in scene_of(state).managed


def other_side(side: str) -> str:
    """The opposing side."""
    return FOE if side == PARTY else PARTY


def third_sides(state: FightState) -> tuple[str, ...]:
    """The sides that the GM has named besides the two of the text: each has a half of its own after theirs."""
    return tuple(dict.fromkeys(each.side for each in state.roster if each.side not in SIDES))


def coming_lead(state: FightState) -> str:
    """The side that leads the next Moment: the party, or one that has sprung an ambush before it (SB-06, SB-14)."""
    return scene_of(state).ambush_by if free_moment(state) == state.round + 1 else PARTY


def with_lead(steps: tuple[Step, ...], start: int, side: str) -> tuple[Step, ...]:
    """SB-06: the agenda with one of the two sides first in every phase of which both halves are still to come.

    They are to come if they are at `start` or later.
    """
    ordered = list(steps)
    for at in range(start, len(ordered) - 1):
        first, second = ordered[at : at + 2]
        if first.kind == second.kind == HALF and first.phase == second.phase and second.side == side:
            ordered[at : at + 2] = [second, first]
    return tuple(ordered)


def leading_side(state: FightState) -> str:
    """The side that goes first in the running phase (SB-06, SB-13); between Moments, that of the last one."""
    halves = (step.side for step in state.agenda.steps if step.kind == HALF and step.phase == state.phase)
    return next(halves, scene_of(state).lead_side)


def side_able(state: FightState, side: str) -> tuple[Combatant, ...]:
    """The able figures of a side, in order."""
    combatants = map(state.combatants.get, state.order)
    return tuple([each for each in combatants if each is not None and each.side == side and each.able])


def able_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """The first checks of every act: the figure is able, and not ambushed."""
    return (
        Check(combatant.able, "SB-37", f"{combatant.name} can't act", ("an able figure",)),
        Check(
            not is_ambushed(state, combatant),
            "SB-18",
            f"{combatant.name} is ambushed and can't act this Moment",
            ("the next Moment",),
        ),
    )


def perception_check(state: FightState) -> Check:
    """SB-15: everybody waits until it is known whether the ambush is noticed."""
    prompt = state.prompt("perception")
    accepts = answers_to(prompt) if prompt is not None else ()
    return Check(prompt is None, "SB-15", "the ambush needs a Perception check first", accepts, is_turn=True)


def phase_check(state: FightState, phases: tuple[str, ...], rule: str, what: str) -> Check:
    """The check that the running phase is one of these."""
    step: Step | None = state.step
    titles = " or ".join(phase.title() for phase in phases)
    now = f"this is {step.phase.title()}" if step else "no Moment is running"
    holds = step is not None and step.phase in phases and step.kind == HALF
    accepts = tuple(f"the {phase.title()} phase" for phase in phases)
    return Check(holds, rule, f"{what} is only possible in {titles}; {now}", accepts, is_turn=True)


def half_check(state: FightState, combatant: Combatant) -> Check:
    """SB-06: the check that it is the half of the figure's side."""
    step: Step | None = state.step
    whose = f"it is the {step.side}'s half" if step and step.side else "no half is running"
    is_own_half = step is not None and step.kind == HALF and step.side == combatant.side
    return Check(is_own_half, "SB-06", whose, (f"the {combatant.side}'s half",), is_turn=True)


def turn_checks(
    state: FightState, combatant: Combatant, phases: tuple[str, ...], rule: str, what: str, *own: Check
) -> tuple[Check, ...]:
    """The checks of every act: an able figure, not ambushed, in the right phase and its side's half; no ambush waits.

    `own` are the act's further checks on the figure. They come before the check of the half, as they still hold in a
    later half.
    """
    return (
        *able_checks(state, combatant),
        phase_check(state, phases, rule, what),
        *own,
        perception_check(state),
        half_check(state, combatant),
    )
