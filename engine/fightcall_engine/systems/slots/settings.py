"""Settings of Active Phase Encounters: where the text has more than one reading, or leaves a number open."""

from collections.abc import Mapping
from typing import Literal

from fightcall_engine.kit.rolls import DiceMode, dice_field
from fightcall_engine.kit.settings import describe_settings, read_settings, setting
from fightcall_engine.kit.views import Words
from fightcall_engine.model.state import FightState, Scalar
from fightcall_engine.model.values import frozen


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
