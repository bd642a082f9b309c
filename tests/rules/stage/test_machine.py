"""The laws of Stage Moments under commands of every kind in every order (digest, section 3.2)."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from fightcall_engine.board.base import AnyBoard, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, from_offset
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit.decision import concerns
from fightcall_engine.kit.movement import contact_shown
from fightcall_engine.model.commands import Advance, Answer, Command, Contact, Join, Move, Place, Start, Strike
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.stage import SYSTEM as STAGE
from fightcall_engine.systems.stage import entries, strikes, system
from fightcall_engine.systems.stage import records as fg
from fightcall_engine.systems.stage.records import SETTINGS, Work, figure_of, scene_of
from fightcall_engine.testkit.machine import BY_HAND, SMALL, FightMachine, Strategies, settings_strategy

HEDGE, TOWER = Terrain("hedge", cover="partial", cost=2), Terrain("tower", cover="full")
LEGEND = {"hedge": HEDGE, "tower": TOWER, "wall": Terrain("wall", blocks=True)}
GROUND = {from_offset(2, 1): "hedge", from_offset(3, 3): "tower", from_offset(4, 2): "wall"}
AREAS = (Zone("Hall", 0, 0), Zone("Yard", 1, 0, ground=Terrain("Yard", cover="partial")), Zone("Loft", 1, 1))
BOARDS = st.sampled_from(
    (None, None, HexBoard(6, 5, terrain=GROUND, legend=LEGEND), SquareBoard(5, 5), ZoneBoard(AREAS, touching(AREAS)))
)
BOW = {"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}
SWORD = {"name": "sword", "kind": "melee", "needs": 11, "damage": 3}
WAND = {"name": "wand", "kind": "magic"}
SHEETS = st.fixed_dictionaries(
    {"hp": st.sampled_from((None, 3, 9)), "strikes": st.lists(st.sampled_from((BOW, SWORD, WAND)), max_size=2)},
    optional={
        "perception": st.integers(5, 15),
        "skullduggery": st.integers(5, 15),
        "dar": st.integers(0, 3),
        "armor_beat_loss": st.sampled_from((0, 1, 14)),
        "cover": st.sampled_from(("open", "partial", "full")),
        "posture": st.sampled_from(("standing", "prone")),
        "plain_view": st.booleans(),
    },
)


class StageMachine(FightMachine):
    """One scene with a journal, and everything a GM can do to it."""

    SYSTEM = "stage"
    WILD = (*entries.COMMANDS, *BY_HAND, Strike, Place, Contact)
    FORCED = (*entries.COMMANDS, Move, Strike)
    RULINGS = STAGE.ruling_names
    WORDS = ("", "crank", "Crank", "swing", "bow", "stool", "missile", "Melee", "open", "partial", "full")

    @initialize(data=st.data(), board=BOARDS, changed=settings_strategy(SETTINGS))
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object]) -> None:
        self.open(board, changed)
        for side in ("party", "foe", *data.draw(st.lists(st.sampled_from(("party", "foe")), max_size=3))):
            self.do(data.draw(st.composite(self.joiners)(side)))
        if data.draw(st.integers(0, 5)):
            for command in (Start(), *[Advance()] * data.draw(st.integers(0, 9))):
                self.do(command)

    def joiners(self, draw: st.DrawFn, side: str) -> Join:
        board = self.fight.state.board
        at = draw(st.sampled_from(tuple(board.places()))) if board is not None and draw(st.booleans()) else None
        name = draw(st.sampled_from(("Ash", "Col", "Orc")))
        return Join(name=name, side=side, sheet=draw(SHEETS), at=at, hidden=draw(st.booleans()))

    def field_values(self, kind: type[Command]) -> Strategies:
        found: dict[str, st.SearchStrategy[object]] = {
            **dict.fromkeys(("hexes", "meets_after", "modifier"), SMALL),
            **{key: st.none() | SMALL for key in ("needs", "needed", "ground")},
            "cover": st.none() | SMALL if kind is Strike else st.sampled_from(("", *fg.COVERS, "fog")),
            "damage": st.none() | st.sampled_from((0, 2, "d6")),
            "dice": st.just("d20"),
            "kind": st.sampled_from(("", *fg.STRIKE_PHASES)),
            "beats": SMALL if kind is entries.Business else st.none() | SMALL,
            "by": st.sampled_from((*fg.SIDES, *self.fight.state.combatants)),
            "feet": st.sampled_from((None, 5.0) if kind is Move else (0.0, 25.0, 90.0)),
            "speed": st.none(),
        }
        if kind is Place:
            board = self.fight.state.board
            found["at"] = st.none() if board is None else st.none() | st.sampled_from(tuple(board.places()))
            found["facing"] = st.none()
        return found

    def adjustable_names(self, one: Combatant | None) -> tuple[str, ...]:
        if one is None:
            return ("clock_s", "hex_ft", "nonsense")
        kept = ("posture", "cover", "plain_view", "able", "hidden", "name", "side")
        return (*one.pools, *kept, *(f"max:{pool}" for pool in one.pools))

    def adjusted_values(self, one: Combatant | None) -> st.SearchStrategy[object]:
        return st.booleans() | st.sampled_from((0, 1, 7, "prone", "standing", "full", "open", "party", "foe", ""))

    def is_excused(self, command: Command, no: Refused | BadInput) -> bool:
        """What stops an offer: a question without a default, ground dearer than open, a price above what is left."""
        if isinstance(command, Advance):
            return any(not prompt.default for prompt in self.fight.state.prompts)
        if isinstance(command, Move | entries.Sneak | entries.Creep):
            return "beats" in str(no)
        prompt = self.fight.state.prompt(command.prompt) if isinstance(command, Answer) else None
        if prompt is not None and prompt.kind == "continue":
            # The next Moment waits for whoever may foil an ambush that was laid since the last one ended.
            return self.fight.state.prompt("perception") is not None
        return prompt is not None and prompt.kind == "price"

    def check_laws(self) -> None:
        self.one_able_figure_to_a_place()
        self.strikes_are_one_a_moment()
        self.no_half_passes_over_who_could_act()
        self.whoever_is_gone_is_asked_about_no_more()
        self.shared_business_stands_alike()

    def one_able_figure_to_a_place(self) -> None:
        """SB-01: unless the GM has forced it."""
        state = self.fight.state
        forced = any(one.type == "Overridden" and one.rule in ("SB-01", "place") for one in self.fight.line.events())
        if state.shares_places or forced:
            return
        taken = [one.at for one in state.combatants.values() if one.able and one.at is not None]
        assert len(taken) == len(set(taken)) or len(taken) > len(tuple(_enterable(state.board)))

    def strikes_are_one_a_moment(self) -> None:
        """SB-34, SB-36: but for what the GM has forced."""
        struck: set[str] = set()
        for entry in self.fight.line.entries:
            for one in entry.events:
                if one.type == "MomentBegan":
                    struck = set()
                elif isinstance(one, entries.StrikeDeclared):
                    assert entry.command.get("force") or one.who not in struck, one
                    struck.add(one.who)

    def no_half_passes_over_who_could_act(self) -> None:
        """SB-08: what closes by itself leaves nobody of its side with a strike who could attempt one."""
        state = self.fight.state
        if state.settings["skip_unlisted"] or state.step is None or state.phase not in fg.STRIKE_PHASES:
            return
        for one in fg.side_able(state, state.step.side):
            record = figure_of(one)
            free = record.strike == "none" and not fg.is_side_ambushed(state, one.side)
            touches = state.phase != "melee" or any(self.may_touch(one, foe) for foe in state.combatants.values())
            covered = state.phase == "missile" and "full" in (record.cover, record.cover_at_start)
            assert system.can_still_act(state, one.id, state.phase) == (free and touches and not covered)

    def may_touch(self, one: Combatant, foe: Combatant) -> bool:
        """In contact, or to be said to be where the half opened on nobody in contact and no board tells (SB-03)."""
        state = self.fight.state
        untold = contact_shown(state, one, foe) is None and not scene_of(state).melee_pairs
        return strikes.can_melee(state, one.id, foe.id) or (untold and foe.able and foe.side != one.side)

    def whoever_is_gone_is_asked_about_no_more(self) -> None:
        """No question names them, and nobody touches them."""
        state = self.fight.state
        for prompt in state.prompts:
            assert set(concerns(prompt)) <= set(state.combatants), prompt
        assert {who for pair in state.contacts for who in pair} <= set(state.combatants)

    def shared_business_stands_alike(self) -> None:
        """SB-25: what several of a side have open stands for all of them where it stands."""
        state = self.fight.state
        if any(one.type == "Renamed" for one in self.fight.line.events()):
            return
        for side in fg.SIDES:
            counts: dict[str, set[Work]] = {}
            for one in state.combatants.values():
                if one.side == side:
                    for name, stands in figure_of(one).open_works.items():
                        counts.setdefault(name, set()).add(stands)
            assert all(len(stands) == 1 for stands in counts.values()), counts


def _enterable(board: AnyBoard | None) -> tuple[object, ...]:
    return () if board is None else tuple(place for place in board.places() if board.cost_of(place) is not None)


StageMachine.TestCase.settings = settings(stateful_step_count=18)
TestStage = StageMachine.TestCase
