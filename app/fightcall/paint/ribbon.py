"""The ribbon and the timeline: where in the round the fight is, and where a replay stands.

The three rows of the ribbon are: the fight, and whether it is saved; the agenda as chips, past, present and future;
and whose turn it is, who is next and who still has to act. It draws the agenda of any system. The timeline shows
rounds and phases over the events of a fight.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from fightcall.paint.combatants import waited_for
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    blank,
    clean,
    fit,
    flag_run,
    join,
    merge,
    pad,
    row_width,
    shorten,
    side_role,
    stack,
    width,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.events import Event, RoundBegan, StepBegan
from fightcall_engine.model.state import FightState, Step
from fightcall_engine.model.values import format_clock, frozen, remembered

if TYPE_CHECKING:
    from fightcall_engine.play.history import Timeline

APP = " FIGHT CALL   "
MOST_DOTS = 8
LONGEST_CHIP = 24
ROOM_FOR_PARTS = 120
"""The width from which all steps of a turn are named, and not only the running one."""

CELLS_APART = 3
"""Cells a stretch has to have on the track, on average, to be worth marking."""


@frozen
class ReplayMark:
    """The position of a replay: after `position` of `total` events; `speed`, such as `2x`, while it plays."""

    position: int
    total: int
    speed: str = ""


@frozen
class Chip:
    """A part of the agenda: its name, and the first and last of its steps."""

    label: str
    first: int
    last: int


def ribbon_rows(
    state: FightState,
    system: BaseSystem,
    *,
    width: int,
    glyphs: Glyphs,
    saved: bool,
    clock_text: str = "",
    watching: bool = False,
    notice: str = "",
    replay: ReplayMark | None = None,
) -> tuple[Row, ...]:
    """The three rows above everything.

    `clock_text` is that of the decision clock, empty if it is off. `notice` says that play is in the past or in a
    what-if, with the keys that lead out. `replay` is the position of a replay; None in a live fight.
    """
    return (
        _header(state, system, width, glyphs, _mark(glyphs, saved, watching, notice, replay)),
        _agenda(state, system, width, glyphs),
        _now(state, system, width, glyphs, clock_text),
    )


# The fight


def _header(state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs, mark_in_style: tuple[str, str]) -> Row:
    words = system.words(state.settings)
    moment = system.round_title(state) or ("Set-up" if state.status == "setup" else "")
    when = f"{moment}   {format_clock(state.clock_s)}   "
    mark, style = mark_in_style
    right = (Run(when, "header.clock"), Run(f"{mark} ", style))
    room = cells - row_width(right) - 1
    title = f"  {glyphs.bullet}  {words.title}"
    name = clean(state.name)
    app = Run(APP if width(APP + name) <= room else " ", "header.app")
    rest = room - width(app.text)
    if width(name) + width(title) > rest:
        title = ""
    left = (app, Run(fit(name, min(width(name), rest), ellipsis=glyphs.ellipsis), "header.name"))
    return apart((*left, Run(title, "header.system")), right, cells, "header")


def _mark(glyphs: Glyphs, saved: bool, watching: bool, notice: str, replay: ReplayMark | None) -> tuple[str, str]:
    if replay is not None:
        playing = f" {glyphs.now} {replay.speed}" if replay.speed else ""
        return f"REPLAY {replay.position}/{replay.total}{playing}", "header.unsaved"
    if watching:
        return f"{glyphs.side} WATCHING", "header.unsaved"
    if notice and saved:
        return f"{glyphs.branch} {clean(notice)}", "header.unsaved"
    return (f"{glyphs.saved} saved", "header.saved") if saved else ("not saved", "header.unsaved")


# The agenda


def chips(state: FightState, system: BaseSystem) -> tuple[Chip, ...]:
    """The agenda as chips: phases, turns or bands, depending on its steps."""
    names = system.words(state.settings).phases
    chips: list[Chip] = []
    for steps in _stretches(state.agenda.steps):
        phase = steps[0][1].phase
        actors = {step.actor for _, step in steps}
        if actors != {""}:
            chips += _turns(state, names.get(phase, phase), steps, len(actors) > 1)
        elif _is_row_of_parts([step for _, step in steps], system.substep):
            chips += [_chip(step.title or names.get(phase, phase), [(index, step)]) for index, step in steps]
        else:
            # A phase of a single step uses the step's title, which may say more than the phase's name.
            title = steps[0][1].title if len(steps) == 1 else ""
            chips.append(_chip(title or names.get(phase) or steps[0][1].title or phase.title(), steps))
    return tuple(chips)


@remembered
def _stretches(steps: tuple[Step, ...]) -> Sequence[list[tuple[int, Step]]]:
    """The agenda split into stretches: the same thing done by several, a combatant's whole turn, else a phase."""
    stretches: list[list[tuple[int, Step]]] = []
    start = 0
    while start < len(steps):
        same = _run_of(steps, start, _thing_done)
        if len({step.actor for step in steps[start:same]}) == 1:
            same = _run_of(steps, start, lambda step: ("", step.actor) if step.actor else (step.phase, ""))
        stretches.append(list(zip(range(start, same), steps[start:same], strict=True)))
        start = same
    return stretches


def _thing_done(step: Step) -> tuple[str, ...]:
    """The key of a step that several do one after the other: its name and its phase."""
    return (step.phase, step.title, "people" if step.actor else "")


def _run_of(steps: Sequence[Step], start: int, key: Callable[[Step], tuple[str, ...]]) -> int:
    first = key(steps[start])
    return next((at for at in range(start, len(steps)) if key(steps[at]) != first), len(steps))


def _turns(state: FightState, phase: str, steps: list[tuple[int, Step]], is_shared: bool) -> list[Chip]:
    """The chips of a phase in which one after the other acts: one, or one for each of them while it runs."""
    cursor = state.agenda.cursor
    if not is_shared:
        return [_chip(_name_of(state, steps[0][1].actor), steps)]
    if not steps[0][0] <= cursor <= steps[-1][0]:
        return [_chip(f"{phase} {len(steps)}", steps)]
    return [_chip(_name_of(state, step.actor), [(at, step)]) for at, step in steps]


def _is_row_of_parts(steps: list[Step], substep: str) -> bool:
    """Whether steps are parts with names of their own: nobody's, of one phase and kind, such as bands."""
    kinds, titles = {step.kind for step in steps}, {step.title for step in steps}
    return len(titles) == len(steps) > 1 == len(kinds) and substep not in kinds and not any(each.side for each in steps)


def _chip(label: str, steps: list[tuple[int, Step]]) -> Chip:
    return Chip(label, steps[0][0], steps[-1][0])


def _name_of(state: FightState, combatant_id: str) -> str:
    departed = state.departed.get(combatant_id)
    combatant = departed.combatant if departed is not None else state.combatants.get(combatant_id)
    return (combatant.name or combatant.label) if combatant else ""


@remembered
def _agenda(state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs) -> Row:
    steps, cursor = state.agenda.steps, state.agenda.cursor
    # Turns to come of people who are down or have left are not shown.
    able_ids = {combatant.id for combatant in state.combatants.values() if combatant.able}
    out = [
        at > cursor and _is_nobody_able(step, able_ids) and _passes(step, state, system, able_ids)
        for at, step in enumerate(steps)
    ]
    parts = [chip for chip in chips(state, system) if not all(out[chip.first : chip.last + 1])]
    words = {"closed": "The fight is over", "setup": "The fight hasn't started"}
    if not parts or state.status == "closed":
        status = words.get(state.status) or clean(system.words(state.settings).between)
        return pad((Run(f"  {status}", "ribbon.done"),), cells, "ribbon")
    current = next((at for at, chip in enumerate(parts) if chip.first <= cursor <= chip.last), None)
    chip_rows = [_chip_row(chip, state, system, cursor, glyphs) for chip in parts]
    between: Row = (Run(f" {glyphs.then} ", "ribbon.then"),)
    start, stop = _window([row_width(row) for row in chip_rows], 3, cells - 2, current, cursor < 0)
    pieces = [piece for row in chip_rows[start:stop] for piece in (between, row)][1:]
    more: Row = (Run(glyphs.ellipsis, "ribbon.then"),)
    left = more if start else blank(1, "ribbon")
    right = more if stop < len(chip_rows) else ()
    return pad(join((left, *pieces, right)), cells, "ribbon")


def _window(sizes: list[int], gap: int, cells: int, current: int | None, at_start: bool) -> tuple[int, int]:
    """The chips to show: all if they fit, else those around the running one, with more after than before it."""
    if current is None:
        current = 0 if at_start else len(sizes) - 1
    start, stop = current, current + 1
    cells_used = sizes[current]
    while True:
        grown = False
        for _ in range(2):
            if stop < len(sizes) and cells_used + gap + sizes[stop] <= cells:
                cells_used += gap + sizes[stop]
                stop, grown = stop + 1, True
        if start > 0 and cells_used + gap + sizes[start - 1] <= cells:
            cells_used += gap + sizes[start - 1]
            start, grown = start - 1, True
        if not grown:
            return start, stop


def _chip_row(chip: Chip, state: FightState, system: BaseSystem, cursor: int, glyphs: Glyphs) -> Row:
    label = clean(chip.label) or "?"
    label = shorten(label, LONGEST_CHIP, glyphs)
    if chip.last < cursor:
        return (Run(f" {label} ", "ribbon.done"),)
    if chip.first > cursor:
        return (Run(f" {label} ", "ribbon.todo"),)
    # In capitals, so that the running chip can be found without colours.
    name = Run(f" {label.upper() if width(label.upper()) == width(label) else label} ", "ribbon.now")
    steps = range(chip.first, chip.last + 1)
    if len(steps) == 1:
        return (name,)
    if len(steps) > MOST_DOTS:
        return (name, Run(f" {cursor - chip.first + 1}/{len(steps)}", "ribbon.todo"))
    past = [Run(glyphs.struck, "ribbon.done")] * (cursor - chip.first)
    sides = (state.agenda.steps[index].side for index in range(cursor, chip.last + 1))
    roles = (side_role(system, side) if side else "other" for side in sides)
    ahead = [Run(glyphs.other_side if at else glyphs.side, f"ribbon.side-{role}") for at, role in enumerate(roles)]
    return (name, Run(" ", "ribbon"), *past, *ahead)


# Now


@remembered
def _now(state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs, clock_text: str) -> Row:
    flag = system.banner(state)
    pieces: list[Row] = [(flag_run(flag),)] if flag is not None else []
    if state.status != "closed":
        pieces += [_whose(state, system, glyphs), _parts(state, system, glyphs, cells >= ROOM_FOR_PARTS)]
        pieces += [_then(state, system, glyphs), _waiting_count(state, system)]
    count = len(state.questions)
    if count:
        pieces.append((Run(f"{count} question{'s' if count > 1 else ''} open", "warn"),))
    if clock_text:
        pieces.append((Run(clean(clock_text), "warn"),))
    row: Row = ()
    for piece in pieces:
        more = (*row, Run("  ", "ribbon"), *piece, Run(" ", "ribbon")) if piece else row
        row = more if row_width(more) <= cells else row
    return pad(row, cells, "ribbon")


def _whose(state: FightState, system: BaseSystem, glyphs: Glyphs) -> Row:
    step = state.step
    if step is None:
        return ()
    if step.actor or step.side:
        title = f" {clean(step.title)}" if step.actor and _is_shared(state) else ""
        return (_owner_run(step, state, system, glyphs.side, title),)
    phase = system.words(state.settings).phases.get(step.phase) or step.phase
    return (Run(f"{glyphs.side} {clean(step.title or phase)}", "ribbon.free"),)


def _owner_run(step: Step, state: FightState, system: BaseSystem, mark: str, title: str = "") -> Run:
    """The combatant or the side that a step belongs to."""
    combatant = state.combatants.get(step.actor)
    side = step.side if not step.actor else combatant.side if combatant else ""
    side_name = system.words(state.settings).sides.get(step.side, step.side.title())
    name = clean(_name_of(state, step.actor) if step.actor else side_name)
    return Run(f"{mark} {name}{title}", f"ribbon.side-{side_role(system, side)}")


def _is_shared(state: FightState) -> bool:
    """Whether the running step is one of several for the same thing, so that it has to be named."""
    at, steps = state.agenda.cursor, state.agenda.steps
    near = (*steps[max(0, at - 1) : at], *steps[at + 1 : at + 2])
    here = steps[at]
    return any(other.actor not in ("", here.actor) and _thing_done(other) == _thing_done(here) for other in near)


def _parts(state: FightState, system: BaseSystem, glyphs: Glyphs, all_named: bool) -> Row:
    agenda = state.agenda
    step = agenda.current
    if step is None or not step.actor:
        return ()
    start = stop = agenda.cursor
    while start > 0 and agenda.steps[start - 1].actor == step.actor:
        start -= 1
    while stop + 1 < len(agenda.steps) and agenda.steps[stop + 1].actor == step.actor:
        stop += 1
    if start == stop:
        return ()
    names = system.words(state.settings).phases
    row: Row = ()
    for at in range(start, stop + 1) if all_named else (agenda.cursor,):
        name = clean(names.get(agenda.steps[at].phase) or agenda.steps[at].title)
        part = Run(name, "ribbon.done" if at < agenda.cursor else "ribbon.todo")
        if at == agenda.cursor:
            part = Run(name.upper(), "ribbon.part")
        row = (*row, Run(f" {glyphs.then} ", "ribbon.then"), part) if row else (part,)
    return row


def _then(state: FightState, system: BaseSystem, glyphs: Glyphs) -> Row:
    agenda = state.agenda
    if agenda.current is None or agenda.cursor + 1 >= len(agenda.steps):
        return ()
    ahead, actor = agenda.steps[agenda.cursor + 1 :], agenda.current.actor
    able_ids = {combatant.id for combatant in state.combatants.values() if combatant.able}
    coming = (each for each in ahead if not _passes(each, state, system, able_ids))
    shown = chain((next(coming, ahead[0]),), coming)  # if all pass, the first
    step = next((each for each in shown if not actor or each.actor != actor), None)
    if step is None:
        return ()
    then = Run("then ", "ribbon.then")
    phase = clean(system.words(state.settings).phases.get(step.phase) or step.title or step.phase)
    if not (step.actor or step.side):
        return (then, Run(clean(step.title) or phase, "ribbon.free"))
    owner = _owner_run(step, state, system, glyphs.other_side)
    if step.actor or step.phase == agenda.current.phase:
        return (then, owner)
    return (then, Run(f"{phase} ", "ribbon.free"), owner)


def _passes(step: Step, state: FightState, system: BaseSystem, able_ids: set[str]) -> bool:
    """Whether a step to come is skipped. In a later phase this is only known of people who are down or have left."""
    is_known = step.phase == state.phase or _is_nobody_able(step, able_ids)
    return is_known and (system.is_instant(step) or bool(system.why_skipped(state, step)))


def _is_nobody_able(step: Step, able_ids: set[str]) -> bool:
    """Whether a step belongs only to people who are down or have left."""
    people = (step.actor, *step.members) if step.actor else step.members
    return bool(people) and able_ids.isdisjoint(people)


def _waiting_count(state: FightState, system: BaseSystem) -> Row:
    step = state.step
    if step is None or step.actor:
        return ()
    waiting = waited_for(state, system)
    if due := system.words(state.settings).waits.get(step.kind):
        return (Run(f"{len(waiting)} to {clean(due)}", "ribbon.todo"),) if waiting else ()
    gone = {
        combatant_id
        for combatant_id in (*state.agenda.acted, *state.agenda.waived)
        if combatant_id in state.combatants and (not step.side or state.combatants[combatant_id].side == step.side)
    }
    everyone = len(gone.union(waiting))
    if everyone < 2:
        return ()
    if not waiting:
        return (Run(f"{everyone} of {everyone} have acted", "ribbon.done"),)
    return (Run(f"{len(waiting)} of {everyone} still to act", "ribbon.todo"),)


# The timeline of a fight: rounds and phases over its events, and where a replay stands


@frozen
class Segment:
    """A stretch of events: where it starts, what it is called, and whether a round starts with it."""

    start: int
    label: str
    opens_round: bool


class TimelineModel:
    """The stretches of a fight's line; each event is looked at once, however often the line is drawn."""

    def __init__(self, system: BaseSystem) -> None:
        self._system = system
        self._names: dict[str, str] = {}
        self._round = ""
        self._segments: list[Segment] = []
        self._seen = 0
        self._last: Event | None = None

    def segments(self, line: Timeline) -> list[Segment]:
        """The stretches of a line, brought up to date."""
        # After an undo the line is another one: its newest known event is no longer where it was.
        if self._seen > len(line) or (self._seen and line.event(self._seen - 1) is not self._last):
            self._segments, self._seen = [], 0
        if not self._seen:
            words = self._system.words(line.seek(0).settings)
            self._names, self._round = dict(words.phases), words.round
        for position in range(self._seen, len(line)):
            event = line.event(position)
            # What has no number, such as an Initiative that rounds come of, is named by its phase.
            if isinstance(event, RoundBegan) and event.number:
                self._segments.append(Segment(position, f"{self._round} {event.number}", True))
            elif isinstance(event, StepBegan):
                label = self._names.get(event.phase) or event.phase
                if not self._segments or self._segments[-1].label != label:
                    self._segments.append(Segment(position, label, False))
        self._seen = len(line)
        self._last = line.event(self._seen - 1) if self._seen else None
        return self._segments


def timeline_rows(
    segments: list[Segment],
    *,
    position: int,
    total: int,
    marks: Collection[int] = (),
    width: int,
    height: int = 2,
    glyphs: Glyphs,
) -> Drawing:
    """The scrubber, with names above it if there is a second row; spots are positions, in events."""
    if width < 1:
        return Drawing(stack([], width, height, "timeline"))
    # No more than the track can keep apart: all of them, or only the rounds, or none.
    sizes = (segments, [segment for segment in segments if segment.opens_round])
    segments = next((few for few in sizes if len(few) * CELLS_APART <= width), [])
    starts = [segment.start for segment in segments]
    cells = [bisect_right(starts, position_of(x, width, total)) - 1 for x in range(width)]
    cursor = cell_of(position, width, total)
    flags = {cell_of(mark, width, total) for mark in marks}
    track = merge(_track(x, cells, cursor, flags, glyphs) for x in range(width))
    rows = [_names(segments, width, total, position), track] if height > 1 else [track]
    spots = tuple(Spot(range(height), range(x, x + 1), str(position_of(x, width, total))) for x in range(width))
    return Drawing(stack(rows, width, height, "timeline"), spots)


def position_of(x: int, width: int, total: int) -> int:
    """The position a cell of the track stands for: 0 for the first, all events for the last."""
    return total if width < 2 else round(x * total / (width - 1))


def cell_of(position: int, width: int, total: int) -> int:
    """The cell of the track a position is in."""
    if total <= 0 or width < 2:
        return 0
    return max(0, min(round(position * (width - 1) / total), width - 1))


def _track(x: int, cells: list[int], cursor: int, flags: Collection[int], glyphs: Glyphs) -> Run:
    if x == cursor:
        return Run(glyphs.side, "timeline.cursor")
    if x in flags:
        return Run(glyphs.bookmark, "timeline.mark")
    edge = x > 0 and cells[x] != cells[x - 1]
    if x < cursor:
        return Run(glyphs.divider if edge else glyphs.bar_full, "timeline.todo" if edge else "timeline.done")
    return Run(glyphs.divider if edge else glyphs.rule, "timeline.todo")


def _names(segments: list[Segment], cells: int, total: int, position: int) -> Row:
    """Names above where stretches start; rounds have their place first, phases take what is left."""
    here = bisect_right(segments, max(position - 1, 0), key=lambda segment: segment.start) - 1
    letters = [" "] * cells
    styles = ["timeline"] * cells
    by_importance = sorted(range(len(segments)), key=lambda at: (at != here, not segments[at].opens_round, at))
    for at in by_importance:
        segment = segments[at]
        label = clean(segment.label)
        start = cell_of(segment.start, cells, total)
        size = width(label)
        if at == here and size + start > cells:
            start = max(cells - size, 0)
        free = letters[max(start - 1, 0) : start + size + 1]
        if start + size > cells or any(cell != " " for cell in free) or size != len(label):
            continue
        letters[start : start + size] = label
        kind = "timeline.now" if at == here else "timeline.round" if segment.opens_round else "timeline.phase"
        styles[start : start + size] = [kind] * size
    if not segments:
        return blank(cells, "timeline")
    return merge(Run(char, style) for char, style in zip(letters, styles, strict=True))
