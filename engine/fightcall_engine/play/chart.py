"""A fight as spectators see it: its frames, with the lines of the story told with each, and the data of a timeline.

For the GM it is built from the fight itself, with a frame after each entry. For players everything is built from
`player_view` and the public events, so that two fights that differ only in secrets have identical frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, Protocol, TypeGuard, cast

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.kit.agenda import owner_of
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import (
    DamageApplied,
    Detected,
    Downed,
    EffectBegan,
    EffectEnded,
    Event,
    Healed,
    Joined,
    LeftFight,
    Moved,
    Overridden,
    PoolAdjusted,
    Restored,
    RoundBegan,
    RulingAsked,
    Waived,
)
from fightcall_engine.model.fold import as_known, evolve, known_by
from fightcall_engine.model.state import (
    AllOf,
    ClockReached,
    Combatant,
    Condition,
    Effect,
    FightState,
    Json,
    Known,
    PhaseReached,
    RoundReached,
    Step,
)
from fightcall_engine.model.values import frozen, has_attributes, replace
from fightcall_engine.play.story import (
    DOWN,
    Paragraph,
    Paragraphs,
    Part,
    begins_with,
    health,
    player_view,
    public_lines,
    public_side_pools,
    shown_step,
    tell,
)

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.history import Entry, Timeline


Kind = Literal[
    "acts", "moves", "hit", "miss", "hurt", "heals", "down", "rises", "declares", "waits", "joins", "leaves", "ruled"
]
"""Kinds of acts. ``acts`` is for acts without a more specific kind, ``ruled`` for acts of the GM."""

DEEDS: frozenset[Kind] = frozenset(("acts", "moves", "hit", "miss", "declares", "waits"))
"""The kinds of acts that combatants do themselves, so that their player had the turn."""

AMOUNTS: Mapping[str, str] = {"moves": "hexes", "hurt": "amount", "heals": "amount"}
"""The field of an event that holds its amount."""


@frozen
class Act:
    """Something that a combatant did or suffered.

    Attributes:
        who: the id of the combatant of its lane.
        amount: places moved, harm taken or healed; 0 for other kinds.
        entry: the number of its journal entry; for players, of its public event (see `Shot`).
        by: the id of the combatant who caused harm, for the GM only; empty for none or the same.
    """

    who: str
    kind: Kind
    amount: int
    entry: int
    secret: bool = False
    by: str = ""


@frozen
class Column:
    """A stretch of the agenda: a half, a band, a turn, a pulse.

    Attributes:
        round: the number of its round; 0 before the first.
        phase: the part of the round, in words; empty for several.
        side: the acting side, if it belongs to one.
        actor: the acting combatant, if it belongs to one.
        number: its number among equal ones in its phase, such as pulses, from 1.
        entry: the number of the journal entry, or for players of the public event, with which it began.
    """

    round: int
    title: str
    phase: str = ""
    side: str = ""
    actor: str = ""
    number: int = 1
    entry: int = 0
    secret: bool = False
    acts: tuple[Act, ...] = ()


@frozen
class Span:
    """How long an effect lasted: its first and last column; the last is None while it continues."""

    who: str
    name: str
    first: int
    last: int | None = None
    secret: bool = False


@frozen
class Due:
    """Something that is due at a later time.

    Attributes:
        who: the id of the combatant of its lane; empty for none.
        actor: the id of the combatant in whose turn it is due; empty for the end of the round.
        left: the remaining count; None if it does not count down.
        phase: the part of the round, in words; empty for any.
        number: the number of the step in that part; 0 for any.
    """

    words: str
    round: int
    who: str = ""
    actor: str = ""
    left: int | None = None
    phase: str = ""
    number: int = 0


@frozen
class Lane:
    """The lane of a combatant.

    Attributes:
        figure: how the combatant is shown; the last known look of leavers.
        kept: what the combatant has reserved for later, in words.
        here: false for leavers, and for combatants out of sight.
    """

    figure: Figure
    kept: str = ""
    here: bool = True


@frozen
class Chart:
    """The whole timeline at one moment.

    Attributes:
        columns: the columns that have begun, oldest first; the last one is running.
        ahead: the rest of this round, then each round in which something is due.
        dues: what is due; for players only the ends of effects that they see.
    """

    lanes: tuple[Lane, ...]
    columns: tuple[Column, ...]
    spans: tuple[Span, ...]
    ahead: tuple[Column, ...]
    dues: tuple[Due, ...] = ()


def due_of(span: Span, chart: Chart) -> Due | None:
    """When a running effect will end, if known."""
    if span.last is not None:
        return None
    return next((due for due in chart.dues if (due.who, due.words) == (span.who, span.name)), None)


def end_of(due: Due | None, chart: Chart) -> int:
    """The index of the column, past or ahead, in which something is due; else of the last column."""
    run = len(chart.columns)
    if due is None:
        return run + len(chart.ahead)
    places = [run + index for index, column in enumerate(chart.ahead) if column.round <= due.round]
    in_round = [place for place in places if _is_due_in(due, chart.ahead[place - run])]
    return in_round[0] if in_round else places[-1] if places else run - 1


def _is_due_in(due: Due, column: Column) -> bool:
    its_turn = bool(due.actor) and column.actor == due.actor
    its_phase = bool(due.phase) and column.phase == due.phase and due.number in (0, column.number)
    return column.round == due.round and (its_turn or its_phase)


def end_words(due: Due, chart: Chart) -> str:
    """When something ends: ``ends in Moment 3``, ``ends in Round 2, Ash's turn``."""
    columns = (*chart.ahead, *chart.columns[::-1])
    title = next((column.title for column in columns if column.round == due.round), "")
    name = next((lane.figure.name for lane in chart.lanes if due.actor and lane.figure.id == due.actor), "")
    return f"ends in {title}{f', turn of {name}' if name else ''}" if title else ""


# Deeds: how the timeline classifies an event


class Attempt(Protocol):
    """An event with the fields of an attack: who, and whether it hit."""

    who: str
    hit: bool


def is_attempt(event: Event) -> TypeGuard[Attempt]:
    """Whether an event is an attack of its own, whether it hit or not."""
    return has_attributes(event, "who", "hit") and not event.OF_ATTACK


def kind_of(event: Event) -> Kind | None:
    """The kind of act that an event is in a lane; None for none."""
    if is_attempt(event):
        return "hit" if event.hit else "miss"
    event_type: type = type(event)
    return _find_kind(event_type)


@cache
def _find_kind(event: type[Event]) -> Kind | None:
    for kind, types in _KINDS.items():
        if issubclass(event, types):
            return kind
    if event.DECLARES:
        return "declares"
    spoken = event.SEEN and not event.SEEN.startswith(" ") and not issubclass(event, EffectBegan | EffectEnded)
    return "acts" if event.ACTS or event.is_deed() or spoken else None


_KINDS: Mapping[Kind, tuple[type[Event], ...]] = {
    "hurt": (DamageApplied,),
    "heals": (Healed,),
    "down": (Downed,),
    "rises": (Restored,),
    "moves": (Moved,),
    "waits": (Waived,),
    "joins": (Joined, Detected),
    "leaves": (LeftFight,),
    "ruled": (PoolAdjusted, Overridden),
}


# What is due


def find_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """Everything due at a known time: the ends of effects, and cues that wait for a time."""
    if state.status == "closed":
        return
    for combatant in state.combatants.values():
        yield from _ends_of(state, system, combatant)
    for cue in state.cues:
        due = _due_at(state, system, cue.when)
        has_come = isinstance(cue.when, RoundReached) and cue.when.round <= state.round
        if due is not None and not has_come:
            yield Due(cue.name or cue.id, due[0], phase=due[1])


def find_public_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """The ends of effects on combatants in sight, except those on the clock of a hidden combatant."""
    people = {} if state.status == "closed" else state.combatants
    for combatant in people.values():
        for due in () if combatant.hidden else _ends_of(state, system, combatant):
            keeper = people.get(due.actor)
            if keeper is None or not keeper.hidden:
                actor = "" if keeper is None else known_by(state, keeper).id
                yield replace(due, who=known_by(state, combatant).id, actor=actor)


def _ends_of(state: FightState, system: BaseSystem, bearer: Combatant) -> Iterator[Due]:
    return (_due_of(state, system, bearer, effect) for effect in bearer.effects if effect.left is not None)


def _due_at(state: FightState, system: BaseSystem, condition: Condition) -> tuple[int, str] | None:
    """The round, and the part of it, in which a condition comes true, if it depends only on time."""
    if isinstance(condition, RoundReached):
        return max(condition.round, state.round), ""
    if isinstance(condition, ClockReached):
        seconds = system.seconds_of_round(state)
        seconds_left = condition.clock_s - state.clock_s
        # Game time advances at the end of a round.
        rounds = -(-seconds_left // seconds) - (state.step is not None) if seconds else 0
        return (state.round + rounds, "") if seconds_left > 0 and seconds else None
    if isinstance(condition, PhaseReached):
        phases = system.words(state.settings).phases
        folded_phase = condition.phase.lower()
        phase = next((name for name, words in phases.items() if folded_phase in (name.lower(), words.lower())), "")
        coming = state.agenda.steps[max(state.agenda.cursor, 0) + 1 :]
        return (state.round + all(step.phase != phase for step in coming), phases[phase]) if phase else None
    if isinstance(condition, AllOf):
        dues = [_due_at(state, system, part) for part in condition.all]
        certain = [due for due in dues if due is not None]
        if len(certain) < len(dues) or not certain:
            return None
        return max(number for number, _ in certain), next((phase for _, phase in certain if phase), "")
    return None


def _due_of(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect ends: in this round if its moment is still to come in it, else so many rounds later."""
    if effect.ticks == system.substep:
        all_of_round = [index for index, step in enumerate(state.agenda.steps) if step.kind == system.substep]
        past_count = sum(index <= state.agenda.cursor for index in all_of_round)
        rounds, place = divmod(past_count + (effect.left or 1) - 1, len(all_of_round) or 1)
        phase = state.agenda.steps[all_of_round[place]].phase if all_of_round else ""
        words = system.words(state.settings).phases.get(phase, phase.title())
        return Due(effect.name, state.round + rounds, bearer.id, left=effect.left, phase=words, number=place + 1)
    own_moments = {moment: end for end, moment in system.clocks.get("own", {}).items()}
    actor, turns_left = "", effect.left or 1
    steps, cursor = state.agenda.steps, max(state.agenda.cursor, 0)
    if effect.ticks in own_moments:
        actor = owner_of(state, bearer, effect)
        coming = steps[cursor + (own_moments[effect.ticks] == "start") :]
        counts_now = any(actor in (step.actor, *step.members) for step in coming)
    else:
        counts_now = bool(steps) and effect.ticks != system.clocks.get("round", {}).get("start")
    return Due(effect.name, state.round + turns_left - counts_now, bearer.id, actor, effect.left)


Row = Mapping[str, Json]
Ways = tuple[tuple[str, tuple[Location, ...]], ...]
"""The paths of those who moved, by id. Each path begins with the place they came from."""


@frozen
class Figure:
    """A combatant as shown to spectators.

    Attributes:
        health: ``unhurt``, ``hurt``, ``badly hurt``, ``down``, or empty if harm is not counted.
        pools: for the GM, what is left and the most of each pool; empty for players.
        turn: 0 if the combatant acts now, 1 if it is next, and so on; None if the order does not say.
        declared: what they said they would do.
    """

    id: str
    label: str
    name: str
    side: str
    at: Location | None
    facing: int | None
    able: bool
    hidden: bool
    health: str = ""
    pools: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    effects: tuple[str, ...] = ()
    turn: int | None = None
    declared: str = ""


@frozen
class Frame:
    """The picture after an entry.

    Attributes:
        round: its number, 0 before the first.
        title: the title of the round, such as ``Moment 3``.
        phase: the id of the running phase; empty for none.
        now: the phase, or whose turn it is, in words.
        side: the id of the side whose step it is; empty for nobody's.
        board: the map as it is then; None if the fight has none.
        ways: the paths walked in this entry. They stay visible during later entries without a frame.
        shared: the pools that sides share, in words: ``Party momentum 3/6``.
    """

    status: str
    round: int
    title: str
    phase: str
    now: str
    side: str
    clock_s: int
    board: AnyBoard | None
    figures: tuple[Figure, ...]
    ways: Ways = ()
    shared: tuple[str, ...] = ()


@frozen
class Told:
    """A line of the story, with its part of the fight, and whether it follows from the line above."""

    text: str
    part: Part
    follows: bool = False


@frozen
class Shot:
    """A frame, and its lines. `entry` is the number of its entry; for players, of its first public event, from 1."""

    entry: int
    frame: Frame
    lines: tuple[Told, ...] = ()


@frozen
class _End:
    """How far the frames are after an entry: their number, the last one, its paragraph, how many events are told."""

    count: int
    shot: Shot
    paragraph: Paragraph = Paragraph()
    public_events: int = 0


class Reel:
    """The frames along a fight's line of play, updated as the fight goes on, back or to another branch.

    The GM has a frame after each entry. Players have one for each sentence and each part of the round that they are
    told of, whatever entries these belong to: the number of entries would tell them what is done in secret.

    Attributes:
        shots: the visible frames, from the start.
    """

    def __init__(self, fight: Fight, *, for_gm: bool = False) -> None:
        self._fight = fight
        self._for_gm = for_gm
        self._entries: list[int] = []
        show = gm_frame if for_gm else player_frame
        start = fight.line.seek(0)
        self.shots: list[Shot] = [Shot(0, show(start, system_of(start)))]
        self._ends: list[_End] = [_End(1, self.shots[0])]
        """How far the frames are before the first entry, and after each."""
        self.update()

    def update(self) -> bool:
        """Update to the present line of the fight; True if anything visible has changed."""
        fight = self._fight if self._for_gm else self._fight.for_players()
        before = tuple(self.shots)
        new_entries = drop_undone(self._entries, fight.line)
        del self._ends[len(self._entries) + 1 :]
        self.shots[self._ends[-1].count - 1 :] = [self._ends[-1].shot]
        add = self._add_entry if self._for_gm else self._add_public
        for entry, state in new_entries:
            paragraph, number = add(entry, state)
            self._entries.append(entry.number)
            self._ends.append(_End(len(self.shots), self.shots[-1], paragraph, number))
        return tuple(self.shots) != before

    def _add_entry(self, entry: Entry, state: FightState) -> tuple[Paragraph, int]:
        telling = tell(system_of(state), state, entry.events, self._ends[-1].paragraph)
        lines = tuple(Told(remark.words, remark.part, remark.follows) for remark in telling.remarks if remark.is_told)
        ways: Ways = ()
        for event in entry.events:
            before, state = state, evolve(state, event)
            ways = _add_way(ways, event, before, state, for_gm=True)
        frame = gm_frame(state, system_of(state), ways)
        # Only dropping the last paths is no frame of its own.
        if lines or ways or frame != replace(self.shots[-1].frame, ways=()):
            self.shots.append(Shot(entry.number, frame, lines))
        return telling.paragraph, 0

    def _add_public(self, entry: Entry, state: FightState) -> tuple[Paragraph, int]:
        """Add what players see of an entry. What has no line for them joins the frame before it."""
        end = self._ends[-1]
        paragraphs, number, has_lines = Paragraphs(entry.events, end.paragraph), end.public_events, False
        ways = end.shot.frame.ways
        for seen, wording in public_lines(entry.events, state):
            number += 1
            if seen.is_step or isinstance(seen.event, RoundBegan):
                paragraphs.leave()
            is_part = _stretch(seen.before) != _stretch(seen.after)
            line = _place(wording, seen.after, paragraphs, system_of(seen.after)) if wording.text else None
            if is_part or (line is not None and not line.follows):
                # The last frame shows the state before the entry already.
                if seen.before is not state:
                    self._develop(seen.before, ways)
                ways = ()
                last = self.shots[-1]
                if last.lines or last.frame.phase or len(self.shots) == 1:
                    self.shots.append(Shot(number, last.frame))
            if line is not None:
                has_lines = True
                self.shots[-1] = replace(self.shots[-1], lines=(*self.shots[-1].lines, line))
            if seen.event is not None:
                ways = _add_way(ways, seen.event, seen.before, seen.after, for_gm=False)
        self._develop(reduce(evolve, entry.events, state), ways)
        for event in entry.events:
            if isinstance(event, RulingAsked):
                paragraphs.ask(event)
        return paragraphs.last() if has_lines else end.paragraph, number

    def _develop(self, state: FightState, ways: Ways) -> None:
        self.shots[-1] = replace(self.shots[-1], frame=player_frame(state, system_of(state), ways))


@frozen
class StoryLine:
    """A line of the story. `kind` is ``heading``, ``follows`` for a consequence of the line above, or empty."""

    kind: str
    text: str
    place: int
    part: Part


def line_numbers(shots: Sequence[Shot]) -> tuple[tuple[int, ...], ...]:
    """The number of each line for players: its sentence, from 1; the journal's would have gaps for secrets."""
    numbers, number = [], 0
    for shot in shots:
        row = []
        for line in shot.lines:
            number += not line.follows or not number
            row.append(number)
        numbers.append(tuple(row))
    return tuple(numbers)


def story_lines(shots: Sequence[Shot], start: int = 0) -> Iterator[StoryLine]:
    """The story of the shots from an index on, with a heading wherever another part of the fight begins."""
    part: Part | None = None
    for place in range(start, len(shots)):
        for sentence in shots[place].lines:
            if sentence.part != part:
                part = sentence.part
                if part.heading:
                    yield StoryLine("heading", part.heading, place, part)
            yield StoryLine("follows" if sentence.follows else "", sentence.text, place, part)


def newest_lines(shots: Sequence[Shot], most: int) -> list[StoryLine]:
    """The end of the story, of at least `most` lines if there are as many."""
    count, start = 0, len(shots)
    while start > 0 and count < most:
        start -= 1
        count += len(shots[start].lines)
    return list(story_lines(shots, start))


def stretch_of(state: FightState, step: Step, actor: str) -> tuple[int, str, str]:
    """What the steps of one turn have in common; a step that is nobody's, such as a pulse, has it alone."""
    return (state.round, actor or step.id, step.kind)


def _stretch(state: FightState) -> tuple[int, str, str]:
    step = state.sight.step
    return (state.round, "", "") if step is None else stretch_of(state, step, known_actor(state, step))


def known_actor(state: FightState, step: Step) -> str:
    """The actor of a step by the players' id for them; empty for nobody in sight."""
    actor = state.combatants.get(step.actor)
    return known_by(state, actor).id if actor is not None and not actor.hidden else ""


def _place(wording: Phrase, after: FightState, paragraphs: Paragraphs, system: BaseSystem) -> Told:
    public_state = as_known(after)
    names = ((figure.id, figure.name) for figure in public_state.combatants.values() if not figure.hidden)
    subject, name = max(
        (each for each in names if begins_with(wording.text, each[1])), key=lambda each: len(each[1]), default=("", "")
    )
    words, follows = paragraphs.place(wording, _public_part(public_state, system), subject, name)
    return Told(words, paragraphs.now.part or Part(), follows)


def _public_part(public_state: FightState, system: BaseSystem) -> Part:
    people = {name: figure for name, figure in public_state.combatants.items() if not figure.hidden}
    public_state = replace(public_state, combatants=people)
    step = public_state.sight.step
    title = system.round_title(public_state)
    return Part(public_state.round, title, system.part_name(public_state, step) if step is not None else "")


def player_frame(state: FightState, system: BaseSystem, ways: Ways = ()) -> Frame:
    """What players see."""
    view = player_view(state, system)
    people = {known_by(state, each).id: each for each in state.combatants.values() if not each.hidden}
    step = shown_step(state, system)
    turns = _turns(state, step, for_gm=False)
    declared = {str(each["who"]): str(each["words"]) for each in cast("Sequence[Row]", view["declarations"])}
    figures = []
    for row in cast("Sequence[Row]", view["combatants"]):
        combatant = people[str(row["id"])]
        effects, words = cast("Sequence[str]", row["effects"]), declared.get(str(row["id"]), "")
        names, turn = known_by(state, combatant), turns.get(combatant.id)
        figures.append(_figure_of(combatant, names, str(row["hp"] or ""), effects, turn, words))
    clock_s = state.clock_s - state.sight.hidden_s
    return _make_frame(state, system, step, clock_s, tuple(figures), ways, for_gm=False)


def gm_frame(state: FightState, system: BaseSystem, ways: Ways = ()) -> Frame:
    """What the GM sees: everybody, with their numbers."""
    turns = _turns(state, state.step, for_gm=True)
    declarations = {each.who: each.words for each in system.declarations(state)}
    figures = []
    for combatant in state.roster:
        effects = [effect.name for effect in combatant.effects]
        effects += [badge.text for badge in system.card(state, combatant.id).badges]
        looks = health(combatant, system.health) or ("" if combatant.able else DOWN)
        turn, words = turns.get(combatant.id), declarations.get(combatant.id, "")
        figure = _figure_of(combatant, combatant, looks, effects, turn, words)
        pools = {name: (pool.now, pool.max) for name, pool in combatant.pools.items()}
        figures.append(replace(figure, pools=pools))
    return _make_frame(state, system, state.step, state.clock_s, tuple(figures), ways, for_gm=True)


def _figure_of(
    combatant: Combatant, names: Combatant | Known, looks: str, effects: Iterable[str], turn: int | None, words: str
) -> Figure:
    return Figure(
        names.id, names.label, names.name, combatant.side, combatant.at, combatant.facing, combatant.able,
        combatant.hidden, looks, effects=tuple(effects), turn=turn, declared=words,
    )  # fmt: skip


def _make_frame(
    state: FightState,
    system: BaseSystem,
    step: Step | None,
    clock_s: int,
    figures: tuple[Figure, ...],
    ways: Ways,
    *,
    for_gm: bool,
) -> Frame:
    words = system.words(state.settings)
    now = ""
    if step is not None:
        actor = state.combatants.get(step.actor)
        now = words.phases.get(step.phase, step.phase.title())
        if actor is not None and (for_gm or not actor.hidden):
            now = actor.name if for_gm else known_by(state, actor).name
    return Frame(
        status=state.status,
        round=state.round,
        title=system.round_title(state),
        phase=step.phase if step is not None else "",
        now=now,
        side=step.side if step is not None else "",
        clock_s=clock_s,
        board=state.board,
        figures=figures,
        ways=ways,
        shared=tuple(
            f"{words.side_pool(side, name)} {pool.now}/{pool.max}"
            for side, pools in (state.side_pools if for_gm else public_side_pools(state, system)).items()
            for name, pool in pools.items()
        ),
    )


def _turns(state: FightState, step: Step | None, *, for_gm: bool) -> Mapping[str, int]:
    steps = state.agenda.steps
    if step is None or step not in steps:
        return {}
    numbers: dict[str, int] = {}
    for coming in steps[steps.index(step) :]:
        actor = state.combatants.get(coming.actor)
        if actor is None or not actor.able or (actor.hidden and not for_gm) or actor.id in numbers:
            continue
        numbers[actor.id] = len(numbers) if step.actor else len(numbers) + 1
    return numbers


def _add_way(ways: Ways, event: Event, before: FightState, after: FightState, *, for_gm: bool) -> Ways:
    """Add the path of an event, if its walker is in sight before and after it."""
    if not isinstance(event, Moved) or not event.path:
        return ways
    start, end = before.combatants.get(event.who), after.combatants.get(event.who)
    if start is None or end is None or start.at is None or (not for_gm and (start.hidden or end.hidden)):
        return ways
    name, known = end.id if for_gm else known_by(after, end).id, dict(ways)
    return tuple({**known, name: (*known.get(name, (start.at,)), *event.path)}.items())


def drop_undone(known: list[int], line: Timeline) -> Iterator[tuple[Entry, FightState]]:
    """Drop the numbers of entries that are no longer on a line. Returns its other entries, with the states before."""
    pairs = enumerate(zip(known, line.entries, strict=False))
    same = next(
        (index for index, (number, entry) in pairs if number != entry.number), min(len(known), len(line.entries))
    )
    del known[same:]
    state = line.seek(line.span(same - 1)[1] if same else 0)
    states = accumulate(line.entries[same:], lambda before, entry: reduce(evolve, entry.events, before), initial=state)
    return zip(line.entries[same:], states, strict=False)
