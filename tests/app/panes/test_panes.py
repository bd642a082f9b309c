"""The panes of a fight, side by side in a small app."""

from functools import partial

import pytest
from ford import BOW, JOINS, ford, join, nasty, started
from textual.app import App
from textual.containers import Horizontal

from fightcall.paint.call_bar import CallLine, CallView
from fightcall.paint.geometry import LARGE, MEDIUM, SMALL
from fightcall.paint.prompt_bar import PromptView
from fightcall.paint.runs import row_text, row_width
from fightcall.paint.scenes import contact_rows, picture_of
from fightcall.panes.base import ChoiceClicked, Clicked, EntryClicked, KeyClicked, OptionClicked, PlaceClicked, Sought
from fightcall.panes.board import BoardPane
from fightcall.panes.rows import CallPane, FeedPane, RibbonMark, RibbonPane, RosterPane, TimelinePane
from fightcall_engine.board.base import Hex
from fightcall_engine.model.values import replace

PANES = (RibbonPane, RosterPane, BoardPane, FeedPane, TimelinePane, CallPane)
OURS = (Clicked, PlaceClicked, EntryClicked, OptionClicked, ChoiceClicked, KeyClicked, Sought)


class Table(App):
    """All panes over one fight."""

    CSS = """
    Horizontal { height: 1fr; } RosterPane { width: 38; } BoardPane { width: 1fr; } FeedPane { width: 40; }
    """

    def __init__(self, fight, book):
        super().__init__()
        self.fight, self.book = fight, book
        self.rendered = []

    def compose(self):
        yield RibbonPane(self.book)
        with Horizontal():
            yield RosterPane(self.book, title="Roster", frame=True)
            yield BoardPane(self.book, title="Stage", frame=True)
            yield FeedPane(self.book, title="Log", frame=True)
        yield TimelinePane(self.book)
        yield CallPane(self.book)

    def on_mount(self):
        for kind in PANES:
            self.count(self.query_one(kind))
        self.update()

    def count(self, pane):
        refresh = pane.refresh

        def counted(*regions, **how):
            whole = regions or [pane.size.region]
            self.rendered += [(type(pane).__name__, y) for region in whole for y in region.line_range]
            return refresh(*regions, **how)

        pane.refresh = counted

    def update(self, selected="", **plans):
        selected = selected or list(self.fight.state.combatants)[1]
        fight, state, system = self.fight, self.fight.state, self.fight.system
        self.query_one(RibbonPane).update_from(state, system, RibbonMark())
        self.query_one(RosterPane).update_from(state, system, selected=selected)
        board = self.query_one(BoardPane)
        if state.board is None:
            board.update_from(None, partial(contact_rows, state, system))
        else:
            board.update_from(picture_of(state, system, selected=selected, **plans))
        self.query_one(FeedPane).update_from(fight)
        self.query_one(TimelinePane).update_from(fight.line, system, len(fight.line))
        self.ask(None)

    def ask(self, question):
        fight, who = self.fight, list(self.fight.state.combatants)[1]
        line = CallLine(does="next", hints=(("u", "undo", "undo"),))
        view = CallView(question=question, line=line, options=fight.options(who))
        self.query_one(CallPane).update_from(view, fight.state, fight.system, who)


@pytest.fixture
async def table(book):
    fight = ford()
    app = Table(fight, book)
    heard = []
    app.heard = heard
    hook = lambda message: heard.append(message) if isinstance(message, OURS) else None  # noqa: E731
    async with app.run_test(size=(140, 40), message_hook=hook) as pilot:
        app.pilot = pilot
        await pilot.pause()
        app.rendered.clear()
        yield app


def text_of(pane):
    return "\n".join(map(row_text, pane.rows))


async def test_a_change_renders_only_what_it_changes(table):
    """One line of the roster, the rows of a hex, the row of the clock; and one action paints once."""
    roster, board = table.query_one(RosterPane), table.query_one(BoardPane)
    table.fight.give("adjust", who="paul", what="beats", value=3)
    line = next(y for y, row in enumerate(roster.rows) if "Paul" in row_text(row)) + 1
    roster.update_from(table.fight.state, table.fight.system, selected="brand")
    await table.pilot.pause()
    assert table.rendered == [("RosterPane", line)]

    table.rendered.clear()
    at = table.fight.state.combatants["paul"].at
    table.fight.give("face", who="paul", facing=4)
    board.update_from(picture_of(table.fight.state, table.fight.system, selected="brand"))
    await table.pilot.pause()
    assert 1 <= len(table.rendered) <= MEDIUM.tall
    assert {kind for kind, _ in table.rendered} == {"BoardPane"}
    assert any(board.place_at(x, y) == at for _, y in table.rendered for x in range(80))

    table.rendered.clear()
    table.query_one(RibbonPane).tick("0:41")
    await table.pilot.pause()
    assert table.rendered == [("RibbonPane", 2)]

    table.update()
    await table.pilot.pause()
    table.rendered.clear()
    paints = []
    table.post_display_hook = lambda: paints.append(1)
    with table.batch_update():
        table.fight.give("adjust", who="paul", what="hp", value=9)
        table.update()
    await table.pilot.pause()
    assert 1 <= len(paints) <= 2
    kinds = [kind for kind, _ in table.rendered]
    assert kinds.count("BoardPane") == 0
    assert kinds.count("RosterPane") <= 2
    assert kinds.count("RibbonPane") == 0


async def test_the_selected_is_scrolled_into_view(book):
    many = [*JOINS, *(join(f"Goblin {number}", "foe", None, arms=(BOW,)) for number in range(4, 40))]
    app = Table(started(many), book)
    async with app.run_test(size=(140, 30)) as pilot:
        await pilot.pause()
        roster = app.query_one(RosterPane)
        assert " YJ " not in text_of(roster)
        app.update(selected="goblin-39")
        assert " YJ " in text_of(roster)
        app.update(selected="ysolde")
        assert "PARTY" in text_of(roster)
        before, app.rendered = text_of(roster), []
        roster.roster_of(replace(app.fight.state), app.fight.system, "goblin-39", frozenset(), "goblin-39")
        assert (text_of(roster), app.rendered) == (before, []), "what is drawn ahead is not shown"
        app.update(selected="goblin-39")
        assert " YJ " in text_of(roster)
        roster.scroll_rows(-500)
        assert text_of(roster).splitlines()[1] == before.splitlines()[1]
        app.update(selected="goblin-39")
        assert " YJ " not in text_of(roster), "who is selected already is not scrolled to again"
        roster.scroll_rows(500)
        assert " YJ " in text_of(roster)


async def test_clicks_say_what_was_hit(table):
    table.query_one(BoardPane).set_zoom(MEDIUM)

    async def click(kind, said):
        pane = table.query_one(kind)
        y = next(y for y, row in enumerate(pane.rows) if said in row_text(row))
        await table.pilot.click(kind, offset=(row_text(pane.rows[y]).index(said), y))
        await table.pilot.pause()
        return table.heard[-1]

    assert (await click(RosterPane, "Goblin 2")).combatant == "goblin-2"
    assert (await click(BoardPane, "Paul")).place == table.fight.state.combatants["paul"].at
    number = table.fight.head_number
    assert (await click(FeedPane, "Ysolde moves")).number == number
    option = table.fight.options("brand")[(await click(CallPane, "vault")).index]
    assert option.action == "vault"
    assert (await click(CallPane, "undo")).action == "undo"
    await table.pilot.click(TimelinePane, offset=(0, 1))
    await table.pilot.pause()
    assert table.heard[-1].position == 0
    table.ask(PromptView("Well?", (("y", "yes"), ("n", "not so"))))
    assert (await click(CallPane, "not so")).key == "n"


async def test_the_board_zooms_pans_stays_on_the_map_and_brings_a_hex_to_the_middle(table):
    board = table.query_one(BoardPane)
    board.set_zoom(MEDIUM)
    before = text_of(board)
    board.zoom_by(1)
    assert board.zoom == LARGE
    assert "Ysolde" in text_of(board) != before
    board.zoom_by(-9)
    board.zoom_by(1)
    assert board.zoom == SMALL
    board.set_zoom(LARGE)
    board.pan(-50, -50)
    first = board.corner
    board.pan(50, 50)
    assert board.corner >= first
    board.pan(-50, -50)
    assert board.corner == first
    far = Hex(3, 8)
    board.centre(far)
    board.reveal(far)
    width, height = board.inner
    assert any(board.place_at(x + 1, y + 1) == far for x in range(width) for y in range(height))
    await table.pilot.pause()


async def test_a_fight_without_a_board_lists_contacts(book):
    fight = ford(board=False)
    fight.give("contact", who="brand", enemy="goblin-2")
    app = Table(fight, book)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        app.update()
        assert "Brand - 2 Goblin 2" in text_of(app.query_one(BoardPane))
        await pilot.click(BoardPane, offset=(5, 5))


async def test_the_log_follows_scrolls_opens_and_finds(table):
    feed = table.query_one(FeedPane)
    assert "Ysolde moves" in text_of(feed)
    feed.to_top()
    assert "Moment 1" in text_of(feed)
    feed.to_tail()
    assert "Ysolde moves" in text_of(feed)
    table.fight.give("note", text="look here")
    feed.update_from(table.fight)
    assert "look here" in text_of(feed)
    number = feed.find("shoots")
    feed.update_from(table.fight, cursor=number)
    feed.toggle_entry(number)
    assert "DamageApplied" in text_of(feed)
    assert "shoots" in text_of(feed)
    feed.toggle_entry(number)
    assert "DamageApplied" not in text_of(feed)
    feed.scroll_pages(-1)
    feed.scroll_rows(1)
    await table.pilot.pause()


async def test_every_pane_fills_its_place_at_any_size_in_any_theme(table, mono):
    def check(kind):
        pane = table.query_one(kind)
        assert len(pane.rows) == pane.size.height
        assert all(len(row_text(row)) == pane.size.width for row in pane.rows)

    for kind in PANES:
        check(kind)
    await table.pilot.resize_terminal(80, 24)
    await table.pilot.pause()
    for kind in PANES:
        table.query_one(kind).dress(mono)
        check(kind)


async def test_nasty_names_disturb_nothing(book):
    fight = nasty()
    app = Table(fight, book)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for who in fight.state.combatants:
            app.update(selected=who)
        await pilot.pause()
        for kind in PANES:
            pane = app.query_one(kind)
            assert all(row_width(row) == pane.size.width for row in pane.rows)
            assert all(pane.render_line(y).cell_length == pane.size.width for y in range(pane.size.height))


async def test_what_was_picked_before_the_first_drawing_is_in_view_on_it(book):
    many = [*JOINS, *(join(f"Goblin {number}", "foe", None, arms=(BOW,)) for number in range(4, 40))]
    fight = started(many)
    for number in range(80):
        fight.give("note", text=f"note {number}")
    roster, feed, board = RosterPane(book), FeedPane(book), BoardPane(book)
    roster.update_from(fight.state, fight.system, selected="goblin-39")
    feed.update_from(fight, cursor=fight.line.entry(10).number)
    board.update_from(picture_of(fight.state, fight.system))
    board.set_zoom(LARGE)
    board.centre(Hex(5, 7))

    class Small(App):
        CSS = "RosterPane { height: 10; } FeedPane { height: 10; } BoardPane { height: 10; }"

        def compose(self):
            yield from (roster, feed, board)

    async with Small().run_test(size=(44, 30)) as pilot:
        await pilot.pause()
        assert " YJ " in text_of(roster)
        assert "note 9" in text_of(feed)
        assert board.corner[0] > 0
        assert board.corner[1] > 0
        assert any(board.place_at(x, y) == Hex(5, 7) for x in range(44) for y in range(10))
