"""The agenda runner: how a round begins, how its steps open, pass and close, and how it ends, for any system.

The agenda is data in the state (`FightState.agenda`); this only decides which event comes next. A system says what the
steps of a round are, and through the hooks what happens at each of them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from fightcall_engine.kit import effects
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import HandlerTable
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.events import (
    AgendaChanged,
    ClockAdvanced,
    EffectEnded,
    EffectTicked,
    Events,
    FightClosed,
    FightOpened,
    RoundBegan,
    RoundEnded,
    StepBegan,
    StepEnded,
    StepSkipped,
    Waived,
)
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.model.values import frozen

BY_GM = "gm"
"""The reason of what ends because the GM goes on."""
STALLED = "stalled"
"""The kind of the question whether the fight is over in which nobody can act any more."""


@frozen
class RoundEvents:
    """The events that say how a fight and its rounds begin and end, as a system calls them."""

    opened: type[FightOpened] = FightOpened
    closed: type[FightClosed] = FightClosed
    began: type[RoundBegan] = RoundBegan
    ended: type[RoundEnded] = RoundEnded


@frozen
class StepEvents:
    """The events that say how a step begins, ends or passes, as a system calls them; None for what goes without.

    The beginning moves the agenda, and so is always told; a class of its own with ``UNSEEN`` keeps it from players.
    """

    began: type[StepBegan] = StepBegan
    ended: type[StepEnded] | None = StepEnded
    skipped: type[StepSkipped] | None = StepSkipped


USUAL_STEP = StepEvents()


def drop_steps_of(state: FightState, combatant_id: str) -> Events:
    """The change of the agenda after somebody has left: without the steps that were still to come of them."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    remaining = (*steps[: cursor + 1], *(step for step in steps[cursor + 1 :] if step.actor != combatant_id))
    return () if remaining == steps else (AgendaChanged(steps=remaining, cursor=cursor, reason="has left"),)


class AgendaRunner(HandlerTable):
    """Runs the agenda of a system.

    A step begins, goes on until it is over or the GM goes on, and ends; then the next one begins in which there is
    something to do. The hooks ``on_...`` say what happens besides; a method of a system may also move the agenda by
    `begin_round`, `close_step`, `close_phase` and `end_round`.

    Attributes:
        round_name: what a round is called.
        round_rule: the id of the rule on how rounds follow each other, named where an order of play is refused.
        round_seconds: game time of a round; see `seconds_of_round`.
        round_events: what the beginnings and ends of its fights and rounds are called.
    """

    round_name: str = "Round"
    round_rule: str = "round"
    round_seconds: int = 0
    round_events: RoundEvents = RoundEvents()

    # What a system says

    def steps_of_round(self, decision: Decision) -> tuple[Step, ...]:
        """The agenda of the next round. Mandatory. May throw dice and emit what the order hangs on."""
        raise NotImplementedError(f"{type(self).__name__}.steps_of_round")

    def step_events(self, step: Step) -> StepEvents:
        """What the beginning, end and passing of a step are called."""
        return USUAL_STEP

    def is_instant(self, step: Step) -> bool:
        """True for a step in which nobody has a say, such as an upkeep: it ends once `on_step_begin` has happened."""
        return False

    def seconds_of_round(self, state: FightState) -> int:
        """Game time that passes with a round: by default `round_seconds`."""
        return self.round_seconds

    def on_round_begin(self, decision: Decision) -> None:
        """What happens as a round begins, before its first step."""

    def on_phase_begin(self, decision: Decision, phase: str) -> None:
        """What happens as a phase is come to, before it is known whether any of its steps does not pass by itself."""

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """What happens as a step is come to, before it is known whether it passes by itself."""

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """What happens as a step begins."""

    def ask_before_end(self, decision: Decision, step: Step) -> None:
        """Ask for what must be ruled on before a step ends, one thing at a time: by default for nothing.

        It is called whenever the step is about to end, by itself or by the GM, and again after each answer: what is
        still open stands in the state.
        """

    def on_step_end(self, decision: Decision, step: Step) -> None:
        """What happens as a step ends."""

    def on_phase_end(self, decision: Decision, phase: str, reason: str) -> None:
        """What happens as a phase is left behind. `reason` is why its running step ended, if that led out of it."""

    def on_round_end(self, decision: Decision) -> None:
        """What happens after a round's last step. By default effects that follow the round's clock count down."""
        self.count_down(decision, effects.ROUND_END)

    def can_act(self, state: FightState, combatant: Combatant, step: Step) -> bool:
        """True where a combatant has something to do in a step: by default in its own, its side's or everybody's.

        This is also asked of steps still to come, to say who is next.
        """
        is_member = not step.members or combatant.id in step.members
        return combatant.able and is_member and step.actor in ("", combatant.id) and step.side in ("", combatant.side)

    def why_skipped(self, state: FightState, step: Step) -> str:
        """Why a step passes by itself, empty where it does not: by default where nobody can act who should."""
        if self.is_instant(step):
            return ""
        if any(self.can_act(state, combatant, step) for combatant in state.combatants.values()):
            return ""
        if step.actor:
            return "cannot act" if step.actor in state.combatants else "has left"
        return "nobody can act"

    def why_over(self, state: FightState, step: Step) -> str:
        """Why the running step ends by itself, empty where it does not: by default when all have acted or waived."""
        return "" if self.waiting(state) else "all have acted or waived"

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who may act in the running step and have neither acted nor waived, in roster order."""
        step, agenda = state.step, state.agenda
        if step is None:
            return ()
        return tuple(
            combatant.id
            for combatant in state.roster
            if combatant.id not in agenda.acted
            and combatant.id not in agenda.waived
            and self.can_act(state, combatant, step)
        )

    def is_secret(self, state: FightState) -> bool:
        """True where the running step goes on with what was declared in secret: players see nothing of it."""
        return False

    def acting_side(self, state: FightState) -> str:
        """Whose step it is, empty where it is nobody's."""
        return state.step.side if state.step is not None else ""

    # How it runs

    def begin_round(self, decision: Decision) -> None:
        """The next round begins; its first step opens when all is quiet."""
        steps = self.steps_of_round(decision)
        decision.emit(self.round_events.began(number=decision.state.round + 1, steps=steps))
        self.on_round_begin(decision)

    def close_step_or_ask(self, decision: Decision, reason: str) -> None:
        """The running step ends, as soon as nothing must be ruled on before; see `ask_before_end` and `close_step`."""
        step, prompts = decision.state.step, decision.state.prompts
        if step is not None:
            self.ask_before_end(decision, step)
        if decision.state.prompts == prompts:
            self.close_step(decision, reason)
            return
        # So that it ends once that is answered: who could still act has let it go by.
        for combatant_id in self.waiting(decision.state):
            decision.emit(Waived(who=combatant_id))

    def close_step(self, decision: Decision, reason: str) -> None:
        """The running step ends, and the next one begins in which there is something to do.

        Args:
            decision: the fight, and what happens.
            reason: why it ends: `BY_GM`, what `why_over` says, or a word of the system's.
        """
        index = decision.state.agenda.cursor
        if self._end_step(decision, reason):
            self.open_step(decision, index + 1, reason)

    def interrupt(self, decision: Decision, step: Step, reason: str = "") -> None:
        """A step comes in the middle of the running one, which goes on after it for those who have not acted in it.

        The running step does not end by it; as it goes on it is reached and begins again, with its hooks.

        Args:
            decision: the fight, while a step runs, and what happens.
            step: what comes between; where its id is taken, such as by an earlier one of theirs, it has a number.
            reason: why the order of play changes, as the log says it; empty where it says nothing.
        """
        agenda, running, waiting = decision.state.agenda, decision.state.step, self.waiting(decision.state)
        taken_ids = {other.id for other in agenda.steps}
        if step.id in taken_ids:
            numbered_ids = (f"{step.id}.{number}" for number in count(2))
            step = replace(step, id=next(each for each in numbered_ids if each not in taken_ids))
        past, to_come = agenda.steps[: agenda.cursor], agenda.steps[agenda.cursor + 1 :]
        if running is None or not waiting:
            steps = (*agenda.steps[: agenda.cursor + 1], step, *to_come)
            decision.emit(AgendaChanged(steps=steps, cursor=agenda.cursor, reason=reason))
            self.close_step(decision, reason)
            return
        rest = running if running.actor else replace(running, members=waiting)
        decision.emit(AgendaChanged(steps=(*past, step, rest, *to_come), cursor=agenda.cursor, reason=reason))
        self.open_step(decision, agenda.cursor)

    def close_phase(self, decision: Decision, reason: str) -> None:
        """The running step ends, all other steps of its phase pass for the same reason, and the next phase opens."""
        phase, index, steps = decision.state.phase, decision.state.agenda.cursor, decision.state.agenda.steps
        if not self._end_step(decision, reason):
            return
        index += 1
        while index < len(steps) and steps[index].phase == phase:
            self.skip_step(decision, index, reason)
            index += 1
        self.open_step(decision, index, reason)

    def _end_step(self, decision: Decision, reason: str) -> bool:
        """The running step ends; false where there is none."""
        step, index = decision.state.step, decision.state.agenda.cursor
        if step is None:
            return False
        event_type = self.step_events(step).ended
        if event_type is not None:
            decision.emit(event_type(index=index, phase=step.phase, side=step.side, reason=reason))
        self.on_step_end(decision, step)
        return True

    def open_step(self, decision: Decision, index: int, reason: str = "") -> None:
        """The first step from `index` on that does not pass by itself begins; after the last the round ends.

        `reason` is why the step before it ended.
        """
        place, phase = index, decision.state.phase
        # Each hook may rearrange what is still to come: the steps are looked at anew after it.
        while True:
            step = next(iter(decision.state.agenda.steps[place:]), None)
            if phase and (step is None or step.phase != phase):
                self.on_phase_end(decision, phase, reason)
                phase, reason = "", ""
            elif step is None:
                self.end_round(decision)
                return
            elif step.phase != phase:
                phase = step.phase
                self.on_phase_begin(decision, phase)
            elif self._pass_step(decision, place, reason):
                place += 1
            else:
                return

    def _pass_step(self, decision: Decision, place: int, reason: str) -> bool:
        """A step is come to; true where it passes by itself or is over at once."""
        step = decision.state.agenda.steps[place]
        self.on_step_reached(decision, step)
        why = self.why_skipped(decision.state, step)
        if why:
            self.skip_step(decision, place, why)
            return True
        self.begin_step(decision, place)
        return self.is_instant(step) and self._end_step(decision, reason)

    def begin_step(self, decision: Decision, index: int) -> None:
        """The step at an index of the agenda begins."""
        step = decision.state.agenda.steps[index]
        decision.emit(self.step_events(step).began(index=index, phase=step.phase, side=step.side))
        self.on_step_begin(decision, step)

    def skip_step(self, decision: Decision, index: int, reason: str) -> None:
        """The step at an index of the agenda passes."""
        step = decision.state.agenda.steps[index]
        event_type = self.step_events(step).skipped
        if event_type is not None:
            decision.emit(event_type(index=index, phase=step.phase, side=step.side, reason=reason))

    def end_round(self, decision: Decision) -> None:
        """The round is over, and game time passes."""
        decision.emit(self.round_events.ended(number=decision.state.round))
        seconds = self.seconds_of_round(decision.state)
        if seconds:
            decision.emit(ClockAdvanced(seconds=seconds, total=decision.state.clock_s + seconds))
        self.on_round_end(decision)

    def count_down(
        self,
        decision: Decision,
        moment: str,
        *,
        tick_type: type[EffectTicked] = EffectTicked,
        end_type: type[EffectEnded] = EffectEnded,
        down_to_zero: bool = False,
    ) -> None:
        """All effects that count at a moment do so; see `effects.count_down`."""
        for combatant in decision.state.combatants.values():
            due = effects.due(decision.state, combatant, moment)
            ticks = effects.count_down(
                decision.state, combatant, due, tick_type=tick_type, end_type=end_type, down_to_zero=down_to_zero
            )
            decision.emit(*ticks)

    def settle_step(self, decision: Decision) -> None:
        """What the agenda does by itself when all is quiet: open the first step, close one that is over."""
        state = decision.state
        stalled_prompts = [prompt for prompt in state.prompts if prompt.kind == STALLED]
        if stalled_prompts and any(combatant.able for combatant in state.combatants.values()):
            decision.emit(*record_moot(stalled_prompts, "somebody can act again"))
            state = decision.state
        if state.status != "running" or not state.agenda.steps or state.is_blocked():
            return
        step = state.step
        if step is not None:
            self.run_step(decision, step)
        elif state.agenda.cursor == -1:
            self.open_step(decision, 0)
        else:
            self.follow_last_step(decision)

    def follow_last_step(self, decision: Decision) -> None:
        """What happens by itself once the last step of a round is over: by default nothing, the GM goes on."""

    def run_step(self, decision: Decision, step: Step) -> None:
        """What the running step does by itself when all is quiet: by default it closes when it is over."""
        reason = self.why_over(decision.state, step)
        if reason:
            self.close_step_or_ask(decision, reason)
