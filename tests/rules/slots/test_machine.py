"""The laws of Active Phase Encounters under commands of every kind in every order (digest, section 3.2)."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fightcall_engine import commands as cm
from fightcall_engine import describe
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.squareboard import SquareBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.codec import state_from_json, to_json
from fightcall_engine.errors import BadInput, NeedsDice, Refused
from fightcall_engine.events import Event
from fightcall_engine.evolve import evolve, fold_all
from fightcall_engine.fight import Fight
from fightcall_engine.state import FightState
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import cycle
from fightcall_engine.systems.slots.explain import SUBJECTS
from fightcall_engine.systems.slots.figures import OF_AN_ACT
from fightcall_engine.systems.slots.rulings import RULINGS
from fightcall_engine.systems.slots.settings import SETTINGS
from fightcall_engine.view import player_view, public_event

from ..perft import fillings, moves
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
CHANGED = st.fixed_dictionaries(
    {}, optional={one.key: st.sampled_from(one.choices) for one in SETTINGS if one.choices}
)
SAFE_TO_ADJUST = ("name", "side", "able", "hidden", "hp", "vulnerable", "clock", "nonsense")


def sheet(draw: st.DrawFn) -> dict[str, object]:
    return {**draw(SHEETS), "abilities": [ABILITIES[name] for name in draw(LISTS)]}


@st.composite
def joins(draw: st.DrawFn, side: str, board: AnyBoard | None) -> cm.Join:
    at = draw(st.sampled_from(tuple(board.places()))) if board is not None and draw(st.booleans()) else None
    return cm.Join(name=draw(st.sampled_from(("Ivo", "Mara", "Wolf"))), side=side, sheet=sheet(draw), at=at)  # type: ignore[arg-type]


def _value(draw: st.DrawFn, state: FightState, kind: type[cm.Command], name: str) -> object:
    """Something, good or bad, for one field of a command."""
    people = (*state.combatants, "nobody")
    effects = [effect.id for one in state.combatants.values() for effect in one.effects]
    answers = [choice.id for prompt in state.prompts for choice in prompt.choices]
    words = ("", "c1", "long", "breaks", "poison", "all_resolve", "slow_burn", "yes", "down")
    small = st.integers(-2, 9)
    known: dict[str, st.SearchStrategy[object]] = {
        **{key: st.sampled_from(people) for key in ("who", "target", "after", "before", "partner", "enemy")},
        "partners": st.lists(st.sampled_from(people), max_size=2).map(tuple),
        **{
            key: st.none() | small
            for key in ("cost", "partner_cost", "needed", "pay", "result", "rounds", "amount")
        },
        "slots": small,
        "hexes": small,
        "feet": st.none() | small,
        "speed": st.none() | small | st.just("half"),
        "what": st.sampled_from(
            (*RULINGS, *(prompt.kind for prompt in state.prompts), "able", "hp", "vulnerable")
        ),
        "value": st.sampled_from((None, True, False, 1, 5, "dead", "back", *answers)),
        "kind": st.sampled_from(("damage", "heal", "slots", "debuff", "odd")),
        "prompt": st.sampled_from(("", *(prompt.kind for prompt in state.prompts), "p99")),
        "choice": st.sampled_from(("", *answers, *words)),
        "effect": st.sampled_from((*effects, "poison")),
        "side": st.sampled_from(("party", "foe", "crowd")),
        "setting": st.sampled_from(tuple(one.key for one in SETTINGS)),
        "dice": st.sampled_from(("", "d20", "twelve")),
        "damage": st.sampled_from((None, 2, "d4", "many")),
    }
    if name in ("magnitude", "modifier", "meets_after"):
        return draw(small)
    places = st.builds(Hex, small, small) | st.sampled_from((*ZONES.places(), "Attic"))
    if name == "path":
        return tuple(draw(places) for _ in range(draw(st.integers(0, 2))))
    if name == "to":
        return draw(st.none() | places)
    if name == "ground":
        return draw(st.none() | small)
    if kind in (cm.Damage, cm.Heal) and name == "amount":
        return draw(st.sampled_from((0, 2, 9, "d6", -1)))
    if kind is scm.Affect and name == "amount":
        return draw(small)
    if kind is cm.AddEffect and name in ("clock", "ticks"):
        return draw(st.sampled_from(("", "bearer", "maker", "round") if name == "clock" else ("", "start", "end")))
    if kind is cm.AddEffect and name == "by":
        return draw(known["who"])
    if name == "force":
        return False
    if name in ("hit", "allowed", "shared", "in_range", "interruptible", "success"):
        return draw(st.none() | st.booleans())
    if name in ("interrupt", "together", "counts", "on", "alike"):
        return draw(st.booleans())
    return draw(known.get(name, st.sampled_from(words)))


@st.composite
def wild(draw: st.DrawFn, state: FightState, kinds: Sequence[type[cm.Command]]) -> cm.Command:
    """Any command with any fields; those with a default are often left out."""
    kind = draw(st.sampled_from(kinds))
    given: dict[str, object] = {}
    for one in fields(kind):
        needed = one.default is MISSING and one.default_factory is MISSING
        if one.name != "rolls" and (needed or draw(st.integers(0, 2)) == 0):
            given[one.name] = _value(draw, state, kind, one.name)
    return kind(**given)  # type: ignore[arg-type]


WILD = (
    *scm.COMMANDS, cm.Waive, cm.Damage, cm.Heal, cm.AddEffect, cm.EndEffect, cm.Answer, cm.Rule, cm.Move, cm.Note,
    cm.Start, cm.Configure,
)  # fmt: skip


class SlotsMachine(RuleBasedStateMachine):
    """One encounter with a journal, and everything a GM can do to it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="slots-"))
        self.fight: Fight

    def teardown(self) -> None:
        if hasattr(self, "fight"):
            state = self.fight.state
            self.fight.close()
            twin = Fight.open(self.folder / "fight.jsonl")
            assert twin.state == state
            twin.close()
        shutil.rmtree(self.folder)

    @initialize(data=st.data(), board=BOARDS, changed=CHANGED)
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object]) -> None:
        path = self.folder / "fight.jsonl"
        self.fight = Fight.new("slots", seed="7", settings=changed, board=board, path=path)  # type: ignore[arg-type]
        for side in ("party", *data.draw(st.lists(st.sampled_from(("party", "party", "foe")), max_size=4))):
            self.do(data.draw(joins(side, board)))
        if data.draw(st.integers(0, 5)):
            for command in (cm.Start(), *[cm.Advance()] * data.draw(st.integers(0, 4))):
                self.do(command)

    def do(self, command: cm.Command) -> bool:
        """Give a command; whatever comes of it, the laws about commands hold. True where it was done."""
        before, count = self.fight.state, self.fight.line.entry_count()
        text = json.loads(json.dumps(to_json(command)))
        assert self.fight.codec.command(text.pop("type"), text) == command
        try:
            entry = self.fight.do(command)
        except NeedsDice as owed:
            rolls = {one.purpose: (1,) * 4 for one in owed.rolls}
            assert self.fight.state is before
            event("needs dice")
            return (
                self.do(replace(command, rolls={key: faces[:1] for key, faces in rolls.items()}))
                if not command.rolls
                else False
            )
        except (Refused, BadInput) as no:
            assert self.fight.state is before
            assert self.fight.line.entry_count() == count
            event(f"refused {command.type}")
            self.override_would_do(command, no)
            return False
        event(f"done {command.type}")
        self.well_done(before, entry.events)
        return True

    def override_would_do(self, command: cm.Command, no: Refused | BadInput) -> None:
        """Law 1: what is not refused for good can be overridden."""
        if isinstance(no, BadInput) or no.final:
            return
        forced = replace(command, force=True)
        with contextlib.suppress(NeedsDice):
            try:
                self.fight.decide(forced)
            except Refused as again:
                if not again.final:
                    raise AssertionError(f"{command}: forced, and still {again}") from again

    def well_done(self, before: FightState, happened: Sequence[Event]) -> None:
        state = before
        for one in happened:
            again = self.fight.codec.event(json.loads(json.dumps(to_json(one))), state.board)
            assert again == one
            assert repr(again).count("Square(") == repr(one).count("Square(")
            describe.phrase(self.fight.system, one, state)
            later = evolve(state, one)
            public_event(one, state, later)
            state = later
        assert state == self.fight.state

    # What a GM does

    @rule(data=st.data(), times=st.integers(1, 8))
    def a_stretch_of_play(self, data: st.DataObject, times: int) -> None:
        """What is offered as legal is done."""
        for _ in range(times):
            if self.fight.state.status == "closed":
                return
            name, given = data.draw(st.sampled_from(moves(self.fight)))
            command = self.fight.codec.command(name, given)
            done = self.do(command)
            excused = name == "advance" or (isinstance(command, cm.Answer) and self.waits_on_an_act(command))
            assert done or excused or self.fight.state.settings["dice"] == "table", f"{command} was offered"

    def waits_on_an_act(self, given: cm.Answer) -> bool:
        """What a question asks may have become impossible since, by the GM's hand: then yes is refused."""
        prompt = self.fight.state.prompt(given.prompt)
        return prompt is not None and prompt.kind in OF_AN_ACT and given.choice == "yes"

    @rule(data=st.data())
    def a_ruling(self, data: st.DataObject) -> None:
        state, system = self.fight.state, self.fight.system
        found = [(who, one) for who in state.combatants for one in system.rulings(state, who) if one.legal]
        if not found or state.status == "closed":
            return
        who, option = data.draw(st.sampled_from(found))
        ways = list(fillings(self.fight, who, option))
        if ways:
            given = dict(data.draw(st.sampled_from(ways)))
            if option.command == "Rule" and "who" not in option.fixed:
                given.pop("who", None)
            self.do(self.fight.codec.command(option.command, given))

    @rule(data=st.data())
    def something_greyed_out(self, data: st.DataObject) -> None:
        """What the list greys out is refused, whatever is filled in; Awareness and minor acts have no more to ask."""
        state = self.fight.state
        found = [(who, one) for who in state.combatants for one in self.fight.options(who) if not one.legal]
        if not found:
            return
        who, option = data.draw(st.sampled_from(found))
        ways = list(fillings(self.fight, who, option))
        if ways:
            command = self.fight.codec.command(option.command, data.draw(st.sampled_from(ways)))
            assert not self.do(command), f"{command} was greyed out: {option.why}"

    @rule(data=st.data())
    def something_wild(self, data: st.DataObject) -> None:
        self.do(data.draw(wild(self.fight.state, WILD)))

    @rule(data=st.data())
    def something_forced(self, data: st.DataObject) -> None:
        harmless = tuple(kind for kind in scm.COMMANDS if kind not in (scm.Awareness, scm.Stay, scm.Lock))
        self.do(replace(data.draw(wild(self.fight.state, harmless)), force=True))

    @rule(data=st.data(), what=st.sampled_from(SAFE_TO_ADJUST))
    def an_adjustment(self, data: st.DataObject, what: str) -> None:
        who = data.draw(st.sampled_from(tuple(self.fight.state.combatants) or ("nobody",)))
        value = data.draw(
            st.booleans()
            if what in ("able", "hidden", "vulnerable")
            else st.sampled_from((0, 3, "Bo", "foe"))
        )
        self.do(cm.Adjust(who=who, what=what, value=value))

    @rule(data=st.data())
    def someone_comes_or_goes(self, data: st.DataObject) -> None:
        if data.draw(st.booleans()) and len(self.fight.state.combatants) < 7:
            self.do(
                data.draw(
                    joins(data.draw(st.sampled_from(("party", "foe"))), self.fight.state.board)
                )
            )
        elif self.fight.state.combatants:
            self.do(cm.Leave(who=data.draw(st.sampled_from(tuple(self.fight.state.combatants)))))

    @rule(times=st.integers(1, 6))
    def go_on(self, times: int) -> None:
        for _ in range(times):
            self.do(cm.Advance())

    @precondition(lambda self: self.fight.line.entry_count())
    @rule(data=st.data())
    def undo_and_redo(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(1, min(4, self.fight.line.entry_count())))
        state = self.fight.state
        self.fight.undo(count)
        if data.draw(st.booleans()):
            for _ in range(count):
                self.fight.redo()
            assert self.fight.state == state

    # What always holds

    @invariant()
    def the_state_is_lawful(self) -> None:
        check_laws(self.fight.state)
        line = self.fight.line
        assert fold_all(line.seek(0), line.events()) == self.fight.state

    @invariant()
    def slots_add_up_in_every_round(self) -> None:
        """Gained = spent + lost, in every round that has closed; the clock counts rounds; places keep their order."""
        state = self.fight.line.seek(0)
        stretch: list[Event] = []
        closed = 0
        for one in self.fight.line.events():
            was = cycle.bands(state)
            locked = state.facts.get("locked") is True
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
            per_round = "StayDeclared" in [event.type for event in stretch] or one.type in (
                "CycleOrdered",
                "BandFormed",
            )
            if locked and not per_round:
                assert _relative(cycle.bands(state), was) == _relative(was, cycle.bands(state))
        assert state.clock_s == 5 * closed

    @invariant()
    def it_survives_json(self) -> None:
        assert state_from_json(json.loads(json.dumps(to_json(self.fight.state)))) == self.fight.state

    @invariant()
    def the_screen_can_draw_it(self) -> None:
        state, system = self.fight.state, self.fight.system
        shown = [who for group in system.groups(state) for who in group.members]
        assert sorted(shown) == sorted(state.combatants)
        system.reminders(state)
        system.facts(state)
        player_view(state, system)
        assert set(system.waiting(state)) <= set(state.combatants)
        for who in state.combatants:
            system.card(state, who)
            system.fields(state, who)
            keys = [one.key for one in system.options(state, who) if one.key]
            assert len(set(keys)) == len(keys), keys
            for subject in SUBJECTS:
                self.fight.explain(who, subject)


def _relative(found: cycle.Bands, other: cycle.Bands) -> list[tuple[str, ...]]:
    """The bands without those who are not in the other Cycle."""
    there = {who for band in other for who in band}
    kept = (tuple(sorted(who for who in band if who in there)) for band in found)
    return [band for band in kept if band]


SlotsMachine.TestCase.settings = settings(max_examples=20, stateful_step_count=16, deadline=None)
TestSlots = SlotsMachine.TestCase
