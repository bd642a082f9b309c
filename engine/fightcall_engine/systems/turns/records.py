"""What Scenes, Rounds, Turns remembers of a participant and of the fight, and how it is changed."""

from collections.abc import Iterable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import fight_record_of, record_of
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.systems.turns.terms import NO_REST, WAITING, Resting, TurnState


@frozen
class Participant:
    """What is remembered of a participant.

    Attributes:
        init_roll: what the d20 for Initiative showed (ST-12); None before it is rolled.
        tie_d6: the d6 thrown to break ties, oldest first (ST-15).
        turn: where the participant stands in the round.
        effect_order: ids of the effects that the GM wants to run first in a step, in their order (Q-T23).
        no_free: the GM allows no Free Actions (ST-32).
        resting: the kind of rest that is being taken (ST-35).
        prepared: the effects that the sheet brings along have begun.
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
        pool: the pool that it takes from or adds to; empty for none.
        dice: what its strength is thrown with; empty where it is its magnitude.
        upkeep: the price of keeping it up for a turn (ST-24); 0 for none.
        resource: the pool that is paid from.
        payer: the id of who pays; empty for the bearer.
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
    """What has been seen to in the running turn.

    Attributes:
        handled: effects that have run or were paid for.
        asked: when the GM was asked for the order of effects.
        fell: its owner went down in the steps at its start (Q-T10).
        asked_to_act: whether step 5 happens after that was asked.
    """

    handled: tuple[EffectInStep, ...] = ()
    asked: tuple[OrderAsked, ...] = ()
    fell: bool = False
    asked_to_act: bool = False


@frozen
class Scene:
    """What is remembered of the whole fight: the Scene or the rest that runs, and what passes from one to the next.

    Attributes:
        scene: the name of the open Scene.
        everyone: in free order everybody has had a chance to act (ST-10).
        progress: what has been seen to in the running turn.
        standing: the order to go back to at the round's end, where delays hold for one round (Q-T4); else empty.
        clock_spare_s: by how many seconds the most that can have passed lies beyond the least (ST-08).
        rest_kind: of the rest that runs (ST-35); empty where none does.
        rest_minutes: how long that is to take.
        hp_per_resolve: what each Resolve gave last, a number or dice (ST-38).
        awake_h: hours awake, by the GM's word (ST-34).
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
    """What is remembered of a participant."""
    return record_of(combatant, Participant)


def scene_of(state: FightState) -> Scene:
    """What is remembered of the fight."""
    return fight_record_of(state, Scene)


def turn_state(combatant: Combatant) -> TurnState:
    """Where somebody stands in the round."""
    return participant_of(combatant).turn


# Changes


# The running turn


def progress_of(state: FightState) -> TurnProgress:
    """What has been seen to in the running turn."""
    return scene_of(state).progress


def mark_handled(decision: Decision, phase: str, effect_ids: Iterable[str]) -> None:
    """Effects have run, or were paid for, in this step of the running turn."""
    progress = progress_of(decision.state)
    more = (EffectInStep(phase, effect_id) for effect_id in effect_ids)
    decision.set_facts(progress=copy_with(progress, handled=tuple(dict.fromkeys((*progress.handled, *more)))))


def mark_asked(decision: Decision, phase: str, left: int) -> None:
    """The GM is asked which of so many effects comes first."""
    progress = progress_of(decision.state)
    decision.set_facts(progress=copy_with(progress, asked=(*progress.asked, OrderAsked(phase, left))))


def clear_progress(decision: Decision) -> None:
    """Another turn runs, or none."""
    decision.set_facts(progress=TurnProgress())
