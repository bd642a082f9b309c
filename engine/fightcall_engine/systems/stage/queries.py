"""The state of figures and of the scene: their records, their numbers, and the checks that all acts share."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.kit.records import fight_record_of, record_of, sheet_int
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Step
from fightcall_engine.model.values import frozen
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


Posture = Literal["standing", "prone"]
Cover = Literal["open", "partial", "full"]
StrikeKind = Literal["none", "missile", "melee", "magic"]


@frozen
class Work:
    """The progress of a long business (SB-25).

    Attributes:
        done: Management phases worked on it.
        needed: Management phases that it takes.
        moment: the number of the Moment in which it was worked on last.
    """

    done: int = 0
    needed: int = 1
    moment: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it is not finished."""
        return self.done < self.needed


@frozen
class Figure:
    """The record of a figure.

    Attributes:
        cover_at_start: the cover in which it began this Moment (SB-67).
        plain_view: whether it can be seen, and so cannot sneak (SB-57).
        sneaking: whether it has spent beats on sneaking in this Move, and has yet to roll (SB-58).
        strike: the kind of strike that it has used in this Moment (SB-34).
        halted: the id of the enemy whose contact stopped it in this Moment, or empty (SB-47).
        business: the name of what it last worked on in this Moment, or empty.
        quick: whether its business leaves room for another in the same phase (SB-26).
        dar_relief: its DAR when sneaking, by the GM's word; None for that of the sheet (SB-64).
        sneak_bonus: a bonus to its sneak roll in this Moment, which the GM has forced against SB-62.
        cover_mod: what its partial cover adds to a missile die, by the GM's word (SB-70).
        works: the long business it has worked on, finished or not, by name.
    """

    posture: Posture = "standing"
    cover: Cover = "open"
    cover_at_start: Cover = "open"
    plain_view: bool = True
    sneaking: bool = False
    strike: StrikeKind = "none"
    halted: str = ""
    business: str = ""
    quick: bool = False
    dar_relief: int | None = None
    sneak_bonus: int = 0
    cover_mod: int | None = None
    works: Mapping[str, Work] = field(default_factory=dict)

    @property
    def open_works(self) -> Mapping[str, Work]:
        """The figure's unfinished business, by name."""
        return {name: work for name, work in self.works.items() if work.is_open}


@frozen
class Scene:
    """The record of the fight.

    Attributes:
        lead_side: the side that goes first in each phase of this Moment (SB-06).
        ambush_by: the side of the ambush, laid or sprung.
        free_moment: the number of the Moment in which only the ambushers act; 0 for none (SB-18).
        talk: whether there are talks in this Meeting (SB-41).
        talked: the sides that have talked in this Meeting (SB-21).
        crept: the ids of those who have crept in this Meeting, which ends once one of them is noticed (SB-43).
        losses: the sides of those who fell in the running half, one entry each (SB-38).
        party_order: how the party is ordered (SB-11).
        melee_pairs: the ids of those in contact as the running half of Melee began, in pairs (SB-50).
        cover_mod: what partial cover adds to the next missile die, by the GM's word (SB-70).
        until: the phase before which every half closes, or `END`, by the GM's word (SB-10).
        managed: the ids of those who did business before the slow penalty put their half back (SB-13, SB-26).
        hex_ft: feet to a hex, by the GM's word; None for the board's, or the setting (SB-02).
        prices: beats for unlisted pieces of movement, by their names in lower case (SB-78).
    """

    lead_side: Literal["party", "foe"] = "party"
    ambush: Literal["none", "laid", "sprung", "foiled"] = "none"
    ambush_by: str = ""
    free_moment: int = 0
    talk: Literal["none", "attempted", "granted", "denied"] = "none"
    talked: tuple[str, ...] = ()
    crept: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    party_order: str = "free"
    melee_pairs: tuple[tuple[str, str], ...] = ()
    cover_mod: int | None = None
    until: str = ""
    managed: tuple[str, ...] = ()
    hex_ft: float | None = None
    prices: Mapping[str, int] = field(default_factory=dict)


def figure(combatant: Combatant) -> Figure:
    """The record of a figure."""
    return record_of(combatant, Figure)


def scene(state: FightState) -> Scene:
    """The record of the fight."""
    return fight_record_of(state, Scene)


def free_moment(state: FightState) -> int:
    """The number of the Moment in which ambushed figures cannot act; 0 for none (SB-18)."""
    remembered = scene(state)
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
    record = figure(combatant)
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
    relief = figure(combatant).dar_relief
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
    """Whether the figure's side cannot act in this Moment because of an ambush (SB-18)."""
    return is_side_ambushed(state, combatant.side)


def is_side_ambushed(state: FightState, side: str) -> bool:
    """Whether only the other side acts in this Moment (SB-18), unless the setting drops free Moments (Q-S6)."""
    is_free = 0 < state.round == free_moment(state) and side != scene(state).ambush_by
    return is_free and settings_of(state).ambush_free_moment


def has_managed(state: FightState, combatant: Combatant) -> bool:
    """Whether a figure has done its business in this Management, even before a slow penalty (SB-13, SB-26)."""
    if state.phase != "management":
        return False
    return combatant.id in state.agenda.acted or combatant.id in scene(state).managed


def other_side(side: str) -> str:
    """The opposing side."""
    return FOE if side == PARTY else PARTY


def coming_lead(state: FightState) -> str:
    """The side that leads the next Moment: the party, or one that has sprung an ambush before it (SB-06, SB-14)."""
    return scene(state).ambush_by if free_moment(state) == state.round + 1 else PARTY


def with_lead(steps: tuple[Step, ...], start: int, side: str) -> tuple[Step, ...]:
    """SB-06: the agenda with a side going first in every phase of which both halves come at `start` or later."""
    ordered = list(steps)
    for at in range(start, len(ordered) - 1):
        first, second = ordered[at : at + 2]
        if first.kind == second.kind == HALF and first.phase == second.phase and first.side != side:
            ordered[at : at + 2] = [second, first]
    return tuple(ordered)


def leading_side(state: FightState) -> str:
    """The side that goes first in the running phase (SB-06, SB-13); between Moments, that of the last one."""
    halves = (step.side for step in state.agenda.steps if step.kind == HALF and step.phase == state.phase)
    return next(halves, scene(state).lead_side)


def side_able(state: FightState, side: str) -> tuple[Combatant, ...]:
    """The able figures of a side, in order."""
    combatants = map(state.combatants.get, state.order)
    return tuple([each for each in combatants if each is not None and each.side == side and each.able])


def able_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """The first checks of every act: the figure is able, and not ambushed."""
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
    """SB-15: Meeting waits until it is known whether the ambush is noticed."""
    prompt = state.prompt("perception")
    accepts = answers_to(prompt) if prompt is not None else ()
    return Check(prompt is None, "SB-15", "the ambush waits for a Perception check", accepts)


def phase_check(state: FightState, phases: tuple[str, ...], rule: str, what: str) -> Check:
    """The check that the running phase is one of these."""
    step: Step | None = state.step
    titles = " or ".join(phase.title() for phase in phases)
    now = f"this is {step.phase.title()}" if step else "no Moment is running"
    holds = step is not None and step.phase in phases and step.kind == HALF
    accepts = tuple(f"the {phase.title()} phase" for phase in phases)
    return Check(holds, rule, f"{what} belongs to {titles}; {now}", accepts)


def half_check(state: FightState, combatant: Combatant) -> Check:
    """SB-06: the check that it is the half of the figure's side."""
    step: Step | None = state.step
    whose = f"it is the {step.side}'s half" if step and step.side else "no half is running"
    mine = step is not None and step.kind == HALF and step.side == combatant.side
    return Check(mine, "SB-06", whose, (f"the {combatant.side}'s half",))


def turn_checks(
    state: FightState, combatant: Combatant, phases: tuple[str, ...], rule: str, what: str, *own: Check
) -> tuple[Check, ...]:
    """The checks of every act: an able figure, not ambushed, in the right phase and its side's half.

    `own` are the act's further checks on the figure. They come before the check of the half, as they still hold in a
    later half.
    """
    return (*able_checks(state, combatant), phase_check(state, phases, rule, what), *own, half_check(state, combatant))
