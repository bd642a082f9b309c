"""Questions of a declaration: a missing number, an unlisted pair, the share of movement it takes."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.systems.segments.state import commands, small_acts
from fightcall_engine.systems.segments.state.action import action_of, changed_parts
from fightcall_engine.systems.segments.state.fighter import Piece
from fightcall_engine.systems.segments.state.pieces import MissingInput

KEEP, ONCE, NO = "keep", "once", "no"

CANCEL = "cancel"


def ask_piece(decision: Decision, command: commands.Declare, missing: MissingInput) -> commands.Declare | None:
    """CS-138, CS-140: ask for the number that the length of a piece of work needs; None if there is none.

    Raises:
        Refused: no number was given.
    """
    answer = decision.ask(
        prompt_for(
            decision.combatant(command.who),
            kind="piece",
            question=missing.question,
            rule=missing.rule,
            choices=choices(f"{CANCEL}:never mind"),
            amount=missing.amount,
        )
    )
    if answer is None or answer.choice == CANCEL:
        return None
    amount = answer.amount if answer.amount is not None else answer.value
    if amount is None or isinstance(amount, bool) or not str(amount).strip():
        raise Refused(missing.rule, "no answer was given", (missing.amount,), final=True)
    text = str(amount).strip().replace("=", "").replace(":", "")
    key = missing.key
    components = tuple(f"{key}:{text}" if name.strip().lower() == key else name for name in command.components)
    return replace(command, components=components)


def ask_pair(decision: Decision, combatant_id: str, pair: tuple[str, str]) -> bool:
    """CS-392: ask whether an unlisted pair is allowed, this time or from now on."""
    combatant = decision.state.combatants[combatant_id]
    first, second = pair
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="pair",
            question=f"{combatant.name}: {first} and then {second} is not a listed pair. Allow it as one Action?",
            rule="CS-392",
            choices=choices(f"{ONCE}:yes, this time", f"{KEEP}:yes, from now on", f"{NO}:no"),
            default=NO,
        )
    )
    if answer is not None and answer.choice == KEEP:
        decision.emit(*small_acts.save_pair(decision.state, first, second))
    return answer is not None and answer.choice != NO


def ask_share(decision: Decision, combatant_id: str) -> None:
    """CS-393: offer a share of the distance other than a quarter for an act beside movement."""
    combatant = decision.state.combatants[combatant_id]
    act = small_acts.act_beside_moving(action_of(combatant))
    if act is None:
        return
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="share",
            question=f"How much of {combatant.name}'s distance does {act.key} take?",
            rule="CS-393",
            choices=choices("quarter:a quarter", "half"),
            default="half" if act.qa == small_acts.HALF else "quarter",
            blocking=False,
        )
    )
    if answer is None:
        return
    combatant = decision.state.combatants[combatant_id]
    action = action_of(combatant)
    act = small_acts.act_beside_moving(action)
    if act is None or not action.is_open:
        return
    share = small_acts.HALF if answer.choice == "half" else small_acts.QUARTER
    pieces = [Piece(piece.key, share) if piece == act else piece for piece in action.components]
    within = changed_parts(combatant, components=tuple(pieces))
    if within:
        decision.emit(TraitsChanged(who=combatant_id, within=within))
