"""`Shelf`: access to the library and the encounters on disk, for the screens.

Slow modules are imported when they are first needed. Failures are raised as a `FightCallError` or an `OSError`, with
nothing changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.flows.lists import Contents, LibraryItem, Section
from fightcall.flows.toolbox import MapChoice
from fightcall.paint.scenes import BoardScene, ZoneScene, picture_of
from fightcall.settings import Paths, repaired_in_words
from fightcall_engine.archive.encounter import Encounter, read_setting_files
from fightcall_engine.archive.fsutil import LibraryDamaged, LibraryTooNew
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.plugins import ease_of, find_system, is_installed, read_game_again, system_of
from fightcall_engine.kit.records import choice_words, setting_title
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Words
from fightcall_engine.model.errors import BadInput, FightCallError
from fightcall_engine.model.state import FightState, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.calls import step_words
from fightcall_engine.play.fight import Fight, can_be_played
from fightcall_engine.play.story import Paragraph, Telling, tell

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from fightcall_engine.archive.encounter_writing import DraftFile
    from fightcall_engine.archive.encounters import EncounterFile
    from fightcall_engine.archive.library import FightCard, Library
    from fightcall_engine.archive.lines import Reading

LAST_LINES = 16
_ENTRIES_SOUGHT = 200
LARGEST = 4_000_000
"""The largest journal, in bytes, that is read for its details: longer ones would make browsing slow."""


@frozen
class Details:
    """The details of an item for the side pane."""

    who: tuple[tuple[str, str, str], ...] = ()
    """For each combatant its side, its name, and its health or count."""
    lines: tuple[tuple[str, str], ...] = ()
    """The last lines of a fight's log with their tones; or the paragraphs of an encounter's story."""
    facts: tuple[tuple[str, str], ...] = ()
    scene: BoardScene | ZoneScene | None = None
    turn: str = ""
    """Whose turn it is, or which part of the round; empty for an encounter and after the fight."""
    problem: str = ""


class Shelf:
    """The user's library and encounters."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self._library: Library | None = None
        self._too_old: frozenset[str] = frozenset()
        self._tried: TemporaryDirectory[str] | None = None
        self._shipped: dict[str, tuple[Encounter, ...]] = {}

    @property
    def library(self) -> Library:
        """The library, opened at first use."""
        if self._library is None:
            from fightcall_engine.archive.library import Library

            self._library = Library.open(self.paths.library, summarise=summarise)
        return self._library

    def read(self) -> Contents:
        """The content of the library. If the catalogue is damaged, it still contains the encounters."""
        from fightcall_engine.archive.encounters import TRASH, find_encounters

        fights: tuple[LibraryItem, ...] = ()
        trash = tuple(_encounter(file, "trash") for file in find_encounters([self.paths.encounters / TRASH]))
        problems: tuple[str, ...] = ()
        damage, curable = "", False
        try:
            self._library = None
            library = self.library
            problems_by_id = dict(library.reconciled.problems)
            self._too_old = frozenset(library.reconciled.too_old)
            fights = tuple(self._fight(card, "fights", problems_by_id) for card in library.fights())
            trash = (*(self._fight(card, "trash", problems_by_id) for card in library.trashed()), *trash)
            fights += self._unlisted_items(problems_by_id, {item.id for item in (*fights, *trash)})
            problems = tuple(library.problems())
        except LibraryDamaged as error:
            damage, curable = str(error), True
        except (LibraryTooNew, OSError) as error:
            damage = str(error)
        return Contents(fights, self._encounters(), trash, damage, curable, problems)

    def recover(self) -> str:
        """Recover a damaged library. Returns what was done, in words."""
        from fightcall_engine.archive.library import Library

        self._library = Library.recover(self.paths.library, summarise=summarise)
        report = self._library.recovery
        if report is None:
            return "The library has no problems."
        source = "its backup" if report.source == "backup" else "the fights themselves"
        note = f"; the damaged file is {report.kept_as.name}" if report.kept_as else ""
        return f"The library was rebuilt from {source}{note}."

    def repair(self, item: LibraryItem) -> str:
        """Repair a damaged fight. Returns what was done, in words."""
        from fightcall_engine.archive.journal import repair

        if item.path is None:
            raise BadInput(item.name, ("it has no file",))
        report = repair(item.path, can_be_played)
        if report.original is None:
            return f"{item.name} has no problems."
        return f"{item.name}: {repaired_in_words(report)}; the damaged file is {report.original.name}."

    def details(self, item: LibraryItem) -> Details:
        """The details of an item. Never raises: problems are part of the details."""
        if item.path is None:
            return Details(problem=item.problem)
        try:
            if item.path.stat().st_size > LARGEST:
                return Details(facts=(("entries", str(item.entries)), ("log", "too long to show here")))
            if item.is_encounter:
                return _of_encounter(item.path, self.paths.setting_files)
            return _of_fight(item.path)
        except (FightCallError, OSError) as error:
            return Details(problem="\n".join(error.problems) if isinstance(error, BadInput) else str(error))

    def keep(self, fight: Fight) -> None:
        """Update the card of a fight that was just left, so that its journal need not be read for it.

        Nothing is lost if that fails, or a what-if was left: the card is then made from the journal, where it stands
        for what was really played.
        """
        from fightcall_engine.archive.journal import last_record
        from fightcall_engine.archive.library import FightCard

        library, path = self._library, fight.path
        if library is None or path is None or path.parent != library.folder / "fights" or fight.branch.is_trial:
            return
        with suppress(FightCallError, OSError, ValueError):
            last = last_record(path)
            fields = card_fields(fight, str(last.get("at") or ""))
            card = library.card(path.stem)
            library.put_card(FightCard.model_validate({**card.model_dump(), **fields, "last_number": last["n"]}))

    def begin(self, encounter: Encounter, name: str | None = None) -> Path:
        from fightcall_engine.archive.encounters import start_fight

        read_game_again(encounter.system)
        library = self.library
        id = library.new_id(name or encounter.name)
        path = library.journal_path(id)
        path.parent.mkdir(parents=True, exist_ok=True)
        start_fight(encounter, id=id, name=name, path=path).close()
        return path

    def load(self, path: Path) -> Encounter:
        from fightcall_engine.archive.encounters import load_encounter

        return load_encounter(path, setting_folder=self.paths.setting_files)

    def shipped(self, system: str) -> tuple[Encounter, ...]:
        """The encounters that a system ships, read once."""
        from fightcall_engine.archive.encounters import load_encounter, shipped_encounters

        if system not in self._shipped:
            files = (file for file in shipped_encounters() if file.system == system)
            self._shipped[system] = tuple(load_encounter(file.path) for file in files)
        return self._shipped[system]

    def maps(self, system: str) -> tuple[MapChoice, ...]:
        """The encounters of a system to which a fight can move on: the user's own first."""
        from fightcall_engine.archive.encounters import find_encounters, shipped_encounters

        files = (*find_encounters([self.paths.encounters]), *shipped_encounters())
        return tuple(
            MapChoice(file.name, partial(self.load, file.path))
            for file in files
            if file.system == system and file.problem is None
        )

    def owns(self, path: Path | None) -> bool:
        return path is not None and path.parent.resolve() == self.paths.encounters.resolve()

    def is_draft(self, path: Path | None) -> bool:
        return path is not None and path.parent.resolve() == self.paths.drafts.resolve()

    def draft_file(self, path: Path | None = None) -> DraftFile:
        """The file for a draft while it is being edited: a new one, or its own when it is continued."""
        from fightcall_engine.archive.encounter_writing import DraftFile

        return DraftFile(self.paths.drafts, path if self.is_draft(path) else None)

    def try_out(self, encounter: Encounter) -> Path:
        """Begin a fight that is deleted when it is left, or when the program ends. Returns the path of its journal."""
        from tempfile import TemporaryDirectory

        from fightcall_engine.archive.encounters import start_fight

        read_game_again(encounter.system)
        folder = TemporaryDirectory(prefix="fightcall-", ignore_cleanup_errors=True)
        path = Path(folder.name) / "try-out.jsonl"
        start_fight(encounter, id="try-out", name=f"{encounter.name[:190]} (try-out)", path=path).close()
        self._tried = folder
        return path

    def end_try_out(self) -> None:
        if self._tried is not None:
            self._tried.cleanup()
            self._tried = None

    # Encounters of the user's own

    def save_as(self, encounter: Encounter, like: Path | None = None, overwrite: bool = False) -> Path:
        """Save an encounter under its name in the user's folder, with the comments of the file `like`."""
        from fightcall_engine.archive.encounter_writing import save_new, save_over
        from fightcall_engine.archive.encounters import encounter_path

        path = encounter_path(self.paths.encounters, encounter.name)
        if overwrite:
            save_over(encounter, path, setting_folder=self.paths.setting_files)
        else:
            save_new(encounter, path, like, self.paths.setting_files)
        return path

    def save_over(self, encounter: Encounter, path: Path, before: Encounter | None) -> None:
        """Save an encounter over its file, if that still has the content `before`; None for any content."""
        from fightcall_engine.archive.encounter_writing import save_over

        save_over(encounter, path, before, self.paths.setting_files)

    def copy_encounter(self, path: Path, name: str = "") -> Path:
        """Copy an encounter's file to the user's folder, with its comments, under a name or the next free one."""
        from fightcall_engine.archive.encounters import encounter_path

        encounter = self.load(path)
        copies = (f"{encounter.name[:180]} (copy{f' {number}' if number > 1 else ''})" for number in count(1))
        free = (copy_name for copy_name in copies if not encounter_path(self.paths.encounters, copy_name).exists())
        return self.save_as(replace(encounter, name=name or next(free)), path)

    def rename_encounter(self, path: Path, name: str) -> Path:
        """Rename an encounter and its file, to one that is free; a shipped one is copied. Returns its path."""
        from fightcall_engine.archive.encounter_writing import rename_encounter

        if not self.owns(path):
            return self.copy_encounter(path, name)
        return rename_encounter(path, name, self.paths.setting_files)

    # The trash

    def trash(self, item: LibraryItem) -> str:
        """Move a fight, a user's encounter or a draft to the trash. Returns its id there."""
        from fightcall_engine.archive.encounters import TRASH, move_encounter

        if item.is_encounter and item.path is not None:
            return str(move_encounter(item.path, self.paths.encounters / TRASH).resolve())
        return self.library.trash(item.id).id

    def restore(self, item: LibraryItem) -> None:
        from fightcall_engine.archive.encounters import move_encounter

        if item.is_encounter and item.path is not None:
            move_encounter(item.path, item.path.parent.parent)
        else:
            self.library.restore(item.id)

    def empty_trash(self) -> int:
        """Delete everything in the trash for good. Returns the number of items."""
        from fightcall_engine.archive.encounters import empty_encounter_trash

        return len(self.library.empty_trash()) + empty_encounter_trash(self.paths.encounters)

    def own_settings(self, system: BaseSystem) -> Mapping[str, Scalar]:
        return read_setting_files(system, self.paths.setting_files)

    # Inside

    def _fight(self, card: FightCard, section: Section, wrong: Mapping[str, str]) -> LibraryItem:
        from fightcall_engine.archive.journal import keeps_rules

        problem = wrong.get(card.id, "")
        status = self._status(card.id) if problem else card.status
        if not problem and not is_installed(card.system) and not keeps_rules(self._path(card.id, section)):
            problem, status = f"the system {card.system!r} is not installed", "no system"
        return LibraryItem(
            section=section,
            id=card.id,
            name=card.name,
            system=_words(card.system).title,
            status=status,
            round=f"{_words(card.system).round} {card.round}" if card.round else "",
            clock_s=int(card.clock_s),
            updated=card.updated or card.created,
            who=tuple(card.combatants),
            entries=card.entries,
            branches=card.branches,
            path=self._path(card.id, section),
            problem=problem,
        )

    def _path(self, id: str, section: Section) -> Path:
        journal_path = self.library.journal_path(id)
        return journal_path if section == "fights" else self.paths.library / "trash" / journal_path.name

    def _unlisted_items(self, wrong: Mapping[str, str], listed_ids: set[str]) -> tuple[LibraryItem, ...]:
        """Items for journals so damaged that they have no card: they are shown all the same."""
        folder = self.paths.library / "fights"
        return tuple(
            LibraryItem("fights", id, id, status=self._status(id), path=folder / f"{id}.jsonl", problem=problem)
            for id, problem in wrong.items()
            if id not in listed_ids and (folder / f"{id}.jsonl").exists()
        )

    def _status(self, id: str) -> str:
        return "too old" if id in self._too_old else "damaged"

    def _encounters(self) -> tuple[LibraryItem, ...]:
        from fightcall_engine.archive.encounters import find_encounters, shipped_encounters

        shipped = sorted(shipped_encounters(), key=lambda file: ease_of(file.system))
        return (
            *(_encounter(file, "encounters", "unsaved") for file in find_encounters([self.paths.drafts])),
            *(_encounter(file, "encounters", "yours") for file in find_encounters([self.paths.encounters])),
            *(_encounter(file, "encounters") for file in shipped),
        )


def _encounter(file: EncounterFile, section: Section, whose: str = "") -> LibraryItem:
    return LibraryItem(
        section=section,
        id=str(file.path),
        name=file.name,
        system=_words(file.system).title if file.system else "",
        status="damaged" if file.problem else whose,
        path=file.path,
        problem=file.problem or "",
        story=file.story,
        is_encounter=True,
        minutes=file.minutes,
    )


def _words(system: str) -> Words:
    try:
        return find_system(system).words({})
    except BadInput:
        return Words(system, "Round", {}, {}, {})


def summarise(reading: Reading) -> Mapping[str, object]:
    """A card's fields besides the header's: progress, combatants, when last played; none without its system."""
    if not reading.header.get("rules") and not is_installed(str(reading.header.get("system"))):
        return {}
    last = reading.records[-1].get("at") if reading.records else None
    return card_fields(Fight.watch(reading.path, real_branch=True), str(last or reading.header.get("at") or ""))


def card_fields(fight: Fight, updated: str) -> Mapping[str, object]:
    """The fields of the card of an open fight; see `summarise`."""
    state = fight.state
    return {
        "status": {"closed": "ended"}.get(state.status, state.status),
        "updated": updated,
        "round": state.round,
        "clock_s": state.clock_s,
        "entries": fight.line.entry_count(),
        "branches": sum(branch.length > 0 and not branch.is_dropped for branch in fight.branches()),
        "combatants": [state.combatants[each].name for each in state.order if each in state.combatants],
    }


def _of_fight(path: Path) -> Details:
    fight = Fight.watch(path)
    state, system = fight.state, fight.system
    facts = [("seed", state.seed), ("entries", str(fight.line.entry_count()))]
    if fight.branches():
        facts.append(("branches", str(len(fight.branches()))))
    if fight.marks:
        facts.append(("bookmarks", ", ".join(mark.name for mark in fight.marks)))
    turn = step_words(system, state, state.step) if state.step is not None else ""
    scene = picture_of(state, system) if state.board is not None else None
    return Details(_standings(state, system), _last_lines(fight), tuple(facts), scene, turn)


def _standings(state: FightState, system: BaseSystem) -> tuple[tuple[str, str, str], ...]:
    standings = []
    for combatant_id in (member for group in system.groups(state) for member in group.members):
        combatant, pools = state.combatants[combatant_id], system.card(state, combatant_id).pools
        pool = combatant.pool(pools[0]) if pools else None
        how = "down" if not combatant.able else f"{pool.now}/{pool.max} {pools[0]}" if pool else ""
        standings.append((combatant.side, combatant.name, how))
    return tuple(standings)


def _last_lines(fight: Fight) -> tuple[tuple[str, str], ...]:
    count = fight.line.entry_count()
    start = max(0, count - _ENTRIES_SOUGHT)
    telling = Telling((), fight.line.seek(fight.line.span(start)[0] if count else 0), Paragraph())
    lines: list[tuple[str, str]] = []
    part = None
    for index in range(start, count):
        telling = tell(system_of(telling.state), telling.state, fight.line.entry(index).events, telling.paragraph)
        for remark in telling.remarks:
            if remark.is_told:
                if remark.part != part and remark.part.heading:
                    lines.append((remark.part.heading, "heading"))
                part = remark.part
                lines.append((f"{'  ' if remark.follows else ''}{remark.words}", remark.tone))
    return tuple(lines[-LAST_LINES:])


def _of_encounter(path: Path, setting_folder: Path) -> Details:
    from fightcall_engine.archive.encounters import load_encounter, start_fight

    encounter = load_encounter(path, setting_folder=setting_folder)
    board = encounter.board
    grid = grid_board(board)
    size = f"zones: {board.extent()}" if board is not None else "none"
    if grid is not None:
        size = f"{grid.cols} x {grid.rows} {grid.words[1]} of {grid.scale:g} {grid.unit}"
    facts = [("board", size)]
    if encounter.seed is not None:
        facts.append(("seed", encounter.seed))
    system = find_system(encounter.system)
    facts += [
        (setting_title(system, key), choice_words(system, key, value)) for key, value in encounter.settings.items()
    ]
    facts += [(setting_title(system, key), "your own file") for key in encounter.user_settings]
    who = tuple((join.side, join.name, "hidden" if join.hidden else "") for join in encounter.joins)
    lines = tuple((line, "plain") for line in encounter.story.strip().split("\n"))
    state = start_fight(encounter, id="preview", seed="1").state
    scene = picture_of(state, system) if board is not None else None
    return Details(who, lines, tuple(facts), scene)
