"""Searches that are given up, as the command line tells of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mars_logic.errors import InputError


@contextmanager
def search_limits_told(source: str) -> Iterator[None]:
    """Tell that a search was given up as one message about what was asked.

    Args:
        source: The file, or the name, of the rules or records in question.

    Raises:
        InputError: A search was given up.
    """
    from mars_logic.logic.solve import LimitReachedError

    try:
        yield
    except LimitReachedError as limit:
        raise InputError(
            f"{source}:1: rules: {limit}; allowed: rules of which fewer fields are open, "
            "or fewer trajectories"
        ) from None
