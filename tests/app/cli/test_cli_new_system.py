"""``fightcall new-system`` and the schema of a game's file: all that can be written, readable as it stands."""

import json
import re
import tomllib
from string import Template
from typing import get_args

import jsonschema_rs
import pytest
from pydantic import BaseModel

from fightcall.settings import find_paths
from fightcall.subcommands.console import begin
from fightcall.subcommands.files import GAME_TEMPLATE
from fightcall_engine.files import use_games
from fightcall_engine.homebrew.game import GamePage, game_schema
from fightcall_engine.homebrew.system import read_game
from fightcall_engine.play.fight import Fight
from game_texts import BRAWL

SWITCHED_OFF = re.compile(r"^#(?! |$)", re.MULTILINE)
"""The sign before a line that can be switched on; a note has a space after it."""
AS_WRITTEN = Template(GAME_TEMPLATE.read_text(encoding="utf-8")).substitute(stem='"own"', name='"Own"')
ALL_ON = SWITCHED_OFF.sub("", AS_WRITTEN)


@pytest.fixture(autouse=True)
def no_games_after_it():
    yield
    use_games(None)


# The file


@pytest.mark.parametrize("text", [AS_WRITTEN, ALL_ON], ids=["as written", "all switched on"])
def test_the_file_reads_without_mistakes(text):
    assert read_game(text, "own").title == "Own"
    assert not list(jsonschema_rs.validator_for(game_schema()).iter_errors(tomllib.loads(text)))


def models_within(hint):
    """The models in an annotation."""
    if isinstance(hint, type) and issubclass(hint, BaseModel) and not get_args(hint):
        yield hint
    for part in get_args(hint):
        yield from models_within(part)


def fields_said(model, data, said):
    """Note each field that a table of a file sets, by the model that declares it, and those of the tables within."""
    for key, value in data.items():
        name, field = next(
            (name, field) for name, field in model.model_fields.items() if key in (name, field.alias)
        )  # fmt: skip
        owner = next(kind for kind in reversed(model.__mro__) if name in vars(kind).get("__annotations__", {}))
        said.add((owner.__name__, name))
        for inner in models_within(field.annotation):
            tables = value.values() if isinstance(value, dict) and key in ("pools", "shared") else [value]
            for table in (each for item in tables for each in (item if isinstance(item, list) else [item])):
                if isinstance(table, dict):
                    fields_said(inner, table, said)


def all_fields(model, seen):
    for name, field in model.model_fields.items():
        owner = next(kind for kind in reversed(model.__mro__) if name in vars(kind).get("__annotations__", {}))
        if (owner.__name__, name) not in seen:
            seen.add((owner.__name__, name))
            for inner in models_within(field.annotation):
                all_fields(inner, seen)


def test_everything_that_may_be_said_stands_in_it():
    said, known = set(), set()
    fields_said(GamePage, tomllib.loads(ALL_ON), said)
    all_fields(GamePage, known)
    assert known - said == set()


def test_every_choice_of_words_stands_in_it():
    words = set(re.findall(r'"enum": \[([^]]*)\]', json.dumps(game_schema())))
    missing = {word for listed in words for word in json.loads(f"[{listed}]") if word and word not in AS_WRITTEN}
    assert missing == set()


# The command


def test_it_writes_a_game_that_is_played_at_once(call, home):
    result = call("new-system", "Blades at the Crossroads")
    path = home.config / "systems" / "blades-at-the-crossroads.toml"
    assert (result.code, result.out.splitlines()[0]) == (0, str(path))
    assert "then write an encounter for it: fightcall new 'A fight' --system blades-at-the-crossroads" in result.out
    assert 'title = "Blades at the Crossroads"' in path.read_text(encoding="utf-8")
    assert call("check", "blades-at-the-crossroads").code == 0
    assert call("new", "First fight", "--system", "blades-at-the-crossroads").code == 0
    fight = Fight.open(begin("first-fight", find_paths(), seed="3"))
    fight.give("start")
    who = fight.state.step.actor
    options = [option.action for option in fight.options(who) if option.legal]
    assert {"strike", "dodge", "fireball", "move"} & set(options)
    fight.give("dodge", who=who)
    fight.close()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("stage", "there is a system 'stage' already"),
        ("7 Swords", "begin with a letter"),
        ("!!!", "begin with a letter"),
        ("Ölgemälde", "begin with a letter"),
        ("x" * 300, "the limit is 200"),
    ],
)
def test_a_name_that_will_not_do_writes_nothing(call, home, name, problem):
    result = call("new-system", name)
    assert result.code == 1
    assert problem in result.err
    assert not (home.config / "systems").exists()


def test_no_file_is_written_over(call, home):
    path = home.write("systems/brawl.toml", BRAWL)
    result = call("new-system", "Brawl")
    assert result.code == 1
    assert f"{path} already exists" in result.err
    assert path.read_text(encoding="utf-8") == BRAWL


def test_a_quote_in_the_name_is_a_quote_in_the_title(call, home):
    assert call("new-system", 'The "Bell"').code == 0
    assert read_game((home.config / "systems" / "the-bell.toml").read_text(encoding="utf-8"), "").title == 'The "Bell"'


# The schema


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ('\n[walk]\nspeed = "6"\n', ["walk"]),
        ('\n[round]\norder = { by = "age" }\n', ["round", "order"]),
        ("\n[[act]]\nuses = 1\n", ["act", 1]),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(call, wrong, where):
    schema = json.loads(call("schema", "system").out)
    assert schema == json.loads(json.dumps(game_schema()))
    text = BRAWL if "[round]" not in wrong else BRAWL.partition("[round]")[0]
    validator = jsonschema_rs.validator_for(schema)
    assert validator.is_valid(tomllib.loads(BRAWL))
    errors = [list(error.instance_path)[: len(where)] for error in validator.iter_errors(tomllib.loads(text + wrong))]
    assert where in errors


def test_every_key_of_the_schema_that_needs_words_has_some():
    act = game_schema()["$defs"]["ActPart"]
    assert act["properties"]["advantage"]["description"].startswith("above zero")
    assert act["properties"]["damage"]["description"].startswith("harm to the target")
