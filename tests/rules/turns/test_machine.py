"""The laws of Scenes, Rounds, Turns under commands of every kind in every order (digest, section 3.2)."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.model.commands import AddEffect, Advance, Command, Join, Strike
from fightcall_engine.model.events import Overridden
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.turns import SYSTEM as TURNS
from fightcall_engine.systems.turns import entries as tcm
from fightcall_engine.systems.turns import records
from fightcall_engine.systems.turns.records import SETTINGS
from fightcall_engine.testkit.machine import BY_HAND, SMALL, FightMachine, Strategies, settings_strategy
from fightcall_engine.testkit.perft import moves

from .table import check_laws, check_line

SIZE = 7
EFFECTS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(("poison", "ward", "mending", "bless")),
            "polarity": st.sampled_from(("negative", "positive", "")),
            "amount": st.sampled_from((0, 1, 4, "d4")),
        },
        optional={
            "pool": st.sampled_from(("hp", "mana", "actions", "luck")),
            "upkeep": st.integers(0, 2),
            "resource": st.sampled_from(("mana", "actions", "luck")),
            "rounds": st.integers(1, 2),
            "ends_at_turn_start": st.booleans(),
        },
    ),
    max_size=3,
)
SHEETS = st.fixed_dictionaries(
    {"speed": st.integers(-2, 3), "effects": EFFECTS},
    optional={
        "actions": st.integers(0, 3),
        "hp": st.sampled_from((0, 3, 9)),
        "mana": st.integers(0, 3),
        "focus": st.integers(0, 3),
        "resolve": st.integers(0, 3),
        "sleepless": st.booleans(),
        "dailies": st.just([{"name": "wind", "max": 1}]),
        "strikes": st.just([{"name": "sword", "needs": 10, "damage": "d6"}]),
    },
)
AREAS = (Zone("Hall", 0, 0), Zone("Yard", 1, 0), Zone("Loft", 1, 1))
ZONES = ZoneBoard(AREAS, touching(AREAS))
GROUNDS = st.sampled_from((None, HexBoard(cols=SIZE, rows=SIZE), SquareBoard(cols=SIZE, rows=SIZE), ZONES))


class TurnsMachine(FightMachine):
    """Scenes with a journal, and everything a GM can do in them."""

    SYSTEM = "turns"
    WILD = (*tcm.COMMANDS, *BY_HAND, Strike)
    FORCED = tcm.COMMANDS
    RULINGS = (*TURNS.ruling_names, "shout")
    WORDS = ("", "poison", "ward", "sword", "loot")

    @initialize(data=st.data(), board=GROUNDS, changed=settings_strategy(SETTINGS), into=st.integers(1, 9))
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object], into: int) -> None:
        self.open(board, changed)
        for side in ("party", *data.draw(st.lists(st.sampled_from(("party", "foe", "other")), min_size=1, max_size=3))):
            self.do(data.draw(st.composite(self.joiners)(side)))
        if into == 1:
            return
        mode = records.FREE if into == 2 else records.INITIATIVE
        for command in (tcm.OpenScene(mode=mode), Advance(), *[Advance()] * (into - 3)):
            self.do(command)

    def joiners(self, draw: st.DrawFn, side: str) -> Join:
        board = self.fight.state.board
        at = draw(st.sampled_from(tuple(board.places()))) if board is not None and draw(st.booleans()) else None
        name = draw(st.sampled_from(("Lea", "Pip", "Orc")))
        return Join(name=name, side=side, sheet=draw(SHEETS), at=at, hidden=draw(st.integers(0, 5)) == 0)

    def field_values(self, kind: type[Command]) -> Strategies:
        people = (*self.fight.state.combatants, "nobody")
        found: dict[str, st.SearchStrategy[object]] = {
            **{key: st.sampled_from(("", *people)) for key in ("payer", "anchor")},
            **{
                key: st.lists(st.sampled_from(people), max_size=2).map(tuple)
                for key in ("together", "resters", "guards")
            },
            **{key: st.none() | SMALL for key in ("die", "minutes", "hours", "needs")},
            **dict.fromkeys(("actions", "spend", "upkeep", "hexes", "magnitude", "modifier", "meets_after"), SMALL),
            "kind": st.sampled_from(("short", "full", "nap")),
            "mode": st.sampled_from(("free", "initiative", "", "waltz")),
            "dice": st.sampled_from(("", "d20", "twelve")),
            "damage": st.sampled_from((None, 2, "d4", "many")),
            "polarity": st.sampled_from(("negative", "positive", "", "odd")),
            "pool": st.sampled_from(("hp", "mana", "actions", "wind", "luck")),
            "resource": st.sampled_from(("", "mana", "actions", "wind", "luck")),
            "elapsed": st.sampled_from(("", "20 min", "2 h", "5 years", "soon")),
            "cover": st.none() | SMALL if issubclass(kind, Strike) else st.just(""),
            "hp_each": st.sampled_from((None, 2, "d6", "lots", -1)),
        }
        if kind is not AddEffect:
            found["ticks"] = st.sampled_from(("turn_start", "turn_end", "round_end", "noon"))
        if kind in (tcm.Affect, tcm.Spend):
            found["amount"] = SMALL if kind is tcm.Spend else st.sampled_from((0, 1, 9, "d6", "many", -1))
        return found

    def adjusted_values(self, one: Combatant | None) -> st.SearchStrategy[object]:
        return st.sampled_from((0, 1, 3, True, False, "", "delayed", "done", "begun", "e1 e2", "1:e1 fell", None))

    def check_laws(self) -> None:
        """Everybody has one turn a round, unless the GM has set the rules aside, or made somebody able or unable."""
        check_laws(self.fight.state)
        line = self.fight.line
        meddled = any(entry.command["type"] in ("Adjust", "Rule", "Configure") for entry in line.entries)
        if not meddled and not any(isinstance(one, Overridden) for one in line.events()):
            check_line(line)
        self.play_waits_for_somebody()

    def play_waits_for_somebody(self) -> None:
        """The agenda rests only where somebody is asked: at an offer, in step 5, or at a question."""
        state = self.fight.state
        if state.status != "running" or state.is_blocked() or not records.is_in_rounds(state) or state.step is None:
            return
        assert state.phase in (records.OFFER, records.ACTING), state.step
        assert records.actor_of(state) is not None

    @rule(data=st.data(), times=st.integers(1, 20))
    def rounds(self, data: st.DataObject, times: int) -> None:
        """Turns are taken, put off, begun again, ended, with what falls into them."""
        kinds = ("Take", "Delay", "StepIn", "EndTurn", "Act", "React", "Strike", "Forfeit", "answer", "advance")
        for _ in range(times):
            found = [one for one in moves(self.fight) if one[0] in kinds]
            if not found or not records.is_in_rounds(self.fight.state):
                return
            self.offered(data, found)

    @precondition(lambda self: records.is_in_rounds(self.fight.state))
    @rule(data=st.data())
    def an_effect(self, data: st.DataObject) -> None:
        self.do(data.draw(st.composite(self.wild)((tcm.Affect,))))


TurnsMachine.TestCase.settings = settings(stateful_step_count=16)
TestTurns = TurnsMachine.TestCase
