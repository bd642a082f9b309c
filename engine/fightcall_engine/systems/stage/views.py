"""What is shown of a Stage Moments fight: numbers explained, events in words, cards, reminders, options, previews."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fightcall_engine.kit.movement import (
    Preview,
    Row,
    Trial,
    damage_row,
    die_row,
    distance_row,
    outcome_row,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.kit.phrases import NOTHING, answer_words
from fightcall_engine.kit.records import name_of, sheet_entries, sheet_int, target_called
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Check,
    Declaration,
    Group,
    Input,
    Option,
    Phrase,
    Progress,
    Trail,
    TrailPart,
    Trails,
    explain_hit_points,
    first_broken,
    offer,
    offer_ruling,
)
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.dice import share_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import replace
from fightcall_engine.systems.stage import business, entries, movement, records, strikes
from fightcall_engine.systems.stage.records import HALF, STRIKE_PHASES, figure_of, scene_of, settings_of

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}
_TITLES = {"missile": "shoots at", "melee": "strikes", "magic": "casts at"}


def _beats(state: FightState, combatant: Combatant) -> Trail:
    pool = combatant.pool("beats")
    base = sheet_int(combatant, "base_beats")
    base = 14 if base is None else base
    total = records.total_beats(combatant.sheet, settings_of(state))
    base_rule = "SB-28" if combatant.side == records.PARTY else "SB-32"
    parts = [TrailPart("base", str(base), base_rule), TrailPart("armour", str(total - base), "SB-29")]
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
    mates = [each for each in state.order if state.combatants[each].side == combatant.side]
    place = mates.index(combatant.id) + 1
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
        broken = first_broken(strikes.attacker_checks(state, combatant, kind))
        yes = TrailPart(kind, "yes", strikes.PHASE_RULES[kind])
        parts.append(TrailPart(f"{kind}: {broken.message}", "no", broken.rule) if broken is not None else yes)
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
    what = f"{' with' if event.target else ''} {event.note}" if event.note else ""
    does = f"{_TITLES[event.kind]} {name_of(state, event.target)}" if event.target else _VERBS[event.kind]
    return Phrase(f"{name_of(state, event.who)} {does}{what}", "plain", "SB-34")


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
    titles = {records.PARTY: "Party", records.FOE: "Foes"} | {each: each.title() for each in records.third_sides(state)}
    members = {side: tuple(each for each in state.order if state.combatants[each].side == side) for side in titles}
    return tuple(Group(titles[side], side, side_note(state, side), members[side]) for side in titles)


def _progress(combatant: Combatant) -> tuple[Progress, ...]:
    return tuple(Progress(name, work.done, work.needed) for name, work in figure_of(combatant).open_works.items())


_MARKS: Mapping[str, str] = {"missile": "shot", "melee": "struck", "magic": "cast"}


def card(state: FightState, combatant_id: str) -> Card:
    """A figure's beats, hit points, used strike and conditions."""
    combatant = state.combatants[combatant_id]
    record = figure_of(combatant)
    conditions = (
        ("down", "bad", not combatant.able),
        ("prone", "bad", record.posture == "prone"),
        (f"{record.cover} cover", "info", record.cover != "open"),
        ("no shot", "warn", record.cover == "open" and record.cover_at_start == "full"),
        ("hidden", "info", combatant.hidden),
        ("sneaking", "info", record.sneaking),
        ("halted", "warn", bool(record.halted)),
    )
    badges = tuple(Badge(name, tone) for name, tone, holds in conditions if holds)
    pools = tuple(pool for pool in ("hp", "beats") if pool in combatant.pools)
    return Card(pools, badges, _MARKS.get(record.strike, ""), progress=_progress(combatant))


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
    late = f"No ambush this Meeting by a side that has talked: {', '.join(talked)}"
    chance = late if talked else "No one has talked yet, so an ambush is possible"
    return (*(() if business.is_ambush_under_way(state) else (chance,)), "Hidden party figures can creep")


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
    effects = [(each, effect) for each in state.combatants.values() for effect in each.effects]
    ending = [f"{each.name}: {effect.name}" for each, effect in effects if effect.left is not None and effect.left <= 1]
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


_SHEET_FIELDS = (
    "agility", "perception", "skullduggery", "dar", "base_beats", "armor_beat_loss", "height_ft", "reach_ft",
)  # fmt: skip


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
    record, lead = scene_of(state), records.leading_side(state)
    half, flip = "none", None
    if step is not None and step.kind == HALF:
        half = "lead" if step.side == lead else "trail"
        flip = step.phase if lead != record.lead_side else None
    outcome = "pending" if record.ambush == "laid" else record.ambush
    ambush: Json = {"by": record.ambush_by, "outcome": outcome, "free_moment": records.free_moment(state)}
    return {
        "moment": state.round,
        "half": half,
        "lead_side": record.lead_side,
        "lead_flip": flip,
        "ambush": None if record.ambush == "none" else ambush,
        "talk": record.talk,
        "party_order": record.party_order,
        "hex_ft": movement.feet_of(state, 1),
        "moment_seconds": settings_of(state).moment_seconds,
        "phase_labels": settings_of(state).phase_labels,
    }


OPTION_KEYS: Mapping[str, str] = {
    "talk": "t", "stall": "X", "creep": "z", "ambush": "A", "shoot": "s", "cover": "o", "move": "m", "sneak": "z",
    "vault": "v", "clamber": "x", "prone": "p", "rise": "p", "climb": "g", "stunt": "j", "strike": "s", "cast": "s",
    "business": "b", "waive": "w", "shoot-2": "2", "shoot-3": "3", "strike-2": "2", "strike-3": "3", "cast-2": "2",
    "cast-3": "3",
}  # fmt: skip
"""The key of each option that there can be, by the option's action."""

Offer = Callable[[FightState, Combatant], Option]


def _step_price_text(state: FightState, price: int) -> str:
    place = "step" if state.board is None or state.shares_places else state.board.words[0]
    return f"{price}/{place}"


def _movement(action: str, key: str, mode: str, rule: str, short_rule: str = "") -> Offer:
    """A way to move, for beats by the step or for an obstacle; `short_rule` if another rule says what beats pay for."""
    price, is_walk = movement.PRICES[mode], mode in (movement.WALK, movement.QUIET)
    way = Input("path", "path", "where to", mode=mode) if is_walk else Input("to", "place", "over into", mode=mode)

    def listed(state: FightState, combatant: Combatant) -> Option:
        affordable = movement.affordable_check(combatant, price, short_rule or rule)
        checks = (*movement.move_checks(state, combatant, mode), affordable)
        cost = _step_price_text(state, price) if is_walk else str(price)
        return offer(action, action, action.title(), key, checks, cost=cost, rule=rule, inputs=(way,))

    return listed


def _climb(state: FightState, combatant: Combatant) -> Option:
    checks = movement.climb_checks(state, combatant, 1)
    how_far = Input("feet", "number", "feet up or down", default="10")
    return offer("climb", "rope or ladder", "Climb", "g", checks, cost="1/10 ft", rule="SB-77", inputs=(how_far,))


def _posture(state: FightState, combatant: Combatant) -> Option:
    settings, is_prone = settings_of(state), figure_of(combatant).posture == "prone"
    price = records.rise_price(combatant, settings) if is_prone else records.prone_price(combatant, settings)
    action, label, command, rule = (
        ("rise", "rise", "Rise", "SB-76") if is_prone else ("prone", "drop prone", "DropProne", "SB-75")
    )
    checks = movement.posture_checks(state, combatant, "standing" if is_prone else "prone")
    return offer(action, label, command, "p", checks, cost=str(price), rule=rule)


def _cover(state: FightState, combatant: Combatant) -> Option:
    now = figure_of(combatant).cover
    others = tuple(cover for cover in records.COVERS if cover != now)
    which = Input("cover", "choice", "how much cover", choices=others, default=others[0])
    checks = movement.cover_checks(state, combatant)
    return replace(offer("cover", "cover", "SetCover", "o", checks, rule="SB-66", inputs=(which,)), is_unlikely=True)


def _stunt(state: FightState, combatant: Combatant) -> Option:
    inputs = (
        Input("name", "text", "what the figure does"),
        Input("beats", "number", "beats", optional=True),
        Input("to", "place", "landing on", mode="anywhere", optional=True),
    )
    checks = movement.move_checks(state, combatant, movement.WALK)
    return offer("stunt", "other move", "Stunt", "j", checks, cost="GM", rule="SB-78", inputs=inputs)


_STRIKE_WORDS: Mapping[str, tuple[str, str]] = {
    "missile": ("shoot", "SB-45"), "melee": ("strike", "SB-49"), "magic": ("cast", "SB-52"),
}  # fmt: skip


def _strike_option(
    state: FightState, combatant: Combatant, kind: str, arm: strikes.Arm = None, key: str = "s"
) -> Option:
    label, rule = _STRIKE_WORDS[kind]
    entry = arm or records.weapon(combatant, kind)
    enemies = strikes.targets(state, combatant, kind)
    checks = strikes.attacker_checks(state, combatant, kind)
    if kind == "melee":
        checks += (Check(bool(enemies), "SB-49", f"no one is in contact with {combatant.name}", ("move",)),)
    if kind == "missile":
        checks += (Check(bool(enemies), "SB-65", "no one can be shot at", ("an enemy in the open",)),)
    needs = entry.get("needs") if entry else None
    dice = str(entry.get("dice", "d20")) if entry and needs is not None else ""
    needed = strikes.needed_words(state, needs) if isinstance(needs, int) else ""
    words = f"needs {needed}" if needed else "hit or miss"
    hit = Input("hit", "outcome", words, dice=dice, purpose="attack", default="roll" if dice else "", needs=needed)
    if dice and isinstance(needs, int):
        hit = replace(hit, chance=share_of(dice, needs, at_least=settings_of(state).strike_roll == "high"))
    damage = str(entry.get("damage")) if entry and entry.get("damage") is not None else ""
    inputs = (
        Input("target", "target", "whom", choices=enemies, optional=kind == "magic"),
        hit,
        Input("damage", "amount", "damage", dice=damage, purpose="damage", default=damage, optional=True),
    )
    names = tuple(str(entry["name"]) for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind)
    other = Input("weapon", "choice", "weapon", choices=names, default=str(entry["name"]) if entry else "")
    modifier = Input("modifier", "number", "added to the die", optional=True)
    # Anybody may throw a stone, but a sheet that lists other strikes only has no key for it (SB-45). No one casts
    # without a spell, unless the GM picks it from the full list (SB-52).
    is_unlisted = not entry and (kind == "magic" or (kind == "missile" and bool(sheet_entries(combatant, "strikes"))))
    option = offer(
        label if arm is None else f"{label}-{key or arm['name']}",
        f"{label} ({entry['name']})" if entry else label,
        "Strike",
        "" if is_unlisted else key,
        checks,
        cost=str(settings_of(state).strike_beat_cost or ""),
        rule=rule,
        fixed={"kind": kind, "weapon": str(entry["name"])} if entry else {"kind": kind},
        inputs=inputs,
        details=(modifier, other) if len(names) > 1 else (modifier,),
    )
    # Magic is not proposed to figures without it on their sheet (SB-52).
    return replace(option, is_unlikely=is_unlisted or (kind == "magic" and not entry))


def _strikes(state: FightState, combatant: Combatant, kind: str) -> list[Option]:
    arms = [entry for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind]
    keys = ("2", "3", *("" for _ in arms))
    others = [_strike_option(state, combatant, kind, arm, key) for key, arm in zip(keys, arms[1:], strict=False)]
    return [_strike_option(state, combatant, kind), *others]


def _talk(action: str, label: str, key: str, rule: str, **fixed: bool) -> Offer:
    words = (Input("note", "text", "what is said", optional=True),)

    def listed(state: FightState, combatant: Combatant) -> Option:
        checks = business.talk_checks(state, combatant)
        return offer(action, label, "Talk", key, checks, rule=rule, fixed=fixed, inputs=words)

    return listed


def _creep(state: FightState, combatant: Combatant) -> Option:
    price = movement.creep_price(state, movement.PRICES[movement.QUIET])
    checks = (*movement.creep_checks(state, combatant), movement.affordable_check(combatant, price, "SB-42"))
    way = (Input("path", "path", "where to", mode=movement.QUIET),)
    return offer("creep", "creep", "Creep", "z", checks, cost=_step_price_text(state, price), rule="SB-42", inputs=way)


def _ambush_option(state: FightState, combatant: Combatant) -> Option:
    sides = tuple(dict.fromkeys((combatant.side, *records.SIDES)))
    able = [side for side in sides if first_broken(business.ambush_checks(state, side)) is None]
    choices = tuple(able or sides)
    shown = tuple(f"{side}, on the {records.other_side(side)}" if side in records.SIDES else side for side in choices)
    who = Input("by", "choice", "who lays it, and on whom?", choices=choices, shown=shown, default=choices[0])
    checks = business.ambush_checks(state, choices[0])
    return offer("ambush", "ambush", "Ambush", "A", checks, rule="SB-21", inputs=(who,))


def _business(state: FightState, combatant: Combatant) -> Option:
    works = figure_of(combatant).open_works
    current = next(iter(works), "")
    label = f"business: {current} {works[current].done}/{works[current].needed}" if current else "business"
    open_works = tuple(business.shared_works(state, combatant.side))
    inputs = (
        Input("name", "text", "what the figure does", choices=open_works, default=current),
        Input("needed", "number", "number of Management phases", optional=True),
    )
    checks = business.business_checks(state, combatant, False, False)
    return offer("business", label, "Business", "b", checks, rule="SB-53", inputs=inputs)


_BY_PHASE: Mapping[str, tuple[Offer, ...]] = {
    "": (_ambush_option, _cover),
    "meeting": (
        _talk("talk", "talk", "t", "SB-39"), _talk("stall", "fast talk", "X", "SB-44", fast_talk=True), _creep,
        _ambush_option,
    ),
    "move": (
        _movement("move", "m", movement.WALK, "SB-71", "SB-46"), _movement("sneak", "z", movement.QUIET, "SB-72"),
        _movement("vault", "v", movement.VAULT, "SB-73"), _movement("clamber", "x", movement.CLAMBER, "SB-74"),
        _posture, _climb, _cover, _stunt,
    ),
    "management": (_business, _cover),
}  # fmt: skip


def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The figure's options in the running phase, legal or not, the phase's own acts first."""
    combatant = state.combatants[combatant_id]
    phase = state.phase
    # An ambush is laid by a side: the fallen don't offer it.
    offers = (offer for offer in _BY_PHASE.get(phase, ()) if combatant.able or offer is not _ambush_option)
    options = [offer(state, combatant) for offer in offers]
    if phase in STRIKE_PHASES:
        options = [*_strikes(state, combatant, phase), _cover(state, combatant)]
    step = state.step
    if step is not None and step.kind == HALF:
        checks = records.waive_checks(state, combatant)
        options.append(offer("waive", "pass", "Waive", "w", checks, rule="SB-08", fixed={"who": combatant_id}))
    return tuple(options)


def rulings_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The rulings that the GM can make now (rules digest, section 5)."""

    def choice(label: str, default: str, *choices: str) -> Input:
        return Input("value", "choice", label, choices=choices, default=default)

    def number(label: str, default: int) -> Input:
        return Input("value", "number", label, default=str(default))

    scope = choice("for", "phase", "phase", "moment", "cancel")
    order = Input("value", "text", "agility, free, or names", default="agility")
    of_all = (
        offer_ruling("slow", "too slow: other side goes first", "SB-13", scope, checks=records.slow_checks(state)),
        offer_ruling("order", "party order", "SB-11", order),
        offer_ruling("talks", "talks", "SB-41", choice("", "granted", "granted", "denied")),
        offer_ruling("morale", "foes' morale", "SB-38", choice("", "holds", "holds", "fails")),
        offer_ruling("scale", "feet per hex", "SB-02", number("feet", 5)),
    )
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return of_all
    name, on_one = combatant.name, partial(offer_ruling, who=combatant_id)
    hiding = choice("hidden", "false" if combatant.hidden else "true", "true", "false")
    view = choice("in view", "false" if figure_of(combatant).plain_view else "true", "true", "false")
    skulking, hands = business.skulking_checks(combatant), business.hands_checks(combatant)
    length, counts = number("Management phases", 2), choice("counts", "true", "true", "false")
    return (
        *of_all,
        on_one("hidden", f"{name} {'noticed' if combatant.hidden else 'hidden'}", "SB-60", hiding),
        on_one("plain_view", f"{name} in plain view", "SB-57", view),
        on_one("cover", f"{name}'s cover modifier", "SB-70", number("added to the shooter's die", 3)),
        on_one("dar", f"{name}'s DAR when sneaking", "SB-64", number("DAR", 0), checks=skulking),
        on_one("needed", f"length of {name}'s business", "SB-25", length, checks=business.length_checks(combatant)),
        on_one("hands", f"count each helper for {name}'s business", "SB-25", counts, checks=hands),
        on_one("quick", f"{name}'s business was quick", "SB-26"),
    )


# The preview of a strike


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command; a strike's has rows for its weapon, distance, die and damage."""
    actor = text_field(command, "who")
    options = options_of(state, actor) if trial.broken and actor in state.combatants else ()
    if not isinstance(command, Strike) or actor not in state.combatants:
        return plain_preview(state, command, trial, options)
    # The outcome has a row of its own, with the number needed.
    plain = plain_preview(state, command, replace(trial, asked=()), options)
    combatant = state.combatants[actor]
    try:
        kind, arm, note = strikes.kind_and_weapon(state, combatant, command)
    except Refused:
        return plain
    target = target_called(state, command.target)
    target_text = f" {name_of(state, target.id)}" if target else ""
    title = f"{combatant.name} {_TITLES[kind]}{target_text}{f' with {note}' if note else ''}"
    weapons = [entry for entry in sheet_entries(combatant, "strikes") if entry["kind"] == kind]
    weapon = (Row("with", note, field="weapon"),) if len(weapons) > 1 else ()
    rows = (*weapon, *_place_rows(state, combatant, target, kind), *_die_rows(state, command, target, kind, arm, trial))
    return with_rows(plain, (*rows, *_damage_rows(command, target, arm)), title)


def _place_rows(state: FightState, combatant: Combatant, target: Combatant | None, kind: str) -> tuple[Row, ...]:
    if target is None:
        return ()
    if kind != "melee":
        cover = figure_of(target).cover
        return (distance_row(state, combatant.id, target.id, cover="" if cover == "open" else f"{cover} cover"),)
    touching = state.in_contact(combatant.id, target.id)
    detail = "in contact" if touching else "not in contact"
    return (Row("contact", f"with {target.name}", detail, rule="SB-49", field="target"),)


def _die_rows(
    state: FightState, command: Strike, target: Combatant | None, kind: str, arm: strikes.Arm, trial: Trial
) -> tuple[Row, ...]:
    needs = strikes.needed_number(command, arm)
    if command.hit is not None or needs is None:
        return (outcome_row(command.hit, "SB-35"),)
    high = settings_of(state).strike_roll == "high"
    cover, source = strikes.cover_modifier(state, target, command.cover) if target and kind == "missile" else (0, "")
    modifiers = [f"{cover:+d} {source}"] if cover and not high else [f"{-cover:+d} {source}"] if cover else []
    modifiers += [f"{command.modifier:+d}"] if command.modifier else []
    label = f"{strikes.needed_words(state, needs)}{''.join(f', {part} to the die' for part in modifiers)}"
    source = "set by the GM" if command.needs is not None else "on the sheet"
    most = needs - command.modifier - (-cover if high else cover)
    sum_words = f"{needs} {source}{''.join(f', {part} to the die' for part in modifiers)}"
    why = f"{sum_words}: the die shows {most} or {'more' if high else 'less'}" if modifiers else sum_words
    roll, plain = trial.owed, Row("needs", label, rule="SB-35", field="hit")
    row = plain if roll is None else die_row(roll, label, name="needs", rule="SB-35", field="hit")
    return (replace(row, why=why),)


def _damage_rows(command: Strike, target: Combatant | None, arm: strikes.Arm) -> tuple[Row, ...]:
    if target is None or command.hit is False:
        return ()
    damage = strikes.damage_dealt(command, arm)
    return (damage_row(target, damage, "SB-37"),)
