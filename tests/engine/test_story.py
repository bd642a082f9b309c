"""The story of a fight: an act in one sentence, its dice beside it, what came of it under it, and no secret told."""

import contextlib
import re
from pathlib import Path

import pytest

from fightcall_engine.archive.chronicle import chronicle, players_chronicle, to_html, to_json, to_markdown
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.play.chart import Reel, newest_lines, story_lines
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import Paragraph, Remark, Telling, tell

JOURNALS = sorted((Path(__file__).parent / "data" / "journals-0.2").glob("*.jsonl"))


def story_of(fight: Fight) -> list[Remark]:
    """All that is told of a fight, asides and headings left out."""
    told, found = Telling((), fight.line.seek(0), Paragraph()), []
    for entry in fight.line.entries:
        told = tell(fight.system, told.state, entry.events, told.paragraph)
        found += [remark for remark in told.remarks if remark.is_told]
    return found


def in_missile(**settings: object) -> Fight:
    """The ford, the party about to shoot."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="7")
    fight.give("start")
    while fight.state.step.id != "missile.party":
        fight.give("advance")
    return fight


def test_what_an_answer_brings_stands_under_the_act_that_asked() -> None:
    """Found in play 12."""
    fight = in_missile()
    fight.give("strike", who="ysolde", target="goblin-2", rolls={"attack": [9]})
    fight.give("answer", prompt=fight.state.prompts[0].id, choice="damage", amount=4)
    act, harm = story_of(fight)
    assert act.text.startswith("Ysolde shoots at Goblin 2")
    assert (act.edge, act.follows) == ("9 ≤ 12 hit", False)
    assert (harm.follows, harm.part) == (True, act.part)
    assert harm.text == "4 damage (3/7 HP)", "the hit stands above"


@pytest.mark.parametrize("say", [{"say": "Move."}, {"ask": "Does he run?"}])
def test_the_result_of_a_shot_stands_on_its_own_line(say: dict[str, object]) -> None:
    """SB-37; put right 44: a cue that comes true by the shot stands below the shot and its harm."""
    fight = in_missile()
    fight.give("cue", when={"acts": "ysolde"}, then=say)
    fight.give("cue", when={"at_most": 3, "who": "goblin-2"}, then={"say": "He bleeds"})
    fight.give("strike", who="ysolde", target="goblin-2", damage=4, rolls={"attack": [9]})
    act, harm, *cues = story_of(fight)[-4:]
    assert act.text.startswith("Ysolde shoots at Goblin 2")
    assert (act.edge, act.follows) == ("9 ≤ 12 hit", False)
    assert (harm.text, harm.follows) == ("hit for 4 (3/7 HP)", True)
    assert [(cue.text, cue.edge) for cue in cues] == [(f"Cue: {next(iter(say.values()))}", ""), ("Cue: He bleeds", "")]


def test_the_harm_of_a_cue_stands_under_the_cue() -> None:
    """SB-37; put right 44: what the answer to a cue brings belongs to the cue, not to the act that set it off."""
    fight = in_missile()
    stone = {"propose": {"do": "damage", "who": "brand", "amount": 2}, "text": "A stone falls"}
    fight.give("cue", when={"acts": "ysolde"}, then=stone)
    fight.give("strike", who="ysolde", target="goblin-2", hit=False)
    fight.give("answer", choice="do")
    texts = [(remark.text, remark.follows) for remark in story_of(fight)][-2:]
    assert texts[0] == ("Cue: A stone falls", False)
    assert texts[1][0].startswith("Brand takes 2")


CUED = [
    ("stage", "ambush-at-the-ford", "ysolde", ("shoot", {"target": "goblin-2", "rolls": {"attack": [9]}})),
    ("turns", "surrounded-by-goblins", "milli", ("strike", {"target": "goblin-archer-1", "needs": 10})),
]


def acting(encounter: str, who: str) -> Fight:
    """An encounter in which somebody can strike, with a cue for each act of theirs."""
    fight = start_fight(load_encounter(encounter), id="fight", seed="7")
    fight.give("start")
    for _ in range(60):
        if any(option.command in ("Strike", "Shoot") and option.legal for option in fight.options(who)):
            break
        asked = next((prompt for prompt in fight.state.prompts if prompt.blocking), None)
        take = next((option for option in fight.options(who) if option.command == "Take" and option.legal), None)
        if asked is not None:
            fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
        else:
            fight.give(*(("take",) if take else ("advance",)), **({"who": who} if take else {}))
    fight.give("set_cue", when={"acts": who}, then={"say": "Move."}, each_time=True)
    return fight


@pytest.mark.parametrize(("encounter", "who", "act"), [each[1:] for each in CUED], ids=[each[0] for each in CUED])
def test_the_result_of_a_blow_stands_on_its_own_line(encounter: str, who: str, act: tuple[str, dict]) -> None:
    """put right 44: not on the line of a cue that comes up between the act and its roll."""
    fight = acting(encounter, who)
    fight.give(act[0], who=who, **act[1])
    cues = [remark for remark in story_of(fight) if remark.text == "Cue: Move."]
    assert [remark.edge for remark in cues] == [""] * len(cues)
    assert cues
    blow = next(remark for remark in story_of(fight) if re.search(r"\b(hit|miss)\b", f"{remark.text} {remark.edge}"))
    assert blow.text.casefold().startswith(who)


def test_a_result_that_comes_after_a_cue_has_a_sentence_of_its_own() -> None:
    """put right 44: the harm that an answer brings is told of whom, and not as if it followed from the cue."""
    fight = in_missile()
    fight.give("set_cue", when={"acts": "ysolde"}, then={"say": "Move."})
    fight.give("strike", who="ysolde", target="goblin-2", rolls={"attack": [9]})
    damage = next(prompt for prompt in fight.state.prompts if prompt.kind == "damage")
    fight.give("answer", prompt=damage.id, choice="damage", amount=4)
    act, cue, harm = story_of(fight)[-3:]
    assert (act.text.split(" with")[0], act.edge) == ("Ysolde shoots at Goblin 2", "9 ≤ 12 hit")
    assert (cue.text, cue.edge, cue.follows) == ("Cue: Move.", "", False)
    assert (harm.text.startswith("Goblin 2 takes 4"), harm.follows) == (True, False)


def test_what_was_done_in_set_up_does_not_stand_above_the_title_of_the_fight() -> None:
    """SB-18: found in play: Ambush! stood before the question whether it is noticed, and before the fight's name."""
    fight = start_fight(load_encounter("the-watchtower"), id="fight", seed="7")
    fight.give("ambush", by="party")
    fight.give("answer", prompt=fight.state.prompts[0].id, choice=fight.state.prompts[0].default)
    fight.give("start")
    lines, told = [], Telling((), fight.line.seek(0), Paragraph())
    for entry in fight.line.entries:
        told = tell(fight.system, told.state, entry.events, told.paragraph)
        lines += [remark.text for remark in told.remarks]
    assert lines[1] == "Ambush! Only the party acts in Moment 1, unless the foes notice"
    assert lines[-1] == "The fight begins"


def test_harm_after_a_talk_is_no_part_of_it() -> None:
    """Found in play 12: damage to wolves under "Talks drawn out: 11"."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="7")
    fight.give("start")
    fight.give("talk", who="ysolde", fast_talk=True)
    fight.give("answer", prompt="stall", choice="11")
    fight.give("damage", who="goblin-1", amount=2)
    talk, *_, harm = story_of(fight)
    assert "Ysolde" in talk.text
    assert not harm.follows
    assert harm.text.startswith("Goblin 1 takes 2")


def test_what_heals_after_the_fight_stands_under_no_phase_of_it() -> None:
    """Found in play 12: healing under "Initiative"."""
    fight = start_fight(load_encounter("first-segment"), id="fight", seed="7")
    fight.give("start")
    fight.give("damage", who="pell", amount=3)
    fight.give("close")
    fight.give("note", text="a night of rest")
    assert "Initiative" in {remark.part.name for remark in story_of(fight)}
    assert story_of(fight)[-1].part.name == ""


def test_the_die_stands_beside_its_own_act() -> None:
    """Found in play 12: in slots it stood before the act."""
    fight = start_fight(load_encounter("first-cycle"), id="fight", seed="7")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    actor = fight.state.step.actor
    act = next(option for option in fight.options(actor) if option.command == "Act" and option.legal)
    fight.give("act", who=actor, target="wrecker-1", rolls={"roll": [9]}, **act.fixed)
    (line,) = [remark for remark in story_of(fight) if "Wrecker 1" in remark.text]
    assert "rolled" in line.edge


ENCOUNTERS = [
    "ambush-at-the-ford",
    "fire-at-the-playhouse",
    "surrounded-by-goblins",
    "the-tiltyard",
    "the-toll-bridge",
    "the-rooftops",
    "the-loading-dock",
    "high-noon",
]


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_what_the_gm_changes_by_hand_is_told_in_plain_words(name: str) -> None:
    """No `plain_view`, no `max:beats`, no `False`, of settings, pools, what is remembered, names and sides."""
    fight = start_fight(load_encounter(name), id="fight", seed="7")
    fight.give("start")
    who, before = next(iter(fight.state.combatants.items()))
    for setting, value in fight.state.settings.items():
        if isinstance(value, bool):
            fight.give("configure", setting=setting, value=not value)
    traits = {trait: not value for trait, value in before.remembered.items() if isinstance(value, bool)}
    changes = {"hidden": True, "side": "foe", "name": "Zed", **traits}
    changes |= {f"max:{pool}": 9 for pool, points in before.pools.items() if points.max > 3}
    for what, value in changes.items():
        with contextlib.suppress(Refused, BadInput):
            fight.give("adjust", who=who, what=what, value=value)
    told = [remark.text for remark in story_of(fight)]
    assert f"{before.name} is now called Zed" in told
    assert f"{before.name} changes sides: foe" in told
    assert not [text for text in told if re.search(r"_|True|False|None|max:", text)]


@pytest.mark.parametrize("encounter", ["ambush-at-the-ford", "first-cycle", "surrounded-by-goblins", "the-tiltyard"])
def test_harm_by_the_gms_hand_comes_of_nothing_before_it(encounter: str) -> None:
    """In every system and step: also after what somebody answered or ended (found in play 12)."""
    fight = start_fight(load_encounter(encounter), id="fight", seed="7")
    fight.give("start")
    people = [*fight.state.combatants]
    for step in range(12):
        fight.do(fight.next_call().command)
        harmed = people[step % len(people)]
        fight.give("damage", who=harmed, amount=1)
        harm = [remark for remark in story_of(fight) if " takes 1" in remark.text][-1]
        assert not harm.follows
        assert harm.text.startswith(fight.state.combatants[harmed].name)


def test_what_is_ruled_and_what_comes_of_it_are_said_once() -> None:
    """AP-51: that Ilvane is dead is the ruling and the fall, and who died ends dead (found in play 13)."""
    fight = start_fight(load_encounter("first-cycle"), id="fight", seed="7")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    fight.give("damage", who="ilvane", amount=60)
    fight.give("rule", what="fate", who="ilvane", value="dead")
    assert [remark.text for remark in story_of(fight)].count("Ilvane is dead") == 1
    assert re.search(r"Ilvane\b.*\| dead \|", to_markdown(chronicle(fight)))


def test_what_nobody_did_is_a_sentence_of_its_own() -> None:
    """Harm by the GM's word follows from no strike before it (found in play 12)."""
    fight = in_missile()
    fight.give("strike", who="ysolde", target="goblin-2", hit=False)
    fight.give("damage", who="goblin-1", amount=2)
    harm = story_of(fight)[-1]
    assert not harm.follows
    assert harm.text.startswith("Goblin 1")


def test_a_rest_belongs_to_no_round() -> None:
    """Nor does what is told between two Scenes, in the log, for players and in the chronicle."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="fight", seed="7")
    while fight.state.round < 2:
        fight.give("advance")
    fight.give("close_scene")
    while fight.state.prompts:
        fight.give("advance")
    fight.give("short_rest")
    fight.give("activity", who="roan", what="a song")
    assert [remark.part.heading for remark in story_of(fight) if "song" in remark.text] == ["Rest"]
    assert all("Round" not in line.text for line in newest_lines(Reel(fight).shots, 5) if line.kind == "heading")
    for told in (chronicle(fight), players_chronicle(fight)):
        assert (told.rounds[-1].title, told.rounds[-1].phases[-1].title) == ("Between Rounds", "Rest")
        assert "## Between Rounds\n" in to_markdown(told)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_no_sentence_names_anybody_twice(path: Path) -> None:
    fight = Fight.watch(path)
    names = [combatant.name for combatant in fight.state.combatants.values()]
    for remark in story_of(fight):
        for name in names:
            assert len(re.findall(rf"\b{re.escape(name)}\b(?! \d)", remark.text)) <= 1, remark.text


@pytest.mark.slow
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_chronicle_is_the_story(path: Path) -> None:
    fight = Fight.watch(path)
    told = [line for one in chronicle(fight).rounds for part in one.phases for line in part.lines]
    written = [line.text for line in told if line.tone != "bookmark"]
    assert written == [" ".join(remark.sentence.split()) for remark in story_of(fight)]


@pytest.mark.slow
@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_end_of_the_story_is_that_of_the_whole(path: Path) -> None:
    shots = Reel(Fight.watch(path)).shots
    whole = [(line.kind, line.text) for line in story_lines(shots)]
    newest = [(line.kind, line.text) for line in newest_lines(shots, 5) if line.kind != "heading"]
    assert newest == [line for line in whole if line[0] != "heading"][-len(newest) :]
    assert len(newest) >= min(5, len(whole))


def lurking() -> Fight:
    """A fight in which somebody hidden acts."""
    joins = [
        Join(name="Ash", id="ash", side="party", sheet={"hp": 12}),
        Join(name="Lurker", id="lurker", side="foe", sheet={"hp": 5}, hidden=True),
        Join(name="Orc", id="orc", side="foe", sheet={"hp": 5}),
    ]
    fight = Fight.new("stage", joins=joins, seed="3", name="The Gate")
    fight.give("start")
    fight.give("damage", who="lurker", amount=1)
    fight.give("damage", who="orc", amount=1)
    return fight


def test_a_secret_is_marked_for_the_gm_and_in_no_export_for_players() -> None:
    """Found in play 15."""
    fight = lurking()
    marked = {remark.text.split()[0]: remark.is_secret for remark in story_of(fight)}
    assert marked == {"Lurker": True, "Orc": False}
    assert re.search(r"Lurker.*\(secret\)", to_markdown(chronicle(fight)))
    for write in (to_markdown, to_html, to_json):
        text = write(players_chronicle(fight))
        assert "Lurker" not in text
        assert "Orc" in text


def test_a_declaration_in_secret_is_in_no_export_for_players() -> None:
    """CS-087: players read what it looks like; the GM reads what it is, marked as secret (found in play 13)."""
    fight = start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")
    fight.give("start")
    for place, who in enumerate(("isaut-de-warre", "corso-vail", "sander-holt", "tibalt")):
        fight.give("initiative", who=who, total=20 - place)
    fight.give("declare", who="isaut-de-warre", action="act", text="palms a knife", secret=True)
    assert re.search(r"palms a knife.*secret", to_markdown(chronicle(fight)))
    for write in (to_markdown, to_html, to_json):
        assert "palms a knife" not in write(players_chronicle(fight))
    assert "palms" not in repr(Reel(fight).shots)


def test_that_a_remark_was_noted_is_not_told():
    """What the cue said stands in the log already."""
    fight = start_fight(load_encounter("first-segment"), id="yard", seed="7")
    fight.give("start")
    remark = next(prompt for prompt in fight.state.prompts if prompt.is_remark)
    before = fight.state
    fight.give("answer", prompt=remark.id)
    assert not tell(fight.system, before, fight.head.events, Paragraph()).remarks
