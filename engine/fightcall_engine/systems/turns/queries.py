"""Reading a state: the mode, places in the order, results, pools and effects."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.records import as_int, sheet_int
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.systems.turns import terms
from fightcall_engine.systems.turns.records import participant_of, turn_state
from fightcall_engine.systems.turns.settings import TurnsSettings, settings_of

# The fight


def mode_of(state: FightState) -> str:
    """The mode by the agenda: ``free``, ``initiative`` or ``rest``; empty between Scenes."""
    steps = state.agenda.steps
    if not steps:
        return ""
    return terms.INITIATIVE if steps[0].kind in (terms.ROLL, terms.TURN) else steps[0].kind


def has_open_scene(state: FightState) -> bool:
    """True while a Scene runs."""
    return mode_of(state) in terms.MODES


def is_in_rounds(state: FightState) -> bool:
    """True if the order is set and turns are taken in it."""
    return bool(state.agenda.steps) and state.agenda.steps[0].kind == terms.TURN


def actor_of(state: FightState) -> Combatant | None:
    """The combatant whose turn is offered or running."""
    step = state.step
    return state.combatants.get(step.actor) if step is not None and step.kind == terms.TURN else None


def running_turn(state: FightState) -> Combatant | None:
    """The combatant whose turn has begun and is not over."""
    combatant = actor_of(state)
    is_running = combatant is not None and state.phase != terms.OFFER and turn_state(combatant) == terms.BEGUN
    return combatant if is_running else None


def is_offered(state: FightState, combatant_id: str) -> bool:
    """Whether this combatant can take its turn, or delay."""
    return state.step is not None and state.phase == terms.OFFER and state.step.actor == combatant_id


def is_last_offer(state: FightState) -> bool:
    """ST-21: whether the offer is for a delayer's place at the end of the order."""
    combatant = actor_of(state)
    return combatant is not None and state.phase == terms.OFFER and turn_state(combatant) == terms.DELAYED


def able_participants(state: FightState) -> tuple[Combatant, ...]:
    """All participants who can act, in the order of play."""
    return tuple(combatant for combatant in state.roster if combatant.able)


def delayers(state: FightState) -> tuple[Combatant, ...]:
    """ST-18, ST-21: the delayers who can act, the best roll first (Q-T9)."""
    combatants = [combatant for combatant in able_participants(state) if turn_state(combatant) == terms.DELAYED]
    return tuple(sorted(combatants, key=rank_key, reverse=True))


def waiting(state: FightState) -> tuple[str, ...]:
    """Those who can act in the running step and have not."""
    step = state.step
    if step is None:
        return ()
    if step.kind == terms.FREE:
        past_ids = {*state.agenda.acted, *state.agenda.waived}
        return tuple(combatant.id for combatant in able_participants(state) if combatant.id not in past_ids)
    if step.kind == terms.ROLL:
        return participants_to_roll(state)
    combatant = actor_of(state)
    can_act = combatant is not None and combatant.able and step.phase in (terms.OFFER, terms.ACTING)
    return (step.actor,) if can_act else ()


def participants_to_roll(state: FightState) -> tuple[str, ...]:
    """ST-12: those who can act and have no Initiative result yet, without the dead of earlier Scenes."""
    return tuple(combatant.id for combatant in able_participants(state) if participant_of(combatant).init_roll is None)


def participants_left_out(state: FightState) -> tuple[Combatant, ...]:
    """ST-10: those who have had no opportunity in this free Scene."""
    if mode_of(state) != terms.FREE:
        return ()
    return tuple(state.combatants[combatant_id] for combatant_id in waiting(state))


def resters(state: FightState) -> tuple[Combatant, ...]:
    """Those who rest."""
    return tuple(combatant for combatant in state.roster if participant_of(combatant).resting != terms.NO_REST)


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


def actions_of(combatant: Combatant) -> Pool:
    """Actions left in this turn, and per turn."""
    return combatant.pool(terms.ACTIONS)


def reaction_pool(state: FightState) -> str:
    """Q-T2: the pool from which Reactions are paid."""
    return terms.ACTIONS if settings_of(state).reaction_pool == "shared" else terms.REACTIONS


def reactions_of(state: FightState, combatant: Combatant) -> Pool:
    """Reactions left, and per round."""
    return combatant.pool(reaction_pool(state))


def dailies_of(combatant: Combatant) -> dict[str, Pool]:
    """ST-42: the pool of a daily ability, by its name."""
    return {
        name.removeprefix(terms.DAILY): pool for name, pool in combatant.pools.items() if name.startswith(terms.DAILY)
    }


def pool_named(combatant: Combatant, name: str) -> str | None:
    """The pool of this name: one of the sheet's, or a daily ability by its own name."""
    if name in combatant.pools:
        return name
    return next((pool for pool in combatant.pools if pool.lower() == terms.DAILY + name.strip().lower()), None)


def find_pool(combatant: Combatant, name: str) -> str:
    """The pool of this name; see `pool_named`.

    Raises:
        Refused: there is no such pool; lists the pools.
    """
    match = pool_named(combatant, name)
    if match is None:
        names = tuple(pool.removeprefix(terms.DAILY) for pool in combatant.pools)
        raise Refused("pool", f"{combatant.name} has no pool {name!r}", names, final=True)
    return match


def actions_per_turn(sheet: Mapping[str, Json], settings: TurnsSettings) -> int:
    """Q-T1: the sheet's number of Actions, or the default of the settings."""
    sheet_actions = as_int(sheet.get("actions"))
    return settings.actions_default if sheet_actions is None else sheet_actions


def weapons_of(combatant: Combatant) -> tuple[Mapping[str, Json], ...]:
    """The attacks the sheet lists."""
    entries = combatant.sheet.get("strikes")
    return tuple(cast(list[Mapping[str, Json]], entries)) if isinstance(entries, list | tuple) else ()


# Effects


def find_effect(state: FightState, effect_id: str) -> tuple[Combatant, Effect] | None:
    """The effect with this id, and its bearer."""
    for combatant in state.combatants.values():
        for effect in combatant.effects:
            if effect.id == effect_id:
                return combatant, effect
    return None
