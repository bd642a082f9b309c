"""Who comes late and who leaves (Q-T12): the newcomer rolls and is put in, the round does not wait for a leaver."""

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text, record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.turns import effects, order, rounds, steps
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg


def admit_newcomer(state: FightState, combatant: Combatant) -> ev.Events:
    """A newcomer to a running fight: its effects begin, and under Initiative it is to roll."""
    began = effects.begin_sheet_effects(combatant)
    if fg.mode(state) != fg.INITIATIVE:
        return began
    asked = tev.InitiativeAsked(who=combatant.id, before=fg.trait(combatant, "init_roll"), value=None)
    if not fg.in_rounds(state):
        return (*began, asked)
    return (*began, asked, _no_place(combatant), ev.RulingAsked(prompt=_arrival_prompt(combatant)))


def ask_initiative(state: FightState, combatant: Combatant) -> ev.Events:
    """ST-12: nobody waited for the roll of somebody who was down; who can act again is to roll now."""
    if fg.mode(state) != fg.INITIATIVE or fg.init_roll(combatant) is not None:
        return ()
    asked = tev.InitiativeAsked(who=combatant.id, before=None, value=None)
    if not fg.in_rounds(state):
        return (asked,)
    if fg.actor(state) is combatant or any(is_arrival(prompt, combatant.id) for prompt in state.prompts):
        return ()
    before = fg.text_trait(combatant, "turn")
    none_yet = () if before in fg.OVER else (_no_place(combatant),)
    return (asked, *none_yet, ev.RulingAsked(prompt=_arrival_prompt(combatant)))


def is_arrival(prompt: Prompt, combatant_id: str = "") -> bool:
    """True for the question when somebody, or this combatant, has a first turn."""
    return prompt.kind == "arrival" and combatant_id in ("", prompt.who)


def _no_place(combatant: Combatant) -> tev.TurnPassed:
    before = fg.text_trait(combatant, "turn")
    return tev.TurnPassed(who=combatant.id, before=before, cause="has no place yet")


def _arrival_prompt(combatant: Combatant) -> Prompt:
    return Prompt(
        id="",
        kind="arrival",
        question=f"{combatant.name} comes late: d20 {fg.speed(combatant):+d}. When is its first turn?",
        rule="Q-T12",
        choices=choices("roll:by the roll", "now:in this round in any case", "later:in the next round"),
        default="roll",
        who=combatant.id,
        side=combatant.side,
        dice="d20",
        purpose="initiative",
    )


def answer_arrival(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """Q-T12: the newcomer rolls, and acts in this round if its place is still ahead, or as the GM says."""
    if isinstance(given.amount, int) and not isinstance(given.amount, bool):
        dice = dice.fallen({f"{prompt.purpose}.{prompt.who}": (given.amount,)})
    course = Decision(state)
    course.emit(*order.roll_for(state, state.combatants[prompt.who], dice))
    placed, ties = order.place_for(course.state, prompt.who, dice)
    course.emit(*ties)
    if placed != course.state.order:
        before = course.state.order
        course.emit(tev.OrderChanged(order=placed, before=before, reason="comes late"))
    choice = "roll" if given.choice not in ("now", "later") else given.choice
    if not fg.in_rounds(course.state) or course.state.step is None or choice == "later":
        return course.events
    return (*course.events, *_into_round(course.state, prompt.who, by_roll=choice == "roll"))


def _into_round(state: FightState, combatant_id: str, by_roll: bool) -> ev.Events:
    """A place among those still to come: before the first whose place in the order is later."""
    whose = fg.actor(state)
    at = state.order.index(combatant_id)
    last = fg.is_last_offer(state)
    gone = last or (whose is not None and whose.id in state.order and at < state.order.index(whose.id))
    if gone and by_roll:
        return ()
    combatant = state.combatants[combatant_id]
    steps = rounds.without_ahead(state, (combatant_id,))
    place = len(steps)
    if gone:
        place = rounds.block_end(state) + 1
    else:
        cleared = replace(state, agenda=replace(state.agenda, steps=steps))
        later = (start for start, other in rounds.ahead(cleared) if _comes_after(state, other, at))
        place = next(later, place)
    added = (*steps[:place], *rounds.block(combatant, steps), *steps[place:])
    return (
        fg.set_trait(combatant, "turn", fg.WAITING),
        *rounds.rearrange_round(state, added, state.agenda.cursor, f"{combatant.name} comes late"),
    )


def _comes_after(state: FightState, other: str, place: int) -> bool:
    """True for a later place in the order, and for those who delay: their places are at the end."""
    if other not in state.combatants:
        return False
    delayed = fg.text_trait(state.combatants[other], "turn") == fg.DELAYED
    return delayed or state.order.index(other) > place


def settle_departure(state: FightState, gone: str) -> ev.Events:
    """The round does not wait for a leaver; questions about it are moot, and of what it kept up the GM is asked."""
    course = Decision(state)
    about = [prompt for prompt in state.prompts if _is_about_nobody_else(state, prompt, gone)]
    course.emit(*fg.moot(about, "the one concerned has left"))
    for combatant in fg.in_order(state):
        for effect in combatant.effects:
            if effect.data.get("payer") == gone and steps.upkeep(effect)[0]:
                course.emit(ev.RulingAsked(prompt=steps.gone_payer_prompt(combatant, effect)))
    standing = (combatant_id for combatant_id in fg.ids_in(fg.text_fact(state, "standing")) if combatant_id != gone)
    course.emit(*fg.set_fact(course.state, "standing", " ".join(standing)))
    if any(step.actor == gone for step in state.agenda.steps):
        course.emit(*_struck_out(course.state, gone))
    return course.events


def _is_about_nobody_else(state: FightState, prompt: Prompt, gone: str) -> bool:
    """True for a question about a leaver, or about several of whom nobody is left."""
    people = fg.ids_in(data_text(prompt, "people"))
    concerned = gone in people and not any(combatant_id in state.combatants for combatant_id in people)
    return concerned or gone in fg.ids_in(data_text(prompt, "about"))


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
        closed = tuple(record_answer(prompt, "moot", default=True) for prompt in stale)
        return (*closed, ev.AgendaChanged(steps=kept, cursor=before - 1, reason="left the fight"))
    before = sum(step.actor != gone for step in steps[:cursor])
    return (ev.AgendaChanged(steps=kept, cursor=before if cursor >= 0 else -1, reason="left the fight"),)
