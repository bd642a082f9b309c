"""Scores as they count now: STR after wounds, a value less Surprise and pain (CS-537, CS-613 to CS-627)."""

from __future__ import annotations

from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.rules.wounds import Adrenaline, AfterLoss
from fightcall_engine.systems.segments.state import deeds, figures, health, surprise_limits
from fightcall_engine.systems.segments.state.fighter import fighter_of


def less_penalties(state: FightState, combatant: Combatant, plain: Sum, *, defensive: bool) -> Sum:
    """A value less Surprise and pain, never below 0 (CS-061, CS-068, CS-613)."""
    parts = list(plain.parts)
    losses = (
        (
            "Surprise",
            surprise_limits.penalty_of(combatant, defensive=defensive),
            "CS-061" if defensive else "CS-068",
        ),
        ("stunned", health.stun_penalty(state, combatant), "CS-613"),
    )
    for label, loss, rule in losses:
        off = min(loss, max(0, Sum(tuple(parts)).total))
        if off:
            parts.append(Part(label, -off, rule))
    return Sum(tuple(parts))


RALLIED = "rallied"
"""The trait ``rally`` of somebody who has his full STR for the running Action (CS-622)."""


def strength_of(state: FightState, combatant: Combatant) -> Sum:
    """Effective STR, exact (CS-537): what wounds leave of it, with what a heroic deed adds (CS-646)."""
    return deeds.add_deed(combatant, "str", _plain(state, combatant))


def _plain(state: FightState, combatant: Combatant) -> Sum:
    """As wounds leave it: after the contest, or once knocked out and roused, by CS-627."""
    strength, level = figures.number(combatant, "str", 13), health.damage_level(state, combatant)
    if state.status == "closed" or fighter_of(combatant).roused:
        return wounds.strength_after(strength, level, after_loss(state))
    reading: Adrenaline = "masks_all" if state.settings.get("adrenaline") == "masks_all" else "str_loss_applies"
    has_rallied = fighter_of(combatant).rally == RALLIED
    return wounds.strength_in_fight(strength, level, rallied=has_rallied, reading=reading)


def after_loss(state: FightState) -> AfterLoss:
    """How STR falls after the contest (A-14)."""
    return "compound" if state.settings.get("after_loss") == "compound" else "linear"


# Checks


def score_sum(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute's score; of STR, what wounds leave of it (CS-626)."""
    plain = figures.number(combatant, name, 13)
    if name != "str":
        return deeds.add_deed(combatant, name, Sum((Part(name.upper(), plain, rule),)))
    return Sum((Part("STR", plain, rule), *strength_of(state, combatant).parts[1:]))
