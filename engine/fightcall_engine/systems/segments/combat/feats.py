"""Heroic Effects and Bumbles: what a great success or failure brings, as the GM picks (CS-635 to CS-641, CS-652).

A hit asks before it lands, a Contested Roll before it is settled; any other check has its menu as an offer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Downed, Event, Restored
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.combat import hit_effects, reprisal_offers
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import events, figures, harm_events, items, tokens
from fightcall_engine.systems.segments.state.action import ATTACKS, ActionChanges, action_of, changed_parts
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.fighter import Feat, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedBlow, AskedOf, FeatNumber, LostContest, LostStrike
from fightcall_engine.systems.segments.state.settings import settings_of

HEROIC, BUMBLE, DOUBLE, DEFENDED, BACK = "heroic", "bumble", "heroic_blow", "heroic_defence", "back_up"
"""Kinds of prompts: what a check brings, a Bumble, a hit, a defence that held; whether who was put out is up again."""

_ASKED_ELSEWHERE = (
    "attack", "opportunity", "reprisal", "stray shot", "defence", "body_check", "tackle", "overbear", "stand",
    "P-RES", "HRT",
)  # fmt: skip
"""Checks that ask before they are settled, and those of body and heart, which success or failure settles."""

_BATTLE = ("achieved:the purpose is achieved", "incapacitated:the foe is out of it, clean escape")

_REPRISAL = "reprisal:the defence earns a Reprisal"

_TASK = (
    "time:time halved",
    "yield:more comes of it",
    "loss:half the loss",
    "magick:POT of the magick raised",
)


def follow_roll(decision: Decision, event: events.CheckResolved) -> None:
    """CS-635 to CS-641, CS-651: what a roll is besides a success or a failure, its token and the GM's menu."""
    state = decision.state
    what: heroics.Feat | None = "heroic" if event.heroic else "bumble" if event.bumble else None
    combatant = state.combatants.get(event.who)
    if what is None or combatant is None:
        return
    kind = harm_events.HeroicEffect if what == "heroic" else harm_events.Bumble
    decision.emit(kind(who=combatant.id, kind=event.kind, chance=event.chance, roll=event.roll))
    at_once, token = heroics.rewards(what, token_mode(state))
    if token is not None:
        decision.emit(*tokens.give_token(combatant, token.colour))
    if at_once and what == "bumble":
        decision.ask(_bumble_prompt(state, combatant, event))
    elif at_once and event.kind not in _ASKED_ELSEWHERE:
        decision.ask(_menu_prompt(state, combatant, event))


def _menu_prompt(state: FightState, combatant: Combatant, check: events.CheckResolved) -> Prompt:
    battle = bool(check.target)
    return prompt_for(
        combatant, kind=HEROIC, rule="CS-639" if battle else "CS-640",
        question=f"Heroic Effect of {combatant.name} ({check.kind} {check.roll} at {check.chance} %): what follows?",
        choices=choices("plain:nothing more", *(_BATTLE if battle else _TASK), *other_feats(state)),
        default="plain", blocking=False,
        resume=AskedOf(other=check.target),
    )  # fmt: skip


def _bumble_prompt(state: FightState, combatant: Combatant, check: events.CheckResolved) -> Prompt:
    tool = tool_of(combatant)
    wound = "wound:a wound to oneself" + (", as on 00" if check.roll == 100 else "")
    mishaps = (f"breaks:{tool or 'the tool'} breaks", wound, "jammed:picks are jammed", "spilled:it spills",
              "spoiled:material is spoiled")  # fmt: skip
    return prompt_for(
        combatant, kind=BUMBLE, rule="CS-641",
        question=f"Bumble of {combatant.name} ({check.kind} {check.roll} at {check.chance} %): what comes of it?",
        choices=choices("plain:nothing more", *mishaps, *other_feats(state)), default="plain",
        blocking=False, resume=AskedOf(other=check.target),
    )  # fmt: skip


@answers(HEROIC, BUMBLE)
def answer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """What the GM picked: what has a number or a rule takes effect, the rest is told and called to mind."""
    carry_out(decision, prompt, answer.choice, resume_of(prompt, AskedOf).other)


# A hit that is more


def is_heroic(new_events: Iterable[Event]) -> bool:
    """Whether the roll of an attack was a Heroic Effect."""
    return any(isinstance(event, events.CheckResolved) and event.heroic for event in new_events)


def tells_at_once(state: FightState) -> bool:
    """True where a Heroic Effect has its effect at once, and not a token in its place (CS-652)."""
    return token_mode(state) != "token"


def resolve_hit(decision: Decision, blow: Blow, dice: Dice | None) -> None:
    """What a hit does; where it is a Heroic Effect that tells at once, the GM picks first (CS-547, CS-639)."""
    if not blow.heroic or not tells_at_once(decision.state):
        hit_effects.apply_hit(decision, blow, dice)
        return
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    prompt = prompt_for(
        combatant, kind=DOUBLE, rule="CS-639", question=f"{combatant.name} hits {target.name}: a Heroic Effect. Which?",
        choices=choices("double:POT doubled", *_BATTLE, "plain:nothing more", *other_feats(decision.state)),
        default="double", resume=AskedBlow(blow=blow),
    )  # fmt: skip
    decision.ask(prompt)


@answers(DOUBLE)
def answer_hit(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-547, CS-639: the blow lands as the GM says."""
    blow = resume_of(prompt, AskedBlow).blow
    hit_effects.apply_hit(decision, replace(blow, doubled=answer.choice == "double"), decision.dice)
    carry_out(decision, prompt, answer.choice, blow.target)


# Contested Rolls


def overturn_prompt(
    state: FightState,
    combatant_id: str,
    other: str,
    kind: str,
    lost_roll: LostStrike | LostContest,
    *,
    attacks: bool,
    doubles: bool = False,
) -> Prompt:
    """CS-635, CS-639: whoever rolled a Heroic Effect and lost the Contested Roll all the same may yet prevail.

    Args:
        state: the fight.
        combatant_id: whose Heroic Effect it is.
        other: the other side of the contest.
        kind: the kind of the prompt, which says who goes on.
        lost_roll: what is needed to go on.
        attacks: it is the attacker.
        doubles: and there is a POT to double.
    """
    combatant, foe = state.combatants[combatant_id], state.combatants[other]
    won = ("achieved:prevails all the same",)
    harder = ("double:with double POT",) if doubles else ()
    more = (*won, *harder, "incapacitated:and the foe is out of it") if attacks else (f"{won[0]}, with a Reprisal",)
    return prompt_for(
        combatant, kind=kind, rule="CS-639",
        question=f"{combatant.name} rolled a Heroic Effect, and {foe.name} did better. Which counts?",
        choices=choices(*more, "plain:the margins count", *other_feats(state)), default="achieved",
        resume=lost_roll,
    )  # fmt: skip


def offer_contest_feat(decision: Decision, combatant_id: str, foe_id: str) -> None:
    """CS-639: who has won body against body by a Heroic Effect has his purpose; what else the GM picks."""
    combatant, foe = decision.state.combatants[combatant_id], decision.state.combatants[foe_id]
    prompt = prompt_for(
        combatant, kind=HEROIC, rule="CS-639",
        question=f"{combatant.name} has won by a Heroic Effect against {foe.name}: what follows?",
        choices=choices("plain:nothing more", *_BATTLE, *other_feats(decision.state)), default="plain", blocking=False,
        resume=AskedOf(other=foe_id),
    )  # fmt: skip
    decision.ask(prompt)


def offer_defence_feat(decision: Decision, blow: Blow) -> None:
    """CS-639: a heroic defence that held earns a Reprisal at once, also where it waits; or what else the GM picks."""
    state = decision.state
    combatant, foe = state.combatants[blow.target], state.combatants[blow.attacker]
    earns = combatant.able and foe.able and reprisal_offers.is_put_off(state, blow)
    offers = (_REPRISAL, *_BATTLE) if earns else _BATTLE
    prompt = prompt_for(
        combatant, kind=DEFENDED, rule="CS-639",
        question=f"Heroic Effect of {combatant.name} in defence against {foe.name}: what comes of it?",
        choices=choices(*offers, "plain:nothing more", *other_feats(state)),
        default="reprisal" if earns else "plain", blocking=earns,
        resume=AskedBlow(blow=blow),
    )  # fmt: skip
    decision.ask(prompt)


@answers(DEFENDED)
def answer_defended(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-639: the Reprisal that it earns, or something else."""
    blow = resume_of(prompt, AskedBlow).blow
    if answer.choice == "reprisal":
        decision.emit(*reprisal_offers.offer_at_once(decision.state, blow))
    carry_out(decision, prompt, answer.choice, blow.attacker)


# Back on his feet


def back_question(decision: Decision) -> None:
    """CS-639: at the end of the segment after, whether a foe who was put out of it is up again."""
    state = decision.state
    for combatant in state.roster:
        until = fighter_of(combatant).out_until
        if 0 < until <= state.round:
            decision.emit(*figures.set_traits(combatant, out_until=0))
            if not combatant.able and fighter_of(combatant).life == figures.UP:
                decision.ask(_back_prompt(combatant))


def _back_prompt(combatant: Combatant) -> Prompt:
    return prompt_for(
        combatant, kind=BACK, rule="CS-639", question=f"A Heroic Effect put {combatant.name} out of it. Up again?",
        choices=choices("up:up again:y", "no:not yet"), default="no", blocking=False,
    )  # fmt: skip


@answers(BACK)
def answer_back(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """He can act again; or the GM restores him later."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    if answer.choice == "up" and not combatant.able:
        decision.emit(Restored(who=combatant.id))


# What the GM picks from the menu, carried out

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
    within: ActionChanges | None = None,
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
