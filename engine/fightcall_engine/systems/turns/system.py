"""The system Scenes, Rounds, Turns: its agenda (ST-06, ST-08, ST-12, ST-13), its data and its views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.agenda import StepEvents, TimeCommands
from fightcall_engine.kit.decision import Decision, lapse_offers
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import read_settings
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Words, require_always
from fightcall_engine.model.commands import Advance, Answer, Close, Command, Join, Move, Start, Strike, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ClockAdvanced, Event, FightClosed, OrderSet, StepSkipped
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar, Step
from fightcall_engine.model.values import replace
from fightcall_engine.systems.turns import entries, offers, reactions, records, rounds, scenes, views
from fightcall_engine.systems.turns.options import OPTION_KEYS, inputs_of, options_of, preview_of, rulings_of


class TurnAgenda(TimeCommands):
    """Free order, Initiative, and rounds in which every participant has a block of steps; see `rounds.block`.

    The end of a step has no event of its own: it follows from the beginning of the next one.
    """

    round_rule = "ST-06"
    stalled_question = "No one can act any more. End the Scene?"

    # Rounds

    def turns_in(self, state: FightState, step: Step) -> tuple[str, ...]:
        """A turn has several steps, so its clock is counted in them (`rounds.count_down`)."""
        return ()

    def steps_of_round(self, decision: Decision) -> tuple[Step, ...]:
        """ST-13: offers from the highest to the lowest, those after them who carry a delay over (Q-T5)."""
        state = decision.state
        delayers = rounds.carried_delayers(state)
        people = [combatant.id for combatant in state.roster if combatant.id not in delayers]
        return tuple(step for each in (*people, *delayers) for step in rounds.block(state.combatants[each]))

    def on_round_begin(self, decision: Decision) -> None:
        """ST-06: everybody waits for a turn."""
        delayers = rounds.carried_delayers(decision.state)
        rounds.count_down(decision, records.ROUND_START)
        people = [combatant for combatant in decision.state.roster if combatant.id not in delayers]
        decision.reset_trait(people, "turn", records.WAITING)
        records.clear_progress(decision)

    def on_round_end(self, decision: Decision) -> None:
        """ST-06, ST-08: durations count down, the clock moves by a range, and the next round begins."""
        rounds.count_down(decision, records.ROUND_END)
        clock_s, before = decision.state.clock_s, records.scene_of(decision.state).clock_spare_s
        spare = before + records.MOST_S - records.LEAST_S
        decision.emit(
            ClockAdvanced(seconds=records.LEAST_S, total=clock_s + records.LEAST_S),
            entries.ClockRangeAdvanced(before=before, value=spare, least_s=records.LEAST_S, most_s=records.MOST_S),
        )
        rounds.restore_order(decision)
        self.begin_round_or_ask(decision)

    def skipped_round_s(self, state: FightState) -> int:
        """ST-08: a round lasts up to a minute; skipped time counts full rounds only."""
        return records.MOST_S

    # Steps

    waiting = staticmethod(records.waiting)

    def acting_side(self, state: FightState) -> str:
        """The side of the combatant whose turn it is."""
        combatant = records.actor_of(state)
        return combatant.side if combatant is not None else ""

    def step_events(self, step: Step) -> StepEvents:
        """Steps end without an event."""
        return StepEvents(ended=None)

    def why_skipped(self, state: FightState, step: Step) -> str:
        """Why a place in the order passes without a turn. Free order, rolls and rests are never skipped."""
        return rounds.why_passed_over(state, step.actor) if step.kind == records.TURN else ""

    def skip_step(self, decision: Decision, index: int, reason: str) -> None:
        """Skip a place with all of its steps, that is, its owner's turn."""
        step = decision.state.agenda.steps[index]
        if step.phase != records.OFFER:
            return
        last = index + len(rounds.STEPS) - 1
        decision.emit(StepSkipped(index=last, phase=step.phase, side=step.side, reason=reason))
        combatant = decision.state.combatants.get(step.actor)
        turn = records.turn_state(combatant) if combatant is not None else records.PASSED
        if combatant is None or turn in records.OVER:
            return
        if not combatant.able:
            decision.emit(entries.TurnPassed(who=combatant.id, before=turn, cause=reason))
        elif records.settings_of(decision.state).unreturned_delay == "lost":
            decision.emit(entries.TurnForfeited(who=combatant.id, before=turn, cause=reason))
            rounds.change_order(decision, rounds.put_last(decision.state, combatant.id), reason)

    def begin_step(self, decision: Decision, index: int) -> None:
        """Offer a turn, or begin it if its owner has stepped in (ST-18)."""
        step = decision.state.agenda.steps[index]
        if step.phase != records.OFFER:
            super().begin_step(decision, index)
            return
        combatant = decision.state.combatants[step.actor]
        if records.turn_state(combatant) == records.STEPPING:
            rounds.begin_turn(decision, index, combatant)
        else:
            side, last = combatant.side, records.turn_state(combatant) == records.DELAYED
            decision.emit(entries.TurnOffered(index=index, phase=records.OFFER, side=side, who=combatant.id, last=last))
            # A combatant who has just delayed is not asked right away whether to step in, though its key still does it.
            asked = {event.who for event in decision.events if isinstance(event, entries.TurnDelayed)} | {combatant.id}
            others = [other for other in records.delayers(decision.state) if other.id not in asked]
            if last:
                decision.spawn(self._ask_about_last_place, combatant.id)
            if others:
                decision.spawn(offers.ask_who_steps_in, offers.step_in_prompt(combatant, others))

    def run_step(self, decision: Decision, step: Step) -> None:
        """Run the steps of a turn until there is a question, or an act is due; other steps wait for commands."""
        state = decision.state
        if step.kind == records.ROLL:
            # The last one without a result may have left, or cannot act any more (ST-12).
            if not records.is_roll_due(state) and any(each.able for each in state.combatants.values()):
                self.set_order_when_all_have_rolled(decision)
            return
        combatant = records.actor_of(state)
        if combatant is None or (step.phase == records.OFFER and combatant.able):
            return
        if step.phase == records.OFFER:
            # Nobody waits for a combatant who cannot act any more.
            decision.emit(entries.TurnPassed(who=combatant.id, before=records.turn_state(combatant), cause="can't act"))
            self.open_next_turn(decision)
        elif records.turn_state(combatant) != records.BEGUN:
            self.open_next_turn(decision)
        elif not rounds.run_step(decision, combatant):
            self.close_step(decision, "done")

    def open_next_turn(self, decision: Decision) -> None:
        """The next place in the order; after the last one the round ends."""
        self.open_step(decision, rounds.block_end(decision.state) + 1)

    # Commands

    waive_checks = staticmethod(offers.waive_checks)

    def start(self, decision: Decision, command: Start) -> None:
        """Begin rounds: open a Scene with Initiative, or switch from free order to Initiative."""
        state = decision.state
        mode = records.mode_of(state)
        if not state.combatants:
            raise Refused("ST-12", "there are no combatants to roll", ("join Ash",), final=True)
        if mode == "":
            decision.require(*scenes.open_checks(state))
            default_mode = records.settings_of(state).scene_mode
            scenes.begin_scene(decision, command.name, records.INITIATIVE if default_mode == "ask" else default_mode)
        elif mode == records.FREE:
            scenes.set_mode(decision, entries.SetMode(mode=records.INITIATIVE))
        elif mode == records.REST:
            raise Refused("ST-36", "a rest is under way", ("complete_rest", "interrupt"), final=True)
        elif records.is_in_rounds(state) and state.step is not None:
            message = f"Round {state.round} is still running; the next one starts by itself"
            raise Refused("ST-06", message, ("advance",), final=True)
        else:
            self.advance(decision, Advance())

    def move_on(self, decision: Decision, command: Command) -> None:
        """Go on: whatever is waiting takes its default."""
        state = decision.state
        mode, combatant = records.mode_of(state), records.actor_of(state)
        if mode == "":
            scenes.open_scene(decision, entries.OpenScene())
        elif mode == records.REST:
            scenes.end_rest(decision)
        elif mode == records.FREE:
            decision.emit(*lapse_offers(decision.state))
            scenes.look_round(decision)
        elif state.step is None:
            decision.emit(*lapse_offers(decision.state))
            self.begin_round_or_ask(decision)
        elif state.step.kind == records.ROLL:
            self.roll_for(decision, records.participants_to_roll(state))
        elif combatant is not None and state.phase == records.OFFER:
            offers.begin_offered_turn(decision, combatant)
        elif combatant is not None:
            offers.end_turn(decision, entries.EndTurn(who=combatant.id))

    def waive(self, decision: Decision, command: Waive) -> None:
        """Pass: in free order it counts as an opportunity, an offer is delayed, a running turn ends."""
        state, step = decision.state, decision.state.step
        if step is None or step.kind not in (records.FREE, records.TURN):
            raise Refused("ST-10", "no turn is on offer now", ("advance",), final=True)
        combatant_id = command.who or step.actor
        if step.kind == records.FREE:
            super().waive(decision, command)
        elif state.phase == records.OFFER:
            self.delay(decision, entries.Delay(who=combatant_id))
        else:
            offers.end_turn(decision, entries.EndTurn(who=combatant_id))

    def end_stalled(self, decision: Decision) -> None:
        """ST-06: nobody can act: close the Scene."""
        scenes.end_scene_unless_left_out(decision, None, "no one can act")

    def close(self, decision: Decision, command: Close) -> None:
        """End the fight, with the running Scene."""
        if decision.state.status == "setup":
            raise Refused("ST-01", "no Scene is open", ("open_scene",), final=True)
        reason = command.reason or "ended"
        if records.has_open_scene(decision.state):
            scenes.end_scene(decision, None, reason)
        decision.emit(FightClosed(reason=reason))

    @handles(entries.Delay)
    def delay(self, decision: Decision, command: entries.Delay) -> None:
        """ST-17: delay, and offer the next turn at once, so that the offer knows who has just delayed."""
        is_offered = records.is_offered(decision.state, decision.combatant(command.who).id)
        offers.delay_turn(decision, command)
        if is_offered:
            self.open_step(decision, decision.state.agenda.cursor + 1)

    # The last place

    @handles(entries.Forfeit)
    def forfeit(self, decision: Decision, command: entries.Forfeit) -> None:
        """ST-21: give up the last place: no turn in this round, and the last place in the next."""
        combatant = decision.combatant(command.who)
        require_always(offers.round_check(decision.state))
        decision.require(*offers.forfeit_checks(decision.state, combatant))
        if not records.is_offered(decision.state, combatant.id):
            raise Refused("ST-21", f"{combatant.name} isn't being offered a turn", ("end_turn",), final=True)
        self.lose_offered_turn(decision, combatant)

    def _ask_about_last_place(self, decision: Decision, combatant_id: str) -> None:
        combatant = decision.combatant(combatant_id)
        question = f"{combatant.name} delayed to the end of the round. Act now?"
        answers = ("act:act:y", "forfeit:forfeit:n")
        answer = decision.ask_about(combatant, "last_offer", "ST-21", question, *answers, default="act")
        if not answer.choice or not records.is_offered(decision.state, combatant_id):
            return
        if answer.choice == "forfeit":
            self.lose_offered_turn(decision, decision.combatant(combatant_id))
        else:
            offers.begin_offered_turn(decision, decision.combatant(combatant_id))

    def lose_offered_turn(self, decision: Decision, combatant: Combatant) -> None:
        """Lose the offered turn, and move to the last place (ST-21)."""
        offers.close_offer(decision, "forfeit")
        decision.emit(entries.TurnForfeited(who=combatant.id, before=records.turn_state(combatant), cause="passes"))
        rounds.change_order(decision, rounds.put_last(decision.state, combatant.id), "forfeited")
        self.open_next_turn(decision)

    # Initiative

    @handles(entries.Initiative)
    def roll_initiative(self, decision: Decision, command: entries.Initiative) -> None:
        """Roll for one, or for all without a result. Once all have one, set the order and begin Round 1."""
        state = decision.state
        combatant_id = decision.combatant(command.who).id if command.who else ""
        if command.die is not None and not combatant_id:
            raise Refused("who", "name the combatant who rolled", tuple(state.combatants), final=True)
        arrivals = [prompt for prompt in state.prompts if reactions.is_arrival(prompt, combatant_id)]
        if arrivals:
            # Q-T12: newcomers roll one after the other, and each is inserted before the next one rolls.
            for prompt in arrivals:
                decision.answer(prompt, Answer(prompt=prompt.id, choice="roll", amount=command.die))
            return
        if state.step is None or state.step.kind != records.ROLL:
            accepts = {"": ("open_scene",), records.FREE: ("set_mode initiative",)}.get(records.mode_of(state), ())
            raise Refused("ST-12", "no one needs to roll Initiative now", accepts, final=True)
        decision.require(*reactions.initiative_checks(state, combatant_id))
        self.roll_for(decision, (combatant_id,) if combatant_id else records.participants_to_roll(state), command.die)

    def roll_for(self, decision: Decision, people: tuple[str, ...], face: int | None = None) -> None:
        """ST-12: results, and with the last of them the order and the first round; `face` is a typed d20."""
        for combatant_id in people:
            rounds.roll_initiative(decision, combatant_id, face)
        self.set_order_when_all_have_rolled(decision)

    def set_order_when_all_have_rolled(self, decision: Decision) -> None:
        """ST-13..15: set the order and begin the first round, if nobody able is without a result."""
        if records.is_roll_due(decision.state) or not decision.state.combatants:
            return
        ranked_ids = rounds.rank_combatants(decision)
        decision.emit(OrderSet(order=ranked_ids, reason="Initiative"))
        decision.emit(*lapse_offers(decision.state))
        self.begin_round_or_ask(decision)


# The system Scenes, Rounds, Turns


class Turns(TurnAgenda, BaseSystem):
    """Scenes, Rounds, Turns."""

    id = "turns"
    title = "Scenes, Rounds, Turns"
    initiative = "speed"
    phase_rule = "ST-22"
    passing_phases = frozenset({records.END})
    record, fight_record = records.Participant, records.Scene
    effect_data = records.EffectTerms
    # Events of version 2 differ only in what questions kept, which nothing reads any more.
    version, upcasts = "3", (dict,)
    commands, events, aliases = entries.COMMANDS, entries.EVENTS, entries.ALIASES
    parts = (offers, rounds, reactions, scenes)
    settings = records.SETTINGS
    sides = records.SIDES
    lasting = frozenset({"effect_order", "no_free", "prepared"})
    lasting_in_round = frozenset({"turn"})
    own_traits = frozenset({"init_roll", "tie_d6"})
    clocks = records.CLOCKS
    lasting_harm = "each turn"
    option_keys = OPTION_KEYS
    implies_who = frozenset({entries.Take, entries.Delay, entries.StepIn, entries.Forfeit, entries.Act, Move, Strike})
    phrases, trails = views.PHRASES, views.TRAILS

    keeps_time = staticmethod(rounds.keeps_time)
    has_passed = staticmethod(rounds.has_passed)
    make_harmful = staticmethod(rounds.make_harmful)
    options = staticmethod(options_of)
    inputs = staticmethod(inputs_of)
    preview = staticmethod(preview_of)
    out_of_turn = staticmethod(offers.as_reaction)
    rulings = staticmethod(rulings_of)
    groups = staticmethod(views.groups_of)
    card = staticmethod(views.card_of)
    banner = staticmethod(views.banner_of)
    reminders = staticmethod(views.reminders_of)
    fields = staticmethod(views.fields_of)
    facts = staticmethod(views.facts_of)

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """End a turn that was left, and let nobody who has left pay for effects."""
        participant = records.participant_of(combatant)
        participant = participant if participant.turn != records.BEGUN else replace(participant, turn=records.DONE)
        payers = {"", combatant.id, *state.combatants}
        new_effects = tuple(
            replace(effect, data=replace(effect.data, payer=""))
            if isinstance(effect.data, records.EffectTerms) and effect.data.payer not in payers
            else effect
            for effect in combatant.effects
        )
        return super().as_returning(state, replace(combatant, record=participant, effects=new_effects), left_in)

    def round_title(self, state: FightState, /) -> str:
        """The title of the round while turns are taken; rests and free order are not part of one."""
        return super().round_title(state) if records.is_in_rounds(state) else ""

    def sheet_type(self) -> type[object]:
        """The model of a sheet; pydantic is imported only when one is read."""
        from fightcall_engine.systems.turns.sheet import TurnsSheet

        return TurnsSheet

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools: reserves on the sheet, no Actions before the first turn, and Reactions (Q-T3)."""
        pools: dict[str, Pool] = {}
        for name in records.RESTED:
            most, now = sheet.get(name), sheet.get(f"{name}_now")
            if isinstance(most, int):
                pools[name] = Pool(now if isinstance(now, int) else most, most)
        chosen = read_settings(records.TurnsSettings, settings)
        count = records.actions_per_turn(sheet, chosen)
        pools[records.ACTIONS] = Pool(0, count)
        pools[records.REACTIONS] = Pool(0 if chosen.reactions_at_scene_start == "none" else count, count)
        for daily in cast(list[Mapping[str, Json]], sheet.get("dailies") or []):
            most, left = cast(int, daily["max"]), daily.get("left")
            pools[records.DAILY + str(daily["name"])] = Pool(left if isinstance(left, int) else most, most)
        return pools

    def sole_doer(self, state: FightState, kind: type[Command], /) -> str:
        """The one who is offered the turn or whose turn runs (ST-13); for stepping in, the only delayer (ST-18)."""
        if kind is entries.StepIn:
            others = [each.id for each in records.delayers(state) if not records.is_offered(state, each.id)]
            return others[0] if len(others) == 1 else ""
        actor = records.actor_of(state)
        return actor.id if actor is not None else ""

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The rest of a walk, which costs nothing more: a walk is one Action, however far."""
        rest = super().rest_of_walk(state, command, step_count)
        return replace(rest, ground=0) if isinstance(rest, Move) else rest

    def loses(self, event: Event) -> bool:
        """Whether an event is the loss of a delayed turn (ST-21)."""
        return isinstance(event, entries.TurnForfeited)

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The words of the system, the same for all settings."""
        return records.WORDS
