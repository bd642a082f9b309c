"""Drawing the selected combatant's state and options, and the reminders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.combatants import (
    clock_owner,
    effect_in_full,
    effect_text,
    pip_row,
    squad_name,
    track_row,
    work_row,
)
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, label_box, pad, shorten, side_role, wrap
from fightcall.paint.runs import Row, Run, clean, fit, row_width, width
from fightcall.waiting import still_to_act
from fightcall_engine.board.kinds import direction_of
from fightcall_engine.model.sight import players_name

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option
    from fightcall_engine.model.state import Combatant, FightState

GAP = 3
ROOMY = 56
"""The width from which boxes of harm get names, and lines between levels."""


def head_parts(
    state: FightState, system: BaseSystem, combatant_id: str, cells: int, glyphs: Glyphs, several: int = 1
) -> list[Row]:
    """The parts of the selected combatant's state, the most important first.

    Args:
        state: The fight.
        system: Its rules, for their words.
        combatant_id: The selected combatant, empty for none.
        cells: Cells across that there are for all of it.
        glyphs: Marks to draw with.
        several: How many will act together.
    """
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
    parts += [
        pip_row(card_pips, glyphs, word=f"{words.get(card_pips.pool, card_pips.pool)} ") for card_pips in card.pips
    ]
    parts += [work_row(work, glyphs) for work in card.progress]
    if combatant.at is not None and state.board is not None:
        arrow = glyphs.arrows.get(direction_of(state.board, combatant.facing), "")
        parts.append((Run(f"{state.board.name_of(combatant.at)} {arrow}".rstrip(), "options.cost"),))
    if card.mark:
        parts.append((Run(f"{glyphs.struck} {clean(card.mark_words)}", "options.cost"),))
    contacts = [state.combatants[enemy] for enemy in state.contacts_of(combatant.id)]
    if contacts:
        names = ", ".join(clean(enemy.name or enemy.label) for enemy in contacts)
        parts.append((Run(f"in contact: {names}", "warn"),))
    return parts + _effect_parts(combatant, state, system, cells - sum(row_width(part) + 3 for part in parts), glyphs)


def _effect_parts(combatant: Combatant, state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs) -> list[Row]:
    """A combatant's effects with what is left of them: in full if they fit, else shorter."""
    badges = system.card(state, combatant.id).lasting
    badge_texts = [clean(badge.text) if badge is not None else "" for badge in badges] + [""] * len(combatant.effects)
    pairs = list(zip(badge_texts, combatant.effects, strict=False))
    full = [words or effect_in_full(effect, combatant, state, system) for words, effect in pairs]
    short = [words or effect_text(effect, glyphs, clock_owner(effect, combatant, state)) for words, effect in pairs]
    fits = sum(width(clean(text)) + 3 for text in full) <= cells
    return [(Run(clean(text), "options.lasting"),) for text in (full if fits else short)]


def act_rows(
    state: FightState,
    combatant_id: str,
    options: Sequence[Option],
    *,
    width: int,
    height: int,
    glyphs: Glyphs,
    keys: Mapping[str, str] | None = None,
    likely: int | None = None,
    all_key: str = "",
) -> Drawing:
    """The options in at most `height` rows. Spots are indexes in `options`.

    Options that do not fit are dropped from the end; the key that lists everything comes last, with their number.

    Args:
        state: The fight.
        combatant_id: The selected combatant, empty for none.
        options: What the engine says they can do.
        width: Cells across.
        height: Rows down.
        glyphs: Marks to draw with.
        keys: The key as shown of each action, where it is not the option's own.
        likely: The place of the likeliest option, which comes first.
        all_key: The key that lists all of them.
    """
    if height < 1 or combatant_id not in state.combatants:
        return Drawing(())
    places = [place for place, option in enumerate(options) if option.legal]
    if not places:
        return Drawing(tuple(_why(options, width, glyphs)[:height]))
    # Options that lose a declaration come last, as in the full list.
    key_of_action = keys or {}
    if all_key:
        # Options without a key are only in the full list.
        places = [place for place in places if place == likely or _key_of(options[place], key_of_action)]
    places.sort(key=lambda place: (place != likely, bool(options[place].loses)))
    pieces = [(place, _piece(options[place], place == likely, keys or {}, width - GAP, glyphs)) for place in places]
    every: Row = (Run(all_key, "options.name"), Run(f" all {len(options)}", "options.cost")) if all_key else ()
    return _lay_out(pieces, every, width, height)


def _key_of(option: Option, keys: Mapping[str, str]) -> str:
    return keys.get(option.action, option.key)


def _piece(option: Option, likely: bool, keys: Mapping[str, str], cells: int, glyphs: Glyphs) -> Row:
    """An option in so many cells: its key, its label, its cost, and the roll it needs."""
    key = _key_of(option, keys)
    row: Row = (Run(clean(key), "options.name"), Run(" ", "options")) if key else ()
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


def _why(options: Sequence[Option], cells: int, glyphs: Glyphs) -> list[Row]:
    """The reason of the first option, if none is possible."""
    if not options:
        return []
    option = options[0]
    rule = f" ({option.rule})" if option.rule else ""
    text = f"{glyphs.refused} {clean(option.label)}: {clean(option.why)}{rule}"
    return [(Run(f"   {line}", "options.why"),) for line in wrap(text, cells - 4, 2)]


def reminder_rows(state: FightState, system: BaseSystem, cells: int, most: int, glyphs: Glyphs) -> list[Row]:
    """The reminders in at most `height` rows; those that do not fit are dropped."""
    rows: list[Row] = []
    for reminder in system.reminders(state):
        lines = wrap(reminder, cells - 4)
        if len(lines) > most and not rows:
            lines = (shorten(reminder, cells - 4, glyphs),)
        if len(rows) + len(lines) <= most:
            marks = (f" {glyphs.bullet} ", *("   " for _ in lines))
            rows += [(Run(f"{mark}{line}", "options.cost"),) for mark, line in zip(marks, lines, strict=False)]
    return rows
