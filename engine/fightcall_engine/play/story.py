"""The story of a fight: a sentence for each act, and under it what came of it.

Log, chronicle, list of moments and call bar read it here, so that they say the same in the same order. What follows
from an act stands under its sentence, though it was settled by answers given later; a combatant's name is left out
where the line above was about the same one; a roll stands beside the sentence it decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.views import Phrase, Tally
from fightcall_engine.model.events import (
    DamageApplied,
    DiceRolled,
    Downed,
    Event,
    OrderSet,
    Overridden,
    Refilled,
    RoundBegan,
    RulingAsked,
    RulingRecorded,
    Spent,
    StepBegan,
    StepSkipped,
    subjects,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.play.player_view import is_secret

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

MINOR = (Spent, Refilled, DiceRolled)
"""What the table needs to know at the time and no reader misses."""
_HIT = "hit"
"""That a blow hit, where nothing else says so."""
_BLOW = "hit for "
"""What the harm of a blow begins with, under the sentence that says whom it hit."""
BETWEEN = "  "
"""What stands between a roll and its outcome, beside a sentence."""
SECRET = "secret"
"""What marks a sentence of which players know nothing."""


@runtime_checkable
class Blow(Protocol):
    """An event that says whether an attack on somebody hit."""

    target: str
    hit: bool


@frozen
class Part:
    """A part of a fight, as a heading says it: ``Moment 2 · Melee``.

    Attributes:
        round: the number of the round, 0 before the first.
        title: what the round is called; empty before the first.
        name: the phase, or whose turn it is; empty between them.
    """

    round: int = 0
    title: str = ""
    name: str = ""

    @property
    def heading(self) -> str:
        """The words of the heading; empty for none."""
        return " · ".join(word for word in (self.title, self.name) if word)


BEFORE_ALL = Part()
"""The part in which nothing has begun."""


@frozen
class Remark:
    """One line of the story.

    Attributes:
        text: what is told, without the sum behind it.
        tone: ``plain``, ``dim``, ``ruling``, ``fallen``, ``heading`` for what opens a fight, or ``aside`` for what only
            counts as it happens: the list of moments tells it, the story leaves it out.
        rule: the rule behind it, if there is one.
        part: where it happened.
        name: whose name it begins with; empty where it begins otherwise, or the name is understood.
        follows: it came of the sentence above.
        edge: what stands beside it: its dice.
        is_thrown: these are the dice that came to its number, and no roll against another.
        is_minor: see `MINOR`.
        is_secret: players know nothing of it.
        tally: its number, where several like it are told together.
        sum: what the number in it is made of.
        is_outcome: it is what the act above it did: its harm, or who went down.
        is_suffered: it says what somebody suffers by the act above it, such as wounds where these are counted.
        is_order: it says who goes when.
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
        beside = ", ".join(word for word in (*self.edge.split(BETWEEN), SECRET if self.is_secret else "") if word)
        return f"{self.sentence} ({beside})" if beside else self.sentence

    @property
    def sentence(self) -> str:
        """What is told, with its sum in brackets."""
        return f"{self.text} ({self.sum})" if self.sum else self.text

    @property
    def is_told(self) -> bool:
        """Whether those who read about the fight miss it."""
        return self.tone not in ("heading", "aside") and not self.is_minor


@frozen
class Paragraph:
    """What has been told last, for what follows from it.

    Attributes:
        part: where it happened; None before anything was told.
        is_act: it began with a sentence; what was told only because nothing stood before it takes no more.
        actor: the id of whom the sentence is about.
        subject: the id of whom the last line was about.
        struck: the id of whom the act has hit.
        asked: the ids of the questions that it led to: what their answers bring about belongs to it.
    """

    part: Part | None = None
    is_act: bool = False
    actor: str = ""
    subject: str = ""
    struck: str = ""
    asked: frozenset[str] = frozenset()


@frozen
class Telling:
    """What an entry tells, the state after it, and the paragraph that it leaves open."""

    remarks: tuple[Remark, ...]
    state: FightState
    paragraph: Paragraph


def part_of(system: BaseSystem, state: FightState) -> Part:
    """The part of the fight that a state is in."""
    name = system.part_name(state, state.step) if state.step is not None else ""
    return Part(state.round, system.round_title(state), name)


def answers(events: Sequence[Event]) -> str:
    """The id of the question that these events answer before all else; empty where they answer none."""
    first = next((event for event in events if not isinstance(event, Overridden)), None)
    return first.prompt if isinstance(first, RulingRecorded) else ""


def tell(system: BaseSystem, state: FightState, events: Sequence[Event], before: Paragraph) -> Telling:
    """Put what a command caused in words.

    Args:
        system: the rules, for their words.
        state: the state before the first event.
        events: all that the command caused, in order.
        before: what was told before; it goes on where the command answers a question that it led to.
    """
    paragraphs = Paragraphs(events, before)
    teller = _Teller(system, state, paragraphs)
    for event in events:
        teller.hear(event)
    return Telling(teller.all_remarks(), teller.state, paragraphs.last())


class Paragraphs:
    """Says of one line after the other whether it follows from the sentence before, and which name it can do without.

    Args:
        events: of the entry that is told.
        before: what was told last; it goes on where the entry answers a question that this led to.
    """

    def __init__(self, events: Sequence[Event], before: Paragraph) -> None:
        prompt = answers(events)
        self.now = before if prompt and prompt in before.asked else Paragraph()
        self._left: Paragraph | None = None
        """The last paragraph of the step that is over."""

    def leave(self) -> None:
        """Another step begins: what is told next does not follow from what went before."""
        if self.now.part is not None:
            self._left = self.now
        self.now = Paragraph()

    def ask(self, event: RulingAsked) -> None:
        """What the answer brings about will belong to the sentence before."""
        self.now = replace(self.now, asked=self.now.asked | {event.prompt.id})

    def place(self, wording: Phrase, part: Part, subject: str, name: str) -> tuple[str, bool]:
        """The words of a line as they are told here, and whether it follows.

        Args:
            wording: what is told.
            part: where it happens.
            subject: the id of whom it begins with; empty for nobody.
            name: what they are called there, to be left out where it is understood.
        """
        now, words = self.now, wording.text
        is_other = subject not in ("", now.subject, now.struck)
        if now.part is None or not wording.follows or (is_other and not (now.is_act and now.actor)):
            self.now = Paragraph(part, not wording.follows, subject, subject, asked=now.asked)
            return words, False
        self.now = replace(now, subject=subject or now.subject)
        return (_without_name(words, name) if subject and subject == now.subject else words), True

    def last(self) -> Paragraph:
        """What answers may still go on with."""
        return self._left if self._left is not None and self.now.part is None else self.now


class _Teller:
    """Takes in the events of one entry."""

    def __init__(self, system: BaseSystem, state: FightState, paragraphs: Paragraphs) -> None:
        self.state = state
        self._paragraphs = paragraphs
        self._system = system
        self._remarks: list[Remark] = []
        self._sentence: int | None = None
        """The place of the sentence of the running paragraph among the remarks; None where another entry has it."""
        self._outcome = -2
        """The place of a roll or an outcome told by itself, the sentence being another entry's."""
        self._thrown: list[Remark] = []
        self._prices: list[tuple[Event, Phrase, FightState]] = []
        """What was paid before the sentence of that for which it was paid."""
        self._overruled: list[tuple[Event, Phrase, FightState]] = []
        """What the GM overruled before the sentence of that for which it was done; it stands below the outcome."""

    def hear(self, event: Event) -> None:
        """Take in one event."""
        wording = None if _is_routine(event) else phrase(self._system, event, self.state)
        after = evolve(self.state, event)
        if isinstance(event, StepBegan | RoundBegan):
            self._leave()
        elif isinstance(event, RulingAsked):
            self._paragraphs.ask(event)
        if wording is not None and not (wording.tone == "heading" and isinstance(event, StepBegan | RoundBegan)):
            self._say(event, wording, after)
        if isinstance(event, Blow) and event.hit:
            self._paragraphs.now = replace(self._paragraphs.now, struck=event.target)
        self.state = after

    def all_remarks(self) -> tuple[Remark, ...]:
        """All that was told."""
        self._tell_rest()
        remarks = self._remarks
        # Whatever something follows from is a sentence of the story.
        heads = {at - 1 for at, remark in enumerate(remarks) if remark.follows and not remark.is_minor}
        return tuple(
            replace(remark, tone="dim") if at in heads and remark.tone == "aside" else remark
            for at, remark in enumerate(remarks)
        )

    def _leave(self) -> None:
        self._tell_rest()
        self._paragraphs.leave()
        self._sentence = None

    def _say(self, event: Event, wording: Phrase, after: FightState) -> None:
        if isinstance(event, DiceRolled):
            wording = replace(wording, edge=_dice_words(event))
            self._thrown.append(self._remark(event, wording, after, wording.text, follows=True))
            return
        if isinstance(event, Spent) and wording.follows and self._paragraphs.now.part is None:
            self._prices.append((event, wording, after))
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
            beside = self._remarks[self._sentence]
            edges = (beside.edge, wording.edge) if beside.edge else (wording.edge,)
            self._remarks[self._sentence] = replace(beside, edge=BETWEEN.join(edges))
        elif self._outcome == len(self._remarks) - 1:
            self._remarks[-1] = replace(self._remarks[-1], text=f"{self._remarks[-1].text}  {wording.edge}")
        else:
            self._add(event, replace(wording, text=wording.edge, edge="", follows=True), after)
            self._outcome = len(self._remarks) - 1

    def _add(self, event: Event, wording: Phrase, after: FightState, *, is_thrown: bool = False) -> None:
        text = wording.text
        if wording.tone == "heading":
            self._remarks.append(self._remark(event, wording, after, text, follows=False))
            return
        now = self._paragraphs.now
        subject = _subject(event, text, self.state, after)
        name = _name(subject, self.state, after)
        part = self._part(after, event)
        # Whoever falls is named, for that is looked for.
        short = "" if _tone(event, wording) == "fallen" else name
        words, follows = self._paragraphs.place(wording, part, subject, short)
        is_blow = isinstance(event, DamageApplied) and event.by in ("", now.actor) and subject == now.struck
        is_harm = follows and is_blow and bool(subject)
        if is_harm:
            words = text.replace(f"{name} takes ", _BLOW, 1)
            if self._outcome == len(self._remarks) - 1 and self._remarks[-1].text == _HIT:
                self._remarks.pop()
            self._unsay_hit()
        if self._remarks and (self._remarks[-1].tone, self._remarks[-1].text) == ("ruling", text):
            # What the GM rules is what comes of it, and is said once.
            self._remarks.pop()
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

    def _unsay_hit(self) -> None:
        """That it hit is said with the harm."""
        if self._sentence is not None and self._remarks[self._sentence].edge.split(BETWEEN)[-1] == _HIT:
            beside = self._remarks[self._sentence]
            self._remarks[self._sentence] = replace(beside, edge=beside.edge[: -len(_HIT)].rstrip())

    def _remark(self, event: Event, wording: Phrase, after: FightState, text: str, *, follows: bool) -> Remark:
        part = self._paragraphs.now.part if follows else None
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
        """What waited for a sentence: there is no more to come."""
        self._tell_prices()
        self._tell_thrown()
        rulings, self._overruled = self._overruled, []
        for ruling in rulings:
            self._add(*ruling)

    def _tell_prices(self) -> None:
        prices, self._prices = self._prices, []
        for price in prices:
            self._add(*price)

    def _tell_thrown(self) -> None:
        """Dice that nothing tells of are told by themselves."""
        for remark in self._thrown:
            follows = self._paragraphs.now.part is not None
            self._remarks.append(replace(remark, follows=follows, edge=""))
        self._thrown.clear()


def _is_routine(event: Event) -> bool:
    """Steps that nobody could use, and answers that were given by default."""
    return isinstance(event, StepSkipped) or (isinstance(event, RulingRecorded) and event.default_taken)


def _tone(event: Event, wording: Phrase) -> str:
    """Only rulings, notes and the fallen stand out."""
    if isinstance(event, Downed):
        return "fallen"
    if wording.tone == "dice":
        return "dim"
    return wording.tone if wording.tone in ("dim", "ruling", "fallen", "heading", "aside") else "plain"


def _dice_words(event: DiceRolled) -> str:
    faces = " ".join(str(face) for face in event.faces)
    return f"{event.dice}: {faces}" if faces == str(event.total) else f"{event.dice}: {faces} = {event.total}"


def _subject(event: Event, text: str, before: FightState, after: FightState) -> str:
    """The id of whom a sentence begins with, empty where it begins otherwise."""
    return next(
        (combatant_id for combatant_id in subjects(event) if begins_with(text, _name(combatant_id, before, after))),
        "",
    )


def _name(combatant_id: str, before: FightState, after: FightState) -> str:
    combatant = before.combatants.get(combatant_id) or after.combatants.get(combatant_id)
    return combatant.name or combatant.id if combatant is not None else ""


def begins_with(text: str, name: str) -> bool:
    """Whether a line begins with a name, and not with a longer word."""
    return bool(name) and text.startswith(name) and text[len(name) : len(name) + 1] in (" ", ":", ",")


def _without_name(text: str, name: str) -> str:
    return text[len(name) :].lstrip(" :,")
