"""The guide: every tour is played by its keys, every command is understood, every line of JSON is accepted."""

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from driver import home, press, running, screen_name, seen

from fightcall.actions import known_keys
from fightcall.cli import main, make_parser
from fightcall.guide import NAMES, page_for, read_pages
from fightcall.option_keys import option_keys
from fightcall.screens.opening import OpeningScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.headless import Session
from fightcall_engine.kit.registry import find_system, system_names

ROOT = Path(__file__).resolve().parents[3]
PAGES = {page.name: page.text for page in read_pages()}
TEXTS = {**PAGES, "README": (ROOT / "README.md").read_text(encoding="utf-8")}
TOUR = re.compile(r"<!-- tour (\S+) (\S+) -->\n(.*?)\n\n", re.DOTALL)
TOURS = {name: found for name, text in TEXTS.items() if (found := TOUR.search(text + "\n\n"))}
ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)


def keys_of(cell: str) -> list[str]:
    """The keys of a tour's row, as Textual calls them."""
    names = {"Enter": "enter", "Esc": "escape", "tab": "tab"}
    return [names.get(word, word) for word in cell.replace("`", "").split()]


@pytest.mark.parametrize("name", TOURS)
async def test_a_tour_goes_as_it_is_told(name, tmp_path):
    """What stands in bold is on the screen after the keys of its row."""
    encounter, seed, table = TOURS[name].groups()
    paths = home(tmp_path)
    journal = Shelf(paths).begin(replace(load_encounter(encounter), seed=seed))
    rows = [(keys, text) for keys, text in ROW.findall(table) if "`" in keys or keys == "Enter"]
    assert len(rows) >= 6
    async with running(paths, (140, 40), first=lambda: OpeningScreen(journal, "fight")) as pilot:
        for keys, text in rows:
            await press(pilot, *keys_of(keys))
            for words in re.findall(r"\*\*(.+?)\*\*", text):
                assert words in seen(pilot), f"{keys}: {words} is not on the screen\n{seen(pilot)}"


def test_every_system_of_ours_has_a_tour():
    assert set(system_names()) <= set(TOURS)


def commands(text: str) -> list[list[str]]:
    """The command lines in a text, in blocks and in running text, without those that only show their form."""
    found = re.findall(r"`(fightcall [^`\n]+)`", text)
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        found += [line for line in block.splitlines() if line.startswith("fightcall ")]
    lines = [re.sub(r"<<.*|#.*", "", line) for line in found]
    return [shlex.split(line)[1:] for line in lines if not re.search(r"\b[A-Z]{3,}\b|\\\||…", line)]


@pytest.mark.parametrize("name", TEXTS)
def test_its_commands_are_understood(name):
    for words in commands(TEXTS[name]):
        make_parser().parse_args(words)


def test_there_are_commands_to_understand():
    assert sum(len(commands(text)) for text in TEXTS.values()) > 20


@pytest.mark.parametrize("name", [name for name in TEXTS if "\n{" in TEXTS[name]])
def test_its_scripts_run(name):
    """Lines of JSON in a block are one script: every one of them is accepted."""
    for block in re.findall(r"```\w*\n(.*?)```", TEXTS[name], re.DOTALL):
        lines = [line for line in block.splitlines() if line.startswith("{")]
        session = Session()
        for line in lines:
            answer = session.answer_line(line)
            assert answer["ok"], (line, answer)


@pytest.mark.parametrize("name", TEXTS)
def test_its_json_can_be_read(name):
    """Requests in running text are JSON of the protocol's form."""
    for line in re.findall(r"`(\{\"(?:do|ask)\".*?\})`", TEXTS[name]):
        if "…" not in line:
            assert {"do", "ask"} & set(json.loads(line.replace("\\|", "|")))


def test_its_pages_lead_to_pages():
    for text in TEXTS.values():
        for name in re.findall(r"fightcall guide ([a-z]+)", text):
            assert name in NAMES
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert (ROOT / link).exists() or (ROOT / "app/fightcall/guide" / link).exists(), link


def test_what_is_on_a_screen_has_its_page():
    assert page_for("fight", "slots").name == "slots"
    assert page_for("setup").name == "encounters"
    assert page_for("replay", "slots").name == "players"
    assert page_for("fight", "a system of another package").name == "running"


def test_a_system_of_another_package_brings_its_own(tmp_path):
    (tmp_path / "guide.md").write_text("# Duels at dawn\n\nTwo phases.\n", encoding="utf-8")
    assert page_for("fight", "duel", tmp_path).title == "Duels at dawn"


def test_the_command_line_prints_it(capsys):
    assert main(["guide"]) == 0
    contents = capsys.readouterr().out
    assert all(page.name in contents and page.title in contents for page in read_pages())
    assert main(["guide", "stage"]) == 0
    assert capsys.readouterr().out.startswith("# Stage Moments\n")
    assert main(["guide", "stages"]) == 1
    assert "did you mean 'stage'" in capsys.readouterr().err


# In the program


async def in_a_fight(pilot):
    """Help over a fight of `stage`, at its first page."""
    await press(pilot, "f1")
    assert screen_name(pilot) == "HelpScreen"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_the_page_on_what_is_on_the_screen_is_the_first(tmp_path, size):
    paths = home(tmp_path)
    journal = Shelf(paths).begin(load_encounter("the-bell-tower"))
    async with running(paths, size, first=lambda: OpeningScreen(journal, "fight")) as pilot:
        await in_a_fight(pilot)
        assert "Keys and rules now" in seen(pilot) + pilot.app.screen.idle_text()
        await press(pilot, "tab")
        assert pilot.app.screen.idle_text() == f"Active Phase Encounters · 2 of {len(NAMES) + 1}"
        assert "Awareness puts" in markdown(pilot)
        await press(pilot, "tab")
        assert "Running a fight" in markdown(pilot)
        await press(pilot, "shift+tab", "shift+tab")
        assert "Keys and rules now" in pilot.app.screen.idle_text()
        await press(pilot, "f1")
        assert screen_name(pilot) == "FightScreen"


def markdown(pilot) -> str:
    """The text of the page that is shown."""
    from textual.widgets import Markdown

    return pilot.app.screen.query_one(Markdown).source


async def test_it_is_searched_with_the_keys(tmp_path):
    paths = home(tmp_path)
    async with running(paths, (140, 40)) as pilot:
        await press(pilot, "f1", "/", *"flat", "space", *"battery")
        assert "Running a fight: Leaving and coming back" in seen(pilot, "text")
        await press(pilot, "enter")
        assert "Leaving and coming back" in markdown(pilot)


def test_the_systems_keys_in_it_are_those_that_are_offered():
    """A key in a table of a system's page is one of its options or of the fight screen."""
    known = known_keys(option_keys())
    for name in system_names():
        fight = start_fight(load_encounter(TOURS[name][1]), id="x")
        own = {key for action, key in fight.system.option_keys.items()}
        everywhere = {key for id, keys in known.items() if id.startswith("fight.") for key in keys.keys}
        table = PAGES[name].partition("## Its keys")[2].partition("##")[0]
        for key in re.findall(r"`([^`\s])`", table):
            assert key in own | everywhere | set("123456789"), (name, key)


def test_every_setting_of_a_system_is_on_its_page():
    """Under its name, with the choices there are."""
    for name in system_names():
        table = PAGES[name].partition("## Settings")[2]
        rows = dict(re.findall(r"^(\w+) = (.+)$", table, re.MULTILINE))
        settings = {setting.key: setting for setting in find_system(name).settings}
        assert set(rows) == set(settings), name
        for key, setting in settings.items():
            listed = rows[key].lower().split(", ")
            assert not setting.choices or sorted(listed) == sorted(str(choice).lower() for choice in setting.choices)
