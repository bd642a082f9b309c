"""Pieces of work with their quarter-actions, and the steps between shots of a crossbow (CS-125..142, CS-395..401).

A piece is typed as ``key``, ``key:argument`` or ``own words=quarter-actions``. The argument is how often a line of
the table is done, how many objects are in the way (``rummage:3``), or who tied a knot (``untie_knot:18/35``: STR, and
level in a trade that ties knots). ``doff_coat`` takes off what a line of the table puts on.

The state of a crossbow is unknown, and allows everything, until the GM sets it or the crossbow is shot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.attacks import ArrowHead
from fightcall_engine.systems.segments.rules.clock import Component, Cycle, Effort, Tier
from fightcall_engine.systems.segments.rules.ranges import OCTANTS
from fightcall_engine.systems.segments.state import commands, items, queries, rolls, settings
from fightcall_engine.systems.segments.state.condition import strength_of
from fightcall_engine.systems.segments.state.records import Action, Piece, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

RELOAD = "reload"
"""The piece of work that stands for all steps to be done next."""

FETCH_QA = 4
"""Quarter-actions to fetch a cocking tool, for each Action that it takes (CS-396)."""

LONGEST_QA = 10_000
MOST_TIMES = 1000
DRAW = "draw"
"""Drawing a ready weapon, with an attack or a defence with it (CS-123)."""

ACTS_ALONE = frozenset({"turn", "rise", "drop", DRAW, "grab"})
"""Small acts of the listed pairs that may be declared alone (CS-121)."""

GRAB = "drop_or_grab"
"""Dropping what is in hand, or grabbing what is within reach (table 4-1)."""

KNOT_TRADES = ("huntsman", "woodsman", "guide", "mariner")


ATTACH, COCK, DISENGAGE, DROP = "attach_tool", "cock_crossbow", "disengage_tool", "drop_tool"
TAKE, PLACE = "draw_missile", "nock_draw"
STEPS = (ATTACH, COCK, DISENGAGE, DROP)
"""The steps that are not in table 4-1; taking and placing a bolt are (CS-401)."""

UNKNOWN, SPENT, COCKED, LOADED = "", "spent", "cocked", "loaded"
STATES = (SPENT, COCKED, LOADED)
STEP_RULES = {ATTACH: "CS-396", COCK: "CS-397", DISENGAGE: "CS-399", DROP: "CS-401"}


def is_crossbow(thing: Item) -> bool:
    """Whether an item is a crossbow, light or heavy."""
    return str(thing.get("family") or "").startswith("crossbow")


def is_bow(thing: Item) -> bool:
    """Whether an item is a bow, long or short, which is strung before it shoots."""
    return thing.get("family") in ("bow", "shortbow")


def crossbow_of(combatant: Combatant, name: str = "") -> Item | None:
    """The crossbow with this name, else the one in hand or on the sheet; None if there is none."""
    if name:
        thing = items.item_named(combatant, name)
        return thing if thing is not None and is_crossbow(thing) else None
    return next(
        (
            thing
            for thing in (*items.items_in_hand(combatant).values(), *items.items_of(combatant))
            if is_crossbow(thing)
        ),
        None,
    )


def state_of(combatant: Combatant) -> str:
    """The state of a combatant's crossbow: one of `STATES`, or `UNKNOWN`."""
    condition = fighter_of(combatant).crossbow
    return condition if condition in STATES else UNKNOWN


def has_tool_on(combatant: Combatant) -> bool:
    """Whether the cocking tool is hooked to the crossbow."""
    return fighter_of(combatant).crossbow_tool


def from_sheet(entry: Json) -> Mapping[str, Scalar]:
    """The traits for a crossbow's entry on a sheet."""
    if not isinstance(entry, Mapping):
        return {}
    days = entry.get("cocked_days")
    days_cocked = days if isinstance(days, int) else 0
    default_state = UNKNOWN if days_cocked else SPENT
    condition = LOADED if entry.get("loaded") is True else COCKED if entry.get("cocked") is True else default_state
    return {"crossbow": condition, "crossbow_tool": entry.get("tool") == "attached", "crossbow_days": days_cocked}


def cycle_of(combatant: Combatant, thing: Item, *, tool: bool) -> Cycle:
    """The row of section 6.13 for a combatant and a crossbow, to which a tool is, or will be, hooked."""
    heavy = thing.get("family") == "crossbow-heavy"
    if thing.get("builtin") is True:
        return clock.cycles()["heavy_builtin" if heavy else "light_builtin"]
    if tool or has_tool_on(combatant):
        return clock.cycles()["heavy_windlass" if heavy else "light_tool"]
    return clock.cycles()["heavy_bare" if heavy else "light_bare"]


def _keys_of_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.partition("=")[0].partition(":")[0].strip().lower() for word in words)


def keys_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """The keys of the pieces of a declared Action."""
    return tuple(piece.key for piece in pieces)


def _step_qa(combatant: Combatant, weapon: str, key: str, argument: str, words: tuple[str, ...]) -> int:
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
    cycle = cycle_of(combatant, thing, tool=key in (ATTACH, DROP, DISENGAGE) or ATTACH in _keys_of_words(words))
    qa = {ATTACH: cycle.attach, COCK: cycle.cock, DISENGAGE: cycle.disengage, DROP: cycle.drop_tool}[key]
    if not qa:
        raise Refused(
            STEP_RULES[key], f"{key} is not a step for a {cycle.label}", steps_left(combatant, thing), final=True
        )
    return qa + FETCH_QA * int(argument or 0)


def steps_left(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """The steps to be done next: up to cocking if that needs a STR check, on which the rest depends; else all."""
    loading = (TAKE, PLACE)
    state, cycle = state_of(combatant), cycle_of(combatant, thing, tool=True)
    tool_step = (DISENGAGE if cycle.disengage else DROP,)
    if state == LOADED:
        return tool_step if has_tool_on(combatant) else ()
    if state == COCKED:
        return (*(tool_step if has_tool_on(combatant) else ()), *loading)
    attach = () if has_tool_on(combatant) or not cycle.attach else (ATTACH,)
    if cycle.check:
        return (*attach, COCK)
    return (*attach, COCK, *tool_step, *loading)


def _expand_reload(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, ...]:
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
    if has_tool_on(combatant) or ATTACH in _keys_of_words(words):
        return "cocking it with its tool", "CS-397"
    return "cocking it by hand", "CS-400"


def stale_days(combatant: Combatant) -> int:
    """CS-395: full days for which the crossbow has been kept cocked."""
    return max(0, fighter_of(combatant).crossbow_days)


# Arrow heads (CS-542, CS-576)


BOWS = ("bow", "shortbow")
"""What shoots arrows; slings and crossbows do not."""


def heads_of_bow(state: FightState, thing: Item) -> tuple[ArrowHead, ...]:
    """The arrow heads that the sheet lists with a bow and the armoury knows, the usual one first."""
    entry = thing.get("arrow_heads")
    names = entry if isinstance(entry, list | tuple) and thing.get("family") in BOWS else ()
    heads = (settings.armoury_of_fight(state).arrow_head(str(name)) for name in names)
    return tuple(dict.fromkeys(arrow_head for arrow_head in heads if arrow_head is not None))


def arrow_checks(state: FightState, combatant: Combatant, thing: Item, name: str) -> tuple[Check, ...]:
    """CS-542: an arrow head that is named is known, fits the weapon, and is carried."""
    if not name:
        return ()
    table, weapon = settings.armoury_of_fight(state), items.name_of(thing)
    arrow_head, bow_heads = table.arrow_head(name), heads_of_bow(state, thing)
    accepts = tuple(head.key for head in bow_heads) or tuple(table.arrow_heads)
    return (
        Check(thing.get("family") in BOWS, "CS-542", f"{weapon} shoots no arrows", ("leave the arrow head out",)),
        Check(arrow_head is not None, "CS-542", f"unknown arrow head: {name!r}", accepts),
        Check(
            arrow_head is None or not bow_heads or arrow_head in bow_heads,
            "CS-542",
            f"{combatant.name} has no {name} arrows",
            accepts,
        ),
    )


def head_of(state: FightState, thing: Item, name: str) -> ArrowHead | None:
    """The arrow head of a shot: the one named, else the bow's usual one; None for the weapon's own numbers."""
    if name and thing.get("family") in BOWS:
        return settings.armoury_of_fight(state).arrow_head(name)
    return next(iter(heads_of_bow(state, thing)), None)


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
    words = _expand_reload(combatant, command.weapon, _join_words(state, command.components))
    return tuple(_piece(state, combatant, command, text, words) for text in words)


def _join_words(state: FightState, words: tuple[str, ...]) -> tuple[str, ...]:
    """The pieces, each in one word, of words that were typed with blanks: ``don coat``, ``climb the wall=6``."""
    own_keys = {*saved_tasks(state), *STEPS}
    joined, at = [], 0
    while at < len(words):
        ends = range(len(words), at, -1)
        known = (end for end in ends if _is_known(words[at:end], own_keys))
        own_ends = (end for end in reversed(ends) if "=" in words[end - 1])
        end = next(known, next(own_ends, at + 1))
        joined.append("_".join(words[at:end]))
        at = end
    return tuple(joined)


def _is_known(words: tuple[str, ...], own_keys: Collection[str]) -> bool:
    key = "_".join((*words[:-1], words[-1].partition(":")[0])).strip().lower().replace(" ", "_")
    return key in own_keys or key in (*ACTS_ALONE, RELOAD) or find_component(key) is not None


def _piece(
    state: FightState, combatant: Combatant, command: commands.Declare, text: str, words: tuple[str, ...]
) -> Piece:
    name, equals, length = text.partition("=")
    if equals:
        return _piece_in_words(text, name, length)
    key, _, argument = name.strip().partition(":")
    key, argument = key.strip().lower().replace(" ", "_"), argument.strip()
    if key == RUMMAGE:
        return _rummage(combatant, argument)
    if key == UNTIE:
        return _untie(state, combatant, command, argument)
    if key in STEPS:
        qa = _step_qa(combatant, command.weapon, key, argument, words)
        return Piece(key, qa, int(argument) if argument else None)
    if key == STRING_BOW:
        rating = _count(text, argument, 1, "CS-139") if argument else None
        return Piece(key, _stringing_effort(state, combatant, command, rating).qa, rating)
    saved_by_key = saved_tasks(state)
    entry = find_component(key)
    if key in saved_by_key:
        qa = saved_by_key[key]
    elif key in ACTS_ALONE:
        qa = clock.components()["turn_half" if key == "turn" else GRAB].qa or 1
    elif entry is None or entry.qa is None:
        raise Refused(
            "CS-130",
            f"{text!r} is not in table 4-1",
            ("climb=6: your own words and their quarter-actions", DRAW, *saved_tasks(state), *clock.components()),
            final=True,
        )
    else:
        qa = clock.doff(entry.qa) if key.startswith(_DOFF) else entry.qa
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


def saved_tasks(state: FightState) -> Mapping[str, int]:
    """CS-131: the tasks that the GM has added to the table in this fight, with their quarter-actions."""
    return battle_of(state).tasks


def save_task(state: FightState, name: str, qa: int) -> Events:
    """CS-131: add a task of the GM's for this fight; with a length of 0, remove it."""
    qa_by_name = {**saved_tasks(state), name: qa}
    return queries.set_fact(state, "tasks", {name: length for name, length in qa_by_name.items() if length})


def find_component(key: str) -> Component | None:
    """The line of table 4-1 for a piece; for taking off, that for putting on."""
    return clock.components().get(_DON + key.removeprefix(_DOFF) if key.startswith(_DOFF) else key)


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


# Computed lengths


def _rummage(combatant: Combatant, argument: str) -> Piece:
    """CS-138, A-27: an Action for each object in the container, and one more."""
    if not argument:
        question = f"{combatant.name} rummages. How many objects are in the container? (0: the object is alone on top)"
        raise MissingInput(RUMMAGE, question, "CS-138", "objects")
    count = _count(f"rummage:{argument}", argument, 0, "CS-138")
    return Piece(RUMMAGE, clock.rummage(count), count)


def _untie(state: FightState, combatant: Combatant, command: commands.Declare, argument: str) -> Piece:
    """CS-140: the length of untying a knot, by who tied it: the target, or as numbers."""
    if argument:
        tier = _read_tier(argument)
    elif command.target:
        other = combatant_of(state, command.target)
        tier = Tier(profile_of(other).scores.str, profile_of(other).trade_sl(*KNOT_TRADES))
    else:
        question = "Who tied the knot? STR, or STR/level as Huntsman, Woodsman, Guide or Mariner, such as 18/35"
        raise MissingInput(UNTIE, question, "CS-140", "tied_by")
    segments = clock.untying_segments(
        clock.untying(tier, strength=strength_of(state, combatant).total, crd=profile_of(combatant).mods.crd)
    )
    return Piece(UNTIE, segments_in_qa(state, combatant, segments), tied_by=tier)


def _read_tier(argument: str) -> Tier:
    strength, _, level = argument.partition("/")
    words = [word.strip() for word in (strength, level or "0")]
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise Refused("CS-140", f"{argument!r} is not a STR with a level", ("18", "18/35: STR/level"), final=True)
    return Tier(int(words[0]), int(words[1]))


def segments_in_qa(state: FightState, combatant: Combatant, segments: int) -> int:
    """CS-142: a time in segments as the Actions that a combatant has in so many from now on, in quarter-actions.

    If the last segment has none, the next Action completes the work (CS-102).
    """
    own_segment, rate = queries.own_segment(state, combatant), queries.rate_of_action(combatant)
    last = own_segment + segments - 1
    actions = clock.owed_until(last, rate) - clock.owed_until(own_segment - 1, rate)
    return clock.QA_AN_ACTION * (actions + (clock.slots(last, rate) == 0))


def _stringing_effort(
    state: FightState, combatant: Combatant, command: commands.Declare, rating: int | None = None
) -> Effort:
    """CS-139: the work of stringing a bow; each try at one that is too strong takes an Action and a STR check."""
    rating = _rating(combatant, command.weapon) if rating is None else rating
    if rating is None:
        return clock.stringing(0, 0)
    return clock.stringing(rating, rolls.rounded(strength_of(state, combatant)), rolls.scale_of(state))


def _rating(combatant: Combatant, weapon: str) -> int | None:
    weapons = [items.find_item(combatant, weapon)] if weapon else items.items_of(combatant)
    ratings = [rating for thing in weapons if isinstance(rating := thing.get("str_rating"), int)]
    return ratings[0] if ratings else None


def difficulty_of(
    state: FightState, combatant: Combatant, command: commands.Declare, pieces: tuple[Piece, ...]
) -> int | None:
    """CS-139, CS-397: the DV of the STR check that a piece needs, or None."""
    cocking = cocking_dv(combatant, command.weapon, tuple(piece.key for piece in pieces))
    if cocking:
        return cocking
    for piece in pieces:
        if piece.key == STRING_BOW:
            effort = _stringing_effort(state, combatant, command, piece.count)
            if effort.dv:
                return effort.dv
    return None


_TURNS = {"turn_quarter": OCTANTS // 4, "turn_half": OCTANTS // 2, "turn": OCTANTS // 2}
"""The angle of each Turn of table 4-1, and of the Turn in a pair of acts, in octants."""


def turn_octants(action: Action) -> int:
    """The angle of the Turn in an Action, in octants, or 0."""
    return max((_TURNS.get(piece.key, 0) for piece in action.components), default=0)
