"""Examples: verdicts that depend on the map, proved by a map for either verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from mars_logic.logic.judge import CAREFUL, OPTIMISTIC, Judge
from mars_logic.logic.layouts import example_maps
from mars_logic.logic.patches import map_facts
from mars_logic.logic.proof import Outcome, Verdict
from mars_logic.logic.solve import LimitReachedError


def with_examples(
    judge: Judge, verdicts: Mapping[str, Verdict], verdict: Callable[[Judge, str], Verdict]
) -> dict[str, Verdict]:
    """The verdicts, those that are open judged on a few maps.

    What is reachable on one and unreachable on another depends on the map.

    Args:
        judge: The judgement of a world without a map.
        verdicts: What it says.
        verdict: Judges an achievement on a map.
    """
    open_ones = [name for name, found in verdicts.items() if found.verdict == "unknown"]
    examples: dict[str, dict[Outcome, int]] = {name: {} for name in open_ones}
    try:
        for seed, area in example_maps(judge) if open_ones else ():
            wanted = [name for name in open_ones if len(examples[name]) < 2]
            if not wanted:
                break
            given = judge.on(map_facts(area))
            for name, outcome in _decided(given, wanted, examples, verdict):
                examples[name].setdefault(outcome, seed)
    except LimitReachedError:
        pass
    return {name: _dependent(found, examples.get(name, {})) for name, found in verdicts.items()}


def _decided(
    given: Judge,
    wanted: Collection[str],
    examples: Mapping[str, Mapping[Outcome, int]],
    verdict: Callable[[Judge, str], Verdict],
) -> list[tuple[str, Outcome]]:
    """What is proved on a map: the small programs come first, and then what takes a witness."""
    possible, careful = given.unlocked(OPTIMISTIC), given.unlocked(CAREFUL)
    decided: list[tuple[str, Outcome]] = [
        (name, "unreachable") for name in wanted if name not in possible
    ]
    for name in wanted:
        if name in careful and "reachable" not in examples[name]:
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
