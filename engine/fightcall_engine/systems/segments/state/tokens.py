"""Tokens that alter one roll or result: given, spent, handed on (CS-651 to CS-654)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.state import aftermath_commands as acm
from fightcall_engine.systems.segments.state import aftermath_events as aev
from fightcall_engine.systems.segments.state import figures as fg

COLOURS = ("white", "black", "fate")

DEEDS = ("give", "spend", "pass")

Held = tuple[tuple[str, int], ...]
"""Tokens in the order they came: colour, and how often each has been handed on."""


def held_by(combatant: Combatant) -> Held:
    """Everybody's tokens: the trait ``tokens``, such as ``white:0 black:1``; what is no token is passed over."""
    found = []
    for word in fg.text_trait(combatant, "tokens").split():
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


def decide_token(decision: Decision, command: acm.Token) -> ev.Events:
    """A token changes hands, or alters something.

    Raises:
        Refused: the option is off, there is no such token, or it has been handed on before (CS-654).
    """
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if command.what not in DEEDS or command.colour not in COLOURS:
        wrong, accepts = (command.colour, COLOURS) if command.what in DEEDS else (command.what, DEEDS)
        raise Refused("CS-651", f"{wrong!r} is unknown of tokens", accepts, final=True)
    on = state.settings.get("fate_tokens") is True
    referee.require(on, "CS-651", "tokens need the option fate_tokens", "the setting fate_tokens")
    if command.what == "give":
        return give_token(combatant, command.colour)
    found = [token for token in held_by(combatant) if token[0] == command.colour]
    if not found:
        have = tuple(dict.fromkeys(colour for colour, _ in held_by(combatant))) or ("give one first",)
        raise Refused("CS-653", f"{combatant.name} has no {command.colour} token", have, final=True)
    if command.what == "pass":
        return _pass_token(state, combatant, command, found, referee)
    return spend_token(combatant, command.colour, command.on)


def _without(combatant: Combatant, token: tuple[str, int]) -> str:
    left = list(held_by(combatant))
    left.remove(token)
    return _format_tokens(tuple(left))


def spend_token(combatant: Combatant, colour: str, on: str) -> ev.Events:
    """CS-653: a token of this colour is gone, if there is one; that which can be handed on no more goes first."""
    found = [token for token in held_by(combatant) if token[0] == colour]
    if not found:
        return ()
    token = max(found, key=lambda held: held[1])
    return (aev.TokenSpent(who=combatant.id, traits={"tokens": _without(combatant, token)}, colour=colour, on=on),)


def _pass_token(
    state: FightState, combatant: Combatant, command: acm.Token, found: list[tuple[str, int]], referee: Referee
) -> ev.Events:
    """CS-654: handed on as often as the setting says, usually once."""
    other = combatant_of(state, command.to) if command.to else None
    if other is None or other.id == combatant.id:
        others = tuple(other_id for other_id in state.combatants if other_id != combatant.id)
        raise Refused("CS-654", "to whom is it passed?", others, final=True)
    token = min(found, key=lambda held: held[1])
    limit = state.settings.get("fate_pass_limit")
    most = limit if isinstance(limit, int) and not isinstance(limit, bool) else 1
    said = f"this {command.colour} token has been passed on {token[1]} times; {most} is the most"
    referee.require(token[1] < most, "CS-654", said, "spend it")
    course = Decision(state)
    traits = {"tokens": _without(combatant, token)}
    course.emit(aev.TokenPassed(who=combatant.id, traits=traits, colour=token[0], to=other.id, passes=token[1] + 1))
    course.emit(*give_token(course.state.combatants[other.id], token[0], token[1] + 1))
    return course.events
