"""The preview of a strike: weapon, distance, cover, the number needed and the damage (SB-34..37)."""

from collections.abc import Mapping
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
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.stage import records, strikes
from fightcall_engine.systems.stage.options import options_of
from fightcall_engine.systems.stage.records import figure_of, settings_of

_TITLES: Mapping[str, str] = {"missile": "shoots at", "melee": "strikes", "magic": "casts at"}


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; a strike's has rows for its weapon, distance, die and damage."""
    actor = text_field(command, "who")
    options = options_of(state, actor) if trial.broken and actor in state.combatants else ()
    if not isinstance(command, Strike) or actor not in state.combatants:
        return plain_preview(state, command, trial, options)
    # The outcome has a row of its own, with the number needed.
    plain = plain_preview(state, command, replace(trial, asked=()), options)
    combatant = state.combatants[actor]
    try:
        kind, arm, note = strikes.kind_and_weapon(state, combatant, command)
    except Refused:
        return plain
    targets = ids_called(state, command.target) if command.target else ()
    target = state.combatants[targets[0]] if targets else None
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} {_TITLES[kind]}{target_text}{f' with {note}' if note else ''}"
    weapons = [entry for entry in records.weapons(combatant) if entry["kind"] == kind]
    weapon = (Row("with", note, field="weapon"),) if len(weapons) > 1 else ()
    rows = (*weapon, *_place_rows(state, combatant, target, kind), *_die_rows(state, command, target, kind, arm, trial))
    return with_rows(plain, (*rows, *_damage_rows(command, target, arm)), title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, kind: str) -> tuple[Row, ...]:
    """Contact in Melee (SB-49), else the distance and what is in the way."""
    if target is None:
        return ()
    if kind != "melee":
        cover = figure_of(target).cover
        return (distance_row(state, combatant.id, target.id, cover="" if cover == "open" else f"{cover} cover"),)
    touching = state.in_contact(combatant.id, target.id)
    detail = "in contact" if touching else "not in contact"
    return (Row("contact", f"with {target.name}", detail, rule="SB-49", field="target"),)


def _die_rows(
    state: FightState,
    command: Strike,
    target: Combatant | None,
    kind: str,
    arm: Mapping[str, Json] | None,
    trial: Trial,
) -> tuple[Row, ...]:
    """The number needed and the modifiers of the die (SB-35, SB-69); or that the GM reads the die."""
    needs = strikes.needed_number(command, arm)
    if command.hit is not None:
        return (Row("outcome", "hit" if command.hit else "miss", rule="SB-35", field="hit"),)
    if needs is None:
        reason = "the sheet has no number for it"
        return (Row("outcome", "Did it hit?", reason, rule="SB-35", number="needs", field="needs"),)
    high = settings_of(state).strike_roll == "high"
    cover, source = strikes.cover_modifier(state, target, command.cover) if target and kind == "missile" else (0, "")
    modifiers = [f"{cover:+d} {source}"] if cover and not high else [f"{-cover:+d} {source}"] if cover else []
    modifiers += [f"{command.modifier:+d}"] if command.modifier else []
    label = f"{strikes.needed_words(state, needs)}{''.join(f', {part} to the die' for part in modifiers)}"
    source = "set by the GM" if command.needs is not None else "on the sheet"
    most = needs - command.modifier - (-cover if high else cover)
    sum_words = f"{needs} {source}{''.join(f', {part} to the die' for part in modifiers)}"
    why = f"{sum_words}: the die shows {most} or {'more' if high else 'less'}" if modifiers else sum_words
    row = Row("needs", label, rule="SB-35", field="hit")
    if trial.owed is not None:
        row = die_row(trial.owed, label, name="needs", rule="SB-35", field="hit")
    return (replace(row, why=why),)


def _damage_rows(command: Strike, target: Combatant | None, arm: Mapping[str, Json] | None) -> tuple[Row, ...]:
    """The damage of a hit (SB-37)."""
    if target is None or command.hit is False:
        return ()
    damage = strikes.damage_dealt(command, arm)
    label = "you type the damage" if damage is None else f"{damage} damage"
    damage_text = "" if damage is None else str(damage)
    return (
        Row(
            "then",
            label,
            health_after(target, "hp"),
            rule="SB-37",
            number="damage",
            proposed=damage_text,
            field="damage",
        ),
    )
