"""Heroic Effects and Bumbles: the GM's menu after a great success or failure, and deeds declared (CS-635 to CS-652)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fightcall_engine import commands as cm
from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of, harm
from fightcall_engine.course import Course
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.prompts import choices
from fightcall_engine.referee import Referee
from fightcall_engine.rulings import recorded
from fightcall_engine.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import after_events as aev
from fightcall_engine.systems.segments.aftermath import tokens
from fightcall_engine.systems.segments.formulas import heroics
from fightcall_engine.systems.segments.harm import harming
from fightcall_engine.systems.segments.strikes.blows import Blow, blow_of

HEROIC, BUMBLE, DOUBLE, COST = "heroic", "bumble", "heroic_blow", "heroic_cost"
"""Kinds of prompts: what a Heroic Effect or a Bumble brings, that of a hit, and what a declared deed costs."""

_ATTACKS = ("attack", "opportunity", "reprisal")
_BATTLE = (
    "achieved:the purpose is achieved",
    "incapacitated:the foe is out of it, clean escape",
    "reprisal:the defence earns a Reprisal",
)
_TASK = (
    "time:time halved",
    "yield:more comes of it",
    "loss:half the loss",
    "magick:POT of the magick raised",
)
_BUMBLED = ("breaks:the tool breaks", "wound:a wound to himself", "jammed:picks are jammed", "spilled:it spills",
            "spoiled:material is spoiled")  # fmt: skip


def followed(state: FightState, happened: sev.CheckResolved) -> ev.Events:
    """CS-635 to CS-641, CS-651: what a roll is besides a success or a failure, its token and the GM's menu."""
    what: heroics.Feat | None = "heroic" if happened.heroic else "bumble" if happened.bumble else None
    one = state.combatants.get(happened.who)
    if what is None or one is None:
        return ()
    kind = aev.HeroicEffect if what == "heroic" else aev.Bumble
    told = kind(who=one.id, kind=happened.kind, chance=happened.chance, roll=happened.roll)
    course = Course(state)
    course.tell(told)
    at_once, token = heroics.rewards(what, token_mode(state))
    if token is not None:
        course.tell(*tokens.given(one, token.colour))
    on_blow = what == "heroic" and happened.kind in _ATTACKS
    if at_once and not on_blow:
        course.tell(ev.RulingAsked(prompt=_menu(state, one, what, happened)))
    return course.events


def token_mode(state: FightState) -> heroics.TokenMode:
    """What a great success or failure gives: without the option of tokens always its effect (CS-652)."""
    mode = state.settings.get("token_mode") if state.settings.get("fate_tokens") is True else "effect"
    return mode if mode in ("token", "both") else "effect"  # type: ignore[return-value]


def _instead(state: FightState) -> tuple[str, ...]:
    on = state.settings.get("fate_tokens") is True and token_mode(state) == "effect"
    return ("token:a token instead",) if on else ()


def _menu(state: FightState, one: Combatant, what: heroics.Feat, check: sev.CheckResolved) -> Prompt:
    battle = check.kind == "defence" or bool(check.target)
    listed = _BUMBLED if what == "bumble" else _BATTLE if battle else _TASK
    rule = "CS-641" if what == "bumble" else "CS-639" if battle else "CS-640"
    name = "Bumble" if what == "bumble" else "Heroic Effect"
    return Prompt(
        id="", kind=BUMBLE if what == "bumble" else HEROIC, rule=rule,
        question=f"{name} of {one.name} ({check.kind} {check.roll} at {check.chance} %): what comes of it?",
        choices=choices("plain:nothing more", *listed, *_instead(state)), default="plain", who=one.id, side=one.side,
        blocking=False, data={"target": check.target, "what": check.kind},
    )  # fmt: skip


def answer(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """What the GM picked: a token, a wound to himself, a foe out of it; the rest is told and the GM's to carry out."""
    one = state.combatants[prompt.who]
    if given.choice == "token":
        return tokens.given(one, "black" if prompt.kind == BUMBLE else "white")
    if given.choice == "wound":
        return (harm(state, one.id, 1),)
    target = state.combatants.get(str(prompt.data.get("target") or ""))
    if given.choice == "incapacitated" and target is not None and target.able:
        return (ev.Downed(who=target.id, how="a Heroic Effect"),)
    return ()


# A hit that is more


def is_heroic(happened: Iterable[ev.Event]) -> bool:
    """Whether the roll of an attack was a Heroic Effect."""
    return any(isinstance(one, sev.CheckResolved) and one.heroic for one in happened)


def hit(course: Course, blow: Blow, dice: Dice) -> None:
    """What a hit does; where it is a Heroic Effect that tells at once, the GM picks first (CS-547, CS-639)."""
    if not blow.heroic or token_mode(course.state) == "token":
        harming.after_hit(course, blow, dice)
        return
    one, target = course.state.combatants[blow.attacker], course.state.combatants[blow.target]
    prompt = Prompt(
        id="", kind=DOUBLE, rule="CS-639", question=f"{one.name} hits {target.name}: a Heroic Effect. Which?",
        choices=choices("double:POT doubled", *_BATTLE[:2], "plain:nothing more", *_instead(course.state)),
        default="double", who=one.id, side=one.side, data={**blow.data(), "about": target.id},
    )  # fmt: skip
    course.tell(ev.RulingAsked(prompt=prompt))


def answer_hit(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """CS-547, CS-639: the blow lands as the GM says."""
    blow = blow_of(prompt.data)
    course = Course(state)
    harming.after_hit(course, replace(blow, doubled=given.choice == "double"), dice)
    if given.choice == "incapacitated" and course.state.combatants[blow.target].able:
        course.tell(ev.Downed(who=blow.target, how="a Heroic Effect"))
    if given.choice == "token":
        course.tell(*tokens.given(course.state.combatants[blow.attacker], "white"))
    return course.events


# Declared deeds

SCORES = ("pot", "str", "agl", "crd", "hrt", "awa", "cnd", "chm")


def rule_deed(state: FightState, rule: cm.Rule, dice: Dice, referee: Referee) -> ev.Events:
    """CS-645 to CS-647: a deed that matters to this one: ``str 5``, up to HRT; ``none`` when it is over."""
    one = combatant_of(state, rule.who)
    said = str(rule.value or "").strip().lower()
    if said == "none":
        record = recorded("CS-647", f"The heroic deed of {one.name}", "over", rule.note)
        return (record, *fg.set_traits(one, deed=""))
    score, _, number = said.partition(" ")
    if score not in SCORES or not number.strip().isdecimal() or int(number) > 999:
        raise Refused("CS-645", f"{said!r} is no heroic bonus", ("such as str 5 or pot 5", "none"), final=True)
    bonus, most = int(number), fg.number(one, "hrt", 13)
    allowed = heroics.bonus_allowed(bonus, most)
    referee.require(bonus == allowed, "CS-646", f"a bonus of {bonus} is above HRT {most}", f"{score} {allowed}")
    traits: dict[str, Scalar] = {"deed": f"{score} {bonus}", "deed_cost": True}
    return (
        recorded("CS-645", f"A heroic deed of {one.name}", f"{score} +{bonus}", rule.note),
        aev.HeroicsDeclared(who=one.id, traits=traits, score=score, bonus=bonus, note=rule.note),
    )


def costs_asked(state: FightState) -> ev.Events:
    """CS-648: after the fight, what the deed has done to the body."""
    return tuple(
        ev.RulingAsked(prompt=_cost(one)) for one in fg.in_order(state) if fg.trait(one, "deed_cost") is True
    )


def _cost(one: Combatant) -> Prompt:
    return Prompt(
        id="", kind=COST, rule="CS-648", amount="wounds",
        question=f"{one.name} has outdone himself. What does it cost his body?",
        choices=choices("none:nothing", "coma:he falls into a coma", "death:he dies"), default="none", who=one.id,
        side=one.side,
    )  # fmt: skip


def answer_cost(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """CS-648: nothing, wounds, a coma or death."""
    from fightcall_engine.systems.segments.harm import hurting

    one = state.combatants[prompt.who]
    course = Course(state)
    course.tell(*fg.set_traits(one, deed="", deed_cost=False))
    if given.choice in ("coma", "death"):
        life = fg.UNCONSCIOUS if given.choice == "coma" else fg.DEAD
        course.tell(*hurting.life_events(course.state, course.state.combatants[one.id], life))
    elif given.choice != "none":
        count = given.amount
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= 99:
            raise Refused("CS-648", f"{count!r} is no number of wounds", ("0 to 99", "none"), final=True)
        course.tell(*((harm(course.state, one.id, count),) if count else ()))
    return course.events
