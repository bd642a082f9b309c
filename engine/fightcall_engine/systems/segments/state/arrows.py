"""Arrow heads: which of them somebody may shoot, and which one a shot has (CS-542, CS-576)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.weapons import ArrowHead
from fightcall_engine.systems.segments.state import armoury, items
from fightcall_engine.systems.segments.state.weapon_uses import Item

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
