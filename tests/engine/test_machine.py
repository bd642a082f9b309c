"""The laws of a fight, under commands of every kind in every order: design laws 1 and 3 to 7."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.kit import phrases
from fightcall_engine.model.commands import (
    CORE_COMMANDS,
    AddEffect,
    Adjust,
    Advance,
    Close,
    Command,
    Configure,
    Contact,
    Damage,
    EndEffect,
    Heal,
    Leave,
    Move,
    Place,
    Rule,
    Start,
    Strike,
)
from fightcall_engine.model.dice import parse
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import FightState
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Change, Fight
from fightcall_engine.play.history import Entry
from fightcall_engine.play.story import player_view, public_events
from fightcall_engine.systems.stage.records import PHASES

from line_laws import check_line, check_state  # isort: skip
from wild_commands import BOARDS, SETTINGS_CHANGED, answer, joins, offered, wild  # isort: skip

BY_HAND = (
    Adjust, Damage, Heal, AddEffect, EndEffect, Leave, Place, Contact, Configure, Rule,
)  # fmt: skip
NOW = "2024-05-01T18:00:00+00:00"


def written(state: FightState) -> str:
    """A state as text, to see later that nobody has touched it."""
    return json.dumps(to_json(state))


class FightMachine(RuleBasedStateMachine):
    """One fight with a journal, a reader who polls it, and everything a GM can do to it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="fight-"))
        self.path = self.folder / "fight.jsonl"
        self.told: list[Change] = []
        self.seen: list[tuple[FightState, str]] = []
        self.looks = 0
        self.fight: Fight

    def teardown(self) -> None:
        if hasattr(self, "fight"):
            self.fight.close()
            for state, text in self.seen:
                assert written(state) == text, "a state was changed in place"
        shutil.rmtree(self.folder)

    # Beginning

    @initialize(data=st.data(), board=BOARDS, changed=SETTINGS_CHANGED, table=st.integers(0, 5))
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object], table: int) -> None:
        changed["dice"] = "table" if table == 0 else "engine"
        fight = Fight.new("stage", seed="7", settings=changed, board=board, path=self.path, clock=lambda: NOW)
        self.take(fight)
        self.watcher = Fight.watch(self.path)
        sides = data.draw(st.permutations(("party", "party", "foe", "foe")))
        for side in sides[: data.draw(st.integers(2, 4))]:
            self.do(data, data.draw(joins(side, board=board)))
        if data.draw(st.integers(0, 4)):
            self.do(data, Start())

    def take(self, fight: Fight) -> None:
        self.fight = fight
        fight.subscribe(self.told.append)

    # Doing

    def do(self, data: st.DataObject, command: Command) -> Entry | None:
        """Give a command, throwing the dice it asks for; whatever comes of it, the laws about commands hold."""
        self.survives_json(command)
        for _ in range(8):
            before, size, told = self.fight.state, self.path.stat().st_size, len(self.told)
            self.seen.append((before, written(before)))
            try:
                entry = self.fight.do(command)
            except NeedsDice as need:
                self.nothing_changed(before, size, told)
                faces = {one.purpose: (data.draw(st.integers(1, 4)),) * 3 for one in need.rolls}
                fitting = {key: thrown[: _dice_of(need, key)] for key, thrown in faces.items()}
                event("needs dice")
                earlier = {key: thrown for key, thrown in command.rolls.items() if key not in fitting}
                command = _with_rolls(command, {**earlier, **fitting})
            except (Refused, BadInput) as no:
                self.nothing_changed(before, size, told)
                event(f"refused {command.type}")
                self.override_would_do(command, no)
                return None
            else:
                event(f"done {command.type}")
                self.well_done(before, entry, told)
                return entry
        raise AssertionError(f"{command} never has enough dice")

    def nothing_changed(self, before: FightState, size: int, told: int) -> None:
        assert self.fight.state is before
        assert self.path.stat().st_size == size
        assert len(self.told) == told

    def override_would_do(self, command: Command, no: Refused | BadInput) -> None:
        """Law 1: what is not refused for good can be overridden."""
        assert str(no)
        if isinstance(no, BadInput) or no.final:
            return
        again = None
        try:
            self.fight.decide(_forced(command))
        except (NeedsDice, BadInput):
            # What cannot be read stays so: nobody overrules a setting or a sheet that there is not.
            return
        except Refused as refused:
            again = refused
        assert again is None or again.final, f"{command}: forced, and still {again}"

    def survives_json(self, command: Command) -> None:
        made = json.loads(json.dumps(to_json(command)))
        name = made.pop("type")
        assert self.fight.codec.command(name, made) == command

    def well_done(self, before: FightState, entry: Entry, told: int) -> None:
        after = self.fight.state
        assert fold_all(before, entry.events) == after
        assert [change.kind for change in self.told[told:]] == ["do"]
        change = self.told[-1]
        assert (change.entry, change.before, change.after) == (entry, before, after)
        check_state(after)
        state = before
        for happened in entry.events:
            again = self.fight.codec.event(json.loads(json.dumps(to_json(happened))), state.board)
            assert again == happened
            assert repr(again).count("Square(") == repr(happened).count("Square(")
            phrases.phrase(self.fight.system, happened, state)
            state = evolve(state, happened)
        public_events(entry.events, before)

    @rule(data=st.data(), times=st.integers(1, 10))
    def a_stretch_of_play(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            what = data.draw(st.sampled_from(("offer", "offer", "offer", "answer", "advance")))
            if what == "answer" and self.fight.state.prompts:
                self.an_answer_to_it(data)
                continue
            command = data.draw(offered(self.fight)) if what == "offer" else None
            self.do(data, command or Advance())

    @rule(data=st.data())
    def a_ruling(self, data: st.DataObject) -> None:
        command = data.draw(offered(self.fight, rulings=True))
        if command is not None:
            self.do(data, command)

    @rule(data=st.data())
    def something_not_offered(self, data: st.DataObject) -> None:
        """What the list greys out does nothing; a ruling may still be answered with its way out."""
        command = data.draw(offered(self.fight, legal=False))
        if command is not None:
            entry = self.do(data, command)
            void = entry is None or not entry.events or isinstance(command, Rule)
            assert void, f"{command} was greyed out, and done"

    @rule(data=st.data())
    def something_by_hand(self, data: st.DataObject) -> None:
        """What the GM changes without asking the rules."""
        self.do(data, data.draw(wild(self.fight.state, BY_HAND)))

    @rule(data=st.data())
    def something_wild(self, data: st.DataObject) -> None:
        kinds = (*CORE_COMMANDS, *self.fight.system.commands)
        calm = tuple(kind for kind in kinds if kind not in (Close, Leave))
        self.do(data, data.draw(wild(self.fight.state, calm if data.draw(st.integers(0, 4)) else kinds)))

    @rule(data=st.data())
    def someone_joins(self, data: st.DataObject) -> None:
        if len(self.fight.state.combatants) < 6:
            side = data.draw(st.sampled_from(("party", "foe")))
            self.do(data, data.draw(joins(side, board=self.fight.state.board)))

    @precondition(lambda self: self.fight.state.prompts)
    @rule(data=st.data())
    def an_answer(self, data: st.DataObject) -> None:
        self.an_answer_to_it(data)

    def an_answer_to_it(self, data: st.DataObject) -> None:
        self.do(data, data.draw(answer(self.fight)))

    @rule(data=st.data(), steps=st.integers(1, 3))
    def go_on(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            self.do(data, Advance())

    @rule(data=st.data(), phase=st.sampled_from(PHASES))
    def go_on_to(self, data: st.DataObject, phase: str) -> None:
        for _ in range(16):
            if self.do(data, Advance()) is None or self.fight.state.phase == phase:
                break

    @rule(data=st.data())
    def something_forced(self, data: st.DataObject) -> None:
        kinds = (*self.fight.system.commands, Move, Strike, Place)
        self.do(data, _forced(data.draw(wild(self.fight.state, kinds))))

    @rule(data=st.data(), command=st.data())
    def undo_and_the_same_again(self, data: st.DataObject, command: st.DataObject) -> None:
        """Law 7: the same place in the same fight throws the same dice."""
        entry = self.do(data, command.draw(offered(self.fight) | st.none()) or Advance())
        if entry is None:
            return
        after = self.fight.state
        self.fight.undo()
        again = self.fight.give(str(entry.command["type"]), **_without_type(entry))
        assert again.events == entry.events
        assert self.fight.state == after

    # Going back and forth

    @precondition(lambda self: self.fight.line.entry_count())
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        count = self.fight.line.entry_count()
        steps = min(count, data.draw(st.integers(1, 4)))
        place = self.fight.line.span(count - steps)[0]
        wanted = self.fight.line.seek(place)
        head = self.fight.head_number
        self.fight.undo(steps)
        assert self.fight.state == wanted
        if data.draw(st.booleans()):
            for _ in range(steps):
                self.fight.redo()
            assert self.fight.head_number == head

    @rule(times=st.integers(1, 4))
    def redo(self, times: int) -> None:
        for _ in range(times):
            ahead = self.fight.ahead
            if ahead is None:
                break
            assert self.fight.redo() == ahead
            assert self.fight.head == ahead

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        tips = [branch.tip for branch in self.fight.branches()]
        near = [entry.number for entry in self.fight.line.entries[-5:]]
        number = data.draw(st.sampled_from((*near, *tips, *(tip - 1 for tip in tips), 0, 999)))
        with contextlib.suppress(Refused):
            self.fight.jump(number)
            assert self.fight.head_number == number

    @rule(name=st.text(max_size=5))
    def mark(self, name: str) -> None:
        before = self.fight.state
        self.fight.mark(name)
        assert self.fight.state is before

    @rule()
    def close_and_reopen(self) -> None:
        old = self.fight
        old.close()
        self.take(Fight.open(self.path, clock=lambda: NOW))
        assert self.fight.marks == old.marks
        assert self.fight.branches() == old.branches()

    # What always holds

    @invariant()
    def the_fold_is_the_state(self) -> None:
        line = self.fight.line
        assert fold_all(line.seek(0), line.events()) == self.fight.state
        assert line.seek(len(line)) == self.fight.state

    @invariant()
    def the_rules_of_the_line_hold(self) -> None:
        check_line(self.fight.line)
        check_state(self.fight.state)

    @invariant()
    def the_state_survives_json(self) -> None:
        assert state_from_json(json.loads(written(self.fight.state))) == self.fight.state

    @invariant()
    def what_is_on_disk_is_the_fight(self) -> None:
        """A reader who follows knows all that this one knows; and now and then a twin that reads it all anew."""
        self.watcher.poll()
        self.looks += 1
        for other in (self.watcher, Fight.watch(self.path)) if self.looks % 4 == 0 else (self.watcher,):
            assert other.state == self.fight.state
            assert other.head == self.fight.head
            assert other.ahead == self.fight.ahead
            assert other.branches() == self.fight.branches()
            assert other.marks == self.fight.marks
            for who in self.fight.state.combatants:
                assert other.options(who) == self.fight.options(who)

    @invariant()
    def the_screen_can_draw_it(self) -> None:
        fight, system = self.fight, self.fight.system
        state = fight.state
        system.groups(state)
        system.reminders(state)
        system.facts(state)
        system.waiting(state)
        player_view(state, system)
        for who in state.combatants:
            system.card(state, who)
            system.details(state, who)
            system.fields(state, who)
            for subject in ("beats", "sneak", "cover", "order", "prone", "strike", "hp"):
                fight.explain(who, subject)

    @rule(data=st.data())
    def seek(self, data: st.DataObject) -> None:
        line = self.fight.line
        place = data.draw(st.integers(0, len(line)))
        prefix: Events = tuple(line.events())[:place]
        assert line.seek(place) == fold_all(line.seek(0), prefix)


def _dice_of(owed: NeedsDice, purpose: str) -> int:
    return sum(term.count for one in owed.rolls if one.purpose == purpose for term in parse(one.dice) if term.faces)


def _with_rolls(command: Command, rolls: dict[str, tuple[int, ...]]) -> Command:
    return replace(command, rolls=rolls)


def _forced(command: Command) -> Command:
    return replace(command, force=True)


def _without_type(entry: Entry) -> dict[str, object]:
    return {key: value for key, value in entry.command.items() if key != "type"}


FightMachine.TestCase.settings = settings(stateful_step_count=30)
TestFight = FightMachine.TestCase
