"""What is made of fights: ``fightcall export``, ``run``, ``schema`` and ``forecast``."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, aclosing, nullcontext
from pathlib import Path
from typing import TextIO, cast

from fightcall.processes import play_fights, usual_processes
from fightcall.settings import Paths
from fightcall.subcommands.console import (
    INTERRUPTED,
    OK,
    PICTURES,
    REPLAY,
    Unusable,
    escape,
    is_journal_path,
    missing_packages,
    say,
    tabulate,
    write_bytes,
    write_output,
)
from fightcall_engine.archive.chronicle import chronicle, players_chronicle, to_html, to_json, to_markdown
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.files import open_file
from fightcall_engine.headless import answer_lines
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.kit.views import Words
from fightcall_engine.model.json_data import json_object
from fightcall_engine.model.state import Json, Pool
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.forecast import (
    ERROR,
    LEAVES_OUT,
    Forecast,
    Job,
    Results,
    forecast_sections,
    forecast_words,
    job_of_new,
)
from fightcall_engine.play.schema import protocol_schema

ENDINGS = {REPLAY: "html"}
"""Formats by file endings that differ from their names."""

_WRITERS = {"md": to_markdown, "html": to_html, "json": to_json}

_KEPT = re.compile(rb'\{"n":0,"t":"fight"|\{\n"(?:fights|templates|encounters|settings|meta)":\{\n')
"""The first bytes of journals and libraries."""

STDIN = "-"
GAME_FILES = "system"
"""Stands for the files of games, in place of a system."""


def export(journal: Path, form: str, target: Path | None, paths: Paths, *, for_gm: bool, at: str) -> int:
    """Write a fight in one of `FORMS` to a file, whole or not at all, or the standard output.

    The moment of a picture is as in a replay's address (``r3-melee``), or the number of an entry; empty for now.
    """
    if target is not None:
        _check_target(target, journal.stem, ENDINGS.get(form, form), paths)
    if at and form not in PICTURES:
        raise Unusable(f"--at works only with a picture: --to {' or --to '.join(PICTURES)}")
    fight = Fight.watch(journal, real_branch=True)
    if form == "png":
        write_bytes(_render(_picture(fight, for_gm, at)), target)
        return OK
    if form == "svg":
        text = _picture(fight, for_gm, at)
    elif form == REPLAY:
        from fightcall.show.page import replay_page

        text = replay_page(fight, for_gm=for_gm)
    else:
        text = _WRITERS[form](chronicle(fight) if for_gm else players_chronicle(fight))
    write_output(text if text.endswith("\n") else text + "\n", target)
    return OK


def _picture(fight: Fight, for_gm: bool, at: str) -> str:
    from fightcall.show.page import draw_picture, find_moment
    from fightcall.themes import load_shipped

    shots = Reel(fight, for_gm=for_gm).shots
    place = find_moment(shots, at, for_gm=for_gm)
    if place is None:
        raise Unusable(f"the fight has no moment {at!r}; write it as in a replay's address, such as r1 or r2-melee")
    frame = shots[place].frame
    if frame.board is None:
        raise Unusable("this fight has no board to draw; export a chronicle or a replay instead: --to md, --to replay")
    return draw_picture(frame.board, frame, fight.state.name, fight.system, load_shipped())


def _render(svg: str) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise missing_packages("--to png", ("resvg-py",), "png") from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=2.0, sans_serif_family="DejaVu Sans"))


def _check_target(target: Path, fight: str, form: str, paths: Paths) -> None:
    if target.is_dir():
        raise Unusable(f"{target} is a folder; name a file in it, such as {target / fight}.{form}")
    real = Path(os.path.realpath(target))
    if is_journal_path(real.name) or is_journal_path(target.name):
        raise Unusable(f"{target} is a journal name; choose another ending, such as .{form}")
    if real.is_relative_to(os.path.realpath(paths.library)) or _is_kept(target):
        raise Unusable(f"{target} holds fights; choose another file, such as {fight}.{form}")


def _is_kept(target: Path) -> bool:
    """Whether a file is a journal or a library, whatever its name."""
    try:
        with open_file(target) as file:
            return _KEPT.match(file.read(64)) is not None
    except FileNotFoundError:
        return False


# ``fightcall run`` and ``fightcall schema``


def run(source: str, paths: Paths) -> int:
    """Answer each line of a file, or of standard input, with one line; see `fightcall_engine.headless`.

    Encounters are found by name as `fightcall play` finds them: the user's own first.
    """
    # JSON Lines is UTF-8 whatever the locale says. A byte that is not arrives as an escape that JSON does not have,
    # so that its line is refused instead of taken for something else; half a surrogate pair leaves as its escape.
    # The same input gives the same bytes on every system.
    for stream, settings in ((sys.stdin, {}), (sys.stdout, {"newline": "\n"})):
        cast("TextIO", stream).reconfigure(encoding="utf-8", errors="backslashreplace", **settings)  # type: ignore[attr-defined]
    with _lines(source) as lines:
        for answer in answer_lines(lines, (paths.encounters,)):
            sys.stdout.write(escape(answer) + "\n")
            sys.stdout.flush()
    return OK


def _lines(source: str) -> AbstractContextManager[Iterable[str]]:
    if source == STDIN:
        return nullcontext(sys.stdin)
    return Path(source).open(encoding="utf-8-sig", errors="backslashreplace")


def schema(system: str | None) -> int:
    """Print the JSON Schema of what `run` reads and prints, and of files for settings, of one system or of all.

    `GAME_FILES` stands for the files of games.
    """
    if system == GAME_FILES:
        from fightcall_engine.homebrew.game import game_schema

        print(json.dumps(game_schema(), indent=1, ensure_ascii=False))
        return OK
    names = system_names() if system is None else (system,)
    systems = [find_system(name) for name in names]
    settings = [(system.id, setting) for system in systems for setting in system.settings]
    files = {
        f"{id}/{setting.key}{setting.file}": setting.schema() for id, setting in settings if setting.schema is not None
    }
    print(json.dumps({**protocol_schema(systems), **({"files": files} if files else {})}, indent=1, ensure_ascii=False))
    return OK


_BAR = 20
MOST_FIGHTS, MOST_ROUNDS, MOST_PROCESSES = 100_000, 1000, 64


def forecast(
    name: str, paths: Paths, *, fights: int, rounds: int, seed: str, processes: int | None, as_json: bool
) -> int:
    """Play an encounter many times, and print how often each side wins. Ctrl+C prints the numbers so far."""
    numbers = (("--fights", fights, MOST_FIGHTS), ("--rounds", rounds, MOST_ROUNDS))
    for option, number, most in (*numbers, ("--processes", processes or 1, MOST_PROCESSES)):
        if not 1 <= number <= most:
            raise Unusable(f"{option} {number} isn't possible; accepted: 1 to {most}")
    fight = start_fight(load_encounter(name, [paths.encounters], paths.setting_files), id="forecast", seed=seed)
    job = job_of_new(fight, fights=fights, rounds=rounds, seed=seed)
    results, words = Results(), fight.system.words(fight.state.settings)
    is_interrupted = False
    try:
        asyncio.run(_collect(job, processes or usual_processes(), results, words))
    except KeyboardInterrupt:
        is_interrupted = True
    result = results.forecast()
    if as_json:
        print(json.dumps(_forecast_json(fight, job, result)))
    else:
        say(*_forecast_lines(fight, job, result))
    return INTERRUPTED if is_interrupted else OK


async def _collect(job: Job, processes: int, results: Results, words: Words) -> None:
    if not sys.stderr.isatty():
        async with aclosing(play_fights(job, processes)) as played:
            async for outcome in played:
                results.add(outcome)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=job.fights)
        async with aclosing(play_fights(job, processes)) as played:
            async for outcome in played:
                results.add(outcome)
                progress.update(task, advance=1, description=forecast_words(results.forecast(), words))


def _forecast_lines(fight: Fight, job: Job, result: Forecast) -> list[str]:
    words = fight.system.words(fight.state.settings)
    lines = [f"{fight.state.name}: at most {job.rounds} {words.round}s, seed {job.seed}"]
    for section in forecast_sections(result, words, fight.system.health, job.fights):
        lines += ["", f"{section.title}{f': {section.note}' if section.note else ''}"]
        if section.details[0].name:
            rows = [(f"  {each.name}", each.text, _bar(each.gauge)) for each in section.details]
            lines += tabulate(rows)
        else:
            lines += [f"  {each.text}" for each in section.details]
    return lines


def _bar(gauge: Pool | None) -> str:
    return "█" * round(_BAR * gauge.now / gauge.max) if gauge is not None and gauge.max else ""


def _forecast_json(fight: Fight, job: Job, result: Forecast) -> Json:
    about = {"encounter": fight.state.name, "system": fight.state.system, "seed": job.seed, "asked": job.fights}
    notes = {"leaves_out": LEAVES_OUT, "about_error": ERROR}
    return {**about, "most_rounds": job.rounds, **json_object(result), **notes}
