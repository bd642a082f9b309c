"""Heroic Effects and Bumbles: what a great success or failure brings, as the GM picks (CS-635 to CS-641, CS-652).

A hit asks before it lands, a Contested Roll before it is settled; any other check has its menu as an offer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.events import Event, Restored
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.combat import feat_menu, hit_effects, reprisal_offers
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import events, figures, harm_events, tokens
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedBlow, AskedOf, LostContest, LostStrike

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
    at_once, token = heroics.rewards(what, feat_menu.token_mode(state))
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
        choices=choices("plain:nothing more", *(_BATTLE if battle else _TASK), *feat_menu.other_feats(state)),
        default="plain", blocking=False,
        resume=AskedOf(other=check.target),
    )  # fmt: skip


def _bumble_prompt(state: FightState, combatant: Combatant, check: events.CheckResolved) -> Prompt:
    tool = feat_menu.tool_of(combatant)
    wound = "wound:a wound to oneself" + (", as on 00" if check.roll == 100 else "")
    mishaps = (f"breaks:{tool or 'the tool'} breaks", wound, "jammed:picks are jammed", "spilled:it spills",
              "spoiled:material is spoiled")  # fmt: skip
    return prompt_for(
        combatant, kind=BUMBLE, rule="CS-641",
        question=f"Bumble of {combatant.name} ({check.kind} {check.roll} at {check.chance} %): what comes of it?",
        choices=choices("plain:nothing more", *mishaps, *feat_menu.other_feats(state)), default="plain",
        blocking=False, resume=AskedOf(other=check.target),
    )  # fmt: skip


@answers(HEROIC, BUMBLE)
def answer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """What the GM picked: what has a number or a rule takes effect, the rest is told and called to mind."""
    feat_menu.carry_out(decision, prompt, answer.choice, resume_of(prompt, AskedOf).other)


# A hit that is more


def is_heroic(new_events: Iterable[Event]) -> bool:
    """Whether the roll of an attack was a Heroic Effect."""
    return any(isinstance(event, events.CheckResolved) and event.heroic for event in new_events)


def tells_at_once(state: FightState) -> bool:
    """True where a Heroic Effect has its effect at once, and not a token in its place (CS-652)."""
    return feat_menu.token_mode(state) != "token"


def resolve_hit(decision: Decision, blow: Blow, dice: Dice | None) -> None:
    """What a hit does; where it is a Heroic Effect that tells at once, the GM picks first (CS-547, CS-639)."""
    if not blow.heroic or not tells_at_once(decision.state):
        hit_effects.apply_hit(decision, blow, dice)
        return
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    prompt = prompt_for(
        combatant, kind=DOUBLE, rule="CS-639", question=f"{combatant.name} hits {target.name}: a Heroic Effect. Which?",
        choices=choices("double:POT doubled", *_BATTLE, "plain:nothing more", *feat_menu.other_feats(decision.state)),
        default="double", resume=AskedBlow(blow=blow),
    )  # fmt: skip
    decision.ask(prompt)


@answers(DOUBLE)
def answer_hit(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-547, CS-639: the blow lands as the GM says."""
    blow = resume_of(prompt, AskedBlow).blow
    hit_effects.apply_hit(decision, replace(blow, doubled=answer.choice == "double"), decision.dice)
    feat_menu.carry_out(decision, prompt, answer.choice, blow.target)


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
        choices=choices(*more, "plain:the margins count", *feat_menu.other_feats(state)), default="achieved",
        resume=lost_roll,
    )  # fmt: skip


def offer_defence_feat(decision: Decision, blow: Blow) -> None:
    """CS-639: a heroic defence that held earns a Reprisal, whatever the dice say; or what else the GM picks."""
    state = decision.state
    combatant, foe = state.combatants[blow.target], state.combatants[blow.attacker]
    earns = not blow.ranged and combatant.able and foe.able and reprisal_offers.offer_to(state, combatant) is None
    offers = (_REPRISAL, *_BATTLE) if earns else _BATTLE
    prompt = prompt_for(
        combatant, kind=DEFENDED, rule="CS-639",
        question=f"Heroic Effect of {combatant.name} in defence against {foe.name}: what comes of it?",
        choices=choices(*offers, "plain:nothing more", *feat_menu.other_feats(state)),
        default="reprisal" if earns else "plain", blocking=earns,
        resume=AskedBlow(blow=blow),
    )  # fmt: skip
    decision.ask(prompt)


@answers(DEFENDED)
def answer_defended(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-639: the Reprisal that it earns, or something else."""
    blow = resume_of(prompt, AskedBlow).blow
    if answer.choice == "reprisal":
        decision.emit(*reprisal_offers.offer_reprisal(decision.state, blow, always=True))
    feat_menu.carry_out(decision, prompt, answer.choice, blow.attacker)


# Back on his feet


def back_question(decision: Decision) -> None:
    """CS-639: at the end of the segment after, whether a foe who was put out of it is up again."""
    state = decision.state
    for combatant in figures.in_order(state):
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
