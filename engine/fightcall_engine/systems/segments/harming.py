"""What a blow does that has landed. Until the chain of a hit is reckoned, the GM says how many wounds there are."""

from __future__ import annotations

from fightcall_engine import commands as cm
from fightcall_engine import events as ev
from fightcall_engine.basics import harm
from fightcall_engine.dice import Dice
from fightcall_engine.prompts import choices
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments import hurting
from fightcall_engine.systems.segments.blows import Blow, people_of, type_of
from fightcall_engine.systems.segments.figures import Course

ASKED = "harm"
"""The kind of the prompt for what a blow did."""


def after_hit(course: Course, blow: Blow, dice: Dice | None) -> None:
    """What follows a hit: wounds by the GM's hand, or the question how many; some attacks are no blows.

    Args:
        course: where it is told.
        blow: what has landed.
        dice: None where nothing can be thrown now; dice for wounds are asked for then.
    """
    one, target = people_of(course.state, blow)
    if type_of(course.state, blow).pot == "none":
        return
    if blow.harm.strip().isdecimal():
        wounds = int(blow.harm)
        course.tell(*((harm(course.state, target.id, wounds, one.id),) if wounds else ()))
    elif blow.harm and dice is not None:
        course.tell(*hurting.by_hand(course.state, target, blow.harm, dice, one.id))
    else:
        course.tell(ev.RulingAsked(prompt=_prompt(one, target, blow.harm)))


def _prompt(one: Combatant, target: Combatant, thrown: str) -> Prompt:
    return Prompt(
        id="",
        kind=ASKED,
        question=f"{one.name} hits {target.name}: how many wounds?",
        rule="CS-601",
        choices=choices(f"roll:roll {thrown}", "none:none") if thrown else choices("none:none"),
        default="roll" if thrown else "none",
        who=one.id,
        side=one.side,
        dice=thrown,
        purpose=ASKED if thrown else "",
        amount="wounds",
        blocking=False,
        data={"target": target.id, "about": target.id, "dice": thrown},
    )


def answer(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """What a blow did, by the GM's hand."""
    target = state.combatants.get(str(prompt.data.get("target") or ""))
    amount = str(prompt.data.get("dice") or "") if given.choice == "roll" else given.amount
    if target is None or given.choice == "none" or amount in (None, ""):
        return ()
    return hurting.by_hand(state, target, amount, dice, prompt.who)
