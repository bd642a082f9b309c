"""The system class of Active Phase Encounters, which engine and screen ask; the modules beside it answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.settings import read_settings
from fightcall_engine.kit.views import Input, Mark, Option, Setting
from fightcall_engine.model.commands import Command, Join, Move
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar, Step
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.slots import (
    acts,
    cards,
    combos,
    explain,
    fates,
    interrupts,
    movement,
    npcs,
    offered_rulings,
    outro,
    preparation,
    problems,
    queries,
    reactions,
    roster,
    rounds,
    rulings,
    upkeep,
    works,
    zone_marks,
)
from fightcall_engine.systems.slots.agenda import EncounterAgenda
from fightcall_engine.systems.slots.commands import ALIASES, COMMANDS
from fightcall_engine.systems.slots.events import EVENTS, HesitationLost, MultiRoundLost
from fightcall_engine.systems.slots.options import OPTION_KEYS, options_of
from fightcall_engine.systems.slots.phrases import PHRASES
from fightcall_engine.systems.slots.preview import preview_of
from fightcall_engine.systems.slots.records import ACTIVE, DONE, PC, Encounter, Fighter, PulseDice, fighter_of
from fightcall_engine.systems.slots.settings import SETTINGS, SlotsSettings, words_of


class Slots(EncounterAgenda):
    """The rule system of Active Phase Encounters."""

    id, version, title = "slots", "2", "Active Phase Encounters"
    initiative = "awareness"
    record, fight_record, effect_data = Fighter, Encounter, PulseDice
    commands, events, aliases = COMMANDS, EVENTS, ALIASES
    settings: tuple[Setting, ...] = SETTINGS
    sides = queries.SIDES
    own_traits = frozenset({"awareness", "place", "home"})
    lasting = frozenset({"kind", "agility", "vulnerable", "dead"})
    lasting_in_round = frozenset({"ap", "interrupted", "acted_round", "last_act", "lost"})
    granted_pools = frozenset({queries.SLOTS, queries.RESERVED})
    clocks = queries.CLOCKS
    lasting_harm = "each Upkeep"
    conditions: Mapping[str, str | Mapping[str, Json]] = {
        "vulnerable": {"do": "Adjust", "what": "vulnerable", "value": True},
        "dead": {"do": "Rule", "what": "fate", "value": "dead"},
    }
    option_keys = OPTION_KEYS
    phrases, trails = PHRASES, explain.TRAILS
    parts = (
        preparation, rounds, acts, fates, combos, works, movement, npcs, problems, zone_marks, upkeep, outro, rulings,
        reactions, roster, interrupts,
    )  # fmt: skip

    keeps_time = staticmethod(queries.keeps_time)
    has_passed = staticmethod(queries.has_passed)
    make_harmful = staticmethod(upkeep.make_harmful)
    options = staticmethod(options_of)
    preview = staticmethod(preview_of)
    out_of_turn = staticmethod(acts.as_reaction)
    rulings = staticmethod(offered_rulings.rulings_for)
    words = staticmethod(words_of)
    groups = staticmethod(cards.groups)
    card = staticmethod(cards.card)
    declarations = staticmethod(cards.declarations)
    reminders = staticmethod(cards.reminders)
    banner = staticmethod(cards.banner)
    fields = staticmethod(cards.fields)
    facts = staticmethod(cards.facts)

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The rest of a stopped walk, with the ground still to be paid for: stopping makes a walk no dearer."""
        rest = super().rest_of_walk(state, command, step_count)
        if not isinstance(rest, Move) or not isinstance(command, Move) or command.ground is not None:
            return rest
        return copy_with(rest, ground=movement.ground_left(state, command, step_count))

    def loses(self, event: Event) -> bool:
        """Whether an event is a loss: slots (AP-25, AP-27), work and its price (AP-36), an NPC's turn (AP-05)."""
        is_unasked = isinstance(event, RulingRecorded) and (event.rule, event.note) == ("AP-05", queries.UNASKED)
        return is_unasked or isinstance(event, HesitationLost | MultiRoundLost)

    def part_name(self, state: FightState, step: Step, /) -> str:
        """The names of the PCs in a step's band, after the phase in the Final Phase; without a band the phase."""
        names = " + ".join(
            state.combatants[combatant_id].name for combatant_id in step.members if combatant_id in state.combatants
        )
        phase = super().part_name(state, step)
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
            added = cast(int, sheet.get("agility") or 0) + sum(queries.slot_mods(sheet).values())
            total = max(read_settings(SlotsSettings, settings).slot_floor, queries.BASE_SLOTS + added)
            pools = {queries.SLOTS: Pool(0, total), queries.RESERVED: Pool(0, total)}
        hp = sheet.get("hp")
        if isinstance(hp, int):
            maximum = sheet.get("hp_max")
            pools["hp"] = Pool(hp, max(hp, maximum) if isinstance(maximum, int) else hp)
        return pools

    def starting_record(self, settings: Mapping[str, Scalar], join: Join, sheet: Mapping[str, Json]) -> Fighter:
        """AP-04, AP-12, AP-30: the record of a new combatant: PC or NPC, Agility, Vulnerable."""
        return Fighter(
            kind="pc" if self._is_pc(join, sheet) else "npc",
            agility=cast(int, sheet.get("agility") or 0),
            vulnerable=sheet.get("vulnerable") is True,
        )

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """End an Active Phase that was left; slots that the round's end has taken from the others are gone (AP-27)."""
        fighter = fighter_of(combatant)
        fighter = fighter if fighter.ap != ACTIVE else copy_with(fighter, ap=DONE)
        if not queries.is_phase(state, "active", "final", "slow_burn"):
            combatant = copy_with(combatant, pools=self.without_grants(combatant.pools))
        return super().as_returning(state, copy_with(combatant, record=fighter), left_in)

    def _is_pc(self, join: Join, sheet: Mapping[str, Json]) -> bool:
        """AP-04: whether a combatant is a PC: as the sheet says, else by being of the party."""
        is_party = (join.side or self.sides[0]) == queries.PARTY
        return sheet.get("kind") == PC if sheet.get("kind") else is_party

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
        return movement.range_of(state, state.combatants[combatant_id]), frozenset()

    def travel_words(self, state: FightState, combatant_id: str, steps: int, budget: int) -> str:
        """AP-19: a walk's ground and price in slots, and the ground left, in words."""
        combatant, units = state.combatants[combatant_id], self.travel_units(state)
        ground = f"{steps} {units[steps != 1]}"
        if not queries.is_pc(combatant):
            return ground
        if steps > budget:
            return super().travel_words(state, combatant_id, steps, budget)
        slots = movement.move_price(state, combatant, steps).total
        return f"{ground} for {slots} slot{'s' if slots != 1 else ''}, {budget - steps} {units[1]} left"

    def marks(self, state: FightState, combatant_id: str) -> tuple[Mark, ...]:
        """The marked zones of the board."""
        return cards.marks(state)
