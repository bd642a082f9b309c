"""Tokens that alter one roll or result: given, spent, handed on (CS-651 to CS-654)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, Json
from fightcall_engine.systems.segments.state import harm_events
from fightcall_engine.systems.segments.state.fighter import fighter_of

COLOURS = ("white", "black", "fate")

DEEDS = ("give", "spend", "pass")


def from_sheet(sheet: Mapping[str, Json]) -> tuple[tuple[str, int], ...]:
    """Those that somebody brings to the fight."""
    entry = sheet.get("tokens")
    counts = entry if isinstance(entry, Mapping) else {}
    many = {colour: counts.get(colour) for colour in COLOURS}
    return tuple((colour, 0) for colour, count in many.items() if isinstance(count, int) for _ in range(min(count, 99)))


def give_token(combatant: Combatant, colour: str, passes: int = 0) -> Events:
    """Somebody gets a token."""
    traits = {"tokens": (*fighter_of(combatant).tokens, (colour, passes))}
    return (harm_events.TokenGiven(who=combatant.id, traits=traits, colour=colour),)


def tokens_without(combatant: Combatant, token: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """Somebody's tokens once one of them is gone."""
    tokens_left = list(fighter_of(combatant).tokens)
    tokens_left.remove(token)
    return tuple(tokens_left)


def spend_token(combatant: Combatant, colour: str, on: str) -> Events:
    """CS-653: a token of this colour is gone, if there is one; that which can be handed on no more goes first."""
    tokens = [token for token in fighter_of(combatant).tokens if token[0] == colour]
    if not tokens:
        return ()
    token = max(tokens, key=lambda pair: pair[1])
    return (
        harm_events.TokenSpent(
            who=combatant.id, traits={"tokens": tokens_without(combatant, token)}, colour=colour, on=on
        ),
    )
