"""What the GM picks from the menu of a Heroic Effect or a Bumble, carried out (CS-639 to CS-641, CS-652)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Downed
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import figures, harm_events, items, tokens
from fightcall_engine.systems.segments.state.action import ATTACKS, Within, action_of, changed_parts
from fightcall_engine.systems.segments.state.fighter import Feat
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import FeatNumber
from fightcall_engine.systems.segments.state.settings import settings_of

NUMBER = "heroic_number"
"""The kind of the prompt for a number that a Heroic Effect changes and nobody has told yet."""

MOST = 9999

# Effect or token


def token_mode(state: FightState) -> heroics.TokenMode:
    """What a great success or failure gives: without the option of tokens always its effect (CS-652)."""
    return settings_of(state).token_mode if settings_of(state).fate_tokens else "effect"


def other_feats(state: FightState) -> tuple[str, ...]:
    """CS-652: a token in place of the effect, or a greater effect for it now."""
    if not settings_of(state).fate_tokens:
        return ()
    token = ("token:a token instead",) if token_mode(state) == "effect" else ()
    return (*token, "deed:a greater effect now, for the token")


# What is picked


def carry_out(decision: Decision, prompt: Prompt, choice: str, foe_id: str) -> None:
    """What was picked takes effect; what only the GM can tell is told, and called to mind in this segment.

    `foe_id` is whom the check was made against; empty for nobody.
    """
    combatant = decision.state.combatants[prompt.who]
    bumble = prompt.rule == "CS-641"
    if choice == "token":
        decision.emit(*tokens.give_token(combatant, "black" if bumble else "white"))
    elif choice == "deed":
        _buy_greater_effect(decision, combatant, bumble)
    elif choice == "wound":
        decision.emit(harm(decision.state, combatant.id, 1, figures.HP))
    elif choice == "breaks":
        _break_tool(decision, combatant)
    elif choice == "incapacitated":
        put_out(decision, foe_id)
    elif choice == "time":
        _halve_time(decision, combatant)
    elif choice in _NUMBERS:
        decision.ask(_number_prompt(combatant, choice))
    elif choice in _LEFT_TO_THE_GM:
        rule = "CS-641" if bumble else prompt.rule
        decision.emit(record_feat(decision.state, combatant, choice, rule, _LEFT_TO_THE_GM[choice], due=True))


_LEFT_TO_THE_GM: Mapping[str, str] = {
    "achieved": "the purpose is achieved",
    "yield": "more comes of it",
    "jammed": "jams the work",
    "spilled": "spills it",
    "spoiled": "spoils the material",
}


def record_feat(
    state: FightState,
    combatant: Combatant,
    choice: str,
    rule: str,
    label: str,
    *,
    before: str = "",
    after: str = "",
    unit: str = "",
    due: bool = False,
    within: Within | None = None,
) -> harm_events.FeatChosen:
    """The fact of what was picked."""
    changes: Mapping[str, Json] = {"feat": Feat(label, state.round)} if due else {}
    return harm_events.FeatChosen(
        who=combatant.id, traits=changes, within=within or {}, choice=choice, label=label, rule=rule, before=before,
        after=after, unit=unit, due=due,
    )  # fmt: skip


def _buy_greater_effect(decision: Decision, combatant: Combatant, bumble: bool) -> None:
    """CS-652: where a token has been given besides, it is spent on this."""
    colour = "black" if bumble else "white"
    if token_mode(decision.state) == "both":
        decision.emit(*tokens.spend_token(combatant, colour, "a greater effect"))
    decision.ask(ask_effect(combatant))


def put_out(decision: Decision, combatant_id: str) -> None:
    """CS-639: the foe is out of it until the end of the next segment at least, and takes no parting shot."""
    target = decision.state.combatants.get(combatant_id)
    if target is None or not target.able:
        return
    decision.emit(*figures.set_traits(target, out_until=decision.state.round + 1))
    decision.emit(Downed(who=combatant_id, how="a Heroic Effect"))


# Time


def _halve_time(decision: Decision, combatant: Combatant) -> None:
    """CS-640: what is still at work takes half as long; what is done was done in half the time."""
    action = action_of(combatant)
    before, after = action.need, heroics.time_halved(action.need)
    can_halve = bool(action.state) and action.kind not in ATTACKS and before > after
    if not can_halve:
        decision.emit(record_feat(decision.state, combatant, "time", "CS-640", "it takes half the time", due=True))
        return
    within = changed_parts(combatant, need=after) if action.is_open else {}
    decision.emit(
        record_feat(
            decision.state, combatant, "time", "CS-640", "it takes half the time", before=str(before), after=str(after),
            unit="qa", within=within,
        )
    )  # fmt: skip


# Numbers that only the GM knows

_NUMBERS: Mapping[str, tuple[str, str]] = {
    "loss": ("how much is lost as a rule?", "percent lost"),
    "magick": ("what is the POT of the magick?", "POT of the magick"),
    "mga": ("what is the caster's MGA?", "MGA"),
}


def _number_prompt(combatant: Combatant, what: str, pot: int = 0) -> Prompt:
    question, amount = _NUMBERS[what]
    return prompt_for(
        combatant, kind=NUMBER, rule="CS-640", question=f"Heroic Effect of {combatant.name}: {question}",
        choices=choices("untold:the GM reckons it"), default="untold",
        amount=amount,
        blocking=False, resume=FeatNumber(what=what, pot=pot),
    )  # fmt: skip


@answers(NUMBER)
def answer_number(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-640: half the loss; a magick's POT raised by MGA or doubled, whichever is less.

    Raises:
        Refused: it is no such number.
    """
    state = decision.state
    combatant, question = state.combatants[prompt.who], resume_of(prompt, FeatNumber)
    what = question.what
    if answer.choice == "untold":
        label = "half the loss" if what == "loss" else "POT of the magick raised"
        decision.emit(record_feat(state, combatant, what, "CS-640", label, due=True))
        return
    number, most = answer.amount, 100 if what == "loss" else MOST
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise Refused("CS-640", f"{number!r} is no {prompt.amount}", (f"0 to {most}", "untold"), final=True)
    if what == "loss":
        half = f"{float(heroics.loss_halved(number)):g}"
        decision.emit(
            record_feat(
                state, combatant, what, "CS-640", "half the loss", before=str(number), after=half, unit="% lost"
            )
        )
        return
    mga = profile_of(combatant).skill("mga")
    pot = number
    if what == "mga":
        pot, mga = question.pot, number
    if mga is None:
        decision.ask(_number_prompt(combatant, "mga", pot))
        return
    raised_pot = str(heroics.magick_raised(pot, mga))
    decision.emit(
        record_feat(
            state, combatant, "magick", "CS-640", "the magick is raised", before=str(pot), after=raised_pot, unit="POT"
        )
    )


# Tools


def tool_of(combatant: Combatant) -> str:
    """What breaks in somebody's hand: the weapon of the Action, else what is held first; empty for bare hands."""
    weapon = action_of(combatant).weapon
    names = [items.name_of(thing) for thing in items.items_in_hand(combatant).values()]
    return weapon if weapon in names else next(iter(names), "")


def _break_tool(decision: Decision, combatant: Combatant) -> None:
    tool = tool_of(combatant)
    if not tool:
        decision.emit(record_feat(decision.state, combatant, "breaks", "CS-641", "the tool breaks", due=True))
        return
    decision.emit(harm_events.ToolBroken(who=combatant.id, traits=items.broken_traits(combatant, tool), tool=tool))


WHICH = "heroic_deed"
"""The kind of the prompt for which deed it is that a token buys at once (CS-652)."""


# Bought with a token


def ask_effect(combatant: Combatant) -> Prompt:
    """CS-652: a token that is spent at once buys a greater effect: which?"""
    return prompt_for(
        combatant,
        kind=WHICH,
        question=f"{combatant.name}, a heroic deed (HRT {profile_of(combatant).scores.hrt} at most): which score?",
        rule="CS-652",
        choices=choices("none:nothing after all"),
        default="none",
        amount="such as str 5, pot 3 act, av 4 until orc",
    )
