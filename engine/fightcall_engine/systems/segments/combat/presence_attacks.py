"""Presence attacks that go with a blow, to demoralise (CS-510 to CS-520).

The words are declared with the attack and kept in its `Blow`. They are lost if it misses (CS-512); if it gets through,
the GM judges them (CS-511), and the check follows.
"""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import reprisal_offers
from fightcall_engine.systems.segments.rules import presence
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import commands, harm_events, morale, progress, queries, rolls, scores
from fightcall_engine.systems.segments.state.battle import REPRISAL, Blow
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedFear, LandedBlow, PresenceCheck, TearsCheck
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

PRESENCE, TEARS = "presence", "tears"
"""What follows the checks of a Presence attack."""

NOTEWORTHY, FEAR = "noteworthy", "fear"
"""The kinds of questions: whether blow and words are noteworthy, and whether the target fears for its life."""

MOST = 9999

# With a blow


def lose_presence(blow: Blow, reason: str, rule: str) -> Events:
    """The event that the words are lost, with the reason; none without words."""
    if not blow.line:
        return ()
    return (harm_events.PresenceLost(who=blow.attacker, target=blow.target, line=blow.line, reason=reason, rule=rule),)


def miss_presence(blow: Blow) -> Events:
    """CS-512: the words are lost with a miss."""
    return lose_presence(blow, "the blow missed", "CS-512")


def judge_words(decision: Decision, blow: Blow, through: int | None) -> None:
    """CS-511: judge the words of a blow that has landed: something must get through, and the GM must approve.

    Args:
        decision: the decision.
        blow: the blow.
        through: POT or Body Points that got through; None if wounds were given by GM ruling.
    """
    if not blow.line:
        return
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    if through is not None and not presence.works(True, through):
        decision.emit(*lose_presence(blow, "the blow did not get through", "CS-511"))
    elif not target.able or not combatant.able:
        down = combatant if not combatant.able else target
        decision.emit(*lose_presence(blow, f"{down.name} is down", "CS-511"))
    else:
        feet = _rounds_driven(decision.events, target.id)
        decision.offer(_noteworthy_prompt(decision.state, blow, through, feet))


def _rounds_driven(new_events: Iterable[Event], combatant_id: str) -> int:
    return next(
        (
            event.moved
            for event in new_events
            if isinstance(event, harm_events.KnockedBack) and event.who == combatant_id
        ),
        0,
    )


def _noteworthy_prompt(state: FightState, blow: Blow, through: int | None, feet: int) -> Prompt:
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    dv = rolls.rounded(resistance_sum(state, combatant, target, None))
    effect_text = "hits" if through is None else f"{through} got through"
    driven = f" and drove {target.name} {feet} ft" if feet else ""
    amount_label = "POT that got through" if through is None else "what it is resisted with"
    return prompt_for(
        combatant,
        kind=NOTEWORTHY,
        question=f'{combatant.name} to {target.name}, DV {dv}: "{blow.line}" {effect_text}{driven}.'
        " Do the blow and the words have an effect?",
        rule="CS-511",
        choices=choices("yes:yes, they do", "no:no effect"),
        default="yes",
        amount=amount_label,
        resume=LandedBlow(blow=blow, through=through),
    )


@answers(NOTEWORTHY)
def answer_noteworthy(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-511, CS-513: the words count or not; a number is the target's resistance, or the POT of harm by GM ruling.

    Raises:
        Refused: the number is invalid.
    """
    state = decision.state
    landed_blow = resume_of(prompt, LandedBlow)
    blow = landed_blow.blow
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if answer.choice == "no":
        decision.emit(*lose_presence(blow, "the blow and the words had no effect", "CS-511"))
        return
    number = answer.amount
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST):
        raise Refused(
            "CS-515", f"{prompt.amount}: {number!r} is not accepted", (f"0 to {MOST}", "yes", "no"), final=True
        )
    through = 1 if number is None else number
    through = through if landed_blow.through is None else landed_blow.through
    if not presence.works(True, through):
        decision.emit(*lose_presence(blow, "the blow did not get through", "CS-511"))
        return
    level, dv = morale.level_of(combatant) or 0, None if landed_blow.through is None else number
    attack = _Attack(combatant, target, level, None, through, blow.kind == REPRISAL, dv)
    decision.emit(*attack.request(state))
    decision.offer(attack.question(state))


def drop_presence_questions(decision: Decision, combatant_id: str) -> None:
    """Drop what was still to be judged of Presence attacks on a combatant who has gone down."""
    state = decision.state
    for prompt in state.prompts:
        resume = prompt.resume
        if isinstance(resume, LandedBlow) and combatant_id in resume.subjects:
            decision.emit(*record_moot((prompt,)))
            decision.emit(*lose_presence(resume.blow, f"{state.combatants[combatant_id].name} is down", "CS-511"))
        elif isinstance(resume, PresenceCheck) and resume.target == combatant_id:
            decision.emit(*record_moot((prompt,)))


# By the GM's word


@handles(commands.Demoralise)
def decide_demoralise(decision: Decision, command: commands.Demoralise) -> None:
    """CS-510 to CS-515: a Presence attack of a blow that got through, against the target's resistance."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant, target = decision.combatant(command.who), decision.combatant(command.target)
    if not command.line.strip():
        raise Refused("CS-510", "a Presence attack needs words: what is said?", ("line: the words",), final=True)
    referee.require(queries.able_check(combatant, "CS-111").holds, "CS-111", f"{combatant.name} is down", "who stands")
    level = morale.level_of(combatant)
    has_skill = command.av is not None or level is not None
    referee.require(has_skill, "CS-510", f"{combatant.name} has no Presence skill", "av by hand")
    if not 0 <= command.through <= MOST:
        raise Refused("CS-511", f"{command.through} is not a POT", (f"0 to {MOST}",), final=True)
    works = presence.works(True, command.through)
    referee.require(works, "CS-511", "the blow did not get through", "a blow with 1 point through")
    attack = _Attack(combatant, target, level or 0, command.av, command.through, command.reprisal, command.dv)
    av, dv = (rolls.rounded(total) for total in attack.sums(state))
    decision.emit(*attack.request(state))
    verdict = rolls.settle_check(
        state, combatant.id, PRESENCE, av=av, dv=dv, chance=command.chance, hit=command.hit, dice=dice, target=target.id
    )
    prompt = attack.question(state)
    if verdict is None:
        decision.offer(prompt)
        return
    decision.emit(*verdict.events)
    _settle_presence(decision, prompt, verdict)


# The check


@frozen
class _Attack:
    """A Presence attack to be rolled; `ruled_av` and `ruled_dv` are by GM ruling."""

    combatant: Combatant
    target: Combatant
    level: int
    ruled_av: int | None
    through: int
    reprisal: bool
    ruled_dv: int | None

    def sums(self, state: FightState) -> tuple[Sum, Sum]:
        """CS-513 to CS-515: AV and DV; the AV less pain and Surprise unless the GM gave it (CS-068, CS-613)."""
        base = self.level if self.ruled_av is None else self.ruled_av
        av = presence.presence_av(base, self.through, reprisal=self.reprisal, scale=rolls.scale_of(state))
        av = scores.add_deed(self.combatant, scores.AV, av, self.target.id)
        if self.ruled_av is None:
            av = scores.subtract_penalties(state, self.combatant, av, defensive=False)
        return av, resistance_sum(state, self.combatant, self.target, self.ruled_dv)

    def request(self, state: FightState) -> Events:
        av, dv = self.sums(state)
        worths, parts = (rolls.rounded(av), rolls.rounded(dv)), rolls.parts_of(av, dv)
        return (rolls.request_check(self.combatant.id, PRESENCE, *worths, parts, self.target.id),)

    def question(self, state: FightState) -> Prompt:
        av, dv = (rolls.rounded(total) for total in self.sums(state))
        check = PresenceCheck(
            then=PRESENCE, what=PRESENCE, av=av, dv=dv, target=self.target.id, through=self.through, level=self.level
        )
        text = f"{self.combatant.name} demoralises {self.target.name}: Presence {av} against DV {dv}"
        return rolls.check_prompt(state, self.combatant, "CS-513", check, message=text)


def resistance_sum(state: FightState, combatant: Combatant, target: Combatant, dv_by_gm: int | None) -> Sum:
    """CS-515: the target's resistance: HRT or by GM ruling, skill, and friends still standing."""
    hrt_sum = scores.value_of(state, target, "HRT", "CS-515") if dv_by_gm is None else None
    dv = dv_by_gm if hrt_sum is None else rolls.rounded(hrt_sum)
    friends = [each for each in state.combatants.values() if each.side == target.side and each.id != target.id]
    standing = sum(each.able for each in friends)
    floor: presence.FallenFloor = settings_of(state).fallen_modifier_floor
    total = presence.resistance_dv(dv or 0, morale.level_of(target) or 0, standing, len(friends) - standing, floor)
    return morale.subtract_doubt(state, target, combatant.id, total)


@rolls.on_check_result(PRESENCE)
def _on_presence_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    _settle_presence(decision, prompt, verdict)


# Results


def _settle_presence(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-516 to CS-520: apply the result."""
    state = decision.state
    check = resume_of(prompt, PresenceCheck)
    combatant, target = state.combatants[prompt.who], state.combatants[check.target]
    effect = presence.effect(verdict.ok, check.av or 0, check.dv or 0)
    loss = presence.doubt_loss(check.level, profile_of(target).mods.hrt) if effect == "doubt" else 0
    traits: dict[str, Json] = {}
    if effect in (morale.SHAKEN, morale.BROKEN) and not morale.has_surrendered(target):
        traits = {"morale": effect}
    elif loss:
        traits = {"doubts": morale.doubts_against(state, target, combatant.id, loss)}
    decision.emit(harm_events.Demoralised(who=target.id, traits=traits, by=combatant.id, outcome=effect, loss=loss))
    if effect == morale.BROKEN:
        decision.emit(*progress.abort_action(decision.state.combatants[target.id], "surrenders"))
        decision.offer(_fear_prompt(target, combatant, check.through))
    if effect == "unmoved":
        why = f"{target.name} is unmoved by {combatant.name}"
        decision.emit(
            *reprisal_offers.offer_reprisal(decision.state, Blow(combatant.id, target.id), always=True, why=why)
        )


def _fear_prompt(target: Combatant, combatant: Combatant, through: int) -> Prompt:
    """CS-517: the question whether the target fears for its life; only then it may break down."""
    return prompt_for(
        target,
        kind=FEAR,
        question=f"{target.name} surrenders. Is {target.name} afraid of dying?",
        rule="CS-517",
        choices=choices("yes:a HRT check, or breaks down", "no"),
        default="no",
        blocking=False,
        resume=AskedFear(other=combatant.id, through=through),
    )


@answers(FEAR)
def answer_fear(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-517: call for HRT against the POT that got through."""
    state = decision.state
    if answer.choice != "yes":
        return
    target = state.combatants[prompt.who]
    total = scores.value_of(state, target, "HRT", "CS-517")
    fear = resume_of(prompt, AskedFear)
    dv_sum = presence.breakdown_dv(fear.through)
    av, dv = rolls.rounded(total), rolls.rounded(dv_sum)
    question = f"{target.name} keeps face, or breaks down: HRT {av} against DV {dv}"
    check = TearsCheck(then=TEARS, what="HRT", av=av, dv=dv, by=fear.other)
    question_prompt = rolls.check_prompt(state, target, "CS-517", check, message=question)
    request = rolls.request_check(target.id, "HRT", av, dv, rolls.parts_of(total, dv_sum))
    decision.emit(request)
    decision.offer(question_prompt)


@rolls.on_check_result(TEARS)
def _on_tears_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-517: the target breaks down, or not."""
    state = decision.state
    if not (verdict.ok):
        decision.emit(*queries.set_traits(state.combatants[prompt.who], morale=morale.IN_TEARS))
