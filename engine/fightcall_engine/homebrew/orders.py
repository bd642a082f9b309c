"""The orders in which a round can go: by a roll, by sides, by choice, by cards, together, or as declared."""

from __future__ import annotations

from itertools import zip_longest

from fightcall_engine import kit
from fightcall_engine.homebrew import records
from fightcall_engine.homebrew.acts import begin_condition
from fightcall_engine.homebrew.game import GivenPart, OrderPart, PhasePart
from fightcall_engine.homebrew.records import Table, participant_of
from fightcall_engine.homebrew.scene import Game, Scene
from fightcall_engine.kit.agenda import REST
from fightcall_engine.model.events import AgendaChanged, OrderSet
from fightcall_engine.model.values import replace

TURN, SIDE, TURN_OF_SIDE, CHOSEN, TOGETHER, DECLARE, CARRY_OUT, UPKEEP = (
    "turn", "side", "turn-of-side", "chosen", "together", "declare", "carry-out", "upkeep",
)  # fmt: skip
"""Kinds of steps."""
NEXT = "next"
"""The kind of the question who goes next."""
CARDS = 54
"""A deck with two jokers: 1 is the two of clubs, 52 the ace of spades, 53 and 54 are the jokers."""
_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUITS = ("clubs", "diamonds", "hearts", "spades")


def order_of(game: Game, phase: PhasePart) -> OrderPart | None:
    """The order of a phase: its own, or that of the round."""
    return phase.order or game.page.round.order


def steps_of_round(game: Game, decision: kit.Decision) -> tuple[kit.Step, ...]:
    """The steps of the next round. Initiative is rolled where it is due, and cards are dealt."""
    of_fight = {name for name, act in game.acts.items() if act.per == "fight"}
    for each in decision.state.combatants.values():
        decision.set_traits(each.id, has_gone=False)
    for each in decision.state.combatants.values():
        uses = {name: count for name, count in participant_of(each).uses.items() if name in of_fight}
        decision.set_traits(each.id, declared=None)
        decision.set_traits(each.id, uses=uses)
    rolled: list[OrderPart] = []
    steps: list[kit.Step] = []
    for phase in game.phases.values():
        order = order_of(game, phase)
        if order is not None and order not in rolled and not phase.upkeep:
            _put_in_order(game, decision, order)
            rolled.append(order)
        steps += _steps_of_phase(game, decision, phase, order)
    return tuple(steps)


def _steps_of_phase(game: Game, decision: kit.Decision, phase: PhasePart, order: OrderPart | None) -> list[kit.Step]:
    title, state = game.label_of(phase.name, phase.title), decision.state
    title = title[:1].upper() + title[1:]
    if phase.upkeep or order is None:
        return [kit.Step(phase.name, UPKEEP, phase.name, title)]
    match order.by:
        case "sides":
            return _steps_of_sides(game, state, phase, title, order)
        case "elective":
            first = _choose_first(game, decision, order)
            return [_step_of(decision.combatant(first), phase, title, CHOSEN)] if first else []
        case "together":
            return [kit.Step(phase.name, TOGETHER, phase.name, title)]
        case "declared":
            declare = kit.Step(f"{phase.name}.declare", DECLARE, phase.name, f"{title}: declare")
            return [declare, *(_step_of(each, phase, title, CARRY_OUT) for each in state.roster)]
        case _:
            return [_step_of(each, phase, title, TURN) for each in state.roster]


def _step_of(combatant: kit.Combatant, phase: PhasePart, title: str, kind: str) -> kit.Step:
    name = f"{title}: {combatant.name}" if phase.name != "turns" else combatant.name
    return kit.Step(f"{phase.name}.{combatant.id}", kind, phase.name, name, combatant.side, combatant.id)


def _steps_of_sides(
    game: Game, state: kit.FightState, phase: PhasePart, title: str, order: OrderPart
) -> list[kit.Step]:
    present = {each.side for each in state.combatants.values()}
    in_order = dict.fromkeys((order.first or game.page.sides[0], *game.page.sides, *sorted(present)))
    sides = tuple(side for side in in_order if side in present)
    if not order.alternate:
        return [kit.Step(f"{phase.name}.{side}", SIDE, phase.name, f"{title}: {side.title()}", side) for side in sides]
    counts = {side: sum(each.side == side and each.able for each in state.combatants.values()) for side in sides}
    rows = (tuple(side for number in range(counts[side])) for side in sides)
    turns = [side for row in zip_longest(*rows) for side in row if side is not None]
    return [
        kit.Step(f"{phase.name}.{number}", TURN_OF_SIDE, phase.name, f"{title}: one of {side.title()}", side)
        for number, side in enumerate(turns, start=1)
    ]


# Rolls and cards


def _put_in_order(game: Game, decision: kit.Decision, order: OrderPart) -> None:
    if order.by == "cards":
        _deal(game, decision, order)
    elif order.roll is not None:
        people = tuple(decision.state.combatants.values())
        due = [each for each in people if order.each == "round" or not participant_of(each).is_rolled]
        for each in due:
            _roll_initiative(game, decision, order, each)
        if not due:
            return
    else:
        return
    sign = 1 if order.lowest_first and order.by != "cards" else -1

    def place_of(combatant: kit.Combatant) -> tuple[int, int]:
        participant = participant_of(combatant)
        return sign * participant.initiative, -participant.tie

    in_order = sorted(decision.state.combatants.values(), key=place_of)
    reason = "cards" if order.by == "cards" else "initiative"
    decision.emit(OrderSet(order=tuple(each.id for each in in_order), reason=reason))


def _roll_initiative(game: Game, decision: kit.Decision, order: OrderPart, combatant: kit.Combatant) -> None:
    scene = Scene(game, decision.state, combatant.id)
    assert order.roll is not None
    total = decision.roll(scene.dice(order.roll), f"initiative.{combatant.id}", combatant.id).total
    values = {"initiative": total, "tie": scene.number(order.ties), "is_rolled": True}
    decision.emit(records.InitiativeRolled(who=combatant.id, traits=values, total=total))


def _deal(game: Game, decision: kit.Decision, order: OrderPart) -> None:
    """Deal a card to each. The deck is shuffled after a round with a joker, or when too few are left."""
    dealt = set(kit.fight_record_of(decision.state, Table).dealt)
    people = [each for each in decision.state.combatants.values() if each.able]
    if dealt & {CARDS - 1, CARDS} or CARDS - len(dealt) < len(people):
        dealt = set()
    for combatant in people:
        card = decision.roll(f"d{CARDS}", f"card.{combatant.id}", combatant.id).total
        # A card that is out is drawn again; with more people than cards, several have the same.
        while card in dealt and len(dealt) < CARDS:
            card = decision.roll(f"d{CARDS}", f"card.{combatant.id}", combatant.id).total
        dealt.add(card)
        before = participant_of(combatant).initiative
        decision.emit(
            records.CardDealt(who=combatant.id, trait="initiative", before=before, value=card, card=name_of_card(card))
        )
        if order.joker and card > CARDS - 2:
            begin_condition(game, decision, combatant.id, GivenPart(name=order.joker), by=combatant.id)
    decision.set_facts(dealt=tuple(sorted(dealt)))


def name_of_card(card: int) -> str:
    """The name of a card by its number; see `CARDS`."""
    if card > CARDS - 2:
        return "joker"
    return f"{_RANKS[(card - 1) // 4]} of {_SUITS[(card - 1) % 4]}"


# Who goes next


def _choose_first(game: Game, decision: kit.Decision, order: OrderPart) -> str:
    people = [each for each in decision.state.roster if each.able]
    own = [each for each in people if each.side == (order.first or game.page.sides[0])]
    # The side that begins names one of its own; without anyone able, another does.
    candidates = (own if order.first else people) or people
    default = next(iter((*own, *people)), None)
    question = f"Who begins {game.page.round.name} {decision.state.round + 1}?"
    if default is None or len(candidates) == 1:
        return candidates[0].id if candidates else ""
    return _ask_who(game, decision, candidates, default.id, question, order.rule)


def choose_next(game: Game, decision: kit.Decision, step: kit.Step) -> None:
    """Ask who goes next, and give them the next step; nothing if all have gone, or the rules know no such phase now."""
    people = [each for each in decision.state.roster if each.able and not participant_of(each).has_gone]
    phase = game.phases.get(step.phase)
    if not people or phase is None:
        return
    default = next((each.id for each in people if each.side != step.side), people[0].id)
    order = order_of(game, phase)
    rule = order.rule if order is not None else ""
    chosen = default if len(people) == 1 else _ask_who(game, decision, people, default, "Who goes next?", rule)
    if chosen not in decision.state.combatants:
        # Those who could be named have left while it was asked.
        return
    agenda = decision.state.agenda
    title = game.label_of(phase.name, phase.title)
    new = _step_of(decision.combatant(chosen), phase, title[:1].upper() + title[1:], CHOSEN)
    if any(each.id == new.id for each in agenda.steps):
        # Somebody of that name had a turn in this round, and has left.
        new = replace(new, id=f"{new.id}.{len(agenda.steps)}")
    steps = (*agenda.steps[: agenda.cursor + 1], new, *agenda.steps[agenda.cursor + 1 :])
    decision.emit(AgendaChanged(steps=steps, cursor=agenda.cursor))


def _ask_who(
    game: Game, decision: kit.Decision, people: list[kit.Combatant], default: str, question: str, rule: str
) -> str:
    rule = game.rule_of(rule or game.page.round.rule, "round")
    names = (kit.Choice(each.id, each.name, _key_of(each)) for each in people)
    return decision.ask_about(None, NEXT, rule, question, *names, default=default).choice


def forget_in_questions(decision: kit.Decision) -> None:
    """Ask again who goes next without somebody who has left; if there is nobody else, go on without an answer."""
    for prompt in (each for each in decision.state.prompts if each.kind == NEXT):
        if not any(choice.id in decision.state.combatants for choice in prompt.choices):
            decision.withdraw((prompt,), "no one is left")
    decision.emit(*kit.renew_questions(decision.state, "has left", {NEXT: _without_leavers}))


def _without_leavers(state: kit.FightState, prompt: kit.Prompt) -> kit.Prompt:
    choices = tuple(choice for choice in prompt.choices if choice.id in state.combatants)
    default = prompt.default if prompt.default in state.combatants else choices[0].id
    return replace(prompt, choices=choices, default=default)


def _key_of(combatant: kit.Combatant) -> str:
    """The key that names somebody: the label on the board, as far as it is one letter or digit free for this."""
    key = combatant.label.lower()
    return key if len(key) == 1 and key.isascii() and key.isalnum() and key not in "hmynu" else ""


def turns_to_come(state: kit.FightState) -> tuple[str, ...]:
    """The ids of those who have a turn later in the running phase, in order."""
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    return tuple(dict.fromkeys(step.actor for step in ahead if step.actor and step.phase == state.phase))


def delay_checks(state: kit.FightState, who: str, after: str) -> tuple[kit.Check, ...]:
    """That somebody can let their turn wait until that of another."""
    step, later = state.step, turns_to_come(state)
    is_own = step is not None and step.kind == TURN and step.actor == who
    name = kit.name_of(state, after) if after else "nobody"
    return (
        kit.Check(is_own, "order", f"it is not the turn of {kit.name_of(state, who)}", ("wait for it",), is_turn=True),
        kit.Check(after in later, "order", f"{name} has no turn later in this round", later or ("pass",)),
    )


def delay(decision: kit.Decision, after: str) -> tuple[kit.Step, ...]:
    """The steps with the running one put off until after another combatant's. The delayer keeps its clock."""
    agenda = decision.state.agenda
    running, *ahead = agenda.steps[agenda.cursor :]
    place = next(number for number, step in enumerate(ahead) if step.actor == after) + 1
    waiting = replace(running, id=f"{running.id.removesuffix(REST)}{REST}")
    return (*agenda.steps[: agenda.cursor], *ahead[:place], waiting, *ahead[place:])
