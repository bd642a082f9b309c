"""Options to declare (CS-082) and to move, and those out of turn: standing, leaving melee, Opportunity Actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from fightcall_engine.kit.decision import concerns, question_check
from fightcall_engine.kit.phrases import list_names, question_alone
from fightcall_engine.kit.records import name_of, resume_of
from fightcall_engine.kit.views import Check, Input, Option, Referee, enforce, first_broken, offer
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.actions import declarations, moves, out_of_turn, surprises
from fightcall_engine.systems.segments.combat import attack_values, shooting
from fightcall_engine.systems.segments.combat.defences import list_defences
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.attacks import key_of
from fightcall_engine.systems.segments.rules.formulas import quarters
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    items,
    paths,
    places,
    queries,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.queries import (
    ACT,
    ATTACKS,
    CHARGE,
    COMBINATION,
    DEFEND,
    DRAFT,
    HURL,
    MOVE,
    SHOOT,
    STRIKE,
    TASK,
    action_of,
)
from fightcall_engine.systems.segments.state.records import CONCERT, MISSILE, MODES, Action, Blow, battle_of, fighter_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import STRIKINGS, Item, item_of, own_types


def numbers(**labels: str) -> tuple[Input, ...]:
    """Optional inputs of numbers, each by its name and label."""
    return tuple(Input(name, "number", label, optional=True) for name, label in labels.items())


_EFFORT = (
    Input("double_time", "choice", "twice as long, half as difficult", choices=("", "true")),
    *numbers(dv="DV of a check", skill="skill to roll", qa="quarter-actions in all", segments="length in segments"),
)
"""Optional fields of all Actions that take time (CS-127 to CS-132)."""

_HARMLESS_DEFAULTS = ("keep", "later", "usual")


def foes(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The ids of possible targets: those who are up and known, foes first, of them those in contact."""
    others = places.others_known(state, combatant)
    near = set(state.contacts_of(combatant.id))
    return tuple(
        other.id for other in sorted(others, key=lambda other: (other.side == combatant.side, other.id not in near))
    )


_Order = frozenset[tuple[str, Scalar]]


@frozen
class _Turn:
    """What all declaring options of a combatant share: its checks, price, and targets.

    Several options declare the same blow: each order is judged once against all targets, in `verdicts`.
    """

    state: FightState
    combatant: Combatant
    checks: tuple[Check, ...]
    cost: str
    foes: tuple[str, ...]
    fallen: tuple[str, ...] = ()
    verdicts: dict[_Order, dict[str, Check | None]] = field(default_factory=dict)

    @property
    def has_foes(self) -> bool:
        """Whether any foe is up; foes come first among the targets."""
        return any(self.state.are_foes(self.combatant.id, other) for other in self.foes[:1])

    @property
    def aims(self) -> Input:
        """The input for the target of an attack."""
        return Input("target", "target", "whom", choices=self.foes)


def options(state: FightState, combatant: Combatant, *between: Option) -> list[Option]:
    """The declaring options; `between` comes after the frequent and before the rare ones."""
    due = small_acts.due_text(state, combatant, Action(state=DRAFT))
    cost = "1 action" + (f", {due}" if due and due != "now" else "")
    fallen = tuple(foe.id for foe in queries.fallen_foes(state, combatant))
    turn = _Turn(state, combatant, declarations.declare_checks(state, combatant), cost, foes(state, combatant), fallen)
    # Movement that an attack needs comes first, and confirms as well.
    is_walk_first = any(option.is_closing for option in between)
    return [*_frequent(turn), *_confirm(turn, is_closing=not is_walk_first), *between, *_rare(turn)]


def _frequent(turn: _Turn) -> list[Option]:
    combatant = turn.combatant
    options = [_strike(turn), *_second_strike(turn)]
    if any(items.is_missile(thing) for thing in items.items_of(combatant)):
        # CS-255, CS-261: a shot, disabled while the weapon is not ready; and the work to make it ready.
        weapon = items.weapon_for(combatant, SHOOT, "")
        ready = shooting.ready_checks(combatant, Action(kind=SHOOT, weapon=weapon))
        shots = [_attack(turn, SHOOT, "shoot", "A", rule="CS-261", also=ready), *_preparations(turn, weapon)]
        # With a bow in hand, shooting comes first.
        options = [*shots, *options] if items.usual_attack(combatant, "") == SHOOT else [*options, *shots]
    if any(thing.get("hurlable") for thing in items.items_of(combatant)):
        options.append(_attack(turn, HURL, "hurl", "p", rule="CS-262"))
    # After the Pulses, only those who have waited declare (CS-161).
    is_movement_over = queries.kind_of(turn.state) == queries.WAITS and settings_of(turn.state).pulse_movement
    options += [
        # For the surprised, defence comes first, then the little else that they may do.
        replace(
            _declare(turn, ACT, "do something", "o", _words_input(turn), rule="CS-082", details=_EFFORT),
            is_unlikely=bool(condition.why_restricted(turn.state, combatant)),
        ),
        _task(turn),
        *([] if is_movement_over else [_declare(turn, MOVE, "only move", "M", rule="CS-121")]),
        _declare(
            turn, DEFEND, "full defence", "b",
            Input("against", "target", "against whom", choices=turn.foes, optional=True), rule="CS-166",
        ),
    ]  # fmt: skip
    return options


def _confirm(turn: _Turn, *, is_closing: bool) -> list[Option]:
    if action_of(turn.combatant).state != DRAFT:
        return []
    checks = declarations.confirm_checks(turn.state, turn.combatant)
    confirm = offer("confirm", "confirm", "Confirm", "y", checks, rule="CS-084")
    # Going on confirms as well.
    return [replace(confirm, is_closing=is_closing, is_unlikely=True)]


def _rare(turn: _Turn) -> list[Option]:
    """Rare options: a Charge (CS-539), a Combination, a Presence attack (CS-510), a secret Action (CS-087)."""
    seen = Input("public", "text", "what the others see", optional=True)
    return [
        *_presence_strike(turn),
        _attack(turn, CHARGE, "charge", "C", rule="CS-539"),
        *_inside_strike(turn),
        *_combination(turn),
        _declare(
            turn, ACT, "do something in secret", "S", _words_input(turn), seen, rule="CS-087", details=_EFFORT,
            name="secret", secret=True,
        ),
    ]  # fmt: skip


def _presence_strike(turn: _Turn) -> list[Option]:
    """CS-510: a strike with a Presence attack, for those with a Presence skill."""
    if condition.presence_level(turn.combatant) is None:
        return []
    inputs = (turn.aims, condition.LINE_INPUT)
    option = _declare(turn, STRIKE, "strike and demoralise", "V", *inputs, rule="CS-510", name="words")
    return [_with_reachable_targets(turn, option)]


def _words_input(turn: _Turn) -> Input:
    """The input for free words; for the surprised or frightened, with words that they may use."""
    held = condition.why_restricted(turn.state, turn.combatant)
    default = "dodge" if held else condition.USUAL_ACTS.get(fighter_of(turn.combatant).morale, "")
    return Input("text", "text", "describe the act", default=default)


def _declare(
    turn: _Turn,
    kind: str,
    label: str,
    key: str,
    *inputs: Input,
    rule: str,
    details: tuple[Input, ...] = (),
    also: tuple[Check, ...] = (),
    name: str = "",
    **fixed: Scalar,
) -> Option:
    # Free words are judged when they are given: the surprised may speak of backing away.
    surprised = () if kind == ACT else condition.surprise_checks(turn.combatant, Action(kind=kind))
    daunted = (condition.attack_check(turn.combatant),) if kind in ATTACKS else ()
    checks = (*turn.checks, *surprised, *daunted, *small_acts.declared_checks(turn.combatant, Action(kind=kind)), *also)
    return offer(
        f"declare-{name or kind}", label, "Declare", key, checks, cost=turn.cost, rule=rule,
        fixed={"action": kind, **fixed}, inputs=inputs, details=details,
    )  # fmt: skip


# Attacks


def _strike(turn: _Turn) -> Option:
    """A strike with the weapon in hand, else with one drawn in the same Action (CS-123)."""
    weapon = items.weapon_for(turn.combatant, STRIKE, "")
    sheathed = items.sheathed_weapon(turn.combatant) if weapon == items.BARE else ""
    dropped = items.item_to_drop(turn.combatant) if sheathed else ""
    label = f"draw and strike ({sheathed})" if sheathed else f"strike ({weapon})"
    label = f"drop the {dropped}, {label}" if dropped else label
    if not sheathed:
        return _attack(turn, STRIKE, label, "s", rule="CS-082")
    return _attack(turn, STRIKE, label, "s", rule="CS-082", weapon=sheathed, components=_drawing(dropped))


def _second_strike(turn: _Turn) -> list[Option]:
    """A strike with the weapon in the other hand, if there is one."""
    names = tuple(dict.fromkeys(map(items.name_of, items.weapons_in_hand(turn.combatant))))
    if len(names) < 2:
        return []
    return [_attack(turn, STRIKE, f"strike ({names[1]})", "2", rule="CS-082", name="strike-2", weapon=names[1])]


def _drawing(dropped: str) -> str:
    return f"{small_acts.DROP_OR_GRAB} {small_acts.DRAW}" if dropped else small_acts.DRAW


def _attack(
    turn: _Turn, kind: str, label: str, key: str, *, rule: str, also: tuple[Check, ...] = (), name: str = "",
    **fixed: Scalar,
) -> Option:  # fmt: skip
    details = _attack_inputs(turn, kind)
    option = _declare(
        turn, kind, label, key, turn.aims, rule=rule, details=details, also=also, name=name, **fixed
    )  # fmt: skip
    return _with_reachable_targets(turn, option)


def _with_reachable_targets(turn: _Turn, option: Option) -> Option:
    """An attack option with the targets that it can reach; without any, disabled with the reason.

    They are those of the usual weapon; another one, named in the inputs, may reach others.
    """
    if not option.legal:
        return option
    if not (turn.foes or turn.fallen):
        return replace(option, legal=False, why="no one is here to attack", rule="CS-342")
    broken, has_foes = _broken_checks(turn, option), turn.has_foes
    fit = tuple(foe for foe in turn.foes if broken[foe] is None)
    fallen = tuple(foe for foe in turn.fallen if broken[foe] is None)
    first = broken[turn.foes[0]] if turn.foes else None
    # An ally next to the attacker is not a target while there are foes.
    allies = {foe for foe in turn.foes if has_foes and not turn.state.are_foes(turn.combatant.id, foe)}
    standing = tuple(foe for foe in fit if foe not in allies)
    if fallen and not (has_foes and standing):
        # A blow at those who are down is possible, and never proposed.
        return replace(_with_targets(option, (*fallen, *standing)), is_unlikely=True)
    if first is not None and not standing:
        intended_option = _with_targets(option, tuple(foe for foe in turn.foes if foe not in allies))
        return replace(intended_option, legal=False, why=first.message, rule=first.rule)
    targets = (*standing, *fallen, *(foe for foe in fit if foe in allies))
    # With no known enemy only comrades are left, and none of them is proposed.
    return replace(_with_targets(option, targets), is_unlikely=option.is_unlikely or not has_foes)


def _with_targets(option: Option, fit: tuple[str, ...]) -> Option:
    inputs = tuple(replace(wanted, choices=fit) if wanted.name == "target" else wanted for wanted in option.inputs)
    return replace(option, inputs=inputs)


def _broken_checks(turn: _Turn, option: Option) -> dict[str, Check | None]:
    """The first check that the option breaks against each target, in any of its modes; None if it breaks none."""
    modes = next((wanted.choices for wanted in option.inputs if wanted.name == "mode"), ("",))
    orders: Iterable[_Order] = (frozenset({**option.fixed, "mode": mode}.items()) for mode in modes)
    first, *others = (turn.verdicts.get(order) or _judge_order(turn, order) for order in orders)
    if not others:
        return first
    verdicts = (first, *others)
    return {target: next((each[target] for each in verdicts if each[target] is not None), None) for target in first}


def _judge_order(turn: _Turn, order: _Order) -> dict[str, Check | None]:
    targets = (*turn.foes, *turn.fallen)
    action = _build_action(turn, dict(order), targets[0])
    broken = first_broken(small_acts.declared_checks(turn.combatant, action))
    verdicts = turn.verdicts[order] = dict.fromkeys(targets, broken)
    if broken is not None:
        return verdicts
    committed = declarations.state_after_commit(turn.state, turn.combatant, action)
    easy = declarations.easy_targets(turn.state, committed, turn.combatant, action, turn.foes)
    for target in targets:
        if target not in easy:
            aimed = replace(action, targets=(target,), on_fallen=target in turn.fallen)
            if small_acts.turn_octants(aimed):
                committed = declarations.state_after_commit(turn.state, turn.combatant, aimed)
            verdicts[target] = first_broken(declarations.order_checks(committed, turn.combatant, aimed))
    return verdicts


def _build_action(turn: _Turn, values: Mapping[str, Scalar], foe: str) -> Action:
    """The Action that an order stands for; against another foe only its target differs."""
    words = {name: str(values.get(name) or "") for name in ("action", "weapon", "second", "mode")}
    drawn, inside = tuple(str(values.get("components") or "").split()), values.get("inside") is True
    command = commands.Declare(who=turn.combatant.id, components=drawn, inside=inside, target=foe, **words)  # type: ignore[arg-type]
    judge = Referee(command.type, turn.combatant.id, force=True)
    return declarations.build_action(turn.state, turn.combatant, command, judge)


def _inside_strike(turn: _Turn) -> list[Option]:
    """CS-320: a strike at those whom only a longer weapon keeps away, getting inside first."""
    label = "step inside and strike"
    option = _declare(turn, STRIKE, label, "G", turn.aims, rule="CS-320", name="inside", inside=True)
    outside = replace(option, fixed={"action": STRIKE})
    broken = _broken_checks(turn, outside) if turn.foes else {}
    kept_off = tuple(foe for foe in turn.foes if (check := broken[foe]) and check.rule == "CS-318")
    aimed = _with_reachable_targets(replace(turn, foes=kept_off, fallen=()), option)
    return [aimed] if aimed.legal else []


def _preparations(turn: _Turn, weapon: str) -> list[Option]:
    """CS-401, CS-139: the steps up to the next shot as one task, or stringing a bow."""
    combatant, thing = turn.combatant, items.item_named(turn.combatant, weapon)
    if thing is None:
        return []
    if weapon_uses.is_crossbow(thing):
        is_known = weapon_uses.state_of(combatant) != weapon_uses.UNKNOWN
        needed = is_known and bool(weapon_uses.steps_left(combatant, thing))
        word, label, rule = weapon_uses.RELOAD, f"reload ({weapon})", "CS-401"
    else:
        needed = weapon_uses.is_bow(thing) and fighter_of(combatant).unstrung
        word, label, rule = small_acts.STRING_BOW, f"string ({weapon})", "CS-139"
    if not needed:
        return []
    command = commands.Declare(who=combatant.id, components=(word,), weapon=weapon)
    qa = sum(piece.qa for piece in small_acts.pieces_of(turn.state, combatant, command))
    due = small_acts.due_text(turn.state, combatant, Action(state=DRAFT, kind=TASK, need=qa))
    option = _declare(turn, TASK, label, "Q", rule=rule, name="reload", components=word, weapon=weapon)
    return [replace(option, cost=f"{quarters(qa)}, {due}".removesuffix(", "))]


def _attack_inputs(turn: _Turn, kind: str) -> tuple[Input, ...]:
    """The inputs of an attack: its type, weapon, arrow head, and second weapon."""
    combatant = turn.combatant
    inputs: list[Input] = []
    types = _types(turn.state, combatant, kind)
    if len(types) > 1:
        inputs.append(Input("attack", "choice", "type of attack", choices=types))
    weapons = tuple(dict.fromkeys(items.name_of(thing) for thing in items.items_of(combatant)))
    default_weapon = items.weapon_for(combatant, kind, "")
    if kind == STRIKE and default_weapon == items.BARE:
        default_weapon = items.sheathed_weapon(combatant) or default_weapon
    if len(weapons) > 1:
        default = default_weapon if default_weapon in weapons else weapons[0]
        inputs.append(Input("weapon", "choice", "weapon", choices=weapons, default=default))
    second = [name for name in _names_in_hand(combatant) if name != default_weapon]
    if second and kind == STRIKE:
        inputs.append(Input("second", "choice", "second weapon", choices=tuple(second)))
        inputs.append(_second_target_input(turn))
    if kind == SHOOT:
        inputs += arrow_inputs(turn.state, item_of(combatant, default_weapon))
    together = small_acts.pairs_with_kind(kind)
    return (*inputs, *((Input("components", "choice", "two acts as one", choices=together),) if together else ()))


def _second_target_input(turn: _Turn) -> Input:
    """CS-342: the input for the target of the second weapon."""
    return Input("other", "target", "second target", choices=turn.foes, optional=True)


def _types(state: FightState, combatant: Combatant, kind: str) -> tuple[str, ...]:
    """CS-349: the types of attack possible with any carried item."""
    things = [item_of(combatant, items.weapon_for(combatant, kind, "")), *items.items_of(combatant)]
    open_now = {each.key for thing in things for each in attack_values.open_types(state, combatant, kind, thing)}
    own_keys = {key_of(name) for thing in things for name in own_types(combatant, thing)}
    first = attack_values.default_type(state, combatant, kind, things[0])
    return tuple(sorted(open_now, key=lambda key: (key != first, key not in own_keys, key)))


def _names_in_hand(combatant: Combatant) -> tuple[str, ...]:
    things = sorted(items.items_in_hand(combatant).values(), key=items.is_shield)
    return tuple(dict.fromkeys(items.name_of(thing) for thing in things))


def _combination(turn: _Turn) -> list[Option]:
    """CS-364, CS-365, CS-369: a Combination of both hands, for those with an item in each."""
    combatant, in_hand = turn.combatant, _names_in_hand(turn.combatant)
    if len(in_hand) < 2:
        return []
    first, second = in_hand[:2]
    levels = {mode: attack_values.combination_sl(combatant, first, second, mode) for mode in MODES}
    modes = tuple(mode for mode, level in levels.items() if level is not None)
    mode = Input("mode", "choice", "how", choices=modes or (CONCERT,))
    blow = Blow(combatant.id, "", weapon=first, second=second, mode=mode.choices[0])
    other = Input("second", "choice", "second weapon", choices=in_hand, default=second)
    option = _declare(
        turn, COMBINATION, f"Combination ({first} and {second})", "3", turn.aims, mode, rule="CS-364",
        details=(*_attack_inputs(turn, COMBINATION), other, _second_target_input(turn)),
        also=attack_values.mode_checks(combatant, blow), weapon=first, second=second,
    )  # fmt: skip
    return [_with_reachable_targets(turn, option)]


# Tasks


def _task(turn: _Turn) -> Option:
    sheathed = items.sheathed_weapon(turn.combatant)
    draw = (_drawing(items.item_to_drop(turn.combatant)),) if sheathed else ()
    known = (*formulas.components(), *draw, *battle_of(turn.state).tasks)
    words = tuple(key.replace("_", " ") for key in known)
    what = Input("components", "text", "task (table 4-1, or words=quarters)", choices=known, shown=words)
    friends = [other for other in places.others_known(turn.state, turn.combatant) if not action_of(other).is_open]
    friends.sort(key=lambda other: turn.state.are_foes(turn.combatant.id, other.id))
    near = tuple(other.id for other in friends)
    helper = Input("helper", "target", "who helps", choices=near, default=next(iter(near), ""))
    return _declare(turn, TASK, "a task", "t", what, helper, rule="CS-130", details=_EFFORT)


def inputs(state: FightState, combatant: Combatant, option: Option, answers: Mapping[str, Json]) -> tuple[Input, ...]:
    """A task's inputs; a helper is asked for only if the table needs one (CS-136, CS-137)."""
    words = str(answers.get("components") or "")
    if option.action != "declare-task" or not words:
        return option.inputs
    command = commands.Declare(
        who=combatant.id, components=tuple(words.split()), weapon=str(answers.get("weapon") or "")
    )
    if small_acts.pair_of_command(command) is not None:
        return option.inputs[:1]
    try:
        pieces_named = small_acts.pieces_of(state, combatant, command)
    except small_acts.MissingInput:
        return option.inputs[:1]
    components = [small_acts.find_component(piece.key) for piece in pieces_named]
    return option.inputs if any(each is not None and each.helper for each in components) else option.inputs[:1]


# Options of movement, and out of turn


def movement(state: FightState, combatant: Combatant) -> list[Option]:
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
    if settings_of(state).pulse_movement and paths.has_plan(combatant):
        run_text = moves.continued_run(state, combatant)
        label = f"stand still ({run_text})" if run_text else "stand still"
        options.append(offer("hold", label, "Hold", "k", moves.hold_checks(state, combatant), rule="CS-233"))
    if battle_of(state).interrupted == combatant.id or fighter_of(combatant).rest > 0:
        about = tuple(prompt for prompt in paths.opportunity_prompts(state) if combatant.id in concerns(prompt))
        resume = offer("resume", "keep moving", "Resume", "R", (question_check(state),), rule="CS-440")
        options.append(replace(resume, loses=_lapsing_offers(about, state)))
    return [*options, *_opportunities(state, combatant), *_break_off(state, combatant)]


def _lapsing_offers(prompts: Sequence[Prompt], state: FightState) -> str:
    """The offers that lapse if movement continues: possible strikes, and other questions."""
    strikers: dict[str, list[str]] = {}
    asked: list[str] = []
    for prompt in prompts:
        if prompt.kind == paths.OFFER:
            target_id = resume_of(prompt, OfferedOpportunity).other
            strikers.setdefault(name_of(state, target_id), []).append(name_of(state, prompt.who))
        elif not (prompt.is_remark or prompt.default in _HARMLESS_DEFAULTS):
            asked.append(f'the answer to "{question_alone(prompt.question)}"')
    chances = [f"{list_names(names)}'s chance to strike {target}" for target, names in strikers.items()]
    return "; ".join((*chances, *asked))


def _opportunities(state: FightState, combatant: Combatant) -> list[Option]:
    target_ids = paths.foes_offered(state, combatant)
    targets = tuple(dict.fromkeys((*target_ids, *_foes_in_reach(state, combatant))))
    options = []
    if targets:
        foe = state.combatants[targets[0]]
        whom = Input("target", "target", "on whom", choices=targets, default=targets[0])
        inputs = (whom, _kind(state, combatant, foe))
        label = "another Opportunity Action" if target_ids else "Opportunity Action"
        plain = offer(
            "opportunity", label, "Opportunity", "O",
            out_of_turn.opportunity_checks(state, combatant, foe),
            cost="free", rule="CS-430", inputs=inputs, details=_other_inputs(state, combatant, foe),
        )  # fmt: skip
        options.append(plain)
        if condition.presence_level(combatant) is not None:
            # The key V belongs to a declared strike with words, which may be offered too.
            options.append(replace(plain, action="opportunity-words", label="the same and demoralise", key="Y",
                                 inputs=(*inputs, condition.LINE_INPUT)))  # fmt: skip
    if target_ids:
        options.append(offer("let-pass", "let it pass", "LetPass", "P", (), rule="CS-236"))
    return options


def _kind(state: FightState, combatant: Combatant, foe: Combatant) -> Input:
    return Input("kind", "choice", "how", choices=out_of_turn.kinds_on(state, combatant, foe), default=paths.STRIKE)


def _other_inputs(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Input, ...]:
    """The other inputs: the foe's defence, weapon, companions (CS-446, CS-469), and those of the blow."""
    blow = out_of_turn.blow_for(
        state, combatant, foe, commands.Opportunity(who=combatant.id, target=foe.id), paths.STRIKE
    )
    defences = tuple(defence.label_with_value for defence in list_defences(state, blow))
    friends = tuple(
        other.id for other in queries.all_able(state) if other.side == combatant.side and other.id != combatant.id
    )
    holders = ("", *friends, out_of_turn.ANCHOR)
    labels = ("nobody", *(state.combatants[friend].name for friend in friends), "something fixed")
    inputs = [
        Input("defence", "choice", "defence", choices=defences, default=defences[0]),
        Input("weapon", "choice", "weapon", choices=attack_values.attack_names(combatant), default=blow.weapon),
        *numbers(chance="chance in %", distance="feet away"),
        Input("helper", "choice", "who holds the other end", choices=holders, shown=labels),
    ]
    if friends:
        inputs.append(Input("people", "people", "who else tackles", choices=friends, optional=True))
    # Its type of attack has an input already.
    return (*inputs, *(each for each in blow_inputs(state, blow) if each.name != "attack"))


def movement_inputs(
    state: FightState, combatant: Combatant, option: Option, answers: Mapping[str, Json]
) -> tuple[Input, ...]:
    """The inputs of an Opportunity Action on the given foe."""
    foe = state.combatants.get(str(answers.get("target") or ""))
    if option.command != "Opportunity" or foe is None:
        return option.inputs
    is_stated = answers.get("force") or answers.get("distance") is not None
    if not is_stated and not out_of_turn.converging_way(state, combatant, foe):
        enforce(paths.meeting_checks(state, combatant, foe), Referee(option.command, combatant.id, force=False))
    return tuple(_kind(state, combatant, foe) if field.name == "kind" else field for field in option.inputs)


def _foes_in_reach(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    checks = (*paths.time_checks(state, combatant), *paths.free_checks(state, combatant), question_check(state))
    if first_broken(checks) is not None:
        return ()
    return tuple(
        foe.id
        for foe in places.people_near(state, combatant, paths.farthest_reach(combatant))
        if foe.able
        and foe.side != combatant.side
        and places.has_noticed(combatant, foe)
        and paths.reach_of(state, combatant, foe) != "out"
        and paths.occasion_check(state, combatant, foe).holds
        and first_broken(paths.foe_checks(state, combatant, foe)) is None
    )


def _break_off(state: FightState, combatant: Combatant) -> list[Option]:
    if not combatant.able or not moves.foes_in_melee(state, combatant):
        return []
    how = Input("how", "choice", "how", choices=moves.BREAK_OFF_WAYS, default=moves.RUN)
    checks = moves.break_off_checks(state, combatant)
    return [offer("break-off", "break off", "BreakOff", "X", checks, rule="CS-106", inputs=(how,))]


def _get_inside(state: FightState, combatant: Combatant) -> list[Option]:
    foes = tuple(
        foe.id
        for foe in moves.foes_in_melee(state, combatant)
        if places.melee_mode(state, combatant, foe) == places.COMMON and places.keep_off_feet(state, foe, combatant) > 0
    )
    if not foes:
        return []
    checks = surprises.inside_checks(state, combatant, state.combatants[foes[0]])
    whose = Input("foe", "target", "inside whose guard", choices=foes, default=foes[0])
    inputs = (whose, *numbers(chance="chance in %"))
    return [offer("get-inside", "get inside", "GetInside", "G", checks, rule="CS-319", inputs=inputs)]


# Inputs of a blow


YES_NO = ("true", "false")
SHIELD = Input("shield", "choice", "shield in the way", choices=("", *YES_NO))


def arrow_inputs(state: FightState, thing: Item, head_name: str = "") -> tuple[Input, ...]:
    """The input for the arrow head of a shot with a bow, with the head that is given already."""
    table, bow_heads = settings.armoury_of_fight(state), weapon_uses.heads_of_bow(state, thing)
    heads = bow_heads or (tuple(table.arrow_heads.values()) if weapon_uses.is_bow(thing) else ())
    if len(heads) < 2:
        return ()
    arrow_head = table.arrow_head(head_name) if head_name else None
    default_head = arrow_head or (bow_heads[0] if bow_heads else None)
    return (
        Input(
            "arrow_head", "choice", "arrow head", choices=tuple(head.key for head in heads),
            default=default_head.key if default_head is not None else "", shown=tuple(head.called for head in heads),
        ),
    )  # fmt: skip


def blow_inputs(state: FightState, blow: Blow, *, combination: bool = False) -> tuple[Input, ...]:
    """The inputs of a melee blow, a throw or a shot, as far as they matter for it."""
    inputs = [
        *numbers(modifier="modifier", dv_modifier="harder by"),
        *_type(state, blow, combination),
        *_striking(state.combatants[blow.attacker], blow),
        SHIELD,
        *numbers(barrier="feet to a barrier", pot="POT"),
    ]
    if blow.kind == MISSILE:
        bow = item_of(state.combatants[blow.attacker], blow.weapon)
        inputs += arrow_inputs(state, bow, blow.arrow_head)
    if blow.ranged:
        inputs += numbers(distance="distance in feet", rise="target higher by feet")
    else:
        inputs += numbers(charge="mph of a charge", drop="feet of a drop")
    return (*inputs, *numbers(av="AV", dv="DV"))


def _type(state: FightState, blow: Blow, combination: bool) -> tuple[Input, ...]:
    """CS-349, CS-350: the type of attack, if there are several."""
    combatant = state.combatants[blow.attacker]
    kind = attack_values.kind_for_types(blow, combination)
    types = attack_values.open_types(state, combatant, kind, item_of(combatant, blow.weapon))
    open_now = tuple(attack_type.key for attack_type in types)
    if len(open_now) < 2:
        return ()
    return (Input("attack", "choice", "type of attack", choices=open_now, default=blow.attack),)


def _striking(combatant: Combatant, blow: Blow) -> tuple[Input, ...]:
    """CS-603: edge, point or blunt, if the weapon has several."""
    thing = item_of(combatant, blow.weapon)
    entry = thing.get("effects")
    strikings = tuple(str(each) for each in (entry if isinstance(entry, list | tuple) else ()) if each in STRIKINGS)
    if len(strikings) < 2:
        return ()
    return (Input("struck", "choice", " or ".join(strikings), choices=strikings, default=strikings[0]),)
