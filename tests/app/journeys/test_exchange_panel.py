"""The exchange panel by keys: what stands against an act goes away by the key beside it, and nothing is said twice."""

import pytest
from desk import at_desk
from segments_fights import both_attack
from stagehand import advance_to, event, ford

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

DAGGER = {"name": "dagger", "size": 1, "weight_class": "Lt", "av": 30}
PIKE = {"name": "pike", "size": 12, "weight_class": "Med", "av": 40}


def yard(hands, *, weapons=(DAGGER,), at=("D4", "E4"), facing=(0, 4), foe_hands=None):
    """Ash with a dagger before a foe with a pike, on squares of 5 ft; Ash declares first."""
    board = any_board(SquareBoard.from_json({"kind": "square", "cols": 12, "rows": 8, "scale": 5, "unit": "ft"}))
    fight = Fight.new("segments", settings={"resolution": "linear"}, seed="7", board=board)
    ash = {"kind": "pc", "agl": 15, "crd": 14, "weapons": [*weapons], "hands": hands}
    orc = {"weapons": [PIKE], "hands": {"R": "pike"} if foe_hands is None else foe_hands, "dodge": 12}
    fight.give("join", name="Ash", id="ash", side="party", at=at[0], facing=facing[0], sheet=ash)
    fight.give("join", name="Orc", id="orc", side="foe", at=at[1], facing=facing[1], sheet=orc)
    fight.give("start")
    for place, who in enumerate(("ash", "orc")):
        fight.give("initiative", who=who, total=20 - place)
    while fight.state.step.kind != "declare" or fight.state.step.actor != "ash":
        fight.give("advance")
    return fight


def due(fight):
    """On to the Resolution of what is declared."""
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    return fight


async def test_the_key_beside_a_blocker_removes_it_when_the_strike_is_declared():
    """CS-318, CS-320: one key says that Ash steps inside first; the panel stays, and nothing prevents it.

    Found in play 20: what would be refused when the strike is due stands there as it is declared.
    """
    async with at_desk(yard({"R": "dagger"}), size=(140, 40)) as play:
        await play.press("s")
        assert "CS-318   G step inside first" in play.text("exchange")
        await play.press("G")
        assert "CS-318" not in play.text("exchange")
        entry = await play.give("enter")
        assert entry.command["inside"] is True


async def test_a_die_that_cannot_be_is_said_to_be_refused_and_the_next_digit_begins_it_anew():
    fight = ford()
    advance_to(fight, "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "9", "4")
        assert "space ▸ clear 94" in play.said
        assert "d20 can't show 94" in play.text("exchange")
        await play.press("1", "9")
        assert "space ▸ accept 19" in play.said
        await play.press("9", "space")
        assert "94" not in play.text("exchange")
        await play.press("1", "9")
        assert "space ▸ accept 19" in play.said


async def test_of_several_dice_typed_in_part_nothing_is_cleared():
    """A face that is missing may still come: Enter says what is accepted and keeps what was typed."""
    bow = {"name": "bow", "cost": 1, "roll": "2d10", "damage": 3}
    archer = Join(name="Ash", side="party", at=Hex(1, 1), sheet={"kind": "pc", "abilities": [bow]})
    foe = Join(name="Orc", side="foe", at=Hex(5, 1), sheet={})
    fight = Fight.new("slots", seed="7", board=any_board(HexBoard(cols=8, rows=6)), joins=[archer, foe])
    fight.give("start")
    while not fight.state.step.actor:
        fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("1", "3")
        assert "clear 3" not in play.text("exchange")
        await play.press("enter")
        assert "2d10 can't show 3" in play.text("exchange")
        await play.press("space", "4")
        assert "space ▸ accept 3 4" in play.said


async def test_after_what_clears_its_way_the_panel_opens_again_on_the_same_act():
    """CS-319: getting inside is a contest of its own; then the strike is there again, with nothing against it."""
    fight = yard({"R": "dagger"}, foe_hands={})
    fight.give("declare", who="ash", action="strike", target="orc")
    fight.give("adjust", who="orc", what="right_hand", value="pike")
    async with at_desk(due(fight), size=(140, 40)) as play:
        await play.press("s")
        assert "G get inside" in play.text("exchange")
        await play.press("G")
        assert "inside whose guard" in play.said
        await play.press("escape")
        assert "G get inside" in play.text("exchange"), "one step back is the panel"
        # Sure to succeed: where the contest fails, the round is over with it.
        await play.press("G", "enter", *"100", "enter")
        assert fight.head.command["type"] == "GetInside"
        while play.state.prompts:
            await play.press("enter")
        assert play.text("exchange").startswith("╭─ Ash strikes Orc with dagger")


async def test_a_missing_chance_is_typed_once_or_given_for_the_whole_fight():
    """R-5, M-01: the row says so; digits are the chance, and one key has a straight line give all that follow.

    Found in play 19.
    """
    fight = yard({"R": "dagger"}, foe_hands={})
    fight.give("configure", setting="resolution", value="gm_percent")
    fight.give("declare", who="ash", action="strike", target="orc")
    async with at_desk(due(fight), size=(140, 40)) as play:
        await play.press("s")
        assert "no table to compute it" in play.text("exchange")
        await play.press("4", "0", "enter")
        assert "40 % set by the GM" in play.text("exchange")
        await play.press("backspace")
        entry = await play.give("%")
        assert entry.command == {"type": "Configure", "setting": "resolution", "value": "linear"}
        shown = play.text("exchange")
        assert "no table to compute it" not in shown
        assert "d100" in shown
        entry = await play.give("5", "5", "enter")
        assert entry.command["type"] == "Resolve"
        assert f" {event(entry, 'CheckResolved').chance} %" in shown


async def test_a_turn_goes_before_a_strike_at_who_stands_behind():
    """CS-306: `f` turns in the panel, as it does on the board."""
    async with at_desk(yard({"R": "dagger"}, facing=(4, 0)), size=(140, 40)) as play:
        await play.press("s")
        assert "f turn first" in play.text("exchange")
        await play.press("f")
        assert "f turn first" not in play.text("exchange")


async def test_a_sheathed_weapon_is_proposed_with_its_draw():
    """CS-123: not bare hands, while a hand is free to draw what is put by."""
    fight = yard({}, at=("D4", "K4"))
    fight.give("place", who="orc", at="E4")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "G")
        entry = await play.give("enter")
        assert (entry.command["weapon"], entry.command["components"]) == ("dagger", ["draw"])


async def test_with_both_hands_full_what_is_in_the_way_is_dropped_for_a_weapon_at_the_belt():
    """CS-123, CS-147: bare hands are not proposed while there is a blade; a bow in hand is proposed before it.

    Found in play 25.
    """
    bow = {"name": "bow", "kind": "missile", "two_handed": True, "av": 30}
    fight = yard({"R": "bow", "L": "bow", "two_handed": True}, weapons=[bow, DAGGER], at=("D4", "K4"), foe_hands={})
    async with at_desk(fight, size=(140, 40)) as play:
        assert play.said.index("A shoot") < play.said.index("s drop the bow, draw and strike (dagger)")
        await play.press("A")
        assert "Ash shoots at Orc with bow" in play.text("exchange")
        await play.press("escape")
        fight.give("place", who="orc", at="E4")
        entry = await play.give("s", "enter")
        assert (entry.command["weapon"], entry.command["components"]) == ("dagger", ["drop_or_grab", "draw"])
        await play.press("space")
        assert play.one("ash").record.right_hand == "dagger"
        assert [event.thing for event in fight.line.events() if event.type == "ObjectMoved"] == ["bow"]


async def test_the_call_bar_does_not_repeat_the_panel():
    """Title, answers and keys stand in the panel alone; the bar says what happened and what space does."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s")
        assert "Ysolde shoots at" in play.text("exchange")
        assert "Ysolde shoots at" not in play.said
        assert "h hit" not in play.said
        assert "space ▸ roll d20" in play.said
        await play.press("h")
        await play.press("enter")
        assert "HP" in play.text("call")


async def test_partial_cover_and_the_price_are_told_before_the_roll():
    """SB-69: what cover adds to the die stands beside the number needed (found in play 10)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "'", "4")
        assert "Archer" in play.text("exchange").splitlines()[0]
        assert "to the die" in play.text("exchange")


async def test_who_is_proposed_is_the_nearest_foe_in_sight():
    """Never an ally and never who is hidden (found in play 25)."""
    fight = ford()
    for foe, place in (("goblin-1", "J5"), ("goblin-3", "F7"), ("goblin-2", "H7")):
        fight.give("place", who=foe, at=place)
    advance_to(fight, "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        assert "Ysolde shoots at Goblin 3" in play.text("exchange")
        await play.press("escape")
        fight.give("rule", what="hidden", who="goblin-3", value=True)
        await play.press("s")
        assert "Ysolde shoots at Goblin 2" in play.text("exchange")


@pytest.mark.parametrize(
    ("name", "phase", "key"),
    [
        ("ambush-at-the-ford", "missile", "s"),
        ("first-round", "acting", "s"),
        ("the-bell-tower", "active", "1"),
        ("the-tiltyard", "declare", "s"),
    ],
)
async def test_whoever_has_no_place_is_proposed_after_all_who_have(name, phase, key):
    """A foe who has joined and stands nowhere is not the nearest of a map (found in play 25)."""
    fight = start_fight(load_encounter(name), id="nowhere", seed="7")
    fight.give("join", name="Wolf", side="foe")
    fight.give("join", name="Dog", side="party")
    fight.give("start")
    while fight.state.phase != phase or fight.state.prompts or fight.system.waiting(fight.state)[0] in ("wolf", "dog"):
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press(key)
        title = play.text("exchange").splitlines()[0]
        assert "Wolf" not in title, title
        assert "Dog" not in title, title
        await play.press("'", fight.state.combatants["wolf"].label)
        assert "no board" not in play.text("exchange")


async def test_the_key_of_an_act_pressed_twice_picks_nobody():
    """In the panel a label is a person only after `'`: an ally S is not shot by `s` `s` (found in play 25)."""
    fight = ford()
    fight.give("join", name="Sten", side="party", at="D7", sheet={"hp": 9})
    advance_to(fight, "missile")
    assert fight.state.combatants["sten"].label == "S"
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "s")
        panel = play.text("exchange")
        assert "Ysolde shoots at Goblin" in panel
        assert "s does nothing here" in panel


@pytest.mark.parametrize(
    ("name", "phase", "key"),
    [
        ("ambush-at-the-ford", "missile", "s"),
        ("surrounded-by-goblins", "acting", "s"),
        ("the-bell-tower", "active", "1"),
        ("the-tiltyard", "declare", "s"),
    ],
)
async def test_more_can_be_said_of_a_strike_in_every_system(name, phase, key):
    """Found in play 21: ``* does nothing here``."""
    fight = start_fight(load_encounter(name), id="more", seed="7")
    fight.give("start")
    while fight.state.phase != phase or fight.state.prompts:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press(key)
        assert "* more" in play.text("exchange")
        said = await play.nothing("*")
        assert "means nothing" not in said + play.text("exchange")
        assert "?" in said.split("\n")[2], "a question of what else, or its only number"


async def test_a_letter_of_yes_and_no_begins_nothing_while_something_is_asked():
    """What is pressed one question too late says so, and opens no other act (found in play 18)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "9", "enter")
        assert "How much damage" in play.text("exchange")
        await play.nothing("y")
        assert "yes isn't an answer here" in play.text("exchange")


async def test_hit_and_miss_answer_no_check():
    """Found in play 18: a check has yes and no; `h` neither answers it nor begins another act, such as of an object."""
    fight = both_attack()
    fight.give("configure", setting="resolution", value="gm_percent")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space")
        await play.give("h")
        assert "y made   n failed" in play.text("exchange")
        for key, word in (("h", "hit"), ("m", "miss")):
            await play.nothing(key)
            assert f"{word} isn't an answer here" in play.text("exchange")
        entry = await play.give("y")
        assert entry.command["choice"] == "made"


async def test_what_the_next_turn_asks_is_not_in_the_panel_of_the_last_act():
    """ST-24: Pau is asked to pay for the ward after Roan has struck; the panel of the blow is gone by then."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="x", seed="7")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("space", "space", ">", ">", ">", ">", "s", "enter")
        while not any(prompt.blocking for prompt in play.state.prompts):
            await play.press(">")
        assert "mana for ward" in play.said
        assert not play.screen.runner.panel()


async def test_what_follows_does_not_repeat_the_title_of_its_panel():
    """AP-16: who does what to whom stands above; below it what the die showed, and what is asked."""
    fight = start_fight(load_encounter("the-last-tram"), id="x", seed="7")
    fight.give("start")
    for amount in (12, 9, 5):
        fight.give("answer", prompt=fight.state.prompts[0].id, amount=amount)
    for _ in range(2):
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("1", "enter")
        panel = play.text("exchange")
        assert "Did it hit?" in panel
        assert panel.count("Crowbar at The conductor") == 1


async def test_what_stands_against_an_act_is_said_once():
    """ST-28: the first row that the rule is about says that the sword does not reach."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="x", seed="7")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("space", "space", "s")
        assert play.text("exchange").count("longsword reaches 1") == 1


async def test_enter_clears_the_way_of_an_act_where_one_thing_alone_does():
    """ST-28: the longsword is too short, and walking up is all that helps; `!` still lets it stand."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="g", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space", "space", "s")
        assert "space ▸ move" in play.said
        assert "! override   ⏎ move" in play.text("exchange")
        entry = await play.give("enter", "enter")
        assert entry.command["type"] == "Move"
        assert "line   1 hex" in play.text("exchange")
        assert "space ▸ roll d20" in play.said


async def test_enter_gives_up_nothing_that_was_declared():
    """CS-250: all that clears the way of a due attack is to give it up, which has its own key."""
    fight = both_attack()
    fight.give("place", who="pell", at="G3")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space", "space", "space", "space")
        assert play.state.step.actor == "pell"
        await play.nothing("enter")
        assert "overrides it" in play.text("exchange")


async def test_another_target_of_a_blow_is_never_of_ones_own_side():
    """Of the party only Cade can be struck with the short cudgel; his own side a groom strikes by label alone."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="7")
    fight.give("start")
    while fight.state.step is None or fight.state.step.actor != "groom-2":
        fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        assert "Groom 2 strikes Cade" in play.text("exchange")
        await play.press("d")
        assert "Groom 2 strikes Cade" in play.text("exchange")
        assert "there are no other options" in play.text("exchange")
        await play.press("P")
        assert "Groom 2 strikes Pell" in play.text("exchange")
        assert "CS-318" in play.text("exchange")


async def test_one_key_takes_the_other_weapon():
    """Also from another row than that of the weapon; the weapon first proposed comes round again."""
    fight = yard({"R": "pike", "L": "dagger"}, weapons=(PIKE, DAGGER))
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        assert "Ash strikes Orc with pike" in play.text("exchange")
        assert "w another" in play.text("exchange")
        await play.press("w")
        assert "Ash strikes Orc with dagger" in play.text("exchange")
        await play.press("down", "w")
        assert "Ash strikes Orc with pike" in play.text("exchange")
    async with at_desk(yard({"R": "dagger"}), size=(140, 40)) as play:
        await play.press("s", "w")
        assert "w does nothing here" in play.text("exchange"), "there is no other"


async def test_the_weapon_in_the_other_hand_has_a_key_of_its_own():
    """`2` strikes with it, in turns and in segments; both as one have the key after it."""
    fight = yard({"R": "pike", "L": "dagger"}, weapons=(PIKE, DAGGER))
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("2")
        assert "Ash strikes Orc with dagger" in play.text("exchange")
        assert "CS-318" in play.text("exchange")
        assert "! CS-318" not in play.said, "the panel says it, and of whom it is aimed at"
        await play.press("escape", "3")
        assert "Ash strikes Orc with pike and dagger" in play.text("exchange")


async def test_a_question_beside_the_panel_has_the_keys_alone():
    """Found in play: ``d another`` and ``* more`` stood in the panel, and meant nothing while it was asked whom."""
    async with at_desk(advance_to(ford(), "missile"), size=(100, 30)) as play:
        await play.press("s", "'")
        assert "* more" not in play.text("exchange")
        assert "d another" not in play.text("exchange")
        await play.press("escape")
        assert "* more" in play.text("exchange")


async def test_going_back_is_offered_where_something_was_entered_and_is_never_silent():
    fight = ford()
    advance_to(fight, "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        assert "bksp back" not in play.said
        await play.press("backspace")
        assert "nothing to delete" in play.text("exchange")
        await play.press("9")
        assert "bksp back" in play.said
        await play.press("backspace")
        assert "bksp back" not in play.said


async def test_a_total_that_the_dice_cannot_give_is_refused_with_what_they_can():
    """Own games, section 3: 2d8+3 gives 5 to 19, and the GM may say 4 all the same."""
    fight = Fight.new("turns", seed="7")
    mace = {"hp": 9, "strikes": [{"name": "mace", "needs": 4, "damage": "2d8+3", "reach": 1}]}
    fight.give("join", name="Ash", id="ash", side="party", sheet=mace)
    fight.give("join", name="Orc", id="orc", side="foe", sheet={"hp": 40})
    fight.give("open_scene", name="Hall")
    fight.give("answer", choice="free")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "h", "4", "enter")
        panel = play.text("exchange")
        assert "2d8+3 can't give 4" in panel
        assert "5 to 19" in panel
        assert play.state.combatants["orc"].pool("hp").now == 40
        await play.press("1", "9", "enter")
        assert play.state.combatants["orc"].pool("hp").now == 21
        await play.press("u", "s", "h", "4", "enter", "!")
        assert play.state.combatants["orc"].pool("hp").now == 36


async def test_a_total_of_a_question_is_refused_with_what_the_dice_can_give():
    """Own games, section 3: the question stays open, and another total or `!` answers it."""
    fight = Fight.new("slots", seed="7")
    bite = {"name": "bite", "cost": 1, "damage": "2d4+1"}
    fight.give("join", name="Ivo", id="ivo", side="party", sheet={"hp": 9})
    fight.give("join", name="Wolf", id="wolf", side="foe", sheet={"hp": 9, "abilities": [bite]})
    fight.give("start")
    while fight.state.phase != "active":
        fight.give("answer" if fight.state.prompts else "advance")
    fight.give("npc", who="wolf", what="bite", target="ivo")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("2", "enter")
        assert "2d4+1 can't give 2" in play.said
        assert "accepted: 3 to 9" in play.said
        await play.press("3", "enter")
        assert play.state.combatants["ivo"].pool("hp").now == 6
        await play.press("u", "2", "enter", "!")
        assert play.state.combatants["ivo"].pool("hp").now == 7
