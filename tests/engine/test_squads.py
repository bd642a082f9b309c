"""Squads: who joined together, and who of them is still like the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.happening import sentence
from fightcall_engine import Fight
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.headless import Session
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.events import ActsSkipped, DiceRolled
from fightcall_engine.play.newcomers import alike, are_alike, why_apart

GOBLINS = ("goblin-1", "goblin-2", "goblin-3")


def band(system: str = "stage", count: int = 3, **more: object) -> Fight:
    fight = Fight.new(system, seed="7")
    fight.give("join", name="Ash", side="party", sheet={"hp": 9})
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=count, **more)
    return fight


def test_several_who_join_together_are_a_squad_and_nobody_alone_is() -> None:
    fight = band()
    assert {one.squad for one in fight.state.combatants.values()} == {"", "goblin"}
    assert all(alike(fight.state, who) == GOBLINS for who in GOBLINS)
    assert alike(fight.state, "ash") == ("ash",)
    assert alike(fight.state, "nobody") == ("nobody",)
    assert are_alike(fight.state, *GOBLINS[:2])
    assert not are_alike(fight.state, "ash", "ash"), "of no squad"
    assert not are_alike(fight.state, "ash", "goblin-1")


def test_another_squad_of_the_same_name_is_another_unless_it_is_named() -> None:
    fight = band()
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=2)
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, squad="goblin")
    squads = [one.squad for one in fight.state.combatants.values()]
    assert squads == ["", "goblin", "goblin", "goblin", "goblin-2", "goblin-2", "goblin"]
    assert len(alike(fight.state, "goblin-1")) == 4


def test_a_squad_that_can_be_no_word_is_refused() -> None:
    with pytest.raises(Refused, match="two words") as no:
        band(squad="two words")
    assert no.value.accepts[0] == "two-words"


@pytest.mark.parametrize(
    ("apart", "back"),
    [
        (("addeffect", {"name": "stunned", "rounds": 2}), ("endeffect", {"effect": "stunned"})),
        (("adjust", {"what": "hidden", "value": True}), ("adjust", {"what": "hidden", "value": False})),
        (("adjust", {"what": "able", "value": False}), ("adjust", {"what": "able", "value": True})),
        (("adjust", {"what": "side", "value": "party"}), ("adjust", {"what": "side", "value": "foe"})),
    ],
)
def test_who_differs_has_split_off_and_who_is_alike_again_is_back(
    apart: tuple[str, dict[str, object]], back: tuple[str, dict[str, object]]
) -> None:
    fight = band()
    fight.give(apart[0], who="goblin-2", **apart[1])
    assert alike(fight.state, "goblin-1") == ("goblin-1", "goblin-3")
    assert alike(fight.state, "goblin-2") == ("goblin-2",)
    fight.give(back[0], who="goblin-2", **back[1])
    assert alike(fight.state, "goblin-2") == GOBLINS


def test_why_two_of_a_squad_are_apart_is_said_of_the_other() -> None:
    fight = band(count=2)
    fight.give("adjust", who="goblin-2", what="able", value=False)
    assert why_apart(fight.state, "goblin-1", "goblin-2") == "down"
    assert why_apart(fight.state, "goblin-2", "goblin-1") == "up"


def test_a_pool_that_only_one_of_a_squad_has_sets_it_apart() -> None:
    fight = band("turns", count=1, squad="goblin")
    fight.give("join", name="Shaman", side="foe", squad="goblin", sheet={"hp": 7, "mana": 2})
    assert why_apart(fight.state, "goblin", "shaman") == "2 of 2 mana"
    assert why_apart(fight.state, "shaman", "goblin") == "no mana"


def test_names_labels_wounds_and_like_effects_do_not_set_apart() -> None:
    fight = band()
    fight.give("damage", who="goblin-3", amount=2)
    fight.give("adjust", who="goblin-2", what="name", value="The big one")
    for who in GOBLINS:
        fight.give("addeffect", who=who, name="slow", rounds=2)
    assert alike(fight.state, "goblin-1") == GOBLINS


@pytest.mark.parametrize("system", ["slots", "turns"])
def test_a_place_in_the_order_is_each_ones_own(system: str) -> None:
    fight = band(system)
    fight.give("start")
    numbers = [trait for trait in ("init_roll", "awareness") if trait in fight.state.combatants["goblin-1"].remembered]
    for at, who in enumerate(GOBLINS):
        fight.give("adjust", who=who, what=numbers[0], value=at + 3)
    assert alike(fight.state, "goblin-3") == GOBLINS


def test_an_encounter_keeps_its_squads() -> None:
    text = """
name = "X"
system = "stage"
[[combatant]]
name = "Goblin x2"
[[combatant]]
name = "Goblin"
count = 2
[[combatant]]
name = "Chief"
squad = "goblin"
[[combatant]]
name = "Wolf x2"
squad = ""
"""
    encounter = read_encounter(text, "x")
    squads = ["goblin", "goblin", "goblin-2", "goblin-2", "goblin", "", ""]
    assert [join.squad for join in encounter.joins] == squads
    assert read_encounter(encounter_to_toml(encounter), "x") == encounter
    state = start_fight(encounter, id="f", seed="1").state
    assert [one.squad for one in state.combatants.values()] == squads


# All of them at once


def test_harm_falls_on_all_who_are_alike_and_one_undo_takes_it_back() -> None:
    fight = band()
    fight.give("damage", who="goblin-3", amount=1)
    before = fight.state
    entry = fight.give("damage", who="1", amount=5, alike=True)
    assert [one.pool("hp").now for one in fight.state.combatants.values()] == [9, 2, 2, 1]
    assert entry.command == {"type": "Damage", "who": "goblin-1", "amount": 5, "alike": True}
    fight.undo()
    assert fight.state == before


def test_somebody_alone_does_what_it_would_do_anyway() -> None:
    one, other = band(), band()
    one.give("damage", who="ash", amount=5, alike=True)
    other.give("damage", who="ash", amount=5)
    assert one.state == other.state


PLAIN = st.sampled_from(
    [
        ("damage", {"amount": 3}),
        ("damage", {"amount": 9}),
        ("heal", {"amount": 2}),
        ("addeffect", {"name": "stunned", "rounds": 2}),
        ("endeffect", {"effect": "stunned"}),
        ("adjust", {"what": "hidden", "value": True}),
        ("adjust", {"what": "hp", "value": 4}),
        ("adjust", {"what": "able", "value": False}),
        ("leave", {}),
    ]
)


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
@given(given=st.lists(st.tuples(PLAIN, st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_together_is_the_same_as_one_after_the_other(
    system: str, given: list[tuple[tuple[str, dict[str, object]], int, bool]]
) -> None:
    joint, singly = band(system, 4), band(system, 4)
    start = joint.state
    done = 0
    for (name, data), which, all_alike in given:
        who = f"goblin-{which + 1}"
        meant = alike(singly.state, who) if all_alike else (who,)
        try:
            joint.give(name, who=who, alike=all_alike, **data)
        except Refused:
            assert joint.state == singly.state
            continue
        done += 1
        for one in meant:
            singly.give(name, who=one, **data)
        assert joint.state == singly.state
    if done:
        joint.undo(done)
    assert joint.state == start


def in_missile_half(count: int = 3, **settings: object) -> Fight:
    fight = Fight.new("stage", seed="7", settings=settings)  # type: ignore[arg-type]
    bow = {"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}
    fight.give("join", name="Ash", side="party", sheet={"hp": 99, "strikes": [bow]})
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7, "strikes": [bow]}, count=count)
    fight.give("start")
    while (step := fight.state.step) is None or step.id != "missile.foe":
        fight.give("advance")
    return fight


def test_the_step_waits_for_the_last_of_them_and_then_closes() -> None:
    fight = in_missile_half()
    entry = fight.give("strike", who="goblin-1", target="ash", weapon="bow", hit=False, alike=True)
    told = [one.type for one in entry.events]
    assert told.count("StrikeResolved") == 3
    assert told.index("HalfEnded") > max(at for at, name in enumerate(told) if name == "StrikeResolved")


def test_questions_that_one_opens_do_not_stand_in_the_way_of_the_next() -> None:
    fight = in_missile_half()
    fight.give("strike", who="goblin-1", target="ash", weapon="bow", rolls={"attack": [3, 4, 19]}, alike=True)
    assert [(one.kind, one.who) for one in fight.state.prompts] == [("damage", "goblin-1"), ("damage", "goblin-2")]


def test_the_dice_of_each_are_its_own_and_fall_the_same_again() -> None:
    faces = []
    for _ in range(2):
        fight = in_missile_half()
        entry = fight.give("strike", who="goblin-1", target="ash", weapon="bow", alike=True)
        rolled = [one for one in entry.events if isinstance(one, DiceRolled) and one.purpose == "attack"]
        assert [one.who for one in rolled] == list(GOBLINS)
        faces.append([one.faces for one in rolled])
    assert faces[0] == faces[1]
    assert len(set(faces[0])) > 1


def test_faces_are_used_in_order_and_one_can_be_named() -> None:
    fight = in_missile_half()
    rolls = {"attack": [3, 9], "attack.goblin-2": [19], "damage": [2, 5]}
    entry = fight.give("strike", who="goblin-1", target="ash", weapon="bow", rolls=rolls, alike=True)
    faces = [(one.who, *one.faces) for one in entry.events if isinstance(one, DiceRolled) and one.purpose == "attack"]
    assert faces == [("goblin-1", 3), ("goblin-2", 19), ("goblin-3", 9)]
    assert fight.state.combatants["ash"].pool("hp").now == 92


def test_the_table_is_asked_for_what_all_of_them_owe() -> None:
    fight = band()
    fight.give("configure", setting="dice", value="table")
    with pytest.raises(NeedsDice) as owed:
        fight.give("damage", who="goblin-1", amount="2d6", alike=True)
    assert [one.purpose for one in owed.value.rolls] == [f"damage.{who}" for who in GOBLINS]
    rolls = {one.purpose: [1, at] for at, one in enumerate(owed.value.rolls, 1)}
    fight.give("damage", who="goblin-1", amount="2d6", rolls=rolls, alike=True)
    assert [fight.state.combatants[who].pool("hp").now for who in GOBLINS] == [5, 4, 3]


def test_faces_nobody_uses_are_told() -> None:
    entry = band().give("damage", who="goblin-1", amount="d6", rolls={"damage": [1, 2, 3, 4]}, alike=True)
    (left,) = entry.unused
    assert (left.purpose, left.faces) == ("damage", (4,))


def test_a_refusal_names_who_and_changes_nothing_and_the_gm_overrules_it_for_all() -> None:
    fight = in_missile_half()
    fight.give("advance")
    before = fight.state
    strike = {"who": "goblin-1", "target": "ash", "kind": "missile", "hit": True, "damage": 1, "alike": True}
    with pytest.raises(Refused, match="Goblin 1"):
        fight.give("strike", **strike)
    assert fight.state == before
    entry = fight.give("strike", **strike, force=True)
    assert {one.who for one in entry.events if one.type == "Overridden"} == set(GOBLINS)  # type: ignore[attr-defined]
    assert fight.state.combatants["ash"].pool("hp").now == 96


def test_those_after_the_one_that_fells_the_target_keep_their_act() -> None:
    """Own games, section 3: a volley is not refused because its first shot is enough."""
    fight = in_missile_half()
    fight.give("adjust", who="ash", what="hp", value=3)
    before = fight.state
    volley = {"who": "goblin-1", "target": "ash", "kind": "missile", "hit": True, "damage": 3, "alike": True}
    entry = fight.give("strike", **volley)
    shots = [one.who for one in entry.events if one.type == "StrikeResolved"]  # type: ignore[attr-defined]
    (skipped,) = (one for one in entry.events if isinstance(one, ActsSkipped))
    assert (shots, skipped.figures) == (["goblin-1"], ("goblin-2", "goblin-3"))
    assert sentence(fight.system, before, entry.events).text.endswith(
        "hit for 3 (0/99 HP); Still to act: Goblin 2, Goblin 3 (Ash is already down)"
    )
    words = phrase(fight.system, skipped, fight.state)
    assert words is not None
    assert (words.text, words.follows) == ("Still to act: Goblin 2, Goblin 3 (Ash is already down)", False)
    assert set(fight.system.waiting(fight.state)) == {"goblin-2", "goblin-3"}, "they can name another target"
    assert fight.line.seek(len(fight.line)) == fight.state
    with pytest.raises(Refused, match="already down"):
        fight.give("strike", **{**volley, "who": "goblin-2"})
    fight.undo()
    assert fight.state == before


def test_all_of_them_or_none() -> None:
    fight = Fight.new("stage", seed="7", board=HexBoard(6, 6))
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=2)
    before = fight.state
    with pytest.raises(Refused, match="Goblin 2"):
        fight.give("place", who="goblin-1", at=[1, 1], alike=True)
    assert fight.state == before


@pytest.mark.parametrize(
    ("name", "data"), [("start", {}), ("join", {"name": "Orc"}), ("waive", {"side": "foe"}), ("note", {"text": "x"})]
)
def test_what_nobody_does_cannot_be_done_by_all(name: str, data: dict[str, object]) -> None:
    fight = band()
    with pytest.raises(BadInput, match="not done by a combatant") as bad:
        fight.give(name, alike=True, **data)
    assert "accepted" in bad.value.problems[0]


def test_the_protocol_takes_it_and_the_schema_has_it() -> None:
    session = Session(band())
    done = session.answer({"do": "damage", "who": "goblin-1", "amount": 2, "alike": True})
    assert done["ok"]
    assert [one["who"] for one in done["events"]] == list(GOBLINS)  # type: ignore[index, union-attr]
    refused = session.answer({"do": "start", "alike": True})
    assert refused["error"] == {
        "where": "command Start",
        "problems": ["alike: Start is not done by a combatant; accepted: true with a command that has a who"],
    }
    schema = session.answer({"ask": "schema"})["schema"]
    commands = [schema["$defs"][name] for name in schema["names"].values()]  # type: ignore[index, call-overload]
    assert all("alike" in one["properties"] for one in commands)


# Walking together


def on_a_map(system: str = "stage") -> Fight:
    """Ash and four goblins in a row on a map without walls, the goblins about to move."""
    fight = Fight.new(system, board=HexBoard(12, 8), seed="7")
    fight.give("join", name="Ash", side="party", sheet={"hp": 9}, at="B3")
    fight.give("join", name="Goblin", side="foe", sheet={"hp": 7}, count=4, places=["G2", "G3", "G4", "G5"])
    fight.give("start")
    if system == "stage":
        while fight.state.step.id != "move.foe":
            fight.give("advance")
    return fight


def test_a_squad_walks_together_each_their_own_way() -> None:
    """All go where the first goes, as near as there is room, and one undo takes them back."""
    fight = on_a_map()
    before = fight.state
    fight.give("move", who="goblin-2", to="D3", alike=True)
    board, goal = fight.state.board, fight.state.combatants["goblin-2"].at
    assert board.name_of(goal) == "D3"
    places = [fight.state.combatants[who].at for who in (*GOBLINS, "goblin-4")]
    assert len(set(places)) == 4
    assert all(board.distance(place, goal) <= 1 for place in places)
    fight.undo()
    assert fight.state == before


def test_a_squad_that_has_its_way_step_by_step_walks_together_too() -> None:
    fight = on_a_map()
    fight.give("move", who="goblin-1", path=["F2", "E2", "D2"], alike=True)
    names = [fight.state.board.name_of(fight.state.combatants[who].at) for who in (*GOBLINS, "goblin-4")]
    assert names[0] == "D2"
    assert not {"G2", "G3", "G4", "G5"} & set(names)


def test_whoever_cannot_get_any_nearer_is_named_and_nobody_walks() -> None:
    fight = on_a_map()
    for who, place in (("goblin-1", "A1"), ("goblin-2", "B1"), ("goblin-3", "A2"), ("goblin-4", "L8")):
        fight.give("place", who=who, at=place)
    before = fight.state
    with pytest.raises(Refused, match=r"Goblin \d gets no nearer to B2"):
        fight.give("move", who="goblin-4", path=["B2"], alike=True, force=True)
    assert fight.state == before
