"""The events of harm in words."""

from collections.abc import Callable

from fightcall_engine.kit.phrases import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.harm import harm_events as hev
from fightcall_engine.systems.segments.harm import hurting

Told = Callable[..., Phrase | None]


def _sum(parts: hev.Parts) -> str:
    """What a number is made of, as it is reckoned: value and what it stands for."""
    said = ", ".join(f"{value} {label}" for label, value, _ in parts)
    return f" ({said})" if said else ""


def _landed(one: hev.BlowLanded, state: FightState) -> Phrase:
    way = "" if one.passage == "common" else f", {one.passage.replace('_', ' ')}"
    text = f"  POT {one.pot} on {name_of(state, one.who)}, {one.struck}{way}{_sum(one.parts)}"
    return Phrase(text, "plain", "CS-530")


def _knocked(one: hev.KnockedBack, state: FightState) -> Phrase:
    where = f" to {state.board.name_of(one.at)}" if state.board is not None and one.at not in (None, one.before) else ""
    stopped = f", stopped by {one.stopped_at}" if one.stopped_at else ""
    more = f": POT +{one.barrier}" if one.barrier else ""
    far = f"{one.moved} of {one.feet} ft"
    text = f"  {name_of(state, one.who)} is knocked back {far}{where}{stopped}{more}{_sum(one.parts)}"
    return Phrase(text, "warn", "CS-563" if one.barrier else "CS-560")


def _armour(one: hev.ArmourApplied, state: FightState) -> Phrase:
    """Silent for who wears nothing that took anything of it."""
    if one.out == one.pot_in:
        return Phrase("")
    through = f"{one.out} of {one.pot_in} come through" if one.out else f"stops all {one.pot_in}"
    return Phrase(f"  {name_of(state, one.who)}: {through}{_sum(one.parts)}", "plain" if one.out else "good", "CS-570")


def _worn(one: hev.ArmourWorn, state: FightState) -> Phrase:
    return Phrase(f"  {name_of(state, one.who)}'s {one.layer}: -{one.lost}, {one.left} left", "dim", "CS-580")


def _ruined(one: hev.ArmourDestroyed, state: FightState) -> Phrase:
    return Phrase(f"  {name_of(state, one.who)}'s {one.layer} is ruined", "warn", "CS-584")


def _reckoned(one: hev.WoundsReckoned, state: FightState) -> Phrase:
    """The count of wounds is told after it; where there is none, this says why."""
    text = f"  {name_of(state, one.who)}: {one.through} through, Wound Threshold {one.threshold:g}"
    if not one.wounds:
        return Phrase(f"{text}: no wound", "good", "CS-600")
    return Phrase(text, "dim", "CS-602" if one.counts else "CS-603")


def _points(one: hev.BodyPointsLost, state: FightState) -> Phrase:
    text = f"  {name_of(state, one.who)} loses {one.amount} Body Points, {one.left} left, {one.level}"
    return Phrase(text, "bad", "CS-550")


def _by_wounds(one: ev.DamageApplied, state: FightState) -> Phrase | None:
    """Where wounds are counted, their count tells it."""
    hit = state.combatants.get(one.who)
    counted = hit is not None and one.pool == "hp" and hurting.body_points(state, hit) is None
    return Phrase("") if counted else None


def _wounds(one: sev.WoundsInflicted, state: FightState) -> Phrase:
    many = "1 wound" if abs(one.n) == 1 else f"{abs(one.n)} wounds"
    how = f"takes {many}" if one.n >= 0 else f"is healed of {many}"
    tone = "bad" if one.n >= 0 else "good"
    return Phrase(f"  {name_of(state, one.who)} {how}: {one.total} in all, {one.level}", tone, "CS-620")


def _downed(one: ev.Downed, state: FightState) -> Phrase | None:
    """Who is unconscious, collapsed or dead has been told so just before."""
    return Phrase("") if one.how in fg.LIVES else None


def _lives(one: hev.LivesOn, state: FightState) -> Phrase:
    minutes = one.segments // 6
    return Phrase(f"  {name_of(state, one.who)} lives on for {minutes} minutes", "warn", "CS-625")


def _rallied(one: hev.Rallied, state: FightState) -> Phrase:
    how = "rallies: full STR for this Action" if one.ok else "cannot rally"
    return Phrase(f"{name_of(state, one.who)} {how}", "good" if one.ok else "bad", "CS-622")


def _aftermath(one: hev.AftermathApplied, state: FightState) -> Phrase:
    text = f"{name_of(state, one.who)}, {one.level}: STR {one.strength}, END back in {one.end_factor} times the time"
    return Phrase(text, "plain", "CS-627")


def _met(one: hev.BodiesMet, state: FightState) -> Phrase:
    who, target = name_of(state, one.who), name_of(state, one.target)
    far = f" {one.feet} ft{_sum(one.parts)}"
    said, rule = {
        "thrown": (f"{target} is thrown back{far}", "CS-457"),
        "rebound": (f"{who} bounces off {target}{far}", "CS-459"),
        "dodged": (f"{who} meets nobody", "CS-461"),
    }.get(one.outcome, (f"{who} and {target} come to a halt, close", "CS-460"))
    return Phrase(f"  {said}", "warn", rule)


def _demoralised(one: hev.Demoralised, state: FightState) -> Phrase:
    target, by = name_of(state, one.who), name_of(state, one.by)
    said, rule = {
        "shaken": (f"{target} backs off and looks for a way to break", "CS-516"),
        "broken": (f"{target} is broken and surrenders", "CS-517"),
        "unmoved": (f"{target} is unmoved", "CS-518"),
        "doubt": (f"{target} doubts himself: DVs -{one.loss} against {by} in the next segment", "CS-519"),
    }.get(one.outcome, (f"{target} fights on", "CS-520"))
    return Phrase(f"  {said}", "warn", rule)


def _words_lost(one: hev.PresenceLost, state: FightState) -> Phrase:
    who, target = name_of(state, one.who), name_of(state, one.target)
    return Phrase(f'  {who}\'s "{one.line}" is lost on {target}: {one.reason}', "dim", one.rule)


def _life(text: str, rule: str) -> Told:
    def told(one: sev.LifeChanged, state: FightState) -> Phrase:
        return Phrase(f"{name_of(state, one.who)} {text}", "bad", rule)

    return told


TOLD: dict[type[ev.Event], Told] = {
    hev.BlowLanded: _landed,
    hev.KnockedBack: _knocked,
    hev.Fell: lambda one, state: Phrase(f"  {name_of(state, one.who)} falls", "bad", "CS-562"),
    hev.ArmourApplied: _armour,
    hev.ArmourWorn: _worn,
    hev.ArmourDestroyed: _ruined,
    hev.WoundsReckoned: _reckoned,
    hev.BodyPointsLost: _points,
    ev.DamageApplied: _by_wounds,
    sev.WoundsInflicted: _wounds,
    hev.FellUnconscious: _life("falls unconscious", "CS-611"),
    hev.Collapsed: _life("collapses", "CS-624"),
    hev.Died: _life("dies", "CS-624"),
    ev.Downed: _downed,
    hev.LivesOn: _lives,
    hev.Rallied: _rallied,
    hev.AftermathApplied: _aftermath,
    hev.BodiesMet: _met,
    hev.Demoralised: _demoralised,
    hev.PresenceLost: _words_lost,
}
"""Each event of harm in words."""
