"""Where rule systems are found: those that come with the engine, and the entry points of other packages."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from fightcall_engine.kit.plugin import load_plugin
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput

GROUP = "fightcall.systems"


@cache
def _builtin_systems() -> tuple[str, ...]:
    """The ids of the systems that come with the engine: the packages in its folder of systems."""
    folder = Path(__file__).parents[1] / "systems"
    return tuple(sorted(item.parent.name for item in folder.glob("*/__init__.py")))


@cache
def system_names() -> tuple[str, ...]:
    """The ids of all installed systems."""
    return tuple(sorted({*_builtin_systems(), *plugin_names()}))


def plugin_names() -> tuple[str, ...]:
    """The ids of the systems of other packages."""
    from importlib.metadata import entry_points

    return tuple(sorted({point.name for point in entry_points(group=GROUP)} - {*_builtin_systems()}))


def is_installed(name: str) -> bool:
    """True where a system of this id is installed."""
    return name in _builtin_systems() or name in system_names()


@cache
def find_system(name: str) -> BaseSystem:
    """The installed system of this id: one of those that come with the engine, or an entry point of another package.

    Those that come with it are looked for first, because reading what is installed takes longer than all else that a
    small command does.

    Raises:
        BadInput: listing the installed ones.
        SystemFault: it is another package's, and will not do.
    """
    if name in _builtin_systems():
        system: BaseSystem = import_module(f"fightcall_engine.systems.{name}").SYSTEM
        return system
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        return load_plugin(point)
    names = ", ".join(system_names()) or "none installed"
    raise BadInput("system", (f"unknown system {name!r}; accepted: {names}",))
