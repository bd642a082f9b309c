"""The guide: every tour is played by its keys, every picture is what the screen shows, every key is bound."""

import re
from pathlib import Path

import pytest
from driver import home, press, running, screen_name, seen
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownFence
from tours import Cut, opened, read_tour

from fightcall.actions import find_action, known_keys, short_key
from fightcall.cli import main
from fightcall.guide import NAMES, page_for, read_pages
from fightcall.settings import option_keys
from fightcall_engine import kit
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.kit.plugins import find_system, system_names

OURS = tuple(name for name in system_names() if name in NAMES)
"""The systems with a page of their own: that of a game in a file is made from the file."""
ROOT = Path(__file__).resolve().parents[3]
PAGES = {page.name: page.text for page in read_pages()}
TEXTS = {**PAGES, "README": (ROOT / "README.md").read_text(encoding="utf-8")}
TOURS = {name: tour for name, text in TEXTS.items() if (tour := read_tour(text))}


@pytest.mark.parametrize("name", TOURS)
async def test_a_tour_goes_as_it_is_told(name, tmp_path):
    """What stands in bold is on the screen after the keys of its row, and not all of it was there before them.

    Its pictures are what the screen shows; ``python tests/app/screens/tours.py`` draws them anew.
    """
    tour = TOURS[name]
    assert len(tour.steps) >= 6
    async with opened(tour, tmp_path) as pilot:
        for part in tour.parts:
            if isinstance(part, Cut):
                assert part.draw(pilot) == part.text
                continue
            before = seen(pilot)
            await press(pilot, *part.keys)
            for words in part.words:
                assert words in seen(pilot), f"{part}: {words} is not on the screen\n{seen(pilot)}"
            assert not part.words or any(words not in before for words in part.words), f"{part} says nothing new"


def test_every_system_of_ours_has_a_tour_with_pictures():
    for name in OURS:
        cuts = [part for part in TOURS[name].parts if isinstance(part, Cut)]
        assert {cut.pane for cut in cuts} >= {"call", "exchange"}
        assert all(len(row) <= 80 for cut in cuts for row in cut.text.splitlines())


ROOM = 75
"""Columns of the guide in a terminal of 80: what a block of code has beside the edges and the scroll bar."""


@pytest.mark.parametrize("name", PAGES)
def test_its_blocks_of_code_fit_a_small_terminal(name):
    """The viewer does not wrap them."""
    for block in re.findall(r"```\w*\n(.*?)```", PAGES[name], re.DOTALL):
        assert [line for line in block.splitlines() if len(line) > ROOM] == []


def test_its_pages_lead_to_pages():
    for text in TEXTS.values():
        for name in re.findall(r"fightcall guide ([a-z]+)", text):
            assert name in (*NAMES, *system_names())
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert (ROOT / link).exists() or (ROOT / "app/fightcall/guide" / link).exists(), link


def test_what_is_on_a_screen_has_its_page():
    assert page_for("fight", find_system("slots")).name == "slots"
    assert page_for("setup").name == "encounters"
    assert page_for("replay", find_system("slots")).name == "players"


def test_a_system_of_another_package_brings_its_own(tmp_path):
    class Elsewhere(kit.BaseSystem):
        id, title, folder = "elsewhere", "Elsewhere", tmp_path

    assert page_for("fight", Elsewhere()).name == "running"
    (tmp_path / "guide.md").write_text("# Duels at dawn\n\nTwo phases.\n", encoding="utf-8")
    assert page_for("fight", Elsewhere()).title == "Duels at dawn"


def test_the_page_of_a_game_is_made_from_its_file():
    page = page_for("fight", find_system("squads"))
    assert page.title == "Squads"
    assert "| `o` | overwatch | 2 points |" in page.text
    assert "Partial cover adds 3" in page.text


def test_the_command_line_prints_it(capsys):
    assert main(["guide"]) == 0
    contents = capsys.readouterr().out
    assert all(page.name in contents and page.title in contents for page in read_pages())
    assert main(["guide", "stage"]) == 0
    assert capsys.readouterr().out.startswith("# Stage Moments\n")
    assert main(["guide", "stages"]) == 1
    assert "did you mean 'stage'" in capsys.readouterr().err


# In the program


async def test_the_page_on_what_is_on_the_screen_is_the_first(tmp_path):
    """At 80 by 24; nothing of a block of code is beyond its right edge."""
    async with opened(TOURS["slots"], tmp_path, (80, 24)) as pilot:
        await press(pilot, "f1")
        assert screen_name(pilot) == "HelpScreen"
        assert "Keys and rules now" in seen(pilot) + pilot.app.screen.idle_text()
        await press(pilot, "tab")
        assert pilot.app.screen.idle_text() == f"Active Phase Encounters · 2 of {len(NAMES) + 1}"
        assert "Awareness puts" in markdown(pilot)
        blocks = [*pilot.app.screen.query(MarkdownFence)]
        assert len(blocks) > 4
        for block in blocks:
            assert block.size.width >= ROOM
            assert block.max_scroll_x == 0, block.code
        await press(pilot, "shift+tab")
        assert "Keys and rules now" in seen(pilot) + pilot.app.screen.idle_text()
        await press(pilot, "f1")
        assert screen_name(pilot) == "FightScreen"


def markdown(pilot) -> str:
    """The text of the page that is shown."""
    return pilot.app.screen.query_one(Markdown).source


async def test_it_is_searched_with_the_keys(tmp_path):
    async with running(home(tmp_path), (140, 40)) as pilot:
        await press(pilot, "f1", "/", *"flat", "space", *"battery")
        assert "Running a fight: Leaving and coming back" in seen(pilot, "text")
        await press(pilot, "enter")
        assert "Running a fight" in markdown(pilot)
        assert "Leaving and coming back" in markdown(pilot)
        await press(pilot, "shift+tab")
        assert "Keys and rules now" in pilot.app.screen.idle_text()


KEY = re.compile(r"`([^`\s]|space|tab|backspace|[fF]\d|ctrl\+\w)`")
OF_LISTS = {"What if": set("nctx"), "Changing the past": set("exb"), "Damage, conditions, changes": set("7")}
"""Keys of the lists behind `H`, which the key map does not have, and a digit; by the heading they stand under.

They are pressed in ``test_going_back.py`` and ``test_second_thoughts.py``.
"""
OF_MAPS = set("x+-w")
"""Keys for painting a map; they are pressed in ``test_easel.py`` and ``test_own_encounter.py``."""
NO_KEYS = {"N", "S"}
"""Directions."""
FLOWS = set("ynhm*!'&-%") | set("0123456789")
"""Keys of questions and panels: answers, details, rulings, labels, dice, a chance for the whole fight."""


def sections(text):
    """Headings with what stands under them, without blocks of code and tours."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for part in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        if "<!-- tour" not in body:
            yield heading, body


@pytest.mark.parametrize("name", TEXTS)
def test_every_key_in_it_is_bound(name):
    """By the key map, where it speaks of the fight or of a screen; or it is one of a list or of painting."""
    known = known_keys(option_keys())
    bound = {short for keys in known.values() for key in keys.keys for short in (key, short_key(key))} | FLOWS
    for heading, body in sections(TEXTS[name]):
        more = OF_LISTS.get(heading, set()) | (OF_MAPS if name == "encounters" else set()) | NO_KEYS
        for key in KEY.findall(body):
            assert key in bound | more or key.lower() in bound, (heading, key)


MEANT = {
    "space": "next", ">": "go-on", "tab": "select-next", "'": "select-label", "u": "undo", "U": "redo", "?": "why",
    "!": "rule", "d": "damage", "D": "heal", "c": "condition", "e": "adjust", "f": "face", "J": "add-combatant",
    "N": "note", "B": "bookmark", "@": "cues", ":": "command-line", "&": "together", "H": "history", "F": "fork",
    "K": "aftermath", "q": "leave", "F5": "timeline", "F6": "share", "I": "card",
}  # fmt: skip
"""What the guide to running a fight means by a key, as the key map calls it."""


def test_a_key_means_what_the_guide_says():
    """The words beside it may be others; the key is that of the action."""
    text = PAGES["running"]
    for key, name in MEANT.items():
        assert f"`{key}`" in text + PAGES["players"] + PAGES["segments"]
        assert key.lower() in {short.lower() for short in find_action(f"fight.{name}").keys}, key


def labels_of(system_name):
    """What the options of a system are called on the screen: a key and its words, as the fights of ours bring them."""
    for encounter in shipped_encounters():
        if encounter.system != system_name:
            continue
        fight = start_fight(load_encounter(encounter.path), id="x", seed="7")
        for _ in range(MOST_CALLS):
            for combatant_id in fight.state.combatants:
                for option in fight.options(combatant_id):
                    yield option.key, set(re.findall(r"[a-z]{3,}", option.label.lower()))
            call = fight.next_call()
            if call.command is None or fight.state.round > 1:
                break
            fight.do(call.command)


MOST_CALLS = 25
"""Steps of each fight that are looked at for what can be done in them."""
OF_THE_FIGHT = {"slots": set("!"), "turns": set("r")}
"""Keys of the fight screen in the tables of the systems."""
NOT_COME_TO = {"segments": set("k")}
"""Keys of options that are there only after what no fight of ours begins with: somebody who walks in a Pulse."""


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_the_systems_keys_in_it_are_called_as_on_the_screen(name):
    """Each key in a table of a system's page is one of its options, and a word after it is one of its label."""
    options = find_system(name).option_keys
    unseen = []
    table = PAGES[name].partition("## Its keys")[2].partition("##")[0]
    assert table.count("`") > 10
    for key, words in re.findall(r"`([^`\s])`([^`|;]*)", table):
        if key in set("123456789") | OF_THE_FIGHT.get(name, set()):
            continue
        assert key in options.values(), key
        if key in NOT_COME_TO.get(name, set()):
            continue
        unseen.append((key, set(re.findall(r"[a-z]{3,}", words.lower()))))
    for key, label in labels_of(name):
        unseen = [(other, said) for other, said in unseen if other != key or not said & label]
        if not unseen:
            break
    assert unseen == []


def test_every_setting_of_a_system_is_on_its_page():
    """Under its name, with the choices there are."""
    for name in OURS:
        table = PAGES[name].partition("## Settings")[2]
        rows = dict(re.findall(r"^(\w+) = (.+)$", table, re.MULTILINE))
        settings = {setting.key: setting for setting in find_system(name).settings}
        assert set(rows) == set(settings), name
        for key, setting in settings.items():
            listed = rows[key].lower().split(", ")
            assert not setting.choices or sorted(listed) == sorted(str(choice).lower() for choice in setting.choices)
