"""The outcome of a command in one sentence, for the call bar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from fightcall.paint.call_bar import Happened, Tone
from fightcall.paint.runs import shorten_name, width
from fightcall_engine.kit.phrases import describe_ruling, join_tallies, list_names, names_in_order, phrase, place_words
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import name_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Interaction, Phrase
from fightcall_engine.model.events import (
    BoardChanged,
    CueFired,
    DamageApplied,
    Event,
    Joined,
    Moved,
    NoteAdded,
    OrderSet,
    RoundEnded,
    RulingAsked,
    RulingRecorded,
    StepBegan,
    subjects,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen, remembered, replace
from fightcall_engine.play.calls import step_name, step_words
from fightcall_engine.play.story import Paragraph, Remark, answers, is_blow, part_of, tell

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Change, Fight
    from fightcall_engine.play.history import Entry

SHORT_QUESTION = 40
"""The longest question that is repeated with its answer."""
FIRST = 2
"""How many names of an order of play are shown."""
_PLURAL = {":": ":", "takes": " each take", "heals": " each heal", "is": " are", "waits": " wait", "passes": " pass"}
"""How that which is said of one is said of several, by its first word."""
MOST = 4
"""The most clauses in a sentence."""
_WHAT_IS_LEFT = re.compile(r"\(\d+/\d+")
"""The health after harm, as in ``(3/7 HP)``: what follows it is a clause of its own."""
SHOWN_WALKERS = 4
"""The most walkers that are named with their new places."""
UNTOLD = ("heading", "aside", "dim", "dice")
"""The tones of remarks that are left out."""
HIT, MISS = "hit", "miss"
"""The words for the outcome of an attack, beside its roll or alone."""
LONG_SENTENCE, SHORT_NAME = 58, 9
"""Sentences longer than this use short names, of at most this many cells."""


@frozen
class Sentence:
    """The outcome of a command: a sentence whose clauses are separated by semicolons.

    Attributes:
        lead: how many of the first clauses belong together.
        is_quote: the text was written by a person, so that no part is less important than another.
        deed: what was done, for the line after an undo; empty if `text` will do.
        harm: what an act did, without the act itself, for when both don't fit; empty if it harmed no one.
    """

    text: str
    lead: int = 1
    is_quote: bool = False
    deed: str = ""
    harm: str = ""


@frozen
class _Clause:
    words: str
    is_outcome: bool = False


def sentence(
    system: BaseSystem,
    before: FightState,
    events: Sequence[Event],
    amount: int | str | None = None,
    later: Sequence[FightState] = (),
) -> Sentence:
    """The events in a sentence: the act, then its consequences; or the next step if there is nothing to tell.

    `before` is the state before the first event, and `later` are those after each, if they are known; `amount` is the
    number that answers a question, which its event does not have.
    """
    # Remarks of cues are shown separately while they are open.
    own_events = [event for event in events if not (isinstance(event, RulingRecorded) and _is_of_remark(event, before))]
    events = [event for event in own_events or events if not isinstance(event, CueFired)]
    telling = tell(system, before, events, Paragraph(), later if len(later) == len(events) else ())
    done = _what_was_done(telling.remarks, events)
    # After several answered rolls, say who goes down before the rolls themselves, which may not fit.
    fallen = [remark for remark in done[2:] if remark.tone == "fallen" and answers(events)]
    done = _name_blow(before, done, events)
    others = _say_hit_once(_join_alike(_put_harm_first([remark for remark in done if remark not in fallen])))
    deeds = [*fallen, *others]
    walks = walk_sentences(system, before, events)
    clauses = [_Clause(words) for words in walks] or _tell_clauses(deeds, events)
    clauses = _shorten(clauses, telling.state, events)
    ruling = next((event for event in events if isinstance(event, RulingRecorded)), None)
    if ruling is not None and _is_of_remark(ruling, before) and all(event is ruling for event in events):
        return Sentence(f"Noted: {ruling.question}", is_quote=True, deed=f"marked as read: {ruling.question}")
    ruling_phrase = phrase(system, ruling, before) if ruling is not None else None
    if not clauses and ruling is not None and ruling_phrase is None and _is_going_on(events):
        # An answer without any words of its own is told by what comes next.
        return _what_is_next(system, telling.state, events)
    answer = describe_ruling(ruling, before).words if ruling is not None else ""
    if ruling is not None and [clause.words for clause in clauses[:1]] in ([], [answer]):
        # The question has been read: if it is long, show the answer alone.
        words = ruling_phrase.words if ruling_phrase is not None and ruling_phrase.words else answer
        clauses = [_Clause(words if words != answer else _answer_words(ruling, before, amount)), *clauses[1:]]
    if not clauses:
        return _what_is_next(system, telling.state, events)
    harm = "" if walks else _harm_alone(before, deeds, clauses, events)
    # What happens to others is not a consequence of the first clause.
    is_caused = len(clauses) > 1 and not walks and all(remark.follows for remark in deeds[1:2])
    if is_caused and ":" not in clauses[0].words and not _WHAT_IS_LEFT.search(clauses[0].words):
        first, second, *rest = clauses
        own_words = second.words.removeprefix(f"{deeds[0].name} ")
        clauses = [_Clause(f"{first.words}: {own_words}"), *rest]
    if before.round and telling.state.round > before.round and not any(isinstance(event, OrderSet) for event in events):
        # The command may have been the last act of a round, with nothing more to ask.
        clauses = [*clauses, _Clause(f"now {system.round_title(telling.state)}")]
    lead = 2 if any(clause.is_outcome for clause in clauses[1:2]) else 1
    is_quote = any(isinstance(event, NoteAdded) for event in events)
    return Sentence("; ".join(clause.words for clause in clauses), lead, is_quote, harm=harm)


def sentence_of(events: Sequence[Event], states: Sequence[FightState], amount: int | str | None = None) -> Sentence:
    """The same of events with the state before them, and those after each if known; it is remembered."""
    known = _known_sentences(states[0], len(events), events[-1] if events else None, amount)
    if not known:
        known.append(sentence(system_of(states[0]), states[0], events, amount, states[1:]))
    return known[0]


@remembered
def _known_sentences(before: FightState, count: int, last: Event | None, amount: object) -> list[Sentence]:
    """Keeps what `sentence_of` has told."""
    return []


def _harm_alone(
    before: FightState, deeds: Sequence[Remark], clauses: Sequence[_Clause], events: Sequence[Event]
) -> str:
    """The consequences of an act that harms someone, beginning with whom it harms; empty if it harms no one."""
    first = next((at for at, remark in enumerate(deeds) if at and (remark.is_outcome or remark.is_suffered)), 0)
    if not 0 < first < len(clauses) or " takes " in deeds[0].text:
        return ""
    words = "; ".join(clause.words for clause in clauses[first:])
    target = next((event.target for event in events if is_blow(event)), "")
    if deeds[first].name or target not in before.combatants or words.startswith(name_of(before, target)):
        return words
    return f"{name_of(before, target)} {'is ' if words.startswith(HIT) else ''}{words}"


def _is_going_on(events: Sequence[Event]) -> bool:
    return any(isinstance(event, StepBegan) for event in events)


def _tell_clauses(deeds: Sequence[Remark], events: Sequence[Event]) -> list[_Clause]:
    """The remarks as clauses, with similar numbers in one of them, which also tells the order of play."""
    tallied_remarks = [remark for remark in deeds if remark.tally is not None]
    if not 1 < len(tallied_remarks) <= MOST:
        words = _bar_words(deeds)
        return [_Clause(text, deed.is_outcome) for text, deed in zip(words, deeds, strict=True)]
    is_ordered = any(isinstance(event, OrderSet) and len(event.order) == len(tallied_remarks) for event in events)
    deeds = [deed for deed in deeds if not (is_ordered and deed.is_order)]
    words, tallies = _bar_words(deeds), [deed.tally for deed in deeds]
    clauses = join_tallies(list(zip(words, tallies, strict=True)))
    if any(width(text) > LONG_SENTENCE for text in clauses):
        full_names = {tally.name for tally in tallies if tally is not None}
        names = {name: shorten_name(name, SHORT_NAME) or name for name in full_names}
        if len(set(names.values())) == len(names):
            short_tallies = [tally and replace(tally, name=names[tally.name]) for tally in tallies]
            clauses = join_tallies(list(zip(words, short_tallies, strict=True)))
    return [_Clause(text) for text in clauses]


def _is_of_remark(ruling: RulingRecorded, before: FightState) -> bool:
    prompt = before.prompt(ruling.prompt)
    return prompt is not None and prompt.is_remark


def _what_was_done(remarks: Sequence[Remark], events: Sequence[Event]) -> list[Remark]:
    lines = [remark for remark in remarks if remark.tone != "heading"]
    # What others lose as a round closes belongs with the first loss.
    parts = {remark.part for remark in lines[:1]} if _is_going_on(events) else {remark.part for remark in lines}
    subjects = {remark.tally.subject for remark in lines[:1] if remark.tally is not None}
    here = [each for each in lines if each.part in parts or (each.tally and each.tally.subject in subjects)]
    outcomes = [remark for remark in here if remark.tone not in ("dim", "aside")]
    # The consequences of an answer replace it, if they name the combatant.
    is_answered = bool(outcomes) and not outcomes[0].follows and bool(answers(events))
    if is_answered or outcomes:
        return outcomes if is_answered else [each for at, each in enumerate(here) if at == 0 or each.tone != "dim"]
    # If several do the same, such as planning paths, no one of them is the cause of the others.
    return [remark for remark in here if not (remark.follows or remark.is_minor)] or here[:1]


def _put_harm_first(deeds: Sequence[Remark]) -> list[Remark]:
    """The remarks with harm first among the consequences of an act, because the end is cut off if there is no room.

    A remark gets its name back if the one before it is now about another combatant.
    """
    end = next((at for at, remark in enumerate(deeds[1:], 1) if not remark.follows), len(deeds))
    act, caused, rest = list(deeds[:1]), deeds[1:end], deeds[end:]
    if not any(remark.is_suffered for remark in caused):
        return list(deeds)
    named: list[tuple[str, Remark]] = []
    for remark in caused:
        named.append((remark.name or (named[-1][0] if named else ""), remark))
    named.sort(key=lambda pair: (not pair[1].is_suffered, " takes " not in f" {pair[1].text}"))
    for at, (name, remark) in enumerate(named):
        is_other = name and (at == 0 or named[at - 1][0] != name)
        is_named = bool(name) and remark.text.startswith(name)
        if is_named and not is_other:
            remark = replace(remark, text=remark.text.removeprefix(name).lstrip(" :"))
        elif is_other and not is_named:
            remark = replace(remark, text=f"{name} {remark.text}")
        act.append(remark)
    return [*act, *rest]


def _join_alike(deeds: Sequence[Remark]) -> list[Remark]:
    """The remarks, joining those that say the same of several: ``Hobb and Maud: overwhelmed``."""
    alike: dict[tuple[str, str, int], list[Remark]] = {}
    for at, (deed, words) in enumerate(zip(deeds, map(_said_of, deeds), strict=True)):
        alike.setdefault((words, deed.edge, 0 if words else at), []).append(deed)
    joined: list[Remark] = []
    for (words, *_), (first, *others) in alike.items():
        verb, _, rest = words.partition(" ")
        names = list_names([each.name for each in (first, *others)], MOST)
        all_words = f"{names}{_PLURAL.get(verb, verb)} {rest}".rstrip()
        joined.append(replace(first, text=all_words, name="") if others else first)
    return joined


def _name_blow(before: FightState, deeds: Sequence[Remark], events: Sequence[Event]) -> list[Remark]:
    """The remarks, with who hit or missed whom if the outcome is all that is told: ``Ash misses Orc (9 > 8)``."""
    blow = next(filter(is_blow, events), None)
    if len(deeds) != 1 or blow is None or deeds[0].name:
        return list(deeds)
    *sums, outcome = deeds[0].text.split()
    if outcome not in (HIT, MISS) or blow.who not in before.combatants:
        return list(deeds)
    verb = "hits" if outcome == HIT else "misses"
    whom = f" {name_of(before, blow.target)}" if blow.target else ""
    text = f"{name_of(before, blow.who)} {verb}{whom}"
    return [replace(deeds[0], text=text, edge=deeds[0].edge or " ".join(sums))]


def _say_hit_once(deeds: Sequence[Remark]) -> Sequence[Remark]:
    """The remarks without a separate hit if the harm tells it: ``Ash strikes Orc (9 ≤ 12): hit for 5``."""
    if len(deeds) < 2:
        return deeds
    act, harm, *_ = deeds
    if act.text == HIT:
        # The act itself was told earlier.
        return deeds[1:]
    is_said_by_harm = harm.is_outcome and harm.tone != "fallen"
    return [replace(act, edge=act.edge.removesuffix(f" {HIT}")), *deeds[1:]] if is_said_by_harm else deeds


def _said_of(remark: Remark) -> str:
    """The text after a name, from its colon or verb on; empty if it has another form, or is only a number."""
    words = remark.text.removeprefix(remark.name).removeprefix(" ") if remark.name and remark.tally is None else ""
    return words if words.partition(" ")[0] in _PLURAL else ""


def _answer_words(ruling: RulingRecorded, before: FightState, amount: int | str | None) -> str:
    prompt = before.prompt(ruling.prompt)
    if prompt is not None and amount is not None and ruling.choice == prompt.amount:
        ruling = replace(ruling, choice=str(amount))
    if prompt is None or prompt.who not in before.combatants or len(prompt.question) <= SHORT_QUESTION:
        return describe_ruling(ruling, before).words
    answer = next((choice.label for choice in prompt.choices if choice.id == ruling.choice), ruling.choice)
    return f"{name_of(before, prompt.who)}: {answer}"


def _bar_words(remarks: Sequence[Remark]) -> list[str]:
    """The remarks without sums, which log and panel show, but with the roll.

    The number it was rolled against is only shown if nothing came of it.
    """
    words = []
    for remark, following in zip_longest(remarks, remarks[1:]):
        if following is not None and following.tone == "fallen" and remark.is_thrown:
            # Who goes down matters more than the dice of the damage.
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
    """At most `MOST` clauses, keeping the order of play if many roll, a new map, and the names if many join."""
    order_set = next((event for event in reversed(events) if isinstance(event, OrderSet)), None)
    if order_set is not None and len(clauses) > MOST:
        # Whoever has several Actions may come before those who rolled more.
        actors = dict.fromkeys(step.actor for step in after.agenda.steps if step.actor)
        order = (*actors, *(combatant_id for combatant_id in order_set.order if combatant_id not in actors))
        clauses = [_Clause(f"Order: {list_names(names_in_order(after, order), FIRST)}")]
    newcomers = [event.combatant for event in events if isinstance(event, Joined)]
    if len(newcomers) > 1:
        names, lacking = list_names([each.name for each in newcomers]), place_words(after, newcomers)
        clauses = [_Clause(f"{names} join ({newcomers[0].side}){lacking}")]
    new_map = next((event for event in events if isinstance(event, BoardChanged) and event.is_new), None)
    if new_map is not None:
        clauses = [_Clause(new_map.text), *(clauses if len(newcomers) > 1 else ())]
    if len(clauses) > MOST:
        clauses = [*clauses[: MOST - 1], _Clause(f"and {len(clauses) - MOST + 1} more results")]
    return clauses


def _what_is_next(system: BaseSystem, after: FightState, events: Sequence[Event]) -> Sentence:
    steps = after.agenda.steps
    began = next((event for event in reversed(events) if isinstance(event, StepBegan)), None)
    if began is not None and began.index < len(steps):
        step = steps[began.index]
        deed = f"start of {step_name(system, after, step)}"
        return Sentence(f"Now: {step_words(system, after, step)}", deed=deed)
    question = next((event.prompt.question for event in events if isinstance(event, RulingAsked)), "")
    return Sentence(question, deed=f"question: {question}" if question else "")


def happened_in(change: Change, system: BaseSystem, undo: str, redo: str) -> Happened:
    """The first line of the call bar after a change of the fight, with the keys of undo and redo."""
    entry = change.entry
    if change.kind == "jump":
        return Happened(f"Went to {part_of(system, change.after).heading or 'the beginning'}", "undone")
    if entry is None:
        return Happened()
    if change.kind == "undo":
        return _happened("undone", "Undone: ", entry_sentence(system, change.after, entry), redo, "redo")
    before = "Redone: " if change.kind == "redo" else ""
    summary = _unless_asked(entry_sentence(system, change.before, entry), entry.events)
    return _happened("done", before, summary, undo, "undo")


def _unless_asked(summary: Sentence, events: Sequence[Event]) -> Sentence:
    """The sentence about events, or where to look if it is no more than the question, which is shown below."""
    asked = [event.prompt for event in events if isinstance(event, RulingAsked)]
    if not asked or (len(asked) < len(events) and summary.text != asked[0].question):
        return summary
    what = "warning" if all(prompt.is_remark for prompt in asked) else "question"
    return Sentence(f"See the {what} below", deed=summary.deed)


def has_no_place(change: Change) -> bool:
    """Whether a combatant has just joined, in a fight with a board, without a place on it."""
    newcomers = [event.combatant for event in change.entry.events if isinstance(event, Joined)] if change.entry else []
    return change.kind == "do" and bool(place_words(change.after, newcomers))


def _happened(tone: Tone, before: str, summary: Sentence, key: str, does: str) -> Happened:
    hint, text = f"{key} {does}" if key else "", (before and summary.deed) or summary.text
    harm = "" if before else summary.harm
    return Happened(f"{before}{text}", tone, hint, lead=summary.lead, is_quote=summary.is_quote, harm=harm)


def entry_words(fight: Fight, number: int) -> str:
    """An entry of the line of play in a sentence."""
    index = fight.line.index_of(number)
    if index is None:
        return ""
    entry = fight.line.entry(index)
    before = fight.line.seek(fight.line.span(index)[0])
    return entry_sentence(system_of(before), before, entry).text


@remembered
def entry_sentence(system: BaseSystem, before: FightState, entry: Entry) -> Sentence:
    """An entry of any line, with the state before it."""
    amount = entry.command.get("amount")
    summary = sentence_of(entry.events, (before,), amount if isinstance(amount, int | str) else None)
    ended = next((event for event in entry.events if isinstance(event, RoundEnded)), None)
    if not summary.text and ended is not None:
        return Sentence(f"{system.words(before.settings).round} {ended.number} ends")
    return summary if summary.text else Sentence(_command_words(system, entry, before))


def _command_words(system: BaseSystem, entry: Entry, state: FightState) -> str:
    """A command whose events have no words: ``Ash: end turn``, ``Ash confirms: strike Orc with sword``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(entry.command.get("type", "")))
    combatant = state.combatants.get(str(entry.command.get("who", "")))
    if combatant is None:
        return words
    # A command that names nothing else is about the actor's declaration.
    declarations = system.declarations(state) if set(entry.command) == {"type", "who"} else ()
    declared = next((declaration for declaration in declarations if declaration.who == combatant.id), None)
    if declared is None or not declared.words:
        return f"{combatant.name}: {words.lower()}"
    return f"{combatant.name} {words.lower()}s: {declared.words}{' (secret)' if declared.public else ''}"


def happened_last(fight: Fight, undo: str, count: int = 1, *, is_redone: bool = False) -> Happened:
    """The first line of the call bar for the newest entry, or for the last `count` if one key made them."""
    if count > fight.line.entry_count():
        return Happened()
    prefix = "Redone: " if is_redone else ""
    events, states = fight.line.last_events(count)
    return _happened("done", prefix, _unless_asked(sentence_of(events, states), events), undo, "undo")


def harm_done(fight: Fight, count: int) -> str:
    """What the last `count` entries took from each in all; empty if they harmed once at most, as their story says."""
    pairs = zip(*fight.line.last_events(count), strict=False)
    hits = [(event, state) for event, state in pairs if isinstance(event, DamageApplied) and event.amount]
    newest = {(event.who, event.pool): (event, state) for event, state in hits}
    totals = {key: sum(event.amount for event, _ in hits if (event.who, event.pool) == key) for key in newest}
    phrases = (
        phrase(fight.system, replace(event, amount=totals[key]), state) for key, (event, state) in newest.items()
    )
    return "; ".join(each.words for each in phrases if each is not None) if len(hits) > 1 else ""


def taken_back(events: Sequence[Event], states: Sequence[FightState], redo: str) -> Happened:
    """The first line of the call bar after these events, the work of one key, were undone."""
    return _happened("undone", "Undone: ", sentence_of(events, states), redo, "redo")


# The outcome of a command on which several walk, such as a Pulse: where they are now, and what else happened


def walk_sentences(system: BaseSystem, before: FightState, events: Sequence[Event]) -> list[str]:
    """Sentences for where all are now, who was stopped last, and what else happened.

    There are none unless several walk, or one other than the first remark's subject.
    """
    walkers = [event.who for event in events if isinstance(event, Moved)]
    first_id = next((ids[0] for event in events if (ids := subjects(event))), "")
    if len(walkers) < 2 and (not walkers or first_id in ("", walkers[0])):
        return []
    ends = {event.who: event for event in events if isinstance(event, Moved) and (event.path or event.feet)}
    words = [_end_words(before, event) for event in ends.values()]
    phrases: list[Phrase] = []
    state = before
    for event in events:
        is_asked = isinstance(event, CueFired | RulingRecorded)
        telling = None if is_asked else phrase(system, event, state)
        is_held_up = isinstance(event, Moved) and not (event.path or event.feet)
        is_told = is_held_up if isinstance(event, Moved) else telling is not None and telling.tone not in UNTOLD
        if telling is not None and is_told and telling.words:
            phrases.append(telling)
        state = evolve(state, event)
    besides = join_interactions(phrases)
    return [list_names(words, SHOWN_WALKERS), *besides] if words else besides


def join_interactions(phrases: Sequence[Phrase]) -> list[str]:
    """Join interactions into sentences, without repetition: ``Ash comes upon Orc 1 and Orc 2``."""
    interactions = tuple(dict.fromkeys(each.interaction for each in phrases if each.interaction is not None))
    first = [each for at, each in enumerate(interactions) if not each.repeats(interactions[:at])]
    sentences = (_say(each, first) for each in phrases if each.interaction is None or each.interaction in first)
    return list(dict.fromkeys(sentences))


def _say(phrase: Phrase, interactions: Sequence[Interaction]) -> str:
    """A phrase in words; an interaction is joined with similar ones of the same people, else with the same other."""
    interaction = phrase.interaction
    if interaction is None:
        return phrase.words
    similar = [each for each in interactions if each.does == interaction.does]
    others = [each.whom for each in similar if each.name == interaction.name]
    people = [each.name for each in similar if each.whom == interaction.whom]
    does_one, do_several = interaction.does
    if len(people) > len(others) == 1:
        return f"{list_names(people)} {do_several} {interaction.whom}"
    return f"{interaction.name} {does_one} {list_names(others)}"


def _end_words(state: FightState, event: Moved) -> str:
    name = name_of(state, event.who)
    if state.board is None or not event.path:
        return f"{name} {event.feet:g} ft"
    return f"{name} to {state.board.name_of(event.path[-1])}"
