"""The ids of Scenes, Rounds, Turns: sides, modes, steps, pools and clocks."""

from collections.abc import Mapping
from typing import Literal

PARTY, FOE, OTHER = "party", "foe", "other"
SIDES = (PARTY, FOE, OTHER)

FREE, INITIATIVE, REST = "free", "initiative", "rest"
MODES = (FREE, INITIATIVE)
"""The modes of a Scene; a rest is not a Scene."""

ROLL, TURN = "roll", "turn"
"""Kinds of steps: `FREE` and `REST` are a step of their own, Initiative is `ROLL` and then `TURN` steps."""

OFFER, NEGATIVE, COSTS, EXPIRIES, POSITIVE, ACTING, END = (
    "offer",
    "negative",
    "costs",
    "expiries",
    "positive",
    "acting",
    "end",
)
START_STEPS = (NEGATIVE, COSTS, EXPIRIES, POSITIVE)
STEP_NUMBERS: Mapping[str, int] = {
    NEGATIVE: 1, COSTS: 2, EXPIRIES: 3, POSITIVE: 4, ACTING: 5, END: 6
}  # fmt: skip

TurnState = Literal["waiting", "delayed", "stepping", "begun", "done", "forfeited", "passed"]
"""The state of a combatant's turn in the round; the agenda tells whether a turn is offered or begun."""

WAITING: TurnState = "waiting"
DELAYED: TurnState = "delayed"
STEPPING: TurnState = "stepping"
BEGUN: TurnState = "begun"
DONE: TurnState = "done"
FORFEITED: TurnState = "forfeited"
PASSED: TurnState = "passed"
OVER = (DONE, FORFEITED, PASSED)

ACTIONS, REACTIONS = "actions", "reactions"
DAILY = "daily:"
RESTED = ("hp", "resolve", "focus", "mana")
TURN_START, TURN_END, ROUND_START, ROUND_END = "turn_start", "turn_end", "round_start", "round_end"
TICKS = (TURN_START, TURN_END, ROUND_START, ROUND_END)
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": ROUND_END, "start": ROUND_START},
    "own": {"start": TURN_START, "end": TURN_END},
}

Resting = Literal["none", "short", "full"]
NO_REST: Resting = "none"
SHORT: Resting = "short"
FULL: Resting = "full"
LEAST_MINUTES: Mapping[str, int] = {SHORT: 15, FULL: 360}
REST_TITLES: Mapping[str, str] = {SHORT: "Short Rest", FULL: "Full Rest"}
REST_RULES: Mapping[str, str] = {SHORT: "ST-36", FULL: "ST-40"}

LONG_AWAKE_H = 16
"""Hours awake after which a rest is suggested (ST-34); the text gives neither number nor penalty."""

LEAST_S, MOST_S = 30, 60
"""ST-08: the least and the most seconds of a round."""
