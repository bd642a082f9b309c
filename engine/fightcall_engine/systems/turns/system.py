"""The system Scenes, Rounds, Turns: its data, its rules and its views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.settings import read_settings
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Input, Option, Words
from fightcall_engine.model.commands import Command, Join, Move, Strike
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.turns import offers, reactions, records, rounds, scenes, steps
from fightcall_engine.systems.turns.agenda import TurnAgenda
from fightcall_engine.systems.turns.cards import banner_of, card_of, facts_of, fields_of, groups_of, reminders_of
from fightcall_engine.systems.turns.commands import ALIASES, COMMANDS, Act, Delay, Forfeit, StepIn, Take
from fightcall_engine.systems.turns.events import EVENTS, TurnForfeited
from fightcall_engine.systems.turns.options import OPTION_KEYS, inputs_of, options_of, preview_of, rulings_of
from fightcall_engine.systems.turns.phrases import PHRASES, TRAILS
from fightcall_engine.systems.turns.records import SETTINGS, WORDS, TurnsSettings


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
    commands, events, aliases = COMMANDS, EVENTS, ALIASES
    parts = (offers, steps, reactions, scenes)
    settings = SETTINGS
    sides = records.SIDES
    lasting = frozenset({"effect_order", "no_free", "prepared"})
    lasting_in_round = frozenset({"turn"})
    own_traits = frozenset({"init_roll", "tie_d6"})
    clocks = records.CLOCKS
    lasting_harm = "each turn"
    option_keys = OPTION_KEYS
    implies_who = frozenset({Take, Delay, StepIn, Forfeit, Act, Move, Strike})
    phrases, trails = PHRASES, TRAILS

    keeps_time = staticmethod(rounds.keeps_time)
    has_passed = staticmethod(rounds.has_passed)
    make_harmful = staticmethod(steps.make_harmful)
    options = staticmethod(options_of)
    preview = staticmethod(preview_of)
    out_of_turn = staticmethod(offers.as_reaction)
    rulings = staticmethod(rulings_of)
    groups = staticmethod(groups_of)
    card = staticmethod(card_of)
    banner = staticmethod(banner_of)
    reminders = staticmethod(reminders_of)
    fields = staticmethod(fields_of)
    facts = staticmethod(facts_of)

    def as_returning(self, state: FightState, combatant: Combatant, left_in: int) -> Combatant:
        """End a turn that was left, and let nobody who has left pay for effects."""
        participant = records.participant_of(combatant)
        participant = participant if participant.turn != records.BEGUN else copy_with(participant, turn=records.DONE)
        payers = {"", combatant.id, *state.combatants}
        new_effects = tuple(
            copy_with(effect, data=copy_with(effect.data, payer=""))
            if isinstance(effect.data, records.EffectTerms) and effect.data.payer not in payers
            else effect
            for effect in combatant.effects
        )
        return super().as_returning(state, copy_with(combatant, record=participant, effects=new_effects), left_in)

    def inputs(
        self, state: FightState, combatant_id: str, option: Option, answers: Mapping[str, Json]
    ) -> tuple[Input, ...]:
        """An option's inputs. The amount to spend depends on the pool that was chosen."""
        return inputs_of(option, answers)

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
        chosen = read_settings(TurnsSettings, settings)
        count = records.actions_per_turn(sheet, chosen)
        pools[records.ACTIONS] = Pool(0, count)
        pools[records.REACTIONS] = Pool(0 if chosen.reactions_at_scene_start == "none" else count, count)
        for daily in cast(list[Mapping[str, Json]], sheet.get("dailies") or []):
            most, left = cast(int, daily["max"]), daily.get("left")
            pools[records.DAILY + str(daily["name"])] = Pool(left if isinstance(left, int) else most, most)
        return pools

    def sole_doer(self, state: FightState, kind: type[Command], /) -> str:
        """The one who is offered the turn or whose turn runs (ST-13); for stepping in, the only delayer (ST-18)."""
        if kind is StepIn:
            others = [each.id for each in records.delayers(state) if not records.is_offered(state, each.id)]
            return others[0] if len(others) == 1 else ""
        actor = records.actor_of(state)
        return actor.id if actor is not None else ""

    def rest_of_walk(self, state: FightState, command: Command, step_count: int) -> Command:
        """The rest of a walk, which costs nothing more: a walk is one Action, however far."""
        rest = super().rest_of_walk(state, command, step_count)
        return copy_with(rest, ground=0) if isinstance(rest, Move) else rest

    def loses(self, event: Event) -> bool:
        """Whether an event is the loss of a delayed turn (ST-21)."""
        return isinstance(event, TurnForfeited)

    def words(self, settings: Mapping[str, Scalar]) -> Words:
        """The words of the system, the same for all settings."""
        return WORDS
