"""Percentile checks: the numbers shown, the chance, the die, open questions, and tokens spent on a roll (CS-653).

The Task Resolution Table is not in the text (M-01): a chance is typed in, read from the GM's own table, or computed
proportionally. Unknown numbers are asked for, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from fightcall_engine.kit.decision import Decision, choices, prompt_for, read_flag, record_roll, record_ruling
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.views import Trail, TrailPart
from fightcall_engine.model.commands import Answer, Rule
from fightcall_engine.model.dice import Roll
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events, SettingChanged
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt, Resume
from fightcall_engine.model.values import classes_in, frozen, replace
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.state import events, queries
from fightcall_engine.systems.segments.state.records import Blow, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

CHECK_PROMPT = "check"
"""The kind of prompt for a check with something missing."""
BY_LINE = "line"
"""The answer that takes all chances from a straight line from now on."""
MOST_DIFFICULTY = 200
"""The highest DV that is tried to explain a chance."""

Parts = tuple[tuple[str, str, str], ...]
COLOURS = ("white", "black", "fate")
DEEDS = ("give", "spend", "pass")
FATE = "fate"
"""The kind of the question for a token."""


class Question(Resume):
    """The base of all questions of this system."""

    def without(self, combatant_id: str) -> Question | None:
        """The question after a combatant has left; None if it is moot."""
        return None if combatant_id in self.subjects else self


def number_of(answer: Answer, meaning: str, rule: str, most: int, *others: str, least: int = 0) -> int:
    """A whole number from `least` to `most` typed as an answer; a refusal lists the `others` that can be answered."""
    number = answer.amount
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        accepts = (f"{least} to {most}", *others)
        raise Refused(rule, f"{meaning}: {number!r} is not accepted", accepts, final=True)
    return number


# Questions


class AskedCheck(Question):
    """A check that a combatant has to make, with its numbers as far as known."""

    what: str = ""
    av: int | None = None
    dv: int | None = None
    chance: int | None = None
    target: str = ""
    purpose: str = "check"

    @property
    def subjects(self) -> tuple[str, ...]:
        """The opponent."""
        return (self.target,) if self.target else ()


class FeetCheck(AskedCheck):
    """A check to stay upright, after being driven back from a place, or empty (CS-463, CS-562)."""

    start: str = ""


class HandleCheck(AskedCheck):
    """A check in handling an object, with the ids of all who take part."""

    people: tuple[str, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """All who take part."""
        return self.people


class AskedBlow(Question):
    """An attack about which something is asked: the effect of its hit, its POT, or whether it is answered."""

    blow: Blow

    @property
    def subjects(self) -> tuple[str, ...]:
        """Attacker and target."""
        return (self.blow.attacker, self.blow.target)


class OfferedOpportunity(Question):
    """An Opportunity Action of this kind on another combatant (CS-236)."""

    other: str
    kind: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The other combatant, if any."""
        return (self.other,) if self.other else ()


class UnsettledAction(Question):
    """An Action that is due and not resolved, with the hands whose attacks are (CS-092)."""

    struck: tuple[str, ...] = ()


RESUMES = classes_in(__name__, Question)[1:]

ATTACK_RULES = frozenset({
    "CS-321", "CS-345", "CS-447", "CS-455", "CS-461", "CS-463", "CS-466", "CS-468", "CS-475", "CS-481", "CS-484",
    "CS-485", "CS-511", "CS-513", "CS-545", "CS-562", "CS-601", "CS-610", "CS-612", "CS-639", "M-02",
})  # fmt: skip
"""The rules by which an attack and its effects ask, until the next act."""


@frozen
class Verdict:
    """The result of a check; chance and roll are None if only the outcome is known (CS-635)."""

    ok: bool
    chance: int | None
    roll: int | None
    heroic: bool
    what: str

    @property
    def margin(self) -> int:
        """The margin of success; 0 if unknown."""
        return self.numbers.margin

    @property
    def fail_margin(self) -> int:
        """The margin of failure; 0 if unknown."""
        return 0 if self.chance is None or self.roll is None else self.numbers.fail_margin

    @property
    def numbers(self) -> formulas.D100:
        """Chance and roll in the terms of the formulas; those of a given outcome have a margin of 0."""
        if self.roll is None or self.chance is None:
            return formulas.D100(1 if self.ok else 0, 1)
        return formulas.D100(self.chance, self.roll)


# Numbers and their display


def parts_of(*sums: formulas.Sum) -> Parts:
    """The parts of sums: label, signed value, rule."""
    return tuple((part.label, _format_signed(part.value), part.rule) for sum in sums for part in sum.parts)


def trail_of(subject: str, total: str, *sums: formulas.Sum) -> Trail:
    """The explanation of a number by sums."""
    return Trail(subject, total, tuple(TrailPart(*part) for part in parts_of(*sums)))


def _format_signed(value: formulas.Number) -> str:
    """A number as a part of a sum: signed, and exact to a hundredth (R-2)."""
    whole = value.denominator == 1
    return f"{int(value):+d}" if whole else f"{float(value):+.2f}".rstrip("0")


def rounded(total: formulas.Sum) -> int:
    """The value of a sum that is rolled: rounded once, at the end (R-1, R-2)."""
    return formulas.rhu(total.total)


def scale_of(state: FightState) -> formulas.Progressive:
    """The Progressive scale of this fight (R-4, M-03); the default one while the GM's has no numbers yet."""
    reading, own_values = settings_of(state).progressive, settings_of(state).progressive_values
    if reading == "linear":
        return "linear"
    if reading != "custom table" or not own_values.strip():
        return "triangular"
    try:
        return formulas.read_scale(own_values)
    except ValueError as error:
        raise Refused("M-03", str(error), ("whole numbers for 1, 2, 3...",), final=True) from None


_table = cache(formulas.read_chances)


def chance_against(state: FightState, av: int | None, dv: int | None) -> int | None:
    """The chance of AV against DV, by this fight's reading; None if the GM must say (R-5, M-01)."""
    reading, text = settings_of(state).resolution, settings_of(state).chance_table
    if av is None or dv is None:
        return None
    if reading == "linear":
        return _chance_on_line(state, av, dv)
    if reading != "table" or not text.strip():
        return None
    try:
        return _table(text).chance(av, dv)
    except ValueError:
        return None


def difficulty_for_chance(state: FightState, av: int, chance: int) -> int | None:
    """The lowest DV at which an AV has at most this chance, or None; by the table or on a straight line."""
    chance_at = chance_against if settings_of(state).resolution == "table" else _chance_on_line
    chances = ((dv, chance_at(state, av, dv)) for dv in range(MOST_DIFFICULTY + 1))
    return next((dv for dv, dv_chance in chances if dv_chance is not None and dv_chance <= chance), None)


def _chance_on_line(state: FightState, av: int, dv: int) -> int:
    settings = settings_of(state)
    base, step, most = settings.linear_base, settings.linear_step, settings.linear_most
    return formulas.linear_chance(av, dv, base=base, step=step, lowest=min(settings.linear_least, most), highest=most)


# Rolling


def valid_chance(chance: int) -> int:
    """A typed percentage, or Refused."""
    if not 0 <= chance <= 100:
        raise Refused("R-5", f"{chance} is not a percentage", ("0 to 100",), final=True)
    return chance


def roll_check(
    decision: Decision, combatant_id: str, kind: str, chance: int, *, purpose: str = "check", target: str = ""
) -> Verdict | None:
    """Roll d100 against a chance (R-3), which a token may change (CS-653).

    It may be a Heroic Effect or a Bumble by the fight's options (CS-635, CS-637). Returns None if one of both has left,
    or whoever rolled has gone down, before it was known whether a token changes it.
    """
    roll = decision.dice.roll("d100", f"{purpose}.{combatant_id}", combatant_id)
    changed = _changed_roll(decision, combatant_id, target, kind, valid_chance(chance), roll.total)
    if changed is None:
        return None
    if changed != roll.total:
        roll = replace(roll, faces=(changed,), kept=(changed,), total=changed, source="table")
    feat = _feat_of(decision.state, combatant_id, chance, roll.total)
    return record_check(decision, combatant_id, kind, chance, roll, feat, target)


def record_check(
    decision: Decision, combatant_id: str, kind: str, chance: int, roll: Roll, feat: formulas.Feat | None, target: str
) -> Verdict:
    """Record a check that was rolled."""
    check = formulas.D100(chance, roll.total)
    fact = events.CheckResolved(
        who=combatant_id, kind=kind, chance=chance, roll=roll.total, ok=check.succeeded, margin=check.margin,
        fail_margin=check.fail_margin, heroic=feat == "heroic", bumble=feat == "bumble", target=target,
    )  # fmt: skip
    decision.emit(record_roll(roll, combatant_id), fact)
    return Verdict(check.succeeded, chance, roll.total, feat == "heroic", kind)


def _feat_of(state: FightState, combatant_id: str, chance: int, roll: int) -> formulas.Feat | None:
    """The Heroic Effect or Bumble of a d100, by the options and whether the scene is pivotal (CS-635 to CS-638)."""
    combatant, settings = state.combatants.get(combatant_id), settings_of(state)
    feat = formulas.feat(chance, roll)
    if combatant is None or feat is None:
        return None
    pivotal = battle_of(state).pivotal
    if feat == "bumble":
        return feat if settings.bumbles and formulas.is_in_scope(pivotal, settings.heroic_scope) else None
    can_be_heroic = formulas.may_be_heroic(
        profile_of(combatant).is_player, pivotal, who=settings.heroic_for, scope=settings.heroic_scope
    )
    return feat if settings.heroic_effects and can_be_heroic else None


# Asking


def make_check(
    decision: Decision,
    combatant_id: str,
    what: str,
    av: formulas.Sum | int | None,
    dv: formulas.Sum | int | None,
    rule: str,
    question: str,
    *,
    owed: bool = False,
    requested: bool = True,
    parts: Parts = (),
    target: str = "",
    chance: int | None = None,
    hit: bool | None = None,
    purpose: str = "check",
    blocking: bool = True,
    about: tuple[str, ...] = (),
    asked: AskedCheck | None = None,
) -> Verdict | None:
    """Make a check of AV against DV, and ask in the middle for what is missing: the chance or the die (R-3, R-5, M-01).

    Returns None if the combatant or the target has left before it was made, or nobody waits for it any more. `owed`:
    ask for the die even if the chance is known. `requested`: say first that the check is called for. The GM may rule
    `chance` or `hit`. Without those in `about` it is moot.
    """
    sums = [each for each in (av, dv) if isinstance(each, formulas.Sum)]
    av, dv = (rounded(each) if isinstance(each, formulas.Sum) else each for each in (av, dv))
    if requested:
        decision.emit(
            events.CheckRequested(
                who=combatant_id, kind=what, av=av, dv=dv, parts=(*parts_of(*sums), *parts), target=target
            )
        )
    chance = chance_against(decision.state, av, dv) if chance is None else chance
    while hit is None and (owed or chance is None):
        state = decision.state
        check = replace(asked or AskedCheck(), what=what, av=av, dv=dv, chance=chance, target=target, purpose=purpose)
        prompt = _check_prompt(state, state.combatants[combatant_id], rule, check, question, blocking)
        answer = decision.ask(replace(prompt, about=about) if about else prompt)
        if answer is None:
            return None
        if answer.choice == BY_LINE:
            owed = True
            _use_line(decision)
            chance = chance_against(decision.state, av, dv)
            continue
        if answer.choice in ("made", "failed"):
            hit = answer.choice == "made"
        elif answer.amount is not None or chance is None:
            if not isinstance(answer.amount, int) or isinstance(answer.amount, bool):
                raise Refused(rule, f"{answer.amount!r} is not a chance", ("0 to 100", "made", "failed"), final=True)
            chance = valid_chance(answer.amount)
        break
    if hit is None:
        return roll_check(decision, combatant_id, what, chance or 0, purpose=purpose, target=target)
    decision.emit(events.CheckResolved(who=combatant_id, kind=what, chance=None, roll=None, ok=hit, target=target))
    return Verdict(hit, None, None, False, what)


def _use_line(decision: Decision) -> None:
    """Take all chances from a straight line from now on, and let those go on who ask for another chance (M-01)."""
    before = settings_of(decision.state).resolution
    if before == "linear":
        return
    decision.emit(SettingChanged(setting="resolution", before=before, value="linear"))
    for prompt, check in tuple(owed_checks(decision.state)):
        if prompt.amount == "chance" and line_words(decision.state, check.av, check.dv):
            decision.answer(prompt, Answer(prompt=prompt.id, choice=BY_LINE))


def _check_prompt(
    state: FightState, combatant: Combatant, rule: str, check: AskedCheck, message: str, blocking: bool
) -> Prompt:
    """The question for a check: for a percentage if it is unknown, else for a die; `message` in other words."""
    value = "" if check.av is None else f" {check.av}"
    against = "" if check.dv is None else f" against DV {check.dv}"
    text = message or f"{combatant.name}: {check.what}{value}{against}"
    if check.chance is not None:
        question, answers = f"{text}, {check.chance} %?", choices("roll", "made", "failed")
        default, dice, purpose, amount = "roll", "d100", "check", ""
    else:
        by_line = line_words(state, check.av, check.dv)
        answers = choices("made", "failed", *([Choice(BY_LINE, by_line, "s")] if by_line else []))
        question, default, dice, purpose, amount = f"{text}. Chance in %?", "", "", "", "chance"
    return prompt_for(
        combatant, kind=CHECK_PROMPT, question=question, rule=rule, choices=answers, default=default, dice=dice,
        purpose=purpose, amount=amount, blocking=blocking, resume=check,
    )  # fmt: skip


def line_words(state: FightState, av: int | None, dv: int | None) -> str:
    """Return the answer that takes all chances from a straight line; empty if a number is unknown (M-01)."""
    if av is None or dv is None:
        return ""
    return f"{_chance_on_line(state, av, dv)} % linear from now on"


def owed_checks(state: FightState) -> Iterator[tuple[Prompt, AskedCheck]]:
    """The open checks, oldest first, each with its question."""
    for prompt in state.prompts:
        if isinstance(prompt.resume, AskedCheck):
            yield prompt, prompt.resume


# Tokens, which alter one roll or result


def from_sheet(sheet: Mapping[str, Json]) -> tuple[tuple[str, int], ...]:
    """The tokens of a sheet, each with how often it has been handed on."""
    entry = sheet.get("tokens")
    counts = entry if isinstance(entry, Mapping) else {}
    many = {colour: counts.get(colour) for colour in COLOURS}
    return tuple((colour, 0) for colour, count in many.items() if isinstance(count, int) for _ in range(min(count, 99)))


def give_token(combatant: Combatant, colour: str, passes: int = 0) -> Events:
    """The event that a combatant gets a token."""
    traits = {"tokens": (*fighter_of(combatant).tokens, (colour, passes))}
    return (events.TokenGiven(who=combatant.id, traits=traits, colour=colour),)


def tokens_without(combatant: Combatant, token: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """A combatant's tokens without one."""
    tokens_left = list(fighter_of(combatant).tokens)
    tokens_left.remove(token)
    return tuple(tokens_left)


def spend_token(combatant: Combatant, colour: str, on: str) -> Events:
    """CS-653: the event that a token of this colour is spent, one that cannot be handed on any more first."""
    tokens = [token for token in fighter_of(combatant).tokens if token[0] == colour]
    if not tokens:
        return ()
    token = max(tokens, key=lambda pair: pair[1])
    return (
        events.TokenSpent(who=combatant.id, traits={"tokens": tokens_without(combatant, token)}, colour=colour, on=on),
    )


# Fate


STANDS, SPEND = "stands", "spend"
GOOD, BAD = ("white", "fate"), ("black",)
"""Token colours that help their holder, and that harm others."""


@rules_on("fate")
def rule_fate(decision: Decision, rule: Rule) -> None:
    """CS-653: set whether rolls wait for tokens; if not, tokens are spent by GM ruling alone."""
    is_asked_about = read_flag("CS-653", rule.value)
    record = record_ruling("CS-653", "Ask token holders about rolls", is_asked_about, rule.note)
    decision.emit(record, *queries.set_fact(decision.state, "fate_quiet", not is_asked_about))


def _changed_roll(
    decision: Decision, combatant_id: str, target: str, kind: str, chance: int, number: int
) -> int | None:
    """The d100 as it was, or as a token changes it; None if one of both has left, or whoever rolled has gone down."""
    state = decision.state
    is_success = number <= chance
    spenders = _spenders(state, combatant_id, target, is_success)
    turned = _turn_roll(chance, succeeds=not is_success)
    if not spenders or turned is None:
        return number
    how, other = ("succeeds", "fails") if is_success else ("fails", "succeeds")
    spending = tuple(
        Choice(answer, f"{state.combatants[holder].name}'s {colour} token: it {other}")
        for answer, (holder, colour) in spenders.items()
    )
    first_holder, first_colour = spenders[SPEND]
    roller = state.combatants[combatant_id]
    answer = decision.ask_about(
        state.combatants[first_holder], FATE, "CS-653",
        f"{roller.name}, {kind}: {number} against {chance} % {how}. Change it with a token?",
        f"{STANDS}:keep the roll", *spending, default=STANDS, amount="the number it becomes",
        about=tuple(each for each in (combatant_id, target) if each and each != first_holder),
    )  # fmt: skip
    people = decision.state.combatants
    if not {combatant_id, *filter(None, (target,))} <= people.keys():
        return None
    if roller.able and not people[combatant_id].able:
        return None
    if answer.choice in ("", STANDS):
        return number
    if answer.choice not in spenders:
        turned = number_of(answer, "a roll", "CS-653", 100, STANDS, SPEND, least=1)
    holder, colour = spenders.get(answer.choice, (first_holder, first_colour))
    decision.emit(*spend_token(people[holder], colour, f"{kind}, {number} becomes {turned}"))
    return turned


def _spenders(state: FightState, combatant_id: str, target: str, is_success: bool) -> dict[str, tuple[str, str]]:
    """A token serves for one's own failure or a foe's success; a black one for the reverse."""
    if not settings_of(state).fate_tokens or battle_of(state).fate_quiet:
        return {}
    holders = []
    for holder, is_own in ((combatant_id, True), (target, False)):
        colours = BAD if is_success is is_own else GOOD
        held = fighter_of(state.combatants[holder]).tokens if holder in state.combatants else ()
        holders += [(holder, colour) for colour in dict.fromkeys(each for each, _ in held) if colour in colours]
    return {f"{SPEND}{place + 1 if place else ''}": spender for place, spender in enumerate(holders)}


def _turn_roll(chance: int, *, succeeds: bool) -> int | None:
    """A clear success or failure, but neither Heroic Effect nor Bumble; None if there is no such roll."""
    marks = formulas.thresholds(chance)
    if succeeds:
        return min(chance, marks.heroic_most + 1) if chance > 0 else None
    return max(chance + 1, min(100, marks.bumble_least - 1)) if chance < 100 else None
