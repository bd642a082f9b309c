"""The data that this system's questions keep for continuing after the answer."""

from fightcall_engine.model.state import Resume
from fightcall_engine.model.values import value as resume


@resume
class AboutEffect(Resume):
    """A question about an effect (ST-23..27), by the ids of effect and bearer."""

    effect_id: str
    bearer_id: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The id of the bearer."""
        return (self.bearer_id,)


@resume
class AboutPeople(Resume):
    """A question about several participants, by their ids; leavers are dropped from it."""

    people: tuple[str, ...]


@resume
class AboutAttack(Resume):
    """A question about an attack (ST-28). `damage` is that of a hit; None if the GM must give it."""

    target_id: str
    damage: int | str | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """The id of the target."""
        return (self.target_id,)


@resume
class AboutOffer(Resume):
    """A combatant is offered a turn, and others may step in before (ST-18)."""

    offered_id: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The id of the combatant who is offered the turn."""
        return (self.offered_id,)


@resume
class AboutClosing(Resume):
    """A question before a Scene closes (ST-01): its duration in seconds, None if not given; and the reason."""

    elapsed_s: int | None = None
    reason: str = ""


@resume
class AboutFreeAction(Resume):
    """A Free Action that the GM may forbid (ST-32)."""

    what: str = ""


@resume
class AboutResolve(Resume):
    """An amount of Resolve to spend for hit points (ST-38)."""

    spend: int


RESUMES: tuple[type[Resume], ...] = (
    AboutEffect, AboutPeople, AboutAttack, AboutOffer, AboutClosing, AboutFreeAction, AboutResolve,
)  # fmt: skip
