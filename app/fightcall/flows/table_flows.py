"""Making the flows that keys begin: options, lists, rulings, open questions, cues, due acts and repetitions. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import cast

from fightcall.flows import toolbox
from fightcall.flows.base import STAY, Become, ChoiceField, Field, Reply
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.history import change_rules
from fightcall.flows.lists import Item, ListFlow
from fightcall.flows.newcomers import ARMS
from fightcall.flows.option_inputs import AnswerFlow, option_turn
from fightcall.flows.people_fields import TargetField, place_field, start_of
from fightcall.flows.questions import Answers, AskFlow
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.flows.toolbox import GROUP, MapChoice, everybody, tools
from fightcall.table import Give, Table
from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.cues import condition_words, outcome_words
from fightcall_engine.kit.movement import is_undecided
from fightcall_engine.kit.records import choice_words, first_line, setting_title
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Trail
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Cue, FightState, Json
from fightcall_engine.model.values import frozen

RELEASE = "release"
"""The action, in every system, by which a combatant releases what they hold back, or stops waiting."""

_FILE = Path(__file__).parents[1] / "cue_templates.toml"
_BLANK = re.compile(r"<(\w+)>")

TO_SOMEBODY = ("Damage", "Heal", "AddEffect")
"""Commands that are repeated on the next target, not by another actor."""
CAME_OF_IT = ("rolls", "hit", "passed", "damage", "force", "alike")
"""Fields with results of the last time, which are left out: dice are rolled again."""
PLACES = ("path", "to", "at")


def option(table: Table, chosen_option: Option) -> Reply:
    """Begin an option, or give its command at once if it has no inputs."""
    return option_turn(table, chosen_option, table.selected)


def _item(table: Table, offered_option: Option, key: str = "", group: str = "") -> Item:
    words = offered_option.label if offered_option.legal else f"{offered_option.label}: {offered_option.why}"
    group = f"Drops {offered_option.loses}" if offered_option.loses else group
    return Item(
        words,
        lambda: option(table, offered_option),
        number=offered_option.cost,
        rule=offered_option.rule,
        key=key,
        tone="plain" if offered_option.legal else "quiet",
        group=group if offered_option.legal else "Not possible now",
    )


def any_action(table: Table, key_of: Callable[[str, str], str] = lambda action, key: key) -> ListFlow:
    """What the selected combatant can do, then what it cannot, and why; `key_of` an action and its default key."""
    options = sorted(table.options(), key=lambda option: (not option.legal, bool(option.loses)))
    combatant = table.state.combatants.get(table.selected)
    empty = "nothing to do now" if combatant else "no one is selected"
    items = [_item(table, each, key_of(each.action, each.key) if each.key else "") for each in options]
    return ListFlow(combatant.name if combatant else "Nobody", items, empty=empty, rules=table.system.rules())


def rulings(table: Table, maps: Callable[[], Sequence[MapChoice]] = tuple) -> ListFlow:
    """Answers to open questions, the toolbox, the system's rulings, settings; `maps` to which the fight can move on."""
    options = sorted(table.system.rulings(table.state, table.selected), key=lambda option: not option.legal)
    items = [
        Item(prompt.question, partial(_begin_answer, table, prompt.id), rule=prompt.rule, group="Open questions")
        for prompt in table.state.prompts
    ]
    items += tools(table.state, table.selected, maps)
    if table.state.rules_text:
        explain = "Read the file of the game again and use its rules from now on, or from the beginning of the fight"
        items.append(Item("Read the rules again", lambda: change_rules(table), key="r", group=GROUP, explain=explain))
    items += [_item(table, option, group="Rulings") for option in options if option.legal]
    items += _hand_items(table)
    items += [_setting_item(table, key) for key in table.state.settings]
    items += [_item(table, option) for option in options if not option.legal]
    return ListFlow("Ruling", items, rules=table.system.rules(), keys=toolbox.missing_tools(table.state))


def _begin_answer(table: Table, prompt_id: str) -> Reply:
    flow = answer(table, prompt_id)
    return Become(flow) if flow is not None else STAY


def _hand_items(table: Table) -> Iterator[Item]:
    state, combatant_id = table.state, table.selected
    combatant = state.combatants.get(combatant_id)

    item = partial(Item, group="By hand")
    if combatant is not None:
        name = combatant.name
        yield item(f"change something of {name}", lambda: Become(toolbox.adjust(state, combatant_id)))
        if is_undecided(state, combatant):
            yield item(f"contact of {name}", lambda: Become(toolbox.contact(state, combatant_id)))
    if state.status == "running":
        yield item("end the fight", lambda: Become(toolbox.end_fight()))


def _setting_item(table: Table, key: str) -> Item:
    value = table.state.settings[key]
    setting = next((setting for setting in table.system.settings if setting.key == key), None)
    choices = setting.choices if setting is not None else ()
    rule = setting.rule if setting is not None else ""
    words, now = setting_title(table.system, key), choice_words(table.system, key, value)
    others = [item for item in choices if item != value]

    def item(change: str, pick: Callable[[], Reply]) -> Item:
        explain = setting.text if setting is not None else ""
        return Item(f"{words}{change}", pick, number=now, rule=rule, group="Rule settings", explain=explain)

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
    others = sum(each is not prompt for each in table.state.questions)
    return AnswerFlow(prompt, combatant.at if combatant else None, others, owed_die=table.owed_die(prompt))


def release(table: Table) -> Reply | None:
    """Release what is held back: at once if one holds something, else ask who. None if nobody holds anything."""
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


# Cues on the fight screen


@frozen
class Question:
    """A question of a template. `kind` says how it is answered; see the template file."""

    id: str
    kind: str
    question: str


@frozen
class CueTemplate:
    """A cue with placeholders, also in its default `text`. It may need a ``place`` without asking for one."""

    key: str
    name: str
    ask: tuple[Question, ...]
    when: Mapping[str, Json]
    then: Mapping[str, Json]
    text: str = ""
    each_time: bool = False
    needs: str = ""

    @property
    def needs_board(self) -> bool:
        """True if it needs a board."""
        return "place" in (self.needs, *(question.kind for question in self.ask))


@cache
def cue_templates() -> tuple[CueTemplate, ...]:
    """The templates, in the order of their file."""
    templates = tomllib.loads(_FILE.read_text(encoding="utf-8"))["template"]
    return tuple(CueTemplate(**{**item, "ask": tuple(Question(**each) for each in item["ask"])}) for item in templates)


def cue_list(table: Table) -> ListFlow:
    """The list of templates and waiting cues. A letter takes a template, or asks whether to drop a cue."""
    state = table.state
    items = [
        Item(template.name, partial(_fill, table, template), key=template.key, group="Set a cue")
        for template in cue_templates()
        if state.board is not None or not template.needs_board
    ]
    waiting = [
        Item(
            f"{condition_words(table.system, state, cue.when)}: {outcome_words(state, cue.then)}",
            partial(_ask_to_drop, cue),
            number="each time" if cue.each_time else "",
            group="Waiting",
            explain=cue.name,
        )
        for cue in state.cues
    ]
    return ListFlow("Cues", [*items, *waiting])


def _ask_to_drop(cue: Cue) -> Reply:
    field = ChoiceField(f"Cue: {cue.name}", ((True, "drop it"), (False, "keep it")), default=False)

    def done(answers: Answers) -> Reply:
        return Give("DropCue", {"cue": cue.id}) if answers[0] else Become(AskFlow([field], done))

    return Become(AskFlow([field], done))


# Filling in


def _fill(table: Table, template: CueTemplate) -> Reply:

    def done(answers: Answers) -> Reply:
        data = cue_data(table.state, table.system, template, answers)
        return Give("SetCue", {**data, "each_time": template.each_time} if template.each_time else data)

    return Become(AskFlow([partial(_field, table, template, question) for question in template.ask], done))


def cue_data(state: FightState, system: BaseSystem, template: CueTemplate, answers: Answers) -> dict[str, Json]:
    """A template's condition and outcome, with the answers filled in."""
    values = _values(state, template, answers)
    values.setdefault("text", usual_text(state, system, template, answers))
    people, chosen_id = state.combatants, str(values.get("who", ""))
    own_side = people[chosen_id].side if chosen_id in people else ""
    values["enemy"] = next((each.side for each in people.values() if each.side != own_side), "")
    return {"when": _fill_in(template.when, values), "then": _fill_in(template.then, values)}


def usual_text(state: FightState, system: BaseSystem, template: CueTemplate, answers: Answers) -> str:
    """The default text after these answers."""
    values, people = _values(state, template, answers), state.combatants
    words = {key: people[str(value)].name if str(value) in people else str(value) for key, value in values.items()}
    words["round_name"] = system.words(state.settings).round
    return _BLANK.sub(lambda blank: words.get(blank[1], ""), template.text)


def weapons_of(state: FightState, template: CueTemplate, answers: Answers) -> Sequence[str]:
    """The names of the weapons on the sheet of the combatant in the answers, missiles first."""
    combatant = state.combatants.get(str(_values(state, template, answers).get("who", "")))
    entry = next((combatant.sheet[key] for key in ARMS if combatant.sheet.get(key)), ()) if combatant else ()
    things = [thing for thing in entry if isinstance(thing, Mapping)] if isinstance(entry, list | tuple) else []
    things.sort(key=lambda thing: thing.get("kind") == "melee")
    return tuple(str(thing["name"]) for thing in things if thing.get("name"))


def _values(state: FightState, template: CueTemplate, answers: Answers) -> dict[str, Json]:
    """The answers by their placeholders, without questions that were not asked."""
    values: dict[str, Json] = {}
    for question, answer in zip(template.ask, answers, strict=False):
        if question.kind == "place" and answer is not None and state.board is not None:
            values[question.id] = state.board.name_of(resolve_place(state.board, cast("Location", answer)))
        elif answer is not None:
            values[question.id] = answer
    return values


def _fill_in(value: Json, values: Mapping[str, Json]) -> Json:
    """A value of a template with its placeholders filled in. Fields without an answer are left out."""
    if isinstance(value, str):
        blank = _BLANK.fullmatch(value)
        return values.get(blank[1]) if blank else value
    if isinstance(value, Mapping):
        parts = {key: _fill_in(item, values) for key, item in value.items()}
        return {key: item for key, item in parts.items() if item is not None}
    return [_fill_in(item, values) for item in value] if isinstance(value, list) else value


def _field(table: Table, template: CueTemplate, question: Question, answers: Answers) -> Field | None:
    state, words = table.state, question.question
    match question.kind:
        case "round":
            return NumberField(words, default=str(state.round + 1), least=state.round + 1)
        case "number":
            return NumberField(words, default="1", least=1)
        case "person":
            return TargetField(state, words, everybody(state), start=table.selected)
        case "place":
            return place_field(state, start_of(state, state.combatants.get(table.selected)), words)
        case "weapon":
            weapons = weapons_of(state, template, answers)
            return ChoiceField(words, weapons) if weapons else None
        case _:
            return TextField(words, default=usual_text(state, table.system, template, answers))


# Declared acts that are due


class DueActs:
    """The selected combatant's acts that are due, and those the GM has put off."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._left: tuple[object, ...] = ()

    def leave(self) -> None:
        """Keep the panel closed as long as the same acts are due."""
        self._left = self._find()

    def panel(self) -> ExchangeFlow | None:
        """The panel of the first act that is due; None if there is none, or it was closed."""
        due = self._find()
        if due != self._left:
            self._left = ()
        if not due or self._left:
            return None
        due_option = next(option for option in self._table.options() if option.is_due)
        reply = option(self._table, due_option)
        return reply.flow if isinstance(reply, Become) and isinstance(reply.flow, ExchangeFlow) else None

    def _find(self) -> tuple[object, ...]:
        """The moment, the combatant and the acts that are due; empty for none."""
        state = self._table.state
        # Nothing is due where those who pass can still act, and to list what they can do takes long in large fights.
        is_deferring = state.step is not None and state.step.kind in self._table.system.deferring
        if is_deferring or self._table.selected not in self._table.waiting_ids():
            return ()
        acts = tuple(option.label for option in self._table.options() if option.is_due)
        step_id = state.step.id if state.step is not None else ""
        return (state.round, step_id, self._table.selected, acts) if acts else ()


# Repeating the last command


def repeat_last(table: Table) -> Give | None:
    """The last command again; None if it cannot be repeated."""
    last = table.last
    if last is None or table.kind_of(last.command).ONCE or any(last.data.get(name) for name in PLACES):
        return None
    data = {name: value for name, value in last.data.items() if name not in CAME_OF_IT}
    if last.command in TO_SOMEBODY:
        if table.is_last_undone and data.get("who") in table.state.combatants:
            return Give(last.command, data)
        after = _next_target(table, last.command, str(data.get("who")))
        return Give(last.command, {**data, "who": after}) if after else None
    if "who" in data:
        data |= {"who": table.selected, **_own_means(table, last.command, data)}
    target = data.get("target")
    if isinstance(target, str) and target in table.state.combatants and not table.state.combatants[target].able:
        data["target"] = _next_target(table, last.command, target) or target
    return Give(last.command, data)


def _next_target(table: Table, command: str, combatant_id: str) -> str:
    people = table.state.combatants
    if combatant_id not in people:
        return ""
    ring = [ally_id for ally_id in table.roster_order() if people[ally_id].side == people[combatant_id].side]
    at = ring.index(combatant_id)
    for name in (*ring[at + 1 :], *ring[: at + 1]):
        if people[name].able or command == "Heal":
            return name
    return ""


def _own_means(table: Table, command: str, data: Mapping[str, Json]) -> Mapping[str, Json]:
    """The selected combatant's own weapon for a strike of the same kind, if possible one that can be used now."""
    for option in sorted(table.options(), key=lambda option: not option.legal):
        alike = all(data.get(name) == value for name, value in option.fixed.items() if name != "weapon")
        if option.command == command and alike:
            if data.get("who") == table.selected and data.get("weapon") == option.fixed.get("weapon"):
                return {}
            return dict(option.fixed)
    return {}
