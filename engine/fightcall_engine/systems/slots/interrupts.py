"""Breaking into what somebody else is doing (AP-29, AP-30, AP-39, Q-A27, Q-A28).

An act can be interrupted until somebody does something else, be its Active Phase over or not: then the price is that of
the phase it was done in, and only whoever held slots then can do it.
"""

from dataclasses import dataclass

from fightcall_engine.kit.checks import Check, first_broken
from fightcall_engine.kit.prompts import data_text, record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS, Ability

ACTIVE_ACTION, INTERJECTION = "active_action", "interjection"
"""The sorts of act that an ability's text may say it interrupts."""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


def mark_act(combatant: Combatant, pool: str, phase: str = "", combo_of: str = "") -> ev.Events:
    """What is to be known of an act beside its name.

    Whether it is an Interjection, when it counts as done, and whose Combo it finishes.
    """
    wanted: dict[str, Scalar] = {
        "interjects": fg.is_pc(combatant) and pool == RESERVED,
        "done_in": phase,
        "combo_of": combo_of,
    }
    marks = [
        fg.set_trait(combatant, name, value) for name, value in wanted.items() if fg.trait(combatant, name) != value
    ]
    return (*marks, *forget_harm(combatant))


def forget_harm(combatant: Combatant) -> ev.Events:
    """Whom the last act has struck is of no interest any more."""
    if not fg.text_trait(combatant, "struck"):
        return ()
    nothing: dict[str, Scalar] = {"struck": "", "struck_with": "", "struck_for": 0, "struck_down": False}
    return (ev.TraitsChanged(who=combatant.id, traits=nothing),)


def remember_harm(state: FightState, combatant_id: str, what: str, target_id: str, caused: ev.Events) -> ev.Events:
    """What an act has done to its target, to be given back where the act is interrupted."""
    before, after = state.combatants[target_id], fold_all(state, caused).combatants[target_id]
    taken, felled = before.pool("hp").now - after.pool("hp").now, before.able and not after.able
    if taken <= 0 and not felled:
        return ()
    struck: dict[str, Scalar] = {
        "struck": target_id,
        "struck_with": what,
        "struck_for": max(0, taken),
        "struck_down": felled,
    }
    return (ev.TraitsChanged(who=combatant_id, traits=struck),)


def doing(target: Combatant, work: bool = False) -> Doing | None:
    """What a combatant is in the middle of: what it does now, else its action of several rounds (`work`: only that)."""
    now, going = fg.text_trait(target, "doing"), fg.text_trait(target, "action")
    if now and not work and fg.trait(target, "interrupted") is not True:
        sort = INTERJECTION if fg.trait(target, "interjects") is True else ACTIVE_ACTION
        return Doing(now, sort, now == going, fg.text_trait(target, "done_in"))
    return Doing(going, is_work=True) if going else None


def pass_moment(state: FightState, actor: str) -> ev.Events:
    """Somebody does something: what was done in a phase that is over cannot be interrupted any more."""
    combatant = state.combatants.get(actor)
    if combatant is not None and fg.text_trait(combatant, "done_in"):
        return ()
    over = [other for other in state.combatants.values() if fg.text_trait(other, "done_in")]
    return (*fg.reset(over, "doing", ""), *fg.reset(over, "done_in", ""))


# Who can interrupt it


def aim_of(deed: Deed, target: Combatant) -> Doing | None:
    """What an act could stop: whoever gained slots only since then (AP-19) is left the work that still goes on."""
    found = doing(target, deed.work)
    if found is not None and found.phase and deed.pool == SLOTS:
        return doing(target, work=True) or found
    return found


def finishes(state: FightState, deed: Deed, target: Combatant | None) -> bool:
    """AP-30: a finisher on a Vulnerable target, from reserve or in the Final Phase, needs no interrupt clause."""
    if target is None or not deed.ability.finisher or not fg.is_vulnerable(target):
        return False
    return deed.pool == RESERVED or fg.is_final(state)


def stopped_by(state: FightState, deed: Deed) -> Doing | None:
    """What an act stops where it succeeds: by its interrupt (AP-29), or because it finishes the target (AP-30)."""
    target = state.combatants.get(deed.target)
    if target is None:
        return None
    found = aim_of(deed, target)
    if deed.interrupt:
        return found or Doing("")
    if found is None or not finishes(state, deed, target) or _is_unbreakable(target, found):
        return None
    return None if found.phase and deed.pool == SLOTS else found


def phase_of(state: FightState, deed: Deed) -> str:
    """The phase that an act counts as done in, by which it is priced: an interrupt's is that of what it stops."""
    found = stopped_by(state, deed)
    return found.phase if found is not None else ""


def _is_unbreakable(target: Combatant, found: Doing) -> bool:
    """AP-39: an action of several rounds that cannot be broken."""
    return found.is_work and fg.trait(target, "action_breakable") is False


def needs_ruling(state: FightState, deed: Deed) -> bool:
    """AP-29, AP-39: an act that is not on the sheet, or an action that nobody has said can be broken."""
    target = state.combatants.get(deed.target)
    if target is None:
        return False
    found = aim_of(deed, target)
    unsaid = found is not None and found.is_work and fg.trait(target, "action_breakable") is None
    return unsaid or (not deed.ability.listed and not finishes(state, deed, target))


def interrupt_checks(state: FightState, deed: Deed, target: Combatant | None) -> tuple[Check, ...]:
    """AP-29, AP-39: what an attempt to interrupt needs. What only the GM can say is asked later."""
    if not deed.interrupt:
        return ()
    name = target.name if target else "nobody"
    found = aim_of(deed, target) if target else None
    if target is None or found is None:
        why = f"{name} is doing nothing that could be interrupted"
        return (Check(False, "AP-29", why, ("a target that acts",)),)
    clause = not deed.ability.listed or found.sort in deed.ability.interrupts or finishes(state, deed, target)
    word = "an Interjection" if found.sort == INTERJECTION else "an Active Phase Action"
    why = f"{deed.ability.name} does not say that it interrupts {word}"
    held = not found.phase or deed.pool != SLOTS
    late = f"{state.combatants[deed.who].name} had gained no slots when {name} did that"
    return (
        Check(deed.who != target.id, "AP-29", "nobody interrupts what they do themselves", ("another target",)),
        Check(clause, "AP-29", why, _interrupters(state, deed)),
        Check(held, "AP-19", late, ("somebody with Reserved Slots",)),
        Check(not _is_unbreakable(target, found), "AP-39", f"{found.what} cannot be interrupted", ("a ruling",)),
    )


def _interrupters(state: FightState, deed: Deed) -> tuple[str, ...]:
    listed = fg.abilities(state.combatants[deed.who])
    return tuple(entry.name for entry in listed if entry.interrupts) or ("an ability whose text says so",)


def aims_of(state: FightState, combatant: Combatant, ability: Ability, pool: str) -> list[Deed]:
    """AP-29, AP-30: what an ability could interrupt now, enemies first: its text says so, or it finishes."""
    if not (ability.interrupts or ability.finisher):
        return []
    found = []
    others = [other for other in fg.in_order(state) if other.able and other.id != combatant.id]
    for target in sorted(others, key=lambda other: other.side == combatant.side):
        deed = Deed(combatant.id, ability, pool, target.id, interrupt=True)
        fit = fg.is_vulnerable(target) or not ability.finisher
        if fit and first_broken(interrupt_checks(state, deed, target)) is None:
            found.append(deed)
    return found


# Interrupted


def lose_action(combatant: Combatant, reason: str) -> sev.MultiRoundLost:
    """AP-36, Q-A15: an action in progress is gone with what was paid, and its sealed roll is void."""
    name = fg.text_trait(combatant, "action")
    return sev.MultiRoundLost(
        who=combatant.id, before=name, name=name, lost=fg.number_trait(combatant, "action_paid"), reason=reason
    )


def interrupt_events(state: FightState, by: str, target: Combatant, rule: str, stopped: Doing) -> ev.Events:
    """What the target was doing is stopped: it has done no harm, and what was paid for it is lost."""
    now = fg.text_trait(target, "doing")
    is_now = now == stopped.what
    lost = fg.number_trait(target, "action_paid") if stopped.is_work and fg.is_pc(target) else 0
    caused: list[ev.Event] = []
    if by:
        caused.append(sev.Interrupted(by=by, target=target.id, what=stopped.what, rule=rule))
    caused.append(
        sev.ActionInterrupted(
            who=target.id,
            before=now,
            value="" if is_now else now,
            what=stopped.what,
            by=by,
            slots_lost=lost,
        )
    )
    if stopped.is_work:
        caused.append(lose_action(target, "interrupted"))
    if is_now and not fg.is_pc(target):
        caused.append(fg.set_trait(target, "interrupted", True))
    return (*caused, *_give_back(state, target, stopped.what))


def _give_back(state: FightState, target: Combatant, what: str) -> ev.Events:
    """An act that is interrupted has done no harm, though it was told already."""
    struck = state.combatants.get(fg.text_trait(target, "struck"))
    if struck is None or fg.text_trait(target, "struck_with") != what:
        return ()
    caused: list[ev.Event] = []
    if fg.trait(target, "struck_down") is True and not struck.able:
        caused.append(ev.Restored(who=struck.id))
    held = struck.pool("hp")
    left = max(held.now, min(held.max, held.now + fg.number_trait(target, "struck_for")))
    if left > held.now:
        amount = left - held.now
        caused.append(ev.Healed(who=struck.id, pool="hp", before=held.now, left=left, max=held.max, amount=amount))
    return (*caused, *forget_harm(target))


def on_interrupted(state: FightState, event: sev.ActionInterrupted) -> ev.Events:
    """What came of an act that is interrupted needs to be asked no more."""
    moot = [
        prompt
        for prompt in state.prompts
        if data_text(prompt, "by") == event.who and data_text(prompt, "what") == event.what
    ]
    caused = tuple(record_answer(prompt, "moot", default=True, note="it was interrupted") for prompt in moot)
    return (*caused, *_stop_combo(state, event))


def _stop_combo(state: FightState, event: sev.ActionInterrupted) -> ev.Events:
    """AP-33: the others finish a Combo; where one of them is interrupted it is not finished."""
    partner = state.combatants.get(event.who)
    begun_by = state.combatants.get(fg.text_trait(partner, "combo_of")) if partner is not None else None
    found = doing(begun_by) if begun_by is not None else None
    if begun_by is None or found is None or found.what != event.what:
        return ()
    return interrupt_events(state, "", begun_by, "AP-33", found)
