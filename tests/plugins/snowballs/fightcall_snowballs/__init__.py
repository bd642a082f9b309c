"""A snowball fight shows what `duel` does not: acts aimed at places, harm counted upward, a pool that a side shares.

See ``rules.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from fightcall_engine import kit
from fightcall_engine.model.commands import Command
from fightcall_engine.model.events import Recorded

REACH, DRY_AT, SPIRIT = 3, 4, "spirit"


@dataclass(frozen=True)
class Coat:
    """What a child brings: how often it can get wet (SN-03)."""

    wet: int = 3


class Throw(Command):
    """Throw a snowball at a place (SN-02)."""

    who: str
    at: kit.Location


class Cheer(Command):
    """Cheer a friend up (SN-04)."""

    who: str
    target: str


class Thrown(Recorded):
    """A ball flies."""

    ACTS = True
    PUBLIC = ("who", "at")
    TEXT = SEEN = "{who} throws a ball at {at}"
    RULE = "SN-02"
    who: str
    at: kit.Location


class Ducked(Recorded):
    """How somebody ducked."""

    PUBLIC = ("who", "is_dry")
    TEXT = "  {who}: {die}, needed 4 or more"
    RULE = "SN-02"
    who: str
    die: int
    is_dry: bool


class Cheered(Recorded):
    """Somebody is cheered up."""

    ACTS = True
    PUBLIC = ("who", "target")
    TEXT = SEEN = "{who} cheers {target} up"
    RULE = "SN-04"
    who: str
    target: str


class Snowballs(kit.BaseSystem):
    """A snowball fight."""

    id, title, health, harm = "snowballs", "Snowballs", "wet", "wet"
    sheet = Coat
    commands, events = (Throw, Cheer), (Thrown, Ducked, Cheered)
    option_keys = {"throw": "t", "cheer": "g"}
    side_pools = (kit.SidePool(SPIRIT, "party", 3), kit.SidePool(SPIRIT, "foe", 3, start=1, is_secret=True))
    phases = {"play": "Play"}
    round_rule = "SN-01"

    def steps_of_round(self, decision: kit.Decision) -> tuple[kit.Step, ...]:
        """SN-01."""
        return tuple(kit.Step(f"play.{side}", "play", "play", side.title(), side) for side in self.sides)

    def throw_checks(self, state: kit.FightState, thrower: kit.Combatant) -> tuple[kit.Check, ...]:
        """What a throw needs, wherever it is aimed."""
        is_placed = state.board is not None and thrower.at is not None
        return (
            *self.turn_checks(state, thrower.id),
            kit.Check(is_placed, "SN-02", f"{thrower.name} stands nowhere", ("a place on a board",)),
        )

    @kit.handles(Throw)
    def throw(self, decision: kit.Decision, command: Throw) -> None:
        """SN-02."""
        state, thrower = decision.state, decision.combatant(command.who)
        decision.require(*self.throw_checks(state, thrower))
        near: tuple[str, ...] = ()
        if state.board is not None and thrower.at is not None:
            far = state.board.distance(thrower.at, command.at)
            decision.require(kit.Check(far <= REACH, "SN-02", f"that is {far} hexes away", (f"at most {REACH}",)))
            places = (command.at, *state.board.neighbours(command.at))
            near = tuple(each.id for each in state.combatants.values() if each.able and each.at in places)
        decision.emit(Thrown(who=thrower.id, at=command.at))
        for child_id in near:
            self.duck(decision, child_id, thrower.id)

    def duck(self, decision: kit.Decision, child_id: str, thrower_id: str) -> None:
        """SN-02, SN-03; nothing for a child who has left."""
        child = decision.state.combatants.get(child_id)
        if child is None:
            return
        question = f"{child.name} ducks"
        answer = decision.ask_about(child, "duck", "SN-02", question, "roll", default="roll", dice="d6", purpose="duck")
        if not answer.choice:
            return
        die = decision.roll("d6", "duck", child_id).total
        decision.emit(Ducked(who=child_id, die=die, is_dry=die >= DRY_AT))
        if die < DRY_AT:
            decision.hurt(child_id, 1, self.health, by=thrower_id)
            state = decision.state
            if thrower_id in state.combatants and state.are_foes(thrower_id, child_id):
                decision.gain_for_side(state.combatants[thrower_id].side, 1, SPIRIT, thrower_id)

    @kit.handles(Cheer)
    def cheer(self, decision: kit.Decision, command: Cheer) -> None:
        """SN-04, SN-05."""
        child, friend = decision.combatant(command.who), decision.combatant(command.target)
        decision.require(
            *self.turn_checks(decision.state, child.id),
            kit.Check(child.side == friend.side, "SN-04", f"{friend.name} is no friend", ("a friend",)),
        )
        decision.emit(Cheered(who=child.id, target=friend.id))
        spirit = decision.state.side_pool(child.side, SPIRIT).now
        decision.spend_for_side(child.side, 1, SPIRIT, child.id)
        decision.heal(friend.id, 2 if spirit else 1, self.health)

    def options(self, state: kit.FightState, combatant_id: str) -> tuple[kit.Option, ...]:
        """Throw at a place, cheer somebody up, or let it go by."""
        if state.step is None:
            return ()
        child = state.combatants[combatant_id]
        friends = tuple(each.id for each in state.combatants.values() if each.side == child.side)
        throw, turn = self.throw_checks(state, child), self.turn_checks(state, combatant_id)
        where = kit.Input("at", "place", "where", mode="anywhere")
        whom = kit.Input("target", "target", "whom", choices=friends)
        return (
            kit.offer("throw", "throw", "Throw", "t", throw, rule="SN-02", inputs=(where,)),
            kit.offer("cheer", "cheer", "Cheer", "g", turn, rule="SN-04", inputs=(whom,)),
            *super().options(state, combatant_id),
        )


SYSTEM = Snowballs()
