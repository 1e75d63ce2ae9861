"""The learner in a small world of its own, from nothing but the names to all added rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.play.learning import study

WORLD = """
name: {name}
title: a room with a bench
base: default
length: 200
map:
  drawn: |
    ###########
    #.T...~...#
    #..@....b.#
    #.T....a..#
    ###########
  legend: {{a: {anvil}, b: {bench}}}
adds:
  materials:
    {bench}: {{looks: station, colour: "#2e7d32"}}
    {anvil}: {{looks: station, colour: "#607d8b"}}
  items: [{plank}, {chair}]
goals: [make_{plank}, make_{chair}]
make:
  {plank}: {{uses: {{wood: 1}}, nearby: [{bench}]}}
  {chair}: {{uses: {{{plank}: 1, wood: 1}}, nearby: [{anvil}]}}
"""
NAMES = {"name": "room", "bench": "bench", "anvil": "anvil", "plank": "plank", "chair": "chair"}
OTHERS = {"name": "moor", "bench": "chair", "anvil": "plank", "plank": "uvw", "chair": "xyz"}


@pytest.mark.slow
@pytest.mark.parametrize("names", [NAMES, OTHERS], ids=["names", "other names"])
def test_all_recipes_of_a_small_room_are_found(tmp_path: Path, names: dict[str, str]) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(WORLD.format(**names))
    world = load_world(str(path))
    learned = study(world, seed=1, episodes=3)
    for item in (names["plank"], names["chair"]):
        assert learned.theory.make[item] == world.make[item]
    assert learned.lessons[-1].played.ended == "complete"
