"""The story of a fight: what is in it, what is not, and that no name in it can break a page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.chronicle import (
    Chronicle,
    Deeds,
    Line,
    chronicle,
    plain,
    players_chronicle,
    to_html,
    to_json,
    to_markdown,
)
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import summary_of

VOID = {"meta", "br", "hr"}


class Page(HTMLParser):
    """Reads a page: its tags in balance, its visible text, and everything it would load."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href", "style") or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def fought(ash: str = "Ash", note: str = "") -> Fight:
    """Two Moments: Ash fells one of two orcs, and works at a gate."""
    joins = [
        Join(name=ash, id="ash", side="party", sheet={"hp": 12}),
        Join(name="Bram", id="bram", side="party", sheet={"hp": 9}),
        Join(name="Orc", id="orc", side="foe", sheet={"hp": 5}),
        Join(name="Hag", id="hag", side="foe", sheet={"hp": 5}),
    ]
    fight = Fight.new("stage", joins=joins, seed="3", name="The Gate")
    fight.give("start")
    _go_to(fight, "missile", "party")
    fight.give("strike", who="ash", target="orc", kind="missile", hit=True, damage=3)
    fight.give("strike", who="bram", target="orc", kind="missile", hit=False)
    _go_to(fight, "missile", "foe")
    fight.give("strike", who="orc", target="ash", kind="missile", hit=True, damage=4)
    fight.mark("first blood")
    _go_to(fight, "move", "party")
    fight.give("move", who="ash", hexes=6, meets="orc")
    _go_to(fight, "management", "foe")
    fight.give("business", who="hag", name="turn the winch", needed=2)
    if note:
        fight.give("note", text=note, who="ash")
    _go_to(fight, "melee", "party", least=2)
    fight.give("strike", who="ash", target="orc", kind="melee", hit=True, damage=9)
    _go_to(fight, "management", "foe", least=2)
    fight.give("business", who="hag", name="turn the winch")
    return fight


def _go_to(fight: Fight, phase: str, side: str, least: int = 1) -> None:
    for _ in range(40):
        step = fight.state.step
        if (
            step
            and fight.state.round >= least
            and (step.phase, step.side) == (phase, side)
            and not fight.state.is_blocked()
        ):
            return
        fight.give("advance")
    raise AssertionError(f"{phase} of {side} never came")


@pytest.fixture(scope="module")
def past() -> Fight:
    """A fight to be copied by whoever goes on with it."""
    return fought()


@pytest.fixture(scope="module")
def story(past: Fight) -> Chronicle:
    return chronicle(past)


def texts(told: Chronicle) -> list[str]:
    return [line.text for one in told.rounds for phase in one.phases for line in phase.lines]


def deeds_of(told: Chronicle, who: str) -> Deeds:
    return next(one for one in told.deeds if one.id == who)


# The story


def test_it_is_told_by_round_and_phase_in_the_systems_words(story: Chronicle) -> None:
    assert (story.title, story.system, story.status) == ("The Gate", "Stage Moments", "running")
    titles = {one.title: [phase.title for phase in one.phases] for one in story.rounds}
    assert titles["Moment 1"][:3] == ["Missile", "Move", "Management"]
    assert "Melee" in titles["Moment 2"]
    assert [one.clock_s for one in story.rounds if one.number] == [0, 60]


def test_a_phase_is_headed_by_the_label_that_was_chosen() -> None:
    fight = Fight.new("stage", settings={"phase_labels": "set2"}, joins=[Join(name="Ash", id="ash", sheet={"hp": 3})])
    fight.give("start")
    fight.give("talk", who="ash", note="hello")
    assert chronicle(fight).rounds[0].phases[0].title == "Contact"


def test_bookkeeping_is_left_out(story: Chronicle) -> None:
    everything = "\n".join(texts(story))
    assert "beats" not in everything
    assert "waits" not in everything
    assert "passed: none" not in everything


def test_what_follows_is_told_with_what_it_follows_from(story: Chronicle) -> None:
    assert re.search(r"^- Ash .*Orc[^()]*\n  - hit for 3 \(", to_markdown(story), re.MULTILINE)
    groups = re.findall(r"<li>(.*?)</ul></li>", to_html(story))
    assert any("Ash" in group and "<li>" in group and "hit for 3" in group for group in groups)


def test_the_deeds_add_up(story: Chronicle) -> None:
    ash, bram, orc, hag = (deeds_of(story, who) for who in ("ash", "bram", "orc", "hag"))
    assert (ash.dealt, ash.taken, ash.attempts, ash.hits, ash.hexes) == (12, 4, 2, 2, 6)
    assert ash.downed == ("Orc",)
    assert (bram.dealt, bram.attempts, bram.hits, bram.downed) == (0, 1, 0, ())
    assert (orc.dealt, orc.taken, orc.end) == (4, 12, "down")
    assert (hag.works, hag.end) == (("turn the winch",), "standing")
    assert [one.id for one in story.deeds] == ["ash", "bram", "orc", "hag"]


def test_whoever_the_gm_takes_out_is_felled_by_nobody() -> None:
    fight = fought()
    fight.give("damage", who="hag", amount=1, by="bram")
    fight.give("adjust", who="hag", what="able", value=False, reason="surrendered")
    told = chronicle(fight)
    assert deeds_of(told, "bram").downed == ()
    assert deeds_of(told, "hag").end == "surrendered"


def test_harm_is_what_health_loses() -> None:
    fight = fought()
    before = [(deeds.dealt, deeds.taken) for deeds in chronicle(fight).deeds]
    parts = summary_of(fight, for_gm=True).rounds
    fight.give("damage", who="hag", amount=3, by="bram", pool="beats")
    assert [(deeds.dealt, deeds.taken) for deeds in chronicle(fight).deeds] == before
    assert [harm for harm in summary_of(fight, for_gm=True).rounds if any(harm.taken.values())] == list(parts)


def test_those_who_left_and_those_who_came_late_are_remembered() -> None:
    fight = fought()
    fight.give("join", name="Cob", id="cob", side="party", sheet={"hp": 3})
    fight.give("leave", who="bram", reason="ran for help")
    told = chronicle(fight)
    assert [one.id for one in told.deeds] == ["ash", "orc", "hag", "cob", "bram"]
    assert deeds_of(told, "bram").end == "ran for help"


def test_what_was_undone_is_not_in_it() -> None:
    fight = fought()
    before = chronicle(fight)
    fight.give("damage", who="hag", amount=5, by="ash")
    fight.mark("the hag falls")
    assert "the hag falls" in texts(chronicle(fight))
    fight.undo()
    assert chronicle(fight) == before


def test_bookmarks_stand_where_they_were_set(story: Chronicle) -> None:
    lines = texts(story)
    mark = lines.index("first blood")
    assert lines[mark - 1].startswith("hit for 4"), "the harm stands under the strike, before the mark"
    early = fought()
    early.jump(0)
    early.mark("before it all")
    assert texts(chronicle(early)) == ["before it all"]


def test_a_fight_that_has_not_begun_has_a_chronicle() -> None:
    told = chronicle(Fight.new("stage", name="Soon"))
    assert (told.rounds, told.deeds) == ((), ())
    assert to_markdown(told).startswith("# Soon")
    assert not Page(to_html(told)).open


def test_the_end_is_told() -> None:
    fight = fought()
    fight.give("close", reason="the gate is open")
    told = chronicle(fight)
    assert told.status == "closed"
    assert any("the gate is open" in line for line in texts(told))


def test_the_clock_of_a_round_is_shown() -> None:
    assert "## Moment 2, 0:01:00" in to_markdown(chronicle(fought()))


# The pages


def test_the_page_loads_nothing_and_follows_the_readers_light(story: Chronicle) -> None:
    html = to_html(story)
    page = Page(html)
    assert not page.open
    assert not page.links
    assert page.tags.isdisjoint({"script", "link", "img", "iframe"})
    assert "url(" not in html
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    assert "first blood" in page.words


def test_json_holds_it_all(story: Chronicle) -> None:
    read = json.loads(to_json(story))
    assert read["title"] == "The Gate"
    assert len(read["rounds"]) == len(story.rounds)
    assert {one["id"]: one["dealt"] for one in read["deeds"]} == {one.id: one.dealt for one in story.deeds}


NASTY = st.text(max_size=30) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '" onload="x',
        "&amp;",
        "# no heading",
        "1. no list",
        "- no",
        "| a | b |",
        "[x](y)",
        "`c`",
    ]
)


@pytest.mark.slow
@given(NASTY, NASTY)
def test_no_name_or_note_breaks_a_page(story: Chronicle, name: str, note: str) -> None:
    told = chronicle(fought(f"A{name}"[:190], note))
    clean = Page(to_html(story))
    page = Page(to_html(told))
    assert page.tags == clean.tags
    assert not page.links
    assert next(one.name for one in told.deeds) in page.words
    to_html(told).encode("utf-8")
    json.loads(to_json(told).encode("utf-8"))


@pytest.mark.slow
@given(NASTY)
def test_no_note_becomes_markdown(past: Fight, story: Chronicle, note: str) -> None:
    fight = past.copy()
    fight.give("note", text=f"x {note}", who="ash")
    clean, spoilt = to_markdown(story), to_markdown(chronicle(fight))
    skeleton = [line for line in clean.split("\n") if line.startswith(("#", "|"))]
    assert [line for line in spoilt.split("\n") if line.startswith(("#", "|"))] == skeleton
    (noted,) = set(spoilt.split("\n")) - set(clean.split("\n"))
    assert noted.startswith("- ")
    bare = re.sub(r"\\.", "", noted)
    assert not set("`*_[]<>|#~$") & set(bare[2:])


@pytest.mark.parametrize("start", ["# x", "- x", "+ x", "1. x", "12) x", "=x", "> x", "| x"])
def test_a_line_that_looks_like_a_block_stays_a_line(start: str) -> None:
    fight = Fight.new("stage")
    fight.mark(start)
    lines = [line for line in to_markdown(chronicle(fight)).split("\n") if line.startswith("- ")]
    assert len(lines) == 1
    assert not re.match(r"- (\*\*)?([-+#>|=]|\d+[.)])", lines[0])


def test_a_line_has_no_control_characters_and_no_gaps() -> None:
    fight = Fight.new("stage")
    fight.mark("one\ntwo\x00  three\ud800")
    (line,) = [line for one in chronicle(fight).rounds for phase in one.phases for line in phase.lines]
    assert line == Line("one two, three\ufffd", "bookmark")
    assert plain("Roan: move 2  (1 left)") == "Roan: move 2 (1 left)"


def test_turns_are_told_by_whose_they_are():
    """A round of turns has a part for each who acts, and every deed says whose it is."""
    fight = Fight.new("turns", seed="7", settings={"scene_mode": "initiative"})
    for name, side in (("Lea", "party"), ("Rat", "foe")):
        fight.give("join", name=name, side=side, sheet={"hp": 9, "strikes": [{"name": "knife", "needs": 2}]})
    fight.give("start")
    while fight.state.step.actor != "lea":
        fight.give("advance")
    fight.give("take", who="lea")
    fight.give("strike", who="lea", target="rat", weapon="knife", hit=True, damage=2)
    fight.give("endturn")
    told = [part for one in chronicle(fight).rounds for part in one.phases]
    parts = {part.title: " ".join(line.text for line in part.lines) for part in told}
    assert "Lea attacks Rat with knife" in parts["Lea"]
    assert "Offer" not in parts


def test_blows_are_counted_in_segments_too():
    """CS-477, CS-478: one blow missed, one landed."""
    fight = start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")
    fight.give("start")
    for place, who in enumerate(("isaut-de-warre", "corso-vail", "sander-holt", "tibalt")):
        fight.give("initiative", who=who, total=20 - place)
    fight.give("declare", who="isaut-de-warre", target="corso-vail")
    fight.give("advance")
    fight.give("declare", who="corso-vail", target="isaut-de-warre")
    for who, hit in (("isaut-de-warre", True), ("corso-vail", False)):
        while fight.state.step.kind != "resolve" or fight.state.step.actor != who:
            fight.give("advance")
        fight.give("resolve", who=who, hit=hit, pot=1 if hit else None)
    told = chronicle(fight)
    deeds = [deeds_of(told, who) for who in ("isaut-de-warre", "corso-vail", "tibalt")]
    assert [(one.attempts, one.hits) for one in deeds] == [(1, 1), (1, 0), (0, 0)]


def shot_that_strays():
    """CS-525, CS-526: a shot that misses, and flies on past one in line into another."""
    fight = start_fight(load_encounter("the-withy-ford"), id="withy", seed="1346")
    fight.give("start")
    for total, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - total)
    for who, at in (("raider-2", "N5"), ("raider-1", "R5"), ("raider-3", "T6")):
        fight.give("place", who=who, at=at)
    fight.give("declare", who="alys", action="shoot", target="raider-2")
    while fight.state.step.kind != "resolve" or fight.state.step.actor != "alys":
        asked = fight.state.asked_first
        fight.give("answer", prompt=asked.id, choice=asked.default) if asked else fight.give("advance")
    fight.give("resolve", who="alys", hit=False)
    return fight


def test_a_shot_that_strays_is_one_attack():
    """Found in play 13: "Hits 2/3" for one shot and one stray."""
    fight = shot_that_strays()
    fight.give("stray", hit=True)
    told = chronicle(fight)
    assert (deeds_of(told, "alys").attempts, deeds_of(told, "alys").hits) == (1, 0)
    tally = next(each for each in summary_of(fight).tallies if each.id == "alys")
    assert (tally.attempts, tally.hits) == (1, 0)


def test_who_dies_after_a_faint_ends_dead():
    """CS-624: unconscious first, and dead later (found in play 13)."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="1415")
    fight.give("start")
    fight.give("life", who="pell", life="unconscious")
    assert deeds_of(chronicle(fight), "pell").end == "unconscious"
    fight.give("life", who="pell", life="dead")
    assert deeds_of(chronicle(fight), "pell").end == "dead"
    assert re.search(r"Pell\b.*\bdead\b", to_markdown(chronicle(fight)))


def test_players_read_what_they_were_told_in_its_own_round_and_phase() -> None:
    told = players_chronicle(fought(note="the winch drops the gate"))
    phases = {phase.title: phase.lines for one in told.rounds for phase in one.phases}
    assert [one.title for one in told.rounds if one.number] == ["Moment 1", "Moment 2"]
    assert any("Ash" in line.text and "Orc" in line.text for line in phases["Missile"])
    assert "winch drops" not in str(told)
    assert not told.deeds


def test_secrets_leave_no_trace_in_the_players_copy() -> None:
    """Two fights that differ in what the hidden do alone have the same copy, to the letter."""
    copies = []
    for hidden in (False, True):
        fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1")
        fight.give("start")
        if hidden:
            fight.give("join", name="Lurker", side="foe", sheet={"hp": 5}, hidden=True)
            fight.give("damage", who="lurker", amount=2)
            fight.mark("the lurker bleeds")
        fight.give("damage", who="goblin-1", amount=2)
        copies.append(
            [line.text for one in players_chronicle(fight).rounds for phase in one.phases for line in phase.lines]
        )
    assert copies[0] == copies[1]
    assert copies[0]
