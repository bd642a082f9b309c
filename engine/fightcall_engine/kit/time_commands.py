"""The commands by which time passes, for any system: start, advance, waive and close; and whether a fight is over.

How the agenda then runs is `kit.agenda`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.kit.agenda import BY_GM, STALLED, AgendaRunner
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_default
from fightcall_engine.model.commands import Advance, Answer, Close, Command, Start, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Waived
from fightcall_engine.model.state import Combatant, FightState, Prompt


class TimeCommands(AgendaRunner):
    """Decides the commands by which time passes.

    Attributes:
        empty_rule: the id of the rule that there is somebody to fight; empty where it is `round_rule`.
        end_rule: the id of the rule on how a fight ends; empty where it is `round_rule`.
        stalled_question: what is asked when nobody can act any more.
    """

    empty_rule: str = ""
    end_rule: str = ""
    stalled_question: str = "Nobody can act any more. Is the fight over?"

    # Checks

    def turn_checks(self, state: FightState, combatant_id: str) -> tuple[Check, ...]:
        """What every act of somebody in its own step needs: to be able, to have its time, and no question before it.

        An act that is itself the answer to a question (`Choice.who`) may be done while that is open.
        """
        combatant, step = state.combatants[combatant_id], state.step
        own_questions = (
            prompt.kind for prompt in state.prompts if any(choice.who == combatant_id for choice in prompt.choices)
        )
        now = f"this is {step.title}" if step is not None else f"no {self.round_name} is running"
        due = tuple(state.combatants[each].name or each for each in self.waiting(state)) or ("advance",)
        return (
            Check(combatant.able, self.round_rule, f"{combatant.name} cannot act", ("somebody who is able",)),
            Check(
                step is not None and self.can_act(state, combatant, step),
                self.round_rule,
                f"it is not {combatant.name}'s time: {now}",
                due,
            ),
            Check(
                combatant_id not in state.agenda.acted,
                self.round_rule,
                f"{combatant.name} has acted in this step",
                due,
            ),
            question_check(state, *own_questions),
        )

    def waive_checks(self, state: FightState, combatant: Combatant) -> tuple[Check, ...]:
        """What letting one's step go by needs: by default what an act needs."""
        return self.turn_checks(state, combatant.id)

    # Commands that every system takes

    @handles(Start)
    def start(self, decision: Decision, command: Start) -> None:
        """Begin the next round; the first one opens the fight."""
        state = decision.state
        if state.step is not None:
            message = f"{self.round_name} {state.round} is still running"
            raise Refused(self.round_rule, message, ("advance",), final=True)
        if not state.combatants:
            rule = self.empty_rule or self.round_rule
            raise Refused(rule, "nobody is here to fight", ("join Ash",), final=True)
        self.lapse(decision, state.prompts)
        if decision.state.round != state.round or decision.state.status == "closed":
            # The answer to a question, such as whether to go on, has seen to it.
            return
        if state.status == "setup":
            decision.emit(self.round_events.opened(name=command.name or state.name))
        self.begin_round(decision)

    @handles(Advance)
    def advance(self, decision: Decision, command: Command) -> None:
        """The next step: questions that block take their defaults; where none blocks play goes on."""
        blocking = tuple(prompt for prompt in decision.state.prompts if prompt.blocking)
        if blocking:
            self.lapse(decision, blocking)
        else:
            self.move_on(decision, command)

    @handles(Waive)
    def waive(self, decision: Decision, command: Waive) -> None:
        """A combatant, or all of a side, let the running step go by."""
        state = decision.state
        if command.who:
            combatant = decision.combatant(command.who)
            decision.require(*self.waive_checks(state, combatant))
            decision.emit(Waived(who=combatant.id))
            return
        people = self.waivers(state)
        if not people:
            raise Refused(self.round_rule, "nobody is to act now", ("advance",), final=True)
        for combatant_id in people:
            if command.side in ("", state.combatants[combatant_id].side):
                decision.emit(Waived(who=combatant_id))

    @handles(Close)
    def close(self, decision: Decision, command: Close) -> None:
        """The GM ends the fight."""
        if decision.state.status == "setup":
            raise Refused(self.end_rule or self.round_rule, "the fight has not begun", ("start",), final=True)
        decision.emit(self.round_events.closed(reason=command.reason or "ended"))

    # Going on

    def waivers(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who let the running step go by where nobody is named: by default all who are waited for."""
        return self.waiting(state)

    def lapse(self, decision: Decision, prompts: Iterable[Prompt]) -> None:
        """Open questions take their defaults, one after the other, each answered as those before it left things.

        A question that an answer before it has closed is passed over.

        Raises:
            Refused: one of them has no default.
        """
        for prompt in prompts:
            if decision.state.prompt(prompt.id) is not None:
                decision.emit(record_default(prompt))
                self.answer(decision, prompt, Answer(prompt=prompt.id, choice=prompt.default))

    def move_on(self, decision: Decision, command: Command) -> None:
        """What a step of the GM's moves on while nothing blocks: offers lapse, and the running step closes."""
        if decision.state.step is None:
            self.start(decision, Start())
        else:
            self.lapse(decision, decision.state.prompts)
            self.close_step_or_ask(decision, BY_GM)

    def begin_round_or_ask(self, decision: Decision) -> None:
        """The next round, or the question whether the fight is over: without anybody able rounds would never end."""
        if any(combatant.able for combatant in decision.state.combatants.values()):
            self.begin_round(decision)
        else:
            self.ask_whether_over(decision)

    def ask_whether_over(self, decision: Decision) -> None:
        """Nobody can act: the GM says whether the fight is over, or somebody will be able to again."""
        decision.ask(
            prompt_for(
                None,
                kind=STALLED,
                question=self.stalled_question,
                rule=self.end_rule or self.round_rule,
                choices=choices("close:yes, it is over", "stay:not yet:n"),
                default="close",
            )
        )

    @answers(STALLED)
    def answer_stalled(self, decision: Decision, prompt: Prompt, answer: Answer) -> None:
        """The fight is over, or goes on when somebody can act again."""
        if answer.choice == "close":
            self.close(decision, Close(reason="nobody can act"))
