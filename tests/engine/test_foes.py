"""What a combatant would do now: legal, sensible, and made of what it knows. Each way of fighting shows."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from fightcall_engine.archive.encounter_writing import edit_in_place
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Advance, Answer, Command, Join
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.state import FightState, Prompt, Style, StyleWord
from fightcall_engine.model.values import replace
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import FoeTurns, Halt, Suggestion, acting_ids, answer_for, foes_to_act, suggest
from fightcall_engine.play.story import player_view, public_events
from rules.shipped import FEW

SPEAR = {"name": "spear", "kind": "melee", "needs": 10, "damage": "d6"}
BOW = {"name": "bow", "kind": "missile", "needs": 10, "damage": "d6"}


# A fight played by suggestions


def answer(fight: Fight, prompt: Prompt) -> Command:
    """The obvious answer, else the first one, or a middling number."""
    obvious = answer_for(fight.system, fight.state, prompt)
    if obvious is not None:
        return obvious
    choice = next((each.id for each in prompt.choices if not each.who), "")
    return Answer(prompt=prompt.id, choice=choice) if choice else Answer(prompt=prompt.id, amount=30)


def play(fight: Fight, steps: int) -> Iterator[Suggestion]:
    """Play both sides by suggestions, which the rules must never refuse; everything else takes its default."""
    for _ in range(steps):
        state = fight.state
        if state.status == "closed":
            return
        ideas = (suggest(fight.system, state, who) for who in acting_ids(fight.system, state))
        idea = next(filter(None, ideas), None)
        if idea is not None:
            legal = [option for option in fight.options(idea.who) if option.legal]
            assert idea.action in [option.action for option in legal], idea
            fight.do(idea.command)
            yield idea
        elif state.asked_first is not None and not state.asked_first.is_remark:
            fight.do(answer(fight, state.asked_first))
        else:
            fight.do(Advance())


def sides_left(fight: Fight) -> set[str]:
    return {each.side for each in fight.state.combatants.values() if each.able}


@pytest.mark.slow
@pytest.mark.parametrize("encounter", FEW)
def test_foes_act_legally_and_a_suggestion_is_pure(encounter):
    """A forecast plays all the others to their end: see `test_forecast`."""
    fight = start_fight(load_encounter(encounter), id="x", seed="11")
    fight.give("start")
    acts = attacks = 0
    for idea in play(fight, 60):
        acts, attacks = acts + 1, attacks + bool(idea.target)
        if acts <= 6:
            check_pure(fight)
    assert attacks
    assert acts > 10


def check_pure(fight: Fight) -> None:
    """The same is suggested again, with words or without, and nothing has changed."""
    state = fight.state
    ideas = [suggest(fight.system, state, who) for who in state.combatants]
    assert fight.state is state
    assert ideas == [suggest(fight.system, state, who) for who in state.combatants]
    short = [suggest(fight.system, state, who, in_words=False) for who in state.combatants]
    assert [idea and idea.command for idea in ideas] == [idea and idea.command for idea in short]


# Ways of fighting


def fighter(name: str, side: str, at: tuple[int, int], **more: object) -> Join:
    sheet = {"hp": 10, "strikes": [SPEAR], **more}
    return Join(name=name, side=side, at=Hex(*at), sheet=sheet)


def fight_of(*joins: Join, phase: str = "move.foe") -> Fight:
    """A fight in stage, at the foes' half of a phase."""
    fight = Fight.new("stage", seed="3", board=HexBoard(16, 8), joins=joins)
    fight.give("start")
    while fight.state.step is None or fight.state.step.id != phase:
        fight.do(Advance())
    return fight


def told(fight: Fight, who: str, word: StyleWord, whom: str = "", hit_by: str = "") -> Suggestion | None:
    """What somebody does who fights like that."""
    return suggest(fight.system, with_style(fight.state, who, word, whom, hit_by), who)


def with_style(state: FightState, who: str, word: StyleWord, whom: str = "", hit_by: str = "") -> FightState:
    changed = replace(state.combatants[who], fights=Style(word, whom), hit_by=hit_by)
    return replace(state, combatants={**state.combatants, who: changed})


def end_of(idea: Suggestion | None) -> Hex | None:
    """Where a walk ends."""
    path = idea.values.get("path") if idea is not None else None
    return Hex(*path[-1]) if isinstance(path, list) else None


def test_the_bold_go_up_to_the_nearest():
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Bo", "party", (9, 2)), fighter("Orc", "foe", (2, 2)))
    idea = told(fight, "orc", "bold")
    assert idea is not None
    assert idea.words == "Orc moves to F3, next to Ash"
    assert idea.reason == "nearest"
    assert end_of(idea) == Hex(4, 2)


def test_the_bold_prefer_the_hurt_among_those_beside_them():
    fight = fight_of(
        fighter("Ash", "party", (3, 2)),
        fighter("Bo", "party", (1, 2)),
        fighter("Orc", "foe", (2, 2)),
        phase="melee.foe",
    )
    fight.give("damage", who="bo", amount=5)
    idea = told(fight, "orc", "bold")
    assert idea is not None
    assert (idea.target, idea.reason) == ("bo", "hurt")
    assert idea.chance == 0.5
    assert idea.full_words == "Orc strikes Bo with spear (50 %): hurt"


def test_the_stupid_attack_who_hit_them_last():
    fight = fight_of(
        fighter("Ash", "party", (3, 2)),
        fighter("Bo", "party", (1, 2)),
        fighter("Orc", "foe", (2, 2)),
        phase="melee.foe",
    )
    fight.give("damage", who="bo", amount=5)
    fight.give("damage", who="orc", amount=1, by="ash")
    assert fight.state.combatants["orc"].hit_by == "ash"
    idea = suggest(fight.system, with_style(fight.state, "orc", "stupid", hit_by="ash"), "orc")
    assert idea is not None
    assert (idea.target, idea.reason) == ("ash", "hit it last")


def test_a_pack_attacks_whom_its_friends_attack():
    people = (
        fighter("Ash", "party", (5, 2)), fighter("Bo", "party", (9, 2)),
        fighter("Orc", "foe", (3, 2)), fighter("Cur", "foe", (10, 2)),
    )  # fmt: skip
    fight = fight_of(*people)
    lone, pack = told(fight, "orc", "bold"), told(fight, "orc", "pack")
    assert lone is not None
    assert pack is not None
    assert lone.words == "Orc moves to F3, next to Ash"
    assert pack.words.endswith("next to Bo")
    assert pack.reason == "with its friends"


def test_who_protects_stays_with_the_ward_and_attacks_who_threatens_it():
    people = (
        fighter("Ash", "party", (4, 2)), fighter("Bo", "party", (11, 2)),
        fighter("Orc", "foe", (2, 2)), fighter("Chief", "foe", (12, 2)),
    )  # fmt: skip
    fight = fight_of(*people)
    board = fight.state.board
    assert board is not None
    idea = told(fight, "orc", "protects", "chief")
    place = end_of(idea)
    assert idea is not None
    assert place is not None
    assert board.distance(place, Hex(12, 2)) == 1
    assert idea.reason == "protects Chief"


def test_the_careful_leave_contact_and_shoot():
    archer = {"strikes": [BOW, SPEAR]}
    people = fighter("Ash", "party", (3, 2)), fighter("Orc", "foe", (4, 2), **archer)
    fight = fight_of(*people, fighter("Bo", "party", (11, 6)))
    board = fight.state.board
    assert board is not None
    far = end_of(told(fight, "orc", "careful"))
    assert far is not None
    assert board.distance(far, Hex(3, 2)) > 2
    stay = told(fight, "orc", "bold")
    assert stay is not None
    assert stay.action == "waive"


@pytest.mark.parametrize("harm", [0, 5])
def test_a_coward_flees_at_half_its_health(harm):
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (7, 2)))
    fight.give("damage", who="orc", amount=harm or "0")
    board = fight.state.board
    assert board is not None
    idea = told(fight, "orc", "coward")
    place = end_of(idea)
    assert idea is not None
    assert place is not None
    assert (board.distance(place, Hex(5, 2)) > 2) is bool(harm)
    assert (idea.reason == "flees") is bool(harm)


def test_the_still_never_walk():
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)))
    idea = told(fight, "orc", "still")
    assert idea is not None
    assert idea.action == "waive"


# What it knows


def test_the_hidden_are_not_found():
    hidden = replace(fighter("Ash", "party", (3, 2)), hidden=True)
    fight = fight_of(hidden, fighter("Bo", "party", (9, 2)), fighter("Orc", "foe", (1, 2)))
    idea = told(fight, "orc", "bold")
    assert idea is not None
    assert "Bo" in idea.words
    only = fight_of(hidden, fighter("Orc", "foe", (1, 2)))
    assert told(only, "orc", "bold").action == "waive"


def test_a_fight_looks_the_same_wherever_the_hidden_stand():
    ideas = set()
    for at in ((6, 5), (10, 6), (14, 1)):
        hidden = replace(fighter("Ash", "party", at), hidden=True)
        fight = fight_of(hidden, fighter("Bo", "party", (9, 2)), fighter("Orc", "foe", (1, 2)))
        ideas.add(told(fight, "orc", "bold").full_words)
    assert len(ideas) == 1


def test_nobody_acts_who_is_down_or_waits_for_nothing():
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)))
    assert foes_to_act(fight.system, fight.state) == ("orc",)
    fight.give("damage", who="orc", amount=20)
    assert suggest(fight.system, fight.state, "orc") is None
    assert suggest(fight.system, fight.state, "nobody") is None


# Saying how they fight


def style_of(fight: Fight, who: str) -> Style:
    return fight.state.combatants[who].fights


def test_how_they_fight_is_set_undone_and_replayed(tmp_path):
    people = fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)), fighter("Chief", "foe", (9, 2))
    fight = Fight.new("stage", seed="3", board=HexBoard(16, 8), joins=people, path=tmp_path / "fight.jsonl")
    fight.give("style", targets=["Orc", "Chief"], word="pack")
    fight.give("set_style", targets=["orc"], word="protects", whom="Chief")
    assert (style_of(fight, "orc"), style_of(fight, "chief")) == (Style("protects", "chief"), Style("pack"))
    assert phrase_of(fight) == "Orc now fights: protects Chief"
    fight.undo()
    assert style_of(fight, "orc") == Style("pack")
    fight.redo()
    fight.close()
    again = Fight.open(tmp_path / "fight.jsonl")
    assert again.state == fight.state
    again.give("copy", who="orc")
    assert style_of(again, "orc-2") == Style("protects", "chief")
    again.close()


def phrase_of(fight: Fight) -> str:
    """The newest entry in words."""
    (event,) = fight.head.events
    phrase = fight.system.phrase(event, fight.state)
    assert phrase is not None
    return phrase.text


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"targets": ["orc"], "word": "protects"}, "whom"),
        ({"targets": ["orc"], "word": "bold", "whom": "ash"}, "whom"),
        ({"targets": ["orc"], "word": "protects", "whom": "orc"}, "targets"),
        ({"targets": [], "word": "bold"}, "targets"),
        ({"targets": ["nobody"], "word": "bold"}, "who"),
    ],
)
def test_a_style_that_makes_no_sense_is_refused(data, rule):
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)))
    with pytest.raises(Refused) as caught:
        fight.give("set_style", **data)
    assert caught.value.rule == rule


def test_players_learn_nothing_of_how_anybody_fights():
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)))
    view = player_view(fight.state, fight.system)
    fight.give("set_style", targets=["orc"], word="coward")
    assert player_view(fight.state, fight.system) == view
    assert public_events(fight.head.events, fight.state) == ()


FILE = """
name = "Styles"
system = "stage"

[[combatant]]
name = "Brand"
side = "party"

[[combatant]]
name = "Goblin x2"
side = "foe"
fights = "{}"
"""


@pytest.mark.parametrize(
    ("text", "style"),
    [("pack", Style("pack")), ("protects brand", Style("protects", "brand")), ("protects Goblin 2", None)],
)
def test_an_encounter_says_how_they_fight(tmp_path, text, style):
    path = tmp_path / "styles.toml"
    path.write_text(FILE.format(text), encoding="utf-8")
    encounter = load_encounter(path)
    fight = start_fight(encounter, id="x", seed="1")
    assert style_of(fight, "goblin-1") == (style or Style("protects", "goblin-2"))
    assert style_of(fight, "brand") == Style()
    before = path.read_text(encoding="utf-8")
    changed = replace(encounter, joins=tuple(replace(join, fights="still") for join in encounter.joins))
    path.write_text(edit_in_place(before, encounter, changed), encoding="utf-8")
    assert {join.fights for join in load_encounter(path).joins} == {"still"}


@pytest.mark.parametrize("text", ["brave", "protects", "pack brand", "protects nobody"])
def test_an_encounter_with_an_unknown_style_is_refused_with_its_line(tmp_path, text):
    path = tmp_path / "styles.toml"
    path.write_text(FILE.format(text), encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 12: .*fights"):
        load_encounter(path)


# One after the other


def test_everything_acknowledged_is_there_when_the_program_is_killed_in_the_middle(tmp_path):
    """The deeds that were told are in the file, nothing is half done, and the foes go on from there."""
    path, whole = tmp_path / "fight.jsonl", tmp_path / "whole.jsonl"
    for each in (path, whole):
        fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="7", path=each)
        fight.give("start")
        while fight.state.step is None or fight.state.step.id != "missile.foe":
            fight.do(Advance())
        fight.close()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    told = [int(line) for line in killed.stdout.split()]
    assert len(told) == 2
    again, other = Fight.open(path), Fight.open(whole)
    assert again.head_number == told[-1]
    assert [run_foes(fight) for fight in (again, other)] == ["Now: Move, Party"] * 2
    assert again.state == other.state
    again.close()
    other.close()


KILLED = """
import os, signal, sys
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import FoeTurns
fight = Fight.open(sys.argv[1])
turns = FoeTurns(fight)
for _ in range(2):
    print(fight.do(turns.next().command).number, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def run_foes(fight: Fight) -> str:
    """Let the foes act until they stop; says why."""
    turns = FoeTurns(fight)
    for _ in range(60):
        deed = turns.next()
        if isinstance(deed, Halt):
            return deed.why
        fight.do(deed.command)
    raise AssertionError("the foes never stop")


@pytest.mark.parametrize("encounter", FEW)
def test_the_foes_leave_what_is_the_players_to_them(encounter):
    """They act only for their own side, answer no decision of a player, and always come to a stop."""
    fight = start_fight(load_encounter(encounter), id="x", seed="9")
    fight.give("start")
    for _ in range(12):
        start = fight.line.entry_count()
        assert run_foes(fight)
        for at in range(start, fight.line.entry_count()):
            entry = fight.line.entry(at)
            actor = fight.state.combatants.get(str(entry.command.get("who", "")))
            assert actor is None or actor.side != fight.system.sides[0]
        if fight.state.status != "running":
            return
        prompt = fight.state.asked_first
        fight.do(Advance() if prompt is None or prompt.is_remark else answer(fight, prompt))


def test_foes_without_an_enemy_do_nothing():
    fight = fight_of(fighter("Ash", "party", (5, 2)), fighter("Orc", "foe", (2, 2)))
    fight.give("damage", who="ash", amount=20)
    assert run_foes(fight) == "no one is left to fight"


@pytest.mark.parametrize("encounter", ["first-segment", "surrounded-by-goblins"])
def test_the_foes_roll_their_own_initiative_and_leave_the_players_theirs(encounter):
    fight = start_fight(load_encounter(encounter), id="x", seed="9")
    fight.give("start")
    foes = {each.id for each in fight.state.combatants.values() if each.side == "foe"}
    start = fight.line.entry_count()
    run_foes(fight)
    commands = [fight.line.entry(at).command for at in range(start, fight.line.entry_count())]
    assert {each["type"] for each in commands} == {"Initiative"}
    assert {each["who"] for each in commands} == foes
    assert set(fight.system.waiting(fight.state)) == {*fight.state.combatants} - foes


def with_cudgel_and_spear(seed: str) -> Fight:
    """A groom with a cudgel, and Berit with a spear in his way; the groom's attack is due."""
    encounter = load_encounter("the-tiltyard")
    two = {join.name: join for join in encounter.joins if join.name in ("Berit", "Groom 1")}
    joins = (replace(two["Berit"], at=Hex(5, 5)), replace(two["Groom 1"], at=Hex(6, 5), facing=3))
    fight = start_fight(replace(encounter, joins=joins), id="x", seed=seed)
    fight.give("start")
    while fight.state.step is None or fight.state.step.kind != "resolve" or fight.state.step.actor != "groom-1":
        state = fight.state
        prompt = state.asked_first
        theirs = [who for who in acting_ids(fight.system, state) if who == "groom-1"]
        idea = suggest(fight.system, state, theirs[0]) if theirs else None
        if idea is not None:
            fight.do(idea.command)
        else:
            fight.do(answer(fight, prompt) if prompt is not None and prompt.blocking else Advance())
        assert state.round < 3
    return fight


def test_who_is_kept_off_by_a_longer_weapon_gets_past_it_first():
    """CS-319: otherwise the declared attack is lost."""
    fight = with_cudgel_and_spear("1")
    idea = suggest(fight.system, fight.state, "groom-1")
    assert idea is not None
    assert (idea.action, idea.target, idea.reason) == ("get-inside", "berit", "to do as declared")


def test_what_was_declared_and_cannot_be_done_is_lost_by_the_step_that_goes_on():
    fight = with_cudgel_and_spear("1")
    fight.give("place", who="groom-1", at="N6")
    assert run_foes(fight) == "Segment 2 begins"
    assert fight.head.command["type"] == "Advance"
    assert not fight.state.combatants["berit"].hit_by


# Other people's systems


@pytest.mark.slow
@pytest.mark.parametrize("plugin", ["duel", "snowballs"])
def test_foes_act_in_systems_that_nobody_here_has_heard_of(plugin, request):
    """No rule of any system is inside: what plug-ins offer is enough."""
    encounter = {"duel": "at-dawn", "snowballs": "the-playground"}[plugin]
    request.getfixturevalue(plugin)
    fight = start_fight(load_encounter(encounter), id="x", seed="2")
    fight.give("start")
    ideas = list(play(fight, 120))
    assert {fight.state.combatants[idea.who].side for idea in ideas if idea.target} == set(fight.system.sides[:2])
    assert len(sides_left(fight)) == 1 or len(ideas) > 30


@pytest.mark.parametrize(("hits_at", "attacks"), [(4, True), (6, True), (7, False)])
def test_an_attack_that_seldom_hits_is_not_in_vain(duel, monkeypatch, hits_at, attacks):
    fight = start_fight(load_encounter("at-dawn"), id="x", seed="2")
    fight.give("start")
    while fight.state.phase != "blades":
        fight.give("advance")
    monkeypatch.setattr(sys.modules["fightcall_duel"], "HITS_AT", hits_at)
    idea = suggest(fight.system, fight.state, acting_ids(fight.system, fight.state)[0])
    assert (idea is not None and bool(idea.target)) is attacks
