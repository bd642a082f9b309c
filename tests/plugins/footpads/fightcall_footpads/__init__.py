"""Footpads: rules that ask in the middle. A walk past enemies who may strike, a contest, and a save.

See ``rules.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from fightcall_engine import kit
from fightcall_engine.model.commands import Move
from fightcall_engine.model.events import EffectBegan, EffectEnded, Recorded

FARTHEST, SAVED_AT, DAZED = 4, 4, "dazed"


@dataclass(frozen=True)
class Footpad:
    """What somebody brings: lives, and what is added to blows and dodges (FP-03)."""

    lives: int = 3
    skill: int = 0


class Struck(Recorded):
    """A blow in passing, and the dodge against it."""

    PUBLIC = ("who", "target", "hits")
    TEXT = "{who} strikes at {target}: {blow} against {dodge}, {hits:a hit|a miss}"
    SEEN = "{who} strikes at {target}: {hits:a hit|a miss}"
    RULE = "FP-03"
    who: str
    target: str
    blow: int
    dodge: int
    hits: bool


class Saved(Recorded):
    """A roll against being dazed."""

    PUBLIC = ("who", "succeeds")
    TEXT = "{who} shakes it off: {die}, needed 4 or more"
    RULE = "FP-04"
    who: str
    die: int
    succeeds: bool


class Footpads(kit.BaseSystem):
    """Footpads in an alley."""

    id, title, health = "footpads", "Footpads", "lives"
    sheet, events = Footpad, (Struck, Saved)
    phases = {"walks": "Walks"}
    round_rule, move_rule = "FP-01", "FP-01"

    def steps_of_round(self, decision: kit.Decision) -> tuple[kit.Step, ...]:
        """FP-01."""
        return tuple(kit.Step(f"walks.{side}", "walks", "walks", side.title(), side) for side in self.sides)

    def travel(self, state: kit.FightState, combatant_id: str, mode: str) -> tuple[int, frozenset[object]]:
        """FP-01, FP-04."""
        is_dazed = any(effect.name == DAZED for effect in state.combatants[combatant_id].effects)
        return (1 if is_dazed else FARTHEST), frozenset()

    @kit.handles(Move)
    def move(self, decision: kit.Decision, command: Move) -> None:
        """FP-02: walk hex by hex; each enemy left behind may strike first, and the fallen, dazed and blocked stop."""
        walker_id = decision.combatant(command.who).id
        most, _ = self.travel(decision.state, walker_id, "walk")
        path = kit.plan_walk(decision, command).path
        too_long = kit.Check(len(path) <= most, "FP-01", f"that is {len(path)} hexes", (f"at most {most}",))
        decision.require(*self.move_checks(decision.state, walker_id), too_long)
        for place in path:
            for foe_id in decision.state.contacts_of(walker_id):
                if self.is_hit_in_passing(decision, foe_id, walker_id):
                    return
            if any(each.at == place and each.able for each in decision.state.combatants.values()):
                return
            kit.take_walk(decision, kit.plan_walk(decision, Move(who=walker_id, path=(place,))))

    def is_hit_in_passing(self, decision: kit.Decision, foe_id: str, walker_id: str) -> bool:
        """FP-03: ask whether an enemy strikes, and let both roll; the walker stops if hit."""
        people = decision.state.combatants
        if not people[foe_id].able:
            return False
        question = f"{people[foe_id].name} strikes as {people[walker_id].name} passes?"
        answer = decision.ask_about(
            people[foe_id], "strike", "FP-02", question, "yes", "no", default="yes", about=(walker_id,)
        )
        if answer.choice != "yes":
            return walker_id not in decision.state.combatants
        foe, walker = decision.combatant(foe_id), decision.combatant(walker_id)
        blow = decision.roll("d6", "blow", foe_id).total + kit.sheet_of(foe, Footpad).skill
        dodge = decision.roll("d6", "dodge", walker_id).total + kit.sheet_of(walker, Footpad).skill
        decision.emit(Struck(who=foe_id, target=walker_id, blow=blow, dodge=dodge, hits=blow > dodge))
        if blow > dodge:
            decision.hurt(walker_id, 1, self.health, by=foe_id)
            if decision.combatant(walker_id).able:
                decision.emit(EffectBegan(who=walker_id, effect=kit.Effect(id="", name=DAZED)))
        return blow > dodge

    def on_round_end(self, decision: kit.Decision) -> None:
        """FP-04: each of the dazed rolls to shake it off."""
        for combatant in decision.state.combatants.values():
            for effect in (each for each in combatant.effects if each.name == DAZED):
                die = decision.roll("d6", f"save.{combatant.id}", combatant.id).total
                decision.emit(Saved(who=combatant.id, die=die, succeeds=die >= SAVED_AT))
                if die >= SAVED_AT:
                    decision.emit(EffectEnded(who=combatant.id, effect=effect.id, name=DAZED, reason="shaken off"))


SYSTEM = Footpads()
