"""Making the flows that keys begin: options, lists, rulings and open questions. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fightcall.flows import quick_flows
from fightcall.flows.answer_flow import AnswerFlow
from fightcall.flows.ask_flow import Answers, AskFlow
from fightcall.flows.base import STAY, Become, Reply
from fightcall.flows.fields import ChoiceField, Field
from fightcall.flows.list_flow import Item, ListFlow
from fightcall.flows.option_inputs import option_turn
from fightcall.flows.people_fields import TargetField
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.flows.toolbox import MapChoice, tools
from fightcall.table import Give
from fightcall_engine.kit.movement import is_undecided
from fightcall_engine.kit.settings import choice_words, first_line, setting_title
from fightcall_engine.kit.views import Option, Trail
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import Prompt

__all__ = [
    "answer",
    "any_action",
    "option",
    "release",
    "rulings",
    "subjects",
    "trails",
]

RELEASE = "release"
"""The action, in every system, by which a combatant releases what they hold back, or stops waiting."""


def option(table: Table, chosen_option: Option) -> Reply:
    """Begin an option, or give its command at once if it has no inputs."""
    return option_turn(table, chosen_option, table.selected)


def _item(table: Table, offered_option: Option, key: str = "", group: str = "") -> Item:
    words = offered_option.label if offered_option.legal else f"{offered_option.label}: {offered_option.why}"
    group = f"Drops {offered_option.loses}" if offered_option.loses else group
    return Item(
        lambda: words,
        lambda: option(table, offered_option),
        number=offered_option.cost,
        rule=offered_option.rule,
        key=key,
        tone="plain" if offered_option.legal else "quiet",
        group=group if offered_option.legal else "Not possible now",
    )


def any_action(table: Table, key_of: Callable[[str, str], str] = lambda action, key: key) -> ListFlow:
    """The list of everything the selected combatant can do, followed by what it cannot, and why.

    Args:
        table: the fight, with the selected combatant.
        key_of: an option's key in force, from its action and its default key.
    """
    options = sorted(table.options(), key=lambda option: (not option.legal, bool(option.loses)))
    combatant = table.state.combatants.get(table.selected)
    empty = "nothing to do now" if combatant else "no one is selected"
    items = [_item(table, each, key_of(each.action, each.key) if each.key else "") for each in options]
    return ListFlow(combatant.name if combatant else "Nobody", items, empty=empty, rules=table.system.rules())


def rulings(table: Table, maps: Callable[[], Sequence[MapChoice]] = tuple) -> ListFlow:
    """The list of rulings: answers to an open question, the toolbox, what the system lets the GM rule, settings.

    `maps` loads the encounters to which the fight can move on.
    """
    options = sorted(table.system.rulings(table.state, table.selected), key=lambda option: not option.legal)
    items = [_question_item(table, prompt) for prompt in table.state.prompts]
    items += tools(table.state, table.selected, maps)
    items += [_item(table, option, group="Rulings") for option in options if option.legal]
    items += _hand_items(table)
    items += [_setting_item(table, key) for key in table.state.settings]
    items += [_item(table, option) for option in options if not option.legal]
    return ListFlow("Ruling", items, rules=table.system.rules())


def _question_item(table: Table, prompt: Prompt) -> Item:
    pick = _make_answer(table, prompt.id)
    return Item(lambda: prompt.question, pick, rule=prompt.rule, group="Open questions")


def _make_answer(table: Table, prompt_id: str) -> Callable[[], Reply]:
    def pick() -> Reply:
        flow = answer(table, prompt_id)
        return Become(flow) if flow is not None else STAY

    return pick


def _hand_items(table: Table) -> Iterator[Item]:
    """What the GM can do by hand with a combatant or the fight, whatever the system."""
    state, combatant_id = table.state, table.selected
    combatant = state.combatants.get(combatant_id)

    def item(words: str, pick: Callable[[], Reply]) -> Item:
        return Item(lambda: words, pick, group="By hand")

    if combatant is not None:
        name = combatant.name
        yield item(f"change something of {name}", lambda: Become(quick_flows.adjust(state, combatant_id)))
        if is_undecided(state, combatant):
            yield item(f"contact of {name}", lambda: Become(quick_flows.contact(state, combatant_id)))
    if state.status == "running":
        yield item("end the fight", lambda: Become(quick_flows.end_fight()))


def _setting_item(table: Table, key: str) -> Item:
    """The list entry of a setting: one of two values is switched, others are chosen or typed."""
    value = table.state.settings[key]
    setting = next((setting for setting in table.system.settings if setting.key == key), None)
    choices = setting.choices if setting is not None else ()
    rule = setting.rule if setting is not None else ""
    words, now = setting_title(table.system, key), choice_words(table.system, key, value)
    others = [item for item in choices if item != value]

    def item(change: str, pick: Callable[[], Reply]) -> Item:
        explain = setting.text if setting is not None else ""
        what = f"{words}{change}"
        return Item(lambda: what, pick, number=now, rule=rule, group="Rule settings", explain=explain)

    if len(others) == 1:
        give = Give("Configure", {"setting": key, "value": others[0]})
        return item(f": change to {choice_words(table.system, key, others[0])}", lambda: give)
    return item("", lambda: _ask_setting(table.system, key, value, choices))


def _ask_setting(system: BaseSystem, key: str, value: Json, choices: Sequence[Json]) -> Reply:
    words, decimals = setting_title(system, key), isinstance(value, float)
    ask: Field
    if choices:
        ask = ChoiceField(words, [(item, choice_words(system, key, item)) for item in choices], default=value)
    elif isinstance(value, int | float):
        ask = NumberField(words, default=f"{value:g}" if decimals else str(value), decimals=decimals)
    else:
        ask = TextField(words, default=first_line(str(value)))

    def done(answers: Answers) -> Reply:
        new_value = answers[0]
        if isinstance(value, str) and new_value == first_line(value):
            new_value = value
        return Give("Configure", {"setting": key, "value": new_value})

    return Become(AskFlow([ask], done))


def answer(table: Table, prompt_id: str) -> AnswerFlow | None:
    """Answer an open prompt."""
    prompt = table.state.prompt(prompt_id)
    if prompt is None:
        return None
    combatant = table.state.combatants.get(prompt.who)
    at, queue = combatant.at if combatant else None, len(table.state.prompts) - 1
    return AnswerFlow(prompt, at, queue, owed_die=table.owed_die(prompt))


def release(table: Table) -> Reply | None:
    """Release what is held back, whoever is selected: at once if one holds something, else ask who.

    None if nobody holds anything.
    """
    releases = [
        (combatant_id, option)
        for combatant_id in table.roster_order()
        for option in table.options_of(combatant_id)
        if option.action == RELEASE
    ]
    releases = [each for each in releases if each[1].legal] or releases
    own_releases = [each for each in releases if each[0] == table.selected]
    if len(releases) == 1 or own_releases:
        combatant_id, option = (own_releases or releases)[0]
        return option_turn(table, option, combatant_id)
    if not releases:
        return None
    options = dict(releases)

    def done(answers: Answers) -> Reply:
        combatant_id = str(answers[0])
        return option_turn(table, options[combatant_id], combatant_id)

    question = f"Who: {releases[0][1].label}"
    return Become(AskFlow([TargetField(table.state, question, tuple(options), start=releases[0][0])], done))


def subjects(table: Table, combatant_id: str) -> tuple[str, ...]:
    """The names of a combatant's numbers that can be explained."""
    try:
        table.fight.explain(combatant_id, "")
    except Refused as no:
        return no.accepts
    return ()


def trails(table: Table) -> tuple[str, tuple[Trail, ...]]:
    """The selected combatant's name, and the explanations of its numbers."""
    combatant = table.state.combatants.get(table.selected)
    if combatant is None:
        return "", ()
    return combatant.name, tuple(
        table.fight.explain(combatant.id, subject) for subject in subjects(table, combatant.id)
    )
