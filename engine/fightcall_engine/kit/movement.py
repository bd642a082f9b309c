"""Moving: lines, contacts, places to go to and facing; and the preview of a command.

For a preview the engine tries the command out with the checks and sums that decide it, without rolling. The result is
a few rows that a screen can show as they are. A system adds rows of its own in `BaseSystem.preview`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from fightcall_engine.board.base import Cost, Location, find_path
from fightcall_engine.board.kinds import direction_called, directions_of, resolve_place
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import combatant_of, name_of
from fightcall_engine.kit.views import ANOTHER_TARGET, Check, Option, Referee
from fightcall_engine.model.commands import Command, Move
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.errors import Accepted, BadInput, FieldValue, Refused, RollNeeded, RulingWanted
from fightcall_engine.model.events import ContactLeft, ContactMade, Event, Events, Moved
from fightcall_engine.model.json_data import place_on_board
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.model.values import field_names, field_types, frozen, replace


@frozen
class Line:
    """The line from one combatant to another, on a board of any kind.

    Attributes:
        distance: the places from one to the other; None if there is no board, or one of them is not on it.
        apart: the distance in words; empty if it is unknown.
        is_clear: whether nothing blocks sight. Without a distance, the table judges it, so it is true.
        blocked_by: the name of the first place that blocks it; empty if it is clear.
        cover: the cover of the target's place, a word of the system; empty for none.
        cover_between: the covers of the places between, from the target back.
    """

    distance: int | None = None
    apart: str = ""
    is_clear: bool = True
    blocked_by: str = ""
    cover: str = ""
    cover_between: tuple[str, ...] = ()


def line_to(state: FightState, combatant_id: str, target_id: str) -> Line:
    """Return the line from a combatant to a target."""
    board, here, there = state.board, state.combatants[combatant_id].at, state.combatants[target_id].at
    if board is None or here is None or there is None:
        return Line()
    sight = board.sight(here, there)
    between = (board.terrain_at(place).cover for place in reversed(sight.cells) if place not in (here, there))
    return Line(
        distance=board.distance(here, there),
        apart=board.apart(here, there),
        is_clear=sight.clear,
        blocked_by="" if sight.blocked_by is None else board.name_of(sight.blocked_by),
        cover=board.terrain_at(there).cover or "",
        cover_between=tuple(cover for cover in between if cover),
    )


def enemies_near(state: FightState, combatant_id: str, place: Location, *, seen_only: bool = False) -> tuple[str, ...]:
    """The able enemies who are in contact with a place as far as the board can tell, in roster order."""
    if state.board is None:
        return ()
    side = state.combatants[combatant_id].side
    others = (each for each in state.combatants.values() if each.side != side and each.able)
    near = (each for each in others if each.at is not None and state.board.contact(place, each.at))
    return tuple(each.id for each in near if not (seen_only and each.hidden))


def contact_events(state: FightState, combatant_id: str, place: Location | None) -> tuple[Event, ...]:
    """The contacts made and left by standing on `place`. A declared one continues where the board can't tell."""
    if state.board is None:
        return ()
    before = set(state.contacts_of(combatant_id))
    if state.shares_places:
        # Declared contacts include the fallen, who are left behind like anybody else.
        before = {other for pair in state.contacts if combatant_id in pair for other in pair} - {combatant_id}
    old_enemies, after = [each for each in state.combatants.values() if each.id in before], list[str]()
    if place is not None and state.combatants[combatant_id].able:
        after += enemies_near(state, combatant_id, place)
        after += (
            each.id for each in old_enemies if each.at is not None and state.board.contact(place, each.at) is None
        )
    endings = [ContactLeft(who=combatant_id, enemy=enemy.id) for enemy in old_enemies if enemy.id not in after]
    beginnings = [ContactMade(who=combatant_id, enemy=enemy) for enemy in after if enemy not in before]
    return (*endings, *beginnings)


C = TypeVar("C", bound=Command)
NOWHERE: frozenset[Location] = frozenset()
FEET_A_PLACE = 5.0
"""The size of a place in feet if there is no board that has its own."""


@frozen
class Walk:
    """A walk as planned.

    Attributes:
        combatant: who walks, as before the walk.
        path: the places entered, in order; empty where there is no board.
        places: how many places that is.
        ground: what they cost in steps of open ground, or what the GM says.
        meets: the enemy met at its end, as stated by the GM, if the board cannot tell.
    """

    combatant: Combatant
    path: tuple[Location, ...]
    places: int
    ground: int
    meets: str = ""


def plan_walk(decision: Decision, command: Move, *, cost: Cost[Location] | None = None) -> Walk:
    """The walk that a command describes: a path on the board, or a number of places without one.

    `cost` is that of entering a place, if the system asks for more than the ground does. Refused if no way is
    given, it cannot be walked, or the enemy it names is not met.
    """
    state, combatant = decision.state, decision.combatant(command.who)
    if is_on_board(state, combatant):
        path = chosen_way(state, combatant, command.path, command.to, cost=cost)
        places, ground = len(path), ground_of(state, combatant, path, decision.referee)
    else:
        if command.path or command.to is not None:
            raise Refused("path", "without a board, say how many places the move is", ("hexes",), final=True)
        if command.hexes < 1:
            raise Refused("hexes", f"{command.hexes} places", ("1 or more",), final=True)
        path, places, ground = (), command.hexes, command.hexes
    meets = met_by(state, combatant, command.meets, path[-1] if path else None)
    return Walk(combatant, path, places, ruled_ground(command.ground, ground), meets)


def take_walk(decision: Decision, walk: Walk, event_type: type[Moved] = Moved) -> None:
    """Emit a walk with the facing and contacts at its end. The walker has acted, unless `ACTS` is false."""
    state, combatant = decision.state, walk.combatant
    scale = state.board.scale if state.board is not None else FEET_A_PLACE
    facing = facing_after(state, combatant, walk.path)
    contacts = contacts_of_move(state, combatant, walk.path, walk.meets)
    feet = walk.places * scale
    decision.emit(event_type(who=combatant.id, hexes=walk.places, feet=feet, path=walk.path, facing=facing), *contacts)


def with_places(state: FightState, command: C) -> C:
    """The command with its places and directions as the board has them; BadInput if it has no such ones."""
    board, facing = state.board, getattr(command, "facing", None)
    if board is None and facing is None:
        return command
    changes: dict[str, object] = {}
    try:
        if facing is not None:
            changes["facing"] = direction_called(board, facing)
        # A field of text of such a name does not count.
        for name in ("at", "to") if board is not None else ():
            place = getattr(command, name, None)
            if place is not None and field_types(type(command))[name] is not str:
                changes[name] = resolve_place(board, place)
        for name in ("path", "places", "area") if board is not None else ():
            several = getattr(command, name, ())
            if several and isinstance(several, tuple):
                changes[name] = tuple(resolve_place(board, place) for place in several)
    except ValueError as error:
        raise BadInput(f"command {command.type}", (str(error),)) from error
    resolved_command = replace(command, **changes) if changes else command  # type: ignore[arg-type]
    return resolved_command if board is None else place_on_board(resolved_command, board)


def is_on_board(state: FightState, combatant: Combatant) -> bool:
    """True if there is a board and the combatant stands on it."""
    return state.board is not None and combatant.at is not None


def is_undecided(state: FightState, combatant: Combatant) -> bool:
    """True if no board can tell who is in contact with a combatant, so that the GM declares it."""
    return state.board is None or combatant.at is None or state.board.contact(combatant.at, combatant.at) is None


def contact_shown(state: FightState, combatant: Combatant, other: Combatant) -> bool | None:
    """Whether the board shows two combatants in contact; None if the GM has to declare it."""
    if state.board is None or combatant.at is None or other.at is None:
        return None
    return state.board.contact(combatant.at, other.at)


def taken_places(state: FightState, combatant_id: str, *, enemies_only: bool = False) -> frozenset[Location]:
    """The places that other able combatants occupy, where nobody else can stand."""
    if state.board is None or state.shares_places:
        return NOWHERE
    others = (each for each in state.combatants.values() if each.able and each.id != combatant_id)
    taking = (each for each in others if not enemies_only or state.are_foes(combatant_id, each.id))
    return frozenset(each.at for each in taking if each.at is not None)


def chosen_way(
    state: FightState,
    combatant: Combatant,
    path: tuple[Location, ...],
    to: Location | None,
    *,
    cost: Cost[Location] | None = None,
    stops: frozenset[Location] = NOWHERE,
    rule: str = "path",
) -> tuple[Location, ...]:
    """The given path, or the cheapest one to a place around enemies.

    A path takes precedence over `to`. `stops` end a walk. `rule` is named if there is no way. Refused if no way is
    given, it leads nowhere, off the board, or there is none.
    """
    board = state.board
    if board is None or combatant.at is None:
        return ()
    if path:
        return path
    if to is None:
        raise Refused("path", "on a board, a move needs a path", ("path", "to"), final=True)
    name = board.name_of(to)
    if not board.contains(to):
        raise Refused("path", f"{name} is off the board", (board.extent(),), final=True)
    closed_places = taken_places(state, combatant.id, enemies_only=True) - {to}
    way = find_path(board, combatant.at, to, cost=cost, closed_places=closed_places, stops=stops)
    if way is None:
        raise Refused(rule, f"there is no way to {name}", ("another place", "a path"), final=True)
    if not way:
        raise Refused("path", f"{combatant.name} is already at {name}", ("another place",), final=True)
    return way


def check_step(state: FightState, here: Location, there: Location) -> None:
    """Refuse a step that does not lead to a neighbouring place, naming the neighbours."""
    board = state.board
    if board is not None and (not board.contains(there) or board.distance(here, there) != 1):
        near = tuple(board.name_of(place) for place in board.neighbours(here))
        raise Refused("path", f"{board.name_of(there)} is not next to {board.name_of(here)}", near, final=True)


def ground_of(state: FightState, combatant: Combatant, way: tuple[Location, ...], referee: Referee) -> int:
    """The cost of a path in steps of open ground; Refused if a step leads not to a free neighbouring place."""
    board, here = state.board, combatant.at
    if board is None or here is None or not way:
        raise Refused("path", "no move left", ("path", "to"), final=True)
    total = 0
    for place in way:
        check_step(state, here, place)
        name, cost = board.name_of(place), board.cost_of(place)
        referee.require(cost is not None, "path", f"{name} can't be entered", "another way")
        other = state.standing_at(place)
        free = other is None or other == combatant.id or (place != way[-1] and not state.are_foes(combatant.id, other))
        referee.require(free, "path", taken_words(state, place, other), "a free place")
        total, here = total + (1 if cost is None else cost), place
    return total


def ruled_ground(ground: int | None, otherwise: int) -> int:
    """The cost that the GM has set, else the computed one; Refused if it is below zero."""
    if ground is not None and ground < 0:
        raise Refused("ground", f"{ground} is below zero", ("0 or more",), final=True)
    return otherwise if ground is None else ground


def facing_after(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> int | None:
    """The direction of the last step of a path; 0 is east, counter-clockwise."""
    if not way or combatant.at is None or state.board is None:
        return combatant.facing
    return state.board.bearing(way[-2] if len(way) > 1 else combatant.at, way[-1])


def contacts_of_move(state: FightState, combatant: Combatant, way: tuple[Location, ...], meets: str) -> Events:
    """The contacts that a mover makes and leaves on the board, and the enemy it meets by the GM; see `met_by`."""
    end = way[-1] if way else None
    enemy = met_by(state, combatant, meets, end)
    events = contact_events(state, combatant.id, end) if end is not None else ()
    is_new = enemy and not state.in_contact(combatant.id, enemy)
    return (*events, ContactMade(who=combatant.id, enemy=enemy)) if is_new else events


def met_by(state: FightState, combatant: Combatant, meets: str, place: Location | None, rule: str = "meets") -> str:
    """The enemy that a command says is met at the end; empty for none, or if the board itself can tell.

    Nobody meets those who are down: they stop no one on a board either. Refused by `rule` if there is no such
    combatant, it is no enemy, or it stands elsewhere.
    """
    if not meets or not is_undecided(state, combatant):
        return ""
    enemy = combatant_of(state, meets)
    if enemy.side == combatant.side:
        raise Refused(rule, f"{enemy.name} is on {combatant.name}'s side", ("an enemy",), final=True)
    board = state.board
    if board is not None and place is not None and enemy.at is not None and board.contact(place, enemy.at) is False:
        where = board.name_of(enemy.at)
        raise Refused("meets", f"{enemy.name} is at {where}", ("an enemy where the path ends",), final=True)
    return enemy.id if enemy.able else ""


def taken_words(state: FightState, place: Location, taker: str | None) -> str:
    """Who occupies a place, in words: ``M7 is taken by Goblin 2``; empty if nobody does."""
    if state.board is None or not taker:
        return ""
    return f"{state.board.name_of(place)} is occupied by {state.combatants[taker].name}"


def check_place(state: FightState, combatant_id: str, at: Location | None, referee: Referee) -> None:
    """Refuse a place off the board, or one that an able combatant has."""
    if at is None:
        return
    if state.board is None:
        raise Refused("place", "this fight has no board", ("leave the place out",), final=True)
    name = state.board.name_of(at)
    if not state.board.contains(at):
        raise Refused("place", f"{name} is off the board", (state.board.extent(),), final=True)
    other = state.standing_at(at)
    referee.require(other is None or other == combatant_id, "place", taken_words(state, at, other), "a free place")


def check_facing(state: FightState, facing: int | None) -> None:
    """Refuse a direction that the board does not have."""
    directions = directions_of(state.board)
    if facing is None or 0 <= facing < len(directions):
        return
    accepts = tuple(f"{number} ({name})" for number, name in enumerate(directions)) or ("leave the facing out",)
    raise Refused("facing", f"there is no facing {facing} on this board", accepts, final=True)


HITS = "hits"
"""The name of the row with those whom an act at a place concerns. It is shown while the cursor moves."""
OK, BROKEN, INFO = "ok", "broken", "info"


@frozen
class Remedy:
    """A way to remove an obstacle to a command.

    Attributes:
        key: the key of the option that does it; empty for none.
        action: that option, by its `Option.action`.
        field: the field of the command to change, such as ``target``; empty for none.
        value: the new value of that field or setting.
        setting: the setting of the fight to change; empty for none.
        prompt: the id of the open question to answer with `value`; empty for none.
    """

    label: str
    key: str = ""
    action: str = ""
    field: str = ""
    value: Scalar = None
    setting: str = ""
    prompt: str = ""


@frozen
class Row:
    """A line of a preview.

    Attributes:
        name: the subject in a word, such as ``reach``.
        text: the description.
        detail: the result, such as ``in reach``.
        status: ``ok``, ``broken`` for an obstacle, ``info`` for neither.
        remedies: ways to remove the obstacle, or to supply a missing value.
        dice: the dice expression of the roll that is due; empty for none.
        purpose: the key of that roll in ``rolls``.
        who: the id of the combatant who rolls.
        number: the meaning of typed digits other than dice, such as ``damage``.
        proposed: the default.
        field: the field of the command that the row is about, so that a screen can edit it in the row.
        prompt: the id of the open question that the row shows.
        why: the explanation of its number.
    """

    name: str
    text: str
    detail: str = ""
    status: str = INFO
    rule: str = ""
    remedies: tuple[Remedy, ...] = ()
    dice: str = ""
    purpose: str = ""
    who: str = ""
    number: str = ""
    proposed: str = ""
    field: str = ""
    prompt: str = ""
    why: str = ""


@frozen
class Preview:
    """A preview of a command.

    Attributes:
        title: actor, act and target.
        actor_id: the id of the actor; empty for none.
        target_id: the id of the target; empty for none.
        due: when it is resolved, if later; empty for now.
        rows: the rows in the order of reading.
        can_run: whether the command would be carried out once its dice are rolled.
    """

    title: str
    actor_id: str = ""
    target_id: str = ""
    due: str = ""
    rows: tuple[Row, ...] = ()
    can_run: bool = True


@frozen
class Trial:
    """The result of trying out a command, up to its first roll.

    Attributes:
        broken: the checks that do not hold, in order.
        final: whether not even the GM can override them.
        owed: the first roll; None if there is none.
    """

    broken: tuple[Check, ...] = ()
    final: bool = False
    owed: RollNeeded | None = None
    asked: tuple[Prompt, ...] = ()


class CollectingReferee(Referee):
    """The referee of a trial: it collects broken checks, and lets the trial go on as if they held."""

    def __init__(self, command: str, combatant_id: str, *, out_of_turn: bool = False) -> None:
        super().__init__(command, combatant_id, force=True, out_of_turn=out_of_turn)
        self.broken: list[Check] = []

    def require(self, holds: bool, rule: str, message: str, *accepts: Accepted, is_turn: bool = False) -> None:
        """Collect a check that does not hold."""
        super().require(holds, rule, message, *accepts, is_turn=is_turn)
        if not holds and not self.allows_turn(is_turn):
            self.add(Check(False, rule, message, accepts))

    def add(self, check: Check) -> None:
        """Collect a broken check, unless it has been collected before."""
        if check not in self.broken:
            self.broken.append(check)


def text_field(command: Command, name: str) -> str:
    """A string field of a command, such as ``who``; empty if it has no such field, or no value in it."""
    value = getattr(command, name) if name in field_names(type(command)) else ""
    return value if isinstance(value, str) else ""


def plain_preview(state: FightState, command: Command, trial: Trial, options: Sequence[Option]) -> Preview:
    """The preview of any command: broken checks with their remedies, the first roll, and the questions it opens."""
    actor_id, target_id = text_field(command, "who"), text_field(command, "target")
    at_target = f", {name_of(state, target_id)}" if target_id else ""
    deed = command.type.lower()
    title = f"{name_of(state, actor_id)}: {deed}{at_target}" if actor_id else f"{deed}{at_target}"
    rows = (
        *(broken_row(state, check, options) for check in trial.broken),
        *((die_row(trial.owed),) if trial.owed else ()),
        *(question_row(prompt, name="then") for prompt in trial.asked),
    )
    return Preview(title, actor_id, target_id, rows=rows, can_run=can_run(command, trial))


def can_run(command: Command, trial: Trial) -> bool:
    """Whether the command would be carried out."""
    return not trial.broken or (command.force and not trial.final)


def broken_row(state: FightState, check: Check, options: Sequence[Option], name: str = "against") -> Row:
    """The row of a broken check."""
    remedies = tuple(remedy_for(state, alternative, options) for alternative in check.accepts)
    return Row(name, check.message, status=BROKEN, rule=check.rule, remedies=remedies)


def remedy_for(state: FightState, alternative: Accepted, options: Sequence[Option]) -> Remedy:
    """An alternative as a remedy: another target, an option or an answer with its key, or just words."""
    if isinstance(alternative, FieldValue):
        field, value = alternative.field, alternative.value
        return Remedy(f"{field} {value}".replace("_", " ").lower(), field=field, value=value)
    if isinstance(alternative, RulingWanted):
        return Remedy(f"ruling: {alternative.name}".replace("_", " "), action=f"rule-{alternative.name}")
    if alternative == ANOTHER_TARGET:
        return Remedy(alternative, field="target")
    if alternative in state.combatants:
        return Remedy(state.combatants[alternative].name, field="target", value=alternative)
    words = alternative.replace("_", " ").lower()
    for option in options:
        if option.legal and words in (option.action.lower(), option.label.lower(), option.command.lower()):
            return Remedy(option.label, option.key, option.action)
    for prompt in state.prompts:
        for choice in prompt.choices:
            if choice.id == alternative and not choice.who:
                return Remedy(choice.label, choice.key, value=choice.id, prompt=prompt.id)
    return Remedy(alternative.replace("_", " "))


def die_row(roll: RollNeeded, text: str = "", *, name: str = "die", rule: str = "", field: str = "") -> Row:
    """The row of the roll that is due: digits type it, and Enter rolls it."""
    return Row(
        name, text or subject_of(roll.purpose).replace("_", " "), rule=rule, dice=roll.dice, purpose=roll.purpose,
        who=roll.who or "", proposed=f"roll {roll.dice}", field=field,
    )  # fmt: skip


def distance_row(state: FightState, actor_id: str, target_id: str, *, rule: str = "", cover: str = "") -> Row:
    """The row of the distance between two, and what blocks the line; `cover` is what that gives."""
    line = line_to(state, actor_id, target_id)
    if line.distance is None:
        missing = missing_distance(state, state.combatants[actor_id], state.combatants[target_id])
        return Row("line", missing, rule=rule, field="target")
    clear = "clear" if line.is_clear else f"{cover or 'blocked'} at {line.blocked_by}"
    return Row("line", line.apart, clear, rule=rule, field="target")


def missing_distance(state: FightState, actor: Combatant, target: Combatant) -> str:
    """Why the distance between two is unknown: there is no board, or one of them is not on it."""
    absent = next((combatant.name for combatant in (actor, target) if combatant.at is None), "")
    reason = f"{absent} is not on the board" if absent and state.board is not None else "no board"
    return f"{reason}: the table judges it"


def health_after(target: Combatant, pool: str) -> str:
    """What is left of a combatant's pool, as the detail of a row; empty if there is no such pool."""
    points = target.pools.get(pool)
    return f"{target.name} has {points.now} of {points.max}" if points is not None else ""


def outcome_row(hit: bool | None, rule: str) -> Row:
    """Whether a strike hits: as a command says, or as the GM will, because there is no number for it."""
    if hit is None:
        reason = "the sheet has no number for it"
        return Row("outcome", "Did it hit?", reason, rule=rule, number="needs", field="needs")
    return Row("outcome", "hit" if hit else "miss", rule=rule, field="hit")


def damage_row(target: Combatant, damage: int | str | None, rule: str = "") -> Row:
    """The damage of a hit, and what it leaves of the target's hit points."""
    words, proposed = ("you type the damage", "") if damage is None else (f"{damage} damage", str(damage))
    left = health_after(target, "hp")
    return Row("then", words, left, rule=rule, number="damage", proposed=proposed, field="damage")


def question_row(prompt: Prompt, name: str = "") -> Row:
    """The row of a question that is open, or that a command would open."""
    default = next((choice.label for choice in prompt.choices if choice.id == prompt.default), prompt.default)
    return Row(
        name or prompt.kind.replace("_", " "), prompt.question, rule=prompt.rule, dice=prompt.dice,
        purpose=prompt.purpose, who=prompt.who, number=prompt.amount, proposed=default, prompt=prompt.id,
    )  # fmt: skip


def with_rows(preview: Preview, rows: Iterable[Row], title: str = "") -> Preview:
    """The preview with a system's own rows before those of the trial.

    A row of the system replaces that of a broken check of the same rule, so that each obstacle is shown once, in the
    system's place for it.
    """
    broken = {row.rule: row for row in preview.rows if row.status == BROKEN}
    unsaid = dict(broken)
    merged_rows = []
    for row in rows:
        gap = unsaid.pop(row.rule, None) if row.rule else None
        remedies = row.remedies or (gap.remedies if gap is not None else ())
        merged_rows.append(row if gap is None else replace(row, status=BROKEN, detail=gap.text, remedies=remedies))
    reasons = [broken[row.rule] for row in merged_rows if row.status == BROKEN]
    purposes = {row.purpose for row in merged_rows if row.purpose}
    rest = [row for row in preview.rows if row not in reasons and not (row.purpose and row.purpose in purposes)]
    return replace(preview, title=title or preview.title, rows=(*merged_rows, *rest))


def together(state: FightState, each: Sequence[Preview]) -> Preview:
    """The previews of several combatants' commands as one: shared rows are shown once, and each has its own roll."""
    first = each[0]
    shared_rows = tuple(row for row in first.rows if not row.purpose and all(row in other.rows for other in each))
    member_rows = [row for preview in each for row in _member_rows(state, preview, shared_rows)]
    return replace(first, rows=(*shared_rows, *member_rows), can_run=all(preview.can_run for preview in each))


def _member_rows(state: FightState, preview: Preview, shared_rows: tuple[Row, ...]) -> Iterator[Row]:
    """The rows of one of several: its roll, with the rows that differ beside it, and its broken checks."""
    name, ending = name_of(state, preview.actor_id), f".{preview.actor_id}"
    different_rows = [row for row in preview.rows if row not in shared_rows]
    asides = (
        each for each in different_rows if each.status != BROKEN and not (each.purpose or each.prompt or each.number)
    )
    other_text = ", ".join(" ".join(filter(None, (row.text, row.detail))) for row in asides)
    for row in different_rows:
        if row.status == BROKEN:
            yield replace(row, name=name)
        elif row.purpose:
            purpose = row.purpose if row.purpose.endswith(ending) else f"{row.purpose}{ending}"
            yield replace(row, name=name, purpose=purpose, detail=row.detail or other_text)
        elif row.prompt or row.number:
            yield replace(row, name=name)
