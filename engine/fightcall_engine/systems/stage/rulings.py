"""What the GM may rule on unasked: pace, order, cover, armour, view, length and price of things."""

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import ask_ruling
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.kit.rulings import Ruling, carry_out, record_ruling, whole
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import management, moment


def _is_denial(value: Scalar) -> bool:
    """True where a ruling says no, in whatever words."""
    return value is False or (isinstance(value, str) and value.lower() in ("false", "no"))


def slow_checks(state: FightState) -> tuple[Check, ...]:
    """SB-13: while the leading side dithers in its own half, with the other still to come."""
    step, steps = state.step, state.agenda.steps
    later = state.agenda.cursor + 1
    leading = step is not None and step.kind == "half" and later < len(steps)
    ahead = leading and step is not None and steps[later].phase == step.phase and steps[later].kind == "half"
    return (Check(bool(ahead), "SB-13", "there is nobody left in this phase to go first instead", ("a lead half",)),)


def skulking_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-64: DAR hinders nobody but who has Skullduggery."""
    skilled = fg.number(combatant, "skullduggery") is not None
    return (Check(skilled, "SB-64", f"{combatant.name} has no Skullduggery", ("a figure with Skullduggery",)),)


def length_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-25: only what somebody does or has begun can be said to take long."""
    is_busy = bool(_work_of(combatant))
    return (Check(is_busy, "SB-25", f"{combatant.name} is doing nothing", ("business first",)),)


def _work_of(combatant: Combatant) -> str:
    """What a figure does, else what it has begun and not finished; empty where nothing."""
    return fg.text_trait(combatant, "business") or next(iter(management.long_business(combatant)), "")


def _slow(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    scope = rule.value if rule.value is not None else state.settings.get("slow_penalty", "phase")
    if scope == "cancel":
        return (record_ruling("SB-13", "Too slow?", "let it go", rule.note),)
    if scope not in ("phase", "moment"):
        raise Refused("SB-13", f"{scope!r} is no scope", ("phase", "moment", "cancel"), final=True)
    check = slow_checks(state)[0]
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)
    return (record_ruling("SB-13", "Too slow", scope, rule.note), *moment.flip_lead(state, str(scope)))


def _order(decision: Decision, rule: Rule) -> ev.Events:
    state, dice = decision.state, decision.dice
    party = [combatant.id for combatant in state.combatants.values() if combatant.side == fg.PARTY]
    rest = [combatant_id for combatant_id in state.order if combatant_id not in party]
    value = str(rule.value or "agility").strip().lower()
    before = fg.fact(state, "party_order")
    thrown: list[ev.Event] = []
    if value == "free":
        order, mode = list(party), "free"
    elif value == "agility":
        order, thrown = _by_agility(state, party, dice)
        mode = "agility"
    else:
        named = [combatant_of(state, part.strip()).id for part in value.replace(",", " ").split()]
        if sorted(named) != sorted(party):
            raise Refused("SB-11", "an agreed order names each of the party once", (" ".join(party),), final=True)
        order, mode = named, "agreed"
    return (
        *thrown,
        record_ruling("SB-11", "Order of the party", mode, rule.note),
        ev.OrderSet(order=(*order, *rest), reason=mode),
        ev.FactChanged(fact="party_order", before=before, value=mode),
    )


def _by_agility(state: FightState, party: list[str], dice: Dice) -> tuple[list[str], list[ev.Event]]:
    """Q-S2: margin = Agility - d20, highest first, ties by Agility; or d20 + Agility by the setting."""
    high = state.settings.get("agility_order") == "high"
    thrown: list[ev.Event] = []
    keys: dict[str, tuple[int, int]] = {}
    for combatant_id in party:
        agility = fg.number(state.combatants[combatant_id], "agility") or 10
        roll = dice.roll("d20", f"agility.{combatant_id}", combatant_id)
        thrown.append(record_roll(roll, combatant_id))
        keys[combatant_id] = (agility + roll.total if high else agility - roll.total, agility)
    return sorted(party, key=lambda combatant_id: keys[combatant_id], reverse=True), thrown


def _cover(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    if isinstance(rule.value, bool) or not isinstance(rule.value, int):
        raise Refused("SB-70", f"{rule.value!r} is no modifier", ("a whole number, such as 3",), final=True)
    if rule.who:
        combatant = combatant_of(state, rule.who)
        record = record_ruling("SB-70", f"Cover of {combatant.name}", f"{rule.value:+d}", rule.note)
        return (record, _trait(combatant, "cover_mod", rule.value))
    record = record_ruling("SB-70", "Cover of the next target", f"{rule.value:+d}", rule.note)
    return (record, ev.FactChanged(fact="cover_mod", before=fg.fact(state, "cover_mod"), value=rule.value))


def _trait(combatant: Combatant, name: str, value: Scalar) -> ev.TraitChanged:
    return ev.TraitChanged(who=combatant.id, trait=name, before=fg.trait(combatant, name), value=value)


def _dar(decision: Decision, rule: Rule) -> ev.Events:
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, rule.who)
    relief = whole("SB-64", rule.value, 0, "DAR")
    enforce(skulking_checks(combatant), referee)
    return (
        record_ruling("SB-64", f"DAR of {combatant.name} when sneaking", relief, rule.note),
        _trait(combatant, "dar_relief", relief),
    )


def _plain_view(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = not _is_denial(rule.value)
    record = record_ruling("SB-57", f"{combatant.name} in plain view", "yes" if value else "no", rule.note)
    return (record, _trait(combatant, "plain_view", value))


def _rule_hiding(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    if _is_denial(rule.value):
        cause = rule.note or "ruling"
        return (record_ruling("SB-61", f"{combatant.name} noticed", cause), ev.Detected(who=combatant.id, cause=cause))
    unseen = _trait(combatant, "plain_view", False)
    return (
        record_ruling("SB-60", f"{combatant.name} hidden", "yes", rule.note),
        unseen,
        ev.Hid(who=combatant.id, reason="ruling"),
    )


def _rule_management_phases(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who) if rule.who else _last_busy(state)
    needed = whole("SB-25", rule.value, 1, "number of Management phases")
    name = _work_of(combatant)
    if not name:
        check = length_checks(combatant)[0]
        raise Refused(check.rule, check.message, check.accepts, final=True)
    record = record_ruling("SB-25", f"{combatant.name}: {name}", f"takes {needed} phases", rule.note)
    return (record, *management.ruled_length(state, combatant, name, needed))


def _last_busy(state: FightState) -> Combatant:
    busy = [
        combatant_id for combatant_id, combatant in state.combatants.items() if fg.text_trait(combatant, "business")
    ]
    acted = [combatant_id for combatant_id in state.agenda.acted if combatant_id in busy]
    if acted or len(busy) == 1:
        return state.combatants[(acted or busy)[-1]]
    raise Refused("who", "whose business?", tuple(busy) or tuple(state.combatants), final=True)


def _quick(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who) if rule.who else _last_busy(state)
    record = record_ruling("SB-26", f"{combatant.name}'s business", "quick enough for another", rule.note)
    return (record, _trait(combatant, "quick", True))


def _drop(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    open_business = management.long_business(combatant)
    name = str(rule.value or next(iter(open_business), ""))
    if name not in open_business:
        raise Refused(
            "SB-25",
            f"{combatant.name} has begun no {name!r}",
            tuple(open_business) or ("nothing begun",),
            final=True,
        )
    return (
        record_ruling("SB-25", f"{combatant.name}: {name}", "given up", rule.note),
        management.given_up(combatant, name),
    )


def _stall(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant_id = combatant_of(state, rule.who).id if rule.who else ""
    gained = str(rule.value or "time to take better positions")
    return (record_ruling("SB-44", "Stalling", gained, rule.note), sev.StallUsed(who=combatant_id, gained=gained))


def _talks(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    before = fg.fact(state, "talk")
    if rule.value not in ("granted", "denied"):
        raise Refused("SB-41", f"{rule.value!r} is no answer", ("granted", "denied"), final=True)
    kind = sev.ParleyGranted if rule.value == "granted" else sev.ParleyDenied
    return (record_ruling("SB-41", "Talks", rule.value, rule.note), kind(before=before, value=rule.value))


def _morale(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    side = rule.who if rule.who in fg.SIDES else (fg.FOE if not rule.who else combatant_of(state, rule.who).side)
    asking = sev.MoraleAsked(side=side, before=fg.fact(state, "losses"), value="")
    if rule.value in ("holds", "fails"):
        checked = sev.MoraleChecked(side=side, passed=rule.value == "holds", note=rule.note)
        return (asking, checked, record_ruling("SB-38", f"Morale of the {side}", rule.value, rule.note))
    return (asking, ask_ruling(state, (), moment.morale_prompt(side, 0)))


def _price(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    if not rule.note.strip():
        raise Refused("SB-78", "the price of what?", ("note: its name",), final=True)
    key = f"price:{rule.note.strip().lower()}"
    price = whole("SB-78", rule.value, 0, "price in beats")
    return (
        record_ruling("SB-78", f"Price of {rule.note.strip()}", f"{price} beat{'' if price == 1 else 's'}"),
        ev.FactChanged(fact=key, before=state.facts.get(key), value=price),
    )


def _scale(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    value = rule.value
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise Refused("SB-02", f"{value!r} is no scale", ("feet to a hex, more than 0",), final=True)
    return (
        record_ruling("SB-02", "Feet to a hex", value, rule.note),
        ev.FactChanged(fact="hex_ft", before=fg.fact(state, "hex_ft"), value=float(value)),
    )


RULINGS: Mapping[str, Ruling] = {
    "slow": _slow,
    "order": _order,
    "cover": _cover,
    "dar": _dar,
    "plain_view": _plain_view,
    "hidden": _rule_hiding,
    "needed": _rule_management_phases,
    "quick": _quick,
    "drop": _drop,
    "stall": _stall,
    "talks": _talks,
    "morale": _morale,
    "price": _price,
    "scale": _scale,
}


OTHER_NAMES: Mapping[str, str] = {
    "slow penalty": "slow",
    "party order": "order",
    "cover modifier": "cover",
    "dar relief": "dar",
    "in plain view": "plain_view",
    "length": "needed",
}
"""What else a GM may call a ruling."""


def decide_rule(decision: Decision, command: Rule) -> ev.Events:
    """Carry out a ruling.

    Raises:
        Refused: listing what can be ruled on.
    """
    said = command.what.strip().lower().replace("_", " ")
    return carry_out(RULINGS, OTHER_NAMES.get(said, said.replace(" ", "_")), decision, command)
