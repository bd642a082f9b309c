"""Changing an encounter's file: what the author wrote stays, and only what changed changes."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import (
    EncounterChanged,
    edit_encounter,
    edit_in_place,
    encounter_to_toml,
    rename_encounter,
    save_new,
    save_over,
)
from fightcall_engine.archive.encounters import encounter_path, load_encounter, shipped_encounters
from fightcall_engine.board.base import Terrain
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.board.zones import Border, Zone
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import BadInput

SHIPPED = {file.path.stem: file.path for file in shipped_encounters()}
MILL = '''# The mill by night.
name = "The Mill"   # as the players call it
system = "stage"

# Nobody light anything.
story = "Flour in the air."

[settings]
moment_seconds = 30      # slow

[board]
scale = 10
unit = "yd"
map = """
. . ~ . T
 . a ~ g .

. . ~ g .
"""

[board.legend]
"~" = { name = "water", cost = 3 }   # knee-deep
"T" = { name = "tree", blocks = true }

# Who holds the door.
[[combatant]]
name = "Wren"     # the scout
side = "party"
at = "a"

# They are paid until midnight.
[[combatant]]
name = "Imp x2"
side = "foe"
at = "g"
[combatant.sheet]
hp = 4            # each
strikes = [
  { name = "claw", kind = "melee", needs = 9 },   # filthy
  { name = "spit", kind = "missile", needs = 7 },
]

# The end.
'''


def changed_lines(before: str, after: str) -> list[str]:
    """The lines that went and came, each with its sign, but for blank ones."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0)
    return [line for line in lines if line[1:].strip() and not line.startswith(("---", "+++", "@@"))]


def mill(**changes: object) -> tuple[Encounter, str, list[str]]:
    """The mill with changes: what it says then, its text, and the lines that differ."""
    after = replace(read_encounter(MILL, "mill"), **changes)
    text = edit_encounter(MILL, after)
    assert read_encounter(text, "mill") == after
    assert "\n\n\n" not in text
    return after, text, changed_lines(MILL, text)


def joins_of(text: str = MILL) -> list[Join]:
    return list(read_encounter(text, "mill").joins)


def test_what_is_not_changed_is_not_touched() -> None:
    assert edit_encounter(MILL, read_encounter(MILL, "mill")) == MILL


def test_one_foe_more_is_a_few_lines_more() -> None:
    wolf = Join(name="Wolf", side="foe", sheet={"hp": 5})
    assert mill(joins=(*joins_of(), wolf))[2] == [
        "+[[combatant]]",
        '+name = "Wolf"',
        '+side = "foe"',
        "+[combatant.sheet]",
        "+hp = 5",
    ]


def test_the_first_combatants_and_settings_of_a_file_come_at_its_end_in_order() -> None:
    text = '# Empty yet.\nname = "X"\nsystem = "stage"\n'
    joins = (Join(name="Wren", side="party"), Join(name="Imp", side="foe"))
    edited = edit_encounter(text, replace(read_encounter(text, "x"), joins=joins, settings={"moment_seconds": 20}))
    assert edited.startswith(text)
    after = read_encounter(edited, "x")
    assert (after.joins, after.settings) == (joins, {"moment_seconds": 20})


def test_a_value_keeps_the_remark_beside_it() -> None:
    wren, *imps = joins_of()
    assert mill(name="The Old Mill")[2] == [
        '-name = "The Mill"   # as the players call it',
        '+name = "The Old Mill"   # as the players call it',
    ]
    assert mill(settings={"moment_seconds": 20})[2] == [
        "-moment_seconds = 30      # slow",
        "+moment_seconds = 20      # slow",
    ]
    assert mill(joins=(replace(wren, name="Wrenna"), *imps))[2] == [
        '-name = "Wren"     # the scout',
        '+name = "Wrenna"     # the scout',
    ]
    weak = [replace(imp, sheet={**imp.sheet, "hp": 2}) for imp in imps]
    assert mill(joins=(wren, *weak))[2] == ["-hp = 4            # each", "+hp = 2            # each"]


def test_one_row_of_a_list_is_changed_alone() -> None:
    wren, *imps = joins_of()
    sharp = [{**imps[0].sheet["strikes"][0], "needs": 12}, imps[0].sheet["strikes"][1]]
    _, _, lines = mill(joins=(wren, *(replace(imp, sheet={**imp.sheet, "strikes": sharp}) for imp in imps)))
    assert lines == [
        '-  { name = "claw", kind = "melee", needs = 9 },   # filthy',
        '+  { name = "claw", kind = "melee", needs = 12 },   # filthy',
    ]


def test_painting_changes_the_row_of_the_map_and_the_legend() -> None:
    board = grid_board(read_encounter(MILL, "mill").board)
    wall = Terrain("wall", "#", blocks=True)
    painted = {**board.terrain, board.parse("A1"): "wall", board.parse("B3"): "water"}
    _, _, lines = mill(board=replace(board, terrain=painted, legend={**board.legend, "wall": wall}))
    assert lines == ["-. . ~ . T", "+# . ~ . T", "-. . ~ g .", "+. ~ ~ g .", '+"#" = { name = "wall", blocks = true }']


def test_a_symbol_that_is_in_use_is_not_given_to_another_ground() -> None:
    board = grid_board(read_encounter(MILL, "mill").board)
    grass = Terrain("grass", "g", cost=2)
    after, text, _ = mill(
        board=replace(
            board, terrain={**board.terrain, board.parse("A1"): "grass"}, legend={**board.legend, "grass": grass}
        )
    )
    assert after.joins[1].at == board.parse("D2")
    assert 'glyph = "g"' in text


def test_who_moves_is_named_by_place_and_frees_the_map() -> None:
    wren, *imps = joins_of()
    board = read_encounter(MILL, "mill").board
    _, _, lines = mill(joins=(replace(wren, at=board.parse("A1")), *imps))
    assert lines == ["- . a ~ g .", "+ . . ~ g .", '-at = "a"', '+at = "A1"']


def test_who_goes_takes_the_comment_above_along_and_no_other() -> None:
    _, text, lines = mill(joins=tuple(joins_of()[1:]))
    assert "# Who holds the door." not in text
    assert all(note in text for note in ("# The mill by night.", "# They are paid until midnight.", "# The end."))
    assert not [line for line in lines if line.startswith("+") and line != "+ . . ~ g ."]


def test_one_of_several_alike_can_go_or_become_different() -> None:
    wren, first, second = joins_of()
    _, text, _ = mill(joins=(wren, first))
    assert 'name = "Imp 1"' in text
    assert "# filthy" in text
    _, text, _ = mill(joins=(wren, first, replace(second, sheet={"hp": 9})))
    assert text.count("[[combatant]]") == 3
    assert "# filthy" in text
    _, text, _ = mill(joins=(wren, first, second, replace(second, name="Imp 3", at=first.at and type(first.at)(0, 0))))
    assert 'name = "Imp 3"' in text
    placed = MILL.replace('at = "g"', 'at = ["D2", "D3"]').replace(" g .", " . .")
    more = replace(read_encounter(placed, "x"), joins=(*joins_of(placed), replace(second, name="Imp 3", at=wren.at)))
    more = replace(more, joins=(replace(wren, at=None), *more.joins[1:]))
    assert [line for line in changed_lines(placed, edit_encounter(placed, more)) if "[[" in line] == []
    assert 'name = "Imp x3"' in edit_encounter(placed, more)


def test_a_board_comes_goes_and_grows() -> None:
    nowhere = tuple(replace(join, at=None) for join in joins_of())
    _, text, _ = mill(board=None, joins=nowhere)
    assert "[board" not in text
    assert "# Who holds the door." in text
    board = read_encounter(MILL, "mill").board
    again = edit_encounter(text, read_encounter(MILL, "mill"))
    assert read_encounter(again, "again").board == board
    assert again.index("[board]") < again.index("# Who holds the door.")
    _, text, _ = mill(board=replace(board, cols=7, rows=4))
    assert "# knee-deep" in text


def test_zones_keep_their_symbols_and_what_is_said_of_them() -> None:
    files = [file for file in SHIPPED.values() if zone_board(load_encounter(file).board) is not None]
    assert files
    for file in files:
        encounter, text = load_encounter(file), file.read_text(encoding="utf-8")
        plan = zone_board(encounter.board)
        low = max(zone.row + zone.rows for zone in plan.zones)
        more = (*plan.zones, Zone("Crawlspace", 0, low, 3, 2, Terrain("Crawlspace", cost=2)))
        ways = (*plan.borders, Border(plan.zones[0].name, "Crawlspace", True))
        after = replace(encounter, board=replace(plan, zones=more, borders=ways))
        edited = edit_in_place(text, encounter, after)
        assert replace(read_encounter(edited, "x", file.parent)) == after
        gone = [line for line in changed_lines(text, edited) if line.startswith("-")]
        assert not [line for line in gone if "name =" in line]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_every_shipped_encounter_is_changed_in_place(name: str) -> None:
    """A name, a combatant less and one more: all other lines stay as they are."""
    text = SHIPPED[name].read_text(encoding="utf-8")
    before = load_encounter(SHIPPED[name])
    newcomer = Join(name="Somebody else", side=before.joins[-1].side, sheet=before.joins[-1].sheet)
    after = replace(before, name="Another name", joins=(*before.joins, newcomer))
    edited = edit_in_place(text, before, after)
    assert read_encounter(edited, name, SHIPPED[name].parent) == after
    gone = [line for line in changed_lines(text, edited) if line.startswith("-")]
    assert len(gone) == 1
    assert gone[0].startswith("-name = ")


def comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, Encounter]:
    """A shipped encounter's text, and what it is to say after some changes."""
    path = SHIPPED[draw(st.sampled_from(sorted(SHIPPED)))]
    before = load_encounter(path)
    changed = ["go", "copy", "hide", "lift", "rename", "side"]
    # A game in a file has no notes on its sheets unless it says so.
    changed += ["note"] if "note" in find_system(before.system).sheet_schema()["properties"] else []
    joins = list(before.joins)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(joins) - 1)) if joins else 0
        match draw(st.sampled_from(changed)) if joins else "none":
            case "go":
                del joins[at]
            case "copy":
                joins.insert(at + 1, replace(joins[at], name=f"Copy {len(joins)}", id="", label="", at=None))
            case "hide":
                joins[at] = replace(joins[at], hidden=not joins[at].hidden)
            case "lift":
                joins[at] = replace(joins[at], at=None)
            case "note":
                joins[at] = replace(joins[at], sheet={**joins[at].sheet, "note": draw(st.sampled_from(["", "# 'x'"]))})
            case "rename":
                joins[at] = replace(joins[at], name=draw(st.sampled_from(["Imp x3", "Ötzi", f"Nobody {at}"])))
            case "side":
                joins[at] = replace(joins[at], side="foe")
    story = draw(st.sampled_from([before.story, "", 'Two\nlines """']))
    board = before.board
    grid = grid_board(board)
    if grid is not None and grid.legend and draw(st.booleans()):
        ground = draw(st.sampled_from(sorted(grid.legend)))
        free = [at for at in grid.places() if at not in {join.at for join in joins}]
        board = replace(grid, terrain={**grid.terrain, draw(st.sampled_from(free)): ground})
    return path.read_text(encoding="utf-8"), replace(before, story=story, board=board, joins=tuple(joins))


@pytest.mark.slow
@given(changes())
def test_whatever_is_changed_reads_back_and_stays_in_place(change: tuple[str, Encounter]) -> None:
    text, after = change
    before = read_encounter(text, "x")
    edited = edit_in_place(text, before, after) if before != after else text
    assert read_encounter(edited, "x") == after
    assert edit_encounter(edited, before) is not None


def test_cues_come_and_go_as_blocks() -> None:
    fog = SetCue(when={"round": 3}, then={"say": "The fog lifts"})
    down = SetCue(when={"down": "wren"}, then={"say": "Wren is down"}, each_time=True)
    _, text, lines = mill(cues=(fog, down))
    assert lines == [
        "+[[cue]]",
        "+when = { round = 3 }",
        '+then = { say = "The fog lifts" }',
        "+[[cue]]",
        '+when = { down = "wren" }',
        '+then = { say = "Wren is down" }',
        "+each_time = true",
    ]
    written = text.replace("[[cue]]", "# By hand.\n[[cue]]")
    less = edit_encounter(written, replace(read_encounter(written, "x"), cues=(down,)))
    assert [line for line in changed_lines(written, less) if line.startswith("+")] == []
    assert less.count("# By hand.") == 1
    assert edit_encounter(written, replace(read_encounter(written, "x"), cues=())).strip() == MILL.strip()


def test_whom_a_cue_names_can_go_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_text(mill(cues=(SetCue(when={"down": "wren"}, then={"say": "Wren is down"}),))[1], encoding="utf-8")
    before = load_encounter(path)
    save_over(replace(before, joins=before.joins[1:]), path, before)
    after = load_encounter(path)
    assert (after.joins, after.cues) == (before.joins[1:], before.cues)
    assert "# They are paid until midnight." in path.read_text(encoding="utf-8")


# Saving


def test_a_new_file_has_notes_for_whoever_opens_it(tmp_path: Path) -> None:
    path = encounter_path(tmp_path / "encounters", "The Old Mill!")
    encounter = replace(read_encounter(MILL, "mill"), name="The Old Mill!")
    save_new(encounter, path)
    assert path.name == "the-old-mill.toml"
    assert load_encounter(path) == encounter
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# An encounter for Fight Call. Play it with: fightcall play the-old-mill\n")
    assert text.index("# The ground: one character a hex") < text.index("[board]")
    assert text.index("# Who fights.") < text.index("[[combatant]]")
    with pytest.raises(FileExistsError):
        save_new(encounter, path)


def test_a_copy_keeps_the_comments_of_what_it_is_like(tmp_path: Path) -> None:
    source, target = tmp_path / "mill.toml", tmp_path / "mine" / "copy.toml"
    source.write_text(MILL, encoding="utf-8")
    save_new(replace(load_encounter(source), name="Copy"), target, like=source)
    assert changed_lines(MILL, target.read_text(encoding="utf-8"))[1:] == ['+name = "Copy"   # as the players call it']


def test_line_ends_and_the_mark_of_windows_stay(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MILL.replace("\n", "\r\n").encode())
    before = load_encounter(path)
    save_over(replace(before, name="Other"), path, before)
    assert path.read_bytes() == b"\xef\xbb\xbf" + MILL.replace('"The Mill"', '"Other"').replace("\n", "\r\n").encode()
    assert path.with_name("mill.toml.bak").exists()


def test_what_another_program_wrote_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_text(MILL, encoding="utf-8")
    before = load_encounter(path)
    other = MILL.replace("moment_seconds = 30", "moment_seconds = 10")
    path.write_text(other, encoding="utf-8")
    with pytest.raises(EncounterChanged, match="changed by another program"):
        save_over(replace(before, name="Mine"), path, before)
    assert path.read_text(encoding="utf-8") == other
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(EncounterChanged):
        save_over(replace(before, name="Mine"), path, before)


@pytest.mark.parametrize("operation", ["write", "sync", "replace"])
@pytest.mark.parametrize("nth", [0, 1])
def test_a_failing_disk_leaves_the_old_encounter(tmp_path: Path, faulty_files, io_error, operation, nth) -> None:
    path = tmp_path / "mill.toml"
    path.write_text(MILL, encoding="utf-8")
    before = load_encounter(path)
    faulty_files.faults[operation] = [*[None] * nth, io_error]
    with pytest.raises(OSError, match=io_error.strerror):
        save_over(replace(before, name="Other"), path, before, files=faulty_files)
    assert path.read_text(encoding="utf-8") == MILL
    assert not list(tmp_path.glob("*.tmp")) + list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("operation", ["write", "sync", "place"])
def test_a_failing_disk_leaves_no_half_of_a_new_one(tmp_path: Path, faulty_files, io_error, operation) -> None:
    path = tmp_path / "mill.toml"
    faulty_files.faults[operation] = [io_error]
    with pytest.raises(OSError, match=io_error.strerror):
        save_new(read_encounter(MILL, "mill"), path, files=faulty_files)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_changed_in_place_is_written_anew() -> None:
    inline = 'name = "X"\nsystem = "stage"\ncombatant = [{ name = "Wren" }, { name = "Imp" }]\n'
    after = replace(read_encounter(inline, "x"), joins=(Join(name="Imp", side="party"),))
    assert read_encounter(edit_encounter(inline, after), "x") == after
    with pytest.raises(BadInput, match="can't be written"):
        edit_encounter(inline, replace(after, joins=(Join(name="Imp", sheet={"note": [None]}),)))
    huge = MILL + "#" * 300_000 + "\n"
    assert edit_encounter(huge, replace(read_encounter(huge, "x"), seed="1")) == encounter_to_toml(
        replace(read_encounter(huge, "x"), seed="1")
    )


def test_a_renamed_file_keeps_its_mark_its_line_ends_and_what_is_not_its_name(tmp_path):
    path = tmp_path / "mill.toml"
    text = "# Play it: fightcall play mill\n" + MILL
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    weir = rename_encounter(path, "Weir")
    assert (weir.name, path.exists()) == ("weir.toml", False)
    named = text.replace("play mill", "play weir").replace('"The Mill"', '"Weir"')
    assert weir.read_bytes() == b"\xef\xbb\xbf" + named.replace("\n", "\r\n").encode()
    assert rename_encounter(weir, "WEIR") == weir
    (tmp_path / "pond.toml").touch()
    with pytest.raises(FileExistsError):
        rename_encounter(weir, "Pond")
    assert 'name = "WEIR"' in weir.read_text(encoding="utf-8-sig")
