"""Badges on a card: heroic deeds, morale, tokens, bows."""

from __future__ import annotations

from fightcall_engine.kit.views import Badge
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state import archery, items, morale, rolls, scores
from fightcall_engine.systems.segments.state.fighter import Bonus, fighter_of


def deed_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """The bonuses of a heroic deed, in short."""
    badges = ((f"{each.score.upper()} +{each.amount}", _deed_for(state, each)) for each in fighter_of(combatant).deed)
    return tuple(Badge(f"deed: {deed}{end}", "good") for deed, end in badges)


def _deed_for(state: FightState, bonus: Bonus) -> str:
    return {scores.ACT: ", one Action", scores.FOE: f" on {scores.foe_name(state, bonus.foe)}"}.get(bonus.until, "")


# Morale and tokens

_TOLD = {morale.SHAKEN: morale.SHAKEN, morale.BROKEN: "surrendered", morale.IN_TEARS: morale.IN_TEARS}


def morale_badges(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """Morale and the doubts of this segment or the next, without numbers: both are public."""
    morale_state = morale.state_of(combatant)
    tone = "bad" if morale_state in morale.SURRENDERED else "warn"
    badges = [Badge(_TOLD[morale_state], tone, _TOLD[morale_state])] if morale_state else []
    for each in fighter_of(combatant).doubts:
        foe = state.combatants.get(each.by)
        if foe is not None and each.segment >= state.round and combatant.able:
            text = f"doubts {foe.name}"
            seen_text = "" if foe.hidden else text
            badges.append(Badge(f"{text}: DV -{each.loss} in Segment {each.segment}", "warn", seen_text))
    return tuple(badges)


def token_badges(combatant: Combatant) -> tuple[Badge, ...]:
    """The tokens of a combatant."""
    counts = (
        (colour, sum(token_colour == colour for token_colour, _ in fighter_of(combatant).tokens))
        for colour in rolls.COLOURS
    )
    text = ", ".join(f"{count} {colour}" for colour, count in counts if count)
    return (Badge(f"tokens: {text}", "info"),) if text else ()


# Bows


def bow_badges(combatant: Combatant) -> tuple[Badge, ...]:
    """CS-255, CS-256: the state of a crossbow, and an unstrung bow."""
    badges = []
    state = archery.state_of(combatant)
    if archery.crossbow_of(combatant) is not None and state != archery.UNKNOWN:
        tool = ", tool on" if archery.has_tool_on(combatant) else ""
        text = "uncocked" if state == archery.SPENT else state
        badges.append(Badge(f"{text}{tool}", "good" if state == archery.LOADED and not tool else "plain"))
    if fighter_of(combatant).unstrung and any(archery.is_bow(thing) for thing in items.items_of(combatant)):
        badges.append(Badge("unstrung", "plain"))
    return tuple(badges)
