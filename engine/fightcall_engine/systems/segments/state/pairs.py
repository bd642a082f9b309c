"""Two acts that make one Action: the listed pairs, and those the GM allows (CS-390 to CS-393)."""

from __future__ import annotations

from functools import cache

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.tasks import ActionPair, find_pair, listed_pairs
from fightcall_engine.systems.segments.state import commands, events, figures
from fightcall_engine.systems.segments.state.action import CHARGE, COMBINATION, DEFEND, HURL, MOVE, SHOOT, STRIKE
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import Action, Piece, fighter_of
from fightcall_engine.systems.segments.state.pieces import DRAW

ACTS = frozenset(name.lower() for pair in listed_pairs() for name in (pair.first, pair.second))

MOVEMENTS = frozenset({"move", "pass", "charge", "crawl", "leap", "jump"})

IN_PASSING = frozenset({"turn", "rise", "drop", "draw", "grab"})
"""What costs no distance on the move (CS-104, CS-105)."""

HALVING = frozenset({"strike", "turn"})
"""Beside these one rises by half only (CS-391)."""

KINDS = {
    "strike": STRIKE,
    "fire": SHOOT,
    "throw": HURL,
    "charge": CHARGE,
    "parry": DEFEND,
    "block": DEFEND,
    "dodge": DEFEND,
}
"""The kind of Action that an act makes of its pair (CS-166)."""

_OF_THE_BODY = MOVEMENTS | {"turn", "rise", "drop"}

_OF_THE_HANDS = frozenset({"grab", "catch"})

QUARTER, HALF = 1, 2

_RISEN = {figures.PRONE: figures.KNEELING, figures.KNEELING: figures.STANDING}


def pair_in(command: commands.Declare) -> tuple[Piece, Piece] | None:
    """The two acts that a command names, in their order; None where it names other things.

    Beside movement the other act costs a quarter of the distance, or what is said: ``move strike=2`` costs half.
    """
    if len(command.components) != 2:
        return None
    acts = []
    for text in command.components:
        name, equals, share = text.strip().lower().partition("=")
        if name not in ACTS or (equals and share not in (str(QUARTER), str(HALF))):
            return None
        acts.append(Piece(name, int(share) if equals else QUARTER))
    first, second = acts
    return first, second


def kind_in(command: commands.Declare) -> str:
    """The kind of Action that a pair makes, or a Turn alone (CS-121); empty where other things are named."""
    names = [piece.key for piece in pair_in(command) or ()]
    kinds = [KINDS[name] for name in names if name in KINDS]
    if kinds:
        return kinds[0]
    moving = names and _OF_THE_BODY.issuperset(names)
    turning = command.components and all(text.strip() in ("turn_quarter", "turn_half") for text in command.components)
    return MOVE if moving or turning else ""


def hands_in(command: commands.Declare) -> bool:
    """True for a pair that both hands are at work on; the others leave them free to defend (CS-123, CS-147)."""
    return any(piece.key in _OF_THE_HANDS for piece in pair_in(command) or ())


def pair_of(action: Action) -> tuple[str, str] | None:
    """The two acts of a declared Action."""
    acts = action.components
    names = [piece.key for piece in acts]
    return (names[0], names[1]) if len(acts) == 2 and all(name in ACTS for name in names) else None


def find_listed_pair(first: str, second: str) -> ActionPair | None:
    """The listed pair, in this order (CS-390)."""
    return find_pair(first.title(), second.title()) or find_pair(first, second)


@cache
def with_kind(kind: str) -> tuple[str, ...]:
    """The listed pairs of an attack of this kind, as they are typed: ``turn strike`` (CS-390)."""
    kinds = dict.fromkeys(
        names
        for pair in listed_pairs()
        for names in ((pair.first, pair.second), *(((pair.second, pair.first),) if pair.reversible else ()))
        if kind in (KINDS.get(name) for name in names)
    )
    return tuple(" ".join(names) for names in kinds)


def is_allowed(state: FightState, first: str, second: str, kind: str = "") -> bool:
    """True for a listed pair, and for one that the GM has allowed for this fight (CS-390, CS-392).

    A Turn may come before or after the blows of a Combination, whatever is listed (CS-373); a weapon that hangs ready
    is drawn into an attack or a defence (CS-123).
    """
    if first == DRAW and second in KINDS:
        return True
    if kind == COMBINATION and {first, second} == {"turn", "strike"}:
        return True
    return find_listed_pair(first, second) is not None or (first, second) in battle_of(state).pairs


def save_pair(state: FightState, first: str, second: str) -> Events:
    """The fact that a pair is allowed from now on (CS-392)."""
    return figures.set_fact(state, "pairs", tuple(dict.fromkeys([*battle_of(state).pairs, (first, second)])))


def rise_check(combatant: Combatant, first: str, second: str) -> Check:
    """CS-390, CS-391: a rise needs somebody who does not stand; one that goes before a Move may be none."""
    rises = "rise" in (first, second) and not MOVEMENTS.intersection((first, second))
    down = fighter_of(combatant).posture in _RISEN or fighter_of(combatant).rise_qa > 0
    beside = second if first == "rise" else first
    return Check(down or not rises, "CS-391", f"{combatant.name} stands already", (f"{beside} alone",))


def rise_of_pair(combatant: Combatant, action: Action, *, last: bool = False) -> Events:
    """CS-390, CS-391: the rise of a pair, where it comes first, or `last`, when the other act is done.

    With a Strike or a Turn it is from prone to kneeling or from kneeling to standing; with all else one is up.
    """
    acts = pair_of(action)
    before = fighter_of(combatant).posture
    if acts is None or acts[1 if last else 0] != "rise" or before not in _RISEN or not combatant.able:
        return ()
    if fighter_of(combatant).rise_qa:
        return ()  # The rise of this Action is made already.
    after = _RISEN[before] if HALVING.intersection(acts) else figures.STANDING
    change = events.PostureChanged(who=combatant.id, traits={"posture": after}, posture=after)
    steps = figures.POSTURES.index(before) - figures.POSTURES.index(after)
    return (change, *figures.set_traits(combatant, rise_qa=steps))


def other_than_moving(action: Action) -> Piece | None:
    """CS-393: the act that is done beside movement and takes a share of it; None where none does."""
    acts = pair_of(action)
    if acts is None or not any(name in MOVEMENTS for name in acts):
        return None
    beside = [piece for piece in action.components if piece.key not in MOVEMENTS and piece.key not in IN_PASSING]
    return beside[0] if len(beside) == 1 else None
