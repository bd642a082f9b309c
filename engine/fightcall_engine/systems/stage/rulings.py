"""The GM's rulings on figures (order, cover, armour, view) and on the scale of the board."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import ids_listed
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.rulings import record_ruling, whole
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Hid, OrderSet
from fightcall_engine.model.state import Combatant, Scalar
from fightcall_engine.systems.stage import records
from fightcall_engine.systems.stage.records import settings_of


def _is_denial(value: Scalar) -> bool:
    """Whether the text of a ruling means no."""
    return value is False or (isinstance(value, str) and value.lower() in ("false", "no"))


def skulking_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-64: relief from DAR needs Skullduggery."""
    has_skill = sheet_int(combatant, "skullduggery") is not None
    return (Check(has_skill, "SB-64", f"{combatant.name} has no Skullduggery", ("a figure with Skullduggery",)),)


@rules_on("order", "party_order")
def rule_order(decision: Decision, command: Rule) -> None:
    """SB-11: order the party freely, by Agility, or as they agree."""
    state = decision.state
    party = [combatant.id for combatant in state.combatants.values() if combatant.side == records.PARTY]
    rest = [combatant_id for combatant_id in state.order if combatant_id not in party]
    value = str(command.value or "agility").strip()
    if value.lower() == "free":
        order, mode = party, "free"
    elif value.lower() == "agility":
        order, mode = _order_by_agility(decision, party), "agility"
    else:
        order, mode = [*ids_listed(state, value)], "agreed"
        if sorted(order) != sorted(party):
            raise Refused("SB-11", "the order must name each party member once", (" ".join(party),), final=True)
    decision.emit(
        record_ruling("SB-11", "Party order", mode, command.note),
        OrderSet(order=(*order, *rest), reason=mode),
    )
    decision.set_facts(party_order=mode)


def _order_by_agility(decision: Decision, party: list[str]) -> list[str]:
    """Q-S2: order by Agility - d20, highest first, ties by Agility; or by d20 + Agility, by the setting."""
    state = decision.state
    high = settings_of(state).agility_order == "high"
    keys: dict[str, tuple[int, int]] = {}
    for combatant_id in party:
        agility = sheet_int(state.combatants[combatant_id], "agility") or 10
        die = decision.roll("d20", f"agility.{combatant_id}", combatant_id).total
        keys[combatant_id] = (agility + die if high else agility - die, agility)
    return sorted(party, key=lambda combatant_id: keys[combatant_id], reverse=True)


@rules_on("cover", "cover_modifier")
def rule_cover(decision: Decision, command: Rule) -> None:
    """SB-70: set what partial cover adds to the die: for a figure, or for the next one shot at."""
    value = command.value
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("SB-70", f"{value!r} isn't a modifier", ("a whole number, such as 3",), final=True)
    if command.who:
        combatant = decision.combatant(command.who)
        decision.emit(record_ruling("SB-70", f"{combatant.name}'s cover", f"{value:+d}", command.note))
        decision.set_traits(combatant.id, cover_mod=value)
    else:
        decision.emit(record_ruling("SB-70", "Cover of the next target", f"{value:+d}", command.note))
        decision.set_facts(cover_mod=value)


@rules_on("dar", "dar_relief")
def rule_dar(decision: Decision, command: Rule) -> None:
    """SB-64: set a lower DAR for sneaking."""
    combatant = decision.combatant(command.who)
    relief = whole("SB-64", command.value, 0, "DAR")
    decision.require(*skulking_checks(combatant))
    decision.emit(record_ruling("SB-64", f"{combatant.name}'s DAR when sneaking", relief, command.note))
    decision.set_traits(combatant.id, dar_relief=relief)


@rules_on("plain_view", "in_plain_view")
def rule_view(decision: Decision, command: Rule) -> None:
    """SB-57: set whether a combatant can be seen."""
    combatant = decision.combatant(command.who)
    in_view = not _is_denial(command.value)
    decision.emit(record_ruling("SB-57", f"{combatant.name} in plain view", "yes" if in_view else "no", command.note))
    decision.set_traits(combatant.id, plain_view=in_view)


def rule_hiding(decision: Decision, command: Rule) -> None:
    """SB-60, SB-61: mark a combatant as unnoticed or noticed."""
    combatant = decision.combatant(command.who)
    if _is_denial(command.value):
        cause = command.note or "ruling"
        decision.emit(
            record_ruling("SB-61", f"{combatant.name} noticed", cause), Detected(who=combatant.id, cause=cause)
        )
        return
    decision.emit(record_ruling("SB-60", f"{combatant.name} hidden", "yes", command.note))
    decision.set_traits(combatant.id, plain_view=False)
    decision.emit(Hid(who=combatant.id, reason="ruling"))


@rules_on("scale")
def rule_scale(decision: Decision, command: Rule) -> None:
    """SB-02: set the feet to a hex."""
    value = command.value
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise Refused("SB-02", f"{value!r} isn't a scale", ("feet per hex, more than 0",), final=True)
    decision.emit(record_ruling("SB-02", "Feet per hex", value, command.note))
    decision.set_facts(hex_ft=float(value))
