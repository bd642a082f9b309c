"""The guide on one's own game: its file grows as it says and is played, and all that can be written is named."""

import re

from fightcall.guide import read_pages
from fightcall_engine.files import use_games
from fightcall_engine.homebrew import game
from fightcall_engine.homebrew.system import read_game
from fightcall_engine.testkit.plays import Conversation

TEXT = next(page.text for page in read_pages() if page.name == "own-games")
FILE, MORE = re.findall(r"<!-- game alley.*?-->\n```toml\n(.*?)```", TEXT, re.DOTALL)
NEEDS = re.search(r"```toml\n(needs = .*?)\n```", TEXT)[1]
MODELS = [each for each in vars(game).values() if isinstance(each, type) and issubclass(each, game.FilePart)]


def complete_file():
    """The file after all that the page says to add."""
    return FILE.replace("needs = 6", f"{NEEDS}\ncost = {{ action = 1 }}\nreach = 1") + MORE


def test_the_first_game_is_a_game(tmp_path):
    (tmp_path / "alley.toml").write_text(FILE, encoding="utf-8")
    use_games(tmp_path)
    talk = Conversation("alley", seed="1").do("join", name="Ash", sheet={"hp": 8})
    talk.do("join", name="Thug", side="foe", count=3).do("start", rolls={"initiative": [6, 5, 4, 3]})
    talk.do("stab", who="ash", target="thug-1", rolls={"attack": [4], "damage": [3]})
    talk.expect("Attempted", needed=6, hit=True).expect("DamageApplied", amount=3, left=3).expect("StepBegan")


def test_the_game_with_turns_has_an_opportunity_attack(tmp_path):
    (tmp_path / "alley.toml").write_text(complete_file(), encoding="utf-8")
    use_games(tmp_path)
    assert len(complete_file().splitlines()) <= 60
    talk = Conversation("alley", seed="1", board={"map": ". . . . .\n . . . . .\n"})
    for name, side, at in (("Ash", "party", "A1"), ("Thug", "foe", "B1")):
        talk.do("join", name=name, side=side, at=at)
    talk.do("start", rolls={"initiative": [6, 1]}).do("dodge", who="ash").do("move", who="ash", to="D1")
    assert talk.question_kinds() == ["trigger"]
    talk.do("answer", choice="yes", rolls={"attack": [5]}).expect("Attempted", who="thug", needed=8, hit=False)
    assert talk.ask("explain", who="ash", what="stab")["total"] == "8"


def test_everything_that_can_be_written_is_in_the_reference():
    reference = TEXT.partition("<!-- reference -->")[2]
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]*)`", reference)))) | {"rule", "number"}
    tables = {"pools", "shared", "round", "phase", "turn", "walk", "act", "condition", "trigger", "rules", "sheet"}
    for model in MODELS:
        assert {field.alias or name for name, field in model.model_fields.items()} <= named | tables, model


def test_every_word_that_a_field_accepts_is_in_the_reference():
    for model in MODELS:
        for field in model.model_fields.values():
            words = getattr(field.annotation, "__args__", ())
            for word in (each for each in words if isinstance(each, str) and each):
                assert f'"{word}"' in TEXT, (model.__name__, word)


def test_the_file_of_the_page_is_read_without_a_mistake():
    assert read_game(complete_file(), "alley.toml").title == "Knives in the Alley"
