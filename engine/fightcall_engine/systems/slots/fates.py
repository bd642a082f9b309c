"""Going down and dying: at 0 hit points, and by a Knockout or an Execution (AP-30, AP-45, AP-51)."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import Downed
from fightcall_engine.systems.slots.interrupts import record_harm
from fightcall_engine.systems.slots.records import Blow

DOWN, DEAD = "down", "dead"
FINISHER_FATES = {"knockout": DOWN, "execution": DEAD}
"""The usual fate by finisher; the text defines neither."""


def apply_fate(decision: Decision, combatant_id: str, how: str) -> None:
    """AP-45, AP-51: apply a fate: ``down``, ``dead``, or any other word for no change."""
    if how not in (DOWN, DEAD):
        return
    if decision.state.combatants[combatant_id].able or how == DEAD:
        decision.emit(Downed(who=combatant_id, how=how))
    if how == DEAD:
        decision.set_traits(combatant_id, dead=True)


def ask_fate(decision: Decision, blow: Blow) -> None:
    """AP-30: ask the GM for the fate of the target of a finisher that has succeeded, and apply it."""
    combatant, target = decision.state.combatants[blow.by], decision.state.combatants[blow.target]
    answer = decision.ask(
        prompt_for(
            target,
            kind="finished",
            question=f"{combatant.name}: {blow.act} on {target.name}. Down or dead?",
            rule="AP-30",
            choices=choices(DOWN, DEAD, "other:neither"),
            default=FINISHER_FATES.get(blow.finisher, DOWN),
        )
    )
    if answer is None:
        return
    target = decision.state.combatants[blow.target]
    apply_fate(decision, blow.target, answer.choice)
    if blow.by in decision.state.combatants:
        record_harm(decision, blow, target)


def ask_at_zero(decision: Decision, combatant_id: str) -> None:
    """AP-45, AP-51: ask the GM for the fate of a combatant at 0, and apply it."""
    combatant = decision.combatant(combatant_id)
    still = "" if combatant.able else " and was already down"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="zero",
            question=f"{combatant.name} is at 0{still}. Down or dead?",
            rule="AP-51",
            choices=choices(DOWN, DEAD, "other:neither"),
            default=DOWN,
        )
    )
    if answer is not None:
        apply_fate(decision, combatant_id, answer.choice)
