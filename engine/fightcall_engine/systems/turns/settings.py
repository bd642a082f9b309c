"""The settings of Scenes, Rounds, Turns: where the text allows more than one reading, or leaves a number open."""

from fightcall_engine.kit.rolls import dice_setting
from fightcall_engine.kit.views import Setting, Words

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "scene_mode",
        "ask",
        "How a Scene opens: the GM is asked, in free order, or with Initiative",
        "ST-11",
        ("ask", "free", "initiative"),
    ),
    Setting("actions_default", 3, "Actions per turn where the sheet gives none", "Q-T1", least=0),
    Setting(
        "reaction_pool",
        "separate",
        "Reactions are a pool of their own, as many as Actions, or Actions that were not used",
        "Q-T2",
        ("separate", "shared"),
    ),
    Setting(
        "reactions_at_scene_start",
        "full",
        "Reactions before one's first turn: all of them, or none",
        "Q-T3",
        ("full", "none"),
    ),
    Setting(
        "delay_persists", True, "A delay changes the order for good, or for this round only", "Q-T4", (True, False)
    ),
    Setting(
        "unreturned_delay",
        "turn_at_end",
        "Who delays and never steps in has a last turn, loses the turn, or carries the delay into the next round",
        "Q-T5",
        ("turn_at_end", "lost", "carries"),
    ),
    Setting(
        "d6_tie",
        "reroll",
        "A tie on the d6: those tied roll again, or Speed counts again and then the order of listing",
        "Q-T7",
        ("reroll", "speed"),
    ),
    Setting(
        "dice_recovered",
        "before_step_1",
        "Action Dice come back before the steps of a turn, or after them, just before acting",
        "Q-T17",
        ("before_step_1", "after_step_4"),
    ),
    Setting(
        "down_in_start_steps",
        "finish_steps",
        "Hit points at 0 in step 1: the steps go on and the GM decides on acting, or the turn is over",
        "Q-T10",
        ("finish_steps", "turn_over"),
    ),
    Setting(
        "effect_order",
        "listed",
        "Several effects in one step run as listed, or the GM is asked which comes first",
        "Q-T23",
        ("listed", "ask"),
    ),
    Setting(
        "rest_broken",
        "nothing",
        "A Full Rest cut short between 15 minutes and 6 hours: proposed as no benefit, or as a Short Rest",
        "Q-T11",
        ("nothing", "short"),
    ),
    dice_setting("ST-12"),
)

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
        "hp": "hp",
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
"""What Scenes, Rounds, Turns calls things; the titles of the steps are ours (Q-T6)."""
