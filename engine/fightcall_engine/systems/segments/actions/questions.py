"""Questions of a declaration: a missing number, an unlisted pair, the share of movement it takes."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events, RulingAsked, TraitsChanged
from fightcall_engine.model.state import Combatant, Prompt
from fightcall_engine.systems.segments.state import commands, small_acts
from fightcall_engine.systems.segments.state.action import action_of, changed_parts
from fightcall_engine.systems.segments.state.fighter import Action, Piece
from fightcall_engine.systems.segments.state.pieces import MissingInput
from fightcall_engine.systems.segments.state.questions import AskedDeclaration, without_dice

PIECE, PAIR, SHARE = "piece", "pair", "share"
"""The kinds of questions: a piece of work that needs a number, an unlisted pair, the share of movement."""

KEEP, ONCE, NO = "keep", "once", "no"

CANCEL = "cancel"


def ask_piece(combatant: Combatant, command: commands.Declare, missing: MissingInput) -> Events:
    """CS-138, CS-140: ask for the number that the length of a piece of work needs."""
    prompt = prompt_for(
        combatant,
        kind=PIECE,
        question=missing.question,
        rule=missing.rule,
        choices=choices(f"{CANCEL}:never mind"),
        amount=missing.amount,
        resume=AskedDeclaration(command=without_dice(command), piece=missing.key),
    )
    return (RulingAsked(prompt=prompt),)


def add_piece_number(prompt: Prompt, answer: Answer) -> commands.Declare:
    """The declaration with the missing number.

    Raises:
        Refused: no number was given.
    """
    question = resume_of(prompt, AskedDeclaration)
    command, key = question.command, question.piece
    amount = answer.amount if answer.amount is not None else answer.value
    if amount is None or isinstance(amount, bool) or not str(amount).strip():
        raise Refused(prompt.rule, "no answer was given", (prompt.amount,), final=True)
    text = str(amount).strip().replace("=", "").replace(":", "")
    components = tuple(f"{key}:{text}" if name.strip().lower() == key else name for name in command.components)
    return replace(command, components=components)


def ask_pair(combatant: Combatant, command: commands.Declare, pair: tuple[str, str]) -> Events:
    """CS-392: ask whether an unlisted pair is allowed, and for how long."""
    first, second = pair
    prompt = prompt_for(
        combatant,
        kind=PAIR,
        question=f"{combatant.name}: {first} and then {second} is not a listed pair. Allow it as one Action?",
        rule="CS-392",
        choices=choices(f"{ONCE}:yes, this time", f"{KEEP}:yes, from now on", f"{NO}:no"),
        default=NO,
        resume=AskedDeclaration(command=without_dice(command)),
    )
    return (RulingAsked(prompt=prompt),)


def ask_share(combatant: Combatant, action: Action) -> Events:
    """CS-393: offer a share of the distance other than a quarter for an act beside movement."""
    act = small_acts.act_beside_moving(action)
    if act is None:
        return ()
    default = "half" if act.qa == small_acts.HALF else "quarter"
    prompt = prompt_for(
        combatant,
        kind=SHARE,
        question=f"How much of {combatant.name}'s distance does {act.key} take?",
        rule="CS-393",
        choices=choices("quarter:a quarter", "half"),
        default=default,
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


@answers(SHARE)
def answer_share(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-393: the act takes a quarter or a half."""
    combatant = decision.state.combatants[prompt.who]
    action = action_of(combatant)
    act = small_acts.act_beside_moving(action)
    if act is None or not action.is_open:
        return
    share = small_acts.HALF if answer.choice == "half" else small_acts.QUARTER
    pieces = [Piece(piece.key, share) if piece == act else piece for piece in action.components]
    within = changed_parts(combatant, components=tuple(pieces))
    if within:
        decision.emit(TraitsChanged(who=combatant.id, within=within))
