"""Plays an episode of a game again from its actions, and keeps what was seen at each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import GameOutcome, Observation
from mars_logic.domains.registry import domain_of


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
