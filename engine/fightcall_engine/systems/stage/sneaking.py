"""Sneaking (SB-56..64): the roll at the end of Move, or at once after a creep in Meeting."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.kit.rulings import record_ruling
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Hid
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import events, records
from fightcall_engine.systems.stage.records import figure_of, settings_of

CAUSES = ("noise", "scent", "instinct", "other")


def sneakers(state: FightState) -> tuple[str, ...]:
    """The ids of those who have sneaked in this Move and have yet to roll."""
    people = state.combatants.values()
    return tuple(combatant.id for combatant in people if combatant.able and figure_of(combatant).sneaking)


def no_bonus_check(modifier: int) -> Check:
    """SB-62: nothing but Skullduggery makes sneaking easier."""
    return Check(modifier == 0, "SB-62", "only Skullduggery improves a sneak roll", ("modifier 0",))


def _roll_prompt(state: FightState, combatant_id: str) -> Prompt:
    """SB-58: the question how a sneak is decided. Skullduggery with armour offers relief from DAR (SB-64)."""
    combatant = state.combatants[combatant_id]
    dar, target = records.sneak_dar(combatant), records.sneak_target(combatant, settings_of(state))
    bonus = figure_of(combatant).sneak_bonus
    answers = ["yes:roll"]
    if sheet_int(combatant, "skullduggery") is not None and dar > 0:
        answers += ["half:roll with half the DAR", "bare:roll without the DAR"]
    less = f" {-bonus:+d}" if bonus else ""
    skill = "Skullduggery" if records.sneaks_by_skill(combatant, settings_of(state)) else "Agility"
    return prompt_for(
        combatant,
        kind="sneak",
        question=f"{combatant.name} sneaked. Roll d20 + {dar} (DAR){less}, {target} or less ({skill})?",
        rule="SB-58",
        choices=choices(*answers, "no:no roll, stays hidden"),
        default="yes",
        dice="d20",
        purpose="sneak",
    )


def ask_roll(decision: Decision, combatant_id: str) -> None:
    """SB-58: ask how a sneak is decided, by a roll with or without relief, or by the GM, and apply it.

    Nothing is rolled for a combatant who is down by then.
    """
    prompt = _roll_prompt(decision.state, combatant_id)
    answer = decision.ask(prompt)
    if answer is None:
        return
    decision.require(no_bonus_check(answer.modifier))
    combatant = decision.combatant(combatant_id)
    if answer.amount is not None and (not isinstance(answer.amount, int) or answer.choice == "no"):
        raise Refused(
            "dice", f"{answer.amount!r} isn't a result of {prompt.dice}", ("a face, with a roll",), final=True
        )
    if not combatant.able:
        decision.set_traits(combatant.id, sneaking=False)
        return
    if answer.choice == "no":
        decision.set_traits(combatant.id, sneaking=False)
        _hide(decision, combatant.id)
        return
    dar = records.sneak_dar(combatant)
    if answer.choice in ("half", "bare"):
        reduced_dar = dar // 2 if answer.choice == "half" else 0
        decision.emit(
            record_ruling("SB-64", f"{combatant.name}'s DAR when sneaking", f"{reduced_dar} instead of {dar}")
        )
        dar = reduced_dar
    roll(decision, combatant.id, dar, answer.modifier, answer.amount)


def roll(decision: Decision, combatant_id: str, dar: int, bonus: int = 0, face: int | None = None) -> None:
    """SB-59: roll d20 + DAR, at most Agility or Skullduggery (SB-63).

    Args:
        decision: the decision.
        combatant_id: the one who has sneaked.
        dar: added to the die.
        bonus: subtracted from the die, by the GM's word against SB-62.
        face: the die, if it has been typed as an answer.
    """
    combatant = decision.state.combatants[combatant_id]
    target = records.sneak_target(combatant, settings_of(decision.state))
    bonus += figure_of(combatant).sneak_bonus
    die = decision.roll("d20", "sneak", combatant_id, face).total
    has_passed = die + dar - bonus <= target
    before = figure_of(combatant).sneaking
    decision.emit(
        events.SneakChecked(
            who=combatant_id, die=die, dar=dar, bonus=bonus, target=target, passed=has_passed, before=before
        )
    )
    if has_passed:
        _hide(decision, combatant_id)
        return
    decision.emit(Detected(who=combatant_id, cause="failed roll"))
    decision.spawn(_ask_cause, combatant_id)


def _hide(decision: Decision, combatant_id: str) -> None:
    """SB-60: the figure is unheard and unnoticed, but not invisible."""
    if not decision.state.combatants[combatant_id].hidden:
        decision.emit(Hid(who=combatant_id, reason="unnoticed"))


def _ask_cause(decision: Decision, combatant_id: str) -> None:
    """SB-61: ask how a sneak was noticed. The record of the answer keeps the cause; nothing follows."""
    combatant = decision.combatant(combatant_id)
    decision.ask(
        prompt_for(
            combatant,
            kind="noticed",
            question=f"How is {combatant.name} noticed?",
            rule="SB-61",
            choices=choices(*CAUSES),
            default="noise",
            blocking=False,
        )
    )


def reveal_in_view(decision: Decision, combatant_id: str) -> None:
    """SB-60: stepping into view reveals a figure, and its sneak roll is dropped."""
    combatant = decision.state.combatants[combatant_id]
    if not figure_of(combatant).plain_view:
        return
    if combatant.hidden:
        decision.emit(Detected(who=combatant_id, cause="seen"))
    if figure_of(combatant).sneaking:
        decision.set_traits(combatant_id, sneaking=False)
