"""Plays the reactor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleChance
from mars_logic.domains.rulearn.game_simulator import Effect, PuzzleSimulator, PuzzleState
from mars_logic.domains.rulearn.reactor.rules import Reactor, products


@dataclass(frozen=True)
class ReactorState(PuzzleState):
    """Everything about an episode.

    Attributes:
        storage: The materials at hand, in order of arrival. Nothing is ever used up.
    """

    storage: tuple[str, ...] = ()


class ReactorSimulator(PuzzleSimulator[Reactor, ReactorState]):
    """A reactor and its storage."""

    twice = True

    def _first(self) -> ReactorState:
        return ReactorState(storage=self.game.raw)

    @property
    def actions(self) -> tuple[str, ...]:
        """The reactor, and the monitor."""
        return ("react MATERIAL", "react MATERIAL + MATERIAL", "submit the target")

    def available(self) -> list[dict[str, Any]]:
        """The reactor, and the monitor while the target is in storage."""
        made = self.game.target in self._state.storage
        return [{"do": "react"}, *([{"do": "submit"}] if made else [])]

    def visible(self) -> dict[str, Any]:
        """The target and the storage."""
        return {"target": self.game.target, **self.seen(self._state)}

    def seen(self, state: ReactorState) -> dict[str, Any]:
        """The storage."""
        return {"storage": list(state.storage)}

    def _act(self, action: PuzzleAction, chance: PuzzleChance) -> Effect[ReactorState]:
        state = self._state
        if action.do == "submit":
            return Effect(state, ends=True)
        made, error = self._reaction(action.materials, chance)
        new = dict.fromkeys(each for each in made if each not in state.storage)
        state = replace(state, storage=(*state.storage, *new))
        return Effect(state, {"products": list(made), "error": error, **self.seen(state)})

    def _reaction(
        self, inputs: tuple[str, ...], chance: PuzzleChance
    ) -> tuple[tuple[str, ...], str | None]:
        """The products, and what is wrong with the inputs."""
        if not inputs or any(each not in self._state.storage for each in inputs):
            return (), "unknown_material"
        if len(inputs) > 2:
            return (), "too_many_materials"
        if len(inputs) == 2:
            return products(self.game.rule, *inputs), None
        return split(inputs[0], chance), None


def split(material: str, chance: PuzzleChance) -> tuple[str, ...]:
    """What a single material gives: its letters shuffled and cut; a single letter stays."""
    if len(material) == 1:
        return (material,)
    cut = chance.cut(len(material))
    letters = chance.shuffle(material)
    return tuple(part for part in (letters[:cut], letters[cut:]) if part)
