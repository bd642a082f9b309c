"""Duels at dawn: the smallest rule system with phases, initiative, an attack and a fall.

In Guard everybody may raise a guard, in Blades attack; in both the highest d6 goes first. See ``rules.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from fightcall_engine import kit
from fightcall_engine.model.commands import Command
from fightcall_engine.model.events import OrderSet, Recorded, TraitChanged, TraitsChanged

GUARD, BLADES, HITS_AT = "guard", "blades", 4


@dataclass(frozen=True)
class DuelSheet:
    """What a duellist brings: lives, three unless the GM says otherwise."""

    lives: int = 3


@dataclass(frozen=True, slots=True)
class Duellist:
    """What is remembered of a duellist: whether the guard is up (DU-02), and the d6 of this round (DU-01)."""

    guarded: bool = False
    initiative: int = 0


class Guard(Command):
    """Raise the guard until the next round (DU-02)."""

    who: str


class Attack(Command):
    """Attack an enemy: a d6, thrown as ``rolls["attack"]`` or by the program (DU-03)."""

    who: str
    target: str


class GuardRaised(TraitChanged):
    """A duellist's guard is up."""

    ACTS = True
    PUBLIC = ("who",)
    TEXT = SEEN = "{who} raises the guard"


class Attacked(Recorded):
    """An attack, with its die and what it needed."""

    ACTS = True
    PUBLIC = ("who", "target", "hit")
    TEXT = "{who} attacks {target}: {die}, needed {needed} or more"
    SEEN = "{who} attacks {target}: {hit:a hit|a miss}"
    who: str
    target: str
    die: int
    needed: int
    hit: bool


def is_guarded(duellist: kit.Combatant) -> bool:
    """DU-02: whether somebody's guard is up."""
    return isinstance(duellist.record, Duellist) and duellist.record.guarded


def explain_needed(state: kit.FightState, target: kit.Combatant) -> kit.Trail:
    """DU-03: where the least face that hits somebody comes from."""
    parts = (kit.TrailPart("hits at", "4", "DU-03"), kit.TrailPart("guard", str(int(is_guarded(target))), "DU-02"))
    return kit.Trail("needed", str(HITS_AT + is_guarded(target)), parts)


class Duel(kit.BaseSystem):
    """Duels at dawn."""

    id, title, health = "duel", "Duels at dawn", "lives"
    sheet, record = DuelSheet, Duellist
    commands, events = (Guard, Attack), (GuardRaised, Attacked)
    option_keys = {"guard": "g", "attack": "s", "waive": "w"}
    phases = {GUARD: "Guard", BLADES: "Blades"}
    own_traits = frozenset({"initiative"})
    round_rule = "DU-01"
    trails = {"needed": explain_needed}

    def steps_of_round(self, decision: kit.Decision) -> tuple[kit.Step, ...]:
        """DU-01: everybody throws a d6; both phases go in that order."""
        thrown: dict[str, int] = {}
        for duellist in decision.state.combatants.values():
            thrown[duellist.id] = decision.roll("d6", f"initiative.{duellist.id}", duellist.id).total
            fresh = {"initiative": thrown[duellist.id], "guarded": False}
            decision.emit(TraitsChanged(who=duellist.id, traits=fresh))
        people = sorted(decision.state.combatants.values(), key=lambda duellist: -thrown[duellist.id])
        decision.emit(OrderSet(order=tuple(duellist.id for duellist in people), reason="initiative"))
        return tuple(
            kit.Step(f"{phase}.{each.id}", "turn", phase, f"{title}: {each.name}", each.side, each.id)
            for phase, title in self.phases.items()
            for each in people
        )

    def act_checks(self, state: kit.FightState, duellist_id: str, phase: str, rule: str) -> tuple[kit.Check, ...]:
        """What both acts need: the right phase, and one's own step in it."""
        words = f"this belongs to {self.phases[phase]}"
        now = kit.Check(state.phase == phase, rule, words, (phase,), is_turn=True)
        return (now, *self.turn_checks(state, duellist_id))

    @kit.handles(Guard)
    def raise_guard(self, decision: kit.Decision, command: Guard) -> None:
        """DU-02."""
        duellist = decision.combatant(command.who)
        decision.require(*self.act_checks(decision.state, duellist.id, GUARD, "DU-02"))
        decision.emit(GuardRaised(who=duellist.id, trait="guarded", before=False, value=True))

    @kit.handles(Attack)
    def attack(self, decision: kit.Decision, command: Attack) -> None:
        """DU-03, DU-04."""
        duellist, target = decision.combatant(command.who), decision.combatant(command.target)
        decision.require(
            *self.act_checks(decision.state, duellist.id, BLADES, "DU-03"),
            kit.Check(duellist.side != target.side, "DU-03", f"{target.name} is no enemy", ("an enemy",)),
            kit.Check(target.able, "DU-04", f"{target.name} is down", ("an enemy who stands",)),
        )
        needed = HITS_AT + is_guarded(target)
        die = decision.roll("d6", "attack", duellist.id).total
        decision.emit(Attacked(who=duellist.id, target=target.id, die=die, needed=needed, hit=die >= needed))
        if die >= needed:
            decision.hurt(target.id, 1, self.health, by=duellist.id)

    def options(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Option, ...]:
        """Guard and attack, each with what stands against it, and to let the step go by."""
        if state.step is None:
            return ()
        foes = tuple(foe.id for foe in state.combatants.values() if foe.able and state.are_foes(foe.id, combatant_id))
        whom = kit.Input("target", "target", "whom", choices=foes, default=foes[0] if foes else "")
        someone = kit.Check(bool(foes), "DU-04", "no enemy stands", ("close",))
        guard = self.act_checks(state, combatant_id, GUARD, "DU-02")
        attack = self.act_checks(state, combatant_id, BLADES, "DU-03")
        return (
            kit.offer("guard", "raise the guard", "Guard", "g", guard, rule="DU-02"),
            kit.offer("attack", "attack", "Attack", "s", (*attack, someone), rule="DU-03", inputs=(whom,)),
            *super().options(state, combatant_id),
        )


SYSTEM = Duel()
