"""Bringing somebody down by hand and foot: a trip, a shove, a clothesline; and when size makes it hopeless (CS-447)."""

from __future__ import annotations

from collections.abc import Callable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.events import Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.state import figures, harm_events
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedOf, HeldBlow
from fightcall_engine.systems.segments.state.scores import strength_of

MISMATCH, FALL = "mismatch", "fall"
"""Kinds of prompts: size against size before the dice, and whether a hit brings somebody down."""

BOUNCES, ROLL = "bounces", "roll"

FALLS, STAYS = "falls", "stays"

Bouncing = Callable[[Decision, HeldBlow, Answer], None]

BOUNCING: dict[str, Bouncing] = {}
"""What becomes of an attack that the GM has been asked about for its size, by its type. Each module enters its own."""


def on_bounce(attack: str) -> Callable[[Bouncing], Bouncing]:
    """Enter a function in `BOUNCING`."""

    def enter(answer: Bouncing) -> Bouncing:
        BOUNCING[attack] = answer
        return answer

    return enter


def format_weight(state: FightState, combatant: Combatant) -> str:
    """STR and modified STA together, which tell where bodies touch (CS-447, CS-464)."""
    return f"{float(strength_of(state, combatant).total + profile_of(combatant).msta):g}"


def mismatch_prompt(state: FightState, rule: str, held_blow: HeldBlow) -> Prompt:
    """CS-447, CS-466: against a much larger foe the GM may rule it hopeless whatever the dice."""
    combatant, target = people_of(state, held_blow.blow)
    sizes = f"STR and STA {format_weight(state, combatant)} against {format_weight(state, target)}"
    return prompt_for(
        combatant,
        kind=MISMATCH,
        question=f"{combatant.name} runs into {target.name} like a wall ({sizes}). Roll all the same?",
        rule=rule,
        choices=choices(f"{ROLL}:roll all the same", f"{BOUNCES}:bounces off"),
        default=ROLL,
        resume=held_blow,
    )


@answers(MISMATCH)
def answer_mismatch(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-447, CS-466: as the GM rules."""
    held_blow = resume_of(prompt, HeldBlow)
    outcome = BOUNCING.get(held_blow.blow.attack)
    if outcome is not None:
        outcome(decision, held_blow, answer)


# Whether a hit brings him down


def fall_question(state: FightState, blow: Blow) -> Events:
    """CS-447: after a trip, a shove or a clothesline that hit, whether he falls; by their weights the GM tells."""
    combatant, target = people_of(state, blow)
    if not target.able or fighter_of(target).posture == figures.PRONE:
        return ()
    prompt = prompt_for(
        target,
        kind=FALL,
        question=(
            f"{target.name} is hit by {combatant.name}'s {blow.attack.replace('_', ' ')}: STR and STA"
            f" {format_weight(state, combatant)} against {format_weight(state, target)}. Does {target.name} go down?"
        ),
        rule="CS-447",
        choices=choices(f"{FALLS}:falls", f"{STAYS}:keeps standing"),
        default=FALLS,
        resume=AskedOf(other=combatant.id),
    )
    return (RulingAsked(prompt=prompt),)


@answers(FALL)
def answer_fall(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-447: he lies, or stands."""
    state = decision.state
    if answer.choice == FALLS:
        decision.emit(*fall_events(state.combatants[prompt.who]))


def fall_events(combatant: Combatant) -> Events:
    """Somebody lies; nothing for who lies already."""
    if not combatant.able or fighter_of(combatant).posture == figures.PRONE:
        return ()
    return (harm_events.Fell(who=combatant.id, traits={"posture": figures.PRONE}, posture=figures.PRONE),)
