"""Keys of plug-ins' options that the fight screen uses itself."""

from __future__ import annotations

from fightcall.actions import KeyNames
from fightcall_engine.kit.registry import find_system, plugin_names
from fightcall_engine.model.errors import SystemFault


def taken_keys(names: KeyNames) -> tuple[str, ...]:
    """Report each option of a plug-in whose key the fight screen uses itself, so that it hides that action."""
    return tuple(
        f"{name}: {action} has the key {key}, as {', '.join(taken)} has; choose another in its option_keys,"
        f" or bind option.{action} in keys.toml"
        for name in plugin_names()
        for action, usual in _keys_of(name)
        if (key := names.option(action, usual)) and (taken := names.users_of(key))
    )


def _keys_of(name: str) -> tuple[tuple[str, str], ...]:
    """The options of a plug-in with their keys; of one that cannot be loaded none, as that is reported elsewhere."""
    try:
        return tuple(find_system(name).option_keys.items())
    except SystemFault:
        return ()
