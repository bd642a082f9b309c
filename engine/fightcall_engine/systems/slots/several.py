"""What takes more than one PC, or more than one round: Combos (AP-32, AP-33) and Multi-Round Actions (AP-34..41)."""

from dataclasses import dataclass, replace

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import YES_NO, choices, data_text
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.acting import (
    Blow,
    alone_check,
    blow_data,
    blow_of,
    finisher_checks,
    init_check,
    kept_deed,
    outcome_of,
    outcome_prompt,
    resolve_act,
    resumed_deed,
    spend,
    target_of,
    throw_roll,
)
from fightcall_engine.systems.slots.figures import SLOTS, Ability
from fightcall_engine.systems.slots.interrupts import (
    Deed,
    doing,
    interrupt_checks,
    interrupt_events,
    lose_action,
    mark_act,
    needs_ruling,
    stopped_by,
)
from fightcall_engine.systems.slots.prices import Price, affordable, plain_price, pool_of, price_of

# Combos


def combo_ability(combatant: Combatant, command: scm.Combo) -> Ability:
    """The Combo on the sheet, or one with the prices that the GM has typed in."""
    found = fg.ability_for(combatant, command.ability, command.cost)
    partner_cost = command.partner_cost if command.partner_cost is not None else found.partner_cost
    if partner_cost < 0:
        raise Refused("AP-32", f"{partner_cost} slots", ("0 or more",), final=True)
    return replace(found, partner_cost=partner_cost)


def partner_price(state: FightState, partner: Combatant, slots: int) -> Price:
    """AP-33, Q-A9: partners pay from reserve; a band-mate still in its Active Phase pays Action Slots."""
    return plain_price(state, slots, pool_of(partner))


def partner_checks(state: FightState, combatant: Combatant, partner: Combatant, slots: int) -> tuple[Check, ...]:
    """AP-32: an able PC with slots of either sort."""
    price = partner_price(state, partner, slots)
    left = partner.pool(price.pool).now
    return (
        Check(partner.id != combatant.id, "AP-32", "nobody is their own partner", ("another PC",)),
        Check(fg.is_pc(partner) and partner.able, "AP-32", f"{partner.name} cannot take part", ("an able PC",)),
        Check(
            left > 0 and left >= price.total,
            "AP-32",
            f"{partner.name} must hold {max(1, price.total)} slots, has {left}",
            (),
        ),
    )


def near_enough(state: FightState, combatant: Combatant, partner: Combatant, reach: int | None) -> bool | None:
    """AP-32: whether a partner is near enough; None where the board or the sheet does not say."""
    if reach is None or state.board is None or combatant.at is None or partner.at is None:
        return None
    return state.board.distance(combatant.at, partner.at) <= reach


def combo_checks(state: FightState, combatant: Combatant, ability: Ability) -> tuple[Check, ...]:
    """AP-32, AP-33: the active PC begins it with Action Slots."""
    together = bool(ability.partners) or not ability.listed
    return (
        *fg.active_checks(state, combatant, "AP-33"),
        init_check(ability),
        Check(together, "AP-32", f"{ability.name} is no Combo", ("act", "a Combo of the sheet")),
        affordable(combatant, price_of(state, ability, SLOTS)),
    )


def group_checks(state: FightState, deed: Deed, partners: tuple[str, ...]) -> tuple[Check, ...]:
    """AP-32, AP-33: what all of them need together; AP-29, AP-30: and what their act needs of its target."""
    combatant, target = state.combatants[deed.who], state.combatants.get(deed.target)
    found = [
        *combo_checks(state, combatant, deed.ability),
        *finisher_checks(deed.ability, target),
        *interrupt_checks(state, deed, target),
    ]
    for combatant_id in partners:
        partner = state.combatants[combatant_id]
        near = near_enough(state, combatant, partner, deed.ability.range)
        found += partner_checks(state, combatant, partner, deed.ability.partner_cost)
        found.append(Check(near is not False, "AP-32", f"{partner.name} is not near enough", ("nearer partners",)))
    return tuple(found)


def _combo_deed(state: FightState, command: scm.Combo) -> Deed:
    combatant = combatant_of(state, command.who)
    return Deed(
        who=combatant.id,
        ability=combo_ability(combatant, command),
        pool=SLOTS,
        target=target_of(state, command),
        interrupt=command.interrupt,
        work=command.work,
        hit=command.hit,
        damage=command.damage,
        note=command.note,
        granted=command.force,
    )


def decide_combo(decision: Decision, command: scm.Combo) -> ev.Events:
    """AP-32: all or nothing; whether they are near enough is asked where the board does not say."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    deed = _combo_deed(state, command)
    combatant, ability = state.combatants[deed.who], deed.ability
    partners = _partners(state, command)
    wanted = max(1, ability.partners)
    can = could_join(state, combatant, ability)
    enough = len(partners) >= wanted
    referee.require(enough, "AP-32", f"needs {wanted} partners, has {len(partners)}", *can)
    enforce(group_checks(state, deed, partners), referee)
    unsaid = deed.interrupt and needs_ruling(state, deed)
    referee.require(not unsaid, "AP-29", f"only the GM can say whether {ability.name} interrupts that", "a ruling")
    near = [near_enough(state, combatant, state.combatants[combatant_id], ability.range) for combatant_id in partners]
    referee.require(command.in_range is not False, "AP-32", "they are not near enough", "nearer partners")
    if command.in_range is None and None in near and not command.force:
        return (ev.RulingAsked(prompt=_range_prompt(state, deed, partners)),)
    return start_combo(state, deed, partners, dice)


def _partners(state: FightState, command: scm.Combo) -> tuple[str, ...]:
    """Those named, each once; `partner` may name several, parted by blanks or commas."""
    single = command.partner.strip()
    named = [single] if single in state.combatants else single.replace(",", " ").split()
    return tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in (*named, *command.partners)))


def could_join(state: FightState, combatant: Combatant, ability: Ability) -> tuple[str, ...]:
    """Who could be a partner now, near enough as far as the board says."""
    return tuple(
        other.id
        for other in fg.pcs(state)
        if all(check.holds for check in partner_checks(state, combatant, other, ability.partner_cost))
        and near_enough(state, combatant, other, ability.range) is not False
    )


def start_combo(state: FightState, deed: Deed, partners: tuple[str, ...], dice: Dice) -> ev.Events:
    """AP-33: the active PC's slots start it, the partners' finish it; then comes what it does."""
    combatant, ability = state.combatants[deed.who], deed.ability
    price = price_of(state, ability, SLOTS)
    shares = {
        combatant_id: partner_price(state, state.combatants[combatant_id], ability.partner_cost)
        for combatant_id in partners
    }
    paid = {combatant.id: price.total, **{combatant_id: share.total for combatant_id, share in shares.items()}}
    total, thrown = throw_roll(deed, dice)
    caused: list[ev.Event] = [
        *mark_act(combatant, SLOTS),
        *thrown,
        sev.ComboStarted(
            who=combatant.id,
            before=fg.trait(combatant, "doing"),
            value=ability.name,
            ability=ability.name,
            partners=partners,
            slots=paid,
            target=deed.target,
            roll=total,
            note=deed.note,
        ),
        *spend(combatant, price, ability.name),
    ]
    for combatant_id, share in shares.items():
        partner = state.combatants[combatant_id]
        caused += mark_act(partner, share.pool, combo_of=combatant.id)
        caused += fg.reset((partner,), "doing", ability.name)
        caused += spend(partner, share, ability.name)
    finished = sev.ComboFinished(who=combatant.id, ability=ability.name, partners=partners)
    return (*caused, finished, *outcome_of(state, deed, dice))


def _range_prompt(state: FightState, deed: Deed, partners: tuple[str, ...]) -> Prompt:
    combatant, ability = state.combatants[deed.who], deed.ability
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in partners)
    return Prompt(
        id="",
        kind="range",
        question=f"{combatant.name}: {ability.name} with {names}: near enough?",
        rule="AP-32",
        choices=YES_NO,
        default="yes",
        who=combatant.id,
        side=combatant.side,
        data={**kept_deed(deed), "partner_cost": ability.partner_cost, "partners": "\n".join(partners)},
    )


def answer_range(decision: Decision, prompt: Prompt, given: Answer) -> ev.Events:
    """AP-32: on yes the Combo goes on; on no nothing has been spent."""
    state, dice = decision.state, decision.dice
    partners = tuple(data_text(prompt, "partners").split("\n"))
    if given.choice != "yes" or not all(combatant_id in state.combatants for combatant_id in partners):
        return ()
    share = prompt.data.get("partner_cost")
    deed = resumed_deed(state, prompt)
    deed = replace(deed, ability=replace(deed.ability, partner_cost=share if isinstance(share, int) else 1))
    broken = first_broken(group_checks(state, deed, partners))
    if broken is not None and not given.force:
        # Yes is what Enter says: it must not be refused for what has happened since.
        return (ev.RulingRecorded(rule=broken.rule, question=f"{prompt.data['ability']}:", choice=broken.message),)
    return start_combo(state, deed, partners, dice)


# Multi-Round Actions


def begin_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-34: Action Slots, at least one, and nothing else in progress."""
    going = fg.text_trait(combatant, "action")
    return (
        *fg.active_checks(state, combatant, "AP-34"),
        Check(not going, "AP-34", f"{combatant.name} is in the middle of {going}", ("continue", "a ruling: drop")),
        Check(
            fg.slots(combatant).now > 0,
            "AP-34",
            f"{combatant.name} has no Action Slots left",
            ("the next Active Phase",),
        ),
    )


def _begun_ability(combatant: Combatant, command: scm.Begin) -> Ability:
    found = fg.ability_for(combatant, command.ability, command.needed)
    if found.listed and found.interruptible is None:
        return replace(found, interruptible=True)
    return found


def decide_begin(decision: Decision, command: scm.Begin) -> ev.Events:
    """AP-34, AP-37: begun with what there is; the price is fixed now (Q-A14) and the roll is made and sealed now."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    ability = _begun_ability(combatant, command)
    left = fg.slots(combatant).now
    if command.pay is not None and command.pay < 1:
        raise Refused("AP-34", f"{command.pay} slots begin nothing", (f"1 to {max(1, left)}",), final=True)
    enforce((init_check(ability), alone_check(ability), *begin_checks(state, combatant)), referee)
    needed = price_of(state, ability, SLOTS).total
    pay = command.pay if command.pay is not None else min(left, max(1, needed - 1))
    many = ability.multi_round or not ability.listed
    referee.require(many, "AP-34", f"{ability.name} is no action of several rounds", "act")
    referee.require(pay < needed, "AP-34", f"{ability.name} costs {needed}: it can be paid at once", "act", "pay less")
    referee.require(pay <= left, "AP-34", f"{pay} slots, {combatant.name} has {left}", f"1 to {left}")
    return begin_action(state, combatant, ability, command, needed, min(pay, left, needed), dice)


def begin_action(
    state: FightState, combatant: Combatant, ability: Ability, command: scm.Begin, needed: int, pay: int, dice: Dice
) -> ev.Events:
    """The first instalment, and the sealed roll."""
    breakable = command.interruptible if command.interruptible is not None else ability.interruptible
    work = Work(
        ability.name,
        needed,
        result=command.result,
        dice=command.dice or ability.roll,
        breakable=breakable,
        target=target_of(state, command),
        damage=command.damage,
        note=command.note,
    )
    caused = (
        *work_begun(state, combatant, work, dice),
        fg.set_trait(combatant, "doing", ability.name),
        *mark_act(combatant, SLOTS),
    )
    return (*caused, *_instalment(state, combatant, ability.name, 0, pay, needed))


@dataclass(frozen=True, slots=True)
class Work:
    """An action of several rounds as it is begun.

    Attributes:
        needed: slots, or Full Rounds for somebody without slots.
        result: its roll as it was typed; else `dice` are thrown now and sealed.
        breakable: whether it can be interrupted; None where the GM is asked.
        target: whom it is at when it is done, and `damage` what a hit takes then.
    """

    name: str
    needed: int
    result: int | None = None
    dice: str = ""
    breakable: bool | None = None
    target: str = ""
    damage: int | str | None = None
    note: str = ""


def work_begun(state: FightState, combatant: Combatant, work: Work, dice: Dice) -> ev.Events:
    """AP-37: what has been begun is remembered, and its roll made and sealed."""
    total = work.result
    faces: tuple[int, ...] = ()
    if total is None and work.dice:
        roll = dice.roll(work.dice, "sealed", combatant.id)
        total, faces = roll.total, roll.faces
    return (
        sev.MultiRoundBegan(
            who=combatant.id,
            before="",
            value=work.name,
            needed=work.needed,
            roll=total,
            dice=work.dice,
            faces=faces,
            target=work.target,
            note=work.note,
        ),
        fg.set_trait(combatant, "action_needed", work.needed),
        fg.set_trait(combatant, "action_roll", total),
        fg.set_trait(combatant, "action_breakable", work.breakable),
        fg.set_trait(combatant, "action_target", work.target),
        fg.set_trait(combatant, "action_damage", work.damage),
        fg.set_trait(combatant, "action_paid", 0),
        fg.set_trait(combatant, "action_begun", state.round),
    )


def _instalment(state: FightState, combatant: Combatant, name: str, before: int, pay: int, needed: int) -> ev.Events:
    paid = before + pay
    return (
        sev.MultiRoundPaid(who=combatant.id, before=before, value=paid, action=name, paid=paid, needed=needed),
        *spend(combatant, Price(pay, pay, "active", SLOTS), name),
        fg.set_trait(combatant, "action_round", state.round),
    )


def continue_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-35: one Full Round later, with Action Slots just gained."""
    going = fg.text_trait(combatant, "action")
    this_round = fg.number_trait(combatant, "action_begun") >= state.round
    return (
        *fg.active_checks(state, combatant, "AP-35"),
        Check(bool(going), "AP-35", f"{combatant.name} has nothing in progress", ("begin",)),
        Check(not this_round, "AP-35", f"{going} goes on in the next Full Round", ("the next Full Round",)),
        Check(
            fg.slots(combatant).now > 0,
            "AP-35",
            f"{combatant.name} has no Action Slots left",
            ("the next Active Phase",),
        ),
    )


def decide_continue(decision: Decision, command: scm.Continue) -> ev.Events:
    """AP-35, AP-40, AP-41: the next instalment; the last one brings the effect and opens the roll."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    if not fg.text_trait(combatant, "action"):
        raise Refused("AP-35", f"{combatant.name} has nothing in progress", ("begin",), final=True)
    enforce(continue_checks(state, combatant), referee)
    name = fg.text_trait(combatant, "action")
    needed, paid = fg.number_trait(combatant, "action_needed"), fg.number_trait(combatant, "action_paid")
    left, due = fg.slots(combatant).now, max(0, needed - paid)
    pay = command.pay if command.pay is not None else min(left, due)
    if pay < min(1, due) or pay > due:
        raise Refused("AP-35", f"{pay} slots of {due} that are due", (f"1 to {min(left, due)}",), final=True)
    referee.require(pay <= left, "AP-35", f"{pay} slots, {combatant.name} has {left}", f"1 to {left}")
    pay = min(pay, left)
    breakable = fg.trait(combatant, "action_breakable") is not False
    caused = (
        *mark_act(combatant, SLOTS),
        # AP-38: what is paid now can be interrupted, the last instalment too.
        fg.set_trait(combatant, "doing", name if breakable or paid + pay < needed else ""),
        *_instalment(state, combatant, name, paid, pay, needed),
    )
    if paid + pay < needed:
        return caused
    told = True if command.success is None and command.damage is not None else command.success
    target = combatant_of(state, command.target).id if command.target else fg.text_trait(combatant, "action_target")
    blow = _blow_of_work(state, combatant, target, command.damage)
    return (*caused, *_complete_action(state, combatant, told, blow, dice))


def work_ticked(state: FightState, event: sev.MultiRoundPaid) -> ev.Events:
    """AP-05, AP-44: what somebody without slots does over several rounds takes effect as its last one is over."""
    combatant = state.combatants.get(event.who)
    if combatant is None or fg.is_pc(combatant) or event.paid < event.needed:
        return ()
    blow = _blow_of_work(state, combatant, fg.text_trait(combatant, "action_target"), None)
    return _asked_of_completed(state, combatant, blow)


def _blow_of_work(state: FightState, combatant: Combatant, target_id: str, damage: int | str | None) -> Blow | None:
    """AP-40: what an action of several rounds does to its target, now that it is done; None where it has none."""
    target = state.combatants.get(target_id)
    if target is None:
        return None
    name = fg.text_trait(combatant, "action")
    ability = fg.find_ability(combatant, name) or Ability(name, 0)
    kept = fg.trait(combatant, "action_damage")
    if damage is None:
        damage = kept if isinstance(kept, int | str) and not isinstance(kept, bool) else ability.damage
    finisher = ability.finisher if fg.is_vulnerable(target) else ""
    stopped = stopped_by(state, Deed(combatant.id, ability, SLOTS, target.id)) if finisher else None
    return Blow(
        combatant.id,
        target.id,
        name,
        damage,
        finisher,
        stops=stopped.what if stopped else "",
        stops_work=stopped.is_work if stopped else False,
        rule="AP-30",
    )


def _done(combatant: Combatant) -> tuple[sev.MultiRoundCompleted, int | None]:
    sealed = fg.trait(combatant, "action_roll")
    roll = sealed if isinstance(sealed, int) and not isinstance(sealed, bool) else None
    name, needed = fg.text_trait(combatant, "action"), fg.number_trait(combatant, "action_needed")
    done = sev.MultiRoundCompleted(who=combatant.id, before=name, name=name, done=needed, needed=needed, roll=roll)
    return done, roll


def _complete_action(
    state: FightState, combatant: Combatant, told: bool | None, blow: Blow | None, dice: Dice
) -> ev.Events:
    """AP-40, AP-41: it takes effect as it was told, or as the GM answers."""
    done, roll = _done(combatant)
    if told is None:
        return _asked_of_completed(state, combatant, blow)
    checked = sev.CheckResolved(who=combatant.id, ability=done.name, passed=told, roll=roll)
    return (done, checked, *(resolve_act(state, blow, told, dice) if blow is not None else ()))


def _asked_of_completed(state: FightState, combatant: Combatant, blow: Blow | None) -> ev.Events:
    """AP-40, AP-41: what its roll comes to, or whether it hits, is the GM's to say."""
    done, roll = _done(combatant)
    if roll is not None:
        return (done, ev.RulingAsked(prompt=_sealed_prompt(combatant, done.name, roll, blow)))
    if blow is not None and (blow.damage is not None or blow.finisher):
        return (done, ev.RulingAsked(prompt=outcome_prompt(state, blow)))
    return (done,)


def _sealed_prompt(combatant: Combatant, name: str, roll: int, blow: Blow | None) -> Prompt:
    paid = "is paid" if fg.is_pc(combatant) else "is done"
    kept = blow_data(blow) if blow is not None else {"by": combatant.id, "what": name}
    return Prompt(
        id="",
        kind="sealed",
        question=f"{combatant.name}: {name} {paid}. The sealed roll is {roll}: success or failure?",
        rule="AP-41",
        choices=choices("success", "failure"),
        default="success",
        who=combatant.id,
        side=combatant.side,
        amount="damage" if blow is not None else "",
        data={"action": name, "roll": roll, **kept},
    )


def answer_sealed(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """AP-41: the kept roll is resolved; a failure has no effect, and its slots are spent all the same."""
    roll = prompt.data.get("roll")
    passed = given.choice != "failure"
    checked = sev.CheckResolved(
        who=prompt.who, ability=data_text(prompt, "action"), passed=passed, roll=roll if isinstance(roll, int) else None
    )
    blow = blow_of(prompt, given.amount)
    return (checked, *(resolve_act(state, blow, passed, dice) if blow.target in state.combatants else ()))


# Losing one


def hampering(kind: str, amount: int) -> bool:
    """What may keep somebody from finishing an action: all but harm, healing and what helps."""
    return kind in ("debuff", "other", "") or (kind == fg.SLOT_MOD and amount < 0)


def finish_prompt(combatant: Combatant, effect: str) -> Prompt:
    """AP-36: a hampering effect lands on a PC with an action in progress."""
    going = fg.text_trait(combatant, "action")
    return Prompt(
        id="",
        kind="finish",
        question=f"{combatant.name} is {effect}: can {going} still be finished?",
        rule="AP-36",
        choices=YES_NO,
        default="yes",
        who=combatant.id,
        side=combatant.side,
    )


def answer_finish(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """AP-36, AP-38: where it cannot be finished it is gone, however good the sealed roll was."""
    combatant = state.combatants[prompt.who]
    if given.choice != "no" or not fg.text_trait(combatant, "action"):
        return ()
    return lost_work(state, combatant)


def lost_work(state: FightState, combatant: Combatant) -> ev.Events:
    """AP-36: an action of several rounds that cannot be finished is gone with what was paid."""
    work = doing(combatant, work=True)
    return interrupt_events(state, "", combatant, "AP-36", work) if work is not None else ()


def drop_action(combatant: Combatant, reason: str) -> ev.Events:
    """Q-A15: an action that is given up is lost like any other that is not finished."""
    return (lose_action(combatant, reason),) if fg.text_trait(combatant, "action") else ()
