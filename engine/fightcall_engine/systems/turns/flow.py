"""Starting, stepping on and closing: the commands that move the agenda, what it does by itself, answers to prompts."""

from collections.abc import Callable, Mapping, Sequence

from fightcall_engine.kit.agenda import take_defaults
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import data_text, record_answer
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import deeds, newcomers, offering, order, rests, rounds, scenes, steps
from fightcall_engine.systems.turns import figures as fg

# Initiative


def initiative_checks(state: FightState, combatant_id: str) -> tuple[Check, ...]:
    """ST-12: once, when Initiative is asked for."""
    combatant = state.combatants.get(combatant_id)
    if any(newcomers.is_arrival(prompt, combatant_id) for prompt in state.prompts):
        return ()
    rolled = combatant is not None and fg.init_roll(combatant) is not None
    name = combatant.name if combatant is not None else ""
    return (
        Check(not rolled, "ST-12", f"{name} has rolled already", ("those without a result",)),
        fg.open_question(state, "arrival"),
    )


def decide_initiative(decision: Decision, command: tcm.Initiative) -> ev.Events:
    """Roll for one, or for all without a result; when all have one the order is set and Round 1 begins."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who) if command.who else None
    if command.die is not None:
        if combatant is None:
            raise Refused("who", "whose die is it?", tuple(state.combatants), final=True)
        dice = dice.fallen({f"initiative.{combatant.id}": (command.die,)})
    arrivals = [
        prompt
        for prompt in state.prompts
        if newcomers.is_arrival(prompt, combatant.id if combatant is not None else "")
    ]
    if arrivals:
        return _roll_arrivals(state, arrivals, dice)
    if state.step is None or state.step.kind != fg.ROLL:
        next_one = {"": ("open_scene",), fg.FREE: ("set_mode initiative",)}.get(fg.mode(state), ())
        raise Refused("ST-12", "no Initiative is asked for now", next_one, final=True)
    enforce(initiative_checks(state, combatant.id if combatant is not None else ""), referee)
    return rolled_by(state, (combatant.id,) if combatant is not None else fg.missing(state), dice)


def _roll_arrivals(state: FightState, arrivals: Sequence[Prompt], dice: Dice) -> ev.Events:
    """Q-T12: newcomers roll, one after the other, each put in where those before it left the order."""
    course = Decision(state)
    for prompt in arrivals:
        course.emit(record_answer(prompt, "roll", default=False))
        given = cm.Answer(prompt=prompt.id, choice="roll")
        course.emit(*newcomers.answer_arrival(course.state, prompt, given, dice))
    return course.events


def rolled_by(state: FightState, people: tuple[str, ...], dice: Dice) -> ev.Events:
    """ST-12..15: results, and with the last of them the order and the first round."""
    course = Decision(state)
    for combatant_id in people:
        course.emit(*order.roll_for(course.state, course.state.combatants[combatant_id], dice))
    if fg.missing(course.state) or not course.state.combatants:
        return course.events
    placed, ties = order.rank_combatants(course.state, dice)
    course.emit(*ties, ev.OrderSet(order=placed, reason="Initiative"), *fg.lapse_offers(course.state))
    if fg.able(course.state):
        course.emit(*rounds.begin_round(course.state, state.round + 1))
    else:
        course.emit(ev.RulingAsked(prompt=rounds.stalled_prompt()))
    return course.events


# Commands of every system


def decide_start(decision: Decision, command: cm.Start) -> ev.Events:
    """To the rounds: a Scene with Initiative where none is open, Initiative where it is in free order."""
    state, referee = decision.state, decision.referee
    mode = fg.mode(state)
    if not state.combatants:
        raise Refused("ST-12", "nobody is here to roll", ("join",), final=True)
    if mode == "":
        enforce(scenes.open_checks(state), referee)
        usual = str(state.settings.get("scene_mode", "ask"))
        return scenes.open_scene(state, command.name, fg.INITIATIVE if usual == "ask" else usual)
    if mode == fg.FREE:
        return scenes.decide_set_mode(decision, tcm.SetMode(mode=fg.INITIATIVE))
    if mode == fg.REST:
        raise Refused("ST-36", "they are resting", ("complete_rest", "interrupt"), final=True)
    if fg.in_rounds(state) and state.step is not None:
        raise Refused("ST-06", f"Round {state.round} is running; rounds follow each other", ("advance",), final=True)
    return decide_advance(decision, cm.Advance())


def decide_advance(decision: Decision, command: cm.Command) -> ev.Events:
    """The next step: questions that block take their defaults; else offers lapse and what waits goes its usual way."""
    state, dice = decision.state, decision.dice
    blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
    if blocking:
        return take_defaults(decision, blocking, answer)
    mode = fg.mode(state)
    if mode == "":
        return scenes.decide_open(decision, tcm.OpenScene())
    if mode == fg.REST:
        return rests.complete(state)
    if mode == fg.FREE:
        return (*fg.lapse_offers(state), *scenes.free_step(state))
    if state.step is None:
        return _next_round(state)
    if state.step.kind == fg.ROLL:
        return rolled_by(state, fg.missing(state), dice)
    combatant = fg.actor(state)
    if combatant is None:
        return ()
    if state.phase == fg.OFFER:
        return offering.take(state, combatant)
    return offering.decide_end_turn(decision, tcm.EndTurn(who=combatant.id))


def _next_round(state: FightState) -> ev.Events:
    """After a round in which nobody could act: on, if somebody can."""
    if fg.able(state):
        return (*fg.lapse_offers(state), *rounds.begin_round(state, state.round + 1))
    return (*fg.lapse_offers(state), ev.RulingAsked(prompt=rounds.stalled_prompt()))


def waive_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-10: in free order one may let one's chance go, once."""
    running = state.step is not None and state.step.kind == fg.FREE
    return (
        fg.open_question(state),
        Check(running, "ST-10", "this is not free order", ("set_mode free",)),
        Check(combatant.id not in state.agenda.waived, "ST-10", f"{combatant.name} has waived", ("take",)),
    )


def decide_waive(decision: Decision, command: cm.Waive) -> ev.Events:
    """To let one's chance go: in free order it counts as had, an offer is put off, a turn ends."""
    state, referee = decision.state, decision.referee
    step = state.step
    if step is None or step.kind not in (fg.FREE, fg.TURN):
        raise Refused("ST-10", "nothing is offered to anybody now", ("advance",), final=True)
    if step.kind == fg.FREE:
        if command.who:
            combatant = combatant_of(state, command.who)
            enforce(waive_checks(state, combatant), referee)
            return () if combatant.id in state.agenda.waived else (ev.Waived(who=combatant.id),)
        people = (state.combatants[combatant_id] for combatant_id in fg.waiting(state))
        return tuple(ev.Waived(who=combatant.id) for combatant in people if command.side in ("", combatant.side))
    combatant_id = command.who or step.actor
    if state.phase == fg.OFFER:
        return offering.decide_delay(decision, tcm.Delay(who=combatant_id))
    return offering.decide_end_turn(decision, tcm.EndTurn(who=combatant_id))


def decide_close(decision: Decision, command: cm.Close) -> ev.Events:
    """The whole fight is over, and with it the Scene that runs."""
    state = decision.state
    if state.status == "setup":
        raise Refused("ST-01", "no Scene has been opened", ("open_scene",), final=True)
    scene = scenes.end_scene(state, None, command.reason or "ended") if fg.scene_open(state) else ()
    return (*scene, ev.FightClosed(reason=command.reason or "ended"))


# By itself


def settle(state: FightState) -> ev.Events:
    """What happens by itself when all is quiet: steps open, and a turn's steps run until somebody is asked."""
    if state.status != "running" or state.blocked() or not state.agenda.steps:
        return ()
    first = state.agenda.steps[0]
    if state.agenda.cursor == -1:
        return rounds.open_next(state) if first.kind == fg.TURN else (ev.StepBegan(index=0, phase=first.phase),)
    return steps.settle(state) if first.kind == fg.TURN and state.step is not None else ()


# Answers

Answering = Callable[[Decision, Prompt, cm.Answer], ev.Events]


def decide_pay(decision: Decision, command: tcm.Pay | tcm.Decline) -> ev.Events:
    """ST-24, ST-25: answer the question for an upkeep."""
    state = decision.state
    choice = "pay" if isinstance(command, tcm.Pay) else "decline"
    combatant_id = combatant_of(state, command.who).id if command.who else ""
    for prompt in state.prompts:
        effect = fg.find_effect(state, data_text(prompt, "effect"))
        named = effect is not None and command.effect in ("", effect[1].id, effect[1].name)
        if prompt.kind == "upkeep" and named and combatant_id in ("", prompt.who):
            given = cm.Answer(prompt=prompt.id, choice=choice)
            return (record_answer(prompt, choice, default=False), *steps.answer_upkeep(state, prompt, given))
    raise Refused("ST-24", "no upkeep is asked for now", ("step 2 of the payer's turn",), final=True)


def _answer_stall(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    return scenes.closing(state, "", "nobody can act") if given.choice == "close" else ()


ANSWERS: Mapping[str, Answering] = {
    "mode": lambda decision, prompt, given: scenes.answer_mode(decision.state, prompt, given),
    "actions": lambda decision, prompt, given: scenes.answer_actions(decision.state, prompt, given),
    "left_out": lambda decision, prompt, given: scenes.answer_left_out(decision.state, prompt, given),
    "elapsed": lambda decision, prompt, given: scenes.answer_elapsed(decision.state, prompt, given),
    "step_in": lambda decision, prompt, given: offering.answer_step_in(decision.state, prompt, given),
    "together": lambda decision, prompt, given: offering.answer_together(decision.state, prompt, given),
    "last_offer": lambda decision, prompt, given: offering.answer_last(decision.state, prompt, given),
    "arrival": lambda decision, prompt, given: newcomers.answer_arrival(decision.state, prompt, given, decision.dice),
    "effect_order": lambda decision, prompt, given: steps.answer_effect_order(decision.state, prompt, given),
    "pulse": lambda decision, prompt, given: steps.answer_pulse(decision.state, prompt, given, decision.dice),
    "upkeep": lambda decision, prompt, given: steps.answer_upkeep(decision.state, prompt, given),
    "down_payer": lambda decision, prompt, given: steps.answer_down_payer(decision.state, prompt, given),
    "gone_payer": lambda decision, prompt, given: steps.answer_gone_payer(decision.state, prompt, given),
    "down": lambda decision, prompt, given: steps.answer_down(decision.state, prompt, given),
    "free_action": lambda decision, prompt, given: deeds.answer_free(prompt, given),
    "outcome": lambda decision, prompt, given: deeds.answer_outcome(decision.state, prompt, given, decision.dice),
    "damage": lambda decision, prompt, given: deeds.answer_damage(decision.state, prompt, given, decision.dice),
    "hp_per_resolve": lambda decision, prompt, given: rests.answer_each(decision.state, prompt, given, decision.dice),
    "broken": lambda decision, prompt, given: rests.answer_broken(decision.state, prompt, given),
    "stalled": _answer_stall,
}


def answer(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """What an answer causes, beside the record of it. A question about somebody who has left causes nothing."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    concerned = (prompt.who, *fg.ids_in(data_text(prompt, "about")))
    if any(combatant_id and combatant_id not in state.combatants for combatant_id in concerned):
        return ()
    asked = fold_all(state, (record_answer(prompt, given.choice, default=False),))
    return ANSWERS[prompt.kind](Decision(asked, dice, referee), prompt, given)
