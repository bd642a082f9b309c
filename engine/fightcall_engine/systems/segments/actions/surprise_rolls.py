"""Rolling for Surprise: the plot, the plotters' roll and each victim's (CS-041 to CS-060).

The plotters roll once for all their victims; each victim rolls alone. When somebody leaves whom a question is about,
it is asked again about the others.
"""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.rulings import whole
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions.surprises import (
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
    apply_surprise,
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
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

RUSED, HOW_FAR = "ruse", "how_far"
"""The kinds of questions: who falls for a ruse, and how far a victim is surprised."""

MOST_MARGIN = 200

# Plots


# Values


# By its kind


def settle(decision: Decision, plot: Plot) -> None:
    """Resolve a Surprise, by its kind."""
    if plot.kind == RUSE:
        _try_ruse(decision, plot)
    elif plot.kind == TRAP and settings_of(decision.state).trap_surprise != "simple_roll":
        for victim_id in plot.victims:
            decision.spawn(_catch, replace(plot, victims=(victim_id,)))
    elif plot.kind in (TRAP, PIT, MUTUAL) or not plot.plotters:
        # There is no plotter for a concealed pit, a chance meeting, or an illusion whose maker is not here.
        _check_victims(decision, plot)
    else:
        _plot_against(decision, plot)


def _plot_against(decision: Decision, plot: Plot) -> None:
    """CS-041: the first plotter rolls, once for all, against the sharpest victim; after a failure no check matters."""
    verdict: Verdict | None = None
    asked_id = ""
    while verdict is None:
        plot_now = plot.still_on(decision.state)
        if plot_now is None:
            return
        plot = plot_now
        leader_id, is_new = plot.plotters[0], plot.plotters[0] != asked_id
        leader = decision.state.combatants[leader_id]
        victims = [decision.state.combatants[victim_id] for victim_id in plot.victims]
        skill, total = plotter_skill(decision.state, leader, plot)
        sharpest = max(rolls.rounded(victim_sum(decision.state, victim, plot)) for victim in victims)
        own_skill = skill if total is None else f"{skill} {rolls.rounded(total)}"
        names = ", ".join(victim.name for victim in victims)
        verdict = rolls.make_check(
            decision, leader_id, skill, total, sharpest, "CS-041",
            f"{leader.name} springs a Surprise on {names}: {own_skill} against Perception {sharpest}",
            owed=True, requested=is_new, asked=PlotCheck(plot=plot),
        )  # fmt: skip
        asked_id = leader_id
    plot = replace(plot.here(decision.state), check=Outcome.of(verdict))
    if verdict.ok or plot.kind == ILLUSION:
        _check_victims(decision, plot)
        return
    for victim_id in plot.victims:
        _emit_surprise(decision, victim_id, plot, None, UNSURPRISED)


def _check_victims(decision: Decision, plot: Plot) -> None:
    for victim_id in plot.victims:
        decision.spawn(_check_victim, replace(plot, victims=(victim_id,)))


def _check_victim(decision: Decision, plot: Plot) -> None:
    """CS-055: a victim's check, against the plotters' or a simple roll (CS-045, CS-048)."""
    is_new = True
    while (plot_now := plot.still_on(decision.state)) is not None:
        plot = plot_now
        victim = decision.state.combatants[plot.victims[0]]
        total = victim_sum(decision.state, victim, plot)
        against = f" against DV {plot.dv}" if plot.dv is not None else ""
        verdict = rolls.make_check(
            decision, victim.id, "Perception", total, plot.dv, "CS-055",
            f"{victim.name} against the Surprise: AV {rolls.rounded(total)}{against}",
            owed=True, requested=is_new, asked=PlotCheck(plot=plot),
        )  # fmt: skip
        if verdict is not None:
            _conclude(decision, plot.victims[0], plot, Outcome.of(verdict))
            return
        is_new = False


def _catch(decision: Decision, plot: Plot) -> None:
    """CS-043, A-18: a mechanical trap surprises without a roll, as far as the GM says."""
    victim_id = plot.victims[0]
    _judge(
        decision, victim_id, plot,
        f"The trap surprises {decision.state.combatants[victim_id].name}. Fail margin? (0: one segment, no penalty)",
        "CS-043", choices("caught:caught, margin 0", "spared:had found and understood it"), "margin",
    )  # fmt: skip


# Ruses


def _try_ruse(decision: Decision, plot: Plot) -> None:
    """CS-044: the victims of a ruse, one by one; those who fall for it are surprised as by an ambush."""
    plot = plot.here(decision.state)
    while plot.plotters and plot.victims:
        victim_id = plot.victims[0]
        is_fooled = _falls_for_ruse(decision, plot)
        plot = plot.here(decision.state)
        if is_fooled is not None:
            plot = _after_contest(decision, plot, victim_id, is_fooled)
    if plot.plotters and plot.fooled:
        _plot_against(decision, replace(plot, kind=AMBUSH, victims=plot.fooled, fooled=()))


def _falls_for_ruse(decision: Decision, plot: Plot) -> bool | None:
    """A ruse's Contested Roll; chances are typed if the fight's reading gives none (L92). None if somebody leaves."""
    state = decision.state
    leader, victim = state.combatants[plot.plotters[0]], state.combatants[plot.victims[0]]
    (skill, av), perception = deceiver_skill(state, leader), rolls.rounded(victim_sum(state, victim, plot))
    own, other = rolls.chance_against(state, av, perception), rolls.chance_against(state, perception, av)
    asked = f"Does {victim.name} fall for it? {skill} {av} of {leader.name} against Perception {perception}"
    is_known = False
    while not is_known:
        is_known = own is not None and other is not None
        wanted = f"{leader.name}'s chance of {skill}" if own is None else f"{victim.name}'s chance of seeing through it"
        answer = decision.ask(
            prompt_for(
                victim,
                kind=RUSED,
                question=asked if is_known else f"{asked}. {wanted} in %?",
                rule="CS-044",
                choices=choices(*(("roll",) if is_known else ()), "fooled", "sees:sees through it"),
                default="roll" if is_known else "fooled",
                amount="" if is_known else "chance",
                resume=AskedPlot(plot=plot, own=own, other=other),
            )
        )
        if answer is None:
            return None
        if answer.choice in ("fooled", "sees"):
            return answer.choice == "fooled"
        if not is_known:
            chance = whole("R-5", answer.amount, 0, "percentage", most=100)
            own, other = (chance, other) if own is None else (own, chance)
            is_known = own is not None and other is not None
    lie = _throw_check(decision, plot.plotters[0], "ruse", own or 0, None, "aggressor")
    sight = _throw_check(decision, plot.victims[0], "Perception", other or 0, None, "victim")
    return _has_won(decision.state, lie, sight)


def _after_contest(decision: Decision, plot: Plot, victim_id: str, is_fooled: bool) -> Plot:
    """CS-044: the ruse after one victim's contest; those who aren't fooled can't be surprised."""
    if not is_fooled:
        victim = decision.state.combatants[victim_id]
        apply_surprise(decision, victim, UNSURPRISED, plot.dv)
    victims = tuple(each for each in plot.victims if each != victim_id)
    return replace(plot, victims=victims, fooled=(*plot.fooled, *((victim_id,) if is_fooled else ())))


def _has_won(state: FightState, plotter: Outcome, victim: Outcome) -> bool:
    """Whether the plotters win a Contested Roll (M-02); margins that would be rolled again are the victim's."""
    first, second = plotter.numbers, victim.numbers
    return first is not None and second is not None and contest(first, second, tie_of(state)) == "attacker"


def tie_of(state: FightState) -> ContestedTie:
    """The reading of who wins if both succeed alike (A-17)."""
    reading = settings_of(state).contested_tie
    return "attacker" if reading == "attacker" else "reroll" if reading == "reroll" else "defender"


# Results


def _conclude(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
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
            question = f"{state.combatants[combatant_id].name} and the plotters both succeed. Larger margin?"
            picks = choices("ready:the victim (or a tie)", "checked:the plotters")
            _judge(decision, combatant_id, plot, question, "CS-057", picks)
        else:
            _ask_margin(decision, combatant_id, plot, own)
        return
    result = ambush_surprise(first, second, tie_of(state))
    if result is None:
        decision.emit(_record_check(combatant_id, plot, own, 0))
        _plot_against(decision, replace(plot, victims=(combatant_id,), check=None))
        return
    if plot.kind == ILLUSION and result.degree == queries.READY:
        result = UNSURPRISED
    _emit_surprise(decision, combatant_id, plot, own, result)


def _settle_simple_roll(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-045, CS-048, CS-059: apply a victim's simple roll."""
    if own.ok:
        _emit_surprise(decision, combatant_id, plot, own, UNSURPRISED)
        return
    if own.numbers is None:
        _ask_margin(decision, combatant_id, plot, own)
        return
    _emit_surprise(decision, combatant_id, plot, own, blunder_surprise(own.numbers))


def _emit_surprise(decision: Decision, combatant_id: str, plot: Plot, own: Outcome | None, result: Surprise) -> None:
    state = decision.state
    decision.emit(_record_check(combatant_id, plot, own or Outcome(result == UNSURPRISED), result.penalty))
    combatant, dv = state.combatants[combatant_id], plot.dv
    if dv is None and own is not None and own.chance is not None:
        # A typed chance has set the difficulty (CS-066, CS-068).
        dv = rolls.difficulty_for_chance(state, rolls.rounded(victim_sum(state, combatant, plot)), own.chance)
    apply_surprise(decision, combatant, result, dv)
    if plot.line in tackles.LINES and result.degree in (queries.CHECKED, queries.OVERWHELMED) and plot.plotters:
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


def _ask_margin(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-060: of one margin or both only the outcome is known. A known one is named, to be added to the other."""
    name, theirs = decision.state.combatants[combatant_id].name, plot.check.numbers if plot.check is not None else None
    question = f"{name} is overwhelmed. By how much{', both margins together' if plot.check else ''}?"
    if theirs is not None:
        question += f" The plotters' is {theirs.margin}."
    elif own.numbers is not None:
        question += f" {name}'s is {own.numbers.fail_margin}."
    _judge(decision, combatant_id, plot, question, "CS-060", choices("least:0, for one segment"), "margin")


def _judge(
    decision: Decision,
    combatant_id: str,
    plot: Plot,
    question: str,
    rule: str,
    picks: tuple[Choice, ...],
    amount: str = "",
) -> None:
    """Surprise a victim as far as the GM says: a degree, or the margin that makes the penalty."""
    plot = replace(plot, victims=(combatant_id,))
    while (plot_now := plot.still_on(decision.state)) is not None:
        plot = plot_now
        answer = decision.ask(
            prompt_for(
                decision.state.combatants[combatant_id],
                kind=HOW_FAR,
                question=question,
                rule=rule,
                choices=picks,
                default=picks[0].id,
                amount=amount,
                resume=AskedPlot(plot=plot),
            )
        )
        if answer is None:
            continue
        if answer.choice == "spared":
            result = UNSURPRISED
        elif answer.choice == queries.READY:
            result = Surprise("ready")
        elif answer.choice == queries.CHECKED:
            result = Surprise("checked", 1)
        else:
            result = trap_surprise(_margin(answer.amount) if answer.choice == amount else 0)
        _emit_surprise(decision, combatant_id, plot, None, result)
        return


def _margin(value: int | str | None) -> int:
    return whole("CS-060", value, 0, "margin", most=MOST_MARGIN)


# The command


def _question_on(state: FightState, combatant_id: str) -> Prompt | None:
    """The question whose answer resolves a victim's Surprise, or None: the victim's own, else the plotters'."""
    own_prompts = [each for each in state.prompts if each.who == combatant_id and plot_of(each) is not None]
    plots = ((prompt, plot_of(prompt)) for prompt in state.prompts)
    whole_plots = [
        prompt
        for prompt, plot in plots
        if plot is not None and prompt.who in plot.plotters and combatant_id in plot.victims
    ]
    return next(iter((*own_prompts, *whole_plots)), None)


@handles(commands.SurpriseRoll)
def decide_surprise_roll(decision: Decision, command: commands.SurpriseRoll) -> None:
    """CS-055: resolve a victim's Surprise with typed chances and rolls; missing ones are rolled or known already.

    Raises:
        Refused: no Surprise is sprung on this victim, or a chance is missing.
    """
    state = decision.state
    combatant = decision.combatant(command.target)
    ruse = next((each for each in state.prompts if each.kind == RUSED and each.who == combatant.id), None)
    if ruse is not None:
        _settle_ruse(decision, ruse, command)
        return
    prompt = _question_on(state, combatant.id)
    plot = None if prompt is None else plot_of(prompt)
    if prompt is None or plot is None:
        ruse = state.prompt(RUSED)
        rule, accepts = ("CS-044", ("first answer whether the ruse works",)) if ruse else ("CS-055", ("spring",))
        raise Refused(rule, f"{combatant.name} isn't being surprised now", accepts, final=True)
    decision.emit(*record_moot((prompt,), "rolled"))
    if prompt.kind == HOW_FAR and command.chance is None and command.roll is None:
        margin = 0 if command.margin is None and plot.kind == TRAP else _margin(command.margin)
        _emit_surprise(decision, combatant.id, plot, None, trap_surprise(margin))
        return
    if command.margin is not None:
        raise Refused(
            "CS-060", "only a trap that surprises without a roll takes a margin", ("chance", "roll"), final=True
        )
    is_plotters, is_alone = prompt.who in plot.plotters, prompt.kind != HOW_FAR and plot.check is None
    if (is_plotters or not is_alone) and plot.plotters and plot.kind not in (TRAP, PIT, MUTUAL):
        plot = _roll_plotters(decision, plot, command, combatant)
    if is_plotters:
        for combatant_id in plot.victims:
            if combatant_id != combatant.id:
                decision.spawn(_check_victim, replace(plot, victims=(combatant_id,)))
    _conclude(decision, combatant.id, plot, _roll_notice(decision, combatant, plot, command))


def _settle_ruse(decision: Decision, prompt: Prompt, command: commands.SurpriseRoll) -> None:
    """CS-044: resolve the contest of a ruse with typed chances and rolls; missing ones are known already, or rolled.

    Raises:
        Refused: a chance is missing.
    """
    question = resume_of(prompt, AskedPlot)
    plot = question.plot
    own = question.own if command.aggressor_chance is None else command.aggressor_chance
    other = question.other if command.chance is None else command.chance
    if own is None or other is None or not plot.plotters:
        missing = "aggressor_chance" if own is None else "chance"
        raise Refused("R-5", f"{missing}: what is the chance?", (f"{missing}: 0 to 100",), final=True)
    decision.emit(*record_moot((prompt,), "rolled"))
    lie = _throw_check(decision, plot.plotters[0], "ruse", own, command.aggressor_roll, "aggressor")
    sight = _throw_check(decision, prompt.who, "Perception", other, command.roll, "victim")
    _try_ruse(decision, _after_contest(decision, plot, prompt.who, _has_won(decision.state, lie, sight)))


def _roll_plotters(decision: Decision, plot: Plot, command: commands.SurpriseRoll, combatant: Combatant) -> Plot:
    """The Surprise with the plotters' outcome: as given, else as rolled before, else by the fight's reading."""
    is_typed = command.aggressor_chance is not None or command.aggressor_roll is not None
    is_given = is_typed or decision.dice.has_throw("aggressor")
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
    check = _throw_check(decision, leader.id, skill, chance, command.aggressor_roll, "aggressor")
    return replace(plot, check=check)


def _roll_notice(decision: Decision, combatant: Combatant, plot: Plot, command: commands.SurpriseRoll) -> Outcome:
    chance = command.chance
    if chance is None:
        perception = rolls.rounded(victim_sum(decision.state, combatant, plot))
        chance = rolls.chance_against(decision.state, perception, plot.dv)
    if chance is None:
        raise Refused("R-5", f"what is {combatant.name}'s chance of noticing?", ("chance: 0 to 100",), final=True)
    return _throw_check(decision, combatant.id, "Perception", chance, command.roll, "victim")


def _throw_check(
    decision: Decision, combatant_id: str, kind: str, chance: int, roll: int | None, purpose: str
) -> Outcome:
    thrower = decision.dice if roll is None else Dice(decision.state.seed, 0, {purpose: (roll,)})
    verdict = rolls.roll_check(combatant_id, kind, chance, thrower, purpose=purpose)
    decision.emit(*verdict.events)
    return Outcome.of(verdict)
