"""Move (SB-46..48, 71..78) and creeping in Meeting (SB-42): prices, paths, contact, posture, cover."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.paths import path as find_path
from fightcall_engine.commands import Move
from fightcall_engine.contacts import contact_events, enemies_near
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.prompts import asked, choices
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState, Prompt
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import sneaking
from fightcall_engine.systems.stage.figures import Check, able_checks, enforce, turn_checks
from fightcall_engine.systems.stage.moment import end_meeting

WALK, QUIET, VAULT, CLAMBER = "walk", "quiet", "vault", "clamber"
PRICES: Mapping[str, int] = {WALK: 1, QUIET: 2, VAULT: 4, CLAMBER: 6}
PRICE_RULES: Mapping[str, str] = {WALK: "SB-46", QUIET: "SB-72", VAULT: "SB-73", CLAMBER: "SB-74"}


@dataclass(frozen=True, slots=True)
class Walk:
    """A way as it will be walked: the hexes entered, their price, the enemy who stops it, the hexes left unwalked."""

    hexes: int
    price: int
    path: tuple[Hex, ...] = ()
    halted_by: str = ""
    unwalked: int = 0


def move_checks(state: FightState, one: Combatant, mode: str) -> tuple[Check, ...]:
    """What stands against walking, sneaking, vaulting or clambering at all."""
    halted = fg.text_trait(one, "halted")
    stopper = state.combatants[halted].name if halted in state.combatants else halted
    return turn_checks(
        state,
        one,
        ("move",),
        "SB-31",
        "movement",
        Check(
            mode != QUIET or not fg.trait(one, "plain_view"),
            "SB-57",
            f"{one.name} is in plain view",
            ("a ruling that nobody looks: plain_view false",),
        ),
        Check(
            fg.text_trait(one, "posture") != "prone",
            "SB-76",
            f"{one.name} is prone",
            ("rise", "a ruling on crawling"),
        ),
        Check(not halted, "SB-47", f"{one.name} was stopped by contact with {stopper}", ("drop prone",)),
        Check(fg.beats(one).max > 0, PRICE_RULES[mode], f"{one.name} has no beats at all", ()),
        Check(fg.beats(one).now > 0, PRICE_RULES[mode], f"{one.name} has no beats left", ()),
    )


def affordable(one: Combatant, price: int, rule: str) -> Check:
    """SB-23, SB-46: beats before anything else."""
    left = fg.beats(one).now
    return Check(
        price <= left and fg.beats(one).max > 0,
        rule,
        f"needs {price} beats, has {left}",
        (f"at most {left} beats",),
    )


def hex_price(state: FightState, mode: str, place: Hex) -> int | None:
    """Beats for entering a hex: the price list times what the ground asks (SB-71, SB-72, SB-78); None: nobody can."""
    ground = state.board.cost_of(place) if state.board else 1
    return None if ground is None else PRICES[mode] * ground


def halting_places(state: FightState, who: str) -> frozenset[Hex]:
    """SB-47: the hexes in which a visible enemy's zone stops a figure."""
    if state.board is None:
        return frozenset()
    side = state.combatants[who].side
    enemies = (
        one.at for one in state.combatants.values() if one.side != side and one.able and not one.hidden and one.at
    )
    return frozenset(near for at in enemies for near in state.board.neighbours(at))


def taken_places(state: FightState, who: str) -> frozenset[Hex]:
    """SB-01: the hexes that another able figure takes up."""
    return frozenset(one.at for one in state.combatants.values() if one.at and one.able and one.id != who)


def _chosen_path(
    state: FightState, one: Combatant, path: tuple[Hex, ...], to: Hex | None, mode: str
) -> tuple[Hex, ...]:
    board = state.board
    if board is None or one.at is None:
        return ()
    if path:
        return path
    if to is None:
        raise Refused("path", "on a board a move needs a path", ("path", "to"), final=True)
    if not board.contains(to):
        raise Refused("path", f"{board.name_of(to)} is off the board", ("a hex on the board",), final=True)
    enemies = frozenset(
        at for at in taken_places(state, one.id) if state.opposed(one.id, state.standing_at(at) or one.id)
    )
    found = find_path(
        board,
        one.at,
        to,
        cost=lambda place: hex_price(state, mode, place),
        closed=enemies,
        stops=halting_places(state, one.id),
    )
    if found is None:
        raise Refused("SB-47", f"there is no way to {board.name_of(to)}", ("another hex", "a path"), final=True)
    return found


def walk_board(state: FightState, one: Combatant, way: tuple[Hex, ...], mode: str, referee: Referee) -> Walk:
    """Walk a path hex by hex until it ends or contact stops it (SB-01, SB-47)."""
    board, here = state.board, one.at
    if board is None or here is None:
        raise Refused("place", f"{one.name} is not on the board", ("place them first",), final=True)
    price, done, stopper = 0, 0, ""
    for place in way:
        if not board.contains(place) or not board.contact(here, place):
            raise Refused(
                "path",
                f"{board.name_of(place)} is not next to {board.name_of(here)}",
                tuple(board.name_of(near) for near in board.neighbours(here)),
                final=True,
            )
        other = state.standing_at(place)
        through = other is None or other == one.id or not state.opposed(one.id, other)
        referee.require(through, "SB-01", f"{board.name_of(place)} is taken by {other}", "a way round")
        cost = hex_price(state, mode, place)
        referee.require(cost is not None, "SB-78", f"{board.name_of(place)} cannot be entered", "another way")
        price += PRICES[mode] if cost is None else cost
        done, here = done + 1, place
        stopper = next(iter(enemies_near(state, one.id, place, seen_only=True)), "")
        if stopper:
            break
    last = state.standing_at(here)
    taken = last is not None and last != one.id and not state.opposed(one.id, last)
    referee.require(not taken, "SB-01", f"{board.name_of(here)} is taken by {last}", "a free hex")
    return Walk(done, price, way[:done], stopper, len(way) - done)


def _plan(
    state: FightState, one: Combatant, command: Move | scm.Sneak | scm.Creep, mode: str, referee: Referee
) -> Walk:
    if state.board is not None and one.at is not None:
        way = _chosen_path(state, one, command.path, command.to, mode)
        if not way:
            raise Refused("path", "no hexes to walk", ("path", "to"), final=True)
        return walk_board(state, one, way, mode, referee)
    if command.path or command.to:
        raise Refused("path", "without a board a move is a number of hexes", ("hexes", "meets"), final=True)
    if command.hexes < 1:
        raise Refused("hexes", f"{command.hexes} hexes", ("1 or more",), final=True)
    meets = _met(state, one, command.meets)
    walked = min(command.meets_after or command.hexes, command.hexes) if meets else command.hexes
    return Walk(walked, walked * PRICES[mode], (), meets, command.hexes - walked)


def _met(state: FightState, one: Combatant, meets: str) -> str:
    if not meets:
        return ""
    enemy = combatant_of(state, meets)
    if enemy.side == one.side:
        raise Refused("SB-47", f"{enemy.name} is on {one.name}'s side", ("an enemy",), final=True)
    return enemy.id


def spend(one: Combatant, amount: int, purpose: str) -> sev.BeatsSpent:
    """Beats are spent; a forced price takes what there is."""
    pool = fg.beats(one)
    paid = min(amount, pool.now)
    return sev.BeatsSpent(who=one.id, amount=paid, before=pool.now, left=pool.now - paid, max=pool.max, purpose=purpose)


def _contacts(state: FightState, one: Combatant, walk: Walk) -> ev.Events:
    if walk.path:
        return contact_events(state, one.id, walk.path[-1])
    before = state.contacts_of(one.id)
    left = [ev.ContactLeft(who=one.id, enemy=enemy) for enemy in before if enemy != walk.halted_by]
    made = [walk.halted_by] if walk.halted_by and walk.halted_by not in before else []
    return (*left, *(ev.ContactMade(who=one.id, enemy=enemy) for enemy in made))


def _halt(one: Combatant, walk: Walk) -> ev.Events:
    if not walk.halted_by:
        return ()
    return (
        sev.MovementHalted(who=one.id, before="", value=walk.halted_by, enemy=walk.halted_by, unwalked=walk.unwalked),
    )


def _feet(state: FightState, hexes: int) -> float:
    """SB-02: the scale the GM has ruled, or else the board's, or else the setting."""
    ruled = fg.fact(state, "hex_ft")
    scale = ruled or (state.board.scale if state.board else state.settings.get("hex_ft", 5.0))
    return hexes * float(scale if isinstance(scale, int | float) else 5.0)


def _facing(state: FightState, one: Combatant, path: tuple[Hex, ...]) -> int | None:
    if not path or one.at is None or state.board is None:
        return one.facing
    return state.board.bearing(path[-2] if len(path) > 1 else one.at, path[-1])


def _arrival(state: FightState, one: Combatant, walk: Walk, cover: str) -> ev.Events:
    """The cover at the end of the way: as the GM says, or as the ground gives it."""
    before = fg.text_trait(one, "cover")
    if not cover and walk.path and state.board is not None and one.at is not None:
        there, here = state.board.terrain_at(walk.path[-1]).cover, state.board.terrain_at(one.at).cover
        cover = there or ("open" if here else "")
    if not cover or cover == before:
        return ()
    return (sev.CoverChanged(who=one.id, before=before, value=cover),)


def check_cover(cover: str) -> None:
    """Refuse a word that is no cover.

    Raises:
        Refused: listing those that are.
    """
    if cover and cover not in fg.COVERS:
        raise Refused("cover", f"no such cover {cover!r}", fg.COVERS, final=True)


def decide_move(state: FightState, command: Move | scm.Sneak, dice: Dice, referee: Referee) -> ev.Events:
    """Walk or sneak in Move (SB-46, 47, 71, 72)."""
    one = combatant_of(state, command.who)
    mode = QUIET if isinstance(command, scm.Sneak) else WALK
    check_cover(command.cover)
    enforce(move_checks(state, one, mode), referee)
    if isinstance(command, scm.Sneak):
        referee.require(command.modifier == 0, "SB-62", "nothing betters a sneak roll but Skullduggery", "modifier 0")
    walk = _plan(state, one, command, mode, referee)
    enforce((affordable(one, walk.price, PRICE_RULES[mode]),), referee)
    happened: list[ev.Event] = [
        ev.Moved(
            who=one.id,
            hexes=walk.hexes,
            feet=_feet(state, walk.hexes),
            path=walk.path,
            facing=_facing(state, one, walk.path),
            quiet=mode == QUIET,
        ),
        spend(one, walk.price, f"{'sneak' if mode == QUIET else 'move'} {walk.hexes}"),
    ]
    if isinstance(command, scm.Sneak):
        happened.append(sev.SneakBegan(who=one.id, before=fg.trait(one, "sneaking")))
        happened.extend(_bonus(one, command.modifier))
    else:
        happened.extend(sneaking.seen_in_the_open(state, one.id))
    happened.extend(_contacts(state, one, walk))
    happened.extend(_halt(one, walk))
    happened.extend(_arrival(state, one, walk, command.cover))
    happened.extend(_passed_hidden(state, one, walk, happened))
    return tuple(happened)


def _bonus(one: Combatant, modifier: int) -> ev.Events:
    """A bonus to the sneak roll that the GM has forced against SB-62 waits for the roll."""
    if not modifier:
        return ()
    return (ev.TraitChanged(who=one.id, trait="sneak_bonus", before=fg.trait(one, "sneak_bonus"), value=modifier),)


def _passed_hidden(state: FightState, one: Combatant, walk: Walk, happened: list[ev.Event]) -> ev.Events:
    """Q-S8d: whether an unseen enemy stops anybody is the GM's to say."""
    for place in walk.path:
        for enemy in enemies_near(state, one.id, place):
            if state.combatants[enemy].hidden:
                name = state.combatants[enemy].name
                prompt = Prompt(
                    id="",
                    kind="passed_hidden",
                    question=f"{one.name} comes next to hidden {name}: noticed?",
                    rule="SB-47",
                    choices=choices("no:stays hidden", "yes:noticed"),
                    default="no",
                    who=enemy,
                    side=state.combatants[enemy].side,
                    blocking=False,
                    data={"mover": one.id},
                )
                return (asked(state, happened, prompt),)
    return ()


def creep_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """SB-42: Meeting, party only, undetected; the pool is this Moment's (Q-S7)."""
    untested = any(prompt.kind == "sneak" and prompt.who == one.id for prompt in state.prompts)
    return turn_checks(
        state,
        one,
        ("meeting",),
        "SB-42",
        "creeping",
        Check(not untested, "SB-42", f"{one.name}'s last creep is not tested yet", ("answer the open question",)),
        Check(one.side == fg.PARTY, "SB-42", "only the party creeps during Meeting", ("a GM ruling",)),
        Check(one.hidden, "SB-42", f"{one.name} is not undetected", ("a ruling: hidden",)),
        Check(not fg.trait(one, "plain_view"), "SB-57", f"{one.name} is in plain view", ("plain_view false",)),
        Check(fg.text_trait(one, "posture") != "prone", "SB-76", f"{one.name} is prone", ()),
        Check(not fg.text_trait(one, "halted"), "SB-47", f"{one.name} was stopped by contact", ()),
        Check(fg.beats(one).max > 0, "SB-42", f"{one.name} has no beats at all", ()),
    )


def decide_creep(state: FightState, command: scm.Creep, dice: Dice, referee: Referee) -> ev.Events:
    """Creep in Meeting: 2 beats a hex, tested at once (SB-42, SB-43)."""
    one = combatant_of(state, command.who)
    enforce(creep_checks(state, one), referee)
    referee.require(command.modifier == 0, "SB-62", "nothing betters a sneak roll but Skullduggery", "modifier 0")
    walk = _plan(state, one, command, QUIET, referee)
    price = 0 if state.settings.get("meeting_sneak") == "free" else walk.price
    enforce((affordable(one, price, "SB-42"),), referee)
    happened: list[ev.Event] = [
        ev.Moved(
            who=one.id,
            hexes=walk.hexes,
            feet=_feet(state, walk.hexes),
            path=walk.path,
            facing=_facing(state, one, walk.path),
            quiet=True,
        ),
        spend(one, price, f"creep {walk.hexes}"),
        *_contacts(state, one, walk),
        *_halt(one, walk),
        *_arrival(state, one, walk, ""),
    ]
    if not dice.given("sneak"):
        happened.extend(_bonus(one, command.modifier))
        happened.append(asked(state, happened, sneaking.roll_prompt(state, one.id, "creep")))
        return tuple(happened)
    checked = sneaking.check(state, one.id, fg.sneak_dar(one), command.modifier, dice, happened)
    happened.extend(checked)
    if any(isinstance(event, ev.Detected) for event in checked):
        happened.extend(end_meeting(state, tuple(happened)))
    return tuple(happened)


# Single acts


def obstacle_checks(state: FightState, one: Combatant, mode: str, height: float | None) -> tuple[Check, ...]:
    """SB-73, SB-74: vault to half one's height, clamber to arm's reach; unknown heights are the GM's word."""
    limit = fg.feet(one, "height_ft") if mode == VAULT else fg.feet(one, "reach_ft")
    limit = limit / 2 if limit is not None and mode == VAULT else limit
    fits = height is None or limit is None or height <= limit
    instead = "clamber" if mode == VAULT else "a ruling"
    return (Check(fits, PRICE_RULES[mode], f"{height} ft is more than {limit} ft", (instead,)),)


def decide_obstacle(state: FightState, command: scm.Vault | scm.Clamber, dice: Dice, referee: Referee) -> ev.Events:
    """Vault or clamber over something into the next hex (SB-73, SB-74)."""
    one = combatant_of(state, command.who)
    mode = VAULT if isinstance(command, scm.Vault) else CLAMBER
    enforce(move_checks(state, one, mode), referee)
    enforce(obstacle_checks(state, one, mode, command.height_ft), referee)
    price = PRICES[mode]
    enforce((affordable(one, price, PRICE_RULES[mode]),), referee)
    walk = _one_hex(state, one, command.to, command.meets, price, referee)
    kind = sev.Vaulted if mode == VAULT else sev.Clambered
    moved = kind(
        who=one.id,
        hexes=1,
        feet=_feet(state, 1),
        path=walk.path,
        facing=_facing(state, one, walk.path),
        price=price,
    )
    rest = (*_contacts(state, one, walk), *_halt(one, walk), *_arrival(state, one, walk, ""))
    return (moved, spend(one, price, mode), *rest, *sneaking.seen_in_the_open(state, one.id))


def _one_hex(state: FightState, one: Combatant, to: Hex | None, meets: str, price: int, referee: Referee) -> Walk:
    board = state.board
    if board is None or one.at is None:
        if to is not None:
            raise Refused("to", "without a board there are no hexes to name", ("meets",), final=True)
        return Walk(1, price, (), _met(state, one, meets), 0)
    if to is None or not board.contains(to) or not board.contact(one.at, to):
        near = tuple(board.name_of(place) for place in board.neighbours(one.at))
        raise Refused("to", "the hex beyond the obstacle must be next to the figure", near, final=True)
    taken = state.standing_at(to)
    referee.require(taken is None, "SB-01", f"{board.name_of(to)} is taken by {taken}", "a free hex")
    stopper = next(iter(enemies_near(state, one.id, to, seen_only=True)), "")
    return Walk(1, price, (to,), stopper, 0)


def act_checks(state: FightState, one: Combatant, rule: str, what: str) -> tuple[Check, ...]:
    """What a bodily act in Move needs that changes no hex; contact does not stop it (Q-S8a)."""
    free = state.settings.get("contact_stop") != "everything" or not fg.text_trait(one, "halted")
    return turn_checks(
        state,
        one,
        ("move",),
        "SB-31",
        what,
        Check(free, "SB-47", f"{one.name} was stopped by contact", ("the next Moment",)),
        Check(fg.beats(one).max > 0, rule, f"{one.name} has no beats at all", ()),
    )


def prone_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """SB-75: half of all beats, of the total and not of what is left."""
    return (
        *act_checks(state, one, "SB-75", "dropping prone"),
        Check(fg.text_trait(one, "posture") != "prone", "SB-75", f"{one.name} is prone already", ("rise",)),
        affordable(one, fg.prone_price(one, state.settings), "SB-75"),
    )


def rise_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """SB-76: all of the total; with part of it gone it is impossible this Moment (Q-S17)."""
    pool = fg.beats(one)
    price = pool.max if state.settings.get("rise_needs_full", True) else pool.now
    return (
        *act_checks(state, one, "SB-76", "rising"),
        Check(fg.text_trait(one, "posture") == "prone", "SB-76", f"{one.name} is standing", ("drop prone",)),
        affordable(one, price, "SB-76"),
    )


def decide_posture(state: FightState, command: scm.DropProne | scm.Rise, dice: Dice, referee: Referee) -> ev.Events:
    """Down for half of all beats, up for all of them (SB-75, SB-76)."""
    one = combatant_of(state, command.who)
    before = fg.text_trait(one, "posture")
    if isinstance(command, scm.DropProne):
        enforce(prone_checks(state, one), referee)
        price = fg.prone_price(one, state.settings)
        return (spend(one, price, "drop prone"), sev.DroppedProne(who=one.id, before=before, price=price))
    enforce(rise_checks(state, one), referee)
    paid = spend(one, fg.beats(one).max, "rise")
    return (paid, sev.Rose(who=one.id, before=before, price=paid.amount))


def climb_price(distance: float) -> int:
    """SB-77: 1 beat per 10 ft, part of 10 ft counting as 10."""
    return ceil(distance / 10)


def decide_climb(state: FightState, command: scm.Climb, dice: Dice, referee: Referee) -> ev.Events:
    """Up or down a rope or ladder (SB-77)."""
    one = combatant_of(state, command.who)
    if not 0 < command.feet <= 10_000:
        raise Refused("SB-77", f"{command.feet} ft", ("more than 0 ft",), final=True)
    enforce(act_checks(state, one, "SB-77", "climbing"), referee)
    halted = fg.text_trait(one, "posture") == "prone"
    referee.require(not halted, "SB-76", f"{one.name} is prone", "rise")
    price = climb_price(command.feet)
    enforce((affordable(one, price, "SB-77"),), referee)
    return (spend(one, price, "climb"), sev.Climbed(who=one.id, feet=command.feet, price=price))


def decide_stunt(state: FightState, command: scm.Stunt, dice: Dice, referee: Referee) -> ev.Events:
    """An unlisted piece of movement (SB-78): the GM's price, remembered under its name."""
    one = combatant_of(state, command.who)
    enforce(move_checks(state, one, WALK), referee)
    if not command.name.strip() or command.hexes < 0:
        raise Refused("SB-78", "a stunt needs a name and 0 or more hexes", ("name", "hexes"), final=True)
    key = f"price:{command.name.strip().lower()}"
    known = state.facts.get(key)
    price = command.beats if command.beats is not None else known
    if not isinstance(price, int):
        prompt = Prompt(
            id="",
            kind="price",
            question=f"{one.name}: {command.name}. How many beats?",
            rule="SB-78",
            choices=choices("cancel:not now"),
            default="cancel",
            who=one.id,
            side=one.side,
            amount="beats",
            data={
                "name": command.name,
                "hexes": command.hexes,
                "meets": command.meets,
                "q": command.to.q if command.to else None,
                "r": command.to.r if command.to else None,
            },
        )
        return (asked(state, (), prompt),)
    return stunt(state, one, command, price, referee)


def stunt(state: FightState, one: Combatant, command: scm.Stunt, price: int, referee: Referee) -> ev.Events:
    """Carry out a stunt whose price is known."""
    if price < 0:
        raise Refused("SB-78", f"{price} beats", ("0 or more",), final=True)
    enforce((affordable(one, price, "SB-78"),), referee)
    key = f"price:{command.name.strip().lower()}"
    walk = _leap(state, one, command, price, referee)
    happened: list[ev.Event] = [
        sev.Stunted(
            who=one.id,
            hexes=walk.hexes,
            feet=_feet(state, walk.hexes),
            path=walk.path,
            facing=_facing(state, one, walk.path),
            name=command.name,
            price=price,
        ),
        spend(one, price, command.name),
    ]
    if state.facts.get(key) != price:
        happened.append(ev.FactChanged(fact=key, before=state.facts.get(key), value=price))
    if walk.hexes:
        happened += [*_contacts(state, one, walk), *_halt(one, walk), *_arrival(state, one, walk, "")]
        happened += sneaking.seen_in_the_open(state, one.id)
    return tuple(happened)


def _leap(state: FightState, one: Combatant, command: scm.Stunt, price: int, referee: Referee) -> Walk:
    """Where a stunt leads: into the next hex on a board, over so many hexes without one, or nowhere else."""
    on_board = state.board is not None and one.at is not None
    if command.to is not None:
        return _one_hex(state, one, command.to, command.meets, price, referee)
    if on_board and command.hexes:
        raise Refused("to", "on a board a stunt says which hex it ends in", ("to",), final=True)
    return Walk(command.hexes, price, (), _met(state, one, command.meets), 0)


def decide_cover(state: FightState, command: scm.SetCover, dice: Dice, referee: Referee) -> ev.Events:
    """Into or out of cover: part of one's Move, or the GM's word at any other time (SB-65..68, Q-S27)."""
    one = combatant_of(state, command.who)
    if not command.cover:
        raise Refused("cover", "which cover?", fg.COVERS, final=True)
    check_cover(command.cover)
    before = fg.text_trait(one, "cover")
    changed = sev.CoverChanged(who=one.id, before=before, value=command.cover)
    enforce(able_checks(state, one), referee)
    step = state.step
    if step is not None and step.phase == "move" and step.side == one.side:
        return (changed,)
    ruling = ev.RulingRecorded(rule="SB-66", question=f"Cover of {one.name}", choice=command.cover)
    return (ruling, changed)
