"""The World: a theory in which everything is known."""

from __future__ import annotations

from dataclasses import dataclass

from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class World(Theory):
    """A fully known set of rules under one dialect; made by ``load_world`` or ``with_rules``.

    Only a world can be simulated. ``world.collect["stone"].leaves`` is the value itself.
    """

    def __post_init__(self) -> None:
        """Refuse what is uncertain."""
        if self.uncertain:
            rule, name = self.uncertain[0]
            raise ValueError(f"{rule}.{name} is uncertain; a world is fully known")
