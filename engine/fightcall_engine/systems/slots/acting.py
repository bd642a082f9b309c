"""Acts paid with slots: in one's own Active Phase, from reserve, minor ones (AP-16, AP-19..21, AP-29..31)."""

from collections.abc import Mapping

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of, harm, rolled, throw
from fightcall_engine.checks import Check, enforce, first_broken
from fightcall_engine.commands import Answer
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.prompts import YES_NO, choices, data_text
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS, Ability
from fightcall_engine.systems.slots.interrupts import (
    Deed,
    doing,
    finishes,
    interrupt_checks,
    interrupt_events,
    unbreakable,
)
from fightcall_engine.systems.slots.prices import (
    FINAL_TIME,
    Price,
    affordable,
    is_dear,
    plain_price,
    pool_of,
    price_of,
)

# What stands in the way


def reserve_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """AP-14, AP-15, AP-19: off one's turn one needs Reserved Slots of this round."""
    running = state.phase in fg.ROUND_PHASES
    ap = fg.text_trait(one, "ap")
    if ap == fg.WAITING:
        why = f"{one.name} has not gained slots in this round"
    elif ap == fg.ACTIVE:
        why = f"it is {one.name}'s own Active Phase: it has Action Slots"
    else:
        why = f"{one.name} holds no Reserved Slots"
    return (
        *fg.pc_checks(one),
        Check(running, "AP-19", "no Active Phase is running", ("a Full Round",)),
        Check(ap == fg.DONE and fg.reserve(one).now > 0, "AP-19", why, ("act",) if ap == fg.ACTIVE else ()),
        fg.settled_check(state),
    )


def allowed_check(one: Combatant, ability: Ability) -> Check:
    """AP-20: the text of a listed ability must clearly allow Reserved Slots."""
    can = tuple(entry.name for entry in fg.abilities(one) if entry.is_usable_from_reserve) or (
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
    return Check(not ability.partners, "AP-32", f"{ability.name} needs partners", ("combo",))


def finisher_checks(ability: Ability, target: Combatant | None) -> tuple[Check, ...]:
    """AP-30: Execution and Knockout are for Vulnerable targets."""
    if not ability.finisher or target is None:
        return ()
    ready = fg.trait(target, "vulnerable") is True
    why = f"{target.name} is not Vulnerable"
    return (Check(ready, "AP-30", why, ("a Vulnerable target", "a ruling: vulnerable")),)


# Doing it


def deed_checks(state: FightState, deed: Deed) -> tuple[Check, ...]:
    """Everything that an act needs, whoever pays for it and how."""
    one = state.combatants[deed.who]
    target = state.combatants.get(deed.target)
    own = fg.active_checks(state, one) if deed.pool == SLOTS else reserve_checks(state, one)
    allowed = (allowed_check(one, deed.ability),) if deed.pool == RESERVED else ()
    return (
        *own,
        init_check(deed.ability),
        alone_check(deed.ability),
        *allowed,
        *finisher_checks(deed.ability, target),
        *interrupt_checks(state, deed, target),
        affordable(one, price_of(state, deed.ability, deed.pool)),
    )


def spend(one: Combatant, price: Price, purpose: str) -> ev.Events:
    """Slots are spent; a forced price takes what there is."""
    held = one.pool(price.pool)
    paid = min(price.total, held.now)
    if price.total == 0:
        return ()
    return (
        sev.SlotsSpent(
            who=one.id,
            pool=price.pool,
            amount=paid,
            before=held.now,
            left=held.now - paid,
            max=held.max,
            purpose=purpose,
        ),
    )


def do_deed(state: FightState, deed: Deed, dice: Dice, referee: Referee) -> ev.Events:
    """Check an act, ask the GM where only the GM can say, and do it."""
    enforce(deed_checks(state, deed), referee)
    target = state.combatants.get(deed.target)
    if deed.interrupt and not deed.granted and _gm_decides(state, deed, target):
        return (ev.RulingAsked(prompt=_interrupt_prompt(state, deed)),)
    return (*pay_and_announce(state, deed, dice), *_outcome(state, deed, dice))


def _gm_decides(state: FightState, deed: Deed, target: Combatant | None) -> bool:
    """AP-29, AP-39: an act that is not on the sheet, or an action that nobody has said can be broken."""
    if target is None:
        return False
    unsaid = bool(fg.text_trait(target, "action")) and fg.trait(target, "action_breakable") is None
    return unsaid or (not deed.ability.listed and not finishes(state, deed, target))


def pay_and_announce(state: FightState, deed: Deed, dice: Dice) -> ev.Events:
    """AP-16, AP-21, AP-23: the act is announced, its roll made, its slots spent; what it interrupts is stopped."""
    one = state.combatants[deed.who]
    target = state.combatants.get(deed.target)
    price = price_of(state, deed.ability, deed.pool)
    happened: list[ev.Event] = []
    total: int | None = None
    if deed.ability.roll and (deed.hit is None or dice.given("roll")):
        roll = dice.roll(deed.ability.roll, "roll", one.id)
        happened.append(rolled(roll, one.id))
        total = roll.total
    happened.append(
        sev.ActionActivated(
            who=one.id,
            before=fg.trait(one, "doing"),
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
        happened.append(
            sev.FinalActionTaken(who=one.id, ability=deed.ability.name, base=price.base, price=price.total)
        )
    happened.extend(spend(one, price, deed.ability.name))
    if target is not None:
        stops = finishes(state, deed, target) and bool(doing(state, target)[0]) and not unbreakable(target)
        if deed.interrupt or stops:
            rule = "AP-30" if stops else "AP-29"
            happened.extend(interrupt_events(state, one.id, target, rule))
    return tuple(happened)


# What comes of it


def _outcome(state: FightState, deed: Deed, dice: Dice) -> ev.Events:
    target = state.combatants.get(deed.target)
    damage = deed.damage if deed.damage is not None else deed.ability.damage
    if target is None or (damage is None and deed.hit is None):
        return ()
    hit = True if deed.hit is None and deed.damage is not None else deed.hit
    if hit is None:
        return (ev.RulingAsked(prompt=outcome_prompt(state, deed.who, target, deed.ability.name, damage)),)
    return resolved(deed.who, target, deed.ability.name, hit, damage, state, dice)


def resolved(
    who: str, target: Combatant, what: str, hit: bool, damage: int | str | None, state: FightState, dice: Dice
) -> ev.Events:
    """Hit or miss, and the harm that lands."""
    checked = sev.ActResolved(who=who, target=target.id, ability=what, hit=hit)
    if not hit or damage is None:
        return (checked,)
    amount, thrown = throw(damage, dice, "damage", who)
    return (checked, *thrown, harm(state, target.id, amount, who))


def outcome_prompt(
    state: FightState, who: str, target: Combatant, what: str, damage: int | str | None
) -> Prompt:
    """What came of it is the GM's to say: a hit with the sheet's damage, a number typed, or a miss."""
    one = state.combatants[who]
    shown = f" ({damage})" if damage is not None else ""
    return Prompt(
        id="",
        kind="outcome",
        question=f"{one.name}: {what} at {target.name}: hit or miss?",
        rule="AP-16",
        choices=choices(f"hit:hit{shown}", "miss"),
        who=who,
        side=one.side,
        amount="damage",
        data={"target": target.id, "what": what, "damage": damage},
    )


def answer_outcome(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """Hit, miss, or the damage of a hit."""
    target = state.combatants.get(data_text(prompt, "target"))
    if target is None:
        return ()
    listed = prompt.data.get("damage")
    damage: int | str | None = listed if isinstance(listed, int | str) else None
    if given.amount is not None:
        damage = given.amount
    return resolved(
        prompt.who, target, data_text(prompt, "what"), given.choice != "miss", damage, state, dice
    )


# Act and React


def target_of(state: FightState, command: scm.Act | scm.React | scm.Npc) -> str:
    """Whom an act is at; nobody, where nobody is harmed.

    Raises:
        Refused: harm is to be done, and not said to whom.
    """
    if command.damage is not None and not command.target:
        others = tuple(who for who in state.combatants if who != command.who)
        raise Refused("target", "who takes the damage?", others, final=True)
    return combatant_of(state, command.target).id if command.target else ""


def _deed(state: FightState, command: scm.Act | scm.React, pool: str) -> Deed:
    one = combatant_of(state, command.who)
    return Deed(
        who=one.id,
        ability=fg.ability_for(one, command.ability, command.cost),
        pool=pool,
        target=target_of(state, command),
        interrupt=command.interrupt,
        hit=command.hit,
        damage=command.damage,
        note=command.note,
        granted=command.force,
    )


def decide_act(state: FightState, command: scm.Act, dice: Dice, referee: Referee) -> ev.Events:
    """AP-16: Action Slots are spent in one's own Active Phase."""
    return do_deed(state, _deed(state, command, SLOTS), dice, referee)


def decide_react(state: FightState, command: scm.React, dice: Dice, referee: Referee) -> ev.Events:
    """AP-19, AP-20: Reserved Slots are spent while others have their Active Phase."""
    deed = _deed(state, command, RESERVED)
    one = state.combatants[deed.who]
    enforce(deed_checks(state, deed), referee)
    if deed.ability.listed or command.allowed is True or command.force:
        return do_deed(state, deed, dice, referee)
    if command.allowed is False:
        message = f"the GM does not allow {deed.ability.name} from reserve"
        raise Refused("AP-20", message, ("an ability that says so",), final=True)
    price = price_of(state, deed.ability, RESERVED)
    prompt = Prompt(
        id="",
        kind="reserved",
        question=f"{one.name}: {deed.ability.name} for {price.total} from reserve: does its text allow that?",
        rule="AP-20",
        choices=YES_NO,
        default="no",
        who=one.id,
        side=one.side,
        data=_kept(deed),
    )
    return (ev.RulingAsked(prompt=prompt),)


def _kept(deed: Deed) -> Mapping[str, Scalar]:
    """What is needed to go on with an act once the GM has answered."""
    return {
        "ability": deed.ability.name,
        "cost": deed.ability.cost if deed.ability.typed else None,
        "pool": deed.pool,
        "target": deed.target,
        "interrupt": deed.interrupt,
        "hit": deed.hit,
        "damage": deed.damage,
        "note": deed.note,
    }


def _resumed(state: FightState, prompt: Prompt) -> Deed:
    one = state.combatants[prompt.who]
    cost, hit, damage = (prompt.data.get(key) for key in ("cost", "hit", "damage"))
    return Deed(
        who=one.id,
        ability=fg.ability_for(one, data_text(prompt, "ability"), cost if isinstance(cost, int) else None),
        pool=data_text(prompt, "pool"),
        target=data_text(prompt, "target"),
        interrupt=prompt.data.get("interrupt") is True,
        hit=hit if isinstance(hit, bool) else None,
        damage=damage if isinstance(damage, int | str) else None,
        note=data_text(prompt, "note"),
        granted=prompt.kind == "interrupt",
    )


def _interrupt_prompt(state: FightState, deed: Deed) -> Prompt:
    one, target = state.combatants[deed.who], state.combatants[deed.target]
    what, _ = doing(state, target)
    unsaid = bool(fg.text_trait(target, "action"))
    return Prompt(
        id="",
        kind="interrupt",
        question=f"Can {one.name}'s {deed.ability.name} interrupt {target.name}: {what}?",
        rule="AP-39" if unsaid else "AP-29",
        choices=YES_NO,
        default="no",
        who=one.id,
        side=one.side,
        data=_kept(deed),
    )


def answer_allowed(
    state: FightState, prompt: Prompt, given: Answer, dice: Dice, referee: Referee
) -> ev.Events:
    """AP-20, AP-29: on yes the act goes on; on no nothing has been spent."""
    if given.choice != "yes" or data_text(prompt, "target") not in ("", *state.combatants):
        return ()
    return do_deed(state, _resumed(state, prompt), dice, referee)


# Minor acts


def handle_checks(state: FightState, one: Combatant, shared: bool) -> tuple[Check, ...]:
    """AP-19, AP-31: in one's own Active Phase, or with Reserved Slots."""
    pool = pool_of(one)
    own = fg.active_checks(state, one) if pool == SLOTS else reserve_checks(state, one)
    return (*own, affordable(one, plain_price(state, 1 if shared else 0, pool), "AP-31"))


def decide_handle(state: FightState, command: scm.Handle, dice: Dice, referee: Referee) -> ev.Events:
    """AP-31: each one who must handle a shared object pays a slot; a lone handler pays nothing."""
    one = combatant_of(state, command.who)
    enforce(handle_checks(state, one, command.shared is True), referee)
    what = command.what.strip() or "a minor act"
    if command.shared is not None:
        return handled(state, one, what, command.shared)
    price = plain_price(state, 1, pool_of(one))
    enough = affordable(one, price).holds
    price_word = f"yes:yes, {price.total} each" if enough else "cannot:yes, and so it cannot be done"
    prompt = Prompt(
        id="",
        kind="shared",
        question=f"{one.name}: {what}: must more than one handle it?",
        rule="AP-31",
        choices=choices(price_word, "no:no, it is free"),
        default="no",
        who=one.id,
        side=one.side,
        data={"what": what},
    )
    return (ev.RulingAsked(prompt=prompt),)


def handled(state: FightState, one: Combatant, what: str, shared: bool) -> ev.Events:
    """The minor act is done."""
    price = plain_price(state, 1 if shared else 0, pool_of(one))
    done = sev.MinorActDone(who=one.id, what=what, shared=shared, price=price.total)
    return (done, *spend(one, price, what))


def answer_shared(state: FightState, prompt: Prompt, given: Answer, referee: Referee) -> ev.Events:
    """AP-31: 1 slot, or free. What nobody could do any more by then falls away, for the question must not stay."""
    if given.choice == "cannot":
        return ()
    one = state.combatants[prompt.who]
    what, shared = data_text(prompt, "what"), given.choice == "yes"
    broken = first_broken(handle_checks(state, one, shared=False))
    if broken is not None and not shared and not given.force:
        return (ev.NoteAdded(text=f"{what}: too late, {broken.message}", who=one.id),)
    enforce(handle_checks(state, one, shared), referee)
    return handled(state, one, what, shared)


def dear_now(state: FightState, one: Combatant) -> bool:
    """True where what this PC does now costs four times as much."""
    return is_dear(state, pool_of(one))
