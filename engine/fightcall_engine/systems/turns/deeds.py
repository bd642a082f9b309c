"""What is done in turns and outside them (ST-28..32): Actions, Reactions, Free Actions, attacks, walking, spending."""

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of, harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text
from fightcall_engine.kit.rolls import record_roll, throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer, Strike
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns.offering import able_check, round_check

# Actions


def act_checks(state: FightState, combatant: Combatant, price: int = 1) -> tuple[Check, ...]:
    """ST-28: in step 5 of one's own turn, with Actions left; in free order whenever one likes (ST-09)."""
    if fg.mode(state) == fg.FREE:
        return (able_check(combatant, "ST-09"), fg.open_question(state))
    whose = fg.actor(state)
    name = whose.name if whose is not None else "nobody"
    what = "is offered" if state.phase == fg.OFFER else "runs"
    number = fg.STEP_NUMBERS.get(state.phase, 0)
    now = f"step {number} of it runs" if number else "it is only offered"
    left = fg.actions(combatant).now
    return (
        round_check(state),
        able_check(combatant, "ST-28"),
        Check(
            whose is not None and whose.id == combatant.id,
            "ST-13",
            f"{name}'s turn {what}",
            ("react", "free"),
        ),
        Check(state.phase == fg.ACTING, "ST-22", f"{combatant.name}'s turn has not come to acting: {now}", ("take",)),
        fg.open_question(state),
        Check(price <= left, "ST-29", f"needs {price} Actions, has {left}", (f"at most {left}",)),
    )


def pay_actions(combatant: Combatant, price: int, what: str, target: str = "") -> tev.ActionTaken:
    """ST-28: Actions are spent on something."""
    held = fg.actions(combatant)
    return tev.ActionTaken(
        who=combatant.id,
        before=held.now,
        left=max(0, held.now - price),
        max=held.max,
        amount=price,
        what=what,
        target=target,
    )


def _roll_expression(expression: str, dice: Dice, purpose: str, combatant_id: str) -> ev.Events:
    return (record_roll(dice.roll(expression, purpose, combatant_id), combatant_id),) if expression else ()


def _target(state: FightState, target: str) -> str:
    return combatant_of(state, target).id if target else ""


def decide_act(decision: Decision, command: tcm.Act) -> ev.Events:
    """Spend Actions; the dice that come with it are recorded, and mean what the GM says (ST-28)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    if command.actions < 1:
        raise Refused("ST-28", f"{command.actions} Actions", ("1 or more", "free: a Free Action"), final=True)
    enforce(act_checks(state, combatant, command.actions), referee)
    target = _target(state, command.target)
    thrown = _roll_expression(command.dice, dice, "act", combatant.id)
    if fg.mode(state) == fg.FREE:
        return (tev.TurnTaken(who=combatant.id, what=command.what), *thrown)
    return (pay_actions(combatant, command.actions, command.what, target), *thrown)


# Outside one's turn


def react_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-30: not in one's own turn, and with a Reaction left."""
    running = fg.turn_of(state)
    left = fg.reactions(state, combatant)
    return (
        round_check(state),
        able_check(combatant, "ST-30"),
        Check(running is None or running.id != combatant.id, "ST-30", f"it is {combatant.name}'s own turn", ("act",)),
        Check(left.now > 0, "ST-30", f"{combatant.name} has no Reactions left", ("from the next turn of one's own",)),
    )


def decide_react(decision: Decision, command: tcm.React) -> ev.Events:
    """Answer something in somebody else's turn (ST-30)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(react_checks(state, combatant), referee)
    held = fg.reactions(state, combatant)
    target = _target(state, command.target)
    taken = tev.ReactionTaken(
        who=combatant.id,
        pool=fg.reaction_pool(state),
        before=held.now,
        left=max(0, held.now - 1),
        max=held.max,
        amount=1,
        what=command.what,
        target=target,
    )
    return (taken, *_roll_expression(command.dice, dice, "react", combatant.id))


def free_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-32: in the acting step of one's own turn, or outside it, unless the GM forbids it."""
    running = fg.turn_of(state)
    own = running is not None and running.id == combatant.id
    return (
        Check(fg.scene_open(state), "ST-32", "no Scene is open", ("open_scene",)),
        able_check(combatant, "ST-32"),
        Check(
            not own or state.phase == fg.ACTING,
            "ST-22",
            f"the steps at the start of {combatant.name}'s turn come first",
            ("from step 5 on",),
        ),
        Check(
            fg.trait(combatant, "no_free") is not True,
            "ST-32",
            f"the GM allows {combatant.name} no Free Actions",
            ("a ruling: free",),
        ),
    )


def decide_free(decision: Decision, command: tcm.Free) -> ev.Events:
    """A Free Action; outside one's turn, running or offered, the GM may still say no (ST-32)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(free_checks(state, combatant), referee)
    whose = fg.actor(state)
    done = tev.FreeActionTaken(who=combatant.id, what=command.what)
    if not fg.in_rounds(state) or (whose is not None and whose.id == combatant.id):
        return (done,)
    return (done, ev.RulingAsked(prompt=_free_prompt(combatant, command.what)))


def _free_prompt(combatant: Combatant, what: str) -> Prompt:
    return Prompt(
        id="",
        kind="free_action",
        question=f"{combatant.name}, out of turn: {what or 'a Free Action'}. Allowed?",
        rule="ST-32",
        choices=choices("yes", "no:no, it does not happen"),
        default="yes",
        who=combatant.id,
        side=combatant.side,
        blocking=False,
        data={"what": what},
    )


def answer_free(prompt: Prompt, given: Answer) -> ev.Events:
    """ST-32: the GM may forbid it."""
    if given.choice != "no":
        return ()
    return (tev.FreeActionForbidden(who=prompt.who, what=data_text(prompt, "what")),)


def decide_spend(decision: Decision, command: tcm.Spend) -> ev.Events:
    """Spend a pool, or a use of a daily ability (ST-42)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    pool = fg.pool_named(combatant, command.pool)
    if command.amount < 1:
        raise Refused("amount", f"{command.amount} cannot be spent", ("1 or more",), final=True)
    held = combatant.pools[pool]
    rule = "ST-42" if pool.startswith(fg.DAILY) else "pool"
    name = pool.removeprefix(fg.DAILY)
    short = f"{combatant.name} has {held.now} of {name}, not {command.amount}"
    referee.require(command.amount <= held.now, rule, short, f"at most {held.now}")
    spent = tev.PoolSpent(
        who=combatant.id,
        pool=pool,
        before=held.now,
        left=max(0, held.now - command.amount),
        max=held.max,
        amount=command.amount,
        what=command.what,
    )
    return (spent,)


# Attacks


def target_checks(combatant: Combatant, target: Combatant) -> tuple[Check, ...]:
    """Whom an attack may aim at."""
    return (
        Check(target.id != combatant.id, "ST-28", "nobody strikes themselves", ("somebody else",)),
        Check(target.able, "ST-28", f"{target.name} is down already", ("somebody who stands",)),
    )


def _weapon(combatant: Combatant, name: str) -> dict[str, Json]:
    listed = fg.weapons(combatant)
    if not name:
        return dict(listed[0]) if listed else {}
    found = next((arm for arm in listed if str(arm["name"]).lower() == name.strip().lower()), None)
    if found is None:
        names = tuple(str(arm["name"]) for arm in listed) or ("none is listed",)
        raise Refused("weapon", f"{combatant.name} has no attack {name!r}", names, final=True)
    return dict(found)


def decide_strike(decision: Decision, command: Strike) -> ev.Events:
    """An attack is an Action. The text has no rules for hitting: the GM gives a number or says what came of it."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(act_checks(state, combatant), referee)
    if not command.target:
        raise Refused(
            "target", "an attack on whom?", tuple(other for other in state.order if other != combatant.id), final=True
        )
    target = combatant_of(state, command.target)
    enforce(target_checks(combatant, target), referee)
    said = command.hit is not None or command.needs is not None
    arm = _weapon(combatant, command.weapon) if command.weapon or not said else {}
    what = command.note or str(arm.get("name") or "strike")
    cost: ev.Event = pay_actions(combatant, 1, what, target.id)
    if fg.mode(state) == fg.FREE:
        cost = tev.TurnTaken(who=combatant.id, what=what)
    needs = command.needs if command.needs is not None else _whole(arm.get("needs"))
    damage = command.damage if command.damage is not None else _amount(arm.get("damage"))
    if command.hit is not None:
        resolved = tev.StrikeResolved(who=combatant.id, target=target.id, hit=command.hit)
        return (cost, resolved, *(_apply_harm(state, combatant, target, damage, dice) if command.hit else ()))
    if needs is None:
        return (cost, ev.RulingAsked(prompt=_outcome_prompt(combatant, target, damage)))
    expression = command.dice if command.dice != "d20" else str(arm.get("dice") or "d20")
    roll = dice.roll(expression, "attack", combatant.id)
    total = roll.total + command.modifier
    hit = total >= needs
    resolved = tev.StrikeResolved(who=combatant.id, target=target.id, hit=hit, total=total, needs=needs)
    return (
        cost,
        record_roll(roll, combatant.id),
        resolved,
        *(_apply_harm(state, combatant, target, damage, dice) if hit else ()),
    )


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _amount(value: Json) -> int | str | None:
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def _apply_harm(
    state: FightState, combatant: Combatant, target: Combatant, damage: int | str | None, dice: Dice
) -> ev.Events:
    if damage is None:
        return (ev.RulingAsked(prompt=_damage_prompt(combatant, target)),)
    amount, thrown = throw(damage, dice, "damage", combatant.id)
    return (*thrown, harm(state, target.id, amount, "hp", combatant.id)) if amount else thrown


def _outcome_prompt(combatant: Combatant, target: Combatant, damage: int | str | None) -> Prompt:
    return Prompt(
        id="",
        kind="outcome",
        question=f"{combatant.name} attacks {target.name}: hit or miss?",
        rule="ST-28",
        choices=choices("hit", "miss"),
        who=combatant.id,
        side=combatant.side,
        data={"about": target.id, "damage": damage},
    )


def _damage_prompt(combatant: Combatant, target: Combatant) -> Prompt:
    return Prompt(
        id="",
        kind="damage",
        question=f"{combatant.name} hits {target.name}: how much damage?",
        rule="ST-28",
        choices=choices("none:no damage"),
        default="none",
        who=combatant.id,
        side=combatant.side,
        amount="damage",
        purpose="damage",
        data={"about": target.id},
    )


def answer_outcome(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """The GM says hit or miss; an amount given with a hit is its damage."""
    combatant, target = state.combatants[prompt.who], state.combatants[data_text(prompt, "about")]
    hit = given.choice == "hit"
    resolved = tev.StrikeResolved(who=combatant.id, target=target.id, hit=hit)
    if not hit:
        return (resolved,)
    damage = given.amount if given.amount is not None else _amount(prompt.data.get("damage"))
    return (resolved, *_apply_harm(state, combatant, target, damage, dice))


def answer_damage(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """Damage lands before anything else."""
    if given.choice == "none" or given.amount is None:
        return ()
    amount, thrown = throw(given.amount, dice, "damage", prompt.who)
    return (*thrown, harm(state, data_text(prompt, "about"), amount, "hp", prompt.who))
