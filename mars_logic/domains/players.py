"""What players have by default, their options, and two players of any game: random and best."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import Observation
from mars_logic.domains.registry import domain_of
from mars_logic.play.agent import Episode
from mars_logic.world.fields import nearest, shown


class BasePlayer:
    """A player that is not told the state, has no theory, and does nothing between episodes."""

    knows_state: ClassVar[bool] = False
    has_theory: ClassVar[bool] = False

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def end(self, episode: Episode) -> None:
        """Finish the episode."""

    def theory(self) -> list[str]:
        """None."""
        return []


class RandomPlayer(BasePlayer):
    """Takes each action with the same probability.

    Args:
        theory: The game or a theory of it, of which it uses what the manual tells.
        learn: Means nothing: there is nothing to learn.
    """

    def __init__(self, theory: Game, *, learn: bool = False) -> None:  # noqa: ARG002
        self._game, self._domain = theory, domain_of(theory)

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._chance = Seeded(episode.seed, "random player")

    def act(self, observation: Observation) -> Any:
        """An action at random."""
        return self._domain.random_action(self._game, observation, self._chance)


class BestPlayer(BasePlayer):
    """Takes the action that is best in the long run, which the state of the game tells as ``best``.

    For games in which one action is the best in every step.
    """

    knows_state: ClassVar[bool] = True

    def __init__(self, theory: Game, *, learn: bool = False) -> None:
        """Neither a theory nor what is learned matters."""

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            ValueError: The state is not told.
        """
        if episode.state is None:
            raise ValueError("this player has to be told the state")
        self._state: Callable[[], Any] = episode.state

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """The best action."""
        return int(self._state().best)


def one_of(choices: list[int], chance: Seeded) -> int:
    """One of these actions, each with the same probability."""
    return choices[0] if len(choices) == 1 else choices[int(chance.uniform("tie") * len(choices))]


NOTHING: Final = "nothing here"
"""What is allowed where an option has no place."""


def own_options(kind: Any) -> list[str]:
    """The options of a player's class besides its theory, its model, and whether it learns on."""
    taken = [*inspect.signature(kind).parameters.values()][1:]
    return [each.name for each in taken if each.name not in ("learn", "language")]


def misfit(kind: Any, option: str, value: object) -> str | None:
    """What an option of a player's class may be, if this is none of it; None if it is.

    Told are choices and switches; a class checks all else by itself.
    """
    wanted = get_type_hints(kind.__init__).get(option)
    if wanted is bool:
        return None if isinstance(value, bool) else "true, false"
    if get_origin(wanted) is Literal and value not in get_args(wanted):
        return ", ".join(map(str, get_args(wanted)))
    return None


def wrong_own_options(
    kind: Any, name: str, options: Mapping[str, Any], others: Sequence[str] = ()
) -> Iterator[tuple[str, str, str]]:
    """The options that a player's class does not take: each with what is wrong, and the allowed.

    Args:
        kind: The class.
        name: What the player is called.
        options: Its options.
        others: Those that it takes besides its own.
    """
    known = [*others, *own_options(kind)]
    for option, value in options.items():
        if option not in known:
            message = f"the player '{name}' has no option {shown(option)}{nearest(option, known)}"
            yield option, message, ", ".join(known) or NOTHING
        elif allowed := misfit(kind, option, value):
            yield option, f"{shown(value)} is not possible", allowed
