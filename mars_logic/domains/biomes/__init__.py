"""Biome navigation: a walk through a large map of blocks to a biome that is told by name."""
