"""Choosing a defence: all defences against an attack, those of friends included, and the one named (CS-410..417).

It is named as in ``parry sword``, ``block shield``, ``dodge``, ``parry sword+dodge``, ``parry sword+axe``, ``eve: parry
sword`` for a friend who steps in, or ``none``; its DV may follow, as in the offer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import defences, shots
from fightcall_engine.systems.segments.combat.defences import DODGING, NO_DEFENCE, Defence
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.rules.ranges import Awareness
from fightcall_engine.systems.segments.state import items, morale, queries
from fightcall_engine.systems.segments.state.battle import BLOCK, DODGE, NONE, PARRY, STAND, Blow, Guard, Way
from fightcall_engine.systems.segments.state.blows import item_of, people_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")

_AND_DODGE = re.compile(r"\s*\+\s*dodge$", re.IGNORECASE)

# All defences


def list_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """All defences: single ones, the best first, then two together, then those of friends, and none at all.

    Unknown ones come last of their kind. Against a shot they are the target's awareness (CS-501 to CS-503).
    """
    return tuple(defence_less_doubt(state, blow, defence) for defence in _plain_defences(state, blow))


def _plain_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    if blow.ranged:
        return _against_shot(state, blow)
    return (*own_defences(state, blow), *_best_first(_friend_defences(state, blow)), NO_DEFENCE)


def defence_less_doubt(state: FightState, blow: Blow, defence: Defence) -> Defence:
    """CS-519: a defence less the defender's doubt against this attacker."""
    if defence.total is None:
        return defence
    combatant = state.combatants[defence.by or blow.target]
    return replace(defence, total=morale.subtract_doubt(state, combatant, blow.attacker, defence.total))


def own_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """The target's own defences."""
    single = [
        defences.item_defence(state, blow, thing, verb)
        for thing in _candidates(state, blow)
        for verb in ((PARRY, BLOCK) if items.is_shield(thing) else (PARRY,))
    ]
    dodge = defences.dodge_defence(state, blow) if first_broken(defences.dodge_checks(state, blow)) is None else None
    together = [
        defences.add_dodge(defence, dodge) for defence in single if dodge is not None and dodge.total is not None
    ]
    together += _combinations(state, blow)
    single += [dodge] if dodge is not None else []
    return (*_best_first(single), *_best_first(together))


def _best_first(options: list[Defence]) -> tuple[Defence, ...]:
    worths = [(defence.worth, defence) for defence in options]
    by_worth = [(worth, defence) for worth, defence in worths if worth is not None and worth > 0]
    unknown = [defence for worth, defence in worths if worth is None]
    return (*(defence for _, defence in sorted(by_worth, key=lambda pair: -pair[0])), *unknown)


def _candidates(state: FightState, blow: Blow) -> tuple[Item, ...]:
    """Items that can defend now; those that shoot only if they are named."""
    _, combatant = people_of(state, blow)
    items_by_name = {items.name_of(thing): thing for thing in items.items_in_hand(combatant).values()}
    return tuple(
        thing
        for thing in items_by_name.values()
        if not items.is_missile(thing) and first_broken(defences.item_checks(state, blow, thing)) is None
    )


def _combinations(state: FightState, blow: Blow) -> list[Defence]:
    things = _candidates(state, blow)
    if len(things) != 2:
        return []
    combination = defences.combination_defence(state, blow, *things)
    return [combination] if combination is not None else []


def _against_shot(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    default_case = shots.case_of(state, blow)
    is_able = state.combatants[blow.target].able
    others = [case for case in shots.CASES if case != default_case] if is_able else []
    return tuple(_shot_case(state, blow, case) for case in (default_case, *others))


def _shot_case(state: FightState, blow: Blow, case: Awareness) -> Defence:
    broken = first_broken(defences.dodge_checks(state, blow))
    dodge = defences.dodge_defence(state, blow).total if broken is None else Sum((Part("no Dodge", 0, broken.rule),))
    guard = Guard(case, dodges=case == shots.AWARE and broken is None)
    return Defence(case, shots.shot_dv(state, blow, case, dodge), guard)


def _best_defence(state: FightState, blow: Blow) -> Defence:
    """The default defence: the best single one."""
    return _plain_defences(state, blow)[0]


# Friends who step in


def friend_checks(state: FightState, blow: Blow, other: Combatant) -> tuple[Check, ...]:
    """CS-414: a friend is of the target's side and beside one of the two; without a board the GM decides."""
    foe, combatant = people_of(state, blow)
    is_beside = any(places.is_engaged(state, other, target) for target in (combatant, foe))
    unknown = not places.can_measure(state, other, combatant) and not state.contacts
    return (
        defences.able_check(other),
        Check(
            other.side == combatant.side and other.id != combatant.id,
            "CS-414",
            f"{other.name} isn't on {combatant.name}'s side",
            ("a friend of the target's",),
        ),
        Check(is_beside or unknown, "CS-414", f"{other.name} isn't next to {combatant.name}", ("move up",)),
    )


def ways_to_defend(state: FightState, blow: Blow) -> tuple[str, ...]:
    """What a refused defence could be instead, friends who could step in included (CS-414)."""
    _, combatant = people_of(state, blow)
    labels = tuple(defence.label for defence in list_defences(state, blow))
    friends = (each for each in queries.all_able(state) if each.side == combatant.side and each.id != combatant.id)
    able = (each for each in friends if first_broken(friend_checks(state, blow, each)) is None)
    by_name = tuple(f"{_unique_name(state, each)}: {PARRY}" for each in able)
    named = {label.partition(":")[0] for label in labels if ":" in label}
    return (*labels, *(text for text in by_name if text.partition(":")[0] not in named))


def _redirected_blow(blow: Blow, other: Combatant) -> Blow:
    """The blow with a combatant who steps in as its target."""
    return replace(blow, target=other.id, guard=None, missed=(), undodged=False)


def _friend_defences(state: FightState, blow: Blow) -> list[Defence]:
    """The best defence of each friend with what they hold."""
    defences_lent = []
    near = frozenset.union(*(places.ids_engaged(state, each) for each in people_of(state, blow)))
    for other in queries.all_able(state):
        if other.id in near and first_broken(friend_checks(state, blow, other)) is None:
            fit = [
                defence
                for defence in own_defences(state, _redirected_blow(blow, other))
                if len(defence.items) == 1 and not defence.dodges
            ]
            defences_lent += [_lend_defence(state, fit[0], other)] if fit else []
    return defences_lent


def _lend_defence(state: FightState, defence: Defence, other: Combatant) -> Defence:
    label = f"{_unique_name(state, other)}: {defence.label}"
    return replace(defence, label=label, guard=replace(defence.guard, by=other.id))


def _unique_name(state: FightState, other: Combatant) -> str:
    """The name, or the label if the name is not unique."""
    alike = [combatant for combatant in state.combatants.values() if combatant.name.lower() == other.name.lower()]
    return other.label if len(alike) > 1 or ":" in other.name or "+" in other.name else other.name


def _find_friend(state: FightState, name: str) -> Combatant | None:
    """The combatant with this id, label, or name."""
    people = state.combatants.values()
    exact = next((combatant for combatant in people if name in (combatant.id, combatant.label)), None)
    return exact or next((combatant for combatant in people if name.lower() == combatant.name.lower()), None)


def _defence_of_friend(state: FightState, blow: Blow, guard: Guard, other: Combatant, referee: Referee) -> Defence:
    """CS-414: the defence of a friend who steps in."""
    enforce(friend_checks(state, blow, other), referee)
    defence = _find_defence(state, replace(_redirected_blow(blow, other), guard=replace(guard, by="")), referee)
    if defence.dodges or not defence.items:
        raise Refused("CS-414", f"{other.name} helps with what is in hand", (f"{other.id}: parry",), final=True)
    return _lend_defence(state, defence, other)


# The chosen defence


def choose_defence(state: FightState, blow: Blow, referee: Referee) -> Defence:
    """The named defence, or the best.

    Raises:
        Refused: it is not a defence, or cannot be used now.
    """
    return defence_less_doubt(state, blow, _find_defence(state, blow, referee))


def _find_defence(state: FightState, blow: Blow, referee: Referee) -> Defence:
    guard = blow.guard
    if blow.ranged:
        return _chosen_case(state, blow)
    # A journal of version 4 names a friend by name.
    friend = _find_friend(state, guard.by) if guard is not None and guard.by else None
    if guard is None or (guard.by and friend is None):
        return _best_defence(state, blow)
    if friend is not None:
        return _defence_of_friend(state, blow, guard, friend, referee)
    return NO_DEFENCE if guard.way == NONE else _build_defence(state, blow, guard, referee)


def named_defence(blow: Blow, options: tuple[Defence, ...]) -> Defence:
    """The defence that a blow names, among those offered, else the first."""
    guard = blow.guard
    return next(
        (defence for defence in options if guard is not None and _is_same_guard(defence.guard, guard)), options[0]
    )


def _is_same_guard(guard: Guard, other: Guard) -> bool:
    names = tuple(map(str.lower, guard.items)) == tuple(map(str.lower, other.items))
    dodges = guard.dodges == other.dodges or other.way in shots.CASES
    return names and dodges and (guard.way, guard.by) == (other.way, other.by)


def _chosen_case(state: FightState, blow: Blow) -> Defence:
    if blow.guard is not None and not blow.is_met_by(*shots.CASES, DODGE, NONE):
        raise Refused("CS-506", f"{str(blow.guard)!r} doesn't work against a shot", tuple(shots.CASES), final=True)
    return _against_shot(state, blow)[0]


def _build_defence(state: FightState, blow: Blow, guard: Guard, referee: Referee) -> Defence:
    """A defence of the target's own, as named.

    Raises:
        Refused: the target does not have it; lists those it has.
    """
    things = tuple(_item(state, blow, name) for name in guard.items)
    if guard.way not in (PARRY, BLOCK, DODGE):
        _, combatant = people_of(state, blow)
        accepts = ways_to_defend(state, blow)
        raise Refused("CS-410", f"{combatant.name} has no defence {str(guard)!r}", accepts, final=True)
    for thing in things:
        enforce(defences.item_checks(state, blow, thing), referee)
    if guard.dodges:
        enforce(defences.dodge_checks(state, blow), referee)
    if not things:
        return defences.dodge_defence(state, blow)
    if len(things) > 1:
        names = tuple(map(items.name_of, things))
        combination = defences.combination_defence(state, blow, things[0], things[1])
        message = f"no Combination Defence with {' and '.join(names)} has been learned"
        referee.require(combination is not None, "CS-367", message, "one of them")
        defence = combination or Defence(str(Guard(PARRY, names)), None, Guard(PARRY, names))
    else:
        defence = defences.item_defence(state, blow, things[0], BLOCK if guard.way == BLOCK else PARRY)
    return defences.add_dodge(defence, defences.dodge_defence(state, blow)) if guard.dodges else defence


def _item(state: FightState, blow: Blow, name: str) -> Item:
    _, combatant = people_of(state, blow)
    if name:
        thing = items.item_named(combatant, name)
        if thing is None:
            accepts = ways_to_defend(state, blow)
            raise Refused("CS-410", f"{combatant.name} has no {name!r} to defend with", accepts, final=True)
        return thing
    ready = [defence for defence in list_defences(state, blow) if len(defence.items) == 1 and not defence.dodges]
    if not ready:
        raise Refused("CS-415", f"{combatant.name} has nothing in hand to defend with", (DODGE, NONE), final=True)
    return item_of(combatant, ready[0].items[0])


# Reading


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
    text = text if _ends_with_item(combatant, text) else _TRAILING_WORTH.sub("", text)
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
    """The verb, Parry or Block, if there is one, and the item."""
    word, _, name = text.partition(" ")
    return (_VERBS[word.lower()], name.strip()) if word.lower() in _VERBS else ("", text.strip())


def _ends_with_item(combatant: Combatant, text: str) -> bool:
    """Whether a final number belongs to an item's name: ``block shield 2``."""
    return any(text.lower().endswith(items.name_of(thing).lower()) for thing in items.items_of(combatant))


_VERBS: Mapping[str, Way] = {PARRY: PARRY, BLOCK: BLOCK}

_PLAIN: tuple[Way, ...] = (NONE, STAND, *shots.CASES)

_WAYS: Mapping[str, Guard] = {DODGE: DODGING, "evade": DODGING, **{way: Guard(way) for way in _PLAIN}}
