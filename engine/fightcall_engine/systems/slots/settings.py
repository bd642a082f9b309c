"""The settings of Active Phase Encounters: where the text allows more than one reading, or leaves a number open."""

from collections.abc import Mapping

from fightcall_engine.kit.rolls import dice_setting
from fightcall_engine.kit.views import Setting, Words
from fightcall_engine.model.state import Scalar

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "final_scope",
        "everyone",
        "Whom the four-fold price of the Final Phase hits: every action, or only those paid with Reserved Slots",
        "Q-A2",
        ("everyone", "reserved_only"),
    ),
    Setting(
        "final_single_band",
        "off",
        "A Cycle in which only one band can act has a Final Phase all the same",
        "Q-A2",
        ("off", "on"),
    ),
    Setting(
        "final_base",
        "price_it_would_have",
        "What is taken four times: the price the act would have now, or its Active price",
        "Q-A10",
        ("price_it_would_have", "active_price"),
    ),
    Setting(
        "stay_mode",
        "before_lock",
        "When Stay is chosen: once before the Cycle is locked, or in every round, for that round",
        "Q-A3",
        ("before_lock", "per_round"),
    ),
    Setting(
        "upkeep_order",
        "pulses_then_countdown",
        "In Upkeep: damage and healing first and then the countdown, or the countdown first",
        "Q-A5",
        ("pulses_then_countdown", "countdown_first"),
    ),
    Setting(
        "hp_net",
        "net",
        "Damage and healing of one Upkeep are set against each other, or damage comes first",
        "Q-A17",
        ("net", "damage_first"),
    ),
    Setting(
        "slow_burn_order",
        "together",
        "In Slow Burn all PCs gain their slots together, or in the order of the Cycle as in combat",
        "Q-A18",
        ("together", "as_in_combat"),
    ),
    Setting("slot_floor", 0, "The least number of slots a PC gains", "Q-A6", (0, 1)),
    Setting("awareness_die", "d20", "The die of the Awareness check, to which the sheet's number is added", "Q-A1"),
    Setting(
        "places_per_slot",
        2,
        "Places of the board that one slot of movement buys; the text prints no price",
        "Q-A21",
        least=1,
    ),
    Setting(
        "reserved_moves",
        "yes",
        "Reserved Slots may pay for moving",
        "Q-A21",
        ("yes", "no"),
    ),
    dice_setting("Q-A1"),
)

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
    pools={"slots": "slots", "reserved": "reserve", "hp": "hp"},
    ticks={
        "upkeep": "Upkeep",
        "round_end": "Upkeep",
        "active_start": "start of {who}'s Active Phase",
        "active_end": "end of {who}'s Active Phase",
        "never": "until ended",
    },
)


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """What Active Phase Encounters calls things."""
    return _WORDS
