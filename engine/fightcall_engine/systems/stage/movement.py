"""Move: walking and sneaking, also in Meeting; obstacles, posture, climbing, stunts and cover."""

from collections.abc import Mapping
from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.decision import Decision, choices, prompt_for, record_ruling, whole
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.movement import (
    check_step,
    chosen_way,
    contact_events,
    enemies_near,
    facing_after,
    is_on_board,
    is_undecided,
    met_by,
    ruled_ground,
    taken_words,
)
from fightcall_engine.kit.records import change_pool, sheet_int
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Move, Rule
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import ContactLeft, ContactMade, Detected, EntryChanged, Events, Hid, Moved
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.stage import entries, records
from fightcall_engine.systems.stage.records import able_checks, figure_of, scene_of, settings_of, turn_checks

WALK, QUIET, VAULT, CLAMBER = "walk", "quiet", "vault", "clamber"
PRICES: Mapping[str, int] = {WALK: 1, QUIET: 2, VAULT: 4, CLAMBER: 6}
PRICE_RULES: Mapping[str, str] = {WALK: "SB-46", QUIET: "SB-72", VAULT: "SB-73", CLAMBER: "SB-74"}


@frozen
class Walk:
    """A planned walk: number of hexes, price in beats, path, the enemy who stops it, and hexes not walked."""

    hexes: int
    price: int
    path: tuple[Location, ...] = ()
    halted_by: str = ""
    unwalked: int = 0


NEXT = "the next Moment"


def _when_possible(act: str, price: int, combatant: Combatant) -> str:
    return act if price <= combatant.pool("beats").now else NEXT


def move_checks(state: FightState, combatant: Combatant, mode: str) -> tuple[Check, ...]:
    """The checks of walking, sneaking, vaulting and clambering."""
    record = figure_of(combatant)
    stopper_id = record.halted
    stopper = state.combatants[stopper_id].name if stopper_id in state.combatants else stopper_id
    chosen = settings_of(state)
    drop = _when_possible("drop prone", records.prone_price(combatant, chosen), combatant)
    rise = (_when_possible("rise", records.rise_price(combatant, chosen), combatant), "a ruling on crawling")
    instead = NEXT if chosen.contact_stop == "everything" else drop
    seen, prone = f"{combatant.name} is in plain view", f"{combatant.name} is prone"
    spent = f"{combatant.name} has no beats left"
    own = (
        Check(mode != QUIET or not record.plain_view, "SB-57", seen, ("a ruling that no one looks: plain_view false",)),
        Check(record.posture != "prone", "SB-76", prone, rise),
        Check(not stopper_id, "SB-47", f"{combatant.name} was stopped by contact with {stopper}", (instead,)),
        Check(combatant.pool("beats").max > 0, PRICE_RULES[mode], f"{combatant.name} has no beats", ("a ruling",)),
        Check(combatant.pool("beats").now > 0, PRICE_RULES[mode], spent, ("the next Moment",)),
    )
    return turn_checks(state, combatant, ("move",), "SB-31", "movement", *own)


def affordable_check(combatant: Combatant, price: int, rule: str) -> Check:
    """SB-23, SB-46: the check that a figure has the beats for a price."""
    left = combatant.pool("beats").now
    return Check(price <= left, rule, f"needs {price} beats; you have {left}", (f"at most {left} beats",))


def hex_price(state: FightState, mode: str, place: Location) -> int | None:
    """Beats for entering a hex: the listed price times the ground's (SB-71, SB-72, SB-78); None if impassable."""
    ground = state.board.cost_of(place) if state.board else 1
    return None if ground is None else PRICES[mode] * ground


def creep_price(state: FightState, beats: int) -> int:
    """Q-S7: beats in Meeting for a path that costs so many in Move: as many, or none, by the setting."""
    return 0 if settings_of(state).meeting_sneak == "free" else beats


def step_price(state: FightState, mode: str) -> int:
    """Beats for one hex of open ground now; quiet walking in Meeting is creeping (SB-42)."""
    price = PRICES.get(mode, 1)
    return creep_price(state, price) if state.phase == "meeting" and mode == QUIET else price


def halting_places(state: FightState, combatant_id: str) -> frozenset[Location]:
    """SB-47: the hexes in which a visible enemy's zone stops a figure."""
    if state.board is None:
        return frozenset()
    side, board = state.combatants[combatant_id].side, state.board
    enemies = (each for each in state.combatants.values() if each.side != side and each.able and not each.hidden)
    places = [enemy.at for enemy in enemies if enemy.at]
    return frozenset(near for at in places for near in board.neighbours(at) if board.contact(near, at))


def _walk_board(decision: Decision, combatant: Combatant, way: tuple[Location, ...], mode: str) -> Walk:
    """Walk a path hex by hex until it ends or contact stops it (SB-01, SB-47)."""
    state, referee = decision.state, decision.referee
    board, here = state.board, combatant.at
    if board is None or here is None:
        raise Refused("place", f"{combatant.name} isn't on the board", ("place them first",), final=True)
    price, places_done, stopper = 0, 0, ""
    for place in way:
        check_step(state, here, place)
        other = state.standing_at(place)
        through = other is None or other == combatant.id or not state.are_foes(combatant.id, other)
        referee.require(through, "SB-01", taken_words(state, place, other), "a way around")
        cost = hex_price(state, mode, place)
        referee.require(cost is not None, "SB-78", f"{board.name_of(place)} can't be entered", "another way")
        price += PRICES[mode] if cost is None else cost
        places_done, here = places_done + 1, place
        stopper = next(iter(enemies_near(state, combatant.id, place, seen_only=True)), "")
        if stopper:
            break
    last = state.standing_at(here)
    is_occupied = last is not None and last != combatant.id and not state.are_foes(combatant.id, last)
    referee.require(not is_occupied, "SB-01", taken_words(state, here, last), "a free hex")
    return Walk(places_done, price, way[:places_done], stopper, len(way) - places_done)


def plan(decision: Decision, combatant: Combatant, command: Move | entries.Sneak | entries.Creep, mode: str) -> Walk:
    """Plan a walk, on the board or as a number of hexes without one."""
    state = decision.state
    if is_on_board(state, combatant):
        way = chosen_way(
            state,
            combatant,
            command.path,
            command.to,
            cost=lambda place: hex_price(state, mode, place),
            stops=halting_places(state, combatant.id),
            rule="SB-47",
        )
        walk = _walk_board(decision, combatant, way, mode)
        meets = met_by(state, combatant, command.meets, walk.path[-1], "SB-47")
        walk = replace(walk, halted_by=meets) if meets else walk
    else:
        if command.path or command.to:
            raise Refused("path", "without a board, say how many hexes the move is", ("hexes", "meets"), final=True)
        if command.hexes < 1 or command.meets_after < 0:
            raise Refused("hexes", f"{min(command.hexes, command.meets_after)} hexes", ("1 or more",), final=True)
        if command.meets_after > command.hexes:
            late = f"contact after {command.meets_after} hexes doesn't fit a move of {command.hexes}"
            raise Refused("meets_after", late, (f"1 to {command.hexes}",), final=True)
        meets = met_by(state, combatant, command.meets, None, "SB-47")
        hex_count = (command.meets_after or command.hexes) if meets else command.hexes
        walk = Walk(hex_count, hex_count * PRICES[mode], (), meets, command.hexes - hex_count)
    if isinstance(command, Move) and command.ground is not None:
        return replace(walk, price=PRICES[mode] * ruled_ground(command.ground, walk.hexes))
    return walk


def spend(combatant: Combatant, amount: int, purpose: str) -> entries.BeatsSpent:
    """Spend beats, or all there are if a forced price is higher."""
    now = combatant.pool("beats").now
    spent = min(amount, now)
    return change_pool(entries.BeatsSpent, combatant, "beats", now - spent, amount=spent, purpose=purpose)


def apply_arrival(decision: Decision, before: FightState, combatant: Combatant, walk: Walk, cover: str = "") -> None:
    """Apply the end of a walk: contacts, stopping, cover, and questions about hidden enemies.

    `before` and `combatant` are from before the walk; `cover` is what it was meant to reach, if any.
    """
    decision.emit(*_contacts_after(before, combatant, walk))
    if enemy := walk.halted_by:
        unwalked = walk.unwalked
        decision.emit(entries.MovementHalted(who=combatant.id, before="", value=enemy, enemy=enemy, unwalked=unwalked))
    if walk.hexes:
        # Leaving a hex leaves its cover (SB-66).
        end = walk.path[-1] if walk.path else combatant.at
        new_cover = cover if cover and not walk.unwalked else ground_cover(before, end) or "open"
        decision.emit(*cover_events(combatant, new_cover))
    state = decision.state
    near = (enemy for place in walk.path for enemy in enemies_near(state, combatant.id, place))
    hidden_enemy = next((state.combatants[enemy] for enemy in near if state.combatants[enemy].hidden), None)
    if hidden_enemy is None:
        return
    question = f"{combatant.name} moves next to {hidden_enemy.name}, who is hidden. Noticed?"
    decision.spawn(_ask_whether_found, hidden_enemy.id, combatant.id, question)


def _contacts_after(state: FightState, combatant: Combatant, walk: Walk) -> Events:
    """Contacts left and made by walking (SB-47, SB-48)."""
    if walk.path and not is_undecided(state, combatant):
        return contact_events(state, combatant.id, walk.path[-1])
    # Contact with the fallen ends too: if healed, they are not in contact with a combatant who has walked away.
    before = tuple(
        other for other in state.combatants if {(combatant.id, other), (other, combatant.id)} & {*state.contacts}
    )
    endings = [ContactLeft(who=combatant.id, enemy=enemy) for enemy in before if enemy != walk.halted_by]
    if walk.halted_by and walk.halted_by not in before:
        return (*endings, ContactMade(who=combatant.id, enemy=walk.halted_by))
    return tuple(endings)


def _ask_whether_found(decision: Decision, enemy_id: str, mover_id: str, question: str) -> None:
    """Q-S8d: notice the hidden enemy, or leave it hidden, as the GM answers."""
    enemy, answers = decision.combatant(enemy_id), ("no:stays hidden", "yes:noticed")
    answer = decision.ask_about(
        enemy, "passed_hidden", "SB-47", question, *answers, default="no", about=(mover_id,), blocking=False
    )
    if answer.choice == "yes":
        decision.emit(Detected(who=enemy_id, cause="bumped into", noticed_by=mover_id))


def feet_of(state: FightState, hexes: int, *, in_zone: bool = False) -> float:
    """SB-02: feet for so many hexes: by the GM's ruling, else the board's scale, else (or in a zone) the setting."""
    scale = settings_of(state).hex_ft if state.board is None or in_zone else state.board.scale
    return hexes * float(scene_of(state).hex_ft or scale)


def ground_cover(state: FightState, place: Location | None) -> str:
    """The cover that the ground of a place gives; may be empty."""
    return state.board.terrain_at(place).cover or "" if state.board is not None and place is not None else ""


def placed_cover_events(state: FightState, combatant: Combatant, before: Location | None) -> Events:
    """The cover of a figure that was placed, not walked: the ground's, if its old or new place has any."""
    if combatant.at == before:
        return ()
    cover_before = "open" if ground_cover(state, before) else figure_of(combatant).cover
    return cover_events(combatant, ground_cover(state, combatant.at) or cover_before)


def cover_events(combatant: Combatant, cover: str) -> Events:
    """The event of a figure taking this cover, if it has changed."""
    before = figure_of(combatant).cover
    return () if cover == before else (entries.CoverChanged(who=combatant.id, before=before, value=cover),)


def check_cover(cover: str) -> None:
    """Refuse a word that is no kind of cover."""
    if cover and cover not in records.COVERS:
        raise Refused("cover", f"there is no cover {cover!r}", records.COVERS, final=True)


# Sneaking (SB-56..64)


def sneakers(state: FightState) -> tuple[str, ...]:
    """The ids of those who have sneaked in this Move and have yet to roll."""
    people = state.combatants.values()
    return tuple(combatant.id for combatant in people if combatant.able and figure_of(combatant).sneaking)


def no_bonus_check(modifier: int) -> Check:
    """SB-62: nothing but Skullduggery makes sneaking easier."""
    return Check(modifier == 0, "SB-62", "only Skullduggery improves a sneak roll", ("modifier 0",))


def ask_roll(decision: Decision, combatant_id: str) -> None:
    """SB-58: ask how a sneak is decided, by a roll or by the GM, and apply it.

    Skullduggery with armour offers relief from DAR (SB-64). Nothing is rolled for a combatant who is down by then.
    """
    combatant, settings = decision.combatant(combatant_id), settings_of(decision.state)
    dar, target = records.sneak_dar(combatant), records.sneak_target(combatant, settings)
    bonus = figure_of(combatant).sneak_bonus
    answers = ["yes:roll", "no:no roll, stays hidden"]
    if sheet_int(combatant, "skullduggery") is not None and dar > 0:
        answers[1:1] = ["half:roll with half the DAR", "bare:roll without the DAR"]
    less = f" {-bonus:+d}" if bonus else ""
    skill = "Skullduggery" if records.sneaks_by_skill(combatant, settings) else "Agility"
    question = f"{combatant.name} sneaked. Roll d20 + {dar} (DAR){less}, {target} or less ({skill})?"
    answer = decision.ask_about(
        combatant, "sneak", "SB-58", question, *answers, default="yes", dice="d20", purpose="sneak"
    )
    if not answer.choice:
        return
    decision.require(no_bonus_check(answer.modifier))
    combatant = decision.combatant(combatant_id)
    if answer.amount is not None and (not isinstance(answer.amount, int) or answer.choice == "no"):
        message = f"{answer.amount!r} isn't a result of d20"
        raise Refused("dice", message, ("a face, with a roll",), final=True)
    if not combatant.able:
        decision.set_traits(combatant.id, sneaking=False)
        return
    if answer.choice == "no":
        decision.set_traits(combatant.id, sneaking=False)
        _hide(decision, combatant.id)
        return
    dar = records.sneak_dar(combatant)
    if answer.choice in ("half", "bare"):
        reduced_dar, question = dar // 2 if answer.choice == "half" else 0, f"{combatant.name}'s DAR when sneaking"
        decision.emit(record_ruling("SB-64", question, f"{reduced_dar} instead of {dar}"))
        dar = reduced_dar
    roll(decision, combatant.id, dar, answer.modifier, answer.amount)


def roll(decision: Decision, combatant_id: str, dar: int, bonus: int = 0, face: int | None = None) -> None:
    """SB-59: roll d20 + DAR, at most Agility or Skullduggery (SB-63).

    `bonus` is subtracted, by the GM's word against SB-62; `face` is the die, if it has been typed as an answer.
    """
    combatant = decision.state.combatants[combatant_id]
    target = records.sneak_target(combatant, settings_of(decision.state))
    bonus += figure_of(combatant).sneak_bonus
    die = decision.roll("d20", "sneak", combatant_id, face).total
    passed, before = die + dar - bonus <= target, figure_of(combatant).sneaking
    event_type = entries.SneakChecked
    decision.emit(
        event_type(who=combatant_id, die=die, dar=dar, bonus=bonus, target=target, passed=passed, before=before)
    )
    if passed:
        _hide(decision, combatant_id)
        return
    decision.emit(Detected(who=combatant_id, cause="failed roll"))
    # The record of the answer keeps the cause (SB-61).
    causes = choices("noise", "scent", "instinct", "other")
    question = f"How is {combatant.name} noticed?"
    prompt = prompt_for(
        combatant, kind="noticed", question=question, rule="SB-61", choices=causes, default="noise", blocking=False
    )
    decision.spawn(Decision.ask, prompt)


def _hide(decision: Decision, combatant_id: str) -> None:
    if not decision.state.combatants[combatant_id].hidden:
        decision.emit(Hid(who=combatant_id, reason="unnoticed"))


def reveal_in_view(decision: Decision, combatant_id: str) -> None:
    """SB-60: stepping into view reveals a figure, and its sneak roll is dropped."""
    combatant = decision.state.combatants[combatant_id]
    if not figure_of(combatant).plain_view:
        return
    if combatant.hidden:
        decision.emit(Detected(who=combatant_id, cause="seen"))
    if figure_of(combatant).sneaking:
        decision.set_traits(combatant_id, sneaking=False)


# Walking and sneaking in Move (SB-46, 47, 71, 72), and creeping in Meeting (SB-42, 43)


@handles(Move, entries.Sneak)
def move(decision: Decision, command: Move | entries.Sneak) -> None:
    """Walk or sneak in Move (SB-46, 47, 71, 72)."""
    before, combatant = decision.state, decision.combatant(command.who)
    quiet = isinstance(command, entries.Sneak)
    mode, bonus = (QUIET, command.modifier) if isinstance(command, entries.Sneak) else (WALK, 0)
    check_cover(command.cover)
    decision.require(*move_checks(before, combatant, mode), no_bonus_check(bonus))
    walk = plan(decision, combatant, command, mode)
    decision.require(affordable_check(combatant, walk.price, PRICE_RULES[mode]))
    _walk(decision, combatant, walk, quiet=quiet)
    decision.emit(spend(combatant, walk.price, f"{'sneak' if quiet else 'move'} {walk.hexes}"))
    if quiet:
        decision.emit(entries.SneakBegan(who=combatant.id, before=figure_of(combatant).sneaking))
        _keep_bonus(decision, combatant, bonus)
    else:
        reveal_in_view(decision, combatant.id)
    apply_arrival(decision, before, combatant, walk, command.cover)


def _walk(decision: Decision, combatant: Combatant, walk: Walk, *, quiet: bool) -> None:
    decision.emit(
        Moved(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(decision.state, walk.hexes),
            path=walk.path,
            facing=facing_after(decision.state, combatant, walk.path),
            quiet=quiet,
        )
    )


def _keep_bonus(decision: Decision, combatant: Combatant, modifier: int) -> None:
    """Keep a bonus that the GM has forced against SB-62 until the sneak roll."""
    if modifier:
        decision.set_traits(combatant.id, sneak_bonus=modifier)


def creeper_checks(combatant: Combatant) -> tuple[Check, ...]:
    """SB-42: a figure can creep if it is of the party, undetected, standing and not stopped."""
    record = figure_of(combatant)
    return (
        Check(combatant.side == records.PARTY, "SB-42", "only the party can creep in Meeting", ("a GM ruling",)),
        Check(combatant.hidden, "SB-42", f"{combatant.name} isn't hidden", (RulingWanted("hidden"),)),
        Check(not record.plain_view, "SB-57", f"{combatant.name} is in plain view", ("plain_view false",)),
        Check(record.posture != "prone", "SB-76", f"{combatant.name} is prone", ("Move: rise",)),
        Check(not record.halted, "SB-47", f"{combatant.name} was stopped by contact", ("the Move phase",)),
        Check(combatant.pool("beats").max > 0, "SB-42", f"{combatant.name} has no beats", ("a ruling",)),
    )


def creep_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """SB-42: figures creep in Meeting, for beats of this Moment (Q-S7)."""
    is_untested = any(prompt.kind == "sneak" and prompt.who == combatant.id for prompt in state.prompts)
    untested = f"{combatant.name}'s last creep still needs a sneak roll"
    tested = Check(not is_untested, "SB-42", untested, ("answer the open question",))
    return turn_checks(state, combatant, ("meeting",), "SB-42", "creeping", tested, *creeper_checks(combatant))


def creep(decision: Decision, command: entries.Creep) -> None:
    """Creep in Meeting: 2 beats a hex, with a sneak roll at once (SB-42)."""
    before = decision.state
    combatant = decision.combatant(command.who)
    decision.require(*creep_checks(before, combatant), no_bonus_check(command.modifier))
    walk = plan(decision, combatant, command, QUIET)
    price = creep_price(decision.state, walk.price)
    decision.require(affordable_check(combatant, price, "SB-42"))
    _walk(decision, combatant, walk, quiet=True)
    decision.emit(spend(combatant, price, f"creep {walk.hexes}"))
    decision.set_facts(crept=tuple(dict.fromkeys((*scene_of(before).crept, combatant.id))))
    apply_arrival(decision, before, combatant, walk)
    if decision.dice.has_throw("sneak"):
        roll(decision, combatant.id, records.sneak_dar(combatant), command.modifier)
    else:
        _keep_bonus(decision, combatant, command.modifier)
        ask_roll(decision, combatant.id)


# Other acts of Move (SB-65..68, 73..78)


@handles(entries.Vault, entries.Clamber)
def cross_obstacle(decision: Decision, command: entries.Vault) -> None:
    """Vault or clamber over an obstacle into the next hex (SB-73, SB-74)."""
    before = decision.state
    combatant = decision.combatant(command.who)
    mode = CLAMBER if isinstance(command, entries.Clamber) else VAULT
    price = PRICES[mode]
    limit = records.feet(combatant, "height_ft") if mode == VAULT else records.feet(combatant, "reach_ft")
    limit = limit / 2 if limit is not None and mode == VAULT else limit
    fits = command.height_ft is None or limit is None or command.height_ft <= limit
    instead = "clamber" if mode == VAULT else "a ruling"
    rule = PRICE_RULES[mode]
    no_height = f"{command.height_ft} ft isn't a valid height"
    decision.require(
        *move_checks(before, combatant, mode),
        Check(command.height_ft is None or command.height_ft > 0, rule, no_height, ("more than 0 ft",)),
        Check(fits, rule, f"{command.height_ft} ft is more than {limit} ft", (instead,)),
        affordable_check(combatant, price, rule),
    )
    walk = _obstacle_walk(decision, combatant, command.to, command.meets, price)
    kind = entries.Vaulted if mode == VAULT else entries.Clambered
    decision.emit(
        kind(
            who=combatant.id,
            hexes=1,
            feet=feet_of(before, 1, in_zone=before.shares_places and not walk.path),
            path=walk.path,
            facing=facing_after(before, combatant, walk.path),
            price=price,
        ),
        spend(combatant, price, mode),
    )
    reveal_in_view(decision, combatant.id)
    apply_arrival(decision, before, combatant, walk)


def _obstacle_walk(decision: Decision, combatant: Combatant, to: Location | None, meets: str, price: int) -> Walk:
    state, board = decision.state, decision.state.board
    if board is None or combatant.at is None:
        if to is not None:
            raise Refused("to", "without a board, you can't name a hex", ("meets",), final=True)
        return Walk(1, price, (), met_by(state, combatant, meets, None, "SB-47"), 0)
    if to is None and board.holds_several:
        return Walk(1, price, (), met_by(state, combatant, meets, combatant.at, "SB-47"), 0)
    if to is None or not board.contains(to) or to not in board.neighbours(combatant.at):
        near = tuple(board.name_of(place) for place in board.neighbours(combatant.at))
        raise Refused("to", "the hex beyond the obstacle must be next to the figure", near, final=True)
    occupant_id = state.standing_at(to)
    decision.require(Check(occupant_id is None, "SB-01", taken_words(state, to, occupant_id), ("a free hex",)))
    return Walk(1, price, (to,), _stopper_at(state, combatant, to, meets), 0)


def _stopper_at(state: FightState, combatant: Combatant, place: Location, meets: str) -> str:
    """The id of the visible enemy whose zone a landing place is in, else the one that the GM has named, if any."""
    near = enemies_near(state, combatant.id, place, seen_only=True)
    return next(iter(near), "") or met_by(state, combatant, meets, place, "SB-47")


def act_checks(state: FightState, combatant: Combatant, rule: str, what: str, *own: Check) -> tuple[Check, ...]:
    """The checks of an act in Move within one hex, which contact does not stop (Q-S8a). `own`: see `turn_checks`."""
    free = settings_of(state).contact_stop != "everything" or not figure_of(combatant).halted
    first = (
        Check(free, "SB-47", f"{combatant.name} was stopped by contact", ("the next Moment",)),
        Check(combatant.pool("beats").max > 0, rule, f"{combatant.name} has no beats", ("a ruling",)),
    )
    return turn_checks(state, combatant, ("move",), "SB-31", what, *first, *own)


def posture_checks(state: FightState, combatant: Combatant, posture: str) -> tuple[Check, ...]:
    """SB-75: dropping prone costs half of the total beats, whatever is left of them.

    SB-76: rising costs the total beats; a figure that has spent any cannot rise in this Moment (Q-S17).
    """
    rule, act, already, other, price_of = _POSTURES[posture]
    has_changed = figure_of(combatant).posture != posture
    affordable = affordable_check(combatant, price_of(combatant, settings_of(state)), rule)
    changes = Check(has_changed, rule, f"{combatant.name} is {already}", (other,))
    return act_checks(state, combatant, rule, act, changes, affordable)


_POSTURES = {
    "prone": ("SB-75", "dropping prone", "already prone", "rise", records.prone_price),
    "standing": ("SB-76", "rising", "standing", "drop prone", records.rise_price),
}


@handles(entries.DropProne)
def drop_prone(decision: Decision, command: entries.DropProne) -> None:
    """Drop prone for half of all beats (SB-75)."""
    combatant = decision.combatant(command.who)
    decision.require(*posture_checks(decision.state, combatant, "prone"))
    price, before = records.prone_price(combatant, settings_of(decision.state)), figure_of(combatant).posture
    payment = spend(combatant, price, "drop prone")
    decision.emit(payment, entries.DroppedProne(who=combatant.id, before=before, price=price))


@handles(entries.Rise)
def rise(decision: Decision, command: entries.Rise) -> None:
    """Rise for all beats (SB-76)."""
    combatant = decision.combatant(command.who)
    decision.require(*posture_checks(decision.state, combatant, "standing"))
    payment = spend(combatant, combatant.pool("beats").max, "rise")
    decision.emit(payment, entries.Rose(who=combatant.id, before=figure_of(combatant).posture, price=payment.amount))


def climb_checks(state: FightState, combatant: Combatant, price: int) -> tuple[Check, ...]:
    """The checks of climbing a rope or ladder at this price."""
    up = Check(figure_of(combatant).posture != "prone", "SB-76", f"{combatant.name} is prone", ("rise",))
    return act_checks(state, combatant, "SB-77", "climbing", up, affordable_check(combatant, price, "SB-77"))


@handles(entries.Climb)
def climb(decision: Decision, command: entries.Climb) -> None:
    """Climb up or down a rope or ladder (SB-77)."""
    combatant = decision.combatant(command.who)
    if not 0 < command.feet <= 10_000:
        raise Refused("SB-77", f"{command.feet} ft", ("more than 0 ft",), final=True)
    price = ceil(command.feet / 10)
    decision.require(*climb_checks(decision.state, combatant, price))
    decision.emit(spend(combatant, price, "climb"), entries.Climbed(who=combatant.id, feet=command.feet, price=price))


@handles(entries.Stunt)
def stunt(decision: Decision, command: entries.Stunt) -> None:
    """An unlisted piece of movement (SB-78), at the price that the GM has set before, or is asked for."""
    combatant = decision.combatant(command.who)
    decision.require(*move_checks(decision.state, combatant, WALK))
    if not command.name.strip() or command.hexes < 0:
        raise Refused("SB-78", "a stunt needs a name and 0 or more hexes", ("name", "hexes"), final=True)
    walk = _stunt_walk(decision, combatant, command)
    price_before = scene_of(decision.state).prices.get(_price_key(command.name))
    price = command.beats if command.beats is not None else price_before
    if price is None:
        question = f"{combatant.name}: {command.name}. How many beats?"
        answer = decision.ask_about(
            combatant, "price", "SB-78", question, "cancel:not now", default="cancel", amount="beats"
        )
        if answer.choice == "cancel" or answer.amount is None:
            return
        if not isinstance(answer.amount, int):
            raise Refused("SB-78", f"{answer.amount!r} isn't a number of beats", ("a whole number",), final=True)
        price, combatant = answer.amount, decision.combatant(command.who)
        walk = _stunt_walk(decision, combatant, command)
    if price < 0:
        raise Refused("SB-78", f"{price} beats", ("0 or more",), final=True)
    before = decision.state
    decision.require(affordable_check(combatant, price, "SB-78"))
    decision.emit(
        entries.Stunted(
            who=combatant.id,
            hexes=walk.hexes,
            feet=feet_of(before, walk.hexes, in_zone=before.shares_places and not walk.path),
            path=walk.path,
            facing=facing_after(before, combatant, walk.path),
            name=command.name,
            price=price,
        ),
        spend(combatant, price, command.name),
    )
    _record_price(decision, command.name, price)
    if walk.hexes:
        reveal_in_view(decision, combatant.id)
        apply_arrival(decision, before, combatant, walk)


@rules_on("price")
def rule_price(decision: Decision, command: Rule) -> None:
    """SB-78: set the price of an unlisted piece of movement, which the note names."""
    name = command.note.strip()
    if not name:
        raise Refused("SB-78", "name the movement this price is for", ("note: the name of the movement",), final=True)
    price = whole("SB-78", command.value, 0, "price in beats")
    decision.emit(record_ruling("SB-78", f"Price of {name}", f"{price} beat{'' if price == 1 else 's'}"))
    _record_price(decision, name, price)


def _price_key(name: str) -> str:
    return name.strip().lower()


def _record_price(decision: Decision, name: str, price: int) -> None:
    price_before = scene_of(decision.state).prices.get(_price_key(name))
    if price_before != price:
        decision.emit(EntryChanged(field="prices", key=_price_key(name), before=price_before, value=price))


def _stunt_walk(decision: Decision, combatant: Combatant, plan: entries.Stunt) -> Walk:
    """The walk of a stunt: to its landing place on a board, over `hexes` without one, or nowhere.

    A leap or swing ignores what lies between: the landing place must be free, and contact is made only there (SB-78).
    """
    state, board, to = decision.state, decision.state.board, plan.to
    if to is None:
        if is_on_board(state, combatant) and plan.hexes and not is_undecided(state, combatant):
            raise Refused("to", "on a board, name the hex where the stunt ends", ("to",), final=True)
        return Walk(plan.hexes, 0, (), met_by(state, combatant, plan.meets, combatant.at, "SB-47"), 0)
    if board is None or combatant.at is None:
        raise Refused("to", "without a board, you can't name a hex", ("hexes", "meets"), final=True)
    if not board.contains(to):
        raise Refused("to", f"{board.name_of(to)} is off the board", (board.extent(),), final=True)
    name, occupant_id = board.name_of(to), state.standing_at(to)
    standable = board.cost_of(to) is not None
    decision.require(
        Check(occupant_id in (None, combatant.id), "SB-01", taken_words(state, to, occupant_id), ("a free hex",)),
        Check(standable, "SB-78", f"{name} can't be entered", ("another landing place",)),
    )
    hexes = board.distance(combatant.at, to)
    return Walk(hexes, 0, (to,) if hexes else (), _stopper_at(state, combatant, to, plan.meets), 0)


def cover_checks(state: FightState, combatant: Combatant, cover: str = "") -> tuple[Check, ...]:
    """SB-66: cover can be taken at any time, but full cover is left only in one's own Move, or before the first Moment.

    `cover` is the new cover; by default any other than the figure's.
    """
    leaves = figure_of(combatant).cover == "full" and cover != "full"
    can_leave = _is_own_move(state, combatant) or state.round == 0
    message = f"{combatant.name} can only leave full cover by moving in the Move phase"
    return (
        *able_checks(state, combatant),
        Check(can_leave or not leaves, "SB-66", message, (f"the {combatant.side}'s half of Move",)),
    )


def _is_own_move(state: FightState, combatant: Combatant) -> bool:
    step = state.step
    return step is not None and step.phase == "move" and step.side == combatant.side


@handles(entries.SetCover)
def set_cover(decision: Decision, command: entries.SetCover) -> None:
    """Enter or leave cover, in one's Move; enter it at any other time by the GM's word (SB-65..68, Q-S27)."""
    combatant = decision.combatant(command.who)
    if not command.cover:
        raise Refused("cover", "choose a cover", records.COVERS, final=True)
    check_cover(command.cover)
    decision.require(*cover_checks(decision.state, combatant, command.cover))
    if not _is_own_move(decision.state, combatant):
        decision.emit(record_ruling("SB-66", f"Cover of {combatant.name}", command.cover))
    decision.emit(entries.CoverChanged(who=combatant.id, before=figure_of(combatant).cover, value=command.cover))
