"""What every change of hex shares (SB-46..48, 71..74): prices, paths, contact, cover on arrival."""

from collections.abc import Mapping
from dataclasses import dataclass

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.paths import path as find_path
from fightcall_engine.checks import Check
from fightcall_engine.commands import Move
from fightcall_engine.contacts import contact_events, enemies_near
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.stage import commands as scm
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.figures import turn_checks

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
        price <= left,
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


def chosen_path(state: FightState, one: Combatant, path: tuple[Hex, ...], to: Hex | None, mode: str) -> tuple[Hex, ...]:
    """The path given, or the cheapest way to a place round enemies; contact still stops it on the way (SB-47).

    Raises:
        Refused: no path, off the board, or no way.
    """
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


def plan(state: FightState, one: Combatant, command: Move | scm.Sneak | scm.Creep, mode: str, referee: Referee) -> Walk:
    """The way as it will be walked, on the board or as a number of hexes without one."""
    if state.board is not None and one.at is not None:
        way = chosen_path(state, one, command.path, command.to, mode)
        if not way:
            raise Refused("path", "no hexes to walk", ("path", "to"), final=True)
        return walk_board(state, one, way, mode, referee)
    if command.path or command.to:
        raise Refused("path", "without a board a move is a number of hexes", ("hexes", "meets"), final=True)
    if command.hexes < 1 or command.meets_after < 0:
        raise Refused("hexes", f"{min(command.hexes, command.meets_after)} hexes", ("1 or more",), final=True)
    meets = met(state, one, command.meets)
    walked = min(command.meets_after or command.hexes, command.hexes) if meets else command.hexes
    return Walk(walked, walked * PRICES[mode], (), meets, command.hexes - walked)


def met(state: FightState, one: Combatant, meets: str) -> str:
    """The enemy that a move without a board says it meets, empty for none."""
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


def contacts_after(state: FightState, one: Combatant, walk: Walk) -> ev.Events:
    """Contacts left and made by walking (SB-47, SB-48)."""
    if walk.path:
        return contact_events(state, one.id, walk.path[-1])
    before = state.contacts_of(one.id)
    left = [ev.ContactLeft(who=one.id, enemy=enemy) for enemy in before if enemy != walk.halted_by]
    made = [walk.halted_by] if walk.halted_by and walk.halted_by not in before else []
    return (*left, *(ev.ContactMade(who=one.id, enemy=enemy) for enemy in made))


def halt(one: Combatant, walk: Walk) -> ev.Events:
    """The fact that contact stops the figure, if it does (SB-47)."""
    if not walk.halted_by:
        return ()
    return (
        sev.MovementHalted(who=one.id, before="", value=walk.halted_by, enemy=walk.halted_by, unwalked=walk.unwalked),
    )


def feet_of(state: FightState, hexes: int) -> float:
    """SB-02: the scale the GM has ruled, or else the board's, or else the setting."""
    ruled = fg.fact(state, "hex_ft")
    scale = ruled or (state.board.scale if state.board else state.settings.get("hex_ft", 5.0))
    return hexes * float(scale if isinstance(scale, int | float) else 5.0)


def facing_after(state: FightState, one: Combatant, path: tuple[Hex, ...]) -> int | None:
    """Figures face the way they last went; 0 is east, counter-clockwise."""
    if not path or one.at is None or state.board is None:
        return one.facing
    return state.board.bearing(path[-2] if len(path) > 1 else one.at, path[-1])


def cover_after(state: FightState, one: Combatant, walk: Walk, cover: str) -> ev.Events:
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
