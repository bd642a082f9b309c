"""STR as it counts now, wherever STR counts: blows, ranges, weights, bows, knots, checks (CS-537, CS-621 to CS-627)."""

from __future__ import annotations

from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.formulas import wounds as formulas
from fightcall_engine.systems.segments.formulas.sums import Sum
from fightcall_engine.systems.segments.formulas.wounds import Adrenaline
from fightcall_engine.systems.segments.harm import heroism, hurting, readings

RALLIED = "rallied"
"""The trait ``rally`` of somebody who has his full STR for the running Action (CS-622)."""


def strength_of(state: FightState, combatant: Combatant) -> Sum:
    """Effective STR, exact (CS-537): what wounds leave of it, with what a heroic deed adds (CS-646)."""
    return heroism.add_deed(combatant, "str", _plain(state, combatant))


def _plain(state: FightState, combatant: Combatant) -> Sum:
    """As wounds leave it: after the contest, or once knocked out and roused, by CS-627."""
    strength, level = fg.number(combatant, "str", 13), hurting.level(state, combatant)
    if state.status == "closed" or fg.trait(combatant, "roused") is True:
        return formulas.strength_after(strength, level, readings.after_loss(state))
    reading: Adrenaline = "masks_all" if state.settings.get("adrenaline") == "masks_all" else "str_loss_applies"
    rallied = fg.text_trait(combatant, "rally") == RALLIED
    return formulas.strength_in_fight(strength, level, rallied=rallied, reading=reading)
