"""The agenda runner of the kit, in a system that says no more than it must."""

from __future__ import annotations

from fightcall_engine import kit
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Agenda


class Tidy(kit.BaseSystem):
    """Everybody acts, and then it is tidied up."""

    id, title = "tidy", "Tidying up"

    def is_instant(self, step: kit.Step) -> bool:
        return step.kind == "upkeep"

    def on_step_begin(self, decision: kit.Decision, step: kit.Step) -> None:
        if step.kind == "upkeep":
            decision.emit(ev.NoteAdded(text="tidied up"))


STEPS = (kit.Step("acts", "acts", "acts", "Acts"), kit.Step("upkeep", "upkeep", "upkeep", "Upkeep"))
ASH = kit.Combatant("ash", "A", "Ash", "party", {})
STATE = kit.FightState(
    "f", "Test", "tidy", "1", status="running", agenda=Agenda(STEPS, 0), combatants={"ash": ASH}, order=("ash",)
)


def test_a_step_in_which_nobody_has_a_say_begins_and_ends_by_itself() -> None:
    decision = kit.Decision(STATE)
    Tidy().close_step(decision, kit.BY_GM)
    assert [event.type for event in decision.events] == [
        "StepEnded",
        "StepBegan",
        "NoteAdded",
        "StepEnded",
        "RoundEnded",
    ]
