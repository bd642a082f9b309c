"""The GM's rulings: on threats, on a combatant's condition, work and slots, and on problems of Slow Burn."""

from fightcall_engine.kit.checks import Check, require_always
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.rulings import read_flag, record_ruling, whole
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, EntryChanged, Restored
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import commands, interrupts, outro, problems, pulses, queries, rounds, works
from fightcall_engine.systems.slots.fates import DEAD, DOWN, apply_fate
from fightcall_engine.systems.slots.records import WAITING, encounter_of, fighter_of

MOST_AGILITY = 20
"""The limit of Agility, up and down, as on a sheet."""
BACK = "back"
FATES = (DOWN, DEAD, BACK)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


# The encounter


@rules_on("threats_over")
def rule_threats_over(decision: Decision, command: Rule) -> None:
    """AP-46: rule that no threat is left."""
    require_always(*threat_checks(decision.state))
    if not read_flag("AP-46", command.value):
        raise Refused("AP-46", "use the ruling for a returning threat", ("threats_back",), final=True)
    decision.emit(record_ruling("AP-46", "No threats are left", "yes", command.note))
    outro.end_threats(decision)


@rules_on("threats_back")
def rule_threats_back(decision: Decision, command: Rule) -> None:
    """AP-46: rule that a threat is back."""
    are_over = queries.are_threats_over(decision.state)
    require_always(Check(are_over, "AP-46", "there are still threats", ("threats_over",)))
    decision.emit(record_ruling("AP-46", "There is a threat again", "yes", command.note))
    outro.bring_threats_back(decision)


def threat_checks(state: FightState) -> tuple[Check, ...]:
    """AP-46: the threats of an encounter end once, after the Cycle is locked."""
    are_over = queries.are_threats_over(state)
    return (
        Check(queries.is_locked(state), "AP-46", "the first Full Round hasn't started", ("lock",)),
        Check(not are_over, "AP-46", "no threats are left already", ("outro",)),
    )


# A combatant


@rules_on("vulnerable")
def rule_vulnerable(decision: Decision, command: Rule) -> None:
    """AP-30: rule whether a combatant is Vulnerable."""
    combatant = decision.combatant(command.who)
    value = read_flag("AP-30", command.value)
    decision.emit(record_ruling("AP-30", f"Is {combatant.name} Vulnerable?", _yes(value), command.note))
    decision.set_traits(combatant.id, vulnerable=value)


@rules_on("agility")
def rule_agility(decision: Decision, command: Rule) -> None:
    """AP-12: set Agility; it counts from the next Active Phase, as slots are gained at its beginning (AP-14)."""
    combatant = decision.combatant(command.who)
    value = whole("AP-12", command.value, -MOST_AGILITY, "Agility")
    if value > MOST_AGILITY:
        raise Refused("AP-12", f"Agility {value}", (f"{-MOST_AGILITY} to {MOST_AGILITY}",), final=True)
    question = f"{combatant.name}'s Agility from now on"
    decision.emit(record_ruling("AP-12", question, f"{value:+d}", command.note))
    decision.set_traits(combatant.id, agility=value)


def busy_check(combatant: Combatant) -> Check:
    """AP-36: the check that an action is in progress."""
    work = fighter_of(combatant).work
    why = f"{combatant.name} has nothing in progress"
    return Check(work is not None, "AP-36", why, ("an action of several rounds",))


def _work_in_progress(decision: Decision, combatant_id: str) -> tuple[Combatant, str]:
    """The combatant with this id and the name of its action in progress."""
    combatant = decision.combatant(combatant_id)
    require_always(busy_check(combatant))
    work = fighter_of(combatant).work
    return combatant, work.name if work is not None else ""


@rules_on("finish")
def rule_finish(decision: Decision, command: Rule) -> None:
    """AP-36: rule whether an action in progress can be finished; if not, it is lost."""
    combatant, work_name = _work_in_progress(decision, command.who)
    can_finish = read_flag("AP-36", command.value if command.value is not None else False)
    decision.emit(record_ruling("AP-36", f"{combatant.name} can finish {work_name}", _yes(can_finish), command.note))
    if not can_finish:
        works.stop_work(decision, combatant.id)


@rules_on("drop")
def rule_drop(decision: Decision, command: Rule) -> None:
    """AP-36, Q-A15: give up an action in progress; it is lost."""
    combatant, work_name = _work_in_progress(decision, command.who)
    decision.emit(record_ruling("AP-36", f"{combatant.name}: {work_name}", "given up", command.note))
    interrupts.lose_work(decision, combatant.id, "given up")


@rules_on("breakable")
def rule_breakable(decision: Decision, command: Rule) -> None:
    """AP-39: rule whether an action in progress can be interrupted."""
    combatant, work_name = _work_in_progress(decision, command.who)
    value = read_flag("AP-39", command.value)
    decision.emit(
        record_ruling("AP-39", f"{work_name} can be interrupted", _yes(value), command.note),
        EntryChanged(who=combatant.id, field="work", part="breakable", value=value),
    )


@rules_on("fate")
def rule_fate(decision: Decision, command: Rule) -> None:
    """AP-51: rule that a combatant is down, dead, or back."""
    combatant, how = decision.combatant(command.who), str(command.value or DOWN)
    if how not in FATES:
        raise Refused("AP-51", f"{how!r} isn't a fate", FATES, final=True)
    decision.emit(record_ruling("AP-51", f"{combatant.name}'s fate", how, command.note))
    if how == BACK:
        decision.emit(Restored(who=combatant.id))
    else:
        apply_fate(decision, combatant.id, how)


@rules_on("keep_place")
def rule_keep_place(decision: Decision, command: Rule) -> None:
    """Q-A7: rule whether a PC who cannot act keeps its place."""
    combatant, value = decision.combatant(command.who), read_flag("Q-A7", command.value)
    question = f"{combatant.name} keeps the place without being able to act"
    decision.emit(record_ruling("Q-A7", question, _yes(value), command.note))
    decision.set_traits(combatant.id, keep_place=value)


@rules_on("gain")
def rule_gain(decision: Decision, command: Rule) -> None:
    """AP-14: open an Active Phase out of turn."""
    combatant = decision.combatant(command.who)
    require_always(*gain_checks(decision.state, combatant))
    decision.emit(record_ruling("AP-14", f"{combatant.name} gains slots now", "yes", command.note))
    rounds.open_phase(decision, combatant.id)


def gain_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14: a PC who has had no Active Phase in this round can get one out of turn."""
    waits = fighter_of(combatant).ap == WAITING
    return (
        *queries.pc_checks(combatant),
        Check(state.phase in queries.ROUND_PHASES, "AP-14", "no Active Phase is running", ("a Full Round",)),
        Check(waits, "AP-14", f"{combatant.name} has already gained slots this round", ("the next Full Round",)),
    )


@handles(commands.Affect)
def affect(decision: Decision, command: commands.Affect) -> None:
    """Begin a lasting effect: damage or healing at each Upkeep, a change of slots, or another (AP-13, AP-44)."""
    combatant, name = decision.combatant(command.who), command.name.strip()
    if not name:
        raise Refused("AP-44", "an effect needs a name", ("any text",), final=True)
    if command.kind not in queries.EFFECT_KINDS:
        raise Refused("AP-44", f"there is no effect of kind {command.kind!r}", queries.EFFECT_KINDS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("AP-44", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.kind in (queries.DAMAGE, queries.HEAL):
        pulses.check_strength(command.amount)
    elif isinstance(command.amount, str):
        raise Refused("AP-44", f"{command.amount}: a {command.kind} can't use dice", ("a number",), final=True)
    effect = pulses.make_effect(name, command.kind, command.amount, command.rounds, command.counts, command.note)
    decision.emit(EffectBegan(who=combatant.id, effect=effect))


# Slow Burn


def issue_checks(state: FightState) -> tuple[Check, ...]:
    """AP-50: common problems belong to Slow Burn."""
    burning = queries.is_slow_burn(state)
    return (Check(burning, "AP-50", "shared problems only exist in Slow Burn", ("slow burn",)),)


@rules_on("issue")
def rule_issue(decision: Decision, command: Rule) -> None:
    """AP-50: rule what a problem needs; an unknown name is a new problem."""
    decision.require(*issue_checks(decision.state))
    slots = None if command.value is None else whole("AP-50", command.value, 1, "number of slots")
    choice = "as long as it takes" if slots is None else f"{slots} slots"
    name = problems.name_of_problem(decision.state, command.note)
    decision.emit(record_ruling("AP-50", f"Slots {name} needs", choice))
    problems.set_problem(decision, command.note, slots)


@rules_on("solved")
def rule_solved(decision: Decision, command: Rule) -> None:
    """AP-50: rule that a problem is solved: the one named, or the oldest."""
    problem_name = command.value if isinstance(command.value, str) else command.note
    key = problems.problem_of(decision.state, problem_name)
    name = encounter_of(decision.state).problems[key].name
    decision.emit(record_ruling("AP-50", f"Is {name} solved?", "yes", command.note))
    problems.solve_problem(decision, key)


@rules_on("add_up")
def rule_add_up(decision: Decision, command: Rule) -> None:
    """AP-52: heal all that is left of healing over time at once."""
    combatant = decision.combatant(command.who)
    decision.require(*outro.add_up_checks(decision.state, combatant))
    decision.emit(record_ruling("AP-52", f"{combatant.name}'s healing is added up", "yes", command.note))
    outro.add_up_healing(decision, combatant.id)
