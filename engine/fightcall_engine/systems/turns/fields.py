"""The system's own fields in the protocol, for participants and for the fight (rules digest, section 2)."""

from collections.abc import Mapping

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.systems.turns import effects, records
from fightcall_engine.systems.turns.cards import turn_word
from fightcall_engine.systems.turns.records import participant_of, scene_of


def _pool_json(pool: Pool | None) -> Json:
    return None if pool is None else {"cur": pool.now, "max": pool.max}


def _effect_fields(state: FightState, combatant: Combatant, effect: Effect) -> Json:
    """An effect as a protocol value (rules digest, section 2.1)."""
    price, resource = effects.upkeep_of(effect)
    pool = effects.pool_of(effect)
    strength: Json = effects.dice_of(effect) or effect.magnitude
    return {
        "polarity": effect.kind,
        "change": {"pool": pool, "amount": strength} if effect.kind and strength else None,
        "upkeep": {"resource": resource, "amount": price} if price else None,
        "payer": effects.payer_of(state, combatant, effect),
        "ends_at_turn_start": effect.left == 1 and effect.ticks == records.TURN_START,
        "anchor": owner_of(state, combatant, effect),
    }


def fields_of(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a participant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    participant = participant_of(combatant)
    dailies: list[Json] = [
        {"name": name, "left": pool.now, "max": pool.max} for name, pool in records.dailies_of(combatant).items()
    ]
    return {
        "speed": records.speed_of(combatant),
        "actions_max": records.actions_of(combatant).max,
        "actions_left": records.actions_of(combatant).now,
        "reactions_left": records.reactions_of(state, combatant).now,
        "init_roll": participant.init_roll,
        "initiative": records.initiative_of(combatant),
        "tie_d6": list(participant.tie_d6),
        "turn_state": turn_word(state, combatant),
        **{name: _pool_json(combatant.pools.get(name)) for name in records.RESTED},
        "dailies": dailies,
        "effects": {effect.id: _effect_fields(state, combatant, effect) for effect in combatant.effects},
        "resting": participant.resting,
        "sleepless": combatant.sheet.get("sleepless") is True,
    }


def facts_of(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.2)."""
    mode = records.mode_of(state)
    combatant = records.actor_of(state)
    spare = scene_of(state).clock_spare_s
    rest: Json = None
    if mode == records.REST:
        rest = {
            "kind": scene_of(state).rest_kind,
            "minutes": scene_of(state).rest_minutes,
            "participants": [other.id for other in records.resters(state)],
            "interrupted": False,
        }
    scene = {"name": scene_of(state).scene, "mode": mode if records.has_open_scene(state) else None}
    number = records.STEP_NUMBERS.get(state.phase)
    return {
        "scene": {**scene, "open": records.has_open_scene(state)},
        "mode": mode,
        "pointer": state.order.index(combatant.id) if combatant is not None and combatant.id in state.order else None,
        "actor": combatant.id if combatant is not None else None,
        "turn_step": number,
        "delaying": [other.id for other in records.delayers(state)],
        "clock_min_s": state.clock_s,
        "clock_max_s": state.clock_s + spare,
        "rest": rest,
        "waiting": list(records.waiting(state)),
    }
