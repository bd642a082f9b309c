"""The remedies of an act that is not possible as it stands, with their keys, and the one for Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.flows.exchange_draft import TARGET, row_remedies

if TYPE_CHECKING:
    from fightcall.flows.exchange_draft import ExchangeDraft
    from fightcall.table import Table
    from fightcall_engine.kit.preview import Remedy
    from fightcall_engine.kit.views import Option

OTHER = "d"
"""The key for the next target, or the next value of the marked row."""
OTHER_WEAPON = "w"
"""The key for the next weapon."""
_YES_NO = frozenset("yn")
_TAKEN = frozenset(f"hmynu{OTHER}0123456789")
"""Keys that mean something else in every panel: outcome, yes, no, undo, another, the die."""


class ExchangeRemedies:
    """The remedies of an act.

    Args:
        table: the fight.
        draft: the draft of the act.
        combatant_id: who acts.
    """

    def __init__(self, table: Table, draft: ExchangeDraft, combatant_id: str) -> None:
        self._table, self._draft, self._combatant_id = table, draft, combatant_id

    def find_by_key(self) -> dict[str, Remedy]:
        """The remedies by key: their own key, or a free letter of their words."""
        remedies: dict[str, Remedy] = {}
        actions = {option.action for option in (*self._options(), *self._rulings())}
        for remedy in row_remedies(self._draft.rows):
            can = remedy.action in actions if remedy.action else remedy.value is not None
            if not can or is_another_target(remedy) or remedy in remedies.values():
                continue
            letters = (remedy.key, *filter(str.isalpha, remedy.label.lower()))
            # A remedy that answers a question may use y and n.
            taken = _TAKEN - _YES_NO if remedy.prompt else _TAKEN
            key = next((key for key in letters if key and key not in taken and key not in remedies), "")
            if key:
                remedies[key] = remedy
        return remedies

    def find_proposed(self) -> Remedy | None:
        """The remedy that Enter takes: the only one, if it is neither a ruling nor done at once.

        It must change the act, or be asked about first: giving up, for example, is done at once.
        """
        if self._draft.rolls:
            return None
        remedies = tuple(self.find_by_key().values())
        if len(remedies) != 1:
            return None
        (remedy,) = remedies
        if self._draft.is_aimless:
            # Nobody is left to act against, so that nothing else can be done.
            return remedy
        is_asked = any(each.action == remedy.action and each.legal and each.inputs for each in self._options())
        return remedy if remedy.field or is_asked else None

    def _rulings(self) -> tuple[Option, ...]:
        """The rulings on the target that remedies ask for."""
        if not any(remedy.action for remedy in row_remedies(self._draft.rows)):
            return ()
        rulings = self._table.system.rulings(self._table.state, self._draft.target_id)
        return tuple(option for option in rulings if option.legal)

    def _options(self) -> tuple[Option, ...]:
        return self._table.options_of(self._combatant_id)

    def find_option(self, remedy: Remedy) -> Option:
        """The option or ruling of a remedy."""
        return next(each for each in (*self._options(), *self._rulings()) if each.action == remedy.action)


def is_another_target(remedy: Remedy) -> bool:
    """Whether a remedy is to aim at another combatant, which has a key of its own."""
    return remedy.field == TARGET
