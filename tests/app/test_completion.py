"""The completion script in the shells themselves: a word, the tab key, and what stands there then."""

import shutil
import sys

import pytest
from terminal import Terminal, environment

from fightcall.cli import main

pytest.importorskip("shtab")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
SHELLS = {
    "bash": ("bash", "--norc", "--noprofile", "-i"),
    "zsh": ("zsh", "-f", "-i"),
    "fish": ("fish", "--no-config", "-i"),
}
"""How each is started without anything of the user's own."""
READ = {
    "bash": "source ./script",
    "zsh": "autoload -U compinit; compinit -D; source ./script; compdef _shtab_fightcall fightcall",
    "fish": "source ./script",
}
"""How each reads the script, as its manual has it."""
TYPED = {
    "import the-ta": "the-table.csv",
    "check the-mi": "the-mill.toml",
    "run the-li": "the-lines.jsonl",
    "export last -o the-ch": "the-chronicle.md",
    "play ambush-at": "ambush-at-the-ford",
    "import the-table.csv --system seg": "segments",
    "guide armo": "armoury",
    "--theme lan": "lantern",
}
"""Words, and what tab makes of the last of them."""

CLEAR = "\x15"
"""The key that takes back what stands on the line: control and U."""


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_files_and_names(tmp_path, shell, capsys):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert main(["completion", shell]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out, encoding="utf-8")
    for name in ("the-table.csv", "the-mill.toml", "the-lines.jsonl", "the-chronicle.md"):
        (tmp_path / name).touch()
    env = environment(tmp_path / "home", PS1="$ ", HOME=str(tmp_path))
    command = ("env", "-C", str(tmp_path), *SHELLS[shell])
    with Terminal(command, env, (120, 30)) as terminal:
        terminal.send(READ[shell], "; echo re''ady", "enter")
        terminal.wait_for("ready")
        for words, whole in TYPED.items():
            start = len(terminal.output)
            terminal.send(f"fightcall {words}", "tab")
            terminal.wait_for(whole[len(words.split()[-1]) :], start=start)
            terminal.send(CLEAR)
