"""Themes: those that come with the program are sound, and what is wrong with others is said all at once."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from palettes import has_colour, text_contrasts
from rich.console import Console
from textual.app import App
from textual.color import Color

from fightcall.paint.board import paint_board
from fightcall.paint.geometry import MEDIUM
from fightcall.paint.palette import FILLS, GROUNDS, INKS, STYLES, TINTS, TOKENS, contrast, is_exact
from fightcall.paint.runs import row_text
from fightcall.paint.scenes import BoardScene, Token
from fightcall.themes import ThemeError, find_shipped_themes, load_shipped, load_themes, rich_style, textual_theme

SHIPPED = ("ansi", "contrast", "lantern", "mono", "parchment")
COLOURED = ("lantern", "parchment", "contrast")
MAIN_TEXT = ("text", "roster.name", "feed.text", "prompt", "prompt.question", "options.label", "ribbon.todo", "strong")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(tmp_path: Path, text: str) -> list[tuple[int | None, str]]:
    write(tmp_path, "mine", text)
    themes, problems = load_themes([find_shipped_themes(), tmp_path])
    assert "mine" not in themes
    assert set(SHIPPED) <= set(themes)
    return [(problem.line, problem.message) for problem in problems]


def test_the_shipped_themes_have_no_problems():
    themes, problems = load_themes([find_shipped_themes()])
    assert problems == ()
    assert tuple(sorted(themes)) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_the_fast_path_reads_the_same_theme(name):
    assert load_shipped(name) == load_themes([find_shipped_themes()])[0][name]


def test_the_fast_path_imports_neither_pydantic_nor_a_screen():
    code = (
        "import sys; from fightcall.themes import load_shipped; load_shipped('lantern');"
        "print([name for name in ('pydantic', 'textual', 'rich', 'tinydb') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_theme_nobody_has_is_refused_with_the_nearest():
    with pytest.raises(ThemeError, match="did you mean 'lantern'"):
        load_shipped("lantren")


@pytest.mark.parametrize("name", COLOURED)
def test_words_stand_out_from_their_ground(name):
    theme = load_shipped(name)
    least = 4.5 if name == "contrast" else 3.0
    pairs = text_contrasts(theme.palette)
    assert len(pairs) > 80
    weak = {key: round(contrast(*pair), 2) for key, pair in pairs.items() if contrast(*pair) < least}
    assert weak == {}
    assert {key for key in MAIN_TEXT if contrast(*pairs[key]) < 4.5} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", COLOURED)
def test_words_on_the_board_stand_out(name):
    palette = load_shipped(name).palette
    least = 4.5 if name == "contrast" else 3.0
    for fill, shade, tint in product(GROUNDS, range(3), ("", *TINTS)):
        ground = f"{fill}.{shade}" + (f"~{tint}" if tint else "")
        for ink in ("cost", "path", "warn", "cursor", fill):
            style = palette.style(f"ink.{ink}/{ground}")
            assert contrast(style.fg, style.bg) >= least
    for token, shade, state in product(TOKENS, range(3), ("", "~down", "~hidden", "~cursor")):
        style = palette.style(f"ink.token/{token}.{shade}{state}+bold")
        assert contrast(style.fg, style.bg) >= (least if state else 4.5)


@pytest.mark.parametrize("name", COLOURED)
def test_what_is_said_of_a_zone_is_read_on_its_ground(name):
    palette = load_shipped(name).palette
    for fill, shade in product(GROUNDS, range(3)):
        style = palette.style(f"ink.{fill}/{fill}.{shade}")
        assert contrast(style.fg, style.bg) >= 4.5, (fill, shade)


@pytest.mark.parametrize("name", COLOURED)
def test_tokens_stand_out_from_the_ground_they_stand_on(name):
    """A party token is no hill: fills of tokens differ clearly from all bare ground."""
    palette = load_shipped(name).palette
    for token, ground in product(("party", "foe", "party-acting", "foe-acting"), ("grass", "water", "floor")):
        assert contrast(palette.fill(token), palette.fill(ground)) >= 1.7


@pytest.mark.parametrize("name", COLOURED)
def test_neighbouring_shades_differ(name):
    palette = load_shipped(name).palette
    for fill in (*GROUNDS, *TOKENS):
        assert len(set(palette.fills[fill])) == 3


def test_the_ansi_theme_uses_only_the_terminals_colours():
    theme = load_shipped("ansi")
    colours = {getattr(theme.palette.style(key), side) for key in STYLES for side in ("fg", "bg")}
    colours |= {shade for shades in theme.palette.fills.values() for shade in shades}
    colours |= set(theme.ui.values()) | set(theme.palette.inks.values())
    assert not any(is_exact(colour) for colour in colours)
    assert has_colour(theme.palette)


def test_the_mono_theme_sends_no_colour():
    theme = load_shipped("mono")
    assert not has_colour(theme.palette)
    scene = BoardScene(3, 2, tokens={(0, 0): Token("A", "Ash", "foe")}, costs={(1, 0): "1"}, cursor=(1, 1))
    console = Console(force_terminal=True, color_system="truecolor", width=60)
    with console.capture() as capture:
        for row in paint_board(scene, MEDIUM, 0, 0, 28, 8, theme.glyphs):
            for run in row:
                console.print(run.text, style=rich_style(theme.palette.style(run.style)), end="", highlight=False)
        for key in STYLES:
            console.print(key, style=rich_style(theme.palette.style(key)), end="", highlight=False)
    codes = {code for sequence in capture.get().split("\x1b[")[1:] for code in sequence.partition("m")[0].split(";")}
    assert codes <= {"0", "1", "2", "3", "4", "7", "9"}
    assert "7" in codes


def test_mono_tells_states_apart_by_attributes():
    style = load_shipped("mono").palette.style
    for one, other in (
        ("ribbon.now", "ribbon.todo"),
        ("ribbon.done", "ribbon.todo"),
        ("roster.name", "roster.name.selected"),
        ("roster.name.down", "roster.name"),
        ("badge.good", "badge.bad"),
        ("feed.undone", "feed.text"),
        ("header.saved", "header.failed"),
    ):
        assert style(one) != style(other), (one, other)


@pytest.mark.parametrize("name", SHIPPED)
def test_textual_takes_the_theme(name):
    made = textual_theme(load_shipped(name))
    assert made.name == name
    for colour in (made.primary, made.background, made.foreground, *made.variables.values()):
        assert colour in ("bold", "none", "reverse") or Color.parse(colour)


@pytest.mark.parametrize("name", SHIPPED)
async def test_an_app_runs_under_the_theme(name):
    theme = textual_theme(load_shipped(name))

    class Bare(App[None]):
        pass

    app = Bare()
    async with app.run_test(size=(20, 5)) as pilot:
        app.register_theme(theme)
        app.theme = name
        await pilot.pause()
        assert app.theme_variables["party"] == theme.variables["party"]


# A user's own themes


def test_a_theme_may_change_a_few_things_of_another(tmp_path):
    write(
        tmp_path,
        "mine",
        'name = "mine"\nbased_on = "lantern"\nglyphs = "ascii"\nshape = "plain"\n'
        '[ui]\nprimary = "#fff"\n[styles]\nfeed.dice = "bold $primary"\n[fills]\ngrass = "#204020"\n',
    )
    themes, problems = load_themes([find_shipped_themes(), tmp_path])
    assert problems == ()
    mine, lantern = themes["mine"], themes["lantern"]
    assert mine.ui["primary"] == "#ffffff"
    assert mine.ui["foe"] == lantern.ui["foe"]
    assert mine.palette.style("feed.dice").bold
    assert mine.palette.style("ribbon.now").bg == "#ffffff"
    assert len(set(mine.palette.fills["grass"])) == 3
    assert mine.palette.fills["water"] == lantern.palette.fills["water"]
    assert (mine.glyphs.name, mine.glyphs.shape) == ("ascii", "plain")
    picture = paint_board(BoardScene(2, 2), MEDIUM, 0, 0, 20, 7, mine.glyphs)
    assert all(row_text(row).isascii() for row in picture)


def test_a_theme_may_be_based_on_another_of_the_users(tmp_path):
    write(tmp_path, "a", 'name = "a"\nbased_on = "b"\n[ui]\nfoe = "#000001"\n')
    write(tmp_path, "b", 'name = "b"\nbased_on = "lantern"\n[ui]\nfoe = "#000002"\nparty = "#000003"\n')
    themes, problems = load_themes([find_shipped_themes(), tmp_path])
    assert problems == ()
    assert (themes["a"].ui["foe"], themes["a"].ui["party"]) == ("#000001", "#000003")


def test_all_problems_are_reported_at_once_with_their_lines(tmp_path):
    text = """name = "mine"
based_on = "lantern"

[ui]
primary = "sunny"
primray = "#ffffff"

[styles]
text = "$foregrund on $background"
"feed.dcie" = "bold"
"feed.dice" = "bold blod"

[fills]
water = ["#000", "#111"]
grass = ["#000", "#111", "#zzz"]

[tints]
reach = "#fff"
path = "#fff 140%"
"""
    found = problems_of(tmp_path, text)
    lines = {line for line, _ in found}
    assert lines == {5, 6, 9, 10, 11, 14, 15, 18, 19}
    messages = dict(found)
    assert "'sunny' is not a colour" in messages[5]
    assert "did you mean 'primary'" in messages[6]
    assert "there is no colour $foregrund" in messages[9]
    assert "did you mean 'feed.dice'" in messages[10]
    assert "2 shades" in messages[14]
    assert "#e8b04a 40%" in messages[18]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('name = "mine"\nbased_on = "lantren"', 2, "did you mean 'lantern'"),
        ('name = "mine"\nbased_on = "mine"', 2, "based on itself"),
        ('name = "lantern"', 1, "already exists"),
        ('name = "Mine!"', 1, "pattern"),
        ('based_on = "lantern"', None, "name is missing"),
        ('name = "mine"\nbased_on = "lantern"\nglyphs = "emoji"', 3, "'unicode' or 'ascii'"),
        ('name = "mine"\nbased_on = "lantern"\ncolours = 3', 3, "unknown name 'colours'"),
        ('name = "mine"\nbased_on = "lantern"\n[ui]\nprimary = 7', 4, "valid string"),
        ('name = "mine"\nbased_on = "lantern"\n[styles]\ntext = 7', 4, "7"),
        ('name = "mine"\ndark =', 2, "not TOML"),
        ('name = "mine"', None, "[ui] lacks primary"),
    ],
)
def test_what_is_wrong_and_where(tmp_path, text, line, reason):
    found = problems_of(tmp_path, text)
    assert any(at == line and reason in message for at, message in found), found


def test_a_file_that_is_no_text_is_reported(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"name = '\xff'")
    _, problems = load_themes([tmp_path])
    assert "not UTF-8" in str(problems[0])
    assert str(tmp_path / "bad.toml") in str(problems[0])


def test_a_theme_without_a_base_lists_everything_it_lacks(tmp_path):
    found = " ".join(message for _, message in problems_of(tmp_path, 'name = "mine"'))
    assert all(word in found for word in (*FILLS, *INKS, *TINTS))


def test_a_folder_that_is_not_there_has_no_themes(tmp_path):
    assert load_themes([tmp_path / "nowhere"]) == ({}, ())
