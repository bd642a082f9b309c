"""What a combatant can do now, with price and reason: one list for options bar, command line and protocol."""

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check, first_broken
from fightcall_engine.kit.movement import is_on_board
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import healing_views
from fightcall_engine.systems.segments.declaration import calling, declare_offers, declaring
from fightcall_engine.systems.segments.harm import harm_views
from fightcall_engine.systems.segments.movement import distances, leaving, movement_offers, moving, placing, planning
from fightcall_engine.systems.segments.objects import deeds
from fightcall_engine.systems.segments.sequence import order
from fightcall_engine.systems.segments.strikes import strike_offers
from fightcall_engine.systems.segments.surprise import noticing, springing, surprise

OPTION_KEYS: Mapping[str, str] = {
    "start": "g", "initiative": "i", "spring": "z", "declare-strike": "s", "declare-shoot": "f", "declare-reload": "Q",
    "declare-hurl": "p", "declare-act": "o", "declare-task": "t", "declare-move": "n", "declare-defend": "b",
    "confirm": "y", "move": "m", "wait": "w", "declare-words": "V", "declare-charge": "C", "declare-combination": "2",
    "declare-secret": "S", "abort": "x", "posture": "v", "pulses": "g", "hold": "k", "resume": "R", "opportunity": "O",
    "opportunity-words": "Y", "let-pass": "P", "break-off": "F", "get-inside": "G", "resolve": "y", "strike": "s",
    "strike-second": "t", "reprise": "s", "reprise-words": "V", "trade": "m", "let-be": "n", "rally": "E",
    "declare-inside": "G", "handle": "h", "check": "j", "warn": "", "heal-plan": "h", "heal-days": "y", "strain": "x",
}  # fmt: skip
"""What may ever be offered, by the option's action, with its key."""

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
        wait = offer("wait", "wait", "Wait", "w", declaring.wait_checks(state, one), rule="CS-160")
        found += declare_offers.options(state, one, _move(state, one), wait)
    if kind in springing.MOMENTS:
        found.append(springing.spring_option(state, one))
    if surprise.degree_of(one) == fg.OVERWHELMED:
        found.append(noticing.warn_option(state, one))
    found += harm_views.rally_option(state, one)
    found.append(_abort(state, one))
    found.append(_posture(state, one))
    moving_on = movement_offers.options(state, one)
    # Who still runs by an earlier way is stopped before anything else is thought of.
    first = kind == fg.PULSE or planning.runs_on(state, one)
    found = [*moving_on, *found] if first else [*found, *moving_on]
    found += [deeds.handle_option(state, one), calling.roll_option(state, one)]
    return tuple(found)


def inputs(state: FightState, who: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
    """An option's inputs as they are once some of them are given.

    Raises:
        Refused: a rule stands against what is given.
    """
    one = state.combatants.get(who)
    if one is None:
        return option.inputs
    if option.command == "Declare":
        return declare_offers.inputs(state, one, option, given)
    if option.command == "Opportunity":
        return movement_offers.inputs(state, one, option, given)
    return strike_offers.inputs(state, one, option, given)


def _initiative(state: FightState, one: Combatant) -> Option:
    plus = fg.unknown(one, "init_mod")
    plus = fg.mod(one, "awa") + fg.mod(one, "hrt") if plus is None else plus
    die = Input("d10", "number", f"d10 ({plus:+d})", optional=True)
    checks = order.initiative_checks(state, one)
    return offer(
        "initiative", "Initiative", "Initiative", "i", checks, cost="d10", rule="CS-020", fixed={"who": one.id},
        inputs=(die,),
    )  # fmt: skip


def _move(state: FightState, one: Combatant) -> Option:
    left = distances.feet_left(state, one)
    planned = distances.pulsed(state)
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
        planning.plan_checks(state, one) if planned else moving.move_checks(state, one),
        cost=f"{left:g} ft",
        rule="CS-230" if planned else "CS-090",
        inputs=(*way, speed) if planned else way,
    )


def _abort(state: FightState, one: Combatant) -> Option:
    return offer("abort", "give it up", "Abort", "x", declaring.abort_checks(state, one), rule="CS-143")


def _posture(state: FightState, one: Combatant) -> Option:
    others = tuple(word for word in fg.POSTURES if word != fg.text_trait(one, "posture"))
    fitting = [word for word in others if first_broken(leaving.change_checks(state, one, word)) is None]
    how = Input("posture", "choice", "how", choices=tuple(fitting) or others, default=(*fitting, *others)[0])
    checks = (*leaving.posture_checks(state, one), *leaving.change_checks(state, one, how.default))
    return offer("posture", "rise or drop", "Posture", "v", checks, rule="CS-104", inputs=(how,))
