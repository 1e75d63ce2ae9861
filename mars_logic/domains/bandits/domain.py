"""Bandits as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.bandits import words
from mars_logic.domains.bandits.rules import Arm, Bandit
from mars_logic.domains.bandits.simulator import BanditSimulator
from mars_logic.domains.base import Value
from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.protocol import GameSimulator, Range
from mars_logic.world.uncertain import UNKNOWN


class Bandits(CodedDomain[Bandit]):
    """Two-armed bandits."""

    name = "bandits"
    kind = Bandit
    actions = words.ACTIONS
    players: ClassVar[Mapping[str, str]] = {
        "random": "mars_logic.domains.players:RandomPlayer",
        "bayes": "mars_logic.domains.bandits.players:BanditBayesPlayer",
        "oracle": "mars_logic.domains.players:BestPlayer",
    }
    priors: ClassVar[Mapping[str, str]] = {
        "told": "the numbers, but not their order",
        "none": "nothing: every probability is equally likely",
    }

    def simulator(self, game: Bandit) -> BanditSimulator:
        """A bandit that is played."""
        return BanditSimulator(game)

    def rules(self, theory: Bandit) -> list[str]:
        """The rules in sentences."""
        return words.rules(theory)

    def facts(self, theory: Bandit) -> str:
        """The rules as facts."""
        return words.facts(theory)

    def space(self, game: Bandit) -> Mapping[str, Range]:
        """The last pull, and what the machines pay."""
        wins, losses = [a.win for a in game.arms], [a.loss for a in game.arms]
        return {
            "pulls": Range(0, game.length),
            "machine": Range(0, 2),
            "paid": Range(0, 1),
            "reward": Range(min(0, *wins, *losses), max(0, *wins, *losses)),
            "wins": Range(min(wins), max(wins), 2),
            "losses": Range(min(losses), max(losses), 2),
        }

    def text_limit(self, game: Bandit) -> int:  # noqa: ARG002
        """The longest observation in words."""
        return words.TEXT_LIMIT

    def untold(self, game: Bandit) -> Bandit:
        """The amounts are told; probabilities are unknown, and so is what stays of them."""
        arms = [
            Arm.model_validate(arm.model_dump() | {"probability": UNKNOWN}) for arm in game.arms
        ]
        return Bandit.model_validate(dict(game) | {"arms": arms, "order": UNKNOWN})

    def _value(self, game: Bandit, theory: Bandit, told: str) -> Value:
        from mars_logic.domains.bandits.value import value_of

        return value_of(game, theory, told)

    def setup_draws(self, game: Bandit, setup: Mapping[str, Any]) -> Mapping[str, Any]:
        """The order of the arms."""
        arms = [(arm.probability, arm.win) for arm in game.arms]
        try:
            shown = list(zip(setup["p"], setup["pay"], strict=True))
        except (KeyError, TypeError, ValueError):
            return {}
        found = [o for o in ((0, 1), (1, 0)) if [arms[each] for each in o] == shown]
        return {"order": found[0]} if found else {}

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """The machines as they lie."""
        assert isinstance(simulator, BanditSimulator)
        arms = simulator.arms
        return {
            "p": [arm.probability for arm in arms],
            "pay": [arm.win for arm in arms],
            "best": simulator.snapshot().best,
        }

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """The number that was drawn."""
        return {"u": simulator.snapshot().draw}


DOMAIN = Bandits()
