"""The settings of Stage Moments: where the text allows more than one reading, or leaves a number open."""

from collections.abc import Mapping

from fightcall_engine.kit.rolls import dice_setting
from fightcall_engine.kit.views import Setting, Words
from fightcall_engine.model.state import Scalar

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "phase_labels",
        "set1",
        "Names of phases one and six: Meeting and Management, or Contact and Administration",
        "Q-S1",
        ("set1", "set2"),
    ),
    dice_setting(),
    Setting("hex_ft", 5.0, "Feet to a hex where there is no board", "SB-02", least=0.1),
    Setting("moment_seconds", 60, "Seconds of game time in a Moment", "SB-04", least=0),
    Setting(
        "decision_seconds", 60, "Seconds on the decision clock before the slow penalty is offered", "SB-13", least=0
    ),
    Setting(
        "slow_penalty",
        "phase",
        "What slowness loses: going first in this phase, or for the rest of the Moment",
        "Q-S11",
        ("phase", "moment"),
    ),
    Setting(
        "agility_order",
        "margin",
        "Order by Agility: margin under Agility, or d20 + Agility",
        "Q-S2",
        ("margin", "high"),
    ),
    Setting(
        "ambush_free_moment",
        True,
        "A sprung ambush gives a whole Moment without an answer; else only the first place",
        "Q-S6",
        (True, False),
    ),
    Setting(
        "armor_beats", "entered", "Beats that armour takes: a number of its own, or the DAR", "Q-S3", ("entered", "dar")
    ),
    Setting("strike_beat_cost", 0, "Beats a strike costs", "Q-S10", least=0),
    Setting("strike_roll", "low", "A strike hits at or under its number, or at or over it", "Q-S9", ("low", "high")),
    Setting(
        "skip_unlisted",
        False,
        "Strike phases pass by whose sheet lists strikes but none for them; Magic by who lists no magic, Melee without"
        " contact",
        "SB-08",
        (False, True),
    ),
    Setting("partial_cover_mod", 1, "What partial cover adds to the missile die, against the shooter", "Q-S9"),
    Setting(
        "contact_stop",
        "hexes_only",
        "What contact stops: changes of hex only, or every act of Move",
        "Q-S8",
        ("hexes_only", "everything"),
    ),
    Setting(
        "meeting_sneak",
        "pays_from_pool",
        "Creeping in Meeting is paid from this Moment's beats, or free",
        "Q-S7",
        ("pays_from_pool", "free"),
    ),
    Setting(
        "skullduggery_mode",
        "replace",
        "Skullduggery takes Agility's place for sneaking, or the better of the two counts",
        "Q-S15",
        ("replace", "best"),
    ),
    Setting("prone_round", "up", "Half of an odd total of beats", "Q-S16", ("up", "down")),
    Setting(
        "rise_needs_full", True, "Rising needs the full pool of beats; else all that are left", "Q-S17", (True, False)
    ),
    Setting(
        "business_break",
        "keep_progress",
        "Long business that rests for a Moment keeps its progress, or loses it",
        "Q-S13",
        ("keep_progress", "reset"),
    ),
)

_SETS: Mapping[str, tuple[str, ...]] = {
    "set1": ("Meeting", "Missile", "Move", "Melee", "Magic", "Management"),
    "set2": ("Contact", "Missile", "Move", "Melee", "Magic", "Administration"),
}
_PHASES = ("meeting", "missile", "move", "melee", "magic", "management")

PHASE_NAMES: Mapping[str, str] = {
    label.lower(): phase for labels in _SETS.values() for label, phase in zip(labels, _PHASES, strict=True)
} | {"parley": "meeting"}
"""Every name a phase may be called by, in lower case, with its id (SB-10)."""


_WORDS: Mapping[str, Words] = {
    name: Words(
        title="Stage Moments",
        round="Moment",
        phases=dict(zip(_PHASES, labels, strict=True)),
        sides={"party": "Party", "foe": "Foe"},
        pools={"beats": "beats", "hp": "hp"},
        ticks={"round_end": "end of the Moment"},
    )
    for name, labels in _SETS.items()
}


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """What Stage Moments calls things, under the chosen set of labels (Q-S1)."""
    return _WORDS.get(str(settings.get("phase_labels", "set1")), _WORDS["set1"])
