"""The story of a fight: a sentence for each act, with its consequences under it.

Log, chronicle, list of moments and call bar all use it, so that they say the same in the same order. What follows from
an act stands under its sentence, even if it was settled by later answers. A combatant's name is left out if the line
above was about the same one. A roll stands beside the sentence that it decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import OPENED, phrase
from fightcall_engine.kit.rolls import sum_words
from fightcall_engine.kit.views import Interaction, Phrase, Tally
from fightcall_engine.model.events import (
    CueFired,
    DamageApplied,
    DiceRolled,
    Downed,
    Event,
    FightOpened,
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
from fightcall_engine.model.state import CUE, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.play.player_view import is_secret

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

MINOR = (Spent, Refilled, DiceRolled)
"""Events that matter at the moment, but that no reader of the story misses."""
_HIT = "hit"
"""The line for a hit that nothing else tells of."""
_BLOW = "hit for "
"""What the line of a hit's harm begins with, under the sentence that says who was hit."""
BETWEEN = "  "
"""The separator between a roll and its outcome beside a sentence."""
SECRET = "secret"
"""The mark of a sentence that players do not see."""


@runtime_checkable
class Blow(Protocol):
    """An event with the fields of an attack on a combatant: who attacks, the target, and whether it hit."""

    who: str
    target: str
    hit: bool


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
        part: its part of the fight.
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


def tell(system: BaseSystem, state: FightState, events: Sequence[Event], before: Paragraph) -> Telling:
    """Tell the events of a command in words.

    Args:
        system: the rules, for their words.
        state: the state before the first event.
        events: the events, in order.
        before: the previous paragraph; it is continued if the command answers a question that it led to.
    """
    paragraphs = Paragraphs(events, before)
    teller = _Teller(system, state, paragraphs, has_before=before.part is not None)
    for event in events:
        teller.hear(event)
    return Telling(teller.all_remarks(), teller.state, paragraphs.last())


class Paragraphs:
    """Decides for each line whether it follows from the sentence above, and whether its name can be left out.

    Args:
        events: the events of the entry.
        before: the previous paragraph; it is continued if the entry answers a question that it led to.
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
        """The words of a line at this point, and whether it follows.

        Args:
            wording: the line.
            part: its part of the fight.
            subject: the id of the combatant it begins with; empty for nobody.
            name: their name in it, which is left out if it is understood.
        """
        now, words = self.now, wording.text
        if self.begins(wording, subject):
            # A question of the sentence before is not one of this.
            asked = frozenset() if now.part is not None else now.asked
            self.now = Paragraph(part, not wording.follows, subject, subject, asked=asked)
            return words, False
        self.now = replace(now, subject=subject or now.subject)
        return (_without_name(words, name) if subject and subject == now.subject else words), True

    def begins(self, wording: Phrase, subject: str) -> bool:
        """Whether a line begins a paragraph; see `place`."""
        now = self.now
        is_other = subject not in ("", now.subject, now.struck)
        return now.part is None or not wording.follows or (is_other and not (now.is_act and now.actor))

    def last(self) -> Paragraph:
        """The paragraph that later answers may continue."""
        return self._left if self._left is not None and self.now.part is None else self.now


class _Teller:
    """Tells the events of one entry."""

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

    def hear(self, event: Event) -> None:
        """Tell one event."""
        wording = None if _is_routine(event) else phrase(self._system, event, self.state)
        after = evolve(self.state, event)
        if isinstance(event, StepBegan | RoundBegan):
            self._leave()
        elif isinstance(event, RulingAsked) and self._cues and event.prompt.kind == CUE:
            self._cues.append((event, None, after))
        elif isinstance(event, RulingAsked):
            self._paragraphs.ask(event)
        elif isinstance(event, RulingRecorded):
            # It may be about one of the cues.
            self._tell_cues()
        if wording is not None and not (wording.tone == "heading" and isinstance(event, StepBegan | RoundBegan)):
            self._say(event, wording, after)
        if isinstance(event, Blow) and event.hit:
            self._paragraphs.now = replace(self._paragraphs.now, struck=event.target)
        self.state = after

    def all_remarks(self) -> tuple[Remark, ...]:
        """Everything told."""
        self._tell_rest()
        self._name_roll()
        remarks = self._remarks
        # A line with consequences is part of the story.
        heads = {at - 1 for at, remark in enumerate(remarks) if remark.follows and not remark.is_minor}
        return tuple(
            replace(remark, tone="dim") if at in heads and remark.tone == "aside" else remark
            for at, remark in enumerate(remarks)
        )

    def _name_roll(self) -> None:
        """Say whose roll it was, unless the harm says enough of a hit."""
        at, name = self._nameless
        if name and 0 <= at < len(self._remarks) and self._remarks[at].text != _HIT:
            self._remarks[at] = replace(self._remarks[at], text=f"{name}: {self._remarks[at].text}", name=name)

    def _leave(self) -> None:
        self._tell_rest()
        self._paragraphs.leave()
        self._sentence = None

    def _say(self, event: Event, wording: Phrase, after: FightState) -> None:
        if wording.interaction is not None:
            if wording.interaction.repeats(self._interactions):
                return
            self._interactions.append(wording.interaction)
        if isinstance(event, DiceRolled):
            wording = replace(wording, edge=_dice_words(event))
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
        subject = _subject(event, text, self.state, after)
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
            words = _harm_words(text, name) if is_hit_told else _blow_words(text, name)
            self._unsay_hit()
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

    def _unsay_hit(self) -> None:
        """Drop the line of a hit, once its harm tells of it."""
        if self._sentence is not None and self._remarks[self._sentence].edge.split(BETWEEN)[-1] == _HIT:
            act = self._remarks[self._sentence]
            self._remarks[self._sentence] = replace(act, edge=act.edge[: -len(_HIT)].rstrip())

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
        """Tell what was still waiting for a sentence."""
        self._tell_prices()
        self._tell_thrown()
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

    def _tell_thrown(self) -> None:
        """Tell the rolls that no other line has told of."""
        for remark in self._thrown:
            follows = self._paragraphs.now.part is not None
            self._remarks.append(replace(remark, follows=follows, edge=""))
        self._thrown.clear()


def _is_routine(event: Event) -> bool:
    """Whether an event is routine: a step that nobody could use, or an answer by default."""
    return isinstance(event, StepSkipped) or (isinstance(event, RulingRecorded) and event.default_taken)


def _tone(event: Event, wording: Phrase) -> str:
    """The tone of a remark: only rulings, notes and the fallen stand out."""
    if isinstance(event, Downed):
        return "fallen"
    if wording.tone == "dice":
        return "dim"
    return wording.tone if wording.tone in ("dim", "ruling", "fallen", "heading", "aside") else "plain"


def _dice_words(event: DiceRolled) -> str:
    return f"{event.dice}: {sum_words(event)}"


def _harm_words(text: str, name: str) -> str:
    """Return ``5 damage (2/7 HP)`` for ``Orc takes 5 damage (2/7 HP)``."""
    return text.removeprefix(f"{name} takes ")


def _blow_words(text: str, name: str) -> str:
    """Return ``hit for 5 (2/7 HP)`` for ``Orc takes 5 damage (2/7 HP)``."""
    return re.sub(rf"^{re.escape(name)} takes (\d+) damage", rf"{_BLOW}\1", text)


def _subject(event: Event, text: str, before: FightState, after: FightState) -> str:
    """The id of the combatant whose name a sentence begins with; empty if it begins otherwise."""
    return next(
        (combatant_id for combatant_id in subjects(event) if begins_with(text, _name(combatant_id, before, after))),
        "",
    )


def _name(combatant_id: str, before: FightState, after: FightState) -> str:
    combatant = before.combatants.get(combatant_id) or after.combatants.get(combatant_id)
    return combatant.name or combatant.id if combatant is not None else ""


def begins_with(text: str, name: str) -> bool:
    """Whether a line begins with a name as a whole word."""
    return bool(name) and text.startswith(name) and text[len(name) : len(name) + 1] in (" ", ":", ",")


def _without_name(text: str, name: str) -> str:
    return text[len(name) :].lstrip(" :,")
