"""The fight screen: what the GM keeps open at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.timer import Timer

from fightcall.actions import Action
from fightcall.flows import table_flows, toolbox
from fightcall.flows.base import Ignored, Jump, Overlay, with_rule
from fightcall.flows.history import away_notice
from fightcall.flows.newcomers import Template, health_field, newcomer, templates_of
from fightcall.flows.runner import FlowRunner, Part
from fightcall.flows.runner_view import DecisionClock
from fightcall.flows.toolbox import MapChoice
from fightcall.paint.prompt_bar import ENTER, MessageTone
from fightcall.panes.base import ChoiceClicked, Clicked, EntryClicked, KeyClicked, OptionClicked, PlaceClicked, RowsPane
from fightcall.panes.rows import CallPane, RibbonMark
from fightcall.processes import PlayersServer
from fightcall.screens.base import Actions, BaseScreen, Offer
from fightcall.screens.fight_panes import FIGHT_AROUND, TALL, FightPanes, layout_css, useless_actions
from fightcall.settings import keep_condition, own_conditions
from fightcall.shelf import Shelf
from fightcall.table import Table
from fightcall_engine.board.base import Location
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Change, Fight

POLL_SECONDS = 1.0


class FightScreen(BaseScreen):
    """A live fight, or one that is watched while another program plays it.

    Keys go to the `FlowRunner`, which says what to redraw. Changes of the fight redraw everything.
    """

    SCOPE = "fight"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012 (as Textual declares it)
    DEFAULT_CSS = (
        layout_css("FightScreen")
        + """
    FightScreen > #call { height: 7; }
    FightScreen.-short > #call { height: 5; }
    FightScreen > #body { layers: base above; }
    FightScreen #exchange { layer: above; dock: bottom; width: 100%; }
    """
    )

    def __init__(self, fight: Fight, greeting: str = "") -> None:
        super().__init__()
        self._greeting = greeting
        book = self.host.book
        self.table = Table(fight)
        self.runner = FlowRunner(self.table, self.names, self)
        self.panes = FightPanes(self, book, fight.state.board, rows_around=FIGHT_AROUND)
        self.call_bar = CallPane(book, id="call")
        self._clock = DecisionClock()
        self._ticker: Timer | None = None
        self._poller: Timer | None = None
        self._feed_cursor: int | None = None
        self._shown_unsaved = ""
        self._undrawn: set[Part] | None = None
        """The parts to draw when all commands of a key are done; None while each is drawn at once."""
        self._unsubscribe = fight.subscribe(self._heard)
        self._server = PlayersServer(fight.path) if fight.path is not None else None

    def compose(self) -> ComposeResult:
        yield from self.panes.compose(is_live=True)
        yield self.call_bar

    def on_mount(self) -> None:
        fight = self.table.fight
        self._poller = self.set_interval(POLL_SECONDS, self._poll)
        if fight.is_watching:
            self.say("Another program is playing this fight. You are watching it as the GM.", "warn")
        elif fight.is_torn:
            self.say("The last line of the fight's file was incomplete. It was moved to a file beside it.", "warn")
        self.runner.ask_blocking()
        self.runner.show_due()
        if self._greeting:
            self.say(self._greeting)
        self._show_aftermath("")

    def on_resize(self, event: events.Resize) -> None:
        self.panes.lay_out(event.size)

    def on_unmount(self) -> None:
        self._unsubscribe()
        if self._server is not None:
            self._server.stop()

    def moment(self) -> tuple[FightState, BaseSystem]:
        return self.table.state, self.table.system

    # What the fight tells

    def _heard(self, change: Change) -> None:
        self._clock.restart(change.after)
        self._show_aftermath(change.before.status)
        self._feed_cursor = None
        with self.app.batch_update():
            self.runner.follow(change)
            self.paint()
        if change.kind == "do" and change.entry is not None and change.entry.command["type"] == "AddEffect":
            name = str(change.entry.command["name"])
            try:
                if toolbox.is_own_condition(name, self.table.system):
                    keep_condition(self.host.paths.conditions, name)
            except OSError as error:
                self.say(f"{name} can't be kept for the next fight: {error}", "warn")

    def _show_aftermath(self, before: str) -> None:
        if self.table.state.status == "closed" != before:
            self.panes.show("after")

    def _poll(self) -> None:
        """Read what another program has played, or notice that the fight's own file is gone."""
        try:
            self.table.fight.poll()
        except (FightCallError, OSError) as error:
            # The file will not repair itself: report it only once.
            if self._poller is not None:
                self._poller.stop()
            self.say(f"{error}. The screen shows the state before.", "warn")
        if self._shown_unsaved != self.table.fight.unsaved:
            self.paint()

    # Drawing

    @contextmanager
    def _drawing_once(self) -> Iterator[None]:
        self._undrawn = parts = set[Part]()
        try:
            yield
        finally:
            self._undrawn = None
        if parts:
            self.redraw(parts.pop() if len(parts) == 1 else "all")

    def paint(self) -> None:
        if self._undrawn is not None:
            self._undrawn.add("all")
            return
        self._paint_fight(self.runner.overlay())
        self.panes.paint_feed(self.table.fight, self._feed_cursor)
        self._paint_call()

    def redraw(self, part: Part) -> None:
        if not self.is_mounted:
            return
        if self._undrawn is not None:
            self._undrawn.add(part)
            return
        if part == "prompt":
            self._paint_call()
            return
        with self.app.batch_update():
            if part == "all":
                self.paint()
                return
            overlay = self.runner.overlay()
            if part == "fight":
                self._paint_fight(overlay)
            else:
                self._paint_board(overlay)
                self._paint_roster(overlay)
            self._paint_call()

    def _paint_fight(self, overlay: Overlay) -> None:
        state, system = self.moment()
        fight, selected = self.table.fight, self.table.selected
        self._shown_unsaved = fight.unsaved
        notice = away_notice(fight, self.names)
        mark = RibbonMark(not self._shown_unsaved, self._clock.text(), fight.is_watching, notice)
        self.panes.ribbon.update_from(state, system, mark)
        self._paint_roster(overlay)
        self._paint_board(overlay)
        self.panes.paint_sections(state, fight, selected)
        self.panes.follow_fight(fight)

    def _paint_roster(self, overlay: Overlay) -> None:
        if self.panes.roster.keys.get("release") != (release := self.names.label("fight.release")):
            self.panes.roster.keys = {"release": release}
        self.panes.paint_roster(*self.moment(), self.table.selected, overlay.targets)

    def _paint_board(self, overlay: Overlay) -> None:
        self.panes.exchange.update_from(self.runner.panel())
        self.panes.paint_board(*self.moment(), self.table.selected, self.table.marks(), overlay)

    def _paint_call(self) -> None:
        runner, (state, system) = self.runner, self.moment()
        listed = runner.list_view(self.size.width - 2, self.panes.feed.glyphs)
        self.panes.paint_list(listed)
        actions = ((self.names.label(each.id), each.text, each.name) for each in self.shown_actions())
        view = runner.call_view(actions, is_listed=listed is not None)
        self.call_bar.update_from(view, state, system, runner.shown_id)

    def foresee(self) -> Iterator[None]:
        return self.runner.foresee(self.panes.draw_ahead)

    def call_soon(self, call: Callable[[], None]) -> None:
        if self.is_mounted:
            self.call_after_refresh(call)

    def offers_action(self, action: Action) -> bool:
        return action.name not in useless_actions(*self.moment()) and super().offers_action(action)

    def say(self, message: str, tone: MessageTone = "info") -> None:
        self.runner.say(message, tone)

    def find_line(self, text: str) -> bool:
        self._feed_cursor = self.panes.feed.find(text)
        self.panes.paint_feed(self.table.fight, self._feed_cursor)
        return self._feed_cursor is not None

    # Keys

    def take_key(self, key: str, character: str | None) -> bool:
        with self._drawing_once():
            return self.runner.press(key, character)

    def spare_key(self, key: str, character: str | None) -> None:
        if character and character.isprintable() and not character.isspace():
            self.runner.say(self.runner.key_words.explain_key(character), "warn")
        else:
            super().spare_key(key, character)

    def on_paste(self, event: events.Paste) -> None:
        if self.runner.paste(event.text):
            event.stop()

    # Actions: the course of play

    def _draw_once(self, act: Callable[[], object]) -> None:
        with self._drawing_once():
            act()

    def action_accept(self) -> None:
        entry_number = self.panes.lanes.marked if self.panes.shown == "lanes" else None
        if entry_number is None:
            self.runner.accept()
        else:
            self.runner.take(Jump(entry_number))

    def actions(self) -> Actions:
        scrolled = self.panes.scroll_target
        return {
            **super().actions(),
            **self.panes.actions(*self.moment()),
            **{name: partial(self._draw_once, act) for name, act in self.runner.actions().items()},
            "forecast": partial(self.panes.toggle, "forecast"),
            "select_below": partial(self._select_line, 1),
            "select_above": partial(self._select_line, -1),
            "share": self._share,
            "zoom_in": lambda: self.panes.board.zoom_by(1, self._selected_place()),
            "zoom_out": lambda: self.panes.board.zoom_by(-1, self._selected_place()),
            "pan_left": partial(self.panes.board.pan, -1, 0),
            "pan_right": partial(self.panes.board.pan, 1, 0),
            "pan_up": partial(self.panes.board.pan, 0, -1),
            "pan_down": partial(self.panes.board.pan, 0, 1),
            "feed_up": partial(self._scroll, scrolled, partial(scrolled.scroll_pages, -1)),
            "feed_down": partial(self._scroll, scrolled, partial(scrolled.scroll_pages, 1)),
            "feed_top": partial(self._scroll, self.panes.feed, self.panes.feed.to_top),
            "moment_before": partial(self._mark_moment, -1),
            "moment_after": partial(self._mark_moment, 1),
        }

    def action_decision_clock(self) -> None:
        self._clock.toggle(self.table.state)
        if self._ticker is None:
            self._ticker = self.set_interval(1.0, self._tick)
        self.panes.ribbon.tick(self._clock.text())

    def _tick(self) -> None:
        if self._clock.running:
            if self._clock.second():
                self.app.bell()
                self.say(f"Time is up. {self.names.label('fight.rule')} opens the ruling on slowness.", "warn")
            self.panes.ribbon.tick(self._clock.text())

    # Actions: who

    def _select_line(self, by: int) -> None:
        lines = self.panes.declared.people if self.panes.shown == "declared" else self.table.roster_order()
        at = lines.index(self.table.selected) + by if self.table.selected in lines else 0
        if 0 <= at < len(lines):
            self.runner.select(lines[at])

    def action_add_combatant(self) -> None:
        fight, state = self.table.fight, self.table.state
        # Without those of the library, the templates from the fight itself are still available.
        templates = self.attempt(lambda: Shelf(self.host.paths).library.templates(state.system), "warn") or []
        all_templates = templates_of((*fight.start.combatants, *state.combatants.values()), templates)
        system, side = self.table.system, self.table.likely_side()
        health = health_field(system, state.settings)
        self.runner.begin(newcomer(system.sides, state, side, all_templates, self._shipped_templates, health))

    def _shipped_templates(self) -> Sequence[Template]:
        """Templates from the shipped encounters, which take a moment to read, so they are loaded only if needed."""
        try:
            return templates_of(encounters=Shelf(self.host.paths).shipped(self.table.state.system))
        except (FightCallError, OSError):
            return ()

    # Actions: doing

    def _share(self) -> None:
        if self._server is None:
            self.say("This fight has no file, so there is no players' screen.", "warn")
        else:
            self.host.open_screen("sharing", server=self._server)

    def action_why(self) -> None:
        from fightcall.screens.help import trail_lines

        refused_rule = self.runner.first_line.outcome.rule if self.runner.first_line.is_refused else ""
        name, trails = table_flows.trails(self.table)
        lines = trail_lines(self.table.system, name, trails, refused_rule, self.runner.first_line.message)
        self.host.open_screen("help", scope=self.SCOPE, fight=self.moment(), first=lines)

    @property
    def unsaved(self) -> str:
        return self.table.fight.unsaved

    def action_leave(self) -> None:
        if self.unsaved:
            self.runner.begin(toolbox.save_elsewhere(self.unsaved, self.table.fight.path))
        else:
            self.leave_fight()

    def leave_fight(self) -> None:
        self.table.fight.close()
        self.host.leave_screen()

    def list_maps(self) -> Sequence[MapChoice]:
        return self.attempt(lambda: Shelf(self.host.paths).maps(self.table.state.system), "warn") or ()

    def kept_conditions(self) -> Sequence[str]:
        return own_conditions(self.host.paths.conditions)

    # Actions: the screen

    def _selected_place(self) -> Location | None:
        combatant = self.table.state.combatants.get(self.table.selected)
        return combatant.at if combatant else None

    def action_feed_end(self) -> None:
        self._feed_cursor = None
        self.panes.paint_feed(self.table.fight, None)
        self._scroll(self.panes.feed, self.panes.feed.to_tail)

    def _scroll(self, pane: RowsPane, move: Callable[[], None]) -> None:
        before = pane.rows
        move()
        if not pane.display:
            self.say(f"The log is hidden; {self.names.label('fight.show-feed')} shows it")
        elif pane.rows == before:
            self.say("There is nothing more to see that way")

    def _mark_moment(self, by: int) -> None:
        if self.panes.shown != "lanes":
            self.say(f"{self.names.label('fight.timeline')} opens the timeline, where you can mark moments.")
        else:
            self.panes.lanes.move(by)

    def action_aftermath(self) -> None:
        """End the fight; after its end, switch between the summary and the board."""
        if self.table.state.status == "running":
            self.runner.begin(toolbox.end_fight())
        else:
            self.panes.toggle_aftermath(self.table.state)

    # The mouse

    def on_clicked(self, message: Clicked) -> None:
        flow = self.runner.flow
        if flow is not None and self.runner.take(flow.pick(message.combatant)):
            return
        self.table.selected = message.combatant
        self.runner.begin(flow)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        flow, combatant_id = self.runner.flow, self.table.state.standing_at(message.place)
        if flow is None:
            if combatant_id is not None:
                self.runner.select(combatant_id)
        elif combatant_id is not None and not isinstance(flow.pick(combatant_id), Ignored):
            self.redraw("flow")
        else:
            self.runner.take(flow.point(message.place))

    def on_entry_clicked(self, message: EntryClicked) -> None:
        self.panes.feed.toggle_entry(message.number)

    def on_option_clicked(self, message: OptionClicked) -> None:
        options = self.table.options()
        if message.index < len(options):
            self.runner.start_option(options[message.index])

    def on_choice_clicked(self, message: ChoiceClicked) -> None:
        if self.runner.flow is not None:
            self.runner.take(self.runner.flow.press(message.key))
        elif message.key == ENTER:
            self.runner.accept()
        else:
            self.runner.press(message.key, message.key)

    async def on_key_clicked(self, message: KeyClicked) -> None:
        await self.perform(message.action)

    def offers(self) -> Iterable[Offer]:
        for option in self.table.options():
            note = option.cost if option.legal else with_rule(option.why, self.table.system.rule_words(option.rule))
            yield Offer(option.label, note, partial(self.runner.start_option, option))
