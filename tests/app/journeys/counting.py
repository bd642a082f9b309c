"""Counts the keys of a journey, and the questions that stood open on its way."""

from dataclasses import dataclass, field


@dataclass
class Journey:
    """Hands on the keys of a fight, counted.

    Attributes:
        keys: how many keys were pressed.
        asked: the questions that play waited for, each once.
    """

    play: object
    keys: int = 0
    asked: set[str] = field(default_factory=set)

    async def press(self, *keys):
        """Press keys one after the other."""
        for key in keys:
            await self.play.press(key)
            self.keys += 1
            self.asked |= {prompt.id for prompt in self.play.state.prompts if prompt.blocking}
