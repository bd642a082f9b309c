"""Defences: what each is worth, which is chosen, and what an exchange costs (CS-410 to CS-424, CS-501 to CS-506)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.views import Check, Referee, enforce, first_broken
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.combat import attack_values
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.attacks import combined_defence, end_spent
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, exact
from fightcall_engine.systems.segments.state import condition, items, places, queries, records, rolls, weapon_uses
from fightcall_engine.systems.segments.state.events import AllowanceSpent, EndSpent
from fightcall_engine.systems.segments.state.records import BLOCK, DODGE, NONE, PARRY, Blow, Guard, Way, fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import is_of_this_pass
from fightcall_engine.systems.segments.state.weapon_uses import Item, item_of, people_of, type_of, way_of

_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")
_AND_DODGE = re.compile(r"\s*\+\s*dodge$", re.IGNORECASE)


@frozen
class Defence:
    """A defence against an attack: its name, the DV it provides or None, and what it consists of."""

    label: str
    total: Sum | None
    guard: Guard

    @property
    def worth(self) -> int | None:
        """The DV, rounded once, or None."""
        return None if self.total is None else rolls.rounded(self.total)

    @property
    def label_with_value(self) -> str:
        """Its label with the DV, as it is offered."""
        return f"{self.label} {'?' if self.worth is None else self.worth}" if self.label != NONE else NONE


NO_DEFENCE = Defence(NONE, Sum((Part("no defence", 0, "CS-410"),)), Guard(NONE))

DODGING = Guard(DODGE, dodges=True)


def _item_checks(state: FightState, blow: Blow, thing: Item) -> tuple[Check, ...]:
    """CS-147, CS-302 to CS-305, CS-415, CS-506: the item is held in a free hand that reaches the foe."""
    foe, combatant = people_of(state, blow)
    name, own = items.name_of(thing), f"{combatant.name}'s"
    bare, free = name == items.BARE, items.free_hands(combatant, name)
    is_pinned = items.pin_of(combatant, name) is not None
    held = bare or bool(items.hands_holding(combatant, name))
    field = places.field_of(state, combatant, foe)
    reach, size = places.defence_of(state, combatant, foe).hands, thing.get("size")
    has_length = isinstance(size, int | float) and not items.is_shield(thing)
    is_inside = has_length and places.is_too_long(combatant, foe, exact(size))
    inside = f"{foe.name} is inside {own} guard: {name} is too long"
    in_field = bool(set(free) & set(reach)) or (bare and bool(reach))
    rule = ranges.uses()[field].rule if field else "CS-301"
    return (
        able_check(combatant),
        Check(not blow.ranged, "CS-506", "weapons can't parry missiles", (*attack_values.CASES,)),
        Check(held, "CS-415", f"{combatant.name} does not hold {name}", ("what is in hand", DODGE)),
        Check(not is_pinned, "CS-321", f"{own} {name} is pinned", ("what is in the other hand", DODGE)),
        Check(not is_inside, "CS-322", inside, ("a short weapon", DODGE, "a step back")),
        Check(bool(free) or bare, "CS-147", f"{own} hand with {name} is busy", (DODGE, "abort")),
        Check(in_field, rule, f"{name} does not reach {own} field {field} to defend", (DODGE, NONE)),
    )


def dodge_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-305, CS-417, CS-419, CS-422: one dodges if one is free to move, aware, and not worn out."""
    foe, combatant = people_of(state, blow)
    name, worth = combatant.name, weapon_uses.dodge_worth(state, combatant)
    field = places.field_of(state, combatant, foe)
    rule = "CS-303" if field and ranges.uses()[field].needs == "aware" else "CS-305"
    is_aware, is_free = places.defence_of(state, combatant, foe).dodge, queries.BODY not in items.busy_parts(combatant)
    has_dodge = worth is None or rolls.rounded(worth) > 0
    return (
        able_check(combatant),
        Check(is_aware, rule, f"{name} isn't aware of {foe.name}", (NONE,)),
        Check(is_free, "CS-417", f"{name} needs the whole body for the declared Action", (PARRY, NONE)),
        Check(not blow.undodged, "CS-422", f"{name} committed the whole body to the attack", (PARRY, BLOCK, NONE)),
        Check(has_dodge, "CS-419", f"{name} has no Dodge left", (PARRY, NONE)),
    )


def able_check(combatant: Combatant) -> Check:
    """The defender must be up."""
    return Check(combatant.able, "CS-111", f"{combatant.name} is down", (NONE,))


def _is_on_full_defence(combatant: Combatant, foe: Combatant) -> bool:
    """CS-167: whether the combatant's whole Action is defence against this foe."""
    full = fighter_of(combatant).full_defence
    return full is not None and full.against == foe.id


def _item_defences(state: FightState, blow: Blow, thing: Item, *verbs: Literal["parry", "block"]) -> list[Defence]:
    """Parry or Block with one item (CS-411); both have the same value."""
    name, total = items.name_of(thing), _half_of_combination(state, blow, thing, _worth_against(state, blow, thing))
    return [Defence(f"{verb} {name}", _label_sum(total, f"{verb} {name}"), Guard(verb, (name,))) for verb in verbs]


def _worth_against(state: FightState, blow: Blow, thing: Item) -> Sum | None:
    """CS-167, CS-486: an item's DV, alone or in a Combination: undiminished on full defence, halved after a miss."""
    foe, combatant = people_of(state, blow)
    missed, fresh = blow.has_missed(items.name_of(thing)), _is_on_full_defence(combatant, foe)
    return weapon_uses.worth_of(state, combatant, thing, "defence", fresh=fresh, missed=missed)


def _label_sum(total: Sum | None, label: str) -> Sum | None:
    return None if total is None else Sum((Part(label, total.parts[0].value, "CS-410"), *total.parts[1:]))


def dodge_defence(state: FightState, blow: Blow) -> Defence:
    """A Dodge (CS-418)."""
    foe, combatant = people_of(state, blow)
    return Defence(DODGE, weapon_uses.dodge_worth(state, combatant, fresh=_is_on_full_defence(combatant, foe)), DODGING)


def _add_dodge(weapon: Defence, dodge: Defence) -> Defence:
    """CS-417: a Dodge beside a Block or Parry: both values together."""
    total = None
    if weapon.total is not None and dodge.total is not None:
        dodge_part = combined_defence(weapon.total.total, dodge.total.total).parts[-1]
        first = dodge.total.parts[0]
        total = Sum((*weapon.total.parts, Part(dodge_part.label, first.value, dodge_part.rule), *dodge.total.parts[1:]))
    return Defence(f"{weapon.label}+{DODGE}", total, replace(weapon.guard, dodges=True))


def _half_of_combination(state: FightState, blow: Blow, thing: Item, own: Sum | None) -> Sum | None:
    """CS-369: half of a Combination adds its level against two attacks, and a declared Attack/Defence one always."""
    _, combatant = people_of(state, blow)
    name, action = items.name_of(thing), queries.action_of(combatant)
    # Of the Combination in which this one defends, the other attacks until its Action is over.
    attacking, is_mixed = None, action.kind == queries.COMBINATION and action.mode == records.MIXED
    if is_mixed and action.state != queries.ABORTED and name.lower() == action.second.lower():
        is_over = not action.is_open and queries.has_slot(state, combatant, queries.pass_number(state))
        attacking = None if is_over else items.item_named(combatant, action.weapon)
    held = (thing for thing in items.items_in_hand(combatant).values() if items.name_of(thing).lower() != name.lower())
    other = attacking or next(held, None)
    if own is None or other is None:
        return own
    role = records.MIXED if attacking else "defence"
    level = attack_values.combination_sl(combatant, name, items.name_of(other), role)
    if level is None or not (attacking or _attacks_faced(state, blow) > 1):
        return own
    if attacking:
        has_struck = attack_values.hand_of(combatant, other) in action.struck
        other_sum = weapon_uses.worth_of(state, combatant, other, "attack", before=int(has_struck))
    else:
        other_sum = _worth_against(state, blow, other)
    return own if other_sum is None else attack_values.add_combination(own, other_sum, level, "mixed")


def _combination_defence(state: FightState, blow: Blow, first: Item, second: Item) -> Defence | None:
    """CS-367: two items as one defence against one attack; None without the Combination for it."""
    _, combatant = people_of(state, blow)
    names = (items.name_of(first), items.name_of(second))
    level = attack_values.combination_sl(combatant, *names, "defence")
    if level is None:
        return None
    one_half, other_half = _worth_against(state, blow, first), _worth_against(state, blow, second)
    guard = Guard(PARRY, names)
    label = str(guard)
    if one_half is None or other_half is None:
        return Defence(label, None, guard)
    leads, follows = (one_half, other_half) if one_half.total >= other_half.total else (other_half, one_half)
    return Defence(label, _label_sum(attack_values.add_combination(leads, follows, level, "defence"), label), guard)


def _attacks_faced(state: FightState, blow: Blow) -> int:
    """The number of attacks on the target in this pass: by several foes, or by a pair used separately (CS-369)."""
    count = 0
    for other in queries.all_able(state):
        action = queries.action_of(other)
        if action.kind not in queries.ATTACKS or action.kind in queries.RANGED:
            continue
        # Whose target is down turns to another foe as the blow is struck (CS-111).
        is_turned = other.id == blow.attacker and not any(target.able for target in queries.targets_of(state, action))
        aims = blow.target in action.targets or (is_turned and blow.in_turn)
        if aims and is_of_this_pass(state, other):
            mode = (other.id == blow.attacker and blow.mode) or action.mode
            is_pair = bool(action.second) and mode not in (records.CONCERT, records.MIXED)
            count += 2 if is_pair and set(action.targets) == {blow.target} else 1
    return count


class DefenceLeft(NamedTuple):
    """A defence left in this Action: its means, such as ``parry sword``, and its AV."""

    means: str
    av: int

    def __str__(self) -> str:
        return f"{self.means} {self.av}"


def list_defences_left(state: FightState, combatant: Combatant) -> tuple[DefenceLeft, ...]:
    """CS-169: the defences left in this Action one by one, the best first."""
    if not combatant.able:
        return ()
    things = items.items_in_hand(combatant).values()
    ready = {items.name_of(thing): thing for thing in things if not items.is_missile(thing)}
    defences_left = [
        DefenceLeft(f"{PARRY} {name}", av)
        for name, thing in ready.items()
        if items.free_hands(combatant, name)
        for av in weapon_uses.remaining_values(state, combatant, thing)
    ]
    if queries.BODY not in items.busy_parts(combatant):
        defences_left += [DefenceLeft(DODGE, av) for av in weapon_uses.remaining_dodge_values(state, combatant)]
    return tuple(sorted(defences_left, key=lambda defence: -defence.av))


def list_defences(state: FightState, blow: Blow) -> Iterator[Defence]:
    """All defences: single ones, the best first, then two together, friends', none; for a shot its cases (CS-501)."""
    return (defence_less_doubt(state, blow, defence) for defence in _plain_defences(state, blow))


def _plain_defences(state: FightState, blow: Blow) -> Iterator[Defence]:
    if not blow.ranged:
        yield from _own_defences(state, blow)
        near = frozenset.union(*(places.ids_engaged(state, each) for each in people_of(state, blow)))
        lent: list[Defence] = []
        for other in queries.all_able(state):
            if other.id in near and first_broken(friend_checks(state, blow, other)) is None:
                own = _with_one_item(_own_defences(state, _redirected_blow(blow, other)))
                lent += [_lend_defence(state, each, other) for each in islice(own, 1)]
        yield from (*_best_first(lent), NO_DEFENCE)
        return
    default_case = attack_values.case_of(state, blow)
    others = [case for case in attack_values.CASES if case != default_case]
    cases = (default_case, *(others if state.combatants[blow.target].able else ()))
    broken = first_broken(dodge_checks(state, blow))
    dodge = dodge_defence(state, blow).total if broken is None else Sum((Part("no Dodge", 0, broken.rule),))
    guards = (Guard(case, dodges=case == attack_values.AWARE and broken is None) for case in cases)
    dvs = (attack_values.shot_dv(state, blow, case, dodge) for case in cases)
    yield from map(Defence, cases, dvs, guards)


def defence_less_doubt(state: FightState, blow: Blow, defence: Defence) -> Defence:
    """CS-519: a defence less the defender's doubt against this attacker."""
    if defence.total is None:
        return defence
    combatant = state.combatants[defence.guard.by or blow.target]
    return replace(defence, total=condition.subtract_doubt(state, combatant, blow.attacker, defence.total))


def _own_defences(state: FightState, blow: Blow) -> Iterator[Defence]:
    # Items that shoot defend only if they are named.
    held = {items.name_of(each): each for each in items.items_in_hand(state.combatants[blow.target]).values()}
    fit = (thing for thing in held.values() if not items.is_missile(thing))
    things = tuple(thing for thing in fit if first_broken(_item_checks(state, blow, thing)) is None)
    single: list[Defence] = []
    for thing in things:
        single += _item_defences(state, blow, thing, *((PARRY, BLOCK) if items.is_shield(thing) else (PARRY,)))
    dodge = dodge_defence(state, blow) if first_broken(dodge_checks(state, blow)) is None else None
    yield from _best_first(single if dodge is None else [*single, dodge])
    together = [_add_dodge(defence, dodge) for defence in single if dodge is not None and dodge.total is not None]
    combination = _combination_defence(state, blow, *things) if len(things) == 2 else None
    yield from _best_first(together if combination is None else [*together, combination])


def _best_first(options: list[Defence]) -> tuple[Defence, ...]:
    worths = [(defence.worth, defence) for defence in options]
    by_worth = [(worth, defence) for worth, defence in worths if worth is not None and worth > 0]
    unknown = [defence for worth, defence in worths if worth is None]
    return (*(defence for _, defence in sorted(by_worth, key=lambda pair: -pair[0])), *unknown)


# Friends who step in


def friend_checks(state: FightState, blow: Blow, other: Combatant) -> tuple[Check, ...]:
    """CS-414: a friend is of the target's side and beside one of the two; without a board the GM decides."""
    foe, combatant = people_of(state, blow)
    is_friend = other.side == combatant.side and other.id != combatant.id
    is_beside = any(places.is_engaged(state, other, target) for target in (combatant, foe))
    unknown = not places.can_measure(state, other, combatant) and not state.contacts
    stranger = f"{other.name} isn't on {combatant.name}'s side"
    return (
        able_check(other),
        Check(is_friend, "CS-414", stranger, ("a friend of the target's",)),
        Check(is_beside or unknown, "CS-414", f"{other.name} isn't next to {combatant.name}", ("move up",)),
    )


def _ways_to_defend(state: FightState, blow: Blow) -> tuple[str, ...]:
    """What a refused defence could be instead, friends who could step in included (CS-414)."""
    _, combatant = people_of(state, blow)
    labels = [defence.label for defence in list_defences(state, blow)]
    friends = (each for each in queries.all_able(state) if each.side == combatant.side and each.id != combatant.id)
    able = (each for each in friends if first_broken(friend_checks(state, blow, each)) is None)
    by_name = tuple(f"{_unique_name(state, each)}: {PARRY}" for each in able)
    named = {label.partition(":")[0] for label in labels if ":" in label}
    return (*labels, *(text for text in by_name if text.partition(":")[0] not in named))


def _with_one_item(options: Iterable[Defence]) -> Iterator[Defence]:
    return (each for each in options if len(each.guard.items) == 1 and not each.guard.dodges)


def _redirected_blow(blow: Blow, other: Combatant) -> Blow:
    return replace(blow, target=other.id, guard=None, missed=(), undodged=False)


def _lend_defence(state: FightState, defence: Defence, other: Combatant) -> Defence:
    label = f"{_unique_name(state, other)}: {defence.label}"
    return replace(defence, label=label, guard=replace(defence.guard, by=other.id))


def _unique_name(state: FightState, other: Combatant) -> str:
    alike = [each for each in state.combatants.values() if each.name.lower() == other.name.lower()]
    return other.label if len(alike) > 1 or ":" in other.name or "+" in other.name else other.name


def _find_friend(state: FightState, name: str) -> Combatant | None:
    people = state.combatants.values()
    alike = (each for each in people if name.lower() == each.name.lower())
    return next((each for each in people if name in (each.id, each.label)), None) or next(alike, None)


LENIENT = Referee("", "", True)
"""A referee who refuses no defence: it was chosen before, or nobody has chosen it."""


def choose_defence(state: FightState, blow: Blow, referee: Referee = LENIENT) -> Defence:
    """The named defence, or the best."""
    return defence_less_doubt(state, blow, _find_defence(state, blow, referee))


def _find_defence(state: FightState, blow: Blow, referee: Referee) -> Defence:
    guard = blow.guard
    if blow.ranged:
        if guard is not None and not blow.is_met_by(*attack_values.CASES, DODGE, NONE):
            accepts = tuple(attack_values.CASES)
            raise Refused("CS-506", f"{str(guard)!r} doesn't work against a shot", accepts, final=True)
        return next(_plain_defences(state, blow))
    # A journal of version 4 names a friend by name.
    friend = _find_friend(state, guard.by) if guard is not None and guard.by else None
    if guard is None or (guard.by and friend is None):
        return next(_plain_defences(state, blow))
    if friend is not None:
        enforce(friend_checks(state, blow, friend), referee)
        defence = _find_defence(state, replace(_redirected_blow(blow, friend), guard=replace(guard, by="")), referee)
        if defence.guard.dodges or not defence.guard.items:
            raise Refused("CS-414", f"{friend.name} helps with what is in hand", (f"{friend.id}: parry",), final=True)
        return _lend_defence(state, defence, friend)
    return NO_DEFENCE if guard.way == NONE else _build_defence(state, blow, guard, referee)


def named_defence(blow: Blow, options: Iterable[Defence]) -> Defence:
    """The defence that a blow names, among those offered, else the first."""
    own_guard = blow.guard
    if own_guard is None:
        return next(iter(options))
    names = tuple(map(str.lower, own_guard.items))

    def is_named(guard: Guard) -> bool:
        is_same = (guard.way, guard.by, *map(str.lower, guard.items)) == (own_guard.way, own_guard.by, *names)
        return is_same and (guard.dodges == own_guard.dodges or own_guard.way in attack_values.CASES)

    all_defences = tuple(options)
    return next((defence for defence in all_defences if is_named(defence.guard)), all_defences[0])


def _build_defence(state: FightState, blow: Blow, guard: Guard, referee: Referee) -> Defence:
    things = tuple(_item(state, blow, name) for name in guard.items)
    if guard.way not in (PARRY, BLOCK, DODGE):
        name, accepts = state.combatants[blow.target].name, _ways_to_defend(state, blow)
        raise Refused("CS-410", f"{name} has no defence {str(guard)!r}", accepts, final=True)
    for thing in things:
        enforce(_item_checks(state, blow, thing), referee)
    if guard.dodges:
        enforce(dodge_checks(state, blow), referee)
    if not things:
        return dodge_defence(state, blow)
    if len(things) > 1:
        names = tuple(map(items.name_of, things))
        combination = _combination_defence(state, blow, things[0], things[1])
        message = f"no Combination Defence with {' and '.join(names)} has been learned"
        referee.require(combination is not None, "CS-367", message, "one of them")
        defence = combination or Defence(str(Guard(PARRY, names)), None, Guard(PARRY, names))
    else:
        (defence,) = _item_defences(state, blow, things[0], BLOCK if guard.way == BLOCK else PARRY)
    return _add_dodge(defence, dodge_defence(state, blow)) if guard.dodges else defence


def _item(state: FightState, blow: Blow, name: str) -> Item:
    _, combatant = people_of(state, blow)
    if name:
        thing = items.item_named(combatant, name)
        if thing is None:
            accepts = _ways_to_defend(state, blow)
            raise Refused("CS-410", f"{combatant.name} has no {name!r} to defend with", accepts, final=True)
        return thing
    ready = next(_with_one_item(list_defences(state, blow)), None)
    if ready is None:
        raise Refused("CS-415", f"{combatant.name} has nothing in hand to defend with", (DODGE, NONE), final=True)
    return item_of(combatant, ready.guard.items[0])


def read_guard(state: FightState, blow: Blow, text: str) -> Guard | None:
    """The target's response as the GM has typed it, not yet checked; None for nothing."""
    text = text.strip()
    if not text:
        return None
    if blow.ranged:
        plain = _TRAILING_WORTH.sub("", text)
        return _WAYS.get(plain.lower()) or Guard(items=(plain,))
    friend_name, colon, what = text.partition(":")
    friend = _find_friend(state, friend_name.strip()) if colon else None
    if friend is None:
        return _read_own(state, blow, text)
    friend_guard = _read_own(state, _redirected_blow(blow, friend), what.strip() or PARRY)
    return replace(friend_guard, by=friend.id)


def _read_own(state: FightState, blow: Blow, text: str) -> Guard:
    _, combatant = people_of(state, blow)
    # A final number may belong to an item's name: ``block shield 2``.
    if not any(text.lower().endswith(items.name_of(thing).lower()) for thing in items.items_of(combatant)):
        text = _TRAILING_WORTH.sub("", text)
    if text.lower() in _WAYS:
        return _WAYS[text.lower()]
    alone = _AND_DODGE.sub("", text)
    if items.item_named(combatant, _split_verb(alone)[1]) is not None:
        pieces = [alone, *([DODGE] if alone != text else [])]
    else:
        pieces = [piece.strip() for piece in text.split("+")]
    parts = [_split_verb(piece) for piece in pieces if piece.lower() != DODGE]
    default_way: Way = PARRY if pieces[0].lower() == DODGE else ""
    verb = next((verb for verb, _ in parts if verb), default_way)
    return Guard(verb, tuple(name for _, name in parts), dodges=len(parts) < len(pieces)) if parts else DODGING


def _split_verb(text: str) -> tuple[Way, str]:
    word, _, name = text.partition(" ")
    return (_VERBS[word.lower()], name.strip()) if word.lower() in _VERBS else ("", text.strip())


_VERBS: Mapping[str, Way] = {PARRY: PARRY, BLOCK: BLOCK}
_PLAIN: tuple[Way, ...] = (NONE, records.STAND, *attack_values.CASES)
_WAYS: Mapping[str, Guard] = {DODGE: DODGING, "evade": DODGING, **{way: Guard(way) for way in _PLAIN}}


# What an exchange costs, hit or miss

Side: TypeAlias = Literal["attack", "defence"]
BOTH: tuple[Side, Side] = ("attack", "defence")


def count_uses(decision: Decision, blow: Blow, guard: Guard, *sides: Side) -> None:
    """CS-238, CS-414, CS-419, CS-487: count the uses of these sides; not of a weapon that defends after a miss."""
    for name in blow.weapons if "attack" in sides else ():
        combatant = decision.state.combatants[blow.attacker]
        thing, way, skills = item_of(combatant, name), way_of(blow), type_of(decision.state, blow).skills
        total = weapon_uses.worth_of(decision.state, combatant, thing, "attack", way=way, skills=skills)
        skill, load = weapon_uses.skill_of(combatant, thing, way, skills), condition.rounded_or_none(total) or 0
        decision.emit(weapon_uses.count_use(decision.state, combatant, skill, "attack", load))
    defender = guard.by or blow.target
    if "defence" not in sides:
        return
    fresh = _is_on_full_defence(decision.state.combatants[defender], decision.state.combatants[blow.attacker])
    for name in guard.items:
        if guard.by or not blow.has_missed(name):
            combatant = decision.state.combatants[defender]
            thing = item_of(combatant, name)
            total = weapon_uses.worth_of(decision.state, combatant, thing, "defence", fresh=fresh)
            skill, load = weapon_uses.skill_of(combatant, thing), condition.rounded_or_none(total) or 0
            decision.emit(weapon_uses.count_use(decision.state, combatant, skill, "defence", load))
    if guard.dodges:
        combatant = decision.state.combatants[defender]
        total = weapon_uses.dodge_worth(decision.state, combatant, fresh=fresh)
        decision.emit(weapon_uses.count_dodge(combatant, condition.rounded_or_none(total) or 0))


def pay(decision: Decision, blow: Blow, guard: Guard, *sides: Side) -> None:
    """CS-168, CS-343, CS-479: spend END for attack and each defence, if any is left (M-13), and CND once a segment."""
    settings, spent = settings_of(decision.state), end_spent(guard.count)
    payers = {"attack": (blow.attacker, spent.attacker), "defence": (guard.by or blow.target, spent.defender)}
    for side in sides:
        payer_id, points = payers[side]
        for _ in range(points if settings.end else 0):
            end = decision.state.combatants[payer_id].pool(queries.END)
            if end.now:
                left = end.now - 1
                decision.emit(EndSpent(who=payer_id, before=end.now, left=left, max=end.max, purpose=side))
        payer = decision.state.combatants[payer_id]
        if points and settings.cnd_allowance and fighter_of(payer).exerted != decision.state.round:
            decision.emit(*queries.set_traits(payer, exerted=decision.state.round))
            cnd = payer.pool(queries.CND)
            if cnd.now:
                left = cnd.now - 1
                decision.emit(AllowanceSpent(who=payer_id, before=cnd.now, left=left, max=cnd.max, purpose=side))


def exhausted_reserves(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """M-13: the reserves that a combatant has used up, for the GM to know; a heroic deed goes on without (CS-645)."""
    settings = settings_of(state)
    pools = ((queries.END, settings.end, "END"), (queries.CND, settings.cnd_allowance, "CND allowance"))
    heroic = " but acts anyway: a heroic deed" if condition.amount_of(combatant, "cnd") else ""
    return tuple(
        f"{combatant.name} has no {label} left{heroic}"
        for pool, is_counted, label in pools
        if is_counted and combatant.pool(pool).max and not combatant.pool(pool).now
    )
