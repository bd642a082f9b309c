"""To stop somebody with an arm or a shoulder: against a much larger foe the GM may rule it hopeless (CS-447)."""

from __future__ import annotations

from fightcall_engine import commands as cm
from fightcall_engine import events as ev
from fightcall_engine.dice import Dice
from fightcall_engine.referee import Referee
from fightcall_engine.state import FightState, Prompt
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments.contests import bodies, felling
from fightcall_engine.systems.segments.objects import holding
from fightcall_engine.systems.segments.strikes import striking
from fightcall_engine.systems.segments.strikes.blows import Blow, blow_of
from fightcall_engine.systems.segments.strikes.striking import Given

SHOVE, CLOTHESLINE = "shove", "clothesline"


@striking.settles(SHOVE)
@striking.settles(CLOTHESLINE)
def stopped(state: FightState, blow: Blow, given: Given, dice: Dice, referee: Referee) -> ev.Events:
    """CS-447: with a limb against twice the size and STR the GM speaks first; a trip fares better, a weapon too."""
    limb = blow.weapon == holding.BARE
    if limb and given.hit is None and bodies.much_larger(state, blow):
        kept = {**striking.data_of(given), **checking.thrown_already(blow.attacker, dice)}
        return (ev.RulingAsked(prompt=felling.mismatch(state, blow, "CS-447", kept)),)
    return striking.struck(state, blow, given, dice, referee)


@felling.bounces(SHOVE)
@felling.bounces(CLOTHESLINE)
def answer_mismatch(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """CS-447: hopeless, or rolled all the same."""
    blow, said = blow_of(prompt.data), striking.given_from(prompt.data)
    if given.choice == felling.BOUNCES:
        return striking.after_roll(state, blow, False, 0, dice)
    checking.keep_dice(prompt, dice)
    return striking.struck(state, blow, said, dice, referee)
