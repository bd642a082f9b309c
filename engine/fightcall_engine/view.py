"""What players may see: the fight and its events in a form built from an allow-list.

Nothing is copied and then trimmed: a form holds what is named here or in an event's `PUBLIC`, and nothing else. So a
field that a system adds tomorrow is hidden until somebody opens it. Two fights that differ only in what is hidden
(a hidden combatant's name, sheet or place, the GM's notes) have equal views and equal public events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fightcall_engine import events as ev
from fightcall_engine.archive.setting_files import setting_named
from fightcall_engine.codec import to_json
from fightcall_engine.state import Combatant, Effect, FightState, Json
from fightcall_engine.system import find_system

if TYPE_CHECKING:
    from fightcall_engine.system import Declaration, System

HEALTH = "hp"
"""The pool whose numbers players see as a word."""

UNHURT, HURT, BADLY_HURT, DOWN = "unhurt", "hurt", "badly hurt", "down"


def player_view(state: FightState, system: System) -> dict[str, Json]:
    """The fight as players may see it, as JSON.

    `side` is empty where nobody of the acting side is in sight, and `at` is ``[q, r]`` or None. `hp` is one of
    ``unhurt``, ``hurt``, ``badly hurt`` and ``down``, or None for a combatant whose harm is not counted; `effects` are
    words for what lasts on somebody and everybody sees.
    """
    seen = [state.combatants[who] for who in state.order if who in state.combatants]
    seen = [one for one in seen if not one.hidden]
    return {
        "status": state.status,
        "round": state.round,
        "phase": state.phase,
        "side": _acting_in_sight(state, system),
        "clock_s": state.clock_s,
        "order": [one.id for one in seen],
        "combatants": [_bearing(one, state, system) for one in seen],
        "declarations": [_declared(one) for one in system.declarations(state) if _in_sight(one.who, state)],
    }


def public_event(happened: ev.Event, before: FightState, after: FightState) -> dict[str, Json] | None:
    """An event as players may see it, None where it is not for them.

    It is not where its class opens no field, or where it is about somebody who is hidden before and after it. Somebody
    who comes into sight with it (`Joined`, `Detected`) is described as in `player_view`, under ``figure``.

    Args:
        happened: the event.
        before: the state it was applied to.
        after: the state it made.
    """
    if not happened.PUBLIC or any(_concealed(who, before, after) for who in ev.subjects(happened)):
        return None
    if isinstance(happened, ev.StepBegan | ev.StepEnded | ev.StepSkipped) and not _step_in_sight(happened, after):
        return None
    if happened.OF_DECLARED and _declared_in_secret(str(getattr(happened, "who", "")), before):
        return None
    form: dict[str, Json] = {"type": happened.type}
    for name, value in ev.public_fields(happened).items():
        form[name] = _in_sight_of(value, after) if name in happened.LISTED else _public(value)
    if isinstance(happened, ev.SettingChanged):
        # What fills a file is the GM's own: what foes may wear, what he has changed in the tables.
        setting = setting_named(find_system(after.system), happened.setting)
        form["value"] = None if setting is not None and setting.file else form["value"]
    if isinstance(happened, ev.Joined | ev.Detected):
        one = after.combatants.get(happened.who)
        form["figure"] = None if one is None else _figure(one)
    return form


def health(one: Combatant) -> str | None:
    """How hurt a combatant looks, without a number."""
    if not one.able:
        return DOWN
    pool = one.pools.get(HEALTH)
    if pool is None or pool.max == 0:
        return None
    if pool.now == 0:
        return DOWN
    if pool.now >= pool.max:
        return UNHURT
    return HURT if 2 * pool.now > pool.max else BADLY_HURT


def _figure(one: Combatant) -> dict[str, Json]:
    return {
        "id": one.id,
        "label": one.label,
        "name": one.name,
        "side": one.side,
        "at": to_json(one.at),
        "facing": one.facing,
        "able": one.able,
        "hp": health(one),
        "effects": [effect.name for effect in one.effects],
    }


def _bearing(one: Combatant, state: FightState, system: System) -> dict[str, Json]:
    """A combatant, and beside the effects what else the system opens of how he bears up."""
    seen = [badge.seen for badge in system.card(state, one.id).badges if badge.seen]
    return {**_figure(one), "effects": [*(effect.name for effect in one.effects), *seen]}


def _in_sight(who: str, state: FightState) -> bool:
    return who in state.combatants and not state.combatants[who].hidden


def _declared(one: Declaration) -> dict[str, Json]:
    """What everybody heard. Of what is secret, its public face and nothing else: a price or a limb would tell it."""
    if one.public:
        return {"who": one.who, "words": one.public, "parts": "", "cost": "", "due": "", "status": ""}
    return {
        "who": one.who,
        "words": one.words,
        "parts": one.parts,
        "cost": one.cost,
        "due": one.due,
        "status": one.status,
    }


def _concealed(who: str, before: FightState, after: FightState) -> bool:
    """True where a combatant is there and in neither state in sight; other words than ids conceal nobody."""
    found = [state.combatants[who] for state in (before, after) if who in state.combatants]
    return bool(found) and all(one.hidden for one in found)


def _acting_in_sight(state: FightState, system: System) -> str:
    actor = state.combatants.get(state.step.actor) if state.step else None
    return "" if actor is not None and actor.hidden else _side_in_sight(state, system.acting_side(state))


def _side_in_sight(state: FightState, side: str) -> str:
    """The side, or nothing where none of it that can act is in sight: its turn would give the hidden away."""
    there = any(one.side == side and one.able and not one.hidden for one in state.combatants.values())
    return side if there else ""


def _step_in_sight(happened: ev.StepBegan | ev.StepEnded | ev.StepSkipped, state: FightState) -> bool:
    steps = state.agenda.steps
    actor = steps[happened.index].actor if 0 <= happened.index < len(steps) else ""
    if actor in state.combatants and state.combatants[actor].hidden:
        return False
    return not happened.side or bool(_side_in_sight(state, happened.side))


def _in_sight_of(ids: object, state: FightState) -> Json:
    """Those of several ids that are no hidden combatant's."""
    listed = cast("tuple[str, ...]", ids)
    return [one for one in listed if one not in state.combatants or not state.combatants[one].hidden]


def _declared_in_secret(who: str, state: FightState) -> bool:
    """True where what a combatant does now has a public face, and so is a secret."""
    said = [each for each in find_system(state.system).declarations(state) if each.who == who]
    return bool(said) and bool(said[-1].public)


def _public(value: object) -> Json:
    """A field's value. Of a combatant or an effect, what a view shows of it; of anything else inside, nothing."""
    if isinstance(value, Combatant):
        return None if value.hidden else _figure(value)
    if isinstance(value, Effect):
        return value.name
    if isinstance(value, str | int | float) or value is None:
        return value
    return [_public(one) for one in value] if isinstance(value, tuple | list) else None
