"""The rulings that the GM can make at any time, as the screen lists them (rules digest, section 5)."""

from fightcall_engine.board.kinds import zone_board
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.slots import outro, problems, queries, rulings, zone_marks
from fightcall_engine.systems.slots.fates import DOWN
from fightcall_engine.systems.slots.records import ALL_RESOLVE, SLOW_BURN, fighter_of


def _ruling(
    what: str, label: str, rule: str, *inputs: Input, combatant_id: str = "", checks: tuple[Check, ...] = ()
) -> Option:
    fixed_fields: dict[str, Scalar] = {"what": what}
    if combatant_id:
        fixed_fields["who"] = combatant_id
    return offer(f"rule-{what}", label, "Rule", "", checks, rule=rule, fixed=fixed_fields, inputs=inputs)


def _yes_no(label: str, now: bool) -> Input:
    return Input("value", "choice", label, choices=("true", "false"), default="false" if now else "true")


def _affect(kind: str, label: str, rule: str, *inputs: Input, combatant_id: str) -> Option:
    ask = (Input("name", "text", "called"), *inputs, Input("rounds", "number", "rounds", optional=True))
    return offer(
        f"affect-{kind}", label, "Affect", "", (), rule=rule, fixed={"kind": kind, "who": combatant_id}, inputs=ask
    )


def _combatant_rulings(state: FightState, combatant: Combatant) -> list[Option]:
    """The rulings about one combatant."""
    options = [*_condition_rulings(combatant), *_work_rulings(combatant)]
    return [*options, *_pc_rulings(state, combatant)] if queries.is_pc(combatant) else options


def _condition_rulings(combatant: Combatant) -> list[Option]:
    """AP-30, AP-44, AP-45, AP-51: rulings on conditions, and on whether a combatant is down."""
    name, combatant_id = combatant.name, combatant.id
    amount = Input("amount", "amount", "each Upkeep", default="1")
    now = DOWN if combatant.able else rulings.BACK
    vulnerable = _yes_no("Vulnerable", fighter_of(combatant).vulnerable)
    fate = Input("value", "choice", "is", choices=rulings.FATES, default=now)
    return [
        _affect(queries.DAMAGE, f"damage over time on {name}", "AP-45", amount, combatant_id=combatant_id),
        _affect(queries.HEAL, f"healing over time on {name}", "AP-45", amount, combatant_id=combatant_id),
        _affect("debuff", f"debuff on {name}", "AP-44", combatant_id=combatant_id),
        _affect("buff", f"buff on {name}", "AP-44", combatant_id=combatant_id),
        _ruling("vulnerable", f"{name} Vulnerable", "AP-30", vulnerable, combatant_id=combatant_id),
        _ruling("fate", f"{name}'s fate", "AP-51", fate, combatant_id=combatant_id),
    ]


def _work_rulings(combatant: Combatant) -> list[Option]:
    """AP-36, AP-39: rulings on an action in progress: whether it can be finished, and interrupted."""
    work, combatant_id = fighter_of(combatant).work, combatant.id
    if work is None:
        return []
    name, checks = combatant.name, (rulings.busy_check(combatant),)
    can = Input("value", "choice", "can it still be finished", choices=("false", "true"), default="false")
    breakable = _yes_no("can be", work.breakable is True)
    finish = f"can {name} finish {work.name}"
    return [
        _ruling("finish", finish, "AP-36", can, combatant_id=combatant_id, checks=checks),
        _ruling("drop", f"{name} gives up {work.name}", "AP-36", combatant_id=combatant_id, checks=checks),
        _ruling(
            "breakable", f"{work.name} can be interrupted", "AP-39", breakable, combatant_id=combatant_id, checks=checks
        ),
    ]


def _pc_rulings(state: FightState, combatant: Combatant) -> list[Option]:
    """AP-12 to AP-14, AP-52, Q-A7: rulings on a PC's Agility, slots, place and healing."""
    name, combatant_id, record = combatant.name, combatant.id, fighter_of(combatant)
    agility = Input("value", "number", "from now on", default=str(record.agility))
    more = Input("amount", "number", "extra slots (negative for fewer)", default="-2")
    gain = rulings.gain_checks(state, combatant)
    options = [
        _ruling("agility", f"{name}'s Agility", "AP-12", agility, combatant_id=combatant_id),
        _affect(queries.SLOT_MOD, f"change {name}'s slots", "AP-13", more, combatant_id=combatant_id),
        _ruling("gain", f"{name} gains slots now", "AP-14", combatant_id=combatant_id, checks=gain),
    ]
    if not combatant.able:
        keeps = _yes_no("keeps", record.keep_place)
        options.append(
            _ruling("keep_place", f"{name} keeps a place in the Cycle", "Q-A7", keeps, combatant_id=combatant_id)
        )
    if queries.is_slow_burn(state):
        checks = outro.add_up_checks(state, combatant)
        options.append(_ruling("add_up", f"add up {name}'s healing", "AP-52", combatant_id=combatant_id, checks=checks))
    return options


def _zone_rulings(state: FightState, combatant: Combatant | None) -> list[Option]:
    """AP-43: rulings that mark or clear a zone; on a map of places, the one where the combatant stands."""
    if state.board is None:
        return []
    here = (state.board.name_of(combatant.at),) if combatant is not None and combatant.at is not None else ()
    board = zone_board(state.board)
    zones = here if board is None else board.places()
    marked_zones = tuple(dict.fromkeys(mark.zone for mark in zone_marks.zone_marks(state)))
    options = []
    if zones:
        place_input = Input("at", "choice", "where", choices=zones, default=next(iter(here), zones[0]))
        inputs = (
            place_input,
            Input("name", "text", "name, such as burning or flooded", default="burning"),
            Input("price", "number", "slots to enter", default="1"),
            Input("kind", "choice", "at Upkeep", choices=zone_marks.KINDS, default=queries.DAMAGE),
            Input("amount", "amount", "how much", default="1"),
            Input("rounds", "number", "rounds", optional=True),
        )
        options.append(offer("mark-zone", "mark a zone", "MarkZone", "", (), rule="AP-43", inputs=inputs))
    if marked_zones:
        which = Input("at", "choice", "which", choices=marked_zones, default=marked_zones[0])
        options.append(offer("clear-zone", "clear a marked zone", "ClearZone", "", (), rule="AP-43", inputs=(which,)))
    return options


def _problem_rulings(state: FightState) -> list[Option]:
    """AP-50: rulings on the problems of Slow Burn: what one needs, a new one, and that one is solved."""
    open_ones = problems.open_problems(state)
    names = tuple(problem.name for problem in open_ones)
    needs = Input("value", "number", "slots", default="20")
    name = Input("note", "text", "name (a new name adds a problem)", optional=True)
    which = Input("value", "choice", "which", choices=names, default=next(iter(names), ""))
    problem_check = Check(bool(open_ones), "AP-50", "there is no problem to solve")
    return [
        _ruling("issue", "slots a problem needs", "AP-50", needs, name, checks=rulings.issue_checks(state)),
        _ruling(
            "solved", "a problem is solved", "AP-50", *((which,) if len(names) > 1 else ()), checks=(problem_check,)
        ),
    ]


def rulings_for(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now, on a combatant or on the encounter (rules digest, section 5)."""
    options = [_ruling("threats_over", "the threats are over", "AP-46", checks=rulings.threat_checks(state))]
    if queries.are_threats_over(state):
        ways = Input("choice", "choice", "how", choices=(ALL_RESOLVE, SLOW_BURN), default=ALL_RESOLVE)
        if queries.is_slow_burn(state):
            ways = Input("choice", "choice", "how", choices=(ALL_RESOLVE,), default=ALL_RESOLVE)
        options.append(offer("outro", "wind down", "Outro", "", (), rule="AP-46", inputs=(ways,)))
        options.append(_ruling("threats_back", "there is a threat again", "AP-46"))
    if queries.is_slow_burn(state):
        options += _problem_rulings(state)
    options += _zone_rulings(state, state.combatants.get(combatant_id))
    if combatant_id and combatant_id in state.combatants:
        options += _combatant_rulings(state, state.combatants[combatant_id])
    return tuple(options)
