"""An attack before it is declared and before it is rolled: reach, field, defence, AV, DV, chance and POT."""

from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.kit.movement import BROKEN
from fightcall_engine.play.fight import Fight

SWORD = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge", "point"]}
SPEAR = {"name": "spear", "size": 9, "weight_class": "Med", "av": 40, "effects": ["point"]}


def sitting(spots=None, foe=SWORD, **settings):
    """Ash and an orc after Initiative; chances are reckoned in a straight line (R-5)."""
    board = any_board(SquareBoard.from_json({"kind": "square", "cols": 12, "rows": 3})) if spots else None
    fight = Fight.new("segments", settings={"resolution": "linear", **settings}, seed="7", board=board)
    for who, side, weapon in (("ash", "party", SWORD), ("orc", "foe", foe)):
        sheet = {"weapons": [weapon], "dodge": 12, "msta": 20}
        placed = {"at": spots[who]} if spots else {}
        fight.give("join", name=who.title(), id=who, side=side, sheet=sheet, **placed)
    fight.give("start")
    for total, who in enumerate(("orc", "ash")):
        fight.give("initiative", who=who, total=10 + total)
    return fight


def due(fight):
    """Ash's attack is due."""
    fight.give("declare", who="ash", target="orc")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    return fight


def preview(fight, name, **data):
    found = fight.preview(fight.codec.command(name, data))
    return found, {row.name: row for row in found.rows}


def test_a_strike_that_is_due_shows_all_that_it_is_made_of():
    """CS-250, CS-259, CS-410, CS-531, R-5: before a die falls."""
    found, rows = preview(due(sitting()), "resolve", who="ash", target="orc")
    assert (found.title, found.can_run) == ("Ash strikes Orc with sword", True)
    assert list(rows) == ["reach", "defence", "AV 40", "DV 40", "chance", "then"]
    assert (rows["chance"].text, rows["chance"].dice) == ("50 %", "d100")
    assert rows["then"].text.startswith("POT ")
    assert rows["AV 40"].text == "sword 40"


def test_the_sums_follow_what_is_said():
    """CS-276: a modifier is a part of AV, and of the chance."""
    _, rows = preview(due(sitting()), "resolve", who="ash", target="orc", modifier=7)
    assert rows["AV 47"].text == "sword 40, +7 GM modifier"
    assert rows["chance"].text == "57 %"


def test_where_no_table_gives_a_chance_the_row_asks_for_it():
    """R-5: digits are then the chance, once."""
    _, rows = preview(due(sitting(resolution="gm_percent")), "resolve", who="ash", target="orc")
    assert (rows["chance"].number, rows["chance"].field, rows["chance"].dice) == ("chance in %", "chance", "")
    (default,) = rows["chance"].remedies
    assert (default.setting, default.value) == ("resolution", "linear"), "what gives it for the whole fight"
    _, rows = preview(due(sitting(resolution="gm_percent")), "resolve", who="ash", target="orc", chance=35)
    assert (rows["chance"].text, rows["chance"].dice) == ("35 % set by the GM", "d100")


def test_without_a_brawling_value_bare_hands_name_the_skill_that_is_missing():
    """CS-148."""
    _, rows = preview(due(sitting()), "resolve", who="ash", target="orc", weapon="bare hands")
    assert rows["AV"].detail == "no value entered: Brawling"


def test_a_value_that_was_never_entered_is_asked_for_when_the_blow_is_due():
    """CS-259, CS-410: somebody who joined with a name alone; what is said gives the chance."""
    fight = sitting(foe={"name": "club", "size": 3, "effects": ["blunt"]})
    fight.give("wait", who="ash")
    _, rows = preview(fight, "declare", who="orc", target="ash")
    assert (rows["AV ?"].text, rows["AV ?"].number) == ("no value entered: club", "")
    fight.give("declare", who="orc", target="ash")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    _, rows = preview(fight, "resolve", who="orc", target="ash")
    assert (rows["AV"].number, rows["AV"].field, rows["AV"].detail) == ("AV", "av", "no value entered: club")
    _, rows = preview(fight, "resolve", who="orc", target="ash", av=30)
    assert (rows["AV 30"].number, rows["chance"].dice) == ("", "d100")
    for word in ({"chance": 40}, {"hit": True}):
        _, rows = preview(fight, "resolve", who="orc", target="ash", **word)
        assert rows["AV ?"].number == "", "with the chance or the outcome said, no value is missing"


def test_whoever_is_not_on_the_board_is_named():
    """CS-250: nothing can be measured to or from them."""
    for spots, absent in (({"ash": "A1", "orc": None}, "Orc"), ({"ash": None, "orc": "B1"}, "Ash")):
        _, rows = preview(sitting(spots), "declare", who="ash", target="orc")
        assert f"{absent} is not on the board: the table judges it" in rows["reach"].text


def test_what_stands_against_a_declaration_is_said_when_it_is_declared():
    """CS-318: a foe's spear keeps the sword off; getting inside is what would do."""
    fight = sitting({"ash": "A1", "orc": "B1"}, foe=SPEAR)
    found, _ = preview(fight, "declare", who="ash", target="orc")
    broken = [row for row in found.rows if row.status == BROKEN]
    assert found.due.startswith("full action")
    assert [row.rule for row in broken] == ["CS-318"]
    assert broken[0].name == "reach"
    assert any("inside" in remedy.label for remedy in broken[0].remedies)


def test_a_declaration_says_when_it_is_due_and_how_it_stands():
    found, rows = preview(sitting(), "declare", who="ash", target="orc")
    assert found.due == "full action, resolves this segment"
    assert rows["chance"].text == "50 % as things stand"
    assert not any(row.dice for row in found.rows)


def test_only_who_is_out_of_reach_walks_up_first():
    """CS-250: a foe whom the weapon reaches from here is struck from here, whatever movement is left."""
    _, rows = preview(sitting(), "declare", who="ash", target="orc")
    assert rows["reach"].detail == ""
    _, rows = preview(sitting({"ash": "A1", "orc": "F1"}), "declare", who="ash", target="orc")
    assert rows["reach"].detail == "declare, then move up", "without Pulses, by hand"


def test_body_against_body_shows_no_percentage_of_weapons():
    """CS-455: a Body Check is a contest of its own; what it throws first is the die row."""
    fight = sitting({"ash": "A1", "orc": "B1"})
    fight.give("declare", who="ash", target="orc", attack="body_check", force=True)
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    found, rows = preview(fight, "resolve", who="ash", target="orc", force=True)
    assert found.title.startswith("Ash: ")
    assert "sword" not in found.title
    assert set(rows) == {"reach", "die"}
    assert rows["die"].dice == "d100"


def test_a_blow_that_was_offered_is_shown_before_it_is_taken_up_and_not_where_it_is_let_be():
    """CS-236, CS-442: what stands against each other, as for any other blow."""
    board = any_board(SquareBoard.from_json({"kind": "square", "cols": 40, "rows": 12}))
    fight = Fight.new("segments", settings={"resolution": "linear", "pulse_movement": True}, seed="7", board=board)
    for who, side, at in (("ash", "party", "B3"), ("orc", "foe", "H4")):
        sheet = {"weapons": [SWORD], "dodge": 12, "msta": 20, "move": {"full": 12}}
        fight.give("join", name=who.title(), id=who, side=side, sheet=sheet, at=at)
    fight.give("start")
    for who, total in (("ash", 12), ("orc", 9)):
        fight.give("initiative", who=who, total=total)
    fight.give("plan", who="ash", to="T3")
    while not fight.state.prompts:
        fight.give("advance")
    (offered,) = (prompt.id for prompt in fight.state.prompts if prompt.who == "orc")
    found, rows = preview(fight, "answer", prompt=offered, choice="strike")
    assert found.title == "Orc takes an Opportunity Action on Ash with sword"
    assert rows["reach"].text.startswith("sword 4 ft")
    _, rows = preview(fight, "answer", prompt=offered, choice="decline")
    assert "reach" not in rows
