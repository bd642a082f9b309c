"""Classes that are cheap to define are used like those that `dataclasses` makes."""

from dataclasses import FrozenInstanceError, dataclass, field, fields

import pytest

from fightcall_engine.model.values import Value, frozen, replace

OURS, THEIRS = [], []


def both(cls):
    """The same class made by us and by `dataclasses`."""
    OURS.append(frozen(type(cls.__name__, (), dict(cls.__dict__))))
    THEIRS.append(dataclass(frozen=True, slots=True)(type(cls.__name__, (), dict(cls.__dict__))))
    return cls


@both
class Plain:
    """Positional fields with and without defaults."""

    name: str
    count: int = 1
    marks: list[str] = field(default_factory=list, compare=False)
    note: str = field(default="", repr=False, kw_only=True)


@both
class Checked:
    """Has something to do as it is made, and keeps something that nobody gives."""

    size: int
    seen: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self):
        if self.size < 0:
            raise ValueError("less than nothing")


def outcome(action):
    try:
        return action()
    except (TypeError, ValueError, FrozenInstanceError) as error:
        return type(error)


@pytest.mark.parametrize(
    "use",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", 2, ["x"], note="b"),
        lambda kind: kind(count=3, name="a"),
        lambda kind: kind("a", 1, [], "b"),
        lambda kind: kind(),
        lambda kind: kind("a", colour="red"),
        lambda kind: kind("a") == kind("a", 1, ["y"]),
        lambda kind: kind("a") == kind("a", note="b"),
        lambda kind: kind("a") == "a",
        lambda kind: hash(kind("a")) == hash(kind("a", 1, ["y"])),
        lambda kind: len({kind("a"), kind("a"), kind("b")}),
        lambda kind: kind("a").marks is kind("a").marks,
        lambda kind: replace(kind("a"), count=7),
        lambda kind: type(replace(kind("a"), count=7)) is kind,
        lambda kind: setattr(replace(kind("a"), count=7), "name", "b"),
        lambda kind: setattr(kind("a"), "name", "b"),
        lambda kind: delattr(kind("a"), "name"),
        lambda kind: [item.name for item in fields(kind)],
        lambda kind: kind.__match_args__,
    ],
)
def test_they_do_what_others_do(use):
    assert repr(outcome(lambda: use(OURS[0]))) == repr(outcome(lambda: use(THEIRS[0])))


@pytest.mark.parametrize("sizes", [(1,), (-1,), (1, 2)])
def test_what_is_checked_as_it_is_made_is_checked(sizes):
    ours, theirs = (outcome(lambda kind=kind: kind(*sizes)) for kind in (OURS[1], THEIRS[1]))
    assert repr(ours) == repr(theirs)
    assert sizes != (1,) or (ours.seen == {} and hash(ours) == hash(OURS[1](1)))


def test_methods_of_its_own_stay_and_a_child_has_its_own():
    @frozen
    class Parent:
        size: int

        def __repr__(self):
            return "mine"

    @frozen
    class Child(Parent):
        more: int = 0

    assert (repr(Parent(1)), repr(Child(1))) == ("mine", f"{Child.__qualname__}(size=1, more=0)")
    assert Parent(1) != Child(1)
    assert Child(1) != Child(1, 2)
    assert hash(Child(1, 2)) == hash(Child(1, 2))
    assert replace(Child(1, 2), size=3) == Child(3, 2)


def test_a_copy_of_what_registers_its_children_registers_nothing():
    children = []

    class Listed:
        __slots__ = ()

        def __init_subclass__(cls):
            children.append(cls.__name__)

    @frozen
    class Child(Listed):
        size: int

    before = [*children]
    assert replace(Child(1), size=2) == Child(2)
    assert (children, Child.__subclasses__()) == (before, [])


def test_what_is_written_with_its_type_has_the_class_for_it():
    class Moved(Value):
        who: str = ""

    class Ran(Moved):
        far: int = 0

    assert (Moved.type, Ran.type) == ("Moved", "Ran")
    assert Ran(who="a") == Ran(far=0, who="a") != Moved(who="a")
    with pytest.raises(TypeError):
        Ran("a")


def test_a_copy_checks_itself_and_works_out_anew_what_it_has_kept():
    """A board that was copied with other ground kept the neighbours that it had."""

    @frozen
    class Ground:
        size: int
        kept: dict[int, int] = field(default_factory=dict, init=False, compare=False)

        def __post_init__(self):
            if self.size < 0:
                raise ValueError("no ground")

    ground = Ground(2)
    ground.kept[1] = 1
    assert replace(ground, size=3).kept == {}
    with pytest.raises(ValueError, match="no ground"):
        replace(ground, size=-1)
