"""Put random one-line faults into the rule systems, one at a time, and count those that the rule tests find.

    python tests/mutants.py                             60 faults in all systems
    python tests/mutants.py --system turns --count 10 --seed 3
    python tests/mutants.py --list                      show the faults, run nothing
    python tests/mutants.py --slow                      with the tests marked slow, too

A line is drawn, then one of the faults possible on it: a condition negated, a comparison changed, `and` for `or`, a
`not` dropped, a number one higher, an empty result. Each is tried in a temporary copy of the checkout against
`tests/rules/<system>`, then against the tests of all systems in `tests/rules`; the checkout itself is only read. What
is not found in the end is shown as a diff: look at it, and write the rule test that is missing. Some faults change
nothing that can be seen; they count as not found.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
SYSTEMS = Path("engine/fightcall_engine/systems")
COPIED = ("app", "engine", "tests", "themes", "pyproject.toml")
SECONDS = 1800
"""A run that takes longer has found the fault: something waits for ever."""
BYTES = 4 << 30
"""A run that asks for more memory has found the fault: something grows for ever."""

PLAYS = "test_plays.py"
SOUND: dict[str, bool] = {}
"""Whether a file of tests passes without a fault, for those that have found one."""

_COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_EMPTY = {"tuple": "()", "list": "[]", "str": '""', "bool": "False", "int": "0", "float": "0.0", "dict": "{}",
          "Mapping": "{}", "Events": "()", "ev.Events": "()", "frozenset": "frozenset()", "Sequence": "()"}  # fmt: skip
_FAULTS_FOUND = (1, 2)
"""What pytest answers where a test failed, or nothing could be imported any more."""


@dataclass(frozen=True)
class Fault:
    """One line of a module, changed."""

    path: Path
    line: int
    kind: str
    before: str
    after: str

    @property
    def system(self) -> str:
        return self.path.relative_to(SYSTEMS).parts[0]


def faults_of(path: Path) -> Iterator[Fault]:
    """Every fault that can be put into a module, by line.

    Args:
        path: of the module, from the root of the checkout.
    """
    text = (ROOT / path).read_bytes()
    lines = text.split(b"\n")
    for node, kind, after in _changes(ast.parse(text), lines):
        if node.lineno == node.end_lineno:
            line = lines[node.lineno - 1]
            changed = line[: node.col_offset] + after.encode() + line[node.end_col_offset :]
            yield Fault(path, node.lineno, kind, line.decode(), changed.decode())


def _changes(tree: ast.AST, lines: list[bytes]) -> Iterator[tuple[ast.expr, str, str]]:
    """What may be changed: the expression, the kind of fault, and what stands there instead."""
    # Python 3.11 does not know where in the file the parts of an f-string stand.
    worded = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if node in worded:
            continue
        conditions = list(node.ifs) if isinstance(node, ast.comprehension) else []
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            conditions.append(node.test)
        for condition in conditions:
            yield condition, "negated", f"(not ({_source(lines, condition)}))"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = _source(lines, node.left), _source(lines, node.comparators[0])
            yield node, "comparison", f"{left} {_COMPARED[type(node.ops[0])]} {right}"
        if isinstance(node, ast.BoolOp):
            other = " and " if isinstance(node.op, ast.Or) else " or "
            yield node, "and/or", f"({other.join(f'({_source(lines, value)})' for value in node.values)})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not dropped", f"bool({_source(lines, node.operand)})"
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "number", str(node.value + 1)
        if isinstance(node, ast.FunctionDef):
            yield from _empty_results(node, lines)


def _empty_results(function: ast.FunctionDef, lines: list[bytes]) -> Iterator[tuple[ast.expr, str, str]]:
    """Results of a function that might as well be empty."""
    kind = ast.unparse(function.returns) if function.returns is not None else "None"
    empty = "None" if kind.endswith("| None") else _EMPTY.get(kind.partition("[")[0])
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None and empty is not None:
            source = _source(lines, node.value)
            if source not in (empty, "()", "[]", "None", "False", '""', "0"):
                yield node.value, "empty", empty


def _source(lines: list[bytes], node: ast.expr) -> str:
    """What stands there; of several lines the first, for those are left alone."""
    end = node.end_col_offset if node.lineno == node.end_lineno else None
    return lines[node.lineno - 1][node.col_offset : end].decode()


def draw_faults(systems: list[str], count: int, seed: int) -> list[Fault]:
    """So many faults, on different lines. A change elsewhere in the code leaves the draw as it is."""
    drawn: dict[tuple[Path, int], tuple[str, Fault]] = {}
    for system in systems:
        for path in sorted((ROOT / SYSTEMS / system).rglob("*.py")):
            for fault in faults_of(path.relative_to(ROOT)):
                place, lot = (fault.path, fault.line), _lot_of(fault, seed)
                if place not in drawn or lot < drawn[place][0]:
                    drawn[place] = lot, fault
    return [fault for _, fault in sorted(drawn.values(), key=itemgetter(0))[:count]]


def _lot_of(fault: Fault, seed: int) -> str:
    """What decides whether a fault is drawn: the lower, the sooner. It hangs on nothing but what the fault changes."""
    changed = (str(seed), fault.path.as_posix(), fault.before.strip(), fault.after.strip())
    return sha256("\n".join(changed).encode()).hexdigest()


def test_files(fault: Fault) -> list[str]:
    """The plays, which see most, then those that name most of the module's rules, then those of all systems."""
    rules = _rules_named(ROOT / fault.path)
    files = sorted((ROOT / "tests/rules" / fault.system).glob("test_*.py"))
    files.sort(key=lambda file: (file.name != PLAYS, -len(rules & _rules_named(file))))
    shared = sorted((ROOT / "tests/rules").glob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in (*files, *shared)]


def _rules_named(path: Path) -> set[str]:
    return set(re.findall(r"\b[A-Z]{2}-\d+\b", path.read_text(encoding="utf-8")))


def try_fault(fault: Fault, copy: Path, slow: bool) -> str:
    """Run the rule tests with a fault in a copy of the checkout; which test found it, empty where none did.

    Raises:
        RuntimeError: a test that fails, fails without the fault, too.
    """
    target = copy / fault.path
    whole = target.read_text(encoding="utf-8")
    lines = whole.split("\n")
    assert lines[fault.line - 1] == fault.before
    lines[fault.line - 1] = fault.after
    plays, *others = test_files(fault)
    target.write_text("\n".join(lines), encoding="utf-8")
    try:
        found = run_tests(copy, [plays], slow) or run_tests(copy, others, slow)
    finally:
        target.write_text(whole, encoding="utf-8")
    file = found.partition("::")[0]
    if file.startswith("tests/"):
        if file not in SOUND:
            SOUND[file] = not run_tests(copy, [file], slow)
        if not SOUND[file]:
            raise RuntimeError(f"nothing can be learned: {found} or its neighbours fail without a fault")
    return found


def run_tests(copy: Path, files: list[str], slow: bool) -> str:
    """Run tests in a copy of the checkout up to the first that fails; its name, empty where none does."""
    chosen = [] if slow else ["-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *chosen, *files]
    paths = os.pathsep.join((str(copy / "app"), str(copy / "engine")))
    environment = {"FIGHTCALL_EXAMPLES": "25", **os.environ, "PYTHONPATH": paths}
    try:
        run = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "too slow"
    if "MemoryError" in run.stdout + run.stderr:
        return "too large"
    if run.returncode not in (0, *_FAULTS_FOUND):
        raise RuntimeError(run.stdout + run.stderr)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return "" if run.returncode == 0 else failed[1] if failed else "nothing can be imported"


def main() -> int:
    """Run it; the exit status is 0 where nine faults in ten were found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    systems = sorted(path.name for path in (ROOT / SYSTEMS).iterdir() if (path / "__init__.py").exists())
    parser.add_argument("--system", choices=systems, action="append", help="only this one; may be given again")
    parser.add_argument("--count", type=int, default=60, help="how many faults (60)")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other faults (1)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time (1)")
    parser.add_argument("--slow", action="store_true", help="run the tests marked slow, too")
    parser.add_argument("--list", action="store_true", help="show the faults and run nothing")
    given = parser.parse_args()
    faults = draw_faults(given.system or systems, given.count, given.seed)
    if given.list:
        for fault in faults:
            print(f"{fault.path}:{fault.line}: {fault.kind}\n    {fault.before.strip()}\n    {fault.after.strip()}")
        return 0
    # The runs inherit it.
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(given.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(given.jobs):
            copies.put(copied(Path(folder) / str(number)))

        def tried(fault: Fault) -> str:
            copy = copies.get()
            started = time.monotonic()
            found = try_fault(fault, copy, given.slow)
            copies.put(copy)
            where = f"{fault.path.relative_to(SYSTEMS)}:{fault.line}"
            by = found.removeprefix("tests/rules/") or "NOT FOUND"
            print(f"{where:60} {fault.kind:12} {time.monotonic() - started:5.0f} s  {by}", flush=True)
            return found

        results = list(pool.map(tried, faults))
    missed = [fault for fault, found in zip(faults, results, strict=True) if not found]
    for fault in missed:
        print(f"\n{fault.path}:{fault.line}\n  - {fault.before.strip()}\n  + {fault.after.strip()}")
    print(f"\n{len(faults) - len(missed)} of {len(faults)} faults found (seed {given.seed})")
    return 0 if 10 * len(missed) <= len(faults) else 1


def copied(folder: Path) -> Path:
    """A copy of what the tests need."""
    folder.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(source, folder / name)
    # Compiled modules are to be known by what is in them: two faults may come within one tick of the clock.
    compiling = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash", str(folder / "engine")]
    subprocess.run([sys.executable, *compiling], check=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
