"""Sustainability: whether the player can survive indefinitely, and by which rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mars_logic.logic.reachability_model import (
    BALANCED,
    CAREFUL,
    OPTIMISTIC,
    ReachabilityModel,
)
from mars_logic.logic.rule_atoms import rule_id
from mars_logic.logic.solve import Assumption, LimitReachedError, Relations, Session
from mars_logic.world import names
from mars_logic.world.known_names import need_rule

Livelihood = Literal["sustainable", "unsustainable", "unknown"]

PERIOD = 1000
"""Steps that are balanced, as in encodings/living/upkeep.lp."""


@dataclass(frozen=True)
class Sustainability:
    """Long-run balance of the vitals over 1,000 steps.

    Attributes:
        verdict: ``sustainable`` if the world certainly covers all needs indefinitely;
            ``unsustainable`` if some resource runs out under every policy; ``unknown`` if neither
            is proved.
        for_an_episode: Whether it certainly does so for an episode, using up the map's resources.
        lacking: The smallest set of vitals whose loss exceeds the certain gain.
        times: Applications of each rule, by the rule's id, with the smallest sum.
        needed: Points of each vital lost to needs.
        rest: Points of energy and health that sleeping and living bring.
        brought: For each of these rules, the points of each vital that it brings (or takes) in all.
    """

    verdict: Livelihood
    for_an_episode: bool
    lacking: tuple[str, ...]
    times: Mapping[str, int]
    needed: Mapping[str, int]
    rest: Mapping[str, int]
    brought: Mapping[str, Mapping[str, float]]

    def balance(self, vital: str) -> float:
        """Points of a vital that are left over."""
        gained = sum(of.get(vital, 0) for of in self.brought.values())
        return self.rest.get(vital, 0) + gained - self.needed[vital]

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "verdict": self.verdict,
            "for_an_episode": self.for_an_episode,
            "lacking": list(self.lacking),
            "steps": PERIOD,
            "times": dict(self.times),
            "needed": dict(self.needed),
            "rest": dict(self.rest),
            "brought": {rule: dict(of) for rule, of in self.brought.items()},
        }


UNKNOWN = Sustainability("unknown", False, (), {}, {}, {}, {})


def upkeep(reachability: ReachabilityModel) -> Sustainability:
    """Judge whether the player can survive indefinitely.

    The cautious judgement, at the level ``finite_chance``, uses only renewable sources: permanent
    liquids, respawning creatures, plants. It counts one blow or two arrows for each fight and
    assumes no other harm by creatures.
    The optimistic one assumes no harm at all and unlimited renewal.
    """
    session: Session | None = None

    def at(level: str, *, stocks: bool = False) -> Relations:
        nonlocal session
        session = session or _balance(reachability)
        aims = [Assumption("judged", (name,), name == level) for name in BALANCED]
        aims.append(Assumption("stocks", (), stocks))
        found = session.solve(["some", "lacking", "needed", "rest", "brings"], aims)
        assert found is not None, "everything may be lacking"
        return found

    if need_rule(reachability.world):
        return UNKNOWN
    try:
        careful = at(CAREFUL)
        if not careful["lacking"]:
            return _told("sustainable", True, careful)
        stocked = at(CAREFUL, stocks=True)
        if not stocked["lacking"]:
            careful = stocked
        verdict: Livelihood = "unsustainable" if at(OPTIMISTIC)["lacking"] else "unknown"
        return _told(verdict, not stocked["lacking"], careful)
    except LimitReachedError:
        return UNKNOWN


def _balance(reachability: ReachabilityModel) -> Session:
    """The balance of what is derived about sources, in a small program of its own.

    In the program of a proof, its optimum takes minutes.
    """
    relations = reachability.relations
    derived = (f"{name}({','.join(row)}).\n" for name in _DERIVED for row in relations[name])
    return Session(("living/upkeep.lp",), "".join([reachability.world_facts, *derived]))


_DERIVED = ("balanced", "trusts", "period", "surely", "lucky", "source", "stock", "harmless")


def _told(verdict: Livelihood, for_an_episode: bool, found: Relations) -> Sustainability:
    times: Counter[str] = Counter()
    for rule, part in sorted(found["some"]):
        times[rule_id(rule)] += int(part)
    brought: dict[str, dict[str, float]] = {rule: {} for rule in times}
    for rule, vital, points in sorted(found["brings"]):
        if rule_id(rule) in times and points != "0":
            brought[rule_id(rule)][vital] = int(points) * times[rule_id(rule)] / 1000
    lacking = {row[0] for row in found["lacking"]}
    needed = {vital: int(n) for vital, n in found["needed"]}
    return Sustainability(
        verdict,
        for_an_episode,
        tuple(vital for vital in names.VITALS if vital in lacking),
        dict(times),
        {vital: needed[vital] for vital in names.VITALS},
        {vital: int(n) for vital, n in sorted(found["rest"])},
        brought,
    )
