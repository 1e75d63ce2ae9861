from __future__ import annotations

import numpy as np

from mars_logic.sim.noise import noise, permutation


def test_permutation(vectors):
    for seed, perm, gradients in zip(
        vectors["noise_seeds"], vectors["noise_perm"], vectors["noise_perm_grad3"], strict=True
    ):
        table = permutation(int(seed))
        np.testing.assert_array_equal(table[0], perm)
        np.testing.assert_array_equal(table[1], gradients)


def test_noise_is_equal_bit_for_bit(vectors):
    points = vectors["noise_points"]
    for seed, values in zip(vectors["noise_seeds"], vectors["noise_values"], strict=True):
        table = permutation(int(seed))
        computed = [noise(table, x, y, z, 1.0) for x, y, z in points.tolist()]
        assert computed == values.tolist()
