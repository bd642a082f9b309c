"""The panel of an act that was declared and is due: it opens by itself, until it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fightcall.flows import table_flows
from fightcall.flows.base import Become
from fightcall.flows.exchange_flow import ExchangeFlow

if TYPE_CHECKING:
    from fightcall.table import Table


class Due(NamedTuple):
    """Declared acts of a combatant that are due, by their labels."""

    round: int
    step_id: str
    combatant_id: str
    acts: tuple[str, ...]


class DueActs:
    """What the selected combatant has to do now, and which of it the GM has left for later."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._left: Due | None = None

    def leave(self) -> None:
        """What is due now stays closed until it is asked for, as long as the same acts are due."""
        self._left = self._find()

    def panel(self) -> ExchangeFlow | None:
        """The panel of the first of them; None where nothing is due, or it was left."""
        due = self._find()
        if due != self._left:
            self._left = None
        if due is None or self._left is not None:
            return None
        option = next(option for option in self._table.options() if option.is_due)
        reply = table_flows.option(self._table, option)
        return reply.flow if isinstance(reply, Become) and isinstance(reply.flow, ExchangeFlow) else None

    def _find(self) -> Due | None:
        """Which declared acts of the selected combatant are due in this step; None where there are none."""
        if self._table.selected not in self._table.waiting_ids():
            return None
        state, acts = self._table.state, tuple(option.label for option in self._table.options() if option.is_due)
        step_id = state.step.id if state.step is not None else ""
        return Due(state.round, step_id, self._table.selected, acts) if acts else None
