"""Tokens as a GM gives, spends and hands them on (CS-651 to CS-654)."""

from __future__ import annotations

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import aftermath_commands, harm_events, tokens
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of


@handles(aftermath_commands.Token)
def decide_token(decision: Decision, command: aftermath_commands.Token) -> None:
    """A token changes hands, or alters something.

    Raises:
        Refused: the option is off, there is no such token, or it has been handed on before (CS-654).
    """
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if command.what not in tokens.DEEDS or command.colour not in tokens.COLOURS:
        wrong, accepts = (
            (command.colour, tokens.COLOURS) if command.what in tokens.DEEDS else (command.what, tokens.DEEDS)
        )
        raise Refused("CS-651", f"{wrong!r} is unknown of tokens", accepts, final=True)
    on = settings_of(state).fate_tokens
    referee.require(on, "CS-651", "tokens need the option fate_tokens", "the setting fate_tokens")
    if command.what == "give":
        decision.emit(*tokens.give_token(combatant, command.colour))
        return
    matches = [token for token in fighter_of(combatant).tokens if token[0] == command.colour]
    if not matches:
        have = tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens)) or ("give one first",)
        raise Refused("CS-653", f"{combatant.name} has no {command.colour} token", have, final=True)
    if command.what == "pass":
        _pass_token(decision, combatant, command, matches)
        return
    decision.emit(*tokens.spend_token(combatant, command.colour, command.on))


def _pass_token(
    decision: Decision,
    combatant: Combatant,
    command: aftermath_commands.Token,
    matches: list[tuple[str, int]],
) -> None:
    """CS-654: handed on as often as the setting says, usually once."""
    state = decision.state
    other = combatant_of(state, command.to) if command.to else None
    if other is None or other.id == combatant.id:
        others = tuple(other_id for other_id in state.combatants if other_id != combatant.id)
        raise Refused("CS-654", "to whom is it passed?", others, final=True)
    token = min(matches, key=lambda match: match[1])
    limit = settings_of(state).fate_pass_limit
    most = limit if isinstance(limit, int) and not isinstance(limit, bool) else 1
    problem = f"this {command.colour} token has been passed on {token[1]} times; {most} is the most"
    decision.referee.require(token[1] < most, "CS-654", problem, "spend it")
    traits = {"tokens": tokens.tokens_without(combatant, token)}
    decision.emit(
        harm_events.TokenPassed(who=combatant.id, traits=traits, colour=token[0], to=other.id, passes=token[1] + 1)
    )
    decision.emit(*tokens.give_token(decision.state.combatants[other.id], token[0], token[1] + 1))
