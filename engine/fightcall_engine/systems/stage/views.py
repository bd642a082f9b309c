"""What is shown of a Stage Moments fight: groups, cards and reminders; events in words, and numbers explained."""

from collections.abc import Callable, Mapping, Sequence

from fightcall_engine.kit.phrases import NOTHING, answer_words
from fightcall_engine.kit.records import name_of, sheet_int
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Declaration,
    Group,
    Phrase,
    Progress,
    Trail,
    TrailPart,
    Trails,
    explain_hit_points,
    first_broken,
)
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.stage import entries, movement, records, strikes
from fightcall_engine.systems.stage.business import is_ambush_under_way
from fightcall_engine.systems.stage.records import HALF, figure_of, scene_of, settings_of

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}


def _beats(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pool("beats")
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


def _explain_prone(state: FightState, combatant: Combatant) -> Trail:
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


TRAILS: Trails = {
    "beats": _beats,
    "sneak": _sneak_trail,
    "cover": _cover_trail,
    "order": _order,
    "prone": _explain_prone,
    "strike": _strike,
    "hp": lambda _, combatant: explain_hit_points(combatant, rule="SB-37", harm_rule="SB-37"),
}
"""The explanations, by the name of the number."""


# Log lines for the events of Stage Moments


def _describe_declaration(event: entries.StrikeDeclared, state: FightState) -> Phrase:
    at = f" {'at ' if event.kind != 'melee' else ''}{name_of(state, event.target)}" if event.target else ""
    what = f" with {event.note}" if event.note and event.target else (f" {event.note}" if event.note else "")
    return Phrase(f"{name_of(state, event.who)} {_VERBS[event.kind]}{at}{what}", "plain", "SB-34")


def _describe_strike(event: entries.StrikeResolved, state: FightState) -> Phrase:
    detail = ""
    if event.die is not None and event.total is not None and event.needs is not None:
        sum_text = f"{event.die}{event.modifier:+d} = {event.total}" if event.modifier else f"{event.die}"
        detail = f"{sum_text} {'≤' if event.total <= event.needs else '>'} {event.needs} "
    return Phrase("", rule="SB-35", edge=f"{detail}{'hit' if event.hit else 'miss'}")


def _sneak(event: entries.SneakChecked, state: FightState) -> Phrase:
    end = "unnoticed" if event.passed else "noticed"
    added = "".join(f" {number:+d}" for number in (event.dar, -event.bonus) if number)
    total = f" = {event.die + event.dar - event.bonus}" if added else ""
    dice = f"{event.die}{added}{total} {'≤' if event.passed else '>'} {event.target}"
    return Phrase(f"{name_of(state, event.who)} sneaks: {end}", "plain", "SB-59", dice)


def _check(event: entries.CheckResolved, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)}: {event.capability} {'passed' if event.passed else 'failed'}"
    return Phrase(text, rule="SB-27", edge=_against(event.die, event.target, event.passed), follows=True)


def _against(die: int | None, target: int | None, has_passed: bool) -> str:
    """The die and the target that it may not exceed; empty without a die."""
    return "" if die is None else f"{die} {'≤' if has_passed else '>'} {target}"


def _perception(event: entries.PerceptionChecked, state: FightState) -> Phrase:
    name = f"{name_of(state, event.who)}, " if event.who else ""
    text = f"Perception ({name}{event.side}) {'passed' if event.passed else 'failed'}"
    return Phrase(text, "plain", "SB-15", _against(event.die, event.target, event.passed))


def _ambush(event: entries.AmbushSprung, state: FightState) -> Phrase:
    is_asked = scene_of(state).ambush == "laid" and event.side == records.PARTY
    unless = ", unless the foes notice" if is_asked else ""
    return Phrase(f"Ambush! Only the {event.side} acts in Moment {event.free_moment}{unless}", "warn", "SB-18")


def _end_of_business(event: entries.BusinessCompleted, state: FightState) -> Phrase:
    length = f" ({event.done}/{event.needed})" if event.needed > 1 else ""
    return Phrase(f"{name_of(state, event.who)}: {event.name} done{length}", "good", "SB-54")


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


def _passing(event: entries.HalfSkipped | entries.HalfDropped, state: FightState) -> Phrase:
    return Phrase(f"{event.side.title()} skipped: {event.reason}", "dim")


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    RulingRecorded: _describe_ruling,
    entries.HalfResumed: lambda event, state: Phrase(f"{event.side.title()} can act after all", "dim", "SB-13"),
    entries.HalfDropped: _passing,
    entries.HalfSkipped: _passing,
    entries.LeadSet: lambda event, state: (
        Phrase(f"{str(event.value).title()} leads", "dim", "SB-14") if event.value != records.PARTY else NOTHING
    ),
    entries.PerceptionChecked: _perception,
    entries.AmbushSprung: _ambush,
    entries.CheckResolved: _check,
    entries.SneakChecked: _sneak,
    entries.StrikeDeclared: _describe_declaration,
    entries.StrikeResolved: _describe_strike,
    # The contact itself has a line already.
    entries.MovementHalted: lambda event, state: Phrase(
        f"stopped by contact{f', {event.unwalked} short of the goal' if event.unwalked else ''}",
        "warn",
        "SB-47",
        follows=True,
    ),
    entries.BusinessCompleted: _end_of_business,
}
"""Log lines of events for which a `TEXT` is not enough."""


# Cards of Stage Moments


def side_note(state: FightState, side: str) -> str:
    """The state of a side: acting, ambushed, or leading next; else empty."""
    step = state.step
    if step is not None and step.kind == HALF:
        if records.is_side_ambushed(state, side):
            return "ambushed"
        return "acting" if step.side == side else ""
    return "leads" if step is None and state.round == 0 and records.coming_lead(state) == side else ""


def groups(state: FightState) -> tuple[Group, ...]:
    """The sides, the party first, and those that the GM has named last."""
    titles = {records.PARTY: "Party", records.FOE: "Foes"}
    return tuple(
        Group(
            titles.get(side, side.title()),
            side,
            side_note(state, side),
            tuple(combatant_id for combatant_id in state.order if state.combatants[combatant_id].side == side),
        )
        for side in (*records.SIDES, *records.third_sides(state))
    )


def _progress(combatant: Combatant) -> tuple[Progress, ...]:
    return tuple(Progress(name, work.done, work.needed) for name, work in figure_of(combatant).open_works.items())


_MARKS: Mapping[str, str] = {"missile": "shot", "melee": "struck", "magic": "cast"}
"""The word for a figure that has used its strike of the Moment, by kind."""


def card(state: FightState, combatant_id: str) -> Card:
    """A figure's beats, hit points, used strike and conditions."""
    combatant = state.combatants[combatant_id]
    record, badges = figure_of(combatant), []
    if not combatant.able:
        badges.append(Badge("down", "bad"))
    if record.posture == "prone":
        badges.append(Badge("prone", "bad"))
    if record.cover != "open":
        badges.append(Badge(f"{record.cover} cover", "info"))
    elif record.cover_at_start == "full":
        badges.append(Badge("no shot", "warn"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    if record.sneaking:
        badges.append(Badge("sneaking", "info"))
    if record.halted:
        badges.append(Badge("halted", "warn"))
    pools = tuple(pool for pool in ("hp", "beats") if pool in combatant.pools)
    return Card(pools, tuple(badges), _MARKS.get(record.strike, ""), progress=_progress(combatant))


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """SB-25: the unfinished business of all figures, in roster order."""
    return tuple(
        Declaration(combatant_id, work.name, due="in Management", status="busy", progress=work)
        for group in (groups(state) if state.status != "closed" else ())
        for combatant_id in group.members
        for work in _progress(state.combatants[combatant_id])
    )


def banner(state: FightState) -> Badge | None:
    """The banner of a Moment in which only the ambushers act."""
    free = records.free_moment(state)
    if free and free == state.round and state.step is not None:
        return Badge(f"FREE MOMENT: only the {scene_of(state).ambush_by} acts", "warn")
    return None


_REMINDERS: Mapping[str, tuple[str, ...]] = {
    "": ("Is anyone lying in wait? Who is hidden?",),
    "meeting": ("Is anyone talking?",),
    "missile": ("Shooting uses your attack for this Moment and skips Management",),
    "move": ("Moving next to an enemy ends your movement; leaving contact is free", "You can't sneak in plain view"),
    "melee": ("Only figures in contact at the start of this half can strike",),
    "magic": ("Casting uses your attack for this Moment and skips Management",),
    "management": ("Only for figures that didn't attack this Moment",),
}


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    if state.status == "closed":
        return ()
    lines = list(_REMINDERS.get(state.phase, ()))
    if state.step is None and records.free_moment(state) == state.round + 1:
        lines.insert(0, f"Ambush! Only the {scene_of(state).ambush_by} acts in the next Moment")
    more = _REMINDERS_BY_STATE.get(state.phase)
    return (*lines, *(more(state) if more else ()))


def _list_ambush(state: FightState) -> tuple[str, ...]:
    """Whether an ambush may still be tried, unless one is under way; and that hidden figures may creep."""
    talked = scene_of(state).talked
    late_text = f"No ambush this Meeting by a side that has talked: {', '.join(talked)}"
    chance = (
        ()
        if is_ambush_under_way(state)
        else (late_text if talked else "No one has talked yet, so an ambush is possible",)
    )
    return (*chance, "Hidden party figures can creep")


def _list_covered(state: FightState) -> tuple[str, ...]:
    """Those of the acting side whom full cover keeps from shooting, and those of the other behind partial cover."""
    side = state.step.side if state.step is not None else None
    able = [combatant for combatant in state.combatants.values() if combatant.able]
    acting, others = [[each for each in able if (each.side == side) is is_mine] for is_mine in (True, False)]
    barred_names = [combatant.name for combatant in acting if records.is_barred_by_cover(combatant)]
    behind = [combatant.name for combatant in others if figure_of(combatant).cover == "partial"]
    return (*_names("Can't shoot (full cover)", barred_names), *_names("Behind partial cover", behind))


def _in_contact(state: FightState) -> tuple[str, ...]:
    pairs = [
        f"{combatant.name} - {state.combatants[enemy].name}"
        for combatant in records.side_able(state, records.PARTY)
        for enemy in state.contacts_of(combatant.id)
    ]
    return _names("In contact", pairs, "; ") or ("No one is in contact",)


def _ending_effects(state: FightState) -> tuple[str, ...]:
    ending = [
        f"{combatant.name}: {effect.name}"
        for combatant in state.combatants.values()
        for effect in combatant.effects
        if effect.left is not None and effect.left <= 1
    ]
    return _names("Ends with this Moment", ending, "; ")


def _names(heading: str, names: Sequence[str], between: str = ", ") -> tuple[str, ...]:
    return (f"{heading}: {between.join(names)}",) if names else ()


_REMINDERS_BY_STATE: Mapping[str, Callable[[FightState], tuple[str, ...]]] = {
    "meeting": _list_ambush,
    "missile": _list_covered,
    "move": lambda state: _names(
        "Prone", [each.name for each in state.roster if each.able and figure_of(each).posture == "prone"]
    ),
    "melee": _in_contact,
    "management": _ending_effects,
}
"""Reminders by phase that depend on the state, as lines."""


_SHEET_FIELDS = (
    "agility",
    "perception",
    "skullduggery",
    "dar",
    "base_beats",
    "armor_beat_loss",
    "height_ft",
    "reach_ft",
)


def fields(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a figure (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    record, works = figure_of(combatant), _progress(combatant)
    business = {"name": works[0].name, "done": works[0].done, "needed": works[0].needed} if works else None
    return {
        **{key: combatant.sheet.get(key) for key in _SHEET_FIELDS},
        "total_beats": combatant.pool("beats").max,
        "beats": combatant.pool("beats").now,
        "posture": record.posture,
        "cover": record.cover,
        "cover_at_start": record.cover_at_start,
        "in_plain_view": record.plain_view,
        "detected": not combatant.hidden,
        "sneaking": record.sneaking,
        "strike": record.strike,
        "halted": bool(record.halted),
        "halted_by": record.halted or None,
        "contacts": list(state.contacts_of(combatant_id)),
        "business": business,
        "statuses": [
            {"name": effect.name, "moments_left": effect.left, "note": effect.note} for effect in combatant.effects
        ],
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.2)."""
    step = state.step
    half, flip = "none", None
    if step is not None and step.kind == HALF:
        lead = records.leading_side(state)
        half = "lead" if step.side == lead else "trail"
        flip = step.phase if lead != scene_of(state).lead_side else None
    record = scene_of(state)
    outcome = "pending" if record.ambush == "laid" else record.ambush
    ambush: Json = None
    if record.ambush != "none":
        ambush = {"by": record.ambush_by, "outcome": outcome, "free_moment": records.free_moment(state)}
    return {
        "moment": state.round,
        "half": half,
        "lead_side": record.lead_side,
        "lead_flip": flip,
        "ambush": ambush,
        "talk": record.talk,
        "party_order": record.party_order,
        "hex_ft": movement.feet_of(state, 1),
        "moment_seconds": settings_of(state).moment_seconds,
        "phase_labels": settings_of(state).phase_labels,
    }
