"""Samples valid worlds, each a function of a seed and its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TypeGuard

from mars_logic.logic import Proof
from mars_logic.logic.prove import is_proved_reachable, prove_all_reachable
from mars_logic.logic.sampling.chain import Chain
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.space import Space, Variant
from mars_logic.world.diff import diff
from mars_logic.world.theory import World

MOVES = 20
"""Burn-in moves of the chain before its world is used."""

Cell = tuple[tuple[str, ...], int | None]
"""A stratum: modifications and a difficulty."""


class ImpossibleError(Exception):
    """No world satisfies the request."""


@dataclass(frozen=True)
class Sample:
    """A sampled world.

    Attributes:
        world: The world; its base is ``default``.
        modifications: The allowed modifications.
        proof: Its proof, if requested.
        difficulty: How many rules changed.
    """

    world: World
    modifications: tuple[str, ...]
    proof: Proof | None = None

    @cached_property
    def difficulty(self) -> int:
        """How many rules differ from the base's."""
        assert self.world.base is not None
        return len(diff(self.world.base, self.world))


class Sampler:
    """Samples worlds for one request."""

    def __init__(self, request: Request, moves: int = MOVES):
        """Prepare; nothing is solved yet."""
        self.request = request
        self.moves = moves
        self._problems: dict[tuple[str, ...], SamplingProblem] = {}
        self._possible: dict[Cell, bool] = {}

    def draw(self, seed: int, number: int, *, proved: bool = False) -> Sample:
        """The world with this number.

        Args:
            seed: Any number.
            number: The index of the world in the seed's sequence.
            proved: Prove it, and move on from the rare valid world for which no witness is found,
                or which is not proved sustainable although it has to be livable.

        Raises:
            ImpossibleError: There is none; see
                why.
            LimitReachedError: A search was given up.
        """
        # Text is hashed to a seed in the same way everywhere.
        random = Random(f"mars-logic sample {seed} {number}")
        modifications, difficulty = self._cell(random)
        problem = self.problem(modifications)
        chain = Chain(problem, difficulty, random)
        for _ in range(self.moves):
            chain.move()
        name = f"sample_{seed}_{number}"
        if not proved:
            return Sample(problem.space.world(chain.state, name), modifications)
        world, proof = self._proved(chain, problem.space, name)
        return Sample(world, modifications, proof)

    def _proved(self, chain: Chain, space: Space, name: str) -> tuple[World, Proof]:
        """The first world of a chain with a proof that satisfies the request."""
        rejected: set[frozenset[tuple[str, Variant]]] = set()
        lacked: str | None = None
        while True:
            state = frozenset(chain.state.items())
            if state not in rejected:  # most moves leave the world as it is
                world = space.world(chain.state, name)
                # A move seldom mends what a proof lacked, which is sooner known than the proof.
                if lacked is None or is_proved_reachable(world, lacked):
                    proof = prove_all_reachable(world)
                    if self._accepts(proof):
                        return world, proof
                    lacked = proof if isinstance(proof, str) else None
                rejected.add(state)
            chain.move()

    def _accepts(self, proof: Proof | str) -> TypeGuard[Proof]:
        """Whether there is a proof that satisfies the request."""
        if isinstance(proof, str):
            return False
        return not self.request.livable or proof.upkeep.verdict == "sustainable"

    def problem(self, modifications: tuple[str, ...]) -> SamplingProblem:
        """The problem of worlds with some modifications, grounded when first needed."""
        if modifications not in self._problems:
            space = Space.of(modifications, self.request.must)
            self._problems[modifications] = SamplingProblem(space, self.request)
        return self._problems[modifications]

    def _cell(self, random: Random) -> Cell:
        """A uniformly drawn possible difficulty, then uniformly drawn modifications for it."""
        difficulties: list[int | None] = [None]
        if self.request.difficulty:
            low, high = self.request.difficulty
            difficulties = [*range(low, high + 1)]
        combinations = self.request.combinations
        for difficulty in random.sample(difficulties, len(difficulties)):
            for modifications in random.sample(combinations, len(combinations)):
                if self._is_possible(modifications, difficulty):
                    return modifications, difficulty
        raise ImpossibleError

    def _is_possible(self, modifications: tuple[str, ...], difficulty: int | None) -> bool:
        cell = (modifications, difficulty)
        if cell not in self._possible:
            problem = self.problem(modifications)
            self._possible[cell] = problem.works(problem.fixed, difficulty)
        return self._possible[cell]


def sample(request: Request, count: int, seed: int) -> Iterator[Sample]:
    """Some worlds: always the same for a request and a seed, however many.

    Raises:
        ImpossibleError: There is no such world.
    """
    sampler = Sampler(request)
    for number in range(count):
        yield sampler.draw(seed, number)
