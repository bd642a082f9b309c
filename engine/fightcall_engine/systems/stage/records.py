"""The settings and records of Stage Moments, and reading a fight."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, cast

from fightcall_engine.kit.decision import DiceMode, answers_to, dice_field
from fightcall_engine.kit.records import (
    describe_settings,
    fight_record_of,
    read_settings,
    record_reader,
    setting,
    sheet_entries,
    sheet_int,
)
from fightcall_engine.kit.views import Check, Words
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar, Step
from fightcall_engine.model.values import frozen

Posture = Literal["standing", "prone"]
Cover = Literal["open", "partial", "full"]
StrikeKind = Literal["none", "missile", "melee", "magic"]
PHASES = ("meeting", "missile", "move", "melee", "magic", "management")
STRIKE_PHASES = ("missile", "melee", "magic")
COVERS = ("open", "partial", "full")
REST_OF_HALF = 2
"""The `Step.number` of the rest of a half that the slow penalty has put back (SB-13)."""

END = "end"
"""The value of `Scene.until` for the end of the Moment."""


@frozen
class StageSettings:
    """The settings that a table chooses."""

    phase_labels: Literal["set1", "set2"] = setting(
        "set1",
        "Names of the first and last phase: Meeting and Management, or Contact and Administration",
        "Q-S1",
        title="phase names",
        words=("Meeting", "Contact"),
    )
    dice: DiceMode = dice_field()
    hex_ft: float = setting(
        5.0, "Feet per hex without a board", "SB-02", least=0.1, title="feet per hex without a board"
    )
    moment_seconds: int = setting(60, "Seconds of game time per Moment", "SB-04", least=0)
    decision_seconds: int = setting(
        60, "Seconds on the decision clock before the slow penalty is offered", "SB-13", least=0
    )
    slow_penalty: Literal["phase", "moment"] = setting(
        "phase",
        "What the slow penalty costs: going first in this phase, or for the rest of the Moment",
        "Q-S11",
        words=("this phase", "the Moment"),
    )
    agility_order: Literal["margin", "high"] = setting(
        "margin",
        "How Agility sets the order: margin under Agility, or d20 + Agility",
        "Q-S2",
        words=("under Agility", "d20 + Agility"),
    )
    ambush_free_moment: bool = setting(
        True, "A sprung ambush gives a free Moment (otherwise the ambushers just go first)", "Q-S6"
    )
    armor_beats: Literal["entered", "dar"] = setting(
        "entered",
        "Beats lost to armour: a separate number, or the DAR",
        "Q-S3",
        title="beats of armour",
        words=("separate number", "the DAR"),
    )
    strike_beat_cost: int = setting(0, "Beats a strike costs", "Q-S10", least=0)
    strike_roll: Literal["low", "high"] = setting(
        "low",
        "A strike hits when the roll is at or under its number, or at or over it",
        "Q-S9",
        words=("at or under", "at or over"),
    )
    skip_unlisted: bool = setting(
        False,
        "Skip Missile, Melee and Magic for figures whose sheet lists no attack for that phase, and Melee for figures"
        " not in contact",
        "SB-08",
    )
    partial_cover_mod: int = setting(
        1, "Added to the shooter's die when the target has partial cover", "Q-S9", title="partial cover"
    )
    contact_stop: Literal["hexes_only", "everything"] = setting(
        "hexes_only", "What contact stops: further hexes, or every act in Move", "Q-S8"
    )
    meeting_sneak: Literal["pays_from_pool", "free"] = setting(
        "pays_from_pool", "Creeping in Meeting costs beats from this Moment (otherwise it's free)", "Q-S7"
    )
    skullduggery_mode: Literal["replace", "best"] = setting(
        "replace",
        "For sneaking, use Skullduggery instead of Agility, or the better of the two",
        "Q-S15",
        title="skullduggery",
        words=("instead of Agility", "the better one"),
    )
    prone_round: Literal["up", "down"] = setting("up", "How to round half of an odd total of beats", "Q-S16")
    rise_needs_full: bool = setting(True, "Standing up needs all beats (otherwise, all remaining beats)", "Q-S17")
    business_break: Literal["keep_progress", "reset"] = setting(
        "keep_progress", "Interrupted long business keeps its progress (otherwise it starts over)", "Q-S13"
    )


SETTINGS = describe_settings(StageSettings)


def settings_of(state: FightState) -> StageSettings:
    """The settings of a fight."""
    return read_settings(StageSettings, state.settings)


_SETS: Mapping[str, tuple[str, ...]] = {
    "set1": ("Meeting", "Missile", "Move", "Melee", "Magic", "Management"),
    "set2": ("Contact", "Missile", "Move", "Melee", "Magic", "Administration"),
}

PHASE_NAMES: Mapping[str, str] = {
    label.lower(): phase for labels in _SETS.values() for label, phase in zip(labels, PHASES, strict=True)
} | {"parley": "meeting"}
"""The id of each phase, by all its names in lower case (SB-10)."""


_WORDS: Mapping[str, Words] = {
    name: Words(
        title="Stage Moments",
        round="Moment",
        phases=dict(zip(PHASES, labels, strict=True)),
        sides={"party": "Party", "foe": "Foe"},
        pools={"beats": "beats", "hp": "HP"},
        ticks={"round_end": "end of the Moment"},
    )
    for name, labels in _SETS.items()
}


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Stage Moments, with the chosen set of phase names (Q-S1)."""
    return _WORDS.get(str(settings.get("phase_labels", "set1")), _WORDS["set1"])


# What is remembered of a figure, and of the fight


@frozen
class Work:
    """The progress of a long business (SB-25): `needed` Management phases, and `moment`, the last one with work on it.

    `each_hand`: everybody who works on it in a phase adds 1, by the GM's word.
    """

    done: int = 0
    needed: int = 1
    moment: int = 0
    each_hand: bool = False

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
        ambush_by: the side of the ambush, laid, sprung or foiled.
        free_moment: the number of the Moment that the last ambush was for; 0 for none. Sprung, only the ambushers act
            in it (SB-18); foiled, its side lays no other for it (SB-17).
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


figure_of = record_reader(Figure)
"""The record of a figure."""


def scene_of(state: FightState) -> Scene:
    """The record of the fight."""
    return fight_record_of(state, Scene)


# Reading the state


PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
HALF, CHECK, STATUS = "half", "check", "status"
"""The kinds of steps: one side's half of a phase; sneak rolls after Move; the status update after Management."""


def free_moment(state: FightState) -> int:
    """The number of the Moment in which ambushed figures can't act; 0 for none (SB-18)."""
    remembered = scene_of(state)
    return remembered.free_moment if remembered.ambush == "sprung" else 0


def feet(combatant: Combatant, name: str) -> float | None:
    """A length in feet from the sheet."""
    value = combatant.sheet.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def total_beats(sheet: Mapping[str, Json], settings: StageSettings) -> int:
    """SB-28, SB-29: total beats: the base less armour's loss (Q-S3: a number of its own, or the DAR), at least 0."""
    loss = sheet.get("dar" if settings.armor_beats == "dar" else "armor_beat_loss")
    base = sheet.get("base_beats")
    return max(0, int(cast(int, base if base is not None else 14)) - int(cast(int, loss or 0)))


def weapon(combatant: Combatant, kind: str) -> Mapping[str, Json] | None:
    """The first strike of this kind on the sheet, or None."""
    return next((entry for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind), None)


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
    total = combatant.pool("beats").max
    return total // 2 if settings.prone_round == "down" else (total + 1) // 2


def rise_price(combatant: Combatant, settings: StageSettings) -> int:
    """SB-76: beats to rise: the total, or all that is left, by the setting (Q-S17)."""
    pool = combatant.pool("beats")
    return pool.max if settings.rise_needs_full else pool.now


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
    """SB-06: the agenda with a side first in every phase of which both halves are at `start` or later."""
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
    ambushed = f"{combatant.name} is ambushed and can't act this Moment"
    return (
        Check(combatant.able, "SB-37", f"{combatant.name} can't act", ("an able figure",)),
        Check(not is_side_ambushed(state, combatant.side), "SB-18", ambushed, ("the next Moment",)),
    )


def perception_check(state: FightState) -> Check:
    """SB-15: everybody waits until it is known whether the ambush is noticed."""
    prompt = state.prompt("perception")
    accepts = answers_to(prompt) if prompt is not None else ()
    return Check(prompt is None, "SB-15", "the ambush needs a Perception check first", accepts, is_turn=True)


def phase_check(state: FightState, phases: tuple[str, ...], rule: str, what: str) -> Check:
    """The check that the running phase is one of these."""
    step = state.step
    titles = " or ".join(phase.title() for phase in phases)
    now = f"this is {step.phase.title()}" if step else "no Moment is running"
    holds = step is not None and step.phase in phases and step.kind == HALF
    accepts = tuple(f"the {phase.title()} phase" for phase in phases)
    return Check(holds, rule, f"{what} is only possible in {titles}; {now}", accepts, is_turn=True)


def half_check(state: FightState, combatant: Combatant) -> Check:
    """SB-06: the check that it is the half of the figure's side."""
    step = state.step
    whose = f"it is the {step.side}'s half" if step and step.side else "no half is running"
    is_own_half = step is not None and step.kind == HALF and step.side == combatant.side
    return Check(is_own_half, "SB-06", whose, (f"the {combatant.side}'s half",), is_turn=True)


def turn_checks(
    state: FightState, combatant: Combatant, phases: tuple[str, ...], rule: str, what: str, *own: Check
) -> tuple[Check, ...]:
    """The checks of every act; `own` are its further checks on the figure, which still hold in a later half."""
    return (
        *able_checks(state, combatant),
        phase_check(state, phases, rule, what),
        *own,
        perception_check(state),
        half_check(state, combatant),
    )


def waive_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-08: an able figure may waive its own side's half, once."""
    return (
        Check(combatant.able, "SB-37", f"{combatant.name} can't act", ("an able figure",)),
        half_check(state, combatant),
        Check(combatant.id not in state.agenda.waived, "SB-08", f"{combatant.name} has passed", ("the next half",)),
    )


def slow_checks(state: FightState) -> tuple[Check, ...]:
    """SB-13: the slow penalty hits the leading side in its own half, while the other side's is still to come."""
    step, later = state.step, state.agenda.steps[state.agenda.cursor + 1 :]
    leads = step is not None and step.kind == HALF and bool(later)
    ahead = leads and step is not None and later[0].kind == HALF and later[0].phase == step.phase
    return (Check(ahead, "SB-13", "no one else is left to go first in this phase", ("a lead half",)),)
