"""The GM's toolbox: what happens in a fight that no rule covers, each under a letter that never changes. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from fightcall.flows.base import Become, ChoiceField, Field, Reply, Say
from fightcall.flows.command_line import with_rounds
from fightcall.flows.lists import Item, ListFlow
from fightcall.flows.painting import common_grounds, read_ground
from fightcall.flows.people_fields import PeopleField, ReadField, TargetField, harm_field
from fightcall.flows.place_fields import BrushField, first_place, place_field
from fightcall.flows.questions import Answers, Ask, AskFlow
from fightcall.flows.quick_flows import everybody
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.table import Give
from fightcall_engine.board.base import OPEN, Location
from fightcall_engine.board.kinds import resolve_place, zone_board
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model.errors import BadInput, FightCallError
from fightcall_engine.model.state import PROTECTS
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter
    from fightcall_engine.model.state import Combatant, FightState, Json, StyleWord

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
        explain: the explanation for `?`.
        begin: makes the flow for a fight and its selected combatant; None if it makes no sense now.
        why_not: why it then makes no sense.
    """

    key: str
    label: str
    explain: str
    begin: Callable[[FightState, str], AskFlow | ListFlow | None]
    why_not: str = "No one is in the fight"


def tools(state: FightState, selected: str, maps: Callable[[], Sequence[MapChoice]]) -> Iterator[Item]:
    """The entries of the toolbox that make sense now, for the list under `!`."""
    for tool in (*TOOLS, _next_map_tool(maps)):
        if tool.key in _NEEDING_BOARD and state.board is None:
            continue
        if tool.key == "o" and zone_board(state.board) is None:
            continue
        yield _item(tool, state, selected)


def _item(tool: Tool, state: FightState, selected: str) -> Item:
    def pick() -> Reply:
        flow = tool.begin(state, selected)
        return Say(tool.why_not) if flow is None else Become(flow)

    return Item(lambda: tool.label, pick, key=tool.key, group=GROUP, explain=tool.explain)


def _whom(state: FightState, question: str, start: str) -> TargetField:
    return TargetField(state, question, everybody(state), start=start)


def _name(state: FightState, combatant_id: Json) -> str:
    return state.combatants[str(combatant_id)].name


def _place(state: FightState, selected: str) -> AskFlow | None:

    def where(answers: Answers) -> Field:
        combatant, board = state.combatants[str(answers[0])], state.board
        assert board is not None
        start = first_place(board) if combatant.at is None else combatant.at
        return place_field(state, start, f"{combatant.name} stands at", off_key=OFF_BOARD)

    def done(answers: Answers) -> Reply:
        return Give("Place", {"who": answers[0], "at": answers[1]})

    return AskFlow([_whom(state, "Place", selected), where], done) if state.combatants else None


def _swap(state: FightState, selected: str) -> AskFlow | None:

    def other(answers: Answers) -> Field:
        others = [combatant_id for combatant_id in everybody(state) if combatant_id != answers[0]]
        return TargetField(state, f"{_name(state, answers[0])} swaps places with", others)

    def done(answers: Answers) -> Reply:
        return Give("Swap", {"who": answers[0], "target": answers[1]})

    return AskFlow([_whom(state, "Who swaps places", selected), other], done) if len(state.combatants) > 1 else None


def _side(state: FightState, selected: str) -> AskFlow | None:
    """Move a combatant to a side of any name, for good or for some rounds."""
    sides = system_of(state).sides_of(state)

    def which(answers: Answers) -> Field:
        now = state.combatants[str(answers[0])].side
        others = tuple(side for side in sides if side != now)
        question = f"{_name(state, answers[0])} joins which side (any name; 'for 3' for three rounds)"
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
    """Say how combatants fight, for the suggestions."""
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
    if not state.combatants:
        return None
    return AskFlow([_whom(state, "Who leaves", selected)], lambda answers: Give("Leave", {"who": answers[0]}))


def _come_back(state: FightState, selected: str) -> AskFlow | None:
    """Bring back a combatant who has left, as they were: wounds, effects, spent resources."""
    if not state.departed:
        return None
    system = system_of(state)
    unit = system.harm or system.words(state.settings).pool(system.health)

    def words(combatant: Combatant) -> str:
        pool = combatant.pools.get(system.health)
        # Some games count wounds upward, so "3/10 wounds" could be read either way.
        return combatant.name if pool is None else f"{combatant.name} ({pool.now} of {pool.max} {unit} left)"

    newest_first = [each.combatant for each in state.departed.values()][::-1]

    def where(answers: Answers) -> Field | None:
        board, combatant = state.board, state.departed[str(answers[0])].combatant
        if board is None:
            return None
        start = first_place(board) if combatant.at is None else combatant.at
        return place_field(state, start, f"{combatant.name} comes back at", off_key=OFF_BOARD)

    def done(answers: Answers) -> Reply:
        combatant = state.departed[str(answers[0])].combatant
        data: dict[str, Json] = {"id": combatant.id, "name": combatant.name, "at": answers[1]}
        return Give("Join", {**data, **({"hidden": True} if combatant.hidden else {})})

    who = ChoiceField("Who comes back", [(each.id, words(each)) for each in newest_first])
    return AskFlow([who, where], done)


def _copy(state: FightState, selected: str) -> AskFlow | None:
    """Add copies of a combatant, with as much health as is typed."""
    system = system_of(state)

    def how(answers: Answers) -> Field:
        combatant = state.combatants[str(answers[0])]
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
    """Damage to several by one roll, with who caused it, and half for those who save."""
    if not state.combatants:
        return None
    first = PeopleField(state, "Damage to (labels)", everybody(state))

    def done(answers: Answers) -> Reply:
        return _hurt(str(answers[0]).split(), answers[1], answers[2])

    return AskFlow([first, harm_field(state), _halved(state, lambda answers: str(answers[0]).split())], done)


def _area(state: FightState, selected: str) -> AskFlow | None:
    board = state.board
    if board is None:
        return None
    combatant = state.combatants.get(selected)
    start = combatant.at if combatant is not None and combatant.at is not None else first_place(board)

    def reached(answers: Answers) -> list[str]:
        middle, steps = _place_of(state, answers[0]), int(cast("int | str", answers[1]))
        near = (each for each in state.roster if each.at is not None and board.distance(middle, each.at) <= steps)
        return [each.id for each in near]

    def done(answers: Answers) -> Reply:
        people = reached(answers)
        return _hurt(people, answers[2], answers[3]) if people else Say("No one stands there")

    around = NumberField(f"How many {board.words[1]} around it", default="0" if board.holds_several else "1", least=0)
    asks: list[Ask] = [place_field(state, start, "Where is the middle"), around, harm_field(state)]
    return AskFlow([*asks, _halved(state, reached)], done)


def _place_of(state: FightState, answer: Json) -> Location:
    board = state.board
    assert board is not None
    return resolve_place(board, cast("Location", answer))


def _halved(state: FightState, people_of: Callable[[Answers], list[str]]) -> Ask:
    """Who takes half, if there are several."""

    def ask(answers: Answers) -> Field | None:
        people = people_of(answers)
        if not people:
            return None
        return PeopleField(state, "Who saves and takes half", people, optional=True)

    return ask


def _hurt(people: Sequence[str], amount: Json, halved: Json) -> Reply:
    data: dict[str, Json] = {"targets": list(people), **cast("Mapping[str, Json]", amount)}
    if halved:
        data["halved"] = str(halved).split()
    return Give("AreaDamage", data)


def _terrain(state: FightState, selected: str) -> AskFlow | None:
    """Paint ground on places: fire, a wall, a shut door, an area of one's own; or what was there before."""
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
    combatant = state.combatants.get(selected)
    start = combatant.at if combatant is not None and combatant.at is not None else first_place(board)

    def where(answers: Answers) -> Field:
        return BrushField(state, start, "Where (. marks another place)")

    def done(answers: Answers) -> Reply:
        return Give("Paint", {**cast("Mapping[str, Json]", answers[0]), "places": answers[1]})

    return AskFlow([ground, where], done)


def _passage(state: FightState, selected: str) -> AskFlow | None:
    board = zone_board(state.board)
    if board is None:
        return None
    combatant = state.combatants.get(selected)
    start = combatant.at if combatant is not None and isinstance(combatant.at, str) else first_place(board)  # type: ignore[arg-type]
    kinds = [("open", "an open passage"), ("door", "a closed door: a passage, but no sight"), ("none", "no passage")]

    def other(answers: Answers) -> Field:
        joined = (*board.neighbours(str(answers[0])), *(zone for zone in board.places() if zone != answers[0]))
        return place_field(state, next(iter(joined), start), f"{answers[0]} and which zone")

    def done(answers: Answers) -> Reply:
        return Give("SetPassage", {"zone": answers[0], "other": answers[1], "kind": answers[2]})

    return AskFlow([place_field(state, start, "Between which zone"), other, ChoiceField("What is there", kinds)], done)


def _skip(state: FightState, selected: str) -> AskFlow:
    field = ReadField("How much time passes (10 min, 1 h 30 min, 40 s)", read_span, default="10 min")
    return AskFlow([field], lambda answers: Give("SkipTime", {"seconds": answers[0]}))


def read_span(text: str) -> int:
    """The seconds of a span of time such as ``10 min``, ``1 h 30 min`` or ``90``, which is minutes.

    Raises:
        ValueError: it isn't one; says what is accepted.
    """
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


def _next_map_tool(maps: Callable[[], Sequence[MapChoice]]) -> Tool:
    explain = "Move the fight to another map; those who come along keep everything"
    return Tool("n", "Next map", explain, lambda state, _: _next_map(state, maps))


def _next_map(state: FightState, maps: Callable[[], Sequence[MapChoice]]) -> ListFlow | None:
    if not state.combatants:
        return None
    items = [
        Item(lambda choice=choice: choice.name, lambda choice=choice: _go_to(state, choice), group="Encounters")  # type: ignore[misc]
        for choice in maps()
    ]
    empty = "there is no encounter of this system"
    return ListFlow("Next map", items, empty=empty)


def _go_to(state: FightState, choice: MapChoice) -> Reply:
    # Reading encounters takes a moment to import, and is rarely needed.
    from fightcall_engine.archive.encounter import fields_of_next_map

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
    Tool("p", "Place anywhere", "Put a combatant on any place, or off the board", _place),
    Tool("x", "Swap places", "Two combatants trade places", _swap),
    Tool("s", "Change side", "A combatant joins any side, for good or for some rounds", _side),
    Tool("f", "Fighting style", "How combatants fight when the program suggests their acts", _style),
    Tool("l", "Leave the fight", "A combatant flees or is carried off", _leave),
    Tool(
        "b",
        "Bring back",
        "A combatant returns with the same wounds, effects and spent resources",
        _come_back,
        "No one has left the fight",
    ),
    Tool("c", "Copy", "Add copies of a combatant: a slime splits, mirror images", _copy),
    Tool("d", "Damage several", "One damage roll for several combatants, half for those who save", _damage),
    Tool("a", "Damage an area", "One damage roll for everyone around a place, half for those who save", _area),
    Tool("t", "Paint terrain", "Change the ground: fire, a wall, a door, a marked area", _terrain),
    Tool("o", "Open or shut a passage", "Change the way between two zones", _passage),
    Tool("k", "Skip time", "Let time pass in the fight; clocks and effects advance", _skip),
)
_NEEDING_BOARD = frozenset("pxat")
