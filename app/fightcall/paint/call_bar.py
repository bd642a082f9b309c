"""The call bar: what just happened, the open question or the options, and what space does.

It has the same three parts in the same order at every size; see `call_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from fightcall.paint.combatants import (
    clock_owner,
    effect_in_full,
    effect_parts,
    pip_row,
    place_parts,
    squad_name,
    still_to_act,
    track_row,
    work_row,
)
from fightcall.paint.prompt_bar import PromptView, offer_rows, offer_rows_wanted, prompt_rows, rows_wanted
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    break_off,
    clean,
    fit,
    join,
    label_box,
    pad,
    row_width,
    shorten,
    side_role,
    stack,
    width,
    wrap,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Card, Option
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.calls import NO_SEQUEL, Sequel

KEPT = ("go_on", "help", "leave")
"""Actions whose keys are always in the last line; others are dropped to make room for their words."""
FIRST = ("aftermath",)
"""Actions that are never dropped if they come first: ending a fight that is decided."""
BRIEF_WORDS = {"go_on": "on"}
"""Short words of actions, for little room."""
_SUMS = re.compile(r" \((?![^()]*miss)[^()]*[≥≤<>][^()]*\)")
"""A roll against the number it needed, with the space before it; for a miss there is nothing else to tell."""

Tone = Literal["done", "undone", "refused", "warn", "note"]
_STYLES: Mapping[Tone, str] = {"done": "text", "undone": "info", "refused": "bad", "warn": "warn", "note": "text"}

GAP = 3
ROOMY = 56
"""The width from which boxes of harm get names, and lines between levels."""

FRAMED, ROOM_FOR_FRAME = 6, 90
"""The size in rows and cells from which the bar has a full frame."""
ANSWER, OPTION, ACTION = "answer", "option", "action"
"""The kinds of spots in the bar: the first word of `Spot.what`."""


@frozen
class Happened:
    """The first line: what happened last; its `hint` is the key of undo, in words.

    Attributes:
        lead: How many of the first clauses belong together, such as a strike and its harm.
        is_quote: It quotes a text by a person: if it is too long, it is cut between words, not between clauses.
        harm: What an act did, or who was passed over, without the rest, for when both don't fit in a row.
    """

    text: str = ""
    tone: Tone = "done"
    hint: str = ""
    lead: int = 1
    is_quote: bool = False
    harm: str = ""


@frozen
class CallLine:
    """The last line: what going on does.

    Attributes:
        is_armed: The loss was confirmed by a first press: the next one does it.
        hints: Other keys, the most useful first: the key, what it does, and its action.
        brief: A shorter `does`, used if it makes room for the words of `KEPT`; may be empty.
    """

    key: str = "space"
    does: str = ""
    sequel: Sequel = NO_SEQUEL
    loses: str = ""
    is_armed: bool = False
    hints: tuple[tuple[str, str, str], ...] = ()
    brief: str = ""


@frozen
class CallView:
    """Everything the bar shows besides the fight itself; `keys` are those of actions that differ from the option's.

    The `suggestion` is what the selected foe would do: the key that opens or does it, and the act in words.
    """

    happened: Happened = Happened()
    question: PromptView | None = None
    offer: PromptView | None = None
    line: CallLine = CallLine()
    options: tuple[Option, ...] = ()
    keys: Mapping[str, str] | None = None
    likely: int | None = None
    all_key: str = ""
    several: int = 1
    suggestion: tuple[str, str] | None = None


def call_rows(
    view: CallView, state: FightState, system: BaseSystem, combatant_id: str, *, width: int, height: int, glyphs: Glyphs
) -> Drawing:
    """The call bar in exactly `width` by `height` cells. Spots are answers, options and actions."""
    framed = _is_framed(width, height)
    inner = width - 2 if framed else width
    head = _head(state, system, combatant_id, width, glyphs, view.several, framed)
    room = max(height - 2 - framed, 1)
    # What Enter does keeps its rows; of options and reminders, the least likely are dropped.
    reserved = max(_asked_rows(view, inner, glyphs), 1)
    above = _happened_rows(view.happened, inner, glyphs, most=room, spare=room - reserved)
    room = max(room - len(above), 0)
    middle = _middle(view, state, system, combatant_id, inner, room, glyphs)
    last = _call_row(view.line, inner, glyphs)
    spots = [spot.move(1 + len(above)) for spot in middle.spots]
    spots += [spot.move(1 + len(above) + room) for spot in last.spots]
    rows = [*above, *middle.rows, *last.rows]
    if framed:
        edge = Run(glyphs.divider, "frame")
        rows = [(edge, *row, edge) for row in rows]
        spots = [spot.move(0, 1) for spot in spots]
        rows.append((Run(glyphs.corners[2] + glyphs.rule * (width - 2) + glyphs.corners[3], "frame"),))
    return Drawing((head, *rows)[:height], tuple(spots))


def wanted_rows(view: CallView, *, width: int, height: int, glyphs: Glyphs) -> int:
    """The height that shows a question or refusal in full; `height` is the usual one."""
    rows = height
    while True:
        framed = _is_framed(width, rows)
        inner = width - 2 if framed else width
        message_height = len(wrap(view.happened.text, inner - 4)) if view.happened.tone in ("refused", "warn") else 1
        row_count = 2 + framed + message_height + _asked_rows(view, inner, glyphs)
        if row_count <= rows:
            return rows
        # With more rows it may get a frame, which takes another one.
        rows = row_count


def _asked_rows(view: CallView, cells: int, glyphs: Glyphs) -> int:
    """The rows for a question; or for an offer, what a foe would do, and one for options."""
    if view.question is not None:
        return rows_wanted(view.question, width=cells, glyphs=glyphs)
    rows = offer_rows_wanted(view.offer, width=cells, glyphs=glyphs) + 1 if view.offer is not None else 0
    return rows + (view.suggestion is not None)


def _is_framed(width: int, height: int) -> bool:
    return height >= FRAMED and width >= ROOM_FOR_FRAME


# Who is selected


def _head(
    state: FightState, system: BaseSystem, combatant_id: str, cells: int, glyphs: Glyphs, several: int, framed: bool
) -> Row:
    corners = glyphs.corners if framed else glyphs.rule * 2
    row: Row = (Run(corners[0] + glyphs.rule, "frame"),)
    for part in head_parts(state, system, combatant_id, cells, glyphs, several):
        longer = (*row, Run(" ", "text"), *part, Run(" ", "text"), Run(glyphs.rule, "frame"))
        row = longer if row_width(longer) < cells else row
    fill = cells - row_width(row) - 1
    return (*row, Run(glyphs.rule * max(fill, 0) + corners[1], "frame"))


# What happened


def _happened_rows(happened: Happened, cells: int, glyphs: Glyphs, most: int, spare: int) -> list[Row]:
    """A refusal in full, in at most `height` rows; other messages in one row, or two if no clause fits into one."""
    style = _STYLES[happened.tone]
    marks = {"done": glyphs.done, "refused": glyphs.refused, "warn": glyphs.warning, "undone": glyphs.bullet}
    mark = marks.get(happened.tone, glyphs.bullet) if happened.text else " "
    hint: Row = (Run(f"{clean(happened.hint)} ", "options.cost"),) if happened.hint else ()
    room = cells - 3
    if happened.tone in ("refused", "warn"):
        lines = wrap(happened.text, room - 1)[:most] if happened.text else ("",)
    else:
        room_beside = room - row_width(hint) - 2
        room_beside = room_beside if room_beside > 20 else room - 1
        tell = _quote_rows if happened.is_quote else _sentence_rows
        lines = tell(happened, room_beside, room - 1, glyphs, spare > 1)
    rows: list[Row] = [(Run(f" {mark if at == 0 else ' '} ", style), Run(line, style)) for at, line in enumerate(lines)]
    fits = row_width(rows[0]) + row_width(hint) + 2 <= cells
    return [apart(rows[0], hint if fits else (), cells, "text"), *(pad(row, cells, "text") for row in rows[1:])]


def _quote_rows(happened: Happened, beside: int, below: int, glyphs: Glyphs, may_wrap: bool) -> tuple[str, ...]:
    text = clean(happened.text)
    if not may_wrap or width(text) <= beside:
        return (break_off(text, beside, glyphs),)
    first = wrap(text, beside)[0]
    return first, break_off(text[len(first) :].lstrip(), below, glyphs)


def _sentence_rows(happened: Happened, beside: int, below: int, glyphs: Glyphs, may_wrap: bool) -> tuple[str, ...]:
    """A sentence beside the hint; also below if the clauses that belong together do not fit there."""
    text = clean(happened.text)
    clauses = text.split("; ")
    if happened.harm and not may_wrap and width(_SUMS.sub("", text)) > beside:
        # Who was harmed and what is left of them matter more than the act and its sums.
        return (_shorten(_SUMS.sub("", clean(happened.harm)), beside, glyphs),)
    if not may_wrap and width(clauses[0]) > beside:
        # The outcome is more important than the sums behind it.
        text = _SUMS.sub("", text)
    is_cut = bool(happened.harm) and width(text) > beside
    if not may_wrap or (width("; ".join(clauses[: happened.lead])) <= beside and not is_cut):
        return (_shorten(text, beside, glyphs),)
    first = f"{clauses[0]};" if happened.lead > 1 and width(clauses[0]) < beside else _first_row(text, beside)
    return first, _shorten(text[len(first) :].lstrip(), below, glyphs)


def _first_row(text: str, cells: int) -> str:
    """The beginning of a sentence in one row, up to a colon or semicolon if one is in its second half."""
    row = wrap(text, cells)[0]
    end = max(row.rfind(": "), row.rfind("; ")) + 1
    return row[:end] if width(row[:end]) > cells // 2 else row


def _shorten(text: str, cells: int, glyphs: Glyphs) -> str:
    short = shorten(text, cells, glyphs)
    if short == text or short.endswith(glyphs.ellipsis):
        return short
    return f"{short} {glyphs.ellipsis}" if width(short) + 2 <= cells else shorten(text, cells - 2, glyphs)


# What is asked, or can be done


def _middle(
    view: CallView, state: FightState, system: BaseSystem, combatant_id: str, cells: int, room: int, glyphs: Glyphs
) -> Drawing:
    if room < 1:
        return Drawing(())
    if view.question is not None:
        drawn = prompt_rows(view.question, width=cells, height=room, glyphs=glyphs)
        return Drawing(drawn.rows, tuple(_named(drawn.spots, ANSWER)))
    rows: list[Row] = []
    spots: list[Spot] = []
    if view.offer is not None:
        below = 1 if view.suggestion is None else 2
        offer_drawing = offer_rows(view.offer, width=cells, height=max(room - below, 1), glyphs=glyphs)
        rows += offer_drawing.rows
        spots += _named(offer_drawing.spots, ANSWER)
    if view.suggestion is not None and room > len(rows):
        key, words = view.suggestion
        first = Run(f" {glyphs.enter if key == 'enter' else clean(key)} ", "prompt.choice.key")
        rows.append((first, Run(shorten(clean(words), cells - width(first.text), glyphs), "prompt.question")))
        spots.append(Spot(range(len(rows) - 1, len(rows)), range(cells), f"{ACTION} accept"))
    acts = act_rows(
        state,
        system,
        combatant_id,
        view.options,
        width=cells,
        height=room - len(rows),
        glyphs=glyphs,
        keys=view.keys,
        likely=view.likely if view.offer is None and view.suggestion is None else None,
        all_key=view.all_key,
        is_brief=view.suggestion is not None and room - len(rows) == 1,
    )
    spots += [spot.move(len(rows)) for spot in _named(acts.spots, OPTION)]
    rows += acts.rows
    rows += reminder_rows(state, system, cells, room - len(rows), glyphs)
    return Drawing(stack(rows, cells, room, "text"), tuple(spots))


def _named(spots: Sequence[Spot], kind: str) -> list[Spot]:
    return [spot._replace(what=f"{kind} {spot.what}") for spot in spots]


# What going on does


def _call_words(does: str, sequel: Sequel, cells: int, glyphs: Glyphs) -> str:
    sentence, point, _ = sequel.asks.partition(". ")
    subject, colon, _ = sentence.partition(": ")
    questions = (sequel.asks, f"{sentence}." if point else "", subject if colon else "")
    sequels = [replace(sequel, asks=question) for question in questions if question]
    sequels += [] if sequel.asks else [sequel, Sequel(sequel.then.partition(": ")[0])]
    texts = (f"{does}{each.words}" for each in sequels)
    return next((text for text in texts if width(text) <= cells), shorten(does, cells, glyphs))


def _hint(name: str, words: str) -> Row:
    return (Run(f"  {clean(name)}", "keybar.key"), Run(f" {clean(words)}", "keybar.text"))


def _call_row(line: CallLine, cells: int, glyphs: Glyphs) -> Drawing:
    """The key and its words, and other keys as far as they fit. `KEPT`, and a leading `FIRST`, are always there."""
    # The words may name people and quote questions.
    sequel = Sequel(clean(line.sequel.then), clean(line.sequel.asks))
    key_name, does, brief, loses = map(clean, (line.key, line.does, line.brief, line.loses))
    line = replace(line, key=key_name, does=does, brief=brief, loses=loses, sequel=sequel)
    # What loses something wants a second press.
    name = f"{line.key} twice" if line.loses and not line.is_armed else line.key
    key = Run(f" {name}", "keybar.key")
    style = "prompt.error" if line.loses else "prompt.question"
    mark = Run(f" {glyphs.now} ", "prompt.mark" if line.is_armed else style)
    prefix = "press again: " if line.is_armed else ""
    loses = f" ({line.loses})" if line.loses and line.loses not in line.does else ""
    pieces = [_hint(name, words) for name, words, _ in line.hints]
    reserved = [
        piece[:1] if action in KEPT else piece if place == 0 and action in FIRST else ()
        for place, (piece, (_, _, action)) in enumerate(zip(pieces, line.hints, strict=True))
    ]
    reserved_cells = sum(map(row_width, reserved))
    text_cells = cells - width(name) - 6
    room = text_cells - reserved_cells
    full = f"{prefix}{line.does}{loses}"
    if line.loses and line.brief and width(full) > room:
        # Those who lose something are counted if they can't be named.
        full = f"{prefix}{line.brief}"
    text = _call_words(full, line.sequel, room, glyphs)
    lasting = [piece for piece, (_, _, action) in zip(pieces, line.hints, strict=True) if action in KEPT]
    kept_cells = sum(map(row_width, lasting))
    brief = f"{prefix}{line.brief}{line.sequel.words}"
    is_whole = text == f"{full}{line.sequel.words}"
    room = text_cells - (kept_cells if is_whole else reserved_cells)
    if line.brief and not line.loses and not (is_whole and width(text) <= room) and width(brief) <= room:
        text = brief
    row: Row = (key, mark, Run(text, style))
    spots = [Spot(range(1), range(row_width(row)), f"{ACTION} next")]
    room = cells - row_width(row) - 3 - reserved_cells
    shown = list(reserved)
    # The permanent keys get their words first, short ones if that gives words to all of them.
    has_room_for_all = kept_cells - reserved_cells <= room
    for place in sorted(range(len(pieces)), key=lambda place: line.hints[place][2] not in KEPT):
        name, _, action = line.hints[place]
        shorter = (_hint(name, BRIEF_WORDS[action]),) if action in BRIEF_WORDS else ()
        for piece in (pieces[place], *shorter) if has_room_for_all else (*shorter, pieces[place]):
            more = row_width(piece) - row_width(reserved[place])
            if more <= room:
                shown[place] = piece
                room -= more
                break
    hints = [(piece, action) for piece, (_, _, action) in zip(shown, line.hints, strict=True) if piece]
    at = cells - sum(row_width(piece) for piece, _ in hints) - 1
    right = join([*(piece for piece, _ in hints), (Run(" ", "keybar"),)])
    for piece, action in hints:
        spots.append(Spot(range(1), range(at + 2, at + row_width(piece)), f"{ACTION} {action}"))
        at += row_width(piece)
    return Drawing((apart(row, right, cells, "keybar"),), tuple(spots))


# Drawing the selected combatant's state and options, and the reminders


def head_parts(
    state: FightState, system: BaseSystem, combatant_id: str, cells: int, glyphs: Glyphs, several: int = 1
) -> list[Row]:
    """The parts of the selected combatant's state, the most important first; `several` will act together."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return [(Run("No one is selected", "options.why"),)]
    words = system.words(state.settings).pools
    card = system.card(state, combatant.id)
    acting = combatant.id in still_to_act(state, system)
    whole_name = squad_name([combatant]) if several > 1 else clean(combatant.name or combatant.id)
    name = fit(whole_name, min(width(whole_name), 30), ellipsis=glyphs.ellipsis)
    box = label_box(combatant.label, side_role(system, combatant.side), glyphs, acting=acting)
    crowd = (Run(f" {glyphs.times}{several}", "prompt.mark"),) if several > 1 else ()
    alias = players_name(state, combatant)
    known: Row = (Run(f" (players: {clean(alias)})", "options.cost"),) if alias else ()
    parts: list[Row] = [(box, Run(f" {name}", "options.name"), *known, *crowd)]
    pools = card.pools
    level: Row = (Run(f" {clean(card.level)}", "options.label"),) if card.level else ()
    if card.track is not None and pools:
        roomy = cells >= ROOMY
        track = f"{clean(card.track.name)} " if roomy else ""
        boxes = track_row(card.track, glyphs, parted=roomy)
        parts.append((Run(track, "pool.spent"), *boxes, *level))
        pools = pools[1:]
    for pool_name in pools:
        if pool_name in combatant.pools:
            pool = combatant.pools[pool_name]
            track = f"{clean(words.get(pool_name, pool_name))} {pool.now}/{pool.max}"
            hurt = level if pool_name == card.pools[0] else ()
            parts.append((Run(track, "pool" if pool.now else "pool.spent"), *hurt))
    parts += [pip_row(pips, glyphs, word=f"{words.get(pips.pool, pips.pool)} ") for pips in card.pips]
    parts += [work_row(work, glyphs) for work in card.progress]
    parts += place_parts(combatant, state, card, "options.cost", glyphs)
    contacts = [state.combatants[enemy] for enemy in state.contacts_of(combatant.id)]
    if contacts:
        names = ", ".join(clean(enemy.name or enemy.label) for enemy in contacts)
        parts.append((Run(f"in contact: {names}", "warn"),))
    cells -= sum(row_width(part) + 3 for part in parts)
    return parts + _effect_parts(combatant, card, state, system, cells, glyphs)


def _effect_parts(
    combatant: Combatant, card: Card, state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs
) -> list[Row]:
    badge_texts = [clean(badge.text) if badge else "" for badge in card.lasting] + [""] * len(combatant.effects)
    pairs = list(zip(badge_texts, combatant.effects, strict=False))
    full = [words or effect_in_full(effect, combatant, state, system) for words, effect in pairs]
    short = [
        words or "".join(effect_parts(effect, glyphs, clock_owner(effect, combatant, state))) for words, effect in pairs
    ]
    fits = sum(width(clean(text)) + 3 for text in full) <= cells
    return [(Run(clean(text), "options.lasting"),) for text in (full if fits else short)]


def act_rows(
    state: FightState,
    system: BaseSystem,
    combatant_id: str,
    options: Sequence[Option],
    *,
    width: int,
    height: int,
    glyphs: Glyphs,
    keys: Mapping[str, str] | None = None,
    likely: int | None = None,
    all_key: str = "",
    is_brief: bool = False,
) -> Drawing:
    """The options in at most `height` rows. Spots are indexes in `options`.

    Options that do not fit are dropped from the end; the key that lists everything (`all_key`) comes last, with their
    number. The option at `likely` comes first. With `is_brief`, the rolls they need are left out. `keys` are those of
    actions that have another one than the option's own.
    """
    if height < 1 or combatant_id not in state.combatants:
        return Drawing(())
    places = [place for place, option in enumerate(options) if option.legal]
    if not places:
        return Drawing(tuple(_why(options, system, width, glyphs)[:height]))
    shown = [replace(each, key=(keys or {}).get(each.action, each.key)) for each in options]
    if all_key:
        # Options without a key are only in the full list.
        places = [place for place in places if place == likely or shown[place].key]
    # Options that lose a declaration come last, as in the full list.
    places.sort(key=lambda place: (place != likely, bool(options[place].loses)))
    if is_brief:
        shown = [replace(each, inputs=()) for each in shown]
    pieces = [(place, _piece(shown[place], place == likely, width - GAP, glyphs)) for place in places]
    every: Row = (Run(all_key, "options.name"), Run(f" all {len(options)}", "options.cost")) if all_key else ()
    return _lay_out(pieces, every, width, height)


def _piece(option: Option, likely: bool, cells: int, glyphs: Glyphs) -> Row:
    row: Row = (Run(clean(option.key), "options.name"), Run(" ", "options")) if option.key else ()
    needed = next((f"needs {field.needs}" for field in option.inputs if field.needs), "")
    note = ", ".join(filter(None, (option.cost, needed)))
    note_row: Row = (Run(f" {clean(note)}", "options.cost"),) if note else ()
    label = shorten(option.label, cells - row_width(row) - row_width(note_row), glyphs)
    return (*row, Run(label, "options.selected" if likely else "options.label"), *note_row)


def _lay_out(pieces: Sequence[tuple[int, Row]], every: Row, cells: int, most: int) -> Drawing:
    rows: list[Row] = []
    spots: list[Spot] = []
    gap = Run(" " * GAP, "options")
    row, start = [gap], GAP
    room_for_every = row_width(every)
    for at, (place, piece) in enumerate(pieces):
        size = row_width(piece)
        last = len(rows) == most - 1
        reserve = room_for_every + GAP if last and every else 0
        if last and not every and at < len(pieces) - 1:
            reserve = 6
        if start > GAP and start + size + reserve > cells:
            if last:
                row += [] if every else [Run(f"+{len(pieces) - at}", "options.cost")]
                break
            rows.append(tuple(row))
            row, start = [gap], GAP
        spots.append(Spot(range(len(rows), len(rows) + 1), range(start, min(start + size, cells)), str(place)))
        row += (*piece, gap)
        start += size + GAP
    if start + room_for_every <= cells:
        row += every
    return Drawing(tuple(pad(each, cells, "options") for each in (*rows, tuple(row))), tuple(spots))


def _why(options: Sequence[Option], system: BaseSystem, cells: int, glyphs: Glyphs) -> list[Row]:
    if not options:
        return []
    option = options[0]
    rule = system.rule_words(option.rule)
    text = f"{glyphs.refused} {clean(option.label)}: {clean(option.why)}{f' ({rule})' if rule else ''}"
    return [(Run(f"   {line}", "options.why"),) for line in wrap(text, cells - 4, 2)]


def reminder_rows(state: FightState, system: BaseSystem, cells: int, most: int, glyphs: Glyphs) -> list[Row]:
    """The reminders in at most `height` rows; those that do not fit are dropped."""
    rows: list[Row] = []
    for reminder in system.reminders(state):
        lines = wrap(reminder, cells - 4)
        if len(lines) > most and not rows:
            lines = (shorten(reminder, cells - 4, glyphs),)
        if len(rows) + len(lines) <= most:
            rows += [(Run(f" {' ' if at else glyphs.bullet} {line}", "options.cost"),) for at, line in enumerate(lines)]
    return rows
