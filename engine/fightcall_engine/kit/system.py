"""A rule system, with a default for everything that has one.

A system is a class that says what it is called, what a round consists of and what its commands do. All else has a
default that suits plain games, and is overridden where a game is not plain::

    class Duel(BaseSystem):
        id, title, health = "duel", "Duel", "lives"
        sheet = DuelSheet
        commands, events = (Attack,), (Attacked,)

        def steps_of_round(self, decision):
            ...

        @handles(Attack)
        def attack(self, decision, command):
            decision.emit(...)

Everything here is pure: a system holds no state of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from fightcall_engine.kit.agenda import drop_steps_of
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.effects import ROUND_END
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.movement import is_on_board, plan_walk, take_walk
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.preview import Preview, Trial, plain_preview, text_field
from fightcall_engine.kit.prompts import close_moot
from fightcall_engine.kit.records import words_of_fields
from fightcall_engine.kit.rolls import DICE, dice_setting
from fightcall_engine.kit.rulebook import phase_rules_of, rules_of
from fightcall_engine.kit.templates import fill_template
from fightcall_engine.kit.time_commands import TimeCommands
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Declaration,
    Group,
    Input,
    Mark,
    Option,
    Phrase,
    Section,
    Setting,
    Track,
    Trail,
    Words,
)
from fightcall_engine.model.commands import Command, Join, Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    DamageApplied,
    Downed,
    Event,
    Healed,
    LeftFight,
    Restored,
    named_people,
    named_places,
)
from fightcall_engine.model.json_data import read, to_json
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Prompt, Resume, Scalar, Step
from fightcall_engine.model.values import copy_with

Upcast = Callable[[Mapping[str, Json]], Mapping[str, Json]]
"""An event as one version of a system wrote it, in plain JSON, as the next version writes it."""

WALK = "walk"
"""The usual mode of movement, of the input of a way and of `BaseSystem.travel`."""
FAR = 10**6
"""More places than any board has."""


class BaseSystem(TimeCommands):
    """What a rule system is to the engine and the screen; see the module.

    Attributes:
        id: its name in files and on the command line. Mandatory.
        title: its name for people. Mandatory; see `HandlerTable` for this and for `parts`.
        sheet: a dataclass or model of what a combatant brings. Mandatory, here or by `sheet_type`.
        version: of its rules, kept in each journal.
        record: a frozen dataclass of what it remembers of a combatant, with a default for every field.
        fight_record: the same, of the whole fight.
        contact_rule: the id of its rule on who is in contact, named where a contact is refused.
        move_rule: the id of its rule on walking, beside the usual offer of it.
        phase_rule: the id of its rule on which act belongs to which part of a round, named where a key comes too early.
        substep: the kind of step that is a part of a phase, such as ``pulse``, and is told apart from it.
        health: the pool of what is left, whose end puts a combatant down; a sheet's number of this name fills it.
        harm: what harm is counted in where a game counts upward what is taken, such as ``wounds``: log and card say so,
            while `health` holds what is left all the same; empty where they say what is left.
        initiative: the sheet's number that is added to what decides who goes first; empty where there is none.
        commands: its own, beside those of `fightcall_engine.model.commands`.
        events: its own, subclasses of those of `fightcall_engine.model.events`.
        aliases: other names of commands in scripts: the command's name, and the fields it then has.
        settings: what a table chooses, beside who rolls, which every system has.
        sides: who fights whom; the first is the players'.
        pools: its other pools, by id, and what they are called; a sheet's number of an id fills it. What `health`
            is called stands here, too, where that is not its id.
        phrases: what says its events in words, by their classes, where their `TEXT` cannot: a function of the event and
            the state before it, which gives None where it has nothing to say.
        trails: where its numbers come from, by the name that is asked for.
        phases: what the phases of its steps are called, by id; one that is missing is called by its id.
        accepted: the words that a field of a record may be, where it is always one of a few; those of the fields whose
            type is a ``Literal`` need not be said.
        clocks: the moments at which effects count down, in the system's words (`Effect.ticks`): under ``round`` the
            round's, under ``own`` those of each combatant, by ``start`` and ``end``, the usual one first. One that is
            called as `substep` comes as each such step is come to.
        effect_data: the class of what only it understands of an effect (`Effect.data`).
        conditions: conditions that its rules know, each with the field of its record that then says so: ``prone``,
            ``posture``. Any other is an effect.
        lasting_harm: how often an effect can harm or heal its bearer by itself, such as ``each turn``; empty where none
            does. Then `make_harmful` says how.
        lasting_dice: whether that may be dice, rolled anew each time, and not only a number.
        option_keys: what it may ever offer in a fight, by the option's action, with the usual key; those of the default
            `options` need not be said. A key that the screen has for itself (``fightcall keys``) is then the option's.
        resumes: the classes of how its open questions go on, subclasses of `model.state.Resume`.
        upcasts: what makes events of its version 1 events of version 2, and so on, one function each (`play.upcast`).
        own_traits: the fields of `record` in which even like combatants differ, such as what they threw for initiative.
    """

    id: str = ""
    version: str = "1"
    sheet: type[object] | None = None
    record: type[object] | None = None
    fight_record: type[object] | None = None
    effect_data: type[object] | None = None
    health: str = "hp"
    harm: str = ""
    initiative: str = ""
    contact_rule: str = "contact"
    move_rule: str = ""
    phase_rule: str = ""
    substep: str = ""
    commands: tuple[type[Command], ...] = ()
    events: tuple[type[Event], ...] = ()
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {}
    settings: tuple[Setting, ...] = (dice_setting(),)
    sides: tuple[str, ...] = ("party", "foe")
    pools: Mapping[str, str] = {}
    phrases: Mapping[type[Event], Callable[..., Phrase | None]] = {}
    trails: Mapping[str, Callable[[FightState, Combatant], Trail]] = {}
    phases: Mapping[str, str] = {}
    accepted: Mapping[str, tuple[str, ...]] = {}
    clocks: Mapping[str, Mapping[str, str]] = {"round": {"end": ROUND_END}}
    conditions: Mapping[str, str] = {}
    lasting_harm: str = ""
    lasting_dice: bool = True
    option_keys: Mapping[str, str] = {"move": "m", "waive": "w"}
    resumes: tuple[type[Resume], ...] = ()
    upcasts: tuple[Upcast, ...] = ()
    own_traits: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        """Collect the words of its records, and what it need not say of its keys and settings."""
        super().__init_subclass__()
        # What is of another kind is complained of when the system is loaded.
        if isinstance(vars(cls).get("option_keys"), Mapping):
            cls.option_keys = {**BaseSystem.option_keys, **cls.option_keys}
        own = vars(cls).get("settings")
        if isinstance(own, tuple) and all(isinstance(each, Setting) and each.key != DICE for each in own):
            cls.settings = (dice_setting(), *own)
        records = (record for record in (cls.record, cls.fight_record) if record is not None)
        cls.accepted = {name: words for record in records for name, words in words_of_fields(record).items()} | dict(
            cls.accepted
        )

    # Joining

    def sheet_type(self) -> type[object]:
        """The dataclass or model of a sheet. Override it where importing the model should wait until it is needed."""
        if self.sheet is None:
            raise NotImplementedError(f"{type(self).__name__}.sheet")
        return self.sheet

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults filled in, under these settings; BadInput names what is wrong."""
        model = read(self.sheet_type(), dict(sheet), f"sheet of {where}")
        dump = getattr(model, "model_dump", None)
        return cast("Mapping[str, Json]", to_json(model) if dump is None else dump(mode="json"))

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet; with settings, also what they offer to choose from."""
        from pydantic import TypeAdapter

        return cast("Mapping[str, Json]", TypeAdapter(self.sheet_type()).json_schema())

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a combatant as it joins: by default its health and `pools`, where the sheet has a number."""
        numbers = {pool: sheet.get(pool) for pool in (self.health, *self.pools)}
        return {pool: Pool(most, most) for pool, most in numbers.items() if isinstance(most, int)}

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> object:
        """What is remembered of a combatant as it joins: by default `record` with its defaults."""
        return None if self.record is None else self.record()

    # Deciding

    @reacts_to(DamageApplied)
    def react_to_damage(self, decision: Decision, event: DamageApplied) -> None:
        """The end of `health` fells."""
        combatant = decision.state.combatants.get(event.who)
        is_end = event.pool == self.health and event.tracked and event.left == 0
        if is_end and combatant is not None and combatant.able:
            decision.emit(Downed(who=event.who))

    @reacts_to(Healed)
    def react_to_healing(self, decision: Decision, event: Healed) -> None:
        """Whoever had no `health` left and has some again can act again."""
        combatant = decision.state.combatants.get(event.who)
        is_begin = event.pool == self.health and event.before == 0 < event.left
        if is_begin and combatant is not None and not combatant.able:
            decision.emit(Restored(who=event.who))

    @reacts_to(LeftFight)
    def react_to_departure(self, decision: Decision, event: LeftFight) -> None:
        """Whoever has left is asked nothing any more, and has no steps to come."""
        decision.emit(*close_moot(decision.state, event.who))
        decision.emit(*drop_steps_of(decision.state, event.who))

    def keeps_time(self, state: FightState, combatant_id: str) -> bool:
        """True where a combatant's own clock runs; see `clocks`."""
        return False

    def make_harmful(self, bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
        """The effect as one that does so much to its bearer by itself, a number or dice; see `lasting_harm`.

        Raises:
            Refused: the amount will not do.
        """
        return effect

    def move_checks(self, state: FightState, combatant_id: str) -> tuple[Check, ...]:
        """What a walk needs, however long: by default, one's own step. What `move` requires, and `options` shows."""
        return self.turn_checks(state, combatant_id)

    @handles(Move)
    def move(self, decision: Decision, command: Move) -> None:
        """Walk, where `move_checks` hold, as far as `travel` says. Who has walked has acted."""
        combatant = decision.combatant(command.who)
        walk, (most, _) = plan_walk(decision, command), self.travel(decision.state, combatant.id, WALK)
        rule = self.move_rule or self.round_rule
        decision.require(
            *self.move_checks(decision.state, combatant.id),
            Check(walk.ground <= most, rule, f"that is {walk.ground} places", (f"at most {most}",)),
        )
        take_walk(decision, walk)

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """What happens as a step is come to. By default effects count down that follow the steps of a phase."""
        if step.kind == self.substep:
            self.count_down(decision, step.kind)

    # Offering

    def options(self, state: FightState, combatant_id: str) -> tuple[Option, ...]:
        """What a combatant can do now, and what not and why. By default: walk on a board, and let the step go by."""
        if state.step is None:
            return ()
        combatant = state.combatants[combatant_id]
        checks = self.waive_checks(state, combatant)
        keys = self.option_keys
        wait = offer("waive", "wait", "Waive", keys["waive"], checks, rule=self.round_rule, fixed={"who": combatant_id})
        if not is_on_board(state, combatant):
            return (wait,)
        way = Input("path", "path", "where to", mode=WALK)
        walk = self.move_checks(state, combatant_id)
        budget, _ = self.travel(state, combatant_id, WALK)
        # Where there is no end of it, nobody counts what it costs.
        cost = f"{self.step_price(state, combatant_id, WALK)}/{self.travel_units(state)[0]}" if budget < FAR else ""
        rule = self.move_rule or self.round_rule
        return (offer("move", "move", "Move", keys["move"], walk, cost=cost, rule=rule, inputs=(way,)), wait)

    def inputs(
        self, state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]
    ) -> tuple[Input, ...]:
        """An option's inputs once some of them are given: what is known of one may hang on those before it.

        One that is left out needs no answer any more. Refused where what is given cannot come to anything, better
        said now than after all the questions; not where `force` is among it, by the GM's word.
        """
        return option.inputs

    def preview(self, state: FightState, command: Command, trial: Trial) -> Preview:
        """A command before it is given, from how it went when it was tried out; see `kit.preview`.

        By default: what stands against it, the first die, and the questions that it opens.
        """
        actor_id = text_field(command, "who")
        options = self.options(state, actor_id) if trial.broken and actor_id in state.combatants else ()
        return plain_preview(state, command, trial, options)

    def rulings(self, state: FightState, combatant_id: str) -> tuple[Option, ...]:
        """What the GM may rule on now, unasked."""
        return ()

    def explain(self, state: FightState, combatant_id: str, what: str) -> Trail:
        """Where a number comes from, by the function of that name in `trails`.

        Raises:
            Refused: nothing is known of it; lists what can be explained.
        """
        trail = self.trails.get(what)
        if trail is None:
            raise Refused("what", f"nothing to explain about {what!r}", tuple(self.trails) or ("nothing",), final=True)
        return trail(state, state.combatants[combatant_id])

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """What one place of open ground costs in a mode of movement."""
        return 1

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """How much a combatant can spend on moving in a mode, and the places where moving must stop."""
        return FAR, frozenset()

    def needed_words(self, state: FightState, number: int) -> str:
        """What a die has to show for a weapon that needs a number: by default so much or more."""
        return f"{number} or more"

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """What the numbers of `travel` count, one of it and several: by default places of the board."""
        return ("step", "steps") if state.board is None or state.shares_places else state.board.words

    def travel_words(self, state: FightState, combatant_id: str, steps: int, budget: int) -> str:
        """What a way costs and what is left after it of what `travel` says that there is, which may be no end of it."""
        cost = f"{steps} {self.travel_units(state)[steps != 1]}"
        if steps > budget:
            return f"needs {cost}, has {budget}"
        return cost if budget >= FAR else f"{cost}, {budget - steps} left"

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The command that goes on with a walk on which a cue has held somebody: by default the rest of the way.

        What the whole way asks by the GM's word has been paid for by then.

        Args:
            state: the fight before the walk.
            command: the whole walk, with its `path`.
            step_count: how many places of it have been walked.
        """
        rest = copy_with(command, path=getattr(command, "path", ())[step_count:])
        is_ruled = isinstance(rest, Move) and rest.ground is not None
        return copy_with(rest, ground=0) if is_ruled else rest

    # Showing

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things under these settings."""
        sides = {side: side.title() for side in self.sides}
        health = f"{self.harm} left" if self.harm else self.health
        return Words(self.title, self.round_name, self.phases, sides, {self.health: health, **self.pools})

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The roster in the system's order: one group a side, in the order of the fight."""
        sides = self.words(state.settings).sides
        acting = self.acting_side(state)
        return tuple(
            Group(sides.get(side, side), side, "acting" if side and side == acting else "", members)
            for side in self.sides
            if (
                members := tuple(
                    combatant_id for combatant_id in state.order if state.combatants[combatant_id].side == side
                )
            )
        )

    def card(self, state: FightState, combatant_id: str) -> Card:
        """How the roster shows a combatant now: its pools, `harm` as boxes, and whether it is down or hidden.

        A pool that it has none of, such as the armour of somebody without, is left out.
        """
        combatant = state.combatants[combatant_id]
        badges = [Badge("down", "bad")] if not combatant.able else []
        badges += [Badge("hidden", "info")] if combatant.hidden else []
        points = combatant.pools.get(self.health) if self.harm else None
        shown = tuple(name for name, pool in combatant.pools.items() if pool.max or pool.now or name == self.health)
        if points is None:
            return Card(shown, tuple(badges))
        pools = (self.health, *(pool for pool in shown if pool != self.health))
        track = Track(points.max - points.now, ((self.harm, points.max),), self.harm)
        return Card(pools, tuple(badges), track=track)

    def details(self, state: FightState, combatant_id: str) -> tuple[Section, ...]:
        """What the system knows of a combatant beside pools, badges and effects."""
        return ()

    def aftermath(self, state: FightState) -> tuple[Section, ...]:
        """What is to be seen to when the fight is over, such as wounds that heal; empty before it is."""
        return ()

    def marks(self, state: FightState, combatant_id: str) -> tuple[Mark, ...]:
        """What is to be drawn on the board for a combatant, `who` empty for nobody; of two on a place, the later."""
        return ()

    def declarations(self, state: FightState) -> tuple[Declaration, ...]:
        """What everybody declared and what came of it, in the system's order; empty where nothing is declared."""
        return ()

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should think of now."""
        return ()

    def loses(self, event: Event) -> bool:
        """True for an event by which the table loses what it would miss: work in progress, a declared attack.

        Going on over such an event takes two presses of the key.
        """
        return False

    def follows_attack(self, prompt: Prompt) -> bool:
        """True for a question of what comes of an attack: it is put in the panel of that attack."""
        return False

    def banner(self, state: FightState) -> Badge | None:
        """What holds for everybody now and must not be overlooked, such as another price for everything."""
        return None

    def round_title(self, state: FightState, /) -> str:
        """What the running round is called, such as ``Moment 2``; empty where what runs is no part of one."""
        return f"{self.words(state.settings).round} {state.round}" if state.round else ""

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The part of the round that a step belongs to, as the story is headed: whose turn it is, else the phase.

        A step of the kind `substep` is named beside its phase.
        """
        actor = state.combatants.get(step.actor)
        if actor is not None:
            return actor.name or actor.id
        phase = self.words(state.settings).phases.get(step.phase, step.phase.title())
        return f"{phase} · {step.title}" if step.kind == self.substep else phase

    def phrase(self, event: Event, state: FightState, /) -> Phrase | None:
        """An event in words, or None to leave it to the core; one without text or edge is not told at all.

        By default as `phrases` has it, else the event's own `TEXT`, filled in: people and places by their names.
        """
        describe = self.phrases.get(type(event))
        phrase = describe(event, state) if describe is not None else None
        if phrase is not None or not event.TEXT:
            return phrase
        text = fill_template(event.TEXT, {**named_people(event, state), **named_places(event, state.board)}, {})
        return Phrase(text.strip(), event.TONE, event.RULE, follows=text.startswith(" "))

    def fields(self, state: FightState, combatant_id: str) -> Mapping[str, Json]:
        """The system's own fields of a combatant, for the protocol; under ``effects`` those of its effects, by id."""
        return cast("Mapping[str, Json]", to_json(state.combatants[combatant_id].remembered))

    def facts(self, state: FightState) -> Mapping[str, Json]:
        """The system's own fields of the fight, for the protocol."""
        return cast("Mapping[str, Json]", to_json(state.remembered))

    # Where it stands

    @property
    def package(self) -> str:
        """The package that its class is in, to be named where it is at fault."""
        return type(self).__module__.partition(".")[0]

    @property
    def folder(self) -> Path:
        """The package of the system, or of the one it is built on: ``rules.toml`` and ``encounters`` lie there."""
        modules = (sys.modules[kind.__module__] for kind in type(self).__mro__ if issubclass(kind, BaseSystem))
        folders = [Path(str(module.__file__)).parent for module in modules]
        return next((folder for folder in folders if (folder / "rules.toml").is_file()), folders[0])

    def rules(self) -> Mapping[str, str]:
        """Every rule's id with one line of what it says."""
        return rules_of(self.folder) if self._has_rules_file else {}

    def phase_rules(self, phase: str) -> tuple[str, ...]:
        """The ids of the rules that matter in a phase."""
        return phase_rules_of(self.folder, phase) if self._has_rules_file else ()

    @property
    def _has_rules_file(self) -> bool:
        return (self.folder / "rules.toml").is_file()

    def encounters(self) -> Path:
        """The folder of the encounters it ships; it need not exist."""
        return self.folder / "encounters"
