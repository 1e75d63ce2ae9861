"""Biome navigation as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from mars_logic.domains.biomes import words
from mars_logic.domains.biomes.blocks import AROUND, BLOCKS, FACINGS, HEIGHT, LENGTHS, RANGE, RAYS
from mars_logic.domains.biomes.rules import ENGINES, GOALS, LABELS, SPAN, BiomeNavigation
from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.protocol import GameSimulator, Range

if TYPE_CHECKING:
    from mars_logic.domains.biomes.simulator import BiomeSimulator


class BiomeDomain(CodedDomain[BiomeNavigation]):
    """Walks to biomes."""

    name = "biomes"
    kind = BiomeNavigation
    actions = words.ACTIONS
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "goal": tuple(GOALS),
        "engine": ENGINES,
        "labels": LABELS,
    }
    players: ClassVar[Mapping[str, str]] = {
        "random": "mars_logic.domains.players:RandomPlayer",
        "straight": "mars_logic.domains.biomes.players:StraightPlayer",
        "spiral": "mars_logic.domains.biomes.players:SpiralPlayer",
        "explorer": "mars_logic.domains.biomes.explorer:ExplorerPlayer",
    }

    def simulator(self, game: BiomeNavigation) -> BiomeSimulator:
        """A walk."""
        from mars_logic.domains.biomes.simulator import BiomeSimulator  # numba starts slowly

        return BiomeSimulator(game)

    def rules(self, theory: BiomeNavigation) -> list[str]:
        """The rules in sentences."""
        return words.rules(theory)

    def facts(self, theory: BiomeNavigation) -> str:
        """The rules as facts."""
        return words.facts(theory)

    def space(self, game: BiomeNavigation) -> Mapping[str, Range]:
        """Position, and what is seen."""
        blocks = len(BLOCKS) - 1
        far = SPAN + game.length * (LENGTHS[-1] + 1)
        return {
            "x": Range(-far, far),
            "y": Range(-HEIGHT, HEIGHT),
            "z": Range(-far, far),
            "facing": Range(0, len(FACINGS) - 1),
            "macros": Range(0, game.length),
            "completed": Range(0, 1),
            "front": Range(0, blocks),
            "distance": Range(0, RANGE, RAYS**2),
            "block": Range(0, blocks, RAYS**2),
            "around": Range(0, blocks, AROUND**3),
        }

    def text_limit(self, game: BiomeNavigation) -> int:  # noqa: ARG002
        """No observation in words is longer."""
        return words.TEXT_LIMIT

    def untold(self, game: BiomeNavigation) -> BiomeNavigation:
        """The manual tells all rules; the map is found out by walking."""
        return game

    def setup_draws(self, game: BiomeNavigation, setup: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        """The map and the start."""
        return {name: setup[name] for name in ("map", "east", "south") if name in setup}

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """The map, the start as drawn, and the distance of the goal."""
        state = simulator.snapshot()
        east, south = state.start
        return {"map": state.map - 1, "east": east, "south": south, "nearest": state.nearest}

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """What was drawn for the walk, and where it ended."""
        state = simulator.snapshot()
        names = ("length", "swerve", "x", "y", "z", "biome")
        return {name: getattr(state, name) for name in names}


DOMAIN = BiomeDomain()
