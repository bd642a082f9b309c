"""The panel of a declared act that is due: it opens by itself, unless the GM has closed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fightcall.flows import table_flows
from fightcall.flows.base import Become
from fightcall.flows.exchange_flow import ExchangeFlow

if TYPE_CHECKING:
    from fightcall.table import Table


class Due(NamedTuple):
    """The declared acts of a combatant that are due."""

    round: int
    step_id: str
    combatant_id: str
    acts: tuple[str, ...]


class DueActs:
    """The selected combatant's acts that are due, and those the GM has put off."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._left: Due | None = None

    def leave(self) -> None:
        """Keep the panel closed as long as the same acts are due."""
        self._left = self._find()

    def panel(self) -> ExchangeFlow | None:
        """The panel of the first act that is due; None if there is none, or it was closed."""
        due = self._find()
        if due != self._left:
            self._left = None
        if due is None or self._left is not None:
            return None
        option = next(option for option in self._table.options() if option.is_due)
        reply = table_flows.option(self._table, option)
        return reply.flow if isinstance(reply, Become) and isinstance(reply.flow, ExchangeFlow) else None

    def _find(self) -> Due | None:
        """The selected combatant's acts that are due in this step; None if there are none."""
        if self._table.selected not in self._table.waiting_ids():
            return None
        state, acts = self._table.state, tuple(option.label for option in self._table.options() if option.is_due)
        step_id = state.step.id if state.step is not None else ""
        return Due(state.round, step_id, self._table.selected, acts) if acts else None
