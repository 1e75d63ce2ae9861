"""Creatures that act by tables of cases: Crafter's as such tables, and each condition and deed."""

from __future__ import annotations

import numpy as np

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.world.load import parse_theory

AS_CASES = """\
name: as_cases
base: default
behaviour:
  cow: {cases: [{act: wander, chance: 0.5}]}
  zombie:
    cases: [{act: approach, within: 8, chance: 0.9}, {act: wander}]
  skeleton:
    cases:
      - {act: shoot, within: 5, chance: 0.5}
      - {act: approach, within: 8, chance: 0.3, straight: 0.6}
      - {act: wander, chance: 0.2}
"""


def test_crafters_creatures_are_tables_like_others():
    """Whole episodes are the same as with the flags, and so is every draw."""
    usual, world = load_world("default"), parse_theory(AS_CASES, "as_cases.yaml")
    both = [Simulator(each, 8) for each in (usual, world)]
    for simulator in both:
        simulator.reset(np.arange(8))
    dice = np.random.default_rng(3)
    for _ in range(300):
        actions = dice.integers(0, 7, 8)
        results = [simulator.step(actions) for simulator in both]
        assert np.array_equal(results[0].reward, results[1].reward)
    for env in range(8):
        one, other = (simulator.state(env) for simulator in both)
        assert np.array_equal(one.objects, other.objects)
        assert np.array_equal(one.materials, other.materials)
        assert np.array_equal(one.inventory, other.inventory[: len(one.inventory)])
    words = [simulator.snapshot().envs["stream"] for simulator in both]
    assert np.array_equal(words[0], words[1])
