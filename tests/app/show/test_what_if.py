"""What players are shown while the GM tries something out: nothing of it, whatever they look through."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from fightcall.settings import Paths
from fightcall.show import Stage
from fightcall.subcommands.files import export
from fightcall_engine.archive.chronicle import players_chronicle, to_json
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.headless import Session
from fightcall_engine.model import json_data
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes, summary_of

SYSTEMS = (
    "the-watchtower",
    "the-bell-tower",
    "surrounded-by-goblins",
    "the-last-touch",
    # Of the games in a file, one that rolls for the order and one that deals cards.
    "the-toll-bridge",
    "high-noon",
)
ROLLS = {"the-toll-bridge": {"initiative": [*range(1, 9)]}, "high-noon": {"card": [*range(1, 9)]}}
"""What the fights begin with, so that it doesn't depend on the dice thrown before."""


def text_of(value: object) -> str:
    return json.dumps(json_data.to_json(value))


def paths_in(folder: Path) -> Paths:
    return Paths(**dict.fromkeys(Paths.__dataclass_fields__, folder))


def asked(session: Session, **request: object) -> object:
    reply = session.answer(request)
    assert reply["ok"], reply
    return reply


def exported(journal: Path, form: str) -> str:
    target = journal.with_name(f"copy.{form}")
    assert export(journal, form, target, paths_in(journal.parent / "home"), for_gm=False, at="") == 0
    return target.read_text(encoding="utf-8")


def shown(fight: Fight, journal: Path, *doors: str) -> Mapping[str, str]:
    """What players are shown of a fight that is played here and saved there, by the doors named, or by all."""
    session, onlooker = Session(fight), Session()
    asked(onlooker, do="open", watch=str(journal))
    scene = Stage.open(journal).scene
    forms = ("json", "md", "html", "replay", *(("svg",) if fight.state.board is not None else ()))
    makers: dict[str, Callable[[], str]] = {
        "view": lambda: text_of(asked(session, ask="view")["view"]),  # type: ignore[index]
        "watch, view": lambda: text_of(asked(onlooker, ask="view")["view"]),  # type: ignore[index]
        "watch, state": lambda: text_of(asked(onlooker, ask="state")),
        "page": lambda: text_of((scene.stage, scene.sheet, scene.log, scene.time)),
        "screen": lambda: text_of(Reel(Fight.watch(journal, real_branch=True)).shots),
        "frames": lambda: text_of(Reel(fight).shots),
        "timeline": lambda: text_of(Lanes(fight).chart()),
        "summary": lambda: text_of(summary_of(fight)),
        "record": lambda: to_json(players_chronicle(fight)),
        **{form: partial(exported, journal, form) for form in forms},
    }
    return {door: makers[door]() for door in doors or makers}


@pytest.mark.parametrize("encounter", SYSTEMS)
def test_nothing_of_a_what_if_is_shown_before_it_is_taken(encounter: str, tmp_path: Path) -> None:
    """Put right 3: after `fork`, whatever shows players something stays with the real branch."""
    journal = tmp_path / "one.jsonl"
    fight = start_fight(load_encounter(encounter), id="one", seed="7", path=journal)
    fight.give("start")
    reel, lanes = Reel(fight), Lanes(fight)
    before, frames, timeline = shown(fight, journal), text_of(reel.shots), text_of(lanes.chart())
    fight.fork("what if")
    who = next(iter(fight.state.combatants))
    fight.give("join", name="Stranger", side=fight.system.sides[1])
    fight.give("adjust", who=who, what="name", value="Quicksilver")
    fight.give("damage", who=who, amount=1)
    fight.give("advance")
    assert shown(fight, journal) == before
    reel.update()
    assert (text_of(reel.shots), text_of(lanes.chart())) == (frames, timeline)
    fight.take()
    after = shown(fight, journal)
    reel.update()
    assert text_of(reel.shots) == after["frames"]
    assert text_of(lanes.chart()) == after["timeline"]
    for door, text in after.items():
        # The picture shows the board, to which the stranger has not come.
        assert ("Stranger" in text and text != before[door]) or door == "svg", door
    fight.close()


@pytest.mark.parametrize("encounter", SYSTEMS)
def test_players_entries_have_numbers_of_their_own(encounter: str, tmp_path: Path) -> None:
    """Put right 3: one after the other, whatever the GM does in secret or undoes in between."""
    copies = []
    for is_secretive in (False, True):
        journal = tmp_path / f"{is_secretive}.jsonl"
        fight = start_fight(load_encounter(encounter), id="one", seed="7", path=journal)
        opening = ("start", {"rolls": ROLLS.get(encounter, {})})
        for command in (opening, ("join", {"name": "Newt"}), ("damage", {"who": "newt", "amount": 1})):
            if is_secretive:
                fight.give("note", text="nobody hears this")
                fight.fork()
                fight.give("note", text="nor this")
                fight.drop()
            fight.give(command[0], **command[1])
        fight.close()
        copies.append(exported(journal, "json"))
    assert copies[0] == copies[1]
    rounds = json.loads(copies[0])["rounds"]
    numbers = [line["entry"] for each in rounds for phase in each["phases"] for line in phase["lines"]]
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))


@pytest.mark.parametrize("encounter", SYSTEMS)
def test_a_name_given_out_of_sight_is_not_told(encounter: str, tmp_path: Path) -> None:
    """Put right 3: players keep the name they know, until they see who bears the new one."""
    journal = tmp_path / "one.jsonl"
    fight = start_fight(load_encounter(encounter), id="one", seed="7", path=journal)
    fight.give("start")
    fight.give("join", name="Hooded Man", side=fight.system.sides[1])
    fight.give("damage", who="hooded-man", amount=1)
    fight.give("adjust", who="hooded-man", what="hidden", value=True)
    fight.give("adjust", who="hooded-man", what="name", value="Lord Vane")
    for door, text in shown(fight, journal).items():
        assert "Vane" not in text or door == "watch, state", door
    fight.give("adjust", who="hooded-man", what="hidden", value=False)
    for door, text in shown(fight, journal, "view", "frames", "record", "replay").items():
        assert "Lord Vane" in text, door
    fight.close()
