"""What happens in a fight that no rule covers: the GM's toolbox, and damage, conditions, notes and the like. Pure.

Each entry of the toolbox is under a letter that never changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Literal, cast

from fightcall.flows.base import (
    CANCELLED,
    Become,
    Bookmark,
    ChoiceField,
    Field,
    Filled,
    Find,
    Reply,
    SaveElsewhere,
    Say,
    Select,
)
from fightcall.flows.command_line import value_of, with_rounds
from fightcall.flows.lists import Item, ListFlow, ListKey
from fightcall.flows.painting import common_grounds, read_ground
from fightcall.flows.people_fields import (
    BrushField,
    FacingField,
    HarmField,
    PeopleField,
    ReadField,
    TargetField,
    place_field,
    start_of,
)
from fightcall.flows.questions import Answers, Ask, AskFlow, Done
from fightcall.flows.text_fields import AmountField, ConditionField, NumberField, TextField
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.archive.encounter import Encounter, fields_of_next_map
from fightcall_engine.board.base import OPEN, Location
from fightcall_engine.board.kinds import resolve_place, zone_board
from fightcall_engine.kit.agenda import MAKER
from fightcall_engine.kit.cues import DO
from fightcall_engine.kit.movement import contact_shown
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, FightCallError, Refused
from fightcall_engine.model.state import PROTECTS, Combatant, FightState, Json, StyleWord
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.newcomers import SHEET, sheet_values

GROUP = "Toolbox"
"""The heading of the toolbox in the list of rulings."""
_COPY = re.compile(r"(?P<split>split\s+)?(?P<amount>[0-9]{1,6})?(?:\s*x\s*(?P<count>[0-9]{1,2}))?", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SPAN = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)\s*([a-z]*)", re.IGNORECASE)
OFF_BOARD = "-"
"""The key that puts somebody off the board."""
GROUNDS = {
    "fire": "fire harm d6",
    "shut door": "shut door blocks hides",
    "rubble": "rubble 2",
    "darkness": "darkness hides",
}
"""What is often painted in the middle of a fight, each as it would be typed."""


@frozen
class MapChoice:
    """An encounter whose map the fight can move to; `load` reads it, and raises FightCallError if it can't."""

    name: str
    load: Callable[[], Encounter]


@frozen
class Tool:
    """An entry of the toolbox.

    Attributes:
        key: its letter, which never changes.
        label: two or three words, verb first.
        begin: makes the flow for a fight and its selected combatant; None if it makes no sense now.
        needs: the board without which it isn't listed.
        why_not: why it makes no sense otherwise.
    """

    key: str
    label: str
    explain: str
    begin: Callable[[FightState, str], AskFlow | ListFlow | None]
    needs: Literal["", "a board", "zones"] = ""
    why_not: str = "No one is in the fight"

    def is_listed(self, state: FightState) -> bool:
        board = zone_board(state.board) if self.needs == "zones" else state.board
        return not self.needs or board is not None


def tools(state: FightState, selected: str, maps: Callable[[], Sequence[MapChoice]]) -> list[Item]:
    """The entries of the toolbox that make sense now, for the list under `!`."""
    explain = "Move the fight to another map; those who come along keep everything"
    all_tools = (*TOOLS, Tool("n", "Next map", explain, lambda state, _: _next_map(state, maps)))
    return [_item(tool, state, selected) for tool in all_tools if tool.is_listed(state)]


def missing_tools(state: FightState) -> dict[str, ListKey]:
    """What is said at the letters of the other tools, so that they never mean anything else."""

    def key_of(tool: Tool) -> ListKey:
        return ListKey("", lambda _: Say(f"{tool.label}: not without {tool.needs}"))

    return {tool.key: key_of(tool) for tool in TOOLS if not tool.is_listed(state)}


def _item(tool: Tool, state: FightState, selected: str) -> Item:
    def pick() -> Reply:
        flow = tool.begin(state, selected)
        return Say(tool.why_not) if flow is None else Become(flow)

    return Item(tool.label, pick, key=tool.key, group=GROUP, explain=tool.explain)


def _give(command: str, *fields: str) -> Done:
    return lambda answers: Give(command, dict(zip(fields, answers, strict=True)))


def _place(state: FightState, selected: str) -> AskFlow | None:

    def where(answers: Answers) -> Field:
        combatant = _one(state, answers)
        return place_field(state, start_of(state, combatant), f"{combatant.name} stands at", off_key=OFF_BOARD)

    asks: list[Ask] = [_whom(state, "Place", selected), where]
    return AskFlow(asks, _give("Place", "who", "at")) if state.combatants else None


def _swap(state: FightState, selected: str) -> AskFlow | None:

    def other(answers: Answers) -> Field:
        others = [combatant_id for combatant_id in everybody(state) if combatant_id != answers[0]]
        return TargetField(state, f"{_one(state, answers).name} swaps places with", others)

    asks: list[Ask] = [_whom(state, "Who swaps places", selected), other]
    return AskFlow(asks, _give("Swap", "who", "target")) if len(state.combatants) > 1 else None


def _side(state: FightState, selected: str) -> AskFlow | None:
    sides = system_of(state).sides_of(state)

    def which(answers: Answers) -> Field:
        combatant = _one(state, answers)
        others = tuple(side for side in sides if side != combatant.side)
        question = f"{combatant.name} joins which side (any name; 'for 3' for three rounds)"
        return TextField(question, suggestions=others, default=next(iter(others), ""))

    def done(answers: Answers) -> Reply:
        typed, rounds = with_rounds(str(answers[1]))
        now = state.combatants[str(answers[0])].side
        # "for 3" alone means the proposed side; the beginning of a known side is enough.
        known = [side for side in sides if side != now and side.startswith(typed.casefold())]
        side = known[0] if known and (not typed or len(known) == 1) else typed
        return Give("ChangeSide", {"who": answers[0], "side": side, **({} if rounds is None else {"rounds": rounds})})

    return AskFlow([_whom(state, "Who changes sides", selected), which], done) if state.combatants else None


_STYLES: Mapping[StyleWord, str] = {
    "bold": "bold: attacks anyone in reach, the hurt first",
    "careful": "careful: keeps out of reach and in cover",
    "pack": "pack: attacks whom its friends attack",
    "protects": "protects someone: attacks those who threaten them",
    "coward": "coward: flees at half health",
    "stupid": "stupid: attacks the last one who hit it",
    "still": "still: never moves",
}


def _style(state: FightState, selected: str) -> AskFlow | None:
    if not state.combatants:
        return None
    start = state.combatants.get(selected)
    alike = [each.id for each in state.roster if start is not None and each.squad == start.squad != ""]
    who = PeopleField(state, "Who (labels)", everybody(state), proposed=alike or ([selected] if start else []))

    def whom(answers: Answers) -> Field | None:
        others = [each for each in everybody(state) if each not in str(answers[0]).split()]
        return TargetField(state, "Protects whom", others) if answers[1] == PROTECTS else None

    def done(answers: Answers) -> Reply:
        data: dict[str, Json] = {"targets": str(answers[0]).split(), "word": answers[1]}
        return Give("SetStyle", {**data, **({"whom": answers[2]} if len(answers) > 2 else {})})

    return AskFlow([who, ChoiceField("How do they fight", list(_STYLES.items())), whom], done)


def _leave(state: FightState, selected: str) -> AskFlow | None:
    return AskFlow([_whom(state, "Who leaves", selected)], _give("Leave", "who")) if state.combatants else None


def _come_back(state: FightState, selected: str) -> AskFlow | None:
    if not state.departed:
        return None
    health, unit = system_of(state).health, _unit_of_health(state)

    def words(combatant: Combatant) -> str:
        pool = combatant.pools.get(health)
        # Some games count wounds upward, so "3/10 wounds" could be read either way.
        return combatant.name if pool is None else f"{combatant.name} ({pool.now} of {pool.max} {unit} left)"

    newest_first = [each.combatant for each in state.departed.values()][::-1]

    def where(answers: Answers) -> Field | None:
        combatant = state.departed[str(answers[0])].combatant
        if state.board is None:
            return None
        return place_field(state, start_of(state, combatant), f"{combatant.name} comes back at", off_key=OFF_BOARD)

    def done(answers: Answers) -> Reply:
        combatant = state.departed[str(answers[0])].combatant
        data: dict[str, Json] = {"id": combatant.id, "name": combatant.name, "at": answers[1]}
        return Give("Join", {**data, **({"hidden": True} if combatant.hidden else {})})

    who = ChoiceField("Who comes back", [(each.id, words(each)) for each in newest_first])
    return AskFlow([who, where], done)


def _copy(state: FightState, selected: str) -> AskFlow | None:
    system = system_of(state)

    def how(answers: Answers) -> Field:
        combatant = _one(state, answers)
        left = combatant.pool(system.health).now
        question = f"Copy {combatant.name} with how many {system.words(state.settings).pool(system.health)}"
        forms = "5 x3 makes three; 'split 5' takes them from it; 'for 3' lasts three rounds; '5 as Ooze' names it"
        hint = f"{left} each ({forms})"
        return ReadField(question, _read_copy, optional=True, left_open=hint)

    def done(answers: Answers) -> Reply:
        combatant = state.combatants[str(answers[0])]
        typed = cast("Mapping[str, Json]", answers[1] or {})
        data: dict[str, Json] = {name: typed[name] for name in ("name", "count", "split", "rounds") if typed.get(name)}
        if typed.get("amount") is not None and system.health in combatant.pools:
            data["pools"] = {system.health: typed["amount"]}
        return Give("Copy", {"who": combatant.id, **data})

    return AskFlow([_whom(state, "Copy", selected), how], done) if state.combatants else None


def _read_copy(text: str) -> Json:
    numbers, _, name = text.partition(" as ")
    name, name_rounds = with_rounds(name)
    rest, rounds = with_rounds(numbers)
    match = _COPY.fullmatch(rest.strip())
    if match is None:
        raise ValueError(f"{text!r} isn't understood; accepted: 5, 5 x3, split 5, for 3, 5 as Ooze")
    return {
        "name": name.strip(),
        "amount": int(match["amount"]) if match["amount"] else None,
        "count": int(match["count"] or 1),
        "split": bool(match["split"]),
        "rounds": rounds or name_rounds,
    }


def _damage(state: FightState, selected: str) -> AskFlow | None:
    if not state.combatants:
        return None
    first = PeopleField(state, "Damage to (labels)", everybody(state))

    def done(answers: Answers) -> Reply:
        return _hurt(str(answers[0]).split(), answers[1], answers[2])

    return AskFlow([first, _how_much(state), _halved(state, lambda answers: str(answers[0]).split())], done)


def _area(state: FightState, selected: str) -> AskFlow | None:
    board = state.board
    if board is None:
        return None
    start = start_of(state, state.combatants.get(selected))

    def reached(answers: Answers) -> list[str]:
        middle, steps = resolve_place(board, cast("Location", answers[0])), int(cast("int | str", answers[1]))
        near = (each for each in state.roster if each.at is not None and board.distance(middle, each.at) <= steps)
        return [each.id for each in near]

    def done(answers: Answers) -> Reply:
        people = reached(answers)
        return _hurt(people, answers[2], answers[3]) if people else Say("No one stands there")

    around = NumberField(f"How many {board.words[1]} around it", default="0" if board.holds_several else "1", least=0)
    asks: list[Ask] = [place_field(state, start, "Where is the middle"), around, _how_much(state)]
    return AskFlow([*asks, _halved(state, reached)], done)


def _how_much(state: FightState, whom: str = "Damage") -> HarmField:
    return HarmField(state, f"{whom}: how many {_unit_of_health(state)}")


def _halved(state: FightState, people_of: Callable[[Answers], list[str]]) -> Ask:

    def ask(answers: Answers) -> Field | None:
        people = people_of(answers)
        return PeopleField(state, "Who saves and takes half", people, optional=True) if people else None

    return ask


def _hurt(people: Sequence[str], amount: Json, halved: Json) -> Reply:
    data: dict[str, Json] = {"targets": list(people), **cast("Mapping[str, Json]", amount)}
    if halved:
        data["halved"] = str(halved).split()
    return Give("AreaDamage", data)


def _terrain(state: FightState, selected: str) -> AskFlow | None:
    board = state.board
    if board is None:
        return None
    own = {board.terrain_at(place).name for place in board.places()} - {OPEN.name}
    others = (*GROUNDS, *(ground.name for ground in common_grounds()))
    names = (*sorted(own), *(name for name in others if name not in own))
    as_before = "as before"

    def read(text: str) -> Json:
        if text == as_before:
            return {}
        if board.ground_called(text) is not None:
            return {"terrain": text}
        common = next((ground for ground in common_grounds() if ground.name == text), None)
        try:
            ground = common or read_ground(GROUNDS.get(text, text))
        except BadInput as error:
            raise ValueError("; ".join(error.problems)) from error
        return {"terrain": ground.name, **ground.to_json()}

    question = "Paint what (a name, then 2 for its cost, blocks, hides, harm 2d6, harm d4 each round)"
    ground = ReadField(question, read, suggestions=(*names, as_before))
    start = start_of(state, state.combatants.get(selected))

    def where(answers: Answers) -> Field:
        return BrushField(state, start, "Where (. marks another place)")

    def done(answers: Answers) -> Reply:
        return Give("Paint", {**cast("Mapping[str, Json]", answers[0]), "places": answers[1]})

    return AskFlow([ground, where], done)


def _passage(state: FightState, selected: str) -> AskFlow | None:
    board = zone_board(state.board)
    if board is None:
        return None
    start = start_of(state, state.combatants.get(selected))
    kinds = [("open", "an open passage"), ("door", "a closed door: a passage, but no sight"), ("none", "no passage")]

    def other(answers: Answers) -> Field:
        joined = (*board.neighbours(str(answers[0])), *(zone for zone in board.places() if zone != answers[0]))
        return place_field(state, next(iter(joined), start), f"{answers[0]} and which zone")

    asks: list[Ask] = [place_field(state, start, "Between which zone"), other, ChoiceField("What is there", kinds)]
    return AskFlow(asks, _give("SetPassage", "zone", "other", "kind"))


def _skip(state: FightState, selected: str) -> AskFlow:
    field = ReadField("How much time passes (10 min, 1 h 30 min, 40 s)", read_span, default="10 min")
    return AskFlow([field], _give("SkipTime", "seconds"))


def read_span(text: str) -> int:
    """The seconds of ``10 min``, ``1 h 30 min`` or ``90``, which is minutes; a ValueError says what is accepted."""
    total, rest = 0.0, text.strip()
    while rest:
        match = _SPAN.match(rest)
        unit = _SECONDS.get(match[2][:1].casefold() or "m") if match is not None else None
        if match is None or unit is None:
            raise ValueError(f"{text!r} isn't a time; accepted: 10 min, 1 h 30 min, 40 s")
        total += float(match[1]) * unit
        rest = rest[match.end() :].strip(" ,")
    if total < 1:
        raise ValueError("at least one second must pass")
    return round(total)


def _next_map(state: FightState, maps: Callable[[], Sequence[MapChoice]]) -> ListFlow | None:
    if not state.combatants:
        return None
    items = [Item(choice.name, partial(_go_to, state, choice), group="Encounters") for choice in maps()]
    return ListFlow("Next map", items, empty="there is no encounter of this system")


def _go_to(state: FightState, choice: MapChoice) -> Reply:
    try:
        encounter = choice.load()
    except (FightCallError, OSError) as error:
        return Say(str(error))
    players = system_of(state).sides[0]
    ours = tuple(each.id for each in state.roster if each.side == players)
    field = PeopleField(state, f"Who comes along to {choice.name}", everybody(state), proposed=ours)

    def done(answers: Answers) -> Reply:
        return Give("ChangeMap", fields_of_next_map(encounter, state, str(answers[0]).split()))

    return Become(AskFlow([field], done))


TOOLS = (
    Tool("p", "Place anywhere", "Put a combatant on any place, or off the board", _place, "a board"),
    Tool("x", "Swap places", "Two combatants trade places", _swap, "a board"),
    Tool("s", "Change side", "A combatant joins any side, for good or for some rounds", _side),
    Tool("f", "Fighting style", "How combatants fight when the program suggests their acts", _style),
    Tool("l", "Leave the fight", "A combatant flees or is carried off", _leave),
    Tool("b", "Bring back", "A combatant returns as they left", _come_back, why_not="No one has left the fight"),
    Tool("c", "Copy", "Add copies of a combatant: a slime splits, mirror images", _copy),
    Tool("d", "Damage several", "One damage roll for several combatants, half for those who save", _damage),
    Tool("a", "Damage an area", "One damage roll for all around a place, half for those who save", _area, "a board"),
    Tool("t", "Paint terrain", "Change the ground: fire, a wall, a door, a marked area", _terrain, "a board"),
    Tool("o", "Open or shut a passage", "Change the way between two zones", _passage, "zones"),
    Tool("k", "Skip time", "Let time pass in the fight; clocks and effects advance", _skip),
)


MOST = "max:"
"""The prefix in `Adjust` for the maximum of a pool."""
CONDITIONS = (
    "stunned", "prone", "blinded", "burning", "charmed", "deafened", "exhausted", "frightened", "grappled", "invisible",
    "paralysed", "poisoned", "restrained", "slowed", "unconscious", "weakened",
)  # fmt: skip
"""Common conditions to complete, most likely first; any other text is possible, too."""
CONDITIONS_OF_FALLEN = ("dying", "stabilised", "dead")
"""Conditions to complete for a combatant who is down, before all others."""


def is_own_condition(name: str, system: BaseSystem) -> bool:
    """Whether a condition is in the GM's own words: neither common nor known to the rules."""
    return name not in (*CONDITIONS, *CONDITIONS_OF_FALLEN, *system.conditions)


def everybody(state: FightState) -> tuple[str, ...]:
    """The ids of all combatants in order."""
    return tuple(combatant_id for combatant_id in state.order if combatant_id in state.combatants)


def _whom(state: FightState, question: str, start: str, *, may_be_open: bool = False) -> TargetField:
    return TargetField(state, question, everybody(state), start=start, may_be_open=may_be_open)


def _one(state: FightState, answers: Answers) -> Combatant:
    return state.combatants[str(answers[0])]


def select(state: FightState, selected: str) -> AskFlow:
    """Select by label."""
    return AskFlow([_whom(state, "Select", selected, may_be_open=True)], lambda answers: Select(str(answers[0])))


def damage(state: FightState, target: str) -> AskFlow:
    """``d``, label, amount, Enter; ``7 by O`` says who caused it."""

    def how_much(answers: Answers) -> Field:
        return _how_much(state, f"Damage to {_one(state, answers).name}")

    def done(answers: Answers) -> Reply:
        return Give("Damage", {"who": answers[0], **cast("Mapping[str, Json]", answers[1])})

    return AskFlow([_whom(state, "Damage to", target, may_be_open=True), how_much], done, whose="")


def heal(state: FightState, selected: str) -> AskFlow | None:
    """``D``, label, amount, Enter. The most hurt of the selected one's side is proposed; None if nobody is hurt."""
    people, pool = state.combatants.values(), system_of(state).health
    lost = {each.id: each.pools[pool].max - each.pools[pool].now for each in people if pool in each.pools}
    if people and not any(lost.get(each.id, 1) for each in people):
        return None

    side = state.combatants[selected].side if selected in state.combatants else ""
    allies = [each.id for each in people if each.side == side and lost.get(each.id)]
    target = max(allies, key=lost.__getitem__, default="")

    def how_much(answers: Answers) -> Field:
        combatant = _one(state, answers)
        if not lost.get(combatant.id, 1):
            raise Refused("who", f"{combatant.name} is not hurt", final=True)
        return AmountField(f"Heal {combatant.name}: how many {_unit_of_health(state)}")

    whom = _whom(state, "Heal", target, may_be_open=True)
    return AskFlow([whom, how_much], _give("Heal", "who", "amount"), whose="")


def _unit_of_health(state: FightState) -> str:
    system = system_of(state)
    return system.harm or system.words(state.settings).pool(system.health)


def condition(state: FightState, target: str, *, acting: str = "", kept_names: Sequence[str] = ()) -> AskFlow:
    """``c``, label, the beginning of a name, rounds, Enter: ``c 2 s3`` stuns for three rounds, ``c 2 -s`` ends it.

    If conditions can harm by themselves, a space and the amount come last: ``c 2 poison3 d4``.

    Args:
        target: the proposed bearer, and the proposed maker if it counts by its maker's clock.
        acting: the cause if that is clear because it is their turn; then nobody is asked whose clock it is.
        kept_names: the GM's own conditions of earlier fights.
    """
    system = system_of(state)
    effect_names = [effect.name for combatant in state.combatants.values() for effect in combatant.effects]
    own, unit = system.conditions, system.words(state.settings).round
    present_known = [name for name in effect_names if name in (*CONDITIONS, *own)]

    def which(answers: Answers) -> Field:
        combatant = _one(state, answers)
        fallen = () if combatant.able else (*CONDITIONS_OF_FALLEN, *own)
        names = (*fallen, *present_known, *own, *CONDITIONS, *CONDITIONS_OF_FALLEN, *effect_names, *kept_names)
        # The bearer's own clock is offered anyway.
        cause = state.combatants[acting].name if acting and acting != combatant.id else ""
        return ConditionField(
            f"Condition on {combatant.name}, and for how many {unit}s",
            suggestions=tuple(dict.fromkeys(names)),
            present=tuple((effect.id, effect.name) for effect in combatant.effects),
            clocks=_clocks(state, combatant, cause or "the cause"),
            maker=cause,
            harm=system.lasting_harm,
            has_harm_dice=system.lasting_dice,
            own=tuple(own),
            unit=unit,
        )

    def whose(answers: Answers) -> Field:
        effect = cast(Mapping[str, Json], answers[1])
        return TargetField(state, f"Counted by whose turns: {effect['name']}", everybody(state), start=target)

    def done(answers: Answers) -> Reply:
        combatant_id = answers[0]
        new_effect = cast(Mapping[str, Json], answers[1])
        if "end" in new_effect:
            name = next(effect.name for effect in _one(state, answers).effects if effect.id == new_effect["end"])
            return Give("EndEffect", {"who": combatant_id, "effect": name})
        data = {"who": combatant_id, **{name: value for name, value in new_effect.items() if value is not None}}
        if set(data) == {"who", "name"} and data["name"] in own:
            held = own[str(data["name"])]
            if isinstance(held, str):
                return Give("Adjust", {"who": combatant_id, "what": held, "value": data["name"]})
            fields = {name: value for name, value in held.items() if name != DO}
            return Give(str(held[DO]), {"who": combatant_id, **fields})
        if new_effect.get("clock") == MAKER:
            data["by"] = answers[2] if len(answers) > 2 else acting
        return Give("AddEffect", data)

    return AskFlow([_whom(state, "Condition on", target, may_be_open=True), which, whose], done, whose="")


def _clocks(state: FightState, bearer: Combatant, maker: str) -> Mapping[str, Mapping[str, str]]:
    """The ticks that can be counted, in the system's words. `maker` is the cause's name."""
    system = system_of(state)
    ticks = system.words(state.settings).ticks
    whose = {"round": ("round", ""), "bearer": ("own", bearer.name), "maker": ("own", maker)}
    return {
        clock: {
            edge: ticks.get(moment, moment.replace("_", " ")).replace("{who}", owner)
            for edge, moment in system.clocks[kind].items()
        }
        for clock, (kind, owner) in whose.items()
        if kind in system.clocks
    }


def adjust(state: FightState, target: str) -> AskFlow:
    """Change any value of a combatant by hand, including its sheet's."""

    def what(answers: Answers) -> Field:
        combatant = _one(state, answers)
        parts = tuple(_changeable(state, combatant))
        return TextField(f"{combatant.name}: change what", suggestions=parts, default=parts[0], is_closed=True)

    def value(answers: Answers) -> Field:
        combatant, words = _one(state, answers), str(answers[1])
        return _value_field(state, combatant, _changeable(state, combatant)[words], words)

    def done(answers: Answers) -> Reply:
        combatant_id, words, new = answers
        part = _changeable(state, _one(state, answers))[str(words)]
        value = value_of(new) if isinstance(new, str) and part not in ("name", "side") else new
        whose = {} if part.removeprefix(MOST) in state.side_pool_paths else {"who": combatant_id}
        return Give("Adjust", {**whose, "what": part, "value": value})

    whom = _whom(state, "Change something of", target, may_be_open=True)
    return AskFlow([whom, what, value], done, whose="")


def _changeable(state: FightState, combatant: Combatant) -> Mapping[str, str]:
    """What `Adjust` can change of a combatant and of pools that it shares, by its name for people."""
    words_of = system_of(state).words(state.settings)
    pools = {words_of.pool(pool): pool for pool in combatant.pools}
    for path in state.side_pool_paths:
        side, _, pool = path.rpartition(".")
        pools |= {words_of.side_pool(side, pool): path} if side in ("", combatant.side) else {}
    most = {f"most {words}": f"{MOST}{pool}" for words, pool in pools.items()}
    own = {"name": "name", "side": "side", "able to act": "able", "hidden": "hidden"}
    record = {name.replace("_", " "): name for name in combatant.values}
    sheet = {f"sheet {name.removeprefix(SHEET).replace('_', ' ')}": name for name in _sheet_of(combatant)}
    return {**pools, **most, **own, **record, **sheet}


def _sheet_of(combatant: Combatant) -> Mapping[str, Json]:
    return {SHEET + name: value for name, value in sheet_values(combatant.sheet).items()}


def _value_field(state: FightState, combatant: Combatant, what: str, words: str) -> Field:
    """The field for a new value: a choice if there are only a few. For a boolean, the other value is the default."""
    pool = what.removeprefix(MOST)
    points = combatant.pools.get(pool) or state.side_pool_paths.get(pool)
    if points is not None:
        now = points.max if what.startswith(MOST) else points.now
        whose = f"{combatant.name}: " if pool in combatant.pools else ""
        return NumberField(f"{whose}{words} from {now} to", least=0)
    if what == "side":
        sides = tuple(dict.fromkeys(other.side for other in state.combatants.values()))
        others = [side for side in sides if side != combatant.side]
        return ChoiceField(f"{combatant.name} goes over to", others or sides)
    now_: Json = {"name": combatant.name, "able": combatant.able, "hidden": combatant.hidden}.get(
        what, {**_sheet_of(combatant), **combatant.values}.get(what)
    )
    if isinstance(now_, bool):
        return ChoiceField(f"{combatant.name}: {words}", [(True, "yes"), (False, "no")], default=not now_)
    return TextField(f"{combatant.name}: {words} from {'nothing' if now_ is None else now_} to")


def note() -> AskFlow:
    """Write a note into the log."""
    return AskFlow([TextField("Note")], _give("Note", "text"))


def bookmark() -> AskFlow:
    """Bookmark this moment."""
    return AskFlow([TextField("Name this moment")], lambda answers: Bookmark(str(answers[0])))


def end_fight() -> AskFlow:
    """End the fight, with an optional reason."""
    return AskFlow([TextField("How does the fight end", default="ended")], _give("Close", "reason"))


class _SaveField(TextField):
    """The name of a file; Tab leaves without one."""

    def view(self) -> PromptView:
        return replace(super().view(), hint="Tab quits without saving (asks first)")

    def press(self, key: str) -> Filled | bool:
        return Filled(None) if key == "tab" else super().press(key)


def save_elsewhere(why: str, path: Path | None) -> AskFlow:
    """Ask for another file for a fight that cannot be saved in its own, by default a free name beside it."""
    old = path or Path("fight.jsonl")
    names = (old.with_name(f"{old.stem}-{number}{old.suffix}") for number in count(2))
    free = next(str(name) for name in names if not name.exists())
    question = f"Not saved: {why}. Save the whole fight as"
    choices = [(True, "quit without saving"), (False, "go back to the fight")]
    leave = ChoiceField("Quit and lose unsaved changes?", choices, default=False)

    def done(answers: Answers) -> Reply:
        name, *leaves = answers
        return SaveElsewhere(str(name or "")) if name or leaves == [True] else CANCELLED

    return AskFlow([_SaveField(question, default=free), lambda answers: None if answers[0] else leave], done)


def find() -> AskFlow:
    """Find a combatant by a part of the name, or a line of the log."""
    return AskFlow([TextField("Find")], lambda answers: Find(str(answers[0])))


def face(state: FightState, combatant_id: str) -> AskFlow:
    """Turn a combatant by a key of direction or a label; a ValueError if the board has no directions."""
    ask = FacingField(state, combatant_id)
    return AskFlow([ask], lambda answers: Give("Face", {"who": combatant_id, "facing": answers[0]}), whose=combatant_id)


def contact(state: FightState, combatant_id: str) -> AskFlow:
    """Declare that two enemies are, or are no longer, in contact; on a zone board, two in one zone."""
    combatant = state.combatants[combatant_id]
    foes = tuple(
        foe.id
        for foe in state.combatants.values()
        if foe.able and state.are_foes(combatant_id, foe.id) and contact_shown(state, combatant, foe) is None
    )
    near = next(iter(state.contacts_of(combatant_id)), "")
    question = f"{combatant.name} enters or leaves contact with"

    def done(answers: Answers) -> Reply:
        enemy = str(answers[0])
        return Give("Contact", {"who": combatant_id, "enemy": enemy, "on": not state.in_contact(combatant_id, enemy)})

    return AskFlow([TargetField(state, question, foes, start=near, shooter=combatant_id)], done, whose=combatant_id)
