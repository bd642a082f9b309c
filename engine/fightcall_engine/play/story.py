"""What is told of a fight: a sentence for each act, with its consequences under it; and what players may see of it.

Log, chronicle, list of moments and call bar all use the story, so that they say the same in the same order. A
combatant isn't named again if the line above was about it. A roll stands beside the sentence that it decides.

The players' forms contain only what is named here or in an event's `PUBLIC`. So a field that a system adds later is
hidden until it is opened explicitly. Two fights that differ only in what is hidden have equal views and events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, TypeGuard, cast

from fightcall_engine.kit.decision import sum_words
from fightcall_engine.kit.phrases import OPENED, phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import fill_template, name_of, setting_named
from fightcall_engine.kit.views import Interaction, Phrase, Tally
from fightcall_engine.model.events import (
    BoardChanged,
    ClockAdvanced,
    CueFired,
    DamageApplied,
    Detected,
    DiceRolled,
    Downed,
    Event,
    FightOpened,
    Joined,
    OrderSet,
    Overridden,
    Refilled,
    Renamed,
    RoundBegan,
    RulingAsked,
    RulingRecorded,
    SettingChanged,
    SidePoolChanged,
    Spent,
    StepBegan,
    StepSkipped,
    TimeSkipped,
    named_places,
    subjects,
)
from fightcall_engine.model.fold import as_known, evolve, known_by
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import CUE, Combatant, FightState, Json, Named, Pool, Step
from fightcall_engine.model.values import frozen, has_attributes, replace

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Declaration


MINOR = (Spent, Refilled, DiceRolled)
"""Events that matter at the moment, but that no reader of the story misses."""
_HIT = "hit"  # told if nothing else tells of it
_BLOW = "hit for "
"""What the line of a hit's harm begins with, under the sentence that says who was hit."""
BETWEEN = "  "
"""The separator between a roll and its outcome beside a sentence."""
SECRET = "secret"
"""The mark of a sentence that players do not see."""


class Blow(Protocol):
    """An event with the fields of an attack on a combatant: who attacks, the target, and whether it hit."""

    who: str
    target: str
    hit: bool


def is_blow(event: Event) -> TypeGuard[Blow]:
    """Whether an event has the fields of an attack on a combatant."""
    return has_attributes(event, "who", "target", "hit")


@frozen
class Part:
    """A part of a fight, as a heading says it: ``Moment 2 · Melee``.

    Attributes:
        round: the number of the round, 0 before the first.
        title: the title of the round; empty before the first.
        name: the phase, or whose turn it is; empty between them.
    """

    round: int = 0
    title: str = ""
    name: str = ""

    @property
    def heading(self) -> str:
        """The heading in words; empty for none."""
        return " · ".join(word for word in (self.title, self.name) if word)


BEFORE_ALL = Part()
"""The part before anything has begun."""


@frozen
class Remark:
    """One line of the story.

    Attributes:
        text: the text, without `sum`.
        tone: ``plain``, ``dim``, ``ruling``, ``fallen``, ``heading`` for the opening of a fight, or ``aside`` for what
            only matters as it happens: it is in the list of moments, but not in the story.
        rule: the rule behind it, if there is one.
        name: the name it begins with; empty if it begins otherwise, or the name is understood.
        follows: it is a consequence of the sentence above.
        edge: the dice beside it.
        is_thrown: these dice add up to the number in it, and were not rolled against another.
        is_minor: see `MINOR`.
        is_secret: players do not see it.
        tally: its number, for telling several of the same kind together.
        sum: what the number in it is made of.
        is_outcome: it is the result of the act above: its harm, or who went down.
        is_suffered: it says what a combatant suffers by the act above, such as wounds if these are counted.
        is_order: it gives the order of play.
    """

    text: str
    tone: str
    rule: str
    part: Part
    name: str = ""
    follows: bool = False
    edge: str = ""
    is_thrown: bool = False
    is_minor: bool = False
    is_secret: bool = False
    tally: Tally | None = None
    sum: str = ""
    is_outcome: bool = False
    is_suffered: bool = False
    is_order: bool = False

    @property
    def words(self) -> str:
        """All of it on one line."""
        aside_words = ", ".join(word for word in (*self.edge.split(BETWEEN), SECRET if self.is_secret else "") if word)
        return f"{self.sentence} ({aside_words})" if aside_words else self.sentence

    @property
    def sentence(self) -> str:
        """The text, with its sum in brackets."""
        return f"{self.text} ({self.sum})" if self.sum else self.text

    @property
    def is_told(self) -> bool:
        """Whether the line belongs in the story, because a reader would miss it."""
        return self.tone not in ("heading", "aside") and not self.is_minor


@frozen
class Paragraph:
    """The latest sentence and the lines under it, for lines that may still follow from it.

    Attributes:
        part: its part of the fight; None before anything was told.
        is_act: it began with the sentence of an act; otherwise nothing can follow from it.
        actor: the id of the combatant that the sentence is about.
        subject: the id of the combatant that the last line was about.
        struck: the id of the combatant that the act has hit.
        asked: the ids of the questions that it led to; what their answers cause belongs to it.
    """

    part: Part | None = None
    is_act: bool = False
    actor: str = ""
    subject: str = ""
    struck: str = ""
    asked: frozenset[str] = frozenset()


@frozen
class Telling:
    """The remarks of an entry, the state after it, and the paragraph that it leaves open."""

    remarks: tuple[Remark, ...]
    state: FightState
    paragraph: Paragraph


def part_of(system: BaseSystem, state: FightState) -> Part:
    """The part of the fight in a state."""
    name = system.part_name(state, state.step) if state.step is not None else ""
    return Part(state.round, system.round_title(state), name)


def answers(events: Sequence[Event]) -> str:
    """The id of the question that these events begin by answering; empty if they do not."""
    first = next((event for event in events if not isinstance(event, Overridden)), None)
    return first.prompt if isinstance(first, RulingRecorded) else ""


def tell(
    system: BaseSystem, state: FightState, events: Sequence[Event], before: Paragraph, later: Sequence[FightState] = ()
) -> Telling:
    """Tell the events of a command; `later` are the states after each of them, if the caller has them.

    The paragraph `before` is continued if they answer a question of it.
    """
    paragraphs = Paragraphs(events, before)
    teller = _Teller(system, state, paragraphs, has_before=before.part is not None)
    for event, after in zip(events, later or [*accumulate(events, evolve, initial=state)][1:], strict=True):
        teller.hear(event, after)
    return Telling(teller.all_remarks(), teller.state, paragraphs.last())


class Paragraphs:
    """Decides for each line whether it follows from the sentence above, and whether its name can be left out.

    The paragraph `before` is continued if the entry answers a question that it led to.
    """

    def __init__(self, events: Sequence[Event], before: Paragraph) -> None:
        prompt = answers(events)
        self.now = before if prompt and prompt in before.asked else Paragraph()
        self._left: Paragraph | None = None
        """The last paragraph of the step before."""

    def leave(self) -> None:
        """Another step begins, so the next line does not follow from the lines above."""
        if self.now.part is not None:
            self._left = self.now
        self.now = Paragraph()

    def ask(self, event: RulingAsked) -> None:
        """Note a question: what its answer causes will belong to the sentence above."""
        self.now = replace(self.now, asked=self.now.asked | {event.prompt.id})

    def place(self, wording: Phrase, part: Part, subject: str, name: str) -> tuple[str, bool]:
        """The words of a line at this point, and whether it follows. The name is left out if it is understood."""
        now, words = self.now, wording.text
        if self.begins(wording, subject):
            # A question of the sentence before is not one of this.
            asked = frozenset() if now.part is not None else now.asked
            self.now = Paragraph(part, not wording.follows, subject, subject, asked=asked)
            return words, False
        self.now = replace(now, subject=subject or now.subject)
        return (words[len(name) :].lstrip(" :,") if subject and subject == now.subject else words), True

    def begins(self, wording: Phrase, subject: str) -> bool:
        """Whether a line begins a paragraph; see `place`."""
        now = self.now
        is_other = subject not in ("", now.subject, now.struck)
        return now.part is None or not wording.follows or (is_other and not (now.is_act and now.actor))

    def last(self) -> Paragraph:
        """The paragraph that later answers may continue."""
        return self._left if self._left is not None and self.now.part is None else self.now


class _Teller:
    def __init__(
        self, system: BaseSystem, state: FightState, paragraphs: Paragraphs, *, has_before: bool = False
    ) -> None:
        self.state = state
        self._has_before = has_before
        self._paragraphs = paragraphs
        self._system = system
        self._remarks: list[Remark] = []
        self._sentence: int | None = None
        """The index of the paragraph's sentence among the remarks; None if it is in an earlier entry."""
        self._outcome = -2
        """The index of a roll or an outcome with a line of its own, because the sentence is in an earlier entry."""
        self._nameless = -1, ""
        """The index of such a roll that no sentence says the name of, and that name."""
        self._thrown: list[Remark] = []
        self._prices: list[tuple[Event, Phrase, FightState]] = []
        """Prices paid before the sentence of the act they were paid for."""
        self._overruled: list[tuple[Event, Phrase, FightState]] = []
        """Overrides before the sentence of their act; they stand below its outcome."""
        self._interactions: list[Interaction] = []
        self._cues: list[tuple[Event, Phrase | None, FightState]] = []
        """Cues that fired during an act, with their questions; they stand below its results."""

    def hear(self, event: Event, after: FightState) -> None:
        """Tell one event, with the state after it."""
        is_routine = isinstance(event, StepSkipped) or (isinstance(event, RulingRecorded) and event.default_taken)
        wording = None if is_routine else phrase(self._system, event, self.state)
        if isinstance(event, StepBegan | RoundBegan):
            self._tell_rest()
            self._paragraphs.leave()
            self._sentence = None
        elif isinstance(event, RulingAsked) and self._cues and event.prompt.kind == CUE:
            self._cues.append((event, None, after))
        elif isinstance(event, RulingAsked):
            self._paragraphs.ask(event)
        elif isinstance(event, RulingRecorded):
            # It may be about one of the cues.
            self._tell_cues()
        if wording is not None and not (wording.tone == "heading" and isinstance(event, StepBegan | RoundBegan)):
            self._say(event, wording, after)
        if is_blow(event) and event.hit:
            self._paragraphs.now = replace(self._paragraphs.now, struck=event.target)
        self.state = after

    def all_remarks(self) -> tuple[Remark, ...]:
        """Everything told."""
        self._tell_rest()
        # Say whose roll it was, unless the harm says enough of a hit.
        place, name = self._nameless
        if name and 0 <= place < len(self._remarks) and self._remarks[place].text != _HIT:
            self._remarks[place] = replace(self._remarks[place], text=f"{name}: {self._remarks[place].text}", name=name)
        remarks = self._remarks
        # A line with consequences is part of the story.
        heads = {at - 1 for at, remark in enumerate(remarks) if remark.follows and not remark.is_minor}
        return tuple(
            replace(remark, tone="dim") if at in heads and remark.tone == "aside" else remark
            for at, remark in enumerate(remarks)
        )

    def _say(self, event: Event, wording: Phrase, after: FightState) -> None:
        if wording.interaction is not None:
            if wording.interaction.repeats(self._interactions):
                return
            self._interactions.append(wording.interaction)
        if isinstance(event, DiceRolled):
            wording = replace(wording, edge=f"{event.dice}: {sum_words(event)}")
            self._thrown.append(self._remark(event, wording, after, wording.text, follows=True))
            return
        if isinstance(event, Spent) and wording.follows and self._paragraphs.now.part is None:
            self._prices.append((event, wording, after))
            return
        if isinstance(event, CueFired) and self._paragraphs.now.part is not None:
            self._cues.append((event, wording, after))
            return
        if isinstance(event, Overridden) and self._paragraphs.now.part is None:
            self._overruled.append((event, wording, after))
            return
        is_thrown = False
        if wording.edge or wording.tone not in ("ruling", "heading"):
            dice = ", ".join(remark.edge for remark in self._thrown)
            is_thrown = bool(dice and not wording.edge)
            wording = replace(wording, edge=wording.edge or dice)
            self._thrown.clear()
        if wording.text:
            self._add(event, wording, after, is_thrown=is_thrown)
        elif self._sentence is not None:
            act = self._remarks[self._sentence]
            edges = (act.edge, wording.edge) if act.edge else (wording.edge,)
            self._remarks[self._sentence] = replace(act, edge=BETWEEN.join(edges))
        elif self._outcome == len(self._remarks) - 1:
            self._remarks[-1] = replace(self._remarks[-1], text=f"{self._remarks[-1].text}  {wording.edge}")
        else:
            if self._paragraphs.now.part is None:
                name = next((_name(each, self.state, after) for each in subjects(event)), "")
                self._nameless = len(self._remarks), name
            self._add(event, replace(wording, text=wording.edge, edge="", follows=True), after)
            self._outcome = len(self._remarks) - 1

    def _add(self, event: Event, wording: Phrase, after: FightState, *, is_thrown: bool = False) -> None:
        text = wording.text
        if wording.tone == "heading":
            # The title of the fight does not stand below what was done in set-up.
            text = OPENED if self._has_before and isinstance(event, FightOpened) else text
            self._remarks.append(self._remark(event, wording, after, text, follows=False))
            return
        now = self._paragraphs.now
        subject = next((each for each in subjects(event) if begins_with(text, _name(each, self.state, after))), "")
        name = _name(subject, self.state, after)
        if self._paragraphs.begins(wording, subject):
            self._tell_cues()
        part = self._part(after, event)
        # A combatant who falls is always named, as readers look for that.
        short = "" if _tone(event, wording) == "fallen" else name
        words, follows = self._paragraphs.place(wording, part, subject, short)
        is_blow = isinstance(event, DamageApplied) and event.by in ("", now.actor) and subject == now.struck
        is_harm = follows and is_blow and bool(subject)
        if is_harm:
            is_outcome_here = self._outcome == len(self._remarks) - 1 and self._remarks[-1].text == _HIT
            if is_outcome_here:
                self._remarks.pop()
            # The hit of an earlier entry has been told there.
            is_hit_told = self._sentence is None and not is_outcome_here
            words = (
                text.removeprefix(f"{name} takes ")
                if is_hit_told
                else re.sub(rf"^{re.escape(name)} takes (\d+) damage", rf"{_BLOW}\1", text)
            )
            # Drop the line of a hit, once its harm tells of it.
            if self._sentence is not None and self._remarks[self._sentence].edge.split(BETWEEN)[-1] == _HIT:
                act = self._remarks[self._sentence]
                self._remarks[self._sentence] = replace(act, edge=act.edge[: -len(_HIT)].rstrip())
        elif isinstance(event, DamageApplied) and not follows and event.by in self.state.combatants:
            harm, bracket, left = words.partition(" (")
            words = f"{harm} from {name_of(self.state, event.by)}{bracket}{left}"
        last = self._remarks[-1] if self._remarks else None
        if last is not None and last.tone == "ruling" and last.text.casefold() == text.casefold():
            # A ruling is its own outcome, and is told only once.
            words = self._remarks.pop().text
        if not follows:
            self._sentence = len(self._remarks)
        remark = self._remark(event, wording, after, words, follows=follows)
        is_suffered = follows and not is_harm and wording.tone == "bad" and not wording.edge
        is_outcome = is_harm or (follows and remark.tone == "fallen")
        own_name = name if begins_with(words, name) else ""
        self._remarks.append(
            replace(remark, name=own_name, is_thrown=is_thrown, is_outcome=is_outcome, is_suffered=is_suffered)
        )
        self._tell_prices()

    def _remark(self, event: Event, wording: Phrase, after: FightState, text: str, *, follows: bool) -> Remark:
        part = self._paragraphs.now.part if wording.tone != "heading" else None
        return Remark(
            text=text,
            tone=_tone(event, wording),
            rule=wording.rule,
            part=part or self._part(after, event),
            follows=follows,
            edge=wording.edge,
            is_minor=isinstance(event, MINOR) and (follows or wording.tone == "dim"),
            is_secret=not follows and is_secret(event, self.state, after),
            tally=wording.tally,
            sum=wording.sum,
            is_order=isinstance(event, OrderSet),
        )

    def _part(self, after: FightState, event: Event) -> Part:
        is_begin = isinstance(event, StepBegan | RoundBegan)
        return part_of(self._system, after if is_begin else self.state)

    def _tell_rest(self) -> None:
        self._tell_prices()
        follows = self._paragraphs.now.part is not None
        self._remarks += [replace(remark, follows=follows, edge="") for remark in self._thrown]
        self._thrown.clear()
        self._tell_cues()
        rulings, self._overruled = self._overruled, []
        for ruling in rulings:
            self._add(*ruling)

    def _tell_cues(self) -> None:
        waiting, self._cues = self._cues, []
        for event, wording, after in waiting:
            if wording is not None:
                self._add(event, wording, after)
            elif isinstance(event, RulingAsked):
                self._paragraphs.ask(event)

    def _tell_prices(self) -> None:
        prices, self._prices = self._prices, []
        for price in prices:
            self._add(*price)


def _tone(event: Event, wording: Phrase) -> str:
    """The tone of a remark: only rulings, notes and the fallen stand out."""
    if isinstance(event, Downed):
        return "fallen"
    if wording.tone == "dice":
        return "dim"
    return wording.tone if wording.tone in ("dim", "ruling", "fallen", "heading", "aside") else "plain"


def _name(combatant_id: str, before: FightState, after: FightState) -> str:
    combatant = before.combatants.get(combatant_id) or after.combatants.get(combatant_id)
    return combatant.name or combatant.id if combatant is not None else ""


def begins_with(text: str, name: str) -> bool:
    """Whether a line begins with a name as a whole word."""
    return bool(name) and text.startswith(name) and text[len(name) : len(name) + 1] in (" ", ":", ",")


UNHURT, HURT, BADLY_HURT, DOWN = "unhurt", "hurt", "badly hurt", "down"


def player_view(state: FightState, system: BaseSystem) -> dict[str, Json]:
    """The fight as players may see it, as JSON.

    `phase` and `side` are those of the step that players believe to run; empty if they know of none. A step in which
    only the hidden can act changes nothing for them. `at` is ``[q, r]`` or None. `hp` is one of ``unhurt``, ``hurt``,
    ``badly hurt`` and ``down``, or None for a combatant whose harm is not counted; `effects` are the visible effects in
    words; `side_pools` are those that sides share, left out if all are secret. Ids, labels and names are the players'
    own (`fightcall_engine.model.fold`).
    """
    people = (state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)
    figures = [combatant for combatant in people if not combatant.hidden]
    side_pools = public_side_pools(state, system)
    step, in_their_words = shown_step(state, system), as_known(state)
    return {
        "status": state.status,
        "round": state.round,
        "phase": step.phase if step is not None else "",
        "side": step.side if step is not None else "",
        "clock_s": state.clock_s - state.sight.hidden_s,
        "order": [known_by(state, combatant).id for combatant in figures],
        "combatants": [_figure_with_badges(combatant, in_their_words, system) for combatant in figures],
        "declarations": [
            _public_declaration(declaration, state)
            for declaration in system.declarations(in_their_words)
            if declaration.who in state.combatants and not state.combatants[declaration.who].hidden
        ],
        **({"side_pools": to_json(side_pools)} if side_pools else {}),
    }


def public_side_pools(state: FightState, system: BaseSystem) -> dict[str, dict[str, Pool]]:
    """The pools that sides share and players may see."""
    secret = {(each.side, each.id) for each in system.side_pools if each.is_secret}
    shown = {
        side: {name: pool for name, pool in pools.items() if (side, name) not in secret}
        for side, pools in state.side_pools.items()
    }
    return {side: pools for side, pools in shown.items() if pools}


def shown_step(state: FightState, system: BaseSystem) -> Step | None:
    """The step that players see to run; None for none.

    Play never waits in one of the system's `passing_phases`. If it does for players, as a hidden combatant has the step
    after it, they still see the one before it.
    """
    step, steps = state.sight.step, state.agenda.steps
    if step is None or step not in steps:
        return step
    until = steps[: steps.index(step) + 1]
    return next((each for each in reversed(until) if each.phase not in system.passing_phases), step)


def public_events(events: Iterable[Event], before: FightState) -> tuple[dict[str, Json], ...]:
    """What players are told of all that a command caused.

    They leave out events whose class opens no field, and those about a combatant who is hidden before and after. A
    combatant who comes into sight (`Joined`, `Detected`) is described as in `player_view`, under ``figure``; a change
    of the map has the whole `board`. A step that players see (`fightcall_engine.model.fold`) is told as it begins; one
    that they come to see in another way, such as by a change of the order, is told before the next one begins, or at
    the end.
    """
    return tuple(seen.form for seen in public_forms(events, before))


@frozen
class Seen:
    """What players are told of one event.

    Attributes:
        event: the event; None for a step that is told late.
        form: it as in `public_events`.
        before: the fight before it; `after` is the fight after it.
    """

    event: Event | None
    form: dict[str, Json]
    before: FightState
    after: FightState

    @property
    def is_step(self) -> bool:
        """Whether a step begins for players."""
        return self.event is None or isinstance(self.event, StepBegan)


def public_lines(events: Iterable[Event], before: FightState) -> Iterator[tuple[Seen, Phrase]]:
    """The public events with their words; the text is empty for events without."""
    for seen in public_forms(events, before):
        event, after = seen.event, seen.after
        template = event.SEEN if event is not None else ""
        text = ""
        if event is not None and template:
            more = {name: place for name, place in named_places(event, after.board).items() if name in seen.form}
            if isinstance(event, SidePoolChanged):
                words = system_of(after).words(after.settings)
                more |= {"side": words.side(event.side), "pool": words.pool(event.pool)}
            text = fill_template(template, {**seen.form, **more}, _known_names(before) | _known_names(after))
        yield seen, Phrase(text.strip(), follows=template.startswith(" "))


def _known_names(state: FightState) -> dict[str, str]:
    aliases = (known_by(state, combatant) for combatant in state.combatants.values() if not combatant.hidden)
    return {alias.id: alias.name for alias in aliases}


def public_forms(events: Iterable[Event], before: FightState) -> Iterator[Seen]:
    """What players are told of some events, in order, as `public_events` says."""
    state, last_step = before, before.sight.step
    for event in events:
        after = evolve(state, event)
        is_begin = isinstance(event, StepBegan)
        if is_begin and after.sight.step != state.sight.step:
            yield from _tell_late(state, last_step)
            last_step = after.sight.step
        if not is_begin or after.sight.step != state.sight.step:
            form = _public_form(event, state, after)
            if form is not None:
                yield Seen(event, form, state, after)
        last_step = last_step if after.sight.step is not None else None
        state = after
    yield from _tell_late(state, last_step)


def _tell_late(state: FightState, last_step: Step | None) -> Iterator[Seen]:
    """The step that players see, unless they have been shown it already."""
    step = state.sight.step
    if step is not None and step != last_step:
        before = replace(state, sight=replace(state.sight, step=last_step))
        yield Seen(None, {"type": StepBegan.type, "phase": step.phase, "side": step.side}, before, state)


def is_secret(event: Event, before: FightState, after: FightState) -> bool:
    """Whether players are told nothing of it: it is about someone hidden, a secret declaration, or a secret pool."""
    shown = public_side_pools(after, system_of(after)) if isinstance(event, SidePoolChanged) else {}
    if isinstance(event, SidePoolChanged) and event.pool not in shown.get(event.side, {}):
        return True
    if any(_is_concealed(combatant_id, before, after) for combatant_id in subjects(event)):
        return True
    return event.OF_DECLARED and is_declared_in_secret(event.subject_id, before)


def _public_form(event: Event, before: FightState, after: FightState) -> dict[str, Json] | None:
    if not event.PUBLIC or is_secret(event, before, after):
        return None
    if isinstance(event, OrderSet) and _in_sight_of(before.order, after) == _in_sight_of(after.order, after):
        return None
    if isinstance(event, ClockAdvanced):
        # The passing of game time as players know it; None in a step that they do not see.
        if before.sight.hidden_s != after.sight.hidden_s:
            return None
        words = {"text": event.text} if isinstance(event, TimeSkipped) else {}
        return {"type": event.type, "seconds": event.seconds, "total": event.total - after.sight.hidden_s, **words}
    names = {**before.sight.names, **after.sight.names}
    form: dict[str, Json] = {"type": event.type}
    for name, value in ((name, getattr(event, name)) for name in event.PUBLIC):
        if name in event.LISTED:
            form[name] = [names[each].id if each in names else each for each in _in_sight_of(value, after)]
        elif name in event.SUBJECTS and isinstance(value, str):
            form[name] = names[value].id if value in names else value
        else:
            form[name] = _public(value)
    if isinstance(event, SettingChanged):
        # A setting read from a file is for the GM alone: what foes may wear, changed tables.
        setting = setting_named(system_of(after), event.setting)
        form["value"] = None if setting is not None and setting.file else form["value"]
    if isinstance(event, Renamed) and event.who in names:
        form["name"] = names[event.who].name
    if isinstance(event, BoardChanged):
        form["board"] = to_json(event.board)
    if isinstance(event, Joined | Detected):
        combatant = after.combatants.get(event.who)
        form["figure"] = None if combatant is None else _figure(combatant, after)
    return form


def health(combatant: Combatant, pool_id: str) -> str | None:
    """How hurt a combatant looks, without numbers, by its system's pool of health."""
    if not combatant.able:
        return DOWN
    pool = combatant.pools.get(pool_id)
    if pool is None or pool.max == 0:
        return None
    if pool.now == 0:
        return DOWN
    if pool.now >= pool.max:
        return UNHURT
    return HURT if 2 * pool.now > pool.max else BADLY_HURT


def _figure(combatant: Combatant, state: FightState) -> dict[str, Json]:
    alias = known_by(state, combatant)
    return {
        "id": alias.id,
        "label": alias.label,
        "name": alias.name,
        "side": combatant.side,
        "at": to_json(combatant.at),
        "facing": combatant.facing,
        "able": combatant.able,
        "hp": health(combatant, system_of(state).health),
        "effects": [effect.name for effect in combatant.effects],
    }


def _figure_with_badges(combatant: Combatant, state: FightState, system: BaseSystem) -> dict[str, Json]:
    badges = [badge.seen for badge in system.card(state, combatant.id).badges if badge.seen]
    return {**_figure(combatant, state), "effects": [*(effect.name for effect in combatant.effects), *badges]}


def _public_declaration(declaration: Declaration, state: FightState) -> dict[str, Json]:
    """A declaration for players. Of a secret one only the public text, as a price or a limb would reveal it."""
    combatant_id = known_by(state, state.combatants[declaration.who]).id
    if declaration.public:
        return {"who": combatant_id, "words": declaration.public, "parts": "", "cost": "", "due": "", "status": ""}
    return {
        "who": combatant_id,
        "words": declaration.words,
        "parts": declaration.parts,
        "cost": declaration.cost,
        "due": declaration.due,
        "status": declaration.status,
    }


def _is_concealed(combatant_id: str, before: FightState, after: FightState) -> bool:
    """Whether an id is that of a combatant who is in sight in neither state. Words that are no id conceal nobody."""
    people = [state.combatants[combatant_id] for state in (before, after) if combatant_id in state.combatants]
    return bool(people) and all(combatant.hidden for combatant in people)


def _in_sight_of(ids: object, state: FightState) -> list[str]:
    names = cast("tuple[str, ...]", ids)
    return [
        combatant_id
        for combatant_id in names
        if combatant_id not in state.combatants or not state.combatants[combatant_id].hidden
    ]


def is_declared_in_secret(combatant_id: str, state: FightState) -> bool:
    """Whether a combatant's present declaration is secret, that is, has a public text in its place."""
    declarations = [each for each in system_of(state).declarations(state) if each.who == combatant_id]
    return bool(declarations) and bool(declarations[-1].public)


def _public(value: object) -> Json:
    """The public value of a field. Of an effect or a record only its name; of other nested values nothing."""
    if isinstance(value, Named):
        return value.name
    if isinstance(value, str | int | float) or value is None:
        return value
    return [_public(item) for item in value] if isinstance(value, tuple | list) else None
