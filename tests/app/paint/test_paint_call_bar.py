"""The call bar: what happened, what is asked or can be done, what going on does; the same three parts at every size."""

from dataclasses import replace

import pytest
from ford import check_golden, check_size, ford, nasty, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.call_bar import CallLine, CallView, Happened, act_rows, call_rows, wanted_rows
from fightcall.paint.prompt_bar import PromptView
from fightcall.paint.runs import ASCII, UNICODE, clean, shorten
from fightcall_engine.play.calls import Sequel

FORD, NASTY_FIGHT = ford(), nasty()
OPTIONS = FORD.options("brand")
SHORT, TALL = (80, 5), (140, 7)
SHOT = Happened("Archer shoots at Brand: 20, needed 12 or less: misses", "done", "u undo")
LINE = CallLine(
    does="Brand and Paul pass",
    sequel=Sequel("Move, Foe"),
    hints=((">", "to Melee", "go_on"), ("?", "why", "why"), ("!", "ruling", "rule"), ("F1", "keys", "help")),
)
PLAIN = CallView(happened=SHOT, line=LINE, options=OPTIONS, likely=0, all_key="a")
MORALE = PromptView(
    "Does the foe check morale after 1 loss?", (("y", "it holds"), ("n", "it fails")), rule="SB-38", default="no check"
)
LOSES = CallLine(does="close", sequel=Sequel("Upkeep"), loses="Marsh loses 4 reserved to Hesitation")
HELD = replace(LINE, does="no check", sequel=Sequel("Goblin 1 can still act"))
VIEWS = {
    "acts": PLAIN,
    "asked": replace(PLAIN, question=MORALE, line=HELD),
    "offer": replace(PLAIN, offer=MORALE, line=HELD),
    "refused": replace(
        PLAIN, happened=Happened("Goblin 1 is behind full cover (full cover, SB-65)   ! overrides it", "refused")
    ),
    "undone": replace(PLAIN, happened=Happened("Undone: Paul waits", "undone", "U redo")),
    "loses": replace(PLAIN, line=LOSES),
    "armed": replace(PLAIN, line=replace(LOSES, is_armed=True)),
}


def drawn(view=PLAIN, size=TALL, who="brand", glyphs=UNICODE, fight=FORD):
    return call_rows(view, fight.state, fight.system, who, width=size[0], height=size[1], glyphs=glyphs)


@pytest.mark.parametrize("size", [SHORT, TALL])
@pytest.mark.parametrize("name", VIEWS)
def test_golden(name, size):
    check_golden(f"call-{name}-{size[0]}x{size[1]}", drawn(VIEWS[name], size).rows)


@pytest.mark.parametrize("said", ["go on", "Brand, Paul and Ysolde of the Long Road pass. Next: Move, Foe; 3 can act"])
def test_the_keys_that_lead_on_to_help_and_out_stand_at_every_width(said):
    """Found in play 2."""
    hints = (*LINE.hints, ("F5", "timeline", "lanes"), ("q", "leave", "leave"))
    for width in (60, 80, 100, 140):
        spots = drawn(replace(PLAIN, line=CallLine(does=said, hints=hints)), (width, 5)).spots
        assert {"action go_on", "action help", "action leave"} <= {spot.what for spot in spots}, width


def test_who_passes_is_counted_where_the_names_leave_no_room_for_the_words_of_the_keys():
    hints = ((">", "to Melee", "go_on"), ("F1", "keys", "help"), ("q", "leave", "leave"))
    line = CallLine(
        does="Ysolde, Brand and Paul pass", brief="Everyone passes", sequel=Sequel("Missile, Foe"), hints=hints
    )
    at = {width: texts(drawn(replace(PLAIN, line=line), (width, 5)).rows)[-1] for width in (60, 68, 80, 100)}
    assert "Everyone passes. Next: Missile, Foe" in at[80]
    assert "> to Melee  F1 keys  q leave" in at[80]
    assert "Ysolde, Brand and Paul pass" in at[100]
    assert "Everyone passes. Next: Missile, Foe" in at[60], "where the names leave no room for what comes then"
    assert "Ysolde" in at[68], "fewer words that make no room for the keys either say less for nothing"


def test_the_keys_that_are_always_there_have_their_words_before_others_have_any():
    to_next, others = (">", "to Goblin Warrior 2", "go_on"), (("F1", "keys", "help"), ("?", "why", "why"))
    hints = (to_next, *others, ("q", "leave", "leave"))
    line = CallLine(does="Milli passes", sequel=Sequel("Goblin Warrior 2's turn"), hints=hints)
    assert "> on  F1 keys  q leave" in texts(drawn(replace(PLAIN, line=line), (80, 5)).rows)[-1]
    wide = texts(drawn(replace(PLAIN, line=line), (110, 5)).rows)[-1]
    assert "> to Goblin Warrior 2  F1 keys  ? why  q leave" in wide


words = st.text(max_size=40)
sequels = st.builds(Sequel, words, words)
hints = st.lists(st.tuples(words, words, words)).map(tuple)
lines = st.builds(CallLine, st.just("space"), words, sequels, words, st.booleans(), hints)
happenings = st.builds(Happened, words, st.sampled_from(["done", "undone", "refused", "warn", "note"]), words)
questions = st.none() | st.builds(PromptView, words, st.just((("y", "yes"),)), st.none() | words, words, words, words)
anybody = st.sampled_from(["", *NASTY_FIGHT.state.combatants])


@given(st.integers(4, 160), st.integers(3, 9), happenings, lines, questions, questions, anybody)
def test_rows_have_their_width_whatever_is_said(width, height, happened, line, question, offer, who):
    options = NASTY_FIGHT.options(who) if who else ()
    options = tuple(replace(option, label=option.label + NASTY_FIGHT.state.name) for option in options)
    view = CallView(happened, question, offer, line, options, None, None, "a")
    rows = call_rows(view, NASTY_FIGHT.state, NASTY_FIGHT.system, who, width=width, height=height, glyphs=ASCII).rows
    check_size(rows, width, height)
    # put right 41: the last line is cleaned like all others.
    assert all(clean(run.text) == run.text for row in rows for run in row)


@pytest.mark.parametrize("name", VIEWS)
def test_the_three_parts_are_there_at_every_size(name):
    view = VIEWS[name]
    asked = view.question or view.offer
    for size in (SHORT, TALL, (100, 5), (60, 5)):
        rows = texts(drawn(view, size).rows)
        framed = size[1] > 5
        assert view.happened.text.split()[0] in rows[1], size
        assert ("space twice ▸" if view.line.loses and not view.line.is_armed else "space ▸") in rows[-1 - framed], size
        assert (asked.question[:20] if asked else "vault") in "\n".join(rows[2:]), size


def test_who_is_selected_and_what_they_have_stand_in_the_edge():
    head = texts(drawn().rows)[0]
    for part in ("Brand", "HP 9/15", "beats 14/14", "B4 ↗"):
        assert part in head


def test_acts_have_keys_and_prices_and_the_likely_one_is_marked():
    rows = "\n".join(texts(drawn().rows))
    assert " m move 1/hex" in rows
    assert "v vault 4" in rows
    assert f"a all {len(OPTIONS)}" in rows
    assert "^m move" in "\n".join(texts(drawn(replace(PLAIN, keys={"move": "^m"})).rows))


def test_no_word_is_cut_where_there_is_little_room():
    """The least likely acts are left out whole; the sentence loses its last clauses; hints fall away from the end."""
    for cells in range(50, 140):
        rows = texts(drawn(size=(cells, 5)).rows)
        known = " ".join(
            [SHOT.text, SHOT.hint, LINE.does, LINE.does + LINE.sequel.words, "space ▸"]
            + [f"{key} {text}" for key, text, _ in LINE.hints]
            + [f"⏎ {option.key} {option.label} {option.cost}" for option in OPTIONS]
            + [f"a all {len(OPTIONS)}", "✓", "…", "·", "on", *FORD.system.reminders(FORD.state)]
        ).split()
        for row in rows[1:]:
            assert [word for word in row.split() if word not in known] == [], cells


def test_what_was_said_loses_whole_clauses():
    assert (
        shorten("Brand strikes Goblin 1: hit; 5 of 7 left; the foe runs", 40, UNICODE)
        == "Brand strikes Goblin 1: hit; 5 of 7 left"
    )
    assert shorten("Brand strikes Goblin", 14, UNICODE) == "Brand …"


STRUCK = Happened("Goblin 1 strikes Ysolde with hooked spear (hit): hit for 3 (11/14 HP); halted", "done", SHOT.hint)


def test_what_came_of_an_act_takes_a_row_from_the_least_likely_acts_where_it_has_no_room():
    rows = texts(drawn(replace(PLAIN, happened=STRUCK), SHORT).rows)
    assert rows[1].rstrip().endswith("u undo")
    assert rows[2].strip() == "hit for 3 (11/14 HP); halted"
    assert "vault" in rows[3]
    undone = "Undone: Ysolde shoots at Goblin 2 with crooked longbow (15 > 12 miss)"
    taken_back = Happened(undone, "undone", "U redo")
    said = " ".join(" ".join(texts(drawn(replace(PLAIN, happened=taken_back), SHORT).rows)).split())
    assert "(15 > 12 U redo miss)" in said


@pytest.mark.parametrize("asked", [{"question": MORALE}, {"offer": MORALE}])
def test_what_is_asked_makes_way_for_nothing_that_happened(asked):
    rows = texts(drawn(replace(PLAIN, happened=STRUCK, **asked), SHORT).rows)
    assert MORALE.question in rows[2]


def test_a_loss_is_said_in_the_warning_colour_and_the_first_press_marks_it():
    quiet, armed = drawn(VIEWS["loses"]), drawn(VIEWS["armed"])
    row = quiet.rows[-2]
    assert "loses 4 reserved" in texts(quiet.rows)[-2]
    assert "prompt.error" in {run.style for run in row}
    assert "press again: close" in texts(armed.rows)[-2]
    assert "prompt.mark" in {run.style for run in armed.rows[-2]}


def test_a_loss_is_said_before_what_comes_then():
    view = replace(VIEWS["loses"], line=replace(LOSES, sequel=Sequel(asks="Does it burn on? And then more")))
    assert texts(drawn(view, SHORT).rows)[-1].strip() == "space twice ▸ close (Marsh loses 4 reserved to Hesitation)"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Upkeep 1 of 2: old wound on Brother Aum: 1 harm?", "apply. Next: Upkeep 1 of 2"),
        ("Does an NPC act now?", "apply. Next: Does an NPC act now?"),
        ("Does an NPC act now, before the party moves?", "apply"),
    ],
)
def test_what_is_asked_then_is_told_by_its_subject_or_not_at_all(asked, told):
    """Where it has no room; "Next" alone tells nothing."""
    rows = texts(drawn(replace(PLAIN, line=CallLine(does="apply", sequel=Sequel(asks=asked))), (52, 5)).rows)
    assert rows[-1].strip() == f"space ▸ {told}"


def test_what_somebody_wrote_is_told_as_far_as_there_is_room():
    """Not by its first clause: it is over two rows at most, and breaks off between two words."""
    written = "A turn is offered. Any act takes it: s strikes, m moves; w delays until later in the round."
    happened = Happened(f"Noted: {written}", hint="u undo", is_quote=True)
    for size in ((60, 5), SHORT, (100, 5)):
        rows = texts(drawn(replace(PLAIN, happened=happened), size).rows)
        said = " ".join(" ".join(rows[1:3]).replace("u undo", "").split())
        assert f"Noted: {written}"[:90] in said, size
        assert "later in the round." in said or said.endswith("…"), size


def test_where_nothing_can_be_done_the_reason_comes_unasked():
    off = [option for option in FORD.options("goblin-1") if not option.legal]
    rows = texts(act_rows(FORD.state, FORD.system, "goblin-1", off, width=100, height=3, glyphs=UNICODE).rows)
    assert off[0].why in "\n".join(rows)


def test_a_refusal_takes_as_many_rows_as_it_needs():
    long = replace(PLAIN, happened=Happened("much too far " * 20, "refused"))
    wanted = wanted_rows(long, width=60, height=5, glyphs=UNICODE)
    said = " ".join(" ".join(texts(drawn(long, (60, wanted)).rows)).split())
    assert said.count("much too far") == 20
    assert wanted_rows(PLAIN, width=60, height=5, glyphs=UNICODE) == 5


def test_every_answer_to_an_offer_is_seen():
    choices = (("p", "Pau steps in"), ("r", "other answers"))
    offer = PromptView("Goblin Archer 1 is next. Does Pau step in?", choices, default="no")
    view = replace(PLAIN, offer=offer)
    for size in ((60, 5), SHORT, (100, 5), TALL):
        height = wanted_rows(view, width=size[0], height=size[1], glyphs=UNICODE)
        shown = "\n".join(texts(drawn(view, (size[0], height)).rows))
        for words in (offer.question, "⏎ no", "p Pau steps in", "r other answers", "vault", "space ▸"):
            assert words in shown, size


def test_reminders_fill_what_is_left():
    assert "Moving next to an enemy ends your movement; leaving contact is free" in "\n".join(
        texts(drawn(size=(140, 9)).rows)
    )
    assert "Moving next to an enemy ends your movement; leaving contact is free" in "\n".join(texts(drawn(who="").rows))


def test_a_click_finds_what_it_means():
    drawing = drawn()
    rows = texts(drawing.rows)
    for text, what in (("vault", "option"), ("why", "action why"), ("Brand and Paul pass", "action next")):
        y = next(y for y, row in enumerate(rows) if text in row)
        assert drawing.at(rows[y].index(text), y).startswith(what)
    asked = drawn(VIEWS["offer"])
    rows = texts(asked.rows)
    assert asked.at(rows[2].index("it holds"), 2) == "answer y"


def test_where_it_leads_is_shortened_before_it_is_left_out_and_no_full_stop_stays():
    """Found in play: a bare ``passes.`` began the next round."""
    line = CallLine(
        does="Goblin Warrior 1 passes", sequel=Sequel("Round 2: Goblin Archer 2's turn"), hints=PLAIN.line.hints
    )
    said = [texts(drawn(replace(PLAIN, line=line), (cells, 5)).rows)[-1] for cells in (110, 66, 44)]
    assert "Goblin Warrior 1 passes. Next: Round 2: Goblin Archer 2's turn" in said[0]
    assert "Goblin Warrior 1 passes. Next: Round 2  " in said[1]
    assert "Goblin Warrior 1 passes  " in said[2]


def test_what_is_lost_is_not_said_twice():
    """Where going on is nothing but the loss, its words are enough."""
    line = CallLine(does="Berit: not carried out", sequel=Sequel("Segment 2"), loses="Berit: not carried out")
    assert (
        "space twice ▸ Berit: not carried out. Next: Segment 2"
        in texts(drawn(replace(PLAIN, line=line), SHORT).rows)[-1]
    )


def test_in_a_narrow_bar_sums_give_way_to_what_came_of_them():
    """Found in play 3: the harm is what everybody waits for."""
    hit = Happened("Milli attacks Goblin Warrior 1 with longsword (18 ≥ 11): hit for 7 (2/9 HP)", "done", "u undo")
    for size, sums in (((80, 5), False), ((140, 7), True)):
        row = texts(drawn(replace(PLAIN, happened=hit, question=MORALE), size).rows)[1]
        assert "hit for 7 (2/9" in row
        assert ("18 ≥ 11" in row) == sums


def test_an_act_with_a_long_name_loses_whole_words_of_it_and_keeps_its_price():
    """Found in play: ``s drop the longbow, draw and strike (short sword) 1 actio``."""
    long = replace(OPTIONS[0], label="drop the longbow, draw and strike (short sword)", cost="1 action")
    rows = [row.rstrip() for row in texts(drawn(replace(PLAIN, options=(long,), likely=0), (56, 6)).rows)]
    assert "   m drop the longbow, draw and strike (short … 1 action" in rows, rows


@pytest.mark.parametrize("asked", [{}, {"offer": replace(MORALE, default="")}])
def test_what_enter_does_for_a_foe_stands_there_however_much_has_happened(asked):
    view = replace(PLAIN, happened=STRUCK, suggestion=("enter", "Goblin 2 shoots at Paul (40 %)"), **asked)
    height = wanted_rows(view, width=80, height=5, glyphs=UNICODE)
    drawing = drawn(view, (80, height))
    assert any("⏎ Goblin 2 shoots at Paul (40 %)" in row for row in texts(drawing.rows))
    assert "action accept" in {spot.what for spot in drawing.spots}
