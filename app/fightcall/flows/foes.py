"""The foes at the table: the act that the call bar suggests, and the key that lets them act one after the other."""

from __future__ import annotations

from collections.abc import Callable

from fightcall.flows.base import Become, Reply
from fightcall.flows.option_inputs import option_turn
from fightcall.flows.questions import AskFlow
from fightcall.table import Outcome, Table
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import remembered
from fightcall_engine.play.foes import Deed, FoeTurns, Halt, Suggestion, foes_to_act, suggest


class FoeIdeas:
    """The suggestion for the selected combatant, if it is the GM's and in turn; worked out once for each moment."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._moment: tuple[FightState, str] | None = None
        self._idea: Suggestion | None = None

    @property
    def is_due(self) -> bool:
        """Whether a suggestion is still to be worked out for this moment."""
        return not self._is_known and self._is_in_turn()

    @property
    def _is_known(self) -> bool:
        moment, table = self._moment, self._table
        return moment is not None and moment[0] is table.state and moment[1] == table.selected

    def _is_in_turn(self) -> bool:
        table = self._table
        combatant = table.state.combatants.get(table.selected)
        is_ours = combatant is None or combatant.side == table.system.sides[0]
        if is_ours or table.state.status != "running" or table.fight.is_watching:
            return False
        return table.selected in foes_to_act(table.system, table.state)

    def work_out(self) -> None:
        """Work out the suggestion for this moment."""
        table = self._table
        self._idea = _suggestion(table.system, table.state, table.selected) if self._is_in_turn() else None
        self._moment = table.state, table.selected

    def shown(self) -> Suggestion | None:
        """The suggestion for this moment; None if there is none, or it is not worked out yet."""
        return self._idea if self._is_known else None

    def option(self) -> Option | None:
        """The option of the suggestion; None if there is none."""
        idea = self.shown()
        options = self._table.options() if idea is not None else ()
        return next((each for each in options if idea is not None and each.action == idea.action and each.legal), None)

    def opens_panel(self) -> bool:
        """Whether the suggestion has anything to fill in. Enter never acts before the GM has seen what it would do."""
        option = self.option()
        return option is not None and bool(option.inputs)

    def open(self) -> Reply | None:
        """The panel of the suggestion, filled in, with everything still to be changed; None if there is none."""
        idea, option = self.shown(), self.option()
        if idea is None or option is None:
            return None
        reply = option_turn(self._table, option, idea.who, idea.target)
        path = idea.values.get("path")
        if isinstance(reply, Become) and isinstance(reply.flow, AskFlow) and isinstance(path, list) and path:
            reply.flow.point(resolve_place(self._table.state.board, path[-1]))
        return reply


@remembered
def _suggestion(system: BaseSystem, state: FightState, combatant_id: str) -> Suggestion | None:
    return suggest(system, state, combatant_id)


class FoeRun:
    """Lets the GM's combatants act, each by a command of its own, with the screen drawn after each.

    Args:
        table: the fight.
        finish: hears why it ends.
    """

    def __init__(self, table: Table, give: Callable[[Deed], Outcome], finish: Callable[[Halt], None]) -> None:
        self._turns, self._give, self._finish = FoeTurns(table.fight), give, finish
        self._line, self._last_id = table.fight.line, ""
        self.deeds = 0
        self.told_from = self._line.entry_count()
        """The entry where the last foe began to act; what it led to follows."""

    def act(self) -> bool:
        """Do the next deed. False once nothing more is to be done."""
        deed = self._turns.next()
        if isinstance(deed, Halt):
            self._finish(deed)
            return False
        if deed.who and deed.who != self._last_id:
            self.told_from, self._last_id = self._line.entry_count(), deed.who
        self.deeds += 1
        return self._give(deed).done
