"""The floor of the screen benchmarks: the least that a Textual app can show, and change at a key."""

from textual.app import App
from textual.widgets import Static


class EmptyApp(App[None]):
    """Says hello, and counts keys."""

    keys = 0

    def compose(self):
        """One line."""
        yield Static("Hello, world")

    def on_key(self):
        """Another number in the same place."""
        self.keys += 1
        self.query_one(Static).update(f"Hello, {self.keys}", layout=False)


if __name__ == "__main__":
    EmptyApp().run()
