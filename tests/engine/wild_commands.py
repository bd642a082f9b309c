"""Commands that a GM, a script or a cat on the keyboard might give: from what is offered, and from nothing at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields

from hypothesis import strategies as st

from fightcall_engine.board.base import AnyBoard, Hex, Location, Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, from_offset
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model.commands import Command, Join
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.stage.records import PHASES, SETTINGS

COLS, ROWS = 6, 5
GROUND = {(2, 2): "rock", (3, 1): "mud", (1, 3): "hedge"}
LEGEND = {
    "rock": Terrain("rock", "^", blocks=True, blocks_sight=True),
    "mud": Terrain("mud", "~", cost=2),
    "hedge": Terrain("hedge", "#", cover="partial"),
}
BOARD = HexBoard(COLS, ROWS, terrain={from_offset(*place): name for place, name in GROUND.items()}, legend=LEGEND)
SQUARES = SquareBoard(COLS, ROWS, terrain={Square(*place): name for place, name in GROUND.items()}, legend=LEGEND)

ZONES = ZoneBoard(
    (
        Zone("Hall", 0, 0, 2, 2),
        Zone("Loft", 2, 0, 2, 2, Terrain("Loft", cost=3, cover="partial")),
        Zone("Yard", 0, 2, 4, 1, Terrain("Yard", blocks_sight=True)),
        Zone("Pit", 4, 2, 1, 1, Terrain("Pit", blocks=True)),
    ),
    (Border("Hall", "Loft"), Border("Hall", "Yard", blocks_sight=True), Border("Yard", "Pit")),
)
BOARDS = st.sampled_from((None, BOARD, SQUARES, ZONES))

PLACES = st.builds(from_offset, st.integers(0, COLS - 1), st.integers(0, ROWS - 1))
ANYWHERE = st.one_of(
    st.builds(Hex, st.integers(-3, COLS + 2), st.integers(-2, ROWS + 2)),
    st.sampled_from((*ZONES.places(), "ha", "F5", "Attic", "")),
)
TEXT = st.text(max_size=8)
SMALL = st.integers(0, 6)
NUMBER = st.one_of(SMALL, st.integers(-40, 40))
DICE = st.sampled_from(("d20", "2d6+1", "3d6kh2", "7", "d4-3", "twelve", ""))
SCALAR = st.one_of(st.none(), st.booleans(), NUMBER, TEXT, st.floats(allow_nan=False, allow_infinity=False))

SETTINGS_CHANGED = st.fixed_dictionaries(
    {},
    optional={
        **{one.key: st.sampled_from(one.choices) for one in SETTINGS if one.choices},
        "moment_seconds": st.sampled_from((0, 30, 60)),
        "strike_beat_cost": st.integers(0, 3),
        "partial_cover_mod": st.integers(-1, 3),
    },
)
WEAPONS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(("bow", "sword", "spark")),
            "kind": st.sampled_from(("missile", "melee", "magic")),
            "needs": st.sampled_from((None, 8, 14)),
            "damage": st.sampled_from((None, 2, "d6", "2d4-1")),
        }
    ),
    max_size=3,
)
SHEETS = st.fixed_dictionaries(
    {"hp": st.sampled_from((None, 0, 3, 9)), "strikes": WEAPONS},
    optional={
        "agility": st.integers(1, 20),
        "skullduggery": st.integers(1, 20),
        "dar": st.integers(0, 3),
        "base_beats": st.sampled_from((0, 1, 7, 14)),
        "armor_beat_loss": st.integers(0, 3),
        "cover": st.sampled_from(("open", "partial", "full")),
        "posture": st.sampled_from(("standing", "prone")),
        "plain_view": st.booleans(),
        "height_ft": st.sampled_from((4.0, 6.0)),
    },
)


def joins(side: str, *, board: AnyBoard | None) -> st.SearchStrategy[Join]:
    """One combatant of a side, often on the board and sometimes hidden."""
    return st.builds(
        Join,
        name=st.sampled_from(("Ash", "Bo", "Orc", "Rat 2")),
        side=st.just(side),
        sheet=SHEETS,
        at=st.none() if board is None else st.none() | st.sampled_from(tuple(board.places())),
        hidden=st.booleans(),
    )


def _names(state: FightState) -> st.SearchStrategy[str]:
    known = [*state.combatants, *(one.label for one in state.combatants.values())]
    return st.sampled_from((*known, *known, *known, "nobody", ""))


def _amounts() -> st.SearchStrategy[int | str]:
    return st.one_of(SMALL, DICE, NUMBER)


def _rolls() -> st.SearchStrategy[dict[str, tuple[int, ...]]]:
    purposes = st.sampled_from(("attack", "damage", "sneak", "check", "agility", "perception", "heal", "luck"))
    faces = st.lists(st.integers(0, 21), max_size=2).map(tuple)
    return st.one_of(st.just({}), st.dictionaries(purposes, faces, max_size=2))


def _whats(state: FightState) -> st.SearchStrategy[str]:
    pools = ["hp", "beats", "max:hp", "max:beats"]
    known = ["name", "side", "able", "hidden", "clock_s", *find_system("stage").ruling_names, *pools * 3]
    known += [trait for one in state.combatants.values() for trait in one.remembered]
    known += [*state.remembered, *(prompt.kind for prompt in state.prompts), "nonsense"]
    return st.sampled_from(known)


def _values(state: FightState) -> st.SearchStrategy[object]:
    words = ("party", "foe", "open", "full", "agility", "free", "moment", "granted", "holds", "party foe", "1/3")
    known = (*words, *(choice.id for prompt in state.prompts for choice in prompt.choices))
    return SCALAR | st.sampled_from(known)


def _effects(state: FightState) -> st.SearchStrategy[str]:
    known = [name for one in state.combatants.values() for effect in one.effects for name in (effect.id, effect.name)]
    return st.sampled_from((*known, "burning"))


def _covers() -> st.SearchStrategy[str]:
    return st.sampled_from(("", "open", "partial", "full", "fog"))


def _settings(command: str) -> st.SearchStrategy[str]:
    return st.sampled_from((*(one.key for one in SETTINGS), "weather"))


def field_strategy(state: FightState, kind: str, name: str) -> st.SearchStrategy[object]:
    """Values, good and bad, for one field of a command."""
    prompts = st.sampled_from((*(one.id for one in state.prompts), *(one.kind for one in state.prompts), "", "p99"))
    answers = st.sampled_from((*(one.id for prompt in state.prompts for one in prompt.choices), "", "maybe"))
    table: dict[str, Callable[[], st.SearchStrategy[object]]] = {
        "who": lambda: _names(state), "target": lambda: _names(state), "enemy": lambda: _names(state),
        "meets": lambda: st.just("") | _names(state),
        "by": lambda: st.sampled_from(("party", "foe", *state.combatants)),
        "at": lambda: st.none() | ANYWHERE, "to": lambda: st.none() | PLACES | ANYWHERE,
        **dict.fromkeys(("path", "places"), lambda: st.lists(ANYWHERE, max_size=3).map(tuple)),
        "cover": _covers if kind != "Strike" else lambda: st.none() | NUMBER,
        "side": lambda: st.sampled_from(("", "party", "foe", "crowd")), "sheet": lambda: SHEETS | st.just({"luck": 1}),
        "id": lambda: st.sampled_from(("", "ash", "zed", "a b")), "label": lambda: st.sampled_from(("", "A", "1", "q")),
        "count": lambda: st.integers(0, 3), "squad": lambda: st.sampled_from(("", "rats", "a b")),
        "facing": lambda: st.none() | st.integers(0, 8) if kind != "Face" else NUMBER,
        "kind": lambda: st.sampled_from(("", "missile", "melee", "magic", "bite")),
        "weapon": lambda: st.sampled_from(("", "bow", "sword", "Spark", "spoon")),
        "amount": lambda: st.none() | _amounts() if kind == "Answer" else _amounts(),
        "damage": lambda: st.none() | _amounts(), "dice": lambda: DICE,
        "pool": lambda: st.sampled_from(("hp", "beats", "luck")), "effect": lambda: _effects(state),
        "clock": lambda: st.sampled_from(("", "round", "bearer", "maker", "sand")),
        "ticks": lambda: st.sampled_from(("", "start", "end")),
        "rounds": lambda: st.none() | SMALL, "what": lambda: _whats(state), "value": lambda: _values(state),
        "setting": lambda: _settings(kind), "prompt": lambda: prompts, "choice": lambda: answers, "rolls": _rolls,
        "until": lambda: st.sampled_from(("", *PHASES, "Administration", "lunch")),
        "feet": lambda: st.sampled_from((0.0, 5.0, 25, -1.0, 1e9)), "speed": lambda: st.sampled_from((None, 6, "half")),
        "height_ft": lambda: st.none() | st.floats(0, 9),
        "name": lambda: st.sampled_from(("Bo", "dig", "leap", "")) | TEXT,
        **{word: lambda: TEXT for word in ("reason", "note", "text", "capability")},
        **{word: lambda: NUMBER for word in ("hexes", "meets_after", "modifier", "magnitude")},
        **{word: lambda: st.none() | NUMBER for word in ("needs", "needed", "ground")},
        "beats": lambda: NUMBER if kind == "Business" else st.none() | NUMBER,
        **{word: lambda: st.none() | st.booleans() for word in ("hit", "passed")},
        **dict.fromkeys(("force", "alike", "hidden", "anew", "on"), st.booleans),
        **dict.fromkeys(("fast_talk", "quick", "each_time", "heals"), st.booleans),
        "when": lambda: st.sampled_from(({"round": 2}, {"down": "foe", "count": 1}, {"acts": "ash"}, {"tea": 4}, {})),
        "then": lambda: st.sampled_from(({"say": "Now"}, {"ask": "What now?"}, {"propose": {"do": "advance"}}, {})),
        "cue": lambda: st.sampled_from(("", "now", *(cue.id for cue in state.cues))),
        **dict.fromkeys(("targets", "halved", "along"), lambda: st.lists(_names(state), max_size=3).map(tuple)),
        "area": lambda: st.lists(ANYWHERE, max_size=3).map(tuple),
        **dict.fromkeys(("zone", "other"), lambda: st.sampled_from((*ZONES.places(), "ha", "Attic", ""))),
        "pools": lambda: st.dictionaries(st.sampled_from(("hp", "beats", "luck")), NUMBER, max_size=2),
        "terrain": lambda: st.sampled_from(("", "mud", "rock", "fire", "open", "a" * 300)),
        "glyph": lambda: st.sampled_from(("", "F", "~", "??")),
        "fights": lambda: st.sampled_from(("", "pack", "brave")), "whom": lambda: st.just("") | _names(state),
        "word": lambda: st.sampled_from(("pack", "protects", "bold")),
        "harm": lambda: st.none() | DICE, "harm_at": lambda: st.sampled_from((None, "enter", "round")),
        "cost": lambda: st.none() | NUMBER, "seconds": lambda: NUMBER | st.sampled_from((60, 600, 10**9)),
        "split": st.booleans, **dict.fromkeys(("blocks", "blocks_sight"), lambda: st.none() | st.booleans()),
        "board": lambda: st.sampled_from(({}, *(one.to_json() for one in (BOARD, SQUARES, ZONES)), {"kind": "cube"})),
        "joins": lambda: st.sampled_from(((), ({"name": "Rat"},), ({"nobody": 1},))),
        "cues": lambda: st.sampled_from(((), ({"when": {"round": 2}, "then": {"say": "Now"}},), ({"when": 1},))),
    }  # fmt: skip
    if kind == "ChangeMap" and name == "places":
        return st.dictionaries(_names(state), ANYWHERE, max_size=2)
    if (kind, name) == ("Paint", "cover"):
        return st.none() | _covers()
    if (kind, name) == ("SetPassage", "kind"):
        return st.sampled_from(("open", "door", "none"))
    return table[name]()


@st.composite
def wild(draw: st.DrawFn, state: FightState, kinds: tuple[type[Command], ...]) -> Command:
    """Any command with any fields; those with a default are often left out."""
    kind = draw(st.sampled_from(kinds))
    given: dict[str, object] = {}
    for one in fields(kind):
        needed = one.default is MISSING and one.default_factory is MISSING
        if needed or draw(st.integers(0, 4)) == 0:
            given[one.name] = draw(field_strategy(state, kind.__name__, one.name))
    return kind(**given)  # type: ignore[arg-type]


def _filled(draw: st.DrawFn, state: FightState, who: str, wanted: Input) -> dict[str, object]:
    """What a GM would type for one input of an option."""
    if wanted.kind == "target":
        return {wanted.name: draw(st.sampled_from(wanted.choices))} if wanted.choices else {}
    if wanted.kind == "path":
        here = state.combatants[who].at
        if state.board is None or here is None:
            return {"hexes": draw(st.integers(1, 3)), "meets": draw(st.just("") | _names(state))}
        return {wanted.name: draw(_walks(state.board, here))}
    if wanted.kind == "place":
        here = state.combatants[who].at
        near = state.board.neighbours(here) if state.board is not None and here is not None else ()
        return {wanted.name: draw(st.sampled_from(near))} if near else {}
    if wanted.kind == "outcome":
        return {"hit": draw(st.booleans())} if draw(st.booleans()) else {}
    if wanted.optional and draw(st.booleans()):
        return {}
    values: dict[str, st.SearchStrategy[object]] = {
        "number": st.integers(1, 4),
        "text": st.sampled_from(("dig", "leap", "hail")),
        "choice": st.sampled_from(wanted.choices or ("",)),
        "amount": st.integers(0, 5) | st.sampled_from(("d6", "2d4")),
    }
    return {wanted.name: draw(values[wanted.kind])}


@st.composite
def _walks(draw: st.DrawFn, board: AnyBoard, here: Location) -> list[Location]:
    way: list[Location] = []
    for _ in range(draw(st.integers(1, 4))):
        here = draw(st.sampled_from(board.neighbours(here)))
        way.append(here)
    return way


@st.composite
def offered(draw: st.DrawFn, fight: Fight, *, legal: bool = True, rulings: bool = False) -> Command | None:
    """Something from the lists of what can be done now, its inputs filled in; None where there is nothing."""
    state = fight.state
    found = [
        (who, option)
        for who in sorted(state.combatants)
        for option in (fight.system.rulings(state, who) if rulings else fight.options(who))
        if option.legal == legal
    ]
    acts = [(who, option) for who, option in found if option.action not in ("waive", "cover")]
    chosen = acts if acts and draw(st.integers(0, 5)) else found
    return as_command(draw, fight, *draw(st.sampled_from(chosen))) if found else None


def as_command(draw: st.DrawFn, fight: Fight, who: str, option: Option) -> Command:
    """The command an option becomes when its inputs are filled in."""
    kind = fight.codec.command_kinds[option.command.lower()]
    given: dict[str, object] = {"who": who} if any(one.name == "who" for one in fields(kind)) else {}
    if option.command == "Rule":
        given = {}
    for wanted in option.inputs:
        given |= _filled(draw, fight.state, who, wanted)
    return fight.codec.command(option.command, {**given, **option.fixed})


@st.composite
def answer(draw: st.DrawFn, fight: Fight) -> Command:
    """An answer to one of the open prompts that it accepts, or at least looks as if."""
    prompt = draw(st.sampled_from(fight.state.prompts))
    given: dict[str, object] = {"prompt": prompt.id}
    if prompt.amount and draw(st.booleans()):
        given["amount"] = draw(st.integers(0, 4) | st.sampled_from(("d4", "2d6")))
    elif prompt.choices:
        given["choice"] = draw(st.sampled_from(prompt.choices)).id
        if given["choice"] == "hit" and draw(st.booleans()):
            given["amount"] = draw(SMALL)
    return fight.codec.command("answer", given)
