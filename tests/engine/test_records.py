"""What a system remembers, in types of its own: through JSON and back, changed by events, and read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import pytest

from fightcall_engine import kit
from fightcall_engine.kit.prompts import close_moot, concerns
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState, Prompt, values_of_record
from fightcall_engine.play.codec import Codec
from fightcall_engine.play.upcast import upcast_combatants, upcast_event, upcasts_from


class Stance(Enum):
    """How a fencer stands."""

    HIGH = 1
    LOW = 2


@dataclass(frozen=True, slots=True)
class Work:
    """How far some work is."""

    done: int = 0
    needed: int = 1


@dataclass(frozen=True, slots=True)
class Fencer:
    """What is remembered of a fencer."""

    stance: Stance = Stance.HIGH
    cover: Literal["none", "full"] | None = "none"
    works: Mapping[str, Work] = field(default_factory=dict)
    grip: Work | None = None
    parried: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Hall:
    """What is remembered of the fight."""

    prices: Mapping[str, int] = field(default_factory=dict)


@kit.resume
class Riposte(kit.Resume):
    """Who may answer a thrust, and with what."""

    target: str
    works: tuple[Work, ...] = ()

    @property
    def subjects(self):
        """The one who is answered."""
        return (self.target,)


class Fencing(kit.BaseSystem):
    """A system with all kinds of records."""

    id, title, sheet, version = "fencing", "Fencing", object, "3"
    record, fight_record, resumes = Fencer, Hall, (Riposte,)
    upcasts = (
        lambda event: {**event, "text": f"{event.get('text', '')} one"},
        lambda event: {**event, "text": f"{event.get('text', '')} two"},
    )


CODEC = Codec(Fencing())
ASH = Combatant("ash", "A", "Ash", "party", {}, record=Fencer())
START = FightState("f", "", "fencing", "1", combatants={"ash": ASH}, order=("ash",), record=Hall())
QUESTION = Prompt("p1", "riposte", "A riposte?", "F-1", (), resume=Riposte(target="orc", works=(Work(1, 2),)))
CHANGES = (
    ev.TraitChanged(who="ash", trait="stance", before=Stance.HIGH, value=Stance.LOW),
    ev.TraitChanged(who="ash", trait="cover", before="none", value="full"),
    ev.TraitsChanged(who="ash", traits={"parried": (("orc", 2),), "cover": None}),
    ev.TraitsReset(figures=("ash",), trait="parried", value=(("rat", 1),)),
    ev.EntryChanged(who="ash", field="works", key="a gate", value=Work(1, 3)),
    ev.EntryChanged(field="prices", key="a rope swing", before=None, value=4),
    ev.EntryChanged(who="ash", field="works", key="a gate", part="done", before=1, value=2),
    ev.EntryChanged(who="ash", field="grip", part="needed", before=1, value=2),
    ev.Joined(who="ash", combatant=Combatant("ash", "A", "Ash", "party", {}, record=Fencer(works={"a": Work(1, 2)}))),
    ev.RulingAsked(prompt=QUESTION),
)


@pytest.mark.parametrize("event", CHANGES, ids=lambda event: event.type)
def test_events_keep_the_types_of_records_through_json(event):
    read = CODEC.event(json.loads(json.dumps(to_json(event))))
    assert read == event
    assert evolve(START, read) == evolve(START, event)


def test_an_entry_of_a_mapping_changes_and_goes():
    begun = evolve(START, ev.EntryChanged(who="ash", field="works", key="a gate", value=Work(1, 3)))
    more = evolve(begun, ev.EntryChanged(who="ash", field="works", key="a door", value=Work(1, 1)))
    works = kit.record_of(more.combatants["ash"], Fencer).works
    assert works == {"a gate": Work(1, 3), "a door": Work(1, 1)}
    gone = evolve(more, ev.EntryChanged(who="ash", field="works", key="a gate", before=Work(1, 3)))
    assert kit.record_of(gone.combatants["ash"], Fencer).works == {"a door": Work(1, 1)}
    priced = evolve(START, ev.EntryChanged(field="prices", key="a leap", value=2))
    assert kit.fight_record_of(priced, Hall).prices == {"a leap": 2}
    assert evolve(START, ev.EntryChanged(who="ash", field="no_field", key="a", value=1)) == START


def test_a_part_of_a_record_within_a_record_changes():
    changes = (
        ev.TraitsChanged(who="ash", traits={"works": {"a gate": Work(1, 3)}, "grip": Work(0, 2)}),
        ev.EntryChanged(who="ash", field="works", key="a gate", part="done", before=1, value=2),
        ev.EntryChanged(who="ash", field="works", key="a door", part="done", value=2),
        ev.EntryChanged(who="ash", field="grip", part="done", value=1),
        ev.EntryChanged(who="ash", field="grip", part="no_part", value=1),
    )
    fencer = kit.record_of(fold_all(START, changes).combatants["ash"], Fencer)
    assert (fencer.works, fencer.grip) == ({"a gate": Work(2, 3)}, Work(1, 2))
    assert values_of_record(fencer)["works.a gate.done"] == 2
    assert values_of_record(fencer)["grip.needed"] == 2
    assert values_of_record(Fencer())["grip"] is None


def test_a_record_of_another_kind_is_told():
    with pytest.raises(TypeError, match="the record of ash is a Fencer, not a Hall"):
        kit.record_of(ASH, Hall)
    assert kit.resume_of(QUESTION, Riposte).target == "orc"


def test_a_resume_that_the_system_does_not_know_is_refused():
    written = json.loads(json.dumps(to_json(ev.RulingAsked(prompt=QUESTION))))
    written["prompt"]["resume"]["type"] = "Lunge"
    with pytest.raises(BadInput, match="accepted: Proposed, Riposte"):
        CODEC.event(written)


def test_the_words_of_a_field_are_those_of_its_type():
    assert Fencing.accepted == {"cover": ("none", "full")}


def test_a_question_needs_no_answer_without_those_it_is_about():
    assert concerns(QUESTION) == ("orc",)
    asked = evolve(START, ev.RulingAsked(prompt=QUESTION))
    (record,) = close_moot(asked, "orc")
    assert (record.prompt, record.choice) == ("p1", "moot")
    assert close_moot(asked, "rat") == ()


@pytest.mark.parametrize(("version", "text"), [("1", " one two"), ("2", " two"), ("3", ""), ("", "")])
def test_old_events_go_through_each_version_in_between(version, text):
    upcasts = upcasts_from(Fencing(), version)
    assert upcast_event(upcasts, {"type": "NoteAdded", "text": ""})["text"] == text
    assert upcast_combatants(upcasts, [{"id": "ash"}]) == [{"id": "ash"}]
