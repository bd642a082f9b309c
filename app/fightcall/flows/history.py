"""The moments of a fight as a list to go back to, each in its own round and phase and by what was done in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fightcall.flows.ask_flow import AskFlow
from fightcall.flows.base import Become, Call, Turn
from fightcall.flows.list_flow import Item, ListFlow, ListKey
from fightcall.flows.text_fields import TextField
from fightcall.paint.happening import entry_words
from fightcall_engine.model.events import RoundBegan, StepBegan

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.kit.views import Words
    from fightcall_engine.play.branches import Branch
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.timeline import Entry

BOOKMARK = "*"
"""What stands before a name."""
OPENS = frozenset({"Start", "Advance"})
"""Commands that open something: they stand in what they open, all others in what they were given in."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment to go to: just after an entry.

    Attributes:
        number: the entry's, 0 for the beginning.
        round: the title of the round it belongs to, empty before the first.
        phase: the title of the phase.
        mark: the name that it was given, empty for none.
        branch: another line of play that parts here.
    """

    number: int
    round: str = ""
    phase: str = ""
    mark: str = ""
    branch: Branch | None = None


def moments(fight: Fight) -> tuple[Moment, ...]:
    """All moments along the line of play in order, with bookmarks and the lines that part after theirs."""
    words = fight.system.words(fight.state.settings)
    branches = fight.branches()
    found = [*_with_remarks(fight, branches, Moment(0))]
    here = Moment(0)
    for entry in fight.line.entries:
        after = replace(_after(entry, here, words), number=entry.number)
        own = after if entry.command.get("type") in OPENS else replace(here, number=entry.number)
        found += _with_remarks(fight, branches, own)
        here = after
    return tuple(found)


def _after(entry: Entry, here: Moment, words: Words) -> Moment:
    """The round and the phase after an entry."""
    for event in entry.events:
        if isinstance(event, RoundBegan):
            here = replace(here, round=f"{words.round} {event.number}", phase="")
        elif isinstance(event, StepBegan):
            here = replace(here, phase=words.phases.get(event.phase, event.phase.title()))
    return here


def _with_remarks(fight: Fight, branches: Sequence[Branch], moment: Moment) -> Iterator[Moment]:
    """The moment itself, and what stands beside it."""
    yield moment
    for mark in fight.marks:
        if mark.on == moment.number:
            yield replace(moment, mark=mark.name)
    for branch in branches:
        if branch.parted == moment.number:
            yield replace(moment, branch=branch)


def history(table: Table) -> ListFlow:
    """The moments to go back to, the present one marked; a letter or Enter goes there, `n` names the marked one."""
    found = moments(table.fight)
    here = table.fight.head_number
    start = next((at for at, moment in enumerate(found) if moment.number == here), 0)
    return ListFlow(
        "History",
        [_item(table, moment) for moment in found],
        start=start,
        keys={"n": ListKey("names it", lambda place: _ask_name(found[place]))},
        shortest_last=True,
    )


def _item(table: Table, moment: Moment) -> Item:
    branch = moment.branch
    if branch is not None:
        entries = "1 entry" if branch.length == 1 else f"{branch.length} entries"
        words = f"branch, {entries}, from #{branch.parted}"
        return Item(
            lambda: words, _jump(branch.tip), tone="aside", group=moment.round, section=moment.phase, explain=words
        )
    if moment.mark:
        return Item(
            lambda: f"{BOOKMARK} {moment.mark}",
            _jump(moment.number),
            tone="named",
            group=moment.round,
            section=moment.phase,
        )
    number = f"#{moment.number}" if moment.number else ""
    return Item(
        _words_of(table.fight, moment.number),
        _jump(moment.number),
        number=number,
        group=moment.round,
        section=moment.phase,
    )


def _words_of(fight: Fight, number: int) -> Callable[[], str]:
    """What an entry did, read when it is looked at and kept."""
    found: list[str] = []

    def words() -> str:
        if not found:
            found.append(entry_words(fight, number) if number else "the beginning")
        return found[0]

    return words


def _ask_name(moment: Moment) -> Turn:
    field = TextField(f"Name this moment (#{moment.number})" if moment.number else "Name the beginning")
    return Become(AskFlow([field], lambda answers: Call("mark", str(answers[0]), on=moment.number)))


def _jump(number: int) -> Callable[[], Turn]:
    return lambda: Call("jump", str(number))
