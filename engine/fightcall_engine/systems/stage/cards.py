"""Cards of Stage Moments: groups, cards, declarations, reminders, and the fields of its own in the protocol."""

from collections.abc import Callable, Mapping, Sequence

from fightcall_engine.kit.views import Badge, Card, Declaration, Group, Progress
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.stage import movement, records
from fightcall_engine.systems.stage.meeting import is_ambush_under_way
from fightcall_engine.systems.stage.records import HALF, figure_of, scene_of, settings_of


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


def _prone(state: FightState) -> tuple[str, ...]:
    able = [combatant for combatant in state.combatants.values() if combatant.able]
    return _names("Prone", [combatant.name for combatant in able if figure_of(combatant).posture == "prone"])


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
    "move": _prone,
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
        "total_beats": records.beats(combatant).max,
        "beats": records.beats(combatant).now,
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
