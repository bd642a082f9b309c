"""Triggers: what happens by itself, or is asked, when something else does; and walking, which sets off most of them."""

from __future__ import annotations

from collections.abc import Iterator

from fightcall_engine import kit
from fightcall_engine.board.base import Location
from fightcall_engine.homebrew.acts import apply_outcome, make_save, pay, perform
from fightcall_engine.homebrew.game import ActPart, TriggerPart
from fightcall_engine.homebrew.reading import WALK
from fightcall_engine.homebrew.records import Perform, Walked
from fightcall_engine.homebrew.scene import Game, Scene, forbidden_checks, place_checks, price_checks, target_checks
from fightcall_engine.kit.movement import taken_places
from fightcall_engine.model.commands import Move
from fightcall_engine.model.events import Placed
from fightcall_engine.model.values import copy_with

LEAVES, COMES, MOVES = "leaves reach", "comes into reach", "moves in sight"
TRIGGER = "trigger"
"""The kind of the question whether somebody reacts."""
_AS_THEY = {
    LEAVES: "as {target} leaves their reach", COMES: "as {target} comes into reach", MOVES: "as {target} moves",
    "is harmed": "as {target} is harmed", "is hit": "as {target} is hit", "is missed": "as {target} is missed",
    "turn begins": "as {target}'s turn begins", "turn ends": "as {target}'s turn ends",
    "goes down": "as {target} goes down", "half are down": "as half of their side is down",
    "round begins": "as the round begins", "round ends": "as the round ends",
}  # fmt: skip
_UNABLE_TOO = ("goes down", "half are down")


def fire(game: Game, decision: kit.Decision, when: str, subject: str, amount: int = 0) -> bool:
    """Let everybody react to what has happened to a combatant. Returns whether a reaction stops a walk."""
    stops = False
    for trigger in (each for each in game.page.trigger if each.when == when):
        for reactor in tuple(_reactors(decision.state, trigger, subject)):
            stops = react(game, decision, trigger, reactor, subject, amount) or stops
    return stops


def _reactors(state: kit.FightState, trigger: TriggerPart, subject: str) -> Iterator[str]:
    """Those whom a trigger concerns when something happens to a combatant, in the order of the fight."""
    for each in state.roster:
        is_foe = subject in state.combatants and state.are_foes(each.id, subject)
        kinds = {"self": each.id == subject, "enemy": is_foe, "ally": not is_foe and each.id != subject}
        if kinds.get(trigger.to, True):
            yield each.id


def react(
    game: Game, decision: kit.Decision, trigger: TriggerPart, reactor: str, subject: str, amount: int = 0
) -> bool:
    """Let somebody react, if they can and, where it is asked, will. Returns whether it stops a walk."""
    if not can_react(game, decision.state, trigger, reactor, subject, amount):
        return False
    act = game.acts.get(trigger.asks or trigger.does)
    rule = game.rule_of(trigger.rule, act.name if act is not None else TRIGGER)
    if trigger.asks and act is not None:
        deed = f"{kit.name_of(decision.state, reactor)}: {game.label_of(act.name)}"
        moment = _AS_THEY[trigger.when].replace("{target}", kit.name_of(decision.state, subject))
        answer = decision.ask(
            kit.prompt_for(
                decision.combatant(reactor), kind=TRIGGER, question=f"{deed} {moment}?", rule=rule,
                choices=kit.choices("yes", "no"), default="yes", about=(subject,) if subject != reactor else (),
            )
        )  # fmt: skip
        if answer is None or answer.choice == "no":
            return False
    pay(game, decision, reactor, trigger.cost, act.name if act is not None else trigger.when)
    succeeds = act is None or _do(game, decision, act, reactor, subject)
    if reactor not in decision.state.combatants:
        return False
    scene = Scene(
        game, decision.state, reactor, subject if subject in decision.state.combatants else "", {"amount": amount}
    )
    if trigger.save is not None and make_save(game, decision, trigger.save, scene, roller=reactor):
        return False
    apply_outcome(game, decision, trigger, scene)
    return trigger.stops and succeeds


def _do(game: Game, decision: kit.Decision, act: ActPart, reactor: str, subject: str) -> bool:
    target = subject if act.target in ("enemy", "ally", "ally or self", "anyone", "area") else ""
    at = decision.state.combatants[subject].at if act.target in ("place", "area") else None
    return perform(game, decision, Perform(act=act.name, who=reactor, target=target, at=at), is_paid=True)


def can_react(
    game: Game, state: kit.FightState, trigger: TriggerPart, reactor: str, subject: str, amount: int = 0
) -> bool:
    """Whether a trigger goes off for somebody: they are able, its condition holds, and they can pay and act."""
    combatant = state.combatants[reactor]
    if subject not in state.combatants or not (combatant.able or trigger.when in _UNABLE_TOO):
        return False
    if not Scene(game, state, reactor, subject, {"amount": amount}).holds(trigger.condition_for):
        return False
    checks = list(price_checks(game, state, reactor, trigger.cost, ""))
    act = game.acts.get(trigger.asks or trigger.does)
    if act is not None:
        checks += forbidden_checks(game, combatant, act.name)
        if act.target in ("enemy", "ally", "ally or self", "anyone"):
            checks += target_checks(game, state, reactor, act, subject)
        place = state.combatants[subject].at
        if act.target in ("place", "area") and place is not None:
            checks += place_checks(game, state, reactor, act, place)
    return all(check.holds for check in checks)


# Walking


def walk(game: Game, decision: kit.Decision, command: Move, *checks: kit.Check) -> None:
    """Walk, and let those who are passed react at the place where it happens.

    Args:
        game: the game.
        decision: the fight.
        command: the walk.
        checks: what has to hold besides the way and its price.
    """
    plan = kit.plan_walk(decision, command)
    walker, path = plan.combatant.id, plan.path
    rules = game.page.walk
    if rules is not None:
        rule, scene = game.rule_of(rules.rule, WALK), Scene(game, decision.state, walker)
        most = scene.number(rules.places, otherwise=plan.ground)
        text = f"that is {plan.ground} places; {plan.combatant.name} walks at most {most}"
        decision.require(
            *checks,
            kit.Check(plan.ground <= most, rule, text, (f"at most {most}",)),
            *price_checks(game, decision.state, walker, rules.each_place, rule, plan.ground),
        )
        pay(game, decision, walker, rules.cost, "walk")
        pay(game, decision, walker, rules.each_place, "walk", plan.ground)
    else:
        decision.require(*checks)
    if not path:
        if not any(_fire_for(game, decision, each, walker) for each in _left_contacts(game, decision.state, walker)):
            kit.take_walk(decision, plan, Walked)
        return
    done = 0
    for number in range(len(path)):
        if leaving := _concerned(game, decision.state, walker, number, path, (LEAVES,), done):
            done = _walk_to(decision, walker, path, done, number)
            if _is_stopped(game, decision, leaving, walker):
                _make_room(decision, walker, path[:done])
                return
        if coming := _concerned(game, decision.state, walker, number, path, (COMES, MOVES), done):
            done = _walk_to(decision, walker, path, done, number + 1)
            if _is_stopped(game, decision, coming, walker):
                _make_room(decision, walker, path[:done])
                return
    _walk_to(decision, walker, path, done, len(path))
    _make_room(decision, walker, path)


def _walk_to(decision: kit.Decision, walker: str, path: tuple[Location, ...], done: int, end: int) -> int:
    """Walk the part of a path that is not walked yet, up to an index. The way has been checked as a whole."""
    if end > done:
        part = path[done:end]
        kit.take_walk(decision, kit.Walk(decision.combatant(walker), part, len(part), len(part)), Walked)
    return end


def _make_room(decision: kit.Decision, walker: str, path: tuple[Location, ...]) -> None:
    """Take a walker who has been stopped among others back to the last place of the way that is free."""
    state, combatant = decision.state, decision.state.combatants.get(walker)
    if combatant is None or combatant.at is None or not combatant.able or state.shares_places:
        return
    taken = taken_places(state, walker)
    free = next((place for place in reversed(path) if place not in taken), None)
    if combatant.at in taken and free is not None:
        decision.emit(Placed(who=walker, before=combatant.at, at=free, reason="the place is occupied"))


def _is_stopped(game: Game, decision: kit.Decision, reactions: list[tuple[TriggerPart, str]], walker: str) -> bool:
    for each in reactions:
        if _fire_for(game, decision, each, walker):
            return True
    combatant = decision.state.combatants.get(walker)
    return combatant is None or not combatant.able


def _fire_for(game: Game, decision: kit.Decision, reaction: tuple[TriggerPart, str], walker: str) -> bool:
    trigger, reactor = reaction
    if reactor not in decision.state.combatants or walker not in decision.state.combatants:
        return walker not in decision.state.combatants
    return react(game, decision, trigger, reactor, walker)


def _left_contacts(game: Game, state: kit.FightState, walker: str) -> list[tuple[TriggerPart, str]]:
    """Without a board: those in contact, whose reach a walk leaves."""
    if state.combatants[walker].hidden:
        return []
    return [
        (trigger, foe) for trigger in game.page.trigger if trigger.when == LEAVES for foe in state.contacts_of(walker)
    ]


def _concerned(
    game: Game,
    state: kit.FightState,
    walker: str,
    number: int,
    path: tuple[Location, ...],
    moments: tuple[str, ...],
    done: int,
) -> list[tuple[TriggerPart, str]]:
    """The reactions that a step of a walk sets off: those for whom it leaves or comes into reach, or moves in sight."""
    board, here = state.board, path[number - 1] if number > done else state.combatants[walker].at
    if board is None or here is None or state.combatants[walker].hidden:
        return []
    reactions = []
    for trigger in (each for each in game.page.trigger if each.when in moments):
        act = game.acts.get(trigger.asks or trigger.does)
        reach = trigger.reach or (act.reach if act is not None else None)
        there = here if trigger.when == LEAVES else path[number]
        for reactor in _reactors(state, trigger, walker):
            at = state.combatants[reactor].at
            if at is None:
                continue
            # Distances first: most of those on the board are far away.
            most = Scene(game, state, reactor, walker).number(reach, otherwise=1)
            was_in, is_in = board.distance(at, here) <= most, board.distance(at, path[number]) <= most
            is_due = was_in and not is_in if trigger.when == LEAVES else is_in and (trigger.when == MOVES or not was_in)
            if not is_due or not can_react(game, _with_place(state, walker, there), trigger, reactor, walker):
                continue
            if trigger.when != MOVES or board.sight(at, path[number]).clear:
                reactions.append((trigger, reactor))
    return reactions


def _with_place(state: kit.FightState, combatant_id: str, at: Location) -> kit.FightState:
    """The fight with a combatant on another place."""
    moved = copy_with(state.combatants[combatant_id], at=at)
    return copy_with(state, combatants={**state.combatants, combatant_id: moved})
