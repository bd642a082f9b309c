"""The fight room: what the GM keeps open at the table. It routes keys to flows, and flows to commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual import events
from textual.timer import Timer

from fightcall.flows import commandline, keys, quick, starting, together
from fightcall.flows.answering import AnswerFlow
from fightcall.flows.asking import AskFlow
from fightcall.flows.base import Become, Call, Cancelled, Flow, Give, Ignored, Select, Turn
from fightcall.panes.messages import ChoiceClicked, Clicked, EntryClicked, KeyClicked, OptionClicked, PlaceClicked
from fightcall.screens.fightview import FightView
from fightcall.screens.panes_room import AFTER
from fightcall.screens.room import Offer
from fightcall.table import Outcome
from fightcall_engine.model.errors import FightCallError

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Change, Fight

POLL_SECONDS = 1.0


class FightScreen(FightView):
    """One live fight, or one that is watched while another program plays it.

    Args:
        fight: the fight, opened.
    """

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight)
        self._asked_to_close = ""
        self._typed_commands: tuple[str, ...] = ()
        self._ticker: Timer | None = None
        self._poller: Timer | None = None
        self._set_aside = ""
        self._unsubscribe = fight.subscribe(self._heard)

    def on_mount(self) -> None:
        """Show the fight, and begin to follow it where another program plays it."""
        fight = self.table.fight
        self._poller = self.set_interval(POLL_SECONDS, self._poll)
        if fight.watching:
            self.say("Another program plays this fight; you are watching.", "warn")
        elif fight.torn:
            self.say("The last line of the fight's file ended too early; it is put aside beside it.", "warn")
        self._follow_prompts()
        self.call_after_refresh(self._look_at_everybody)
        self._look_after("")

    def _look_after(self, before: str) -> None:
        """What is left to do takes the place of the board as soon as the fight is over."""
        if self.table.state.status == "closed" != before and self.table.system.aftermath(self.table.state):
            self._show_pane(AFTER)

    def _look_at_everybody(self) -> None:
        """Draw the board as large as lets everybody be seen."""
        places = [combatant.at for combatant in self.table.state.combatants.values() if combatant.at is not None]
        if places:
            self.board.fit(places)

    def on_unmount(self) -> None:
        """Let go of the fight."""
        self._unsubscribe()

    # What the fight tells

    def _heard(self, change: Change) -> None:
        self._clock.restart(change.after)
        self._look_after(change.before.status)
        self._feed_cursor = None
        self._select_after(change)
        if isinstance(self.flow, AnswerFlow) and self.table.state.prompt(self.flow.prompt.id) is None:
            self.flow = None
        with self.app.batch_update():
            self._follow_prompts()
            self.paint()

    def _select_after(self, change: Change) -> None:
        """Whose command was taken back is the one to act again; else whoever the step waits for."""
        combatant_id = change.entry.command.get("who") if change.kind == "undo" and change.entry else None
        if isinstance(combatant_id, str) and combatant_id in self.table.acting():
            self.table.selected = combatant_id
        self.table.select_for_step()

    def _follow_prompts(self) -> None:
        """A question that the fight waits on is put at once; an offer waits until it is asked for."""
        blocking = next((prompt for prompt in self.table.state.prompts if prompt.blocking), None)
        if self.flow is not None or blocking is None or self.table.fight.watching:
            return
        if blocking.id != self._set_aside:
            self.flow = starting.answer(self.table, blocking.id)

    def _poll(self) -> None:
        """Take in what another program plays; or notice that the file of one's own fight is no longer there."""
        try:
            self.table.fight.poll()
        except (FightCallError, OSError) as error:
            # The file will not mend while it is looked at: once is enough.
            if self._poller is not None:
                self._poller.stop()
            self.say(f"{error}. What is shown is how it was before.", "warn")
        if self._shown_unsaved != self.table.fight.unsaved:
            self.paint()

    # Keys

    def take_key(self, key: str, character: str | None) -> bool:
        """A key for the flow, or for an option of the selected combatant; the rest goes to the actions."""
        pressed = character if character and character.isprintable() and not character.isspace() else key
        before = self._asked_to_close
        self._asked_to_close = before if key == "space" else ""
        if self.flow is not None and (self._together_took(key) or self._flow_took(pressed)):
            return True
        if self._tone != "error":
            # What comes next draws the bar again; drawing it here would be a frame of its own.
            self._message = ""
        return self._option_took(pressed)

    def _together_took(self, key: str) -> bool:
        """The key for all who are alike, while something is being asked about somebody."""
        if self.whom is None or key not in self.names.of("fight.together"):
            return False
        self.action_together()
        return True

    def _flow_took(self, pressed: str) -> bool:
        assert self.flow is not None
        return self._turned(keys.press(self.flow, pressed, self.names.keymap))

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text goes where words are read."""
        if self.flow is not None:
            event.stop()
            self._turned(keys.paste(self.flow, event.text))

    def _turned(self, turn: Turn) -> bool:
        """Do what a flow's answer says; True where the key was used."""
        if isinstance(turn, Ignored):
            return False
        if isinstance(turn, Cancelled):
            if isinstance(self.flow, AnswerFlow):
                self._set_aside = self.flow.prompt.id
            self.table.together = False
            self._begin(None)
        elif isinstance(turn, Give):
            if isinstance(self.flow, commandline.CommandLineFlow):
                self._typed_commands = (*self._typed_commands, self.flow.text)
            self._give(turn)
        elif isinstance(turn, Select):
            self.table.selected = turn.who
            self._begin(None)
        elif isinstance(turn, Become):
            self._begin(turn.flow)
        elif isinstance(turn, Call):
            self._begin(None)
            self._call(turn)
        else:
            self._message = ""
            self._refresh_flow()
        return True

    def _refresh_flow(self) -> None:
        overlay = self.overlay()
        with self.app.batch_update():
            self._paint_board(overlay)
            self._paint_roster(overlay)
            self._paint_prompt()

    def _begin(self, flow: Flow | None) -> None:
        self.flow = flow
        self._message = ""
        with self.app.batch_update():
            self._paint_fight(self.overlay())
            self._paint_prompt()

    def _option_took(self, pressed: str) -> bool:
        found = [option for option in self.table.options() if self.names.option(option.action, option.key) == pressed]
        option = next((option for option in found if option.legal), found[0] if found else None)
        if option is None:
            return False
        turn = starting.option(self.table, option)
        used = self._turned(turn)
        if not option.legal and self.flow is not None:
            self.say(f"{option.rule}: {option.why}; go on and {self.names.shown('fight.rule')} overrules it", "warn")
        return used

    # Commands

    def _give(self, given: Give) -> None:
        given = together.for_all(given, self.table.state) if self.table.together else given
        self.table.together = False
        asked, self.flow = self.flow, None
        self._message = ""
        self._set_aside = ""
        outcome = self.table.give(given)
        if not outcome.done and not outcome.owed and isinstance(asked, commandline.CommandLineFlow):
            # A line that was refused can be mended.
            self.last_outcome = outcome
            self._begin(asked)
            asked.complain(self._refusal(outcome))
            self._refresh_flow()
            return
        self._came(outcome)

    def _came(self, outcome: Outcome) -> None:
        """Show what came of a command."""
        self.last_outcome = outcome
        if outcome.done:
            if outcome.message:
                self.say(outcome.message, "warn")
            return
        if outcome.owed:
            self._begin(starting.throws(self.table, outcome))
            return
        self._begin(None)
        # A question that had to be answered first is put again.
        self._follow_prompts()
        self.say(outcome.message, "error")

    def _call(self, call: Call) -> None:
        if call.what == "jump":
            self._came(self.table.jump(int(call.value)))
        elif call.what == "mark":
            self._came(self.table.mark(call.value))
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
            self._leave()
            return
        outcome = self.table.save_as(name)
        self.last_outcome = outcome
        self.paint()
        self.say(outcome.message, "info" if outcome.done else "error")

    def _find(self, text: str) -> None:
        low = text.lower()
        for combatant_id in self.table.ordered():
            combatant = self.table.state.combatants[combatant_id]
            if low in combatant.name.lower() or any(low in effect.name.lower() for effect in combatant.effects):
                self.table.selected = combatant_id
                self._begin(None)
                return
        self._feed_cursor = self.feed.find(text)
        if self._feed_cursor is None:
            self.say(f"Nobody and nothing is called {text!r}", "warn")
        self._paint_feed()

    # Actions

    def action_next(self) -> None:
        """The next step; asks first while somebody can still act."""
        waiting = self.table.acting()
        step = self.table.state.step
        key = f"{self.table.state.round}.{step.id if step else ''}"
        blocked = self.table.state.blocked()
        if waiting and not blocked and self._asked_to_close != key:
            self._asked_to_close = key
            names = ", ".join(self.table.state.combatants[combatant_id].name for combatant_id in waiting[:5])
            more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""
            self.say(f"{names}{more} can still act; once more to go on without", "warn")
            return
        self._asked_to_close = ""
        if blocked:
            self._take_defaults()
            return
        self._give(Give("Advance", {}))

    def _take_defaults(self) -> None:
        """What is asked is answered as proposed, for a whole crowd by one key."""
        self.flow, self._message, self._set_aside = None, "", ""
        with self.app.batch_update():
            outcome = self.table.take_defaults()
            if outcome is None:
                self._give(Give("Advance", {}))
            else:
                self._came(outcome)

    def action_undo(self) -> None:
        """Take back the newest entry."""
        self.flow = None
        self._came(self.table.undo())

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.flow = None
        self._came(self.table.redo())

    def action_history(self) -> None:
        """Go back to any entry."""
        self._begin(starting.history(self.table))

    def action_bookmark(self) -> None:
        """Name this moment."""
        self._begin(quick.bookmark())

    def action_note(self) -> None:
        """Write something down."""
        self._begin(quick.note())

    def action_decision_clock(self) -> None:
        """Start or stop the decision clock."""
        self._clock.toggle(self.table.state)
        if self._ticker is None:
            self._ticker = self.set_interval(1.0, self._tick)
        self.ribbon.tick(self._clock.text())

    def _tick(self) -> None:
        if self._clock.running:
            if self._clock.second():
                self.app.bell()
                self.say(f"Time is up. {self.names.shown('fight.rule')} rules on slowness.", "warn")
            self.ribbon.tick(self._clock.text())

    def action_select_next(self) -> None:
        """Select the next combatant."""
        self.table.cycle(1)
        self._begin(None)

    def action_select_previous(self) -> None:
        """Select the combatant before."""
        self.table.cycle(-1)
        self._begin(None)

    def action_select_below(self) -> None:
        """Select the combatant on the line below."""
        self._select_line(1)

    def action_select_above(self) -> None:
        """Select the combatant on the line above."""
        self._select_line(-1)

    def _select_line(self, by: int) -> None:
        lines = self.declared.people if self.shows_declared else self.table.ordered()
        at = lines.index(self.table.selected) + by if self.table.selected in lines else 0
        if 0 <= at < len(lines):
            self.table.selected = lines[at]
            self._begin(None)

    def action_select_label(self) -> None:
        """Select by label."""
        self._begin(quick.select(self.table.state, self.table.selected))

    def action_find(self) -> None:
        """Find a combatant, an effect or a log line."""
        self._begin(quick.find())

    def action_add_combatant(self) -> None:
        """Somebody joins."""
        self._begin(quick.newcomer(self.table.system.sides, self.table.state, self.table.likely_side()))

    def action_damage(self) -> None:
        """Harm somebody."""
        self._begin(quick.damage(self.table.state, self.table.likely_target()))

    def action_heal(self) -> None:
        """Undo harm."""
        self._begin(quick.heal(self.table.state, self.table.selected))

    def action_condition(self) -> None:
        """Begin or end an effect."""
        table = self.table
        acting = table.plainly_acting()
        self._begin(quick.condition(table.state, table.likely_target(), table.system, table.selected, acting=acting))

    def action_together(self) -> None:
        """Do the next thing with all who are alike, or with only the one again."""
        target_id, state = self.whom, self.table.state
        others = together.others_like(state, target_id)
        choosing = isinstance(self.flow, AskFlow) and self.flow.asks_whom and together.anybody_alike(state)
        if not others and not (choosing or self.table.together):
            name = state.combatants[target_id].name if target_id else "anybody"
            self.say(f"Nobody is like {name} now.", "warn")
            return
        self.table.together = not self.table.together
        self._begin(self.flow)

    def action_release(self) -> None:
        """Release who holds or waits."""
        turn = starting.release(self.table)
        if turn is None:
            self.say("Nobody holds anything back.")
            return
        self._turned(turn)

    def action_react(self) -> None:
        """Answer the oldest open question or offer."""
        first = self.table.state.asked_first
        if first is None:
            self.say("Nothing is on offer.")
            return
        self._begin(starting.answer(self.table, first.id))

    def action_any_action(self) -> None:
        """Any action, from a list."""
        self._begin(starting.any_action(self.table))

    def action_rule(self) -> None:
        """Overrule the last refusal, or rule on something."""
        if self.table.refused is not None and self._tone == "error" and self._message:
            self.flow, self._message = None, ""
            self._came(self.table.overrule())
            return
        self._begin(starting.rulings(self.table))

    def action_adjust(self) -> None:
        """Change any number or word."""
        self._begin(quick.adjust(self.table.state, self.table.selected))

    def action_repeat(self) -> None:
        """Do the last thing again, on the next target."""
        again = starting.repeated(self.table)
        if again is None:
            self.say("There is nothing to repeat.")
            return
        self._give(again)

    def action_command_line(self) -> None:
        """Type a command."""
        self._begin(commandline.CommandLineFlow(self.table.state, self.table.fight.codec, self._typed_commands))

    def action_why(self) -> None:
        """Where numbers come from, why something was refused, what the rules say now, and the keys."""
        from fightcall.screens.help import HelpRoom
        from fightcall.screens.help_rows import trail_lines

        refused = self.last_outcome.rule if self._message and self._tone == "error" else ""
        name, trails = starting.trails(self.table)
        lines = trail_lines(self.table.system, name, trails, refused, self._message)
        self.app.push_screen(HelpRoom(self.SCOPE, self.help_state(), lines))

    def action_leave(self) -> None:
        """Leave; the fight is saved. Where it is not, say so, and offer to save it elsewhere."""
        if self.table.fight.unsaved:
            self._begin(quick.save_elsewhere(self.table.fight.unsaved))
        else:
            self._leave()

    def _leave(self) -> None:
        self.table.fight.close()
        self.host.leave_room()

    # The mouse

    def on_clicked(self, message: Clicked) -> None:
        """A combatant in the roster."""
        if self.flow is not None and self._turned(self.flow.pick(message.combatant)):
            return
        self.table.selected = message.combatant
        self._begin(self.flow)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        """A place on the board: for the flow, or to select who stands there."""
        if self.flow is not None:
            combatant_id = self.table.state.standing_at(message.place)
            if combatant_id is not None and not isinstance(self.flow.pick(combatant_id), Ignored):
                self._refresh_flow()
                return
            self._turned(self.flow.point(message.place))
            return
        combatant_id = self.table.state.standing_at(message.place)
        if combatant_id is not None:
            self.table.selected = combatant_id
            self._begin(None)

    def on_entry_clicked(self, message: EntryClicked) -> None:
        """A line of the log: open it."""
        self.feed.open_entry(message.number)

    def on_option_clicked(self, message: OptionClicked) -> None:
        """One of the options."""
        options = self.table.options()
        if message.index < len(options):
            self._turned(starting.option(self.table, options[message.index]))

    def on_choice_clicked(self, message: ChoiceClicked) -> None:
        """An answer in the prompt bar."""
        if self.flow is not None:
            self._turned(self.flow.press(message.key))

    def on_key_clicked(self, message: KeyClicked) -> None:
        """A key in the key bar."""
        do: Callable[[], None] | None = getattr(self, f"action_{message.action}", None)
        if do is not None:
            do()

    # The palette and the help

    def offers(self) -> Iterable[Offer]:
        """The selected combatant's options, for the command palette."""
        for option in self.table.options():
            note = option.cost if option.legal else f"{option.rule}: {option.why}"
            yield Offer(option.label, note, lambda option=option: self._turned(starting.option(self.table, option)))  # type: ignore[misc]
