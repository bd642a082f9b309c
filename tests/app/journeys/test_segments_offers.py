"""What is offered on the way in segments: whoever is asked is selected, yes takes it, no letter means two things."""

from desk import at_desk
from segments_fights import both_attack, crossing, declaring, on_one_line, passing_the_archer, shot_from_the_willows
from stagehand import event, kinds, playing

from fightcall.flows.exchange_draft import ExchangeDraft, is_exchange
from fightcall.table import Table
from fightcall_engine.archive.encounters import load_encounter, start_fight


async def test_yes_takes_an_opportunity_and_its_panel_is_one_key_away():
    """CS-236: whoever is asked is selected, so that the die of the table has its panel."""
    async with at_desk(crossing(dice="table"), size=(80, 24)) as play:
        assert "⏎ let it pass   y strike" in play.said
        assert play.screen.table.selected == "oskar-the-axe"
        await play.press("O")
        panel = play.text("exchange")
        assert panel.startswith("╭─ Oskar the Axe takes an Opportunity Action on Aldous Bray with axe")
        for row in ("reach", "AV 36", "DV ", "▌chance"):
            assert row in panel
        await play.press("escape")
        entry = await play.give("y", "1", "enter")
        assert event(entry, "OpportunityTaken").who == "oskar-the-axe"


async def test_another_speed_is_said_besides():
    """CS-183: full speed needs no question."""
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("m", "right", "right", "*")
        assert "speed" in play.said
        await play.press("a", "enter")
        assert event(play.fight.head, "WayPlanned").mph < 10


async def test_who_declares_late_is_told_at_once_whom_no_blow_reaches_any_more():
    """CS-161, CS-250: nobody moves after the Pulses; an ally who stands near is no target in a foe's place."""
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press(">")
        assert play.state.step.kind == "waits"
        assert "only move" not in play.said
        for key in ("s", "C"):
            await play.nothing(key)
            assert "CS-250" in play.text("exchange")
            await play.press("escape")


def test_late_declarations_propose_only_attacks_that_can_be_made():
    """At the table 1.6, CS-161, CS-250: with Pulses that are over, and without any, where one walks up by hand."""
    proposals = []
    for name in ("the-withy-ford", "the-tiltyard", "the-last-touch", "the-sunken-lane"):
        fight = start_fight(load_encounter(name), id="late", seed="7")
        fight.give("start")
        while fight.state.step is None or fight.state.step.kind != "waits":
            fight.do(fight.next_call().command)
        table = Table(fight)
        for who in table.waiting_ids():
            options = (each for each in table.options_of(who) if each.legal and is_exchange(each))
            proposals += [ExchangeDraft(table, each, who, {"who": who, **each.fixed}) for each in options]
    assert len(proposals) > 5
    assert [each.preview.title for each in proposals if not (each.can_run or each.is_aimless)] == []


async def test_after_a_declared_blow_that_reaches_nobody_the_walk_is_likeliest():
    """CS-090, without Pulses: the walk is the declarer's, and there is nobody else to act."""
    fight = start_fight(load_encounter("the-sunken-lane"), id="lane", seed="7")
    fight.give("start")
    while fight.state.step.actor != "crow":
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "enter")
        assert play.said.split("\n")[2].startswith("⏎ Crow moves to ")
        assert "m move 176 ft" in play.said.split("\n")[3]
        await play.press("m")
        assert "⏎ go up to Maud" in play.said


async def test_after_a_declaration_the_bar_begins_with_what_drops_nothing():
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "enter")
        acts = play.said.split("\n")[2]
        assert "m plan a path" in acts
        assert " s " not in acts


async def test_another_target_is_an_enemy_as_long_as_there_is_one():
    """`d` comes to no comrade: those are taken by label (found in play 25)."""
    fight = declaring()
    while fight.state.step.actor != "oskar-the-axe":
        fight.give("advance")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s")
        targets = [play.screen.runner.flow.preview.target_id]
        while len(targets) < 8:
            await play.press("d")
            targets.append(play.screen.runner.flow.preview.target_id)
        assert len(set(targets)) > 1
        assert {play.one(target_id).side for target_id in targets} == {"party"}


async def test_the_key_of_the_list_opens_it_beside_an_offer_too():
    """CS-237: to give up what was declared has the letter that it has everywhere, and needs no second thought."""
    fight = crossing()
    fight.give("answer", prompt=fight.state.prompts[0].id, choice="strike")
    while fight.state.asked_first.blocking:
        fight.give("answer", prompt=fight.state.asked_first.id, choice="made")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Keep it?" in play.said
        assert "a abort" not in play.said
        await play.nothing("a")
        assert "takes its row" in play.said
        await play.press("escape")
        entry = await play.give("x")
        assert event(entry, "ActionAborted").who == "aldous-bray"


async def test_the_gms_word_in_a_panel_needs_something_that_stands_against_it():
    """It used to declare at once what nobody had confirmed."""
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.nothing("s", "!")
        assert "nothing prevents it; Enter: do it" in play.text("exchange")
        await play.give("enter")


async def test_after_a_declaration_enter_names_the_key_that_goes_on():
    """CS-084: that confirms as well; `y` does it alone, and stands in the list."""
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "enter")
        assert "⏎" not in play.said
        said = await play.nothing("enter")
        assert "Done. space: Cade declares" in " ".join(said.split())
        await play.press("a")
        assert "confirm" in play.text("feed")
        await play.press("escape")
        entry = await play.give("y")
        assert entry.command == {"type": "Confirm", "who": "berit"}


async def test_one_key_keeps_the_attacks_of_all_whose_target_is_down():
    """CS-111: they are named; each names another target when the attack is due."""
    fight = declaring()
    while fight.state.step.kind == "declare":
        actor = fight.state.step.actor
        if fight.state.combatants[actor].side == "party":
            fight.give("declare", who=actor, action="strike", target="oskar-the-axe")
        fight.give("advance")
    fight.give("life", who="oskar-the-axe", life="unconscious")
    async with at_desk(fight, size=(80, 24)) as play:
        said = " ".join(play.said.split())
        for name in ("Aldous Bray", "Berit", "Cade"):
            assert name in said
        assert "their target Oskar the Axe is down" in said
        assert "⏎ all keep it, choose targets when due" in said
        entry = await play.give("enter")
        assert not play.state.prompts
        assert kinds(entry).count("RulingRecorded") == 3


async def test_a_strike_on_the_way_says_how_it_came_out_at_80_columns():
    """CS-439: the outcome stands beside the strike, not beside the way that it breaks into."""
    fight = crossing()
    fight.give("configure", setting="dice", value="table")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.give("y", "8", "7", "enter")
        assert "✓ Oskar the Axe strikes at Aldous Bray (87 > 44 %, miss)" in play.said


async def test_running_the_pulses_lets_no_strike_pass_unsaid():
    """CS-236: one press says who could strike whom, the second runs on, and the log keeps who did not strike."""
    fight = crossing()
    async with at_desk(fight, size=(140, 40)) as play:
        said = await play.nothing("g")
        assert "run the Pulses: this loses Oskar the Axe's chance to strike Aldous Bray; press again to confirm" in said
        await play.nothing("tab")
        assert "press again" in await play.nothing("g")
        entry = await play.give("g")
        assert entry.command["type"] == "RunPulses"
        assert "Oskar the Axe does not strike" in play.words("feed")
        await play.press("u")
        assert play.state.prompts


async def test_pulses_that_cannot_run_promise_nothing():
    """CS-233: who is held up is asked about first; a second press would not run them either."""
    fight = on_one_line()
    fight.give("place", who="pell", at="P4")
    fight.give("plan", who="aldous-bray", path=["N4", "O4", "P4", "Q4"])
    fight.give("wait", who="aldous-bray")
    for _ in range(40):
        if any(prompt.kind == "held_up" for prompt in fight.state.prompts):
            break
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Go round?" in play.said
        said = " ".join((await play.nothing("g")).split())
        assert "Answer first: " in said
        assert "press again" not in said


async def test_after_the_warning_enter_still_takes_what_is_proposed():
    """The bar says so beside it: the strike is let pass, and the Pulses wait."""
    async with at_desk(crossing(), size=(80, 24)) as play:
        said = await play.nothing("g")
        assert "⏎ let it pass" in said
        entry = await play.give("enter")
        assert entry.command["type"] == "Answer"
        assert play.state.step.kind == "pulse"


async def test_who_goes_on_lets_no_strike_pass_unsaid():
    """CS-440: only what is offered about who goes on is lost by it."""
    async with at_desk(crossing(), size=(80, 24)) as play:
        await play.press("'", "A")
        said = " ".join((await play.nothing("R")).split())
        assert "keep moving: this loses Oskar the Axe's chance to strike Aldous Bray; press again to confirm" in said
        entry = await play.give("R")
        assert entry.command["type"] == "Resume"


async def test_pulses_run_at_once_over_an_offer_that_takes_nothing():
    """CS-237: what was declared is kept, as it is where nobody answers."""
    fight = crossing()
    fight.give("answer", prompt=fight.state.prompts[0].id, choice="strike")
    while fight.state.asked_first.blocking:
        fight.give("answer", prompt=fight.state.asked_first.id, choice="made")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Keep it?" in play.said
        entry = await play.give("g")
        assert entry.command["type"] == "RunPulses"


async def test_late_declarations_offer_no_way_once_the_pulses_are_over():
    """CS-240: the key says why, and nothing is planned for a foe who can no longer be reached (CS-161)."""
    fight = declaring()
    while fight.state.step.kind != "waits":
        fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "plan a path" not in play.said
        assert "The Pulses of this segment are over (end of the Pulses, CS-240)" in await play.nothing("m")
        await play.nothing("escape", "s")
        panel = play.text("exchange")
        assert "CS-250" in panel
        assert "walks up first" not in panel
        assert "left to move" not in panel


async def test_what_stands_against_a_blow_to_the_side_has_the_key_of_what_reaches_there(tmp_path):
    """CS-302: to turn first, or the weapon of the other hand."""
    fight = start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")
    fight.give("start")
    for total, who in enumerate(("isaut-de-warre", "corso-vail", "sander-holt", "tibalt")):
        fight.give("initiative", who=who, total=20 - total)
    fight.give("place", who="isaut-de-warre", at="I5", facing=2)
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("s", "'", "C")
        panel = play.text("exchange")
        assert "rapier" in panel
        assert "✗ CS-302   f turn first   w weapon dagger │" in panel
        await play.nothing("w")
        assert "Isaut de Warre strikes Corso Vail with dagger" in play.text("exchange")
        assert "CS-302" not in play.text("exchange")


async def test_whoever_declares_late_and_must_walk_first_stays_selected():
    """The bar said that Gil has to move, and `m` moved the next who had waited."""
    fight = start_fight(load_encounter("the-sunken-lane"), id="lane", seed="4")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space", "space", ">", "s", "enter")
        assert play.screen.table.selected == "gil"
        assert "warning: Gil can't reach Maud from here" in play.said
        await play.press("m")
        assert "Gil: move: where to" in play.said


async def test_an_archer_is_offered_bare_hands_and_the_table_throws_for_the_chance_it_typed():
    """CS-148, CS-236, R-5: what strikes is named, and then who has struck."""
    async with at_desk(passing_the_archer(dice="players"), size=(80, 24)) as play:
        assert "Raider 1 comes within Alys's reach. Strike with bare hands?" in play.said
        await play.press("y")
        assert "Alys against Raider 1 with bare hands (parry axe)" in " ".join(play.text("exchange").split())
        await play.nothing("3", "0", "enter")
        assert "space ▸ nothing: type the d100" in play.said
        await play.give("6", "5", "enter")
        assert "✓ Alys: 65 > 30 % (miss)" in play.said


async def test_an_offer_says_that_digits_are_the_chance_and_takes_them():
    """CS-265, R-5."""
    async with at_desk(shot_from_the_willows(), size=(80, 24)) as play:
        assert "y made   n failed   digits the chance in %" in play.said
        assert "other answers" not in play.said
        await play.nothing("9", "9")
        assert "space ▸ accept 99" in play.said
        await play.give("enter")
        assert not play.state.prompts


async def test_the_answers_stay_beside_the_complaint_that_one_is_needed():
    async with at_desk(shot_from_the_willows(), size=(80, 24)) as play:
        said = await play.nothing("enter", "enter")
        assert "✗  this question needs an answer" in said
        assert "y made   n failed" in said
        assert "digits: the chance in %" in said


async def test_whether_a_wall_stuns_is_asked_and_enter_answers_it():
    """CS-619: going on answers it, too; digits are the penalty."""
    fight = start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")
    fight.give("start")
    fight.give("advance")
    fight.give("place", who="tibalt", at="B2")
    fight.give("place", who="corso-vail", at="C2")
    fight.give("landblow", who="tibalt", by="corso-vail", pot=20, struck="blunt")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Tibalt is driven against the wall. Does that stun, too?" in play.said
        assert "⏎ not stunned   digits penalty" in play.said
        assert "space ▸ not stunned" in play.said
        await play.give("enter")
        assert "✓ Tibalt: not stunned" in play.said
        await play.press("u")
        await play.give("6", "enter")
        assert "✓ Tibalt is stunned, -6" in play.said


async def test_each_answer_to_an_offer_stands_in_the_bar_once():
    """CS-236, CS-481: beside the question, or as the act that says more; `y` and `n` answer it all the same."""
    async with at_desk(crossing(), size=(140, 40)) as play:
        assert "⏎ let it pass   y strike" in play.said
        assert play.said.count("let it pass") == 2, "as an answer, and as what space does"
        assert "O another Opportunity Action" in play.said
        assert "other answers" not in play.said
        await play.give("n")
    fight = both_attack(seed="3")
    fight.give("advance")
    fight.give("resolve", who="berit", hit=False)
    async with at_desk(fight, size=(140, 40)) as play:
        bar = play.said.split("space ▸")[0].split("let it be?")[1]
        assert bar.split("\n")[0].strip() == "⏎ let it be"
        assert "s Reprisal (longsword)   t move away instead" in bar
        assert bar.count("let it be") == bar.count("Reprisal") == bar.count("move away") == 1
        await play.press("y")
        assert "Pell takes a Reprisal on Berit" in play.text("exchange") + play.said


async def test_whoever_moves_is_told_that_the_label_is_their_own():
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="3")
    fight.give("start")
    fight.give("advance")
    while fight.state.step.actor != "raider-1":
        fight.give("advance")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "1 is Raider 1, who moves" in await play.nothing("m", "1")


async def test_who_declares_now_is_said_as_a_turn_and_who_runs_as_moving():
    """CS-010, CS-233."""
    fight = declaring()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", "A", "s")
        assert "turn it is Berit's turn to declare" in " ".join(play.text("exchange").split())
    fight.give("plan", who="berit", path=["D5", "E5", "F5"])
    while fight.state.step.kind != "pulse":
        fight.give("advance")
    while fight.state.combatants["berit"].record.plan:
        assert "Moving: Berit" in fight.system.reminders(fight.state)
        fight.give("advance")
    assert "No one is moving" not in fight.system.reminders(fight.state), "she has just arrived"
    fight.give("advance")
    assert "No one is moving" in fight.system.reminders(fight.state)


async def test_a_declaration_is_confirmed_from_its_panel_and_nobody_after_it_is_passed_over():
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        first = play.state.step.actor
        await play.press("s")
        assert "> and confirm it" in play.said
        await play.press(">")
        if play.state.step.actor == first:
            await play.press("space")
        given = [fight.line.entry(at).command["type"] for at in range(2, fight.line.entry_count())]
        assert given == ["Declare", "Advance"]
        assert play.state.step.kind == "declare"
        assert play.state.step.actor not in ("", first)
