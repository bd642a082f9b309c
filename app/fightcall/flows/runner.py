"""What the GM is in the middle of at a live fight: it routes keys to the flow, and what comes of the flow to the table.

Pure: it draws nothing, and says to the screen what has to be drawn again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol

from fightcall.flows import keys, squads, table_flows
from fightcall.flows.answer_flow import AnswerFlow
from fightcall.flows.ask_flow import AskFlow
from fightcall.flows.base import Become, Call, Cancelled, Flow, Ignored, Overlay, Select, Turn
from fightcall.flows.command_line import CommandLineFlow
from fightcall.paint.prompt_bar import PromptView, view_of
from fightcall.table import NOT_SAVED, Give, Outcome, Table

if TYPE_CHECKING:
    from fightcall.flows.foot import Tone
    from fightcall_engine.kit.views import Option
    from fightcall_engine.play.fight import Change

Part = Literal["all", "fight", "flow", "prompt"]
"""What has to be drawn again: everything; all but the log; what a flow shows of itself; the prompt bar."""


class KeysInForce(Protocol):
    """What a runner needs to know of the keys in force, such as `fightcall.actions.KeyNames`."""

    keymap: dict[str, str]

    def of(self, id: str) -> tuple[str, ...]:
        """The keys of an action, by Textual's names."""

    def label(self, id: str) -> str:
        """The first key of an action as people write it; empty where it has none."""

    def option(self, action: str, key: str) -> str:
        """The key of a system's option; `key` is the one that the system gives it."""


class FlowScreen(Protocol):
    """What a runner needs of the screen it works for."""

    def redraw(self, part: Part) -> None:
        """Draw a part again."""

    def find_line(self, text: str) -> bool:
        """Show the next line of the log with this text in it; False where there is none."""

    def leave_fight(self) -> None:
        """Close the fight, and go back to the screen before."""


class FlowRunner:
    """The running flow, what was just said, and what is remembered from one key to the next.

    Args:
        table: the fight with who is selected in it.
        names: the keys in force.
        screen: the screen that shows it.

    Attributes:
        flow: what is being asked; None between commands.
        last_outcome: what came of the last command.
        message: what was said last, empty where the next key took it away.
        tone: how the message is meant.
    """

    def __init__(self, table: Table, names: KeysInForce, screen: FlowScreen) -> None:
        self.table = table
        self.flow: Flow | None = None
        self.last_outcome = Outcome(True)
        self.message = ""
        self.tone: Tone = "info"
        self._names = names
        self._screen = screen
        self._asked_to_close = ""
        self._typed_commands: tuple[str, ...] = ()
        self._set_aside = ""

    # What there is to show

    @property
    def commanded(self) -> str | None:
        """Whose command the next one will be: the one asked about, or the selected one; None where nobody's."""
        if self.flow is None:
            return self.table.selected or None
        return self.flow.whom if isinstance(self.flow, AskFlow) else None

    @property
    def is_refused(self) -> bool:
        """Whether what was said last is why something was refused."""
        return self.tone == "error" and bool(self.message)

    def overlay(self) -> Overlay:
        """What the flow shows on the board, and who else is meant."""
        overlay = self.flow.overlay() if self.flow else Overlay()
        if self.table.together and self.commanded:
            return squads.mark_all(overlay, self.table.state, self.commanded)
        return overlay

    def words(self) -> str:
        """What the prompt bar says while nothing is being asked."""
        return self._refusal(self.last_outcome) if self.is_refused else self.message

    def prompt(self) -> PromptView | None:
        """The question of the flow, or the oldest offer that is open; None where nothing is asked."""
        if self.flow is None:
            # What was just said comes before an offer that may be left open.
            return None if self.message else self._offer()
        view = self.flow.view()
        if self.commanded:
            key = self._names.label("fight.together")
            view = squads.ask_for_all(view, self.table.state, self.commanded, key, together=self.table.together)
        return replace(view, error=self.words()) if self.message and not view.error else view

    def _offer(self) -> PromptView | None:
        """The oldest question that is open and not being answered: its letters are free for the fight meanwhile."""
        first = self.table.state.asked_first
        if first is None:
            return None
        view = view_of(first, len(self.table.state.prompts) - 1)
        answer, leave = self._names.label("fight.react"), self._names.label("fight.next")
        hint = f"{answer} answers, {leave} leaves it at: {view.default}"
        return replace(view, choices=(), default="", hint=hint)

    def _refusal(self, outcome: Outcome) -> str:
        """Why something was refused, what would be accepted, and the key that overrules it."""
        rule = f"{outcome.rule}: " if outcome.rule else ""
        instead = f"   accepted: {', '.join(outcome.accepts[:6])}" if outcome.accepts else ""
        ruling = f"   {self._names.label('fight.rule')} overrules it" if outcome.overridable else ""
        unsaved = outcome.rule == NOT_SAVED
        elsewhere = f"   {self._names.label('fight.leave')} can save the fight elsewhere" if unsaved else ""
        return f"{rule}{outcome.message}{instead}{ruling}{elsewhere}"

    def say(self, message: str, tone: Tone = "info") -> None:
        """Show a message until the next key."""
        self.message, self.tone = message, tone
        self._screen.redraw("prompt")

    # Keys, and what flows answer to them

    def press(self, key: str, character: str | None) -> bool:
        """Take a key, for the flow or for an option of the selected combatant. False where it is for neither."""
        pressed = character if character and character.isprintable() and not character.isspace() else key
        before = self._asked_to_close
        self._asked_to_close = before if key == "space" else ""
        if self.flow is not None and (self._press_together(key) or self._press_flow(self.flow, pressed)):
            return True
        if self.tone != "error":
            # What comes next draws the bar again; drawing it here would be a frame of its own.
            self.message = ""
        return self._press_option(pressed)

    def paste(self, text: str) -> bool:
        """Take pasted text into the flow. False where there is none."""
        return self.flow is not None and self.take(keys.paste(self.flow, text))

    def _press_together(self, key: str) -> bool:
        """The key for all who are alike, while something is being asked about somebody."""
        if self.commanded is None or key not in self._names.of("fight.together"):
            return False
        self.toggle_together()
        return True

    def _press_flow(self, flow: Flow, pressed: str) -> bool:
        return self.take(keys.press(flow, pressed, self._names.keymap))

    def _press_option(self, pressed: str) -> bool:
        found = [option for option in self.table.options() if self._names.option(option.action, option.key) == pressed]
        option = next((option for option in found if option.legal), found[0] if found else None)
        return option is not None and self.start_option(option, explain=True)

    def start_option(self, option: Option, *, explain: bool = False) -> bool:
        """Begin what an option offers; True where that was of use.

        Args:
            option: one of the selected combatant's.
            explain: say what is in the way of one that the rules forbid, and the key that overrules it.
        """
        used = self.take(table_flows.option(self.table, option))
        if explain and not option.legal and self.flow is not None:
            self.say(f"{option.rule}: {option.why}; go on and {self._names.label('fight.rule')} overrules it", "warn")
        return used

    def take(self, turn: Turn) -> bool:
        """Do what a flow's answer says; True where the key was used."""
        if isinstance(turn, Ignored):
            return False
        if isinstance(turn, Cancelled):
            if isinstance(self.flow, AnswerFlow):
                self._set_aside = self.flow.prompt.id
            self.table.together = False
            self.begin(None)
        elif isinstance(turn, Give):
            if isinstance(self.flow, CommandLineFlow):
                self._typed_commands = (*self._typed_commands, self.flow.text)
            self.give(turn)
        elif isinstance(turn, Select):
            self.select(turn.who)
        elif isinstance(turn, Become):
            self.begin(turn.flow)
        elif isinstance(turn, Call):
            self.begin(None)
            self._call(turn)
        else:
            self.message = ""
            self._screen.redraw("flow")
        return True

    def begin(self, flow: Flow | None) -> None:
        """Begin a flow in place of the running one; None ends it."""
        self.flow = flow
        self.message = ""
        self._screen.redraw("fight")

    def begin_command_line(self) -> None:
        """Have a command typed."""
        self.begin(CommandLineFlow(self.table.state, self.table.fight.codec, self._typed_commands))

    def select(self, combatant_id: str) -> None:
        """Select a combatant; what was being asked is left."""
        self.table.selected = combatant_id
        self.begin(None)

    # Commands

    def give(self, given: Give) -> None:
        """Give a command, and show what came of it."""
        given = squads.for_all(given, self.table.state) if self.table.together else given
        self.table.together = False
        asked, self.flow = self.flow, None
        self.message = ""
        self._set_aside = ""
        outcome = self.table.give(given)
        if not outcome.done and not outcome.owed and isinstance(asked, CommandLineFlow):
            # A line that was refused can be mended.
            self.last_outcome = outcome
            self.begin(asked)
            asked.complain(self._refusal(outcome))
            self._screen.redraw("flow")
            return
        self._show(outcome)

    def _show(self, outcome: Outcome) -> None:
        """Show what came of a command."""
        self.last_outcome = outcome
        if outcome.done:
            if outcome.message:
                self.say(outcome.message, "warn")
            return
        if outcome.owed:
            self.begin(table_flows.throws(self.table, outcome))
            return
        self.begin(None)
        # A question that had to be answered first is put again.
        self.ask_blocking()
        self.say(outcome.message, "error")

    def advance(self) -> None:
        """The next step; asks first while somebody can still act, and answers as proposed what is asked."""
        state = self.table.state
        waiting, blocked = self.table.waiting_ids(), state.blocked()
        key = f"{state.round}.{state.step.id if state.step else ''}"
        if waiting and not blocked and self._asked_to_close != key:
            self._asked_to_close = key
            names = ", ".join(state.combatants[combatant_id].name for combatant_id in waiting[:5])
            more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""
            self.say(f"{names}{more} can still act; press again to continue without them", "warn")
            return
        self._asked_to_close = ""
        if not blocked:
            self.give(Give("Advance", {}))
            return
        self.flow, self.message, self._set_aside = None, "", ""
        outcome = self.table.take_defaults()
        if outcome is None:
            self.give(Give("Advance", {}))
        else:
            self._show(outcome)

    def undo(self) -> None:
        """Take back the newest entry."""
        self.flow = None
        self._show(self.table.undo())

    def redo(self) -> None:
        """Do again what was taken back."""
        self.flow = None
        self._show(self.table.redo())

    def overrule(self) -> None:
        """Give the last refused command again, by the GM's word; or rule on something."""
        if self.table.refused is not None and self.is_refused:
            self.flow, self.message = None, ""
            self._show(self.table.overrule())
            return
        self.begin(table_flows.rulings(self.table))

    def toggle_together(self) -> None:
        """Do the next thing with all who are alike, or with only the one again."""
        combatant_id, state = self.commanded, self.table.state
        others = squads.others_like(state, combatant_id)
        choosing = isinstance(self.flow, AskFlow) and self.flow.asks_whom and squads.anybody_alike(state)
        if not others and not (choosing or self.table.together):
            name = state.combatants[combatant_id].name if combatant_id else "anybody"
            self.say(f"No squad member is identical to {name} now.", "warn")
            return
        self.table.together = not self.table.together
        self.begin(self.flow)

    # What is no command

    def _call(self, call: Call) -> None:
        if call.what == "jump":
            self._show(self.table.jump(int(call.value)))
        elif call.what == "mark":
            self._show(self.table.mark(call.value))
            self.say(f"Bookmark: {call.value}")
        elif call.what == "find":
            self._find(call.value)
        elif call.what == "save":
            self._save_elsewhere(call.value)
        else:
            self.say(call.value)

    def _save_elsewhere(self, name: str) -> None:
        """Save the whole fight in another file and go on with that; nothing said leaves without."""
        if not name:
            self._screen.leave_fight()
            return
        outcome = self.table.save_as(name)
        self.last_outcome = outcome
        self._screen.redraw("all")
        self.say(outcome.message, "info" if outcome.done else "error")

    def _find(self, text: str) -> None:
        wanted = text.lower()
        for combatant_id in self.table.roster_order():
            combatant = self.table.state.combatants[combatant_id]
            names = (combatant.name, *(effect.name for effect in combatant.effects))
            if any(wanted in name.lower() for name in names):
                self.select(combatant_id)
                return
        if not self._screen.find_line(text):
            self.say(f"No combatant, effect or log line matches {text!r}", "warn")

    # What the fight tells

    def follow(self, change: Change) -> None:
        """Take note of what was done in the fight: who is selected, and what is asked now."""
        undone = change.entry.command.get("who") if change.kind == "undo" and change.entry else None
        if isinstance(undone, str) and undone in self.table.waiting_ids():
            # Whose command was taken back is the one to act again.
            self.table.selected = undone
        self.table.select_for_step()
        if isinstance(self.flow, AnswerFlow) and self.table.state.prompt(self.flow.prompt.id) is None:
            self.flow = None
        self.ask_blocking()

    def ask_blocking(self) -> None:
        """Put the question that the fight waits on; an offer waits until it is asked for."""
        blocking = next((prompt for prompt in self.table.state.prompts if prompt.blocking), None)
        if self.flow is not None or blocking is None or self.table.fight.watching:
            return
        if blocking.id != self._set_aside:
            self.flow = table_flows.answer(self.table, blocking.id)
