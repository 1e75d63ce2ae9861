"""Samples worlds: the paper's modifications, under the paper's principles.

Example:
    >>> from mars_logic.sampling import Request, sample
    >>> request = Request.of(["survival"], difficulty=3)
    >>> [found.difficulty for found in sample(request, count=2, seed=0)]
    [3, 3]
"""

from mars_logic.sampling.conflict import Conflict, conflict
from mars_logic.sampling.modifications import CHANGES, MODIFICATIONS
from mars_logic.sampling.request import Request
from mars_logic.sampling.sampler import ImpossibleError, Sample, Sampler, sample

__all__ = [
    "CHANGES",
    "MODIFICATIONS",
    "Conflict",
    "ImpossibleError",
    "Request",
    "Sample",
    "Sampler",
    "conflict",
    "sample",
]
