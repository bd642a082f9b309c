"""What is shown of a fight to those who look on: frames along its line of play, for players and for the GM."""

import shutil
from pathlib import Path

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view, public_lines

JOURNALS = sorted((Path(__file__).parent / "data" / "journals-0.2").glob("*.jsonl"))


def begun(encounter: str = "ambush-at-the-ford") -> Fight:
    """A fight in which Ysolde has struck nobody yet."""
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    return fight


@pytest.mark.slow
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_reel_kept_up_to_date_is_the_one_that_is_made_anew(path: Path, tmp_path: Path) -> None:
    """Back, on again, and another way. The last frame is what players see now."""
    fight = Fight.open(Path(shutil.copy(path, tmp_path)))
    reel = Reel(fight)
    view, frame = player_view(fight.state, fight.system), reel.shots[-1].frame
    assert [figure.id for figure in frame.figures] == view["order"]
    told = {"status": frame.status, "round": frame.round, "phase": frame.phase, "side": frame.side}
    assert told.items() <= view.items()
    for steps in (1, 20):
        fight.undo(steps)
        reel.update()
        assert reel.shots == Reel(fight).shots
    fight.redo()
    fight.give("note", text="another way")
    fight.give("damage", who=fight.state.order[0], amount=1)
    reel.update()
    assert reel.shots == Reel(fight).shots


def test_what_players_do_not_see_has_no_frame() -> None:
    fight = begun()
    reel = Reel(fight)
    fight.give("join", name="Lurker", side="foe", sheet={"hp": 5}, hidden=True)
    fight.give("note", text="The bridge is mined")
    assert not reel.update()
    assert "Lurker" not in repr(reel.shots)
    gm = Reel(fight, for_gm=True)
    assert "Lurker" in repr(gm.shots[-1].frame)
    assert "mined" in repr(gm.shots[-1].lines)


def test_an_undone_entry_is_gone_from_the_reel() -> None:
    fight = begun()
    reel = Reel(fight)
    before = list(reel.shots)
    fight.give("damage", who="brand", amount=3)
    assert reel.update()
    assert [told.text for told in reel.shots[-1].lines] == ["Brand takes 3 damage"]
    fight.undo()
    assert reel.update()
    assert reel.shots == before


def test_a_way_begins_where_its_walker_stood() -> None:
    fight = begun()
    while fight.state.phase != "move":
        fight.give("advance")
    at = fight.state.combatants["brand"].at
    place = fight.state.board.neighbours(at)[0]
    fight.give("move", who="brand", path=[list(place)])
    assert Reel(fight).shots[-1].frame.ways == (("brand", (at, place)),)


def test_whose_turn_it_is_and_who_is_next() -> None:
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="3")
    fight.give("start")
    for _ in range(30):
        if fight.state.step is not None and fight.state.step.actor:
            break
        fight.give("advance")
    turns = {figure.id: figure.turn for figure in Reel(fight).shots[-1].frame.figures}
    assert turns[fight.state.step.actor] == 0
    assert sorted(turn for turn in turns.values() if turn is not None) == list(range(len(turns)))


def test_players_read_the_verb_of_a_strike_and_how_it_ends() -> None:
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="words", seed="7")
    fight.give("start")
    while fight.state.phase != "missile":
        fight.give("advance")
    before = fight.state
    entry = fight.give("strike", who="ysolde", target="goblin-1", kind="missile", rolls={"attack": [9], "damage": [4]})
    said = [(wording.text, wording.follows) for _, wording in public_lines(entry.events, before) if wording.text]
    hit, harm = ("hits with a 9", True), ("Goblin 1 takes 4 damage", True)
    assert said[:3] == [("Ysolde shoots at Goblin 1", False), hit, harm]
