"""The agenda of a round, the commands that move it, and the durations of effects, which count down by its clocks.

A clock is the round's, or that of a combatant: the bearer of the effect or its maker. A system says which clocks it
has, at which moments they tick (`AgendaRunner.clocks`), and whose clock runs (`AgendaRunner.keeps_time`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count

from fightcall_engine.kit.decision import Decision, prompts_by_kind, question_check, record_default, record_moot
from fightcall_engine.kit.handlers import HandlerTable, handles
from fightcall_engine.kit.views import Check, Referee, Words
from fightcall_engine.model import events
from fightcall_engine.model.commands import Advance, Answer, Close, Command, Leave, Start, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Effect, Ending, FightState, Prompt, Step
from fightcall_engine.model.values import frozen, replace

ROUND, OWN = "round", "own"
TIME_IS_UP = "time is up"
BEARER, MAKER = "bearer", "maker"
ROUND_END = "round_end"

BY_GM = "gm"
"""The reason given when something ends because the GM goes on."""
REST = ".rest"
"""Ends the id of a combatant's step that was interrupted and goes on."""
STALLED = "stalled"
"""The kind of the question whether a fight is over because nobody can act any more."""


@frozen
class RoundEvents:
    """A system's own classes for the events that begin and end a fight and its rounds."""

    opened: type[events.FightOpened] = events.FightOpened
    closed: type[events.FightClosed] = events.FightClosed
    began: type[events.RoundBegan] = events.RoundBegan
    ended: type[events.RoundEnded] = events.RoundEnded


@frozen
class StepEvents:
    """A system's own classes for the events of a step; None for none. ``UNSEEN`` hides a beginning from players."""

    began: type[events.StepBegan] = events.StepBegan
    ended: type[events.StepEnded] | None = events.StepEnded
    skipped: type[events.StepSkipped] | None = events.StepSkipped


USUAL_STEP = StepEvents()


def drop_steps_of(state: FightState, combatant_id: str) -> events.Events:
    """The change of the agenda when a combatant has left: their remaining steps are dropped."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    remaining = (*steps[: cursor + 1], *(step for step in steps[cursor + 1 :] if step.actor != combatant_id))
    return () if remaining == steps else (events.AgendaChanged(steps=remaining, cursor=cursor),)


class AgendaRunner(HandlerTable):
    """Runs the agenda of a system.

    A step begins, runs until it is over or the GM goes on, and ends; then the next step with something to do begins.
    The hooks ``on_...`` add what else happens; they may roll and ask. A system may also move the agenda itself, with
    `begin_round`, `close_step`, `close_phase` and `end_round`.

    Attributes:
        round_rule: the id of the rule on the order of rounds, named when a command comes out of order.
        round_seconds: the game time of a round; see `seconds_of_round`.
        round_events: the events that begin and end its fights and rounds.
        clocks: the moments at which effects count down (`Effect.ticks`): under ``round`` the round's, under ``own``
            those of each combatant, by ``start`` and ``end``, the usual one first. Those of combatants count by
            themselves (`turns_in`). One that is named as `substep` ticks when such a step is reached.
    """

    round_name: str = "Round"
    round_rule: str = "round"
    round_seconds: int = 0
    round_events: RoundEvents = RoundEvents()
    clocks: Mapping[str, Mapping[str, str]] = {"round": {"end": ROUND_END}}

    # What a system says

    def steps_of_round(self, decision: Decision) -> tuple[Step, ...]:
        """The steps of the next round. Mandatory. It may roll dice and emit events, such as for initiative."""
        raise NotImplementedError(f"{type(self).__name__}.steps_of_round")

    def step_events(self, step: Step) -> StepEvents:
        """The events that begin, end and skip a step."""
        return USUAL_STEP

    def is_instant(self, step: Step) -> bool:
        """True for a step in which nobody acts, such as an upkeep: it ends right after `on_step_begin`."""
        return False

    def seconds_of_round(self, state: FightState) -> int:
        """The game time of a round in seconds: by default `round_seconds`."""
        return self.round_seconds

    def skipped_round_s(self, state: FightState) -> int:
        """The seconds that count as one round when the GM skips time: by default those of a round."""
        return self.seconds_of_round(state)

    def on_round_begin(self, decision: Decision) -> None:
        """Hook: a round has begun, and its first step has not."""

    def on_phase_begin(self, decision: Decision, phase: str) -> None:
        """Hook: a phase is reached. Its steps may all be skipped yet."""

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """Hook: a step is reached. It may be skipped yet."""

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """Hook: a step has begun."""

    def on_step_end(self, decision: Decision, step: Step) -> None:
        """Hook: a step has ended, and the next one has not begun."""

    def on_phase_end(self, decision: Decision, phase: str, reason: str) -> None:
        """Hook: a phase is left. `reason` is why its last step ended, if it was running."""

    def on_round_end(self, decision: Decision) -> None:
        """Hook: a round's last step is over. By default, effects on the round's clock count down.

        So do those on the clock of a combatant who is down and has no turn in this round.
        """
        self.count_down(decision, ROUND_END)
        own_moments = self.clocks.get(OWN, {}).values()
        for bearer in decision.state.combatants.values():
            stopped = effects_on_stopped_clocks(decision.state, bearer, own_moments, self.keeps_time)
            decision.emit(*count_down(decision.state, bearer, stopped, standing_still=True))

    def turns_in(self, state: FightState, step: Step) -> tuple[str, ...]:
        """Return whose own clocks tick as a step begins and ends, or is skipped: by default its actor's."""
        return (step.actor,) if step.actor else ()

    def has_passed(self, state: FightState, combatant: Combatant, moment: str) -> bool:
        """Whether a moment of a combatant's own clock has been in this round; see `clocks`."""
        is_start = moment == self.clocks.get(OWN, {}).get("start")
        past = state.agenda.steps[: state.agenda.cursor + is_start]
        resumed = [step for step in state.agenda.steps if is_start and step.id.endswith(REST)]
        return any(combatant.id in self.turns_in(state, step) for step in (*past, *resumed))

    def keeps_time(self, state: FightState, combatant_id: str) -> bool:
        """Whether a combatant's own clock runs: by default while it is able, or has a turn in this round."""
        has_turn = any(combatant_id in self.turns_in(state, step) for step in state.agenda.steps)
        return OWN in self.clocks and (state.combatants[combatant_id].able or has_turn)

    def can_act(self, state: FightState, combatant: Combatant, step: Step) -> bool:
        """Whether a combatant can do something in a step, even one to come: by default its own, its side's or all's."""
        is_member = not step.members or combatant.id in step.members
        return combatant.able and is_member and step.actor in ("", combatant.id) and step.side in ("", combatant.side)

    def why_skipped(self, state: FightState, step: Step) -> str:
        """Why a step is skipped; empty if it is not. By default, if nobody can act in it."""
        if self.is_instant(step):
            return ""
        if any(self.can_act(state, combatant, step) for combatant in state.combatants.values()):
            return ""
        if step.actor:
            return "can't act" if step.actor in state.combatants else "has left"
        return "no one can act"

    def why_over(self, state: FightState, step: Step) -> str:
        """Why the running step ends by itself; empty while it does not. By default, when all have acted or waived."""
        return "" if self.waiting(state) else "everyone has acted or passed"

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who may act in the running step and have neither acted nor waived, in roster order."""
        step, agenda = state.step, state.agenda
        if step is None:
            return ()
        done = {*agenda.acted, *agenda.waived}
        return tuple(each.id for each in state.roster if each.id not in done and self.can_act(state, each, step))

    def is_secret(self, state: FightState) -> bool:
        """True if the running step carries out what was declared in secret, so that players see nothing of it."""
        return False

    def acting_side(self, state: FightState) -> str:
        """The side whose step it is; empty if it is nobody's."""
        return state.step.side if state.step is not None else ""

    # How it runs

    def begin_round(self, decision: Decision) -> None:
        """Begin the next round. Its first step opens later, by `settle_step`."""
        steps = self.steps_of_round(decision)
        decision.emit(self.round_events.began(number=decision.state.round + 1, steps=steps))
        self.on_round_begin(decision)

    def close_step(self, decision: Decision, reason: str) -> None:
        """End the running step and begin the next. The reason is `BY_GM`, that of `why_over`, or a system's word."""
        index = decision.state.agenda.cursor
        if self._end_step(decision, reason):
            self.open_step(decision, index + 1, reason)

    def interrupt(self, decision: Decision, step: Step, reason: str = "") -> None:
        """Insert a step into the running one, which is resumed after it for those who have not acted in it.

        The running step does not end. When it is resumed, it is reached and begun again, with its hooks; a combatant's
        own clock does not tick again.
        If the id of the new step is taken, it gets a number. `reason` is for the log; empty for no line.
        """
        agenda, running, waiting = decision.state.agenda, decision.state.step, self.waiting(decision.state)
        taken_ids = {other.id for other in agenda.steps}
        if step.id in taken_ids:
            numbered_ids = (f"{step.id}.{number}" for number in count(2))
            step = replace(step, id=next(each for each in numbered_ids if each not in taken_ids))
        past, to_come = agenda.steps[: agenda.cursor], agenda.steps[agenda.cursor + 1 :]
        if running is None or not waiting:
            steps = (*agenda.steps[: agenda.cursor + 1], step, *to_come)
            decision.emit(events.AgendaChanged(steps=steps, cursor=agenda.cursor, reason=reason))
            self.close_step(decision, reason)
            return
        rest_id = f"{running.id.removesuffix(REST)}{REST}"
        rest = replace(running, id=rest_id) if running.actor else replace(running, members=waiting)
        decision.emit(events.AgendaChanged(steps=(*past, step, rest, *to_come), cursor=agenda.cursor, reason=reason))
        self.open_step(decision, agenda.cursor)

    def close_phase(self, decision: Decision, reason: str) -> None:
        """End the running step, skip the rest of its phase for the same reason, and open the next phase."""
        phase, index, steps = decision.state.phase, decision.state.agenda.cursor, decision.state.agenda.steps
        if not self._end_step(decision, reason):
            return
        index += 1
        while index < len(steps) and steps[index].phase == phase:
            self.skip_step(decision, index, reason)
            index += 1
        self.open_step(decision, index, reason)

    def _end_step(self, decision: Decision, reason: str) -> bool:
        step, index = decision.state.step, decision.state.agenda.cursor
        if step is None:
            return False
        event_type = self.step_events(step).ended
        if event_type is not None:
            decision.emit(event_type(index=index, phase=step.phase, side=step.side, reason=reason))
        self._tick(decision, step, "end")
        self.on_step_end(decision, step)
        return True

    def _tick(self, decision: Decision, step: Step, at: str, *, standing_still: bool = False) -> None:
        """Count down the effects on the own clock of whose turn begins (``start``) or ends (``end``)."""
        moment = self.clocks.get(OWN, {}).get(at, "")
        if not moment or (at == "start" and step.id.endswith(REST)):
            return
        for owner in self.turns_in(decision.state, step):
            people = decision.state.combatants
            for bearer in [each for each in people.values() if each.effects] if owner in people else ():
                ticking = due(decision.state, bearer, moment, owner)
                decision.emit(*count_down(decision.state, bearer, ticking, standing_still=standing_still))

    def open_step(self, decision: Decision, index: int, reason: str = "") -> None:
        """Begin the first step from `index` that isn't skipped, or end the round; `reason` ended the step before."""
        place, phase = index, decision.state.phase
        # Each hook may rearrange the steps ahead, so they are read again after it.
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
        step = decision.state.agenda.steps[place]
        self.on_step_reached(decision, step)
        why = self.why_skipped(decision.state, step)
        if why:
            self.skip_step(decision, place, why)
            return True
        self.begin_step(decision, place)
        return self.is_instant(step) and self._end_step(decision, reason)

    def begin_step(self, decision: Decision, index: int) -> None:
        """Begin the step at an index of the agenda."""
        step = decision.state.agenda.steps[index]
        began = self.step_events(step).began(index=index, phase=step.phase, side=step.side)
        decision.emit(began, *self.step_facts(decision.state, step))
        self._tick(decision, step, "start")
        self.on_step_begin(decision, step)

    def step_facts(self, state: FightState, step: Step) -> tuple[events.FactChanged, ...]:
        """Hook: the facts that a step begins with. Players see nothing of a step in which only the hidden can act."""
        return ()

    def skip_step(self, decision: Decision, index: int, reason: str) -> None:
        """Skip the step at an index of the agenda."""
        step = decision.state.agenda.steps[index]
        event_type = self.step_events(step).skipped
        if event_type is not None:
            decision.emit(event_type(index=index, phase=step.phase, side=step.side, reason=reason))
        for at in ("start", "end"):
            self._tick(decision, step, at, standing_still=True)

    def end_round(self, decision: Decision) -> None:
        """End the round, and advance game time."""
        decision.emit(self.round_events.ended(number=decision.state.round))
        seconds = self.seconds_of_round(decision.state)
        if seconds:
            decision.emit(events.ClockAdvanced(seconds=seconds, total=decision.state.clock_s + seconds))
        self.on_round_end(decision)

    def count_down(
        self,
        decision: Decision,
        moment: str,
        *,
        tick_type: type[events.EffectTicked] = events.EffectTicked,
        end_type: type[events.EffectEnded] = events.EffectEnded,
        down_to_zero: bool = False,
    ) -> None:
        """Count down all effects that are due at a moment; see the function of this name."""
        for combatant in [each for each in decision.state.combatants.values() if each.effects]:
            ticking = due(decision.state, combatant, moment)
            ticks = count_down(
                decision.state, combatant, ticking, tick_type=tick_type, end_type=end_type, down_to_zero=down_to_zero
            )
            decision.emit(*ticks)

    def settle_step(self, decision: Decision) -> None:
        """Let the agenda move by itself once reactions are done: open the first step, or close one that is over."""
        state = decision.state
        stalled_prompts = prompts_by_kind(state.prompts).get(STALLED) if state.is_blocked() else None
        if stalled_prompts and any(combatant.able for combatant in state.combatants.values()):
            decision.emit(*record_moot(stalled_prompts, "someone can act again"))
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
        """Hook: the last step of a round is over. By default nothing happens until the GM goes on."""

    def run_step(self, decision: Decision, step: Step) -> None:
        """Let the running step move by itself once reactions are done: by default it closes when it is over."""
        reason = self.why_over(decision.state, step)
        if reason:
            self.close_step(decision, reason)


# The commands that make time pass, for any system


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
        """The checks of any act in one's own step: no open question but one the act answers, able, and its turn."""
        combatant, step = state.combatants[combatant_id], state.step
        own_questions = (
            prompt.kind for prompt in state.prompts if any(choice.who == combatant_id for choice in prompt.choices)
        )
        now = f"this is {step.title}" if step is not None else f"no {self.round_name} is running"
        rule, name, is_now = self.round_rule, combatant.name, step is not None and self.can_act(state, combatant, step)
        is_first = combatant_id not in state.agenda.acted
        # Many options ask, and only what is broken names others instead.
        waiting_ids = () if is_now and is_first else self.waiting(state)
        due = tuple(state.combatants[each].name or each for each in waiting_ids) or ("advance",)
        return (
            question_check(state, *own_questions),
            Check(combatant.able, rule, f"{name} can't act", ("someone who can act",)),
            Check(is_now, rule, f"{name} can't act yet: {now}", due, is_turn=True),
            Check(is_first, rule, f"{name} has already acted in this step", due),
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
            decision.emit(events.Waived(who=combatant.id))
            return
        people = self.waivers(state)
        if not people:
            raise Refused(self.round_rule, "no one acts now", ("advance",), final=True)
        for combatant_id in people:
            if command.side in ("", state.combatants[combatant_id].side):
                decision.emit(events.Waived(who=combatant_id))

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
            decision.emit(*count_down(decision.state, combatant, lasting, by=rounds))

    def waivers(self, state: FightState) -> tuple[str, ...]:
        """The ids of those who waive the running step if nobody is named: by default all who are waited for."""
        return self.waiting(state)

    def lapse(self, decision: Decision, prompts: Iterable[Prompt]) -> None:
        """Answer open questions by their defaults in turn; Refused if one has none. An answer may close later ones."""
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
            decision.spawn(self.ask_whether_over)

    def ask_whether_over(self, decision: Decision) -> None:
        """Ask the GM whether the fight is over, as nobody can act, or whether any will be able to again."""
        rule, answers = self.end_rule or self.round_rule, ("close:yes, end it", "stay:no, continue:n")
        answer = decision.ask_about(None, STALLED, rule, self.stalled_question, *answers, default="close")
        if answer.choice == "close":
            self.end_stalled(decision)

    def end_stalled(self, decision: Decision) -> None:
        """End what nobody can go on with: by default the fight."""
        self.close(decision, Close(reason="no one can act"))


def owner_of(state: FightState, bearer: Combatant, effect: Effect) -> str:
    """The combatant whose clock an effect follows: its owner, or the bearer if the owner has left."""
    return effect.clock if effect.clock in state.combatants else bearer.id


def due(state: FightState, bearer: Combatant, moment: str, owner: str = "") -> tuple[Effect, ...]:
    """The effects on a combatant that count down at a moment: of any clock, or only of `owner`'s."""
    effects = (each for each in bearer.effects if each.left is not None and each.ticks == moment)
    return tuple(each for each in effects if not owner or owner_of(state, bearer, each) == owner)


def effects_on_stopped_clocks(
    state: FightState, bearer: Combatant, moments: Iterable[str], keeps_time: Callable[[FightState, str], bool]
) -> tuple[Effect, ...]:
    """The effects at these moments whose owner's clock has stopped: they count at the round's end instead."""
    combatant_moments = frozenset(moments)
    effects = (each for each in bearer.effects if each.left is not None and each.ticks in combatant_moments)
    return tuple(each for each in effects if not keeps_time(state, owner_of(state, bearer, each)))


def count_down(
    state: FightState,
    bearer: Combatant,
    effects: Iterable[Effect],
    *,
    tick_type: type[events.EffectTicked] = events.EffectTicked,
    end_type: type[events.EffectEnded] = events.EffectEnded,
    down_to_zero: bool = False,
    standing_still: bool = False,
    by: int = 1,
) -> events.Events:
    """The events by which durations drop, and those that reach zero end, with what their end does to the bearer.

    Whoever plans on from there, such as the next round, must know already who has left and who is on which side.
    With `down_to_zero`, an end is told as a drop, too. `standing_still` says that they count although their clock has
    stopped.
    """
    new_events: list[events.Event] = []
    for effect in effects:
        left = max(0, (effect.left or by) - by)
        owner = state.combatants[owner_of(state, bearer, effect)]
        stands = "has no turn of their own" if owner.able else "is down"
        why = f"{owner.name or owner.id} {stands}" if standing_still else ""
        if left > 0 or down_to_zero:
            new_events.append(tick_type(who=bearer.id, effect=effect.id, name=effect.name, left=left, reason=why))
        if left <= 0:
            reason = f"{TIME_IS_UP}; {why}" if why else TIME_IS_UP
            ending = effect.ending or Ending()
            if ending.side not in ("", bearer.side):
                new_events.append(events.Renamed(who=bearer.id, name=bearer.name, side=ending.side))
            new_events.append(end_type(who=bearer.id, effect=effect.id, name=effect.name, reason=reason))
            if ending.leaves:
                # The reaction to the end lets the bearer leave by the system's own rules; this one then says nothing.
                new_events.append(events.LeftFight(who=bearer.id, reason=TIME_IS_UP))
                break
    return tuple(new_events)


# As they begin


def clock_for(
    system: AgendaRunner, state: FightState, bearer: Combatant, clock: str, ticks: str, by: str, referee: Referee
) -> tuple[str, str]:
    """The `Effect.ticks` and `Effect.clock` for a new effect.

    The clock is ``round``, ``bearer`` or ``maker``, the moment ``start`` or ``end``; empty for the usual one. `by` is
    the maker's id. The referee judges a clock that has stopped. Refused if the system has no such clock or moment, or
    nobody is named as the maker.
    """
    kind = OWN if clock in (BEARER, MAKER) else clock or ROUND
    moments = system.clocks.get(kind)
    if moments is None or kind not in (ROUND, OWN) or clock == OWN:
        raise Refused("clock", f"{system.title} has no clock {clock!r}", known_clocks(system), final=True)
    if ticks and ticks not in moments:
        message = f"{system.title} counts no effects at the {ticks!r} of the {clock or ROUND}'s clock"
        raise Refused("ticks", message, known_clocks(system), final=True)
    if clock == MAKER and not by:
        message = "whose clock? Name the combatant who caused the effect"
        raise Refused("by", message, tuple(state.combatants), final=True)
    moment = moments[ticks] if ticks else next(iter(moments.values()))
    if kind == ROUND:
        return moment, ROUND
    owner = by if clock == MAKER else bearer.id
    name = state.combatants[owner].name or owner
    referee.require(system.keeps_time(state, owner), "clock", f"{name} has no clock of their own now", ROUND)
    return moment, owner


def known_clocks(system: AgendaRunner) -> tuple[str, ...]:
    """The clocks of a system with their ticks: ``round (end)``, ``bearer (start, end)``."""
    names = {ROUND: (ROUND,), OWN: (BEARER, MAKER)}
    return tuple(f"{name} ({', '.join(moments)})" for kind, moments in system.clocks.items() for name in names[kind])


# As they end


def end_bearing(
    system: AgendaRunner, before: FightState, event: events.EffectEnded, state: FightState
) -> events.Events:
    """What the end of an effect does to its bearer, by `Effect.ending`. `state` includes the event."""
    if event.who not in state.combatants:
        return ()
    bearer = state.combatants[event.who]
    ended = next((each for each in before.combatants[event.who].effects if each.id == event.effect), None)
    if ended is None or ended.ending is None:
        return ()
    if ended.ending.leaves:
        return system.decide(Decision(state), Leave(who=bearer.id, reason=TIME_IS_UP))
    if ended.ending.side in ("", bearer.side):
        return ()
    return (events.Renamed(who=bearer.id, name=bearer.name, side=ended.ending.side),)


# When an owner leaves


def hand_over_effects(
    system: AgendaRunner, before: FightState, state: FightState, event: events.LeftFight
) -> events.Events:
    """Move effects on a leaver's clock to the round's, by which they last as long as they would have."""
    leaver = before.combatants.get(event.who)
    if leaver is None:
        return ()
    combatant_moments = frozenset(system.clocks.get(OWN, {}).values())
    return tuple(
        events.ClockChanged(
            who=bearer.id,
            effect=effect.id,
            name=effect.name,
            ticks=ROUND_END,
            clock=ROUND,
            # The end of this round is not to count where the moment has passed in it.
            left=(effect.left or 0) + system.has_passed(before, leaver, effect.ticks),
            reason="the combatant who caused it has left",
        )
        for bearer in state.combatants.values()
        for effect in bearer.effects
        if effect.left is not None and effect.clock == leaver.id and effect.ticks in combatant_moments
    )


def on_running_clocks(state: FightState, bearer: Combatant) -> tuple[Effect, ...]:
    """The effects of one who comes back, but for its departure; those of makers who have left by the round's clock."""
    known_clocks = {ROUND, bearer.id, *state.combatants}
    return tuple(
        effect if effect.clock in known_clocks else replace(effect, ticks=ROUND_END, clock=ROUND)
        for effect in bearer.effects
        if effect.ending is None or not effect.ending.leaves
    )


def clock_words(words: Words, state: FightState, bearer: Combatant, ticks: str, clock: str) -> str:
    """A tick in words: ``end of the Round``, ``start of Milli's turn``."""
    owner = state.combatants.get(clock, bearer)
    text = words.ticks.get(ticks, ticks.replace("_", " "))
    return text.replace("{who}", owner.name or owner.label)
