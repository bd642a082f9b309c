"""What is shown of a Scene: groups, cards and reminders; events in words, and numbers explained."""

from collections.abc import Callable, Mapping
from itertools import islice

from fightcall_engine.kit.agenda import owner_of
from fightcall_engine.kit.phrases import (
    NOTHING,
    answer_words,
    countdown_words,
    duration_words,
    list_names,
    names_of,
    order_words,
    tell_nothing,
)
from fightcall_engine.kit.records import name_of, sheet_entries, sheet_int
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Group,
    Phrase,
    Pips,
    Tally,
    Trail,
    TrailPart,
    Trails,
    explain_hit_points,
    first_broken,
    group_by_side,
)
from fightcall_engine.model import events
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.state import Combatant, Effect, FightState, Json
from fightcall_engine.systems.turns import entries, offers, records, rounds
from fightcall_engine.systems.turns.records import WORDS, participant_of, scene_of, settings_of, turn_state

SHOWN_BY_OUTCOME = (
    "mode", "step_in", "last_offer", "together", "arrival", "elapsed", "upkeep", "outcome", "damage", "hp_per_resolve",
)  # fmt: skip
"""Kinds of questions whose answer shows in what it brings."""


def groups_of(state: FightState) -> tuple[Group, ...]:
    """Under Initiative, everybody in order, with delayers in a group of their own; otherwise the sides."""
    if records.is_in_rounds(state):
        delayers = tuple(each.id for each in records.delayers(state) if not records.is_offered(state, each.id))
        order = tuple(combatant.id for combatant in state.roster if combatant.id not in delayers)
        in_order = Group("Initiative", "", f"Round {state.round}", order)
        if not delayers:
            return (in_order,)
        # They may step in at any offer, but not during a turn (ST-18).
        note, action = ("steps in", "release") if state.phase == records.OFFER else ("until the next offer", "")
        return in_order, Group("Delaying", "", note, delayers, action=action)
    return group_by_side(state.roster, WORDS.sides, lambda _, members: _note(state, members))


def _note(state: FightState, members: tuple[str, ...]) -> str:
    late, kind = len({*records.waiting(state)} & {*members}), state.step.kind if state.step is not None else ""
    if kind == records.FREE:
        return f"{late} still to act" if late else "all had a chance"
    if kind == records.ROLL:
        return f"{late} to roll" if late else "rolled"
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
    total = records.initiative_of(combatant)
    mark = str(total) if total is not None and records.mode_of(state) == records.INITIATIVE else ""
    pools, pips = _pools(state, combatant), _pips(state, combatant)
    return Card(pools, tuple(badges), mark, pips=pips, acted=acted, mark_name="initiative")


def _pips(state: FightState, combatant: Combatant) -> tuple[Pips, ...]:
    if records.mode_of(state) not in (records.INITIATIVE, "") or state.status == "closed":
        return ()
    actions, ready = combatant.pool(records.ACTIONS), records.reactions_of(state, combatant)
    reactions, spent = Pips(records.REACTIONS, ready.now, spent=ready.max - ready.now), actions.max - actions.now
    if records.reaction_pool(state) == records.ACTIONS:
        return (Pips(records.ACTIONS, actions.now, spent=spent),)
    turn = turn_state(combatant) if records.is_in_rounds(state) else ""
    if turn in records.OVER:
        return (Pips(records.ACTIONS, spent=spent, lost=actions.now), reactions)
    if turn == records.BEGUN:
        return (Pips(records.ACTIONS, actions.now, spent=spent), reactions)
    return (Pips(records.ACTIONS, coming=actions.max), reactions)


def banner_of(state: FightState) -> Badge | None:
    """The banner of a rest, during which nothing else happens (ST-35)."""
    if records.mode_of(state) != records.REST:
        return None
    title = records.REST_TITLES.get(scene_of(state).rest_kind, "Rest")
    return Badge(f"{title.upper()} {scene_of(state).rest_minutes} min", "good")


def _pools(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The pools to show: under Initiative, Mana for upkeep and reserves that have been used; else all reserves."""
    is_all = records.mode_of(state) != records.INITIATIVE
    pools = [(name, combatant.pools[name]) for name in ("hp", "mana", "focus", "resolve") if name in combatant.pools]
    return tuple(name for name, pool in pools if is_all or name in ("hp", "mana") or pool.now < pool.max)


# The system's own fields in the protocol, for participants and for the fight (rules digest, section 2)


def _effect_fields(state: FightState, combatant: Combatant, effect: Effect) -> Json:
    price, resource = rounds.upkeep_of(effect)
    pool = rounds.pool_of(effect)
    strength: Json = rounds.terms_of(effect).dice or effect.magnitude
    return {
        "polarity": effect.kind,
        "change": {"pool": pool, "amount": strength} if effect.kind and strength else None,
        "upkeep": {"resource": resource, "amount": price} if price else None,
        "payer": rounds.payer_of(state, combatant, effect),
        "ends_at_turn_start": effect.left == 1 and effect.ticks == records.TURN_START,
        "anchor": owner_of(state, combatant, effect),
    }


def fields_of(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a participant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    participant = participant_of(combatant)
    pools: dict[str, Json] = dict.fromkeys(records.RESTED)
    pools |= {name: {"cur": pool.now, "max": pool.max} for name, pool in combatant.pools.items() if name in pools}
    dailies = records.dailies_of(combatant).items()
    return {
        "speed": records.speed_of(combatant),
        "actions_max": combatant.pool(records.ACTIONS).max,
        "actions_left": combatant.pool(records.ACTIONS).now,
        "reactions_left": records.reactions_of(state, combatant).now,
        "init_roll": participant.init_roll,
        "initiative": records.initiative_of(combatant),
        "tie_d6": list(participant.tie_d6),
        "turn_state": turn_word(state, combatant),
        **pools,
        "dailies": [{"name": name, "left": pool.now, "max": pool.max} for name, pool in dailies],
        "effects": {effect.id: _effect_fields(state, combatant, effect) for effect in combatant.effects},
        "resting": participant.resting,
        "sleepless": combatant.sheet.get("sleepless") is True,
    }


def facts_of(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.2)."""
    mode, scene, is_open = records.mode_of(state), scene_of(state), records.has_open_scene(state)
    combatant = records.actor_of(state)
    participants = [other.id for other in records.resters(state)]
    rest = {"kind": scene.rest_kind, "minutes": scene.rest_minutes, "participants": participants, "interrupted": False}
    return {
        "scene": {"name": scene.scene, "mode": mode if is_open else None, "open": is_open},
        "mode": mode,
        "pointer": state.order.index(combatant.id) if combatant is not None and combatant.id in state.order else None,
        "actor": combatant.id if combatant is not None else None,
        "turn_step": records.STEP_NUMBERS.get(state.phase),
        "delaying": [other.id for other in records.delayers(state)],
        "clock_min_s": state.clock_s,
        "clock_max_s": state.clock_s + scene.clock_spare_s,
        "rest": rest if mode == records.REST else None,
        "waiting": list(records.waiting(state)),
    }


# Reminders for the GM (rules digest, section 8)


_WHICH_MODE = "Use Initiative for danger or deadlines, free order for talk and puzzles"


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
        return (_WHICH_MODE,)
    if mode == records.FREE:
        late_names = list_names([combatant.name for combatant in records.participants_left_out(state)])
        chances = f"Haven't had a chance yet: {late_names}" if late_names else "Everyone has had a chance"
        return (chances, "Danger or a deadline? Switch to Initiative")
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
    return tuple(lines) or (_WHICH_MODE,)


def _during_rest(state: FightState) -> tuple[str, ...]:
    kind, minutes = scene_of(state).rest_kind, scene_of(state).rest_minutes
    title, resters = records.REST_TITLES.get(kind, "Rest"), records.resters(state)
    names = ", ".join(combatant.name for combatant in resters)
    if kind == records.FULL:
        sleepless = [combatant.name for combatant in resters if combatant.sheet.get("sleepless") is True]
        more = (f"Meditating instead of sleeping: {', '.join(sleepless)}",) if sleepless else ()
        length = f"{title}, {minutes // 60} h without interruption: {names}"
        return (length, "Restores HP, Resolve, Focus, Mana and daily abilities", *more)
    resolve = [f"{each.name} {each.pool('resolve').now}" for each in resters if each.pool("resolve").now]
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
            delayers = " except delayers" if records.delayers(state) else ""
            lines.append(f"{combatant.name} can't delay: no one acts later{delayers}")
    elif state.phase == records.ACTING:
        actions = combatant.pool(records.ACTIONS)
        lines.append(f"{combatant.name} has {actions.now} of {actions.max} Actions left; unused Actions are lost")
        others = (other for other in records.able_participants(state) if other.id != combatant.id)
        left = ((other.name, records.reactions_of(state, other).now) for other in others)
        ready = ", ".join(islice((f"{name} ({number})" for name, number in left if number), 6))
        lines += [f"Reactions: {ready}"] if ready else []
    delaying = [other.name for other in records.delayers(state) if other.id != combatant.id]
    lines += [f"Delaying: {', '.join(delaying)}"] if delaying else []
    later_ids = (each for _, each in rounds.later_blocks(state) if not rounds.why_passed_over(state, each))
    coming = [state.combatants[each].name for each in islice(later_ids, 2)]
    # ST-08: the least and the most time passed at the end of this round.
    least = state.clock_s + records.LEAST_S
    most = state.clock_s + scene_of(state).clock_spare_s + records.MOST_S
    last = f"Last of the round; the clock then shows {least} to {most} s"
    lines.append(f"Next: {', '.join(coming)}" if coming else last)
    last_effects = [(other, effect) for other in state.roster for effect in other.effects if effect.left == 1]
    ending = [f"{other.name}: {effect.name}" for other, effect in last_effects if effect.ticks == records.ROUND_END]
    lines += [f"Ends with this round: {'; '.join(ending)}"] if ending else []
    return tuple(text for text in lines if text)


def _start_of_turn(state: FightState, combatant: Combatant) -> str:
    effects, last = combatant.effects, (1, records.TURN_START)
    parts = [f"{effect.name} {effect.magnitude or rounds.terms_of(effect).dice}" for effect in effects if effect.kind]
    costs = [(effect.name, rounds.upkeep_of(effect)[0]) for effect in effects]
    parts += [f"{name} costs {price}" for name, price in costs if price]
    for other in state.roster:
        ending = (effect for effect in other.effects if (effect.left, effect.ticks) == last)
        parts += [f"{effect.name} ends" for effect in ending if owner_of(state, other, effect) == combatant.id]
    return f"At the start: {', '.join(parts)}" if parts else ""


# How each event is told, and how each result is explained


def _initiative_trail(state: FightState, combatant: Combatant) -> Trail:
    roll, total = participant_of(combatant).init_roll, records.initiative_of(combatant)
    parts = [
        TrailPart("d20", "not rolled" if roll is None else str(roll), "ST-12"),
        TrailPart("Speed", f"{records.speed_of(combatant):+d}", "ST-12"),
    ]
    same = [other for other in state.roster if total is not None and records.initiative_of(other) == total]
    if len(same) > 1:
        speeds = ", ".join(f"{other.name} {records.speed_of(other):+d}" for other in same)
        parts.append(TrailPart("tie broken by higher Speed", speeds, "ST-14"))
    if participant_of(combatant).tie_d6:
        parts.append(TrailPart("tie broken by d6", " ".join(map(str, participant_of(combatant).tie_d6)), "ST-15"))
    return Trail("initiative", "not rolled" if total is None else str(total), tuple(parts))


def _order_trail(state: FightState, combatant: Combatant) -> Trail:
    place = state.order.index(combatant.id) + 1
    by_roll = sorted(state.roster, key=records.rank_key, reverse=True)
    place_by_roll = [other.id for other in by_roll].index(combatant.id) + 1
    parts = [TrailPart("by the roll", str(place_by_roll), "ST-13")]
    if place_by_roll != place:
        is_persistent = settings_of(state).delay_persists
        parts.append(TrailPart("after delays and rulings", str(place), "ST-20" if is_persistent else "Q-T4"))
    parts.append(TrailPart("in this round", turn_word(state, combatant), "ST-06"))
    return Trail("order", f"{place} of {len(state.order)}", tuple(parts))


def _actions(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pool(records.ACTIONS)
    sheet_actions = sheet_int(combatant, "actions")
    base = records.actions_per_turn(combatant.sheet, settings_of(state))
    source, rule = ("default", "Q-T1") if sheet_actions is None else ("sheet", "ST-07")
    parts = [TrailPart(source, str(base), rule)]
    if pool.max != base:
        parts.append(TrailPart("GM override", f"{pool.max - base:+d}"))
    has_begun = turn_state(combatant) in (records.BEGUN, records.DONE)
    returns, lost = ("returns at the start of your turn", "ST-07"), ("spent or lost since your turn started", "ST-28")
    gone, rule = lost if has_begun else returns
    parts.append(TrailPart(gone, str(pool.now - pool.max), rule))
    return Trail("actions", f"{pool.now}/{pool.max}", tuple(parts))


def _reactions(state: FightState, combatant: Combatant) -> Trail:
    pool = records.reactions_of(state, combatant)
    is_shared = records.reaction_pool(state) == records.ACTIONS
    parts = (
        TrailPart("as many as Actions", str(pool.max), "ST-31"),
        TrailPart("unused Actions" if is_shared else "a separate pool", str(pool.now), "Q-T2"),
        TrailPart("come back", "at the start of your turn", "Q-T3"),
    )
    return Trail("reactions", f"{pool.now}/{pool.max}", parts)


def _turn(state: FightState, combatant: Combatant) -> Trail:
    conditions = (
        ("take", offers.take_checks(state, combatant), "ST-13"),
        ("delay", offers.delay_checks(state, combatant), "ST-17"),
        ("step in", offers.step_in_checks(state, combatant), "ST-18"),
        ("act", offers.act_checks(state, combatant), "ST-28"),
        ("react", offers.react_checks(state, combatant), "ST-30"),
        ("Free Action", offers.free_checks(state, combatant), "ST-32"),
    )
    parts = []
    for label, checks, rule in conditions:
        broken, yes = first_broken(checks), TrailPart(label, "yes", rule)
        parts.append(yes if broken is None else TrailPart(f"{label}: {broken.message}", "no", broken.rule))
    return Trail("turn", turn_word(state, combatant), tuple(parts))


def _effects(state: FightState, combatant: Combatant) -> Trail:
    parts: list[TrailPart] = []
    for effect in rounds.arrange_effects(combatant, combatant.effects):
        price, resource = rounds.upkeep_of(effect)
        strength = f"{rounds.terms_of(effect).dice or effect.magnitude}{_beside_hp(rounds.pool_of(effect))}"
        if effect.kind == "negative":
            parts.append(TrailPart(f"{effect.name}, step 1", strength, "ST-23"))
        elif effect.kind == "positive":
            parts.append(TrailPart(f"{effect.name}, step 4", strength, "ST-27"))
        if price:
            payer = state.combatants[rounds.payer_of(state, combatant, effect)].name
            parts.append(TrailPart(f"{effect.name}, step 2: {payer} pays", f"{price} {WORDS.pool(resource)}", "ST-24"))
        if effect.left is not None:
            owner = state.combatants[owner_of(state, combatant, effect)].name
            of_turns = {records.TURN_START: f"turns of {owner}", records.TURN_END: f"turn ends of {owner}"}
            when = of_turns.get(effect.ticks, "rounds")
            parts.append(TrailPart(f"{effect.name}, left", f"{effect.left} {when}", "ST-26"))
        if not effect.kind and not price and effect.left is None:
            parts.append(TrailPart(effect.name, "until ended"))
    return Trail("effects", str(len(combatant.effects)), tuple(parts) or (TrailPart("no effects", ""),))


def _rest_trail(state: FightState, combatant: Combatant) -> Trail:
    parts: list[TrailPart] = []
    for name in (name for name in records.RESTED if name in combatant.pools):
        when, rule = ("Short or Full Rest", "ST-39") if name == "focus" else ("Full Rest", "ST-41")
        parts.append(TrailPart(f"{name} {combatant.pools[name].now}/{combatant.pools[name].max}", when, rule))
    for name, pool in records.dailies_of(combatant).items():
        parts.append(TrailPart(f"{name} {pool.now}/{pool.max}", "Full Rest", "ST-42"))
    awake = scene_of(state).awake_h
    parts += [TrailPart("awake", f"{awake} h", "ST-34")] if awake else []
    return Trail("rest", participant_of(combatant).resting, tuple(parts) or (TrailPart("nothing to restore", ""),))


TRAILS: Trails = {
    "initiative": _initiative_trail,
    "order": _order_trail,
    "actions": _actions,
    "reactions": _reactions,
    "turn": _turn,
    "effects": _effects,
    "hp": lambda _, combatant: explain_hit_points(combatant, source="maximum"),
    "rest": _rest_trail,
}


# The events of Scenes, Rounds, Turns in words


_Deed = entries.ActionTaken | entries.ReactionTaken | entries.TurnTaken


def _deed(state: FightState, event: _Deed, what: str, unnamed: str = "", join: str = " ") -> str:
    """What was done, and to whom: an attack if it is named after one of the actor's weapons.

    `unnamed` is the verb if it has no name; `join` comes before an attack.
    """
    combatant, target_name = state.combatants.get(event.who), name_of(state, event.target) if event.target else ""
    arms = sheet_entries(combatant, "strikes") if combatant is not None and event.target else ()
    if any(weapon["name"] == event.what for weapon in arms):
        return f"{join}attacks {target_name} with {event.what}"
    on = f" on {target_name}" if event.target else ""
    return f": {what}{on}" if what else f"{unnamed}{on}"


def _title(kind: str) -> str:
    return records.REST_TITLES.get(kind, "rest")


def _tie(
    state: FightState, what: str, people: tuple[str, ...], numbers: tuple[int, ...], sign: str, rule: str
) -> Phrase:
    each = zip(people, numbers, strict=True)
    words = ", ".join(f"{name_of(state, combatant_id)} {number:{sign}d}" for combatant_id, number in each)
    return Phrase(f"Tie broken by {what}: {words}", "plain", rule)


def _beside_hp(pool: str) -> str:
    return "" if pool == "hp" else f" {WORDS.pool(pool)}"


def _harm(event: entries.NegativeApplied, state: FightState) -> Phrase:
    size, tail = f"{event.amount}{_beside_hp(event.pool)}", f" ({event.left}/{event.max})" if event.tracked else ""
    return Phrase(f"{name_of(state, event.who)} loses {size} to {event.name}{tail}", "bad", "ST-23")


def _good(event: entries.PositiveApplied, state: FightState) -> Phrase:
    size, name = f"{event.amount}{_beside_hp(event.pool)}", name_of(state, event.who)
    if not event.amount:
        return Phrase(f"{name} recovers nothing from {event.name}: already at maximum", "dim", "ST-27", follows=True)
    return Phrase(f"{name} recovers {size} from {event.name} ({event.left}/{event.max})", "good", "ST-27")


def _action(event: entries.ActionTaken, state: FightState) -> Phrase:
    cost = f", {event.amount} Actions" if event.amount > 1 else ""
    return Phrase(f"{name_of(state, event.who)}{_deed(state, event, event.what, ' acts')}{cost}", "plain", "ST-28")


def _strike(event: entries.StrikeResolved, state: FightState) -> Phrase:
    total = ""
    if event.total is not None and event.needs is not None:
        total = f"{event.total} {'≥' if event.total >= event.needs else '<'} {event.needs} "
    return Phrase("", rule="ST-28", edge=f"{total}{'hit' if event.hit else 'miss'}")


def _turn_end(event: entries.TurnEnded, state: FightState) -> Phrase:
    unused_text = f", {event.unused} Action{'' if event.unused == 1 else 's'} unused" if event.unused else ""
    return Phrase(f"{name_of(state, event.who)} ends the turn{unused_text}", "aside", "ST-04")


def _clock(event: entries.ClockRangeAdvanced, state: FightState) -> Phrase:
    spare = event.value if isinstance(event.value, int) else 0
    return Phrase(f"{state.clock_s} to {state.clock_s + spare} s have passed", "aside", "ST-08")


def _effect(event: events.EffectBegan, state: FightState) -> Phrase | None:
    effect = event.effect
    if not effect.kind and effect.data is None:
        return None
    size, pool = rounds.terms_of(effect).dice or str(abs(effect.magnitude)), WORDS.pool(rounds.pool_of(effect))
    changes = {"negative": f", -{size} {pool} each turn", "positive": f", +{size} {pool} each turn"}
    what = changes.get(effect.kind, "") if rounds.changes_pool(effect) else ""
    upkeep, resource = rounds.upkeep_of(effect)
    price = f", upkeep {upkeep} {WORDS.pool(resource)}" if upkeep else ""
    duration = duration_words(event, state)
    if effect.left is not None and (effect.ticks, effect.clock) == (records.TURN_START, event.who):
        duration = f" for {effect.left} turn{'' if effect.left == 1 else 's'}"
    rule = {"negative": "ST-23", "positive": "ST-27"}.get(effect.kind, "ST-24")
    return Phrase(f"{name_of(state, event.who)}: {effect.name}{what}{price}{duration}", "plain", rule)


def _rest(event: entries.RestBegan, state: FightState) -> Phrase:
    kind, here = _title(event.kind), records.still_here(state, event.resters)
    awake = tuple(each.id for each in here if each.sheet.get("sleepless"))
    how = f" ({names_of(state, awake)}: meditating)" if awake and event.kind == records.FULL else ""
    length = f"{event.minutes // 60} h" if event.minutes % 60 == 0 and event.minutes else f"{event.minutes} min"
    return Phrase(f"{kind}, {length}: {names_of(state, event.resters)}{how}", "plain", "ST-35")


def _refill(rule: str) -> Callable[[events.Refilled, FightState], Phrase]:
    def phrase(event: events.Refilled, state: FightState) -> Phrase:
        text = f"{name_of(state, event.who)}: {WORDS.pool(event.pool)} {event.before} → {event.left}"
        return Phrase(text, "good", rule, follows=True)

    return phrase


_ANSWER_WORDS = {
    ("mode", records.FREE): "The Scene continues in free order",
    ("left_out", "wait"): "The Scene continues",
    ("left_out", "waive"): "The Scene ends without them",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _ruling(event: events.RulingRecorded, state: FightState) -> Phrase | None:
    """A ruling, unless it is an offer that nobody took, or a question that settled itself."""
    if event.rule == "ST-11" and not event.prompt:
        # The heading tells how the Scene goes on.
        title = "Initiative" if event.choice == records.INITIATIVE else "Free order"
        return Phrase(f"{title}: {event.note}", "ruling", "ST-11") if event.note else NOTHING
    prompt = state.prompt(event.prompt) if event.prompt else None
    if prompt is not None and prompt.kind == "step_in" and event.choice == prompt.default:
        return Phrase("No one steps in", "aside", "ST-18")
    if words := answer_words(event, state, _ANSWER_WORDS):
        return Phrase(words, "aside", event.rule)
    quiet = event.default_taken and (event.choice == "moot" or (prompt is not None and not prompt.blocking))
    is_forbidden = prompt is not None and prompt.kind == "free_action" and event.choice == "no"
    is_shown = prompt is not None and (prompt.kind in SHOWN_BY_OUTCOME or is_forbidden)
    return NOTHING if quiet or is_shown else None


PHRASES: Mapping[type[events.Event], Callable[..., Phrase | None]] = {
    entries.SceneBegan: lambda item, state: (
        Phrase(f"Scene: {item.name}", "plain", "ST-01") if item.name and item.name != state.name else NOTHING
    ),
    entries.ModeSet: lambda item, state: (
        Phrase("Initiative: everyone rolls d20 + Speed", "aside", "ST-12")
        if item.mode == records.INITIATIVE
        else Phrase("Free order: act in any order", "aside", "ST-09")
    ),
    # A walk is told by its own event.
    entries.TurnTaken: lambda item, state: (
        NOTHING
        if item.walked
        else Phrase(f"{name_of(state, item.who)}{_deed(state, item, item.what or 'a turn')}", "plain", "ST-09")
    ),
    # The question that follows names who was left out.
    entries.ReminderRaised: lambda item, state: (
        NOTHING if item.left_out else Phrase(f"Reminder: {item.text}", "warn", "ST-34")
    ),
    events.OrderSet: lambda item, state: Phrase(order_words(state, item.order), "plain", "ST-13"),
    events.StepSkipped: tell_nothing,
    # Others than those who came too late for the round are visible anyway.
    entries.TurnPassed: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.cause}", "plain" if item.before == item.value else "dim", "ST-06"
    ),
    # The ribbon and the heading of the turn show other offers.
    entries.TurnOffered: lambda item, state: (
        Phrase(f"{name_of(state, item.who)} acts last this round", "dim", "ST-21") if item.last else NOTHING
    ),
    entries.InitiativeRolled: lambda item, state: Tally("Initiative", name_of(state, item.who), item.total).phrase(
        "ST-12", f"{item.die} {item.speed:+d}"
    ),
    entries.TieBrokenBySpeed: lambda item, state: _tie(state, "Speed", item.figures, item.speeds, "+", "ST-14"),
    entries.TieBrokenByDie: lambda item, state: _tie(state, "d6", item.figures, item.dice, "", "ST-15"),
    entries.NegativeApplied: _harm,
    entries.PositiveApplied: _good,
    entries.UpkeepPaid: lambda item, state: Phrase(
        f"{name_of(state, item.who)} pays {item.amount} {WORDS.pool(item.pool)} for {item.name}, {item.left} left",
        "plain",
        "ST-24",
    ),
    entries.UpkeepUnpaid: lambda item, state: Phrase(
        f"{item.name}: upkeep of {item.amount} {WORDS.pool(item.resource)} not paid ({item.cause})",
        "warn",
        "ST-25",
        follows=True,
    ),
    entries.ActionTaken: _action,
    entries.ReactionTaken: lambda item, state: Phrase(
        f"{name_of(state, item.who)} reacts{_deed(state, item, item.what, join=': ')}", "plain", "ST-30"
    ),
    entries.PoolSpent: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.amount} {WORDS.pool(item.pool)}"
        f"{f': {item.what}' if item.what else ''}, {item.left} left",
        "dim",
        "ST-42",
        follows=True,
    ),
    entries.StrikeResolved: _strike,
    entries.TurnEnded: _turn_end,
    entries.EffectCounted: lambda item, state: Phrase(f"{countdown_words(item, state)}", "dim", "ST-26", follows=True),
    entries.ClockRangeAdvanced: _clock,
    entries.RestBegan: _rest,
    entries.RestCompleted: lambda item, state: Phrase(
        f"The {_title(item.kind)} is over", "plain", "ST-39" if item.kind == records.SHORT else "ST-41"
    ),
    entries.FocusRecovered: _refill("ST-39"),
    entries.PoolsRestored: _refill("ST-41"),
    entries.DailiesRestored: _refill("ST-42"),
    events.EffectBegan: _effect,
    events.AgendaChanged: tell_nothing,
    events.RulingRecorded: _ruling,
    # Rolls for Initiative and ties are told with their results.
    events.DiceRolled: lambda item, state: NOTHING if subject_of(item.purpose) in ("initiative", "tie") else None,
}
"""The functions for events that need more than their `TEXT`; None leaves an event to the core."""
