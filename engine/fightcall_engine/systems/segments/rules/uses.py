"""Repeated uses of a weapon skill or a Dodge: their values, and when the count restarts (CS-238, CS-419)."""

from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, halve, ordinal, rhu

WeaponReuse: TypeAlias = Literal["per_role", "pooled"]
"""Whether attacks and defences with one weapon skill are counted separately or together (A-02)."""

ReuseWindow: TypeAlias = Literal["action", "cs"]
"""When the counts restart (A-03)."""

Role: TypeAlias = Literal["attack", "defence"]


def next_use(role: Role, attacks: int, defences: int, reading: WeaponReuse = "per_role") -> int:
    """Return the number of a weapon skill's next use, from 1 (CS-238, CS-239).

    Args:
        role: the next use's role.
        attacks: earlier attacks with this skill in the window; each skill and hand has its own count.
        defences: earlier defences with it.
        reading: `per_role` counts the uses in this role, `pooled` all (A-02).
    """
    if reading == "pooled":
        return attacks + defences + 1
    return (attacks if role == "attack" else defences) + 1


def value_of_use(av: Number, use: int, *, penalty: int = 0, fresh: bool = False) -> Sum:
    """Return the exact value of a weapon skill's k-th use, as AV or as the DV it provides (CS-238, R-2).

    Args:
        av: the skill's value.
        use: the number of the use, from 1.
        penalty: subtracted first, down to 0, such as that of Surprise (A-56).
        fresh: whether it is a full defence, for which earlier uses do not count (CS-167).
    """
    parts = [Part("skill", av, "CS-238")]
    if penalty:
        parts.append(Part("penalty", -min(penalty, max(0, av)), "CS-061"))
    return _halved_sum(parts, use - 1, f"{ordinal(use)} use", "CS-238", fresh=fresh)


def free_dodges(trade_sl: int) -> int:
    """Return the Dodges at full value of a trained dodger: one for each 10 levels (CS-420, A-38).

    Args:
        trade_sl: level as Warrior, Assassin, Huntsman, Acrobat or Dancer; 0 for others. The first Dodge is always
            at full value.
    """
    return trade_sl // 10


def value_of_dodge(av: Number, count: int, *, trade_sl: int = 0, penalty: int = 0, fresh: bool = False) -> Sum:
    """Return the exact value of the k-th Dodge of an Action (CS-419, CS-420).

    Args:
        av: the Dodge value.
        count: the number of the Dodge, from 1.
        trade_sl: level of the trained dodger, as for `free_dodges`.
        penalty: what comes off before halving (A-56).
        fresh: whether it is a full defence (CS-167).
    """
    parts = [Part("Dodge", av, "CS-419")]
    if penalty:
        parts.append(Part("penalty", -min(penalty, max(0, av)), "CS-061"))
    times = max(0, count - max(1, free_dodges(trade_sl)))
    rule = "CS-420" if trade_sl >= 10 else "CS-419"
    return _halved_sum(parts, times, f"{ordinal(count)} Dodge", rule, fresh=fresh)


def dodges_left(av: Number, dodges_so_far: int, *, trade_sl: int = 0, penalty: int = 0) -> tuple[int, ...]:
    """Return the rounded value of each further Dodge of this Action, until one comes to 0 (CS-419, CS-169).

    Args:
        av: the Dodge value.
        dodges_so_far: Dodges of this Action so far.
        trade_sl: level of the trained dodger, as for `free_dodges`.
        penalty: what comes off before halving.
    """
    dodges: list[int] = []
    while (
        worth := rhu(value_of_dodge(av, dodges_so_far + len(dodges) + 1, trade_sl=trade_sl, penalty=penalty).total)
    ) > 0:
        dodges.append(worth)
    return tuple(dodges)


def uses_left(av: Number, use: int, *, penalty: int = 0) -> tuple[int, ...]:
    """Return the rounded value of each use of a weapon from the k-th, until one comes to 0 (CS-238, CS-169)."""
    uses: list[int] = []
    while (worth := rhu(value_of_use(av, use + len(uses), penalty=penalty).total)) > 0:
        uses.append(worth)
    return tuple(uses)


def counters_restart(window: ReuseWindow, pass_number: int, actions_owed: int) -> bool:
    """Return whether a combatant's counts restart as a pass begins (CS-238, A-03).

    Args:
        window: `action` restarts with each of its own Actions, `cs` with the segment.
        pass_number: the pass that begins, from 1 for the first of a segment.
        actions_owed: its Actions in this segment.
    """
    return pass_number == 1 or (window == "action" and actions_owed >= pass_number)


def _halved_sum(parts: list[Part], times: int, label: str, rule: str, *, fresh: bool) -> Sum:
    whole = Sum(tuple(parts)).total
    if fresh and times:
        parts.append(Part(f"{label}, at full value: a full defence", 0, "CS-167"))
    elif times:
        term = f"{label}: halved" if times == 1 else f"{label}: halved {times} times"
        parts.append(Part(term, halve(whole, times) - whole, rule))
    return Sum(tuple(parts))
