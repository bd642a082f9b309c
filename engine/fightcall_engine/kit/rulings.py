"""The event of a ruling, and reading the values that rulings take."""

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.model.state import Scalar

_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def record_ruling(rule: str, question: str, choice: object, note: str = "") -> RulingRecorded:
    """The event of a ruling that no prompt asked for.

    Args:
        rule: its id.
        question: what was ruled on: a noun, a question with its mark, or a statement that is true or not.
        choice: what was ruled; of a statement, whether it is true.
        note: what the GM said about it.
    """
    words = ("no", "yes")[choice] if isinstance(choice, bool) else str(choice)
    return RulingRecorded(rule=rule, question=question, choice=words, note=note)


def read_flag(rule: str, value: Scalar) -> bool:
    """A value as yes or no; yes if it is left out.

    Raises:
        Refused: it is neither.
    """
    if value is None or value is True or (isinstance(value, str) and value in _YES):
        return True
    if value is False or (isinstance(value, str) and value in _NO):
        return False
    raise Refused(rule, f"{value!r} isn't yes or no", ("true", "false"), final=True)


def whole(rule: str, value: Scalar, least: int, what: str) -> int:
    """A value as a whole number of at least `least`.

    Raises:
        Refused: it is not one; says what would be accepted.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Refused(rule, f"{value!r} isn't a {what}", (f"a whole number, {least} or more",), final=True)
    return value
