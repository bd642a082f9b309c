"""Bows and crossbows made ready: what a shot needs, what work on them leaves (CS-255, CS-395..403)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices
from fightcall_engine.kit.views import Badge
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Scalar
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.action import Action
from fightcall_engine.systems.segments.declaration.pieces import STRING_BOW, component, pieces_in
from fightcall_engine.systems.segments.harm import hurting
from fightcall_engine.systems.segments.movement import placing
from fightcall_engine.systems.segments.objects import holding
from fightcall_engine.systems.segments.shooting import crossbow_steps as steps
from fightcall_engine.systems.segments.strikes.blows import MISSILE, Blow, item_of
from fightcall_engine.systems.segments.strikes.uses_kept import Item

BITTEN = "bitten"
"""The kind of the offer to wound hands that the string has bitten."""

SIDELONG = "sidelong_shot"
"""The type of a shot out of turn."""

# Ready to shoot


def ready_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-401: what shoots is strung, cocked and loaded when the shot is due, or made so in the same Action."""
    thing = holding.item(combatant, action.weapon)
    if action.kind != act.SHOOT or thing is None:
        return ()
    if steps.is_crossbow(thing):
        return _crossbow_checks(combatant, action, thing)
    strung = fg.trait(combatant, "unstrung") is not True or STRING_BOW in steps.keys_in(
        tuple(action.components.split())
    )
    return (Check(strung or not steps.is_bow(thing), "CS-255", f"{combatant.name}'s bow is not strung", (STRING_BOW,)),)


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-397: cocking that takes a check and the shot are two Actions; ready it must be only when it is due."""
    thing = holding.item(combatant, action.weapon)
    if action.kind != act.SHOOT or thing is None or not steps.is_crossbow(thing):
        return ()
    keys = tuple(piece.key for piece in pieces_in(action.components))
    checked = steps.COCK in keys and steps.cocking_dv(combatant, holding.name_of(thing), keys) > 0
    return (Check(not checked, "CS-397", "cocking it takes a STR check: cock it first", (f"a task: {steps.COCK}",)),)


def shot_checks(combatant: Combatant, action: Action, blow: Blow) -> tuple[Check, ...]:
    """CS-255, CS-401: a shot now, in turn or a sidelong one, with what was done for it in its own Action."""
    thing = holding.item(combatant, blow.weapon)
    shot = blow.kind == MISSILE or blow.attack == SIDELONG
    if not shot or thing is None or not holding.is_missile(thing):
        return ()
    done = action.components if blow.in_turn else ""
    return ready_checks(combatant, Action(kind=act.SHOOT, weapon=blow.weapon, components=done))


def _crossbow_checks(combatant: Combatant, action: Action, thing: Item) -> tuple[Check, ...]:
    found = pieces_in(action.components)
    keys = tuple(piece.key for piece in found)
    # What the GM calls by words of his own may stand for any of the steps (CS-131).
    own = any(component(key) is None and key not in steps.STEPS for key in keys)
    state, name = steps.state_of(combatant), holding.name_of(thing)
    cocks = steps.COCK in keys
    hooked = steps.tool_on(combatant) or steps.ATTACH in keys or (cocks and _winds(combatant, thing))
    off = not hooked or steps.DISENGAGE in keys or steps.DROP in keys
    loaded = steps.PLACE in keys or (state in (steps.UNKNOWN, steps.LOADED) and not cocks)
    left = (" ".join(steps.steps_left(combatant, thing)),)
    return (
        Check(cocks or own or state != steps.SPENT, "CS-255", f"{combatant.name}'s {name} is not cocked", left),
        Check(off, "CS-401", f"the tool is still on {combatant.name}'s {name}", (steps.DISENGAGE, steps.DROP)),
        Check(loaded or own, "CS-401", f"{combatant.name}'s {name} is not loaded", left),
    )


def _winds(combatant: Combatant, thing: Item) -> bool:
    """True where cocking leaves a built-in windlass on the string."""
    return steps.cycle_of(combatant, thing, tool=False).disengage > 0


def empty_crossbow(state: FightState, blow: Blow) -> ev.Events:
    """CS-401: a crossbow that has been shot is to be cocked and loaded again."""
    combatant = state.combatants[blow.attacker]
    if blow.kind != MISSILE or not steps.is_crossbow(item_of(combatant, blow.weapon)):
        return ()
    return fg.set_traits(combatant, crossbow=steps.SPENT, crossbow_tool=False)


# Work on it


def finish_crossbow_action(state: FightState, combatant_id: str) -> ev.Events:
    """What an Action that is over leaves: cocked, loaded, strung; given up, a tool that was on stays on (G-127)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    action = act.action_of(combatant)
    if action.state == act.ABORTED:
        return _keep_tool(combatant, action)
    if action.kind == act.SHOOT and action.state in (act.DONE, act.FAILED):
        return _strung(combatant, action)
    return (*_strung(combatant, action), *_apply_steps(combatant, action), *_bites(combatant, action))


def _keep_tool(combatant: Combatant, action: Action) -> ev.Events:
    done = action.done
    for piece in pieces_in(action.components):
        done -= piece.qa
        if piece.key == steps.ATTACH and done >= 0:
            return fg.set_traits(combatant, crossbow_tool=True)
    return ()


def _has_failed(action: Action) -> bool:
    """True where the check that it hangs on was failed, or nobody has made it."""
    return action.state == act.FAILED or (action.state == act.LOST and action.dv is not None)


def _strung(combatant: Combatant, action: Action) -> ev.Events:
    keys = steps.keys_in(tuple(action.components.split()))
    done = action.kind == act.SHOOT or not _has_failed(action)
    return fg.set_traits(combatant, unstrung=False) if STRING_BOW in keys and done else ()


def _apply_steps(combatant: Combatant, action: Action) -> ev.Events:
    """The steps one after the other; behind a cocking that fails nothing more is done."""
    thing = steps.crossbow_of(combatant, action.weapon)
    if thing is None:
        return ()
    changed: dict[str, Scalar] = {}
    for piece in pieces_in(action.components):
        if piece.key == steps.COCK and _has_failed(action):
            break
        changed.update(_step(combatant, thing, piece.key, changed))
    return fg.set_traits(combatant, **changed)


def _step(combatant: Combatant, thing: Item, key: str, before: dict[str, Scalar]) -> dict[str, Scalar]:
    if key == steps.ATTACH:
        return {"crossbow_tool": True}
    if key == steps.COCK:
        wound = {"crossbow_tool": True} if _winds(combatant, thing) else {}
        return {"crossbow": steps.COCKED, "crossbow_days": 0, **wound}
    if key in (steps.DISENGAGE, steps.DROP):
        return {"crossbow_tool": False}
    if key == steps.PLACE and before.get("crossbow", steps.state_of(combatant)) == steps.COCKED:
        return {"crossbow": steps.LOADED}
    return {}


def _bites(combatant: Combatant, action: Action) -> ev.Events:
    """CS-400: a try by hand that fails may injure the hands, by the GM's word."""
    keys = steps.keys_in(tuple(action.components.split()))
    thing = steps.crossbow_of(combatant, action.weapon)
    if action.state != act.FAILED or steps.COCK not in keys or thing is None:
        return ()
    if steps.ATTACH in keys or steps.tool_on(combatant) or thing.get("builtin") is True:
        return ()
    prompt = Prompt(
        id="",
        kind=BITTEN,
        question=f"{combatant.name} fails to cock it by hand. Has the string bitten the hands: how many wounds?",
        rule="CS-400",
        choices=choices("none"),
        default="none",
        who=combatant.id,
        side=combatant.side,
        amount="wounds",
        blocking=False,
    )
    return (ev.RulingAsked(prompt=prompt),)


def answer_bitten(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """CS-400: wounds of the hands."""
    state, dice = decision.state, decision.dice
    combatant = state.combatants.get(prompt.who)
    if combatant is None or given.amount in (None, ""):
        return ()
    return hurting.by_hand(state, combatant, given.amount or 0, dice)


# How it is shown


def badges(combatant: Combatant) -> tuple[Badge, ...]:
    """CS-255, CS-256: how far a crossbow is, and a bow that is not strung."""
    found = []
    state = steps.state_of(combatant)
    if steps.crossbow_of(combatant) is not None and state != steps.UNKNOWN:
        tool = ", tool on" if steps.tool_on(combatant) else ""
        said = "uncocked" if state == steps.SPENT else state
        found.append(Badge(f"{said}{tool}", "good" if state == steps.LOADED and not tool else "plain"))
    if fg.trait(combatant, "unstrung") is True and any(steps.is_bow(thing) for thing in holding.items(combatant)):
        found.append(Badge("unstrung", "plain"))
    return tuple(found)


def crossbow_json(combatant: Combatant) -> Json:
    """A crossbow in the protocol (rules digest, section 2.1); None where nothing is known of one."""
    state = steps.state_of(combatant)
    if steps.crossbow_of(combatant) is None or state == steps.UNKNOWN:
        return None
    return {
        "cocked": state in (steps.COCKED, steps.LOADED),
        "loaded": state == steps.LOADED,
        "tool": "attached" if steps.tool_on(combatant) else "none",
        "cocked_days": steps.stale_days(combatant),
    }


def reminders(state: FightState) -> tuple[str, ...]:
    """CS-256, CS-403: who is strung and cocked as a scene begins; what a crossbow is bad for."""
    if not fg.kind_of(state):
        shooters = [
            combatant.name for combatant in fg.able(state) if any(map(_needs_readying, holding.items(combatant)))
        ]
        return (f"Strung, cocked, for how many days? {', '.join(shooters[:4])}",) if shooters else ()
    combatant = fg.actor(state)
    if combatant is None or fg.kind_of(state) != fg.DECLARE:
        return ()
    action = act.action_of(combatant)
    thing = holding.item(combatant, action.weapon) if action.is_open and action.kind == act.SHOOT else None
    joined = any(
        state.opposed(combatant.id, foe.id) and placing.is_engaged(state, combatant, foe) for foe in fg.able(state)
    )
    if thing is None or not steps.is_crossbow(thing) or not (joined or _in_the_way(state, action)):
        return ()
    return ("A crossbow, now that melee is joined: a friend may be in the way, and it is slow to reload",)


def _in_the_way(state: FightState, action: Action) -> bool:
    """True where a target is in melee with somebody."""
    targets = act.targets_of(state, action)
    return any(
        state.opposed(combatant.id, target.id) and placing.is_engaged(state, combatant, target)
        for target in targets
        for combatant in fg.able(state)
        if combatant.id != target.id
    )


def _needs_readying(thing: Item) -> bool:
    return steps.is_crossbow(thing) or steps.is_bow(thing)
