"""Combos: effects that need more than one PC (AP-32, AP-33)."""

from dataclasses import replace

from fightcall_engine.kit.checks import Check, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import YES_NO, prompt_for
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands, events, queries
from fightcall_engine.systems.slots.abilities import Ability, ability_for
from fightcall_engine.systems.slots.acts import (
    blow_of_deed,
    deed_of,
    finisher_checks,
    init_check,
    roll_for,
    settle_outcome,
    spend,
)
from fightcall_engine.systems.slots.interrupts import Deed, interrupt_checks, needs_ruling, record_act
from fightcall_engine.systems.slots.prices import Price, affordable_check, pool_of, price_of, price_of_slots
from fightcall_engine.systems.slots.queries import SLOTS
from fightcall_engine.systems.slots.records import fighter_of


def combo_ability(combatant: Combatant, command: commands.Combo) -> Ability:
    """The Combo on the sheet, or one with the prices that the GM has typed."""
    ability = ability_for(combatant, command.ability, command.cost)
    partner_cost = command.partner_cost if command.partner_cost is not None else ability.partner_cost
    if partner_cost < 0:
        raise Refused("AP-32", f"{partner_cost} slots", ("0 or more",), final=True)
    return replace(ability, partner_cost=partner_cost)


def partner_price(state: FightState, partner: Combatant, slots: int) -> Price:
    """AP-33, Q-A9: partners pay from reserve; those of the same band still in their Active Phase pay Action Slots."""
    return price_of_slots(state, slots, pool_of(partner))


def partner_checks(state: FightState, combatant: Combatant, partner: Combatant, slots: int) -> tuple[Check, ...]:
    """AP-32: a partner is another able PC who holds enough slots of either kind."""
    price = partner_price(state, partner, slots)
    slots_left = partner.pool(price.pool).now
    return (
        Check(partner.id != combatant.id, "AP-32", "you can't be your own partner", ("another PC",)),
        Check(queries.is_pc(partner) and partner.able, "AP-32", f"{partner.name} can't take part", ("an able PC",)),
        Check(
            slots_left > 0 and slots_left >= price.total,
            "AP-32",
            f"{partner.name} needs {max(1, price.total)} slots; {partner.name} has {slots_left}",
            (),
        ),
    )


def is_near_enough(state: FightState, combatant: Combatant, partner: Combatant, reach: int | None) -> bool | None:
    """AP-32: whether a partner is within `reach` places; None if the board or the sheet does not say."""
    if reach is None or state.board is None or combatant.at is None or partner.at is None:
        return None
    return state.board.distance(combatant.at, partner.at) <= reach


def combo_checks(state: FightState, combatant: Combatant, ability: Ability) -> tuple[Check, ...]:
    """AP-32, AP-33: the active PC begins a Combo with Action Slots."""
    is_combo = bool(ability.partners) or not ability.listed
    return (
        *queries.active_checks(state, combatant, "AP-33"),
        init_check(ability),
        Check(is_combo, "AP-32", f"{ability.name} isn't a Combo", ("act", "a Combo of the sheet")),
        affordable_check(combatant, price_of(state, ability, SLOTS)),
    )


def group_checks(state: FightState, deed: Deed, partners: tuple[str, ...]) -> tuple[Check, ...]:
    """The checks of a Combo: on all who take part (AP-32, AP-33), and on its target (AP-29, AP-30)."""
    combatant, target = state.combatants[deed.who], state.combatants.get(deed.target)
    checks = [
        *combo_checks(state, combatant, deed.ability),
        *finisher_checks(deed.ability, target),
        *interrupt_checks(state, deed, target),
    ]
    for combatant_id in partners:
        partner = state.combatants[combatant_id]
        near = is_near_enough(state, combatant, partner, deed.ability.range)
        checks += partner_checks(state, combatant, partner, deed.ability.partner_cost)
        checks.append(Check(near is not False, "AP-32", f"{partner.name} isn't close enough", ("closer partners",)))
    return tuple(checks)


@handles(commands.Combo)
def combine(decision: Decision, command: commands.Combo) -> None:
    """AP-32: start a Combo if all can take part; ask whether they are near enough if the board does not say."""
    state = decision.state
    combatant = decision.combatant(command.who)
    ability = combo_ability(combatant, command)
    deed = deed_of(state, command, ability, SLOTS)
    partners = partners_of(state, command)
    least = max(1, ability.partners)
    is_undecided = deed.interrupt and needs_ruling(state, deed)
    near = [
        is_near_enough(state, combatant, state.combatants[combatant_id], ability.range) for combatant_id in partners
    ]
    decision.require(
        Check(
            len(partners) >= least,
            "AP-32",
            f"needs {least} partners; you named {len(partners)}",
            possible_partners(state, combatant, ability),
        ),
        *group_checks(state, deed, partners),
        Check(
            not is_undecided, "AP-29", f"only the GM can decide whether {ability.name} interrupts that", ("a ruling",)
        ),
        Check(command.in_range is not False, "AP-32", "they aren't close enough", ("closer partners",)),
    )
    if command.in_range is None and None in near and not command.force:
        answer = decision.ask(_range_prompt(state, deed, partners))
        if answer is None or answer.choice != "yes":
            return
        broken = first_broken(group_checks(decision.state, deed, partners))
        if broken is not None and not answer.force:
            # Enter answers yes: it must not be refused because of what has happened since.
            decision.emit(RulingRecorded(rule=broken.rule, question=f"{ability.name}:", choice=broken.message))
            return
    start_combo(decision, deed, partners)


def partners_of(state: FightState, command: commands.Combo) -> tuple[str, ...]:
    """The ids of the partners, each once; `partner` may list several, separated by blanks or commas."""
    single = command.partner.strip()
    names = [single] if single in state.combatants else single.replace(",", " ").split()
    return tuple(dict.fromkeys(combatant_of(state, name).id for name in (*names, *command.partners)))


def possible_partners(state: FightState, combatant: Combatant, ability: Ability) -> tuple[str, ...]:
    """The ids of all who could be a partner now, and are not known to be too far away."""
    return tuple(
        other.id
        for other in queries.pcs(state)
        if all(check.holds for check in partner_checks(state, combatant, other, ability.partner_cost))
        and is_near_enough(state, combatant, other, ability.range) is not False
    )


def start_combo(decision: Decision, deed: Deed, partners: tuple[str, ...]) -> None:
    """AP-33: the active PC's slots start the Combo, the partners' finish it; then its outcome is settled."""
    state, ability = decision.state, deed.ability
    price, blow = price_of(state, ability, SLOTS), blow_of_deed(state, deed)
    shares = {
        combatant_id: partner_price(state, state.combatants[combatant_id], ability.partner_cost)
        for combatant_id in partners
    }
    record_act(decision, deed.who, SLOTS)
    decision.emit(
        events.ComboStarted(
            who=deed.who,
            before=fighter_of(state.combatants[deed.who]).doing,
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
        record_act(decision, name, share.pool, combo_of=deed.who)
        decision.set_traits(name, doing=ability.name)
        spend(decision, name, share, ability.name)
    decision.emit(events.ComboFinished(who=deed.who, ability=ability.name, partners=partners))
    settle_outcome(decision, deed, blow)


def _range_prompt(state: FightState, deed: Deed, partners: tuple[str, ...]) -> Prompt:
    combatant = state.combatants[deed.who]
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in partners)
    return prompt_for(
        combatant,
        kind="range",
        question=f"Are {combatant.name} and {names} close enough for {deed.ability.name}?",
        rule="AP-32",
        choices=YES_NO,
        default="yes",
        about=(*((deed.target,) if deed.target else ()), *partners),
    )
