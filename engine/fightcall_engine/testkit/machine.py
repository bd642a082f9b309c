"""A Hypothesis state machine: a fight under commands of every kind, with the invariants of all systems.

A system's own machine defines who joins, the values of command fields, and further invariants.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import ClassVar, cast, get_type_hints

import hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fightcall_engine.board.base import AnyBoard, Hex, Square
from fightcall_engine.kit import phrases
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import unknown_fields, words_of_fields
from fightcall_engine.kit.views import Option, Setting
from fightcall_engine.model.commands import (
    AddEffect,
    Adjust,
    Advance,
    Answer,
    ChangeMap,
    Command,
    Configure,
    Copy,
    Damage,
    EndEffect,
    Heal,
    Join,
    Leave,
    Move,
    Note,
    Rule,
    Start,
    Waive,
)
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.model.values import replace, required_fields
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view, public_events
from fightcall_engine.testkit.perft import (
    GROUNDS,
    MOST_THROWS,
    answers,
    fillings,
    find_refused_remedies,
    look_at_all,
    moves,
    proposes,
    random_tool,
    typed_faces,
    why_refused,
)

Strategies = Mapping[str, st.SearchStrategy[object]]

SMALL = st.integers(-2, 9)
BY_HAND: tuple[type[Command], ...] = (
    Waive, Damage, Heal, AddEffect, EndEffect, Answer, Rule, Move, Note, Start,
    Configure,
)  # fmt: skip
"""Shared commands of every system, except advancing, joining, leaving and adjusting."""


def settings_strategy(settings: Sequence[Setting]) -> st.SearchStrategy[dict[str, object]]:
    """Any choice of every setting that has choices; now and then dice from the table."""
    optional = {
        setting.key: st.sampled_from(setting.choices)
        for setting in settings
        if setting.choices and setting.key != "dice"
    }
    dice = st.sampled_from(("engine",) * 5 + ("table",))
    return st.fixed_dictionaries({"dice": dice}, optional=optional)


class FightMachine(RuleBasedStateMachine):
    """A fight with a journal, and everything a GM can do to it.

    A machine needs only `SYSTEM`; run its `TestCase`, or itself by `run_state_machine_as_test`, with settings
    that have no deadline, as lines of play vary in length.
    """

    SYSTEM: ClassVar[str]
    """The id of the rule system."""
    WILD: ClassVar[tuple[type[Command], ...]] = ()
    """Commands given with any fields; by default the system's own and the shared ones."""
    FORCED: ClassVar[tuple[type[Command], ...]] = ()
    """Commands given with any fields and forced; by default the system's own."""
    RULINGS: ClassVar[tuple[str, ...]] = ()
    """Names of the system's rulings."""
    WORDS: ClassVar[tuple[str, ...]] = ("",)
    """Texts for fields that take any."""
    MOST: ClassVar[int] = 6
    """The most combatants."""
    BOARDS: ClassVar[tuple[AnyBoard | None, ...]] = (None, *GROUNDS.values())
    """The boards, one for each fight; None for no board."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.SYSTEM}-"))
        self.fight: Fight
        self.no: Refused | BadInput | None = None
        self._checked: FightState | None = None

    def teardown(self) -> None:
        """Check that the journal on disk is the fight, with all its branches."""
        if hasattr(self, "fight"):
            self.check_line()
            self.fight.close()
            twin = Fight.open(self.folder / "fight.jsonl")
            assert twin.state == self.fight.state
            assert twin.branches() == self.fight.branches()
            assert twin.ahead == self.fight.ahead
            twin.close()
        shutil.rmtree(self.folder)

    # What a system's machine says

    def joiners(self, draw: st.DrawFn, side: str) -> Join:
        """A joining combatant: with all defaults, somewhere on the board. Systems may override this."""
        board = self.fight.state.board
        at = draw(st.sampled_from((None, *board.places()))) if board is not None else None
        return Join(name=draw(st.sampled_from(("Ash", "Bo", "Orc"))), side=side, at=at)

    def field_values(self, kind: type[Command]) -> Strategies:
        """Values for fields of a command, by name; others are filled by their type."""
        return {}

    def adjusted_values(self, combatant: Combatant | None) -> st.SearchStrategy[object]:
        """Values for an adjustment of a combatant, or of the fight, beside those that exist already."""
        return st.sampled_from((0, 1, 3, -2, True, False, "", "none", None))

    def adjustable_names(self, combatant: Combatant | None) -> tuple[str, ...]:
        """The names of what is adjusted of a combatant, or of the fight."""
        if combatant is None:
            return ("clock_s", *self.fight.state.side_pool_paths, *self.fight.state.remembered)
        limits = (f"max:{pool}" for pool in combatant.pools)
        return (*combatant.pools, *combatant.remembered, "able", "hidden", "name", "side", *limits)

    def is_excused(self, command: Command, no: Refused | BadInput) -> bool:
        """Whether an offered command may be refused in this way all the same."""
        return False

    def is_judged_as_proposed(self, option: Option) -> bool:
        """Whether an option is only judged with the defaults of its inputs."""
        return False

    def check_laws(self) -> None:
        """Check further invariants of the state and the line."""

    # Beginning and doing

    @initialize(changed=st.data())
    def begin(self, changed: st.DataObject) -> None:
        """Open a fight with one of each side, any settings, and one of the boards."""
        system = find_system(self.SYSTEM)
        board = changed.draw(st.sampled_from(self.BOARDS))
        self.open(board, changed.draw(settings_strategy(system.settings)))
        for side in system.sides[:2]:
            self.do(changed.draw(st.composite(self.joiners)(side)))

    def open(self, board: AnyBoard | None, changed: Mapping[str, object]) -> None:
        """Open a fight on a board, with changed settings."""
        path = self.folder / "fight.jsonl"
        self.fight = Fight.new(self.SYSTEM, seed="7", settings=changed, board=board, path=path)  # type: ignore[arg-type]

    def do(self, command: Command) -> bool:
        """Give a command and check the invariants of commands; return whether it was done."""
        text = json.loads(json.dumps(to_json(command)))
        assert self.fight.codec.command(text.pop("type"), text) == command
        before, count = self.fight.state, self.fight.line.entry_count()
        for _ in range(MOST_THROWS):
            try:
                entry = self.fight.do(command)
            except NeedsDice as need:
                assert self.fight.state is before
                hypothesis.event("needs dice")
                command = replace(command, rolls={**command.rolls, **typed_faces(need, command)})
            except (Refused, BadInput) as no:
                assert self.fight.state is before
                assert self.fight.line.entry_count() == count
                hypothesis.event(f"refused {command.type}")
                self.no = no
                self.check_refusal(command, no)
                return False
            else:
                hypothesis.event(f"done {command.type}")
                self.check_entry(before, entry.events)
                return True
        raise AssertionError(f"{command} never has enough dice")

    def check_refusal(self, command: Command, no: Refused | BadInput) -> None:
        """Check law 1, that a refusal can be overruled unless it is final, and that it offers nothing refused."""
        assert str(no)
        worse = find_refused_remedies(self.fight, command, no) if isinstance(no, Refused) else []
        assert not worse, f"{command}: {no}, which offers {worse}"
        if isinstance(no, BadInput) or no.final:
            return
        with contextlib.suppress(NeedsDice, BadInput):
            try:
                self.fight.decide(replace(command, force=True))
            except Refused as again:
                if not again.final:
                    raise AssertionError(f"{command}: forced, and still {again}") from again

    def check_entry(self, before: FightState, events: Sequence[Event]) -> None:
        """Check that each event survives JSON, has words, and shows players no more than it may."""
        state = before
        for event in events:
            again = self.fight.codec.event(json.loads(json.dumps(to_json(event))), state.board)
            assert again == event, f"{event} is read back as {again}"
            assert repr(again).count("Square(") == repr(event).count("Square(")
            phrases.phrase(self.fight.system, event, state)
            state = evolve(state, event)
        self.check_players_copy(public_events(events, before))
        assert state == self.fight.state

    def check_players_copy(self, shown: object) -> None:
        """Hook for what players are shown: an event, or the whole fight."""

    def value(self, draw: st.DrawFn, kind: type[Command], name: str) -> object:
        """A valid or invalid value for a field of a command."""
        words = {field: st.sampled_from(words) for field, words in words_of_fields(kind).items()}
        by_name = {**self._values_everywhere(kind), **words, **self.field_values(kind)}
        return draw(by_name[name] if name in by_name else self._by_type(get_type_hints(kind)[name]))

    def _values_everywhere(self, kind: type[Command]) -> Strategies:
        state = self.fight.state
        people = (*state.combatants, "nobody")
        effects = [effect.id for combatant in state.combatants.values() for effect in combatant.effects]
        answers = [choice.id for prompt in state.prompts for choice in prompt.choices]
        prompt_kinds = [prompt.kind for prompt in state.prompts]
        amounts = st.sampled_from((0, 1, 2, 9, "d6", "many", -1))
        strategies: dict[str, st.SearchStrategy[object]] = {
            **{key: st.sampled_from(people) for key in ("who", "target", "enemy", "meets", "other", "foe", "by")},
            "what": st.sampled_from((*self.RULINGS, *prompt_kinds, self.fight.system.health, "able")),
            "value": st.sampled_from((None, True, False, 1, 5, *answers)),
            "prompt": st.sampled_from(("", *prompt_kinds, *(prompt.id for prompt in state.prompts), "p99")),
            "choice": st.sampled_from(("", *answers, "maybe")),
            "effect": st.sampled_from((*effects, *self.WORDS)),
            "side": st.sampled_from(("party", "foe", "crowd")),
            "setting": st.sampled_from(tuple(setting.key for setting in self.fight.system.settings)),
            "clock": st.sampled_from(("", "bearer", "maker", "round")),
            "ticks": st.sampled_from(("", "start", "end")),
            "rounds": st.none() | SMALL,
            "force": st.just(False),
        }
        if kind is ChangeMap:
            strategies["places"] = st.just({})
            strategies["board"] = st.sampled_from(({}, {"kind": "square", "cols": 5, "rows": 5}))
            strategies |= {"joins": st.just(()), "cues": st.just(())}
        if kind is Copy:
            strategies["pools"] = st.dictionaries(st.just(self.fight.system.health), SMALL, max_size=1)
        if kind in (Damage, Heal, AddEffect, Answer):
            strategies["amount"] = amounts if kind is not Answer else st.none() | st.integers(-2, 101) | amounts
        if kind is Configure:
            strategies["value"] = strategies["value"] | st.sampled_from(
                tuple(choice for setting in self.fight.system.settings for choice in setting.choices)
            )
        return strategies

    def _by_type(self, kind: object) -> st.SearchStrategy[object]:
        text = str(kind)
        if "Hex" in text or "Square" in text or "Location" in text:
            board = self.fight.state.board
            near: st.SearchStrategy[object] = st.sampled_from((Hex(-1, 0), "Attic"))
            if board is not None:
                near = st.sampled_from((*board.places(), Square(99, 99)))
            if "tuple" in text:
                return st.lists(near, max_size=3).map(tuple)
            return st.none() | near if "None" in text else near
        plain: dict[str, st.SearchStrategy[object]] = {
            "bool": st.booleans(),
            "int": SMALL | st.integers(0, 100),
            "float": st.sampled_from((0.0, 0.5, 5.0, 30.0, -1.0, 1e6)),
            "str": st.sampled_from(self.WORDS),
        }
        strategies = [strategy for name, strategy in plain.items() if name in text]
        if "tuple" in text:
            return st.lists(st.sampled_from((*self.fight.state.combatants, *self.WORDS)), max_size=2).map(tuple)
        return st.one_of(st.none(), *strategies) if "None" in text else st.one_of(strategies)

    def wild(self, draw: st.DrawFn, kinds: Sequence[type[Command]]) -> Command:
        """A command with any fields; those with a default are often left out."""
        kind = draw(st.sampled_from(kinds))
        data_fields = {
            field.name: self.value(draw, kind, field.name)
            for field in fields(kind)
            if field.name != "rolls" and (field.name in required_fields(kind) or draw(st.integers(0, 2)) == 0)
        }
        return kind(**data_fields)  # type: ignore[arg-type]

    # What a GM does

    @rule(data=st.data(), times=st.integers(1, 12))
    def a_stretch_of_play(self, data: st.DataObject, times: int) -> None:
        """Do legal options."""
        for _ in range(times):
            if self.fight.state.status == "closed":
                return
            self.offered(data, moves(self.fight))

    def offered(self, data: st.DataObject, offers: Sequence[tuple[str, Mapping[str, object]]]) -> None:
        """Do one of these offers, which must succeed."""
        name, data_fields = data.draw(st.sampled_from(offers))
        command = self.fight.codec.command(name, data_fields)
        nobody = name == "advance" and not self.fight.state.combatants
        if not self.do(command) and not nobody:
            assert self.no is not None
            assert self.is_excused(command, self.no), f"{command} was offered: {self.no}"

    @rule(data=st.data())
    def a_ruling(self, data: st.DataObject) -> None:
        """Make an offered ruling, with any values."""
        state, system = self.fight.state, self.fight.system
        options = self._each(lambda combatant_id: system.rulings(state, combatant_id))
        offers = [(combatant_id, option) for combatant_id, option in options if option.legal]
        if not offers or state.status == "closed":
            return
        combatant_id, option = data.draw(st.sampled_from(offers))
        ways = list(fillings(self.fight, combatant_id, option))
        if ways:
            data_fields = dict(data.draw(st.sampled_from(ways)))
            if option.command == "Rule" and "who" not in option.fixed:
                data_fields.pop("who", None)
            self.do(self.fight.codec.command(option.command, data_fields))

    @rule(data=st.data())
    def something_greyed_out(self, data: st.DataObject) -> None:
        """Check that a disabled option is refused with any values."""
        offers = [(combatant_id, option) for combatant_id, option in self._each(self.fight.options) if not option.legal]
        if not offers:
            return
        combatant_id, option = data.draw(st.sampled_from(offers))
        ways = list(fillings(self.fight, combatant_id, option))
        if self.is_judged_as_proposed(option):
            ways = self.proposed(combatant_id, option)
        if ways:
            command = self.fight.codec.command(option.command, data.draw(st.sampled_from(ways)))
            assert not self.do(command), f"{command} was greyed out: {option.why}"

    @rule(data=st.data())
    def something_as_it_stands(self, data: st.DataObject) -> None:
        """Check that an option can be done with the defaults of its inputs."""
        state = self.fight.state
        offers = [
            (combatant_id, option)
            for combatant_id, option in self._each(self.fight.options)
            if option.legal and all(map(proposes, option.inputs))
        ]
        if not offers or state.status == "closed":
            return
        combatant_id, option = data.draw(st.sampled_from(offers))
        for data_fields in self.proposed(combatant_id, option):
            command = self.fight.codec.command(option.command, data_fields)
            assert self.do(command), f"{command} was offered: {self.no}"

    def _each(self, options_of: Callable[[str], Iterable[Option]]) -> Iterator[tuple[str, Option]]:
        for combatant_id in self.fight.state.combatants:
            yield from ((combatant_id, option) for option in options_of(combatant_id))

    def proposed(self, combatant_id: str, option: Option) -> list[Mapping[str, object]]:
        """An option's command with the default of each input, or else its first value."""
        usual = [
            replace(item, choices=(item.default,) if item.default in item.choices else item.choices)
            for item in option.inputs
        ]
        return list(fillings(self.fight, combatant_id, replace(option, inputs=tuple(usual))))[:1]

    @rule(data=st.data())
    def something_wild(self, data: st.DataObject) -> None:
        """Give any command with any fields."""
        self.do(data.draw(st.composite(self.wild)(self.WILD or (*self.fight.system.commands, *BY_HAND))))

    @rule(data=st.data())
    def something_forced(self, data: st.DataObject) -> None:
        """Force any command with any fields."""
        kinds = self.FORCED or self.fight.system.commands or BY_HAND
        self.do(replace(data.draw(st.composite(self.wild)(kinds)), force=True))

    @rule(data=st.data())
    def an_adjustment(self, data: st.DataObject) -> None:
        """Adjust anything on the screen (law 1) to any value of its type."""
        state = self.fight.state
        combatant_id = data.draw(st.sampled_from((*state.combatants, "")))
        combatant = state.combatants.get(combatant_id)
        what = self.adjustable_names(combatant)
        if what:
            value = data.draw(self.adjusted_values(combatant))
            self.do(Adjust(who=combatant_id, what=data.draw(st.sampled_from(what)), value=cast(Scalar, value)))

    @rule(data=st.data())
    def someone_comes_or_goes(self, data: st.DataObject) -> None:
        """Let somebody join or leave."""
        people = tuple(self.fight.state.combatants)
        if data.draw(st.booleans()) and len(people) < self.MOST:
            side = data.draw(st.sampled_from(("party", "foe")))
            self.do(data.draw(st.composite(self.joiners)(side)))
        elif people:
            self.do(Leave(who=data.draw(st.sampled_from(people))))

    @rule(data=st.data())
    def a_tool(self, data: st.DataObject) -> None:
        """Use the GM's toolbox."""
        tool = random_tool(self.fight, lambda values: data.draw(st.sampled_from(values)), self.MOST)
        if tool is not None:
            self.do(self.fight.codec.command(*tool))

    @rule(times=st.integers(1, 12))
    def go_on(self, times: int) -> None:
        """Advance several steps, taking defaults."""
        for _ in range(times):
            self.do(Advance())

    @precondition(lambda self: self.fight.line.entry_count())
    @rule(data=st.data())
    def undo_and_redo(self, data: st.DataObject) -> None:
        """Undo a few entries, and perhaps redo them: the state must be the same."""
        count = data.draw(st.integers(1, min(4, self.fight.line.entry_count())))
        state = self.fight.state
        self.check_line()
        self.fight.undo(count)
        if data.draw(st.booleans()):
            for _ in range(count):
                self.fight.redo()
            assert self.fight.state == state

    @precondition(lambda self: self.fight.line.entry_count())
    @rule()
    def the_same_again(self) -> None:
        """Check law 7: the same place in the same fight rolls the same dice."""
        entry, after = self.fight.line.entries[-1], self.fight.state
        self.fight.undo()
        data_fields = {key: value for key, value in entry.command.items() if key != "type"}
        assert self.fight.give(str(entry.command["type"]), **data_fields).events == entry.events
        assert self.fight.state == after

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        """Jump to the end of another branch, or a few entries back."""
        tips = [branch.tip for branch in self.fight.branches()]
        near = [entry.number for entry in self.fight.line.entries[-3:]]
        number = data.draw(st.sampled_from((*near, *tips))) if (*near, *tips) else 0
        self.check_line()
        self.fight.jump(number)
        assert self.fight.head_number == number

    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        """Check that any state is the fold of its events."""
        line = self.fight.line
        place = data.draw(st.integers(0, len(line)))
        assert line.seek(place) == fold_all(line.seek(0), tuple(line.events())[:place])

    # What always holds

    @invariant()
    def the_laws_hold(self) -> None:
        """Check, once for each state, pools, ids, order and steps, that questions can be answered, JSON and views.

        Whether the state is the fold of all events is asked where play goes on from elsewhere, and at the end.
        """
        state = self.fight.state
        if state is self._checked:
            return
        self._checked = state
        for combatant in state.combatants.values():
            for name, pool in combatant.pools.items():
                assert 0 <= pool.now <= pool.max, (combatant.id, name, pool)
        for path, pool in state.side_pool_paths.items():
            assert 0 <= pool.now <= pool.max, (path, pool)
        for ids in ([prompt.id for prompt in state.prompts], [step.id for step in state.agenda.steps]):
            assert len(ids) == len(set(ids)), ids
        assert sorted(state.order) == sorted(state.combatants)
        assert -1 <= state.agenda.cursor <= len(state.agenda.steps)
        system = self.fight.system
        for event in self.fight.head.events if self.fight.head else ():
            assert not unknown_fields(event, system.record, system.fight_record), event
        self.check_laws()
        first = next((prompt for prompt in state.prompts if prompt.blocking), None)
        if first is not None and state.status != "closed":
            commands = (self.fight.codec.command("answer", answer) for answer in answers(first))
            assert any(not why_refused(self.fight, command) for command in commands), first
        for prompt in state.prompts:
            proposals = ("", *(choice.id for choice in prompt.choices))
            assert prompt.default in proposals or not prompt.choices or prompt.amount or prompt.dice, prompt
        assert state_from_json(json.loads(json.dumps(to_json(state)))) == state
        self.the_screen_can_draw_it()

    def check_line(self) -> None:
        """Check laws about the whole line of play, before it ends or another one is followed."""
        line = self.fight.line
        assert fold_all(line.seek(0), line.events()) == self.fight.state

    def the_screen_can_draw_it(self) -> None:
        """Check that all views of a fight work."""
        state, system = self.fight.state, self.fight.system
        shown_ids = [combatant_id for group in system.groups(state) for combatant_id in group.members]
        assert sorted(shown_ids) == sorted(state.combatants)
        self.check_players_copy(player_view(state, system))
        assert set(system.waiting(state)) <= set(state.combatants)
        look_at_all(self.fight)
        for combatant_id in state.combatants:
            options = [option for option in system.options(state, combatant_id) if option.key]
            keys = [option.key for option in options if option.legal]
            assert len(set(keys)) == len(keys), keys
            for option in options:
                keys_by_action = self.fight.system.option_keys
                is_of_sheet = option.action not in keys_by_action and option.action.partition("-")[0] in keys_by_action
                is_listed = is_of_sheet or keys_by_action.get(option.action) == option.key
                assert is_listed, f"{option.action} is not among the option_keys"
            for subject in system.trails:
                self.fight.explain(combatant_id, subject)
