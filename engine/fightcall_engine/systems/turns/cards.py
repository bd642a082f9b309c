"""What is shown of a fight: cards, groups, the banner, fields, facts and reminders."""

from collections.abc import Mapping

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.views import Badge, Card, Group, Pips
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.systems.turns import records, rounds, steps
from fightcall_engine.systems.turns.records import WORDS, participant_of, scene_of, turn_state


def groups_of(state: FightState) -> tuple[Group, ...]:
    """Under Initiative, everybody in order, with delayers in a group of their own; otherwise the sides."""
    if records.is_in_rounds(state):
        delayers = tuple(
            combatant.id for combatant in records.delayers(state) if not records.is_offered(state, combatant.id)
        )
        order = tuple(combatant.id for combatant in state.roster if combatant.id not in delayers)
        in_order = Group("Initiative", "", f"Round {state.round}", order)
        return (in_order, _delaying_group(state, delayers)) if delayers else (in_order,)
    groups = []
    for side in dict.fromkeys((*WORDS.sides, *(combatant.side for combatant in state.roster))):
        members = tuple(combatant.id for combatant in state.roster if combatant.side == side)
        if members:
            groups.append(Group(WORDS.sides.get(side, side.title()), side, _note(state, members), members))
    return tuple(groups)


def _delaying_group(state: FightState, delayers: tuple[str, ...]) -> Group:
    """The group of delayers, who may step in at any offer, but not during a turn (ST-18)."""
    is_offer = state.phase == records.OFFER
    note = "steps in" if is_offer else "until the next offer"
    return Group("Delaying", "", note, delayers, action="release" if is_offer else "")


def _note(state: FightState, members: tuple[str, ...]) -> str:
    late_ids = [combatant_id for combatant_id in records.waiting(state) if combatant_id in members]
    if state.step is None:
        return ""
    if state.step.kind == records.FREE:
        have = "hasn't" if len(late_ids) == 1 else "haven't"
        return f"{len(late_ids)} {have} had a chance yet" if late_ids else "everyone has had a chance"
    if state.step.kind == records.ROLL:
        return f"{len(late_ids)} to roll" if late_ids else "rolled"
    return ""


def turn_word(state: FightState, combatant: Combatant) -> str:
    """A participant's state in this round, in a word (ST-04, ST-17)."""
    turn = turn_state(combatant)
    if records.is_offered(state, combatant.id):
        return "offered"
    if turn == records.BEGUN:
        return "acting" if state.phase in (records.ACTING, records.END) else "starting"
    return records.WAITING if turn == records.STEPPING else turn


def card_of(state: FightState, combatant_id: str) -> Card:
    """The card: hit points, Actions or Reactions as relevant now, and reminders."""
    combatant = state.combatants[combatant_id]
    badges = [Badge("down", "bad")] if not combatant.able else []
    badges += [Badge("hidden", "info")] if combatant.hidden else []
    turn = turn_word(state, combatant)
    if records.is_in_rounds(state) and turn == records.FORFEITED:
        badges.append(Badge("forfeited", "warn"))
    if participant_of(combatant).resting != records.NO_REST:
        badges.append(Badge("rests", "good"))
    badges += [
        Badge(f"{pool.now}/{pool.max} {name}", "info")
        for name, pool in records.dailies_of(combatant).items()
        if pool.now < pool.max or records.mode_of(state) != records.INITIATIVE
    ]
    acted = True if records.is_in_rounds(state) and turn == records.DONE else None
    return Card(
        _pools(state, combatant),
        tuple(badges),
        _initiative(state, combatant),
        pips=_pips(state, combatant),
        acted=acted,
        mark_name="initiative",
    )


def _pips(state: FightState, combatant: Combatant) -> tuple[Pips, ...]:
    """The pips of Actions and Reactions. Actions last its own turn, Reactions until the next (ST-07, ST-31)."""
    if records.mode_of(state) not in (records.INITIATIVE, "") or state.status == "closed":
        return ()
    actions, ready = records.actions_of(combatant), records.reactions_of(state, combatant)
    reactions = Pips(records.REACTIONS, ready.now, spent=ready.max - ready.now)
    if records.reaction_pool(state) == records.ACTIONS:
        return (Pips(records.ACTIONS, actions.now, spent=actions.max - actions.now),)
    turn = turn_state(combatant)
    if records.is_in_rounds(state) and turn in records.OVER:
        return (Pips(records.ACTIONS, spent=actions.max - actions.now, lost=actions.now), reactions)
    if records.is_in_rounds(state) and turn == records.BEGUN:
        return (Pips(records.ACTIONS, actions.now, spent=actions.max - actions.now), reactions)
    return (Pips(records.ACTIONS, coming=actions.max), reactions)


def banner_of(state: FightState) -> Badge | None:
    """The banner of a rest, during which nothing else happens (ST-35)."""
    if records.mode_of(state) != records.REST:
        return None
    title = records.REST_TITLES.get(scene_of(state).rest_kind, "Rest")
    return Badge(f"{title.upper()} {scene_of(state).rest_minutes} min", "good")


def _pools(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The pools to show: under Initiative, Mana for upkeep and reserves that have been used; else all reserves."""
    hp = ("hp",) if "hp" in combatant.pools else ()
    reserves = tuple(pool for pool in ("mana", "focus", "resolve") if pool in combatant.pools)
    if records.mode_of(state) != records.INITIATIVE:
        return (*hp, *reserves)
    shown_reserves = tuple(
        pool for pool in reserves if pool == "mana" or combatant.pool(pool).now < combatant.pool(pool).max
    )
    return (*hp, *shown_reserves)


def _initiative(state: FightState, combatant: Combatant) -> str:
    total = records.initiative_of(combatant)
    return str(total) if total is not None and records.mode_of(state) == records.INITIATIVE else ""


# The system's own fields in the protocol, for participants and for the fight (rules digest, section 2)


def _pool_json(pool: Pool | None) -> Json:
    return None if pool is None else {"cur": pool.now, "max": pool.max}


def _effect_fields(state: FightState, combatant: Combatant, effect: Effect) -> Json:
    price, resource = steps.upkeep_of(effect)
    pool = steps.pool_of(effect)
    strength: Json = steps.dice_of(effect) or effect.magnitude
    return {
        "polarity": effect.kind,
        "change": {"pool": pool, "amount": strength} if effect.kind and strength else None,
        "upkeep": {"resource": resource, "amount": price} if price else None,
        "payer": steps.payer_of(state, combatant, effect),
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


# Reminders for the GM (rules digest, section 8)


def reminders_of(state: FightState) -> tuple[str, ...]:
    """The current reminders for the GM (rules digest, section 8)."""
    if state.status == "closed":
        return ()
    mode = records.mode_of(state)
    if mode == "":
        return _between_scenes(state)
    if mode == records.REST:
        return _during_rest(state)
    if mode == records.FREE and state.step is None:
        return ("Use Initiative for danger or deadlines, free order for talk and puzzles",)
    if mode == records.FREE:
        late_names = list_names([combatant.name for combatant in records.participants_left_out(state)])
        return (
            f"Haven't had a chance yet: {late_names}" if late_names else "Everyone has had a chance",
            "Danger or a deadline? Switch to Initiative",
        )
    if not records.is_in_rounds(state):
        names = list_names([state.combatants[other].name for other in records.participants_to_roll(state)])
        return (f"Still to roll: {names}" if names else "Everyone has rolled",)
    return _in_turn(state)


def _between_scenes(state: FightState) -> tuple[str, ...]:
    people = state.roster
    lines = [] if state.status == "setup" else ["Between Scenes, the party can rest"]
    for pool, word in (("focus", "Focus spent"), ("hp", "Hit points lost"), ("resolve", "Resolve spent")):
        names = [combatant.name for combatant in people if combatant.pool(pool).now < combatant.pool(pool).max]
        lines += [f"{word}: {list_names(names, 4)}"] if names else []
    awake = scene_of(state).awake_h
    lines += [f"Awake for {awake} h"] if awake >= records.LONG_AWAKE_H else []
    return tuple(lines) or ("Use Initiative for danger or deadlines, free order for talk and puzzles",)


def _during_rest(state: FightState) -> tuple[str, ...]:
    kind, minutes = scene_of(state).rest_kind, scene_of(state).rest_minutes
    title, resters = records.REST_TITLES.get(kind, "Rest"), records.resters(state)
    names = ", ".join(combatant.name for combatant in resters)
    if kind == records.FULL:
        sleepless = [combatant.name for combatant in resters if combatant.sheet.get("sleepless") is True]
        more = (f"Meditating instead of sleeping: {', '.join(sleepless)}",) if sleepless else ()
        return (
            f"{title}, {minutes // 60} h without interruption: {names}",
            "Restores HP, Resolve, Focus, Mana and daily abilities",
            *more,
        )
    resolve = [
        f"{combatant.name} {combatant.pool('resolve').now}" for combatant in resters if combatant.pool("resolve").now
    ]
    spend = (f"Resolve to spend on HP: {', '.join(resolve)}",) if resolve else ()
    return (f"{title}, {minutes} min: {names}", "You can loot and identify items; Focus returns at the end", *spend)


def _in_turn(state: FightState) -> tuple[str, ...]:
    combatant = records.actor_of(state)
    if combatant is None:
        return ("No one can act",)
    lines: list[str] = []
    if state.phase == records.OFFER:
        lines.append(_start_of_turn(state, combatant))
        if not rounds.has_turns_after(state, combatant.id) and not records.is_last_offer(state):
            lines.append(f"{combatant.name} can't delay: no one acts later")
    elif state.phase == records.ACTING:
        actions = records.actions_of(combatant)
        actions_text = f"{actions.now} of {actions.max} Actions left"
        lines.append(f"{combatant.name} has {actions_text}; unused Actions are lost")
        ready = [
            f"{other.name} ({records.reactions_of(state, other).now})"
            for other in records.able_participants(state)
            if other.id != combatant.id and records.reactions_of(state, other).now
        ]
        lines += [f"Reactions: {', '.join(ready[:6])}"] if ready else []
    delaying = [other.name for other in records.delayers(state) if other.id != combatant.id]
    lines += [f"Delaying: {', '.join(delaying)}"] if delaying else []
    later_ids = [combatant_id for _, combatant_id in rounds.later_blocks(state)]
    coming = [state.combatants[each].name for each in later_ids if not rounds.why_passed_over(state, each)][:2]
    last = f"Last of the round; the clock then shows {_clock_after_round(state)}"
    lines.append(f"Next: {', '.join(coming)}" if coming else last)
    ending = [
        f"{other.name}: {effect.name}"
        for other in state.roster
        for effect in other.effects
        if effect.left == 1 and effect.ticks == records.ROUND_END
    ]
    lines += [f"Ends with this round: {'; '.join(ending)}"] if ending else []
    return tuple(text for text in lines if text)


def _start_of_turn(state: FightState, combatant: Combatant) -> str:
    parts = [
        f"{effect.name} {effect.magnitude or steps.dice_of(effect)}" for effect in combatant.effects if effect.kind
    ]
    costs = [
        f"{effect.name} costs {steps.upkeep_of(effect)[0]}"
        for effect in combatant.effects
        if steps.upkeep_of(effect)[0]
    ]
    ends = [
        f"{effect.name} ends"
        for other in state.roster
        for effect in other.effects
        if effect.left == 1 and effect.ticks == records.TURN_START and owner_of(state, other, effect) == combatant.id
    ]
    return f"At the start: {', '.join([*parts, *costs, *ends])}" if parts or costs or ends else ""


def _clock_after_round(state: FightState) -> str:
    """ST-08: the least and the most time passed at the end of this round."""
    least, spare = state.clock_s, scene_of(state).clock_spare_s
    return f"{least + records.LEAST_S} to {least + spare + records.MOST_S} s"
