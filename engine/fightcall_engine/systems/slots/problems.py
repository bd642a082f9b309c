"""The common problems of Slow Burn: what they need, who gives slots to them, when they are solved (AP-49, AP-50)."""

from dataclasses import dataclass

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.acting import spend
from fightcall_engine.systems.slots.prices import Price, pool_of

NAME, NEEDED, DONE = "issue", "issue_needed", "issue_done"
"""The facts of the first problem; the others have their number behind them, as in ``issue_2``."""
UNNAMED = "the problem"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the PCs work on together in Slow Burn.

    Attributes:
        number: its place among the facts of the fight, from 1.
        needed: slots it takes; None where only the GM knows.
        done: slots given so far.
    """

    number: int
    name: str
    needed: int | None = None
    done: int = 0

    @property
    def still_needed(self) -> int | None:
        """AP-50: slots it still needs; None where only the GM knows."""
        return None if self.needed is None else max(0, self.needed - self.done)

    @property
    def progress(self) -> str:
        """As in ``the dam 3/20``."""
        return f"{self.name} {self.done}/{self.needed}" if self.needed is not None else self.name


def fact_of(part: str, number: int) -> str:
    """The fact that holds one part of a problem."""
    return part if number == 1 else f"{part}_{number}"


def _problem(state: FightState, number: int) -> Problem:
    needed = fg.fact(state, fact_of(NEEDED, number))
    return Problem(
        number,
        fg.text_fact(state, fact_of(NAME, number)),
        needed if isinstance(needed, int) and not isinstance(needed, bool) else None,
        fg.number_fact(state, fact_of(DONE, number)),
    )


def open_problems(state: FightState) -> tuple[Problem, ...]:
    """AP-50: the problems that are not solved yet, in the order in which they came up."""
    found = (_problem(state, number) for number in range(1, len(state.facts) + 1))
    return tuple(problem for problem in found if problem.name)


def _free_number(state: FightState) -> int:
    number = 1
    while fg.text_fact(state, fact_of(NAME, number)):
        number += 1
    return number


def problem_of(state: FightState, name: str) -> Problem:
    """The open problem of this name, in any case; the first one where nothing is named.

    Raises:
        Refused: there is none; lists those there are.
    """
    found = open_problems(state)
    if not found:
        raise Refused("AP-50", "there is no problem to be solved", ("issue",), final=True)
    if not name.strip():
        return found[0]
    named = next((problem for problem in found if problem.name.casefold() == name.strip().casefold()), None)
    if named is None:
        raise Refused("AP-50", f"there is no problem {name!r}", tuple(problem.name for problem in found), final=True)
    return named


# What a problem needs


def issue_prompt() -> Prompt:
    """AP-50: what the problem needs is the GM's to say."""
    return Prompt(
        id="",
        kind="issue",
        question="Slow Burn: how many slots does the common problem need?",
        rule="AP-50",
        choices=choices("unknown:the GM says when it is solved"),
        amount="needed",
    )


def answer_issue(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """AP-50: a number of slots, or until the GM says that it is solved; the note names the problem."""
    if given.amount is None:
        return set_problem(state, given.note, None)
    if not isinstance(given.amount, int) or given.amount < 1:
        raise Refused("AP-50", f"{given.amount!r} slots", ("1 or more",), final=True)
    return set_problem(state, given.note, given.amount)


def problem_meant(state: FightState, name: str) -> Problem:
    """The open problem that the GM speaks of, or a new one: a name that is not known yet is another problem."""
    found = open_problems(state)
    called = name.strip()
    if not called and found:
        return found[0]
    same = next((problem for problem in found if problem.name.casefold() == called.casefold()), None)
    return same or Problem(_free_number(state), called or UNNAMED)


def set_problem(state: FightState, name: str, needed: int | None) -> ev.Events:
    """AP-50: a problem comes up, or one needs more or less than was thought; what was given to it stays."""
    problem = problem_meant(state, name)
    number = problem.number
    before = fg.fact(state, fact_of(NEEDED, number))
    caused: list[ev.Event] = []
    if not fg.text_fact(state, fact_of(NAME, number)):
        caused += [
            fg.set_fact(state, fact_of(NAME, number), problem.name),
            fg.set_fact(state, fact_of(DONE, number), 0),
        ]
    caused.append(
        sev.IssueSet(fact=fact_of(NEEDED, number), before=before, value=needed, name=problem.name, needed=needed)
    )
    if needed is not None and problem.done >= needed:
        caused.append(solve_problem(problem))
    return tuple(caused)


def solve_problem(problem: Problem) -> sev.IssueResolved:
    """AP-50: a problem is solved."""
    return sev.IssueResolved(fact=fact_of(NAME, problem.number), before=problem.name, value="", name=problem.name)


# Giving slots to it


def volunteer_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-49: in a round of Slow Burn, with slots."""
    running = fg.slow_burning(state) and state.phase in fg.ROUND_PHASES
    why = "there is no problem to be solved"
    return (
        *fg.pc_checks(combatant),
        Check(running, "AP-49", "slots are volunteered in Slow Burn", ("slow burn",)),
        Check(bool(open_problems(state)), "AP-50", why, ("a ruling: issue",)),
        Check(
            combatant.pool(pool_of(combatant)).now > 0, "AP-49", f"{combatant.name} has no slots", ("the next round",)
        ),
        fg.settled_check(state),
    )


def decide_volunteer(decision: Decision, command: scm.Volunteer) -> ev.Events:
    """AP-49: 0 to all of one's slots go to a problem; it takes no more than it needs."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    pool = pool_of(combatant)
    left = combatant.pool(pool).now
    if command.slots < 0:
        raise Refused("AP-49", f"{command.slots} slots", (f"0 to {left}",), final=True)
    if command.slots or left:
        enforce(volunteer_checks(state, combatant), referee)
    referee.require(command.slots <= left, "AP-49", f"{command.slots} > {left}: not so many slots", f"0 to {left}")
    if not min(command.slots, left):
        return (sev.SlotsVolunteered(who=combatant.id, amount=0),)
    problem = problem_of(state, command.problem)
    needs = problem.still_needed
    given = min(command.slots, left) if needs is None else min(command.slots, left, needs)
    done = problem.done + given
    caused: list[ev.Event] = [
        sev.SlotsVolunteered(who=combatant.id, amount=given),
        *spend(combatant, Price(given, given, "active", pool), problem.name),
        sev.IssueProgressed(
            fact=fact_of(DONE, problem.number),
            before=problem.done,
            value=done,
            name=problem.name,
            done=done,
            needed=problem.needed,
        ),
    ]
    if problem.needed is not None and done >= problem.needed:
        caused.append(solve_problem(problem))
    return tuple(caused)
