"""What players see, and that they see nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard, from_offset
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Declaration, Progress
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    AgendaChanged,
    ClockAdvanced,
    ContactLeft,
    ContactMade,
    DamageApplied,
    Detected,
    DiceRolled,
    Downed,
    EffectBegan,
    EffectEnded,
    Event,
    FactChanged,
    Hid,
    Joined,
    LeftFight,
    Moved,
    NoteAdded,
    OrderSet,
    Placed,
    Renamed,
    RoundBegan,
    RoundEnded,
    RulingAsked,
    RulingRecorded,
    SettingChanged,
    StepBegan,
    StepEnded,
    StepSkipped,
    Waived,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Json, Known, Pool, Prompt, Step
from fightcall_engine.play.fight import Change, Fight
from fightcall_engine.play.story import health, player_view, public_events
from fightcall_engine.systems.segments.state import events as seg
from fightcall_engine.systems.stage import entries as stage
from fightcall_engine.systems.turns import entries as turns

SHEET: Mapping[str, Json] = {
    "agility": 10,
    "hp": 40,
    "strikes": [{"name": "blade", "kind": "melee", "needs": 12, "damage": "d4"}],
}


def figure(who: str, *, hidden: bool = False, hp: int = 10, able: bool = True, side: str = "foe") -> Combatant:
    pools = {"hp": Pool(hp, 10)}
    return Combatant(who, who[0].upper(), who.title(), side, {"note": "x"}, pools, hidden=hidden, able=able)


def state_of(*combatants: Combatant, **more: object) -> FightState:
    plain = FightState("f", "A fight", "stage", "secret-seed", status="running")
    filled = replace(plain, combatants={one.id: one for one in combatants}, order=tuple(one.id for one in combatants))
    return replace(filled, **more)  # type: ignore[arg-type]


def told(happened: Event, before: FightState) -> dict[str, Json] | None:
    """The only thing that players are told of an event, None where they are told nothing."""
    forms = public_events((happened,), before)
    assert len(forms) <= 1
    return forms[0] if forms else None


# The view


def test_the_view_holds_what_is_on_the_list_and_no_more() -> None:
    fight = Fight.new("stage", joins=[Join(name="Ash", side="party", sheet=SHEET), Join(name="Orc", side="foe")])
    fight.give("start")
    fight.give("add_effect", who="ash", name="blessed", rounds=3, note="by the idol nobody knows of")
    view = player_view(fight.state, fight.system)
    assert set(view) == {"status", "round", "phase", "side", "clock_s", "order", "combatants", "declarations"}
    assert (view["round"], view["phase"], view["side"], view["clock_s"]) == (1, "meeting", "party", 0)
    assert view["order"] == ["ash", "orc"]
    assert view["combatants"][0] == {  # type: ignore[index]
        "id": "ash",
        "label": "A",
        "name": "Ash",
        "side": "party",
        "at": None,
        "facing": None,
        "able": True,
        "hp": "unhurt",
        "effects": ["blessed"],
    }
    assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize(
    ("hp", "able", "word"),
    [
        (10, True, "unhurt"),
        (9, True, "hurt"),
        (6, True, "hurt"),
        (5, True, "badly hurt"),
        (1, True, "badly hurt"),
        (0, True, "down"),
        (7, False, "down"),
    ],
)
def test_harm_is_a_word(hp: int, able: bool, word: str) -> None:
    assert health(figure("orc", hp=hp, able=able), "hp") == word


def test_harm_that_is_not_counted_has_no_word() -> None:
    assert health(replace(figure("orc"), pools={}), "hp") is None
    assert health(replace(figure("orc"), pools={"hp": Pool(0, 0)}), "hp") is None


STEPS_IN_TURN = (
    Step("move.party", "half", "move", "Move", "party"),
    Step("melee.foe", "half", "melee", "Melee", "foe"),
    Step("t1", "turn", "acting", "Turn", "foe", "spy"),
)


def running(index: int, *people: Combatant) -> FightState:
    """The steps up to one have begun, one after the other."""
    state = evolve(state_of(figure("ash", side="party"), *people), RoundBegan(number=1, steps=STEPS_IN_TURN))
    for place, step in enumerate(STEPS_IN_TURN[: index + 1]):
        state = evolve(state, StepBegan(index=place, phase=step.phase, side=step.side))
    return state


def shown_step(state: FightState) -> tuple[Json, Json]:
    view = player_view(state, Fight.new("stage").system)
    return view["phase"], view["side"]


def test_the_step_of_a_side_that_is_all_hidden_does_not_exist() -> None:
    began = StepBegan(index=1, phase="melee", side="foe")
    assert shown_step(running(1, figure("orc"))) == ("melee", "foe")
    assert shown_step(running(1, figure("orc", hidden=True))) == ("move", "party")
    assert shown_step(running(1, figure("orc", able=False), figure("spy", hidden=True))) == ("move", "party")
    assert told(began, running(0, figure("orc"))) == {"type": "StepBegan", "phase": "melee", "side": "foe"}
    assert told(began, running(0, figure("orc", hidden=True))) is None


def test_the_turn_of_somebody_hidden_does_not_exist_and_takes_no_time() -> None:
    passed = ClockAdvanced(seconds=5, total=15)
    for hidden, step, clock in ((True, ("melee", "foe"), 10), (False, ("acting", "foe"), 15)):
        state = replace(running(2, figure("orc"), figure("spy", hidden=hidden)), clock_s=10)
        assert shown_step(state) == step
        assert (told(passed, state) is None) is hidden
        assert player_view(evolve(state, passed), Fight.new("stage").system)["clock_s"] == clock


def test_whoever_comes_out_in_his_own_turn_shows_it() -> None:
    state = running(2, figure("orc"), figure("spy", hidden=True))
    found = Detected(who="spy", cause="noise")
    after = evolve(state, found)
    assert shown_step(after) == ("acting", "foe")
    kinds = [form["type"] for form in public_events((found,), state)]
    assert kinds == ["Detected", "StepBegan"]


TURNS = tuple(Step(who, "turn", f"turn of {who}", "Turn", "foe", who) for who in ("orc", "mole", "spy"))


def in_turn(index: int) -> FightState:
    """Turns of somebody in sight and of two hidden ones, of which this one runs."""
    people = (figure("orc"), figure("mole", hidden=True), figure("spy", hidden=True))
    state = evolve(state_of(*people), RoundBegan(number=1, steps=TURNS))
    for place, step in enumerate(TURNS[: index + 1]):
        state = evolve(state, StepBegan(index=place, phase=step.phase, side=step.side))
    return state


def test_whoever_comes_out_before_his_own_turn_shows_it_where_only_the_hidden_go_before() -> None:
    found = Detected(who="spy", cause="springs a Surprise")
    for index in (1, 2):
        state = in_turn(index)
        kinds = [form["type"] for form in public_events((found,), state)]
        assert kinds == ["Detected", "StepBegan"]
        assert shown_step(evolve(state, found)) == ("turn of spy", "foe")
    began = StepBegan(index=2, phase="turn of spy", side="foe")
    assert told(began, evolve(in_turn(1), found)) is None
    assert shown_step(evolve(in_turn(0), found)) == ("turn of orc", "foe")


def test_play_that_is_set_back_to_a_step_that_is_over_begins_nothing() -> None:
    """As where somebody delays: the next turn is offered from the end of the last."""
    state = in_turn(2)
    set_back = AgendaChanged(steps=TURNS, cursor=0)
    assert told(set_back, state) is None
    assert shown_step(evolve(state, set_back)) == shown_step(state)
    later = replace(TURNS[0], id="orc again")
    other_order = AgendaChanged(steps=(*TURNS[:2], later, TURNS[2]), cursor=2)
    assert told(other_order, state) == {"type": "StepBegan", "phase": "turn of orc", "side": "foe"}


def test_that_steps_end_or_are_passed_over_is_not_told() -> None:
    state = running(1, figure("orc"))
    assert told(StepEnded(index=1, phase="melee", side="foe"), state) is None
    assert told(StepSkipped(index=2, phase="acting", side="foe"), state) is None


def declaring(*said: Declaration) -> BaseSystem:
    """A system in which just this was declared."""
    system = copy(Fight.new("stage").system)
    system.declarations = lambda state: said  # type: ignore[method-assign]
    return system


def test_what_was_declared_aloud_is_heard() -> None:
    said = Declaration("ash", "cuts at the orc", parts="R", cost="4 qa", due="now", status="done", done="hit for 7")
    view = player_view(state_of(figure("ash", side="party")), declaring(said))
    assert view["declarations"] == [
        {"who": "ash", "words": "cuts at the orc", "parts": "R", "cost": "4 qa", "due": "now", "status": "done"}
    ]


def test_what_was_declared_in_secret_is_not_heard() -> None:
    secret = "appears to do nothing"
    one = Declaration("ash", "calls fire", secret, "R L", "8 qa", "CS 3", "busy", "", Progress("calls fire", 1, 2))
    other = Declaration("ash", "calls rain", secret, "L", "4 qa", "now", "declared")
    hers = player_view(state_of(figure("ash", side="party")), declaring(one))
    assert hers == player_view(state_of(figure("ash", side="party")), declaring(other))
    assert hers["declarations"] == [{"who": "ash", "words": secret, "parts": "", "cost": "", "due": "", "status": ""}]


def test_what_the_hidden_declare_is_not_heard() -> None:
    system = declaring(Declaration("spy", "stabs"), Declaration("gone", "runs"))
    view = player_view(state_of(figure("spy", hidden=True)), system)
    assert view["declarations"] == []


# Events


def test_an_event_shows_its_public_fields() -> None:
    moved = Moved(who="orc", hexes=2, feet=10.0, path=(Hex(1, 0), Hex(2, 0)), quiet=True)
    form = told(moved, state_of(figure("orc")))
    assert form == {"type": "Moved", "who": "orc", "hexes": 2, "feet": 10.0, "path": [[1, 0], [2, 0]]}


def test_what_fills_a_file_is_the_gms_own() -> None:
    state = replace(state_of(figure("orc")), system="segments")
    arms = SettingChanged(setting="armoury", before="", value='[[armour]]\nkey = "wyrm"\ndr = 9\n')
    assert told(arms, state) == {"type": "SettingChanged", "setting": "armoury", "value": None}
    assert told(SettingChanged(setting="thrust", before=False, value=True), state)["value"] is True


HIDDEN_SPY = state_of(figure("ash", side="party"), figure("spy", hidden=True))
PROMPT = Prompt("p1", "damage", "How much does the spy take?", "SB-37", (Choice("none", "none"),), who="ash")


@pytest.mark.parametrize(
    "happened",
    [
        Moved(who="spy", hexes=1, feet=5.0),
        Placed(who="spy", before=None, at=Hex(0, 0)),
        ContactMade(who="ash", enemy="spy"),
        ContactMade(who="spy", enemy="ash"),
        ContactLeft(who="ash", enemy="spy"),
        DamageApplied(who="spy", pool="hp", before=9, left=8, max=9, amount=1),
        Downed(who="spy"),
        LeftFight(who="spy"),
        Renamed(who="spy", name="Master spy", side="foe"),
        EffectBegan(who="spy", effect=Effect("e1", "poisoned")),
        EffectEnded(who="spy", effect="e1", name="poisoned"),
        Waived(who="spy"),
        Joined(who="late", combatant=figure("late", hidden=True)),
        RulingAsked(prompt=PROMPT),
        RulingRecorded(rule="SB-01", question="Is the spy there?", choice="yes"),
        NoteAdded(text="the spy is the duke", who="ash"),
        DiceRolled(dice="d20", purpose="sneak", faces=(4,), total=4, source="seed", who="ash"),
        FactChanged(fact="ambush", value="laid"),
        Hid(who="ash"),
    ],
    ids=lambda one: f"{one.type} {getattr(one, 'who', '')}",
)
def test_what_is_not_for_players_is_not_told(happened: Event) -> None:
    assert told(happened, HIDDEN_SPY) is None


def test_harm_from_the_unseen_shows_without_its_maker() -> None:
    harm = DamageApplied(who="ash", pool="hp", before=9, left=8, max=9, amount=1, by="spy")
    assert told(harm, HIDDEN_SPY) == {"type": "DamageApplied", "who": "ash", "amount": 1}


def test_an_order_leaves_the_hidden_out_and_has_no_reason() -> None:
    """Where it were told for the open alone, its absence would tell of the hidden."""
    for hidden in (True, False):
        state = state_of(figure("ash", side="party"), figure("orc"), figure("spy", hidden=True))
        order = ("spy", "orc", "ash") if hidden else ("orc", "ash", "spy")
        settled = OrderSet(order=order, reason="Agility: Spy 4, Orc 3, Ash 2")
        assert told(settled, state) == {"type": "OrderSet", "order": ["orc", "ash"]}


@pytest.mark.parametrize(
    ("happened", "shown"),
    [
        (seg.StrayFireQueued(who="ash", target="orc", line=("spy", "ash")), {"line": ["ash"]}),
        (seg.SurpriseTriggered(aggressors=("spy",), targets=("spy", "ash"), kind="ambush", dv=1), {"targets": ["ash"]}),
        (seg.StruggleChanged(thing="axe", holding=("ash", "spy"), until=3), {"holding": ["ash"]}),
    ],
    ids=lambda one: getattr(one, "type", ""),
)
def test_lists_of_people_leave_the_hidden_out(happened: Event, shown: Mapping[str, Json]) -> None:
    form = told(happened, HIDDEN_SPY)
    assert form is not None
    assert {name: form[name] for name in shown} == shown


@pytest.mark.parametrize(
    "happened",
    [
        turns.TieDieRolled(who="ash", before=None, value=4, die=4),
        turns.EveryoneHadAChance(before=False),
        seg.PassBegan(before=1, value=2),
        seg.PulseTicked(before=1, value=2),
        stage.PhaseBegan(phase="melee"),
        stage.PhaseEnded(phase="melee"),
    ],
    ids=lambda one: one.type,
)
def test_what_may_happen_for_the_hidden_alone_is_not_told(happened: Event) -> None:
    assert told(happened, HIDDEN_SPY) is None


def test_how_it_goes_with_a_secret_is_not_told() -> None:
    """CS-085: neither that work on it goes on, nor how long, nor that it is done; of what was said aloud, all of it."""
    fight = Fight.new("segments", joins=[Join(name="Ash", side="party"), Join(name="Orc", side="foe")])
    fight.give("start")
    for who, words, secret in (("ash", "calls fire", True), ("orc", "digs", False)):
        fight.give("declare", who=who, text=words, qa=12, secret=secret, force=True)
    for event in (
        seg.ActionProgressed(who="ash", traits={}, done=4, need=12),
        seg.Resolved(who="ash", traits={}, outcome="fire falls"),
        seg.ActionAborted(who="ash", traits={}, text="calls fire"),
    ):
        assert told(event, fight.state) is None
        assert told(replace(event, who="orc"), fight.state) is not None


def test_a_hidden_figure_appears_when_it_is_detected() -> None:
    spy = replace(figure("spy", hidden=True), at=Hex(2, 3))
    form = told(Detected(who="spy", cause="noise", noticed_by="ash"), state_of(figure("ash"), spy))
    assert form is not None
    assert form["cause"] == "noise"
    assert "noticed_by" not in form
    shown = form["figure"]
    assert isinstance(shown, dict)
    assert (shown["name"], shown["label"], shown["side"], shown["at"]) == ("Spy", "S", "foe", [2, 3])
    assert "sheet" not in shown


def test_somebody_who_joins_in_sight_is_described() -> None:
    form = told(Joined(who="late", combatant=figure("late")), HIDDEN_SPY)
    assert form is not None
    assert set(form) == {"type", "who", "figure"}
    assert "note" not in json.dumps(form)


def test_a_half_in_which_only_the_hidden_can_do_something_does_not_exist() -> None:
    """Whoever is in sight stands out of everybody's reach: Melee is for the spies alone."""
    seen = []
    for in_contact in (False, True):
        mole = from_offset(7, 2) if in_contact else from_offset(7, 6)
        joins = [
            Join(name="Ash", side="party", sheet=SHEET, at=from_offset(0, 0)),
            Join(name="Orc", side="foe", sheet=SHEET, at=from_offset(3, 5)),
            Join(name="Spy", side="foe", sheet=SHEET, at=from_offset(7, 1), hidden=True),
            Join(name="Mole", side="party", sheet=SHEET, at=mole, hidden=True),
        ]
        ears = Listener(Fight.new("stage", board=HexBoard(12, 8), joins=joins))
        fight = ears.fight
        ears.do("start")
        assert fight.state.in_contact("spy", "mole") is in_contact
        phases = set()
        while fight.state.round == 1 and fight.state.step is not None:
            phases.add(fight.state.phase)
            ears.do("advance")
        assert ("melee" in phases) is in_contact
        seen.append([form for form in ears.events if form["type"] == "HalfBegan"])
    assert seen[0] == seen[1]


# Ids and labels of their own


def names_of(fight: Fight) -> list[tuple[Json, Json]]:
    view = player_view(fight.state, fight.system)
    return [(figure["id"], figure["label"]) for figure in view["combatants"]]  # type: ignore[index,union-attr,call-overload]


def row(*hidden: bool) -> Fight:
    """Goblins that come one after the other, some of them hidden."""
    return Fight.new("stage", joins=[Join(name="Goblin", side="foe", hidden=unseen) for unseen in hidden])


def test_players_number_those_whom_they_see() -> None:
    assert names_of(row(False, True, False)) == names_of(row(False, False)) == [("goblin", "1"), ("goblin-2", "2")]
    fight = row(False, True)
    fight.give("join", name="Goblin", side="foe", force=True)
    assert names_of(fight) == [("goblin", "1"), ("goblin-2", "2")]


def test_whoever_comes_out_is_numbered_last_and_stays_who_he_was() -> None:
    fight = row(False, True, False)
    fight.give("start")
    fight.give("adjust", who="goblin-2", what="hidden", value=False)
    shown = {("goblin", "1"), ("goblin-2", "2"), ("goblin-3", "3")}
    assert set(names_of(fight)) == shown
    assert fight.state.sight.names["goblin-2"] == Known("goblin-3", "3", "Goblin")
    fight.give("adjust", who="goblin-2", what="hidden", value=True)
    fight.give("join", name="Goblin", side="foe", force=True)
    fight.give("adjust", who="goblin-2", what="hidden", value=False)
    assert set(names_of(fight)) == {*shown, ("goblin-4", "4")}


def squad(*hidden: bool) -> Fight:
    """Goblins who are numbered as those are who join together, some of them hidden."""
    joins = [
        Join(name=f"Goblin {number}", side="foe", squad="goblin", hidden=unseen)
        for number, unseen in enumerate(hidden, start=1)
    ]
    return Fight.new("stage", joins=joins)


def figures(fight: Fight) -> list[tuple[Json, Json, Json]]:
    """Those whom players see, by id, label and name, in the order in which they came into sight."""
    view = player_view(fight.state, fight.system)
    found = [(each["id"], each["label"], each["name"]) for each in view["combatants"]]  # type: ignore[index,union-attr,call-overload]
    return sorted(found, key=str)


def test_the_numbers_of_a_squad_tell_nothing_of_the_hidden() -> None:
    """Neither Goblin 1 and Goblin 3 of a Goblin 2, nor a Goblin 2 who is found alone of any other."""
    fight = squad(False, True, False, False)
    seen = [("goblin-1", "1", "Goblin 1"), ("goblin-2", "2", "Goblin 2"), ("goblin-3", "3", "Goblin 3")]
    assert figures(fight) == figures(squad(False, False, False)) == seen
    fight.give("start")
    fight.give("adjust", who="goblin-2", what="hidden", value=False)
    assert figures(fight) == [*seen, ("goblin-4", "4", "Goblin 4")]
    assert fight.state.combatants["goblin-2"].name == "Goblin 2"
    ambush = squad(True, True, True)
    ambush.give("start")
    for found, name in (("goblin-2", "Goblin"), ("goblin-3", "Goblin 2"), ("goblin-1", "Goblin 3")):
        ambush.give("adjust", who=found, what="hidden", value=False)
        assert figures(ambush)[-1][2] == name
    assert [known for known, _, _ in figures(ambush)] == ["goblin", "goblin-2", "goblin-3"]


def test_whoever_is_hidden_before_the_fight_has_never_been_seen() -> None:
    fight = squad(False, False, False)
    fight.give("adjust", who="goblin-2", what="hidden", value=True)
    assert figures(fight) == figures(squad(False, False))
    fight.give("adjust", who="goblin-3", what="hidden", value=True)
    assert [name for _, _, name in figures(fight)] == ["Goblin"]
    fight.give("leave", who="goblin-1")
    assert figures(fight) == []


def test_an_id_of_the_gms_is_numbered_with_its_squad() -> None:
    joins = [
        Join(name=f"Goblin {number}", id=f"snag-{number}", side="foe", squad="snag", hidden=number == 1)
        for number in (1, 2, 3)
    ]
    assert [known for known, _, _ in figures(Fight.new("stage", joins=joins))] == ["snag-1", "snag-2"]


def test_a_name_that_the_gm_gives_by_hand_stays() -> None:
    joined = squad(True, False)
    joined.give("join", name="Goblin 7", side="foe", squad="goblin")
    assert [name for _, _, name in figures(joined)] == ["Goblin", "Goblin 7"]
    renamed = squad(True, False, False)
    renamed.give("adjust", who="goblin-3", what="side", value="party")
    assert [name for _, _, name in figures(renamed)] == ["Goblin 1", "Goblin 2"]
    renamed.give("adjust", who="goblin-3", what="name", value="Goblin 9")
    assert [name for _, _, name in figures(renamed)] == ["Goblin 1", "Goblin 9"]
    side = Renamed(who="goblin-2", name="Goblin 2", side="party")
    assert told(side, renamed.state) == {"type": "Renamed", "who": "goblin-1", "name": "Goblin 1", "side": "party"}


def test_what_is_declared_names_people_as_players_know_them() -> None:
    system = declaring()
    system.declarations = lambda state: (  # type: ignore[method-assign]
        Declaration("goblin-1", f"guards {state.combatants['goblin-3'].name}"),
    )
    view = player_view(squad(False, True, False).state, system)
    assert [each["words"] for each in view["declarations"]] == ["guards Goblin 2"]  # type: ignore[index,union-attr,call-overload]


def test_events_call_people_as_players_know_them() -> None:
    fight = row(False, True, False)
    waived = told(Waived(who="goblin-3"), fight.state)
    assert waived == {"type": "Waived", "who": "goblin-2"}
    ordered = told(OrderSet(order=("goblin-3", "goblin-2", "goblin")), fight.state)
    assert ordered == {"type": "OrderSet", "order": ["goblin-2", "goblin"]}


def test_ids_and_labels_that_the_gm_gives_stay() -> None:
    joins = [Join(name="Goblin", side="foe", hidden=True), Join(name="Goblin", side="foe", id="snag", label="X")]
    assert names_of(Fight.new("stage", joins=joins)) == [("snag", "X")]


def test_labels_tell_nothing_of_the_hidden_where_somebody_has_changed_sides() -> None:
    labels = []
    for unseen in ((), (Join(name="Oda", side="party", hidden=True),)):
        joins = [Join(name="Hob", side="party"), Join(name="Orc", side="foe"), *unseen]
        fight = Fight.new("stage", joins=joins)
        fight.give("adjust", who="orc", what="side", value="party")
        fight.give("join", name="Hog", side="party")
        labels.append(names_of(fight)[-1])
    assert labels == [("hog", "O"), ("hog", "O")]


def test_an_order_in_which_only_the_hidden_move_is_not_told() -> None:
    fight = row(False, True, False)
    assert told(OrderSet(order=("goblin-2", "goblin", "goblin-3")), fight.state) is None


# Secrets


class Listener:
    """Plays a fight and keeps what players are told of it."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.events: list[dict[str, Json]] = []
        self.views = [player_view(fight.state, fight.system)]
        fight.subscribe(self._hear)

    def _hear(self, change: Change) -> None:
        self.events += public_events(change.events, change.before)
        self.views.append(player_view(self.fight.state, self.fight.system))

    def do(self, command: str, /, **data: object) -> None:
        with suppress(Refused):
            self.fight.give(command, **data)

    @property
    def text(self) -> str:
        return json.dumps([self.events, self.views])


def test_a_whole_ambush_is_fought_without_a_word_of_the_hidden() -> None:
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="x", seed="7")
    fight.give(
        "join",
        name="SECRET shaman",
        id="secretshaman",
        side="foe",
        hidden=True,
        at=from_offset(11, 5),
        sheet={"hp": 9, "note": "SECRET", "strikes": [{"name": "SECRET bolt", "kind": "magic", "needs": 19}]},
    )
    ears = Listener(fight)
    ears.do("add_effect", who="secretshaman", name="SECRET ward", note="SECRET")
    ears.do("add_effect", who="brand", name="blessed", note="SECRET donor")
    ears.do("note", text="SECRET plan", who="ysolde")
    ears.do("start")
    for _ in range(60):
        fight.give("advance")
        ears.do("move", who="secretshaman", to=from_offset(10, 5))
        ears.do("strike", who="secretshaman", target="brand", kind="magic", damage=1)
        ears.do("strike", who="goblin-1", target="brand", kind="missile", hit=True, damage=1)
    assert fight.state.round > 2
    assert any(form["type"] == "DamageApplied" for form in ears.events)
    assert "secret" not in ears.text.lower()
    ears.do("adjust", who="secretshaman", what="hidden", value=False)
    assert "secretshaman" in ears.text


# Non-interference: the law


@st.composite
def hidden_figures(draw: st.DrawFn) -> tuple[Combatant, ...]:
    """Up to three hidden combatants of whom nothing is the same from one draw to the next."""
    made = []
    for number in range(draw(st.integers(0, 3))):
        able, hp = draw(st.booleans()), draw(st.integers(0, 10))
        one = figure(f"h{number}", hidden=True, hp=hp, able=able, side=draw(st.sampled_from(["party", "foe"])))
        at = draw(st.none() | st.builds(Hex, st.integers(0, 5), st.integers(0, 5)))
        effects = (Effect("e9", draw(st.text(max_size=3))),)
        made.append(replace(one, name=draw(st.text(max_size=4)), at=at, effects=effects))
    return tuple(made)


VISIBLE = (replace(figure("ash", side="party"), at=Hex(0, 0)), replace(figure("orc", hp=4), at=Hex(1, 0)))
AGENDA = tuple(
    Step(f"{phase}.{side}", "half", phase, phase, side) for phase in ("move", "melee") for side in ("party", "foe")
)
PUBLIC_EVENTS = st.one_of(
    st.builds(Moved, who=st.sampled_from(["ash", "orc"]), hexes=st.just(1), feet=st.just(5.0)),
    st.builds(ContactMade, who=st.just("ash"), enemy=st.just("orc")),
    st.builds(Downed, who=st.sampled_from(["ash", "orc"])),
    st.builds(StepBegan, index=st.integers(0, 3), phase=st.just("move"), side=st.sampled_from(["party", "foe"])),
    st.builds(StepSkipped, index=st.integers(0, 3), phase=st.just("move"), side=st.sampled_from(["party", "foe"])),
    st.builds(RoundEnded, number=st.integers(1, 9)),
)


@given(hidden_figures(), hidden_figures(), PUBLIC_EVENTS, st.integers(-1, 4), st.text(max_size=5), st.text(max_size=5))
def test_states_that_differ_in_what_is_hidden_look_the_same(
    one: tuple[Combatant, ...], other: tuple[Combatant, ...], happened: Event, cursor: int, note: str, other_note: str
) -> None:
    twins = []
    for hidden, text in ((one, note), (other, other_note)):
        state = state_of(*VISIBLE, *hidden, prompts=(replace(PROMPT, question=text),))
        state = evolve(state, RoundBegan(number=1, steps=AGENDA))
        for index, step in enumerate(AGENDA[: cursor + 1]):
            state = evolve(state, StepBegan(index=index, phase=step.phase, side=step.side))
        order = tuple(who for who in state.combatants if who != "ash")
        settled = OrderSet(order=(*order, "ash"), reason=text if hidden else "")
        forms = [told(happened, state), told(NoteAdded(text=text), state), told(settled, state)]
        twins.append((player_view(state, Fight.new("stage").system), forms))
    assert twins[0] == twins[1]


# Out of each other's zone, and of everybody's in sight: a Melee that only the hidden can fight is still a half of play,
# and whoever watches the GM close it learns that somebody was there.
FAR = [
    st.integers(first, first + 1).flatmap(lambda col: st.integers(0, 7).map(lambda row: from_offset(col, row)))
    for first in (7, 10)
]
NEAR = st.integers(0, 5).flatmap(lambda col: st.integers(0, 7).map(lambda row: from_offset(col, row)))
SEEN = st.sampled_from(["ash", "brim", "orc"])
HIDDEN = st.sampled_from([0, 1])
WORDS = st.text("abc", min_size=1, max_size=5)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("advance")),
        st.tuples(st.just("seen moves"), SEEN, NEAR),
        st.tuples(st.just("seen strikes"), SEEN, SEEN),
        st.tuples(st.just("hidden is put"), st.just(0), st.tuples(FAR[0], FAR[0])),
        st.tuples(st.just("hidden is put"), st.just(1), st.tuples(FAR[1], FAR[1])),
        st.tuples(st.just("hidden is hurt"), HIDDEN, st.tuples(st.integers(1, 3), st.integers(1, 3))),
        st.tuples(st.just("hidden has"), HIDDEN, st.tuples(WORDS, WORDS)),
        st.tuples(st.just("note"), st.none(), st.tuples(WORDS, WORDS)),
    ),
    max_size=14,
)


def twin(names: tuple[str, str], agility: int, note: str) -> Listener:
    sheet = {**SHEET, "agility": agility, "note": note, "hp": 900 + agility}
    joins = [
        Join(name="Ash", side="party", sheet=SHEET, at=from_offset(0, 0)),
        Join(name="Brim", side="party", sheet=SHEET, at=from_offset(0, 2)),
        Join(name="Orc", side="foe", sheet=SHEET, at=from_offset(5, 5)),
        Join(name=names[0], id=f"h-{names[0]}", side="foe", sheet=sheet, at=from_offset(7, 1), hidden=True),
        Join(name=names[1], id=f"i-{names[1]}", side="party", sheet=sheet, at=from_offset(10, 4), hidden=True),
    ]
    fight = Fight.new("stage", board=HexBoard(12, 8), joins=joins, seed="5")
    listener = Listener(fight)
    listener.do("start")
    return listener


def act(ears: Listener, step: tuple[object, ...], which: int) -> None:
    kind, *rest = step
    hidden = list(ears.fight.state.combatants)[3:]
    if kind == "advance":
        ears.do("advance")
    elif kind == "seen moves":
        ears.do("move", who=rest[0], to=rest[1])
    elif kind == "seen strikes":
        ears.do("strike", who=rest[0], target=rest[1], kind="melee")
    else:
        index, values = rest
        value = values[which]  # type: ignore[index]
        if kind == "hidden is put":
            ears.do("place", who=hidden[index], at=value, force=True)  # type: ignore[index]
        elif kind == "hidden is hurt":
            ears.do("damage", who=hidden[index], amount=value)  # type: ignore[index]
        elif kind == "hidden has":
            ears.do("add_effect", who=hidden[index], name=value, rounds=2)  # type: ignore[index]
        else:
            ears.do("note", text=value)


@given(STEPS)
def test_fights_that_differ_in_what_is_hidden_are_told_the_same(steps: list[tuple[object, ...]]) -> None:
    one = twin(("vex", "quill"), 8, "knows the way")
    other = twin(("zoth", "umber"), 15, "knows nothing")
    for step in steps:
        act(one, step, 0)
        act(other, step, 1)
    assert one.events == other.events
    assert one.views == other.views
