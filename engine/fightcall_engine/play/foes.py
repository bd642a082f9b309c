"""What a combatant sensibly does now, and the obvious answers to questions about it.

A search of depth one over the combatant's own options: where it could stand, whom it could reach from there, and how
much harm that would do. It knows no rule of any system. It only knows what its combatant knows: hidden enemies are not
there for it, and it never looks at what the dice will show.

A suggestion is only made if the rules accept it. Acts in the GM's own words are left to the GM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.decision import throws_at_table
from fightcall_engine.kit.movement import Preview
from fightcall_engine.kit.phrases import question_alone
from fightcall_engine.model.commands import Advance, Answer, Command
from fightcall_engine.model.dice import Dice, parse
from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.state import CUE, Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.calls import step_words
from fightcall_engine.play.chart import kind_of
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.decide import decide, preview_command
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foe_search import Plan, Search, mean_harm, passes_time, try_out

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


@frozen
class Suggestion:
    """What a combatant would do now.

    Attributes:
        action: the option, by `Option.action`.
        command: the command that does it; the rules accept it. It may still ask, such as whether it hits.
        values: the values of the option's inputs, as the panel would be filled in.
        words: the act in words: ``Goblin 2 moves to F6 to strike Brand``.
        reason: why, in a few words: ``nearest, and hurt``; empty if there is nothing to say.
        target: the id of its target; empty for none.
        harm: the harm to expect, in points of the target's health; 0 for none or unknown.
        chance: the chance that it hits, from 0 to 1; None if unknown.
    """

    who: str
    action: str
    command: Command
    values: Mapping[str, Json]
    words: str
    reason: str = ""
    target: str = ""
    harm: float = 0.0
    chance: float | None = None

    @property
    def full_words(self) -> str:
        """The act with its chance and its reason."""
        odds = f" ({self.chance:.0%})".replace("%", " %") if self.chance is not None else ""
        return f"{self.words}{odds}{f': {self.reason}' if self.reason else ''}"


def suggest(system: BaseSystem, state: FightState, combatant_id: str, *, in_words: bool = True) -> Suggestion | None:
    """What a combatant would sensibly do now; None if nothing is obvious, so that it is left to the GM.

    The same state gives the same suggestion. Ties are broken by the roster.
    Without `in_words`, for words and reason, it is faster.
    """
    combatant = state.combatants.get(combatant_id)
    if combatant is None or not combatant.able:
        return None
    search = Search(system, _as_known(state, combatant), combatant_id, state)
    for plan in search.plans():
        after = try_out(system, state, plan.command, 0)
        if after is not None and not _is_idle(state, after) and not search.repeats(plan, after):
            chance = next((item.chance for item in plan.option.inputs if item.chance), None)
            expected = plan.share * search.points_of(plan.target) if plan.target and mean_harm(plan.option) else 0.0
            act = plan.option.action, plan.command, plan.values
            idea = Suggestion(combatant_id, *act, "", plan.reason, plan.target, expected, chance)
            return _in_words(system, state, search, plan, idea) if in_words else idea
    return None


def answer_for(system: BaseSystem, state: FightState, prompt: Prompt) -> Command | None:
    """The obvious answer to a question about a combatant; None if the GM has to think.

    That is an attack that it offers, such as a reprisal, else the question's default.
    """
    if prompt.is_remark:
        return None
    idea = suggest(system, state, prompt.who, in_words=False)
    if idea is not None and idea.target:
        after = try_out(system, state, idea.command, 0)
        if after is not None and after.prompt(prompt.id) is None:
            return idea.command
    if not prompt.default:
        return None
    answer = Answer(prompt=prompt.id)
    return answer if try_out(system, state, answer, 0) is not None else None


def _as_known(state: FightState, combatant: Combatant) -> FightState:
    """The fight as a combatant sees it: the hidden of other sides are not there."""
    unseen = {
        other.id: replace(other, at=None, able=False)
        for other in state.combatants.values()
        if other.hidden and other.side != combatant.side
    }
    return replace(state, combatants={**state.combatants, **unseen}) if unseen else state


def _is_idle(before: FightState, after: FightState) -> bool:
    """Whether an act changes nothing, such as a walk to the end of a path that is planned already."""
    then, now = ((each.combatants, each.agenda, each.prompts, each.record) for each in (before, after))
    return then == now


def acting_ids(system: BaseSystem, state: FightState) -> tuple[str, ...]:
    """The ids of those who may have something to do now, in roster order: in the running step, or by a question."""
    ready = {choice.who for prompt in state.prompts for choice in prompt.choices} | {*system.waiting(state)}
    actor = "" if state.step is None else state.step.actor
    if actor in state.combatants.keys() - ready and any(
        each.legal and (each.is_closing or each.is_due) for each in system.options(state, actor)
    ):
        # It has begun something, such as a declaration.
        ready.add(actor)
    return tuple(combatant.id for combatant in state.roster if combatant.id in ready and combatant.able)


def foes_to_act(system: BaseSystem, state: FightState) -> tuple[str, ...]:
    """Those of `acting_ids` who belong to the GM: everybody who is not on the players' side."""
    return tuple(each for each in acting_ids(system, state) if state.combatants[each].side != system.sides[0])


def _in_words(system: BaseSystem, state: FightState, search: Search, plan: Plan, idea: Suggestion) -> Suggestion:
    """The suggestion with its words, the chance by the very die that it would roll, and a reason."""
    name, board = search.me.name, state.board
    words, reason, chance = f"{name}: {plan.option.label}", plan.reason, idea.chance
    goal = state.combatants.get(plan.goal)
    if plan.target:
        preview = preview_command(system, state, plan.command)
        words, chance = preview.title, _chance_by_trial(system, state, plan.command, preview) or chance
    elif plan.place is not None and board is not None:
        words = f"{name} moves to {board.name_of(plan.place)}"
        if goal is not None and search.is_afraid:
            reason = "flees"
        elif goal is not None:
            is_there = board.contact(plan.place, goal.at) if goal.at is not None else False
            words += f", {'next to' if is_there else 'towards'} {goal.name}"
            reason = search.reason_for(goal)
    elif goal is not None:
        words = f"{name} moves next to {goal.name}"
    elif passes_time(system, plan.option):
        reason = "nothing better to do"
    return replace(idea, words=words, reason=reason, chance=chance)


def _chance_by_trial(system: BaseSystem, state: FightState, command: Command, preview: Preview) -> float | None:
    """The chance that an attack hits with its first roll, if that is a single die: by trying a few of its faces.

    More faces hit on one side of a number: that is found by halving.
    """
    row = next((row for row in preview.rows if row.dice and row.purpose), None)
    term = parse(row.dice)[0] if row is not None else None
    if row is None or term is None or term.count != 1 or not term.faces or "k" in row.dice:
        return None

    def hits(face: int) -> bool | None:
        dice = Dice("foes", 0, {row.purpose: (face,)})
        try:
            events, _ = decide(system, state, resolve_command(state, command), dice)
        except (Refused, NeedsDice, BadInput):
            return None
        return next((kind == "hit" for kind in map(kind_of, events) if kind in ("hit", "miss")), None)

    ends = hits(1), hits(term.faces)
    if None in ends or ends[0] == ends[1]:
        return None
    low, high = 1, term.faces
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if hits(middle) == ends[0] else (low, middle)
    return (low if ends[0] else term.faces - low) / term.faces


# One after the other


MOST_DEEDS = 12
"""How often one combatant acts in a step before the GM is asked; more would be an endless round."""


@frozen
class Deed:
    """A command to give now. `who` acts; it is empty for an answer, and for going on."""

    command: Command
    who: str = ""


@frozen
class Halt:
    """Why nothing more is done, in words. `is_shown`: the screen says so itself, as of an open question."""

    why: str
    is_shown: bool = False


class FoeTurns:
    """One run of the GM's combatants, from the state in which it is made."""

    def __init__(self, fight: Fight) -> None:
        self._fight = fight
        self._round = fight.state.round
        self._standing_ids = self._find_standing()
        self._known_prompts = frozenset(prompt.id for prompt in fight.state.prompts if not prompt.blocking)
        self._deeds: Counter[tuple[int, str, str]] = Counter()
        self._passing: dict[str, Command | None] = {}
        """Who does nothing more in this step, with the command that says so, if there is one."""
        self._step: tuple[int, str] | None = None

    def next(self) -> Deed | Halt:
        """What to do now. After a deed has been done, ask again."""
        state, system = self._fight.state, self._fight.system
        if state.status != "running":
            return Halt("the fight isn't running")
        fallen = [who for who in self._standing_ids if who in state.combatants and not state.combatants[who].able]
        if fallen:
            return Halt(f"{state.combatants[fallen[0]].name} is down")
        if not self._find_standing():
            return Halt("no one is left to fight")
        if state.round != self._round:
            return Halt(f"{system.round_title(state)} begins")
        for prompt in state.prompts:
            deed = self._meet(state, prompt)
            if deed is not None:
                return deed
        step = state.step
        here = state.round, step.id if step is not None else ""
        if here != self._step:
            self._step, self._passing = here, {}
        return self._act(state, here) or self._go_on(state)

    def _find_standing(self) -> tuple[str, ...]:
        people = self._fight.state.combatants.values()
        return tuple(each.id for each in people if each.able and self._is_players(each.side))

    def _is_players(self, side: str) -> bool:
        return side == self._fight.system.sides[0]

    # Questions

    def _meet(self, state: FightState, prompt: Prompt) -> Deed | Halt | None:
        """What an open question asks for: an answer, a stop, or None if it can wait."""
        system, words = self._fight.system, question_alone(prompt.question)
        if prompt.id in self._known_prompts:
            return None
        if prompt.kind == CUE:
            return Halt(words, is_shown=True)
        if prompt.is_remark:
            return None
        owner = state.combatants.get(prompt.who)
        answer = answer_for(system, state, prompt)
        is_roll = bool(prompt.dice or prompt.amount) or len(prompt.choices) == 1
        is_typed = is_roll and throws_at_table(state, system.sides, prompt.who)
        if owner is None:
            is_obvious = prompt.blocking and answer is not None and system.follows_attack(prompt) and not is_typed
            if is_obvious and answer is not None:
                return Deed(answer)
            return Halt(words, is_shown=True) if prompt.blocking else None
        if answer is None or is_typed or (self._is_players(owner.side) and not is_roll):
            return Halt(words, is_shown=True)
        return Deed(answer, answer.subject_id)

    # Acts

    def _act(self, state: FightState, here: tuple[int, str]) -> Deed | Halt | None:
        """The next act of one who does not pass; None if all of them pass, or none can act."""
        for who in foes_to_act(self._fight.system, state):
            if who in self._passing:
                continue
            idea = suggest(self._fight.system, state, who, in_words=False)
            is_common = state.step is not None and not state.step.actor
            if idea is None and not is_common:
                return self._let_go(state, who)
            if idea is None or type(idea.command).PASSES:
                self._passing[who] = None if idea is None else idea.command
                continue
            self._deeds[*here, who] += 1
            if self._deeds[*here, who] > MOST_DEEDS:
                return Halt(f"{state.combatants[who].name} has acted {MOST_DEEDS} times")
            return Deed(idea.command, who)
        return None

    def _let_go(self, state: FightState, who: str) -> Deed | Halt:
        """Let one who can't do what it has declared lose it, after its own questions; any other act is the GM's."""
        call, step = self._fight.next_call(), state.step
        is_lost = any(each.is_due and not each.legal for each in self._fight.system.options(state, who))
        asked = state.prompt(call.prompt)
        is_own = step is not None and step.actor == who and (asked is None or asked.who == who)
        if is_lost and is_own and isinstance(call.command, Advance | Answer):
            return Deed(call.command)
        return Halt(self._why_nothing(state, who))

    def _why_nothing(self, state: FightState, who: str) -> str:
        """Why the program leaves it to the GM how to go on: a question that is open, or what a combatant does."""
        asked = state.asked_first
        if asked is not None and not asked.is_remark:
            return question_alone(asked.question)
        return f"{state.combatants[who].name}'s act is up to you"

    def _go_on(self, state: FightState) -> Deed | Halt:
        """End a step of theirs in which nobody does more, all of them by one command if nothing is lost by it."""
        system, step = self._fight.system, state.step
        passing = {who: self._passing[who] for who in foes_to_act(system, state) if who in self._passing}
        is_players = any(self._is_players(state.combatants[who].side) for who in system.waiting(state))
        actor = state.combatants.get(step.actor) if step is not None else None
        side = actor.side if actor is not None else step.side if step is not None else ""
        if not is_players and ((side and not self._is_players(side)) or len(passing) > 1 or None in passing.values()):
            call = self._fight.next_call()
            if isinstance(call.command, Advance) and not (call.loses or call.rolls):
                return Deed(call.command)
        for who, command in passing.items():
            if command is not None:
                del self._passing[who]
                return Deed(command, who)
            if not is_players:
                return Halt(self._why_nothing(state, who))
        return Halt(
            f"Now: {step_words(system, state, step)}" if step is not None else "the round is over", is_shown=True
        )
