"""Tokens, which alter one roll or result: giving, spending, handing on (CS-651 to CS-654)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, Json
from fightcall_engine.systems.segments.state import harm_events
from fightcall_engine.systems.segments.state.fighter import fighter_of

COLOURS = ("white", "black", "fate")

DEEDS = ("give", "spend", "pass")


def from_sheet(sheet: Mapping[str, Json]) -> tuple[tuple[str, int], ...]:
    """The tokens of a sheet, each with how often it has been handed on."""
    entry = sheet.get("tokens")
    counts = entry if isinstance(entry, Mapping) else {}
    many = {colour: counts.get(colour) for colour in COLOURS}
    return tuple((colour, 0) for colour, count in many.items() if isinstance(count, int) for _ in range(min(count, 99)))


def give_token(combatant: Combatant, colour: str, passes: int = 0) -> Events:
    """The event that a combatant gets a token."""
    traits = {"tokens": (*fighter_of(combatant).tokens, (colour, passes))}
    return (harm_events.TokenGiven(who=combatant.id, traits=traits, colour=colour),)


def tokens_without(combatant: Combatant, token: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """A combatant's tokens without one."""
    tokens_left = list(fighter_of(combatant).tokens)
    tokens_left.remove(token)
    return tuple(tokens_left)


def spend_token(combatant: Combatant, colour: str, on: str) -> Events:
    """CS-653: the event that a token of this colour is spent, one that cannot be handed on any more first."""
    tokens = [token for token in fighter_of(combatant).tokens if token[0] == colour]
    if not tokens:
        return ()
    token = max(tokens, key=lambda pair: pair[1])
    return (
        harm_events.TokenSpent(
            who=combatant.id, traits={"tokens": tokens_without(combatant, token)}, colour=colour, on=on
        ),
    )
