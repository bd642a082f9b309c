"""Weapons in use: their skills, uses and values (CS-238, CS-415..420), crossbows (CS-395..401), arrow heads, attacks.

The settings say when the counts of uses start again (A-03). The state of a crossbow is unknown, and allows everything,
until the GM sets it or the crossbow is shot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from fightcall_engine.kit.records import as_int
from fightcall_engine.kit.views import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.rules import attacks, formulas
from fightcall_engine.systems.segments.rules.attacks import ArrowHead, AttackType, Role, attack_type, reprisal_defence
from fightcall_engine.systems.segments.rules.formulas import Cycle, Part, Sum, exact, rhu
from fightcall_engine.systems.segments.rules.wounds import Striking
from fightcall_engine.systems.segments.state import condition, events, items, rolls, settings
from fightcall_engine.systems.segments.state.commands import Opportunity, Reprise, Resolve
from fightcall_engine.systems.segments.state.condition import clean_line, strength_of
from fightcall_engine.systems.segments.state.queries import HURL, SHOOT
from fightcall_engine.systems.segments.state.records import (
    HURLED,
    MELEE,
    MISSILE,
    Blow,
    Used,
    fighter_of,
    names_in,
    profile_of,
)
from fightcall_engine.systems.segments.state.settings import settings_of

Item = Mapping[str, Json]
Way: TypeAlias = Literal["hand", "hurl", "shoot"]
HAND: Way = "hand"
BRAWLING = ("brawling", "brawl")
"""The names of the skill of bare hands on a sheet (CS-148)."""

DODGERS = ("warrior", "assassin", "huntsman", "acrobat", "dancer")
"""Trades and skills that allow more than one Dodge at full value (CS-420)."""


# Counting


def skill_of(combatant: Combatant, thing: Item, way: Way = HAND, skills: tuple[str, ...] = ()) -> str:
    """The key under which uses of an item are counted: its base skill and hand.

    Hurling an item is a skill of its own (CS-252), and so is striking with what shoots (CS-402), and wrestling or
    grappling with bare hands (CS-447).
    """
    key = f"{thing.get('base_skill') or items.name_of(thing)}/{thing.get('hand', 'R')}".strip()
    if is_club(thing, way):
        return f"{key} as a club"
    if items.name_of(thing) == items.BARE:
        skill = _bare_skill(combatant, skills)
        return key if skill in ("", *BRAWLING) else f"{key} {skill}"
    return f"{key} hurled" if way == HURL and thing.get("kind") != "hurled" else key


def _bare_skill(combatant: Combatant, skills: tuple[str, ...]) -> str:
    levels = {name.lower(): level for name, level in profile_of(combatant).skills.items()}
    known = [name for name in skills or BRAWLING if name in levels]
    return max(known, key=lambda name: levels[name], default="")


def uses_of(combatant: Combatant, skill: str) -> Used:
    """The uses of a skill, by a key of `skill_of`."""
    return fighter_of(combatant).uses.get(skill, Used())


def dodges_made(combatant: Combatant) -> int:
    """Dodges made in the window."""
    return max(0, fighter_of(combatant).dodges)


def next_use(state: FightState, combatant: Combatant, skill: str, role: Role) -> int:
    """The number of a skill's next use, from 1 (CS-238, A-02)."""
    used = uses_of(combatant, skill)
    return attacks.next_use(role, used.attacks, used.defences, settings_of(state).weapon_reuse)


def count_use(state: FightState, combatant: Combatant, skill: str, role: Role, worth: int) -> events.UseCounted:
    """The event that a skill is used once more, at this value."""
    before, number = uses_of(combatant, skill), next_use(state, combatant, skill, role)
    if role == "attack":
        now = replace(before, attacks=before.attacks + 1)
    else:
        now = replace(before, defences=before.defences + 1)
    now_used = {**fighter_of(combatant).uses, skill: now}
    return events.UseCounted(who=combatant.id, traits={"uses": now_used}, skill=skill, role=role, n=number, worth=worth)


def count_dodge(combatant: Combatant, worth: int) -> events.UseCounted:
    """The event of one more Dodge."""
    number = dodges_made(combatant) + 1
    traits: Mapping[str, Scalar] = {"dodges": number}
    return events.UseCounted(who=combatant.id, traits=traits, skill="dodge", role="defence", n=number, worth=worth)


# Values


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
    """The exact value of an item's next use, as AV or as the DV it provides; None if its skill is unknown.

    `fresh`: earlier uses do not count (CS-167). `missed`: it has just missed, and defends against the Reprisal
    (CS-486). `before`: so many uses earlier, in an Action that is still running. `skills` serve with bare hands
    (CS-447).
    """
    base = skill_sum(state, combatant, thing, role, way, skills)
    if base is None:
        return None
    use = max(1, next_use(state, combatant, skill_of(combatant, thing, way, skills), role) - before)
    if use == 1 and not missed:
        return base
    now = reprisal_defence(base.total, use) if missed else attacks.value_of_use(base.total, use, fresh=fresh)
    return Sum((*base.parts, *now.parts[1:]))


def remaining_values(state: FightState, combatant: Combatant, thing: Item) -> tuple[int, ...]:
    """The rounded value of each further defence with an item, until one comes to 0 (CS-169)."""
    base, skill = skill_sum(state, combatant, thing, "defence"), skill_of(combatant, thing)
    return () if base is None else attacks.uses_left(rhu(base.total), next_use(state, combatant, skill, "defence"))


def skill_sum(
    state: FightState, combatant: Combatant, thing: Item, role: Role, way: Way = HAND, skills: tuple[str, ...] = ()
) -> Sum | None:
    """A weapon skill with its penalties, before earlier uses halve it (A-56); None if unknown."""
    av = _skill_value(combatant, thing, way, skills)
    if av is None:
        return None
    plain = Sum((Part("skill", av, "CS-475"),))
    if is_improvised(thing) or is_club(thing, way):
        # CS-382: less if it is too heavy; unknown weight costs nothing.
        pounds = thing.get("weight_lb")
        hands: Literal[1, 2] = 2 if thing.get("two_handed") else 1
        weight = exact(pounds) if isinstance(pounds, int | float) else 0
        strength = strength_of(state, combatant).total
        plain = attacks.improvised_av(av, weight, strength, hands, rolls.scale_of(state))
    label = f"{'hurling ' if way == HURL else ''}{items.name_of(thing)}"
    if items.name_of(thing) == items.BARE and skills:
        label = f"{label}: {_bare_skill(combatant, skills)}"
    parts = [Part(label, plain.parts[0].value, plain.parts[0].rule), *plain.parts[1:]]
    if _is_off_hand(combatant, thing):
        parts.append(Part("another hand than it was learned with: the GM's modifier", 0, "CS-344"))
    return condition.subtract_penalties(state, combatant, Sum(tuple(parts)), defensive=role == "defence")


def _skill_value(combatant: Combatant, thing: Item, way: Way = HAND, skills: tuple[str, ...] = ()) -> int | None:
    """The value of the skill for an item: hurling has its own for each hand (CS-252), bare hands brawl (CS-148).

    A bow or crossbow in melee is a club, with the skill of the weapon it is like, or Brawling (CS-383, CS-402).
    """
    if is_club(thing, way):
        like = items.item_named(combatant, str(thing.get("weapon_like") or ""))
        return profile_of(combatant).skill(*BRAWLING) if like is None else _skill_value(combatant, like)
    if items.name_of(thing) == items.BARE:
        return profile_of(combatant).skill(*(skills or BRAWLING))
    if way == HURL and _is_off_hand(combatant, thing):
        return None
    value = thing.get("hurl_av") if way == HURL and thing.get("kind") != "hurled" else thing.get("av")
    return as_int(value)


def is_club(thing: Item, way: Way) -> bool:
    """CS-402: whether a shooting weapon is used to strike or defend."""
    return way == HAND and items.is_missile(thing)


def is_improvised(thing: Item) -> bool:
    """Whether an item is an improvised weapon (CS-380 to CS-383)."""
    return thing.get("kind") == "object" or thing.get("proper") is False


def _is_off_hand(combatant: Combatant, thing: Item) -> bool:
    """CS-344: whether an item is in the hand for which no skill was entered."""
    trained_hand, hands = thing.get("hand", "R"), items.hands_holding(combatant, items.name_of(thing))
    return trained_hand != "2" and not thing.get("two_handed") and bool(hands) and trained_hand not in hands


# Dodges


def _dodger_sl(combatant: Combatant) -> int:
    """The level of a trained dodger (CS-420); 0 for others."""
    return max(profile_of(combatant).trade_sl(*DODGERS), profile_of(combatant).skill("acrobat", "dancer") or 0)


def _dodge_sum(state: FightState, combatant: Combatant) -> Sum | None:
    """The Dodge with its penalties, before earlier ones halve it; None if unknown."""
    value = profile_of(combatant).dodge
    if value is None:
        return None
    return condition.subtract_penalties(state, combatant, Sum((Part("Dodge", value, "CS-419"),)), defensive=True)


def dodge_worth(state: FightState, combatant: Combatant, *, fresh: bool = False) -> Sum | None:
    """The exact value of the next Dodge; None if unknown (CS-419, CS-420)."""
    base = _dodge_sum(state, combatant)
    if base is None:
        return None
    now = attacks.value_of_dodge(base.total, dodges_made(combatant) + 1, trade_sl=_dodger_sl(combatant), fresh=fresh)
    return Sum((*base.parts, *now.parts[1:]))


def remaining_dodge_values(state: FightState, combatant: Combatant) -> tuple[int, ...]:
    """The rounded value of each further Dodge, until one comes to 0 (CS-169, CS-419)."""
    base = _dodge_sum(state, combatant)
    if base is None:
        return ()
    return attacks.dodges_left(rhu(base.total), dodges_made(combatant), trade_sl=_dodger_sl(combatant))


# Parts of an attack


def way_of(blow: Blow) -> Way:
    """How the weapon is used; hurling and shooting may be skills of their own (CS-252)."""
    ways: Mapping[str, Way] = {HURLED: HURL, MISSILE: SHOOT}
    return ways.get(blow.kind, HAND)


def with_harm(state: FightState, blow: Blow, command: Resolve | Opportunity | Reprise) -> Blow:
    """The blow with the GM's numbers for its harm, which have the names of `commands.Resolve`."""
    numbers = {"pot": command.pot, "barrier": command.barrier, "drop": command.drop, "charge": command.charge}
    for name, value in numbers.items():
        most = _MOST[name]
        if value is not None and not 0 <= value <= most:
            raise Refused("CS-530", f"{name} can't be {value}", (f"0 to {most}",), final=True)
    feet = None if isinstance(command, Reprise) else command.distance
    if feet is not None and not 0 <= feet <= _FARTHEST:
        raise Refused("CS-251", f"distance can't be {feet:g}", (f"0 to {_FARTHEST} ft",), final=True)
    rise = command.rise if isinstance(command, Resolve) else None
    if rise is not None and not abs(rise) <= _HIGHEST:
        raise Refused("CS-281", f"rise can't be {rise}", (f"-{_HIGHEST} to {_HIGHEST}",), final=True)
    if command.struck not in ("", *STRIKINGS):
        raise Refused("CS-603", f"unknown part of a weapon: {command.struck!r}", STRIKINGS, final=True)
    items.check_chosen(state.combatants[blow.target], command.shield)
    return replace(
        blow,
        harm="" if command.harm is None else str(command.harm),
        pot=command.pot,
        struck=command.struck,
        barrier=command.barrier,
        shield=command.shield,
        drop=0.0 if command.drop is None else command.drop,
        charge=command.charge,
        people=() if isinstance(command, Reprise) else tuple(command.people.replace(",", " ").split()),
        line=clean_line(command.line),
        rise=rise,
    )


_MOST = {"pot": 9999, "barrier": 9999, "drop": 9999, "charge": 999}
_HIGHEST = 9999
_FARTHEST = 100_000
STRIKINGS: tuple[Striking, ...] = get_args(Striking)
"""The parts of a weapon that a blow can strike with."""


def bare_if_unarmed(state: FightState, blow: Blow) -> Blow:
    """CS-315, CS-348: a blow with hands, feet or body has nothing to do with what is in hand (L2301 to L2303)."""
    is_bare = not blow.ranged and not blow.mode and type_of(state, blow).bare
    return replace(blow, weapon=items.BARE, second="") if is_bare else blow


def flight_of(action_kind: str) -> str:
    """The kind of blow for an attack by this kind of Action: hurled, shot or in melee."""
    return {SHOOT: MISSILE, HURL: HURLED}.get(action_kind, MELEE)


def item_of(combatant: Combatant, name: str) -> Item:
    """The item with this name; bare hands if it is gone."""
    return items.item_named(combatant, name) or items.find_item(combatant, items.BARE)


def people_of(state: FightState, blow: Blow) -> tuple[Combatant, Combatant]:
    """The attacker and the target."""
    return state.combatants[blow.attacker], state.combatants[blow.target]


def own_types(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """The types of attack that are listed with a weapon or have been learned."""
    return (*names_in(thing.get("attack_types")), *profile_of(combatant).special_attacks)


def type_of(state: FightState, blow: Blow) -> AttackType:
    """The blow's type of attack; an unknown one counts as the GM's own."""
    types, combatant = settings.armoury_of_fight(state).attack_types, state.combatants[blow.attacker]
    if blow.attack in types:
        return types[blow.attack]
    own_type = attack_type(blow.attack, own_types(combatant, item_of(combatant, blow.weapon)), types)
    return own_type or AttackType(blow.attack, blow.attack.replace("_", " "))


RELOAD = "reload"
"""The piece of work that stands for all steps to be done next."""

FETCH_QA = 4
"""Quarter-actions to fetch a cocking tool, for each Action that it takes (CS-396)."""


ATTACH, COCK, DISENGAGE, DROP_TOOL = "attach_tool", "cock_crossbow", "disengage_tool", "drop_tool"
TAKE, PLACE = "draw_missile", "nock_draw"
STEPS = (ATTACH, COCK, DISENGAGE, DROP_TOOL)
"""The steps that are not in table 4-1; taking and placing a bolt are (CS-401)."""

UNKNOWN, SPENT, COCKED, LOADED = "", "spent", "cocked", "loaded"
STATES = (SPENT, COCKED, LOADED)
STEP_RULES = {ATTACH: "CS-396", COCK: "CS-397", DISENGAGE: "CS-399", DROP_TOOL: "CS-401"}


def is_crossbow(thing: Item) -> bool:
    """Whether an item is a crossbow, light or heavy."""
    return str(thing.get("family") or "").startswith("crossbow")


def is_bow(thing: Item) -> bool:
    """Whether an item is a bow, long or short, which is strung before it shoots, and shoots arrows."""
    return thing.get("family") in ("bow", "shortbow")


def crossbow_of(combatant: Combatant, name: str = "") -> Item | None:
    """The crossbow with this name, else the one in hand or on the sheet; None if there is none."""
    things = (*items.items_in_hand(combatant).values(), *items.items_of(combatant))
    if name:
        named = items.item_named(combatant, name)
        things = () if named is None else (named,)
    return next(filter(is_crossbow, things), None)


def state_of(combatant: Combatant) -> str:
    """The state of a combatant's crossbow: one of `STATES`, or `UNKNOWN`."""
    condition = fighter_of(combatant).crossbow
    return condition if condition in STATES else UNKNOWN


def from_sheet(entry: Json) -> Mapping[str, Scalar]:
    """The traits for a crossbow's entry on a sheet."""
    if not isinstance(entry, Mapping):
        return {}
    days_cocked = as_int(entry.get("cocked_days")) or 0
    default_state = UNKNOWN if days_cocked else SPENT
    condition = LOADED if entry.get("loaded") is True else COCKED if entry.get("cocked") is True else default_state
    return {"crossbow": condition, "crossbow_tool": entry.get("tool") == "attached", "crossbow_days": days_cocked}


def cycle_of(combatant: Combatant, thing: Item, *, tool: bool) -> Cycle:
    """The row of section 6.13 for a combatant and a crossbow, to which a tool is, or will be, hooked."""
    size, its_tool = ("heavy", "windlass") if thing.get("family") == "crossbow-heavy" else ("light", "tool")
    way = its_tool if tool or fighter_of(combatant).crossbow_tool else "bare"
    return formulas.cycles()[f"{size}_{'builtin' if thing.get('builtin') is True else way}"]


def _keys_of_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.partition("=")[0].partition(":")[0].strip().lower() for word in words)


def step_qa(combatant: Combatant, weapon: str, key: str, argument: str, words: tuple[str, ...]) -> int:
    """The quarter-actions of a step, one of `STEPS` (CS-396 to CS-401).

    `argument` is for `ATTACH`: the Actions that fetching the tool takes first. `words` are all pieces of the task, as
    typed.
    """
    thing = crossbow_of(combatant, weapon)
    if thing is None:
        raise Refused(
            STEP_RULES[key], f"{combatant.name} has no crossbow", ("a weapon of family crossbow-light",), final=True
        )
    if key == ATTACH and thing.get("builtin") is True:
        raise Refused("CS-398", f"the tool of {items.name_of(thing)} is built in", (COCK,), final=True)
    if argument and not (key == ATTACH and argument.isascii() and argument.isdigit() and len(argument) < 4):
        raise Refused(STEP_RULES[key], f"{key}:{argument}", (key, f"{ATTACH}:1 to fetch it first"), final=True)
    cycle = cycle_of(combatant, thing, tool=key in (ATTACH, DROP_TOOL, DISENGAGE) or ATTACH in _keys_of_words(words))
    qa = {ATTACH: cycle.attach, COCK: cycle.cock, DISENGAGE: cycle.disengage, DROP_TOOL: cycle.drop_tool}[key]
    if not qa:
        raise Refused(
            STEP_RULES[key], f"{key} is not a step for a {cycle.label}", steps_left(combatant, thing), final=True
        )
    return qa + FETCH_QA * int(argument or 0)


def steps_left(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """The steps to be done next: up to cocking if that needs a STR check, on which the rest depends; else all."""
    loading = (TAKE, PLACE)
    state, cycle = state_of(combatant), cycle_of(combatant, thing, tool=True)
    tool_step = (DISENGAGE if cycle.disengage else DROP_TOOL,)
    if state == LOADED:
        return tool_step if fighter_of(combatant).crossbow_tool else ()
    if state == COCKED:
        return (*(tool_step if fighter_of(combatant).crossbow_tool else ()), *loading)
    attach = () if fighter_of(combatant).crossbow_tool or not cycle.attach else (ATTACH,)
    if cycle.check:
        return (*attach, COCK)
    return (*attach, COCK, *tool_step, *loading)


def expand_reload(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Pieces of work with `RELOAD` replaced by its steps; refused without a crossbow, or if no step is left."""
    if RELOAD not in _keys_of_words(words):
        return words
    thing = crossbow_of(combatant, weapon)
    steps = () if thing is None else steps_left(combatant, thing)
    if not steps:
        why = "has no crossbow" if thing is None else "has already loaded it"
        raise Refused("CS-401", f"{combatant.name} {why}", ("shoot", "another task"), final=True)
    return tuple(each for word in words for each in (steps if _keys_of_words((word,)) == (RELOAD,) else (word,)))


def cocking_dv(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> int:
    """The DV of the STR check for cocking, or 0 (CS-397, CS-399, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is None or COCK not in _keys_of_words(words):
        return 0
    return cycle_of(combatant, thing, tool=ATTACH in _keys_of_words(words)).check


def cocking_method(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, str]:
    """The way of cocking in words, and the rule of its DV (CS-397, CS-398, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is not None and thing.get("builtin") is True:
        return "cocking it with its built-in tool", "CS-398"
    if fighter_of(combatant).crossbow_tool or ATTACH in _keys_of_words(words):
        return "cocking it with its tool", "CS-397"
    return "cocking it by hand", "CS-400"


# Arrow heads (CS-542, CS-576)


def heads_of_bow(state: FightState, thing: Item) -> tuple[ArrowHead, ...]:
    """The arrow heads that the sheet lists with a bow and the armoury knows, the usual one first."""
    names = names_in(thing.get("arrow_heads")) if is_bow(thing) else ()
    heads = map(settings.armoury_of_fight(state).arrow_head, names)
    return tuple(dict.fromkeys(arrow_head for arrow_head in heads if arrow_head is not None))


def arrow_checks(state: FightState, combatant: Combatant, thing: Item, name: str) -> tuple[Check, ...]:
    """CS-542: an arrow head that is named is known, fits the weapon, and is carried."""
    if not name:
        return ()
    table, weapon = settings.armoury_of_fight(state), items.name_of(thing)
    arrow_head, bow_heads = table.arrow_head(name), heads_of_bow(state, thing)
    accepts = tuple(head.key for head in bow_heads) or tuple(table.arrow_heads)
    has_head = arrow_head is None or not bow_heads or arrow_head in bow_heads
    return (
        Check(is_bow(thing), "CS-542", f"{weapon} shoots no arrows", ("leave the arrow head out",)),
        Check(arrow_head is not None, "CS-542", f"unknown arrow head: {name!r}", accepts),
        Check(has_head, "CS-542", f"{combatant.name} has no {name} arrows", accepts),
    )


def head_of(state: FightState, thing: Item, name: str) -> ArrowHead | None:
    """The arrow head of a shot: the one named, else the bow's usual one; None for the weapon's own numbers."""
    if name and is_bow(thing):
        return settings.armoury_of_fight(state).arrow_head(name)
    return next(iter(heads_of_bow(state, thing)), None)
