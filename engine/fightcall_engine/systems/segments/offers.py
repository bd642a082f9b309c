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


def options(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """What belongs to this moment for this combatant, legal or not."""
    combatant, kind = state.combatants[combatant_id], fg.kind_of(state)
    if state.status == "closed":
        return healing_views.options(state, combatant)
    if not kind:
        start = (Check(bool(state.combatants), "CS-004", "nobody is here"),)
        return (offer("start", "begin", "Start", "g", start, rule="CS-002"),)
    if kind == fg.INITIATIVE:
        return (_initiative(state, combatant), springing.spring_option(state, combatant))
    answers = strike_offers.reprisal_options(state, combatant)
    if answers:
        # A miss is answered before anything else is done, and its letters are its own.
        return answers
    found: list[Option] = []
    whose = fg.actor(state)
    if kind == fg.RESOLVE and whose is not None and whose.id == combatant.id and act.action_of(combatant).is_open:
        found += strike_offers.resolve_options(state, combatant)
    if kind in (fg.DECLARE, fg.WAITS, fg.PULSE):
        wait = offer("wait", "wait", "Wait", "w", declaring.wait_checks(state, combatant), rule="CS-160")
        found += declare_offers.options(state, combatant, _move(state, combatant), wait)
    if kind in springing.MOMENTS:
        found.append(springing.spring_option(state, combatant))
    if surprise.degree_of(combatant) == fg.OVERWHELMED:
        found.append(noticing.warn_option(state, combatant))
    found += harm_views.rally_option(state, combatant)
    found.append(_abort(state, combatant))
    found.append(_posture(state, combatant))
    moving_on = movement_offers.options(state, combatant)
    # Who still runs by an earlier way is stopped before anything else is thought of.
    first = kind == fg.PULSE or planning.runs_on(state, combatant)
    found = [*moving_on, *found] if first else [*found, *moving_on]
    found += [deeds.handle_option(state, combatant), calling.roll_option(state, combatant)]
    return tuple(found)


def inputs(state: FightState, combatant_id: str, option: Option, given: Mapping[str, Json]) -> tuple[Input, ...]:
    """An option's inputs as they are once some of them are given.

    Raises:
        Refused: a rule stands against what is given.
    """
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return option.inputs
    if option.command == "Declare":
        return declare_offers.inputs(state, combatant, option, given)
    if option.command == "Opportunity":
        return movement_offers.inputs(state, combatant, option, given)
    return strike_offers.inputs(state, combatant, option, given)


def _initiative(state: FightState, combatant: Combatant) -> Option:
    plus = fg.unknown(combatant, "init_mod")
    plus = fg.mod(combatant, "awa") + fg.mod(combatant, "hrt") if plus is None else plus
    die = Input("d10", "number", f"d10 ({plus:+d})", optional=True)
    checks = order.initiative_checks(state, combatant)
    return offer(
        "initiative", "Initiative", "Initiative", "i", checks, cost="d10", rule="CS-020", fixed={"who": combatant.id},
        inputs=(die,),
    )  # fmt: skip


def _move(state: FightState, combatant: Combatant) -> Option:
    left = distances.feet_left(state, combatant)
    planned = distances.uses_pulses(state)
    way: tuple[Input, ...] = (Input("path", "path", "where to", mode="walk"),)
    if not placing.can_measure(state, combatant):
        walked = way if is_on_board(state, combatant) and not planned else ()
        way = (Input("feet", "number", f"feet (of {left:g})"), *walked)
    speed = Input("speed", "choice", "speed", choices=RATES, default="full")
    return offer(
        "move",
        "plan a way" if planned else "move",
        "Plan" if planned else "Move",
        "m",
        planning.plan_checks(state, combatant) if planned else moving.move_checks(state, combatant),
        cost=f"{left:g} ft",
        rule="CS-230" if planned else "CS-090",
        inputs=(*way, speed) if planned else way,
    )


def _abort(state: FightState, combatant: Combatant) -> Option:
    return offer("abort", "give it up", "Abort", "x", declaring.abort_checks(state, combatant), rule="CS-143")


def _posture(state: FightState, combatant: Combatant) -> Option:
    others = tuple(word for word in fg.POSTURES if word != fg.text_trait(combatant, "posture"))
    fitting = [word for word in others if first_broken(leaving.change_checks(state, combatant, word)) is None]
    how = Input("posture", "choice", "how", choices=tuple(fitting) or others, default=(*fitting, *others)[0])
    checks = (*leaving.posture_checks(state, combatant), *leaving.change_checks(state, combatant, how.default))
    return offer("posture", "rise or drop", "Posture", "v", checks, rule="CS-104", inputs=(how,))
