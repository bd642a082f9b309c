"""Strikes of Stage Moments by keys alone, each in one panel, counted."""

from counting import Journey
from desk import at_desk
from stagehand import advance_to, ford

from fightcall_engine.play.fight import Fight


async def test_a_strike_with_a_typed_die_to_its_damage():
    """Key, die, Enter, damage, Enter: six keys at most, and nothing is asked that was said (found in play 10, 18)."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("s", "9")
        assert "Ysolde shoots at Goblin 2 with longbow" in play.text("exchange")
        assert "12 or less" in play.text("exchange")
        await journey.press("enter")
        assert "9 ≤ 12 hit" in play.text("exchange")
        assert "How much damage" in play.text("exchange")
        await journey.press("4", "enter")
        assert play.one("goblin-2").pools["hp"].now == 3
        assert play.screen.runner.panel() is None
        assert journey.keys <= 6
        assert len(journey.asked) == 1


async def test_space_does_what_enter_does_while_a_die_is_due_and_says_so():
    """The last line names the die that is rolled, or what has been typed; space gives the strike with it."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "needs 12 or less" in play.text("call")
        await play.press("s")
        assert "space" in play.text("call")
        assert "roll d20" in play.text("call")
        assert "12 or less" in play.text("exchange")
        await play.press("9")
        assert "accept 9" in play.text("call")
        await play.press("space")
        thrown = [event.faces for event in fight.head.events if event.type == "DiceRolled"]
        assert thrown == [(9,)]


async def test_enter_takes_all_that_is_left():
    """The die typed, the rest by the program: each answer is an entry of its own, and can be taken back."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="goblin-2", amount=6)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s")
        while "Goblin 2" not in play.text("exchange").splitlines()[0]:
            await play.press("d")
        await play.press("9", "enter")
        entries = fight.line.entry_count()
        await play.press("enter")
        assert not play.one("goblin-2").able
        assert not [prompt for prompt in play.state.prompts if prompt.blocking]
        assert fight.line.entry_count() > entries
        await play.press(*"u" * (fight.line.entry_count() - entries))
        assert play.one("goblin-2").pools["hp"].now == 1


async def test_a_volley_is_one_panel_with_a_die_for_each():
    """All of a squad shoot at once; each typed die is that one's."""
    fight = advance_to(ford(), "missile", "foe")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", "1", "&", "s")
        await play.drawn()
        rows = play.text("exchange")
        assert [f"Goblin {number}" in rows for number in (1, 2, 3)] == [True] * 3
        before = fight.line.entry_count()
        await play.press("5", "enter", "1", "9", "enter", "2", "0", "enter")
        assert fight.line.entry_count() == before + 1
        thrown = {event.who: event.faces for event in fight.head.events if event.type == "DiceRolled"}
        assert thrown == {"goblin-1": (5,), "goblin-2": (19,), "goblin-3": (20,)}


async def test_what_stands_against_a_strike_is_seen_before_the_die():
    """No one is in contact: the panel says so with the rule, and `!` lets it stand."""
    fight = ford()
    fight.give("place", who="brand", at="D10")
    fight.give("place", who="goblin-1", at="E10")
    advance_to(fight, "melee")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", "y", "s")
        assert "SB-49" in play.text("exchange")
        assert "! override" in play.text("exchange")
        await play.nothing("enter")
        assert "SB-49: " in play.text("exchange"), "Enter says the rule, which the row only names"
        await play.nothing("!")
        entry = await play.give("3", "enter")
        assert entry.command["force"] is True
        assert entry.command["rolls"]["attack"] == [3]


async def test_undo_in_a_panel_takes_back_first_what_was_said_in_it():
    """Then what was done before; nobody loses an act who only wants another die."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        before = fight.line.entry_count()
        await play.press("s", "h")
        await play.nothing("u")
        assert play.screen.runner.panel() is not None
        assert fight.line.entry_count() == before
        assert "outcome" not in play.text("exchange")
        await play.press("u")
        assert fight.head.number < before


async def test_the_second_weapon_has_a_key_of_its_own():
    """`s` is the first weapon of the kind, `2` the next, and then the digits of the die (found in play 25)."""
    strikes = [{"name": name, "kind": "missile", "needs": 11, "damage": 4} for name in ("longbow", "knife")]
    fight = Fight.new("stage", seed="7")
    fight.give("join", name="Ash", id="ash", side="party", sheet={"hp": 9, "strikes": strikes})
    fight.give("join", name="Orc", id="orc", side="foe", sheet={"hp": 9})
    async with at_desk(advance_to(fight, "missile"), size=(140, 40)) as play:
        assert "2 shoot (knife)" in play.said
        await play.press("'", "A", "2")
        entry = await play.give("7", "enter")
        assert entry.command["weapon"] == "knife"


async def test_whether_morale_holds_is_one_key_either_way():
    """SB-38: the usual answer, that nobody checks, is Enter."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("d", "1", "7", "enter", "w", "w", "w")
        assert "⏎ no check   y yes, it holds   n no, it fails" in play.said
        entry = await play.give("n")
        assert entry.command["choice"] == "fails"


async def test_whether_the_foes_notice_an_ambush_is_one_key_either_way():
    """SB-15, SB-21: once it is sprung, nobody is told that one may be tried."""
    fight = advance_to(ford(), "meeting")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "an ambush is possible" in play.said
        await play.press("A", "enter")
        assert "⏎ no check   n they check and fail   y they check and notice" in play.said
        entry = await play.give("n")
        assert entry.command["choice"] == "failed"
        assert "an ambush is possible" not in play.said


async def test_the_gm_overrules_a_walk_before_it_has_a_path():
    """SB-76: the bar promises that `!` does it."""
    fight = advance_to(ford(), "move")
    fight.give("prone", who="ysolde")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "Y", "m")
        assert "Ysolde is prone (standing up, SB-76)   ! overrides it" in play.said
        await play.press("!")
        assert "GM override" in play.said
        assert "✗" not in play.said
        entry = await play.give("right", "enter")
        assert (entry.command["type"], entry.command["force"]) == ("Move", True)


async def test_a_condition_that_the_rules_know_is_what_they_know():
    """SB-76: who is made prone has to rise, and is not only called so."""
    fight = advance_to(ford(), "move")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("c", "B", *"prone")
        assert "⏎ prone " in f"{play.said} ".replace("\n", " \n")
        await play.press("enter", "'", "B")
        assert "rise" in play.said
        assert not play.one("brand").effects
        entry = await play.give("c", "P", *"prone2", "enter")
        assert entry.command["type"] == "AddEffect", "for so many Moments it is only a reminder"


async def test_what_is_missing_for_an_act_that_the_sheet_does_not_list_is_said_in_one_way():
    """Found in play: ``digits: damage, digits: needs``, of which digits can be only one."""
    async with at_desk(advance_to(ford(), "magic"), size=(100, 30)) as play:
        await play.press("'", "Y", "a", "/", *"cast", "enter")
        assert "space ▸ nothing: h hit, m miss, digits: needs  " in play.said


async def test_damage_that_the_dice_cannot_give_is_said_as_it_is_typed():
    """SB-37: in the row of a hit by word, and in the question after a typed die; the GM can override it."""
    async with at_desk(advance_to(ford(), "missile"), size=(80, 24)) as play:
        await play.nothing("s", "h", "9")
        assert "d6 can't give 9; accepted: 1 to 6" in play.text("exchange")
        assert "space ▸ show why" in play.said
        await play.nothing("backspace", "6")
        assert "can't give" not in play.text("exchange")
        await play.nothing("backspace", "9", "enter")
        entry = await play.give("!")
        assert entry.command["damage"] == 9
    async with at_desk(advance_to(ford(), "missile"), size=(80, 24)) as play:
        await play.press("s", "9", "enter")
        await play.nothing("9")
        assert "d6 can't give 9; accepted: 1 to 6" in play.text("exchange")
        await play.nothing("enter")
        assert "! overrides it" in play.said
