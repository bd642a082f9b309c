"""Crossbows: their state, and the steps between shots as pieces of work (CS-255, CS-395 to CS-401).

The state of a crossbow is unknown, and allows everything, until the GM sets it or the crossbow is shot.
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.segments.rules import gear
from fightcall_engine.systems.segments.rules.gear import ArrowHead, Cycle
from fightcall_engine.systems.segments.state import armoury, items
from fightcall_engine.systems.segments.state.fighter import Piece, fighter_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

ATTACH, COCK, DISENGAGE, DROP = "attach_tool", "cock_crossbow", "disengage_tool", "drop_tool"

TAKE, PLACE = "draw_missile", "nock_draw"

RELOAD = "reload"
"""The piece of work that stands for all steps to be done next."""

STEPS = (ATTACH, COCK, DISENGAGE, DROP)
"""The steps that are not in table 4-1; taking and placing a bolt are (CS-401)."""

UNKNOWN, SPENT, COCKED, LOADED = "", "spent", "cocked", "loaded"

STATES = (SPENT, COCKED, LOADED)

FETCH_QA = 4
"""Quarter-actions to fetch a cocking tool, for each Action that it takes (CS-396)."""

_RULES = {ATTACH: "CS-396", COCK: "CS-397", DISENGAGE: "CS-399", DROP: "CS-401"}


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
    """The row of section 6.13 for a combatant and a crossbow.

    Args:
        combatant: the owner.
        thing: the crossbow.
        tool: whether a tool is hooked to it, or will be before it is cocked.
    """
    heavy = thing.get("family") == "crossbow-heavy"
    if thing.get("builtin") is True:
        return gear.cycles()["heavy_builtin" if heavy else "light_builtin"]
    if tool or has_tool_on(combatant):
        return gear.cycles()["heavy_windlass" if heavy else "light_tool"]
    return gear.cycles()["heavy_bare" if heavy else "light_bare"]


def keys_of_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of pieces of work that were typed with their arguments."""
    return tuple(word.partition("=")[0].partition(":")[0].strip().lower() for word in words)


def keys_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """The keys of the pieces of a declared Action."""
    return tuple(piece.key for piece in pieces)


def step_qa(combatant: Combatant, weapon: str, key: str, argument: str, words: tuple[str, ...]) -> int:
    """The quarter-actions of a step (CS-396 to CS-401).

    Args:
        combatant: who does it.
        weapon: the crossbow's name, or empty.
        key: one of `STEPS`.
        argument: for `ATTACH`, the Actions that fetching the tool takes first.
        words: all pieces of the task, as typed.

    Raises:
        Refused: there is no crossbow, or it has no such step.
    """
    thing = crossbow_of(combatant, weapon)
    if thing is None:
        raise Refused(
            _RULES[key], f"{combatant.name} has no crossbow", ("a weapon of family crossbow-light",), final=True
        )
    if key == ATTACH and thing.get("builtin") is True:
        raise Refused("CS-398", f"the tool of {items.name_of(thing)} is built in", (COCK,), final=True)
    if argument and not (key == ATTACH and argument.isascii() and argument.isdigit() and len(argument) < 4):
        raise Refused(_RULES[key], f"{key}:{argument}", (key, f"{ATTACH}:1 to fetch it first"), final=True)
    cycle = cycle_of(combatant, thing, tool=key in (ATTACH, DROP, DISENGAGE) or ATTACH in keys_of_words(words))
    qa = {ATTACH: cycle.attach, COCK: cycle.cock, DISENGAGE: cycle.disengage, DROP: cycle.drop_tool}[key]
    if not qa:
        raise Refused(_RULES[key], f"{key} is not a step for a {cycle.label}", steps_left(combatant, thing), final=True)
    return qa + FETCH_QA * int(argument or 0)


def rule_of(key: str) -> str:
    """The rule of a step, or empty."""
    return _RULES.get(key, "")


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


def expand_reload(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Pieces of work with `RELOAD` replaced by its steps.

    Raises:
        Refused: there is no crossbow, or no step is left.
    """
    if RELOAD not in keys_of_words(words):
        return words
    thing = crossbow_of(combatant, weapon)
    steps = () if thing is None else steps_left(combatant, thing)
    if not steps:
        why = "has no crossbow" if thing is None else "has already loaded it"
        raise Refused("CS-401", f"{combatant.name} {why}", ("shoot", "another task"), final=True)
    return tuple(each for word in words for each in (steps if keys_of_words((word,)) == (RELOAD,) else (word,)))


def cocking_dv(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> int:
    """The DV of the STR check for cocking, or 0 (CS-397, CS-399, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is None or COCK not in keys_of_words(words):
        return 0
    return cycle_of(combatant, thing, tool=ATTACH in keys_of_words(words)).check


def cocking_method(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, str]:
    """The way of cocking in words, and the rule of its DV (CS-397, CS-398, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is not None and thing.get("builtin") is True:
        return "cocking it with its built-in tool", "CS-398"
    if has_tool_on(combatant) or ATTACH in keys_of_words(words):
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
    heads = (armoury.armoury_of_fight(state).arrow_head(str(name)) for name in names)
    return tuple(dict.fromkeys(arrow_head for arrow_head in heads if arrow_head is not None))


def arrow_checks(state: FightState, combatant: Combatant, thing: Item, name: str) -> tuple[Check, ...]:
    """CS-542: an arrow head that is named is known, fits the weapon, and is carried."""
    if not name:
        return ()
    table, weapon = armoury.armoury_of_fight(state), items.name_of(thing)
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
    """The arrow head of a shot: the one named, else the bow's usual one.

    None if neither is given: the weapon's own numbers count.
    """
    if name and thing.get("family") in BOWS:
        return armoury.armoury_of_fight(state).arrow_head(name)
    return next(iter(heads_of_bow(state, thing)), None)
