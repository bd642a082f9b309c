"""``fightcall forecast``: how deadly an encounter is, by playing it many times."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

from fightcall.forecasts import play_fights, usual_processes
from fightcall.subcommands.console import INTERRUPTED, OK, Unusable, say, tabulate
from fightcall.user_files import Paths
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.forecasts import Job, job_of_new
from fightcall_engine.model.json_data import json_object
from fightcall_engine.model.state import Json, Pool
from fightcall_engine.play.forecast import (
    ERROR,
    LEAVES_OUT,
    Forecast,
    Results,
    forecast_sections,
    forecast_words,
)

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Words
    from fightcall_engine.play.fight import Fight

_BAR = 20
"""The cells of a bar."""
MOST_FIGHTS, MOST_ROUNDS, MOST_PROCESSES = 100_000, 1000, 64


def forecast(
    name: str, paths: Paths, *, fights: int, rounds: int, seed: str, processes: int | None, as_json: bool
) -> int:
    """Play an encounter many times, and print how often each side wins. Ctrl+C prints the numbers so far.

    Raises:
        Unusable: a number is too small or too large.
        BadInput: there is no such encounter, or it is invalid.
        ForecastFailed: a process that plays ended early.
    """
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
        say(*_lines(fight, job, result))
    return INTERRUPTED if is_interrupted else OK


async def _collect(job: Job, processes: int, results: Results, words: Words) -> None:
    """Play the fights, with a progress bar on a terminal."""
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


def _lines(fight: Fight, job: Job, result: Forecast) -> list[str]:
    """The numbers as text, with a bar for each share."""
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
    """The numbers for scripts."""
    about = {"encounter": fight.state.name, "system": fight.state.system, "seed": job.seed, "asked": job.fights}
    notes = {"leaves_out": LEAVES_OUT, "about_error": ERROR}
    return {**about, "most_rounds": job.rounds, **json_object(result), **notes}
