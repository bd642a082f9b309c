"""Tokens that alter one roll or result: given, spent, handed on (CS-651 to CS-654)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, Json
from fightcall_engine.systems.segments.state import aftermath_events as aev
from fightcall_engine.systems.segments.state.fighter import fighter_of

COLOURS = ("white", "black", "fate")

DEEDS = ("give", "spend", "pass")

Held = tuple[tuple[str, int], ...]
"""Tokens in the order they came: colour, and how often each has been handed on."""


def held_by(combatant: Combatant) -> Held:
    """Everybody's tokens: the trait ``tokens``, such as ``white:0 black:1``; what is no token is passed over."""
    found = []
    for word in fighter_of(combatant).tokens.split():
        colour, _, passes = word.partition(":")
        if colour in COLOURS:
            found.append((colour, int(passes) if passes.isascii() and passes.isdecimal() else 0))
    return tuple(found)


def from_sheet(sheet: Mapping[str, Json]) -> str:
    """Those that somebody brings to the fight, as the trait keeps them."""
    listed = sheet.get("tokens")
    counts = listed if isinstance(listed, Mapping) else {}
    many = {colour: counts.get(colour) for colour in COLOURS}
    return " ".join(
        f"{colour}:0" for colour, count in many.items() if isinstance(count, int) for _ in range(min(count, 99))
    )


def _format_tokens(held: Held) -> str:
    return " ".join(f"{colour}:{passes}" for colour, passes in held)


def give_token(combatant: Combatant, colour: str, passes: int = 0) -> ev.Events:
    """Somebody gets a token."""
    traits = {"tokens": _format_tokens((*held_by(combatant), (colour, passes)))}
    return (aev.TokenGiven(who=combatant.id, traits=traits, colour=colour),)


def without(combatant: Combatant, token: tuple[str, int]) -> str:
    """The trait once one of them is gone."""
    left = list(held_by(combatant))
    left.remove(token)
    return _format_tokens(tuple(left))


def spend_token(combatant: Combatant, colour: str, on: str) -> ev.Events:
    """CS-653: a token of this colour is gone, if there is one; that which can be handed on no more goes first."""
    found = [token for token in held_by(combatant) if token[0] == colour]
    if not found:
        return ()
    token = max(found, key=lambda held: held[1])
    return (aev.TokenSpent(who=combatant.id, traits={"tokens": without(combatant, token)}, colour=colour, on=on),)
