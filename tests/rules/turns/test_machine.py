"""The laws of Scenes, Rounds, Turns under commands of every kind in every order (digest, section 3.2)."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from random import Random

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fightcall_engine import commands as cm
from fightcall_engine import describe
from fightcall_engine import events as ev
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.squareboard import SquareBoard
from fightcall_engine.codec import state_from_json, to_json
from fightcall_engine.errors import BadInput, NeedsDice, Refused
from fightcall_engine.events import Event
from fightcall_engine.evolve import evolve, fold_all
from fightcall_engine.fight import Fight
from fightcall_engine.state import FightState
from fightcall_engine.systems.turns import commands as tcm
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns.rulings import RULINGS
from fightcall_engine.systems.turns.settings import SETTINGS
from fightcall_engine.view import player_view, public_event

from ..perft import fillings, moves
from .table import check_laws, check_line

SIZE = 7
SUBJECTS = ("initiative", "order", "actions", "reactions", "turn", "effects", "hp", "rest")
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
GROUNDS = st.sampled_from((None, HexBoard(cols=SIZE, rows=SIZE), SquareBoard(cols=SIZE, rows=SIZE)))
CHANGED = st.fixed_dictionaries({}, optional={one.key: st.sampled_from(one.choices) for one in SETTINGS if one.choices})


@st.composite
def joins(draw: st.DrawFn, side: str, board: bool) -> cm.Join:
    at = Hex(draw(st.integers(0, 3)), draw(st.integers(0, SIZE - 1))) if board and draw(st.booleans()) else None
    name = draw(st.sampled_from(("Lea", "Pip", "Orc")))
    return cm.Join(name=name, side=side, sheet=draw(SHEETS), at=at, hidden=draw(st.integers(0, 5)) == 0)


def _value(draw: st.DrawFn, state: FightState, kind: type[cm.Command], name: str) -> object:
    """Something, good or bad, for one field of a command."""
    people = (*state.combatants, "nobody")
    effects = [effect.id for one in state.combatants.values() for effect in one.effects]
    answers = [choice.id for prompt in state.prompts for choice in prompt.choices]
    small = st.integers(-2, 9)
    known: dict[str, st.SearchStrategy[object]] = {
        **{key: st.sampled_from(people) for key in ("who", "target", "enemy", "meets")},
        **{key: st.sampled_from(("", *people)) for key in ("payer", "anchor")},
        **{key: st.lists(st.sampled_from(people), max_size=2).map(tuple) for key in ("together", "resters", "guards")},
        **{key: st.none() | small for key in ("die", "minutes", "hours", "rounds", "needs")},
        **dict.fromkeys(("actions", "spend", "upkeep", "hexes", "magnitude", "modifier", "meets_after"), small),
        **{key: st.none() | st.booleans() for key in ("hit",)},
        "feet": st.none() | small,
        "ground": st.none() | small,
        "speed": st.none() | small | st.just("half"),
        "ends_at_turn_start": st.booleans(),
        "what": st.sampled_from((*RULINGS, *(prompt.kind for prompt in state.prompts), "hp", "able", "shout")),
        "value": st.sampled_from((None, True, False, 1, 5, "free", "initiative", "poison", *answers)),
        "kind": st.sampled_from(("short", "full", "nap")),
        "mode": st.sampled_from(("free", "initiative", "", "waltz")),
        "prompt": st.sampled_from(("", *(prompt.kind for prompt in state.prompts), "p99")),
        "choice": st.sampled_from(("", *answers, "maybe")),
        "effect": st.sampled_from((*effects, "poison", "ward")),
        "side": st.sampled_from(("party", "foe", "crowd")),
        "setting": st.sampled_from(tuple(one.key for one in SETTINGS)),
        "dice": st.sampled_from(("", "d20", "twelve")),
        "damage": st.sampled_from((None, 2, "d4", "many")),
        "polarity": st.sampled_from(("negative", "positive", "", "odd")),
        "pool": st.sampled_from(("hp", "mana", "actions", "wind", "luck")),
        "resource": st.sampled_from(("", "mana", "actions", "wind", "luck")),
        "ticks": st.sampled_from(("turn_start", "turn_end", "round_end", "noon")),
        "elapsed": st.sampled_from(("", "20 min", "2 h", "5 years", "soon")),
        "cover": st.none() | small if kind is cm.Strike else st.just(""),
        "hp_each": st.sampled_from((None, 2, "d6", "lots", -1)),
    }
    if name == "amount":
        whole = kind in (tcm.Spend,)
        return draw(small if whole else st.sampled_from((0, 1, 9, "d6", "many", -1)))
    if name == "path":
        return tuple(Hex(draw(small), draw(small)) for _ in range(draw(st.integers(0, 2))))
    if name == "to":
        return draw(st.none() | st.builds(Hex, small, small))
    if kind is cm.AddEffect and name in ("clock", "ticks"):
        return draw(st.sampled_from(("", "bearer", "maker", "round") if name == "clock" else ("", "start", "end")))
    if kind is cm.AddEffect and name == "by":
        return draw(known["who"])
    if name == "force":
        return False
    if name == "alike":
        return draw(st.booleans())
    return draw(known.get(name, st.sampled_from(("", "poison", "ward", "sword", "loot"))))


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
    *tcm.COMMANDS, cm.Waive, cm.Damage, cm.Heal, cm.AddEffect, cm.EndEffect, cm.Answer, cm.Rule, cm.Move, cm.Strike,
    cm.Note, cm.Start, cm.Configure,
)  # fmt: skip


class TurnsMachine(RuleBasedStateMachine):
    """Scenes with a journal, and everything a GM can do in them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="turns-"))
        self.fight: Fight

    def teardown(self) -> None:
        if hasattr(self, "fight"):
            state = self.fight.state
            self.fight.close()
            twin = Fight.open(self.folder / "fight.jsonl")
            assert twin.state == state
            twin.close()
        shutil.rmtree(self.folder)

    @initialize(data=st.data(), board=GROUNDS, changed=CHANGED, table=st.integers(0, 5), into=st.integers(1, 9))
    def begin(
        self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object], table: int, into: int
    ) -> None:
        changed["dice"] = "table" if table == 0 else "engine"
        path = self.folder / "fight.jsonl"
        self.fight = Fight.new("turns", seed="7", settings=changed, board=board, path=path)  # type: ignore[arg-type]
        for side in ("party", *data.draw(st.lists(st.sampled_from(("party", "foe", "other")), min_size=1, max_size=3))):
            self.do(data.draw(joins(side, board is not None)))
        if into == 1:
            return
        mode = fg.FREE if into == 2 else fg.INITIATIVE
        for command in (tcm.OpenScene(mode=mode), cm.Advance(), *[cm.Advance()] * (into - 3)):
            self.do(command)

    def do(self, command: cm.Command) -> bool:
        """Give a command; whatever comes of it, the laws about commands hold. True where it was done."""
        text = json.loads(json.dumps(to_json(command)))
        assert self.fight.codec.command(text.pop("type"), text) == command
        before, count = self.fight.state, self.fight.line.entry_count()
        for _ in range(40):
            try:
                entry = self.fight.do(command)
            except NeedsDice as owed:
                assert self.fight.state is before
                event("needs dice")
                command = replace(command, rolls={**command.rolls, **_thrown(owed, command)})
            except (Refused, BadInput) as no:
                assert self.fight.state is before
                assert self.fight.line.entry_count() == count
                event(f"refused {command.type}")
                self.override_would_do(command, no)
                return False
            else:
                event(f"done {command.type}")
                self.well_done(before, entry.events)
                return True
        raise AssertionError(f"{command} never has enough dice")

    def override_would_do(self, command: cm.Command, no: Refused | BadInput) -> None:
        """Law 1: what is not refused for good can be overridden."""
        assert str(no)
        if isinstance(no, BadInput) or no.final:
            return
        with contextlib.suppress(NeedsDice):
            try:
                self.fight.decide(replace(command, force=True))
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

    @rule(data=st.data(), times=st.integers(1, 12))
    def a_stretch_of_play(self, data: st.DataObject, times: int) -> None:
        """What is offered as legal is done."""
        for _ in range(times):
            if self.fight.state.status == "closed":
                return
            name, given = data.draw(st.sampled_from(moves(self.fight)))
            command = self.fight.codec.command(name, given)
            assert self.do(command), f"{command} was offered"

    @rule(data=st.data(), times=st.integers(1, 20))
    def rounds(self, data: st.DataObject, times: int) -> None:
        """Turns are taken, put off, begun again, ended, with what falls into them."""
        kinds = ("Take", "Delay", "StepIn", "EndTurn", "Act", "React", "Strike", "Forfeit", "answer", "advance")
        for _ in range(times):
            found = [one for one in moves(self.fight) if one[0] in kinds]
            if not found or not fg.in_rounds(self.fight.state):
                return
            name, given = data.draw(st.sampled_from(found))
            assert self.do(self.fight.codec.command(name, given)), f"{name} {given} was offered"

    @precondition(lambda self: fg.in_rounds(self.fight.state))
    @rule(data=st.data())
    def an_effect(self, data: st.DataObject) -> None:
        self.do(data.draw(wild(self.fight.state, (tcm.Affect,))))

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
        """What the list greys out is refused, whatever is filled in."""
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
        self.do(replace(data.draw(wild(self.fight.state, tcm.COMMANDS)), force=True))

    @rule(data=st.data())
    def an_adjustment(self, data: st.DataObject) -> None:
        """Anything on the screen can be changed by a ruling (law 1), to anything of its kind."""
        state = self.fight.state
        who = data.draw(st.sampled_from((*state.combatants, "")))
        one = state.combatants.get(who)
        facts = ("clock_s", *state.facts)
        known = (*one.pools, *one.traits, "able", "hidden", "max:actions", "max:hp") if one else facts
        value = st.sampled_from((0, 1, 3, True, False, "", "delayed", "done", "begun", "e1 e2", "1:e1 fell", None))
        self.do(cm.Adjust(who=who, what=data.draw(st.sampled_from(known)), value=data.draw(value)))

    @rule(data=st.data())
    def someone_comes_or_goes(self, data: st.DataObject) -> None:
        people = tuple(self.fight.state.combatants)
        if data.draw(st.booleans()) and len(people) < 6:
            side = data.draw(st.sampled_from(("party", "foe")))
            self.do(data.draw(joins(side, self.fight.state.board is not None)))
        elif people:
            self.do(cm.Leave(who=data.draw(st.sampled_from(people))))

    @rule(times=st.integers(1, 12))
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

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        """Any moment is the fold of what led to it."""
        line = self.fight.line
        place = data.draw(st.integers(0, len(line)))
        assert line.seek(place) == fold_all(line.seek(0), tuple(line.events())[:place])

    # What always holds

    @invariant()
    def the_state_is_lawful(self) -> None:
        check_laws(self.fight.state)
        line = self.fight.line
        assert fold_all(line.seek(0), line.events()) == self.fight.state

    @invariant()
    def everybody_has_one_turn_a_round(self) -> None:
        """Unless the GM has set the rules aside, or made somebody able or unable."""
        line = self.fight.line
        meddled = any(entry.command["type"] in ("Adjust", "Rule", "Configure") for entry in line.entries)
        if not meddled and not any(isinstance(one, ev.Overridden) for one in line.events()):
            check_line(line)

    @invariant()
    def it_survives_json(self) -> None:
        assert state_from_json(json.loads(json.dumps(to_json(self.fight.state)))) == self.fight.state

    @invariant()
    def play_waits_for_somebody(self) -> None:
        """The agenda rests only where somebody is asked: at an offer, in step 5, or at a question."""
        state = self.fight.state
        if state.status != "running" or state.blocked() or not fg.in_rounds(state) or state.step is None:
            return
        assert state.phase in (fg.OFFER, fg.ACTING), state.step
        assert fg.actor(state) is not None

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
            system.rulings(state, who)
            keys = [one.key for one in system.options(state, who) if one.key]
            assert len(set(keys)) == len(keys), keys
            for subject in SUBJECTS:
                self.fight.explain(who, subject)


def _thrown(owed: NeedsDice, command: cm.Command) -> dict[str, tuple[int, ...]]:
    """Faces for what is owed, more of them for a tie that is thrown again."""
    found = {}
    for one in owed.rolls:
        before = command.rolls.get(one.purpose, ())
        face = Random(f"{one.purpose} {len(before)}").randint(1, 4)
        found[one.purpose] = (*before, face)
    return found


TurnsMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=16, deadline=None)
TestTurns = TurnsMachine.TestCase
