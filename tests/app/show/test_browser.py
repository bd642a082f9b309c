"""The pages in a real browser: the players' screen while a fight is played, and a replay in one file."""

import re
import signal
from contextlib import contextmanager

import pytest

pytest.importorskip("selenium", reason="left out: selenium is not installed")

from browser import MISSING, PHONE, TABLET, TELEVISION, complaints, open_browser, picture, resize
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from fightcall.cli import main
from fightcall.show import replay_page
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.model.json_data import to_json

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(MISSING), reason=MISSING)]
SECRET = "Nightshade"


@pytest.fixture(scope="module")
def opened():
    with open_browser() as browser:
        yield browser


@pytest.fixture
def browser(opened):
    """The browser with an empty page as large as a television, which has complained of nothing."""
    resize(opened, TELEVISION)
    complaints(opened)
    yield opened
    opened.get("about:blank")


CLOCK = """
let now = 0, last = 0;
const timers = new Map();
Date.now = () => now;
window.setInterval = (call, every) => { timers.set(++last, { call, every, at: now + every }); return last; };
window.setTimeout = (call, after) => { timers.set(++last, { call, at: now + after }); return last; };
window.clearInterval = window.clearTimeout = (id) => timers.delete(id);
window.pass = (time) => {
  const end = now + time;
  for (;;) {
    const [id, timer] = [...timers].sort(([, one], [, other]) => one.at - other.at)[0] || [];
    if (!timer || timer.at > end) break;
    now = timer.at;
    if (timer.every) timer.at += timer.every; else timers.delete(id);
    timer.call();
  }
  now = end;
};
"""


@pytest.fixture
def clock(browser):
    """Stops the clock of the pages; answers with what lets seconds pass there."""
    with script(browser, CLOCK):
        yield lambda seconds: browser.execute_script("pass(1000 * arguments[0])", seconds)


@contextmanager
def script(browser, source):
    """Has each page begin with a script of ours."""
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    yield
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def watch(browser, address):
    """Open the page of a fight that is played, and wait until it is drawn."""
    browser.get(address)
    wait_for(browser, lambda: text_of(browser, "link") == "live")


def text_of(browser, id):
    return browser.find_element(By.ID, id).text


def wait_for(browser, what):
    return WebDriverWait(browser, 20, poll_frequency=0.02).until(lambda page: what())


def tokens(browser):
    return browser.find_elements(By.CSS_SELECTOR, "#tokens g")


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """A fight with two Moments."""
    path = tmp_path_factory.mktemp("replay") / "fight.jsonl"
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1", path=path)
    fight.give("start")
    while fight.state.round < 3:
        if (fight.state.phase, fight.state.round, fight.state.combatants["brand"].pools["hp"].now) == ("magic", 2, 15):
            fight.give("damage", who="brand", amount=3)
        fight.give("advance")
    fight.give("join", name=SECRET, side="foe", sheet={"hp": 5, "agility": 12}, hidden=True)
    fight.give("note", text=f"{SECRET} waits")
    fight.close()
    return fight


def export(fight, folder, *options):
    target = folder / f"replay{len(options)}.html"
    assert main(["export", str(fight.path), "--to", "replay", "-o", str(target), *options]) == 0
    return target


def test_a_fight_is_followed_as_it_is_played(browser, begin, serve):
    fight = begin()
    watch(browser, serve(fight.path)[0])
    seen = [one for one in fight.state.combatants.values() if not one.hidden]
    assert len(browser.find_elements(By.CSS_SELECTOR, "#roster li")) == len(seen)
    assert len(tokens(browser)) == len(seen)
    fight.give("start")
    wait_for(browser, lambda: "Moment 1" in text_of(browser, "round"))
    for size in (PHONE, TABLET, TELEVISION):
        resize(browser, size)
        fight.give("damage", who="brand", amount=2)
        wait_for(browser, lambda: "Brand takes 2" in text_of(browser, "log"))
        assert "hurt" in text_of(browser, "roster")
        fight.undo()
        wait_for(browser, lambda: "Brand takes 2" not in text_of(browser, "log"))
        picture(browser, f"live-{size[0]}")
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0]
    assert complaints(browser) == []


BOARD = """
const svg = document.getElementById("board");
const box = svg.getBoundingClientRect();
const scale = Math.min(box.width / svg.viewBox.baseVal.width, box.height / svg.viewBox.baseVal.height);
const time = document.getElementById("time").getBoundingClientRect();
const seen = (element) => element.bottom <= innerHeight && element.right <= innerWidth && element.top >= 0;
return {
  across: scale * svg.viewBox.baseVal.width, down: scale * svg.viewBox.baseVal.height, whole: seen(box),
  time: time.height > 0, timeWhole: seen(time), under: time.top >= box.bottom,
  width: document.documentElement.clientWidth,
  page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
};
"""
"""How large the board is drawn, whether all of it is on the screen, and where the timeline is."""


@pytest.mark.parametrize(
    ("encounter", "has_timeline"),
    [
        ("ambush-at-the-ford", False),
        ("the-withy-ford", True),
        ("fire-at-the-playhouse", None),
        ("the-last-touch", False),
    ],
)
def test_the_board_is_as_large_as_the_screen_allows(browser, begin, serve, encounter, has_timeline):
    """At the table 4.6: the timeline stands under the board only where it has room there.

    On a television nothing is scrolled. On a phone the board has the whole width and is seen whole without scrolling.
    """
    across, down = TELEVISION
    fight = begin(encounter=encounter)
    fight.give("start")
    watch(browser, serve(fight.path)[0])
    found = browser.execute_script(BOARD)
    picture(browser, f"television-{encounter}")
    assert found["whole"]
    assert found["page"] == [across, down]
    assert found["across"] >= across * 0.74 or found["down"] >= down * 0.85, found
    if has_timeline is not None:
        assert found["time"] is has_timeline, found
    if found["time"]:
        assert found["timeWhole"]
        assert found["under"]
    people = browser.find_element(By.ID, "people")
    assert browser.execute_script("return arguments[0].scrollHeight <= arguments[0].clientHeight", people)
    resize(browser, PHONE)
    browser.refresh()
    wait_for(browser, lambda: text_of(browser, "link") == "live")
    found = browser.execute_script(BOARD)
    picture(browser, f"phone-{encounter}")
    assert found["whole"]
    # A browser without touch has a scroll bar beside the page.
    assert round(found["across"]) == found["width"] >= PHONE[0] - 15, found
    assert found["page"][0] == found["width"]
    assert not found["time"]
    assert complaints(browser) == []


def test_a_television_without_a_map_shows_people_and_story(browser, begin, serve):
    """At the table 4.6."""
    fight = begin(encounter="tavern-parley")
    fight.give("start")
    watch(browser, serve(fight.path)[0])
    boxes = [browser.find_element(By.ID, name).rect for name in ("people", "story")]
    assert all(box["width"] > TELEVISION[0] * 0.45 for box in boxes)
    assert browser.execute_script(BOARD)["page"] == [*TELEVISION]


COUNT_WHEN_LIVE = """
new MutationObserver(() => {
  const link = document.getElementById("link");
  if (window.rosterWhenLive === undefined && link && link.textContent === "live") {
    window.rosterWhenLive = document.querySelectorAll("#roster li").length;
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_a_page_says_that_it_is_live_when_the_fight_is_drawn(browser, begin, serve):
    fight = begin()
    with script(browser, COUNT_WHEN_LIVE):
        watch(browser, serve(fight.path)[0])
    assert browser.execute_script("return window.rosterWhenLive") == len(fight.state.order)


def test_a_phone_is_told_that_its_combatant_is_next(browser, begin, serve):
    fight = begin("fights", "surrounded-by-goblins", "3")
    resize(browser, PHONE)
    watch(browser, serve(fight.path)[0])
    Select(browser.find_element(By.CSS_SELECTOR, "#me select")).select_by_visible_text("Milli")
    fight.give("start")
    for _ in range(60):
        if fight.state.step is not None and fight.state.step.actor == "milli":
            break
        fight.give("advance")
    wait_for(browser, lambda: text_of(browser, "call") == "Milli: your turn")
    picture(browser, "phone-turn")
    browser.refresh()
    wait_for(browser, lambda: text_of(browser, "call") == "Milli: your turn")


BEAT_S, RETRY_S = 5, 2
"""How often a page hears from the server where nothing happens, and when it tries again after the line is lost."""


def test_a_reader_comes_back_by_itself(browser, begin, serve, clock):
    fight = begin()
    watch(browser, serve(fight.path)[0])
    browser.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    clock(2 * BEAT_S + 1)
    assert "connection lost" in text_of(browser, "link")
    wait_for(browser, lambda: "still no connection" in text_of(browser, "link") or clock(RETRY_S))
    online = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", online)
    fight.give("damage", who="brand", amount=2)
    clock(RETRY_S)
    wait_for(browser, lambda: "Brand takes 2" in text_of(browser, "log"))


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="only where a process can be stopped")
def test_a_page_notices_a_dead_line_by_itself(browser, begin, launch, clock):
    """put right 42: the connection stays open and says nothing; the page connects again once something answers."""
    fight = begin()
    address, process = launch(fight.path)
    watch(browser, address)
    process.send_signal(signal.SIGSTOP)
    try:
        clock(2 * BEAT_S)
        assert text_of(browser, "link") == "live"
        clock(1)
        assert "connection lost" in text_of(browser, "link")
    finally:
        process.send_signal(signal.SIGCONT)
    clock(RETRY_S)
    wait_for(browser, lambda: text_of(browser, "link") == "live")
    fight.give("damage", who="brand", amount=2)
    wait_for(browser, lambda: "Brand takes 2" in text_of(browser, "log"))


LISTEN = """
window.beats = 0;
window.EventSource = class extends EventSource {
  constructor(address) { super(address); this.addEventListener("beat", () => { window.beats += 1; }); }
};
"""


def test_a_live_page_stays_live_while_nothing_happens(browser, begin, serve, clock, monkeypatch):
    """put right 42: a quiet fight is no dead line, for the server's beats are heard."""
    monkeypatch.setattr("fightcall.show.HEARTBEAT_S", 0.1)
    with script(browser, LISTEN):
        watch(browser, serve(begin().path)[0])
    # The page looks each second whether it has heard anything lately.
    for _ in range(6):
        beats = browser.execute_script("return beats")
        clock(0.19)
        wait_for(browser, lambda beats=beats: browser.execute_script("return beats") > beats)
        assert text_of(browser, "link") == "live"


def test_the_same_address_works_after_a_restart_of_the_server(browser, begin, serve, clock, tmp_path, monkeypatch):
    """put right 42: an open page goes on; where the address is another one, it says so."""
    fight = begin()
    address, end = serve(fight.path, "--lan")
    port, path = re.search(r":(\d+)(/.+)", address).groups()
    watch(browser, f"http://127.0.0.1:{port}{path}")
    end()
    wait_for(browser, lambda: "connection lost" in text_of(browser, "link"))
    fight.give("damage", who="brand", amount=2)
    again, end = serve(fight.path, "--port", port, "--lan")
    assert again == address
    clock(RETRY_S)
    wait_for(browser, lambda: text_of(browser, "link") == "live")
    assert "Brand takes 2" in text_of(browser, "log")
    end()
    wait_for(browser, lambda: "connection lost" in text_of(browser, "link"))
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "another"))
    other, _ = serve(fight.path, "--port", port, "--lan")
    assert other != address
    clock(RETRY_S)
    wait_for(browser, lambda: "Ask the GM for the new one" in text_of(browser, "link"))


def ground(browser):
    """What is drawn of the map."""
    return browser.execute_script(
        "return [...document.querySelectorAll('#board > path')].map((path) => path.outerHTML).join('') "
        "+ document.getElementById('board').getAttribute('viewBox')"
    )


def test_the_map_changes_while_it_is_looked_at(browser, begin, serve, tmp_path):
    """At the table 3: the page and the replay follow painted ground and another map, and their undo."""
    fight = begin()
    fight.give("start")
    watch(browser, serve(fight.path)[0])
    first = ground(browser)
    fight.give("paint", places=["C3", "D3"], terrain="lava", glyph="V")
    wait_for(browser, lambda: "C3, D3: lava" in text_of(browser, "log"))
    painted = ground(browser)
    assert painted != first
    board = to_json(SquareBoard(6, 4))
    fight.give("change_map", board=board, name="the crypt", along=["brand"], places={"brand": "B2"})
    wait_for(browser, lambda: "The fight moves to the crypt" in text_of(browser, "log"))
    crypt = ground(browser)
    assert len({first, painted, crypt}) == 3
    assert len(tokens(browser)) == 1
    fight.undo()
    wait_for(browser, lambda: ground(browser) == painted)
    assert len(tokens(browser)) > 1
    fight.redo()
    fight.give("note", text="the end")
    picture(browser, "crypt")
    browser.get(export(fight, tmp_path).as_uri())
    body = browser.find_element(By.TAG_NAME, "body")
    seen = []
    # The people who stay behind leave in frames of their own before the map changes, and one arrives after it.
    for key in (Keys.HOME, Keys.END, Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.HOME):
        body.send_keys(key)
        seen.append(ground(browser))
    assert seen == [first, crypt, crypt, painted, crypt, first]
    assert complaints(browser) == []


def test_a_replay_plays_from_a_file(browser, tmp_path, replay, clock):
    browser.get(export(replay, tmp_path).as_uri())
    assert text_of(browser, "title") == "Ambush at the Ford"
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.END)
    assert "Moment 3" in text_of(browser, "round")
    body.send_keys(Keys.HOME)
    assert "Moment" not in text_of(browser, "round")
    body.send_keys("]")
    assert "Moment 1" in text_of(browser, "round")
    body.send_keys("]")
    assert "Moment 2 · Meeting" in text_of(browser, "round")
    body.send_keys(Keys.PAGE_DOWN)
    assert "Moment 2 · Meeting · Foe" in text_of(browser, "round")
    browser.find_element(By.CSS_SELECTOR, '[data-step="round"][data-way="-1"]').click()
    assert "Moment 1" in text_of(browser, "round")
    browser.find_element(By.ID, "play").click()
    scrubber = browser.find_element(By.ID, "scrubber")
    before = int(scrubber.get_property("value"))
    clock(1.2)
    assert int(scrubber.get_property("value")) == before + 1
    browser.find_element(By.ID, "play").click()
    clock(2)
    assert int(scrubber.get_property("value")) == before + 1
    picture(browser, "replay")
    assert complaints(browser) == []


@pytest.mark.parametrize("encounter", ["the-toll-bridge", "the-rooftops", "the-loading-dock", "high-noon"])
def test_a_fight_of_a_game_in_a_file_is_replayed(browser, begin, tmp_path, encounter):
    """Each round, harm and turn; nothing that is hidden or was undone."""
    fight = begin(encounter=encounter)
    fight.give("join", name=SECRET, side="foe", hidden=True)
    while fight.state.round < 2:
        fight.do(fight.next_call().command)
    hurt = next(each for each in fight.state.combatants.values() if each.side == "party")
    for amount in (2, 1):
        fight.give("damage", who=hurt.id, amount=amount)
    fight.undo()
    target = export(fight, tmp_path)
    assert SECRET.lower() not in target.read_text(encoding="utf-8").lower()
    browser.get(target.as_uri())
    assert text_of(browser, "title") == fight.state.name
    body, first, second = browser.find_element(By.TAG_NAME, "body"), *(f"{fight.system.round_name} {n}" for n in (1, 2))
    body.send_keys(Keys.END)
    assert second in text_of(browser, "round")
    assert f"{hurt.name} takes 2" in text_of(browser, "log")
    assert f"{hurt.name} takes 1" not in text_of(browser, "log")
    assert len(tokens(browser)) == len(fight.state.combatants) - 1
    body.send_keys(Keys.HOME, "]")
    assert first in text_of(browser, "round")
    assert complaints(browser) == []


def test_a_link_leads_to_a_moment(browser, tmp_path, replay):
    address = export(replay, tmp_path).as_uri()
    browser.get(f"{address}#r2-magic")
    assert "Moment 2 · Magic" in text_of(browser, "round")
    line = next(one for one in browser.find_elements(By.CSS_SELECTOR, "#log li") if "Brand takes 3" in one.text)
    line.click()
    assert "Moment 2 · Magic" in text_of(browser, "round")
    assert "here" in line.get_attribute("class")
    assert browser.current_url.startswith(f"{address}#r2-magic")


def test_a_replay_has_its_timeline_and_says_at_its_end_what_decided_it(browser, tmp_path, replay):
    browser.get(export(replay, tmp_path).as_uri())
    time, after = (browser.find_element(By.ID, name) for name in ("time", "after"))
    assert not after.is_displayed()
    assert "Moment 2" in time.text
    assert "Goblin" in time.text
    hurt = time.find_element(By.CSS_SELECTOR, ".mark-hurt")
    assert hurt.get_attribute("title") == "Brand is hurt 3"
    browser.execute_script("arguments[0].click()", hurt)
    assert "Moment 2 · Magic" in text_of(browser, "round")
    assert "here" in hurt.get_attribute("class")
    assert time.find_elements(By.CSS_SELECTOR, "th[aria-current]")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert after.is_displayed()
    assert "Moment 2" in after.text
    assert "Party took 3" in after.text
    picture(browser, "replay-end")
    assert complaints(browser) == []


def test_the_timeline_of_a_fight_that_is_played_grows(browser, begin, serve):
    fight = begin()
    resize(browser, TABLET)
    watch(browser, serve(fight.path)[0])
    fight.give("start")
    wait_for(browser, lambda: "Moment 1" in text_of(browser, "time"))
    fight.give("damage", who="brand", amount=2)
    wait_for(browser, lambda: "−2" in text_of(browser, "time"))
    fight.undo()
    wait_for(browser, lambda: "−2" not in text_of(browser, "time"))
    assert complaints(browser) == []


def test_secrets_are_in_the_gms_copy_only(browser, tmp_path, replay):
    players = export(replay, tmp_path)
    assert SECRET.lower() not in players.read_text(encoding="utf-8").lower()
    gm = export(replay, tmp_path, "--gm")
    browser.get(gm.as_uri())
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert SECRET in text_of(browser, "roster")
    assert f"{SECRET} waits" in text_of(browser, "log")
    assert complaints(browser) == []


def test_a_page_can_be_read_without_eyes_or_a_mouse(browser, tmp_path, replay):
    browser.get(export(replay, tmp_path).as_uri())
    for tag in ("header", "main", "h1", "h2"):
        assert browser.find_elements(By.TAG_NAME, tag), tag
    assert browser.find_element(By.ID, "board").get_attribute("aria-label").startswith("Board: ")
    for control in browser.find_elements(By.CSS_SELECTOR, "button, select, input"):
        assert control.accessible_name or not control.is_displayed(), control.get_attribute("outerHTML")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    if "across" in browser.switch_to.active_element.get_attribute("class"):
        # A timeline wider than its place is scrolled with keys, too.
        browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.tag_name == "button"


@pytest.fixture(scope="module")
def long_replay(tmp_path_factory):
    """A fight of 1,000 entries, as a replay in a file."""
    folder = tmp_path_factory.mktemp("long")
    fight = start_fight(load_encounter("a-first-fight"), id="fight", seed="1")
    fight.give("start")
    while fight.line.entry_count() < 1000:
        number = fight.line.entry_count()
        asked = next((prompt for prompt in fight.state.prompts if prompt.blocking), None)
        if asked is not None:
            fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
        elif number % 3:
            who = fight.state.order[number % len(fight.state.order)]
            fight.give("damage" if number % 2 else "heal", who=who, amount=1)
        else:
            fight.give("advance")
    page = folder / "replay.html"
    page.write_text(replay_page(fight), encoding="utf-8")
    return page


def test_a_replay_of_a_thousand_entries_plays_to_its_end_and_prints_as_the_chronicle(browser, long_replay, request):
    """Printed, it has all of the log and what decided it; no board, no buttons."""
    browser.get(long_replay.as_uri())
    assert tokens(browser)
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert browser.find_element(By.ID, "scrubber").get_attribute("aria-valuetext") == text_of(browser, "round")
    assert browser.find_element(By.ID, "after").is_displayed()
    assert complaints(browser) == []
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.HOME)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    request.addfinalizer(lambda: browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""}))
    for name in ("title", "story", "log", "after"):
        assert browser.find_element(By.ID, name).is_displayed(), name
    for name in ("people", "map", "time", "replay"):
        assert not browser.find_element(By.ID, name).is_displayed(), name
    log = browser.find_element(By.ID, "log")
    assert log.get_property("scrollHeight") == log.get_property("clientHeight")
    last = browser.find_elements(By.CSS_SELECTOR, "#log li")[-1]
    assert last.value_of_css_property("opacity") == "1"
