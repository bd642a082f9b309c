"""Rule systems of other packages: whatever is wrong with one is reported with the name of its package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from traceback import walk_tb
from typing import TYPE_CHECKING, cast

from fightcall_engine.kit.gaps import find_gaps
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Setting
from fightcall_engine.model.commands import CORE_COMMANDS, Command, squeeze
from fightcall_engine.model.errors import FightCallError, SystemFault
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import Resume

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


DATA: Mapping[str, type] = {
    **dict.fromkeys(("id", "version", "title"), str),
    **dict.fromkeys(("commands", "events", "resumes", "settings", "sides"), tuple),
    **dict.fromkeys(("aliases", "clocks", "accepted", "conditions", "option_keys", "phases", "phrases"), Mapping),
    **dict.fromkeys(("pools", "trails"), Mapping),
    **dict.fromkeys(("own_traits", "implies_who"), frozenset),
}
"""The types of a system's data, checked when it is loaded. Its methods are checked when they are called."""


def load_plugin(point: EntryPoint) -> BaseSystem:
    """The system behind an entry point.

    Raises:
        SystemFault: it cannot be imported, or is not a rule system.
    """
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
        self._inner = inner
        self._package = package
        self._name = name
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
            if member in ("options", "rulings"):
                self._check_options(cast("tuple[Option, ...]", value))
            return value

        return guarded_call

    def _check_options(self, options: tuple[Option, ...]) -> None:
        """Check that every option names a known command, as it would fail only when it is chosen."""
        for option in options:
            if squeeze(option.command) not in self._command_names:
                problem = f"offers {option.action!r} by {option.command}, which is not among its commands"
                raise SystemFault(self._package, self._name, problem)

    @cached_property
    def _command_names(self) -> frozenset[str]:
        system = cast("BaseSystem", self._inner)
        return frozenset(map(squeeze, (*(kind.type for kind in (*CORE_COMMANDS, *system.commands)), *system.aliases)))


def _describe_error(error: Exception, package: str = "") -> str:
    """The error, with the last line of the package that led to it."""
    lines = [
        f" ({frame.f_globals['__name__']}, line {line})"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] == package
    ]
    return f"{type(error).__name__}: {error}{lines[-1] if lines else ''}"
