"""How Combat Segments are shown: groups, cards, reminders, the declaration board, the system's own protocol fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import hypot

from fightcall_engine.board.base import Location
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.views import Badge, Card, Declaration, Group, Mark, Pips, Progress, group_by_side
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import remembered, remembered_of, replace
from fightcall_engine.systems.segments.actions import ambushes, moves, surprises
from fightcall_engine.systems.segments.actions.declarations import public_text
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, defences, shooting
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import PULSES_A_SEGMENT, QA_AN_ACTION, exact, game_time, quarters
from fightcall_engine.systems.segments.rules.ranges import Field, Hand, Limits, Rate
from fightcall_engine.systems.segments.state import condition, items, paths, places, queries, small_acts, weapon_uses
from fightcall_engine.systems.segments.state.paths import Ground, in_thousandths
from fightcall_engine.systems.segments.state.queries import (
    ATTACKS,
    COMBINATION,
    COMMITTED,
    DONE,
    DRAFT,
    FAILED,
    RANGED,
    SHOOT,
    action_of,
    is_busy,
    targets_of,
)
from fightcall_engine.systems.segments.state.records import (
    HURLED,
    MISSILE,
    Action,
    Blow,
    battle_of,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import due_slot, due_text, task_progress
from fightcall_engine.systems.segments.state.weapon_uses import item_of
from fightcall_engine.systems.segments.views import harm_cards
from fightcall_engine.systems.segments.views.harm_cards import bow_badges, deed_badges, morale_badges

_STATUS = {DRAFT: "draft", COMMITTED: "declared", DONE: "done", FAILED: "failed"}


def _surprise_json(state: FightState, combatant: Combatant) -> Json:
    degree, until = fighter_of(combatant).surprise, fighter_of(combatant).surprise_until
    return {
        "degree": degree,
        "stage": {queries.OVERWHELMED: 1, queries.WANING: 2}.get(degree, 0),
        "until_cs": until,
        "cs_left": max(0, until - state.round) if degree != queries.NONE else 0,
        "penalty": max(0, fighter_of(combatant).surprise_sum),
        "failed_dv": fighter_of(combatant).surprise_dv,
    }


def _crossbow_json(combatant: Combatant) -> Json:
    """A crossbow in the protocol (rules digest, section 2.1); None if its state is unknown."""
    state = weapon_uses.state_of(combatant)
    if weapon_uses.crossbow_of(combatant) is None or state == weapon_uses.UNKNOWN:
        return None
    return {
        "cocked": state in (weapon_uses.COCKED, weapon_uses.LOADED),
        "loaded": state == weapon_uses.LOADED,
        "tool": "attached" if fighter_of(combatant).crossbow_tool else "none",
        "cocked_days": max(0, fighter_of(combatant).crossbow_days),
    }


# Groups and cards


def groups(state: FightState) -> tuple[Group, ...]:
    """The sides before Initiative and after the fight; else all by Initiative (CS-022)."""
    if state.status != "closed" and state.step is not None and queries.kind_of(state) != queries.INITIATIVE:
        number = queries.pass_number(state)
        has_passes = number and any(queries.actions_owed(combatant) > 1 for combatant in queries.all_able(state))
        waiting = tuple(combatant.id for combatant in queries.waiters(state))
        order = tuple(combatant.id for combatant in state.roster if combatant.id not in waiting)
        by_initiative = Group("Initiative", "", f"pass {number}" if has_passes else "", order)
        # CS-160: those who wait are grouped until Resolution begins.
        note = "" if queries.kind_of(state) == queries.RESOLVE else "may declare"
        return (by_initiative, *((Group("Waiting", "", note, waiting, action="declare"),) if waiting else ()))
    titles = {queries.PARTY: "Party", queries.FOE: "Foes", queries.OTHER: "Others"}
    rolling = queries.kind_of(state) == queries.INITIATIVE and state.status != "closed"

    def rolls_left(side: str, _: tuple[str, ...]) -> str:
        left = sum(combatant.side == side for combatant in queries.without_initiative(state))
        return (f"{left} to roll" if left else "rolled") if rolling else ""

    return group_by_side(state.roster, titles, rolls_left)


def waiting(state: FightState) -> tuple[str, ...]:
    """The ids of those the running step waits for: Initiative, a declaration, a due attack."""
    combatant, kind = queries.actor_of(state), queries.kind_of(state)
    if state.status == "closed":
        return ()
    if kind == queries.INITIATIVE:
        return tuple(other.id for other in queries.without_initiative(state))
    if kind == queries.WAITS:
        return tuple(other.id for other in queries.waiters(state))
    if combatant is None or not combatant.able or kind not in (queries.DECLARE, queries.RESOLVE):
        return ()
    action = action_of(combatant)
    if kind == queries.DECLARE:
        return () if action.is_open or fighter_of(combatant).waiting else (combatant.id,)
    owes = action.is_open and (action.kind in ATTACKS or action.dv is not None) and not action.struck
    return (combatant.id,) if owes else ()


def card(state: FightState, combatant_id: str) -> Card:
    """A combatant's wounds, Actions, conditions, and present activity."""
    combatant = state.combatants[combatant_id]
    action = action_of(combatant)
    pools = tuple(name for name in (queries.HP, queries.END, queries.CND) if name in combatant.pools)
    total = fighter_of(combatant).init
    is_over = state.status == "closed"
    mark = str(total) if total is not None and not is_over else ""
    longer = action.state == COMMITTED and action.need > QA_AN_ACTION and not is_over
    progress = (Progress(action.text or action.kind, task_progress(state, combatant), action.need),) if longer else ()
    return Card(
        pools, badges_of(state, combatant), mark, _note(state, combatant), _pips(state, combatant), progress,
        _has_acted(state, combatant), harm_cards.track(state, combatant),
        tuple(harm_cards.effect_badge(state, effect) for effect in combatant.effects),
        harm_cards.level(state, combatant), mark_name="initiative",
    )  # fmt: skip


def _has_acted(state: FightState, combatant: Combatant) -> bool | None:
    """Whether a combatant is done in the running phase: it has declared, waits, or is resolved."""
    if queries.kind_of(state) in (queries.DECLARE, queries.WAITS):
        return action_of(combatant).state == COMMITTED or fighter_of(combatant).waiting
    if queries.kind_of(state) == queries.RESOLVE:
        return bool(action_of(combatant).state) and not action_of(combatant).is_open
    return None


def badges_of(state: FightState, combatant: Combatant) -> tuple[Badge, ...]:
    """A combatant's conditions: down, hidden, surprised, wounds, posture."""
    badges: list[Badge] = []
    life = fighter_of(combatant).life
    if not combatant.able:
        badges.append(Badge(life if life != queries.UP else "down", "bad"))
    if combatant.hidden:
        badges.append(Badge("hidden", "info"))
    degree = fighter_of(combatant).surprise
    if degree not in ("", queries.NONE):
        until = fighter_of(combatant).surprise_until
        penalty = condition.surprise_penalty(combatant, defensive=True)
        text = f"{degree} -{penalty}" if penalty else degree
        badges.append(Badge(f"{text} to Segment {until}" if until else text, "warn"))
    if len(queries.stuns_of(combatant)) > 1:
        # Badges beside it already show this.
        badges.append(Badge(f"stunned -{condition.stun_penalty(state, combatant)} in all", "warn"))
    badges += *morale_badges(state, combatant), *deed_badges(state, combatant)
    badges += harm_cards.harm_badges(state, combatant)
    posture = fighter_of(combatant).posture
    if posture in (queries.KNEELING, queries.PRONE):
        badges.append(Badge(posture, "plain"))
    for pin in fighter_of(combatant).pinned:
        badges.append(Badge(f"{pin.weapon} pinned by {state.combatants[pin.by].name}", "warn"))
    if fighter_of(combatant).full_defence:
        badges.append(Badge("full defence", "good"))
    if run_text := moves.continued_run(state, combatant):
        badges.append(Badge(run_text, "warn"))
    badges += bow_badges(combatant)
    has_defended = fighter_of(combatant).dodges or any(use.defences for use in fighter_of(combatant).uses.values())
    if has_defended and combatant.able:
        # CS-169
        defences_left = defences.list_defences_left(state, combatant)
        badges.append(Badge(f"can {defences_left[0]}", "info") if defences_left else Badge("no defence left", "bad"))
    return tuple(badges)


def _note(state: FightState, combatant: Combatant) -> str:
    if state.status == "closed":
        return ""
    action = action_of(combatant)
    words = f"{'secret: ' if action.secret else ''}{action.text or action.kind}" if action.is_open else ""
    if queries.kind_of(state) in (queries.DECLARE, queries.WAITS, queries.PULSE) and combatant.able:
        left = paths.feet_left(state, combatant)
        rate = fighter_of(combatant).rate.replace("_", "-")
        pace = f"{left:g} ft" + (f", {rate}" if fighter_of(combatant).moved else "")
        return f"{words}; {pace}" if words else pace
    return words


def _pips(state: FightState, combatant: Combatant) -> tuple[Pips, ...]:
    """CS-007: the Actions of this segment."""
    pool = combatant.pool(queries.SLOTS)
    if pool.max == 0 or state.status == "closed":
        return ()
    kept_count = 1 if action_of(combatant).state == COMMITTED and pool.now else 0
    return (Pips(queries.SLOTS, pool.now - kept_count, kept=kept_count, spent=pool.max - pool.now),)


def banner(state: FightState) -> Badge | None:
    """The running Pulse (CS-232), else the kind of contest (CS-001)."""
    if queries.kind_of(state) == queries.PULSE:
        return Badge(f"PULSE {battle_of(state).pulse} of 10", "info")
    if state.step is None or state.status == "closed":
        return None
    combat = battle_of(state).contest == "combat"
    return Badge("COMBAT", "warn") if combat else Badge("TACTICAL", "plain")


# Reminders


@remembered
def reminders_of(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 9)."""
    if state.status == "closed":
        return harm_cards.healing_reminders(state)
    # CS-042, CS-073, CS-047
    urgent = (
        "Marching order? How many abreast? Who carries the light?",
        "Surprised at rest: no armour, perhaps asleep",
        "Victims roll Savvy, Sentry or AWA; plotters Stealth, Player or Silver Tongue",
    )
    feats = (
        f"{combatant.name}, {feat.label}: decide how"
        for combatant in state.roster
        if (feat := fighter_of(combatant).feat) is not None and feat.segment == state.round
    )
    return (
        *(urgent if any(surprises.plot_of(prompt) for prompt in state.prompts) else ()),
        *_morale_reminders(state),
        *_step_reminders(state),
        *feats,
        *_bow_reminders(state),
        *harm_cards.harm_reminders(state),
        *_surprise_reminders(state),
    )


def _step_reminders(state: FightState) -> tuple[str, ...]:
    kind = queries.kind_of(state)
    if not kind:
        return ("Tactical contest or combat? Who is aware of whom? Surprise?",)
    if kind == queries.INITIATIVE:
        names = list_names([combatant.name for combatant in queries.without_initiative(state)], 5)
        # CS-133
        due = [
            f"{combatant.name}: {action.text}"
            for combatant in queries.all_able(state)
            if (action := action_of(combatant)).is_open
            and (slot := due_slot(state, combatant, action)) is not None
            and slot.segment == state.round
        ]
        # CS-101, CS-109: a contest ends between segments.
        first = "Who is aware of whom?" if state.round == 1 else "Goal met, side beaten or withdrawing? Then end it"
        return (
            *((f"To roll: {names}",) if names else ()),
            first,
            *((f"Due in this segment: {'; '.join(due[:3])}",) if due else ()),
        )
    combatant = queries.actor_of(state)
    if kind == queries.DECLARE and combatant is not None:
        return _declaration_reminders(state, combatant)
    waits = [other.name for other in queries.waiters(state)]
    if kind == queries.WAITS:
        return (f"May still declare: {list_names(waits, 4)}",)
    if kind == queries.PULSE:
        movers = [combatant.name for combatant in queries.all_able(state) if paths.is_moving(combatant)]
        held_up = [f"{combatant.name} by {other.name}" for combatant, other in moves.blocked_walkers(state)]
        return (
            f"Moving: {list_names(movers, 5)}" if movers else "No one is moving",
            *((f"Held up: {list_names(held_up, 3)}",) if held_up else ()),
            *((f"May still declare: {list_names(waits, 4)}",) if waits else ()),
        )
    if kind == queries.RESOLVE and combatant is not None:
        action = action_of(combatant)
        is_due = action.is_open and len(action.struck) <= bool(action.second)
        targets = targets_of(state, action) if action.kind in ATTACKS and is_due else ()
        return (
            *((f"{combatant.name}: {action.text or action.kind}",) if is_due else ()),
            *_attack_reminder(state, combatant),
            *(f"{target.name} can still: {_describe_defences(state, target)}" for target in targets),
            *(line for target in targets for line in defences.exhausted_reserves(state, target)),
            *_next_reminders(state),
        )
    return ()


def _describe_defences(state: FightState, combatant: Combatant) -> str:
    """The defences left, each with the value of its next use (CS-167, CS-169): ``dodge 27, then 14``."""
    worths: dict[str, list[str]] = {}
    for defence in defences.list_defences_left(state, combatant):
        worths.setdefault(defence.means, []).append(str(defence.av))
    return "; ".join(f"{means} {', then '.join(values[:2])}" for means, values in worths.items()) or "no defence"


def _declaration_reminders(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    lines = []
    action = action_of(combatant)
    if action.state == DRAFT:
        lines.append(f"{combatant.name}: {public_text(action)} - space confirms")
        lines += _attack_reminder(state, combatant)
    waits = [other.name for other in queries.waiters(state)]
    lines += [f"Waiting: {list_names(waits, 4)}"] if waits else []
    runners = [
        f"{other.name} {text}" for other in queries.all_able(state) if (text := moves.continued_run(state, other))
    ]
    lines += [f"Still moving from last segment: {list_names(runners, 3)}"] if runners else []
    return (*lines, *_next_reminders(state))


def _next_reminders(state: FightState) -> tuple[str, ...]:
    step, agenda = state.step, state.agenda
    if step is None:
        return ()
    coming = [
        state.combatants[other.actor].name
        for other in agenda.steps[agenda.cursor + 1 :]
        if other.kind == step.kind and other.actor in state.combatants
    ]
    return (f"Next: {', '.join(coming[:2])}",) if coming else ()


# The protocol


def fields(state: FightState, combatant_id: str) -> Mapping[str, Json]:
    """The system's own fields of a combatant (rules digest, section 2.1)."""
    combatant = state.combatants[combatant_id]
    action, in_hands = action_of(combatant), items.items_in_hand(combatant)
    full_defence = fighter_of(combatant).full_defence
    return {
        "init": fighter_of(combatant).init,
        "d10": fighter_of(combatant).d10,
        "slots": queries.actions_owed(combatant),
        "slots_left": queries.slots_left(combatant),
        "roa": str(queries.rate_of_action(combatant)),
        "waiting": fighter_of(combatant).waiting,
        "declared": _action_json(state, combatant, action) if action.state else None,
        "committed": list(action.bound),
        "move_used": fighter_of(combatant).moved,
        "feet_left": paths.feet_left(state, combatant),
        "rate_label": fighter_of(combatant).rate,
        "speed_now": fighter_of(combatant).speed,
        "pulse_streak": fighter_of(combatant).streak,
        "posture": fighter_of(combatant).posture,
        **harm_cards.fields(state, combatant),
        "deed": [condition.describe_bonus(state, each) for each in fighter_of(combatant).deed],
        "morale": fighter_of(combatant).morale,
        "doubts": [{"foe": each.by, "loss": each.loss, "cs": each.segment} for each in fighter_of(combatant).doubts],
        "uses": to_json(fighter_of(combatant).uses),
        "dodges": fighter_of(combatant).dodges,
        "defences_left": list(map(str, defences.list_defences_left(state, combatant))),
        "full_defence": "" if full_defence is None else full_defence.against or "all",
        "aware_of": list(fighter_of(combatant).aware_of),
        "surprise": _surprise_json(state, combatant),
        "elev": fighter_of(combatant).elev,
        "crossbow": _crossbow_json(combatant),
        "in_hands": {hand: items.name_of(in_hands[hand]) if hand in in_hands else "" for hand in items.HANDS},
        "pinned": {pin.weapon: pin.by for pin in fighter_of(combatant).pinned},
        "things": list(items.things_held_by(state, combatant.id)),
        "display": display_fields(state, combatant),
    }


def _action_json(state: FightState, combatant: Combatant, action: Action) -> Json:
    return {
        "state": action.state,
        "action": action.kind,
        "text": action.text,
        "visibility": "secret" if action.secret else "public",
        "public": public_text(action),
        "weapon": action.weapon,
        "targets": list(action.targets),
        "line": action.line,
        "start_cs": action.cs,
        "qa_need": action.need,
        "qa_done": task_progress(state, combatant) if action.is_open else action.done,
        "due": due_text(state, combatant, action) if action.is_open else "",
        "outcome": action.outcome,
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.2)."""
    combatant = queries.actor_of(state)
    return {
        "cs": state.round,
        "pass": queries.pass_number(state),
        "pulse": battle_of(state).pulse,
        "contest": battle_of(state).contest,
        "actor": combatant.id if combatant is not None else None,
        "clock": game_time(state.clock_s // 10),
        "scale": queries.scale_of(state),
        "markers": [list(group) for group in markers(state)],
        "things": {thing.name: thing.holder or None for thing in battle_of(state).things},
        "struggles": {struggle.thing: list(struggle.all_hands) for struggle in items.struggles_of(state)},
        "waiting": [other.id for other in queries.waiters(state)],
    }


# Reminders


def _morale_reminders(state: FightState) -> tuple[str, ...]:
    """What Surprise and morale leave a combatant on its turn, and a foe's advantage (CS-057, CS-516)."""
    combatant = queries.actor_of(state)
    if combatant is None or queries.kind_of(state) not in (queries.DECLARE, queries.RESOLVE) or not combatant.able:
        return ()
    text = {
        condition.SHAKEN: "is shaken: backs away and looks for a chance to break off (CS-516)",
        condition.BROKEN: "has surrendered: fights no more (CS-517)",
        condition.IN_TEARS: "has broken down in tears: can do nothing else (CS-517)",
    }.get(fighter_of(combatant).morale)
    lines = [f"{combatant.name} {text}"] if text else []
    if held := condition.why_restricted(state, combatant):
        ways = "only defends" if fighter_of(combatant).surprise == queries.READY else "defends or moves away"
        lines.append(f"{combatant.name} is {held}: {ways} ({condition.surprise_rule(combatant)})")
    for other in queries.all_able(state):
        loss = condition.doubt_of(state, other, combatant.id)
        if loss:
            lines.append(f"{other.name} has doubts against {combatant.name}: DVs -{loss} in this segment (CS-519)")
    return tuple(lines)


def _foes_engaged(state: FightState, combatant: Combatant) -> list[Combatant]:
    near = places.ids_engaged(state, combatant)
    return [other for other in queries.all_able(state) if state.are_foes(combatant.id, other.id) and other.id in near]


def _attack_reminder(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """CS-372: both weapons on one foe leave none for others who are near."""
    action = action_of(combatant)
    foes = _foes_engaged(state, combatant)
    if action.kind != COMBINATION or not action.is_open or len(foes) < 2:
        return ()
    return (f"{combatant.name} fights {len(foes)} foes: both weapons can be tied up by one of them",)


# Effects and bows


def _bow_reminders(state: FightState) -> tuple[str, ...]:
    """CS-256, CS-403: bows and crossbows that are not ready as a scene begins; the limits of crossbows."""
    if not queries.kind_of(state):
        shooters = [
            combatant.name
            for combatant in queries.all_able(state)
            if any(weapon_uses.is_crossbow(thing) or weapon_uses.is_bow(thing) for thing in items.items_of(combatant))
        ]
        return (f"Is the bow strung or cocked, and for how many days? {list_names(shooters, 4)}",) if shooters else ()
    combatant = queries.actor_of(state)
    if combatant is None or queries.kind_of(state) != queries.DECLARE:
        return ()
    action = action_of(combatant)
    thing = items.item_named(combatant, action.weapon) if action.is_open and action.kind == SHOOT else None
    if thing is None or not weapon_uses.is_crossbow(thing):
        return ()
    in_melee = any(_foes_engaged(state, each) for each in (combatant, *targets_of(state, action)))
    if not in_melee:
        return ()
    return ("Crossbow in a melee: a friend may be in the way, and reloading is slow",)


def _surprise_reminders(state: FightState) -> tuple[str, ...]:
    """Other reminders of Surprise: the unaware, the hidden, the dazed (CS-009, CS-074, CS-063)."""
    lines = []
    if queries.kind_of(state) == queries.INITIATIVE and state.round == 1:
        lines.append("Is one side unaware? AWA or Perception against Stealth: discovery, ambush, or no conflict")
    hidden = [combatant.name for combatant in queries.all_able(state) if combatant.hidden]
    if hidden and queries.kind_of(state) in ambushes.MOMENTS:
        lines.append(f"Hidden, can leap out with Surprise: {', '.join(hidden[:4])}")
    names = [
        combatant.name for combatant in queries.all_able(state) if fighter_of(combatant).surprise == queries.OVERWHELMED
    ]
    if names and queries.kind_of(state):
        lines.append(f"Need a warning to notice threats from behind: {', '.join(names[:4])}")
    return tuple(lines)


# The declaration board


@remembered
def declarations(state: FightState) -> tuple[Declaration, ...]:
    """A line for each combatant in roster order, after its earlier Actions of this segment."""
    if state.status == "closed":
        return ()
    lines = []
    for combatant in state.roster:
        past = fighter_of(combatant).past
        for each in past if action_of(combatant).is_open else past[:-1]:
            lines.append(Declaration(combatant.id, each.text, public=each.public, status="done", done=each.outcome))
        lines.append(_present_declaration(state, combatant))
    return tuple(lines)


def _present_declaration(state: FightState, combatant: Combatant) -> Declaration:
    action, run_text = action_of(combatant), moves.continued_run(state, combatant)
    if not action.state:
        undeclared = _nothing_declared(combatant)
        return replace(undeclared, words=run_text, status=undeclared.status or "busy") if run_text else undeclared
    longer = action.is_open and action.need > QA_AN_ACTION
    busy = action.state == COMMITTED and is_busy(state, combatant)
    progress = Progress(action.text or action.kind, small_acts.task_progress(state, combatant), action.need)
    return Declaration(
        combatant.id, "; ".join(filter(None, (action.text or action.kind, run_text))),
        public=public_text(action) if action.secret else "", parts=" ".join(action.bound), cost=quarters(action.need),
        due=small_acts.due_text(state, combatant, action) if action.is_open else "",
        status="busy" if busy else _STATUS.get(action.state, action.state), done=action.outcome,
        progress=progress if longer else None,
    )  # fmt: skip


@remembered_of(1024)
def _nothing_declared(combatant: Combatant) -> Declaration:
    waits = fighter_of(combatant).waiting
    return Declaration(combatant.id, "", status="cannot" if not combatant.able else "waits" if waits else "")


RATES: tuple[Rate, ...] = ("quarter", "half", "three_quarter", "full")


# Fields of Approach


def marks_of(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """The planned paths of all, and over them the selected combatant's lines of fire and fields."""
    if state.status == "closed":
        return ()
    marks = (*_planned_path_marks(state, combatant_id), *_knock_back_marks(state))
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return marks
    # Those in the line of fire are marked over all else, as they may be neighbours.
    return (
        *marks,
        *(mark for blow in shots_of(state, combatant) for mark in _line(state, combatant, blow)),
        *_fields_about(state, combatant),
        *_endangered_marks(state, combatant),
    )


def _knock_back_marks(state: FightState) -> tuple[Mark, ...]:
    """CS-560: the way that a blow has driven a combatant, while the check of footing is open."""
    marks = []
    for combatant, way in blow_effects.knocked_back_paths(state):
        to = state.board.name_of(combatant.at) if state.board is not None and combatant.at is not None else ""
        for place in way:
            label = f"{combatant.name} was driven back to {to}"
            marks.append(Mark(place, _arrow(state, place, combatant), "warn", label, aloud=place == way[0]))
    return tuple(marks)


def _arrow(state: FightState, start: Location, combatant: Combatant) -> str:
    assert combatant.at is not None
    x, y = shooting.middle_of(state, start)
    to_x, to_y = shooting.middle_of(state, combatant.at)
    east, south = to_x - x, to_y - y
    if abs(south) * 2 <= abs(east):
        return ">" if east > 0 else "<"
    if abs(east) * 2 <= abs(south):
        return "v" if south > 0 else "^"
    return "\\" if (east > 0) == (south > 0) else "/"


def _fields_about(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-683: the field of each neighbouring place, and what can be done there."""
    if state.board is None or combatant.at is None or not combatant.able or not places.can_measure(state, combatant):
        return ()
    marks = []
    for place in state.board.neighbours(combatant.at):
        field = places.field_at(state, combatant, place)
        if field is not None:
            tone, label = field_use(combatant, field)
            marks.append(Mark(place, field, tone, label, who=combatant.id, kind="side"))
    return tuple(marks)


def field_use(combatant: Combatant, field: Field) -> tuple[str, str]:
    """What a combatant can do in a field without a Turn, as a tone and in words (section 6.15)."""
    use = ranges.uses()[field]
    if field in places.shut_fields(combatant):
        return "plain", f"{use.label}: closed by the formation (CS-308)"
    in_hand = items.items_in_hand(combatant)
    free: tuple[Hand, ...] = tuple(in_hand) or items.HANDS
    strikes = [hand for hand in use.attack if hand in free]
    guards = [hand for hand in use.defend if hand in in_hand]
    attack = f"attack with {_weapon_names(combatant, strikes)}" if strikes else "no attack without a Turn"
    defences = [*([_weapon_names(combatant, guards)] if guards else []), *(["Dodge"] if use.dodge else [])]
    needs = {"aware": ", if aware of the attack", "warned": ", if warned"}.get(use.needs, "")
    defend = f"defend with {' or '.join(defences)}{needs}" if defences else "no defence"
    tone = "good" if strikes else "warn" if guards or (use.dodge and use.needs != "warned") else "bad"
    return tone, f"{use.label}: {attack}; {defend} ({use.rule})"


def _weapon_names(combatant: Combatant, hands: list[Hand]) -> str:
    items_by_hand = items.items_in_hand(combatant)
    names = dict.fromkeys(items.name_of(items_by_hand[hand]) if hand in items_by_hand else items.BARE for hand in hands)
    return " or ".join(names)


# Planned paths


def _planned_path_marks(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """CS-230: where each coming Pulse ends for all with planned paths, numbered by the Pulses.

    Others are not in the way here. Hidden combatants are only shown if selected.
    """
    planners = [
        combatant
        for combatant in queries.all_able(state)
        if fighter_of(combatant).plan and (not combatant.hidden or combatant.id == combatant_id)
    ]
    if not planners or state.board is None:
        return ()
    ground = Ground(state)
    last = {combatant.id: combatant for combatant in planners if combatant.id == combatant_id}
    in_order = [*(combatant for combatant in planners if combatant.id != combatant_id), *last.values()]
    return tuple(
        Mark(
            place, str(number), "info" if combatant.id == combatant_id else "plain",
            f"{combatant.name}, Pulse {number}", who=combatant.id, kind="moment",
        )
        for combatant in in_order
        if places.can_measure(state, combatant)
        for number, place in _pulse_ends(state, combatant, ground)
    )  # fmt: skip


def _pulse_ends(state: FightState, combatant: Combatant, ground: Ground) -> Iterator[tuple[int, Location]]:
    speed, limits = (
        moves.planned_speed(combatant),
        (profile_of(combatant).full_speed, moves.speed_of(combatant, "half")),
    )
    reading, streak = settings_of(state).pulse_distance, fighter_of(combatant).streak
    running = queries.kind_of(state) == queries.PULSE
    has_moved = steps.has_moved_in_pulse(state, combatant)
    number = battle_of(state).pulse + (1 if has_moved or not running else 0)
    budget, left = in_thousandths(fighter_of(combatant).carry), in_thousandths(paths.feet_left(state, combatant))
    way = paths.places_of_way(state, fighter_of(combatant).plan)
    ahead, last = next(way, None), combatant.at
    while ahead is not None and number <= PULSES_A_SEGMENT and left > 0:
        feet = min(in_thousandths(steps.full_stride(speed, limits, streak > 0, reading).feet), left)
        streak, budget, left, here = streak + 1, budget + feet, left - feet, None
        while ahead is not None and ground.price(last, ahead) <= budget:
            budget -= ground.price(last, ahead)
            here, last, ahead = ahead, ahead, next(way, None)
        if here is not None:
            yield number, here
        number += 1


ON_THE_LINE, BEYOND, IN_DANGER = "*", "-", "!"
"""The marks of places up to the target, of those where a miss flies on, and of combatants there."""


# The line of a declared shot


def shots_of(state: FightState, combatant: Combatant) -> Iterator[Blow]:
    """The declared shots and throws at targets on the board."""
    action = action_of(combatant)
    if not action.is_open or action.kind not in RANGED or state.board is None or combatant.at is None:
        return
    kind = MISSILE if action.kind == SHOOT else HURLED
    for target in targets_of(state, action):
        if target.at is not None and target.at != combatant.at and places.can_measure(state, combatant, target):
            yield Blow(combatant.id, target.id, kind, action.weapon, attack=action.attack)


def _endangered_marks(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-525: the combatants where a miss flies on."""
    marks = []
    for blow in shots_of(state, combatant):
        target = state.combatants[blow.target]
        for each in shooting.combatants_in_line(state, blow):
            other = state.combatants[each.who]
            if other.at is not None:
                marks.append(Mark(other.at, IN_DANGER, "warn", f"{other.name}: in line behind {target.name}"))
    return tuple(marks)


def describe_shot(state: FightState, combatant: Combatant, blow: Blow) -> str:
    """A shot in few words: ``Raider 2: short, 20 yd; behind: Raider 3``."""
    target = state.combatants[blow.target]
    others = ", ".join(state.combatants[each.who].name for each in shooting.combatants_in_line(state, blow))
    feet, reach = attack_values.distance_of(state, blow), attack_values.reach_of(state, blow)
    range_text = "range not known"
    if feet is not None and reach is not None:
        range_text = f"{_band(feet, reach)}, {float(ranges.in_unit(feet, reach.unit)):.0f} {reach.unit}"
    clear = "" if attack_values.has_clear_line(state, combatant, target, blow.weapon) else ", no clear line"
    return f"{target.name}: {range_text}{clear}" + (f"; behind: {others}" if others else "")


def _line(state: FightState, combatant: Combatant, blow: Blow) -> Iterator[Mark]:
    board, target = state.board, state.combatants[blow.target]
    if board is None or combatant.at is None or target.at is None:
        return
    yield Mark(target.at, "", label=describe_shot(state, combatant, blow), aloud=True)
    tone = "info" if attack_values.has_clear_line(state, combatant, target, blow.weapon) else "bad"
    reach, before = attack_values.reach_of(state, blow), ""
    up_to = [place for place in board.sight(combatant.at, target.at).cells if place not in (combatant.at, target.at)]
    beyond = _places_beyond(state, combatant, target, blow) if tone == "info" else ()
    for place in (*up_to, *beyond):
        band = _band(_feet(state, combatant.at, place), reach)
        plain, mark_tone = (BEYOND, "warn") if place in beyond else (ON_THE_LINE, tone)
        words = f"line of fire to {target.name}" if plain == ON_THE_LINE else f"where a miss of {target.name} flies on"
        label = ", ".join(filter(None, (words, band and f"{band} range")))
        yield Mark(place, band[:1].upper() if band != before else plain, mark_tone, label)
        before = band or before


def _feet(state: FightState, here: Location, there: Location) -> Fraction:
    assert state.board is not None
    return exact(state.board.length(here, there) / state.board.scale) * places.feet_per_place(state.board)


def _band(feet: Fraction, reach: Limits | None) -> str:
    if reach is None:
        return ""
    band = ranges.band(ranges.in_unit(feet, reach.unit), reach)
    return (band or "out of").replace("_", "-")


def _places_beyond(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> tuple[Location, ...]:
    """CS-525, CS-527: the places behind the target on the same line, within its range band and in sight."""
    board = state.board
    if board is None or combatant.at is None or target.at is None:
        return ()
    x, y = shooting.middle_of(state, combatant.at)
    to_x, to_y = shooting.middle_of(state, target.at)
    length = hypot(to_x - x, to_y - y)
    east, south = (to_x - x) / length, (to_y - y) / length
    end = shooting.band_end_ft(state, blow, _feet(state, combatant.at, target.at))
    half = float(places.feet_per_place(state.board)) / 2
    candidates: list[tuple[float, Location]] = []
    for place in board.places():
        off_x, off_y = (there - here for there, here in zip(shooting.middle_of(state, place), (x, y), strict=True))
        along, deviation = off_x * east + off_y * south, abs(off_x * south - off_y * east)
        if along > length + half and deviation <= half and (end is None or along <= end):
            candidates.append((along, place))
    is_lobbed = item_of(combatant, blow.weapon).get("lob") is True
    return tuple(place for _, place in sorted(candidates) if is_lobbed or board.sees(combatant.at, place))


# The tactical display


def markers(state: FightState) -> tuple[tuple[str, ...], ...]:
    """CS-684: groups that share a marker at a small scale: those of a side within 25 mm of another of the group.

    At the usual scale, or without a place on the board, everybody has their own.
    """
    if queries.scale_of(state) == "skirmishing":
        return tuple((combatant.id,) for combatant in state.roster)

    def is_shared(combatant: Combatant, other: Combatant) -> bool:
        feet = places.distance_ft(state, combatant, other) if combatant.side == other.side else None
        return feet is not None and not ranges.needs_own_marker(feet, queries.scale_of(state))

    groups: list[list[Combatant]] = []
    for combatant in state.roster:
        near = [group for group in groups if any(is_shared(combatant, other) for other in group)]
        members = [other for group in near for other in group]
        groups = [group for group in groups if group not in near]
        groups.append([*members, combatant])
    return tuple(tuple(combatant.id for combatant in group) for group in groups)


def leaps(combatant: Combatant) -> Mapping[str, float]:
    """Leap and Running Leap in feet, if the sheet has them."""
    profile = profile_of(combatant)
    lengths = {"leap": profile.leap, "running_leap": profile.running_leap}
    return {name: float(feet) for name, feet in lengths.items() if feet is not None}


def display_fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """CS-682, CS-686: Zone and speeds on the display, in the protocol."""
    distance = settings_of(state).pulse_distance
    paces = {}
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        card, reach = ranges.card(mph, distance), ranges.pulse_reach(mph, distance)
        paces[rate] = {
            "mph": float(mph),
            "feet": float(reach.feet),
            "mm": {"skirmishing": card.skirmishing, "half": card.half, "fifth": card.fifth},
            "table": [reach.mm25, reach.mm10, reach.mm5],
        }
    return {
        "zone_mm": ranges.on_display(profile_of(combatant).height, queries.scale_of(state)),
        "pace": paces,
        **leaps(combatant),
    }
