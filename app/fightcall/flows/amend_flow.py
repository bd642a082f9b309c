"""Amending the fight: change an entry, strike it out, or insert a change before it; then show the consequences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fightcall.flows import toolbox
from fightcall.flows.base import STAY, Become, Flow, Overlay, Reply, Say, Travel
from fightcall.flows.command_line import CommandLineFlow, value_of
from fightcall.flows.lists import Item, ListFlow, ListKey
from fightcall.flows.questions import Answers, AskFlow
from fightcall.flows.text_fields import TextField
from fightcall.paint.happening import entry_words, sentence
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give, Table
from fightcall_engine.archive.encounter import replace_path_by_text
from fightcall_engine.board.base import Location
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model.commands import ChangeRules, Command
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen
from fightcall_engine.play.amendments import Amendment, Difference, Edit, Replayed, change_command, dice_of
from fightcall_engine.play.codec import word_lists
from fightcall_engine.play.core_commands import people_fields
from fightcall_engine.play.timeline import Entry

LIKELY = ("amount", "value", "damage", "needs", "modifier", "rounds", "magnitude")
"""Fields that are changed most often, most likely first."""
MARKS = ("force", "alike")
"""Fields that say how a command is given, not what it does."""


@frozen
class _Field:
    """Something of an entry that can be changed: a field of its command, or a roll."""

    name: str
    value: Json
    is_die: bool = False

    @property
    def text(self) -> str:
        if self.value is None or self.value == "":
            return "-"
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, list | tuple) and all(isinstance(part, str | int) for part in self.value):
            return " ".join(map(str, self.value)) or "-"
        return json.dumps(self.value, ensure_ascii=False)

    def label_in(self, state: FightState) -> str:
        return f"die: {_roll_words(self.name, state)}" if self.is_die else self.name.replace("_", " ")

    def text_in(self, state: FightState) -> str:
        """The value on the screen, with the name of a combatant for the id."""
        combatant = state.combatants.get(self.text)
        return combatant.name if combatant is not None else self.text

    @property
    def is_set(self) -> bool:
        return self.is_die or (self.value not in (None, "", 0, False) and self.value != [] and self.value != {})


def _roll_words(purpose: str, state: FightState) -> str:
    """A roll by its subject and whose it is: ``check of Aldous Bray``; the second of a kind is ``check 2``."""
    words = subject_of(purpose).replace("_", " ")
    for part in purpose.split(".")[1:]:
        words += f" of {state.combatants[part].name}" if part in state.combatants else f" {part}"
    return words


# Changing an entry


def change_entry(table: Table, number: int) -> ListFlow:
    """The list of fields and rolls of an entry. A digit begins the new number of the marked one at once."""
    entry = _entry(table, number)
    fields, state = sorted(_fields_of(entry), key=lambda field: not field.is_set), table.state
    keys = {
        digit: ListKey("" if place else "new number", _digit_into(table, entry, fields, digit), "0-9")
        for place, digit in enumerate("0123456789")
    }
    items = [
        Item(
            lambda field=field: field.label_in(state),  # type: ignore[misc]
            lambda field=field: Become(_new_value(table, entry, field)),  # type: ignore[misc]
            number=field.text_in(state),
            tone="plain" if field.is_set else "quiet",
        )
        for field in fields
    ]
    title = f"Change #{number}: {entry_words(table.fight, number)}"
    return ListFlow(
        title,
        items,
        start=_likeliest(fields),
        keys=keys,
        empty="nothing in this entry can be changed",
        picks=("change", "changes it"),
    )


def _entry(table: Table, number: int) -> Entry:
    line = table.fight.line
    index = line.index_of(number)
    assert index is not None
    return line.entry(index)


def _fields_of(entry: Entry) -> Iterator[_Field]:
    for name, value in entry.command.items():
        if name not in ("type", "rolls", *MARKS):
            yield _Field(name, value)
    for die in dice_of(entry):
        yield _Field(die.purpose, list(die.faces), is_die=True)


def _likeliest(fields: Sequence[_Field]) -> int:
    """The index of the number most likely to be changed: a field with a value, else a roll."""
    for name in LIKELY:
        for place, field in enumerate(fields):
            if field.name == name and not field.is_die and field.is_set:
                return place
    return next((place for place, field in enumerate(fields) if field.is_die), 0)


def _digit_into(table: Table, entry: Entry, fields: Sequence[_Field], digit: str) -> Callable[[int], Reply]:
    def begin(place: int) -> Reply:
        flow = _new_value(table, entry, fields[place])
        flow.press(digit)
        return Become(flow)

    return begin


def _new_value(table: Table, entry: Entry, field: _Field) -> AskFlow:
    kind: type = table.kind_of(str(entry.command["type"]))
    people = tuple(table.state.combatants) if field.name in people_fields(kind) else ()
    label, text = field.label_in(table.state), field.text_in(table.state)
    value_field = TextField(f"#{entry.number} {label} from {text} to", suggestions=people)
    new_edits: list[Edit] = []

    def read_answer(answers: Answers) -> None:
        """Check the value before the field is done, so that it can be corrected."""
        try:
            new_edits[:] = [Edit(entry.number, instead=_change_command(table, entry, field, str(answers[0])))]
        except BadInput as bad:
            raise Refused(bad.where, "; ".join(bad.problems), final=True) from bad

    return AskFlow([value_field, read_answer], lambda answers: _preview(table, tuple(new_edits)))


def _change_command(table: Table, entry: Entry, field: _Field, text: str) -> Command:
    fight = table.fight
    if field.is_die:
        faces = [value_of(word) for word in text.replace(",", " ").split()]
        return change_command(fight.codec, fight.line, entry.number, {"rolls": {field.name: faces}})
    kind = fight.codec.command_kinds[str(entry.command["type"]).lower()]
    value: Json = text if field.name in word_lists(kind) else value_of(text)
    if isinstance(field.value, list | tuple | Mapping) and field.name not in word_lists(kind):
        value = _as_json(text)
    return replace_path_by_text(
        fight.system, change_command(fight.codec, fight.line, entry.number, {field.name: value}), Path()
    )


def _as_json(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _with(edits: tuple[Edit, ...], edit: Edit) -> tuple[Edit, ...]:
    """The edits with a new one. It replaces the one for the same entry, except for commands to insert before it.

    Forcing an entry keeps the command that it has now.
    """
    old = next((each for each in edits if each.entry == edit.entry), Edit(edit.entry))
    others = tuple(each for each in edits if each.entry != edit.entry)
    instead = edit.instead or (old.instead if edit.is_forced else None)
    return (*others, replace(edit, before=(*old.before, *edit.before), instead=instead))


def strike_entry(table: Table, number: int) -> Reply:
    """Strike out an entry."""
    return _preview(table, (Edit(number, is_struck=True),))


# Putting something in


class CaptureFlow:
    """A wrapper of a flow that captures its command instead of giving it."""

    def __init__(self, inner: Flow, then: Callable[[Give], Reply]) -> None:
        self._inner, self._then = inner, then

    @property
    def is_typing(self) -> bool:
        return self._inner.is_typing

    @property
    def call_words(self) -> str:
        return self._inner.call_words

    def view(self) -> PromptView:
        return self._inner.view()

    def overlay(self) -> Overlay:
        return self._inner.overlay()

    def press(self, key: str) -> Reply:
        return self._hand_on(self._inner.press(key))

    def point(self, place: Location) -> Reply:
        return self._hand_on(self._inner.point(place))

    def pick(self, combatant_id: str) -> Reply:
        return self._hand_on(self._inner.pick(combatant_id))

    def complain(self, what: str) -> None:
        self._inner.complain(what)

    def _hand_on(self, reply: Reply) -> Reply:
        return self._then(reply) if isinstance(reply, Give) else reply


def _capture(table: Table, inner: Flow, then: Callable[[Command], Reply]) -> CaptureFlow:
    fight = table.fight

    def hand_on(request: Give) -> Reply:
        data = {
            **request.data,
            **({"force": True} if request.force else {}),
            **({"alike": True} if request.alike else {}),
        }
        try:
            return then(replace_path_by_text(fight.system, fight.codec.command(request.command, data), Path()))
        except (Refused, BadInput) as no:
            inner.complain(str(no))
            return STAY

    return CaptureFlow(inner, hand_on)


def put_in_before(table: Table, number: int) -> Flow:
    """Change a number or a word by the GM's hand, as if it had been done before an entry."""
    line = table.fight.line
    index = line.index_of(number)
    assert index is not None
    state = line.seek(line.span(index)[0])
    inner = toolbox.adjust(state, table.selected if table.selected in state.combatants else "")
    return _capture(table, inner, lambda command: _preview(table, (Edit(number, before=(command,)),)))


# Other rules


def change_rules(table: Table) -> Reply:
    """Read the file of the game again, and choose whether its rules hold from now on or from the beginning."""
    try:
        command = replace_path_by_text(table.system, ChangeRules(), Path())
    except BadInput as bad:
        mistakes = [Item(lambda each=each: each, lambda: STAY) for each in bad.problems]  # type: ignore[misc]
        return Become(ListFlow(f"{Path(bad.where).name} has mistakes", mistakes))
    if command == ChangeRules(text=table.state.rules_text):
        return Say("The file hasn't changed since the fight read it")
    data = {name: value for name, value in command_json(command).items() if name != "type"}
    items = [Item(lambda: "from now on", lambda: Give("ChangeRules", data))]
    if table.fight.line.entry_count():
        first = table.fight.line.entry(0).number
        show = partial(_preview, table, (Edit(first, before=(command,)),))
        explain = "Shows what comes out differently before anything changes"
        items.append(Item(lambda: "from the beginning: show what changes", show, explain=explain))
    return Become(ListFlow("Use the changed rules", items))


# What comes of it


def _preview(table: Table, edits: tuple[Edit, ...]) -> Reply:
    try:
        return Become(show_amendment(table, table.fight.amend(edits)))
    except Refused as no:
        return Say(no.message)


def show_amendment(table: Table, amendment: Amendment) -> ListFlow:
    """What comes out differently: Enter on the first row takes it all, Escape leaves everything as it is."""
    refused_rows, later_rows = _replayed_rows(table, amendment)
    count = sum(each.fate != "same" for each in amendment.replayed)
    changes = "entry changes" if count == 1 else "entries change"
    summary = "nothing changes" if amendment.is_idle else f"{count} {changes}"
    refused_count = len(amendment.refused)
    refused_text = f", {refused_count} no longer possible" if refused_count else ""
    message = "Changed. The old line is kept as a branch" if not amendment.is_idle else "Nothing has changed"
    back = None if amendment.is_idle else table.way_back()
    take = Item(
        lambda: f"accept: {summary}{refused_text}",
        lambda: Travel(lambda: table.fight.adopt(amendment), message, back=back),
        tone="named",
    )
    ends = difference_items(amendment.differences, "At the end: before, now")
    return ListFlow("Change the past", [take, *refused_rows, *ends, *later_rows])


def difference_items(
    differences: Sequence[Difference], group: str, pick: Callable[[], Reply] = lambda: STAY
) -> list[Item]:
    """A row for each thing that differs, with how it is then and now."""
    if not differences:
        return [Item(lambda: "no differences", pick, tone="quiet", group=group)]
    return [
        Item(
            lambda each=each: f"{each.name} {each.what}".strip(),  # type: ignore[misc]
            pick,
            number=f"{each.then} → {each.now}",
            group=group,
        )
        for each in differences
    ]


def comparison(title: str, differences: Sequence[Difference], go: Callable[[], Reply]) -> ListFlow:
    """Two branches side by side; Enter goes to the other one."""
    return ListFlow(title, difference_items(differences, "Here and there", go), picks=("go there", "goes there"))


def _replayed_rows(table: Table, amendment: Amendment) -> tuple[list[Item], list[Item]]:
    state = amendment.start
    refused_items: list[Item] = []
    later: list[Item] = []
    for each in amendment.replayed:
        before, state = state, fold_all(state, each.events)
        pick = _choose(table, amendment, each)
        if each.fate == "refused":
            label = f"{_refused_words(table, each, before)}. {each.why[:1].upper()}{each.why[1:]}"
            rule = "" if each.rule.islower() else each.rule
            item = Item(lambda label=label: label, pick, f"#{each.entry}", rule)  # type: ignore[misc]
            accepts = f"accepted: {', '.join(each.accepts)}" if each.accepts else ""
            refused_items.append(replace(item, group="No longer possible", explain=accepts))
        elif each.fate != "same":
            number = "" if each.fate == "added" else f"#{each.entry}"
            words = partial(_then_and_now, table, each, before)
            later.append(Item(words, pick, number, group="Different results", explain=each.why))
    return refused_items, later


def _then_and_now(table: Table, each: Replayed, before: FightState) -> str:
    then = "" if each.fate == "added" else entry_words(table.fight, each.entry)
    now = sentence(system_of(before), before, each.events).text if each.events else "nothing"
    if now == then and not each.dice:
        return f"{then} (some details differ)"
    if each.fate in ("added", "left out"):
        return f"inserted: {now}" if each.fate == "added" else f"left out: {then}"
    dice = "; ".join(f"{_roll_words(die.what, before)} {die.then} → {die.now}" for die in each.dice)
    return f"{then}. Now: {now}" + (f" ({dice})" if dice else "")


def _refused_words(table: Table, each: Replayed, state: FightState) -> str:
    if each.command == _entry(table, each.entry).command:
        return entry_words(table.fight, each.entry)
    combatant_id = each.command.get("who")
    combatant = state.combatants.get(combatant_id) if isinstance(combatant_id, str) else None
    return f"{each.command['type']} {combatant.name if combatant is not None else combatant_id or ''}".strip()


def _choose(table: Table, amendment: Amendment, each: Replayed) -> Callable[[], Reply]:
    return lambda: Become(choices_for(table, amendment, each))


def choices_for(table: Table, amendment: Amendment, each: Replayed) -> ListFlow:
    """What is to become of an entry that cannot be given as it was: left out, forced, or another command."""
    edits = amendment.edits

    def with_edit(edit: Edit) -> Reply:
        return _preview(table, _with(edits, edit))

    def typed(make: Callable[[Command], Edit]) -> Callable[[], Reply]:
        state = _state_before(amendment, each)
        line = CommandLineFlow(state, table.fight.codec)
        return lambda: Become(_capture(table, line, lambda command: with_edit(make(command))))

    number = each.entry
    items = [
        Item(lambda: "leave it out", lambda: with_edit(Edit(number, is_struck=True))),
        Item(lambda: "override the rule", lambda: with_edit(Edit(number, is_forced=True)), rule=each.rule),
        Item(lambda: "replace it with another command", typed(lambda command: Edit(number, instead=command))),
        Item(lambda: "insert a command before it", typed(lambda command: Edit(number, before=(command,)))),
        Item(lambda: "back to the changes", lambda: Become(show_amendment(table, amendment))),
    ]
    why = f": {each.why}" if each.why else ""
    return ListFlow(f"#{number}{why}", items)


def _state_before(amendment: Amendment, replay: Replayed) -> FightState:
    state = amendment.start
    for each in amendment.replayed:
        if each is replay:
            break
        state = fold_all(state, each.events)
    return state
