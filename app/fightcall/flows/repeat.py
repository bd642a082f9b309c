"""Repeating the last command: by the selected combatant, or on the next target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall.table import Give
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall.table import Table

TO_SOMEBODY = ("Damage", "Heal", "AddEffect")
"""Commands that are repeated on the next target, not by another actor."""
CAME_OF_IT = ("rolls", "hit", "passed", "damage", "force", "alike")
"""Fields with results of the last time, which are left out: dice are rolled again."""
PLACES = ("path", "to", "at")


def repeat_last(table: Table) -> Give | None:
    """The last command again; None if it cannot be repeated."""
    last = table.last
    if last is None or table.kind_of(last.command).ONCE or any(last.data.get(name) for name in PLACES):
        return None
    data = {name: value for name, value in last.data.items() if name not in CAME_OF_IT}
    if last.command in TO_SOMEBODY:
        if table.is_last_undone and data.get("who") in table.state.combatants:
            return Give(last.command, data)
        after = _next_target(table, last.command, str(data.get("who")))
        return Give(last.command, {**data, "who": after}) if after else None
    if "who" in data:
        data |= {"who": table.selected, **_own_means(table, last.command, data)}
    target = data.get("target")
    if isinstance(target, str) and target in table.state.combatants and not table.state.combatants[target].able:
        data["target"] = _next_target(table, last.command, target) or target
    return Give(last.command, data)


def _next_target(table: Table, command: str, combatant_id: str) -> str:
    """The next combatant on the same side in roster order. Harm skips those who are down."""
    people = table.state.combatants
    if combatant_id not in people:
        return ""
    ring = [ally_id for ally_id in table.roster_order() if people[ally_id].side == people[combatant_id].side]
    at = ring.index(combatant_id)
    for name in (*ring[at + 1 :], *ring[: at + 1]):
        if people[name].able or command == "Heal":
            return name
    return ""


def _own_means(table: Table, command: str, data: Mapping[str, Json]) -> Mapping[str, Json]:
    """The selected combatant's own weapon for a strike of the same kind, if possible one that can be used now."""
    for option in sorted(table.options(), key=lambda option: not option.legal):
        alike = all(data.get(name) == value for name, value in option.fixed.items() if name != "weapon")
        if option.command == command and alike:
            if data.get("who") == table.selected and data.get("weapon") == option.fixed.get("weapon"):
                return {}
            return dict(option.fixed)
    return {}
