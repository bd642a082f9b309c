"""Previews of acts: price, reach, roll, and the effect of a hit (AP-16 to AP-30)."""

from collections.abc import Iterator
from dataclasses import replace

from fightcall_engine.kit.combatants import ids_called, name_of
from fightcall_engine.kit.preview import (
    Preview,
    Row,
    Trial,
    die_row,
    distance_row,
    health_after,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import combos, commands, prices, queries
from fightcall_engine.systems.slots.abilities import Ability, ability_for, describe_act, find_ability
from fightcall_engine.systems.slots.interrupts import Deed, phase_of_deed
from fightcall_engine.systems.slots.options import options_of

_Act = commands.Act | commands.React | commands.Combo


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command, with the rows of the act if it is one."""
    actor_id = text_field(command, "who")
    options = options_of(state, actor_id) if trial.broken and actor_id in state.combatants else ()
    # The outcome is a field of the act itself, and the next NPC's act is another command.
    asked = tuple(prompt for prompt in trial.asked if prompt.kind not in ("outcome", "npc"))
    plain = plain_preview(state, command, replace(trial, asked=asked), options)
    if not isinstance(command, _Act | commands.Npc) or actor_id not in state.combatants:
        return plain
    combatant = state.combatants[actor_id]
    if isinstance(command, commands.Npc):
        return _npc_preview(state, command, plain)
    try:
        ability = ability_for(combatant, command.ability, command.cost)
        share_rows = tuple(_share_rows(state, combatant, command)) if isinstance(command, commands.Combo) else ()
    except Refused:
        return plain
    target = _target_of(state, command.target)
    pool = queries.RESERVED if isinstance(command, commands.React) else queries.SLOTS
    target_id = target.id if target else ""
    deed = Deed(actor_id, ability, pool, target_id, interrupt=command.interrupt, work=command.work)
    rows = (
        *_place_rows(state, combatant, target, ability),
        _price_row(combatant, prices.price_of(state, ability, pool, phase_of_deed(state, deed))),
        *share_rows,
        *_die_rows(command, trial),
        *_damage_rows(command, target, ability),
    )
    return with_rows(plain, rows, _title(state, combatant, ability.name, target))


def _title(state: FightState, combatant: Combatant, act: str, target: Combatant | None) -> str:
    return f"{combatant.name}: {describe_act(combatant, act, name_of(state, target.id) if target else '')}"


def _npc_preview(state: FightState, command: commands.Npc, plain: Preview) -> Preview:
    """AP-05: an NPC's act costs nothing, and the GM says whether it hits."""
    combatant, target = state.combatants[command.who], _target_of(state, command.target)
    ability = find_ability(combatant, command.what)
    rows = (
        *_place_rows(state, combatant, target, ability),
        *_word_rows(command, target, ability),
        *_damage_rows(command, target, ability),
    )
    return with_rows(plain, rows, _title(state, combatant, command.what, target) if command.what else "")


def _target_of(state: FightState, target: str) -> Combatant | None:
    ids = ids_called(state, target) if target else ()
    return state.combatants[ids[0]] if ids else None


def _word_rows(command: commands.Npc, target: Combatant | None, ability: Ability | None) -> Iterator[Row]:
    if command.hit is not None:
        yield Row("outcome", "hit" if command.hit else "miss", rule="AP-05", field="hit")
    elif target is not None and ability is not None and ability.damage is not None:
        yield Row("outcome", "Did it hit?", rule="AP-05", field="hit")


def _share_rows(state: FightState, combatant: Combatant, command: commands.Combo) -> Iterator[Row]:
    """AP-33: a row for each partner with what it pays."""
    share = combos.combo_ability(combatant, command).partner_cost
    for partner_id in combos.partners_of(state, command):
        partner = state.combatants[partner_id]
        yield _price_row(partner, combos.partner_price(state, partner, share), f"{partner.name} pays")


def _price_row(combatant: Combatant, price: prices.Price, name: str = "costs") -> Row:
    """AP-16, AP-21, AP-23: the price, now or in the phase of an interrupt's aim, and the slots in the pool."""
    points = combatant.pools.get(price.pool)
    source = " from reserve" if price.pool == queries.RESERVED else ""
    base_note = f", {price.base} before the Final Phase" if price.total != price.base else ""
    note = f"{combatant.name} has {points.now}" if points is not None else ""
    slots = "slot" if price.total == 1 else "slots"
    return Row(name, f"{price.total} {slots}{source}{base_note}", note, rule="AP-23" if base_note else "AP-16")


def _place_rows(
    state: FightState, combatant: Combatant, target: Combatant | None, ability: Ability | None
) -> Iterator[Row]:
    if target is not None:
        row = distance_row(state, combatant.id, target.id)
        reach = f", reaches {ability.range}" if ability is not None and ability.range is not None else ""
        yield Row(row.name, f"{row.text}{reach}", row.detail, field="target")


def _die_rows(command: _Act, trial: Trial) -> Iterator[Row]:
    if command.hit is not None:
        yield Row("outcome", "hit" if command.hit else "miss", rule="AP-30", field="hit")
    elif trial.owed is not None and trial.owed.purpose.startswith("roll"):
        yield die_row(trial.owed, "Did it hit?", name="roll", field="hit")


def _damage_rows(command: _Act | commands.Npc, target: Combatant | None, ability: Ability | None) -> Iterator[Row]:
    damage = command.damage if command.damage is not None else ability.damage if ability is not None else None
    if target is not None and damage is not None and command.hit is not False:
        health = health_after(target, "hp")
        yield Row("then", f"{damage} damage", health, number="damage", proposed=str(damage), field="damage")
    if ability is not None and ability.finisher and target is not None:
        yield Row("then", f"{ability.finisher} of a Vulnerable target", rule="AP-30")
