"""What a rule system has of the kit without a word of its own: a plug-in should not have to copy any of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import pytest

from fightcall_engine import kit
from fightcall_engine.board.base import AnyBoard, Hex, Location, Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.kit.movement import remedy_for
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join, Move
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import (
    AgendaChanged,
    DamageApplied,
    EffectEnded,
    EffectTicked,
    Healed,
    Moved,
    Refilled,
    Spent,
    StepSkipped,
    TraitAdjusted,
    TraitChanged,
)
from fightcall_engine.model.state import Agenda
from fightcall_engine.play.calls import next_call
from fightcall_engine.play.chart import find_dues
from fightcall_engine.play.story import public_lines


class Marches(kit.BaseSystem):
    """Who walks does so on the march, which has hours."""

    id, title, substep = "marches", "Marches", "hour"
    phases = {"camp": "Camp", "march": "March"}
    clocks = {"round": {"hour": "hour", "end": kit.ROUND_END}}

    def move_checks(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Check, ...]:
        """On the march alone."""
        now = kit.Check(state.phase == "march", "MA-1", "the camp stands", ("march",))
        return (now, *super().move_checks(state, combatant_id))


STEPS = (kit.Step("camp", "rest", "camp", "Camp"), kit.Step("hour.1", "hour", "march", "First hour", members=("ash",)))
PEOPLE: Mapping[str, kit.Combatant] = {
    "ash": kit.Combatant("ash", "A", "Ash", "party", {}, {"breath": kit.Pool(3, 5)}, at=Hex(0, 0)),
    "bo": kit.Combatant("bo", "B", "Bo", "party", {}, at=Hex(2, 0)),
}
STATE = kit.FightState(
    "f",
    "Test",
    "marches",
    "1",
    status="running",
    agenda=Agenda(STEPS, 0),
    combatants=PEOPLE,
    order=tuple(PEOPLE),
    board=HexBoard(4, 2),
)


class Strides(Marches):
    """Three places a turn, two points each, by a rule of walking."""

    move_rule = "MA-2"

    def step_price(self, state: kit.FightState, combatant_id: str, mode: str) -> int:
        """Two points."""
        return 2

    def travel(self, state: kit.FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """Three places."""
        return 3, frozenset()


def test_the_usual_walk_says_its_price_where_one_is_counted_and_its_rule() -> None:
    marching = replace(STATE, agenda=Agenda(STEPS, 1))
    offers = [system.options(marching, "ash")[0] for system in (Marches(), Strides())]
    assert [(offered.cost, offered.rule) for offered in offers] == [("", Marches.round_rule), ("2/hex", "MA-2")]
    decision = kit.Decision(replace(marching, board=HexBoard(9, 2)))
    with pytest.raises(Refused, match="MA-2: that is 4 places"):
        Strides().move(decision, Move(who="ash", to=Hex(4, 0)))


def test_a_walk_is_offered_and_refused_by_the_same_checks() -> None:
    system, walk = Marches(), Move(who="ash", to=Hex(1, 0))
    offered = next(option for option in system.options(STATE, "ash") if option.action == "move")
    assert (offered.legal, offered.rule, offered.why) == (False, "MA-1", "the camp stands")
    with pytest.raises(Refused, match="MA-1"):
        system.move(kit.Decision(STATE), walk)
    marching = replace(STATE, agenda=Agenda(STEPS, 1))
    assert next(option for option in system.options(marching, "ash") if option.action == "move").legal
    decision = kit.Decision(marching)
    system.move(decision, walk)
    assert [event.type for event in decision.events] == ["Moved"]


class Strolled(Moved):
    """A walk that leaves time for more."""

    ACTS = False
    DEED = True


def test_who_has_walked_may_have_time_for_more() -> None:
    system, marching = Marches(), replace(STATE, agenda=Agenda(STEPS, 1))
    for event_type, waiting in ((Moved, ()), (Strolled, ("ash",))):
        decision = kit.Decision(marching)
        kit.take_walk(decision, kit.plan_walk(decision, Move(who="ash", to=Hex(1, 0))), event_type)
        assert [type(event) for event in decision.events] == [event_type]
        assert system.waiting(decision.state) == waiting


def test_nobody_acts_while_a_question_is_open() -> None:
    system, marching = Marches(), replace(STATE, agenda=Agenda(STEPS, 1))
    decision = kit.Decision(marching)
    ask = partial(kit.prompt_for, None, kind="ford", question="Which ford?", rule="MA-2")
    decision.offer(ask(choices=kit.choices("upper", "lower"), default="upper"))
    assert [(option.legal, option.why) for option in system.options(decision.state, "ash")] == [
        (False, "answer first: Which ford?")
    ] * 2
    with pytest.raises(Refused, match="answer first"):
        system.move(decision, Move(who="ash", to=Hex(1, 0)))
    decision = kit.Decision(marching)
    decision.offer(ask(choices=(kit.Choice("scout", "Ash scouts", who="ash"),)))
    assert all(option.legal for option in system.options(decision.state, "ash")), "to act is to answer"


def test_the_order_of_play_changes_in_silence_without_a_reason() -> None:
    for reason, told in (("Bo joins late", "The turn order changes: Bo joins late"), ("", None)):
        said = phrase(Marches(), AgendaChanged(steps=STEPS, cursor=0, reason=reason), STATE)
        assert (said and said.text) == told


def test_a_step_with_members_is_theirs_alone() -> None:
    system, marching = Marches(), replace(STATE, agenda=Agenda(STEPS, 1))
    assert system.waiting(STATE) == ("ash", "bo")
    assert system.waiting(marching) == ("ash",)


def test_the_story_names_the_parts_of_a_phase() -> None:
    assert [Marches().part_name(STATE, step) for step in STEPS] == ["Camp", "March · First hour"]


def test_a_number_of_the_sheet_fills_the_pool_of_its_name() -> None:
    class Supplied(Marches):
        pools: Mapping[str, str] = {"breath": "breath", "food": "days of food"}

    sheet: Mapping[str, kit.Json] = {"hp": 9, "breath": 5, "pace": 3}
    assert Supplied().starting_pools({}, Join(name="Ash"), sheet) == {"hp": kit.Pool(9, 9), "breath": kit.Pool(5, 5)}


def test_a_pool_is_spent_and_filled_within_its_bounds() -> None:
    decision = kit.Decision(STATE)
    decision.spend("ash", 2, "breath", "running")
    decision.spend("ash", 0, "breath")
    decision.heal("ash", 9, "breath")
    decision.heal("ash", 1, "breath")
    decision.spend("ash", 9, "breath")
    decision.refill("ash", "breath")
    decision.refill("ash", "breath")
    assert decision.events == (
        Spent(who="ash", pool="breath", before=3, left=1, max=5, amount=2, purpose="running"),
        Healed(who="ash", pool="breath", before=1, left=5, max=5, amount=4),
        Spent(who="ash", pool="breath", before=5, left=0, max=5, amount=5),
        Refilled(who="ash", pool="breath", before=0, left=5, max=5),
    )


def test_an_effect_counts_the_steps_of_a_phase_and_is_due_in_one_of_them() -> None:
    hours = (*STEPS, *(kit.Step(f"hour.{at}", "hour", "march", f"Hour {at}", members=("ash",)) for at in (2, 3)))
    lame = kit.Effect("e1", "lame", left=2, ticks="hour")
    people = {**PEOPLE, "bo": replace(PEOPLE["bo"], effects=(lame,))}
    for cursor, round_of_end, number in ((0, 1, 2), (1, 1, 3), (2, 2, 1), (3, 2, 2)):
        state = replace(STATE, agenda=Agenda(hours, cursor), combatants=people, round=1)
        (due,) = find_dues(state, Marches())
        assert (due.round, due.phase, due.number) == (round_of_end, "March", number)
    decision = kit.Decision(replace(STATE, agenda=Agenda(hours, 0), combatants=people))
    Marches().close_step(decision, kit.BY_GM)
    Marches().close_step(decision, kit.BY_GM)
    told = [event.type for event in decision.events if isinstance(event, EffectTicked | EffectEnded)]
    assert told == ["EffectTicked", "EffectEnded"]


@dataclass(frozen=True)
class Marcher:
    """What is remembered of somebody, in a class without slots."""

    songs: int = 0
    lame: bool = False


def test_what_is_remembered_may_be_any_frozen_dataclass() -> None:
    people = {"ash": replace(PEOPLE["ash"], record=Marcher(lame=True))}
    decision = kit.Decision(replace(STATE, combatants=people))
    decision.set_traits("ash", songs=2)
    assert kit.record_of(decision.combatant("ash"), Marcher) == Marcher(2, lame=True)


def test_what_is_only_remembered_is_not_told_unless_the_gm_sets_it() -> None:
    told = {kind: phrase(Marches(), kind(who="ash", trait="songs", before=0, value=2), STATE) for kind in _TRAIT_EVENTS}
    assert told == {TraitChanged: None, TraitAdjusted: kit.Phrase("Ash: songs 2", "ruling")}


_TRAIT_EVENTS = (TraitChanged, TraitAdjusted)


def test_a_refusal_names_whose_time_it_is() -> None:
    now = next(
        check for check in Marches().turn_checks(replace(STATE, agenda=Agenda(STEPS, 1)), "bo") if not check.holds
    )
    assert (now.message, now.accepts) == ("Bo can't act yet: this is First hour", ("Ash",))
    assert remedy_for(STATE, "Ash", ()) == kit.Remedy("Ash"), "it is no other target"


@dataclass(frozen=True)
class Pack:
    """What a marcher carries."""

    pounds: int = 0


@dataclass(frozen=True)
class MarchSheet:
    """What a marcher brings."""

    pace: int = 3
    pack: Pack = Pack()


def test_a_sheet_is_read_as_its_class() -> None:
    ash = replace(PEOPLE["ash"], sheet={"pace": 4, "pack": {"pounds": 20}})
    assert kit.sheet_of(ash, MarchSheet) == MarchSheet(4, Pack(20))
    with pytest.raises(BadInput, match="sheet of ash"):
        kit.sheet_of(replace(ash, sheet={"pace": "quick"}), MarchSheet)


class Holds(Marches):
    """Calls for other keys of what the kit offers."""

    option_keys = {"waive": "h", "move": "g"}


def test_a_system_may_choose_the_keys_of_the_usual_acts():
    keys = {option.action: option.key for option in Holds().options(STATE, "ash")}
    assert keys == {"move": "g", "waive": "h"}


def test_a_pool_that_somebody_has_none_of_is_not_shown() -> None:
    none, some = kit.Pool(0, 0), kit.Pool(0, 2)
    ash = replace(PEOPLE["ash"], pools={"hp": none, "armour": none, "stunts": some})
    assert Marches().card(replace(STATE, combatants={"ash": ash}), "ash").pools == ("hp", "stunts")


def test_who_throws_is_a_setting_of_every_system() -> None:
    class Snowed(Marches):
        settings = (kit.Setting("snow", True, "It snows"),)

    assert [each.key for each in Snowed.settings] == ["dice", "snow"]
    assert [each.key for each in Marches.settings] == ["dice"]


@pytest.mark.parametrize(
    ("pool", "hurt", "healed"),
    [
        ("lives", "Alma takes 1 damage (1/3 lives)", "Alma heals 1 (1/3 lives)"),
        ("armour", "Alma takes 1 damage to armour (1/3)", "Alma regains 1 armour (1/3)"),
    ],
)
def test_it_is_said_which_pool_is_harmed_where_that_is_not_health(duel, pool: str, hurt: str, healed: str) -> None:
    state = replace(STATE, system="duel", combatants={"ash": replace(PEOPLE["ash"], name="Alma")})
    harm = DamageApplied(who="ash", pool=pool, before=2, left=1, max=3, amount=1)
    heal = Healed(who="ash", pool=pool, before=0, left=1, max=3, amount=1)
    said = [phrase(find_system("duel"), event, state) for event in (harm, heal)]
    assert [each and each.text for each in said] == [hurt, healed]


def test_of_a_step_that_passes_it_is_said_whose_it_was(duel) -> None:
    turn = kit.Step("blades.ash", "turn", "blades", "Blades: Ash", "party", "ash")
    steps = (turn, replace(turn, actor=""), replace(turn, actor="", side=""))
    state = replace(STATE, system="duel", agenda=Agenda(steps, 0))
    skipped = [StepSkipped(index=at, phase="blades", side=step.side, reason="down") for at, step in enumerate(steps)]
    said = [phrase(find_system("duel"), event, state) for event in skipped]
    assert [each and each.text for each in said] == ["Ash skipped: down", "Party skipped: down", "Blades skipped: down"]


class ArmourLost(DamageApplied):
    """What armour takes."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} loses {amount} armour"


def test_a_change_of_a_pool_may_be_told_in_words_of_its_own(duel) -> None:
    ash = replace(PEOPLE["ash"], name="Alma", pools={"armour": kit.Pool(3, 3)})
    lost = kit.change_pool(ArmourLost, ash, "armour", 1, amount=2)
    assert lost == ArmourLost(who="ash", pool="armour", before=3, left=1, max=3, amount=2)
    state = replace(STATE, system="duel", combatants={"ash": ash}, order=("ash",))
    told = [words.text for _, words in public_lines((lost,), state)]
    assert told == ["Alma loses 2 armour"]


class Bag(kit.BaseSystem):
    """Whose turn comes next is drawn by a die as the turn before ends."""

    id, title = "bag", "Bag"

    def on_step_end(self, decision: kit.Decision, step: kit.Step) -> None:
        """The draw."""
        decision.roll("d3", "draw")


def test_a_turn_that_ends_with_a_throw_is_said_to_end() -> None:
    turns = tuple(kit.Step(who, "turn", "turn", "", side="", actor=who) for who in PEOPLE)
    state = replace(STATE, agenda=Agenda(turns, 0))
    assert next_call(Bag(), state, Dice("1", 0)).words == "end Ash's turn; roll draw (d3)"


def test_what_a_plug_in_needs_comes_from_the_kit() -> None:
    """Put right 45: the example systems import nothing else of the engine but its model."""
    needed = ("due", "throw", "renew_questions", "record_moot", "is_on_board", "Refused")
    assert set(needed) <= set(kit.__all__)
    assert all(getattr(kit, name) for name in kit.__all__)
    decision = kit.Decision(STATE, Dice("1", 0, {"harm": (3,)}))
    assert kit.throw(decision, "d6+1", "harm", "ash")[0] == 4
    lame = kit.Effect("e1", "lame", left=2, ticks="turn_end", clock="ash")
    people = {**PEOPLE, "bo": replace(PEOPLE["bo"], effects=(lame,))}
    assert kit.due(replace(STATE, combatants=people), people["bo"], "turn_end", "ash") == (lame,)
    ask = partial(kit.prompt_for, None, kind="ford", rule="MA-2", choices=kit.YES_NO)
    decision.offer(ask(question="Does Ash wade?"))
    fresh = ask(question="Who wades?")
    decision.emit(*kit.renew_questions(decision.state, "rain", {"ford": lambda state, asked: fresh}))
    assert [prompt.question for prompt in decision.state.prompts] == ["Who wades?"]


@pytest.mark.parametrize(
    ("total", "dice", "holds"),
    [
        (4, "2d8+3", False),
        (5, "2d8+3", True),
        (20, "2d8+3", False),
        (4, "3d10>=7", False),
        (3, "3d10>=7", True),
        ("2d6", "2d8+3", True),
        (None, "2d8+3", True),
        (9, 4, True),
        (9, "4", True),
        (9, None, True),
    ],
)
def test_a_total_is_checked_against_its_dice(total: int | str | None, dice: int | str | None, holds: bool) -> None:
    check = kit.total_check(total, dice, "MA-3")
    assert check.holds is holds
    assert holds or (check.message, len(check.accepts)) == (f"{dice} can't give {total}", 1)


HEDGE, ROCK = Terrain("hedge", "%", cover="partial"), Terrain("rock", "o", cover="full")
WALL = Terrain("wall", "#", blocks=True, blocks_sight=True)
GROUNDS = {"hedge": HEDGE, "rock": ROCK, "wall": WALL}
ROW = ("hedge", "", "rock", "wall", "hedge")
"""The ground from B1 to F1; Ash stands on A1."""
ZONES = tuple(
    Zone(f"Z{at}", at, 0, ground=GROUNDS[name]) if name else Zone(f"Z{at}", at, 0) for at, name in enumerate(("", *ROW))
)
BOARDS: Mapping[str, tuple[AnyBoard, tuple[Location, ...]]] = {
    "hex": (
        any_board(HexBoard(6, 1, terrain={Hex(at, 0): each for at, each in enumerate(ROW, 1) if each}, legend=GROUNDS)),
        tuple(Hex(at, 0) for at in range(6)),
    ),
    "square": (
        any_board(
            SquareBoard(6, 1, terrain={Square(at, 0): each for at, each in enumerate(ROW, 1) if each}, legend=GROUNDS)
        ),
        tuple(Square(at, 0) for at in range(6)),
    ),
    "zone": (
        any_board(ZoneBoard(ZONES, tuple(Border(f"Z{at}", f"Z{at + 1}") for at in range(5)))),
        tuple(zone.name for zone in ZONES),
    ),
}


def between(kind: str, place: int) -> kit.Line:
    """The line from Ash to Bo, who stands this many places away."""
    board, places = BOARDS[kind]
    people = {"ash": replace(PEOPLE["ash"], at=places[0]), "bo": replace(PEOPLE["bo"], at=places[place])}
    return kit.line_to(replace(STATE, board=board, combatants=people), "ash", "bo")


@pytest.mark.parametrize("kind", BOARDS)
def test_an_act_learns_the_line_to_its_target_on_every_kind_of_board(kind: str) -> None:
    """Own games, section 3: distance, sight, and the cover at the target and before it."""
    near, bare, behind, far = (between(kind, place) for place in (1, 2, 3, 5))
    assert [line.distance for line in (near, bare, behind, far)] == [1, 2, 3, 5]
    assert [line.is_clear for line in (near, bare, behind, far)] == [True, True, True, False]
    assert (near.cover, near.cover_between) == ("partial", ())
    assert (bare.cover, bare.cover_between) == ("", ("partial",))
    assert (behind.cover, behind.cover_between) == ("full", ("partial",))
    assert (far.cover, far.cover_between) == ("partial", ("full", "partial"))
    board, places = BOARDS[kind]
    assert far.blocked_by == board.name_of(places[4])


def test_without_a_board_the_table_judges_the_line() -> None:
    off_board = {**PEOPLE, "bo": replace(PEOPLE["bo"], at=None)}
    for state in (replace(STATE, board=None), replace(STATE, combatants=off_board)):
        line = kit.line_to(state, "ash", "bo")
        assert (line.distance, line.apart, line.is_clear, line.cover) == (None, "", True, "")
