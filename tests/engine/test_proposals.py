"""What options and questions propose is accepted as it stands, in fights played at random by a fixed seed."""

import json
from random import Random

import pytest

from fightcall_engine.headless import Session
from fightcall_engine.kit.plugins import find_system

SYSTEMS = ("stage", "slots", "turns", "segments")
ENCOUNTERS = sorted(path for name in SYSTEMS for path in find_system(name).encounters().glob("*.toml"))
STEPS = 4


def taken(answer):
    """Whether a line was done, or would be once the table has thrown or another question is answered."""
    return answer["ok"] or "needs" in answer or answer["refused"]["message"].startswith("answer first")


def as_proposed(who, option, pick):
    """The line that an option stands for, with its defaults, else a choice; None where it must be told more."""
    line = {"do": option["command"], "who": who, **option["fixed"]}
    for one in option["inputs"]:
        if one["default"]:
            line[one["name"]] = one["default"]
        elif not one["optional"] and one["kind"] != "outcome":
            if not one["choices"]:
                return None
            line[one["name"]] = pick(one["choices"])
    return line


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS, ids=lambda path: path.stem)
def test_every_proposal_is_accepted_as_it_stands(encounter):
    session, chance, tried = Session(), Random(encounter.stem), 0

    def say(**request):
        return json.loads(json.dumps(session.answer_line(json.dumps(request))))

    assert say(do="open", encounter=str(encounter), seed="3")["ok"]
    for _ in range(STEPS):
        lines = [
            line
            for who, options in say(ask="options")["options"].items()
            for option in options
            if option["legal"] and (line := as_proposed(who, option, chance.choice)) is not None
        ]
        for prompt in say(ask="prompts")["prompts"]:
            choices = [choice["id"] for choice in prompt["choices"] if not choice["who"]]
            answers = dict.fromkeys((*choices, prompt["default"])) if prompt["default"] else choices
            lines += [{"do": "answer", "prompt": prompt["id"], "choice": choice} for choice in answers]
        for line in lines:
            answer = say(**line)
            assert taken(answer), (line, answer)
            if answer["ok"]:
                say(do="undo")
        tried += len(lines)
        if lines:
            say(**chance.choice(lines))
        say(do="advance" if session.fight.state.round else "start")
    assert tried
