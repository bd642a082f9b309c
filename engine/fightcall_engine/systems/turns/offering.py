"""Offers (ST-13, ST-17..21): taking a turn, delaying it, stepping in, letting it go; and ending it (ST-04)."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import answered, choices, data_text
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
    now = {"": "no Scene is open", fg.FREE: "this Scene is in free order", fg.REST: "they are resting"}
    why = now.get(fg.mode(state), "Initiative is not rolled yet")
    return Check(fg.in_rounds(state) and state.step is not None, "ST-12", why, ("initiative",))


def able_check(one: Combatant, rule: str) -> Check:
    """Nobody acts who is down."""
    return Check(one.able, rule, f"{one.name} cannot act", ("somebody who can",))


def _need_round(state: FightState) -> None:
    """Without a running round there is nothing that even a ruling could put off or bring forward."""
    check = round_check(state)
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)


def offer_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-13: one's own place must have come, and nobody's turn run."""
    whose = fg.actor(state)
    name = whose.name if whose is not None else "nobody"
    begun = state.phase != fg.OFFER
    mine = whose is not None and whose.id == one.id
    return (
        round_check(state),
        able_check(one, "ST-13"),
        Check(not begun or not mine, "ST-22", f"{one.name}'s turn has begun", ("end_turn",)),
        Check(not begun, "ST-13", f"{name}'s turn is running", ("the next offer",)),
        Check(mine, "ST-13", f"it is {name}'s place", (whose.id,) if whose is not None else ()),
        fg.open_question(state, "last_offer"),
    )


def take_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-09, ST-13: in free order at any time, else when one's place has come."""
    if fg.mode(state) == fg.FREE:
        return (able_check(one, "ST-09"), fg.open_question(state))
    return offer_checks(state, one)


def decide_take(decision: Decision, command: tcm.Take) -> ev.Events:
    """Take the turn that is offered; in free order, have a turn."""
    state, referee = decision.state, decision.referee
    one = combatant_of(state, command.who)
    if fg.mode(state) != fg.FREE:
        _need_round(state)
    enforce(take_checks(state, one), referee)
    if fg.mode(state) == fg.FREE:
        return (tev.TurnTaken(who=one.id),)
    if not fg.is_offered(state, one.id):
        return _brought_forward(state, (one.id,), "the GM's word")
    return take(state, one)


def take(state: FightState, one: Combatant) -> ev.Events:
    """The offered turn begins; a delayer's at the end of the round takes the last place with it (ST-21)."""
    course = Decision(state)
    course.emit(*_closed(state, "act"))
    if fg.text_trait(one, "turn") == fg.DELAYED:
        course.emit(*order.changed(course.state, order.put_last(course.state, one.id), "delayed to the end"))
    start = rounds.block_start(course.state)
    assert start is not None
    course.emit(*rounds.begin_turn(course.state, start, one))
    return course.events


def _closed(state: FightState, last: str) -> ev.Events:
    """The questions around an offer, answered by what is done."""
    asked = (prompt for prompt in state.prompts if prompt.kind == "last_offer")
    return (*(answered(prompt, last, default=False) for prompt in asked), *fg.lapsed(state))


# Delay


def delay_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-17: at one's own offer, if somebody comes later."""
    last = fg.is_last_offer(state) and fg.is_offered(state, one.id)
    return (
        *offer_checks(state, one),
        Check(not last, "ST-17", f"{one.name} has delayed already and has the last place", ("take", "forfeit")),
        Check(
            last or rounds.someone_later(state, one.id),
            "ST-17",
            f"nobody comes later in this round for {one.name} to let ahead",
            ("take",),
        ),
    )


def decide_delay(decision: Decision, command: tcm.Delay) -> ev.Events:
    """Put the turn off; the start steps do not run (Q-T13)."""
    state, referee = decision.state, decision.referee
    one = combatant_of(state, command.who)
    _need_round(state)
    enforce(delay_checks(state, one), referee)
    if rounds.block_of(state, one.id) is None:
        raise Refused("ST-17", f"{one.name} has no turn left in this round to put off", (), final=True)
    return delay(state, one)


def delay(state: FightState, one: Combatant) -> ev.Events:
    """The turn is put off: its place in this round is at the end unless its owner steps in before."""
    course = Decision(state)
    course.emit(*_closed(state, "later"))
    _, cursor = rounds.without(course.state, one.id)
    course.emit(tev.TurnDelayed(who=one.id, before=fg.text_trait(one, "turn")))
    later = rounds.put_off(course.state, one.id)
    course.emit(*rounds.rearranged(course.state, later, cursor, f"{one.name} delays"))
    return course.events


# Stepping in


def step_in_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-18: who delays, at somebody else's offer; not during a turn (Q-T15)."""
    whose = fg.actor(state)
    name = whose.name if whose is not None else "nobody"
    return (
        round_check(state),
        able_check(one, "ST-18"),
        Check(fg.text_trait(one, "turn") == fg.DELAYED, "ST-18", f"{one.name} is not delaying", ("delay",)),
        Check(state.phase == fg.OFFER, "ST-18", f"{name}'s turn is running", ("the next offer",)),
        Check(
            not fg.is_offered(state, one.id), "ST-18", f"it is {one.name}'s own place: the last", ("take", "forfeit")
        ),
        fg.open_question(state, "last_offer"),
    )


def decide_step_in(decision: Decision, command: tcm.StepIn) -> ev.Events:
    """Come back before the one that is offered; of several the GM is asked who goes first (Q-T9)."""
    state, referee = decision.state, decision.referee
    people = [combatant_of(state, command.who), *(combatant_of(state, who) for who in command.together)]
    if len({one.id for one in people}) < len(people):
        raise Refused("together", "the same one steps in twice", ("others who delay",), final=True)
    _need_round(state)
    for one in people:
        enforce(step_in_checks(state, one), referee)
    _need_others(state, [one.id for one in people])
    if len(people) == 1:
        return step_in(state, (people[0].id,))
    return (*_answered_step_in(state, people), ev.RulingAsked(prompt=_together_prompt(people)))


def _answered_step_in(state: FightState, people: Sequence[Combatant]) -> ev.Events:
    names = ", ".join(one.id for one in people)
    asked = (prompt for prompt in state.prompts if prompt.kind == "step_in")
    return tuple(answered(prompt, names, default=False) for prompt in asked)


def _together_prompt(people: Sequence[Combatant]) -> Prompt:
    best = sorted(people, key=fg.standing, reverse=True)
    first, then = ", ".join(one.name for one in best), ", ".join(one.name for one in reversed(best))
    return Prompt(
        id="",
        kind="together",
        question=f"{' and '.join(one.name for one in people)} step in together: in which order?",
        rule="Q-T9",
        choices=choices(f"roll:{first}, by the better roll", f"swap:{then}"),
        default="roll",
        data={"people": " ".join(one.id for one in best)},
    )


def answer_together(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T9: the better roll first, or the other way round."""
    people = [who for who in fg.ids_in(data_text(prompt, "people")) if _may_still_come(state, who)]
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
    course.emit(*_answered_step_in(state, [state.combatants[who] for who in people]))
    later = [prompt for prompt in course.state.prompts if prompt.kind == "last_offer"]
    course.emit(*fg.moot(later, "somebody steps in"), *fg.lapsed(course.state))
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
    for who in people:
        one = state.combatants[who]
        before = fg.text_trait(one, "turn")
        course.emit(tev.SteppedIn(who=who, before=before, ahead_of=whose.id if offered else ""))
        blocks = (*blocks, *rounds.block(one, (*later, *blocks)))
    course.emit(*rounds.rearranged(state, (*later[:place], *blocks, *later[place:]), cursor, reason))
    if offered:
        placed = order.put_before(state, people, whose.id)
        if fg.is_last_offer(state):
            placed = (*(who for who in state.order if who not in people), *people)
        course.emit(*order.changed(course.state, placed, reason))
    return course.events


# The last place and the end of a turn


def forfeit_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-21: a delayer who is offered the last place may let it go."""
    return (
        *offer_checks(state, one),
        Check(fg.is_last_offer(state), "ST-21", f"{one.name} has not delayed to the end of the round", ("take",)),
    )


def decide_forfeit(decision: Decision, command: tcm.Forfeit) -> ev.Events:
    """Let the last place go: no turn in this round, and the last place in the next."""
    state, referee = decision.state, decision.referee
    one = combatant_of(state, command.who)
    _need_round(state)
    enforce(forfeit_checks(state, one), referee)
    if not fg.is_offered(state, one.id):
        raise Refused("ST-21", f"no turn is offered to {one.name}", ("end_turn",), final=True)
    return forfeit(state, one)


def forfeit(state: FightState, one: Combatant) -> ev.Events:
    """The offered turn is lost, and the place is last (ST-21)."""
    course = Decision(state)
    course.emit(*_closed(state, "forfeit"))
    course.emit(tev.TurnForfeited(who=one.id, before=fg.text_trait(one, "turn"), cause="let go"))
    course.emit(*order.changed(course.state, order.put_last(course.state, one.id), "forfeited"))
    course.emit(*rounds.open_next(course.state))
    return course.events


def answer_last(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-21: act in the last place, or not at all in this round."""
    one = state.combatants[prompt.who]
    if not fg.is_offered(state, one.id):
        return ()
    asked = fold_all(state, (answered(prompt, given.choice, default=False),))
    return forfeit(asked, one) if given.choice == "forfeit" else take(asked, one)


def answer_step_in(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-18: one of those who delay steps in."""
    if given.choice not in state.combatants:
        return ()
    one = state.combatants[given.choice]
    broken = first_broken(step_in_checks(state, one))
    if broken is not None and broken.rule == "ST-18":
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)
    return step_in(fold_all(state, (answered(prompt, given.choice, default=False),)), (one.id,))


def end_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """ST-04: one's own turn must have come to acting."""
    running = fg.turn_of(state)
    whose = running.name if running is not None else "nobody"
    return (
        round_check(state),
        Check(running is not None and running.id == one.id, "ST-04", f"{whose}'s turn is running", ("take",)),
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
    one = combatant_of(state, command.who) if command.who else whose
    enforce(end_checks(state, one), referee)
    running = fg.turn_of(state)
    if running is None:
        raise Refused("ST-04", "no turn is running", ("take",), final=True)
    course = Decision(state)
    course.emit(*fg.lapsed(state))
    cause = "voluntary" if running.id == one.id else "gm"
    course.emit(*steps.close(course.state, running, cause))
    return course.events
