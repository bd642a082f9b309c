"""What the GM may rule on unasked (digest, section 5): mode, order, an extra turn, Actions, effects, rest."""

from collections.abc import Mapping

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.rulings import Ruling, carry_out, record_ruling, truth, whole
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import rounds, scenes, steps


def _mode(decision: Decision, rule: Rule) -> ev.Events:
    return scenes.decide_set_mode(decision, tcm.SetMode(mode=str(rule.value or ""), reason=rule.note))


def _order(decision: Decision, rule: Rule) -> ev.Events:
    """The order by the GM's word; who is still to come in this round comes in it."""
    state = decision.state
    words = str(rule.value or "").replace(",", " ").split()
    order = tuple(combatant_of(state, word).id for word in words)
    if sorted(order) != sorted(state.order):
        raise Refused("ST-13", "an order names everybody once", state.order, final=True)
    record = record_ruling("ST-13", "The order", ", ".join(order), rule.note)
    changed = tev.OrderChanged(order=order, before=state.order, reason="the GM's word")
    return (record, changed, *_reorder_round(state, order))


def _reorder_round(state: FightState, order: tuple[str, ...]) -> ev.Events:
    """What is still to come of the round in another order; delayers stay at its end."""
    if not fg.in_rounds(state) or state.step is None:
        return ()
    end = rounds.block_end(state)
    later = [(at, combatant_id) for at, combatant_id in rounds.ahead(state) if combatant_id in state.combatants]
    delayed = {combatant.id for combatant in fg.delayers(state)}
    later.sort(key=lambda item: (item[1] in delayed, order.index(item[1]) if item[1] not in delayed else 0))
    length = len(rounds.TITLES)
    found = [step for at, _ in later for step in state.agenda.steps[at : at + length]]
    after = (*state.agenda.steps[: end + 1], *found)
    return rounds.rearrange_round(state, after, state.agenda.cursor, "the GM's word")


def _turn(decision: Decision, rule: Rule) -> ev.Events:
    """A turn after the running one, for somebody who has none to come."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    if not fg.in_rounds(state) or state.step is None:
        raise Refused("ST-13", "no round is running", ("initiative",), final=True)
    if any(combatant_id == combatant.id for _, combatant_id in rounds.ahead(state)) or fg.is_offered(
        state, combatant.id
    ):
        raise Refused("ST-13", f"{combatant.name} has a turn to come", ("take", "step_in"), final=True)
    if fg.turn_of(state) is combatant:
        raise Refused("ST-13", f"{combatant.name}'s turn is running", ("end_turn",), final=True)
    place = rounds.block_end(state) + 1
    agenda = state.agenda.steps
    added = (*agenda[:place], *rounds.block(combatant, agenda), *agenda[place:])
    return (
        record_ruling("ST-13", f"{combatant.name} has a turn", "next", rule.note),
        fg.set_trait(combatant, "turn", fg.WAITING),
        *rounds.rearrange_round(state, added, state.agenda.cursor, f"a turn for {combatant.name}"),
    )


def _actions(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    most = scenes.whole_actions(rule.value)
    record = record_ruling("Q-T1", f"Actions a turn for {combatant.name}", most, rule.note)
    return (record, *scenes.set_actions(combatant, most, "ruling"))


def _effects(decision: Decision, rule: Rule) -> ev.Events:
    """Q-T23: the order in which one's effects run in a step, named by name or id."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    wanted = [part.strip().lower() for part in str(rule.value or "").split(",") if part.strip()]
    known = {key: effect.id for effect in combatant.effects for key in (effect.name.lower(), effect.id)}
    if not wanted or any(word not in known for word in wanted):
        names = tuple(effect.name for effect in combatant.effects) or ("no effects",)
        raise Refused("Q-T23", f"{rule.value!r} names other effects than {combatant.name} has", names, final=True)
    first = list(dict.fromkeys(known[word] for word in wanted))
    rest = [effect.id for effect in steps.arrange_effects(combatant, combatant.effects) if effect.id not in first]
    record = record_ruling("Q-T23", f"Effects on {combatant.name}, in order", ", ".join(wanted), rule.note)
    return (record, fg.set_trait(combatant, "effect_order", " ".join([*first, *rest])))


def _free(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    allowed = truth("ST-32", rule.value)
    record = record_ruling(
        "ST-32", f"Free Actions of {combatant.name}", "allowed" if allowed else "forbidden", rule.note
    )
    return (record, fg.set_trait(combatant, "no_free", not allowed))


def _hp_per_resolve(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    each = whole("ST-38", rule.value, 0, "number of hit points")
    return (
        record_ruling("ST-38", "Hit points for each Resolve", each),
        *fg.set_fact(state, "hp_per_resolve", str(each)),
    )


def _awake(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    hours = whole("ST-34", rule.value, 0, "number of hours")
    return (record_ruling("ST-34", "Awake for", f"{hours} h", rule.note), *fg.set_fact(state, "awake_h", hours))


def _chance(decision: Decision, rule: Rule) -> ev.Events:
    """ST-10: the GM waives somebody's opportunity in free order."""
    state = decision.state
    people: tuple[Combatant, ...] = (combatant_of(state, rule.who),) if rule.who else scenes.left_out(state)
    if fg.mode(state) != fg.FREE:
        raise Refused("ST-10", "the Scene is not in free order", ("set_mode free",), final=True)
    names = ", ".join(combatant.name for combatant in people) or "nobody"
    return (
        record_ruling("ST-10", f"A chance to act for {names}", "waived"),
        *(ev.Waived(who=combatant.id) for combatant in people),
    )


RULINGS: Mapping[str, Ruling] = {
    "mode": _mode,
    "order": _order,
    "turn": _turn,
    "actions": _actions,
    "effects": _effects,
    "free": _free,
    "hp_per_resolve": _hp_per_resolve,
    "awake": _awake,
    "chance": _chance,
}


def decide_rule(decision: Decision, command: Rule) -> ev.Events:
    """Carry out a ruling.

    Raises:
        Refused: listing what can be ruled on.
    """
    return carry_out(RULINGS, command.what, decision, command)
