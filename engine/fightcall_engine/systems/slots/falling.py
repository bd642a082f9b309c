"""Who falls, and how: at no hit points, and to a Knockout or an Execution (AP-30, AP-45, AP-51)."""

from fightcall_engine.kit.prompts import choices
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import figures as fg

DOWN, DEAD = "down", "dead"
FATE_OF_FINISHED = {"knockout": DOWN, "execution": DEAD}
"""What the name of a finisher says of whoever it succeeds against; the text defines neither."""


def fate(state: FightState, combatant_id: str, how: str) -> ev.Events:
    """AP-45, AP-51: down, dead, or neither."""
    combatant = state.combatants[combatant_id]
    if how not in (DOWN, DEAD):
        return ()
    fell = (ev.Downed(who=combatant_id, how=how),) if combatant.able or how == DEAD else ()
    return (*fell, *((fg.set_trait(combatant, "dead", True),) if how == DEAD else ()))


def finished_prompt(by: Combatant, target: Combatant, what: str, finisher: str) -> Prompt:
    """AP-30: a finisher has succeeded; what becomes of the target is the GM's to say."""
    return Prompt(
        id="",
        kind="finished",
        question=f"{by.name}: {what} on {target.name}: down or dead?",
        rule="AP-30",
        choices=choices(DOWN, DEAD, "other:neither"),
        default=FATE_OF_FINISHED.get(finisher, DOWN),
        who=target.id,
        side=target.side,
        data={"by": by.id, "what": what},
    )
