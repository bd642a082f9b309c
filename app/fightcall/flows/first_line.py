"""The first line of the call bar: the last message or refusal, else what was done or undone last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.base import accepted_words, with_rule
from fightcall.paint.call_bar import Happened
from fightcall.table import NOT_SAVED, Outcome

if TYPE_CHECKING:
    from fightcall.flows.foot import Tone
    from fightcall.flows.keys import KeysInForce


class FirstLine:
    """The content of the first line.

    Args:
        names: the keys in force.
        happened: what was done or undone last.
        name_key: adds its key to an alternative of a refusal.
        rule_words: a rule's title and id.

    Attributes:
        outcome: the outcome of the last command.
        message: the message; empty for none.
        tone: the tone of the message.
    """

    def __init__(
        self, names: KeysInForce, happened: Happened, name_key: Callable[[str], str], rule_words: Callable[[str], str]
    ) -> None:
        self.happened = happened
        self.outcome = Outcome(True)
        self.message = ""
        self.tone: Tone = "info"
        self._is_outcome = False
        self._names, self._name_key, self._rule_words = names, name_key, rule_words

    def say(self, message: str, tone: Tone) -> None:
        """Show a message until the next key."""
        self.message, self.tone, self._is_outcome = message, tone, message == self.outcome.message

    def forget(self) -> None:
        """Clear the message, so that the line shows what was done last."""
        self.message, self.tone = "", "info"

    @property
    def is_refused(self) -> bool:
        """Whether the message is a refusal."""
        return self.tone == "error" and bool(self.message)

    def view(self, *, is_undo_offered: bool) -> Happened:
        """The line as it is drawn. `undo` is the undo key if it works now."""
        if not self.message:
            return self.happened if is_undo_offered else replace(self.happened, hint="")
        if self.is_refused:
            return Happened(self.refusal_words(self.outcome) if self._is_outcome else self.message, "refused")
        return Happened(self.message, "warn" if self.tone == "warn" else "note")

    def refusal_words(self, outcome: Outcome) -> str:
        """A refusal in words, with its alternatives, and the key that overrides it."""
        accepts = tuple(dict.fromkeys(map(self._name_key, outcome.accepts)))
        instead = f"   accepted: {accepted_words(accepts)}" if accepts else ""
        ruling = f"   {self._names.label('fight.rule')} overrides it" if outcome.overridable else ""
        refusal = with_rule(outcome.message, self._rule_words(outcome.rule))
        is_unsaved = outcome.rule == NOT_SAVED
        elsewhere = f"   {self._names.label('fight.leave')} can save the fight elsewhere" if is_unsaved else ""
        return f"{refusal}{instead}{ruling}{elsewhere}"
