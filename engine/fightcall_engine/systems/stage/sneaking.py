"""Sneaking (SB-56..64): the roll at the end of Move, or at once after a creep in Meeting."""

from fightcall_engine.kit.prompts import ask_ruling, choices
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg

CAUSES = ("noise", "scent", "instinct", "other")


def roll_prompt(state: FightState, combatant_id: str, context: str) -> Prompt:
    """SB-58: the GM is asked whether a roll is wanted. With Skullduggery and armour, relief is one key (SB-64)."""
    combatant = state.combatants[combatant_id]
    dar, target, bonus = fg.sneak_dar(combatant), fg.sneak_target(combatant, state.settings), fg.sneak_bonus(combatant)
    answers = ["yes:roll"]
    if fg.number(combatant, "skullduggery") is not None and dar > 0:
        answers += ["half:roll with half the DAR", "bare:roll without the DAR"]
    less = f" {-bonus:+d}" if bonus else ""
    skill = "Skullduggery" if fg.number(combatant, "skullduggery") is not None else "Agility"
    return Prompt(
        id="",
        kind="sneak",
        question=f"{combatant.name} sneaked: roll d20 + {dar} (DAR){less}, at most {target} ({skill})?",
        rule="SB-58",
        choices=choices(*answers, "no:no roll, stays hidden"),
        default="yes",
        who=combatant_id,
        side=combatant.side,
        dice="d20",
        purpose="sneak",
        data={"context": context},
    )


def answer_roll(state: FightState, prompt: Prompt, answer: Answer, dice: Dice) -> ev.Events:
    """What the GM's answer to the sneak prompt brings."""
    combatant_id = prompt.who
    combatant = state.combatants[combatant_id]
    if answer.choice == "no":
        done = ev.TraitChanged(who=combatant_id, trait="sneaking", before=fg.trait(combatant, "sneaking"), value=False)
        return (done, *_hide_combatant(state, combatant_id))
    dar = fg.sneak_dar(combatant)
    caused: list[ev.Event] = []
    if answer.choice in ("half", "bare"):
        relieved = dar // 2 if answer.choice == "half" else 0
        caused.append(
            ev.RulingRecorded(
                rule="SB-64", question=f"DAR of {combatant.name} when sneaking", choice=f"{relieved} for {dar}"
            )
        )
        dar = relieved
    return (*caused, *check(state, combatant_id, dar, answer.modifier, dice, caused))


def check(state: FightState, combatant_id: str, dar: int, extra: int, dice: Dice, earlier: list[ev.Event]) -> ev.Events:
    """SB-59: d20 + DAR must be no higher than Agility, or Skullduggery in its place (SB-63).

    `extra` is a bonus that the GM has forced with this roll (SB-62).
    """
    combatant = state.combatants[combatant_id]
    target = fg.sneak_target(combatant, state.settings)
    roll = dice.roll("d20", "sneak", combatant_id)
    bonus = fg.sneak_bonus(combatant) + extra
    passed = roll.total + dar - bonus <= target
    caused: list[ev.Event] = [
        record_roll(roll, combatant_id),
        sev.SneakChecked(
            who=combatant_id,
            die=roll.total,
            dar=dar,
            bonus=bonus,
            target=target,
            passed=passed,
            before=fg.trait(combatant, "sneaking"),
        ),
    ]
    if passed:
        return (*caused, *_hide_combatant(state, combatant_id))
    caused.append(ev.Detected(who=combatant_id, cause="failed roll"))
    caused.append(ask_ruling(state, [*earlier, *caused], noticed_prompt(state, combatant_id)))
    return tuple(caused)


def _hide_combatant(state: FightState, combatant_id: str) -> ev.Events:
    """SB-60: unheard and unnoticed, not invisible."""
    return () if state.combatants[combatant_id].hidden else (ev.Hid(who=combatant_id, reason="unnoticed"),)


def noticed_prompt(state: FightState, combatant_id: str) -> Prompt:
    """SB-61: the GM names the cause and who noticed."""
    combatant = state.combatants[combatant_id]
    return Prompt(
        id="",
        kind="noticed",
        question=f"{combatant.name} is noticed: how?",
        rule="SB-61",
        choices=choices(*CAUSES),
        default="noise",
        who=combatant_id,
        side=combatant.side,
        blocking=False,
    )


def seen_in_the_open(state: FightState, combatant_id: str) -> ev.Events:
    """SB-60: stepping into view reveals, whatever was sneaked before; there is nothing left to roll for."""
    combatant = state.combatants[combatant_id]
    if not fg.trait(combatant, "plain_view"):
        return ()
    caused: list[ev.Event] = [ev.Detected(who=combatant_id, cause="seen")] if combatant.hidden else []
    if fg.trait(combatant, "sneaking"):
        caused.append(ev.TraitChanged(who=combatant_id, trait="sneaking", before=True, value=False))
    return tuple(caused)
