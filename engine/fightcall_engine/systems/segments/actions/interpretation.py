"""What a declaration means: its Action, what is seen of it, and the work of helpers (CS-080 to CS-140)."""

from __future__ import annotations

from typing import cast

from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Referee, enforce
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import attack_values, shooting
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.attacks import COMMON_STRIKE
from fightcall_engine.systems.segments.rules.clock import Slot, taking_time
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    items,
    paths,
    queries,
    settings,
    small_acts,
)
from fightcall_engine.systems.segments.state.records import Action, Blow, BodyPart, Piece, fighter_of
from fightcall_engine.systems.segments.state.small_acts import (
    DRAW,
    LONGEST_QA,
    SLEEVE,
    difficulty_of,
    find_component,
    piece_label,
    pieces_of,
    segments_in_qa,
)
from fightcall_engine.systems.segments.state.weapon_uses import bare_if_unarmed, type_of

TIED = "tied"


def build_action(state: FightState, combatant: Combatant, command: commands.Declare, referee: Referee) -> Action:
    """The Action that a command declares; a refusal lists what would be accepted."""
    kind = kind_of(combatant, command)
    pair = small_acts.pair_of_command(command)
    pieces = pieces_of(state, combatant, command) if pair is None else pair
    need = _length_of(state, combatant, kind, command, pieces)
    dv, skill = check_numbers(state, combatant, command, pieces)
    if command.double_time:
        effort = taking_time(dv or 0, need)
        need, dv = effort.qa, None if dv is None else effort.dv
    if command.helper and command.qa is command.segments is command.seconds is None:
        need = _qa_until(
            state, combatant, small_acts.due_slot(state, combatant_of(state, command.helper), Action(need=need)), need
        )
    weapon = items.weapon_for(combatant, kind, command.weapon)
    if not weapon and any(piece.key == DRAW for piece in pieces):
        weapon = items.sheathed_weapon(combatant)
    if kind in queries.MELEE and not (command.second or command.mode) and command.attack:
        blow = Blow(combatant.id, "", weapon=weapon, attack=settings.attack_key(state, command.attack))
        weapon = bare_if_unarmed(state, blow).weapon
    aims = (command.target, command.other)
    targets = tuple(combatant_of(state, combatant_id).id for combatant_id in aims if combatant_id)
    foe = command.against or (command.target if kind == queries.DEFEND else "")
    against = combatant_of(state, foe).id if foe else ""
    line = condition.clean_line(command.line)
    if line and kind not in queries.ATTACKS:
        raise Refused("CS-510", "words like these go with an attack", queries.ATTACKS, final=True)
    enforce(condition.line_checks(combatant, line), referee)
    text = command.text.strip() or _describe_action(
        state, kind, _weapon_text(state, combatant, weapon, command), targets, pieces, against
    )
    action = Action(
        state=queries.DRAFT,
        kind=kind,
        text=text + (", past the weapon first" if command.inside else "") + condition.quote_line(line),
        public=command.public.strip(),
        secret=command.secret,
        components=pieces,
        weapon=weapon,
        second=command.second,
        attack=command.attack,
        targets=targets,
        mode=command.mode,
        against=against,
        parts=bound_parts(combatant, kind, weapon, command),
        need=need,
        cs=state.round,
        in_pass=queries.pass_number(state),
        dv=dv,
        skill=skill,
        rolled=_is_rolled(kind, dv, skill),
        helper=combatant_of(state, command.helper).id if command.helper else "",
        line=line,
        arrow_head=command.arrow_head,
        inside=command.inside,
        double_time=command.double_time,
        on_fallen=any(not state.combatants[target].able for target in targets),
    )
    referee.require(
        not command.inside or kind in queries.MELEE,
        "CS-319",
        "only a melee attack can step inside first",
        *queries.MELEE,
    )
    action = attack_values.with_attack_type(state, combatant, action, referee)
    _check_action(state, combatant, command, action, referee)
    return action


def _check_action(
    state: FightState, combatant: Combatant, command: commands.Declare, action: Action, referee: Referee
) -> None:
    """Check an Action: that it can be declared as it is."""
    _check_public_part(combatant, command, action, referee)
    condition.check_surprise_allows(combatant, action, referee)
    enforce((*small_acts.declared_checks(combatant, action), paths.distance_check(state, combatant, action)), referee)
    enforce(shooting.declared_checks(combatant, action), referee)
    pair = small_acts.pair_of_command(command)
    if pair is not None:
        enforce((small_acts.rise_check(combatant, pair[0].key, pair[1].key),), referee)
    _check_helper(state, combatant, command, action.components, referee)


def _check_public_part(combatant: Combatant, command: commands.Declare, action: Action, referee: Referee) -> None:
    """CS-088, CS-089: check that a secret Action has a public part."""
    physical = bool(command.parts or command.components) or action.kind in (
        *queries.ATTACKS,
        queries.MOVE,
        queries.OBJECT,
    )
    question = f"others can see part of what {combatant.name} does: what do they see?"
    referee.require(not (action.secret and physical) or bool(action.public), "CS-089", question, "public")


def check_numbers(
    state: FightState, combatant: Combatant, command: commands.Declare, pieces: tuple[Piece, ...]
) -> tuple[int | None, int | None]:
    """DV and AV of its check, as given; the DV defaults to that of a piece of work (CS-139).

    The AV of a STR check is taken when the check is made.
    """
    return difficulty_of(state, combatant, command, pieces) if command.dv is None else command.dv, command.skill


def kind_of(combatant: Combatant, command: commands.Declare) -> str:
    """The kind of the Action, as given or by the other fields."""
    if command.action:
        if command.action not in queries.KINDS:
            raise Refused("CS-082", f"unknown kind of Action: {command.action!r}", queries.KINDS, final=True)
        return command.action
    if small_acts.kind_of_command(command):
        return small_acts.kind_of_command(command)
    if command.second and command.mode:
        return queries.COMBINATION
    if (command.target and set(command.components) <= {DRAW}) or (command.weapon and not command.components):
        return items.usual_attack(combatant, command.weapon)
    if command.against:
        return queries.DEFEND
    lengths = (command.qa, command.segments, command.seconds)
    if command.components or any(length is not None for length in lengths):
        return queries.TASK
    return queries.ACT if command.text.strip() else queries.MOVE


def _is_rolled(kind: str, dv: int | None, skill: int | None) -> bool:
    """Whether its Resolution needs dice or a GM ruling (CS-127)."""
    if kind in (queries.MOVE, queries.DEFEND):
        return False
    return kind != queries.TASK or dv is not None or skill is not None


def _weapon_text(state: FightState, combatant: Combatant, weapon: str, command: commands.Declare) -> str:
    """The weapons, their mode and the type of attack in words (CS-349)."""
    attack = settings.attack_key(state, command.attack)
    named = type_of(state, Blow(combatant.id, "", weapon=weapon, attack=attack)) if attack else None
    armed = weapon if weapon != items.BARE and not (named is not None and named.whole_body) else ""
    both = " and ".join(name for name in (armed, command.second) if name)
    how = f", {_MODES.get(command.mode, command.mode)}" if command.mode else ""
    kind = f": {named.label}" if named is not None and named.key != COMMON_STRIKE else ""
    return f"{f' with {both}' if both else ''}{how}{kind}"


def _describe_action(
    state: FightState, kind: str, with_what: str, targets: tuple[str, ...], pieces: tuple[Piece, ...], against: str
) -> str:
    names = " and ".join(state.combatants[combatant_id].name for combatant_id in targets)
    if kind == queries.DEFEND:
        return f"full defence{f' against {state.combatants[against].name}' if against else ''}"
    if kind in queries.ATTACKS:
        return f"{_VERBS[kind]}{f' {names}' if names else ''}{with_what}"
    if pieces:
        return ", ".join(
            piece_label(piece) + (with_what.removeprefix(" with") if piece.key == DRAW else "") for piece in pieces
        )
    return {queries.MOVE: "move", queries.OBJECT: "take an object"}.get(kind, kind)


_VERBS = {
    queries.STRIKE: "strike",
    queries.CHARGE: "charge",
    queries.SHOOT: "shoot at",
    queries.HURL: "hurl at",
    queries.COMBINATION: "strike",
}

_MODES = {"concert": "in concert", "separate": "each for itself", "mixed": "one to defend"}


def public_text(action: Action) -> str:
    """The public part of an Action (CS-085 to CS-089)."""
    return (action.public or queries.PUBLIC_NOTHING) if action.secret else action.text


# Length


def _length_of(
    state: FightState, combatant: Combatant, kind: str, command: commands.Declare, pieces: tuple[Piece, ...]
) -> int:
    """Its length in quarter-actions: by GM ruling, by time, by its pieces, else one Action (CS-128).

    Pieces beside an attack, or that prepare it, are done within its time if they fit (CS-126).
    """
    lengths = {"qa": command.qa, "segments": command.segments, "seconds": command.seconds}
    for name, value in lengths.items():
        if value is not None and not 0 < value <= 100_000:
            raise Refused("CS-132", f"{name} can't be {value}", ("above 0",), final=True)
    if command.qa is not None:
        return command.qa
    if command.segments is not None:
        return segments_in_qa(state, combatant, command.segments)
    if command.seconds is not None:
        return segments_in_qa(state, combatant, clock.segments_of(command.seconds))
    if small_acts.pair_of_command(command) is not None:
        return clock.QA_AN_ACTION
    whole = int(clock.whole_task([(piece.key, piece.qa) for piece in pieces]).total)
    if whole > LONGEST_QA:
        raise Refused("CS-130", f"{whole} quarter-actions in all", (f"{LONGEST_QA} at most",), final=True)
    if kind in queries.ATTACKS:
        return max(whole, clock.QA_AN_ACTION)
    return whole or clock.QA_AN_ACTION


# Body parts


def bound_parts(combatant: Combatant, kind: str, weapon: str, command: commands.Declare) -> tuple[BodyPart, ...]:
    """The body parts an Action binds: as given, else by its kind (CS-120, CS-146)."""
    wrong = [part for part in command.parts if part not in queries.PARTS]
    if wrong:
        raise Refused("CS-120", f"unknown part of the body: {wrong[0]!r}", queries.PARTS, final=True)
    if command.parts:
        return cast(tuple[BodyPart, ...], command.parts)
    if command.helper:
        return (queries.BODY,)
    if kind in queries.ATTACKS:
        hands = items.hands_holding(combatant, weapon) or (queries.RIGHT,)
        more = items.hands_holding(combatant, command.second) if command.second else ()
        preparing_hands = (
            (queries.RIGHT, queries.LEFT) if command.components and small_acts.pair_of_command(command) is None else ()
        )
        legs = (queries.LEGS,) if kind == queries.CHARGE else ()
        parts: tuple[BodyPart, ...] = (*hands, *more, *preparing_hands, *legs)
        return tuple(part for place, part in enumerate(parts) if part not in parts[:place])
    if (
        kind == queries.TASK
        and small_acts.pair_of_command(command) is not None
        and not small_acts.has_two_handed_pair(command)
    ):
        return ()
    if kind == queries.TASK and weapon and small_acts.is_momentary(command):
        return ()
    if kind == queries.TASK and command.secret and not command.components:
        return ()  # No hand is visibly at work (CS-087).
    default_parts: dict[str, tuple[BodyPart, ...]] = {
        queries.MOVE: (queries.LEGS,),
        queries.TASK: (queries.RIGHT, queries.LEFT),
    }
    return default_parts.get(kind, ())


# Work done by a helper


def _check_helper(
    state: FightState, combatant: Combatant, command: commands.Declare, pieces: tuple[Piece, ...], referee: Referee
) -> None:
    """CS-135 to CS-137: check that the helper is there and free, and that sleeves are tied on with their jerkin."""
    for piece in pieces:
        if piece.key == SLEEVE and fighter_of(combatant).sleeves == TIED:
            problem = f"{combatant.name}'s sleeves are tied to the jerkin and go on with it"
            referee.require(False, "CS-135", problem, "don_coat", RulingWanted("sleeves"))
        component_of_task = find_component(piece.key)
        if component_of_task is not None and component_of_task.helper:
            problem = f"{piece_label(piece)}: someone else must do this"
            others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != combatant.id)
            referee.require(bool(command.helper), component_of_task.rule, problem, "helper", *others)
    if command.helper:
        _check_hands(combatant, combatant_of(state, command.helper), referee)


def _check_hands(combatant: Combatant, helper: Combatant, referee: Referee) -> None:
    referee.require(helper.id != combatant.id, "CS-136", f"{combatant.name} can't be the helper too", "someone else")
    referee.require(helper.able, "CS-136", f"{helper.name} is down", "someone who isn't down")
    busy = queries.action_of(helper)
    is_helping_already = fighter_of(helper).helps == combatant.id
    referee.require(
        not busy.is_open or is_helping_already,
        "CS-146",
        f"{helper.name} is busy: {busy.text or busy.kind}",
        "abort",
        "another",
    )


def _qa_until(state: FightState, combatant: Combatant, end: Slot | None, need: int) -> int:
    if end is None:
        return need
    own_segment, rate = queries.own_segment(state, combatant), queries.rate_of_action(combatant)
    to_come = clock.owed_until(own_segment + end.segment - state.round, rate) - clock.owed_until(own_segment, rate)
    return clock.QA_AN_ACTION * max(1, queries.slots_left(combatant) + to_come)


def helper_events(state: FightState, combatant: Combatant, action: Action) -> Events:
    """CS-136: the event that puts the helper to work for as long as it takes."""
    helper = state.combatants.get(action.helper)
    if helper is None or helper.id == combatant.id:
        return ()
    help_action = Action(
        state=queries.COMMITTED,
        kind=queries.TASK,
        text=f"help {combatant.name}: {action.text}",
        components=action.components,
        parts=(queries.RIGHT, queries.LEFT, queries.LEGS),
        need=_qa_until(state, helper, small_acts.due_slot(state, combatant, action), action.need),
        cs=state.round,
        in_pass=queries.pass_number(state),
        rolled=False,
    )
    return (
        events.Declared(
            who=helper.id,
            traits={"action": help_action, "waiting": False, "helps": combatant.id},
            shown=help_action.text,
            action=help_action.kind,
            qa_need=help_action.need,
            due=small_acts.due_text(state, helper, help_action),
        ),
    )


def helpers_of(state: FightState, combatant_id: str) -> tuple[Combatant, ...]:
    """The combatants at work for this one."""
    return tuple(
        other
        for other in state.combatants.values()
        if fighter_of(other).helps == combatant_id and queries.action_of(other).is_open
    )


def helped_by(state: FightState, helper: Combatant) -> Combatant | None:
    """The combatant whom this one helps."""
    combatant = state.combatants.get(fighter_of(helper).helps)
    return (
        combatant
        if combatant is not None
        and queries.action_of(combatant).is_open
        and queries.action_of(combatant).helper == helper.id
        else None
    )
