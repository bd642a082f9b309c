"""Amendments and forks of fights played at random, in all four systems and in games of a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from fightcall_engine import Fight
from fightcall_engine.model.commands import AddEffect, Note
from fightcall_engine.model.events import Event, RoundBegan
from fightcall_engine.model.fold import fold_all
from fightcall_engine.play.amendments import Edit, change_command

from .shipped import FEW, FILES
from .test_random_play import Player

COMMANDS = int(os.environ.get("FIGHTCALL_SECOND_THOUGHTS", "60"))


@pytest.mark.slow
@pytest.mark.parametrize("encounter", [*FEW, *FILES])
def test_amendments_of_a_fight_played_at_random(encounter: str, tmp_path: Path) -> None:
    """What changes nothing changes nothing; what is struck out leaves a whole line; the old one stays to the byte."""
    path = tmp_path / "one.jsonl"
    player = Player(encounter, 3)
    player.play(COMMANDS, is_checked=False)
    fight = player.fight
    fight.save_as(path)
    check_all_is_given_again_with_the_same_dice(fight)
    check_what_is_struck_out_begins_no_round_that_had_not_begun(fight)
    entries = fight.line.entries
    state, data = fight.state, path.read_bytes()
    for entry in entries[:: max(1, len(entries) // 6)]:
        same = fight.amend([Edit(entry.number, instead=change_command(fight.codec, fight.line, entry.number, {}))])
        assert (same.is_idle, same.differences) == (True, ())
        assert same.now == state
        fight.adopt(same)
        noted = fight.amend([Edit(entry.number, before=(Note(text="x"),))])
        assert {each.fate for each in noted.replayed[1:]} == {"same"}
        assert noted.now == state
    assert path.read_bytes() == data
    middle = entries[len(entries) // 2]
    struck = fight.amend([Edit(middle.number, is_struck=True)])
    assert struck.replayed[0].fate == "left out"
    fight.adopt(struck)
    assert fight.state == struck.now
    assert fold_all(fight.line.seek(0), fight.line.events()) == fight.state
    assert path.read_bytes().startswith(data)
    twin = Fight.watch(path)
    assert (twin.state, twin.branches()) == (fight.state, fight.branches())
    old = next(branch for branch in fight.branches() if branch.tip == entries[-1].number)
    assert fight.state_of(old) == state
    fight.close()


def check_what_is_struck_out_begins_no_round_that_had_not_begun(fight: Fight) -> None:
    """Put right 5: whichever entry is left out, the new line gets no further than the old one."""
    entries = fight.line.entries
    for index in range(0, len(entries), max(1, len(entries) // 12)):
        amendment = fight.amend([Edit(entries[index].number, is_struck=True)])
        later = [event for entry in entries[index:] for event in entry.events]
        again = [event for each in amendment.replayed for event in each.events]
        assert rounds_begun(again) <= rounds_begun(later)
        is_same_round = rounds_begun(again) == rounds_begun(later)
        if is_same_round and amendment.now.agenda.steps == amendment.then.agenda.steps:
            assert amendment.now.agenda.cursor <= amendment.then.agenda.cursor


def rounds_begun(events: Sequence[Event]) -> int:
    return sum(isinstance(event, RoundBegan) for event in events)


def check_all_is_given_again_with_the_same_dice(fight: Fight) -> None:
    """An effect without a meaning, put in before everything, has all commands decided anew, and nothing comes out."""
    first = fight.line.entries[0]
    bearer = next(iter(fight.line.seek(0).combatants), "")
    odd = AddEffect(who=bearer, name="hums", rounds=None)
    amendment = fight.amend([Edit(first.number, before=(odd,))])
    assert amendment.replayed[0].fate == "added"
    assert not amendment.refused
    assert not [die for each in amendment.replayed for die in each.dice]
    copies = [each for each in fight.state.combatants if each.startswith(f"{bearer}-")]
    assert {(each.who, each.what) for each in amendment.differences} <= {
        (each, "effects") for each in (bearer, *copies)
    }


@pytest.mark.slow
@pytest.mark.parametrize("encounter", FEW)
def test_a_fork_that_is_played_on_and_dropped_leaves_all_as_it_was(encounter: str, tmp_path: Path) -> None:
    """Every byte of the other line, its state and what it throws next; and the file gives the same tree again."""
    path = tmp_path / "one.jsonl"
    player = Player(encounter, 5)
    player.play(COMMANDS // 2, is_checked=False)
    fight = player.fight
    fight.save_as(path)
    data, state, entries, following = path.read_bytes(), fight.state, fight.line.entries, fight.next_call()
    trial = fight.fork().id
    player.play(COMMANDS // 2, is_checked=False)
    onlooker = Fight.watch(path, real_branch=True)
    assert onlooker.state == state
    assert Fight.watch(path).state == fight.state
    if fight.branch.id == trial:
        fight.drop()
    else:
        fight.take(0)
    assert path.read_bytes().startswith(data)
    assert (fight.state, fight.line.entries, fight.next_call()) == (state, entries, following)
    branches = fight.branches()
    fight.close()
    again = Fight.open(path)
    assert (again.state, again.branches(), again.branch) == (state, branches, fight.branch)
    again.close()
