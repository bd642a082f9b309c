"""Pieces of work, small acts (turning, rising, dropping, grabbing), and the slot in which an Action goes on.

A piece (CS-125..142) is typed as ``key``, ``key:argument`` or ``own words=quarter-actions``. The argument is how often
a line of the table is done, how many objects are in the way (``rummage:3``), or who tied a knot (``untie_knot:18/35``:
STR, and level in a trade that ties knots). ``doff_coat`` takes off what a line of the table puts on.

Small acts (CS-010, CS-093..104) join whatever else is done in the Action, without cost in distance (L210). Their
quarter-actions are counted, as there is a limit: a whole Action of them beside moving, and one small act beside an
attack or a defence (L238).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain

from fightcall_engine.kit.decision import question_check
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import remembered, replace
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import (
    QA_AN_ACTION,
    Component,
    Effort,
    Small,
    Tier,
    find_pair,
    listed_pairs,
    quarters,
)
from fightcall_engine.systems.segments.rules.ranges import OCTANTS
from fightcall_engine.systems.segments.state import commands, events, items, queries, rolls
from fightcall_engine.systems.segments.state.condition import strength_of
from fightcall_engine.systems.segments.state.records import NO_ACTION, Action, Piece, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.weapon_uses import (
    RELOAD,
    STEP_RULES,
    STEPS,
    cocking_dv,
    expand_reload,
    step_qa,
)

LONGEST_QA = 10_000
MOST_TIMES = 1000
DRAW = "draw"
"""Drawing a ready weapon, with an attack or a defence with it (CS-123)."""

ACTS_ALONE = frozenset({"turn", "rise", "drop", DRAW, "grab"})
"""Small acts of the listed pairs that may be declared alone (CS-121)."""

DROP_OR_GRAB = "drop_or_grab"
"""Dropping what is in hand, or grabbing what is within reach (table 4-1)."""

KNOT_TRADES = ("huntsman", "woodsman", "guide", "mariner")


def keys_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """The keys of the pieces of a declared Action."""
    return tuple(piece.key for piece in pieces)


# Pieces of work


STRING_BOW, RUMMAGE, UNTIE, SLEEVE = "string_bow", "rummage", "untie_knot", "don_sleeve"
_DON, _DOFF = "don_", "doff_"


class MissingInput(Exception):
    """A piece needs something that was not given: its key, the question, the rule, and the field of the answer."""

    def __init__(self, key: str, question: str, rule: str, amount: str) -> None:
        super().__init__(question)
        self.key, self.question, self.rule, self.amount = key, question, rule, amount


def pieces_of(state: FightState, combatant: Combatant, command: commands.Declare) -> tuple[Piece, ...]:
    """The pieces that a command names; MissingInput if one needs something that was not given."""
    words = expand_reload(combatant, command.weapon, _join_words(state, command.components))
    return tuple(_piece(state, combatant, command, text, words) for text in words)


def _join_words(state: FightState, words: tuple[str, ...]) -> tuple[str, ...]:
    """The pieces, each in one word, of words that were typed with blanks: ``don coat``, ``climb the wall=6``."""
    own_keys = {*battle_of(state).tasks, *STEPS, *ACTS_ALONE, RELOAD}

    def is_known(words: tuple[str, ...]) -> bool:
        key = "_".join((*words[:-1], words[-1].partition(":")[0])).strip().lower().replace(" ", "_")
        return key in own_keys or find_component(key) is not None

    joined, at = [], 0
    while at < len(words):
        ends = range(len(words), at, -1)
        known = (end for end in ends if is_known(words[at:end]))
        own_ends = (end for end in reversed(ends) if "=" in words[end - 1])
        end = next(known, next(own_ends, at + 1))
        joined.append("_".join(words[at:end]))
        at = end
    return tuple(joined)


def _piece(
    state: FightState, combatant: Combatant, command: commands.Declare, text: str, words: tuple[str, ...]
) -> Piece:
    name, equals, length = text.partition("=")
    if equals:
        return _piece_in_words(text, name, length)
    key, _, argument = name.strip().partition(":")
    key, argument = key.strip().lower().replace(" ", "_"), argument.strip()
    if key == RUMMAGE:
        if not argument:
            question = f"{combatant.name} rummages. How many objects are in the container?"
            raise MissingInput(RUMMAGE, f"{question} (0: the object is alone on top)", "CS-138", "objects")
        count = _count(f"{RUMMAGE}:{argument}", argument, 0, "CS-138")
        return Piece(RUMMAGE, formulas.rummage(count), count)
    if key == UNTIE:
        return _untie(state, combatant, command, argument)
    if key in STEPS:
        qa = step_qa(combatant, command.weapon, key, argument, words)
        return Piece(key, qa, int(argument) if argument else None)
    if key == STRING_BOW:
        rating = _count(text, argument, 1, "CS-139") if argument else None
        return Piece(key, _stringing_effort(state, combatant, command, rating).qa, rating)
    own_tasks, entry = battle_of(state).tasks, find_component(key)
    if key in own_tasks:
        qa = own_tasks[key]
    elif key in ACTS_ALONE:
        qa = formulas.components()["turn_half" if key == "turn" else DROP_OR_GRAB].qa or 1
    elif entry is None or entry.qa is None:
        raise Refused(
            "CS-130",
            f"{text!r} is not in table 4-1",
            ("climb=6: your own words and their quarter-actions", DRAW, *own_tasks, *formulas.components()),
            final=True,
        )
    else:
        qa = formulas.doff(entry.qa) if key.startswith(_DOFF) else entry.qa
    times = _count(text, argument, 1, "CS-130") if argument else None
    return Piece(key, qa * (times or 1), times)


def _piece_in_words(text: str, name: str, length: str) -> Piece:
    """CS-131: a piece in the GM's words, with its length in comparison with the table."""
    key = "_".join(name.replace(":", " ").split())
    length = length.strip()
    if not key or not (length.isascii() and length.isdigit()) or not 0 < int(length[:9]) <= LONGEST_QA:
        raise Refused("CS-131", f"{text!r}: how many quarter-actions?", ("climb=6", "a number above 0"), final=True)
    return Piece(key, int(length))


def _count(text: str, number_text: str, least: int, rule: str) -> int:
    number = int(number_text) if number_text.isascii() and number_text.isdigit() and len(number_text) < 10 else -1
    if not least <= number <= MOST_TIMES:
        raise Refused(rule, f"{text!r}: how many?", (f"{least} to {MOST_TIMES}",), final=True)
    return number


def find_component(key: str) -> Component | None:
    """The line of table 4-1 for a piece; for taking off, that for putting on."""
    return formulas.components().get(_DON + key.removeprefix(_DOFF) if key.startswith(_DOFF) else key)


def piece_label(piece: Piece) -> str:
    """A piece in words."""
    entry = find_component(piece.key)
    if entry is None:
        return piece.key.replace("_", " ")
    label_text = entry.label.replace("Don ", "Doff ", 1) if piece.key.startswith(_DOFF) else entry.label
    if piece.tied_by is not None:
        return f"{label_text}, tied by STR {piece.tied_by}"
    if piece.count is None or piece.key == STRING_BOW:
        return label_text
    return f"{label_text}, {piece.count} objects in it" if piece.key == RUMMAGE else f"{label_text} x{piece.count}"


def rule_of(piece: Piece) -> str:
    """The rule for a piece's length."""
    entry = find_component(piece.key)
    if entry is None:
        return STEP_RULES.get(piece.key, "CS-131")
    return "CS-134" if piece.key.startswith(_DOFF) else entry.rule


def _untie(state: FightState, combatant: Combatant, command: commands.Declare, argument: str) -> Piece:
    """CS-140: the length of untying a knot, by who tied it: the target, or as numbers."""
    if argument:
        strength, _, level = argument.partition("/")
        words = [word.strip() for word in (strength, level or "0")]
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
            raise Refused("CS-140", f"{argument!r} is not a STR with a level", ("18", "18/35: STR/level"), final=True)
        tier = Tier(int(words[0]), int(words[1]))
    elif command.target:
        other = combatant_of(state, command.target)
        tier = Tier(profile_of(other).scores.str, profile_of(other).trade_sl(*KNOT_TRADES))
    else:
        question = "Who tied the knot? STR, or STR/level as Huntsman, Woodsman, Guide or Mariner, such as 18/35"
        raise MissingInput(UNTIE, question, "CS-140", "tied_by")
    segments = formulas.untying_segments(
        formulas.untying(tier, strength=strength_of(state, combatant).total, crd=profile_of(combatant).mods.crd)
    )
    return Piece(UNTIE, segments_in_qa(state, combatant, segments), tied_by=tier)


def segments_in_qa(state: FightState, combatant: Combatant, segments: int) -> int:
    """CS-142: a time in segments as the Actions that a combatant has in so many from now on, in quarter-actions.

    If the last segment has none, the next Action completes the work (CS-102).
    """
    own_segment, rate = queries.own_segment(state, combatant), queries.rate_of_action(combatant)
    last = own_segment + segments - 1
    actions = formulas.owed_until(last, rate) - formulas.owed_until(own_segment - 1, rate)
    return formulas.QA_AN_ACTION * (actions + (formulas.slots(last, rate) == 0))


def _stringing_effort(
    state: FightState, combatant: Combatant, command: commands.Declare, rating: int | None = None
) -> Effort:
    """CS-139: the work of stringing a bow; each try at one that is too strong takes an Action and a STR check."""
    if rating is None:
        bows = [items.find_item(combatant, command.weapon)] if command.weapon else items.items_of(combatant)
        rating = next((each for thing in bows if isinstance(each := thing.get("str_rating"), int)), None)
    if rating is None:
        return formulas.stringing(0, 0)
    return formulas.stringing(rating, rolls.rounded(strength_of(state, combatant)), rolls.scale_of(state))


def difficulty_of(
    state: FightState, combatant: Combatant, command: commands.Declare, pieces: tuple[Piece, ...]
) -> int | None:
    """CS-139, CS-397: the DV of the STR check that a piece needs, or None."""
    cocking = cocking_dv(combatant, command.weapon, tuple(piece.key for piece in pieces))
    bows = (piece.count for piece in pieces if piece.key == STRING_BOW and not cocking)
    efforts = (_stringing_effort(state, combatant, command, rating).dv for rating in bows)
    return cocking or next(filter(None, efforts), None)


_TURNS = {"turn_quarter": OCTANTS // 4, "turn_half": OCTANTS // 2, "turn": OCTANTS // 2}
"""The angle of each Turn of table 4-1, and of the Turn in a pair of acts, in octants."""


def turn_octants(action: Action) -> int:
    """The angle of the Turn in an Action, in octants, or 0."""
    return max((_TURNS.get(piece.key, 0) for piece in action.components), default=0)


ACTS = frozenset(name.lower() for pair in listed_pairs() for name in (pair.first, pair.second))
MOVEMENTS = frozenset({"move", "pass", "charge", "crawl", "leap", "jump"})
IN_PASSING = ACTS_ALONE
"""The small acts without cost in distance while moving (CS-104, CS-105)."""

HALVING = frozenset({"strike", "turn"})
"""Beside these, one rises only by half (CS-391)."""

KINDS = {"strike": queries.STRIKE, "fire": queries.SHOOT, "throw": queries.HURL, "charge": queries.CHARGE}
KINDS |= dict.fromkeys(("parry", "block", "dodge"), queries.DEFEND)
"""The kind of Action of an act in a pair (CS-166)."""

_OF_THE_BODY = MOVEMENTS | {"turn", "rise", "drop"}
_WITH_MOVE = frozenset({"turn", "rise", "drop", "draw"})
"""What may open or close a Move, or be done at a run (CS-104, CS-105)."""

OF_THE_HANDS = frozenset({"grab", "catch"})
"""What occupies both hands, so that they can't defend (CS-123, CS-147)."""

_RISEN = {queries.PRONE: queries.KNEELING, queries.KNEELING: queries.STANDING}
GIVEN_UP = "given up"
"""The default reason for giving up an Action."""
AT_WORK = "at work"
"""The beginning of the reason for skipping a step in which work continues."""


QUARTER, HALF = 1, 2


def pair_of_command(command: commands.Declare) -> tuple[Piece, Piece] | None:
    """The pair of acts that a command names, in order, or None.

    Beside movement the other act costs a quarter of the distance, or as typed: ``move strike=2`` costs half.
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


def kind_of_command(command: commands.Declare) -> str:
    """The kind of Action of a pair, or of a Turn, a rise or a drop alone (CS-121); empty otherwise."""
    words = [text.strip().lower() for text in command.components]
    alone = words if len(words) == 1 and ACTS_ALONE.issuperset(words) else []
    names = [piece.key for piece in pair_of_command(command) or ()] or alone
    kinds = [KINDS[name] for name in names if name in KINDS]
    if kinds:
        return kinds[0]
    moving = names and _OF_THE_BODY.issuperset(names)
    turning = command.components and all(text.strip() in ("turn_quarter", "turn_half") for text in command.components)
    return queries.MOVE if moving or turning else ""


def is_momentary(command: commands.Declare) -> bool:
    """CS-123: whether a command names nothing but small acts, such as a draw, which leave the hands free to defend."""
    words = [text.strip().lower() for text in command.components]
    return bool(words) and all(word in ACTS_ALONE or word == DROP_OR_GRAB for word in words)


def pair_of(action: Action) -> tuple[str, str] | None:
    """The two acts of a declared Action, or None."""
    names = [piece.key for piece in action.components]
    return (names[0], names[1]) if len(names) == 2 and ACTS.issuperset(names) else None


@cache
def pairs_with_kind(kind: str) -> tuple[str, ...]:
    """The listed pairs with an attack of this kind, as they are typed: ``turn strike`` (CS-390)."""
    kinds = dict.fromkeys(
        names for pair in listed_pairs() for names in pair.orders if kind in (KINDS.get(name) for name in names)
    )
    return tuple(" ".join(names) for names in kinds)


def is_pair_allowed(state: FightState, first: str, second: str, kind: str = "") -> bool:
    """Whether a pair is listed, or allowed by the GM for this fight (CS-390, CS-392).

    A Turn may come before or after the blows of any Combination (CS-373); a ready weapon can be drawn for an attack or
    a defence (CS-123). A rise, a drop or a Turn opens or closes a Move; a weapon is drawn at a run (CS-104, CS-105).
    """
    if first == DRAW and second in KINDS:
        return True
    if "move" in (first, second) and not _WITH_MOVE.isdisjoint((first, second)):
        return True
    if kind == queries.COMBINATION and {first, second} == {"turn", "strike"}:
        return True
    listed_pair = find_pair(first, second)
    return listed_pair is not None or (first, second) in battle_of(state).pairs


def save_pair(state: FightState, first: str, second: str) -> Events:
    """The event that the GM allows a pair in this fight (CS-392)."""
    return queries.set_fact(state, "pairs", tuple(dict.fromkeys([*battle_of(state).pairs, (first, second)])))


def rise_check(combatant: Combatant, first: str, second: str) -> Check:
    """CS-390, CS-391: only those who do not stand can rise; a rise before a Move is not checked."""
    rises = "rise" in (first, second) and not MOVEMENTS.intersection((first, second))
    down = fighter_of(combatant).posture in _RISEN or fighter_of(combatant).rise_qa > 0
    other_act = second if first == "rise" else first
    return Check(down or not rises, "CS-391", f"{combatant.name} is already standing", (f"{other_act} alone",))


def apply_posture(combatant: Combatant, action: Action, *, last: bool = False) -> Events:
    """CS-390, CS-391: the rise or the drop to the ground that a declared Action begins with, or (`last`) ends with.

    With a Strike or a Turn a rise goes from prone to kneeling or from kneeling to standing; with other acts, to
    standing. A drop of something in hand is done already.
    """
    acts, fighter = [piece.key for piece in action.components], fighter_of(combatant)
    before = fighter.posture
    begins_with = acts[:-1] or acts
    act = next((each for each in (acts[len(begins_with) :] if last else begins_with) if each in (RISE, DROP)), "")
    if not combatant.able:
        return ()
    if act == RISE and before in _RISEN and not fighter.rise_qa:
        after = _RISEN[before] if HALVING.intersection(acts) else queries.STANDING
        spent = queries.POSTURES.index(before) - queries.POSTURES.index(after)
    elif act == DROP and before != queries.PRONE and not fighter.drop_qa:
        after, spent = queries.PRONE, QUARTER
    else:
        return ()  # It is none of these, or has been done in this Action.
    change = events.PostureChanged(who=combatant.id, traits={"posture": after}, posture=after)
    return (change, *queries.set_traits(combatant, **{SMALL_ACTS[act]: spent}))


def rises_first(combatant: Combatant) -> bool:
    """CS-390: whether a declared Action that is not confirmed yet begins with a rise to standing, as ``rise move``."""
    action = queries.action_of(combatant)
    changes = apply_posture(combatant, action) if action.state == queries.DRAFT else ()
    return any(isinstance(change, events.PostureChanged) and change.posture == queries.STANDING for change in changes)


def includes_draw(action: Action) -> bool:
    """CS-123, CS-257: whether an Action includes a declared draw or grab of its item, or grabbing its missile."""
    return action.kind in queries.RANGED or not {DRAW, GRAB, DROP_OR_GRAB}.isdisjoint(
        piece.key for piece in action.components
    )


def item_to_drop(combatant: Combatant, action: Action, name: str) -> str:
    """CS-147, CS-390: what a declared drop lets go of; empty if nothing, as when it is a drop to the ground.

    It is the named item if in hand and of no other use, else what a hand is needed for.
    """
    keys = {piece.key for piece in action.components}
    if keys.isdisjoint((DROP, DROP_OR_GRAB)):
        return ""
    if items.hands_holding(combatant, name):
        is_used = action.kind in (*queries.ATTACKS, queries.DEFEND) or not keys.isdisjoint((DRAW, GRAB))
        return "" if is_used else name
    return items.item_to_drop(combatant) if includes_draw(action) else ""


def act_beside_moving(action: Action) -> Piece | None:
    """CS-393: the act beside movement that takes a share of the distance, or None."""
    acts = pair_of(action)
    if acts is None or not any(name in MOVEMENTS for name in acts):
        return None
    others = [piece for piece in action.components if piece.key not in MOVEMENTS and piece.key not in IN_PASSING]
    return others[0] if len(others) == 1 else None


TURN, RISE, DROP, GRAB = "turn", "rise", "drop", "grab"
SMALL_ACTS: Mapping[str, str] = {TURN: "turn_qa", RISE: "rise_qa", DROP: "drop_qa", GRAB: "grab_qa"}
"""The small acts, with the fields that count their quarter-actions in the running Action."""

MOST_TURNED_QA = 2
"""A Turn of half a circle (table 4-1)."""

HALF_RISE_QA = 1
"""From prone to kneeling, or from kneeling to standing: as long as a Turn, since the text gives no length."""

_DONE = {TURN: "turned", RISE: "risen", DROP: "dropped", GRAB: "put a hand to something"}
_MELEE = (queries.STRIKE, queries.CHARGE, queries.COMBINATION)


# When small acts can be done


def can_move_late(state: FightState, combatant: Combatant) -> bool:
    """Whether one may move in others' declarations: it waits, has declared late, or is at work (CS-103, CS-161)."""
    has_declared_late = state.step is not None and fighter_of(combatant).inserted == state.step.id
    moves = fighter_of(combatant).waiting or has_declared_late or queries.is_busy(state, combatant)
    return moves and queries.kind_of(state) in (queries.DECLARE, queries.WAITS)


@remembered
def time_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-010, CS-091, CS-233: one moves in its own Declaration or Resolution, waiting, in Pulses, or in between."""
    kind, whose = queries.kind_of(state), queries.actor_of(state)
    is_own_turn = kind in (queries.DECLARE, queries.RESOLVE) and whose is not None and whose.id == combatant.id
    if whose is not None:
        problem = f"it is {whose.name}'s turn to {'act' if kind == queries.RESOLVE else 'declare and move'}"
    else:
        problem = "Initiative comes first" if kind == queries.INITIATIVE else "no one can move now"
    is_own_time = not kind or is_own_turn or can_move_late(state, combatant) or kind == queries.PULSE
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_own_time, "CS-010", problem, (f"{combatant.name}'s own Declaration or Resolution",), is_turn=True),
        question_check(state),
    )


def due_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-092 to CS-094: the checks of what takes a due Action, in the combatant's own Resolution."""
    whose, action = queries.actor_of(state), queries.action_of(combatant)
    name = whose.name if whose is not None else "nobody"
    is_own_turn = whose is not None and whose.id == combatant.id
    is_resolution, is_due = queries.kind_of(state) == queries.RESOLVE, action.is_open and queries.is_due(combatant)
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_resolution, "CS-094", "wait for Resolution", ("declare", "an Opportunity Action")),
        Check(is_due, "CS-093", f"{combatant.name} has no Action due", ("the next pass",)),
        Check(is_own_turn, "CS-092", f"{name} resolves the Action that is due now", (name,), is_turn=True),
    )


def legs_checks(combatant: Combatant) -> tuple[Check, ...]:
    """CS-136, CS-146: moving needs free legs, and nobody at work on the mover."""
    action, hold = queries.action_of(combatant), " ".join(items.bound_parts(combatant))
    bound_parts = () if action.kind in (queries.MOVE, queries.CHARGE) else action.bound
    has_legs = queries.LEGS not in bound_parts and queries.BODY not in bound_parts
    return (
        Check(has_legs, "CS-146", f"{combatant.name}'s legs are busy: {action.text or action.kind}", ("abort",)),
        Check(not hold, "CS-136", f"{combatant.name} stands still: {hold}", ("abort",)),
    )


# Costs and limits


def spent_qa(combatant: Combatant) -> dict[str, int]:
    """Quarter-actions of each small act in the running Action."""
    fighter = fighter_of(combatant)
    qa_by_act = {TURN: fighter.turn_qa, RISE: fighter.rise_qa, DROP: fighter.drop_qa, GRAB: fighter.grab_qa}
    return {small: max(0, qa) for small, qa in qa_by_act.items()}


def spend_small_act(combatant: Combatant, small: str, qa: int) -> Events:
    """The event that a small act has taken so many quarter-actions."""
    return queries.set_traits(combatant, **{SMALL_ACTS[small]: spent_qa(combatant)[small] + qa})


@remembered
def small_act_checks(state: FightState, combatant: Combatant, small: str, qa: int, rule: str) -> tuple[Check, ...]:
    """CS-104, CS-122, CS-391, CS-392: whether the running Action has room for so much more of a small act."""
    counts = spent_qa(combatant)
    counts[small] += qa
    left = max(0, QA_AN_ACTION - sum(counts.values()) + qa)
    problem = f"{combatant.name} has {left} of {QA_AN_ACTION} quarter-actions left for such acts, not {qa}"
    return (
        Check(sum(counts.values()) <= QA_AN_ACTION, rule, problem, ("the next Action",)),
        *_combination_checks(combatant, running_action(state, combatant), counts),
    )


def running_action(state: FightState, combatant: Combatant) -> Action:
    """The combatant's Action of this pass, or the one still at work on."""
    action = queries.action_of(combatant)
    here = (action.cs, action.in_pass) == (state.round, queries.pass_number(state))
    is_settled = action.state in queries.SETTLED and action.state != queries.ABORTED and here
    return action if action.is_open or is_settled else NO_ACTION


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-391, CS-392: whether small acts already done in this Action fit what is declared."""
    return _combination_checks(combatant, action, spent_qa(combatant))


def _combination_checks(combatant: Combatant, action: Action, counts: Mapping[str, int]) -> tuple[Check, ...]:
    """What fits into one Action: beside an attack or a defence one small act (L238), and half a rise (L2433)."""
    attacks, defends = action.kind in queries.ATTACKS, action.kind == queries.DEFEND
    acts = {name for name, qa in counts.items() if qa}
    if attacks or defends:
        acts |= {_small_act_of(piece) for piece in action.components} & SMALL_ACTS.keys()
    walks = action.kind == queries.MOVE or fighter_of(combatant).moved > 0
    is_halved = action.kind in _MELEE or (TURN in acts and not walks)
    with_what = "a strike" if action.kind in _MELEE else "a Turn"
    names, who = " and ".join(_DONE[name] for name in SMALL_ACTS if name in acts), combatant.name
    is_free = not (attacks or defends)
    rises = f"{who} can only half-rise with {with_what}: prone to kneeling, or kneeling to standing"
    one_act = f"{who} has {names}: only one such act goes with an attack or a defence"
    one_turn = f"{who} can turn only once with an attack or a defence, by at most half a circle"
    can_rise, can_turn = counts[RISE] <= HALF_RISE_QA or not is_halved, counts[TURN] <= MOST_TURNED_QA or is_free
    return (
        Check(can_rise, "CS-391", rises, ("half a rise", "the next Action")),
        Check(len(acts) <= 1 or is_free, "CS-392", one_act, ("the next Action", "the GM's ruling")),
        Check(can_turn, "CS-306", one_turn, (f"{MOST_TURNED_QA} quarter-actions",)),
    )


def _small_act_of(piece: Piece) -> str:
    """The small act of a piece of work, by the first word of its key, such as ``turn_half``; empty for none."""
    return next((name for name in SMALL_ACTS if piece.key == name or piece.key.startswith(f"{name}_")), "")


def small_acts_done(combatant: Combatant) -> tuple[Small, ...]:
    """CS-104, A-22: undeclared small acts; whether they cost distance depends on the reading."""
    declared_qa: dict[str, int] = {}
    for piece in queries.action_of(combatant).components:
        name = _small_act_of(piece)
        declared_qa[name] = declared_qa.get(name, 0) + piece.qa
    more = (qa - declared_qa.get(name, 0) for name, qa in spent_qa(combatant).items())
    return tuple(Small(qa, in_passing=True) for qa in more if qa > 0)


def small_pieces(action: Action) -> tuple[tuple[Piece, Small], ...]:
    """The pieces of a declared Action beside moving, each with what it counts as.

    An Action longer than one does not reduce movement unless the GM says so (CS-103); a piece that takes a whole Action
    is not a small act.
    """
    if not action.state or action.need > formulas.QA_AN_ACTION:
        return ()
    if pair_of(action) is not None:
        act = act_beside_moving(action)
        return () if act is None else ((act, Small(act.qa)),)
    pieces = []
    for piece in action.components:
        entry = find_component(piece.key)
        in_passing = piece.key in IN_PASSING or (entry is not None and entry.in_passing)
        if piece.qa < formulas.QA_AN_ACTION:
            pieces.append((piece, Small(piece.qa, in_passing)))
    return tuple(pieces)


# The slot of an Action


def describe_activity(combatant: Combatant) -> str:
    """A combatant's Action in words, else its kind."""
    action = queries.action_of(combatant)
    return action.text or action.kind


def abort_action(combatant: Combatant, reason: str) -> Events:
    """The events of giving up an Action."""
    action = queries.action_of(combatant)
    if not action.is_open:
        return ()
    aborted = replace(action, state=queries.ABORTED, outcome=reason)
    traits: dict[str, Json] = {"past": queries.past_actions(combatant, aborted)}
    if action.kind == queries.DEFEND:
        traits["full_defence"] = None
    within, text = queries.changed_parts(combatant, state=queries.ABORTED, outcome=reason), describe_activity(combatant)
    return (events.ActionAborted(who=combatant.id, traits=traits, within=within, text=text, reason=reason),)


def use_slot(combatant: Combatant, left: int, purpose: str) -> Events:
    """The event of using an Action of this segment."""
    if queries.slots_left(combatant) <= left:
        return ()
    pool = combatant.pool(queries.SLOTS)
    slot_event = events.SlotUsed(who=combatant.id, before=pool.now, left=max(0, left), max=pool.max, purpose=purpose)
    return (slot_event,)


def task_progress(state: FightState, combatant: Combatant) -> int:
    """CS-102: quarter-actions done on an open task, including the fraction of an Action not yet owed."""
    action = queries.action_of(combatant)
    rate, own_segment = queries.rate_of_action(combatant), queries.own_segment(state, combatant)
    part = int(formulas.QA_AN_ACTION * own_segment * rate) - formulas.QA_AN_ACTION * formulas.owed_until(
        own_segment, rate
    )
    return min(action.need, action.done + part)


# When an Action is settled


def due_slot(state: FightState, combatant: Combatant, action: Action) -> formulas.Slot | None:
    """The segment and pass in which an Action is resolved (CS-133, CS-149); None if no Action comes."""
    rate, own_segment = queries.rate_of_action(combatant), queries.own_segment(state, combatant)
    slots_spent = queries.actions_owed(combatant) - queries.slots_left(combatant)
    counts = chain(
        (queries.actions_owed(combatant),), (formulas.slots(own_segment + later, rate) for later in range(1, 2000))
    )
    slot = formulas.due_among(action.left, counts, slots_spent)
    if slot is None:
        return None
    number = slot.pass_number
    if queries.order_reading(state) == queries.COUNTDOWN and slot.segment == 1:
        number = queries.actions_owed(combatant) - number + 1
    return formulas.Slot(state.round + slot.segment - 1, number)


def is_of_this_pass(state: FightState, combatant: Combatant) -> bool:
    """True where a combatant's Action is due in the running pass, or was resolved in it (CS-093, CS-102)."""
    number = queries.pass_number(state)
    has_slot = queries.has_slot(state, combatant, number)
    if queries.action_of(combatant).is_open:
        return has_slot and queries.is_due(combatant)
    is_spent = 1 <= queries.own_pass(state, combatant, number) <= queries.actions_owed(combatant) and not has_slot
    return is_spent and queries.action_of(combatant).state in (queries.DONE, queries.FAILED)


def due_text(state: FightState, combatant: Combatant, action: Action) -> str:
    """The time when an Action is resolved, in words: ``now``, ``pass 2``, ``CS 4``."""
    slot = due_slot(state, combatant, action)
    if slot is None:
        return ""
    if slot.segment == state.round:
        return "now" if slot.pass_number == queries.pass_number(state) else f"pass {slot.pass_number}"
    return f"CS {slot.segment}" + (f" pass {slot.pass_number}" if slot.pass_number > 1 else "")


def resolution_without_dice(state: FightState, combatant: Combatant, number: int) -> tuple[str, Events]:
    """The reason why a Resolution needs no input, and its events; the reason is empty if it does."""
    action = queries.action_of(combatant)
    if not queries.has_slot(state, combatant, number):
        return "this Action is used", ()
    if action.state != queries.COMMITTED:
        return "nothing declared", ()
    if action.left > QA_AN_ACTION:
        return _work_on_task(state, combatant)
    if action.rolled:
        return "", ()
    return "done", settle_action(state, combatant, queries.DONE, "done")


def _work_on_task(state: FightState, combatant: Combatant) -> tuple[str, Events]:
    """CS-102: the events of one Action's work on a longer task."""
    action = queries.action_of(combatant)
    qa_done = action.done + QA_AN_ACTION
    spent = _spend_action(state, combatant, "work")
    after = fold_all(state, spent)
    due = due_text(after, after.combatants[combatant.id], replace(action, done=qa_done))
    progressed = events.ActionProgressed(
        who=combatant.id, within=queries.changed_parts(combatant, done=qa_done), done=qa_done, need=action.need, due=due
    )
    return f"{AT_WORK}: {qa_done} of {quarters(action.need)}, due {due}", (*spent, progressed)


def _spend_action(state: FightState, combatant: Combatant, purpose: str) -> Events:
    left = queries.actions_owed(combatant) - queries.own_pass(state, combatant, queries.pass_number(state))
    return use_slot(combatant, left, purpose)


def settle_action(state: FightState, combatant: Combatant, how: str, outcome: str) -> Events:
    """CS-092: the events of resolving an Action and using its slot."""
    action = queries.action_of(combatant)
    settled = replace(action, state=how, outcome=outcome, done=action.need)
    traits = {"past": queries.past_actions(combatant, settled)}
    within = queries.changed_parts(combatant, state=how, outcome=outcome, done=action.need)
    posture_events = apply_posture(combatant, action, last=True) if how in (queries.DONE, queries.FAILED) else ()
    return (
        events.Resolved(who=combatant.id, traits=traits, within=within, outcome=outcome),
        *posture_events,
        *_spend_action(state, combatant, action.text or action.kind),
    )


def is_lost_if_skipped(action: Action) -> bool:
    """Whether an open attack or check would be lost if play went on."""
    return action.is_open and not action.struck and (action.kind in queries.ATTACKS or action.dv is not None)


def pass_over_events(state: FightState, combatant: Combatant) -> Events:
    """The events of play going on: work without dice is done, an attack that was not rolled is lost."""
    action = queries.action_of(combatant)
    if not action.is_open:
        return ()
    if action.struck:
        return settle_action(state, combatant, queries.DONE, action.outcome or "done")
    if is_lost_if_skipped(action):
        return settle_action(state, combatant, queries.LOST, "not carried out")
    return settle_action(state, combatant, queries.DONE, "done")
