"""The commands that make time pass, for any system: start, advance, waive and close; and whether a fight is over.

How the agenda then runs is up to `kit.agenda`.
"""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.kit import effects
from fightcall_engine.kit.agenda import BY_GM, STALLED, AgendaRunner
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_default
from fightcall_engine.model.commands import Advance, Answer, Close, Command, Start, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Waived
from fightcall_engine.model.state import Combatant, FightState, Prompt


class TimeCommands(AgendaRunner):
    """Decides the commands that make time pass.

    Attributes:
        empty_rule: the id of the rule that a fight needs combatants; empty for `round_rule`.
        end_rule: the id of the rule on how a fight ends; empty for `round_rule`.
        stalled_question: the question when nobody can act any more.
    """

    empty_rule: str = ""
    end_rule: str = ""
    stalled_question: str = "No one can act any more. End the fight?"

    # Checks

    def turn_checks(self, state: FightState, combatant_id: str) -> tuple[Check, ...]:
        """The checks of any act in a combatant's own step: that it is able, that it is its turn, and no open question.

        An act that itself answers a question (`Choice.who`) is possible while that is open.
        """
        combatant, step = state.combatants[combatant_id], state.step
        own_questions = (
            prompt.kind for prompt in state.prompts if any(choice.who == combatant_id for choice in prompt.choices)
        )
        now = f"this is {step.title}" if step is not None else f"no {self.round_name} is running"
        due = tuple(state.combatants[each].name or each for each in self.waiting(state)) or ("advance",)
        return (
            Check(combatant.able, self.round_rule, f"{combatant.name} can't act", ("someone who can act",)),
            Check(
                step is not None and self.can_act(state, combatant, step),
                self.round_rule,
                f"{combatant.name} can't act yet: {now}",
                due,
                is_turn=True,
            ),
            Check(
                combatant_id not in state.agenda.acted,
                self.round_rule,
                f"{combatant.name} has already acted in this step",
                due,
            ),
            question_check(state, *own_questions),
        )

    def waive_checks(self, state: FightState, combatant: Combatant) -> tuple[Check, ...]:
        """The checks of waiving one's step: by default those of an act."""
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
            raise Refused(rule, "there are no combatants", ("join Ash",), final=True)
        self.lapse(decision, state.prompts)
        if decision.state.round != state.round or decision.state.status == "closed":
            # The answer to a question, such as whether to go on, has done it.
            return
        if state.status == "setup":
            decision.emit(self.round_events.opened(name=command.name or state.name))
        self.begin_round(decision)

    @handles(Advance)
    def advance(self, decision: Decision, command: Command) -> None:
        """Go on: blocking questions take their defaults; if there are none, the agenda moves."""
        blocking = tuple(prompt for prompt in decision.state.prompts if prompt.blocking)
        if blocking:
            self.lapse(decision, blocking)
        else:
            self.move_on(decision, command)

    @handles(Waive)
    def waive(self, decision: Decision, command: Waive) -> None:
        """Let the running step go by, for a combatant or all of a side."""
        state = decision.state
        if command.who:
            combatant = decision.combatant(command.who)
            decision.require(*self.waive_checks(state, combatant))
            decision.emit(Waived(who=combatant.id))
            return
        people = self.waivers(state)
        if not people:
            raise Refused(self.round_rule, "no one acts now", ("advance",), final=True)
        for combatant_id in people:
            if command.side in ("", state.combatants[combatant_id].side):
                decision.emit(Waived(who=combatant_id))

    @handles(Close)
    def close(self, decision: Decision, command: Close) -> None:
        """End the fight."""
        if decision.state.status == "setup":
            raise Refused(self.end_rule or self.round_rule, "the fight hasn't started", ("start",), final=True)
        decision.emit(self.round_events.closed(reason=command.reason or "ended"))

    # Going on

    def pass_time(self, decision: Decision, seconds: int) -> None:
        """Count down what lasts when the GM skips time: by default each effect, by the rounds that would have passed.

        What an effect does each turn is not done, because the GM decides what happens in that time. If a round has no
        length (`skipped_round_s`), only the clock moves.
        """
        length = self.skipped_round_s(decision.state)
        rounds = seconds // length if length else 0
        for combatant in decision.state.combatants.values() if rounds else ():
            lasting = (effect for effect in combatant.effects if effect.left is not None)
            decision.emit(*effects.count_down(decision.state, combatant, lasting, by=rounds))

    def waivers(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who waive the running step if nobody is named: by default all who are waited for."""
        return self.waiting(state)

    def lapse(self, decision: Decision, prompts: Iterable[Prompt]) -> None:
        """Answer open questions by their defaults, one after the other.

        A question that an earlier answer has closed is skipped.

        Raises:
            Refused: one of them has no default.
        """
        for prompt in prompts:
            if decision.state.prompt(prompt.id) is not None:
                decision.emit(record_default(prompt))
                self.answer(decision, prompt, Answer(prompt=prompt.id, choice=prompt.default))

    def move_on(self, decision: Decision, command: Command) -> None:
        """Move the agenda while nothing blocks: offers lapse, and the running step closes."""
        if decision.state.step is None:
            self.start(decision, Start())
        else:
            self.lapse(decision, decision.state.prompts)
            self.close_step(decision, BY_GM)

    def begin_round_or_ask(self, decision: Decision) -> None:
        """Begin the next round; if nobody is able, ask whether the fight is over, for rounds would go on forever."""
        if any(combatant.able for combatant in decision.state.combatants.values()):
            self.begin_round(decision)
        else:
            self.ask_whether_over(decision)

    def ask_whether_over(self, decision: Decision) -> None:
        """Ask the GM whether the fight is over, as nobody can act, or whether any will be able to again."""
        decision.spawn(self._end_if_over)

    def _end_if_over(self, decision: Decision) -> None:
        answer = decision.ask(
            prompt_for(
                None,
                kind=STALLED,
                question=self.stalled_question,
                rule=self.end_rule or self.round_rule,
                choices=choices("close:yes, end it", "stay:no, continue:n"),
                default="close",
            )
        )
        if answer is not None and answer.choice == "close":
            self.end_stalled(decision)

    def end_stalled(self, decision: Decision) -> None:
        """End what nobody can go on with: by default the fight."""
        self.close(decision, Close(reason="no one can act"))
