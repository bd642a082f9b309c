"""The laws of Combat Segments under commands of every kind in every order (digest, sections 2 to 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from operator import attrgetter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit.views import Option
from fightcall_engine.model.commands import Advance, Answer, Command, Face, Join, Move
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import Event, LeftFight, Overridden
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import handling, out_of_turn
from fightcall_engine.systems.segments.actions.surprises import KINDS as PLOTS
from fightcall_engine.systems.segments.combat import blow_effects
from fightcall_engine.systems.segments.round import steps as unsettled
from fightcall_engine.systems.segments.rules.formulas import components
from fightcall_engine.systems.segments.state import commands as scm
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import queries as act
from fightcall_engine.systems.segments.state.records import fighter_of
from fightcall_engine.systems.segments.state.settings import SETTINGS
from fightcall_engine.systems.segments.system import Segments
from fightcall_engine.testkit.machine import BY_HAND, SMALL, FightMachine, Strategies, settings_strategy
from fightcall_engine.testkit.perft import moves

from .line_laws import check_line

OPPORTUNITIES = ("strike", "move_by", "parting", "sidelong", "common_strike", "trip", "body_check", "tackle")
AREAS = (Zone("Hall", 0, 0), Zone("Yard", 1, 0))
BOARDS = st.sampled_from(
    (
        None,
        HexBoard(cols=7, rows=7, scale=3),
        SquareBoard(cols=8, rows=8, scale=5),
        SquareBoard(cols=8, rows=8, scale=5),
        ZoneBoard(AREAS, touching(AREAS)),
    )
)

UNSEEN = "unheard of"
"""What is said of every secret Action; no player ever reads it."""

WEAPONS: Mapping[str, Mapping[str, object]] = {
    "sword": {"name": "sword", "size": 4, "av": 40, "sl": 8},
    "pike": {"name": "pike", "size": 9, "av": 35, "hand": "2", "grip": "2", "effects": ["point"]},
    "dirk": {"name": "dirk", "size": 1, "hand": "L", "hurlable": True, "hurl_av": 30},
    "targe": {"name": "targe", "kind": "shield", "hand": "L", "av": 30, "dr": 4},
    "bow": {"name": "bow", "kind": "missile", "family": "bow", "hand": "2", "av": 45, "str_rating": 14},
}
ARMS = st.lists(st.sampled_from(sorted(WEAPONS)), max_size=3, unique=True).map(
    lambda names: [WEAPONS[name] for name in names]
)
SCORES = st.sampled_from((1, 8, 13, 13, 20))
SHEETS = st.fixed_dictionaries(
    {"weapons": ARMS},
    optional={
        **dict.fromkeys(("str", "agl", "hrt", "awa", "cnd"), SCORES),
        "mod": st.fixed_dictionaries({}, optional={"awa": SMALL, "hrt": SMALL, "agl": SMALL}),
        "roa": st.sampled_from(("1", "1", "2", "3/2", "1/2", "3", "1/4")),
        "dodge": st.sampled_from((10, 35)),
        "pres": st.sampled_from((5, 20)),
        "height": st.sampled_from((0.5, 3, 6, 6, 14)),
        "move": st.sampled_from(({"full": 12}, {"full": 3}, {"full": 0}, {"full": 20, "half": 8})),
        "trades": st.just([{"name": "warrior", "sl": 10}]),
        "skills": st.sampled_from(({}, {"stealth": 30}, {"acrobat": 20, "brawling": 25}, {"intimidate": 20})),
        "kind": st.just("pc"),
        "tokens": st.sampled_from(({"white": 1}, {"black": 1, "fate": 2})),
        "combos": st.just([{"name": "sword and dirk", "sl": 5, "first": "sword", "second": "dirk"}]),
        "end": st.sampled_from(({"max": 2}, {"max": 9})),
        "cnd_allow": st.just({"max": 1}),
        "bp": st.just({"max": 9}),
        "armour": st.just([{"type": "aketon", "family": "padded", "dr": 3}]),
    },
)
NAMES = (
    "action.targets", "action.against", "action.helper", "engage", "halted_by", "helps", "full_defence",
)  # fmt: skip
"""What is remembered by names of others."""

_MOVING = (act.DECLARE, act.PULSE, act.WAITS)
SCALE = " ".join(str(value) for value in range(1, 100))
ODD = ("a b", "orc:RS:close", "orc~ash", "x=1 y=z", "sword/R", "1/2", "A0 B0", "%", *act.KINDS, *act.PARTS)
"""Texts as they stand somewhere in what is remembered, or nowhere."""


class SegmentsMachine(FightMachine):
    """A contest with a journal, and everything a GM can do to it."""

    SYSTEM = "segments"
    WILD = (Face, *scm.COMMANDS, *BY_HAND)
    FORCED = (Face, *scm.COMMANDS, Move)
    RULINGS = Segments.ruling_names
    WORDS = ("", "sword", "dirk", "bow", "targe", "rope", "parry sword", "dodge", "parry", "burning", *OPPORTUNITIES)
    MOST = 5
    last: Sequence[Event] = ()

    @initialize(data=st.data(), board=BOARDS, changed=settings_strategy(SETTINGS), linear=st.booleans())
    def begin(self, data: st.DataObject, board: AnyBoard | None, changed: dict[str, object], linear: bool) -> None:
        """Half the fights know their chances, for those go further by themselves."""
        self.open(board, {**changed, **({"resolution": "linear", "progressive_values": SCALE} if linear else {})})
        for side in ("party", "foe", *data.draw(st.lists(st.sampled_from(("party", "foe", "other")), max_size=2))):
            self.do(data.draw(st.composite(self.joiners)(side)))
        for command in [Advance()] * data.draw(st.sampled_from((0, 2, 2, 3, 4, 9))):
            self.do(command)

    def joiners(self, draw: st.DrawFn, side: str) -> Join:
        board = self.fight.state.board
        at = draw(st.sampled_from(tuple(board.places()))) if board is not None and draw(st.integers(0, 4)) else None
        facing = draw(st.none() | st.integers(0, 5)) if board is not None else None
        name = draw(st.sampled_from(("Ash", "Bo", "Orc")))
        return Join(name=name, side=side, sheet=draw(SHEETS), at=at, facing=facing, hidden=draw(st.integers(0, 5)) == 0)

    def field_values(self, kind: type[Command]) -> Strategies:
        state = self.fight.state
        people = st.sampled_from((*state.combatants, ""))
        table = st.sampled_from((*components(), "climb=6", "don_boot:2", "turn", "fire", "what=ever", "climb"))
        percent = st.none() | st.sampled_from((0, 1, 50, 99, 100, 101))
        found: dict[str, st.SearchStrategy[object]] = {
            **{name: st.lists(people, max_size=3).map(tuple) for name in ("ids", "aggressors", "targets", "wary")},
            **dict.fromkeys(("chance", "dv_chance", "aggressor_chance", "other_chance"), percent),
            **dict.fromkeys(("against", "helper", "other", "foe"), people),
            "action": st.sampled_from((*act.KINDS, "", "waltz")),
            "components": st.lists(table, max_size=2).map(tuple),
            "parts": st.lists(st.sampled_from((*act.PARTS, "tail")), max_size=2).map(tuple),
            "mode": st.sampled_from(("", "concert", "separate", "waltz")),
            "posture": st.sampled_from((*act.POSTURES, "asleep")),
            "facing": st.integers(-1, 8),
            "life": st.sampled_from((*act.LIVES, "undead")),
            "how": st.sampled_from(("run", "obstacle", "overturn", "fly")),
            "harm": st.sampled_from((None, 0, 1, 4, 12, "d6", "many", -1)),
            "penalty": st.sampled_from((0, 3, 8, -1)),
            "scale": st.sampled_from(("skirmishing", "half", "fifth", "globe")),
            "secret": st.just(False),
        }
        kinds = {scm.Spring: (*PLOTS, "joke"), scm.Opportunity: (*OPPORTUNITIES, "joke")}
        if kind in kinds:
            found["kind"] = st.sampled_from(kinds[kind])
        if kind in (Move, scm.Plan):
            found["speed"] = st.sampled_from((None, "full", "half", "warp", 3, 0, -1.0, 12.0, 99.0))
        if kind is scm.Reprise:
            found["choice"] = st.sampled_from(("take", "trade", "decline", "maybe"))
        return found

    def is_excused(self, command: Command, no: Refused | BadInput) -> bool:
        """What depends on what is filled in, and offers taken up by one word, may be refused by their rules.

        So may what needs more of the GM's own Progressive scale than there is, and a way that leads the surprised
        towards a threat or is longer than what is left, for a way is judged as it is walked (CS-065, CS-097).
        """
        if isinstance(no, Refused) and no.rule == "M-03":
            return True
        if isinstance(no, Refused) and isinstance(command, Move | scm.Plan):
            return no.rule in ("CS-065", "CS-097")
        if isinstance(command, Answer):
            prompt = self.fight.state.prompt(command.prompt)
            return prompt is not None and (not prompt.blocking or prompt.kind == handling.NUMBER_PROMPT)
        return isinstance(command, scm.Handle | scm.Opportunity | scm.Resolve | scm.Reprise)

    def is_judged_as_proposed(self, option: Option) -> bool:
        return option.command in ("Handle", "Opportunity", "Resolve", "Reprise", "Spring")

    def adjusted_values(self, one: Combatant | None) -> st.SearchStrategy[object]:
        words = (*act.POSTURES, *act.LIVES, *(self.fight.state.combatants), *ODD, *self.WORDS)
        numbers = st.sampled_from((0, 1, -1, 3, 40, 10**9, 0.5, -2.5, 1e9))
        return st.none() | st.booleans() | numbers | st.sampled_from(words)

    def check_laws(self) -> None:
        state = self.fight.state
        assert state.status != "running" or state.step is None or state.step.kind in act.PHASE_OF

    def check_line(self) -> None:
        super().check_line()
        check_line(self.fight.line)

    def check_entry(self, before: FightState, happened: Sequence[Event]) -> None:
        """CS-092: no order is lost unasked. CS-111: whoever leaves is named by nobody's order, hold or question."""
        super().check_entry(before, happened)
        self.last = happened
        lost = [one for one in happened if isinstance(one, sev.Resolved) and one.outcome == "not carried out"]
        assert not lost or any(prompt.kind == unsettled.UNSETTLED for prompt in before.prompts), lost
        for one in happened:
            if isinstance(one, LeftFight):
                assert not self.still_named(one.who), (one.who, self.still_named(one.who))

    def still_named(self, who: str) -> list[str]:
        """Where somebody who has left is meant all the same; an order that was given up means nobody."""
        state = self.fight.state
        found = [
            f"{one.id}.{name}" for one in state.combatants.values() for name in NAMES
            if who in str(attrgetter(name)(replace(one.record, action=act.action_of(one)))).replace("'", " ").split()
        ]  # fmt: skip
        found += [f"{one.id}.aware_of" for one in state.combatants.values() if who in one.record.aware_of]
        found += [name for name in ("first", "interrupted") if state.remembered[name] == who]
        found += [one.kind for one in state.prompts if who in getattr(one.resume, "subjects", ())]
        return found

    def check_players_copy(self, shown: object) -> None:
        assert UNSEEN not in json.dumps(to_json(shown)), shown

    # What a GM does here more often than chance would have it

    @rule(data=st.data(), times=st.integers(1, 20))
    def segments(self, data: st.DataObject, times: int) -> None:
        """Actions are declared, moved, settled, with what falls into them."""
        kinds = ("Declare", "Confirm", "Move", "Plan", "Resolve", "Reprise", "Opportunity", "answer", "advance")
        for _ in range(times):
            found = [one for one in moves(self.fight) if one[0] in kinds]
            if not found or self.fight.state.status == "closed":
                return
            self.offered(data, found)

    @precondition(lambda self: self.fight.state.step is not None)
    @rule(data=st.data(), public=st.sampled_from(("", "mutters")))
    def something_secret(self, data: st.DataObject, public: str) -> None:
        """CS-087: by whoever is to declare."""
        one = act.actor_of(self.fight.state)
        if one is None:
            return
        drawn = data.draw(st.composite(self.wild)((scm.Declare,)))
        assert isinstance(drawn, scm.Declare)
        self.do(
            scm.Declare(
                who=one.id, text=UNSEEN, secret=True, public=public, action=drawn.action, target=drawn.target,
                weapon=drawn.weapon, dv=drawn.dv, skill=drawn.skill, qa=drawn.qa, seconds=drawn.seconds,
            )
        )  # fmt: skip

    @precondition(lambda self: self.fight.state.combatants and act.kind_of(self.fight.state) in _MOVING)
    @rule(data=st.data())
    def a_way(self, data: st.DataObject) -> None:
        """Whoever moves goes far, over whatever lies there."""
        state = self.fight.state
        who = data.draw(st.sampled_from(tuple(state.combatants)))
        speed = data.draw(st.sampled_from((None, "half", "quarter")))
        kind = scm.Plan if state.settings.get("pulse_movement") is True else Move
        at = state.combatants[who].at
        if state.board is None or at is None:
            self.do(kind(who=who, feet=data.draw(st.sampled_from((5.0, 30.0, 90.0))), speed=speed))
        else:
            self.do(kind(who=who, to=data.draw(st.sampled_from(tuple(state.board.places()))), speed=speed))

    @precondition(lambda self: self.fight.state.step is not None and self.fight.state.combatants)
    @rule(data=st.data())
    def small_acts(self, data: st.DataObject) -> None:
        """CS-010, CS-104, CS-306: turning, rising, taking and throwing, of whoever it may be; only in his own time."""
        state = self.fight.state
        one = data.draw(st.sampled_from(tuple(state.combatants.values())))
        whose, kind = act.actor_of(state), act.kind_of(state)
        what = data.draw(st.sampled_from(("take", "snatch", "leap", "throw", "drop")))
        others = [other for other in state.combatants if other != one.id]
        given = {"other": data.draw(st.sampled_from(others))} if others else {}
        commands = (
            Face(who=one.id, facing=data.draw(st.integers(0, 5))),
            scm.Posture(who=one.id, posture=data.draw(st.sampled_from(act.POSTURES))),
            scm.Handle(who=one.id, what=what, thing="rope", hit=data.draw(st.booleans()), **given),  # type: ignore[arg-type]
        )
        command = data.draw(st.sampled_from(commands))
        before = (one.facing, fighter_of(one).posture, state.remembered["things"])
        self.do(command)
        now = self.fight.state.combatants[one.id]
        after = (now.facing, fighter_of(now).posture, self.fight.state.remembered["things"])
        mine = whose is not None and whose.id == one.id and kind in (act.DECLARE, act.RESOLVE)
        late = fighter_of(one).waiting or fighter_of(one).inserted or act.is_busy(state, one)
        if not (mine or late or kind == act.PULSE or one.facing is None):
            assert after == before, command
        if what in ("leap", "throw") and kind != act.RESOLVE:
            assert after[2] == before[2], command

    @precondition(lambda self: act.kind_of(self.fight.state) in (act.DECLARE, act.WAITS))
    @rule(data=st.data(), inside=st.booleans(), force=st.booleans())
    def an_order(self, data: st.DataObject, inside: bool, force: bool) -> None:
        """CS-250 to CS-340: an attack on anybody, near or far; what the GM lets stand is not held against it again."""
        state = self.fight.state
        one = act.actor_of(state)
        if one is None:
            return
        kind, target = data.draw(st.sampled_from(act.ATTACKS)), data.draw(st.sampled_from(tuple(state.combatants)))
        drawn = data.draw(st.sampled_from(((), ("draw",), ("turn_half",))))
        order = scm.Declare(who=one.id, action=kind, target=target, components=drawn, inside=inside, force=force)
        if self.do(order) and force:
            overruled = act.action_of(self.fight.state.combatants[one.id]).overruled
            assert set(overruled) >= {over.rule for over in self.last if isinstance(over, Overridden)}

    @precondition(lambda self: any(one.kind == blow_effects.REPRISAL_PROMPT for one in self.fight.state.prompts))
    @rule(data=st.data())
    def a_reprisal_is_traded(self, data: st.DataObject) -> None:
        """CS-484: he moves at once, or says that he stays, before anything else."""
        offered = next(one for one in self.fight.state.prompts if one.kind == blow_effects.REPRISAL_PROMPT)
        if not self.do(scm.Reprise(who=offered.who, choice="trade")):
            return
        one = self.fight.state.combatants[offered.who]
        if out_of_turn.open_trade_question(self.fight.state, one) is None or self.fight.state.board is None:
            return
        place = data.draw(st.sampled_from(tuple(self.fight.state.board.places())))
        assert self.do(Move(who=one.id, to=place)) or self.do(scm.Reprise(who=one.id, choice="decline"))
        assert out_of_turn.open_trade_question(self.fight.state, self.fight.state.combatants[one.id]) is None

    @precondition(lambda self: act.kind_of(self.fight.state) == act.PULSE)
    @rule(times=st.integers(1, 10))
    def pulses(self, times: int) -> None:
        self.do(scm.RunPulses(pulses=times))


SegmentsMachine.TestCase.settings = settings(stateful_step_count=16)
TestSegments = SegmentsMachine.TestCase
