"""Strikes, and the morale check after losses (SB-38)."""

from collections.abc import Mapping

from fightcall_engine.kit.decision import Decision, damage_prompt, record_ruling, throw, total_check
from fightcall_engine.kit.handlers import handles, rules_on
from fightcall_engine.kit.movement import contact_shown
from fightcall_engine.kit.records import as_amount, as_int, sheet_entries
from fightcall_engine.kit.views import Check, first_broken
from fightcall_engine.model.commands import Rule, Strike
from fightcall_engine.model.dice import chance_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.stage import entries, records
from fightcall_engine.systems.stage.movement import spend

Amount = int | str | None
"""Damage: a number, dice, or unknown."""
Arm = Mapping[str, Json] | None
"""An entry of the strikes on a sheet."""
PHASE_RULES: Mapping[str, str] = {"missile": "SB-45", "melee": "SB-49", "magic": "SB-51"}
VERBS: Mapping[str, str] = {"missile": "shooting", "melee": "a melee strike", "magic": "casting"}


def attacker_checks(state: FightState, combatant: Combatant, kind: str) -> tuple[Check, ...]:
    """The checks of a strike of this kind for any target, those of the figure itself first."""
    record, last_strike = records.figure_of(combatant), records.figure_of(combatant).strike
    pending = next((prompt for prompt in state.prompts if prompt.kind in ("damage", "outcome")), None)
    missile = kind == "missile"
    price, beats_left = records.settings_of(state).strike_beat_cost, combatant.pool("beats").now
    attacked = f"{combatant.name} has already attacked this Moment ({last_strike})"
    covered, began_covered = (f"{combatant.name} {verb} in full cover" for verb in ("is", "began this Moment"))
    open_first = "from the next Moment, after moving into the open"
    return (
        *records.able_checks(state, combatant),
        Check(last_strike == "none", "SB-34", attacked, ("the next Moment",)),
        Check(not missile or record.cover_at_start != "full", "SB-67", began_covered, (open_first,)),
        Check(not missile or record.cover != "full", "SB-66", covered, ("move into the open in Move",)),
        records.phase_check(state, (kind,), PHASE_RULES[kind], VERBS[kind]),
        records.perception_check(state),
        records.half_check(state, combatant),
        Check(pending is None, "SB-37", "resolve the last strike first", ("answer the open question",), is_turn=True),
        Check(price <= beats_left, "SB-23", f"needs {price} beats; {combatant.name} has {beats_left}", ()),
    )


def can_melee(state: FightState, combatant_id: str, enemy: str) -> bool:
    """SB-50: whether two figures were in contact as the half of Melee began (Q-S20: each side's half counts).

    If none were and there is no board, those in contact by the GM's word count.
    """
    if not state.in_contact(combatant_id, enemy):
        return False
    step = state.step
    if step is None or step.phase != "melee" or step.side != state.combatants[combatant_id].side:
        return True
    pairs = records.scene_of(state).melee_pairs
    if not pairs:
        return contact_shown(state, state.combatants[combatant_id], state.combatants[enemy]) is None
    return (combatant_id, enemy) in pairs


def target_checks(state: FightState, combatant: Combatant, target: Combatant, kind: str) -> tuple[Check, ...]:
    """The checks of a strike at this target."""
    in_contact = state.in_contact(combatant.id, target.id)
    touching = state.contacts_of(combatant.id) if kind == "melee" else ()
    near = tuple(enemy for enemy in touching if can_melee(state, combatant.id, enemy))
    # Spells also heal and raise the fallen (SB-52).
    magic = kind == "magic"
    covered = f"{target.name} is in full cover"
    apart = f"{combatant.name} and {target.name} weren't in contact at the start of this half"
    return (
        Check(magic or target.id != combatant.id, "SB-34", "you can't attack yourself", ("another figure",)),
        Check(magic or target.able, "SB-37", f"{target.name} is already down", ("a figure that isn't down",)),
        Check(kind != "missile" or records.figure_of(target).cover != "full", "SB-65", covered, ("another target",)),
        Check(kind != "melee" or in_contact, "SB-49", f"{combatant.name} isn't in contact with {target.name}", near),
        Check(kind != "melee" or not in_contact or can_melee(state, combatant.id, target.id), "SB-50", apart, near),
    )


def cover_modifier(state: FightState, target: Combatant, cover_by_gm: int | None) -> tuple[int, str]:
    """SB-69, SB-70: what partial cover adds to the missile die, and the source of the number."""
    if records.figure_of(target).cover != "partial":
        return 0, ""
    for value, source in (
        (cover_by_gm, "the GM, for this shot"),
        (records.figure_of(target).cover_mod, "the GM, for this cover"),
        (records.scene_of(state).cover_mod, "the GM, for the next shot"),
    ):
        if value is not None:
            return value, source
    return records.settings_of(state).partial_cover_mod, "partial cover"


def kind_and_weapon(state: FightState, combatant: Combatant, command: Strike) -> tuple[str, Arm, str]:
    """The kind of a strike, its entry on the sheet, if any, and its name; refused if unknown."""
    name = command.weapon.lower()
    arm = next((entry for entry in sheet_entries(combatant, "strikes") if str(entry["name"]).lower() == name), None)
    # In Melee a bow is swung and a wand thrusts (SB-49); in other phases a weapon is used as listed.
    kind_of_arm = str(arm["kind"]) if arm and state.phase != "melee" else ""
    kind = command.kind or kind_of_arm or (state.phase if state.phase in records.STRIKE_PHASES else "melee")
    if kind not in records.STRIKE_PHASES:
        raise Refused("kind", f"there is no attack of kind {kind!r}", records.STRIKE_PHASES, final=True)
    unsaid = command.hit is None and command.needs is None
    if command.weapon and arm is None and unsaid:
        names = tuple(str(entry["name"]) for entry in sheet_entries(combatant, "strikes"))
        accepts = (*names, "needs or hit, for an attack not on the sheet")
        raise Refused("weapon", f"{combatant.name} has no attack {command.weapon!r}", accepts, final=True)
    note = command.note or (str(arm["name"]) if arm else command.weapon)
    if arm is not None and arm["kind"] != kind:
        # A bow swung or a sword thrown does not have the numbers of its entry.
        arm = None
    elif arm is None and unsaid:
        arm = records.weapon(combatant, kind)
        note = note or (str(arm["name"]) if arm else "")
    return kind, arm, note


@handles(Strike)
def strike(decision: Decision, command: Strike) -> None:
    """Strike: declare it, resolve it, and deal its damage before anything else happens (SB-34..37)."""
    state, combatant = decision.state, decision.combatant(command.who)
    kind, arm, note = kind_and_weapon(state, combatant, command)
    is_dealt = total_check(command.damage, as_amount(arm.get("damage")) if arm else None, "SB-37")
    decision.require(*attacker_checks(state, combatant, kind), is_dealt)
    target = decision.combatant(command.target) if command.target else None
    if target is not None:
        decision.require(*target_checks(state, combatant, target, kind))
    elif kind != "magic" and not command.note:
        raise Refused("target", "choose a target", targets(state, combatant, kind), final=True)
    price = records.settings_of(state).strike_beat_cost
    if price:
        decision.emit(spend(combatant, price, f"{kind} strike"))
    who, target_id, before = combatant.id, target.id if target else "", records.figure_of(combatant).strike
    decision.emit(entries.StrikeDeclared(who=who, target=target_id, kind=kind, note=note, before=before, value=kind))
    _resolve(decision, command, target, kind, arm)


def targets(state: FightState, combatant: Combatant, kind: str) -> tuple[str, ...]:
    """The ids of the standing enemies that pass all checks."""
    people, near = state.combatants, state.contacts_of(combatant.id) if kind == "melee" else state.combatants
    enemies = (people[each] for each in near if people[each].able and state.are_foes(combatant.id, each))
    return tuple(enemy.id for enemy in enemies if first_broken(target_checks(state, combatant, enemy, kind)) is None)


def _resolve(decision: Decision, command: Strike, target: Combatant | None, kind: str, arm: Arm) -> None:
    attacker_id, target_id = decision.combatant(command.who).id, target.id if target else ""
    needs, damage = needed_number(command, arm), damage_dealt(command, arm)
    cover = _apply_cover(decision, command, target, kind)
    high = records.settings_of(decision.state).strike_roll == "high"
    modifier = command.modifier - cover if high else command.modifier + cover
    if command.hit is not None:
        decision.emit(entries.StrikeResolved(who=attacker_id, target=target_id, kind=kind, hit=command.hit))
        if command.hit and target is not None:
            _deal_damage(decision, attacker_id, target_id, damage)
        return
    if needs is None:
        if target is not None:
            # No number is known: the GM reads the die, if there is one, and says hit or miss.
            faces = decision.dice.has_throw("attack")
            die = decision.roll(command.dice, "attack", attacker_id).total if faces else None
            _ask_outcome(decision, attacker_id, target_id, kind, damage, die, modifier if faces else 0)
        return
    expression = command.dice if command.dice != "d20" or arm is None else str(arm.get("dice", "d20"))
    roll = decision.roll(expression, "attack", attacker_id)
    total = roll.total + modifier
    hit = total >= needs if high else total <= needs
    chance = chance_of(expression, needs - modifier, at_least=high)
    numbers = {"die": roll.total, "modifier": modifier, "total": total, "needs": needs}
    decision.emit(
        entries.StrikeResolved(who=attacker_id, target=target_id, kind=kind, hit=hit, chance=chance, **numbers)
    )
    if hit and target is not None:
        # A table that rolls to hit rolls its damage, too.
        asks_damage = roll.source == "table" and command.damage is None and not decision.dice.has_throw("damage")
        _deal_damage(decision, attacker_id, target_id, damage, asks_damage=asks_damage)


def _apply_cover(decision: Decision, command: Strike, target: Combatant | None, kind: str) -> int:
    """What cover adds to the die (SB-69); uses up a ruling on the next target in cover (SB-70)."""
    if target is None or kind != "missile" or records.figure_of(target).cover != "partial":
        return 0
    cover, _ = cover_modifier(decision.state, target, command.cover)
    if command.cover is not None:
        decision.emit(record_ruling("SB-70", f"{target.name}'s cover", f"{command.cover:+d}"))
    decision.set_facts(cover_mod=None)
    return cover


def needed_number(command: Strike, arm: Arm) -> int | None:
    """The number needed: as given, else from the sheet, else None."""
    return command.needs if command.needs is not None else (as_int(arm.get("needs")) if arm else None)


def needed_words(state: FightState, number: int) -> str:
    """The number needed in words: ``12 or less``, or ``12 or more`` if high rolls hit (SB-35)."""
    return f"{number} or {'more' if state.settings.get('strike_roll') == 'high' else 'less'}"


def damage_dealt(command: Strike, arm: Arm) -> Amount:
    """The damage of a hit: as given, else from the sheet."""
    return command.damage if command.damage is not None else (as_amount(arm.get("damage")) if arm else None)


def _ask_outcome(
    decision: Decision, attacker_id: str, target_id: str, kind: str, damage: Amount, die: int | None, modifier: int
) -> None:
    """Ask whether a strike hits (SB-35). An amount given with a hit is its damage."""
    attacker, target = decision.combatant(attacker_id), decision.combatant(target_id)
    die_text = "" if die is None else f" with {die}"
    if die is not None and modifier:
        die_text += f"{modifier:+d} = {die + modifier}"
    question = f"{attacker.name} attacks {target.name}{die_text}. Did it hit?"
    answer = decision.ask_about(attacker, "outcome", "SB-35", question, "hit", "miss", about=(target_id,))
    if not answer.choice:
        return
    decision.require(total_check(answer.amount, damage, "SB-37"))
    total, hit = None if die is None else die + modifier, answer.choice == "hit"
    decision.emit(
        entries.StrikeResolved(
            who=attacker_id, target=target_id, kind=kind, hit=hit, die=die, modifier=modifier, total=total
        )
    )
    if hit:
        _deal_damage(decision, attacker_id, target_id, damage if answer.amount is None else answer.amount)


def _deal_damage(
    decision: Decision, attacker_id: str, target_id: str, damage: Amount, *, asks_damage: bool = False
) -> None:
    """Deal the damage before the next strike; ask for it if it is unknown, or the table throws its own dice (SB-37)."""
    dice = damage if asks_damage and isinstance(damage, str) else ""
    if damage is None or dice:
        attacker, target = decision.combatant(attacker_id), decision.combatant(target_id)
        answer = decision.ask(damage_prompt(attacker, target, "SB-37", dice))
        if answer is None or answer.choice == "none":
            return
        decision.require(total_check(answer.amount, dice, "SB-37"))
        damage = dice if answer.choice == "roll" else answer.amount
    if damage is None:
        return
    amount, dice_events = throw(decision, damage, "damage", attacker_id)
    decision.emit(*dice_events)
    if amount:
        decision.hurt(target_id, amount, "hp", attacker_id)


# Losses, and the morale check that may follow them (SB-38)


def offer_checks(decision: Decision) -> None:
    """Ask for the morale of each side that has lost figures in this half and has some left."""
    losses = records.scene_of(decision.state).losses
    for side in dict.fromkeys(losses):
        if records.side_able(decision.state, side):
            decision.spawn(_ask_about_morale, side)
    decision.set_facts(losses=())


def _ask_about_morale(decision: Decision, side: str) -> None:
    members = [combatant for combatant in decision.state.combatants.values() if combatant.side == side]
    down = len(members) - len(records.side_able(decision.state, side))
    down_text = f" with {down} of {len(members)} down" if down else ""
    decision.emit(_morale_asked(decision.state, side))
    question = f"Does the {side}'s morale hold{down_text}?"
    answers = ("skip:no check:-", "holds:yes, it holds", "fails:no, it fails")
    answer = decision.ask_about(None, "morale", "SB-38", question, *answers, default="skip", side=side, blocking=False)
    if answer.choice in ("holds", "fails"):
        decision.emit(entries.MoraleChecked(side=side, passed=answer.choice == "holds", note=answer.note))


def _morale_asked(state: FightState, side: str) -> entries.MoraleAsked:
    before = records.scene_of(state).losses
    return entries.MoraleAsked(side=side, before=before, value=tuple(each for each in before if each != side))


@rules_on("morale")
def rule_morale(decision: Decision, command: Rule) -> None:
    """Rule on the morale of a side, of a figure's side, or of the foe; ask for the result if none is given."""
    side = command.who or records.FOE
    if side not in records.SIDES:
        side = decision.combatant(side).side
    if command.value not in ("holds", "fails"):
        decision.spawn(_ask_about_morale, side)
        return
    decision.emit(
        record_ruling("SB-38", f"Morale of the {side}", command.value),
        _morale_asked(decision.state, side),
        entries.MoraleChecked(side=side, passed=command.value == "holds", note=command.note),
    )
