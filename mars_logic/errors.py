"""The base of all errors that are the input's fault, not the program's."""

from __future__ import annotations


class InputError(ValueError):
    """Invalid user input; the message names the problem, its place and the allowed values.

    The command line prints the message alone and exits with status 2.
    """


class KernelWarning(UserWarning):
    """Kernels are not cached, or are compiled though numba is told not to; results are the same."""
