"""Scoreboards: kept episodes of benchmarks, and their pages beside published results."""
