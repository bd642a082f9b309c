"""To stop somebody with an arm or a shoulder: against a much larger foe the GM may rule it hopeless (CS-447)."""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.commands import Answer
from fightcall_engine.systems.segments.combat import collisions, hit_effects, knockdowns, strikes
from fightcall_engine.systems.segments.injury.blow_effects import Force
from fightcall_engine.systems.segments.positions import meetings
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import events, items, rolls
from fightcall_engine.systems.segments.state.battle import OPPORTUNITY, Blow, Overrides
from fightcall_engine.systems.segments.state.questions import HeldBlow

SHOVE, CLOTHESLINE, TRIP = "shove", "clothesline", "trip"

LINES = (TRIP, CLOTHESLINE)
"""Attacks that may be prepared as a line: whoever is surprised by one runs into it (CS-446)."""

LINE = "a line"
"""With what who is surprised by a prepared trip or clothesline is hit."""


@strikes.settles_attack(SHOVE)
@strikes.settles_attack(CLOTHESLINE)
def settle_limb_strike(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-447: with a limb against twice the size and STR the GM speaks first; a trip fares better, a weapon too."""
    state, dice = decision.state, decision.dice
    limb = blow.weapon == items.BARE
    if limb and overrides.hit is None and collisions.is_much_larger(state, blow):
        held_blow = HeldBlow(blow=blow, given=overrides, thrown=rolls.thrown_already(blow.attacker, dice))
        decision.ask(knockdowns.mismatch_prompt(state, "CS-447", held_blow))
        return
    strikes.resolve_strike(decision, blow, overrides)


@knockdowns.on_bounce(SHOVE)
@knockdowns.on_bounce(CLOTHESLINE)
def answer_mismatch(decision: Decision, held_blow: HeldBlow, answer: Answer) -> None:
    """CS-447: hopeless, or rolled all the same."""
    if answer.choice == knockdowns.BOUNCES:
        strikes.after_roll(decision, held_blow.blow, False, 0)
        return
    rolls.keep_dice(held_blow.thrown, decision.dice)
    strikes.resolve_strike(decision, held_blow.blow, held_blow.given)


def run_into(decision: Decision, by: str, combatant_id: str, line: str) -> None:
    """CS-444, CS-446: whoever a line surprises runs onto it, as hard as he is fast; whether he falls the GM tells."""
    state = decision.state
    target = state.combatants[combatant_id]
    speed = Part("target's speed in mph", meetings.speed_now(state, target), "CS-444")
    decision.emit(events.Hit(who=by, attacker=by, target=combatant_id, weapon=LINE))
    blow = Blow(by, combatant_id, kind=OPPORTUNITY, weapon=LINE, attack=line)
    hit_effects.apply_line(decision, blow, Force(Sum((speed,)), "blunt"))
