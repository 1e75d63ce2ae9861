"""Compiles the step, for the cache on disk; run by ``compile_ahead``."""

from __future__ import annotations

import numpy as np

from mars_logic.sim.layout import CAPACITY, env_dtype
from mars_logic.sim.simulator import Simulator
from mars_logic.sim.snapshot import Snapshot
from mars_logic.world.load import load_world

if __name__ == "__main__":
    finished = np.zeros(1, env_dtype(CAPACITY))
    finished["done"] = True  # so that the step does nothing
    simulator = Simulator(load_world("default"))
    simulator.restore(Snapshot(finished))
    simulator.step(0)
