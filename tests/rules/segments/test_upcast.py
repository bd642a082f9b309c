"""What older versions of Combat Segments wrote reads as what is written now, and what is written now stays as it is."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fightcall_engine.headless.questions import state_json
from fightcall_engine.model.events import AgendaChanged, EffectBegan, Event, Joined
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState, Resume, fields_of_record
from fightcall_engine.play.codec import Codec
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.upcast import upcast_event
from fightcall_engine.systems.segments import SYSTEM
from fightcall_engine.systems.segments.rules.armour import Layer
from fightcall_engine.systems.segments.rules.tasks import Tier
from fightcall_engine.systems.segments.rules.wounds import Stun
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.battle import Battle, Blow, Flying, Guard, Struggle, Thing, battle_of
from fightcall_engine.systems.segments.state.fighter import (
    Action,
    Bonus,
    Doubt,
    Feat,
    Fighter,
    FullDefence,
    Limbs,
    Pair,
    Past,
    Piece,
    Postponed,
    ShutFields,
    StunData,
    Used,
    fighter_of,
)
from fightcall_engine.systems.segments.state.health import stun_of
from fightcall_engine.systems.segments.state.questions import AskedCheck, LostTarget, RunInto
from fightcall_engine.systems.segments.upcast import UPCASTS

CODEC = Codec(SYSTEM)
ASH = Combatant("ash", "A", "Ash", "party", {}, record=Fighter())
START = FightState("f", "", "segments", "1", combatants={"ash": ASH}, order=("ash",))
STRIKE = {"act_state": "draft", "act_kind": "strike", "act_targets": "orc", "act_need": 4, "act_secret": True}


def read(event: dict[str, Any], version: int = 1) -> Event:
    """An event of an older version, as it is read now."""
    upcasts = UPCASTS[version - 1 :]
    made = CODEC.event(upcast_event(upcasts, event))
    again = json.loads(json.dumps(to_json(made)))
    assert CODEC.event(upcast_event(upcasts, again)) == made, "what is written now stays as it is"
    return made


def read_2(event: dict[str, object]) -> Event:
    """An event of version 2, as it is read now."""
    return read(event, version=2)


def after(*events: dict[str, object]) -> Fighter:
    """What is remembered of Ash once these have happened."""
    state = START
    for event in events:
        state = evolve(state, read(event))
    return fighter_of(state.combatants["ash"])


def test_who_joined_with_traits_has_a_record() -> None:
    traits = {"wounds": 2, "posture": "prone", "init": None, "uses": None, **STRIKE, "act_dv": None}
    combatant = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "traits": traits}
    fighter = after({"type": "Joined", "who": "ash", "combatant": combatant})
    action = Action(state="draft", kind="strike", targets=("orc",), need=4, secret=True)
    assert fighter == Fighter(wounds=2, posture="prone", action=action)


def test_an_action_was_many_names() -> None:
    """CS-082."""
    declared = {"type": "Declared", "who": "ash", "traits": {**STRIKE, "waiting": False}, "shown": "", "due": "now"}
    declared |= {"action": "strike", "qa_need": 4}
    settled = {"type": "Resolved", "who": "ash", "traits": {"act_state": "done", "act_done": 4}, "outcome": "hit"}
    assert after(declared, settled).action == Action(
        state="done", kind="strike", targets=("orc",), need=4, done=4, secret=True
    )
    emptied = {"type": "TraitChanged", "who": "ash", "trait": "act_state", "before": "done", "value": ""}
    assert after(declared, settled, emptied).action.state == ""


def test_one_name_for_several() -> None:
    assert after({"type": "TraitsReset", "figures": ["ash"], "trait": "arrived", "value": 3}).arrived == 3


@pytest.mark.parametrize(
    ("name", "value", "now"),
    [("pres", "odd", None), ("pres", 7, 7), ("life", "odd", "up"), ("bound", None, Limbs()), ("elev", 3, 3)],
)
def test_what_was_put_there_by_hand_and_is_of_another_kind_is_what_it_was_at_first(
    name: str, value: object, now: object
) -> None:
    changed = {"type": "TraitChanged", "who": "ash", "trait": name, "before": None, "value": value}
    assert read(changed).value == now  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("aware_of", "orc imp", ("orc", "imp")),
        ("broken", "long sword\naxe", ("long sword", "axe")),
        ("bound", "R, legs odd", Limbs(R=True, legs=True)),
        ("shut_fields", "rs, RR bogus", ShutFields(RS=True, RR=True)),
        ("feat", "a wild swing@3", Feat("a wild swing", 3)),
        ("feat", "", None),
    ],
)
def test_words_have_a_place_each(name: str, text: str, value: object) -> None:
    """CS-265, CS-308, CS-641."""
    changed = {"type": "TraitsChanged", "who": "ash", "traits": {name: text}}
    assert fields_of_record(after(changed))[name] == value


@pytest.mark.parametrize("text", ["", ";;", "sword/R", "sword/R:x,y; :1,2", "a:b:c:1,", "sword/R:1,2,3"])
def test_odd_counts_of_uses_are_none(text: str) -> None:
    """CS-238."""
    used = after({"type": "TraitsChanged", "who": "ash", "traits": {"uses": text}}).uses
    assert all(one.attacks + one.defences < 2 for one in used.values())


def test_uses_and_tokens() -> None:
    """CS-238, CS-651: what is no token counts for nothing."""
    texts = {"uses": "sword/R:1,2; shield: a/L:0,1", "tokens": "white:x green:1 :: fate:2"}
    fighter = after({"type": "TraitsChanged", "who": "ash", "traits": texts})
    assert fighter.uses == {"sword/R": Used(1, 2), "shield: a/L": Used(0, 1)}
    assert fighter.tokens == (("white", 0), ("fate", 2))


def test_what_is_known_of_foes() -> None:
    """CS-300, CS-371, CS-519."""
    texts = {
        "adjacent": "orc:RS:close imp::common elk:XX:far ORC:F :F",
        "doubts": "orc=17@3 imp=x@1 =2@1",
        "reprisal_due": "orc=long_sword|axe imp=!",
    }
    fighter = after({"type": "TraitsChanged", "who": "ash", "traits": texts})
    assert fighter.adjacent == {"orc": Pair("RS", "close"), "imp": Pair(None, "common"), "ORC": Pair("F")}
    assert fighter.doubts == (Doubt("orc", 17, 3),)
    assert fighter.reprisal_due == (Postponed("orc", ("long sword", "axe")), Postponed("imp", (), whole_body=True))


def test_what_is_said_and_done() -> None:
    """CS-092, CS-646."""
    past = "climb: up at last\nappears to do nothing\tstrike Orc: hit"
    texts = {"past": past, "deed": "str=5 av=3@act pot=2@foe:orc x=1"}
    fighter = after({"type": "TraitsChanged", "who": "ash", "traits": texts})
    assert fighter.past == (Past("climb", "up at last"), Past("strike Orc", "hit", "appears to do nothing"))
    assert fighter.deed == (Bonus("str", 5), Bonus("av", 3, "act"), Bonus("pot", 2, "foe", "orc"))


# The fight

SHOT = {"due": 3, "margin": 12, "attacker": "ash", "target": "orc", "kind": "missile", "weapon": "bow", "feet": 400.0}
FLYING = Flying(3, 12, Blow("ash", "orc", "missile", "bow", feet=400.0))


@pytest.mark.parametrize(
    ("fact", "text", "field", "value"),
    [
        ("pass", 2, "pass_number", 2),
        ("contest", "combat", "contest", "combat"),
        ("scale", "odd", "scale", "skirmishing"),
        ("impacts", json.dumps(SHOT), "impacts", (FLYING,)),
        ("impacts", f"odd\n[]\n{json.dumps(SHOT | {'feet': True, 'power': 'x', 'feet ': 1})}\n{{}}", "impacts",
         (Flying(3, 12, Blow("ash", "orc", "missile", "bow")),)),
        ("impacts", "\n".join(json.dumps({**SHOT, name: 0}) for name in ("due", "kind", "target")), "impacts", ()),
        ("struggles", "rope|4|ash+orc|bo|ash||12|strained\nodd|3", "struggles",
         (Struggle("rope", 4, ("ash", "orc"), ("bo",), ("ash",), (), 12, True),)),
        ("struggles", "rope|x|ash||||?|", "struggles", (Struggle("rope", 0, ("ash",)),)),
        ("things", "silver idol = ash @ 3\nrope =  @ 0\n = odd", "things",
         (Thing("silver idol", "ash", 3), Thing("rope"))),
        ("met", "ash~orc a b~ ~c", "met", (("ash", "orc"),)),
        ("pairs", "strike/move", "pairs", (("strike", "move"),)),
        ("tasks", "climb_wall=6 odd", "tasks", {"climb_wall": 6}),
        ("at_once", "ash orc/bo cy", "at_once", (("ash", "orc"), ("bo", "cy"))),
        ("split", "6 4", "split", (6, 4)), ("split", "6 5", "split", ()),
        ("met", "", "met", ()),
    ],
)  # fmt: skip
def test_strings_of_the_fight_are_values(fact: str, text: object, field: str, value: object) -> None:
    """CS-131, CS-203, CS-236, CS-285, CS-392: what cannot be read in them is left out."""
    event = read({"type": "FactChanged", "fact": fact, "before": None, "value": text})
    state = evolve(FightState("f", "", "segments", "1", record=Battle()), event)
    assert getattr(battle_of(state), field) == value


# Version 2


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("armour", "doublemail:20/40; coat:3:cloth:slash 1/3:Proof; :4", "armour",
         (Layer("Doublemail", "mail", 20, 40), Layer("coat", "other", 3, slash=Fraction(1, 3)))),
        ("shields", "", "shields", ()),
        ("plan", "B2 B3", "plan", ("B2", "B3")),
        ("held_at", "", "held_at", ()),
        ("roa_ruled", "3/2", "roa_ruled", Fraction(3, 2)),
        ("roa_ruled", "odd", "roa_ruled", None),
        ("turned", "3.1", "turned", (3, 1)),
        ("turned", "", "turned", None),
        ("full_defence", "all", "full_defence", FullDefence()),
        ("full_defence", "orc", "full_defence", FullDefence("orc")),
        ("full_defence", "", "full_defence", None),
        ("hands_R", "-", "right_hand", ""),
        ("hands_L", "club", "left_hand", "club"),
        ("hands_L", "", "left_hand", None),
    ],
)  # fmt: skip
def test_texts_of_version_2_are_values(name: str, text: str, field: str, value: object) -> None:
    """CS-166, CS-200, CS-230, CS-582."""
    for event in (
        {"type": "TraitsChanged", "who": "ash", "traits": {name: text}},
        {"type": "TraitChanged", "who": "ash", "trait": name, "before": None, "value": text},
        {"type": "TraitsReset", "figures": ["ash"], "trait": name, "value": text},
    ):
        assert fields_of_record(fighter_of(evolve(START, read_2(event)).combatants["ash"]))[field] == value


def test_an_action_of_version_2() -> None:
    """CS-125, CS-340: its pieces, its targets, and whether one of its blows has hit."""
    action = {
        "state": "committed", "kind": "combination", "components": "draw=1 don_boot:2=4 odd x=y", "targets": "orc imp",
        "parts": "R L odd", "struck": "R", "overruled": "CS-340", "outcome": "missed orc; hit imp",
    }  # fmt: skip
    record = {"wounds": 1, "action": action, "hands_R": "club"}
    combatant = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "record": record}
    joined = read_2({"type": "Joined", "who": "ash", "combatant": combatant})
    made = Action(
        state="committed", kind="combination", components=(Piece("draw", 1), Piece("don_boot", 4, 2)),
        targets=("orc", "imp"), parts=("R", "L"), struck=("R",), has_hit=True, overruled=("CS-340",),
        outcome="missed orc; hit imp",
    )  # fmt: skip
    state = evolve(START, joined)
    assert fighter_of(state.combatants["ash"]) == Fighter(wounds=1, action=made, right_hand="club")
    struck = {"action.struck": "R L", "action.outcome": "missed orc"}
    state = evolve(state, read_2({"type": "TraitsChanged", "who": "ash", "traits": struck}))
    assert fighter_of(state.combatants["ash"]).action == replace(
        made, struck=("R", "L"), outcome="missed orc", has_hit=False
    )


def test_shots_in_the_air_of_version_2() -> None:
    """CS-285, CS-469."""
    shot = {"attacker": "ash", "target": "orc", "missed": "axe\nsword", "people": "bo"}
    flights = [{"due": 3, "margin": 12, "blow": shot}]
    event = read_2({"type": "FactChanged", "fact": "impacts", "before": [], "value": flights})
    blow = Blow("ash", "orc", missed=("axe", "sword"), people=("bo",))
    assert event.value == (Flying(3, 12, blow),)  # type: ignore[attr-defined]


def test_a_part_of_an_action_changed_by_hand_in_version_2() -> None:
    """CS-125."""
    changed = {"type": "EntryChanged", "who": "ash", "field": "action", "part": "components"}
    assert read_2(changed | {"before": "", "value": "odd"}).value == ()  # type: ignore[attr-defined]


# Questions of version 2

DATA = Path(__file__).parents[2] / "engine" / "data"
QUESTIONS = tuple(map(json.loads, (DATA / "questions-segments-2.jsonl").read_text().splitlines()))


def kind_of(event: dict[str, Any]) -> str:
    """What is asked, and what it leads to."""
    return f"{event['prompt']['kind']} {event['prompt']['data'].get('then', '')}".strip()


@pytest.mark.parametrize("event", QUESTIONS, ids=kind_of)
def test_a_question_of_version_2_says_how_it_goes_on(event: dict[str, Any]) -> None:
    """One of each kind, as version 2 wrote them."""
    asked = read_2(event)
    prompt = asked.prompt  # type: ignore[attr-defined]
    data = event["prompt"]["data"]
    assert prompt.question == event["prompt"]["question"]
    assert isinstance(prompt.resume, Resume)
    if isinstance(prompt.resume, AskedCheck):
        made = to_json(prompt.resume)
        said = {name for name in made.keys() & data.keys() if type(made[name]) is type(data[name])}
        assert said >= {"then", "chance"}
        assert {name: made[name] for name in said} == {name: data[name] for name in said}
    about = str(data.get("about") or "").split()
    assert set(about) <= {prompt.who, *prompt.resume.subjects}


def test_there_is_a_question_for_each_way_to_go_on() -> None:
    """But for what version 2 did not ask: which others have lost the same target, and who is driven into whom."""
    resumes = {type(read_2(event).prompt.resume) for event in QUESTIONS}  # type: ignore[attr-defined]
    assert resumes == set(SYSTEM.resumes) - {LostTarget, RunInto}


# Journals of versions 2 and 4

JOURNALS = [path for version in (2, 4) for path in sorted((DATA / f"journals-segments-{version}").glob("*.jsonl"))]
OF_COMBATANTS = ("name", "side", "able", "hidden", "pools", "at", "facing")


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_an_old_journal_replays_as_it_was_played_and_goes_on(journal: Path, tmp_path: Path) -> None:
    """Beside each lies what the version that wrote it said of the fight at its end."""
    path = tmp_path / journal.name
    shutil.copyfile(journal, path)
    fight = Fight.open(path)
    state = json.loads(json.dumps(state_json(fight.state, fight.system)))
    shown = {name: state[name] for name in ("round", "phase", "clock_s", "order")}
    shown["combatants"] = {
        key: {name: value[name] for name in OF_COMBATANTS} | {"effects": [each["name"] for each in value["effects"]]}
        for key, value in state["combatants"].items()
    }
    shown["prompts"] = [[each["kind"], each["who"], each["question"]] for each in state["prompts"]]
    assert shown == json.loads(journal.with_suffix(".json").read_text())
    for prompt in fight.state.prompts:
        fight.give("answer", prompt=prompt.id, choice=prompt.choices[-1].id)
    after = fight.state
    fight.close()
    again = Fight.open(path)
    assert again.state == after
    again.close()


# Version 3


def test_steps_of_version_3_had_their_number_in_the_id() -> None:
    words = {"phase": "movement", "title": ""}
    ids = {
        "pulse.7": "pulse",
        "resolve.2.ash": "resolve",
        "waits.1": "waits",
        "initiative": "initiative",
        "close": "close",
    }
    steps = [{"id": step_id, "kind": kind, **words} for step_id, kind in ids.items()]
    made = read({"type": "AgendaChanged", "steps": steps, "cursor": 0}, version=3)
    assert isinstance(made, AgendaChanged)
    assert [step.number for step in made.steps] == [7, 2, 1, 0, 0]
    assert [queries.step_pass(step) for step in made.steps] == [0, 2, 1, 0, 0]


@pytest.mark.parametrize(("text", "base"), [("3", Fraction(3)), ("9/2", Fraction(9, 2)), ("?", Fraction(0))])
def test_a_stun_of_version_3_was_a_fraction_as_text(text: str, base: Fraction) -> None:
    effect = {"id": "e1", "name": "pain", "kind": "stun", "data": {"base": text, "since": 2, "managed": True}}
    made = read({"type": "StunApplied", "who": "ash", "effect": effect, "penalty": 3}, version=3)
    assert isinstance(made, EffectBegan)
    assert stun_of(START, made.effect) == Stun(base, 2)
    assert made.effect.data == StunData(int(2 * base), 2, managed=True)
    combatant = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "effects": [effect]}
    joined = read({"type": "Joined", "who": "ash", "combatant": combatant}, version=3)
    assert isinstance(joined, Joined)
    assert joined.combatant.effects == (made.effect,)


# Version 4


@pytest.mark.parametrize(
    ("said", "names", "guard"),
    [
        ("", [], None),
        ("none", [], Guard("none")),
        ("none", ["none"], Guard("none")),
        ("dodge", [], Guard("dodge", dodges=True)),
        ("stand", [], Guard("stand")),
        ("aware", [], Guard("aware")),
        ("parry sword", ["sword"], Guard("parry", ("sword",))),
        ("block big+small", ["big+small"], Guard("block", ("big+small",))),
        ("parry sword+axe", ["sword", "axe"], Guard("parry", ("sword", "axe"))),
        ("parry sword+dodge", ["sword"], Guard("parry", ("sword",), dodges=True)),
        ("Imp: block shield 28", [], Guard("block", ("shield",), by="Imp")),
        ("imp:", [], Guard("parry", ("",), by="imp")),
        ("Dodge 13", [], Guard("dodge", dodges=True)),
        ("dodge + axe", [], Guard("parry", ("axe",), dodges=True)),
        ("bite it", [], Guard("", ("bite it",))),
    ],
)
def test_a_blow_of_version_4_had_its_defence_as_it_was_said(said: str, names: list[str], guard: Guard | None) -> None:
    """CS-410, CS-414, CS-456, CS-501."""
    blow = {"attacker": "ash", "target": "orc", "defence": said, "guard": names}
    flights = [{"due": 3, "margin": 2, "blow": blow}]
    made = read({"type": "FactChanged", "fact": "impacts", "before": [], "value": flights}, version=4)
    assert made.value == (Flying(3, 2, Blow("ash", "orc", guard=guard)),)  # type: ignore[attr-defined]


def test_a_piece_of_version_4_had_its_argument_as_it_was_typed() -> None:
    """CS-130, CS-140."""
    typed = {"draw": "", "rummage": "3", "untie_knot": "18/35"}
    pieces = [{"key": key, "argument": argument, "qa": 4} for key, argument in typed.items()]
    made = (Piece("draw", 4), Piece("rummage", 4, 3), Piece("untie_knot", 4, tied_by=Tier(18, 35)))
    declared = {"type": "TraitsChanged", "who": "ash", "traits": {"action": {"state": "draft", "components": pieces}}}
    assert read(declared, version=4).traits["action"].components == made  # type: ignore[attr-defined]
    later = {"type": "TraitsChanged", "who": "ash", "traits": {"action.components": pieces}}
    assert read(later, version=4).within == {"action": {"components": made}}  # type: ignore[attr-defined]
    record = {"action": {"state": "draft", "components": pieces}}
    ash = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "record": record}
    joined = read({"type": "Joined", "who": "ash", "combatant": ash}, version=4)
    assert joined.combatant.record.action.components == made  # type: ignore[attr-defined]


def test_a_knot_of_version_4_without_a_skill_was_tied_by_nobody_skilled() -> None:
    """CS-130."""
    pieces = [{"key": "untie_knot", "argument": "18", "qa": 4}]
    told = {"type": "TraitsChanged", "who": "ash", "traits": {"action.components": pieces}}
    made = (Piece("untie_knot", 4, tied_by=Tier(18, 0)),)
    assert read(told, version=4).within == {"action": {"components": made}}  # type: ignore[attr-defined]


def test_the_friend_who_was_named_in_version_4_pays_for_the_defence(tmp_path: Path) -> None:
    """CS-414: a journal has him by name; it goes on as it was meant."""
    shutil.copyfile(DATA / "journals-segments-4" / "a-friend-steps-in.jsonl", tmp_path / "old.jsonl")
    fight = Fight.open(tmp_path / "old.jsonl")
    answered = fight.give("answer", prompt="check", choice="failed")
    used = [event for event in answered.events if event.type == "UseCounted"]
    assert [event.who for event in used] == ["ash", "imp"]  # type: ignore[attr-defined]
    fight.close()
