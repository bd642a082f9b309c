"""Lets the GM's combatants act one after the other, by what `foes` suggests, up to where the GM or a player is needed.

It stops at what belongs to the players: their decisions, and dice that they roll. It also stops at a cue, when one of
theirs goes down, and where nothing is obvious. Every deed is an ordinary command, which is given as if typed.
"""

from __future__ import annotations

from collections import Counter

from fightcall_engine.kit.phrases import question_alone
from fightcall_engine.kit.rolls import throws_at_table
from fightcall_engine.model.commands import Advance, Command
from fightcall_engine.model.state import CUE, FightState, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.play.calls import step_words
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import answer_for, foes_to_act, suggest

MOST_DEEDS = 12
"""How often one combatant acts in a step before the GM is asked; more would be an endless round."""


@frozen
class Deed:
    """A command to give now. `who` acts; it is empty for an answer, and for going on."""

    command: Command
    who: str = ""


@frozen
class Halt:
    """Why nothing more is done, in words. `is_done`: all of the GM's combatants have acted."""

    why: str
    is_done: bool = False


class FoeTurns:
    """One run of the GM's combatants, from the state in which it is made."""

    def __init__(self, fight: Fight) -> None:
        self._fight = fight
        self._round = fight.state.round
        self._standing_ids = self._find_standing()
        self._known_prompts = frozenset(prompt.id for prompt in fight.state.prompts if not prompt.blocking)
        self._deeds: Counter[tuple[int, str, str]] = Counter()
        self._passing: dict[str, Command] = {}
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
            return Halt(f"a cue: {words}")
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
            return Halt(words) if prompt.blocking else None
        if answer is None or is_typed or (self._is_players(owner.side) and not is_roll):
            return Halt(words)
        return Deed(answer, answer.subject_id)

    # Acts

    def _act(self, state: FightState, here: tuple[int, str]) -> Deed | Halt | None:
        """The next act of one who does not pass; None if all of them pass, or none can act."""
        for who in foes_to_act(self._fight.system, state):
            if who in self._passing:
                continue
            idea = suggest(self._fight.system, state, who, in_words=False)
            if idea is None:
                return Halt(f"{state.combatants[who].name}'s act is up to you")
            if type(idea.command).PASSES:
                self._passing[who] = idea.command
                continue
            self._deeds[*here, who] += 1
            if self._deeds[*here, who] > MOST_DEEDS:
                return Halt(f"{state.combatants[who].name} has acted {MOST_DEEDS} times")
            return Deed(idea.command, who)
        return None

    def _go_on(self, state: FightState) -> Deed | Halt:
        """End a step of theirs in which nobody does more, all of them by one command if nothing is lost by it."""
        system, step = self._fight.system, state.step
        waiting = [who for who in system.waiting(state) if self._is_players(state.combatants[who].side)]
        passing = [who for who in foes_to_act(system, state) if who in self._passing]
        actor = state.combatants.get(step.actor) if step is not None else None
        side = actor.side if actor is not None else step.side if step is not None else ""
        if (side and not self._is_players(side)) or len(passing) > 1:
            call = self._fight.next_call()
            if isinstance(call.command, Advance) and not (call.loses or call.rolls or waiting):
                return Deed(call.command)
        if passing:
            return Deed(self._passing.pop(passing[0]), passing[0])
        return Halt(f"Now: {step_words(system, state, step)}" if step is not None else "the round is over", is_done=True)
