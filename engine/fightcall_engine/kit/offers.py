"""Making options from the checks of their command."""

from collections.abc import Iterable, Mapping

from fightcall_engine.kit.checks import Check, first_broken
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.state import Scalar


def offer(
    action: str,
    label: str,
    command: str,
    key: str,
    checks: Iterable[Check],
    *,
    cost: str = "",
    rule: str = "",
    fixed: Mapping[str, Scalar] | None = None,
    inputs: tuple[Input, ...] = (),
    details: tuple[Input, ...] = (),
) -> Option:
    """An option that is legal if all checks hold. Otherwise the first broken one says why not, and by which rule."""
    broken = first_broken(checks)
    return Option(
        action,
        label,
        command,
        key,
        cost,
        broken is None,
        broken.message if broken else "",
        broken.rule if broken else rule,
        fixed or {},
        inputs,
        details,
    )
