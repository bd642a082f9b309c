"""Acts paid with slots: alone, from reserve, minor acts, Combos, movement (AP-16, AP-19..21, AP-29..33)."""

from functools import partial
from math import ceil
from typing import Any, cast

from fightcall_engine.board.base import Location
from fightcall_engine.kit.decision import YES_NO, Decision, throw, total_check
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import plan_walk, take_walk
from fightcall_engine.kit.records import change_pool, combatant_of, sheet_int
from fightcall_engine.kit.views import ANOTHER_TARGET, Check, first_broken
from fightcall_engine.model.commands import Answer, Command, Move
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import NoteAdded, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import field_values, replace
from fightcall_engine.systems.slots import entries, ongoing, records

# Checks


def reserve_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14, AP-15, AP-19: outside their Active Phase, PCs need Reserved Slots of this round."""
    running = state.phase in records.ROUND_PHASES
    ap = records.fighter_of(combatant).ap
    if ap == records.WAITING:
        why = f"{combatant.name} hasn't gained slots this round"
    elif ap == records.ACTIVE:
        why = f"it is {combatant.name}'s own Active Phase; use Action Slots"
    else:
        why = f"{combatant.name} has no Reserved Slots"
    can_pay, instead = ap == records.DONE and combatant.pool(records.RESERVED).now > 0, ap == records.ACTIVE
    return (
        *records.pc_checks(combatant),
        Check(running, "AP-19", "no Active Phase is running", ("a Full Round",)),
        Check(can_pay, "AP-19", why, ("act",) if instead else ()),
        records.settled_check(state),
    )


def turn_checks(state: FightState, combatant: Combatant, pool: str) -> tuple[Check, ...]:
    """Whether a PC can act now with slots of this pool."""
    return records.active_checks(state, combatant) if pool == records.SLOTS else reserve_checks(state, combatant)


def init_check(ability: records.Ability) -> Check:
    """AP-08: an ability for Initialization is used in it."""
    why = f"{ability.name} can only be used in Initialization"
    return Check(not ability.init_only, "AP-08", why, ("initialization",))


def alone_check(ability: records.Ability) -> Check:
    """AP-32: one PC alone cannot use an ability that needs partners."""
    return Check(not ability.partners, "AP-32", f"{ability.name} needs partners", ("combo with a partner",))


def finisher_checks(ability: records.Ability, target: Combatant | None) -> tuple[Check, ...]:
    """AP-30: Execution and Knockout need a Vulnerable target."""
    if not ability.finisher or target is None:
        return ()
    why = f"{target.name} isn't Vulnerable"
    return (Check(records.fighter_of(target).vulnerable, "AP-30", why, (ANOTHER_TARGET, RulingWanted("vulnerable"))),)


# Doing an act


def deed_checks(state: FightState, deed: ongoing.Deed) -> tuple[Check, ...]:
    """All checks of an act, whichever pool pays for it. AP-20: its text must clearly allow Reserved Slots."""
    combatant, ability = state.combatants[deed.who], deed.ability
    target = state.combatants.get(deed.target)
    names = tuple(entry.name for entry in records.abilities(combatant) if entry.is_usable_from_reserve)
    is_allowed = deed.pool != records.RESERVED or not ability.listed or ability.from_reserve
    why, can = f"{ability.name} can't be paid with Reserved Slots", names or ("no ability on the sheet allows it",)
    return (
        *turn_checks(state, combatant, deed.pool),
        init_check(ability),
        alone_check(ability),
        Check(is_allowed, "AP-20", why, can),
        *finisher_checks(ability, target),
        *ongoing.interrupt_checks(state, deed, target),
        records.affordable_check(
            combatant, records.price_of(state, ability, deed.pool, ongoing.phase_of_deed(state, deed))
        ),
    )


def emit_final_price(decision: Decision, combatant_id: str, price: records.Price, purpose: str) -> None:
    """AP-23: emit how the Final Phase has multiplied a price, if it has."""
    if price.time == records.FINAL_TIME:
        decision.emit(entries.FinalActionTaken(who=combatant_id, ability=purpose, base=price.base, price=price.total))


def spend(decision: Decision, combatant_id: str, price: records.Price, purpose: str) -> None:
    """Spend slots from a pool; a forced price takes no more than there is, and nothing from NPCs (AP-04)."""
    emit_final_price(decision, combatant_id, price, purpose)
    combatant = decision.state.combatants[combatant_id]
    now = combatant.pool(price.pool).now
    spent = min(price.total, now)
    if price.total and price.pool in combatant.pools:
        left, event_type = now - spent, entries.SlotsSpent
        decision.emit(change_pool(event_type, combatant, price.pool, left, amount=spent, purpose=purpose))
        if purpose == records.fighter_of(combatant).doing:
            decision.set_traits(combatant_id, spent=spent)


def do_deed(decision: Decision, deed: ongoing.Deed) -> None:
    """Check and do an act; ask the GM first whether its interrupt works (AP-29, AP-39)."""
    decision.require(*deed_checks(decision.state, deed))
    if deed.interrupt and not deed.granted and ongoing.needs_ruling(decision.state, deed):
        asker, target = decision.combatant(deed.who), decision.combatant(deed.target)
        aim = ongoing.activity_stopped_by(decision.state, deed)
        question = f"Can {asker.name}'s {deed.ability.name} interrupt {target.name} ({aim.what if aim else ''})?"
        rule = "AP-39" if aim is not None and (aim.is_work or aim.is_undecided) else "AP-29"
        answer = decision.ask_about(asker, "interrupt", rule, question, *YES_NO, default="no", about=(target.id,))
        if answer.choice != "yes":
            return
        decision.require(*deed_checks(decision.state, deed))
    blow = blow_of_deed(decision.state, deed)
    combatant, name = decision.state.combatants[deed.who], deed.ability.name
    phase = ongoing.phase_of_deed(decision.state, deed)
    price = records.price_of(decision.state, deed.ability, deed.pool, phase)
    ongoing.record_act(decision, deed.who, deed.pool, phase)
    before, roll = records.fighter_of(combatant).doing, roll_for(decision, deed)
    announce = partial(entries.ActionActivated, who=deed.who, before=before, value=name, ability=name)
    decision.emit(announce(price=price.total, time=price.time, target=deed.target, roll=roll, note=deed.note))
    spend(decision, deed.who, price, name)
    settle_outcome(decision, deed, blow)


def roll_for(decision: Decision, deed: ongoing.Deed) -> int | None:
    """The (v:X) roll of an act; None if it has none, or if its outcome is known and no faces are typed."""
    if not deed.ability.roll or (deed.hit is not None and not decision.dice.has_throw("roll")):
        return None
    return decision.roll(deed.ability.roll, "roll", deed.who).total


# The outcome of an act


def blow_of_deed(state: FightState, deed: ongoing.Deed) -> records.Blow | None:
    """What an act would do to its target, read from the state before the act; None without a target."""
    if deed.target not in state.combatants:
        return None
    activity = ongoing.activity_stopped_by(state, deed)
    stops, stops_work = (activity.what, activity.is_work) if activity else ("", False)
    damage = deed.damage if deed.damage is not None else deed.ability.damage
    is_finisher = ongoing.is_interrupting_finisher(state, deed, state.combatants[deed.target])
    rule, name, finisher = "AP-30" if is_finisher else "AP-29", deed.ability.name, deed.ability.finisher
    return records.Blow(deed.who, deed.target, name, damage, finisher, stops, stops_work, rule)


def settle_outcome(decision: Decision, deed: ongoing.Deed, blow: records.Blow | None) -> None:
    """Resolve an act whose outcome is known; ask for the outcome if a roll or damage is at stake."""
    if blow is None:
        return
    decision.require(total_check(deed.damage, deed.ability.damage, "AP-16"))
    hit = True if deed.hit is None and deed.damage is not None else deed.hit
    if hit is not None:
        resolve_blow(decision, blow, hit)
    elif blow.damage is not None or ((deed.interrupt or blow.finisher) and deed.ability.roll):
        decision.spawn(ask_outcome, blow)
    else:
        _stop(decision, blow)
        if blow.finisher:
            decision.spawn(ongoing.ask_fate, blow)


def _stop(decision: Decision, blow: records.Blow) -> None:
    """AP-29, AP-30: interrupt what the target was doing, if it is still doing it."""
    activity = ongoing.current_activity(decision.state.combatants[blow.target], blow.stops_work)
    if blow.stops and activity is not None and activity.what == blow.stops:
        ongoing.interrupt(decision, blow.by, blow.target, blow.rule, activity)


def resolve_blow(decision: Decision, blow: records.Blow, hit: bool) -> None:
    """Apply a hit: the interruption, the damage, and what a finisher does. A miss does nothing."""
    decision.emit(entries.ActResolved(who=blow.by, target=blow.target, ability=blow.act, hit=hit))
    if not hit:
        return
    _stop(decision, blow)
    target = decision.state.combatants[blow.target]
    if blow.damage is not None:
        amount, dice_events = throw(decision, blow.damage, "damage", blow.by)
        decision.emit(*dice_events)
        decision.hurt(blow.target, amount, "hp", blow.by)
    if blow.finisher:
        ongoing.apply_fate(decision, blow.target, ongoing.FINISHER_FATES[blow.finisher])
    ongoing.record_harm(decision, blow, target)


def ask_outcome(decision: Decision, blow: records.Blow) -> None:
    """Ask the GM for the outcome of an act, and resolve it: a hit with the sheet's damage, a number, or a miss."""
    combatant, target = decision.state.combatants[blow.by], decision.state.combatants[blow.target]
    damage_text = f" ({blow.damage})" if blow.damage is not None else ""
    question = f"{combatant.name}: {records.describe_act(combatant, blow.act, target.name)}. Did it hit?"
    ways = (f"hit:hit{damage_text}", "miss")
    answer = decision.ask_about(combatant, "outcome", "AP-16", question, *ways, amount="damage", about=(blow.target,))
    if answer.choice:
        resolve_answered(decision, blow, answer, answer.choice != "miss")


def resolve_answered(decision: Decision, blow: records.Blow, answer: Answer, hit: bool) -> None:
    """Resolve a blow by an answer, with the damage that was typed in it, if any."""
    decision.require(total_check(answer.amount, blow.damage, "AP-16"))
    damage = blow.damage if answer.amount is None else answer.amount
    resolve_blow(decision, replace(blow, damage=damage), hit)


# Act and React


def target_of(
    state: FightState, command: entries.Act | entries.React | entries.Npc | entries.Combo | entries.Begin
) -> str:
    """The id of the target of an act; empty without one, which is refused if damage is given."""
    if command.damage is not None and not command.target:
        others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != command.who)
        raise Refused("target", "choose who takes the damage", others, final=True)
    return combatant_of(state, command.target).id if command.target else ""


def deed_of(
    state: FightState, command: entries.Act | entries.React | entries.Combo, ability: records.Ability, pool: str
) -> ongoing.Deed:
    """The act that a command asks for."""
    return ongoing.Deed(
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
    if type(command) is not entries.Act or combatant is None or records.is_active(combatant):
        return command
    return entries.React(**cast("dict[str, Any]", field_values(command)))


@handles(entries.Act)
def act(decision: Decision, command: entries.Act) -> None:
    """AP-16: spend Action Slots in the actor's Active Phase."""
    ability = records.ability_for(decision.combatant(command.who), command.ability, command.cost)
    do_deed(decision, deed_of(decision.state, command, ability, records.SLOTS))


@handles(entries.React)
def react(decision: Decision, command: entries.React) -> None:
    """AP-19, AP-20: spend Reserved Slots in the Active Phase of others."""
    combatant = decision.combatant(command.who)
    ability = records.ability_for(combatant, command.ability, command.cost)
    deed = deed_of(decision.state, command, ability, records.RESERVED)
    decision.require(*deed_checks(decision.state, deed))
    if ability.listed or command.allowed is True or command.force:
        do_deed(decision, deed)
        return
    if command.allowed is False:
        message = f"the GM doesn't allow {ability.name} from reserve"
        raise Refused("AP-20", message, ("an ability that allows it",), final=True)
    price = records.price_of(decision.state, ability, records.RESERVED, ongoing.phase_of_deed(decision.state, deed))
    question = f"Allow {combatant.name} to pay {price.total} from reserve for {ability.name}?"
    about = (deed.target,) if deed.target else ()
    answer = decision.ask_about(combatant, "reserved", "AP-20", question, *YES_NO, default="no", about=about)
    if answer.choice == "yes":
        do_deed(decision, deed)


# Minor acts


def handle_checks(state: FightState, combatant: Combatant, is_shared: bool) -> tuple[Check, ...]:
    """AP-19, AP-31: the checks of a minor act, in the actor's Active Phase or with Reserved Slots."""
    pool = records.pool_of(combatant)
    price = records.price_of_slots(state, 1 if is_shared else 0, pool)
    return (*turn_checks(state, combatant, pool), records.affordable_check(combatant, price, "AP-31"))


@handles(entries.Handle)
def handle(decision: Decision, command: entries.Handle) -> None:
    """AP-31: a shared object costs everybody who handles it a slot; handling it alone is free."""
    combatant = decision.combatant(command.who)
    decision.require(*handle_checks(decision.state, combatant, command.shared is True))
    what = command.what.strip() or "a minor act"
    if command.shared is not None:
        do_minor_act(decision, combatant, what, command.shared)
        return
    price = records.price_of_slots(decision.state, 1, records.pool_of(combatant))
    enough = records.affordable_check(combatant, price).holds
    each = f"yes:yes, {price.total} each" if enough else "cannot:yes, so it can't be done"
    question = f"{combatant.name}: {what}. Does more than one combatant have to handle it?"
    answer = decision.ask_about(combatant, "shared", "AP-31", question, each, "no:no, it is free", default="no")
    if answer.choice in ("", "cannot"):
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
    price = records.price_of_slots(decision.state, 1 if is_shared else 0, records.pool_of(combatant))
    ongoing.record_act(decision, combatant.id, price.pool)
    decision.set_traits(combatant.id, doing=what)
    decision.emit(entries.MinorActDone(who=combatant.id, what=what, shared=is_shared, price=price.total))
    if is_shared:
        spend(decision, combatant.id, price, what)


# Combos


def combo_ability(combatant: Combatant, command: entries.Combo) -> records.Ability:
    """The Combo on the sheet, or one with the prices that the GM has typed."""
    ability = records.ability_for(combatant, command.ability, command.cost)
    partner_cost = command.partner_cost if command.partner_cost is not None else ability.partner_cost
    if partner_cost < 0:
        raise Refused("AP-32", f"{partner_cost} slots", ("0 or more",), final=True)
    return replace(ability, partner_cost=partner_cost)


def partner_price(state: FightState, partner: Combatant, slots: int) -> records.Price:
    """AP-33, Q-A9: partners pay from reserve; those of the same band still in their Active Phase pay Action Slots."""
    return records.price_of_slots(state, slots, records.pool_of(partner))


def partner_checks(state: FightState, combatant: Combatant, partner: Combatant, slots: int) -> tuple[Check, ...]:
    """AP-32: a partner is another able PC who holds enough slots of either kind."""
    price = partner_price(state, partner, slots)
    slots_left, least = partner.pool(price.pool).now, max(1, price.total)
    short = f"{partner.name} needs {least} slots; {partner.name} has {slots_left}"
    return (
        Check(partner.id != combatant.id, "AP-32", "you can't be your own partner", ("another PC",)),
        Check(records.is_pc(partner) and partner.able, "AP-32", f"{partner.name} can't take part", ("an able PC",)),
        Check(slots_left >= least, "AP-32", short, ()),
    )


def is_near_enough(state: FightState, combatant: Combatant, partner: Combatant, reach: int | None) -> bool | None:
    """AP-32: whether a partner is within `reach` places; None if the board or the sheet does not say."""
    if reach is None or state.board is None or combatant.at is None or partner.at is None:
        return None
    return state.board.distance(combatant.at, partner.at) <= reach


def combo_checks(state: FightState, combatant: Combatant, ability: records.Ability) -> tuple[Check, ...]:
    """AP-32, AP-33: the active PC begins a Combo with Action Slots."""
    is_combo = bool(ability.partners) or not ability.listed
    return (
        *records.active_checks(state, combatant, "AP-33"),
        init_check(ability),
        Check(is_combo, "AP-32", f"{ability.name} isn't a Combo", ("act", "a Combo of the sheet")),
        records.affordable_check(combatant, records.price_of(state, ability, records.SLOTS)),
    )


def group_checks(state: FightState, deed: ongoing.Deed, partners: tuple[str, ...]) -> tuple[Check, ...]:
    """The checks of a Combo: on all who take part (AP-32, AP-33), and on its target (AP-29, AP-30)."""
    combatant, target = state.combatants[deed.who], state.combatants.get(deed.target)
    checks = [
        *combo_checks(state, combatant, deed.ability),
        *finisher_checks(deed.ability, target),
        *ongoing.interrupt_checks(state, deed, target),
    ]
    for combatant_id in partners:
        partner = state.combatants[combatant_id]
        near = is_near_enough(state, combatant, partner, deed.ability.range)
        checks += partner_checks(state, combatant, partner, deed.ability.partner_cost)
        checks.append(Check(near is not False, "AP-32", f"{partner.name} isn't close enough", ("closer partners",)))
    return tuple(checks)


@handles(entries.Combo)
def combine(decision: Decision, command: entries.Combo) -> None:
    """AP-32: start a Combo if all can take part; ask whether they are near enough if the board does not say."""
    state = decision.state
    combatant = decision.combatant(command.who)
    ability = combo_ability(combatant, command)
    deed = deed_of(state, command, ability, records.SLOTS)
    partners = partners_of(state, command)
    least = max(1, ability.partners)
    is_undecided = deed.interrupt and ongoing.needs_ruling(state, deed)
    near = [is_near_enough(state, combatant, state.combatants[partner], ability.range) for partner in partners]
    too_few = f"needs {least} partners; you named {len(partners)}"
    unclear = f"only the GM can decide whether {ability.name} interrupts that"
    decision.require(
        Check(len(partners) >= least, "AP-32", too_few, possible_partners(state, combatant, ability)),
        *group_checks(state, deed, partners),
        Check(not is_undecided, "AP-29", unclear, ("a ruling",)),
        Check(command.in_range is not False, "AP-32", "they aren't close enough", ("closer partners",)),
    )
    if command.in_range is None and None in near and not command.force:
        names = ", ".join(state.combatants[combatant_id].name for combatant_id in partners)
        question = f"Are {combatant.name} and {names} close enough for {ability.name}?"
        about = (*((deed.target,) if deed.target else ()), *partners)
        answer = decision.ask_about(combatant, "range", "AP-32", question, *YES_NO, default="yes", about=about)
        if answer.choice != "yes":
            return
        broken = first_broken(group_checks(decision.state, deed, partners))
        if broken is not None and not answer.force:
            # Enter answers yes: it must not be refused because of what has happened since.
            decision.emit(RulingRecorded(rule=broken.rule, question=f"{ability.name}:", choice=broken.message))
            return
    start_combo(decision, deed, partners)


def partners_of(state: FightState, command: entries.Combo) -> tuple[str, ...]:
    """The ids of the partners, each once; `partner` may list several, separated by blanks or commas."""
    single = command.partner.strip()
    names = [single] if single in state.combatants else single.replace(",", " ").split()
    return tuple(dict.fromkeys(combatant_of(state, name).id for name in (*names, *command.partners)))


def possible_partners(state: FightState, combatant: Combatant, ability: records.Ability) -> tuple[str, ...]:
    """The ids of all who could be a partner now, and are not known to be too far away."""
    return tuple(
        other.id
        for other in records.pcs(state)
        if all(check.holds for check in partner_checks(state, combatant, other, ability.partner_cost))
        and is_near_enough(state, combatant, other, ability.range) is not False
    )


def start_combo(decision: Decision, deed: ongoing.Deed, partners: tuple[str, ...]) -> None:
    """AP-33: the active PC's slots start the Combo, the partners' finish it; then its outcome is settled."""
    state, ability = decision.state, deed.ability
    price, blow = records.price_of(state, ability, records.SLOTS), blow_of_deed(state, deed)
    cost, people = ability.partner_cost, state.combatants
    shares = {partner_id: partner_price(state, people[partner_id], cost) for partner_id in partners}
    ongoing.record_act(decision, deed.who, records.SLOTS)
    decision.emit(
        entries.ComboStarted(
            who=deed.who,
            before=records.fighter_of(state.combatants[deed.who]).doing,
            value=ability.name,
            ability=ability.name,
            partners=partners,
            slots={deed.who: price.total, **{name: share.total for name, share in shares.items()}},
            target=deed.target,
            roll=roll_for(decision, deed),
            note=deed.note,
        )
    )
    spend(decision, deed.who, price, ability.name)
    for name, share in shares.items():
        ongoing.record_act(decision, name, share.pool, combo_of=deed.who)
        decision.set_traits(name, doing=ability.name)
        spend(decision, name, share, ability.name)
    decision.emit(entries.ComboFinished(who=deed.who, ability=ability.name, partners=partners))
    settle_outcome(decision, deed, blow)


# Movement, paid with slots (AP-16, AP-19)


def stride(state: FightState, combatant: Combatant) -> int:
    """Places of open ground for one slot."""
    sheet_stride = sheet_int(combatant, "stride")
    return max(1, sheet_stride if sheet_stride is not None else records.settings_of(state).places_per_slot)


def move_price(state: FightState, combatant: Combatant, ground: int, extra: int = 0) -> records.Price:
    """The price of a walk over so much ground, and of entering marked zones (`extra` slots), now (AP-21, AP-23)."""
    return records.price_of_slots(state, ceil(ground / stride(state, combatant)) + extra, records.pool_of(combatant))


def range_of(state: FightState, combatant: Combatant) -> int:
    """The open ground that a combatant's slots pay for now, in places; NPCs have no limit to speak of (AP-05)."""
    if not records.is_pc(combatant):
        return 99
    pool = records.pool_of(combatant)
    times = records.FINAL_MULTIPLIER if records.is_quadrupled(state, pool) else 1
    return combatant.pool(pool).now // times * stride(state, combatant)


def ground_left(state: FightState, command: Move, step_count: int) -> int:
    """The ground still to be paid for when a walk is stopped after `step_count` places; a begun slot is used up."""
    board, slot = state.board, stride(state, state.combatants[command.who])
    if board is None:
        return 0
    costs = [(board.cost_of(place) or 1) + ongoing.entry_price(state, (place,)) * slot for place in command.path]
    return max(0, sum(costs) - ceil(sum(costs[:step_count]) / slot) * slot)


def move_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-19: the checks of moving: in one's Active Phase or from reserve (Q-A21); NPCs at any time (AP-05)."""
    if not records.is_pc(combatant):
        return (Check(combatant.able, "AP-05", f"{combatant.name} can't act", ("an able combatant",)),)
    if records.pool_of(combatant) == records.SLOTS:
        return records.active_checks(state, combatant)
    free = records.settings_of(state).reserved_moves == "yes"
    return (
        *reserve_checks(state, combatant),
        Check(free, "AP-20", "Reserved Slots can't pay for moving", ("a setting: reserved_moves",)),
    )


@handles(Move)
def move(decision: Decision, command: Move) -> None:
    """Walk, and spend the slots for it."""
    state, combatant = decision.state, decision.combatant(command.who)
    decision.require(*move_checks(state, combatant))

    def cost_of(place: Location) -> int | None:
        # In ground, with the slots for its marks: going round a fire may be cheaper.
        ground = state.board.cost_of(place) if state.board is not None else None
        return None if ground is None else ground + ongoing.entry_price(state, (place,)) * stride(state, combatant)

    walk = plan_walk(decision, command, cost=cost_of)
    if not records.is_pc(combatant):
        take_walk(decision, walk)
        return
    extra = ongoing.entry_price(state, walk.path) if command.ground is None else 0
    price = move_price(state, combatant, walk.ground, extra)
    decision.require(records.affordable_check(combatant, price))
    ongoing.record_act(decision, combatant.id, price.pool)
    decision.set_traits(combatant.id, doing=f"move {walk.places}")
    take_walk(decision, walk)
    spend(decision, combatant.id, price, f"move {walk.places}")
