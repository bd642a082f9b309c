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
        "ask", "How a Scene opens: the GM is asked, in free order, or with Initiative", "ST-11"
    )
    actions_default: int = setting(3, "Actions per turn where the sheet gives none", "Q-T1", least=0)
    reaction_pool: Literal["separate", "shared"] = setting(
        "separate", "Reactions are a pool of their own, as many as Actions, or Actions that were not used", "Q-T2"
    )
    reactions_at_scene_start: Literal["full", "none"] = setting(
        "full", "Reactions before one's first turn: all of them, or none", "Q-T3"
    )
    delay_persists: bool = setting(True, "A delay changes the order for good, or for this round only", "Q-T4")
    unreturned_delay: Literal["turn_at_end", "lost", "carries"] = setting(
        "turn_at_end",
        "Who delays and never steps in has a last turn, loses the turn, or carries the delay into the next round",
        "Q-T5",
    )
    d6_tie: Literal["reroll", "speed"] = setting(
        "reroll", "A tie on the d6: those tied roll again, or Speed counts again and then the order of listing", "Q-T7"
    )
    dice_recovered: Literal["before_step_1", "after_step_4"] = setting(
        "before_step_1", "Action Dice come back before the steps of a turn, or after them, just before acting", "Q-T17"
    )
    down_in_start_steps: Literal["finish_steps", "turn_over"] = setting(
        "finish_steps",
        "Hit points at 0 in step 1: the steps go on and the GM decides on acting, or the turn is over",
        "Q-T10",
    )
    effect_order: Literal["listed", "ask"] = setting(
        "listed", "Several effects in one step run as listed, or the GM is asked which comes first", "Q-T23"
    )
    rest_broken: Literal["nothing", "short"] = setting(
        "nothing",
        "A Full Rest cut short between 15 minutes and 6 hours: proposed as no benefit, or as a Short Rest",
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
