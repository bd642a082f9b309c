"""What the screen is told: words, options, groups, reminders, rules, encounters, what players see."""

from __future__ import annotations

import tomllib

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.headless import Session, state_json
from fightcall_engine.kit import phrases
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.views import Badge, Pips, Progress
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import evolve
from fightcall_engine.play.story import player_view

from .table import table

SLOTS = find_system("slots")
PHASES = ("setup", "awareness", "ordering", "initialization", "active", "final", "slow_burn", "upkeep")
RULES = tomllib.loads((SLOTS.encounters().parent / "rules.toml").read_text(encoding="utf-8"))
HELP = RULES.pop("phases")
SHIPPED = sorted(path.stem for path in SLOTS.encounters().glob("*.toml"))


def test_every_rule_and_every_doubtful_reading_has_its_line():
    wanted = {f"AP-{number:02}" for number in range(1, 54)} | {f"Q-A{number}" for number in range(1, 30)}
    assert set(SLOTS.rules()) == wanted


def test_a_rule_is_one_clear_line_that_belongs_somewhere():
    for rule in sorted(RULES):
        text, phases = RULES[rule]["text"], RULES[rule]["phases"]
        assert 20 <= len(text) <= 160, rule
        assert text.endswith(".")
        assert phases, rule
        assert set(phases) <= set(PHASES), rule


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_shows_a_few_rules_that_matter_in_it(phase):
    assert 4 <= len(HELP[phase]) <= 9
    assert all(phase in RULES[rule]["phases"] for rule in HELP[phase])
    assert SLOTS.phase_rules("" if phase == "setup" else phase) == tuple(HELP[phase])


def test_settings_cite_rules_that_exist():
    assert {setting.rule for setting in SLOTS.settings} <= set(RULES)


def test_an_act_in_the_gms_own_words_names_its_target_apart():
    """AP-05, AP-21: the words may be any sentence; an ability of the sheet is at somebody."""
    listed = {"wolf": {"abilities": [{"name": "Bite", "cost": 0}]}}
    play = table("ivo", "mara", "teo", "wolf", sheets=listed).locked()
    said = []
    for command in (
        {"do": "npc", "who": "wolf", "what": "cuts a rope", "target": "mara"},
        {"do": "npc", "who": "wolf", "what": "bite", "target": "mara"},
        {"do": "act", "who": "ivo", "ability": "steals the key", "cost": 1, "target": "wolf"},
    ):
        before = play.state
        play.do(str(command["do"]), **{name: value for name, value in command.items() if name != "do"})
        acts = [one for one in play.last if one.type in ("NpcActed", "ActionActivated")]
        said += [phrases.phrase(SLOTS, one, before).text for one in acts]
    assert said == ["Wolf: cuts a rope, target Mara", "Wolf: bite at Mara", "Ivo: steals the key, target Wolf"]


def test_the_roster_shows_bands_and_then_who_is_outside():
    """AP-03, AP-04."""
    play = table("ivo", "mara", "teo", "wolf").locked({"mara": 18})
    groups = SLOTS.groups(play.state)
    assert [group.members for group in groups] == [("ivo", "mara"), ("teo",), ("wolf",)]
    assert [group.note for group in groups] == ["acting", "Final", "1 not yet acted"]
    play.to("teo").do("npc", who="wolf", what="bites")
    assert [group.note for group in SLOTS.groups(play.state)] == ["done", "", "everyone has acted"]
    assert SLOTS.card(play.state, "wolf").acted is True
    play.to_upkeep()
    assert SLOTS.groups(play.state)[2].note == "outside the Cycle"


def test_the_final_phase_is_flagged_on_its_band_and_for_everybody():
    """AP-23: and in Slow Burn the problem is (AP-48)."""
    play = table("ivo", "mara", "teo").locked({"mara": 18})
    assert SLOTS.banner(play.state) is None
    play.to("teo")
    assert SLOTS.banner(play.state) == Badge("FINAL x4", "warn")
    assert [group.flag for group in SLOTS.groups(play.state)] == [None, Badge("FINAL x4", "warn")]
    play.do("configure", setting="final_scope", value="reserved_only")
    assert SLOTS.banner(play.state) == Badge("FINAL x4 from reserve", "warn")


def test_a_card_shows_slots_to_come_at_hand_kept_spent_and_lost():
    """AP-14..17, AP-25, AP-27."""
    play = table("ivo", "mara", has={"ivo": ["c1", "r1"]}).locked()

    def pips(who):
        return SLOTS.card(play.state, who).pips

    assert (pips("ivo"), pips("mara")) == ((Pips("slots", ready=7),), (Pips("slots", coming=5),))
    play.do("act", who="ivo", ability="c1").do("act", who="ivo", ability="r1")
    assert pips("ivo") == (Pips("slots", ready=5, spent=2),)
    play.do("end_ap", who="ivo")
    assert pips("ivo") == (Pips("slots", kept=5, spent=2),)
    assert SLOTS.card(play.state, "ivo").acted is True
    play.do("react", who="ivo", ability="r1")
    assert pips("ivo") == (Pips("slots", kept=1, spent=6),)
    play.to_upkeep()
    assert pips("ivo") == (Pips("slots", spent=6, lost=1),)
    assert pips("mara") == (Pips("slots", lost=5),)
    play.to_round(2)
    assert pips("ivo") == (Pips("slots", ready=7),)


def test_a_card_shows_what_takes_rounds_and_what_not_to_forget():
    play = table(has={"ivo": ["long"]}, sheets={"ivo": {"hp": 5}}).locked()
    play.do("begin", who="ivo", ability="long", pay=3).do("end_ap", who="ivo")
    assert SLOTS.card(play.state, "ivo").pools == ("hp",)
    assert SLOTS.card(play.state, "ivo").progress == (Progress("long", 3, 8),)
    play.do("rule", what="fate", who="ivo", value="dead").do("rule", what="vulnerable", who="mara")
    assert next(badge.text for badge in SLOTS.card(play.state, "ivo").badges) == "dead"
    assert [badge.text for badge in SLOTS.card(play.state, "mara").badges] == ["Vulnerable"]


def test_reminders_follow_the_phase():
    """Digest, section 8."""
    play = table("ivo", "mara", "teo", "wolf", has={"ivo": ["r1", "stance"], "mara": ["long"]})
    assert "Initialization" in SLOTS.reminders(play.state)[0]
    play.do("start")
    assert SLOTS.reminders(play.state) == ("Still to roll: Ivo, Mara and Teo",)
    play = table("ivo", "mara", "teo", "wolf", has={"ivo": ["r1", "stance"], "mara": ["long"]}).ordered({"mara": 18})
    assert SLOTS.reminders(play.state)[1:] == ("Share a place: Ivo + Mara", "Last, so in the Final Phase: Teo")
    play.do("advance")
    assert SLOTS.reminders(play.state)[1] == "Ivo: opening stance"
    play.do("advance").do("begin", who="mara", ability="long").do("end_ap", who="ivo")
    assert SLOTS.reminders(play.state) == ("Ivo has 7 reserved slots: r1 4", "Not yet acted: Wolf")
    play.to_round(2)
    assert SLOTS.reminders(play.state)[0] == "Mara must pay for long now or lose it"
    play.do("affect", who="wolf", name="poison", kind="damage", amount=1, rounds=1).to_upkeep()
    assert SLOTS.reminders(play.state) == ("Wolf: poison -1", "Wolf, ending now: poison")


def test_the_same_key_is_the_same_ability_however_it_is_paid():
    play = table(has={"ivo": ["c1", "long", "r1"]}).locked()
    keys = {one.label: one.key for one in play.fight.options("ivo")}
    assert (keys["c1"], keys["begin long"], keys["r1"]) == ("1", "2", "3")
    play.do("end_ap", who="ivo")
    later = {one.label: one for one in play.fight.options("ivo")}
    assert (later["r1"].key, later["r1"].command, later["r1"].legal) == ("3", "React", True)
    assert (later["c1"].legal, later["c1"].rule) == (False, "AP-20")


def test_an_npc_is_offered_what_its_sheet_lists_and_anything_else():
    """AP-05."""
    play = table("ivo", "teo", "wolf", has={"wolf": ["slash"]}).locked()
    assert [(one.key, one.command, one.legal) for one in play.fight.options("wolf")] == [
        ("1", "Npc", True),
        ("s", "Npc", True),
        ("b", "Npc", True),
        ("m", "Move", True),
    ]


def test_before_the_lock_the_options_are_about_the_order():
    play = table().ordered()
    assert [one.action for one in play.fight.options("ivo")] == ["stay", "awareness", "lock"]
    assert not play.option("teo", "stay").legal
    assert table().fight.options("ivo") == ()


def test_rulings_go_with_the_moment():
    play = table(has={"mara": ["long"]}).locked()
    found = {one.action for one in SLOTS.rulings(play.state, "mara")}
    assert "rule-threats_over" in found
    assert "rule-finish" not in found
    play.to("mara").do("begin", who="mara", ability="long")
    assert {"rule-finish", "rule-drop", "rule-breakable"} <= {one.action for one in SLOTS.rulings(play.state, "mara")}
    play.do("threats_over").do("slow_burn").do("answer", prompt="issue", amount=3)
    assert {"outro", "rule-issue", "rule-solved", "rule-add_up"} <= {
        one.action for one in SLOTS.rulings(play.state, "mara")
    }


def test_every_number_can_be_explained():
    play = table("ivo", "teo", "wolf", has={"ivo": ["r1", "rf"]}).locked()
    with pytest.raises(Refused) as asked:
        play.fight.explain("ivo", "luck")
    for subject in asked.value.accepts:
        trail = play.fight.explain("ivo", subject)
        assert trail.parts
        assert {part.rule for part in trail.parts} - {""} <= set(RULES)
        assert play.fight.explain("wolf", subject).parts
    play.do("end_ap", who="ivo")
    prices = {part.label: part.value for part in play.fight.explain("ivo", "price").parts}
    assert prices == {"r1": "4 x 1 = 4", "rf": "3, its own Final price"}


def test_the_protocol_shows_the_digests_fields():
    """Digest, section 2.3."""
    play = table("ivo", "mara", "teo", "wolf").locked().to("mara")
    shown = state_json(play.state, SLOTS)
    assert (shown["stage"], shown["locked"], shown["band_index"], shown["full_round"]) == ("round", True, 1, 1)
    assert shown["cycle"] == [["ivo"], ["mara"], ["teo"]]
    ivo = shown["combatants"]["ivo"]
    assert (ivo["reserved_slots"], ivo["ap_state"], ivo["slots_per_round"]) == (7, "done", 7)


@pytest.mark.parametrize("stage", ["setup", "awareness", "ordering", "initialization", "round", "final", "upkeep"])
def test_each_stage_has_its_name(stage):
    """Digest, section 2.3."""
    play = table()
    for _ in range(12):
        if SLOTS.facts(play.state)["stage"] == stage:
            return
        play.do("advance") if play.state.status == "running" else play.do("start")
    raise AssertionError(stage)


def test_no_phrase_shows_what_is_sealed():
    """AP-37: the log keeps the roll to itself until the last slot is paid."""
    play = table(has={"ivo": ["long"]}).locked()
    before = play.state
    play.do("begin", who="ivo", ability="long", result=17)
    said = []
    for one in play.last:
        told = phrases.phrase(SLOTS, one, before)
        said.append(told.text if told else "")
        before = evolve(before, one)
    assert any("begins long" in line for line in said)
    assert not any("17" in line for line in said)


def spoken(play, kind):
    """What is said of the one event of this type in the last command, and what stands beside it."""
    told = phrases.phrase(SLOTS, play.got(kind), play.state)
    return told.text, told.edge


@pytest.mark.parametrize(("roll", "note"), [({"rolls": {"sealed": [17]}}, ", the roll is sealed"), ({}, "")])
def test_an_action_of_several_rounds_says_whether_its_roll_is_sealed(roll, note):
    """AP-34, AP-37: where one is thrown at all."""
    ward = {"name": "ward", "cost": 8, "multi_round": True, **({"roll": "d20"} if roll else {})}
    play = table("ivo", sheets={"ivo": {"abilities": [ward]}}).locked().do("begin", who="ivo", ability="ward", **roll)
    assert spoken(play, "MultiRoundBegan") == (f"Ivo begins ward (8 slots{note})", "")


@pytest.mark.parametrize(("together", "said"), [(True, "Ivo stays with Mara"), (False, "Ivo stays after Mara")])
def test_whoever_stays_is_said_to_share_a_place_or_to_follow(together, said):
    """AP-06."""
    play = table("ivo", "mara", "teo").ordered({"ivo": 12, "mara": 9, "teo": 5})
    play.do("stay", who="ivo", after="mara", together=together)
    assert spoken(play, "StayDeclared")[0] == said


@pytest.mark.parametrize(("ability", "rolls", "how"), [("slash", {"roll": [14]}, "rolled 17"), ("c1", {}, "")])
def test_an_act_says_what_was_rolled_for_it(ability, rolls, how):
    """AP-16, AP-20: where it was rolled for."""
    play = table("ivo", "wolf", has={"ivo": ["slash", "c1"]}).locked()
    play.do("act", who="ivo", ability=ability, target="wolf", rolls=rolls)
    assert spoken(play, "ActionActivated") == (f"Ivo: {ability} at Wolf", how)


@pytest.mark.parametrize(
    ("wolves", "said"),
    [(["wolf"], "Wolf has not acted yet"), (["wolf", "wolfess"], "Wolf and Wolfess have not acted yet")],
)
def test_npcs_that_have_not_acted_are_named_as_the_round_closes(wolves, said):
    """AP-05, AP-48: a round that turns into Slow Burn asks no more whether they act."""
    play = table("ivo", "mara", *wolves).locked().do("end_ap", who="ivo").do("threats_over").do("slow_burn")
    before = play.state
    play.do("answer", prompt="issue", amount=3, note="the fire")
    told = [phrases.phrase(SLOTS, one, before) for one in play.all("RulingRecorded") if one.rule == "AP-05"]
    assert [line.text for line in told] == [said]


def test_a_part_of_the_round_is_named_after_who_acts_in_it():
    """AP-03, AP-23: of those whose Active Phase it is; the last of the round by its own name as well."""
    play = table("ivo", "mara", "teo").locked({"mara": 18})
    assert SLOTS.part_name(play.state, play.state.step) == "Ivo + Mara"
    play.to("teo")
    assert SLOTS.part_name(play.state, play.state.step) == "Final Phase · Teo"
    play.to_upkeep()
    assert SLOTS.part_name(play.state, play.state.step) == "Upkeep"


def test_what_hesitation_takes_is_told_by_its_kind():
    """AP-25, AP-27: slots are lost with an Active Phase, what was kept in reserve with the round."""
    play = table("ivo", "mara").locked().to_upkeep()
    lost = [one for one in play.heard if one.type == "HesitationLost"]
    told = [phrases.phrase(SLOTS, one, play.state) for one in lost]
    assert [line.text.strip() for line in told if line is not None] == [
        "Mara loses 5 slots to Hesitation",
        "Ivo loses 7 reserved slots to Hesitation",
    ]


def test_an_answer_stands_right_after_what_was_asked():
    """What helped to answer, such as whose the Final Phase is, would hide the answer at 80 columns."""
    play = table()
    while not any(prompt.kind == "stay" for prompt in play.state.prompts):
        play.do("start" if play.state.status != "running" else "advance")
    before = play.state
    play.do("advance")
    line = phrases.describe_ruling(play.got("RulingRecorded"), before)
    assert line.words == "Does anyone Stay (start later)? nobody"


def test_players_see_no_numbers_of_the_gms():
    play = table("ivo", "teo", "wolf", has={"ivo": ["long"]}).locked().do("begin", who="ivo", ability="long", result=17)
    assert "17" not in repr(player_view(play.state, SLOTS))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_encounter_can_be_played_to_its_end(name):
    encounter = load_encounter(SLOTS.encounters() / f"{name}.toml")
    assert encounter.story.strip()
    fight = start_fight(encounter, id="x", seed="5")
    fight.give("start")
    for _ in range(60):
        if fight.state.round == 3:
            break
        blocking = next((one for one in fight.state.prompts if one.blocking and not one.default), None)
        assert blocking is None, "what is shipped asks nothing that has no usual answer"
        fight.give("advance")
    assert fight.state.round == 3
    assert fight.state.clock_s == 10
    fight.give("threats_over")
    fight.give("outro", choice="all_resolve")
    assert fight.state.status == "closed"


def test_two_encounters_are_shipped():
    assert {"the-bell-tower", "the-last-tram"} <= set(SHIPPED)


def test_a_fight_runs_over_the_headless_protocol():
    session = Session()
    lines = [
        {"do": "open", "system": "slots", "seed": "7"},
        {
            "do": "add",
            "id": "ivo",
            "name": "Ivo",
            "sheet": {"agility": 2, "abilities": [{"name": "cut", "cost_active": 2}]},
        },
        {"do": "add", "id": "wolf", "name": "Wolf", "side": "foe"},
        {"do": "start"},
        {"do": "awareness", "who": "ivo", "result": 12},
        {"do": "lock"},
        {"do": "act", "who": "ivo", "ability": "cut"},
        {"do": "act", "who": "ivo", "ability": "cut", "cost": 9},
        {"ask": "options", "who": "ivo"},
    ]
    replies = [session.answer(line) for line in lines]
    assert [reply["ok"] for reply in replies] == [True] * 7 + [False, True]
    assert replies[7]["refused"]["rule"] == "AP-16"  # type: ignore[index]


@pytest.mark.parametrize(
    ("sheet", "problem"),
    [
        ({"luck": 1}, "luck"),
        ({"abilities": [{"name": "x"}]}, "cost"),
        ({"abilities": [{"name": "x", "cost": 1, "roll": "many"}]}, "roll"),
        ({"kind": "hero"}, "kind"),
    ],
)
def test_a_sheet_that_will_not_do_is_named(sheet, problem):
    reply = Session(table().fight).answer({"do": "add", "name": "X", "sheet": sheet})
    assert problem in str(reply["error"])


def test_companions_stand_apart_from_the_npcs_of_the_other_side():
    """AP-04, AP-05: neither has an Active Phase."""
    play = table("ivo", "wolf").do("join", name="Pony", side="party", sheet={"kind": "npc"}).locked()
    members = {group.title: group.members for group in SLOTS.groups(play.state)}
    assert (members["NPCs"], members["Companions"]) == (("wolf",), ("pony",))


def test_an_item_of_upkeep_says_in_plain_words_that_it_works():
    """AP-45: what the GM has answered is told of the effect, not by the word of the answer."""
    play = table(sheets={"mara": {"hp": 9}}).locked()
    for name in ("poison", "burn"):
        play.do("affect", who="mara", name=name, kind="damage", amount=1, rounds=3)
    play.to_upkeep().do("answer", prompt="upkeep", choice="none")
    said = []
    for choice in ("apply", "waive"):
        before = play.state
        play.do("answer", choice=choice)
        said += [phrases.phrase(SLOTS, one, before).text for one in play.last if one.type == "RulingRecorded"]
    assert said == ["Mara: poison takes effect", "Mara: burn is skipped this time"]
