"""Journals of 0.2.0 open and replay the same play: one of each system, and a duel. Older ones are refused unchanged.

Beside each journal is the summary of the fight's end that the old version itself wrote.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from fightcall_engine.archive.journal import (
    Follower,
    Journal,
    check_journal,
    last_record,
    read_journal,
    read_trustworthy,
    repair,
)
from fightcall_engine.archive.lines import encode_journal, encode_record
from fightcall_engine.headless import Session, state_json
from fightcall_engine.model import __version__
from fightcall_engine.model.errors import BadInput, TooOld
from fightcall_engine.play.fight import Fight

FOLDER = Path(__file__).parent / "data" / "journals-0.2"
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
def test_a_journal_of_0_2_replays_as_it_was_played(name, tmp_path):
    path = tmp_path / f"{name}.jsonl"
    shutil.copyfile(FOLDER / f"{name}.jsonl", path)
    read = Fight.watch(path)
    assert told(read) == json.loads((FOLDER / f"{name}.json").read_text())
    assert [mark.name for mark in read.marks] == ["here"]
    fight = Fight.open(path)
    closed = {prompt.id for prompt in read.state.prompts} - {prompt.id for prompt in fight.state.prompts}
    if closed:
        # The rules have changed since a question was asked: it is closed, and nothing else.
        notes = [event.note for event in fight.head.events if event.prompt in closed]
        assert all("u goes back to before it" in note for note in notes)
        assert (len(notes), fight.head.by) == (len(closed), "program")
        assert fight.state.combatants == read.state.combatants
    before = fight.state
    fight.give("note", text="goes on")
    fight.close()
    again = Fight.open(path)
    assert again.line.seek(len(again.line)) == again.state
    again.undo()
    assert again.state == before
    again.close()


GONE = (
    "catch_dv", "edge_threshold", "beyond_tenth", "bp_boundary", "thrust_mixed", "slash_rest", "wear_order",
    "wear_rest",
)  # fmt: skip
"""Former settings of Combat Segments."""

SEALS = ("crc", "prev")
"""What the journal itself adds to each record."""


def test_a_journal_with_settings_that_are_gone_opens_and_goes_on(tmp_path):
    path = tmp_path / "the-last-touch.jsonl"
    written = [json.loads(line) for line in (FOLDER / "the-last-touch.jsonl").read_text().splitlines()]
    header, *records = [{key: value for key, value in record.items() if key not in SEALS} for record in written]
    assert set(GONE) <= set(header["settings"])
    header["settings"] |= {"slash_rest": "goes_on", "wear_order": "before", "beyond_tenth": "once"}
    path.write_bytes(encode_journal(header, records))
    assert told(Fight.watch(path)) == json.loads((FOLDER / "the-last-touch.json").read_text())
    fight = Fight.open(path)
    fight.give("note", text="goes on")
    with pytest.raises(BadInput):
        fight.give("configure", setting="slash_rest", value="lost")
    fight.close()


def test_there_is_one_of_each_system():
    headers = [json.loads((FOLDER / f"{name}.jsonl").read_text().splitlines()[0]) for name in JOURNALS]
    assert {header["system"] for header in headers} == {"segments", "slots", "stage", "turns"}


# Before 0.2

RECORD = {"n": 1, "t": "mark", "on": 0, "name": "here"}
HEADER = {"n": 0, "t": "fight", "v": 1, "id": "old", "name": "Old", "system": "stage", "seed": "3"}
WRITTEN = {
    "by 0.1.0": encode_record({**HEADER, "engine": "0.1.0"}) + encode_record(RECORD),
    "just begun": encode_record({**HEADER, "engine": "0.1.0"}),
    "in the present format": encode_journal({**HEADER, "engine": "0.1.0"}, [RECORD]),
    "damaged": encode_record({**HEADER, "engine": "0.1.0"}) + b"rubbish\n" + encode_record({**RECORD, "n": 2}),
    "cut off": encode_record({**HEADER, "engine": "0.1.0"}) + encode_record(RECORD)[:-9],
}
READERS = (
    Fight.open, Fight.watch, Journal.open, read_journal, read_trustworthy, last_record, check_journal, repair,
    lambda path: Follower(path).poll(),
)  # fmt: skip


@pytest.mark.parametrize("content", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("read", READERS)
def test_a_journal_from_before_0_2_names_its_version_and_is_unchanged(read, content, tmp_path):
    """One function, section 6 step 1: it is refused in one sentence, which says how to keep the fight."""
    path = tmp_path / "old.jsonl"
    path.write_bytes(content)
    sentence = (
        f"Fight Call 0.1.0 saved this fight and Fight Call {__version__} can't read it; "
        "to keep it, run fightcall export with Fight Call 0.1.0"
    )
    with pytest.raises(TooOld, match=f"^{re.escape(sentence)}$"):
        read(path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".lock"} == {
        "old.jsonl": content
    }


@pytest.mark.parametrize("how", ["resume", "watch"])
def test_a_script_is_told_the_same(how, tmp_path):
    path = tmp_path / "old.jsonl"
    path.write_bytes(WRITTEN["by 0.1.0"])
    reply = Session().answer({"do": "open", how: str(path)})
    assert reply["ok"] is False
    assert "to keep it, run fightcall export with Fight Call 0.1.0" in reply["error"]["problems"][0]


LATER = ("0.2.0", "0.10.1", "1.0.0", "1.0.0rc1", "9" * 5000 + ".1", "next", None)


@pytest.mark.parametrize("engine", LATER, ids=lambda engine: str(engine)[:9])
def test_a_journal_of_0_2_or_later_is_read(engine, tmp_path):
    path = tmp_path / "new.jsonl"
    path.write_bytes(encode_journal({**HEADER, "engine": engine}, [RECORD]))
    assert read_journal(path).last_number == 1
