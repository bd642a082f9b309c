"""What a quiet round, a condition and a way up to somebody cost in keys; and that going on loses nothing unsaid."""

import re

import pytest
from counting import Journey
from desk import at_desk, in_first_round
from segments_fights import both_attack, crossing
from stagehand import advance_to, event, ford, kinds, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.calls import step_words

ONWARD = re.compile(r"> to (.+?) {2,}")
"""What the key that goes on is said to lead to."""


async def test_an_idle_moment_in_which_all_could_act_has_a_stop_for_each_half_that_could():
    """At the table 1.2: Missile and Move of both sides, Magic with its mage, and one question."""
    fight = ford()
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        while play.state.round == 1:
            await journey.press(">" if not play.state.prompts else "space")
        assert play.state.step.id == "meeting.party"
        assert journey.keys <= 7
        assert len(journey.asked) == 1


def words_for(state, system, before):
    """Where the key that goes on has stopped: a step, or a new round by its number."""
    if state.round != before:
        return f"{system.words(state.settings).round} {state.round}"
    return step_words(system, state, state.step)


@pytest.mark.parametrize(
    ("encounter", "settings", "act"),
    [
        ("ambush-at-the-ford", {"skip_unlisted": True}, ()),
        ("ambush-at-the-ford", {}, ()),
        ("the-sunken-lane", {}, ()),
        ("the-sunken-lane", {}, ("enter", "escape")),
    ],
)
async def test_the_key_that_goes_on_names_where_it_leads(encounter, settings, act):
    """Parts that will pass by themselves are not named, such as Magic without a mage (found by playing)."""
    fight = start_fight(load_encounter(encounter), id="onward", seed="5")
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    fight.give("start")
    system, named = fight.system, []
    async with at_desk(fight, size=(140, 40)) as play:
        while play.state.round < 3:
            if act and play.state.step.kind == "declare":
                await play.press(*act)
            if play.state.prompts or play.screen.runner.flow is not None:
                await play.press("escape", "space")
                continue
            before, word = play.state.round, ONWARD.search(play.said).group(1)
            await play.press(">")
            if "press again" in play.said:
                await play.press(">")
            if play.state.prompts or play.screen.runner.flow is not None or word == "the step after the roll":
                continue
            named.append(word)
            assert word == words_for(play.state, system, before), play.said
    assert len(set(named)) >= 3


async def test_a_condition_for_three_rounds():
    """One letter and the number will do (found in play 26)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("c", "2", "s", "3", "enter")
        began = event(fight.head, "EffectBegan").effect
        assert (began.name, began.left) == ("stunned", 3)
        assert journey.keys <= 5


async def test_a_condition_is_proposed_for_who_is_selected_and_says_how_it_is_typed():
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "3", "c")
        assert "⏎ Goblin 3" in play.said
        await play.press("enter")
        assert "such as stunned3, for 3 Moments" in play.said, "a hint that has no room loses its end, not all"


async def test_a_way_up_to_somebody():
    """The act, the label, Enter: as far as there is movement for it, and no farther than to contact."""
    fight = ford()
    fight.give("place", who="brand", at="H6")
    advance_to(fight, "move")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", "B")
        journey = Journey(play)
        await journey.press("m", "1", "enter")
        assert play.state.in_contact("brand", "goblin-1")
        assert journey.keys <= 3


async def test_space_never_answers_and_advances_at_once():
    """The question of morale is answered first; only then does the foe's half pass (found in play 16)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("d", "1", "7", "enter", "w", "w", "w")
        assert play.state.step.id == "missile.foe"
        assert "Does the foe's morale hold" in play.said
        assert "Answer this first" in await play.nothing(">"), "a question stops the larger step, too"
        await play.press("space")
        assert play.state.step.id == "missile.foe"
        assert fight.head.command["type"] == "Answer"
        await play.press("space")
        assert play.state.step.id == "move.party"


async def test_what_a_question_takes_stays_in_view_when_a_key_is_refused_over_it():
    """Found in play 2."""
    fight = advance_to(ford(), "management", "foe")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.give("space")
        assert "⏎ next Moment   n end the fight" in play.said
        stopped = await play.nothing(">")
        assert stopped.count("Answer this first") == 1
        assert "⏎ next Moment   n end the fight" in stopped


async def test_why_tells_the_rule_behind_a_question_and_a_label_says_how_to_select():
    fight = advance_to(ford(), "move")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "' 4 selects Archer" in await play.nothing("4")
        await play.nothing("m")
        assert "SB-71: Walking costs 1 beat a hex" in await play.nothing("?")


async def test_work_in_progress_is_not_lost_by_a_double_press():
    """Slots: where nothing is paid for what was begun, the first press only says so (found in play 16)."""
    fight = in_first_round("the-last-tram")
    fight.give("begin", who="marsh", ability="Open the sluice", needed=10)
    fight.give("endap", who="doctor-penhallow")
    while not fight.next_call().loses or "sluice" not in fight.next_call().loses:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        assert "Open the sluice" in play.said
        await play.nothing("space")
        assert "press again" in play.said
        await play.nothing("escape")
        assert "press again" not in play.said
        await play.nothing("space")
        await play.give("space")
        assert "Open the sluice" in play.said, "what was lost is said, and one key takes it back"


async def test_who_ends_a_phase_loses_no_work_by_one_press():
    """AP-36: `w` says what goes with the phase in which nothing is paid for it, as `space` does."""
    fight = in_first_round("the-last-tram")
    fight.give("begin", who="marsh", ability="Open the sluice", needed=10)
    fight.give("endap", who="doctor-penhallow")
    while "sluice" not in fight.next_call().loses:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        assert play.screen.table.selected == "marsh"
        said = await play.nothing("w")
        assert "this loses Open the sluice" in said
        entry = await play.give("w")
        assert "MultiRoundLost" in kinds(entry)


async def test_the_key_that_began_work_over_rounds_goes_on_with_it():
    """AP-35: as `b` does."""
    fight = in_first_round("the-last-tram")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", fight.state.combatants["marsh"].label)
        entry = await play.give("2", "enter")
        assert (entry.command["type"], entry.command["ability"]) == ("Begin", "Wrench the panel")
        while fight.state.round == 1 or play.screen.table.selected != "marsh":
            await play.press("space")
        entry = await play.give("2", "enter")
        assert entry.command["type"] == "Continue"


async def test_what_was_said_stays_true_after_escape_and_undo():
    """A refusal goes away with Escape; what happened before stands there again (found in play 23)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.give("d", "2", "1", "enter")
        assert "Goblin 2 takes 1" in play.said
        assert "u undo" in play.said
        await play.nothing("m")
        assert "move: only in Move; this is Missile (order of the sides, SB-06)" in play.said
        await play.nothing("escape")
        assert "Goblin 2 takes 1" in play.said
        await play.nothing("!")
        assert "Ruling" in play.text("feed") + play.said, "GM override is about nothing that was refused before"
        await play.nothing("escape")
        await play.press("u")
        assert "Undone: Goblin 2 takes 1" in play.said


@pytest.mark.parametrize("keys", [("escape", "escape"), ("escape", "u"), ("escape", "tab", "w")])
async def test_what_was_refused_is_overruled_only_while_it_stands_there(keys):
    """After it was left, taken back or followed by something else, `!` is about nothing (found in play 23)."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="goblin-2", amount=1)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.nothing(":", *"move brand hexes=40", "enter")
        assert "overrides it" in " ".join(play.said.split())
        await play.press(*keys)
        assert "overrides it" not in " ".join(play.said.split())
        await play.nothing("!")
        assert "Ruling" in play.said


@pytest.mark.parametrize("kind", ["opportunity", "reprisal"])
async def test_enter_takes_an_offer_to_react(kind):
    """CS-236, CS-482: what is proposed, as with everything else (found in play 21)."""
    fight = crossing() if kind == "opportunity" else both_attack(seed="3")
    if kind == "reprisal":
        fight.give("advance")
        fight.give("resolve", who="berit", hit=False)
    assert fight.state.asked_first.kind == kind
    async with at_desk(fight, size=(80, 24)) as play:
        proposed = fight.state.asked_first.default
        entry = await play.give("enter")
        assert (entry.command["type"], entry.command["choice"]) == ("Answer", proposed)


async def test_enter_takes_an_offer_that_is_open():
    """Turns: stepping in, as everything else that is proposed (found in play 21)."""
    fight = in_first_round("surrounded-by-goblins")
    fight.give("delay", who=fight.state.step.actor)
    while fight.state.asked_first is None:
        fight.do(fight.next_call().command)
    assert fight.state.asked_first.kind == "step_in"
    async with at_desk(fight, size=(80, 24)) as play:
        entry = await play.give("enter")
        assert entry.command["type"] == "Answer"
        assert not fight.state.prompts


def in_phase(name, phase):
    """A shipped encounter in a phase of its first round, with nothing asked."""
    fight = start_fight(load_encounter(name), id="keys", seed="7")
    fight.give("start")
    while fight.state.phase != phase or fight.state.prompts:
        fight.do(fight.next_call().command)
    return fight


@pytest.mark.parametrize(
    ("name", "phase", "keys"),
    [
        ("ambush-at-the-ford", "missile", "bghjkmnopstvwxyzEFGOPQRVXYZ"),
        ("surrounded-by-goblins", "offer", "gmnpvxyzCEZ"),
        ("the-last-tram", "active", "hmnpsvxyzCEZ"),
        ("the-tiltyard", "initiative", "ghmnpsvwxyzEZ"),
    ],
)
async def test_no_key_is_silent(name, phase, keys):
    """Whatever letter is pressed: something opens, something is done, or the bar says why not (found in play 22)."""
    fight = in_phase(name, phase)
    async with at_desk(fight, size=(80, 24)) as play:
        selected = play.screen.table.selected
        for key in keys:
            before, entries = play.said, fight.line.entry_count()
            await play.press(key)
            assert play.said != before or fight.line.entry_count() != entries, key
            await play.press("escape", "escape")
            if fight.line.entry_count() != entries:
                await play.press("u")
            play.screen.table.selected = selected


@pytest.mark.parametrize("size", [(80, 24), (200, 55)])
async def test_a_key_that_edits_or_scrolls_says_why_it_does_nothing(tmp_path, size):
    async with playing(advance_to(ford(), "move"), tmp_path, size=size) as play:
        for key in ("backspace", "delete", "home", "end", "pageup", "pagedown"):
            before = play.said
            await play.nothing(key)
            assert play.said != before, key
            await play.press("escape")


async def test_a_question_mark_explains_what_is_asked_and_is_never_a_name(tmp_path):
    fight = advance_to(ford(), "move")
    fight.give("damage", who="paul", amount=1)
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        for keys in ("d", "dP", "D", "c", "cP", "f", "N", "B", "J", "K", "e", "'", "/"):
            await play.nothing(*keys)
            assert "Accepted: " in await play.nothing("?"), keys
            await play.nothing("escape", "escape")


async def test_in_a_question_of_ones_own_space_does_what_enter_does_and_says_so():
    fight = advance_to(ford(), "move")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("f")
        assert "space ▸ nothing: this question needs an answer" in play.said
        for key in ("space", "enter"):
            await play.nothing(key)
            assert f"{key} does nothing here; Esc leaves" in play.said
        await play.press("escape", "m", "l")
        assert "space ▸ go to D7" in play.said
        entry = await play.give("space")
        assert (entry.command["type"], len(entry.command["path"])) == ("Move", 1)
        await play.press("c")
        assert "space ▸ Brand" in play.said
        await play.press("escape", "N")
        assert "space ▸ types a space" in play.said
        entry = await play.give("a", "space", "b", "enter")
        assert entry.command["text"] == "a b"


async def test_the_commands_stand_with_what_they_do_and_arrows_go_through_them():
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.nothing(":")
        assert "Apply damage that is not from a strike" not in play.said
        await play.nothing(*"dam")
        assert "Apply damage that is not from a strike" in play.text("feed")
        assert "⏎ damage" in await play.nothing("down")
        await play.nothing("space")
        assert "Ysolde" in play.text("feed"), "and who somebody is by name"


async def test_up_to_somebody_says_its_price_and_takes_a_label_with_its_key(tmp_path):
    """What a way costs stands in the bar alone."""
    fight = advance_to(ford(), "move")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        assert "⏎ go up to Goblin 2: 12 beats, 2 left" in await play.nothing("m")
        assert "✗" not in await play.nothing("'")
        assert "12 beats, 2 left  contact stops here" in await play.nothing("2")
        await play.nothing("escape", "m", "right")
        assert "1 beat, 13 left" in play.said
        assert "1 beat" not in str(play.pane("board").border_subtitle)


async def test_a_free_moment_has_no_half_of_the_others():
    """SB-18: nothing announces a half that passes by itself (found in play 8)."""
    fight = ford()
    fight.give("ambush", by="party")
    fight.give("answer", prompt=fight.state.prompts[0].id)
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "FREE MOMENT" in play.text("ribbon")
        assert "then Missile ○ Party" in play.text("ribbon")


ENCOUNTERS = ["ambush-at-the-ford", "fire-at-the-playhouse", "surrounded-by-goblins", "the-tiltyard"]


@pytest.mark.parametrize("name", ENCOUNTERS)
async def test_no_reminder_stands_in_two_places(name):
    """Neither in ribbon and bar nor twice in the bar (found in play 14)."""
    fight = start_fight(load_encounter(name), id="once", seed="7")
    async with at_desk(fight, size=(140, 40)) as play:
        for _ in range(12):
            ribbon, said = play.text("ribbon"), play.said.split("\n")
            reminders = [line.removeprefix("·").strip() for line in said if line.startswith("·")]
            assert len(set(reminders)) == len(reminders)
            assert not [each for each in reminders if each in ribbon]
            fight.do(fight.next_call().command)
            await play.drawn()


async def test_a_refusal_names_rules_and_no_fields():
    """Neither ``path:`` nor ``plain view false`` tells a GM anything (found in play 20)."""
    fight = advance_to(ford(), "move")
    async with at_desk(fight, size=(80, 24)) as play:
        said = " ".join((await play.nothing("z", "right", "enter")).split())
        assert "Ysolde is in plain view (sneaking in plain view, SB-57) accepted: a ruling that no one looks" in said
        assert "! overrides it" in said


async def test_what_a_refusal_would_accept_has_the_key_that_does_it():
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="g", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press(":", *"take", "space", *"milli", "enter")
        assert "accepted: # Initiative" in play.said, play.said
        await play.press("escape", "space")
        await play.press(":", *"endturn", "space", *"milli", "enter")
        assert "t take the turn" in play.said, play.said
        await play.press("escape", ":", *"openscene", "space", *"free", "enter")
        assert "! close the Scene" in play.said, play.said


async def test_why_a_row_is_so_is_no_complaint():
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.nothing("s", "?")
        panel = " ".join(play.text("exchange").replace("│", "").split())
        assert "· 12 on the sheet; SB-35: " in panel
        assert "✗" not in panel


async def test_a_number_needed_tells_what_it_is_made_of():
    """SB-69, ST-28: what the sheet lists and what is added to the die, besides the rule."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.nothing("s", "'", "4", "?")
        panel = " ".join(play.text("exchange").replace("│", "").split())
        assert "12 on the sheet, +1 partial cover to the die: the die shows 11 or less" in panel, play.text("exchange")


async def test_a_modifier_is_told_with_the_number_needed():
    """ST-28."""
    fight = start_fight(load_encounter("first-round"), id="first", seed="7")
    for _ in range(2):
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "*", "2", "enter", "?")
        panel = " ".join(play.text("exchange").replace("│", "").split())
        assert "11 on the sheet, +2 to the die: it shows 9 or more; ST-28" in panel, panel


async def test_an_explanation_is_no_refusal():
    """Found in play: `?` at a question said its rule with the mark and the colour of what is refused."""
    async with at_desk(advance_to(ford(), "move"), size=(100, 30)) as play:
        await play.press("m", "?")
        assert "·  SB-71: Walking costs 1 beat a hex." in play.said
        assert "✗" not in play.said
