"""Rolling for Surprise: the plotters' roll and each victim's (CS-041 to CS-048, CS-055 to CS-060).

The plotters roll once for all their victims; each victim rolls alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events, RulingAsked
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import surprise_effects
from fightcall_engine.systems.segments.actions.plots import (
    AMBUSH,
    ILLUSION,
    MUTUAL,
    PIT,
    RUSE,
    TRAP,
    AskedPlot,
    Outcome,
    Plot,
    PlotCheck,
    deceiver_skill,
    plot_of,
    plotter_skill,
    victim_sum,
)
from fightcall_engine.systems.segments.combat import tackles
from fightcall_engine.systems.segments.rules.checks import ContestedTie, contest
from fightcall_engine.systems.segments.rules.surprise import (
    UNSURPRISED,
    Surprise,
    ambush_surprise,
    blunder_surprise,
    trap_surprise,
)
from fightcall_engine.systems.segments.state import commands, events, queries, rolls, scores
from fightcall_engine.systems.segments.state.questions import AskedCheck
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

PLOTTERS, CONTESTED, ALONE = "plotters", "surprised", "surprised_alone"
"""What follows a check: the plotters' own, a victim's against theirs, a victim's simple roll."""

RUSED, HOW_FAR = "ruse", "how_far"
"""The kinds of other questions: who falls for a ruse, and how far a victim is surprised."""

# Asking


def ask_first_rolls(state: FightState, plot: Plot) -> Events:
    """Ask the first questions of a Surprise, by its kind."""
    if plot.kind == RUSE:
        return _ask_ruse(state, plot)
    if plot.kind == TRAP and settings_of(state).trap_surprise != "simple_roll":
        return tuple(_ask_caught(state, plot, combatant_id) for combatant_id in plot.victims)
    # There is no plotter for a concealed pit, a chance meeting, or an illusion whose maker is not here.
    if plot.kind in (TRAP, PIT, MUTUAL) or not plot.plotters:
        return tuple(event for combatant_id in plot.victims for event in _ask_victim(state, plot, combatant_id))
    return _ask_plotters(state, plot)


def _ask_plotters(state: FightState, plot: Plot) -> Events:
    """CS-041: ask the first plotter to roll, once for all, against the sharpest victim."""
    leader = state.combatants.get(plot.plotters[0])
    victims = [state.combatants[combatant_id] for combatant_id in plot.victims if combatant_id in state.combatants]
    if leader is None or not victims:
        return ()
    prompt = plotters_prompt(state, plot, leader, victims)
    skill, total = plotter_skill(state, leader, plot)
    av, sharpest = scores.rounded_or_none(total), _sharpest_sense(state, plot, victims)
    parts = () if total is None else rolls.parts_of(total)
    return (rolls.request_check(leader.id, skill, av, sharpest, parts), RulingAsked(prompt=prompt))


def _sharpest_sense(state: FightState, plot: Plot, victims: Sequence[Combatant]) -> int:
    return max(rolls.rounded(victim_sum(state, combatant, plot)) for combatant in victims)


def plotters_prompt(state: FightState, plot: Plot, leader: Combatant, victims: Sequence[Combatant]) -> Prompt:
    """CS-041: the question for the first plotter's roll against the sharpest victim."""
    skill, total = plotter_skill(state, leader, plot)
    av = scores.rounded_or_none(total)
    names = ", ".join(combatant.name for combatant in victims)
    sharpest = _sharpest_sense(state, plot, victims)
    own_skill = skill if av is None else f"{skill} {av}"
    question = f"{leader.name} springs a Surprise on {names}: {own_skill} against Perception {sharpest}"
    check = PlotCheck(then=PLOTTERS, what=skill, av=av, dv=sharpest, plot=plot)
    return rolls.check_prompt(state, leader, "CS-041", check, message=question)


def renew_question(state: FightState, prompt: Prompt) -> Prompt:
    """A question about a Surprise without the names of those who have left."""
    if not isinstance(prompt.resume, PlotCheck | AskedPlot) or prompt.who not in state.combatants:
        return prompt
    plot = plot_of(prompt)
    if prompt.kind == RUSED:
        leader = state.combatants.get(plot.plotters[0]) if plot.plotters else None
        new_events = () if leader is None or leader.name in prompt.question else _ask_ruse(state, plot)
        return next((each.prompt for each in new_events if isinstance(each, RulingAsked)), prompt)
    if _follow_up_of(prompt) != PLOTTERS:
        return prompt
    victims = [state.combatants[combatant_id] for combatant_id in plot.victims if combatant_id in state.combatants]
    return plotters_prompt(state, plot, state.combatants[prompt.who], victims) if victims else prompt


def _ask_victim(state: FightState, plot: Plot, combatant_id: str) -> Events:
    """CS-055: ask for a victim's check; a simple roll without plotters (CS-045, CS-048)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    total = victim_sum(state, combatant, plot)
    av, follow_up = rolls.rounded(total), ALONE if plot.check is None else CONTESTED
    against = f" against DV {plot.dv}" if plot.dv is not None else ""
    question = f"{combatant.name} against the Surprise: AV {av}{against}"
    plot_of_victim = replace(plot, victims=(combatant_id,))
    check = PlotCheck(then=follow_up, what="Perception", av=av, dv=plot.dv, plot=plot_of_victim)
    prompt = rolls.check_prompt(state, combatant, "CS-055", check, message=question)
    return (
        rolls.request_check(combatant.id, "Perception", av, plot.dv, rolls.parts_of(total)),
        RulingAsked(prompt=prompt),
    )


def _ask_caught(state: FightState, plot: Plot, combatant_id: str) -> Event:
    """CS-043, A-18: ask how far a mechanical trap surprises; it needs no roll."""
    combatant = state.combatants[combatant_id]
    return RulingAsked(
        prompt=prompt_for(
            combatant,
            kind=HOW_FAR,
            question=f"The trap surprises {combatant.name}. Fail margin? (0: one segment, no penalty)",
            rule="CS-043",
            choices=choices("caught:caught, margin 0", "spared:had found and understood it"),
            default="caught",
            amount="margin",
            resume=AskedPlot(plot=replace(plot, victims=(combatant_id,))),
        )
    )


def _ask_ruse(state: FightState, plot: Plot) -> Events:
    """CS-044: ask about the victims of a ruse one by one; those not fooled cannot be surprised."""
    victims = [state.combatants[combatant_id] for combatant_id in plot.victims if combatant_id in state.combatants]
    leader = state.combatants.get(plot.plotters[0]) if plot.plotters else None
    if leader is None or not victims:
        ambush = replace(plot, kind=AMBUSH, victims=plot.fooled, fooled=())
        return ask_first_rolls(state, ambush) if plot.fooled else ()
    combatant = victims[0]
    (_, av), perception = deceiver_skill(state, leader), rolls.rounded(victim_sum(state, combatant, plot))
    rest_of_plot = replace(plot, victims=tuple(each.id for each in victims))
    chances = rolls.chance_against(state, av, perception), rolls.chance_against(state, perception, av)
    return (RulingAsked(prompt=_ruse_prompt(state, rest_of_plot, leader, combatant, *chances)),)


def ask_others(state: FightState, prompt: Prompt) -> Events:
    """CS-041, CS-044: ask the next victim of a ruse, or the next plotter, after a combatant has left."""
    if prompt.kind == RUSED:
        plot = plot_of(prompt)
        return _ask_ruse(state, replace(plot, victims=plot.victims[1:]))
    if _follow_up_of(prompt) != PLOTTERS:
        return ()
    plot = plot_of(prompt)
    others = tuple(combatant_id for combatant_id in plot.plotters if combatant_id != prompt.who)
    return _ask_plotters(state, replace(plot, plotters=others)) if others else ()


def _ruse_prompt(
    state: FightState, plot: Plot, leader: Combatant, combatant: Combatant, own: int | None, other: int | None
) -> Prompt:
    """CS-044: the question of a ruse's Contested Roll; chances are typed if the fight's reading gives none (L92)."""
    (skill, av), perception = deceiver_skill(state, leader), rolls.rounded(victim_sum(state, combatant, plot))
    wanted_chance = (
        f"{leader.name}'s chance of {skill}" if own is None else f"{combatant.name}'s chance of seeing through it"
    )
    dice = own is not None and other is not None
    question = f"Does {combatant.name} fall for it? {skill} {av} of {leader.name} against Perception {perception}"
    return prompt_for(
        combatant,
        kind=RUSED,
        question=question if dice else f"{question}. {wanted_chance} in %?",
        rule="CS-044",
        choices=choices(*(("roll",) if dice else ()), "fooled", "sees:sees through it"),
        default="roll" if dice else "fooled",
        amount="" if dice else "chance",
        resume=AskedPlot(plot=plot, own=own, other=other),
    )


# Answers


@answers(RUSED)
def answer_ruse(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-044: apply one victim's contest; then ask about the next, and at last surprise those who were fooled."""
    state, dice = decision.state, decision.dice
    question = resume_of(prompt, AskedPlot)
    plot, liar_chance, victim_chance = question.plot, question.own, question.other
    leader = state.combatants.get(plot.plotters[0]) if plot.plotters else None
    if answer.choice == prompt.amount and leader is not None:
        percentage = _parse_percentage(answer.amount)
        liar_chance, victim_chance = (percentage, victim_chance) if liar_chance is None else (liar_chance, percentage)
        if victim_chance is None:
            decision.offer(_ruse_prompt(state, plot, leader, state.combatants[prompt.who], liar_chance, victim_chance))
            return
    is_rolled = (
        answer.choice in ("roll", prompt.amount)
        and liar_chance is not None
        and victim_chance is not None
        and leader is not None
    )
    is_fooled = answer.choice == "fooled"
    if is_rolled and liar_chance is not None and victim_chance is not None:
        lie = _throw_check(decision, plot.plotters[0], "ruse", liar_chance, None, "aggressor", dice)
        sight = _throw_check(decision, prompt.who, "Perception", victim_chance, None, "victim", dice)
        is_fooled = _has_won(state, lie, sight)
    _record_fooled(decision, plot, prompt.who, is_fooled)


def _parse_percentage(value: int | str | None) -> int:
    """A typed percentage.

    Raises:
        Refused: it is not one.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused("R-5", f"{value!r} is not a percentage", ("0 to 100", "fooled", "sees"), final=True)
    return rolls.valid_chance(value)


def _record_fooled(decision: Decision, plot: Plot, combatant_id: str, is_fooled: bool) -> None:
    """CS-044: go on with the next victim; after the last, surprise those who were fooled."""
    state = decision.state
    if not is_fooled:
        combatant = state.combatants[combatant_id]
        surprise_effects.apply_surprise(decision, combatant, UNSURPRISED, plot.dv)
    fooled_ids = (*plot.fooled, *((combatant_id,) if is_fooled else ()))
    decision.emit(*_ask_ruse(decision.state, replace(plot, victims=plot.victims[1:], fooled=fooled_ids)))


def _has_won(state: FightState, plotter: Outcome, victim: Outcome) -> bool:
    """Whether the plotters win a Contested Roll (M-02); margins that would be rolled again are the victim's."""
    first, second = plotter.numbers, victim.numbers
    return first is not None and second is not None and contest(first, second, tie_of(state)) == "attacker"


def tie_of(state: FightState) -> ContestedTie:
    """The reading of who wins if both succeed alike (A-17)."""
    reading = settings_of(state).contested_tie
    return "attacker" if reading == "attacker" else "reroll" if reading == "reroll" else "defender"


@answers(HOW_FAR)
def answer_ask_how_far(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Surprise a victim as far as the GM says: a degree, or the margin that makes the penalty."""
    if answer.choice == "spared":
        _emit_surprise(decision, prompt.who, plot_of(prompt), None, UNSURPRISED)
        return
    if answer.choice in (queries.READY, queries.CHECKED):
        result = Surprise("ready") if answer.choice == queries.READY else Surprise("checked", 1)
        _emit_surprise(decision, prompt.who, plot_of(prompt), None, result)
        return
    margin = answer.amount if answer.choice == prompt.amount else 0
    _emit_surprise(decision, prompt.who, plot_of(prompt), None, trap_surprise(parse_margin(margin)))


def parse_margin(margin: int | str | None) -> int:
    """A typed margin.

    Raises:
        Refused: it is not one.
    """
    if not isinstance(margin, int) or not 0 <= margin <= 200:
        raise Refused("CS-060", f"{margin!r} is not a margin", ("0 to 200",), final=True)
    return margin


@rolls.on_check_result(PLOTTERS)
def _on_plotters_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-041: after the plotters' roll each victim checks; after their failure no check matters (CS-056)."""
    state = decision.state
    plot = replace(plot_of(prompt), check=Outcome.of(verdict))
    if verdict.ok or plot.kind == ILLUSION:
        decision.emit(*(event for combatant_id in plot.victims for event in _ask_victim(state, plot, combatant_id)))
        return
    for combatant_id in plot.victims:
        if combatant_id in state.combatants:
            _emit_surprise(decision, combatant_id, plot, None, UNSURPRISED)


@rolls.on_check_result(CONTESTED)
@rolls.on_check_result(ALONE)
def _on_victim_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    conclude_check(decision, prompt.who, plot_of(prompt), Outcome.of(verdict))


# Results


def conclude_check(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-055 to CS-060: apply a victim's check, against the plotters' or alone."""
    state = decision.state
    check = plot.check
    if check is None:
        _settle_simple_roll(decision, combatant_id, plot, own)
        return
    if not check.ok:
        certain = plot.kind == ILLUSION and not own.ok
        if certain:
            _settle_simple_roll(decision, combatant_id, plot, own)
        else:
            _emit_surprise(decision, combatant_id, plot, own, UNSURPRISED)
        return
    first, second = check.numbers, own.numbers
    if first is None or second is None:
        if own.ok:
            decision.emit(_ask_whose_margin(state, combatant_id, plot))
        else:
            decision.emit(_ask_margin(state, combatant_id, plot, own))
        return
    surprise = ambush_surprise(first, second, tie_of(state))
    if surprise is None:
        decision.emit(
            _record_check(combatant_id, plot, own, 0),
            *_ask_plotters(state, replace(plot, victims=(combatant_id,), check=None)),
        )
        return
    if plot.kind == ILLUSION and surprise.degree == queries.READY:
        surprise = UNSURPRISED
    _emit_surprise(decision, combatant_id, plot, own, surprise)


def _settle_simple_roll(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-045, CS-048, CS-059: apply a victim's simple roll."""
    state = decision.state
    if own.ok:
        _emit_surprise(decision, combatant_id, plot, own, UNSURPRISED)
        return
    if own.numbers is None:
        decision.emit(_ask_margin(state, combatant_id, plot, own))
        return
    _emit_surprise(decision, combatant_id, plot, own, blunder_surprise(own.numbers))


def _emit_surprise(decision: Decision, combatant_id: str, plot: Plot, own: Outcome | None, surprise: Surprise) -> None:
    state = decision.state
    decision.emit(_record_check(combatant_id, plot, own or Outcome(surprise == UNSURPRISED), surprise.penalty))
    combatant, dv = state.combatants[combatant_id], plot.dv
    if dv is None and own is not None and own.chance is not None:
        # A typed chance has set the difficulty (CS-066, CS-068).
        dv = rolls.difficulty_for_chance(state, rolls.rounded(victim_sum(state, combatant, plot)), own.chance)
    surprise_effects.apply_surprise(decision, combatant, surprise, dv)
    if plot.line in tackles.LINES and surprise.degree in (queries.CHECKED, queries.OVERWHELMED) and plot.plotters:
        tackles.run_into_line(decision, plot.plotters[0], combatant_id, plot.line)


def _record_check(combatant_id: str, plot: Plot, own: Outcome, total: int) -> events.SurpriseChecked:
    check = plot.check
    return events.SurpriseChecked(
        who=combatant_id,
        chance=own.chance,
        roll=own.roll,
        aggressor_chance=None if check is None else check.chance,
        aggressor_roll=None if check is None else check.roll,
        total=total,
    )


def _ask_whose_margin(state: FightState, combatant_id: str, plot: Plot) -> Event:
    """CS-057: both have succeeded, and only outcomes are known."""
    combatant = state.combatants[combatant_id]
    question = f"{combatant.name} and the plotters both succeed. Larger margin?"
    picks = choices("ready:the victim (or a tie)", "checked:the plotters")
    return _ask_how_far(combatant, plot, question, "CS-057", picks)


def _ask_margin(state: FightState, combatant_id: str, plot: Plot, own: Outcome) -> Event:
    """CS-060: of one margin or both only the outcome is known. A known one is named, to be added to the other."""
    combatant, theirs = state.combatants[combatant_id], plot.check.numbers if plot.check is not None else None
    question = f"{combatant.name} is overwhelmed. By how much{', both margins together' if plot.check else ''}?"
    if theirs is not None:
        question += f" The plotters' is {theirs.margin}."
    elif own.numbers is not None:
        question += f" {combatant.name}'s is {own.numbers.fail_margin}."
    return _ask_how_far(combatant, plot, question, "CS-060", choices("least:0, for one segment"), "margin")


def _ask_how_far(
    combatant: Combatant, plot: Plot, question: str, rule: str, picks: tuple[Choice, ...], amount: str = ""
) -> Event:
    return RulingAsked(
        prompt=prompt_for(
            combatant,
            kind=HOW_FAR,
            question=question,
            rule=rule,
            choices=picks,
            default=picks[0].id,
            amount=amount,
            resume=AskedPlot(plot=replace(plot, victims=(combatant.id,))),
        )
    )


# Command


def open_question_on(state: FightState, combatant_id: str) -> Prompt | None:
    """The question whose answer resolves a victim's Surprise, or None."""
    own_prompts = [
        prompt
        for prompt in state.prompts
        if prompt.who == combatant_id and _follow_up_of(prompt) in (CONTESTED, ALONE, HOW_FAR)
    ]
    whole = [
        prompt
        for prompt in state.prompts
        if _follow_up_of(prompt) == PLOTTERS and combatant_id in plot_of(prompt).victims
    ]
    return next(iter((*own_prompts, *whole)), None)


def is_being_settled(state: FightState) -> bool:
    """Whether a question about the combatant's Surprise is open."""
    return any(_follow_up_of(prompt) in (PLOTTERS, CONTESTED, ALONE, RUSED, HOW_FAR) for prompt in state.prompts)


def _follow_up_of(prompt: Prompt) -> str:
    return prompt.resume.then if isinstance(prompt.resume, AskedCheck) else prompt.kind


@handles(commands.SurpriseRoll)
def decide_surprise_roll(decision: Decision, command: commands.SurpriseRoll) -> None:
    """CS-055: resolve a victim's Surprise with typed chances and rolls; missing ones are rolled or known already.

    Raises:
        Refused: no Surprise is sprung on this victim, or a chance is missing.
    """
    state, dice = decision.state, decision.dice
    combatant = decision.combatant(command.target)
    ruse = next((each for each in state.prompts if each.kind == RUSED and each.who == combatant.id), None)
    if ruse is not None:
        _settle_ruse(decision, ruse, command)
        return
    prompt = open_question_on(state, combatant.id)
    if prompt is None:
        ruse = state.prompt(RUSED)
        rule, accepts = ("CS-044", ("first answer whether the ruse works",)) if ruse else ("CS-055", ("spring",))
        raise Refused(rule, f"{combatant.name} isn't being surprised now", accepts, final=True)
    plot = plot_of(prompt)
    decision.emit(*record_moot((prompt,), "rolled"))
    if _follow_up_of(prompt) == HOW_FAR and command.chance is None and command.roll is None:
        margin = 0 if command.margin is None and plot.kind == TRAP else command.margin
        _emit_surprise(decision, combatant.id, plot, None, trap_surprise(parse_margin(margin)))
        return
    if command.margin is not None:
        raise Refused(
            "CS-060", "only a trap that surprises without a roll takes a margin", ("chance", "roll"), final=True
        )
    if _follow_up_of(prompt) != ALONE and plot.plotters and plot.kind not in (TRAP, PIT, MUTUAL):
        plot = _roll_plotters(decision, plot, command, combatant, dice)
    if _follow_up_of(prompt) == PLOTTERS:
        for combatant_id in plot.victims:
            if combatant_id != combatant.id:
                decision.emit(*_ask_victim(decision.state, plot, combatant_id))
    victim_outcome = _roll_notice(decision, combatant, command.chance, command.roll, "victim", prompt, dice)
    conclude_check(decision, combatant.id, plot, victim_outcome)


def _settle_ruse(decision: Decision, prompt: Prompt, command: commands.SurpriseRoll) -> None:
    """CS-044: resolve the contest of a ruse with typed chances and rolls; missing ones are known already, or rolled.

    Raises:
        Refused: a chance is missing.
    """
    state = decision.state
    question = resume_of(prompt, AskedPlot)
    plot = question.plot
    own = question.own if command.aggressor_chance is None else command.aggressor_chance
    other = question.other if command.chance is None else command.chance
    if own is None or other is None or not plot.plotters:
        missing = "aggressor_chance" if own is None else "chance"
        raise Refused("R-5", f"{missing}: what is the chance?", (f"{missing}: 0 to 100",), final=True)
    decision.emit(*record_moot((prompt,), "rolled"))
    lie = _throw_check(decision, plot.plotters[0], "ruse", own, command.aggressor_roll, "aggressor", decision.dice)
    sight = _throw_check(decision, prompt.who, "Perception", other, command.roll, "victim", decision.dice)
    _record_fooled(decision, plot, prompt.who, _has_won(state, lie, sight))


def _roll_plotters(
    decision: Decision, plot: Plot, command: commands.SurpriseRoll, combatant: Combatant, dice: Dice
) -> Plot:
    """The Surprise with the plotters' outcome: as given, else as rolled before, else by the fight's reading."""
    is_given = command.aggressor_chance is not None or command.aggressor_roll is not None or dice.has_throw("aggressor")
    leader = decision.state.combatants.get(plot.plotters[0])
    if leader is None or (plot.check is not None and not is_given):
        return plot
    chance = command.aggressor_chance
    if chance is None and plot.check is not None:
        chance = plot.check.chance
    skill, total = plotter_skill(decision.state, leader, plot)
    if chance is None:
        perception = rolls.rounded(victim_sum(decision.state, combatant, plot))
        chance = rolls.chance_against(decision.state, scores.rounded_or_none(total), perception)
    if chance is None:
        accepts = ("aggressor_chance: 0 to 100",)
        raise Refused("R-5", f"what is {leader.name}'s chance of {skill}?", accepts, final=True)
    check = _throw_check(decision, leader.id, skill, chance, command.aggressor_roll, "aggressor", dice)
    return replace(plot, check=check)


def _roll_notice(
    decision: Decision,
    combatant: Combatant,
    chance: int | None,
    roll: int | None,
    purpose: str,
    prompt: Prompt,
    dice: Dice,
) -> Outcome:
    if chance is None:
        plot = plot_of(prompt)
        chance = rolls.chance_against(
            decision.state, rolls.rounded(victim_sum(decision.state, combatant, plot)), plot.dv
        )
    if chance is None:
        raise Refused("R-5", f"what is {combatant.name}'s chance of noticing?", ("chance: 0 to 100",), final=True)
    return _throw_check(decision, combatant.id, "Perception", chance, roll, purpose, dice)


def _throw_check(
    decision: Decision, combatant_id: str, kind: str, chance: int, roll: int | None, purpose: str, dice: Dice
) -> Outcome:
    thrower = dice if roll is None else Dice(decision.state.seed, 0, {purpose: (roll,)})
    verdict = rolls.roll_check(combatant_id, kind, chance, thrower, purpose=purpose)
    decision.emit(*verdict.events)
    return Outcome.of(verdict)
