"""Writing a chronicle as Markdown, as a self-contained HTML page, and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from fightcall_engine.archive.chronicle import Chronicle, Deeds, Line, Phase, Round, plain
from fightcall_engine.kit.views import Section
from fightcall_engine.model import json_data
from fightcall_engine.model.clock import format_clock
from fightcall_engine.play.story import SECRET

HEADS = ("Who", "Side", "Dealt", "Taken", "Hits", "Moved", "Felled", "Done", "In the end")
NUMBERS = range(2, 6)
"""The columns of `HEADS` with numbers."""


def sentences(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    """Group lines with those that follow from them."""
    group: list[Line] = []
    for line in lines:
        if group and not line.follows:
            yield tuple(group)
            group = []
        group.append(line)
    if group:
        yield tuple(group)


def deed_row(deeds: Deeds, chronicle: Chronicle) -> tuple[str, ...]:
    """A row of the table of deeds, with the columns of `HEADS`."""
    return (
        deeds.name,
        chronicle.sides.get(deeds.side, deeds.side),
        str(deeds.dealt),
        str(deeds.taken),
        f"{deeds.hits}/{deeds.attempts}",
        str(deeds.hexes),
        ", ".join(deeds.downed),
        ", ".join(deeds.works),
        deeds.end,
    )


def _summary(chronicle: Chronicle) -> str:
    states = {"setup": "not begun", "running": "still being played", "closed": "ended"}
    state = states.get(chronicle.status, chronicle.status)
    return f"{chronicle.system}, {format_clock(chronicle.clock_s)} of game time, {state}"


# Markdown


def to_markdown(chronicle: Chronicle) -> str:
    """The chronicle as Markdown, with names and notes escaped."""
    blocks = [f"# {_escape_markup(chronicle.title)}", f"*{_escape_markup(_summary(chronicle))}*"]
    for round in chronicle.rounds:
        blocks.append(f"## {_escape_markup(_round_title(round))}")
        for phase in round.phases:
            if phase.title:
                blocks.append(f"### {_escape_markup(phase.title)}")
            blocks.append("\n".join(_markdown_line(line) for line in phase.lines))
    if chronicle.deeds:
        blocks += ["## Who did what", _markdown_table(chronicle)]
    for section in chronicle.sections:
        blocks.append(f"## {_escape_markup(_section_title(section))}")
        lines = (f"- **{_escape_markup(plain(each.name))}**: {_escape_markup(each.text)}" for each in section.details)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _markdown_line(line: Line) -> str:
    text = _escape_markup(line.text)
    if line.tone == "bookmark":
        return f"- **{text}**"
    beside = f" ({_escape_markup(_beside(line))})" if _beside(line) else ""
    return f"{'  ' if line.follows else ''}- {text}{beside}"


def _beside(line: Line) -> str:
    """The text beside a sentence: its dice, and whether it is secret."""
    return ", ".join(word for word in (line.edge, SECRET if line.is_secret else "") if word)


def _markdown_table(chronicle: Chronicle) -> str:
    rows = [HEADS, *(deed_row(deeds, chronicle) for deeds in chronicle.deeds)]
    lines = ["| " + " | ".join(_escape_markup(cell) for cell in row) + " |" for row in rows]
    rule = "|" + "|".join(" ---: " if column in NUMBERS else " --- " for column in range(len(HEADS))) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _escape_markup(text: str) -> str:
    """Escape Markdown in a text, including what would begin a list."""
    text = re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"^(\d+)([.)])|^([-+=])", lambda start: _escaped_start(start), text)


def _escaped_start(start: re.Match[str]) -> str:
    return f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}"


def _round_title(round: Round) -> str:
    return f"{round.title}, {format_clock(round.clock_s)}" if round.number else round.title


# HTML


def to_html(chronicle: Chronicle) -> str:
    """The chronicle as an HTML page that loads nothing, for light and dark screens and for printing."""
    style = (Path(__file__).parent / "chronicle.css").read_text(encoding="utf-8")
    title = escape(chronicle.title)
    body = "\n".join(_round_html(round) for round in chronicle.rounds)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>{escape(_summary(chronicle))}</p>
</header>
<main>
{body}
{_table_html(chronicle)}
{"".join(_section_html(section) for section in chronicle.sections)}
</main>
</body>
</html>
"""


def _round_html(round: Round) -> str:
    time = f" <small>{format_clock(round.clock_s)}</small>" if round.number else ""
    phases = "\n".join(_phase_html(phase) for phase in round.phases)
    return f"<section>\n<h2>{escape(round.title)}{time}</h2>\n{phases}\n</section>"


def _phase_html(phase: Phase) -> str:
    title = f"<h3>{escape(phase.title)}</h3>\n" if phase.title else ""
    lines = "\n".join(_group_html(group) for group in sentences(phase.lines))
    return f"{title}<ul>\n{lines}\n</ul>"


def _group_html(group: tuple[Line, ...]) -> str:
    first, *rest = group
    kind = ' class="mark"' if first.tone == "bookmark" else ""
    under = f"<ul>{''.join(f'<li>{_line_html(line)}</li>' for line in rest)}</ul>" if rest else ""
    return f"<li{kind}>{_line_html(first)}{under}</li>"


def _line_html(line: Line) -> str:
    rule = f' title="{escape(line.rule)}"' if line.rule else ""
    beside = f' <small class="edge">{escape(_beside(line))}</small>' if _beside(line) else ""
    return f'<span class="{escape(line.tone)}"{rule}>{escape(line.text)}</span>{beside}'


def _table_html(chronicle: Chronicle) -> str:
    if not chronicle.deeds:
        return ""
    head = "".join(f'<th scope="col"{_number_class(column)}>{name}</th>' for column, name in enumerate(HEADS))
    rows = "\n".join(_row_html(deed_row(deeds, chronicle)) for deeds in chronicle.deeds)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f'<section>\n<h2>Who did what</h2>\n<div class="wide">{table}</div>\n</section>'


def _row_html(cells: tuple[str, ...]) -> str:
    first, *rest = cells
    others = "".join(f"<td{_number_class(column)}>{escape(cell)}</td>" for column, cell in enumerate(rest, start=1))
    return f'<tr><th scope="row">{escape(first)}</th>{others}</tr>'


def _section_title(section: Section) -> str:
    return f"{section.title}, {section.note}" if section.note else section.title


def _section_html(section: Section) -> str:
    rows = "\n".join(_section_row(plain(each.name), each.text) for each in section.details)
    table = f"<table>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f'<section>\n<h2>{escape(_section_title(section))}</h2>\n<div class="wide">{table}</div>\n</section>\n'


def _section_row(name: str, text: str) -> str:
    return f'<tr><th scope="row">{escape(name)}</th><td>{escape(text)}</td></tr>'


def _number_class(column: int) -> str:
    return ' class="number"' if column in NUMBERS else ""


# JSON


def to_json(chronicle: Chronicle) -> str:
    """The chronicle as JSON, its fields as in `Chronicle`."""
    return json.dumps(json_data.to_json(chronicle), ensure_ascii=False, indent=2) + "\n"
