"""Heroic deeds, paid for with their cost or with tokens, and the handling of tokens (CS-645..654)."""

from __future__ import annotations

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rulings import record_ruling, whole
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import aftermath_commands, harm_events, health, queries, scores, tokens
from fightcall_engine.systems.segments.state.fighter import Bonus, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import ACT, FOE, SCENE, SCORES
from fightcall_engine.systems.segments.state.settings import settings_of

ENDED = "none"

USUAL = ("str 5", "pot 5 act", "av 5 until orc", ENDED)

_MOST = 999


# Declaring a deed


@rules_on("deed")
def rule_deed(decision: Decision, rule: Rule) -> None:
    """CS-645 to CS-647: declare a deed: ``str 5``, ``pot 3 act``, ``av 4 until orc``; ``none`` ends it.

    Raises:
        Refused: the bonus cannot be read, or is more than HRT.
    """
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(rule.who)
    text = str(rule.value or "").strip().lower()
    if text == ENDED:
        record = record_ruling("CS-647", f"The heroic deed of {combatant.name}", "over", rule.note)
        decision.emit(record, *end_deed(combatant, "the GM's ruling"))
        return
    bonus = read_bonus(state, text)
    most = profile_of(combatant).scores.hrt
    allowed_bonus = heroics.bonus_allowed(bonus.amount, most)
    wrong = f"a bonus of {bonus.amount} is more than HRT {most} allows"
    referee.require(bonus.amount == allowed_bonus, "CS-646", wrong, f"{bonus.score} {allowed_bonus}")
    record = record_ruling(
        "CS-645", f"A heroic deed of {combatant.name}", scores.describe_bonus(state, bonus), rule.note
    )
    decision.emit(record, *declare_deed(state, combatant, bonus, rule.note))


def read_bonus(state: FightState, text: str) -> Bonus:
    """The bonus of a deed as typed; P-RES also goes by its name on a sheet, ``pres``.

    Raises:
        Refused: it cannot be read.
    """
    score, amount, until, foe, *more = (*text.strip().lower().split(), *[""] * 4)
    score = scores.PRES if score == "pres" else score
    if score not in SCORES or not (amount.isascii() and amount.isdecimal()) or int(amount[:9]) > _MOST or any(more):
        raise Refused("CS-645", f"{text!r} is not a heroic bonus", (*USUAL, *SCORES), final=True)
    if until in ("", SCENE, ACT) and not foe:
        return Bonus(score, int(amount), until or SCENE)
    if until != "until":
        raise Refused("CS-647", f"{until!r} is not a duration for a deed", (ACT, SCENE, "until <a foe>"), final=True)
    return Bonus(score, int(amount), FOE, combatant_of(state, foe).id)


def declare_deed(state: FightState, combatant: Combatant, bonus: Bonus, note: str = "") -> Events:
    """The event of a deed; a new bonus to the same score replaces the old one."""
    others = [each for each in fighter_of(combatant).deed if each.score != bonus.score]
    traits = {"deed": (*others, bonus), "deed_cost": True}
    text = scores.describe_bonus(state, bonus)
    return (
        harm_events.HeroicsDeclared(
            who=combatant.id, traits=traits, score=bonus.score, bonus=bonus.amount, told=text, note=note
        ),
    )


def end_deed(combatant: Combatant, reason: str, until: str = "", foe: str = "") -> Events:
    """CS-647: the events that end a deed, or only its bonuses with this duration and foe."""
    before = fighter_of(combatant).deed
    remaining = tuple(each for each in before if until and (each.until != until or each.foe != foe))
    if len(remaining) == len(before):
        return ()
    return (harm_events.HeroicsEnded(who=combatant.id, traits={"deed": remaining}, reason=reason),)


def end_act_bonuses(state: FightState, combatant_id: str) -> Events:
    """CS-647: end bonuses for one Action."""
    combatant = state.combatants.get(combatant_id)
    return () if combatant is None else end_deed(combatant, "the Action is over", ACT)


def end_foe_bonuses(state: FightState, combatant_id: str) -> Events:
    """CS-647: end bonuses against a foe who is down."""
    return _settle_deed(state, combatant_id, f"{state.combatants[combatant_id].name} is down")


def after_departure(state: FightState, combatant_id: str) -> Events:
    """CS-647: end bonuses against a foe who has left."""
    return _settle_deed(state, combatant_id, "the foe has left")


def _settle_deed(state: FightState, combatant_id: str, reason: str) -> Events:
    endings = (end_deed(combatant, reason, FOE, combatant_id) for combatant in state.roster)
    return tuple(event for events in endings for event in events)


def ask_deed(decision: Decision, combatant_id: str) -> None:
    """CS-645, CS-652: ask which deed a token buys at once, and declare it by the rules of the ruling."""
    combatant = decision.state.combatants[combatant_id]
    most = profile_of(combatant).scores.hrt
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="heroic_deed",
            question=f"{combatant.name} tries a heroic deed (HRT {most} at most). Which score?",
            rule="CS-652",
            choices=choices("none:never mind"),
            default="none",
            amount="such as str 5, pot 3 act, av 4 until orc",
        )
    )
    if answer is None or answer.choice == ENDED:
        return
    text = str(answer.amount if answer.amount is not None else answer.value or "")
    rule_deed(decision, Rule(what="deed", who=combatant_id, value=text, note="a token"))


# The cost of a deed


def ask_costs(decision: Decision) -> None:
    """CS-648: ask, after the fight, what deeds have done to the body."""
    for combatant in decision.state.roster:
        if fighter_of(combatant).deed_cost:
            decision.spawn(_ask_cost, combatant.id)


def _ask_cost(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    answer = decision.ask(
        prompt_for(
            combatant, kind="heroic_cost", rule="CS-648", amount="wounds",
            question=f"{combatant.name} has done the impossible. What does it cost the body?",
            choices=choices("none:nothing", "coma:a coma", "death"), default="none",
        )
    )  # fmt: skip
    if answer is None:
        return
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], deed=(), deed_cost=False))
    if answer.choice in ("coma", "death"):
        life = queries.UNCONSCIOUS if answer.choice == "coma" else queries.DEAD
        decision.emit(*health.life_events(decision.state.combatants[combatant_id], life))
    elif answer.choice != "none":
        count = whole("CS-648", answer.amount, 0, "number of wounds", most=99, besides=("none",))
        if count:
            decision.hurt(combatant_id, count, queries.HP)


# Tokens


@handles(aftermath_commands.Token)
def decide_token(decision: Decision, command: aftermath_commands.Token) -> None:
    """Give, spend or pass a token.

    Raises:
        Refused: the option is off, there is no such token, or it has been handed on before (CS-654).
    """
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if command.what not in tokens.DEEDS or command.colour not in tokens.COLOURS:
        wrong, accepts = (
            (command.colour, tokens.COLOURS) if command.what in tokens.DEEDS else (command.what, tokens.DEEDS)
        )
        raise Refused("CS-651", f"unknown word for tokens: {wrong!r}", accepts, final=True)
    has_tokens = settings_of(state).fate_tokens
    referee.require(has_tokens, "CS-651", "tokens need the option fate_tokens", "the setting fate_tokens")
    if command.what == "give":
        decision.emit(*tokens.give_token(combatant, command.colour))
        return
    matches = [token for token in fighter_of(combatant).tokens if token[0] == command.colour]
    if not matches:
        held_colours = tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens)) or ("give one first",)
        raise Refused("CS-653", f"{combatant.name} has no {command.colour} token", held_colours, final=True)
    if command.what == "pass":
        _pass_token(decision, combatant, command, matches)
        return
    decision.emit(*tokens.spend_token(combatant, command.colour, command.on))


def _pass_token(
    decision: Decision,
    combatant: Combatant,
    command: aftermath_commands.Token,
    matches: list[tuple[str, int]],
) -> None:
    """CS-654: pass a token as often as the setting allows, usually once."""
    state = decision.state
    other = decision.combatant(command.to) if command.to else None
    if other is None or other.id == combatant.id:
        others = tuple(other_id for other_id in state.combatants if other_id != combatant.id)
        raise Refused("CS-654", "who gets the token?", others, final=True)
    token = min(matches, key=lambda match: match[1])
    limit = settings_of(state).fate_pass_limit
    most = limit if isinstance(limit, int) and not isinstance(limit, bool) else 1
    problem = f"this {command.colour} token has been passed on {token[1]} times; {most} is the most"
    decision.referee.require(token[1] < most, "CS-654", problem, "spend it")
    traits = {"tokens": tokens.tokens_without(combatant, token)}
    decision.emit(
        harm_events.TokenPassed(who=combatant.id, traits=traits, colour=token[0], to=other.id, passes=token[1] + 1)
    )
    decision.emit(*tokens.give_token(decision.state.combatants[other.id], token[0], token[1] + 1))
