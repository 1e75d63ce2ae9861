"""Joint posterior of the used resources and the sites of place and make rules.

A try that fails tells that too little was held, or that the site was wrong, but not which. So each
value of ``uses`` is weighed by how probable it makes the sites at which enough was held and nothing
happened: a table that fails on grass may take more wood, or may belong on water.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from mars_logic.theory.claims import Field
from mars_logic.theory.signature_claims import holds_all
from mars_logic.theory.signatures import Held, Making, Placing, Signature
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.names import MATERIALS
from mars_logic.world.vocabulary import Vocabulary

from .sites import Nearby, Sites, probability

NOWHERE: Final = MATERIALS[0]
_LEAST: Final = 1e-9
_PROBABLE: Final = 0.5
_MOST_TOGETHER: Final = 3
"""Materials that may have to be nearby together, besides stations."""
Uses = Mapping[Any, int]
Failed = frozenset[Hashable]
"""The sites at which nothing happened."""


@dataclass
class Tries:
    """The evidence on placing one object, or making one tool.

    Attributes:
        words: The names.
        used: What was used up when it worked; None while it never did.
        worked: The sites at which it worked.
        failed: What was held and the site, wherever nothing happened.
    """

    words: Vocabulary
    used: FrozenMap[Any, int] | None = None
    worked: set[Hashable] = field(default_factory=set)
    failed: dict[tuple[Held, Hashable], None] = field(default_factory=dict)
    _failed_with: dict[Uses, Failed] = field(default_factory=dict)

    def see(self, signature: Signature) -> bool:
        """Take in one try; tell whether it is the first that worked, or the first at a site."""
        assert isinstance(signature, Placing | Making)
        before = len(self.worked), self.used
        if isinstance(signature, Placing) and signature.material == NOWHERE:
            return False  # beyond the map
        site = site_of(signature)
        if worked(signature):
            pairs = zip(signature.held.items, signature.held, signature.held_after, strict=True)
            self.used = FrozenMap({item: a - b for item, a, b in pairs if a > b})
            self.worked.add(site)
        elif (signature.held, site) not in self.failed:
            self.failed[signature.held, site] = None
            self._failed_with.clear()
        return before != (len(self.worked), self.used)

    def failed_with(self, uses: Uses) -> Failed:
        """The sites at which nothing happened though all that is used was held."""
        if uses not in self._failed_with:
            found = (site for held, site in self.failed if holds_all(held, uses))
            self._failed_with[uses] = frozenset(found)
        return self._failed_with[uses]

    def common(self) -> Iterator[tuple[str, ...]]:
        """Sets of few materials that were nearby whenever a tool was made."""
        near = [frozenset(map(str, site)) for site in self.worked if isinstance(site, frozenset)]
        always = [m for m in self.words.materials[1:] if near and all(m in site for site in near)]
        for size in range(1, _MOST_TOGETHER + 1):
            yield from combinations(always, size)

    def settled(self, rule: str) -> Iterator[tuple[Field, Any]]:
        """The knowledge of ``nearby``, or of ``where`` if it is not as usual, once it worked."""
        assert self.used is not None
        failed = self.failed_with(self.used)
        if rule.startswith("make"):
            name = (rule, "nearby")
            for values in (
                domain(*name, self.words),
                unusual(*name, self.words),
                (*self.common(),),
            ):
                left = [v for v in values if Nearby({v: 1.0}).likelihood(self.worked, failed)]
                if len(left) == 1:
                    yield name, left[0]
                if left:
                    return
        elif not any(
            self.worked <= set(each) and failed.isdisjoint(each)
            for each in domain(rule, "where", self.words)
        ):
            yield (rule, "where"), tuple(sorted(map(str, self.worked)))


def rule_of(signature: Signature) -> str | None:
    """The id of the rule of a try; None if the signature is of anything else."""
    match signature:
        case Placing(thing=thing):
            return f"place.{thing}"
        case Making(tool=tool):
            return f"make.{tool}"
    return None


def site_of(signature: Placing | Making) -> Hashable:
    """The ground that was faced, or the materials that were nearby."""
    if isinstance(signature, Placing):
        return signature.material
    return frozenset(signature.nearby)


def worked(signature: Placing | Making) -> bool:
    """Whether a try surely had an effect."""
    changed = signature.held != signature.held_after
    if isinstance(signature, Making):
        return changed
    built = signature.left == signature.thing != signature.material
    return changed or signature.planted or built


class Recipe:
    """The posterior of used resources and of sites after some tries."""

    def __init__(self, tries: Tries, uses: Mapping[Any, float], sites: Sites) -> None:
        """Judge.

        Args:
            tries: What was seen.
            uses: The weight of each value of ``uses`` beforehand.
            sites: What is believed of sites beforehand.
        """
        self._sites, self._worked, self._words = sites, frozenset(tries.worked), tries.words
        before = {tries.used: 1.0} if tries.used is not None else uses
        self._failed = {value: tries.failed_with(value) for value in before}
        self._before: defaultdict[Failed, float] = defaultdict(float)
        for value, weight in before.items():
            self._before[self._failed[value]] += weight
        after = {failed: sites.likelihood(self._worked, failed) for failed in self._before}
        total = math.fsum(weight * after[failed] for failed, weight in self._before.items())
        joint = {value: w * after[self._failed[value]] for value, w in before.items()}
        self.uses: dict[Any, float] = {v: w / total for v, w in joint.items() if w > 0}
        self._open: dict[tuple[Failed, Hashable], float] = {}
        self._affords: dict[Held, tuple[Any, ...]] = {}

    @cached_property
    def taken(self) -> Mapping[str, float]:
        """By item, how probable it is that the rule uses it; without those that it never uses."""
        weights: defaultdict[str, list[float]] = defaultdict(list)
        for value, weight in self.uses.items():
            for item in value:
                weights[item].append(weight)
        return {item: math.fsum(each) for item, each in weights.items()}

    def failed(self, uses: Any) -> Failed:
        """The sites at which nothing happened though all of a value of ``uses`` was held."""
        return self._failed[uses]

    def open(self, site: Hashable, uses: Any = None) -> float:
        """How probable it is that a site is open, given what is used up or for all of that."""
        if uses is None:
            return math.fsum(w * self.open(site, value) for value, w in self.uses.items())
        failed = self._failed[uses]
        if (failed, site) not in self._open:
            self._open[failed, site] = probability(self._sites, site, self._worked, failed)
        return self._open[failed, site]

    def sites(self, uses: Any = None) -> dict[Any, float]:
        """The probabilities of ``nearby`` or ``where``: of each usual value, and of the rest.

        Args:
            uses: What is used up; None for all of that.
        """
        before = self._before if uses is None else {self._failed[uses]: 1.0}

        def weight(sites: Sites) -> float:
            return math.fsum(w * sites.likelihood(self._worked, f) for f, w in before.items())

        total = weight(self._sites)
        parts = {value: weight(part) for value, part in self._sites.parts().items()}
        found = {value: each / total for value, each in parts.items() if each > 0}
        rest = 1 - math.fsum(found.values())
        if total and rest > _LEAST:
            value = self.grounds(uses)
            found[value] = found.get(value, 0.0) + rest
        return found

    def grounds(self, uses: Any = None) -> tuple[str, ...]:
        """The grounds that are probably open; if none is, those that are no less so than any other.

        Args:
            uses: What is used up; None for all of that.
        """
        found = {material: self.open(material, uses) for material in self._words.left}
        least = max(_LEAST, min(_PROBABLE, max(found.values()) - _LEAST))
        return tuple(m for m in self._words.materials if found.get(m, 0.0) >= least)

    def works(self, held: Held, site: Hashable) -> dict[Any, float]:
        """For each value of ``uses``, how probable it is that it is so and a try works."""
        return {value: self.uses[value] * self.open(site, value) for value in self.affords(held)}

    def affords(self, held: Held) -> tuple[Any, ...]:
        """The values of ``uses`` that are possible, and of which all is held."""
        if held not in self._affords:
            self._affords[held] = tuple(value for value in self.uses if holds_all(held, value))
        return self._affords[held]
