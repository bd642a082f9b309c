"""The bars: what can be done now, the question asked, the keys, and the timeline of a replay."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.key_bar import KeyHint, keybar_rows
from fightcall.paint.layout import Drawing
from fightcall.paint.options import option_rows
from fightcall.paint.prompt_bar import PromptView, prompt_rows, rows_wanted
from fightcall.paint.timeline import TimelineModel, timeline_rows
from fightcall.panes.messages import ChoiceClicked, KeyClicked, OptionClicked, Sought
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Timeline


class OptionsPane(RowsPane):
    """What the selected combatant can do now."""

    _fight: tuple[FightState, BaseSystem] | None = None
    _who = ""
    _options: tuple[Option, ...] = ()
    _keys: Mapping[str, str] = {}
    _highlighted: int | None = None
    _several = 1

    def update_from(
        self,
        state: FightState,
        system: BaseSystem,
        combatant_id: str,
        options: Sequence[Option],
        *,
        keys: Mapping[str, str] | None = None,
        highlighted: int | None = None,
        several: int = 1,
    ) -> None:
        """Show these options; see `option_rows`."""
        self._several = several
        self._fight, self._who, self._options = (state, system), combatant_id, tuple(options)
        self._keys, self._highlighted = keys or {}, highlighted
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """Header, options, reason and reminders."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return option_rows(
            state,
            system,
            self._who,
            self._options,
            width=width,
            height=height,
            glyphs=self.glyphs,
            keys=self._keys,
            highlighted=self._highlighted,
            several=self._several,
        )

    def handle_click(self, what: str, twice: bool) -> None:
        """An option was clicked."""
        self.post_message(OptionClicked(int(what)))


class PromptPane(RowsPane):
    """The question now asked; between questions the oldest open one, or what was said last."""

    DEFAULT_CSS = "PromptPane { height: 3; }"

    _view: PromptView | None = None
    _state: FightState | None = None
    _message = ""
    _error = False
    _more_rows = 0

    def update_from(
        self,
        view: PromptView | None,
        *,
        state: FightState | None = None,
        message: str = "",
        error: bool = False,
    ) -> None:
        """Show a question, or where it is None what `prompt_rows` shows then."""
        self._view, self._state, self._message, self._error = view, state, message, error
        self.resized()
        self.repaint()

    def resized(self) -> None:
        """Take more rows for a question or a refusal that would be cut, as far as the screen has them to spare."""
        width, usual = self.inner[0], self.styles.base.height
        if not width or usual is None:
            return
        wanted = rows_wanted(self._view, width=width, glyphs=self.glyphs, message=self._message)
        rows = min(wanted, self.app.size.height // 5)
        rows = rows if rows > usual.value else 0
        # Another height lays out the whole screen again, so it is set only where it is another.
        if rows != self._more_rows:
            self._more_rows, self.styles.min_height = rows, rows or None

    def draw(self, width: int, height: int) -> Drawing:
        """Question, answers, and error or hint."""
        return prompt_rows(
            self._view,
            width=width,
            height=height,
            glyphs=self.glyphs,
            state=self._state,
            message=self._message,
            error=self._error,
        )

    def handle_click(self, what: str, twice: bool) -> None:
        """An answer was clicked."""
        self.post_message(ChoiceClicked(what))


class KeyBar(RowsPane):
    """The keys that matter now."""

    DEFAULT_CSS = "KeyBar { height: 1; }"

    _hints: tuple[KeyHint, ...] = ()

    def update_from(self, hints: Sequence[KeyHint]) -> None:
        """Show these keys, the most useful first."""
        self._hints = tuple(hints)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """One row of keys."""
        return keybar_rows(self._hints, width=width)

    def handle_click(self, what: str, twice: bool) -> None:
        """A key was clicked."""
        self.post_message(KeyClicked(what))


class TimelinePane(RowsPane):
    """Rounds and phases of a whole fight, and the moment shown."""

    DEFAULT_CSS = "TimelinePane { height: 2; }"

    _line: Timeline | None = None
    _system: BaseSystem | None = None
    _model: TimelineModel | None = None
    _position = 0
    _marks: tuple[int, ...] = ()

    def update_from(self, line: Timeline, system: BaseSystem, position: int, marks: Collection[int] = ()) -> None:
        """Show a moment of a line of events, and the positions of bookmarks."""
        if self._model is None or self._system is not system:
            self._model, self._system = TimelineModel(system), system
        self._line, self._position, self._marks = line, position, tuple(marks)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """Names and track."""
        if self._line is None or self._model is None:
            return Drawing(())
        return timeline_rows(
            self._model.segments(self._line),
            position=self._position,
            total=len(self._line),
            marks=self._marks,
            width=width,
            height=height,
            glyphs=self.glyphs,
        )

    def handle_click(self, what: str, twice: bool) -> None:
        """A moment was clicked."""
        self.post_message(Sought(int(what)))
