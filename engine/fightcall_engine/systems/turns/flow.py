"""Starting, stepping on and closing: the commands that move the agenda, what it does by itself, answers to prompts."""

from collections.abc import Callable, Mapping, Sequence

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.course import Course
from fightcall_engine.kit.prompts import answered, data_text
from fightcall_engine.kit.referee import Referee
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


def initiative_checks(state: FightState, who: str) -> tuple[Check, ...]:
    """ST-12: once, when Initiative is asked for."""
    one = state.combatants.get(who)
    if any(newcomers.is_arrival(prompt, who) for prompt in state.prompts):
        return ()
    rolled = one is not None and fg.init_roll(one) is not None
    name = one.name if one is not None else ""
    return (
        Check(not rolled, "ST-12", f"{name} has rolled already", ("those without a result",)),
        fg.open_question(state, "arrival"),
    )


def decide_initiative(state: FightState, command: tcm.Initiative, dice: Dice, referee: Referee) -> ev.Events:
    """Roll for one, or for all without a result; when all have one the order is set and Round 1 begins."""
    one = combatant_of(state, command.who) if command.who else None
    if command.die is not None:
        if one is None:
            raise Refused("who", "whose die is it?", tuple(state.combatants), final=True)
        dice = dice.fallen({f"initiative.{one.id}": (command.die,)})
    arrivals = [prompt for prompt in state.prompts if newcomers.is_arrival(prompt, one.id if one is not None else "")]
    if arrivals:
        return _arrived(state, arrivals, dice)
    if state.step is None or state.step.kind != fg.ROLL:
        raise Refused("ST-12", "no Initiative is asked for now", ("set_mode initiative",), final=True)
    enforce(initiative_checks(state, one.id if one is not None else ""), referee)
    return rolled_by(state, (one.id,) if one is not None else fg.missing(state), dice)


def _arrived(state: FightState, arrivals: Sequence[Prompt], dice: Dice) -> ev.Events:
    """Q-T12: newcomers roll, one after the other, each put in where those before it left the order."""
    course = Course(state)
    for prompt in arrivals:
        course.tell(answered(prompt, "roll", default=False))
        given = cm.Answer(prompt=prompt.id, choice="roll")
        course.tell(*newcomers.answer_arrival(course.state, prompt, given, dice))
    return course.events


def rolled_by(state: FightState, people: tuple[str, ...], dice: Dice) -> ev.Events:
    """ST-12..15: results, and with the last of them the order and the first round."""
    course = Course(state)
    for who in people:
        course.tell(*order.roll_for(course.state, course.state.combatants[who], dice))
    if fg.missing(course.state) or not course.state.combatants:
        return course.events
    placed, ties = order.ranked(course.state, dice)
    course.tell(*ties, ev.OrderSet(order=placed, reason="Initiative"), *fg.lapsed(course.state))
    if fg.able(course.state):
        course.tell(*rounds.begin_round(course.state, state.round + 1))
    else:
        course.tell(ev.RulingAsked(prompt=rounds.stalled_prompt()))
    return course.events


# Commands of every system


def decide_start(state: FightState, command: cm.Start, dice: Dice, referee: Referee) -> ev.Events:
    """To the rounds: a Scene with Initiative where none is open, Initiative where it is in free order."""
    mode = fg.mode(state)
    if not state.combatants:
        raise Refused("ST-12", "nobody is here to roll", ("join",), final=True)
    if mode == "":
        enforce(scenes.open_checks(state), referee)
        usual = str(state.settings.get("scene_mode", "ask"))
        return scenes.open_scene(state, command.name, fg.INITIATIVE if usual == "ask" else usual)
    if mode == fg.FREE:
        return scenes.decide_set_mode(state, tcm.SetMode(mode=fg.INITIATIVE), dice, referee)
    if mode == fg.REST:
        raise Refused("ST-36", "they are resting", ("complete_rest", "interrupt"), final=True)
    if fg.in_rounds(state) and state.step is not None:
        raise Refused("ST-06", f"Round {state.round} is running; rounds follow each other", ("advance",), final=True)
    return decide_advance(state, cm.Advance(), dice, referee)


def lapse(state: FightState, prompts: tuple[Prompt, ...], dice: Dice, referee: Referee) -> ev.Events:
    """Open questions take their defaults, one after the other, each answered as those before it left things."""
    course = Course(state)
    for prompt in prompts:
        if course.state.prompt(prompt.id) is None:
            continue
        if not prompt.default:
            accepted = tuple(choice.id for choice in prompt.choices)
            more = (f"a number ({prompt.amount})",) if prompt.amount else ()
            raise Refused(prompt.rule, f"answer first: {prompt.question}", (*accepted, *more), final=True)
        course.tell(answered(prompt, prompt.default, default=True))
        given = cm.Answer(prompt=prompt.id, choice=prompt.default)
        course.tell(*answer(course.state, prompt, given, dice, referee))
    return course.events


def decide_advance(state: FightState, command: cm.Command, dice: Dice, referee: Referee) -> ev.Events:
    """The next step: questions that block take their defaults; else offers lapse and what waits goes its usual way."""
    blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
    if blocking:
        return lapse(state, blocking, dice, referee)
    mode = fg.mode(state)
    if mode == "":
        return scenes.decide_open(state, tcm.OpenScene(), dice, referee)
    if mode == fg.REST:
        return rests.complete(state)
    if mode == fg.FREE:
        return (*fg.lapsed(state), *scenes.free_step(state))
    if state.step is None:
        return _next_round(state)
    if state.step.kind == fg.ROLL:
        return rolled_by(state, fg.missing(state), dice)
    one = fg.actor(state)
    if one is None:
        return ()
    if state.phase == fg.OFFER:
        return offering.take(state, one)
    return offering.decide_end_turn(state, tcm.EndTurn(who=one.id), dice, referee)


def _next_round(state: FightState) -> ev.Events:
    """After a round in which nobody could act: on, if somebody can."""
    if fg.able(state):
        return (*fg.lapsed(state), *rounds.begin_round(state, state.round + 1))
    return (*fg.lapsed(state), ev.RulingAsked(prompt=rounds.stalled_prompt()))


def waive_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-10: in free order one may let one's chance go, once."""
    running = state.step is not None and state.step.kind == fg.FREE
    return (
        fg.open_question(state),
        Check(running, "ST-10", "this is not free order", ("set_mode free",)),
        Check(one.id not in state.agenda.waived, "ST-10", f"{one.name} has waived", ("take",)),
    )


def decide_waive(state: FightState, command: cm.Waive, dice: Dice, referee: Referee) -> ev.Events:
    """To let one's chance go: in free order it counts as had, an offer is put off, a turn ends."""
    step = state.step
    if step is None or step.kind not in (fg.FREE, fg.TURN):
        raise Refused("ST-10", "nothing is offered to anybody now", ("advance",), final=True)
    if step.kind == fg.FREE:
        if command.who:
            one = combatant_of(state, command.who)
            enforce(waive_checks(state, one), referee)
            return () if one.id in state.agenda.waived else (ev.Waived(who=one.id),)
        people = (state.combatants[who] for who in fg.waiting(state))
        return tuple(ev.Waived(who=one.id) for one in people if command.side in ("", one.side))
    who = command.who or step.actor
    if state.phase == fg.OFFER:
        return offering.decide_delay(state, tcm.Delay(who=who), dice, referee)
    return offering.decide_end_turn(state, tcm.EndTurn(who=who), dice, referee)


def decide_close(state: FightState, command: cm.Close, dice: Dice, referee: Referee) -> ev.Events:
    """The whole fight is over, and with it the Scene that runs."""
    if state.status == "setup":
        raise Refused("ST-01", "no Scene has been opened", ("open_scene",), final=True)
    scene = scenes.ended(state, None, command.reason or "ended") if fg.scene_open(state) else ()
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

Answering = Callable[[FightState, Prompt, cm.Answer, Dice, Referee], ev.Events]


def decide_pay(state: FightState, command: tcm.Pay | tcm.Decline, dice: Dice, referee: Referee) -> ev.Events:
    """ST-24, ST-25: answer the question for an upkeep."""
    choice = "pay" if isinstance(command, tcm.Pay) else "decline"
    who = combatant_of(state, command.who).id if command.who else ""
    for prompt in state.prompts:
        effect = fg.find_effect(state, data_text(prompt, "effect"))
        named = effect is not None and command.effect in ("", effect[1].id, effect[1].name)
        if prompt.kind == "upkeep" and named and who in ("", prompt.who):
            given = cm.Answer(prompt=prompt.id, choice=choice)
            return (answered(prompt, choice, default=False), *steps.answer_upkeep(state, prompt, given))
    raise Refused("ST-24", "no upkeep is asked for now", ("step 2 of the payer's turn",), final=True)


def _stalled(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    return scenes.closing(state, "", "nobody can act") if given.choice == "close" else ()


ANSWERS: Mapping[str, Answering] = {
    "mode": lambda state, prompt, given, dice, referee: scenes.answer_mode(state, prompt, given),
    "actions": lambda state, prompt, given, dice, referee: scenes.answer_actions(state, prompt, given),
    "left_out": lambda state, prompt, given, dice, referee: scenes.answer_left_out(state, prompt, given),
    "elapsed": lambda state, prompt, given, dice, referee: scenes.answer_elapsed(state, prompt, given),
    "step_in": lambda state, prompt, given, dice, referee: offering.answer_step_in(state, prompt, given),
    "together": lambda state, prompt, given, dice, referee: offering.answer_together(state, prompt, given),
    "last_offer": lambda state, prompt, given, dice, referee: offering.answer_last(state, prompt, given),
    "arrival": lambda state, prompt, given, dice, referee: newcomers.answer_arrival(state, prompt, given, dice),
    "effect_order": lambda state, prompt, given, dice, referee: steps.answer_effect_order(state, prompt, given),
    "pulse": lambda state, prompt, given, dice, referee: steps.answer_pulse(state, prompt, given, dice),
    "upkeep": lambda state, prompt, given, dice, referee: steps.answer_upkeep(state, prompt, given),
    "down_payer": lambda state, prompt, given, dice, referee: steps.answer_down_payer(state, prompt, given),
    "gone_payer": lambda state, prompt, given, dice, referee: steps.answer_gone_payer(state, prompt, given),
    "down": lambda state, prompt, given, dice, referee: steps.answer_down(state, prompt, given),
    "free_action": lambda state, prompt, given, dice, referee: deeds.answer_free(prompt, given),
    "outcome": lambda state, prompt, given, dice, referee: deeds.answer_outcome(state, prompt, given, dice),
    "damage": lambda state, prompt, given, dice, referee: deeds.answer_damage(state, prompt, given, dice),
    "hp_per_resolve": lambda state, prompt, given, dice, referee: rests.answer_each(state, prompt, given, dice),
    "broken": lambda state, prompt, given, dice, referee: rests.answer_broken(state, prompt, given),
    "stalled": _stalled,
}


def answer(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """What an answer causes, beside the record of it. A question about somebody who has left causes nothing."""
    concerned = (prompt.who, *fg.ids_in(data_text(prompt, "about")))
    if any(who and who not in state.combatants for who in concerned):
        return ()
    asked = fold_all(state, (answered(prompt, given.choice, default=False),))
    return ANSWERS[prompt.kind](asked, prompt, given, dice, referee)
