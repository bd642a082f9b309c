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


def whole(
    rule: str, value: Scalar, least: int, what: str, *, most: int | None = None, besides: tuple[str, ...] = ()
) -> int:
    """A value as a whole number from `least` to `most`; `besides` are other answers that a refusal lists.

    Raises:
        Refused: it is not one; says what would be accepted.
    """
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= (value if most is None else most):
        return value
    numbers = f"a whole number, {least} or more" if most is None else f"{least} to {most}"
    raise Refused(rule, f"{value!r} isn't a {what}", (numbers, *besides), final=True)
