"""Fields read one value, key by key: labels, words, numbers, amounts, choices, dice."""

import pytest
from flowcraft import EVERY_KEY, NASTY, ford, keys
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import (
    STAY,
    ChoiceField,
    FacesField,
    Filled,
    OutcomeField,
    Say,
    dice_of,
    face_error,
    letter_under_marks,
    letters_for,
    read_faces,
)
from fightcall.flows.people_fields import TargetField
from fightcall.flows.questions import AskFlow
from fightcall.flows.text_fields import AmountField, ConditionField, NumberField, TextField
from fightcall_engine.play.fight import Fight

GOBLINS = ("goblin-1", "goblin-2", "goblin-3")
KEYS = st.lists(st.sampled_from(EVERY_KEY), max_size=12)


def fill(field, text):
    """The value after the last of some keys; the field must not be done before."""
    answer = True
    for key in keys(text):
        assert not isinstance(answer, Filled), f"done before {key!r}"
        answer = field.press(key)
    assert isinstance(answer, Filled), f"not done: {field.view()}"
    return answer.value


def refuses(field, text):
    """What a field says when it is not content; it must go on."""
    for key in keys(text):
        answer = field.press(key)
        assert not isinstance(answer, Filled)
    assert field.view().error
    return field.view().error


def all_fields():
    state = ford().state
    return {
        "target": TargetField(state, "whom", GOBLINS),
        "nobody": TargetField(state, "whom", (), optional=True),
        "text": TextField("what", suggestions=("agility", "free")),
        "closed": TextField("what", suggestions=("hp", "beats"), is_closed=True),
        "number": NumberField("how many", decimals=True),
        "amount": AmountField("how much", default="d6"),
        "choice": ChoiceField("which", ("open", "partial", "full")),
        "empty": ChoiceField("which", ()),
        "outcome": OutcomeField("needs 12", dice="d20", purpose="attack"),
        "faces": FacesField("damage", "2d6+1"),
        "condition": ConditionField("which", suggestions=("stunned", "slowed"), present=(("e1", "burning"),)),
    }


# All fields


@pytest.mark.parametrize("name", sorted(all_fields()))
def test_every_field_explains_itself_before_anything_is_typed(name):
    field = all_fields()[name]
    flow = AskFlow([field], Say)
    assert flow.press("?") is STAY
    assert flow.view().reason == f"Accepted: {field.accepts}; Esc leaves"
    assert not flow.view().typed


@pytest.mark.slow
@given(pressed=KEYS)
def test_no_key_hurts_a_field_and_backspace_empties_it(pressed):
    for name, field in all_fields().items():
        for key in pressed:
            field.press(key)
            assert field.view().question, name
            field.overlay()
        for _ in range(200):
            field.press("end")
            if field.press("backspace") is False:
                break
        else:
            raise AssertionError(f"{name}: Backspace does not come to an end")
        assert not field.view().typed, name


@pytest.mark.parametrize("name", sorted(set(all_fields()) - {"text", "closed", "condition"}))
def test_a_key_without_meaning_is_not_used(name):
    """put right 41: where a label is asked for, an accented letter means its letter."""
    for key in NASTY:
        is_label = name in ("target", "nobody") and letter_under_marks(key) != ""
        assert all_fields()[name].press(key) is is_label, key


# Targets


def target(start="", **also):
    return TargetField(ford().state, "Whom", GOBLINS, start=start, **also)


def test_a_label_picks_at_once():
    assert fill(target(), "2") == "goblin-2"


def test_enter_takes_the_highlighted_one_and_tab_and_the_arrows_move_on():
    assert fill(target(), "enter") == "goblin-1"
    assert fill(target("goblin-3"), "enter") == "goblin-3"
    assert fill(target(), "tab down enter") == "goblin-3"
    assert fill(target(), "left enter") == "goblin-3"
    assert fill(target(), "tab shift+tab enter") == "goblin-1"


def test_the_highlighted_one_is_shown_in_the_bar_and_on_the_board():
    state = ford().state
    field = TargetField(state, "Whom", GOBLINS, shooter="ysolde")
    field.press("tab")
    assert field.view().default == "Goblin 2"
    shown = field.overlay()
    assert (shown.targets, shown.chosen, shown.cursor) == (GOBLINS, "goblin-2", state.combatants["goblin-2"].at)
    assert shown.line[0] == state.combatants["ysolde"].at
    assert shown.line[-1] == state.combatants["goblin-2"].at
    far = state.board.distance(shown.line[0], shown.line[-1])
    assert shown.note.startswith(f"{far} hexes")


def test_small_letters_do_for_labels():
    assert fill(TargetField(ford().state, "Whom", ("ysolde", "brand")), "b") == "brand"


def test_somebody_else_is_picked_by_saying_so_twice():
    field = target()
    assert "Brand is not a legal target" in refuses(field, "b")
    assert fill(field, "b") == "brand"
    field = target()
    assert "Paul" in refuses(field, "b p"), "another label is not the same said twice"


def test_an_unknown_label_says_which_there_are():
    assert refuses(target(), "9") == "no combatant has the label 9; here: 1 2 3"


def test_an_error_is_gone_with_the_next_key():
    field = target()
    refuses(field, "9")
    field.press("tab")
    assert not field.view().error


def test_nobody_is_an_answer_where_the_target_may_be_left_out():
    assert fill(target(optional=True), "enter") is None
    assert fill(target(optional=True), "tab enter") == "goblin-1"
    assert fill(target(optional=True), "tab shift+tab enter") is None
    assert fill(target(start="goblin-2", optional=True), "-") is None
    assert ("-", "nobody") in target(optional=True).view().choices


def test_a_long_label_is_typed_letter_by_letter_and_a_click_sends_it_whole():
    fight = Fight.new("stage", seed="1")
    for number in range(45):
        fight.give("join", name=f"Rat {number}", side="foe", sheet={})
    state = fight.state
    long = next(one for one in state.combatants.values() if len(one.label) == 2)
    crowd = tuple(state.combatants)
    typed = TargetField(state, "Whom", crowd)
    assert typed.press(long.label[0].lower()) is True
    assert typed.view().typed == long.label[0]
    typed.press("backspace")
    assert fill(typed, " ".join(long.label)) == long.id
    assert TargetField(state, "Whom", crowd).press(long.label) == Filled(long.id)


def test_where_nobody_can_be_picked_the_others_are_offered_for_the_gm_to_overrule():
    field = TargetField(ford().state, "Whom", (), shooter="ysolde")
    assert "ysolde" not in field.overlay().targets
    assert fill(field, "2") == "goblin-2"


def test_an_empty_fight_has_nobody_to_pick():
    assert "no combatant" in refuses(TargetField(Fight.new("stage").state, "Whom", ()), "enter")


@pytest.mark.parametrize("name", ["[bold]Ox[/]", "龍王", "a" * 300, "]["])
def test_names_are_only_ever_text(name):
    fight = Fight.new("stage")
    fight.give("join", name=name, id="it", label="Q")
    field = TargetField(fight.state, "Whom", ("it",))
    assert field.view().choices == (("Q", fight.state.combatants["it"].name),)
    assert fill(field, "q") == "it"


# Text


def test_text_is_what_was_typed_without_blanks_around_it():
    assert fill(TextField("Note"), "space a space B ! space enter") == "a B!"


def test_text_can_be_mended_anywhere():
    field = TextField("Note")
    for key in keys("a c left b"):
        field.press(key)
    assert field.view().typed == "ab|c", "the cursor is seen where it is"
    assert fill(field, "home delete end d enter") == "bcd"


def test_nothing_is_no_text_unless_it_may_be_left_out():
    assert refuses(TextField("Note"), "enter")
    assert refuses(TextField("Note"), "space enter")
    assert fill(TextField("Note", optional=True), "enter") is None
    assert fill(TextField("Note", default="x"), "enter") == "x"


def test_of_many_known_words_as_many_are_named_as_the_call_bar_has_room_for():
    field = TextField("What", suggestions=[f"thing {number}" for number in range(20)], is_closed=True)
    assert refuses(field, "z z enter").endswith("thing 6, thing 7 and 12 more")


def test_a_text_says_whether_it_may_be_left_empty_and_what_completes_it():
    def shown(field):
        return field.view().default, field.view().hint

    assert shown(TextField("what")) == ("", "must not be empty")
    assert shown(TextField("what", optional=True)) == ("leave it open", "")
    assert shown(TextField("what", default="load")) == ("load", "")
    assert shown(TextField("what", default="load", suggestions=("load", "bind"))) == ("load", "Tab completes: bind")
    begun = TextField("what", optional=True, suggestions=("load", "bind"))
    begun.press("b")
    assert shown(begun) == ("", "bind")


def test_tab_goes_through_what_completes_the_beginning():
    known = ("Burning", "blinded", "stunned")
    assert fill(TextField("What", suggestions=known), "b tab enter") == "Burning"
    assert fill(TextField("What", suggestions=known), "b tab tab enter") == "blinded"
    assert fill(TextField("What", suggestions=known), "l i n tab enter") == "blinded", "held further on"
    assert fill(TextField("What", suggestions=known), "s o space b l tab enter") == "so blinded", "the last word"
    assert fill(TextField("What", suggestions=known), "b tab tab tab enter") == "Burning"
    assert fill(TextField("What", suggestions=known), "b shift+tab enter") == "blinded"
    assert fill(TextField("What", suggestions=known), "q tab enter") == "q"


def test_where_only_known_words_will_do_a_beginning_is_enough_and_the_rest_is_said():
    known = ("hp", "hidden", "beats")

    def field() -> TextField:
        return TextField("What", suggestions=known, is_closed=True)

    assert fill(field(), "b enter") == "beats"
    assert refuses(field(), "h enter").endswith("accepted: hp, hidden")
    assert refuses(field(), "x enter").endswith("accepted: hp, hidden, beats")


# Conditions


def condition(present=(("e1", "burning"), ("e2", "Phase 2"))):
    return ConditionField("Which", suggestions=("stunned", "prone", "slowed"), present=present)


def test_a_letter_and_a_number_are_a_condition():
    assert fill(condition(), "s 3 enter") == {"name": "stunned", "rounds": 3}
    assert fill(condition(), "p enter") == {"name": "prone", "rounds": None}


def test_what_enter_would_do_is_shown_before_it_is_pressed():
    field = condition()
    field.press("s")
    assert field.view().default == "stunned until ended"
    field.press("3")
    assert field.view().default == "stunned for 3 rounds"
    field.press("tab")
    field.press("tab")
    assert field.view().default == "slowed for 3 rounds"
    assert fill(field, "enter") == {"name": "slowed", "rounds": 3}


def test_any_other_words_are_a_condition_too_and_tab_comes_to_them_last():
    assert fill(condition(), "o n space f i r e space 2 enter") == {"name": "on fire", "rounds": 2}
    assert fill(condition(), "s tab tab tab space 2 enter") == {"name": "s", "rounds": 2}


CLOCKS = {
    "round": {"end": "end of the Round", "start": "start of the Round"},
    "bearer": {"start": "start of Orc's turn", "end": "end of Orc's turn"},
    "maker": {"start": "start of the cause's turn", "end": "end of the cause's turn"},
}


@pytest.mark.parametrize(
    ("typed", "said", "shown"),
    [
        ("s 3", {}, "stunned for 3 rounds"),
        ("s 3 b", {"clock": "bearer"}, "stunned for 3 (start of Orc's turn)"),
        ("s 3 b e", {"clock": "bearer", "ticks": "end"}, "stunned for 3 (end of Orc's turn)"),
        ("s 3 m", {"clock": "maker"}, "stunned for 3 (start of the cause's turn)"),
        ("s 3 s", {"ticks": "start"}, "stunned for 3 (start of the Round)"),
        ("s tab 3 R E", {"clock": "round", "ticks": "end"}, "stunned for 3 (end of the Round)"),
    ],
)
def test_a_letter_after_the_number_says_whose_clock(typed, said, shown):
    field = ConditionField("Which", suggestions=("stunned", "slowed"), clocks=CLOCKS)
    for key in typed.split():
        field.press(key)
    assert field.view().default == shown
    answer = field.press("enter")
    assert answer.value == {"name": "stunned", "rounds": 3, **said}
    assert answer.skip_rest == (said.get("clock") != "maker"), "only a maker has to be named"


def test_where_the_maker_is_plain_only_a_capital_leaves_it_open():
    def field(typed):
        made = ConditionField("Which", suggestions=("stunned",), clocks=CLOCKS, maker="Milli")
        for key in typed.split():
            made.press(key)
        return made

    assert "m Milli  M another" in field("s 3").view().hint
    assert field("s 3 m").press("enter").skip_rest
    other = field("s 3 M e tab")
    assert other.view().typed == field("s t u n n e d space 3 M e").view().typed
    assert not other.press("enter").skip_rest
    assert other.press("enter").value == {"name": "stunned", "rounds": 3, "clock": "maker", "ticks": "end"}


def test_clocks_are_offered_once_a_number_stands_and_only_where_there_are_several():
    field = ConditionField("Which", suggestions=("stunned",), clocks=CLOCKS)
    field.press("s")
    assert "clock" not in field.view().hint
    field.press("3")
    assert "r round  b bearer  m maker   and when: s start  e end" in field.view().hint
    plain = ConditionField("Which", suggestions=("stunned",), clocks={"round": {"end": "end of the Moment"}})
    for key in "st3":
        plain.press(key)
    assert "clock" not in plain.view().hint
    assert fill(plain, "b enter") == {"name": "st3b", "rounds": None}, "no such clock: it is a name"


@pytest.mark.parametrize(
    ("typed", "said", "shown"),
    [
        ("st3 d4", {"rounds": 3, "amount": "d4"}, "stunned for 3 rounds, d4 damage each turn"),
        ("st3 2", {"rounds": 3, "amount": 2}, "stunned for 3 rounds, 2 damage each turn"),
        ("st3be +2", {"rounds": 3, "clock": "bearer", "ticks": "end", "amount": 2, "heals": True},
         "stunned for 3 (end of Orc's turn), 2 healing each turn"),
        ("st 2D6+1", {"rounds": None, "amount": "2d6+1"}, "stunned until ended, 2d6+1 damage each turn"),
        ("st 3", {"rounds": 3}, "stunned for 3 rounds"),
        ("st +3", {"rounds": None, "amount": 3, "heals": True}, "stunned until ended, 3 healing each turn"),
        ("phase 2 3", {"name": "Phase 2", "rounds": 3}, "Phase 2 for 3 rounds"),
        ("phase 2 d3", {"name": "Phase 2", "rounds": None, "amount": "d3"}, "Phase 2 until ended, d3 damage each turn"),
    ],
)  # fmt: skip
def test_what_a_condition_does_by_itself_stands_behind_a_blank(typed, said, shown):
    field = ConditionField("Which", suggestions=("stunned", "Phase 2"), clocks=CLOCKS, harm="each turn")
    for key in typed:
        field.press("space" if key == " " else key)
    assert field.view().default == shown
    assert field.press("enter").value == {"name": "stunned", **said}


def test_where_conditions_harm_by_a_number_no_dice_are_offered():
    """Found in play 26: what the field shows is no more than what is accepted."""
    field = ConditionField("Which", suggestions=("stunned",), harm="each Upkeep", has_harm_dice=False)
    for key in "st3":
        field.press(key)
    assert "a space and 4: damage each Upkeep" in field.view().hint
    for key in ("space", "d", "4", "enter"):
        field.press(key)
    assert field.view().error == "d4 each Upkeep; accepted: a number, no dice"
    field.press("backspace")
    field.press("backspace")
    field.press("4")
    assert field.press("enter").value == {"name": "stunned", "rounds": 3, "amount": 4}


def test_where_no_condition_harms_by_itself_that_is_said():
    assert refuses(condition(), "s 3 space d 4 enter") == "no condition deals damage by itself here; leave out d4"
    said = refuses(condition(), "s 3 space d 4")
    assert said == "no condition deals damage by itself here; leave out d4", "as it is typed"
    field = ConditionField("Which", suggestions=("stunned",), harm="each turn")
    for key in ("s", "3"):
        field.press(key)
    assert "d4: damage each turn" in field.view().hint
    for key in ("space", "d", "4", "tab"):
        field.press(key)
    assert field.view().typed == "stunned 3 d4"


def test_a_name_may_itself_end_in_a_number():
    field = ConditionField("Which", suggestions=("Phase 2",))
    assert fill(field, "p tab enter") == {"name": "Phase 2", "rounds": None}
    assert fill(ConditionField("Which", suggestions=("Phase 2",)), "p tab 3 enter") == {"name": "Phase 2", "rounds": 3}


def test_a_minus_ends_what_there_is():
    assert fill(condition(), "- enter") == {"end": "e1"}
    assert fill(condition(), "- p enter") == {"end": "e2"}
    assert fill(condition(), "- P h a s e space 2 enter") == {"end": "e2"}
    assert refuses(condition(), "- s enter").endswith("accepted: burning, Phase 2")
    assert refuses(condition(present=()), "- enter").endswith("there is none")


def test_a_misspelt_condition_is_asked_back():
    field = condition()
    for key in "stuned3":
        field.press(key)
    assert "stuned is a new condition" in field.view().hint
    assert refuses(field, "enter") == "stunned? Enter takes it; Tab: stuned, a new condition"
    assert field.view().default == "stunned for 3 rounds"
    assert fill(field, "enter") == {"name": "stunned", "rounds": 3}
    assert fill(condition(), "s t u n e d 3 enter tab enter") == {"name": "stuned", "rounds": 3}


def test_the_proposed_condition_is_said_once():
    field = condition()
    for key in "prone":
        field.press(key)
    assert (field.view().default, field.view().hint) == ("prone until ended", "")


def test_a_condition_needs_a_name_and_at_least_one_round():
    assert refuses(condition(), "? enter").startswith("which condition?")
    assert refuses(condition(), "enter")
    assert refuses(condition(), "3 enter")
    assert refuses(condition(), "s 0 enter").startswith("0 rounds")


@given(words=st.text(max_size=30))
def test_whatever_is_typed_as_a_condition_has_a_name_and_rounds(words):
    field = condition()
    for character in words:
        field.press("space" if character == " " else character)
    answer = field.press("enter")
    if isinstance(answer, Filled):
        assert "end" in answer.value or (answer.value["name"].strip() and answer.value["rounds"] != 0)
    else:
        assert field.view().error


# Numbers and amounts


def test_numbers_are_whole_where_they_look_so():
    assert fill(NumberField("n"), "1 2 enter") == 12
    assert fill(NumberField("n"), "- 3 enter") == -3
    assert fill(NumberField("n", decimals=True), "2 . 5 enter") == 2.5
    assert isinstance(fill(NumberField("n", decimals=True), "2 enter"), int)
    assert fill(NumberField("n", default="5"), "enter") == 5
    assert fill(NumberField("n", optional=True), "enter") is None
    view = NumberField("n", optional=True).view()
    assert (view.default, view.hint) == ("leave it open", "a number"), "what Enter does is said once"
    assert NumberField("n", default="73", optional=True).view().hint == "a number", "Enter takes what is proposed"


def test_what_is_no_number_is_said():
    assert refuses(NumberField("n"), "enter") == "type a number"
    assert refuses(NumberField("n"), "- enter")
    assert refuses(NumberField("n", decimals=True), ". enter")
    assert refuses(NumberField("n", least=0, decimals=True), ". enter")
    assert NumberField("n", least=0).press("-") is False
    assert NumberField("n").press(".") is False
    assert refuses(NumberField("n", least=1), "0 enter").endswith("1 or more")


@given(number=st.integers(-(10**7), 10**8))
def test_every_number_can_be_typed(number):
    assert fill(NumberField("n"), " ".join([*str(number), "enter"])) == number


def test_a_cat_on_the_keyboard_types_no_number_without_end():
    assert len(str(fill(NumberField("n"), "9 " * 5000 + "enter"))) == 9
    assert "too much" in refuses(AmountField("n"), "9 " * 5000 + "enter")


def test_amounts_are_numbers_or_dice():
    assert fill(AmountField("n"), "7 enter") == 7
    assert fill(AmountField("n"), "d 6 enter") == "d6"
    assert fill(AmountField("n"), "3 D 6 K h 2 - 1 enter") == "3d6kh2-1"
    assert fill(AmountField("n", default="d8+1"), "enter") == "d8+1"
    assert fill(AmountField("n", optional=True), "enter") is None
    assert fill(AmountField("n"), "7 backspace 8 enter") == 8


def test_what_is_no_amount_is_said_and_can_be_mended():
    assert "how much" in refuses(AmountField("n"), "enter")
    field = AmountField("n")
    assert "accepted" in refuses(field, "2 d enter")
    assert fill(field, "6 enter") == "2d6"
    assert "below zero" in refuses(AmountField("n"), "- 5 enter"), "it is not taken for 5 (found in play 26)"
    assert AmountField("n").press("k") is False


# Choices


def test_a_letter_answers_at_once_and_the_arrows_choose():
    cover = ("open", "partial", "full")
    assert fill(ChoiceField("cover", cover), "p") == "partial"
    assert fill(ChoiceField("cover", cover), "F") == "full"
    assert fill(ChoiceField("cover", cover, default="partial"), "enter") == "partial"
    assert fill(ChoiceField("cover", cover), "down down enter") == "full"
    assert fill(ChoiceField("cover", cover), "up enter") == "full"


def test_truth_is_truth():
    assert fill(ChoiceField("hidden", ("true", "false"), default="false"), "enter") is False
    assert fill(ChoiceField("hidden", ("true", "false")), "t") is True
    assert fill(ChoiceField("side", [("id", "words")]), "w") == "id"


@given(words=st.lists(st.text(max_size=6), max_size=60))
def test_letters_never_clash(words):
    letters = [letter for letter in letters_for(words) if letter]
    assert len(letters) == len(set(letters))
    assert len(letters_for(words)) == len(words)


# Dice


def outcome(dice="d20"):
    return OutcomeField("needs 12", dice=dice, purpose="attack")


def test_a_strike_hits_misses_is_rolled_or_is_read_from_the_table():
    assert outcome().press("h") == Filled(True)
    assert outcome().press("m") == Filled(False, skip_rest=True)
    assert outcome().press("enter") == Filled(None, skip_rest=True)
    assert fill(outcome(), "1 2 enter") == {"rolls": {"attack": [12]}}
    assert "h for hit" in refuses(outcome(""), "enter")


def test_a_die_shows_only_its_faces_and_a_slip_is_mended():
    field = outcome()
    assert refuses(field, "2 1 enter") == "d20 can't show 21; accepted: 1-20"
    assert fill(field, "backspace enter") == {"rolls": {"attack": [2]}}
    assert fill(outcome(), "2 1 enter 1 4 enter") == {"rolls": {"attack": [14]}}, "a digit begins it anew"
    assert refuses(outcome(), "0 enter")
    field = outcome()
    field.press("1")
    assert field.press("h") is False, "a letter after a digit is a slip"


def test_only_one_die_can_be_typed_as_a_number():
    assert outcome("2d10").press("1") is False
    assert fill(outcome("d20+3"), "2 0 enter") == {"rolls": {"attack": [20]}}


def test_faces_owed_are_typed_with_blanks_or_without_where_none_is_needed():
    assert fill(FacesField("damage", "2d6+1"), "3 space 4 enter") == [3, 4]
    assert fill(FacesField("damage", "2d6+1"), "3 4 enter") == [3, 4]
    assert fill(FacesField("attack", "d20"), "1 7 enter") == [17]


def test_counted_dice_are_typed_as_faces_or_as_successes():
    """Put right 45."""
    assert fill(FacesField("attack", "3d6>=5"), "3 4 6 enter") == [3, 4, 6]
    assert fill(FacesField("attack", "3d6>=5"), "2 enter") == [2]
    assert fill(FacesField("attack", "3d10>=7"), "0 enter") == [0]
    assert face_error("4", "3d10>=7") == ""
    with pytest.raises(ValueError, match="or 0-3 successes"):
        read_faces("4", "3d10>=7")
    field = OutcomeField("hit?", dice="3d10>=7", purpose="attack")
    assert fill(field, "2 enter") == {"rolls": {"attack": [2]}}
    assert fill(FacesField("attack", "d20"), "7 1 enter 7 enter") == [7]
    field = FacesField("damage", "2d6+1")
    assert refuses(field, "3 enter") == "2d6 can't show 3; accepted: 1-6  1-6"
    assert fill(field, "space 6 enter") == [3, 6]
    assert refuses(FacesField("damage", "2d6"), "enter") == "type what the 2d6 shows; accepted: 1-6  1-6"
    assert refuses(FacesField("damage", "2d6"), "7 1 enter")
    assert refuses(FacesField("damage", "2d12"), "1 1 enter"), "11 could be one face or two"


def test_a_face_that_cannot_be_is_said_as_it_is_typed():
    field = FacesField("attack", "d10")
    field.press("1")
    assert not field.view().error, "it may become 10"
    field.press("5")
    assert field.view().error == "d10 can't show 15; accepted: 1-10"
    assert not field.view().enter_words
    field.press("7")
    assert field.view().enter_words == "accept 7"


EXPRESSIONS = ("d20", "2d6+1", "3d6kh2", "d4+d12-1", "10d9")


@given(data=st.data(), dice=st.sampled_from(EXPRESSIONS))
def test_every_throw_can_be_typed(data, dice):
    faces = data.draw(st.tuples(*(st.integers(1, most) for most in dice_of(dice))))
    text = " ".join(map(str, faces))
    assert read_faces(text, dice) == faces
    assert not any(face_error(text[:length], dice) for length in range(len(text) + 1)), "nor is it refused before"


TYPED = st.text("0123456789 ", max_size=8)


@given(dice=st.sampled_from(EXPRESSIONS), text=TYPED, more=TYPED)
def test_what_cannot_be_no_further_digit_makes_possible(dice, text, more):
    if face_error(text, dice):
        with pytest.raises(ValueError, match="can't show"):
            read_faces(text + more, dice)


@given(dice=st.sampled_from(EXPRESSIONS), text=st.text("0123456789 ", max_size=12))
def test_what_is_read_as_faces_is_what_these_dice_can_show(dice, text):
    try:
        faces = read_faces(text, dice)
    except ValueError:
        return
    sizes = dice_of(dice)
    assert len(faces) == len(sizes)
    assert all(1 <= face <= most for face, most in zip(faces, sizes, strict=True))


def test_each_of_several_names_is_completed_though_it_has_blanks():
    known = ("don coat", "don hat", "draw", "turn half")
    assert fill(TextField("What", suggestions=known), "d o n space c tab enter") == "don coat"
    assert fill(TextField("What", suggestions=known), "d r tab space d o n space h tab enter") == "draw don hat"
    assert fill(TextField("What", suggestions=known), "d o n space c tab space t u tab enter") == "don coat turn half"
