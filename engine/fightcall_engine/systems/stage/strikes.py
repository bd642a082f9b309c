"""Strikes (SB-34..37, 45, 49..52, 65..70): one a Moment, missile, melee or magic, hit or not."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of, harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import ask_ruling, choices, data_text, record_answer
from fightcall_engine.kit.rolls import record_roll, throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer, Strike
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt, Scalar
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.figures import STRIKE_PHASES, able_checks, half_check, phase_check
from fightcall_engine.systems.stage.moment import may_melee
from fightcall_engine.systems.stage.walking import spend

PHASE_RULES: Mapping[str, str] = {"missile": "SB-45", "melee": "SB-49", "magic": "SB-51"}
VERBS: Mapping[str, str] = {"missile": "shooting", "melee": "a melee strike", "magic": "casting"}


def strike_price(state: FightState) -> int:
    """Q-S10: strikes cost no beats unless the GM prices them."""
    price = state.settings.get("strike_beat_cost", 0)
    return max(0, price) if isinstance(price, int) else 0


def attacker_checks(state: FightState, combatant: Combatant, kind: str) -> tuple[Check, ...]:
    """What stands against a strike of this kind, whoever is its target; first what the figure itself lacks for it."""
    used = fg.text_trait(combatant, "strike")
    pending = next((prompt for prompt in state.prompts if prompt.kind in ("damage", "outcome")), None)
    start, now = fg.text_trait(combatant, "cover_at_start"), fg.text_trait(combatant, "cover")
    missile = kind == "missile"
    return (
        *able_checks(state, combatant),
        Check(
            used == "none", "SB-34", f"{combatant.name} has used this Moment's strike ({used})", ("the next Moment",)
        ),
        Check(
            not missile or start != "full",
            "SB-67",
            f"{combatant.name} began this Moment in full cover",
            ("from the next Moment, after moving into the open",),
        ),
        Check(
            not missile or now != "full",
            "SB-66",
            f"{combatant.name} is in full cover",
            ("move into the open in Move",),
        ),
        phase_check(state, (kind,), PHASE_RULES[kind], VERBS[kind]),
        half_check(state, combatant),
        Check(pending is None, "SB-37", "the last strike is not resolved yet", ("answer the open question",)),
        Check(
            strike_price(state) <= fg.beats(combatant).now,
            "SB-23",
            f"a strike is priced at {strike_price(state)} beats, has {fg.beats(combatant).now}",
            (),
        ),
    )


def target_checks(state: FightState, combatant: Combatant, target: Combatant, kind: str) -> tuple[Check, ...]:
    """What stands against this target."""
    in_contact = state.in_contact(combatant.id, target.id)
    near = tuple(enemy for enemy in state.contacts_of(combatant.id) if may_melee(state, combatant.id, enemy))
    return (
        Check(target.id != combatant.id, "SB-34", "nobody strikes themselves", ("another figure",)),
        Check(target.able, "SB-37", f"{target.name} is down already", ("a figure that stands",)),
        Check(
            kind != "missile" or fg.text_trait(target, "cover") != "full",
            "SB-65",
            f"{target.name} is in full cover",
            ("another target",),
        ),
        Check(kind != "melee" or in_contact, "SB-49", f"{combatant.name} is not in contact with {target.name}", near),
        Check(
            kind != "melee" or not in_contact or may_melee(state, combatant.id, target.id),
            "SB-50",
            f"{combatant.name} and {target.name} were not in contact when this half opened",
            near,
        ),
    )


def cover_modifier(state: FightState, target: Combatant, given: int | None) -> tuple[int, str]:
    """SB-69, SB-70: what partial cover adds to the missile die, and where the number comes from."""
    if fg.text_trait(target, "cover") != "partial":
        return 0, ""
    for value, source in (
        (given, "the GM, for this shot"),
        (fg.trait(target, "cover_mod"), "the GM, for this cover"),
        (fg.fact(state, "cover_mod"), "the GM, for the next shot"),
        (state.settings.get("partial_cover_mod", 1), "partial cover"),
    ):
        if isinstance(value, int) and not isinstance(value, bool):
            return value, source
    return 1, "partial cover"


def _number(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def kind_and_weapon(
    state: FightState, combatant: Combatant, command: Strike
) -> tuple[str, Mapping[str, Json] | None, str]:
    """What kind of strike is meant, the strike on the sheet whose numbers it takes, and what it is called.

    Raises:
        Refused: no such kind, or nothing of this name on the sheet and no numbers given.
    """
    arm = fg.weapon_called(combatant, command.weapon)
    # In Melee a bow is swung and a wand thrusts (SB-49); elsewhere a weapon is used as the sheet lists it.
    listed = str(arm["kind"]) if arm and state.phase != "melee" else ""
    kind = command.kind or listed or _kind_of_phase(state)
    if kind not in STRIKE_PHASES:
        raise Refused("kind", f"no kind of strike {kind!r}", STRIKE_PHASES, final=True)
    unsaid = command.hit is None and command.needs is None
    if command.weapon and arm is None and unsaid:
        names = tuple(str(entry["name"]) for entry in fg.weapons(combatant))
        accepts = (*names, "needs or hit, for what the sheet does not list")
        raise Refused("weapon", f"{combatant.name} has no strike {command.weapon!r}", accepts, final=True)
    note = command.note or (str(arm["name"]) if arm else command.weapon)
    if arm is not None and arm["kind"] != kind:
        # A bow swung or a sword thrown: its numbers are those of another kind of strike.
        arm = None
    elif arm is None and unsaid:
        arm = fg.weapon(combatant, kind)
        note = note or (str(arm["name"]) if arm else "")
    return kind, arm, note


def decide_strike(decision: Decision, command: Strike) -> ev.Events:
    """Declare a strike, see whether it hits, and let its damage land before anything else (SB-34..37)."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    kind, arm, note = kind_and_weapon(state, combatant, command)
    enforce(attacker_checks(state, combatant, kind), referee)
    target = combatant_of(state, command.target) if command.target else None
    if target is not None:
        enforce(target_checks(state, combatant, target, kind), referee)
    elif kind != "magic" and not command.note:
        targets = tuple(
            other.id
            for other in state.combatants.values()
            if state.opposed(combatant.id, other.id)
            and first_broken(target_checks(state, combatant, other, kind)) is None
        )
        raise Refused("target", "a strike at whom?", targets, final=True)
    caused: list[ev.Event] = []
    price = strike_price(state)
    if price:
        caused.append(spend(combatant, price, f"{kind} strike"))
    used = fg.text_trait(combatant, "strike")
    caused.append(
        sev.StrikeDeclared(
            who=combatant.id, target=target.id if target else "", kind=kind, note=note, before=used, value=kind
        )
    )
    return (*caused, *_resolve(state, command, combatant, target, kind, arm, dice, caused))


def _kind_of_phase(state: FightState) -> str:
    """What a strike is that says no more: the phase's own kind, and a blow where the phase has none."""
    return state.phase if state.phase in STRIKE_PHASES else "melee"


def _resolve(
    state: FightState,
    command: Strike,
    combatant: Combatant,
    target: Combatant | None,
    kind: str,
    arm: Mapping[str, Json] | None,
    dice: Dice,
    earlier: list[ev.Event],
) -> ev.Events:
    needs, damage = needed(command, arm), damage_dealt(command, arm)
    cover, rulings = _cover_of_shot(state, command, target, kind)
    caused: list[ev.Event] = [*rulings]
    if command.hit is None and needs is None:
        asking = _ask_outcome(state, command, combatant, target, kind, damage, dice, [*earlier, *caused], cover)
        return (*caused, *asking)
    hit = command.hit
    extra: dict[str, int] = {}
    owed = ""
    if hit is None and needs is not None:
        expression = command.dice if command.dice != "d20" or arm is None else str(arm.get("dice", "d20"))
        roll = dice.roll(expression, "attack", combatant.id)
        high = state.settings.get("strike_roll") == "high"
        modifier = command.modifier - cover if high else command.modifier + cover
        total = roll.total + modifier
        hit = total >= needs if high else total <= needs
        caused.append(record_roll(roll, combatant.id))
        if roll.source == "table" and command.damage is None and isinstance(damage, str) and not dice.given("damage"):
            owed, damage = damage, None
        extra = {"die": roll.total, "modifier": modifier, "total": total, "needs": needs}
    victim = target.id if target else ""
    caused.append(sev.StrikeResolved(who=combatant.id, target=victim, kind=kind, hit=bool(hit), **extra))
    if hit and target is not None:
        caused.extend(_harm(state, combatant, target, damage, dice, [*earlier, *caused], owed))
    return tuple(caused)


def _ask_outcome(
    state: FightState,
    command: Strike,
    combatant: Combatant,
    target: Combatant | None,
    kind: str,
    damage: int | str | None,
    dice: Dice,
    earlier: list[ev.Event],
    cover: int,
) -> ev.Events:
    """Nobody has said what is needed: the GM reads the die, if one was thrown, and says hit or miss."""
    if target is None:
        return ()
    if not dice.given("attack"):
        return (ask_ruling(state, earlier, _outcome_prompt(combatant, target, kind, damage)),)
    roll = dice.roll(command.dice, "attack", combatant.id)
    modifier = command.modifier + (-cover if state.settings.get("strike_roll") == "high" else cover)
    prompt = _outcome_prompt(combatant, target, kind, damage, roll.total, modifier)
    return (record_roll(roll, combatant.id), ask_ruling(state, earlier, prompt))


def _cover_of_shot(
    state: FightState, command: Strike, target: Combatant | None, kind: str
) -> tuple[int, tuple[ev.Event, ...]]:
    """What cover adds to a shot, and the events of its ruling; one for the next target waits for a target in cover."""
    if target is None or kind != "missile" or fg.text_trait(target, "cover") != "partial":
        return 0, ()
    cover, _ = cover_modifier(state, target, command.cover)
    caused: list[ev.Event] = []
    if command.cover is not None:
        caused.append(ev.RulingRecorded(rule="SB-70", question=f"Cover of {target.name}", choice=f"{command.cover:+d}"))
    if fg.fact(state, "cover_mod") is not None:
        caused.append(ev.FactChanged(fact="cover_mod", before=fg.fact(state, "cover_mod"), value=None))
    return cover, tuple(caused)


def needed(command: Strike, arm: Mapping[str, Json] | None) -> int | None:
    """What the die must show: as given, else as the sheet lists it; None where neither says."""
    return command.needs if command.needs is not None else (_number(arm.get("needs")) if arm else None)


def damage_dealt(command: Strike, arm: Mapping[str, Json] | None) -> int | str | None:
    """The damage of a hit, a number or dice: as given, else as the sheet lists it; None where neither says."""
    if command.damage is not None:
        return command.damage
    value = arm.get("damage") if arm else None
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def _harm(
    state: FightState,
    combatant: Combatant,
    target: Combatant,
    damage: int | str | None,
    dice: Dice,
    earlier: list[ev.Event],
    owed: str = "",
) -> ev.Events:
    """Damage lands, or is asked for; `owed` is the dice that the table, having thrown to hit, throws itself."""
    if damage is None:
        return (ask_ruling(state, earlier, _damage_prompt(combatant, target, owed)),)
    amount, thrown = throw(damage, dice, "damage", combatant.id)
    return (*thrown, harm(state, target.id, amount, "hp", combatant.id)) if amount else thrown


def _outcome_prompt(
    combatant: Combatant,
    target: Combatant,
    kind: str,
    damage: int | str | None,
    die: int | None = None,
    modifier: int = 0,
) -> Prompt:
    data: dict[str, Scalar] = {"target": target.id, "kind": kind, "damage": damage, "die": die, "modifier": modifier}
    shown = ""
    if die is not None:
        shown = f" with {die}{modifier:+d} = {die + modifier}" if modifier else f" with {die}"
    return Prompt(
        id="",
        kind="outcome",
        question=f"{combatant.name} strikes {target.name}{shown}: hit or miss?",
        rule="SB-35",
        choices=choices("hit", "miss"),
        who=combatant.id,
        side=combatant.side,
        data=data,
    )


def _damage_prompt(combatant: Combatant, target: Combatant, owed: str = "") -> Prompt:
    return Prompt(
        id="",
        kind="damage",
        question=f"{combatant.name} hits {target.name}: how much damage?",
        rule="SB-37",
        choices=choices(f"roll:roll {owed}", "none:no damage") if owed else choices("none:no damage"),
        default="roll" if owed else "none",
        who=combatant.id,
        side=combatant.side,
        amount="damage",
        purpose="damage",
        data={"target": target.id, "dice": owed},
    )


def answer_outcome(state: FightState, prompt: Prompt, answer: Answer, dice: Dice) -> ev.Events:
    """The GM says hit or miss; an amount given with a hit is its damage."""
    combatant = state.combatants[prompt.who]
    target = state.combatants[data_text(prompt, "target")]
    hit = answer.choice == "hit"
    die, modifier = prompt.data.get("die"), prompt.data.get("modifier")
    thrown = isinstance(die, int) and isinstance(modifier, int)
    resolved = sev.StrikeResolved(
        who=combatant.id,
        target=target.id,
        kind=data_text(prompt, "kind"),
        hit=hit,
        die=die if isinstance(die, int) else None,
        modifier=modifier if isinstance(modifier, int) else 0,
        total=die + modifier if thrown and isinstance(die, int) and isinstance(modifier, int) else None,
    )
    if not hit:
        return (resolved,)
    listed = cast(int | str | None, prompt.data.get("damage"))
    damage = answer.amount if answer.amount is not None else listed
    return (resolved, *_harm(state, combatant, target, damage, dice, []))


def answer_damage(state: FightState, prompt: Prompt, answer: Answer, dice: Dice) -> ev.Events:
    """Damage lands before the next strike (SB-37)."""
    wanted = data_text(prompt, "dice") if answer.choice == "roll" else answer.amount
    if answer.choice == "none" or wanted is None:
        return ()
    amount, thrown = throw(wanted, dice, "damage", prompt.who)
    return (*thrown, harm(state, data_text(prompt, "target"), amount, "hp", prompt.who))


def moot_questions(state: FightState, gone: str) -> ev.Events:
    """What is still asked about a target, or a mover, that has left the fight needs no answer any more."""
    return tuple(
        record_answer(prompt, "moot", default=True, note=f"{gone} has left")
        for prompt in state.prompts
        if gone in (data_text(prompt, "target"), data_text(prompt, "mover"))
    )
