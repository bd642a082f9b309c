"""Options of movement, and out of turn: running Pulses, standing, leaving melee, Opportunity Actions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fightcall_engine.kit.checks import Referee, enforce, first_broken
from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import list_names, question_alone
from fightcall_engine.kit.prompts import concerns, question_check
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.views import Input, Option, offer
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.actions import facing, moves, opportunities
from fightcall_engine.systems.segments.combat import attack_values
from fightcall_engine.systems.segments.combat.defences import list_defences
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.state import commands, morale, queries, relations
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.views import strike_options

_HARMLESS_DEFAULTS = ("keep", "later", "usual")
"""The defaults of offers whose lapse changes nothing."""


def options(state: FightState, combatant: Combatant) -> list[Option]:
    """The options of a combatant for movement, legal or not."""
    kind = queries.kind_of(state)
    options: list[Option] = []
    if kind == queries.RESOLVE:
        return _get_inside(state, combatant)
    if kind not in (queries.DECLARE, queries.WAITS, queries.PULSE):
        return options
    if kind == queries.PULSE:
        run = offer("pulses", "run the Pulses", "RunPulses", "g", steps.run_checks(state), rule="CS-230")
        # While a question must be answered first, Pulses do not run, and no offer lapses.
        loses = _lapsing_offers(state.prompts, state) if run.legal else ""
        options.append(replace(run, is_closing=True, loses=loses))
    if ways.uses_pulses(state) and ways.has_plan(combatant):
        run_text = moves.continued_run(state, combatant)
        label = f"stand still ({run_text})" if run_text else "stand still"
        options.append(offer("hold", label, "Hold", "k", moves.hold_checks(state, combatant), rule="CS-233"))
    if battle_of(state).interrupted == combatant.id or fighter_of(combatant).rest > 0:
        about = tuple(prompt for prompt in meetings.opportunity_prompts(state) if combatant.id in concerns(prompt))
        resume = offer("resume", "keep moving", "Resume", "R", (question_check(state),), rule="CS-440")
        options.append(replace(resume, loses=_lapsing_offers(about, state)))
    return [*options, *_opportunities(state, combatant), *_break_off(state, combatant)]


def _lapsing_offers(prompts: Sequence[Prompt], state: FightState) -> str:
    """The offers that lapse if movement continues: possible strikes, and other questions."""
    strikers: dict[str, list[str]] = {}
    asked: list[str] = []
    for prompt in prompts:
        if prompt.kind == meetings.OFFER:
            target_id = resume_of(prompt, OfferedOpportunity).other
            strikers.setdefault(name_of(state, target_id), []).append(name_of(state, prompt.who))
        elif not (prompt.is_remark or prompt.default in _HARMLESS_DEFAULTS):
            asked.append(f'the answer to "{question_alone(prompt.question)}"')
    chances = [f"{list_names(names)}'s chance to strike {target}" for target, names in strikers.items()]
    return "; ".join((*chances, *asked))


def _opportunities(state: FightState, combatant: Combatant) -> list[Option]:
    """An Opportunity Action on those on whom it is possible, offered ones first."""
    target_ids = meetings.foes_offered(state, combatant)
    targets = tuple(dict.fromkeys((*target_ids, *_foes_in_reach(state, combatant))))
    options = []
    if targets:
        foe = state.combatants[targets[0]]
        inputs = (
            Input("target", "target", "on whom", choices=targets, default=targets[0]),
            _kind(state, combatant, foe),
        )
        label = "another Opportunity Action" if target_ids else "Opportunity Action"
        plain = offer(
            "opportunity", label, "Opportunity", "O",
            opportunities.opportunity_checks(state, combatant, foe),
            cost="free", rule="CS-430", inputs=inputs, details=_other_inputs(state, combatant, foe),
        )  # fmt: skip
        options.append(plain)
        if morale.level_of(combatant) is not None:
            # The key V belongs to a declared strike with words, which may be offered too.
            options.append(replace(plain, action="opportunity-words", label="the same and demoralise", key="Y",
                                 inputs=(*inputs, morale.WANTED)))  # fmt: skip
    if target_ids:
        options.append(offer("let-pass", "let it pass", "LetPass", "P", (), rule="CS-236"))
    return options


def _kind(state: FightState, combatant: Combatant, foe: Combatant) -> Input:
    return Input(
        "kind", "choice", "how", choices=opportunities.kinds_on(state, combatant, foe), default=meetings.STRIKE
    )


def _other_inputs(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Input, ...]:
    """The other inputs: the foe's defence, weapon, companions (CS-446, CS-469), and those of the blow."""
    blow = opportunities.blow_for(
        state, combatant, foe, commands.Opportunity(who=combatant.id, target=foe.id), meetings.STRIKE
    )
    defences = tuple(defence.label_with_value for defence in list_defences(state, blow))
    friends = tuple(
        other.id for other in queries.all_able(state) if other.side == combatant.side and other.id != combatant.id
    )
    holders = ("", *friends, opportunities.ANCHOR)
    labels = ("nobody", *(state.combatants[friend].name for friend in friends), "something fixed")
    inputs = [
        Input("defence", "choice", "defence", choices=defences, default=defences[0]),
        Input("weapon", "choice", "weapon", choices=attack_values.attack_names(combatant), default=blow.weapon),
        Input("chance", "number", "chance in %", optional=True),
        Input("distance", "number", "feet away", optional=True),
        Input("helper", "choice", "who holds the other end", choices=holders, shown=labels),
    ]
    if friends:
        inputs.append(Input("people", "people", "who else tackles", choices=friends, optional=True))
    # Its type of attack has an input already.
    return (*inputs, *(each for each in strike_options.blow_inputs(state, blow) if each.name != "attack"))


def inputs(state: FightState, combatant: Combatant, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """The inputs of an Opportunity Action on the given foe.

    Raises:
        Refused: it is not possible on this foe.
    """
    foe = state.combatants.get(str(answers.get("target") or ""))
    if option.command != "Opportunity" or foe is None:
        return option.inputs
    is_stated = answers.get("force") or answers.get("distance") is not None
    if not is_stated and not opportunities.converging_way(state, combatant, foe):
        enforce(meetings.meeting_checks(state, combatant, foe), Referee(option.command, combatant.id, force=False))
    return tuple(_kind(state, combatant, foe) if field.name == "kind" else field for field in option.inputs)


def _foes_in_reach(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The ids of the foes on whom a combatant can act out of turn now."""
    if first_broken(meetings.own_checks(state, combatant)) is not None:
        return ()
    foes = (foe for foe in relations.others_known(state, combatant) if foe.side != combatant.side)
    return tuple(
        foe.id
        for foe in foes
        if meetings.occasion_check(state, combatant, foe).holds
        and first_broken(meetings.foe_checks(state, combatant, foe)) is None
    )


def _break_off(state: FightState, combatant: Combatant) -> list[Option]:
    """Breaking off, for those in melee."""
    if not combatant.able or not moves.foes_in_melee(state, combatant):
        return []
    how = Input("how", "choice", "how", choices=moves.BREAK_OFF_WAYS, default=moves.RUN)
    checks = moves.break_off_checks(state, combatant)
    return [offer("break-off", "break off", "BreakOff", "X", checks, rule="CS-106", inputs=(how,))]


def _get_inside(state: FightState, combatant: Combatant) -> list[Option]:
    """Getting inside the guard of a foe who keeps one away."""
    foes = tuple(
        foe.id
        for foe in moves.foes_in_melee(state, combatant)
        if places.melee_mode(state, combatant, foe) == relations.COMMON
        and places.keep_off_feet(state, foe, combatant) > 0
    )
    if not foes:
        return []
    checks = facing.inside_checks(state, combatant, state.combatants[foes[0]])
    inputs = (
        Input("foe", "target", "inside whose guard", choices=foes, default=foes[0]),
        Input("chance", "number", "chance in %", optional=True),
    )
    return [offer("get-inside", "get inside", "GetInside", "G", checks, rule="CS-319", inputs=inputs)]
