"""A pane repaints the cells that changed, and no others."""

from textual.app import App

from fightcall.paint.layout import Drawing, Spot, blank
from fightcall.paint.runs import Run
from fightcall.panes.rows_pane import RowsPane

SIZE = (20, 6)


class Counted(RowsPane):
    """Counts what it is asked to render, and what it asks to be refreshed."""

    DEFAULT_CSS = "Counted { height: 100%; }"

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.rendered = []
        self.refreshed = []

    def make_strip(self, y):
        self.rendered.append(y)
        return super().make_strip(y)

    def refresh(self, *regions, **more):
        self.refreshed.append(regions)
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


def forget(pane):
    pane.rendered.clear()
    pane.refreshed.clear()


async def test_one_changed_row_is_one_rendered_line(book):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one", "two", "three"))
        await pilot.pause()
        forget(pane)
        pane.show(rows_of("one", "TWO", "three"))
        await pilot.pause()
        assert pane.rendered == [1]
        assert "".join(segment.text for segment in pane.render_line(1)) == "TWO".ljust(SIZE[0])


async def test_only_changed_cells_are_refreshed(book):
    pane = Counted(book)
    before = (Run("Ysolde    ", "text"), Run("9/14", "pool"), Run(" " * 6, "text"))
    after = (Run("Ysolde    ", "text"), Run("8/14", "pool"), Run(" " * 6, "text"))
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show((before, *rows_of()[1:]))
        await pilot.pause()
        forget(pane)
        pane.show((after, *rows_of()[1:]))
        await pilot.pause()
        ((region,),) = [regions for regions in pane.refreshed if regions]
        assert (region.x, region.y, region.width, region.height) == (10, 0, 1, 1)


async def test_the_same_rows_again_repaint_nothing(book):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one"))
        await pilot.pause()
        forget(pane)
        pane.show(rows_of("one"))
        await pilot.pause()
        assert (pane.rendered, pane.refreshed) == ([], [])


async def test_a_frame_changes_its_edges_only(book):
    pane = Counted(book, title="Roster", frame=True)
    inside = tuple(blank(SIZE[0] - 2, "text") for _ in range(SIZE[1] - 2))
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(inside)
        await pilot.pause()
        forget(pane)
        pane.set_frame(note="tab next")
        await pilot.pause()
        assert pane.rendered == [SIZE[1] - 1]
        assert "tab next" in "".join(run.text for run in pane.rows[-1])
        forget(pane)
        pane.light(True)
        pane.light(True)
        await pilot.pause()
        assert sorted(set(pane.rendered)) == list(range(SIZE[1]))
        assert len([regions for regions in pane.refreshed if regions]) == 1


async def test_a_new_theme_repaints_everything_once(book, mono):
    pane = Counted(book)
    async with Tiny(pane).run_test(size=SIZE) as pilot:
        pane.show(rows_of("one"))
        await pilot.pause()
        forget(pane)
        pane.dress(mono)
        await pilot.pause()
        assert sorted(set(pane.rendered)) == list(range(SIZE[1]))
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
