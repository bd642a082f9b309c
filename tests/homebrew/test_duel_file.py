"""The duel in a file: the recorded plays of the duel in Python, played with both."""

import json
from pathlib import Path

import pytest

from fightcall_engine.headless import Session

PLAYS = (Path(__file__).parents[1] / "plugins" / "duel" / "plays.jsonl").read_text(encoding="utf-8").splitlines()
PEOPLE = (("Alma", "party", 3), ("Baron", "foe", 3), ("Second", "foe", 1))
COMPARED = {
    "DiceRolled": ("who", "purpose", "total"),
    "DamageApplied": ("who", "amount", "left"),
    "Healed": ("who", "left"),
    "StepBegan": ("index",),
    "StepSkipped": ("index",),
    "RoundBegan": ("number",),
    "OrderSet": ("order",),
    "Downed": ("who",),
    "Restored": ("who",),
    "LeftFight": ("who",),
    "FightClosed": ("reason",),
}


def play_of(system):
    """The outcomes of all recorded plays in a system."""
    session, outcomes = Session(), []
    for line in PLAYS:
        request = json.loads(line)
        if request.get("do") == "open":
            session = Session()
            answer(session, {"do": "open", "system": system, "seed": request["seed"]})
            for name, side, lives in PEOPLE:
                answer(session, {"do": "join", "name": name, "side": side, "sheet": {"lives": lives}})
        elif "do" in request:
            outcomes.append(outcome_of(session, request))
    return outcomes


def answer(session, request):
    return session.answer_line(json.dumps(request))


def outcome_of(session, request):
    reply = answer(session, request)
    refused = reply.get("refused") or {}
    events = [
        (event["type"], *(event.get(name) for name in COMPARED[event["type"]]))
        for event in reply.get("events", ())
        if event["type"] in COMPARED
    ]
    hits = [event["hit"] for event in reply.get("events", ()) if "hit" in event]
    state = answer(session, {"ask": "state"})["state"]
    people = {who: (each["able"], each["pools"]["lives"]) for who, each in state["combatants"].items()}
    options = {}
    for who in people:
        offered = answer(session, {"ask": "options", "who": who})["options"]
        options[who] = {each["action"]: (each["legal"], each.get("key")) for each in offered}
    return {
        "asked": request, "ok": reply["ok"], "rule": refused.get("rule"), "events": events, "hits": hits,
        "phase": state["phase"], "round": state["round"], "people": people, "options": options,
    }  # fmt: skip


@pytest.mark.usefixtures("duel")
def test_the_recorded_plays_come_out_as_in_python():
    in_python, in_file = play_of("duel"), play_of("dawn")
    assert len(in_file) == len(in_python) > 20
    for expected, outcome in zip(in_python, in_file, strict=True):
        assert outcome == expected


@pytest.mark.usefixtures("duel")
def test_what_an_attack_needs_is_explained_by_the_file():
    session = Session()
    answer(session, {"do": "open", "system": "dawn", "seed": "3"})
    for name, side, _ in PEOPLE:
        answer(session, {"do": "join", "name": name, "side": side})
    answer(session, {"do": "start", "rolls": {"initiative": [6, 4, 1]}})
    answer(session, {"do": "advance"})
    answer(session, {"do": "guard", "who": "baron"})
    trail = answer(session, {"ask": "explain", "who": "baron", "what": "attack"})["explain"]
    assert trail["total"] == "5"
    assert [(part["label"], part["value"], part["rule"]) for part in trail["parts"]] == [
        ("hits at", "4", "DU-03"), ("guard", "1", "DU-02"),
    ]  # fmt: skip
