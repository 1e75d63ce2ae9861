"""Steps per second of Conan's released playground and of the world ``conan``, in turns.

    python -m mars_logic.benchmarks.playground CHECKOUT

CHECKOUT is a clone of the repository Conan-Active-Reasoning; it needs imageio and ruamel.yaml
besides what mars-logic needs. Both play random actions in one process; the processor's time of
steps is measured, without resets. A step of the playground makes its symbolic view in any case.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import statistics
import sys
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.experiments.measurement.players import Ours

BATCH = 256
TURNS = 7
STEPS = 250
"""Steps of the playground in a turn."""


class Conan(Ours):
    """A batch of environments of ``conan`` under random actions."""

    def __init__(self, *, observing: bool):
        """Play until the environments are at different times of their episodes."""
        super().__init__(BATCH, world="conan", observing=observing, spread_out=100)

    def _actions(self, steps: int) -> NDArray[np.int64]:
        number = len(self.simulator.world.vocabulary.actions)
        return self._random.integers(number, size=(steps, self.simulator.n))


class Playground:
    """The released environment under random actions."""

    def __init__(self, checkout: Path):
        """Import it from a checkout, without what trains and generates."""
        package = types.ModuleType("conan")
        package.__path__ = [str(checkout / "conan")]
        sys.modules["conan"] = package
        _mend_yaml()
        with contextlib.redirect_stdout(io.StringIO()):
            self._env: Any = importlib.import_module("conan.playground").Env(seed=0, length=300)
        self._random = np.random.default_rng(0)
        self._env.reset()

    def steps(self, number: int) -> float:
        """Steps per second; resets are not timed."""
        spent = 0.0
        for action in self._random.integers(self._env.action_space.n, size=number).tolist():
            begun = time.process_time()
            done = self._env.step(action)[2]
            spent += time.process_time() - begun
            if done:
                self._env.reset()
        return number / spent


def _mend_yaml() -> None:
    """Give new versions of ruamel.yaml the function that the playground loads its rules with."""
    import yaml

    importlib.import_module("ruamel.yaml").safe_load = yaml.safe_load  # type: ignore[attr-defined]


def main() -> None:
    """Print a line for each turn, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    theirs = Playground(parser.parse_args().checkout)
    plain, seeing = Conan(observing=False), Conan(observing=True)
    rows = [(theirs.steps(STEPS), plain.steps(1), seeing.steps(1)) for _ in range(TURNS)]
    for peer, ours, observed in rows:
        print(f"playground {peer:,.0f}/s; conan {ours:,.0f}/s, {ours / peer:,.0f} x; ", end="")
        print(f"with views {observed:,.0f}/s, {observed / peer:,.0f} x")
    ratios = [[row[column] / row[0] for row in rows] for column in (1, 2)]
    for name, some in zip(("steps", "steps with views"), ratios, strict=True):
        print(
            f"{name}: median {statistics.median(some):,.0f} x, {min(some):,.0f} to {max(some):,.0f}"
        )
    print(f"an environment takes {plain.simulator.snapshot().envs.dtype.itemsize:,} bytes")


if __name__ == "__main__":
    main()
