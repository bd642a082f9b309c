"""`Homebrew`: the rule system of a game from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from fightcall_engine import kit
from fightcall_engine.homebrew import orders, records
from fightcall_engine.homebrew.acts import (
    TRIGGER,
    TURN_END,
    TURN_START,
    aim_checks,
    cause_of,
    end_condition,
    end_held,
    fire,
    harm_or_heal,
    make_save,
    perform,
    require_place,
    walk,
)
from fightcall_engine.homebrew.game import ActPart, GamePage, OrderPart, read_page
from fightcall_engine.homebrew.records import Cause, Delay, Intent, Participant, Perform, Table, participant_of
from fightcall_engine.homebrew.scene import (
    Game,
    Scene,
    act_checks,
    conditions_of,
    needs_of,
    price_text,
    trait_of,
    walk_budget,
    walk_checks,
)
from fightcall_engine.homebrew.views import acts_offered, guide_of, preview_of
from fightcall_engine.kit.agenda import REST
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.views import first_broken, require_always
from fightcall_engine.model.commands import Command, Join, Move, Strike
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import (
    AgendaChanged,
    DamageApplied,
    Downed,
    EffectBegan,
    EffectEnded,
    Event,
    LeftFight,
    Placed,
    Refilled,
    RulingRecorded,
    StepBegan,
)
from fightcall_engine.model.values import replace

_SILENT = kit.Phrase("", "plain")
MOST_PIPS = 4
"""The most marks for what a turn holds; more of it is a number."""
_INSTANT = (orders.UPKEEP, orders.CARRY_OUT)


def read_game(text: str, source: str) -> Homebrew:
    """The rule system that a file describes, `source` in messages; BadInput has one for each mistake."""
    return Homebrew(read_page(text, source))


class Homebrew(kit.BaseSystem):
    """A game from a file. Its commands, events and records are the same for every game; its words are the file's."""

    sheet, record, fight_record, effect_data = Participant, Participant, Table, Cause
    commands, events = records.COMMANDS, records.EVENTS
    clocks: Mapping[str, Mapping[str, str]] = {
        "round": {"end": kit.ROUND_END},
        "own": {"start": TURN_START, "end": TURN_END},
    }
    apart = frozenset({orders.NEXT})
    phrases: Mapping[type[Event], Callable[..., kit.Phrase | None]] = {
        records.TurnSpent: lambda event, state: _SILENT,
        records.TurnDone: lambda event, state: _SILENT,
        RulingRecorded: lambda event, state: _SILENT if _is_told_by_act(event, state) else None,
    }

    def __init__(self, game: GamePage) -> None:
        self.game = Game(game)
        self.id, self.title, self.version = game.id, game.title, game.version
        self.health = self.game.health
        self.harm = game.pools[self.health].counts_up
        self.pools = {
            **{name: self.game.label_of(name, pool.title) for name, pool in game.pools.items()},
            **{name: self.game.label_of(name) for name in game.turn},
        }
        self.sides = tuple(game.sides)
        self.side_pools = tuple(
            kit.SidePool(name, side, pool.max, min(pool.start, pool.max), self.game.label_of(name, pool.title))
            for name, pool in game.shared.items()
            for side in ((pool.side,) if pool.side else game.sides)
        )
        self.phases = {
            name: self.game.label_of(name, phase.title).capitalize() for name, phase in self.game.phases.items()
        }
        keys = {act.name: act.key for act in game.act if act.key}
        walking = {"move": game.walk.key} if game.walk is not None else {}
        delaying = {"delay": "z"} if any(order.delay for order in self.orders()) else {}
        self.option_keys = {**kit.BaseSystem.option_keys, **walking, **delaying, **keys}
        self.aliases = {act.name: ("Perform", {"act": act.name}) for act in game.act if act.name != "strike"}
        self.round_name, self.round_seconds = game.round.name, game.round.seconds
        self.round_rule = self.game.rule_of(game.round.rule, "round")
        self.move_rule = self.game.rule_of(game.walk.rule, "walk") if game.walk is not None and game.walk.rule else ""
        self.conditions = {condition.name: {"do": "add_effect", "name": condition.name} for condition in game.condition}
        self.phrases = {
            **type(self).phrases,
            EffectBegan: lambda event, state: self._tell(event.who, "is", event.effect.name, state),
            EffectEnded: lambda event, state: self._tell(event.who, "is no longer", event.name, state),
        }
        self.granted_pools = frozenset(game.turn)
        self.lasting = frozenset({"uses"})
        self.trails = {
            **{name: partial(self._explain_number, name) for name, value in game.sheet.items() if type(value) is int},
            **{act.name: partial(self._explain_needs, act) for act in game.act if act.needs},
        }

    # Joining

    def check_sheet(
        self, sheet: Mapping[str, kit.Json], where: str, settings: Mapping[str, kit.Scalar] | None = None
    ) -> Mapping[str, kit.Json]:
        """The sheet with the values of the file where it has none. Raises BadInput for what is wrong in it."""
        plain = self.game.page.sheet
        unknown = (name for name in sheet if name not in plain)
        problems = [f"{name}: unknown; accepted: {', '.join(plain) or 'nothing'}" for name in unknown]
        problems += [
            f"{name}: {value!r} isn't {_KINDS[type(plain[name])]}"
            for name, value in sheet.items()
            if name in plain and not _fits(value, plain[name])
        ]
        numbers = {name: (sheet.get(name), plain.get(name)) for name in self.game.page.pools}
        problems += [
            f"{name}: {value} is below zero; accepted: 0 or more"
            for name, (value, usual) in numbers.items()
            if isinstance(value, int) and isinstance(usual, int) and value < 0 <= usual
        ]
        if problems:
            raise BadInput(f"sheet of {where}", tuple(problems))
        return {**plain, **sheet}

    def sheet_schema(self, settings: Mapping[str, kit.Scalar] | None = None) -> Mapping[str, kit.Json]:
        """The JSON Schema of a sheet."""
        names = {bool: "boolean", int: "integer", float: "number", str: "string"}
        properties = {
            name: {"type": names[type(value)], "default": value, "title": self.game.label_of(name)}
            for name, value in self.game.page.sheet.items()
        }
        return {"type": "object", "title": self.title, "properties": properties, "additionalProperties": False}

    def starting_pools(
        self, settings: Mapping[str, kit.Scalar], join: Join, sheet: Mapping[str, kit.Json]
    ) -> Mapping[str, kit.Pool]:
        """The pools of the file; those of a turn are empty until it begins."""
        nobody = kit.Combatant("", "", join.name, join.side, sheet)
        scene = Scene(self.game, kit.FightState("", "", self.id, "", combatants={"": nobody}), "")
        pools: dict[str, kit.Pool] = {}
        for name, pool in self.game.page.pools.items():
            start = sheet.get(name) if pool.start is None else scene.number(pool.start)
            most = max(0, start) if isinstance(start, int) else 0
            pools[name] = kit.Pool(most, most)
        for name, formula in self.game.page.turn.items():
            most = max(0, scene.number(formula))
            # What is only used off turn is there from the beginning.
            pools[name] = kit.Pool(0 if name in self.game.turn_prices else most, most)
        return pools

    # The round

    def steps_of_round(self, decision: kit.Decision) -> tuple[kit.Step, ...]:
        """The steps of the next round, in the order of the file."""
        return orders.steps_of_round(self.game, decision)

    def is_instant(self, step: kit.Step) -> bool:
        """Whether nobody chooses anything in a step: upkeep, and what was declared."""
        return step.kind in _INSTANT

    def turns_in(self, state: kit.FightState, step: kit.Step) -> tuple[str, ...]:
        """Whose turn a step is: its actor's, or that of all who act together in it."""
        if step.kind in (orders.SIDE, orders.TOGETHER):
            return tuple(each.id for each in state.roster if step.side in ("", each.side))
        if step.kind == orders.TURN_OF_SIDE:
            active = kit.fight_record_of(state, Table).active
            return (active,) if active in state.combatants and step == state.step else ()
        return (step.actor,) if step.actor else ()

    def _may_take(self, state: kit.FightState, step: kit.Step) -> tuple[str, ...]:
        """Those who get what a turn holds as a step begins: whose turn it is, or all who may take it or declare."""
        if step.kind not in (orders.TURN_OF_SIDE, orders.DECLARE):
            return self.turns_in(state, step)
        people = (each for each in state.roster if step.side in ("", each.side))
        return tuple(each.id for each in people if not participant_of(each).has_gone)

    def can_act(self, state: kit.FightState, combatant: kit.Combatant, step: kit.Step) -> bool:
        """Whether a combatant has something to do in a step, which no condition takes away."""
        if not super().can_act(state, combatant, step):
            return False
        if any(condition.skips for condition in conditions_of(self.game, combatant)):
            return False
        if step.kind != orders.TURN_OF_SIDE:
            return True
        active = kit.fight_record_of(state, Table).active if step == state.step else ""
        return active == combatant.id or (not active and not participant_of(combatant).has_gone)

    def why_skipped(self, state: kit.FightState, step: kit.Step) -> str:
        """Why a step is skipped: the condition of its actor, or that nothing was declared."""
        actor = state.combatants.get(step.actor)
        if actor is not None and actor.able:
            skipping = next((each for each in conditions_of(self.game, actor) if each.skips), None)
            if skipping is not None:
                return f"is {self.game.label_of(skipping.name, skipping.title)}"
        if step.kind == orders.CARRY_OUT:
            return "" if actor is not None and participant_of(actor).declared is not None else "declared nothing"
        return super().why_skipped(state, step)

    def on_step_reached(self, decision: kit.Decision, step: kit.Step) -> None:
        """Roll the saves with which a turn begins against what would take it away."""
        super().on_step_reached(decision, step)
        for combatant_id in self._losers_of(decision.state, step):
            self._save(decision, combatant_id, "turn", skips=True)

    def skip_step(self, decision: kit.Decision, index: int, reason: str) -> None:
        """Skip a step. A turn that a condition takes away has its harm and its saves all the same."""
        step = decision.state.agenda.steps[index]
        loser_ids = self._losers_of(decision.state, step)
        super().skip_step(decision, index, reason)
        for combatant_id in loser_ids:
            if combatant_id in decision.state.combatants:
                self._harm_or_heal(decision, combatant_id)
            for moment, skips in (("turn", False), ("turn end", None)):
                if combatant_id in decision.state.combatants:
                    self._save(decision, combatant_id, moment, skips=skips)
            if step.kind in (orders.TURN_OF_SIDE, orders.CHOSEN) and combatant_id in decision.state.combatants:
                decision.set_traits(combatant_id, has_gone=True)
        if step.kind == orders.CHOSEN:
            orders.choose_next(self.game, decision, step)

    def _losers_of(self, state: kit.FightState, step: kit.Step) -> tuple[str, ...]:
        """Those whose turn conditions take away in a step in which nobody can act; one where it is one of a side's."""
        is_turn = step.kind not in _INSTANT and step.kind != orders.DECLARE and not step.id.endswith(REST)
        if not is_turn or any(self.can_act(state, each, step) for each in state.roster):
            return ()
        able = (each for each in map(state.combatants.__getitem__, self._may_take(state, step)) if each.able)
        losers = tuple(each.id for each in able if any(c.skips for c in conditions_of(self.game, each)))
        return losers[:1] if step.kind == orders.TURN_OF_SIDE else losers

    def waiting(self, state: kit.FightState) -> tuple[str, ...]:
        """Those who may act and have something left to do it with."""
        step = state.step
        waiting = super().waiting(state)
        if step is not None and step.kind == orders.DECLARE:
            return tuple(each for each in waiting if participant_of(state.combatants[each]).declared is None)
        return tuple(each for each in waiting if not self._is_spent(state, state.combatants[each]))

    def _is_spent(self, state: kit.FightState, combatant: kit.Combatant) -> bool:
        prices = set(self.game.turn_prices)
        if not kit.is_on_board(state, combatant) and self.game.page.walk is not None:
            prices &= {name for act in self.game.page.act for name in act.cost}
        return bool(prices) and not any(combatant.pool(name).now for name in prices)

    @kit.reacts_to(StepBegan)
    def begin_turns(self, decision: kit.Decision, event: StepBegan) -> None:
        """Fill what a turn holds, and let conditions harm and heal, before any clock ticks."""
        state = decision.state
        step = state.agenda.steps[event.index]
        decision.set_facts(active="")
        if step.id.endswith(REST):
            return
        for combatant_id in self._may_take(state, step):
            self._refill(decision, combatant_id, "turn")
        for combatant_id in self.turns_in(state, step):
            self._harm_or_heal(decision, combatant_id)

    def _harm_or_heal(self, decision: kit.Decision, combatant_id: str) -> None:
        for condition in tuple(conditions_of(self.game, decision.state.combatants[combatant_id])):
            if combatant_id in decision.state.combatants:
                harm_or_heal(self.game, decision, combatant_id, condition)

    def _take_turn(self, decision: kit.Decision, who: str) -> bool:
        """Begin the turn of whoever is the first to act for their side. Returns whether that leaves them able to."""
        state, step = decision.state, decision.state.step
        is_open = step is not None and step.kind == orders.TURN_OF_SIDE and not kit.fight_record_of(state, Table).active
        if step is None or not is_open or not self.can_act(state, state.combatants[who], step):
            return True
        decision.set_facts(active=who)
        self._harm_or_heal(decision, who)
        self._tick(decision, step, "start")
        self._begin_turn(decision, who)
        return who in decision.state.combatants and decision.state.combatants[who].able

    def _refill(self, decision: kit.Decision, combatant_id: str, when: str) -> None:
        combatant = decision.state.combatants[combatant_id]
        pools = tuple(name for name, pool in self.game.page.pools.items() if pool.refill == when)
        for name in (*pools, *(self.game.page.turn if when == "turn" else ())):
            if name not in combatant.pools:
                continue
            most = combatant.pool(name).max
            if name in self.game.page.turn:
                # What a turn holds may depend on conditions, such as one more action.
                most = max(0, Scene(self.game, decision.state, combatant_id).number(self.game.page.turn[name]))
            if combatant.pool(name) != kit.Pool(most, most):
                now = combatant.pool(name).now
                decision.emit(Refilled(who=combatant_id, pool=name, before=now, left=most, max=most))

    def on_round_begin(self, decision: kit.Decision) -> None:
        """Fill what a round fills, and let the triggers of its beginning go off."""
        for name, shared in self.game.page.shared.items():
            for side, pools in decision.state.side_pools.items():
                if shared.refill == "round" and name in pools:
                    decision.gain_for_side(side, pools[name].max, name)
        for combatant_id in tuple(decision.state.combatants):
            self._refill(decision, combatant_id, "round")
        self._fire_for_all(decision, "round begins")

    def on_round_end(self, decision: kit.Decision) -> None:
        """Let the triggers of the round's end go off, and its conditions count down."""
        self._fire_for_all(decision, "round ends")
        super().on_round_end(decision)

    def _fire_for_all(self, decision: kit.Decision, when: str) -> None:
        for combatant_id in tuple(decision.state.combatants):
            if combatant_id in decision.state.combatants:
                fire(self.game, decision, when, combatant_id)

    def on_step_begin(self, decision: kit.Decision, step: kit.Step) -> None:
        """Roll the saves that a turn begins with, let its triggers go off, and carry out what was declared."""
        for combatant_id in () if step.id.endswith(REST) else self.turns_in(decision.state, step):
            self._begin_turn(decision, combatant_id)
        if step.kind == orders.CARRY_OUT and step.actor in decision.state.combatants:
            self._carry_out(decision, step.actor)

    def _begin_turn(self, decision: kit.Decision, combatant_id: str) -> None:
        if combatant_id in decision.state.combatants:
            self._save(decision, combatant_id, "turn")
            fire(self.game, decision, "turn begins", combatant_id)

    def on_step_end(self, decision: kit.Decision, step: kit.Step) -> None:
        """Roll the saves that a turn ends with, and ask who goes next where somebody names them."""
        for combatant_id in self.turns_in(decision.state, step):
            if combatant_id in decision.state.combatants:
                self._save(decision, combatant_id, "turn end")
                fire(self.game, decision, "turn ends", combatant_id)
        if step.actor in decision.state.combatants and step.kind in (orders.TURN, orders.CHOSEN):
            self._end_turn(decision, decision.combatant(step.actor))
        active = kit.fight_record_of(decision.state, Table).active
        gone = active if step.kind == orders.TURN_OF_SIDE else step.actor if step.kind == orders.CHOSEN else ""
        if gone in decision.state.combatants:
            decision.set_traits(gone, has_gone=True)
        if step.kind == orders.CHOSEN:
            orders.choose_next(self.game, decision, step)

    def _end_turn(self, decision: kit.Decision, combatant: kit.Combatant) -> None:
        """Tell of a turn that ends with something left; one in which nothing was done has passed."""
        pools = {name: combatant.pool(name) for name in self.game.page.turn if name in self.game.turn_prices}
        if any(pool.now < pool.max for pool in pools.values()) and any(pool.now for pool in pools.values()):
            walk = self.game.page.walk
            of_walk = {*walk.cost, *walk.each_place} if walk is not None else set()
            few = {name: pool.now for name, pool in pools.items() if pool.now and name not in of_walk}
            unused = list_names([f"{count} {self.game.label_of(name)}" for name, count in few.items()])
            decision.emit(records.TurnEnded(who=combatant.id, unused=unused))

    def _save(self, decision: kit.Decision, combatant_id: str, moment: str, *, skips: bool | None = None) -> None:
        for condition in tuple(conditions_of(self.game, decision.state.combatants[combatant_id])):
            save = condition.save
            if save is None or save.at != moment or skips not in (None, condition.skips):
                continue
            cause = cause_of(decision.state, combatant_id, condition.name)
            scene = Scene(self.game, decision.state, combatant_id, cause)
            if make_save(self.game, decision, save, scene, roller=combatant_id):
                end_condition(decision, combatant_id, condition.name, reason="saved")

    # Acting

    @kit.handles(Perform)
    def do_act(self, decision: kit.Decision, command: Perform) -> None:
        """Do an act on one's turn, or declare it where all declare first."""
        if command.act not in self.game.acts:
            raise kit.Refused("act", f"there is no act {command.act!r}", tuple(self.game.acts), final=True)
        who, step = decision.combatant(command.who).id, decision.state.step
        act = self.game.acts[command.act]
        decision.require(
            kit.Check(act.offered, act.name, f"{act.name} is only done by triggers", tuple(self.option_keys))
        )
        if step is not None and step.kind == orders.DECLARE:
            self._declare(decision, command, act, who)
            return
        if self._take_turn(decision, who):
            perform(self.game, decision, command, *self.turn_checks(decision.state, who))
            self._end_deed(decision, who, is_last=act.ends_turn)

    def _end_deed(self, decision: kit.Decision, who: str, *, is_last: bool = False) -> None:
        is_over = is_last or not self.game.page.turn
        if is_over and decision.state.step is not None and who in decision.state.combatants:
            decision.emit(records.TurnDone(who=who))

    @kit.handles(Strike)
    def strike(self, decision: kit.Decision, command: Strike) -> None:
        """Do the act called ``strike``, if the game has one."""
        self.do_act(decision, _as_act(command))

    @kit.handles(Move)
    def move(self, decision: kit.Decision, command: Move) -> None:
        """Walk as far as the file allows, with whatever that sets off."""
        who = decision.combatant(command.who).id
        if self._take_turn(decision, who):
            can_walk = kit.Check(self.game.page.walk is not None, "walk", "no one walks in this game", ("an act",))
            walk(self.game, decision, command, can_walk, *self.move_checks(decision.state, who))
            self._end_deed(decision, who)

    @kit.handles(Delay)
    def delay(self, decision: kit.Decision, command: Delay) -> None:
        """Take one's turn later in the round."""
        who, after = decision.combatant(command.who).id, decision.combatant(command.after).id
        require_always(*orders.delay_checks(decision.state, who, after))
        decision.require(*self.delay_checks(decision.state, who, after))
        cursor = decision.state.agenda.cursor
        steps = orders.delay(decision, after)
        reason = f"{kit.name_of(decision.state, who)} waits until after {kit.name_of(decision.state, after)}"
        decision.emit(AgendaChanged(steps=steps, cursor=cursor, reason=reason))
        self.open_step(decision, cursor)

    def delay_checks(self, state: kit.FightState, who: str, after: str) -> tuple[kit.Check, ...]:
        """What it takes to let one's turn wait: that the order allows it, and a later turn to wait for."""
        order = orders.order_of(self.game, self.game.phases[state.phase]) if state.phase in self.game.phases else None
        allowed = kit.Check(order is not None and order.delay, "order", "no one waits in this game", ("pass",))
        return (allowed, *orders.delay_checks(state, who, after), *self.turn_checks(state, who))

    def _declare(self, decision: kit.Decision, command: Perform, act: ActPart, who: str) -> None:
        state = decision.state
        target = decision.combatant(command.target).id if command.target else ""
        decision.require(*act_checks(self.game, state, who, act), *self.turn_checks(state, who))
        if act.target in ("place", "area") and kit.is_on_board(state, state.combatants[who]):
            require_place(self.game, state, act, command.at)
        intent = Intent(act.name, target, command.at)
        before = participant_of(state.combatants[who]).declared
        does = self.game.title_of(act)
        decision.emit(
            records.Declared(who=who, trait="declared", before=before, value=intent, does=does, target=target)
        )

    def _carry_out(self, decision: kit.Decision, who: str) -> None:
        intent = participant_of(decision.state.combatants[who]).declared
        act = self.game.acts.get(intent.act) if intent is not None else None
        if intent is None or act is None:
            return
        state = decision.state
        broken = first_broken((*act_checks(self.game, state, who, act), *aim_checks(self.game, state, who, intent)))
        has_left = intent.target and intent.target not in state.combatants
        if broken is not None or has_left:
            reason = broken.message if broken is not None else "the target has left"
            decision.emit(records.Lapsed(who=who, does=self.game.title_of(act), reason=reason))
            return
        perform(self.game, decision, Perform(act=act.name, who=who, target=intent.target, at=intent.at))

    # What follows

    @kit.reacts_to(DamageApplied)
    def react_to_damage(self, decision: kit.Decision, event: DamageApplied) -> None:
        """Put whoever has no health left down, and let the triggers of harm go off."""
        super().react_to_damage(decision, event)
        if event.amount and event.who in decision.state.combatants:
            fire(self.game, decision, "is harmed", event.who, event.amount)

    @kit.reacts_to(records.Attempted)
    def react_to_attempt(self, decision: kit.Decision, event: records.Attempted) -> None:
        """Let the triggers of hits and misses go off."""
        if event.target in decision.state.combatants:
            fire(self.game, decision, "is hit" if event.hit else "is missed", event.target)

    @kit.reacts_to(Downed)
    def react_to_fall(self, decision: kit.Decision, event: Downed) -> None:
        """Let the triggers of a fall go off, and those of half a side being down."""
        fire(self.game, decision, "goes down", event.who)
        if event.who not in decision.state.combatants:
            return
        side = decision.state.combatants[event.who].side
        members = [each for each in decision.state.combatants.values() if each.side == side]
        down = sum(not each.able for each in members)
        if (down - 1) * 2 < len(members) <= down * 2:
            for member in members:
                if member.id in decision.state.combatants:
                    fire(self.game, decision, "half are down", member.id)

    @kit.reacts_to(EffectEnded)
    def react_to_end(self, decision: kit.Decision, event: EffectEnded) -> None:
        """End what the condition that is over has held on others."""
        end_held(self.game, decision, event.who, event.name)

    @kit.reacts_to(LeftFight)
    def react_to_departure(self, decision: kit.Decision, event: LeftFight) -> None:
        """Forget whoever leaves where others refer to them."""
        super().react_to_departure(decision, event)
        orders.forget_in_questions(decision)
        if kit.fight_record_of(decision.state, Table).active == event.who:
            decision.set_facts(active="")
        for each in decision.state.combatants.values():
            intent = participant_of(each).declared
            if intent is not None and intent.target == event.who:
                decision.set_traits(each.id, declared=None)
        for name in self.game.conditions:
            end_held(self.game, decision, event.who, name)

    @kit.reacts_to(Placed)
    def react_to_new_place(self, decision: kit.Decision, event: Placed) -> None:
        """Forget what whoever leaves the map has declared at a place of it."""
        combatant = decision.state.combatants.get(event.who)
        intent = participant_of(combatant).declared if combatant is not None else None
        if event.at is None and intent is not None and intent.at is not None:
            decision.set_traits(event.who, declared=None)

    # Offering

    def travel(self, state: kit.FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """How far a combatant can walk: what the file says, and what it can pay for."""
        return walk_budget(self.game, state, combatant_id), frozenset()

    def options(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Option, ...]:
        """The acts of the file, walking, passing, and waiting where the order allows it; none between turns."""
        if state.status != "running" or state.step is None:
            return ()
        turn_checks = self.turn_checks(state, combatant_id)
        offered_acts = acts_offered(self.game, state, combatant_id, turn_checks, self.option_keys)
        plain, walk = super().options(state, combatant_id), self.game.page.walk
        if walk is None:
            plain = tuple(each for each in plain if each.action != "move")
        elif walk.cost:
            price = price_text(self.game, state, combatant_id, walk.cost)
            plain = tuple(replace(each, cost=price) if each.action == "move" else each for each in plain)
        if "delay" not in self.option_keys:
            return (*offered_acts, *plain)
        later_ids = orders.turns_to_come(state)
        checks = self.delay_checks(state, combatant_id, next(iter(later_ids), ""))
        whom = kit.Input("after", "target", "after whom", choices=later_ids, default=next(iter(later_ids), ""))
        fixed, key = {"who": combatant_id}, self.option_keys["delay"]
        return (*offered_acts, *plain, kit.offer("delay", "wait", "Delay", key, checks, fixed=fixed, inputs=(whom,)))

    def move_checks(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Check, ...]:
        """What a walk needs."""
        return (*walk_checks(self.game, state, combatant_id), *self.turn_checks(state, combatant_id))

    def preview(self, state: kit.FightState, command: Command, trial: kit.Trial) -> kit.Preview:
        """The preview of a command; that of an act shows its line, price, chance and harm."""
        plain = super().preview(state, command, trial)
        if isinstance(command, Strike):
            command = _as_act(command)
        return preview_of(self.game, state, command, trial, plain)

    # Showing

    def words(self, settings: Mapping[str, kit.Scalar]) -> kit.Words:
        """The words of the file."""
        ticks = {TURN_START: "start of {who}'s turn", TURN_END: "end of {who}'s turn"}
        return replace(super().words(settings), ticks=ticks)

    def card(self, state: kit.FightState, combatant_id: str) -> kit.Card:
        """How the roster shows a combatant: what its turn still holds, its initiative, its conditions."""
        combatant, plain = state.combatants[combatant_id], super().card(state, combatant_id)
        step = state.step
        has_turn = step is not None and combatant_id in self.turns_in(state, step)
        turn = [name for name in self.game.page.turn if combatant.pool(name).max]
        idle = [name for name in turn if name in self.game.turn_prices and not has_turn]
        few = [name for name in turn if combatant.pool(name).max <= MOST_PIPS and name not in idle]
        pools = ((name, combatant.pool(name)) for name in few)
        pips = tuple(kit.Pips(name, ready=pool.now, spent=max(0, pool.max - pool.now)) for name, pool in pools)
        participant = participant_of(combatant)
        is_card = any(order.by == "cards" for order in self.orders())
        mark = "" if not (participant.is_rolled or participant.initiative) else str(participant.initiative)
        note = ""
        if is_card and participant.initiative:
            mark, note = "", orders.name_of_card(participant.initiative)
        elif participant.declared is not None and participant.declared.act in self.game.acts:
            note = self.game.title_of(self.game.acts[participant.declared.act])
        if state.status == "closed":
            mark = note = ""
        lasting = tuple(self._badge_of(effect) for effect in combatant.effects)
        shown_pools = tuple(name for name in plain.pools if name not in (*few, *idle))
        return replace(
            plain, pools=shown_pools, pips=pips, mark=mark, note=note, mark_name="initiative", lasting=lasting,
            acted=True if participant.has_gone else plain.acted,
        )  # fmt: skip

    def orders(self) -> Iterable[OrderPart]:
        """The orders of the round and of its phases."""
        every = (self.game.page.round.order, *(phase.order for phase in self.game.page.phase))
        return (each for each in every if each is not None)

    def _badge_of(self, effect: kit.Effect) -> kit.Badge | None:
        condition = self.game.conditions.get(effect.name)
        if condition is None:
            return None
        name = self.game.label_of(condition.name, condition.title)
        count = f" {effect.left}" if effect.left is not None and effect.left > 1 else ""
        return kit.Badge(f"{name}{count}", condition.tone, name)

    def details(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Section, ...]:
        """The numbers that conditions change, as they are now. The sheet is shown besides."""
        combatant = state.combatants[combatant_id]
        lines = []
        for name, plain in self.game.page.sheet.items():
            value = trait_of(self.game, state, combatant, name) if name not in combatant.pools else None
            base = combatant.sheet.get(name, plain)
            if value is not None and value != base:
                lines.append(kit.Detail(self.game.label_of(name), f"{value} ({base} on the sheet)"))
        return (kit.Section("Changed by conditions", tuple(lines), who=combatant_id),) if lines else ()

    def declarations(self, state: kit.FightState) -> tuple[kit.Declaration, ...]:
        """What has been declared in this round."""
        declared_acts = []
        for each in state.roster:
            intent = participant_of(each).declared
            if intent is not None and intent.act in self.game.acts:
                words = f"{self.game.title_of(self.game.acts[intent.act])} {kit.name_of(state, intent.target)}".strip()
                declared_acts.append(kit.Declaration(each.id, words, status="declared"))
        return tuple(declared_acts)

    def _tell(self, who: str, verb: str, name: str, state: kit.FightState) -> kit.Phrase | None:
        condition = self.game.conditions.get(name)
        if condition is None:
            return None
        text = f"{kit.name_of(state, who)} {verb} {self.game.label_of(name, condition.title)}"
        return kit.Phrase(text, "dim", follows=True)

    # Explaining

    def _explain_number(self, name: str, state: kit.FightState, combatant: kit.Combatant) -> kit.Trail:
        base = combatant.sheet.get(name, self.game.page.sheet.get(name, 0))
        scene = Scene(self.game, state, combatant.id)
        parts = [kit.TrailPart("on the sheet", str(base))]
        for condition in conditions_of(self.game, combatant):
            if name in condition.changes:
                label = self.game.label_of(condition.name, condition.title)
                rule = self.game.rule_of(condition.rule, condition.name)
                parts.append(kit.TrailPart(label, f"{scene.number(condition.changes[name]):+d}", rule))
        return kit.Trail(self.game.label_of(name), str(trait_of(self.game, state, combatant, name)), tuple(parts))

    def _explain_needs(self, act: ActPart, state: kit.FightState, combatant: kit.Combatant) -> kit.Trail:
        foe = next((each.id for each in state.roster if state.are_foes(each.id, combatant.id)), combatant.id)
        parts = needs_of(self.game, Scene(self.game, state, foe, combatant.id), act.needs, act.cover)
        return kit.Trail(f"{self.game.label_of(act.name)} needs", str(sum(int(part.value) for part in parts)), parts)

    # Rules in words

    def rules(self) -> Mapping[str, str]:
        """Every rule of the file in words: those of ``[rules]``, and those that stand with what they are about."""
        page = self.game.page
        entries: list[tuple[str, str]] = [("round", page.round.rule)]
        entries += [("walk", page.walk.rule)] if page.walk is not None else []
        entries += [(phase.name, phase.rule) for phase in page.phase]
        entries += [(act.name, act.rule) for act in page.act]
        entries += [(condition.name, condition.rule) for condition in page.condition]
        entries += [(each.asks or each.does or "trigger", each.rule) for each in page.trigger]
        own = {name: rule for name, rule in reversed(entries) if rule and rule not in page.rules}
        return {**own, **page.rules}

    def guide(self) -> str:
        """The page of the guide on the game, made from its file."""
        return guide_of(self.game)

    def rule_words(self, rule: str) -> str:
        """The name of a rule, to follow a refusal; empty for names that no GM knows."""
        if rule in self.game.page.rules:
            return rule
        return self.game.label_of(rule) if rule in self.rules() else ""

    def phase_rules(self, phase: str) -> tuple[str, ...]:
        """The rules of the acts of a phase, and of the phase itself."""
        rules = self.rules()
        own = self.game.phases[phase].rule if phase in self.game.phases else ""
        acts = [act for act in self.game.page.act if not act.phase or phase in act.phase]
        names = [self.game.rule_of(own, phase), *(self.game.rule_of(act.rule, act.name) for act in acts)]
        return tuple(dict.fromkeys(name for name in names if name in rules))


def _is_told_by_act(event: RulingRecorded, state: kit.FightState) -> bool:
    """Whether an answer needs no line: whose turn comes next is a heading, and a reaction tells of itself."""
    prompt = state.prompt(event.prompt)
    kind = prompt.kind if prompt is not None else ""
    return kind == orders.NEXT or (kind == TRIGGER and event.choice == "yes")


_KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}


def _fits(value: object, plain: bool | int | float | str) -> bool:
    """Whether a value of a sheet is of the kind that the file has; dice and numbers can stand for each other."""
    if isinstance(plain, bool) or isinstance(value, bool):
        return isinstance(plain, bool) and isinstance(value, bool)
    if isinstance(plain, int):
        return isinstance(value, int) and abs(value) <= 10**6
    return isinstance(value, int | float) if isinstance(plain, float) else isinstance(value, str | int)


def _as_act(command: Strike) -> Perform:
    return Perform(
        act="strike", who=command.who, target=command.target, hit=command.hit, damage=command.damage,
        rolls=command.rolls, force=command.force,
    )  # fmt: skip
