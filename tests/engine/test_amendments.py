"""Second thoughts: an entry is changed, and what came after it is given again with the same dice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fightcall_engine import Fight
from fightcall_engine.archive.journal import AppendFailed
from fightcall_engine.archive.lines import DamagedJournal
from fightcall_engine.headless import Session
from fightcall_engine.model.commands import AddEffect, Adjust, Advance, Damage, Join, Note
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DiceRolled, Overridden, RulingAsked
from fightcall_engine.play.amendments import Edit, change_command
from protocol_schema import check_reply

NOW = "2026-01-02T03:04:05+00:00"
PAIR = (Join(name="Ash", sheet={"hp": 9}), Join(name="Orc", side="foe", sheet={"hp": 50}))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "one.jsonl"


@pytest.fixture
def fight(path):
    fight = Fight.new("stage", seed="7", joins=PAIR, path=path, clock=lambda: NOW)
    yield fight
    fight.close()


def hurt(fight, amount="1d6"):
    return fight.give("damage", who="orc", amount=amount)


def hp(fight, who="orc"):
    return fight.state.combatants[who].pools["hp"].now


def faces(entry):
    return [event.faces for event in entry.events if isinstance(event, DiceRolled)]


def changed(fight, entry, **fields):
    return Edit(entry.number, instead=change_command(fight.codec, fight.line, entry.number, fields))


def fates(amendment):
    return [each.fate for each in amendment.replayed]


# What comes out


def test_a_changed_number_changes_the_end_and_no_die_after_it(fight):
    first, thrown, last = hurt(fight, 3), hurt(fight), hurt(fight)
    amendment = fight.amend([changed(fight, first, amount=2)])
    assert fates(amendment) == ["changed", "differs", "differs"]
    assert [(each.what, each.then, each.now) for each in amendment.differences] == [
        ("hp", f"{hp(fight)}/50", f"{hp(fight) + 1}/50")
    ]
    assert (amendment.parted, amendment.head) == (0, last.number)
    before = hp(fight)
    fight.adopt(amendment)
    assert hp(fight) == before + 1
    assert [faces(entry) for entry in fight.line.entries] == [[], faces(thrown), faces(last)]


def test_an_entry_that_is_struck_out_moves_no_die(fight):
    entries = [hurt(fight) for _ in range(4)]
    fight.adopt(fight.amend([Edit(entries[1].number, is_struck=True)]))
    assert [faces(entry) for entry in fight.line.entries] == [faces(entry) for entry in entries if entry != entries[1]]


def test_what_is_put_in_moves_no_die_nor_does_what_is_done_next(fight, path):
    entries = [hurt(fight) for _ in range(3)]
    fight.fork()
    following = hurt(fight)
    fight.drop()
    amendment = fight.amend([Edit(entries[1].number, before=(Damage(who="orc", amount="2d6"),))])
    assert fates(amendment) == ["added", "differs", "differs"]
    fight.adopt(amendment)
    first, added, *rest = fight.line.entries
    assert [faces(each) for each in (first, *rest)] == [faces(each) for each in entries]
    assert faces(added) not in [faces(each) for each in entries]
    assert faces(hurt(fight)) == faces(following)
    fight.close()
    again = Fight.open(path)
    assert faces(hurt(again)) not in [faces(each) for each in (*entries, following)]
    again.close()


def test_a_die_is_changed(fight):
    entry, later = hurt(fight), hurt(fight)
    amendment = fight.amend([changed(fight, entry, rolls={"damage": [6]})])
    (die,) = amendment.replayed[0].dice
    assert (die.who, die.what, die.then, die.now) == ("orc", "damage", str(faces(entry)[0][0]), "6")
    assert amendment.replayed[1].dice == ()
    fight.adopt(amendment)
    assert [faces(each) for each in fight.line.entries] == [[(6,)], faces(later)]


def test_a_value_of_the_sheet_is_put_right_before_an_entry(fight):
    first = hurt(fight, 1)
    hurt(fight, 5)
    put_in = Adjust(who="orc", what="sheet.hp", value=40)
    amendment = fight.amend([Edit(first.number, before=(put_in,))])
    assert [(each.what, each.then, each.now) for each in amendment.differences] == [("hp", "44/50", "34/40")]
    fight.adopt(amendment)
    assert (fight.state.combatants["orc"].sheet["hp"], hp(fight)) == (40, 34)


def test_what_can_no_longer_be_done_says_why_and_the_gm_chooses(fight):
    joined = fight.give("join", name="Newt", side="foe", sheet={"hp": 5})
    fight.give("damage", who="newt", amount=1)
    hurt(fight, 2)
    strike = Edit(joined.number, is_struck=True)
    amendment = fight.amend([strike])
    assert fates(amendment) == ["left out", "refused", "same"]
    (refused,) = amendment.refused
    assert (refused.rule, "newt" in refused.why.lower(), bool(refused.accepts)) == ("who", True, True)
    instead = Damage(who="ash", amount=4)
    chosen = fight.amend([strike, Edit(refused.entry, instead=instead)])
    assert fates(chosen) == ["left out", "changed", "same"]
    assert chosen.now.combatants["ash"].pools["hp"].now == 5
    left = fight.amend([strike, Edit(refused.entry, is_struck=True)])
    assert (fates(left), left.refused) == (["left out", "left out", "same"], ())


def test_what_the_rules_refuse_now_is_done_by_the_gms_word(fight):
    """SB-46: a walk that costs more beats than are left."""
    fight.give("start")
    count = fight.line.entry_count()
    while fight.state.phase != "move":
        fight.give("advance")
    walk = fight.give("move", who="ash", hexes=3)
    entry = fight.line.entry(count)
    edit = Edit(entry.number, before=(Adjust(who="ash", what="beats", value=1),))
    refused = fight.amend([edit]).refused
    assert [each.entry for each in refused] == [walk.number]
    forced = fight.amend([edit, Edit(walk.number, is_forced=True)])
    assert not forced.refused
    assert any(isinstance(event, Overridden) for each in forced.replayed for event in each.events)


def test_a_question_is_answered_as_it_was_whatever_its_number(fight):
    fight.give("start")
    note = fight.give("note", text="x")
    while fight.state.phase != "missile":
        fight.give("advance")
    fight.give("strike", who="ash", target="orc", kind="missile", needs=12, rolls={"attack": [11]})
    fight.give("answer", prompt=fight.state.prompts[0].id, amount=7)
    before = hp(fight)
    added = AddEffect(who="orc", name="cursed")
    amendment = fight.amend([Edit(note.number, before=(added,))])
    assert not amendment.refused
    assert [(each.what, each.now) for each in amendment.differences] == [("effects", "cursed")]
    fight.adopt(amendment)
    assert hp(fight) == before


def test_what_asks_a_question_now_has_it_answered_as_proposed(fight):
    """The strike misses by the die that fell; it hits by the one that is put in its place."""
    fight.give("start")
    while fight.state.phase != "missile":
        fight.give("advance")
    strike = fight.give("strike", who="ash", target="orc", kind="missile", needs=12, rolls={"attack": [19]})
    assert not fight.state.prompts
    fight.give("advance")
    amendment = fight.amend([changed(fight, strike, rolls={"attack": [3]})])
    assert fates(amendment)[0] == "changed"
    asked = [event for event in amendment.replayed[0].events if isinstance(event, RulingAsked)]
    assert asked
    assert all(each.fate in ("added", "same", "differs", "refused") for each in amendment.replayed[1:])


def test_advances_that_the_new_course_does_not_need_are_left_out(fight):
    fight.give("start")
    first = fight.give("advance")
    for _ in range(4):
        fight.give("advance")
    end = fight.state.step
    amendment = fight.amend([Edit(first.number, is_struck=True)])
    assert amendment.now.step != end or "added" in fates(amendment)
    both = fight.amend([Edit(first.number, before=(Advance(),))])
    assert "left out" in fates(both)
    assert both.now.step == end
    assert both.differences == ()


# What is taken


def test_the_old_line_stays_as_a_branch_and_bookmarks_stand_on_both(fight, path):
    first, second = hurt(fight, 3), hurt(fight, 4)
    fight.mark("blood")
    old = fight.state
    data = path.read_bytes()
    fight.adopt(fight.amend([changed(fight, first, amount=1)]))
    assert path.read_bytes().startswith(data)
    (branch,) = fight.branches()
    assert (branch.tip, branch.name, branch.is_dropped) == (second.number, f"before #{first.number} was changed", False)
    assert [mark.on for mark in fight.marks] == [second.number, fight.head_number]
    twin = Fight.watch(path)
    assert (twin.state, twin.branches(), twin.marks, twin.branch) == (
        fight.state,
        fight.branches(),
        fight.marks,
        fight.branch,
    )
    assert twin.branch.is_real
    fight.undo()
    assert fight.redo().number == fight.head_number
    fight.take(branch.id)
    assert fight.state == old


def test_an_amendment_of_a_trial_stays_one(fight, path):
    hurt(fight, 1)
    fight.fork()
    entry = hurt(fight, 3)
    fight.adopt(fight.amend([changed(fight, entry, amount=9)]))
    assert (fight.branch.is_trial, hp(fight), hp(Fight.watch(path, real_branch=True))) == (True, 40, 49)


def test_an_amendment_that_changes_nothing_writes_nothing(fight, path):
    entry = hurt(fight)
    hurt(fight)
    data = path.read_bytes()
    amendment = fight.amend([changed(fight, entry)])
    assert (amendment.is_idle, amendment.differences, amendment.now) == (True, (), fight.state)
    fight.adopt(amendment)
    assert path.read_bytes() == data


def test_an_amendment_is_taken_where_it_was_made(fight):
    entry = hurt(fight, 3)
    amendment = fight.amend([changed(fight, entry, amount=1)])
    hurt(fight, 1)
    with pytest.raises(Refused, match="moved on"):
        fight.adopt(amendment)
    for number in (0, 99):
        with pytest.raises(Refused, match="no entry"):
            fight.amend([Edit(number, is_struck=True)])
    with pytest.raises(Refused, match="nothing"):
        fight.amend([])


def test_everything_can_be_struck_out(fight):
    entries = [hurt(fight, 1), hurt(fight, 2)]
    fight.adopt(fight.amend([Edit(entry.number, is_struck=True) for entry in entries]))
    assert (hp(fight), fight.head_number) == (50, 0)


# What a crash leaves


def test_an_amendment_that_was_cut_off_is_none(fight, path, tmp_path):
    """Whatever was written of it when the power went, the fight stands where it stood, and goes on."""
    entries = [hurt(fight, amount) for amount in (3, 4, 5)]
    before, state = path.read_bytes(), fight.state
    fight.adopt(fight.amend([changed(fight, entries[0], amount=1)]))
    whole, taken = path.read_bytes(), fight.state
    cut = tmp_path / "cut.jsonl"
    ends = [at + 1 for at, letter in enumerate(whole) if letter == ord("\n") and at + 1 >= len(before)]
    for size in (*ends, *range(len(before), len(whole), 97)):
        cut.write_bytes(whole[:size])
        shown = Fight.watch(cut), Fight.watch(cut, real_branch=True)
        again = Fight.open(cut)
        assert again.state == (taken if size == len(whole) else state), size
        assert [each.state for each in shown] == [again.state] * 2
        assert again.head_number in (entries[-1].number, fight.head_number)
        tips = [branch.tip for branch in again.branches()]
        assert tips == ([entries[-1].number] if size == len(whole) else [])
        hurt(again, 1)
        assert hp(again) == state.combatants["orc"].pools["hp"].now - 1 + (2 if size == len(whole) else 0)
        again.close()
        assert Fight.watch(cut).state == again.state
        cut.unlink()


def marked(fight):
    """A line with a bookmark."""
    fight.mark("blood")


def partly_undone(fight):
    """A line that a redo goes on along."""
    fight.undo(2)


def forked(fight):
    """A branch of a branch, with a name, and one that was left."""
    fight.fork("what if")
    hurt(fight, 6)
    fight.take(0)
    hurt(fight, 7)
    fight.go_to_branch(fight.branches()[0].id)
    fight.undo()


def amended(fight):
    """A line that is an amendment itself."""
    fight.adopt(fight.amend([changed(fight, fight.line.entry(0), amount=2)]))


@pytest.mark.parametrize("prepare", [marked, partly_undone, forked, amended])
def test_an_amendment_is_there_whole_or_not_at_all(fight, path, tmp_path, prepare):
    """Put right 5: no branch without its name or of another length, no bookmark of its own, wherever it was cut."""
    for amount in (3, 4, 5):
        hurt(fight, amount)
    prepare(fight)

    def seen(fight):
        return fight.state, fight.branch, fight.branches(), fight.marks, fight.ahead

    before, size = seen(fight), len(path.read_bytes())
    fight.adopt(fight.amend([changed(fight, fight.line.entry(0), amount=1)]))
    after, whole = seen(fight), path.read_bytes()
    ends = [at + 1 for at, letter in enumerate(whole) if letter == ord("\n") and at + 1 >= size]
    for end in (*ends, *(end - 40 for end in ends[1:])):
        cut = tmp_path / f"cut{end}.jsonl"
        cut.write_bytes(whole[:end])
        expected = after if end == len(whole) else before
        assert seen(Fight.watch(cut)) == expected, end
        again = Fight.open(cut)
        assert seen(again) == expected, end
        again.save_as(tmp_path / f"copy{end}.jsonl")
        again.close()
        for opened in (cut, tmp_path / f"copy{end}.jsonl"):
            assert seen(Fight.watch(opened)) == expected, end


def test_one_who_watches_sees_an_amendment_whole(fight, path):
    """Put right 5: nothing is shown of it while it is being written."""
    entry = hurt(fight, 3)
    hurt(fight, 4)
    watcher = Fight.watch(path)
    size = len(path.read_bytes())
    fight.adopt(fight.amend([changed(fight, entry, amount=1)]))
    whole = path.read_bytes()
    changes = []
    watcher.subscribe(changes.append)
    for end in range(size, len(whole), 50):
        path.write_bytes(whole[:end])
        watcher.poll()
        assert (hp(watcher), changes) == (43, [])
    path.write_bytes(whole)
    watcher.poll()
    assert (hp(watcher), [change.kind for change in changes]) == (45, ["jump"])
    assert (watcher.branch, watcher.branches()) == (fight.branch, fight.branches())


def test_blocks_of_an_amendment_that_never_reached_the_disk_are_put_aside(fight, path, tmp_path):
    """It is written as one, and the disk may keep its end and lose its middle; only what is taken is acknowledged."""
    entries = [hurt(fight, amount) for amount in (3, 4, 5)]
    before, state = len(path.read_bytes()), fight.state
    fight.adopt(fight.amend([changed(fight, entries[0], amount=1)]))
    whole = path.read_bytes()
    first, *_, last = [at + 1 for at, letter in enumerate(whole) if letter == ord("\n") and at >= before]
    taken = whole[:-1].rindex(b"\n") + 1
    assert last == len(whole)
    cut = tmp_path / "cut.jsonl"
    for start in range(first, taken - 40, 61):
        cut.write_bytes(whole[:start] + bytes(40) + whole[start + 40 : taken])
        again = Fight.open(cut)
        assert (again.state, again.is_torn) == (state, True)
        hurt(again, 1)
        again.close()
        assert Fight.watch(cut).line.entry_count() == 4
        for aside in tmp_path.glob("cut*"):
            aside.unlink()
        cut.write_bytes(whole[:start] + bytes(40) + whole[start + 40 :])
        with pytest.raises(DamagedJournal):
            Fight.open(cut)


@pytest.mark.parametrize("good", range(3))
def test_an_amendment_that_cannot_be_saved_changes_nothing(fight, path, monkeypatch, good):
    entries = [hurt(fight, amount) for amount in (3, 4, 5)]
    state, head = fight.state, fight.head_number
    write, left = fight._history.journal._files.write, [good]

    def fill_up(fd, data):
        left[0] -= 1
        if left[0] < 0:
            raise OSError("the disk is full")
        return write(fd, data)

    monkeypatch.setattr(fight._history.journal._files, "write", fill_up, raising=False)
    with pytest.raises(AppendFailed):
        fight.adopt(fight.amend([changed(fight, entries[0], amount=1)]))
    assert (fight.state, fight.head_number, fight.branch.id) == (state, head, 0)
    monkeypatch.undo()
    hurt(fight, 1)
    assert hp(fight) == 37
    fight.close()
    shutil.copy(path, path.with_suffix(".copy"))
    again = Fight.open(path.with_suffix(".copy"))
    assert (again.state, again.branches()) == (fight.state, fight.branches())
    again.close()


# Old journals

OLD = sorted((Path(__file__).parent / "data" / "journals-0.2").rglob("*.jsonl"))


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_an_old_journal_is_forked_and_amended(old, tmp_path):
    """What changes nothing decides nothing anew, whatever the rules say today."""
    path = tmp_path / old.name
    shutil.copy(old, path)
    fight = Fight.open(path)
    entries = fight.line.entries
    noted = fight.amend([Edit(entries[0].number, before=(Note(text="x"),))])
    assert {each.fate for each in noted.replayed[1:]} == {"same"}
    fight.fork()
    fight.give("note", text="y")
    fight.drop()
    fight.adopt(noted)
    state, branches = fight.state, fight.branches()
    fight.close()
    again = Fight.open(path)
    assert (again.state, again.branches()) == (state, branches)
    assert again.line.entry_count() == len(entries) + 1
    again.close()


# The protocol


def test_forks_and_amendments_by_the_protocol():
    session = Session()

    def say(**request):
        reply = json.loads(json.dumps(session.answer_line(json.dumps(request))))
        check_reply("stage", reply)
        return reply

    say(do="open", system="stage", seed="7")
    say(do="add", id="orc", name="Orc", side="foe", sheet={"hp": 50})
    hit = say(do="damage", who="orc", amount=3)["n"]
    assert say(do="fork", name="what if")["branch"]["is_trial"]
    say(do="damage", who="orc", amount=9)
    trial = say(ask="branch")["branch"]["id"]
    compared = say(ask="compare", branch=0)["compare"]
    assert [(each["what"], each["then"], each["now"]) for each in compared] == [("hp", "38/50", "47/50")]
    assert say(do="drop_branch")["branch"]["id"] == 0
    assert [branch["is_dropped"] for branch in say(ask="branches")["branches"]] == [True]
    assert say(do="restore_branch", branch=trial)["ok"]
    assert say(do="name_branch", branch=trial, name="later")["ok"]
    assert say(do="take_branch", branch=trial)["branch"] | {"name": "later"} == say(ask="branch")["branch"]
    edits = [{"entry": hit, "change": {"amount": 1}, "before": [{"do": "note", "text": "armour"}]}]
    preview = say(ask="amend", edits=edits)["amend"]
    assert [each["fate"] for each in preview["entries"]] == ["added", "changed", "differs"]
    assert [(each["then"], each["now"]) for each in preview["differences"]] == [("38/50", "40/50")]
    assert say(do="amend", edits=edits)["ok"]
    assert say(ask="state")["state"]["combatants"]["orc"]["pools"]["hp"]["now"] == 40
    for wrong in (5, [], [5], [{"entry": hit, "hit": 1}], [{"entry": 99, "strike": True}]):
        assert not say(do="amend", edits=wrong)["ok"]
    assert not say(do="amend", edits=[{"entry": hit, "before": 3}])["ok"]
    assert not say(do="fork", dice="loaded")["ok"]


def test_commands_before_an_entry_or_in_its_place_may_be_one_or_several():
    """Put right 5: a list in `instead` is no longer ignored, and `before` takes a single command."""
    session = Session()

    def say(**request):
        reply = json.loads(json.dumps(session.answer_line(json.dumps(request))))
        check_reply("stage", reply)
        return reply

    say(do="open", system="stage", seed="7")
    say(do="add", id="orc", name="Orc", side="foe", sheet={"hp": 50})
    hit = say(do="damage", who="orc", amount=3)["n"]

    def comes_to(**edit):
        preview = say(ask="amend", edits=[{"entry": hit, **edit}])["amend"]
        return [each["fate"] for each in preview["entries"]], [each["now"] for each in preview["differences"]]

    one, two = ({"do": "damage", "who": "orc", "amount": amount} for amount in (1, 10))
    assert comes_to(instead=two) == comes_to(instead=[two]) == (["changed"], ["40/50"])
    assert comes_to(instead=[one, two]) == (["added", "changed"], ["39/50"])
    assert comes_to(before=one) == comes_to(before=[one]) == (["added", "differs"], ["46/50"])
    assert comes_to(before=[one, one], instead=[one, two]) == (["added", "added", "added", "changed"], ["37/50"])
    assert say(do="amend", edits=[{"entry": hit, "instead": [one, two]}])["ok"]
    assert say(ask="state")["state"]["combatants"]["orc"]["pools"]["hp"]["now"] == 39


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        ({"instead": "advance"}, "instead: expected a command"),
        ({"instead": [5]}, "instead: expected a command"),
        ({"before": {"who": "orc"}}, "before: expected a command"),
        ({"change": [3]}, "change: expected an object of fields"),
        ({"strike": "yes"}, "strike: expected true or false"),
        ({"force": 1}, "force: expected true or false"),
        ({"strike": True, "change": {"amount": 1}}, "strike: can't be combined with change"),
        ({"instead": []}, "nothing to change"),
        ({}, "nothing to change"),
    ],
)
def test_an_edit_that_would_do_nothing_is_refused_in_words(fight, edit, problem):
    """Put right 5: it does not say ok and change nothing."""
    entry = hurt(fight, 3)
    session = Session(fight)
    reply = session.answer({"do": "amend", "edits": [{"entry": entry.number, **edit}]})
    assert problem in str(reply["error"]["problems"])
    twice = [{"entry": entry.number, "strike": True}, {"entry": entry.number, "change": {"amount": 1}}]
    assert "one for each entry" in str(session.answer({"do": "amend", "edits": twice})["error"]["problems"])
    assert (hp(fight), fight.branches()) == (47, ())
