"""Settings of Stage Moments: where the text has more than one reading, or leaves a number open."""

from collections.abc import Mapping
from typing import Literal

from fightcall_engine.kit.rolls import DiceMode, dice_field
from fightcall_engine.kit.settings import describe_settings, read_settings, setting
from fightcall_engine.kit.views import Words
from fightcall_engine.model.state import FightState, Scalar
from fightcall_engine.model.values import frozen


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
_PHASES = ("meeting", "missile", "move", "melee", "magic", "management")

PHASE_NAMES: Mapping[str, str] = {
    label.lower(): phase for labels in _SETS.values() for label, phase in zip(labels, _PHASES, strict=True)
} | {"parley": "meeting"}
"""The id of each phase, by all its names in lower case (SB-10)."""


_WORDS: Mapping[str, Words] = {
    name: Words(
        title="Stage Moments",
        round="Moment",
        phases=dict(zip(_PHASES, labels, strict=True)),
        sides={"party": "Party", "foe": "Foe"},
        pools={"beats": "beats", "hp": "HP"},
        ticks={"round_end": "end of the Moment"},
    )
    for name, labels in _SETS.items()
}


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Stage Moments, with the chosen set of phase names (Q-S1)."""
    return _WORDS.get(str(settings.get("phase_labels", "set1")), _WORDS["set1"])
