"""Springing a Surprise, and rolling for it (CS-040 to CS-074)."""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision, question_check, record_moot, whole
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import combatant_of, resume_of
from fightcall_engine.kit.views import Check, enforce, first_broken
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged, Detected, Event, Moved
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import declarations, surprises
from fightcall_engine.systems.segments.actions.surprises import AskedPlot, Outcome, Plot, PlotCheck
from fightcall_engine.systems.segments.combat import shooting, strikes
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import QA_AN_ACTION, UNSURPRISED, Surprise, contest
from fightcall_engine.systems.segments.state import commands, condition, events, places, queries, rolls, small_acts
from fightcall_engine.systems.segments.state.records import Action, fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of

MOMENTS = (queries.INITIATIVE, queries.IMPACTS, queries.DECLARE, queries.WAITS, queries.PULSE)
"""The kinds of steps in which a Surprise can be sprung: those before Resolution (section 4.1, S4)."""

LEAP = "leap"
"""The kind of the offer to a hidden combatant who leaves cover."""

SPRUNG = "springs a Surprise"
"""The reason why an Action is used, or a combatant is no longer hidden (CS-052)."""


def spring_checks(state: FightState, plotters: tuple[Combatant, ...]) -> tuple[Check, ...]:
    """CS-040, CS-052: a Surprise is sprung before Resolution, by combatants with an Action to complete who are up."""
    kind, later = queries.kind_of(state), ("the next segment",)
    spent = ((each, f"{each.name} has no Action left to spend on it") for each in plotters)
    return (
        Check(bool(kind), "CS-040", "no segment is running", ("start",)),
        Check(kind in MOMENTS or not kind, "CS-040", "Resolution has begun", ("the next pass", *later)),
        *(queries.able_check(combatant, "CS-111") for combatant in plotters),
        *(Check(can_complete_action(each), "CS-052", problem, later) for each, problem in spent),
        question_check(state),
    )


def can_complete_action(combatant: Combatant) -> bool:
    """CS-052: whether the combatant has an Action left, or is not owed one yet."""
    return not queries.actions_owed(combatant) or queries.slots_left(combatant) > 0


@handles(commands.Spring)
def decide_spring(decision: Decision, command: commands.Spring, line: str = "") -> None:
    """CS-040: spring a Surprise, perhaps with a `line` between two, ``trip`` or ``clothesline`` (CS-446)."""
    state = decision.state
    if not queries.kind_of(state):
        raise Refused("CS-040", "no segment is running", ("start",), final=True)
    plot = _build_plot(state, command)
    plotters = tuple(state.combatants[combatant_id] for combatant_id in plot.plotters)
    enforce(spring_checks(state, plotters if plot.kind != surprises.MUTUAL else ()), decision.referee)
    dv, parts = surprises.plot_difficulty(state, plot, command.base, command.dv)
    plot = replace(plot, dv=dv, line=line)
    event = events.SurpriseTriggered(aggressors=plot.plotters, targets=plot.victims, kind=plot.kind, dv=dv, parts=parts)
    decision.emit(event)
    if plot.kind != surprises.MUTUAL:
        _open_ambush(decision, plot)
        for combatant in plotters:
            _complete_action(decision, decision.state.combatants[combatant.id])
    # Those who shoot from hiding stay hidden until they are noticed (CS-265).
    exposed_plotters = [combatant for combatant in plotters if combatant.hidden and not shooting.is_sniping(combatant)]
    decision.emit(*(Detected(who=combatant.id, cause=SPRUNG) for combatant in exposed_plotters))
    decision.spawn(settle, plot)


def _build_plot(state: FightState, command: commands.Spring) -> Plot:
    if command.kind not in surprises.KINDS:
        raise Refused("CS-040", f"unknown kind of Surprise: {command.kind!r}", surprises.KINDS, final=True)
    people = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.aggressors))
    if not people and command.kind not in (*surprises.TRAPS, surprises.MUTUAL):
        raise Refused("CS-040", "who springs it?", ("aggressors: those who spring it",), final=True)
    target_ids = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.targets))
    if command.kind == surprises.MUTUAL:
        known_ids = tuple(dict.fromkeys((*people, *target_ids)))
        if not target_ids:
            groups = (known_ids, tuple(combatant.id for combatant in queries.all_able(state)))
            sides = ({state.combatants[combatant_id].side for combatant_id in group} for group in groups)
            opposed = [group for group, sides_of_group in zip(groups, sides, strict=True) if len(sides_of_group) > 1]
            if not opposed:
                problem = "two sides are needed to blunder into each other"
                raise Refused("CS-048", problem, ("ambush", "trap"), final=True)
            known_ids = opposed[0]
        people, target_ids = (), known_ids
    victims = target_ids or tuple(
        combatant.id for combatant in queries.all_able(state) if people and state.are_foes(combatant.id, people[0])
    )
    both = set(people) & set(victims)
    if both:
        name = state.combatants[min(both)].name
        problem = f"{name} can't both spring a Surprise and be surprised"
        raise Refused("CS-040", problem, ("mutual", "other targets"), final=True)
    if not victims:
        able_ids = tuple(combatant.id for combatant in queries.all_able(state))
        raise Refused("CS-040", "who is surprised?", able_ids, final=True)
    wary = tuple(combatant_of(state, combatant_id).id for combatant_id in command.wary)
    return Plot(command.kind, people, victims, craft=command.craft, wary=wary)


# Cost, and who declares first


def _complete_action(decision: Decision, combatant: Combatant) -> None:
    """CS-052, CS-053: complete an Action: a declared attack is the blow of the Surprise; other work is given up."""
    state = decision.state
    action = queries.action_of(combatant)
    is_declared = action.is_open and not queries.is_busy(state, combatant)
    if is_declared and action.kind in queries.ATTACKS:
        declarations.commit_action(decision, combatant)
        return
    # An Action can itself be the springing, such as a drop from a tree: neither work nor dice.
    is_rolled = action.dv is not None or action.skill is not None
    is_plain = action.kind in (queries.ACT, queries.MOVE) and action.need <= QA_AN_ACTION and not is_rolled
    if is_declared and is_plain:
        decision.emit(*small_acts.settle_action(state, combatant, queries.DONE, SPRUNG))
        return
    if is_declared:
        decision.emit(*small_acts.abort_action(combatant, SPRUNG))
        combatant = decision.state.combatants[combatant.id]
        action = queries.action_of(combatant)
    slot_events = small_acts.use_slot(combatant, queries.slots_left(combatant) - 1, SPRUNG)
    if action.is_open:
        decision.emit(*slot_events)
        return
    sprung = Action(
        state=queries.DONE, kind=queries.SPRING, text="the Surprise", need=4, done=4, cs=state.round,
        in_pass=queries.pass_number(state), rolled=False, outcome="sprung",
    )  # fmt: skip
    traits = {"action": sprung, "past": queries.past_actions(combatant, sprung), "waiting": False}
    decision.emit(events.Resolved(who=combatant.id, traits=traits, outcome="sprung"), *slot_events)


def _open_ambush(decision: Decision, plot: Plot) -> None:
    """CS-072: those who open the contest with a Surprise declare first; what the hidden have declared opens nothing."""
    state = decision.state
    has_begun = any(
        queries.action_of(combatant).state or fighter_of(combatant).waiting
        for combatant in state.roster
        if not combatant.hidden
    )
    if state.round != 1 or has_begun or not plot.plotters or plot.kind in surprises.TRAPS:
        return
    decision.emit(*queries.set_fact(state, "first", plot.plotters[0]))
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if queries.kind_of(state) == queries.DECLARE:
        before = steps[:cursor]
        known_ids = {step.id for step in before}
        rest = tuple(step for step in queries.build_agenda(decision.state) if step.id not in known_ids)
        if rest != steps[cursor:]:
            decision.emit(AgendaChanged(steps=(*before, *rest), cursor=cursor, reason=SPRUNG))


def victims_check(state: FightState, combatant: Combatant) -> Check:
    """CS-040: the check that there is a foe to surprise."""
    has_victims = any(state.are_foes(combatant.id, other.id) for other in queries.all_able(state))
    return Check(has_victims, "CS-040", "no one is here to surprise", ("a foe",))


def react_to_leap(decision: Decision, event: Event) -> None:
    """CS-074, CS-264: offer a Surprise to a hidden combatant who leaps from cover, or shoots from hiding."""
    state = decision.state
    combatant = state.combatants.get(event.who) if isinstance(event, events.Confirmed | Detected | Moved) else None
    is_shown = isinstance(event, Detected) and event.cause not in (SPRUNG, surprises.NOTICED)
    if (
        combatant is None
        or not (is_shown or combatant.hidden)
        or first_broken(spring_checks(state, (combatant,))) is not None
    ):
        return
    if isinstance(event, events.Confirmed):
        targets = queries.targets_of(state, queries.action_of(combatant))
        is_seen = bool(targets) and all(places.has_noticed(target, combatant) for target in targets)
        if shooting.is_sniping(combatant) and not is_seen:
            question = f"{combatant.name} shoots from hiding. Is it a Surprise?"
            decision.spawn(_offer_surprise, combatant, question, "CS-264", queries.action_of(combatant).targets)
        return
    is_asked = any(each.kind == LEAP and each.who == combatant.id for each in state.prompts)
    if not is_asked and victims_check(state, combatant).holds:
        question = f"{combatant.name} leaves cover. Spring a Surprise (Padfoot, Skulker)?"
        decision.spawn(_offer_surprise, combatant, question, "CS-074")


def _offer_surprise(
    decision: Decision, combatant: Combatant, question: str, rule: str, target_ids: tuple[str, ...] = ()
) -> None:
    targets = target_ids
    while combatant.id in decision.state.combatants and (targets or not target_ids):
        answer = decision.ask_about(
            combatant, LEAP, rule, question, "no", "spring:yes, spring it", default="no", about=targets,
            blocking=False,
        )  # fmt: skip
        targets = tuple(target_id for target_id in targets if target_id in decision.state.combatants)
        if answer.choice == "spring":
            decide_spring(decision, commands.Spring(aggressors=(combatant.id,), targets=targets))
        if answer.choice:
            return


RUSED, HOW_FAR = "ruse", "how_far"
"""The kinds of questions: who falls for a ruse, and how far a victim is surprised."""


def settle(decision: Decision, plot: Plot) -> None:
    """Resolve a Surprise, by its kind."""
    if plot.kind == surprises.RUSE:
        _try_ruse(decision, plot)
    elif plot.kind == surprises.TRAP and settings_of(decision.state).trap_surprise != "simple_roll":
        # A mechanical trap surprises without a roll, as far as the GM says (CS-043, A-18).
        picks = ("caught:caught, margin 0", "spared:had found and understood it")
        for victim_id in plot.victims:
            name = decision.state.combatants[victim_id].name
            question = f"The trap surprises {name}. Fail margin? (0: one segment, no penalty)"
            decision.spawn(_judge, victim_id, plot, question, "CS-043", picks, "margin")
    elif plot.kind in (surprises.TRAP, surprises.PIT, surprises.MUTUAL) or not plot.plotters:
        # There is no plotter for a concealed pit, a chance meeting, or an illusion whose maker is not here.
        _check_victims(decision, plot)
    else:
        _plot_against(decision, plot)


def _plot_against(decision: Decision, plot: Plot) -> None:
    """CS-041: the first plotter rolls, once for all, against the sharpest victim; after a failure no check matters."""
    verdict: rolls.Verdict | None = None
    asked_id = ""
    while verdict is None:
        plot_now = plot.still_on(decision.state)
        if plot_now is None:
            return
        plot = plot_now
        leader_id, is_new = plot.plotters[0], plot.plotters[0] != asked_id
        leader = decision.state.combatants[leader_id]
        victims = [decision.state.combatants[victim_id] for victim_id in plot.victims]
        skill, total = surprises.plotter_skill(decision.state, leader, plot)
        sharpest = max(rolls.rounded(surprises.victim_sum(decision.state, victim, plot)) for victim in victims)
        own_skill = skill if total is None else f"{skill} {rolls.rounded(total)}"
        names = ", ".join(victim.name for victim in victims)
        verdict = rolls.make_check(
            decision, leader_id, skill, total, sharpest, "CS-041",
            f"{leader.name} springs a Surprise on {names}: {own_skill} against Perception {sharpest}",
            owed=True, requested=is_new, asked=PlotCheck(plot=plot),
        )  # fmt: skip
        asked_id = leader_id
    plot = replace(plot.here(decision.state), check=Outcome.of(verdict))
    if verdict.ok or plot.kind == surprises.ILLUSION:
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
        total = surprises.victim_sum(decision.state, victim, plot)
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
        _plot_against(decision, replace(plot, kind=surprises.AMBUSH, victims=plot.fooled, fooled=()))


def _falls_for_ruse(decision: Decision, plot: Plot) -> bool | None:
    """A ruse's Contested Roll; chances are typed if the fight's reading gives none (L92). None if somebody leaves."""
    state = decision.state
    leader, victim = state.combatants[plot.plotters[0]], state.combatants[plot.victims[0]]
    (skill, av), perception = (
        surprises.deceiver_skill(state, leader),
        rolls.rounded(surprises.victim_sum(state, victim, plot)),
    )
    own, other = rolls.chance_against(state, av, perception), rolls.chance_against(state, perception, av)
    asked = f"Does {victim.name} fall for it? {skill} {av} of {leader.name} against Perception {perception}"
    is_known = False
    while not is_known:
        is_known = own is not None and other is not None
        wanted = f"{leader.name}'s chance of {skill}" if own is None else f"{victim.name}'s chance of seeing through it"
        answer = decision.ask_about(
            victim, RUSED, "CS-044", asked if is_known else f"{asked}. {wanted} in %?",
            *(("roll",) if is_known else ()), "fooled", "sees:sees through it",
            default="roll" if is_known else "fooled", amount="" if is_known else "chance",
            resume=AskedPlot(plot=plot, own=own, other=other),
        )  # fmt: skip
        if not answer.choice:
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
        surprises.apply_surprise(decision, victim, UNSURPRISED, plot.dv)
    victims = tuple(each for each in plot.victims if each != victim_id)
    return replace(plot, victims=victims, fooled=(*plot.fooled, *((victim_id,) if is_fooled else ())))


def _has_won(state: FightState, plotter: Outcome, victim: Outcome) -> bool:
    """Whether the plotters win a Contested Roll (M-02); margins that would be rolled again are the victim's."""
    first, second, tie = plotter.numbers, victim.numbers, settings_of(state).contested_tie
    return first is not None and second is not None and contest(first, second, tie) == "attacker"


def _conclude(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-055 to CS-060: apply a victim's check, against the plotters' or alone."""
    state = decision.state
    check = plot.check
    if check is None or not check.ok:
        # A simple roll decides, even over an illusion whose maker has failed (CS-045, CS-048, CS-059).
        can_surprise = check is None or plot.kind == surprises.ILLUSION
        if own.ok or not can_surprise:
            _emit_surprise(decision, combatant_id, plot, own, UNSURPRISED)
        elif own.numbers is None:
            _ask_margin(decision, combatant_id, plot, own)
        else:
            _emit_surprise(decision, combatant_id, plot, own, formulas.blunder_surprise(own.numbers))
        return
    first, second = check.numbers, own.numbers
    if first is None or second is None:
        if own.ok:
            question = f"{state.combatants[combatant_id].name} and the plotters both succeed. Larger margin?"
            picks = ("ready:the victim (or a tie)", "checked:the plotters")
            _judge(decision, combatant_id, plot, question, "CS-057", picks)
        else:
            _ask_margin(decision, combatant_id, plot, own)
        return
    result = formulas.ambush_surprise(first, second, settings_of(state).contested_tie)
    if result is None:
        decision.emit(_record_check(combatant_id, plot, own, 0))
        _plot_against(decision, replace(plot, victims=(combatant_id,), check=None))
        return
    if plot.kind == surprises.ILLUSION and result.degree == queries.READY:
        result = UNSURPRISED
    _emit_surprise(decision, combatant_id, plot, own, result)


def _emit_surprise(decision: Decision, combatant_id: str, plot: Plot, own: Outcome | None, result: Surprise) -> None:
    state = decision.state
    decision.emit(_record_check(combatant_id, plot, own or Outcome(result == UNSURPRISED), result.penalty))
    combatant, dv = state.combatants[combatant_id], plot.dv
    if dv is None and own is not None and own.chance is not None:
        # A typed chance has set the difficulty (CS-066, CS-068).
        dv = rolls.difficulty_for_chance(state, rolls.rounded(surprises.victim_sum(state, combatant, plot)), own.chance)
    surprises.apply_surprise(decision, combatant, result, dv)
    if plot.line in strikes.LINES and result.degree in (queries.CHECKED, queries.OVERWHELMED) and plot.plotters:
        strikes.run_into_line(decision, plot.plotters[0], combatant_id, plot.line)


def _record_check(combatant_id: str, plot: Plot, own: Outcome, total: int) -> events.SurpriseChecked:
    check = plot.check
    return events.SurpriseChecked(
        who=combatant_id, chance=own.chance, roll=own.roll, aggressor_chance=None if check is None else check.chance,
        aggressor_roll=None if check is None else check.roll, total=total,
    )  # fmt: skip


def _ask_margin(decision: Decision, combatant_id: str, plot: Plot, own: Outcome) -> None:
    """CS-060: of one margin or both only the outcome is known. A known one is named, to be added to the other."""
    name, theirs = decision.state.combatants[combatant_id].name, plot.check.numbers if plot.check else None
    question = f"{name} is overwhelmed. By how much{', both margins together' if plot.check else ''}?"
    if theirs is not None:
        question += f" The plotters' is {theirs.margin}."
    elif own.numbers is not None:
        question += f" {name}'s is {own.numbers.fail_margin}."
    _judge(decision, combatant_id, plot, question, "CS-060", ("least:0, for one segment",), "margin")


def _judge(
    decision: Decision,
    combatant_id: str,
    plot: Plot,
    question: str,
    rule: str,
    picks: tuple[str, ...],
    amount: str = "",
) -> None:
    """Surprise a victim as far as the GM says: a degree, or the margin that makes the penalty."""
    plot = replace(plot, victims=(combatant_id,))
    while (plot_now := plot.still_on(decision.state)) is not None:
        plot = plot_now
        answer = decision.ask_about(
            decision.state.combatants[combatant_id], HOW_FAR, rule, question, *picks,
            default=picks[0].partition(":")[0], amount=amount, resume=AskedPlot(plot=plot),
        )  # fmt: skip
        if not answer.choice:
            continue
        if answer.choice == "spared":
            result = UNSURPRISED
        elif answer.choice == queries.READY:
            result = Surprise("ready")
        elif answer.choice == queries.CHECKED:
            result = Surprise("checked", 1)
        else:
            result = formulas.overwhelming_surprise(_margin(answer.amount) if answer.choice == amount else 0)
        _emit_surprise(decision, combatant_id, plot, None, result)
        return


def _margin(value: int | str | None) -> int:
    return whole("CS-060", value, 0, "margin", most=200)


@handles(commands.SurpriseRoll)
def decide_surprise_roll(decision: Decision, command: commands.SurpriseRoll) -> None:
    """CS-055: resolve a victim's Surprise with typed chances and rolls; missing ones are rolled or known already."""
    state = decision.state
    combatant = decision.combatant(command.target)
    ruse = next((each for each in state.prompts if each.kind == RUSED and each.who == combatant.id), None)
    if ruse is not None:
        _settle_ruse(decision, ruse, command)
        return
    # The question whose answer resolves it: the victim's own, else the plotters'.
    plots = [(each, plot) for each in state.prompts if (plot := surprises.plot_of(each)) is not None]
    own_plots = [each for each in plots if each[0].who == combatant.id]
    whole_plots = [each for each in plots if each[0].who in each[1].plotters and combatant.id in each[1].victims]
    prompt, plot = next(iter((*own_plots, *whole_plots)), (None, None))
    if prompt is None or plot is None:
        ruse = state.prompt(RUSED)
        rule, accepts = ("CS-044", ("first answer whether the ruse works",)) if ruse else ("CS-055", ("spring",))
        raise Refused(rule, f"{combatant.name} isn't being surprised now", accepts, final=True)
    decision.emit(*record_moot((prompt,), "rolled"))
    if prompt.kind == HOW_FAR and command.chance is None and command.roll is None:
        margin = 0 if command.margin is None and plot.kind == surprises.TRAP else _margin(command.margin)
        _emit_surprise(decision, combatant.id, plot, None, formulas.overwhelming_surprise(margin))
        return
    if command.margin is not None:
        problem = "only a trap that surprises without a roll takes a margin"
        raise Refused("CS-060", problem, ("chance", "roll"), final=True)
    is_plotters, is_alone = prompt.who in plot.plotters, prompt.kind != HOW_FAR and plot.check is None
    if (
        (is_plotters or not is_alone)
        and plot.plotters
        and plot.kind not in (surprises.TRAP, surprises.PIT, surprises.MUTUAL)
    ):
        plot = _roll_plotters(decision, plot, command, combatant)
    if is_plotters:
        for combatant_id in plot.victims:
            if combatant_id != combatant.id:
                decision.spawn(_check_victim, replace(plot, victims=(combatant_id,)))
    chance = command.chance
    if chance is None:
        perception = rolls.rounded(surprises.victim_sum(decision.state, combatant, plot))
        chance = rolls.chance_against(decision.state, perception, plot.dv)
    if chance is None:
        raise Refused("R-5", f"what is {combatant.name}'s chance of noticing?", ("chance: 0 to 100",), final=True)
    own = _throw_check(decision, combatant.id, "Perception", chance, command.roll, "victim")
    _conclude(decision, combatant.id, plot, own)


def _settle_ruse(decision: Decision, prompt: Prompt, command: commands.SurpriseRoll) -> None:
    """CS-044: resolve the contest of a ruse with typed chances and rolls; missing ones are known already, or rolled."""
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
    skill, total = surprises.plotter_skill(decision.state, leader, plot)
    if chance is None:
        perception = rolls.rounded(surprises.victim_sum(decision.state, combatant, plot))
        chance = rolls.chance_against(decision.state, condition.rounded_or_none(total), perception)
    if chance is None:
        accepts = ("aggressor_chance: 0 to 100",)
        raise Refused("R-5", f"what is {leader.name}'s chance of {skill}?", accepts, final=True)
    check = _throw_check(decision, leader.id, skill, chance, command.aggressor_roll, "aggressor")
    return replace(plot, check=check)


def _throw_check(
    decision: Decision, combatant_id: str, kind: str, chance: int, roll: int | None, purpose: str
) -> Outcome:
    thrower = decision.dice if roll is None else Dice(decision.state.seed, 0, {purpose: (roll,)})
    result = thrower.roll("d100", f"{purpose}.{combatant_id}", combatant_id)
    return Outcome.of(rolls.record_check(decision, combatant_id, kind, rolls.valid_chance(chance), result, None, ""))
