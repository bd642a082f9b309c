"""Heroic Effects and Bumbles: their effects, as the GM picks them (CS-635 to CS-641, CS-652).

The question comes before a hit lands and before a Contested Roll is resolved; other checks only offer their menu.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import Downed, Restored
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.combat import heroic_deeds, hit_effects, potence, reprisal_offers
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import events, harm_events, items, queries, tokens
from fightcall_engine.systems.segments.state.action import ATTACKS, ActionChanges, action_of, changed_parts
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.fighter import Feat, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import number_of
from fightcall_engine.systems.segments.state.settings import settings_of

HEROIC, BUMBLE, DOUBLE, DEFENDED, BACK = "heroic", "bumble", "heroic_blow", "heroic_defence", "back_up"
"""The kinds of questions: a check, a Bumble, a hit, a defence that held, and whether a foe is up again."""

_ASKED_ELSEWHERE = (
    "attack", "opportunity", "reprisal", "stray shot", "defence", "body_check", "tackle", "overbear", "stand",
    "P-RES", "HRT",
)  # fmt: skip
"""Checks that ask before they are resolved, and those of body and mind, which are only success or failure."""

_BATTLE = ("achieved:the purpose is achieved", "incapacitated:the foe is out of action, clean escape")

_REPRISAL = "reprisal:the defence earns a Reprisal"

_TASK = (
    "time:time halved",
    "yield:more yield",
    "loss:half the loss",
    "magick:POT of the magick raised",
)


def follow_roll(decision: Decision, event: events.CheckResolved) -> None:
    """CS-635 to CS-641, CS-651: a Heroic Effect or Bumble of a roll: its token, and the GM's menu."""
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
        decision.spawn(_ask_menu, _bumble_prompt(state, combatant, event))
    elif at_once and event.kind not in _ASKED_ELSEWHERE:
        decision.spawn(_ask_menu, _menu_prompt(state, combatant, event))


def _menu_prompt(state: FightState, combatant: Combatant, check: events.CheckResolved) -> Prompt:
    battle = bool(check.target)
    return prompt_for(
        combatant, kind=HEROIC, rule="CS-639" if battle else "CS-640",
        question=f"Heroic Effect of {combatant.name} ({check.kind} {check.roll} at {check.chance} %). Which effect?",
        choices=choices("plain:nothing more", *(_BATTLE if battle else _TASK), *other_feats(state)),
        default="plain", blocking=False,
        about=tuple(filter(None, (check.target,))),
    )  # fmt: skip


def _bumble_prompt(state: FightState, combatant: Combatant, check: events.CheckResolved) -> Prompt:
    tool = tool_of(combatant)
    wound = "wound:a self-inflicted wound" + (", as on 00" if check.roll == 100 else "")
    mishaps = (f"breaks:{tool or 'the tool'} breaks", wound, "jammed:picks are jammed", "spilled:it spills",
              "spoiled:material is spoiled")  # fmt: skip
    return prompt_for(
        combatant, kind=BUMBLE, rule="CS-641",
        question=f"Bumble of {combatant.name} ({check.kind} {check.roll} at {check.chance} %). What happens?",
        choices=choices("plain:nothing more", *mishaps, *other_feats(state)), default="plain",
        blocking=False, about=tuple(filter(None, (check.target,))),
    )  # fmt: skip


def _ask_menu(decision: Decision, prompt: Prompt) -> None:
    """Apply the GM's pick: numbers and rules take effect, other effects are recorded and shown as reminders."""
    answer = decision.ask(prompt)
    if answer is not None:
        apply_pick(decision, prompt.who, answer.choice, "".join(prompt.about), prompt.rule)


# Heroic hits


def has_immediate_effect(state: FightState) -> bool:
    """Whether a Heroic Effect takes effect at once, and is not replaced by a token (CS-652)."""
    return token_mode(state) != "token"


def resolve_hit(decision: Decision, blow: Blow, late: bool = False) -> None:
    """Apply a hit; if it is a Heroic Effect that takes effect at once, the GM picks first (CS-547, CS-639).

    Late are shots that land in the segment after (CS-285): dice for their wounds are asked for.
    """
    if not blow.heroic or not has_immediate_effect(decision.state):
        hit_effects.apply_hit(decision, blow, late)
        return
    blow = potence.with_strength(decision.state, blow)
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    prompt = prompt_for(
        combatant, kind=DOUBLE, rule="CS-639",
        question=f"{combatant.name} hits {target.name} with a Heroic Effect. Which one?",
        choices=choices("double:POT doubled", *_BATTLE, "plain:nothing more", *other_feats(decision.state)),
        default="double", about=(target.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None:
        hit_effects.apply_hit(decision, replace(blow, doubled=answer.choice == "double"))
        apply_pick(decision, blow.attacker, answer.choice, blow.target)


# Contested Rolls


def ask_overturn(
    decision: Decision, combatant_id: str, other: str, kind: str, *, attacks: bool, doubles: bool = False
) -> str | None:
    """CS-635, CS-639: ask whether a side that lost in spite of a Heroic Effect prevails; None if one has left.

    Args:
        decision: the decision.
        combatant_id: the one with the Heroic Effect.
        other: the id of the other side.
        kind: the kind of the question.
        attacks: whether it is the attacker.
        doubles: whether there is a POT to double.
    """
    state = decision.state
    combatant, foe = state.combatants[combatant_id], state.combatants[other]
    won = ("achieved:prevails anyway",)
    harder = ("double:with double POT",) if doubles else ()
    more = (*won, *harder, "incapacitated:and the foe is out of action") if attacks else (f"{won[0]}, with a Reprisal",)
    prompt = prompt_for(
        combatant, kind=kind, rule="CS-639",
        question=f"{combatant.name} rolled a Heroic Effect, but {foe.name} did better. Which counts?",
        choices=choices(*more, "plain:the margins count", *other_feats(state)), default="achieved", about=(other,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    return None if answer is None else answer.choice


def offer_contest_feat(decision: Decision, combatant_id: str, foe_id: str) -> None:
    """CS-639: offer more effects to the winner of a contest by a Heroic Effect."""
    combatant, foe = decision.state.combatants[combatant_id], decision.state.combatants[foe_id]
    prompt = prompt_for(
        combatant, kind=HEROIC, rule="CS-639",
        question=f"{combatant.name} beats {foe.name} with a Heroic Effect. Which one?",
        choices=choices("plain:nothing more", *_BATTLE, *other_feats(decision.state)), default="plain", blocking=False,
        about=(foe_id,),
    )  # fmt: skip
    _ask_menu(decision, prompt)


def offer_defence_feat(decision: Decision, blow: Blow) -> None:
    """CS-639: offer a Reprisal at once, even a postponed one, or another effect, for a heroic defence that held."""
    state = decision.state
    combatant, foe = state.combatants[blow.target], state.combatants[blow.attacker]
    earns = combatant.able and foe.able and reprisal_offers.is_postponed(state, blow)
    offers = (_REPRISAL, *_BATTLE) if earns else _BATTLE
    prompt = prompt_for(
        combatant, kind=DEFENDED, rule="CS-639",
        question=f"{combatant.name} defends against {foe.name} with a Heroic Effect. Which one?",
        choices=choices(*offers, "plain:nothing more", *other_feats(state)),
        default="reprisal" if earns else "plain", blocking=earns, about=(foe.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is None:
        return
    if answer.choice == "reprisal":
        decision.emit(*reprisal_offers.offer_at_once(decision.state, blow))
    apply_pick(decision, blow.target, answer.choice, blow.attacker)


# Return of a foe who was put out


def ask_if_back(decision: Decision) -> None:
    """CS-639: ask at the end of the next segment whether a foe who was put out is up again."""
    state = decision.state
    for combatant in state.roster:
        until = fighter_of(combatant).out_until
        if 0 < until <= state.round:
            decision.emit(*queries.set_traits(combatant, out_until=0))
            if not combatant.able and fighter_of(combatant).life == queries.UP:
                decision.spawn(_ask_back, combatant.id)


def _ask_back(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    prompt = prompt_for(
        combatant, kind=BACK, rule="CS-639", question=f"A Heroic Effect took {combatant.name} out of action. Back up?",
        choices=choices("up:back up:y", "no:not yet"), default="no", blocking=False,
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.choice == "up" and not decision.state.combatants[combatant_id].able:
        decision.emit(Restored(who=combatant_id))


# Applying the GM's pick

NUMBER = "heroic_number"
"""The kind of the question for a number that a Heroic Effect changes."""

MOST = 9999

# Effect or token


def token_mode(state: FightState) -> heroics.TokenMode:
    """What a Heroic Effect or Bumble gives; without the option of tokens always its effect (CS-652)."""
    return settings_of(state).token_mode if settings_of(state).fate_tokens else "effect"


def other_feats(state: FightState) -> tuple[str, ...]:
    """CS-652: the choices of a token instead of the effect, or a greater effect for it now."""
    if not settings_of(state).fate_tokens:
        return ()
    token = ("token:a token instead",) if token_mode(state) == "effect" else ()
    return (*token, "deed:a greater effect now, for the token")


# Picks


def apply_pick(decision: Decision, combatant_id: str, choice: str, foe_id: str, rule: str = "CS-639") -> None:
    """Apply a pick; what only the GM can describe is recorded, and is a reminder in this segment.

    `foe_id` is the opponent of the check, or empty.
    """
    combatant = decision.state.combatants[combatant_id]
    bumble = rule == "CS-641"
    if choice == "token":
        decision.emit(*tokens.give_token(combatant, "black" if bumble else "white"))
    elif choice == "deed":
        _buy_greater_effect(decision, combatant, bumble)
    elif choice == "wound":
        decision.emit(harm(decision.state, combatant.id, 1, queries.HP))
    elif choice == "breaks":
        _break_tool(decision, combatant)
    elif choice == "incapacitated":
        put_out_of_fight(decision, foe_id)
    elif choice == "time":
        _halve_time(decision, combatant)
    elif choice in _NUMBERS:
        decision.spawn(_ask_number, combatant.id, choice)
    elif choice in _LEFT_TO_THE_GM:
        decision.emit(record_feat(decision.state, combatant, choice, rule, _LEFT_TO_THE_GM[choice], due=True))


_LEFT_TO_THE_GM: Mapping[str, str] = {
    "achieved": "the purpose is achieved",
    "yield": "more yield",
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
    """The event of a pick."""
    changes: Mapping[str, Json] = {"feat": Feat(label, state.round)} if due else {}
    return harm_events.FeatChosen(
        who=combatant.id, traits=changes, within=within or {}, choice=choice, label=label, rule=rule, before=before,
        after=after, unit=unit, due=due,
    )  # fmt: skip


def _buy_greater_effect(decision: Decision, combatant: Combatant, bumble: bool) -> None:
    """CS-652: spend a token that was given as well."""
    colour = "black" if bumble else "white"
    if token_mode(decision.state) == "both":
        decision.emit(*tokens.spend_token(combatant, colour, "a greater effect"))
    decision.spawn(heroic_deeds.ask_deed, combatant.id)


def put_out_of_fight(decision: Decision, combatant_id: str) -> None:
    """CS-639: put the foe out until the end of the next segment at least; it takes no parting shot."""
    target = decision.state.combatants.get(combatant_id)
    if target is None or not target.able:
        return
    decision.emit(*queries.set_traits(target, out_until=decision.state.round + 1))
    decision.emit(Downed(who=combatant_id, how="a Heroic Effect"))


# Time


def _halve_time(decision: Decision, combatant: Combatant) -> None:
    """CS-640: halve the time of work in progress; for finished work the text says so."""
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
    "loss": ("how much is normally lost?", "percent lost"),
    "magick": ("what is the POT of the magick?", "POT of the magick"),
    "mga": ("what is the caster's MGA?", "MGA"),
}


def _ask_number(decision: Decision, combatant_id: str, what: str) -> None:
    """CS-640: half of a loss; a magick's POT raised by MGA or doubled, whichever is less."""
    number = _number_of(decision, combatant_id, what)
    if number is None:
        return
    combatant = decision.state.combatants[combatant_id]
    label, after, unit = "half the loss", f"{float(heroics.loss_halved(number)):g}", "% lost"
    if what == "magick":
        mga = profile_of(combatant).skill("mga")
        mga = _number_of(decision, combatant_id, "mga") if mga is None else mga
        if mga is None:
            return
        label, after, unit = "the magick is raised", str(heroics.magick_raised(number, mga)), "POT"
    combatant = decision.state.combatants[combatant_id]
    decision.emit(
        record_feat(decision.state, combatant, what, "CS-640", label, before=str(number), after=after, unit=unit)
    )


def _number_of(decision: Decision, combatant_id: str, what: str) -> int | None:
    """A number that the GM knows; None, which is recorded, if the GM works it out."""
    combatant, (question, amount) = decision.state.combatants[combatant_id], _NUMBERS[what]
    prompt = prompt_for(
        combatant, kind=NUMBER, rule="CS-640", question=f"Heroic Effect of {combatant.name}: {question}",
        choices=choices("untold:the GM works it out"), default="untold", amount=amount, blocking=False,
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is None:
        return None
    if answer.choice == "untold":
        label = "half the loss" if what == "loss" else "POT of the magick raised"
        combatant = decision.state.combatants[combatant_id]
        decision.emit(record_feat(decision.state, combatant, what, "CS-640", label, due=True))
        return None
    return number_of(answer, amount, "CS-640", 100 if what == "loss" else MOST, "untold")


# Tools


def tool_of(combatant: Combatant) -> str:
    """The item that breaks: the weapon of the Action, else the first held; empty for bare hands."""
    weapon = action_of(combatant).weapon
    names = [items.name_of(thing) for thing in items.items_in_hand(combatant).values()]
    return weapon if weapon in names else next(iter(names), "")


def _break_tool(decision: Decision, combatant: Combatant) -> None:
    tool = tool_of(combatant)
    if not tool:
        decision.emit(record_feat(decision.state, combatant, "breaks", "CS-641", "the tool breaks", due=True))
        return
    decision.emit(harm_events.ToolBroken(who=combatant.id, traits=items.broken_traits(combatant, tool), tool=tool))
