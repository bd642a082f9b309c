"""Demoralising attacks: a Presence attack that rides on a blow which has landed (CS-510 to CS-520)."""

from __future__ import annotations

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.course import Course
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.segments import checking
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.checking import Verdict
from fightcall_engine.systems.segments.formulas import demoralising as formulas
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.harm import difficulty
from fightcall_engine.systems.segments.harm import harm_events as hev
from fightcall_engine.systems.segments.strikes import reprisals
from fightcall_engine.systems.segments.strikes.blows import Blow

SKILLS = ("intimidate", "intimidation", "presence")
BROKEN = "broken"
PRESENCE, TEARS = "presence", "tears"
"""What the checks of a Presence attack decide."""


def decide_demoralise(state: FightState, command: scm.Demoralise, dice: Dice, referee: Referee) -> ev.Events:
    """CS-510 to CS-515: fitting words with a blow that got through, rolled against what the target resists with."""
    one, target = combatant_of(state, command.who), combatant_of(state, command.target)
    if not command.line.strip():
        raise Refused("CS-510", "no line, no effect: what does he say?", ("line: fitting words",), final=True)
    referee.require(fg.able_check(one, "CS-111").holds, "CS-111", f"{one.name} is down", "who stands")
    level = fg.skill(one, *SKILLS)
    skilled = command.av is not None or level is not None
    referee.require(skilled, "CS-510", f"{one.name} has no Presence skill", "av by hand")
    if not 0 <= command.through <= 9999:
        raise Refused("CS-511", f"{command.through} is no POT", ("0 to 9999",), final=True)
    works = formulas.works(True, command.through)
    referee.require(works, "CS-511", "nothing of the blow got through", "a blow with 1 point through")
    base = (level or 0) if command.av is None else command.av
    scale = checking.scale_of(state)
    av_sum = formulas.presence_av(base, command.through, reprisal=command.reprisal, scale=scale)
    dv_sum = resistance(state, one, target, command.dv)
    return _rolled(state, command, one, target, level or 0, av_sum, dv_sum, dice)


def resistance(state: FightState, one: Combatant, target: Combatant, ruled: int | None) -> Sum:
    """CS-515: what the target resists with: HRT unless the GM says otherwise, skill, and who still stands."""
    own = difficulty.value_of(state, target, "HRT", "CS-515") if ruled is None else None
    dv = ruled if own is None else checking.worth(own)
    friends = [each for each in state.combatants.values() if each.side == target.side and each.id != target.id]
    standing = sum(each.able for each in friends)
    floor: formulas.FallenFloor = "zero" if state.settings.get("fallen_modifier_floor") == "zero" else "none"
    found = formulas.resistance_dv(
        dv or 0, fg.skill(target, *SKILLS) or 0, standing, len(friends) - standing, floor
    )
    loss = doubt_of(state, target, one.id)
    return Sum((*found.parts, Part("doubt", -loss, "CS-519"))) if loss else found


def _rolled(
    state: FightState,
    command: scm.Demoralise,
    one: Combatant,
    target: Combatant,
    level: int,
    av_sum: Sum,
    dv_sum: Sum,
    dice: Dice,
) -> ev.Events:
    av, dv = checking.worth(av_sum), checking.worth(dv_sum)
    course = Course(state)
    course.tell(checking.requested(one.id, PRESENCE, av, dv, checking.parts_of(av_sum, dv_sum), target.id))
    data: dict[str, Scalar] = {
        "about": target.id, "target": target.id, "through": command.through, "presence_av": av, "presence_dv": dv,
        "level": level,
    }  # fmt: skip
    verdict = checking.settled(
        state, one.id, PRESENCE, av=av, dv=dv, chance=command.chance, hit=command.hit, dice=dice, target=target.id
    )
    said = f"{one.name} demoralises {target.name}: Presence {av} against DV {dv}"
    asked = checking.question(state, one, PRESENCE, "CS-513", PRESENCE, av=av, dv=dv, said=said, data=data)
    if verdict is None:
        course.tell(ev.RulingAsked(prompt=asked))
        return course.events
    course.tell(*verdict.events)
    course.tell(*_settled(course.state, asked, verdict))
    return course.events


@checking.leads_to(PRESENCE)
def _answered(state: FightState, prompt: Prompt, verdict: Verdict, dice: Dice, referee: Referee) -> ev.Events:
    return _settled(state, prompt, verdict)


def _number(prompt: Prompt, name: str) -> int:
    value = prompt.data.get(name)
    return value if isinstance(value, int) else 0


def _settled(state: FightState, prompt: Prompt, verdict: Verdict) -> ev.Events:
    """CS-516 to CS-520: what it does."""
    one, target = state.combatants[prompt.who], state.combatants[str(prompt.data["target"])]
    found = formulas.effect(verdict.ok, _number(prompt, "presence_av"), _number(prompt, "presence_dv"))
    loss = formulas.doubt_loss(_number(prompt, "level"), fg.mod(target, "hrt")) if found == "doubt" else 0
    traits: dict[str, Scalar] = {}
    if found in ("shaken", BROKEN):
        traits = {"morale": found}
    elif loss:
        traits = {"doubts": f"{one.id}={loss}@{state.round + 1}"}
    course = Course(state)
    course.tell(hev.Demoralised(who=target.id, traits=traits, by=one.id, outcome=found, loss=loss))
    if found == BROKEN:
        total = difficulty.value_of(state, target, "HRT", "CS-517")
        av, dv = checking.worth(total), checking.worth(formulas.breakdown_dv(_number(prompt, "through")))
        said = f"{target.name} surrenders. If he fears for his life: HRT {av} against DV {dv}"
        course.tell(checking.requested(target.id, "HRT", av, dv, checking.parts_of(total)))
        asked = checking.question(
            state, target, "HRT", "CS-517", TEARS, av=av, dv=dv, said=said, data={"about": one.id}, blocking=False
        )
        course.tell(ev.RulingAsked(prompt=asked))
    if found == "unmoved":
        course.tell(*reprisals.offered(course.state, Blow(one.id, target.id), always=True))
    return course.events


@checking.leads_to(TEARS)
def _tears(state: FightState, prompt: Prompt, verdict: Verdict, dice: Dice, referee: Referee) -> ev.Events:
    """CS-517: he breaks down, or keeps his face."""
    return () if verdict.ok else fg.set_traits(state.combatants[prompt.who], morale="broken down")


def doubt_of(state: FightState, target: Combatant, by: str) -> int:
    """CS-519: what a doubting target's DVs lose in this segment against the one he doubts himself before."""
    who, _, rest = fg.text_trait(target, "doubts").rpartition("=")
    loss, _, number = rest.partition("@")
    fits = who == by and number == str(state.round) and loss.isascii() and loss.isdigit() and len(loss) < 6
    return int(loss) if fits else 0
