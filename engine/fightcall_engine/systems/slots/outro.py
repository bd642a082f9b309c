"""Winding down: All Resolve, Slow Burn, or another way (AP-46..53, Q-A18, Q-A19)."""

from fightcall_engine.kit.checks import enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, record_answer
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import problems, rounds, several, upkeep, zone_marks

ALL_RESOLVE, SLOW_BURN = "all_resolve", "slow_burn"


# The choice


def threats_over(state: FightState) -> ev.Events:
    """AP-46: the GM says that no threat is left, and is asked how to wind down."""
    if fg.text_fact(state, "threats") == "over":
        return ()
    said = sev.ThreatsPlayedOut(before="", value="over")
    return (said, ev.RulingAsked(prompt=outro_prompt(state)))


def in_need(state: FightState) -> tuple[str, ...]:
    """AP-46, AP-53: what speaks for Slow Burn: who is down, who still takes harm, who heals over time."""
    found = []
    for combatant in fg.in_order(state):
        if fg.is_pc(combatant) and not combatant.able:
            found.append(f"{combatant.name} is {'dead' if fg.trait(combatant, 'dead') is True else 'down'}")
        if not fg.is_pc(combatant):
            continue
        harm = ", ".join(effect.name for effect in upkeep.pulsing(combatant, fg.DAMAGE))
        found += [f"{combatant.name}: {harm}"] if harm else []
        more, healing = upkeep.regrowth(combatant)
        found += [f"{combatant.name} still heals {more}"] if healing and more else []
    return tuple(found)


def outro_prompt(state: FightState) -> Prompt:
    """AP-46: two ways are printed, a few are promised (Q-A19)."""
    need = in_need(state)
    hint = f" Slow Burn? {'; '.join(need)}." if need else ""
    burning = fg.slow_burning(state)
    opening = "The problem is solved." if burning else "The threats are over."
    return Prompt(
        id="",
        kind="outro",
        question=f"{opening}{hint} How does it end?",
        rule="AP-46",
        choices=choices(
            f"{ALL_RESOLVE}:All Resolve",
            f"{SLOW_BURN}:Slow Burn{', another problem' if burning else ''}",
            "other",
        ),
    )


def decide_outro(decision: Decision, command: scm.Outro) -> ev.Events:
    """AP-46, AP-47: once the threats are over; All Resolve may also end a Slow Burn."""
    state, referee = decision.state, decision.referee
    choice = command.choice.strip()
    if not choice:
        raise Refused("AP-46", "which way?", (ALL_RESOLVE, SLOW_BURN, "any words"), final=True)
    over = fg.text_fact(state, "threats") == "over"
    referee.require(over, "AP-46", "the threats are not over yet", "a ruling: threats_over")
    if choice == SLOW_BURN and fg.slow_burning(state):
        raise Refused("AP-48", "Slow Burn runs already", (ALL_RESOLVE, "any words"), final=True)
    records = tuple(
        record_answer(prompt, choice, default=False) for prompt in state.prompts if prompt.kind in ("outro", "issue")
    )
    said: ev.Events = () if over else (sev.ThreatsPlayedOut(before="", value="over"),)
    later = fold_all(state, (*records, *said))
    return (*records, *said, *choose_outro(later, choice, command.note))


def answer_outro(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """The way that the GM chooses; words in the note say what other way."""
    if given.choice != "other":
        return choose_outro(state, given.choice, given.note)
    if given.note.strip():
        return choose_outro(state, given.note.strip(), "")
    return (ev.RulingAsked(prompt=words_prompt()),)


def words_prompt() -> Prompt:
    """Q-A19: another way to end, in the GM's words."""
    return Prompt(id="", kind="outro_words", question="How does it end?", rule="AP-46", choices=())


def choose_outro(state: FightState, choice: str, note: str) -> ev.Events:
    """AP-46: the encounter ends, or goes on as a Slow Burn."""
    before = fg.text_fact(state, "outro")
    if choice == SLOW_BURN and before == SLOW_BURN:
        return (ev.RulingAsked(prompt=problems.issue_prompt()),)
    picked = sev.OutroChosen(before=before, value=choice)
    if choice == SLOW_BURN:
        # Problems that were left when the fight turned hot again are taken up where they were.
        left = problems.open_problems(state)
        asked = () if left else (ev.RulingAsked(prompt=problems.issue_prompt()),)
        return (picked, *asked, *_close_round_together(state))
    if choice == ALL_RESOLVE:
        return (picked, *all_resolve(state))
    return (picked, *_leave(state), sev.EncounterEnded(reason=note or choice))


def threats_back(state: FightState) -> ev.Events:
    """AP-46, AP-48: the GM says that a threat is there again: the next round is fought in the Cycle."""
    burning = fg.slow_burning(state)
    moot = tuple(
        record_answer(prompt, "moot", default=True, note="the threats are back")
        for prompt in state.prompts
        if prompt.kind in ("outro", "outro_words", "issue")
    )
    said = (*moot, sev.ThreatsReturned(before=fg.fact(state, "threats")))
    return (*said, fg.set_fact(state, "outro", ""), *_close_round_together(state)) if burning else said


def _close_round_together(state: FightState) -> ev.Events:
    """AP-48: rounds go on, so the one that runs closes with its Upkeep; as in combat it is simply played on."""
    together = state.settings.get("slow_burn_order", "together") == "together"
    return (fg.set_fact(state, "until", "close"),) if together and state.phase in fg.ROUND_PHASES else ()


def all_resolve(state: FightState) -> ev.Events:
    """AP-47: combat effects end at once, without further pulses; the Cycle is left and the board cleaned."""
    caused: list[ev.Event] = []
    for combatant in fg.in_order(state):
        for effect in combatant.effects:
            caused.append(ev.EffectEnded(who=combatant.id, effect=effect.id, name=effect.name, reason="All Resolve"))
    caused.extend(_leave(state))
    caused.extend(zone_marks.cleared(mark, "All Resolve") for mark in zone_marks.zone_marks(state))
    caused.extend(ev.ContactLeft(who=combatant_id, enemy=enemy) for combatant_id, enemy in state.contacts)
    standing = tuple(combatant for combatant in fg.in_order(state) if combatant.at is not None)
    caused.extend(ev.Placed(who=combatant.id, before=combatant.at, at=None) for combatant in standing)
    caused.append(sev.BoardCleared(figures=tuple(combatant.id for combatant in standing)))
    return (*caused, sev.EncounterEnded(reason="All Resolve"))


def _leave(state: FightState) -> ev.Events:
    """AP-47: no work, no slots and no place is left over, and nothing of what was remembered of the rounds."""
    caused: list[ev.Event] = []
    for combatant in fg.in_order(state):
        caused.extend(several.drop_action(combatant, "the Cycle is left"))
        for name in (fg.SLOTS, fg.RESERVED):
            held = combatant.pool(name)
            if held.now:
                caused.append(sev.SlotsCleared(who=combatant.id, pool=name, before=held.now, left=0, max=held.max))
    caused.append(sev.CycleLeft(steps=(), cursor=-1, reason="the Cycle is left"))
    people = fold_all(state, caused).combatants.values()
    for name, value in fg.TRAITS.items():
        if name not in fg.LASTING_TRAITS:
            caused.extend(fg.reset(people, name, value))
    caused.extend(
        fg.set_fact(state, name, value)
        for name, value in fg.FACTS.items()
        if name not in fg.LASTING_FACTS and fg.fact(state, name) != value
    )
    caused.extend(
        fg.set_fact(state, problems.fact_of(problems.NAME, problem.number), "")
        for problem in problems.open_problems(state)
        if problem.number > 1
    )
    return tuple(caused)


# After Upkeep


def after_upkeep(state: FightState) -> ev.Events:
    """AP-42, AP-48: the next Full Round, the next round of Slow Burn, or the question how it ends."""
    ended: ev.Events = (
        sev.UpkeepEnded(index=state.agenda.cursor, phase="upkeep", reason="all is resolved"),
        fg.set_fact(state, "upkeep", ""),
        *((fg.set_fact(state, "until", ""),) if fg.text_fact(state, "until") else ()),
        *((fg.set_fact(state, "outside", ""),) if fg.text_fact(state, "outside") else ()),
    )
    later = fold_all(state, ended)
    return (*ended, *rounds.start_round(later))


def wants_an_end(state: FightState) -> bool:
    """True between rounds of Slow Burn where no problem is left to be solved."""
    return fg.slow_burning(state) and not problems.open_problems(state)


def decide_add_up(state: FightState, combatant: Combatant, referee: Referee) -> ev.Events:
    """AP-52: the pulses of healing that are left are added up, capped at the maximum, and their effects end."""
    enforce(upkeep.add_up_checks(state, combatant), referee)
    held = combatant.pool("hp")
    _, healing = upkeep.regrowth(combatant)
    caused: list[ev.Event] = []
    now = held.now
    for effect in healing:
        whole = held.max - now if effect.left is None else upkeep.strength(effect) * effect.left
        left = min(held.max, now + whole)
        if left > now:
            caused.append(
                sev.HealPulsed(
                    who=combatant.id,
                    pool="hp",
                    before=now,
                    left=left,
                    max=held.max,
                    amount=left - now,
                    effect=effect.name,
                )
            )
        caused.append(sev.EffectExpired(who=combatant.id, effect=effect.id, name=effect.name, reason="added up"))
        now = left
    return tuple(caused)
