"""What the questions of this system keep until they are answered."""

from fightcall_engine.model.state import Resume
from fightcall_engine.model.values import value as resume


@resume
class AboutEffect(Resume):
    """An effect is to be paid for, thrown for or ended (ST-23..27), by its id and its bearer's."""

    effect_id: str
    bearer_id: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """Who bears it."""
        return (self.bearer_id,)


@resume
class AboutPeople(Resume):
    """Something is to be said of several participants, by their ids; of those who have left it need not be."""

    people: tuple[str, ...]


@resume
class AboutAttack(Resume):
    """An attack is to be resolved (ST-28). `damage` is what a hit does, None where the GM must say."""

    target_id: str
    damage: int | str | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """Who is attacked."""
        return (self.target_id,)


@resume
class AboutOffer(Resume):
    """A combatant is offered a turn, and others may step in before (ST-18)."""

    offered_id: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """Who is offered the turn."""
        return (self.offered_id,)


@resume
class AboutClosing(Resume):
    """A Scene is to be closed (ST-01): the seconds it took, None where nothing is said, 0 for none; and why."""

    elapsed_s: int | None = None
    reason: str = ""


@resume
class AboutFreeAction(Resume):
    """A Free Action that the GM may forbid (ST-32)."""

    what: str = ""


@resume
class AboutResolve(Resume):
    """So much Resolve is spent for hit points (ST-38)."""

    spend: int


RESUMES: tuple[type[Resume], ...] = (
    AboutEffect, AboutPeople, AboutAttack, AboutOffer, AboutClosing, AboutFreeAction, AboutResolve,
)  # fmt: skip
