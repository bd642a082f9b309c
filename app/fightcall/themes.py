"""Themes: one TOML file each, checked as a whole, turned into a palette, a glyph set and a Textual theme.

A theme shipped with the program is read on the fast path: `load_shipped` parses and checks colours and styles
but does not import pydantic, whose part (no unknown tables, right types) the tests do for shipped files. A
user's file is checked by both, every problem is reported at once, and a broken file is left out without
stopping the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fightcall.paint.palette import (
    FILLS,
    INKS,
    MARK_TINTS,
    ROLES,
    STYLES,
    TINTS,
    Colour,
    Palette,
    Style,
    is_exact,
    parse_colour,
    parse_style,
    three_shades,
)
from fightcall.paint.runs import Glyphs, glyphs_for
from fightcall.settings import Problem, TomlText, did_you_mean, flatten, read_toml
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.style import Style as RichStyle
    from textual.theme import Theme

DEFAULT_THEME = "lantern"

_SETTINGS = ("name", "about", "based_on", "dark", "ansi", "glyphs", "shape", "contrast")
_TABLES = ("ui", "styles", "fills", "inks", "tints")


@frozen
class FightTheme:
    """A theme that is ready to use."""

    name: str
    about: str
    dark: bool
    ansi: bool
    """Uses the terminal's own colours, or none."""
    ui: Mapping[str, Colour]
    """The colours by role (`palette.ROLES`)."""
    palette: Palette
    glyphs: Glyphs
    path: Path


class ThemeError(Exception):
    """A requested theme is not available."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def find_shipped_themes() -> Path:
    """The folder of the themes that come with the program, in an installed copy and in a checkout."""
    here = Path(__file__).resolve()
    places = (here.parent / "themes", here.parents[2] / "themes")
    for place in places:
        if (place / f"{DEFAULT_THEME}.toml").is_file():
            return place
    raise FileNotFoundError(f"no themes in {' or '.join(map(str, places))}; install fightcall again")


@cache
def load_shipped(name: str = DEFAULT_THEME) -> FightTheme:
    """One of the program's own themes, fast."""
    folder = find_shipped_themes()
    names = tuple(sorted(path.stem for path in folder.glob("*.toml")))
    if name not in names:
        message = f"no theme {name!r}; there are {', '.join(names)}{did_you_mean(name, names)}"
        raise ThemeError([Problem(folder, None, message)])
    file = read_toml(folder / f"{name}.toml")
    if isinstance(file, Problem):
        raise ThemeError([file])
    theme, problems = _assemble(_Source(file, _tables(file.data)))
    if theme is None:
        raise ThemeError(problems)
    return theme


def load_themes(folders: Sequence[Path]) -> tuple[dict[str, FightTheme], tuple[Problem, ...]]:
    """The sound themes by name of some folders, the program's own usually first, and every problem of the others."""
    files: dict[str, TomlText] = {}
    problems: list[Problem] = []
    for path in (path for folder in folders for path in sorted(folder.glob("[!.]*.toml"))):
        file = read_toml(path)
        if isinstance(file, Problem):
            problems.append(file)
            continue
        result = _structure_problems(file)
        name = file.data.get("name")
        if not result and str(name) in files:
            result = [file.problem(("name",), f"{name!r} already exists: {files[str(name)].path}; choose another name")]
        problems += result
        if not result:
            files[str(name)] = file
    themes: dict[str, FightTheme] = {}
    for name, file in files.items():
        source = _apply_base(file, files)
        theme, result = (None, [source]) if isinstance(source, Problem) else _assemble(source)
        problems += result
        if theme is not None:
            themes[name] = theme
    return themes, tuple(problems)


# From a file to a theme


@frozen
class _Source:
    """A file's values with those of the themes it is based on under them."""

    file: TomlText
    values: Mapping[str, Mapping[str, object]]


def _tables(data: Mapping[str, object]) -> dict[str, dict[str, object]]:
    tables: dict[str, dict[str, object]] = {"": {key: data[key] for key in _SETTINGS if key in data}}
    for name in _TABLES:
        table = data.get(name, {})
        tables[name] = flatten(table) if isinstance(table, dict) else {}
    return tables


def _apply_base(file: TomlText, files: Mapping[str, TomlText]) -> _Source | Problem:
    values = _tables(file.data)
    bases = [str(file.data["name"])]
    below = file.data.get("based_on")
    while below is not None:
        base = str(below)
        if base in bases:
            return file.problem(("based_on",), f"based on itself: {' on '.join([*bases, base])}")
        if base not in files:
            names = sorted(files)
            message = f"no usable theme {base!r} to base it on; there are {', '.join(names)}"
            return file.problem(("based_on",), message + did_you_mean(base, names))
        bases.append(base)
        for table, table_values in _tables(files[base].data).items():
            values[table] = table_values | values[table]
        below = files[base].data.get("based_on")
    return _Source(file, values)


def _assemble(source: _Source) -> tuple[FightTheme | None, list[Problem]]:
    problems: list[Problem] = []
    ui = _read_colours(source, "ui", ROLES, problems)
    inks = _read_colours(source, "inks", INKS, problems)
    fills = _read_fills(source, problems)
    tints = _read_tints(source, ui, problems)
    styles = _read_styles(source, ui, problems)
    settings = source.values[""]
    glyphs, shape = str(settings.get("glyphs", "unicode")), str(settings.get("shape", "hex"))
    if problems:
        return None, problems
    least = settings.get("contrast", 3.0)
    palette = Palette(styles, fills, inks, tints, float(least) if isinstance(least, (int, float)) else 3.0)
    theme = FightTheme(
        name=str(settings["name"]),
        about=str(settings.get("about", "")),
        dark=bool(settings.get("dark", True)),
        ansi=bool(settings.get("ansi", False)),
        ui=ui,
        palette=palette,
        glyphs=glyphs_for(glyphs, "plain" if shape == "plain" else "hex"),
        path=source.file.path,
    )
    return theme, []


def _entries(
    source: _Source, table: str, names: Sequence[str], required: Sequence[str], problems: list[Problem]
) -> list[tuple[str, object]]:
    entries = source.values[table]
    for key in entries:
        if key not in names:
            message = f"unknown name {key!r} in [{table}]{did_you_mean(key, names)}"
            problems.append(source.file.problem((table, key), message))
    missing = [key for key in required if key not in entries]
    if missing:
        message = f'[{table}] lacks {", ".join(missing)}; give them, or say based_on = "{DEFAULT_THEME}"'
        problems.append(source.file.problem((table,), message))
    return [(key, value) for key, value in entries.items() if key in names]


def _read_colours(source: _Source, table: str, names: Sequence[str], problems: list[Problem]) -> dict[str, Colour]:
    colours: dict[str, Colour] = {}
    for key, value in _entries(source, table, names, names, problems):
        try:
            colours[key] = parse_colour(str(value))
        except ValueError as error:
            problems.append(source.file.problem((table, key), f"{key}: {error}"))
    return {key: colours[key] for key in names if key in colours}


def _read_fills(source: _Source, problems: list[Problem]) -> dict[str, tuple[Colour, Colour, Colour]]:
    fills: dict[str, tuple[Colour, Colour, Colour]] = {}
    for key, value in _entries(source, "fills", FILLS, FILLS, problems):
        shades = [str(shade) for shade in value] if isinstance(value, list) else [str(value)]
        try:
            colours = [parse_colour(shade) for shade in shades]
        except ValueError as error:
            problems.append(source.file.problem(("fills", key), f"{key}: {error}"))
            continue
        if len(colours) == 1:
            fills[key] = three_shades(colours[0]) if key not in ("void", "plain") else (colours[0],) * 3
        elif len(colours) == 3:
            fills[key] = (colours[0], colours[1], colours[2])
        else:
            message = f"{key}: {len(colours)} shades; give one colour, or three for neighbouring hexes"
            problems.append(source.file.problem(("fills", key), message))
    return fills


_TINT = re.compile(r"(\S+)\s+(\d{1,3})%\Z")
_MARK_SHARE = 0.26


def _read_tints(source: _Source, ui: Mapping[str, Colour], problems: list[Problem]) -> dict[str, tuple[Colour, float]]:
    # Colours that the terminal chooses cannot be mixed: there a mark is its text.
    tints = {tint: (ui.get(role), _MARK_SHARE if is_exact(ui.get(role)) else 0.0) for tint, role in MARK_TINTS.items()}
    for key, value in _entries(source, "tints", (*TINTS, *MARK_TINTS), TINTS, problems):
        match = _TINT.match(str(value).strip())
        if match is None or int(match[2]) > 100:
            message = f"{key}: {str(value)!r} is not a tint; write a colour and its share, such as #e8b04a 40%"
            problems.append(source.file.problem(("tints", key), message))
            continue
        try:
            tints[key] = (parse_colour(match[1]), int(match[2]) / 100)
        except ValueError as error:
            problems.append(source.file.problem(("tints", key), f"{key}: {error}"))
    return tints


def _read_styles(source: _Source, ui: Mapping[str, Colour], problems: list[Problem]) -> dict[str, Style]:
    own_styles = dict(_entries(source, "styles", tuple(STYLES), (), problems))
    # A missing or wrong role is reported once, where it belongs, not for each style that refers to it.
    roles = {role: ui.get(role) for role in ROLES}
    styles: dict[str, Style] = {}
    for key, default in STYLES.items():
        try:
            styles[key] = parse_style(str(own_styles.get(key, default)), roles)
        except ValueError as error:
            problems.append(source.file.problem(("styles", key), f"{key}: {error}"))
    return styles


# Structure, checked by a model


@cache
def theme_model() -> type[BaseModel]:
    """The pydantic model of a theme file: what tables and types it may have. Imported on first use."""
    from pydantic import BaseModel, ConfigDict, Field

    class ThemeFile(BaseModel):
        """A theme file's structure; what the values mean is checked afterwards."""

        model_config = ConfigDict(extra="forbid", strict=True)

        name: str = Field(min_length=1, pattern=r"^[a-z0-9][a-z0-9-]*$")
        about: str = ""
        based_on: str | None = None
        dark: bool = True
        ansi: bool = False
        glyphs: Literal["unicode", "ascii"] = "unicode"
        shape: Literal["hex", "plain"] = "hex"
        contrast: float = Field(default=3.0, ge=1, le=21)
        ui: dict[str, str] = {}
        styles: dict[str, object] = {}
        fills: dict[str, str | list[str]] = {}
        inks: dict[str, str] = {}
        tints: dict[str, object] = {}

    return ThemeFile


def _structure_problems(file: TomlText) -> list[Problem]:
    from pydantic import ValidationError

    try:
        theme_model().model_validate(file.data)
    except ValidationError as error:
        details = ((list(map(str, item["loc"])), item["type"], item["msg"]) for item in error.errors())
        return [_structure_problem(file, *detail) for detail in details]
    return []


def _structure_problem(file: TomlText, keys: list[str], kind: str, message: str) -> Problem:
    where = ".".join(keys)
    names = (*_SETTINGS, *_TABLES)
    if kind == "extra_forbidden":
        return file.problem(keys, f"unknown name {where!r} in a theme{did_you_mean(where, names)}")
    if kind == "missing":
        return Problem(file.path, None, f"{where} is missing")
    return file.problem(keys[:2], f"{where}: {message}")


# To the libraries that draw


def rich_style(style: Style) -> RichStyle:
    """A palette style as a Rich style, for segments."""
    from rich.style import Style as RichStyle

    foreground, background = (colour and colour.removeprefix("ansi_") for colour in (style.fg, style.bg))
    return RichStyle(
        color=foreground,
        bgcolor=background,
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        reverse=style.reverse or None,
        strike=style.strike or None,
    )


def textual_theme(theme: FightTheme) -> Theme:
    """The theme as Textual's own widgets use it."""
    from textual.theme import Theme

    colours = {role: colour or "ansi_default" for role, colour in theme.ui.items()}
    return Theme(
        name=theme.name,
        primary=colours["primary"],
        secondary=colours["secondary"],
        accent=colours["accent"],
        success=colours["success"],
        warning=colours["warning"],
        error=colours["error"],
        foreground=colours["foreground"],
        background=colours["background"],
        surface=colours["surface"],
        panel=colours["panel"],
        dark=theme.dark,
        ansi=theme.ansi,
        variables=_variables(theme, colours),
    )


def _variables(theme: FightTheme, colours: Mapping[str, str]) -> dict[str, str]:
    """Textual's variables and our own (`$muted`, `$party`, ...), so that style sheets never name a colour."""
    own_colours = {role: colours[role] for role in ("title", "muted", "faint", "party", "foe", "other", "track")}
    cursor = theme.palette.style("list.selected")
    # Without colours a cursor is seen by its attribute alone.
    attribute = "reverse" if cursor.bg is None else "bold" if cursor.bold else "none"
    return own_colours | {
        # Textual's own style sheets refer to these two under themes of terminal colours.
        "ansi-background": colours["background"],
        "ansi-foreground": colours["foreground"],
        "border": colours["primary"],
        "border-blurred": colours["faint"],
        "scrollbar": colours["muted"],
        "scrollbar-hover": colours["foreground"],
        "scrollbar-active": colours["primary"],
        "scrollbar-background": colours["background"],
        "scrollbar-background-hover": colours["background"],
        "scrollbar-background-active": colours["background"],
        "scrollbar-corner-color": colours["background"],
        "block-cursor-foreground": cursor.fg or "ansi_default",
        "block-cursor-background": cursor.bg or "ansi_default",
        "block-cursor-text-style": attribute,
        "block-cursor-blurred-foreground": cursor.fg or "ansi_default",
        "block-cursor-blurred-background": cursor.bg or "ansi_default",
        "block-cursor-blurred-text-style": attribute,
        "input-cursor-text-style": "reverse",
        "input-cursor-foreground": colours["foreground"],
        "input-cursor-background": colours["background"],
        "input-selection-foreground": colours["background"],
        "input-selection-background": colours["secondary"],
        "screen-selection-foreground": colours["background"],
        "screen-selection-background": colours["secondary"],
        "link-color": colours["secondary"],
        "footer-key-foreground": colours["primary"],
        "footer-background": colours["surface"],
    }
