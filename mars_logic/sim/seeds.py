"""The seed of the random stream, from an environment's seed and the number of the episode."""

from __future__ import annotations

import numpy as np

from mars_logic.compiled.kernel import kernel

_PRIME_1 = np.uint64(11400714785074694791)
_PRIME_2 = np.uint64(14029467366897019727)
_PRIME_5 = np.uint64(2870177450012600261)
_LENGTH = np.uint64(2) ^ (_PRIME_5 ^ np.uint64(3527539))
_RESERVED = np.uint64(2**64 - 1)
_INSTEAD_OF_RESERVED = np.uint64(1546275796)


@kernel
def episode_seed(seed: int, episode: int) -> int:
    """``hash((seed, episode)) % (2**31 - 1)``, as CPython 3.8 and later compute it.

    An explicit implementation, so that all Python versions give the same episodes.

    Args:
        seed: The environment's seed, between -SEED_LIMIT and SEED_LIMIT.
        episode: The number of the episode; the first reset is episode 1.
    """
    mixed = _PRIME_5
    for element in (seed, episode):
        lane = np.uint64(-2 if element == -1 else element)
        mixed += lane * _PRIME_2
        mixed = (mixed << np.uint64(31)) | (mixed >> np.uint64(33))
        mixed *= _PRIME_1
    mixed += _LENGTH
    if mixed == _RESERVED:
        mixed = _INSTEAD_OF_RESERVED
    return int(np.int64(mixed)) % 2147483647
