"""The fight screen at every size, between nasty names, and under the mouse."""

from desk import at_desk
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import parse_place
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

NASTY = (
    "[b]markup[/b]",
    "[/foo",
    "\x1b[31mred\x1b[0m",
    "漢字漢字漢字漢字漢字漢字",
    "e\u0301\u0302\u0303\u0304\u0305\u0306lan",
    "x" * 200,
    "a\nb\tc",
    "\u202eright to left\u202c",
    "🐉 dragon 12",
    "שלום",
    "$primary $(rm)",
    "%s {0} \\",
)


def nasty():
    """A fight between names that terminals and markup choke on."""
    places = [parse_place(f"{column}{row}") for row in (3, 5) for column in "BCDEGH"]
    arms = [{"name": "[bold]bow[/]", "kind": "missile", "needs": 12, "damage": "d6"}]
    joins = [
        Join(name=name, side=("party", "foe")[at % 2], at=place, sheet={"hp": 8, "strikes": arms})
        for at, (name, place) in enumerate(zip(NASTY, places, strict=True))
    ]
    fight = Fight.new("stage", name=NASTY[0] + NASTY[2], seed="7", board=ford().state.board, joins=joins)
    for who, name in zip(fight.state.combatants, NASTY, strict=True):
        fight.give("addeffect", who=who, name=name, rounds=2)
        fight.give("note", who=who, text=name * 3)
    return advance_to(fight, "missile")


QUESTIONS = ("d", "c", "s", "a", "!", "e", "H", "'", ":", "J", "N")


async def test_nasty_names_stay_in_their_cells(tmp_path):
    """Every pane of every size is filled to its edges and shows no control character, whatever is asked."""
    async with playing(nasty(), tmp_path) as play:
        for number, size in enumerate([WIDE, SMALL, (40, 10), (111, 30)]):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            play.check()
            # Each question at a larger and at a smaller size.
            for key in QUESTIONS[number % 2 :: 2]:
                await play.press(key)
                play.check()
                await play.press("escape")
            # On the large screen all panes have their places.
            for key in ("f2",) if size == WIDE else ("f3", "f4", "f2"):
                await play.press(key)
                await play.drawn()
                play.check()
                shown = "".join(run.text for pane in play.panes() for row in pane.rows for run in row)
                assert shown.isprintable()


async def test_a_new_size_in_the_middle_of_a_move(tmp_path):
    fight = advance_to(ford(), "move")
    async with playing(fight, tmp_path) as play:
        await play.press("m", "l", "l")
        for size in (SMALL, (200, 60), (30, 8), (112, 31), WIDE):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            play.check()
            assert "2 beats" in play.said or size[0] < 60, "the way being planned is still there"
        entry = await play.give("l", "enter")
        assert entry.command["path"][-1] == list(parse_place("F7"))


async def test_one_pane_at_a_time_where_there_is_little_room(tmp_path):
    async with playing(advance_to(ford(), "move"), tmp_path, size=SMALL) as play:
        seen = {pane.id for pane in play.panes()}
        assert {"ribbon", "roster", "board", "call"} <= seen
        assert "feed" not in seen
        await play.press("f4")
        await play.drawn()
        assert "feed" in {pane.id for pane in play.panes()}
        await play.pilot.resize_terminal(*WIDE)
        await play.drawn()
        assert {"roster", "board", "feed"} <= {pane.id for pane in play.panes()}


async def test_the_mouse_selects_plans_and_answers(tmp_path):
    """Everything that the keys do, the mouse does on what is drawn."""
    fight = advance_to(ford(), "move")
    async with playing(fight, tmp_path) as play:
        await click_text(play, "roster", "Paul")
        assert play.screen.table.selected == "paul"
        await click_text(play, "call", "move")
        assert "where to" in play.said
        await click_hex(play, "F5")
        assert "F5" in play.said
        await click_hex(play, "F5")
        assert play.one("paul").at == parse_place("F5")
        await click_text(play, "call", "damage")
        await click_text(play, "call", "Goblin 3")
        assert "how many" in play.said.lower()
        await play.press("escape")
        await click_text(play, "feed", "Paul")
        assert "Moved" in play.text("feed"), "a line of the log opens"
        await click_hex(play, "M8")
        assert play.screen.table.selected == "goblin-3"


async def click_text(play, name, text):
    """Click on a word in a pane."""
    y, x = next((y, row.index(text)) for y, row in enumerate(play.text(name).split("\n")) if text in row)
    await play.pilot.click(f"#{name}", offset=(x, y))
    await play.settle()


async def click_hex(play, place):
    """Click on a hex of the board."""
    board, at = play.screen.panes.board, parse_place(place)
    spot = next((x, y) for y in range(board.size.height) for x in range(board.size.width) if board.place_at(x, y) == at)
    await play.pilot.click("#board", offset=spot)
    await play.settle()


async def test_a_long_refusal_is_read_whole_on_a_small_screen(tmp_path):
    """What is in the way, what would do, and the key that overrules: the bar takes rows for it, and gives them back."""
    async with playing(advance_to(ford(), "missile"), tmp_path, size=SMALL) as play:
        height = play.pane("call").size.height
        for key in (":", *"move brand hexes=40", "enter"):
            play.send(key)
        await play.drawn()
        said = " ".join(play.said.split())
        assert "accepted:" in said
        assert "overrides it" in said
        await play.press("escape")
        await play.drawn()
        assert play.pane("call").size.height == height
        play.check()


async def test_the_key_of_the_keys_stands_beside_every_question():
    """Also where what is asked, and what going on does, have no room for all their words."""
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="keys", seed="7")
    fight.give("start")
    while not any(prompt.rule == "AP-26" for prompt in fight.state.prompts):
        asked = fight.state.asked_first
        fight.give("advance") if asked is None else fight.give("answer", prompt=asked.id, choice=asked.default)
    for size in (SMALL, (60, 18)):
        async with at_desk(fight, size) as play:
            assert "Close the Full Round?" in play.said
            assert "f1" in play.said.split("\n")[-1]
            for keys in ("d", ":", "H", "'"):
                await play.press(keys)
                assert "f1" in play.said.split("\n")[-1]
                await play.press("escape")


async def test_a_fight_without_a_board_says_so_in_whole_words(tmp_path):
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    async with playing(fight, tmp_path, size=(60, 18)) as play:
        assert "contact" in play.text("board")


async def test_a_column_of_the_roster_holds_one_pool_and_another_has_its_name(tmp_path):
    """Found by play: mana stood under the heading of focus."""
    fight = start_fight(load_encounter("the-candle-auction"), id="auction", seed="11")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        await play.press("space")
        heading, ilse, below = play.text("roster").split("\n")[1:4]
        assert "focus" in heading
        assert "5/5" not in ilse
        assert "mana 5/5" in below
