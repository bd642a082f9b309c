"""Choosing a defence: all there are against one attack, a friend's among them, and the one that is said (CS-410..417).

What is said is text such as ``parry sword``, ``block shield``, ``dodge``, ``parry sword+dodge``, ``parry sword+axe``,
``eve: parry sword`` for a friend who steps in, or ``none``; its DV may stand behind it, as it is offered.
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
from fightcall_engine.systems.segments.state import figures, items, morale
from fightcall_engine.systems.segments.state.battle import BLOCK, DODGE, NONE, PARRY, STAND, Blow, Guard, Way
from fightcall_engine.systems.segments.state.blows import item_of, people_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")

_AND_DODGE = re.compile(r"\s*\+\s*dodge$", re.IGNORECASE)

# All of them


def list_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """The defences there are: each by itself, the best first, then two together, then a friend's, and none at all.

    What is unknown comes last of its kind. Of a shot they are how the target takes it (CS-501 to CS-503).
    """
    return tuple(less_doubt(state, blow, defence) for defence in _plain_defences(state, blow))


def _plain_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    if blow.ranged:
        return _against_shot(state, blow)
    return (*own_defences(state, blow), *_by_worth(_of_friends(state, blow)), NO_DEFENCE)


def less_doubt(state: FightState, blow: Blow, defence: Defence) -> Defence:
    """CS-519: the DV of whoever defends, less what he doubts himself before this attacker."""
    if defence.total is None:
        return defence
    combatant = state.combatants[defence.by or blow.target]
    return replace(defence, total=morale.subtract_doubt(state, combatant, blow.attacker, defence.total))


def own_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """What the target can do for himself."""
    single = [
        defences.of_item(state, blow, thing, verb)
        for thing in _candidates(state, blow)
        for verb in ((PARRY, BLOCK) if items.is_shield(thing) else (PARRY,))
    ]
    dodge = defences.of_dodge(state, blow) if first_broken(defences.dodge_checks(state, blow)) is None else None
    together = [
        defences.with_dodge(defence, dodge) for defence in single if dodge is not None and dodge.total is not None
    ]
    together += _combinations(state, blow)
    single += [dodge] if dodge is not None else []
    return (*_by_worth(single), *_by_worth(together))


def _by_worth(options: list[Defence]) -> tuple[Defence, ...]:
    worths = [(defence.worth, defence) for defence in options]
    by_worth = [(worth, defence) for worth, defence in worths if worth is not None and worth > 0]
    unknown = [defence for worth, defence in worths if worth is None]
    return (*(defence for _, defence in sorted(by_worth, key=lambda pair: -pair[0])), *unknown)


def _candidates(state: FightState, blow: Blow) -> tuple[Item, ...]:
    """Items that may defend now; what shoots does so only where it is named."""
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
    combination = defences.of_combination(state, blow, *things)
    return [combination] if combination is not None else []


def _against_shot(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    usual = shots.case_of(state, blow)
    others = [case for case in shots.CASES if case != usual]
    return tuple(_shot_case(state, blow, case) for case in (usual, *others))


def _shot_case(state: FightState, blow: Blow, case: Awareness) -> Defence:
    broken = first_broken(defences.dodge_checks(state, blow))
    dodge = defences.of_dodge(state, blow).total if broken is None else Sum((Part("no Dodge", 0, broken.rule),))
    guard = Guard(case, dodges=case == shots.AWARE and broken is None)
    return Defence(case, shots.shot_dv(state, blow, case, dodge), guard)


def _best_defence(state: FightState, blow: Blow) -> Defence:
    """What a target does of whom nobody says anything: the best single defence there is."""
    return _plain_defences(state, blow)[0]


# A third who steps in


def friend_checks(state: FightState, blow: Blow, other: Combatant) -> tuple[Check, ...]:
    """CS-414: somebody of the target's side who is beside one of the two; without a board the GM sees to it."""
    foe, combatant = people_of(state, blow)
    beside = any(places.is_engaged(state, other, target) for target in (combatant, foe))
    unknown = not places.can_measure(state, other, combatant) and not state.contacts
    return (
        defences.able_check(other),
        Check(
            other.side == combatant.side and other.id != combatant.id,
            "CS-414",
            f"{other.name} is no friend of {combatant.name}'s",
        ),
        Check(beside or unknown, "CS-414", f"{other.name} is not beside {combatant.name}", ("move up",)),
    )


def _blow_for(blow: Blow, other: Combatant) -> Blow:
    """The blow as it meets somebody who steps in."""
    return replace(blow, target=other.id, guard=None, missed=(), undodged=False)


def _of_friends(state: FightState, blow: Blow) -> list[Defence]:
    """The best that each friend beside them can do with what he holds."""
    defences_lent = []
    for other in figures.all_able(state):
        beside = any(places.is_engaged(state, other, target) for target in people_of(state, blow))
        if beside and first_broken(friend_checks(state, blow, other)) is None:
            fit = [
                defence
                for defence in own_defences(state, _blow_for(blow, other))
                if len(defence.items) == 1 and not defence.dodges
            ]
            defences_lent += [_lend_defence(state, fit[0], other)] if fit else []
    return defences_lent


def _lend_defence(state: FightState, defence: Defence, other: Combatant) -> Defence:
    label = f"{_unique_name(state, other)}: {defence.label}"
    return replace(defence, label=label, guard=replace(defence.guard, by=other.id))


def _unique_name(state: FightState, other: Combatant) -> str:
    """By name, or by label where the name would not do."""
    alike = [combatant for combatant in state.combatants.values() if combatant.name.lower() == other.name.lower()]
    return other.label if len(alike) > 1 or ":" in other.name or "+" in other.name else other.name


def _find_friend(state: FightState, name: str) -> Combatant | None:
    """Somebody by id, by label, or else by name."""
    people = state.combatants.values()
    exact = next((combatant for combatant in people if name in (combatant.id, combatant.label)), None)
    return exact or next((combatant for combatant in people if name.lower() == combatant.name.lower()), None)


def _by_friend(state: FightState, blow: Blow, guard: Guard, other: Combatant, referee: Referee) -> Defence:
    """CS-414: the defence of a friend who steps in."""
    enforce(friend_checks(state, blow, other), referee)
    defence = _find_defence(state, replace(_blow_for(blow, other), guard=replace(guard, by="")), referee)
    if defence.dodges or not defence.items:
        raise Refused("CS-414", f"{other.name} helps with what is in hand", (f"{other.id}: parry",), final=True)
    return _lend_defence(state, defence, other)


# The one that is chosen


def choose_defence(state: FightState, blow: Blow, referee: Referee) -> Defence:
    """The defence that is said, or the best there is.

    Raises:
        Refused: it cannot be used now, or is none.
    """
    return less_doubt(state, blow, _find_defence(state, blow, referee))


def _find_defence(state: FightState, blow: Blow, referee: Referee) -> Defence:
    guard = blow.guard
    if blow.ranged:
        return _chosen_case(state, blow)
    # A journal of version 4 has a friend by name.
    friend = _find_friend(state, guard.by) if guard is not None and guard.by else None
    if guard is None or (guard.by and friend is None):
        return _best_defence(state, blow)
    if friend is not None:
        return _by_friend(state, blow, guard, friend, referee)
    return NO_DEFENCE if guard.way == NONE else _build_defence(state, blow, guard, referee)


def named_defence(blow: Blow, options: tuple[Defence, ...]) -> Defence:
    """The defence among those offered that a blow names, else the first."""
    guard = blow.guard
    return next((defence for defence in options if guard is not None and _is_like(defence.guard, guard)), options[0])


def _is_like(guard: Guard, other: Guard) -> bool:
    names = tuple(map(str.lower, guard.items)) == tuple(map(str.lower, other.items))
    dodges = guard.dodges == other.dodges or other.way in shots.CASES
    return names and dodges and (guard.way, guard.by) == (other.way, other.by)


def _chosen_case(state: FightState, blow: Blow) -> Defence:
    if blow.guard is not None and not blow.is_met_by(*shots.CASES, DODGE, NONE):
        raise Refused("CS-506", f"{str(blow.guard)!r} is no defence against a shot", tuple(shots.CASES), final=True)
    return _against_shot(state, blow)[0]


def _build_defence(state: FightState, blow: Blow, guard: Guard, referee: Referee) -> Defence:
    """A defence of the target's own, as it is said.

    Raises:
        Refused: it is none of his; lists the defences there are.
    """
    things = tuple(_item(state, blow, name) for name in guard.items)
    if guard.way not in (PARRY, BLOCK, DODGE):
        _, combatant = people_of(state, blow)
        accepts = tuple(defence.label for defence in list_defences(state, blow))
        raise Refused("CS-410", f"{str(guard)!r} is no defence of {combatant.name}'s", accepts, final=True)
    for thing in things:
        enforce(defences.item_checks(state, blow, thing), referee)
    if guard.dodges:
        enforce(defences.dodge_checks(state, blow), referee)
    if not things:
        return defences.of_dodge(state, blow)
    if len(things) > 1:
        names = tuple(map(items.name_of, things))
        combination = defences.of_combination(state, blow, things[0], things[1])
        message = f"no Combination Defence of {' and '.join(names)} was learned"
        referee.require(combination is not None, "CS-367", message, "one of them")
        defence = combination or Defence(str(Guard(PARRY, names)), None, Guard(PARRY, names))
    else:
        defence = defences.of_item(state, blow, things[0], BLOCK if guard.way == BLOCK else PARRY)
    return defences.with_dodge(defence, defences.of_dodge(state, blow)) if guard.dodges else defence


def _item(state: FightState, blow: Blow, name: str) -> Item:
    _, combatant = people_of(state, blow)
    if name:
        thing = items.item_named(combatant, name)
        if thing is None:
            accepts = tuple(defence.label for defence in list_defences(state, blow))
            raise Refused("CS-410", f"{combatant.name} has no {name!r} to defend with", accepts, final=True)
        return thing
    ready = [defence for defence in list_defences(state, blow) if len(defence.items) == 1 and not defence.dodges]
    if not ready:
        raise Refused("CS-415", f"{combatant.name} has nothing in hand to defend with", (DODGE, NONE), final=True)
    return item_of(combatant, ready[0].items[0])


# As it is said


def read_guard(state: FightState, blow: Blow, text: str) -> Guard | None:
    """How the target meets a blow, as the GM has said it; None where nothing is said. It is judged later."""
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
    own = _read_own(state, _blow_for(blow, friend), what.strip() or PARRY)
    return replace(own, by=friend.id)


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
    usual: Way = PARRY if pieces[0].lower() == DODGE else ""
    verb = next((verb for verb, _ in parts if verb), usual)
    return Guard(verb, tuple(name for _, name in parts), dodges=len(parts) < len(pieces)) if parts else DODGING


def _split_verb(text: str) -> tuple[Way, str]:
    """Parry or Block, where it is said, and with what."""
    word, _, name = text.partition(" ")
    return (_VERBS[word.lower()], name.strip()) if word.lower() in _VERBS else ("", text.strip())


def _ends_with_item(combatant: Combatant, text: str) -> bool:
    """True where what ends with a number is an item's name: ``block shield 2``."""
    return any(text.lower().endswith(items.name_of(thing).lower()) for thing in items.items_of(combatant))


_VERBS: Mapping[str, Way] = {PARRY: PARRY, BLOCK: BLOCK}

_PLAIN: tuple[Way, ...] = (NONE, STAND, *shots.CASES)

_WAYS: Mapping[str, Guard] = {DODGE: DODGING, "evade": DODGING, **{way: Guard(way) for way in _PLAIN}}
