"""Effects of a hit: its POT, wounds, and falling (CS-447, CS-477, CS-530, CS-545)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.events import DamageApplied, Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.combat import potence, presence_attacks, weapon_holds
from fightcall_engine.systems.segments.injury import blow_effects, wound_effects
from fightcall_engine.systems.segments.injury.blow_effects import Force
from fightcall_engine.systems.segments.rules.armour import Layer, shield_layer
from fightcall_engine.systems.segments.state import harm_events, health, items, queries, worn_armour
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of, type_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedBlow, AskedOf, HeldBlow
from fightcall_engine.systems.segments.state.scores import strength_of

HARM_PROMPT = "harm"
"""The kind of the question for wounds by dice that could not be rolled at once."""

POT = "pot"
"""The kind of the question for an unknown POT (CS-545)."""


# Applying a hit


def apply_hit(decision: Decision, blow: Blow, dice: Dice | None) -> None:
    """Apply a hit: its POT, or wounds by GM ruling; some types of attack do no damage.

    Args:
        decision: the decision.
        blow: the attack that has hit.
        dice: None if dice cannot be rolled now; those for wounds are asked for then.
    """
    combatant, target = people_of(decision.state, blow)
    kind = type_of(decision.state, blow)
    if kind.pot != "none" or blow.pot is not None or blow.harm:
        _apply_harm(decision, blow, combatant, target, dice)
    else:
        presence_attacks.judge_words(decision, blow, 0)
    if kind.fells:
        _check_fall(decision, blow)
    if kind.does:
        weapon_holds.apply_to_weapon(decision, blow)


def apply_line(decision: Decision, blow: Blow, force: Force) -> None:
    """CS-446: apply a line that a combatant runs into: its force, and whether it brings them down."""
    combatant, target = people_of(decision.state, blow)
    if force.pot:
        blow_effects.apply_blow(decision, force, target.id, combatant.id, feet_by_gm=0)
    _check_fall(decision, blow)


def _check_fall(decision: Decision, blow: Blow) -> None:
    """CS-447: ask whether the target falls, unless it goes down anyway with its last wound (CS-624)."""
    if decision.state.combatants[blow.target].pool(queries.HP).now:
        decision.emit(*fall_question(decision.state, blow))


def _apply_harm(decision: Decision, blow: Blow, combatant: Combatant, target: Combatant, dice: Dice | None) -> None:
    if blow.harm:
        _apply_harm_by_hand(decision, blow, combatant, target, dice)
        return
    force = potence.force_of(decision.state, blow)
    if force is None:
        decision.offer(_pot_prompt(combatant, target, blow))
        return
    shields = shield_in_way(decision.state, blow)
    through = blow_effects.apply_blow(decision, force, target.id, combatant.id, barrier=blow.barrier, shields=shields)
    presence_attacks.judge_words(decision, blow, through)


def shield_in_way(state: FightState, blow: Blow) -> tuple[Layer, ...]:
    """CS-597, A-52: the shield in the way: one that failed to Block, or as the GM says."""
    target = state.combatants[blow.target]
    shields = [name for name in blow.met_with if (thing := items.item_named(target, name)) and items.is_shield(thing)]
    return shield_layer(
        worn_armour.shield_of(target, shields[0] if shields else ""),
        failed_block=bool(shields) and not blow.ranged,
        in_way_by_gm=blow.shield,
    )


# Harm by the GM's word


def _apply_harm_by_hand(
    decision: Decision, blow: Blow, combatant: Combatant, target: Combatant, dice: Dice | None
) -> None:
    """Wounds by GM ruling, a number or dice."""
    if blow.harm.strip().isdecimal():
        wounds = int(blow.harm)
        if wounds:
            decision.emit(harm(decision.state, target.id, wounds, queries.HP, combatant.id))
        presence_attacks.judge_words(decision, blow, _points_through(decision.state, target, decision.events))
    elif dice is not None:
        wound_effects.harm_by_gm(decision, target, blow.harm, combatant.id)
        presence_attacks.judge_words(decision, blow, _points_through(decision.state, target, decision.events))
    else:
        decision.offer(_prompt(combatant, target, blow))


def _points_through(state: FightState, target: Combatant, new_events: Events) -> int | None:
    """Body Points lost by GM ruling, perhaps 0; None for wounds, which do not measure POT."""
    points = next((event.amount for event in reversed(new_events) if isinstance(event, DamageApplied)), 0)
    return points if health.body_points(state, target) is not None or not points else None


def _prompt(combatant: Combatant, target: Combatant, blow: Blow) -> Prompt:
    return prompt_for(
        combatant,
        kind=HARM_PROMPT,
        question=f"{combatant.name} hits {target.name}: how many wounds?",
        rule="CS-601",
        choices=choices(f"roll:roll {blow.harm}", "none:none"),
        default="roll",
        dice=blow.harm,
        purpose=HARM_PROMPT,
        amount="wounds",
        blocking=False,
        resume=AskedBlow(blow=blow),
    )


@answers(HARM_PROMPT)
def answer_harm(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Apply the harm that the GM has given."""
    state = decision.state
    blow = resume_of(prompt, AskedBlow).blow
    target = state.combatants.get(blow.target)
    amount = blow.harm if answer.choice == "roll" else answer.amount
    if target is None or answer.choice == "none" or amount in (None, ""):
        return
    wound_effects.harm_by_gm(decision, target, amount, prompt.who)
    presence_attacks.judge_words(decision, blow, _points_through(decision.state, target, decision.events))


def _pot_prompt(combatant: Combatant, target: Combatant, blow: Blow) -> Prompt:
    return prompt_for(
        combatant,
        kind=POT,
        question=f"{combatant.name} hits {target.name} with {blow.weapon}: what is its POT?",
        rule="CS-545",
        choices=choices("none:it does nothing"),
        amount="POT",
        resume=AskedBlow(blow=blow),
    )


@answers(POT)
def answer_pot(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-545: apply the hit with the missing POT."""
    dice = decision.dice
    if answer.choice == "none":
        return
    blow = resume_of(prompt, AskedBlow).blow
    apply_hit(decision, replace(blow, pot=blow_effects.parse_pot(answer.amount)), dice)


MISMATCH, FALL = "mismatch", "fall"
"""The kinds of questions: size against size before the roll, and whether a hit brings a combatant down."""

BOUNCES, ROLL = "bounces", "roll"

FALLS, STAYS = "falls", "stays"


# Bringing a combatant down by hand or foot: a trip, a shove, a clothesline

MismatchAnswer = Callable[[Decision, HeldBlow, Answer], None]

MISMATCH_ANSWERS: dict[str, MismatchAnswer] = {}
"""What follows the answer to a question of size, by type of attack; modules register theirs."""


def on_mismatch_answer(attack: str) -> Callable[[MismatchAnswer], MismatchAnswer]:
    """Register a function in `MISMATCH_ANSWERS`."""

    def register(answer: MismatchAnswer) -> MismatchAnswer:
        MISMATCH_ANSWERS[attack] = answer
        return answer

    return register


def format_weight(state: FightState, combatant: Combatant) -> str:
    """STR and modified STA together, the weight of a body (CS-447, CS-464), in words."""
    return f"{float(strength_of(state, combatant).total + profile_of(combatant).msta):g}"


def mismatch_prompt(state: FightState, rule: str, held_blow: HeldBlow) -> Prompt:
    """CS-447, CS-466: the question whether an attack on a much larger foe is hopeless."""
    combatant, target = people_of(state, held_blow.blow)
    sizes = f"STR and STA {format_weight(state, combatant)} against {format_weight(state, target)}"
    return prompt_for(
        combatant,
        kind=MISMATCH,
        question=f"{combatant.name} runs into {target.name} like a wall ({sizes}). Roll anyway?",
        rule=rule,
        choices=choices(f"{ROLL}:roll anyway", f"{BOUNCES}:bounces off"),
        default=ROLL,
        resume=held_blow,
    )


@answers(MISMATCH)
def answer_mismatch(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-447, CS-466: go on as the GM rules."""
    held_blow = resume_of(prompt, HeldBlow)
    outcome = MISMATCH_ANSWERS.get(held_blow.blow.attack)
    if outcome is not None:
        outcome(decision, held_blow, answer)


# Falling


def fall_question(state: FightState, blow: Blow) -> Events:
    """CS-447: ask whether the target of a trip, shove or clothesline falls, with both weights."""
    combatant, target = people_of(state, blow)
    if not target.able or fighter_of(target).posture == queries.PRONE:
        return ()
    prompt = prompt_for(
        target,
        kind=FALL,
        question=(
            f"{target.name} is hit by {combatant.name}'s {blow.attack.replace('_', ' ')}: STR and STA"
            f" {format_weight(state, combatant)} against {format_weight(state, target)}. Does {target.name} go down?"
        ),
        rule="CS-447",
        choices=choices(f"{FALLS}:falls", f"{STAYS}:keeps standing"),
        default=FALLS,
        resume=AskedOf(other=combatant.id),
    )
    return (RulingAsked(prompt=prompt),)


@answers(FALL)
def answer_fall(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-447: the target falls, or stands."""
    state = decision.state
    if answer.choice == FALLS:
        decision.emit(*fall_events(state.combatants[prompt.who]))


def fall_events(combatant: Combatant) -> Events:
    """The events of a fall; none for a combatant who is lying."""
    if not combatant.able or fighter_of(combatant).posture == queries.PRONE:
        return ()
    return (harm_events.Fell(who=combatant.id, traits={"posture": queries.PRONE}, posture=queries.PRONE),)
