"""What all rooms share: bindings from the declared actions, a foot that speaks and asks, one door to the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual import events
from textual.message import Message
from textual.screen import Screen

from fightcall.actions import Action, KeyNames, Scope, bar_of, bindings_of
from fightcall.flows.typing import TextLine
from fightcall.paint.layout import Drawing
from fightcall.screens.drawn import DrawnPane
from fightcall.screens.foot import HEIGHT, Answer, Entry, Foot, Question, Tone, foot_rows

if TYPE_CHECKING:
    from fightcall.app import FightCallApp

WIDE = 110
"""Cells across from which there is room for panes side by side."""

_BEGINNING = (events.Compose, events.Load, events.Mount, events.Unmount)


class Offer(NamedTuple):
    """Something a room adds to the command palette: what it is, in a few words more, and what it does."""

    text: str
    help: str
    do: Callable[[], object]


class Room(Screen[None]):
    """A screen whose keys are those of one scope of actions, with a foot of two rows.

    A subclass names its `SCOPE`, yields its panes and then `self.foot` from `compose`, and has a method
    ``action_<name>`` for each action.
    """

    SCOPE: ClassVar[Scope]
    AUTO_FOCUS = ""
    BLANK = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as Textual declares it)
    DEFAULT_CSS = f"""
    Room {{ background: $background; layout: vertical; overflow: hidden; }}
    RowsPane {{ width: 1fr; height: 1fr; }}
    Room > #foot {{ height: {HEIGHT}; dock: bottom; }}
    """

    def __init_subclass__(cls, **options: object) -> None:
        scope = cls.__dict__.get("SCOPE")
        if scope is not None and "BINDINGS" not in cls.__dict__:
            cls.BINDINGS = [*bindings_of(scope)]
        super().__init_subclass__(**options)  # type: ignore[arg-type]

    def __init__(self) -> None:
        super().__init__()
        # Textual learns how wide it is only after the first layout; with this the first one is right.
        narrow = self.app.size.width < WIDE
        self.set_class(narrow, "-narrow")
        self.set_class(not narrow, "-wide")
        self.foot = DrawnPane(self.host.book, self._draw_foot, id="foot")
        self._said = Foot()

    # The app

    @property
    def host(self) -> FightCallApp:
        """The app, by its own type."""
        return cast("FightCallApp", self.app)

    @property
    def names(self) -> KeyNames:
        """The keys in force."""
        return self.host.keys

    def offers(self) -> Iterable[Offer]:
        """What the room adds to the command palette beside its actions."""
        return ()

    def help_state(self) -> object | None:
        """The running fight that the help screen is to speak of, as (state, system), or None."""
        return None

    # The foot

    def say(self, message: str, tone: Tone = "info") -> None:
        """Show a message until the next key."""
        self._set_foot(replace(self._said, message=message, tone=tone))

    def ask(self, text: str, *answers: Answer) -> None:
        """Ask a question that one key answers."""
        self._set_foot(Foot(question=Question(text, answers)))

    def enter(
        self,
        prompt: str,
        done: Callable[[str], str | None],
        *,
        text: str = "",
        hint: str = "",
        changed: Callable[[str], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Have a line typed. `done` answers with what is wrong with it, and it can be typed again, or with None."""
        self._set_foot(Foot(entry=Entry(prompt, TextLine.of(text), done, changed, cancelled, hint)))

    @property
    def said(self) -> Foot:
        """What the foot shows."""
        return self._said

    @property
    def busy(self) -> bool:
        """True while a question is open or a line is being typed."""
        return self._said.question is not None or self._said.entry is not None

    def _set_foot(self, foot: Foot) -> None:
        self._said = foot
        self.paint_foot()

    def key_pairs(self) -> list[tuple[str, str]]:
        """What the key bar shows: (key, text), the most useful first."""
        return [(self.names.shown(action.id), action.text) for action in self.shown_actions()]

    def shown_actions(self) -> Iterable[Action]:
        """The actions in the key bar: those of the scope that can be done now."""
        return (action for action in bar_of(self.SCOPE) if self.offers_action(action))

    def offers_action(self, action: Action) -> bool:
        """Whether the key bar and the palette name an action now."""
        return bool(self.check_action(action.name, ()))

    def shown_foot(self) -> Foot:
        """What the foot is to show; a subclass has something to say where nothing else is said."""
        return self._said

    def paint_foot(self) -> None:
        """Draw the foot again."""
        self.foot.repaint()

    def _draw_foot(self, cells: int, height: int) -> Drawing:
        return Drawing(foot_rows(self.shown_foot(), self.key_pairs(), cells, self.foot.glyphs)[:height])

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """A key for the open question or the line being typed; otherwise what it is bound to is done.

        Textual would do it too, but only when the event has come back to the app through its queue: of keys typed in
        one breath the second would be here before the first has had its effect, and be lost.
        """
        if event.key.startswith("alt+") and event.is_printable and event.key not in self.active_bindings:
            # Escape and a letter typed in one breath come as one key with Alt.
            for key, character in (("escape", None), (event.character or "", event.character)):
                self.app.screen.post_message(events.Key(key, character))
            used = True
        elif self.app.screen is not self:
            # A key before this one has opened another room; this one was meant for that.
            self.app.screen.post_message(events.Key(event.key, event.character))
            used = True
        else:
            used = self.take_key(event.key, event.character) or await self.app._check_bindings(event.key)
        if used:
            event.stop()
            event.prevent_default()

    def take_key(self, key: str, character: str | None) -> bool:
        """Use a key, before the bindings are asked. True where it has been used."""
        if self._said.entry is not None:
            return self._type(self._said.entry, key, character)
        if self._said.question is not None:
            return self._answer(self._said.question, key, character)
        if self._said.message:
            self._set_foot(Foot())
        return False

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text goes where one types."""
        if self._said.entry is not None:
            self._typed(self._said.entry, self._said.entry.line.insert(event.text))

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size, once the panes have theirs."""
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        """Draw everything again."""
        for pane in self.query(DrawnPane):
            pane.repaint()

    def _type(self, entry: Entry, key: str, character: str | None) -> bool:
        if key == "enter":
            self._set_foot(Foot())
            complaint = entry.done(entry.line.text)
            if complaint is not None:
                self._set_foot(Foot(entry=replace(entry, error=complaint)))
            return True
        if key == "escape":
            self._set_foot(Foot())
            if entry.cancelled is not None:
                entry.cancelled()
            return True
        line = entry.line.press(key, character)
        if line is None:
            # Control and function keys keep their meaning; everything else would be a slip.
            return not (key.startswith(("ctrl+", "f")) and len(key) > 1)
        self._typed(entry, line)
        return True

    def _typed(self, entry: Entry, line: TextLine) -> None:
        self._set_foot(Foot(entry=entry.typed(line)))
        if entry.changed is not None:
            entry.changed(line.text)

    def _answer(self, question: Question, key: str, character: str | None) -> bool:
        answer = next((answer for answer in question.answers if answer.key in (key, character)), None)
        if answer is not None or key in ("escape", "q"):
            self._set_foot(Foot())
        if answer is not None:
            answer.do()
        return not key.startswith("ctrl+")

    # Everywhere

    def action_help(self) -> None:
        """What can be done here."""
        self.host.action_help()

    async def _on_message(self, message: Message) -> None:
        """The error boundary: what goes wrong in a handler is shown, and the room stays."""
        if isinstance(message, _BEGINNING):
            await super()._on_message(message)
            return
        try:
            await super()._on_message(message)
        except Exception as fault:
            self.host.report(fault)
