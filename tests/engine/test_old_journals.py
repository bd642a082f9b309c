"""Journals written by version 0.1 open, and replay to the play that they were: one of each system, a duel beside them.

Beside each journal lies what version 0.1 itself said of the fight at its end.
"""

import json
import shutil
from pathlib import Path

import pytest

from fightcall_engine.archive.lines import encode_journal
from fightcall_engine.headless.questions import state_json
from fightcall_engine.model.errors import BadInput
from fightcall_engine.play.fight import Fight

FOLDER = Path(__file__).parent / "data" / "journals-0.1"
JOURNALS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
OF_COMBATANTS = ("name", "side", "able", "hidden", "pools", "at", "facing")


def told(fight: Fight) -> dict[str, object]:
    """What the summary beside a journal holds, of a fight as it is now."""
    state = json.loads(json.dumps(state_json(fight.state, fight.system)))
    combatants = {
        key: {name: value[name] for name in OF_COMBATANTS}
        | {"effects": [effect["name"] for effect in value["effects"]]}
        for key, value in state["combatants"].items()
    }
    return {
        "round": state["round"],
        "phase": state["phase"],
        "clock_s": state["clock_s"],
        "order": list(fight.state.order),
        "entries": fight.line.entry_count(),
        "events": len(fight.line),
        "combatants": combatants,
        "prompts": [prompt.kind for prompt in fight.state.prompts],
    }


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_of_0_1_replays_as_it_was_played(name, tmp_path):
    path = tmp_path / f"{name}.jsonl"
    shutil.copyfile(FOLDER / f"{name}.jsonl", path)
    fight = Fight.open(path)
    assert told(fight) == json.loads((FOLDER / f"{name}.json").read_text())
    assert [mark.name for mark in fight.marks] == ["here"]
    before = fight.state
    fight.give("note", text="goes on")
    fight.close()
    again = Fight.open(path)
    assert again.seek(len(again.line)) == again.state
    again.undo()
    assert again.state == before
    again.close()


GONE = (
    "catch_dv", "edge_threshold", "beyond_tenth", "bp_boundary", "thrust_mixed", "slash_rest", "wear_order",
    "wear_rest",
)  # fmt: skip
"""Settings of Combat Segments that there were in 0.1."""

SEALS = ("crc", "prev")
"""What the journal itself adds to each record."""


def test_a_journal_with_settings_that_are_gone_opens_and_goes_on(tmp_path):
    path = tmp_path / "the-last-touch.jsonl"
    written = [json.loads(line) for line in (FOLDER / "the-last-touch.jsonl").read_text().splitlines()]
    header, *records = [{key: value for key, value in record.items() if key not in SEALS} for record in written]
    assert set(GONE) <= set(header["settings"])
    header["settings"] |= {"slash_rest": "goes_on", "wear_order": "before", "beyond_tenth": "once"}
    path.write_bytes(encode_journal(header, records))
    fight = Fight.open(path)
    assert told(fight) == json.loads((FOLDER / "the-last-touch.json").read_text())
    fight.give("note", text="goes on")
    with pytest.raises(BadInput):
        fight.give("configure", setting="slash_rest", value="lost")
    fight.close()


def test_there_is_one_of_each_system():
    headers = [json.loads((FOLDER / f"{name}.jsonl").read_text().splitlines()[0]) for name in JOURNALS]
    assert {header["system"] for header in headers} == {"segments", "slots", "stage", "turns"}
