"""Until the entry point is registered, the system is found here all the same."""

from __future__ import annotations

import importlib.metadata

from fightcall_engine.system import GROUP

if "slots" not in {point.name for point in importlib.metadata.entry_points(group=GROUP)}:
    _real = importlib.metadata.entry_points
    _own = importlib.metadata.EntryPoint("slots", "fightcall_engine.systems.slots:SYSTEM", GROUP)

    def _with_slots(**params: str) -> object:
        found = tuple(_real(**params))
        return (
            (*found, _own)
            if params.get("group") == GROUP and params.get("name", "slots") == "slots"
            else found
        )

    importlib.metadata.entry_points = _with_slots  # type: ignore[assignment]
