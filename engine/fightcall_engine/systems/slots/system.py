"""The system class of Active Phase Encounters, and the course of an encounter.

Awareness, ordering and Initialization come first (AP-01..09). Full Rounds follow: a step for each band of the Cycle,
the close, in which reserves are lost, and Upkeep (AP-28).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.agenda import RoundEvents, StepEvents
from fightcall_engine.kit.decision import Decision, open_kinds, record_answer
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import read_settings
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Check, Input, Mark, Option, Setting, require_always
from fightcall_engine.model.commands import Command, Join, Move, Start
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, RulingRecorded, StepEnded
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Prompt, Scalar, Step
from fightcall_engine.model.values import replace
from fightcall_engine.systems.slots import (
    acts,
    consequences,
    entries,
    ongoing,
    preparation,
    records,
    rounds,
    upkeep,
    views,
    works,
)
from fightcall_engine.systems.slots.entries import COMMANDS, EVENTS, HesitationLost, MultiRoundLost
from fightcall_engine.systems.slots.options import OPTION_KEYS, options_of, preview_of
from fightcall_engine.systems.slots.rounds import BAND, CLOSING, UPKEEP, VOLUNTEER
from fightcall_engine.systems.slots.views import PHRASES, TRAILS

_IN_A_ROUND = (BAND, VOLUNTEER, UPKEEP)
_BAND_EVENTS = StepEvents(entries.ActivePhaseBegan, entries.BandEnded, entries.BandSkipped)
_STEP_EVENTS = {
    records.AWARENESS: StepEvents(entries.AwarenessBegan),
    records.ORDERING: StepEvents(entries.OrderingBegan),
    records.INITIALIZATION: StepEvents(entries.InitializationBegan, entries.InitializationEnded),
    BAND: _BAND_EVENTS,
    VOLUNTEER: _BAND_EVENTS,
    CLOSING: StepEvents(entries.HesitationBegan, None, None),
    UPKEEP: StepEvents(entries.UpkeepBegan, entries.UpkeepEnded),
}

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "begin_encounter": ("Start", {}),
    "end_active_phase": ("EndAP", {}),
    "shared": ("Handle", {"shared": True}),
    "minor": ("Handle", {}),
    "multi_round": ("Begin", {}),
    "pay": ("Continue", {}),
    "condition": ("AddEffect", {}),
    "inflict": ("Affect", {}),
    "threats_over": ("Rule", {"what": "threats_over"}),
    "threats_back": ("Rule", {"what": "threats_back"}),
    "all_resolve": ("Outro", {"choice": "all_resolve"}),
    "slow_burn": ("Outro", {"choice": "slow_burn"}),
}


class EncounterAgenda(BaseSystem):
    """The agenda of Active Phase Encounters."""

    round_name, round_rule, round_seconds = "Full Round", "AP-11", records.ROUND_SECONDS
    round_events = RoundEvents(
        entries.EncounterBegan, entries.EncounterEnded, entries.FullRoundBegan, entries.FullRoundEnded
    )

    # Steps

    def step_events(self, step: Step) -> StepEvents:
        """The events with which a step begins, ends and is skipped."""
        if step.phase == "final":
            return StepEvents(entries.ActivePhaseBegan, entries.FinalPhaseEnded, entries.BandSkipped)
        return _STEP_EVENTS[step.kind]

    def turns_in(self, state: FightState, step: Step) -> tuple[str, ...]:
        """An Active Phase ends by itself, so its clock is counted with it (`upkeep.count_at_phase`)."""
        return ()

    steps_of_round = staticmethod(rounds.prepare_round)

    def waiting(self, state: FightState) -> tuple[str, ...]:
        """The ids of the PCs in their Active Phase who can act."""
        active = state.phase in records.ROUND_PHASES
        return tuple(combatant.id for combatant in records.actives(state) if combatant.able) if active else ()

    def acting_side(self, state: FightState) -> str:
        """The side of the active PCs, if they are of the same."""
        sides = {combatant.side for combatant in records.actives(state)}
        return sides.pop() if len(sides) == 1 else ""

    def why_skipped(self, state: FightState, step: Step) -> str:
        """AP-15, Q-A7: the reason to skip a band in which nobody has an Active Phase left; else empty."""
        if step.kind not in (BAND, VOLUNTEER) or rounds.members_gaining_slots(state, step):
            return ""
        names = rounds.band_names(state, rounds.step_band(state, step)) or step.title
        people = (records.fighter_of(state.combatants[each]) for each in rounds.members(state, step))
        had = any(fighter.ap != records.WAITING for fighter in people)
        why = "already had an Active Phase" if had else "can't act"
        return f"{names} {why}"

    def why_over(self, state: FightState, step: Step) -> str:
        """The reason why the running step ends by itself; else empty."""
        match step.kind:
            case records.AWARENESS if records.pcs(state) and not preparation.missing_results(state):
                return "everyone has rolled"
            case records.ORDERING if len(rounds.bands(state)) < 2:
                return "there is no later place to Stay for"
            case records.ORDERING if not any(prompt.kind in preparation.STAY_KINDS for prompt in state.prompts):
                return "no one Stays"
            case records.INITIALIZATION if not preparation.missing_results(state):
                return "locked"
            case rounds.BAND | rounds.VOLUNTEER if rounds.is_band_over(state, step):
                return "everyone has spent or converted their slots"
            case rounds.UPKEEP if upkeep.is_over(state) and not upkeep.is_end_due(state):
                return "everything is resolved"
        return ""

    # What happens in steps

    def begin_round(self, decision: Decision) -> None:
        """AP-11, AP-48: begin the next Full Round; its first band gains slots later, in `settle_step`."""
        began = entries.SlowBurnRoundBegan if records.is_slow_burn(decision.state) else entries.FullRoundBegan
        steps = self.steps_of_round(decision)
        decision.emit(began(number=decision.state.round + 1, steps=steps))

    def begin_step(self, decision: Decision, index: int) -> None:
        """Begin the step at an index of the agenda; the PCs of a band gain slots (AP-03, AP-14)."""
        if decision.state.agenda.steps[index].kind in (BAND, VOLUNTEER):
            rounds.begin_band(decision, index)
        else:
            super().begin_step(decision, index)

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """Ask, order or lose what belongs to the beginning of a step."""
        match step.kind:
            case records.AWARENESS:
                preparation.ask_missing(decision)
            case records.ORDERING:
                rounds.order_cycle(decision, rounds.bands_by_result(decision.state), "Awareness")
                decision.spawn(preparation.ask_stay)
            case records.INITIALIZATION:
                decision.spawn(preparation.ask_init)
            case rounds.CLOSING:
                rounds.lose_all_slots(decision)
                super().end_round(decision)
            case rounds.UPKEEP:
                rounds.end_stays(decision)
                upkeep.begin(decision)

    def on_step_end(self, decision: Decision, step: Step) -> None:
        """AP-07: lock the Cycle after Initialization; AP-42: clear the records of Upkeep after it."""
        if step.kind == records.INITIALIZATION:
            rounds.lock(decision)
        elif step.kind == UPKEEP:
            decision.set_facts(upkeep="", until="", outside="")

    def on_round_end(self, decision: Decision) -> None:
        """AP-28: go on to Upkeep, the last step of the round's agenda."""
        self.begin_step(decision, len(decision.state.agenda.steps) - 1)

    def pass_time(self, decision: Decision, seconds: int) -> None:
        """AP-44: count down effects and marks of zones, and go on with the work of NPCs (AP-05)."""
        super().pass_time(decision, seconds)
        rounds_passed = seconds // self.skipped_round_s(decision.state)
        if rounds_passed:
            ongoing.count_down_marks(decision, rounds_passed)
            works.go_on_in_skipped_time(decision, rounds_passed)

    def end_round(self, decision: Decision) -> None:
        """AP-11, AP-42: begin the next round after the last step."""
        self.begin_round(decision)

    def settle_step(self, decision: Decision) -> None:
        """Do the next thing that happens by itself while no question is open."""
        state, step = decision.state, decision.state.step
        if state.status == "running" and state.round and state.agenda.cursor == -1:
            # The first band does not wait for answers, such as the result of a PC who was locked in without one.
            self.open_step(decision, 0)
            return
        if state.status == "running" and step is not None and step.kind == BAND and not rounds.update_agenda(decision):
            rounds.renew_last_call(decision)
        if not decision.events:
            super().settle_step(decision)

    def run_step(self, decision: Decision, step: Step) -> None:
        """Let the running step do what it does by itself; close it if that is nothing and it is over."""
        if step.kind == UPKEEP:
            is_waiting = "upkeep" in open_kinds(decision.state)
            if not is_waiting and not upkeep.do_next_part(decision) and upkeep.is_end_due(decision.state):
                decision.spawn(upkeep.ask_for_end)
        elif step.kind in (BAND, VOLUNTEER) and not records.encounter_of(decision.state).until:
            rounds.settle_band(decision, step)
        elif step.kind in (BAND, VOLUNTEER) and not rounds.end_all(decision, "closed"):
            # The GM goes on to Upkeep: PCs who have not had their Active Phase lose it in this round.
            index, steps = decision.state.agenda.cursor, decision.state.agenda.steps
            event_type = self.step_events(step).ended or entries.BandEnded
            decision.emit(event_type(index=index, phase=step.phase, side=step.side, reason="on to Upkeep"))
            self.begin_step(decision, next(place for place, other in enumerate(steps) if other.kind == CLOSING))
        if not decision.events:
            super().run_step(decision, step)

    # Commands

    def start(self, decision: Decision, command: Start) -> None:
        """Begin the encounter (AP-01). Later rounds begin by themselves (AP-11)."""
        if decision.state.status != "setup":
            message = "the encounter has started; the next round starts by itself"
            raise Refused("AP-11", message, ("advance",), final=True)
        preparation.begin(decision)

    def advance(self, decision: Decision, command: Command) -> None:
        """Go on to the next step. Advancing past a question of Upkeep resolves the rest of Upkeep without asking."""
        blocking = {prompt.kind for prompt in decision.state.prompts if prompt.blocking}
        super().advance(decision, command)
        if blocking & {"upkeep", "upkeep_effect"}:
            upkeep.resolve_at_once(decision)

    def move_on(self, decision: Decision, command: Command) -> None:
        """Close the running step, or ask for what it still lacks."""
        if decision.state.step is None:
            self.start(decision, Start())
            return
        self.lapse(decision, decision.state.prompts)
        missing = preparation.missing_results(decision.state)
        match decision.state.step:
            case Step(kind=records.AWARENESS | records.INITIALIZATION) if missing:
                preparation.ask_missing(decision)
            case Step(kind=records.ORDERING):
                self.close_step(decision, "no one Stays")
            case Step(kind=records.INITIALIZATION):
                self.close_step(decision, "locked")
            case Step(kind=rounds.BAND | rounds.VOLUNTEER):
                # If play waits for reserves to be spent, the round closes.
                if (
                    not rounds.end_all(decision, "closed")
                    and records.encounter_of(decision.state).last_call == records.SPEND
                ):
                    decision.set_facts(last_call=records.CLOSE)

    @handles(entries.Order)
    def show_order(self, decision: Decision, command: entries.Order) -> None:
        """AP-02: list the Cycle, once every PC has an Awareness result."""
        if decision.state.phase != records.AWARENESS:
            raise Refused("AP-02", "roll Awareness before setting the order", ("start",), final=True)
        require_always(preparation.results_check(decision.state))
        self.close_step(decision, "everyone has rolled")

    @handles(entries.Lock)
    def lock(self, decision: Decision, command: entries.Lock) -> None:
        """AP-07: lock the Cycle, from ordering or Initialization; open questions take their defaults."""
        if records.encounter_of(decision.state).locked:
            raise Refused("AP-07", "the Cycle is already locked", ("advance",), final=True)
        if decision.state.phase not in (records.ORDERING, records.INITIALIZATION):
            raise Refused("AP-07", "there is no order to lock yet", ("start", "order"), final=True)
        decision.require(preparation.results_check(decision.state))
        preparation.close_questions(decision)
        if decision.state.phase == records.ORDERING:
            # AP-07: the questions of Initialization are skipped.
            decision.emit(StepEnded(index=1, phase=records.ORDERING, reason="locked"))
            decision.emit(entries.InitializationBegan(index=2, phase=records.INITIALIZATION))
        self.close_step(decision, "locked")

    @handles(entries.RoundStart)
    def start_round(self, decision: Decision, command: entries.RoundStart) -> None:
        """AP-11: go on to the next Full Round, from Initialization or from Upkeep."""
        state = decision.state
        if state.phase in (records.ORDERING, records.INITIALIZATION):
            self.lock(decision, entries.Lock())
        elif state.step is not None and state.step.kind == UPKEEP:
            self.advance(decision, command)
        else:
            why = f"Full Round {state.round} is still running" if state.round else "there is no Cycle yet"
            raise Refused("AP-11", why, ("lock", "upkeep"), final=True)

    @handles(entries.Upkeep)
    def go_through_upkeep(self, decision: Decision, command: entries.Upkeep) -> None:
        """AP-42: go through Upkeep without further questions, after closing the round if it still runs."""
        state, step = decision.state, decision.state.step
        if step is None or step.kind not in _IN_A_ROUND:
            raise Refused("AP-42", "no Full Round is running", ("start", "lock"), final=True)
        late_names = [state.combatants[combatant_id].name for combatant_id in rounds.later_members(state)]
        late = f"still to have an Active Phase: {', '.join(late_names)}"
        decision.require(Check(not late_names, "AP-26", late, ("advance",)))
        if step.kind != UPKEEP:
            self.lapse(decision, state.prompts)
            decision.set_facts(outside=command.outside or records.encounter_of(state).outside, until=records.UPKEEP)
            return
        question: Prompt | None = next((prompt for prompt in state.prompts if prompt.kind == "upkeep"), None)
        if question is not None and command.outside:
            decision.emit(record_answer(question, command.outside, default=False))
        else:
            self.lapse(decision, tuple(prompt for prompt in state.prompts if prompt.blocking or prompt == question))
        if question is not None:
            upkeep.resolve_at_once(decision)


# The system class, which engine and screen ask; the modules beside it answer


class Slots(EncounterAgenda):
    """The rule system of Active Phase Encounters."""

    id, version, title = "slots", "2", "Active Phase Encounters"
    initiative = "awareness"
    record, fight_record, effect_data = records.Fighter, records.Encounter, records.PulseDice
    commands, events, aliases = COMMANDS, EVENTS, ALIASES
    settings: tuple[Setting, ...] = records.SETTINGS
    sides = records.SIDES
    own_traits = frozenset({"awareness", "place", "home"})
    lasting = frozenset({"kind", "agility", "vulnerable", "dead"})
    lasting_in_round = frozenset({"ap", "interrupted", "acted_round", "last_act", "lost"})
    granted_pools = frozenset({records.SLOTS, records.RESERVED})
    clocks = records.CLOCKS
    lasting_harm = "each Upkeep"
    conditions: Mapping[str, str | Mapping[str, Json]] = {
        "vulnerable": {"do": "Adjust", "what": "vulnerable", "value": True},
        "dead": {"do": "Rule", "what": "fate", "value": "dead"},
    }
    option_keys = OPTION_KEYS
    phrases, trails = PHRASES, TRAILS
    parts = (preparation, rounds, acts, ongoing, works, upkeep, consequences)

    keeps_time = staticmethod(records.keeps_time)
    has_passed = staticmethod(records.has_passed)
    make_harmful = staticmethod(upkeep.make_harmful)
    options = staticmethod(options_of)
    preview = staticmethod(preview_of)
    out_of_turn = staticmethod(acts.as_reaction)
    rulings = staticmethod(consequences.rulings_for)
    words = staticmethod(records.words_of)
    groups = staticmethod(views.groups)
    card = staticmethod(views.card)
    declarations = staticmethod(views.declarations)
    reminders = staticmethod(views.reminders)
    banner = staticmethod(views.banner)
    fields = staticmethod(views.fields)
    facts = staticmethod(views.facts)

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The rest of a stopped walk, with the ground still to be paid for: stopping makes a walk no dearer."""
        rest = super().rest_of_walk(state, command, step_count)
        if not isinstance(rest, Move) or not isinstance(command, Move) or command.ground is not None:
            return rest
        return replace(rest, ground=acts.ground_left(state, command, step_count))

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss: slots (AP-25, AP-27), work and its price (AP-36), an NPC's turn (AP-05)."""
        is_unasked = isinstance(event, RulingRecorded) and (event.rule, event.note) == ("AP-05", records.UNASKED)
        return is_unasked or isinstance(event, HesitationLost | MultiRoundLost)

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The names of the PCs in a step's band, after the phase in the Final Phase; without a band the phase."""
        names, phase = rounds.band_names(state, step.members), super().part_name(state, step)
        return (f"{phase} · {names}" if step.phase == "final" else names) if names else phase

    def sheet_type(self) -> type[object]:
        """The model of a sheet. It is imported here because importing pydantic is slow."""
        from fightcall_engine.systems.slots.sheet import SlotsSheet

        return SlotsSheet

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a new combatant: slots for a PC, none gained yet (AP-14); hit points if the sheet has them."""
        pools: dict[str, Pool] = {}
        if self._is_pc(join, sheet):
            added = cast(int, sheet.get("agility") or 0) + sum(records.slot_mods(sheet).values())
            total = max(read_settings(records.SlotsSettings, settings).slot_floor, records.BASE_SLOTS + added)
            pools = {records.SLOTS: Pool(0, total), records.RESERVED: Pool(0, total)}
        hp = sheet.get("hp")
        if isinstance(hp, int):
            maximum = sheet.get("hp_max")
            pools["hp"] = Pool(hp, max(hp, maximum) if isinstance(maximum, int) else hp)
        return pools

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> records.Fighter:
        """AP-04, AP-12, AP-30: the record of a new combatant: PC or NPC, Agility, Vulnerable."""
        return records.Fighter(
            kind="pc" if self._is_pc(join, sheet) else "npc",
            agility=cast(int, sheet.get("agility") or 0),
            vulnerable=sheet.get("vulnerable") is True,
        )

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """End an Active Phase that was left; slots that the round's end has taken from the others are gone (AP-27)."""
        fighter = records.fighter_of(combatant)
        fighter = fighter if fighter.ap != records.ACTIVE else replace(fighter, ap=records.DONE)
        if state.phase not in records.ROUND_PHASES:
            combatant = replace(combatant, pools=self.without_grants(combatant.pools))
        return super().as_returning(state, replace(combatant, record=fighter), left_in)

    def _is_pc(self, join: Join, sheet: Mapping[str, Json]) -> bool:
        """AP-04: whether a combatant is a PC: as the sheet says, else by being of the party."""
        is_party = (join.side or self.sides[0]) == records.PARTY
        return sheet.get("kind") == records.PC if sheet.get("kind") else is_party

    def inputs(
        self, state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]
    ) -> tuple[Input, ...]:
        """An option's inputs; without a target neither hit nor damage."""
        needs_target = any(field.name == "target" and field.optional for field in option.inputs)
        if not needs_target or answers.get("target"):
            return option.inputs
        return tuple(field for field in option.inputs if field.name not in ("hit", "damage"))

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The open ground that a combatant's slots pay for now, in places; there are no places it must stop at."""
        return acts.range_of(state, state.combatants[combatant_id]), frozenset()

    def travel_words(self, state: FightState, combatant_id: str, steps: int, budget: int) -> str:
        """AP-19: a walk's ground and price in slots, and the ground left, in words."""
        combatant, units = state.combatants[combatant_id], self.travel_units(state)
        ground = f"{steps} {units[steps != 1]}"
        if not records.is_pc(combatant):
            return ground
        if steps > budget:
            return super().travel_words(state, combatant_id, steps, budget)
        slots = acts.move_price(state, combatant, steps).total
        return f"{ground} for {slots} slot{'s' if slots != 1 else ''}, {budget - steps} {units[1]} left"

    def marks(self, state: FightState, combatant_id: str) -> tuple[Mark, ...]:
        """The marked zones of the board."""
        return views.marks(state)
