"""How each event is told, and how each result is explained."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import answer_words
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.views import Phrase, Trail, TrailPart, Trails
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import events, records, strikes
from fightcall_engine.systems.stage.records import figure_of, scene_of, settings_of

NOTHING = Phrase("")
"""The phrase of an event without a log line."""

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}


def _beats(state: FightState, combatant: Combatant) -> Trail:
    pool = records.beats(combatant)
    base = sheet_int(combatant, "base_beats")
    base = 14 if base is None else base
    total = records.total_beats(combatant.sheet, settings_of(state))
    loss = base - total
    parts = [
        TrailPart("base", str(base), "SB-28" if combatant.side == records.PARTY else "SB-32"),
        TrailPart("armour", str(-loss), "SB-29"),
    ]
    if pool.max != total:
        parts.append(TrailPart("GM override", f"{pool.max - total:+d}"))
    parts.append(TrailPart("spent this Moment", str(pool.now - pool.max), "SB-31"))
    return Trail("beats", f"{pool.now}/{pool.max}", tuple(parts))


def _sneak_trail(state: FightState, combatant: Combatant) -> Trail:
    skill = sheet_int(combatant, "skullduggery")
    agility = sheet_int(combatant, "agility") or 10
    target, dar = records.sneak_target(combatant, settings_of(state)), records.sneak_dar(combatant)
    bonus = figure_of(combatant).sneak_bonus
    by_skill = records.sneaks_by_skill(combatant, settings_of(state))
    parts = [
        TrailPart("Skullduggery" if by_skill else "Agility", str(target), "SB-63" if by_skill else "SB-59"),
        TrailPart("DAR added to the die", str(dar), "SB-59" if figure_of(combatant).dar_relief is None else "SB-64"),
        TrailPart("highest d20 roll that succeeds", str(target - dar + bonus), "SB-59"),
    ]
    if bonus:
        parts.insert(2, TrailPart("subtracted by the GM", str(bonus), "SB-62"))
    if skill is not None and not by_skill:
        parts.insert(1, TrailPart("Skullduggery, not used", str(skill), "Q-S15"))
    if by_skill:
        parts.insert(1, TrailPart("Agility, not used", str(agility), "SB-63"))
    total = f"d20{f' {dar:+d}' if dar else ''}{f' {-bonus:+d}' if bonus else ''} ≤ {target}"
    return Trail("sneak", total, tuple(parts))


def _cover_trail(state: FightState, combatant: Combatant) -> Trail:
    value, source = strikes.cover_modifier(state, combatant, None)
    rule = "SB-69" if source == "partial cover" else "SB-70"
    parts = (
        TrailPart("cover now", figure_of(combatant).cover, "SB-68"),
        TrailPart("cover at the start of the Moment", figure_of(combatant).cover_at_start, "SB-67"),
        TrailPart(f"added to a shooter's die: {source}" if value else "added to a shooter's die", str(value), rule),
    )
    return Trail("cover", figure_of(combatant).cover, parts)


def _order(state: FightState, combatant: Combatant) -> Trail:
    place = [
        combatant_id for combatant_id in state.order if state.combatants[combatant_id].side == combatant.side
    ].index(combatant.id) + 1
    lead = records.leading_side(state)
    rule = "SB-06" if lead == records.PARTY else "SB-14"
    parts = (
        TrailPart("lead side", lead, rule if lead == scene_of(state).lead_side else "SB-13"),
        TrailPart("own side", combatant.side, "SB-06"),
        TrailPart(f"order of the party: {scene_of(state).party_order}", str(place), "SB-11"),
    )
    return Trail("order", f"{place} of the {combatant.side}", parts)


def _prone(state: FightState, combatant: Combatant) -> Trail:
    chosen = settings_of(state)
    half = f"drop prone: half of all beats, rounded {chosen.prone_round}"
    all_of_them = "stand up: all beats" if chosen.rise_needs_full else "stand up: all remaining beats"
    parts = (
        TrailPart(half, str(records.prone_price(combatant, chosen)), "SB-75"),
        TrailPart(all_of_them, str(records.rise_price(combatant, chosen)), "SB-76"),
    )
    return Trail("prone", figure_of(combatant).posture, parts)


def _strike(state: FightState, combatant: Combatant) -> Trail:
    last_strike = figure_of(combatant).strike
    parts = []
    for kind in records.STRIKE_PHASES:
        check = first_broken(strikes.attacker_checks(state, combatant, kind))
        if check is not None:
            parts.append(TrailPart(f"{kind}: {check.message}", "no", check.rule))
        else:
            parts.append(TrailPart(kind, "yes", strikes.PHASE_RULES[kind]))
    return Trail("strike", "unused" if last_strike == "none" else f"used ({last_strike})", tuple(parts))


def _hp(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pools.get("hp")
    if pool is None:
        return Trail("hp", "not tracked", (TrailPart("the sheet has no hit points", "", "SB-37"),))
    return Trail(
        "hp",
        f"{pool.now}/{pool.max}",
        (TrailPart("sheet", str(pool.max)), TrailPart("harm", str(pool.now - pool.max), "SB-37")),
    )


TRAILS: Trails = {
    "beats": _beats,
    "sneak": _sneak_trail,
    "cover": _cover_trail,
    "order": _order,
    "prone": _prone,
    "strike": _strike,
    "hp": _hp,
}
"""The explanations, by the name of the number."""


# Log lines for the events of Stage Moments


def _side(side: str) -> str:
    return side.title()


def _describe_declaration(event: events.StrikeDeclared, state: FightState) -> Phrase:
    at = f" {'at ' if event.kind != 'melee' else ''}{name_of(state, event.target)}" if event.target else ""
    what = f" with {event.note}" if event.note and event.target else (f" {event.note}" if event.note else "")
    return Phrase(f"{name_of(state, event.who)} {_VERBS[event.kind]}{at}{what}", "plain", "SB-34")


def _describe_strike(event: events.StrikeResolved, state: FightState) -> Phrase:
    detail = ""
    if event.die is not None and event.total is not None and event.needs is not None:
        sum_text = f"{event.die}{event.modifier:+d} = {event.total}" if event.modifier else f"{event.die}"
        detail = f"{sum_text} {'≤' if event.total <= event.needs else '>'} {event.needs} "
    return Phrase("", rule="SB-35", edge=f"{detail}{'hit' if event.hit else 'miss'}")


def _sneak(event: events.SneakChecked, state: FightState) -> Phrase:
    end = "unnoticed" if event.passed else "noticed"
    added = "".join(f" {number:+d}" for number in (event.dar, -event.bonus) if number)
    total = f" = {event.die + event.dar - event.bonus}" if added else ""
    dice = f"{event.die}{added}{total} {'≤' if event.passed else '>'} {event.target}"
    return Phrase(f"{name_of(state, event.who)} sneaks: {end}", "plain", "SB-59", dice)


def _check(event: events.CheckResolved, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)}: {event.capability} {'passed' if event.passed else 'failed'}"
    return Phrase(text, rule="SB-27", edge=_against(event.die, event.target, event.passed), follows=True)


def _against(die: int | None, target: int | None, has_passed: bool) -> str:
    """The die and the target that it may not exceed; empty without a die."""
    return "" if die is None else f"{die} {'≤' if has_passed else '>'} {target}"


def _perception(event: events.PerceptionChecked, state: FightState) -> Phrase:
    name = f"{name_of(state, event.who)}, " if event.who else ""
    text = f"Perception ({name}{event.side}) {'passed' if event.passed else 'failed'}"
    return Phrase(text, "plain", "SB-15", _against(event.die, event.target, event.passed))


def _ambush(event: events.AmbushSprung, state: FightState) -> Phrase:
    is_asked = scene_of(state).ambush == "laid" and event.side == records.PARTY
    unless = ", unless the foes notice" if is_asked else ""
    return Phrase(f"Ambush! Only the {event.side} acts in Moment {event.free_moment}{unless}", "warn", "SB-18")


def _talk(event: events.TalkAttempted, state: FightState) -> Phrase:
    words = f": {event.note}" if event.note else ""
    how = f" ({event.capability})" if event.capability else ""
    return Phrase(f"{name_of(state, event.who)} speaks{how}{words}", "plain", "SB-39")


def _describe_halt(event: events.MovementHalted, state: FightState) -> Phrase:
    # The contact itself has a line already.
    rest = f", {event.unwalked} short of the goal" if event.unwalked else ""
    return Phrase(f"stopped by contact{rest}", "warn", "SB-47", follows=True)


def _cover(event: events.CoverChanged, state: FightState) -> Phrase:
    words = "leaves cover" if event.value == "open" else f"takes {event.value} cover"
    return Phrase(f"{name_of(state, event.who)} {words}", rule="SB-66", follows=True)


def _end_of_business(event: events.BusinessCompleted, state: FightState) -> Phrase:
    length = f" ({event.done}/{event.needed})" if event.needed > 1 else ""
    return Phrase(f"{name_of(state, event.who)}: {event.name} done{length}", "good", "SB-54")


def _price(event: events.BeatsSpent, state: FightState) -> Phrase:
    return Phrase(
        f"{event.amount} beat{'' if event.amount == 1 else 's'}, {event.left} left", "dim", "SB-31", follows=True
    )


def _lead(event: events.LeadSet, state: FightState) -> Phrase:
    return Phrase(f"{_side(str(event.value))} leads", "dim", "SB-14") if event.value != records.PARTY else NOTHING


def _morale(event: events.MoraleChecked, state: FightState) -> Phrase:
    note = f": {event.note}" if event.note else ""
    return Phrase(
        f"Morale of the {event.side}: {'holds' if event.passed else 'fails'}{note}", "plain", "SB-38", follows=True
    )


_TOLD_BY_DEED = ("outcome", "damage", "perception", "foe_check", "sneak", "morale", "stall", "price", "continue")
"""Kinds of questions whose answer is told by the events that follow."""


_ANSWER_WORDS = {
    ("talks", "granted"): "Both sides agree to talk",
    ("talks", "denied"): "Talks are refused",
    ("talks", "later"): "No talks yet",
    ("foe_check", "no"): "The foes get no check",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    prompt = state.prompt(event.prompt) if event.prompt else None
    if words := answer_words(event, state, _ANSWER_WORDS):
        return Phrase(words, "dim" if event.default_taken else "ruling", event.rule)
    is_told = prompt is not None and prompt.kind in _TOLD_BY_DEED and event.choice not in ("none", "skip")
    is_cover = not event.prompt and event.rule == "SB-66"
    return NOTHING if is_told or is_cover else None


def _passing(event: events.HalfSkipped | events.HalfDropped, state: FightState) -> Phrase:
    return Phrase(f"{_side(event.side)} skipped: {event.reason}", "dim")


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    RulingRecorded: _describe_ruling,
    events.PhaseBegan: lambda event, state: NOTHING,
    events.HalfResumed: lambda event, state: Phrase(f"{_side(event.side)} can act after all", "dim", "SB-13"),
    events.HalfDropped: _passing,
    events.HalfSkipped: _passing,
    events.BeatsSpent: _price,
    events.CoverSnapshotTaken: lambda event, state: NOTHING,
    events.LeadSet: _lead,
    events.PerceptionChecked: _perception,
    events.AmbushSprung: _ambush,
    events.TalkAttempted: _talk,
    events.CheckResolved: _check,
    events.SneakChecked: _sneak,
    events.SneakBegan: lambda event, state: NOTHING,
    events.StrikeDeclared: _describe_declaration,
    events.StrikeResolved: _describe_strike,
    events.MoraleChecked: _morale,
    events.MovementHalted: _describe_halt,
    events.CoverChanged: _cover,
    events.BusinessCompleted: _end_of_business,
}
"""Log lines of events for which a `TEXT` is not enough."""
