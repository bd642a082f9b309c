"""The file of a system: a model for each of its tables, and how it is read.

All mistakes are reported together, each with its line and what would be accepted. Formulas are read with the names of
the file at hand, as a `Vocabulary` in the context of the validation. Imported only when a file is read: pydantic is
slow to load.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from fightcall_engine.files import STRICT, Complaints, KeyPath, accepted_words, format_path, plain_name, read_toml
from fightcall_engine.homebrew.formulas import LARGEST, PEOPLE, SITUATION, Formula, Vocabulary, read_formula
from fightcall_engine.kit.plugins import TOLD_OF_COMBATANT
from fightcall_engine.model.commands import CORE_COMMANDS, SCRIPT_WORDS
from fightcall_engine.model.errors import BadInput

_T = TypeVar("_T")

UNNAMED = "unnamed"
"""The name of what has none that can be read."""
STAND_INS: Mapping[str, str] = {"name": UNNAMED, "when": "is hit", "id": "game", "title": "?"}
"""Values for required fields that are missing or invalid."""
NO_WORDS = Vocabulary(frozenset(), frozenset(), frozenset())


def _read(value: object, info: ValidationInfo, *, kind: Literal["number", "dice", "condition"]) -> Formula:
    if isinstance(value, Formula):
        return value
    if not isinstance(value, str | int):
        raise ValueError(f"needs a number or a formula in quotes (got {value!r})")
    words = info.context if isinstance(info.context, Vocabulary) else NO_WORDS
    return read_formula(str(value), words, kind=kind)


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str | Mapping) else value


class _Or:
    """Another form that is accepted, for the JSON Schema; without one, an item of a list by itself."""

    def __init__(self, form: JsonSchemaValue | None = None) -> None:
        self._form = form

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        usual = handler(core)
        return {"anyOf": [self._form or usual["items"], usual]}


_NUMBER_OR_TEXT: JsonSchemaValue = {"type": ["integer", "string"]}
_SCHEMA = WithJsonSchema(_NUMBER_OR_TEXT)
Number = Annotated[Formula, BeforeValidator(partial(_read, kind="number")), _SCHEMA]
"""A number, or a formula for one: ``2``, ``"10 + skill"``."""
DiceText = Annotated[Formula, BeforeValidator(partial(_read, kind="dice")), _SCHEMA]
"""Dice, or a formula with dice: ``"d20 + skill"``, ``"who.damage"``."""
Condition = Annotated[Formula, BeforeValidator(partial(_read, kind="condition")), WithJsonSchema({"type": "string"})]
"""A formula that holds or not: ``"target.hp < 5"``."""
Name = Annotated[str, AfterValidator(plain_name)]
_ID = re.compile(r"[a-z][a-z0-9_-]{0,39}")


def _plain_id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"is {text!r}; write a name in lower case, such as second_wind")
    return text


def _plain_key(text: str) -> str:
    if text and not (len(text) == 1 and text.isascii() and text.isalpha()):
        raise ValueError(f"is {text!r}; write one letter, such as s")
    return text


Id = Annotated[str, AfterValidator(_plain_id)]
"""A name in lower case, as it stands in formulas and scripts."""
Reference = Annotated[str, AfterValidator(lambda text: text and _plain_id(text))]
"""Such a name, or nothing."""
Key = Annotated[str, AfterValidator(_plain_key)]
"""A letter, or nothing."""
Several = Annotated[list[_T], BeforeValidator(_as_list), _Or()]
"""A list, or one of its kind without brackets."""
Amounts = dict[Id, Number]
"""Pools with an amount each: ``{ action = 1, momentum = 2 }``."""
Value = bool | int | float | str


class FilePart(BaseModel):
    """Any table."""

    model_config = STRICT | ConfigDict(arbitrary_types_allowed=True)


class GamePart(FilePart):
    """A table of the file. `rule` says it in words, or names an entry of ``[rules]``."""

    rule: str = ""


class PoolPart(GamePart):
    """A pool of a combatant, such as hp or luck.

    Attributes:
        start: how much there is at the beginning, and at most; by default the number of that name on the sheet.
        health: whether a combatant is down without any of it.
        refill: when it is full again.
        counts_up: what is counted instead of what is left, such as ``wounds``; for the pool of health.
    """

    title: str = ""
    start: Number | None = Field(default=None, alias="from")
    health: bool = False
    refill: Literal["turn", "round", "never"] = "never"
    counts_up: str = ""


class SharedPart(GamePart):
    """A pool that a side has together. Without `side` each side has one."""

    title: str = ""
    side: str = ""
    start: int = Field(default=0, ge=0)
    max: int = Field(default=99, ge=1)
    refill: Literal["round", "never"] = "never"


class OrderPart(GamePart):
    """Who acts when.

    Attributes:
        by: ``initiative``: by a roll, the highest first. ``sides``: a side after the other, each in any order.
            ``elective``: who has acted names the next. ``cards``: by a card dealt each round. ``together``: all in any
            order. ``declared``: all declare, then it is carried out by the roll.
        roll: the roll of each, where one is made.
        each: whether it is rolled once for the fight, or each round.
        ties: what decides between equals: the higher first.
        lowest_first: the lowest goes first.
        alternate: with ``sides``: one of each side in turn, and not the whole side.
        first: the side that begins, with ``sides`` and ``elective``; by default the players'.
        delay: whether one may wait until later in the round.
        joker: with ``cards``: the condition of those with a joker.
    """

    by: Literal["initiative", "sides", "elective", "cards", "together", "declared"]
    roll: DiceText | None = None
    each: Literal["fight", "round"] = "fight"
    ties: Number | None = None
    lowest_first: bool = False
    alternate: bool = False
    first: str = ""
    delay: bool = False
    joker: Reference = ""


class RoundPart(GamePart):
    """A round: its name, its length, and the order of play unless the phases have their own."""

    name: Name = "Round"
    seconds: int = Field(default=0, ge=0)
    order: OrderPart | None = None


class PhasePart(GamePart):
    """A phase of a round, with an order of its own or that of the round. `upkeep` is one in which nobody acts."""

    name: Id
    title: str = ""
    order: OrderPart | None = None
    upkeep: bool = False


class WalkPart(GamePart):
    """How one walks.

    Attributes:
        cost: the price of a walk.
        each_place: the price of each place of open ground on it.
        places: how far a walk goes, in places of open ground.
        phase: the phases in which one walks; empty for any.
    """

    key: Key = "m"
    cost: Amounts = Field(default={})
    each_place: Amounts = Field(default={})
    places: Number | None = None
    phase: Several[Id] = Field(default=[])
    when: Condition | None = None


class NeedPart(GamePart):
    """One part of what a roll needs, with its name."""

    name: Name
    number: Number


def _as_needs(value: object) -> object:
    """A number alone, or ``["defence", "target.defence"]`` for each of several parts."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return [{"name": "needs", "number": value}]
    if isinstance(value, list):
        return [_as_need(each) for each in value]
    return value


def _as_need(value: object) -> object:
    if not isinstance(value, list):
        return value
    if len(value) not in (2, 3):
        raise ValueError(f'has {value!r}; write ["defence", "target.defence"], with a rule as the third if you like')
    return dict(zip(("name", "number", "rule"), value, strict=False))


_NEED: JsonSchemaValue = {"type": "array", "items": _NUMBER_OR_TEXT, "minItems": 2, "maxItems": 3}
Needs = Annotated[list[Annotated[NeedPart, _Or(_NEED)]], BeforeValidator(_as_needs), _Or(_NUMBER_OR_TEXT)]
Compare = Literal["at least", "over", "at most", "under"]


class SavePart(GamePart):
    """A roll of the one concerned that averts what would happen, or half of the harm.

    In its formulas `who` is the one who rolls, and `target` the one who caused it. `advantage` is as for an act.
    """

    name: str = "save"
    roll: DiceText
    needs: Needs
    compare: Compare = "at least"
    half: bool = False
    advantage: Number | None = None


class GivenPart(GamePart):
    """A condition that begins. What is left out is as the condition itself says."""

    name: Id
    on: Literal["target", "who"] = "target"
    until: Literal["", "own turn", "own turn end", "turn", "turn end", "round", "next roll", "ended"] = ""
    rounds: int | None = Field(default=None, ge=1, le=1000)


def _as_given(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


Given = Annotated[GivenPart, BeforeValidator(_as_given), _Or({"type": "string"})]


class EndedPart(GamePart):
    """A condition that ends, if whom it is on has it."""

    name: Id
    on: Literal["target", "who"] = "target"


Ended = Annotated[EndedPart, BeforeValidator(_as_given), _Or({"type": "string"})]


class OutcomePart(GamePart):
    """What happens.

    Attributes:
        damage: harm to the target, as a number or dice.
        pool: the pool that is harmed or healed; by default that of health.
        lessened_by: what the harm is lessened by, such as armour; it is never below zero.
        heal: what the target gets back.
        gain: what the actor, or their side, gets. What a turn holds can be more than its full number by this.
        lose: what the target, or their side, loses.
        condition: conditions that begin.
        ends: conditions that end.
        line: a line for the log; ``{who}`` and ``{target}`` are replaced.
    """

    damage: DiceText | None = None
    pool: Reference = ""
    lessened_by: Number | None = None
    heal: DiceText | None = None
    gain: Amounts = Field(default={})
    lose: Amounts = Field(default={})
    condition: Several[Given] = Field(default=[])
    ends: Several[Ended] = Field(default=[])
    line: str = ""


class CriticalPart(OutcomePart):
    """What a critical hit adds: `dice` is by how much the dice of the damage are multiplied."""

    when: Condition
    dice: int = Field(default=1, ge=1, le=10)


class ActPart(OutcomePart):
    """Something that combatants can do.

    Attributes:
        title: what the actor does, as in "Ash strikes Goblin": ``strikes``.
        phase: the phases in which it can be done; empty for any.
        cost: its price.
        target: whom or what it is aimed at.
        only_for: who has the act at all; others are not offered it.
        area: for ``area``: how far from the place it reaches, in places.
        hits: for ``area``: whom it concerns there.
        reach: how far the target may be, in places; without it any distance will do.
        sight: whether the line to it must be clear; by default where `reach` is more than 1.
        cover: what each kind of cover adds to what is needed; ``"no"`` if it cannot be done then.
        when: the condition for it, and in `unless` why not.
        roll: the roll of the actor, if it can fail.
        advantage: above zero the roll is made twice and the better counts, below zero the worse.
        needs: what the roll needs: a number, or parts with their names.
        against: the roll of the target that it must beat, in place of a number.
        ties: who wins if both rolls are the same.
        compare: how the roll is compared.
        fails: when the roll fails whatever it needs, such as ``die == 1``.
        save: a roll of each target that averts it.
        critical: what the best hits add.
        miss: what happens if it fails.
        uses: how often, in a `per`.
        ends_turn: whether the turn is over after it.
        offered: false if it is only done by triggers.
    """

    name: Id
    title: str = ""
    key: Key = ""
    phase: Several[Id] = Field(default=[])
    cost: Amounts = Field(default={})
    only_for: Condition | None = None
    target: Literal["none", "self", "enemy", "ally", "ally or self", "anyone", "place", "area"] = "none"
    area: Number | None = None
    hits: Literal["enemies", "allies", "anyone"] = "anyone"
    reach: Number | None = None
    sight: bool | None = None
    cover: dict[str, int | Literal["no"]] = Field(default={})
    when: Condition | None = None
    unless: str = ""
    roll: DiceText | None = None
    advantage: Number | None = None
    needs: Needs = Field(default=[])
    against: DiceText | None = None
    ties: Literal["who", "target"] = "who"
    compare: Compare = "at least"
    fails: Condition | None = None
    save: SavePart | None = None
    critical: CriticalPart | None = None
    miss: OutcomePart | None = None
    uses: int = Field(default=0, ge=0)
    per: Literal["fight", "round"] = "fight"
    ends_turn: bool = False
    offered: bool = True


class ConditionSave(SavePart):
    """A save that ends a condition, at the beginning or the end of the bearer's turn."""

    at: Literal["turn", "turn end"] = "turn end"


class ConditionPart(GamePart):
    """A condition.

    Attributes:
        until: how long it lasts: until the bearer's ``turn`` begins or ends, until the ``own turn`` of whoever caused
            it begins or ends, until the end of the ``round``, until the bearer's ``next roll`` for an act is over, or
            until it is ``ended``.
        rounds: how many of these; 1 by default.
        changes: what it adds to numbers of the sheet.
        forbids: acts that it forbids, ``walk``, or ``acts`` for all.
        skips: whether the bearer has no turn; its harm comes and its saves are rolled all the same.
        harm: harm at the beginning of each turn of the bearer, to `pool`.
        heal: the same for healing.
        save: a save that ends it. In its formulas, `target` is whoever caused it.
        held_by: a condition of whoever caused it: this one ends with it.
        tone: its colour.
    """

    name: Id
    title: str = ""
    until: Literal["own turn", "own turn end", "turn", "turn end", "round", "next roll", "ended"] = "ended"
    rounds: int = Field(default=1, ge=1, le=1000)
    changes: Amounts = Field(default={})
    forbids: Several[Id] = Field(default=[])
    skips: bool = False
    harm: DiceText | None = None
    heal: DiceText | None = None
    pool: Reference = ""
    save: ConditionSave | None = None
    held_by: Reference = ""
    tone: Literal["good", "bad", "warn", "info", "plain"] = "info"


When = Literal[
    "leaves reach", "comes into reach", "moves in sight", "is harmed", "is hit", "is missed", "turn begins",
    "turn ends", "round begins", "round ends", "goes down", "half are down",
]  # fmt: skip


class TriggerPart(OutcomePart):
    """Something that happens by itself, or is asked, when something else does.

    Attributes:
        when: what happens.
        to: whom it has to happen to, from the view of whoever reacts.
        reach: for the first three: how far whoever reacts can reach, in places.
        condition_for: a formula that must hold; `who` reacts, `target` is the one it happens to.
        asks: the act that whoever reacts is asked to do; the rest happens only if they do it.
        does: the act that is done without a question.
        cost: what it costs whoever reacts.
        save: a roll of whoever reacts that averts the rest.
        stops: whether a walk ends there if the act hits.
    """

    when: When
    to: Literal["self", "enemy", "ally", "anyone"] = "self"
    reach: Number | None = None
    condition_for: Condition | None = Field(default=None, alias="if")
    asks: Reference = ""
    does: Reference = ""
    cost: Amounts = Field(default={})
    save: SavePart | None = None
    stops: bool = False


class GamePage(FilePart):
    """The whole file."""

    id: Id
    title: Name
    about: str = ""
    version: str = "1"
    sides: list[Id] = Field(default=["party", "foe"], min_length=1, max_length=12)
    rules: dict[str, str] = Field(default={}, max_length=500)
    sheet: dict[Id, Value] = Field(default={}, max_length=200)
    pools: dict[Id, PoolPart] = Field(default={})
    shared: dict[Id, SharedPart] = Field(default={})
    round: RoundPart = RoundPart()
    phase: list[PhasePart] = Field(default=[], max_length=30)
    turn: Amounts = Field(default={}, max_length=20)
    walk: WalkPart | None = None
    act: list[ActPart] = Field(default=[], max_length=100)
    condition: list[ConditionPart] = Field(default=[], max_length=100)
    trigger: list[TriggerPart] = Field(default=[], max_length=100)


_MEANING = re.compile(r"^ {8}(\w+): (.*(?:\n {12}.*)*)", re.MULTILINE)


def game_schema() -> JsonSchemaValue:
    """The JSON Schema of a game's file, in which each key says what it means."""
    schema = GamePage.model_json_schema(by_alias=True)
    models: dict[str, type[BaseModel]] = {model.__name__: model for model in _models_within(GamePage)}
    for name, table in (("GamePage", schema), *schema["$defs"].items()):
        texts: dict[str, str] = {}
        for model in reversed(models[name].__mro__):
            meanings = _MEANING.finditer(model.__doc__ or "")
            texts |= {match[1]: " ".join(match[2].replace("`", "").split()) for match in meanings}
        table["description"] = (models[name].__doc__ or "").partition("\n\n")[0]
        for field, meaning in texts.items():
            info = models[name].model_fields.get(field)
            if info is not None:
                table["properties"][info.alias or field]["description"] = meaning
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Fight Call: a game"}


def _models_within(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    to_look_at: list[object] = [field.annotation for field in model.model_fields.values()]
    while to_look_at:
        hint = to_look_at.pop()
        if isinstance(hint, type) and not get_args(hint) and issubclass(hint, BaseModel):
            yield from _models_within(hint)
        to_look_at += get_args(hint)


COUNTED = ("initiative", "contacts", "able")
"""Numbers of a combatant that the program counts, for formulas."""
WALK, ANY_ACT, PASS = "walk", "acts", "waive"
"""Words for walking and for all acts in ``forbids``, and the name of passing."""
FREE_COMMANDS = frozenset({"strike"})
"""Shared commands that nothing else decides, so that an act can have their name."""
_ROLLED_ORDERS = ("initiative", "declared")


def read_page(text: str, source: str) -> GamePage:
    """Read the file of a system, `source` in messages; BadInput has one for each mistake, in the order of the file."""
    data, complaints = read_toml(text.removeprefix("\ufeff"), source, STAND_INS)
    game = _read_tables(data, complaints)
    _check_references(game, data, complaints)
    if complaints.found:
        raise BadInput(source, complaints.in_order())
    return game


def _read_tables(data: Mapping[str, object], complaints: Complaints) -> GamePage:
    """Read each table by itself, so that a mistake in one does not hide those in others."""
    words = _vocabulary_of(data)
    plain = {key: value for key, value in data.items() if key not in (*_TABLES, *_LISTS, *_NAMED)}
    page = complaints.part(GamePage, plain, (), words)
    parts: dict[str, object] = {}
    for key, kind in _TABLES.items():
        value = data.get(key)
        if isinstance(value, Mapping):
            parts[key] = complaints.part(kind, value, (key,), words)
        elif value is not None:
            complaints.add((key,), f"{key} is a table; write [{key}]")
    for key, kind in _LISTS.items():
        value = data.get(key, [])
        if isinstance(value, list) and len(value) <= MOST and all(isinstance(each, Mapping) for each in value):
            parts[key] = [complaints.part(kind, each, (key, number), words) for number, each in enumerate(value)]
        else:
            complaints.add((key,), f"{key} is a list of at most {MOST} tables; write [[{key}]] before each")
    for key, kind in _NAMED.items():
        value = data.get(key, {})
        are_tables = isinstance(value, Mapping) and all(isinstance(each, Mapping) for each in value.values())
        if isinstance(value, Mapping) and are_tables and len(value) <= MOST:
            parts[key] = {name: complaints.part(kind, each, (key, name), words) for name, each in value.items()}
        else:
            complaints.add((key,), f"{key} has a table for each name, at most {MOST}: hp = {{ health = true }}")
    for name, problem in words.wrong_texts.items():
        complaints.add(("sheet", name), problem)
    return page.model_copy(update=parts)


MOST = 100
"""The most acts, conditions, triggers or pools of a game."""
_TABLES: Mapping[str, type[GamePart]] = {"round": RoundPart, "walk": WalkPart}
_LISTS: Mapping[str, type[GamePart]] = {
    "phase": PhasePart, "act": ActPart, "condition": ConditionPart, "trigger": TriggerPart,
}  # fmt: skip
_NAMED: Mapping[str, type[GamePart]] = {"pools": PoolPart, "shared": SharedPart}


def _vocabulary_of(data: Mapping[str, object]) -> Vocabulary:
    """The names that the file's formulas can use, as far as the tables that declare them can be read."""
    pools = [str(name) for key in ("pools", "turn") for name in _keys_of(data, key)]
    traits = (*_keys_of(data, "sheet"), *pools, *(f"{pool}_max" for pool in pools), *COUNTED)
    conditions = data.get("condition")
    tables = conditions if isinstance(conditions, list) else []
    named = (each.get("name") for each in tables if isinstance(each, Mapping))
    known = frozenset(name for name in named if isinstance(name, str))
    sheet = data.get("sheet")
    values = sheet.items() if isinstance(sheet, Mapping) else ()
    texts = {str(name): value for name, value in values if isinstance(value, str)}
    return Vocabulary(frozenset(traits), frozenset(_keys_of(data, "shared")), known, texts)


def _keys_of(data: Mapping[str, object], table: str) -> tuple[str, ...]:
    value = data.get(table)
    return tuple(map(str, value)) if isinstance(value, Mapping) else ()


# What has to fit together


def _check_references(game: GamePage, data: Mapping[str, object], complaints: Complaints) -> None:
    names = _Names(game, data, complaints)
    _check_names(game, complaints)
    _check_pools(game, data, complaints)
    orders: list[tuple[KeyPath, OrderPart | None]] = [(("round", "order"), game.round.order)]
    orders += [(("phase", number, "order"), phase.order) for number, phase in enumerate(game.phase)]
    for path, order in orders:
        if order is None:
            continue
        if order.by in _ROLLED_ORDERS and order.roll is None and path[:-1] not in complaints.faulty:
            text = f'{format_path(path)}: by = "{order.by}" needs a roll, such as roll = "d20 + speed"'
            complaints.add(path, text)
        names.check_all("side", game.sides, (order.first,), (*path, "first"))
        names.check_all("condition", names.conditions, (order.joker,), (*path, "joker"))
    for number, act in enumerate(game.act):
        names.check_act(act, ("act", number))
    numbers = [name for name, value in game.sheet.items() if not isinstance(value, str | bool)]
    for number, condition in enumerate(game.condition):
        path = ("condition", number)
        names.check_all("number of the sheet", numbers, condition.changes, (*path, "changes"))
        names.check_all("act", (*names.acts, WALK, ANY_ACT), condition.forbids, (*path, "forbids"))
        names.check_all("condition", names.conditions, (condition.held_by,), (*path, "held_by"))
        names.check_all("pool", names.healable, (condition.pool,), (*path, "pool"))
    for number, trigger in enumerate(game.trigger):
        path = ("trigger", number)
        names.check_outcome(trigger, path)
        names.check_all("pool", names.pools, trigger.cost, (*path, "cost"))
        names.check_all("act", names.acts, (trigger.asks,), (*path, "asks"))
        names.check_all("act", names.acts, (trigger.does,), (*path, "does"))
        if trigger.asks and trigger.does:
            complaints.add((*path, "does"), "trigger.does: an act is either asked about or done; drop one")
    if game.walk is not None:
        names.check_all("pool", names.pools, game.walk.cost, ("walk", "cost"))
        names.check_all("pool", names.pools, game.walk.each_place, ("walk", "each_place"))
        names.check_all("phase", names.phases, game.walk.phase, ("walk", "phase"))
    for name, shared in game.shared.items():
        names.check_all("side", game.sides, (shared.side,), ("shared", name, "side"))


def _check_names(game: GamePage, complaints: Complaints) -> None:
    taken = {kind.type.lower() for kind in CORE_COMMANDS} - FREE_COMMANDS | SCRIPT_WORDS
    lists: tuple[tuple[str, list[str]], ...] = (
        ("act", [act.name for act in game.act]),
        ("condition", [condition.name for condition in game.condition]),
        ("phase", [phase.name for phase in game.phase]),
    )
    for kind, names in lists:
        counts = Counter(names)
        for number, name in enumerate(names):
            path = (kind, number, "name")
            if name == UNNAMED:
                continue
            if names.index(name) != number and counts[name] > 1:
                complaints.add(path, f"{kind}.name: there are two of the name {name!r}; each needs its own")
            if kind == "act" and (name.replace("_", "").replace("-", "") in taken or name in (WALK, ANY_ACT, PASS)):
                complaints.add(path, f"act.name: {name!r} is a command of the program; use another name")
    pools: Mapping[str, Iterable[str]] = {"pools": game.pools, "shared": game.shared, "turn": game.turn}
    owners: dict[str, str] = {}
    for table, entries in pools.items():
        for name in entries:
            if name in TOLD_OF_COMBATANT or name in (*SITUATION, *PEOPLE, *COUNTED):
                complaints.add((table, name), f"{table}.{name}: the program has something of this name; use another")
            elif name in owners:
                complaints.add((table, name), f"{table}.{name}: [{owners[name]}] has a pool of this name; use another")
            owners[name] = table
    for name, value in game.sheet.items():
        if not isinstance(value, str) and not -LARGEST <= value <= LARGEST:
            complaints.add(("sheet", name), f"sheet.{name}: expected a number up to {LARGEST} (got {value})")
        if name in (*SITUATION, *PEOPLE, *COUNTED):
            complaints.add(("sheet", name), f"sheet.{name}: the program has something of this name; use another")
        elif name in game.turn:
            complaints.add(("sheet", name), f"sheet.{name}: [turn] has something of this name; use another")
    keys: dict[str, str] = {"w": PASS, **({game.walk.key: WALK} if game.walk is not None else {})}
    for number, act in enumerate(game.act):
        if act.key and keys.setdefault(act.key, act.name) != act.name:
            text = f"act.key: {act.key!r} is the key of {keys[act.key]!r}; each needs its own"
            complaints.add(("act", number, "key"), text)


def _check_pools(game: GamePage, data: Mapping[str, object], complaints: Complaints) -> None:
    raw_pools = data.get("pools")
    tables = raw_pools.items() if isinstance(raw_pools, Mapping) else ()
    healths = [str(name) for name, pool in tables if isinstance(pool, Mapping) and pool.get("health")]
    if len(healths) != 1:
        listed = ", ".join(healths) or "none"
        text = f"pools: write health = true in one of them; a combatant without any of it is down (so far: {listed})"
        complaints.add(("pools", *(healths[1:2] or tuple(game.pools)[:1])), text)
    for name, pool in game.pools.items():
        start = game.sheet.get(name)
        is_unread = name in _keys_of(data, "sheet") and name not in game.sheet
        is_number = is_unread or (isinstance(start, int) and not isinstance(start, bool))
        if pool.start is None and not is_number:
            text = f"pools.{name}: how much is it? Give {name} a whole number in [sheet], or write from = ... here"
            complaints.add(("pools", name), text)
    phases = all(phase.order or phase.upkeep for phase in game.phase) and game.phase
    if game.round.order is None and not phases and "order" not in _keys_of(data, "round"):
        text = 'round.order is missing; write one, such as order = { by = "initiative", roll = "d20" }'
        complaints.add(("round",), text)


class _Names:
    """The names that the file declares, to check those that refer to them."""

    def __init__(self, game: GamePage, data: Mapping[str, object], complaints: Complaints) -> None:
        self._game, self._complaints = game, complaints
        # As they stand in the file: one with a mistake of its own is no mistake elsewhere.
        self.pools = tuple(name for table in ("pools", "shared", "turn") for name in _keys_of(data, table))
        self.phases = tuple(phase.name for phase in game.phase)
        self.acts = tuple(act.name for act in game.act)
        self.conditions = tuple(condition.name for condition in game.condition)
        self.healable = tuple(game.pools)

    def check_all(self, kind: str, known: Iterable[str], names: Iterable[str], path: KeyPath) -> None:
        """Complain about each name that is not known; empty ones name nothing."""
        known = tuple(known)
        for name in filter(None, names):
            if name not in known:
                text = f"there is no {kind} {name!r}; {accepted_words(name, known, 'none yet')}"
                self._complaints.add(path, f"{format_path(path)}: {text}")

    def check_outcome(self, outcome: OutcomePart, path: KeyPath) -> None:
        """Check what an outcome refers to."""
        for key, amounts in (("gain", outcome.gain), ("lose", outcome.lose)):
            self.check_all("pool", self.pools, amounts, (*path, key))
        self.check_all("condition", self.conditions, (each.name for each in outcome.condition), (*path, "condition"))
        self.check_all("condition", self.conditions, (each.name for each in outcome.ends), (*path, "ends"))
        self.check_all("pool", self.healable, (outcome.pool,), (*path, "pool"))

    def check_act(self, act: ActPart, path: KeyPath) -> None:
        """Check an act: what it refers to, and whether its parts fit together."""
        self.check_outcome(act, path)
        self.check_all("phase", self.phases, act.phase, (*path, "phase"))
        self.check_all("pool", self.pools, act.cost, (*path, "cost"))
        outcomes = {"critical": act.critical, "miss": act.miss}
        for key, outcome in outcomes.items():
            if outcome is not None:
                self.check_outcome(outcome, (*path, key))
        if path in self._complaints.faulty:
            # What doesn't fit may be missing only because of the mistake.
            return
        unrolled = (key for key, outcome in outcomes.items() if outcome is not None and act.roll is None)
        has_target = act.target not in ("none", "place")
        concerns_target = act.damage or act.heal or act.lose or act.save or act.against
        mistakes = [(key, f"act.{key}: {act.name} has no roll, so it can't be one") for key in unrolled]
        if act.roll is not None and not act.needs and act.against is None:
            mistakes.append(("roll", f"act.roll: what does {act.name} need? Write needs = ... or against = ..."))
        if act.needs and act.against is not None:
            mistakes.append(("against", "act.against: a roll either needs a number or beats another; drop one"))
        if act.needs and act.roll is None:
            mistakes.append(("needs", f"act.needs: {act.name} has no roll that could need it"))
        if act.target == "area" and act.area is None:
            mistakes.append(("target", "act.target: an area needs its size, such as area = 2"))
        if act.area is not None and act.target != "area":
            mistakes.append(("area", 'act.area: this is for target = "area"'))
        for key, text in mistakes:
            self._complaints.add((*path, key), text)
        if concerns_target and not has_target:
            text = f'act: {act.name} does something to a target and has none; write target = "enemy", or "self"'
            self._complaints.add(path, text)
