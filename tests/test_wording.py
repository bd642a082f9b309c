"""What is said on screens, in logs, exports and help: the words that a table agreed on, and none that it gave up."""

import ast
import re
import tomllib

import pytest

from sources import ROOT, files_of, nodes_of

SOURCES = (*files_of("app/fightcall"), *files_of("engine/fightcall_engine"))

GIVEN_UP = {
    r"bears .*too much": "faint check: P-RES 15 against 21",
    r"[Ww]ho by more": "Larger margin? (a tie goes to the victim)",
    r"\bplan a way\b": "plan a path",
    r"\bgive it up\b": "abort",
    r"(\d|\}|=)\s?qa\b": "quarters",
    r"place passes|has no place yet": "no initiative yet",
    r"\bof (his|her) own\b|\b(he|she|him|his|hers?|himself|herself)\b": "no gendered pronouns",
    r"[Ss]trikes? back\b": "Reprisal",
    r"[Nn]obody is like\b|\blike it now\b|and the .* like it": "No identical squad members; +3 more",
    r"\bis no posture\b": "Unknown posture: x",
    r"has no meaning here": "not available in Duel",
    r"\b[Uu]ndo harm\b": "Heal",
    r"\bBAND\b (\d|\{)": "band 1",
    r"\bhalf began\b": "plain words",
    r"\bas thrown\b|\bthrows? (new )?dice\b|\btied throw\b": "dice are rolled",
    r"\banother line of play\b": "branch, 1 entry, from #26",
    r"\b[Ww]ho(m)?ever\b|\b[Ww]hatever\b": "anyone who; if you; everything that",
    r"\blapses?\b": "expires",
    r"\bis told\b": "is logged",
    r"\bthe table says\b": "Did it hit?",
    r"\bgoes on\b": "continues",
    r"\bcannot \w": "can't",
    r"(?<!\b[Tt]here )\b(is|are) no (?!longer\b|one\b|more\b)": "isn't a number",
    r"\w \b[Nn]obody\b|\b[Nn]obody\b \w": "no one",
}
"""What nobody is told any more, as a pattern, with what is said instead."""
GIVEN_UP_BY_ENGINE = {
    r"\bof which\b": "two sentences",
    r"\b[Ii]t is [^.;:,]{1,30} (that|who)\b": "subject first",
    r"the GM's word": "GM override",
    r"\b([Ss]omebody|[Ee]verybody)\b": "someone, everyone, a combatant",
    r"\bwill not do\b": "isn't allowed",
    r"\bhas no place beside\b": "can't be combined with",
    r"\b(is|are) asked for now\b": "is due now",
}
"""The same for what the engine says."""
ALLOWED = {
    r"\b[Ww]ho(m)?ever\b|\b[Ww]hatever\b": ("whoever",),
    r"\bof (his|her) own\b|\b(he|she|him|his|hers?|himself|herself)\b": ("he", "she"),
}
"""Texts that a pattern allows: the word of a cue's proposal for whoever triggers it; words that people type."""


def shown_strings(path):
    """The strings of a module that may be shown: no docstrings, with `{}` for what is filled in; and their lines."""
    docstrings, parts, strings = set(), set(), []
    for node in nodes_of(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            strings.append(
                (node, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values))
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.append((node, node.value))
    return [(node.lineno, text) for node, text in strings if id(node) not in docstrings | parts]


def rule_texts():
    """What help and refusals say of each rule, by file."""
    for path in sorted((ROOT / "engine" / "fightcall_engine" / "systems").rglob("rules.toml")):
        for rule, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if isinstance(entry, dict) and "text" in entry:
                yield f"{path.parent.name}: {rule}", entry["text"]


def cue_texts():
    """What the cues of shipped encounters say, by file: the lines that lead through a first fight are among them."""
    for path in sorted((ROOT / "engine" / "fightcall_engine" / "systems").rglob("encounters/*.toml")):
        for cue in tomllib.loads(path.read_text(encoding="utf-8")).get("cue", ()):
            yield f"{path.parent.parent.name}: {path.stem}", cue.get("then", {}).get("say", "")


@pytest.mark.slow
def test_nothing_is_said_in_words_that_were_given_up():
    """Found in play: how it is said. At the table 5: no sentences that no native speaker would say."""
    strings = ((f"{path.relative_to(ROOT)}:{line}", text) for path in SOURCES for line, text in shown_strings(path))
    suspicious = re.compile("|".join(GIVEN_UP | GIVEN_UP_BY_ENGINE))
    found = []
    for where, text in (*strings, *rule_texts(), *cue_texts()):
        if suspicious.search(text) is None:
            continue
        given_up = GIVEN_UP if where.startswith("app/") else GIVEN_UP | GIVEN_UP_BY_ENGINE
        found += [
            f"{where}: {text} (say: {instead})"
            for pattern, instead in given_up.items()
            if re.search(pattern, text) and text not in ALLOWED.get(pattern, ())
        ]
    assert not found, "\n".join(found)


def test_every_rule_that_refuses_has_a_title():
    """A refusal shows the rule's title before its id, so that no id stands alone."""
    for name in ("stage", "turns", "slots", "segments"):
        folder = f"engine/fightcall_engine/systems/{name}"
        rules = tomllib.loads((ROOT / folder / "rules.toml").read_text(encoding="utf-8"))
        named_rules = {
            argument.value
            for path in files_of(folder)
            for node in nodes_of(path)
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Check", "Refused"))
            for argument in node.args
            if isinstance(argument, ast.Constant) and argument.value in rules
        }
        assert {rule for rule in named_rules if "title" not in rules[rule]} == set(), name
