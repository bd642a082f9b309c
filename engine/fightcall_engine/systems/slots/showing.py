"""How Active Phase Encounters shows a fight: groups, badges, reminders, and its own fields in the protocol."""

from collections.abc import Mapping

from fightcall_engine.state import Combatant, FightState, Json
from fightcall_engine.system import Badge, Card, Group
from fightcall_engine.systems.slots import cycle, interrupts, outro, preparing, prices, rounds, upkeep
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS

# The roster


def groups(state: FightState) -> tuple[Group, ...]:
    """The bands of the Cycle in order, then everybody outside it."""
    found: list[Group] = []
    placed = cycle.bands(state)
    for place, band in enumerate(placed, 1):
        best = fg.trait(state.combatants[band[0]], "awareness")
        title = f"{place} · {best}" if best is not None else str(place)
        found.append(Group(title, state.combatants[band[0]].side, _band_note(state, band), band))
    rest = tuple(one.id for one in fg.pcs(state) if not any(one.id in band for band in placed))
    if rest:
        found.append(Group("Awareness", fg.PARTY, "" if state.round else "no place yet", rest))
    outside = fg.npcs(state)
    for side, title in ((fg.FOE, "NPCs"), (fg.PARTY, "Companions")):
        members = tuple(one.id for one in outside if one.side == side)
        if members:
            found.append(Group(title, side, "outside the Cycle", members))
    return tuple(found)


def _band_note(state: FightState, band: tuple[str, ...]) -> str:
    """Where a band stands in this round: to come, acting, done; the last one is Final."""
    people = [state.combatants[who] for who in band]
    final = any(
        step.phase == "final" and set(band) & set(cycle.step_band(state, step)) for step in state.agenda.steps
    )
    word = "Final" if final else ""
    if any(fg.is_active(one) for one in people):
        return f"{word} x4, acting" if final else "acting"
    if people and all(rounds.done_with(one) for one in people):
        return "done"
    if state.round and not any(fg.in_round(state, one) for one in people):
        late = any(fg.number_trait(one, "from_round") > state.round for one in people)
        return "next round" if late else "out"
    return word


def card(state: FightState, who: str) -> Card:
    """Slots or reserve, whichever counts now, and what a GM must not forget about a combatant."""
    one = state.combatants[who]
    badges: list[Badge] = []
    if fg.trait(one, "dead") is True:
        badges.append(Badge("dead", "bad"))
    elif not one.able:
        badges.append(Badge("down", "bad"))
    if fg.trait(one, "vulnerable") is True:
        badges.append(Badge("Vulnerable", "warn"))
    if one.hidden:
        badges.append(Badge("hidden", "info"))
    note = ""
    going = fg.text_trait(one, "action")
    if going:
        note = f"{going} {fg.number_trait(one, 'action_paid')}/{fg.number_trait(one, 'action_needed')}"
    if not fg.is_pc(one):
        return Card(("hp",) if "hp" in one.pools else (), (*badges, *_npc_badges(state, one)), "", note)
    done = rounds.done_with(one)
    if done and fg.reserve(one).now:
        badges.append(Badge("reserve", "info"))
    pools = tuple(pool for pool in ("hp", RESERVED if done else SLOTS) if pool in one.pools)
    return Card(pools, tuple(badges), "", note)


def _npc_badges(state: FightState, one: Combatant) -> list[Badge]:
    last = fg.text_trait(one, "last_act")
    badges: list[Badge] = []
    if fg.trait(one, "interrupted") is True:
        badges.append(Badge("interrupted", "warn"))
    if last:
        when = fg.number_trait(one, "acted_round")
        now = state.round and when == state.round
        badges.append(Badge(last if now else f"R{when}: {last}", "info" if now else "plain"))
    return badges


# What to think of


def reminders(state: FightState) -> tuple[str, ...]:
    """What the GM should think of now (rules digest, section 8)."""
    phase = state.phase
    if phase in fg.ROUND_PHASES:
        return _round_reminders(state)
    if phase == preparing.AWARENESS:
        left = ", ".join(one.name for one in preparing.missing(state))
        return (f"No result yet: {left}" if left else "All results are in",)
    if phase == preparing.ORDERING:
        found = cycle.bands(state)
        ties = "; ".join(cycle.names(state, band) for band in found if len(band) > 1)
        last = cycle.names(state, found[-1]) if found else ""
        told = ["Stay now: places cannot change after the lock"]
        told += [f"Share a place: {ties}"] if ties else []
        return (*told, f"Last, and so Final: {last}") if len(found) > 1 else tuple(told)
    if phase == preparing.INITIALIZATION:
        left = "; ".join(
            f"{state.combatants[who].name}: {name}" for who, name in preparing.init_effects(state)
        )
        return ("Last chance for effects that are meant only for now", *((left,) if left else ()))
    if phase == "upkeep":
        return _upkeep_reminders(state)
    return ("Who has an effect that may only be used in Initialization?",) if not state.round else ()


def _round_reminders(state: FightState) -> tuple[str, ...]:
    found: list[str] = []
    if fg.is_final(state):
        scope = state.settings.get("final_scope", "everyone")
        found.append(
            "Final Phase: every price x4" if scope == "everyone" else "Final Phase: reserve prices x4"
        )
    if fg.slow_burning(state):
        needs = outro.still_needed(state)
        name = fg.text_fact(state, "issue") or "no problem"
        found.append(f"Slow Burn: {name}" + (f", {needs} slots to go" if needs is not None else ""))
    for one in fg.actives(state):
        going = fg.text_trait(one, "action")
        if going and fg.number_trait(one, "action_round") < state.round:
            found.append(f"{one.name} must pay for {going} now, or it is lost")
    for one in fg.holders(state):
        found.append(f"{one.name} holds {fg.reserve(one).now}{_usable(state, one)}")
    idle = [
        one.name for one in fg.npcs(state) if one.able and fg.number_trait(one, "acted_round") < state.round
    ]
    if idle:
        found.append(f"Not yet acted: {', '.join(idle[:6])}")
    return tuple(found)


def _usable(state: FightState, one: Combatant) -> str:
    """What a holder of reserves could still pay for."""
    kept = fg.reserve(one).now
    can = [
        f"{entry.name} {price}"
        for entry in fg.abilities(one)
        if entry.from_reserve and (price := prices.price_of(state, entry, RESERVED).total) <= kept
    ]
    return f": {', '.join(can)}" if can else ""


def _upkeep_reminders(state: FightState) -> tuple[str, ...]:
    found: list[str] = []
    for one in fg.in_order(state):
        pulses = [f"{effect.name} -{upkeep.strength(effect)}" for effect in upkeep.pulsing(one, fg.DAMAGE)]
        pulses += [f"{effect.name} +{upkeep.strength(effect)}" for effect in upkeep.pulsing(one, fg.HEAL)]
        if pulses:
            found.append(f"{one.name}: {', '.join(pulses)}")
        ending = [effect.name for effect in upkeep.counting(one) if effect.left == 1]
        if ending:
            found.append(f"{one.name}: ends now: {', '.join(ending)}")
        hp = one.pools.get("hp")
        if hp is not None and one.able and 0 < hp.now <= 3 and pulses:
            found.append(f"{one.name} is near 0 ({hp.now})")
    return tuple(found) or ("Nothing pulses and nothing ends",)


# The protocol


def stage_of(state: FightState) -> str:
    """Where the encounter stands, in the words of the rules digest, section 2.3."""
    if state.status == "closed":
        return "ended"
    if any(prompt.kind == "outro" for prompt in state.prompts):
        return "outro_choice"
    phase = state.phase
    if phase in (preparing.AWARENESS, preparing.ORDERING, preparing.INITIALIZATION, "upkeep"):
        return phase
    if not phase:
        return "setup"
    return "slow_burn" if fg.slow_burning(state) else "final" if fg.is_final(state) else "round"


def fields(state: FightState, who: str) -> Mapping[str, Json]:
    """The system's own fields of a combatant (rules digest, section 2.1)."""
    one = state.combatants[who]
    going = fg.text_trait(one, "action")
    action = {
        "name": going,
        "needed": fg.number_trait(one, "action_needed"),
        "paid": fg.number_trait(one, "action_paid"),
        "roll": fg.trait(one, "action_roll"),
        "interruptible": fg.trait(one, "action_breakable"),
    }
    what, sort = interrupts.doing(state, one)
    return {
        "kind": fg.text_trait(one, "kind"),
        "agility": fg.agility(one),
        "slots_per_round": fg.slots_per_round(one, state.settings) if fg.is_pc(one) else 0,
        "awareness": fg.trait(one, "awareness"),
        "place": fg.number_trait(one, "place"),
        "stay": fg.text_trait(one, "stay") or None,
        "active_slots": fg.slots(one).now,
        "reserved_slots": fg.reserve(one).now,
        "ap_state": fg.text_trait(one, "ap") if fg.is_pc(one) else None,
        "action_in_progress": action if going else None,
        "doing": {"what": what, "sort": sort} if what else None,
        "vulnerable": fg.trait(one, "vulnerable") is True,
        "dead": fg.trait(one, "dead") is True,
        "interrupted": fg.trait(one, "interrupted") is True,
        "last_act": fg.text_trait(one, "last_act") or None,
        "acted_round": fg.number_trait(one, "acted_round"),
    }


def facts(state: FightState) -> Mapping[str, Json]:
    """The system's own fields of the fight (rules digest, section 2.3)."""
    name = fg.text_fact(state, "issue")
    step = state.step
    placed = cycle.bands(state)
    running = cycle.step_band(state, step) if step is not None and step.kind == cycle.BAND else ()
    issue: Json = None
    if name:
        issue = {
            "name": name,
            "needed": fg.fact(state, "issue_needed"),
            "done": fg.number_fact(state, "issue_done"),
        }
    return {
        "stage": stage_of(state),
        "cycle": [list(band) for band in placed],
        "locked": fg.locked(state),
        "full_round": state.round,
        "band_index": placed.index(running) if running in placed else None,
        "final": fg.is_final(state),
        "threats": fg.text_fact(state, "threats") or None,
        "outro": fg.text_fact(state, "outro") or None,
        "issue": issue,
        "waiting": [one.id for one in fg.actives(state)],
    }
