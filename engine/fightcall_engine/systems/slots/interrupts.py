"""Breaking into what somebody else is doing (AP-29, AP-30, AP-39, Q-A27, Q-A28).

An act can be interrupted until somebody does something else, be its Active Phase over or not: then the price is that of
the phase it was done in, and only whoever held slots then can do it.
"""

from fightcall_engine.kit.checks import ANOTHER_TARGET, Check, first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.events import Restored
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.slots import events, figures
from fightcall_engine.systems.slots.abilities import Ability, abilities
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import AskedBlow, Blow, Harm, SealedRoll

ACTIVE_ACTION, INTERJECTION = "active_action", "interjection"
"""The sorts of act that an ability's text may say it interrupts."""


@frozen
class Deed:
    """An act as it was asked for, before it is paid.

    Attributes:
        pool: what pays: ``slots`` or ``reserved``.
        work: it is meant to stop the target's action of several rounds, whatever the target does now.
        granted: the GM has said that the interrupt works (AP-29, AP-39).
    """

    who: str
    ability: Ability
    pool: str
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""
    granted: bool = False


@frozen
class Doing:
    """What a combatant can be interrupted in.

    Attributes:
        sort: an Active Phase Action or an Interjection.
        is_work: it is an action of several rounds, which is lost with what was paid for it.
        phase: the phase in which it was done, where that is over; else empty.
    """

    what: str
    sort: str = ACTIVE_ACTION
    is_work: bool = False
    phase: str = ""


# What somebody does


def mark_act(decision: Decision, combatant_id: str, pool: str = "", phase: str = "", combo_of: str = "") -> None:
    """What is to be known of an act beside its name; what the act before has done is of no interest any more.

    Args:
        decision: the fight.
        combatant_id: who acts.
        pool: what pays for it; from reserve it is an Interjection.
        phase: the phase it counts as done in, where that is over.
        combo_of: whose Combo it finishes.
    """
    interjects = figures.is_pc(decision.state.combatants[combatant_id]) and pool == RESERVED
    decision.set_traits(combatant_id, interjects=interjects, done_in=phase, combo_of=combo_of, last_harm=None)


def remember_harm(decision: Decision, blow: Blow, before: Combatant) -> None:
    """What an act has done to its target, who was like `before`: to be given back where the act is interrupted."""
    after = decision.state.combatants[blow.target]
    harm, is_down = before.pool("hp").now - after.pool("hp").now, before.able and not after.able
    if harm > 0 or is_down:
        work = figures.fighter(before).work
        decision.set_traits(blow.by, last_harm=Harm(blow.target, blow.act, max(0, harm), is_down, work))


def doing(target: Combatant, work: bool = False) -> Doing | None:
    """What a combatant is in the middle of: what it does now, else its action of several rounds (`work`: only that)."""
    fighter = figures.fighter(target)
    going = fighter.work.name if fighter.work is not None else ""
    if fighter.doing and not work and not fighter.interrupted:
        sort = INTERJECTION if fighter.interjects else ACTIVE_ACTION
        return Doing(fighter.doing, sort, fighter.doing == going, fighter.done_in)
    return Doing(going, is_work=True) if going else None


def pass_moment(decision: Decision, actor: str) -> None:
    """Somebody does something: what was done in a phase that is over cannot be interrupted any more."""
    people = decision.state.combatants
    if actor in people and figures.fighter(people[actor]).done_in:
        return
    for combatant_id, combatant in people.items():
        if figures.fighter(combatant).done_in:
            decision.set_traits(combatant_id, doing="", done_in="")


# Who can interrupt it


def aim_of(deed: Deed, target: Combatant) -> Doing | None:
    """What an act could stop: whoever gained slots only since then (AP-19) is left the work that still goes on."""
    work = doing(target, deed.work)
    if work is not None and work.phase and deed.pool == SLOTS:
        return doing(target, work=True) or work
    return work


def finishes(state: FightState, deed: Deed, target: Combatant | None) -> bool:
    """AP-30: a finisher on a Vulnerable target, from reserve or in the Final Phase, needs no interrupt clause."""
    if target is None or not deed.ability.finisher or not figures.is_vulnerable(target):
        return False
    return deed.pool == RESERVED or figures.is_final(state)


def stopped_by(state: FightState, deed: Deed) -> Doing | None:
    """What an act stops where it succeeds: by its interrupt (AP-29), or because it finishes the target (AP-30)."""
    target = state.combatants.get(deed.target)
    if target is None:
        return None
    aim = aim_of(deed, target)
    if deed.interrupt:
        return aim or Doing("")
    if aim is None or not finishes(state, deed, target) or _is_unbreakable(target, aim):
        return None
    return None if aim.phase and deed.pool == SLOTS else aim


def phase_of(state: FightState, deed: Deed) -> str:
    """The phase that an act counts as done in, by which it is priced: an interrupt's is that of what it stops."""
    aim = stopped_by(state, deed)
    return aim.phase if aim is not None else ""


def _is_unbreakable(target: Combatant, aim: Doing) -> bool:
    """AP-39: an action of several rounds that cannot be broken."""
    return aim.is_work and _breakable(target) is False


def _breakable(target: Combatant) -> bool | None:
    work = figures.fighter(target).work
    return None if work is None else work.breakable


def needs_ruling(state: FightState, deed: Deed) -> bool:
    """AP-29, AP-39: an act that is not on the sheet, or an action that nobody has said can be broken."""
    target = state.combatants.get(deed.target)
    if target is None:
        return False
    aim = aim_of(deed, target)
    unsaid = aim is not None and aim.is_work and _breakable(target) is None
    return unsaid or (not deed.ability.listed and not finishes(state, deed, target))


def interrupt_checks(state: FightState, deed: Deed, target: Combatant | None) -> tuple[Check, ...]:
    """AP-29, AP-39: what an attempt to interrupt needs. What only the GM can say is asked later."""
    if not deed.interrupt:
        return ()
    name = target.name if target else "nobody"
    aim = aim_of(deed, target) if target else None
    if target is None or aim is None:
        why = f"{name} is doing nothing that could be interrupted"
        return (Check(False, "AP-29", why, ("a target that acts",)),)
    clause = not deed.ability.listed or aim.sort in deed.ability.interrupts or finishes(state, deed, target)
    word = "an Interjection" if aim.sort == INTERJECTION else "an Active Phase Action"
    why = f"{deed.ability.name} does not say that it interrupts {word}"
    is_reserved = not aim.phase or deed.pool != SLOTS
    late = f"{state.combatants[deed.who].name} had gained no slots when {name} did that"
    return (
        Check(deed.who != target.id, "AP-29", "nobody interrupts what they do themselves", (ANOTHER_TARGET,)),
        Check(clause, "AP-29", why, _interrupters(state, deed)),
        Check(is_reserved, "AP-19", late, ("somebody with Reserved Slots",)),
        Check(not _is_unbreakable(target, aim), "AP-39", f"{aim.what} cannot be interrupted", ("a ruling",)),
    )


def _interrupters(state: FightState, deed: Deed) -> tuple[str, ...]:
    entries = abilities(state.combatants[deed.who])
    return tuple(entry.name for entry in entries if entry.interrupts) or ("an ability whose text says so",)


def interrupting_deeds(state: FightState, combatant: Combatant, ability: Ability, pool: str) -> list[Deed]:
    """AP-29, AP-30: what an ability could interrupt now that an enemy does: its text says so, or it finishes."""
    if not (ability.interrupts or ability.finisher):
        return []
    deeds = []
    for target in (other for other in state.roster if other.able and state.are_foes(combatant.id, other.id)):
        deed = Deed(combatant.id, ability, pool, target.id, interrupt=True)
        fit = figures.is_vulnerable(target) or not ability.finisher
        if fit and first_broken(interrupt_checks(state, deed, target)) is None:
            deeds.append(deed)
    return deeds


# Interrupted


def lose_work(decision: Decision, combatant_id: str, reason: str) -> None:
    """AP-36, Q-A15: an action in progress is gone with what was paid, and its sealed roll is void."""
    work = figures.fighter(decision.state.combatants[combatant_id]).work
    if work is not None:
        decision.emit(
            events.MultiRoundLost(who=combatant_id, before=work, name=work.name, lost=work.paid, reason=reason)
        )


def interrupt(decision: Decision, by: str, target_id: str, rule: str, activity: Doing) -> None:
    """What the target was doing is stopped: it has done no harm, and what was paid for it is lost."""
    target = decision.state.combatants[target_id]
    fighter = figures.fighter(target)
    is_now = fighter.doing == activity.what
    slots = fighter.work.paid if fighter.work is not None and activity.is_work and figures.is_pc(target) else 0
    if by:
        decision.emit(events.Interrupted(by=by, target=target_id, what=activity.what, rule=rule))
    decision.emit(
        events.ActionInterrupted(
            who=target_id,
            before=fighter.doing,
            value="" if is_now else fighter.doing,
            what=activity.what,
            by=by,
            slots_lost=slots,
        )
    )
    if activity.is_work:
        lose_work(decision, target_id, "interrupted")
    if is_now and not figures.is_pc(target):
        decision.set_traits(target_id, interrupted=True)
    _give_back(decision, target_id, activity.what)


def _give_back(decision: Decision, combatant_id: str, act: str) -> None:
    """An act that is interrupted has done no harm, though that was recorded already."""
    harm = figures.fighter(decision.state.combatants[combatant_id]).last_harm
    if harm is None or harm.act != act or harm.target not in decision.state.combatants:
        return
    target = decision.state.combatants[harm.target]
    if not target.able and (harm.felled or not figures.fighter(target).dead):
        # AP-36: nothing has kept it from finishing what it was at.
        decision.set_traits(target.id, work=harm.work)
    if harm.felled and not target.able:
        decision.emit(Restored(who=target.id))
    decision.heal(target.id, harm.amount, "hp")
    decision.set_traits(combatant_id, last_harm=None)


@reacts_to(events.ActionInterrupted)
def drop_questions_about_act(decision: Decision, event: events.ActionInterrupted) -> None:
    """What came of an act that is interrupted needs to be asked no more."""
    moot = (prompt for prompt in decision.state.prompts if _act_in_question(prompt) == (event.who, event.what))
    decision.emit(*record_moot(moot, "it was interrupted"))
    _stop_combo(decision, event)


def _act_in_question(prompt: Prompt) -> tuple[str, str] | None:
    """Whose act a question is about, and its name; None where it is about no act that is done."""
    match prompt.resume:
        case SealedRoll(action=name):
            return prompt.who, name
        case AskedBlow(blow=blow):
            return blow.by, blow.act
    return None


def _stop_combo(decision: Decision, event: events.ActionInterrupted) -> None:
    """AP-33: the others finish a Combo; where one of them is interrupted it is not finished."""
    people = decision.state.combatants
    begun_by = people.get(figures.fighter(people[event.who]).combo_of) if event.who in people else None
    activity = doing(begun_by) if begun_by is not None else None
    if begun_by is not None and activity is not None and activity.what == event.what:
        interrupt(decision, "", begun_by.id, "AP-33", activity)
