"""Reminders for the GM (rules digest, section 8)."""

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import effects, records, rounds
from fightcall_engine.systems.turns.records import scene_of


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
    """The steps of the coming turn in which something happens."""
    parts = [
        f"{effect.name} {effect.magnitude or effects.dice_of(effect)}" for effect in combatant.effects if effect.kind
    ]
    costs = [
        f"{effect.name} costs {effects.upkeep_of(effect)[0]}"
        for effect in combatant.effects
        if effects.upkeep_of(effect)[0]
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
