"""A Combat Segment: Actions owed, passes, its end, what advances it; and what follows from events (CS-004)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit import agenda
from fightcall_engine.kit.agenda import BY_GM, RoundEvents, StepEvents
from fightcall_engine.kit.decision import Decision, concerns, lapse_offers, record_moot
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import enforce, require_always
from fightcall_engine.model.commands import Command, Move, Start, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import (
    Detected,
    Downed,
    Events,
    FightClosed,
    Hid,
    Joined,
    Moved,
    Restored,
    Returned,
    RoundBegan,
    SettingChanged,
    StepBegan,
    StepEnded,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Step
from fightcall_engine.systems.segments.actions import ambushes, declarations, handling, moves, out_of_turn, surprises
from fightcall_engine.systems.segments.combat import blow_effects, feats, hit_effects, shooting, wound_effects
from fightcall_engine.systems.segments.round import order, rulings, steps
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.attacks import ReuseWindow, counters_restart
from fightcall_engine.systems.segments.rules.formulas import quarters
from fightcall_engine.systems.segments.state import commands, condition, events, paths, places, queries, small_acts
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.state.settings import settings_of


def slots_of(state: FightState, combatant: Combatant) -> int:
    """Actions owed in the running segment: by the Rate of Action, or by GM ruling (CS-007)."""
    by_gm = fighter_of(combatant).slots_ruled
    if by_gm is not None:
        return by_gm
    return formulas.slots(queries.own_segment(state, combatant), queries.rate_of_action(combatant))


_FRESH_BATTLE: Mapping[str, Json] = {
    "pass_number": 0, "pulse": 0, "met": (), "chances": (), "interrupted": "", "at_once": (), "order_reading": "",
}  # fmt: skip

_FRESH_FIGHTER: Mapping[str, Json] = {
    "init": None, "d10": None, "tie": 0, "moved": 0.0, "shortened": 0, "past": (), "uses": {}, "dodges": 0,
    "waiting": False, "inserted": "", "slots_ruled": None, "rest": 0.0, "broke": "", "halted_by": "", "speed": 0.0,
    "rate": "still", "turn_qa": 0, "rise_qa": 0, "drop_qa": 0, "grab_qa": 0,
}  # fmt: skip
"""The fields of a combatant that each segment resets (section 4.1, S1); planned movement continues (CS-181)."""


def _count_effects(state: FightState, combatant_id: str, moment: str) -> Events:
    combatant = state.combatants[combatant_id]
    due = tuple(effect for effect in agenda.due(state, combatant, moment) if effect.kind != "stun")
    time_events = agenda.count_down(state, combatant, due)
    return (*time_events, *rulings.catch_fire(time_events))


def _pass_segments(decision: Decision, number: int) -> None:
    """Let deadlines come as much nearer as the segments that the GM skips: of lives, Surprise and being put out."""
    for combatant in decision.state.roster:
        fighter = fighter_of(combatant)
        lives = {"life_until": fighter.life_until, "out_until": fighter.out_until}
        surprise = {"surprise_until": fighter.surprise_until, "surprise_wanes": fighter.surprise_wanes}
        if fighter.surprise == queries.WANING:
            surprise["surprise_sum"] = fighter.surprise_sum
        # A life without an end has 0, so that one that has ended has 1.
        traits = {name: max(1, last - number) for name, last in lives.items() if last}
        traits |= {name: max(0, last - number) for name, last in surprise.items()}
        decision.emit(*queries.set_traits(combatant, **traits))
    surprises.at_start(decision)
    decision.emit(*wound_effects.expire_lives(decision.state))
    feats.ask_if_back(decision)


def _begin_pass(decision: Decision, number: int) -> None:
    """CS-080: begin a pass; uses of those who have an Action in it are counted from zero (A-03)."""
    state = decision.state
    decision.emit(events.PassBegan(before=queries.pass_number(state), value=number))
    decision.emit(*queries.reset_trait(state.roster, "waiting", False))
    decision.emit(*queries.reset_trait(state.roster, "last_act", False))
    window: ReuseWindow = settings_of(state).reuse_window
    more = [
        combatant
        for combatant in queries.all_able(state)
        if queries.own_pass(state, combatant, number) > 1 and queries.has_slot(state, combatant, number)
    ]
    for combatant in more:
        decision.emit(*queries.set_traits(combatant, shortened=paths.quarters_taken(state, combatant)))
    for name in ("turn_qa", "rise_qa", "drop_qa", "grab_qa"):
        decision.emit(*queries.reset_trait(more, name, 0))
    restarting = [
        combatant
        for combatant in more
        if counters_restart(window, queries.own_pass(state, combatant, number), queries.actions_owed(combatant))
    ]
    decision.emit(*queries.reset_trait(restarting, "uses", {}))
    for name, value in (("dodges", 0), ("full_defence", None)):
        here = [decision.state.combatants[combatant.id] for combatant in restarting]
        decision.emit(*queries.reset_trait(here, name, value))


def _end_pass(decision: Decision) -> None:
    state = decision.state
    number = queries.pass_number(state)
    if not number:
        return
    for combatant in state.roster:
        if queries.has_slot(state, combatant, number):
            left = queries.actions_owed(combatant) - queries.own_pass(state, combatant, number)
            why = events.SlotUsed.LAPSED if combatant.able else "down"
            decision.emit(*small_acts.use_slot(combatant, left, why))
    decision.emit(events.PassEnded(number=number))


def end_segment(decision: Decision) -> None:
    """CS-030: end the segment: pain and Surprise wear off, long tasks go on (section 4.1, S9)."""
    decision.emit(*wound_effects.decay_stuns(decision.state))
    surprises.at_end(decision)
    for combatant in decision.state.roster:
        action = queries.action_of(combatant)
        if action.state == queries.COMMITTED:
            done = small_acts.task_progress(decision.state, combatant)
            due = small_acts.due_text(decision.state, combatant, action)
            decision.emit(events.ActionProgressed(who=combatant.id, traits={}, done=done, need=action.need, due=due))
    for combatant in decision.state.roster:
        decision.emit(*_count_effects(decision.state, combatant.id, queries.CS_END))
    decision.emit(*wound_effects.expire_lives(decision.state))
    decision.emit(*queries.set_fact(decision.state, "first", ""))
    handling.at_end(decision)


def _why_no_declaring(state: FightState, combatant: Combatant, number: int) -> str:
    action = queries.action_of(combatant)
    if action.state == queries.COMMITTED and queries.pass_number(state) == number:
        # What is due in this pass may be over by the next.
        return f"{small_acts.AT_WORK} on {action.text or action.kind}: {action.done} of {quarters(action.need)}"
    if queries.has_slot_to_come(state, combatant):
        return ""
    if queries.actions_owed(combatant) and not queries.has_slot(state, combatant, number):
        # Those who have sprung a Surprise have completed an Action, and still move in its turn (CS-052, CS-072).
        first = queries.own_pass(state, combatant, number) == 1
        return "" if first and (action.kind, action.cs) == (queries.SPRING, state.round) else "this Action is used"
    return ""


def _is_over(state: FightState, step: Step) -> bool:
    if step.kind == queries.INITIATIVE:
        return step != state.agenda.steps[-1] and not queries.without_initiative(state)
    if step.kind == queries.WAITS:
        return not queries.waiters(state)
    if step.kind == queries.IMPACTS:
        return not shooting.is_impact_due(state) and not state.questions
    if step.kind not in (queries.DECLARE, queries.RESOLVE):
        return False
    combatant = state.combatants.get(step.actor)
    if combatant is None or not queries.can_act(combatant):
        return True
    if step.kind == queries.DECLARE:
        return fighter_of(combatant).waiting
    return not state.questions and not queries.action_of(combatant).is_open


# The course of a contest


class SegmentAgenda(BaseSystem):
    """The agenda of Combat Segments."""

    round_name, round_rule, empty_rule, round_seconds = "Segment", "CS-031", "CS-004", formulas.SECONDS_A_SEGMENT
    round_events = RoundEvents(began=events.SegmentBegan, ended=events.SegmentEnded)
    end_rule, stalled_question = "CS-101", "No one can act anymore. End the contest?"

    def why_skipped(self, state: FightState, step: Step) -> str:
        """The reason why nothing happens in a step; else empty."""
        if step.kind == queries.IMPACTS:
            return "" if shooting.is_impact_due(state) else "nothing lands"
        if step.kind == queries.WAITS:
            return "" if queries.waiters(state) else "no one waits"
        if step.kind not in (queries.DECLARE, queries.RESOLVE):
            return ""
        combatant = state.combatants.get(step.actor)
        if combatant is None:
            return "has left"
        if not queries.can_act(combatant):
            return "down"
        if step.kind == queries.DECLARE:
            return _why_no_declaring(state, combatant, queries.step_pass(step))
        return small_acts.resolution_without_dice(state, combatant, queries.step_pass(step))[0]

    def why_over(self, state: FightState, step: Step) -> str:
        """The reason why the running step ends by itself; else empty."""
        return "everything is resolved" if _is_over(state, step) else ""

    def is_instant(self, step: Step) -> bool:
        """Whether a step is the end of a segment, in which nobody acts."""
        return step.kind == queries.CLOSE

    def step_events(self, step: Step) -> StepEvents:
        """The events with which a step begins, ends and is skipped."""
        return StepEvents(ended=None) if self.is_instant(step) else super().step_events(step)

    def begin_round(self, decision: Decision) -> None:
        """CS-031: begin a segment: new Actions, Initiative to come, a new roster; what lasted until now ends."""
        state = decision.state
        number = state.round + 1
        steps = (Step("initiative", queries.INITIATIVE, queries.INITIATIVE, "Initiative"),)
        newcomers = tuple(combatant.id for combatant in state.roster if not fighter_of(combatant).arrived)
        people = state.roster
        # The Actions owed depend on the segment of each combatant's own contest, so that is counted first.
        counting = decision.branch()
        counting.emit(RoundBegan(number=number, steps=steps), *queries.reset_trait(people, "slots_ruled", None))
        if newcomers:
            counting.emit(TraitsReset(figures=newcomers, trait="arrived", value=number))
        slots_owed = {
            combatant.id: slots_of(counting.state, combatant) if combatant.able else 0
            for combatant in counting.state.roster
        }
        # An Action that is owed later than in its first segment goes on, and its uses count on (CS-412, A-03).
        is_by_action = settings_of(state).reuse_window == "action"
        going_on = [
            each for each in people if is_by_action and each.id not in newcomers and not queries.actions_owed(each)
        ]
        decision.emit(events.SegmentBegan(number=number, steps=steps, slots=slots_owed))
        if newcomers:
            decision.emit(TraitsReset(figures=newcomers, trait="arrived", value=number))
        for name, value in _FRESH_FIGHTER.items():
            fresh = [each for each in people if name not in ("uses", "dodges") or each not in going_on]
            decision.emit(*queries.reset_trait(fresh, name, value))
        # Those whose Action is not due yet keep their full defence until then (CS-102).
        actions = ((each, queries.action_of(each)) for each in people)
        without_defence = [each for each, action in actions if action.kind != queries.DEFEND or not action.is_open]
        decision.emit(*queries.reset_trait(without_defence, "full_defence", None))
        for combatant in people:
            slots = combatant.pool(queries.SLOTS)
            owed = slots_owed[combatant.id]
            if (slots.now, slots.max) != (owed, owed):
                decision.emit(events.SlotsOwed(who=combatant.id, before=slots.now, left=owed, max=owed))
            action = queries.action_of(combatant)
            if action.state and not action.is_open:
                # A resolved Action is over; an open one continues (CS-102).
                here = decision.state.combatants[combatant.id]
                decision.emit(TraitsChanged(who=here.id, within=queries.changed_parts(here, state="")))
            decision.emit(*_count_effects(decision.state, combatant.id, "cs_start"))
        for name, first in _FRESH_BATTLE.items():
            decision.emit(*queries.set_fact(decision.state, name, first))

    def pass_time(self, decision: Decision, seconds: int) -> None:
        """Count down effects, and what lasts until a certain segment."""
        super().pass_time(decision, seconds)
        if seconds >= formulas.SECONDS_A_SEGMENT:
            _pass_segments(decision, seconds // formulas.SECONDS_A_SEGMENT)

    def on_step_reached(self, decision: Decision, step: Step) -> None:
        """CS-095: the first step of another pass ends the pass before it, even if it is skipped."""
        number, running = queries.step_pass(step), queries.pass_number(decision.state)
        if step.kind == queries.CLOSE or number not in (0, running):
            _end_pass(decision)
        if step.kind != queries.CLOSE and number not in (0, running):
            _begin_pass(decision, number)

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """Do what a step begins with: shots land, movement and Actions go on."""
        match step.kind:
            case queries.IMPACTS:
                shooting.land_shots(decision)
            case queries.PULSE:
                decision.emit(events.PulseTicked(before=battle_of(decision.state).pulse, value=step.number))
            case queries.CLOSE:
                end_segment(decision)

    def skip_step(self, decision: Decision, index: int, reason: str) -> None:
        """Skip a step, resolving a Resolution that needs no input."""
        state, step = decision.state, decision.state.agenda.steps[index]
        combatant = state.combatants.get(step.actor)
        if step.kind == queries.RESOLVE and combatant is not None and queries.can_act(combatant):
            decision.emit(*small_acts.resolution_without_dice(state, combatant, queries.step_pass(step))[1])
        super().skip_step(decision, index, reason)

    def run_step(self, decision: Decision, step: Step) -> None:
        """Let the running step do what it does by itself, after continuing interrupted movement."""
        if battle_of(decision.state).interrupted:
            paths.resume_movement(decision)
        else:
            super().run_step(decision, step)

    def follow_last_step(self, decision: Decision) -> None:
        """Begin the next segment as long as anybody can act."""
        self.begin_round_or_ask(decision)

    def advance(self, decision: Decision, command: Command) -> None:
        """Go on to the next step. Blocking questions with a default take it; others stay open."""
        with_default = [prompt for prompt in decision.state.prompts if prompt.blocking and prompt.default]
        if with_default:
            self.lapse(decision, with_default)
        else:
            super().advance(decision, command)

    def move_on(self, decision: Decision, command: Command) -> None:
        """Move on by GM ruling. If that is forced, an unresolved Action is given up unasked (CS-092)."""
        state = decision.state
        if state.step is None:
            self.start(decision, Start())
            return
        combatant = queries.actor_of(state)
        is_asked = combatant is not None and steps.is_asked(state, combatant)
        let_go = command.force or is_asked or state.prompt(steps.NO_WAY) is not None
        decision.emit(*lapse_offers(state))
        self._go_on(decision, let_go=let_go)

    def _go_on(self, decision: Decision, *, let_go: bool) -> None:
        """Move on; with `let_go` the GM has been asked about the due Action, or nobody runs."""
        state = decision.state
        kind, combatant = queries.kind_of(state), queries.actor_of(state)
        no_ways = steps.way_questions(state) if kind in (queries.DECLARE, queries.WAITS) and not let_go else ()
        if kind == queries.INITIATIVE:
            if queries.all_able(state):
                order.roll_initiatives(decision, queries.without_initiative(state), decision.dice)
            else:
                decision.spawn(self.ask_whether_over)
        elif kind == queries.PULSE:
            self._run_pulse(decision)
        elif moves.interrupted_movers(state) or battle_of(state).interrupted:
            paths.resume_movement(decision)
            moves.finish_moves(decision, moves.interrupted_movers(decision.state))
            if not decision.state.questions:
                self._go_on(decision, let_go=let_go)
        elif no_ways:
            for prompt in no_ways:
                decision.spawn(self._ask_way, prompt)
        elif kind == queries.DECLARE and combatant is not None:
            if not queries.action_of(combatant).is_open and combatant.able and declarations.can_wait(state, combatant):
                decision.emit(*declarations.start_waiting(combatant))
                return
            declarations.commit_action(decision, combatant)
            self.close_step(decision, BY_GM)
        elif kind == queries.RESOLVE and combatant is not None:
            question = None if let_go else steps.open_question(state, combatant)
            if question is None:
                decision.emit(*small_acts.pass_over_events(state, combatant))
            else:
                decision.spawn(steps.ask_unsettled, question)
        else:
            self.close_step(decision, BY_GM)

    def _run_pulse(self, decision: Decision) -> bool:
        """CS-232: move all on their paths in this Pulse; return whether it is over and the next step has begun."""
        steps.run_pulse(decision)
        if decision.state.questions or not steps.is_over(decision.state):
            return False
        self.close_step(decision, BY_GM)
        return True

    @handles(commands.RunPulses)
    def run_pulses(self, decision: Decision, command: commands.RunPulses) -> None:
        """Run Pulses until a combatant may interrupt, something is asked, or movement ends (CS-240)."""
        if command.pulses is not None and command.pulses < 1:
            accepts = ("1 or more", "leave it out: to the end")
            raise Refused("CS-230", f"can't run {command.pulses} Pulses", accepts, final=True)
        uses_pulses, run_check, no_question = steps.run_checks(decision.state)
        require_always(uses_pulses, run_check)
        enforce((no_question,), decision.referee)
        # Those who could have acted have let the mover pass; this is told, unlike an offer that lapses.
        decision.emit(*paths.decline_offers(paths.opportunity_prompts(decision.state)))
        decision.emit(*lapse_offers(decision.state))
        run = 0
        while queries.kind_of(decision.state) == queries.PULSE and run != command.pulses and self._run_pulse(decision):
            run += 1

    def waive(self, decision: Decision, command: Waive) -> None:
        """Waiving one's declaration is waiting (CS-160)."""
        combatant = decision.combatant(command.who) if command.who else queries.actor_of(decision.state)
        if combatant is None:
            raise Refused("CS-160", "it is no one's turn to declare", ("advance",), final=True)
        declarations.decide_wait(decision, commands.Wait(who=combatant.id))

    @handles(Move)
    def move(self, decision: Decision, command: Move) -> None:
        """Move: after trading a Reprisal (CS-484), or in movement."""
        if not out_of_turn.take_traded_move(decision, command):
            steps.decide_move(decision, command)

    def _ask_way(self, decision: Decision, question: Prompt) -> None:
        """CS-090, CS-539: keep the attack. Play continues after the last such question, unless another blocks it."""
        noted = decision.ask(question) is not None
        if noted and decision.state.prompt(steps.NO_WAY) is None and not decision.state.is_blocked():
            self._go_on(decision, let_go=True)


# Reactions to events, whatever caused them


@reacts_to(Joined)
def admit_newcomer(decision: Decision, event: Joined) -> None:
    """CS-034: a newcomer is owed Actions, unless it returns in the same segment, and is asked for Initiative."""
    combatant_id = event.who
    if decision.state.step is None or decision.state.round == 0:
        return
    decision.emit(TraitChanged(who=combatant_id, trait="arrived", before=0, value=decision.state.round))
    if not (isinstance(event, Returned) and event.left_in == decision.state.round):
        newcomer = decision.state.combatants[combatant_id]
        count, slots = slots_of(decision.state, newcomer), newcomer.pool(queries.SLOTS)
        decision.emit(events.SlotsOwed(who=combatant_id, before=slots.now, left=count, max=count))
    if queries.kind_of(decision.state) != queries.INITIATIVE:
        decision.spawn(order.ask_arrival, combatant_id)


@reacts_to(Hid, Detected)
def forget_hidden(decision: Decision, event: Hid | Detected) -> None:
    """Forget who has noticed a combatant that hides again, or comes into sight: it may leap from cover (CS-074)."""
    shooting.clear_noticed(decision, event.who)
    if isinstance(event, Detected):
        ambushes.react_to_leap(decision, event)


@reacts_to(Moved, events.WayPlanned, events.Confirmed)
def leap_from_cover(decision: Decision, event: Moved | events.WayPlanned | events.Confirmed) -> None:
    """CS-074, CS-264: offer a Surprise to a combatant who moves or shoots from hiding; who has a way isn't asked."""
    if isinstance(event, events.SegmentMoved | events.WayPlanned):
        prompts = decision.state.prompts
        asked = (each for each in prompts if (each.kind, each.who) == (steps.NO_WAY, event.who))
        decision.emit(*record_moot(asked, "has a way"))
    ambushes.react_to_leap(decision, event)


@reacts_to(events.LifeChanged)
def drop_questions_of_fallen(decision: Decision, event: events.LifeChanged) -> None:
    """Close the questions that only combatants who are up answer."""
    if event.life != queries.UP:
        decision.emit(*wound_effects.close_questions(decision.state, event.who))


@reacts_to(events.Hit, events.Missed)
def warn_of_rear(decision: Decision, event: events.Hit | events.Missed) -> None:
    """CS-305: a combatant who survives an attack from behind is aware of the foe there."""
    combatant, target = decision.state.combatants[event.attacker], decision.state.combatants[event.target]
    if target.able and places.field_of(decision.state, target, combatant) == "R":
        decision.emit(*queries.set_traits(target, warned=True))


@reacts_to(condition.KnockedBack)
def withdraw_meetings(decision: Decision, event: condition.KnockedBack) -> None:
    """CS-442: withdraw the offers to and about a combatant who has been driven out of reach."""
    state, lost = decision.state, []
    for prompt in paths.opportunity_prompts(state):
        people = (prompt.who, resume_of(prompt, OfferedOpportunity).other)
        if event.who in concerns(prompt) and all(each in state.combatants for each in people):
            taker, target = (state.combatants[each] for each in people)
            lost += [prompt] if paths.reach_of(state, taker, target) == "out" else []
    decision.emit(*record_moot(lost, "out of reach"))


@reacts_to(events.PathsCrossed)
def renew_chances(decision: Decision, event: events.PathsCrossed) -> None:
    """L2549: paths that meet again bring a new occasion."""
    chances = (pair for pair in battle_of(decision.state).chances if set(pair) != {event.who, event.other})
    decision.emit(*queries.set_fact(decision.state, "chances", tuple(chances)))


@reacts_to(events.OpportunityOffered, events.OpportunityTaken)
def use_chance(decision: Decision, event: events.OpportunityOffered | events.OpportunityTaken) -> None:
    """L2545, L2549: an occasion is for a single act, and lasts as long as its offer."""
    if isinstance(event, events.OpportunityTaken):
        combatant_id, other = event.who, event.target
    else:
        combatant_id, other = event.prompt.who, resume_of(event.prompt, OfferedOpportunity).other
    chances = dict.fromkeys((*battle_of(decision.state).chances, (combatant_id, other)))
    decision.emit(*queries.set_fact(decision.state, "chances", tuple(chances)))


@reacts_to(StepBegan)
def begin_step(decision: Decision, event: StepBegan) -> None:
    """Do what a step begins with, by its kind."""
    state = decision.state
    kind, combatant = queries.kind_of(state), queries.actor_of(state)
    if kind == queries.INITIATIVE:
        surprises.at_start(decision)
    elif kind == queries.RESOLVE:
        wound_effects.offer_rally(decision)
    elif kind == queries.PULSE:
        if all(step.kind != kind for step in state.agenda.steps[: state.agenda.cursor]):
            decision.emit(*moves.plan_approaches(state))
    elif kind == queries.DECLARE and combatant is not None:
        decision.spawn(out_of_turn.engage_mover, combatant)


@reacts_to(StepEnded)
def end_step(decision: Decision, event: StepEnded) -> None:
    """End heroic deeds that were for one Action, after its Resolution."""
    steps = decision.state.agenda.steps
    if 0 <= event.index < len(steps) and steps[event.index].kind == queries.RESOLVE:
        decision.emit(*feats.end_act_bonuses(decision.state, steps[event.index].actor))


@reacts_to(events.SegmentEnded)
def follow_end_of_segment(decision: Decision, event: events.SegmentEnded) -> None:
    """End rallies and charges, and ask about foes who were put out."""
    state = decision.state
    tries = tuple(each for combatant_id in state.combatants for each in wound_effects.end_rally(state, combatant_id))
    # The sprints of those who have stopped are over (CS-539).
    stopped = [each for each in state.roster if not steps.has_moved_in_pulse(state, each)]
    decision.emit(*tries, *queries.reset_trait(stopped, "sprint", 0))
    feats.ask_if_back(decision)
    hit_effects.ask_if_pinned(decision)


@reacts_to(SettingChanged)
def update_by_setting(decision: Decision, event: SettingChanged) -> None:
    """Update what depends on a changed setting."""
    state = decision.state
    decision.emit(*wound_effects.convert_pools(state, event), *rulings.refit_everybody(state, event))
    order.reorder_by_settings(decision, event)


@reacts_to(FightClosed)
def begin_aftermath(decision: Decision, event: FightClosed) -> None:
    """Plan healing, and ask for the cost of heroic deeds."""
    decision.emit(*wound_effects.begin_aftermath(decision.state))
    feats.ask_costs(decision)


@reacts_to(events.Resolved, events.ActionAborted)
def finish_action(decision: Decision, event: events.Resolved | events.ActionAborted) -> None:
    """Finish an Action: its helpers are done, and what waited for it follows."""
    # The questions about it, and whether a fallen combatant has a last act (CS-026), are settled.
    kinds = (declarations.LOST_TARGET, steps.UNSETTLED, steps.NO_WAY)
    stale = [prompt for prompt in decision.state.prompts if prompt.kind in kinds and prompt.who == event.who]
    last_act = queries.set_traits(decision.state.combatants[event.who], last_act=False)
    decision.emit(*record_moot(stale, "settled"), *last_act)
    _end_joint_work(decision, event.who, is_done=isinstance(event, events.Resolved))
    decision.emit(*shooting.finish_crossbow_action(decision.state, event.who))
    decision.spawn(shooting.bite_hands, event.who)
    decision.emit(*wound_effects.end_rally(decision.state, event.who))
    combatant = decision.state.combatants[event.who]
    if isinstance(event, events.Resolved) and queries.action_of(combatant).kind in queries.ATTACKS:
        # After its attack a combatant is standing; only an attack right after the run is a charge (CS-539).
        decision.emit(*queries.set_traits(combatant, sprint=0, rate="still"))
    blow_effects.offer_postponed(decision, event.who)


def _end_joint_work(decision: Decision, combatant_id: str, *, is_done: bool) -> None:
    """CS-136, CS-143: end the work of helpers too, and of a wearer whose helper has aborted it."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    for helper in declarations.helpers_of(state, combatant_id):
        if not is_done:
            decision.emit(*small_acts.abort_action(helper, "there is nothing left to help with"))
        elif not (queries.is_due(helper) and queries.slots_left(helper)):
            # A helper who is due now resolves it in its own turn.
            decision.emit(*small_acts.settle_action(state, helper, queries.DONE, "done"))
    wearer = None if is_done else state.combatants.get(fighter_of(combatant).helps)
    if wearer is not None and queries.action_of(wearer).is_open and queries.action_of(wearer).helper == combatant_id:
        decision.emit(*small_acts.abort_action(wearer, f"{combatant.name} is no longer helping"))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], helps=""))


_OWN_OFFERS = (
    paths.OFFER, out_of_turn.REACH, out_of_turn.AFTER, out_of_turn.ENGAGE, blow_effects.REPRISAL_PROMPT,
    ambushes.LEAP, wound_effects.RALLY, declarations.LOST_TARGET, steps.UNSETTLED, steps.NO_WAY,
    out_of_turn.MOVING_OFF,
)  # fmt: skip


@reacts_to(Downed)
def lie_down(decision: Decision, event: Downed) -> None:
    """CS-111: cancel what a fallen combatant meant to do or was offered, and offers on it; it lies down."""
    combatant_id = event.who
    if combatant_id not in decision.state.combatants:
        return
    offers = (
        prompt
        for prompt in decision.state.prompts
        if (prompt.who == combatant_id and prompt.kind in _OWN_OFFERS)
        or (prompt.kind in order.NEAR and combatant_id in concerns(prompt))
    )
    decision.emit(*record_moot(offers, "down"))
    declarations.cancel_when_down(decision, decision.state.combatants[combatant_id])
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], posture=queries.PRONE))
    hit_effects.release_of_fallen(decision, combatant_id)
    blow_effects.drop_presence_questions(decision, combatant_id)
    name = decision.state.combatants[combatant_id].name
    decision.emit(*feats.end_bonuses_against(decision.state, combatant_id, f"{name} is down"))


@reacts_to(Restored)
def get_up(decision: Decision, event: Restored) -> None:
    """A combatant gets up; it acts from the next segment, in this one only if it has Initiative."""
    combatant_id = event.who
    combatant = decision.state.combatants.get(combatant_id)
    if combatant is None:
        return
    if fighter_of(combatant).life != queries.UP:
        traits = {**condition.life_traits(combatant, queries.UP), "life_until": 0}
        decision.emit(events.LifeChanged(who=combatant_id, traits=traits, life=queries.UP))
    if decision.state.step is not None and queries.kind_of(decision.state) != queries.INITIATIVE:
        here = decision.state.combatants[combatant_id]
        if fighter_of(here).init is None:
            decision.spawn(order.ask_arrival, combatant_id)
        else:
            order.rearrange_segment(decision, "up again")
