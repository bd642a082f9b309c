"""Which flow a key begins: the options of a combatant, the lists, the short ways. Pure: a table in, a flow out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fightcall_engine import describe
from fightcall_engine.errors import Refused
from fightcall_engine.state import Json
from fightcall_engine.system import Option, Trail

from fightcall.flows.acting import OptionFlow
from fightcall.flows.answering import AnswerFlow
from fightcall.flows.base import Become, Call, Flow, Give, Stay, Turn
from fightcall.flows.lists import Item, ListFlow

if TYPE_CHECKING:
    from fightcall.table import Table

LONGEST_HISTORY = 400


def option(table: Table, wanted: Option) -> Turn:
    """Begin what an option offers, or give its command at once where it needs nothing."""
    flow = OptionFlow(table.state, table.system, wanted, table.selected)
    begun = flow.start()
    return Become(flow) if isinstance(begun, Stay) else begun


def _item(table: Table, wanted: Option, text: str) -> Item:
    remark = wanted.cost if wanted.legal else f"{wanted.rule}: {wanted.why}"
    return Item(text, remark, lambda: option(table, wanted))


def any_action(table: Table) -> Flow:
    """Everything the selected combatant can do, and greyed what not and why."""
    options = sorted(table.options(), key=lambda one: not one.legal)
    name = table.state.combatants[table.selected].name if table.selected else "nobody"
    return ListFlow(f"{name}", [_item(table, one, one.label) for one in options])


def rulings(table: Table) -> Flow:
    """What the GM may rule on now; an open question first."""
    items = [Item(prompt.question, prompt.rule, _answering(table, prompt.id)) for prompt in table.state.prompts]
    found = sorted(table.system.rulings(table.state, table.selected), key=lambda one: not one.legal)
    items += [_item(table, one, one.label) for one in found]
    items += [_setting(table, key) for key in table.state.settings]
    return ListFlow("Ruling", items)


def _answering(table: Table, prompt_id: str) -> Callable[[], Turn]:
    def pick() -> Turn:
        flow = answer(table, prompt_id)
        return Become(flow) if flow is not None else Stay()

    return pick


def _setting(table: Table, key: str) -> Item:
    setting = next(one for one in table.system.settings if one.key == key)
    value = table.state.settings[key]
    choices = setting.choices
    if not choices:
        return Item(f"setting {key}: {value}", setting.rule, lambda: _typed_setting(key, value))
    at = choices.index(value) if value in choices else -1
    after = choices[(at + 1) % len(choices)]
    give = Give("Configure", {"setting": key, "value": after})
    return Item(f"setting {key}: {value} → {after}", setting.rule, lambda: give)


def _typed_setting(key: str, value: Json) -> Turn:
    from fightcall.flows.fields import NumberField, TextField
    from fightcall.flows.quick import AskFlow

    decimals = isinstance(value, float)
    number = isinstance(value, int | float)
    field = NumberField(key, default=str(value), decimals=decimals) if number else TextField(key, default=str(value))

    def done(values: list[Json]) -> Turn:
        typed = values[0]
        return Give(
            "Configure", {"setting": key, "value": float(typed) if decimals and isinstance(typed, int) else typed}
        )

    return Become(AskFlow([field], done))


def answer(table: Table, prompt_id: str) -> AnswerFlow | None:
    """Answer an open prompt."""
    prompt = table.state.prompt(prompt_id)
    if prompt is None:
        return None
    one = table.state.combatants.get(prompt.who)
    return AnswerFlow(prompt, one.at if one else None, len(table.state.prompts) - 1)


def history(table: Table) -> Flow:
    """The entries so far, newest first: pick one to go back to just after it."""
    line = table.fight.line
    items = []
    for index in range(line.entry_count() - 1, max(-1, line.entry_count() - 1 - LONGEST_HISTORY), -1):
        entry = line.entry(index)
        told = next(
            (said for said in (describe.phrase(table.system, one, table.state) for one in entry.events) if said), None
        )
        text = told.text.strip() if told else str(entry.command.get("type"))
        items.append(Item(f"#{entry.number} {text}", "", _jump(entry.number)))
    items.append(Item("the beginning", "", _jump(0)))
    for mark in reversed(table.fight.marks):
        items.append(Item(f"bookmark: {mark.name}", f"#{mark.on}", _jump(mark.on)))
    for branch in table.fight.branches():
        items.append(
            Item(f"another line of play: {branch.length} entries", f"parts at #{branch.parted}", _jump(branch.tip))
        )
    return ListFlow("Go back to just after", items)


def _jump(number: int) -> Callable[[], Turn]:
    return lambda: Call("jump", str(number))


def subjects(table: Table, who: str) -> tuple[str, ...]:
    """What can be explained about a combatant."""
    try:
        table.fight.explain(who, "")
    except Refused as no:
        return no.accepts
    return ()


def trails(table: Table) -> tuple[str, tuple[Trail, ...]]:
    """The selected combatant's name, and where each of its numbers comes from."""
    one = table.state.combatants.get(table.selected)
    if one is None:
        return "", ()
    return one.name, tuple(table.fight.explain(one.id, subject) for subject in subjects(table, one.id))


def repeated(table: Table) -> Give | None:
    """The last command again: a strike or an act by the selected combatant, harm or an effect on the next target."""
    last = table.last
    if last is None:
        return None
    data = dict(last.data)
    who = data.get("who")
    if last.command in ("Damage", "Heal", "AddEffect") and isinstance(who, str):
        side = table.state.combatants[who].side if who in table.state.combatants else ""
        ring = [one for one in table.ordered() if table.state.combatants[one].side == side]
        if who not in ring:
            return None
        after = ring[(ring.index(who) + 1) % len(ring)]
        return Give(last.command, {**data, "who": after})
    if last.command in ("Advance", "Start", "Answer"):
        return None
    data.pop("rolls", None)
    return Give(last.command, {**data, "who": table.selected} if "who" in data else data)
