"""All actions of the screens, each declared once.

Bindings, key bar, help screen, command palette, ``fightcall keys`` and the key map are made from these. The options of
combatants are not among them: they come from the rule system, with their keys, and are rebound as ``option.<action>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from typing import Literal

from fightcall.settings import EVERYWHERE, ActionKeys, OfferedKey, key_name
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import SystemFault
from fightcall_engine.model.values import frozen

Scope = Literal["fight", "flow", "library", "setup", "form", "replay", "players", "help", "everywhere"]

SCOPES: Mapping[Scope, str] = {
    "fight": "The fight",
    "flow": "Answering, moving, choosing",
    "library": "The library",
    "setup": "Setting up a fight",
    "form": "Filling in a form",
    "replay": "Replay",
    "players": "The players' screen",
    "help": "Help",
    "everywhere": "Everywhere",
}
"""The scopes in which keys work, with their headings. A key has one meaning in a scope."""

OPTION = "option."
"""The prefix of a system's options in a key map."""


@frozen
class Action:
    """An action of a screen."""

    id: str
    """``<scope>.<name>``, as in the key map."""
    text: str
    keys: tuple[str, ...]
    """The default keys, as people write them; the first one is shown."""
    tooltip: str
    scope: Scope
    group: str
    show: bool = False
    """Whether it is in the key bar; see `bar_of` for the order."""
    palette: bool = True
    """Whether it is in the command palette; not if it only makes sense as a key, such as a cursor step."""

    @property
    def name(self) -> str:
        """The id without its scope, as screens know it."""
        return self.id.partition(".")[2].replace("-", "_")

    @property
    def target(self) -> str:
        """Its name, with the app before it if it is the app's: ``app.help``."""
        return f"app.{self.name}" if self.scope == EVERYWHERE else self.name


BARS: Mapping[Scope, tuple[str, ...]] = {
    "fight": (
        *("why", "rule", "select-next", "damage", "condition", "command-line", "leave"),
        *("aftermath", "card", "story", "declared", "declarations", "repeat", "find"),
    ),
    "flow": ("accept", "cancel", "back", "rule", "more"),
    "library": ("open", "new", "setup", "try-out", "help", "section-next", "filter", "replay", "trash", "undo", "quit"),
    "setup": ("start", "add", "edit", "paint-board", "place", "save-encounter", "try-out", "help", "leave", "forecast"),
    "form": ("accept", "cancel", "next"),
    "replay": ("event", "play", "take-over", "leave", "help", "entry", "phase", "round", "go", "declarations"),
    "players": ("leave", "pane", "zoom-in", "zoom-out"),
    "help": ("close", "next-page", "search", "down"),
    "everywhere": (),
}
"""The actions in the key bar of each scope, the most useful first. Those at the end are dropped if they do not fit."""


def _make(scope: Scope, group: str, *rows: tuple[str, str, str, str], palette: bool = True) -> tuple[Action, ...]:
    return tuple(
        Action(f"{scope}.{name}", text, tuple(keys.split()), tooltip, scope, group, name in BARS[scope], palette)
        for name, keys, text, tooltip in rows
    )


# Keys of the panes, the same in a fight that is played and in a replay

_ZOOM = (("zoom-in", "+ =", "nearer", "Draw the board larger"), ("zoom-out", "-", "farther", "Draw the board smaller"))
_DECLARED = (
    ("declared", "l", "declared", "Show declarations in the roster, or remaining pools"),
    ("declarations", "L", "all declared", "Show all declarations in place of the board, or the board again"),
)
_IN_PLACE = (
    ("card", "I", "card", "Show the selected combatant's card in place of the board, or the board again"),
    ("story", "i", "story", "Show the story, the selected combatant's note and the terrain in place of the log"),
    ("timeline", "f5", "timeline", "Show everyone's timeline in place of the board, or the board again"),
)
_ALONE = (
    ("show-roster", "f3", "roster", "Show the roster, if there is room for only one pane"),
    ("show-feed", "f4", "log", "Show the log, if there is room for only one pane"),
)

_LINES = (
    ("up", "up k", "up", "A line up"),
    ("down", "down j", "down", "A line down"),
    ("page-up", "pageup", "page up", "A page up"),
    ("page-down", "pagedown", "page down", "A page down"),
    ("first", "home g", "first", "The first line"),
    ("last", "end G", "last", "The last line"),
)

_FIGHT = (
    *_make(
        "fight",
        "Play",
        ("next", "space", "next", "Do what the last line of the call bar says: give the suggested answer, or continue"),
        ("go-on", ">", "go on", "Continue to where someone can attack or approach; stops at questions and losses"),
        ("accept", "enter", "accept", "Accept the open offer, or go to the moment marked on the timeline"),
        ("let-foes-act", ",", "foes act", "Let the GM's combatants act one by one; stops where a player or you decide"),
        ("undo", "u ctrl+z", "undo", "Undo what the last key did, across phases and rounds"),
        ("redo", "U ctrl+y", "redo", "Redo what was undone"),
        ("history", "H", "history", "Go to any entry or branch; change or delete an entry; keep or drop a branch"),
        ("present", "f7", "present", "Return to the present, from however far back and from any branch"),
        ("fork", "F", "what if", "Play on in a branch that you can keep or drop; press twice for new dice"),
        ("keep-trial", "ctrl+k", "keep", "Keep the what-if: from now on it is the fight, and players see it"),
        ("drop-trial", "ctrl+d", "drop", "Drop the what-if, and continue where it began"),
        ("bookmark", "B", "bookmark", "Name this moment, to find it again"),
        ("note", "N", "note", "Add a note to the log"),
        ("cues", "@", "cue", "Set a cue from a template, or drop a pending one"),
        ("decision-clock", "T", "clock", "Start or stop the decision clock"),
    ),
    *_make(
        "fight",
        "Combatants",
        ("select-next", "tab", "who", "Select the next combatant who can act, then the others"),
        ("select-previous", "shift+tab", "back", "Select the combatant before"),
        ("select-below", "down", "below", "Select the combatant on the line below"),
        ("select-above", "up", "above", "Select the combatant on the line above"),
        ("select-label", "'", "label", "Select a combatant by its label"),
        ("find", "/", "find", "Find a combatant, an effect or a log line"),
        ("add-combatant", "J", "join", "Add a combatant to the fight"),
    ),
    *_make(
        "fight",
        "Actions",
        ("damage", "d", "damage", "Deal damage: label, amount, Enter"),
        ("heal", "D", "heal", "Heal damage"),
        ("condition", "c", "condition", "Start or end a condition on a combatant"),
        ("together", "&", "whole squad", "Give the next command to all identical members of the squad"),
        ("face", "f", "face", "Turn the selected combatant: a direction key, or the label of someone to face"),
        ("release", "W", "release", "Release a combatant who is holding or waiting"),
        ("react", "r", "react", "Answer the oldest open question or offer, such as a reprisal"),
        ("any-action", "a", "action", "Any action of the selected combatant, from a list"),
        ("rule", "!", "ruling", "Make a ruling: answer, override a rule, set the order; or use the GM's toolbox"),
        ("adjust", "e", "change", "Change any number or word on the screen"),
        ("repeat", ".", "repeat", "Repeat the last command on the next target"),
        ("command-line", ":", "command", "Type a command, with completion"),
        ("why", "?", "why", "Explain a number or a place in the order, and show the rules of this phase"),
    ),
    *_make(
        "fight",
        "View",
        *_ZOOM,
        ("pan-left", "shift+left", "left", "Look further west"),
        ("pan-right", "shift+right", "right", "Look further east"),
        ("pan-up", "shift+up", "up", "Look further north"),
        ("pan-down", "shift+down", "down", "Look further south"),
        ("feed-up", "pageup", "log up", "Older lines of the log, or declarations further up"),
        ("feed-down", "pagedown", "log down", "Newer lines of the log, or declarations further down"),
        ("feed-top", "home", "log start", "The first line of the log"),
        ("feed-end", "end", "log end", "The last line of the log"),
        *_DECLARED,
        *_IN_PLACE,
        ("moment-before", "left", "before", "Mark the previous moment on the timeline; enter goes there"),
        ("moment-after", "right", "after", "Mark the next moment on the timeline; after the last, the present"),
        (
            "forecast",
            "%",
            "forecast",
            "Show how deadly the fight is from here, or the board again; players don't see it",
        ),
        ("aftermath", "K", "end", "End the fight; once it is over, its summary, and the board again"),
        ("show-board", "f2 escape", "board", "Show the board again, alone if there is room for only one pane"),
        *_ALONE,
        ("share", "f6", "players", "Start or stop the players' screen for browsers, and show its address"),
        ("leave", "q", "leave", "Quit the fight; it is saved"),
    ),
)

_FLOW = _make(
    "flow",
    "Answering, moving, choosing",
    ("accept", "enter", "do it", "Confirm, or choose the marked answer"),
    ("cancel", "escape", "cancel", "Cancel; nothing has changed"),
    ("back", "backspace", "back", "One step or one letter back"),
    ("next-choice", "tab", "next", "The next choice or target"),
    ("previous-choice", "shift+tab", "previous", "The previous choice or target"),
    ("rule", "!", "ruling", "Override the rules with a GM ruling"),
    ("more", "*", "more", "Add optional details: a shield in the way, a modifier"),
    ("east", "right l", "east", "A step east"),
    ("west", "left h", "west", "A step west"),
    ("north-west", "y home", "north-west", "A step north-west"),
    ("north-east", "u pageup", "north-east", "A step north-east"),
    ("south-west", "b end", "south-west", "A step south-west"),
    ("south-east", "n pagedown", "south-east", "A step south-east"),
    ("up", "up k", "up", "A step north, to the side you went last"),
    ("down", "down j", "down", "A step south, to the side you went last"),
    palette=False,
)

_LIBRARY = (
    *_make(
        "library",
        "Fights",
        ("open", "enter", "open", "Continue the fight; start one from the encounter; restore from the trash"),
        ("new", "n", "new", "Start a new fight from an encounter; among the encounters, prepare a new one"),
        ("setup", "s", "set up", "Edit the encounter, or set up a new fight: combatants, map, settings"),
        ("try-out", "y", "try out", "Start a test run of the encounter, which isn't saved"),
        ("replay", "r", "replay", "Replay the fight from its beginning"),
        ("watch", "w", "watch", "Watch while another program plays the fight"),
        ("rename", "R", "rename", "Rename the fight, or the encounter and its file"),
        ("duplicate", "d", "duplicate", "Copy the fight with its history, or the encounter into a file of your own"),
    ),
    *_make(
        "library",
        "Trash and repair",
        ("trash", "x", "trash", "Move the fight, or the encounter of your own, to the trash"),
        ("undo", "u", "undo", "Restore the last item from the trash"),
        ("empty-trash", "e", "empty", "Empty the trash permanently; asks first"),
        ("repair", "f", "repair", "Repair a damaged fight or a damaged library; the damaged file is kept"),
    ),
    *_make(
        "library",
        "List",
        ("filter", "/", "filter", "Show only matching entries"),
        ("section-next", "tab right", "section", "Fights, encounters, trash"),
        ("section-previous", "shift+tab left", "section back", "Trash, encounters, fights"),
        ("help", "?", "help", "Help for this screen"),
        ("quit", "q", "quit", "Quit Fight Call"),
    ),
    *_make("library", "Cursor", *_LINES, palette=False),
)

_SETUP = (
    *_make(
        "setup",
        "Setting up",
        ("start", "S ctrl+s", "start", "Start the fight"),
        ("add", "a", "add", "Add a combatant, new or from a template"),
        ("edit", "enter", "edit", "Edit the item under the cursor"),
        ("remove", "x delete", "remove", "Remove the combatant, or the cue"),
        ("cues", "@", "cue", "Set a cue, from templates"),
        ("copy", "d", "copy", "Add another combatant like this one"),
        ("undo", "u ctrl+z", "undo", "Undo the last change"),
        ("redo", "U ctrl+y", "redo", "Redo the last undone change"),
        ("paint-board", "m", "map", "Paint the map: terrain, walls and zones; without a map, start one"),
        ("place", "p", "place", "Place the combatants on the board, one after the other"),
        ("auto-place", "P", "auto-place", "Place all combatants who have no place yet, sides facing each other"),
        ("unplace", "backspace", "lift", "Take the combatant off the board"),
        ("hide", "h", "hide", "Hide or show the combatant at the start"),
        ("side", "t", "side", "Move the combatant to the next side"),
        ("save-template", "T", "template", "Save the combatant as a template for other fights"),
        ("save-encounter", "w", "save", "Save this setup as an encounter; overwrites your own file it came from"),
        ("try-out", "y", "try out", "Start a test run, which isn't saved, and come back"),
        ("forecast", "%", "forecast", "Show how deadly the fight is as it is now, or close that; updates as you edit"),
    ),
    *_make(
        "setup",
        "Navigation",
        ("section-next", "tab", "section", "The fight, its combatants, the settings"),
        ("section-previous", "shift+tab", "section back", "The previous section"),
        ("value-next", "right", "next value", "The setting's next value"),
        ("value-previous", "left", "value before", "The setting's previous value"),
        ("help", "?", "help", "Help for this screen"),
        ("leave", "q escape", "leave", "Back to the library; asks first if changes would be lost"),
    ),
    *_make("setup", "Cursor", *_LINES, palette=False),
)

_FORM = _make(
    "form",
    "Filling in a form",
    ("accept", "enter", "done", "Accept the form; on a list, open the item under the cursor"),
    ("cancel", "escape", "cancel", "Cancel; nothing has changed"),
    ("next", "down tab", "next", "The next field"),
    ("previous", "up shift+tab", "back", "The previous field"),
    ("value-next", "right", "next value", "The next value (space lists all); in text, a letter to the right"),
    ("value-previous", "left", "value before", "The previous value; in text, a letter to the left"),
    ("add", "ctrl+n", "add", "Add an item to the list"),
    ("remove", "ctrl+d", "remove", "Remove an item from the list"),
    palette=False,
)

_PLAYERS = _make(
    "players",
    "Watching",
    ("leave", "q escape", "leave", "Close the players' screen; the fight continues"),
    ("pane", "tab", "other pane", "Switch between combatants and board, if there is no room for both"),
    ("zoom-in", "z", "nearer", "Draw the board larger"),
    ("zoom-out", "Z", "farther", "Draw the board smaller"),
)

_REPLAY = (
    *_make(
        "replay",
        "Stepping",
        ("event-back", "left", "event back", "One event back"),
        ("event", "right", "event", "One event forward"),
        ("entry-back", "u ctrl+z", "entry back", "Back to the previous command"),
        ("entry", "U ctrl+y", "entry", "Forward to the next command"),
        ("step-back", "P", "step back", "Back to the previous step of play"),
        ("step", "p", "step", "Forward to the next step of play: a half, a turn, a pulse"),
        ("phase-back", "<", "phase back", "Back to the previous phase"),
        ("phase", ">", "phase", "Forward to the next phase"),
        ("round-back", "{", "round back", "Back to the previous round"),
        ("round", "}", "round", "Forward to the next round"),
        ("actor-back", "shift+tab", "actor back", "Back to the previous acting combatant"),
        ("actor", "tab", "actor", "Forward to the next acting combatant"),
        ("start", "home", "start", "The beginning of the fight"),
        ("end", "end", "end", "The present"),
        ("go", "g", "go to", "Go to a position, a round (r3) or an entry (#12)"),
        ("history", "H", "history", "The entries of the fight; go to any of them"),
        ("bookmark", "b", "bookmark", "Forward to the next bookmark; after the last one, the first"),
    ),
    *_make(
        "replay",
        "Playing",
        ("play", "space", "play", "Play, or pause"),
        ("faster", "]", "faster", "Play twice as fast"),
        ("slower", "[", "slower", "Play half as fast"),
        ("take-over", "t", "take over", "Continue the fight from here; asks first; the rest is kept as a branch"),
        ("fork", "F", "what if", "Play on from here in a branch that you can keep or drop"),
        ("help", "?", "help", "Help for this screen"),
        ("back", "escape", "back", "Back to the board"),
        ("leave", "q", "leave", "Leave the replay"),
    ),
    *_make("replay", "Declarations", *_DECLARED),
    *_make(
        "replay",
        "View",
        ("select-above", "up", "above", "Select the combatant on the line above"),
        ("select-below", "down", "below", "Select the combatant on the line below"),
        ("page-up", "pageup", "log up", "Older lines of the log"),
        ("page-down", "pagedown", "log down", "Newer lines of the log"),
        *_IN_PLACE,
        ("aftermath", "K", "after", "Show the summary after the fight, or the board again"),
        *_ZOOM,
        ("show-board", "f2", "board", "Show the board again, alone if there is room for only one pane"),
        *_ALONE,
        palette=False,
    ),
)

_HELP = _make(
    "help",
    "Help",
    ("close", "q escape ?", "close", "Back to where you were"),
    ("next-page", "tab right l", "next page", "The next page of the guide; after the last, back to the keys"),
    ("previous-page", "shift+tab left h", "page before", "The previous page of the guide"),
    ("search", "/", "search", "Search keys and guide; Enter opens the page"),
    ("up", "up k", "up", "A line up"),
    ("down", "down j space", "down", "A line down"),
    ("page-up", "pageup", "page up", "A page up"),
    ("page-down", "pagedown", "page down", "A page down"),
    ("first", "home g", "first", "The beginning"),
    ("last", "end G", "last", "The end"),
    palette=False,
)

_PALETTE = "Find an action, combatant, fight or theme by name"
_EVERYWHERE = (
    *_make("everywhere", "Everywhere", ("palette", "ctrl+p", "palette", _PALETTE), palette=False),
    *_make(
        "everywhere",
        "Everywhere",
        ("help", "f1", "help", "Keys, the rules of this phase, and the guide"),
        ("theme-next", "ctrl+t", "theme", "Switch to the next theme and keep it"),
        ("quit", "ctrl+q", "quit", "Quit Fight Call at once"),
    ),
)

ACTIONS: tuple[Action, ...] = (*_FIGHT, *_FLOW, *_LIBRARY, *_SETUP, *_FORM, *_REPLAY, *_PLAYERS, *_HELP, *_EVERYWHERE)
"""All actions, in the order of the help screen."""


@cache
def _by_id() -> Mapping[str, Action]:
    return {action.id: action for action in ACTIONS}


def find_action(id: str) -> Action:
    """The action with an id."""
    return _by_id()[id]


def actions_of(scope: Scope) -> tuple[Action, ...]:
    """The actions of a scope, in order."""
    return tuple(action for action in ACTIONS if action.scope == scope)


def bar_of(scope: Scope) -> tuple[Action, ...]:
    """The actions in the key bar of a scope, the most useful first."""
    return tuple(find_action(f"{scope}.{name}") for name in BARS[scope])


def known_keys(options: Iterable[OfferedKey] = ()) -> Mapping[str, ActionKeys]:
    """Everything that a key map may rebind. Options of systems that have no key can be given one."""
    keys_by_action = {action.id: ActionKeys(action.keys, action.scope) for action in ACTIONS}
    for item in options:
        before = keys_by_action.get(OPTION + item.action, ActionKeys((), "fight"))
        keys = (*before.keys, item.key) if item.key else before.keys
        keys_by_action[OPTION + item.action] = ActionKeys(keys, "fight", (*before.systems, *item.systems))
    return keys_by_action


class KeyNames:
    """The keys in force: the defaults, overridden by the user's key map; `plain` writes arrows as words."""

    def __init__(self, keymap: Mapping[str, str] | None = None, *, plain: bool = False) -> None:
        self.keymap = dict(keymap or {})
        self.plain = plain

    def of(self, id: str) -> tuple[str, ...]:
        """The keys of an action, by Textual's names."""
        own = self.keymap.get(id)
        if own is not None:
            return tuple(own.split(","))
        action = _by_id().get(id)
        return tuple(key_name(key) for key in action.keys) if action else ()

    def action_of(self, key: str, scope: Scope) -> Action | None:
        return self._by_key.get((scope, key)) or self._by_key.get(("everywhere", key))

    @cached_property
    def _by_key(self) -> Mapping[tuple[Scope, str], Action]:
        return {(action.scope, key): action for action in ACTIONS for key in self.of(action.id)}

    @cached_property
    def of_fight(self) -> frozenset[str]:
        """The keys of all actions of the fight screen, by Textual's names."""
        return frozenset(key for action in actions_of("fight") for key in self.of(action.id))

    def users_of(self, key: str) -> tuple[str, ...]:
        """The ids of the actions of the fight screen, or of all screens, that have a key in short form."""
        actions = (*actions_of("fight"), *actions_of("everywhere"))
        return tuple(action.id for action in actions if key in self.labels(action.id))

    def labels(self, id: str) -> tuple[str, ...]:
        """All keys of an action in short form, the usual one first."""
        own = self.keymap.get(id)
        action = _by_id().get(id)
        keys = own.split(",") if own is not None else action.keys if action else ()
        return tuple(short_key(key, plain=self.plain) for key in keys)

    def label(self, id: str) -> str:
        """The first key of an action in short form, as in the key bar; empty if it has none."""
        return next(iter(self.labels(id)), "")

    def means_nothing(self, key: str) -> str:
        """The message for a pressed key that has no meaning."""
        return f"{key} does nothing here; {self.label('everywhere.help')} lists the keys"

    def option(self, action: str, key: str) -> str:
        """The key of a system's option; `key` is its default."""
        own = self.keymap.get(OPTION + action)
        return short_key(own.split(",")[0], plain=self.plain) if own is not None else key


_WORDS = {"escape": "esc", "backspace": "bksp", "delete": "del", "pageup": "pgup", "pagedown": "pgdn"}
_ARROWS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}


@cache
def short_key(key: str, *, plain: bool = False) -> str:
    """A key as the screens show it: ``^p`` for ``ctrl+p``, ``?`` for ``question_mark``."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    word = (
        _WORDS.get(last)
        or ("" if plain else _ARROWS.get(last, ""))
        or (last if len(last) == 1 else _characters().get(last, last))
    )
    return f"^{word}" if modifiers == ["ctrl"] else "+".join((*modifiers, word))


@cache
def _characters() -> Mapping[str, str]:
    return {key_name(chr(code)): chr(code) for code in range(0x21, 0x7F)}


# Keys of options that the fight screen uses itself


def taken_keys(names: KeyNames, systems: Iterable[str]) -> tuple[str, ...]:
    """Report each option of some systems whose key the fight screen uses itself, so that it hides that action.

    A system that can't be loaded is reported elsewhere.
    """
    complaints: list[str] = []
    for name in systems:
        with suppress(SystemFault):
            complaints += _complaints(names, find_system(name), {})
    return tuple(complaints)


def taken_keys_of_game(names: KeyNames, game: BaseSystem, answers: Mapping[str, str]) -> tuple[str, ...]:
    """The same for a game in a file; its acts need keys that neither answer questions nor do something else.

    In a system in Python, such an option may be an answer itself, and several that are never offered together can
    share a key.
    """
    first_users = {key: f"the answer {answer!r}" for key, answer in answers.items()}
    first_users[names.option("move", game.option_keys["move"])] = "move"
    for action, usual in game.option_keys.items():
        first_users.setdefault(names.option(action, usual), action)
    return tuple(_complaints(names, game, first_users))


def _complaints(names: KeyNames, system: BaseSystem, first_users: Mapping[str, str]) -> Iterator[str]:
    for action, usual in system.option_keys.items():
        key = names.option(action, usual)
        if not key:
            continue
        users = names.users_of(key) or tuple(user for user in (first_users.get(key, action),) if user != action)
        if users:
            yield (
                f"{system.id}: {action} has the key {key}, as {', '.join(users)} has; choose another key for it,"
                f" or bind option.{action} in keys.toml"
            )
