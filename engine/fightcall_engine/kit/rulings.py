"""What the rulings of every system have in common: their record, the values they take, and finding the one meant."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Scalar

Ruling = Callable[[Decision, Rule], ev.Events]
_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def record_ruling(rule: str, question: str, choice: object, note: str = "") -> ev.RulingRecorded:
    """The record of a ruling that no prompt asked for."""
    return ev.RulingRecorded(rule=rule, question=question, choice=str(choice), note=note)


def truth(rule: str, value: Scalar) -> bool:
    """Yes or no, in whatever words; yes where nothing is said.

    Raises:
        Refused: it is neither.
    """
    if value is None or value is True or (isinstance(value, str) and value in _YES):
        return True
    if value is False or (isinstance(value, str) and value in _NO):
        return False
    raise Refused(rule, f"{value!r} is neither yes nor no", ("true", "false"), final=True)


def whole(rule: str, value: Scalar, least: int, what: str) -> int:
    """A whole number, `least` or more.

    Raises:
        Refused: it is none; says what it should have been.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Refused(rule, f"{value!r} is no {what}", (f"a whole number, {least} or more",), final=True)
    return value


def carry_out(rulings: Mapping[str, Ruling], name: str, decision: Decision, command: Rule) -> ev.Events:
    """Carry out the ruling of this name.

    Raises:
        Refused: there is none; lists the open questions and what can be ruled on.
    """
    state = decision.state
    ruling = rulings.get(name)
    if ruling is None:
        open_kinds = tuple(prompt.kind for prompt in state.prompts)
        raise Refused("what", f"no ruling {command.what!r}", (*open_kinds, *rulings), final=True)
    return ruling(decision, command)
