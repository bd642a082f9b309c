"""The system Stage Moments: how its Moments run, its data and its views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit import agenda
from fightcall_engine.kit.agenda import BY_GM, RoundEvents, StepEvents
from fightcall_engine.kit.decision import Decision, record_default, record_ruling
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.movement import contact_shown, is_undecided
from fightcall_engine.kit.records import change_pool, read_settings, sheet_entries
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Check, first_broken, require_always
from fightcall_engine.model.commands import Advance, Join, Leave, Rule, Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Event, FactChanged, LeftFight
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar, Step, fields_of_record
from fightcall_engine.model.values import replace
from fightcall_engine.systems.stage import business, entries, movement, records, strikes, views
from fightcall_engine.systems.stage.entries import ALIASES, COMMANDS, EVENTS, BusinessBroken
from fightcall_engine.systems.stage.views import OPTION_KEYS, PHRASES, TRAILS, options_of, preview_of, rulings_of

DETECTION = "detection"
"""The reason why Meeting ends at once: a creeping figure is noticed (SB-43)."""

_FIELDS_OF_MOMENT = ("halted", "sneaking", "sneak_bonus", "quick", "business")


# Who can still act


def can_still_act(state: FightState, combatant_id: str, phase: str) -> bool:
    """Whether a figure could still do something in its side's half of a phase, even if it has passed."""
    combatant = state.combatants[combatant_id]
    if not combatant.able or records.is_side_ambushed(state, combatant.side):
        return False
    record = records.figure_of(combatant)
    has_acted = state.phase == phase and combatant_id in state.agenda.acted
    if phase == "meeting":
        if not has_acted:
            return True
        price = movement.creep_price(state, movement.PRICES[movement.QUIET])
        return combatant.pool("beats").now >= price and first_broken(movement.creeper_checks(combatant)) is None
    if phase == "move":
        # Beats that are left can be spent even if prone or stopped by contact, on ropes or priced business.
        is_stopped = bool(record.halted) and records.settings_of(state).contact_stop == "everything"
        return combatant.pool("beats").now > 0 and not is_stopped
    if record.strike != "none":
        return False
    if phase == "management":
        return not records.has_managed(state, combatant) or record.quick
    arms = sheet_entries(combatant, "strikes")
    is_unlisted = (bool(arms) or phase == "magic") and all(entry["kind"] != phase for entry in arms)
    if is_unlisted and records.settings_of(state).skip_unlisted:
        return False
    if phase == "missile":
        return not records.is_barred_by_cover(combatant)
    if phase == "melee":
        touches = any(strikes.can_melee(state, combatant_id, enemy) for enemy in state.contacts_of(combatant_id))
        return touches or _can_be_ruled_in_contact(state, combatant)
    return True


def _can_be_ruled_in_contact(state: FightState, combatant: Combatant) -> bool:
    """Whether the GM can still say that a figure is in contact, as there is no board to tell (SB-03, SB-50)."""
    enemies = (other for other in state.combatants.values() if other.able and other.side != combatant.side)
    if records.settings_of(state).skip_unlisted or all(
        contact_shown(state, combatant, other) is not None for other in enemies
    ):
        return False
    step = state.step
    is_own_melee = step is not None and (step.phase, step.side) == ("melee", combatant.side)
    own_side = () if is_own_melee else records.side_able(state, combatant.side)
    return not (
        records.scene_of(state).melee_pairs if is_own_melee else any(state.contacts_of(mate.id) for mate in own_side)
    )


def phase_to_come(state: FightState, name: str) -> str:
    """The phase with this name, in either set of names (SB-10); refused if it is not to come in this Moment."""
    phase = records.PHASE_NAMES.get(name.strip().lower(), "")
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    still = tuple(dict.fromkeys(step.phase for step in ahead if step.phase != state.phase))
    if phase not in still:
        raise Refused("SB-10", f"{name!r} isn't a later phase", still, final=True)
    return phase


class MomentSystem(BaseSystem):
    """The agenda of Stage Moments, and the commands, answers and rulings that move it."""

    round_name = "Moment"
    round_rule = "SB-07"
    empty_rule = "SB-05"
    end_rule = "SB-09"
    round_events = RoundEvents(entries.SceneBegan, entries.SceneEnded, entries.MomentBegan, entries.MomentEnded)

    # The agenda

    def steps_of_round(self, decision: Decision) -> tuple[Step, ...]:
        """SB-05, SB-06, SB-14: the steps of a Moment, led by the party or by those who have sprung an ambush."""
        lead = records.coming_lead(decision.state)
        third_sides = records.third_sides(decision.state)
        steps: list[Step] = []
        for phase in records.PHASES:
            for side in (lead, records.other_side(lead), *third_sides):
                steps.append(Step(f"{phase}.{side}", records.HALF, phase, phase.title(), side))
            if phase == "move":
                steps.append(Step("move.sneak", records.CHECK, phase, "Sneak rolls"))
        steps.append(Step(records.STATUS, records.STATUS, "management", "Status update"))
        return tuple(steps)

    def step_events(self, step: Step) -> StepEvents:
        """The events with which a step begins, ends and is skipped."""
        if step.kind == records.CHECK:
            return StepEvents(entries.SneakRollsBegan, None, None)
        if step.kind == records.STATUS:
            return StepEvents(entries.StatusUpdateBegan, None, None)
        if step.number == records.REST_OF_HALF:
            return StepEvents(entries.HalfResumed, entries.HalfEnded, entries.HalfDropped)
        return StepEvents(entries.HalfBegan, entries.HalfEnded, entries.HalfSkipped)

    def is_instant(self, step: Step) -> bool:
        """Whether the step is the status update."""
        return step.kind == records.STATUS

    def seconds_of_round(self, state: FightState) -> int:
        """SB-04."""
        return records.settings_of(state).moment_seconds

    def can_act(self, state: FightState, combatant: Combatant, step: Step) -> bool:
        """SB-06, SB-08: whether a figure could still act in the running half."""
        is_here = step.kind == records.HALF and super().can_act(state, combatant, step)
        return is_here and can_still_act(state, combatant.id, step.phase)

    def why_skipped(self, state: FightState, step: Step) -> str:
        """The reason why a step is skipped before it begins; empty if it is not."""
        if step.kind == records.STATUS:
            return ""
        if step.kind == records.CHECK:
            return "" if movement.sneakers(state) else "no one sneaked"
        if records.is_side_ambushed(state, step.side):
            return "ambushed"
        if not records.side_able(state, step.side):
            return "no one able to act"
        # The board shows that nobody touches an enemy: a cheap test before asking for each figure.
        is_clear = step.phase == "melee" and not any(is_undecided(state, each) for each in state.combatants.values())
        if is_clear and not any(state.contacts_of(each.id) for each in records.side_able(state, step.side)):
            return "no one can use it"
        return super().why_skipped(state, step) and "no one can use it"

    waive_checks = staticmethod(records.waive_checks)

    def waivers(self, state: FightState) -> tuple[str, ...]:
        """SB-08: the ids of those who may waive: all who are able, even after acting."""
        waived = state.agenda.waived
        return tuple(each.id for each in state.combatants.values() if each.able and each.id not in waived)

    def why_over(self, state: FightState, step: Step) -> str:
        """The reason why the running step ends by itself, or empty; Meeting waits for answers (SB-41, SB-44)."""
        if step.kind != records.HALF:
            return "done"
        if records.scene_of(state).until:
            return BY_GM
        waived = state.agenda.waived
        unwaived = (each for each in state.combatants.values() if each.id not in waived)
        if any(self.can_act(state, combatant, step) for combatant in unwaived):
            return ""
        if not records.side_able(state, step.side):
            return "no one able to act"
        if any(prompt.kind in ("talks", "stall") for prompt in state.prompts):
            return ""
        return "ambushed" if records.is_side_ambushed(state, step.side) else "everyone has acted or passed"

    def on_round_begin(self, decision: Decision) -> None:
        """Set the lead, beats, strikes and cover of a new Moment (SB-06, 14, 18, 19, 30, 67)."""
        state = decision.state
        for combatant in state.combatants.values():
            decision.emit(change_pool(entries.BeatsRefilled, combatant, "beats", combatant.pool("beats").max))
        business.break_idle_business(decision)
        decision.emit(entries.StrikeQuotaReset(figures=tuple(state.combatants)))
        fresh = fields_of_record(records.Figure())
        for name in _FIELDS_OF_MOMENT:
            decision.reset_trait(decision.state.combatants.values(), name, fresh[name])
        for combatant in state.combatants.values():
            record = records.figure_of(combatant)
            cover: str = record.cover
            if state.round == 1 and cover == "open":
                # Figures placed before the start have not walked, and so have no cover from the ground yet (SB-66).
                cover = movement.ground_cover(state, combatant.at) or cover
                decision.emit(*movement.cover_events(combatant, cover))
            if cover != record.cover_at_start:
                decision.emit(entries.CoverSnapshotTaken(who=combatant.id, before=record.cover_at_start, value=cover))
        decision.emit(entries.LeadSet(before=records.scene_of(state).lead_side, value=state.agenda.steps[0].side))
        decision.set_facts(talk="none", talked=(), crept=(), losses=(), managed=())

    def on_phase_begin(self, decision: Decision, phase: str) -> None:
        """SB-47: figures that contact has stopped while creeping in Meeting may move again."""
        decision.emit(entries.PhaseBegan(phase=phase))
        if phase == "move":
            decision.reset_trait(decision.state.combatants.values(), "halted", "")
        if phase == records.scene_of(decision.state).until:
            decision.set_facts(until="")

    def on_phase_end(self, decision: Decision, phase: str, reason: str) -> None:
        """Emit the end of the phase."""
        cause = reason if reason in (BY_GM, DETECTION) else "done"
        decision.emit(entries.PhaseEnded(phase=phase, cause=cause))

    def on_step_begin(self, decision: Decision, step: Step) -> None:
        """Ask for sneak rolls (SB-58), or count down durations (SB-55)."""
        state = decision.state
        if step.kind == records.CHECK:
            for combatant_id in movement.sneakers(state):
                decision.spawn(movement.ask_roll, combatant_id)
        elif step.kind == records.STATUS:
            tick, end = entries.TickedDown, entries.StatusEnded
            self.count_down(decision, agenda.ROUND_END, tick_type=tick, end_type=end, down_to_zero=True)
            decision.emit(entries.StatusUpdated(moment=state.round))

    def step_facts(self, state: FightState, step: Step) -> tuple[FactChanged, ...]:
        """Record who is in contact in a half of Melee (SB-50)."""
        if step.phase != "melee" or step.kind != records.HALF:
            return ()
        able = records.side_able(state, step.side)
        pairs = tuple((combatant.id, enemy) for combatant in able for enemy in state.contacts_of(combatant.id))
        return (entries.MeleeOpened(before=records.scene_of(state).melee_pairs, value=pairs),)

    def on_step_end(self, decision: Decision, step: Step) -> None:
        """SB-38: ask for morale after losses in this half."""
        if step.kind == records.HALF:
            strikes.offer_checks(decision)

    def on_round_end(self, decision: Decision) -> None:
        """SB-09: ask the GM whether the scene goes on."""
        decision.set_facts(until="")
        decision.spawn(self._ask_to_go_on)

    # Commands

    def waive(self, decision: Decision, command: Waive) -> None:
        """Waive the running half, for a figure or for a whole side (SB-08)."""
        step = decision.state.step
        if step is None or step.kind != records.HALF:
            raise Refused("SB-08", "no half is running", ("start", "advance"), final=True)
        if not command.who:
            command = replace(command, side=command.side or step.side)
            decision.require(Check(command.side == step.side, "SB-06", f"it is the {step.side}'s half", (step.side,)))
        super().waive(decision, command)

    @handles(entries.NextHalf)
    def close_half(self, decision: Decision, command: entries.NextHalf) -> None:
        """Close the running half, or all before a phase (SB-10)."""
        if not command.until:
            self.advance(decision, Advance())
            return
        self._go_on_until(decision, phase_to_come(decision.state, command.until))

    @handles(entries.NextPhase)
    def go_to_next_phase(self, decision: Decision, command: entries.NextPhase) -> None:
        """Go on to the next phase, once both sides have had their opportunity in this one (SB-08)."""
        state, step = decision.state, decision.state.step
        if step is None:
            self.advance(decision, Advance())
            return
        for prompt in state.prompts:
            record_default(prompt)
        ids = list(self.waiting(state))
        for later in state.agenda.steps[state.agenda.cursor + 1 :]:
            if later.phase == step.phase and later.kind == records.HALF and not self.why_skipped(state, later):
                able = records.side_able(state, later.side)
                ids += [combatant.id for combatant in able if self.can_act(state, combatant, later)]
        names = ", ".join(state.combatants[combatant_id].name for combatant_id in ids)
        decision.require(Check(not names, "SB-08", f"still to act or pass: {names}", ("waive", "next_half")))
        phases = tuple(state.agenda.phases())
        place = phases.index(step.phase) + 1
        following = phases[place] if place < len(phases) else records.END
        self._go_on_until(decision, phase_to_come(state, command.until) if command.until else following)

    def _go_on_until(self, decision: Decision, phase: str) -> None:
        decision.emit(FactChanged(fact="until", before="", value=phase))
        self.lapse(decision, decision.state.prompts)

    # Answers and rulings

    def _ask_to_go_on(self, decision: Decision) -> None:
        state = decision.state
        over = "" if all(records.side_able(state, side) for side in records.SIDES) else " One side is down."
        question = f"Moment {state.round} is over.{over} Continue?"
        answers = ("go_on:next Moment:y", "close:end the fight:n")
        answer = decision.ask_about(None, "continue", "SB-09", question, *answers, default="go_on")
        if not answer.choice:
            return
        if answer.choice == "close":
            decision.emit(entries.SceneEnded(reason=answer.note or "ended"))
            return
        self.lapse(decision, decision.state.prompts)
        self.begin_round(decision)

    @handles(entries.Creep)
    def creep(self, decision: Decision, command: entries.Creep) -> None:
        """Creep in Meeting (SB-42)."""
        movement.creep(decision, command)
        self._end_meeting(decision)

    def _end_meeting(self, decision: Decision) -> None:
        """SB-43: a creeping figure is noticed: end Meeting at once and begin Missile."""
        if decision.state.phase == "meeting" and any(isinstance(event, Detected) for event in decision.events):
            self.close_phase(decision, DETECTION)

    @rules_on("slow", "slow_penalty")
    def rule_slow(self, decision: Decision, command: Rule) -> None:
        """SB-13: the leading side is too slow: the other goes first, in this phase or for the rest of the Moment."""
        state = decision.state
        scope = command.value if command.value is not None else records.settings_of(state).slow_penalty
        if scope == "cancel":
            decision.emit(record_ruling("SB-13", "Too slow?", "ignore it", command.note))
            return
        if scope not in ("phase", "moment"):
            raise Refused("SB-13", f"{scope!r} isn't a scope", ("phase", "moment", "cancel"), final=True)
        require_always(*records.slow_checks(state))
        decision.emit(record_ruling("SB-13", "Too slow", scope, command.note))
        self._flip_lead(decision, whole_moment=scope == "moment")

    @rules_on("hidden")
    def rule_hiding(self, decision: Decision, command: Rule) -> None:
        """SB-60, SB-61: mark a combatant as unnoticed or noticed; noticing one who crept in this Meeting ends it."""
        business.rule_hiding(decision, command)
        if decision.combatant(command.who).id in records.scene_of(decision.state).crept:
            self._end_meeting(decision)

    def _flip_lead(self, decision: Decision, *, whole_moment: bool) -> None:
        state, index = decision.state, decision.state.agenda.cursor
        steps, slow = list(state.agenda.steps), state.agenda.steps[index]
        other = steps[index + 1]
        # Ask while the slow half is running: the Melee pairs of the other half are not recorded yet (SB-50).
        reason = self.why_skipped(state, other)
        steps[index : index + 2] = [other, replace(slow, id=f"{slow.id}.resumed", number=records.REST_OF_HALF)]
        if whole_moment:
            steps = list(records.with_lead(tuple(steps), index + 2, other.side))
        scope = "moment" if whole_moment else slow.phase
        flipped, side = tuple(steps), other.side
        decision.emit(entries.LeadFlipped(steps=flipped, cursor=index, reason="too slow", side=side, scope=scope))
        if slow.phase == "management" and state.agenda.acted:
            decision.set_facts(managed=(*records.scene_of(state).managed, *state.agenda.acted))
        if reason:
            self.skip_step(decision, index, reason)
            self.begin_step(decision, index + 1)
        else:
            self.begin_step(decision, index)


# Upcasts events of version 2 of Stage Moments, which 0.2.0 wrote; see `fightcall_engine.play.codec`


def from_version_2(event: Mapping[str, Json]) -> Mapping[str, Json]:
    """From version 2: the rest of a half that was put back was marked by its step's id (SB-13)."""
    steps = event.get("steps")
    if not isinstance(steps, list):
        return event
    numbers = {True: {"number": records.REST_OF_HALF}, False: {}}
    entries = cast("list[Mapping[str, Json]]", steps)
    return {**event, "steps": [{**step, **numbers[str(step["id"]).endswith(".resumed")]} for step in entries]}


# The system class of Stage Moments, which engine and screen ask; the modules beside it answer


class Stage(MomentSystem):
    """The rule system of Stage Moments."""

    id = "stage"
    version = "3"
    title = "Stage Moments"
    contact_rule = "SB-03"
    phase_rule = "SB-06"
    parts = (movement, business, strikes)
    record, fight_record = records.Figure, records.Scene
    upcasts = (from_version_2,)
    commands = (Leave, *COMMANDS)
    events = EVENTS
    aliases = ALIASES
    settings = records.SETTINGS
    phrases, trails = PHRASES, TRAILS
    option_keys = OPTION_KEYS
    conditions: Mapping[str, str | Mapping[str, Json]] = {"prone": "posture"}

    options = staticmethod(options_of)
    preview = staticmethod(preview_of)
    rulings = staticmethod(rulings_of)
    needed_words = staticmethod(strikes.needed_words)
    words = staticmethod(records.words_of)
    groups = staticmethod(views.groups)
    card = staticmethod(views.card)
    declarations = staticmethod(views.declarations)
    reminders = staticmethod(views.reminders)
    banner = staticmethod(views.banner)
    fields = staticmethod(views.fields)

    def sheet_type(self) -> type[object]:
        """The model of a sheet. It is imported here because importing pydantic is slow."""
        from fightcall_engine.systems.stage.sheet import StageSheet

        return StageSheet

    def starting_pools(
        self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]
    ) -> Mapping[str, Pool]:
        """The pools of a new figure: beats, and hit points if the sheet has them."""
        total = records.total_beats(sheet, read_settings(records.StageSettings, settings))
        return {"beats": Pool(total, total), **super().starting_pools(settings, join, sheet)}

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> records.Figure:
        """The record of a new figure."""
        cover, posture = cast("records.Cover", sheet["cover"]), cast("records.Posture", sheet["posture"])
        in_view = bool(sheet["plain_view"]) and not join.hidden
        return records.Figure(posture=posture, cover=cover, cover_at_start=cover, plain_view=in_view)

    lasting = frozenset({"posture", "dar_relief", "works"})
    lasting_in_round = frozenset({"strike", "business", "quick"})
    round_pools = frozenset({"beats"})

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """Leave business to the companion who has it now."""
        figure = records.figure_of(combatant)
        others = [
            records.figure_of(other).open_works for other in state.combatants.values() if other.side == combatant.side
        ]
        taken = {name for name in figure.open_works if any(name in works for works in others)}
        works = {name: work for name, work in figure.works.items() if name not in taken}
        return super().as_returning(state, replace(combatant, record=replace(figure, works=works)), left_in)

    def copied_record(self, original: Combatant, fresh: object) -> object:
        """A copy is as its original, but business that the original works on stays its own."""
        return super().copied_record(replace(original, record=replace(records.figure_of(original), works={})), fresh)

    def react_to_departure(self, decision: Decision, event: LeftFight) -> None:
        """Remove a combatant who has left from all records and questions."""
        super().react_to_departure(decision, event)
        business.clear_leaver(decision, event.who)

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss: business broken off (Q-S13)."""
        return isinstance(event, BusinessBroken)

    def step_price(self, state: FightState, combatant_id: str, mode: str) -> int:
        """Beats for one hex of open ground."""
        return movement.step_price(state, mode)

    def travel(self, state: FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """The beats that a figure has left, and the hexes where contact stops it."""
        return state.combatants[combatant_id].pool("beats").now, frozenset(movement.halting_places(state, combatant_id))

    def travel_units(self, state: FightState) -> tuple[str, str]:
        """The unit of movement, singular and plural: beats."""
        return "beat", "beats"

    def facts(self, state: FightState) -> Mapping[str, Json]:
        """The system's own fields of the fight."""
        return {**views.facts(state), "waiting": list(self.waiting(state))}
