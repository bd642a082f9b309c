"""Single acts of Move (SB-73..78): obstacles, ropes, posture, unlisted moves; and cover (SB-65..68)."""

from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.contacts import enemies_near
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.movement import facing_after, is_on_board, is_undecided, met_by
from fightcall_engine.kit.prompts import ask_ruling, choices
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import sneaking
from fightcall_engine.systems.stage.figures import able_checks, turn_checks
from fightcall_engine.systems.stage.walking import (
    CLAMBER,
    PRICE_RULES,
    PRICES,
    VAULT,
    WALK,
    Walk,
    affordable,
    arrival,
    check_cover,
    feet_of,
    move_checks,
    spend,
)


def obstacle_checks(state: FightState, combatant: Combatant, mode: str, height: float | None) -> tuple[Check, ...]:
    """SB-73, SB-74: vault to half one's height, clamber to arm's reach; unknown heights are the GM's word."""
    limit = fg.feet(combatant, "height_ft") if mode == VAULT else fg.feet(combatant, "reach_ft")
    limit = limit / 2 if limit is not None and mode == VAULT else limit
    fits = height is None or limit is None or height <= limit
    instead = "clamber" if mode == VAULT else "a ruling"
    rule = PRICE_RULES[mode]
    return (
        Check(height is None or height > 0, rule, f"{height} ft is no height", ("more than 0 ft",)),
        Check(fits, rule, f"{height} ft is more than {limit} ft", (instead,)),
    )


def decide_obstacle(decision: Decision, command: scm.Vault | scm.Clamber) -> ev.Events:
    """Vault or clamber over something into the next hex (SB-73, SB-74)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    mode = VAULT if isinstance(command, scm.Vault) else CLAMBER
    enforce(move_checks(state, combatant, mode), referee)
    enforce(obstacle_checks(state, combatant, mode, command.height_ft), referee)
    price = PRICES[mode]
    enforce((affordable(combatant, price, PRICE_RULES[mode]),), referee)
    walk = _one_hex(state, combatant, command.to, command.meets, price, referee)
    kind = sev.Vaulted if mode == VAULT else sev.Clambered
    moved = kind(
        who=combatant.id,
        hexes=1,
        feet=feet_of(state, 1),
        path=walk.path,
        facing=facing_after(state, combatant, walk.path),
        price=price,
    )
    seen = sneaking.seen_in_the_open(state, combatant.id)
    return (moved, spend(combatant, price, mode), *seen, *arrival(state, combatant, walk))


def _one_hex(
    state: FightState, combatant: Combatant, to: Location | None, meets: str, price: int, referee: Referee
) -> Walk:
    board = state.board
    if board is None or combatant.at is None:
        if to is not None:
            raise Refused("to", "without a board there are no hexes to name", ("meets",), final=True)
        return Walk(1, price, (), met_by(state, combatant, meets, None, "SB-47"), 0)
    if to is None and board.holds_several:
        return Walk(1, price, (), met_by(state, combatant, meets, combatant.at, "SB-47"), 0)
    if to is None or not board.contains(to) or to not in board.neighbours(combatant.at):
        near = tuple(board.name_of(place) for place in board.neighbours(combatant.at))
        raise Refused("to", "the hex beyond the obstacle must be next to the figure", near, final=True)
    taken = state.standing_at(to)
    referee.require(taken is None, "SB-01", f"{board.name_of(to)} is taken by {taken}", "a free hex")
    stopper = next(iter(enemies_near(state, combatant.id, to, seen_only=True)), "") or met_by(
        state, combatant, meets, to, "SB-47"
    )
    return Walk(1, price, (to,), stopper, 0)


def act_checks(state: FightState, combatant: Combatant, rule: str, what: str, *own: Check) -> tuple[Check, ...]:
    """What a bodily act in Move needs that changes no hex; contact stops it not (Q-S8a). `own`: see `turn_checks`."""
    free = state.settings.get("contact_stop") != "everything" or not fg.text_trait(combatant, "halted")
    return turn_checks(
        state,
        combatant,
        ("move",),
        "SB-31",
        what,
        Check(free, "SB-47", f"{combatant.name} was stopped by contact", ("the next Moment",)),
        Check(fg.beats(combatant).max > 0, rule, f"{combatant.name} has no beats at all", ("a ruling",)),
        *own,
    )


def prone_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-75: half of all beats, of the total and not of what is left."""
    return act_checks(
        state,
        combatant,
        "SB-75",
        "dropping prone",
        Check(fg.text_trait(combatant, "posture") != "prone", "SB-75", f"{combatant.name} is prone already", ("rise",)),
        affordable(combatant, fg.prone_price(combatant, state.settings), "SB-75"),
    )


def rise_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-76: all of the total; with part of it gone it is impossible this Moment (Q-S17)."""
    return act_checks(
        state,
        combatant,
        "SB-76",
        "rising",
        Check(
            fg.text_trait(combatant, "posture") == "prone", "SB-76", f"{combatant.name} is standing", ("drop prone",)
        ),
        affordable(combatant, fg.rise_price(combatant, state.settings), "SB-76"),
    )


def decide_posture(decision: Decision, command: scm.DropProne | scm.Rise) -> ev.Events:
    """Down for half of all beats, up for all of them (SB-75, SB-76)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    before = fg.text_trait(combatant, "posture")
    if isinstance(command, scm.DropProne):
        enforce(prone_checks(state, combatant), referee)
        price = fg.prone_price(combatant, state.settings)
        return (spend(combatant, price, "drop prone"), sev.DroppedProne(who=combatant.id, before=before, price=price))
    enforce(rise_checks(state, combatant), referee)
    paid = spend(combatant, fg.beats(combatant).max, "rise")
    return (paid, sev.Rose(who=combatant.id, before=before, price=paid.amount))


def climb_price(distance: float) -> int:
    """SB-77: 1 beat per 10 ft, part of 10 ft counting as 10."""
    return ceil(distance / 10)


def climb_checks(state: FightState, combatant: Combatant, price: int) -> tuple[Check, ...]:
    """What stands against a rope or ladder at this price."""
    return act_checks(
        state,
        combatant,
        "SB-77",
        "climbing",
        Check(fg.text_trait(combatant, "posture") != "prone", "SB-76", f"{combatant.name} is prone", ("rise",)),
        affordable(combatant, price, "SB-77"),
    )


def decide_climb(decision: Decision, command: scm.Climb) -> ev.Events:
    """Up or down a rope or ladder (SB-77)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if not 0 < command.feet <= 10_000:
        raise Refused("SB-77", f"{command.feet} ft", ("more than 0 ft",), final=True)
    price = climb_price(command.feet)
    enforce(climb_checks(state, combatant, price), referee)
    return (spend(combatant, price, "climb"), sev.Climbed(who=combatant.id, feet=command.feet, price=price))


def decide_stunt(decision: Decision, command: scm.Stunt) -> ev.Events:
    """An unlisted piece of movement (SB-78): the GM's price, remembered under its name."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(move_checks(state, combatant, WALK), referee)
    if not command.name.strip() or command.hexes < 0:
        raise Refused("SB-78", "a stunt needs a name and 0 or more hexes", ("name", "hexes"), final=True)
    walk = _leap(state, combatant, command, referee)
    key = f"price:{command.name.strip().lower()}"
    known = state.facts.get(key)
    price = command.beats if command.beats is not None else known
    if not isinstance(price, int):
        prompt = Prompt(
            id="",
            kind="price",
            question=f"{combatant.name}: {command.name}. How many beats?",
            rule="SB-78",
            choices=choices("cancel:not now"),
            default="cancel",
            who=combatant.id,
            side=combatant.side,
            amount="beats",
            data={
                "name": command.name,
                "hexes": command.hexes,
                "meets": command.meets,
                "to": state.board.name_of(command.to) if state.board and command.to else None,
            },
        )
        return (ask_ruling(state, (), prompt),)
    return _stunt(state, combatant, command.name, walk, price, referee)


def priced_stunt(state: FightState, command: scm.Stunt, price: int, referee: Referee) -> ev.Events:
    """Carry out a stunt whose price the GM has said."""
    combatant = state.combatants[command.who]
    return _stunt(state, combatant, command.name, _leap(state, combatant, command, referee), price, referee)


def _stunt(state: FightState, combatant: Combatant, name: str, walk: Walk, price: int, referee: Referee) -> ev.Events:
    if price < 0:
        raise Refused("SB-78", f"{price} beats", ("0 or more",), final=True)
    enforce((affordable(combatant, price, "SB-78"),), referee)
    key = f"price:{name.strip().lower()}"
    caused: list[ev.Event] = [
        sev.Stunted(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(state, walk.hexes),
            path=walk.path,
            facing=facing_after(state, combatant, walk.path),
            name=name,
            price=price,
        ),
        spend(combatant, price, name),
    ]
    if state.facts.get(key) != price:
        caused.append(ev.FactChanged(fact=key, before=state.facts.get(key), value=price))
    if walk.hexes:
        caused += [*sneaking.seen_in_the_open(state, combatant.id), *arrival(state, combatant, walk)]
    return tuple(caused)


def _leap(state: FightState, combatant: Combatant, command: scm.Stunt, referee: Referee) -> Walk:
    """Where a stunt leads: to a landing place on a board, over so many hexes without one, or nowhere else.

    What lies between is leapt or swung over: only the landing place must be free, and only there is contact (SB-78).
    """
    board, to = state.board, command.to
    if to is None:
        if is_on_board(state, combatant) and command.hexes and not is_undecided(state, combatant):
            raise Refused("to", "on a board a stunt says which hex it ends in", ("to",), final=True)
        return Walk(command.hexes, 0, (), met_by(state, combatant, command.meets, combatant.at, "SB-47"), 0)
    if board is None or combatant.at is None:
        raise Refused("to", "without a board there are no hexes to name", ("hexes", "meets"), final=True)
    if not board.contains(to):
        raise Refused("to", f"{board.name_of(to)} is off the board", (board.extent(),), final=True)
    taken = state.standing_at(to)
    referee.require(taken in (None, combatant.id), "SB-01", f"{board.name_of(to)} is taken by {taken}", "a free hex")
    standable = board.cost_of(to) is not None
    referee.require(standable, "SB-78", f"{board.name_of(to)} cannot be entered", "another landing place")
    hexes = board.distance(combatant.at, to)
    stopper = next(iter(enemies_near(state, combatant.id, to, seen_only=True)), "") or met_by(
        state, combatant, command.meets, to, "SB-47"
    )
    return Walk(hexes, 0, (to,) if hexes else (), stopper, 0)


def decide_cover(decision: Decision, command: scm.SetCover) -> ev.Events:
    """Into or out of cover: part of one's Move, or the GM's word at any other time (SB-65..68, Q-S27)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    if not command.cover:
        raise Refused("cover", "which cover?", fg.COVERS, final=True)
    check_cover(command.cover)
    before = fg.text_trait(combatant, "cover")
    changed = sev.CoverChanged(who=combatant.id, before=before, value=command.cover)
    enforce(able_checks(state, combatant), referee)
    step = state.step
    if step is not None and step.phase == "move" and step.side == combatant.side:
        return (changed,)
    ruling = ev.RulingRecorded(rule="SB-66", question=f"Cover of {combatant.name}", choice=command.cover)
    return (ruling, changed)
