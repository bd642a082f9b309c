"""The tours of README and guide: a fight told key by key, with cuts of the screen in text.

``python tests/app/screens/tours.py`` plays them and writes the cuts into the pages anew.

A tour follows ``<!-- tour ENCOUNTER SEED -->``: rows of a table, or lines ``- `key` key: what happens``. A comment
``<!-- screen PANE -->``, or ``<!-- screen PANE 3-9 -->`` for some of its rows, says what the code block after it shows.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from driver import home, press, running, seen
from textual.pilot import Pilot

from fightcall.screens.base import OpeningScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter

ROOT = Path(__file__).resolve().parents[3]
PAGES = (ROOT / "README.md", *sorted((ROOT / "app/fightcall/guide").glob("*.md")))
SIZE = (74, 24)
"""The screen that is cut: what the guide has room for in a terminal of 80 columns."""

_TOUR = re.compile(r"<!-- tour (\S+) (\S+) -->\n(.*?)(?=\n## |\Z)", re.DOTALL)
_PART = re.compile(
    r"^\| (?P<cell>.*?(?:`|Enter).*?) \| (?P<row>.+?) \|$"
    r"|^- (?P<keys>(?:(?:`\S+`|Enter|Esc|right|left|up|down) ?)+): (?P<line>.+)$"
    r"|^<!-- screen (?P<pane>\w+)(?: (?P<first>\d+)-(?P<last>\d+))? -->\n```text\n(?P<cut>(?:.*\n)*?)```$",
    re.MULTILINE,
)
_KEYS = {"Enter": "enter", "Esc": "escape"}


@dataclass(frozen=True)
class Step:
    """Keys, by the names that the tests press them by, and what the tour says of them."""

    keys: tuple[str, ...]
    text: str

    @property
    def words(self) -> list[str]:
        """What is then on the screen, as the tour has it."""
        return re.findall(r"\*\*(.+?)\*\*", self.text)


@dataclass(frozen=True)
class Cut:
    """A part of the screen in a page: the pane, the first and the last row of it, the text, and where that stands."""

    pane: str
    rows: slice
    text: str
    span: tuple[int, int]

    def draw(self, pilot: Pilot[None]) -> str:
        """What it shows of the screen as it is; the pane must be there to be cut."""
        shown = seen(pilot, self.pane)
        assert shown, f"{self.pane} is not on the screen:\n{seen(pilot)}"
        rows = shown.split("\n")[self.rows]
        return "".join(f"{row.rstrip()}\n" for row in rows)


@dataclass(frozen=True)
class Tour:
    """A fight and its seed, and what is pressed and shown in it."""

    encounter: str
    seed: str
    parts: tuple[Step | Cut, ...]

    @property
    def steps(self) -> list[Step]:
        """What is pressed."""
        return [part for part in self.parts if isinstance(part, Step)]


def read_tour(page: str) -> Tour | None:
    """The tour in a page, if there is one."""
    found = _TOUR.search(page)
    if found is None:
        return None
    parts: list[Step | Cut] = []
    for part in _PART.finditer(page, found.start(3), found.end(3)):
        if part["pane"]:
            rows = slice(int(part["first"]) - 1, int(part["last"])) if part["first"] else slice(None)
            parts.append(Cut(part["pane"], rows, part["cut"], part.span("cut")))
        else:
            words = (part["cell"] or part["keys"]).replace("`", "").split()
            parts.append(Step(tuple(_KEYS.get(word, word) for word in words), part["row"] or part["line"]))
    return Tour(found[1], found[2], tuple(parts))


@asynccontextmanager
async def opened(tour: Tour, folder: Path, size: tuple[int, int] = SIZE) -> AsyncIterator[Pilot[None]]:
    """The fight of a tour on the screen, before its first key."""
    paths = home(folder)
    journal = Shelf(paths).begin(replace(load_encounter(tour.encounter), seed=tour.seed))
    async with running(paths, size, first=lambda: OpeningScreen(journal, "fight")) as pilot:
        yield pilot


async def draw_cuts(page: str, folder: Path) -> str:
    """A page with its cuts as they are now."""
    tour = read_tour(page)
    if tour is None:
        return page
    drawn: list[tuple[tuple[int, int], str]] = []
    async with opened(tour, folder) as pilot:
        for part in tour.parts:
            if isinstance(part, Step):
                await press(pilot, *part.keys)
            else:
                drawn.append((part.span, part.draw(pilot)))
    for (start, end), text in reversed(drawn):
        page = page[:start] + text + page[end:]
    return page


def main() -> None:
    """Write the cuts of all pages anew."""
    for path in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            before = path.read_text(encoding="utf-8")
            path.write_text(asyncio.run(draw_cuts(before, Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
