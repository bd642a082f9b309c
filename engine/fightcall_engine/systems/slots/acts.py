"""Acts paid with slots: in the actor's Active Phase, from reserve, and minor acts (AP-16, AP-19..21, AP-29..31)."""

from dataclasses import replace
from typing import Any, cast

from fightcall_engine.kit.checks import ANOTHER_TARGET, Check, first_broken
from fightcall_engine.kit.combatants import change_pool, combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import YES_NO, choices, prompt_for
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import NoteAdded
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.model.values import field_values
from fightcall_engine.systems.slots import commands, events, queries
from fightcall_engine.systems.slots.abilities import Ability, abilities, ability_for, describe_act
from fightcall_engine.systems.slots.fates import FINISHER_FATES, apply_fate, ask_fate
from fightcall_engine.systems.slots.interrupts import (
    Deed,
    activity_stopped_by,
    current_activity,
    interrupt,
    interrupt_checks,
    is_interrupting_finisher,
    needs_ruling,
    phase_of_deed,
    record_act,
    record_harm,
)
from fightcall_engine.systems.slots.prices import FINAL_TIME, Price, affordable_check, pool_of, price_of, price_of_slots
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import (
    ACTIVE,
    DONE,
    WAITING,
    Blow,
    fighter_of,
)

# Checks


def reserve_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14, AP-15, AP-19: outside their Active Phase, PCs need Reserved Slots of this round."""
    running = state.phase in queries.ROUND_PHASES
    ap = fighter_of(combatant).ap
    if ap == WAITING:
        why = f"{combatant.name} hasn't gained slots this round"
    elif ap == ACTIVE:
        why = f"it is {combatant.name}'s own Active Phase; use Action Slots"
    else:
        why = f"{combatant.name} has no Reserved Slots"
    return (
        *queries.pc_checks(combatant),
        Check(running, "AP-19", "no Active Phase is running", ("a Full Round",)),
        Check(ap == DONE and queries.reserve(combatant).now > 0, "AP-19", why, ("act",) if ap == ACTIVE else ()),
        queries.settled_check(state),
    )


def allowed_check(combatant: Combatant, ability: Ability) -> Check:
    """AP-20: the text of a listed ability must clearly allow Reserved Slots."""
    can = tuple(entry.name for entry in abilities(combatant) if entry.is_usable_from_reserve) or (
        "no ability on the sheet allows it",
    )
    why = f"{ability.name} can't be paid with Reserved Slots"
    return Check(not ability.listed or ability.from_reserve, "AP-20", why, can)


def init_check(ability: Ability) -> Check:
    """AP-08: an ability for Initialization is used in it."""
    why = f"{ability.name} can only be used in Initialization"
    return Check(not ability.init_only, "AP-08", why, ("initialization",))


def alone_check(ability: Ability) -> Check:
    """AP-32: one PC alone cannot use an ability that needs partners."""
    return Check(not ability.partners, "AP-32", f"{ability.name} needs partners", ("combo with a partner",))


def finisher_checks(ability: Ability, target: Combatant | None) -> tuple[Check, ...]:
    """AP-30: Execution and Knockout need a Vulnerable target."""
    if not ability.finisher or target is None:
        return ()
    why = f"{target.name} isn't Vulnerable"
    return (Check(queries.is_vulnerable(target), "AP-30", why, (ANOTHER_TARGET, RulingWanted("vulnerable"))),)


# Doing an act


def deed_checks(state: FightState, deed: Deed) -> tuple[Check, ...]:
    """All checks of an act, whichever pool pays for it."""
    combatant = state.combatants[deed.who]
    target = state.combatants.get(deed.target)
    turn_checks = queries.active_checks(state, combatant) if deed.pool == SLOTS else reserve_checks(state, combatant)
    extra_checks = (allowed_check(combatant, deed.ability),) if deed.pool == RESERVED else ()
    return (
        *turn_checks,
        init_check(deed.ability),
        alone_check(deed.ability),
        *extra_checks,
        *finisher_checks(deed.ability, target),
        *interrupt_checks(state, deed, target),
        affordable_check(combatant, price_of(state, deed.ability, deed.pool, phase_of_deed(state, deed))),
    )


def emit_final_price(decision: Decision, combatant_id: str, price: Price, purpose: str) -> None:
    """AP-23: emit how the Final Phase has multiplied a price, if it has."""
    if price.time == FINAL_TIME:
        decision.emit(events.FinalActionTaken(who=combatant_id, ability=purpose, base=price.base, price=price.total))


def spend(decision: Decision, combatant_id: str, price: Price, purpose: str) -> None:
    """Spend slots from a pool; a forced price takes no more than there is, and nothing from NPCs (AP-04)."""
    emit_final_price(decision, combatant_id, price, purpose)
    combatant = decision.state.combatants[combatant_id]
    now = combatant.pool(price.pool).now
    spent = min(price.total, now)
    if price.total and price.pool in combatant.pools:
        decision.emit(change_pool(events.SlotsSpent, combatant, price.pool, now - spent, amount=spent, purpose=purpose))
        if purpose == fighter_of(combatant).doing:
            decision.set_traits(combatant_id, spent=spent)


def do_deed(decision: Decision, deed: Deed) -> None:
    """Check and do an act; ask the GM first whether its interrupt works (AP-29, AP-39)."""
    decision.require(*deed_checks(decision.state, deed))
    if deed.interrupt and not deed.granted and needs_ruling(decision.state, deed):
        answer = decision.ask(_interrupt_prompt(decision.state, deed))
        if answer is None or answer.choice != "yes":
            return
        decision.require(*deed_checks(decision.state, deed))
    blow = blow_of_deed(decision.state, deed)
    pay_and_announce(decision, deed)
    settle_outcome(decision, deed, blow)


def pay_and_announce(decision: Decision, deed: Deed) -> None:
    """AP-16, AP-21, AP-23: announce an act, make its roll and spend its slots."""
    combatant, name = decision.state.combatants[deed.who], deed.ability.name
    phase = phase_of_deed(decision.state, deed)
    price = price_of(decision.state, deed.ability, deed.pool, phase)
    record_act(decision, deed.who, deed.pool, phase)
    decision.emit(
        events.ActionActivated(
            who=deed.who,
            before=fighter_of(combatant).doing,
            value=name,
            ability=name,
            price=price.total,
            time=price.time,
            target=deed.target,
            roll=roll_for(decision, deed),
            note=deed.note,
        )
    )
    spend(decision, deed.who, price, name)


def roll_for(decision: Decision, deed: Deed) -> int | None:
    """The (v:X) roll of an act; None if it has none, or if its outcome is known and no faces are typed."""
    if not deed.ability.roll or (deed.hit is not None and not decision.dice.has_throw("roll")):
        return None
    return decision.roll(deed.ability.roll, "roll", deed.who).total


# The outcome of an act


def blow_of_deed(state: FightState, deed: Deed) -> Blow | None:
    """What an act would do to its target, read from the state before the act; None without a target."""
    if deed.target not in state.combatants:
        return None
    activity = activity_stopped_by(state, deed)
    return Blow(
        by=deed.who,
        target=deed.target,
        act=deed.ability.name,
        damage=deed.damage if deed.damage is not None else deed.ability.damage,
        finisher=deed.ability.finisher,
        stops=activity.what if activity else "",
        stops_work=activity.is_work if activity else False,
        rule="AP-30" if is_interrupting_finisher(state, deed, state.combatants[deed.target]) else "AP-29",
    )


def settle_outcome(decision: Decision, deed: Deed, blow: Blow | None) -> None:
    """Resolve an act whose outcome is known; ask for the outcome if a roll or damage is at stake."""
    if blow is None:
        return
    hit = True if deed.hit is None and deed.damage is not None else deed.hit
    if hit is not None:
        resolve_blow(decision, blow, hit)
    elif blow.damage is not None or ((deed.interrupt or blow.finisher) and deed.ability.roll):
        decision.spawn(ask_outcome, blow)
    else:
        _stop(decision, blow)
        if blow.finisher:
            decision.spawn(ask_fate, blow)


def _stop(decision: Decision, blow: Blow) -> None:
    """AP-29, AP-30: interrupt what the target was doing, if it is still doing it."""
    activity = current_activity(decision.state.combatants[blow.target], blow.stops_work)
    if blow.stops and activity is not None and activity.what == blow.stops:
        interrupt(decision, blow.by, blow.target, blow.rule, activity)


def resolve_blow(decision: Decision, blow: Blow, hit: bool) -> None:
    """Apply a hit: the interruption, the damage, and what a finisher does. A miss does nothing."""
    decision.emit(events.ActResolved(who=blow.by, target=blow.target, ability=blow.act, hit=hit))
    if not hit:
        return
    _stop(decision, blow)
    target = decision.state.combatants[blow.target]
    if blow.damage is not None:
        amount, dice_events = throw(blow.damage, decision.dice, "damage", blow.by)
        decision.emit(*dice_events)
        decision.hurt(blow.target, amount, "hp", blow.by)
    if blow.finisher:
        apply_fate(decision, blow.target, FINISHER_FATES[blow.finisher])
    record_harm(decision, blow, target)


def ask_outcome(decision: Decision, blow: Blow) -> None:
    """Ask the GM for the outcome of an act, and resolve it: a hit with the sheet's damage, a number, or a miss."""
    combatant, target = decision.state.combatants[blow.by], decision.state.combatants[blow.target]
    damage_text = f" ({blow.damage})" if blow.damage is not None else ""
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="outcome",
            question=f"{combatant.name}: {describe_act(combatant, blow.act, target.name)}. Did it hit?",
            rule="AP-16",
            choices=choices(f"hit:hit{damage_text}", "miss"),
            amount="damage",
            about=(blow.target,),
        )
    )
    if answer is not None:
        resolve_answered(decision, blow, answer, answer.choice != "miss")


def resolve_answered(decision: Decision, blow: Blow, answer: Answer, hit: bool) -> None:
    """Resolve a blow by an answer, with the damage that was typed in it, if any."""
    damage = blow.damage if answer.amount is None else answer.amount
    resolve_blow(decision, replace(blow, damage=damage), hit)


# Act and React


def target_of(
    state: FightState, command: commands.Act | commands.React | commands.Npc | commands.Combo | commands.Begin
) -> str:
    """The id of the target of an act; empty without one.

    Raises:
        Refused: damage is given without a target.
    """
    if command.damage is not None and not command.target:
        others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != command.who)
        raise Refused("target", "choose who takes the damage", others, final=True)
    return combatant_of(state, command.target).id if command.target else ""


def deed_of(
    state: FightState, command: commands.Act | commands.React | commands.Combo, ability: Ability, pool: str
) -> Deed:
    """The act that a command asks for."""
    return Deed(
        who=combatant_of(state, command.who).id,
        ability=ability,
        pool=pool,
        target=target_of(state, command),
        interrupt=command.interrupt,
        work=command.work,
        hit=command.hit,
        damage=command.damage,
        note=command.note,
        granted=command.force,
    )


def as_reaction(state: FightState, command: Command) -> Command:
    """AP-19: return an act as one from reserve, which it is outside its PC's own Active Phase."""
    combatant = state.combatants.get(command.subject_id)
    if not isinstance(command, commands.Act) or combatant is None or queries.is_active(combatant):
        return command
    return commands.React(**cast("dict[str, Any]", field_values(command)))


@handles(commands.Act)
def act(decision: Decision, command: commands.Act) -> None:
    """AP-16: spend Action Slots in the actor's Active Phase."""
    ability = ability_for(decision.combatant(command.who), command.ability, command.cost)
    do_deed(decision, deed_of(decision.state, command, ability, SLOTS))


@handles(commands.React)
def react(decision: Decision, command: commands.React) -> None:
    """AP-19, AP-20: spend Reserved Slots in the Active Phase of others."""
    combatant = decision.combatant(command.who)
    ability = ability_for(combatant, command.ability, command.cost)
    deed = deed_of(decision.state, command, ability, RESERVED)
    decision.require(*deed_checks(decision.state, deed))
    if ability.listed or command.allowed is True or command.force:
        do_deed(decision, deed)
        return
    if command.allowed is False:
        message = f"the GM doesn't allow {ability.name} from reserve"
        raise Refused("AP-20", message, ("an ability that allows it",), final=True)
    price = price_of(decision.state, ability, RESERVED, phase_of_deed(decision.state, deed))
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="reserved",
            question=f"Allow {combatant.name} to pay {price.total} from reserve for {ability.name}?",
            rule="AP-20",
            choices=YES_NO,
            default="no",
            about=(deed.target,) if deed.target else (),
        )
    )
    if answer is not None and answer.choice == "yes":
        do_deed(decision, deed)


def _interrupt_prompt(state: FightState, deed: Deed) -> Prompt:
    combatant, target = state.combatants[deed.who], state.combatants[deed.target]
    activity = activity_stopped_by(state, deed)
    what = activity.what if activity else ""
    return prompt_for(
        combatant,
        kind="interrupt",
        question=f"Can {combatant.name}'s {deed.ability.name} interrupt {target.name} ({what})?",
        rule="AP-39" if activity is not None and (activity.is_work or activity.is_undecided) else "AP-29",
        choices=YES_NO,
        default="no",
        about=(deed.target,),
    )


# Minor acts


def handle_checks(state: FightState, combatant: Combatant, is_shared: bool) -> tuple[Check, ...]:
    """AP-19, AP-31: the checks of a minor act, in the actor's Active Phase or with Reserved Slots."""
    pool = pool_of(combatant)
    turn_checks = queries.active_checks(state, combatant) if pool == SLOTS else reserve_checks(state, combatant)
    return (*turn_checks, affordable_check(combatant, price_of_slots(state, 1 if is_shared else 0, pool), "AP-31"))


@handles(commands.Handle)
def handle(decision: Decision, command: commands.Handle) -> None:
    """AP-31: a shared object costs everybody who handles it a slot; handling it alone is free."""
    combatant = decision.combatant(command.who)
    decision.require(*handle_checks(decision.state, combatant, command.shared is True))
    what = command.what.strip() or "a minor act"
    if command.shared is not None:
        do_minor_act(decision, combatant, what, command.shared)
        return
    price = price_of_slots(decision.state, 1, pool_of(combatant))
    enough = affordable_check(combatant, price).holds
    each = f"yes:yes, {price.total} each" if enough else "cannot:yes, so it can't be done"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="shared",
            question=f"{combatant.name}: {what}. Does more than one combatant have to handle it?",
            rule="AP-31",
            choices=choices(each, "no:no, it is free"),
            default="no",
        )
    )
    if answer is None or answer.choice == "cannot":
        return
    combatant, is_shared = decision.combatant(command.who), answer.choice == "yes"
    broken = first_broken(handle_checks(decision.state, combatant, is_shared=False))
    if broken is not None and not is_shared and not answer.force:
        # Refusing would leave the question open.
        decision.emit(NoteAdded(text=f"{what}: too late, {broken.message}", who=combatant.id))
        return
    decision.require(*handle_checks(decision.state, combatant, is_shared))
    do_minor_act(decision, combatant, what, is_shared)


def do_minor_act(decision: Decision, combatant: Combatant, what: str, is_shared: bool) -> None:
    """Record a minor act, and spend its slot if the object is shared."""
    price = price_of_slots(decision.state, 1 if is_shared else 0, pool_of(combatant))
    record_act(decision, combatant.id, price.pool)
    decision.set_traits(combatant.id, doing=what)
    decision.emit(events.MinorActDone(who=combatant.id, what=what, shared=is_shared, price=price.total))
    if is_shared:
        spend(decision, combatant.id, price, what)
