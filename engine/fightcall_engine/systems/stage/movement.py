"""Walking and sneaking in Move (SB-46, 47, 71, 72), and creeping in Meeting (SB-42, 43)."""

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.movement import facing_after
from fightcall_engine.kit.prompts import ask_ruling
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Move
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import sneaking
from fightcall_engine.systems.stage.figures import turn_checks
from fightcall_engine.systems.stage.moment import end_meeting
from fightcall_engine.systems.stage.walking import (
    PRICE_RULES,
    QUIET,
    WALK,
    affordable,
    arrival,
    check_cover,
    creep_price,
    feet_of,
    move_checks,
    plan,
    spend,
)


def decide_move(decision: Decision, command: Move | scm.Sneak) -> ev.Events:
    """Walk or sneak in Move (SB-46, 47, 71, 72)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    mode = QUIET if isinstance(command, scm.Sneak) else WALK
    check_cover(command.cover)
    enforce(move_checks(state, combatant, mode), referee)
    if isinstance(command, scm.Sneak):
        referee.require(command.modifier == 0, "SB-62", "nothing betters a sneak roll but Skullduggery", "modifier 0")
    walk = plan(state, combatant, command, mode, referee)
    enforce((affordable(combatant, walk.price, PRICE_RULES[mode]),), referee)
    caused: list[ev.Event] = [
        ev.Moved(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(state, walk.hexes),
            path=walk.path,
            facing=facing_after(state, combatant, walk.path),
            quiet=mode == QUIET,
        ),
        spend(combatant, walk.price, f"{'sneak' if mode == QUIET else 'move'} {walk.hexes}"),
    ]
    if isinstance(command, scm.Sneak):
        caused.append(sev.SneakBegan(who=combatant.id, before=fg.trait(combatant, "sneaking")))
        caused.extend(_bonus(combatant, command.modifier))
    else:
        caused.extend(sneaking.seen_in_the_open(state, combatant.id))
    return (*caused, *arrival(state, combatant, walk, command.cover))


def _bonus(combatant: Combatant, modifier: int) -> ev.Events:
    """A bonus to the sneak roll that the GM has forced against SB-62 waits for the roll."""
    if not modifier:
        return ()
    return (
        ev.TraitChanged(
            who=combatant.id, trait="sneak_bonus", before=fg.trait(combatant, "sneak_bonus"), value=modifier
        ),
    )


def creep_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-42: Meeting, party only, undetected; the pool is this Moment's (Q-S7)."""
    untested = any(prompt.kind == "sneak" and prompt.who == combatant.id for prompt in state.prompts)
    return turn_checks(
        state,
        combatant,
        ("meeting",),
        "SB-42",
        "creeping",
        Check(not untested, "SB-42", f"{combatant.name}'s last creep is not tested yet", ("answer the open question",)),
        Check(combatant.side == fg.PARTY, "SB-42", "only the party creeps during Meeting", ("a GM ruling",)),
        Check(combatant.hidden, "SB-42", f"{combatant.name} is not undetected", ("a ruling: hidden",)),
        Check(
            not fg.trait(combatant, "plain_view"), "SB-57", f"{combatant.name} is in plain view", ("plain_view false",)
        ),
        Check(fg.text_trait(combatant, "posture") != "prone", "SB-76", f"{combatant.name} is prone", ("Move: rise",)),
        Check(
            not fg.text_trait(combatant, "halted"),
            "SB-47",
            f"{combatant.name} was stopped by contact",
            ("the Move phase",),
        ),
        Check(fg.beats(combatant).max > 0, "SB-42", f"{combatant.name} has no beats at all", ("a ruling",)),
        fg.perception_check(state),
    )


def decide_creep(decision: Decision, command: scm.Creep) -> ev.Events:
    """Creep in Meeting: 2 beats a hex, tested at once (SB-42, SB-43)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(creep_checks(state, combatant), referee)
    referee.require(command.modifier == 0, "SB-62", "nothing betters a sneak roll but Skullduggery", "modifier 0")
    walk = plan(state, combatant, command, QUIET, referee)
    price = creep_price(state, walk.price)
    enforce((affordable(combatant, price, "SB-42"),), referee)
    caused: list[ev.Event] = [
        ev.Moved(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(state, walk.hexes),
            path=walk.path,
            facing=facing_after(state, combatant, walk.path),
            quiet=True,
        ),
        spend(combatant, price, f"creep {walk.hexes}"),
        *arrival(state, combatant, walk),
    ]
    if not dice.given("sneak"):
        caused.extend(_bonus(combatant, command.modifier))
        caused.append(ask_ruling(state, caused, sneaking.roll_prompt(state, combatant.id, "creep")))
        return tuple(caused)
    checked = sneaking.check(state, combatant.id, fg.sneak_dar(combatant), command.modifier, dice, caused)
    caused.extend(checked)
    if any(isinstance(event, ev.Detected) for event in checked):
        caused.extend(end_meeting(state))
    return tuple(caused)
