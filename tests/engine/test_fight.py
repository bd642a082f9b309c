"""A fight from outside: doing, undoing, branching, marking, being told, being watched, and failing to save."""

from __future__ import annotations

import errno
import json
import multiprocessing
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from pathlib import Path

import pytest

from fightcall_engine import Fight, NeedsDice, Refused
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.archive.fsutil import FileLayer, LockedByAnother
from fightcall_engine.archive.journal import AppendFailed, Journal, JournalBroken
from fightcall_engine.archive.lines import DamagedJournal, encode_journal
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.model.commands import Damage, Join, Note, Rule
from fightcall_engine.model.errors import BadInput, Runaway
from fightcall_engine.model.events import EffectBegan, NoteAdded, RulingAsked
from fightcall_engine.model.state import Effect, Prompt
from fightcall_engine.play.decide import follow
from fightcall_engine.play.fight import Change
from fightcall_engine.play.history import Mark

NOW = "2024-05-01T18:00:00+00:00"
PAIR = (Join(name="Ash", sheet={"hp": 9}), Join(name="Orc", side="foe", sheet={"hp": 5}))


def fresh(path: Path | None = None, **given) -> Fight:
    return Fight.new("stage", seed="7", joins=PAIR, path=path, clock=lambda: NOW, **given)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "fights" / "one.jsonl"


@pytest.fixture
def saved(path):
    fight = fresh(path)
    yield fight
    fight.close()


def heard(fight):
    told: list[Change] = []
    fight.subscribe(told.append)
    return told


def hurt(fight, amount, who="orc"):
    return fight.give("damage", who=who, amount=amount)


def hp(fight, who="orc"):
    return fight.state.combatants[who].pools["hp"].now


# Beginning


def test_a_fight_begins_with_those_who_join_it():
    fight = fresh(settings={"moment_seconds": 30}, board=HexBoard(4, 4))
    assert list(fight.state.combatants) == ["ash", "orc"]
    assert fight.state.settings["moment_seconds"] == 30
    assert fight.state.settings["dice"] == "engine"
    assert (fight.head, fight.head_number, fight.ahead, fight.is_watching, fight.path) == (None, 0, None, False, None)


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"settings": {"weather": 1}}, BadInput, "weather: unknown"),
        ({"settings": {"dice": "loaded"}}, BadInput, "engine, table"),
        ({"settings": {"moment_seconds": "long"}}, BadInput, "expected int"),
        ({"settings": {"hex_ft": float("nan")}}, BadInput, "hex_ft"),
        ({"settings": {"rise_needs_full": 1}}, BadInput, "True, False"),
        ({"joins": [Join(name="X", side="crowd")]}, Refused, "crowd"),
        ({"joins": [Join(name="X", at=Hex(0, 0))]}, Refused, "no board"),
        ({"joins": [Join(name="X", at=Hex(9, 9))], "board": HexBoard(3, 3)}, Refused, "off the board"),
        ({"joins": [Join(name="X", at=Hex(0, 0))] * 2, "board": HexBoard(3, 3)}, Refused, "is (occupied|already used)"),
        ({"joins": [Join(name="X", sheet={"agility": 99})]}, BadInput, "agility"),
        ({"joins": [Join(name="X", count=0)]}, Refused, "add 0 combatants"),
        ({"joins": [Join(name="X", id="x"), Join(name="X", id="x")]}, Refused, "is (occupied|already used)"),
    ],
)
def test_what_cannot_begin_says_why_and_leaves_no_file(path, given, error, told):
    with pytest.raises(error, match=told):
        Fight.new("stage", path=path, **given)
    assert not path.exists()


def test_an_unknown_system_lists_those_there_are():
    with pytest.raises(BadInput, match=r"accepted: .*stage"):
        Fight.new("chess")


def test_a_fight_is_not_written_over_another(saved, path):
    before = path.read_bytes()
    with pytest.raises((FileExistsError, LockedByAnother)):
        fresh(path)
    saved.close()
    with pytest.raises(FileExistsError):
        fresh(path)
    assert path.read_bytes() == before


# Doing


def test_an_entry_holds_the_command_and_all_it_caused():
    fight = fresh()
    entry = hurt(fight, 5)
    assert (entry.number, entry.on, entry.at, entry.by) == (1, 0, NOW, "gm")
    assert entry.command == {"type": "Damage", "who": "orc", "amount": 5}
    assert [one.type for one in entry.events] == ["DamageApplied", "Downed"]
    assert fight.head is entry
    assert fight.do(Note(text="x"), by="ana").by == "ana"


@pytest.mark.parametrize("system", system_names())
def test_the_id_of_somebody_who_has_left_is_nobody_elses(system):
    """What the journal tells of an id is told of one person."""
    fight = Fight.new(system)
    fight.give("join", name="Ash", id="ash")
    fight.give("join", name="Elm", id="elm", side=fight.system.sides[1])
    fight.give("leave", who="ash")
    fight.give("join", name="Ash", id="ash")
    fight.give("start")
    fight.give("leave", who="ash")
    with pytest.raises(Refused, match="has left") as no:
        fight.give("join", name="Oak", id="ash")
    assert no.value.accepts == ("ash-2",)
    fight.give("join", name="Ash", anew=True)
    assert "ash-2" in fight.state.combatants
    fight.undo()
    fight.undo()
    assert fight.state.gone == ()


def test_deciding_is_not_doing():
    fight = fresh()
    told, before = heard(fight), fight.state
    happened, states = fight.decide(Damage(who="orc", amount=5))
    assert [one.type for one in happened] == ["DamageApplied", "Downed"]
    assert states[-1].combatants["orc"].able is False
    assert (fight.state, fight.head_number, told) == (before, 0, [])


@pytest.mark.parametrize(
    "command", [Damage(who="nobody", amount=1), Damage(who="orc", amount="2d6", rolls={"damage": (7, 1)})]
)
def test_a_refusal_changes_nothing(saved, path, command):
    told, before, content = heard(saved), saved.state, path.read_bytes()
    with pytest.raises(Refused):
        saved.do(command)
    assert (saved.state, path.read_bytes(), told, saved.head_number) == (before, content, [], 0)


def test_the_table_owes_its_dice(path):
    fight = fresh(path, settings={"dice": "table"})
    content = path.read_bytes()
    with pytest.raises(NeedsDice, match=r"damage \(2d6\)"):
        hurt(fight, "2d6")
    assert path.read_bytes() == content
    fight.give("damage", who="orc", amount="2d6", rolls={"damage": [1, 2]})
    assert hp(fight) == 2
    fight.close()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_numbers_that_the_journal_cannot_hold_are_refused(saved, path, value):
    content = path.read_bytes()
    with pytest.raises(BadInput, match="out of range"):
        saved.do(Rule(what="scale", value=value))
    assert path.read_bytes() == content


def test_text_that_is_no_utf8_comes_back_whole(saved, path):
    saved.do(Note(text="\udc80 \x00 \u2028 🐉"))
    assert Fight.watch(path).state == saved.state
    assert Fight.watch(path).head == saved.head


def test_states_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        fresh().state.round = 3


def test_a_runaway_chain_is_named():
    class Endless:
        def react(self, decision, event):
            decision.emit(event)

    with pytest.raises(Runaway, match="NoteAdded -> NoteAdded"):
        follow(Endless(), fresh().state, [NoteAdded(text="x")])


def test_what_begins_in_one_command_is_numbered_as_it_begins():
    """Two prompts and two effects decided on one state still get a name each."""
    prompt = Prompt("", "price", "How much?", "SB-78", ())
    effect = Effect("", "slow")
    events = [RulingAsked(prompt=prompt), EffectBegan(who="ash", effect=effect)] * 2
    happened, states = follow(find_system("stage"), fresh().state, events)
    assert [one.id for one in states[-1].prompts] == ["p1", "p3"]
    assert [one.id for one in states[-1].combatants["ash"].effects] == ["e2", "e4"]
    assert states[-1].serial == 4
    assert [happened[0].prompt.id, happened[3].effect.id] == ["p1", "e4"]


# Back and forth


def play_a_moment(fight):
    fight.give("start")
    fight.give("ambush", by="foe")
    fight.give("perception", passed=True)
    fight.give("addeffect", who="ash", name="slow", rounds=1)
    fight.give("nexthalf", until="missile")
    fight.give("shoot", who="ash", target="orc", needs=12, damage="d4")
    fight.give("nexthalf", until="move")
    fight.give("move", who="ash", hexes=3)
    fight.give("advance")
    fight.give("move", who="orc", hexes=2, meets="ash")
    for _ in range(6):
        fight.give("advance")


def test_undo_crosses_steps_phases_and_rounds_and_redo_returns(saved, path):
    states = [saved.state]
    saved.subscribe(lambda change: states.append(change.after))
    play_a_moment(saved)
    assert saved.state.round == 2
    count = saved.line.entry_count()
    for place in reversed(range(count)):
        taken = saved.undo()
        assert taken.number == place + 1
        assert saved.state == states[place]
    assert saved.head is None
    for place in range(count):
        ahead = saved.ahead
        assert saved.redo() == ahead
        assert saved.state == states[place + 1]
    assert saved.ahead is None
    assert saved.undo(count).number == 1
    assert saved.state == states[0]
    assert Fight.watch(path).state == states[0]


def test_undo_and_the_same_again_throws_the_same_dice(saved):
    saved.give("note", text="a beginning")
    first = saved.give("damage", who="ash", amount="5d20")
    saved.undo()
    again = saved.give("damage", who="ash", amount="5d20")
    assert first.events == again.events
    saved.undo(2)
    elsewhere = saved.give("damage", who="ash", amount="5d20")
    assert elsewhere.events != first.events


def test_a_copy_goes_on_by_itself_from_the_same_past(saved, path):
    hurt(saved, 1)
    saved.mark("the first blow")
    hurt(saved, 2)
    saved.undo()
    written = path.read_bytes()
    told = heard(saved)
    copy = saved.copy()
    assert (copy.state, copy.marks, copy.ahead, copy.path) == (saved.state, saved.marks, saved.ahead, None)
    copy.redo()
    copy.mark("the second blow")
    assert hurt(copy, 1).number == 7
    assert (hp(copy), hp(saved), len(copy.branches()), len(saved.marks)) == (1, 4, 0, 1)
    assert path.read_bytes() == written
    assert told == []
    copy.undo(2)
    assert copy.give("start").events == saved.give("start").events


def test_nothing_to_undo_or_redo_says_so(saved):
    for word in (saved.undo, saved.redo):
        with pytest.raises(Refused, match="nothing to") as no:
            word()
        assert no.value.final
    hurt(saved, 1)
    for steps in (0, -1, 2):
        with pytest.raises(Refused) as no:
            saved.undo(steps)
        assert no.value.accepts == ("1 to 1 steps",)


def shapes(fight):
    return [(branch.parted, branch.tip, branch.length) for branch in fight.branches()]


def test_acting_after_an_undo_begins_a_branch_and_loses_nothing(saved, path):
    hurt(saved, 1)
    left = hurt(saved, 2)
    saved.undo()
    assert shapes(saved) == [(1, left.number, 1)]
    assert saved.ahead == left
    ours = hurt(saved, 3)
    assert (hp(saved), ours.on, saved.ahead) == (1, 1, None)
    assert shapes(saved) == [(1, left.number, 1)]
    saved.jump(left.number)
    assert hp(saved) == 2
    assert shapes(saved) == [(1, ours.number, 1)]
    saved.undo()
    assert saved.ahead == left
    for fight in (saved, Fight.watch(path)):
        assert (hp(fight), fight.ahead.number, fight.branches()) == (4, left.number, saved.branches())


def test_a_jump_into_another_branch_turns_redo_that_way_also_after_reopening(saved, path):
    hurt(saved, 1)
    other = [hurt(saved, 1), hurt(saved, 1)]
    saved.undo(2)
    hurt(saved, 2)
    saved.jump(other[0].number)
    saved.undo()
    assert saved.ahead == other[0]
    saved.close()
    again = Fight.open(path)
    assert again.ahead == other[0]
    assert again.redo() == other[0]
    assert again.redo() == other[1]
    again.close()


def test_jumps_go_anywhere_that_is_an_entry(saved):
    hurt(saved, 1)
    saved.mark("here")
    hurt(saved, 1)
    told = heard(saved)
    saved.jump(0)
    assert (hp(saved), saved.head) == (5, None)
    saved.jump(0)
    assert [(change.kind, change.entry) for change in told] == [("jump", None)]
    for number in (2, 9, -1):
        with pytest.raises(Refused, match="no entry"):
            saved.jump(number)
    saved.jump(3)
    assert hp(saved) == 3


def test_marks_name_moments_and_are_kept(saved, path):
    assert saved.mark("the beginning") == Mark("the beginning", 0)
    hurt(saved, 1)
    told = heard(saved)
    saved.mark("blood")
    assert saved.marks == (Mark("the beginning", 0), Mark("blood", 2))
    assert [(change.kind, change.before is change.after, change.events) for change in told] == [("mark", True, ())]
    assert Fight.watch(path).marks == saved.marks


def test_what_can_be_done_and_why_is_asked_by_label_too():
    fight = fresh()
    fight.give("start")
    assert fight.options("A") == fight.options("ash")
    assert fight.explain("a", "beats").total == "14/14"
    with pytest.raises(Refused) as no:
        fight.options("zed")
    assert no.value.accepts == ("ash", "orc")


# Being told


def test_subscribers_are_told_once_of_each_thing_and_after_it_is_saved(saved, path):
    sizes = []
    told = heard(saved)
    stop = saved.subscribe(
        lambda change: sizes.append((path.read_bytes().count(b"\n"), Fight.watch(path).state == change.after))
    )
    first = hurt(saved, 1)
    second = hurt(saved, 1)
    saved.undo(2)
    saved.redo()
    stop()
    saved.jump(second.number)
    assert [(change.kind, change.entry, bool(change.events)) for change in told] == [
        ("do", first, True),
        ("do", second, True),
        ("undo", first, False),
        ("redo", first, True),
        ("jump", second, False),
    ]
    assert all(later.before is change.after for change, later in pairwise(told))
    assert sizes == [(lines, True) for lines in (2, 3, 4, 5)]


def test_a_subscriber_may_leave_while_being_told():
    fight = fresh()
    told = []

    def once(change):
        told.append(change)
        stop()

    stop = fight.subscribe(once)
    others = heard(fight)
    hurt(fight, 1)
    hurt(fight, 1)
    assert (len(told), len(others)) == (1, 2)


# Failing to save


class Failing(FileLayer):
    """Files on which writing or syncing fails as long as `how` says so."""

    how = ""

    def write(self, fd, data):
        if self.how == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(fd, data[: len(data) // 2] if self.how == "short" else data)

    def sync(self, fd):
        if self.how == "sync":
            raise OSError(errno.EIO, "Input/output error")
        super().sync(fd)


def failing_fight(path):
    fight = fresh(path)
    start = fight.start
    fight.close()
    files = Failing()
    return Fight(start, Journal.open(path, files=files)), files


ACTS = {
    "do": lambda fight: hurt(fight, 1),
    "undo": lambda fight: fight.undo(),
    "redo": lambda fight: fight.redo(),
    "jump": lambda fight: fight.jump(1),
    "mark": lambda fight: fight.mark("here"),
}


@pytest.mark.parametrize("how", ["full", "short"])
@pytest.mark.parametrize("act", ACTS)
def test_a_full_disk_changes_nothing_and_play_goes_on_when_there_is_room(path, how, act):
    fight, files = failing_fight(path)
    for _ in range(3):
        hurt(fight, 1)
    fight.undo()
    told, before, content = heard(fight), fight.state, path.read_bytes()
    marks, ahead = fight.marks, fight.ahead
    files.how = how
    with pytest.raises(AppendFailed, match="nothing changed"):
        ACTS[act](fight)
    assert (fight.state, fight.marks, fight.ahead, told) == (before, marks, ahead, [])
    assert path.read_bytes() == content
    files.how = ""
    ACTS[act](fight)
    assert len(told) == 1
    assert Fight.watch(path).state == fight.state
    fight.close()


def test_after_a_failed_sync_nothing_is_taken_until_the_fight_is_opened_again(path):
    fight, files = failing_fight(path)
    hurt(fight, 1)
    files.how = "sync"
    before = fight.state
    with pytest.raises(JournalBroken):
        hurt(fight, 1)
    files.how = ""
    for act in (ACTS["do"], ACTS["undo"], ACTS["mark"], lambda broken: broken.jump(0)):
        with pytest.raises(JournalBroken):
            act(fight)
    assert fight.state is before
    fight.close()
    again = Fight.open(path)
    assert hp(again) in (4, 3)
    hurt(again, 1)
    again.close()


def test_a_closed_fight_takes_nothing(saved):
    before = saved.state
    saved.close()
    saved.close()
    with pytest.raises(JournalBroken, match="closed"):
        hurt(saved, 1)
    assert saved.state is before


# Opening and watching


def test_reopening_is_to_be_exactly_where_it_was(saved, path):
    play_a_moment(saved)
    saved.undo(3)
    saved.mark("here")
    saved.close()
    again = Fight.open(path)
    assert (again.state, again.head, again.marks, again.ahead) == (saved.state, saved.head, saved.marks, saved.ahead)
    assert list(again.line.events()) == list(saved.line.events())
    assert again.line.entries == saved.line.entries
    assert (again.path, again.is_torn, again.is_watching) == (path, False, False)
    assert {who: again.options(who) for who in again.state.combatants} == {
        who: saved.options(who) for who in saved.state.combatants
    }
    again.close()


def test_a_torn_last_line_is_put_aside_and_told(saved, path):
    hurt(saved, 1)
    whole = path.read_bytes()
    hurt(saved, 1)
    saved.close()
    path.write_bytes(path.read_bytes()[:-20])
    again = Fight.open(path)
    assert (again.is_torn, hp(again), path.read_bytes()) == (True, 4, whole)
    again.close()


def _try_to_open(path, answers):
    try:
        Fight.open(path)
    except LockedByAnother as locked:
        answers.put(("locked", str(locked)))
    watcher = Fight.watch(path)
    answers.put(("watching", watcher.state.combatants["orc"].pools["hp"].now))


@pytest.mark.slow
def test_a_second_writer_is_locked_out_but_may_watch(saved, path):
    hurt(saved, 2)
    with pytest.raises(LockedByAnother):
        Fight.open(path)
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    other = context.Process(target=_try_to_open, args=(path, answers))
    other.start()
    word, told = answers.get(timeout=30)
    assert word == "locked"
    assert str(path) in told
    assert answers.get(timeout=30) == ("watching", 3)
    other.join(timeout=30)
    assert hurt(saved, 1).number == 2


def test_a_watcher_sees_what_another_writes_as_it_was_done(saved, path):
    hurt(saved, 1)
    watcher = Fight.watch(path)
    assert (watcher.is_watching, watcher.path, watcher.poll()) == (True, path, False)
    told, meant = heard(watcher), heard(saved)
    first, second = hurt(saved, 1), hurt(saved, 1)
    saved.mark("here")
    saved.undo(2)
    saved.redo()
    saved.jump(second.number)
    assert hp(watcher) == 4
    assert watcher.poll()
    assert not watcher.poll()
    assert watcher.state == saved.state
    assert [(change.kind, change.entry, change.before, change.after, change.events) for change in told[:-1]] == [
        (change.kind, change.entry, change.before, change.after, change.events) for change in meant[:-1]
    ]
    assert (told[-1].kind, told[-1].entry) == ("redo", second)
    saved.jump(first.on)
    hurt(saved, 3)
    saved.jump(second.number)
    told.clear()
    watcher.poll()
    assert [change.kind for change in told] == ["undo", "do", "jump"]
    assert (watcher.state, watcher.branches(), watcher.ahead) == (saved.state, saved.branches(), saved.ahead)


@pytest.mark.parametrize("act", [*ACTS.values()], ids=[*ACTS])
def test_a_watcher_takes_no_commands(saved, path, act):
    for _ in range(2):
        hurt(saved, 1)
    saved.undo()
    watcher = Fight.watch(path)
    content = path.read_bytes()
    with pytest.raises(Refused) as no:
        act(watcher) if act is not ACTS["jump"] else watcher.jump(0)
    assert (no.value.rule, no.value.final) == ("watching", True)
    assert path.read_bytes() == content


# Journals that say what cannot be


def rewritten(path, change):
    """The journal with one record changed and its checks made good again."""
    lines = path.read_bytes().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        record.pop("prev", None)
        del record["crc"]
    change(records)
    path.write_bytes(encode_journal(records[0], records[1:]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda records: records[0].pop("seed"), "header: seed: missing"),
        (lambda records: records[0].update(system="chess"), "unknown system 'chess'"),
        (lambda records: records[0].update(settings=7), "header settings"),
        (lambda records: records[0].update(board={"kind": "round"}), "header board"),
        (lambda records: records[0]["combatants"][0].pop("id"), "header combatants: 0.id: missing"),
        (lambda records: records[1].pop("ev"), "line 2: a cmd without its 'ev'"),
        (lambda records: records[1]["ev"][0].update(type="Danced"), "line 2, event: type: unknown 'Danced'"),
        (lambda records: records[1]["ev"][0].pop("who"), "line 2, event DamageApplied: who: missing"),
        (lambda records: records[3].pop("name"), "line 4: a mark without its 'name'"),
        (lambda records: records[3].update(t="head", to=2), "line 4, entry: 2 isn't an entry"),
        (lambda records: records[4].update(on=3), "line 5, entry: 3 isn't an entry"),
    ],
)
def test_a_journal_that_makes_no_sense_is_refused_with_its_line_and_left_alone(saved, path, change, told):
    hurt(saved, 1)
    saved.undo()
    saved.mark("here")
    hurt(saved, 1)
    saved.close()
    rewritten(path, change)
    content = path.read_bytes()
    for opener in (Fight.open, Fight.watch):
        with pytest.raises(BadInput) as bad:
            opener(path)
        assert told in str(bad.value)
    assert path.read_bytes() == content
    with pytest.raises(BadInput):
        Fight.open(path)


def test_damage_names_the_line(saved, path):
    for _ in range(3):
        hurt(saved, 1)
    saved.close()
    path.write_bytes(path.read_bytes().replace(b'"amount":1', b'"amount":2', 1))
    with pytest.raises(DamagedJournal, match="line 2"):
        Fight.open(path)


def test_a_start_is_its_header():
    start = fresh(board=HexBoard(3, 2)).start
    header = json.loads(json.dumps(start.header(NOW)))
    assert type(start).from_header(header) == start
    assert replace(start, seed="8") != start


# What is foreseen


@pytest.mark.parametrize("encounter", ["first-segment", "first-cycle", "first-round", "ambush-at-the-ford"])
def test_what_was_foreseen_is_done_as_if_it_had_not_been(encounter):
    foreseeing, plain = (start_fight(load_encounter(encounter), id="one", seed="7") for _ in range(2))
    for number in range(60):
        command = plain.next_call().command or Note(text=f"line {number}")
        count, before = foreseeing.line.entry_count(), foreseeing.state
        foreseeing.decide(Note(text="another"))
        events, states = foreseeing.decide(command)
        assert foreseeing.decide(command)[1] is states, "it is decided once"
        assert foreseeing.line.entry_count() == count, "nothing is done"
        assert events == foreseeing.do(command).events == plain.do(command).events
        assert foreseeing.state is (states[-1] if states else before)
        assert foreseeing.state == plain.state
        if number % 7 == 6:
            assert foreseeing.undo().events == plain.undo().events


def test_other_dice_fall_otherwise_than_foreseen():
    giant = Join(name="Orc", side="foe", sheet={"hp": 500})
    foreseeing, plain = (Fight.new("stage", seed="7", joins=[giant], clock=lambda: NOW) for _ in range(2))
    command = Damage(who="orc", amount="9d20")
    _, states = foreseeing.decide(command)
    for fight in (foreseeing, plain):
        fight.fork(new_dice=True)
    assert foreseeing.do(command).events == plain.do(command).events
    assert foreseeing.state != states[-1]


def test_a_redo_leads_to_the_very_state_that_was_undone():
    fight = fresh()
    fight.give("start")
    states = [fight.state, *(hurt(fight, 1) and fight.state for _ in range(3))]
    for _ in range(3):
        fight.undo()
    for state in states[1:]:
        fight.redo()
        assert fight.state is state
    fight.undo()
    fight.give("note", text="another way")
    assert fight.state.combatants == states[2].combatants
