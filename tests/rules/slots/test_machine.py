"""The laws of Active Phase Encounters under commands of every kind in every order (digest, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.model.commands import Advance, Answer, Command, Join, Move, Start
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import entries, ongoing, preparation, rounds, views, works
from fightcall_engine.systems.slots import records as fg
from fightcall_engine.systems.slots.records import ALL_RESOLVE, OF_AN_ACT, RESERVED, SETTINGS, SLOTS
from fightcall_engine.systems.slots.system import Slots
from fightcall_engine.testkit.machine import BY_HAND, SMALL, FightMachine, Strategies, settings_strategy

from .table import ABILITIES, check_laws, spent_and_lost

AREAS = (Zone("Hall", 0, 0), Zone("Yard", 1, 0), Zone("Loft", 1, 1))
ZONES = ZoneBoard(AREAS, touching(AREAS))
BOARDS = st.sampled_from((None, HexBoard(cols=7, rows=7), SquareBoard(cols=7, rows=7), ZONES))
LISTS = st.lists(st.sampled_from(sorted(ABILITIES)), max_size=4, unique=True)
EFFECTS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(("poison", "salve", "slow", "blessed")),
            "kind": st.sampled_from(("damage", "heal", "slots", "buff", "debuff", "other")),
            "amount": st.integers(-3, 3),
        },
        optional={"rounds": st.integers(1, 3)},
    ),
    max_size=2,
)
SHEETS = st.fixed_dictionaries(
    {"agility": st.integers(-6, 3), "hp": st.sampled_from((None, 3, 9)), "effects": EFFECTS},
    optional={"vulnerable": st.booleans(), "stride": st.integers(1, 3)},
)


def sheet(draw: st.DrawFn) -> dict[str, object]:
    return {**draw(SHEETS), "abilities": [ABILITIES[name] for name in draw(LISTS)]}


class SlotsMachine(FightMachine):
    """One encounter with a journal, and everything a GM can do to it."""

    SYSTEM = "slots"
    WILD = (*entries.COMMANDS, *BY_HAND)
    FORCED = tuple(kind for kind in entries.COMMANDS if kind not in (entries.Awareness, entries.Lock))
    RULINGS = (*Slots.ruling_names, "vulnerable")
    WORDS = ("", "c1", "long", "breaks", "pincer", "poison", "burning", "all_resolve", "slow_burn", "yes", "down")
    MOST = 7
    given: Command

    @initialize(data=st.data(), board=BOARDS, changed=settings_strategy(SETTINGS))
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object]) -> None:
        self.open(board, changed)
        for side in ("party", *data.draw(st.lists(st.sampled_from(("party", "party", "foe")), max_size=4))):
            self.do(data.draw(st.composite(self.joiners)(side)))
        if data.draw(st.integers(0, 5)):
            for command in (Start(), *[Advance()] * data.draw(st.integers(0, 4))):
                self.do(command)

    def joiners(self, draw: st.DrawFn, side: str) -> Join:
        board = self.fight.state.board
        at = draw(st.sampled_from(tuple(board.places()))) if board is not None and draw(st.booleans()) else None
        return Join(name=draw(st.sampled_from(("Ivo", "Mara", "Wolf"))), side=side, sheet=sheet(draw), at=at)

    def field_values(self, kind: type[Command]) -> Strategies:
        state = self.fight.state
        people = st.sampled_from((*state.combatants, "nobody"))
        answers = [choice.id for prompt in state.prompts for choice in prompt.choices]
        found: dict[str, st.SearchStrategy[object]] = {
            **dict.fromkeys(("after", "before", "partner"), people),
            "partners": st.lists(people, max_size=2).map(tuple),
            **{key: st.none() | SMALL for key in ("cost", "partner_cost", "needed", "pay", "result", "ground")},
            "slots": SMALL,
            "hexes": SMALL,
            "value": st.sampled_from((None, True, False, 1, 5, "dead", "back", *answers)),
            "kind": st.sampled_from(("damage", "heal", "slots", "debuff", "odd")),
            "problem": st.sampled_from(("", *(problem.name for problem in works.open_problems(state)), "the dam")),
            "damage": st.sampled_from((None, 0, 2, "d4")),
        }
        return {**found, "amount": SMALL} if kind in (entries.Affect, entries.MarkZone) else found

    def adjustable_names(self, one: Combatant | None) -> tuple[str, ...]:
        if one is None:
            return ("clock", "nonsense")
        return ("name", "side", "able", "hidden", "hp", "vulnerable", "agility", "kind", "nonsense")

    def adjusted_values(self, one: Combatant | None) -> st.SearchStrategy[object]:
        return st.booleans() | st.sampled_from((0, 3, "Bo", "foe", "pc", "npc"))

    def do(self, command: Command) -> bool:
        self.given = command
        return super().do(command)

    def check_entry(self, before: FightState, happened: Sequence[Event]) -> None:
        super().check_entry(before, happened)
        after = self.fight.state
        if any(one.type == "CycleLocked" for one in happened) and not self.given.force:
            assert not preparation.missing_results(before) or not preparation.missing_results(after), (
                "the lock waits for every result"
            )
        if any(one.type == "EncounterEnded" for one in happened) and after.record.outro:
            self.nothing_is_left_over(after)

    def nothing_is_left_over(self, state: FightState) -> None:
        """AP-47: of slots, of work and of the Cycle; with All Resolve of effects and of the board neither."""
        for one in state.combatants.values():
            assert not any(one.pool(name).now for name in (SLOTS, RESERVED))
            assert not views.fields(state, one.id)["action_in_progress"]
            assert not one.effects or state.record.outro != ALL_RESOLVE
        assert not rounds.bands(state)
        assert not ongoing.zone_marks(state) or state.record.outro != ALL_RESOLVE

    def is_excused(self, command: Command, no: Refused | BadInput) -> bool:
        """What a question asks may have become impossible since, by the GM's hand: then yes is refused.

        And a way that is offered may lead into a marked zone that costs more than is left.
        """
        if isinstance(command, Move) and ongoing.zone_marks(self.fight.state):
            return no.rule in ("AP-16", "AP-21", "AP-23") if isinstance(no, Refused) else False
        if isinstance(command, Advance) or self.fight.state.settings["dice"] == "table":
            return True
        if not isinstance(command, Answer) or command.choice != "yes":
            return False
        prompt = self.fight.state.prompt(command.prompt)
        return prompt is not None and prompt.kind in OF_AN_ACT

    def check_laws(self) -> None:
        check_laws(self.fight.state)

    def check_line(self) -> None:
        """Gained = spent + lost, in every round that has closed; the clock counts rounds; places keep their order."""
        super().check_line()
        state = self.fight.line.seek(0)
        stretch: list[Event] = []
        closed = 0
        for one in self.fight.line.events():
            was = rounds.bands(state)
            locked = state.record.locked
            state = evolve(state, one)
            stretch.append(one)
            if one.type in ("FullRoundBegan", "SlowBurnRoundBegan"):
                stretch = [one]
            if one.type == "FullRoundEnded":
                closed += 1
                names = [event.type for event in stretch]
                if "LeftFight" not in names:
                    gained, spent, lost = spent_and_lost(stretch)
                    assert gained == spent + lost, (gained, spent, lost)
                assert names.count("FinalPhaseBegan") <= 1
                gains = Counter(event.who for event in stretch if isinstance(event, entries.SlotsGained))
                assert not gains or max(gains.values()) == 1, f"gained twice: {gains}"
                if not state.record.until:
                    assert waiting(state) <= passed_by(state, stretch), "the round closed over those who wait"
            per_round = "StayDeclared" in [event.type for event in stretch] or one.type in (
                "CycleOrdered",
                "BandFormed",
            )
            if locked and not per_round:
                assert _relative(rounds.bands(state), was) == _relative(was, rounds.bands(state))
        commands = [entry.command for entry in self.fight.line.entries]
        skipped = sum(each["seconds"] for each in commands if each["type"] == "SkipTime")
        assert state.clock_s == 5 * closed + skipped


def waiting(state: FightState) -> set[str]:
    """Those who could act and whose Active Phase of this round has not come; a place kept for the fallen is none."""
    return {who for who, one in state.combatants.items() if one.able and fg.awaits_phase(state, one)}


def passed_by(state: FightState, stretch: list[Event]) -> set[str]:
    """Those who could not act as their place was reached."""
    steps = [state.agenda.steps[event.index] for event in stretch if isinstance(event, entries.BandSkipped)]
    return {who for step in steps for who in rounds.step_band(state, step)}


def _relative(found: rounds.Bands, other: rounds.Bands) -> list[tuple[str, ...]]:
    """The bands without those who are not in the other Cycle."""
    there = {who for band in other for who in band}
    kept = (tuple(sorted(who for who in band if who in there)) for band in found)
    return [band for band in kept if band]


SlotsMachine.TestCase.settings = settings(stateful_step_count=16)
TestSlots = SlotsMachine.TestCase
