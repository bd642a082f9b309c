"""Files that are made of fights, and encounters that are made of files."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, TextIO, cast

from fightcall.processes import USUAL_PROCESSES, play_fights
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
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import (
    encounter_path,
    file_stem,
    load_encounter,
    shipped_encounters,
    start_fight,
)
from fightcall_engine.archive.fsutil import write_new
from fightcall_engine.files import open_file, read_bytes
from fightcall_engine.headless import answer_lines
from fightcall_engine.kit.plugins import find_system, is_installed, read_rules, system_names
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting, Words
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.json_data import json_object
from fightcall_engine.model.state import Json, Pool
from fightcall_engine.model.values import replace
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

if TYPE_CHECKING:
    from fightcall_engine.archive.imported_combatants import ImportedFile, ImportedGroup, ImportResult
    from fightcall_engine.archive.library import CombatantTemplate


ENDINGS = {REPLAY: "html"}
"""Formats by file endings that differ from their names."""

_WRITERS = {"md": to_markdown, "html": to_html, "json": to_json}

_KEPT = re.compile(rb'\{"n":0,"t":"fight"|\{\n"(?:fights|templates|encounters|settings|meta)":\{\n')

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
        svg = _picture(fight, for_gm, at)
        try:
            from resvg_py import svg_to_bytes
        except ImportError:
            raise missing_packages("--to png", ("resvg-py",), "png") from None
        write_bytes(bytes(svg_to_bytes(svg_string=svg, zoom=2.0, sans_serif_family="DejaVu Sans")), target)
        return OK
    if form == "svg":
        text = _picture(fight, for_gm, at)
    elif form == REPLAY:
        from fightcall.show import replay_page

        text = replay_page(fight, for_gm=for_gm)
    else:
        text = _WRITERS[form](chronicle(fight) if for_gm else players_chronicle(fight))
    write_output(text if text.endswith("\n") else text + "\n", target)
    return OK


def _picture(fight: Fight, for_gm: bool, at: str) -> str:
    from fightcall.show import draw_picture, find_moment
    from fightcall.themes import load_shipped

    shots = Reel(fight, for_gm=for_gm).shots
    place = find_moment(shots, at, for_gm=for_gm)
    if place is None:
        raise Unusable(f"the fight has no moment {at!r}; write it as in a replay's address, such as r1 or r2-melee")
    frame = shots[place].frame
    if frame.board is None:
        raise Unusable("this fight has no board to draw; export a chronicle or a replay instead: --to md, --to replay")
    return draw_picture(frame.board, frame, fight.state.name, fight.system, load_shipped())


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
    if source == "-":
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
        asyncio.run(_collect(job, processes or USUAL_PROCESSES, results, words))
    except KeyboardInterrupt:
        is_interrupted = True
    result = results.forecast()
    if as_json:
        about = {"encounter": fight.state.name, "system": fight.state.system, "seed": job.seed, "asked": job.fights}
        notes = {"leaves_out": LEAVES_OUT, "about_error": ERROR}
        print(json.dumps({**about, "most_rounds": job.rounds, **json_object(result), **notes}))
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
            gauges = ((each, each.gauge or Pool(0, 1)) for each in section.details)
            bars = ((each, "█" * round(_BAR * gauge.now / (gauge.max or 1))) for each, gauge in gauges)
            lines += tabulate((f"  {each.name}", each.text, bar) for each, bar in bars)
        else:
            lines += [f"  {each.text}" for each in section.details]
    return lines


_TEMPLATE = Path(__file__).with_name("encounter_template.toml")
GAME_TEMPLATE = Path(__file__).with_name("game_template.toml")
_LONGEST_ID = 40
_COMMENT_AT = 34

EASIEST, IMPORTED = "plain", "stage"
"""The default systems of a new encounter, and of imported combatants."""

LARGEST_IMPORT = 20_000_000
"""The largest file in bytes; a complete collection of another program fits."""
_MOST_LISTED = 40


def new_encounter(name: str, paths: Paths, system: str | None) -> int:
    """Write an encounter file with explanations into the user's folder, over no other."""
    from fightcall_engine.archive.encounter_reading import read_encounter

    stem = file_stem(name)
    if not stem:
        raise Unusable(f"{name!r} can't be a file name; use at least one letter or digit")
    path = paths.encounters / f"{stem}.toml"
    if path.exists():
        raise Unusable(f"{path} already exists; choose another name, or edit that file")
    text = _fill_in(name, stem, path, find_system(system or EASIEST))
    read_encounter(text, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode("utf-8"))
    say(str(path), f"edit it, then run: fightcall play {stem}")
    return OK


def new_system(name: str, paths: Paths) -> int:
    """Write the file of a game with explanations into the user's folder, over no other."""
    stem = file_stem(name)[:_LONGEST_ID].strip("-")
    if not (stem.isascii() and stem[:1].isalpha()):
        raise Unusable(f"{name!r} can't be a file name; begin with a letter, and use only a to z, digits and spaces")
    path = paths.systems / f"{stem}.toml"
    if path.exists():
        raise Unusable(f"{path} already exists; choose another name, or edit that file")
    if is_installed(stem):
        raise Unusable(f"there is a system {stem!r} already; choose another name")
    text = Template(GAME_TEMPLATE.read_text(encoding="utf-8")).substitute(stem=_toml(stem), name=_toml(name))
    read_rules(text, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode("utf-8"))
    then = f"then write an encounter for it: fightcall new 'A fight' --system {stem}"
    say(str(path), f"edit it, then run: fightcall check {stem}", then)
    return OK


def _fill_in(name: str, stem: str, path: Path, system: BaseSystem) -> str:
    ours, theirs = system.sides[:2]
    sheets: dict[str, Mapping[str, Json]] = {}
    for file in shipped_encounters():
        for join in load_encounter(file.path).joins if file.system == system.id else ():
            sheets.setdefault(join.side, join.sheet)
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        stem=stem,
        path=path,
        name=_toml(name),
        system=_toml(system.id),
        first_side=_toml(ours),
        second_side=_toml(theirs),
        first_sheet="\n".join(_pairs(sheets.get(ours, {}))),
        second_sheet="\n".join(_pairs(sheets.get(theirs, {}))),
        fields="\n".join(_field_lines(system.sheet_schema())),
        settings="\n".join(map(_setting_line, system.settings)),
    )


def _pairs(values: Mapping[str, Json]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{key} = ["
            yield from (f"  {_toml(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_toml(value)}"


def _toml(value: Json) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _setting_line(setting: Setting) -> str:
    choices = " | ".join(map(_toml, setting.choices))
    rule = f" ({setting.rule})" if setting.rule else ""
    remark = f"{setting.text}{rule}" + (f": {choices}" if choices else "")
    return f"{f'# {setting.key} = {_toml(setting.default)}':<{_COMMENT_AT}}  # {remark}"


def _field_lines(schema: Mapping[str, Json]) -> Iterator[str]:
    defs = cast("Mapping[str, Mapping[str, Json]]", schema.get("$defs", {}))
    for name, field in cast("Mapping[str, Mapping[str, Json]]", schema["properties"]).items():
        default = field.get("default")
        default_text = "(none)" if default is None else _toml(default)
        yield f"{f'#   {name} = {default_text}':<{_COMMENT_AT}}  # {_describe_field(field, defs)}"


def _describe_field(field: Mapping[str, Json], defs: Mapping[str, Mapping[str, Json]]) -> str:
    if "anyOf" in field:
        kinds = cast("list[Mapping[str, Json]]", field["anyOf"])
        return " or ".join(_describe_field(kind, defs) for kind in kinds if kind.get("type") != "null")
    if "$ref" in field:
        part = defs[str(field["$ref"]).rpartition("/")[2]]
        inside = cast("Mapping[str, Mapping[str, Json]]", part["properties"])
        return "{ " + ", ".join(f"{key} = {_describe_field(item, defs)}" for key, item in inside.items()) + " }"
    if "enum" in field:
        return " | ".join(map(_toml, cast("list[Json]", field["enum"])))
    if field.get("type") == "array":
        return f"[ {_describe_field(cast('Mapping[str, Json]', field['items']), defs)}, ... ]"
    return _KINDS.get(str(field.get("type")), str(field.get("type"))) + _limits(field)


_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def _limits(field: Mapping[str, Json]) -> str:
    least, most, over = (field.get(key) for key in ("minimum", "maximum", "exclusiveMinimum"))
    if least is not None:
        return f" from {least}" + (f" to {most}" if most is not None else "")
    return f" over {over}" if over is not None else ""


# ``fightcall import``


def import_files(
    files: Sequence[Path], paths: Paths, system: str | None, *, name: str, side: str, as_templates: bool
) -> int:
    """Import the combatants of some files into encounters in the user's folder, or into the library's templates.

    Those that belong to no encounter in a file go into one together, named `name` or as the first file. Combatants
    without a side are of the side `side`, or of the foes' if it is empty. Nothing is imported from invalid files.
    """
    from fightcall_engine.archive.imported_combatants import ImportedGroup, make_encounter, plain_line, side_called

    rules = find_system(system or IMPORTED)
    default_side = side_called(side, rules)
    if side and not default_side:
        raise BadInput("--side", (f"there is no {plain_line(side, 40)!r}; accepted: {', '.join(rules.sides)}",))
    imported_files = [_read(file, rules) for file in files]
    for file, imported in zip(files, imported_files, strict=True):
        if not imported.groups:
            raise Unusable(f"{file}: {imported.kind} without combatants")
    groups = [group for imported in imported_files for group in imported.groups]
    ungrouped = tuple(combatant for group in groups if not group.title for combatant in group.combatants)
    merged_groups = ([ImportedGroup("", ungrouped)] if ungrouped else []) + [group for group in groups if group.title]
    if as_templates:
        merged_groups = [_one_of_each(group) for group in merged_groups]
    imports = [make_encounter(group, name or files[0].stem, rules, default_side) for group in merged_groups]
    if as_templates:
        _keep_templates([each.encounter for each in imports], paths)
    else:
        _save([each.encounter for each in imports], paths, name)
    for each in imports:
        _report_sides(each, rules)
    skipped = [entry for imported in imported_files for entry in imported.skipped]
    skipped += [entry for each in imports for entry in each.skipped]
    if skipped:
        say(f"not imported: {_listed(tuple(dict.fromkeys(plain_line(entry, 120) for entry in skipped)))}")
    say(*(f"accepted: {imported.accepted}" for imported in imported_files if imported.accepted))
    problems = [problem for each in imports for problem in each.refused]
    say(*(f"not imported: {problem}" for problem in problems[:_MOST_LISTED]))
    if len(problems) > _MOST_LISTED:
        say(f"not imported: {len(problems) - _MOST_LISTED} more values like these")
    return OK


def _read(file: Path, system: BaseSystem) -> ImportedFile:
    from fightcall_engine.archive.imported_combatants import read_table, read_tracker_file

    content = read_bytes(file, LARGEST_IMPORT)
    encoding = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        wording = f"line {line}: is not UTF-8 text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)"
        raise BadInput(str(file), (wording,)) from error
    if file.suffix.casefold() != ".json" and text.lstrip()[:1] not in ("{", "["):
        return read_table(text, system, str(file))
    return read_tracker_file(text, str(file))


def _save(encounters: list[Encounter], paths: Paths, name: str) -> None:
    from fightcall_engine.archive.encounter_reading import MOST_COMBATANTS
    from fightcall_engine.archive.encounter_writing import save_new

    targets: dict[Path, Encounter] = {}
    for encounter in encounters:
        if len(encounter.joins) > MOST_COMBATANTS:
            text = f"{len(encounter.joins)} combatants are too many; an encounter has at most {MOST_COMBATANTS}"
            raise Unusable(f"{text}; --templates saves them as templates instead")
        path = encounter_path(paths.encounters, encounter.name)
        if path.exists() or path in targets:
            other = "choose another one with --name" if not name else "choose another name"
            raise Unusable(f"{path} already exists; {other}")
        try:
            start_fight(encounter, id="preview", seed="1")
        except (BadInput, Refused) as error:
            raise Unusable(f"{encounter.name}: {error}") from error
        targets[path] = encounter
    for path, encounter in targets.items():
        save_new(encounter, path)
        count = len(encounter.joins)
        say(f"{path}: {count} combatant{'s' if count != 1 else ''}")
    say(f"edit it in the library, or play it: fightcall play {next(iter(targets)).stem}")


def _one_of_each(group: ImportedGroup) -> ImportedGroup:
    """A group with one combatant of each name, without number; of several the last one."""
    by_name = {combatant.name: replace(combatant, count=1, number=None) for combatant in group.combatants}
    return replace(group, combatants=tuple(by_name.values()))


def _report_sides(imported: ImportResult, system: BaseSystem) -> None:
    joins = imported.encounter.joins
    for side in system.sides:
        names = [join.name for join in joins if join.side == side]
        if names:
            say(f"side {side}: {_listed(names)}")
    if imported.unsided:
        side = next(join.side for join in joins if join.name == imported.unsided[0])
        others = " or ".join(f"--side {other}" for other in system.sides if other != side)
        no_side = f"no side: {_listed(imported.unsided)}"
        say(f"{no_side}; added to the side {side}. To change this, fill in a column called side, or use {others}")
    elif len(joins) > 1 and len({join.side for join in joins}) == 1:
        say(f"everyone is on the side {joins[0].side}")


def _keep_templates(encounters: Iterable[Encounter], paths: Paths) -> None:
    from fightcall.shelf import Shelf

    library = Shelf(paths).library
    templates = {template.name: template for encounter in encounters for template in _templates(encounter)}
    for template in templates.values():
        library.save_template(template)
    count = len(templates)
    say(f"{count} template{'s' if count != 1 else ''}; to add one to a fight, press a in its setup")


def _templates(encounter: Encounter) -> Iterable[CombatantTemplate]:
    from fightcall_engine.archive.imported_combatants import LONGEST_NOTE, plain_line
    from fightcall_engine.archive.library import CombatantTemplate

    for join in encounter.joins:
        text = plain_line(join.sheet.get("note") or "", LONGEST_NOTE)
        note = text if len(text) <= 60 else text[:59].rstrip() + "…"
        yield CombatantTemplate.model_validate(
            {"name": join.name, "system": encounter.system, "side": join.side, "sheet": dict(join.sheet), "notes": note}
        )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more
