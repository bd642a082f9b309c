"""`BaseSystem`, the base class of rule systems.

A system says what it is called, what a round consists of and what its commands do. Everything else has a default that
suits plain games, and is overridden where a game is not plain::

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
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import cast

from fightcall_engine.board.base import Location, find_path, reach
from fightcall_engine.board.kinds import AnyGrid, grid_board
from fightcall_engine.kit import agenda
from fightcall_engine.kit.agenda import TimeCommands, drop_steps_of
from fightcall_engine.kit.decision import DICE, Decision, dice_setting
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.movement import Preview, Trial, is_on_board, plain_preview, plan_walk, take_walk, text_field
from fightcall_engine.kit.records import fill_template, words_of_fields
from fightcall_engine.kit.views import (
    Badge,
    Card,
    Check,
    Declaration,
    Group,
    Input,
    Mark,
    Option,
    Phrase,
    Section,
    Setting,
    SidePool,
    Track,
    Trail,
    Words,
    group_by_side,
    offer,
)
from fightcall_engine.model.commands import Command, Join, Leave, Move
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
from fightcall_engine.model.values import frozen, replace, with_fields


@cache
def _entries(folder: Path) -> Mapping[str, Mapping[str, object]]:
    file = folder / "rules.toml"
    entries = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return cast("Mapping[str, Mapping[str, object]]", entries)


Upcast = Callable[[Mapping[str, Json]], Mapping[str, Json]]
"""Converts the plain JSON of an event from one version of a system to the next."""

WALK = "walk"
"""The usual mode of movement, for inputs of paths and for `BaseSystem.travel`."""
FAR = 10**6
"""An unlimited budget: more places than any board has."""


class BaseSystem(TimeCommands):
    """The base class of rule systems; see the module.

    Attributes:
        id: its name in files and on the command line. Mandatory.
        title: its name for people. Mandatory; see `HandlerTable` for this and for `parts`.
        sheet: the dataclass or model of a combatant's sheet. Mandatory, here or by `sheet_type`.
        version: of its rules, kept in each journal.
        record: the frozen dataclass of its own data on a combatant, with a default for every field.
        fight_record: the frozen dataclass of its own data on the fight, with a default for every field.
        contact_rule: the id of its rule on contact, named when a contact is refused.
        move_rule: the id of its rule on walking, named with the default option of it.
        phase_rule: the id of its rule on which act belongs to which phase, named when a key is pressed too early.
        substep: the kind of step that is a part of a phase, such as ``pulse``, and is named beside it.
        passing_phases: the phases in which play never waits, so that players see none of them during a hidden step.
        health: the pool whose end puts a combatant down; a sheet's number of this name fills it.
        harm: what harm is counted in if a game counts upward, such as ``wounds``. Then log and card show the harm
            taken, while `health` still holds what is left. Empty if they show what is left.
        initiative: the sheet's number that is added to the roll for who goes first; empty for none.
        deferring: kinds of steps in which those who pass can still act later in the round.
        commands: its own commands, besides those of `fightcall_engine.model.commands`.
        events: its own events, subclasses of those of `fightcall_engine.model.events`.
        aliases: other names of commands in scripts, each with the command's name and the fields that it sets.
        settings: what a table can choose, besides who rolls, which every system has.
        sides: the sides; the first is the players'.
        pools: its other pools, by id, with their names; a sheet's number of an id fills the pool. The name of `health`
            can be given here, too.
        side_pools: the pools that all of a side share, such as momentum.
        phrases: by class of events, a function that says one in words, for those whose `TEXT` cannot. It takes the
            event and the state before it, and returns None if there is nothing to say.
        trails: by name, the functions that explain where a number comes from.
        phases: the names of phases by id; a missing one is named by its id.
        accepted: the values that a field of a record accepts, if there are only a few. Not needed for fields whose type
            is a ``Literal``.
        effect_data: the class of its own data on an effect (`Effect.data`).
        conditions: conditions that its rules know, each with the field of its record that holds it (``prone``,
            ``posture``), or with the command that sets it, named by ``do`` as in a cue. Any other one is an effect.
        apart: kinds of questions that belong to no act before them, such as who goes next.
        lasting_harm: how often an effect can harm or heal its bearer by itself, such as ``each turn``; empty for never.
            See `make_harmful`.
        lasting_dice: whether that harm may be dice, rolled each time, and not only a number.
        implies_who: the classes of commands that need no `who` where only one can be meant; see `sole_doer`.
        option_keys: the usual key of each option it may ever offer, by the option's action; those of the default
            `options` are included. It takes precedence over a key of the screen (``fightcall keys``).
        resumes: the classes of data that its prompts keep, subclasses of `model.state.Resume`.
        lasting: the fields of `record` that a combatant keeps who leaves and comes back; None for all. The others are
            as for a newcomer. Effects and pools are kept in any case.
        lasting_in_round: further fields that it keeps if it comes back in the same round.
        round_pools: the pools that are full again if it comes back in another round.
        granted_pools: the pools that a round fills when it is somebody's turn: empty for a copy, and for one who comes
            back in another round.
        upcasts: one function for each older version that can still be read, the oldest first, which converts its
            events to the next version (`play.upcast`).
        measures_steps: whether a step costs its length, so that it is farther across a square's corner.
        own_traits: the fields of `record` in which identical combatants may differ, such as their initiative.
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
    passing_phases: frozenset[str] = frozenset()
    deferring: frozenset[str] = frozenset()
    commands: tuple[type[Command], ...] = ()
    events: tuple[type[Event], ...] = ()
    aliases: Mapping[str, tuple[str, Mapping[str, Json]]] = {}
    settings: tuple[Setting, ...] = (dice_setting(),)
    sides: tuple[str, ...] = ("party", "foe")
    pools: Mapping[str, str] = {}
    side_pools: tuple[SidePool, ...] = ()
    phrases: Mapping[type[Event], Callable[..., Phrase | None]] = {}
    trails: Mapping[str, Callable[[FightState, Combatant], Trail]] = {}
    phases: Mapping[str, str] = {}
    accepted: Mapping[str, tuple[str, ...]] = {}
    conditions: Mapping[str, str | Mapping[str, Json]] = {}
    apart: frozenset[str] = frozenset()
    lasting_harm: str = ""
    lasting_dice: bool = True
    option_keys: Mapping[str, str] = {"move": "m", "waive": "w"}
    implies_who: frozenset[type[Command]] = frozenset()
    resumes: tuple[type[Resume], ...] = ()
    upcasts: tuple[Upcast, ...] = ()
    measures_steps: bool = False
    own_traits: frozenset[str] = frozenset()
    lasting: frozenset[str] | None = None
    lasting_in_round: frozenset[str] = frozenset()
    round_pools: frozenset[str] = frozenset()
    granted_pools: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        """Add what follows by itself: the values of ``Literal`` fields, the shared keys and settings."""
        super().__init_subclass__()
        # A value of a wrong type is reported when the system is loaded.
        if isinstance(vars(cls).get("option_keys"), Mapping):
            cls.option_keys = {**BaseSystem.option_keys, **cls.option_keys}
        own = vars(cls).get("settings")
        if isinstance(own, tuple) and all(isinstance(each, Setting) and each.key != DICE for each in own):
            cls.settings = (dice_setting(), *own)
        records = (record for record in (cls.record, cls.fight_record) if record is not None)
        words = {name: words for record in records for name, words in words_of_fields(record).items()}
        cls.accepted = {**words, **cls.accepted}

    # Joining

    def sheet_type(self) -> type[object]:
        """The dataclass or model of a sheet. Override it to import the model only when it is needed."""
        if self.sheet is None:
            raise NotImplementedError(f"{type(self).__name__}.sheet")
        return self.sheet

    def check_sheet(
        self, sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar] | None = None
    ) -> Mapping[str, Json]:
        """The sheet with its defaults filled in, under these settings. Raises BadInput for what is wrong in it."""
        model = read(self.sheet_type(), dict(sheet), f"sheet of {where}")
        dump = getattr(model, "model_dump", None)
        return cast("Mapping[str, Json]", to_json(model) if dump is None else dump(mode="json"))

    def sheet_schema(self, settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
        """The JSON Schema of a sheet; with settings, including the choices that they add."""
        from pydantic import TypeAdapter

        return cast("Mapping[str, Json]", TypeAdapter(self.sheet_type()).json_schema())

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a combatant as it joins: by default `health` and the `pools` that its sheet has numbers for."""
        numbers = {pool: sheet.get(pool) for pool in (self.health, *self.pools)}
        return {pool: Pool(most, most) for pool, most in numbers.items() if isinstance(most, int)}

    def starting_side_pools(self, settings: Mapping[str, Scalar]) -> Mapping[str, Mapping[str, Pool]]:
        """The pools that sides share as a fight begins, by side and id: by default those of `side_pools`."""
        return {
            side: {each.id: Pool(each.start, each.max) for each in self.side_pools if each.side == side}
            for side in dict.fromkeys(each.side for each in self.side_pools)
        }

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> object:
        """The record of a combatant as it joins: by default `record` with its defaults."""
        return None if self.record is None else self.record()

    def copied_record(self, original: Combatant, fresh: object) -> object:
        """The record of a copy: by default that of a newcomer (`fresh`), with the fields of `lasting`."""
        if self.lasting is None:
            return original.record
        lasting = {name: value for name, value in original.remembered.items() if name in self.lasting}
        return with_fields(fresh, lasting)

    def without_grants(self, pools: Mapping[str, Pool]) -> dict[str, Pool]:
        """The pools with those of `granted_pools` empty."""
        return {name: Pool(0, pool.max) if name in self.granted_pools else pool for name, pool in pools.items()}

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """The combatant who comes back, as `lasting` and its siblings say. `left_in` is the round in which it left."""
        is_same_round = left_in == state.round
        pools = dict(combatant.pools)
        if not is_same_round:
            filled = {name: Pool(pool.max, pool.max) for name, pool in pools.items() if name in self.round_pools}
            pools = {**self.without_grants(pools), **filled}
        combatant = replace(combatant, pools=pools, effects=agenda.on_running_clocks(state, combatant))
        if self.lasting is None:
            return combatant
        join = Join(name=combatant.name, side=combatant.side, hidden=combatant.hidden)
        lasting_fields = self.lasting | self.lasting_in_round if is_same_round else self.lasting
        values = {name: value for name, value in combatant.remembered.items() if name in lasting_fields}
        fresh = self.starting_record(state.settings, join, combatant.sheet)
        return replace(combatant, record=with_fields(fresh, values))

    # Deciding

    @reacts_to(DamageApplied)
    def react_to_damage(self, decision: Decision, event: DamageApplied) -> None:
        """Put a combatant down when its `health` is used up."""
        combatant = decision.state.combatants.get(event.who)
        is_end = event.pool == self.health and event.tracked and event.left == 0
        if is_end and combatant is not None and combatant.able:
            decision.emit(Downed(who=event.who))

    @reacts_to(Healed)
    def react_to_healing(self, decision: Decision, event: Healed) -> None:
        """Restore a combatant that has some `health` again."""
        combatant = decision.state.combatants.get(event.who)
        is_begin = event.pool == self.health and event.before == 0 < event.left
        if is_begin and combatant is not None and not combatant.able:
            decision.emit(Restored(who=event.who))

    @reacts_to(LeftFight)
    def react_to_departure(self, decision: Decision, event: LeftFight) -> None:
        """Close the questions about a combatant who has left, and drop their steps."""
        decision.withdraw_about(event.who)
        decision.emit(*drop_steps_of(decision.state, event.who))

    def make_harmful(self, bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
        """The effect, made to harm or heal its bearer each time; see `lasting_harm`. Refuses a wrong amount."""
        return effect

    def move_checks(self, state: FightState, combatant_id: str) -> tuple[Check, ...]:
        """The checks of any walk, for `move` and `options`: by default those of the combatant's own step."""
        return self.turn_checks(state, combatant_id)

    @handles(Leave)
    def leave(self, decision: Decision, command: Leave) -> None:
        """Remove a combatant from the fight. It may not roll dice: a summoned combatant leaves by itself."""
        decision.emit(LeftFight(who=decision.combatant(command.who).id, reason=command.reason))

    @handles(Move)
    def move(self, decision: Decision, command: Move) -> None:
        """Walk, if `move_checks` hold, at most as far as `travel` says. The walker has then acted."""
        combatant = decision.combatant(command.who)
        walk, (most, _) = plan_walk(decision, command), self.travel(decision.state, combatant.id, WALK)
        rule = self.move_rule or self.round_rule
        decision.require(
            *self.move_checks(decision.state, combatant.id),
            Check(walk.ground <= most, rule, f"that is {walk.ground} places", (f"at most {most}",)),
        )
        take_walk(decision, walk)

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """Hook: a step is reached. By default, effects that count the substeps of a phase count down."""
        if step.kind == self.substep:
            self.count_down(decision, step.kind)

    # Offering

    def options(self, state: FightState, combatant_id: str) -> tuple[Option, ...]:
        """What a combatant can do now, and why not what it cannot. By default: walk on a board, and waive the step."""
        if state.step is None:
            return ()
        combatant = state.combatants[combatant_id]
        checks = self.waive_checks(state, combatant)
        keys = self.option_keys
        wait = offer("waive", "pass", "Waive", keys["waive"], checks, rule=self.round_rule, fixed={"who": combatant_id})
        if not is_on_board(state, combatant):
            return (wait,)
        way = Input("path", "path", "where to", mode=WALK)
        walk = self.move_checks(state, combatant_id)
        budget, _ = self.travel(state, combatant_id, WALK)
        # With an unlimited budget the price does not matter.
        cost = f"{self.step_price(state, combatant_id, WALK)}/{self.travel_units(state)[0]}" if budget < FAR else ""
        rule = self.move_rule or self.round_rule
        return (offer("move", "move", "Move", keys["move"], walk, cost=cost, rule=rule, inputs=(way,)), wait)

    def inputs(
        self, state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]
    ) -> tuple[Input, ...]:
        """An option's inputs after some answers, for inputs that depend on earlier ones.

        Inputs left out need no answer. It may refuse answers that cannot work, so that the GM learns it before the
        remaining questions, but not if `force` is among them.
        """
        return option.inputs

    def preview(self, state: FightState, command: Command, trial: Trial) -> Preview:
        """The preview of a command from its trial: broken checks, the first roll, and the questions that it opens."""
        actor_id = text_field(command, "who")
        options = self.options(state, actor_id) if trial.broken and actor_id in state.combatants else ()
        return plain_preview(state, command, trial, options)

    def rulings(self, state: FightState, combatant_id: str) -> tuple[Option, ...]:
        """What the GM may rule on now without being asked."""
        return ()

    def explain(self, state: FightState, combatant_id: str, what: str) -> Trail:
        """Explain a number by the function of that name in `trails`; Refused, listing these, if there is none."""
        trail = self.trails.get(what)
        if trail is None:
            accepts = tuple(self.trails) or ("nothing",)
            raise Refused("what", f"there is no explanation for {what!r}", accepts, final=True)
        return trail(state, state.combatants[combatant_id])

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """The cost of one place of open ground in a mode of movement."""
        return 1

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """How much a combatant can spend on moving in a mode, and the places where its walk must stop."""
        return FAR, frozenset()

    def needed_words(self, state: FightState, number: int) -> str:
        """The roll that a weapon's number asks for, in words: by default the number or more."""
        return f"{number} or more"

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """The singular and plural of what `travel` counts: by default places of the board."""
        return ("step", "steps") if state.board is None or state.shares_places else state.board.words

    def travel_words(self, state: FightState, combatant_id: str, steps: int, budget: int) -> str:
        """The cost of a way, and what is left of the budget that `travel` gives, in words."""
        cost = f"{steps} {self.travel_units(state)[steps != 1]}"
        if steps > budget:
            return f"needs {cost}; you have {budget}"
        return cost if budget >= FAR else f"{cost}, {budget - steps} left"

    def out_of_turn(self, state: FightState, command: Command) -> Command:
        """Return the command by which an act that a cue held back is done, such as a reaction: by default the act."""
        return command

    def sole_doer(self, state: FightState, kind: type[Command], /) -> str:
        """The id of the only one who can be meant by a command of a class in `implies_who`; empty for none."""
        return ""

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The command that resumes a walk interrupted by a cue; a cost that the GM has set has been paid."""
        rest = with_fields(command, {"path": getattr(command, "path", ())[step_count:]})
        return replace(rest, ground=0) if isinstance(rest, Move) and rest.ground is not None else rest

    # Showing

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The system's names for things under these settings."""
        sides = {side: side.title() for side in self.sides}
        health = f"{self.harm} left" if self.harm else self.health
        shared = {each.id: each.name for each in self.side_pools if each.name}
        return Words(self.title, self.round_name, self.phases, sides, {self.health: health, **shared, **self.pools})

    def sides_of(self, state: FightState) -> tuple[str, ...]:
        """The sides of a fight: the system's, then those that the GM has named, in the order of their combatants."""
        return tuple(dict.fromkeys((*self.sides, *(combatant.side for combatant in state.roster))))

    def groups(self, state: FightState) -> tuple[Group, ...]:
        """The groups of the roster: by default one for each side, in the order of the fight."""
        words, acting = self.words(state.settings), self.acting_side(state)
        titles = {side: words.side(side) for side in self.sides}
        return group_by_side(state.roster, titles, lambda side, _: "acting" if side and side == acting else "")

    def card(self, state: FightState, combatant_id: str) -> Card:
        """How the roster shows a combatant: its pools except those with a maximum of 0, `harm` as boxes, and badges."""
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
        """What the system has to show of a combatant besides pools, badges and effects."""
        return ()

    def aftermath(self, state: FightState) -> tuple[Section, ...]:
        """What remains to be done after the fight, such as wounds that heal; empty before its end."""
        return ()

    def marks(self, state: FightState, combatant_id: str) -> tuple[Mark, ...]:
        """The marks on the board for a combatant, or for nobody. Of two marks on a place, the later one is drawn."""
        return ()

    def declarations(self, state: FightState) -> tuple[Declaration, ...]:
        """What everybody declared and what came of it, in the system's order; empty if nothing is declared."""
        return ()

    def reminders(self, state: FightState) -> tuple[str, ...]:
        """What the GM should remember now."""
        return ()

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss to the players: going on that causes it takes two presses of the key."""
        return False

    def follows_attack(self, prompt: Prompt) -> bool:
        """Whether a question follows from an attack, so that it is asked in the panel of that attack."""
        return False

    def banner(self, state: FightState) -> Badge | None:
        """What holds for everybody now and must not be overlooked, such as higher prices."""
        return None

    def round_title(self, state: FightState, /) -> str:
        """The title of the running round, such as ``Moment 2``; empty outside rounds."""
        return f"{self.words(state.settings).round} {state.round}" if state.round else ""

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The heading of a step in the story: whose turn it is, else its phase, with the step if it is a `substep`."""
        actor = state.combatants.get(step.actor)
        if actor is not None:
            return actor.name or actor.id
        phase = self.words(state.settings).phases.get(step.phase, step.phase.title())
        return f"{phase} · {step.title}" if step.kind == self.substep else phase

    def phrase(self, event: Event, state: FightState, /) -> Phrase | None:
        """An event in words; None to leave it to the core. A phrase with neither text nor edge hides the event.

        By default the function in `phrases`, else the event's `TEXT`, with the names of people and places.
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
        """The package of its class, to be named in faults."""
        return type(self).__module__.partition(".")[0]

    @cached_property
    def folder(self) -> Path:
        """The folder with ``rules.toml`` and ``encounters``: of the system's package, or of the one it is based on."""
        modules = (sys.modules[kind.__module__] for kind in type(self).__mro__ if issubclass(kind, BaseSystem))
        folders = [Path(str(module.__file__)).parent for module in modules]
        return next((folder for folder in folders if (folder / "rules.toml").is_file()), folders[0])

    def rules(self) -> Mapping[str, str]:
        """Every rule's id with one line of what it says."""
        return {rule: str(entry["text"]) for rule, entry in _entries(self.folder).items() if rule != "phases"}

    def rule_words(self, rule: str) -> str:
        """A rule's title and id, to follow a refusal; empty for a name such as ``path``, which no GM knows."""
        title = str(_entries(self.folder).get(rule, {}).get("title", ""))
        return "" if rule.islower() else ", ".join(filter(None, (title, rule)))

    def phase_rules(self, phase: str) -> tuple[str, ...]:
        """The ids of the rules that matter in a phase; those of the set-up where none runs."""
        return tuple(cast("list[str]", _entries(self.folder).get("phases", {}).get(phase or "setup", [])))

    def guide(self) -> str:
        """The page of the guide on it, in Markdown: by default ``guide.md`` in its folder; empty if there is none."""
        page = self.folder / "guide.md"
        return page.read_text(encoding="utf-8") if page.is_file() else ""

    def encounters(self) -> Path:
        """The folder of the encounters it ships; it need not exist."""
        return self.folder / "encounters"


FINE = 1000
"""The parts of a unit in which measured steps are counted."""


@frozen
class Ways:
    """Where a combatant can walk on a grid in one mode of movement, and at what cost.

    Attributes:
        price: what a place of open ground costs.
        budget: what they can spend.
        closed_places: the places that they cannot enter, whatever the ground.
        stops: the places where a walk ends.
        is_measured: whether a step costs its length, so that it is farther across a square's corner.
    """

    board: AnyGrid
    start: Location
    price: int
    budget: int
    closed_places: frozenset[Location]
    stops: frozenset[Location]
    is_measured: bool = False

    def cost(self, place: Location) -> int | None:
        """What it costs to enter a place over its edge; None if that is impossible."""
        ground = self.board.cost_of(place)
        return None if ground is None else ground * self.price

    def _fine_cost(self, place: Location) -> int | None:
        cost = self.cost(place)
        return None if cost is None else cost * FINE

    def _extra(self, here: Location, there: Location) -> int:
        """What a step costs more than one over an edge, in fine parts."""
        longer = self.board.length(here, there) / self.board.scale - 1
        cost = self.cost(there) if longer else 0
        return round((self.price if cost is None else cost) * longer * FINE)

    def in_reach(self) -> dict[Location, int]:
        """Every place within the budget, with the least cost of getting there, rounded up."""
        fine = FINE if self.is_measured else 1
        costs = reach(
            self.board, self.start, self.budget * fine, cost=self._fine_cost if self.is_measured else self.cost,
            extra=self._extra if self.is_measured else None, closed_places=self.closed_places, stops=self.stops,
        )  # fmt: skip
        return {place: -(-cost // fine) for place, cost in costs.items()}

    def way_to(self, place: Location) -> tuple[Location, ...] | None:
        """The places entered on the cheapest way; None if there is no way."""
        return find_path(
            self.board, self.start, place, cost=self._fine_cost if self.is_measured else self.cost,
            extra=self._extra if self.is_measured else None, closed_places=self.closed_places, stops=self.stops,
        )  # fmt: skip

    def costs_along(self, way: Iterable[Location]) -> tuple[int, ...]:
        """The cost of a way up to each of its places, rounded up. Blocked ground counts as open."""
        totals, total, here = [], 0, self.start
        for place in way:
            cost = self.cost(place)
            total += (self.price if cost is None else cost) * FINE
            total += self._extra(here, place) if self.is_measured else 0
            totals.append(-(-total // FINE))
            here = place
        return tuple(totals)


def ways_of(
    system: BaseSystem, state: FightState, combatant_id: str, mode: str, closed_places: frozenset[Location]
) -> Ways | None:
    """The ways of a combatant in a mode of movement; None if the board is no grid."""
    board, start = grid_board(state.board), state.combatants[combatant_id].at
    if board is None or start is None:
        return None
    budget, stops = system.travel(state, combatant_id, mode)
    halts = frozenset(place for place in stops if isinstance(place, board.cell))
    price = system.step_price(state, combatant_id, mode)
    return Ways(board, start, price, budget, closed_places, halts, is_measured=system.measures_steps)
