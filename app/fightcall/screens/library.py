"""The library: the fights there are, the encounters to begin new ones from, and the trash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows.lists import SECTIONS, Browse, LibraryItem, Section, window_top
from fightcall.paint.board import board_picture
from fightcall.paint.combatants import side_by_side
from fightcall.paint.prompt_bar import Answer
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    clean,
    fit,
    pad,
    row_width,
    scroll_marks,
    stack,
    when_text,
    width,
    wrap,
)
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import Actions, BaseScreen, Mode, Offer
from fightcall.shelf import Details, Shelf
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.fsutil import LockedByAnother
from fightcall_engine.files import read_games_again
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.fold import without_number
from fightcall_engine.model.values import format_clock, replace

_EMPTY: dict[Section, str] = {
    "fights": "No fights yet. {open} lists the encounters. {setup} sets up a fight of your own.",
    "encounters": "No encounters here. {setup} makes one.",
    "trash": "The trash is empty.",
}
_STATUS: dict[str, tuple[str, str, str]] = {
    "running": ("now", "good", "running"),
    "setup": ("todo", "dim", "not started"),
    "ended": ("done", "dim", "ended"),
    "damaged": ("warning", "bad", "damaged"),
    "too old": ("warning", "bad", "too old"),
    "no system": ("warning", "warn", "no system"),
    "yours": ("side", "info", "your own"),
    "unsaved": ("todo", "warn", "not saved"),
}
_COLUMN = 26
FEW_LINES = 4
LEAST_PICTURE = 13
"""The rows that a picture of the board may always have."""
WELCOME = (
    "Fight Call keeps track of turn order, dice, damage and conditions in a fight.",
    "You make the rulings. {open} starts the first fight, which shows you the keys.",
)
"""What the program is, for a library without fights."""
_ROUND = 13


class LibraryScreen(BaseScreen):
    """The first screen of the program."""

    SCOPE = "library"
    DEFAULT_CSS = """
    LibraryScreen > #head { height: 2; dock: top; }
    LibraryScreen.-welcome > #head { height: 4; }
    LibraryScreen #list { width: 3fr; }
    LibraryScreen #details { width: 2fr; padding: 0; }
    LibraryScreen.-narrow #list { width: 30; }
    LibraryScreen.-narrow #details { width: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        book = self.host.book
        self.shelf = Shelf(self.host.paths)
        self.browse = Browse()
        self.head = DrawnPane(book, self._draw_head, clicked=self._click, id="head")
        self.list = DrawnPane(book, self._draw_list, clicked=self._click, wheel=self._wheel, frame=True, id="list")
        self.details = DrawnPane(book, self._draw_details, frame=True, id="details")
        self._top = 0
        self._read = False
        self._trashed: list[str] = []
        self._known: dict[tuple[str, str, str, int], Details] = {}

    def compose(self) -> ComposeResult:
        yield self.head
        with Horizontal(id="body"):
            yield self.list
            yield self.details
        yield self.foot

    def on_mount(self) -> None:
        self.call_after_refresh(self._first_look)

    def on_screen_resume(self) -> None:
        self.shelf.end_try_out()
        if self._read:
            self.reload()

    def _first_look(self) -> None:
        self._read = True
        self.reload()
        draft = next((item for item in self.browse.contents.encounters if self.shelf.is_draft(item.path)), None)
        if draft is not None:
            self._show("encounters")
            self.go(self.browse.on(draft.id))
            setup, trash = (self.names.label(f"library.{name}") for name in ("setup", "trash"))
            self.say(f"The setup of {draft.name} is not saved. {setup} continues it, {trash} discards it.")
        self.call_after_refresh(self.host.rest_memory)

    def reload(self) -> None:
        if self.host.played is not None:
            self.shelf.keep(self.host.played)
            self.host.played = None
        old_ids = {item.id for item in self.browse.contents.fights}
        self._known = {key: details for key, details in self._known.items() if key[0] == "fights"}
        contents = self.shelf.read()
        self.browse = self.browse.with_contents(contents)
        fresh = [item.id for item in contents.fights if item.id not in old_ids]
        if old_ids and len(fresh) == 1:
            self.browse = replace(self.browse, section="fights").on(fresh[0])
        if contents.damage:
            cure = f"; {self.names.label('library.repair')} repairs it" if contents.curable else ""
            self.say(f"{contents.damage}{cure}", "error")
        elif contents.problems and not self.foot.said.message:
            self.say(contents.problems[0], "warn")
        self.paint()

    # Drawing

    def paint(self) -> None:
        self.set_class(self._is_welcome, "-welcome")
        super().paint()
        shown = self._shown
        count = len(shown.visible())
        title = "Start one of these" if self._is_welcome else ""
        self.list.set_frame(title=title, note=f"{shown.index + 1} of {count}" if count else "")
        item = shown.item
        self.details.display = item is not None
        if item is not None and self._read and _key(item) not in self._known:
            self._read_details(item)

    def _draw_head(self, cells: int, height: int) -> Drawing:
        welcome = [line.format(open=self._opener) for line in WELCOME] if height > 2 else ()
        return head_rows(self.browse, cells, self.head.glyphs, is_read=self._read, welcome=welcome)

    def _draw_list(self, cells: int, height: int) -> Drawing:
        if not self._read:
            return Drawing(stack((), cells, height, "list"))
        keys = {name: self.names.label(f"library.{name}") for name in ("open", "setup")}
        drawing, self._top = list_rows(self._shown, cells, height, self._top, self.list.glyphs, keys)
        return drawing

    def _draw_details(self, cells: int, height: int) -> Drawing:
        item = self._shown.item
        details = self._known.get(_key(item)) if item else None
        return Drawing(detail_rows(item, details, cells, height, self.details.glyphs, self._opener))

    @property
    def _opener(self) -> str:
        return self.names.label("library.open").title()

    def _wheel(self, rows: int) -> None:
        self.go(self._shown.move(1 if rows > 0 else -1))

    def _read_details(self, item: LibraryItem) -> None:
        """Read the details for the side pane in a thread, as a long fight takes a moment."""

        def work() -> None:
            try:
                details = self.shelf.details(item)
            except Exception as fault:
                # Stored for the item, too, or it would be tried again at every redraw.
                self.app.call_from_thread(self._show_details, item, Details(problem=f"{type(fault).__name__}: {fault}"))
                self.app.call_from_thread(self.host.report, fault)
            else:
                self.app.call_from_thread(self._show_details, item, details)

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False, group="details")

    def _show_details(self, item: LibraryItem, details: Details) -> None:
        self._known[_key(item)] = details
        if self._shown.item == item and self.is_attached:
            self.details.repaint()

    # Going about

    def go(self, browse: Browse) -> None:
        if browse != self.browse:
            self.browse = browse
            self.paint()

    def _click(self, what: str, twice: bool) -> None:
        kind, _, value = what.partition(":")
        section = next((item for item in SECTIONS if item == value), None)
        if kind == "section" and section is not None:
            self._show(section)
        elif kind == "line":
            self.go(self._shown.at(int(value)))
            if twice:
                self.action_open()

    def _show(self, section: Section) -> None:
        self.go(self.browse.turn(SECTIONS.index(section) - SECTIONS.index(self.browse.section)))

    def actions(self) -> Actions:
        return {
            "up": lambda: self.go(self._shown.move(-1)),
            "down": lambda: self.go(self._shown.move(1)),
            "page_up": lambda: self.go(self._shown.move(-max(1, self.list.inner[1] - 1))),
            "page_down": lambda: self.go(self._shown.move(max(1, self.list.inner[1] - 1))),
            "first": lambda: self.go(self._shown.at(0)),
            "last": lambda: self.go(self._shown.at(len(self._shown.visible()))),
            "section_next": lambda: self.go(self.browse.turn(1)),
            "section_previous": lambda: self.go(self.browse.turn(-1)),
            "replay": lambda: self._open(self.browse.item, "replay"),
            "watch": lambda: self._open(self.browse.item, "watch"),
            "quit": self.app.exit,
        }

    def action_filter(self) -> None:
        self.enter(
            "filter",
            lambda text: None,
            text=self.browse.filter,
            hint="a name, a rule system or a combatant",
            changed=lambda text: self.go(self.browse.with_filter(text)),
            cancelled=lambda: self.go(self.browse.with_filter("")),
        )

    # Doing

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        item = self.browse.item
        if action in ("replay", "watch"):
            return item is not None and item.section == "fights"
        if action in ("rename", "duplicate"):
            return item is not None and item.section != "trash"
        if action == "trash":
            return item is not None and (
                item.section == "fights" or self.shelf.owns(item.path) or self.shelf.is_draft(item.path)
            )
        if action == "try_out":
            return item is not None and item.section == "encounters"
        if action == "open":
            return self._shown.item is not None
        if action == "undo":
            return bool(self._trashed) or self.browse.section == "trash"
        if action == "empty_trash":
            return bool(self.browse.contents.trash)
        if action == "repair":
            return self.browse.contents.curable or (item is not None and item.status == "damaged")
        return True

    def _try(self, work: Callable[[], str]) -> None:
        try:
            message = work()
        except LockedByAnother as held:
            name = next((item.name for item in self.browse.contents.fights if item.path == held.path), held.path.name)
            watch = self.names.label("library.watch")
            self.say(f"{name} is open in another program. Close it there, or {watch} watches it", "error")
            return
        except (FightCallError, OSError, ValueError) as error:
            self.say(str(error), "error")
            return
        self.reload()
        self.say(message)

    def action_open(self) -> None:
        """Open a fight, begin an encounter, or restore from the trash; in a welcome, begin the first encounter."""
        item = self._shown.item
        if item is None:
            return
        if item.section == "fights":
            self._open(item, "play")
        elif item.section == "trash":
            self._restore(item)
        elif item.path is not None:
            self.begin(item.path)

    @property
    def _is_welcome(self) -> bool:
        """True in the section of fights if there are none: then it shows the encounters to start one from."""
        contents = self.browse.contents
        return self._read and self.browse.section == "fights" and not contents.fights and not contents.damage

    @property
    def _shown(self) -> Browse:
        """The state that is drawn: of a welcome that of the encounters, with the cursor on the first built-in one."""
        if not self._is_welcome:
            return self.browse
        encounters = self.browse.with_filter("").turn(1)
        return encounters.on(next((item.id for item in encounters.visible() if not item.status), ""))

    def _open(self, item: LibraryItem | None, mode: Mode) -> None:
        if item is not None and item.path is not None:
            self.host.open_screen("opening", path=item.path, mode=mode)

    def action_new(self) -> None:
        if self.browse.section == "encounters":
            self._set_up()
            return
        self._show("encounters")
        new, setup = (self.names.label(f"library.{name}") for name in ("new", "setup"))
        self.say(f"Choose an encounter; enter starts it, {setup} changes it, {new} makes a new one.")

    def begin(self, source: Path) -> None:
        read_games_again()
        path = self.attempt(lambda: self.shelf.begin(self.shelf.load(source)))
        if path is not None:
            self.shelf.draft_file(source).remove()
            self._show("fights")
            self.reload()
            self.go(self.browse.with_filter("").on(path.stem))
            self.host.open_screen("opening", path=path)

    def _load(self, item: LibraryItem | None) -> Encounter | None:
        read_games_again()
        path = item.path if item is not None else None
        return self.attempt(lambda: self.shelf.load(path)) if path is not None else None

    def action_setup(self) -> None:
        item = self.browse.item
        if item is None or item.section != "encounters":
            self._set_up()
        elif (draft := self._load(item)) is not None:
            self.host.open_screen("setup", shelf=self.shelf, draft=draft, path=item.path)

    def _set_up(self) -> None:
        read_games_again()
        self.host.open_screen("setup", shelf=self.shelf)

    def action_try_out(self) -> None:
        draft = self._load(self.browse.item)
        path = self.attempt(lambda: self.shelf.try_out(draft)) if draft is not None else None
        if path is not None:
            self.host.open_screen("opening", path=path)

    def action_rename(self) -> None:
        item = self.browse.item
        if item is None:
            return

        def rename(text: str) -> str | None:
            if not 1 <= len(text.strip()) <= 200:
                return "a name needs 1 to 200 letters"
            path = None
            try:
                if item.section == "encounters" and item.path is not None:
                    path = self.shelf.rename_encounter(item.path, text.strip())
                else:
                    self.shelf.library.rename(item.id, text.strip())
                self.reload()
            except FileExistsError as there:
                return f"{Path(str(there.filename)).name} already exists"
            except (FightCallError, OSError, ValueError) as error:
                return f"renaming failed: {error}"
            if path is not None:
                self.go(self.browse.on(str(path.resolve())))
            return None

        hint = "" if item.section == "fights" or self.shelf.owns(item.path) else "built-in: a copy gets this name"
        self.enter("new name", rename, text=item.name, hint=hint)

    def action_duplicate(self) -> None:
        item, copies = self.browse.item, list[Path]()
        if item is None:
            return

        def copy() -> str:
            if item.section != "encounters":
                return f"Copied as {self.shelf.library.duplicate(item.id, f'{item.name[:190]} (copy)').name}."
            copies.append(self.shelf.copy_encounter(item.path or Path()))
            return f"Copied as {copies[0].name}; {self.names.label('library.setup')} changes it."

        self._try(copy)
        if copies:
            self.go(self.browse.on(str(copies[0].resolve())))

    def action_trash(self) -> None:
        item = self.browse.item
        if item is None:
            return

        def trash() -> str:
            self._trashed.append(self.shelf.trash(item))
            return f"{item.name} is in the trash. {self.names.label('library.undo')} restores it."

        self._try(trash)

    def action_undo(self) -> None:
        """Restore the item under the cursor in the trash, else the last one that was trashed."""
        item = self.browse.item if self.browse.section == "trash" else None
        trash = {item.id: item for item in self.browse.contents.trash}
        while item is None and self._trashed:
            item = trash.get(self._trashed.pop())
        if item is not None:
            self._restore(item)

    def _restore(self, item: LibraryItem) -> None:
        def restore() -> str:
            self.shelf.restore(item)
            self._trashed = [id for id in self._trashed if id != item.id]
            return f"{item.name} is restored."

        self._try(restore)

    def action_empty_trash(self) -> None:
        trash = self.browse.contents.trash
        encounters = sum(item.is_encounter for item in trash)
        empty = partial(self._try, lambda: f"{self.shelf.empty_trash()} deleted.")
        counts = ((len(trash) - encounters, "fight"), (encounters, "encounter"))
        counts_text = " and ".join(f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count)
        self.ask(f"Delete {counts_text} in the trash permanently?", Answer("y", "delete", empty))

    def action_repair(self) -> None:
        """Repair the library if it is damaged, else the fight under the cursor."""
        item = self.browse.item
        if self.browse.contents.curable:
            self._try(self.shelf.recover)
        elif item is not None:
            self._known.clear()
            self._try(lambda: self.shelf.repair(item))

    def offers(self) -> Iterable[Offer]:
        for item in self.browse.contents.fights:
            if item.path is not None:
                enter = partial(self.host.open_screen, "opening", path=item.path)
                yield Offer(f"Open {item.name}", ", ".join(item.who), enter)
        for item in self.browse.contents.encounters:
            path = item.path
            if path is not None:
                yield Offer(f"New fight: {item.name}", item.story, partial(self.begin, path))


def _key(item: LibraryItem) -> tuple[str, str, str, int]:
    return item.section, item.id, item.updated, item.entries


def head_rows(
    browse: Browse, cells: int, glyphs: Glyphs, *, is_read: bool = True, welcome: Sequence[str] = ()
) -> Drawing:
    """The name of the program with the lines of a welcome, and the sections as tabs with their counts."""
    title = (Run(" FIGHT CALL", "header.app"), Run("   Library", "header.name"))
    note = (Run(f"{clean(browse.filter)}  ", "match"),) if browse.filter else ()
    greeting: list[Row] = [pad((Run(f" {line}", "text"),), cells, "text") for line in welcome]
    tabs: list[Run] = [Run(" ", "tab")]
    tabs_row = 1 + len(greeting)
    spots: list[Spot] = []
    at = 1
    for section in SECTIONS:
        count = len(browse.visible(section)) if is_read else glyphs.ellipsis
        here = section == browse.section
        ends = (glyphs.cursor, glyphs.cursor_end) if here and glyphs.shape == "plain" else (" ", " ")
        text = f"{ends[0]}{section.title()} {count}{ends[1]}"
        spots.append(Spot(range(tabs_row, tabs_row + 1), range(at, at + width(text)), f"section:{section}"))
        tabs += [Run(text, "tab.active" if here else "tab"), Run(" ", "tab")]
        at += width(text) + 1
    rows = (apart(title, note, cells, "header"), *greeting, pad(tuple(tabs), cells, "tab"))
    return Drawing(rows, tuple(spots))


def list_rows(
    browse: Browse, cells: int, height: int, top: int, glyphs: Glyphs, keys: dict[str, str]
) -> tuple[Drawing, int]:
    """The list of the section, and the first line shown; `keys` are those of actions by name, for an empty list."""
    items = browse.visible()
    if not items:
        text = "No match." if browse.filter else _EMPTY[browse.section].format(**keys)
        rows: list[Row] = [()] + [(Run(f"  {line}", "list.note"),) for line in wrap(text, cells - 4)]
        return Drawing(stack(rows, cells, height, "list")), 0
    top = window_top(browse.index, top, height, len(items))
    bar = scroll_marks(top, height, len(items), glyphs)
    room = cells - (1 if bar else 0)
    lines: list[Row] = []
    spots: list[Spot] = []
    minutes = [when_text(item.updated) for item in items]
    system = max(width(item.system) for item in items)
    tail = max(width(_tail(item, minute, system)) for item, minute in zip(items, minutes, strict=True))
    # Fights of one name that were played in the same minute are told apart by the second.
    together = Counter((item.name, minute) for item, minute in zip(items, minutes, strict=True))
    for y, (item, minute) in enumerate(zip(items[top : top + height], minutes[top : top + height], strict=True)):
        when = when_text(item.updated, to_the_second=True) if together[item.name, minute] > 1 else minute
        row = _line(item, room, fit(_tail(item, when, system), tail), top + y == browse.index, glyphs)
        lines.append((*row, bar[y]) if bar else row)
        spots.append(Spot(range(y, y + 1), range(cells), f"line:{top + y}"))
    return Drawing(stack(lines, cells, height, "list"), tuple(spots)), top


def _tail(item: LibraryItem, when: str, system: int) -> str:
    if item.is_encounter:
        return f"{fit(item.system, system)}  {item.minutes:>4} min" if item.minutes is not None else item.system
    played = format_clock(item.clock_s) if item.entries else ""
    return f"{fit(item.round, _ROUND)} {fit(played, 8, 'right')}  {fit(when, 16)}"


def _line(item: LibraryItem, cells: int, right: str, here: bool, glyphs: Glyphs) -> Row:
    style = "list.selected" if here else "list"
    note = "list.selected" if here else "list.note"
    glyph, tone, _ = _STATUS.get(item.status, ("", "list", ""))
    mark = str(getattr(glyphs, glyph)) if glyph else " "
    ends = Run(glyphs.selected if here else " ", style)
    row: list[Run] = [ends, Run(f"{mark} ", style if here else tone)]
    # A space separates the line from the edge or the scroll bar at its right.
    tail = width(right) + 3 if cells >= width(right) + 25 else 0
    room = cells - 3 - tail
    name = max(min(room, 40), room * 45 // 100) if room > 60 else room
    row.append(Run(fit(item.name, name, ellipsis=glyphs.ellipsis), style))
    if room > name:
        about = item.problem or ", ".join(item.who) or " ".join(item.story.split())
        row.append(Run(f"  {fit(about, room - name - 2, ellipsis=glyphs.ellipsis)}", note))
    if tail:
        row.append(Run(f"  {right}", note))
    return pad(tuple(row), cells, style)


def detail_rows(
    item: LibraryItem | None, details: Details | None, cells: int, height: int, glyphs: Glyphs, opener: str
) -> tuple[Row, ...]:
    """The details of the item under the cursor; `details` is None while they are being read."""
    if item is None or cells < 12:
        return stack((), cells, height, "text")
    rows = _details(item, details, cells - 2, height, glyphs, opener)
    if len(rows) > height > 0:
        rows = [*rows[: height - 1], (Run(glyphs.ellipsis, "dim"),)]
    # A picture takes the whole width, everything else has a margin.
    return stack((row if row_width(row) == cells else (Run(" ", "text"), *row) for row in rows), cells, height, "text")


def _details(
    item: LibraryItem, details: Details | None, cells: int, height: int, glyphs: Glyphs, opener: str
) -> list[Row]:
    rows: list[Row] = [(Run(line, "title"),) for line in wrap(item.name, cells)]
    rows += _flow(_about(item), cells)
    problem = item.problem or (details.problem if details else "")
    if problem:
        rows += [(), *((Run(line, "bad"),) for part in problem.split("\n") for line in wrap(part, cells, 2))]
    if details is None:
        return [*rows, (), (Run("reading ...", "dim"),)]
    if details.turn:
        rows += _flow([(Run(f"Now: {clean(details.turn)}", "strong"),), (Run(f"{opener} continues", "dim"),)], cells)
    facts = _flow([(Run(f"{label} ", "dim"), Run(clean(value), "text")) for label, value in details.facts], cells)
    short_who = _who_in_short(details, cells, glyphs)
    rows += _picture(details, cells + 2, height, height - len(rows), len(short_who), glyphs)
    who = _who(details, cells, glyphs)
    if len(who) > (height - len(rows)) * 2 // 3:
        who = short_who
    lines = _lines(item, details, cells)
    if item.is_encounter:
        return [*rows, *who, *facts, (), *lines]
    # The newest lines of the log matter most, so it is cut at the top.
    lines_left = height - len(rows) - len(who) - len(facts) - 2
    log_lines = lines[-lines_left:] if lines_left > 0 else ()
    heading: tuple[Row, ...] = ((), (Run("In the log", "heading"),)) if log_lines else ()
    return [*rows, *who, *facts, *heading, *log_lines]


def _picture(details: Details, cells: int, height: int, room: int, least: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """The board with room below it for `least` rows and a few lines; if it is too large for that, for less."""
    if details.scene is None:
        return ()
    most_rows = max(height * 3 // 5, LEAST_PICTURE)
    sizes = (min(room - least - FEW_LINES, most_rows), min(room - least, most_rows), room)
    return next(filter(None, (board_picture(details.scene, cells, rows, glyphs) for rows in sizes)), ())


def _flow(pieces: Sequence[Row], cells: int) -> list[Row]:
    return [row[1:] for row in side_by_side(pieces, 3, cells + 3)]


def _about(item: LibraryItem) -> tuple[Row, ...]:
    _, tone, words = _STATUS.get(item.status, ("", "text", ""))
    state = Run(item.played_elsewhere or words, tone)
    when = f"last played {when_text(item.updated)}" if item.updated else ""
    minutes = f"about {item.minutes} minutes" if item.minutes is not None else ""
    system, now = Run(clean(item.system), "dim"), Run(clean(item.round), "text")
    return tuple((run,) for run in (system, Run(minutes, "text"), state, now, Run(when, "dim")) if run.text)


def _lines(item: LibraryItem, details: Details, cells: int) -> list[Row]:
    tones = {"bad": "feed.hit", "good": "feed.heal"}
    tones |= {tone: f"feed.{tone}" for tone in ("heading", "dim", "dice", "ruling")}
    hang = 0 if item.is_encounter else 2
    return [(Run(line, tones.get(tone, "text")),) for text, tone in details.lines for line in wrap(text, cells, hang)]


def _who(details: Details, cells: int, glyphs: Glyphs) -> list[Row]:
    if not details.who:
        return []
    rows: list[Row] = [()]
    for side in dict.fromkeys(side for side, _, _ in details.who):
        rows.append((Run(clean(side).title(), f"roster.group.{_role(side)}"),))
        members = [(name, how) for other, name, how in details.who if other == side]
        rows += _columns(members, cells, glyphs)
    return rows


def _who_in_short(details: Details, cells: int, glyphs: Glyphs) -> list[Row]:
    rows: list[Row] = []
    for side in dict.fromkeys(side for side, _, _ in details.who):
        alike = Counter((without_number(name), how) for other, name, how in details.who if other == side)
        names = [
            f"{name}{f' {glyphs.times}{count}' if count > 1 else ''}{f' {how}' if how else ''}"
            for (name, how), count in alike.items()
        ]
        head, *more = wrap(f"{clean(side).title()}: {', '.join(map(clean, names))}", cells, 2)
        words, rest = head.split(":", 1)
        rows.append((Run(f"{words}:", f"roster.group.{_role(side)}"), Run(rest, "text")))
        rows += [(Run(line, "text"),) for line in more]
    return rows


def _role(side: str) -> str:
    return side if side in ("party", "foe") else "other"


def _columns(members: Sequence[tuple[str, str]], cells: int, glyphs: Glyphs) -> list[Row]:
    columns = max(1, min(len(members), cells // _COLUMN))
    each = cells // columns
    rows: list[Row] = []
    for start in range(0, len(members), columns):
        row: list[Run] = []
        for name, how in members[start : start + columns]:
            room = max(4, each - 3 - width(how) - 1)
            row += [Run("  ", "text"), Run(fit(name, room, ellipsis=glyphs.ellipsis), "text")]
            row += [Run(f" {clean(how)}", "bad" if how == "down" else "dim")]
            row += [Run(" " * (each - 3 - room - width(how)), "text")]
        rows.append(tuple(row))
    return rows
