"""What follows a blow: offers of Reprisals, and presence attacks (CS-371, CS-481, CS-486, CS-510 to CS-520).

The words of a presence attack are declared with the attack and kept in its `Blow`. They are lost if it misses
(CS-512); if it gets through, the GM judges them (CS-511), and the check follows.
"""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, concerns, prompt_for
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.attacks import ReprisalChain
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import commands, condition, events, harm_events, queries, rolls, small_acts
from fightcall_engine.systems.segments.state.queries import ATTACKS, COMBINATION, COMMITTED, action_of, is_due
from fightcall_engine.systems.segments.state.records import MIXED, REPRISAL, Blow, Postponed, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import AskedBlow, AskedCheck, number_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import people_of, type_of

PRESENCE = "presence"
"""The check of a Presence attack."""

MOST = 9999


def _postpone_reprisal(combatant: Combatant, miss: Postponed) -> Events:
    return queries.set_traits(combatant, reprisal_due=(*fighter_of(combatant).reprisal_due, miss))


def _clear_postponed(combatant: Combatant) -> Events:
    return queries.set_traits(combatant, reprisal_due=())


REPRISAL_PROMPT = "reprisal"
"""The kind of the question that offers one."""

TAKE, TRADE, DECLINE = "take", "trade", "decline"


# Offering


def offer_reprisal(state: FightState, blow: Blow, *, always: bool = False, why: str = "") -> Events:
    """CS-481: the offer to the target of a miss; none after a shot, or by the fight's reading (A-32).

    With `always` a rule of the attack gives it, even out of turn (CS-462); `why` is its reason if there was no miss.

    CS-371: between those who fight with an Attack/Defence Combination it waits until both have attacked.
    """
    combatant, target = people_of(state, blow)
    chain: ReprisalChain = settings_of(state).reprisal_chain
    is_offered = always or attacks.offers_reprisal(blow.roll, chain)
    if not is_offered or not (combatant.able and target.able):
        return ()
    miss = _miss_of(state, blow)
    if blow.in_turn and _has_yet_to_attack(target, combatant):
        return _postpone_reprisal(target, miss)
    return (_offer(state, target, miss, why),)


def _offer(state: FightState, combatant: Combatant, miss: Postponed, why: str = "") -> events.ReprisalOffered:
    foe = state.combatants[miss.attacker]
    blow = Blow(combatant.id, foe.id, kind=REPRISAL, missed=miss.weapons, undodged=miss.whole_body)
    return events.ReprisalOffered(prompt=_prompt(combatant, foe, blow, why))


def is_postponed(state: FightState, blow: Blow) -> bool:
    """CS-371: whether the Reprisal for this miss waits for its target's own attack."""
    return _miss_of(state, blow) in fighter_of(state.combatants[blow.target]).reprisal_due


def offer_at_once(state: FightState, blow: Blow) -> Events:
    """CS-639: offer a postponed Reprisal now."""
    target, miss = state.combatants[blow.target], _miss_of(state, blow)
    others = list(fighter_of(target).reprisal_due)
    others.remove(miss)
    return (*queries.set_traits(target, reprisal_due=tuple(others)), _offer(state, target, miss))


def _has_yet_to_attack(combatant: Combatant, foe: Combatant) -> bool:
    """CS-371: whether either uses an Attack/Defence Combination, and the other's attack comes in this segment."""
    own_action, foe_action = action_of(combatant), action_of(foe)
    is_mixed = any(action.kind == COMBINATION and action.mode == MIXED for action in (own_action, foe_action))
    is_to_come = own_action.state == COMMITTED and is_due(combatant) and queries.slots_left(combatant) > 0
    return is_mixed and is_to_come and own_action.kind in ATTACKS and foe.id in own_action.targets


def _miss_of(state: FightState, blow: Blow) -> Postponed:
    if type_of(state, blow).whole_body:
        return Postponed(blow.attacker, whole_body=True)
    return Postponed(blow.attacker, tuple(blow.weapons))


def offer_postponed(decision: Decision, combatant_id: str) -> None:
    """CS-371: offer the postponed Reprisals of a combatant who has attacked, or will not any more."""
    state = decision.state
    combatant = state.combatants.get(combatant_id)
    due = () if combatant is None else fighter_of(combatant).reprisal_due
    if combatant is None or not due or action_of(combatant).is_open:
        return
    decision.emit(*_clear_postponed(combatant))
    for miss in due:
        foe = state.combatants.get(miss.attacker)
        if foe is not None and foe.able and combatant.able:
            decision.emit(_offer(state, combatant, miss))


_ANSWERS = (Choice(TAKE, "Reprisal", "y"), Choice(TRADE, "move away", "t"), Choice(DECLINE, "let it be", "n"))
"""The answers; moving away and declining have the keys of the options that do the same."""


def _prompt(combatant: Combatant, foe: Combatant, blow: Blow, why: str = "") -> Prompt:
    return prompt_for(
        combatant,
        kind=REPRISAL_PROMPT,
        question=f"{why or f'{foe.name} missed {combatant.name}'}. A Reprisal, move away instead, or let it be?",
        rule="CS-481",
        choices=_ANSWERS,
        default=DECLINE,
        blocking=False,
        resume=AskedBlow(blow=blow),
    )


# The open offer


def open_offer(state: FightState, combatant: Combatant) -> Prompt | None:
    """The oldest offer of a Reprisal to a combatant, or None."""
    return next(
        (prompt for prompt in state.prompts if prompt.kind == REPRISAL_PROMPT and prompt.who == combatant.id), None
    )


# Presence attacks that go with a blow, to demoralise (CS-510 to CS-520)


NOTEWORTHY, FEAR = "noteworthy", "fear"
"""The kinds of questions: whether blow and words are noteworthy, and whether the target fears for its life."""


# With a blow


def _lose_presence(blow: Blow, reason: str, rule: str) -> Events:
    """The event that the words are lost, with the reason; none without words."""
    if not blow.line:
        return ()
    return (harm_events.PresenceLost(who=blow.attacker, target=blow.target, line=blow.line, reason=reason, rule=rule),)


def miss_presence(blow: Blow) -> Events:
    """CS-512: the words are lost with a miss."""
    return _lose_presence(blow, "the blow missed", "CS-512")


def judge_words(decision: Decision, blow: Blow, through: int | None) -> None:
    """CS-511: judge the words of a blow: something must get through, or the GM gave wounds; and the GM must approve."""
    if not blow.line:
        return
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    if through is not None and not attacks.works(True, through):
        decision.emit(*_lose_presence(blow, "the blow did not get through", "CS-511"))
    elif not target.able or not combatant.able:
        down = combatant if not combatant.able else target
        decision.emit(*_lose_presence(blow, f"{down.name} is down", "CS-511"))
    else:
        driven = (each for each in decision.events if isinstance(each, harm_events.KnockedBack))
        feet = next((event.moved for event in driven if event.who == target.id), 0)
        decision.spawn(_judge_words, blow, through, feet)


def _judge_words(decision: Decision, blow: Blow, through: int | None, feet: int) -> None:
    """CS-511, CS-513: the words count or not; a number is the target's resistance, or the POT of harm by GM ruling."""
    combatant, target = people_of(decision.state, blow)
    dv = rolls.rounded(_resistance_sum(decision.state, combatant, target, None))
    effect_text = "hits" if through is None else f"{through} got through"
    driven = f" and drove {target.name} {feet} ft" if feet else ""
    amount = "POT that got through" if through is None else "what it is resisted with"
    prompt = prompt_for(
        combatant, kind=NOTEWORTHY,
        question=f'{combatant.name} to {target.name}, DV {dv}: "{blow.line}" {effect_text}{driven}.'
        " Do the blow and the words have an effect?",
        rule="CS-511", choices=choices("yes:yes, they do", "no:no effect"), default="yes", amount=amount,
        about=(target.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    if answer is None:
        down = next((each for each in people_of(decision.state, blow) if not each.able), target)
        decision.emit(*_lose_presence(blow, f"{down.name} is down", "CS-511"))
        return
    if answer.choice == "no":
        decision.emit(*_lose_presence(blow, "the blow and the words had no effect", "CS-511"))
        return
    number = None if answer.amount is None else number_of(answer, amount, "CS-515", MOST, "yes", "no")
    resisted_with = None if through is None else number
    if through is None:
        through = 1 if number is None else number
    if not attacks.works(True, through):
        decision.emit(*_lose_presence(blow, "the blow did not get through", "CS-511"))
        return
    _demoralise(decision, _Attack(blow.attacker, blow.target, None, through, blow.kind == REPRISAL, resisted_with))


def drop_presence_questions(decision: Decision, combatant_id: str) -> None:
    """Drop what was still to be judged of Presence attacks on a combatant who has gone down."""
    for prompt in decision.state.prompts:
        is_judged = prompt.kind == NOTEWORTHY and combatant_id in concerns(prompt)
        check = prompt.resume
        if is_judged or (isinstance(check, AskedCheck) and check.what == PRESENCE and check.target == combatant_id):
            decision.withdraw((prompt,), "")


# By the GM's word


@handles(commands.Demoralise)
def decide_demoralise(decision: Decision, command: commands.Demoralise) -> None:
    """CS-510 to CS-515: a Presence attack of a blow that got through, against the target's resistance."""
    referee = decision.referee
    combatant, target = decision.combatant(command.who), decision.combatant(command.target)
    if not command.line.strip():
        raise Refused("CS-510", "a Presence attack needs words: what is said?", ("line: the words",), final=True)
    referee.require(queries.able_check(combatant, "CS-111").holds, "CS-111", f"{combatant.name} is down", "who stands")
    has_skill = command.av is not None or condition.presence_level(combatant) is not None
    referee.require(has_skill, "CS-510", f"{combatant.name} has no Presence skill", "av by hand")
    if not 0 <= command.through <= MOST:
        raise Refused("CS-511", f"{command.through} is not a POT", (f"0 to {MOST}",), final=True)
    works = attacks.works(True, command.through)
    referee.require(works, "CS-511", "the blow did not get through", "a blow with 1 point through")
    attack = _Attack(combatant.id, target.id, command.av, command.through, command.reprisal, command.dv)
    _demoralise(decision, attack, owed=False, chance=command.chance, hit=command.hit)


# The check


@frozen
class _Attack:
    """A Presence attack to be rolled; `ruled_av` and `ruled_dv` are by GM ruling."""

    attacker: str
    target: str
    ruled_av: int | None
    through: int
    reprisal: bool
    ruled_dv: int | None

    def sums(self, state: FightState) -> tuple[Sum, Sum]:
        """CS-513 to CS-515: AV and DV; the AV less pain and Surprise unless the GM gave it (CS-068, CS-613)."""
        combatant, target = state.combatants[self.attacker], state.combatants[self.target]
        base = condition.presence_level(combatant) or 0 if self.ruled_av is None else self.ruled_av
        av = attacks.presence_av(base, self.through, reprisal=self.reprisal, scale=rolls.scale_of(state))
        av = condition.add_deed(combatant, condition.AV, av, target.id)
        if self.ruled_av is None:
            av = condition.subtract_penalties(state, combatant, av, defensive=False)
        return av, _resistance_sum(state, combatant, target, self.ruled_dv)


def _resistance_sum(state: FightState, combatant: Combatant, target: Combatant, dv_by_gm: int | None) -> Sum:
    """CS-515: the target's resistance: HRT or by GM ruling, skill, and friends still standing."""
    hrt_sum = condition.value_of(state, target, "HRT", "CS-515") if dv_by_gm is None else None
    dv = dv_by_gm if hrt_sum is None else rolls.rounded(hrt_sum)
    friends = [each for each in state.combatants.values() if each.side == target.side and each.id != target.id]
    standing = sum(each.able for each in friends)
    floor: attacks.FallenFloor = settings_of(state).fallen_modifier_floor
    total = attacks.resistance_dv(
        dv or 0, condition.presence_level(target) or 0, standing, len(friends) - standing, floor
    )
    return condition.subtract_doubt(state, target, combatant.id, total)


def _demoralise(
    decision: Decision, attack: _Attack, *, owed: bool = True, chance: int | None = None, hit: bool | None = None
) -> None:
    """CS-513 to CS-520: roll a Presence attack, and apply the result."""
    combatant, target = decision.state.combatants[attack.attacker], decision.state.combatants[attack.target]
    av_sum, dv_sum = attack.sums(decision.state)
    av, dv = rolls.rounded(av_sum), rolls.rounded(dv_sum)
    verdict = rolls.make_check(
        decision, combatant.id, PRESENCE, av_sum, dv_sum, "CS-513",
        f"{combatant.name} demoralises {target.name}: Presence {av} against DV {dv}",
        owed=owed, target=target.id, chance=chance, hit=hit,
    )  # fmt: skip
    if verdict is None:
        return
    state = decision.state
    combatant, target = state.combatants[attack.attacker], state.combatants[attack.target]
    effect = attacks.effect(verdict.ok, av, dv)
    level = condition.presence_level(combatant) or 0
    loss = attacks.doubt_loss(level, profile_of(target).mods.hrt) if effect == "doubt" else 0
    traits: dict[str, Json] = {}
    if effect in (condition.SHAKEN, condition.BROKEN) and not condition.has_surrendered(target):
        traits = {"morale": effect}
    elif loss:
        traits = {"doubts": condition.doubts_against(state, target, combatant.id, loss)}
    decision.emit(harm_events.Demoralised(who=target.id, traits=traits, by=combatant.id, outcome=effect, loss=loss))
    if effect == condition.BROKEN:
        decision.emit(*small_acts.abort_action(decision.state.combatants[target.id], "surrenders"))
        decision.spawn(_ask_fear, target.id, combatant.id, attack.through)
    if effect == "unmoved":
        why = f"{target.name} is unmoved by {combatant.name}"
        decision.emit(*offer_reprisal(decision.state, Blow(combatant.id, target.id), always=True, why=why))


def _ask_fear(decision: Decision, combatant_id: str, by: str, through: int) -> None:
    """CS-517: only who fears for their life may break down: HRT against the POT that got through."""
    target = decision.state.combatants[combatant_id]
    prompt = prompt_for(
        target, kind=FEAR, question=f"{target.name} surrenders. Is {target.name} afraid of dying?", rule="CS-517",
        choices=choices("yes:a HRT check, or breaks down", "no"), default="no", blocking=False, about=(by,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is None or answer.choice != "yes":
        return
    total = condition.value_of(decision.state, decision.state.combatants[combatant_id], "HRT", "CS-517")
    dv_sum = attacks.breakdown_dv(through)
    verdict = rolls.make_check(
        decision, combatant_id, "HRT", total, dv_sum, "CS-517",
        f"{target.name} keeps face, or breaks down: HRT {rolls.rounded(total)} against DV {rolls.rounded(dv_sum)}",
        owed=True, about=(by,),
    )  # fmt: skip
    if verdict is not None and not verdict.ok:
        decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], morale=condition.IN_TEARS))
