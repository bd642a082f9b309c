"""Consequences of events that need no question: losses, leavers, cover, armour."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import record_moot, renew_questions
from fightcall_engine.model.events import Detected, Downed, Joined, Placed, PoolAdjusted, SettingChanged
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import meeting, movement, records, strikes
from fightcall_engine.systems.stage.records import figure_of, scene_of, settings_of


@reacts_to(Downed)
def count_fallen(decision: Decision, event: Downed) -> None:
    """Count a loss of the side, for morale (SB-38). Nobody who is down finishes a stunt (SB-78)."""
    decision.emit(*strikes.count_loss(decision.state, decision.state.combatants[event.who].side))
    unpaid = (prompt for prompt in decision.state.prompts if (prompt.kind, prompt.who) == ("price", event.who))
    decision.emit(*record_moot(unpaid, f"{event.who} is down"))


@reacts_to(Detected)
def end_sneaking(decision: Decision, event: Detected) -> None:
    """SB-58: drop the sneak roll of anybody who has been noticed."""
    untested = (prompt for prompt in decision.state.prompts if (prompt.kind, prompt.who) == ("sneak", event.who))
    decision.emit(*record_moot(untested, "noticed"))
    if figure_of(decision.state.combatants[event.who]).sneaking:
        decision.set_traits(event.who, sneaking=False)


def clear_leaver(decision: Decision, combatant_id: str) -> None:
    """Remove a leaver from questions, Melee pairs (SB-50) and creepers; free those whom it stopped (SB-47)."""
    before = scene_of(decision.state)
    pairs = tuple(pair for pair in before.melee_pairs if combatant_id not in pair)
    crept = tuple(creeper_id for creeper_id in before.crept if creeper_id != combatant_id)
    decision.emit(*renew_questions(decision.state, f"{combatant_id} has left", _RENEWED))
    decision.set_facts(melee_pairs=pairs, crept=crept)
    halted = (each for each in decision.state.combatants.values() if figure_of(each).halted == combatant_id)
    decision.reset_trait(halted, "halted", "")


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "talks": meeting.renew_talks,
    "perception": lambda state, _: meeting.perception_prompt(state),
}


@reacts_to(Joined)
def take_cover(decision: Decision, event: Joined) -> None:
    """SB-66: give a figure that joins the cover of its place, unless its sheet has one."""
    combatant = decision.state.combatants[event.who]
    if figure_of(combatant).cover == "open":
        decision.emit(*movement.placed_cover_events(decision.state, combatant, None))


@reacts_to(Placed)
def change_cover(decision: Decision, event: Placed) -> None:
    """SB-66: give a figure that is moved by the GM the cover of its new place."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        decision.emit(*movement.placed_cover_events(decision.state, combatant, event.before))


@reacts_to(SettingChanged)
def adjust_beats(decision: Decision, event: SettingChanged) -> None:
    """SB-29: recompute all beats when the setting for armour changes."""
    if event.setting != "armor_beats":
        return
    for combatant in decision.state.combatants.values():
        pool, total = records.beats(combatant), records.total_beats(combatant.sheet, settings_of(decision.state))
        if total != pool.max:
            now = min(pool.now, total)
            reason = "armour (SB-29)"
            decision.emit(
                PoolAdjusted(who=combatant.id, pool="beats", before=pool.now, left=now, max=total, reason=reason)
            )
