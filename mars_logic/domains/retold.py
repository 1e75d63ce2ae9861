"""What a player believed at each step of episodes that it played, by letting it play them again."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mars_logic.domains.certificates import GameCertificate
from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.playing import begun
from mars_logic.domains.protocol import GamePlayer
from mars_logic.domains.registry import domain_of
from mars_logic.play.agent import Seen


@runtime_checkable
class Estimating(Protocol):
    """A player whose theory holds probabilities that change from step to step."""

    def estimates(self) -> Mapping[str, float]:
        """The probabilities now, by what they are of; none where none is left to come."""
        ...


@dataclass(frozen=True)
class StepBelief:
    """What is believed at one moment.

    Attributes:
        sentences: The theory in words.
        estimates: Probabilities, by what they are of.
    """

    sentences: tuple[str, ...]
    estimates: Mapping[str, float]


Beliefs = tuple[StepBelief, ...]
"""Before each step of an episode, and after the last."""


def retold(
    game: Game,
    theory: Game,
    lessons: Sequence[GameCertificate],
    others: Sequence[GameCertificate],
    *,
    learn: bool,
) -> Iterator[Beliefs]:
    """The beliefs of one player in its episodes.

    Args:
        game: What was played.
        theory: What the player believed before its first episode.
        lessons: The episodes in which it learned, in their order.
        others: The episodes that it played afterwards, each with what it knew after all lessons.
        learn: Whether its theory outlives an episode.

    Raises:
        InputError: The player cannot play by this theory.
    """
    first = [*lessons, *others][0]
    own = first.player.options
    player = domain_of(game).player(first.player.name, theory, learn=learn, **own)
    for certificate in lessons:
        yield _episode(game, player, certificate)
    for certificate in others:
        yield _episode(game, copy.deepcopy(player) if learn else player, certificate)


def _episode(game: Game, player: GamePlayer, certificate: GameCertificate) -> Beliefs:
    domain, chance = domain_of(game), Seeded(certificate.seed)
    simulator = domain.simulator(game)
    simulator.reset(chance)
    seen, told = Seen(), player.knows_state
    seen.now = simulator.observe()
    episode = begun(simulator, certificate.seed, game.length, seen, told_state=told)
    player.begin(episode)
    found = []
    for action in certificate.actions:
        player.act(seen.now)
        found.append(_belief(player))
        simulator.step(domain.read_action(action), chance)
        seen.now = simulator.observe()
    player.end(episode)
    return (*found, _belief(player))


def _belief(player: GamePlayer) -> StepBelief:
    estimates = dict(player.estimates()) if isinstance(player, Estimating) else {}
    return StepBelief(tuple(player.theory()), estimates)
