"""Worlds that add names, for tests of proofs and plans."""

from __future__ import annotations

from dataclasses import replace

from mars_logic import World, load_world
from mars_logic.world.load import parse_theory
from tests.paths import REPOSITORY

_FOUND = """
name: found
base: default
adds:
  materials: {copper: {looks: ore}, kiln: {looks: station}}
  items: [copper, brick, copper_pickaxe, pie]
collect:
  iron: {requires: {stone_pickaxe: 1}, yields: {iron: 1}, leaves: copper}
  copper: {requires: {stone_pickaxe: 1}, yields: {copper: 1}, leaves: path}
place:
  kiln: {uses: {stone: 2}, where: [grass, sand, path]}
make:
  brick: {uses: {stone: 1}, nearby: [kiln]}
  copper_pickaxe: {uses: {wood: 1, copper: 1}, nearby: [table, kiln]}
  pie: {uses: {sapling: 1}, nearby: [kiln]}
eat:
  pie: {food: 6}
"""


def own(text: str) -> World:
    """The world that a text states."""
    world = parse_theory(text, "own.yaml")
    assert isinstance(world, World)
    return world


FOUND = own(_FOUND)
"""Mining iron leaves copper."""


COPPER = own(
    _FOUND.replace(
        "  iron: {requires: {stone_pickaxe: 1}, yields: {iron: 1}, leaves: copper}\n", ""
    )
)
"""Copper is on no map and left by nothing."""
SCATTERED = replace(load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml"), goals=())
"""Copper lies in the stone of each map."""


def renamed(**names: str) -> World:
    """``FOUND`` with other words for what it adds."""
    text = _FOUND
    for name, other in names.items():
        text = text.replace(name, other)
    return own(text)
