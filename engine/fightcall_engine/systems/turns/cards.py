"""The roster of Scenes, Rounds, Turns: groups, and what a card shows of a participant."""

from fightcall_engine.kit.views import Badge, Card, Group, Pips
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import records
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
        return f"{len(late_ids)} haven't had a chance yet" if late_ids else "everyone has had a chance"
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
