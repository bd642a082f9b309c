"""Dice: rolled from the fight's seed, typed in from the table, or scripted by a test.

There is no generator state. A face is a keyed hash of the seed, the place in history, the purpose and the number of the
draw, so that undoing and repeating a command gives the same faces, on every machine and Python version.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import product

from fightcall_engine.model.errors import NeedsDice, Refused, RollNeeded
from fightcall_engine.model.values import T, frozen

_TERM = re.compile(
    r"\s*([+-]?)\s*(?:(\d{0,3})d(\d{1,4})(?:k([hl])(\d{1,3})|\s*>=\s*(\d{1,4}))?|(\d{1,6}))", re.IGNORECASE
)


@frozen
class Term:
    """One part of an expression: dice (`faces` > 0) or a plain number (`faces` == 0, `count` is the number).

    Attributes:
        succeeds_at: the least face that counts as a success, if the dice are counted and not added; else 0.
    """

    sign: int
    count: int
    faces: int
    keep: int
    keep_high: bool = True
    succeeds_at: int = 0

    def worth_of(self, faces: Sequence[int]) -> int:
        """What the term's faces come to: the sum of those that count, or the number of successes."""
        if self.succeeds_at:
            return sum(face >= self.succeeds_at for face in faces)
        return sum(self.kept_of(faces))

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that the term comes to, without its sign."""
        if self.succeeds_at:
            return 0, self.count
        return (self.keep, self.keep * self.faces) if self.faces else (self.count, self.count)

    def kept_of(self, faces: Sequence[int]) -> list[int]:
        """Those of the term's faces that count, the best first."""
        return sorted(faces, reverse=self.keep_high)[: self.keep]


@frozen
class Roll:
    """The result of a roll.

    Attributes:
        faces: all faces in the order of the expression.
        kept: the faces that count.
        source: ``seed`` or ``table``.
    """

    dice: str
    purpose: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    total: int
    source: str

    @property
    def is_rolled(self) -> bool:
        """Whether dice were rolled: a plain number has none. Of counted dice only the successes may be known."""
        return bool(self.faces or counted_dice(self.dice))


def subject_of(purpose: str) -> str:
    """The purpose of a roll without its combatant: ``check`` for ``check.ash``."""
    return purpose.partition(".")[0]


def bare_dice(expression: str) -> str:
    """The dice as they show on the table, without the number that is added to them: ``2d6`` for ``2d6+3``."""
    return re.sub(r"[+-]\d+$", "", expression)


@frozen
class UnusedDice:
    """Typed faces of a command that were not needed.

    Attributes:
        expected: the purposes of the rolls that the command did ask for.
    """

    purpose: str
    faces: tuple[int, ...]
    expected: tuple[str, ...]


def parse(expression: str) -> tuple[Term, ...]:
    """Read ``2d6+1``, ``d20``, ``3d6kh2-1``, or ``5d10>=7``, which counts dice of 7 or more; else a ValueError."""
    terms: list[Term] = []
    place = 0
    text = expression.strip()
    while place < len(text):
        match = _TERM.match(text, place)
        if match is None or (terms and not match.group(1)):
            raise ValueError(f"{expression!r} is not a dice expression; accepted: d20, 2d6+1, 3d6kh2, 7")
        sign, count, faces, keep_side, keep, least, number = match.groups()
        direction = -1 if sign == "-" else 1
        if number is not None:
            terms.append(Term(direction, int(number), 0, 0))
        else:
            dice = int(count) if count else 1
            keep_count = min(int(keep), dice) if keep else dice
            if int(faces) < 1 or dice < 1 or keep_count < 1:
                raise ValueError(f"{expression!r} throws no dice; accepted: at least one die of at least one face")
            if least is not None and not 1 < int(least) <= int(faces):
                raise ValueError(f"{expression!r} has successes on all dice or none; accepted: >=2 to >={faces}")
            is_high = (keep_side or "h").lower() == "h"
            terms.append(Term(direction, dice, int(faces), keep_count, is_high, int(least or 0)))
        place = match.end()
    if not terms:
        raise ValueError("an empty dice expression; accepted: d20, 2d6+1, 3d6kh2, 7")
    return tuple(terms)


def check_dice(value: T) -> T:
    """The value as it is: a number, or a text that `parse` reads; ValueError for another text."""
    if isinstance(value, str):
        parse(value)
    return value


def bounds(expression: str) -> tuple[int, int]:
    """The least and the greatest total of an expression."""
    low = high = 0
    for term in parse(expression):
        least, most = term.bounds
        low += least if term.sign > 0 else -most
        high += most if term.sign > 0 else -least
    return low, high


def counted_dice(expression: str) -> int:
    """How many dice an expression counts successes with, and does nothing else; 0 if it adds, or is invalid."""
    try:
        terms = parse(expression)
    except ValueError:
        return 0
    return terms[0].count if len(terms) == 1 and terms[0].succeeds_at else 0


_MOST_COMBINATIONS = 10_000


def chance_of(expression: str, target: int, *, at_least: bool) -> float | None:
    """The chance in percent of `target` or less, or with `at_least` of `target` or more; None if too hard to count."""
    ways: Mapping[int, int] = {0: 1}
    for term in parse(expression):
        totals = _totals_of(term)
        if totals is None or len(totals) * len(ways) > _MOST_COMBINATIONS:
            return None
        sums: dict[int, int] = {}
        for total, count in ways.items():
            for more, times in totals.items():
                both = total + term.sign * more
                sums[both] = sums.get(both, 0) + count * times
        ways = sums
    wins = sum(count for total, count in ways.items() if (total >= target if at_least else total <= target))
    return round(100 * wins / sum(ways.values()), 2)


@cache
def share_of(expression: str, target: int, *, at_least: bool) -> float | None:
    """The chance from 0 to 1 as `chance_of` counts it; None for what cannot be counted, or is no dice expression."""
    try:
        chance = chance_of(expression, target, at_least=at_least)
    except ValueError:
        return None
    return None if chance is None else chance / 100


def _totals_of(term: Term) -> Mapping[int, int] | None:
    if not term.faces:
        return {term.count: 1}
    if term.faces**term.count > _MOST_COMBINATIONS:
        return None
    totals: dict[int, int] = {}
    for faces in product(range(1, term.faces + 1), repeat=term.count):
        total = term.worth_of(faces)
        totals[total] = totals.get(total, 0) + 1
    return totals


def seed_of(seed: str, dice: int) -> str:
    """The seed of a fight's dice with this number; dice number 0 use the seed of the fight itself."""
    return f"{seed}\0{dice}" if dice else seed


def _face(seed: str, place: int, purpose: str, draw: int, faces: int) -> int:
    """A face from 1 to `faces`, by rejection sampling, so that all are equally likely."""
    # It loads a big library, which the first text on the screen needn't wait for.
    from hashlib import blake2b

    key = seed.encode("utf-8", "surrogatepass")
    if len(key) > blake2b.MAX_KEY_SIZE:
        # Hashed, so that no two long seeds give the same key.
        key = blake2b(key).digest()
    limit = 2**64 - 2**64 % faces
    attempt = 0
    while True:
        text = f"{place}\0{purpose}\0{draw}\0{attempt}".encode("utf-8", "surrogatepass")
        value = int.from_bytes(blake2b(text, digest_size=8, key=key).digest(), "big")
        if value < limit:
            return value % faces + 1
        attempt += 1


class Dice:
    """The dice of one command. `place` is the number of the command in history; `rolls` are typed faces, by purpose."""

    def __init__(
        self,
        seed: str,
        place: int,
        rolls: Mapping[str, tuple[int, ...]] | None = None,
        *,
        is_typed: Callable[[RollNeeded], bool] = lambda roll: False,
    ) -> None:
        self._seed = seed
        self._place = place
        self._rolls = dict(rolls or {})
        self._is_typed = is_typed
        self._taken: dict[str, int] = {}
        self._throws: dict[str, int] = {}
        self._draws = 0
        self._member = ""
        self._spare: set[str] = set()
        self.asked: list[RollNeeded] = []
        """Every roll so far, rolled by the program or typed."""
        self.thrown: list[RollNeeded] = []
        """The rolls among them whose faces were not typed."""

    def with_faces(self, rolls: Mapping[str, tuple[int, ...]]) -> "Dice":
        """The same dice with fixed faces for some purposes; all other rolls are unchanged."""
        dice = Dice(self._seed, self._place, {**self._rolls, **rolls}, is_typed=self._is_typed)
        dice._taken, dice.asked, dice.thrown = self._taken, self.asked, self.thrown
        return dice

    def fresh(self) -> "Dice":
        """The same dice before any roll: the same purposes get the same faces."""
        return Dice(self._seed, self._place, self._rolls, is_typed=self._is_typed)

    def copy(self) -> "Dice":
        """The same dice at the same point: both go on with the same faces."""
        dice = self.fresh()
        dice._taken, dice._throws, dice._draws = dict(self._taken), dict(self._throws), self._draws
        dice._member, dice._spare = self._member, set(self._spare)
        dice.asked, dice.thrown = list(self.asked), list(self.thrown)
        return dice

    def take_rest_of(self, earlier: "Dice") -> None:
        """Add the typed faces that earlier dice have left."""
        for key, faces in earlier._rolls.items():
            if rest := faces[earlier._taken.get(key, 0) :]:
                self.keep(key, rest)

    def spare_rest(self) -> None:
        """Mark the typed faces that are left as no mistake, unless their purpose is almost one that was rolled for."""
        rolled = {subject_of(request.purpose) for request in self.asked}
        left = {key for key, faces in self._rolls.items() if faces[self._taken.get(key, 0) :]}
        self._spare |= {key for key in left if key in rolled or not get_close_matches(key, rolled, cutoff=0.8)}

    def of_member(self, combatant_id: str) -> "Dice":
        """The same dice for one of several who roll in turn: typed faces for ``attack.goblin-2`` belong to that one."""
        self._member = combatant_id
        return self

    def _name_purpose(self, purpose: str) -> str:
        if not self._member or purpose.endswith(f".{self._member}"):
            return purpose
        return f"{purpose}.{self._member}"

    def has_throw(self, purpose: str) -> bool:
        """True if faces were typed for this purpose."""
        return self._key(purpose) is not None

    def keep(self, purpose: str, faces: tuple[int, ...]) -> None:
        """Add faces that were typed with an earlier command, after those of this one. They need not be used."""
        if purpose not in self._rolls:
            self._rolls[purpose] = faces
            self._spare.add(purpose)

    def _number_purpose(self, purpose: str, nth: int) -> str:
        """The unique name of a roll in its command: ``check.ash``, and the next one ``check.ash.2``."""
        return self._name_purpose(purpose) if nth <= 1 else f"{self._name_purpose(purpose)}.{nth}"

    def _key(self, purpose: str, nth: int = 1) -> str | None:
        """The key of ``rolls`` that a purpose matches: itself, or its first or last word (as of ``agility.ash``)."""
        head, _, tail = purpose.partition(".")
        for key in (self._number_purpose(purpose, nth), self._name_purpose(purpose), purpose, tail, head):
            if key and key in self._rolls and self._taken.get(key, 0) < len(self._rolls[key]):
                return key
        return None

    def owes(self, expression: str, purpose: str, combatant_id: str) -> bool:
        """Whether this roll must be typed and was not."""
        request = RollNeeded(self._name_purpose(purpose), expression, combatant_id)
        return self._is_typed(request) and not self.has_throw(purpose)

    def roll(
        self, expression: str, purpose: str, combatant_id: str | None = None, *, is_programs: bool = False
    ) -> Roll:
        """Roll an expression for a purpose.

        With `is_programs`, the program makes this roll if no faces were typed, even if others must be typed. Refused
        for an invalid expression, or typed faces that are impossible; NeedsDice if it must be typed and was not.
        """
        try:
            terms = parse(expression)
        except ValueError as error:
            raise Refused("dice", str(error), ("d20", "2d6+1", "7"), final=True) from error
        dice_count = sum(term.count for term in terms if term.faces)
        nth = self._throws.get(self._name_purpose(purpose), 0) + (1 if dice_count else 0)
        self._throws[self._name_purpose(purpose)] = nth
        request = RollNeeded(self._number_purpose(purpose, nth), expression, combatant_id)
        self.asked.append(request)
        key = self._key(purpose, nth)
        if key is not None and 1 == len(self._rolls[key]) - self._taken.get(key, 0) < counted_dice(expression):
            total = self._read_successes(key, expression)
            return Roll(expression, purpose, (), (), total, "table")
        if key is not None:
            faces, source = self._read_typed(key, expression, terms, dice_count), "table"
        elif dice_count and not is_programs and self._is_typed(request):
            raise NeedsDice((request,))
        else:
            self.thrown += [request] if dice_count else []
            faces, source = self._throw(purpose, terms), "seed"
        return _total(expression, purpose, terms, faces, source)

    def _read_typed(self, key: str, expression: str, terms: tuple[Term, ...], dice_count: int) -> tuple[int, ...]:
        start = self._taken.get(key, 0)
        faces = self._rolls[key][start : start + dice_count]
        sizes = [term.faces for term in terms if term.faces for _ in range(term.count)]
        if len(faces) != dice_count or any(not 1 <= face <= size for face, size in zip(faces, sizes, strict=True)):
            message = f"{expression} can't show {' '.join(map(str, faces)) or 'nothing'} ({key})"
            if len(faces) < dice_count:
                least, most = bounds(expression)
                message += f": type {dice_count} faces, {least} to {most} in all"
            raise Refused("dice", message, tuple(f"a face of 1..{size}" for size in sizes), final=True)
        self._taken[key] = start + dice_count
        return faces

    def _read_successes(self, key: str, expression: str) -> int:
        total, most = self._rolls[key][self._taken.get(key, 0)], counted_dice(expression)
        if not 0 <= total <= most:
            accepts = (f"0 to {most} successes", f"{most} faces")
            raise Refused("dice", f"{expression} can't give {total} successes ({key})", accepts, final=True)
        self._taken[key] = self._taken.get(key, 0) + 1
        return total

    def _throw(self, purpose: str, terms: tuple[Term, ...]) -> tuple[int, ...]:
        faces = []
        for term in terms:
            for _ in range(term.count if term.faces else 0):
                faces.append(_face(self._seed, self._place, purpose, self._draws, term.faces))
                self._draws += 1
        return tuple(faces)

    def unused(self) -> tuple["UnusedDice", ...]:
        """The typed faces that no roll of the command asked for, so that a typing mistake can be reported."""
        if not self._rolls:
            return ()
        purposes = tuple(dict.fromkeys(roll.purpose for roll in self.asked))
        leftovers = (
            (key, faces[self._taken.get(key, 0) :]) for key, faces in self._rolls.items() if key not in self._spare
        )
        return tuple(UnusedDice(key, faces, purposes) for key, faces in leftovers if faces)


def _total(expression: str, purpose: str, terms: tuple[Term, ...], faces: tuple[int, ...], source: str) -> Roll:
    total, place = 0, 0
    kept_faces: list[int] = []
    for term in terms:
        if not term.faces:
            total += term.sign * term.count
            continue
        term_faces = faces[place : place + term.count]
        place += term.count
        kept_of_term = term.kept_of(term_faces)
        kept_faces.extend(kept_of_term)
        total += term.sign * term.worth_of(term_faces)
    return Roll(expression, purpose, faces, tuple(kept_faces), total, source)
