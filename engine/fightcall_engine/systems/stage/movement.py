"""Walking and sneaking in Move (SB-46, 47, 71, 72), and creeping in Meeting (SB-42, 43)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import facing_after
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import RulingWanted
from fightcall_engine.model.events import Moved
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.stage import commands, events, records, sneaking
from fightcall_engine.systems.stage.records import figure_of, scene_of, turn_checks
from fightcall_engine.systems.stage.walking import (
    PRICE_RULES,
    QUIET,
    WALK,
    Walk,
    affordable_check,
    apply_arrival,
    check_cover,
    creep_price,
    feet_of,
    move_checks,
    plan,
    spend,
)


@handles(Move, commands.Sneak)
def move(decision: Decision, command: Move | commands.Sneak) -> None:
    """Walk or sneak in Move (SB-46, 47, 71, 72)."""
    before = decision.state
    combatant = decision.combatant(command.who)
    quiet = isinstance(command, commands.Sneak)
    mode = QUIET if quiet else WALK
    check_cover(command.cover)
    decision.require(*move_checks(before, combatant, mode))
    if isinstance(command, commands.Sneak):
        decision.require(sneaking.no_bonus_check(command.modifier))
    walk = plan(decision, combatant, command, mode)
    decision.require(affordable_check(combatant, walk.price, PRICE_RULES[mode]))
    _walk(decision, combatant, walk, quiet=quiet)
    decision.emit(spend(combatant, walk.price, f"{'sneak' if quiet else 'move'} {walk.hexes}"))
    if isinstance(command, commands.Sneak):
        decision.emit(events.SneakBegan(who=combatant.id, before=figure_of(combatant).sneaking))
        _keep_bonus(decision, combatant, command.modifier)
    else:
        sneaking.reveal_in_view(decision, combatant.id)
    apply_arrival(decision, before, combatant, walk, command.cover)


def _walk(decision: Decision, combatant: Combatant, walk: Walk, *, quiet: bool) -> None:
    decision.emit(
        Moved(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(decision.state, walk.hexes),
            path=walk.path,
            facing=facing_after(decision.state, combatant, walk.path),
            quiet=quiet,
        )
    )


def _keep_bonus(decision: Decision, combatant: Combatant, modifier: int) -> None:
    """Keep a bonus that the GM has forced against SB-62 until the sneak roll."""
    if modifier:
        decision.set_traits(combatant.id, sneak_bonus=modifier)


def creeper_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-42: a figure can creep if it is of the party, undetected, standing and not stopped."""
    record = figure_of(combatant)
    return (
        Check(combatant.side == records.PARTY, "SB-42", "only the party can creep in Meeting", ("a GM ruling",)),
        Check(combatant.hidden, "SB-42", f"{combatant.name} isn't hidden", (RulingWanted("hidden"),)),
        Check(not record.plain_view, "SB-57", f"{combatant.name} is in plain view", ("plain_view false",)),
        Check(record.posture != "prone", "SB-76", f"{combatant.name} is prone", ("Move: rise",)),
        Check(not record.halted, "SB-47", f"{combatant.name} was stopped by contact", ("the Move phase",)),
        Check(records.beats(combatant).max > 0, "SB-42", f"{combatant.name} has no beats", ("a ruling",)),
    )


def creep_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-42: figures creep in Meeting, for beats of this Moment (Q-S7)."""
    is_untested = any(prompt.kind == "sneak" and prompt.who == combatant.id for prompt in state.prompts)
    return turn_checks(
        state,
        combatant,
        ("meeting",),
        "SB-42",
        "creeping",
        Check(
            not is_untested,
            "SB-42",
            f"{combatant.name}'s last creep still needs a sneak roll",
            ("answer the open question",),
        ),
        *creeper_checks(combatant),
    )


def creep(decision: Decision, command: commands.Creep) -> None:
    """Creep in Meeting: 2 beats a hex, with a sneak roll at once (SB-42)."""
    before = decision.state
    combatant = decision.combatant(command.who)
    decision.require(*creep_checks(before, combatant), sneaking.no_bonus_check(command.modifier))
    walk = plan(decision, combatant, command, QUIET)
    price = creep_price(decision.state, walk.price)
    decision.require(affordable_check(combatant, price, "SB-42"))
    _walk(decision, combatant, walk, quiet=True)
    decision.emit(spend(combatant, price, f"creep {walk.hexes}"))
    decision.set_facts(crept=tuple(dict.fromkeys((*scene_of(before).crept, combatant.id))))
    apply_arrival(decision, before, combatant, walk)
    if decision.dice.has_throw("sneak"):
        sneaking.roll(decision, combatant.id, records.sneak_dar(combatant), command.modifier)
    else:
        _keep_bonus(decision, combatant, command.modifier)
        sneaking.ask_roll(decision, combatant.id)
