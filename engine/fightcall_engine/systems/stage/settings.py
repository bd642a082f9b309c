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
        "Names of phases one and six: Meeting and Management, or Contact and Administration",
        "Q-S1",
        title="names of phases",
        words=("Meeting", "Contact"),
    )
    dice: DiceMode = dice_field()
    hex_ft: float = setting(5.0, "Feet to a hex where there is no board", "SB-02", least=0.1, title="feet in a hex")
    moment_seconds: int = setting(60, "Seconds of game time in a Moment", "SB-04", least=0)
    decision_seconds: int = setting(
        60, "Seconds on the decision clock before the slow penalty is offered", "SB-13", least=0
    )
    slow_penalty: Literal["phase", "moment"] = setting(
        "phase",
        "What slowness loses: going first in this phase, or for the rest of the Moment",
        "Q-S11",
        words=("this phase", "the Moment"),
    )
    agility_order: Literal["margin", "high"] = setting(
        "margin",
        "Order by Agility: margin under Agility, or d20 + Agility",
        "Q-S2",
        words=("under Agility", "d20 + Agility"),
    )
    ambush_free_moment: bool = setting(
        True, "A sprung ambush gives a whole Moment without an answer; else only the first place", "Q-S6"
    )
    armor_beats: Literal["entered", "dar"] = setting(
        "entered",
        "Beats that armour takes: a number of its own, or the DAR",
        "Q-S3",
        title="beats of armour",
        words=("own number", "the DAR"),
    )
    strike_beat_cost: int = setting(0, "Beats a strike costs", "Q-S10", least=0)
    strike_roll: Literal["low", "high"] = setting(
        "low", "A strike hits at or under its number, or at or over it", "Q-S9", words=("at or under", "at or over")
    )
    skip_unlisted: bool = setting(
        False,
        "Strike phases pass by whose sheet lists strikes but none for them; Magic by who lists no magic, Melee without"
        " contact",
        "SB-08",
    )
    partial_cover_mod: int = setting(
        1, "What partial cover adds to the missile die, against the shooter", "Q-S9", title="partial cover"
    )
    contact_stop: Literal["hexes_only", "everything"] = setting(
        "hexes_only", "What contact stops: changes of hex only, or every act of Move", "Q-S8"
    )
    meeting_sneak: Literal["pays_from_pool", "free"] = setting(
        "pays_from_pool", "Creeping in Meeting is paid from this Moment's beats, or free", "Q-S7"
    )
    skullduggery_mode: Literal["replace", "best"] = setting(
        "replace",
        "Skullduggery takes Agility's place for sneaking, or the better of the two counts",
        "Q-S15",
        title="skullduggery",
        words=("for Agility", "the better"),
    )
    prone_round: Literal["up", "down"] = setting("up", "Half of an odd total of beats", "Q-S16")
    rise_needs_full: bool = setting(True, "Rising needs the full pool of beats; else all that are left", "Q-S17")
    business_break: Literal["keep_progress", "reset"] = setting(
        "keep_progress", "Long business that rests for a Moment keeps its progress, or loses it", "Q-S13"
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
