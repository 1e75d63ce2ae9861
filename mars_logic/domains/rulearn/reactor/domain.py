"""The reactor as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.base import StepsValue
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import Observation
from mars_logic.domains.rulearn.domain import PuzzleDomain
from mars_logic.domains.rulearn.puzzle import DIALECTS
from mars_logic.domains.rulearn.reactor.facts import reactor_facts
from mars_logic.domains.rulearn.reactor.programs import products
from mars_logic.domains.rulearn.reactor.rules import HINT_MODES, Reactor
from mars_logic.domains.rulearn.reactor.simulator import ReactorSimulator
from mars_logic.domains.rulearn.reactor.value import reactor_value
from mars_logic.domains.rulearn.reactor.words import program_sentences
from mars_logic.world.uncertain import UNKNOWN


class ReactorDomain(PuzzleDomain[Reactor]):
    """A reactor that makes materials of materials, and a target."""

    name = "reactor"
    kind = Reactor
    simulated_by = ReactorSimulator
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {"dialect": DIALECTS, "hints": HINT_MODES}

    priors: ClassVar[Mapping[str, str]] = {
        "told": "the rule",
        "none": "the target and the storage",
    }

    def rules(self, theory: Reactor) -> list[str]:
        """What two materials give."""
        return program_sentences(theory.rule)

    def facts(self, theory: Reactor) -> str:
        """The rules as facts."""
        return reactor_facts(theory)

    def answers(self, game: Reactor) -> list[str]:
        """Hints that are false."""
        return [
            f"The hint about {' + '.join(hint.inputs)} is false: the reactor makes "
            f"{' and '.join(products(game.rule, *hint.inputs))}."
            for hint in game.told
            if products(game.rule, *hint.inputs) != hint.products
        ]

    def untold(self, game: Reactor) -> Reactor:
        """Target, materials and hints are told; the rule is unknown."""
        return Reactor.model_validate(dict(game) | {"rule": UNKNOWN, "hints": game.told})

    def random_input(
        self,
        game: Reactor,  # noqa: ARG002
        do: str,
        observation: Observation,
        chance: Chance,
    ) -> Mapping[str, Any]:
        """One or two materials of the storage."""
        if do != "react":
            return {}
        stored = observation["storage"]
        many = 1 + int(chance.uniform("many") * 2)
        chosen = [stored[int(chance.uniform("material") * len(stored))] for _ in range(many)]
        return {"materials": chosen}

    def _value(self, game: Reactor, theory: Reactor, told: str) -> StepsValue:
        """Expected steps of an optimal policy."""
        return reactor_value(game, told, told=theory is game)


DOMAIN = ReactorDomain()
