"""Examples: verdicts that depend on the map, proved by a map for either verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from mars_logic.logic.certainty import Outcome
from mars_logic.logic.layouts import example_maps
from mars_logic.logic.proof import Verdict
from mars_logic.logic.reachability_model import CAREFUL, OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import facts_of
from mars_logic.logic.solve import LimitReachedError


def with_examples(
    reachability: ReachabilityModel,
    verdicts: Mapping[str, Verdict],
    verdict: Callable[[ReachabilityModel, str], Verdict],
) -> dict[str, Verdict]:
    """The verdicts, with open ones judged on example maps.

    An achievement that is reachable on one map and unreachable on another depends on the map.

    Args:
        reachability: The reachability model of a world without a map.
        verdicts: Its verdicts.
        verdict: Judges an achievement on a map.
    """
    open_ones = [name for name, found in verdicts.items() if found.verdict == "unknown"]
    examples: dict[str, dict[Outcome, int]] = {name: {} for name in open_ones}
    try:
        for seed, area in example_maps(reachability) if open_ones else ():
            wanted = [name for name in open_ones if len(examples[name]) < 2]
            if not wanted:
                break
            given = reachability.on(facts_of(reachability.world, area, None))
            for name, outcome in _decided(given, wanted, examples, verdict):
                examples[name].setdefault(outcome, seed)
    except LimitReachedError:
        pass
    return {name: _dependent(found, examples.get(name, {})) for name, found in verdicts.items()}


def _decided(
    given: ReachabilityModel,
    wanted: Collection[str],
    examples: Mapping[str, Mapping[Outcome, int]],
    verdict: Callable[[ReachabilityModel, str], Verdict],
) -> list[tuple[str, Outcome]]:
    """The proved verdicts on a map: by the small programs first, then by a witness."""
    decided: list[tuple[str, Outcome]] = []
    if any("unreachable" not in examples[name] for name in wanted):
        possible = given.unlocked(OPTIMISTIC)
        decided += [(name, "unreachable") for name in wanted if name not in possible]
    lacking = [name for name in wanted if "reachable" not in examples[name]]
    for name in lacking:
        if name in given.unlocked(CAREFUL):
            found = verdict(given, name).verdict
            decided += [(name, found)] if found != "unknown" else []
    return decided


def _dependent(found: Verdict, examples: Mapping[Outcome, int]) -> Verdict:
    if len(examples) < 2:
        return found
    places = ", ".join(f"{outcome} on that of seed {seed}" for outcome, seed in examples.items())
    return replace(
        found,
        verdict="depends",
        reason=f"it depends on the map: {places}; without a map, {found.reason}",
        examples=dict(examples),
    )
