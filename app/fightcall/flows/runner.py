"""`FlowRunner` routes keys to the running flow, and the flow's replies to the table.

It draws nothing itself: it tells the screen what to redraw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Literal, Protocol, TypeVar

from fightcall.flows import base, runner_view, table_flows, toolbox
from fightcall.flows.base import (
    IGNORED,
    MEANINGS,
    PERSON,
    Become,
    Bookmark,
    Cancelled,
    Detour,
    Find,
    Flow,
    Ignored,
    Jump,
    KeyNames,
    Reply,
    Request,
    SaveElsewhere,
    Say,
    Select,
    Stay,
    Travel,
    Yield,
    is_digit,
    with_rule,
)
from fightcall.flows.command_line import CommandLineFlow
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.history import drop_trial, history, keep_trial, return_to_present
from fightcall.flows.option_inputs import AnswerFlow, answer_rest, ask_for_throws, open_panel
from fightcall.flows.questions import AskFlow
from fightcall.flows.runner_view import RunnerView
from fightcall.flows.table_flows import DueActs
from fightcall.flows.toolbox import MapChoice
from fightcall.paint.call_bar import Happened
from fightcall.paint.happening import happened_in, happened_last, harm_done, has_no_place, taken_back
from fightcall.paint.prompt_bar import DIGITS, MessageTone, number_words
from fightcall.table import MOST_STEPS, NOT_SAVED, Give, Outcome, Table, is_stop
from fightcall_engine.archive.journal import JournalBroken
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.views import Option
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import CUE, FightState, Prompt
from fightcall_engine.model.values import replace
from fightcall_engine.play.calls import Call
from fightcall_engine.play.fight import Change
from fightcall_engine.play.foes import FoeTurns, Halt

T = TypeVar("T")
Part = Literal["all", "fight", "flow", "prompt"]
"""What to redraw: everything; everything but the log; what the flow shows; the call bar."""


class FlowScreen(Protocol):
    """What a runner needs of its screen."""

    def redraw(self, part: Part) -> None:
        """Redraw a part of the screen."""

    def find_line(self, text: str) -> bool:
        """Show the next line of the log that contains a text; False if there is none."""

    def call_soon(self, call: Callable[[], None]) -> None:
        """Call a function once what has happened is drawn, and the keys pressed meanwhile are done."""

    def leave_fight(self) -> None:
        """Close the fight, and go back to the previous screen."""

    def list_maps(self) -> Sequence[MapChoice]:
        """The encounters to which the fight can move on."""

    def kept_conditions(self) -> Sequence[str]:
        """The names of conditions that the GM made up in earlier fights."""


class FlowRunner(RunnerView):
    """Gives keys to the running flow, and remembers what is needed from one key to the next."""

    def __init__(self, table: Table, names: KeyNames, screen: FlowScreen) -> None:
        super().__init__(table, names)
        self._screen = screen
        self._loss_option: Option | None = None
        """The option of which the same was said."""
        self._way_back: tuple[FightState, Callable[[], object]] | None = None
        """The state after branches were changed, and what undo does in it."""
        self._typed_commands: tuple[str, ...] = ()
        self._skipped_prompt_id = ""
        """The blocking question that the GM has left, not to be asked again by itself."""
        self._due_acts = DueActs(table)
        self._foe_turns: FoeTurns | None = None
        """The turns of the foes, while they act with the screen drawn after each deed."""
        self._deed_count = self._foes_from = self._told_from = 0
        """How many deeds they have done, and the entries where the first and the last of them began to act."""
        self._last_foe_id = ""
        self._resume_detour: Callable[[], Reply | None] | None = None
        """Opens again what made way for a `Detour`."""
        self._entry_numbers: list[int] = []
        """The entries that the last key made."""

    def say(self, message: str, tone: MessageTone = "info") -> None:
        self.first_line.say(message, tone)
        self._screen.redraw("prompt")

    # Keys, and what flows answer to them

    def press(self, key: str, character: str | None) -> bool:
        """Handle a key for the flow, or for an option of the selected combatant. False if it is for neither."""
        if self._foe_turns is not None:
            # Whatever it is, it was pressed to stop them.
            self._end_foes(Halt("stopped"))
            return True
        pressed_key = character if character and character.isprintable() and not character.isspace() else key
        if letter := self._letter_of_dead_quote(key, pressed_key):
            if self.flow is None:
                self.begin(toolbox.select(self.table.state, self.table.selected))
            else:
                self.press("apostrophe", PERSON)
            return self.press(letter, letter)
        goes_on = (*self.names.of("fight.next"), *self.names.of("fight.go-on"), "enter")
        if self._loss_state is not None and key not in goes_on:
            # Any other key cancels the "once more" of the bar.
            self._loss_state = None
            self._screen.redraw("prompt")
        if self._loss_option is not None and pressed_key != self.key_words.key_of(self._loss_option):
            self._loss_option = None
        if self.flow is None:
            # Anything else that is begun now cancels a detour's return.
            self._resume_detour = None
        if isinstance(self.flow, ExchangeFlow) and self.takes_undo and key in self.names.of("fight.undo"):
            if self.flow.take_back():
                self._screen.redraw("flow")
            else:
                self.undo()
            return True
        if self.table.is_asking and self._press_ahead(pressed_key):
            return True
        if self.can_finish and key in self.names.of("fight.go-on"):
            self._finish()
            return True
        is_commanding = self.flow is not None and self.commanded_id is not None and not self.reads_text
        if is_commanding and key in self.names.of("fight.together"):
            self.toggle_together()
            return True
        if self.flow is not None and (self._press_next_foe(key) or self._press_flow(self.flow, pressed_key)):
            return True
        if (self.first_line.message or self.table.together) and key in self.names.of("flow.cancel"):
            self.first_line.message, self.first_line.tone = "", "info"
            self.table.refused = None
            is_together, self.table.together = self.table.together, False
            self._screen.redraw("fight" if is_together else "prompt")
            return True
        if self.first_line.tone != "error":
            # What follows redraws the bar; redrawing it here would cost a frame of its own.
            self.first_line.message = ""
        first, then = self._press_option, self._press_offer
        # y, n, h and m answer an open question even if an option has the same letter.
        first, then = (then, first) if pressed_key in MEANINGS else (first, then)
        is_used = first(pressed_key) or then(pressed_key) or self._press_die(pressed_key)
        if not is_used and key not in goes_on:
            # A key that does nothing leaves the panel of a due act open.
            self.show_due()
        return is_used

    def _finish(self) -> None:
        """Do the act of the flow, and first what it needs, as proposed; then end its turn, unless more is asked.

        A declaration is confirmed: those after it are not passed over.
        """
        before, had_detour = self.table.state.step, self._resume_detour is not None
        with self._one_key():
            if self.flow is not None:
                self._press_flow(self.flow, "enter")
            if not had_detour and self._resume_detour is not None and self.can_finish and self.flow is not None:
                self._press_flow(self.flow, "enter")
            is_done = self.flow is None and self.first_line.outcome.done and not self.table.is_asking
            if not is_done or self.table.state.step != before:
                return
            if before is None or before.kind not in self.table.system.deferring:
                self._go_on([])
            elif not self._warn_of_loss(call := self.table.call()):
                self._do_call(call)

    def _letter_of_dead_quote(self, key: str, pressed_key: str) -> str:
        """The label's letter of a key that stands for ``'`` and it; empty where `'` means nothing or text is typed."""
        if key in self.names.of_fight:
            return ""
        if isinstance(self.flow, ExchangeFlow):
            has_quote = not self.flow.reads_text and not self.flow.is_aside
        else:
            has_quote = self.flow is None and "apostrophe" in self.names.of("fight.select-label")
        return base.letter_of_dead_quote(pressed_key) if has_quote else ""

    def paste(self, text: str) -> bool:
        """Paste text into the flow. False if there is no flow, or it has no use for it."""
        return self.flow is not None and self.take(base.paste(self.flow, text))

    def _press_flow(self, flow: Flow, key: str) -> bool:
        if key == "enter" and isinstance(flow, AnswerFlow) and flow.is_as_proposed and not flow.waits_for_die:
            if self._warn_of_proposal(flow.prompt):
                return True
            is_of_act = self.exchange is not None and flow.prompt.kind != CUE
            if is_of_act and flow.prompt.blocking and flow.prompt.default:
                self._drop_flow()
                self._skipped_prompt_id = ""
                with self._one_key():
                    self._show(answer_rest(self.table))
                return True
        return self._take_reply(flow, base.press(flow, key, self.names.keymap))

    def _take_reply(self, flow: Flow, reply: Reply) -> bool:
        """Carry out a flow's reply. An attack that a cue proposes opens its panel first."""
        is_of_cue = isinstance(flow, AnswerFlow) and flow.prompt.kind == CUE
        return self.take(open_panel(self.table, reply) if is_of_cue else reply)

    def _warn_of_loss(self, call: Call) -> bool:
        """Warn if going on would lose something. True at the first press, False at the second."""
        if not call.loses or self.is_armed:
            return False
        self._loss_state = self.table.state
        self._screen.redraw("prompt")
        return True

    def _warn_of_proposal(self, prompt: Prompt) -> bool:
        call = self.table.call()
        return call.prompt == prompt.id and self._warn_of_loss(call)

    def _press_option(self, key: str) -> bool:
        options = [option for option in self.table.options() if self.key_words.key_of(option) == key]
        option = next((option for option in options if option.legal), options[0] if options else None)
        return self._press_ahead(key) if option is None else self.start_option(option, explain=True)

    def _press_die(self, key: str) -> bool:
        """A digit is the selected combatant's roll, if a roll is all that is due, such as Initiative."""
        if self.flow is not None or not is_digit(key) or self.table.selected not in self.table.waiting_ids():
            return False
        options = (option for option in self.table.options() if option.legal and len(option.inputs) == 1)
        option = next((option for option in options if option.inputs[0].dice), None)
        if option is None or not self.start_option(option) or self.flow is None:
            return False
        return self.take(self.flow.press(key))

    def _press_ahead(self, key: str) -> bool:
        """The key of an option of the next step: go on to that step, and begin the option."""
        asked = self.table.state.asked_first if self.table.is_asking else None
        is_free = self.flow is None or (isinstance(self.flow, AnswerFlow) and not self.flow.is_typing)
        if asked is not None:
            is_free = is_free and len(key) == 1 and all(choice.key != key for choice in asked.choices)
        ahead = (each for each in self.table.options_ahead() if each.legal or asked is not None) if is_free else ()
        if not any(self.key_words.key_of(each) == key for each in ahead):
            return False
        with self._one_key():
            self._do_call(self.table.call())
            return self.first_line.outcome.done and self._press_option(key)

    def _press_offer(self, key: str) -> bool:
        """A letter that answers an open offer, if it begins nothing else, or a digit of the number it asks for."""
        first = self.table.state.asked_first
        if self.flow is not None or first is None:
            return False
        if number_words(first) and (is_digit(key) or key == DIGITS):
            self.begin(table_flows.answer(self.table, first.id))
            return key == DIGITS or (self.flow is not None and self.take(self.flow.press(key)))
        if not any(choice.key == key for choice in self.key_words.direct_choices(first)):
            return False
        flow = table_flows.answer(self.table, first.id)
        return flow is not None and self.take(open_panel(self.table, flow.press(key)))

    def accept(self) -> None:
        """Enter: take an open offer's default. With nothing open, do nothing, and say what can be done."""
        first = self.table.state.asked_first
        if self.suggestion() is not None and self._open_suggestion():
            return
        if first is None:
            self.say(self.key_words.explain_enter(), "info" if self.first_line.outcome.done else "warn")
            return
        if self._warn_of_proposal(first):
            return
        flow = table_flows.answer(self.table, first.id)
        reply = flow.press("enter") if flow is not None else IGNORED
        if flow is None or isinstance(reply, Stay):
            self.begin(flow)
        else:
            self._take_reply(flow, reply)

    def start_option(self, option: Option, *, explain: bool = False) -> bool:
        """Begin an option; of a forbidden one, `explain` why, and which key overrules it. True if the key was used."""
        if option.loses and self._loss_option != option:
            self._loss_option = option
            self.say(f"{option.label}: this loses {option.loses}; press again to confirm", "warn")
            return True
        self._loss_option = None
        is_used = self.take(self.begin_option(option))
        # The exchange panel itself shows the obstacles to the act.
        if explain and not option.legal and not isinstance(self.flow, ExchangeFlow):
            reason = with_rule(option.why.rstrip("."), self.table.system.rule_words(option.rule))
            if self.flow is not None:
                self.say(f"{reason}   {self.names.label('fight.rule')} overrides it", "warn")
                if isinstance(self.flow, AskFlow):
                    self.flow.warn()
            elif not self.first_line.outcome.done and self.table.refused is None:
                # It needs a place, and there is no board.
                self.say(reason, "warn")
        return is_used

    def take(self, reply: Reply) -> bool:
        """Carry out a flow's reply. True if the key was used."""
        match reply:
            case Ignored():
                return False
            case Yield():
                self.begin(None)
                return False
            case Cancelled():
                self._cancel()
                if reply.said:
                    self.say(reply.said)
            case Give():
                if isinstance(self.flow, CommandLineFlow):
                    self._typed_commands = (*self._typed_commands, self.flow.text)
                self.give(reply)
            case Select():
                self.select(reply.who, to_act=reply.to_act)
            case Become():
                self.begin(reply.flow)
            case Detour():
                self._resume_detour = reply.again
                self.take(reply.first)
            case Travel():
                self._travel(reply)
            case Stay():
                self.first_line.message = ""
                if isinstance(self.flow, AskFlow):
                    self.flow.name_keys(self.key_words.name_key, self.table.system.rule_words)
                self._screen.redraw("flow")
            case _:
                self._meet_request(reply)
        return True

    def _cancel(self) -> None:
        """Cancel the flow. A question of the fight stays open until the GM comes back to it."""
        if isinstance(self.flow, AnswerFlow):
            self._skipped_prompt_id = self.flow.prompt.id
        if isinstance(self.flow, ExchangeFlow):
            self._due_acts.leave()
        self.table.together = False
        self.begin(None)
        self._return_from_detour()
        self.show_due()

    def begin(self, flow: Flow | None) -> None:
        """Replace the running flow; None ends it."""
        self.flow = flow
        self.first_line.message = ""
        self._screen.redraw("fight")

    def _drop_flow(self) -> None:
        """Drop the flow and the message without redrawing: what follows redraws everything."""
        self.flow = None
        self.first_line.message = ""

    def select(self, combatant_id: str, *, to_act: bool = False) -> None:
        """Select a combatant, for one act or for as long as the GM wants, and end the flow."""
        self.table.selected = combatant_id
        self.table.guest = combatant_id if to_act else ""
        self._loss_option = None
        self.begin(None)

    # Commands

    def give(self, request: Give) -> None:
        if self.table.together and runner_view.others_like(self.table.state, str(request.data.get("who", ""))):
            request = replace(request, alike=True)
        self.table.together = False
        asking_flow = self.flow
        self._drop_flow()
        self._skipped_prompt_id = ""
        outcome = self.table.give(request)
        # The last answer, or the typed line, can be changed.
        can_mend = isinstance(asking_flow, AskFlow | CommandLineFlow)
        if asking_flow is not None and not outcome.done and not outcome.owed and can_mend:
            self.first_line.outcome = outcome
            self.table.together = request.alike
            self.begin(asking_flow)
            asking_flow.complain(self.first_line.refusal_words(outcome))
            self._screen.redraw("flow")
            return
        self._show(outcome, asking_flow)

    def _show(self, outcome: Outcome, origin: Flow | None = None) -> None:
        self.first_line.outcome = outcome
        if outcome.done:
            if outcome.message:
                self.say(outcome.message, "warn")
            self._return_from_detour()
            return
        if outcome.owed:
            panel = self.panel_of(origin)
            self.begin(ask_for_throws(self.table, outcome, panel, origin if panel is not None else None))
            return
        self.begin(None)
        # Ask again the question that had to be answered first.
        self.ask_blocking()
        self.show_due()
        self.say(outcome.message, "error")

    def _return_from_detour(self) -> None:
        again, is_asked = self._resume_detour, any(prompt.blocking for prompt in self.table.state.prompts)
        if again is None or self.flow is not None or is_asked:
            return
        self._resume_detour = None
        reply = again()
        if isinstance(reply, Become):
            self.take(reply)

    def advance(self) -> None:
        """Do what the call line says: answer or advance, never both. A loss takes two presses."""
        if isinstance(self.flow, AnswerFlow) and not (
            self.flow.is_as_proposed and self.table.call().prompt == self.flow.prompt.id
        ):
            self.take(self.flow.press("enter"))
            return
        call = self.table.call()
        if call.command is None:
            self._ask_what_is_open(call)
        elif not self._warn_of_loss(call) and not self._open_proposal(call):
            with self._one_key():
                self._do_call(call)

    def _open_proposal(self, call: Call) -> bool:
        prompt = self.table.state.prompt(call.prompt)
        if prompt is None or prompt.kind != CUE or not prompt.default:
            return False
        reply = open_panel(self.table, Give("Answer", {"prompt": prompt.id, "choice": prompt.default}))
        return isinstance(reply, Become) and self.take(reply)

    def _do_call(self, call: Call) -> None:
        if call.command is None:
            return
        self._drop_flow()
        self._skipped_prompt_id, self._loss_state = "", None
        outcome = self.table.give_command(call.command)
        for _ in range(call.repeats - 1):
            if outcome.done and not self.table.state.questions:
                outcome = self.table.give_command(call.command)
        for prompt_id in call.also:
            prompt = self.table.state.prompt(prompt_id)
            if outcome.done and prompt is not None and not self.table.owed_die(prompt):
                outcome = self.table.give(Give("Answer", {"prompt": prompt_id}))
        self._show(outcome)

    def _ask_what_is_open(self, call: Call) -> None:
        if self.flow is None and call.prompt:
            self.begin(table_flows.answer(self.table, call.prompt))
        self.say(call.words.capitalize(), "warn")

    def go_on(self) -> None:
        """Go on to the next step in which somebody can really act. A question, a loss or a new round stops it, too."""
        able, state = self.able_here(), self.table.state
        if able:
            # A second press goes on.
            self._named_state, words = state, list_names([state.combatants[each].name for each in able], len(able))
            self.say(f"{words} can act here; {self.names.label('fight.go-on')} once more passes over them", "warn")
            return
        passed: list[str] = []
        with self._one_key():
            is_cut_short = self._go_on(passed)
        happened, people = self.first_line.happened, self.table.state.combatants
        names = [people[each].name for each in dict.fromkeys(passed) if each in people]
        unnamed = [name for name in names if name not in happened.text]
        left_out = f"passed over: {list_names(unnamed, len(unnamed))}" if unnamed else ""
        limit_note = f"{MOST_STEPS} steps; {self.names.label('fight.go-on')} continues" if is_cut_short else ""
        if left_out or limit_note:
            text = "; ".join(filter(None, (happened.text, left_out, limit_note)))
            self.first_line.tell(partial(replace, happened, text=text, harm=happened.harm or left_out or limit_note))
            self._screen.redraw("prompt")

    def _go_on(self, passed: list[str]) -> bool:
        """True if only the number of steps has ended it."""
        table, start = self.table, self.table.state.round
        for number in range(MOST_STEPS):
            # The bar has put the first call into words; nobody reads those of the others.
            call = table.fight.call_past_idle_steps(in_words=False) if number else table.call()
            if table.is_asking:
                self.say("Answer this first", "warn")
                return False
            if call.command is None:
                self._ask_what_is_open(call)
                return False
            if self._warn_of_loss(call):
                return False
            before = table.state.step
            able = () if before is None or before.kind in table.system.deferring else table.able_ids()
            self._do_call(call)
            if table.state.step != before:
                passed += able
            if not self.first_line.outcome.done or self.flow is not None or table.is_asking:
                return False
            if call.loses or table.state.round != start or table.state.status == "closed":
                return False
            if is_stop(table.system, before, table.state, table.at_odds):
                return False
        return True

    def undo(self) -> None:
        self._drop_flow()
        self.table.together = False
        if self._way_back is not None and self._way_back[0] is self.table.state:
            self._travel(Travel(self._way_back[1], "Undone: you are back where you were"))
            return
        count = self.table.undo_count()
        undone = self.table.fight.line.last_events(count) if count > 1 else None
        outcome = self.table.undo()
        if outcome.done and undone is not None:
            self.first_line.tell(partial(taken_back, *undone, self.names.label("fight.redo")))
            self._screen.redraw("prompt")
        self._show(outcome)

    def redo(self) -> None:
        self._drop_flow()
        with self._one_key(is_redo=True):
            self._show(self.table.redo())

    @contextmanager
    def _one_key(self, *, is_redo: bool = False) -> Iterator[None]:
        """Treat all entries made within as the work of one key, for the first line and for undo."""
        self._entry_numbers.clear()
        try:
            with self.table.fight.saved_together():
                yield
        except JournalBroken as error:
            self._show(Outcome(False, str(error), NOT_SAVED))
            return
        if len(self._entry_numbers) > 1:
            self.table.bind(self._entry_numbers[0], self._entry_numbers[-1])
            self._tell_last(len(self._entry_numbers), is_redone=is_redo)
            self._screen.redraw("prompt")

    def _tell_last(self, count: int, *, is_redone: bool = False) -> None:
        undo = self.names.label("fight.undo")
        self.first_line.tell(partial(happened_last, self.table.fight, undo, count, is_redone=is_redone))

    # The foes

    def _open_suggestion(self) -> bool:
        reply = self.ideas.open() if self.ideas.opens_panel() else None
        if reply is None:
            return False
        self._suggested_flow = reply.flow if isinstance(reply, Become) else None
        return self.take(reply)

    def _press_next_foe(self, key: str) -> bool:
        """Do what was suggested, as the GM has left it, and open what is suggested for the next foe."""
        flow = self.flow
        if flow is None or not self.is_suggested or key not in self.names.of("fight.let-foes-act"):
            return False
        self._press_flow(flow, "enter")
        if self.flow is None and self.first_line.outcome.done and self.suggestion() is not None:
            self._open_suggestion()
        return True

    def let_foes_act(self) -> None:
        """Let the GM's combatants act, each by an entry of its own, up to where a player or the GM is needed."""
        self._drop_flow()
        self.table.together = False
        self._foe_turns, self._deed_count, self._last_foe_id = FoeTurns(self.table.fight), 0, ""
        self._told_from = self._foes_from = self.table.fight.line.entry_count()
        self._act_foe()

    def _act_foe(self) -> None:
        if self._foe_turns is None:
            return
        deed = self._foe_turns.next()
        if isinstance(deed, Halt):
            self._end_foes(deed)
            return
        if deed.who and deed.who != self._last_foe_id:
            self._told_from, self._last_foe_id = self.table.fight.line.entry_count(), deed.who
        self._deed_count += 1
        self._drop_flow()
        self._skipped_prompt_id, self._loss_state = "", None
        if deed.who in self.table.state.combatants:
            self.table.selected = deed.who
        outcome = self.table.give_command(deed.command)
        self._show(outcome)
        if outcome.done:
            self._screen.call_soon(self._act_foe)
        else:
            self._foe_turns = None

    def _end_foes(self, halt: Halt) -> None:
        """Say why the foes stop, and whom they harmed; else the last deed is told where the screen shows why."""
        self._foe_turns, fight = None, self.table.fight
        harm = harm_done(fight, fight.line.entry_count() - self._foes_from) if self._deed_count else ""
        self.ask_blocking()
        self.show_due()
        if not self._deed_count:
            self.say("No foe acts now" if halt.is_shown else f"No foe acts now: {halt.why}", "warn")
        elif not halt.is_shown:
            self.say(f"The foes stop: {halt.why}{'; ' if harm else ''}{harm}", "warn")
        elif harm:
            self.first_line.tell(lambda: Happened(harm, hint=f"{self.names.label('fight.undo')} undo"))
        else:
            self._tell_last(fight.line.entry_count() - self._told_from)
        self._screen.redraw("fight")

    def overrule(self) -> None:
        """Repeat the last refused command with force, or open the list of rulings."""
        if self.table.refused is not None and self.first_line.is_refused:
            self._drop_flow()
            self._show(self.table.overrule())
            return
        self.begin(table_flows.rulings(self.table, self._screen.list_maps))

    def toggle_together(self) -> None:
        """Switch whether the next command is given to all identical members of the squad."""
        combatant_id, state = self.commanded_id, self.table.state
        others = runner_view.others_like(state, combatant_id)
        apart = runner_view.left_out(state, self.table.system, combatant_id) if combatant_id else ""
        is_choosing = isinstance(self.flow, AskFlow) and self.flow.asks_whom
        is_choosing = is_choosing and any(
            runner_view.others_like(state, each.id) for each in state.roster if each.squad
        )
        if not others and not (is_choosing or self.table.together):
            name = state.combatants[combatant_id].name if combatant_id else "anybody"
            reasons = f": {apart}" if apart else ""
            self.say(f"No squad member is identical to {name} now{reasons}", "warn")
            return
        self.table.together = not self.table.together
        self.begin(self.flow)
        if self.table.together and apart:
            self.say(f"Together, but not {apart}")

    # Other requests

    def fork(self) -> None:
        """Begin a what-if here; right after the start of one, give it new dice."""
        fight = self.table.fight
        keep, drop, key = (self.names.label(f"fight.{name}") for name in ("keep-trial", "drop-trial", "fork"))
        message = f"What if: players don't see it. {keep} keeps it, {drop} drops it, {key} rolls new dice"
        again = Travel(fight.renew_dice, "What if, with new dice from here on")
        self._travel(again if fight.is_fresh_trial else Travel(fight.fork, message))

    def _travel(self, reply: Travel) -> None:
        self.begin(None)
        outcome = self.table.travel(reply.go)
        self._show(outcome)
        self._way_back = (self.table.state, reply.back) if outcome.done and reply.back is not None else None
        if outcome.done and reply.following is not None:
            self.begin(reply.following())
        if outcome.done and reply.said:
            self.say(reply.said)

    def _meet_request(self, request: Request) -> None:
        self.begin(None)
        match request:
            case Say():
                self.show_due()
                self.say(request.text)
            case Jump():
                self._show(self.table.travel(partial(self.table.fight.jump, request.number)))
            case Bookmark():
                self._show(self.table.travel(partial(self.table.fight.mark, request.name, request.on)))
                self.say(f"Bookmark: {request.name}")
            case Find():
                self._find(request.text)
            case SaveElsewhere(""):
                self._screen.leave_fight()
            case SaveElsewhere():
                outcome = self.first_line.outcome = self.table.save_as(request.name)
                self._screen.redraw("all")
                self.say(outcome.message, "info" if outcome.done else "error")

    def _find(self, text: str) -> None:
        folded_text, order = text.lower(), self.table.roster_order()
        # The same text again finds the next one.
        start = order.index(self.table.selected) + 1 if self.table.selected in order else 0
        for combatant_id in (*order[start:], *order[:start]):
            combatant = self.table.state.combatants[combatant_id]
            alias = players_name(self.table.state, combatant)
            names = (combatant.name, alias, *(effect.name for effect in combatant.effects))
            if any(folded_text in name.lower() for name in names):
                self.select(combatant_id)
                return
        if not self._screen.find_line(text):
            self.say(f"No combatant, effect or log line matches {text!r}", "warn")

    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What the actions of the fight screen do that need no pane, by name."""
        table, begin, take = self.table, self.begin, self.take
        return {
            "next": self.advance,
            "go_on": self.go_on,
            "undo": self.undo,
            "redo": self.redo,
            "history": lambda: begin(history(table)),
            "present": lambda: take(return_to_present(table.fight)),
            "let_foes_act": self.let_foes_act,
            "fork": self.fork,
            "keep_trial": lambda: take(keep_trial(table)),
            "drop_trial": lambda: take(drop_trial(table)),
            "bookmark": lambda: begin(toolbox.bookmark()),
            "note": lambda: begin(toolbox.note()),
            "cues": lambda: begin(table_flows.cue_list(table)),
            "select_next": partial(self._cycle, 1),
            "select_previous": partial(self._cycle, -1),
            "select_label": lambda: begin(toolbox.select(table.state, table.selected)),
            "find": lambda: begin(toolbox.find()),
            "damage": lambda: begin(toolbox.damage(table.state, table.likely_among(table.selected, ()))),
            "heal": lambda: self._use(toolbox.heal(table.state, table.selected), begin, "No one is hurt", "warn"),
            "react": lambda: self._use(
                table.state.asked_first,
                lambda first: begin(table_flows.answer(table, first.id)),
                "No question or offer is open.",
            ),
            "repeat": lambda: self._use(table_flows.repeat_last(table), self.give, "There is no command to repeat."),
            "release": lambda: take(table_flows.release(table) or Say("No combatant is holding or waiting.")),
            "condition": self._begin_condition,
            "face": self._begin_face,
            "together": self.toggle_together,
            "any_action": lambda: begin(table_flows.any_action(table, self.names.option)),
            "rule": self.overrule,
            "adjust": lambda: begin(toolbox.adjust(table.state, table.selected)),
            "command_line": lambda: begin(CommandLineFlow(table.state, table.fight.codec, self._typed_commands)),
        }

    def _begin_condition(self) -> None:
        acting, kept_names = self.table.plainly_acting(), self._screen.kept_conditions()
        self.begin(toolbox.condition(self.table.state, self.table.selected, acting=acting, kept_names=kept_names))

    def _begin_face(self) -> None:
        try:
            self.begin(toolbox.face(self.table.state, self.table.selected))
        except (KeyError, ValueError) as no:
            self.say(str(no) if isinstance(no, ValueError) else "No one is selected", "warn")

    def _cycle(self, by: int) -> None:
        self.table.cycle(by)
        self.begin(None)

    def _use(self, thing: T | None, use: Callable[[T], object], lack: str, tone: MessageTone = "info") -> None:
        if thing is None:
            self.say(lack, tone)
        else:
            use(thing)

    # What the fight tells

    def follow(self, change: Change) -> None:
        """Follow a change of the fight: update the first line, the selection and the flow."""
        self._loss_option = self._named_state = None
        if change.kind in ("do", "redo") and change.entry is not None:
            self._entry_numbers.append(change.entry.number)
        if change.kind not in ("mark", "branch"):
            self.first_line.message = ""
            self.first_line.tell(partial(self._tell_change, change))
        undone = change.entry.command.get("who") if change.kind == "undo" and change.entry else None
        if isinstance(undone, str) and undone in self.table.waiting_ids():
            # Select the combatant whose command was undone: they act again.
            self.table.selected = undone
        acted = change.entry.command.get("who") if change.kind == "do" and change.entry else None
        self.table.select_for_step(acted)
        if isinstance(self.flow, AnswerFlow) and self.table.state.prompt(self.flow.prompt.id) is None:
            self.flow = None
        if isinstance(self.flow, ExchangeFlow) and self.flow.makes_way:
            # It opened by itself before the change; open the panel that is due now instead.
            self.flow = None
        self.ask_blocking()
        self.show_due()

    def _tell_change(self, change: Change) -> Happened:
        undo, redo = self.names.label("fight.undo"), self.names.label("fight.redo")
        happened = happened_in(change, self.table.system, undo, redo)
        if not has_no_place(change):
            return happened
        return replace(happened, text=f"{happened.text} ({self.names.label('fight.rule')} p places them)")

    def show_due(self) -> None:
        """Open the panel of a declared attack that is due, if nothing else is going on and the GM has not closed it."""
        # A cue is shown beside the panel; any other question is answered first.
        is_asked = any(prompt.kind != CUE for prompt in self.table.state.prompts)
        if self.flow is not None or self._resume_detour is not None or is_asked or self.table.fight.is_watching:
            return
        self.flow = self._due_acts.panel()

    def ask_blocking(self) -> None:
        """Ask the question that blocks the fight. Offers wait until the GM turns to them."""
        blocking = next((prompt for prompt in self.table.state.prompts if prompt.blocking), None)
        if self.flow is not None or blocking is None or self.table.fight.is_watching:
            return
        if blocking.id != self._skipped_prompt_id:
            self.flow = table_flows.answer(self.table, blocking.id)
