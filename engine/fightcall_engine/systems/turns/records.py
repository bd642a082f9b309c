"""The records of a participant and of the fight, and changing them."""

from collections.abc import Iterable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import fight_record_of, record_of
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.systems.turns.terms import NO_REST, WAITING, Resting, TurnState


@frozen
class Participant:
    """The record of a participant.

    Attributes:
        init_roll: the d20 for Initiative (ST-12); None before it is rolled.
        tie_d6: the d6 rolled to break ties, oldest first (ST-15).
        turn: the state of the turn in this round.
        effect_order: the ids of effects that run first in a step, in order, as the GM has ruled (Q-T23).
        no_free: the GM allows no Free Actions (ST-32).
        resting: the kind of rest that is being taken (ST-35).
        prepared: the effects of the sheet have begun.
    """

    init_roll: int | None = None
    tie_d6: tuple[int, ...] = ()
    turn: TurnState = WAITING
    effect_order: tuple[str, ...] = ()
    no_free: bool = False
    resting: Resting = NO_REST
    prepared: bool = False


@frozen
class EffectTerms:
    """What an effect changes, and what it costs.

    Attributes:
        pool: the pool that it changes; empty for none.
        dice: the dice of its strength; empty if that is its magnitude.
        upkeep: the price of keeping it up for a turn (ST-24); 0 for none.
        resource: the pool to pay from.
        payer: the id of the payer; empty for the bearer.
    """

    pool: str = ""
    dice: str = ""
    upkeep: int = 0
    resource: str = ""
    payer: str = ""


@frozen
class EffectInStep:
    """An effect in one of the steps of a turn, by the step's phase."""

    phase: str
    effect_id: str


@frozen
class OrderAsked:
    """The GM was asked which effect comes first, in this phase, while so many were left to run (Q-T23)."""

    phase: str
    left: int


@frozen
class TurnProgress:
    """The progress of the running turn.

    Attributes:
        handled: effects that have run or were paid for.
        asked: the questions for the order of effects that were asked.
        fell: its owner went down in its start steps (Q-T10).
        asked_to_act: the GM was asked whether step 5 happens after that.
    """

    handled: tuple[EffectInStep, ...] = ()
    asked: tuple[OrderAsked, ...] = ()
    fell: bool = False
    asked_to_act: bool = False


@frozen
class Scene:
    """The record of the fight: the running Scene or rest, and what lasts beyond it.

    Attributes:
        scene: the name of the open Scene.
        everyone: in free order, everybody has had an opportunity (ST-10).
        progress: the progress of the running turn.
        standing: the order to restore at the round's end if delays last for one round (Q-T4); else empty.
        clock_spare_s: the seconds between the least and the most time that can have passed (ST-08).
        rest_kind: the kind of the running rest (ST-35); empty for none.
        rest_minutes: its duration.
        hp_per_resolve: the last value of a Resolve, a number or dice (ST-38).
        awake_h: hours awake, as the GM says (ST-34).
    """

    scene: str = ""
    everyone: bool = False
    progress: TurnProgress = TurnProgress()
    standing: tuple[str, ...] = ()
    clock_spare_s: int = 0
    rest_kind: str = ""
    rest_minutes: int = 0
    hp_per_resolve: int | str | None = None
    awake_h: int = 0


def participant_of(combatant: Combatant) -> Participant:
    """The record of a participant."""
    return record_of(combatant, Participant)


def scene_of(state: FightState) -> Scene:
    """The record of the fight."""
    return fight_record_of(state, Scene)


def turn_state(combatant: Combatant) -> TurnState:
    """The state of a participant's turn in this round."""
    return participant_of(combatant).turn


# Changes


# The running turn


def progress_of(state: FightState) -> TurnProgress:
    """The effects handled in the running turn."""
    return scene_of(state).progress


def mark_handled(decision: Decision, phase: str, effect_ids: Iterable[str]) -> None:
    """Record effects that have run, or were paid for, in this step of the running turn."""
    progress = progress_of(decision.state)
    more = (EffectInStep(phase, effect_id) for effect_id in effect_ids)
    decision.set_facts(progress=copy_with(progress, handled=tuple(dict.fromkeys((*progress.handled, *more)))))


def mark_asked(decision: Decision, phase: str, left: int) -> None:
    """Record that the GM was asked which of so many effects comes first."""
    progress = progress_of(decision.state)
    decision.set_facts(progress=copy_with(progress, asked=(*progress.asked, OrderAsked(phase, left))))


def clear_progress(decision: Decision) -> None:
    """Reset the progress for the next turn."""
    decision.set_facts(progress=TurnProgress())
