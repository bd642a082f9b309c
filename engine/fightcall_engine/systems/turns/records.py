"""The ids, settings and records of Scenes, Rounds, Turns: reading them, and changing them."""

from collections.abc import Iterable, Mapping
from typing import Literal

from fightcall_engine.kit.decision import Decision, DiceMode, dice_field
from fightcall_engine.kit.records import (
    as_int,
    change_pool,
    describe_settings,
    fight_record_of,
    read_settings,
    record_reader,
    setting,
    sheet_int,
)
from fightcall_engine.kit.views import Words
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Healed, PoolAdjusted, Refilled, Spent
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.model.values import frozen, remembered, replace

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
DAILY = "daily:"
RESTED = ("hp", "resolve", "focus", "mana")

Resting = Literal["none", "short", "full"]
NO_REST: Resting = "none"
SHORT: Resting = "short"
FULL: Resting = "full"
LEAST_MINUTES: Mapping[str, int] = {SHORT: 15, FULL: 360}
REST_TITLES: Mapping[str, str] = {SHORT: "Short Rest", FULL: "Full Rest"}
REST_RULES: Mapping[str, str] = {SHORT: "ST-36", FULL: "ST-40"}

LONG_AWAKE_H = 16
"""Hours awake after which a rest is suggested (ST-34); the text gives neither number nor penalty."""


PARTY, FOE, OTHER = "party", "foe", "other"
SIDES = (PARTY, FOE, OTHER)

FREE, INITIATIVE, REST = "free", "initiative", "rest"
MODES = (FREE, INITIATIVE)
"""The modes of a Scene; a rest is not a Scene."""

ROLL, TURN = "roll", "turn"
"""Kinds of steps: `FREE` and `REST` are a step of their own, Initiative is `ROLL` and then `TURN` steps."""

OFFER, NEGATIVE, COSTS, EXPIRIES = "offer", "negative", "costs", "expiries"
POSITIVE, ACTING, END = "positive", "acting", "end"
START_STEPS = (NEGATIVE, COSTS, EXPIRIES, POSITIVE)
STEP_NUMBERS: Mapping[str, int] = {
    NEGATIVE: 1, COSTS: 2, EXPIRIES: 3, POSITIVE: 4, ACTING: 5, END: 6
}  # fmt: skip

ACTIONS, REACTIONS = "actions", "reactions"
TURN_START, TURN_END, ROUND_START, ROUND_END = "turn_start", "turn_end", "round_start", "round_end"
TICKS = (TURN_START, TURN_END, ROUND_START, ROUND_END)
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": ROUND_END, "start": ROUND_START},
    "own": {"start": TURN_START, "end": TURN_END},
}

LEAST_S, MOST_S = 30, 60
"""ST-08: the least and the most seconds of a round."""


# The settings of Scenes, Rounds, Turns, for rules with several readings or without a number


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


# The records of a participant and of the fight


@frozen
class Participant:
    """The record of a participant.

    Attributes:
        init_roll: the d20 for Initiative (ST-12); None before it is rolled.
        tie_d6: the d6 rolled to break ties, oldest first (ST-15).
        turn: the state of the turn in this round.
        effect_order: the ids of effects that run first in a step, in order, as the GM has ruled (Q-T23).
        no_free: the GM allows no Free Actions (ST-32).
        resting: the kind of rest that is being taken (ST-35).
        prepared: the effects of the sheet have begun.
    """

    init_roll: int | None = None
    tie_d6: tuple[int, ...] = ()
    turn: TurnState = WAITING
    effect_order: tuple[str, ...] = ()
    no_free: bool = False
    resting: Resting = NO_REST
    prepared: bool = False


@frozen
class EffectTerms:
    """What an effect changes, and what it costs.

    Attributes:
        pool: the pool that it changes; empty for none.
        dice: the dice of its strength; empty if that is its magnitude.
        upkeep: the price of keeping it up for a turn (ST-24); 0 for none.
        resource: the pool to pay from.
        payer: the id of the payer; empty for the bearer.
    """

    pool: str = ""
    dice: str = ""
    upkeep: int = 0
    resource: str = ""
    payer: str = ""


@frozen
class EffectInStep:
    """An effect in one of the steps of a turn, by the step's phase."""

    phase: str
    effect_id: str


@frozen
class OrderAsked:
    """The GM was asked which effect comes first, in this phase, while so many were left to run (Q-T23)."""

    phase: str
    left: int


@frozen
class TurnProgress:
    """The progress of the running turn.

    Attributes:
        handled: effects that have run or were paid for.
        asked: the questions for the order of effects that were asked.
        fell: its owner went down in its start steps (Q-T10).
        asked_to_act: the GM was asked whether step 5 happens after that.
    """

    handled: tuple[EffectInStep, ...] = ()
    asked: tuple[OrderAsked, ...] = ()
    fell: bool = False
    asked_to_act: bool = False


@frozen
class Scene:
    """The record of the fight: the running Scene or rest, and what lasts beyond it.

    Attributes:
        everyone: in free order, everybody has had an opportunity (ST-10).
        standing: the order to restore at the round's end if delays last for one round (Q-T4); else empty.
        clock_spare_s: the seconds between the least and the most time that can have passed (ST-08).
        rest_kind: the kind of the running rest (ST-35); empty for none.
        hp_per_resolve: the last value of a Resolve, a number or dice (ST-38).
        awake_h: hours awake, as the GM says (ST-34).
    """

    scene: str = ""
    everyone: bool = False
    progress: TurnProgress = TurnProgress()
    standing: tuple[str, ...] = ()
    clock_spare_s: int = 0
    rest_kind: str = ""
    rest_minutes: int = 0
    hp_per_resolve: int | str | None = None
    awake_h: int = 0


participant_of = record_reader(Participant)
"""The record of a participant."""


def scene_of(state: FightState) -> Scene:
    """The record of the fight."""
    return fight_record_of(state, Scene)


def turn_state(combatant: Combatant) -> TurnState:
    """The state of a participant's turn in this round."""
    return participant_of(combatant).turn


# The running turn


def mark_handled(decision: Decision, phase: str, effect_ids: Iterable[str]) -> None:
    """Record effects that have run, or were paid for, in this step of the running turn."""
    progress = scene_of(decision.state).progress
    more = (EffectInStep(phase, effect_id) for effect_id in effect_ids)
    decision.set_facts(progress=replace(progress, handled=tuple(dict.fromkeys((*progress.handled, *more)))))


def clear_progress(decision: Decision) -> None:
    """Reset the progress for the next turn."""
    decision.set_facts(progress=TurnProgress())


# Reading the fight


def mode_of(state: FightState) -> str:
    """The mode by the agenda: ``free``, ``initiative`` or ``rest``; empty between Scenes."""
    steps = state.agenda.steps
    if not steps:
        return ""
    return INITIATIVE if steps[0].kind in (ROLL, TURN) else steps[0].kind


def has_open_scene(state: FightState) -> bool:
    """True while a Scene runs."""
    return mode_of(state) in MODES


def is_in_rounds(state: FightState) -> bool:
    """True if the order is set and turns are taken in it."""
    return bool(state.agenda.steps) and state.agenda.steps[0].kind == TURN


def actor_of(state: FightState) -> Combatant | None:
    """The combatant whose turn is offered or running."""
    step = state.step
    return state.combatants.get(step.actor) if step is not None and step.kind == TURN else None


def running_turn(state: FightState) -> Combatant | None:
    """The combatant whose turn has begun and is not over."""
    combatant = actor_of(state)
    return combatant if combatant is not None and state.phase != OFFER and turn_state(combatant) == BEGUN else None


def is_offered(state: FightState, combatant_id: str) -> bool:
    """Whether this combatant can take its turn, or delay."""
    return state.step is not None and state.phase == OFFER and state.step.actor == combatant_id


def is_last_offer(state: FightState) -> bool:
    """ST-21: whether the offer is for a delayer's place at the end of the order."""
    combatant = actor_of(state)
    return combatant is not None and state.phase == OFFER and turn_state(combatant) == DELAYED


@remembered
def able_participants(state: FightState) -> tuple[Combatant, ...]:
    """All participants who can act, in the order of play."""
    return tuple(combatant for combatant in state.roster if combatant.able)


def delayers(state: FightState) -> tuple[Combatant, ...]:
    """ST-18, ST-21: the delayers who can act, the best roll first (Q-T9)."""
    combatants = [combatant for combatant in able_participants(state) if turn_state(combatant) == DELAYED]
    return tuple(sorted(combatants, key=rank_key, reverse=True))


def waiting(state: FightState) -> tuple[str, ...]:
    """Those who can act in the running step and have not."""
    step = state.step
    if step is None:
        return ()
    if step.kind == FREE:
        past_ids = {*state.agenda.acted, *state.agenda.waived}
        return tuple(combatant.id for combatant in able_participants(state) if combatant.id not in past_ids)
    if step.kind == ROLL:
        return participants_to_roll(state)
    combatant = actor_of(state)
    can_act = combatant is not None and combatant.able and step.phase in (OFFER, ACTING)
    return (step.actor,) if can_act else ()


def participants_to_roll(state: FightState) -> tuple[str, ...]:
    """ST-12: those who can act and have no Initiative result yet, without the dead of earlier Scenes."""
    return tuple(combatant.id for combatant in able_participants(state) if participant_of(combatant).init_roll is None)


def is_roll_due(state: FightState) -> bool:
    """ST-12: whether anybody who can act has no Initiative result yet."""
    return any(each.able and participant_of(each).init_roll is None for each in state.combatants.values())


def participants_left_out(state: FightState) -> tuple[Combatant, ...]:
    """ST-10: those who have had no opportunity in this free Scene."""
    return still_here(state, waiting(state)) if mode_of(state) == FREE else ()


def resters(state: FightState) -> tuple[Combatant, ...]:
    """Those who rest."""
    return tuple(combatant for combatant in state.roster if participant_of(combatant).resting != NO_REST)


def still_here(state: FightState, people: Iterable[str]) -> tuple[Combatant, ...]:
    """Those of these ids who have not left."""
    return tuple(state.combatants[combatant_id] for combatant_id in people if combatant_id in state.combatants)


# Results


def speed_of(combatant: Combatant) -> int:
    """The stat that is added to the d20 and breaks ties."""
    return sheet_int(combatant, "speed") or 0


def initiative_of(combatant: Combatant) -> int | None:
    """ST-12: d20 + Speed; kept for display after delays."""
    roll = participant_of(combatant).init_roll
    return None if roll is None else roll + speed_of(combatant)


def rank_key(combatant: Combatant) -> tuple[int, int, tuple[int, ...]]:
    """The sort key of the order: total, Speed, d6 (ST-13..15); higher goes first."""
    total = initiative_of(combatant)
    return (-(10**9) if total is None else total, speed_of(combatant), participant_of(combatant).tie_d6)


# Pools


def reaction_pool(state: FightState) -> str:
    """Q-T2: the pool from which Reactions are paid."""
    return ACTIONS if settings_of(state).reaction_pool == "shared" else REACTIONS


def reactions_of(state: FightState, combatant: Combatant) -> Pool:
    """Reactions left, and per round."""
    return combatant.pool(reaction_pool(state))


def dailies_of(combatant: Combatant) -> dict[str, Pool]:
    """ST-42: the pool of a daily ability, by its name."""
    return {name.removeprefix(DAILY): pool for name, pool in combatant.pools.items() if name.startswith(DAILY)}


def pool_named(combatant: Combatant, name: str) -> str | None:
    """The pool of this name: one of the sheet's, or a daily ability by its own name."""
    if name in combatant.pools:
        return name
    return next((pool for pool in combatant.pools if pool.lower() == DAILY + name.strip().lower()), None)


def find_pool(combatant: Combatant, name: str) -> str:
    """The pool of this name (`pool_named`); refused if there is none."""
    match = pool_named(combatant, name)
    if match is None:
        names = tuple(pool.removeprefix(DAILY) for pool in combatant.pools)
        raise Refused("pool", f"{combatant.name} has no pool {name!r}", names, final=True)
    return match


def actions_per_turn(sheet: Mapping[str, Json], settings: TurnsSettings) -> int:
    """Q-T1: the sheet's number of Actions, or the default of the settings."""
    sheet_actions = as_int(sheet.get("actions"))
    return settings.actions_default if sheet_actions is None else sheet_actions


# Effects


def find_effect(state: FightState, effect_id: str) -> tuple[Combatant, Effect] | None:
    """The effect with this id, and its bearer."""
    for combatant in state.combatants.values():
        for effect in combatant.effects:
            if effect.id == effect_id:
                return combatant, effect
    return None


# Changing pools


def spend(
    decision: Decision, event: type[Spent], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """The event of spending a pool, none without such a pool; `details` are the event's own fields."""
    if pool in combatant.pools:
        left = max(0, combatant.pool(pool).now - amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=amount, **details))


def heal(
    decision: Decision, event: type[Healed], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """The events of restoring an amount of a pool, up to its maximum; none without such a pool."""
    points = combatant.pool(pool)
    if pool in combatant.pools:
        left = min(points.max, points.now + amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=left - points.now, **details))


def refill(decision: Decision, event: type[Refilled], combatant: Combatant, pool: str) -> None:
    """The event of refilling a pool."""
    decision.emit(change_pool(event, combatant, pool, combatant.pool(pool).max))


def adjust(decision: Decision, combatant: Combatant, pool: str, left: int, most: int, reason: str) -> None:
    """The event of changing a pool's maximum or value."""
    before = combatant.pool(pool).now
    decision.emit(PoolAdjusted(who=combatant.id, pool=pool, before=before, left=left, max=most, reason=reason))
