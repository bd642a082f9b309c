"""The options bar: what the selected combatant can do now, at what price, and why not the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.effects import clock_owner, effect_in_full, effect_text
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, label_box, pad, side_role, stack, still_to_act, wrap
from fightcall.paint.pips import pip_row, work_row
from fightcall.paint.runs import Row, Run, clean, fit, row_width, width
from fightcall.paint.tracks import track_row
from fightcall_engine.board.kinds import direction_of

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option
    from fightcall_engine.model.state import Combatant, FightState

GAP = 2
LONGEST_LABEL = 28
ROOMY = 56
"""Cells from which boxes of harm are named, with lines between their levels."""


def option_rows(
    state: FightState,
    system: BaseSystem,
    combatant_id: str,
    options: Sequence[Option],
    *,
    width: int,
    height: int,
    glyphs: Glyphs,
    keys: Mapping[str, str] | None = None,
    highlighted: int | None = None,
    several: int = 1,
) -> Drawing:
    """What somebody can do now; spots are places in `options`.

    Args:
        state: The fight.
        system: Its rules, for their words and reminders.
        combatant_id: The selected combatant, empty for none.
        options: What the engine says they can do.
        width: Cells across.
        height: Rows down.
        glyphs: Marks to draw with.
        keys: The key as shown of each action, where it is not the option's own.
        highlighted: The place of the option whose reason is wanted.
        several: How many will do it together.
    """
    combatant = state.combatants.get(combatant_id)
    if combatant is None or height < 1:
        rows = [(Run(" Nobody is selected", "options.why"),), *_reminders(state, system, width, glyphs)]
        return Drawing(stack(rows, width, height, "options"))
    pieces = [_piece(option, place == highlighted, keys or {}) for place, option in enumerate(options)]
    legal = [option.legal for option in options]
    why = _why(options, highlighted, width, glyphs)
    if height == 1:
        flow, spots = _flow(pieces, legal, width, 1)
        return Drawing(stack(flow, width, 1, "options"), spots)
    # The reason asked for is shown even where the last row of options has to make room for it.
    wanted = why if highlighted is not None else ()
    head = _head(combatant, state, system, width, glyphs, several)[: max(height - 1, 1)]
    flow, spots = _flow(pieces, legal, width, max(height - len(head) - len(wanted), 1))
    drawn = [*head, *flow]
    drawn += why[: max(height - len(drawn), 0)]
    drawn += _reminders(state, system, width, glyphs)[: max(height - len(drawn), 0)]
    below = len(head)
    spots = tuple(Spot(range(rows.start + below, rows.stop + below), cells, what) for rows, cells, what in spots)
    return Drawing(stack(drawn, width, height, "options"), spots)


def _head(
    combatant: Combatant, state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs, several: int = 1
) -> list[Row]:
    """Who is selected, with everything that lasts on them: beside the rest where it fits, else below it."""
    header = _header(combatant, state, system, cells, glyphs, several)
    lasting = _effect_rows(combatant, state, system, cells, glyphs)
    if len(lasting) == 1 and row_width(header) + row_width(lasting[0]) <= cells:
        header, lasting = (*header, *lasting[0]), []
    return [pad(header, cells, "options"), *lasting]


def _header(
    combatant: Combatant, state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs, several: int = 1
) -> Row:
    """Label, name and what they have, as much of it as has room."""
    words = system.words(state.settings).pools
    card = system.card(state, combatant.id)
    acting = combatant.id in still_to_act(state, system)
    name = fit(
        combatant.name or combatant.id, min(width(clean(combatant.name or combatant.id)), 30), ellipsis=glyphs.ellipsis
    )
    parts: list[Row] = [
        (label_box(combatant.label, side_role(system, combatant.side), glyphs, acting=acting),),
        (Run(name, "options.name"), *((Run(f" {glyphs.times}{several}", "prompt.mark"),) if several > 1 else ())),
    ]
    pools = card.pools
    level: Row = (Run(f" {clean(card.level)}", "options.label"),) if card.level else ()
    if card.track is not None and pools:
        roomy = cells >= ROOMY
        said = f"{clean(card.track.name)} " if roomy else ""
        boxes = track_row(card.track, glyphs, parted=roomy)
        parts.append((Run(said, "pool.spent"), *boxes, *level))
        pools = pools[1:]
    for held in pools:
        if held in combatant.pools:
            pool = combatant.pools[held]
            said = f"{clean(words.get(held, held))} {pool.now}/{pool.max}"
            hurt = level if held == card.pools[0] else ()
            parts.append((Run(said, "pool" if pool.now else "pool.spent"), *hurt))
    parts += [pip_row(counted, glyphs, word=f"{words.get(counted.pool, counted.pool)} ") for counted in card.pips]
    parts += [work_row(work, glyphs) for work in card.progress]
    if combatant.at is not None and state.board is not None:
        arrow = glyphs.arrows.get(direction_of(state.board, combatant.facing), "")
        parts.append((Run(f"{state.board.name_of(combatant.at)} {arrow}".rstrip(), "options.cost"),))
    if card.mark:
        parts.append((Run(f"{glyphs.struck} {clean(card.mark)}", "options.cost"),))
    contacts = [state.combatants[enemy] for enemy in state.contacts_of(combatant.id)]
    if contacts:
        names = ", ".join(clean(enemy.name or enemy.label) for enemy in contacts)
        parts.append((Run(f"in contact: {names}", "warn"),))
    row: Row = ()
    for part in parts:
        longer = (*row, Run(" ", "options"), *part, Run(" ", "options"))
        row = longer if row_width(longer) <= cells else row
    return row


def _effect_rows(combatant: Combatant, state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs) -> list[Row]:
    """Everything that lasts on somebody, with all that is left of it: in full where that fits, else shorter."""
    if not combatant.effects:
        return []
    said = system.card(state, combatant.id).lasting
    own = [clean(badge.text) if badge is not None else "" for badge in said] + [""] * len(combatant.effects)
    pairs = list(zip(own, combatant.effects, strict=False))
    full = f"  {glyphs.bullet}  ".join(
        words or effect_in_full(effect, combatant, state, system) for words, effect in pairs
    )
    lines = wrap(full, cells - 2)
    if len(lines) > 1:
        short = (words or effect_text(effect, glyphs, clock_owner(effect, combatant, state)) for words, effect in pairs)
        lines = wrap(f" {glyphs.bullet} ".join(short), cells - 2)
    return [(Run(f" {line}", "options.lasting"),) for line in lines]


def _piece(option: Option, chosen: bool, keys: Mapping[str, str]) -> Row:
    key = keys.get(option.action, option.key)
    label = clean(option.label)
    label = fit(label, min(width(label), LONGEST_LABEL))
    if not option.legal:
        box, text = "options.off.key", "options.off"
    else:
        box, text = "options.key", "options.label"
    row: Row = (Run(f" {clean(key)} ", box), Run(" ", "options")) if key else ()
    row = (*row, Run(label, "options.selected" if chosen else text))
    return (*row, Run(f" {clean(option.cost)}", "options.cost")) if option.cost else row


def _flow(pieces: Sequence[Row], legal: Sequence[bool], cells: int, most: int) -> tuple[list[Row], tuple[Spot, ...]]:
    """Pieces in rows; where not all have room those that can be done come first, and of the rest the number is told."""
    places = list(range(len(pieces)))
    rows, spots = _lay_out(pieces, places, cells, most)
    if len(spots) == len(pieces):
        return rows, spots
    return _lay_out(pieces, sorted(places, key=lambda place: not legal[place]), cells, most)


def _lay_out(pieces: Sequence[Row], places: Sequence[int], cells: int, most: int) -> tuple[list[Row], tuple[Spot, ...]]:
    if not pieces:
        return [], ()
    rows: list[Row] = []
    spots: list[Spot] = []
    row: Row = (Run(" ", "options"),)
    for at, place in enumerate(places):
        piece = pieces[place]
        size = row_width(piece)
        last = len(rows) == most - 1
        reserve = 6 if last and at < len(pieces) - 1 else 0
        if row_width(row) > 1 and row_width(row) + size + reserve > cells:
            if last:
                row = (*row, Run(f"+{len(pieces) - at}", "options.cost"))
                break
            rows.append(row)
            row = (Run(" ", "options"),)
        start = row_width(row)
        spots.append(Spot(range(len(rows), len(rows) + 1), range(start, min(start + size, cells)), str(place)))
        row = (*row, *piece, Run(" " * GAP, "options"))
    return [*rows, row], tuple(spots)


def _why(options: Sequence[Option], highlighted: int | None, cells: int, glyphs: Glyphs) -> list[Row]:
    """The reason of the highlighted option, or of the first, where nothing at all can be done."""
    if highlighted is not None and 0 <= highlighted < len(options):
        option = options[highlighted]
    elif options and not any(option.legal for option in options):
        option = options[0]
    else:
        return []
    if option.legal:
        return [(Run(f" {clean(option.label)}  {option.rule}".rstrip(), "options.why"),)]
    rule = f" ({option.rule})" if option.rule else ""
    text = f"{glyphs.refused} {clean(option.label)}: {clean(option.why)}{rule}"
    return [(Run(f" {line}", "options.why"),) for line in wrap(text, cells - 2, 2)]


def _reminders(state: FightState, system: BaseSystem, cells: int, glyphs: Glyphs) -> list[Row]:
    return [
        (Run(f" {glyphs.bullet} {line}" if first == 0 else f"   {line}", "options.cost"),)
        for reminder in system.reminders(state)
        for first, line in enumerate(wrap(reminder, cells - 4))
    ]
