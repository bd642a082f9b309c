"""The content of the help screen: the keys in force, and the rules of the running phase. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fightcall.actions import OPTION, SCOPES, KeyNames, Scope, actions_of
from fightcall.guide import Page
from fightcall.paint.layout import wrap
from fightcall.paint.runs import Row, Run, clean, fit, width

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option, Trail
    from fightcall_engine.model.state import FightState

_MOST_KEYS = 24
"""The most cells for keys."""


class Line(NamedTuple):
    """One line of help.

    Attributes:
        kind: ``heading``, ``key``, ``rule`` or ``text``.
        left: the keys, or a rule's id.
        text: what they do, or what it says.
        more: the action's id in the key map.
    """

    kind: str
    left: str
    text: str
    more: str = ""


def key_lines(scope: Scope, names: KeyNames) -> list[Line]:
    """The keys of one scope by group."""
    lines: list[Line] = []
    group = ""
    for action in actions_of(scope):
        if action.group != group:
            group = action.group
            lines.append(Line("heading", "", group))
        keys = "  ".join(names.labels(action.id))
        lines.append(Line("key", keys, action.tooltip, action.id))
    return lines


def rule_lines(state: FightState, system: BaseSystem) -> list[Line]:
    """The rules of the running phase, the most useful first, and the present reminders."""
    rules = system.rules()
    phase = system.words(state.settings).phases.get(state.phase, state.phase)
    heading = f"{system.title}: {phase}" if phase else f"{system.title}: before the first {_round(state, system)}"
    lines = [Line("heading", "", heading)]
    lines += [Line("rule", rule, rules.get(rule, "")) for rule in system.phase_rules(state.phase)]
    reminders = system.reminders(state)
    if reminders:
        lines.append(Line("heading", "", "Reminders"))
        lines += [Line("text", "", reminder) for reminder in reminders]
    return lines


def _round(state: FightState, system: BaseSystem) -> str:
    return system.words(state.settings).round


def all_rule_lines(system: BaseSystem) -> list[Line]:
    """Every rule of a system."""
    return [
        Line("heading", "", f"{system.title}: all rules"),
        *(Line("rule", rule, text) for rule, text in system.rules().items()),
    ]


def trail_lines(system: BaseSystem, name: str, trails: Iterable[Trail], refused_rule: str, message: str) -> list[Line]:
    """The reason of the last refusal, and the explanations of a combatant's numbers, part by part."""
    lines: list[Line] = []
    if refused_rule:
        lines += [Line("heading", "", "Why not"), Line("text", "", message)]
        lines += (
            [Line("rule", refused_rule, system.rules().get(refused_rule, ""))] if refused_rule in system.rules() else []
        )
    trail_list = tuple(trails)
    if trail_list:
        lines.append(Line("heading", "", f"{name}: how the numbers are calculated"))
    for trail in trail_list:
        lines.append(Line("key", trail.subject.replace("_", " "), trail.total))
        lines += [
            Line("rule", part.rule, f"  {': '.join(filter(None, (part.label, part.value)))}") for part in trail.parts
        ]
    return lines


def option_lines(state: FightState, system: BaseSystem, names: KeyNames) -> list[Line]:
    """The keys of the options that anybody has in the running phase."""
    by_action: dict[str, Option] = {}
    for combatant_id in state.combatants:
        for option in system.options(state, combatant_id):
            known = by_action.get(option.action)
            if known is None or (option.legal and not known.legal):
                by_action[option.action] = option
    lines: list[Line] = []
    for option in by_action.values():
        key = names.option(option.action, option.key)
        if key:
            cost = f" ({option.cost})" if option.cost else ""
            rule = f"  {option.rule}" if option.rule else ""
            lines.append(Line("key", key, f"{option.label}{cost}{rule}", OPTION + option.action))
    return [Line("heading", "", "What you can do now"), *lines] if lines else []


def help_lines(
    scope: Scope, names: KeyNames, fight: tuple[FightState, BaseSystem] | None, why: Sequence[Line] = ()
) -> list[Line]:
    """All lines of the first page: the keys, the rules of the running phase, then all rules.

    Args:
        scope: the screen's scope.
        names: the keys in force.
        fight: the (state, system) of its fight, if there is one.
        why: explanations to show first, followed by the rules of the running phase.
    """
    here = rule_lines(*fight) if fight is not None else []
    lines = [*why, *here] if why else []
    if fight is not None and scope == "fight":
        lines += option_lines(*fight, names)
    lines.append(Line("title", "", SCOPES[scope]))
    lines += key_lines(scope, names)
    beside: dict[Scope, tuple[Scope, ...]] = {"fight": ("flow",), "setup": ("form",)}
    for other in (*beside.get(scope, ()), "everywhere"):
        lines += key_lines(other, names)
    if fight is not None:
        lines += [*([] if why else here), *all_rule_lines(fight[1])]
    return lines


def guide_lines(pages: Iterable[Page]) -> list[Line]:
    """The paragraphs of pages of the guide, under their headings."""
    lines: list[Line] = []
    for page in pages:
        under = ""
        for heading, text in page.parts():
            if heading != under:
                under = heading
                lines.append(Line("heading", "", f"{page.title}: {heading}"))
            lines.append(Line("text", "", text))
    return lines


def search_lines(lines: Sequence[Line], words: str) -> list[Line]:
    """The lines that contain all words, under their headings."""
    search_words = words.casefold().split()
    matches: list[Line] = []
    heading: Line | None = None
    for line in lines:
        if line.kind in ("heading", "title"):
            heading = line
            continue
        text = " ".join((line.left, line.text, line.more)).casefold()
        if all(word in text for word in search_words):
            if heading is not None:
                matches.append(heading)
                heading = None
            matches.append(line)
    return matches


def help_rows(lines: Iterable[Line], cells: int) -> tuple[Row, ...]:
    """The lines as rows, wrapped."""
    lines = tuple(lines)
    rows: list[Row] = []
    left = min(_MOST_KEYS, cells // 3, max((width(line.left) for line in lines), default=0) + 1)
    for line in lines:
        if line.kind in ("heading", "title"):
            style = "title" if line.kind == "title" else "help.heading"
            rows += [(), (Run(f" {clean(line.text)}", style),)]
            continue
        room = max(8, cells - left - 3)
        mark = {"key": "help.key", "rule": "explain.rule"}.get(line.kind, "help.text")
        for number, text in enumerate(wrap(line.text, room)):
            head = fit(line.left, left) if number == 0 else " " * left
            rows.append((Run("  ", "text"), Run(head, mark), Run(f" {text}", "help.text")))
    return tuple(rows)
