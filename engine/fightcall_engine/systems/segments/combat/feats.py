"""Heroic Effects, Bumbles, and greater effects for a token (CS-635 to CS-641, CS-646, CS-652)."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.decision import Decision, record_ruling, whole
from fightcall_engine.kit.handlers import handles, reacts_to, rules_on
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Downed, Events, Restored
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.combat import blow_effects, hit_effects
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.state import commands, condition, events, items, queries, rolls
from fightcall_engine.systems.segments.state.condition import SCORES, UNTIL_ACT, UNTIL_FOE, UNTIL_SCENE
from fightcall_engine.systems.segments.state.events import TokenPassed
from fightcall_engine.systems.segments.state.queries import ATTACKS, ActionChanges, action_of, changed_parts
from fightcall_engine.systems.segments.state.records import Blow, Bonus, Feat, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import number_of
from fightcall_engine.systems.segments.state.settings import settings_of

_ASKED_ELSEWHERE = (
    "attack", "opportunity", "reprisal", "stray shot", "defence", "body_check", "tackle", "overbear", "stand",
    "P-RES", "HRT",
)  # fmt: skip
"""Checks that ask before they are resolved, and those of body and mind, which are only success or failure."""

_BATTLE = ("achieved:the purpose is achieved", "incapacitated:the foe is out of action, clean escape")
_TASK = ("time:time halved", "yield:more yield", "loss:half the loss", "magick:POT of the magick raised")

ENDED = "none"
_MOST = 999


@reacts_to(events.CheckResolved)
def follow_roll(decision: Decision, event: events.CheckResolved) -> None:
    """CS-635 to CS-641, CS-651: a Heroic Effect or Bumble of a roll: its token, and the GM's menu."""
    state = decision.state
    what: formulas.Feat | None = "heroic" if event.heroic else "bumble" if event.bumble else None
    combatant = state.combatants.get(event.who)
    if what is None or combatant is None:
        return
    kind = condition.HeroicEffect if what == "heroic" else condition.Bumble
    decision.emit(kind(who=combatant.id, kind=event.kind, chance=event.chance, roll=event.roll))
    at_once, token = formulas.rewards(what, token_mode(state))
    if token is not None:
        decision.emit(*rolls.give_token(combatant, token.colour))
    if at_once and (what == "bumble" or event.kind not in _ASKED_ELSEWHERE):
        decision.spawn(_ask_about_roll, event)


def _ask_about_roll(decision: Decision, event: events.CheckResolved) -> None:
    combatant, battle = decision.state.combatants[event.who], bool(event.target)
    wound = "wound:a self-inflicted wound" + (", as on 00" if event.roll == 100 else "")
    mishaps = (
        f"breaks:{_tool_of(combatant) or 'the tool'} breaks", wound, "jammed:picks are jammed", "spilled:it spills",
        "spoiled:material is spoiled",
    )  # fmt: skip
    kind, label, question, rule, offers = (
        ("bumble", "Bumble", "What happens?", "CS-641", mishaps)
        if event.bumble
        else ("heroic", "Heroic Effect", "Which effect?", "CS-639", _BATTLE)
        if battle
        else ("heroic", "Heroic Effect", "Which effect?", "CS-640", _TASK)
    )
    answer = decision.ask_about(
        combatant, kind, rule,
        f"{label} of {combatant.name} ({event.kind} {event.roll} at {event.chance} %). {question}",
        "plain:nothing more", *offers, *_other_feats(decision.state), default="plain",
        about=(event.target,) if battle else (), blocking=False,
    )  # fmt: skip
    if answer.choice:
        apply_pick(decision, event.who, answer.choice, event.target, rule)


def resolve_hit(decision: Decision, blow: Blow, late: bool = False) -> None:
    """Apply a hit, after the pick for a Heroic Effect (CS-547, CS-639); if `late`, its dice are asked for (CS-285)."""
    if not blow.heroic or token_mode(decision.state) == "token":
        hit_effects.apply_hit(decision, blow, late)
        return
    blow = hit_effects.with_strength(decision.state, blow)
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    answer = decision.ask_about(
        combatant, "heroic_blow", "CS-639",
        f"{combatant.name} hits {target.name} with a Heroic Effect. Which one?", "double:POT doubled", *_BATTLE,
        "plain:nothing more", *_other_feats(decision.state), default="double", about=(target.id,),
    )  # fmt: skip
    if answer.choice:
        hit_effects.apply_hit(decision, replace(blow, doubled=answer.choice == "double"))
        apply_pick(decision, blow.attacker, answer.choice, blow.target)


def ask_overturn(
    decision: Decision, combatant_id: str, other: str, kind: str, *, attacks: bool, doubles: bool = False
) -> str:
    """CS-635, CS-639: ask whether a Heroic Effect that lost prevails, perhaps by double POT; empty if one has left."""
    state = decision.state
    combatant, foe = state.combatants[combatant_id], state.combatants[other]
    harder = ("double:with double POT",) if doubles else ()
    more = (
        ("achieved:prevails anyway", *harder, "incapacitated:and the foe is out of action")
        if attacks
        else ("achieved:prevails anyway, with a Reprisal",)
    )
    return decision.ask_about(
        combatant, kind, "CS-639",
        f"{combatant.name} rolled a Heroic Effect, but {foe.name} did better. Which counts?",
        *more, "plain:the margins count", *_other_feats(state), default="achieved", about=(other,),
    ).choice  # fmt: skip


def offer_contest_feat(decision: Decision, combatant_id: str, foe_id: str) -> None:
    """CS-639: offer more effects to the winner of a contest by a Heroic Effect."""
    combatant, foe = decision.state.combatants[combatant_id], decision.state.combatants[foe_id]
    answer = decision.ask_about(
        combatant, "heroic", "CS-639", f"{combatant.name} beats {foe.name} with a Heroic Effect. Which one?",
        "plain:nothing more", *_BATTLE, *_other_feats(decision.state), default="plain", about=(foe_id,), blocking=False,
    )  # fmt: skip
    if answer.choice:
        apply_pick(decision, combatant_id, answer.choice, foe_id)


def offer_defence_feat(decision: Decision, blow: Blow) -> None:
    """CS-639: offer a Reprisal at once, even a postponed one, or another effect, for a heroic defence that held."""
    state = decision.state
    combatant, foe = state.combatants[blow.target], state.combatants[blow.attacker]
    earns = combatant.able and foe.able and bool(blow_effects.offer_at_once(state, blow))
    reprisal = ("reprisal:the defence earns a Reprisal",) if earns else ()
    answer = decision.ask_about(
        combatant, "heroic_defence", "CS-639",
        f"{combatant.name} defends against {foe.name} with a Heroic Effect. Which one?",
        *reprisal, *_BATTLE, "plain:nothing more", *_other_feats(state),
        default="reprisal" if earns else "plain", about=(foe.id,), blocking=earns,
    )  # fmt: skip
    if answer.choice == "reprisal":
        decision.emit(*blow_effects.offer_at_once(decision.state, blow))
    elif answer.choice:
        apply_pick(decision, blow.target, answer.choice, blow.attacker)


# Return of a foe who was put out


def ask_if_back(decision: Decision) -> None:
    """CS-639: ask at the end of the next segment whether a foe who was put out is up again."""
    state = decision.state
    for combatant in state.roster:
        until = fighter_of(combatant).out_until
        if 0 < until <= state.round:
            decision.emit(*queries.set_traits(combatant, out_until=0))
            if not combatant.able and fighter_of(combatant).life == queries.UP:
                decision.spawn(_ask_back, combatant.id)


def _ask_back(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    question = f"A Heroic Effect took {combatant.name} out of action. Back up?"
    answer = decision.ask_about(
        combatant, "back_up", "CS-639", question, "up:back up:y", "no:not yet", default="no", blocking=False
    )
    if answer.choice == "up" and not decision.state.combatants[combatant_id].able:
        decision.emit(Restored(who=combatant_id))


MOST = 9999


def token_mode(state: FightState) -> formulas.TokenMode:
    """What a Heroic Effect or Bumble gives; without the option of tokens always its effect (CS-652)."""
    return settings_of(state).token_mode if settings_of(state).fate_tokens else "effect"


def _other_feats(state: FightState) -> tuple[str, ...]:
    """CS-652: the choices of a token instead of the effect, or a greater effect for it now."""
    if not settings_of(state).fate_tokens:
        return ()
    token = ("token:a token instead",) if token_mode(state) == "effect" else ()
    return (*token, "deed:a greater effect now, for the token")


def apply_pick(decision: Decision, combatant_id: str, choice: str, foe_id: str, rule: str = "CS-639") -> None:
    """Apply a pick, against the foe if there is one; what only the GM can describe is recorded as a reminder."""
    combatant = decision.state.combatants[combatant_id]
    colour = "black" if rule == "CS-641" else "white"
    if choice == "token":
        decision.emit(*rolls.give_token(combatant, colour))
    elif choice == "deed":
        # A token that was given as well is spent (CS-652).
        if token_mode(decision.state) == "both":
            decision.emit(*rolls.spend_token(combatant, colour, "a greater effect"))
        decision.spawn(_ask_deed, combatant.id)
    elif choice == "wound":
        decision.hurt(combatant.id, 1, queries.HP)
    elif choice == "breaks" and (tool := _tool_of(combatant)):
        broken = (*fighter_of(combatant).broken, tool.lower())
        decision.emit(condition.ToolBroken(who=combatant.id, traits={"broken": broken}, tool=tool))
    elif choice == "incapacitated":
        foe = decision.state.combatants.get(foe_id)
        if foe is not None and foe.able:
            # It is out until the end of the next segment at least, and takes no parting shot (CS-639).
            decision.emit(*queries.set_traits(foe, out_until=decision.state.round + 1))
            decision.emit(Downed(who=foe_id, how="a Heroic Effect"))
    elif choice == "time":
        # The time of work in progress is halved; for finished work the text says so.
        action, label = action_of(combatant), "it takes half the time"
        before, after = action.need, formulas.time_halved(action.need)
        if not action.state or action.kind in ATTACKS or before <= after:
            decision.emit(_record_feat(decision.state, combatant, "time", "CS-640", label, due=True))
            return
        within, change = changed_parts(combatant, need=after) if action.is_open else {}, (str(before), str(after), "qa")
        decision.emit(_record_feat(decision.state, combatant, "time", "CS-640", label, change, within=within))
    elif choice in _NUMBERS:
        decision.spawn(_ask_number, combatant.id, choice)
    elif choice in _LEFT_TO_THE_GM:
        decision.emit(_record_feat(decision.state, combatant, choice, rule, _LEFT_TO_THE_GM[choice], due=True))


_LEFT_TO_THE_GM: Mapping[str, str] = {
    "achieved": "the purpose is achieved",
    "yield": "more yield",
    "jammed": "jams the work",
    "spilled": "spills it",
    "spoiled": "spoils the material",
    "breaks": "the tool breaks",
}


def _record_feat(
    state: FightState,
    combatant: Combatant,
    choice: str,
    rule: str,
    label: str,
    change: tuple[str, str, str] = ("", "", ""),
    *,
    due: bool = False,
    within: ActionChanges | None = None,
) -> condition.FeatChosen:
    traits: Mapping[str, Json] = {"feat": Feat(label, state.round)} if due else {}
    before, after, unit = change
    return condition.FeatChosen(
        who=combatant.id, traits=traits, within=within or {}, choice=choice, label=label, rule=rule, before=before,
        after=after, unit=unit, due=due,
    )  # fmt: skip


_NUMBERS: Mapping[str, tuple[str, str]] = {
    "loss": ("how much is normally lost?", "percent lost"),
    "magick": ("what is the POT of the magick?", "POT of the magick"),
    "mga": ("what is the caster's MGA?", "MGA"),
}


def _ask_number(decision: Decision, combatant_id: str, what: str) -> None:
    """CS-640: half of a loss; a magick's POT raised by MGA or doubled, whichever is less."""
    number = _number_of(decision, combatant_id, what)
    if number is None:
        return
    combatant = decision.state.combatants[combatant_id]
    label, after, unit = "half the loss", f"{float(formulas.loss_halved(number)):g}", "% lost"
    if what == "magick":
        mga = profile_of(combatant).skill("mga")
        mga = _number_of(decision, combatant_id, "mga") if mga is None else mga
        if mga is None:
            return
        label, after, unit = "the magick is raised", str(formulas.magick_raised(number, mga)), "POT"
    combatant = decision.state.combatants[combatant_id]
    decision.emit(_record_feat(decision.state, combatant, what, "CS-640", label, (str(number), after, unit)))


def _number_of(decision: Decision, combatant_id: str, what: str) -> int | None:
    """A number that the GM knows; None, which is recorded, if the GM works it out."""
    combatant, (question, amount) = decision.state.combatants[combatant_id], _NUMBERS[what]
    answer = decision.ask_about(
        combatant, "heroic_number", "CS-640", f"Heroic Effect of {combatant.name}: {question}",
        "untold:the GM works it out", default="untold", amount=amount, blocking=False,
    )  # fmt: skip
    if not answer.choice:
        return None
    if answer.choice == "untold":
        label = "half the loss" if what == "loss" else "POT of the magick raised"
        combatant = decision.state.combatants[combatant_id]
        decision.emit(_record_feat(decision.state, combatant, what, "CS-640", label, due=True))
        return None
    return number_of(answer, amount, "CS-640", 100 if what == "loss" else MOST, "untold")


def _tool_of(combatant: Combatant) -> str:
    """The item that breaks: the weapon of the Action, else the first held; empty for bare hands."""
    weapon = action_of(combatant).weapon
    names = [items.name_of(thing) for thing in items.items_in_hand(combatant).values()]
    return weapon if weapon in names else next(iter(names), "")


# Declaring a deed


@rules_on("deed")
def rule_deed(decision: Decision, rule: Rule) -> None:
    """CS-645 to CS-647: declare a deed: ``str 5``, ``pot 3 act``, ``av 4 until orc``; ``none`` ends it."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(rule.who)
    text = str(rule.value or "").strip().lower()
    if text == ENDED:
        record = record_ruling("CS-647", f"The heroic deed of {combatant.name}", "over", rule.note)
        decision.emit(record, *_end_deed(combatant, "the GM's ruling"))
        return
    # P-RES also goes by its name on a sheet, ``pres``.
    score, amount, until, foe, *more = (*text.split(), *[""] * 4)
    score = condition.PRES if score == "pres" else score
    if score not in SCORES or not (amount.isascii() and amount.isdecimal()) or int(amount[:9]) > _MOST or any(more):
        usual = ("str 5", "pot 5 act", "av 5 until orc", ENDED, *SCORES)
        raise Refused("CS-645", f"{text!r} is not a heroic bonus", usual, final=True)
    if until in ("", UNTIL_SCENE, UNTIL_ACT) and not foe:
        bonus = Bonus(score, int(amount), until or UNTIL_SCENE)
    elif until == "until":
        bonus = Bonus(score, int(amount), UNTIL_FOE, combatant_of(state, foe).id)
    else:
        accepts = (UNTIL_ACT, UNTIL_SCENE, "until <a foe>")
        raise Refused("CS-647", f"{until!r} is not a duration for a deed", accepts, final=True)
    most = profile_of(combatant).scores.hrt
    allowed_bonus = formulas.bonus_allowed(bonus.amount, most)
    wrong = f"a bonus of {bonus.amount} is more than HRT {most} allows"
    referee.require(bonus.amount == allowed_bonus, "CS-646", wrong, f"{bonus.score} {allowed_bonus}")
    bonus_text = condition.describe_bonus(state, bonus)
    decision.emit(record_ruling("CS-645", f"A heroic deed of {combatant.name}", bonus_text, rule.note))
    # A new bonus to the same score replaces the old one.
    others = [each for each in fighter_of(combatant).deed if each.score != bonus.score]
    decision.emit(
        condition.HeroicsDeclared(
            who=combatant.id, traits={"deed": (*others, bonus), "deed_cost": True}, score=bonus.score,
            bonus=bonus.amount, told=bonus_text, note=rule.note,
        )
    )  # fmt: skip


def _end_deed(combatant: Combatant, reason: str, until: str = "", foe: str = "") -> Events:
    """CS-647: the events that end a deed, or only its bonuses with this duration and foe."""
    before = fighter_of(combatant).deed
    remaining = tuple(each for each in before if until and (each.until != until or each.foe != foe))
    if len(remaining) == len(before):
        return ()
    return (condition.HeroicsEnded(who=combatant.id, traits={"deed": remaining}, reason=reason),)


def end_act_bonuses(state: FightState, combatant_id: str) -> Events:
    """CS-647: end bonuses for one Action."""
    combatant = state.combatants.get(combatant_id)
    return () if combatant is None else _end_deed(combatant, "the Action is over", UNTIL_ACT)


def end_bonuses_against(state: FightState, combatant_id: str, reason: str) -> Events:
    """CS-647: end bonuses against a foe who is down, or has left."""
    endings = (_end_deed(combatant, reason, UNTIL_FOE, combatant_id) for combatant in state.roster)
    return tuple(event for events in endings for event in events)


def _ask_deed(decision: Decision, combatant_id: str) -> None:
    """CS-645, CS-652: ask which deed a token buys at once, and declare it by the rules of the ruling."""
    combatant = decision.state.combatants[combatant_id]
    most = profile_of(combatant).scores.hrt
    answer = decision.ask_about(
        combatant, "heroic_deed", "CS-652",
        f"{combatant.name} tries a heroic deed (HRT {most} at most). Which score?",
        "none:never mind", default="none", amount="such as str 5, pot 3 act, av 4 until orc",
    )  # fmt: skip
    if answer.choice in ("", ENDED):
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
    answer = decision.ask_about(
        combatant, "heroic_cost", "CS-648",
        f"{combatant.name} has done the impossible. What does it cost the body?",
        "none:nothing", "coma:a coma", "death", default="none", amount="wounds",
    )  # fmt: skip
    if not answer.choice:
        return
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], deed=(), deed_cost=False))
    if answer.choice in ("coma", "death"):
        life = queries.UNCONSCIOUS if answer.choice == "coma" else queries.DEAD
        decision.emit(*condition.life_events(decision.state.combatants[combatant_id], life))
    elif answer.choice != "none":
        count = whole("CS-648", answer.amount, 0, "number of wounds", most=99, besides=("none",))
        if count:
            decision.hurt(combatant_id, count, queries.HP)


# Tokens


@handles(commands.Token)
def decide_token(decision: Decision, command: commands.Token) -> None:
    """Give, spend or pass a token (CS-654)."""
    combatant = decision.combatant(command.who)
    if command.what not in rolls.DEEDS or command.colour not in rolls.COLOURS:
        wrong, accepts = (command.colour, rolls.COLOURS) if command.what in rolls.DEEDS else (command.what, rolls.DEEDS)
        raise Refused("CS-651", f"unknown word for tokens: {wrong!r}", accepts, final=True)
    has_tokens = settings_of(decision.state).fate_tokens
    decision.referee.require(has_tokens, "CS-651", "tokens need the option fate_tokens", "the setting fate_tokens")
    if command.what == "give":
        decision.emit(*rolls.give_token(combatant, command.colour))
        return
    matches = [token for token in fighter_of(combatant).tokens if token[0] == command.colour]
    if not matches:
        held_colours = tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens)) or ("give one first",)
        raise Refused("CS-653", f"{combatant.name} has no {command.colour} token", held_colours, final=True)
    if command.what == "spend":
        decision.emit(*rolls.spend_token(combatant, command.colour, command.on))
        return
    other = decision.combatant(command.to) if command.to else None
    if other is None or other.id == combatant.id:
        others = tuple(other_id for other_id in decision.state.combatants if other_id != combatant.id)
        raise Refused("CS-654", "who gets the token?", others, final=True)
    token = min(matches, key=lambda match: match[1])
    most = settings_of(decision.state).fate_pass_limit
    problem = f"this {command.colour} token has been passed on {token[1]} times; {most} is the most"
    decision.referee.require(token[1] < most, "CS-654", problem, "spend it")
    traits = {"tokens": rolls.tokens_without(combatant, token)}
    decision.emit(TokenPassed(who=combatant.id, traits=traits, colour=token[0], to=other.id, passes=token[1] + 1))
    decision.emit(*rolls.give_token(decision.state.combatants[other.id], token[0], token[1] + 1))
