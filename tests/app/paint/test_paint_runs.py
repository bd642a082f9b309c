"""Text in cells: what is drawn is what is measured."""

import itertools
import unicodedata

import pytest
from ford import golden
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fightcall.paint.runs import (
    MARKS_PER_BASE,
    Run,
    clean,
    crop,
    cut,
    fit,
    fit_ends,
    join,
    merge,
    row_text,
    row_width,
    shorten_name,
    width,
    window,
)

nasty = st.sampled_from(
    [
        "\x1b[31m",
        "\u202e",
        "\u200d",
        "\ufe0f",
        "\u0301",
        "漢",
        "👩‍🚀",
        "👍🏽",
        "\n",
        "\t",
        "\0",
        "\x85",
        "\ud800",
        "🇫🇷",
        "e\u0301",
    ]
)
texts = st.lists(st.one_of(st.text(max_size=6), nasty), max_size=6).map("".join)
rows = st.lists(st.builds(Run, texts.map(clean), st.sampled_from("abc")), max_size=8).map(tuple)


@given(texts)
def test_cleaned_text_is_as_wide_as_the_terminal_makes_it(text):
    cleaned = clean(text)
    newer = {char for char in cleaned if unicodedata.category(char) == "Cn"}
    assert not newer
    assert width(cleaned) == cell_len(cleaned)


@given(texts)
def test_cleaning_leaves_nothing_that_moves_the_cursor(text):
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not {unicodedata.category(char) for char in cleaned} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert "\ufe0f" not in cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Ysolde", "Ysolde"),
        ("a\x1b[2Jb", "a␛[2Jb"),
        ("one\ntwo\tthree", "one two three"),
        ("evil\u202eliar", "evilliar"),
        ("❤\ufe0f", "❤"),
        ("caf" + "e\u0301", "cafe\u0301"),
        ("\u0301lone", "lone"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("\x7f\x00", "␡␀"),
    ],
)
def test_what_cleaning_makes_of(text, cleaned):
    assert clean(text) == cleaned


def test_stacked_marks_are_limited():
    assert clean("a" + "\u0301" * 50) == "a" + "\u0301" * MARKS_PER_BASE


@given(texts, st.integers(0, 12), st.sampled_from(["left", "right", "centre"]))
def test_fitted_text_takes_exactly_its_cells(text, cells, align):
    assert width(fit(text, cells, align)) == cells


@pytest.mark.parametrize(
    ("text", "cells", "align", "fitted"),
    [
        ("Goblin", 4, "left", "Gob…"),
        ("Goblin", 8, "right", "  Goblin"),
        ("Gob", 8, "centre", "  Gob   "),
        ("漢字漢", 4, "left", "漢… "),
        ("Goblin", 1, "left", "G"),
        ("Goblin", 0, "left", ""),
    ],
)
def test_fitting(text, cells, align, fitted):
    assert fit(text, cells, align) == fitted


@given(texts.map(clean), st.integers(0, 12))
def test_cutting_keeps_the_longest_beginning(text, cells):
    short = cut(text, cells)
    assert text.startswith(short)
    assert width(short) <= cells
    if short != text:
        assert width(text[: len(short) + 1]) > cells


def test_a_name_is_shortened_by_whole_words():
    for name, cells, short in [
        ("Goblin 12", 9, "Goblin 12"),
        ("Goblin 12", 8, "Goblin"),
        ("Goblin Archer 1", 9, "Archer 1"),
        ("Goblin Archer 1", 7, "Archer"),
        ("Hob the stagehand", 16, "Hob"),
        ("The Gilt Mask", 9, "Gilt Mask"),
        ("The Gilt Mask", 8, "Mask"),
        ("Brother Osric", 8, "Osric"),
        ("Brother Anselm", 8, "Anselm"),
        ("Mother Ansel of the Mill", 12, "Ansel"),
        ("Sister 2", 6, "Sister"),
        ("Leading man", 8, "Leading"),
        ("The conductor", 9, "conductor"),
        ("Brother", 8, "Brother"),
        ("Ysolde", 4, ""),
        ("Bo", 4, "Bo"),
        ("12345", 3, ""),
        ("", 4, ""),
    ]:
        assert shorten_name(name, cells) == short, (name, cells, short)


@given(texts, st.integers(1, 10))
def test_a_short_name_fits(name, cells):
    assert width(shorten_name(name, cells)) <= cells


@given(rows)
def test_merging_keeps_text_and_styles(row):
    merged = merge(row)
    assert row_text(merged) == row_text(row)
    assert all(one.style != other.style for one, other in itertools.pairwise(merged))
    styled = [(char, run.style) for run in row for char in run.text]
    assert [(char, run.style) for run in merged for char in run.text] == styled


@given(rows, st.integers(0, 20), st.integers(0, 20))
def test_a_window_is_as_wide_as_what_is_there(row, start, cells):
    there = max(0, min(row_width(row) - start, cells))
    assert row_width(window(row, start, cells)) == there


@given(rows, st.integers(0, 20))
def test_both_parts_of_a_cut_row_are_as_wide_as_the_whole(row, at):
    whole = row_width(row)
    left, right = crop(row, at), window(row, at, whole)
    assert row_width(left) == min(at, whole)
    assert row_width(join([left, right])) == whole


def test_half_a_wide_character_is_a_space():
    row = (Run("a漢b", "x"),)
    assert crop(row, 2) == (Run("a ", "x"),)
    assert window(row, 2, 2) == (Run(" b", "x"),)


def test_a_golden_names_each_style_once():
    picture = golden([(Run("ab", "text"), Run("漢", "good")), (Run("c", "good"),)])
    assert picture == "|ab漢|\n aabb\n|c|\n b\n\na = text\nb = good\n"


@given(texts, st.integers(0, 40))
def test_a_text_that_keeps_its_ends_fills_its_cells(text, cells):
    assert width(fit_ends(text, cells)) == max(cells, 0)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (50, "Isaut: strike, Corso: chance in % (AV 56 − DV 43) "),
        (36, "Isaut: … chance in % (AV 56 − DV 43)"),
        (34, "Isaut: … in % (AV 56 − DV 43)     "),
        (4, "Isa…"),
    ],
)
def test_a_long_text_keeps_who_and_the_numbers(cells, expected):
    assert fit_ends("Isaut: strike, Corso: chance in % (AV 56 − DV 43)", cells) == expected
