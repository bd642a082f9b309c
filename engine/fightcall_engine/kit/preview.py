"""The preview of a command: what it needs, its obstacles, its rolls, and the questions after it.

The engine tries the command out with the checks and sums that decide it, without rolling. The result is a `Preview`, a
few rows that a screen can show as they are. A system adds rows of its own in `BaseSystem.preview`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fightcall_engine.kit.checks import ANOTHER_TARGET, Check, Referee
from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.movement import line_to
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.errors import Accepted, FieldValue, Refused, RollNeeded, RulingWanted
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.model.values import field_names, frozen

HITS = "hits"
"""The name of the row with those whom an act at a place concerns. It is shown while the cursor moves."""
OK, BROKEN, INFO = "ok", "broken", "info"
"""The prefix of an alternative that is a ruling of the name after it."""


@frozen
class Remedy:
    """A way to remove an obstacle to a command.

    Attributes:
        label: the remedy in words.
        key: the key of the option that does it; empty for none.
        action: that option, by its `Option.action`.
        field: the field of the command to change, such as ``target``; empty for none.
        value: the new value of that field or setting.
        setting: the setting of the fight to change; empty for none.
        prompt: the id of the open question to answer with `value`; empty for none.
    """

    label: str
    key: str = ""
    action: str = ""
    field: str = ""
    value: Scalar = None
    setting: str = ""
    prompt: str = ""


@frozen
class Row:
    """A line of a preview.

    Attributes:
        name: the subject in a word, such as ``reach``.
        text: the description.
        detail: the result, such as ``in reach``.
        status: ``ok``, ``broken`` for an obstacle, ``info`` for neither.
        rule: the rule behind it.
        remedies: ways to remove the obstacle, or to supply a missing value.
        dice: the dice expression of the roll that is due; empty for none.
        purpose: the key of that roll in ``rolls``.
        who: the id of the combatant who rolls.
        number: the meaning of typed digits other than dice, such as ``damage``.
        proposed: the default.
        field: the field of the command that the row is about, so that a screen can edit it in the row.
        prompt: the id of the open question that the row shows.
        why: the explanation of its number.
    """

    name: str
    text: str
    detail: str = ""
    status: str = INFO
    rule: str = ""
    remedies: tuple[Remedy, ...] = ()
    dice: str = ""
    purpose: str = ""
    who: str = ""
    number: str = ""
    proposed: str = ""
    field: str = ""
    prompt: str = ""
    why: str = ""


@frozen
class Preview:
    """A preview of a command.

    Attributes:
        title: actor, act and target.
        actor_id: the id of the actor; empty for none.
        target_id: the id of the target; empty for none.
        due: when it is resolved, if later; empty for now.
        rows: the rows in the order of reading.
        can_run: whether the command would be carried out once its dice are rolled.
    """

    title: str
    actor_id: str = ""
    target_id: str = ""
    due: str = ""
    rows: tuple[Row, ...] = ()
    can_run: bool = True


@frozen
class Trial:
    """The result of trying out a command, up to its first roll.

    Attributes:
        broken: the checks that do not hold, in order.
        final: whether not even the GM can override them.
        owed: the first roll; None if there is none.
        asked: the questions that it opens.
    """

    broken: tuple[Check, ...] = ()
    final: bool = False
    owed: RollNeeded | None = None
    asked: tuple[Prompt, ...] = ()


class CollectingReferee(Referee):
    """The referee of a trial: it collects broken checks, and lets the trial go on as if they held."""

    def __init__(self, command: str, combatant_id: str, *, out_of_turn: bool = False) -> None:
        super().__init__(command, combatant_id, force=True, out_of_turn=out_of_turn)
        self.broken: list[Check] = []

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted, is_turn: bool = False) -> None:
        """Collect a check that does not hold."""
        super().require(holds, rule, message, *accepts, is_turn=is_turn)
        if not holds and not self.allows_turn(is_turn):
            self.add(Check(False, rule, message, accepts))

    def refuse(self, no: Refused) -> None:
        """Collect the refusal that ended the trial."""
        self.add(Check(False, no.rule, no.message, no.alternatives))

    def add(self, check: Check) -> None:
        """Collect a broken check, unless it has been collected before."""
        if check not in self.broken:
            self.broken.append(check)


def text_field(command: Command, name: str) -> str:
    """A string field of a command, such as ``who``; empty if it has no such field, or no value in it."""
    value = getattr(command, name) if name in field_names(type(command)) else ""
    return value if isinstance(value, str) else ""


def plain_preview(state: FightState, command: Command, trial: Trial, options: Sequence[Option]) -> Preview:
    """The preview of any command of any system: broken checks, the first roll, and the questions it opens.

    Args:
        state: the fight.
        command: the command.
        trial: how it went when it was tried out.
        options: the options of its actor; remedies among them are shown with their keys.
    """
    actor_id, target_id = text_field(command, "who"), text_field(command, "target")
    at_target = f", {name_of(state, target_id)}" if target_id else ""
    deed = command.type.lower()
    title = f"{name_of(state, actor_id)}: {deed}{at_target}" if actor_id else f"{deed}{at_target}"
    rows = (
        *broken_rows(state, trial.broken, options),
        *((die_row(trial.owed),) if trial.owed else ()),
        *(question_row(prompt, name="then") for prompt in trial.asked),
    )
    return Preview(title, actor_id, target_id, rows=rows, can_run=can_run(command, trial))


def can_run(command: Command, trial: Trial) -> bool:
    """Whether the command would be carried out."""
    return not trial.broken or (command.force and not trial.final)


def broken_rows(state: FightState, broken: Iterable[Check], options: Sequence[Option]) -> tuple[Row, ...]:
    """A row for each broken check, with its remedies."""
    return tuple(broken_row(state, check, options) for check in broken)


def broken_row(state: FightState, check: Check, options: Sequence[Option], name: str = "against") -> Row:
    """The row of a broken check."""
    remedies = tuple(remedy_for(state, alternative, options) for alternative in check.accepts)
    return Row(name, check.message, status=BROKEN, rule=check.rule, remedies=remedies)


def remedy_for(state: FightState, alternative: Accepted, options: Sequence[Option]) -> Remedy:
    """An alternative as a remedy: another target, an option or an answer with its key, or just words."""
    if isinstance(alternative, FieldValue):
        field, value = alternative.field, alternative.value
        return Remedy(f"{field} {value}".replace("_", " ").lower(), field=field, value=value)
    if isinstance(alternative, RulingWanted):
        return Remedy(f"ruling: {alternative.name}".replace("_", " "), action=f"rule-{alternative.name}")
    if alternative == ANOTHER_TARGET:
        return Remedy(alternative, field="target")
    if alternative in state.combatants:
        return Remedy(state.combatants[alternative].name, field="target", value=alternative)
    words = alternative.replace("_", " ").lower()
    for option in options:
        if option.legal and words in (option.action.lower(), option.label.lower(), option.command.lower()):
            return Remedy(option.label, option.key, option.action)
    for prompt in state.prompts:
        for choice in prompt.choices:
            if choice.id == alternative and not choice.who:
                return Remedy(choice.label, choice.key, value=choice.id, prompt=prompt.id)
    return Remedy(alternative.replace("_", " "))


def die_row(roll: RollNeeded, text: str = "", *, name: str = "die", rule: str = "", field: str = "") -> Row:
    """The row of the roll that is due: digits type it, and Enter rolls it."""
    label = text or subject_of(roll.purpose).replace("_", " ")
    return Row(
        name,
        label,
        rule=rule,
        dice=roll.dice,
        purpose=roll.purpose,
        who=roll.who or "",
        proposed=f"roll {roll.dice}",
        field=field,
    )


def distance_row(state: FightState, actor_id: str, target_id: str, *, rule: str = "", cover: str = "") -> Row:
    """The row of the distance between two, and what blocks the line; `cover` is what that gives."""
    line = line_to(state, actor_id, target_id)
    if line.distance is None:
        missing = missing_distance(state, state.combatants[actor_id], state.combatants[target_id])
        return Row("line", missing, rule=rule, field="target")
    clear = "clear" if line.is_clear else f"{cover or 'blocked'} at {line.blocked_by}"
    return Row("line", line.apart, clear, rule=rule, field="target")


def missing_distance(state: FightState, actor: Combatant, target: Combatant) -> str:
    """Why the distance between two is unknown: there is no board, or one of them is not on it."""
    absent = next((combatant.name for combatant in (actor, target) if combatant.at is None), "")
    reason = f"{absent} is not on the board" if absent and state.board is not None else "no board"
    return f"{reason}: the table judges it"


def health_after(target: Combatant, pool: str) -> str:
    """What is left of a combatant's pool, as the detail of a row; empty if there is no such pool."""
    points = target.pools.get(pool)
    return f"{target.name} has {points.now} of {points.max}" if points is not None else ""


def question_row(prompt: Prompt, name: str = "") -> Row:
    """The row of a question that is open, or that a command would open."""
    default = next((choice.label for choice in prompt.choices if choice.id == prompt.default), prompt.default)
    return Row(
        name or prompt.kind.replace("_", " "),
        prompt.question,
        rule=prompt.rule,
        dice=prompt.dice,
        purpose=prompt.purpose,
        who=prompt.who,
        number=prompt.amount,
        proposed=default,
        prompt=prompt.id,
    )


def with_rows(preview: Preview, rows: Iterable[Row], title: str = "") -> Preview:
    """The preview with a system's own rows before those of the trial.

    A row of the system replaces that of a broken check of the same rule, so that each obstacle is shown once, in the
    system's place for it.
    """
    broken = {row.rule: row for row in preview.rows if row.status == BROKEN}
    unsaid = dict(broken)
    merged_rows = [_merge_rows(row, unsaid.pop(row.rule, None)) for row in rows]
    reasons = [broken[row.rule] for row in merged_rows if row.status == BROKEN]
    purposes = {row.purpose for row in merged_rows if row.purpose}
    rest = [row for row in preview.rows if row not in reasons and not (row.purpose and row.purpose in purposes)]
    return replace(preview, title=title or preview.title, rows=(*merged_rows, *rest))


def _merge_rows(row: Row, counterpart: Row | None) -> Row:
    if counterpart is None or not row.rule:
        return row
    return replace(row, status=BROKEN, detail=counterpart.text, remedies=row.remedies or counterpart.remedies)


def together(state: FightState, each: Sequence[Preview]) -> Preview:
    """The previews of several combatants' commands as one: shared rows are shown once, and each has its own roll."""
    first = each[0]
    shared_rows = tuple(row for row in first.rows if not row.purpose and all(row in other.rows for other in each))
    member_rows = [row for preview in each for row in _member_rows(state, preview, shared_rows)]
    return replace(first, rows=(*shared_rows, *member_rows), can_run=all(preview.can_run for preview in each))


def _member_rows(state: FightState, preview: Preview, shared_rows: tuple[Row, ...]) -> Iterator[Row]:
    """The rows of one of several: its roll, with the rows that differ beside it, and its broken checks."""
    name, ending = name_of(state, preview.actor_id), f".{preview.actor_id}"
    different_rows = [row for row in preview.rows if row not in shared_rows]
    other_text = ", ".join(" ".join(filter(None, (row.text, row.detail))) for row in different_rows if _is_aside(row))
    for row in different_rows:
        if row.status == BROKEN:
            yield replace(row, name=name)
        elif row.purpose:
            purpose = row.purpose if row.purpose.endswith(ending) else f"{row.purpose}{ending}"
            yield replace(row, name=name, purpose=purpose, detail=row.detail or other_text)
        elif row.prompt or row.number:
            yield replace(row, name=name)


def _is_aside(row: Row) -> bool:
    """True for a row that is only information: no roll, no question, no obstacle."""
    return row.status != BROKEN and not (row.purpose or row.prompt or row.number)
