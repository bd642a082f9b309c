"""The course of a contest: its segments, when steps begin, end and are skipped, and the commands that advance it."""

from __future__ import annotations

from fightcall_engine.kit.agenda import BY_GM, RoundEvents, StepEvents
from fightcall_engine.kit.checks import enforce, require_always
from fightcall_engine.kit.cue_watch import holds_up
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import lapse_offers
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Advance, Close, Command, Move, Start, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import FightState, Prompt, Step
from fightcall_engine.systems.segments.actions import declarations, moves
from fightcall_engine.systems.segments.combat import reprisals, stray_fire
from fightcall_engine.systems.segments.positions import meetings
from fightcall_engine.systems.segments.round import order, pulses, resolution, segment
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.state import commands, events, progress, queries
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.battle import battle_of

AGENDA_COMMANDS = (Start, Advance, Waive, Close)
"""Commands that move the agenda: rolls in them are answers taken by default."""


class SegmentAgenda(BaseSystem):
    """The agenda of Combat Segments."""

    round_name, round_rule, empty_rule, round_seconds = "Segment", "CS-031", "CS-004", clock.SECONDS_A_SEGMENT
    round_events = RoundEvents(began=events.SegmentBegan, ended=events.SegmentEnded)
    end_rule, stalled_question = "CS-101", "No one can act anymore. End the contest?"

    # Steps

    def why_skipped(self, state: FightState, step: Step) -> str:
        """The reason to skip a step; else empty."""
        return segment.why_skipped(state, step)

    def why_over(self, state: FightState, step: Step) -> str:
        """The reason why the running step ends by itself; else empty."""
        return "everything is resolved" if segment.is_over(state) else ""

    def is_instant(self, step: Step) -> bool:
        """Whether a step is the end of a segment, in which nobody acts."""
        return step.kind == queries.CLOSE

    def step_events(self, step: Step) -> StepEvents:
        """The events with which a step begins, ends and is skipped."""
        return StepEvents(ended=None) if self.is_instant(step) else super().step_events(step)

    # What happens in steps

    def begin_round(self, decision: Decision) -> None:
        """CS-031: begin the next segment; its Initiative comes later."""
        segment.begin_segment(decision)

    def pass_time(self, decision: Decision, seconds: int) -> None:
        """Count down effects, and what lasts until a certain segment."""
        super().pass_time(decision, seconds)
        if seconds >= clock.SECONDS_A_SEGMENT:
            segment.pass_segments(decision, seconds // clock.SECONDS_A_SEGMENT)

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """CS-095: the first step of another pass ends the pass before it, even if it is skipped."""
        segment.change_pass(decision, step)

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """Do what a step begins with: shots land, movement and Actions go on."""
        match step.kind:
            case queries.IMPACTS:
                stray_fire.land_shots(decision)
            case queries.PULSE:
                decision.emit(events.PulseTicked(before=battle_of(decision.state).pulse, value=step.number))
            case queries.CLOSE:
                segment.end_segment(decision)

    def skip_step(self, decision: Decision, index: int, reason: str) -> None:
        """Skip a step, resolving a Resolution that needs no input."""
        decision.emit(*segment.settle_unasked(decision.state, decision.state.agenda.steps[index]))
        super().skip_step(decision, index, reason)

    def run_step(self, decision: Decision, step: Step) -> None:
        """Let the running step do what it does by itself, after continuing interrupted movement."""
        if battle_of(decision.state).interrupted:
            meetings.resume_movement(decision)
        else:
            super().run_step(decision, step)

    def follow_last_step(self, decision: Decision) -> None:
        """Begin the next segment as long as anybody can act."""
        self.begin_round_or_ask(decision)

    # Commands

    def advance(self, decision: Decision, command: Command) -> None:
        """Go on to the next step. Blocking questions with a default take it; others stay open."""
        with_default = [prompt for prompt in decision.state.prompts if prompt.blocking and prompt.default]
        if with_default:
            self.lapse(decision, with_default)
        else:
            super().advance(decision, command)

    def move_on(self, decision: Decision, command: Command) -> None:
        """Move on by GM ruling. If that is forced, an unresolved Action is given up unasked (CS-092)."""
        state = decision.state
        if state.step is None:
            self.start(decision, Start())
            return
        combatant = queries.actor_of(state)
        is_asked = combatant is not None and resolution.is_asked(state, combatant)
        let_go = command.force or is_asked or _are_ways_asked(state)
        decision.emit(*lapse_offers(state))
        self._go_on(decision, let_go=let_go)

    def _go_on(self, decision: Decision, *, let_go: bool) -> None:
        """Move on; with `let_go` the GM has been asked about the due Action, or nobody runs."""
        state = decision.state
        kind, combatant = queries.kind_of(state), queries.actor_of(state)
        no_ways = resolution.way_questions(state) if kind in (queries.DECLARE, queries.WAITS) and not let_go else ()
        if kind == queries.INITIATIVE:
            if queries.all_able(state):
                order.roll_initiatives(decision, queries.without_initiative(state), decision.dice)
            else:
                self.ask_whether_over(decision)
        elif kind == queries.PULSE:
            self._run_pulse(decision)
        elif moves.interrupted_movers(state) or battle_of(state).interrupted:
            meetings.resume_movement(decision)
            moves.finish_moves(decision, moves.interrupted_movers(decision.state))
            if not decision.state.prompts:
                self._go_on(decision, let_go=let_go)
        elif no_ways:
            for prompt in no_ways:
                decision.spawn(self._ask_way, prompt)
        elif kind == queries.DECLARE and combatant is not None:
            if not action_of(combatant).is_open and combatant.able and declarations.can_wait(state, combatant):
                decision.emit(*declarations.start_waiting(combatant))
                return
            declarations.commit_action(decision, combatant)
            self.close_step(decision, BY_GM)
        elif kind == queries.RESOLVE and combatant is not None:
            question = None if let_go else resolution.open_question(state, combatant)
            if question is None:
                decision.emit(*progress.pass_over_events(state, combatant))
            else:
                decision.spawn(resolution.ask_unsettled, question)
        else:
            self.close_step(decision, BY_GM)

    def _run_pulse(self, decision: Decision) -> bool:
        """CS-232: move all on their paths in this Pulse; return whether it is over and the next step has begun."""
        start = len(decision.folds)
        pulses.run_pulse(decision)
        if decision.state.prompts or not pulses.is_over(decision.state) or holds_up(decision.folds[start:]):
            return False
        self.close_step(decision, BY_GM)
        return True

    @handles(commands.RunPulses)
    def run_pulses(self, decision: Decision, command: commands.RunPulses) -> None:
        """Run Pulses until a combatant may interrupt, something is asked, or movement ends (CS-240)."""
        if command.pulses is not None and command.pulses < 1:
            raise Refused(
                "CS-230", f"can't run {command.pulses} Pulses", ("1 or more", "leave it out: to the end"), final=True
            )
        uses_pulses, run_check, no_question = pulses.run_checks(decision.state)
        require_always(uses_pulses, run_check)
        enforce((no_question,), decision.referee)
        # Those who could have acted have let the mover pass; this is told, unlike an offer that lapses.
        decision.emit(*meetings.decline_offers(meetings.opportunity_prompts(decision.state)))
        decision.emit(*lapse_offers(decision.state))
        run = 0
        while queries.kind_of(decision.state) == queries.PULSE and run != command.pulses and self._run_pulse(decision):
            run += 1

    def waive(self, decision: Decision, command: Waive) -> None:
        """Waiving one's declaration is waiting (CS-160)."""
        state = decision.state
        combatant = decision.combatant(command.who) if command.who else queries.actor_of(state)
        if combatant is None:
            raise Refused("CS-160", "it is no one's turn to declare", ("advance",), final=True)
        declarations.decide_wait(decision, commands.Wait(who=combatant.id))

    @handles(Move)
    def move(self, decision: Decision, command: Move) -> None:
        """Move: after trading a Reprisal (CS-484), or in movement."""
        if not reprisals.take_traded_move(decision, command):
            pulses.decide_move(decision, command)

    # Answers

    def _ask_way(self, decision: Decision, question: Prompt) -> None:
        """CS-090, CS-539: keep the attack. Play continues after the last such question, unless another blocks it."""
        noted = decision.ask(question) is not None
        if noted and not _are_ways_asked(decision.state) and not decision.state.is_blocked():
            self._go_on(decision, let_go=True)


def _are_ways_asked(state: FightState) -> bool:
    return any(prompt.kind == resolution.NO_WAY for prompt in state.prompts)
