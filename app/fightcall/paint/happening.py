"""What a command came to, in one sentence for the call bar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from fightcall.paint.call_bar import Happened, Tone
from fightcall.paint.runs import shorten_name, width
from fightcall.paint.walks import has_walks, walk_sentences
from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import describe_ruling, join_tallies, list_names, names_in_order, phrase
from fightcall_engine.model.events import (
    CueFired,
    Event,
    Joined,
    NoteAdded,
    OrderSet,
    RulingAsked,
    RulingRecorded,
    StepBegan,
)
from fightcall_engine.model.memory import remembered
from fightcall_engine.model.values import frozen
from fightcall_engine.play.calls import step_name, step_words
from fightcall_engine.play.story import Paragraph, Remark, answers, part_of, tell

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
HIT = "hit"
"""What is said of a blow that hit, beside its roll or by itself."""
LONG_SENTENCE, SHORT_NAME = 58, 9
"""The cells from which a sentence calls people by short names, and those that such a name may have."""
MOST = 4
"""How much of what a command came to is told in one sentence."""


@frozen
class Sentence:
    """What a command came to.

    Attributes:
        text: in words; clauses stand behind semicolons.
        lead: how many of the first clauses belong together.
        is_quote: they are words that somebody wrote, of which none is less than another.
        deed: what was done, as it is said of what was taken back; empty where the text says it as well.
    """

    text: str
    lead: int = 1
    is_quote: bool = False
    deed: str = ""


@frozen
class _Clause:
    words: str
    is_outcome: bool = False


def sentence(system: BaseSystem, before: FightState, events: Sequence[Event]) -> Sentence:
    """What these events say, the act first and what came of it after it; the step they lead to where they say nothing.

    Args:
        system: the rules, for their words.
        before: the state before the first event.
        events: all that a command caused, in order.
    """
    events = _without_remarks(before, events)
    telling = tell(system, before, events, Paragraph())
    done = _what_was_done(telling.remarks, events)
    # Of several rolls that were answered, who goes down by them stands before the rolls, which may have no room.
    fallen = [remark for remark in done[2:] if remark.tone == "fallen" and answers(events)]
    others = _say_hit_once(_join_alike(_put_harm_first([remark for remark in done if remark not in fallen])))
    deeds = [*fallen, *others]
    walks = walk_sentences(system, before, events) if has_walks(events) else []
    clauses = [_Clause(words) for words in walks] or _tell_clauses(deeds, events)
    clauses = _shorten(clauses, telling.state, events)
    ruling = next((event for event in events if isinstance(event, RulingRecorded)), None)
    if ruling is not None and _is_of_remark(ruling, before) and all(event is ruling for event in events):
        return Sentence(f"Noted: {ruling.question}", is_quote=True, deed=f"that this was read: {ruling.question}")
    own = phrase(system, ruling, before) if ruling is not None else None
    if not clauses and ruling is not None and own is None and _is_going_on(events):
        # Where nothing is to be told of an answer, it is told by where it leads.
        return _what_is_next(system, telling.state, events)
    answer = describe_ruling(ruling, before).words if ruling is not None else ""
    if ruling is not None and [clause.words for clause in clauses] in ([], [answer]):
        # The question has been read; where it is long, the answer alone has the room.
        words = own.words if own is not None and own.words else answer
        clauses = [_Clause(words if words != answer else _answer_words(ruling, before) or answer)]
    if not clauses:
        return _what_is_next(system, telling.state, events)
    # What befalls others besides is no consequence of what is told first.
    is_caused = len(clauses) > 1 and not walks and all(remark.follows for remark in deeds[1:2])
    if is_caused and ":" not in clauses[0].words:
        first, second, *rest = clauses
        own_words = second.words.removeprefix(f"{deeds[0].name} ")
        clauses = [_Clause(f"{first.words}: {own_words}"), *rest]
    if before.round and telling.state.round > before.round and not any(isinstance(event, OrderSet) for event in events):
        # What ends a round may have been the last act in it, on which nothing more was asked.
        clauses = [*clauses, _Clause(f"now {system.round_title(telling.state)}")]
    lead = 2 if any(clause.is_outcome for clause in clauses[1:2]) else 1
    is_quote = any(isinstance(event, NoteAdded) for event in events)
    return Sentence("; ".join(clause.words for clause in clauses), lead, is_quote)


def _is_going_on(events: Sequence[Event]) -> bool:
    return any(isinstance(event, StepBegan) for event in events)


def _tell_clauses(deeds: Sequence[Remark], events: Sequence[Event]) -> list[_Clause]:
    """What was done, a few numbers alike as one clause; they say who goes before whom, too."""
    tallied_remarks = [remark for remark in deeds if remark.tally is not None]
    if not 1 < len(tallied_remarks) <= MOST:
        words = _bar_words(deeds)
        return [_Clause(text, deed.is_outcome) for text, deed in zip(words, deeds, strict=True)]
    is_ordered = any(isinstance(event, OrderSet) and len(event.order) == len(tallied_remarks) for event in events)
    deeds = [deed for deed in deeds if not (is_ordered and deed.is_order)]
    words, tallies = _bar_words(deeds), [deed.tally for deed in deeds]
    clauses = join_tallies(list(zip(words, tallies, strict=True)))
    if any(width(text) > LONG_SENTENCE for text in clauses):
        clauses = join_tallies(list(zip(words, _shorten_names(tallies), strict=True)))
    return [_Clause(text) for text in clauses]


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
    here = [remark for remark in lines if not _is_going_on(events) or remark.part == lines[0].part]
    outcomes = [remark for remark in here if remark.tone not in ("dim", "aside")]
    # What came of an answer says what was answered, where it says of whom.
    is_answered = bool(outcomes) and not outcomes[0].follows and bool(answers(events))
    if is_answered or outcomes:
        return outcomes if is_answered else [each for at, each in enumerate(here) if at == 0 or each.tone != "dim"]
    # Of several such as plan their ways, none is the act of which the others came.
    return [remark for remark in here if not (remark.follows or remark.is_minor)] or here[:1]


def _put_harm_first(deeds: Sequence[Remark]) -> list[Remark]:
    """What somebody suffers before all else that came of an act: where there is little room, the rest is left out.

    A remark says of whom it is where the one before it is of somebody else.
    """
    act, caused = list(deeds[:1]), deeds[1:]
    if not any(remark.is_suffered for remark in caused) or not all(remark.follows for remark in caused):
        return list(deeds)
    named: list[tuple[str, Remark]] = []
    for remark in caused:
        whose = remark.name or (named[-1][0] if named else "")
        named.append((whose, remark))
    named.sort(key=lambda pair: not pair[1].is_suffered)
    for at, (name, remark) in enumerate(named):
        is_other = name and (at == 0 or named[at - 1][0] != name)
        is_named = bool(name) and remark.text.startswith(name)
        if is_named and not is_other:
            remark = replace(remark, text=remark.text.removeprefix(name).lstrip(" :"))
        elif is_other and not is_named:
            remark = replace(remark, text=f"{name} {remark.text}")
        act.append(remark)
    return act


def _join_alike(deeds: Sequence[Remark]) -> list[Remark]:
    """The same with one remark for several of whom the same is said: ``Hobb and Maud: overwhelmed``."""
    joined: list[Remark] = []
    for deed in deeds:
        words = _said_of(deed)
        alike = [each for each in deeds if words and _said_of(each) == words and each.edge == deed.edge]
        if len(alike) < 2:
            joined.append(deed)
        elif alike[0] is deed:
            names = list_names([each.name for each in alike], MOST)
            joined.append(replace(deed, text=f"{names}{words}", name=""))
    return joined


def _say_hit_once(deeds: Sequence[Remark]) -> Sequence[Remark]:
    """The same where harm alone says that a blow hit: ``Ash strikes Orc (9 ≤ 12): hit for 5``."""
    if len(deeds) < 2:
        return deeds
    act, harm, *_ = deeds
    if act.text == HIT:
        # The act itself was told before.
        return deeds[1:]
    is_said_by_harm = harm.is_outcome and harm.tone != "fallen"
    return [replace(act, edge=act.edge.removesuffix(f" {HIT}")), *deeds[1:]] if is_said_by_harm else deeds


def _said_of(remark: Remark) -> str:
    """What is said of somebody after their name and a colon; empty where it has another form, or is a number alone."""
    words = remark.text.removeprefix(remark.name) if remark.name and remark.tally is None else ""
    return words if words.startswith(":") else ""


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
    for remark, following in zip_longest(remarks, remarks[1:]):
        if following is not None and following.tone == "fallen" and remark.is_thrown:
            # Who goes down by it is more than what the dice of its number showed.
            words.append(remark.text)
            continue
        if not remark.sum or not (remark.follows or remark.edge):
            words.append(remark.words)
            continue
        act, _, numbers = remark.text.partition(": ") if remark.edge else (remark.text, "", "")
        act_text = replace(remark, text=act, sum="").words
        words.append(f"{act_text}; {numbers}" if numbers and len(remarks) == 1 else act_text)
    return words


def _shorten(clauses: list[_Clause], after: FightState, events: Sequence[Event]) -> list[_Clause]:
    """At most so many clauses: of many who roll it matters who goes when, and of many who join, who they are."""
    order_set = next((event for event in reversed(events) if isinstance(event, OrderSet)), None)
    if order_set is not None and len(clauses) > MOST:
        clauses = [_Clause(f"Order: {list_names(names_in_order(after, order_set.order), FIRST)}")]
    newcomers = [event.combatant for event in events if isinstance(event, Joined)]
    if len(newcomers) > 1:
        clauses = [_Clause(f"{list_names([each.name for each in newcomers])} join ({newcomers[0].side})")]
    if len(clauses) > MOST:
        clauses = [*clauses[: MOST - 1], _Clause(f"and {len(clauses) - MOST + 1} more")]
    return clauses


def _what_is_next(system: BaseSystem, after: FightState, events: Sequence[Event]) -> Sentence:
    """The step that events without a word lead to, else what they ask."""
    steps = after.agenda.steps
    began = next((event for event in reversed(events) if isinstance(event, StepBegan)), None)
    if began is not None and began.index < len(steps):
        step = steps[began.index]
        deed = f"going on to {step_name(system, after, step)}"
        return Sentence(f"Now: {step_words(system, after, step)}", deed=deed)
    question = next((event.prompt.question for event in events if isinstance(event, RulingAsked)), "")
    return Sentence(question, deed=f"asking: {question}" if question else "")


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
        return Happened(f"Gone to {part_of(system, change.after).heading or 'the beginning'}", "undone")
    if entry is None:
        return Happened()
    if change.kind == "undo":
        return _happened("undone", "Taken back: ", _entry_sentence(system, change.after, entry), redo, "does it again")
    before = "Done again: " if change.kind == "redo" else ""
    summary = _entry_sentence(system, change.before, entry)
    if {type(event) for event in entry.events} == {RulingAsked}:
        # The question stands below.
        summary = Sentence("A question comes first", deed=summary.deed)
    return _happened("done", before, summary, undo, "takes it back")


def _happened(tone: Tone, before: str, summary: Sentence, key: str, does: str) -> Happened:
    hint, text = f"{key} {does}" if key else "", (before and summary.deed) or summary.text
    return Happened(f"{before}{text}", tone, hint, lead=summary.lead, is_quote=summary.is_quote)


def entry_words(fight: Fight, number: int) -> str:
    """What an entry of the line of play did, in a sentence."""
    index = fight.line.index_of(number)
    if index is None:
        return ""
    entry = fight.line.entry(index)
    before = fight.line.seek(fight.line.span(index)[0])
    return _entry_sentence(fight.system, before, entry).text


@remembered
def _entry_sentence(system: BaseSystem, before: FightState, entry: Entry) -> Sentence:
    summary = sentence(system, before, entry.events)
    return summary if summary.text else Sentence(_command_words(system, entry, before))


def _command_words(system: BaseSystem, entry: Entry, state: FightState) -> str:
    """What was done where no rule has words for it: ``Ash: end turn``, or ``Ash confirms: strike Orc with sword``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(entry.command.get("type", "")))
    combatant = state.combatants.get(str(entry.command.get("who", "")))
    if combatant is None:
        return words
    # What names nobody else and nothing is about what was declared.
    declarations = system.declarations(state) if set(entry.command) == {"type", "who"} else ()
    declared = next((declaration for declaration in declarations if declaration.who == combatant.id), None)
    if declared is None or not declared.words:
        return f"{combatant.name}: {words.lower()}"
    return f"{combatant.name} {words.lower()}s: {declared.words}{' (secret)' if declared.public else ''}"


def happened_last(fight: Fight, undo: str, count: int = 1, *, is_redone: bool = False) -> Happened:
    """The first line of the bar for the newest entry of a fight, or for so many of them that one key made."""
    start = fight.line.entry_count() - count
    if start < 0:
        return Happened()
    before = fight.line.seek(fight.line.span(start)[0])
    events = [event for index in range(start, start + count) for event in fight.line.entry(index).events]
    again = "Done again: " if is_redone else ""
    return _happened("done", again, sentence(fight.system, before, events), undo, "takes it back")


def taken_back(system: BaseSystem, after: FightState, entries: Sequence[Entry], redo: str) -> Happened:
    """The first line of the bar after entries that one key made were taken back together, and `after` is left."""
    events = [event for entry in entries for event in entry.events]
    return _happened("undone", "Taken back: ", sentence(system, after, events), redo, "does it again")
