"""Reading the JSON that Improved Initiative and Foundry Virtual Tabletop export.

Improved Initiative writes one object whose keys are ``<list>.<id>``: ``Creatures`` and ``PersistentCharacters`` hold
stat blocks, ``SavedEncounters`` lists of combatants. Older versions put ``ImprovedInitiative.`` before the key and the
value into a text. Foundry writes one object for each actor, whose numbers lie under ``system`` (``data`` before version
10).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from fightcall_engine.archive.imported_people import Foreign, Party, Stranger, plain_line, plain_note, whole
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json

_OLD = "ImprovedInitiative."
_TAKEN_OF_BLOCK = {"Id", "Name", "Path", "Version", "HP", "Player", "InitiativeModifier", "Description", "LastUpdateMs"}
_TAKEN_OF_BLOCK |= {"Link", "SearchHint", "FilterDimensions"}
_TAKEN_OF_COMBATANT = {"Id", "StatBlock", "Statblock", "PersistentCharacterId", "MaxHP", "CurrentHP", "Alias"}
_TAKEN_OF_COMBATANT |= {"IndexLabel"}
_TAKEN_OF_COMBATANT |= {"Hidden", "CurrentNotes", "InterfaceVersion", "InitiativeGroup"}
_NOT_OURS = ("Spells", "User", "Settings", "AutoSavedEncounters")
_TAKEN_OF_ACTOR = {"_id", "name", "type", "system", "data", "prototypeToken", "token", "img", "_stats", "ownership"}
_TAKEN_OF_ACTOR |= {"permission", "sort", "folder", "flags"}
_ACCEPTED = "an export of Improved Initiative, actors of Foundry, or a table whose first line names its columns (.csv)"
_FRIENDLY = 1
"""Foundry's disposition of a token towards the players; below zero it is hostile."""

Object = Mapping[str, Json]


def read_tracker_file(text: str, where: str) -> Foreign:
    """Read an export of Improved Initiative or of Foundry.

    Args:
        text: the file's content.
        where: what to call it in a complaint.

    Raises:
        BadInput: it is no JSON, or nothing that is known here.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        why = "lies too deep inside itself" if isinstance(error, RecursionError) else str(error)
        raise BadInput(where, (f"not readable as JSON: {why}; accepted: {_ACCEPTED}",)) from error
    items = [item for item in (data if isinstance(data, list) else [data]) if isinstance(item, dict)]
    if any(_is_actor(item) for item in items):
        return _foundry(items)
    if any(_is_block(item) or _is_encounter(item) or any(map(_place, item)) for item in items):
        return _improved_initiative(items)
    raise BadInput(where, (f"holds nothing that is known here; accepted: {_ACCEPTED}",))


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _filled_keys(values: Object, but: set[str]) -> Iterator[str]:
    """The keys under which there is something, but for those that were taken."""
    return (
        plain_line(key, 60) for key, value in values.items() if key not in but and value not in (None, "", [], {}, 0)
    )


def _once_each(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# Improved Initiative


def _is_block(item: Object) -> bool:
    return isinstance(item.get("Name"), str) and isinstance(item.get("HP"), dict)


def _is_encounter(item: Object) -> bool:
    return isinstance(item.get("Combatants"), list)


def _place(key: str) -> str:
    """The list that a key of the export belongs to; empty for any other key."""
    name, dot, id = key.removeprefix(_OLD).partition(".")
    prefixes = ("Creatures", "PersistentCharacters", "PlayerCharacters", "SavedEncounters", *_NOT_OURS)
    return name if dot and id and name in prefixes else ""


def _entries(item: Object) -> Iterator[tuple[str, Object]]:
    """What an export holds, each with its list; a value that is a text is JSON once more."""
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
            if _place(key):
                yield _place(key), _object(value)


def _improved_initiative(items: Iterable[Object]) -> Foreign:
    loose: list[Stranger] = []
    parties: list[Party] = []
    not_taken: list[str] = []
    for item in items:
        not_taken += (
            [] if _is_block(item) or _is_encounter(item) else [key for key in item if "." not in key and item[key]]
        )
        for place, value in _entries(item):
            if place == "SavedEncounters":
                entries = value.get("Combatants") or value.get("Creatures")
                fighters = [_object(fighter) for fighter in (entries if isinstance(entries, list) else ())]
                parties.append(Party(plain_line(value.get("Name") or ""), tuple(_fighters(fighters, not_taken))))
            elif place in _NOT_OURS:
                not_taken.append(f"{place}: {plain_line(value.get('Name') or 'one', 60)}")
            else:
                loose += _character(value, not_taken)
    not_taken = [name for name in not_taken if _place(f"{name}.x") == ""]
    loose_parties = [Party("", tuple(loose))] if loose else []
    return Foreign(
        "Improved Initiative", (*loose_parties, *(party for party in parties if party.strangers)), _once_each(not_taken)
    )


def _character(value: Object, not_taken: list[str]) -> Iterator[Stranger]:
    """A stat block, alone or with what a persistent character has beside it."""
    block = _object(value.get("StatBlock")) or value
    stranger = _block(block, not_taken)
    if stranger is None:
        return
    notes = plain_note(value.get("Notes"))
    now = whole(value.get("CurrentHP"))
    yield Stranger(
        stranger.name,
        "friend" if block is not value else stranger.side,
        stranger.hp_max if now is None else now,
        stranger.hp_max,
        stranger.initiative,
        notes or stranger.note,
    )


def _block(block: Object, not_taken: list[str]) -> Stranger | None:
    name = plain_line(block.get("Name") or "")
    if not name:
        not_taken.append("a stat block without a name")
        return None
    not_taken += _filled_keys(block, _TAKEN_OF_BLOCK)
    most = whole(_object(block.get("HP")).get("Value"))
    side = "friend" if block.get("Player") else "foe"
    return Stranger(name, side, most, most, _initiative(block), plain_note(block.get("Description")))


def _initiative(block: Object) -> int | None:
    """The modifier of its own and that of dexterity, which the tracker adds up."""
    dexterity, own = whole(_object(block.get("Abilities")).get("Dex")), whole(block.get("InitiativeModifier"))
    if dexterity is None and own is None:
        return None
    return ((dexterity if dexterity is not None else 10) - 10) // 2 + (own or 0)


def _fighters(fighters: Iterable[Object], not_taken: list[str]) -> Iterator[Stranger]:
    for fighter in fighters:
        stranger = _block(_object(fighter.get("StatBlock") or fighter.get("Statblock")), not_taken)
        if stranger is None:
            continue
        not_taken += _filled_keys(fighter, _TAKEN_OF_COMBATANT)
        most, now = whole(fighter.get("MaxHP")) or stranger.hp_max, whole(fighter.get("CurrentHP"))
        yield Stranger(
            plain_line(fighter.get("Alias") or "") or stranger.name,
            "friend" if fighter.get("PersistentCharacterId") else stranger.side,
            most if now is None else now,
            most,
            stranger.initiative,
            plain_note(fighter.get("CurrentNotes")) or stranger.note,
            fighter.get("Hidden") is True,
        )


# Foundry


def _is_actor(item: Object) -> bool:
    numbers = _numbers(item)
    return isinstance(item.get("name"), str) and ("attributes" in numbers or "hp" in numbers)


def _numbers(actor: Object) -> Object:
    return _object(actor.get("system")) or _object(actor.get("data"))


def _foundry(actors: Iterable[Object]) -> Foreign:
    strangers: list[Stranger] = []
    not_taken: list[str] = []
    for actor in actors:
        name = plain_line(actor.get("name") or "")
        if not name or not _is_actor(actor):
            not_taken.append(plain_line(actor.get("type") or "an actor without a name", 60))
            continue
        numbers = _numbers(actor)
        attributes = _object(numbers.get("attributes"))
        hp = _object(attributes.get("hp") or numbers.get("hp"))
        details = _object(numbers.get("details"))
        note = plain_note(_object(details.get("biography")).get("value") or details.get("publicNotes"))
        initiative = _bonus(numbers)
        most = whole(hp.get("max"))
        strangers.append(Stranger(name, _disposition(actor), whole(hp.get("value")), most, initiative, note))
        not_taken += _filled_keys(actor, _TAKEN_OF_ACTOR)
        not_taken += _filled_keys(numbers, {"attributes", "details", "hp", "initiative", "perception"})
        not_taken += _filled_keys(attributes, {"hp", "init", "initiative", "perception"})
        not_taken += _filled_keys(details, {"biography", "publicNotes"})
    return Foreign(
        "Foundry Virtual Tabletop", (Party("", tuple(strangers)),) if strangers else (), _once_each(not_taken)
    )


def _bonus(numbers: Object) -> int | None:
    """What is added to the die: dexterity's modifier and its own (dnd5e), or perception's (pf2e)."""
    attributes = _object(numbers.get("attributes"))
    perception = _object(numbers.get("perception") or attributes.get("perception"))
    dexterity = whole(_object(_object(numbers.get("abilities")).get("dex")).get("value"))
    bonus = whole(_object(attributes.get("init")).get("bonus"))
    if dexterity is not None:
        return (dexterity - 10) // 2 + (bonus or 0)
    bonuses = (bonus, whole(perception.get("mod")), whole(perception.get("value")))
    return next((number for number in bonuses if number is not None), None)


def _disposition(actor: Object) -> str:
    token = _object(actor.get("prototypeToken")) or _object(actor.get("token"))
    towards = whole(token.get("disposition"))
    if actor.get("type") == "character" or (towards is not None and towards >= _FRIENDLY):
        return "friend"
    return "foe"
