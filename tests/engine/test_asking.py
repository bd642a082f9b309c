"""Rules that ask in the middle: a function that ends at its question, and runs again with the answer."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fightcall_engine import kit
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.cues import SystemReactions
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.views import Referee
from fightcall_engine.model.commands import Answer, Damage, Join, Start
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused, Runaway
from fightcall_engine.model.events import (
    Downed,
    EffectEnded,
    LeftFight,
    NoteAdded,
    Overridden,
    RulingAsked,
    RulingRecorded,
)
from fightcall_engine.model.state import FightState
from fightcall_engine.play.amendments import Edit
from fightcall_engine.play.decide import decide
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.random_player import RandomPlayer


@pytest.fixture
def saved(snowballs, tmp_path):
    """A snowball in the air, saved: Bert has to duck, then Cleo."""
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight", path=tmp_path / "fight.jsonl")
    fight.give("start")
    fight.give("throw", who="ada", at="E2")
    yield fight
    fight.close()


def reopened(fight: Fight) -> Fight:
    """The same fight in a program that has just been started."""
    fight.close()
    return Fight.open(fight.path)


def test_a_question_outlives_the_program(saved):
    """Put back where it was left: the one who is asked, the dice, and whoever is asked next."""
    copy = saved.copy()
    copy.give("answer")
    copy.give("answer")
    again = reopened(saved)
    assert [prompt.who for prompt in again.state.prompts] == ["bert"]
    again.give("answer")
    again = reopened(again)
    again.give("answer")
    assert again.state == copy.state
    assert [entry.events for entry in again.line.entries] == [entry.events for entry in copy.line.entries]
    again.close()


def test_a_question_that_takes_the_place_of_a_throw_at_the_table_outlives_the_program(tmp_path):
    """CS-026: a tie is a coin's toss, but with dice of the table it is asked about."""
    joins = [Join(name=name, side=side) for name, side in (("Ash", "party"), ("Orc", "foe"))]
    fight = Fight.new("segments", settings={"dice": "table"}, seed="1", joins=joins, path=tmp_path / "tie.jsonl")
    fight.give("start")
    fight.give("advance", rolls={"initiative.ash": [3], "initiative.orc": [3]})
    asked = fight.state
    assert [prompt.kind for prompt in asked.prompts] == ["tie"]
    again = reopened(fight)
    assert again.state == asked
    again.close()


def test_undo_asks_again_and_redo_has_answered(saved):
    asked = saved.state
    saved.give("answer", rolls={"duck": [3]})
    answered = saved.state
    saved.undo()
    assert saved.state == asked
    saved.give("answer", rolls={"duck": [6]})
    assert saved.state.combatants["bert"].pool("wet").now == 3
    saved.undo()
    saved.jump(saved.branches()[0].tip)
    saved.give("answer", rolls={"duck": [6]})
    assert answered.combatants["bert"].pool("wet").now == 2


def test_an_update_between_question_and_answer_closes_the_question(saved, monkeypatch):
    """What the new rules would have asked otherwise is lost, with a word to the GM; nothing else is touched."""
    before, system = saved.state, type(saved.system)
    ask = Decision.ask

    def ask_in_other_words(self, prompt):
        self.roll("d4", "luck")
        return ask(self, prompt)

    monkeypatch.setattr(Decision, "ask", ask_in_other_words)
    again = reopened(saved)
    assert not again.state.prompts
    (closed,) = again.head.events
    assert isinstance(closed, RulingRecorded)
    assert "since Throw asked this" in closed.note
    assert (again.state.combatants, again.state.agenda) == (before.combatants, before.agenda)
    assert isinstance(again.system, system)
    again.close()


def test_the_next_is_asked_although_nobody_answers(saved):
    saved.give("leave", who="bert")
    assert [prompt.who for prompt in saved.state.prompts] == ["cleo"]
    again = reopened(saved)
    again.give("answer", rolls={"duck": [2]})
    assert again.state.combatants["cleo"].pool("wet").now == 2
    assert not again.state.prompts
    again.close()


def test_dice_typed_with_the_act_count_after_its_questions(snowballs):
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight")
    fight.give("start")
    entry = fight.give("throw", who="ada", at="E2", rolls={"duck": [1, 6]})
    assert entry.unused == ()
    fight.give("answer")
    fight.give("answer")
    assert [fight.state.combatants[who].pool("wet").now for who in ("bert", "cleo")] == [2, 3]


# Laws


ENCOUNTERS = ("ambush-at-the-ford", "the-last-tram", "surrounded-by-goblins", "first-segment")
IN_FILES = ("the-toll-bridge", "the-rooftops", "the-loading-dock", "high-noon")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encounter", "seed"), [*product(ENCOUNTERS, (1, 2)), *((encounter, 1) for encounter in IN_FILES)]
)
def test_a_fight_is_the_same_if_the_program_is_killed_whenever_something_is_asked(encounter, seed, tmp_path):
    """Every waiting function is thrown away before each command, and found again by deciding what asked."""
    player = RandomPlayer(encounter, seed)
    player.play(60, is_checked=False)
    fight = start_fight(load_encounter(encounter), id="fight", seed=str(seed), path=tmp_path / "fight.jsonl")
    assert player.fight.line.entry_count() > 10
    for entry in player.fight.line.entries:
        fight = reopened(fight) if fight.state.prompts else fight
        fields = {name: value for name, value in entry.command.items() if name != "type"}
        assert fight.give(str(entry.command["type"]), **fields).events == entry.events
    assert fight.state == player.fight.state
    fight.close()


@pytest.fixture
def alley(footpads, tmp_path):
    """Ada has begun to walk past two footpads; the first is asked whether he strikes."""
    fight = start_fight(load_encounter("the-alley"), id="fight", seed="3", path=tmp_path / "alley.jsonl")
    fight.give("start")
    fight.give("move", who="ada", to="F3")
    yield fight
    fight.close()


def asked(fight):
    return [prompt.who for prompt in fight.state.prompts]


def test_branches_keep_their_own_questions_and_functions(alley):
    fork = alley.head_number
    alley.give("answer", choice="no")
    assert asked(alley) == ["cut"]
    alley.jump(fork)
    alley.give("answer", choice="yes", rolls={"blow": [6], "dodge": [1]})
    assert asked(alley) == []
    again = reopened(alley)
    other = next(branch.tip for branch in again.branches() if branch.tip != again.head_number)
    again.jump(other)
    assert asked(again) == ["cut"]
    again.give("answer", choice="yes", rolls={"blow": [1], "dodge": [6]})
    assert again.head.events[-1].type == "RulingAsked"
    again.close()


def test_an_answer_is_changed_later_and_what_followed_is_decided_again(alley):
    """An amendment across open questions, in a program that has just been started."""
    first = alley.give("answer", choice="no")
    alley.give("answer", choice="no")
    before = asked(alley)
    miss = alley.codec.command("answer", {"choice": "yes", "rolls": {"blow": [1], "dodge": [6]}})
    again = reopened(alley)
    amendment = again.amend([Edit(first.number, instead=miss)])
    assert not amendment.refused
    again.adopt(amendment)
    assert any(event.type == "Struck" for event in again.line.events())
    assert asked(again) == before
    again = reopened(again)
    again.give("answer", choice="no")
    assert asked(again) != before
    again.close()


def test_what_is_inserted_before_the_act_is_known_to_those_who_answer(alley):
    """Ada has a life less when she is hit, so she falls; the old answer is given again."""
    move = alley.head_number
    alley.give("answer", choice="yes", rolls={"blow": [6], "dodge": [1]})
    hurt = alley.codec.command("damage", {"who": "ada", "amount": 1})
    alley.adopt(alley.amend([Edit(move, before=(hurt,))]))
    assert not alley.state.combatants["ada"].able


def test_the_gms_force_lasts_through_the_questions(footpads):
    fight = start_fight(load_encounter("the-alley"), id="fight", seed="3")
    fight.give("start")
    assert any(isinstance(event, Overridden) for event in fight.give("move", who="ada", to="G3", force=True).events)
    while fight.state.prompts:
        assert not any(isinstance(event, Overridden) for event in fight.give("answer", choice="no").events)
    assert fight.state.board.name_of(fight.state.combatants["ada"].at) == "G3"


@pytest.mark.parametrize(("value", "choice"), [("no", "no"), (True, "yes"), (False, "no"), (None, "yes")])
def test_an_answer_can_be_given_as_a_value(footpads, value, choice):
    fight = start_fight(load_encounter("the-alley"), id="fight", seed="3")
    fight.give("start")
    fight.give("move", who="ada", to="F3")
    ruling = fight.give("answer", value=value).events[0]
    assert (ruling.choice, ruling.default_taken) == (choice, value is None)


@pytest.mark.parametrize("given", [{"value": "perhaps"}, {"value": 15}, {"amount": 15}, {"amount": "2d6"}])
def test_what_is_no_answer_is_refused_and_not_taken_for_the_default(footpads, given):
    fight = start_fight(load_encounter("the-alley"), id="fight", seed="3")
    fight.give("start")
    fight.give("move", who="ada", to="F3")
    with pytest.raises(Refused, match="isn't an answer to 'Bill strikes as Ada passes") as no:
        fight.give("answer", **given)
    assert no.value.alternatives == ("yes", "no")


@pytest.mark.parametrize("given", [{"amount": 3}, {"value": 3}])
def test_a_number_answers_however_it_is_given(given):
    fight = start_fight(load_encounter("a-first-fight"), id="fight", seed="3")
    fight.give("start")
    while fight.state.phase != "missile":
        fight.give("advance")
    fight.give("shoot", who="ysolde", target="goblin-1", hit=True)
    assert [prompt.kind for prompt in fight.state.prompts if prompt.blocking] == ["damage"]
    fight.give("answer", prompt="damage", **given)
    assert fight.state.combatants["goblin-1"].pool("hp").now == 4


@pytest.mark.parametrize(
    ("name", "given"), [("answer", {"value": 5}), ("answer", {"amount": 5}), ("rule", {"value": 5})]
)
def test_the_die_of_a_question_can_be_given_as_a_number(name, given):
    """Q-T12: in a question about a roll, a number is its die, and no other answer."""
    fight = Fight.new("turns", seed="1", joins=[Join(name="Ash", side="party"), Join(name="Orc", side="foe")])
    fight.give("start")
    fight.give("initiative")
    fight.give("join", name="Late", side="foe")
    assert [prompt.kind for prompt in fight.state.prompts] == ["arrival"]
    given = {"what": "arrival", **given} if name == "rule" else given
    rolled = [event.faces for event in fight.give(name, **given).events if event.type == "DiceRolled"]
    assert rolled in ([(5,)], []), rolled
    assert fight.state.combatants["late"].record.init_roll == 5


@pytest.mark.parametrize("given", [{"amount": 99}, {"value": 99}])
def test_a_number_that_the_dice_cannot_give_is_refused(given):
    """AP-01."""
    fight = Fight.new("slots", seed="1", joins=[Join(name="Ash", side="party"), Join(name="Orc", side="foe")])
    fight.give("start")
    assert fight.state.asked_first.dice
    with pytest.raises(Refused, match="can't give 99"):
        fight.give("answer", **given)


@pytest.mark.parametrize("order", [("stall", "talks"), ("talks", "stall")])
def test_several_wait_at_once_and_are_answered_in_any_order(order):
    fight = start_fight(load_encounter("tavern-parley"), id="fight", seed="1")
    fight.give("start")
    speaker = next(one.id for one in fight.state.combatants.values() if one.side == "party")
    fight.give("talk", who=speaker, fast_talk=True)
    assert {prompt.kind for prompt in fight.state.prompts} == {"talks", "stall"}
    kinds = []
    for kind, choice in zip(order, ({"stall": "2 Moments", "talks": "granted"}[each] for each in order), strict=True):
        kinds += [event.type for event in fight.give("answer", prompt=kind, choice=choice).events]
    assert {"ParleyGranted", "StallUsed"} <= {*kinds}
    assert not {prompt.kind for prompt in fight.state.prompts} & {"talks", "stall"}


class Vigil(kit.BaseSystem):
    """A step that asks before it begins, and a fall that asks for last words."""

    id, title = "vigil", "Vigil"

    def steps_of_round(self, decision):
        sides = kit.choices(*self.sides)
        answer = decision.ask(kit.prompt_for(None, kind="lead", question="Who leads?", rule="V-1", choices=sides))
        sides = self.sides if answer is None or answer.choice == self.sides[0] else tuple(reversed(self.sides))
        return tuple(kit.Step(f"watch.{side}", "watch", "watch", side.title(), side) for side in sides)

    @kit.reacts_to(Downed)
    def ask_last_words(self, decision, event):
        fallen = decision.combatant(event.who)
        question = kit.prompt_for(fallen, kind="words", question="Last words?", rule="V-2", choices=())
        answer = decision.ask(question)
        decision.emit(NoteAdded(text=f"{fallen.name}: {answer.note if answer is not None else '...'}", who=fallen.id))


QUESTION = kit.prompt_for(None, kind="words", question="Last words?", rule="V-2", choices=kit.choices("x"))


@pytest.fixture
def begin():
    """Begins a function in a fight of nobody, and gives the decision."""
    state = FightState(id="f", name="", system="vigil", seed="1")

    def run(function, referee=None):
        decision = Decision(state, Dice("1", 0), referee, SystemReactions(Vigil()))
        decision.spawn(function)
        return decision

    return run


def ask(decision, kind):
    """Ask something; the answer must be one to this question."""
    answer = decision.ask(replace(QUESTION, kind=kind))
    assert answer is None or answer.note == kind


class Echo(kit.BaseSystem):
    """In which whatever is told or asked is asked about."""

    id, title = "echo", "Echo"

    @kit.reacts_to(NoteAdded)
    def ask_about_note(self, decision, event):
        decision.roll("d1000", "luck")
        ask(decision, f"echo of {event.text}")

    @kit.reacts_to(RulingAsked)
    def ask_about_question(self, decision, event):
        if not event.prompt.kind.startswith("echo"):
            decision.roll("d1000", "luck")
            ask(decision, f"echo of {event.prompt.kind}")


class Script:
    """A function of random steps. It notes what it rolls: a run for each time that it was begun with the same dice."""

    def __init__(self, steps, name="script"):
        self.steps, self.name, self.runs = steps, name, []

    def __call__(self, decision):
        self.runs.append([])
        self.do(decision, self.steps, self.name)

    def do(self, decision, steps, name):
        for at, step in enumerate(steps):
            match step:
                case "roll":
                    self.runs[-1].append(decision.roll("d1000", "luck").total)
                case "try":
                    self.runs[-1].append(decision.branch().roll("d1000", "luck").total)
                case "tell":
                    decision.emit(NoteAdded(text=f"{name}.{at}"))
                case "ask":
                    ask(decision, f"{name}.{at}")
                case "answer" if decision.state.prompts:
                    first = decision.state.prompts[0]
                    decision.answer(first, Answer(choice="x", note=first.kind))
                case "withdraw":
                    decision.withdraw(decision.state.prompts[:1], "gone")
                case ("spawn", inner):
                    decision.spawn(Script(inner, f"{name}.{at}"))
                case ("run", inner):
                    decision.run(self.do, inner, f"{name}.{at}")


_ANYWHERE = st.sampled_from(["roll", "try", "tell", "ask"])
STEPS = st.recursive(
    st.lists(_ANYWHERE | st.sampled_from(["answer", "withdraw"]), max_size=4).map(tuple),
    lambda inner: st.lists(_ANYWHERE | st.tuples(st.sampled_from(["spawn", "run"]), inner), max_size=4).map(tuple),
    max_leaves=8,
)


@example(("try", "ask"), [])
@example(("roll", ("spawn", ("roll", "ask")), "ask"), [])
@example(("ask", "roll"), [("answer", "roll", "ask")])
@example(("ask", "roll"), [("withdraw", "roll", "ask")])
@example(("tell", "ask"), [])
@given(STEPS, st.lists(STEPS, max_size=4))
def test_a_function_that_goes_on_rolls_what_it_rolled_before_it_asked(steps, later_steps):
    """Whatever it begins, tries, tells, answers or withdraws: before a question all is as it was, dice and answers."""
    state, waiting = FightState(id="f", name="", system="vigil", seed="1"), set()
    for place, each in enumerate((steps, *later_steps, *[("answer",)] * 9)):
        decision = Decision(state, Dice("1", place), None, SystemReactions(Echo()))
        decision.spawn(Script(each, str(place)))
        state = decision.state
        waiting |= {prompt.waiting.function for prompt in state.prompts}
    for script in (each for each in waiting if isinstance(each, Script)):
        first, *others = sorted(script.runs, key=len)
        assert all(run[: len(first)] == first for run in others)


def test_a_function_that_decides_by_more_than_its_state_and_dice_is_named(begin):
    times = []

    def ask_once(decision):
        times.append(1)
        if len(times) == 1:
            decision.ask(QUESTION)

    asked = begin(ask_once)
    later = Decision(asked.state, Dice("1", 1), None, SystemReactions(Vigil()))
    with pytest.raises(RuntimeError, match=r"ask_once\(\) asks less when run again"):
        later.answer(asked.state.prompts[0], Answer(choice="x"))


def test_nobody_is_asked_about_who_is_not_here(begin):
    told = []

    def ask_about_absent(decision):
        told.append(decision.ask(replace(QUESTION, about=("nobody",))))
        told.append(decision.ask(QUESTION).choice)

    asked = begin(ask_about_absent)
    assert [prompt.about for prompt in asked.state.prompts] == [()]
    later = Decision(asked.state, Dice("1", 1), None, SystemReactions(Vigil()))
    later.answer(asked.state.prompts[0], Answer(choice="x"))
    assert told == [None, None, "x"]


def test_what_the_gm_overrides_in_an_act_that_nobody_answers_is_recorded_where_it_goes_on(begin):
    def ask_and_act(decision):
        decision.ask(QUESTION)
        decision.require(kit.Check(False, "V-3", "too late"))

    asked = begin(ask_and_act, Referee("Speak", "", force=True))
    later = Decision(asked.state, Dice("1", 1), None, SystemReactions(Vigil()))
    later.go_on_without(asked.state.prompts[0])
    assert [override.rule for override in later.referee.overrides] == ["V-3"]
    assert not Decision(asked.state).referee.overrides


class Gloom(Vigil):
    """In which nobody can be asked anything, unless the GM says so."""

    @kit.reacts_to(RulingAsked)
    def forbid(self, decision, event):
        decision.require(kit.Check(False, "V-4", "too dark"))


def test_what_the_gm_overrides_as_a_question_opens_is_recorded():
    ash = kit.Combatant("ash", "A", "Ash", "party", {}, {"hp": kit.Pool(2, 2)})
    state = FightState(id="f", name="", system="vigil", seed="1", combatants={"ash": ash}, order=("ash",))
    events, states = decide(Gloom(), state, Damage(who="ash", amount=2, force=True), Dice("1", 0))
    assert len(events) == len(states)
    assert [event.rule for event in events if isinstance(event, Overridden)] == ["V-4"]
    assert [prompt.kind for prompt in states[-1].prompts] == ["words"]


class Chorus(Vigil):
    """In which whoever is asked for last words has somebody to hear them."""

    @kit.reacts_to(RulingAsked)
    def ask_for_hearer(self, decision, event):
        if event.prompt.kind == "words":
            answer = decision.ask(replace(QUESTION, kind="hearer"))
            decision.emit(NoteAdded(text=f"{answer.choice} listens"))


@pytest.mark.parametrize("order", [("words", "hearer"), ("hearer", "words")])
def test_a_question_may_lead_to_another_one(order):
    ash = kit.Combatant("ash", "A", "Ash", "party", {}, {"hp": kit.Pool(2, 2)})
    state = FightState(id="f", name="", system="vigil", seed="1", combatants={"ash": ash}, order=("ash",))
    _, states = decide(Chorus(), state, Damage(who="ash", amount=2), Dice("1", 0))
    assert [prompt.kind for prompt in states[-1].prompts] == ["words", "hearer"]
    notes = []
    for place, kind in enumerate(order, 1):
        events, states = decide(Chorus(), states[-1], Answer(prompt=kind, choice="x", note="oh"), Dice("1", place))
        notes += [event.text for event in events if isinstance(event, NoteAdded)]
    assert sorted(notes) == ["Ash: oh", "x listens"]
    assert not states[-1].prompts


class Endless(kit.BaseSystem):
    """In which whoever is asked anything asks back, or takes back what was asked."""

    id, title = "endless", "Endless"

    def __init__(self, withdraws):
        self.withdraws = withdraws

    @kit.reacts_to(RulingAsked)
    def go_on(self, decision, event):
        if self.withdraws:
            decision.withdraw(decision.state.prompts[:1], "never mind")
        else:
            decision.ask(replace(QUESTION, kind="more"))


@pytest.mark.parametrize("withdraws", [True, False])
def test_questions_without_end_are_a_fault_and_leave_the_program_its_stack(withdraws):
    def ask_on(decision):
        while True:
            decision.ask(QUESTION)

    state = FightState(id="f", name="", system="vigil", seed="1")
    decision = Decision(state, Dice("1", 0), None, SystemReactions(Endless(withdraws)))
    with pytest.raises(Runaway, match="RulingAsked"):
        decision.spawn(ask_on)


def test_a_question_that_another_one_has_closed_is_not_closed_again():
    """Both are about Ash, who leaves."""
    ash = kit.Combatant("ash", "A", "Ash", "party", {}, {"hp": kit.Pool(2, 2)})
    state = FightState(id="f", name="", system="vigil", seed="1", combatants={"ash": ash}, order=("ash",))

    def give_up_both(decision):
        decision.ask(replace(QUESTION, kind="first", about=("ash",)))
        decision.withdraw([prompt for prompt in decision.state.prompts if prompt.kind == "second"], "given up")

    def go_on(decision):
        decision.ask(replace(QUESTION, kind="second", about=("ash",)))
        decision.emit(NoteAdded(text="goes on"))

    asked = Decision(state, Dice("1", 0), None, SystemReactions(Vigil()))
    asked.spawn(give_up_both)
    asked.spawn(go_on)
    later = Decision(asked.state, Dice("1", 1), None, SystemReactions(Vigil()))
    later.withdraw_about("ash")
    assert [event.prompt for event in later.events if isinstance(event, RulingRecorded)] == ["p1", "p2"]
    assert [event.text for event in later.events if isinstance(event, NoteAdded)] == ["goes on"]
    assert not later.state.prompts


class Mourning(kit.BaseSystem):
    """In which somebody is asked about Ash when he leaves."""

    id, title = "mourning", "Mourning"
    clocks = {"round": {"end": "round_end"}, "own": {"start": "turn_start", "end": "turn_end"}}  # noqa: RUF012

    @kit.reacts_to(LeftFight)
    def mourn(self, decision, event):
        if event.who == "ash":
            decision.ask(QUESTION)


@pytest.mark.parametrize(
    "then", [LeftFight(who="bo"), EffectEnded(who="bo", effect="e1", name="hexed", reason="over"), NoteAdded(text="-")]
)
def test_an_effect_of_a_leaver_that_has_ended_meanwhile_is_handed_over_to_nobody(then):
    pools = {"hp": kit.Pool(2, 2)}
    hex_of_ash = kit.Effect(id="e1", name="hexed", left=2, ticks="turn_end", clock="ash")
    ash = kit.Combatant("ash", "A", "Ash", "party", {}, pools)
    bo = kit.Combatant("bo", "B", "Bo", "foe", {}, pools, effects=(hex_of_ash,))
    new = FightState(id="f", name="", system="vigil", seed="1", status="running")
    state = replace(new, combatants={"ash": ash, "bo": bo}, order=("ash", "bo"))
    for place, step in enumerate((LeftFight(who="ash"), then)):
        decision = Decision(state, Dice("1", place), None, SystemReactions(Mourning()))
        decision.spawn(Decision.emit, step)
        state = decision.state
    decision = Decision(state, Dice("1", 2), None, SystemReactions(Mourning()))
    decision.answer(state.prompts[0], Answer(choice="x"))
    events = [event.type for event in decision.events]
    assert ("ClockChanged" in events) == isinstance(then, NoteAdded)


def test_a_step_and_a_reaction_ask_like_any_rule():
    system = Vigil()
    pools = {"hp": kit.Pool(2, 2)}
    ash, bo = kit.Combatant("ash", "A", "Ash", "party", {}, pools), kit.Combatant("bo", "B", "Bo", "foe", {}, pools)
    new = FightState(id="f", name="", system="vigil", seed="1")
    state = replace(new, combatants={"ash": ash, "bo": bo}, order=("ash", "bo"))
    _, states = decide(system, state, Start(), Dice("1", 0))
    assert [prompt.kind for prompt in states[-1].prompts] == ["lead"]
    _, states = decide(system, states[-1], Answer(choice="foe"), Dice("1", 1))
    assert states[-1].step.side == "foe"
    _, states = decide(system, states[-1], Damage(who="ash", amount=2), Dice("1", 2))
    assert [prompt.who for prompt in states[-1].prompts] == ["ash"]
    events, _ = decide(system, states[-1], Answer(choice="x", note="avenge me"), Dice("1", 3))
    assert [event.text for event in events if isinstance(event, NoteAdded)] == ["Ash: avenge me"]
