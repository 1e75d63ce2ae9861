"""Plays an episode of a game, and plays it again from its actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import GameOutcome, GamePlayer, GameSimulator, Observation
from mars_logic.domains.registry import domain_of
from mars_logic.domains.scores import published
from mars_logic.play.agent import Episode, Seen


@dataclass(frozen=True)
class PlayedGame:
    """An episode.

    Attributes:
        actions: The actions, in order.
        rewards: The rewards of the steps.
        last: What the last step brought.
        texts: What was seen in words: before the first step, and after each.
    """

    actions: tuple[Any, ...]
    rewards: tuple[float, ...]
    last: GameOutcome
    texts: tuple[str, ...]

    @property
    def score(self) -> float:
        """SmartPlay's score of the episode."""
        return self.last.score

    @property
    def steps(self) -> int:
        """How many steps count; all actions but in games in which some do not."""
        return self.last.counted(len(self.actions))


def begun(
    simulator: GameSimulator, seed: int, length: int, seen: Seen, *, told_state: bool
) -> Episode:
    """What a player is told about an episode that has just begun.

    Args:
        simulator: The game, after a reset.
        seed: For the player's own random choices.
        length: Steps after which the episode is broken off.
        seen: Holds what is seen now.
        told_state: Whether the player is told the state.
    """
    return Episode(
        seed=seed,
        dynamics=None,
        length=length,
        state=simulator.snapshot if told_state else None,
        actions=simulator.actions,
        manual=simulator.manual,
        observation=seen,
        text=simulator.text,
        history=published().histories.get(simulator.game.domain, Episode.history),
    )


def play(
    simulator: GameSimulator,
    player: GamePlayer,
    seed: int,
    length: int,
    *,
    noise: float = 0.0,
    texts: bool = False,
) -> PlayedGame:
    """Play an episode.

    Args:
        simulator: The game.
        player: Who plays it.
        seed: Decides all random outcomes, and the player's own choices.
        length: Steps after which the episode is broken off.
        noise: The probability that an action is replaced by a random one.
        texts: Whether to keep what was seen in words.
    """
    game, domain = simulator.game, domain_of(simulator.game)
    chance, slips = Seeded(seed), Seeded(seed, "noise")
    simulator.reset(chance)
    seen = Seen()
    seen.now = simulator.observe()
    episode = begun(simulator, seed, length, seen, told_state=player.knows_state)
    player.begin(episode)
    actions: list[Any] = []
    rewards: list[float] = []
    told = [simulator.text()] if texts else []
    outcome = GameOutcome(0, False, simulator.score)
    while outcome.counted(len(actions)) < length and not outcome.done:
        action = player.act(seen.now)
        if noise and slips.uniform("slip") < noise:
            action = domain.random_action(game, seen.now, slips)
        outcome = simulator.step(action, chance)
        seen.now = simulator.observe()
        actions.append(action)
        rewards.append(outcome.reward)
        if texts:
            told.append(simulator.text())
    player.end(episode)
    return PlayedGame(tuple(actions), tuple(rewards), outcome, tuple(told))


@dataclass(frozen=True)
class ReplayedGame:
    """An episode of T steps.

    Attributes:
        actions: The names of the actions that the game has.
        taken: The actions that were taken, in words: T.
        manual: What the player was told before the first step.
        observations: What was seen before the first step, and after each: T + 1.
        texts: The same in words.
        outcomes: What the steps brought: T.
        scores: SmartPlay's score before the first step, and after each: T + 1.
        bests: The place of the action that is best in the long run, before each step: T; empty in
            a domain where the state does not tell one.
    """

    actions: tuple[str, ...]
    taken: tuple[str, ...]
    manual: str
    observations: tuple[Observation, ...]
    texts: tuple[str, ...]
    outcomes: tuple[GameOutcome, ...]
    scores: tuple[float, ...]
    bests: tuple[int, ...]


def replay(game: Game, seed: int, actions: Sequence[Any]) -> ReplayedGame:
    """Play an episode again.

    Args:
        game: What was played.
        seed: Decides all random outcomes.
        actions: The actions that were taken, as certificates hold them.

    Raises:
        ActionError: There is no such action, or the game is over before it.
    """
    domain = domain_of(game)
    simulator, chance = domain.simulator(game), Seeded(seed)
    simulator.reset(chance)
    observations, texts, scores = [simulator.observe()], [simulator.text()], [simulator.score]
    outcomes, bests = [], []
    taken = [domain.read_action(each) for each in actions]
    for action in taken:
        bests.append(getattr(simulator.snapshot(), "best", None))
        outcomes.append(simulator.step(action, chance))
        observations.append(simulator.observe())
        texts.append(simulator.text())
        scores.append(simulator.score)
    return ReplayedGame(
        actions=simulator.actions,
        taken=tuple(domain.action_text(each) for each in taken),
        manual=simulator.manual,
        observations=tuple(observations),
        texts=tuple(texts),
        outcomes=tuple(outcomes),
        scores=tuple(scores),
        bests=tuple(best for best in bests if best is not None),
    )
