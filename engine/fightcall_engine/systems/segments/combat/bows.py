"""Bows and crossbows: readiness for a shot, and work on them (CS-255, CS-395..403)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.state import archery, items, queries
from fightcall_engine.systems.segments.state.action import ABORTED, DONE, FAILED, LOST, SHOOT, action_of
from fightcall_engine.systems.segments.state.battle import MISSILE, Blow
from fightcall_engine.systems.segments.state.blows import item_of
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of
from fightcall_engine.systems.segments.state.pieces import STRING_BOW, find_component
from fightcall_engine.systems.segments.state.weapon_uses import Item

BITTEN_HANDS = "bitten"
"""The kind of the offer to wound hands after a failed cocking."""

# Readiness


def ready_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-401: the weapon is strung, cocked and loaded when the shot is due, or in the same Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    if archery.is_crossbow(thing):
        return _crossbow_checks(combatant, action, thing)
    strung = not fighter_of(combatant).unstrung or STRING_BOW in archery.keys_of(action.components)
    return (
        Check(strung or not archery.is_bow(thing), "CS-255", f"{combatant.name}'s bow is not strung", (STRING_BOW,)),
    )


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-397: the weapon is ready, or made so in the same Action; a check to cock it is another Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    keys = tuple(piece.key for piece in action.components)
    takes_check = archery.COCK in keys and archery.cocking_dv(combatant, items.name_of(thing), keys) > 0
    return (
        Check(not takes_check, "CS-397", "cocking it takes a STR check: cock it first", (f"a task: {archery.COCK}",)),
        *ready_checks(combatant, action),
    )


def shot_checks(combatant: Combatant, action: Action, blow: Blow) -> tuple[Check, ...]:
    """CS-255, CS-401: the checks of a shot now, after the work of its own Action."""
    if blow.kind != MISSILE:
        return ()
    return ready_checks(combatant, replace(action, weapon=blow.weapon))


def _crossbow_checks(combatant: Combatant, action: Action, thing: Item) -> tuple[Check, ...]:
    pieces = action.components
    keys = tuple(piece.key for piece in pieces)
    # The GM's own words may stand for any of the steps (CS-131).
    has_own_words = any(find_component(key) is None and key not in archery.STEPS for key in keys)
    state, name = archery.state_of(combatant), items.name_of(thing)
    cocks = archery.COCK in keys
    has_tool = (
        archery.has_tool_on(combatant) or archery.ATTACH in keys or (cocks and _leaves_windlass_on(combatant, thing))
    )
    is_tool_off = not has_tool or archery.DISENGAGE in keys or archery.DROP in keys
    is_loaded = archery.PLACE in keys or (state in (archery.UNKNOWN, archery.LOADED) and not cocks)
    steps_left = (" ".join(archery.steps_left(combatant, thing)),)
    return (
        Check(
            cocks or has_own_words or state != archery.SPENT,
            "CS-255",
            f"{combatant.name}'s {name} is not cocked",
            steps_left,
        ),
        Check(
            is_tool_off, "CS-401", f"the tool is still on {combatant.name}'s {name}", (archery.DISENGAGE, archery.DROP)
        ),
        Check(is_loaded or has_own_words, "CS-401", f"{combatant.name}'s {name} is not loaded", steps_left),
    )


def _leaves_windlass_on(combatant: Combatant, thing: Item) -> bool:
    """Whether cocking leaves a built-in windlass on the string."""
    return archery.cycle_of(combatant, thing, tool=False).disengage > 0


def empty_crossbow(state: FightState, blow: Blow) -> Events:
    """CS-401: the event that a crossbow is empty and uncocked after a shot."""
    combatant = state.combatants[blow.attacker]
    if blow.kind != MISSILE or not archery.is_crossbow(item_of(combatant, blow.weapon)):
        return ()
    return queries.set_traits(combatant, crossbow=archery.SPENT, crossbow_tool=False)


# Work


def finish_crossbow_action(state: FightState, combatant_id: str) -> Events:
    """The events of a finished Action on a weapon: cocked, loaded, strung. A tool stays on if it is aborted (G-127)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    action = action_of(combatant)
    if action.state == ABORTED:
        return _keep_tool(combatant, action)
    if action.kind == SHOOT and action.state in (DONE, FAILED):
        return _set_strung(combatant, action)
    return (*_set_strung(combatant, action), *_apply_steps(combatant, action))


def _keep_tool(combatant: Combatant, action: Action) -> Events:
    qa_done = action.done
    for piece in action.components:
        qa_done -= piece.qa
        if piece.key == archery.ATTACH and qa_done >= 0:
            return queries.set_traits(combatant, crossbow_tool=True)
    return ()


def _has_failed(action: Action) -> bool:
    """Whether the check that it depends on has failed, or was not made."""
    return action.state == FAILED or (action.state == LOST and action.dv is not None)


def _set_strung(combatant: Combatant, action: Action) -> Events:
    keys = archery.keys_of(action.components)
    is_done = action.kind == SHOOT or not _has_failed(action)
    return queries.set_traits(combatant, unstrung=False) if STRING_BOW in keys and is_done else ()


def _apply_steps(combatant: Combatant, action: Action) -> Events:
    """The steps one after the other, up to a cocking that fails."""
    thing = archery.crossbow_of(combatant, action.weapon)
    if thing is None:
        return ()
    traits: dict[str, Scalar] = {}
    for piece in action.components:
        if piece.key == archery.COCK and _has_failed(action):
            break
        traits.update(_step(combatant, thing, piece.key, traits))
    return queries.set_traits(combatant, **traits)


def _step(combatant: Combatant, thing: Item, key: str, before: dict[str, Scalar]) -> dict[str, Scalar]:
    if key == archery.ATTACH:
        return {"crossbow_tool": True}
    if key == archery.COCK:
        wound = {"crossbow_tool": True} if _leaves_windlass_on(combatant, thing) else {}
        return {"crossbow": archery.COCKED, "crossbow_days": 0, **wound}
    if key in (archery.DISENGAGE, archery.DROP):
        return {"crossbow_tool": False}
    if key == archery.PLACE and before.get("crossbow", archery.state_of(combatant)) == archery.COCKED:
        return {"crossbow": archery.LOADED}
    return {}


def bite_hands(decision: Decision, combatant_id: str) -> None:
    """CS-400: ask for wounds of the hands after a failed try to cock by hand."""
    combatant = decision.state.combatants.get(combatant_id)
    action = None if combatant is None else action_of(combatant)
    if combatant is None or action is None or action.state != FAILED or action.kind == SHOOT:
        return
    keys = archery.keys_of(action.components)
    thing = archery.crossbow_of(combatant, action.weapon)
    by_tool = archery.ATTACH in keys or archery.has_tool_on(combatant)
    if archery.COCK not in keys or thing is None or by_tool or thing.get("builtin") is True:
        return
    prompt = prompt_for(
        combatant, kind=BITTEN_HANDS,
        question=f"{combatant.name} fails to cock it by hand. How many wounds does the string cause?",
        rule="CS-400", choices=choices("none"), default="none", amount="wounds", blocking=False,
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.amount not in (None, ""):
        wound_effects.harm_by_gm(decision, decision.state.combatants[combatant_id], answer.amount or 0)
