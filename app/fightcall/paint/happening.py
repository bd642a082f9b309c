"""What a command came to, in one sentence for the call bar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.paint.call_bar import Happened
from fightcall.paint.runs import shorten_name, width
from fightcall.paint.walks import has_walks, walk_sentences
from fightcall_engine.kit.phrases import describe_ruling, join_tallies, list_names, name_of
from fightcall_engine.model.events import CueFired, Event, Joined, OrderSet, RulingAsked, RulingRecorded, StepBegan
from fightcall_engine.play.calls import step_words
from fightcall_engine.play.story import Paragraph, Remark, answers, tell

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Tally
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Change, Fight
    from fightcall_engine.play.timeline import Entry

SHORT_QUESTION = 40
"""How long a question may be, to be told again with its answer."""
FIRST = 2
"""How many are named of those who go one after the other."""
SUM = re.compile(r" \((?=[^()]*[+-]\d).*\)$")
"""A sum in brackets at the end of a sentence: a bracket with a signed number in it."""
LONG_SENTENCE, SHORT_NAME = 58, 9
"""The cells from which a sentence calls people by short names, and those that such a name may have."""
NOTED = "Noted: "
"""What stands before a remark that was read."""
QUOTED = (NOTED, "Note: ", "Note on ")
"""What a sentence begins with that is a note or a remark in the words of who wrote it."""
ORDER = "Order: "
"""What a sentence begins with that says who goes when."""
MOST = 4
"""How much of what a command came to is told in one sentence."""


def sentence(system: BaseSystem, before: FightState, events: Sequence[Event]) -> str:
    """What these events say, the act first and what came of it after it; the step they lead to where they say nothing.

    Args:
        system: the rules, for their words.
        before: the state before the first event.
        events: all that a command caused, in order.
    """
    events = _without_remarks(before, events)
    telling = tell(system, before, events, Paragraph())
    deeds = _what_was_done(telling.remarks, events)
    walks = walk_sentences(system, before, events) if has_walks(events) else []
    sentences = _shorten(walks or _tell_sentences(deeds, events), telling.state, events)
    ruling = next((event for event in events if isinstance(event, RulingRecorded)), None)
    if ruling is not None and _is_of_remark(ruling, before) and all(event is ruling for event in events):
        return f"{NOTED}{ruling.question}"
    answer = describe_ruling(ruling, before).words if ruling is not None else ""
    if ruling is not None and sentences in ([], [answer.strip()]):
        # The question has been read; where it is long, the answer alone has the room.
        sentences = [_answer_words(ruling, before) or answer]
    if not sentences:
        sentences = [_what_is_next(system, telling.state, events)]
    first, *rest = sentences
    # What befalls others besides is no consequence of what is told first.
    is_caused = not walks and all(remark.follows for remark in deeds[1:2])
    return f"{first}: {'; '.join(rest)}" if rest and is_caused and ":" not in first else "; ".join(sentences)


def _tell_sentences(deeds: Sequence[Remark], events: Sequence[Event]) -> list[str]:
    """What was done, a few numbers alike as one sentence; they say who goes before whom, too."""
    words = _bar_words(deeds)
    tallied_remarks = [remark for remark in deeds if remark.tally is not None]
    if not 1 < len(tallied_remarks) <= MOST:
        return words
    is_ordered = any(isinstance(event, OrderSet) and len(event.order) == len(tallied_remarks) for event in events)
    tallies = [remark.tally for remark in deeds]
    sentences = join_tallies(list(zip(words, tallies, strict=True)))
    if any(width(text) > LONG_SENTENCE for text in sentences):
        sentences = join_tallies(list(zip(words, _shorten_names(tallies), strict=True)))
    return [text for text in sentences if not (is_ordered and text.startswith(ORDER))]


def _shorten_names(tallies: Sequence[Tally | None]) -> list[Tally | None]:
    """The same with short names, where these still tell everybody apart."""
    names = {tally.name: shorten_name(tally.name, SHORT_NAME) or tally.name for tally in tallies if tally is not None}
    if len(set(names.values())) < len(names):
        return list(tallies)
    return [replace(tally, name=names[tally.name]) if tally is not None else None for tally in tallies]


def _without_remarks(before: FightState, events: Sequence[Event]) -> list[Event]:
    """Events without those of cues: what a cue says stands beside it as long as it is open, and lapses by itself."""
    own = [event for event in events if not (isinstance(event, RulingRecorded) and _is_of_remark(event, before))]
    return [event for event in own or events if not isinstance(event, CueFired)]


def _is_of_remark(ruling: RulingRecorded, before: FightState) -> bool:
    """Whether it only says that a remark was read."""
    prompt = before.prompt(ruling.prompt)
    return prompt is not None and prompt.is_remark


def _what_was_done(remarks: Sequence[Remark], events: Sequence[Event]) -> list[Remark]:
    """The act and what came of it. What a step brings that began after it is not what it did."""
    lines = [remark for remark in remarks if remark.tone != "heading"]
    stays = not any(isinstance(event, StepBegan) for event in events)
    here = [remark for remark in lines if stays or remark.part == lines[0].part]
    outcomes = [remark for remark in here if remark.tone not in ("dim", "aside")]
    # What came of an answer says what was answered, where it says of whom.
    is_answered = bool(outcomes) and not outcomes[0].follows and bool(answers(events))
    return outcomes if is_answered else [remark for at, remark in enumerate(here) if at == 0 or remark.tone != "dim"]


def _answer_words(ruling: RulingRecorded, before: FightState) -> str:
    """Who was asked and what they answered; empty where the question says it in a few words, or asks nobody."""
    prompt = before.prompt(ruling.prompt)
    if prompt is None or prompt.who not in before.combatants or len(prompt.question) <= SHORT_QUESTION:
        return ""
    answer = next((choice.label for choice in prompt.choices if choice.id == ruling.choice), ruling.choice)
    return f"{name_of(before, prompt.who)}: {answer}"


def _bar_words(remarks: Sequence[Remark]) -> list[str]:
    """Remarks that leave their sums to the log and the panel, and say how the die fell.

    What it fell against is told where nothing came of it.
    """
    words = []
    for remark in remarks:
        text = SUM.sub("", remark.text)
        if text == remark.text or not (remark.follows or remark.edge):
            words.append(remark.words)
            continue
        act, _, numbers = text.partition(": ") if remark.edge else (text, "", "")
        act_text = replace(remark, text=act).words
        words.append(f"{act_text}: {numbers}" if numbers and len(remarks) == 1 else act_text)
    return words


def _shorten(sentences: list[str], after: FightState, events: Sequence[Event]) -> list[str]:
    """At most so many sentences: of many who roll it matters who goes when, and of many who join, who they are."""
    order_set = next((event for event in reversed(events) if isinstance(event, OrderSet)), None)
    if order_set is not None and len(sentences) > MOST:
        names = list_names([name_of(after, combatant_id) for combatant_id in order_set.order], FIRST)
        sentences = [f"{ORDER}{names}"]
    newcomers = [event.combatant for event in events if isinstance(event, Joined)]
    if len(newcomers) > 1:
        sentences = [f"{list_names([each.name for each in newcomers])} join ({newcomers[0].side})"]
    if len(sentences) > MOST:
        sentences = [*sentences[: MOST - 1], f"and {len(sentences) - MOST + 1} more"]
    return sentences


def _what_is_next(system: BaseSystem, after: FightState, events: Sequence[Event]) -> str:
    """The step that events without a word lead to, else what they ask."""
    steps = after.agenda.steps
    began = next((event for event in reversed(events) if isinstance(event, StepBegan)), None)
    if began is not None and began.index < len(steps):
        return f"Now: {step_words(system, after, steps[began.index])}"
    return next((event.prompt.question for event in events if isinstance(event, RulingAsked)), "")


def happened_in(change: Change, system: BaseSystem, undo: str, redo: str) -> Happened:
    """The first line of the bar after something was done in a fight, taken back, done again, or gone to.

    Args:
        change: what the fight told.
        system: its rules.
        undo: the key that takes back.
        redo: the key that does it again.
    """
    entry = change.entry
    if change.kind == "jump":
        return Happened("Gone to another moment", "undone")
    if entry is None:
        return Happened()
    if change.kind == "undo":
        text = sentence(system, change.after, entry.events) or _command_words(system, entry, change.after)
        return Happened(f"Taken back: {text}", "undone", f"{redo} does it again" if redo else "", _is_quote(text))
    text = sentence(system, change.before, entry.events) or _command_words(system, entry, change.before)
    if {type(event) for event in entry.events} == {RulingAsked}:
        # The question stands below.
        text = "Asked before play goes on"
    return _done(text, undo, "Done again: " if change.kind == "redo" else "")


def _done(text: str, undo: str, before: str = "") -> Happened:
    return Happened(f"{before}{text}", "done", f"{undo} takes it back" if undo else "", _is_quote(text))


def _is_quote(text: str) -> bool:
    """Whether a sentence is in words that somebody wrote, of which none is less than another."""
    return text.startswith(QUOTED)


def entry_words(fight: Fight, number: int) -> str:
    """What an entry of the line of play did, in a sentence."""
    index = fight.line.index_of(number)
    if index is None:
        return ""
    entry = fight.line.entry(index)
    before = fight.line.seek(fight.line.span(index)[0])
    return sentence(fight.system, before, entry.events) or _command_words(fight.system, entry, before)


def _command_words(system: BaseSystem, entry: Entry, state: FightState) -> str:
    """What was done where no rule has words for it: ``Ash: end turn``, or ``Ash: confirm strike Orc with sword``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(entry.command.get("type", "")))
    combatant = state.combatants.get(str(entry.command.get("who", "")))
    if combatant is None:
        return words
    # What names nobody else and nothing is about what was declared.
    declarations = system.declarations(state) if set(entry.command) == {"type", "who"} else ()
    what = next((declaration.words for declaration in declarations if declaration.who == combatant.id), "")
    return f"{combatant.name}: {words.lower()} {what}".rstrip()


def happened_last(fight: Fight, undo: str, count: int = 1) -> Happened:
    """The first line of the bar for the newest entry of a fight, or for so many of them that one key made."""
    start = fight.line.entry_count() - count
    if start < 0:
        return Happened()
    before = fight.line.seek(fight.line.span(start)[0])
    events = [event for index in range(start, start + count) for event in fight.line.entry(index).events]
    return _done(sentence(fight.system, before, events), undo)
