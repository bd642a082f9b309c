"""What combatants may do now, and what it would cause."""

from collections.abc import Iterator, Mapping

from fightcall_engine.kit.movement import (
    Preview,
    Row,
    Trial,
    damage_row,
    die_row,
    distance_row,
    outcome_row,
    plain_preview,
    text_field,
    with_rows,
)
from fightcall_engine.kit.records import name_of, sheet_int, target_called
from fightcall_engine.kit.views import Check, Input, Option, first_broken, offer
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import replace
from fightcall_engine.systems.slots import acts, entries, preparation, records, rounds, works
from fightcall_engine.systems.slots.acts import deed_checks
from fightcall_engine.systems.slots.ongoing import Deed, interrupting_deeds, phase_of_deed

OPTION_KEYS: Mapping[str, str] = {
    "awareness": "p", "act": "s", "init": "X", "stay": "k", "lock": "o", "move": "m", "end": "w", "volunteer": "v",
    "combo": "t", "begin": "b", "continue": "b", "handle": "g", "interrupt": "x", "ability-1": "1", "ability-2": "2",
    "ability-3": "3", "ability-4": "4", "ability-5": "5", "ability-6": "6", "ability-7": "7", "ability-8": "8",
    "ability-9": "9",
}  # fmt: skip
"""The key of each option that there can be, by the option's action."""

HOTKEYS = "123456789"
"""The keys of the sheet's abilities, in its order; an ability has the same key whatever pays for it."""

_ACT_DETAILS = (
    Input("cost", "number", "another price, in slots", optional=True),
    Input("note", "text", "note for the log", optional=True),
)
"""Optional fields of every act (AP-21)."""
_AIMS = ("what it does now", "its action in progress")
_AIM = Input("work", "choice", "which", choices=("false", "true"), default="false", shown=_AIMS)

_Act = entries.Act | entries.React | entries.Combo


# Targets and prices


def _targets(state: FightState, combatant: Combatant, ability: records.Ability | None = None) -> tuple[str, ...]:
    """The possible targets of an act, enemies first; for a finisher those who are Vulnerable (AP-30)."""
    others = [other for other in state.roster if other.able and other.id != combatant.id]
    others.sort(key=lambda other: other.side == combatant.side)
    if ability is not None and ability.finisher:
        others = [other for other in others if records.fighter_of(other).vulnerable]
    return tuple(other.id for other in others)


def _possible_deeds(state: FightState, deeds: list[Deed]) -> tuple[list[Deed], tuple[Check, ...]]:
    """The acts that can be done, with no checks; if none can, all of them with the broken check of the first."""
    broken = [first_broken(deed_checks(state, deed)) for deed in deeds]
    can = [deed for deed, check in zip(deeds, broken, strict=True) if check is None]
    return (can, ()) if can else (deeds, tuple(check for check in broken[:1] if check is not None))


def _price_text(state: FightState, deeds: list[Deed]) -> str:
    prices = {records.price_of(state, deed.ability, deed.pool, phase_of_deed(state, deed)) for deed in deeds}
    by_total = sorted(prices, key=lambda price: price.total)
    return " or ".join(
        f"{price.total} (x4)" if price.time == "final" and not price.stated else str(price.total) for price in by_total
    )


# PCs


def _ability(state: FightState, combatant: Combatant, ability: records.Ability, key: str) -> Option:
    pool, work = records.next_pool(combatant), records.fighter_of(combatant).work
    if work is not None and work.name == ability.name:
        return _continue(state, combatant, work, _action_id(ability, key), ability.name, key)
    price = records.price_of(state, ability, pool)
    if ability.multi_round and records.is_active(combatant) and price.total > combatant.pool(records.SLOTS).now:
        return _begin_ability(state, combatant, ability, key)
    deeds, checks = _possible_deeds(state, [Deed(combatant.id, ability, pool)])
    targets = _targets(state, combatant, ability)
    if ability.finisher:
        aimed = [Deed(combatant.id, ability, pool, target_id) for target_id in targets]
        possible, in_the_way = _possible_deeds(state, aimed)
        nobody_check = Check(False, "AP-30", "no one is Vulnerable", (RulingWanted("vulnerable"),))
        deeds, checks = (possible, in_the_way) if possible else (deeds, (*checks, nobody_check))
        targets = tuple(deed.target for deed in possible)
    at_whom = Input("target", "target", "at whom", choices=targets, optional=not ability.finisher)
    # A pure parry is only useful with something to stop; `_interrupts` offers that.
    only_stops = bool(ability.interrupts) and ability.damage is None and not ability.finisher
    option = offer(
        _action_id(ability, key),
        ability.name,
        "Act" if pool == records.SLOTS else "React",
        key,
        checks,
        cost=_price_text(state, deeds),
        rule="AP-16" if pool == records.SLOTS else "AP-20",
        fixed={"ability": ability.name},
        inputs=(at_whom, *_outcome_inputs(ability)),
        details=_ACT_DETAILS,
    )
    return replace(option, is_unlikely=only_stops, is_harmless=not ability.can_harm and not ability.interrupts)


def _interrupts(state: FightState, combatant: Combatant) -> list[Option]:
    """Abilities that can interrupt a combatant (AP-29, AP-30), at the price of the phase in which that was done."""
    pool = records.next_pool(combatant)
    options: list[Option] = []
    for entry in records.abilities(combatant):
        deeds = interrupting_deeds(state, combatant, entry, pool)
        if not deeds:
            continue
        possible, checks = _possible_deeds(state, deeds)
        targets = tuple(deed.target for deed in possible)
        people = [records.fighter_of(state.combatants[target_id]) for target_id in targets]
        is_open = any(each.work is not None and each.work.name != each.doing for each in people)
        whom = Input("target", "target", "whom", choices=targets)
        options.append(
            offer(
                "interrupt" if not options else f"interrupt-{entry.name.lower()}",
                f"interrupt: {entry.name}",
                "Act" if pool == records.SLOTS else "React",
                "" if options else "x",
                checks,
                cost=_price_text(state, possible),
                rule="AP-29",
                fixed={"ability": entry.name, "interrupt": True},
                inputs=(whom, *((_AIM,) if is_open else ()), *_outcome_inputs(entry, stops=True)),
                details=_ACT_DETAILS,
            )
        )
    return options


def _outcome_inputs(ability: records.Ability, *, stops: bool = False) -> tuple[Input, ...]:
    """The outcome of an ability that can harm, finish or (`stops`) interrupt: hit, miss, or its roll first."""
    outcome = "roll" if ability.roll else ""
    hit = Input("hit", "outcome", "hit or miss", dice=ability.roll, purpose="roll", default=outcome)
    if ability.damage is None:
        return (hit,) if ability.roll and (stops or ability.finisher) else ()
    harm = str(ability.damage)
    return (hit, Input("damage", "amount", "damage", dice=harm, purpose="damage", default=harm, optional=True))


def _action_id(ability: records.Ability, key: str) -> str:
    return f"ability-{key}" if key else f"ability-{ability.name.lower()}"


def _target_input(state: FightState, combatant: Combatant) -> Input:
    return Input("target", "target", "at whom", choices=_targets(state, combatant), optional=True)


def _begin_ability(state: FightState, combatant: Combatant, ability: records.Ability, key: str) -> Option:
    """An ability that costs more slots than there are, to be begun now and paid in later Full Rounds (AP-34).

    This is unlikely in the Final Phase, where the price is four times as high (AP-23).
    """
    slots_left = combatant.pool(records.SLOTS).now
    pay = Input("pay", "number", "slots now", default=str(slots_left), optional=True)
    option = offer(
        _action_id(ability, key),
        f"begin {ability.name}",
        "Begin",
        key,
        works.begin_checks(state, combatant),
        cost=f"{slots_left}/{records.price_of(state, ability, records.SLOTS).total}",
        rule="AP-34",
        fixed={"ability": ability.name},
        inputs=(pay, _target_input(state, combatant)) if ability.can_harm else (pay,),
    )
    return replace(option, is_unlikely=records.is_final(state))


def _unlisted_act(state: FightState, combatant: Combatant) -> Option:
    pool = records.next_pool(combatant)
    what = Input("ability", "text", "what the combatant does")
    inputs = (what, Input("cost", "number", "slots (Active price)", default="1"), _target_input(state, combatant))
    price = records.price_of_slots(state, 1, pool)
    checks = (*acts.turn_checks(state, combatant, pool), records.affordable_check(combatant, price))
    label, command = ("another act", "Act") if pool == records.SLOTS else ("another act from reserve", "React")
    option = offer("act", label, command, "s", checks, cost="GM", rule="AP-21", inputs=inputs)
    return replace(option, is_unlikely=True)


def _move(state: FightState, combatant: Combatant) -> Option:
    places = acts.stride(state, combatant)
    is_quadruple = records.is_pc(combatant) and records.is_quadrupled(state, records.pool_of(combatant))
    cost = f"{4 if is_quadruple else 1} for {places}" if records.is_pc(combatant) else ""
    rule, too_few = "AP-23" if is_quadruple else "AP-16", f"{combatant.name} has too few slots to move"
    checks = (*acts.move_checks(state, combatant), Check(acts.range_of(state, combatant) > 0, rule, too_few, ()))
    path_input = Input("path", "path", "where to", mode="walk")
    return offer("move", "move", "Move", "m", checks, cost=cost, rule="AP-19", inputs=(path_input,))


def _combo(state: FightState, combatant: Combatant, entry: records.Ability | None, key: str) -> Option:
    """A Combo of the sheet, or (`entry` is None) one with typed prices; several partners are typed as labels."""
    ability = entry or records.Ability("a Combo", 1)
    partners = acts.possible_partners(state, combatant, ability)
    enough, too_few = len(partners) >= max(1, ability.partners), "not enough other PCs have slots for it"
    partners_check = Check(enough, "AP-32", too_few, ("PCs with slots",))
    checks = (*acts.combo_checks(state, combatant, ability), partners_check)
    others = tuple(other.id for other in records.pcs(state) if other.able and other.id != combatant.id)
    inputs = [Input("partner", "target", "with whom", choices=partners or others)]
    if ability.partners > 1:
        inputs = [Input("partner", "text", f"with which {ability.partners}, by their labels")]
    if entry is None:
        inputs.append(Input("cost", "number", "slots to begin it", default="1"))
        inputs.append(Input("partner_cost", "number", "the partner's slots", default="1"))
    targets, fixed = _targets(state, combatant, ability), {"ability": ability.name} if entry else None
    at = Input("target", "target", "at whom", choices=targets, optional=not ability.finisher)
    all_inputs = (*inputs, at, *_outcome_inputs(ability))
    price = records.price_of(state, ability, records.SLOTS).total
    people = [state.combatants[combatant_id] for combatant_id in partners]
    shares = {acts.partner_price(state, partner, ability.partner_cost).total for partner in people}
    shown = " or ".join(map(str, sorted(shares))) or str(ability.partner_cost)
    cost = f"{price}+{shown}" if entry else "GM"
    label = f"{ability.name} together" if entry else "Combo"
    action = "combo" if key else f"combo-{ability.name.lower()}"
    return offer(action, label, "Combo", key, checks, cost=cost, rule="AP-32", fixed=fixed, inputs=all_inputs)


def _begin(state: FightState, combatant: Combatant) -> Option:
    work = records.fighter_of(combatant).work
    if work is not None:
        return _continue(state, combatant, work, "continue", f"continue {work.name} {work.paid}/{work.needed}", "b")
    long = [entry for entry in records.abilities(combatant) if entry.multi_round]
    names = tuple(entry.name for entry in long)
    inputs = [Input("ability", "text", "name of the action", choices=names, default=next(iter(names), ""))]
    if not long:
        inputs.append(Input("needed", "number", "slots it needs", default=str(combatant.pool(records.SLOTS).now + 1)))
    inputs.append(Input("pay", "number", "slots to pay now (default: all it needs)", optional=True))
    if not long or any(entry.can_harm for entry in long):
        inputs.append(_target_input(state, combatant))
    checks = works.begin_checks(state, combatant)
    return offer("begin", "begin over rounds", "Begin", "b", checks, cost="all", rule="AP-34", inputs=tuple(inputs))


def _continue(state: FightState, combatant: Combatant, work: records.Work, action: str, label: str, key: str) -> Option:
    rest = max(0, work.needed - work.paid)
    due = str(max(min(1, rest), min(combatant.pool(records.SLOTS).now, rest)))
    pay = Input("pay", "number", f"slots ({rest} due)", default=due)
    checks = works.continue_checks(state, combatant)
    return offer(action, label, "Continue", key, checks, cost=due, rule="AP-35", inputs=(pay,))


def _end(state: FightState, combatant: Combatant) -> Option:
    slots_left = combatant.pool(records.SLOTS).now
    is_lost = state.phase in ("final", "slow_burn")
    closes_round = is_lost and len(records.actives(state)) == 1 and not rounds.reserve_users(state)
    others = (f", {other.name} {other.pool(records.RESERVED).now}" for other in records.holders(state) if closes_round)
    does, rule = ("lose", "AP-25") if is_lost else ("keep", "AP-17")
    label = f"end the phase: {does} {slots_left}{''.join(others)}" if slots_left else "end the phase"
    work = records.fighter_of(combatant).work
    loses = f"{work.name}, {work.paid} paid" if work is not None and work.paid_in < state.round else ""
    return replace(offer("end", label, "EndAP", "w", records.end_checks(state, combatant), rule=rule), loses=loses)


def _volunteer(state: FightState, combatant: Combatant) -> Option:
    slots_left = combatant.pool(records.pool_of(combatant)).now
    open_problems = works.open_problems(state)
    needs = open_problems[0].still_needed if len(open_problems) == 1 else None
    most = slots_left if needs is None else min(slots_left, needs)
    inputs: tuple[Input, ...] = (Input("slots", "number", f"slots, 0 to {slots_left}", default=str(most)),)
    label = f"volunteer for {open_problems[0].name if open_problems else works.UNNAMED}"
    if len(open_problems) > 1:
        names = tuple(problem.name for problem in open_problems)
        labels = tuple(problem.progress for problem in open_problems)
        inputs = (Input("problem", "choice", "for what", choices=names, shown=labels, default=names[0]), *inputs)
        label = f"volunteer for one of {len(open_problems)} problems"
    checks = works.volunteer_checks(state, combatant)
    return offer("volunteer", label, "Volunteer", "v", checks, cost=f"0-{slots_left}", rule="AP-49", inputs=inputs)


def _round_options(state: FightState, combatant: Combatant) -> list[Option]:
    usable = [entry for entry in records.abilities(combatant) if not entry.init_only and not entry.partners]
    keys = (*HOTKEYS, *("" for _ in usable))
    options = [
        _ability(state, combatant, entry, key)
        for entry, key in zip(usable, keys, strict=False)
        if not entry.multi_round or records.is_active(combatant)
    ]
    options += _interrupts(state, combatant)
    if records.is_slow_burn(state):
        options.append(_volunteer(state, combatant))
    if records.is_active(combatant):
        options.append(_end(state, combatant))
    inputs = (Input("what", "text", "what the combatant handles"),)
    price = records.price_of_slots(state, 1, records.pool_of(combatant))
    checks = acts.handle_checks(state, combatant, False)
    cost = f"0 or {price.total}"
    option = offer("handle", "minor act", "Handle", "g", checks, cost=cost, rule="AP-31", inputs=inputs)
    options += [_unlisted_act(state, combatant), _move(state, combatant), replace(option, is_unlikely=True)]
    if records.is_active(combatant):
        combos = [entry for entry in records.abilities(combatant) if entry.partners]
        options += [_combo(state, combatant, entry, "" if at else "t") for at, entry in enumerate(combos or [None])]
        # An action in progress comes first: it is lost if nothing is paid for it in this phase.
        at = 0 if records.fighter_of(combatant).work is not None else len(options)
        options.insert(at, _begin(state, combatant))
    if records.settings_of(state).stay_mode == "per_round":
        options.append(_stay(state, combatant))
    return options


# Before the first Full Round


def _stay(state: FightState, combatant: Combatant) -> Option:
    place = records.fighter_of(combatant).place
    later = tuple(other.id for other in records.pcs(state) if records.fighter_of(other).place > place)
    has_later = Check(bool(later), "AP-06", f"no one starts later than {combatant.name}", ("an earlier PC",))
    checks = (*preparation.stay_checks(state, combatant), has_later)
    inputs = (Input("after", "target", "after whom", choices=later),)
    return offer("stay", "Stay", "Stay", "k", checks, rule="AP-06", inputs=inputs)


def _awareness(state: FightState, combatant: Combatant) -> Option:
    result_before = records.fighter_of(combatant).awareness
    label = "Awareness" if result_before is None else f"Awareness again (now {result_before})"
    dice, modifier = records.settings_of(state).awareness_die or "d20", sheet_int(combatant, "awareness") or 0
    die = Input("die", "number", f"{dice} (Awareness {modifier:+d})", dice=dice, optional=True)
    checks = preparation.awareness_checks(state, combatant)
    return offer("awareness", label, "Awareness", "p", checks, rule="AP-01", inputs=(die,))


def _init(state: FightState, combatant: Combatant) -> Option:
    names = tuple(entry.name for entry in records.abilities(combatant) if entry.init_only)
    effect = Input("effect", "text", "which effect", choices=names, default=next(iter(names), ""))
    checks = preparation.init_checks(state)
    return offer("init", "Initialization effect", "Init", "X", checks, rule="AP-08", inputs=(effect,))


def _lock(state: FightState) -> Option:
    ready = state.phase in (records.ORDERING, records.INITIALIZATION)
    checks = (Check(ready, "AP-07", "there is no order to lock yet", ("awareness",)), preparation.results_check(state))
    return offer("lock", "lock the Cycle", "Lock", "o", checks, rule="AP-07")


# NPCs


def _npc_options(state: FightState, combatant: Combatant) -> list[Option]:
    targets = _targets(state, combatant)
    at_whom = Input("target", "target", "at whom", choices=targets, optional=True)
    options: list[Option] = []
    for entry, key in zip(
        records.abilities(combatant), (*HOTKEYS, *("" for _ in records.abilities(combatant))), strict=False
    ):
        inputs, fixed = (at_whom, *_outcome_inputs(entry)), {"what": entry.name}
        checks, action = works.npc_checks(state, combatant, entry.name), _action_id(entry, key)
        options.append(offer(action, entry.name, "Npc", key, checks, rule="AP-05", fixed=fixed, inputs=inputs))
    checks = works.npc_checks(state, combatant)
    what, to_whom = Input("what", "text", "what the NPC does"), replace(at_whom, label="to whom")
    options.append(offer("act", "acts", "Npc", "s", checks, rule="AP-05", inputs=(what, to_whom)))
    long = (what, Input("rounds", "number", "Full Rounds it takes", default="2"), to_whom)
    idle = (*checks, *works.work_checks(combatant))
    options.append(offer("begin", "begin over rounds", "Npc", "b", idle, rule="AP-05", inputs=long))
    return [*options, _move(state, combatant)]


def options_of(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """The options of a combatant in the running phase, legal or not."""
    combatant = state.combatants[combatant_id]
    if state.status != "running":
        return ()
    if not records.is_pc(combatant):
        return tuple(_npc_options(state, combatant))
    phase = state.phase
    if phase == records.AWARENESS:
        return (_awareness(state, combatant),)
    if phase in (records.ORDERING, records.INITIALIZATION):
        first = (_init(state, combatant),) if phase == records.INITIALIZATION else ()
        return (*first, _stay(state, combatant), _awareness(state, combatant), _lock(state))
    if phase in records.ROUND_PHASES:
        return tuple(_round_options(state, combatant))
    if phase == rounds.UPKEEP and records.settings_of(state).stay_mode == "per_round":
        return (_stay(state, combatant),)
    return ()


# Previews of acts


def preview_of(state: FightState, command: Command, trial: Trial) -> Preview:
    """The preview of a command, with the rows of the act if it is one."""
    actor_id = text_field(command, "who")
    options = options_of(state, actor_id) if trial.broken and actor_id in state.combatants else ()
    # The outcome is a field of the act itself, and the next NPC's act is another command.
    asked = tuple(prompt for prompt in trial.asked if prompt.kind not in ("outcome", "npc"))
    plain = plain_preview(state, command, replace(trial, asked=asked), options)
    if not isinstance(command, _Act | entries.Npc) or actor_id not in state.combatants:
        return plain
    combatant = state.combatants[actor_id]
    target = target_called(state, command.target)
    if isinstance(command, entries.Npc):
        # AP-05: it costs nothing, and the GM says whether it hits.
        known = records.find_ability(combatant, command.what)
        rows = (
            *_place_rows(state, combatant, target, known),
            *_word_rows(command, target, known),
            *_damage_rows(command, target, known),
        )
        return with_rows(plain, rows, _title(state, combatant, command.what, target) if command.what else "")
    try:
        ability = records.ability_for(combatant, command.ability, command.cost)
        share_rows = tuple(_share_rows(state, combatant, command)) if isinstance(command, entries.Combo) else ()
    except Refused:
        return plain
    pool = records.RESERVED if isinstance(command, entries.React) else records.SLOTS
    target_id = target.id if target else ""
    deed = Deed(actor_id, ability, pool, target_id, interrupt=command.interrupt, work=command.work)
    rows = (
        *_place_rows(state, combatant, target, ability),
        _price_row(combatant, records.price_of(state, ability, pool, phase_of_deed(state, deed))),
        *share_rows,
        *_die_rows(command, trial, ability),
        *_damage_rows(command, target, ability),
    )
    return with_rows(plain, rows, _title(state, combatant, ability.name, target))


def _title(state: FightState, combatant: Combatant, act: str, target: Combatant | None) -> str:
    return f"{combatant.name}: {records.describe_act(combatant, act, name_of(state, target.id) if target else '')}"


def _word_rows(command: entries.Npc, target: Combatant | None, ability: records.Ability | None) -> Iterator[Row]:
    if command.hit is not None:
        yield outcome_row(command.hit, "AP-05")
    elif target is not None and ability is not None and ability.damage is not None:
        yield Row("outcome", "Did it hit?", rule="AP-05", field="hit")


def _share_rows(state: FightState, combatant: Combatant, command: entries.Combo) -> Iterator[Row]:
    share = acts.combo_ability(combatant, command).partner_cost
    for partner_id in acts.partners_of(state, command):
        partner = state.combatants[partner_id]
        yield _price_row(partner, acts.partner_price(state, partner, share), f"{partner.name} pays")


def _price_row(combatant: Combatant, price: records.Price, name: str = "costs") -> Row:
    """AP-16, AP-21, AP-23: the price, now or in the phase of an interrupt's aim, and the slots in the pool."""
    points = combatant.pools.get(price.pool)
    source = " from reserve" if price.pool == records.RESERVED else ""
    base_note = f", {price.base} before the Final Phase" if price.total != price.base else ""
    note = f"{combatant.name} has {points.now}" if points is not None else ""
    slots = "slot" if price.total == 1 else "slots"
    return Row(name, f"{price.total} {slots}{source}{base_note}", note, rule="AP-23" if base_note else "AP-16")


def _place_rows(
    state: FightState, combatant: Combatant, target: Combatant | None, ability: records.Ability | None
) -> Iterator[Row]:
    if target is not None:
        row = distance_row(state, combatant.id, target.id)
        reach = f", reaches {ability.range}" if ability is not None and ability.range is not None else ""
        yield Row(row.name, f"{row.text}{reach}", row.detail, field="target")


def _die_rows(command: _Act, trial: Trial, ability: records.Ability) -> Iterator[Row]:
    if command.hit is not None:
        yield outcome_row(command.hit, "AP-30")
    elif trial.owed is not None and trial.owed.purpose.startswith("roll"):
        is_asked = ability.damage is not None or bool(ability.finisher) or command.interrupt
        yield die_row(trial.owed, "Did it hit?" if is_asked else "the GM judges it", name="roll", field="hit")


def _damage_rows(
    command: _Act | entries.Npc, target: Combatant | None, ability: records.Ability | None
) -> Iterator[Row]:
    damage = command.damage if command.damage is not None else ability.damage if ability is not None else None
    if target is not None and damage is not None and command.hit is not False:
        yield damage_row(target, damage)
    if ability is not None and ability.finisher and target is not None:
        yield Row("then", f"{ability.finisher} of a Vulnerable target", rule="AP-30")
