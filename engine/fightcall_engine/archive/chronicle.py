"""The chronicle of a fight: its story by round and phase, with bookmarks, and who did what; as Markdown, HTML or JSON.

It leaves out what was undone. It works for any system: the words are the system's own, and the deeds come from shared
events, and from events with the fields of an `Attempt` or a `Work`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.views import Section, Words
from fightcall_engine.model import json_data
from fightcall_engine.model.events import (
    DamageApplied,
    Downed,
    Event,
    FightClosed,
    Healed,
    Joined,
    LeftFight,
    Moved,
    Restored,
    Returned,
    RoundBegan,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import format_clock, frozen, replace
from fightcall_engine.play.chart import Reel, is_attempt, line_numbers
from fightcall_engine.play.lanes import Summary, summary_of, summary_sections
from fightcall_engine.play.story import DOWN, SECRET, Paragraph, Part, Telling, tell

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight

BOOKMARK = "bookmark"

HEADS = ("Who", "Side", "Dealt", "Taken", "Hits", "Moved", "Felled", "Done", "In the end")
NUMBERS = range(2, 6)
"""The columns of `HEADS` with numbers."""


@runtime_checkable
class Work(Protocol):
    """An event about a work of several steps, which is finished when `done` reaches `needed`."""

    who: str
    name: str
    done: int
    needed: int


@runtime_checkable
class Fate(Protocol):
    """An event with a combatant's state, such as ``unconscious`` or ``dead``."""

    who: str
    life: str


@frozen
class Line:
    """A sentence.

    Attributes:
        tone: the tone of its `Remark`, or ``bookmark``.
        rule: the rule behind it, if there is one.
        follows: it is a consequence of the line above.
        entry: the number of its entry; for players, of its sentence, from 1.
        edge: the dice that decided it.
        is_secret: players do not see it.
    """

    text: str
    tone: str = "plain"
    rule: str = ""
    follows: bool = False
    entry: int = 0
    edge: str = ""
    is_secret: bool = False


@frozen
class Phase:
    """The lines of a part of a round; `title` is empty between the parts."""

    title: str
    lines: tuple[Line, ...]


@frozen
class Round:
    """A round: its number (0 before the first), its title, and the game time in seconds when it began."""

    number: int
    title: str
    clock_s: int
    phases: tuple[Phase, ...]


@frozen
class Deeds:
    """What a combatant did and suffered.

    Attributes:
        dealt: harm done to others; `taken` is harm suffered from any cause.
        attempts: the number of attacks; `hits` of them hit.
        hexes: the number of places moved.
        downed: the names of those it put down.
        works: the other work it finished.
        end: ``standing``, or how it ended, such as ``down``.
    """

    id: str
    name: str
    side: str
    dealt: int = 0
    taken: int = 0
    attempts: int = 0
    hits: int = 0
    hexes: int = 0
    downed: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    end: str = "standing"


@frozen
class Closing:
    """The end of a fight: the GM's reason, which may be empty, and all combatants' deeds."""

    reason: str
    deeds: tuple[Deeds, ...]


@frozen
class Chronicle:
    """The chronicle of a whole fight.

    Attributes:
        system: the system's title.
        status: ``setup``, ``running`` or ``closed``.
        clock_s: seconds of game time.
        unit: the unit of distances.
        sides: the names of sides by their ids.
        summary: the summary; `sections` has it in words.
    """

    title: str
    system: str
    status: str
    clock_s: int
    unit: str
    sides: Mapping[str, str]
    rounds: tuple[Round, ...]
    deeds: tuple[Deeds, ...]
    summary: Summary
    sections: tuple[Section, ...]


def chronicle(fight: Fight) -> Chronicle:
    """The chronicle of a fight's present line of play."""
    words = fight.system.words(fight.state.settings)
    summary = summary_of(fight, for_gm=True)
    book = _Book(words, fight.line.seek(0).clock_s)
    for mark in _marks_on(fight, 0):
        book.write(Part(), mark)
    telling = Telling((), fight.line.seek(0), Paragraph())
    for entry in fight.line.entries:
        book.clocks |= _clocks(entry.events, telling.state)
        telling = tell(system_of(telling.state), telling.state, entry.events, telling.paragraph)
        for remark in telling.remarks:
            if remark.is_told:
                sentence, edge = plain(remark.sentence), plain(remark.edge)
                line = Line(sentence, remark.tone, remark.rule, remark.follows, entry.number, edge, remark.is_secret)
                book.write(remark.part, line)
        for mark in _marks_on(fight, entry.number):
            book.write(book.part, mark)
    return _bind(fight.state, words, book, summary, closing_of(fight).deeds, fight.state.clock_s)


def _marks_on(fight: Fight, number: int) -> Iterator[Line]:
    return (Line(plain(mark.name), BOOKMARK, entry=number) for mark in fight.marks if mark.on == number)


def _clocks(events: Iterable[Event], state: FightState) -> dict[int, int]:
    clocks = {}
    for event in events:
        if isinstance(event, RoundBegan):
            clocks[event.number] = state.clock_s
        state = evolve(state, event)
    return clocks


class _Book:
    def __init__(self, words: Words, clock_s: int) -> None:
        self.part = Part()
        self.clocks: dict[int, int] = {}
        """The game time at which rounds began, by number."""
        self._word = words.round
        self._rounds = [Round(0, f"Before the first {words.round}", clock_s, ())]
        self._lines: list[Line] = []

    def write(self, part: Part, line: Line) -> None:
        """Add a line to its round and phase, unless it is empty."""
        if part != self.part:
            self._close()
            if (part.round, part.title) != (self.part.round, self.part.title):
                clock_s = self.clocks.get(part.round, 0)
                # A rest belongs between two rounds.
                heading = (part.round, part.title) if part.title else (0, f"Between {self._word}s")
                self._rounds.append(Round(*heading, clock_s, ()))
            self.part = part
        if line.text:
            follows = line.follows and bool(self._lines) and self._lines[-1].tone != BOOKMARK
            self._lines.append(replace(line, follows=follows))

    def rounds(self) -> tuple[Round, ...]:
        """All rounds with at least one line."""
        self._close()
        return tuple(round for round in self._rounds if round.phases)

    def _close(self) -> None:
        if self._lines:
            phase = Phase(plain(self.part.name), tuple(self._lines))
            self._rounds[-1] = replace(self._rounds[-1], phases=(*self._rounds[-1].phases, phase))
            self._lines.clear()


def closing_of(fight: Fight) -> Closing:
    """The end of a fight with all combatants' deeds; in a running fight, up to now."""
    state, reason = fight.line.seek(0), ""
    ledger = _Ledger(state)
    for event in fight.line.events():
        ledger.hear(event, state)
        state = evolve(state, event)
        if isinstance(event, FightClosed):
            reason = plain(event.reason)
    return Closing(reason, ledger.deeds(fight.state))


def players_chronicle(fight: Fight) -> Chronicle:
    """The chronicle for players: only what they could see, by round and phase.

    Bookmarks and the table of deeds are for the GM alone. The entry of a line is the number of its sentence.
    """
    fight = fight.for_players()
    words = fight.system.words(fight.state.settings)
    state, summary = fight.state, summary_of(fight)
    shots = Reel(fight).shots
    book = _Book(words, shots[0].frame.clock_s)
    for (previous, shot), numbers in zip(pairwise(shots), line_numbers(shots)[1:], strict=True):
        if shot.frame.round != previous.frame.round:
            book.clocks[shot.frame.round] = shot.frame.clock_s
        for sentence, number in zip(shot.lines, numbers, strict=True):
            book.write(sentence.part, Line(plain(sentence.text), follows=sentence.follows, entry=number))
    return _bind(state, words, book, summary, (), state.clock_s - state.sight.hidden_s)


def _bind(
    state: FightState, words: Words, book: _Book, summary: Summary, deeds: tuple[Deeds, ...], clock_s: int
) -> Chronicle:
    summary = replace(summary, tallies=tuple(replace(tally, name=plain(tally.name)) for tally in summary.tallies))
    return Chronicle(
        title=plain(state.name),
        system=words.title,
        status=state.status,
        clock_s=clock_s,
        unit=words.unit,
        sides=words.sides,
        rounds=book.rounds(),
        deeds=deeds,
        summary=summary,
        sections=summary_sections(summary, words),
    )


def plain(text: str) -> str:
    """A text on one line, without invisible characters. A wide gap becomes a comma, except before a bracket."""
    text = re.sub(r"(?<=\S) {2,}(?=[^\s(])", ", ", text)
    printable = ("\ufffd" if unicodedata.category(letter) == "Cs" else letter for letter in text)
    line = " ".join("".join(printable).split())
    return "".join(letter for letter in line if unicodedata.category(letter) not in ("Cc", "Cf"))


def _name(combatant: Combatant) -> str:
    return plain(combatant.name) or combatant.id


class _Ledger:
    """Counts deeds by combatant. Combatants who have left keep their last values."""

    def __init__(self, start: FightState) -> None:
        self._deeds: dict[str, Deeds] = {}
        self._felled_by: dict[str, str] = {}
        self._health = system_of(start).health
        for combatant in start.combatants.values():
            self._deeds[combatant.id] = Deeds(combatant.id, _name(combatant), combatant.side)

    def hear(self, event: Event, before: FightState) -> None:
        """Count an event."""
        if isinstance(event, Joined):
            combatant = event.combatant
            self._deeds.setdefault(combatant.id, Deeds(combatant.id, _name(combatant), combatant.side))
            if isinstance(event, Returned):
                self._end(event.who, "standing" if combatant.able else DOWN)
        elif isinstance(event, DamageApplied):
            if event.pool == self._health:
                harm = event.amount
                self._change(event.who, lambda old: replace(old, taken=old.taken + harm))
                self._felled_by[event.who] = event.by if event.tracked and event.left == 0 else ""
                if event.by and event.by != event.who:
                    self._change(event.by, lambda old: replace(old, dealt=old.dealt + harm))
        elif isinstance(event, Downed):
            # Credit a fall to the combatant whose damage caused it; to none if the GM put the combatant out.
            self._end(event.who, plain(event.how))
            fallen = before.combatants.get(event.who)
            attacker_id = self._felled_by.pop(event.who, "")
            if fallen is not None and attacker_id and attacker_id != event.who:
                fallen_name = _name(fallen)
                self._change(attacker_id, lambda old: replace(old, downed=(*old.downed, fallen_name)))
        elif isinstance(event, Healed):
            self._felled_by.pop(event.who, None)
        elif isinstance(event, Fate):
            # Who was down may have died since.
            old = self._deeds.get(event.who)
            if old is not None and old.end != "standing":
                self._end(event.who, plain(event.life))
        elif isinstance(event, Restored):
            self._end(event.who, "standing")
        elif isinstance(event, LeftFight):
            self._end(event.who, plain(event.reason) or "left")
        elif isinstance(event, Moved):
            hexes = event.hexes
            self._change(event.who, lambda old: replace(old, hexes=old.hexes + hexes))
        elif is_attempt(event):
            hit = event.hit
            self._change(event.who, lambda old: replace(old, attempts=old.attempts + 1, hits=old.hits + hit))
        elif isinstance(event, Work) and event.done >= event.needed:
            work = plain(event.name)
            self._change(event.who, lambda old: replace(old, works=(*old.works, work)))

    def deeds(self, end: FightState) -> tuple[Deeds, ...]:
        """The deeds in roster order, followed by those of leavers."""
        order = [combatant_id for combatant_id in end.order if combatant_id in self._deeds]
        order += [combatant_id for combatant_id in self._deeds if combatant_id not in order]
        listed_deeds = []
        for combatant_id in order:
            combatant = end.combatants.get(combatant_id)
            deeds = self._deeds[combatant_id]
            listed_deeds.append(replace(deeds, name=_name(combatant), side=combatant.side) if combatant else deeds)
        return tuple(listed_deeds)

    def _change(self, combatant_id: str, change: Callable[[Deeds], Deeds]) -> None:
        if combatant_id in self._deeds:
            self._deeds[combatant_id] = change(self._deeds[combatant_id])

    def _end(self, combatant_id: str, end: str) -> None:
        self._change(combatant_id, lambda old: replace(old, end=end or old.end))


# Writing it


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
        title = f"{round.title}, {format_clock(round.clock_s)}" if round.number else round.title
        blocks.append(f"## {_escape_markup(title)}")
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
    return ", ".join(word for word in (line.edge, SECRET if line.is_secret else "") if word)


def _markdown_table(chronicle: Chronicle) -> str:
    rows = [HEADS, *(deed_row(deeds, chronicle) for deeds in chronicle.deeds)]
    lines = ["| " + " | ".join(_escape_markup(cell) for cell in row) + " |" for row in rows]
    rule = "|" + "|".join(" ---: " if column in NUMBERS else " --- " for column in range(len(HEADS))) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _escape_markup(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"^(\d+)(?=[.)])|^(?=[-+=])", r"\1\\", text)


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
    rows = "\n".join(_row_html((plain(each.name), each.text)) for each in section.details)
    table = f"<table>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f'<section>\n<h2>{escape(_section_title(section))}</h2>\n<div class="wide">{table}</div>\n</section>\n'


def _number_class(column: int) -> str:
    return ' class="number"' if column in NUMBERS else ""


# JSON


def to_json(chronicle: Chronicle) -> str:
    """The chronicle as JSON, its fields as in `Chronicle`."""
    return json.dumps(json_data.to_json(chronicle), ensure_ascii=False, indent=2) + "\n"
