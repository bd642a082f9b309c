"""The next call: the command that goes on with the fight, and what it will do in words.

The words come from deciding the very command that would be given, so that announcement and outcome cannot differ.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING

from fightcall_engine.kit import phrases
from fightcall_engine.kit.phrases import join_tallies, list_names
from fightcall_engine.model.commands import Advance, Answer, Command
from fightcall_engine.model.dice import Dice, bare_dice, subject_of
from fightcall_engine.model.errors import FightCallError, NeedsDice, RollNeeded
from fightcall_engine.model.events import FightOpened, RoundBegan, RoundEnded, RulingRecorded, StepBegan, StepSkipped
from fightcall_engine.model.state import CUE, FightState, Prompt, Step
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.decide import decide

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option, Phrase
    from fightcall_engine.model.events import Event

SHOWN_PHRASES = 2
STEPS_AHEAD = 3
"""How often `why_not_now` goes on in search of a step: before the fight, the steps of a round are not known yet."""
_OPENS = (StepBegan, StepSkipped, RoundBegan, FightOpened)  # later events do not belong to what ends


@frozen
class Sequel:
    """Where the fight stands after a command: `then` is the step, or who can act; `asks` the question, if any."""

    then: str = ""
    asks: str = ""

    @property
    def alone(self) -> str:
        """The words for it if they are shown alone."""
        return self.asks or self.then

    @property
    def words(self) -> str:
        """The words for it after those of the command."""
        return f". Next: {self.alone}" if self.alone else ""


NO_SEQUEL = Sequel()


@frozen
class Call:
    """The next call: it answers a question or advances the agenda, never both.

    Attributes:
        does: what it does, in a few words; without a command, why it does nothing.
        command: the command; None if there is nothing to do, or the GM has to answer first.
        loses: what it would lose that matters to the players; empty for nothing.
        prompt: the id of the question it answers; empty if it advances.
        rolls: whether the command rolls dice.
        after: the state after the command is given once; None if it rolls dice or cannot be done.
        ahead: the state after it, if it only closes a combatant's step, and nobody passes and nothing is lost, rolled
            or asked; else None.
        also: the ids of questions of the same kind that take their defaults with it, by one command each.
        sequel: where the fight stands after it.
        brief: `does` with numbers instead of names, if there is little room; empty for the same words.
        idle: the state after it, if the running step is a part of a phase, such as a Pulse, in which nothing happens.
        repeats: how often the command is given.
    """

    does: str
    command: Command | None = None
    loses: str = ""
    prompt: str = ""
    rolls: bool = False
    after: FightState | None = None
    ahead: FightState | None = None
    also: tuple[str, ...] = ()
    sequel: Sequel = NO_SEQUEL
    brief: str = ""
    idle: FightState | None = None
    repeats: int = 1

    @property
    def words(self) -> str:
        """What it does, and where the fight stands after it: ``Brand and Paul pass. Next: Missile, Foe``."""
        return f"{self.does}{self.sequel.words}"


def next_call(system: BaseSystem, state: FightState, dice: Dice, *, in_words: bool = True) -> Call:
    """The next call in any system.

    An open question takes its default, blocking ones first. Otherwise the running step closes, and those who have not
    acted in it pass. Remarks need no answer. The results of the dice are not revealed.
    Without `in_words`, for what it does in words, it is faster.
    """
    prompt = state.asked_first
    if prompt is not None and not prompt.is_remark:
        return _answer(system, state, prompt, dice)
    if state.status == "closed":
        return Call("the fight is over")
    return _advance(system, state, dice, in_words=in_words)


# Answering


def _answer(system: BaseSystem, state: FightState, prompt: Prompt, dice: Dice) -> Call:
    if not prompt.default:
        return Call("this question needs an answer", prompt=prompt.id)
    words = next((choice.label for choice in prompt.choices if choice.id == prompt.default), prompt.default)
    words = words.replace("_", " ")
    command = Answer(prompt=prompt.id)
    try:
        outcome = decide(system, state, command, dice)
    except NeedsDice as need:
        return Call(f"type the {bare_dice(need.rolls[0].dice)}", prompt=prompt.id, rolls=bool(dice.thrown))
    except FightCallError:
        # Missing rolls are asked for when the command is given.
        outcome = None
    after = None if outcome is None or dice.thrown else outcome[1][-1] if outcome[1] else state
    # Questions of cues share a kind, but have nothing else in common.
    similar = [
        other.id for other in state.prompts if other.kind == prompt.kind != CUE and other.blocking and other.default
    ]
    also = tuple(other for other in similar if prompt.blocking and other != prompt.id)
    call = Call(words, command, prompt=prompt.id, rolls=bool(dice.thrown), after=after)
    if also:
        return replace(call, does=f"{words}, and the same for {len(also)} more", also=also)
    if outcome is None:
        return call
    events, states = outcome
    sequel = NO_SEQUEL if after is None else _sequel(system, state, after, events)
    full, brief = _loss(system, events, (state, *states))
    return replace(call, loses=full, sequel=sequel, brief=f"{words} ({brief})" if brief != full else "")


# Advancing


def _advance(system: BaseSystem, state: FightState, dice: Dice, *, in_words: bool) -> Call:
    command = Advance()
    try:
        events, states = decide(system, state, command, dice)
    except NeedsDice as need:
        return Call(f"needs a roll: {_thrown_words(need.rolls)}", command, rolls=bool(dice.thrown))
    except FightCallError as no:
        return Call(str(no), rolls=bool(dice.thrown))
    befores = (state, *states)
    after = befores[-1]
    if dice.thrown:
        roll = f"roll {_thrown_words(dice.thrown)}"
        actor = state.combatants.get(state.step.actor) if state.step is not None else None
        if actor is not None and actor.id in _passing_ids(system, state, after):
            roll = f"end {actor.name}'s turn; {roll}"
        return Call(roll, command, rolls=True)
    unasked_advance = _advance_unasked(system, state, after, dice)
    if unasked_advance is not None:
        command = Advance(force=True)
        events, befores = unasked_advance
        after = befores[-1]
    passing, (loss, _) = _passing_ids(system, state, after), _loss(system, events, befores)
    step = None if loss or passing or after.questions else state.step
    ahead = after if step is not None and step.actor else None
    is_part = step is not None and step.kind == system.substep
    if not (in_words or is_part):
        return Call("", command, loss, after=after, ahead=ahead)
    remarks = {prompt.id for prompt in state.prompts if prompt.is_remark}
    # The first line of the story before another combatant's step begins, without headings and questions.
    pairs = list(zip(events, befores, strict=False))
    own = list(takewhile(lambda pair: not _opens_another_step(state, pair[0]), pairs))
    # A loss at the beginning of the next step is said, too, before where the fight then stands.
    own += [pair for pair in pairs[len(own) :] if system.loses(pair[0])]
    told_events = (pair for pair in own if not (isinstance(pair[0], RulingRecorded) and pair[0].prompt in remarks))
    sentences = [
        (phrase.words, phrase.tally)
        for phrase in _phrases(system, told_events)
        if phrase.tone not in ("heading", "ruling", "dice")
    ]
    both = (join_tallies(sentences, is_brief=is_brief) for is_brief in (False, True))
    sentence, brief = ("; ".join(lines[:SHOWN_PHRASES]) for lines in both)
    names = [state.combatants[combatant_id].name for combatant_id in passing]
    is_told = any(name in sentence for name in names)
    full_sentence = sentence if is_told else _pass_words(names, sentence)
    brief = brief if is_told else _pass_words(names, brief, most=1)
    sequel = _sequel(system, state, after, events)
    brief = brief if brief != full_sentence else ""
    is_idle = not full_sentence
    if is_idle:
        full_sentence, sequel = sequel.alone or "continue", NO_SEQUEL
    idle = after if is_idle and is_part else None
    words = full_sentence.rstrip(".")
    return Call(words, command, loss, after=after, ahead=ahead, sequel=sequel, brief=brief, idle=idle)


def pass_idle_steps(system: BaseSystem, call: Call, dice: Dice) -> Call:
    """A call through all the parts of a phase in which nothing happens, such as Pulses in which nobody moves."""
    count, last = 1, call
    while last.idle is not None and last.idle.step is not None and last.idle.step.kind == system.substep:
        following = next_call(system, last.idle, dice)
        if following.idle is None:
            break
        count, last = count + 1, following
    if count == 1:
        return call
    return Call(f"no one acts until {last.does}", call.command, after=call.after, repeats=count)


def _advance_unasked(
    system: BaseSystem, before: FightState, asking: FightState, dice: Dice
) -> tuple[tuple[Event, ...], tuple[FightState, ...]] | None:
    """The next call with force, if without it there is only a question whether to lose something.

    The call says what is lost anyway, so the question would only repeat it.
    """
    questions = {(prompt.kind, prompt.who) for prompt in _new_prompts(before, asking) if not prompt.blocking}
    if not questions:
        return None
    try:
        events, states = decide(system, before, Advance(force=True), dice)
    except FightCallError:
        return None
    befores = (before, *states)
    is_settled = not questions & {(prompt.kind, prompt.who) for prompt in befores[-1].prompts}
    return (events, befores) if is_settled and _loss(system, events, befores)[0] else None


def _passing_ids(system: BaseSystem, before: FightState, after: FightState) -> tuple[str, ...]:
    """The ids of combatants who could still act in the running step, and pass because it closes."""
    if before.step is None or (before.round, before.step.id) == (after.round, after.step.id if after.step else ""):
        return ()
    same_turn = after.step is not None and before.step.actor and after.step.actor == before.step.actor
    return () if same_turn else system.waiting(before)


def _pass_words(names: Sequence[str], reason: str, most: int = phrases.SHOWN_NAMES) -> str:
    if not names:
        return reason
    if len(names) > most:
        # The roster marks them, so a number will do where there is little room.
        passes = "both pass" if len(names) == 2 else "everyone passes"
    else:
        passes = f"{list_names(names)} {'passes' if len(names) == 1 else 'pass'}"
    return f"{reason.rstrip('.')}; {passes}" if reason else passes[:1].upper() + passes[1:]


def _new_prompts(before: FightState, after: FightState) -> list[Prompt]:
    return [prompt for prompt in after.prompts if before.prompt(prompt.id) is None]


def _sequel(system: BaseSystem, before: FightState, after: FightState, events: Sequence[Event]) -> Sequel:
    """Where the fight stands in a state: what is asked, whose step runs, or who can still act in this one."""
    prompts = [prompt for prompt in _new_prompts(before, after) if not prompt.is_remark]
    if after.status == "closed" and before.status != "closed":
        return Sequel("the fight ends")
    if prompts:
        return _question_sequel(prompts[0])
    if after.step is None:
        # A step outside rounds, such as a rest, ends no round.
        is_over = any(isinstance(event, RoundEnded) for event in events)
        return Sequel(f"{system.words(after.settings).round} {after.round} ends") if is_over else NO_SEQUEL
    here = (before.round, before.step.id if before.step else "")
    if here != (after.round, after.step.id):
        begins = after.round not in (0, before.round)
        heading = f"{system.words(after.settings).round} {after.round}: " if begins else ""
        return Sequel(heading + step_words(system, after, after.step))
    remarks = _new_prompts(before, after)
    if remarks:
        return _question_sequel(remarks[0])
    names = [after.combatants[combatant_id].name for combatant_id in system.waiting(after)]
    can_act = names and before.prompts and not after.prompts
    return Sequel(f"{list_names(names)} can still act") if can_act else NO_SEQUEL


def _question_sequel(prompt: Prompt) -> Sequel:
    if prompt.is_remark:
        return Sequel(f"warning: {prompt.question}")
    return Sequel(asks=phrases.question_alone(prompt.question))


def step_words(system: BaseSystem, state: FightState, step: Step) -> str:
    """A step of the agenda in a few words: ``Move of the Foe``, ``Alys declares``, ``Initiative``."""
    words = system.words(state.settings)
    combatant = state.combatants.get(step.actor)
    if combatant is not None:
        return f"{combatant.name} {step.title}" if step.title[:1].islower() else f"{combatant.name}'s turn"
    phase = words.phases.get(step.phase) or step.title or step.phase.title()
    if step.side:
        return f"{phase}, {words.sides.get(step.side, step.side.title())}"
    return step.title or phase


def step_name(system: BaseSystem, state: FightState, step: Step) -> str:
    """A step as a noun: ``Alys's Declaration``; otherwise as in `step_words`."""
    phase = system.words(state.settings).phases.get(step.phase)
    is_deed = step.actor in state.combatants and step.title[:1].islower()
    if not (phase and is_deed):
        return step_words(system, state, step)
    return f"{state.combatants[step.actor].name}'s {phase}"


# What the events say


def _opens_another_step(state: FightState, event: Event) -> bool:
    """Whether an event begins something new, and does not belong to the end of the running turn."""
    steps, running = state.agenda.steps, state.step
    if isinstance(event, StepBegan) and running is not None and running.actor and event.index < len(steps):
        return steps[event.index].actor != running.actor
    return isinstance(event, _OPENS)


def _loss(system: BaseSystem, events: Sequence[Event], befores: Sequence[FightState]) -> tuple[str, str]:
    """What is lost, with names and with numbers instead."""
    lost = ((event, before) for event, before in zip(events, befores, strict=False) if system.loses(event))
    sentences = [(phrase.words, phrase.tally) for phrase in _phrases(system, lost)]
    full, brief = (dict.fromkeys(join_tallies(sentences, is_brief=is_brief)) for is_brief in (False, True))
    return "; ".join(full), "; ".join(brief)


def _phrases(system: BaseSystem, told_events: Iterable[tuple[Event, FightState]]) -> Iterator[Phrase]:
    found_phrases = (phrases.phrase(system, event, before) for event, before in told_events)
    return (phrase for phrase in found_phrases if phrase is not None)


def _thrown_words(rolls: Sequence[RollNeeded]) -> str:
    """The first rolls by their purpose: ``initiative (7 × d20)``. Later ones would reveal the results."""
    kinds = [(subject_of(roll.purpose).replace("_", " "), roll.dice) for roll in rolls]
    purpose, dice = kinds[0]
    count = kinds.count(kinds[0])
    return f"{purpose} ({f'{count} × ' if count > 1 else ''}{dice})"


# Why a key can do nothing


def why_not_now(system: BaseSystem, state: FightState, combatant_id: str, actions: Sequence[str]) -> str:
    """In which step of the round an option is offered, of those with these `actions`; empty if in none, or now."""
    here = state.step
    if combatant_id not in state.combatants or not actions:
        return ""
    steps = (_step_of(system, at, combatant_id, actions) for at in _states_ahead(system, state))
    step_option = next(filter(None, steps), None)
    if step_option is None:
        return ""
    step, option = step_option
    names = system.words(state.settings).phases
    belongs = names.get(step.phase) or step.title
    when = f"only in {belongs}"
    now = "the fight hasn't started" if state.status == "setup" else "no one acts now"
    if here is not None:
        running = names.get(here.phase) or here.title
        # Name a step of the same kind by its actor or side.
        if belongs == running:
            when, running = f"only in {step_words(system, state, step)}", step_words(system, state, here)
        elif step.actor == here.actor == combatant_id:
            when = f"later in {state.combatants[combatant_id].name}'s turn, in {belongs}"
        now = f"this is {running}"
    rule = system.rule_words(system.phase_rule or option.rule)
    return f"{option.label}: {when}; {now}{f' ({rule})' if rule else ''}"


def _states_ahead(system: BaseSystem, state: FightState) -> Iterator[FightState]:
    """The state, and the following ones as far as they do not depend on dice."""
    yield state
    dice = Dice(state.seed, 0)
    with suppress(FightCallError):
        for _ in range(STEPS_AHEAD):
            _, states = decide(system, state, Advance(), dice)
            state = states[-1] if states else state
            yield state


def _step_of(
    system: BaseSystem, state: FightState, combatant_id: str, actions: Sequence[str]
) -> tuple[Step, Option] | None:
    side = state.combatants[combatant_id].side
    seen: set[tuple[str, str]] = set()
    offers: list[tuple[int, Step, Option]] = []
    for place, step in enumerate(state.agenda.steps):
        kind = (step.phase, step.kind)
        if kind not in seen and step.side in ("", side) and step.actor in ("", combatant_id):
            seen.add(kind)
            state_there = replace(state, agenda=replace(state.agenda, cursor=place, acted=(), waived=()), prompts=())
            # If several steps list it, prefer one that does not itself forbid it.
            offers += [
                (0 if option.legal else 2 if option.rule == system.phase_rule else 1, step, option)
                for option in system.options(state_there, combatant_id)
                if option.action in actions
            ]
    nearest = min(offers, key=lambda each: each[0], default=None)
    return nearest[1:] if nearest is not None else None
