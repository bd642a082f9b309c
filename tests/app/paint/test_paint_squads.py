"""Like members of a squad share a row of the roster, for as long as nothing tells them apart."""

import pytest
from ford import check_size, texts

from fightcall.paint.combatants import labels
from fightcall.paint.roster import roster_rows
from fightcall.paint.runs import UNICODE
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.state import Combatant


def wreckers(**more):
    """The bell tower in its first round: three wreckers who joined together, and their chief."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("start")
    while not fight.state.round:
        fight.give("advance")
    return fight


def roster(fight, width=40, compact=False, **more):
    drawn = roster_rows(fight.state, fight.system, width=width, height=34, glyphs=UNICODE, compact=compact, **more)
    check_size(drawn.drawing.rows, width, 34)
    return drawn


def rows_of(fight, **more):
    return [row.strip() for row in texts(roster(fight, **more).drawing.rows) if "Wrecker" in row or "Chief" in row]


def test_the_like_ones_share_a_row_with_all_their_labels():
    (squad, chief) = rows_of(wreckers())
    assert squad.split() == ["○", "1", "2", "3", "Wrecker", "×3", "████████", "7/7"]
    assert chief.split()[1] == "4"
    assert "each hasn't acted" in "\n".join(texts(roster(wreckers()).drawing.rows))


def test_who_differs_has_a_row_of_its_own_and_comes_back_when_like_the_others_again():
    fight = wreckers()
    fight.give("damage", who="wrecker-3", amount=2)
    assert [row.split()[1] for row in rows_of(fight)] == ["1", "3", "4"]
    assert "1 2" in rows_of(fight)[0]
    fight.give("damage", who="wrecker-1", amount=2)
    assert ["1 3" in row for row in rows_of(fight)] == [True, False, False], "one of their squad between parts nobody"
    fight.give("damage", who="wrecker-2", amount=2)
    assert len(rows_of(fight)) == 2


def test_who_has_acted_is_apart_from_who_has_not():
    fight = wreckers()
    fight.give("npc", who="wrecker-1", what="cuts a rope")
    assert [row[0] for row in rows_of(fight)] == ["✓", "○", "○"]
    assert "2 3" in rows_of(fight)[1]


@pytest.mark.parametrize("compact", [False, True])
def test_the_row_of_the_selected_one_is_marked_and_a_target_is_bracketed(compact):
    rows = texts(roster(wreckers(), compact=compact, selected="wrecker-2").drawing.rows)
    row = next(row for row in rows if "recker" in row)
    assert row.startswith("▌")
    assert "Wrecker ×3" in row
    targeted = "\n".join(texts(roster(wreckers(), compact=compact, targets=("wrecker-3",)).drawing.rows))
    assert ("[1-3]" if compact else "[1 2 3]") in targeted


def test_every_member_is_found_on_the_row_and_a_click_means_the_first():
    drawn = roster(wreckers())
    spans = [drawn.spans[f"wrecker-{number}"] for number in (1, 2, 3)]
    assert spans[0] == spans[1] == spans[2]
    assert drawn.drawing.at(10, spans[0].start) == "wrecker-1"


def people(*said):
    return [Combatant(id=label, label=label, name="Orc", side="foe", sheet={}) for label in said]


def test_many_labels_are_ranges():
    assert labels(people("1", "2", "3")) == "1 2 3"
    assert labels(people("1", "2", "3"), short=True) == "1-3"
    assert labels(people("1", "2", "3", "4", "7", "9", "10")) == "1-4 7 9 10"
    assert labels(people("A", "B", "C", "D")) == "A B C D"
    assert labels(people("A", "B", "1", "2", "3"), short=True) == "1-3 A…", "how many they are stands beside the name"


def test_two_alike_share_a_row_though_one_of_their_squad_is_down_between_them():
    """Found in play 5."""
    fight = wreckers()
    fight.give("damage", who="wrecker-2", amount=9)
    rows = rows_of(fight)
    assert len(rows) == 3
    assert "1 3" in rows[0]
    assert "×2" in rows[0]
    assert "down" in rows[1]
    assert "×" not in rows[1]


def test_a_squad_is_called_by_its_name_whoever_of_it_is_selected():
    """Found in play 1."""
    for selected in ("", "wrecker-1", "wrecker-3"):
        squad = rows_of(wreckers(), selected=selected)[0]
        assert "Wrecker ×3" in squad
