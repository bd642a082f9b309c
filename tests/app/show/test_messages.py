"""What the page is told: the whole once, then what has changed, and nothing else."""

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.runs import side_role
from fightcall.show import (
    describe_stage,
    find_changes,
    find_moment,
    find_new_columns,
    find_new_lines,
    live_page,
    replay_page,
    write_frame,
    write_lanes,
    write_log,
)
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes

JOURNALS = sorted((Path(__file__).parents[2] / "engine" / "data" / "journals-0.2").glob("*.jsonl"))


def apply_changes(sheet, changes):
    """What the page does (`applyChanges` in page.js)."""
    figures = dict(sheet["figures"])
    for name, fields in changes.get("figures", {}).items():
        figures[name] = {**figures.get(name, {}), **fields}
    return {
        "head": {**sheet["head"], **changes.get("head", {})},
        "order": changes.get("order", sheet["order"]),
        "board": changes.get("board", sheet["board"]),
        "figures": figures,
        "ways": changes.get("ways", []),
    }


EMPTY = {"head": {}, "order": [], "board": None, "figures": {}, "ways": []}


@pytest.mark.slow
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_changes_lead_from_any_frame_to_any_other(path):
    sheets = [write_frame(shot.frame) for shot in Reel(Fight.watch(path)).shots]
    for step in (1, 5, -3):
        page, before = EMPTY, None
        for sheet in sheets[::step]:
            page = apply_changes(page, json.loads(json.dumps(find_changes(before, sheet))))
            before = sheet
            whole = json.loads(json.dumps(sheet))
            assert {name: page["figures"][name] for name in page["order"]} == whole["figures"]
            assert (page["head"], page["order"], page["board"]) == (whole["head"], whole["order"], whole["board"])


@pytest.mark.slow
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_timeline_is_told_by_its_new_columns(path, tmp_path):
    fight = Fight.open(Path(shutil.copy(path, tmp_path)))
    entries = [shot.entry for shot in Reel(fight).shots]
    lanes, told, page = Lanes(fight), None, []
    for steps in (0, 30, 7):
        fight.undo(steps) if steps else None
        sheet = write_lanes(lanes.chart(), entries)
        new = json.loads(json.dumps(find_new_columns(told, sheet)))
        page, told = [*page[: new["kept"]], *new["columns"]], sheet
        assert page == json.loads(json.dumps(sheet["columns"]))
        assert {act[0] for column in page for act in column[7]} <= {lane[0] for lane in new["lanes"]}


def test_the_ground_is_told_when_it_changes_and_only_then():
    """At the table 3: `! t` and `! n`: a frame has the map of its moment."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="1")
    fight.give("start")
    fight.give("paint", places=["C3"], terrain="lava", glyph="V")
    fight.give("damage", who="brand", amount=1)
    fight.give("change_map", board=to_json(SquareBoard(4, 4)), along=["brand"], places={"brand": "B2"})
    sheets = [write_frame(shot.frame) for shot in Reel(fight).shots]
    told = [
        [line.text for line in shot.lines]
        for shot, before, after in zip(Reel(fight).shots[1:], sheets, sheets[1:], strict=False)
        if "board" in find_changes(before, after)
    ]
    assert told == [["C3: lava"], ["The fight moves to another map"]]
    assert sheets[-1]["board"]["width"] < sheets[0]["board"]["width"]
    assert sheets[-1]["figures"]["brand"]["place"] == "B2"


def test_ways_of_an_entry_are_gone_with_the_next():
    before = {**EMPTY, "ways": [["ash", [[1, 2], [3, 4]]]]}
    assert find_changes(before, EMPTY)["ways"] == []


@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)))
def test_new_lines_take_the_place_of_those_that_are_others(before, after):
    kept, lines = find_new_lines(before, after)
    assert [*before[:kept], *lines] == after
    assert kept == len(before) or kept == len(after) or before[kept] != lines[0]


def test_a_log_has_a_heading_for_each_part_in_which_something_is_told():
    fight = Fight.watch(JOURNALS[0])
    lines = write_log(Reel(fight).shots)
    headings = [text for kind, text, _ in lines if kind == "heading"]
    assert headings
    assert all(one != other for one, other in pairwise(headings))
    assert [place for *_, place in lines] == sorted(place for *_, place in lines)


def test_moments_are_found_by_the_words_of_an_address():
    shots = Reel(Fight.watch(JOURNALS[0])).shots
    melee = find_moment(shots, "r2-move")
    assert (shots[melee].frame.round, shots[melee].frame.phase) == (2, "move")
    assert find_moment(shots, "R2-Move.1") == melee + 1
    assert shots[find_moment(shots, "r3")].frame.round == 3
    assert find_moment(shots, "") == len(shots) - 1
    of_gm = Reel(Fight.watch(JOURNALS[0]), for_gm=True).shots
    assert of_gm[find_moment(of_gm, "40", for_gm=True)].entry <= 40
    assert find_moment(shots, "0") == 0
    for wrong in ("r99", "r2-tea", "r2-move.9999", "99999", "r2.x"):
        assert find_moment(shots, wrong) is None, wrong


def test_a_page_loads_nothing_and_lets_only_its_own_script_run():
    fight = Fight.watch(JOURNALS[0])
    page, policy = live_page("Fight & <b>")
    for text in (page, replay_page(fight)):
        assert "src=" not in text.replace("img-src=", "")
        assert "@import" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
    assert "<b>" not in page
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_a_hostile_name_does_not_end_the_data_of_a_replay():
    fight = Fight.new("stage", name="</script><script>alert(1)</script>", seed="1")
    fight.give("join", name="<img src=x onerror=alert(1)>", sheet={"agility": 10})
    page = replay_page(fight)
    assert page.count("</script>") == 2
    assert "<img" not in page


@pytest.mark.slow
def test_a_replay_of_a_thousand_entries_is_small():
    """12 figures who are hurt and moved in turn: under 2 MB."""
    joins = [{"name": f"Fighter {number}", "side": "party" if number % 2 else "foe"} for number in range(12)]
    fight = Fight.new("turns", name="A long night", seed="1", board=any_board(SquareBoard(20, 15)))
    for number, join in enumerate(joins):
        fight.give("join", **join, sheet={"hp": 4000}, at=[number, 0])
    for number in range(1000):
        who = fight.state.order[number % 12]
        if number % 2:
            fight.give("damage", who=who, amount=3)
        else:
            fight.give("place", who=who, at=[number % 12, 1 + number % 13])
    assert fight.line.entry_count() > 1000
    assert len(replay_page(fight).encode()) < 2_000_000


def test_the_page_draws_sides_in_the_roles_that_the_terminal_gives_them():
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="1")
    roles = describe_stage(fight.state, fight.system)["roles"]
    assert roles == {side: side_role(fight.system, side) for side in roles}
    assert {combatant.side for combatant in fight.state.combatants.values()} <= set(roles)


def test_a_bar_of_the_timeline_says_when_its_effect_ends():
    """To players, too, as long as they see on whom it is."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="2")
    fight.give("start")
    fight.give("add_effect", who="brand", name="dazed", rounds=3)
    sheet = write_lanes(Lanes(fight).chart(), [])
    assert sheet["spans"][0][:2] == ["brand", "dazed"]
    assert sheet["spans"][0][-1] == "ends in Moment 3"
    assert [*sheet["columns"], *sheet["ahead"]][sheet["spans"][0][5]][0] == "Moment 3"
