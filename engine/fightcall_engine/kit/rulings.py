"""What the rulings of every system have in common: their record and the values they take."""

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.model.state import Scalar

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def record_ruling(rule: str, question: str, choice: object, note: str = "") -> RulingRecorded:
    """The record of a ruling that no prompt asked for."""
    return RulingRecorded(rule=rule, question=question, choice=str(choice), note=note)


def read_flag(rule: str, value: Scalar) -> bool:
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
