"""Offers (ST-13, ST-17..21): taking a turn, delaying it, stepping in, letting it go; and ending it (ST-04)."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text, record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import order, rounds, steps


def round_check(state: FightState) -> Check:
    """ST-12: turns in an order belong to Initiative, once it is rolled."""
    now = {
        "": ("no Scene is open", "open_scene"),
        fg.FREE: ("this Scene is in free order", "set_mode initiative"),
        fg.REST: ("they are resting", "complete_rest"),
    }
    why, instead = now.get(fg.mode(state), ("Initiative is not rolled yet", "initiative"))
    return Check(fg.in_rounds(state) and state.step is not None, "ST-12", why, (instead,))


def able_check(combatant: Combatant, rule: str) -> Check:
    """Nobody acts who is down."""
    return Check(combatant.able, rule, f"{combatant.name} cannot act", ("somebody who can",))


def _need_round(state: FightState) -> None:
    """Without a running round there is nothing that even a ruling could put off or bring forward."""
    check = round_check(state)
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)


def offer_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-13: one's own place must have come, and nobody's turn run."""
    whose = fg.actor(state)
    name = whose.name if whose is not None else "nobody"
    begun = state.phase != fg.OFFER
    mine = whose is not None and whose.id == combatant.id
    return (
        round_check(state),
        able_check(combatant, "ST-13"),
        Check(not begun or not mine, "ST-22", f"{combatant.name}'s turn has begun", ("end_turn",)),
        Check(not begun, "ST-13", f"{name}'s turn is running", ("the next offer",)),
        Check(mine, "ST-13", f"it is {name}'s place", (whose.id,) if whose is not None else ()),
        fg.open_question(state, "last_offer"),
    )


def take_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-09, ST-13: in free order at any time, else when one's place has come."""
    if fg.mode(state) == fg.FREE:
        return (able_check(combatant, "ST-09"), fg.open_question(state))
    return offer_checks(state, combatant)


def decide_take(decision: Decision, command: tcm.Take) -> ev.Events:
    """Take the turn that is offered; in free order, have a turn."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if fg.mode(state) != fg.FREE:
        _need_round(state)
    enforce(take_checks(state, combatant), referee)
    if fg.mode(state) == fg.FREE:
        return (tev.TurnTaken(who=combatant.id),)
    if not fg.is_offered(state, combatant.id):
        return _brought_forward(state, (combatant.id,), "the GM's word")
    return take(state, combatant)


def take(state: FightState, combatant: Combatant) -> ev.Events:
    """The offered turn begins; a delayer's at the end of the round takes the last place with it (ST-21)."""
    course = Decision(state)
    course.emit(*_close_offer(state, "act"))
    if fg.text_trait(combatant, "turn") == fg.DELAYED:
        course.emit(*order.change_order(course.state, order.put_last(course.state, combatant.id), "delayed to the end"))
    start = rounds.block_start(course.state)
    assert start is not None
    course.emit(*rounds.begin_turn(course.state, start, combatant))
    return course.events


def _close_offer(state: FightState, last: str) -> ev.Events:
    """The questions around an offer, answered by what is done."""
    asked = (prompt for prompt in state.prompts if prompt.kind == "last_offer")
    return (*(record_answer(prompt, last, default=False) for prompt in asked), *fg.lapse_offers(state))


# Delay


def delay_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-17: at one's own offer, if somebody comes later."""
    last = fg.is_last_offer(state) and fg.is_offered(state, combatant.id)
    return (
        *offer_checks(state, combatant),
        Check(not last, "ST-17", f"{combatant.name} has delayed already and has the last place", ("take", "forfeit")),
        Check(
            last or rounds.someone_later(state, combatant.id),
            "ST-17",
            f"nobody comes later in this round for {combatant.name} to let ahead",
            ("take",),
        ),
    )


def decide_delay(decision: Decision, command: tcm.Delay) -> ev.Events:
    """Put the turn off; the start steps do not run (Q-T13)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    _need_round(state)
    enforce(delay_checks(state, combatant), referee)
    if rounds.block_of(state, combatant.id) is None:
        raise Refused("ST-17", f"{combatant.name} has no turn left in this round to put off", (), final=True)
    return delay(state, combatant)


def delay(state: FightState, combatant: Combatant) -> ev.Events:
    """The turn is put off: its place in this round is at the end unless its owner steps in before."""
    course = Decision(state)
    course.emit(*_close_offer(state, "later"))
    _, cursor = rounds.without(course.state, combatant.id)
    course.emit(tev.TurnDelayed(who=combatant.id, before=fg.text_trait(combatant, "turn")))
    later = rounds.put_off(course.state, combatant.id)
    course.emit(*rounds.rearrange_round(course.state, later, cursor, f"{combatant.name} delays"))
    return course.events


# Stepping in


def step_in_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-18: who delays, at somebody else's offer; not during a turn (Q-T15)."""
    whose = fg.actor(state)
    name = whose.name if whose is not None else "nobody"
    return (
        round_check(state),
        able_check(combatant, "ST-18"),
        Check(fg.text_trait(combatant, "turn") == fg.DELAYED, "ST-18", f"{combatant.name} is not delaying", ("delay",)),
        Check(state.phase == fg.OFFER, "ST-18", f"{name}'s turn is running", ("the next offer",)),
        Check(
            not fg.is_offered(state, combatant.id),
            "ST-18",
            f"it is {combatant.name}'s own place: the last",
            ("take", "forfeit"),
        ),
        fg.open_question(state, "last_offer"),
    )


def decide_step_in(decision: Decision, command: tcm.StepIn) -> ev.Events:
    """Come back before the one that is offered; of several the GM is asked who goes first (Q-T9)."""
    state, referee = decision.state, decision.referee
    people = [
        combatant_of(state, command.who),
        *(combatant_of(state, combatant_id) for combatant_id in command.together),
    ]
    if len({combatant.id for combatant in people}) < len(people):
        raise Refused("together", "the same one steps in twice", ("others who delay",), final=True)
    _need_round(state)
    for combatant in people:
        enforce(step_in_checks(state, combatant), referee)
    _need_others(state, [combatant.id for combatant in people])
    if len(people) == 1:
        return step_in(state, (people[0].id,))
    return (*_answered_step_in(state, people), ev.RulingAsked(prompt=_together_prompt(people)))


def _answered_step_in(state: FightState, people: Sequence[Combatant]) -> ev.Events:
    names = ", ".join(combatant.id for combatant in people)
    asked = (prompt for prompt in state.prompts if prompt.kind == "step_in")
    return tuple(record_answer(prompt, names, default=False) for prompt in asked)


def _together_prompt(people: Sequence[Combatant]) -> Prompt:
    best = sorted(people, key=fg.standing, reverse=True)
    first, then = (
        ", ".join(combatant.name for combatant in best),
        ", ".join(combatant.name for combatant in reversed(best)),
    )
    return Prompt(
        id="",
        kind="together",
        question=f"{' and '.join(combatant.name for combatant in people)} step in together: in which order?",
        rule="Q-T9",
        choices=choices(f"roll:{first}, by the better roll", f"swap:{then}"),
        default="roll",
        data={"people": " ".join(combatant.id for combatant in best)},
    )


def answer_together(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T9: the better roll first, or the other way round."""
    people = [
        combatant_id for combatant_id in fg.ids_in(data_text(prompt, "people")) if _may_still_come(state, combatant_id)
    ]
    if given.choice == "swap":
        people.reverse()
    return step_in(state, people) if people else ()


def _may_still_come(state: FightState, combatant_id: str) -> bool:
    """True for who has not left, fallen or had a turn since the question was put."""
    combatant = state.combatants.get(combatant_id)
    whose = fg.actor(state)
    return (
        combatant is not None
        and whose is not None
        and whose.id != combatant_id
        and combatant.able
        and fg.text_trait(combatant, "turn") not in (fg.BEGUN, *fg.OVER)
    )


def step_in(state: FightState, people: Sequence[str]) -> ev.Events:
    """ST-18, ST-19: they go before the one that is offered, and their place in the order is directly ahead of it."""
    course = Decision(state)
    course.emit(*_answered_step_in(state, [state.combatants[combatant_id] for combatant_id in people]))
    later = [prompt for prompt in course.state.prompts if prompt.kind == "last_offer"]
    course.emit(*fg.moot(later, "somebody steps in"), *fg.lapse_offers(course.state))
    course.emit(*_brought_forward(course.state, people, "stepped in"))
    return course.events


def _need_others(state: FightState, people: Sequence[str]) -> None:
    """Whose turn it is cannot come before itself, not even by a ruling."""
    whose = fg.actor(state)
    if whose is not None and whose.id in people:
        raise Refused("ST-18", f"it is {whose.name}'s turn already", ("take", "end_turn"), final=True)


def _brought_forward(state: FightState, people: Sequence[str], reason: str) -> ev.Events:
    """Some turns come next: before an offer, or after the running turn where the GM insists on one during it."""
    whose, start = fg.actor(state), rounds.block_start(state)
    assert whose is not None
    assert start is not None
    _need_others(state, people)
    offered = state.phase == fg.OFFER
    place = start if offered else rounds.block_end(state) + 1
    cursor = start - 1 if offered else state.agenda.cursor
    later = rounds.without_ahead(state, people)
    blocks: tuple[Step, ...] = ()
    course = Decision(state)
    for combatant_id in people:
        combatant = state.combatants[combatant_id]
        before = fg.text_trait(combatant, "turn")
        course.emit(tev.SteppedIn(who=combatant_id, before=before, ahead_of=whose.id if offered else ""))
        blocks = (*blocks, *rounds.block(combatant, (*later, *blocks)))
    course.emit(*rounds.rearrange_round(state, (*later[:place], *blocks, *later[place:]), cursor, reason))
    if offered:
        placed = order.put_before(state, people, whose.id)
        if fg.is_last_offer(state):
            placed = (*(combatant_id for combatant_id in state.order if combatant_id not in people), *people)
        course.emit(*order.change_order(course.state, placed, reason))
    return course.events


# The last place and the end of a turn


def forfeit_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-21: a delayer who is offered the last place may let it go."""
    return (
        *offer_checks(state, combatant),
        Check(fg.is_last_offer(state), "ST-21", f"{combatant.name} has not delayed to the end of the round", ("take",)),
    )


def decide_forfeit(decision: Decision, command: tcm.Forfeit) -> ev.Events:
    """Let the last place go: no turn in this round, and the last place in the next."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    _need_round(state)
    enforce(forfeit_checks(state, combatant), referee)
    if not fg.is_offered(state, combatant.id):
        raise Refused("ST-21", f"no turn is offered to {combatant.name}", ("end_turn",), final=True)
    return forfeit(state, combatant)


def forfeit(state: FightState, combatant: Combatant) -> ev.Events:
    """The offered turn is lost, and the place is last (ST-21)."""
    course = Decision(state)
    course.emit(*_close_offer(state, "forfeit"))
    course.emit(tev.TurnForfeited(who=combatant.id, before=fg.text_trait(combatant, "turn"), cause="let go"))
    course.emit(*order.change_order(course.state, order.put_last(course.state, combatant.id), "forfeited"))
    course.emit(*rounds.open_next(course.state))
    return course.events


def answer_last(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-21: act in the last place, or not at all in this round."""
    combatant = state.combatants[prompt.who]
    if not fg.is_offered(state, combatant.id):
        return ()
    asked = fold_all(state, (record_answer(prompt, given.choice, default=False),))
    return forfeit(asked, combatant) if given.choice == "forfeit" else take(asked, combatant)


def answer_step_in(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-18: one of those who delay steps in."""
    if given.choice not in state.combatants:
        return ()
    combatant = state.combatants[given.choice]
    broken = first_broken(step_in_checks(state, combatant))
    if broken is not None and broken.rule == "ST-18":
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)
    return step_in(fold_all(state, (record_answer(prompt, given.choice, default=False),)), (combatant.id,))


def end_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-04: one's own turn must have come to acting."""
    running = fg.turn_of(state)
    whose = running.name if running is not None else "nobody"
    return (
        round_check(state),
        Check(running is not None and running.id == combatant.id, "ST-04", f"{whose}'s turn is running", ("take",)),
        Check(state.phase == fg.ACTING, "ST-22", "the steps at the start of a turn come first, always", ("answer",)),
        fg.open_question(state),
    )


def decide_end_turn(decision: Decision, command: tcm.EndTurn) -> ev.Events:
    """ST-04, ST-29: the owner ends the turn; what Actions are left is lost (ST-07)."""
    state, referee = decision.state, decision.referee
    _need_round(state)
    whose = fg.actor(state)
    if whose is None:
        raise Refused("ST-04", "no turn is running", ("advance",), final=True)
    combatant = combatant_of(state, command.who) if command.who else whose
    enforce(end_checks(state, combatant), referee)
    running = fg.turn_of(state)
    if running is None:
        raise Refused("ST-04", "no turn is running", ("take",), final=True)
    course = Decision(state)
    course.emit(*fg.lapse_offers(state))
    cause = "voluntary" if running.id == combatant.id else "gm"
    course.emit(*steps.close(course.state, running, cause))
    return course.events
