"""Measures the Conan detective: processor time of a posterior, and of a decision of ``curious``.

python -m mars_logic.benchmarks.conan_speed [--scenes 12] [--seed 103]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from mars_logic.domains.conan.corpus import CorpusSpec, make_scene
from mars_logic.domains.conan.detective import investigating
from mars_logic.domains.conan.detective.evidence import everything
from mars_logic.domains.conan.detective.investigating import (
    DetectionSpec,
    detective_of,
    detective_seed,
    walk_through,
)


def timed(work: Callable[..., Any], times: list[float]) -> Callable[..., Any]:
    """The same function, which notes the processor time of each call in seconds."""

    def measured(*given: Any) -> Any:
        begin = process_time()
        found = work(*given)
        times.append(process_time() - begin)
        return found

    return measured


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=12)
    parser.add_argument("--seed", type=int, default=103)
    given = parser.parse_args()
    scenes = [make_scene(CorpusSpec("conan", given.seed), i) for i in range(given.scenes)]
    posteriors: list[float] = []
    decisions: list[float] = []
    judged = timed(detective_of("conan").posterior, posteriors)
    walk = DetectionSpec(Path(), "curious", "far")
    for each in scenes[:1]:  # kernels are loaded before anything is measured
        detective_of("conan").posterior(everything(each), 1)
        walk_through(walk, each)
    investigating.expected_gains = timed(investigating.expected_gains, decisions)
    for each in scenes:
        judged(everything(each), detective_seed(each))
        walk_through(walk, each)
    for what, times in (("posterior, everything seen", posteriors), ("decision", decisions)):
        low, middle, high = 1000 * np.percentile(times, [10, 50, 90])
        print(
            f"{what}: {middle:.0f} ms (median of {len(times)}; 10 % to 90 %: {low:.0f}-{high:.0f})"
        )


if __name__ == "__main__":
    main()
