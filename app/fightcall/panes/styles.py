"""Rich styles by style key, made once per theme and shared by all panes."""

from __future__ import annotations

from rich.style import Style

from fightcall.paint.glyphs import Glyphs
from fightcall.themes import FightTheme, rich_style


class StyleBook(dict[str, Style]):
    """The Rich styles of a theme by style key, each made when it is first used.

    For another theme, panes get a new book with `RowsPane.dress`.
    """

    def __init__(self, theme: FightTheme) -> None:
        super().__init__()
        self.theme = theme

    @property
    def glyphs(self) -> Glyphs:
        """The marks to draw with."""
        return self.theme.glyphs

    def __missing__(self, key: str) -> Style:
        style = self[key] = rich_style(self.theme.palette.style(key))
        return style
