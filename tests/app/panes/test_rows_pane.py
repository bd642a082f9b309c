"""A pane repaints the rows that changed, and no others."""

from textual.app import App

from fightcall.paint.runs import Drawing, Run, Spot, blank
from fightcall.panes.base import RowsPane

SIZE = (20, 6)


class Counted(RowsPane):
    """Counts how often it asks to be refreshed, and in which rows."""

    DEFAULT_CSS = "Counted { height: 100%; }"

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.refreshed = []

    @property
    def changed(self):
        """The rows to be drawn again."""
        return sorted(y for regions in self.refreshed for region in regions for y in region.line_range)

    def refresh(self, *regions, **more):
        self.refreshed.append(regions or [self.size.region])
        return super().refresh(*regions, **more)

    def handle_click(self, what, twice):
        self.found = what


class Tiny(App):
    def __init__(self, *panes):
        super().__init__()
        self.panes = panes

    def compose(self):
        yield from self.panes


def rows_of(*texts):
    rows = [(Run(text.ljust(SIZE[0]), "text"),) for text in texts]
    return (*rows, *[blank(SIZE[0], "text")] * (SIZE[1] - len(rows)))


async def test_one_changed_row_is_drawn_again(book):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one", "two", "three"))
        await pilot.pause()
        pane.refreshed.clear()
        pane.show(rows_of("one", "TWO", "three"))
        assert pane.changed == [1]
        assert "".join(segment.text for segment in pane.render_line(1)) == "TWO".ljust(SIZE[0])


async def test_blanks_are_written_without_the_colour_of_text(book):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(((Run("one", "text"), Run(" " * (SIZE[0] - 3), "text")),))
        await pilot.pause()
        word, space = (segment.style for segment in pane.render_line(0))
        assert word.color is not None
        assert (space.color, space.bgcolor) == (None, word.bgcolor)


async def test_the_same_rows_again_repaint_nothing(book):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one"))
        await pilot.pause()
        pane.refreshed.clear()
        pane.show(rows_of("one"))
        await pilot.pause()
        assert pane.refreshed == []


async def test_a_frame_changes_its_edges_only(book):
    pane = Counted(book, title="Roster", frame=True)
    inside = tuple(blank(SIZE[0] - 2, "text") for _ in range(SIZE[1] - 2))
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(inside)
        await pilot.pause()
        pane.refreshed.clear()
        pane.set_frame(note="tab next")
        await pilot.pause()
        assert pane.changed == [SIZE[1] - 1]
        assert "tab next" in "".join(run.text for run in pane.rows[-1])


async def test_a_new_theme_repaints_everything_once(book, mono):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one"))
        await pilot.pause()
        pane.refreshed.clear()
        pane.dress(mono)
        await pilot.pause()
        assert pane.changed == list(range(SIZE[1]))
        assert {segment.style for segment in pane.render_line(0)} == {mono["text"]}


async def test_a_click_finds_its_spot(book):
    pane = Counted(book, frame=True, title="T")
    inside = tuple(blank(SIZE[0] - 2, "text") for _ in range(SIZE[1] - 2))
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(Drawing(inside, (Spot(range(2, 3), range(4), "ash"),)))
        await pilot.pause()
        await pilot.click(Counted, offset=(2, 3))
        assert pane.found == "ash"
        pane.found = None
        await pilot.click(Counted, offset=(2, 2))
        assert pane.found is None


def test_styles_are_made_once(book):
    assert book["feed.text"] is book["feed.text"]
    assert book["ink.token/party.1+bold"].bold
