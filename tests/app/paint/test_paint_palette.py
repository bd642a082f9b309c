"""Colours and styles: how keys become looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from palettes import has_colour, unknown_keys

from fightcall.paint.palette import (
    FILLS,
    INKS,
    ROLES,
    STYLES,
    TINTS,
    Palette,
    Style,
    contrast,
    legible,
    luminance,
    mix,
    parse_colour,
    parse_style,
    three_shades,
)
from fightcall.paint.runs import Run

exact = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")
ROLE_COLOURS = dict.fromkeys(ROLES, "#808080") | {"foreground": "#eeeeee", "background": "#101010"}


def palette(**styles):
    parsed = {key: parse_style(styles.get(key, default), ROLE_COLOURS) for key, default in STYLES.items()}
    fills = dict.fromkeys(FILLS, ("#202020", "#303030", "#404040")) | {"water": ("#000080",) * 3}
    return Palette(parsed, fills, dict.fromkeys(INKS, "#ffffff"), dict.fromkeys(TINTS, ("#ff0000", 0.5)))


@pytest.mark.parametrize(
    ("text", "colour"), [("#ABC", "#aabbcc"), (" #12aBef ", "#12abef"), ("ansi_red", "ansi_red"), ("none", None)]
)
def test_colours_that_can_be_written(text, colour):
    assert parse_colour(text) == colour


@pytest.mark.parametrize("text", ["", "red", "#12", "#12345g", "ansi_pink", "#1234567", "12345 6"])
def test_other_colours_are_refused_with_what_to_write(text):
    with pytest.raises(ValueError, match="write #rrggbb"):
        parse_colour(text)


def test_contrast_of_the_extremes():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@given(exact, exact)
def test_contrast_is_the_same_both_ways(one, other):
    assert contrast(one, other) == contrast(other, one)
    assert 1 <= contrast(one, other) <= 21


@given(exact, st.lists(exact, min_size=1, max_size=1), st.floats(1, 4.5))
def test_legible_ink_is_legible(ink, grounds, least):
    found = legible(ink, tuple(grounds), least)
    assert all(contrast(found, ground) >= least for ground in grounds)


def test_legible_leaves_good_ink_and_unknown_colours_alone():
    assert legible("#ffffff", ("#000000",), 4.5) == "#ffffff"
    assert legible("ansi_red", ("#000000",), 4.5) == "ansi_red"
    assert legible("#123456", (None, "ansi_blue"), 4.5) == "#123456"


@given(exact, exact)
def test_mixing_goes_from_one_to_the_other(one, other):
    assert mix(one, other, 0) == one
    assert mix(one, other, 1) == other


def test_terminal_colours_do_not_mix():
    assert mix("ansi_red", "ansi_blue", 0.1) == "ansi_red"
    assert mix("ansi_red", "ansi_blue", 0.5) == "ansi_blue"


@given(exact)
def test_shades_go_from_dark_to_light(base):
    low, middle, high = three_shades(base)
    assert middle == base
    assert luminance(low) <= luminance(base) <= luminance(high)


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("bold $foreground on #000", Style("#eeeeee", "#000000", bold=True)),
        ("on $background", Style(None, "#101010")),
        ("strike italic dim underline reverse", Style(None, None, False, True, True, True, True, True)),
        ("", Style()),
        ("none on none", Style()),
    ],
)
def test_styles_that_can_be_written(text, style):
    assert parse_style(text, ROLE_COLOURS) == style


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("blod", "not a colour"),
        ("$nobody", "no colour \\$nobody; there are \\$primary"),
        ("#fff #000", "one colour too many"),
        ("#fff on", "missing after 'on'"),
        ("#fff on #000 #111", "one colour too many"),
    ],
)
def test_other_styles_are_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_style(text, ROLE_COLOURS)


def test_a_key_takes_missing_colours_from_the_keys_above_it():
    made = palette(**{"roster": "#111111 on #222222", "roster.name": "#333333", "roster.name.down": "strike"})
    assert made.style("roster.name.down") == Style("#333333", "#222222", strike=True)
    assert made.style("strong") == Style("#eeeeee", "#101010", bold=True)
    assert made.style("roster.name.nonsense") == Style("#333333", "#222222")
    assert made.style("nonsense") == Style("#eeeeee", "#101010")


def test_every_key_is_complete():
    for key in STYLES:
        style = palette().style(key)
        assert style.fg, key
        assert style.bg, key


def test_board_styles_are_put_together():
    made = palette()
    assert made.style("grass.0/water.1") == Style("#202020", "#000080")
    assert made.style("ink.token/grass.2+bold+underline") == Style("#ffffff", "#404040", bold=True, underline=True)
    assert made.style("void/grass~reach").bg == mix("#303030", "#ff0000", 0.5)
    assert made.style("grass/grass.1").fg == "#303030"


def test_words_on_the_board_are_made_legible():
    dark = Palette({}, palette().fills, dict.fromkeys(INKS, "#252525"), {}, least=4.5)
    assert contrast(dark.style("ink.cost/grass.1").fg, "#303030") >= 4.5
    assert contrast(dark.style("ink.water/water.0").fg, "#000080") >= 4.5


def test_keys_nobody_knows_are_found():
    keys = ["text", "txet", "grass.1/void", "gras.1/void", "grass.3/void", "ink.token/foe~down+bold", "ink.tok/foe"]
    keys += ["void/void+blod", "void/grass~rech"]
    assert unknown_keys([tuple(Run("x", key) for key in keys)]) == (
        "gras.1/void",
        "grass.3/void",
        "ink.tok/foe",
        "txet",
        "void/grass~rech",
        "void/void+blod",
    )


def test_a_palette_without_colours_is_known():
    nothing = Palette({"text": Style(bold=True)}, {"void": (None,) * 3}, {"token": None}, {})
    assert not has_colour(nothing)
    assert has_colour(palette())
