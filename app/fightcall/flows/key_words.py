"""What the keys of the fight screen do now, in words: in refusals, in the call bar, and for keys that do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.flows.fields import MEANINGS
from fightcall_engine.model.commands import squeeze
from fightcall_engine.play.calls import why_not_now

if TYPE_CHECKING:
    from fightcall.flows.keys import KeysInForce
    from fightcall.table import Table
    from fightcall_engine.kit.views import Option
    from fightcall_engine.model.state import Choice, Prompt


class KeyWords:
    """The keys in force, at a table.

    Args:
        table: the fight with who is selected in it.
        names: the keys in force.
    """

    def __init__(self, table: Table, names: KeysInForce) -> None:
        self._table, self._names = table, names

    def key_of(self, option: Option) -> str:
        """The key of an option."""
        return self._names.option(option.action, option.key)

    def name_key(self, entry: str) -> str:
        """An alternative of a refusal with its key, if just one does it: ``t take the turn``."""
        name = squeeze(entry.partition(" ")[0])
        if name in ("advance", "start"):
            return f"{self._names.label('fight.next')} continues"
        state = self._table.state
        asked = state.asked_first
        answer = next((choice for choice in asked.choices if choice.id == entry), None) if asked is not None else None
        if answer is not None and answer.key:
            return f"{answer.key} {answer.label}"
        options = [option for option in self._table.options() if option.legal and self.key_of(option)]
        matches = [option for option in options if entry == option.action]
        matches = matches or [option for option in options if name == squeeze(option.command)]
        if len(matches) == 1:
            return f"{self.key_of(matches[0])} {matches[0].label}"
        rulings = self._table.system.rulings(state, self._table.selected)
        ruling = next((each for each in rulings if each.legal and name == squeeze(each.command) != "rule"), None)
        return entry if ruling is None else f"{self._names.label('fight.rule')} {ruling.label}"

    def direct_choices(self, prompt: Prompt) -> tuple[Choice, ...]:
        """The answers to an open offer whose letters mean nothing else at the moment.

        Yes, no, hit and miss always do. In a question for people, a label only has to differ from the options' keys.
        """
        acts = {self.key_of(option) for option in self._table.options()}
        used_keys = acts | self._names.of_fight
        return tuple(
            choice
            for choice in prompt.choices
            if choice.key in MEANINGS or (choice.key and choice.key not in (acts if choice.who else used_keys))
        )

    def explain_enter(self) -> str:
        """Say that nothing is open for Enter, and what to press instead."""
        table = self._table
        if table.state.status == "closed":
            return f"The fight is over; {self._names.label('fight.undo')} reopens it"
        place = table.likely_option()
        option = table.options()[place] if place is not None else None
        act = f"{self.key_of(option)}: {option.label}; " if option is not None else ""
        return f"Done. {act}{self._names.label('fight.next')}: {table.call().words}"

    def explain_key(self, pressed_key: str) -> str:
        """Why a key does nothing now."""
        state, system = self._table.state, self._table.system
        actions = [
            action for action, key in system.option_keys.items() if self._names.option(action, key) == pressed_key
        ]
        words = self._names.means_nothing(pressed_key)
        if actions and state.status == "closed":
            words = self.explain_enter()
        combatant = next((each for each in state.combatants.values() if each.label == pressed_key), None)
        if combatant is not None:
            select = self._names.label("fight.select-label")
            words = f"no target to choose now; {select} {pressed_key} selects {combatant.name}"
        return why_not_now(system, state, self._table.selected, actions) or words
