"""Incremental check for contradictions; it reads only new evidence.

It comes to the same as ``check`` on all evidence, but that a step takes time for what it shows and
not for all that was shown before. Only how creatures go is looked at again not with every motion
but whenever a few per cent more of them were seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial

from mars_logic.theory import movement_model, rate_tests
from mars_logic.theory.claims import Field, values_of
from mars_logic.theory.evidence import Evidence, SeenSignature
from mars_logic.theory.relevance import claims_of
from mars_logic.theory.signatures import Collecting, Motion, Signature
from mars_logic.world.theory import Theory

_PATIENCE = 16
"""The ways of creatures are looked at again when there are more of them by one part in so many."""


class Monitor:
    """The evidence so far, indexed for the check of a theory.

    Attributes:
        theory: The theory that is judged.
        kinds: Every distinct signature.
        news: The signatures that were new in kind, the last time.
    """

    def __init__(self, theory: Theory, level: float = rate_tests.LEVEL) -> None:
        """Begin with nothing seen.

        Args:
            theory: What is judged.
            level: A true probability is given up with at most this probability.
        """
        self._level = level
        self.kinds: dict[Signature, None] = {}
        self._tries: dict[str, dict[Collecting, SeenSignature]] = {}
        self._motions: dict[str, Counter[Motion]] = {}
        self._grounds: list[Signature] = []
        self._walked: set[str] = set()
        self._judged: dict[str, int] = {}
        self.news: list[Signature] = []
        self.judge(theory)

    def judge(self, theory: Theory) -> None:
        """Judge another theory from now on, which nothing seen so far contradicts."""
        self.theory = theory
        self._values = values_of(theory)

    def tries(self, material: str) -> rate_tests.Attempts:
        """The observed collections from a material."""
        return list(self._tries.get(material, {}).items())

    def see(self, new: Evidence) -> set[Field]:
        """Take in what is new.

        Returns:
            The fields that it contradicts, alone or together with others; or, of those that the
            theory leaves open, may tell more about.
        """
        found: set[Field] = set()
        self.news = []
        materials, beings = set(), set()
        for signature, seen in new.signatures.items():
            if signature not in self.kinds:
                self.kinds[signature] = None
                self.news.append(signature)
                if movement_model.tells_ground(signature, new.dynamics):
                    self._grounds.append(signature)
                for claim in claims_of(signature, new.dynamics):
                    if not claim.judge(self._values).holds:
                        found.update(claim.reads)
            match signature:
                case Collecting(material=material):
                    self._count(material, signature, seen)
                    materials.add(material)
                case Motion(being=being):
                    self._motions.setdefault(being, Counter())[signature] += seen.count
                    beings.add(being)
        walked = movement_model.walkable(self._grounds, new.dynamics)
        if walked != self._walked:
            self._walked = walked
            beings |= set(self._motions)
        for material in materials:
            if any(rate.refuted(self._level) for rate in self.rates(material)):
                found.add((f"collect.{material}", "yields"))
        for being in beings:
            if self._astray(being):
                found.update(movement_model.fields_of(being))
        return found

    def _count(self, material: str, signature: Collecting, seen: SeenSignature) -> None:
        tries = self._tries.setdefault(material, {})
        known = tries.setdefault(signature, SeenSignature(seen.first))
        known.count += seen.count

    def rates(self, material: str) -> Iterator[rate_tests.Rate]:
        """How often what a material gives with some probability came."""
        rule = self.theory.collect[material]
        uncertain = set(rule.uncertain_fields)
        if {"collectable", "requires"} & uncertain:
            return
        stated = []
        if "yields" not in uncertain and any(
            given.probability is not None for given in rule.yields.values()
        ):
            dynamics = self.theory.dynamics
            stated.append(partial(rate_tests.yield_rates, yields=rule.yields, dynamics=dynamics))
        if "spawns" not in uncertain and rule.spawns:
            stated.append(partial(rate_tests.spawn_rates, spawns=rule.spawns))
        if stated:
            tries = self.tries(material)
            successes = rate_tests.collected(tries, rule.collectable, rule.requires)
            for each in stated:
                yield from each(successes)

    def _astray(self, being: str) -> bool:
        """Whether creatures of a kind go as the theory excludes."""
        seen = self._gone(being)
        total = sum(seen.values())
        if total * _PATIENCE < self._judged.get(being, 0) * (_PATIENCE + 1):
            return False
        self._judged[being] = total
        possible = [self._values(name) for name in movement_model.fields_of(being)]
        if any(len(found) != 1 for found in possible):
            return total > 0
        believed = movement_model.gait_of(*(found[0] for found in possible))
        return believed in movement_model.refuted(seen, self.theory.dynamics, self._level)

    def _gone(self, being: str) -> Mapping[tuple[tuple[int, int], int], int]:
        found: Counter[tuple[tuple[int, int], int]] = Counter()
        for motion, count in self._motions[being].items():
            if motion.ground in self._walked:
                found[motion.way, motion.went] += count
        return found
