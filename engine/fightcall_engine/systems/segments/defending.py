"""The defending side: the defences somebody has against an attack, what each is worth, and what it costs (CS-410..422).

Defences need no declaration (CS-165) and are settled in the attacker's turn (CS-412). What is said of one is text such
as ``parry sword``, ``block shield``, ``dodge``, ``parry sword+dodge``, ``parry sword+shield`` or ``none``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from fightcall_engine.checks import Check, enforce, first_broken
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import attacking, checking, holding, placing, ranging, uses_kept
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.blows import MIXED, SEPARATE, Blow, item_of, people_of
from fightcall_engine.systems.segments.formulas import fields
from fightcall_engine.systems.segments.formulas.defending import combined_defence
from fightcall_engine.systems.segments.formulas.shooting import Awareness
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.uses_kept import Item

NONE, DODGE, PARRY, BLOCK = "none", "dodge", "parry", "block"
_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")


@dataclass(frozen=True, slots=True)
class Defence:
    """One way to defend against one attack.

    Attributes:
        said: what it is called.
        total: the DV it gives with all its parts; None where something in it is unknown.
        items: names of what is used.
        dodges: a Dodge is part of it.
    """

    said: str
    total: Sum | None
    items: tuple[str, ...] = ()
    dodges: bool = False

    @property
    def worth(self) -> int | None:
        """The DV, rounded once."""
        return None if self.total is None else checking.worth(self.total)

    @property
    def count(self) -> int:
        """How many defences it is, for what it costs (CS-168, A-36)."""
        return len(self.items) + self.dodges

    @property
    def shown(self) -> str:
        """It with its DV, as it is offered."""
        return f"{self.said} {'?' if self.worth is None else self.worth}" if self.said != NONE else NONE


UNDEFENDED = Defence(NONE, Sum((Part("no defence", 0, "CS-410"),)))


# What stands against one


def item_checks(state: FightState, blow: Blow, thing: Item) -> tuple[Check, ...]:
    """CS-147, CS-302 to CS-305, CS-415, CS-506: an item that is held, in a hand that is free and reaches the foe."""
    foe, one = people_of(state, blow)
    name = holding.name_of(thing)
    hands = holding.in_hand(one, name)
    bare = name == holding.BARE
    busy = busy_parts(one)
    free = [hand for hand in hands if hand not in busy]
    field = placing.field_of(state, one, foe)
    reach = placing.defence(state, one, foe).hands
    rule = fields.uses()[field].rule if field else "CS-301"
    return (
        _able(one),
        Check(not blow.ranged, "CS-506", "no weapon turns what flies", (*ranging.CASES,)),
        Check(bool(hands) or bare, "CS-415", f"{one.name} does not hold {name}", ("what is in hand", DODGE)),
        Check(bool(free) or bare, "CS-147", f"{one.name}'s hand with {name} is at something else", (DODGE, "abort")),
        Check(
            bool(set(free) & set(reach)) or (bare and bool(reach)),
            rule,
            f"{name} does not reach {one.name}'s field {field} to defend",
            (DODGE, NONE),
        ),
    )


def dodge_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-305, CS-417, CS-419, CS-422: free to move, aware, and not worn out."""
    foe, one = people_of(state, blow)
    worth = uses_kept.dodge_worth(state, one)
    field = placing.field_of(state, one, foe)
    needs = fields.uses()[field].needs if field else ""
    rule = "CS-303" if needs == "aware" else "CS-305"
    return (
        _able(one),
        Check(placing.defence(state, one, foe).dodge, rule, f"{one.name} knows nothing of {foe.name}", (NONE,)),
        Check(act.BODY not in busy_parts(one), "CS-417", f"{one.name} is bound with the whole body", (PARRY, NONE)),
        Check(not blow.undodged, "CS-422", f"{one.name} has thrown in the whole body", (PARRY, BLOCK, NONE)),
        Check(worth is None or checking.worth(worth) > 0, "CS-419", f"{one.name} has no Dodge left", (PARRY, NONE)),
    )


def _able(one: Combatant) -> Check:
    return Check(one.able, "CS-111", f"{one.name} is down", (NONE,))


def busy_parts(one: Combatant) -> tuple[str, ...]:
    """Parts of somebody that no defence can use: at work on what is no attack, or bound (CS-146, CS-147, CS-416)."""
    action = act.action_of(one)
    own = action.bound if action.kind in (act.TASK, act.OBJECT, act.ACT) else ()
    whole = (act.BODY,) if act.BODY in action.bound else ()
    return (*own, *whole, *fg.text_trait(one, "bound").replace(",", " ").split())


# What each gives


def is_fresh(one: Combatant, foe: Combatant) -> bool:
    """CS-167: true where the whole Action is given to defending against this foe."""
    return fg.text_trait(one, "full_defence") == foe.id


def of_item(state: FightState, blow: Blow, thing: Item, verb: str = PARRY) -> Defence:
    """Parry or Block with one item (CS-411): the same number, be it one or the other."""
    foe, one = people_of(state, blow)
    name = holding.name_of(thing)
    missed = bool(blow.missed) and name.lower() == blow.missed.lower()
    fresh = is_fresh(one, foe)
    total = uses_kept.worth_of(state, one, thing, "defence", fresh=fresh, missed=missed)
    said = f"{verb} {name}"
    return Defence(said, _labelled(_half_of_combination(state, blow, thing, total), said), (name,))


def _labelled(total: Sum | None, said: str) -> Sum | None:
    """The DV's parts begin with what is done, so that they are told from those of the AV."""
    if total is None:
        return None
    return Sum((Part(said, total.parts[0].value, "CS-410"), *total.parts[1:]))


def of_dodge(state: FightState, blow: Blow) -> Defence:
    """A Dodge (CS-418)."""
    foe, one = people_of(state, blow)
    return Defence(DODGE, uses_kept.dodge_worth(state, one, fresh=is_fresh(one, foe)), dodges=True)


def with_dodge(weapon: Defence, dodge: Defence) -> Defence:
    """CS-417: a Dodge beside a Block or Parry: both numbers together."""
    total = None
    if weapon.total is not None and dodge.total is not None:
        beside = combined_defence(weapon.total.total, dodge.total.total).parts[-1]
        first = dodge.total.parts[0]
        total = Sum((*weapon.total.parts, Part(beside.label, first.value, beside.rule), *dodge.total.parts[1:]))
    return Defence(f"{weapon.said}+{DODGE}", total, weapon.items, dodges=True)


def _half_of_combination(state: FightState, blow: Blow, thing: Item, own: Sum | None) -> Sum | None:
    """CS-369: each half of a Combination defends with its own value and the level, where there are two attacks.

    An Attack/Defence Combination that was declared does so anyway.
    """
    _, one = people_of(state, blow)
    name = holding.name_of(thing)
    action = act.action_of(one)
    mixed = action.kind == act.COMBINATION and action.mode == MIXED and name.lower() == action.second.lower()
    other = _other_held(one, name) if not mixed else holding.item(one, action.weapon)
    if own is None or other is None or not (mixed or attacks_faced(state, blow) > 1):
        return own
    level = attacking.combination_sl(one, name, holding.name_of(other), MIXED if mixed else "defence")
    struck = mixed and attacking.hand_of(one, other) in action.struck.split()
    beside = uses_kept.worth_of(state, one, other, "attack" if mixed else "defence", before=int(struck))
    if level is None or beside is None:
        return own
    return attacking.combined(own, beside, level, "mixed")


def of_combination(state: FightState, blow: Blow, first: Item, second: Item) -> Defence | None:
    """CS-367: two items as one defence against one attack; None without the Combination for it."""
    _, one = people_of(state, blow)
    names = (holding.name_of(first), holding.name_of(second))
    level = attacking.combination_sl(one, *names, "defence")
    if level is None:
        return None
    halves = [uses_kept.worth_of(state, one, thing, "defence") for thing in (first, second)]
    said = f"{PARRY} {names[0]}+{names[1]}"
    if halves[0] is None or halves[1] is None:
        return Defence(said, None, names)
    leads, follows = (halves[0], halves[1]) if halves[0].total >= halves[1].total else (halves[1], halves[0])
    return Defence(said, _labelled(attacking.combined(leads, follows, level, "defence"), said), names)


def _other_held(one: Combatant, name: str) -> Item | None:
    others = [thing for thing in holding.held(one).values() if holding.name_of(thing).lower() != name.lower()]
    return others[0] if others else None


def attacks_faced(state: FightState, blow: Blow) -> int:
    """How many attacks of this pass are meant for the target: of several foes, or a pair struck separately (CS-369)."""
    found = 0
    for other in fg.able(state):
        action = act.action_of(other)
        aimed = blow.target in action.aims and action.kind in act.ATTACKS and action.kind not in act.RANGED
        now = action.state in (act.COMMITTED, act.DONE, act.FAILED) and (action.cs, action.in_pass) == (
            state.round,
            fg.pass_number(state),
        )
        if aimed and now:
            found += 2 if action.mode == SEPARATE else 1
    return found


# All of them


def defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """The defences a target has: each by itself, the best first, then two together; what is unknown comes last.

    Of a shot they are how the target takes it (CS-501 to CS-503). It always ends with none at all.
    """
    if blow.ranged:
        return _against_shot(state, blow)
    single = [
        of_item(state, blow, thing, verb)
        for thing in _candidates(state, blow)
        for verb in ((PARRY, BLOCK) if holding.is_shield(thing) else (PARRY,))
    ]
    dodge = of_dodge(state, blow) if first_broken(dodge_checks(state, blow)) is None else None
    together = [with_dodge(one, dodge) for one in single if dodge is not None and dodge.total is not None]
    together += _combinations(state, blow)
    single += [dodge] if dodge is not None else []
    return (*_by_worth(single), *_by_worth(together), UNDEFENDED)


def _by_worth(found: list[Defence]) -> tuple[Defence, ...]:
    known = [one for one in found if one.worth is not None and one.worth > 0]
    unknown = [one for one in found if one.worth is None]
    return (*sorted(known, key=lambda one: -(one.worth or 0)), *unknown)


def _candidates(state: FightState, blow: Blow) -> tuple[Item, ...]:
    """Items that may defend now; what shoots does so only where it is named."""
    _, one = people_of(state, blow)
    held = {holding.name_of(thing): thing for thing in holding.held(one).values()}
    return tuple(
        thing
        for thing in held.values()
        if not holding.is_missile(thing) and first_broken(item_checks(state, blow, thing)) is None
    )


def _combinations(state: FightState, blow: Blow) -> list[Defence]:
    things = _candidates(state, blow)
    if len(things) != 2:
        return []
    found = of_combination(state, blow, *things)
    return [found] if found is not None else []


def _against_shot(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    usual = ranging.case_of(state, blow)
    others = [case for case in ranging.CASES if case != usual]
    return tuple(_shot_case(state, blow, case) for case in (usual, *others))


def _shot_case(state: FightState, blow: Blow, case: Awareness) -> Defence:
    broken = first_broken(dodge_checks(state, blow))
    dodge = of_dodge(state, blow).total if broken is None else Sum((Part("no Dodge", 0, broken.rule),))
    return Defence(case, ranging.shot_dv(state, blow, case, dodge), dodges=case == ranging.AWARE and broken is None)


def best(state: FightState, blow: Blow) -> Defence:
    """What a target does of whom nobody says anything: the best single defence there is."""
    return defences(state, blow)[0]


def remaining(state: FightState, one: Combatant) -> tuple[str, ...]:
    """CS-169: the defences left in this Action one by one, the best first: ``parry sword 35``, ``dodge 13``."""
    if not one.able:
        return ()
    busy = busy_parts(one)
    held = {holding.name_of(thing): thing for thing in holding.held(one).values() if not holding.is_missile(thing)}
    found = [
        (worth, f"{PARRY} {name} {worth}")
        for name, thing in held.items()
        if any(hand not in busy for hand in holding.in_hand(one, name))
        for worth in uses_kept.worths_left(state, one, thing)
    ]
    if act.BODY not in busy:
        found += [(worth, f"{DODGE} {worth}") for worth in uses_kept.dodges_left(state, one)]
    return tuple(said for _, said in sorted(found, key=lambda one: -one[0]))


# The one that is chosen


def chosen(state: FightState, blow: Blow, referee: Referee) -> Defence:
    """The defence that is said, or the best there is.

    Raises:
        Refused: it cannot be used now, or is none.
    """
    said = blow.defence.strip()
    if blow.ranged:
        return _chosen_case(state, blow)
    if not said:
        return best(state, blow)
    plain = _TRAILING_WORTH.sub("", said)
    offered = {found.said.lower(): found for found in defences(state, blow)}
    known = offered.get(said.lower()) or offered.get(plain.lower())
    return known or _read(state, blow, said if _ends_with_item(state, blow, said) else plain, referee)


def _ends_with_item(state: FightState, blow: Blow, said: str) -> bool:
    """True where what ends with a number is an item's name: ``block shield 2``."""
    _, one = people_of(state, blow)
    return any(said.lower().endswith(holding.name_of(thing).lower()) for thing in holding.items(one))


def _chosen_case(state: FightState, blow: Blow) -> Defence:
    said = _TRAILING_WORTH.sub("", blow.defence.strip().lower())
    if said and said not in (*ranging.CASES, DODGE, NONE):
        raise Refused("CS-506", f"{said!r} is no defence against a shot", tuple(ranging.CASES), final=True)
    return _against_shot(state, replace(blow, defence=said))[0]


def _read(state: FightState, blow: Blow, said: str, referee: Referee) -> Defence:
    verb, things, dodges = _words(state, blow, said)
    for thing in things:
        enforce(item_checks(state, blow, thing), referee)
    if dodges:
        enforce(dodge_checks(state, blow), referee)
    if not things:
        return of_dodge(state, blow)
    if len(things) > 1:
        found = of_combination(state, blow, things[0], things[1])
        names = " and ".join(holding.name_of(thing) for thing in things)
        referee.require(found is not None, "CS-367", f"no Combination Defence of {names} was learned", "one of them")
        found = found or Defence(said, None, tuple(holding.name_of(thing) for thing in things))
    else:
        found = of_item(state, blow, things[0], verb)
    return with_dodge(found, of_dodge(state, blow)) if dodges else found


def _words(state: FightState, blow: Blow, said: str) -> tuple[str, tuple[Item, ...], bool]:
    """What is said: Parry or Block, with what, and whether there is a Dodge.

    Raises:
        Refused: it is none of these; lists the defences there are.
    """
    _, one = people_of(state, blow)
    verb, things, dodges = "", list[Item](), False
    for piece in said.split("+"):
        word, _, name = piece.strip().partition(" ")
        if word.lower() == DODGE and not name:
            dodges = True
            continue
        if word.lower() in (PARRY, BLOCK):
            verb = verb or word.lower()
        else:
            name = piece.strip()
        things.append(_item(state, blow, name.strip()))
    if verb not in (PARRY, BLOCK) and things and said.split("+")[0].strip().lower() != DODGE:
        listed = tuple(found.said for found in defences(state, blow))
        raise Refused("CS-410", f"{said!r} is no defence of {one.name}'s", listed, final=True)
    return verb or PARRY, tuple(things), dodges


def _item(state: FightState, blow: Blow, name: str) -> Item:
    _, one = people_of(state, blow)
    if name:
        found = holding.item(one, name)
        if found is None:
            listed = tuple(known.said for known in defences(state, blow))
            raise Refused("CS-410", f"{one.name} has no {name!r} to defend with", listed, final=True)
        return found
    ready = [known for known in defences(state, blow) if len(known.items) == 1 and not known.dodges]
    if not ready:
        raise Refused("CS-415", f"{one.name} has nothing in hand to defend with", (DODGE, NONE))
    return item_of(one, ready[0].items[0])
