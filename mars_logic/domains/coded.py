"""Domains whose actions are numbers and whose observations consist of them, as SmartPlay's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.base import Domain, G
from mars_logic.domains.chance import Chance
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import (
    ActionError,
    GameSimulator,
    Observation,
    Range,
    require_action,
)
from mars_logic.domains.registry import domain, domain_names, domain_of
from mars_logic.errors import InputError


class CodedDomain(Domain[G]):
    """A family of games in which an action is a code, from 0."""

    actions: ClassVar[tuple[str, ...]]
    """The names of the actions, in the order of their codes."""

    @abstractmethod
    def space(self, game: G) -> Mapping[str, Range]:
        """The parts of an observation."""

    @abstractmethod
    def text_limit(self, game: G) -> int:
        """The largest number of characters of an observation in words."""

    def action_data(self, action: Any) -> Any:
        """The code."""
        return action

    def read_action(self, data: Any) -> Any:
        """The code, if it is one."""
        require_action(data, self.actions)
        return data

    def action_text(self, action: int) -> str:
        """The name of an action."""
        return self.actions[action]

    def parse_action(self, text: str) -> Any:
        """The action with this number, from 1, or this name."""
        word = text.strip().lower()
        if word in self.actions:
            return self.actions.index(word)
        if word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= len(self.actions):
            return int(word) - 1
        allowed = f"1 to {len(self.actions)}"
        raise ActionError(f"'{text.strip()[:40]}' is no action; allowed: {allowed}")

    @property
    def question(self) -> str:
        """A person is asked for a number."""
        return f"Action, 1 to {len(self.actions)}"

    def random_action(self, game: G, observation: Observation, chance: Chance) -> Any:  # noqa: ARG002
        """Any of the actions."""
        return int(chance.uniform("action") * len(self.actions))

    def setup_draws(self, game: G, setup: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """The random outcomes of a reset, from the setup in a recording; none if it cannot be."""
        return {}

    def step_draws(self, game: G, fields: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """The random outcomes of a step, from a recording's fields of it: by default these."""
        return fields

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:  # noqa: ARG002
        """The setup of an episode that has begun, as recordings of a reference hold it."""
        return {}

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:  # noqa: ARG002
        """What recordings hold of the last step beside reward, score and end: draws and state."""
        return {}


def coded_domain(game: Game) -> CodedDomain[Any]:
    """The domain of a game whose actions are numbers.

    Raises:
        InputError: The game is of another kind.
    """
    found = domain_of(game)
    if not isinstance(found, CodedDomain):
        message = f"the actions of {found.name} are no numbers"
        allowed = ", ".join(n for n in domain_names() if isinstance(domain(n), CodedDomain))
        raise InputError(f"game: {message}; allowed: a game of {allowed}")
    return found
