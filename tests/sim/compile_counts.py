"""Counts what a program compiles: forms of functions, and LLVM instructions before optimisation.

``python -m tests.sim.compile_counts PART`` runs one of ``PARTS`` and prints both numbers as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import event
from numba.core.codegen import JITCodeLibrary

import mars_logic
from mars_logic.sim import Simulator, Snapshot
from mars_logic.sim.layout import CAPACITY, env_dtype


class _Counts(event.Listener):
    """The forms that numba compiles, and the instructions of the code that it optimises."""

    def __init__(self) -> None:
        self.forms = 0
        self.instructions = 0

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        self.forms += 1

    def on_end(self, event: Any) -> None:
        pass

    def before(self, optimise: Callable[[Any], None]) -> Callable[[Any], None]:
        """Count the instructions of a module before it is optimised."""

        def optimise_counted(library: Any) -> None:
            functions = library._final_module.functions
            blocks = (block for function in functions for block in function.blocks)
            self.instructions += sum(sum(1 for _ in block.instructions) for block in blocks)
            optimise(library)

        return optimise_counted


def _reset() -> None:
    Simulator(mars_logic.load_world("default")).reset(0)


def _step() -> None:
    finished = np.zeros(1, env_dtype(CAPACITY))
    finished["done"] = True  # so that the step does nothing
    simulator = Simulator(mars_logic.load_world("default"))
    simulator.restore(Snapshot(finished))
    simulator.step(0)


PARTS: dict[str, Callable[[], None]] = {"reset": _reset, "step": _step}

if __name__ == "__main__":
    counts = _Counts()
    event.register("numba:compile", counts)  # type: ignore[no-untyped-call]
    libraries: Any = JITCodeLibrary
    libraries._optimize_final_module = counts.before(libraries._optimize_final_module)
    PARTS[sys.argv[1]]()
    print(json.dumps({"forms": counts.forms, "instructions": counts.instructions}))
