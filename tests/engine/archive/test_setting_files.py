"""Settings whose text may stand in a file of its own."""

from __future__ import annotations

import pytest

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.kit.records import first_line
from fightcall_engine.model.errors import BadInput
from fightcall_engine.play.fight import Fight

TABLE = "difference,chance\n-5,30\n0,50\n5,70\n"


def encounter(folder, value):
    path = folder / "duel.toml"
    path.write_text(f'name = "Duel"\nsystem = "segments"\n[settings]\nchance_table = {value}\n')
    return load_encounter(path)


def test_a_table_of_chances_is_read_from_beside_the_encounter(tmp_path):
    (tmp_path / "chances.csv").write_text(TABLE)
    assert encounter(tmp_path, '"chances.csv"').settings["chance_table"] == TABLE


def test_its_text_may_stand_in_the_encounter_itself(tmp_path):
    assert encounter(tmp_path, f'"""\n{TABLE}"""').settings["chance_table"] == TABLE


@pytest.mark.parametrize(
    ("written", "problem"),
    [(None, "can't be read"), ("AV;DV\n", "heading AV,DV,chance"), ("difference,chance\n0,many\n", "line 2")],
)
def test_what_is_wrong_with_it_is_said_with_the_line_of_the_setting(tmp_path, written, problem):
    if written is not None:
        (tmp_path / "chances.csv").write_text(written)
    with pytest.raises(BadInput) as bad:
        encounter(tmp_path, '"chances.csv"')
    assert problem in str(bad.value)
    assert "line 4" in str(bad.value)


def test_m_01_a_fight_refuses_a_table_it_cannot_read_and_a_scale_that_is_none():
    """M-01, M-03."""
    fight = Fight.new("segments")
    with pytest.raises(BadInput, match="use the heading"):
        fight.give("configure", setting="chance_table", value="chances.csv")
    with pytest.raises(BadInput, match="whole numbers"):
        fight.give("configure", setting="progressive_values", value="1 2 many")
    fight.give("configure", setting="chance_table", value=TABLE)
    assert fight.state.settings["chance_table"] == TABLE


def test_an_encounter_that_is_written_keeps_such_a_text_readable():
    long = Encounter("Duel", "segments", settings={"chance_table": TABLE, "season": "winter"})
    written = encounter_to_toml(long)
    assert TABLE in written
    assert read_encounter(written, "duel") == long


def test_of_a_long_text_the_first_line_is_shown():
    assert [first_line(text) for text in ("", "one", "one\ntwo")] == ["", "one", "one …"]
