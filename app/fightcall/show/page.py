"""The page that shows a fight in a browser, live or as a replay: a single file that loads nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from fightcall.paint.palette import GROUNDS, is_exact
from fightcall.show.messages import Sheet, describe_stage, find_changes, write_frame, write_lanes, write_sections
from fightcall.themes import FightTheme, load_shipped
from fightcall_engine.model.state import Json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.frames import Reel, Shot, line_numbers, story_lines
from fightcall_engine.play.lanes import Lanes
from fightcall_engine.play.summary import summary_of, summary_sections

LIVE, REPLAY = "live", "replay"
DARK, LIGHT = "lantern", "parchment"
_HERE = Path(__file__).parent


def live_page(title: str) -> tuple[str, str]:
    """The page of a live fight, and its Content-Security-Policy."""
    return _fill_page(title, LIVE, "", meta=False)


def replay_page(fight: Fight, *, for_gm: bool = False) -> str:
    """The replay of a whole fight in one file, for players or for the GM."""
    fight = fight if for_gm else fight.for_players()
    shots = Reel(fight, for_gm=for_gm).shots
    changes: list[Json] = []
    before: Sheet | None = None
    for shot in shots:
        sheet = write_frame(shot.frame)
        changes.append(find_changes(before, sheet))
        before = sheet
    words = fight.system.words(fight.state.settings)
    content = {
        "stage": describe_stage(fight.state, fight.system),
        "shots": changes,
        "lines": write_log(shots),
        "time": write_lanes(Lanes(fight, for_gm=for_gm).chart(), [shot.entry for shot in shots]),
        "after": write_sections(summary_sections(summary_of(fight, for_gm=for_gm), words)),
    }
    # Only a tag can end the text of a script element.
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page, _ = _fill_page(fight.state.name, REPLAY, f'<script type="application/json" id="fight">{text}</script>\n')
    return page


def write_log(shots: Sequence[Shot]) -> list[Json]:
    """The story of some shots: lines with their kind (``heading``, ``follows`` or empty) and their shot's index."""
    return [[line.kind, line.text, line.place] for line in story_lines(shots)]


def find_moment(shots: Sequence[Shot], words: str, *, for_gm: bool = False) -> int | None:
    """The index of the shot for a moment; None if there is none.

    Args:
        shots: the shots of the whole fight.
        words: a number as in the chronicle: of an entry for the GM, of a sentence for players; or as in a replay's
            address, a round (``r3``) or a part of it, with an optional number of shots after its beginning
            (``r3-melee``, ``r3-melee.2``); empty for the last shot.
        for_gm: whether the shots are the GM's.
    """
    if not words:
        return len(shots) - 1
    if words.isdecimal() and for_gm:
        places = [place for place, shot in enumerate(shots) if shot.entry <= int(words)]
        return places[-1] if shots[-1].entry >= int(words) else None
    if words.isdecimal():
        matching = (place for place, numbers in enumerate(line_numbers(shots)) if int(words) in numbers)
        return 0 if not int(words) else next(matching, None)
    part, _, more = words.lower().partition(".")
    for place, shot in enumerate(shots):
        if part in (f"r{shot.frame.round}", _part_of(shot)) and (not more or more.isdecimal()):
            target = place + int(more or 0)
            return target if target < len(shots) else None
    return None


def _part_of(shot: Shot) -> str:
    """The part of the round of a shot, as in a replay's address."""
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
    """The digest of a text, as in a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _colours() -> str:
    dark, light = (_variables(load_shipped(name)) for name in (DARK, LIGHT))
    by_night, by_day = f":root{{color-scheme:dark;{dark}}}", f":root{{color-scheme:light;{light}}}"
    return f"{by_night}\n@media (prefers-color-scheme:light){{{by_day}}}\n"


def _variables(theme: FightTheme) -> str:
    """A theme's colours as CSS variables, with those of the ground as classes."""
    colours = dict(theme.ui)
    colours |= {f"g-{ground}": theme.palette.fills[ground][1] for ground in GROUNDS}
    colours["token"] = theme.palette.inks["token"]
    return "".join(f"--{name}:{colour};" for name, colour in colours.items() if is_exact(colour))
