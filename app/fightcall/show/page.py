"""The page that shows a fight in a browser: one file that loads nothing from elsewhere, live or as a replay."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from fightcall.paint.colours import is_exact
from fightcall.paint.palette import GROUNDS
from fightcall.show.messages import Sheet, describe_stage, find_changes, write_frame, write_lanes, write_sections
from fightcall.themes import FightTheme, load_shipped
from fightcall_engine.model.state import Json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.frames import Reel, Shot, story_lines
from fightcall_engine.play.lanes import Lanes
from fightcall_engine.play.summary import summary_of, summary_sections

LIVE, REPLAY = "live", "replay"
DARK, LIGHT = "lantern", "parchment"
_HERE = Path(__file__).parent


def live_page(title: str) -> tuple[str, str]:
    """The page of a fight that is being played, and its Content-Security-Policy."""
    return _fill_page(title, LIVE, "", meta=False)


def replay_page(fight: Fight, *, for_gm: bool = False) -> str:
    """A whole fight in one file, to be looked at again; for players, unless it is the GM's own copy."""
    shots = Reel(fight, for_gm=for_gm).shots
    start = fight.seek(0)
    changes: list[Json] = []
    before: Sheet | None = None
    for shot in shots:
        sheet = write_frame(shot.frame, start.board)
        changes.append(find_changes(before, sheet))
        before = sheet
    words = fight.system.words(fight.state.settings)
    whole = {
        "stage": describe_stage(fight.state, fight.system),
        "shots": changes,
        "lines": write_log(shots),
        "time": write_lanes(Lanes(fight, for_gm=for_gm).chart(), [shot.entry for shot in shots]),
        "after": write_sections(summary_sections(summary_of(fight, for_gm=for_gm), words)),
    }
    # In a script element nothing ends the text but a tag.
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page, _ = _fill_page(fight.state.name, REPLAY, f'<script type="application/json" id="fight">{text}</script>\n')
    return page


def write_log(shots: Sequence[Shot]) -> list[Json]:
    """The story of some shots: lines with their kind (``heading``, ``follows`` or empty) and the place of the shot."""
    return [[line.kind, line.text, line.place] for line in story_lines(shots)]


def find_moment(shots: Sequence[Shot], words: str) -> int | None:
    """The place of the shot that is meant, None where there is none.

    Args:
        shots: of the whole fight.
        words: the number of an entry; or as in the address of a replay: a round (``r3``) or a part of it, and how many
            shots after its beginning (``r3-melee``, ``r3-melee.2``); empty for the last.
    """
    if not words:
        return len(shots) - 1
    if words.isdecimal():
        places = [place for place, shot in enumerate(shots) if shot.entry <= int(words)]
        return places[-1] if shots[-1].entry >= int(words) else None
    part, _, more = words.lower().partition(".")
    for place, shot in enumerate(shots):
        if part in (f"r{shot.frame.round}", _part_of(shot)) and (not more or more.isdecimal()):
            there = place + int(more or 0)
            return there if there < len(shots) else None
    return None


def _part_of(shot: Shot) -> str:
    """The part of a round that a shot is of, as in the address of a replay."""
    words = re.sub(r"[^a-z0-9]+", "-", (shot.frame.now or shot.frame.phase or "start").lower()).strip("-")
    return f"r{shot.frame.round}-{words}"


def _fill_page(title: str, mode: str, data: str, *, meta: bool = True) -> tuple[str, str]:
    style = _colours() + _read("page.css")
    script = _read("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    tag = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">' if meta else ""
    page = Template(_read("page.html")).substitute(
        title=escape(title), policy=tag, style=style, script=script, mode=mode, data=data
    )
    return page, policy + "; frame-ancestors 'none'"


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """A text as a Content-Security-Policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _colours() -> str:
    dark, light = (_variables(load_shipped(name)) for name in (DARK, LIGHT))
    by_night, by_day = f":root{{color-scheme:dark;{dark}}}", f":root{{color-scheme:light;{light}}}"
    return f"{by_night}\n@media (prefers-color-scheme:light){{{by_day}}}\n"


def _variables(theme: FightTheme) -> str:
    """A theme's colours as CSS variables, and those of the ground as classes' variables."""
    colours = dict(theme.ui)
    colours |= {f"g-{ground}": theme.palette.fills[ground][1] for ground in GROUNDS}
    colours["token"] = theme.palette.inks["token"]
    return "".join(f"--{name}:{colour};" for name, colour in colours.items() if is_exact(colour))
