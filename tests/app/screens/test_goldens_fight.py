"""The whole fight screen as text: its characters, a letter for each run's style, and what each theme makes of them.

Characters and style letters differ by size, moment and the shape of hexes, not by theme: they are kept once. Each
theme has one file of its own: how every style that occurs looks in it. Together they are every cell of every screen.
FIGHTCALL_UPDATE_GOLDENS=1 writes the files instead of comparing with them.
"""

import os
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from driver import resize
from ford import golden
from segments_fights import landed_in_concert
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall.paint.runs import join, window
from fightcall.themes import find_shipped_themes, load_shipped
from fightcall_engine.archive.encounters import load_encounter, start_fight

GOLDENS = Path(__file__).parents[1] / "goldens"
THEMES = sorted(path.stem for path in find_shipped_themes().glob("*.toml"))


def set_up(fight):
    """Before the first Moment."""
    return ()


def mid_move(fight):
    """A way being planned: reach, path, costs."""
    advance_to(fight, "move")
    fight.give("damage", who="ysolde", amount=6)
    fight.give("addeffect", who="brand", name="stunned", rounds=3)
    return ("m", "l", "l", "l", "l", "u")


def prompt_open(fight):
    """A hit whose damage is asked for, and an offer behind it."""
    advance_to(fight, "missile")
    fight.give("strike", who="ysolde", target="goblin-1", kind="missile", hit=True, damage=7)
    return ("s", "'", "2", "5", "enter")


def exchange(fight):
    """A shot in its panel, with a die half typed."""
    advance_to(fight, "missile")
    return ("s", "1")


def exchange_blocked(fight):
    """A strike at nobody in contact: what stands against it, with the rule and the keys."""
    fight.give("place", who="brand", at="D10")
    fight.give("place", who="goblin-1", at="E10")
    advance_to(fight, "melee")
    return ("'", "y", "s", "enter")


def slots_final(fight):
    """The Final Phase: reserves kept, a work begun, slots spent, an effect, somebody Vulnerable, a squad split up."""
    fight.give("start")
    for who, result in (("ilvane", 23), ("brother-aum", 21), ("sabet", 17), ("tamsin-roe", 7)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    fight.give("act", who="ilvane", ability="Thrust", target="chief-wrecker", hit=True, damage=4)
    fight.give("affect", who="ilvane", name="slowed", kind="slots", amount=-1, rounds=2)
    fight.give("endap", who="ilvane")
    fight.give("npc", who="wrecker-1", what="cuts a rope")
    fight.give("rule", what="vulnerable", who="chief-wrecker")
    fight.give("endap", who="brother-aum")
    fight.give("begin", who="sabet", ability="Ward of glass")
    fight.give("act", who="tamsin-roe", ability="Sling", target="wrecker-1", hit=True, damage=3)
    return ()


def slots_upkeep(fight):
    """Upkeep gone through item by item, after the Final Phase."""
    slots_final(fight)
    for command, data in (
        ("endap", {"who": "tamsin-roe"}),
        ("answer", {"prompt": "last_call", "choice": "close"}),
        ("answer", {"prompt": "npc", "choice": "none"}),
        ("answer", {"prompt": "upkeep", "choice": "none"}),
    ):
        fight.give(command, **data)
    return ()


def turns_offer(fight):
    """An offer with somebody delaying: Actions to come, unused and spent, Reactions, effects on three clocks."""
    fight.give("start")
    while not fight.state.round:
        fight.give("advance")
    fight.give("take", who="milli")
    fight.give("act", who="milli", what="charges")
    fight.give("react", who="goblin-archer-2", what="ducks")
    fight.give("affect", who="milli", name="poison", polarity="negative", amount=1, rounds=3)
    fight.give("endturn")
    fight.give("affect", who="roan", name="bless", polarity="positive", amount=2, rounds=2, anchor="pau")
    fight.give("delay", who="pau")
    fight.give("take", who="goblin-archer-1")
    fight.give("endturn")
    return ()


def turns_free(fight):
    """A Scene in free order, in which some have had a chance."""
    fight.give("openscene", mode="free", name="The path")
    fight.give("take", who="milli")
    fight.give("take", who="goblin-warrior-2")
    return ()


def zones_move(fight):
    """A way over zones being planned: prices, doors, somebody down, a contact, somebody to be met."""
    fight.give("start")
    for who, result in (("perdita-lark", 20), ("hob-the-stagehand", 12), ("sister-amaranth", 5)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    fight.give("place", who="usher-3", at="Gallery")
    fight.give("damage", who="usher-3", amount=9)
    fight.give("place", who="hob-the-stagehand", at="Pit")
    fight.give("contact", who="hob-the-stagehand", enemy="usher-1")
    return ("m", "p", "x")


def segments_declare(fight):
    """Declarations: somebody at a long task, a draft, a secret, one who waits, pain; a way on the squares."""
    fight.give("start")
    for total, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - total)
    fight.give("stun", who="pell", penalty=6)
    fight.give("declare", who="aldous-bray", target="oskar-the-axe")
    fight.give("plan", who="aldous-bray", path=[[2, 3], [3, 3], [4, 3], [5, 3]])
    fight.give("advance")
    fight.give("declare", who="berit", text="unlock the stores", qa=12)
    fight.give("advance")
    fight.give("declare", who="cade", text="palms the key", secret=True)
    fight.give("advance")
    fight.give("wait", who="oskar-the-axe")
    fight.give("declare", who="pell", target="cade")
    return ()


def segments_pulse(fight):
    """The fourth Pulse, before a waiting foe may strike at who has come within reach."""
    fight.give("start")
    for total, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - total)
    fight.give("place", who="aldous-bray", at="M4")
    fight.give("declare", who="aldous-bray", target="oskar-the-axe")
    fight.give("plan", who="aldous-bray", path=[[13, 3], [14, 3], [15, 3], [16, 3]])
    while not fight.state.prompts:
        fight.give("advance")
    return ("l",)


def segments_shot(fight):
    """A shot over the ford: its line, and a companion of the target in the line beyond."""
    fight.give("start")
    for total, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - total)
    for who, at in (("raider-2", "N5"), ("raider-1", "R5"), ("raider-3", "T6")):
        fight.give("place", who=who, at=at)
    fight.give("damage", who="raider-2", amount=5)
    fight.give("damage", who="cuthbert", amount=9)
    fight.give("declare", who="alys", action="shoot", target="raider-2")
    return ()


def segments_card(fight):
    """The card of one who is wounded, stunned, and has armour that is worn."""
    segments_declare(fight)
    fight.give("configure", setting="armour_wear", value=True)
    fight.give("damage", who="pell", amount=4)
    fight.give("rule", who="pell", what="armour", value="padded_simple:4; coat:10")
    return ("I",)


def segments_after(fight):
    """The fight is over, and three are to heal; one of them is tended."""
    fight.give("start")
    for who, wounds in (("aldous-bray", 4), ("pell", 1), ("oskar-the-axe", 8)):
        fight.give("damage", who=who, amount=wounds)
    fight.give("close")
    fight.give("planhealing", who="aldous-bray", healer_sl=8, fought="1415-10-25")
    return ()


def ford_with_bows():
    """The withy ford, on squares."""
    return start_fight(load_encounter("the-withy-ford"), id="withy", seed="1346")


def segments_duel(fight):
    """Two blades landed in concert: driven back, armour worn, wounds, and the checks that are now due."""
    landed_in_concert(fight)
    return ()


def threshing_floor():
    """The Last Touch, a duel."""
    return start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")


def tiltyard():
    """The tiltyard, on squares."""
    return start_fight(load_encounter("the-tiltyard"), id="yard", seed="1415")


def playhouse():
    """Fire at the playhouse, on zones."""
    return start_fight(load_encounter("fire-at-the-playhouse"), id="playhouse", seed="7")


def slots_fight():
    """The bell tower."""
    return start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")


def turns_fight():
    """Surrounded by goblins."""
    encounter = load_encounter("surrounded-by-goblins")
    return start_fight(encounter, id="goblins", seed=encounter.seed)


MOMENTS = {
    set_up: ford,
    mid_move: ford,
    exchange: ford,
    exchange_blocked: ford,
    prompt_open: ford,
    slots_final: slots_fight,
    slots_upkeep: slots_fight,
    turns_offer: turns_fight,
    turns_free: turns_fight,
    zones_move: playhouse,
    segments_declare: tiltyard,
    segments_pulse: tiltyard,
    segments_duel: threshing_floor,
    segments_shot: ford_with_bows,
    segments_card: tiltyard,
    segments_after: tiltyard,
}
"""Moments, each with the fight it is one of."""


def whole(play):
    """The rows of the screen, put together from those of the panes; the panel lies over the others."""
    panes = sorted(play.panes(), key=lambda pane: (pane.styles.layer == "above", pane.region.x))
    width, height = play.app.size
    rows = [()] * height
    for pane in panes:
        left, right = pane.region.x, pane.region.right
        for y, row in enumerate(pane.rows[: pane.region.height], pane.region.y):
            rows[y] = join((window(rows[y], 0, left), row, window(rows[y], right, width)))
    return tuple(rows), width


def check(name, drawn):
    """Compare with a golden file, or write it."""
    path = GOLDENS / name
    if os.environ.get("FIGHTCALL_UPDATE_GOLDENS"):
        path.write_text(drawn, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == drawn


@cache
def looks(theme):
    """How each style that a golden names looks in a theme."""
    return load_shipped(theme).palette


def shape_of(theme):
    """How a theme draws hexes."""
    return load_shipped(theme).glyphs.shape


SHAPES = {shape: [*themes] for shape, themes in groupby(sorted(THEMES, key=shape_of), key=shape_of)}
"""The themes that draw hexes alike."""


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda one: one.__name__)
async def test_the_screen_in_each_shape_of_hexes(moment, tmp_path):
    """Themes of one shape differ in colours only: each takes its turn, moment by moment."""
    fight = MOMENTS[moment]()
    keys = moment(fight)
    turn = [*MOMENTS].index(moment)
    shown = {shape: themes[turn % len(themes)] for shape, themes in SHAPES.items()}
    looks = [*((WIDE, shape) for shape in shown), *((SMALL, shape) for shape in reversed(shown))]
    async with playing(fight, tmp_path, size=WIDE, theme=shown[looks[0][1]]) as play:
        await play.press(*keys)
        for size, shape in looks:
            await resize(play.pilot, size)
            if play.app.theme != shown[shape]:
                play.app.show_theme(shown[shape], keep=False)
            await play.drawn()
            play.check()
            rows, width = whole(play)
            assert {sum(len(run.text) for run in row) for row in rows} == {width}
            check(f"fight-{moment.__name__}-{size[0]}-{shape}.txt", golden(rows))


@pytest.mark.parametrize("theme", THEMES)
def test_every_style_of_these_screens_in_each_theme(theme):
    """What the letters of the files above stand for: the colours and attributes under this theme."""
    shape = shape_of(theme)
    styles = set()
    for file in GOLDENS.glob(f"fight-*-{shape}.txt"):
        legend = file.read_text(encoding="utf-8").rpartition("\n\n")[2]
        styles |= {line.partition(" = ")[2] for line in legend.splitlines()}
    assert len(styles) > 20
    lines = [f"{style} = {described(looks(theme).style(style))}" for style in sorted(styles)]
    check(f"styles-{theme}.txt", "\n".join([*lines, ""]))


def described(style):
    """A style in words."""
    attributes = [name for name in ("bold", "dim", "italic", "underline", "reverse", "strike") if getattr(style, name)]
    return " ".join([style.fg or "-", "on", style.bg or "-", *attributes])


def test_no_theme_relies_on_colour_alone():
    """Without colours the same things are said: who is selected, who acts, what a hex costs, where a way leads."""
    drawn = (GOLDENS / "fight-mid_move-152-plain.txt").read_text(encoding="utf-8")
    assert "[Y" in drawn
    assert "{1" in drawn
    drawn = (GOLDENS / "fight-slots_final-152-plain.txt").read_text(encoding="utf-8")
    for mark in ("◆◆◆◆◆○", "●●○○○○", "▰▰▰▱▱ 6/8", "FINAL x4", "slowed -1×2"):
        assert mark in drawn
    drawn = (GOLDENS / "fight-turns_offer-152-plain.txt").read_text(encoding="utf-8")
    for mark in ("A○××", "R●○", "W  steps in", "bless +2×2@P"):
        assert mark in drawn
