"""Rulings that the GM can make unasked (rules digest, section 5): mode, order, turns, Actions, effects, rest."""

from fightcall_engine.kit.checks import Check, first_broken, require_always
from fightcall_engine.kit.combatants import ids_listed, name_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.kit.rulings import read_flag, record_ruling, whole
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Waived
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import commands, events, offers, records, rounds, scenes, steps


@rules_on("mode")
def rule_mode(decision: Decision, command: Rule) -> None:
    """ST-11: set free order or Initiative."""
    scenes.set_mode(decision, commands.SetMode(mode=str(command.value or ""), reason=command.note))


@rules_on("order")
def rule_order(decision: Decision, command: Rule) -> None:
    """ST-13: set the order, also for the remaining turns of this round, the offered one included."""
    before = decision.state.order
    order = ids_listed(decision.state, str(command.value or ""))
    if sorted(order) != sorted(before):
        raise Refused("ST-13", "the order must name everyone once", (" ".join(before),), final=True)
    decision.emit(
        record_ruling("ST-13", "The order", ", ".join(name_of(decision.state, each) for each in order), command.note),
        events.OrderChanged(order=order, before=before, reason="GM override"),
    )
    _reorder_round(decision, order)


def _reorder_round(decision: Decision, order: tuple[str, ...]) -> None:
    """The remaining turns of the round in a new order, with the offered one; delayers stay at its end."""
    state = decision.state
    start, actor = rounds.block_start(state), records.actor_of(state)
    if start is None:
        return
    delayed_ids = {combatant.id for combatant in records.delayers(state)}
    offer = ((start, actor.id),) if actor is not None and state.phase == records.OFFER else ()
    later = [each for each in (*offer, *rounds.later_blocks(state)) if each[1] in state.combatants]
    later.sort(key=lambda block: (block[1] in delayed_ids, order.index(block[1]) if block[1] not in delayed_ids else 0))
    length = len(rounds.TITLES)
    blocks = [step for at, _ in later for step in state.agenda.steps[at : at + length]]
    if offer and later[0] != offer[0]:
        decision.emit(*record_moot(offers.prompts_of_offer(state), "the order has changed"))
        rounds.rearrange_round(decision, (*state.agenda.steps[:start], *blocks), start - 1, "GM override")
        return
    past_steps = state.agenda.steps[: start if offer else rounds.block_end(state) + 1]
    rounds.rearrange_round(decision, (*past_steps, *blocks), state.agenda.cursor, "GM override")


def turn_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-13: an extra turn is for a combatant who has no turn to come."""
    if not records.is_in_rounds(state) or state.step is None:
        return (Check(False, "ST-13", "no round is running", ("initiative",)),)
    is_to_come = any(combatant_id == combatant.id for _, combatant_id in rounds.later_blocks(state))
    is_to_come = is_to_come or records.is_offered(state, combatant.id)
    is_running = records.running_turn(state) is combatant
    ways = {"take": offers.take_checks, "step_in": offers.step_in_checks}
    accepts = tuple(name for name, checks in ways.items() if first_broken(checks(state, combatant)) is None)
    can_end = first_broken(offers.end_checks(state, combatant)) is None
    return (
        Check(not is_to_come, "ST-13", f"{combatant.name} still has a turn this round", accepts),
        Check(not is_running, "ST-13", f"{combatant.name}'s turn is running", ("end_turn",) if can_end else ()),
    )


@rules_on("turn")
def rule_turn(decision: Decision, command: Rule) -> None:
    """ST-13: insert an extra turn after the running one."""
    state = decision.state
    combatant = decision.combatant(command.who)
    require_always(*turn_checks(state, combatant))
    place, steps = rounds.block_end(state) + 1, state.agenda.steps
    steps_with_block = (*steps[:place], *rounds.block(combatant, steps), *steps[place:])
    decision.emit(record_ruling("ST-13", "Next turn", combatant.name, command.note))
    decision.set_traits(combatant.id, turn=records.WAITING)
    rounds.rearrange_round(decision, steps_with_block, state.agenda.cursor, f"a turn for {combatant.name}")


@rules_on("actions")
def rule_actions(decision: Decision, command: Rule) -> None:
    """Q-T1: set the number of Actions per turn."""
    combatant = decision.combatant(command.who)
    most = scenes.check_actions(command.value)
    decision.emit(record_ruling("Q-T1", f"{combatant.name}'s Actions per turn", most, command.note))
    scenes.set_actions(decision, combatant, most, "ruling")


@rules_on("effects")
def rule_effects(decision: Decision, command: Rule) -> None:
    """Q-T23: set the order in which effects run in a step, by their names or ids."""
    combatant = decision.combatant(command.who)
    words = [part.strip().lower() for part in str(command.value or "").split(",") if part.strip()]
    ids_by_word = {key: effect.id for effect in combatant.effects for key in (effect.name.lower(), effect.id)}
    if not words or any(word not in ids_by_word for word in words):
        names = tuple(effect.name for effect in combatant.effects) or ("no effects",)
        message = f"{command.value!r} doesn't match {combatant.name}'s effects"
        raise Refused("Q-T23", message, names, final=True)
    first = tuple(dict.fromkeys(ids_by_word[word] for word in words))
    in_order = steps.arrange_effects(combatant, combatant.effects)
    rest = (effect.id for effect in in_order if effect.id not in first)
    decision.emit(record_ruling("Q-T23", f"Order of {combatant.name}'s effects", ", ".join(words), command.note))
    decision.set_traits(combatant.id, effect_order=(*first, *rest))


@rules_on("free")
def rule_free_actions(decision: Decision, command: Rule) -> None:
    """ST-32: set whether a combatant's Free Actions are allowed."""
    combatant = decision.combatant(command.who)
    is_allowed = read_flag("ST-32", command.value)
    choice = "allowed" if is_allowed else "forbidden"
    decision.emit(record_ruling("ST-32", f"{combatant.name}'s Free Actions", choice, command.note))
    decision.set_traits(combatant.id, no_free=not is_allowed)


@rules_on("hp_per_resolve")
def rule_hp_per_resolve(decision: Decision, command: Rule) -> None:
    """ST-38: set the hit points per Resolve."""
    each = whole("ST-38", command.value, 0, "number of hit points")
    decision.emit(record_ruling("ST-38", "HP per Resolve", each))
    decision.set_facts(hp_per_resolve=each)


@rules_on("awake")
def rule_awake(decision: Decision, command: Rule) -> None:
    """ST-34: set for how many hours all have been awake."""
    hours = whole("ST-34", command.value, 0, "number of hours")
    decision.emit(record_ruling("ST-34", "Awake for", f"{hours} h", command.note))
    decision.set_facts(awake_h=hours)


@rules_on("chance")
def rule_chance(decision: Decision, command: Rule) -> None:
    """ST-10: waive a combatant's opportunity in free order, or that of all who have had none."""
    state = decision.state
    people = (decision.combatant(command.who),) if command.who else records.participants_left_out(state)
    if records.mode_of(state) != records.FREE:
        raise Refused("ST-10", "the Scene isn't in free order", ("set_mode free",), final=True)
    names = ", ".join(combatant.name for combatant in people) or "nobody"
    decision.emit(
        record_ruling("ST-10", f"{names} had a chance to act", "waived"),
        *(Waived(who=combatant.id) for combatant in people),
    )
