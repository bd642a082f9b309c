"""How Stage Moments shows a fight: groups, badges, reminders, and its own fields in the protocol."""

from collections.abc import Mapping

from fightcall_engine.kit.views import Badge, Card, Declaration, Group, Progress
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import management, moment, walking


def groups(state: FightState) -> tuple[Group, ...]:
    """The lead side first, each in its order."""
    step = state.step
    lead = fg.text_fact(state, "lead_side") or fg.PARTY
    found = []
    for side in (fg.PARTY, fg.FOE):
        members = tuple(
            combatant_id
            for combatant_id in state.order
            if combatant_id in state.combatants and state.combatants[combatant_id].side == side
        )
        note = ""
        if step is not None and step.kind == "half":
            note = "acting" if step.side == side else ""
            if fg.is_side_ambushed(state, side):
                note = "ambushed"
        elif lead == side and step is None and state.round == 0:
            note = "leads"
        found.append(Group(side.title() if side == fg.PARTY else "Foes", side, note, members))
    return tuple(found)


def card(state: FightState, combatant_id: str) -> Card:
    """Beats and hit points, the strike mark, and what a GM must not forget about a figure."""
    combatant = state.combatants[combatant_id]
    badges: list[Badge] = []
    if not combatant.able:
        badges.append(Badge("down", "bad"))
    if fg.text_trait(combatant, "posture") == "prone":
        badges.append(Badge("prone", "bad"))
    cover = fg.text_trait(combatant, "cover")
    if cover != "open":
        badges.append(Badge(f"{cover} cover", "info"))
    elif fg.text_trait(combatant, "cover_at_start") == "full":
        badges.append(Badge("no shot", "warn"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    if fg.trait(combatant, "sneaking"):
        badges.append(Badge("sneaking", "info"))
    if fg.text_trait(combatant, "halted"):
        badges.append(Badge("halted", "warn"))
    works = tuple(Progress(name, *counts) for name, counts in management.long_business(combatant).items())
    used = fg.text_trait(combatant, "strike")
    pools = tuple(pool for pool in ("hp", "beats") if pool in combatant.pools)
    return Card(pools, tuple(badges), "" if used == "none" else used, progress=works)


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """SB-25: what takes several Management phases, side by side in the order of the roster."""
    return tuple(
        Declaration(combatant_id, name, due="in Management", status="busy", progress=Progress(name, *counts))
        for group in groups(state)
        for combatant_id in group.members
        for name, counts in management.long_business(state.combatants[combatant_id]).items()
    )


def banner(state: FightState) -> Badge | None:
    """A Moment in which one side alone acts."""
    free = fg.free_moment(state)
    if free and free == state.round and state.step is not None:
        return Badge(f"FREE MOMENT: only the {fg.text_fact(state, 'ambush_by')} acts", "warn")
    return None


_REMINDERS: Mapping[str, tuple[str, ...]] = {
    "": ("Is anyone lying in wait? Who is hidden?",),
    "meeting": (
        "Is anyone talking?",
        "No talk yet: an ambush may be tried",
        "Hidden party figures may creep",
    ),
    "missile": ("A shot is the Moment's only strike and closes Management",),
    "move": ("Contact stops; leaving it is free", "Who sneaks must not be in plain view"),
    "melee": ("Only those in contact as the half opened",),
    "magic": ("Casting closes Management",),
    "management": ("Only who made no strike",),
}


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    found = list(_REMINDERS.get(state.phase, ()))
    free = fg.free_moment(state)
    if free == state.round + 1 and state.step is None:
        found.insert(0, f"Ambush sprung: the next Moment is free for the {fg.text_fact(state, 'ambush_by')}")
    names = {combatant.id: combatant.name for combatant in state.combatants.values()}
    if state.phase == "missile":
        barred = [
            combatant.name
            for combatant in state.combatants.values()
            if fg.trait(combatant, "cover_at_start") == "full" and combatant.able
        ]
        behind = [
            combatant.name
            for combatant in state.combatants.values()
            if fg.text_trait(combatant, "cover") == "partial" and combatant.able
        ]
        found += [f"Barred by full cover: {', '.join(barred)}"] if barred else []
        found += [f"Behind partial cover: {', '.join(behind)}"] if behind else []
    if state.phase == "melee":
        pairs = [
            f"{names[combatant.id]} - {names[enemy]}"
            for combatant in fg.side_able(state, fg.PARTY)
            for enemy in state.contacts_of(combatant.id)
        ]
        found.append("In contact: " + "; ".join(pairs) if pairs else "Nobody is in contact")
    if state.phase == "move":
        down = [
            combatant.name
            for combatant in state.combatants.values()
            if fg.text_trait(combatant, "posture") == "prone" and combatant.able
        ]
        found += [f"Prone: {', '.join(down)}"] if down else []
    if state.phase == "meeting" and fg.text_fact(state, "talked"):
        found[1] = "No ambush by who has talked: " + fg.text_fact(state, "talked")
    ending = [
        f"{combatant.name}: {effect.name}"
        for combatant in state.combatants.values()
        for effect in combatant.effects
        if effect.left is not None and effect.left <= 1
    ]
    if state.phase == "management" and ending:
        found.append("Ends with this Moment: " + "; ".join(ending))
    return tuple(found)


_OF_THE_SHEET = (
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
    going = management.long_business(combatant)
    name = next(iter(going), "")
    business = {"name": name, "done": going[name][0], "needed": going[name][1]} if name else None
    return {
        **{key: combatant.sheet.get(key) for key in _OF_THE_SHEET},
        "total_beats": fg.beats(combatant).max,
        "beats": fg.beats(combatant).now,
        "posture": fg.text_trait(combatant, "posture"),
        "cover": fg.text_trait(combatant, "cover"),
        "cover_at_start": fg.text_trait(combatant, "cover_at_start"),
        "in_plain_view": fg.trait(combatant, "plain_view"),
        "detected": not combatant.hidden,
        "sneaking": fg.trait(combatant, "sneaking"),
        "strike": fg.text_trait(combatant, "strike"),
        "halted": bool(fg.text_trait(combatant, "halted")),
        "halted_by": fg.text_trait(combatant, "halted") or None,
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
    if step is not None and step.kind == "half":
        earlier = [other for other in state.agenda.steps if other.phase == step.phase and other.kind == "half"]
        half = "lead" if earlier[0].id == step.id else "trail"
        flip = step.phase if earlier[0].side != fg.text_fact(state, "lead_side") else None
    by = fg.text_fact(state, "ambush_by")
    outcome = {"laid": "pending"}.get(fg.text_fact(state, "ambush"), fg.text_fact(state, "ambush"))
    ambush: Json = None if outcome == "none" else {"by": by, "outcome": outcome, "free_moment": fg.free_moment(state)}
    return {
        "moment": state.round,
        "half": half,
        "lead_side": fg.text_fact(state, "lead_side"),
        "lead_flip": flip,
        "ambush": ambush,
        "talk": fg.text_fact(state, "talk"),
        "party_order": fg.text_fact(state, "party_order"),
        "hex_ft": walking.feet_of(state, 1),
        "moment_seconds": state.settings.get("moment_seconds"),
        "phase_labels": state.settings.get("phase_labels"),
        "waiting": list(moment.waiting(state)),
    }
