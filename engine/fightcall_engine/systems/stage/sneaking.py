"""Sneaking (SB-56..64): the roll at the end of Move, or at once after a creep in Meeting."""

from fightcall_engine.kit.prompts import asked, choices
from fightcall_engine.kit.rolls import rolled
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg

CAUSES = ("noise", "scent", "instinct", "other")


def roll_prompt(state: FightState, who: str, context: str) -> Prompt:
    """SB-58: the GM is asked whether a roll is wanted. With Skullduggery and armour, relief is one key (SB-64)."""
    one = state.combatants[who]
    dar, target, bonus = fg.sneak_dar(one), fg.sneak_target(one, state.settings), fg.sneak_bonus(one)
    answers = ["yes:roll"]
    if fg.number(one, "skullduggery") is not None and dar > 0:
        answers += ["half:roll with half the DAR", "bare:roll without the DAR"]
    less = f" {-bonus:+d}" if bonus else ""
    skill = "Skullduggery" if fg.number(one, "skullduggery") is not None else "Agility"
    return Prompt(
        id="",
        kind="sneak",
        question=f"{one.name} sneaked: roll d20 + {dar} (DAR){less}, at most {target} ({skill})?",
        rule="SB-58",
        choices=choices(*answers, "no:no roll, stays hidden"),
        default="yes",
        who=who,
        side=one.side,
        dice="d20",
        purpose="sneak",
        data={"context": context},
    )


def answer_roll(state: FightState, prompt: Prompt, answer: Answer, dice: Dice) -> ev.Events:
    """What the GM's answer to the sneak prompt brings."""
    who = prompt.who
    one = state.combatants[who]
    if answer.choice == "no":
        done = ev.TraitChanged(who=who, trait="sneaking", before=fg.trait(one, "sneaking"), value=False)
        return (done, *_unnoticed(state, who))
    dar = fg.sneak_dar(one)
    happened: list[ev.Event] = []
    if answer.choice in ("half", "bare"):
        relieved = dar // 2 if answer.choice == "half" else 0
        happened.append(
            ev.RulingRecorded(rule="SB-64", question=f"DAR of {one.name} when sneaking", choice=f"{relieved} for {dar}")
        )
        dar = relieved
    return (*happened, *check(state, who, dar, answer.modifier, dice, happened))


def check(state: FightState, who: str, dar: int, extra: int, dice: Dice, earlier: list[ev.Event]) -> ev.Events:
    """SB-59: d20 + DAR must be no higher than Agility, or Skullduggery in its place (SB-63).

    `extra` is a bonus that the GM has forced with this roll (SB-62).
    """
    one = state.combatants[who]
    target = fg.sneak_target(one, state.settings)
    roll = dice.roll("d20", "sneak", who)
    bonus = fg.sneak_bonus(one) + extra
    passed = roll.total + dar - bonus <= target
    happened: list[ev.Event] = [
        rolled(roll, who),
        sev.SneakChecked(
            who=who,
            die=roll.total,
            dar=dar,
            bonus=bonus,
            target=target,
            passed=passed,
            before=fg.trait(one, "sneaking"),
        ),
    ]
    if passed:
        return (*happened, *_unnoticed(state, who))
    happened.append(ev.Detected(who=who, cause="failed roll"))
    happened.append(asked(state, [*earlier, *happened], noticed_prompt(state, who)))
    return tuple(happened)


def _unnoticed(state: FightState, who: str) -> ev.Events:
    """SB-60: unheard and unnoticed, not invisible."""
    return () if state.combatants[who].hidden else (ev.Hid(who=who, reason="unnoticed"),)


def noticed_prompt(state: FightState, who: str) -> Prompt:
    """SB-61: the GM names the cause and who noticed."""
    one = state.combatants[who]
    return Prompt(
        id="",
        kind="noticed",
        question=f"{one.name} is noticed: how?",
        rule="SB-61",
        choices=choices(*CAUSES),
        default="noise",
        who=who,
        side=one.side,
        blocking=False,
    )


def seen_in_the_open(state: FightState, who: str) -> ev.Events:
    """SB-60: stepping into view reveals, whatever was sneaked before; there is nothing left to roll for."""
    one = state.combatants[who]
    if not fg.trait(one, "plain_view"):
        return ()
    happened: list[ev.Event] = [ev.Detected(who=who, cause="seen")] if one.hidden else []
    if fg.trait(one, "sneaking"):
        happened.append(ev.TraitChanged(who=who, trait="sneaking", before=True, value=False))
    return tuple(happened)
