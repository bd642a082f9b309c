"""The guide: pages of Markdown that ship with the program, read by `F1`, by ``fightcall guide`` and on any forge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.values import frozen

NAMES = (
    "running", "stage", "turns", "slots", "segments", "encounters", "own-games", "armoury", "forecast", "players",
    "scripts", "trouble",
)  # fmt: skip
"""The pages in the order in which they are read; those of the rule systems by the systems' ids."""

_BESIDE = {"library": "running", "setup": "encounters", "form": "encounters", "replay": "players", "players": "players"}
"""The page on what is on a screen, by the scope of its actions; in a fight it is the page of its system."""


@frozen
class Page:
    """One page of the guide by the name of its file, in Markdown; its first line is the title."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """The heading of the page."""
        return self.text.partition("\n")[0].removeprefix("# ").strip()

    def parts(self) -> Iterator[tuple[str, str]]:
        """Its paragraphs in plain words, each with its heading; a row of a table is one. Comments are left out."""
        heading = self.title
        text = re.sub(r"<!-- screen .*?```.*?```|<!--.*?-->\n", "", self.text, flags=re.DOTALL)
        for block in re.split(r"\n{2,}", text):
            if block.startswith("#"):
                heading = block.lstrip("#").strip()
                continue
            rows = block.split("\n") if block.startswith(("|", "- ", "```")) else [" ".join(block.split("\n"))]
            for row in rows:
                plain = re.sub(r"[`*|]|\[([^]]*)]\([^)]*\)", r"\1", row).strip(" -:")
                if plain:
                    yield heading, " ".join(plain.split())


@cache
def read_pages() -> tuple[Page, ...]:
    """All pages, in their order."""
    folder = Path(__file__).parent
    return tuple(Page(name, (folder / f"{name}.md").read_text(encoding="utf-8")) for name in NAMES)


def page_for(scope: str, system: BaseSystem | None = None) -> Page:
    """The page on what is on a screen; the rules of a fight that don't ship with a page may have their own."""
    pages = {page.name: page for page in read_pages()}
    if scope != "fight" or system is None:
        return pages[_BESIDE.get(scope, "running")]
    if system.id in pages:
        return pages[system.id]
    own_text = system.guide()
    return Page(system.id, own_text) if own_text else pages["running"]
