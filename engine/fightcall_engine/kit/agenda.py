"""The agenda runner: how a round begins, how its steps open, pass and close, and how it ends, for any system.

The agenda is data in the state (`FightState.agenda`); this only decides which event comes next. A system says what the
steps of a round are, and through the hooks what happens at each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fightcall_engine.kit import effects as lasting
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import answers_to, record_answer
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step

AnswerFunction = Callable[[Decision, Prompt, cm.Answer], ev.Events]


def record_default(prompt: Prompt) -> ev.RulingRecorded:
    """The record that a question takes its default.

    Raises:
        Refused: it has none.
    """
    if not prompt.default:
        accepts = answers_to(prompt)
        more = (f"a number ({prompt.amount})",) if prompt.amount else ()
        raise Refused(prompt.rule, f"answer first: {prompt.question}", (*accepts, *more) or ("any words",), final=True)
    return record_answer(prompt, prompt.default, default=True)


def take_defaults(decision: Decision, prompts: Iterable[Prompt], answer: AnswerFunction) -> ev.Events:
    """Open questions take their defaults, one after the other, each answered as those before it left things.

    Args:
        decision: the fight, the dice and the referee; it is left as it was.
        prompts: what lapses; a question that an answer before it has closed is passed over.
        answer: what follows an answer, beside the record of it.

    Raises:
        Refused: a question that has no default.
    """
    lapsing = decision.branch()
    for prompt in prompts:
        if lapsing.state.prompt(prompt.id) is None:
            continue
        lapsing.emit(record_default(prompt))
        lapsing.emit(*answer(lapsing.branch(), prompt, cm.Answer(prompt=prompt.id, choice=prompt.default)))
    return lapsing.events


class AgendaRunner:
    """Runs the agenda of a system.

    Attributes:
        round_name: what a round is called.
        round_rule: the id of the rule on how rounds follow each other, named where an order of play is refused.
        round_seconds: game time of a round.
    """

    round_name: str = "Round"
    round_rule: str = "round"
    round_seconds: int = 0

    # What a system says

    def steps_of_round(self, decision: Decision) -> tuple[Step, ...]:
        """The agenda of the next round. Mandatory. May throw dice and emit what the order hangs on."""
        raise NotImplementedError(f"{type(self).__name__}.steps_of_round")

    def on_round_begin(self, decision: Decision) -> None:
        """What happens as a round begins, before its first step."""

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """What happens as a step begins."""

    def on_step_end(self, decision: Decision, step: Step) -> None:
        """What happens as a step ends."""

    def on_round_end(self, decision: Decision) -> None:
        """What happens after a round's last step."""

    def can_act(self, state: FightState, combatant: Combatant, step: Step) -> bool:
        """True where a combatant has something to do in a step: by default in its own, its side's or everybody's."""
        return combatant.able and step.actor in ("", combatant.id) and step.side in ("", combatant.side)

    def why_skipped(self, state: FightState, step: Step) -> str:
        """Why a step passes by itself, empty where it does not: by default where nobody can act in it."""
        if any(self.can_act(state, combatant, step) for combatant in state.combatants.values()):
            return ""
        if step.actor:
            return "cannot act" if step.actor in state.combatants else "has left"
        return "nobody can act"

    def is_over(self, state: FightState, step: Step) -> bool:
        """True where the running step closes by itself: by default when everybody in it has acted or waived."""
        return not self.waiting(state)

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who may act in the running step and have neither acted nor waived, in roster order."""
        step, agenda = state.step, state.agenda
        if step is None:
            return ()
        return tuple(
            combatant.id
            for combatant in (state.combatants[combatant_id] for combatant_id in state.order)
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

    # Checks

    def turn_checks(self, state: FightState, combatant_id: str) -> tuple[Check, ...]:
        """What every act of somebody in its own step needs: to be able, and to have its time in the running step."""
        combatant, step = state.combatants[combatant_id], state.step
        now = f"this is {step.title}" if step is not None else f"no {self.round_name} is running"
        due = ", ".join(self.waiting(state)) or "advance"
        return (
            Check(combatant.able, self.round_rule, f"{combatant.name} cannot act", ("somebody who is able",)),
            Check(
                step is not None and self.can_act(state, combatant, step),
                self.round_rule,
                f"it is not {combatant.name}'s time: {now}",
                (due,),
            ),
            Check(
                combatant_id not in state.agenda.acted,
                self.round_rule,
                f"{combatant.name} has acted in this step",
                (due,),
            ),
        )

    # Commands that every system takes

    @handles(cm.Start)
    def start(self, decision: Decision, command: cm.Start) -> None:
        """Begin the next round; the first one opens the fight."""
        state = decision.state
        if state.step is not None:
            message = f"{self.round_name} {state.round} is still running"
            raise Refused(self.round_rule, message, ("advance",), final=True)
        if not state.combatants:
            raise Refused(self.round_rule, "nobody is here to fight", ("join",), final=True)
        self.lapse(decision, state.prompts)
        if decision.state.status == "setup":
            decision.emit(ev.FightOpened(name=command.name))
        self.begin_round(decision)

    @handles(cm.Advance)
    def advance(self, decision: Decision, command: cm.Advance) -> None:
        """The next step: questions that block take their defaults; else offers lapse and the running step closes."""
        blocking = tuple(prompt for prompt in decision.state.prompts if prompt.blocking)
        if blocking:
            self.lapse(decision, blocking)
        elif decision.state.step is None:
            self.start(decision, cm.Start())
        else:
            self.lapse(decision, decision.state.prompts)
            self.close_step(decision)

    @handles(cm.Waive)
    def waive(self, decision: Decision, command: cm.Waive) -> None:
        """A combatant, or all of a side, let the running step go by."""
        state, waiting = decision.state, self.waiting(decision.state)
        if command.who:
            combatant = combatant_of(state, command.who)
            decision.require(*self.turn_checks(state, combatant.id))
            waiting = (combatant.id,)
        elif not waiting:
            raise Refused(self.round_rule, "nobody is to act now", ("advance",), final=True)
        for combatant_id in waiting:
            if command.side in ("", state.combatants[combatant_id].side):
                decision.emit(ev.Waived(who=combatant_id))

    @handles(cm.Close)
    def close(self, decision: Decision, command: cm.Close) -> None:
        """The GM ends the fight."""
        if decision.state.status == "setup":
            raise Refused(self.round_rule, "the fight has not begun", ("start",), final=True)
        decision.emit(ev.FightClosed(reason=command.reason or "ended"))

    # How it runs

    def lapse(self, decision: Decision, prompts: Iterable[Prompt]) -> None:
        """Open questions take their defaults; see `take_defaults`."""
        decision.emit(*take_defaults(decision, prompts, self.answer))

    def answer(self, decision: Decision, prompt: Prompt, answer: cm.Answer, /) -> ev.Events:
        """What an answer causes, beside the record of it."""
        self.on_answer(decision, prompt, answer)
        return decision.events

    def on_answer(self, decision: Decision, prompt: Prompt, answer: cm.Answer) -> None:
        """What an answer causes, beside the record of it: by default nothing."""

    def begin_round(self, decision: Decision) -> None:
        """The next round begins; its first step opens when all is quiet."""
        steps = self.steps_of_round(decision)
        decision.emit(ev.RoundBegan(number=decision.state.round + 1, steps=steps))
        self.on_round_begin(decision)

    def close_step(self, decision: Decision) -> None:
        """The running step ends, and the next one in which somebody can act begins."""
        step, index = decision.state.step, decision.state.agenda.cursor
        if step is None:
            return
        decision.emit(ev.StepEnded(index=index, phase=step.phase, side=step.side))
        self.on_step_end(decision, step)
        self.open_step(decision, index + 1)

    def open_step(self, decision: Decision, index: int) -> None:
        """The first step from `index` on that does not pass by itself begins; after the last the round ends."""
        for place in range(index, len(decision.state.agenda.steps)):
            step = decision.state.agenda.steps[place]
            reason = self.why_skipped(decision.state, step)
            if not reason:
                decision.emit(ev.StepBegan(index=place, phase=step.phase, side=step.side))
                self.on_step_begin(decision, step)
                return
            decision.emit(ev.StepSkipped(index=place, phase=step.phase, side=step.side, reason=reason))
        self.end_round(decision)

    def end_round(self, decision: Decision) -> None:
        """Effects that follow the round's clock count down, and game time passes."""
        decision.emit(ev.RoundEnded(number=decision.state.round))
        for combatant in decision.state.combatants.values():
            due = lasting.due(decision.state, combatant, lasting.ROUND_END)
            decision.emit(*lasting.count_down(decision.state, combatant, due))
        if self.round_seconds:
            total = decision.state.clock_s + self.round_seconds
            decision.emit(ev.ClockAdvanced(seconds=self.round_seconds, total=total))
        self.on_round_end(decision)

    def settle_step(self, decision: Decision) -> None:
        """What the agenda does by itself when all is quiet: open the first step, close one that is over."""
        state = decision.state
        if state.status != "running" or state.blocked() or not state.agenda.steps:
            return
        if state.agenda.cursor == -1:
            self.open_step(decision, 0)
        elif state.step is not None and self.is_over(state, state.step):
            self.close_step(decision)
