"""Reading a participant and the fight: modes, places, results, what one can still do. Pure questions about a state."""

from collections.abc import Iterable, Mapping
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import record_answer
from fightcall_engine.kit.remembered import Remembered
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Prompt, Scalar

PARTY, FOE, OTHER = "party", "foe", "other"
SIDES = (PARTY, FOE, OTHER)

FREE, INITIATIVE, REST = "free", "initiative", "rest"
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

WAITING, DELAYED, STEPPING, BEGUN = "waiting", "delayed", "stepping", "begun"
DONE, FORFEITED, PASSED = "done", "forfeited", "passed"
OVER = (DONE, FORFEITED, PASSED)
"""Values of the trait ``turn``; what is offered, starting or acting is said by the agenda."""

ACTIONS, REACTIONS = "actions", "reactions"
DAILY = "daily:"
RESTED = ("hp", "resolve", "focus", "mana")
COUNTED = (*RESTED, ACTIONS, REACTIONS)
TURN_START, TURN_END, ROUND_START, ROUND_END = "turn_start", "turn_end", "round_start", "round_end"
TICKS = (TURN_START, TURN_END, ROUND_START, ROUND_END)
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": ROUND_END, "start": ROUND_START},
    "own": {"start": TURN_START, "end": TURN_END},
}
SHORT, FULL = "short", "full"
LEAST_MINUTES: Mapping[str, int] = {SHORT: 15, FULL: 360}

TRAITS: Mapping[str, Scalar] = {
    "init_roll": None,
    "tie_d6": "",
    "turn": WAITING,
    "effect_order": "",
    "no_free": False,
    "resting": "none",
    "prepared": False,
}

ACCEPTED: Mapping[str, tuple[str, ...]] = {
    "turn": (WAITING, DELAYED, STEPPING, BEGUN, *OVER),
    "resting": ("none", SHORT, FULL),
}
"""What is always one of a few words."""

FACTS: Mapping[str, Scalar] = {
    "scene": "",
    "everyone": False,
    "settled": "",
    "standing": "",
    "clock_spare_s": 0,
    "rest_kind": "",
    "rest_minutes": 0,
    "hp_per_resolve": "",
    "awake_h": 0,
}

_REMEMBERED = Remembered(FACTS, TRAITS)
fact = _REMEMBERED.fact
text_fact = _REMEMBERED.text_fact
number_fact = _REMEMBERED.number_fact
trait = _REMEMBERED.trait
text_trait = _REMEMBERED.text_trait


# Facts and traits


def set_fact(state: FightState, name: str, value: Scalar) -> ev.Events:
    """The event that changes a fact; none where it is so already."""
    before = fact(state, name)
    return () if before == value else (ev.FactChanged(fact=name, before=before, value=value),)


def set_trait(combatant: Combatant, name: str, value: Scalar) -> ev.TraitChanged:
    """The event that changes a trait."""
    return ev.TraitChanged(who=combatant.id, trait=name, before=trait(combatant, name), value=value)


def reset(people: Iterable[Combatant], name: str, value: Scalar) -> ev.Events:
    """The event that sets one trait alike, for those who have it otherwise."""
    stale = tuple(combatant.id for combatant in people if trait(combatant, name) != value)
    return (ev.TraitsReset(figures=stale, trait=name, value=value),) if stale else ()


def words_of_turn(state: FightState) -> frozenset[str]:
    """What has been seen to in the running turn, as words such as ``1:e4``: effect e4 in step 1."""
    return frozenset(text_fact(state, "settled").split())


def settle_word(state: FightState, *more: str) -> ev.Events:
    """The event that notes what has been seen to in the running turn."""
    known = text_fact(state, "settled").split()
    return set_fact(state, "settled", " ".join([*known, *(word for word in more if word not in known)]))


# The fight


def mode(state: FightState) -> str:
    """``free``, ``initiative`` or ``rest``; empty between Scenes. The agenda says which."""
    steps = state.agenda.steps
    if not steps:
        return ""
    return INITIATIVE if steps[0].kind in (ROLL, TURN) else steps[0].kind


def scene_open(state: FightState) -> bool:
    """True while a Scene runs."""
    return mode(state) in (FREE, INITIATIVE)


def in_rounds(state: FightState) -> bool:
    """True once the order stands and turns are taken in it."""
    return bool(state.agenda.steps) and state.agenda.steps[0].kind == TURN


def actor(state: FightState) -> Combatant | None:
    """Whose turn is offered or runs."""
    step = state.step
    return state.combatants.get(step.actor) if step is not None and step.kind == TURN else None


def turn_of(state: FightState) -> Combatant | None:
    """Whose turn runs: it has begun and is not over."""
    combatant = actor(state)
    running = combatant is not None and state.phase != OFFER and text_trait(combatant, "turn") == BEGUN
    return combatant if running else None


def is_offered(state: FightState, combatant_id: str) -> bool:
    """True where this one may take its turn, or delay."""
    return state.step is not None and state.phase == OFFER and state.step.actor == combatant_id


def is_last_offer(state: FightState) -> bool:
    """ST-21: the offer is that of a delayer at the end of the order."""
    combatant = actor(state)
    return combatant is not None and state.phase == OFFER and text_trait(combatant, "turn") == DELAYED


def in_order(state: FightState) -> tuple[Combatant, ...]:
    """Everybody, in the order of play."""
    return tuple(state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)


def able(state: FightState) -> tuple[Combatant, ...]:
    """Everybody who can act, in the order of play."""
    return tuple(combatant for combatant in in_order(state) if combatant.able)


def delayers(state: FightState) -> tuple[Combatant, ...]:
    """ST-18, ST-21: who delays and can act, the best roll first (Q-T9)."""
    found = [combatant for combatant in able(state) if text_trait(combatant, "turn") == DELAYED]
    return tuple(sorted(found, key=standing, reverse=True))


def waiting(state: FightState) -> tuple[str, ...]:
    """Who may act in the running step and has not."""
    step = state.step
    if step is None:
        return ()
    if step.kind == FREE:
        gone = {*state.agenda.acted, *state.agenda.waived}
        return tuple(combatant.id for combatant in able(state) if combatant.id not in gone)
    if step.kind == ROLL:
        return missing(state)
    combatant = actor(state)
    mine = combatant is not None and combatant.able and step.phase in (OFFER, ACTING)
    return (step.actor,) if mine else ()


def missing(state: FightState) -> tuple[str, ...]:
    """ST-12: who can act and has no Initiative result yet. Nobody waits for the dead of an earlier Scene."""
    return tuple(combatant.id for combatant in able(state) if init_roll(combatant) is None)


# Results


def number(combatant: Combatant, name: str) -> int | None:
    """A whole number from the sheet, None where the sheet has none."""
    value = combatant.sheet.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def speed(combatant: Combatant) -> int:
    """The stat that is added to the d20 and breaks ties."""
    return number(combatant, "speed") or 0


def init_roll(combatant: Combatant) -> int | None:
    """What the d20 showed."""
    value = trait(combatant, "init_roll")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def initiative(combatant: Combatant) -> int | None:
    """ST-12: d20 + Speed; kept for display after delays."""
    roll = init_roll(combatant)
    return None if roll is None else roll + speed(combatant)


def tie_dice(combatant: Combatant) -> tuple[int, ...]:
    """ST-15: the d6 thrown to break ties, oldest first."""
    return tuple(int(word) for word in text_trait(combatant, "tie_d6").split() if word.isdigit())


def standing(combatant: Combatant) -> tuple[int, int, tuple[int, ...]]:
    """What the order goes by: total, Speed, d6 (ST-13..15); the higher goes first."""
    total = initiative(combatant)
    return (-(10**9) if total is None else total, speed(combatant), tie_dice(combatant))


# Pools


def actions(combatant: Combatant) -> Pool:
    """Actions left in this turn, and per turn."""
    return combatant.pool(ACTIONS)


def reaction_pool(state: FightState) -> str:
    """Q-T2: what Reactions are paid from."""
    return ACTIONS if state.settings.get("reaction_pool") == "shared" else REACTIONS


def reactions(state: FightState, combatant: Combatant) -> Pool:
    """Reactions left, and per round."""
    return combatant.pool(reaction_pool(state))


def dailies(combatant: Combatant) -> dict[str, Pool]:
    """ST-42: what can be used so many times a day, by its name."""
    return {name.removeprefix(DAILY): pool for name, pool in combatant.pools.items() if name.startswith(DAILY)}


def pool_named(combatant: Combatant, name: str) -> str:
    """The pool of this name: one of the sheet's, or a daily ability by its own name.

    Raises:
        Refused: listing those there are.
    """
    if name in combatant.pools:
        return name
    found = next((pool for pool in combatant.pools if pool.lower() == DAILY + name.strip().lower()), None)
    if found is None:
        known = tuple(pool.removeprefix(DAILY) for pool in combatant.pools)
        raise Refused("pool", f"{combatant.name} has no pool {name!r}", known, final=True)
    return found


def actions_of(sheet: Mapping[str, Json], settings: Mapping[str, Scalar]) -> int:
    """Q-T1: the sheet's number of Actions, or the usual one."""
    own = sheet.get("actions")
    if isinstance(own, int) and not isinstance(own, bool):
        return own
    usual = settings.get("actions_default", 3)
    return usual if isinstance(usual, int) else 3


def weapons(combatant: Combatant) -> tuple[Mapping[str, Json], ...]:
    """The attacks the sheet lists."""
    listed = combatant.sheet.get("strikes")
    return tuple(cast(list[Mapping[str, Json]], listed)) if isinstance(listed, list | tuple) else ()


# Effects


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """True for who can take turns, and in this round for who has had one."""
    combatant = state.combatants[combatant_id]
    return combatant.able or text_trait(combatant, "turn") in (BEGUN, DONE)


def find_effect(state: FightState, effect: str) -> tuple[Combatant, Effect] | None:
    """The effect of this id and who bears it."""
    for combatant in state.combatants.values():
        for held in combatant.effects:
            if held.id == effect:
                return combatant, held
    return None


# Questions


def open_question(state: FightState, *besides: str) -> Check:
    """The agenda rests while something must be answered first; this itself answers questions of the kinds `besides`."""
    found = next((prompt for prompt in state.prompts if prompt.blocking and prompt.kind not in besides), None)
    if found is None:
        return Check(True, "", "")
    accepts = tuple(choice.id for choice in found.choices) or ("an answer",)
    return Check(False, found.rule, f"answer first: {found.question}", accepts)


def lapse_offers(state: FightState) -> ev.Events:
    """Offers that nobody took up: play moves on. None of them does anything by default."""
    return tuple(record_answer(prompt, prompt.default, default=True) for prompt in state.prompts if not prompt.blocking)


def moot(prompts: Iterable[Prompt], note: str = "") -> ev.Events:
    """Questions that need no answer any more."""
    return tuple(record_answer(prompt, "moot", default=True, note=note) for prompt in prompts)


def ids_in(text: str) -> tuple[str, ...]:
    """Ids kept as one text, parted by blanks, which no id has."""
    return tuple(text.split())
