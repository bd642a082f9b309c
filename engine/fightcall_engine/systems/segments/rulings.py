"""What the GM may rule on unasked: Actions owed, the order, the label of the contest, warnings, saved pairs."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.rulings import Ruling, carry_out, record_ruling, truth, whole
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import fate, outdoing, tokens
from fightcall_engine.systems.segments.contests import morale
from fightcall_engine.systems.segments.declaration import pairs, pieces
from fightcall_engine.systems.segments.formulas import tasks
from fightcall_engine.systems.segments.harm import armouring, harm_views, wounding
from fightcall_engine.systems.segments.objects import advice, holding
from fightcall_engine.systems.segments.sequence import order
from fightcall_engine.systems.segments.shooting import crossbow_steps
from fightcall_engine.systems.segments.strikes import words


def _slots(decision: Decision, rule: Rule) -> ev.Events:
    """CS-007: Actions owed in this segment, by the GM's word."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    count = whole("CS-007", rule.value, 0, "number of Actions")
    if count > 20:
        raise Refused("CS-007", f"{count} Actions", ("0 to 20",), final=True)
    used = fg.actions_owed(combatant) - fg.slots_left(combatant)
    course = Decision(state)
    course.emit(record_ruling("CS-007", f"Actions of {combatant.name} in this segment", count, rule.note))
    course.emit(*fg.set_traits(combatant, slots_ruled=count))
    held = combatant.pool(fg.SLOTS)
    course.emit(sev.SlotsOwed(who=combatant.id, before=held.now, left=max(0, count - used), max=count))
    course.emit(*order.rearrange_segment(course.state, "the GM's word"))
    return course.events


def _rate(decision: Decision, rule: Rule) -> ev.Events:
    """CS-110: another Rate of Action from the next segment on."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    try:
        rate = Fraction(str(rule.value).strip())
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not 0 < rate <= 20:
        raise Refused("CS-007", f"{rule.value!r} is no Rate of Action", ("such as 1, 2 or 3/2",), final=True)
    return (
        record_ruling("CS-110", f"Rate of Action of {combatant.name}", rate, rule.note),
        *fg.set_traits(combatant, roa_ruled=str(rate)),
    )


def _contest(decision: Decision, rule: Rule) -> ev.Events:
    """CS-001: a tactical contest, or combat."""
    state = decision.state
    value = str(rule.value or "combat")
    if value not in ("tactical", "combat"):
        raise Refused("CS-001", f"{value!r} is neither", ("tactical", "combat"), final=True)
    record = record_ruling("CS-001", "What this is", value, rule.note)
    return (record, sev.ContestChanged(before=fg.fact(state, "contest"), value=value))


def _rule_warning(decision: Decision, rule: Rule) -> ev.Events:
    """CS-303, CS-304: somebody knows of a threat behind."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = truth("CS-304", rule.value)
    return (
        record_ruling("CS-304", f"{combatant.name} is warned", value, rule.note),
        *fg.set_traits(combatant, warned=value),
    )


def _pair(decision: Decision, rule: Rule) -> ev.Events:
    """CS-392: a pair that is not listed, kept for this fight: ``strike/move``."""
    state = decision.state
    first, slash, second = str(rule.value or "").strip().lower().partition("/")
    if not (first and slash and second):
        raise Refused("CS-392", f"{rule.value!r} is no pair", ("first/second, such as strike/move",), final=True)
    unknown = [name for name in (first.strip(), second.strip()) if name not in pairs.ACTS]
    if unknown:
        raise Refused("CS-392", f"{unknown[0]!r} is no act of a pair", tuple(sorted(pairs.ACTS)), final=True)
    record = record_ruling("CS-392", "Allowed as one Action", f"{first.strip()}/{second.strip()}", rule.note)
    return (record, *pairs.save_pair(state, first.strip(), second.strip()))


def _weather(decision: Decision, rule: Rule) -> ev.Events:
    """CS-214, M-20: what wind and rain add to the difficulty of throwing, catching and shooting."""
    state = decision.state
    if isinstance(rule.value, bool) or not isinstance(rule.value, int) or abs(rule.value) > 1000:
        raise Refused("CS-214", f"{rule.value!r} is no modifier", ("a whole number; 0 ends it",), final=True)
    record = record_ruling("CS-214", "Wind and rain", f"{rule.value:+d}", rule.note)
    return (record, *fg.set_fact(state, "weather", rule.value))


def _task(decision: Decision, rule: Rule) -> ev.Events:
    """CS-131: an act that table 4-1 does not list, kept for this fight: ``climb_wall=6``; 0 takes it out again."""
    state = decision.state
    name, equals, qa = str(rule.value or "").strip().partition("=")
    known = pieces.saved_tasks(state)
    name = "_".join(name.lower().split())
    if not (name and equals and qa.strip().isdigit()) or int(qa) > pieces.LONGEST_QA or name in tasks.components():
        accepts = ("climb_wall=6: a name that the table does not have, and quarter-actions",)
        raise Refused("CS-131", f"{rule.value!r} is no act with its length", accepts, final=True)
    kept = {**known, name: int(qa)}
    text = " ".join(f"{name}={length}" for name, length in kept.items() if length)
    record = record_ruling("CS-131", f"How long {name} takes", f"{int(qa)} qa", rule.note)
    return (record, *fg.set_fact(state, pieces.SAVED, text))


def _sleeves(decision: Decision, rule: Rule) -> ev.Events:
    """CS-135: whether somebody's sleeves are tied to their jerkin, and so donned with it."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    tied = truth("CS-135", rule.value)
    record = record_ruling("CS-135", f"Sleeves of {combatant.name}", "tied on" if tied else "loose", rule.note)
    return (record, *fg.set_traits(combatant, sleeves="tied" if tied else "loose"))


def _pres(decision: Decision, rule: Rule) -> ev.Events:
    """CS-610: P-RES, where it has not been entered or has changed."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = whole("CS-610", rule.value, 0, "P-RES")
    return (
        record_ruling("CS-610", f"P-RES of {combatant.name}", value, rule.note),
        *fg.set_traits(combatant, pres=value),
    )


def _first(decision: Decision, rule: Rule) -> ev.Events:
    """CS-072: whose act opens the contest declares first in this segment."""
    state = decision.state
    combatant = combatant_of(state, rule.who or str(rule.value or ""))
    course = Decision(state)
    course.emit(record_ruling("CS-072", "Who declares first", combatant.name, rule.note))
    course.emit(*fg.set_fact(state, "first", combatant.id))
    course.emit(*order.rearrange_segment(course.state, "the GM's word"))
    return course.events


def _pivotal(decision: Decision, rule: Rule) -> ev.Events:
    """CS-638: whether this scene is one in which Heroic Effects and Bumbles count."""
    state = decision.state
    value = truth("CS-638", rule.value)
    return (record_ruling("CS-638", "A pivotal scene", value, rule.note), *fg.set_fact(state, "pivotal", value))


def _split(decision: Decision, rule: Rule) -> ev.Events:
    """CS-241: how many of the ten Pulses run in each pass: ``6 4``."""
    state, referee = decision.state, decision.referee
    counts = order.split_of(str(rule.value or ""))
    referee.require(
        state.settings.get("pulse_scope") == "gm_split",
        "CS-241",
        "all Pulses run in the first pass",
        "the setting pulse_scope",
    )
    if not counts:
        accepts = ("numbers for pass 1, 2..., ten in all, such as 6 4",)
        raise Refused("CS-241", f"{rule.value!r} is no split of the Pulses", accepts, final=True)
    course = Decision(state)
    course.emit(record_ruling("CS-241", "Pulses of each pass", " ".join(map(str, counts)), rule.note))
    course.emit(*fg.set_fact(state, "split", " ".join(map(str, counts))))
    course.emit(*order.rearrange_segment(course.state, "the GM's word"))
    return course.events


def _crossbow(decision: Decision, rule: Rule) -> ev.Events:
    """CS-256: whether a crossbow is cocked or loaded, and since how many full days: ``loaded 3``."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    said, _, days = str(rule.value or "").strip().partition(" ")
    kept = days.strip() or "0"
    if said not in crossbow_steps.STATES or not (kept.isascii() and kept.isdigit() and len(kept) < 5):
        accepts = (*crossbow_steps.STATES, "loaded 3: kept so for 3 days")
        raise Refused("CS-256", f"{rule.value!r} is no state of a crossbow", accepts, final=True)
    record = record_ruling("CS-256", f"The crossbow of {combatant.name}", f"{said} {days}".strip(), rule.note)
    return (record, *fg.set_traits(combatant, crossbow=said, crossbow_days=int(kept), crossbow_tool=False))


def _strung(decision: Decision, rule: Rule) -> ev.Events:
    """CS-256: whether a bow is strung."""
    state = decision.state
    combatant = combatant_of(state, rule.who)
    value = truth("CS-256", rule.value)
    record = record_ruling("CS-256", f"The bow of {combatant.name}", "strung" if value else "not strung", rule.note)
    return (record, *fg.set_traits(combatant, unstrung=not value))


RULINGS: dict[str, Ruling] = {
    "split": _split,
    "pivotal": _pivotal,
    "fate": fate.rule_fate,
    "slots": _slots,
    "roa": _rate,
    "contest": _contest,
    "warned": _rule_warning,
    "pair": _pair,
    "armour": armouring.rule_armour,
    "pres": _pres,
    "first": _first,
    "weather": _weather,
    "task": _task,
    "sleeves": _sleeves,
    "crossbow": _crossbow,
    "strung": _strung,
    "deed": outdoing.rule_deed,
    "nerve": morale.rule_nerve,
    **advice.RULINGS,
}


def decide_rule(decision: Decision, command: Rule) -> ev.Events:
    """Carry out a ruling that nothing asked for."""
    return carry_out(RULINGS, command.what, decision, command)


def _offer(what: str, label: str, rule: str, *inputs: Input, combatant_id: str = "") -> Option:
    fixed: dict[str, Scalar] = {"what": what, **({"who": combatant_id} if combatant_id else {})}
    return offer(f"rule-{what}", label, "Rule", "", (), rule=rule, fixed=fixed, inputs=inputs)


def ruling_options(state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """What the GM may rule on now."""
    other = "tactical" if fg.text_fact(state, "contest") == "combat" else "combat"
    weather = str(fg.number_fact(state, "weather"))
    label = Input("value", "choice", "it is", choices=("combat", "tactical"), default=other)
    found = [
        _offer("contest", "tactical or combat", "CS-001", label),
        *_scene(state),
        _offer("pair", "two acts as one Action", "CS-392", Input("value", "text", "first/second")),
        _offer("weather", "wind and rain", "CS-214", Input("value", "number", "DV", default=weather)),
        _offer("task", "how long an act takes", "CS-131", Input("value", "text", "name=quarter-actions")),
    ]
    if state.settings.get("pulse_scope") == "gm_split":
        found.append(_offer("split", "Pulses of each pass", "CS-241", Input("value", "text", "such as 6 4")))
    return (
        (*found, *_about(state, state.combatants[combatant_id])) if combatant_id in state.combatants else tuple(found)
    )


def _scene(state: FightState) -> tuple[Option, ...]:
    """Offered only where it makes a difference."""
    settings = state.settings
    matters = settings.get("heroic_scope") != "always" and (settings.get("heroic_effects") or settings.get("bumbles"))
    now = str(fg.fact(state, "pivotal") is not True).lower()
    value = Input("value", "choice", "pivotal", choices=("true", "false"), default=now)
    scene = (_offer("pivotal", "a pivotal scene", "CS-638", value),) if matters else ()
    asked = str(fg.fact(state, fate.QUIET) is True).lower()
    quiet = Input("value", "choice", "asked", choices=("true", "false"), default=asked)
    tokens_on = settings.get("fate_tokens") is True
    return (*scene, _offer("fate", "ask who holds a token about rolls", "CS-653", quiet)) if tokens_on else scene


def _about(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    count = Input("value", "number", "Actions", default=str(fg.actions_owed(combatant)))
    rate = Input("value", "text", "Actions per segment", default=str(fg.rate_of_action(combatant)))
    sleeves = Input("value", "choice", "tied", choices=("true", "false"), default="true")
    worn = Input(
        "value", "text", "layers, outermost first", default=armouring.format_layers(armouring.worn_by(combatant))
    )
    known = wounding.pres_of(combatant)
    pres = "" if known is None else str(known)
    warned = Input("value", "choice", "warned", choices=("true", "false"), default="true")
    most = f"up to HRT {fg.number(combatant, 'hrt', 13)}"
    deed = Input("value", "text", f"score and bonus {most}: str 5, pot 3 act, av 4 until a foe; none ends it")
    moods = (morale.STEADY, *morale.STATES[1:])
    bearing = Input("value", "choice", "is", choices=moods, default=morale.state_of(combatant) or morale.STEADY)
    flame = Input("value", "choice", "how close", choices=advice.FLAMES, default="near")
    high = Input("value", "number", "feet above the ground", default=f"{fg.measure(combatant, 'elev'):g}")
    splash = Input("value", "choice", "what", choices=tuple(advice.HARMS), default="burns")
    return (
        _offer("slots", f"Actions of {combatant.name} in this segment", "CS-007", count, combatant_id=combatant.id),
        _offer("roa", f"Rate of Action of {combatant.name}", "CS-110", rate, combatant_id=combatant.id),
        _offer("first", f"{combatant.name} declares first", "CS-072", combatant_id=combatant.id),
        _offer("sleeves", f"{combatant.name}'s sleeves are tied on", "CS-135", sleeves, combatant_id=combatant.id),
        _offer("warned", f"{combatant.name} is warned of who is behind", "CS-304", warned, combatant_id=combatant.id),
        _offer("armour", f"armour that {combatant.name} wears now", "CS-584", worn, combatant_id=combatant.id),
        _offer(
            "pres",
            f"P-RES of {combatant.name}",
            "CS-610",
            Input("value", "number", "P-RES", default=pres),
            combatant_id=combatant.id,
        ),
        *harm_views.gm_options(combatant),
        *_demoralising(state, combatant),
        *tokens.options(state, combatant),
        *_readiness(combatant),
        _offer("deed", f"a heroic deed of {combatant.name}", "CS-645", deed, combatant_id=combatant.id),
        _offer(
            "nerve", f"nerve of {combatant.name}: steady, shaken, broken", "CS-516", bearing, combatant_id=combatant.id
        ),
        _offer("fire", f"{combatant.name}'s clothes near a flame", "CS-700", flame, combatant_id=combatant.id),
        _offer(
            "splash", f"boiling liquid, sand or lye on {combatant.name}", "CS-701", splash, combatant_id=combatant.id
        ),
        _offer("height", f"{combatant.name} stands higher or lower", "CS-702", high, combatant_id=combatant.id),
        *(
            _offer(name, f"{combatant.name} {word.label}", word.rule, combatant_id=combatant.id)
            for name, word in advice.WORDS.items()
        ),
    )


def _demoralising(state: FightState, combatant: Combatant) -> tuple[Option, ...]:
    """CS-510: words with a blow that has landed already, where they were not declared with it."""
    foes = tuple(other.id for other in fg.able(state) if state.opposed(combatant.id, other.id))
    if words.level_of(combatant) is None or not foes:
        return ()
    inputs = (Input("target", "target", "whom", choices=foes), words.WANTED, Input("through", "number", "POT through"))
    fixed: dict[str, Scalar] = {"who": combatant.id}
    label = f"{combatant.name} demoralises somebody with a blow that has landed"
    return (offer("rule-demoralise", label, "Demoralise", "", (), rule="CS-510", fixed=fixed, inputs=inputs),)


def _readiness(combatant: Combatant) -> tuple[Option, ...]:
    """CS-256: offered to those who have what is strung or cocked."""
    found = []
    if crossbow_steps.crossbow_of(combatant) is not None:
        state = Input("value", "text", "spent, cocked or loaded, and for how many days", default="loaded")
        found.append(
            _offer("crossbow", f"the crossbow of {combatant.name}", "CS-256", state, combatant_id=combatant.id)
        )
    if any(thing.get("family") in ("bow", "shortbow") for thing in holding.items(combatant)):
        now = str(fg.trait(combatant, "unstrung") is True).lower()
        strung = Input("value", "choice", "strung", choices=("true", "false"), default=now)
        found.append(_offer("strung", f"{combatant.name}'s bow is strung", "CS-256", strung, combatant_id=combatant.id))
    return tuple(found)
