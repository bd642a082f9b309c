"""The declared actions as Textual's bindings."""

from __future__ import annotations

from textual.binding import Binding

from fightcall.actions import Scope, actions_of
from fightcall.keymap import EVERYWHERE, key_name


def bindings_of(*scopes: Scope) -> list[Binding]:
    """The bindings of some scopes for Textual, each with its id so that a key map can change it."""
    return [
        Binding(
            ",".join(key_name(key) for key in action.keys),
            action.name if action.scope != EVERYWHERE else f"app.{action.name}",
            action.text,
            show=action.show,
            tooltip=action.tooltip,
            id=action.id,
        )
        for scope in scopes
        for action in actions_of(scope)
    ]
