"""Upkeep: what comes from elsewhere, damage and healing over time, the countdown (AP-42..45, AP-51, Q-A5, Q-A17)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from fightcall_engine.kit import effects as clocks
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import choices, data_text
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool, Prompt, Scalar
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import zone_marks

OUTSIDE, ITEMS, NET, DAMAGE_PULSES, HEAL_PULSES, COUNTDOWN = "outside", "items", "net", "damage", "heal", "countdown"
"""The parts of Upkeep, as the fact ``upkeep`` holds them: the one that was done last."""


def parts(settings: Mapping[str, Scalar]) -> tuple[str, ...]:
    """The parts of Upkeep in order, under the chosen readings."""
    pulses = (DAMAGE_PULSES, HEAL_PULSES) if settings.get("hp_net") == "damage_first" else (NET,)
    if settings.get("upkeep_order") == "countdown_first":
        return (OUTSIDE, ITEMS, COUNTDOWN, *pulses)
    return (OUTSIDE, ITEMS, *pulses, COUNTDOWN)


def begin(state: FightState, index: int) -> ev.Events:
    """AP-28, AP-43: Upkeep begins with the question what else resolves in it."""
    caused: tuple[ev.Event, ...] = (
        sev.UpkeepBegan(index=index, phase="upkeep"),
        fg.set_fact(state, "upkeep", OUTSIDE),
        *(fg.set_fact(state, name, "") for name in ("waived", "seen") if fg.text_fact(state, name)),
    )
    if fg.text_fact(state, "until") != "upkeep":
        return (*caused, sev.OutsideUpkeepAsked(prompt=outside_prompt(state)))
    said = fg.text_fact(state, "outside")
    record = ev.RulingRecorded(
        rule="AP-43", question="Anything else at Upkeep?", choice=said or "none", default_taken=not said
    )
    return (*caused, record)


def outside_prompt(state: FightState) -> Prompt:
    """AP-43: whatever else names Upkeep; and the moment to say that no threat is left (AP-46)."""
    fighting = fg.text_fact(state, "threats") != "over"
    return Prompt(
        id="",
        kind="upkeep",
        question=f"Upkeep of round {state.round}: does anything else resolve?",
        rule="AP-43",
        choices=choices(
            "none:item by item",
            "all:all at once",
            "more:something else",
            *(["over:the threats are over"] if fighting else []),
        ),
        default="none",
    )


def more_prompt() -> Prompt:
    """AP-43: what else resolves, in words."""
    return Prompt(id="", kind="upkeep_item", question="What else does this Upkeep resolve?", rule="AP-43", choices=())


def settle(state: FightState) -> ev.Events | None:
    """The next part of Upkeep; None when all of them are done."""
    order = parts(state.settings)
    done = fg.text_fact(state, "upkeep")
    after = order[order.index(done) + 1 :] if done in order else ()
    if not after:
        return None
    part = after[0]
    asked = _next_item(state) if part == ITEMS else ()
    if asked:
        return asked
    return (
        *_RUN[part](_without_waived_effects(zone_marks.with_zone_effects(state))),
        fg.set_fact(state, "upkeep", part),
    )


# The checklist


def _next_item(state: FightState) -> ev.Events:
    """AP-44, AP-45: what Upkeep does to an effect is put to the GM, one after the other; not where all go at once."""
    if fg.text_fact(state, "until") == "upkeep":
        return ()
    seen = fg.text_fact(state, "seen").split()
    affected = zone_marks.with_zone_effects(state)
    due = [(combatant, effect) for combatant in fg.in_order(affected) for effect in _due(affected, combatant)]
    for at, (combatant, effect) in enumerate(due, 1):
        if effect.id not in seen:
            asked = _item_prompt(state, combatant, effect, f"{at} of {len(due)}")
            return (fg.set_fact(state, "seen", " ".join([*seen, effect.id])), ev.RulingAsked(prompt=asked))
    return ()


def _due(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects on a combatant that Upkeep has something to do with."""
    moved = (*pulsing(combatant, fg.DAMAGE), *pulsing(combatant, fg.HEAL), *counting(state, combatant))
    return tuple(effect for effect in combatant.effects if effect in moved)


def _item_prompt(state: FightState, combatant: Combatant, effect: Effect, place: str) -> Prompt:
    does = []
    if effect in (*pulsing(combatant, fg.DAMAGE), *pulsing(combatant, fg.HEAL)):
        does.append(f"{strength(effect)} {'harm' if effect.kind == fg.DAMAGE else 'healing'}")
    if effect in counting(state, combatant):
        left = (effect.left or 1) - 1
        does.append(f"{left} left after this" if left else "then it ends")
    return Prompt(
        id="",
        kind="upkeep_effect",
        question=f"Upkeep {place}: {effect.name} on {combatant.name}: {', '.join(does)}?",
        rule="AP-45" if effect.kind in (fg.DAMAGE, fg.HEAL) else "AP-44",
        choices=choices("apply", "waive:waive it this time"),
        default="apply",
        who=combatant.id,
        side=combatant.side,
        data={"effect": effect.id, "name": effect.name},
    )


def answer_item(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """An effect works as it says, or the GM waives it this time and says why."""
    if given.choice != "waive":
        return ()
    waived = f"{fg.text_fact(state, 'waived')} {data_text(prompt, 'effect')}".strip()
    caused: ev.Events = (fg.set_fact(state, "waived", waived),)
    if given.note:
        return caused
    name = state.combatants[prompt.who].name
    reason = Prompt(
        id="",
        kind="upkeep_waived",
        question=f"Why is {data_text(prompt, 'name')} on {name} waived?",
        rule=prompt.rule,
        choices=(),
        who=prompt.who,
        side=prompt.side,
    )
    return (*caused, ev.RulingAsked(prompt=reason))


def _without_waived_effects(state: FightState) -> FightState:
    """The fight without the effects that this Upkeep lets be."""
    waived = fg.text_fact(state, "waived").split()
    if not waived:
        return state
    people = {
        combatant_id: replace(
            combatant, effects=tuple(effect for effect in combatant.effects if effect.id not in waived)
        )
        for combatant_id, combatant in state.combatants.items()
    }
    return replace(state, combatants=people)


# Pulses


def pulsing(combatant: Combatant, kind: str) -> tuple[Effect, ...]:
    """The effects of damage, or of healing, over time on a combatant."""
    if fg.trait(combatant, "dead") is True:
        return ()
    return tuple(effect for effect in combatant.effects if effect.kind == kind and effect.magnitude)


def strength(effect: Effect) -> int:
    """How much an effect harms or heals at each Upkeep. Harm is a negative magnitude, as the screen shows it."""
    return abs(effect.magnitude)


def _damage(combatant: Combatant, effect: Effect, held: Pool, left: int, offset: int) -> sev.DamagePulsed:
    return sev.DamagePulsed(
        who=combatant.id,
        pool="hp",
        before=held.now,
        left=left,
        max=held.max,
        amount=strength(effect),
        by="",
        tracked="hp" in combatant.pools,
        effect=effect.name,
        offset=offset,
    )


def _heal(combatant: Combatant, effect: Effect, held: Pool, left: int, offset: int) -> sev.HealPulsed:
    return sev.HealPulsed(
        who=combatant.id,
        pool="hp",
        before=held.now,
        left=left,
        max=held.max,
        amount=strength(effect),
        effect=effect.name,
        offset=offset,
    )


def _damages(combatant: Combatant, spare: int, now: int) -> tuple[list[ev.Event], int]:
    """Damage pulses, of which `spare` points are met by healing; the events and what is left of the hit points."""
    found: list[ev.Event] = []
    whole = combatant.pool("hp").max
    for effect in pulsing(combatant, fg.DAMAGE):
        offset = min(spare, strength(effect))
        spare -= offset
        left = max(0, now - (strength(effect) - offset))
        found.append(_damage(combatant, effect, Pool(now, whole), left, offset))
        now = left
    return found, now


def _heals(combatant: Combatant, spare: int, now: int) -> tuple[list[ev.Event], int]:
    found: list[ev.Event] = []
    whole = combatant.pool("hp").max
    if "hp" not in combatant.pools:
        return found, now
    for effect in pulsing(combatant, fg.HEAL):
        offset = min(spare, strength(effect))
        spare -= offset
        left = min(max(whole, now), now + strength(effect) - offset)
        found.append(_heal(combatant, effect, Pool(now, whole), left, offset))
        now = left
    return found, now


def _net(state: FightState) -> ev.Events:
    """Q-A17: damage and healing of one Upkeep are set against each other; only what is left over counts."""
    caused: list[ev.Event] = []
    for combatant in fg.in_order(state):
        harm = sum(strength(effect) for effect in pulsing(combatant, fg.DAMAGE))
        cure = sum(strength(effect) for effect in pulsing(combatant, fg.HEAL)) if "hp" in combatant.pools else 0
        now = combatant.pool("hp").now
        if cure <= harm:
            healed, now = _heals(combatant, harm, now)
            harmed, now = _damages(combatant, cure, now)
            caused += [*healed, *harmed]
        else:
            harmed, now = _damages(combatant, cure, now)
            healed, now = _heals(combatant, harm, now)
            caused += [*harmed, *healed]
        caused += _at_zero(combatant, now, harm > cure)
    return tuple(caused)


def _damage_part(state: FightState) -> ev.Events:
    caused: list[ev.Event] = []
    for combatant in fg.in_order(state):
        harmed, now = _damages(combatant, 0, combatant.pool("hp").now)
        caused += [*harmed, *_at_zero(combatant, now, bool(harmed))]
    return tuple(caused)


def _heal_part(state: FightState) -> ev.Events:
    return tuple(
        event for combatant in fg.in_order(state) for event in _heals(combatant, 0, combatant.pool("hp").now)[0]
    )


def _at_zero(combatant: Combatant, now: int, harmed: bool) -> list[ev.Event]:
    """AP-45, AP-51: who has come to 0, or lies there still bleeding, is the GM's to judge."""
    if not harmed or now > 0 or "hp" not in combatant.pools:
        return []
    return [ev.RulingAsked(prompt=zero_prompt(combatant))]


def zero_prompt(combatant: Combatant) -> Prompt:
    """AP-45, AP-51: down, dead, or something else."""
    still = "" if combatant.able else " and was down already"
    return Prompt(
        id="",
        kind="zero",
        question=f"{combatant.name} is at 0{still}: down or dead?",
        rule="AP-51",
        choices=choices("down", "dead", "other:neither"),
        default="down",
        who=combatant.id,
        side=combatant.side,
    )


# Countdown


def counting(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """AP-44: the effects with a duration that Upkeep counts down."""
    return tuple(
        effect
        for effect in combatant.effects
        if effect in (*_timed_effects(state, combatant), *_stranded_effects(state, combatant))
    )


def _timed_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    return (*clocks.due(state, combatant, fg.UPKEEP_TICK), *clocks.due(state, combatant, clocks.ROUND_END))


def _stranded_effects(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    return clocks.effects_on_stopped_clocks(state, combatant, fg.CLOCKS["own"].values(), fg.keeps_time)


def _countdown(state: FightState) -> ev.Events:
    caused: list[ev.Event] = [*_work_of_npcs(state), *zone_marks.counted_down(state)]
    for combatant in fg.in_order(state):
        still = _stranded_effects(state, combatant)
        for effect in counting(state, combatant):
            caused += count_down(state, combatant, (effect,), standing_still=effect in still)
    return tuple(caused)


def _work_of_npcs(state: FightState) -> ev.Events:
    """AP-05, AP-44: an action with a duration comes nearer to its end; PCs pay for theirs with slots instead."""
    caused: list[ev.Event] = []
    for combatant in fg.npcs(state):
        going, done = fg.text_trait(combatant, "action"), fg.number_trait(combatant, "action_paid")
        if going and combatant.able:
            needed = fg.number_trait(combatant, "action_needed")
            caused.append(
                sev.MultiRoundPaid(
                    who=combatant.id, before=done, value=done + 1, action=going, paid=done + 1, needed=needed
                )
            )
    return tuple(caused)


def count_down(
    state: FightState, combatant: Combatant, effects: Iterable[Effect], *, standing_still: bool = False
) -> ev.Events:
    """Durations drop, in this system's words."""
    return clocks.count_down(
        state,
        combatant,
        effects,
        ticked=sev.TickedDown,
        ended=sev.EffectExpired,
        down_to_zero=True,
        standing_still=standing_still,
    )


def at_phase(state: FightState, combatant_id: str, moment: str) -> ev.Events:
    """What counts by the Active Phases of one PC counts as one begins or ends: the GM's choice for an effect."""
    return tuple(
        event
        for combatant in fg.in_order(state)
        for event in count_down(state, combatant, clocks.due(state, combatant, moment, combatant_id))
    )


_RUN = {
    OUTSIDE: lambda state: (),
    ITEMS: lambda state: (),
    NET: _net,
    DAMAGE_PULSES: _damage_part,
    HEAL_PULSES: _heal_part,
    COUNTDOWN: _countdown,
}


# Effects as they begin


def lasting(name: str, kind: str, amount: int, rounds: int | None, counts: bool = True, note: str = "") -> Effect:
    """An effect of this system; it gets its id as it begins."""
    ticks = fg.UPKEEP_TICK if counts else fg.NEVER
    size = -abs(amount) if kind == fg.DAMAGE else amount
    return Effect(id="", name=name, left=rounds, ticks=ticks, magnitude=size, note=note, kind=kind)


def begin_sheet_effects(combatant: Combatant) -> ev.Events:
    """The effects that a combatant's sheet brings along, changes of slots that have their time among them (AP-13)."""
    mods = cast(list[Mapping[str, Json]], combatant.sheet.get("slot_mods") or [])
    timed = [
        {**entry, "name": entry["source"], "kind": fg.SLOT_MOD} for entry in mods if entry.get("rounds") is not None
    ]
    listed = [*timed, *cast(list[Mapping[str, Json]], combatant.sheet.get("effects") or [])]
    return tuple(
        ev.EffectBegan(
            who=combatant.id,
            effect=lasting(
                str(entry["name"]),
                str(entry.get("kind") or "other"),
                cast(int, entry.get("amount") or 0),
                cast(int | None, entry.get("rounds")),
                entry.get("counts") is not False,
            ),
        )
        for entry in listed
    )


def regrowth(combatant: Combatant) -> tuple[int, tuple[Effect, ...]]:
    """AP-52: what all pulses of healing that are left add up to, capped at the maximum; untimed ones fill it."""
    held = combatant.pool("hp")
    healing = pulsing(combatant, fg.HEAL)
    missing = max(0, held.max - held.now)
    total = sum(missing if effect.left is None else strength(effect) * effect.left for effect in healing)
    return min(missing, total), healing


def add_up_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-52: in Slow Burn, with healing over time on the one concerned."""
    return (
        Check(fg.slow_burning(state), "AP-52", "healing over time is added up in Slow Burn", ("slow burn",)),
        Check(
            bool(pulsing(combatant, fg.HEAL)),
            "AP-52",
            f"nothing heals {combatant.name} over time",
            ("an effect that heals",),
        ),
        Check("hp" in combatant.pools, "AP-52", f"{combatant.name}'s hit points are not counted", ("hp on the sheet",)),
    )
