"""Acts: their price, their roll, and what they do to whom. And triggers: what happens by itself, or is asked.

Walking sets off most triggers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import ge, gt, le, lt

from fightcall_engine import kit
from fightcall_engine.board.base import Location
from fightcall_engine.homebrew import records
from fightcall_engine.homebrew.formulas import Formula, multiply_dice, with_advantage, write_dice
from fightcall_engine.homebrew.game import WALK, ActPart, ConditionPart, GivenPart, OutcomePart, SavePart, TriggerPart
from fightcall_engine.homebrew.records import Intent, Perform, Walked, participant_of
from fightcall_engine.homebrew.scene import (
    Game,
    Scene,
    act_checks,
    forbidden_checks,
    has_condition,
    needs_of,
    place_checks,
    possible_targets,
    price_checks,
    target_checks,
)
from fightcall_engine.kit.movement import taken_places
from fightcall_engine.model.commands import Move
from fightcall_engine.model.dice import chance_of, parse
from fightcall_engine.model.events import EffectBegan, EffectEnded, Placed, Refilled
from fightcall_engine.model.fold import with_combatant
from fightcall_engine.model.values import replace

ATTACK, AGAINST, DAMAGE, HEAL = "attack", "against", "damage", "heal"
"""The purposes of rolls."""
TURN_START, TURN_END = "turn_start", "turn_end"
"""The moments at which conditions count on the clock of a combatant."""
_UNTIL = {
    "turn": (TURN_START, kit.BEARER), "turn end": (TURN_END, kit.BEARER),
    "own turn": (TURN_START, kit.MAKER), "own turn end": (TURN_END, kit.MAKER),
    "round": (kit.ROUND_END, kit.ROUND),
}  # fmt: skip


def perform(game: Game, decision: kit.Decision, command: Perform, *checks: kit.Check, is_paid: bool = False) -> bool:
    """Do an act. Returns whether it succeeded with anybody.

    `checks` are what has to hold besides the act's own; `is_paid` says that its price has been paid, as by a trigger.
    """
    act, state = game.acts[command.act], decision.state
    who = decision.combatant(command.who).id
    own_checks = () if is_paid else tuple(act_checks(game, state, who, act))
    decision.require(*own_checks, *checks)
    targets = _targets_of(game, decision, act, who, command)
    if not is_paid:
        pay(game, decision, who, act.cost, act.name)
        if act.uses:
            uses = participant_of(decision.combatant(who)).uses
            decision.set_traits(who, uses={**uses, act.name: uses.get(act.name, 0) + 1})
    if act.roll is None:
        board = decision.state.board
        where = board.name_of(command.at) if board is not None and command.at is not None else ""
        named = targets[0] if len(targets) == 1 and act.target != "self" and not where else ""
        decision.emit(records.Done(who=who, act=act.name, does=game.title_of(act), target=named, where=where))
    effects = decision.state.combatants[who].effects if act.roll is not None else ()
    used = [each for each in effects if isinstance(each.data, records.Cause) and each.data.is_for_one_roll]
    damage = act.damage if act.target == "area" and act.roll is None else None
    if targets and damage is not None and "target" not in damage.text:
        # It is rolled once for everyone in the area, unless it depends on each.
        harm = _roll_harm(decision, damage, Scene(game, decision.state, who), command.damage, 1)
        command = replace(command, damage=harm)
    results = [
        _resolve(game, decision, command, act, Scene(game, decision.state, who, target))
        for target in targets or ("",)
        if who in decision.state.combatants and (not target or target in decision.state.combatants)
    ]
    # The conditions that held for the roll that is over end.
    for effect in used:
        if who in decision.state.combatants and effect in decision.state.combatants[who].effects:
            decision.emit(EffectEnded(who=who, effect=effect.id, name=effect.name, reason="used"))
    return any(results)


def _targets_of(game: Game, decision: kit.Decision, act: ActPart, who: str, command: Perform) -> tuple[str, ...]:
    state, rule = decision.state, game.rule_of(act.rule, act.name)
    if act.target == "none":
        return ()
    if act.target in ("place", "area") and kit.is_on_board(state, state.combatants[who]):
        at = require_place(game, state, act, command.at)
        decision.require(*place_checks(game, state, who, act, at))
        return people_in_area(game, state, who, act, at) if act.target == "area" else ()
    if act.target in ("place", "area"):
        return (decision.combatant(command.target).id,) if command.target and act.target == "area" else ()
    if act.target == "self":
        target = who
    elif command.target:
        target = decision.combatant(command.target).id
    else:
        possible = possible_targets(game, state, who, act)
        names = possible or (kit.ANOTHER_TARGET,)
        raise kit.Refused(rule or act.name, f"at whom? Name a target of {act.name}", names, final=True)
    decision.require(*target_checks(game, state, who, act, target))
    return (target,)


def people_in_area(game: Game, state: kit.FightState, who: str, act: ActPart, at: Location) -> tuple[str, ...]:
    """The ids of those whom an act concerns around a place of the board."""
    board = state.board
    size = Scene(game, state, who).number(act.area)
    return tuple(
        each.id
        for each in state.roster
        if board is not None
        and each.at is not None
        and board.distance(each.at, at) <= size
        and (act.hits == "anyone" or state.are_foes(who, each.id) == (act.hits == "enemies"))
    )


def require_place(game: Game, state: kit.FightState, act: ActPart, at: Location | None) -> Location:
    """The place at which an act is aimed. Refused if it is missing, or off the board."""
    rule = game.rule_of(act.rule, act.name) or act.name
    if at is None:
        raise kit.Refused(rule, f"where? Name a place for {act.name}", ("a place such as F5",), final=True)
    if state.board is not None and not state.board.contains(at):
        raise kit.Refused(rule, f"{state.board.name_of(at)} is off the board", (state.board.extent(),), final=True)
    return at


def aim_checks(game: Game, state: kit.FightState, who: str, intent: Intent) -> Iterator[kit.Check]:
    """What an act needs of what it is aimed at."""
    act = game.acts[intent.act]
    if intent.at is not None and act.target in ("place", "area"):
        yield from place_checks(game, state, who, act, intent.at)
    elif intent.target in state.combatants and act.target not in ("none", "place", "area"):
        yield from target_checks(game, state, who, act, intent.target)


def pay(
    game: Game, decision: kit.Decision, who: str, cost: Mapping[str, Formula], purpose: str, times: int = 1
) -> None:
    """Take a price from the pools of a combatant, or of its side."""
    scene = Scene(game, decision.state, who)
    for name, formula in cost.items():
        price = scene.number(formula) * times
        if name in game.page.shared:
            decision.spend_for_side(decision.state.combatants[who].side, price, name, who, purpose)
        elif name in game.page.turn:
            combatant = decision.state.combatants[who]
            spent = min(price, combatant.pool(name).now)
            left = combatant.pool(name).now - spent
            if spent:
                decision.emit(kit.change_pool(records.TurnSpent, combatant, name, left, amount=spent, purpose=purpose))
        else:
            decision.spend(who, price, name, purpose)


# Whether it succeeds


def _resolve(game: Game, decision: kit.Decision, command: Perform, act: ActPart, scene: Scene) -> bool:
    hits, situation = (True, {}) if act.roll is None else _attempt(game, decision, command, act, scene)
    scene = scene.after(decision.state, **situation)
    if not hits:
        if act.miss is not None:
            apply_outcome(game, decision, act.miss, scene)
        return False
    is_critical = act.critical is not None and bool(situation) and scene.holds(act.critical.when)
    multiple = act.critical.dice if act.critical is not None and is_critical else 1
    apply_outcome(game, decision, act, scene, save=act.save, damage=command.damage, multiple=multiple)
    if act.critical is not None and is_critical:
        apply_outcome(game, decision, act.critical, scene.after(decision.state))
    return True


def attempt_parts(game: Game, act: ActPart, scene: Scene, command: Perform) -> tuple[str, tuple[kit.TrailPart, ...]]:
    """The dice of an act's roll with what the GM adds, and the parts of the number that it needs."""
    assert act.roll is not None
    needs = needs_of(game, scene, act.needs, act.cover)
    dice = scene.dice(act.roll) + (f"{command.modifier:+d}" if command.modifier else "")
    advantage = scene.number(act.advantage)
    return with_advantage(dice, (advantage > 0) - (advantage < 0) + command.advantage), needs


def _attempt(
    game: Game, decision: kit.Decision, command: Perform, act: ActPart, scene: Scene
) -> tuple[bool, dict[str, int]]:
    who, target, does = scene.who, scene.target, game.title_of(act)
    if command.hit is not None:
        decision.emit(records.Ruled(who=who, act=act.name, does=does, target=target, hit=command.hit))
        return command.hit, {}
    dice, parts = attempt_parts(game, act, scene, command)
    roll = decision.roll(dice, ATTACK, who)
    needed = sum(int(part.value) for part in parts)
    chance = chance_of_act(act, scene, dice, needed)
    if act.against is not None:
        needed += decision.roll(scene.dice(act.against), AGAINST, target).total
    hits = compare(roll.total, needed, how_of(act))
    situation = {
        "die": roll.kept[0] if roll.kept else roll.total,
        "total": roll.total, "needed": needed, "margin": abs(roll.total - needed), "hit": int(hits),
    }  # fmt: skip
    is_critical, hits = _judge(act, scene.after(decision.state, **situation), hits)
    decision.emit(
        records.Attempted(
            who=who, act=act.name, does=does, target=target, total=roll.total, needed=needed, hit=hits,
            critical=is_critical, chance=chance,
        )
    )  # fmt: skip
    return hits, {**situation, "hit": int(hits)}


def _judge(act: ActPart, scene: Scene, hits: bool) -> tuple[bool, bool]:
    if act.critical is not None and scene.holds(act.critical.when):
        return True, True
    return False, hits and (act.fails is None or not scene.holds(act.fails))


def how_of(act: ActPart) -> str:
    """How the roll of an act is compared with what it needs."""
    return "over" if act.against is not None and act.ties == "target" else act.compare


_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"at least": ge, "over": gt, "at most": le, "under": lt}


def compare(total: int, needed: int, how: str) -> bool:
    """Whether a roll is good enough."""
    return _COMPARISONS[how](total, needed)


def chance_to(dice: str, needed: int, how: str) -> float | None:
    """The chance of a roll, in percent; None if there are too many combinations to count."""
    least = needed + (how == "over")
    most = needed - (how == "under")
    is_low = how in ("at most", "under")
    return chance_of(dice, most if is_low else least, at_least=not is_low)


def chance_of_act(act: ActPart, scene: Scene, dice: str, needed: int) -> float | None:
    """The chance of an act's roll, in percent, with its critical hits and failures; None if it can't be counted."""
    has_own_ends = act.critical is not None or act.fails is not None
    if act.against is not None:
        other = (replace(term, sign=-term.sign) for term in parse(scene.dice(act.against)))
        return None if has_own_ends else chance_to(write_dice((*parse(dice), *other)), needed, how_of(act))
    terms = parse(dice)
    rolled = [each for each in terms if each.faces]
    if not has_own_ends or len(rolled) != 1 or rolled[0].keep != 1 or rolled[0].sign < 0:
        return chance_to(dice, needed, act.compare)
    die, added = rolled[0], sum(each.sign * each.count for each in terms if not each.faces)
    chance = 0.0
    for face in range(1, die.faces + 1):
        total = face + added
        hits = compare(total, needed, act.compare)
        situation = {"die": face, "total": total, "needed": needed, "margin": abs(total - needed), "hit": int(hits)}
        if _judge(act, scene.after(scene.state, **situation), hits)[1]:
            best = face if die.keep_high else die.faces + 1 - face
            chance += (best / die.faces) ** die.count - ((best - 1) / die.faces) ** die.count
    return round(100 * chance, 2)


# What it does


def apply_outcome(
    game: Game,
    decision: kit.Decision,
    outcome: OutcomePart,
    scene: Scene,
    *,
    save: SavePart | None = None,
    damage: int | str | None = None,
    multiple: int = 1,
) -> None:
    """Let something happen to the target of a scene, unless it saves itself.

    `save` is the roll that averts it, or half of the harm; `damage` the harm that the GM has set; `multiple` by how
    much the dice of the harm are multiplied.
    """
    who, target = scene.who, scene.target
    is_saved = save is not None and bool(target) and make_save(game, decision, save, scene, roller=target)
    if is_saved and not (save is not None and save.half):
        return
    pool = outcome.pool or game.health
    if outcome.damage is not None and target:
        harm = _roll_harm(decision, outcome.damage, scene, damage, multiple)
        harm = max(0, harm - scene.after(decision.state, amount=harm).number(outcome.lessened_by))
        if harm := harm // 2 if is_saved else harm:
            decision.hurt(target, harm, pool, by=who)
    if is_saved:
        return
    if outcome.heal is not None and target in decision.state.combatants:
        amount, rolled = kit.throw(decision, scene.dice(outcome.heal), HEAL, who)
        decision.emit(*rolled)
        decision.heal(target, amount, pool)
    _exchange(game, decision, outcome, scene)
    for given in outcome.condition:
        bearer = who if given.on == "who" or not target else target
        if bearer in decision.state.combatants and (given.on == "who" or decision.state.combatants[bearer].able):
            begin_condition(game, decision, bearer, given, by=who)
    for ended in outcome.ends:
        end_condition(decision, who if ended.on == "who" or not target else target, ended.name)
    if outcome.line:
        line = outcome.line.replace("{who}", kit.name_of(decision.state, who))
        text = line.replace("{target}", kit.name_of(decision.state, target))
        decision.emit(records.Told(who=who, target=target, text=text))


def _roll_harm(decision: kit.Decision, formula: Formula, scene: Scene, damage: int | str | None, multiple: int) -> int:
    dice = multiply_dice(scene.dice(formula), multiple) if damage is None else damage
    amount, rolled = kit.throw(decision, int(dice) if str(dice).isdigit() else dice, DAMAGE, scene.who)
    decision.emit(*rolled)
    return amount


def _exchange(game: Game, decision: kit.Decision, outcome: OutcomePart, scene: Scene) -> None:
    for combatant_id, amounts, sign in ((scene.who, outcome.gain, 1), (scene.target, outcome.lose, -1)):
        for name, formula in amounts.items():
            combatant = decision.state.combatants.get(combatant_id)
            amount = scene.number(formula) * sign
            if combatant is None or not amount:
                continue
            if name in game.page.shared:
                gain = decision.gain_for_side if amount > 0 else decision.spend_for_side
                gain(combatant.side, abs(amount), name, combatant_id)
            elif amount < 0:
                decision.spend(combatant_id, -amount, name)
            elif name in game.page.turn:
                now = combatant.pool(name).now
                most = max(now + amount, combatant.pool(name).max)
                decision.emit(Refilled(who=combatant_id, pool=name, before=now, left=now + amount, max=most))
            else:
                decision.heal(combatant_id, amount, name)


def save_parts(
    game: Game, state: kit.FightState, save: SavePart, scene: Scene, roller: str
) -> tuple[str, tuple[kit.TrailPart, ...]]:
    """The dice of a save, and the parts of the number that it needs. In its formulas `who` is who rolls."""
    other = scene.who if roller == scene.target else scene.target
    own = Scene(game, state, roller, other, scene.situation)
    return with_advantage(own.dice(save.roll), own.number(save.advantage)), needs_of(game, own, save.needs, {})


def make_save(game: Game, decision: kit.Decision, save: SavePart, scene: Scene, roller: str) -> bool:
    """Roll a save. Returns whether it is made."""
    dice, parts = save_parts(game, decision.state, save, scene, roller)
    needed = sum(int(part.value) for part in parts)
    total = decision.roll(dice, save.name, roller).total
    succeeds = compare(total, needed, save.compare)
    decision.emit(records.Saved(who=roller, name=save.name, total=total, needed=needed, succeeds=succeeds))
    return succeeds


# Conditions


def begin_condition(game: Game, decision: kit.Decision, bearer: str, given: GivenPart, by: str) -> None:
    """Begin a condition; one that the bearer has begins anew."""
    condition = game.conditions[given.name]
    until = given.until or condition.until
    end_condition(decision, bearer, given.name, reason="begins anew")
    data = records.Cause(by=by, is_for_one_roll=until == "next roll")
    if until in ("ended", "next roll"):
        effect = kit.Effect(id="", name=given.name, left=None, data=data)
    else:
        moment, kind = _UNTIL[until]
        clock = {kit.BEARER: bearer, kit.MAKER: by}.get(kind, kit.ROUND)
        rounds = given.rounds or condition.rounds
        effect = kit.Effect(id="", name=given.name, left=rounds, ticks=moment, clock=clock, data=data)
    decision.emit(EffectBegan(who=bearer, effect=effect))


def end_condition(decision: kit.Decision, bearer: str, name: str, reason: str = "") -> None:
    """End a condition of a combatant, if there is one of the name."""
    combatant = decision.state.combatants.get(bearer)
    for effect in combatant.effects if combatant is not None else ():
        if effect.name == name:
            decision.emit(EffectEnded(who=bearer, effect=effect.id, name=name, reason=reason))


def end_held(game: Game, decision: kit.Decision, maker: str, name: str) -> None:
    """End the conditions of others that were held by one of their maker's, which is over."""
    combatant = decision.state.combatants.get(maker)
    if combatant is not None and has_condition(combatant, name):
        return
    for bearer in decision.state.combatants.values():
        for effect in bearer.effects:
            condition, cause, reason = game.conditions.get(effect.name), effect.data, f"{game.label_of(name)} is over"
            is_held = condition is not None and condition.held_by == name
            if is_held and isinstance(cause, records.Cause) and cause.by == maker:
                decision.emit(EffectEnded(who=bearer.id, effect=effect.id, name=effect.name, reason=reason))


def cause_of(state: kit.FightState, bearer: str, name: str) -> str:
    """Who caused a condition; its bearer if nobody in the fight did."""
    causes = (each.data for each in state.combatants[bearer].effects if each.name == name)
    by = next((cause.by for cause in causes if isinstance(cause, records.Cause)), "")
    return by if by in state.combatants else bearer


def harm_or_heal(game: Game, decision: kit.Decision, bearer: str, condition: ConditionPart) -> None:
    """What a condition does to its bearer as its turn begins."""
    cause, pool = cause_of(decision.state, bearer, condition.name), condition.pool or game.health
    scene = Scene(game, decision.state, bearer, cause)
    if condition.harm is not None:
        amount, rolled = kit.throw(decision, scene.dice(condition.harm), condition.name, bearer)
        decision.emit(*rolled)
        if amount:
            decision.hurt(bearer, amount, pool)
    if condition.heal is not None and bearer in decision.state.combatants:
        amount, rolled = kit.throw(decision, scene.dice(condition.heal), condition.name, bearer)
        decision.emit(*rolled)
        decision.heal(bearer, amount, pool)


LEAVES, COMES, MOVES = "leaves reach", "comes into reach", "moves in sight"
TRIGGER = "trigger"
"""The kind of the question whether somebody reacts."""
_AS_THEY = {
    LEAVES: "as {target} leaves their reach", COMES: "as {target} comes into reach", MOVES: "as {target} moves",
    "is harmed": "as {target} is harmed", "is hit": "as {target} is hit", "is missed": "as {target} is missed",
    "turn begins": "as {target}'s turn begins", "turn ends": "as {target}'s turn ends",
    "goes down": "as {target} goes down", "half are down": "as half of their side is down",
    "round begins": "as the round begins", "round ends": "as the round ends",
}  # fmt: skip
_UNABLE_TOO = ("goes down", "half are down")


def fire(game: Game, decision: kit.Decision, when: str, subject: str, amount: int = 0) -> bool:
    """Let everybody react to what has happened to a combatant. Returns whether a reaction stops a walk."""
    stops = False
    for trigger in (each for each in game.page.trigger if each.when == when):
        for reactor in tuple(_reactors(decision.state, trigger, subject)):
            stops = react(game, decision, trigger, reactor, subject, amount) or stops
    return stops


def _reactors(state: kit.FightState, trigger: TriggerPart, subject: str) -> Iterator[str]:
    for each in state.roster:
        is_foe = subject in state.combatants and state.are_foes(each.id, subject)
        kinds = {"self": each.id == subject, "enemy": is_foe, "ally": not is_foe and each.id != subject}
        if kinds.get(trigger.to, True):
            yield each.id


def react(
    game: Game, decision: kit.Decision, trigger: TriggerPart, reactor: str, subject: str, amount: int = 0
) -> bool:
    """Let somebody react who is still there, can and, where it is asked, will. Returns whether it stops a walk."""
    are_here = decision.state.combatants.keys() >= {reactor, subject}
    if not (are_here and can_react(game, decision.state, trigger, reactor, subject, amount)):
        return False
    act = game.acts.get(trigger.asks or trigger.does)
    rule = game.rule_of(trigger.rule, act.name if act is not None else TRIGGER)
    if trigger.asks and act is not None:
        deed = f"{kit.name_of(decision.state, reactor)}: {game.label_of(act.name)}"
        moment = _AS_THEY[trigger.when].replace("{target}", kit.name_of(decision.state, subject))
        about = (subject,) if subject != reactor else ()
        answer = decision.ask_about(
            decision.combatant(reactor), TRIGGER, rule, f"{deed} {moment}?", "yes", "no", default="yes", about=about
        )
        if answer.choice != "yes":
            return False
    pay(game, decision, reactor, trigger.cost, act.name if act is not None else trigger.when)
    succeeds = True
    if act is not None:
        target = subject if act.target in ("enemy", "ally", "ally or self", "anyone", "area") else ""
        at = decision.state.combatants[subject].at if act.target in ("place", "area") else None
        command = Perform(act=act.name, who=reactor, target=target, at=at)
        succeeds = perform(game, decision, command, is_paid=True)
    if reactor not in decision.state.combatants:
        return False
    scene = Scene(
        game, decision.state, reactor, subject if subject in decision.state.combatants else "", {"amount": amount}
    )
    if trigger.save is not None and make_save(game, decision, trigger.save, scene, roller=reactor):
        return False
    apply_outcome(game, decision, trigger, scene)
    return trigger.stops and succeeds


def can_react(
    game: Game, state: kit.FightState, trigger: TriggerPart, reactor: str, subject: str, amount: int = 0
) -> bool:
    """Whether a trigger goes off for somebody: they are able, its condition holds, and they can pay and act."""
    combatant = state.combatants[reactor]
    if subject not in state.combatants or not (combatant.able or trigger.when in _UNABLE_TOO):
        return False
    if not Scene(game, state, reactor, subject, {"amount": amount}).holds(trigger.condition_for):
        return False
    checks = list(price_checks(game, state, reactor, trigger.cost, ""))
    act = game.acts.get(trigger.asks or trigger.does)
    if act is not None:
        checks += forbidden_checks(game, combatant, act.name)
        if act.target in ("enemy", "ally", "ally or self", "anyone"):
            checks += target_checks(game, state, reactor, act, subject)
        place = state.combatants[subject].at
        if act.target in ("place", "area") and place is not None:
            checks += place_checks(game, state, reactor, act, place)
    return all(check.holds for check in checks)


# Walking


def walk(game: Game, decision: kit.Decision, command: Move, *checks: kit.Check) -> None:
    """Walk, and let those who are passed react at the place where it happens."""
    plan = kit.plan_walk(decision, command)
    walker, path = plan.combatant.id, plan.path
    rules = game.page.walk
    if rules is not None:
        rule, scene = game.rule_of(rules.rule, WALK), Scene(game, decision.state, walker)
        most = scene.number(rules.places, otherwise=plan.ground)
        text = f"that is {plan.ground} places; {plan.combatant.name} walks at most {most}"
        decision.require(
            *checks,
            kit.Check(plan.ground <= most, rule, text, (f"at most {most}",)),
            *price_checks(game, decision.state, walker, rules.each_place, rule, plan.ground),
        )
        pay(game, decision, walker, rules.cost, "walk")
        pay(game, decision, walker, rules.each_place, "walk", plan.ground)
    else:
        decision.require(*checks)
    if not path:
        # Without a board a walk leaves the reach of those in contact.
        leaving = [each for each in game.page.trigger if each.when == LEAVES and not plan.combatant.hidden]
        contacts = decision.state.contacts_of(walker)
        if not any(_fire_for(game, decision, (each, foe), walker) for each in leaving for foe in contacts):
            kit.take_walk(decision, plan, Walked)
        return
    done = 0
    for number in range(len(path)):
        for moments, is_there in (((LEAVES,), 0), ((COMES, MOVES), 1)):
            if reactions := _concerned(game, decision.state, walker, number, path, moments, done):
                done = _walk_to(decision, walker, path, done, number + is_there)
                is_stopped = any(_fire_for(game, decision, each, walker) for each in reactions)
                mover = decision.state.combatants.get(walker)
                if is_stopped or mover is None or not mover.able:
                    _make_room(decision, walker, path[:done])
                    return
    _walk_to(decision, walker, path, done, len(path))
    _make_room(decision, walker, path)


def _walk_to(decision: kit.Decision, walker: str, path: tuple[Location, ...], done: int, end: int) -> int:
    """Walk the part of a path that is not walked yet, up to an index. The way has been checked as a whole."""
    if end > done:
        part = path[done:end]
        kit.take_walk(decision, kit.Walk(decision.combatant(walker), part, len(part), len(part)), Walked)
    return end


def _make_room(decision: kit.Decision, walker: str, path: tuple[Location, ...]) -> None:
    """Take a walker who has been stopped among others back to the last place of the way that is free."""
    state, combatant = decision.state, decision.state.combatants.get(walker)
    if combatant is None or combatant.at is None or not combatant.able or state.shares_places:
        return
    taken = taken_places(state, walker)
    free = next((place for place in reversed(path) if place not in taken), None)
    if combatant.at in taken and free is not None:
        decision.emit(Placed(who=walker, before=combatant.at, at=free, reason="the place is occupied"))


def _fire_for(game: Game, decision: kit.Decision, reaction: tuple[TriggerPart, str], walker: str) -> bool:
    trigger, reactor = reaction
    if reactor not in decision.state.combatants or walker not in decision.state.combatants:
        return walker not in decision.state.combatants
    return react(game, decision, trigger, reactor, walker)


def _concerned(
    game: Game,
    state: kit.FightState,
    walker: str,
    number: int,
    path: tuple[Location, ...],
    moments: tuple[str, ...],
    done: int,
) -> list[tuple[TriggerPart, str]]:
    board, mover = state.board, state.combatants[walker]
    here = path[number - 1] if number > done else mover.at
    if board is None or here is None or mover.hidden:
        return []
    reactions = []
    for trigger in (each for each in game.page.trigger if each.when in moments):
        act = game.acts.get(trigger.asks or trigger.does)
        reach = trigger.reach or (act.reach if act is not None else None)
        there = here if trigger.when == LEAVES else path[number]
        for reactor in _reactors(state, trigger, walker):
            at = state.combatants[reactor].at
            if at is None:
                continue
            # Distances first: most of those on the board are far away.
            most = Scene(game, state, reactor, walker).number(reach, otherwise=1)
            was_in, is_in = board.distance(at, here) <= most, board.distance(at, path[number]) <= most
            is_due = was_in and not is_in if trigger.when == LEAVES else is_in and (trigger.when == MOVES or not was_in)
            if not is_due or not can_react(
                game, with_combatant(state, replace(mover, at=there)), trigger, reactor, walker
            ):
                continue
            if trigger.when != MOVES or board.sight(at, path[number]).clear:
                reactions.append((trigger, reactor))
    return reactions
