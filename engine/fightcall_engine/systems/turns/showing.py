"""How Scenes, Rounds, Turns shows a fight: groups, badges, reminders, and its own fields in the protocol."""

from collections.abc import Mapping

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.kit.views import Badge, Card, Group, Pips
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import rests, rounds, scenes, steps

# The roster


def groups(state: FightState) -> tuple[Group, ...]:
    """Under Initiative everybody in the order, delayers set apart; otherwise the sides."""
    if fg.in_rounds(state):
        out = tuple(combatant.id for combatant in fg.delayers(state) if not fg.is_offered(state, combatant.id))
        order = tuple(combatant.id for combatant in fg.in_order(state) if combatant.id not in out)
        found = [Group("Initiative", "", f"Round {state.round}", order)]
        return (*found, _delaying(state, out)) if out else tuple(found)
    titles = {fg.PARTY: "Party", fg.FOE: "Foes", fg.OTHER: "Others"}
    found = []
    for side, title in titles.items():
        members = tuple(combatant.id for combatant in fg.in_order(state) if combatant.side == side)
        if members:
            found.append(Group(title, side, _note(state, members), members))
    return tuple(found)


def _delaying(state: FightState, out: tuple[str, ...]) -> Group:
    """ST-18: who has put the turn off may step in at any offer, and not during a turn."""
    now = state.phase == fg.OFFER
    return Group("Delaying", "", "steps in" if now else "until the next offer", out, action="release" if now else "")


def _note(state: FightState, members: tuple[str, ...]) -> str:
    left = [combatant_id for combatant_id in fg.waiting(state) if combatant_id in members]
    if state.step is None:
        return ""
    if state.step.kind == fg.FREE:
        return f"{len(left)} without a chance yet" if left else "all have had a chance"
    if state.step.kind == fg.ROLL:
        return f"{len(left)} to roll" if left else "rolled"
    return ""


def turn_state(state: FightState, combatant: Combatant) -> str:
    """ST-04, ST-17: where somebody stands in this round, in the digest's words."""
    turn = fg.text_trait(combatant, "turn")
    if fg.is_offered(state, combatant.id):
        return "offered"
    if turn == fg.BEGUN:
        return "acting" if state.phase in (fg.ACTING, fg.END) else "starting"
    return fg.WAITING if turn == fg.STEPPING else turn


def card(state: FightState, combatant_id: str) -> Card:
    """Hit points and the Actions or Reactions that count now, and what a GM must not forget about somebody."""
    combatant = state.combatants[combatant_id]
    badges: list[Badge] = []
    if not combatant.able:
        badges.append(Badge("down", "bad"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    turn = turn_state(state, combatant)
    if fg.in_rounds(state) and turn == fg.FORFEITED:
        badges.append(Badge("forfeited", "warn"))
    if fg.text_trait(combatant, "resting") in rests.TITLES:
        badges.append(Badge("rests", "good"))
    badges += [
        Badge(f"{pool.now}/{pool.max} {name}", "info")
        for name, pool in fg.dailies(combatant).items()
        if pool.now < pool.max or fg.mode(state) != fg.INITIATIVE
    ]
    acted = True if fg.in_rounds(state) and turn == fg.DONE else None
    return Card(
        _pools(state, combatant), tuple(badges), _standing(state, combatant), pips=_pips(state, combatant), acted=acted
    )


def _pips(state: FightState, combatant: Combatant) -> tuple[Pips, ...]:
    """ST-07, ST-31: Actions come with one's own turn and go with it; Reactions last from one turn to the next."""
    if fg.mode(state) not in (fg.INITIATIVE, ""):
        return ()
    held, ready = fg.actions(combatant), fg.reactions(state, combatant)
    again = Pips(fg.REACTIONS, ready.now, spent=ready.max - ready.now)
    if fg.reaction_pool(state) == fg.ACTIONS:
        return (Pips(fg.ACTIONS, held.now, spent=held.max - held.now),)
    turn = fg.text_trait(combatant, "turn")
    if fg.in_rounds(state) and turn in fg.OVER:
        return (Pips(fg.ACTIONS, spent=held.max - held.now, lost=held.now), again)
    if fg.in_rounds(state) and turn == fg.BEGUN:
        return (Pips(fg.ACTIONS, held.now, spent=held.max - held.now), again)
    return (Pips(fg.ACTIONS, coming=held.max), again)


def banner(state: FightState) -> Badge | None:
    """A rest that is being taken: nothing else happens meanwhile (ST-35)."""
    if fg.mode(state) != fg.REST:
        return None
    title = rests.TITLES.get(fg.text_fact(state, "rest_kind"), "Rest")
    return Badge(f"{title.upper()} {fg.number_fact(state, 'rest_minutes')} min", "good")


def _pools(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """Under Initiative Mana for upkeep, and reserves that were drawn on; else all reserves."""
    hp = ("hp",) if "hp" in combatant.pools else ()
    reserves = tuple(pool for pool in ("mana", "focus", "resolve") if pool in combatant.pools)
    if fg.mode(state) != fg.INITIATIVE:
        return (*hp, *reserves)
    drawn = tuple(pool for pool in reserves if pool == "mana" or combatant.pool(pool).now < combatant.pool(pool).max)
    return (*hp, *drawn)


def _standing(state: FightState, combatant: Combatant) -> str:
    total = fg.initiative(combatant)
    return str(total) if total is not None and fg.mode(state) == fg.INITIATIVE else ""


# What to think of


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    mode = fg.mode(state)
    if mode == "":
        return _between(state)
    if mode == fg.REST:
        return _rest(state)
    if mode == fg.FREE and state.step is None:
        return ("Danger or a deadline: Initiative; talk and puzzles: free order",)
    if mode == fg.FREE:
        left = ", ".join(combatant.name for combatant in scenes.left_out(state))
        return (f"No chance yet: {left}" if left else "Everybody has had a chance", "Danger or a deadline: Initiative")
    if not fg.in_rounds(state):
        names = ", ".join(state.combatants[combatant_id].name for combatant_id in fg.missing(state))
        return (f"No result yet: {names}" if names else "All results are in",)
    return _turn(state)


def _between(state: FightState) -> tuple[str, ...]:
    people = fg.in_order(state)
    found = [] if state.status == "setup" else ["Between Scenes: a rest?"]
    for pool, word in (("focus", "Focus spent"), ("hp", "hit points lost"), ("resolve", "Resolve spent")):
        names = [combatant.name for combatant in people if combatant.pool(pool).now < combatant.pool(pool).max]
        found += [f"{word}: {', '.join(names[:4])}"] if names else []
    awake = fg.number_fact(state, "awake_h")
    found += [f"Awake for {awake} h"] if awake >= scenes.LONG_AWAKE_H else []
    return tuple(found) or ("Danger or a deadline: Initiative; talk and puzzles: free order",)


def _rest(state: FightState) -> tuple[str, ...]:
    kind, minutes = fg.text_fact(state, "rest_kind"), fg.number_fact(state, "rest_minutes")
    title = rests.TITLES.get(kind, "Rest")
    names = ", ".join(combatant.name for combatant in rests.resters(state))
    if kind == fg.FULL:
        sleepless = [combatant.name for combatant in rests.resters(state) if combatant.sheet.get("sleepless") is True]
        more = (f"Without sleep, meditating: {', '.join(sleepless)}",) if sleepless else ()
        return (
            f"{title}, {minutes // 60} h without a break: {names}",
            "Restores hp, Resolve, Focus, Mana, dailies",
            *more,
        )
    resolve = [
        f"{combatant.name} {combatant.pool('resolve').now}"
        for combatant in rests.resters(state)
        if combatant.pool("resolve").now
    ]
    spend = (f"Resolve for hp: {', '.join(resolve)}",) if resolve else ()
    return (f"{title}, {minutes} min: {names}", "Loot, identify; Focus comes back at the end", *spend)


def _turn(state: FightState) -> tuple[str, ...]:
    combatant = fg.actor(state)
    if combatant is None:
        return ("Nobody can act",)
    found: list[str] = []
    if state.phase == fg.OFFER:
        found.append(_what_starts(state, combatant))
        if not rounds.someone_later(state, combatant.id) and not fg.is_last_offer(state):
            found.append("Nobody lower: no delay")
    elif state.phase == fg.ACTING:
        held = fg.actions(combatant)
        found.append(f"{held.now} of {held.max} Actions left; unused ones are lost")
        ready = [
            f"{other.name} {fg.reactions(state, other).now}" for other in fg.able(state) if other.id != combatant.id
        ]
        ready = [text for text in ready if not text.endswith(" 0")]
        found += [f"Reactions: {', '.join(ready[:6])}"] if ready else []
    out = [other.name for other in fg.delayers(state) if other.id != combatant.id]
    found += [f"Delaying: {', '.join(out)}"] if out else []
    coming = [
        state.combatants[combatant_id].name
        for _, combatant_id in rounds.ahead(state)[:2]
        if combatant_id in state.combatants
    ]
    found.append(f"Next: {', '.join(coming)}" if coming else f"Last of the round; then {clock_range(state, 1)}")
    ending = [
        f"{other.name}: {effect.name}"
        for other in fg.in_order(state)
        for effect in other.effects
        if effect.left == 1 and effect.ticks == fg.ROUND_END
    ]
    found += [f"Ends with this round: {'; '.join(ending)}"] if ending else []
    return tuple(text for text in found if text)


def _what_starts(state: FightState, combatant: Combatant) -> str:
    """Which steps will have something in them when the turn begins."""
    parts = [
        f"{effect.name} {effect.magnitude or effect.data.get('dice')}" for effect in combatant.effects if effect.kind
    ]
    costs = [
        f"{effect.name} costs {steps.upkeep(effect)[0]}" for effect in combatant.effects if steps.upkeep(effect)[0]
    ]
    ends = [
        f"{effect.name} ends"
        for other in fg.in_order(state)
        for effect in other.effects
        if effect.left == 1 and effect.ticks == fg.TURN_START and owner_of(state, other, effect) == combatant.id
    ]
    return f"At the start: {', '.join([*parts, *costs, *ends])}" if parts or costs or ends else ""


def clock_range(state: FightState, more: int = 0) -> str:
    """ST-08: the least and the most time that has passed, after so many rounds more."""
    least, most = clock(state)
    return f"{least + more * rounds.LEAST_S} to {most + more * rounds.MOST_S} s"


def clock(state: FightState) -> tuple[int, int]:
    """ST-08: the least and the most seconds that have passed."""
    return state.clock_s, state.clock_s + fg.number_fact(state, "clock_spare_s")


# The protocol


def _pool_json(pool: Pool | None) -> Json:
    return None if pool is None else {"cur": pool.now, "max": pool.max}


def lasting(state: FightState, combatant: Combatant, effect: Effect) -> Json:
    """An effect in the digest's words (section 2.1)."""
    price, resource = steps.upkeep(effect)
    pool = str(effect.data.get("pool") or "hp")
    strength: Json = str(effect.data["dice"]) if effect.data.get("dice") else effect.magnitude
    return {
        "polarity": effect.kind,
        "change": {"pool": pool, "amount": strength} if effect.kind and strength else None,
        "upkeep": {"resource": resource, "amount": price} if price else None,
        "payer": steps.payer_of(state, combatant, effect),
        "ends_at_turn_start": effect.left == 1 and effect.ticks == fg.TURN_START,
        "anchor": owner_of(state, combatant, effect),
    }


def fields(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a participant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    dailies: list[Json] = [
        {"name": name, "left": pool.now, "max": pool.max} for name, pool in fg.dailies(combatant).items()
    ]
    return {
        "speed": fg.speed(combatant),
        "actions_max": fg.actions(combatant).max,
        "actions_left": fg.actions(combatant).now,
        "reactions_left": fg.reactions(state, combatant).now,
        "init_roll": fg.init_roll(combatant),
        "initiative": fg.initiative(combatant),
        "tie_d6": list(fg.tie_dice(combatant)),
        "turn_state": turn_state(state, combatant),
        **{name: _pool_json(combatant.pools.get(name)) for name in fg.RESTED},
        "dailies": dailies,
        "effects": {effect.id: lasting(state, combatant, effect) for effect in combatant.effects},
        "resting": fg.text_trait(combatant, "resting") or "none",
        "sleepless": combatant.sheet.get("sleepless") is True,
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.2)."""
    mode = fg.mode(state)
    combatant = fg.actor(state)
    least, most = clock(state)
    rest: Json = None
    if mode == fg.REST:
        rest = {
            "kind": fg.text_fact(state, "rest_kind"),
            "minutes": fg.number_fact(state, "rest_minutes"),
            "participants": [other.id for other in rests.resters(state)],
            "interrupted": False,
        }
    scene = {"name": fg.text_fact(state, "scene"), "mode": mode if fg.scene_open(state) else None}
    number = fg.STEP_NUMBERS.get(state.phase)
    return {
        "scene": {**scene, "open": fg.scene_open(state)},
        "mode": mode,
        "pointer": state.order.index(combatant.id) if combatant is not None and combatant.id in state.order else None,
        "actor": combatant.id if combatant is not None else None,
        "turn_step": number,
        "delaying": [other.id for other in fg.delayers(state)],
        "clock_min_s": least,
        "clock_max_s": most,
        "rest": rest,
        "waiting": list(fg.waiting(state)),
    }
