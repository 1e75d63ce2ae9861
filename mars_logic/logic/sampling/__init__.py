"""Samples worlds: by the paper's modifications, or with made-up names.

Example:
    >>> from mars_logic.logic.sampling import Request, sample
    >>> request = Request.of(["survival"], difficulty=3)
    >>> [found.difficulty for found in sample(request, count=2, seed=0)]
    [3, 3]
"""

from mars_logic.logic.sampling.conflict import RequestConflict, conflict
from mars_logic.logic.sampling.made_up import MadeUpSampler
from mars_logic.logic.sampling.made_up_request import MadeUp
from mars_logic.logic.sampling.modifications import CHANGES, MODIFICATIONS
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.sampler import ImpossibleError, Sample, Sampler, sample

__all__ = [
    "CHANGES",
    "MODIFICATIONS",
    "ImpossibleError",
    "MadeUp",
    "MadeUpSampler",
    "Request",
    "RequestConflict",
    "Sample",
    "Sampler",
    "conflict",
    "sample",
]
