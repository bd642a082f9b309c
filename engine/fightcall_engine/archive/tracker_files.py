"""Reading JSON exports of Improved Initiative and Foundry Virtual Tabletop.

Improved Initiative writes one object whose keys are ``<list>.<id>``: ``Creatures`` and ``PersistentCharacters`` hold
stat blocks, ``SavedEncounters`` lists of combatants. Older versions prefix keys with ``ImprovedInitiative.`` and encode
each value as a JSON string. Foundry writes one object per actor, with its numbers under ``system`` (``data`` before
version 10); its older packs have an actor in each line, of which a later one replaces an earlier one of its ``_id``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fightcall_engine.archive.imported_combatants import (
    ImportedCombatant,
    ImportedFile,
    ImportedGroup,
    amount_or_none,
    int_or_none,
    plain_line,
    plain_note,
    without_links,
)
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json

_OLD = "ImprovedInitiative."
_BLOCK_KEYS = {"Id", "Name", "Path", "Version", "HP", "Player", "InitiativeModifier", "Description", "LastUpdateMs"}
_BLOCK_KEYS |= {"Link", "SearchHint", "FilterDimensions"}
_COMBATANT_KEYS = {"Id", "StatBlock", "Statblock", "PersistentCharacterId", "MaxHP", "CurrentHP", "Alias"}
_COMBATANT_KEYS |= {"IndexLabel", "Hidden", "CurrentNotes", "InterfaceVersion", "InitiativeGroup"}
_IGNORED_LISTS = ("Spells", "User", "Settings", "AutoSavedEncounters")
_ACTOR_KEYS = {"_id", "name", "type", "system", "data", "prototypeToken", "token", "img", "_stats", "ownership"}
_ACTOR_KEYS |= {"permission", "sort", "folder", "flags"}
_ACCEPTED = "an export of Improved Initiative, actors of Foundry, or a table whose first line names its columns (.csv)"
_ACTOR_TYPES = {"character", "pc", "player", "hero", "npc", "monster", "creature", "adversary", "enemy", "vehicle"}
"""Types by which an actor of a game is known that has no hit points where the known games have them."""
_PLAYER_TYPES = {"character", "pc", "player", "hero"}
_DISPOSITIONS = {1: "friend", 0: "neutral", -1: "foe", -2: "foe"}
"""What a token's disposition means in Foundry; -2 is one whose disposition is secret."""

Object = Mapping[str, Json]


def read_tracker_file(text: str, where: str) -> ImportedFile:
    """Read an export of Improved Initiative or of Foundry.

    Raises:
        BadInput: it is not JSON, or of no known format.
    """
    items = [item for item in _values(text, where) if isinstance(item, dict)]
    if any(_is_actor(item) for item in items):
        return _foundry(items)
    if any(_is_block(item) or _is_encounter(item) or any(map(_list_of, item)) for item in items):
        return _improved_initiative(items)
    raise BadInput(where, (f"holds nothing that is known here; accepted: {_ACCEPTED}",))


def _values(text: str, where: str) -> list[Json]:
    """Return the values of a JSON file: those of its list, its one value, or one from each line."""
    try:
        data = json.loads(text)
        return data if isinstance(data, list) else [data]
    except RecursionError as error:
        raise BadInput(where, (f"not readable as JSON: it is nested too deeply; accepted: {_ACCEPTED}",)) from error
    except ValueError as error:
        values = _values_by_line(text, where)
        if values is None:
            raise BadInput(where, (f"not readable as JSON: {error}; accepted: {_ACCEPTED}",)) from error
        return values


def _values_by_line(text: str, where: str) -> list[Json] | None:
    """Return the values of a file with one JSON object a line; None if its first line is none."""
    values: dict[str, Json] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not values:
                return None
            raise BadInput(where, (f"line {number}: not readable as JSON: {error}",)) from error
        id = value.get("_id") if isinstance(value, dict) else None
        key = id if isinstance(id, str) else f"line {number}"
        values.pop(key, None)
        values[key] = None if isinstance(value, dict) and value.get("$$deleted") else value
    return list(values.values())


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _other_keys(values: Object, but: set[str]) -> Iterator[str]:
    return (
        plain_line(key, 60) for key, value in values.items() if key not in but and value not in (None, "", [], {}, 0)
    )


# Improved Initiative


def _is_block(item: Object) -> bool:
    return isinstance(item.get("Name"), str) and isinstance(item.get("HP"), dict)


def _is_encounter(item: Object) -> bool:
    return isinstance(item.get("Combatants"), list)


def _list_of(key: str) -> str:
    """The list that a key ``<list>.<id>`` belongs to; empty for any other key."""
    name, dot, id = key.removeprefix(_OLD).partition(".")
    prefixes = ("Creatures", "PersistentCharacters", "PlayerCharacters", "SavedEncounters", *_IGNORED_LISTS)
    return name if dot and id and name in prefixes else ""


def _entries(item: Object) -> Iterator[tuple[str, Object]]:
    """The entries of an export, each with the name of its list; values encoded as strings are decoded."""
    if _is_block(item):
        yield "Creatures", item
    elif _is_encounter(item):
        yield "SavedEncounters", item
    else:
        for key, value in item.items():
            if isinstance(value, str) and key.startswith(_OLD):
                try:
                    value = json.loads(value)
                except (ValueError, RecursionError):
                    continue
            if _list_of(key):
                yield _list_of(key), _object(value)


def _improved_initiative(items: Iterable[Object]) -> ImportedFile:
    ungrouped: list[ImportedCombatant] = []
    groups: list[ImportedGroup] = []
    skipped: list[str] = []
    for item in items:
        skipped += (
            [] if _is_block(item) or _is_encounter(item) else [key for key in item if "." not in key and item[key]]
        )
        for place, value in _entries(item):
            if place == "SavedEncounters":
                entries = value.get("Combatants") or value.get("Creatures")
                fighters = [_object(fighter) for fighter in (entries if isinstance(entries, list) else ())]
                groups.append(ImportedGroup(plain_line(value.get("Name") or ""), tuple(_fighters(fighters, skipped))))
            elif place in _IGNORED_LISTS:
                skipped.append(f"{place}: {plain_line(value.get('Name') or 'one', 60)}")
            else:
                ungrouped += _character(value, skipped)
    skipped = [name for name in skipped if _list_of(f"{name}.x") == ""]
    all_groups = (ImportedGroup("", tuple(ungrouped)), *groups)
    filled_groups = tuple(group for group in all_groups if group.combatants)
    return ImportedFile("Improved Initiative", filled_groups, tuple(dict.fromkeys(skipped)))


def _character(value: Object, skipped: list[str]) -> Iterator[ImportedCombatant]:
    """The combatant of a stat block, or of a persistent character that contains one; nothing if it has no name."""
    block = _object(value.get("StatBlock")) or value
    combatant = _block(block, skipped)
    if combatant is None:
        return
    notes = plain_note(value.get("Notes"))
    now = int_or_none(value.get("CurrentHP"))
    yield ImportedCombatant(
        combatant.name,
        "friend" if block is not value else combatant.side,
        combatant.hp_max if now is None else now,
        combatant.hp_max,
        combatant.initiative,
        notes or combatant.note,
    )


def _block(block: Object, skipped: list[str]) -> ImportedCombatant | None:
    name = plain_line(block.get("Name") or "")
    if not name:
        skipped.append("a stat block without a name")
        return None
    skipped += _other_keys(block, _BLOCK_KEYS)
    hp_max = int_or_none(_object(block.get("HP")).get("Value"))
    side = "friend" if block.get("Player") else "foe"
    return ImportedCombatant(name, side, hp_max, hp_max, _initiative(block), plain_note(block.get("Description")))


def _initiative(block: Object) -> int | None:
    """The initiative modifier: the stat block's own plus that of Dexterity, as the tracker adds them."""
    dexterity = int_or_none(_object(block.get("Abilities")).get("Dex"))
    bonus = int_or_none(block.get("InitiativeModifier"))
    if dexterity is None and bonus is None:
        return None
    return ((dexterity if dexterity is not None else 10) - 10) // 2 + (bonus or 0)


def _fighters(fighters: Sequence[Object], skipped: list[str]) -> Iterator[ImportedCombatant]:
    blocks = Counter(_block_name(fighter) for fighter in fighters)
    for fighter in fighters:
        combatant = _block(_object(fighter.get("StatBlock") or fighter.get("Statblock")), skipped)
        if combatant is None:
            continue
        skipped += _other_keys(fighter, _COMBATANT_KEYS)
        hp_max, now = int_or_none(fighter.get("MaxHP")) or combatant.hp_max, int_or_none(fighter.get("CurrentHP"))
        alias, label = plain_line(fighter.get("Alias") or ""), int_or_none(fighter.get("IndexLabel"))
        is_numbered = not alias and label is not None and (label > 1 or blocks[_block_name(fighter)] > 1)
        yield ImportedCombatant(
            alias or combatant.name,
            "friend" if fighter.get("PersistentCharacterId") else combatant.side,
            hp_max if now is None else now,
            hp_max,
            combatant.initiative,
            plain_note(fighter.get("CurrentNotes")) or combatant.note,
            fighter.get("Hidden") is True,
            number=label if is_numbered else None,
        )


def _block_name(fighter: Object) -> str:
    return plain_line(_object(fighter.get("StatBlock") or fighter.get("Statblock")).get("Name") or "")


# Foundry


def _is_actor(item: Object) -> bool:
    stats = _stats(item)
    is_known = "attributes" in stats or "hp" in stats
    has_token = isinstance(item.get("prototypeToken"), dict) or isinstance(item.get("token"), dict)
    is_typed = str(item.get("type")).casefold() in _ACTOR_TYPES and ("system" in item or "data" in item)
    return isinstance(item.get("name"), str) and (is_known or has_token or is_typed)


def _stats(actor: Object) -> Object:
    return _object(actor.get("system")) or _object(actor.get("data"))


def _foundry(actors: Iterable[Object]) -> ImportedFile:
    combatants: list[ImportedCombatant] = []
    skipped: list[str] = []
    for actor in actors:
        name = plain_line(actor.get("name") or "")
        if not name or not _is_actor(actor):
            skipped.append(plain_line(actor.get("type") or "an actor without a name", 60))
            continue
        stats = _stats(actor)
        attributes = _object(stats.get("attributes"))
        raw_hp = attributes.get("hp") or stats.get("hp")
        hp = _object(raw_hp) or {"value": raw_hp}
        details = _object(stats.get("details"))
        biography = details.get("biography")
        text = _object(biography).get("value") or details.get("publicNotes") or biography
        now, most = amount_or_none(hp.get("value")), amount_or_none(hp.get("max"))
        combatants.append(
            ImportedCombatant(
                name,
                _side_of(actor),
                now.now if now is not None else None,
                most.now if most is not None else now.most if now is not None else None,
                _initiative_bonus(stats),
                plain_note(without_links(text)),
            )
        )
        skipped += _other_keys(actor, _ACTOR_KEYS)
        skipped += _other_keys(stats, {"attributes", "details", "hp", "initiative", "perception"})
        skipped += _other_keys(attributes, {"hp", "init", "initiative", "perception"})
        skipped += (f"hp.{key}" for key in _other_keys(hp, {"value", "max", "formula"}))
        init_keys = {"value", "total", "mod", "bonus", "ability"}
        skipped += (f"init.{key}" for key in _other_keys(_object(attributes.get("init")), init_keys))
        skipped += _other_keys(details, {"biography", "publicNotes"})
    groups = (ImportedGroup("", tuple(combatants)),) if combatants else ()
    return ImportedFile("Foundry Virtual Tabletop", groups, tuple(dict.fromkeys(skipped)))


def _initiative_bonus(stats: Object) -> int | None:
    """Return the initiative modifier: the total, else Dexterity's and bonuses (dnd5e), or Perception's (pf2e)."""
    attributes = _object(stats.get("attributes"))
    perception = _object(stats.get("perception") or attributes.get("perception"))
    dexterity = int_or_none(_object(_object(stats.get("abilities")).get("dex")).get("value"))
    init = _object(attributes.get("init"))
    total, bonuses = int_or_none(init.get("total")), [int_or_none(init.get(key)) for key in ("value", "bonus")]
    if total:
        return total
    bonus = None if bonuses == [None, None] else sum(each or 0 for each in bonuses)
    if dexterity is not None:
        return (dexterity - 10) // 2 + (bonus or 0)
    initiative = _object(stats.get("initiative"))
    others = (
        int_or_none(perception.get("mod")),
        int_or_none(perception.get("value")),
        int_or_none(initiative.get("mod")),
    )
    candidates = (bonus or None, *others, bonus, total)
    return next((number for number in candidates if number is not None), None)


def _side_of(actor: Object) -> str:
    token = _object(actor.get("prototypeToken")) or _object(actor.get("token"))
    if str(actor.get("type")).casefold() in _PLAYER_TYPES:
        return "friend"
    return _DISPOSITIONS.get(int_or_none(token.get("disposition")) or 0, "foe") if "disposition" in token else "foe"
