"""The preview of an attack: distance, cost, the number needed, and the damage (ST-28)."""

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
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.turns import records, strikes
from fightcall_engine.systems.turns.commands import ReactionStrike
from fightcall_engine.systems.turns.options import options_of


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; that of an attack has five rows."""
    actor_id = text_field(command, "who")
    options = options_of(state, actor_id) if trial.broken and actor_id in state.combatants else ()
    if not isinstance(command, Strike) or actor_id not in state.combatants:
        return plain_preview(state, command, trial, options)
    combatant = state.combatants[actor_id]
    try:
        weapon, needs, damage = strikes.numbers_of(combatant, command)
    except Refused:
        return plain_preview(state, command, trial, options)
    targets = ids_called(state, command.target) if command.target else ()
    target = state.combatants[targets[0]] if targets else None
    # The question whether it hits is a row of its own, so it is left out here.
    plain = plain_preview(state, command, replace(trial, asked=()), options)
    what = command.note or str(weapon.get("name") or "")
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} attacks{target_text}{f' with {what}' if what else ''}"
    rows = (
        *_place_rows(state, combatant, target, what),
        *_price_rows(state, combatant, command),
        *_die_rows(command, needs, trial),
        *_damage_rows(command, target, damage),
    )
    return with_rows(plain, rows, title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, what: str) -> Iterator[Row]:
    if len(records.weapons_of(combatant)) > 1 and what:
        yield Row("with", what, field="weapon")
    if target is not None:
        yield distance_row(state, combatant.id, target.id)


def _price_rows(state: FightState, combatant: Combatant, command: Strike) -> Iterator[Row]:
    if isinstance(command, ReactionStrike):
        yield Row(
            "costs", "1 Reaction", f"{combatant.name} has {records.reactions_of(state, combatant).now}", rule="ST-30"
        )
    elif records.mode_of(state) != records.FREE:
        actions_left = records.actions_of(combatant).now
        yield Row("costs", "1 Action", f"{combatant.name} has {actions_left}", rule="ST-29")


def _die_rows(command: Strike, needs: int | None, trial: Trial) -> Iterator[Row]:
    if command.hit is not None:
        yield Row("outcome", "hit" if command.hit else "miss", rule="ST-28", field="hit")
    elif needs is None:
        reason = "the sheet has no number for it"
        yield Row("outcome", "Did it hit?", reason, rule="ST-28", number="needs", field="needs")
    else:
        label = f"{needs} or more{f', {command.modifier:+d} to the die' if command.modifier else ''}"
        roll = trial.owed
        source = "set by the GM" if command.needs is not None else "on the sheet"
        why = f"{needs} {source}"
        if command.modifier:
            why += f", {command.modifier:+d} to the die: it shows {needs - command.modifier} or more"
        row = Row("needs", label, rule="ST-28", field="hit")
        row = row if roll is None else die_row(roll, label, name="needs", rule="ST-28", field="hit")
        yield replace(row, why=why)


def _damage_rows(command: Strike, target: Combatant | None, damage: int | str | None) -> Iterator[Row]:
    if target is not None and command.hit is not False:
        label = "you type the damage" if damage is None else f"{damage} damage"
        damage_text = "" if damage is None else str(damage)
        health = health_after(target, "hp")
        yield Row("then", label, health, rule="ST-28", number="damage", proposed=damage_text, field="damage")
