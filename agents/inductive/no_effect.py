"""Joint posterior of the fields of collect rules that never had an effect."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from mars_logic.theory.claims import Field
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signature_claims import holds_all
from mars_logic.theory.signatures import Held
from mars_logic.world import names
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.vocabulary import Vocabulary

from .weights import entropy, normal

_TOGETHER: Final = ("collectable", "requires", "leaves", "yields")
_TASTED: Final = ("drink", "food")
"""Effects of drinking that are seen as effects of collecting."""


class NoEffectModel:
    """A collect rule that was tried or not, but never had an effect: its fields, judged together.

    Either a gate was closed, or nothing came, the material stayed what it was, and drinking of it
    changed nothing.
    """

    def __init__(
        self,
        rule: str,
        tried: Mapping[Held, int],
        prior: Callable[[Field, Iterable[Any]], Mapping[Any, float]],
        words: Vocabulary,
    ) -> None:
        """Judge.

        Args:
            rule: The rule's id.
            tried: What was held, and how often.
            prior: The weights of a field's values beforehand.
            words: The names of the world.
        """
        self._tried = tried
        self._dynamics = words.name
        self._same = rule.partition(".")[2]
        self._before = {
            name: normal(
                prior((rule, name), (*domain(rule, name, words), *unusual(rule, name, words)))
            )
            for name in _TOGETHER
        }
        self._spawns = normal(prior((rule, "spawns"), domain(rule, "spawns", words)))
        self._stays = self._before["leaves"].get(self._same, 0.0)
        drink = f"drink.{self._same}"
        self._drinking = [
            normal(prior((drink, vital), domain(drink, vital, words)))
            for vital in (_TASTED if self._same in names.LIQUIDS else ())
        ]
        self._bland = math.prod(weights.get(0, 0.0) for weights in self._drinking)
        open_ = self._before["collectable"].get(True, 0.0)
        self._closed = 1 - open_
        self._gates = {
            needed: weight * open_ * self._unseen(self._times(needed))
            for needed, weight in self._before["requires"].items()
        }
        self._total = self._closed + math.fsum(self._gates.values())

    def visible(self, held: Held) -> float:
        """How probable it is that collecting has an effect that is seen."""
        found = 0.0
        for needed, weight in self._gates.items():
            if weight and holds_all(held, needed):
                times = self._times(needed)
                found += weight * (1 - self._unseen(times + 1) / self._unseen(times))
        return found / self._total if self._total else 0.0

    def told(self) -> float:
        """The information that an effect would give about what collecting leaves and gives."""
        told = self._before["leaves"], self._before["yields"], *self._drinking
        return math.fsum(entropy(weights.values()) for weights in told)

    def weights(self, name: str) -> dict[Any, float]:
        """The probabilities of a field's values."""
        if name == "spawns":
            return dict(self._spawns)
        if name == "collectable":
            closed = self._closed / self._total
            return {value: w for value, w in ((True, 1 - closed), (False, closed)) if w > 0}
        if name == "requires":
            shut = self._closed
            before = self._before["requires"]
            return normal({r: w + shut * before[r] for r, w in self._gates.items()})
        untried = self._closed + math.fsum(
            weight for needed, weight in self._gates.items() if not self._times(needed)
        )
        found = {value: weight * untried for value, weight in self._before[name].items()}
        for needed, weight in self._gates.items():
            times = self._times(needed)
            if times and weight:
                whole = self._unseen(times)
                for value, share in self._before[name].items():
                    found[value] += weight * share * self._given(name, value, times) / whole
        return normal(found)

    def _given(self, name: str, value: Any, times: int) -> float:
        """How probable it is that nothing is seen so often, given a value of one field."""
        if name == "leaves":
            return self._nothing(times) * self._bland if value == self._same else 0.0
        return self._stays * _none(value, self._dynamics) ** times * self._bland

    def _times(self, needed: Mapping[str, int]) -> int:
        return sum(times for held, times in self._tried.items() if holds_all(held, needed))

    def _unseen(self, times: int) -> float:
        """How probable it is that so many tries have no effect that is seen, all gates open."""
        return self._stays * self._nothing(times) * self._bland if times else 1.0

    def _nothing(self, times: int) -> float:
        return math.fsum(
            weight * _none(value, self._dynamics) ** times
            for value, weight in self._before["yields"].items()
        )


@lru_cache(maxsize=1 << 12)
def _none(yields: Mapping[str, Any], dynamics: str) -> float:
    """How probable it is that nothing comes, once."""
    possible = outcomes(yields, dynamics)
    return math.fsum(each.probability for each in possible if not each.gains)
