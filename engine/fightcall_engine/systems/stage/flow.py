"""Starting, stepping on and closing: the commands that move the agenda (SB-07..09), and answers to prompts."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.agenda import take_defaults
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import record_default
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.stage import acts, meeting, moment, sneaking, strikes
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.settings import PHASE_NAMES


def decide_start(decision: Decision, command: cm.Start) -> ev.Events:
    """Begin the next Moment."""
    state = decision.state
    if state.step is not None:
        raise Refused("SB-07", f"Moment {state.round} is still running", ("advance",), final=True)
    caused: list[ev.Event] = []
    for prompt in state.prompts:
        caused.append(record_default(prompt))
    if not state.combatants:
        raise Refused("SB-05", "nobody is here to fight", ("join Ash",), final=True)
    return (*caused, *moment.start_moment(state))


def decide_advance(decision: Decision, command: cm.Command) -> ev.Events:
    """The next step: questions that block take their defaults, else offers lapse and the running half closes."""
    state = decision.state
    blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
    if blocking:
        return take_defaults(decision, blocking, answer)
    if state.step is None:
        return decide_start(decision, cm.Start())
    return (*take_defaults(decision, state.prompts, answer), *moment.close_step(state, "gm", "gm"))


def _until(state: FightState, name: str) -> str:
    """The phase meant by a name of either label set (SB-10), still to come in this Moment."""
    phase = PHASE_NAMES.get(name.strip().lower(), "")
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    still = tuple(dict.fromkeys(step.phase for step in ahead if step.phase != state.phase))
    if phase not in still:
        raise Refused("SB-10", f"{name!r} is no phase still to come", still, final=True)
    return phase


def decide_next_half(decision: Decision, command: scm.NextHalf) -> ev.Events:
    """Close the running half, or all before a phase."""
    state = decision.state
    if not command.until:
        return decide_advance(decision, command)
    phase = _until(state, command.until)
    goal = ev.FactChanged(fact="until", before="", value=phase)
    return (goal, *take_defaults(decision, state.prompts, answer))


def decide_next_phase(decision: Decision, command: scm.NextPhase) -> ev.Events:
    """On to the next phase, when both sides have had their opportunity in this one (SB-08)."""
    state, referee = decision.state, decision.referee
    step = state.step
    if step is None:
        return decide_advance(decision, command)
    for prompt in state.prompts:
        record_default(prompt)
    left = list(moment.waiting(state))
    for later in state.agenda.steps[state.agenda.cursor + 1 :]:
        if later.phase == step.phase and later.kind == "half" and not moment.idle_reason(state, later):
            left += [
                combatant.id
                for combatant in fg.side_able(state, later.side)
                if moment.may_act(state, combatant.id, step.phase)
            ]
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in left)
    referee.require(not left, "SB-08", f"still to act or waive: {names}", "waive", "next_half")
    phases = tuple(state.agenda.phases())
    place = phases.index(step.phase)
    if command.until:
        phase = _until(state, command.until)
    elif place + 1 < len(phases):
        phase = phases[place + 1]
    else:
        phase = moment.END
    goal = ev.FactChanged(fact="until", before="", value=phase)
    return (goal, *take_defaults(decision, state.prompts, answer))


def waive_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-08: an able figure lets its own side's half go by, once."""
    return (
        Check(combatant.able, "SB-37", f"{combatant.name} cannot act", ("an able figure",)),
        fg.half_check(state, combatant),
        Check(combatant.id not in state.agenda.waived, "SB-08", f"{combatant.name} has waived", ("the next half",)),
    )


def decide_waive(decision: Decision, command: cm.Waive) -> ev.Events:
    """A figure, or all of a side, let the running half go by."""
    state, referee = decision.state, decision.referee
    step = state.step
    if step is None or step.kind != "half":
        raise Refused("SB-08", "no half is running", ("start", "advance"), final=True)
    if command.who:
        combatant = combatant_of(state, command.who)
        enforce(waive_checks(state, combatant), referee)
        return (ev.Waived(who=combatant.id),)
    side = command.side or step.side
    referee.require(side == step.side, "SB-06", f"it is the {step.side}'s half", step.side)
    left = (combatant for combatant in fg.side_able(state, side) if combatant.id not in state.agenda.waived)
    return tuple(ev.Waived(who=combatant.id) for combatant in left)


def decide_close(decision: Decision, command: cm.Close) -> ev.Events:
    """Curtain: only the GM ends a scene (SB-09)."""
    state = decision.state
    if state.status == "setup":
        raise Refused("SB-09", "the scene has not begun", ("start",), final=True)
    return (sev.SceneEnded(reason=command.reason or "curtain"),)


# Answers

Answering = Callable[[Decision, Prompt, cm.Answer], ev.Events]


def _continue(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    if given.choice == "close":
        return (sev.SceneEnded(reason=given.note or "curtain"),)
    offers = tuple(other for other in state.prompts if other.id != prompt.id)
    return (*take_defaults(decision, offers, answer), *moment.start_moment(state))


def _sneak(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state, dice, referee = decision.state, decision.dice, decision.referee
    referee.require(given.modifier == 0, "SB-62", "nothing betters a sneak roll but Skullduggery", "modifier 0")
    if given.amount is not None:
        dice = _typed_die(state, prompt, given)
    caused = sneaking.answer_roll(state, prompt, given, dice)
    caught = any(isinstance(event, ev.Detected) for event in caused)
    if caught and prompt.data.get("context") == "creep":
        return (*caused, *moment.end_meeting(state))
    return caused


def _typed_die(state: FightState, prompt: Prompt, given: cm.Answer) -> Dice:
    """A number typed at a question for a die is what the die shows."""
    if not isinstance(given.amount, int) or given.choice == "no":
        raise Refused("dice", f"{given.amount!r} is no face of {prompt.dice}", ("a face, with a roll",), final=True)
    return Dice(state.seed, 0, {prompt.purpose: (given.amount,)})


def _answer_notice(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    return ()


def _passed_hidden(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    if given.choice != "yes":
        return ()
    return (ev.Detected(who=prompt.who, cause="walked into", noticed_by=str(prompt.data.get("mover", ""))),)


def _morale(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    if given.choice == "skip":
        return ()
    return (sev.MoraleChecked(side=prompt.side, passed=given.choice == "holds", note=given.note),)


def _stall(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    return (sev.StallUsed(who=prompt.who, gained=given.choice),)


def _price(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state, referee = decision.state, decision.referee
    if given.choice == "cancel" or given.amount is None:
        return ()
    if not isinstance(given.amount, int):
        raise Refused("SB-78", f"{given.amount!r} beats", ("a whole number",), final=True)
    hexes, to = prompt.data.get("hexes"), prompt.data.get("to")
    wanted = scm.Stunt(
        who=prompt.who,
        name=str(prompt.data.get("name")),
        to=state.board.parse(to) if state.board is not None and isinstance(to, str) else None,
        hexes=hexes if isinstance(hexes, int) else 0,
        meets=str(prompt.data.get("meets") or ""),
    )
    return acts.priced_stunt(state, wanted, given.amount, referee)


ANSWERS: Mapping[str, Answering] = {
    "continue": _continue,
    "sneak": _sneak,
    "noticed": _answer_notice,
    "passed_hidden": _passed_hidden,
    "morale": _morale,
    "stall": _stall,
    "price": _price,
    "talks": lambda decision, prompt, given: meeting.answer_talks(decision.state, given),
    "perception": lambda decision, prompt, given: meeting.answer_perception(decision.state, prompt, given),
    "foe_check": lambda decision, prompt, given: meeting.answer_perception(decision.state, prompt, given),
    "outcome": lambda decision, prompt, given: strikes.answer_outcome(decision.state, prompt, given, decision.dice),
    "damage": lambda decision, prompt, given: strikes.answer_damage(decision.state, prompt, given, decision.dice),
}


def answer(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """What an answer causes, beside the record of it."""
    return ANSWERS[prompt.kind](decision, prompt, given)
