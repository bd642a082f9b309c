"""What the GM may rule on unasked: who is Vulnerable, what can be finished, what the problem needs, how it ends."""

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.rulings import Ruling, carry_out, record_ruling, truth, whole
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import falling, outro, problems, rounds, several, upkeep
from fightcall_engine.systems.slots import figures as fg

MOST_AGILITY = 20
"""The most that Agility may add or take, as on a sheet."""


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _vulnerable(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = truth("AP-30", rule.value)
    record = record_ruling("AP-30", f"Is {combatant.name} Vulnerable?", _yes(value), rule.note)
    return (record, fg.set_trait(combatant, "vulnerable", value))


def _agility(decision: Decision, rule: Rule) -> ev.Events:
    """AP-12: it counts from the next Active Phase on, for slots come as one begins (AP-14)."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = whole("AP-12", rule.value, -MOST_AGILITY, "Agility")
    if value > MOST_AGILITY:
        raise Refused("AP-12", f"Agility {value}", (f"{-MOST_AGILITY} to {MOST_AGILITY}",), final=True)
    record = record_ruling("AP-12", f"{combatant.name}'s Agility from now on", f"{value:+d}", rule.note)
    return (record, fg.set_trait(combatant, "agility", value))


def busy_check(combatant: Combatant) -> Check:
    """AP-36: an action must be in progress."""
    going = bool(fg.text_trait(combatant, "action"))
    return Check(going, "AP-36", f"{combatant.name} has nothing in progress", ("an action of several rounds",))


def _busy(combatant: Combatant) -> str:
    check = busy_check(combatant)
    if not check.holds:
        raise Refused(check.rule, check.message, check.accepts, final=True)
    return fg.text_trait(combatant, "action")


def _finish(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    going = _busy(combatant)
    can = truth("AP-36", rule.value if rule.value is not None else False)
    record = record_ruling("AP-36", f"{combatant.name} can finish {going}", _yes(can), rule.note)
    return (record,) if can else (record, *several.lost_work(state, combatant))


def _drop(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    going = _busy(combatant)
    return (
        record_ruling("AP-36", f"{combatant.name}: {going}", "given up", rule.note),
        *several.drop_action(combatant, "given up"),
    )


def _breakable(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    going = _busy(combatant)
    value = truth("AP-39", rule.value)
    record = record_ruling("AP-39", f"{going} can be interrupted", _yes(value), rule.note)
    return (record, fg.set_trait(combatant, "action_breakable", value))


def _fate(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    how = str(rule.value or "down")
    if how not in ("down", "dead", "back"):
        raise Refused("AP-51", f"{how!r} is no fate", ("down", "dead", "back"), final=True)
    record = record_ruling("AP-51", f"{combatant.name} is", how, rule.note)
    if how == "back":
        return (record, ev.Restored(who=combatant.id))
    return (record, *falling.fate(state, combatant.id, how))


def _threats(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    for check in threat_checks(state):
        if not check.holds:
            raise Refused(check.rule, check.message, check.accepts, final=True)
    if not truth("AP-46", rule.value):
        raise Refused("AP-46", "a threat that is there again has a ruling of its own", ("threats_back",), final=True)
    return (record_ruling("AP-46", "The threats are over", "yes", rule.note), *outro.threats_over(state))


def _threats_back(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    for check in back_checks(state):
        if not check.holds:
            raise Refused(check.rule, check.message, check.accepts, final=True)
    return (record_ruling("AP-46", "There is a threat again", "yes", rule.note), *outro.threats_back(state))


def back_checks(state: FightState) -> tuple[Check, ...]:
    """AP-46: the threats were over."""
    over = fg.text_fact(state, "threats") == "over"
    return (Check(over, "AP-46", "the threats are not over", ("threats_over",)),)


def threat_checks(state: FightState) -> tuple[Check, ...]:
    """AP-46: in a running encounter, once."""
    return (
        Check(fg.is_locked(state), "AP-46", "the encounter has not reached its first Full Round", ("lock",)),
        Check(fg.text_fact(state, "threats") != "over", "AP-46", "the threats are over already", ("outro",)),
    )


def issue_checks(state: FightState) -> tuple[Check, ...]:
    """AP-50: in Slow Burn."""
    return (Check(fg.slow_burning(state), "AP-50", "a common problem belongs to Slow Burn", ("slow burn",)),)


def _issue(decision: Decision, rule: Rule) -> ev.Events:
    state, referee = decision.state, decision.referee
    enforce(issue_checks(state), referee)
    needed = None if rule.value is None else whole("AP-50", rule.value, 1, "number of slots")
    shown = "as long as it takes" if needed is None else f"{needed} slots"
    name = problems.problem_meant(state, rule.note).name
    return (record_ruling("AP-50", f"What {name} needs", shown), *problems.set_problem(state, rule.note, needed))


def _rule_problem(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    named = rule.value if isinstance(rule.value, str) else rule.note
    problem = problems.problem_of(state, named)
    record = record_ruling("AP-50", f"Is {problem.name} solved?", "yes", rule.note)
    return (record, problems.solve_problem(problem))


def _add_up(decision: Decision, rule: Rule) -> ev.Events:
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, rule.who)
    done = outro.decide_add_up(state, combatant, referee)
    return (record_ruling("AP-52", f"{combatant.name}'s healing is added up", "yes", rule.note), *done)


def _keep_place(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = truth("Q-A7", rule.value)
    record = record_ruling("Q-A7", f"{combatant.name} keeps the place though it cannot act", _yes(value), rule.note)
    return (record, fg.set_trait(combatant, "keep_place", value))


def _gain(decision: Decision, rule: Rule) -> ev.Events:
    state = decision.state
    combatant = combatant_of(state, rule.who)
    for check in gain_checks(state, combatant):
        if not check.holds:
            raise Refused(check.rule, check.message, check.accepts, final=True)
    return (
        record_ruling("AP-14", f"{combatant.name} gains slots now", "yes", rule.note),
        fg.set_trait(combatant, "ap", fg.ACTIVE),
        rounds.gain_slots(state, combatant),
        *upkeep.at_phase(state, combatant.id, fg.PHASE_START),
    )


def gain_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-14: the GM opens an Active Phase out of turn, for somebody who has had none in this round."""
    waits = fg.text_trait(combatant, "ap") == fg.WAITING
    return (
        *fg.pc_checks(combatant),
        Check(state.phase in fg.ROUND_PHASES, "AP-14", "no Active Phase is running", ("a Full Round",)),
        Check(waits, "AP-14", f"{combatant.name} has gained slots in this round", ("the next Full Round",)),
    )


def decide_affect(decision: Decision, command: scm.Affect) -> ev.Events:
    """A lasting effect begins: damage or healing at each Upkeep, a change of slots, anything else (AP-13, AP-44)."""
    state = decision.state
    combatant = combatant_of(state, command.who)
    name = command.name.strip()
    if not name:
        raise Refused("AP-44", "an effect needs a name", ("any text",), final=True)
    if command.kind not in fg.EFFECT_KINDS:
        raise Refused("AP-44", f"no kind of effect {command.kind!r}", fg.EFFECT_KINDS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("AP-44", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.kind in (fg.DAMAGE, fg.HEAL) and command.amount < 1:
        raise Refused("AP-45", f"{command.amount} a round", ("1 or more",), final=True)
    effect = upkeep.lasting(name, command.kind, command.amount, command.rounds, command.counts, command.note)
    return (ev.EffectBegan(who=combatant.id, effect=effect),)


RULINGS: Mapping[str, Ruling] = {
    "threats_over": _threats,
    "threats_back": _threats_back,
    "vulnerable": _vulnerable,
    "agility": _agility,
    "finish": _finish,
    "drop": _drop,
    "breakable": _breakable,
    "fate": _fate,
    "keep_place": _keep_place,
    "gain": _gain,
    "issue": _issue,
    "solved": _rule_problem,
    "add_up": _add_up,
}


def decide_rule(decision: Decision, command: Rule) -> ev.Events:
    """Carry out a ruling.

    Raises:
        Refused: listing what can be ruled on.
    """
    return carry_out(RULINGS, command.what, decision, command)
