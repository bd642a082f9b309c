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
        "Whom the four-fold price of the Final Phase hits: every action, or only those paid with Reserved Slots",
        "Q-A2",
    )
    final_single_band: Literal["off", "on"] = setting(
        "off", "A Cycle in which only one band can act has a Final Phase all the same", "Q-A2"
    )
    final_base: Literal["price_it_would_have", "active_price"] = setting(
        "price_it_would_have",
        "What is taken four times: the price the act would have now, or its Active price",
        "Q-A10",
    )
    stay_mode: Literal["before_lock", "per_round"] = setting(
        "before_lock", "When Stay is chosen: once before the Cycle is locked, or in every round, for that round", "Q-A3"
    )
    upkeep_order: Literal["pulses_then_countdown", "countdown_first"] = setting(
        "pulses_then_countdown",
        "In Upkeep: damage and healing first and then the countdown, or the countdown first",
        "Q-A5",
    )
    hp_net: Literal["net", "damage_first"] = setting(
        "net",
        "Damage and healing of one Upkeep are set against each other, or damage comes first",
        "Q-A17",
        title="damage and healing",
        words=("set off", "damage first"),
    )
    slow_burn_order: Literal["together", "as_in_combat"] = setting(
        "together", "In Slow Burn all PCs gain their slots together, or in the order of the Cycle as in combat", "Q-A18"
    )
    slot_floor: Literal[0, 1] = setting(0, "The least number of slots a PC gains", "Q-A6")
    awareness_die: str = setting("d20", "The die of the Awareness check, to which the sheet's number is added", "Q-A1")
    places_per_slot: int = setting(
        2, "Places of the board that one slot of movement buys; the text prints no price", "Q-A21", least=1
    )
    reserved_moves: Literal["yes", "no"] = setting("yes", "Reserved Slots may pay for moving", "Q-A21")
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
