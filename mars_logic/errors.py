"""The base of all errors that are the input's fault, not the program's."""

from __future__ import annotations

from collections.abc import Iterable


class InputError(ValueError):
    """Invalid user input; the message names the problem, its place and the allowed values.

    The command line prints the message alone and exits with status 2.
    """


class KernelWarning(UserWarning):
    """Kernels are not cached, or are compiled though numba is told not to; results are the same."""


def unsupported(place: str, what: str, able: Iterable[str], kind: str) -> InputError:
    """The error that a command, an agent or a layer does not support what it is given.

    Args:
        place: What was given: a name, or a file with a line and a field.
        what: What does not support it: a command in backquotes, or in words.
        able: What it supports: ``worlds``, domains of games, dialects of worlds.
        kind: What was given instead: a domain, or a dialect.
    """
    allowed = ", ".join(able)
    return InputError(f"{place}: {what} supports {allowed}, not {kind}; allowed: {allowed}")
