"""Multi-Round Actions, which take more than one Full Round to pay (AP-34..41)."""

from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import YES_NO, choices, prompt_for
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import commands, events, queries
from fightcall_engine.systems.slots.abilities import Ability, ability_for, find_ability
from fightcall_engine.systems.slots.acts import (
    alone_check,
    ask_outcome,
    emit_final_price,
    init_check,
    resolve_answered,
    resolve_blow,
    spend,
    target_of,
)
from fightcall_engine.systems.slots.interrupts import Deed, activity_stopped_by, current_activity, interrupt, record_act
from fightcall_engine.systems.slots.prices import ACTIVE_TIME, Price, price_of
from fightcall_engine.systems.slots.queries import SLOTS
from fightcall_engine.systems.slots.records import Blow, Work, fighter_of

# Beginning


def begin_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-34: an action is begun with at least one Action Slot, and no other in progress."""
    work = fighter_of(combatant).work
    work_name = work.name if work is not None else ""
    return (
        *queries.active_checks(state, combatant, "AP-34"),
        Check(
            not work_name,
            "AP-34",
            f"{combatant.name} is in the middle of {work_name}",
            ("continue", RulingWanted("drop")),
        ),
        _slots_check(combatant, "AP-34"),
    )


def _slots_check(combatant: Combatant, rule: str) -> Check:
    has_slots = queries.slots(combatant).now > 0
    return Check(has_slots, rule, f"{combatant.name} has no Action Slots left", ("the next Active Phase",))


@handles(commands.Begin)
def begin(decision: Decision, command: commands.Begin) -> None:
    """AP-34, AP-37: begin an action; price (Q-A14) and sealed roll are fixed now. One paid in full is done at once."""
    combatant = decision.combatant(command.who)
    ability = ability_for(combatant, command.ability, command.needed)
    slots_left = queries.slots(combatant).now
    if command.pay is not None and command.pay < 1:
        raise Refused("AP-34", f"{command.pay} slots can't start it", (f"1 to {max(1, slots_left)}",), final=True)
    decision.require(init_check(ability), alone_check(ability), *begin_checks(decision.state, combatant))
    price = price_of(decision.state, ability, SLOTS)
    pay = command.pay if command.pay is not None else min(slots_left, price.total)
    is_multi_round = ability.multi_round or not ability.listed
    most = f"1 to {min(slots_left, price.total)}"
    decision.require(
        Check(is_multi_round, "AP-34", f"{ability.name} isn't an action of several rounds", ("act",)),
        Check(pay <= price.total, "AP-34", f"{ability.name} costs {price.total}", (most,)),
        Check(pay <= slots_left, "AP-34", f"needs {pay} slots; {combatant.name} has {slots_left}", (most,)),
    )
    work = Work(
        ability.name,
        price.total,
        roll=command.result,
        breakable=command.interruptible if command.interruptible is not None else ability.interruptible,
        target=target_of(decision.state, command),
        damage=command.damage,
    )
    begin_work(decision, combatant.id, work, command.dice or ability.roll, command.note)
    emit_final_price(decision, combatant.id, price, work.name)
    blow = _blow_of_work(decision.state, combatant, work, work.target, work.damage)
    if _pay(decision, combatant.id, min(pay, slots_left, price.total)):
        complete(decision, combatant.id, blow)


def begin_work(decision: Decision, combatant_id: str, work: Work, dice: str, note: str = "") -> None:
    """AP-37: record an action in progress, with its sealed roll unless that was typed."""
    faces: tuple[int, ...] = ()
    if work.roll is None and dice:
        roll = decision.dice.roll(dice, "sealed", combatant_id)
        work, faces = replace(work, roll=roll.total), roll.faces
    decision.emit(
        events.MultiRoundBegan(
            who=combatant_id,
            value=replace(work, begun_in=decision.state.round),
            needed=work.needed,
            roll=work.roll,
            dice=dice,
            faces=faces,
            target=work.target,
            note=note,
        )
    )


def _work_of(decision: Decision, combatant_id: str) -> Work:
    """The action that a combatant has in progress.

    Raises:
        Refused: there is none.
    """
    combatant = decision.state.combatants[combatant_id]
    work = fighter_of(combatant).work
    if work is None:
        raise Refused("AP-35", f"{combatant.name} has nothing in progress", ("begin",), final=True)
    return work


def _pay(decision: Decision, combatant_id: str, pay: int) -> bool:
    """AP-34, AP-35: pay an instalment, which is an act; return whether all is paid now (AP-40)."""
    work = _work_of(decision, combatant_id)
    is_last = work.paid + pay >= work.needed
    record_act(decision, combatant_id, SLOTS)
    # AP-38: a payment can be interrupted, the last one too.
    decision.set_traits(
        combatant_id,
        doing=work.name if work.breakable is not False or not is_last else "",
        undecided=work.breakable is None,
    )
    record_progress(decision, combatant_id, work, work.paid + pay)
    spend(decision, combatant_id, Price(pay, pay, ACTIVE_TIME, SLOTS), work.name)
    work = _work_of(decision, combatant_id)
    decision.set_traits(combatant_id, work=replace(work, paid_in=decision.state.round), spent=work.paid)
    return is_last


def record_progress(decision: Decision, combatant_id: str, work: Work, slots_paid: int) -> None:
    """AP-34, AP-35, AP-44: record an instalment, or a Full Round of an NPC's work."""
    decision.emit(
        events.MultiRoundPaid(
            who=combatant_id, before=work.paid, value=slots_paid, action=work.name, paid=slots_paid, needed=work.needed
        )
    )


# Continuing


def continue_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-35: an action is continued in a later Full Round, with Action Slots."""
    work = fighter_of(combatant).work
    work_name = work.name if work is not None else ""
    later = work is not None and work.begun_in < state.round
    return (
        *queries.active_checks(state, combatant, "AP-35"),
        Check(bool(work_name), "AP-35", f"{combatant.name} has nothing in progress", ("begin",)),
        Check(later, "AP-35", f"{work_name} continues in the next Full Round", ("the next Full Round",)),
        _slots_check(combatant, "AP-35"),
    )


@handles(commands.Continue)
def continue_work(decision: Decision, command: commands.Continue) -> None:
    """AP-35, AP-40, AP-41: pay the next instalment; the last one completes the action and opens its roll."""
    combatant = decision.combatant(command.who)
    work = _work_of(decision, combatant.id)
    decision.require(*continue_checks(decision.state, combatant))
    slots_left, due = queries.slots(combatant).now, max(0, work.needed - work.paid)
    pay = command.pay if command.pay is not None else min(slots_left, due)
    if pay < min(1, due) or pay > due:
        raise Refused("AP-35", f"{pay} slots paid; {due} are due", (f"1 to {min(slots_left, due)}",), final=True)
    decision.require(
        Check(
            pay <= slots_left, "AP-35", f"needs {pay} slots; {combatant.name} has {slots_left}", (f"1 to {slots_left}",)
        )
    )
    target_id = combatant_of(decision.state, command.target).id if command.target else work.target
    blow = _blow_of_work(decision.state, combatant, work, target_id, command.damage)
    if not _pay(decision, combatant.id, min(pay, slots_left)):
        return
    success = True if command.success is None and command.damage is not None else command.success
    if success is None:
        complete(decision, combatant.id, blow)
        return
    work = _finish_work(decision, combatant.id)
    decision.emit(events.CheckResolved(who=combatant.id, ability=work.name, passed=success, roll=work.roll))
    if blow is not None:
        resolve_blow(decision, blow, success)


def complete_npc_work(decision: Decision, event: events.MultiRoundPaid) -> None:
    """AP-05, AP-44: complete an NPC's action of several rounds at the end of its last one."""
    combatant = decision.state.combatants.get(event.who)
    work = fighter_of(combatant).work if combatant is not None else None
    if combatant is None or work is None or queries.is_pc(combatant) or event.paid < event.needed:
        return
    complete(decision, combatant.id, _blow_of_work(decision.state, combatant, work, work.target, None))


def go_on_in_skipped_time(decision: Decision, rounds: int) -> None:
    """AP-05: NPCs go on with their actions of several rounds in time that the GM skips; PCs pay for theirs in slots."""
    for combatant in decision.state.roster:
        work = fighter_of(combatant).work
        if work is not None and not queries.is_pc(combatant):
            record_progress(decision, combatant.id, work, min(work.needed, work.paid + rounds))


def _blow_of_work(
    state: FightState, combatant: Combatant, work: Work, target_id: str, damage: int | str | None
) -> Blow | None:
    """AP-40: what a completed action does to its target, or None."""
    target = state.combatants.get(target_id)
    if target is None:
        return None
    ability = find_ability(combatant, work.name) or Ability(work.name, 0)
    if damage is None:
        damage = work.damage if work.damage is not None else ability.damage
    finisher = ability.finisher if queries.is_vulnerable(target) else ""
    activity = activity_stopped_by(state, Deed(combatant.id, ability, SLOTS, target.id)) if finisher else None
    return Blow(
        combatant.id,
        target.id,
        work.name,
        damage,
        finisher,
        stops=activity.what if activity else "",
        stops_work=activity.is_work if activity else False,
        rule="AP-30",
    )


def _finish_work(decision: Decision, combatant_id: str) -> Work:
    """AP-40: end an action in progress as completed."""
    work = _work_of(decision, combatant_id)
    decision.emit(
        events.MultiRoundCompleted(
            who=combatant_id, before=work, name=work.name, done=work.needed, needed=work.needed, roll=work.roll
        )
    )
    return work


def complete(decision: Decision, combatant_id: str, blow: Blow | None) -> None:
    """AP-40, AP-41: complete an action, and ask the GM for its outcome: of its roll, or hit or miss."""
    work = _finish_work(decision, combatant_id)
    if work.roll is not None:
        decision.spawn(_open_roll, combatant_id, work, blow)
    elif blow is not None and (blow.damage is not None or blow.finisher):
        decision.spawn(ask_outcome, blow)


def _open_roll(decision: Decision, combatant_id: str, work: Work, blow: Blow | None) -> None:
    """AP-41: ask for the outcome of a sealed roll, and apply it; a failure does nothing, and its slots stay spent."""
    combatant = decision.state.combatants[combatant_id]
    state_words = "is paid" if queries.is_pc(combatant) else "is done"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="sealed",
            question=f"{combatant.name}: {work.name} {state_words}. The sealed roll is {work.roll}. Does it succeed?",
            rule="AP-41",
            choices=choices("success", "failure"),
            default="success",
            amount="damage" if blow is not None else "",
            about=(blow.target,) if blow is not None else (),
        )
    )
    if answer is None:
        return
    has_passed = answer.choice != "failure"
    decision.emit(events.CheckResolved(who=combatant_id, ability=work.name, passed=has_passed, roll=work.roll))
    if blow is not None:
        resolve_answered(decision, blow, answer, has_passed)


# Losing


def is_hampering(kind: str, amount: int) -> bool:
    """Whether an effect may keep a combatant from finishing an action: a debuff, fewer slots, or ``other``."""
    return kind in ("debuff", "other", "") or (kind == queries.SLOT_MOD and amount < 0)


def ask_whether_finished(decision: Decision, combatant_id: str, effect: str) -> None:
    """AP-36: ask whether an action can be finished despite a hindering effect; if not, it is lost (AP-38)."""
    combatant = decision.state.combatants[combatant_id]
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="finish",
            question=f"{combatant.name} is {effect}. Can {_work_of(decision, combatant_id).name} still be finished?",
            rule="AP-36",
            choices=YES_NO,
            default="yes",
        )
    )
    if answer is not None and answer.choice == "no":
        stop_work(decision, combatant_id)


def stop_work(decision: Decision, combatant_id: str) -> None:
    """AP-36: interrupt an action of several rounds that cannot be finished."""
    work = current_activity(decision.state.combatants[combatant_id], work=True)
    if work is not None:
        interrupt(decision, "", combatant_id, "AP-36", work)
