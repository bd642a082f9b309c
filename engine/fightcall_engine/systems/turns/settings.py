"""The settings of Scenes, Rounds, Turns, for rules with several readings or without a number."""

from typing import Literal

from fightcall_engine.kit.rolls import DiceMode, dice_field
from fightcall_engine.kit.settings import describe_settings, read_settings, setting
from fightcall_engine.kit.views import Words
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen


@frozen
class TurnsSettings:
    """The settings."""

    scene_mode: Literal["ask", "free", "initiative"] = setting(
        "ask", "How Scenes open: ask the GM, in free order, or with Initiative", "ST-11"
    )
    actions_default: int = setting(3, "Actions per turn if the sheet doesn't say", "Q-T1", least=0)
    reaction_pool: Literal["separate", "shared"] = setting(
        "separate", "Reactions are a separate pool as large as Actions, or your unused Actions", "Q-T2"
    )
    reactions_at_scene_start: Literal["full", "none"] = setting(
        "full", "Reactions available before your first turn: all, or none", "Q-T3"
    )
    delay_persists: bool = setting(True, "Delaying changes the order for good, or for this round only", "Q-T4")
    unreturned_delay: Literal["turn_at_end", "lost", "carries"] = setting(
        "turn_at_end",
        "If you delay and never step in: act last, lose the turn, or keep delaying into the next round",
        "Q-T5",
    )
    d6_tie: Literal["reroll", "speed"] = setting(
        "reroll", "A tie on the d6: roll again, or use Speed and then the listed order", "Q-T7"
    )
    dice_recovered: Literal["before_step_1", "after_step_4"] = setting(
        "before_step_1", "Action Dice return before the steps of a turn, or after them, just before acting", "Q-T17"
    )
    down_in_start_steps: Literal["finish_steps", "turn_over"] = setting(
        "finish_steps",
        "At 0 hit points in step 1: continue and let the GM decide about acting, or end the turn",
        "Q-T10",
    )
    effect_order: Literal["listed", "ask"] = setting(
        "listed", "Several effects in one step: run them as listed, or ask the GM for the order", "Q-T23"
    )
    rest_broken: Literal["nothing", "short"] = setting(
        "nothing",
        "A Full Rest interrupted between 15 minutes and 6 hours counts as nothing, or as a Short Rest",
        "Q-T11",
    )
    dice: DiceMode = dice_field("ST-12")


SETTINGS = describe_settings(TurnsSettings)


def settings_of(state: FightState) -> TurnsSettings:
    """The settings of a fight."""
    return read_settings(TurnsSettings, state.settings)


WORDS = Words(
    title="Scenes, Rounds, Turns",
    round="Round",
    phases={
        "free": "Free order",
        "roll": "Initiative",
        "offer": "Offer",
        "negative": "Negative",
        "costs": "Costs",
        "expiries": "Expiries",
        "positive": "Positive",
        "acting": "Acting",
        "end": "Turn end",
        "rest": "Rest",
    },
    sides={"party": "Party", "foe": "Foes", "other": "Others"},
    pools={
        "hp": "HP",
        "actions": "actions",
        "reactions": "reactions",
        "resolve": "resolve",
        "focus": "focus",
        "mana": "mana",
    },
    ticks={
        "turn_start": "start of {who}'s turn",
        "turn_end": "end of {who}'s turn",
        "round_start": "start of the Round",
        "round_end": "end of the Round",
    },
    between="Between Scenes",
    waits={"roll": "roll"},
)
"""The words of Scenes, Rounds, Turns; the titles of the steps are ours (Q-T6)."""
