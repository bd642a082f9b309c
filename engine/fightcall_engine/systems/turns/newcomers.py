"""Who comes late and who leaves (Q-T12): the newcomer rolls and is put in, the round does not wait for a leaver."""

from fightcall_engine import events as ev
from fightcall_engine.basics import answered
from fightcall_engine.commands import Answer
from fightcall_engine.course import Course
from fightcall_engine.dice import Dice
from fightcall_engine.prompts import choices, data_text
from fightcall_engine.state import Combatant, FightState, Prompt
from fightcall_engine.systems.turns import effects, order, rounds
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg


def joined(state: FightState, one: Combatant) -> ev.Events:
    """A newcomer to a running fight: its effects begin, and under Initiative it is to roll."""
    began = effects.brought(one)
    if fg.mode(state) != fg.INITIATIVE:
        return began
    asked = tev.InitiativeAsked(who=one.id, before=fg.trait(one, "init_roll"), value=None)
    if not fg.in_rounds(state):
        return (*began, asked)
    none_yet = tev.TurnPassed(who=one.id, before=fg.text_trait(one, "turn"), cause="has no place yet")
    return (*began, asked, none_yet, ev.RulingAsked(prompt=_arrival_prompt(one)))


def _arrival_prompt(one: Combatant) -> Prompt:
    return Prompt(
        id="",
        kind="arrival",
        question=f"{one.name} comes late: d20 {fg.speed(one):+d}. When is its first turn?",
        rule="Q-T12",
        choices=choices("roll:by the roll", "now:in this round in any case", "later:in the next round"),
        default="roll",
        who=one.id,
        side=one.side,
        dice="d20",
        purpose="initiative",
    )


def answer_arrival(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """Q-T12: the newcomer rolls, and acts in this round if its place is still ahead, or as the GM says."""
    if isinstance(given.amount, int) and not isinstance(given.amount, bool):
        dice = Dice(state.seed, 0, {prompt.purpose: (given.amount,)})
    course = Course(state)
    course.tell(*order.roll_for(state, state.combatants[prompt.who], dice))
    placed, ties = order.place_for(course.state, prompt.who, dice)
    course.tell(*ties)
    if placed != course.state.order:
        before = course.state.order
        course.tell(tev.OrderChanged(order=placed, before=before, reason="comes late"))
    choice = "roll" if given.choice not in ("now", "later") else given.choice
    if not fg.in_rounds(course.state) or course.state.step is None or choice == "later":
        return course.events
    return (*course.events, *_into_round(course.state, prompt.who, by_roll=choice == "roll"))


def _into_round(state: FightState, who: str, by_roll: bool) -> ev.Events:
    """A place among those still to come: before the first whose place in the order is later."""
    whose = fg.actor(state)
    at = state.order.index(who)
    last = fg.is_last_offer(state)
    gone = last or (whose is not None and whose.id in state.order and at < state.order.index(whose.id))
    if gone and by_roll:
        return ()
    one = state.combatants[who]
    place = len(state.agenda.steps)
    if gone:
        place = rounds.block_end(state) + 1
    else:
        later = (start for start, other in rounds.ahead(state) if _comes_after(state, other, at))
        place = next(later, place)
    steps = state.agenda.steps
    added = (*steps[:place], *rounds.block(one, steps), *steps[place:])
    return (
        fg.set_trait(one, "turn", fg.WAITING),
        *rounds.rearranged(state, added, state.agenda.cursor, f"{one.name} comes late"),
    )


def _comes_after(state: FightState, other: str, place: int) -> bool:
    """True for a later place in the order, and for those who delay: their places are at the end."""
    if other not in state.combatants:
        return False
    delayed = fg.text_trait(state.combatants[other], "turn") == fg.DELAYED
    return delayed or state.order.index(other) > place


def left(state: FightState, gone: str) -> ev.Events:
    """The round does not wait for a leaver; questions about it are moot, and what only it kept up ends."""
    course = Course(state)
    about = [prompt for prompt in state.prompts if gone in data_text(prompt, "about").split()]
    course.tell(*fg.moot(about, "the one concerned has left"))
    for one in fg.in_order(state):
        for effect in one.effects:
            if effect.data.get("payer") == gone:
                reason = "nobody is left to pay for it"
                course.tell(ev.EffectEnded(who=one.id, effect=effect.id, name=effect.name, reason=reason))
    if any(step.actor == gone for step in state.agenda.steps):
        course.tell(*_struck_out(course.state, gone))
    return course.events


def _struck_out(state: FightState, gone: str) -> ev.Events:
    """The agenda without a leaver; where its own turn ran, play goes on from the one before."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    start = rounds.block_start(state)
    kept = tuple(step for step in steps if step.actor != gone)
    stale = tuple(prompt for prompt in state.prompts if prompt.kind in ("step_in", "last_offer"))
    if not kept:
        return (tev.SceneEnded(steps=(), cursor=-1, name=fg.text_fact(state, "scene"), reason="nobody is left"),)
    if start is not None and steps[start].actor == gone:
        before = sum(step.actor != gone for step in steps[:start])
        closed = tuple(answered(prompt, "moot", default=True) for prompt in stale)
        return (*closed, ev.AgendaChanged(steps=kept, cursor=before - 1, reason="left the fight"))
    before = sum(step.actor != gone for step in steps[:cursor])
    return (ev.AgendaChanged(steps=kept, cursor=before if cursor >= 0 else -1, reason="left the fight"),)
