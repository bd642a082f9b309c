"""Losses, and the morale check that may follow them (SB-38)."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rulings import record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import events, records
from fightcall_engine.systems.stage.records import scene_of


def count_loss(state: FightState, side: str) -> tuple[events.LossCounted, ...]:
    """SB-38: the event of a side's loss in a strike phase; none in other phases."""
    if state.phase not in records.STRIKE_PHASES:
        return ()
    before = scene_of(state).losses
    return (events.LossCounted(before=before, value=(*before, side)),)


def offer_checks(decision: Decision) -> None:
    """Ask for the morale of each side that has lost figures in this half and has some left."""
    losses = scene_of(decision.state).losses
    for side in dict.fromkeys(losses):
        if records.side_able(decision.state, side):
            _offer_check(decision, side)
    decision.set_facts(losses=())


def _offer_check(decision: Decision, side: str) -> None:
    """Ask whether a side checks morale, naming everybody who is down, not only in this half."""
    members = [combatant for combatant in decision.state.combatants.values() if combatant.side == side]
    down = len(members) - len(records.side_able(decision.state, side))
    down_text = f" with {down} of {len(members)} down" if down else ""
    decision.emit(_morale_asked(decision.state, side))
    prompt = prompt_for(
        None,
        kind="morale",
        question=f"Does the {side}'s morale hold{down_text}?",
        rule="SB-38",
        choices=choices("skip:no check:-", "holds:yes, it holds", "fails:no, it fails"),
        default="skip",
        side=side,
        blocking=False,
    )
    decision.spawn(_ask_result, prompt)


def _ask_result(decision: Decision, prompt: Prompt) -> None:
    """Ask for the result of a check, and apply it if there was one."""
    answer = decision.ask(prompt)
    if answer is not None and answer.choice != "skip":
        decision.emit(events.MoraleChecked(side=prompt.side, passed=answer.choice == "holds", note=answer.note))


def _morale_asked(state: FightState, side: str) -> events.MoraleAsked:
    """The event of asking for a side's morale, which clears the losses of that side only."""
    before = scene_of(state).losses
    return events.MoraleAsked(side=side, before=before, value=tuple(each for each in before if each != side))


@rules_on("morale")
def rule_morale(decision: Decision, command: Rule) -> None:
    """Rule on the morale of a side, of a figure's side, or of the foe; ask for the result if none is given."""
    side = command.who or records.FOE
    if side not in records.SIDES:
        side = decision.combatant(side).side
    if command.value not in ("holds", "fails"):
        _offer_check(decision, side)
        return
    decision.emit(
        record_ruling("SB-38", f"Morale of the {side}", command.value),
        _morale_asked(decision.state, side),
        events.MoraleChecked(side=side, passed=command.value == "holds", note=command.note),
    )
