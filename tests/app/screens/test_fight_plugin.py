"""A rule system that came as a package of its own, played with keys alone."""

import sys

from desk import at_desk
from stagehand import event, playing

from fightcall.actions import KeyNames, taken_keys
from fightcall.screens.base import NoticeScreen
from fightcall.settings import Paths
from fightcall.subcommands.listings import print_keys
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.plugins import plugin_names


async def test_a_round_of_the_example_system(duel):
    fight = start_fight(load_encounter("at-dawn"), id="dawn", seed="3")
    async with at_desk(fight) as play:
        await play.give("space")
        first = play.state.step.actor
        assert play.state.phase == "guard"
        await play.give("'", play.one(first).label.lower(), "g")
        assert play.one(first).record.guarded
        await play.press("u")
        assert not play.one(first).record.guarded
        while play.state.phase == "guard":
            await play.press("w")
        entry = await play.give("s", "enter")
        assert event(entry, "Attacked").who == first


async def test_a_key_that_the_screen_uses_itself_is_reported_at_load(duel, tmp_path, monkeypatch, capsys):
    """Put right 45: by the program as it starts, and by `fightcall keys`."""
    fight = start_fight(load_encounter("at-dawn"), id="dawn", seed="3")
    module = sys.modules["fightcall_duel"]
    assert taken_keys(KeyNames(), plugin_names()) == ()
    monkeypatch.setattr(module.Duel, "option_keys", {**module.Duel.option_keys, "guard": "u", "lunge": "?"})
    told = taken_keys(KeyNames(), plugin_names())
    assert [line.partition(";")[0] for line in told] == [
        "duel: guard has the key u, as fight.undo has",
        "duel: lunge has the key ?, as fight.why has",
    ]
    assert taken_keys(KeyNames({"option.guard": "g", "option.lunge": "y"}), plugin_names()) == (), "bound to free keys"
    async with playing(fight, tmp_path) as play:
        await play.settle()
        assert any(isinstance(screen, NoticeScreen) for screen in play.app.screen_stack)
    print_keys(Paths(tmp_path, tmp_path), "txt")
    assert "guard has the key u" in capsys.readouterr().err


async def test_a_pool_of_many_dice_is_typed_with_blanks_between(duel, monkeypatch):
    fight = start_fight(load_encounter("at-dawn"), id="pool", seed="3")
    fight.give("start")
    while fight.state.phase == "guard":
        fight.give("advance")
    module = sys.modules["fightcall_duel"]

    def throw_pool(system, decision, command):
        roll = decision.roll("7d10", "attack", command.who)
        target = decision.combatant(command.target)
        decision.emit(module.Attacked(who=command.who, target=target.id, die=roll.total, needed=4, hit=False))

    monkeypatch.setitem(module.Duel.handlers, module.Attack, throw_pool)
    async with at_desk(fight) as play:
        assert "roll 7d10" in await play.nothing("s")
        assert "types a space" in await play.nothing("1", "0")
        entry = await play.give(*[key for face in "7654321"[1:] for key in ("space", face)], "enter")
        assert event(entry, "DiceRolled").faces == (10, 6, 5, 4, 3, 2, 1)
