"""What the screen shows of a flow runner: the panel, questions and offers, and lines of the call bar."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from fightcall.flows import squads
from fightcall.flows.answer_flow import AnswerFlow
from fightcall.flows.base import TYPES_A_SPACE, Overlay
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.follow_up import follow_up_panel
from fightcall.flows.list_flow import ListFlow
from fightcall.flows.throw_flow import ThrowFlow
from fightcall.paint.call_bar import CallLine, Happened
from fightcall.paint.exchange import PanelView
from fightcall.paint.prompt_bar import DIGITS, ListView, PromptView, number_words, upright_answers, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fightcall.flows.base import Flow
    from fightcall.flows.first_line import FirstLine
    from fightcall.flows.follow_up import Exchange
    from fightcall.flows.key_words import KeyWords
    from fightcall.flows.keys import KeysInForce
    from fightcall.paint.runs import Glyphs
    from fightcall.table import Table
    from fightcall_engine.kit.views import Option
    from fightcall_engine.model.state import Choice, Prompt
    from fightcall_engine.play.calls import Call


class Viewed(Protocol):
    """The parts of a `FlowRunner` that are read here; see there."""

    table: Table
    names: KeysInForce
    flow: Flow | None
    first_line: FirstLine
    key_words: KeyWords

    @property
    def exchange(self) -> Exchange | None:
        """The act against another combatant that the open questions belong to."""

    @property
    def commanded_id(self) -> str | None:
        """Whose command the next one will be."""

    @property
    def reads_text(self) -> bool:
        """True while a text is written."""

    @property
    def takes_undo(self) -> bool:
        """True while the key of undo takes back."""

    @property
    def is_armed(self) -> bool:
        """True once going on over a loss has been pressed once."""


class RunnerView:
    """A read-only view of a flow runner for the screen."""

    def __init__(self, runner: Viewed) -> None:
        self._runner = runner
        self._table, self._names = runner.table, runner.names

    def panel(self) -> PanelView | None:
        """The exchange panel, of an act or of its consequences; None for none."""
        return self.panel_of(self._runner.flow)

    def panel_of(self, flow: Flow | None) -> PanelView | None:
        """The panel of a flow; None for none."""
        if isinstance(flow, ThrowFlow):
            return flow.panel()
        if isinstance(flow, ExchangeFlow):
            panel = flow.panel()
            others = (
                squads.others_like(self._table.state, self._runner.commanded_id) if not self._table.together else ()
            )
            together = ((self._names.label("fight.together"), f"with {squads.count_text(len(others))}"),)
            return replace(panel, keys=(*panel.keys, *together)) if others else panel
        if not isinstance(flow, AnswerFlow) or not flow.prompt.blocking:
            return None
        exchange = self._runner.exchange
        return follow_up_panel(self._table, exchange, flow) if exchange is not None else None

    @property
    def _has_panel(self) -> bool:
        """Whether there is a panel, without building it."""
        flow = self._runner.flow
        is_asked = isinstance(flow, AnswerFlow) and flow.prompt.blocking and self._runner.exchange is not None
        return is_asked or isinstance(flow, ExchangeFlow) or (isinstance(flow, ThrowFlow) and flow.has_panel)

    def overlay(self) -> Overlay:
        """The flow's overlay, with the squad members who act together."""
        flow, combatant_id = self._runner.flow, self._runner.commanded_id
        overlay = flow.overlay() if flow else Overlay()
        if self._table.together and combatant_id:
            return squads.mark_all(overlay, self._table.state, combatant_id)
        return overlay

    @property
    def shown_id(self) -> str:
        """The combatant named at the bar's edge: whose roll, answer or act is asked for, else the selected one."""
        flow = self._runner.flow
        combatant_id = ""
        if isinstance(flow, AnswerFlow):
            combatant_id = flow.prompt.who
        elif isinstance(flow, ThrowFlow):
            combatant_id = flow.thrower_id
        elif isinstance(flow, ExchangeFlow):
            combatant_id = flow.whom or ""
        return combatant_id if combatant_id in self._table.state.combatants else self._table.selected

    def happened(self) -> Happened:
        """The first line of the call bar: why a key did nothing, else the last message, else what was done last."""
        return self._runner.first_line.view(is_undo_offered=self._runner.takes_undo)

    def question(self) -> PromptView | None:
        """The flow's question; None for none, or if the panel shows it already."""
        flow, combatant_id, together = self._runner.flow, self._runner.commanded_id, self._table.together
        is_aside = isinstance(flow, ExchangeFlow) and flow.is_aside
        if flow is None or (self._has_panel and not is_aside):
            return None
        view = flow.view()
        is_offered = together or not self._runner.reads_text
        # The panel itself names everybody, with a roll for each.
        if combatant_id and is_offered and not (together and isinstance(flow, ExchangeFlow)):
            key = self._names.label("fight.together")
            view = squads.ask_for_all(view, self._table.state, combatant_id, key, together=together)
        return view

    def list_view(self, width: int, glyphs: Glyphs) -> ListView | None:
        """The list of the flow, or of answers that do not fit into a bar of this width; None for none."""
        flow = self._runner.flow
        if isinstance(flow, ListFlow):
            return flow.list_view()
        if flow is None or self._has_panel:
            return None
        return upright_answers(flow.view(), width=width, glyphs=glyphs)

    def offer(self) -> PromptView | None:
        """The oldest open question that no flow is answering. Enter takes its default.

        Beside a panel, only a remark can be open, and Enter is the panel's.
        """
        flow, first = self._runner.flow, self._table.state.asked_first
        if first is None or (flow is not None and not (isinstance(flow, ExchangeFlow) and first.is_remark)):
            return None
        view = view_of(first, len(self._table.state.prompts) - 1)
        if flow is not None:
            return replace(view, choices=(), default="")
        acts = {choice.label for choice in map(partial(_answered_by, first), self._acts_of(first)) if choice}
        view = replace(view, choices=tuple(pair for pair in view.choices if pair[1] not in acts))
        free = tuple(pair for pair in self._direct_answers(first) if pair[1] not in acts)
        number = ((DIGITS, words),) if (words := number_words(first)) else ()
        more = ((self._names.label("fight.react"), "other answers"),) if len(view.choices) > len(free) else ()
        return replace(view, choices=(*free, *number, *more))

    def act_keys(self) -> dict[str, str]:
        """The keys of the selected combatant's options, without those of what Enter answers."""
        first = self._table.state.asked_first
        keys = {option.action: self._runner.key_words.key_of(option) for option in self._table.options()}
        if first is not None:
            answers = ((option, _answered_by(first, option)) for option in self._acts_of(first))
            keys |= {option.action: "" for option, choice in answers if choice and choice.id == first.default}
        return keys

    def _acts_of(self, prompt: Prompt) -> tuple[Option, ...]:
        """The possible options of whom a question asks, if they are shown beside it."""
        is_shown = prompt.who == self._table.selected
        return tuple(option for option in self._table.options() if option.legal) if is_shown else ()

    def _direct_answers(self, prompt: Prompt) -> Iterator[tuple[str, str]]:
        """The answers besides the default that have a key.

        People can always be named by the key for labels: all of them are, if the label of one means something else.
        """
        direct, people_key = self._runner.key_words.direct_choices(prompt), self._names.label("fight.select-label")
        combatants = self._table.state.combatants
        people = [
            choice
            for choice in prompt.choices
            if choice.who in combatants and combatants[choice.who].label.lower() == choice.key
        ]
        is_direct = all(choice in direct for choice in people)
        for choice in prompt.choices:
            if choice.id == prompt.default:
                continue
            if choice in people and not is_direct:
                yield f"{people_key}{choice.key}", choice.label
            elif choice in direct:
                yield choice.key, choice.label

    def call_line(self) -> CallLine:
        """The last line of the call bar: what going on does, or how to leave the flow."""
        flow, key, is_armed = self._runner.flow, self._names.label("fight.next"), self._runner.is_armed
        if flow is None or (isinstance(flow, ExchangeFlow) and flow.is_passed_by_space):
            return _call_line(key, self._table.call(), is_armed)
        if isinstance(flow, AnswerFlow) and not flow.is_typing:
            call = self._table.call()
            is_proposal = call.prompt == flow.prompt.id and flow.is_as_proposed
            return _call_line(key, call, is_armed) if is_proposal else CallLine(key, flow.call_words, is_armed=is_armed)
        words, leave = flow.call_words, (self._names.label("flow.cancel"), "cancel", "")
        enter = ((self._names.label("flow.accept"), "confirm", ""),) if words == TYPES_A_SPACE else ()
        return CallLine(key, words, hints=(*enter, leave))


def _answered_by(prompt: Prompt, option: Option) -> Choice | None:
    """The answer to a question that an option gives as well; None for none."""
    given = option.fixed.get("choice")
    return next((choice for choice in prompt.choices if choice.id == given or choice.label == option.label), None)


def _call_line(key: str, call: Call, is_armed: bool) -> CallLine:
    """A call as the last line of the call bar."""
    does = call.does if call.command is not None else f"nothing: {call.does}"
    return CallLine(key, does, call.sequel, call.loses, is_armed, brief=call.brief)
