"""What clears the way of an act against somebody where something stands against it: by which keys, and by Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.flows.exchange_draft import TARGET, row_remedies

if TYPE_CHECKING:
    from fightcall.flows.exchange_draft import ExchangeDraft
    from fightcall.table import Table
    from fightcall_engine.kit.preview import Remedy
    from fightcall_engine.kit.views import Option

OTHER = "d"
"""The key that takes another target, or another value of the marked row."""
OTHER_WEAPON = "w"
"""The key that takes the next weapon."""
_YES_NO = frozenset("yn")
_TAKEN = frozenset(f"hmynu{OTHER}0123456789")
"""What means something else in every panel, and so removes nothing: outcome, yes, no, undo, another, the die."""


class ExchangeRemedies:
    """The remedies of one act.

    Args:
        table: the fight.
        draft: the act, as far as it has been said.
        combatant_id: who acts.
    """

    def __init__(self, table: Table, draft: ExchangeDraft, combatant_id: str) -> None:
        self._table, self._draft, self._combatant_id = table, draft, combatant_id

    def find_by_key(self) -> dict[str, Remedy]:
        """What removes what stands against the command, by its key: its own, or a letter of its words that is free."""
        remedies: dict[str, Remedy] = {}
        actions = {option.action for option in (*self._options(), *self._rulings())}
        for remedy in row_remedies(self._draft.rows):
            can = remedy.action in actions if remedy.action else remedy.value is not None
            if not can or is_another_target(remedy) or remedy in remedies.values():
                continue
            letters = (remedy.key, *filter(str.isalpha, remedy.label.lower()))
            # Yes and no are free for the question that they answer.
            taken = _TAKEN - _YES_NO if remedy.prompt else _TAKEN
            key = next((key for key in letters if key and key not in taken and key not in remedies), "")
            if key:
                remedies[key] = remedy
        return remedies

    def find_proposed(self) -> Remedy | None:
        """What Enter does where the act cannot be done: the one thing that clears its way, if it is no ruling.

        Nor is it what is done at once, such as giving up: only what changes the act, or is asked about first.
        """
        if self._draft.rolls:
            return None
        remedies = tuple(self.find_by_key().values())
        if len(remedies) != 1:
            return None
        (remedy,) = remedies
        is_asked = any(each.action == remedy.action and each.legal and each.inputs for each in self._options())
        return remedy if remedy.field or is_asked else None

    def _rulings(self) -> tuple[Option, ...]:
        """What may be ruled on now of whom it is aimed at, where something that stands against it asks for a ruling."""
        if not any(remedy.action for remedy in row_remedies(self._draft.rows)):
            return ()
        rulings = self._table.system.rulings(self._table.state, self._draft.target_id)
        return tuple(option for option in rulings if option.legal)

    def _options(self) -> tuple[Option, ...]:
        return self._table.options_of(self._combatant_id)

    def find_option(self, remedy: Remedy) -> Option:
        """The option, or the ruling, that a remedy is."""
        return next(each for each in (*self._options(), *self._rulings()) if each.action == remedy.action)


def is_another_target(remedy: Remedy) -> bool:
    """Whether it is to aim at somebody else, which has a key of its own."""
    return remedy.field == TARGET
