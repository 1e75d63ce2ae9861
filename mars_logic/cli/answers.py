"""What commands find when they are called as functions: objects that print as the commands do."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class CommandAnswer:
    """What a command found; ``print`` shows it as the command does.

    Attributes:
        text: The text, without what belongs to progress.
        good: Whether the command would end with exit status 0.
    """

    text: str
    good: bool

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        first = self.text.partition("\n")[0]
        return f"<{type(self).__name__}: {first}>"


@contextlib.contextmanager
def text_told() -> Iterator[io.StringIO]:
    """Collects standard output and standard error as text instead of printing them."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        yield text
