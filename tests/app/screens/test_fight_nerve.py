"""Words that daunt and deeds that outdo, played with keys: Presence on a blow, Heroic Effects, tokens."""

from desk import at_desk
from stagehand import event, kinds

from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

SWORD = {"name": "sword", "size": 4, "av": 40, "effects": ["edge"]}
ASH = {"kind": "pc", "msta": 15, "hrt": 12, "weapons": [SWORD], "skills": {"intimidate": 20}}
ORC = {"msta": 60, "pres": 99, "weapons": [SWORD], "skills": {"presence": 9}}


def two(ash=ASH, orc=ORC, **settings):
    """Ash before the orc, in a fight whose chances are reckoned in a straight line; Ash is to declare."""
    joins = [Join(name="Ash", side="party", sheet=ash), Join(name="Orc", side="foe", sheet=orc)]
    fight = Fight.new("segments", settings={"resolution": "linear", **settings}, joins=joins, seed="3")
    fight.give("start")
    for place, who in enumerate(("ash", "orc")):
        fight.give("initiative", who=who, total=20 - place)
    return fight


def lines(play, pane):
    """What a pane says, whichever way its lines are broken."""
    return " ".join(play.text(pane).replace("│", " ").split())


async def to_resolution(play):
    while play.state.step.kind != "resolve":
        await play.press("space")


async def test_words_are_declared_with_the_blow_and_the_check_follows_it():
    """CS-510, CS-511, CS-513, CS-516: typed with the strike, seen on the board, judged and rolled in the hit chain.

    CS-512: a miss loses them, and the feed says why.
    """
    async with at_desk(two()) as play:
        entry = await play.give("V", "enter", *"Yield", "enter")
        assert event(entry, "Declared").shown == 'strike Orc with sword, saying "Yield"'
        await play.press("L")
        assert 'strike Orc with sword, saying "Yield"' in lines(play, "declared")
        await play.press("L")
        await to_resolution(play)
        resolves = play.fight.head_number
        play.fight.give("resolve", who="ash", hit=True, pot=9, defence="none")
        await play.settle()
        assert '"Yield" 9 got through' in play.text("exchange")
        entry = await play.give("y")
        assert event(entry, "CheckRequested").kind == "presence"
        assert "Presence 29 against DV" in play.text("exchange")
        entry = await play.give("y")
        assert event(entry, "Demoralised").outcome == "broken"
        assert "surrendered" in play.text("roster")
        assert "Orc breaks and surrenders" in lines(play, "feed")
        await play.press("u", "u")
        assert "surrendered" not in play.text("roster")
        play.fight.jump(resolves)
        await play.settle()
        entry = await play.give("s", "9", "9", "enter")
        assert "PresenceLost" in kinds(entry)
        assert "has no effect on Orc: the blow missed" in lines(play, "feed")


async def test_a_heroic_hit_is_picked_with_a_letter():
    """CS-547, CS-639: the menu in the prompt bar; what the GM tells himself is called to mind."""
    async with at_desk(two(heroic_effects=True, heroic_scope="always")) as play:
        await play.give("s", "enter")
        await to_resolution(play)
        await play.give("s", "1", "enter")
        assert "with a Heroic Effect. Which one?" in play.text("exchange")
        entry = await play.give("a")
        assert "FeatChosen" in kinds(entry)
        assert "the purpose is achieved; the GM decides how" in lines(play, "feed")
        await play.press("u")
        entry = await play.give("enter")
        parts = event(entry, "BlowLanded").parts
        assert any(label.startswith("Heroic Effect: doubled") for label, _, _ in parts)


async def test_a_deed_from_the_menu_of_rulings_shows_on_the_roster():
    """CS-645, CS-647: and is over when its foe is down."""
    async with at_desk(two()) as play:
        play.fight.give("rule", what="deed", who="ash", value="av 5 until orc")
        await play.settle()
        assert "deed: AV +5 on Orc" in lines(play, "roster")
        play.fight.give("set_life", who="orc", life="unconscious")
        await play.settle()
        assert "deed" not in play.text("roster")
        assert "Ash's heroic deed ends: Orc is down" in lines(play, "feed")


async def test_a_token_turns_a_roll_with_one_key():
    """CS-653: the question comes before the miss; Enter lets it stand, a letter spends, `u` gives all of it back."""
    async with at_desk(two({**ASH, "tokens": {"white": 1}}, fate_tokens=True)) as play:
        assert "tokens: 1 white" in lines(play, "roster")
        await play.give("s", "enter")
        await to_resolution(play)
        await play.give("s", "9", "9", "enter")
        assert "Ash, attack: 99 against 50 % fails. Change it with" in play.text("exchange")
        entry = await play.give("p")
        assert "TokenSpent" in kinds(entry)
        assert event(entry, "CheckResolved").roll == 6
        assert "tokens" not in play.text("roster")
        assert "Ash spends a white token: attack, 99 becomes 6" in lines(play, "feed")
        await play.press("u")
        entry = await play.give("enter")
        assert event(entry, "Missed").who == "ash"
        assert "tokens: 1 white" in lines(play, "roster")
