"""Reading the file of a system. All mistakes are reported together, each with its line and what would be accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fightcall_engine.files import Complaints, KeyPath, accepted_words, format_path, read_toml
from fightcall_engine.homebrew.formulas import LARGEST, PEOPLE, SITUATION, Vocabulary
from fightcall_engine.homebrew.game import (
    STAND_INS,
    UNNAMED,
    ActPart,
    ConditionPart,
    GamePage,
    GamePart,
    OrderPart,
    OutcomePart,
    PhasePart,
    PoolPart,
    RoundPart,
    SharedPart,
    TriggerPart,
    WalkPart,
)
from fightcall_engine.kit.plugins import TOLD_OF_COMBATANT
from fightcall_engine.model.commands import CORE_COMMANDS, SCRIPT_WORDS
from fightcall_engine.model.errors import BadInput

COUNTED = ("initiative", "contacts", "able")
"""Numbers of a combatant that the program counts, for formulas."""
WALK, ANY_ACT, PASS = "walk", "acts", "waive"
"""Words for walking and for all acts in ``forbids``, and the name of passing."""
FREE_COMMANDS = frozenset({"strike"})
"""Shared commands that nothing else decides, so that an act can have their name."""
_ROLLED_ORDERS = ("initiative", "declared")


@dataclass(frozen=True)
class Page:
    """A file that has been read: its models, and its text."""

    game: GamePage
    text: str


def read_page(text: str, source: str) -> Page:
    """Read the file of a system. `source` is its name in messages.

    Raises:
        BadInput: a message for each mistake, in the order of the file.
    """
    text = text.removeprefix("\ufeff")
    data, complaints = read_toml(text, source, STAND_INS)
    game = _read_tables(data, complaints)
    _check_references(game, data, complaints)
    if complaints.found:
        raise BadInput(source, complaints.in_order())
    return Page(game, text)


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
    for path, order in _orders_of(game):
        names.check_order(order, path)
    for number, act in enumerate(game.act):
        names.check_act(act, ("act", number))
    for number, condition in enumerate(game.condition):
        names.check_condition(condition, ("condition", number))
    for number, trigger in enumerate(game.trigger):
        names.check_trigger(trigger, ("trigger", number))
    if game.walk is not None:
        names.check_all("pool", names.pools, game.walk.cost, ("walk", "cost"))
        names.check_all("pool", names.pools, game.walk.each_place, ("walk", "each_place"))
        names.check_all("phase", names.phases, game.walk.phase, ("walk", "phase"))
    for name, shared in game.shared.items():
        names.check_all("side", game.sides, (shared.side,) if shared.side else (), ("shared", name, "side"))


def _orders_of(game: GamePage) -> Iterator[tuple[KeyPath, OrderPart]]:
    if game.round.order is not None:
        yield ("round", "order"), game.round.order
    for number, phase in enumerate(game.phase):
        if phase.order is not None:
            yield ("phase", number, "order"), phase.order


def _check_names(game: GamePage, complaints: Complaints) -> None:
    """Check that nothing is called twice, nor as something that the program has."""
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
        """Complain about each name that is not known."""
        known = tuple(known)
        for name in names:
            if name not in known:
                text = f"there is no {kind} {name!r}; {accepted_words(name, known, 'none yet')}"
                self._complaints.add(path, f"{format_path(path)}: {text}")

    def check_order(self, order: OrderPart, path: KeyPath) -> None:
        """Check what an order needs, and what it refers to."""
        if order.by in _ROLLED_ORDERS and order.roll is None and path[:-1] not in self._complaints.faulty:
            text = f'{format_path(path)}: by = "{order.by}" needs a roll, such as roll = "d20 + speed"'
            self._complaints.add(path, text)
        self.check_all("side", self._game.sides, (order.first,) if order.first else (), (*path, "first"))
        self.check_all("condition", self.conditions, (order.joker,) if order.joker else (), (*path, "joker"))

    def check_outcome(self, outcome: OutcomePart, path: KeyPath) -> None:
        """Check what an outcome refers to."""
        for key, amounts in (("gain", outcome.gain), ("lose", outcome.lose)):
            self.check_all("pool", self.pools, amounts, (*path, key))
        self.check_all("condition", self.conditions, (each.name for each in outcome.condition), (*path, "condition"))
        self.check_all("condition", self.conditions, (each.name for each in outcome.ends), (*path, "ends"))
        self.check_all("pool", self.healable, (outcome.pool,) if outcome.pool else (), (*path, "pool"))

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
        for key in (key for key, outcome in outcomes.items() if outcome is not None and act.roll is None):
            self._complaints.add((*path, key), f"act.{key}: {act.name} has no roll, so it can't be one")
        if act.roll is not None and not act.needs and act.against is None:
            text = f"act.roll: what does {act.name} need? Write needs = ... or against = ..."
            self._complaints.add((*path, "roll"), text)
        if act.needs and act.against is not None:
            text = "act.against: a roll either needs a number or beats another; drop one"
            self._complaints.add((*path, "against"), text)
        if act.needs and act.roll is None:
            self._complaints.add((*path, "needs"), f"act.needs: {act.name} has no roll that could need it")
        if act.target == "area" and act.area is None:
            self._complaints.add((*path, "target"), "act.target: an area needs its size, such as area = 2")
        if act.area is not None and act.target != "area":
            self._complaints.add((*path, "area"), 'act.area: this is for target = "area"')
        has_target = act.target not in ("none", "place")
        concerns_target = act.damage or act.heal or act.lose or act.save or act.against
        if concerns_target and not has_target:
            text = f'act: {act.name} does something to a target and has none; write target = "enemy", or "self"'
            self._complaints.add(path, text)

    def check_condition(self, condition: ConditionPart, path: KeyPath) -> None:
        """Check what a condition refers to."""
        sheet = (name for name, value in self._game.sheet.items() if not isinstance(value, str | bool))
        self.check_all("number of the sheet", sheet, condition.changes, (*path, "changes"))
        self.check_all("act", (*self.acts, WALK, ANY_ACT), condition.forbids, (*path, "forbids"))
        self.check_all("condition", self.conditions, filter(None, (condition.held_by,)), (*path, "held_by"))
        self.check_all("pool", self.healable, filter(None, (condition.pool,)), (*path, "pool"))

    def check_trigger(self, trigger: TriggerPart, path: KeyPath) -> None:
        """Check what a trigger refers to."""
        self.check_outcome(trigger, path)
        self.check_all("pool", self.pools, trigger.cost, (*path, "cost"))
        for key, name in (("asks", trigger.asks), ("does", trigger.does)):
            self.check_all("act", self.acts, (name,) if name else (), (*path, key))
        if trigger.asks and trigger.does:
            self._complaints.add((*path, "does"), "trigger.does: an act is either asked about or done; drop one")
