"""Breaking into what somebody else is doing (AP-29, AP-30, AP-39, Q-A27, Q-A28)."""

from dataclasses import dataclass

from fightcall_engine import events as ev
from fightcall_engine.checks import Check
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, Ability
from fightcall_engine.systems.slots.rounds import lose_action

ACTIVE_ACTION, INTERJECTION = "active_action", "interjection"
"""The sorts of act that an ability's text may say it interrupts."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An act as it was asked for, before it is paid.

    Attributes:
        pool: what pays: ``slots`` or ``reserved``.
        granted: the GM has said that the interrupt works (AP-29, AP-39).
    """

    who: str
    ability: Ability
    pool: str
    target: str = ""
    interrupt: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""
    granted: bool = False


def doing(state: FightState, target: Combatant) -> tuple[str, str]:
    """What a combatant is in the middle of, and what sort of act it is; both empty where it is nothing."""
    going = fg.text_trait(target, "action")
    if going:
        return going, ACTIVE_ACTION
    now = fg.text_trait(target, "doing")
    if not now or fg.trait(target, "interrupted") is True:
        return "", ""
    return now, INTERJECTION if fg.is_pc(target) and not fg.is_active(target) else ACTIVE_ACTION


def finishes(state: FightState, deed: Deed, target: Combatant | None) -> bool:
    """AP-30: a finisher on a Vulnerable target, from reserve or in the Final Phase, needs no interrupt clause."""
    if target is None or not deed.ability.finisher or fg.trait(target, "vulnerable") is not True:
        return False
    return deed.pool == RESERVED or fg.is_final(state)


def unbreakable(target: Combatant) -> bool:
    """AP-39: an action of several rounds that cannot be broken."""
    return bool(fg.text_trait(target, "action")) and fg.trait(target, "action_breakable") is False


def interrupt_checks(state: FightState, deed: Deed, target: Combatant | None) -> tuple[Check, ...]:
    """AP-29, AP-39: what an attempt to interrupt needs. What only the GM can say is asked later."""
    if not deed.interrupt:
        return ()
    what, sort = doing(state, target) if target else ("", "")
    name = target.name if target else "nobody"
    clause = not deed.ability.listed or sort in deed.ability.interrupts or finishes(state, deed, target)
    word = "an Interjection" if sort == INTERJECTION else "an Active Phase Action"
    why = f"{deed.ability.name} does not say that it interrupts {word}"
    return (
        Check(
            bool(what), "AP-29", f"{name} is doing nothing that could be interrupted", ("a target that acts",)
        ),
        Check(clause, "AP-29", why, _interrupters(state, deed)),
        Check(target is None or not unbreakable(target), "AP-39", f"{what} cannot be interrupted", ("a ruling",)),
    )


def _interrupters(state: FightState, deed: Deed) -> tuple[str, ...]:
    listed = fg.abilities(state.combatants[deed.who])
    return tuple(entry.name for entry in listed if entry.interrupts) or ("an ability whose text says so",)


def interrupt_events(state: FightState, by: str, target: Combatant, rule: str) -> ev.Events:
    """What the target was doing is stopped; slots paid for it are lost."""
    what, _ = doing(state, target)
    going = fg.text_trait(target, "action")
    lost = fg.number_trait(target, "action_paid") if going else 0
    happened: list[ev.Event] = [sev.Interrupted(by=by, target=target.id, what=what, rule=rule)] if by else []
    before = fg.trait(target, "doing")
    happened.append(sev.ActionInterrupted(who=target.id, before=before, what=what, by=by, slots_lost=lost))
    if going:
        happened.append(lose_action(target, "interrupted"))
    elif not fg.is_pc(target):
        happened.append(fg.set_trait(target, "interrupted", True))
    return tuple(happened)
