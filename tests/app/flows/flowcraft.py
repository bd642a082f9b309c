"""Stage fights for flows, and hands that press keys."""

from functools import cache

from fightcall.flows.base import Become, Ignored, Stay
from fightcall.table import Give, Table
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import parse_place
from fightcall_engine.play.fight import Fight

NASTY = ("", "²", "٣", "½", "é", "漢", "\u200b", "\x00", "[b]", "ctrl+z", "f1", "shift+left", "delete", "insert", "💀")
"""Keys, or what a terminal may take for keys, that mean nothing in most places."""
EVERY_KEY = (
    *(chr(code) for code in range(0x21, 0x7F)),
    *("space", "enter", "escape", "backspace", "tab", "shift+tab", "up", "down", "left", "right"),
    *("home", "end", "pageup", "pagedown"),
    *NASTY,
)


@cache
def _encounter():
    return load_encounter("ambush-at-the-ford")


def ford(phase="", side="party", **settings):
    """The ambush at the ford, at a side's half of a phase of its first Moment; before it where no phase is given."""
    table = Table(start_fight(_encounter(), id="ford", seed="7"))
    for key, value in settings.items():
        done(table, Give("Configure", {"setting": key, "value": value}))
    if phase:
        to(table, phase, side)
    return table


def indoors(phase="", side="party"):
    """A fight without a board: two of the party, three goblins whose labels are digits."""
    bow = {"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}
    sword = {"name": "sword", "kind": "melee", "needs": 11, "damage": "d8"}
    fight = Fight.new("stage", seed="7")
    fight.give("join", name="Ash", side="party", sheet={"hp": 12, "strikes": [bow, sword]})
    fight.give("join", name="Oona", side="party", sheet={"hp": 9, "strikes": [sword]})
    fight.give("join", name="Goblin", count=3, side="foe", sheet={"hp": 7, "strikes": [sword]})
    table = Table(fight)
    if phase:
        to(table, phase, side)
    return table


def to(table, phase, side="party", most=60):
    """Step after step until a side's half of a phase runs."""
    for _ in range(most):
        step = table.state.step
        if step is not None and (step.phase, step.side) == (phase, side) and not table.state.is_blocked():
            table.select_for_step()
            return table
        done(table, Give("Advance", {}))
    raise AssertionError(f"no {phase} of the {side} in {most} steps; at {table.state.step}")


def put(table, who, place):
    """Stand somebody somewhere."""
    done(table, Give("Place", {"who": who, "at": place}))
    return parse_place(place)


def done(table, given, **also):
    """Give a command that must be accepted; the entry's events by type."""
    assert isinstance(given, Give), given
    outcome = table.give(given, **also)
    assert outcome.done, f"{given}: {outcome.rule} {outcome.message}"
    return {one.type: one for one in outcome.entry.events}


def keys(text):
    """``m right right enter`` or ``d 2 7 enter``: words of one letter or the names of keys."""
    return text.split()


def play(flow, text):
    """Press keys until the flow ends; how it ends. It must end with the last of them."""
    reply = Stay()
    pressed = keys(text)
    for number, key in enumerate(pressed, 1):
        assert isinstance(reply, Stay), f"ended before {key!r} (key {number} of {text!r}): {reply}"
        reply = flow.press(key)
        if isinstance(reply, Become):
            flow, reply = reply.flow, Stay()
    return reply


def press(flow, text):
    """Press keys that do not end the flow."""
    for key in keys(text):
        reply = flow.press(key)
        assert isinstance(reply, Stay), f"{key!r} made it {reply}"
    return flow


def leaves_alone(flow, key):
    """True where a key changes nothing that is shown, but for what is said to be wrong."""

    def seen():
        view = flow.view()
        return view.question, view.choices, view.typed, view.default, flow.overlay()

    before = seen()
    reply = flow.press(key)
    return isinstance(reply, Stay | Ignored) and seen() == before
