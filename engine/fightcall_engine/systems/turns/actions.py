"""Acts in and out of turn (ST-28..32): Actions, Reactions, Free Actions, walking, spending."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import plan_walk, ruled_ground, take_walk
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import commands, events, records
from fightcall_engine.systems.turns.offers import able_check, round_check
from fightcall_engine.systems.turns.records import participant_of

# Actions


def act_checks(state: FightState, combatant: Combatant, price: int = 1) -> tuple[Check, ...]:
    """ST-28: in step 5 of its own turn, with Actions left; in free order at any time (ST-09)."""
    if records.mode_of(state) == records.FREE:
        return (able_check(combatant, "ST-09"), question_check(state))
    actor = records.actor_of(state)
    name = actor.name if actor is not None else "nobody"
    what = "is offered" if state.phase == records.OFFER else "runs"
    number = records.STEP_NUMBERS.get(state.phase, 0)
    now = f"step {number} of the turn comes first" if number else "the turn is only offered"
    actions_left, question = records.actions_of(combatant).now, question_check(state)
    return (
        round_check(state),
        able_check(combatant, "ST-28"),
        Check(
            actor is not None and actor.id == combatant.id,
            "ST-13",
            f"{name}'s turn {what}",
            ("react", "free"),
            is_turn=True,
        ),
        # When the questions of earlier steps are answered, the turn reaches the acting step.
        Check(
            state.phase == records.ACTING,
            "ST-22",
            f"{combatant.name} can't act yet: {now}",
            ("take",) if question_check(state, "last_offer").holds else question.accepts,
            is_turn=True,
        ),
        question,
        Check(
            price <= actions_left,
            "ST-29",
            f"needs {price} Actions; {combatant.name} has {actions_left}",
            (f"at most {actions_left}",),
        ),
    )


def spend_actions(
    decision: Decision,
    combatant: Combatant,
    price: int,
    what: str,
    target_id: str = "",
    event_type: type[events.ActionTaken] = events.ActionTaken,
) -> None:
    """ST-28: spend Actions. In free order it only counts as having had a turn (ST-09)."""
    if records.mode_of(decision.state) == records.FREE:
        walked = event_type is events.WalkPaid
        decision.emit(events.TurnTaken(who=combatant.id, what=what, target=target_id, walked=walked))
        return
    records.spend(decision, event_type, combatant, records.ACTIONS, price, what=what, target=target_id)


def _roll_dice(decision: Decision, dice: str, purpose: str, combatant_id: str) -> None:
    """Record the dice of an act; the GM says what they mean (ST-28)."""
    if dice:
        decision.roll(dice, purpose, combatant_id)


@handles(commands.Act)
def act(decision: Decision, command: commands.Act) -> None:
    """Spend Actions on something (ST-28)."""
    combatant = decision.combatant(command.who)
    if command.actions < 1:
        raise Refused("ST-28", f"{command.actions} Actions", ("1 or more", "free: a Free Action"), final=True)
    decision.require(*act_checks(decision.state, combatant, command.actions))
    target_id = decision.combatant(command.target).id if command.target else ""
    spend_actions(decision, combatant, command.actions, command.what, target_id)
    _roll_dice(decision, command.dice, "act", combatant.id)


@handles(Move)
def move(decision: Decision, command: Move) -> None:
    """Walk for one Action, or for as many as the GM says; the rules give no distances."""
    combatant = decision.combatant(command.who)
    price = ruled_ground(command.ground, 1)
    decision.require(*act_checks(decision.state, combatant, price))
    walk = plan_walk(decision, command)
    spend_actions(decision, combatant, price, f"move {walk.places}", event_type=events.WalkPaid)
    take_walk(decision, walk)


# Out of turn


def react_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-30: not in its own turn, and with a Reaction left."""
    running = records.running_turn(state)
    reactions_left = records.reactions_of(state, combatant)
    return (
        round_check(state),
        able_check(combatant, "ST-30"),
        Check(
            running is None or running.id != combatant.id,
            "ST-30",
            f"it is already {combatant.name}'s turn",
            ("act",),
            is_turn=True,
        ),
        Check(
            reactions_left.now > 0,
            "ST-30",
            f"{combatant.name} has no Reactions left",
            ("again on your next turn",),
        ),
    )


def spend_reaction(decision: Decision, combatant: Combatant, what: str, target_id: str) -> None:
    """ST-30: one Reaction, from its own pool or from the Actions (Q-T2)."""
    pool = records.reaction_pool(decision.state)
    records.spend(decision, events.ReactionTaken, combatant, pool, 1, what=what, target=target_id)


@handles(commands.React)
def react_to_act(decision: Decision, command: commands.React) -> None:
    """React in another combatant's turn (ST-30)."""
    combatant = decision.combatant(command.who)
    decision.require(*react_checks(decision.state, combatant))
    target_id = decision.combatant(command.target).id if command.target else ""
    spend_reaction(decision, combatant, command.what, target_id)
    _roll_dice(decision, command.dice, "react", combatant.id)


def free_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-32: in the acting step of its own turn, or outside it, unless the GM forbids it."""
    running = records.running_turn(state)
    is_own_turn = running is not None and running.id == combatant.id
    return (
        Check(records.has_open_scene(state), "ST-32", "no Scene is open", ("open_scene",)),
        able_check(combatant, "ST-32"),
        Check(
            not is_own_turn or state.phase == records.ACTING,
            "ST-22",
            f"finish the start of {combatant.name}'s turn first",
            ("from step 5 on",),
        ),
        Check(
            not participant_of(combatant).no_free,
            "ST-32",
            f"the GM doesn't allow {combatant.name} any Free Actions",
            (RulingWanted("free"),),
        ),
    )


@handles(commands.Free)
def take_free_action(decision: Decision, command: commands.Free) -> None:
    """Take a Free Action; outside one's own running or offered turn, the GM can forbid it (ST-32)."""
    state = decision.state
    combatant, actor = decision.combatant(command.who), records.actor_of(state)
    decision.require(*free_checks(state, combatant))
    decision.emit(events.FreeActionTaken(who=combatant.id, what=command.what))
    is_own_turn = actor is not None and actor.id == combatant.id
    if not records.is_in_rounds(state) or is_own_turn:
        return
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="free_action",
            question=f"Allow {combatant.name} this out of turn: {command.what or 'a Free Action'}?",
            rule="ST-32",
            choices=choices("yes", "no:no, it doesn't happen"),
            default="yes",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == "no":
        decision.emit(events.FreeActionForbidden(who=combatant.id, what=command.what))


@handles(commands.Spend)
def spend_pool(decision: Decision, command: commands.Spend) -> None:
    """Spend a pool, or a use of a daily ability (ST-42); Actions and Reactions when they may be used (ST-28, ST-30)."""
    combatant = decision.combatant(command.who)
    pool = records.find_pool(combatant, command.pool)
    if command.amount < 1:
        raise Refused("amount", f"you can't spend {command.amount}", ("1 or more",), final=True)
    points = combatant.pools[pool]
    rule = "ST-42" if pool.startswith(records.DAILY) else "pool"
    short = f"{combatant.name} has {points.now} of {pool.removeprefix(records.DAILY)}, not {command.amount}"
    decision.require(
        *(act_checks(decision.state, combatant, command.amount) if pool == records.ACTIONS else ()),
        *(react_checks(decision.state, combatant) if pool == records.REACTIONS else ()),
        Check(command.amount <= points.now, rule, short, (f"at most {points.now}",)),
    )
    records.spend(decision, events.PoolSpent, combatant, pool, command.amount, what=command.what)
