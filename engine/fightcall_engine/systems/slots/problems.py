"""The common problems of Slow Burn: what they need, volunteering slots, and solving them (AP-49, AP-50)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import EntryChanged
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import commands, events, queries
from fightcall_engine.systems.slots.acts import spend
from fightcall_engine.systems.slots.prices import ACTIVE_TIME, Price, pool_of
from fightcall_engine.systems.slots.records import Problem, encounter_of

UNNAMED = "the problem"


def open_problems(state: FightState) -> tuple[Problem, ...]:
    """AP-50: the unsolved problems, in the order in which they came up."""
    return tuple(encounter_of(state).problems.values())


def problem_of(state: FightState, name: str) -> str:
    """The key of the unsolved problem with this name, in any case; of the first one if no name is given.

    Raises:
        Refused: there is none; lists the names there are.
    """
    problems = encounter_of(state).problems
    if not problems:
        raise Refused("AP-50", "there is no problem to solve", ("issue",), final=True)
    key = _key_of(state, name)
    if key is None:
        names = tuple(problem.name for problem in problems.values())
        raise Refused("AP-50", f"there is no problem {name!r}", names, final=True)
    return key


def _key_of(state: FightState, name: str) -> str | None:
    """The key of the unsolved problem with this name, of the first one if no name is given; None if there is none."""
    folded_name = name.strip().casefold()
    problems = encounter_of(state).problems.items()
    return next((key for key, problem in problems if folded_name in ("", problem.name.casefold())), None)


# Problems and their needs


def ask_what_is_needed(decision: Decision) -> None:
    """AP-50: ask the GM for a new problem's number of slots, none if the GM decides; the note names it."""
    answer = decision.ask(
        prompt_for(
            None,
            kind="issue",
            question="Slow Burn: how many slots does the shared problem need?",
            rule="AP-50",
            choices=choices("unknown:the GM decides when it is solved"),
            amount="needed",
        )
    )
    if answer is None:
        return
    if answer.amount is not None and (not isinstance(answer.amount, int) or answer.amount < 1):
        raise Refused("AP-50", f"{answer.amount!r} slots", ("1 or more",), final=True)
    set_problem(decision, answer.note, answer.amount)


def name_of_problem(state: FightState, name: str) -> str:
    """The name of the unsolved problem that the GM names, or of a new one."""
    key = _key_of(state, name)
    return encounter_of(state).problems[key].name if key is not None else name.strip() or UNNAMED


def set_problem(decision: Decision, name: str, slots_needed: int | None) -> None:
    """AP-50: add a problem, or change what one needs; slots already given still count."""
    key = _key_of(decision.state, name)
    if key is None:
        key = queries.free_key(encounter_of(decision.state).problems)
        problem = Problem(name.strip() or UNNAMED)
        decision.emit(EntryChanged(field="problems", key=key, value=problem))
    problem = encounter_of(decision.state).problems[key]
    decision.emit(
        events.IssueSet(key=key, before=problem.needed, value=slots_needed, name=problem.name, needed=slots_needed)
    )
    _solve_if_done(decision, key)


def _solve_if_done(decision: Decision, key: str) -> None:
    if encounter_of(decision.state).problems[key].still_needed == 0:
        solve_problem(decision, key)


def solve_problem(decision: Decision, key: str) -> None:
    """AP-50: remove a problem that is solved."""
    problem = encounter_of(decision.state).problems[key]
    decision.emit(events.IssueResolved(key=key, before=problem, name=problem.name))


# Volunteering


def volunteer_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-49: slots are volunteered in a round of Slow Burn."""
    running = queries.is_slow_burn(state) and state.phase in queries.ROUND_PHASES
    why = "there is no problem to solve"
    has_slots = combatant.pool(pool_of(combatant)).now > 0
    return (
        *queries.pc_checks(combatant),
        Check(running, "AP-49", "you can only volunteer slots in Slow Burn", ("slow burn",)),
        Check(bool(open_problems(state)), "AP-50", why, (RulingWanted("issue"),)),
        Check(has_slots, "AP-49", f"{combatant.name} has no slots", ("the next round",)),
        queries.settled_check(state),
    )


@handles(commands.Volunteer)
def volunteer(decision: Decision, command: commands.Volunteer) -> None:
    """AP-49: give up to all of a PC's slots to a problem; it takes no more than it needs."""
    combatant = decision.combatant(command.who)
    pool = pool_of(combatant)
    slots_left = combatant.pool(pool).now
    if command.slots < 0:
        raise Refused("AP-49", f"{command.slots} slots", (f"0 to {slots_left}",), final=True)
    if command.slots or slots_left:
        decision.require(*volunteer_checks(decision.state, combatant))
    why = f"needs {command.slots} slots; {combatant.name} has {slots_left}"
    decision.require(Check(command.slots <= slots_left, "AP-49", why, (f"0 to {slots_left}",)))
    if not min(command.slots, slots_left):
        decision.emit(events.SlotsVolunteered(who=combatant.id, amount=0))
        return
    key = problem_of(decision.state, command.problem)
    problem = encounter_of(decision.state).problems[key]
    needs = problem.still_needed
    slots = min(command.slots, slots_left) if needs is None else min(command.slots, slots_left, needs)
    progress = problem.done + slots
    decision.emit(events.SlotsVolunteered(who=combatant.id, amount=slots))
    spend(decision, combatant.id, Price(slots, slots, ACTIVE_TIME, pool), problem.name)
    decision.emit(
        events.IssueProgressed(
            key=key, before=problem.done, value=progress, name=problem.name, done=progress, needed=problem.needed
        )
    )
    _solve_if_done(decision, key)
