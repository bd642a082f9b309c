"""One Moment of a fight from set-up to the next Moment, played with keys alone."""

from desk import at_desk
from stagehand import event, ford, kinds

from fightcall_engine.board.kinds import parse_place


async def test_a_whole_moment():
    fight = ford()
    async with at_desk(fight) as play:
        await set_up(play)
        await meeting(play)
        await missiles(play)
        await moves(play)
        await melee(play)
        await magic_and_management(play)
        assert fight.state.round == 2
        assert fight.line.seek(len(fight.line)) == fight.state


async def set_up(play):
    """The foe's ambush is foiled; the fight begins."""
    await play.nothing("'", "1")
    entry = await play.give("A", "enter")
    assert entry.command == {"type": "Ambush", "by": "foe"}
    assert "Perception" in play.said
    assert "needs an answer" in (await play.nothing("space")).lower()
    assert "Perception" in play.said, "the question is still put after the refusal"
    entry = await play.give("y")
    assert "PerceptionChecked" in kinds(entry)
    assert event(entry, "AmbushFoiled").side == "foe"
    entry = await play.give("space")
    assert entry.command == {"type": "Advance"}
    assert kinds(entry)[:2] == ["SceneBegan", "MomentBegan"]


async def meeting(play):
    """Somebody talks, who else waives; `space` says who passes, answers what is offered, and then goes on."""
    entry = await play.give("t", "h", "i", "!", "enter")
    assert entry.command == {"type": "Talk", "who": "ysolde", "note": "hi!"}
    assert "does the other side agree to talk?" in play.said.lower()
    entry = await play.give("w")
    assert entry.command == {"type": "Waive", "who": "brand"}
    entry = await play.give("space")
    assert entry.command["type"] == "Answer"
    assert "space ▸ Paul passes" in play.said
    entry = await play.give("space")
    assert entry.command == {"type": "Advance"}
    assert play.state.step.id == "meeting.foe"
    await play.give("space")
    assert play.state.step.id == "missile.party"


async def missiles(play):
    """A die rolled, taken back and rolled again; the same shot with the die and the damage typed; a miss by word."""
    entry = await play.give("s", "'", "1", "enter")
    rolled = next(one for one in entry.events if one.type == "DiceRolled")
    assert (rolled.purpose, rolled.source) == ("attack", "seed")
    assert event(entry, "StrikeResolved").hit == (rolled.total <= 12)
    await play.press("u")
    again = await play.give("s", "'", "1", "enter")
    assert again.events == entry.events, "the same fight has the same dice"
    await play.press("u")
    entry = await play.give("s", "'", "1", "1", "2", "enter")
    assert entry.command["rolls"] == {"attack": [12]}
    assert (event(entry, "DiceRolled").faces, event(entry, "DiceRolled").source) == ((12,), "table")
    assert event(entry, "StrikeResolved").hit
    assert "How much damage" in play.text("exchange")
    entry = await play.give("4", "enter")
    assert event(entry, "DamageApplied").left == play.one("goblin-1").pools["hp"].now
    await play.give("w")
    await play.give("w")
    assert play.state.step.id == "missile.foe"
    entry = await play.give("s", "'", "y", "m")
    assert entry.command["hit"] is False
    assert not event(entry, "StrikeResolved").hit
    await play.give("space")
    assert play.state.step.id == "move.party"


async def moves(play):
    """A way walked hex by hex, one too long and given by ruling, one undone across the phase, one into contact."""
    entry = await play.give("m", *"llll", "backspace", *"lu", "enter")
    assert entry.command["path"][-1] == list(parse_place("G6"))
    assert event(entry, "BeatsSpent").amount == 5
    assert play.one("ysolde").at == parse_place("G6")
    assert play.one("ysolde").pools["beats"].now == 9
    await play.press("m", *"lllll")
    assert "contact" not in play.said
    await play.press(*"lll")
    assert "needs 12 beats; you have 11" in play.said
    assert "⏎ as far as it goes: " in play.said
    entry = await play.give("!")
    assert event(entry, "Overridden").rule == "SB-46"
    assert play.one("brand").at == parse_place("K6")
    await play.press("u", "u", "u")
    assert play.state.phase == "missile"
    assert play.one("ysolde").at == parse_place("C7")
    assert play.one("ysolde").pools["beats"].now == 14
    await play.press("U", "U")
    assert play.one("ysolde").at == parse_place("G6")
    assert play.one("brand").at == parse_place("C6")
    await play.give("m", *"llllll", "enter")
    assert play.fight.branches()[-1].length == 1, "what was undone is still there, on a branch"
    await play.give("space")
    await play.press("m", *"hhh")
    assert "contact stops here" in play.said
    entry = await play.give("enter")
    assert {"ContactMade", "MovementHalted"} <= set(kinds(entry))
    assert play.state.in_contact("goblin-1", "brand")
    await play.give("space")
    assert play.state.step.id == "melee.party"


async def melee(play):
    """Brand and the goblin touch: Brand hits, and a last question that space would answer is answered by hand."""
    entry = await play.give("s", "3", "enter")
    assert event(entry, "StrikeDeclared").target == "goblin-1"
    assert event(entry, "StrikeResolved").hit
    entry = await play.give("enter")
    landed, rolled = event(entry, "DamageApplied"), event(entry, "DiceRolled")
    assert rolled.dice == "d8+1"
    assert landed.before - landed.left == min(landed.amount, landed.before)
    assert play.one("goblin-1").pools["hp"].now == landed.left


async def magic_and_management(play):
    """The rest of the Moment: a spell with its damage named, a matter of two Managements, on to the next Moment."""
    await forward(play, "magic.party")
    entry = await play.give("s", "'", "2", "h", "2", "enter")
    assert event(entry, "DamageApplied").who == "goblin-2"
    assert play.state.step.id == "magic.foe", "all of the party have struck"
    assert "morale" in play.said
    entry = await play.give("r", key_of(play, "holds"))
    assert entry.command["choice"] == "holds"
    assert not play.state.prompts
    await forward(play, "management.foe")
    entry = await play.give("b", *"rope", "enter", "2", "enter")
    assert {key: entry.command[key] for key in ("type", "name", "needed")} == {
        "type": "Business",
        "name": "rope",
        "needed": 2,
    }
    await forward(play, "")
    assert "Continue?" in play.said
    entry = await play.give("enter")
    assert event(entry, "MomentBegan").number == 2
    assert "Moment 2" in play.text("ribbon")


def key_of(play, choice):
    """The key of an answer to the oldest open prompt."""
    return next(one.key for one in play.state.prompts[0].choices if one.id == choice)


async def forward(play, step, most=20):
    """Space until a step runs; the empty one is the pause between Moments."""
    for _ in range(most):
        if (play.state.step.id if play.state.step else "") == step:
            return
        await play.press("space")
    raise AssertionError(f"still in {play.state.step}, not in {step}")
