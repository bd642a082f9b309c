"""What the screen shows of a flow runner: the panel, questions, offers, lines of the call bar, and what keys do.

Also the act that the bar suggests for a foe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from operator import attrgetter

from fightcall.flows import table_flows
from fightcall.flows.base import (
    MEANINGS,
    TYPES_A_SPACE,
    Become,
    Flow,
    KeyNames,
    Overlay,
    Reply,
    accepted_words,
    with_rule,
)
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.lists import ListFlow
from fightcall.flows.option_inputs import (
    GOING_ON,
    AnswerFlow,
    Exchange,
    ThrowFlow,
    find_exchange,
    follow_up_panel,
    option_turn,
)
from fightcall.flows.questions import AskFlow, OptionFlow
from fightcall.paint.call_bar import CallLine, CallView, Happened
from fightcall.paint.feed import PanelView
from fightcall.paint.happening import happened_last, sentence_of
from fightcall.paint.prompt_bar import DIGITS, ListView, MessageTone, PromptView, number_words, upright_answers, view_of
from fightcall.paint.runs import Glyphs, clean
from fightcall.table import NOT_SAVED, Give, Outcome, Table
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Command, squeeze
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.events import StepBegan
from fightcall_engine.model.state import Choice, FightState, Prompt
from fightcall_engine.model.values import remembered, replace
from fightcall_engine.play.calls import Call, why_not_now
from fightcall_engine.play.chart import kind_of
from fightcall_engine.play.foes import Suggestion, foes_to_act, suggest
from fightcall_engine.play.newcomers import alike, why_apart

USUAL_SECONDS = 60
ATTACKED = ("hit", "miss", "hurt")
"""The kinds of events of an attack."""

DrawAhead = Callable[[FightState, BaseSystem, str, Collection[str]], object]
"""Draws what it can of a state that may come, with who is selected, and the targets that can be picked."""


class RunnerView:
    """The running flow at a table, and what the screen shows of it; `FlowRunner` changes it."""

    def __init__(self, table: Table, names: KeyNames) -> None:
        self.table, self.names = table, names
        self.flow: Flow | None = None
        self.key_words = KeyWords(table, names)
        happened = partial(happened_last, table.fight, names.label("fight.undo"))
        self.first_line = FirstLine(names, happened, self.key_words.name_key, table.system.rule_words)
        self.ideas = FoeIdeas(table)
        self._named_state: FightState | None = None
        """The state in which going on has stopped and named who can act; the second press passes over them."""
        self._loss_state: FightState | None = None
        """The state in which the first press said what going on would lose; the second does it."""
        self._suggested_flow: Flow | None = None
        """The panel that was opened as suggested."""
        self._exchange_memo: tuple[FightState, Exchange | None] | None = None
        self._begun: dict[int, tuple[Option, Reply]] = {}
        """What options begin, as worked out in a pause, by the identity of each option."""

    @property
    def exchange(self) -> Exchange | None:
        """The act against another combatant that the open questions belong to."""
        if self._exchange_memo is None or self._exchange_memo[0] is not self.table.state:
            self._exchange_memo = self.table.state, find_exchange(self.table)
        return self._exchange_memo[1]

    @property
    def commanded_id(self) -> str | None:
        """Whose command the next one will be: that of the flow, or the selected combatant's; None for nobody's."""
        if self.flow is None:
            return self.table.selected or None
        return self.flow.whom if isinstance(self.flow, AskFlow | ExchangeFlow) else None

    @property
    def reads_text(self) -> bool:
        """True while text is typed, in which any character is allowed."""
        return isinstance(self.flow, AskFlow | ExchangeFlow) and self.flow.reads_text

    @property
    def takes_undo(self) -> bool:
        """True while the undo key means undo, and not a letter of the flow."""
        if isinstance(self.flow, ExchangeFlow):
            return not self.flow.is_aside
        return self.flow is None or (isinstance(self.flow, AnswerFlow) and not self.flow.is_typing)

    @property
    def is_armed(self) -> bool:
        """True after the first press of a key that would lose something: the next press does it."""
        return self._loss_state is self.table.state

    @property
    def is_suggested(self) -> bool:
        """True while the flow is the panel that was opened as suggested."""
        return self.flow is not None and self.flow is self._suggested_flow

    def panel(self) -> PanelView | None:
        """The exchange panel, of an act or of its consequences; None for none."""
        return self.panel_of(self.flow)

    def panel_of(self, flow: Flow | None) -> PanelView | None:
        """The panel of a flow; None for none."""
        if isinstance(flow, ThrowFlow):
            return flow.panel()
        if isinstance(flow, ExchangeFlow):
            panel = flow.panel()
            panel = replace(panel, keys=(*panel.keys[:1], *self._next_foe(), *panel.keys[1:]))
            others = others_like(self.table.state, self.commanded_id) if not self.table.together else ()
            together = ((self.names.label("fight.together"), f"with {count_text(len(others))}"),)
            return replace(panel, keys=(*panel.keys, *together)) if others else panel
        if not isinstance(flow, AnswerFlow) or not flow.prompt.blocking:
            return None
        exchange = self.exchange
        return follow_up_panel(self.table, exchange, flow) if exchange is not None else None

    @property
    def _has_panel(self) -> bool:
        flow = self.flow
        is_asked = isinstance(flow, AnswerFlow) and flow.prompt.blocking and self.exchange is not None
        return is_asked or isinstance(flow, ExchangeFlow) or (isinstance(flow, ThrowFlow) and flow.panel() is not None)

    def overlay(self) -> Overlay:
        flow, combatant_id = self.flow, self.commanded_id
        overlay = flow.overlay() if flow else Overlay()
        others = others_like(self.table.state, combatant_id) if self.table.together else ()
        return replace(overlay, targets=(combatant_id, *others)) if combatant_id and others else overlay

    @property
    def shown_id(self) -> str:
        """The combatant named at the bar's edge: whose roll, answer or act is asked for, else the selected one."""
        flow = self.flow
        combatant_id = ""
        if isinstance(flow, AnswerFlow):
            combatant_id = flow.prompt.who
        elif isinstance(flow, ThrowFlow):
            combatant_id = flow.thrower_id
        elif isinstance(flow, ExchangeFlow):
            combatant_id = flow.whom or ""
        return combatant_id if combatant_id in self.table.state.combatants else self.table.selected

    def happened(self) -> Happened:
        """The first line of the call bar: why a key did nothing, else the last message, else what was done last."""
        return self.first_line.view(is_undo_offered=self.takes_undo)

    def question(self) -> PromptView | None:
        """The flow's question; None for none, or if the panel shows it already."""
        flow, combatant_id, together = self.flow, self.commanded_id, self.table.together
        is_aside = isinstance(flow, ExchangeFlow) and flow.is_aside
        if flow is None or (self._has_panel and not is_aside):
            return None
        view = flow.view()
        is_offered = together or not self.reads_text
        # The panel itself names everybody, with a roll for each.
        if combatant_id and is_offered and not (together and isinstance(flow, ExchangeFlow)):
            key = self.names.label("fight.together")
            view = ask_for_all(view, self.table.state, combatant_id, key, together=together)
        return view

    def list_view(self, width: int, glyphs: Glyphs) -> ListView | None:
        """The list of the flow, or of answers that do not fit into a bar of this width; None for none."""
        flow = self.flow
        if isinstance(flow, ListFlow):
            return flow.list_view()
        if flow is None or self._has_panel:
            return None
        return upright_answers(flow.view(), width=width, glyphs=glyphs)

    def offer(self) -> PromptView | None:
        """The oldest open question that no flow is answering, with Enter's answer; beside a panel, only a remark."""
        flow, first = self.flow, self.table.state.asked_first
        if first is None or (flow is not None and not (isinstance(flow, ExchangeFlow) and first.is_remark)):
            return None
        view = view_of(first, sum(each is not first for each in self.table.state.questions))
        if flow is not None:
            return replace(view, choices=(), default="")
        if self.suggestion() is not None and self.ideas.opens_panel():
            # Enter is for what the foe would do.
            view = replace(view, default="")
        acts = {choice.label for choice in map(partial(_answered_by, first), self._acts_of(first)) if choice}
        view = replace(view, choices=tuple(pair for pair in view.choices if pair[1] not in acts))
        free = tuple(pair for pair in self._direct_answers(first) if pair[1] not in acts)
        number = ((DIGITS, words),) if (words := number_words(first)) else ()
        more = ((self.names.label("fight.react"), "other answers"),) if len(view.choices) > len(free) else ()
        return replace(view, choices=(*free, *number, *more))

    def suggestion(self) -> tuple[str, str] | None:
        """The act that is suggested for the selected foe: its key and its words. None while anything else is open."""
        ideas, first = self.ideas, self.table.state.asked_first
        if self.flow is not None or (idea := ideas.shown()) is None or (option := ideas.option()) is None:
            return None
        if first is not None and not (first.is_remark or any(choice.who == idea.who for choice in first.choices)):
            return None
        if ideas.opens_panel():
            return self.names.label("fight.accept"), idea.full_words
        return (self.key_words.key_of(option), idea.full_words) if idea.reason else None

    def act_keys(self) -> dict[str, str]:
        """The keys of the selected combatant's options, without those of what Enter answers."""
        first = self.table.state.asked_first
        keys = {option.action: self.key_words.key_of(option) for option in self.table.options()}
        if first is not None:
            answers = ((option, _answered_by(first, option)) for option in self._acts_of(first))
            keys |= {option.action: "" for option, choice in answers if choice and choice.id == first.default}
        return keys

    def _acts_of(self, prompt: Prompt) -> tuple[Option, ...]:
        is_shown = prompt.who == self.table.selected
        return tuple(option for option in self.table.options() if option.legal) if is_shown else ()

    def _direct_answers(self, prompt: Prompt) -> Iterator[tuple[str, str]]:
        """The keyed answers besides the default; people by the key for labels if a label means something else."""
        direct, people_key = self.key_words.direct_choices(prompt), self.names.label("fight.select-label")
        combatants = self.table.state.combatants
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

    def call_view(self, actions: Iterable[tuple[str, str, str]], *, is_listed: bool) -> CallView:
        """The call bar, besides the fight itself. If `is_listed`, a list of its own shows the choices of a question.

        The `actions` are those of its key bar: the key, what it does, and its name.
        """
        table, question = self.table, self.question()
        options = () if self.flow is not None else table.options()
        if question is not None and is_listed:
            question = replace(question, choices=())
        return CallView(
            happened=self.happened(),
            question=question,
            offer=self.offer(),
            line=self._line_with_keys(actions),
            options=options,
            keys=self.act_keys() if options else {},
            likely=table.likely_option() if options else None,
            all_key=self.names.label("fight.any-action"),
            several=1 + len(others_like(table.state, table.selected)) if table.together else 1,
            suggestion=self.suggestion(),
        )

    # What may come next

    def foresee(self, draw_ahead: DrawAhead) -> Iterator[None]:
        """Work out, piece by piece, what the next key may show: what it gives, what it begins, whom it selects."""
        table, self._begun = self.table, {}
        for number, act in enumerate(() if table.fight.is_watching or table.together else self._acts_to_come()):
            if not isinstance(act, Command):
                draw_ahead(table.state, table.system, table.selected, act.overlay().targets)
                yield
                continue
            try:
                events, states = table.fight.decide(act)
            except FightCallError:
                continue
            yield
            states = [table.state, *states]
            sentence_of(events, states)
            yield from self._look_at(states[-1], draw_ahead)
            if number == 0 and self.flow is None:
                events, states = yield from table.step_ahead(events, states)
                sentence_of(events, states)
                yield from self._look_at(states[-1], draw_ahead)
        if self.flow is None:
            yield from self._look_at(table.state, draw_ahead, table.neighbour(1))

    def _look_at(self, state: FightState, draw_ahead: DrawAhead, selected: str = "") -> Iterator[None]:
        selected = selected or self.table.likely_selected(state)
        for _ in self.table.look_at(state, selected):
            self.ideas.suggest_for(state, selected)
            yield
        draw_ahead(state, self.table.system, selected, ())
        yield

    def _acts_to_come(self) -> Iterator[Command | Flow]:
        """What keys do at once: the one that goes on, or Enter in a panel, the one that repeats, those of options.

        Of an option that begins something its flow, which is kept for its key.
        """
        flow, table = self.flow, self.table
        if isinstance(flow, AskFlow | ExchangeFlow) and (request := flow.request) is not None:
            yield table.command_of(request)
        elif (command := table.call().command) is not None and (flow is None or isinstance(flow, AnswerFlow)):
            yield command
        if flow is not None:
            return
        if isinstance(again := table_flows.repeat_last(table), Give):
            yield table.command_of(again)
        for option in filter(attrgetter("key"), table.options()):
            reply = table_flows.option(table, option)
            if isinstance(reply, Become):
                self._begun[id(option)] = option, reply
                yield reply.flow
            elif isinstance(reply, Give) and option.legal and (option.is_closing or not option.is_unlikely):
                yield table.command_of(reply)

    def begin_option(self, option: Option) -> Reply:
        """What an option of the selected combatant begins: as the last pause has worked it out, if it has."""
        _, reply = self._begun.pop(id(option), (option, None))
        return reply or table_flows.option(self.table, option)

    def _line_with_keys(self, actions: Iterable[tuple[str, str, str]]) -> CallLine:
        line, names, table = self.call_line(), self.names, self.table
        keys_hint = (names.label("everywhere.help"), "keys", "help")
        if self.flow is not None:
            finish = [(names.label("fight.go-on"), self._finish_words(), "go_on")] if self.can_finish else []
            pairs = ((key, text, "") for key, text in self.flow_keys())
            return replace(line, hints=(*line.hints, *finish, *pairs, keys_hint))
        following = "" if table.is_asking else clean(table.onward())
        if following:
            skipped = table.skipped_name
            following = f"past {clean(skipped)}" if skipped else f"to {following}"
        if self.able_here():
            following = "names who can act"
        hints = [(names.label("fight.go-on"), following, "go_on")] if following else []
        # After the end of the fight, the key that ends it shows the summary.
        new_words = {"aftermath": "summary"} if table.state.status == "closed" else {}
        hints += [(key, new_words.get(name, text), name) for key, text, name in actions]
        hints.insert(1, keys_hint)
        if has_beaten_side(table.state):
            hints.insert(0, (names.label("fight.aftermath"), "end the fight", "aftermath"))
        return replace(line, hints=tuple(hints))

    def _finish_words(self) -> str:
        """What the key that goes on does besides, or instead of, the act of the flow."""
        if isinstance(self.flow, ExchangeFlow) and self.flow.first_does:
            return f"{self.flow.first_does} as proposed"
        step, deferring = self.table.state.step, self.table.system.deferring
        return "and confirm it" if step is not None and step.kind in deferring else "and end the turn"

    def flow_keys(self) -> list[tuple[str, str]]:
        """The keys of the flow besides those of its question, and what they do."""
        flow = self.flow
        more = [(self.names.label("flow.more"), "more")] if isinstance(flow, OptionFlow) and flow.has_more else []
        # Without anything typed there is nothing to take back.
        has_typed = flow.has_entries if isinstance(flow, ExchangeFlow) else True
        has_typed = bool(flow.view().typed) if isinstance(flow, AnswerFlow) else has_typed
        back = [(self.names.label("flow.back"), "back")] if has_typed else []
        return [*more, (self.names.label("fight.rule"), "GM override"), *back]

    def call_line(self) -> CallLine:
        """The last line of the call bar: what going on does, or how to leave the flow."""
        flow, key, is_armed = self.flow, self.names.label("fight.next"), self.is_armed
        if flow is None or (isinstance(flow, ExchangeFlow) and flow.is_passed_by_space):
            return _call_line(key, self.table.call(), is_armed)
        if isinstance(flow, AnswerFlow) and not flow.is_typing:
            call = self.table.call()
            is_proposal = call.prompt == flow.prompt.id and flow.is_as_proposed
            return _call_line(key, call, is_armed) if is_proposal else CallLine(key, flow.call_words, is_armed=is_armed)
        words, leave = flow.call_words, (self.names.label("flow.cancel"), "cancel", "")
        enter = ((self.names.label("flow.accept"), "confirm", ""),) if words == TYPES_A_SPACE else ()
        following = tuple((*pair, "") for pair in self._next_foe())
        return CallLine(key, words, hints=(*enter, *following, leave))

    @property
    def can_finish(self) -> bool:
        """True while the key that goes on does the act of the flow, and then ends the turn of whoever does it."""
        flow, step = self.flow, self.table.state.step
        if step is None or not step.actor or self.table.is_asking:
            return False
        if isinstance(flow, ExchangeFlow):
            return not flow.is_aside and not flow.makes_way and flow.whom == step.actor
        return isinstance(flow, OptionFlow | ThrowFlow) and not flow.reads_text and flow.whom == step.actor

    def able_here(self) -> tuple[str, ...]:
        """Who can act in a step that an act has begun by itself, until the key that goes on has named them."""
        table, step = self.table, self.table.state.step
        is_named = self._named_state is table.state or table.is_asking or not self._began_by_itself()
        return () if is_named or step is None or step.kind in table.system.deferring else table.able_ids()

    def _began_by_itself(self) -> bool:
        line = self.table.fight.line
        if not line.entry_count():
            return False
        entry = line.entry(line.entry_count() - 1)
        # The answer to an attack's last question ends the attack.
        is_act = entry.command["type"] not in GOING_ON or any(kind_of(each) in ATTACKED for each in entry.events)
        return is_act and any(isinstance(each, StepBegan) for each in entry.events)

    def _next_foe(self) -> tuple[tuple[str, str], ...]:
        return ((self.names.label("fight.let-foes-act"), "and the next foe"),) if self.is_suggested else ()


def has_beaten_side(state: FightState) -> bool:
    """Whether nobody of some side is left standing, so that the fight is probably over."""
    able = {combatant.side for combatant in state.combatants.values() if combatant.able}
    return state.status == "running" and len(able) < len({combatant.side for combatant in state.combatants.values()})


def _answered_by(prompt: Prompt, option: Option) -> Choice | None:
    given = option.fixed.get("choice")
    return next((choice for choice in prompt.choices if choice.id == given or choice.label == option.label), None)


def _call_line(key: str, call: Call, is_armed: bool) -> CallLine:
    does = call.does if call.command is not None else f"nothing: {call.does}"
    return CallLine(key, does, call.sequel, call.loses, is_armed, brief=call.brief)


# The first line of the call bar


class FirstLine:
    """The content of the first line; `name_key` adds its key to an alternative of a refusal."""

    def __init__(
        self,
        names: KeyNames,
        happened: Callable[[], Happened],
        name_key: Callable[[str], str],
        rule_words: Callable[[str], str],
    ) -> None:
        self._shown: Happened | None = None
        self.tell(happened)
        self.outcome = Outcome(True)
        self.message = ""
        self.tone: MessageTone = "info"
        self._is_outcome = False
        self._names, self._name_key, self._rule_words = names, name_key, rule_words

    @property
    def happened(self) -> Happened:
        if self._shown is None:
            self._shown = self._happened()
        return self._shown

    def tell(self, happened: Callable[[], Happened]) -> None:
        """Show what happened. Only called when it is drawn: one key can make many entries."""
        self._happened, self._shown = happened, None

    def say(self, message: str, tone: MessageTone) -> None:
        """Show a message until the next key."""
        self.message, self.tone, self._is_outcome = message, tone, message == self.outcome.message

    @property
    def is_refused(self) -> bool:
        return self.tone == "error" and bool(self.message)

    def view(self, *, is_undo_offered: bool) -> Happened:
        """The line as it is drawn. `undo` is the undo key if it works now."""
        hint = self.happened.hint if is_undo_offered else ""
        if not self.message:
            return replace(self.happened, hint=hint)
        if self.is_refused:
            return Happened(self.refusal_words(self.outcome) if self._is_outcome else self.message, "refused")
        return Happened(self.message, "warn") if self.tone == "warn" else Happened(self.message, "note", hint=hint)

    def refusal_words(self, outcome: Outcome) -> str:
        """A refusal in words, with its alternatives, and the key that overrides it."""
        accepts = tuple(dict.fromkeys(map(self._name_key, outcome.accepts)))
        instead = f"   accepted: {accepted_words(accepts)}" if accepts else ""
        ruling = f"   {self._names.label('fight.rule')} overrides it" if outcome.overridable else ""
        refusal = with_rule(outcome.message, self._rule_words(outcome.rule))
        is_unsaved = outcome.rule == NOT_SAVED
        elsewhere = f"   {self._names.label('fight.leave')} can save the fight elsewhere" if is_unsaved else ""
        return f"{refusal}{instead}{ruling}{elsewhere}"


# Keys in words


class KeyWords:
    """The keys in force, at a table."""

    def __init__(self, table: Table, names: KeyNames) -> None:
        self._table, self._names = table, names

    def key_of(self, option: Option) -> str:
        return self._names.option(option.action, option.key)

    def name_key(self, entry: str) -> str:
        """An alternative of a refusal with its key, if just one does it: ``t take the turn``."""
        name = squeeze(entry.partition(" ")[0])
        if name in ("advance", "start"):
            return f"{self._names.label('fight.next')} continues"
        state = self._table.state
        asked = state.asked_first
        answer = next((choice for choice in asked.choices if choice.id == entry), None) if asked is not None else None
        if answer is not None and answer.key:
            return f"{answer.key} {answer.label}"
        options = [option for option in self._table.options() if option.legal and self.key_of(option)]
        matches = [option for option in options if entry == option.action]
        matches = matches or [option for option in options if name == squeeze(option.command)]
        if len(matches) == 1:
            return f"{self.key_of(matches[0])} {matches[0].label}"
        rulings = self._table.system.rulings(state, self._table.selected)
        ruling = next((each for each in rulings if each.legal and name == squeeze(each.command) != "rule"), None)
        return entry if ruling is None else f"{self._names.label('fight.rule')} {ruling.label}"

    def direct_choices(self, prompt: Prompt) -> tuple[Choice, ...]:
        """The answers to an offer whose letters mean nothing else: y, n, h, m; labels that no option has as key."""
        acts = {self.key_of(option) for option in self._table.options()}
        used_keys = acts | self._names.of_fight
        return tuple(
            choice
            for choice in prompt.choices
            if choice.key in MEANINGS or (choice.key and choice.key not in (acts if choice.who else used_keys))
        )

    def explain_enter(self) -> str:
        """Say that nothing is open for Enter, and what to press instead."""
        table = self._table
        if table.state.status == "closed":
            return f"The fight is over; {self._names.label('fight.undo')} reopens it"
        place = table.likely_option()
        option = table.options()[place] if place is not None else None
        act = f"{self.key_of(option)}: {option.label}; " if option is not None else ""
        return f"Done. {act}{self._names.label('fight.next')}: {table.call().words}"

    def explain_key(self, pressed_key: str) -> str:
        """Why a key does nothing now."""
        state, system = self._table.state, self._table.system
        actions = [
            action for action, key in system.option_keys.items() if self._names.option(action, key) == pressed_key
        ]
        words = self._names.means_nothing(pressed_key)
        if actions and state.status == "closed":
            words = self.explain_enter()
        combatant = next((each for each in state.combatants.values() if each.label == pressed_key), None)
        if combatant is not None:
            select = self._names.label("fight.select-label")
            words = f"no target to choose now; {select} {pressed_key} selects {combatant.name}"
        return why_not_now(system, state, self._table.selected, actions) or words


# Squads


def others_like(state: FightState, combatant_id: str | None) -> tuple[str, ...]:
    """The other identical members of a combatant's squad."""
    return tuple(other for other in alike(state, combatant_id) if other != combatant_id) if combatant_id else ()


def left_out(state: FightState, system: BaseSystem, combatant_id: str) -> str:
    """The members of the squad who will not act with a combatant, with the reasons: ``Goblin 3: already acted``."""
    combatant = state.combatants[combatant_id]
    waiting, agenda = system.waiting(state), state.agenda
    names = []
    for other in state.combatants.values():
        if other.id == combatant_id or not combatant.squad or other.squad != combatant.squad:
            continue
        reason = why_apart(state, combatant_id, other.id)
        if not reason and combatant_id in waiting and other.id not in waiting:
            reason = "already acted" if other.id in {*agenda.acted, *agenda.waived} else "not due now"
        names += [f"{other.name}: {reason}"] if reason else []
    return "; ".join(names)


def count_text(others: int) -> str:
    """``3 others of the squad``."""
    return f"{others} other{'s' if others > 1 else ''} of the squad"


def ask_for_all(view: PromptView, state: FightState, target_id: str, key: str, *, together: bool) -> PromptView:
    """The question, with how many act together, or with the key that makes them."""
    others = len(others_like(state, target_id))
    if not others:
        return view
    if not together:
        return replace(view, hint=f"{view.hint}   {key} with {count_text(others)}".strip())
    name = state.combatants[target_id].name
    if name and name in view.question:
        return replace(view, question=view.question.replace(name, f"{name} and {count_text(others)}", 1))
    return replace(view, question=f"{view.question} {name} and {count_text(others)}")


# The decision clock


class DecisionClock:
    """Counts down the seconds of a decision at the table; nothing of it is recorded."""

    def __init__(self) -> None:
        self.running = False
        self._left = 0
        self._step = ""

    def toggle(self, state: FightState) -> None:
        """Start from the full time, or stop."""
        self.running = not self.running
        self._reset(state)

    def restart(self, state: FightState) -> None:
        """A new step gives the full time again."""
        if self.running and state.step is not None and state.step.id != self._step:
            self._reset(state)

    def _reset(self, state: FightState) -> None:
        seconds = state.settings.get("decision_seconds", USUAL_SECONDS)
        self._left = max(1, int(seconds)) if isinstance(seconds, int | float) else USUAL_SECONDS
        self._step = state.step.id if state.step else ""

    def second(self) -> bool:
        """A second passes; True at the one in which time runs out."""
        self._left -= 1
        return self._left == 0

    def text(self) -> str:
        """What the ribbon shows."""
        if not self.running:
            return ""
        if self._left <= 0:
            return "time is up"
        return f"{self._left // 60}:{self._left % 60:02d}"


@remembered
def _suggest(system: BaseSystem, state: FightState, combatant_id: str) -> Suggestion | None:
    is_in_turn = state.status == "running" and combatant_id in foes_to_act(system, state)
    return suggest(system, state, combatant_id) if is_in_turn else None


class FoeIdeas:
    """The suggestion for the selected combatant, if it is the GM's and in turn; worked out once for each moment."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def suggest_for(self, state: FightState, combatant_id: str) -> Suggestion | None:
        """The suggestion for a combatant in this moment or one to come; None if it is not a foe's turn."""
        return None if self._table.fight.is_watching else _suggest(self._table.system, state, combatant_id)

    def shown(self) -> Suggestion | None:
        """The suggestion for this moment; None if there is none."""
        return self.suggest_for(self._table.state, self._table.selected)

    def option(self) -> Option | None:
        """The option of the suggestion; None if there is none."""
        idea = self.shown()
        options = self._table.options() if idea is not None else ()
        return next((each for each in options if idea is not None and each.action == idea.action and each.legal), None)

    def opens_panel(self) -> bool:
        """Whether the suggestion has anything to fill in. Enter never acts before the GM has seen what it would do."""
        option = self.option()
        return option is not None and bool(option.inputs)

    def open(self) -> Reply | None:
        """The panel of the suggestion, filled in, with everything still to be changed; None if there is none."""
        idea, option = self.shown(), self.option()
        if idea is None or option is None:
            return None
        reply = option_turn(self._table, option, idea.who, idea.target)
        path = idea.values.get("path")
        if isinstance(reply, Become) and isinstance(reply.flow, AskFlow) and isinstance(path, list) and path:
            reply.flow.point(resolve_place(self._table.state.board, path[-1]))
        return reply
