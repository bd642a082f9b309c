"""Going on under other rules: those of another version of the game's file.

What the new rules don't know is dropped, and every open question is closed, because its function belongs to the old
rules. Everything else stays: places, harm, conditions, the steps of the running round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.cues import Proposed, proposal_of
from fightcall_engine.kit.plugins import read_rules, system_of
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.commands import ChangeRules, Join
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import CueDropped, Events, RulesChanged
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import CUE, Combatant, Cue, FightState, Interruption, Json, Pool, Prompt, Propose
from fightcall_engine.play.cues import command_named, command_of, names_of_joiners, problems_of

if TYPE_CHECKING:
    from fightcall_engine.kit.decision import Situation
    from fightcall_engine.kit.system import BaseSystem

Pools = Mapping[str, Pool]

RULES = "rules"
"""The rule named when a change of the rules is refused."""


def change_rules(system: BaseSystem, situation: Situation, command: ChangeRules) -> Events:
    """Return the events by which a fight goes on under the rules of a text.

    Raises:
        Refused: the fight is not one of a game in a file, or the text is that of another game.
        BadInput: naming each mistake in the text with its line.
    """
    state = situation.state
    if not state.rules_text:
        message = f"the rules of {system.title} aren't in a file"
        raise Refused(RULES, message, ("a fight under a game in a file",), final=True)
    if command.text == state.rules_text:
        raise Refused(RULES, "the fight has these rules already", ("change the file first",), final=True)
    rules = read_rules(command.text, state.system)
    if rules.id != state.system:
        raise Refused(RULES, f"these are the rules of {rules.title}", (f"those of {state.system}",), final=True)
    people = {**{key: each.combatant for key, each in state.departed.items()}, **state.combatants}
    sheets = {key: _sheet_under(system, rules, state, combatant) for key, combatant in people.items()}
    pools = {key: _pools_under(system, rules, state, each, sheets[key]) for key, each in people.items()}
    before = (*(each.pools for each in people.values()), *state.side_pools.values())
    side_pools = _side_pools_under(rules, state)
    after = (*pools.values(), *side_pools.values())
    known = {pool for each in after for pool in each}
    lost = dict.fromkeys(pool for each in before for pool in each if pool not in known)
    text = f"The GM changed the rules ({rules.title})" + (f"; dropped: {', '.join(lost)}" if lost else "")
    changed = RulesChanged(rules_text=command.text, text=text, sheets=sheets, pools=pools, side_pools=side_pools)
    now = evolve(state, changed)
    dropped = (CueDropped(cue=cue.id, name=cue.name) for cue in _lost_cues(state, now))
    closed = (prompt for prompt in state.prompts if prompt.kind != CUE or not _can_be_proposed(now, prompt))
    return (changed, *record_moot(closed, "the rules have changed since this was asked: give the act again"), *dropped)


def _sheet_under(system: BaseSystem, rules: BaseSystem, state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """A combatant's sheet with the fields of the new rules.

    What was as by default under the old rules, and what the new ones don't accept, is as they have it by default.
    """
    defaults = system.check_sheet({}, combatant.name, state.settings)
    accepted: dict[str, Json] = {}
    for name, value in combatant.sheet.items():
        if value == defaults.get(name):
            continue
        try:
            rules.check_sheet({**accepted, name: value}, combatant.name, state.settings)
        except BadInput:
            continue
        accepted[name] = value
    return rules.check_sheet(accepted, combatant.name, state.settings)


def _pools_under(
    system: BaseSystem, rules: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json]
) -> Pools:
    """A combatant's pools under these rules: with what it has lost of each, and full ones that it did not have."""
    join = Join(name=combatant.name, side=combatant.side)
    old = system.starting_pools(state.settings, join, combatant.sheet)
    new = rules.starting_pools(state.settings, join, sheet)
    return {name: _pool_under(old.get(name), pool, combatant.pools.get(name)) for name, pool in new.items()}


def _pool_under(old: Pool | None, new: Pool, pool: Pool | None) -> Pool:
    """A pool under new rules, by what it begins with under the old and the new ones."""
    if pool is None:
        return new
    if old == new:
        return pool
    least = min(pool.now, 1)
    return Pool(max(least, new.max - (pool.max - pool.now)), new.max)


def _side_pools_under(rules: BaseSystem, state: FightState) -> Mapping[str, Pools]:
    """The pools that sides share under these rules."""
    return {
        side: {name: state.side_pools.get(side, {}).get(name, pool) for name, pool in pools.items()}
        for side, pools in rules.starting_side_pools(state.settings).items()
    }


def _can_be_proposed(now: FightState, prompt: Prompt) -> bool:
    """Whether a cue's question proposes nothing that the new rules don't know."""
    proposal = prompt.resume
    if not isinstance(proposal, Proposed):
        return True
    try:
        command_named(now, proposal.command, proposal.fields)
    except (Refused, BadInput):
        return False
    return True


def _lost_cues(before: FightState, now: FightState) -> Iterator[Cue]:
    """The cues that would propose what the new rules don't know, or that can't come true under them."""
    joiners = names_of_joiners(now.cues)
    for cue in now.cues:
        try:
            if isinstance(cue.then, Propose | Interruption):
                command_of(now, proposal_of(cue.then))
        except (Refused, BadInput):
            yield cue
            continue
        could, can = (not problems_of(system_of(each), each, cue, joiners) for each in (before, now))
        if could and not can:
            yield cue
