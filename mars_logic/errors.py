"""The base of all errors that are the input's fault, not the program's."""

from __future__ import annotations


class InputError(ValueError):
    """Something a user gave is wrong; the message says what, where, and what would be right.

    The command line prints the message alone and exits with status 2.
    """
