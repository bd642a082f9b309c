"""Acts paid with slots: in one's own Active Phase, from reserve, minor ones (AP-16, AP-19..21, AP-29..31)."""

from collections.abc import Mapping
from dataclasses import dataclass

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of, harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import YES_NO, choices, data_text
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.rolls import record_roll, throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.falling import FATE_OF_FINISHED, fate, finished_prompt
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS, Ability
from fightcall_engine.systems.slots.interrupts import (
    Deed,
    doing,
    interrupt_checks,
    interrupt_events,
    mark_act,
    needs_ruling,
    phase_of,
    remember_harm,
    stopped_by,
)
from fightcall_engine.systems.slots.prices import FINAL_TIME, Price, affordable, is_dear, plain_price, pool_of, price_of

# What stands in the way


def reserve_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14, AP-15, AP-19: off one's turn one needs Reserved Slots of this round."""
    running = state.phase in fg.ROUND_PHASES
    ap = fg.text_trait(combatant, "ap")
    if ap == fg.WAITING:
        why = f"{combatant.name} has not gained slots in this round"
    elif ap == fg.ACTIVE:
        why = f"it is {combatant.name}'s own Active Phase: it has Action Slots"
    else:
        why = f"{combatant.name} holds no Reserved Slots"
    return (
        *fg.pc_checks(combatant),
        Check(running, "AP-19", "no Active Phase is running", ("a Full Round",)),
        Check(ap == fg.DONE and fg.reserve(combatant).now > 0, "AP-19", why, ("act",) if ap == fg.ACTIVE else ()),
        fg.settled_check(state),
    )


def allowed_check(combatant: Combatant, ability: Ability) -> Check:
    """AP-20: the text of a listed ability must clearly allow Reserved Slots."""
    can = tuple(entry.name for entry in fg.abilities(combatant) if entry.is_usable_from_reserve) or (
        "nothing on the sheet does",
    )
    why = f"{ability.name} does not say that Reserved Slots may pay for it"
    return Check(not ability.listed or ability.from_reserve, "AP-20", why, can)


def init_check(ability: Ability) -> Check:
    """AP-08: what is meant for Initialization is done in it."""
    why = f"{ability.name} may only be used in Initialization"
    return Check(not ability.init_only, "AP-08", why, ("initialization",))


def alone_check(ability: Ability) -> Check:
    """AP-32: what needs several is not done by one."""
    return Check(not ability.partners, "AP-32", f"{ability.name} needs partners", ("combo with a partner",))


def finisher_checks(ability: Ability, target: Combatant | None) -> tuple[Check, ...]:
    """AP-30: Execution and Knockout are for Vulnerable targets."""
    if not ability.finisher or target is None:
        return ()
    why = f"{target.name} is not Vulnerable"
    return (Check(fg.is_vulnerable(target), "AP-30", why, ("a Vulnerable target", "a ruling: vulnerable")),)


# Doing it


def deed_checks(state: FightState, deed: Deed) -> tuple[Check, ...]:
    """Everything that an act needs, whoever pays for it and how."""
    combatant = state.combatants[deed.who]
    target = state.combatants.get(deed.target)
    own = fg.active_checks(state, combatant) if deed.pool == SLOTS else reserve_checks(state, combatant)
    allowed = (allowed_check(combatant, deed.ability),) if deed.pool == RESERVED else ()
    return (
        *own,
        init_check(deed.ability),
        alone_check(deed.ability),
        *allowed,
        *finisher_checks(deed.ability, target),
        *interrupt_checks(state, deed, target),
        affordable(combatant, price_of(state, deed.ability, deed.pool, phase_of(state, deed))),
    )


def spend(combatant: Combatant, price: Price, purpose: str) -> ev.Events:
    """Slots are spent; a forced price takes what there is."""
    held = combatant.pool(price.pool)
    paid = min(price.total, held.now)
    if price.total == 0:
        return ()
    return (
        sev.SlotsSpent(
            who=combatant.id,
            pool=price.pool,
            amount=paid,
            before=held.now,
            left=held.now - paid,
            max=held.max,
            purpose=purpose,
        ),
    )


def do_deed(decision: Decision, deed: Deed) -> ev.Events:
    """Check an act, ask the GM where only the GM can say, and do it."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    enforce(deed_checks(state, deed), referee)
    if deed.interrupt and not deed.granted and needs_ruling(state, deed):
        return (ev.RulingAsked(prompt=_interrupt_prompt(state, deed)),)
    return (*pay_and_announce(state, deed, dice), *outcome_of(state, deed, dice))


def pay_and_announce(state: FightState, deed: Deed, dice: Dice) -> ev.Events:
    """AP-16, AP-21, AP-23: the act is announced, its roll made, its slots spent."""
    combatant = state.combatants[deed.who]
    phase = phase_of(state, deed)
    price = price_of(state, deed.ability, deed.pool, phase)
    total, thrown = throw_roll(deed, dice)
    caused: list[ev.Event] = [*mark_act(combatant, deed.pool, phase), *thrown]
    caused.append(
        sev.ActionActivated(
            who=combatant.id,
            before=fg.trait(combatant, "doing"),
            value=deed.ability.name,
            ability=deed.ability.name,
            price=price.total,
            time=price.time,
            target=deed.target,
            roll=total,
            note=deed.note,
        )
    )
    if price.time == FINAL_TIME:
        caused.append(
            sev.FinalActionTaken(who=combatant.id, ability=deed.ability.name, base=price.base, price=price.total)
        )
    caused.extend(spend(combatant, price, deed.ability.name))
    return tuple(caused)


def throw_roll(deed: Deed, dice: Dice) -> tuple[int | None, ev.Events]:
    """The (v:X) roll of an act, where it has one and the outcome is not told already; its total and the fact of it."""
    if not deed.ability.roll or (deed.hit is not None and not dice.given("roll")):
        return None, ()
    roll = dice.roll(deed.ability.roll, "roll", deed.who)
    return roll.total, (record_roll(roll, deed.who),)


# What comes of it


@dataclass(frozen=True, slots=True)
class Blow:
    """What an act does where it hits.

    Attributes:
        finisher: it is a Knockout or an Execution of somebody Vulnerable; else empty.
        stops: what of the target's it interrupts, by `rule`; empty where nothing.
        stops_work: that is an action of several rounds.
    """

    who: str
    target: str
    what: str
    damage: int | str | None = None
    finisher: str = ""
    stops: str = ""
    stops_work: bool = False
    rule: str = "AP-29"


def outcome_of(state: FightState, deed: Deed, dice: Dice) -> ev.Events:
    """Done where it is known to hit; asked where a roll or harm is at stake."""
    if deed.target not in state.combatants:
        return ()
    stopped = stopped_by(state, deed)
    damage = deed.damage if deed.damage is not None else deed.ability.damage
    blow = Blow(
        who=deed.who,
        target=deed.target,
        what=deed.ability.name,
        damage=damage,
        finisher=deed.ability.finisher,
        stops=stopped.what if stopped else "",
        stops_work=stopped.is_work if stopped else False,
        rule="AP-30" if deed.ability.finisher else "AP-29",
    )
    hit = True if deed.hit is None and deed.damage is not None else deed.hit
    ends = bool(stopped or blow.finisher)
    if hit is None and (damage is not None or (ends and deed.ability.roll)):
        return (ev.RulingAsked(prompt=outcome_prompt(state, blow)),)
    if hit is not None:
        return resolve_act(state, blow, hit, dice)
    return (*_stopped(state, blow), *_finished(state, blow, told=False))


def _stopped(state: FightState, blow: Blow) -> ev.Events:
    """AP-29, AP-30: what the target was doing is interrupted, if it is doing it still."""
    target = state.combatants[blow.target]
    found = doing(target, blow.stops_work)
    if not blow.stops or found is None or found.what != blow.stops:
        return ()
    return interrupt_events(state, blow.who, target, blow.rule, found)


def _finished(state: FightState, blow: Blow, *, told: bool) -> ev.Events:
    """AP-30: a finisher that was told to succeed fells; where nobody has said so, the GM is asked."""
    if not blow.finisher:
        return ()
    if told:
        return fate(state, blow.target, FATE_OF_FINISHED[blow.finisher])
    combatant, target = state.combatants[blow.who], state.combatants[blow.target]
    return (ev.RulingAsked(prompt=finished_prompt(combatant, target, blow.what, blow.finisher)),)


def resolve_act(state: FightState, blow: Blow, hit: bool, dice: Dice) -> ev.Events:
    """Hit or miss: what is interrupted, the harm that lands, who falls. A miss does nothing."""
    checked = sev.ActResolved(who=blow.who, target=blow.target, ability=blow.what, hit=hit)
    if not hit:
        return (checked,)
    caused: list[ev.Event] = [checked, *_stopped(state, blow)]
    done: ev.Events = ()
    if blow.damage is not None:
        amount, thrown = throw(blow.damage, dice, "damage", blow.who)
        done = (*thrown, harm(fold_all(state, caused), blow.target, amount, "hp", blow.who))
    done = (*done, *_finished(state, blow, told=True))
    return (*caused, *done, *remember_harm(state, blow.who, blow.what, blow.target, done))


def outcome_prompt(state: FightState, blow: Blow) -> Prompt:
    """What came of it is the GM's to say: a hit with the sheet's damage, a number typed, or a miss."""
    combatant, target = state.combatants[blow.who], state.combatants[blow.target]
    shown = f" ({blow.damage})" if blow.damage is not None else ""
    return Prompt(
        id="",
        kind="outcome",
        question=f"{combatant.name}: {blow.what} at {target.name}: hit or miss?",
        rule="AP-16",
        choices=choices(f"hit:hit{shown}", "miss"),
        who=combatant.id,
        side=combatant.side,
        amount="damage",
        data=blow_data(blow),
    )


def blow_data(blow: Blow) -> Mapping[str, Scalar]:
    """What a question about a blow keeps, to go on with it."""
    return {
        "by": blow.who,
        "target": blow.target,
        "what": blow.what,
        "damage": blow.damage,
        "finisher": blow.finisher,
        "stops": blow.stops,
        "stops_work": blow.stops_work,
        "stops_rule": blow.rule,
    }


def blow_of(prompt: Prompt, amount: int | str | None) -> Blow:
    """The blow that a question is about, with the damage that its answer says."""
    listed = prompt.data.get("damage")
    damage: int | str | None = listed if isinstance(listed, int | str) else None
    return Blow(
        who=prompt.who,
        target=data_text(prompt, "target"),
        what=data_text(prompt, "what"),
        damage=damage if amount is None else amount,
        finisher=data_text(prompt, "finisher"),
        stops=data_text(prompt, "stops"),
        stops_work=prompt.data.get("stops_work") is True,
        rule=data_text(prompt, "stops_rule"),
    )


def answer_outcome(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """Hit, miss, or the damage of a hit."""
    blow = blow_of(prompt, given.amount)
    if blow.target not in state.combatants:
        return ()
    return resolve_act(state, blow, given.choice != "miss", dice)


# Act and React


def target_of(state: FightState, command: scm.Act | scm.React | scm.Npc | scm.Combo | scm.Begin) -> str:
    """Whom an act is at; nobody, where nobody is harmed.

    Raises:
        Refused: harm is to be done, and not said to whom.
    """
    if command.damage is not None and not command.target:
        others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != command.who)
        raise Refused("target", "who takes the damage?", others, final=True)
    return combatant_of(state, command.target).id if command.target else ""


def _build_deed(state: FightState, command: scm.Act | scm.React, pool: str) -> Deed:
    combatant = combatant_of(state, command.who)
    return Deed(
        who=combatant.id,
        ability=fg.ability_for(combatant, command.ability, command.cost),
        pool=pool,
        target=target_of(state, command),
        interrupt=command.interrupt,
        work=command.work,
        hit=command.hit,
        damage=command.damage,
        note=command.note,
        granted=command.force,
    )


def decide_act(decision: Decision, command: scm.Act) -> ev.Events:
    """AP-16: Action Slots are spent in one's own Active Phase."""
    state = decision.state
    return do_deed(decision, _build_deed(state, command, SLOTS))


def decide_react(decision: Decision, command: scm.React) -> ev.Events:
    """AP-19, AP-20: Reserved Slots are spent while others have their Active Phase."""
    state, referee = decision.state, decision.referee
    deed = _build_deed(state, command, RESERVED)
    combatant = state.combatants[deed.who]
    enforce(deed_checks(state, deed), referee)
    if deed.ability.listed or command.allowed is True or command.force:
        return do_deed(decision, deed)
    if command.allowed is False:
        message = f"the GM does not allow {deed.ability.name} from reserve"
        raise Refused("AP-20", message, ("an ability that says so",), final=True)
    price = price_of(state, deed.ability, RESERVED, phase_of(state, deed))
    prompt = Prompt(
        id="",
        kind="reserved",
        question=f"{combatant.name}: {deed.ability.name} for {price.total} from reserve: does its text allow that?",
        rule="AP-20",
        choices=YES_NO,
        default="no",
        who=combatant.id,
        side=combatant.side,
        data=kept_deed(deed),
    )
    return (ev.RulingAsked(prompt=prompt),)


def kept_deed(deed: Deed) -> Mapping[str, Scalar]:
    """What is needed to go on with an act once the GM has answered."""
    return {
        "ability": deed.ability.name,
        "cost": deed.ability.cost if deed.ability.typed else None,
        "pool": deed.pool,
        "target": deed.target,
        "interrupt": deed.interrupt,
        "work": deed.work,
        "hit": deed.hit,
        "damage": deed.damage,
        "note": deed.note,
    }


def resumed_deed(state: FightState, prompt: Prompt) -> Deed:
    """The act that a question was about, once it is answered."""
    combatant = state.combatants[prompt.who]
    cost, hit, damage = (prompt.data.get(key) for key in ("cost", "hit", "damage"))
    return Deed(
        who=combatant.id,
        ability=fg.ability_for(combatant, data_text(prompt, "ability"), cost if isinstance(cost, int) else None),
        pool=data_text(prompt, "pool"),
        target=data_text(prompt, "target"),
        interrupt=prompt.data.get("interrupt") is True,
        work=prompt.data.get("work") is True,
        hit=hit if isinstance(hit, bool) else None,
        damage=damage if isinstance(damage, int | str) else None,
        note=data_text(prompt, "note"),
        granted=prompt.kind == "interrupt",
    )


def _interrupt_prompt(state: FightState, deed: Deed) -> Prompt:
    combatant, target = state.combatants[deed.who], state.combatants[deed.target]
    found = stopped_by(state, deed)
    what = found.what if found else ""
    unsaid = found is not None and found.is_work
    return Prompt(
        id="",
        kind="interrupt",
        question=f"Can {combatant.name}'s {deed.ability.name} interrupt {target.name}: {what}?",
        rule="AP-39" if unsaid else "AP-29",
        choices=YES_NO,
        default="no",
        who=combatant.id,
        side=combatant.side,
        data=kept_deed(deed),
    )


def answer_allowed(decision: Decision, prompt: Prompt, given: Answer) -> ev.Events:
    """AP-20, AP-29: on yes the act goes on; on no nothing has been spent."""
    state = decision.state
    if given.choice != "yes" or data_text(prompt, "target") not in ("", *state.combatants):
        return ()
    return do_deed(decision, resumed_deed(state, prompt))


# Minor acts


def handle_checks(state: FightState, combatant: Combatant, shared: bool) -> tuple[Check, ...]:
    """AP-19, AP-31: in one's own Active Phase, or with Reserved Slots."""
    pool = pool_of(combatant)
    own = fg.active_checks(state, combatant) if pool == SLOTS else reserve_checks(state, combatant)
    return (*own, affordable(combatant, plain_price(state, 1 if shared else 0, pool), "AP-31"))


def decide_handle(decision: Decision, command: scm.Handle) -> ev.Events:
    """AP-31: each one who must handle a shared object pays a slot; a lone handler pays nothing."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(handle_checks(state, combatant, command.shared is True), referee)
    what = command.what.strip() or "a minor act"
    if command.shared is not None:
        return do_minor_act(state, combatant, what, command.shared)
    price = plain_price(state, 1, pool_of(combatant))
    enough = affordable(combatant, price).holds
    price_word = f"yes:yes, {price.total} each" if enough else "cannot:yes, and so it cannot be done"
    prompt = Prompt(
        id="",
        kind="shared",
        question=f"{combatant.name}: {what}: must more than one handle it?",
        rule="AP-31",
        choices=choices(price_word, "no:no, it is free"),
        default="no",
        who=combatant.id,
        side=combatant.side,
        data={"what": what},
    )
    return (ev.RulingAsked(prompt=prompt),)


def do_minor_act(state: FightState, combatant: Combatant, what: str, shared: bool) -> ev.Events:
    """The minor act is done."""
    price = plain_price(state, 1 if shared else 0, pool_of(combatant))
    done = sev.MinorActDone(who=combatant.id, what=what, shared=shared, price=price.total)
    return (
        *mark_act(combatant, pool_of(combatant)),
        fg.set_trait(combatant, "doing", what),
        done,
        *spend(combatant, price, what),
    )


def answer_shared(state: FightState, prompt: Prompt, given: Answer, referee: Referee) -> ev.Events:
    """AP-31: 1 slot, or free. What nobody could do any more by then falls away, for the question must not stay."""
    if given.choice == "cannot":
        return ()
    combatant = state.combatants[prompt.who]
    what, shared = data_text(prompt, "what"), given.choice == "yes"
    broken = first_broken(handle_checks(state, combatant, shared=False))
    if broken is not None and not shared and not given.force:
        return (ev.NoteAdded(text=f"{what}: too late, {broken.message}", who=combatant.id),)
    enforce(handle_checks(state, combatant, shared), referee)
    return do_minor_act(state, combatant, what, shared)


def dear_now(state: FightState, combatant: Combatant) -> bool:
    """True where what this PC does now costs four times as much."""
    return is_dear(state, pool_of(combatant))
