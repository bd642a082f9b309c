"""Finding rule systems, and what is missing or wrong in one."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, cast, get_args, get_type_hints

from fightcall_engine.files import LARGEST_GAME, GameFile, Source, find_game_files, read_game_file, source_of_games
from fightcall_engine.kit.records import fields_named, find_flaws
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Setting
from fightcall_engine.model.commands import CORE_COMMANDS, SCRIPT_WORDS, Command, squeeze
from fightcall_engine.model.errors import BadInput, FightCallError, SystemFault
from fightcall_engine.model.events import CORE_EVENTS, Event, FactChanged, TraitChanged, TraitsReset
from fightcall_engine.model.state import CUE, FightState, Proposed, Resume
from fightcall_engine.model.values import field_names, replace, required_fields

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from fightcall_engine.model.values import Value

DATA: Mapping[str, type] = {
    **dict.fromkeys(("id", "version", "title"), str),
    **dict.fromkeys(("commands", "events", "resumes", "settings", "sides", "side_pools"), tuple),
    **dict.fromkeys(("aliases", "clocks", "accepted", "conditions", "option_keys", "phases", "phrases"), Mapping),
    **dict.fromkeys(("pools", "trails"), Mapping),
    **dict.fromkeys(("own_traits", "implies_who"), frozenset),
}
"""The types of a system's data, checked when it is loaded. Its methods are checked when they are called."""

GROUP = "fightcall.systems"
_EASE = ("plain", "momentum", "cards", "squads", "stage", "turns", "slots", "segments")


def find_gaps(system: BaseSystem) -> tuple[str, ...]:
    """What is wrong with a system, each as words to follow its name; empty if nothing is."""
    finders = (
        _missing_members, _gaps_of_classes, _gaps_of_records, _unreadable_records, _unknown_traits,
        _gaps_of_names, _unknown_rules,
    )  # fmt: skip
    gaps = []
    for find in finders:
        # A member that raises is reported with its line when it is used.
        with suppress(Exception):
            for gap in find(system):
                gaps.append(gap)
    return tuple(gaps)


def _missing_members(system: BaseSystem) -> Iterator[str]:
    kind = type(system)
    yield from (f"has no {name}" for name, value in (("id", system.id), ("title", system.title)) if not value)
    reads_sheets = kind.sheet_type is not BaseSystem.sheet_type or kind.check_sheet is not BaseSystem.check_sheet
    if system.sheet is None and not reads_sheets:
        yield "has no sheet"
    runs_rounds = kind.begin_round is not BaseSystem.begin_round or kind.start is not BaseSystem.start
    if kind.steps_of_round is BaseSystem.steps_of_round and not runs_rounds:
        yield "has no steps_of_round"
    # If no sheet fills the health, nobody would ever fall.
    is_named = system.health != BaseSystem.health and kind.starting_pools is BaseSystem.starting_pools
    if is_named and is_dataclass(system.sheet) and system.health not in field_names(system.sheet):
        yield f"has the health {system.health}, which its sheet has no field for and no starting_pools gives"


def _gaps_of_classes(system: BaseSystem) -> Iterator[str]:
    """The fields that an event's `PUBLIC`, texts and the like name, and that it does not have."""
    for event in system.events:
        in_words = (*fields_named(event.TEXT), *fields_named(event.SEEN))
        names = dict.fromkeys((*event.PUBLIC, *event.LISTED, *in_words))
        unknown = [name for name in names if name not in field_names(event)]
        yield from (f"has {event.__name__}, which names {name} and has no such field" for name in unknown)
        secret = [name for name in fields_named(event.SEEN) if name not in (*event.PUBLIC, *unknown)]
        yield from (f"has {event.__name__}, whose SEEN names {name}, which is not PUBLIC" for name in secret)
        flaws = (*find_flaws(event.TEXT), *find_flaws(event.SEEN))
        yield from (f"has {event.__name__}, whose words can't be filled in at {flaw}" for flaw in flaws)


def _gaps_of_records(system: BaseSystem) -> Iterator[str]:
    """What is wrong with its classes of records: each must be frozen, and have a default for every field."""
    records = {"record": system.record, "fight_record": system.fight_record, "effect_data": system.effect_data}
    for member, kind in records.items():
        if kind is None:
            continue
        if not is_dataclass(kind) or kind.__setattr__ is object.__setattr__:
            yield f"has the {member} {kind.__name__}, which isn't a frozen dataclass"
        elif member != "effect_data":
            unset_fields = required_fields(kind)
            yield from (f"has the {member} {kind.__name__}, whose {name} has no default" for name in unset_fields)
    record_fields = field_names(system.record) if system.record is not None and is_dataclass(system.record) else ()
    unknown_traits = sorted(system.own_traits.difference(record_fields))
    yield from (f"has {name} among its own_traits, which its record has not" for name in unknown_traits)


def _unreadable_records(system: BaseSystem) -> Iterator[str]:
    """Records with a part that no saved fight could be read with: a class of the system that is no record itself."""
    package = type(system).__module__.partition(".")[0]
    kinds = (*system.resumes, system.record, system.fight_record, system.effect_data)
    to_check, checked = [kind for kind in kinds if kind is not None and is_dataclass(kind)], set[type]()
    while to_check:
        kind = to_check.pop()
        checked.add(kind)
        hints = get_type_hints(kind)
        for name in field_names(kind):
            for part in _classes_in(hints[name]):
                is_own = part.__module__.partition(".")[0] == package and not issubclass(part, tuple | str)
                if is_dataclass(part):
                    to_check += [] if part in checked else [part]
                elif part is Resume or is_own:
                    yield f"has {kind.__name__}, whose {name} holds a {part.__name__}, which isn't a frozen dataclass"


def _classes_in(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and not get_args(hint):
        yield hint
    for part in get_args(hint):
        yield from _classes_in(part)


def _unknown_traits(system: BaseSystem) -> Iterator[str]:
    for kind in system.events:
        defaults = {each.name: each.default for each in fields(kind) if each.default not in (MISSING, "")}
        for root, name, record in (
            (TraitChanged, "trait", system.record), (TraitsReset, "trait", system.record),
            (FactChanged, "fact", system.fight_record),
        ):  # fmt: skip
            changed = defaults.get(name)
            if issubclass(kind, root) and changed and (record is None or changed not in field_names(record)):
                yield f"has {kind.__name__}, which changes {changed}, and remembers nothing of this name"


def _gaps_of_names(system: BaseSystem) -> Iterator[str]:
    handlers = system.handlers
    yield from (f"has no method that handles {command.type}" for command in system.commands if command not in handlers)
    foreign = [command for command in handlers if command not in (*CORE_COMMANDS, *system.commands)]
    yield from (f"handles {command.type}, which is not among its commands" for command in foreign)
    # Names that it uses although they are taken, so that one of the two would never be found.
    core: tuple[type[Value], ...]
    for member, kinds, core in (
        ("command", system.commands, CORE_COMMANDS),
        ("event", system.events, CORE_EVENTS),
        ("resume", system.resumes, (Proposed,)),
    ):
        taken: dict[str, type[Value]] = {squeeze(kind.type): kind for kind in core}
        for kind in kinds:
            other = taken.setdefault(squeeze(kind.type), kind)
            if other is not kind:
                owner_text = "a shared one" if other in core else "another of its own"
                yield f"has the {member} {kind.type}, as {owner_text} is called"
    commands = {squeeze(kind.type): kind.type for kind in (*CORE_COMMANDS, *system.commands)}
    for name in SCRIPT_WORDS.intersection(map(squeeze, (*commands, *system.aliases))):
        yield f"has the command {name}, which scripts use for something else"
    for alias, (name, _) in system.aliases.items():
        if squeeze(name) not in commands:
            yield f"calls {name} {alias}, and has no such command"
        elif commands.get(squeeze(alias), name) != name:
            yield f"calls {name} {alias}, as another command is called"
    if CUE in system.answer_handlers:
        yield f"answers questions of the kind {CUE}, which the core asks and answers"
    yield from _fields_never_seen(system)


def _fields_never_seen(system: BaseSystem) -> Iterator[str]:
    """The fields of records that another field of the same name hides from the GM and the protocol."""
    kind = type(system)
    pools = dict.fromkeys((system.health, *system.pools), "a pool")
    for member, record, taken, is_plain in (
        ("record", system.record, {**pools, **TOLD_OF_COMBATANT}, kind.fields is BaseSystem.fields),
        ("fight_record", system.fight_record, TOLD_OF_FIGHT, kind.facts is BaseSystem.facts),
    ):
        if is_plain and record is not None and is_dataclass(record):
            hidden = (name for name in field_names(record) if name in taken)
            yield from (
                f"has the {member} {record.__name__}, whose {name} is called as {taken[name]}" for name in hidden
            )


_SHARED = "what every fight has"
TOLD_OF_COMBATANT: Mapping[str, str] = dict.fromkeys(
    ("id", "label", "name", "side", "squad", "able", "hidden", "pools", "at", "facing", "effects", "flags"), _SHARED
)
"""The fields that the protocol has for every combatant (`headless.state_json`)."""
TOLD_OF_FIGHT: Mapping[str, str] = dict.fromkeys(
    (
        *("name", "system", "status", "round", "phase", "pulse", "step", "side", "clock_s", "order", "prompts"),
        *("declarations", "agenda", "settings", "combatants", "side_pools"),
    ),
    _SHARED,
)
"""The fields that the protocol has for every fight."""


def _unknown_rules(system: BaseSystem) -> Iterator[str]:
    rule_texts = system.rules()
    named_rules = {event.RULE for event in system.events} | {setting.rule for setting in system.settings}
    named_rules |= {rule for phase in ("", *system.phases) for rule in system.phase_rules(phase)}
    named_rules |= {system.round_rule, system.empty_rule, system.end_rule}
    named_rules |= {system.phase_rule, system.move_rule, system.contact_rule}
    named_rules |= _rules_in_source(type(system), rule_texts)
    # The defaults are plain words and no rule ids.
    named_rules -= {BaseSystem.round_rule, BaseSystem.contact_rule}
    unknown_rules = sorted(named_rules - {""} - {*rule_texts})
    yield from (f"names {rule}, which rules.toml has no text for" for rule in unknown_rules)


_RULE_ID = re.compile(r"[A-Z]+(?:-[A-Z]+)?-?\d+[a-z]?")


def _rules_in_source(kind: type, rule_texts: Mapping[str, str]) -> set[str]:
    """The rule ids in a package's code: strings where a rule is expected, or that look like one of its rules."""
    package = kind.__module__.partition(".")[0]
    if package == __package__.partition(".")[0]:
        return set()
    families = {_family(rule) for rule in rule_texts}
    return {
        text
        for name, module in list(sys.modules.items())
        if name == package or name.startswith(package + ".")
        for text, is_rule in _texts_of_code(module)
        if _RULE_ID.fullmatch(text) and (is_rule or _family(text) in families)
    }


def _family(rule: str) -> str:
    return rule.rstrip("abcdefghijklmnopqrstuvwxyz").rstrip("0123456789")


def _texts_of_code(module: object) -> Iterator[tuple[str, bool]]:
    try:
        tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False
        elif isinstance(node, ast.Call):
            rule_values = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
            if isinstance(node.func, ast.Name | ast.Attribute) and ast.unparse(node.func).endswith("Check"):
                rule_values += node.args[1:2]
            yield from (
                (value.value, True)
                for value in rule_values
                if isinstance(value, ast.Constant) and isinstance(value.value, str)
            )


# Rule systems of other packages


def load_plugin(point: EntryPoint) -> BaseSystem:
    """The system behind an entry point; SystemFault if it cannot be imported, or is not a rule system."""
    package = point.dist.name if point.dist is not None else point.value.partition(":")[0]
    try:
        inner: object = point.load()
    except Exception as error:
        raise SystemFault(package, point.name, f"can't be imported: {_describe_error(error)}") from error
    plugin = Plugin(inner, package, point.name)
    for member, kind in DATA.items():
        if not isinstance(getattr(plugin, member), kind):
            raise SystemFault(package, point.name, f"has {member} that aren't {kind.__name__}")
    for member, root in (("commands", Command), ("events", Event), ("resumes", Resume)):
        classes = getattr(plugin, member)
        if not all(isinstance(item, type) and issubclass(item, root) for item in classes):
            raise SystemFault(package, point.name, f"has {member} that aren't {root.__name__} classes")
    system = cast("BaseSystem", plugin)
    if not all(isinstance(item, Setting) for item in system.settings):
        raise SystemFault(package, point.name, "has settings that aren't of class Setting")
    gaps = find_gaps(inner) if isinstance(inner, BaseSystem) else ()
    if gaps:
        raise SystemFault(package, point.name, "; ".join(gaps))
    if system.id != point.name:
        raise SystemFault(package, point.name, f"has the id {system.id!r}, by which no saved fight would find it")
    return system


class Plugin:
    """A proxy for a system that turns every missing or failing member into a `SystemFault`."""

    def __init__(self, inner: object, package: str, name: str) -> None:
        self._inner, self._package, self._name = inner, package, name
        self._module = type(inner).__module__.partition(".")[0]

    def __getattr__(self, member: str) -> object:
        try:
            value = getattr(self._inner, member)
        except Exception as error:
            missing = isinstance(error, AttributeError) and not hasattr(type(self._inner), member)
            problem = f"has no {member}" if missing else f"failed in {member}: {_describe_error(error, self._module)}"
            raise SystemFault(self._package, self._name, problem) from error
        return self._guard(member, value) if callable(value) and not isinstance(value, type) else value

    def _guard(self, member: str, call: Callable[..., object]) -> Callable[..., object]:
        def guarded_call(*args: object, **more: object) -> object:
            try:
                value = call(*args, **more)
            except FightCallError:
                raise
            except Exception as error:
                problem = f"failed in {member}: {_describe_error(error, self._module)}"
                raise SystemFault(self._package, self._name, problem) from error
            # An option without a known command would fail only when it is chosen.
            for option in cast("tuple[Option, ...]", value) if member in ("options", "rulings") else ():
                if squeeze(option.command) not in self._command_names:
                    problem = f"offers {option.action!r} by {option.command}, which is not among its commands"
                    raise SystemFault(self._package, self._name, problem)
            return value

        return guarded_call

    @cached_property
    def _command_names(self) -> frozenset[str]:
        system = cast("BaseSystem", self._inner)
        return frozenset(map(squeeze, (*(kind.type for kind in (*CORE_COMMANDS, *system.commands)), *system.aliases)))


def _describe_error(error: Exception, package: str = "") -> str:
    lines = [
        f" ({frame.f_globals['__name__']}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] == package
    ]
    return f"{type(error).__name__}: {error}{lines[-1] if lines else ''}"


# Where rule systems are found
#
# A system is a package of this program, an entry point of another package, or a game in a file.

_SYSTEMS = Path(__file__).parents[1] / "systems"
MOST_READ = 64
"""The most texts of rules that are kept read: the fights of a program have few, but an editor saves many."""


@cache
def _builtin_systems() -> tuple[str, ...]:
    return tuple(sorted(item.parent.name for item in _SYSTEMS.glob("*/__init__.py")))


@cache
def plugin_names() -> tuple[str, ...]:
    """The ids of the systems of other packages."""
    from importlib.metadata import entry_points

    return tuple(sorted({point.name for point in entry_points(group=GROUP)} - {*_builtin_systems()}))


def system_names() -> tuple[str, ...]:
    """The ids of all installed systems, without the games in files that have mistakes."""
    games = (game.name for game in game_files().values() if not game.problems)
    return tuple(sorted({*_builtin_systems(), *plugin_names(), *games}))


def ease_of(system: str) -> int:
    """The place of a system among the included ones, the easiest first; those of other packages come last."""
    return _EASE.index(system) if system in _EASE else len(_EASE)


def is_installed(name: str) -> bool:
    """True where a system of this id is installed, and is no game in a file that has mistakes."""
    return name in _builtin_systems() or name in system_names()


def find_system(name: str) -> BaseSystem:
    """The installed system of this id, in Python or a file; BadInput lists those there are, or a file's mistakes."""
    # Reading what is installed takes longer than all else that a small command does.
    if name in _builtin_systems() or name in plugin_names():
        return _load_system(name)
    game = game_files().get(name)
    if game is not None and game.problems:
        raise BadInput(str(game.path), game.problems)
    if game is not None:
        return read_rules(game.rules_text, name)
    names = ", ".join(system_names()) or "none installed"
    raise BadInput("system", (f"unknown system {name!r}; accepted: {names}, or install the plug-in that has it",))


@cache
def _load_system(name: str) -> BaseSystem:
    if name in _builtin_systems():
        system: BaseSystem = import_module(f"fightcall_engine.systems.{name}").SYSTEM
        return system
    from importlib.metadata import entry_points

    return load_plugin(next(iter(entry_points(group=GROUP, name=name))))


def forget_systems() -> None:
    """Look for systems again when they are next needed, as a package may have been installed."""
    for function in (plugin_names, _load_system, _games_in):
        function.cache_clear()


# Games in files


def game_files() -> Mapping[str, GameFile]:
    """All games in files by id, also those with mistakes. A shipped one gives way to the user's own of that name."""
    return _games_in(source_of_games())


def read_game_again(name: str) -> None:
    """Read a game's file again before a fight begins or changes rules; BadInput for mistakes keeps the old one."""
    game = game_of(name)
    if game is None:
        return
    game = _checked(read_game_file(game), is_taken=False)
    if game.problems:
        raise BadInput(str(game.path), game.problems)
    _games_in(source_of_games())[name] = game


def game_at(path: Path) -> GameFile:
    """Read the file of a game that is in no folder of games, with all that is wrong with it."""
    return _checked(read_game_file(GameFile(path.stem, path, path.parent, is_own=True)), is_taken=False)


@lru_cache(1)
def _games_in(source: Source) -> dict[str, GameFile]:
    in_python = {*_builtin_systems(), *plugin_names()}
    games = {game.name: read_game_file(game) for game in find_game_files(_SYSTEMS, source.folder)}
    # Those that ship have no mistakes, and checking them takes longer than most of what only needs their names.
    return {
        name: _checked(game, name in in_python) if game.is_own else game
        for name, game in sorted(games.items())
        if game.is_own or name not in in_python
    }


def _checked(game: GameFile, is_taken: bool) -> GameFile:
    problems = [*game.problems]
    if not problems:
        try:
            system_id = read_rules(game.rules_text, game.name).id
        except BadInput as bad:
            problems += bad.problems
        else:
            problems += game.problems_of_id(system_id)
    if is_taken:
        problems.append(f"there is a system {game.name!r} already; rename the file and its id")
    return replace(game, problems=tuple(problems))


def game_of(name: str) -> GameFile | None:
    """Return the file of an installed system; None for one in Python."""
    is_in_python = name in _builtin_systems() or name in plugin_names()
    return None if is_in_python else game_files().get(name)


@lru_cache(MOST_READ)
def read_rules(rules_text: str, source: str) -> BaseSystem:
    """Read the text of a game's file; BadInput names each mistake with its line."""
    if len(rules_text) > LARGEST_GAME:
        raise BadInput(source, (f"has {len(rules_text)} characters; at most {LARGEST_GAME} are read",))
    read: Callable[[str, str], BaseSystem] = import_module("fightcall_engine.homebrew.system").read_game
    return read(rules_text, source)


def system_of(state: FightState) -> BaseSystem:
    """Return the rules of a fight at one moment. See `find_system` for what it raises."""
    return system_with_rules(state.system, state.rules_text)


def system_with_rules(name: str, rules_text: str) -> BaseSystem:
    """Return the system that a fight names, by the rules that it keeps; else as installed. See `find_system`."""
    return read_rules(rules_text, name) if rules_text else find_system(name)
