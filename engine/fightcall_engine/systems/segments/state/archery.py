"""A crossbow's state, and the steps from one shot to the next as pieces of work (CS-255, CS-395 to CS-401).

Of a crossbow that nobody has said anything about nothing is known, and nothing forbidden, until it has been shot.
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.systems.segments.rules import weapons
from fightcall_engine.systems.segments.rules.weapons import ArrowHead, Cycle
from fightcall_engine.systems.segments.state import armoury, items
from fightcall_engine.systems.segments.state.fighter import Piece, fighter_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

ATTACH, COCK, DISENGAGE, DROP = "attach_tool", "cock_crossbow", "disengage_tool", "drop_tool"

TAKE, PLACE = "draw_missile", "nock_draw"

RELOAD = "reload"
"""Short for all the steps that are to be done next."""

STEPS = (ATTACH, COCK, DISENGAGE, DROP)
"""The steps that no line of table 4-1 tells of; taking a bolt and placing it are such lines (CS-401)."""

UNKNOWN, SPENT, COCKED, LOADED = "", "spent", "cocked", "loaded"

STATES = (SPENT, COCKED, LOADED)

FETCH_QA = 4
"""What a tool takes besides that must be fetched, for each Action of it (CS-396)."""

_RULES = {ATTACH: "CS-396", COCK: "CS-397", DISENGAGE: "CS-399", DROP: "CS-401"}


def is_crossbow(thing: Item) -> bool:
    """True for a crossbow, light or heavy."""
    return str(thing.get("family") or "").startswith("crossbow")


def is_bow(thing: Item) -> bool:
    """True for a bow, long or short: what is strung before it shoots."""
    return thing.get("family") in ("bow", "shortbow")


def crossbow_of(combatant: Combatant, name: str = "") -> Item | None:
    """The crossbow that is named, else the one in hand or on the sheet; None where there is none."""
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
    """One of `STATES`, or `UNKNOWN`."""
    condition = fighter_of(combatant).crossbow
    return condition if condition in STATES else UNKNOWN


def has_tool_on(combatant: Combatant) -> bool:
    """True while the tool is hooked to it."""
    return fighter_of(combatant).crossbow_tool


def from_sheet(entry: Json) -> Mapping[str, Scalar]:
    """The traits of a crossbow as the sheet tells of it."""
    if not isinstance(entry, Mapping):
        return {}
    days = entry.get("cocked_days")
    days_cocked = days if isinstance(days, int) else 0
    untold = UNKNOWN if days_cocked else SPENT
    condition = LOADED if entry.get("loaded") is True else COCKED if entry.get("cocked") is True else untold
    return {"crossbow": condition, "crossbow_tool": entry.get("tool") == "attached", "crossbow_days": days_cocked}


def cycle_of(combatant: Combatant, thing: Item, *, tool: bool) -> Cycle:
    """The row of section 6.13 that holds for somebody now.

    Args:
        combatant: whose it is.
        thing: the crossbow.
        tool: a tool is hooked to it, or will be before it is cocked.
    """
    heavy = thing.get("family") == "crossbow-heavy"
    if thing.get("builtin") is True:
        return weapons.cycles()["heavy_builtin" if heavy else "light_builtin"]
    if tool or has_tool_on(combatant):
        return weapons.cycles()["heavy_windlass" if heavy else "light_tool"]
    return weapons.cycles()["heavy_bare" if heavy else "light_bare"]


def keys_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of pieces of work as they are typed."""
    return tuple(word.partition("=")[0].partition(":")[0].strip().lower() for word in words)


def keys_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """The keys of the pieces of a declared Action."""
    return tuple(piece.key for piece in pieces)


def step_qa(combatant: Combatant, weapon: str, key: str, argument: str, words: tuple[str, ...]) -> int:
    """How many quarter-actions a step takes (CS-396 to CS-401).

    Args:
        combatant: who does it.
        weapon: the crossbow, where it is named.
        key: one of `STEPS`.
        argument: of `ATTACH`, how many Actions it takes to fetch the tool first.
        words: all the pieces of the task.

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
    cycle = cycle_of(combatant, thing, tool=key in (ATTACH, DROP, DISENGAGE) or ATTACH in keys_in(words))
    qa = {ATTACH: cycle.attach, COCK: cycle.cock, DISENGAGE: cycle.disengage, DROP: cycle.drop_tool}[key]
    if not qa:
        raise Refused(_RULES[key], f"{key} is no step of a {cycle.label}", steps_left(combatant, thing), final=True)
    return qa + FETCH_QA * int(argument or 0)


def rule_of(key: str) -> str:
    """The rule of a step; empty for what is none."""
    return _RULES.get(key, "")


def steps_left(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """The steps to be done next: with a STR check up to cocking it, which the rest hangs on; else up to the shot."""
    loading = (TAKE, PLACE)
    state, cycle = state_of(combatant), cycle_of(combatant, thing, tool=True)
    off = (DISENGAGE if cycle.disengage else DROP,)
    if state == LOADED:
        return off if has_tool_on(combatant) else ()
    if state == COCKED:
        return (*(off if has_tool_on(combatant) else ()), *loading)
    attach = () if has_tool_on(combatant) or not cycle.attach else (ATTACH,)
    if cycle.check:
        return (*attach, COCK)
    return (*attach, COCK, *off, *loading)


def spelled_out(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Pieces of work with `RELOAD` as the steps that it stands for.

    Raises:
        Refused: there is no crossbow, or nothing is left to do.
    """
    if RELOAD not in keys_in(words):
        return words
    thing = crossbow_of(combatant, weapon)
    steps = () if thing is None else steps_left(combatant, thing)
    if not steps:
        why = "has no crossbow" if thing is None else "has it loaded already"
        raise Refused("CS-401", f"{combatant.name} {why}", ("shoot", "another task"), final=True)
    return tuple(each for word in words for each in (steps if keys_in((word,)) == (RELOAD,) else (word,)))


def cocking_dv(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> int:
    """DV of the STR check at cocking it; 0 where none is asked (CS-397, CS-399, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is None or COCK not in keys_in(words):
        return 0
    return cycle_of(combatant, thing, tool=ATTACH in keys_in(words)).check


def cocking_named(combatant: Combatant, weapon: str, words: tuple[str, ...]) -> tuple[str, str]:
    """How it is cocked, in words, and the rule whose DV that has (CS-397, CS-398, CS-400)."""
    thing = crossbow_of(combatant, weapon)
    if thing is not None and thing.get("builtin") is True:
        return "cocking it, its tool built in", "CS-398"
    if has_tool_on(combatant) or ATTACH in keys_in(words):
        return "cocking it with its tool", "CS-397"
    return "cocking it by hand", "CS-400"


def stale_days(combatant: Combatant) -> int:
    """CS-395: full days for which it has been kept cocked."""
    return max(0, fighter_of(combatant).crossbow_days)


# Arrow heads: which of them somebody may shoot, and which one a shot has (CS-542, CS-576)


BOWS = ("bow", "shortbow")
"""What shoots arrows; slings and crossbows have shots of their own."""


def heads_of_bow(state: FightState, thing: Item) -> tuple[ArrowHead, ...]:
    """The heads that the sheet lists with a bow, the usual one first; those that the armoury does not know left out."""
    entry = thing.get("arrow_heads")
    names = entry if isinstance(entry, list | tuple) and thing.get("family") in BOWS else ()
    heads = (armoury.table_of(state).arrow_head(str(name)) for name in names)
    return tuple(dict.fromkeys(arrow_head for arrow_head in heads if arrow_head is not None))


def arrow_checks(state: FightState, combatant: Combatant, thing: Item, name: str) -> tuple[Check, ...]:
    """CS-542: the head is known, fits what is shot with, and is one that is carried; nothing where none is named."""
    if not name:
        return ()
    table, weapon = armoury.table_of(state), items.name_of(thing)
    arrow_head, bow_heads = table.arrow_head(name), heads_of_bow(state, thing)
    accepts = tuple(head.key for head in bow_heads) or tuple(table.arrow_heads)
    return (
        Check(thing.get("family") in BOWS, "CS-542", f"{weapon} shoots no arrows", ("leave the arrow head out",)),
        Check(arrow_head is not None, "CS-542", f"there is no arrow head {name!r}", accepts),
        Check(
            arrow_head is None or not bow_heads or arrow_head in bow_heads,
            "CS-542",
            f"{combatant.name} has no such arrow: {name}",
            accepts,
        ),
    )


def head_of(state: FightState, thing: Item, name: str) -> ArrowHead | None:
    """The head of a shot: the one that is named, else the usual one of the bow.

    None where nothing is said of it: then the weapon's own numbers count.
    """
    if name and thing.get("family") in BOWS:
        return armoury.table_of(state).arrow_head(name)
    return next(iter(heads_of_bow(state, thing)), None)
