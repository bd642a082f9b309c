"""What a combatant can do now, with price and reason: one list for options bar, command line and protocol."""

from dataclasses import dataclass, replace

from fightcall_engine.checks import Check
from fightcall_engine.offering import offer
from fightcall_engine.state import Combatant, FightState, Scalar
from fightcall_engine.system import Input, Option
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import healing_views
from fightcall_engine.systems.segments.contests import morale
from fightcall_engine.systems.segments.declaration import calling, declaring
from fightcall_engine.systems.segments.formulas import tasks
from fightcall_engine.systems.segments.formulas.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.harm import harm_views
from fightcall_engine.systems.segments.movement import leaving, movement_offers, moving, placing, pulses
from fightcall_engine.systems.segments.objects import deeds, holding
from fightcall_engine.systems.segments.sequence import order, segment
from fightcall_engine.systems.segments.strikes import strike_offers, words
from fightcall_engine.systems.segments.surprise import noticing, springing, surprise
from fightcall_engine.walking import is_on_board

RATES = ("full", "three_quarter", "half", "quarter")


def options(state: FightState, who: str) -> tuple[Option, ...]:
    """What belongs to this moment for this combatant, legal or not."""
    one, kind = state.combatants[who], fg.kind_of(state)
    if state.status == "closed":
        return healing_views.options(state, one)
    if not kind:
        start = (Check(bool(state.combatants), "CS-004", "nobody is here"),)
        return (offer("start", "begin", "Start", "g", start, rule="CS-002"),)
    if kind == fg.INITIATIVE:
        return (_initiative(state, one), springing.spring_option(state, one))
    answers = strike_offers.reprisal_options(state, one)
    if answers:
        # A miss is answered before anything else is done, and its letters are its own.
        return answers
    found: list[Option] = []
    whose = fg.actor(state)
    if kind == fg.RESOLVE and whose is not None and whose.id == one.id and act.action_of(one).is_open:
        found += strike_offers.resolve_options(state, one)
    if kind in (fg.DECLARE, fg.WAITS, fg.PULSE):
        found += _declaring(state, one)
    if kind in springing.MOMENTS:
        found.append(springing.spring_option(state, one))
    if surprise.degree_of(one) == fg.OVERWHELMED:
        found.append(noticing.warn_option(state, one))
    found += harm_views.rally_option(state, one)
    found.append(_abort(state, one))
    found.append(_posture(state, one))
    moving_on = movement_offers.options(state, one)
    found = [*moving_on, *found] if kind == fg.PULSE else [*found, *moving_on]
    found += [deeds.handle_option(state, one), calling.roll_option(state, one)]
    return tuple(found)


def _initiative(state: FightState, one: Combatant) -> Option:
    plus = fg.unknown(one, "init_mod")
    plus = fg.mod(one, "awa") + fg.mod(one, "hrt") if plus is None else plus
    die = Input("d10", "number", f"d10 ({plus:+d})", optional=True)
    checks = order.initiative_checks(state, one)
    return offer(
        "initiative", "Initiative", "Initiative", "i", checks, cost="d10", rule="CS-020", fixed={"who": one.id},
        inputs=(die,),
    )  # fmt: skip


def foes(state: FightState, one: Combatant) -> tuple[str, ...]:
    """Whom an attack may be meant for: foes who stand, those in contact first."""
    others = [other for other in fg.able(state) if other.id != one.id]
    near = set(state.contacts_of(one.id))
    return tuple(
        other.id for other in sorted(others, key=lambda other: (other.side == one.side, other.id not in near))
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """What all that somebody could declare now has in common: what stands against it, and its price."""

    one: Combatant
    checks: tuple[Check, ...]
    cost: str


def _turn_of(state: FightState, one: Combatant) -> _Turn:
    due = segment.due_text(state, one, act.Action(state=act.DRAFT))
    cost = f"{QA_AN_ACTION} qa" + (f", {due}" if due and due != "now" else "")
    return _Turn(one, declaring.declare_checks(state, one), cost)


def _declare(turn: _Turn, kind: str, label: str, key: str, *inputs: Input, rule: str) -> Option:
    fixed: dict[str, Scalar] = {"action": kind}
    # What is said in free words is judged when it is said: the surprised may speak of backing away.
    surprised = () if kind == act.ACT else surprise.allowed_checks(turn.one, act.Action(kind=kind))
    daunted = (morale.attack_check(turn.one),) if kind in act.ATTACKS else ()
    checks = (*turn.checks, *surprised, *daunted)
    return offer(
        f"declare-{kind}", label, "Declare", key, checks, cost=turn.cost, rule=rule, fixed=fixed, inputs=inputs
    )


def _declaring(state: FightState, one: Combatant) -> list[Option]:
    turn, aims = _turn_of(state, one), Input("target", "target", "whom", choices=foes(state, one))
    freely = _freely(state, one)
    weapon = holding.weapon_for(one, act.STRIKE, "")
    found = [_declare(turn, act.STRIKE, f"strike ({weapon})", "s", aims, rule="CS-082")]
    if any(holding.is_missile(thing) for thing in holding.items(one)):
        found.append(_declare(turn, act.SHOOT, "shoot", "f", aims, rule="CS-261"))
    if any(thing.get("hurlable") for thing in holding.items(one)):
        found.append(_declare(turn, act.HURL, "hurl", "p", aims, rule="CS-262"))
    found += [
        _declare(turn, act.ACT, "do something", "o", freely, rule="CS-082"),
        _task(turn),
        _declare(turn, act.MOVE, "only move", "n", rule="CS-121"),
        _declare(
            turn, act.DEFEND, "full defence", "b",
            Input("against", "target", "against whom", choices=aims.choices, optional=True), rule="CS-166",
        ),
    ]  # fmt: skip
    confirm = declaring.confirm_checks(state, one)
    if act.action_of(one).state == act.DRAFT:
        found.append(offer("confirm", "confirm", "Confirm", "y", confirm, rule="CS-084"))
    found.append(_move(state, one))
    found.append(offer("wait", "wait", "Wait", "w", declaring.wait_checks(state, one), rule="CS-160"))
    return [*found, *_seldom(turn, aims, freely)]


def _freely(state: FightState, one: Combatant) -> Input:
    """What is said in free words; of those whom Surprise or fear holds, something that it lets them say."""
    return Input("text", "text", "what", default="dodge" if surprise.is_held(state, one) else morale.usual_words(one))


def _seldom(turn: _Turn, aims: Input, what: Input) -> list[Option]:
    """What is declared more seldom: a Charge (CS-539), and what only the GM may know of (CS-087)."""
    seen = Input("public", "text", "what the others see of it", optional=True)
    secret = _declare(turn, act.ACT, "do something in secret", "S", what, seen, rule="CS-087")
    return [
        *_daunting(turn, aims),
        _declare(turn, act.CHARGE, "charge", "C", aims, rule="CS-539"),
        replace(secret, action="declare-secret", fixed={**secret.fixed, "secret": True}),
    ]


def _daunting(turn: _Turn, aims: Input) -> list[Option]:
    """CS-510: a strike on which words ride, for who has a Presence skill."""
    if words.level_of(turn.one) is None:
        return []
    found = _declare(turn, act.STRIKE, "strike with words to daunt", "I", aims, words.WANTED, rule="CS-510")
    return [replace(found, action="declare-words")]


def _task(turn: _Turn) -> Option:
    known = tuple(tasks.components())
    what = Input("components", "text", "what (table 4-1, or words=qa)", choices=known)
    return _declare(turn, act.TASK, "a task", "t", what, rule="CS-130")


def _move(state: FightState, one: Combatant) -> Option:
    left = moving.feet_left(state, one)
    planned = moving.pulsed(state)
    way: tuple[Input, ...] = (Input("path", "path", "where to", mode="walk"),)
    if not placing.measured(state, one):
        walked = way if is_on_board(state, one) and not planned else ()
        way = (Input("feet", "number", f"feet (of {left:g})"), *walked)
    speed = Input("speed", "choice", "speed", choices=RATES, default="full")
    return offer(
        "move",
        "plan a way" if planned else "move",
        "Plan" if planned else "Move",
        "m",
        pulses.plan_checks(state, one) if planned else moving.move_checks(state, one),
        cost=f"{left:g} ft",
        rule="CS-230" if planned else "CS-090",
        inputs=(*way, speed) if planned else way,
    )


def _abort(state: FightState, one: Combatant) -> Option:
    return offer("abort", "give it up", "Abort", "x", declaring.abort_checks(state, one), rule="CS-143")


def _posture(state: FightState, one: Combatant) -> Option:
    others = tuple(word for word in fg.POSTURES if word != fg.text_trait(one, "posture"))
    how = Input("posture", "choice", "how", choices=others, default=others[0])
    return offer(
        "posture", "rise or drop", "Posture", "v", leaving.posture_checks(state, one), rule="CS-104", inputs=(how,)
    )
