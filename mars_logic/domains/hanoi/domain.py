"""The tower of Hanoi as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.base import Value
from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.hanoi import words
from mars_logic.domains.hanoi.rules import MOVES, RODS, Hanoi, all_on
from mars_logic.domains.hanoi.simulator import HanoiSimulator
from mars_logic.domains.protocol import GameSimulator, Range


class HanoiDomain(CodedDomain[Hanoi]):
    """Towers of Hanoi."""

    name = "hanoi"
    kind = Hanoi
    actions = words.ACTIONS
    players: ClassVar[Mapping[str, str]] = {
        "random": "mars_logic.domains.players:RandomPlayer",
        "oracle": "mars_logic.domains.hanoi.players:PlanningPlayer",
    }

    priors: ClassVar[Mapping[str, str]] = {
        "told": "everything",
        "none": "everything: the manual holds all the rules",
    }

    def simulator(self, game: Hanoi) -> HanoiSimulator:
        """A tower that is moved."""
        return HanoiSimulator(game)

    def rules(self, theory: Hanoi) -> list[str]:
        """The rules in sentences."""
        return words.rules(theory)

    def facts(self, theory: Hanoi) -> str:
        """The rules as facts."""
        return words.facts(theory)

    def space(self, game: Hanoi) -> Mapping[str, Range]:
        """Where the disks are, and the last move."""
        return {
            "pegs": Range(1, len(RODS), game.disks),
            "moves": Range(0, game.length),
            "action": Range(0, len(MOVES)),
            "legal": Range(0, 1),
        }

    def text_limit(self, game: Hanoi) -> int:
        """The longest observation in words."""
        pegs = all_on(RODS[0], game.disks)
        return max(len(words.observation(each, False, pegs)) for each in range(len(MOVES)))

    def untold(self, game: Hanoi) -> Hanoi:
        """The manual tells everything."""
        return game

    def _value(self, game: Hanoi, theory: Hanoi, told: str) -> Value:  # noqa: ARG002
        from mars_logic.domains.hanoi.value import value_of

        return value_of(game, told)

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """Disks, where they are, and where they should be."""
        assert isinstance(simulator, HanoiSimulator)
        game = simulator.game
        return {
            "disks": game.disks,
            "start": list(simulator.snapshot().pegs),
            "goal": list(all_on(game.goal, game.disks)),
        }

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """Where the disks are, and whether the move was allowed."""
        state = simulator.snapshot()
        return {"pegs": list(state.pegs), "legal": state.legal}


DOMAIN = HanoiDomain()
