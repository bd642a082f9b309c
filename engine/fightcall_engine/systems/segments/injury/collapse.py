"""Going down: who faints, collapses or dies, and which of the checks he still owes matter no more (CS-611, CS-624)."""

from __future__ import annotations

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.state import commands, figures, health
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedCheck

FEET, FAINT, FIGHT_ON, RALLY, DEATH, SENSES = "feet", "faint", "fight_on", "rally", "death", "senses"
"""What the checks after a blow decide: each a name in `rolls.AFTERWARDS`."""

_OF_THE_STANDING = (FEET, FAINT, FIGHT_ON, RALLY)

_OF_THE_LIVING = (DEATH, SENSES)

_ASKED = ("pres", "barrier_stun", "rally")


def take_down(decision: Decision, combatant: Combatant, life: str) -> None:
    """Somebody is unconscious, collapsed or dead, and owes no check that only who stands makes.

    How long he has to live after the tenth wound stays as it is (CS-625).
    """
    decision.emit(*health.life_events(combatant, life, until=fighter_of(combatant).life_until))
    decision.emit(*moot_questions(decision.state, combatant.id))


def moot_questions(state: FightState, combatant_id: str) -> Events:
    """Checks of somebody who is down need no answer any more; those of life and death do, as long as he lives."""
    combatant = state.combatants.get(combatant_id)
    dead = combatant is not None and fighter_of(combatant).life == figures.DEAD
    thens = (*_OF_THE_STANDING, *(_OF_THE_LIVING if dead else ()))
    stale = [
        prompt
        for prompt in state.prompts
        if prompt.who == combatant_id and (prompt.kind in _ASKED or _leads_to(prompt) in thens)
    ]
    return record_moot(stale)


def _leads_to(prompt: Prompt) -> str:
    return prompt.resume.then if isinstance(prompt.resume, AskedCheck) else ""


@handles(commands.SetLife)
def decide_life(decision: Decision, command: commands.SetLife) -> None:
    """CS-617: by the GM's hand."""
    state = decision.state
    decision.emit(*health.life_events(combatant_of(state, command.who), command.life))


def expire_lives(state: FightState) -> Events:
    """CS-625: whoever survived the tenth wound dies when his time is up."""
    return tuple(
        event
        for combatant in figures.in_order(state)
        if 0 < fighter_of(combatant).life_until <= state.round and fighter_of(combatant).life != figures.DEAD
        for event in health.life_events(combatant, figures.DEAD)
    )
