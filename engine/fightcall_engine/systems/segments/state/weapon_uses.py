"""How often each weapon skill was used and each Dodge made, and what the next is worth (CS-238, CS-239, CS-415..420).

Both start again as settings say (A-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias, cast

from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.segments.rules import attacks, uses
from fightcall_engine.systems.segments.rules.attacks import reprisal_defence
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact, rhu
from fightcall_engine.systems.segments.rules.uses import Role, WeaponReuse
from fightcall_engine.systems.segments.state import events, items, rolls, scores
from fightcall_engine.systems.segments.state.fighter import Used, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import strength_of
from fightcall_engine.systems.segments.state.settings import settings_of

Item = Mapping[str, Json]

Way: TypeAlias = Literal["hand", "hurl", "shoot"]

HAND: Way = "hand"

HURL: Way = "hurl"

SHOOT: Way = "shoot"

BRAWLING = ("brawling", "brawl")
"""By what names a sheet knows the skill of bare hands (CS-148)."""

DODGERS = ("warrior", "assassin", "huntsman", "acrobat", "dancer")
"""Whose trade or skill lets them Dodge more than once at full value (CS-420)."""


# What was counted


def skill_of(combatant: Combatant, thing: Item, way: Way = HAND, skills: tuple[str, ...] = ()) -> str:
    """Under what the uses of an item are kept: its base skill and hand.

    To hurl what is wielded in hand, too, is a skill of its own (CS-252), and so is to strike with what shoots (CS-402),
    or with bare hands to wrestle or to grapple instead of brawling (CS-447).
    """
    key = items.skill_key(thing).strip()
    if is_club(thing, way):
        return f"{key} as a club"
    if items.name_of(thing) == items.BARE:
        skill = _bare_skill(combatant, skills)
        return key if skill in ("", *BRAWLING) else f"{key} {skill}"
    return f"{key} hurled" if way == HURL and thing.get("kind") != "hurled" else key


def _bare_skill(combatant: Combatant, skills: tuple[str, ...]) -> str:
    """With which of some skills bare hands strike, the best of them; empty for none."""
    levels = {name.lower(): level for name, level in profile_of(combatant).skills.items()}
    known = [name for name in skills or BRAWLING if name in levels]
    return max(known, key=lambda name: levels[name], default="")


def uses_of(combatant: Combatant, skill: str) -> Used:
    """How often a skill was used, by the name of `skill_of`."""
    return fighter_of(combatant).uses.get(skill, Used())


def count_dodges(combatant: Combatant) -> int:
    """Dodges made in the window."""
    return max(0, fighter_of(combatant).dodges)


def next_use(state: FightState, combatant: Combatant, skill: str, role: Role) -> int:
    """Which use of a skill comes next, from 1 (CS-238, A-02)."""
    reading: WeaponReuse = settings_of(state).weapon_reuse
    used = uses_of(combatant, skill)
    return uses.next_use(role, used.attacks, used.defences, reading)


def count_use(state: FightState, combatant: Combatant, skill: str, role: Role, worth: int) -> events.UseCounted:
    """The fact that a skill was used once more, and what it was worth."""
    before, number = uses_of(combatant, skill), next_use(state, combatant, skill, role)
    if role == "attack":
        now = replace(before, attacks=before.attacks + 1)
    else:
        now = replace(before, defences=before.defences + 1)
    now_used = {**fighter_of(combatant).uses, skill: now}
    return events.UseCounted(
        who=combatant.id, traits={"uses": now_used}, skill=skill, role=role, n=number, worth=worth
    )


def dodge_counted(combatant: Combatant, worth: int) -> events.UseCounted:
    """The fact of one more Dodge."""
    number = count_dodges(combatant) + 1
    traits: Mapping[str, Scalar] = {"dodges": number}
    return events.UseCounted(who=combatant.id, traits=traits, skill="dodge", role="defence", n=number, worth=worth)


# What it is worth


def worth_of(
    state: FightState,
    combatant: Combatant,
    thing: Item,
    role: Role,
    *,
    fresh: bool = False,
    way: Way = HAND,
    missed: bool = False,
    before: int = 0,
    skills: tuple[str, ...] = (),
) -> Sum | None:
    """What an item is worth at its next use, as AV or as the DV it provides, exact; None where its skill is unknown.

    Args:
        state: the fight.
        combatant: whose it is.
        thing: the item.
        role: what it is used for.
        fresh: earlier uses do not count (CS-167).
        way: wielded in hand, hurled or shot with (CS-252, CS-402).
        missed: it has just missed, and defends against the Reprisal (CS-486).
        before: so many uses earlier: what it was worth in the Action that still goes on.
        skills: with bare hands, the skills that serve; Brawling where none is named (CS-447).
    """
    base = skill_sum(state, combatant, thing, role, way, skills)
    if base is None:
        return None
    use = max(1, next_use(state, combatant, skill_of(combatant, thing, way, skills), role) - before)
    now = reprisal_defence(base.total, use) if missed else uses.value_of_use(base.total, use, fresh=fresh)
    return Sum((*base.parts, *now.parts[1:]))


def worths_left(state: FightState, combatant: Combatant, thing: Item) -> tuple[int, ...]:
    """What each further defence with an item is worth, rounded, until one comes to 0 (CS-169)."""
    base, skill = skill_sum(state, combatant, thing, "defence"), skill_of(combatant, thing)
    return () if base is None else uses.uses_left(rhu(base.total), next_use(state, combatant, skill, "defence"))


def skill_sum(
    state: FightState, combatant: Combatant, thing: Item, role: Role, way: Way = HAND, skills: tuple[str, ...] = ()
) -> Sum | None:
    """A weapon skill with all that comes off it before earlier uses halve it (A-56); None where it is unknown."""
    av = skill_value(combatant, thing, way, skills)
    if av is None:
        return None
    club = is_improvised(thing) or is_club(thing, way)
    plain = improvised_value(state, combatant, thing, av) if club else Sum((Part("skill", av, "CS-475"),))
    label = f"{'hurling ' if way == HURL else ''}{items.name_of(thing)}"
    parts = [Part(label, plain.parts[0].value, plain.parts[0].rule), *plain.parts[1:]]
    if is_off_hand(combatant, thing):
        parts.append(Part("another hand than it was learned with: the GM's modifier", 0, "CS-344"))
    return scores.less_penalties(state, combatant, Sum(tuple(parts)), defensive=role == "defence")


def skill_value(combatant: Combatant, thing: Item, way: Way = HAND, skills: tuple[str, ...] = ()) -> int | None:
    """The skill that an item is used with: hurling has its own for each hand (CS-252), bare hands brawl (CS-148).

    A bow or crossbow in melee is a club, wielded as the weapon it is like, or else with Brawling (CS-383, CS-402).
    """
    if is_club(thing, way):
        like = items.item_named(combatant, str(thing.get("weapon_like") or ""))
        return profile_of(combatant).skill(*BRAWLING) if like is None else skill_value(combatant, like)
    if items.name_of(thing) == items.BARE:
        return profile_of(combatant).skill(*(skills or BRAWLING))
    if way == HURL and is_off_hand(combatant, thing):
        return None
    value = thing.get("hurl_av") if way == HURL and thing.get("kind") != "hurled" else thing.get("av")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_club(thing: Item, way: Way) -> bool:
    """CS-402: true for what shoots where it is struck or defended with."""
    return way == HAND and items.is_missile(thing)


def is_improvised(thing: Item) -> bool:
    """True for what is no proper weapon (CS-380 to CS-383)."""
    return thing.get("kind") == "object" or thing.get("proper") is False


def improvised_value(state: FightState, combatant: Combatant, thing: Item, av: int) -> Sum:
    """CS-382: an improvised weapon that is too heavy costs AV; of unknown weight it costs nothing."""
    pounds = thing.get("weight_lb")
    weight = exact(pounds) if isinstance(pounds, int | float) else 0
    hands = 2 if thing.get("two_handed") else 1
    strength = strength_of(state, combatant).total
    return attacks.improvised_av(av, weight, strength, cast("Literal[1, 2]", hands), rolls.scale_of(state))


def is_off_hand(combatant: Combatant, thing: Item) -> bool:
    """CS-344: true where an item is held in the hand that no skill was entered for."""
    trained_hand, hands = thing.get("hand", "R"), items.in_hand(combatant, items.name_of(thing))
    return trained_hand != "2" and not thing.get("two_handed") and bool(hands) and trained_hand not in hands


# Dodges


def dodger_sl(combatant: Combatant) -> int:
    """The level of a trained dodger (CS-420); 0 for others."""
    return max(profile_of(combatant).trade_sl(*DODGERS), profile_of(combatant).skill("acrobat", "dancer") or 0)


def dodge_sum(state: FightState, combatant: Combatant) -> Sum | None:
    """The Dodge with all that comes off it before earlier ones halve it; None where it is unknown."""
    value = profile_of(combatant).dodge
    return (
        None
        if value is None
        else scores.less_penalties(state, combatant, Sum((Part("Dodge", value, "CS-419"),)), defensive=True)
    )


def dodge_worth(state: FightState, combatant: Combatant, *, fresh: bool = False) -> Sum | None:
    """What the next Dodge is worth, exact; None where the Dodge is unknown (CS-419, CS-420)."""
    base = dodge_sum(state, combatant)
    if base is None:
        return None
    now = uses.value_of_dodge(base.total, count_dodges(combatant) + 1, trade_sl=dodger_sl(combatant), fresh=fresh)
    return Sum((*base.parts, *now.parts[1:]))


def dodges_left(state: FightState, combatant: Combatant) -> tuple[int, ...]:
    """What each further Dodge is worth, rounded, until one comes to 0 (CS-169, CS-419)."""
    base = dodge_sum(state, combatant)
    return (
        ()
        if base is None
        else uses.dodges_left(rhu(base.total), count_dodges(combatant), trade_sl=dodger_sl(combatant))
    )
