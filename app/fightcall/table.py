"""`Table`: a fight with the selection and the other state that screens keep beside it.

It gives commands, turns errors into outcomes, and remembers who is selected, what was refused and what was done last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from fightcall.paint.combatants import waited_for
from fightcall_engine.archive.encounter import replace_path_by_text
from fightcall_engine.kit.decision import throws_at_table
from fightcall_engine.kit.movement import BROKEN, Preview, Row
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Mark, Option
from fightcall_engine.model.commands import Command, squeeze
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import BadInput, FightCallError, NeedsDice, Refused, RollNeeded
from fightcall_engine.model.events import DamageApplied, Events
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Step
from fightcall_engine.model.values import field_names, frozen, remembered, replace
from fightcall_engine.play.calls import Call, next_call, step_words
from fightcall_engine.play.codec import codec_of
from fightcall_engine.play.decide import Happened, decide
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Entry

NOT_SAVED = "not saved"
REMEMBERED = 200
"""How many entries back to look for a combatant's last target."""

MOST_STEPS = 50
"""The most steps that one key press goes on."""
FORESEEN_STEPS = 12
"""The most steps looked through to say where it stops."""
AFTER_ROLL = "the step after the roll"
"""Where going on leads if dice decide it."""
UNKNOWN = "the next stop"

AtOdds = frozenset[frozenset[str]]


@frozen
class Give:
    """A reply by which a flow gives a command: by its name and plain data, with `force` to overrule the rules.

    The flow may go on: if the command is refused, it is still at its last question, and `Flow.complain` shows why
    there. With `alike` it is for all identical members of the actor's squad.
    """

    command: str
    data: Mapping[str, Json]
    force: bool = False
    alike: bool = False


@frozen
class Outcome:
    """The outcome of a command: done, with its entry; or a message with the rule that refused it, or the rolls owed."""

    done: bool
    message: str = ""
    rule: str = ""
    accepts: tuple[str, ...] = ()
    overridable: bool = False
    owed: tuple[RollNeeded, ...] = ()
    entry: Entry | None = None


class Table:
    """A fight, with the GM's selection and the latest commands."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.refused: Give | None = None
        """The last command if it was refused and may be given again with force or with dice."""
        self.last: Give | None = None
        self._last_number = 0
        self.together = False
        self._selected = ""
        self._by_hand: tuple[tuple[int, str], str] | None = None
        self.guest = ""
        """Who was selected for one act out of turn, after which the selection moves on; empty for nobody."""
        self._bound: dict[int, int] = {}
        """For the entries made by one key press: the last number by the first, and the first by the last."""
        self.select_for_step()

    @property
    def state(self) -> FightState:
        return self.fight.state

    @property
    def system(self) -> BaseSystem:
        return self.fight.system

    def marks(self) -> tuple[Mark, ...]:
        """The system's marks on the board for the selected combatant, cached for each state."""
        return _marks(self.fight, self.state, self.selected)

    def call(self) -> Call:
        """What going on does now, cached for each state."""
        return _call(self.fight, self.state)

    # Commands

    def give(self, request: Give, *, force: bool = False, rolls: Mapping[str, list[int]] | None = None) -> Outcome:
        """Ask for a command. After a refusal nothing has changed, and `overrule` may repeat it with force."""
        whole = replace(request, force=force or request.force)
        if rolls:
            before = request.data.get("rolls")
            all_rolls: Json = {**before, **rolls} if isinstance(before, Mapping) else dict(rolls)
            whole = replace(whole, data={**request.data, "rolls": all_rolls})
        return self._do(request, whole)

    def give_command(self, command: Command) -> Outcome:
        """Give a command that is put together already, as by what goes on."""
        data = {name: value for name, value in command_json(command).items() if name != "type"}
        request = Give(command.type, data)
        return self._do(request, request, command)

    def _do(self, request: Give, whole: Give, command: Command | None = None) -> Outcome:
        self.refused = None
        try:
            entry = self.fight.do(replace_path_by_text(self.system, command or self.command_of(whole), Path()))
        except Refused as no:
            self.refused = None if no.final else whole
            return Outcome(False, no.message, no.rule, self._name_accepts(no), not no.final)
        except NeedsDice as need:
            self.refused = whole
            return Outcome(False, str(need), owed=need.rolls)
        except BadInput as bad:
            return Outcome(False, "; ".join(bad.problems), bad.where)
        except (FightCallError, OSError) as error:
            return Outcome(False, str(error), NOT_SAVED)
        self.last, self._last_number = request, entry.number
        message = ""
        if entry.unused:
            words = ", ".join(f"{dice.purpose} {' '.join(map(str, dice.faces))}" for dice in entry.unused)
            message = f"not needed: {words}; rolled: {', '.join(entry.unused[0].expected) or 'nothing'}"
        return Outcome(True, message, entry=entry)

    def likely_selected(self, state: FightState) -> str:
        """The id of whoever will probably be selected in a state to come."""
        waiting, step = waited_for(state, self.system), state.step
        if waiting and self._selected not in waiting:
            return self._first_to_act(state, waiting)
        return (step.actor if step is not None and not waiting else "") or self._selected

    def _first_to_act(self, state: FightState, waiting: Sequence[str]) -> str:
        """The first of those waited for who can really act, else the first of all."""
        first_able = next(able_ids(self.system, state, self.at_odds), "") if len(waiting) > 1 else ""
        return first_able or waiting[0]

    def look_at(self, state: FightState, selected: str) -> Iterator[None]:
        """Work out, piece by piece, what the screen needs in a state with someone selected; it is remembered."""
        if selected in state.combatants:
            for work_out in (_options, _marks):
                work_out(self.fight, state, selected)
                yield
            _call(self.fight, state)
            yield
            _onward(self.fight, state, self.at_odds)
            is_open_question(self.system, state, self.at_odds)
            yield

    def step_ahead(self, events: Events, states: Sequence[FightState]) -> Generator[None, None, Happened]:
        """Look, step by step, where going on surely leads after a first step; returns all events and states."""
        state, dice = states[-1], Dice(self.state.seed, 0)
        first = next_call(self.system, state, dice, in_words=False)
        for call in islice(_calls_on(self.system, state, first, self.at_odds), MOST_STEPS - 1):
            if call.command is None or call.after is None or call.loses or call.after.round != self.state.round:
                break
            more_events, more_states = decide(self.system, states[-1], call.command, dice)
            events, states = (*events, *more_events), [*states, *more_states]
            yield
        return events, list(states)

    def command_of(self, request: Give) -> Command:
        """The command that is asked for."""
        flags: dict[str, Json] = {"force": request.force, "alike": request.alike}
        given_flags = {name: True for name, is_given in flags.items() if is_given}
        return self.fight.codec.command(request.command, {**request.data, **given_flags})

    def preview(self, request: Give) -> Preview:
        try:
            return self.fight.preview(self.command_of(request))
        except Refused as no:
            row = Row("against", no.message, status=BROKEN, rule=no.rule)
        except BadInput as bad:
            row = Row("against", "; ".join(bad.problems), status=BROKEN, rule=bad.where)
        return Preview(request.command, str(request.data.get("who", "")), rows=(row,), can_run=False)

    def overrule(self) -> Outcome:
        if self.refused is None:
            return Outcome(False, "nothing was refused")
        return self.give(self.refused, force=True)

    @property
    def is_last_undone(self) -> bool:
        """Whether the last command that was done has been undone."""
        return self.last is not None and self.fight.line.index_of(self._last_number) is None

    def bind(self, first: int, last: int) -> None:
        """Let undo and redo treat a range of entries as one, because one key press made them all."""
        self._bound |= {first: last, last: first}

    def undo_count(self) -> int:
        """How many entries the next undo takes back: all that the last key press made."""
        head = self.fight.head_number
        return min(max(0, head - self._bound.get(head, head)) + 1, self.fight.line.entry_count())

    def undo(self) -> Outcome:
        return self.travel(lambda: self.fight.undo(max(1, self.undo_count())))

    def redo(self) -> Outcome:
        first = self.fight.ahead.number if self.fight.ahead is not None else 0
        last = max(first, self._bound.get(first, first))
        outcome = self.travel(self.fight.redo)
        while outcome.done and self.fight.head_number < last:
            outcome = self.travel(self.fight.redo)
        return outcome

    def way_back(self) -> Callable[[], object] | None:
        """What takes the present branch again after another was taken, or goes back to where play stands in it.

        None in a what-if: once another branch was taken, nothing leads back into one that has not been.
        """
        fight, here, number = self.fight, self.fight.branch, self.fight.head_number
        if here.is_trial:
            return None
        return lambda: fight.jump(number) if fight.branch.id == here.id else fight.take(here.id)

    def save_as(self, name: str) -> Outcome:
        """Save the whole fight in another file, and go on with that."""
        try:
            path = Path(name).expanduser()
            self.fight.save_as(path)
        except FileExistsError:
            return Outcome(False, f"{name} already exists; choose another name")
        except (FightCallError, OSError, RuntimeError, ValueError) as error:
            return Outcome(False, str(error))
        return Outcome(True, f"Saved as {path}; the fight continues there.")

    def _name_accepts(self, no: Refused) -> tuple[str, ...]:
        people = self.state.combatants
        return tuple(people[text].name if text in people else text for text in no.accepts)

    def travel(self, go: Callable[[], object]) -> Outcome:
        """Move in the fight's history or change its branches; an error becomes an outcome."""
        self.refused = None
        try:
            result = go()
        except Refused as no:
            return Outcome(False, no.message, no.rule, self._name_accepts(no))
        except (FightCallError, OSError) as error:
            return Outcome(False, str(error), NOT_SAVED)
        return Outcome(True, entry=result if isinstance(result, Entry) else None)

    # Dice

    def throws_at_table(self, combatant_id: str) -> bool:
        """Whether a combatant's rolls are typed by the table. An empty id stands for nobody's rolls."""
        return throws_at_table(self.state, self.system.sides, combatant_id)

    def owed_die(self, prompt: Prompt) -> str:
        """The dice that the table must type for the default answer of a question; empty for none."""
        return self.die_of(prompt) if self.throws_at_table(prompt.who) else ""

    def die_of(self, prompt: Prompt) -> str:
        """The dice of the default answer of a question, whoever rolls them; empty for none."""
        if not (prompt.default and (prompt.dice or prompt.amount)):
            return ""
        rows = self.preview(Give("Answer", {"prompt": prompt.id})).rows
        return next((row.dice for row in rows if row.dice and row.dice == (prompt.dice or row.dice)), "")

    # Selection

    @property
    def selected(self) -> str:
        """The selected combatant's id; empty for nobody. Setting it is the GM's choice, which holds for this step."""
        return self._selected

    @selected.setter
    def selected(self, combatant_id: str) -> None:
        self._selected = combatant_id
        # If it is their turn anyway, the selection moves on as usual after they have acted.
        self._by_hand = None if combatant_id in self.waiting_ids() else (self._step(), combatant_id)

    def _step(self) -> tuple[int, str]:
        step = self.state.step
        return self.state.round, step.id if step else ""

    def waiting_ids(self) -> tuple[str, ...]:
        """The ids of those who still have to act in the running step."""
        return waited_for(self.state, self.system)

    def plainly_acting(self) -> str:
        """Who is acting, if there is no doubt: the selected or the only one still to act; else empty."""
        acting = self.waiting_ids()
        if self._selected in acting:
            return self._selected
        return acting[0] if len(acting) == 1 else ""

    def roster_order(self) -> tuple[str, ...]:
        """All ids in the order of the roster."""
        return tuple(combatant_id for group in self.system.groups(self.state) for combatant_id in group.members)

    def select_for_step(self, acted_id: object = None) -> None:
        """Select who can act now.

        The present selection is kept while that combatant can act. One that the GM has selected out of turn is kept
        until the step is over. `acted_id` has just acted.
        """
        if acted_id == self._selected == self.guest:
            self.guest, self._by_hand = "", None
        waiting, people = self.waiting_ids(), self.state.combatants
        if self._selected in waiting:
            # It is their turn now, so the selection moves on as usual after they have acted.
            self._by_hand = None
            return
        if self._selected in people and self._by_hand == (self._step(), self._selected):
            return
        side = self.system.acting_side(self.state)
        own_step = people.get(self._selected)
        first = self.state.asked_first
        asked_id = first.who if first is not None and not first.is_remark and first.who in people else ""
        step = self.state.step
        is_in_turn = acted_id == self._selected and (step is None or step.actor in ("", acted_id))
        if waiting and is_in_turn and any(each.legal and each.is_closing for each in self.options()):
            # They have begun something that they can still complete, such as the walk up to their target.
            return
        if waiting or asked_id:
            # If nobody can act before a question is answered, select the one it is about.
            self._selected = self._first_to_act(self.state, waiting) if waiting else asked_id
        elif self.state.step is not None and self.state.step.actor in people:
            # The actor of the step has acted, and may go on, such as after an undo of the next step.
            self._selected = self.state.step.actor
        elif own_step is None or (side and own_step.side != side):
            order = self.roster_order()
            ours = (member_id for member_id in order if not side or people[member_id].side == side)
            self._selected = next(ours, next(iter(order), ""))

    def cycle(self, by: int) -> None:
        """Select the next (1) or the previous (-1) combatant; see `neighbour`."""
        self.selected = self.neighbour(by)

    def neighbour(self, by: int) -> str:
        """The next (1) or the previous (-1) combatant: among the others still to act if there are any."""
        ring = self.roster_order()
        pool = set(self.waiting_ids()) - {self._selected} or set(ring)
        at = ring.index(self._selected) if self._selected in ring else (-1 if by > 0 else 0)
        others = (ring[(at + by * offset) % len(ring)] for offset in range(1, len(ring) + 1))
        return next((combatant_id for combatant_id in others if combatant_id in pool), self._selected)

    # What can be done

    def options(self) -> tuple[Option, ...]:
        return self.options_of(self._selected) if self._selected in self.state.combatants else ()

    def options_of(self, combatant_id: str) -> tuple[Option, ...]:
        """A combatant's options, cached for each state."""
        return _options(self.fight, self.state, combatant_id)

    def kind_of(self, command: str) -> type[Command]:
        """The class of a command by any of its names; `Command` for an unknown name."""
        return self.fight.codec.command_kinds.get(squeeze(command), Command)

    def options_ahead(self) -> tuple[Option, ...]:
        """The options in the next step: of the selected combatant, if it is theirs and nothing stands before it.

        Where the question is whose turn is next, those of whoever has it by default.
        """
        call = self.call()
        ahead = call.after if call.prompt and not call.also else call.ahead
        actor = ahead.step.actor if ahead is not None and ahead.step is not None else ""
        asked = self.state.prompt(call.prompt)
        is_whose_turn = asked is not None and all(choice.id in self.state.combatants for choice in asked.choices)
        if ahead is None or not actor or (call.prompt and (ahead.prompts or not is_whose_turn)):
            return ()
        return self.system.options(ahead, actor) if call.prompt or actor == self.selected else ()

    def likely_option(self) -> int | None:
        """The index of the option that the selected combatant most likely takes; None if it need not act.

        That is an act against another combatant if one is possible, else the first one that does not just pass.
        Unlikely options, and those against enemies while all of them are hidden, do not count. If nobody waits for the
        combatant, only an option that completes what it has begun counts.
        """
        legal = [
            (place, option)
            for place, option in enumerate(self.options())
            if option.legal and option.key and not option.is_unlikely and self._finds_a_target(option)
        ]
        if self._selected not in self.waiting_ids():
            return next((place for place, option in legal if option.is_closing), None)
        hostile = [place for place, option in legal if any(field.kind == "outcome" for field in option.inputs)]
        rest = [place for place, option in legal if not self.kind_of(option.command).PASSES]
        return next(iter((*hostile, *rest, *(place for place, _ in legal))), None)

    def _finds_a_target(self, option: Option) -> bool:
        is_attack = any(field.kind == "outcome" for field in option.inputs)
        choices = next((field.choices for field in option.inputs if field.kind == "target"), ())
        foes = [each for each in choices if self.state.are_foes(self._selected, each)]
        if not (foes or (is_attack and choices)):
            return True
        return any(self._is_visible_foe(self._selected, each) for each in foes)

    def likely_target(self, combatant_id: str = "") -> str:
        """The most likely target of an act: the last target while it stands, else the nearest enemy, else the actor.

        Enemies in contact come before all others. By default the selected combatant acts.
        """
        people = self.state.combatants
        combatant_id = combatant_id or self._selected
        if combatant_id not in people:
            return next(iter(self.roster_order()), "")
        order = self.roster_order()
        foes = [foe_id for foe_id in order if self._is_visible_foe(combatant_id, foe_id)]
        foes = [foe_id for foe_id in foes if self.state.in_contact(combatant_id, foe_id)] or foes
        last = self._newest("target", who=combatant_id)
        if last in foes:
            return last
        return min(foes, key=lambda foe: self._away(people[combatant_id], people[foe]), default=combatant_id)

    @property
    def at_odds(self) -> AtOdds:
        """The pairs of sides at odds: the system's first two, and those that have attacked each other."""
        return _sides_at_odds(self.fight, self.state)

    def _is_visible_foe(self, combatant_id: str, foe_id: str) -> bool:
        return _is_target(self.state, self.at_odds, combatant_id, foe_id)

    # Going on

    def able_ids(self) -> tuple[str, ...]:
        """The ids of those who can attack an enemy in the running step, or move with an enemy in sight."""
        return tuple(able_ids(self.system, self.state, self.at_odds))

    @property
    def is_asking(self) -> bool:
        """Whether a question stops the key that goes on; see `is_open_question`."""
        return is_open_question(self.system, self.state, self.at_odds)

    def onward(self) -> str:
        """Where the key that goes on stops: a step, a question or a round; empty if the fight is not running."""
        return _onward(self.fight, self.state, self.at_odds)

    @property
    def skipped_name(self) -> str:
        """The name of the one whose turn going on would skip although they can really act; empty for no one."""
        step = self.state.step
        actor = step.actor if step is not None and step.kind not in self.system.deferring else ""
        if not actor or actor not in waited_for(self.state, self.system):
            return ""
        return self.state.combatants[actor].name if can_really_act(self.system, self.state, self.at_odds, actor) else ""

    def likely_among(self, combatant_id: str, choices: Sequence[str], default: str = "") -> str:
        """The most likely target among some: the default, the last target, else the nearest enemy in sight.

        Without choices, everybody counts, and the panel shows the obstacles to them. Empty if only allies and the
        hidden are left, so that the GM has to choose.
        """
        people = self.state.combatants
        if default in people:
            return default
        likely = self.likely_target(combatant_id)
        if combatant_id not in people:
            return likely
        if not choices or likely in choices:
            return likely if likely != combatant_id else ""
        foes = [other for other in choices if self._is_visible_foe(combatant_id, other)]
        return min(foes, key=lambda foe: self._away(people[combatant_id], people[foe]), default="")

    def hurt_friend(self, combatant_id: str, choices: Sequence[str] = ()) -> str:
        """The most hurt of a combatant's side, among some or all; empty if nobody is hurt."""
        people, pool = self.state.combatants, self.system.health
        lost = {
            each.id: each.pools[pool].max - each.pools[pool].now
            for each in people.values()
            if pool in each.pools and combatant_id in people and each.side == people[combatant_id].side
        }
        hurt = [each for each in lost if lost[each] > 0 and (not choices or each in choices)]
        return max(hurt, key=lost.__getitem__, default="")

    def likely_side(self) -> str:
        """The side of the latest join; empty for none."""
        return self._newest("side", type="Join")

    def _newest(self, field: str, **others: str) -> str:
        line = self.fight.line
        newest = line.entry_count() - 1
        for index in range(newest, max(-1, newest - REMEMBERED), -1):
            command = line.entry(index).command
            value = command.get(field)
            if isinstance(value, str) and others.items() <= command.items():
                return value
        return ""

    def _away(self, combatant: Combatant, foe: Combatant) -> float:
        """The distance of an enemy: as the board measures it, else 0 in contact and 1 otherwise.

        Next to a combatant on the board, those who are not on it are farthest away.
        """
        if self.state.board is not None and combatant.at is not None:
            if foe.at is not None:
                return self.state.board.distance(combatant.at, foe.at)
            return 0 if self.state.in_contact(combatant.id, foe.id) else math.inf
        return 0 if self.state.in_contact(combatant.id, foe.id) else 1


def _is_target(state: FightState, at_odds: AtOdds, combatant_id: str, other_id: str) -> bool:
    other = state.combatants.get(other_id)
    is_there = other is not None and other.able and not other.hidden
    return is_there and are_opposed(state, at_odds, combatant_id, other_id)


def are_opposed(state: FightState, at_odds: AtOdds, combatant_id: str, other_id: str) -> bool:
    """Whether two combatants are on opposing sides."""
    return frozenset((state.combatants[combatant_id].side, state.combatants[other_id].side)) in at_odds


@remembered
def _sides_at_odds(fight: Fight, now: FightState) -> AtOdds:
    line, people, kinds, sides = fight.line, now.combatants, fight.codec.command_kinds, fight.system.sides[:2]
    # For any other side, what has happened decides.
    newest = line.entry_count() if any(each.side not in sides for each in people.values()) else 0
    pairs = {frozenset(sides)}
    for index in range(max(0, newest - REMEMBERED), newest):
        entry = line.entry(index)
        attacks = [(event.by, event.who) for event in entry.events if isinstance(event, DamageApplied)]
        if "hit" in field_names(kinds.get(squeeze(str(entry.command["type"])), Command)):
            attacks.append((str(entry.command.get("who", "")), str(entry.command.get("target", ""))))
        pairs |= {frozenset(people[each].side for each in pair) for pair in attacks if set(pair) <= set(people)}
    return frozenset(pair for pair in pairs if len(pair) > 1)


@remembered
def _marks(fight: Fight, now: FightState, combatant_id: str) -> tuple[Mark, ...]:
    return fight.system.marks(now, combatant_id)


@remembered
def _call(fight: Fight, now: FightState) -> Call:
    return fight.call_past_idle_steps(now)


@remembered
def _options(fight: Fight, now: FightState, combatant_id: str) -> tuple[Option, ...]:
    return fight.options(combatant_id, now)


# Who can act, and where space stops for them


def able_ids(system: BaseSystem, state: FightState, at_odds: AtOdds) -> Iterator[str]:
    """Yield who can attack an enemy in the running step, or move with an enemy in sight; each is looked at in turn."""
    waiting = waited_for(state, system) if state.step is not None else ()
    return (each for each in waiting if can_really_act(system, state, at_odds, each))


@remembered
def is_open_question(system: BaseSystem, state: FightState, at_odds: AtOdds) -> bool:
    """Return whether a question stops play.

    An offer does not, if it is about no one and no side, or if no one it is made to can really act.
    """
    prompt = state.asked_first
    if prompt is None or prompt.is_remark:
        return False
    people = [choice.who for choice in prompt.choices if choice.who in state.combatants]
    is_offer = not prompt.blocking and prompt.default and (people or not (prompt.who or prompt.about or prompt.side))
    return not is_offer or any(can_really_act(system, state, at_odds, each) for each in people)


def can_really_act(system: BaseSystem, state: FightState, at_odds: AtOdds, combatant_id: str) -> bool:
    """Return whether a combatant can attack an enemy now, or move with an enemy in sight."""

    def sees_enemy(targets: Iterable[str]) -> bool:
        enemies = (each for each in targets if _is_target(state, at_odds, combatant_id, each))
        return any(_sees(state, combatant_id, each) for each in enemies)

    options = chain(system.options(state, combatant_id), _options_ahead(system, state, combatant_id))
    kinds = codec_of(system).command_kinds
    possible = (each for each in options if each.legal and not kinds.get(squeeze(each.command), Command).PASSES)
    return any(_is_real(option, sees_enemy, state.combatants) for option in possible)


def _is_real(option: Option, sees_enemy: Callable[[Iterable[str]], bool], everyone: Iterable[str]) -> bool:
    """Whether an option is an attack on somebody in sight, the end of one, or a walk while somebody is in sight."""
    if option.is_due:
        return True
    if option.is_unlikely or not option.key:
        return False
    targets = next((field.choices for field in option.inputs if field.kind == "target"), None)
    if targets is not None:
        return sees_enemy(targets or everyone)
    return any(field.kind == "path" for field in option.inputs) and sees_enemy(everyone)


def _sees(state: FightState, combatant_id: str, other_id: str) -> bool:
    """Whether nothing on the board blocks the view; without places, everybody sees everybody."""
    at, to = state.combatants[combatant_id].at, state.combatants[other_id].at
    return state.board is None or at is None or to is None or state.board.sees(at, to)


def _options_ahead(system: BaseSystem, state: FightState, combatant_id: str) -> Iterator[Option]:
    if state.step is None or state.step.actor != combatant_id:
        return
    ahead = next_call(system, state, Dice(state.seed, 0), in_words=False).ahead
    if ahead is not None and ahead.step is not None and ahead.step.actor == combatant_id:
        yield from system.options(ahead, combatant_id)


def is_stop(system: BaseSystem, before: Step | None, state: FightState, at_odds: AtOdds) -> bool:
    """Return whether going on stops after a step, because somebody else can really act.

    In steps after which people can still do the same, such as declarations that may be late, only the first one stops.
    """
    step = state.step
    if step is None:
        return False
    if before is not None and step != before:
        is_same_turn = bool(step.actor) and step.actor == before.actor
        if is_same_turn or (step.kind == before.kind and step.kind in system.deferring):
            return False
        if step.kind == system.substep != before.kind and next_call(system, state, Dice(state.seed, 0)).idle is None:
            # Somebody moves in the Pulses, and can still be halted.
            return True
    return any(able_ids(system, state, at_odds))


def _calls_on(system: BaseSystem, state: FightState, call: Call, at_odds: AtOdds) -> Iterator[Call]:
    """Yield the calls by which going on leads from a state to where it stops, the last of which stops it."""
    start = state.round
    while True:
        yield call
        if call.after is None:
            return
        before, state = state.step, call.after
        is_over = state.step is None or state.status != "running" or state.round != start
        is_end = is_over or call.loses or is_open_question(system, state, at_odds)
        if is_end or is_stop(system, before, state, at_odds):
            return
        call = next_call(system, state, Dice(state.seed, 0), in_words=False)


@remembered
def _onward(fight: Fight, now: FightState, at_odds: AtOdds) -> str:
    """Where going on stops: the next step in which somebody can really act, a question, or the next round."""
    if now.status != "running" or now.step is None:
        return ""
    calls = _calls_on(fight.system, now, _call(fight, now), at_odds)
    *passed, last = islice(calls, FORESEEN_STEPS + 1)
    if last.rolls:
        return AFTER_ROLL
    if last.after is None or len(passed) == FORESEEN_STEPS:
        return UNKNOWN
    if is_open_question(fight.system, last.after, at_odds):
        return "the next question"
    if last.after.step is None or last.after.status != "running":
        return UNKNOWN
    if last.after.round != now.round:
        return f"{fight.system.words(now.settings).round} {last.after.round}"
    return step_words(fight.system, last.after, last.after.step)
